//! Wrong bytes of the first line are reported, stop no reader, and are corrected.

use asdf_bridge::asdf::{Builder, NewArray};

use crate::asdf_damage::kit::Folder;

fn sample() -> Vec<u8> {
    let file = Builder::new().put("x", NewArray::from(vec![1_u8, 2, 3])).put("title", "a test");
    file.to_bytes().expect("a file")
}

#[test]
fn it_is_put_right_wherever_it_is() {
    let folder = Folder::empty();
    let right = sample();
    for at in 0..12 {
        let mut bytes = right.clone();
        // Neither a digit nor the end of a line.
        bytes[at] ^= 0x80;
        folder.write("a.asdf", &bytes);
        let said = folder.ends(1, "verify a.asdf");
        let expected = format!("a.asdf: {at} error[first-line]: expected `");
        assert!(said.starts_with(&expected), "{said}");
        let said = folder.ends(0, "get a.asdf /x");
        assert!(said.contains("[1, 2, 3]"), "{said}");
        let said = folder.ends(0, "salvage a.asdf b.asdf --force");
        assert!(said.starts_with("mended   the first line: expected"), "{said}");
        folder.ends(0, "verify b.asdf");
        folder.ends(0, "diff a.asdf b.asdf");
        let said = folder.ends(0, "verify --fix a.asdf");
        assert!(said.contains(&format!("byte {at} of the first line is corrected")), "{said}");
        assert!(folder.bytes("a.asdf") == right, "byte {at}");
    }
}

#[test]
fn more_are_put_right_in_front_of_what_only_such_files_have() {
    let folder = Folder::empty();
    let right = sample();
    let mut bytes = right.clone();
    bytes[1..12].fill(0);
    folder.write("a.asdf", &bytes);
    let said = folder.ends(1, "verify a.asdf");
    assert!(said.starts_with("a.asdf: 1 error[first-line]: expected `ASDF 1.0.0\\n`"), "{said}");
    assert!(folder.ends(0, "get a.asdf /x").contains("[1, 2, 3]"));
    folder.ends(0, "salvage a.asdf b.asdf");
    let said = folder.ends(0, "verify --fix a.asdf");
    assert!(said.contains("bytes 1..12 of the first line are corrected"), "{said}");
    assert!(folder.bytes("a.asdf") == right);
}

#[test]
fn what_differs_in_more_is_something_else() {
    let folder = Folder::empty();
    let mut bytes = sample();
    bytes[..2].copy_from_slice(b"?B");
    bytes[12..26].copy_from_slice(b"# its standard");
    folder.write("a.asdf", &bytes);
    folder.ends(1, "verify --fix a.asdf");
    assert!(folder.bytes("a.asdf") == bytes);
    // A later version is none that is damaged.
    let mut later = sample();
    later[8] = b'1';
    folder.write("b.asdf", &later);
    let said = folder.ends(0, "verify b.asdf");
    assert!(said.contains("warning[unknown-version]"), "{said}");
    let said = folder.ends(0, "verify --fix b.asdf");
    assert!(said.contains("nothing of it is set right"), "{said}");
}
