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

#[test]
fn values_have_names() {
    let text = "a = u1[3]  #: names = [\"solid\", \"gas\"], values = [1, 7]\n\
                b = i2     #: names = [\"no\", \"yes\"]\n\
                c = {k = u1 n = i1}[2]\n  ## of it\n\
                d = {q = {m = u1  #: names = [\"on\"], values = [2]\n} p = u1}[2]\n\
                e = u1  #: names = [\"x\", \"y\"], values = [1, 1]\n\
                f = {n : u1  v = u1[n]  #: names = [\"one\"], values = [1]\n}\n\
                g = u1[2000]  #: names = [\"nothing\"]\n";
    let bytes = [1, 7, 2, 0, 1, 0, 1, 1, 2, 2, 2, 2, 3, 2, 1, 2, 1, 2].into_iter();
    let bytes: Vec<u8> = bytes.chain([0; 2000]).collect();
    let folder = Folder::with(&[("a.dud", text.as_bytes()), ("a.bin", &bytes)]);
    let get = |path: &str| folder.done(&format!("get a.bin {path} --layout a.dud --raw"));
    assert_eq!(get("/a"), "|u1[3]\n[1 (solid), 7 (gas), 2]\n");
    assert_eq!(get("/a[1]"), "7 (gas)\n");
    assert_eq!(get("/b"), "1 (yes)\n");
    assert_eq!(get("/c").lines().last(), Some(" {k: 2, n: 2}]"));
    assert_eq!(get("/d").lines().last(), Some(" {q: {m: 3}, p: 2}]"));
    assert!(get("/d").contains("{q: {m: 2 (on)}, p: 2}"));
    assert_eq!(get("/d.q.m"), "|u1[2]\n[2 (on), 3]\n");
    assert_eq!(get("/e"), "1\n");
    assert!(get("/f").contains("v: [1 (one), 2]"), "{}", get("/f"));
    assert!(get("/g").contains("[0 (nothing), 0 (nothing), 0 (nothing), …"), "{}", get("/g"));
    let dumped = folder.done("dump a.bin --layout a.dud --raw");
    assert!(dumped.contains("/a = |u1[3]\n[1 (solid), 7 (gas), 2]\n/b = 1 (yes)\n"), "{dumped}");
    assert_eq!(folder.json("get a.bin /b --layout a.dud --raw --format json")["value"], json!(1));
    assert!(folder.ends(0, "check a.dud").contains("warning[bad-names]"));
}

#[test]
fn values_of_params_have_names_in_listings() {
    let text = "K : 1  #: names = [\"solid\", \"gas\"]\n\
                N : u1  #: names = [\"two\"], values = [2]\n\
                s = {M : u1  #: names = [\"three\"], values = [3]\n v = u1[M]}\n";
    let folder = Folder::with(&[("a.dud", text.as_bytes()), ("a.bin", &[2, 3, 0, 0, 0])]);
    let listed = folder.done("ls a.bin --layout a.dud --raw");
    for row in
        ["/:K    param            = 1 (gas)", "/:N    |u1              = 2 (two)", "= 3 (three)"]
    {
        let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(squeezed(&listed).contains(&squeezed(row)), "{listed}");
    }
    assert!(folder.done("ls a.dud --param N=2").contains("= 2 (two)"));
    let dumped = folder.done("dump a.bin --layout a.dud --raw");
    assert!(dumped.starts_with("/K : 1 (gas)\n/N : 2 (two)\n"), "{dumped}");
    assert!(dumped.contains("{M: 3 (three), v: [0, 0, 0]}"), "{dumped}");
    for (path, shown) in [("/:K", "1 (gas)\n"), ("/:N", "2 (two)\n"), ("/s.M", "3 (three)\n")] {
        assert_eq!(folder.done(&format!("get a.bin {path} --layout a.dud --raw")), shown);
    }
    folder.write("l.dud", "l [/ Q : u1  #: names = [\"a\", \"b\"]\n]*2\n");
    folder.write("l.bin", [1, 0]);
    assert_eq!(folder.done("get l.bin /l[:]/:Q --layout l.dud --raw"), "|u1[2]\n[1 (b), 0 (a)]\n");
}
