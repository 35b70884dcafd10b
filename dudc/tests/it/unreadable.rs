//! The built binary on files of which some nodes cannot be obtained: nothing is taken for what it is not, and all is reported.

use serde_json::Value;

use crate::kit::Folder;

fn tree(folder: &Folder, name: &str, lines: &[&str]) {
    let head = "#ASDF 1.0.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";
    folder.write(name, format!("{head}{}\n...\n", lines.join("\n")));
}

const GOOD: &str = "x: !core/ndarray-1.1.0 [1, 2]";
/// Of no type that is known.
const UNTYPED: &str = "{data: [3, 4], datatype: nonsense, shape: [2]}";
/// Whose block is not there.
const BLOCKLESS: &str = "{source: 9, datatype: int32, byteorder: little, shape: [2]}";

#[test]
fn an_array_beside_one_that_cannot_be_had_is_not_the_only_one() {
    let folder = Folder::empty();
    for bad in [UNTYPED, BLOCKLESS] {
        tree(&folder, "t.asdf", &[GOOD, &format!("y: !core/ndarray-1.1.0 {bad}")]);
        for out in ["o.npy", "o.b2nd"] {
            let said = folder.run(&format!("convert t.asdf {out}"));
            assert!(said.status != 0 && !folder.path(out).exists(), "{bad}: {out}: {said:?}");
        }
    }
}

#[test]
fn all_that_cannot_be_compared_is_counted() {
    let folder = Folder::empty();
    let lines: Vec<String> =
        (0..13).map(|at| format!("x{at}: !core/ndarray-1.1.0 {UNTYPED}")).collect();
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    tree(&folder, "t.asdf", &lines);
    tree(&folder, "u.asdf", &[GOOD]);
    folder.done("convert u.asdf s.bd");
    for (words, errors) in [("t.asdf t.asdf", 26), ("t.asdf u.asdf", 13), ("s.bd t.asdf", 13)] {
        let told = folder.json(&format!("diff {words} --format json"));
        assert_eq!(told["errors"], errors, "{words}");
        let said = folder.fails(&format!("diff {words}"), 1);
        let more = format!("… and {} more", errors - 10);
        assert!(said.contains(&more), "{words}: {said}");
    }
    assert!(folder.fails("stat t.asdf", 1).contains("… and 3 more"));
}

#[test]
fn one_item_of_a_list_is_dumped_as_it_is() {
    let folder = Folder::empty();
    tree(&folder, "t.asdf", &["l: [7, 8, 9]", "n: [[1, 2], [3, 4]]"]);
    for (path, shown) in [
        ("/l[0]", "7"),
        ("/l/0", "7"),
        ("/l[0:1]", "[7]"),
        ("/l[1:]", "[8, 9]"),
        ("/n[1]", "[3, 4]"),
        ("/n[1,0]", "3"),
        ("/n[:,0]", "[1, 3]"),
        ("/n[1][0]", "3"),
    ] {
        assert_eq!(
            folder.done(&["dump", "t.asdf", path, "--nested"]),
            format!("{shown}\n"),
            "{path}"
        );
    }
}

#[test]
fn rows_say_why_they_have_no_value() {
    let folder = Folder::empty();
    let lines = [GOOD, &format!("y: !core/ndarray-1.1.0 {BLOCKLESS}"), "z: 1"];
    tree(&folder, "t.asdf", &lines);
    // An array whose data cannot be decoded, though all that is said of it can be obtained.
    let head = "#ASDF 1.0.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";
    let array = "{source: 0, datatype: int32, byteorder: little, shape: [2]}";
    let mut bytes =
        format!("{head}{GOOD}\ny: !core/ndarray-1.1.0 {array}\nz: 1\n...\n").into_bytes();
    bytes.extend(b"\xd3BLK\0\x30\0\0\0\0zlib");
    bytes.extend([4_u64, 4, 8].map(u64::to_be_bytes).concat());
    bytes.extend([[0; 16], *b"no zlib at all!!"].concat());
    bytes.truncate(bytes.len() - 12);
    folder.write("z.asdf", bytes);
    for file in ["t.asdf", "z.asdf"] {
        for words in ["dump --format json", "dump --exact"] {
            let said = folder.run(&format!("{words} {file}"));
            let told: Value = serde_json::from_str(&said.out).expect("JSON");
            assert_eq!(said.status, 1, "{file} {words}: {said:?}");
            let rows = told["items"].as_array().expect("rows");
            assert_eq!(rows.len(), 3, "{file} {words}");
            for row in rows {
                let is_bad = row["path"] == "/y";
                assert_eq!(row.get("error").is_some_and(Value::is_string), is_bad, "{file}: {row}");
                assert_eq!(row.get("value").is_none(), is_bad, "{file}: {row}");
            }
        }
    }
}

#[test]
fn a_listing_shows_what_is_known_of_what_cannot_be_had() {
    let folder = Folder::empty();
    let masked = BLOCKLESS.replace('}', ", mask: 7}");
    for (bad, shown, why) in [
        (UNTYPED, &["?", "km"][..], "nonsense"),
        (&*masked, &["i4", "[2]", "?", "km", "masked"], "block 9"),
    ] {
        let quantity = format!("{{unit: km, value: !core/ndarray-1.1.0 {bad}}}");
        tree(&folder, "t.asdf", &[GOOD, &format!("y: !unit/quantity-1.2.0 {quantity}")]);
        let said = folder.run("ls t.asdf");
        let row = said.out.lines().find(|line| line.contains("/y/value")).expect("a row");
        for known in shown {
            assert!(row.contains(known), "{known}: {row}");
        }
        assert!(said.status == 1 && said.err.contains(why), "{said:?}");
    }
}
