//! The mask of an array is a part of it: what is wrong with it is said as of the array.

use asdf_bridge::asdf::{Builder, NewArray, NewMask};

use crate::asdf_damage::kit::{Asdf, Folder};

/// A hundred numbers, each third of which is masked, in block 0; their mask is in block 1.
fn sample() -> Vec<u8> {
    let mask: Vec<bool> = (0..100).map(|at| at % 3 == 0).collect();
    let mask = NewMask::Array(NewArray::from(mask).block());
    let array = NewArray::from((0..100_i64).collect::<Vec<_>>()).block().masked(mask);
    Builder::new().put("m", array).to_bytes().expect("a file")
}

/// The sample with other words in what its text says of the mask.
fn with(old: &str, new: &str) -> Vec<u8> {
    let mut bytes = sample();
    let find = |from: usize, words: &str| {
        let at = bytes[from..].windows(words.len()).position(|at| at == words.as_bytes());
        from + at.expect(words)
    };
    let at = find(find(0, "mask"), old);
    assert_eq!(old.len(), new.len());
    bytes[at..at + new.len()].copy_from_slice(new.as_bytes());
    bytes
}

#[test]
fn a_mask_that_is_not_what_its_digest_was_made_of_is_doubtful() {
    let folder = Folder::empty();
    let mut bytes = sample();
    folder.write("a.asdf", &bytes);
    folder.ends(0, "salvage a.asdf");
    let mask = folder.open("a.asdf").block(1).expect("a block");
    bytes[mask.data.start as usize + 1] ^= 1;
    folder.write("a.asdf", &bytes);
    let said = folder.ends(1, "salvage a.asdf b.asdf");
    assert!(said.contains("kept     1 arrays"), "{said}");
    assert!(said.contains("doubtful 1\n  /m/mask: the data of its block are not those"), "{said}");
    let told = "`/m/mask`: the data of its block are not those";
    for words in [
        "convert a.asdf c.asdf",
        "convert a.asdf c.npy --fill 0",
        "get a.asdf /m -o d.npy --fill 0",
    ] {
        let said = folder.run(words);
        assert!(said.status == 0 && said.err.contains(told), "{words}: {said:?}");
    }
}

#[test]
fn a_mask_that_cannot_be_had_is_found_and_not_written() {
    let folder = Folder::empty();
    let wrong = [
        ("source: 1", "source: 7", "block 7"),
        ("shape: [100]", "shape: [900]", "`/m/mask`: the array needs bytes 0 to 900"),
        ("shape: [100]", "shape: [040]", "`/m/mask`: expected shape [100], found ["),
    ];
    for (old, new, why) in wrong {
        folder.write("a.asdf", with(old, new));
        let said = folder.ends(1, "verify a.asdf");
        assert!(said.contains("error[bad-array]") && said.contains(why), "{said}");
        let said = folder.ends(1, "salvage a.asdf b.asdf --force");
        assert!(said.contains("the first 100 of 100 rows are kept"), "{said}");
        assert!(said.contains(why), "{said}");
        let kept = folder.open("b.asdf").array("/m/first_rows").expect("rows");
        assert!(kept.mask().expect("none").is_none());
        for out in ["c.asdf", "c.bd"] {
            let said = folder.run(&format!("convert a.asdf {out} --force"));
            assert!(said.err.contains(why), "{new}: {said:?}");
        }
    }
}

#[test]
fn a_mask_is_no_array_of_its_own() {
    let array = "!core/ndarray-1.1.0 {data: [1, 2], datatype: int8, shape: [2]";
    let mask = "!core/ndarray-1.1.0 {data: [true, false], datatype: bool8, shape: [2]}";
    let tree =
        format!("#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n---\na: {array}, mask: {mask}}}\n...\n");
    let folder = Folder::with(&[("x.asdf", tree.as_bytes())]);
    let said = folder.ends(0, "salvage x.asdf y.asdf");
    assert!(said.contains("kept     1 arrays of the tree"), "{said}");
    folder.ends(0, "diff x.asdf y.asdf");
    assert!(folder.done("get y.asdf /a").contains("[null, 2]"));
}
