//! Bytes that are lost from data, or added to them: the blocks behind stand elsewhere, and are found.

use asdf_bridge::asdf::{Builder, NewArray};

use crate::asdf_damage::kit::{Asdf, Folder, sample};

#[test]
fn bytes_lost_or_added_in_data_leave_the_block_behind_its_number() {
    for index in [true, false] {
        let right = sample(&[12, 14, 16, 18], index);
        let folder = Folder::with(&[("e.asdf", &right)]);
        for (number, path) in [(0, "/a"), (1, "/b"), (2, "/c")] {
            let at = folder.open("e.asdf").block(number).expect("a block").data.start as usize + 6;
            let next = ["/b", "/c", "/d"][number as usize];
            let lost = |bytes: usize| [&right[..at], &right[at + bytes..]].concat();
            let added = |bytes: usize| [&right[..at], &vec![7; bytes], &right[at..]].concat();
            for bytes in [lost(1), lost(7), lost(40), added(1), added(7), added(40)] {
                folder.write("x.asdf", &bytes);
                let said = folder.ends(1, "salvage x.asdf y.asdf --force");
                assert!(said.contains("lost     0\n"), "{index} {number}: {said}");
                for path in [path, next] {
                    assert!(said.contains(&format!("\n  {path}: ")), "{index} {number}: {said}");
                }
                for other in ["/a", "/b", "/c", "/d"].into_iter().filter(|it| *it != path) {
                    assert_eq!(folder.done(&format!("diff e.asdf y.asdf {other}")), "");
                }
                let said = folder.run(&format!("get x.asdf {next}"));
                assert!(said.status == 0 && said.err.contains(next), "{said:?}");
            }
        }
    }
}

/// Data that are files themselves have blocks that are none of this file.
#[test]
fn blocks_within_data_stay_there() {
    for index in [true, false] {
        let inner = sample(&[3, 4], true);
        let file = Builder::new()
            .put("a", NewArray::from(inner.clone()))
            .put("b", NewArray::from(vec![1_u8; 70]))
            .put("c", NewArray::from(inner));
        let right = file.digests(false).index(index).align(1).to_bytes().expect("a file");
        let folder = Folder::with(&[("e.asdf", &right)]);
        let b = folder.open("e.asdf").block(1).expect("a block").address as usize;
        let mut bytes = right.clone();
        bytes[b..b + 54].fill(0x55);
        folder.write("x.asdf", &bytes);
        assert_eq!(folder.done("diff e.asdf x.asdf /a"), "");
        if index {
            assert_eq!(folder.done("diff e.asdf x.asdf /c"), "")
        } else {
            assert!(folder.run("get x.asdf /b").err.contains("/b"))
        }
    }
}
