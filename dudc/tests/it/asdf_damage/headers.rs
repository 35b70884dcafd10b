//! Headers of blocks that say what is not so: their block is doubtful, and no other one is lost.

use asdf_bridge::asdf::{Builder, NewArray};

use crate::asdf_damage::kit::{Asdf, Folder, sample};

/// The sample in `e.asdf`, and in `x.asdf` with other bytes in the header of a block.
fn damaged(right: &[u8], number: i64, field: usize, bytes: &[u8]) -> Folder {
    let folder = Folder::with(&[("e.asdf", right)]);
    let at = folder.open("e.asdf").block(number).expect("a block").address as usize + field;
    let mut wrong = right.to_vec();
    wrong[at..at + bytes.len()].copy_from_slice(bytes);
    folder.write("x.asdf", wrong);
    folder
}

#[test]
fn a_header_that_says_it_is_too_long_swallows_no_blocks() {
    for index in [true, false] {
        for lengths in [[100, 12, 12, 12], [4, 25, 25, 300]] {
            let whole = sample(&lengths, index);
            let bits = [0, 6, 7, 8, 10, 12, 15];
            for (number, bit) in (0..4).flat_map(|number| bits.map(|bit| (number, bit))) {
                let size: u16 = 48 ^ (1 << bit);
                let folder = damaged(&whole, number, 4, &size.to_be_bytes());
                let what = format!("{lengths:?} {index}: {size} in {number}");
                let path = ["/a", "/b", "/c", "/d"][number as usize];
                let said = folder.ends(1, "salvage x.asdf y.asdf");
                assert!(said.contains("lost     0"), "{what}: {said}");
                assert!(said.contains(&format!("\n  {path}: ")), "{what}: {said}");
                assert_eq!(folder.done("diff e.asdf y.asdf --ignore /salvaged_doubtful*"), "");
                let said = folder.run(&format!("get x.asdf {path}[0:3]"));
                assert!(said.err.contains(path), "{what}: {said:?}");
            }
        }
    }
}

/// The size of the data is wrong too, so that nothing tells where the block ends but what is found in the header.
#[test]
fn blocks_within_a_header_that_is_too_long_are_found() {
    for index in [true, false] {
        let whole = sample(&[100, 12, 12, 12], index);
        let folder = damaged(&whole, 0, 4, &1072_u16.to_be_bytes());
        let mut bytes = folder.bytes("x.asdf");
        let at = folder.open("e.asdf").block(0).expect("a block").address as usize;
        for size in [14, 22, 30] {
            bytes[at + size..at + size + 8].copy_from_slice(&790_u64.to_be_bytes());
        }
        folder.write("x.asdf", bytes);
        let said = folder.ends(1, "salvage x.asdf y.asdf");
        assert!(said.contains("lost     1\n  /a: "), "{said}");
        assert!(said.contains("\n  /a: the header of its block states a size"), "{said}");
        for path in ["/b", "/c", "/d"] {
            assert_eq!(folder.done(&format!("diff e.asdf y.asdf {path}")), "");
        }
    }
}

#[test]
fn a_last_block_that_reaches_out_of_the_file_is_doubtful() {
    for (index, digests) in [(true, true), (true, false), (false, true), (false, false)] {
        let file = Builder::new()
            .put("a", NewArray::from(vec![1_i32; 8]))
            .put("b", NewArray::from(vec![2_i32; 8]));
        let right = file.digests(digests).index(index).align(1).to_bytes().expect("a file");
        let at = |bytes: &[u8]| bytes.windows(4).rposition(|at| at == b"\xd3BLK").expect("a block");
        // A byte of its header is lost.
        let lost = [&right[..at(&right) + 10], &right[at(&right) + 11..]].concat();
        let sizes = |size: u64| {
            let mut bytes = right.clone();
            bytes[at(&right) + 14..at(&right) + 38]
                .copy_from_slice(&[size.to_be_bytes(); 3].concat());
            bytes
        };
        // A digest would be taken for a part of the sizes.
        let lost = Some(lost).filter(|_| !digests);
        for bytes in lost.into_iter().chain([sizes(8192), sizes(1 << 63)]) {
            let folder = Folder::with(&[("x.asdf", &bytes)]);
            assert!(folder.finds("verify x.asdf").contains("error[truncated]"));
            let said = folder.ends(1, "salvage x.asdf y.asdf");
            assert!(said.contains("doubtful 1\n  /b: its data reach beyond the end"), "{said}");
            for words in ["get x.asdf /b", "stat x.asdf /b", "convert x.asdf b.npy /b[1:] --force"]
            {
                let said = folder.run(words);
                assert!(said.err.contains("`/b`: its data reach beyond"), "{words}: {said:?}");
            }
            assert_eq!(folder.run("get x.asdf /a").err, "");
        }
        // What is cut off is there as far as it goes, but nothing says that it was cut off.
        if !index {
            let folder = Folder::with(&[("x.asdf", &right[..right.len() - 1])]);
            let said = folder.ends(1, "salvage x.asdf");
            assert!(said.contains("lost     1") && said.contains("doubtful 1\n  /b: "), "{said}");
        }
    }
}

#[test]
fn room_that_is_missing_behind_the_last_data_is_no_matter() {
    let folder = Folder::empty();
    let file = Builder::new().put("a", NewArray::from(vec![1_i32; 8]));
    let file = file.digests(false).index(false).padding(asdf_bridge::asdf::Padding::bytes(100));
    let bytes = file.to_bytes().expect("a file");
    folder.write("a.asdf", &bytes);
    let end = folder.open("a.asdf").block(0).expect("a block").data.end as usize;
    folder.write("a.asdf", &bytes[..end]);
    assert!(folder.ends(0, "verify a.asdf").contains("warning[overhang]"));
    folder.ends(0, "salvage a.asdf");
    assert_eq!(folder.run("get a.asdf /a").err, "");
}

#[test]
fn a_streamed_block_is_not_compressed() {
    let folder = damaged(&sample(&[4], false), 0, 6, b"\0\0\0\x01zlib");
    let said = folder.ends(1, "verify x.asdf");
    assert!(said.contains("no compression of a streamed block, found `zlib`"), "{said}");
    let read = folder.run("get x.asdf /a").err;
    assert!(read.contains("its streamed block"), "{read}");
    assert!(folder.ends(1, "salvage x.asdf y.asdf").contains("\n  /a: "));
}

/// A file with a streamed block of rows of three floats, whose header says this of its size.
fn stream(rows: u8, header: u16) -> Vec<u8> {
    let array =
        "!core/ndarray-1.1.0 {source: -1, datatype: float64, byteorder: little, shape: ['*', 3]}";
    let tree = format!("#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n---\na: {array}\n...\n");
    let mut bytes = tree.into_bytes();
    bytes.extend(b"\xd3BLK");
    bytes.extend(header.to_be_bytes());
    bytes.extend(b"\0\0\0\x01");
    bytes.extend([0; 44]);
    bytes.extend((0..rows * 3).flat_map(|value| f64::from(value).to_le_bytes()));
    bytes
}

#[test]
fn a_streamed_block_whose_header_is_too_long_begins_where_its_rows_do() {
    for (rows, sizes) in
        [(3, &[49, 50, 52, 56, 60, 112, 304, 32816][..]), (0, &[49, 72]), (80, &[49, 56, 304])]
    {
        let right = stream(rows, 48);
        for size in sizes {
            let folder = Folder::with(&[("e.asdf", &right), ("x.asdf", &stream(rows, *size))]);
            let said = folder.ends(1, "verify x.asdf");
            let wanted = format!("expected a header of 48 bytes, found {size}, which is not where");
            assert!(said.contains(&wanted), "{rows} {size}: {said}");
            let said = folder.ends(1, "salvage x.asdf y.asdf");
            assert!(said.contains("lost     0") && said.contains("\n  /a: "), "{said}");
            assert_eq!(folder.done("diff e.asdf y.asdf --ignore /salvaged_doubtful*"), "");
        }
        // Without it, or with what nobody can tell from rows, it is taken at its word.
        let longer = [&stream(rows, 52)[..], &[0; 4]].concat();
        for bytes in [right, longer, stream(rows.max(1), 72)] {
            let folder = Folder::with(&[("x.asdf", &bytes)]);
            assert!(!folder.done("verify x.asdf").contains("bad-header"));
        }
    }
}
