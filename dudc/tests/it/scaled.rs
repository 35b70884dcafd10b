//! Stored values and the physical ones that they stand for, on the command line.

use crate::kit::Folder;

const LAYOUT: &str = "> x = i2[2]  #: scale_factor = 0.5, valid_range = [0, 9]
u = i1[2]  #: _Unsigned = \"true\"
m = i2[2]  #: missing_value = 7
";

fn folder() -> Folder {
    let folder = Folder::of(LAYOUT, r#"{"x": [3, 5], "u": [-1, 1], "m": [7, 8]}"#, "");
    folder.done("pack x.dud -o a.bd --data x.json --attach");
    folder
}

#[test]
fn physical_values_are_converted_with_a_warning() {
    let folder = folder();
    let said = "stored values become physical ones: /x: physical = 0.5 * stored, and those of";
    // A layout of what is read changes nothing.
    for input in ["a.bd", "x.bd --layout x.dud"] {
        for output in ["o.npz", "o.bd", "o.asdf"] {
            let warned = folder.says(&format!("convert {input} {output} --force"));
            // A stream keeps what marks values that stand for none.
            let (more, missing) = match output {
                "o.bd" => ("1 more array", "[7,8]"),
                _ => ("2 more arrays", "[\"nan\",8.0]"),
            };
            let said = format!("{said} {more}; --stored keeps them");
            assert!(warned.contains(&said), "{input} {output}: {warned}");
            assert!(warned.contains("`valid_range` of `/x`: left out"), "{input}: {warned}");
            let [x, u, m] = ["/x", "/u", "/m"].map(|path| {
                folder.json(&["get", output, path, "--format", "json"])["value"].to_string()
            });
            assert_eq!([&*x, &*u, &*m], ["[1.5,2.5]", "[255,1]", missing], "{input} {output}");
        }
        assert!(
            !folder.says(&format!("convert {input} o.npz --stored --force")).contains("stored")
        );
        let x = folder.json(&["get", "o.npz", "/x", "--format", "json"])["value"].to_string();
        assert_eq!(x, "[3,5]", "{input}");
    }
}

#[test]
fn raw_bytes_have_the_order_of_what_is_stored() {
    let folder = folder();
    folder.done("get a.bd /x --scaled -o x.raw");
    assert_eq!(folder.bytes("x.raw"), [1.5_f64, 2.5].map(f64::to_be_bytes).concat());
    folder.done("get a.bd /x --scaled -o x.npy");
    let x = folder.json(&["get", "x.npy", "/x", "--format", "json"]);
    assert_eq!(x["value"].to_string(), "[1.5,2.5]");
}

#[test]
fn params_structs_and_lists_beside_physical_values_are_what_they_were() {
    let layout = "N : u4
v = i2[N]  #: scale_factor = 2
l [/ n : u1  x = f4[n] .. ]*2
t = {a = u1  b = f8  c = {d = i1  e = f4[2]}}[2]
";
    let values = r#"{"v": [1, 2], "l": [{":n": 1, "x": [1]}, {":n": 2, "x": [2, 3]}],
        "t": [{"a": 1, "b": 2.5, "c": {"d": -1, "e": [1, 2]}}, {"a": 2, "b": 3.5, "c": {"d": -2, "e": [3, 4]}}]}"#;
    let folder = Folder::of(layout, values, "--attach");
    for output in ["o.npz", "o.asdf", "o.bd"] {
        folder.says(&format!("convert x.bd {output}"));
        let value = |path: &str| {
            folder.json(&["get", output, path, "--format", "json"])["value"].to_string()
        };
        assert_eq!(
            ["/v", "/l/0/x", "/l/1/x"].map(value),
            ["[2.0,4.0]", "[1.0]", "[2.0,3.0]"],
            "{output}"
        );
        assert_eq!(
            ["/t[:].b", "/t[:].c.d", "/t[1].c.e"].map(value),
            ["[2.5,3.5]", "[-1,-2]", "[3.0,4.0]"]
        );
    }
}

/// Where no attribute can tell which values stand for none, these are not a number; elsewhere they stay, with the attribute.
#[test]
fn fill_values_become_nan_where_nothing_tells_of_them() {
    let layout = "a = i2[3]  #: _FillValue = -99\nb = f4[2]  #: missing_value = 1e20\nc = i2[2]\nd = U1[-1]\n\
                  e = i8[2]  #: _FillValue = -1";
    let values = r#"{"a": [1, 2, -99], "b": [0.5, 1e20], "c": [-99, 3], "d": "x", "e": [9007199254740993, -1]}"#;
    let folder = Folder::with(&[("a.dud", layout), ("a.json", values)]);
    folder.done("pack a.dud -o a.bd --data a.json --attach");
    for file in ["a.npz", "a.asdf"] {
        let said = folder.says(&format!("convert a.bd {file}"));
        assert!(said.contains("NaN where -99 is stored"), "{said}");
        let values = |path: &str| folder.done(&format!("get {file} {path} --format json"));
        assert!(values("/a").to_lowercase().contains("nan"), "{}", values("/a"));
        assert!(values("/b").to_lowercase().contains("nan"), "{}", values("/b"));
        assert!(values("/c").contains("-99"), "{}", values("/c"));
        // No number changes in silence.
        assert!(values("/e").contains("[9007199254740993, -1]"), "{}", values("/e"));
        assert!(said.contains("`/e`: values that stand for none stay numbers"), "{said}");
    }
    folder.says("convert --stored a.bd s.npz");
    assert!(folder.done("get s.npz /a").contains("-99"));
    for file in ["b.bd", "b.h5", "b.nc", "b.fits"] {
        folder.says(&format!("convert a.bd {file}"));
        let found = folder.done(&format!("get {file} /a"));
        assert!(found.contains("-99"), "{file}: {found}");
        assert!(folder.done(&format!("get {file} /d")).contains('x'), "{file}");
    }
}
