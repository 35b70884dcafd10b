//! `dudc dump --hex` of paths with slices: the bytes of what is picked, each called what it is.

use serde_json::Value;

use crate::kit::Folder;

const RAW: &str = "dump x.bd --hex --layout x.dud --raw";

#[test]
fn slices_show_their_bytes_only() {
    let layout = "a = <f8[12]  ## (m) edges\nb = <i2[4, 6]\nr = {x = i1  y = <f4[2]}[5]\n\
                  name = S1[3, 4]\nl [/ t = u1  v = u1[4]]*100\nz = {n : u1  v = u1[n]}[2]\n\
                  w = u1[8] -> zlib\n";
    let one = r#"{"t": 7, "v": [1, 2, 3, 4]}"#;
    let (list, b) = (vec![one; 100].join(", "), "[0, 1, 2, 3, 4, 5]");
    let r = r#"{"x": 1, "y": [2, 3]}"#;
    let values = format!(
        r#"{{"a": [0,1,2,3,4,5,6,7,8,9,10,11], "b": [{b}, {b}, {b}, {b}], "r": [{r}, {r}, {r}, {r}, {r}],
            "name": ["abc", "defg", "h"], "l": [{list}],
            "z": [{{"n": 1, "v": [9]}}, {{"n": 0, "v": []}}], "w": [1,2,3,4,5,6,7,8]}}"#
    );
    let folder = Folder::of(layout, &values, "--raw");
    let what = |path: &str| {
        let text = folder.done(&format!("{RAW} {path}"));
        let bytes = text.lines().map(|line| line.get(10..58).unwrap_or_default().trim());
        let digits = bytes
            .filter(|bytes| !bytes.is_empty() && *bytes != "…")
            .map(|bytes| bytes.split_whitespace().count());
        let count: usize = digits.sum();
        let labels = text.lines().map(|line| line.chars().skip(61).collect::<String>());
        (count, labels.collect::<Vec<_>>().join("; "))
    };
    assert_eq!(what("/a[3:5]"), (16, "/a[3:5]  <f8[2] = [3.0, 4.0]  (m)  edges".into()));
    assert_eq!(what("/a[4:8]").1, "/a[4:8]  <f8[4]  (m)  edges;   [4]  4.0, 5.0;   [6]  6.0, 7.0");
    assert_eq!(
        what("/b[1:3,2:4]"),
        (
            8,
            "/b[1:3,2:4]  <i2[2, 2]; /b[1, 2:4]  <i2[2] = [2, 3]; /b[2, 2:4]  <i2[2] = [2, 3]"
                .into()
        )
    );
    assert_eq!(
        what("/a[::-6]").1,
        "/a[::-6]  <f8[2]  (m)  edges; /a[11]  <f8 = 11.0; /a[5]  <f8 = 5.0"
    );
    assert_eq!(what("/r[3].y[1:]"), (4, "/r[3].y[1:]  <f4[1] = [3.0]".into()));
    assert_eq!(
        what("/r[1:2]"),
        (9, "/r[1:2]  struct[1]; /r[1].x  |i1 = 1; /r[1].y  <f4[2] = [2.0, 3.0]".into())
    );
    assert_eq!(what("/name[1]").1, "/name[1]  |S1[4] = \"defg\"");
    assert_eq!(
        what("/l[3:5]/v[1:3]").1,
        "/l[3:5]/v[1:3]  |u1[2, 2]; /l/3/v[1:3]  |u1[2] = [2, 3]; /l/4/v[1:3]  |u1[2] = [2, 3]"
    );
    let (count, text) = what("/l[:]/t");
    assert!(count == 9 && text.contains("… 459 bytes: 91 more runs of /l[:]/t"), "{text}");
    assert!(what("/l").1.contains("… 480 bytes: 96 repetitions of /l"));
    // Structs that differ in size are looked at one by one.
    assert_eq!(what("/z[0].v"), (1, "/z  struct[2]; /z[0].v  |u1[1] = [9]".into()));
    assert_eq!(what("/z[1]"), (1, "/z  struct[2]; /z[1].n  |u1 = 0; /z[1].v  |u1[0]".into()));
    assert_eq!(what("/z[:].n"), (2, "/z  struct[2]; /z[0].n  |u1 = 1; /z[1].n  |u1 = 0".into()));
    assert_eq!(what("/z.v").0, 1);
    // A filter's bytes are not those of elements.
    let (count, text) = what("/w[1:3]");
    assert!(count > 8 && text.starts_with("/w  zlib of |u1[8]  shown whole, as its"), "{text}");
    for (path, said) in [
        ("/z[2].v", "index 2 is out of range"),
        ("/z[0].q", "no field `q`"),
        ("/a[12]", "index 12 is out of range"),
        ("/a.x", ""),
    ] {
        assert!(folder.finds(&format!("{RAW} {path}")).contains(said), "{path}");
    }
    let json = folder.done(&format!("{RAW} /a[3:5] --format json"));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let part = &json["parts"][0];
    assert_eq!(
        (&part["path"], &part["address"], &part["bytes"]),
        (&"/a[3:5]".into(), &24.into(), &16.into())
    );
    assert_eq!(part["values"], serde_json::json!([3.0, 4.0]));
}

#[test]
fn long_slices_of_lists_are_elided() {
    let folder = Folder::empty();
    folder.sparse("list.bd", "l [/ n = i4  x = f8]*4000000000\n-\n", 4_000_000_000 * 16);
    let said = folder.done("dump list.bd /l[5:] --hex");
    let lines: Vec<&str> = said.lines().map(|line| line[11..].trim()).collect();
    assert_eq!(lines.len(), 8 * 2 + 1 + 2, "{said}");
    assert_eq!(
        lines[16],
        "…                                                  … 63999999776 bytes: 3999999986 repetitions of /l"
    );
    let said = folder.done("dump list.bd /l[5:]");
    assert!(said.contains("/l/… 3999999986 more repetitions (--all shows them)\n"), "{said}");
    assert!(said.ends_with("/l/3999999999/n = 0\n/l/3999999999/x = 0.0\n"), "{said}");
    let said = folder.done("dump list.bd /l[5:30] --hex");
    assert_eq!(said.lines().count(), 50);
}

const ODD: &str =
    "r = {n : u1  x = {y = i2[3]  \"li\\nne\" = f4}[n]}[2]\nt = {\"a b\" = i4  c = f4[2]}[3]\n";

/// A raw stream of odd structs.
fn odd(folder: &Folder) {
    folder.write("odd.dud", ODD);
    let x = r#"{"y": [1, 2, 3], "li\nne": 1}"#;
    let t = r#"{"a b": 1, "c": [1, 2]}"#;
    let values = format!(
        r#"{{"r": [{{"n": 2, "x": [{x}, {x}]}}, {{"n": 1, "x": [{x}]}}], "t": [{t}, {t}, {t}]}}"#
    );
    folder.write("odd.json", &values);
    folder.done("pack odd.dud -o odd.bd --data odd.json --attach");
}

/// What lines say of their bytes, but headings.
fn named(said: &str) -> Vec<String> {
    let lines = said.lines().filter(|line| !line.starts_with(' '));
    lines.map(|line| line[61..].split("  ").next().unwrap_or_default().trim().to_owned()).collect()
}

#[test]
fn structs_in_structs_that_differ_in_size_are_picked() {
    let folder = Folder::empty();
    odd(&folder);
    for (path, found) in [
        ("/r[0].x[1]", &["/r[0].x[1].y", "/r[0].x[1].\"li\\nne\""][..]),
        ("/r[0].x[1].y", &["/r[0].x[1].y"]),
        ("/r[0].x[:].y[1:]", &["/r[0].x[0].y[1:3]", "/r[0].x[1].y[1:3]"]),
        ("/r[1].x.y", &["/r[1].x[0].y"]),
    ] {
        let said = folder.done(&["dump", "odd.bd", path, "--hex"]);
        let names = named(&said);
        assert_eq!(names, *found, "{path}: {said}");
    }
}

#[test]
fn runs_through_fields_are_called_what_they_are() {
    let folder = Folder::empty();
    odd(&folder);
    for (path, found) in [
        ("/t[:].c", ["/t[0].c", "/t[1].c", "/t[2].c"]),
        ("/t.c[:, 1]", ["/t[0].c[1]", "/t[1].c[1]", "/t[2].c[1]"]),
        ("/t[::-1].\"a b\"", ["/t[2].\"a b\"", "/t[1].\"a b\"", "/t[0].\"a b\""]),
    ] {
        let said = folder.done(&["dump", "odd.bd", path, "--hex"]);
        assert_eq!(named(&said), found, "{path}");
    }
    let said = folder.done("dump odd.bd --hex");
    assert!(said.contains("/t[0].\"a b\"  <i4") && said.contains("\"li\\nne\""), "{said}");
}

/// Structs of variable size that a slice of a list picks are shown as they are where they are named.
#[test]
fn slices_of_lists_of_structs_that_differ_in_size() {
    let folder = Folder::empty();
    folder.write("v.dud", "v = [{L : u1 s = S1[L]}]*2\nd [/ p = {L : u1 a = u1[L]}[2]]*2\n");
    let p = r#"{"p": [{"L": 1, "a": [1]}, {"L": 2, "a": [1, 2]}]}"#;
    folder.write(
        "v.json",
        format!("{{\"v\": [{{\"s\": \"ab\"}}, {{\"s\": \"cde\"}}], \"d\": [{p}, {p}]}}"),
    );
    folder.done("pack v.dud -o v.bd --data v.json --attach");
    let shown = |path: &str| folder.done(&["dump", "v.bd", path, "--hex"]);
    assert_eq!(shown("/v[1]"), shown("/v/1"));
    assert_eq!(shown("/v[:]"), shown("/v"));
    assert_eq!(shown("/d[1]/p"), shown("/d/1/p"));
    assert!(shown("/v[1]").contains("63 64 65"));
}

/// What is picked of several items is called by an index that picks just that.
#[test]
fn parts_of_items_of_lists_are_called_what_they_are() {
    let folder = Folder::empty();
    let layout = "l [/ s = {a = i1  b = {c = i2[2]}}[2]  m = i2[3]]*3\n\
                  h [/ sub [i4[2]]*2]*3\ng [i4[2], i4[2], f8]\n\"\" = {p = i1  q = i2[3]}[4]\n";
    folder.write("x.dud", layout);
    folder.write("x.bd", vec![0; 200]);
    for (path, found) in [
        ("/l[0:2]/s[1].a", &["/l/0/s[1].a", "/l/1/s[1].a"][..]),
        ("/l[0]/s[1].a", &["/l[0]/s[1].a"]),
        ("/l[0:2]/s[1]", &["/l/0/s[1].a", "/l/0/s[1].b.c", "/l/1/s[1].a", "/l/1/s[1].b.c"]),
        ("/l[:2]/s[1].b", &["/l/0/s[1].b.c", "/l/1/s[1].b.c"]),
        (
            "/l[:2]/s.b.c[:, 1]",
            &["/l/0/s[0].b.c[1]", "/l/0/s[1].b.c[1]", "/l/1/s[0].b.c[1]", "/l/1/s[1].b.c[1]"],
        ),
        ("/l[::2]/m", &["/l/0/m", "/l/2/m"]),
        ("/l[::2]/m[1:]", &["/l/0/m[1:3]", "/l/2/m[1:3]"]),
        ("/h[1:]/sub[:, 1]", &["/h/1/sub/0[1]", "/h/1/sub/1[1]", "/h/2/sub/0[1]", "/h/2/sub/1[1]"]),
        (
            "/h[2:]/sub[::-1, ::-1]",
            &["/h/2/sub/1[1]", "/h/2/sub/1[0]", "/h/2/sub/0[1]", "/h/2/sub/0[0]"],
        ),
        ("/g[0:2][0]", &["/g/0[0]", "/g/1[0]"]),
        ("/q[1:3, 1:]", &["/q[1, 1:3]", "/q[2, 1:3]"]),
        ("/q[::2]", &["/q[0]", "/q[2]"]),
    ] {
        let said = folder.done(&["dump", "x.bd", path, "--hex", "--layout", "x.dud", "--raw"]);
        assert_eq!(named(&said), found, "{path}: {said}");
    }
}

/// So long that nobody looks at each item.
#[test]
fn slices_of_what_is_in_very_long_lists() {
    let folder = Folder::empty();
    folder.sparse("list.bd", "l [/ n = i4[2]  m [u4]*2]*4000000000\n-\n", 4_000_000_000 * 16);
    let said = folder.done("dump list.bd /l[5:]/n[1] --hex");
    let names = named(&said);
    assert_eq!((names.len(), names[0].as_str(), names[7].as_str()), (9, "/l/5/n[1]", "/l/12/n[1]"));
    assert_eq!(names[8], "/l/3999999999/n[1]", "{said}");
    assert!(said.contains("3999999986 more runs of /l[5:]/n[1]"), "{said}");
    let said = folder.done("dump list.bd /l[::-1]/n --hex --range 0x10000:0x10018");
    assert_eq!(named(&said), ["/l/4096/n", "/l/4095/n"], "{said}");
    let said = folder.done("dump list.bd /l[7:]/n --hex --range 0x10000:0x10020");
    assert_eq!(named(&said), ["/l/4095/n", "/l/4096/n"], "{said}");
}

/// Items that make no array are shown one after the other.
#[test]
fn slices_of_lists_of_what_is_unlike() {
    let folder = Folder::empty();
    folder.write("x.dud", "g [i2[2], i2, u1[3]]\n");
    folder.write("x.bd", [1, 0, 2, 0, 3, 0, 4, 5, 6]);
    let dump = |words: &str| {
        let said = folder.run(&format!("dump x.bd {words} --layout x.dud --raw"));
        assert_eq!(said.status, 0, "{said:?}");
        said.out
    };
    assert_eq!(dump("/g[:]"), dump("/g"));
    assert_eq!(dump("/g[1:]"), "/g/1 = 3\n/g/2 = |u1[3]\n[4, 5, 6]\n");
    assert_eq!(dump("/g[:] --nested"), dump("/g --nested"));
    assert_eq!(named(&dump("/g[::-2] --hex")), ["/g/0", "/g/2"]);
    let json: Value = serde_json::from_str(&dump("/g[1:] --format json")).expect("JSON");
    assert_eq!(json["items"][1]["value"], serde_json::json!([4, 5, 6]));
    folder.done("diff x.bd x.bd /g[:] --layout x.dud --raw");
    assert!(folder.finds("get x.bd /g[:] --layout x.dud --raw").contains("expected shape [2]"));
    assert!(folder.finds("dump x.bd /g[:][0] --layout x.dud --raw").contains("bad slice"));
}

#[test]
fn slices_of_records_that_are_presented_as_items() {
    let values = r#"{"t": [1, 2, 3, 4], "v": [[1,2,3], [4,5,6], [7,8,9], [10,11,12]]}"#;
    let folder = Folder::of("\"\" = {t = f8  v = i2[3]}[4]\n", values, "--raw");
    assert!(folder.done(&format!("{RAW} /t[::2]")).contains("  /t[2]  <f8 = 3.0"));
    assert!(folder.done(&format!("{RAW} /v[1:3,::2]")).contains("  /v[2, 0]  <i2 = 7"));
}

#[test]
fn paths_that_are_listed_of_structs_that_differ_in_size() {
    let layout = "str {n : u1  \"\" = S1[n]}\nr = {id = u1  label = str  tags = str[2]}[2]\n";
    let one = r#"{"id": 7, "label": "xyz", "tags": ["", "pq"]}"#;
    let folder = Folder::of(layout, &format!(r#"{{"r": [{one}, {one}]}}"#), "--raw");
    let listed = folder.done("ls x.bd --layout x.dud --raw");
    let rows = listed.lines().skip(1).map(str::trim_start);
    let paths: Vec<&str> = rows.filter_map(|row| row.split("  ").next()).collect();
    assert!(paths.contains(&"/r[1].tags[1].n"), "{paths:?}");
    for path in paths.into_iter().filter(|path| path.contains('.')) {
        let get = ["get", "x.bd", path, "--layout", "x.dud", "--raw"];
        let value = folder.done(&get);
        let said = folder.done(&["dump", "x.bd", path, "--hex", "--layout", "x.dud", "--raw"]);
        if !value.starts_with(['[', '|']) && path.ends_with(".n") {
            assert!(said.contains(&format!("{path}  |u1 = {}", value.trim())), "{path}: {said}");
        }
    }
    let get = |path: &str| folder.done(&["get", "x.bd", path, "--layout", "x.dud", "--raw"]);
    assert_eq!(get("/r[1].tags[1].n"), "2\n");
    assert_eq!(get("/r[1].tags[1].\"\""), "|S1[2]\n\"pq\"\n");
    assert_eq!(get("/r.tags.n"), "|u1[2, 2]\n[[0, 2],\n [0, 2]]\n");
    assert!(
        folder.finds(&["get", "x.bd", "/r.label.m", "--layout", "x.dud", "--raw"]).contains("`m`")
    );
}

#[test]
fn a_range_in_what_is_left_out_shows_fields_that_differ_in_size() {
    let values = vec![r#"{"n": 2, "s": "ab"}"#; 40].join(", ");
    let folder =
        Folder::of("l = [{n : u1  s = S1[n]}]*40\n", &format!(r#"{{"l": [{values}]}}"#), "--raw");
    let said = folder.done(&format!("{RAW} --range 0x31:0x35"));
    assert_eq!(named(&said), ["/l/16.s", "/l/17.n", "/l/17.s"], "{said}");
}
