//! Files that are exploded, or are written of such: no file is lost to another one.

use asdf_bridge::asdf::{Builder, NewArray};

use crate::asdf_damage::kit::{Asdf, Folder};

/// A file with two blocks.
fn file() -> Builder<'static> {
    let few = NewArray::from(vec![1_u8, 2, 3]);
    Builder::new().put("x", few).put("y", NewArray::from(vec![4_i16, 5]))
}

#[test]
fn the_parts_of_what_is_read_are_not_written_over() {
    let folder = Folder::empty();
    file().write_exploded(folder.path("a.asdf"), false).expect("written");
    file().write_file(folder.path("b0000.asdf"), false).expect("written");
    let names = folder.names();
    let parts = [folder.bytes("a0000.asdf"), folder.bytes("a0001.asdf")];
    for words in [
        "convert a.asdf a0000.asdf",
        "convert a.asdf a0001.asdf --to npz",
        "convert a.asdf ./a0001.asdf --explode",
        "salvage a.asdf a0001.asdf",
        // Its first part would be what is read.
        "convert b0000.asdf b.asdf --explode",
    ] {
        let said = folder.ends(2, &format!("{words} --force"));
        assert!(said.contains("is read, and cannot be the output too"), "{said}");
        assert_eq!(folder.names(), names);
    }
    assert!(parts == [folder.bytes("a0000.asdf"), folder.bytes("a0001.asdf")]);
    folder.ends(0, "convert a.asdf c.asdf --explode");
    folder.ends(0, "diff a.asdf c.asdf");
}

#[test]
fn a_file_in_the_way_is_found_before_anything_is_written() {
    let folder = Folder::empty();
    file().write_file(folder.path("a.asdf"), false).expect("written");
    folder.write("b0001.asdf", "mine");
    let said = folder.ends(3, "convert a.asdf b.asdf --explode");
    assert!(said.contains("b0001.asdf exists"), "{said}");
    assert_eq!(folder.names(), ["a.asdf", "b0001.asdf"]);
    assert_eq!(folder.bytes("b0001.asdf"), b"mine");
    // The last block cannot be read.
    let bytes = folder.bytes("a.asdf");
    let last = folder.open("a.asdf").block(1).expect("a block");
    folder.write("cut.asdf", &bytes[..last.data.end as usize - 1]);
    folder.ends(1, "convert cut.asdf c.asdf --explode");
    assert_eq!(folder.names(), ["a.asdf", "b0001.asdf", "cut.asdf"]);
}

#[test]
fn a_key_that_stands_twice_is_said_of_what_has_one() {
    let text = "#ASDF 1.0.0\n%YAML 1.1\n---\nx: 1\ny: 2\nx: 3\n...\n";
    let folder = Folder::with(&[("a.asdf", text.as_bytes())]);
    for out in ["b.asdf", "b.bd", "b.npz"] {
        let said = folder.run(&format!("convert a.asdf {out}"));
        assert!(said.status == 0 && said.err.contains("duplicate-key"), "{out}: {said:?}");
    }
}

#[test]
fn an_array_that_reaches_out_of_its_block_is_copied_with_a_word() {
    let bytes = file().to_bytes().expect("a file");
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let folder = Folder::empty();
    let at = text.find("shape: [").expect("a shape") + 8;
    let mut bytes = bytes;
    bytes[at] = b'9';
    folder.write("a.asdf", &bytes);
    for words in ["convert a.asdf b.asdf", "convert a.asdf b.finf", "convert a.asdf c.asdf /x"] {
        let said = folder.run(words);
        assert_eq!(said.status, 0, "{said:?}");
        assert!(said.err.contains("warning: `/x`: the array needs bytes 0 to 9"), "{said:?}");
    }
}

#[test]
fn references_that_lead_nowhere_are_found() {
    let text = "#ASDF 1.0.0\n--- {a: {$ref: '#/x'}, b: {$ref: '#/y'}, c: {$ref: '#/c'}, x: [1], d: {$ref: 'no.asdf#/x'}}\n...\n";
    let folder = Folder::with(&[("a.asdf", text)]);
    let said = folder.done("verify a.asdf");
    for path in ["/b", "/c", "/d"] {
        assert!(said.contains(&format!("warning[bad-reference]: `{path}`")), "{said}");
    }
    assert!(said.contains("0 errors, 3 warnings"), "{said}");
}
