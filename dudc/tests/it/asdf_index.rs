//! What is an index of the blocks of an ASDF file, and what only looks like one.

use crate::kit::Folder;
use asdf_bridge::asdf::{Builder, NewArray, Padding};

/// An index of one block at an address.
fn index_of(address: u64) -> Vec<u8> {
    format!("#ASDF BLOCK INDEX\n%YAML 1.1\n---\n- {address}\n...\n").into_bytes()
}

#[test]
fn text_within_blocks_is_no_index() {
    let folder = Folder::empty();
    let address = |name: &str| {
        let bytes = folder.bytes(name);
        bytes.windows(4).position(|at| at == b"\xd3BLK").expect("a block")
    };
    let write = |name: &str, arrays: &[Vec<u8>], padding: bool| {
        let mut builder = Builder::new().index(false).padding(if padding {
            Padding::percent(50)
        } else {
            Padding::NONE
        });
        for (at, bytes) in arrays.iter().enumerate() {
            builder = builder.put(&format!("x{at}"), NewArray::from(bytes.clone()));
        }
        builder.write_file(folder.path(name), false).expect("written");
    };
    let other = [vec![7; 40], index_of(661)].concat();
    let behind = [index_of(661), vec![7; 40]].concat();
    write("last.asdf", std::slice::from_ref(&other), false);
    write("first.asdf", &[other.clone(), vec![1; 9]], false);
    write("middle.asdf", &[vec![1; 9], behind, vec![1; 9]], false);
    write("padded.asdf", std::slice::from_ref(&other), true);
    // The text lists the block where it is.
    let own = index_of(address("last.asdf") as u64);
    write("own.asdf", &[[vec![7; 40], own].concat()], false);
    // In what is set aside behind the data.
    write("room.asdf", &[vec![7; 400]], true);
    let mut bytes = folder.bytes("room.asdf");
    let (end, text) = (bytes.len(), index_of(661));
    assert!(bytes[end - text.len()..].iter().all(|byte| *byte == 0 || *byte == b' '), "no room");
    bytes[end - text.len()..].copy_from_slice(&text);
    folder.write("room.asdf", &bytes);
    // A streamed block continues to the end of the file.
    let mut bytes = folder.bytes("last.asdf");
    let block = address("last.asdf");
    bytes[block + 9] |= 1;
    bytes[block + 14..block + 54].fill(0);
    folder.write("stream.asdf", &bytes);
    for name in ["last", "first", "middle", "padded", "own", "room", "stream"] {
        let said = folder.run(&format!("verify {name}.asdf"));
        assert!(said.out.contains("0 errors, 0 warnings"), "{name}: {}", said.out);
        let said = folder.run(&format!("ls {name}.asdf"));
        assert!(!said.out.contains("block index at") && said.err.is_empty(), "{name}: {said:?}");
        for words in ["convert", "salvage"] {
            let said = folder.run(&format!("{words} {name}.asdf out.asdf --force"));
            assert_eq!((said.status, said.err.as_str()), (0, ""), "{words} {name}: {}", said.out);
        }
    }
    // Behind the blocks it is one, and it is found where it is damaged.
    for (name, index) in [("last", index_of(661)), ("padded", index_of(1)), ("first", index_of(3))]
    {
        let mut bytes = folder.bytes(&format!("{name}.asdf"));
        bytes.extend(index);
        folder.write("bad.asdf", &bytes);
        assert!(folder.ends(1, "verify bad.asdf").contains("error[bad-index]"), "{name}");
        bytes.splice(bytes.len() - 44..bytes.len() - 44, *b"junk");
        folder.write("bad.asdf", &bytes);
        assert!(folder.ends(1, "verify bad.asdf").contains("junk"), "{name}");
    }
}
