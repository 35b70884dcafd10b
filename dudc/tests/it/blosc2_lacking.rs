//! The built binary on Blosc2 files of which something lacks: files of a sparse frame, the end of a chunk or of a frame.

use crate::kit::Folder;
use asdf_bridge::blosc2::{Codec, Encoding, Frame, NewArray, NewFrame};

/// This many numbers that do not compress well.
fn numbers(count: u32) -> Vec<u32> {
    (0..count).map(|at| at.wrapping_mul(2_654_435_761) >> 16).collect()
}

fn bytes(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn encoding() -> Encoding {
    Encoding::new(4).codec(Codec::Lz4).blocksize(400)
}

/// A sparse frame of 400 numbers, in chunks of 100.
fn sparse(folder: &Folder, name: &str) {
    let new = NewArray::of::<u32>(&[400]).expect("known").chunks(&[100]).blocks(&[25]);
    let new = new.encoding(Encoding::new(4).codec(Codec::Lz4)).vlmeta("unit", b"\xa1K");
    let mut writer = new.folder(folder.path(name)).expect("begun");
    writer.write_elements(&numbers(400)).expect("written");
    writer.finish().expect("complete");
}

fn remove(folder: &Folder, name: &str) {
    std::fs::remove_file(folder.path(name)).expect("gone");
}

#[test]
fn a_file_that_lacks_is_no_matter_of_checksums() {
    let folder = Folder::empty();
    sparse(&folder, "a");
    folder.done("convert a b --to b2nd --sparse --checksums");
    remove(&folder, "b/00000002.chunk");
    // Nothing could be read of it, however it is taken.
    for words in
        ["convert b o.b2nd", "diff a b", "diff b a", "dump b", "stat b", "ls b", "get b /data"]
    {
        let said = folder.fails(words, 3);
        assert!(said.contains("00000002.chunk`: No such file"), "{words}: {said}");
        assert!(!said.contains("--checksums"), "{said}");
    }
    folder.finds("verify b");
}

#[test]
fn chunks_without_their_index_are_salvaged() {
    let folder = Folder::empty();
    sparse(&folder, "a");
    let elements = bytes(&numbers(400));
    remove(&folder, "a/chunks.b2frame");
    for words in [
        "ls a",
        "get a /data",
        "dump a",
        "stat a",
        "verify a",
        "describe a",
        "diff a a",
        "convert a o.b2nd",
        "convert a o.bd",
        "convert a o.npy",
    ] {
        let said = folder.fails(words, 3);
        assert!(said.contains("chunks.b2frame`: No such file"), "{words}: {said}");
        assert!(said.contains("help: this file has the header and the index"), "{said}");
    }
    let said = folder.finds("salvage a rest");
    assert!(said.contains("kept     4 of 4 chunks\nlost     1\n  /meta: "), "{said}");
    folder.done("verify rest");
    let read = |name: &str| Frame::open(folder.path(name)).and_then(|frame| frame.read());
    assert_eq!(read("rest").expect("a frame"), elements);
    // One of the files lacks too, and another is cut.
    remove(&folder, "a/00000001.chunk");
    let third = folder.bytes("a/00000002.chunk");
    folder.write("a/00000002.chunk", &third[..third.len() - 10]);
    let said = folder.finds("salvage a some");
    assert!(said.contains("kept     2 of 4 chunks\nlost     3\n"), "{said}");
    assert!(said.contains("  /data[400:800]: chunk 1: "), "{said}");
    assert!(said.contains("; 3 of 4 blocks are kept"), "{said}");
    let some = read("some").expect("a frame");
    assert!(some[..400] == elements[..400] && some[400..800].iter().all(|byte| *byte == 0));
    assert!(some[800..1100] == elements[800..1100] && some[1200..] == elements[1200..]);
    // The index is there, but damaged.
    sparse(&folder, "c");
    let index = folder.bytes("c/chunks.b2frame");
    folder.write("c/chunks.b2frame", &index[..index.len() - 60]);
    let said = folder.finds("salvage c d");
    assert!(said.contains("kept     4 of 4 chunks"), "{said}");
    assert_eq!(read("d").expect("a frame"), elements);
    // A folder with nothing of a frame is none, and one of which nothing can be read is said to be so.
    folder.write("e/0000000.chunk", b"");
    folder.fails("salvage e f", 3);
    folder.write("e/00000000.chunk", b"");
    let said = folder.fails("salvage e f", 1);
    assert!(said.contains("expected a chunk whose header can be read"), "{said}");
}

#[test]
fn chunks_without_a_frame_are_salvaged() {
    let folder = Folder::empty();
    let elements = bytes(&numbers(400));
    let stored = encoding().chunk(&elements).expect("a chunk");
    let length = stored.len();
    let read = |name: &str| Frame::open(folder.path(name)).and_then(|frame| frame.read());
    folder.write("a.chunk", &stored);
    assert!(folder.done("salvage a.chunk a.b2frame").contains("lost     0"));
    assert_eq!(read("a.b2frame").expect("a frame"), elements);
    // With something behind it.
    folder.write("a.chunk", [&stored[..], b"hello"].concat());
    let said = folder.done("verify a.chunk");
    assert!(said.contains("5 bytes follow the chunk") && said.lines().count() == 2, "{said}");
    assert!(folder.done("salvage a.chunk b.b2frame").contains("lost     0"));
    assert_eq!(read("b.b2frame").expect("a frame"), elements);
    folder.done("dump --hex a.chunk");
    // Cut off: how much is there is reported wherever it is read.
    folder.write("a.chunk", &stored[..length - 20]);
    let there = format!("of {length} bytes, of which the first {} are there", length - 20);
    for words in [
        "ls a.chunk",
        "get a.chunk /data",
        "dump a.chunk",
        "dump --hex a.chunk",
        "stat a.chunk",
        "describe a.chunk",
        "convert a.chunk o.npy",
        "verify a.chunk",
    ] {
        let said = folder.finds(words);
        assert!(said.contains(&there), "{words}: {said}");
    }
    let said = folder.finds("salvage a.chunk c.b2frame");
    assert!(
        said.contains("kept     0 of 1 chunks\nlost     1\n  /data[0:1600]: chunk 0: "),
        "{said}"
    );
    assert!(said.contains("; 3 of 4 blocks are kept"), "{said}");
    let some = read("c.b2frame").expect("a frame");
    assert!(some[..1200] == elements[..1200] && some[1200..].iter().all(|byte| *byte == 0));
    folder.write("a.chunk", &stored[..40]);
    let said = folder.finds("salvage a.chunk d.b2frame");
    assert!(said.contains("lost     1\n  /data[0:1600]: chunk 0: "), "{said}");
    // A block of a chunk that is whole else.
    let mut damaged = stored;
    damaged[length - 40..].fill(0xff);
    folder.write("a.chunk", damaged);
    assert!(folder.finds("salvage a.chunk").contains("of 4 blocks are kept"));
}

#[test]
fn the_last_chunk_of_a_frame_that_is_cut_keeps_its_blocks() {
    let folder = Folder::empty();
    let elements = bytes(&numbers(400));
    let mut writer = NewFrame::new(encoding()).chunksize(800).memory().expect("begun");
    writer.write(&elements).expect("written");
    let whole = writer.finish_bytes().expect("complete");
    let frame = Frame::from_source(whole.clone()).expect("a frame");
    let end = frame.index_range().start as usize;
    folder.write("cut.b2frame", &whole[..end - 20]);
    let said = folder.finds("salvage cut.b2frame rest.b2frame");
    assert!(said.contains("  /data[800:1600]: chunk 1: "), "{said}");
    assert!(said.contains("; 1 of 2 blocks are kept"), "{said}");
    let rest = Frame::open(folder.path("rest.b2frame")).and_then(|frame| frame.read());
    let rest = rest.expect("a frame");
    assert!(rest[..1200] == elements[..1200] && rest[1200..].iter().all(|byte| *byte == 0));
}

#[test]
fn chunks_of_any_size_that_are_lost_are_named_once() {
    let folder = Folder::empty();
    let mut writer = NewFrame::new(encoding()).variable().memory().expect("begun");
    for count in [100, 40, 70, 90] {
        writer.write(&bytes(&numbers(count))).expect("written");
    }
    let whole = writer.finish_bytes().expect("complete");
    let frame = Frame::from_source(whole.clone()).expect("a frame");
    let address = |number| frame.chunk_address(number).expect("right").expect("stored") as usize;
    let mut damaged = whole.clone();
    damaged[address(1) + 3] = 0;
    folder.write("bad.b2frame", damaged);
    let said = folder.finds("salvage bad.b2frame a.b2frame");
    assert!(said.contains("lost     1\n  /chunks/1: header of the chunk"), "{said}");
    // Of those that are missing at the end the header says how many bytes they have, and nothing says more.
    folder.write("cut.b2frame", &whole[..address(2)]);
    let said = folder.finds("salvage cut.b2frame b.b2frame");
    assert!(said.contains("kept     2 of 2 chunks that are there"), "{said}");
    let told =
        "expected chunks of 1200 decoded bytes, found 2 of 560, 640 less, in nobody knows how many";
    assert!(said.contains(told), "{said}");
    folder.write("cut.b2frame", &whole[..address(3) + 50]);
    let said = folder.finds("salvage cut.b2frame c.b2frame");
    assert!(said.contains("found 3 of 840, 360 less"), "{said}");
    let made = Frame::open(folder.path("c.b2frame")).and_then(|frame| frame.read());
    let parts = [100, 40, 70].map(|count| bytes(&numbers(count)));
    assert_eq!(made.expect("a frame"), parts.concat());
}
