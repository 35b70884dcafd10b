//! Lists of dicts of one shape are columns in files of other formats, and tables.

use crate::kit::Folder;

const LAYOUT: &str = "NT : i8
hist [ /  ## what happened
  S : i4  ## step
  t = f8  ## time
  e = f4[2]
  at/ x = i2[3, 2] ..
  l [u1]*2
]*NT
";

const VALUES: &str = r#"{"NT": 3, "hist": [
    {"S": 1, "t": 0.5, "e": [1, 2], "at": {"x": [[1, 2], [3, 4], [5, 6]]}, "l": [7, 8]},
    {"S": 2, "t": 1.5, "e": [3, 4], "at": {"x": [[2, 2], [3, 4], [5, 6]]}, "l": [9, 10]},
    {"S": 5, "t": 2.5, "e": [5, 6], "at": {"x": [[3, 2], [3, 4], [5, 6]]}, "l": [11, 12]}]}"#;

/// The paths and shapes of the arrays of a file.
fn arrays(folder: &Folder, file: &str) -> Vec<(String, String)> {
    let listed = folder.json(&["ls", file, "--format", "json"]);
    let mut found: Vec<_> = listed["items"]
        .as_array()
        .expect("items")
        .iter()
        .map(|row| (row["path"].as_str().expect("a path").to_owned(), row["shape"].to_string()))
        .collect();
    found.sort();
    found
}

const COLUMNS: [(&str, &str); 5] = [
    ("/hist/S", "[3]"),
    ("/hist/at/x", "[3,3,2]"),
    ("/hist/e", "[3,2]"),
    ("/hist/l", "[3,2]"),
    ("/hist/t", "[3]"),
];

#[test]
fn a_list_of_dicts_is_an_array_for_each_member() {
    let folder = Folder::of(LAYOUT, VALUES, "--attach");
    for file in ["h.npz", "h", "h.asdf", "h.finf", "h.h5"] {
        folder.done(&format!("convert x.bd {file}"));
        let found = arrays(&folder, file);
        for (path, shape) in COLUMNS {
            let has = |it: &&(String, String)| it.0 == path;
            let found = found.iter().find(has).unwrap_or_else(|| panic!("{file}: {found:?}"));
            assert_eq!(found.1.replace(' ', ""), shape, "{file}: {path}");
            let picked = match path {
                "/hist/S" => "/hist[:]/:S".to_owned(),
                "/hist/l" => "/hist[:, :]".replace("[:, :]", "[:]/l[:]"),
                path => path.replacen("/hist", "/hist[:]", 1),
            };
            let [own, other] = [["x.bd", &*picked], [file, path]].map(|[file, path]| {
                folder.json(&["get", file, path, "--format", "json"])["value"].clone()
            });
            assert_eq!(own, other, "{file}: {path}");
        }
        assert_eq!(
            found.iter().filter(|(path, _)| path.starts_with("/hist/")).count(),
            5,
            "{file}"
        );
    }
    // One record is a column as well, of one.
    folder.write(
        "one.json",
        VALUES.split("},\n").next().expect("a record").replace("3,", "1,") + "}]}",
    );
    folder.done("pack x.dud -o one.bd --data one.json --attach");
    folder.done("convert one.bd one.npz");
    assert!(arrays(&folder, "one.npz").contains(&("/hist/t".into(), "[1]".into())));
}

#[test]
fn columns_have_the_dimension_of_their_list() {
    let folder = Folder::of(LAYOUT, VALUES, "--attach");
    for (file, t, l) in [("h.h5", "/hist/t", "/hist/l"), ("h.nc", "/\"hist.t\"", "/\"hist.l\"")] {
        folder.done(&format!("convert x.bd {file}"));
        let listed = folder.json(&["ls", file, "--format", "json"]);
        for path in [t, l] {
            let rows = listed["items"].as_array().expect("items");
            let row = rows.iter().find(|row| row["path"] == path);
            let row = row.unwrap_or_else(|| panic!("{file}: {rows:?}"));
            assert_eq!(row["dims"][0], "NT", "{file}: {row}");
        }
    }
}

#[test]
fn what_paths_pick_of_a_list_is_a_column() {
    let folder = Folder::of(LAYOUT, VALUES, "--attach");
    for file in ["p.npz", "p", "p.h5"] {
        folder.done(&format!("convert x.bd {file} /hist[:2]/t /hist[:2]/:S"));
        let found = arrays(&folder, file);
        for (path, shape) in [("/hist/t", "[2]"), ("/hist/S", "[2]")] {
            assert!(found.contains(&(path.into(), shape.into())), "{file}: {found:?}");
        }
    }
}
#[test]
fn columns_of_any_type_are_images_and_tables_of_fits() {
    let layout =
        "NT : i8\nh = [/ a = u2  b = i1  c = c8  s = S1[3]  p = {x = i2  y = f4}  z = b1]*NT\n";
    let record = |n: u8| {
        format!(
            r#"{{"a": {n}, "b": -{n}, "c": [{n}, 1], "s": "ab{n}", "p": {{"x": {n}, "y": 0.5}}, "z": true}}"#
        )
    };
    let values = format!(r#"{{"h": [{}, {}, {}]}}"#, record(1), record(2), record(3));
    let folder = Folder::of(layout, &values, "--attach");
    for file in ["h.fits", "h.nc"] {
        let said = folder.says(&format!("convert x.bd {file}"));
        assert!(!said.contains("left out"), "{said}");
        let values = |path: &str| {
            folder.json(&["get", file, path, "--scaled", "--format", "json"])["value"].clone()
        };
        let [a, s] = if file == "h.nc" { ["/h.a", "/h.s"] } else { ["/h/a", "/h/s"] };
        let quoted = |path: &str| format!("/\"{}\"", &path[1..]);
        assert_eq!(values(&quoted(a)), serde_json::json!([1, 2, 3]), "{file}");
        assert!(values(&quoted(s)).to_string().contains("ab3"), "{file}");
    }
}

#[test]
fn columns_become_records_through_a_layout() {
    let folder = Folder::of(LAYOUT, VALUES, "--attach");
    folder.done("convert x.bd h.npz");
    folder.done("convert x.bd h");
    folder.done("convert x.bd small.npz --compress");
    for file in ["h.npz", "h", "small.npz"] {
        folder.done(&format!("convert {file} y.bd --layout x.dud --force"));
        assert_eq!(folder.done("diff x.bd y.bd"), "", "{file}");
        folder.done(&format!("pack x.dud -o z.bd --data {file} --attach --force"));
        assert_eq!(folder.done("diff x.bd z.bd"), "", "{file}");
    }
    // How many there are need not be said.
    std::fs::remove_file(folder.path("h/:NT.npy")).expect("removed");
    folder.done("pack x.dud -o z.bd --data h --attach --force");
    assert_eq!(folder.done("diff x.bd z.bd"), "");
    // Columns that differ in length are none.
    folder.done("get x.bd /hist[:2]/t -o h/hist/t.npy --force");
    assert!(folder.ends(1, "pack x.dud -o z.bd --data h --attach --force").contains("/hist/2/t"));
}

#[test]
fn lists_of_structs_text_and_instances_that_differ_in_place() {
    let layout = "NT : i8\nhist = [/ n : u1  s = S1[3]  p = {a = i2  b = f4}  v = {k : u1  \"\" = U1[k]}  x = f8[n]]*NT\n";
    let record = |n: u8, s: &str, v: &str| {
        format!(r#"{{"n": 2, "s": "{s}", "p": {{"a": {n}, "b": 0.5}}, "v": "{v}", "x": [{n}, 1]}}"#)
    };
    let values = format!(
        r#"{{"NT": 3, "hist": [{}, {}, {}]}}"#,
        record(1, "abc", "long text"),
        record(2, "d", ""),
        record(3, "ef", "x")
    );
    let folder = Folder::of(layout, &values, "--attach");
    folder.done("convert x.bd h.npz");
    let shapes = arrays(&folder, "h.npz");
    for (path, shape) in [("/hist/n", "[3]"), ("/hist/p", "[3]"), ("/hist/x", "[3,2]")] {
        assert!(shapes.contains(&(path.into(), shape.into())), "{shapes:?}");
    }
    assert_eq!(folder.done("get h.npz /hist/v"), folder.done("get h.npz /hist/v"));
    folder.done("convert h.npz y.bd --layout x.dud");
    assert_eq!(folder.done("diff x.bd y.bd"), "");
}

#[test]
fn what_differs_stays_apart_and_it_is_said() {
    let layout = "NT : i8\nhist = [/ n : u1  x = f8[n]]*NT\nl = [/ a = u1, / a = u1]\n";
    let values = r#"{"NT": 2, "hist": [{"n": 1, "x": [1]}, {"n": 2, "x": [1, 2]}], "l": [{"a": 1}, {"a": 2}]}"#;
    let folder = Folder::of(layout, values, "--attach");
    for file in ["h.npz", "h.asdf"] {
        let said = folder.says(&format!("convert x.bd {file}"));
        let why = "`/hist`: the items of the list stay apart, as `/hist[:]/x` is not of one shape in all of them";
        assert!(said.contains(why), "{said}");
        let found = arrays(&folder, file);
        for path in ["/hist/0/x", "/hist/1/x", "/l/0/a", "/l/1/a"] {
            assert!(found.iter().any(|(it, _)| it == path), "{file}: {found:?}");
        }
    }
}

#[test]
fn a_table_has_a_line_for_each_record() {
    let folder = Folder::of(LAYOUT, VALUES, "--attach");
    let csv = |words: &str| {
        folder.done(&format!("get x.bd {words} -o t.csv --force"));
        String::from_utf8(folder.bytes("t.csv")).expect("text")
    };
    assert_eq!(csv("/hist[:]/t"), "0.5\n1.5\n2.5\n");
    assert_eq!(csv("/hist[::2]/:S"), "1\n5\n");
    assert_eq!(csv("/hist[:]/e"), "1.0,2.0\n3.0,4.0\n5.0,6.0\n");
    assert_eq!(csv("/hist[:]/t /hist[:]/:S"), "t,S\n0.5,1\n1.5,2\n2.5,5\n");
    assert_eq!(
        csv("/hist[:]/e /hist[:]/t"),
        "\"e[0]\",\"e[1]\",t\n1.0,2.0,0.5\n3.0,4.0,1.5\n5.0,6.0,2.5\n".replace('"', "")
    );
    // Of equal names the paths tell.
    assert_eq!(csv("/hist[1:]/t /hist[:2]/t").lines().next(), Some("/hist[1:]/t,/hist[:2]/t"));
    let said = folder.ends(1, "get x.bd /hist[:]/t /hist[1:]/t -o u.csv");
    assert!(said.contains("`/hist[:]/t` has 3 rows, and `/hist[1:]/t` has 2"), "{said}");
    assert!(folder.ends(1, "get x.bd /hist[:]/t /hist/0/t -o u.csv").contains("one value"));
    assert!(folder.ends(2, "get x.bd /hist[:]/t /hist[:]/e -o u.npy").contains("has columns"));
    assert!(!folder.path("u.csv").exists());
}

#[test]
fn many_records_are_a_few_columns() {
    let folder = Folder::empty();
    let layout = "hist = [/ t = f8  e = f8]*100000\n";
    folder.sparse("x.bd", layout, 1_600_000);
    folder.done("convert x.bd h.npz");
    assert_eq!(arrays(&folder, "h.npz").len(), 2);
    folder.done("get x.bd /hist[:]/t /hist[:]/e -o t.csv");
    assert_eq!(folder.bytes("t.csv").iter().filter(|byte| **byte == b'\n').count(), 100_001);
}

#[test]
fn rows_of_different_widths_are_no_csv() {
    let layout = "r = {n : i4  v = u1[n]}[3]\nn = i4[3]\n";
    let values =
        r#"{"r": [{"n": 1, "v": [1]}, {"n": 2, "v": [1, 2]}, {"n": 0, "v": []}], "n": [1, 2, 3]}"#;
    let folder = Folder::of(layout, values, "--attach");
    for arguments in ["/r", "/r[:].v", "/n /r"] {
        let said = folder.fails(&format!("get x.bd {arguments} -o x.csv"), 1);
        assert!(said.contains("row 1 has") && said.contains("of one width"), "{arguments}: {said}");
        assert!(!folder.path("x.csv").exists());
    }
}

#[test]
fn a_param_and_a_dict_of_one_name_stay_apart() {
    let layout = "l [/ x : i4  x/ y = f8  .. ]*2\n";
    let values = r#"{"l": [{":x": 1, "x": {"y": 1.5}}, {":x": 2, "x": {"y": 2.5}}]}"#;
    let folder = Folder::of(layout, values, "--attach");
    let said = folder.says("convert x.bd x.npz");
    assert!(said.contains("is a param, and a dict"), "{said}");
    let y = folder.json(&["get", "x.npz", "/l/1/x/y", "--format", "json"]);
    assert_eq!(y["value"].to_string(), "2.5");
}
