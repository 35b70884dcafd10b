//! `dudc convert IN OUT PATH…`: parts keep their names, units and values whatever they are parts of, and no two of them are
//! one.

use crate::kit::Folder;

/// A stream `a.bd` that is packed with its layout.
#[track_caller]
fn stream(layout: &str, values: &str) -> Folder {
    let folder = Folder::with(&[("a.dud", layout), ("a.json", values)]);
    folder.done("pack a.dud -o a.bd --data a.json --attach");
    folder
}

#[test]
fn a_part_has_the_unit_of_what_it_is() {
    let folder = stream(
        "s = {a = f4[2]  ## (K) temp\nb = i2}[2]  ## (m) rows\nl [/ x = f8[3]  ## (cm) where\n]*2\n",
        r#"{"s": [{"a": [1, 2], "b": 3}, {"a": [4, 5], "b": 6}], "l": [{"x": [1, 2, 3]}, {"x": [4, 5, 6]}]}"#,
    );
    for (path, unit) in [
        ("/s.a", Some("K")),
        ("/s[0].a", Some("K")),
        ("/s[1:]", Some("m")),
        ("/s.b", None),
        ("/l[1]/x[0:2]", Some("cm")),
        ("/l/1/x[0:2]", Some("cm")),
    ] {
        for out in ["x.asdf", "x.finf", "x.bd"] {
            if out == "x.finf" && path == "/s[1:]" {
                continue; // It has no structs.
            }
            folder.done(&format!("convert a.bd {out} {path} --force"));
            let listed = folder.json(&["ls", out, "--format", "json"]);
            let rows = listed["items"].as_array().expect("rows");
            let found = rows.iter().find_map(|row| row["unit"].as_str());
            assert_eq!(found, unit, "{path} in {out}");
        }
    }
}

#[test]
fn an_index_in_brackets_is_a_name() {
    let folder = stream(
        "l [/ x = f8[3] ]*2\ng/\n  m [u1[4]]*3\n  ..\n",
        r#"{"l": [{"x": [1, 2, 3]}, {"x": [4, 5, 6]}], "g": {"m": [[1, 2, 3, 4], [5, 6, 7, 8], [9, 8, 7, 6]]}}"#,
    );
    for (brackets, slash) in [
        ("/l[1]/x[0:1]", "/l/1/x[0:1]"),
        ("/l[-1]/x[0:1]", "/l/1/x[0:1]"),
        ("/g/m[2, 1:3]", "/g/m/2[1:3]"),
        ("/g/m[2][1:3]", "/g/m/2[1:3]"),
    ] {
        for out in ["npz", "asdf", "finf", "bd"] {
            for (name, path) in [("brackets", brackets), ("slash", slash)] {
                folder.done(
                    ["convert", "a.bd", &format!("{name}.{out}"), path, "--force"].as_slice(),
                );
            }
            assert_eq!(
                folder.bytes(&format!("brackets.{out}")),
                folder.bytes(&format!("slash.{out}")),
                "{brackets} in .{out}"
            );
        }
    }
}

#[test]
fn two_parts_of_one_name_are_refused_in_all_formats() {
    let folder = stream(
        "N : i4\ng/\n  rho = f8[2, 3]\n  \"a/b\" = u1\n  ..\n",
        r#"{":N": 1, "g": {"rho": [[1, 2, 3], [4, 5, 6]], "a/b": 1}}"#,
    );
    folder.done("convert a.bd a.asdf");
    for source in ["a.bd", "a.asdf"] {
        for (paths, named) in [
            (["/g/rho[0]", "/g/rho[1]"], "/g/rho"),
            (["/g", "/g/rho"], "/g/rho"),
            (["/g/rho", "/g"], "/g"),
            (["/g/\"a/b\"", "/g/\"a/b\""], "/g/\"a/b\""),
        ] {
            for out in ["x.npz", "x", "x.bd", "x.asdf", "x.finf"] {
                // Whole items that go from a stream to a stream stay what they are together.
                if source == "a.bd" && out == "x.bd" && !paths[0].ends_with(']') {
                    continue;
                }
                let said = folder.fails(["convert", source, out, paths[0], paths[1]].as_slice(), 1);
                assert!(
                    said.contains(&format!("`{named}"))
                        && said.contains("is picked twice, or is in what is picked"),
                    "{source} {paths:?} {out}: {said}"
                );
                assert!(!folder.path(out).exists(), "{source} {paths:?} {out}");
            }
        }
    }
    // Arrays that need the same param are not two of it.
    let folder = stream("N : i4\na = f8[N]\nb = f8[N]\n", r#"{"N": 1, "a": [1], "b": [2]}"#);
    folder.done("convert a.bd x.bd /a /b");
    folder.done("diff a.bd x.bd");
}
