//! The built binary on parts of ASDF trees that stand at several places: by anchors, and by references.

use crate::kit::Folder;

/// A file of a tree alone.
fn tree(folder: &Folder, name: &str, lines: &[&str]) {
    let head = "#ASDF 1.0.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";
    folder.write(name, format!("{head}{}\n...\n", lines.join("\n")));
}

/// A tree of few nodes and very many paths.
fn laughs(first: &str) -> Vec<String> {
    let mut lines = vec![format!("a: &a [{first}, x, x, x, x, x, x, x, x]")];
    for (name, before) in ('b'..='k').zip('a'..) {
        let (list, dict) =
            (format!("[{}]", vec![format!("*{before}"); 8].join(", ")), "{k: 1, l: {}}");
        lines.push(format!("{name}: &{name} {{m: {list}, n: &{name}n {dict}, o: *{name}n}}"));
    }
    lines
}

#[test]
fn what_is_shared_is_listed_once() {
    let folder = Folder::empty();
    let array = "!core/ndarray-1.1.0 [1, 2]";
    tree(
        &folder,
        "t.asdf",
        &[
            &format!("a: &a {{x: &x {array}, y: [1]}}"),
            "b: *a",
            "c: [*x, *a]",
            "d: {y: &y 5, z: *y}",
        ],
    );
    let listed = folder.done("ls t.asdf");
    assert_eq!(listed.matches("same as /a\n").count(), 2, "{listed}");
    assert!(!listed.contains("/b/x") && listed.contains("/c/0 ") && listed.contains("/d/z"));
    let dumped = folder.done("dump t.asdf");
    assert_eq!(dumped.matches(" = same as /a\n").count(), 2, "{dumped}");
    let rows = folder.json("ls t.asdf --format json");
    let b = &rows["containers"].as_array().expect("rows")[3];
    assert_eq!((&b["path"], &b["same_as"], &b["length"]), (&"/b".into(), &"/a".into(), &2.into()));
    assert_eq!(rows["items"].as_array().map(Vec::len), Some(5), "{rows}");
    // Below a path it is listed where it first stands there.
    let listed = folder.done("ls t.asdf /b");
    assert!(listed.contains("/b/y/0") && !listed.contains("same as"), "{listed}");
    // Values have it in full.
    assert_eq!(folder.done("dump t.asdf /b --nested"), "{\"x\": [1, 2], \"y\": [1]}\n");
}

#[test]
fn few_nodes_take_few_steps_however_many_paths_there_are() {
    let folder = Folder::empty();
    let (one, other) = (laughs("x"), laughs("y"));
    tree(&folder, "t.asdf", &one.iter().map(String::as_str).collect::<Vec<_>>());
    tree(&folder, "u.asdf", &other.iter().map(String::as_str).collect::<Vec<_>>());
    for words in ["ls t.asdf --all", "ls t.asdf --format json", "dump t.asdf", "verify t.asdf"] {
        let shown = folder.done(words);
        assert!(shown.len() < 40_000, "{words}: {}", shown.len());
    }
    folder.done("diff t.asdf t.asdf");
    folder.done("convert t.asdf v.asdf");
    folder.done("diff t.asdf v.asdf");
    let found = folder.finds("diff t.asdf u.asdf");
    assert_eq!(found.matches("/a/0").count(), 1, "{found}");
}

#[test]
fn what_is_shared_in_one_file_alone_is_compared_in_full() {
    let folder = Folder::empty();
    tree(&folder, "t.asdf", &["a: &a {x: 1, y: [2, 3]}", "b: *a", "c: [*a, *a]", "d: 1"]);
    let apart = |c: &str| {
        tree(&folder, "u.asdf", &["a: {x: 1, y: [2, 3]}", "b: {x: 1, y: [2, 3]}", c, "d: 1"]);
    };
    apart("c: [{x: 1, y: [2, 3]}, {x: 1, y: [2, 3]}]");
    folder.done("diff t.asdf u.asdf");
    folder.done("diff u.asdf t.asdf");
    apart("c: [{x: 1, y: [2, 3]}, {x: 1, y: [2, 4]}]");
    for words in ["diff t.asdf u.asdf", "diff u.asdf t.asdf"] {
        let found = folder.finds(words);
        assert!(found.contains("/c/1/y/1") && found.matches("/c/").count() == 1, "{found}");
    }
    // Shared otherwise, in another order.
    tree(
        &folder,
        "v.asdf",
        &["d: 1", "c: [&a {x: 1, y: [2, 3]}, &b {y: [2, 5], x: 1}]", "b: *b", "a: *a"],
    );
    for words in ["diff t.asdf v.asdf", "diff v.asdf t.asdf"] {
        let found = folder.finds(words);
        assert!(found.matches("/y/1").count() == 1, "{found}");
    }
    // A pattern may leave out the place where it would have been compared.
    tree(&folder, "w.asdf", &["a: &a {x: 7, y: [2, 3]}", "b: *a", "c: [*a, *a]", "d: 1"]);
    let found = folder.finds("diff t.asdf w.asdf --ignore /a/*");
    assert_eq!(found.matches("/x").count(), 3, "{found}");
    let found = folder.finds("diff t.asdf w.asdf");
    assert_eq!(found.matches("/x").count(), 1, "{found}");
}

#[test]
fn a_reference_that_leads_nowhere_leaves_the_rest() {
    let folder = Folder::empty();
    tree(
        &folder,
        "t.asdf",
        &["a: 1", "b: [{$ref: '#/none'}, {$ref: '#/a'}]", "c: {$ref: 'no.asdf#/x'}"],
    );
    let said = folder.run("dump t.asdf --nested");
    assert_eq!(said.status, 1);
    let shown: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!((&shown["a"], &shown["b"][1]), (&1.into(), &1.into()));
    assert!(shown["b"][0]["error"].as_str().is_some_and(|why| why.contains("no key `none`")));
    assert!(shown["c"]["error"].is_string(), "{shown}");
    assert!(said.err.contains("`/b/0`") && said.err.contains("`/c`"), "{}", said.err);
    // So it is with what cannot be read.
    let array = "!core/ndarray-1.1.0 {source: 3, datatype: int8, byteorder: little, shape: [2]}";
    tree(&folder, "u.asdf", &["a: 1", &format!("b: {array}")]);
    let said = folder.run("dump u.asdf --nested");
    assert!(said.status == 1 && said.out.starts_with("{\"a\": 1, \"b\": {\"error\": "), "{said:?}");
}

#[test]
fn circles_are_told() {
    let folder = Folder::empty();
    let told = |lines: &[&str], path: &str, target: &str| {
        tree(&folder, "t.asdf", lines);
        let found = folder.done("verify t.asdf");
        let wanted =
            format!("warning[bad-reference]: `{path}`: the reference leads back to `{target}`");
        assert_eq!(found.matches("bad-reference").count(), 1, "{found}");
        assert!(found.contains(&wanted), "{found}");
        let shown = folder.run("dump t.asdf --nested");
        assert!(shown.status == 1 && shown.out.len() < 1000, "{shown:?}");
        assert!(shown.err.contains("leads back to"), "{}", shown.err);
        assert!(shown.out.contains("\"z\": 7"), "{}", shown.out);
    };
    told(&["a: {x: {$ref: '#/a'}}", "z: 7"], "/a/x", "/a");
    told(&["a: {x: [{$ref: '#'}]}", "z: 7"], "/a/x/0", "/");
    told(
        &["a: {x: {$ref: '#/b'}}", "b: {y: {$ref: '#/c'}}", "c: {$ref: '#/a'}", "z: 7"],
        "/b/y",
        "/a",
    );
    told(&["a: {x: {$ref: '#/b'}}", "b: {y: {$ref: '#/a/x'}}", "z: 7"], "/b/y", "/b");
    // Neither two references to one thing are a circle, nor one to what is beside it.
    tree(
        &folder,
        "t.asdf",
        &["a: {x: {$ref: '#/b'}, y: {$ref: '#/b'}}", "b: {c: {$ref: '#/d'}}", "d: [1]"],
    );
    assert!(!folder.done("verify t.asdf").contains("bad-reference"));
}
