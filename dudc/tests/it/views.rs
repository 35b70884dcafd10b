//! Items that are presented otherwise than they are stored (7.7 of the language), on the command line.

use crate::kit::Folder;

const LAYOUT: &str = "< %1
a = u1[4]  #: view_shape = [4], view_strides = [-1], view_offset = 3
b = u2[6]  #: view_shape = [2, 3], view_strides = [2, 4], dims = [\"y\", \"x\"]
c = f4[2, 3]  #: order = \"F\"
r = { k = u1  n = u1[3]  #: view_shape = [3], view_strides = [-1], view_offset = 2
}[2]
\"\" = { p = u1  q = u1[2, 2]  #: order = \"F\"
}[4]  #: view_shape = [2, 2], view_strides = [5, 10]
";

const VALUES: &str = r#"{"a": [4, 3, 2, 1], "b": [[1, 3, 5], [2, 4, 6]], "c": [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "r": [{"k": 1, "n": [3, 2, 1]}, {"k": 2, "n": [6, 5, 4]}], "p": [[1, 2], [3, 4]], "q": [[[[1, 2], [3, 4]], [[5, 6], [7, 8]]], [[[11, 12], [13, 14]], [[15, 16], [17, 18]]]]}"#;

#[test]
fn what_is_dumped_is_packed_again() {
    let folder = Folder::of(LAYOUT, VALUES, "--raw");
    let dumped = folder.done("dump x.bd --layout x.dud --raw --nested");
    let [expected, found]: [serde_json::Value; 2] =
        [VALUES, &dumped].map(|text| serde_json::from_str(text).expect("JSON"));
    assert_eq!(found, expected);
    assert_eq!(folder.bytes("x.bd")[..4], [1, 2, 3, 4]);
    for (options, name) in
        [("--nested", "n.json"), ("--format json", "f.json"), ("--exact", "e.json")]
    {
        let text = folder.done(&format!("dump x.bd --layout x.dud --raw {options}"));
        folder.write(name, text);
        folder.done(&format!("pack x.dud --data {name} -o y.bd --raw --force"));
        assert_eq!(folder.bytes("y.bd"), folder.bytes("x.bd"), "{options}");
    }
}

#[test]
fn views_that_do_not_show_each_element_once_are_written_as_stored_or_not_at_all() {
    let folder = Folder::of(
        "x = u1[4]  #: view_shape = [2], view_offset = 1",
        r#"{"x": [1, 2, 3, 4]}"#,
        "--raw",
    );
    assert_eq!(folder.bytes("x.bd"), [1, 2, 3, 4]);
    folder.write("y.dud", "x = u1[4]  #: view_shape = [4], view_strides = [0]");
    let said = folder.fails("pack y.dud --data x.json -o y.bd --raw", 1);
    assert!(said.contains("`/x`") && said.contains("shows each stored element once"), "{said}");
}

#[test]
fn layouts_are_listed_as_they_are_presented() {
    let folder = Folder::of(LAYOUT, VALUES, "--raw");
    let shapes = |arguments: &str| -> Vec<(String, String)> {
        let listed = folder.done(&format!("ls {arguments}"));
        let rows = listed.lines().filter(|line| line.starts_with('/'));
        rows.map(|line| {
            let shape = line
                .split_once('[')
                .map_or("", |(_, rest)| rest.split(']').next().unwrap_or_default());
            (line.split(' ').next().unwrap_or_default().to_owned(), shape.to_owned())
        })
        .collect()
    };
    let of_stream = shapes("x.bd --layout x.dud --raw");
    assert_eq!(shapes("x.dud"), of_stream);
    assert!(of_stream.contains(&("/p".to_owned(), "2, 2".to_owned())), "{of_stream:?}");
    assert!(of_stream.contains(&("/q".to_owned(), "2, 2, 2, 2".to_owned())), "{of_stream:?}");
    // Pages say both.
    let text = folder.done("doc x.dud --format markdown");
    assert!(text.contains("[2, 3]</code>, a view of [6]"), "{text}");
    assert!(text.contains("[2, 2, 2, 2]`, a view of [4, 2, 2]"), "{text}");
}

#[test]
fn names_of_dimensions_are_those_of_the_view() {
    let folder = Folder::of(LAYOUT, VALUES, "--raw");
    let refs = folder.done("refs x.bd --layout x.dud --raw");
    assert!(refs.contains(r#"\"_ARRAY_DIMENSIONS\":[\"y\",\"x\"]"#), "{refs}");
}

#[test]
fn records_grow_as_they_are_presented() {
    let layout = "N : i4
V {\"\" = u1[3]  #: view_shape = [3], view_strides = [-1], view_offset = 2
}
M {\"\" = u1[2, N]  #: order = \"F\"
}
x = V[N]
";
    let folder = Folder::of(layout, r#"{"N": 1, "x": [[1, 2, 3]]}"#, "--attach");
    folder.write("more.json", "[[4, 5, 6]]");
    folder.done("append x.bd /x --data more.json");
    let x = folder.json(&["get", "x.bd", "/x", "--format", "json"])["value"].to_string();
    assert_eq!(x, "[[1,2,3],[4,5,6]]");
}

#[test]
fn fields_that_lie_otherwise_are_row_by_row_in_other_formats() {
    let folder = Folder::of(LAYOUT, VALUES, "--raw");
    let value = |arguments: &str| {
        let text = folder.done(&format!("get {arguments} --format json"));
        serde_json::from_str::<serde_json::Value>(&text).expect("JSON")["value"].clone()
    };
    let expected = value("x.bd /r --layout x.dud --raw");
    for output in ["o.npz", "o.h5", "o.asdf", "o", "o.fits"] {
        folder.done(&format!("convert x.bd {output} --layout x.dud --raw"));
        assert_eq!(value(&format!("{output} /r")), expected, "{output}");
    }
    for (output, path) in [("r.npy", "/r"), ("r.b2nd", "/data"), ("r.h5", "/r")] {
        folder.done(&format!("convert x.bd {output} /r --layout x.dud --raw"));
        assert_eq!(value(&format!("{output} {path}")), expected, "{output}");
    }
}

#[test]
fn physical_values_stand_beside_fields_that_lie_otherwise() {
    let folder = Folder::of(
        "< %1\nr = { a = u1[2, 2]  #: order = \"F\"\n s = i2[2]  #: scale_factor = 0.5\n}[2]",
        r#"{"r": [{"a": [[1, 2], [3, 4]], "s": [2, 3]}, {"a": [[5, 6], [7, 8]], "s": [4, 5]}]}"#,
        "--raw",
    );
    let found = folder.done("get x.bd /r --layout x.dud --raw --scaled --format json");
    let found: serde_json::Value = serde_json::from_str(&found).expect("JSON");
    let expected = serde_json::json!([{"a": [[1, 2], [3, 4]], "s": [1.0, 1.5]},
                                      {"a": [[5, 6], [7, 8]], "s": [2.0, 2.5]}]);
    assert_eq!(found["value"], expected);
}
