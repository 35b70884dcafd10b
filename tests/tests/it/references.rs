//! Do xarray and zarr read the arrays of files in place, through the references that `dudc refs` writes?

use std::path::Path;

use dudley_tests::{command, known, python};
use serde_json::{Value as Json, json};

const LAYOUT: &str = r#">
## a run
N : i4
M : i4
t = f8  ## (days since 2000-01-01) time
x = <i4[M]  ## (m) along
  #: dims = ["x"]
rho = f4[N, M]  ## (g/cc) density
  #: dims = ["y", "x"], _FillValue = -1.0
c = c8[M]
g/
  u = i2[N-, M+]
  pos = {a = f4  b = <f8[2]}[3]
  ..
hist [{t = f8  v = f4[2]}]*4
steps [/ n = u1  w = f8[2] /]*3
z = f8[10, 10] -> zlib
q = u2[40] -> zstd
s = u2[40] -> gzip
name = S1[6]
none = f4[0, 3]
odd [u1, f8]
lz = u1[40] -> lz4
half = {a = c4  b = u1}[3]
turned = f4[2, 3]
  #: order = "F"
back = u2[4]
  #: view_shape = [4], view_strides = [-2], view_offset = 6
part = f4[6]
  #: view_shape = [2, 2], view_strides = [12, 4], view_offset = 4
seen = {a = u1  b = i2[3]
    #: view_shape = [3], view_strides = [-2], view_offset = 4
  }[2]
pairs = c8[4]
  #: view_shape = [2, 2], view_strides = [8, 16]
words = S1[6]
  #: view_shape = [2, 2], view_strides = [3, 1], view_offset = 1
letters = S1[2, 3]
  #: dims = ["row", "letter"]
tiles = f4[4, 6] -> zlib
  #: chunks = [2, 3]
strips = i2[4, 6]
  #: chunks = [4, 2]
filtered = i4[4, 6] -> hdf5("shuffle", 4, "deflate", "fletcher32")
  #: chunks = [2, 2]
packed = u2[4, 6] -> lz4
  #: chunks = [2, 2]
"a/b" = u1
mixed [
  {v = f4  ## (m)
  },
  {v = f4  ## (km)
  },
]
"#;

/// The values of a file; those of another one differ, except for what lies along the dimension `x`.
fn values(at: u32) -> Json {
    let ramp = |rows: u32, columns: u32| -> Json {
        let row = |row| (0..columns).map(|it| row * columns + it + at).collect::<Json>();
        (0..rows).map(row).collect()
    };
    let flat = |count: u32| (0..count).map(|it| it + at).collect::<Json>();
    json!({
        ":N": 3, ":M": 4, "t": f64::from(at) + 1.5, "x": [0, 1, 2, 3], "rho": ramp(3, 4),
        "c": [[1, 2], [3, 4], [5, 6], [7, at]],
        "g": {
            "u": ramp(2, 5),
            "pos": (0..3).map(|it| json!({ "a": it + at, "b": [it, at] })).collect::<Json>(),
        },
        "hist": (0..4).map(|it| json!({ "t": it, "v": [it, at] })).collect::<Json>(),
        "steps": (0..3).map(|it| json!({ "n": it, "w": [it, at] })).collect::<Json>(),
        "z": ramp(10, 10), "q": flat(40), "s": flat(40), "name": "hello!", "none": [],
        "odd": [1, 2.5], "lz": flat(40),
        "half": (0..3).map(|it| json!({ "a": [it, at], "b": it })).collect::<Json>(),
        "turned": ramp(2, 3), "a/b": 1,
        "back": flat(4), "part": flat(6), "words": "ababab", "letters": ["abc", "def"],
        "tiles": ramp(4, 6), "strips": ramp(4, 6), "filtered": ramp(4, 6), "packed": ramp(4, 6),
        "seen": (0..2).map(|it| json!({ "a": it, "b": [it, 7, at] })).collect::<Json>(),
        "pairs": [[[1, 2], [3, at]], [[5, 6], [7, 8]]],
        "mixed": [{ "v": 1 }, { "v": 2 }],
    })
}

/// What is expected of one file, by the paths that arrays have in zarr.
fn expected(values: &Json) -> Vec<(&'static str, Json, &'static str)> {
    let column = |list: &Json, name: &str| -> Json {
        list.as_array().expect("a list").iter().map(|it| it[name].clone()).collect()
    };
    let plain = |name: &str| values[name].clone();
    let part = |at: usize| values["part"][at].clone();
    let of = |dims: &[&str]| json!(dims).to_string();
    let leak = |text: String| -> &'static str { Box::leak(text.into_boxed_str()) };
    let row = |path, values: Json, dims: &[&str]| (path, values, leak(of(dims)));
    vec![
        row("/t", plain("t"), &[]),
        row("/x", plain("x"), &["x"]),
        row("/rho", plain("rho"), &["y", "x"]),
        row("/c", plain("c"), &["M"]),
        row("/g/u", values["g"]["u"].clone(), &["N_m1", "M_p1"]),
        row("/g/pos/a", column(&values["g"]["pos"], "a"), &["pos_dim0"]),
        row("/g/pos/b", column(&values["g"]["pos"], "b"), &["pos_dim0", "b_dim1"]),
        row("/hist/t", column(&values["hist"], "t"), &["hist_dim0"]),
        row("/hist/v", column(&values["hist"], "v"), &["hist_dim0", "v_dim1"]),
        row("/steps/n", column(&values["steps"], "n"), &["steps"]),
        row("/steps/w", column(&values["steps"], "w"), &["steps", "w_dim1"]),
        row("/z", plain("z"), &["z_dim0", "z_dim1"]),
        row("/q", plain("q"), &["q_dim0"]),
        row("/s", plain("s"), &["s_dim0"]),
        row("/name", plain("name"), &[]),
        row("/none", plain("none"), &["none_dim0", "x_3"]),
        row("/odd/0", json!(1), &[]),
        row("/odd/1", json!(2.5), &[]),
        row("/half/a", column(&values["half"], "a"), &["half_dim0", "a_dim1"]),
        row("/half/b", column(&values["half"], "b"), &["half_dim0"]),
        row("/turned", plain("turned"), &["turned_dim0", "turned_dim1"]),
        row("/back", plain("back"), &["back_dim0"]),
        row("/part", json!([[part(1), part(2)], [part(4), part(5)]]), &["part_dim0", "part_dim1"]),
        row("/seen/a", column(&values["seen"], "a"), &["seen_dim0"]),
        row("/seen/b", column(&values["seen"], "b"), &["seen_dim0", "b_dim1"]),
        row("/pairs", plain("pairs"), &["pairs_dim0", "pairs_dim1"]),
        row("/words", json!(["ba", "ab"]), &["words_dim0"]),
        row("/letters", json!([["a", "b", "c"], ["d", "e", "f"]]), &["row", "letter"]),
        row("/tiles", plain("tiles"), &["tiles_dim0", "tiles_dim1"]),
        row("/strips", plain("strips"), &["strips_dim0", "strips_dim1"]),
        row("/filtered", plain("filtered"), &["filtered_dim0", "filtered_dim1"]),
        // Their units differ.
        row("/mixed/0/v", json!(1), &[]),
        row("/mixed/1/v", json!(2), &[]),
    ]
}

/// Packs a file for each number, and writes their references; says what is left out.
fn refer(folder: &Path, files: u32, zarr: &str, output: &str) -> Option<String> {
    std::fs::write(folder.join("layout.dud"), LAYOUT).expect("the layout");
    let mut names = Vec::new();
    for at in 0..files {
        let (data, name) = (folder.join(format!("{at}.json")), format!("{at}.bd"));
        std::fs::write(&data, values(at).to_string()).expect("the values");
        let mut pack = command::dudc()?;
        pack.current_dir(folder).args(["pack", "layout.dud", "--attach", "--force", "-o", &name]);
        command::success(pack.arg("--data").arg(data));
        names.push(name);
    }
    let mut refs = command::dudc()?;
    refs.current_dir(folder).arg("refs").args(names).args(["-o", output, "--zarr", zarr]);
    let said = refs.output().expect("it runs");
    assert!(said.status.success(), "{said:?}");
    Some(String::from_utf8_lossy(&said.stderr).into_owned())
}

#[test]
fn arrays_are_read_in_place_by_xarray() {
    let Some(python) = python::Python::get() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let Some(said) = refer(folder.path(), 1, "2", "two.json") else { return };
    for why in [
        "`/lz`: zarr has no codec `lz4`",
        "`/packed`: its blocks are encoded by `lz4`",
        "`/\"a/b\"`: zarr has no such name",
    ] {
        assert!(said.contains(&format!("left out: {why}\n")), "{why}: {said}");
    }
    assert_eq!(said.lines().count(), 3, "{said}");
    let said = refer(folder.path(), 1, "3", "three.json").expect("as before");
    assert!(said.contains("`/name`: zarr's format 3 has no type for `S6`"), "{said}");
    refer(folder.path(), 3, "2", "all.json").expect("as before");

    let found = python.run("references.py", folder.path(), &["two.json", "three.json", "all.json"]);
    let found: Json = serde_json::from_str(&found).expect("JSON");
    for name in ["two.json", "three.json"] {
        let mut rows = expected(&values(0));
        rows.retain(|(path, ..)| {
            name == "two.json" || !["/name", "/words", "/letters"].contains(path)
        });
        for (path, values, dims) in &rows {
            let array = &found[name][path];
            assert!(known::alike(&array["values"], values), "{name} {path}: {array}, not {values}");
            if *path != "/none" {
                assert_eq!(array["dims"].to_string(), *dims, "{name} {path}");
            }
        }
        assert_eq!(found[name].as_object().expect("arrays").len(), rows.len(), "{name}");
        let rho = &found[name]["/rho"];
        assert_eq!(rho["attrs"]["units"], "g/cc");
        assert_eq!(rho["attrs"]["long_name"], "density");
    }
    // What lies along a dimension is one array, where all files have the same; all else is stacked.
    let each: Vec<_> = (0..3).map(|at| expected(&values(at))).collect();
    for (row, (path, values, _)) in each[0].iter().enumerate() {
        let array = &found["all.json"][path];
        let all: Json = each.iter().map(|rows| rows[row].1.clone()).collect();
        if *path == "/x" {
            assert!(known::alike(&array["values"], values), "{path}: {array}");
        } else if *path != "/none" {
            assert!(known::alike(&array["values"], &all), "{path}: {array}, not {all}");
            assert_eq!(array["dims"][0], "member", "{path}");
        }
    }
}

#[test]
fn files_that_differ_are_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, layout: &str, data: &str| {
        std::fs::write(folder.path().join("l.dud"), layout).expect("the layout");
        std::fs::write(folder.path().join("d.json"), data).expect("the values");
        let mut pack = command::dudc()?;
        pack.current_dir(folder.path())
            .args(["pack", "l.dud", "--data", "d.json", "--attach", "-o", name]);
        Some(command::success(&mut pack))
    };
    if write("a.bd", "x = f8  y = u1  z = i4", r#"{"x": 1, "y": 2, "z": 3}"#).is_none() {
        return;
    }
    write("b.bd", "x = f8  y = u2  w = i4", r#"{"x": 1, "y": 2, "w": 3}"#);
    write("m.bd", "#: run = 1, of = 2\nx = f8  ## (m)", r#"{"x": 1}"#);
    write("km.bd", "#: run = 2, of = 2\nx = f8  ## (km)", r#"{"x": 1}"#);
    let refs = |arguments: &[&str]| {
        let mut refs = command::dudc().expect("as before");
        refs.current_dir(folder.path()).arg("refs").args(arguments);
        refs.output().expect("it runs")
    };
    let said = refs(&["a.bd", "b.bd", "--url", "s3://bucket/runs", "--member", "run"]);
    let (out, err) = (String::from_utf8_lossy(&said.stdout), String::from_utf8_lossy(&said.stderr));
    let keys: Json = serde_json::from_str(&out).expect("JSON");
    assert_eq!(keys["refs"]["x/1"], json!(["s3://bucket/runs/b.bd", 16, 8]));
    assert!(
        keys["refs"]["x/.zattrs"].as_str().is_some_and(|it| it.contains(r#"["run"]"#)),
        "{out}"
    );
    for why in [
        "`/w`: not every file has it",
        "`/y`: files differ in its type",
        "`/z`: not every file has it",
    ] {
        assert!(err.contains(why), "{why}: {err}");
    }
    let said = refs(&["m.bd", "km.bd"]);
    let err = String::from_utf8_lossy(&said.stderr);
    assert!(err.contains("`/x`: files differ"), "{err}");
    // What is said of the whole is said of all files.
    let keys: Json = serde_json::from_slice(&said.stdout).expect("JSON");
    assert_eq!(keys["refs"][".zattrs"], r#"{"of":2}"#);
    let said = refs(&["l.dud"]);
    assert_eq!(said.status.code(), Some(1), "{said:?}");
    let said = refs(&["a.bd", "-o", "a.bd", "--force"]);
    assert_ne!(said.status.code(), Some(0), "{said:?}");
}
