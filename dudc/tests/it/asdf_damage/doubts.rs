//! Values that may be wrong are not shown as if they were right.

use asdf_bridge::asdf::{Builder, Code, Compression, NewArray};
use serde_json::json;

use crate::asdf_damage::kit::{Asdf, Folder};

/// A file with a compressed array `x` of 100,000 numbers, `y` of two, and a list of such.
fn sample(compression: Compression, digests: bool) -> Vec<u8> {
    let x: Vec<u32> = (0..100_000_u32).map(|at| at.wrapping_mul(at) >> 7).collect();
    let file = Builder::new()
        .put("x", NewArray::from(x).compressed(compression))
        .put("y", NewArray::from(vec![1.5, 2.5]));
    file.digests(digests).to_bytes().expect("a file")
}

#[test]
fn what_comes_out_of_damaged_data_is_doubtful_with_and_without_a_digest() {
    let folder = Folder::empty();
    for (compression, digests) in [(Compression::zlib(6), true), (Compression::zlib(6), false)] {
        let label = compression.label();
        folder.write("a.asdf", sample(compression, digests));
        let mut bytes = folder.bytes("a.asdf");
        let block = folder.open("a.asdf").block(0).expect("a block");
        // In the middle: what follows is decompressed for a while.
        bytes[(block.data.start + block.used() / 2) as usize] ^= 0x10;
        folder.write("a.asdf", &bytes);
        let said = folder.ends(1, "salvage a.asdf b.asdf --force");
        assert!(said.contains("kept     1 arrays"), "{said}");
        assert!(said.contains("doubtful 1\n  /x: the data of its block are damaged"), "{said}");
        let file = folder.open("b.asdf");
        assert!(file.get("/x/lost").is_ok() && file.get("/x/doubtful").is_ok(), "{label:?}");
        assert!(file.text().comments.iter().any(|line| line.contains("salvaged: /x: ")));
        let doubts = file.get("/salvaged_doubtful").expect("it is said in the tree");
        assert!(doubts.node().get("/x").is_some());
        let json = folder.json("salvage a.asdf --format json");
        assert_eq!(json["doubtful"], json!(["/x"]));
        // Nor are there numbers of it.
        let said = folder.run("stat a.asdf");
        assert_eq!(said.status, 1);
        assert!(!said.out.contains("/x") && said.out.contains("/y"), "{}", said.out);
        assert!(said.err.contains("`/x`"), "{}", said.err);
        assert_eq!(
            folder.json("stat a.asdf --format json")["items"].as_array().map(Vec::len),
            Some(1)
        );
    }
}

/// What is decompressed at once when it is opened is no matter of the others.
#[test]
fn a_small_array_that_is_damaged_leaves_the_others_to_be_counted() {
    let folder = Folder::empty();
    let file = Builder::new()
        .put("x", NewArray::from((0..128_i64).collect::<Vec<_>>()).compressed(Compression::zlib(6)))
        .put("y", NewArray::from(vec![1.5, 2.5]));
    let mut bytes = file.to_bytes().expect("a file");
    folder.write("a.asdf", &bytes);
    let block = folder.open("a.asdf").block(0).expect("a block");
    bytes[block.data.start as usize + 60] ^= 4;
    folder.write("a.asdf", &bytes);
    let said = folder.run("stat a.asdf");
    assert_eq!(said.status, 1);
    assert!(!said.out.contains("/x") && said.out.contains("/y"), "{}", said.out);
    assert!(said.err.starts_with("error: a.asdf: `/x`: filter `zlib`"), "{}", said.err);
    folder.write("b.asdf", file.to_bytes().expect("a file"));
    let said = folder.ends(1, "diff b.asdf a.asdf");
    assert!(said.contains("`/x`: filter"), "{said}");
}

#[test]
fn what_is_cut_off_is_right_as_far_as_it_goes() {
    let folder = Folder::empty();
    let bytes = Builder::new()
        .put(
            "x",
            NewArray::from((0..50_000_i64).collect::<Vec<_>>()).compressed(Compression::zlib(1)),
        )
        .index(false)
        .to_bytes()
        .expect("a file");
    folder.write("cut.asdf", &bytes[..bytes.len() * 3 / 4]);
    let said = folder.ends(1, "salvage cut.asdf b.asdf");
    assert!(said.contains("rows are kept") && !said.contains("doubtful"), "{said}");
}

#[test]
fn a_digest_of_another_file_is_compared_too() {
    let folder = Folder::empty();
    let whole = Builder::new().put("x", NewArray::from(vec![1_u8, 2, 3]));
    whole.write_exploded(folder.path("a.asdf"), false).expect("written");
    let mut bytes = folder.bytes("a0000.asdf");
    let block = folder.open("a0000.asdf").block(0).expect("a block");
    bytes[block.data.start as usize] ^= 1;
    folder.write("a0000.asdf", &bytes);
    for (status, words) in [(0, "convert a.asdf b.asdf"), (1, "salvage a.asdf c.asdf")] {
        let said = folder.ends(status, words);
        assert!(said.contains("/x") && said.contains("the digest was made of"), "{said}");
    }
    let said = folder.ends(1, "verify a.asdf");
    assert!(said.contains("error[bad-digest]: `/x`, which is in `a0000.asdf`: expected"), "{said}");
    folder.write("a0000.asdf", &bytes[..block.data.end as usize - 1]);
    let said = folder.ends(1, "verify a.asdf");
    let expected = "error[bad-array]: `/x`: `a0000.asdf`, which the tree names: 3 bytes are needed";
    assert!(said.contains(expected), "{said}");
    folder.write("a0000.asdf", &bytes[..block.address as usize]);
    let said = folder.ends(1, "verify a.asdf");
    assert!(
        said.contains("`a0000.asdf`, which the tree names: block 0: expected a block"),
        "{said}"
    );
}

#[test]
fn salvage_says_by_its_status_whether_all_is_there() {
    let folder = Folder::empty();
    folder.write("a.asdf", sample(Compression::zlib(6), true));
    folder.ends(0, "salvage a.asdf b.asdf");
    folder.ends(0, "diff a.asdf b.asdf");
    let bytes = folder.bytes("a.asdf");
    let last = folder.open("a.asdf").block(1).expect("a block");
    // Without its index nothing is lost.
    folder.write("a.asdf", &bytes[..last.data.end as usize]);
    folder.ends(0, "salvage a.asdf");
    folder.write("a.asdf", &bytes[..last.data.end as usize - 1]);
    folder.ends(1, "salvage a.asdf");
}

#[test]
fn whatever_is_made_of_a_file_its_damage_is_said() {
    let folder = Folder::empty();
    let mut bytes = sample(Compression::zlib(6), true);
    folder.write("a.asdf", &bytes);
    let last = folder.open("a.asdf").block(1).expect("a block");
    let at = last.address as usize + 40;
    bytes[at] ^= 1;
    folder.write("a.asdf", &bytes);
    for out in ["o.asdf", "o.bd", "o.npz", "o"] {
        let said = folder.run(&format!("convert a.asdf {out}"));
        assert_eq!(said.status, 0, "{out}: {}", said.err);
        assert!(said.err.contains("the digest was made of"), "{out}: {}", said.err);
    }
}

#[test]
fn a_slice_of_damaged_data_is_said_as_the_whole_is() {
    let folder = Folder::empty();
    let mut bytes = sample(Compression::zlib(6), true);
    folder.write("a.asdf", &bytes);
    let last = folder.open("a.asdf").block(1).expect("a block");
    bytes[last.address as usize + 40] ^= 1;
    folder.write("a.asdf", &bytes);
    for out in ["o.asdf", "o.finf", "o.bd", "o.npz", "o.npy"] {
        for path in ["/y", "/y[:]", "/y[1:]"] {
            let said = folder.run(&format!("convert a.asdf {out} {path} --force"));
            assert_eq!(said.status, 0, "{out}: {}", said.err);
            assert!(said.err.contains("`/y`: the data of its block are not"), "{out}: {said:?}");
        }
        assert!(!folder.run(&format!("convert a.asdf {out} /x[:] --force")).err.contains("/y"));
    }
    let said = folder.run("get a.asdf /y -o y.npy");
    assert!(said.status == 0 && said.err.contains("the digest was made of"), "{said:?}");
}

#[test]
fn data_whose_compression_may_be_lost_are_doubtful() {
    let folder = Folder::empty();
    let mut bytes = sample(Compression::zlib(6), true);
    folder.write("a.asdf", &bytes);
    let label = folder.open("a.asdf").block(0).expect("a block").address as usize + 10;
    bytes[label..label + 4].fill(0);
    folder.write("a.asdf", &bytes);
    let said = folder.ends(1, "salvage a.asdf b.asdf");
    assert!(said.contains("rows are kept"), "{said}");
    assert!(
        said.contains("doubtful 1\n  /x: the header of its block has no compression"),
        "{said}"
    );
    assert!(folder.open("b.asdf").get("/x/doubtful").is_ok());
    let said = folder.ends(0, "convert a.asdf c.asdf");
    assert!(said.contains("has no compression") && said.contains("`/x`"), "{said}");
}

#[test]
fn blocks_that_may_have_other_numbers_are_doubtful() {
    let folder = Folder::empty();
    let array = |from: i32| NewArray::from((from..from + 10).collect::<Vec<i32>>());
    let whole = Builder::new().put("a", array(0)).put("b", array(10)).put("c", array(20));
    let bytes = whole.align(1).to_bytes().expect("a file");
    folder.write("e.asdf", &bytes);
    let blocks = folder.open("e.asdf");
    let at = |number| blocks.block(number).expect("a block").address as usize;
    folder.write("a.asdf", [&bytes[..at(0)], &bytes[at(1)..]].concat());
    let said = folder.ends(1, "salvage a.asdf");
    for path in ["/a", "/b"] {
        assert!(said.contains(&format!("  {path}: a block is damaged or lost")), "{said}");
    }
    for words in
        ["get a.asdf /a", "stat a.asdf /a", "convert a.asdf b.npy /a", "convert a.asdf b.bd /a[1:]"]
    {
        let said = folder.run(words);
        assert!(said.err.contains("`/a`: a block is damaged or lost"), "{said:?}");
    }
    let said = folder.ends(1, "verify a.asdf");
    assert!(said.contains("missing-block"), "{said}");
}

#[test]
fn a_byte_order_that_is_not_said_makes_values_doubtful() {
    let folder = Folder::empty();
    let bytes = sample(Compression::zlib(6), true);
    let old = b"byteorder";
    let at = bytes.windows(old.len()).position(|it| it == old).expect("a byte order");
    for other in ["bxteorder", "#yteorder"] {
        let mut bytes = bytes.clone();
        bytes[at..at + other.len()].copy_from_slice(other.as_bytes());
        folder.write("a.asdf", &bytes);
        let said = folder.ends(1, "verify a.asdf");
        assert!(said.contains("error[no-byteorder]: `/x`: expected a `byteorder`"), "{said}");
        assert_eq!(said.contains("warning[unknown-key]"), other == "bxteorder", "{said}");
        let said = folder.ends(1, "salvage a.asdf");
        assert!(said.contains("doubtful 1\n  /x: the tree does not say its byte order"), "{said}");
        for words in ["convert a.asdf b.asdf --force", "get a.asdf /x[:2]", "stat a.asdf /x"] {
            let said = folder.run(words);
            assert!(said.err.contains("`/x`: the tree does not say its byte order"), "{said:?}");
        }
    }
    // Single bytes have none.
    let head = "#ASDF 1.0.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";
    let array = "a: !core/ndarray-1.1.0 {source: 0, datatype: int8, shape: [1]}\n...\n";
    let mut bytes = format!("{head}{array}").into_bytes();
    let block = folder.bytes("b.asdf");
    let from = folder.open("b.asdf").block(0).expect("a block").address as usize;
    bytes.extend(&block[from..]);
    folder.write("a.asdf", &bytes);
    let report = folder.open("a.asdf").verify().expect("a report");
    assert_eq!(report.of(Code::NoByteOrder).count(), 0);
}

#[test]
fn a_key_of_a_field_that_is_not_known_makes_values_doubtful() {
    let folder = Folder::empty();
    let layout = "r = {p = <i2 %1 q = {s = >f8 %1 }%1 }%1[2]";
    let stream = dudley::Open::new().layout_text(layout).expect("a layout").raw();
    let stream = stream.bytes(vec![0; 20]).expect("a stream");
    let rows = stream.get("/r").and_then(|item| item.data()).expect("data");
    let rows = NewArray::data(&rows).expect("an array").block();
    let bytes = Builder::new().put("r", rows).to_bytes().expect("a file");
    folder.write("a.asdf", &bytes);
    folder.ends(0, "verify a.asdf");
    let text = String::from_utf8_lossy(&bytes).into_owned();
    // That of the array is another one.
    let fields = text.find("datatype").expect("a datatype");
    for (old, new) in [("byteorder", "byte0rder"), ("name: s", "nqme: s"), ("name: p", "nome: p")] {
        let at = fields + text[fields..].find(old).expect(old);
        let mut bytes = bytes.clone();
        bytes[at..at + new.len()].copy_from_slice(new.as_bytes());
        folder.write("a.asdf", &bytes);
        let said = folder.ends(0, "verify a.asdf");
        let key = new.split(':').next().expect("a key");
        let expected =
            format!("warning[unknown-key]: `/r`: expected the keys of a field, found `{key}`");
        assert!(said.contains(&expected), "{said}");
        let said = folder.ends(1, "salvage a.asdf");
        assert!(said.contains("doubtful 1\n  /r: the tree has a key for it"), "{said}");
        assert!(folder.run("convert a.asdf b.bd --force").err.contains("`/r`: the tree has a key"));
    }
}

#[test]
fn a_tree_that_is_cut_off_is_lost_in_part() {
    let folder = Folder::empty();
    folder.write("a.asdf", b"#ASDF 1.0.0\n%YAML 1.1\n--- {}\n...\n");
    folder.ends(0, "salvage a.asdf");
    folder.write("a.asdf", b"#ASDF 1.0.0\n%YAML 1.1\n---\na: 1\nb: ");
    folder.ends(1, "salvage a.asdf");
}

#[test]
fn parts_of_masked_arrays_are_not_counted_as_they_are_stored() {
    let folder = Folder::empty();
    let array = "{data: [1, -99, 5], datatype: int32, mask: -99}";
    let head = "#ASDF 1.0.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";
    folder.write("a.asdf", format!("{head}m: !core/ndarray-1.1.0 {array}\n...\n"));
    let said = folder.run("stat a.asdf /m[:]");
    assert!(said.status == 1 && said.err.contains("a part of a masked array"), "{said:?}");
    for out in ["o.bd", "o.npz", "o"] {
        let said = folder.run(&format!("convert a.asdf {out} /m[:]"));
        assert!(said.status == 1 && said.err.contains("has masked elements"), "{said:?}");
        assert!(!folder.path(out).exists());
        folder.done(&format!("convert a.asdf {out} /m[:] --fill stored"));
    }
}
