//! Do h5py, netCDF4 and xarray read a stream with an HDF5 face, and does it stay the stream that it was?

use std::path::Path;

use dudley_tests::{command, known, python};
use serde_json::{Value as Json, json};

const LAYOUT: &str = r#"
## a run
N : i4
M : i4
t = f8  ## (s) time
x = >f4[M]  ## (m) along
  #: dims = ["x"]
far = u1 @600
rho = f4[N, M]  ## (g/cc) density
  #: dims = ["y", "x"], valid_range = [0.5, 10.0], _FillValue = -1.0, steps = [1, 2], who = "me"
g/
  u = i2[N-, M+]
  pos = {a = f4  b = >f8[2]  c = c8  ok = b1}[3]
  ..
hist [/ t = f8  v = f4[2]  n = {a = i4  b = u1} /]*4
odd [f4, u2]
name = S1[6]
flags = b1[3]
z = c16[2]
wide = U2[4]
packed = u1[100] -> zlib
p = p8
none = f8[0]
turned = f4[2, 3]
  #: order = "F"
apart [/ "" = {p = f4  q = u1}[3]  r = u2 /]*2
chunks/
  plain = >f4[N, M]  #: chunks = [2, 3], dims = ["y", "x"]
  zlib = i2[N, M] -> zlib  ## (m)
    #: chunks = [1, 2]
  shuffled = f8[N, M] -> hdf5("shuffle", 8, "deflate", "fletcher32")  #: chunks = [5, 3]
  text = S1[3, 2] -> zlib  #: chunks = [2, 2]
  part [u1[2], u1[0], u1[2] -> zlib]  #: whole = [5], fill = 9
  many = u2[200]  #: chunks = [1]
  empty = f4[0] -> zlib  #: chunks = [4]
  bytes = u1[2] -> lz4  #: chunks = [2]
"#;

fn values() -> Json {
    let grid = |rows: i64, columns: i64| -> Json {
        (0..rows).map(|i| (0..columns).map(|j| i * columns + j).collect::<Json>()).collect()
    };
    json!({
        "N": 3, "M": 4, "t": 1.5, "x": [0, 1, 2, 3], "far": 7, "rho": grid(3, 4),
        "g": {
            "u": grid(2, 5),
            "pos": (0..3).map(|i| json!({"a": i, "b": [i, 2], "c": [1, i], "ok": i == 1})).collect::<Json>(),
        },
        "hist": (0..4).map(|i| json!({"t": i, "v": [i, 1], "n": {"a": -i, "b": i}})).collect::<Json>(),
        "odd": [0.5, 9], "name": "hello!", "flags": [true, false, true], "z": [[1, 2], [3, 4]],
        "wide": "wide", "packed": vec![1; 100], "p": 77, "none": [],
        "turned": grid(2, 3),
        "chunks": {
            "plain": grid(3, 4), "zlib": grid(3, 4), "shuffled": grid(3, 4), "text": ["ab", "c", ""],
            "part": [1, 2, 9, 9, 5], "many": (0..200).collect::<Json>(), "empty": [], "bytes": [1, 2],
        },
        "apart": (0..2).map(|i| json!({"p": [i, 1, 2], "q": [3, i, 4], "r": i})).collect::<Json>(),
    })
}

fn pack(folder: &Path, name: &str, layout: &str, values: &Json) -> Option<String> {
    std::fs::write(folder.join("layout.dud"), layout).expect("the layout");
    std::fs::write(folder.join("values.json"), values.to_string()).expect("the values");
    let mut pack = command::dudc()?;
    pack.current_dir(folder).args([
        "pack",
        "layout.dud",
        "--data",
        "values.json",
        "--hdf5",
        "-o",
        name,
    ]);
    let said = pack.output().expect("it runs");
    assert!(said.status.success(), "{said:?}");
    Some(String::from_utf8_lossy(&said.stderr).into_owned())
}

fn dudc(folder: &Path, arguments: &[&str]) -> (Option<i32>, String) {
    let mut dudc = command::dudc().expect("it is there");
    let said = dudc.current_dir(folder).args(arguments).output().expect("it runs");
    let text = [said.stdout, said.stderr].concat();
    (said.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn libraries_of_hdf5_read_the_bytes_of_a_stream() {
    let Some(python) = python::Python::get() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let Some(said) = pack(folder.path(), "run.bd", LAYOUT, &values()) else { return };
    assert!(said.contains("`/wide`: HDF5 has no type for <U2"), "{said}");
    assert!(said.contains("`/packed`: it is encoded by `zlib`"), "{said}");
    let found = python.run("hdf5_face.py", folder.path(), &["run.bd"]);
    let found: Json = serde_json::from_str::<Json>(&found).expect("JSON")["run.bd"].clone();

    assert!(said.contains("`/turned`: its elements do not lie"), "{said}");
    let values = values();
    let rows = |list: &str| values[list].clone();
    let mut expected = vec![
        ("/t", rows("t")),
        ("/x", rows("x")),
        ("/far", rows("far")),
        ("/rho", rows("rho")),
        ("/g/u", values["g"]["u"].clone()),
        ("/odd/0", json!(0.5)),
        ("/odd/1", json!(9)),
        ("/name", rows("name")),
        ("/flags", rows("flags")),
        ("/z", rows("z")),
        ("/p", rows("p")),
        ("/none", rows("none")),
        ("/g/pos", values["g"]["pos"].clone()),
    ];
    expected.push(("/hist", rows("hist")));
    assert!(said.contains("`/chunks/bytes`: its blocks are encoded by `lz4`"), "{said}");
    for name in ["plain", "zlib", "shuffled", "text", "part", "many", "empty"] {
        expected.push((format!("/chunks/{name}").leak(), values["chunks"][name].clone()));
        let chunks = &found["arrays"][format!("/chunks/{name}")]["chunks"];
        assert!(chunks.is_array(), "{name}: {chunks}");
    }
    for (at, paths) in
        [["/apart/0/p", "/apart/0/q", "/apart/0/r"], ["/apart/1/p", "/apart/1/q", "/apart/1/r"]]
            .into_iter()
            .enumerate()
    {
        let item = &values["apart"][at];
        let field = |name: &str| -> Json {
            let each = item[name].as_array().expect("an array");
            each.iter().map(|it| json!({ name: it })).collect()
        };
        expected.push((paths[0], field("p")));
        expected.push((paths[1], field("q")));
        expected.push((paths[2], item["r"].clone()));
    }
    let arrays = &found["arrays"];
    for (path, values) in &expected {
        let array = &arrays[path];
        assert!(known::alike(&array["values"], values), "{path}: {array}, not {values}");
    }
    assert_eq!(arrays.as_object().expect("arrays").len(), expected.len(), "{arrays}");
    let plain = &arrays["/chunks/plain"];
    assert_eq!((&plain["dims"], &plain["chunks"]), (&json!(["y", "x"]), &json!([2, 3])));
    let rho = &arrays["/rho"];
    assert_eq!((&rho["dims"], &rho["dtype"]), (&json!(["y", "x"]), &json!("<f4")));
    // The very bytes of the stream.
    let (_, listed) = dudc(folder.path(), &["ls", "run.bd", "/rho", "--format", "json"]);
    let listed: Json = serde_json::from_str(&listed).expect("JSON");
    assert_eq!(rho["address"], listed["items"][0]["address"]);
    assert_eq!(arrays["/x"]["dtype"], ">f4");
    for (name, text) in [
        ("units", "g/cc"),
        ("long_name", "density"),
        ("steps", "[1 2]"),
        ("who", "me"),
        ("valid_range", "[ 0.5 10. ]"),
    ] {
        assert!(rho["attrs"][name].as_str().is_some_and(|it| it.contains(text)), "{name}: {rho}");
    }
    assert_eq!(found["xarray"]["rho"], json!(["y", "x"]));
    assert!(found["netcdf4"].as_array().is_some_and(|names| names.contains(&json!("rho"))));

    // It is the stream that it was.
    let (status, said) = dudc(folder.path(), &["verify", "run.bd"]);
    assert_eq!((status, said.contains("0 errors, 0 warnings")), (Some(0), true), "{said}");
    let (status, _) = dudc(folder.path(), &["detach", "run.bd", "--hdf5"]);
    assert_eq!(status, Some(0));
    let (_, dumped) = dudc(folder.path(), &["dump", "run.bd", "--nested", "--format", "json"]);
    let (_, all) = dudc(
        folder.path(),
        &["pack", "layout.dud", "--data", "values.json", "--attach", "-o", "plain.bd"],
    );
    let (_, plain) = dudc(folder.path(), &["dump", "plain.bd", "--nested", "--format", "json"]);
    assert_eq!(dumped, plain, "{all}");
    let bytes = |name: &str| std::fs::read(folder.path().join(name)).expect("a file");
    assert!(bytes("run.bd") == bytes("plain.bd"), "nothing is left of the face");
}

#[test]
fn faces_that_are_stale_are_found_and_made_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let layout = "n = u1  x = f8[2] @560\nM : i8  h [f8]*M";
    let values = json!({"n": 5, "x": [1, 2], "M": 2, "h": [1, 2]});
    if pack(folder, "run.bd", layout, &values).is_none() {
        return;
    }
    let path = folder.join("run.bd");
    let mut bytes = std::fs::read(&path).expect("the file");
    bytes[16] = 6;
    std::fs::write(&path, &bytes).expect("the file");
    let (status, said) = dudc(folder, &["verify", "run.bd"]);
    assert_eq!((status, said.contains("error[hdf5-face]")), (Some(1), true), "{said}");
    let (status, said) = dudc(folder, &["verify", "--fix", "run.bd"]);
    assert_eq!((status, said.contains("the HDF5 face is made anew")), (Some(0), true), "{said}");
    // Records grow over its headers.
    std::fs::write(folder.join("more.json"), "[3, 4]").expect("values");
    let (status, said) = dudc(folder, &["append", "run.bd", "/h", "--data", "more.json"]);
    assert_eq!((status, said.contains("no HDF5 file any more")), (Some(0), true), "{said}");
    let (status, said) = dudc(folder, &["attach", "run.bd", "--hdf5"]);
    assert_eq!(status, Some(0), "{said}");
    let (status, said) = dudc(folder, &["verify", "run.bd"]);
    assert_eq!((status, said.contains("hdf5-face")), (Some(0), false), "{said}");
    // Bytes of an item that look like a face are none.
    let mut fake = vec![0_u8; 24];
    fake[..8].copy_from_slice(b"\x89HDF\r\n\x1a\n");
    fake[12..14].copy_from_slice(&512_u16.to_le_bytes());
    let values = json!({"a": vec![0; 496], "b": fake, "c": vec![0; 1000]});
    std::fs::write(folder.join("values.json"), values.to_string()).expect("the values");
    std::fs::write(folder.join("layout.dud"), "a = u1[496]  b = u1[24]  c = u1[1000]")
        .expect("the layout");
    dudc(folder, &["pack", "layout.dud", "--data", "values.json", "--attach", "-o", "fake.bd"]);
    let before = std::fs::read(folder.join("fake.bd")).expect("a file");
    let (status, said) = dudc(folder, &["detach", "fake.bd", "--hdf5"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(before == std::fs::read(folder.join("fake.bd")).expect("a file"));
}

#[test]
fn nothing_that_is_there_is_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    let Some(mut pack) = command::dudc() else { return };
    std::fs::write(folder.join("l.dud"), "x = u1[4]  y = f8[8] @600").expect("the layout");
    std::fs::write(folder.join("v.json"), r#"{"x": [1, 2, 3, 4], "y": [1, 2, 3, 4, 5, 6, 7, 8]}"#)
        .expect("values");
    pack.current_dir(folder);
    command::success(pack.args([
        "pack",
        "l.dud",
        "--data",
        "v.json",
        "-o",
        "a.bd",
        "--hdf5",
        "--checksum",
    ]));
    // The index, with its checksums.
    let (status, said) = dudc(folder, &["index", "--check", "a.bd"]);
    assert_eq!((status, said.contains("checksum")), (Some(0), true), "{said}");
    // Bytes that no item has: in the gap, where another place is taken, and behind the data, where none is.
    dudc(folder, &["pack", "l.dud", "--data", "v.json", "-o", "b.bd"]);
    let mut bytes = std::fs::read(folder.join("b.bd")).expect("a file");
    bytes[520] = 7;
    std::fs::write(folder.join("gap.bd"), &bytes).expect("a file");
    let (status, said) = dudc(folder, &["attach", "gap.bd", "l.dud", "--hdf5"]);
    assert_eq!(status, Some(0), "{said}");
    assert_eq!(std::fs::read(folder.join("gap.bd")).expect("a file")[520], 7);
    bytes.extend([0, 0, 9]);
    std::fs::write(folder.join("behind.bd"), &bytes).expect("a file");
    let (status, said) = dudc(folder, &["attach", "behind.bd", "l.dud", "--hdf5"]);
    assert_eq!((status, said.contains("from address 666 on")), (Some(1), true), "{said}");
}

#[test]
fn what_lies_in_front_of_the_superblock_is_copied_if_it_is_small() {
    let folder = tempfile::tempdir().expect("a folder");
    let values = json!({"small": [1, 2], "large": vec![0; 10_000]});
    let Some(said) = pack(folder.path(), "run.bd", "small = f8[2]  large = f8[10000]", &values)
    else {
        return;
    };
    assert!(
        said.contains("there is no gap for HDF5's superblock") && said.contains("`/large`"),
        "{said}"
    );
    let (status, said) = dudc(folder.path(), &["verify", "run.bd"]);
    assert_eq!(status, Some(0), "{said}");
    let (status, _) =
        dudc(folder.path(), &["pack", "layout.dud", "--hdf5", "-o", "-", "--data", "values.json"]);
    assert_eq!(status, Some(0));
    let (status, said) = dudc(folder.path(), &["attach", "layout.dud", "--hdf5"]);
    assert_ne!(status, Some(0), "{said}");
}

/// Groups of many objects have them in a tree: the first, the last, and those at the edges of tables and nodes are found.
#[test]
fn objects_of_large_groups_are_found() {
    let Some(python) = python::Python::get() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    for count in [32, 33, 256, 257, 3_000] {
        let name =
            |at: usize| format!("{}{}", ["a", "Z", "zz_", "longer_than_the_others_"][at % 4], at);
        let items: String = (0..count).map(|at| format!("{} = i4\n", name(at))).collect();
        let layout = format!("first = i4 @560\n{items}g/\n{items}..\n");
        let all: Json = (0..count).map(|at| (name(at), json!(at))).collect();
        let mut values = all.clone();
        values["first"] = json!(-1);
        values["g"] = all;
        let name_of = format!("{count}.bd");
        let Some(said) = pack(folder.path(), &name_of, &layout, &values) else { return };
        assert_eq!(said, "");
        let found = python.run("hdf5_face.py", folder.path(), &[&name_of]);
        let found: Json = serde_json::from_str(&found).expect("JSON");
        let arrays = found[&name_of]["arrays"].as_object().expect("arrays");
        assert_eq!(arrays.len(), 2 * count + 1);
        for at in 0..count {
            for path in [format!("/{}", name(at)), format!("/g/{}", name(at))] {
                assert_eq!(arrays[&path]["values"], json!(at), "{path} of {count}");
            }
        }
    }
}

/// What is converted into HDF5: text that HDF5 has no type for, structs, lists, items in dicts, what filters made.
#[test]
fn anything_becomes_an_hdf5_file() {
    let Some(python) = python::Python::get() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let layout = "## a run\n#: who = \"me\"\nN : i8\nl [f8[2]]*3\nwide = U2[4]\npacked = u1[100] -> zlib\n\
                  g/\n  p = {a = i4  b = >f8}[N]\n  z = c16[2]\n..\nx = f4[N]  ## (m) along\n";
    let values = json!({
        "N": 2, "l": [[1, 2], [3, 4], [5, 6]], "wide": "wide", "packed": vec![1; 100],
        "g": {"p": [{"a": 1, "b": 2}, {"a": 3, "b": 4}], "z": [[1, 2], [3, 4]]}, "x": [0.5, 1.5],
    });
    if pack(folder.path(), "run.bd", layout, &values).is_none() {
        return;
    }
    let (status, said) = dudc(folder.path(), &["convert", "run.bd", "run.h5"]);
    assert_eq!((status, &*said), (Some(0), ""));
    let found = python.run("hdf5_face.py", folder.path(), &["run.h5"]);
    let found: Json = serde_json::from_str(&found).expect("JSON");
    let arrays = &found["run.h5"]["arrays"];
    let expected = [
        ("/l/1", &values["l"][1]),
        ("/wide", &values["wide"]),
        ("/packed", &values["packed"]),
        ("/g/p", &values["g"]["p"]),
        ("/g/z", &values["g"]["z"]),
        ("/x", &values["x"]),
    ];
    for (path, value) in expected {
        assert!(known::alike(&arrays[path]["values"], value), "{path}: {}", arrays[path]);
    }
    assert_eq!(arrays["/x"]["attrs"]["units"], "b'm'");
    assert_eq!(arrays["/x"]["dims"], json!(["N"]));
    // It is a stream with all that it had.
    let (status, said) = dudc(folder.path(), &["verify", "run.h5"]);
    assert_eq!((status, said.contains("0 errors, 0 warnings")), (Some(0), true), "{said}");
    let (_, layout) = dudc(folder.path(), &["detach", "run.h5"]);
    assert!(layout.contains("who = \"me\"") && layout.contains("x = f4[N]"), "{layout}");
    let (status, _) = dudc(folder.path(), &["convert", "run.bd", "o.h5", "--no-attach"]);
    assert_eq!(status, Some(2));
}
