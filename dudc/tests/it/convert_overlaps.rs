//! Fields of structs that share bytes: what is written has the values of all of them, or is refused.

use crate::kit::Folder;

/// Structs whose fields share bytes: two types of the same ones, and one within another.
const LAYOUT: &str = "s = {a = u4  b = u1[4] @0}[2]\nt = {a = u4  b = u4 @0}[2]\nu = {n = u1  c = {x = u2 @2  y = u2[2] @2}}[2]\n";

const VALUES: &str = r#"{"s": [{"a": 67305985, "b": [1, 2, 3, 4]}, {"a": 0, "b": [0, 0, 0, 0]}],
    "t": [{"a": 1, "b": 1}, {"a": 2, "b": 2}], "u": [{"n": 1, "c": {"x": 2, "y": [2, 3]}}, {"n": 1, "c": {"x": 4, "y": [4, 5]}}]}"#;

fn stream(values: &str) -> Folder {
    let folder = Folder::with(&[("a.dud", LAYOUT), ("a.json", values)]);
    folder.done("pack a.dud -o a.bd --data a.json --attach");
    folder
}

#[test]
fn overlapping_fields_keep_their_values_or_are_refused() {
    let folder = stream(VALUES);
    for (path, same) in
        [("/s", false), ("/s[0]", false), ("/s[1:]", true), ("/t", true), ("/u[:1]", true)]
    {
        let value = |file: &str, path: &str| {
            folder.json(&["get", file, path, "--format", "json"])["value"].clone()
        };
        for order in ["big", "little"] {
            let out = format!("{order}.bd");
            let words = ["convert", "a.bd", &*out, path, "--order", order, "--force"];
            if same || order == "little" {
                folder.done(words.as_slice());
                let (name, _) = path.split_at(2);
                assert_eq!(value(&out, name), value("a.bd", path), "{path} {order}");
            } else {
                let said = folder.fails(words.as_slice(), 1);
                assert!(said.contains("another field has in the same bytes"), "{path}: {said}");
            }
        }
    }
    // The whole stream, by its own layout.
    let said = folder.fails("convert a.bd all.bd --order big", 1);
    assert!(said.contains("`/s") && said.contains("another field has in the same bytes"), "{said}");
    folder.done("convert a.bd same.bd --order little");
    folder.done("diff a.bd same.bd");
}

#[test]
fn values_that_differ_where_fields_overlap_are_refused() {
    for (field, values) in [
        ("`/s.b`", VALUES.replace("[1, 2, 3, 4]", "[1, 2, 3, 5]")),
        ("`/t.b`", VALUES.replace(r#""b": 2}"#, r#""b": 3}"#)),
        ("`/u.c.y`", VALUES.replace("[4, 5]", "[3, 5]")),
    ] {
        let folder = Folder::with(&[("a.dud", LAYOUT), ("a.json", &values)]);
        let said = folder.fails("pack a.dud -o a.bd --data a.json --attach", 1);
        assert!(
            said.contains(field) && said.contains("another field has in the same bytes"),
            "{said}"
        );
    }
    // Structs of variable size.
    let folder = Folder::with(&[
        ("v.dud", "v = {n : u1  a = u2[n] @2  b = u1[2] @2}[1]\n"),
        ("right.json", r#"{"v": [{"n": 1, "a": [513], "b": [1, 2]}]}"#),
        ("wrong.json", r#"{"v": [{"n": 1, "a": [514], "b": [1, 2]}]}"#),
    ]);
    folder.done("pack v.dud -o right.bd --data right.json --attach");
    let said = folder.fails("pack v.dud -o wrong.bd --data wrong.json", 1);
    assert!(said.contains("another field has in the same bytes"), "{said}");
    folder.fails("convert right.bd big.bd --order big", 1);
}
