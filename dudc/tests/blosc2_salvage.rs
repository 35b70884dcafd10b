//! The built binary on damaged Blosc2 frames: what an index that is whole says of them, and what is told where none is.

mod kit;

use asdf_bridge::blosc2::{Codec, Encoding, Frame, NewArray};
use kit::Folder;

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
