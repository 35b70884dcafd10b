//! Blocks that are gone: the index tells which, and the others keep their numbers.

use asdf_bridge::asdf::{Builder, NewArray};

use crate::asdf_damage::kit::{Asdf, Folder};

/// Arrays of these lengths, one in each block, all of the same header; and where their blocks begin and end.
fn sample(lengths: &[u8]) -> (Vec<u8>, Vec<usize>) {
    let mut builder = Builder::new().align(1);
    for (at, length) in lengths.iter().enumerate() {
        let values: Vec<u8> = (0..*length).map(|value| value + 50 * at as u8).collect();
        builder = builder.put(["a", "b", "c", "d"][at], NewArray::from(values));
    }
    let bytes = builder.to_bytes().expect("a file");
    let folder = Folder::with(&[("a.asdf", &bytes)]);
    let blocks = folder.open("a.asdf").blocks().expect("blocks").into_iter();
    let blocks: Vec<_> = blocks.map(|block| block.expect("a block")).collect();
    let ends = blocks.last().map(|last| last.end() as usize);
    let cuts = blocks.iter().map(|block| block.address as usize).chain(ends).collect();
    (bytes, cuts)
}

/// Without the block of a number.
fn without((bytes, cuts): &(Vec<u8>, Vec<usize>), gone: usize) -> Vec<u8> {
    [&bytes[..cuts[gone]], &bytes[cuts[gone + 1]..]].concat()
}

#[test]
fn arrays_keep_their_blocks_where_another_one_is_gone() {
    let sample = sample(&[10, 20, 30, 5]);
    for gone in 0..3 {
        let folder = Folder::with(&[("e.asdf", &sample.0), ("x.asdf", &without(&sample, gone))]);
        let said = folder.ends(1, "salvage x.asdf y.asdf");
        let lost = ["a", "b", "c"][gone];
        let expected =
            format!("kept     3 arrays of the tree, 0 blocks without it\nlost     1\n  /{lost}: ");
        assert!(said.contains(&expected) && !said.contains("doubtful"), "{said}");
        assert!(said.contains("as the index has it"), "{said}");
        for path in ["a", "b", "c", "d"].into_iter().filter(|path| *path != lost) {
            for file in ["x.asdf", "y.asdf"] {
                assert_eq!(folder.done(&format!("diff e.asdf {file} /{path}")), "", "{gone}");
            }
            let said = folder.run(&format!("get x.asdf /{path}"));
            assert!(said.status == 0 && said.err.is_empty(), "{said:?}");
        }
        let said = folder.fails(&format!("get x.asdf /{lost}"), 1);
        assert!(said.contains("found none"), "{said}");
        assert!(folder.finds("verify x.asdf").contains("error[missing-block]"));
    }
}

#[test]
fn what_the_distances_do_not_tell_is_doubtful_and_nothing_else() {
    let sample = sample(&[10, 20, 20, 5]);
    let folder = Folder::with(&[("x.asdf", &without(&sample, 2))]);
    let said = folder.ends(1, "salvage x.asdf");
    assert!(said.contains("lost     1\n  /c: "), "{said}");
    assert!(said.contains("doubtful 1\n  /b: a block is damaged or lost"), "{said}");
    for (path, doubtful) in [("/a", false), ("/b", true), ("/d", false)] {
        let said = folder.run(&format!("get x.asdf {path}"));
        assert_eq!(said.err.contains("values may be those of another array"), doubtful, "{said:?}");
    }
}

#[test]
fn without_an_index_all_are_doubtful_where_the_tree_names_more() {
    let sample = sample(&[10, 20, 30, 5]);
    let index = *sample.1.last().expect("blocks");
    for gone in 0..4 {
        let bytes = without(&sample, gone);
        let length = index - (sample.1[gone + 1] - sample.1[gone]);
        let folder = Folder::with(&[("x.asdf", &bytes[..length])]);
        for path in ["a", "b", "c"] {
            let said = folder.run(&format!("get x.asdf /{path}"));
            let doubtful = said.err.contains("values may be those of another array");
            assert!(doubtful || said.status == 1, "{gone}: {said:?}");
        }
        assert!(folder.finds("verify x.asdf").contains("error[missing-block]"), "{gone}");
    }
    // A file that is cut off has no others in front of where it is.
    let folder = Folder::with(&[("x.asdf", &sample.0[..index - 8])]);
    for path in ["a", "b", "c"] {
        assert!(folder.run(&format!("get x.asdf /{path}")).err.is_empty(), "{path}");
    }
}

/// The sample with another list of addresses in its index.
fn listing((bytes, cuts): &(Vec<u8>, Vec<usize>), listed: &[u64]) -> Vec<u8> {
    let lines: String = listed.iter().map(|at| format!("- {at}\n")).collect();
    let index = format!("#ASDF BLOCK INDEX\n%YAML 1.1\n---\n{lines}...\n");
    [&bytes[..*cuts.last().expect("blocks")], index.as_bytes()].concat()
}

#[test]
fn blocks_that_are_all_there_have_their_numbers_whatever_the_index_lists() {
    for lengths in [[10, 10, 10, 10], [10, 20, 30, 5]] {
        let sample = sample(&lengths);
        let [a, b, c, d, end] = *sample.1 else { panic!("four blocks") };
        let (a, b, c, d, end) = (a as u64, b as u64, c as u64, d as u64, end as u64);
        for listed in [
            &[0, a, b, c, d][..],
            &[a, a, b, c, d],
            &[a, b, b, c, d],
            &[a, b, c, d, 999_999],
            &[a, b, c, d, 1 << 40],
            &[a, b, c, d, 1 << 62],
            &[a, b, c, d, d + 60],
            &[a, a + 60, b, c, d],
            &[a, b, c, d, end],
            &[a, b, c, d, end + 3, end + 100],
        ] {
            let file = listing(&sample, listed);
            let folder = Folder::with(&[("e.asdf", &sample.0), ("x.asdf", &file)]);
            for path in ["/a", "/b", "/c", "/d"] {
                let said = folder.run(&format!("get x.asdf {path}"));
                assert!(said.status == 0 && said.err.is_empty(), "{listed:?}: {said:?}");
                assert_eq!(folder.done(&format!("diff e.asdf x.asdf {path}")), "", "{listed:?}");
            }
            let said = folder.finds("verify x.asdf");
            assert!(said.contains("error[bad-index]"), "{listed:?}: {said}");
            assert!(!said.contains("missing-block"), "{listed:?}: {said}");
            let said = folder.ends(0, "salvage x.asdf y.asdf");
            assert!(said.contains("kept     4 arrays"), "{listed:?}: {said}");
            assert_eq!(folder.done("diff e.asdf y.asdf"), "", "{listed:?}");
        }
    }
}
