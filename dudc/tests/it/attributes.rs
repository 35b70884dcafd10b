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
    assert!(folder.ends(0, "check a.dud").contains("warning[bad-dims]"));
}
