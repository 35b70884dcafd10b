//! The built binary on damaged Blosc2 frames: what an index that is whole says of them, what is reported where none is,
//! and what entries of it and markers that are wrong are.

use crate::kit::Folder;
use asdf_bridge::blosc2::{Codec, Encoding, Frame, NewArray, Place};

/// An array of `<i4`, whose first three chunks of ten are zeros that only the index has.
fn array(folder: &Folder) -> Vec<i32> {
    let new = NewArray::of::<i32>(&[1000]).expect("known").chunks(&[100]).blocks(&[50]);
    let new = new.encoding(Encoding::new(4).codec(Codec::Lz4)).vlmeta("unit", b"\xa1K");
    let elements: Vec<i32> = (0..1000).map(|at| if at < 300 { 0 } else { at }).collect();
    let mut writer = new.file(folder.path("z.b2nd"), false).expect("begun");
    writer.write_elements(&elements).expect("written");
    writer.finish().expect("complete");
    elements
}

fn frame(folder: &Folder, name: &str) -> Frame {
    Frame::open(folder.path(name)).expect("a frame")
}

fn get(folder: &Folder, name: &str) -> Vec<i32> {
    let array = frame(folder, name).array().expect("right").expect("an array");
    array.read::<i32>().expect("i4").into_iter().collect()
}

#[test]
fn an_index_that_is_whole_is_used() {
    let folder = Folder::empty();
    let elements = array(&folder);
    let whole = folder.bytes("z.b2nd");
    folder.write("cut.b2nd", &whole[..whole.len() - 1]);
    let said = folder.finds("salvage cut.b2nd a.b2nd");
    assert!(said.contains("kept     10 of 10 chunks\nlost     1\n  /vlmeta: "), "{said}");
    assert!(!said.contains("doubtful") && !said.contains("in which they lie"), "{said}");
    assert_eq!(get(&folder, "a.b2nd"), elements);
    // A length that is wrong loses nothing.
    for (wrong, name) in [(1, "b.b2nd"), (0x10, "c.b2nd")] {
        let mut bytes = whole.clone();
        bytes[23] ^= wrong;
        folder.write("cut.b2nd", &bytes);
        let said = folder.finds(&format!("salvage cut.b2nd {name}"));
        assert!(said.contains("mended ") && said.contains("lost     0"), "{said}");
        assert_eq!(folder.bytes(name), whole);
    }
    // The map of the metalayers of variable size.
    let at = whole.windows(5).position(|part| part == b"\xa4unit").expect("its name");
    let mut bytes = whole.clone();
    bytes[at] = 0xff;
    folder.write("cut.b2nd", &bytes);
    let said = folder.finds("salvage cut.b2nd d.b2nd");
    assert!(said.contains("lost     1\n  /vlmeta: "), "{said}");
    assert_eq!(get(&folder, "d.b2nd"), elements);
}

#[test]
fn without_the_index_chunks_that_are_too_few_are_doubtful() {
    let folder = Folder::empty();
    array(&folder);
    let whole = folder.bytes("z.b2nd");
    let index = frame(&folder, "z.b2nd").index_range().start as usize;
    folder.write("cut.b2nd", &whole[..index + 20]);
    let said = folder.finds("salvage cut.b2nd a.b2nd");
    assert!(said.contains("in which they lie"), "{said}");
    assert!(said.contains("doubtful 7\n  /data[0:100]: "), "{said}");
    assert!(said.contains("expected 10 chunks, to know without the index"), "{said}");
}

#[test]
fn a_shape_that_does_not_fit_is_left_out() {
    let folder = Folder::empty();
    let elements = array(&folder);
    let mut bytes = folder.bytes("z.b2nd");
    let at = bytes.windows(8).position(|part| part == b"\xd3\0\0\0\0\0\0\x03").expect("its shape");
    bytes[at + 8] ^= 1;
    folder.write("bad.b2nd", &bytes);
    let said = folder.finds("salvage bad.b2nd a.b2frame");
    assert!(said.contains("lost     1\n  /meta/b2nd: "), "{said}");
    let bytes: Vec<u8> = elements.iter().flat_map(|element| element.to_le_bytes()).collect();
    assert_eq!(frame(&folder, "a.b2frame").read().expect("right"), bytes);
    folder.done("verify a.b2frame");
}

/// The frame with entries of its index changed, as a file of this name; the address of its index.
fn with(folder: &Folder, name: &str, changed: &[(usize, u64)]) -> usize {
    let (whole, z) = (folder.bytes("z.b2nd"), frame(folder, "z.b2nd"));
    let mut entries: Vec<u64> = (0..z.chunk_count())
        .map(|number| match z.place(number).expect("right") {
            Place::Stored(at) => at,
            _ => 0x81 << 56,
        })
        .collect();
    for (number, entry) in changed {
        entries[*number] = *entry;
    }
    let bytes: Vec<u8> = entries.iter().flat_map(|entry| entry.to_le_bytes()).collect();
    let index = Encoding::new(8).level(0).chunk(&bytes).expect("a chunk");
    let range = z.index_range();
    let (start, end) = (range.start as usize, range.end as usize);
    let mut bytes = [&whole[..start], &index, &whole[end..]].concat();
    let length = bytes.len() as u64;
    bytes[16..24].copy_from_slice(&length.to_be_bytes());
    folder.write(name, bytes);
    start
}

#[test]
fn entries_that_are_wrong_are_told() {
    let folder = Folder::empty();
    let elements = array(&folder);
    let z = frame(&folder, "z.b2nd");
    let place = |number: u64| match z.place(number).expect("right") {
        Place::Stored(at) => at,
        _ => 0,
    };
    // Two chunks at one address; the one that nothing names is not taken for either.
    let start = with(&folder, "two.b2nd", &[(5, place(4))]);
    let said = folder.finds("verify two.b2nd");
    assert_eq!(said.matches("once more").count(), 2, "{said}");
    assert!(said.contains(&format!("two.b2nd: {start} error")), "{said}");
    let said = folder.finds("salvage two.b2nd a.b2nd");
    assert!(said.contains("lost     0\ndoubtful 2\n  /data[400:500]: "), "{said}");
    // Bits that mean nothing beside those of zeros.
    with(&folder, "bits.b2nd", &[(0, 0xffff_ffff_ffff_038c), (1, 0x81 << 56 | 7)]);
    let said = folder.finds("verify bits.b2nd");
    assert!(said.contains("expected 0x8100000000000000, found 0xffffffffffff038c"), "{said}");
    assert!(said.contains("expected 0x8100000000000000, found 0x8100000000000007"), "{said}");
    let said = folder.finds("salvage bits.b2nd b.b2nd");
    assert!(said.contains("doubtful 2\n  /data[0:100]: "), "{said}");
    // An entry that points nowhere: the chunk lies where no other one does.
    with(&folder, "lost.b2nd", &[(5, 1 << 40)]);
    folder.finds("verify lost.b2nd");
    let said = folder.finds("salvage lost.b2nd c.b2nd");
    assert!(said.contains("lost     0\ndoubtful 1\n  /data[500:600]: "), "{said}");
    assert_eq!(get(&folder, "c.b2nd"), elements);
    // Two such entries are not guessed at.
    with(&folder, "lost.b2nd", &[(5, 1 << 40), (7, 1 << 40)]);
    assert!(folder.finds("salvage lost.b2nd").contains("lost     2"), "none is known");
}

#[test]
fn markers_and_types_of_an_array_are_compared() {
    let folder = Folder::empty();
    array(&folder);
    let whole = folder.bytes("z.b2nd");
    let at = whole.windows(5).position(|part| part == b"\x97\0\x01\x91\xd3").expect("the shape");
    for (marker, expected) in [(0, "0x97"), (1, "0x00"), (3, "0x91"), (13, "0x91"), (19, "0x91")] {
        let mut bytes = whole.clone();
        bytes[at + marker] = 0x41;
        folder.write("bad.b2nd", &bytes);
        let said = folder.finds("verify bad.b2nd");
        let told = format!("address {}: expected {expected}, found 0x41", at + marker);
        assert!(said.contains(&told), "{said}");
    }
    let mut bytes = whole.clone();
    let dtype = whole.windows(3).position(|part| part == b"<i4").expect("its type");
    bytes[dtype + 1] = b'q';
    folder.write("odd.b2nd", &bytes);
    let said = folder.done("verify odd.b2nd");
    assert!(said.contains("`<q4` is no dtype that is known"), "{said}");
}
