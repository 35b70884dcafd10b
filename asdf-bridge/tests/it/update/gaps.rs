//! Files whose blocks do not stand one behind the other: damaged ones, and what a crash has left.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use asdf_bridge::asdf::{
    AsdfFile, Builder, Code, Error, NewArray, Open, Padding, Result, Update, Updated,
};

use crate::update::disk::Disk;

/// Bytes of a block.
const BYTES: usize = 54 + 16;

/// A block of four numbers, which tell its own.
fn block(number: u64) -> Vec<u8> {
    let mut bytes = b"\xd3BLK\0\x30\0\0\0\0\0\0\0\0".to_vec();
    for size in [16_u64; 3] {
        bytes.extend(size.to_be_bytes());
    }
    bytes.extend([0; 16]);
    bytes.extend([number as u8; 16]);
    bytes
}

/// Four blocks with something between the second and the third, without an index; arrays name some of them.
fn with_gap(gap: &[u8], sources: &[i64]) -> Vec<u8> {
    let mut bytes = b"#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n\
        --- !core/asdf-1.1.0\n"
        .to_vec();
    for source in sources {
        let array = format!("{{source: {source}, datatype: uint8, byteorder: big, shape: [16]}}");
        bytes.extend(format!("a{source}: !core/ndarray-1.1.0 {array}\n").bytes());
    }
    bytes.extend(b"text: x\n...\n");
    for number in 0..4 {
        bytes.extend(block(number));
        if number == 1 {
            bytes.extend(gap);
        }
    }
    bytes
}

/// That arrays of a file are in the blocks that they name.
fn check(path: &Path, sources: &[i64]) {
    let file = AsdfFile::open(path).expect("a file");
    for source in sources {
        let array = file.array(&format!("/a{source}")).and_then(|array| array.read::<u8>());
        let array = array.unwrap_or_else(|error| panic!("a{source}: {error}"));
        assert!(array.iter().all(|it| i64::from(*it) == *source), "a{source}: {array}");
    }
}

/// Sets a text that takes more room than there is; the whole file is written in any case if `whole` says how.
fn set_text(path: &Path, whole: Option<bool>) -> Result<Updated> {
    let mut update = Update::open(path)?;
    if let Some(compact) = whole {
        update = update.whole(compact);
    }
    update.set("/text", "y".repeat(200).as_str())?;
    update.commit()
}

#[test]
fn blocks_behind_a_gap_stay() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.asdf");
    for gap in [&b"x".repeat(40)[..], &[0; 40], &[0; 5000], b"x"] {
        for sources in [&[0, 1, 2, 3][..], &[0, 1, 3], &[0, 2, 3], &[3], &[0, 1]] {
            for whole in [None, Some(false), Some(true)] {
                std::fs::write(&path, with_gap(gap, sources)).expect("space");
                let updated = set_text(&path, whole).expect("space");
                assert!(!updated.in_place);
                check(&path, sources);
                let file = AsdfFile::open(&path).expect("a file");
                assert_eq!(file.blocks().expect("readable").len(), 4);
                assert_eq!(file.get("/text").expect("it").node().as_str().map(str::len), Some(200));
            }
            // Written without what nothing names, blocks stand side by side.
            let report = AsdfFile::open(&path).expect("a file").check();
            assert!(report.expect("readable").is_clean());
        }
    }
}

#[test]
fn what_is_taken_out_behind_a_gap_frees_no_block() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.asdf");
    std::fs::write(&path, with_gap(&[0; 40], &[0, 1, 2, 3])).expect("space");
    for (key, free) in [("/a2", 0), ("/a0", 16)] {
        let mut update = Update::open(&path).expect("a file").whole(false);
        update.remove(key).expect("a key");
        update.commit().expect("space");
        check(&path, &[1, 3]);
        let mut update = Update::open(&path).expect("a file");
        update.set("/text", "z").expect("a key");
        update.commit().expect("space");
        let file = AsdfFile::open(&path).expect("a file");
        let block = file.block(key[2..].parse().expect("a number")).expect("a block");
        assert_eq!(16 - block.used(), free, "{key}");
    }
}

#[test]
fn arrays_are_added_behind_no_gap() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.asdf");
    for gap in [&b"x".repeat(40)[..], &[0; 40]] {
        let bytes = with_gap(gap, &[0, 3]);
        std::fs::write(&path, &bytes).expect("space");
        let mut update = Update::open(&path).expect("a file");
        let error = update.set("/new", NewArray::from(vec![1_u8])).expect_err("a gap").to_string();
        assert!(error.contains("block 2 at address"), "{error}");
        drop(update);
        assert!(std::fs::read(&path).expect("it is there") == bytes);
        // Once there is none, it goes.
        set_text(&path, Some(true)).expect("space");
        let mut update = Update::open(&path).expect("a file");
        update.set("/new", NewArray::from(vec![1_u8])).expect("a key");
        update.commit().expect("space");
        check(&path, &[0, 3]);
    }
}

#[test]
fn a_file_with_damaged_blocks_is_not_written_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.asdf");
    let whole = with_gap(b"", &[0, 1, 2, 3]);
    let third = whole.len() - 2 * BYTES;
    let mut wrong_sizes = whole.clone();
    wrong_sizes[third + 22] = 0xff;
    let cut_off = whole[..whole.len() - 5].to_vec();
    let no_last = [&whole[..third + BYTES], &[7; 30]].concat();
    for (bytes, why) in [(wrong_sizes, "block 2"), (cut_off, "block 3"), (no_last, "block 3")] {
        std::fs::write(&path, &bytes).expect("space");
        let error = set_text(&path, None).expect_err(why);
        assert!(matches!(error, Error::Block { .. }), "{error}");
        assert!(error.to_string().contains(why), "{error}");
        assert!(std::fs::read(&path).expect("it is there") == bytes);
        // In place nothing can be lost.
        let mut update = Update::open(&path).expect("a file");
        update.set("/text", "z").expect("a key");
        assert!(update.commit().expect("space").in_place);
        // Arrays would get numbers that others have.
        let mut update = Update::open(&path).expect("a file");
        assert!(update.set("/new", NewArray::from(vec![1_u8])).is_err(), "{why}");
    }
}

#[test]
fn nothing_is_added_in_place_where_blocks_are_counted_from_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.asdf");
    let bytes = with_gap(b"", &[-1]);
    // There is room for the longer tree.
    let tree = bytes.windows(5).position(|at| at == b"\n...\n").expect("an end") + 5;
    let bytes = [&bytes[..tree], &[b' '; 300], &bytes[tree..]].concat();
    std::fs::write(&path, &bytes).expect("space");
    let mut update = Update::open(&path).expect("a file");
    update.set("/new", NewArray::from(vec![1_u8])).expect("a key");
    // A reader that has the old tree meanwhile would find another block.
    assert!(!update.commit().expect("space").in_place);
    let file = AsdfFile::open(&path).expect("a file");
    let array = file.array("/a-1").and_then(|array| array.read::<u8>()).expect("an array");
    assert!(array.iter().all(|it| *it == 3));
}

/// What an update that adds three blocks writes: the file before it and after it, and where the blocks are.
fn added(lengths: [usize; 3]) -> (Vec<u8>, Vec<u8>, Vec<Range<usize>>) {
    let start = Builder::new().put("a", NewArray::from(vec![1_i32; 30]));
    let start = start.padding(Padding::bytes(4000)).to_bytes().expect("a file");
    let disk = Disk::new(start.clone()).sectors();
    let mut update = Update::storage(Arc::new(disk.clone())).expect("a file");
    for (name, length) in ["/b", "/c", "/d"].into_iter().zip(lengths) {
        update.set(name, NewArray::from(vec![2_i32; length])).expect("a key");
    }
    assert!(update.commit().expect("space").in_place);
    let end = disk.contents();
    let file = Open::new().bytes(end.clone()).expect("a file");
    let block = |number| {
        let block = file.block(number).expect("a block");
        block.address as usize..block.end() as usize
    };
    (start, end.clone(), (1..4).map(block).collect())
}

#[test]
fn what_a_crash_leaves_of_several_blocks_is_taken_away() {
    for lengths in [[300, 50, 200], [300, 300, 300], [1, 10, 1], [2000, 1, 1]] {
        let (start, end, blocks) = added(lengths);
        let text = Open::new().bytes(start.clone()).expect("a file").block(0).expect("one").end();
        // Of each block nothing, its header, its data, or all; and the file ends behind any of them.
        for written in 0..64_u32 {
            for last in 1..=3 {
                let mut left = start[..text as usize].to_vec();
                left.resize(blocks[last - 1].end, 0);
                for (number, block) in blocks[..last].iter().enumerate() {
                    let data = block.start + 54;
                    if written >> (2 * number) & 1 == 1 {
                        left[block.start..data].copy_from_slice(&end[block.start..data]);
                    }
                    if written >> (2 * number) & 2 == 2 {
                        left[data..block.end].copy_from_slice(&end[data..block.end]);
                    }
                }
                goes_on(left, written);
            }
        }
    }
}

/// That updates add blocks to what a crash has left, and that nothing stays between them.
fn goes_on(left: Vec<u8>, written: u32) {
    let disk = Disk::new(left).sectors();
    for (round, length) in [500, 7, 90].into_iter().enumerate() {
        let mut update = Update::storage(Arc::new(disk.clone())).expect("a file");
        let path = format!("/new{round}");
        let set = update.set(&path, NewArray::from(vec![round as i32; length]));
        set.unwrap_or_else(|error| panic!("{written:b}: {error}"));
        assert!(update.commit().expect("space").in_place);
        let file = Open::new().bytes(disk.contents()).expect("a file");
        let report = file.check().expect("readable");
        for code in [Code::NotAdjacent, Code::Junk, Code::BadIndex, Code::BadHeader] {
            assert_eq!(report.of(code).count(), 0, "{written:b}: {report:?}");
        }
        for at in 0..=round {
            let array = file.array(&format!("/new{at}")).expect("an array").read::<i32>();
            assert!(array.expect("readable").iter().all(|it| *it == at as i32));
        }
        assert_eq!(file.array("/a").expect("an array").read::<i32>().expect("readable").sum(), 30);
    }
}
