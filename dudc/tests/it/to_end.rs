//! Params that take what the stream has left (language, 4.9): written from the data, read from the length.

use crate::kit::Folder;

/// Layouts, data for them, and what is read back of a path.
const WRITTEN: [(&str, &str, &str, &str); 7] = [
    ("h = u1  x = f8[N, 2]", r#"{"h": 1, "x": [[1, 2], [3, 4], [5, 6]]}"#, "/x", "[3, 2]"),
    ("h = u1  s = S1[N]", r#"{"h": 1, "s": "abcde"}"#, "/s", "[5]"),
    ("h = u1  s = U2[N, 2]", r#"{"h": 1, "s": ["ab", "c"]}"#, "/s", "[2, 2]"),
    (
        "h = u1  d/ x = {n : u1  v = i2[n]}[N]",
        r#"{"h": 1, "d": {"x": [{"n": 1, "v": [7]}, {"n": 0, "v": []}]}}"#,
        "/d/x",
        "[2]",
    ),
    (
        "h = u1  \"\" = {a = i2  b = u1[2]}[N]",
        r#"{"h": 1, "a": [1, 2], "b": [[1, 2], [3, 4]]}"#,
        "/b",
        "[2, 2]",
    ),
    ("h = u1  x = f8[N]", r#"{"h": 1, "x": []}"#, "/x", "[0]"),
    ("h = u1  x = i4[N] @32  y = u2 @24", r#"{"h": 1, "x": [1, 2], "y": 5}"#, "/x", "[2]"),
];

#[test]
fn arrays_are_as_long_as_their_data() {
    for (text, data, path, shape) in WRITTEN {
        for how in ["--raw", "--attach", "--attach --order big"] {
            let folder = Folder::with(&[
                ("a.dud", &*format!("N : 0  #: to_end\n{text}\n")),
                ("a.json", data),
            ]);
            folder.done(&format!("pack a.dud --data a.json -o a.bd {how}"));
            let layout = if how == "--raw" { "--layout a.dud --raw" } else { "" };
            let shown = folder.done(&format!("ls a.bd {layout}"));
            let row = shown.lines().find(|line| line.starts_with(path)).expect("a row");
            assert!(row.contains(shape), "{text} {how}: {shown}");
            let verified = folder.done(&format!("verify a.bd {layout}"));
            assert!(verified.ends_with("a.bd: 0 errors, 0 warnings\n"), "{text} {how}: {verified}");
            // What is dumped is packed to the same bytes.
            let dump = folder.done(&format!("dump a.bd {layout} --format json"));
            folder.write("b.json", dump);
            folder.done(&format!("pack a.dud --data b.json -o b.bd {how}"));
            assert!(folder.bytes("a.bd") == folder.bytes("b.bd"), "{text} {how}");
            // So is what is written anew.
            if how != "--raw" {
                folder.done("convert a.bd c.bd");
                assert!(folder.done("ls c.bd").contains(shape), "{text} {how}");
            }
        }
    }
}

#[test]
fn nothing_may_stand_behind_what_differs_in_size() {
    for (text, data) in [
        ("z = u8[N, 9]", r#""z": []"#),
        ("z [u8, u8]*N", r#""z": []"#),
        ("y [u1]*2 z = u8[N]", r#""y": [1, 2], "z": []"#),
    ] {
        let text = format!("N : 0  #: to_end\nl [/ n : u1  v = u1[n]]*3\n{text}\n");
        let data = format!(
            r#"{{"l": [{{"n": 2, "v": [1, 2]}}, {{"n": 0, "v": []}}, {{"n": 5, "v": [1, 2, 3, 4, 5]}}], {data}}}"#
        );
        let folder = Folder::with(&[("a.dud", &*text), ("a.json", &*data)]);
        folder.done("pack a.dud --data a.json -o a.bd --raw");
        assert_eq!(folder.done("get a.bd /:N --layout a.dud --raw").trim(), "0", "{text}");
        assert_eq!(folder.done("get a.bd /l/2/v[4] --layout a.dud --raw").trim(), "5", "{text}");
    }
}

#[test]
fn what_is_not_given_is_named() {
    let text = "N : 0  #: to_end\n\"\" = {a = f8  b = f8}[N]\n";
    let with = |data: &str| Folder::with(&[("a.dud", text), ("a.json", data)]);
    // Without any data there are none, as the text says.
    with("{}").done("pack a.dud --data a.json -o a.bd");
    for (data, missing) in [(r#"{"b": [1, 2]}"#, "`/a`"), (r#"{"a": [1]}"#, "`/b`")] {
        let (status, said) = with(data).refused("pack a.dud --data a.json -o a.bd");
        assert!(status == 1 && said.contains(missing), "{data}: {status} {said}");
    }
}

#[test]
fn lists_have_as_many_records_as_there_are() {
    let text = "N : 0  #: to_end\nh = u1\nl [u2]*1\nl [/ n : u1  v = u2[n], S1[2]]*N\n";
    let folder = Folder::with(&[("a.dud", text)]);
    let records = r#"{"h": 1, "l": [9, {"n": 1, "v": [7]}, "ab", {"n": 0, "v": []}, "cd"]}"#;
    folder.write("a.json", records);
    folder.done("pack a.dud --data a.json -o a.bin --raw");
    assert_eq!(folder.done("get a.bin /:N --layout a.dud").trim(), "2");
    assert_eq!(folder.done("get a.bin /l/4 --layout a.dud").trim(), "|S1[2]\n\"cd\"");
    // One that is cut off is reported when what there is of them is read, and only then.
    let bytes = folder.bytes("a.bin");
    folder.write("cut.bin", &bytes[..bytes.len() - 1]);
    assert_eq!(folder.done("get cut.bin /:N --layout a.dud").trim(), "1");
    let said = folder.run("dump cut.bin --layout a.dud");
    assert!(
        said.err.contains("warning: `/l`: 2 bytes left behind it, at address 10"),
        "{}",
        said.err
    );
    folder.write("b.dud", "N : 0  #: to_end\n\"a[b\" = u2[N]\n");
    let said = folder.run(&["get", "a.bin", "/\"a[b\"[1:]", "--layout", "b.dud"]);
    assert!(said.err.contains("1 byte left behind it"), "{}", said.err);
    let said = folder.run("get cut.bin /h --layout a.dud");
    assert_eq!(said.err, "");
    let said = folder.run("verify cut.bin --layout a.dud").out;
    assert!(said.contains("warning[left-over]: `/l`: 2 bytes left behind it"), "{said}");
}

#[test]
fn what_readers_would_not_find_is_not_written() {
    let text = "N : 0  #: to_end\nx = u1[N]\ny = u2 @64\n";
    let folder = Folder::with(&[("a.dud", text), ("a.json", r#"{"x": [1, 2], "y": 3}"#)]);
    let said = folder.fails("pack a.dud --data a.json -o a.bd", 1);
    assert!(said.contains("`/N`: expected a stream that ends at 18"), "{said}");
    assert!(said.contains("found 66 bytes to write"), "{said}");
    assert!(!folder.path("a.bd").exists());
}

#[test]
fn streams_with_one_do_not_grow() {
    let text = "N : 0  #: to_end\nl [u2]*N\n";
    let folder =
        Folder::with(&[("a.dud", text), ("a.json", r#"{"l": [1, 2]}"#), ("y.dud", "y = u2 @64\n")]);
    folder.done("pack a.dud --data a.json -o a.bd --attach");
    let before = folder.bytes("a.bd");
    folder.write("b.json", r#"{"y": 3}"#);
    let said = folder.fails("append a.bd --fragment y.dud --data b.json", 1);
    assert!(said.contains("what that has left"), "{said}");
    assert!(folder.bytes("a.bd") == before);
}
