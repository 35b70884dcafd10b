//! Parts of ASDF and FINF files: slices of lists, of masked arrays and of quantities, and paths of data whose keys are
//! others.

use crate::kit::Folder;
use asdf_bridge::asdf::{AsdfFile, Builder, NewArray, NewMask, Yaml};

/// Lists of numbers, and of dicts with arrays; a quantity.
fn sample() -> Folder {
    let folder = Folder::empty();
    let row = |at: i64| {
        let y = NewArray::from(vec![at, at + 1, at + 2]);
        Yaml::mapping([("x", Yaml::from(at)), ("y", Yaml::from(y))])
    };
    Builder::new()
        .put("li", Yaml::sequence([1, 2, 3]))
        .put("ld", Yaml::sequence([row(10), row(20), row(30)]))
        .put("q", Yaml::quantity(NewArray::from(vec![1.0, 2.0, 3.0]), "m"))
        .write_file(folder.path("a.asdf"), false)
        .expect("written");
    folder
}

#[test]
fn slices_of_lists_pick_their_items() {
    let folder = sample();
    assert_eq!(folder.done("get a.asdf /li[1:]"), "[2, 3]\n");
    assert_eq!(folder.done("get a.asdf /li[-1]"), "3\n");
    assert_eq!(folder.done("get a.asdf /ld[:2]/y[1:]"), "<i8[2, 2]\n[[11, 12],\n [21, 22]]\n");
    assert_eq!(folder.done("dump a.asdf /li[:2]"), "/li/0 = 1\n/li/1 = 2\n");
    assert_eq!(folder.done("dump a.asdf /ld[:2]/x --nested"), "[10, 20]\n");
    let listed = folder.done("ls a.asdf /ld[1:]");
    assert!(listed.contains("/ld/2/y") && !listed.contains("/ld/0"), "{listed}");
    let counted = folder.done("stat a.asdf /ld[1:]");
    assert!(counted.contains("/ld/1/y") && !counted.contains("/ld/0"), "{counted}");
    folder.done("diff a.asdf a.asdf /ld[:2] /li[1:]");

    folder.done("convert a.asdf b.asdf /ld[:2]/y[1:] /li[:2]");
    assert_eq!(folder.done("get b.asdf /ld/1/y"), "<i8[2]\n[21, 22]\n");
    assert_eq!(folder.done("get b.asdf /li[:]"), "[1, 2]\n");
    folder.done("convert a.asdf b.bd /ld[:2]");
    folder.done("diff b.bd a.asdf /ld[:2]");
    folder.done("convert a.asdf y.npy /ld[:]/y");
    folder.done("convert y.npy y.bd");
    assert!(folder.done("ls y.bd").contains("[3, 3]"));
    for words in ["get a.asdf /li[7:]", "dump a.asdf /li[7:]"] {
        folder.done(words);
    }
    for (words, what) in [
        ("get a.asdf /li[3]", "index 3 is out of range"),
        ("get a.asdf /q/unit[0]", "slices are of arrays and lists"),
        ("diff a.asdf a.asdf /q/unit[0]", "slices are of arrays and lists"),
        ("get a.asdf /ld[:]", "dump"),
        ("convert a.asdf c.asdf /li[7:]", "picks nothing"),
    ] {
        let said = folder.fails(words, 1);
        assert!(said.contains(what), "{words}: {said}");
    }
}

#[test]
fn a_slice_of_a_quantity_keeps_its_unit_when_it_is_counted() {
    let folder = sample();
    let counted = folder.done("stat a.asdf /q[1:]");
    assert!(counted.lines().nth(1).is_some_and(|line| line.ends_with(" m")), "{counted}");
    let counted = folder.json("stat a.asdf /q/value[1:] --format json");
    assert_eq!(counted["items"][0]["unit"], "m");
}

#[test]
fn numbers_of_a_tree_are_not_counted_and_it_is_said() {
    let folder = sample();
    let said = folder.run("stat a.asdf /li");
    assert!(said.status == 0 && said.err.contains("no arrays are there"), "{said:?}");
    assert!(folder.run("stat a.asdf /ld").err.is_empty());
}

#[test]
fn a_part_of_a_masked_array_is_masked() {
    let folder = Folder::empty();
    let x = || NewArray::from(vec![1, 2, 3, 4, 5]);
    let mask = NewArray::from(vec![true, false, true, false, false]);
    Builder::new()
        .put("m", x().masked(NewMask::Array(mask)))
        .put("n", x().masked(NewMask::Int(3)))
        .write_file(folder.path("a.asdf"), false)
        .expect("written");
    let said = folder.run("convert a.asdf b.asdf /m[1:4] /n[::-2]");
    assert!(said.status == 0 && said.err.is_empty(), "{said:?}");
    assert_eq!(folder.done("get b.asdf /m"), "<i4[3]\n[2, null, 4]\n");
    assert_eq!(folder.done("get b.asdf /n"), "<i4[3]\n[5, null, 1]\n");
    folder.done("convert a.asdf c.asdf /m[2]");
    assert_eq!(folder.done("get c.asdf /m"), "null\n");
    // FINF has no masks.
    for words in ["convert a.asdf b.finf /m[1:4]", "convert a.asdf b.finf"] {
        let said = folder.run(words);
        assert!(said.status == 1 && said.err.contains("--fill"), "{said:?}");
    }
    folder.done("convert a.asdf b.finf /m[1:4] --fill -7");
    assert_eq!(folder.done("get b.finf /m"), "<i4[3]\n[2, -7, 4]\n");
    folder.done("convert a.asdf c.finf --fill -7");
    assert_eq!(folder.done("get c.finf /n"), "<i4[5]\n[1, 2, -7, 4, 5]\n");
    // Nothing is masked of this part.
    folder.done("convert a.asdf d.npy /m[3:]");
}

#[test]
fn arrays_in_the_tree_have_the_key_of_the_format() {
    let folder = Folder::with(&[(
        "a.asdf",
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n\
         i: !core/ndarray-1.1.0\n  data: [1, 2]\n  datatype: int16\n  shape: [2]\nx: {datatype: 1}\n...\n",
    )]);
    folder.done("convert a.asdf a.finf");
    let finf = String::from_utf8(folder.bytes("a.finf")).expect("text");
    assert!(finf.contains("  dtype: int16") && finf.contains("x: {datatype: 1}"), "{finf}");
    folder.done("convert a.finf b.asdf");
    let asdf = String::from_utf8(folder.bytes("b.asdf")).expect("text");
    assert!(
        asdf.contains("  datatype: int16") && !asdf.contains("dtype: int16\n  dtype"),
        "{asdf}"
    );
    folder.done("diff a.asdf b.asdf /i");
}

#[test]
fn data_with_other_keys_are_found_by_their_names() {
    let folder = Folder::with(&[
        ("a.dud", "history = u1[3]\nrho = u1[2]\n"),
        ("a.json", r#"{"history": [1, 2, 3], "rho": [4, 5]}"#),
    ]);
    folder.done("pack a.dud --data a.json -o a.bd --attach");
    for words in ["convert a.bd a.asdf", "convert a.bd b.asdf /history[1:]"] {
        let said = folder.run(words);
        let moved = "`/history` stands under `/history_` now, as data called so do";
        assert!(said.status == 0 && said.err.contains(moved), "{said:?}");
    }
    folder.done("diff a.bd a.asdf /history");
    folder.done("diff a.asdf a.bd /history[1:] /\"history\"[:2] /rho");
    let said = folder.run("convert a.bd a.finf");
    assert!(said.status == 0 && said.err.is_empty(), "{said:?}");
    folder.done("diff a.bd a.finf /history");
}

#[test]
fn paths_pick_of_arrays_of_numpy_too() {
    let folder = Folder::with(&[
        ("a.dud", "g /\n  x = f8[4]\n  y = u1[2]\n/\nz = i2\n"),
        ("a.json", r#"{"g": {"x": [1, 2, 3, 4], "y": [5, 6]}, "z": 7}"#),
    ]);
    folder.done("pack a.dud --data a.json -o a.bd --attach");
    folder.done("convert a.bd a.npz");
    folder.done("convert a.npz b.asdf /g/x[1:3] /z");
    assert_eq!(folder.done("get b.asdf /g/x"), "<f8[2]\n[2.0, 3.0]\n");
    assert!(AsdfFile::open(folder.path("b.asdf")).expect("a file").get("/g/y").is_err());
    folder.done("convert a.npz b.bd /g");
    folder.done("diff a.bd b.bd /g");
    folder.fails("convert a.npz c.bd /none", 1);
}

/// A file in which something of an unknown type names two blocks by number, an array stands in a third one in front of
/// them, and another one in a fourth behind.
fn with_unknown_types() -> Folder {
    let folder = Folder::empty();
    let array = |at: u8| NewArray::from(vec![at; 4]);
    Builder::new()
        .put("first", array(1))
        .put("a", array(2))
        .put("b", array(3))
        .put("last", array(4))
        .write_file(folder.path("whole.asdf"), false)
        .expect("written");
    let whole = AsdfFile::open(folder.path("whole.asdf")).expect("it opens");
    let mut tree = whole.root().and_then(|root| root.to_yaml()).expect("a tree");
    let (_, _) = (tree.remove("a"), tree.remove("b"));
    let chunks = Yaml::mapping([("map", Yaml::from(1)), ("more", Yaml::sequence([2]))]);
    tree.set("chunks", chunks.tagged("asdf://example.com/tags/chunks-1.0.0"));
    tree.set("damaged", Yaml::mapping([("source", 2)]));
    tree.set("untagged", Yaml::mapping([("map", 2)]));
    let file = Builder::from_tree(tree).blocks_of(&whole).expect("blocks");
    file.write_file(folder.path("a.asdf"), false).expect("written");
    folder
}

#[test]
fn parts_keep_the_blocks_that_unknown_types_may_name() {
    let folder = with_unknown_types();
    let blocks = |name: &str| -> Vec<Vec<u8>> {
        let file = AsdfFile::open(folder.path(name)).expect("it opens");
        let count = file.blocks().expect("blocks").len() as i64;
        (0..count).map(|at| file.block_data(at).expect("data")).collect()
    };
    let whole = [vec![1; 4], vec![2; 4], vec![3; 4], vec![4; 4]];
    let mut without = whole.clone();
    (without[0], without[3]) = (vec![], vec![]);
    for (paths, expected) in [
        ("/chunks /first /last", whole.clone()),
        ("/chunks", without.clone()),
        ("/damaged", without.clone()),
        ("/chunks /last", [vec![], vec![2; 4], vec![3; 4], vec![4; 4]]),
    ] {
        let words = format!("convert a.asdf b.asdf {paths} --force");
        let said = folder.run(&words).err;
        assert_eq!(blocks("b.asdf"), expected, "{paths}");
        assert!(said.contains("no array of the tree is in blocks 1, 2, which are kept"), "{said}");
        assert_eq!(
            said.contains("are empty whose arrays are not picked"),
            expected != whole,
            "{said}"
        );
        folder.done("verify b.asdf");
    }
    folder.done("convert a.asdf b.asdf /chunks /last --force");
    assert!(folder.done("get b.asdf /last").contains("[4, 4, 4, 4]"));
    // Where nothing may name them, they are left out, which is said.
    for paths in ["/first", "/untagged", "/last[1:]"] {
        let said = folder.run(&format!("convert a.asdf b.asdf {paths} --force")).err;
        assert!(said.contains("is in what is left out: block 1, block 2"), "{paths}: {said}");
    }
    assert_eq!(blocks("b.asdf"), [vec![4; 3]]);
    for words in ["convert a.asdf b.finf /chunks", "convert a.asdf c.asdf /chunks --explode"] {
        assert!(folder.run(words).err.contains("blocks 1, 2, which are kept"), "{words}");
    }
    assert_eq!(blocks("b.finf"), without);
    assert_eq!(blocks("c.asdf"), without);
    // Where all blocks have arrays, the copy has those that are picked, but the number may have meant one.
    let array = |at: u8| NewArray::from(vec![at; 4]);
    let mine = Yaml::mapping([("block", 1)]).tagged("asdf://example.com/tags/x-1.0.0");
    let file = Builder::new().put("a", array(1)).put("b", array(2)).put("mine", mine);
    file.write_file(folder.path("d.asdf"), false).expect("written");
    let said = folder.run("convert d.asdf e.asdf /mine /b").err;
    assert!(said.contains("if they name blocks by number"), "{said}");
    assert_eq!(blocks("e.asdf"), [vec![2; 4]]);
    assert_eq!(folder.run("convert d.asdf f.asdf /b").err, "");
}
