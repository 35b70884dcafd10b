//! Trees that stand in themselves, by aliases: every command reads them, and comes to an end.

use crate::kit::Folder;
use asdf_bridge::asdf::{AsdfFile, Update};

/// A file with this in its tree, as text.
fn tree(body: &str) -> String {
    format!(
        "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- {body}...\n"
    )
}

/// What Python's `asdf` writes of a mapping and a list that stand in themselves.
const ROUND: &str = "!core/asdf-1.1.0\nd: &id001\n  self: *id001\n  x: !core/ndarray-1.1.0 [7, 8]\n\
                     l: &id002 [1, 2, *id002]\nm:\n  a:\n    b: *id001\n";

#[test]
fn paths_go_round_and_the_same_is_named() {
    let folder = Folder::with(&[("a.asdf", tree(ROUND).as_str())]);
    let listed = folder.done("ls a.asdf");
    for (path, same) in [("/d/self/", "/d"), ("/l/2/", "/l"), ("/m/a/b/", "/d")] {
        let line = listed.lines().find(|line| line.starts_with(path)).expect(path);
        assert!(line.ends_with(&format!("same as {same}")), "{line}");
    }
    for path in ["/d/x", "/d/self/self/x", "/m/a/b/self/x"] {
        assert_eq!(folder.done(&format!("get a.asdf {path}")), "<i8[2]\n[7, 8]\n");
    }
    assert_eq!(folder.done("get a.asdf /l/2/2/0"), "1\n");
    let dumped = folder.done("dump a.asdf");
    assert!(dumped.contains("/d/self = same as /d\n"), "{dumped}");
    assert!(folder.done("stat a.asdf").contains("/m/a/b/x"));
    assert!(folder.done("verify a.asdf").contains("0 errors, 0 warnings"));
    folder.done("diff a.asdf a.asdf");
    let nested = folder.run("dump --nested a.asdf");
    assert_eq!(nested.status, 1);
    assert!(nested.err.contains("`/d/self`: the reference leads back to `/d`"), "{}", nested.err);
}

#[test]
fn copies_in_asdf_and_finf_keep_anchors() {
    let folder = Folder::with(&[("a.asdf", tree(ROUND).as_str())]);
    folder.done("convert a.asdf b.asdf");
    folder.done("salvage a.asdf s.asdf");
    folder.done("convert a.asdf p.asdf /d /m /l");
    for name in ["b.asdf", "s.asdf", "p.asdf"] {
        folder.done(&format!("diff a.asdf {name} --ignore /asdf_library* --ignore /history*"));
        let file = AsdfFile::open(folder.path(name)).expect("it opens");
        let at = |path: &str| file.get(path).expect(path);
        assert!(at("/d").node().is_same(at("/d/self/self").node()), "{name}");
        assert!(at("/d").node().is_same(at("/m/a/b").node()), "{name}");
        assert!(at("/l").node().is_same(at("/l/2").node()), "{name}");
        assert_eq!(at("/d").node().anchor(), Some("id001"), "{name}");
    }
    folder.done("convert a.asdf b.finf");
    folder.done("diff b.asdf b.finf --ignore /asdf_library* --ignore /history*");
    // A part within what stands around it has a copy of that.
    folder.done("convert a.asdf p.asdf /m/a --force");
    let file = AsdfFile::open(folder.path("p.asdf")).expect("it opens");
    let at = |path: &str| file.get(path).expect(path);
    assert!(at("/m/a/b").node().is_same(at("/m/a/b/self").node()));
    for changed in ["self: 1", "self: {self: *id001}"] {
        let other = ROUND.replace("self: *id001", changed);
        folder.write("other.asdf", tree(&other));
        assert_eq!(folder.run("diff a.asdf other.asdf").status, 1, "{changed}");
        assert_eq!(folder.run("diff other.asdf a.asdf").status, 1, "{changed}");
    }
}

#[test]
fn other_formats_leave_out_what_stands_in_itself() {
    let folder = Folder::with(&[("a.asdf", tree(ROUND).as_str())]);
    for to in ["a.bd", "a.npz", "folder"] {
        let said = folder.run(&format!("convert a.asdf {to}"));
        assert_eq!(said.status, 0, "{}", said.err);
        let what =
            "`/d/self`, `/l/2`, `/m/a/b/self` of the tree stand in themselves, and are left out";
        assert!(said.err.contains(what), "{to}: {}", said.err);
    }
    assert_eq!(folder.done("get a.bd /d/x"), "<i8[2]\n[7, 8]\n");
    let said = folder.ends(1, "diff a.asdf a.bd");
    assert!(
        said.contains("/d/self: a dict or list that stands in itself in a.asdf only"),
        "{said}"
    );
}

#[test]
fn a_tree_that_stands_in_itself_is_edited() {
    let folder = Folder::with(&[("a.asdf", tree(ROUND).as_str())]);
    let mut update = Update::open(folder.path("a.asdf")).expect("it opens");
    update.set("/d/self/self/y", 5).expect("a new key");
    update.remove("/l/2/0").expect("an item");
    update.remove("/d").expect("a key");
    update.commit().expect("written");
    let file = AsdfFile::open(folder.path("a.asdf")).expect("it opens");
    let at = |path: &str| file.get(path).expect(path);
    assert_eq!(at("/m/a/b/self/self/y").node().as_i64(), Some(5));
    assert!(at("/m/a/b").node().is_same(at("/m/a/b/self").node()));
    assert_eq!(at("/l/1/1/0").node().as_i64(), Some(2));
}

#[test]
fn whatever_stands_in_itself_every_command_comes_to_an_end() {
    let nested: String = (0..40).map(|at| format!("{{k: &n{at} ")).collect();
    let back: String = (0..40).map(|at| format!("b{at}: *n{at}, ")).collect();
    let closed = format!("{nested}{{{back}}}{}\n", "}".repeat(40));
    for body in [
        "&r [*r]\n",
        "&r {a: *r, b: [*r, {c: *r}]}\n",
        "\nx: &x !core/ndarray-1.1.0 [*x]\n",
        "\nx: !core/ndarray-1.1.0 {data: &x [*x, *x]}\n",
        "\nx: !core/ndarray-1.1.0 {data: [[1]], datatype: &d [{name: a, datatype: *d}]}\n",
        "\nx: &x !core/ndarray-1.1.0 {data: [1], mask: *x, more: *x}\n",
        "\nx: &x !core/ndarray-1.1.0 {source: 0, datatype: int8, byteorder: little, shape: [1], mask: *x}\n",
        "\nx: &x !core/ndarray-1.1.0 {source: 0, datatype: int8, byteorder: little, shape: [0], more: {of: *x}}\n",
        "\nx: &x !core/chunked-ndarray-1.0.0 {shape: [1], datatype: int8, chunks: [{start: [0], ndarray: *x}]}\n",
        "\nx: &x !core/integer-1.1.0 {sign: +, words: *x}\n",
        "\nx: &x !unit/quantity-1.2.0 {unit: m, value: *x}\n",
        "\nx: &x {a: {$ref: '#/x/b'}, b: &b {c: *x, d: *b}}\n",
        "\nhistory: &h {entries: [*h], extensions: *h}\n",
        "\nx: &x\n  ? [*x]\n  : *x\n",
        closed.as_str(),
    ] {
        let folder = Folder::with(&[("a.asdf", tree(body).as_str())]);
        for words in [
            "ls a.asdf",
            "ls a.asdf --format json",
            "dump a.asdf",
            "dump --nested a.asdf",
            "dump --exact a.asdf",
            "stat a.asdf",
            "verify a.asdf",
            "describe a.asdf",
            "get a.asdf /x",
            "diff a.asdf a.asdf",
            "convert a.asdf b.asdf",
            "convert a.asdf b.finf",
            "convert a.asdf b.bd",
            "convert a.asdf b.npz",
            "convert a.asdf p.asdf /x",
            "salvage a.asdf s.asdf",
        ] {
            let said = folder.run(words);
            assert!((0..=1).contains(&said.status), "{body}{words}: {}", said.err);
            assert!(!said.err.contains("panicked"), "{body}{words}: {}", said.err);
        }
    }
    // What names no anchor is an error still, and so is what cannot be merged.
    for (body, why) in
        [("[*a, &a 1]\n", "unknown"), ("&a {<<: *a}\n", "merges a mapping that it is a part of")]
    {
        let folder = Folder::with(&[("a.asdf", tree(body).as_str())]);
        let said = folder.fails("ls a.asdf", 1);
        assert!(said.contains("the tree at line 5") && said.contains(why), "{said}");
    }
}

/// What is picked by itself comes without what it stands in, which says the unit.
#[test]
fn what_is_picked_keeps_the_unit_that_stands_beside_it() {
    let text = "q: !unit/quantity-1.2.0 {value: !core/ndarray-1.1.0 [1.5, 2.5], unit: m}\n\
                t: {data: !core/ndarray-1.1.0 [3.5, 4.5], unit: s}\n";
    let head = "#ASDF 1.0.0\n#ASDF_STANDARD 1.6.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n---\n";
    let folder = Folder::with(&[("a.asdf", &format!("{head}{text}...\n"))]);
    for (path, item, unit) in [
        ("/q", "/q", "m"),
        ("/q/value", "/q/value", "m"),
        ("/t/data", "/t/data", "s"),
        ("/t/data[1:]", "/t/data", "s"),
    ] {
        folder.done(&["convert", "a.asdf", "a.bd", path, "--force"][..]);
        let listed = folder.json("ls a.bd --format json");
        let row = &listed["items"][0];
        assert_eq!((&row["path"], &row["unit"]), (&item.into(), &unit.into()), "{path}: {row}");
    }
}
