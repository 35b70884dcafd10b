//! The beginning of a file, written over: what is lost of it is said.

use asdf_bridge::asdf::{Builder, NewArray};

use crate::asdf_damage::kit::Folder;

fn sample() -> Vec<u8> {
    let file = Builder::new().put("a", NewArray::from(vec![1_u8, 2, 3])).put("n", 5);
    file.to_bytes().expect("a file")
}

#[test]
fn zeros_before_the_tree_are_a_loss() {
    let whole = sample();
    let tree = whole.windows(5).position(|at| at == b"%YAML").expect("a tree");
    for start in 8..tree + 8 {
        for length in [1, 2, 8, 40, 300, whole.len() - start] {
            let end = (start + length).min(whole.len());
            let mut bytes = whole.clone();
            bytes[start..end].fill(0);
            let folder = Folder::with(&[("x.asdf", &bytes)]);
            let what = format!("{length} zeros at {start}");
            let said = folder.run("verify x.asdf");
            assert_eq!(said.status, 1, "{what}: {said:?}");
            let out = said.out + &said.err;
            assert!(!out.contains('\0') && !out.contains('\u{fffd}'), "{what}: {out}");
            let said = folder.run("salvage x.asdf");
            // One wrong byte of the first line is corrected.
            let mended = said.out.contains("mended   the first line");
            assert_eq!(said.status, i32::from(!mended), "{what}: {said:?}");
            assert!(mended || !said.out.contains("lost     0"), "{what}: {said:?}");
        }
    }
}

#[test]
fn what_ends_in_its_first_lines_has_nothing() {
    for text in ["#ASDF", "#ASDF 1.0", "#ASDF 1.0.0\n#ASDF_ST", "%FINF", "%FINF 0.1"] {
        let folder = Folder::with(&[("x", text)]);
        let said = folder.finds("verify x");
        assert!(said.contains("error[empty]: expected a tree or blocks"), "{text:?}: {said}");
        let said = folder.ends(1, "salvage x");
        assert!(said.contains("lost     1\n  /: the file has no tree"), "{text:?}: {said}");
    }
}

#[test]
fn nothing_of_a_kind_at_a_base_is_said() {
    let folder = Folder::with(&[("x.asdf", &sample())]);
    for words in ["describe x.asdf --base 3", "ls x.asdf --base 3"] {
        let said = folder.fails(words, 1);
        assert!(said.contains("at --base 3 begins neither"), "{said}");
    }
    folder.write("y", [&[b'x'; 64], &*sample()].concat());
    assert_eq!(folder.done("describe y --base 0x40"), folder.done("describe x.asdf"));
}
