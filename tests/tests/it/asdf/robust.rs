//! Files that are cut off, damaged, or made to do harm: an error or a finding, in bounded time and memory.

use std::sync::Arc;

use asdf_bridge::asdf::{AsdfFile, Code, Error, Open};
use dudley::bytes::Counted;
use dudley_tests::fuzzed::{asdf::sample, run};
use proptest::prelude::*;

/// A header of a block, and its data.
fn block(label: &[u8; 4], sizes: [u64; 3], data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\xd3BLK\0\x30\0\0\0\0".to_vec();
    bytes.extend(label);
    for size in sizes {
        bytes.extend(size.to_be_bytes());
    }
    bytes.extend([0; 16]);
    bytes.extend(data);
    bytes
}

fn plain(data: &[u8]) -> Vec<u8> {
    block(&[0; 4], [data.len() as u64; 3], data)
}

/// A file with a tree, and blocks behind it.
fn file(tree: &str, blocks: &[Vec<u8>]) -> Vec<u8> {
    let head = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- \
                !core/asdf-1.1.0\n";
    [format!("{head}{tree}\n...\n").into_bytes(), blocks.concat()].concat()
}

fn array(source: i64, more: &str) -> String {
    format!("!core/ndarray-1.1.0 {{source: {source}, datatype: uint8, byteorder: big, {more}}}")
}

fn open(bytes: Vec<u8>) -> AsdfFile {
    Open::new().decoded_limit(1 << 20).bytes(bytes).expect("it opens")
}

/// Everything there is to do with a file, as it is fuzzed.
fn exercise(bytes: &[u8]) {
    run("asdf", bytes);
}

#[test]
fn the_sample_is_read() {
    let file = open(sample());
    let codes = file.verify().expect("walked").findings.into_iter().map(|finding| finding.code);
    // Of `streamed` behind its first letter, the last one is half a row.
    assert_eq!(codes.collect::<Vec<_>>(), [Code::PartialRow]);
    let read = |path: &str| file.array(path).expect(path).read::<u8>().expect(path);
    assert_eq!(read("/a").as_slice(), Some(&b"abcdef"[..]));
    assert_eq!(read("/b").as_slice(), Some(&b"treame"[..]));
    assert_eq!(read("/d").shape(), [2, 3]);
    assert_eq!(file.block_data(2).expect("lz4"), b"abc");
    let value = format!("{:?}", file.root().expect("a root").value());
    assert!(value.contains("Array([Float(1.0), Null])"), "{value}");
}

#[test]
fn only_what_is_asked_for_is_read() {
    let tree = format!("a: {}\nz: {}", array(0, "shape: [100000]"), array(-1, "shape: [3]"));
    let blocks: Vec<Vec<u8>> = (0..20).map(|_| plain(&[7; 100_000])).collect();
    let source = Arc::new(Counted::new(file(&tree, &blocks)));
    let read = |from: u64| source.bytes_read() - from;
    let file = Open::new().source(source.clone()).expect("it opens");
    // The text, in the least piece.
    assert_eq!(read(0), 64 << 10);
    let opened = source.bytes_read();
    let a = file.array("/a").expect("an array");
    assert_eq!(a.slice("5:7").and_then(|slice| Ok(slice.read::<u8>()?)).expect("two").len(), 2);
    assert!(read(opened) < 500, "{}", read(opened));
    // The headers of all blocks, and no data of them.
    let sliced = source.bytes_read();
    file.array("/z").and_then(|array| array.data()).expect("an array");
    file.check().expect("walked");
    assert!(read(sliced) < 20_000, "{}", read(sliced));
}

#[test]
fn files_may_be_cut_off_anywhere() {
    let whole = sample();
    for len in (0..whole.len()).step_by(3) {
        exercise(&whole[..len]);
    }
}

#[test]
fn bits_may_be_flipped() {
    let whole = sample();
    for at in (0..whole.len()).step_by(3) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at * 5 % 8);
        exercise(&bytes);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn parts_may_be_anything(
        at in 0_usize..1200,
        noise in prop::collection::vec(any::<u8>(), 0..40),
        cut in 0_usize..60,
    ) {
        let mut bytes = sample();
        let at = at % bytes.len();
        let end = (at + cut).min(bytes.len());
        bytes.splice(at..end, noise);
        exercise(&bytes);
    }

    #[test]
    fn trees_may_be_anything(tree in "[-a-c:&*!{}\\[\\], '\"\n#?|>%@0-9._<]{0,60}") {
        exercise(&file(&tree, &[plain(b"abc")]));
    }
}

#[test]
fn shared_nodes_cost_no_more_than_is_asked_for() {
    let mut tree = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for level in 1..40 {
        let shared = vec![format!("*a{}", level - 1); 9].join(", ");
        tree += &format!("a{level}: &a{level} [{shared}]\n");
    }
    let file = open(file(&tree, &[]));
    assert!(matches!(file.root().expect("a root").value(), Err(Error::Limit { .. })));
    assert_eq!(file.get("/a39/0/1/2/3").expect("a node").node().len(), 9);
    // The same as the elements of an array.
    let tree = tree.replace("a39: &a39", "a39: !core/ndarray-1.1.0");
    let file = open(self::file(&tree, &[]));
    assert!(matches!(file.array("/a39"), Err(Error::Limit { .. })));
}

#[test]
fn sizes_are_not_trusted() {
    let huge = 1 << 42;
    let tree = format!("a: {}", array(0, &format!("shape: [{huge}]")));
    for (label, stored) in
        [(b"zlib", &b"\x78\x9c\x03\0\0\0\0\x01"[..]), (b"lz4\0", b"\0\0\0\x08\x03\0\0\0\x30abc")]
    {
        let bytes = file(&tree, &[block(label, [20, stored.len() as u64, huge], stored)]);
        let limited = open(bytes.clone()).block_data(0);
        assert!(matches!(limited, Err(Error::Limit { .. })), "{limited:?}");
        let unlimited = Open::new().decoded_limit(u64::MAX).bytes(bytes).expect("it opens");
        let error = unlimited.array("/a").expect("an array").read::<u8>().expect_err("an error");
        assert!(matches!(error, Error::Engine(dudley::Error::Filter { .. })), "{error}");
    }
    // Nor are those of arrays.
    for shape in ["[4398046511104]", "[9223372036854775807, 9223372036854775807]"] {
        let file =
            open(file(&format!("a: {}", array(0, &format!("shape: {shape}"))), &[plain(b"abc")]));
        let read = file.array("/a").and_then(|array| array.read::<u8>());
        assert!(read.is_err());
    }
    let overlapping = array(0, "shape: [1000000, 1000000], strides: [0, 0]");
    let file = open(file(&format!("a: {overlapping}"), &[plain(b"abc")]));
    let array = file.array("/a").expect("an array");
    assert!(matches!(array.read::<u8>(), Err(Error::Limit { .. })));
    assert!(matches!(array.value(), Err(Error::Limit { .. })));
    // A part of it is not.
    let part = array.slice("999999, -3:").expect("a slice").read::<u8>().expect("read");
    assert_eq!(part.as_slice(), Some(&b"aaa"[..]));
}

#[test]
fn an_array_stays_in_its_block() {
    let blocks = [plain(b"abc"), plain(b"defgh")];
    for more in [
        "shape: [4]",
        "shape: [2], offset: 2",
        "shape: [2], strides: [70]",
        "shape: [2], offset: 3",
    ] {
        let file = open(file(&format!("a: {}", array(0, more)), &blocks));
        let error = file.array("/a").expect("an array").data().expect_err("an error");
        assert!(matches!(error, Error::OutOfBlock { available: 3, .. }), "{more}: {error}");
    }
    let below = open(file(&format!("a: {}", array(1, "shape: [2], strides: [-1]")), &blocks));
    assert!(below.array("/a").expect("an array").data().is_err());
}

#[test]
fn descriptions_are_layouts_whatever_the_names_are() {
    let ndarray = array(0, "shape: [1]");
    let tree = format!(
        "\"a\\0b\": {ndarray}\n\"\": {ndarray}\n\"q\\\"\\n\": {ndarray}\nr: !core/ndarray-1.1.0 {{source: 0, \
         byteorder: big, datatype: [{{name: \"x\\x01\", datatype: int8}}], shape: [1]}}\n"
    );
    let file = open(file(&tree, &[plain(b"a")]));
    let description = file.describe().expect("described");
    dudley::parse_layout(description.text.as_bytes()).expect("a layout");
    let there = description.arrays.iter().filter(|array| array.item.is_some());
    assert_eq!(there.count(), 3, "{}", description.text);
    // A first line may go on in any way.
    let odd = Open::new().bytes(*b"#ASDF 1.0.0\r## x\ry = f9\n--- 1\n...\n").expect("it opens");
    let text = odd.describe().expect("described").text;
    dudley::parse_layout(text.as_bytes()).expect("a layout");
}

#[test]
fn descriptions_are_layouts_whatever_the_sizes_are() {
    let every_second = array(0, "shape: [2], strides: [2]");
    let sizes = [[1 << 63; 3], [u64::MAX - 4000; 3], [1 << 40; 3], [(1 << 63) - 1; 3]];
    for (label, sizes) in [[0; 4], *b"zlib"].into_iter().flat_map(|it| sizes.map(|of| (it, of))) {
        for tree in [format!("a: {every_second}"), format!("a: {}", array(0, "shape: [3]"))] {
            let text = open(file(&tree, &[block(&label, sizes, b"abc")])).describe();
            let text = text.expect("a description").text;
            let checked = dudley_parser::check(text.as_bytes());
            assert_eq!(checked.of(dudley_parser::Severity::Error).count(), 0, "{sizes:?}: {text}");
            assert!(label != [0; 4] || text.contains("u1[3] @"), "{sizes:?}: {text}");
        }
    }
}

#[test]
fn references_end() {
    for tree in [
        "a: {$ref: '#/a'}",
        "a: {$ref: '#/b'}\nb: {$ref: '#/a'}",
        "a: {b: {$ref: '#/a'}}",
        "a: {$ref: '#/a/b'}",
        "a: {$ref: '#'}",
    ] {
        let file = open(file(tree, &[]));
        let value = file.root().and_then(|root| root.value());
        assert!(
            matches!(
                value,
                Err(Error::EndlessReference { .. }
                    | Error::NoSuchNode { .. }
                    | Error::CircularReference { .. }
                    | Error::Limit { .. })
            ),
            "{tree}: {value:?}"
        );
    }
    let good = open(file("a: [{x/y: {~: 7}}]\nb: {$ref: '#/a/0/x~1y/~0'}", &[]));
    assert_eq!(good.get("/b").expect("b").node().as_i64(), Some(7));
    assert!(good.get("/b/c").is_err());
}

#[test]
fn files_that_name_each_other_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, tree: &str, blocks: &[Vec<u8>]| {
        std::fs::write(folder.path().join(name), file(tree, blocks)).expect("a file");
    };
    write("a.asdf", "x: {$ref: 'b.asdf#/x'}\ny: {$ref: 'b.asdf#/y'}", &[]);
    write("b.asdf", "x: {$ref: 'a.asdf#/x'}\ny: [1, {$ref: '#/z'}]\nz: 5", &[]);
    let exploded =
        "!core/ndarray-1.1.0 {source: block.asdf, datatype: uint8, byteorder: big, shape: [3]}";
    write("c.asdf", &format!("a: {exploded}\nb: {}", exploded.replace("block", "../block")), &[]);
    write("block.asdf", "{}", &[plain(b"abc")]);
    let a = AsdfFile::open(folder.path().join("a.asdf")).expect("it opens");
    assert!(matches!(a.get("/x"), Err(Error::EndlessReference { .. })));
    assert_eq!(a.get("/y/1").expect("followed").node().as_i64(), Some(5));
    let c = AsdfFile::open(folder.path().join("c.asdf")).expect("it opens");
    assert_eq!(
        c.array("/a").expect("an array").read::<u8>().expect("read").as_slice(),
        Some(&b"abc"[..])
    );
    assert!(matches!(c.array("/b").expect("an array").data(), Err(Error::External { .. })));
    // In memory there is no folder.
    let bytes = std::fs::read(folder.path().join("c.asdf")).expect("a file");
    assert!(matches!(
        open(bytes).array("/a").expect("an array").data(),
        Err(Error::External { .. })
    ));
}

#[test]
fn broken_chains_are_taken_up_again() {
    let codes = |bytes: Vec<u8>| -> Vec<Code> {
        let report = open(bytes).verify().expect("walked");
        report.findings.iter().map(|found| found.code).collect()
    };
    let tree = format!("a: {}\nb: {}", array(0, "shape: [3]"), array(-1, "shape: [3]"));
    let of = |blocks: &[Vec<u8>]| file(&tree, blocks);
    let (a, b) = (plain(b"abc"), plain(b"def"));
    let b_is_read = |bytes: Vec<u8>| {
        let read = open(bytes).array("/b").and_then(|array| array.read::<u8>());
        read.expect("b").as_slice() == Some(&b"def"[..])
    };
    // Bytes between blocks.
    let gap = of(&[a.clone(), b"junk".to_vec(), b.clone()]);
    assert_eq!(codes(gap.clone()), [Code::NotAdjacent]);
    assert!(b_is_read(gap));
    // More used than is set aside.
    let sizes = of(&[block(&[0; 4], [2, 3, 3], b"abc"), b.clone()]);
    assert_eq!(codes(sizes.clone()), [Code::BadHeader]);
    assert!(b_is_read(sizes.clone()));
    assert!(matches!(open(sizes).array("/a").and_then(|a| a.data()), Err(Error::Block { .. })));
    // Data beyond the end of the file, though blocks follow.
    let long = of(&[block(&[0; 4], [1 << 40; 3], b"abc"), b.clone()]);
    assert_eq!(codes(long.clone()), [Code::Truncated]);
    assert!(b_is_read(long));
    // Room beyond the end of the file.
    let room = of(&[a.clone(), block(&[0; 4], [1 << 40, 3, 3], b"def")]);
    assert_eq!(codes(room.clone()), [Code::Overhang]);
    assert!(b_is_read(room));
    let room = of(&[block(&[0; 4], [1 << 40, 3, 3], b"abc"), b.clone()]);
    assert_eq!(codes(room.clone()), [Code::Overhang]);
    assert!(b_is_read(room));
    // Used and decoded sizes differ without compression; what is used counts.
    let differ = of(&[block(&[0; 4], [3, 3, 9], b"abc"), b.clone()]);
    assert_eq!(codes(differ.clone()), [Code::Sizes]);
    assert!(b_is_read(differ));
    // A compression that nobody knows.
    let unknown = of(&[block(b"none", [3; 3], b"abc"), b]);
    assert_eq!(codes(unknown.clone()), [Code::UnknownCompression]);
    assert!(b_is_read(unknown));
}
