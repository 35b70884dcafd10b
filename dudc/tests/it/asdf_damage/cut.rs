//! Files that end too early, and headers that say too little of themselves.

use asdf_bridge::asdf::{Builder, Code, Datatype, NewArray, Open};
use dudley::{ByteOrder, Primitive};

use crate::asdf_damage::kit::{Asdf, Folder};

/// Two blocks and an index.
fn sample() -> Vec<u8> {
    let file = Builder::new()
        .comment("a small one")
        .put("x", NewArray::from(vec![1_u16, 2, 3]))
        .put("y", NewArray::from(vec![4_u8, 5]));
    file.align(1).to_bytes().expect("a file")
}

#[test]
fn wherever_a_file_is_cut_off_it_is_told() {
    let bytes = sample();
    let whole = Open::new().bytes(&*bytes).expect("it opens");
    assert!(whole.verify().expect("read").is_clean());
    let last = whole.block(1).expect("a block").data.end as usize;
    let folder = Folder::empty();
    for length in 0..bytes.len() {
        // The blocks without their index; and all but the end of the last line.
        let is_whole = length == last || length == bytes.len() - 1;
        let findings = match Open::new().bytes(&bytes[..length]) {
            Ok(file) => file.verify().expect("read").findings,
            Err(_) => {
                // It is not distinguished from other files any more.
                assert!(length < 8, "{length}");
                continue;
            }
        };
        assert_eq!(findings.is_empty(), is_whole, "{length}: {findings:?}");
        let near = findings.iter().any(|finding| finding.address <= length as u64);
        assert!(near || is_whole, "{length}: {findings:?}");
        if [8, 11, 12, 21, 33, 45].contains(&length) {
            folder.write("a.asdf", &bytes[..length]);
            // Behind a whole line there may be nothing.
            let status = i32::from(![12, 33].contains(&length));
            let said = folder.ends(status, "verify a.asdf");
            assert!(said.contains("warning["), "{length}: {said}");
            assert_eq!(said.contains("error[empty]"), status == 1, "{length}: {said}");
        }
    }
}

#[test]
fn a_first_header_of_zeros_is_missed_where_the_tree_tells() {
    let zeros = || NewArray::from(vec![0_u8; 40]);
    let file = Builder::new().put("a", zeros()).put("b", zeros()).put("c", zeros());
    let mut bytes = file.digests(false).index(false).align(1).to_bytes().expect("a file");
    let first = Open::new().bytes(&*bytes).and_then(|file| file.block(0)).expect("a block");
    bytes[first.address as usize..first.data.start as usize].fill(0);
    let folder = Folder::with(&[("a.asdf", &bytes)]);
    let said = folder.ends(1, "verify a.asdf");
    assert!(said.contains("error[not-adjacent]: expected block 2, which the tree names"), "{said}");
    let said = folder.ends(1, "salvage a.asdf b.asdf");
    assert!(said.contains("/a: a block is damaged or lost"), "{said}");
    // Padding is none.
    let file = Builder::new().put("a", zeros()).padding(asdf_bridge::asdf::Padding::percent(10));
    folder.write("p.asdf", file.index(false).to_bytes().expect("a file"));
    folder.ends(0, "verify p.asdf");
}

#[test]
fn a_header_that_says_it_is_too_short_is_read() {
    let right = sample();
    let folder = Folder::empty();
    for (index, short) in [(0, 47), (1, 47), (0, 0), (1, 12)] {
        let block = Open::new().bytes(&*right).and_then(|file| file.block(index)).expect("a block");
        let mut bytes = right.clone();
        bytes[block.address as usize + 5] = short;
        folder.write("a.asdf", &bytes);
        let file = folder.open("a.asdf");
        let report = file.verify().expect("read");
        let codes: Vec<Code> = report.findings.iter().map(|finding| finding.code).collect();
        assert_eq!(codes, [Code::BadHeader], "{report:?}");
        assert_eq!(file.block_data(0).expect("data"), [1, 0, 2, 0, 3, 0]);
        assert_eq!(file.block_data(1).expect("data"), [4, 5]);
        let said = folder.ends(0, "convert a.asdf b.asdf --force");
        assert!(said.contains(&format!("48 bytes or more, found {short}")), "{said}");
        folder.ends(0, "verify b.asdf");
    }
}

#[test]
fn a_part_of_a_row_behind_a_streamed_block_is_told() {
    let rows = NewArray::streamed(Datatype::Number(Primitive::I2, ByteOrder::Big), &[3]);
    let mut bytes = Builder::new()
        .put("rows", rows)
        .align(1)
        .begin(Vec::new())
        .and_then(|rows| rows.finish())
        .expect("a file");
    let start = bytes.len();
    bytes.extend([0, 1, 0, 2, 0, 3, 0, 4]);
    let folder = Folder::with(&[("a.asdf", &bytes)]);
    let said = folder.ends(0, "verify a.asdf");
    let expected = format!(
        "a.asdf: {} warning[partial-row]: block 0: `/rows`: expected rows of 6 bytes, found 2 behind the last",
        start + 6
    );
    assert!(said.starts_with(&expected), "{said}");
    assert_eq!(folder.done("get a.asdf /rows"), ">i2[1, 3]\n[[1, 2, 3]]\n");
    let left = "expected rows of 6 bytes, found 2 behind the last";
    for out in ["c.asdf", "c.bd", "c.npy"] {
        let said = folder.run(&format!("convert a.asdf {out}"));
        assert!(said.status == 0 && said.err.contains(left), "{out}: {said:?}");
    }
    let said = folder.ends(1, "salvage a.asdf");
    assert!(
        said.contains(&format!(
            "kept     1 arrays of the tree, 0 blocks without it\nlost     1\n  /rows: {left}"
        )),
        "{said}"
    );
    // A header that is too short.
    bytes[start - 48 - 1] = 40;
    folder.write("b.asdf", &bytes[..start + 6]);
    let said = folder.ends(1, "verify b.asdf");
    assert!(said.contains("error[bad-header]"), "{said}");
}

#[test]
fn much_data_of_few_bytes_is_never_in_memory() {
    // Streams of bzip2 behind each other are one: 1.5 GiB, of which the last 26 stored bytes are missing.
    let filters = asdf_bridge::filter::registry();
    let zeros = vec![0; 64 << 20];
    let part = filters.get("bzip2").and_then(|filter| filter.encode(&[], &zeros).ok());
    let stored = part.expect("encoded").repeat(24);
    let tree = "x: !core/ndarray-1.0.0 {source: 0, datatype: int8, byteorder: little, shape: [24, 67108864]}";
    let mut bytes = format!(
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.5.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---\n{tree}\n...\n"
    )
    .into_bytes();
    bytes.extend(b"\xd3BLK\0\x30\0\0\0\0bzp2");
    for size in [stored.len() as u64, stored.len() as u64, 24 * zeros.len() as u64] {
        bytes.extend(size.to_be_bytes());
    }
    bytes.extend([0; 16]);
    bytes.extend(&stored[..stored.len() - 26]);
    let folder = Folder::empty();
    folder.write("a.asdf", bytes);
    let said = folder.bounded("salvage a.asdf");
    assert_eq!(said.status, 1, "{said:?}");
    assert!(said.out.contains("; the first 23 of 24 rows are kept\n"), "{said:?}");
}
