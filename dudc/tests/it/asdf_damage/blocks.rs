//! Blocks that no array is in which is understood: they are kept, and their numbers.

use asdf_bridge::asdf::{AsdfFile, Builder, Compression, NewArray, Open};

use crate::asdf_damage::kit::{Asdf, Folder};

/// Arrays in three blocks, of which the second is compressed: `[1, 2, 3]`, 1000 times 7, `[9, 8]`.
fn sample() -> Vec<u8> {
    let file = Builder::new()
        .put("a", NewArray::from(vec![1_u8, 2, 3]))
        .put("b", NewArray::from(vec![7_u8; 1000]).compressed(Compression::zlib(9)))
        .put("c", NewArray::from(vec![9_u8, 8]));
    file.to_bytes().expect("a file")
}

/// The sample with other words of the same length in its text.
fn with(replaced: &[(&str, &str)]) -> Vec<u8> {
    let mut bytes = sample();
    for (old, new) in replaced {
        assert_eq!(old.len(), new.len());
        let at = bytes.windows(old.len()).position(|at| at == old.as_bytes()).expect(old);
        bytes[at..at + new.len()].copy_from_slice(new.as_bytes());
    }
    bytes
}

/// What the tree says of an array becomes something that is not known.
const UNKNOWN: [(&str, &str); 1] = [("!core/ndarray-1.1.0", "!mine/ndarray-1.1.0")];
const UNTAGGED: [(&str, &str); 1] = [("!core/ndarray-1.1.0", "                   ")];
const DAMAGED: [(&str, &str); 1] = [("%TAG ! tag:stsci.edu:asdf/", "%TAG ! tag:stsci.edv:asdf/")];

fn are_kept(file: &AsdfFile) {
    assert_eq!(file.block_data(0).expect("a block"), [1, 2, 3]);
    assert_eq!(file.block_data(1).expect("a block"), [7; 1000]);
    assert_eq!(file.block_data(2).expect("a block"), [9, 8]);
    assert!(file.verify().expect("read").is_clean());
}

#[test]
fn all_blocks_are_kept_whatever_names_them() {
    for replaced in [&UNKNOWN[..], &UNTAGGED, &DAMAGED] {
        let folder = Folder::empty();
        folder.write("a.asdf", with(replaced));
        for words in ["convert a.asdf b.asdf", "convert a.asdf b.asdf --recompress lz4"] {
            let said = folder.ends(0, &format!("{words} --force"));
            assert!(said.contains("no array of the tree is in block"), "{said}");
            let file = folder.open("b.asdf");
            are_kept(&file);
            assert_eq!(file.get("/a/source").expect("a node").node().as_i64(), Some(0));
            let labels = file.blocks().expect("blocks").into_iter();
            let labels: Vec<_> =
                labels.map(|block| block.expect("a block").compression()).collect();
            let is_array = file.get("/b").is_ok_and(|b| b.is_array());
            if words.ends_with("lz4") && is_array {
                assert_eq!(labels[1].as_deref(), Some("lz4"))
            } else {
                assert_eq!(labels[1].as_deref(), Some("zlib"))
            }
        }
        let said = folder.ends(0, "salvage a.asdf c.asdf");
        assert!(said.contains(" blocks without it") && !said.contains(" 0 blocks"), "{said}");
        are_kept(&folder.open("c.asdf"));
        folder.ends(0, "diff a.asdf c.asdf");
    }
}

#[test]
fn a_file_is_exploded_but_for_what_a_number_may_name() {
    let folder = Folder::empty();
    folder.write("a.asdf", with(&UNKNOWN));
    folder.ends(0, "convert a.asdf apart.asdf --explode");
    assert_eq!(folder.names(), ["a.asdf", "apart.asdf", "apart0001.asdf", "apart0002.asdf"]);
    assert_eq!(folder.block("apart.asdf", 0), [1, 2, 3]);
    assert_eq!(folder.block("apart.asdf", 1), [0; 0]);
    folder.ends(0, "diff a.asdf apart.asdf");
    // And back.
    folder.ends(0, "convert apart.asdf whole.asdf --implode");
    assert_eq!(folder.block("whole.asdf", 0), [1, 2, 3]);
    folder.ends(0, "diff a.asdf whole.asdf");

    // What an array is in, and something else.
    let both = "#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n--- \nx: !core/ndarray-1.1.0 {source: 1, \
        datatype: uint8, byteorder: big, shape: [2]}\ny: !mine {source: -1}\nz: !core/ndarray-1.1.0 \
        {source: 0, datatype: uint8, byteorder: big, shape: [3]}\n...\n";
    let bytes = Builder::new()
        .put("a", NewArray::from(vec![1_u8, 2, 3]))
        .put("b", NewArray::from(vec![7_u8, 7]))
        .index(false)
        .to_bytes()
        .expect("a file");
    let first = Open::new().bytes(&*bytes).and_then(|file| file.block(0)).expect("a block").address;
    folder.write("both.asdf", [both.as_bytes(), &bytes[first as usize..]].concat());
    folder.ends(0, "convert both.asdf two.asdf --explode");
    assert!(folder.path("two0000.asdf").exists() && !folder.path("two0001.asdf").exists());
    assert_eq!(folder.block("two.asdf", -1), [7, 7]);
    folder.ends(0, "diff both.asdf two.asdf");
    // Where all come into one file, the last one would be another one.
    let said = folder.ends(1, "convert two.asdf one.asdf");
    assert!(said.contains("blocks that keep their numbers"), "{said}");
}

#[test]
fn finf_has_them_without_their_compression() {
    let folder = Folder::empty();
    let mut bytes = with(&[]);
    let at = bytes.windows(19).rposition(|at| at == b"!core/ndarray-1.1.0").expect("a tag");
    bytes[at..at + 19].copy_from_slice(b"!mine/ndarray-1.1.0");
    folder.write("a.asdf", &bytes);
    folder.ends(0, "convert a.asdf a.finf");
    are_kept(&folder.open("a.finf"));
}

#[test]
fn what_cannot_be_kept_is_an_error_of_convert_and_lost_to_salvage() {
    let folder = Folder::empty();
    let bytes = with(&UNKNOWN);
    let first = Open::new().bytes(&*bytes).and_then(|file| file.block(0)).expect("a block");
    // More used than is set aside.
    let mut damaged = bytes.clone();
    damaged[first.address as usize + 14 + 8 + 7] = 200;
    folder.write("a.asdf", &damaged);
    let said = folder.ends(1, "convert a.asdf b.asdf");
    assert!(said.contains("block 0 at address") && !folder.path("b.asdf").exists(), "{said}");
    let said = folder.ends(1, "salvage a.asdf c.asdf");
    assert!(said.contains("lost     1\n  block 0: block 0 at address"), "{said}");
    assert_eq!(folder.block("c.asdf", 1), [7; 1000]);
    assert_eq!(folder.block("c.asdf", 2), [9, 8]);
    // A compression that nobody knows.
    let second = Open::new().bytes(&*bytes).and_then(|file| file.block(1)).expect("a block");
    let label = second.address as usize + 10;
    let unknown = [&bytes[..label], b"none", &bytes[label + 4..]].concat();
    folder.write("d.asdf", &unknown);
    folder.ends(1, "salvage d.asdf e.asdf");
    let kept = folder.open("e.asdf").block(1).expect("a block");
    let data = |bytes: &[u8], block: &asdf_bridge::asdf::Block| {
        bytes[block.data.start as usize..block.data.end as usize].to_vec()
    };
    assert_eq!(data(&folder.bytes("e.asdf"), &kept), data(&unknown, &second));
    assert_eq!((kept.label, kept.decoded), (*b"none", 1000));
}

#[test]
fn without_a_tree_its_text_is_kept_and_all_blocks() {
    let folder = Folder::empty();
    folder.write("a.asdf", with(&[("a: ", "{[&")]));
    let said = folder.ends(1, "salvage a.asdf b.asdf");
    assert!(said.contains("3 blocks without it\nlost     1\n  /: the tree at line"), "{said}");
    let file = folder.open("b.asdf");
    are_kept(&file);
    let text = file.get("/salvaged_tree").expect("kept");
    assert!(text.node().as_str().is_some_and(|text| text.contains("{[&!core/ndarray")));
    assert_eq!(file.array("/salvaged/1").expect("kept").shape(), [1000]);
}
