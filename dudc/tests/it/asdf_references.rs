//! The built binary on references (`$ref`) of ASDF trees: what they lead to stands under the path by which it is
//! requested, and bytes are those of the file that has them.

use crate::kit::Folder;

const HEAD: &str = "#ASDF 1.0.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";

/// A file of this tree, with one block of these floats.
fn with_block(lines: &[&str], values: &[f64]) -> Vec<u8> {
    let mut bytes = format!("{HEAD}{}\n...\n", lines.join("\n")).into_bytes();
    bytes.extend(b"\xd3BLK\0\x30\0\0\0\0\0\0\0\0");
    for _ in 0..3 {
        bytes.extend((8 * values.len() as u64).to_be_bytes());
    }
    bytes.extend([0; 16]);
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    bytes
}

const STORED: &str =
    "!core/ndarray-1.1.0 {source: 0, datatype: float64, byteorder: little, shape: [3]}";

/// `main.asdf` refers to itself and to `other.asdf`, whose block holds 1, 2 and 3, and has as many bytes as its own, of 7.
fn folder() -> Folder {
    let quantity = format!("q: !unit/quantity-1.1.0 {{value: {STORED}, unit: m}}");
    let other =
        with_block(&[&format!("b: {STORED}"), "k: {x: 4, y: [5, 6]}", &quantity], &[1.0, 2.0, 3.0]);
    let main = with_block(
        &[
            "a: {$ref: 'other.asdf#/b'}",
            &format!("b: {STORED}"),
            "k: {x: !core/ndarray-1.1.0 [8, 9], y: 1}",
            "m: {$ref: 'other.asdf#/k'}",
            "loc: {$ref: '#/k'}",
            "list: [{$ref: 'other.asdf#/q'}, {$ref: '#/b'}]",
        ],
        &[7.0; 3],
    );
    Folder::with::<[u8]>(&[("main.asdf", &main), ("other.asdf", &other)])
}

#[test]
fn bytes_of_another_file_are_not_shown_as_those_of_this_one() {
    let folder = folder();
    let main = folder.bytes("main.asdf");
    // Where the block of the other file begins there is something in this one, too.
    folder.write("main.asdf", [&main[..], &[0x51; 4096]].concat());
    for (path, own) in [("/a", "/b"), ("/m", "/k"), ("/list/0", "/q/value"), ("/a[1:]", "/b")] {
        let said = folder.run(&["dump", "main.asdf", path, "--hex"]);
        assert_eq!((said.status, said.out.as_str()), (1, ""), "{path}: {}", said.err);
        if path != "/m" {
            assert!(said.err.contains("`other.asdf`"), "{path}: {}", said.err);
            assert!(
                said.err.contains(&format!("dudc dump other.asdf {own} --hex")),
                "{}",
                said.err
            );
        }
    }
    assert!(folder.done("dump main.asdf /list/1 --hex").contains("7.0"));
    assert!(folder.done("dump other.asdf /b --hex").contains("3.0"));
}

#[test]
fn listings_have_no_addresses_of_another_file() {
    let folder = folder();
    let listed = folder.json("ls main.asdf --format json");
    let items = listed["items"].as_array().expect("items");
    let item = |path: &str| items.iter().find(|item| item["path"] == path).expect(path);
    for path in ["/a", "/m/x", "/m/y/1", "/list/0/value", "/list/0/unit"] {
        assert_eq!(item(path)["source"], "other.asdf", "{path}");
        assert!(item(path).get("address").is_none() && item(path).get("block").is_none(), "{path}");
    }
    for path in ["/b", "/list/1"] {
        assert!(item(path)["address"].is_u64() && item(path)["block"] == 0, "{path}");
    }
    assert_eq!(item("/list/0/value")["unit"], "m");
    let table = folder.done("ls main.asdf /a");
    assert!(
        table.contains("/a ") && table.contains("other.asdf") && !table.contains("block"),
        "{table}"
    );
}

#[test]
fn what_references_lead_to_has_the_path_by_which_it_is_asked_for() {
    let folder = folder();
    assert_eq!(folder.done("dump main.asdf /loc"), "/loc/x = <i8[2]\n[8, 9]\n/loc/y = 1\n");
    assert!(folder.done("dump main.asdf /a").starts_with("/a = <f8[3]\n[1.0, 2.0, 3.0]"));
    let stat = folder.done("stat main.asdf");
    for path in ["/a ", "/b ", "/k/x ", "/loc/x ", "/list/0/value ", "/list/1 "] {
        assert!(stat.contains(path), "{path}: {stat}");
    }
    // Two arrays that are both `/b` where they stand.
    folder.done("convert main.asdf two.bd /a /b");
    assert!(folder.done("get two.bd /a").contains("[1.0, 2.0, 3.0]"));
    assert!(folder.done("get two.bd /b").contains("[7.0, 7.0, 7.0]"));
    folder.done("convert main.asdf two.asdf /a /b");
    assert!(folder.done("get two.asdf /a").contains("[1.0, 2.0, 3.0]"));
    assert!(folder.done("get two.asdf /b").contains("[7.0, 7.0, 7.0]"));
    // All of it: as each stands there, with units.
    folder.done("convert main.asdf all.bd");
    for (path, wanted) in [
        ("/a", "[1.0, 2.0, 3.0]"),
        ("/m/x", "4"),
        ("/loc/x", "[8, 9]"),
        ("/list/0", "[1.0, 2.0, 3.0]"),
    ] {
        assert!(folder.done(&["get", "all.bd", path]).contains(wanted), "{path}");
    }
    assert!(folder.done("ls all.bd /list/0").contains(" m"));
    assert_eq!(folder.done("diff main.asdf all.bd"), "");
    assert_eq!(folder.done("diff main.asdf main.asdf"), "");
    folder.write("one.asdf", format!("{HEAD}a: {{$ref: '#/c'}}\nc: {{x: 1, y: 2}}\n...\n"));
    folder.write("two.asdf", format!("{HEAD}a: {{x: 3}}\n...\n"));
    let said = folder.run("diff one.asdf two.asdf /a");
    assert_eq!(said.out, "/a/x: 1 and 3 (abs 2, rel 0.666667)\n/a/y: a value in one.asdf only\n");
}

#[test]
fn files_that_are_missing_are_named() {
    let folder = folder();
    std::fs::create_dir(folder.path("far")).expect("a folder");
    // A copy keeps references, which may lead nowhere from there.
    let said = folder.run("convert main.asdf far/copy.asdf");
    assert_eq!(said.status, 0, "{}", said.err);
    assert_eq!(
        said.err.matches("which leads nowhere from what is written").count(),
        3,
        "{}",
        said.err
    );
    assert!(said.err.contains("`/a` refers to `other.asdf#/b`"), "{}", said.err);
    assert_eq!(folder.says("convert main.asdf copy.asdf"), "");
    // What a part refers to may be left out.
    let said = folder.run("convert main.asdf part.asdf /list");
    assert!(said.err.contains("`/list/1` refers to `#/b`"), "{}", said.err);
    std::fs::remove_file(folder.path("other.asdf")).expect("a file");
    for words in ["stat main.asdf", "dump main.asdf", "ls main.asdf", "dump main.asdf --nested"] {
        let said = folder.run(words);
        assert_eq!(said.status, 1, "{words}");
        assert!(said.err.contains("`other.asdf`"), "{words}: {}", said.err);
        assert!(said.out.contains("7"), "{words}: {}", said.out);
    }
    for to in ["no.bd", "no.npz"] {
        let said = folder.run(&["convert", "main.asdf", to]);
        assert!(said.status == 1 && said.err.contains("`other.asdf`"), "{to}: {}", said.err);
        assert!(!folder.path(to).exists(), "{to}");
    }
}

#[test]
fn references_that_lead_back_come_to_an_end() {
    let folder = Folder::empty();
    for body in [
        "a: {x: {$ref: '#/a'}, z: 7}",
        "a: {x: [{$ref: '#'}], z: 7}",
        "a: {x: {$ref: '#/b'}, z: 7}\nb: {y: {$ref: '#/a'}}",
        "a: {x: {$ref: '#/a/x'}, z: 7}",
        "a: {x: &x {y: *x, w: {$ref: '#/a/x'}}, z: 7}",
    ] {
        folder.write("t.asdf", format!("{HEAD}{body}\n...\n"));
        for words in ["ls t.asdf", "ls t.asdf --format json", "dump t.asdf", "stat t.asdf"] {
            let said = folder.run(words);
            assert!(
                (0..=1).contains(&said.status) && said.out.len() < 8000,
                "{body}{words}: {said:?}"
            );
        }
        for words in
            ["diff t.asdf t.asdf", "convert t.asdf o.bd --force", "convert t.asdf o.asdf --force"]
        {
            let said = folder.run(words);
            assert!(
                (0..=1).contains(&said.status) && said.out.len() < 8000,
                "{body}{words}: {said:?}"
            );
        }
    }
}

#[test]
fn what_is_wrong_with_another_file_is_said_of_that() {
    let folder = folder();
    let array = "!core/ndarray-1.1.0 {source: 5, datatype: int8, byteorder: little, shape: [1]}";
    let mask = "!core/ndarray-1.1.0 {data: [1], datatype: int8, mask: [true]}";
    let shape = "!core/ndarray-1.1.0 {data: [1], datatype: int8, shape: [2]}";
    let lines = [format!("b: {array}"), format!("k: {mask}"), format!("q: {shape}")];
    let lines = lines.each_ref().map(String::as_str);
    folder.write("other.asdf", with_block(&lines, &[1.0]));
    for path in ["/a", "/m", "/list/0"] {
        for command in ["get", "stat", "dump", "ls"] {
            let said = folder.run(&[command, "main.asdf", path]);
            assert_eq!(said.status, 1, "{command} {path}: {}", said.out);
            let wanted = "`other.asdf`, which the tree names: ";
            assert!(said.err.contains(wanted), "{command} {path}: {}", said.err);
        }
    }
}

#[test]
fn units_are_those_of_where_things_stand() {
    let folder = Folder::empty();
    let quantity = "q: !unit/quantity-1.1.0 {unit: m, value: !core/ndarray-1.1.0 [1, 2]}";
    let column = "t: {data: !core/ndarray-1.1.0 [3], unit: s, description: about}";
    let own = "b: {unit: K, value: {$ref: '#/t/data'}}";
    let text = [quantity, column, own, "a: {$ref: '#/q/value'}", "c: {$ref: '#/q'}"].join("\n");
    folder.write("t.asdf", format!("{HEAD}{text}\n...\n"));
    folder.done("convert t.asdf o.bd");
    for (path, unit) in [("/a", "m"), ("/c", "m"), ("/q", "m"), ("/b/value", "s")] {
        let listed = folder.json(&["ls", "o.bd", path, "--format", "json"]);
        assert_eq!(listed["items"][0]["unit"], unit, "{path}: {listed}");
    }
    for (path, unit) in [("/a", "m"), ("/c/value", "m"), ("/b/value", "s"), ("/t/data", "s")] {
        let listed = folder.json(&["ls", "t.asdf", path, "--format", "json"]);
        assert_eq!(listed["items"][0]["unit"], unit, "{path}: {listed}");
    }
    assert_eq!(folder.done("diff t.asdf o.bd"), "");
}
