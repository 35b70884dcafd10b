//! Files whose blocks do not stand one behind the other.

use std::path::Path;

use asdf_bridge::asdf::{AsdfFile, Error, NewArray, Result, Update, Updated};

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
