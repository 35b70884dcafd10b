//! Attributes that tools make something of: what a layout is for, how dimensions are called (language, 7.6).

use crate::kit::Folder;
use serde_json::json;

#[test]
fn a_layout_says_what_kind_of_stream_it_is_for() {
    let folder = Folder::with(&[
        ("a.dud", "#: stream = \"raw\"\na = u1\nx = u4\n"),
        ("a.json", r#"{"a": 1, "x": 2}"#),
    ]);
    let row = |said: String| {
        let line = said.lines().find(|line| line.starts_with("/x")).expect("a row").to_owned();
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row(folder.done("ls a.dud")), ["/x", "<u4", "4", "4"]);
    folder.write("padded.dud", "#: stream = \"raw\"\nx = {a = u1 b = u4}\n");
    assert!(folder.ends(0, "check padded.dud").contains("warning[raw-padding]"));
    folder.done("pack a.dud --data a.json -o a.bin");
    assert_eq!(folder.bytes("a.bin"), [1, 0, 0, 0, 2, 0, 0, 0]);
    assert_eq!(row(folder.done("ls a.bin --layout a.dud")), ["/x", "<u4", "4", "4"]);
    // An option says otherwise.
    folder.done("pack a.dud --data a.json -o b.bd --attach");
    assert!(folder.bytes("b.bd").starts_with(b"\x8d<BD"));
    folder.write("b.dud", "#: stream = \"other\"\nx = u1\n");
    assert!(folder.ends(0, "check b.dud").contains("warning[bad-stream]"));
}

#[test]
fn dimensions_have_names() {
    let text = "N : 2\nx = u1[N, 3]\ny = u1[N, 3]  #: dims = [\"time\", \"cell\"]\n\
                \"\" = {z = u1[2]}[N]  #: dims = \"time\"\nw = u1[3]\nv = u1[N, 1]  #: dims = [\"t\"]\n";
    let folder = Folder::with(&[("a.dud", text), ("a.bin", &"\0".repeat(21))]);
    let rows = folder.json("ls a.bin --layout a.dud --format json");
    let names = |path: &str| {
        let rows = rows["items"].as_array().expect("rows");
        rows.iter().find(|row| row["path"] == path).expect("a row")["dims"].clone()
    };
    assert_eq!(names("/x"), json!(["N", null]));
    assert_eq!(names("/y"), json!(["time", "cell"]));
    assert_eq!(names("/z"), json!(["time", null]));
    assert_eq!(names("/w"), json!(null));
    assert_eq!(names("/v"), json!(["N", null]));
    assert!(folder.ends(0, "check a.dud").contains("warning[bad-dims]"));
}
