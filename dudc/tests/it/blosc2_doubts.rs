//! The built binary on Blosc2 frames that can be read, though something speaks against what is read: entries of the
//! index, checksums, the type.

use crate::kit::Folder;
use asdf_bridge::blosc2::{Codec, Encoding, Frame, NewArray, NewFrame, Place};

/// An array of 400 numbers in four chunks, with checksums if that is requested.
fn array(folder: &Folder, name: &str, checksums: bool) {
    let new = NewArray::of::<i64>(&[400]).expect("known").chunks(&[100]).blocks(&[50]);
    let new = new.encoding(Encoding::new(8).codec(Codec::Lz4)).checksums(checksums);
    let mut writer = new.file(folder.path(name), false).expect("begun");
    writer.write_elements(&(0..400_i64).map(|at| at * at).collect::<Vec<_>>()).expect("written");
    writer.finish().expect("complete");
}

/// A frame with one entry of its index changed.
fn with(folder: &Folder, from: &str, to: &str, change: impl Fn(&mut [u64])) {
    let (whole, frame) = (folder.bytes(from), Frame::open(folder.path(from)).expect("a frame"));
    let place = |number| match frame.place(number) {
        Ok(Place::Stored(at)) => at,
        other => panic!("{other:?}"),
    };
    let mut entries: Vec<u64> = (0..frame.chunk_count()).map(place).collect();
    change(&mut entries);
    let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_le_bytes()).collect();
    let index = Encoding::new(8).level(0).chunk(&bytes).expect("a chunk");
    let range = frame.index_range();
    let mut bytes = [&whole[..range.start as usize], &index, &whole[range.end as usize..]].concat();
    let length = bytes.len() as u64;
    bytes[16..24].copy_from_slice(&length.to_be_bytes());
    folder.write(to, bytes);
}

/// What a command says beside its result.
#[track_caller]
fn warned(folder: &Folder, words: &str) -> String {
    let said = folder.run(words);
    assert_eq!(said.status, 0, "{words}: {}", said.err);
    said.err
}

#[test]
fn entries_of_the_index_that_are_wrong_are_told_by_who_reads() {
    let folder = Folder::empty();
    array(&folder, "a.b2nd", false);
    with(&folder, "a.b2nd", "two.b2nd", |entries| entries[2] = entries[1]);
    with(&folder, "a.b2nd", "bits.b2nd", |entries| entries[1] = 0x81 << 56 | 7);
    for (name, what) in [("two.b2nd", "once more"), ("bits.b2nd", "0x8100000000000007")] {
        let readers = [
            "convert two.b2nd o.b2nd --force",
            "convert two.b2nd o.npy --force",
            "convert two.b2nd o.bd --force",
            "convert two.b2nd o.npz /data --force",
            "convert two.b2nd p.b2nd /data[10:20] --force",
            "get two.b2nd /data -o g.npy --force",
            "get two.b2nd /data[10:20] -o h.npy --force",
            "get two.b2nd /data",
            "ls two.b2nd",
            "dump two.b2nd",
            "dump two.b2nd /data",
            "stat two.b2nd",
            "stat two.b2nd /data",
        ];
        for words in readers {
            let words = words.replace("two.b2nd", name);
            let said = warned(&folder, &words);
            assert_eq!(said.matches(what).count(), 1, "{words}: {said}");
            assert!(said.contains("warning: ") && said.contains(name), "{words}: {said}");
        }
        // No new checksums make right what may not be, unless that is said.
        let said = warned(&folder, &format!("convert {name} c.b2nd --checksums --force"));
        assert!(said.contains("no checksums are written"), "{said}");
        assert!(!folder.done("ls c.b2nd").contains("dudley.crc32c"));
        let frame = Frame::open(folder.path(name)).expect("a frame");
        let written = |checksums: bool, unchecked: bool| {
            let new = NewFrame::like(&frame).expect("known").checksums(checksums);
            let mut writer = new.unchecked(unchecked).memory().expect("begun");
            writer.write_frame(&frame)
        };
        let refused = written(true, false).expect_err("a wrong entry");
        assert!(refused.to_string().contains(what), "{refused}");
        written(false, false).and(written(true, true)).expect("taken as it is");
        warned(&folder, &format!("convert {name} c.b2nd --checksums=renew --force"));
        assert!(folder.done("ls c.b2nd").contains("dudley.crc32c"));
        // What is no matter of the data.
        assert_eq!(warned(&folder, &format!("stat {name} /meta/b2nd")), "");
    }
    for words in [
        "convert a.b2nd o.b2nd --checksums --force",
        "get a.b2nd /data",
        "stat a.b2nd",
        "ls a.b2nd",
        "dump a.b2nd",
        "dump two.b2nd /data[:10]",
        "dump two.b2nd /meta/b2nd",
    ] {
        assert_eq!(warned(&folder, words), "", "{words}");
    }
}

#[test]
fn a_type_that_does_not_fit_the_elements_is_told() {
    let folder = Folder::empty();
    array(&folder, "a.b2nd", true);
    let whole = folder.bytes("a.b2nd");
    let at = whole.windows(3).position(|part| part == b"<i8").expect("its type");
    let mut bytes = whole.clone();
    bytes[at + 2] = b'4';
    folder.write("bad.b2nd", bytes);
    let expected = "expected a dtype of 8 bytes, as elements have, found `<i4` of 4";
    // The bytes are kept, and what nobody could read them as is not.
    let said = folder.finds("salvage bad.b2nd rest.b2frame");
    assert!(said.contains("kept     4 of 4 chunks\nlost     1\n  /meta/b2nd: "), "{said}");
    assert!(said.contains(expected), "{said}");
    folder.done("verify rest.b2frame");
    let read = |name: &str| Frame::open(folder.path(name)).and_then(|frame| frame.read());
    assert_eq!(read("rest.b2frame").expect("a frame"), read("a.b2nd").expect("a frame"));
    for words in [
        "convert bad.b2nd o.b2nd",
        "convert bad.b2nd o.b2frame",
        "convert bad.b2nd o.b2nd /data[5:9]",
    ] {
        let said = folder.fails(words, 1);
        assert!(said.contains("bad.b2nd: ") && said.contains(expected), "{words}: {said}");
        assert!(said.contains("dudc salvage") && !said.contains("o.b2"), "{words}: {said}");
    }
    for words in [
        "convert bad.b2nd o.npy",
        "convert bad.b2nd o.bd",
        "convert bad.b2nd o.asdf",
        "get bad.b2nd /data",
        "get bad.b2nd /data[5]",
        "dump bad.b2nd",
        "dump bad.b2nd /data[5]",
        "stat bad.b2nd",
        "ls bad.b2nd",
        "ls bad.b2nd --format json",
    ] {
        let said = warned(&folder, words);
        assert_eq!(said.matches(expected).count(), 1, "{words}: {said}");
        assert!(said.contains("elements are read as bytes"), "{words}: {said}");
    }
}

#[test]
fn a_checksum_that_does_not_fit_is_told_where_an_array_is_written() {
    let folder = Folder::empty();
    array(&folder, "a.b2nd", true);
    assert_eq!(warned(&folder, "get a.b2nd /data -o a.npy"), "");
    let at = Frame::open(folder.path("a.b2nd")).and_then(|frame| frame.chunk_address(1));
    let at = at.expect("right").expect("stored") as usize;
    // The last bytes of a block are such as they are stored.
    let whole = folder.bytes("a.b2nd");
    let damaged = (at + 40..at + 800).find(|at| {
        let mut bytes = whole.clone();
        bytes[*at] ^= 1;
        folder.write("bad.b2nd", bytes);
        folder.run("get bad.b2nd /data").status == 0
    });
    damaged.expect("some byte decodes");
    let said = warned(&folder, "get bad.b2nd /data -o b.npy");
    assert!(said.starts_with("warning: bad.b2nd: chunk 1: "), "{said}");
    assert!(said.contains("bytes of the CRC-32C"), "{said}");
    folder.fails("convert bad.b2nd c.npy", 1);
}

#[test]
fn sizes_that_no_reader_needs_are_compared() {
    let folder = Folder::empty();
    let encoding = Encoding::new(4).codec(Codec::Lz4);
    let new = NewFrame::new(encoding).meta("a", b"\x01").vlmeta("bc", b"\x02");
    let mut writer = new.file(folder.path("a.b2frame"), false).expect("begun");
    writer.write(&[7; 4000]).expect("written");
    writer.finish().expect("complete");
    folder.done("verify a.b2frame");
    let whole = folder.bytes("a.b2frame");
    let maps: Vec<usize> =
        (0..whole.len() - 2).filter(|at| whole[*at..].starts_with(b"\x93\xcd\0")).collect();
    assert_eq!(maps.len(), 2);
    for (map, what, size) in [(maps[0], "/meta", 14), (maps[1], "/vlmeta", 14)] {
        let mut bytes = whole.clone();
        bytes[map + 3] ^= 0x10;
        folder.write("bad.b2frame", bytes);
        let said = folder.finds("verify bad.b2frame");
        let told = format!("address {}: expected a map of {size} bytes", map + 2);
        assert!(said.contains(&told) && said.contains(what), "{said}");
        assert!(said.contains("1 error, 0 warnings"), "{said}");
    }
    let mut bytes = whole.clone();
    bytes[51] = 8;
    folder.write("bad.b2frame", bytes);
    let said = folder.done("verify bad.b2frame");
    assert!(said.contains("warning[typesize]") && said.contains(" 48 "), "{said}");
    assert!(said.contains("expected elements of 4 bytes, as those of chunk 0, found 8"), "{said}");
}
