//! The built binary on what has no value within structs, and on masks where the output has none; quantities with a type.

use crate::kit::Folder;

fn tree(folder: &Folder, name: &str, lines: &[&str]) {
    let head = "#ASDF 1.0.0\n%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";
    folder.write(name, format!("{head}{}\n...\n", lines.join("\n")));
}

/// Null within structs of all kinds of fields, and masks of structs.
fn sample() -> Folder {
    let folder = Folder::empty();
    let array = |text: &str| format!("!core/ndarray-1.1.0 {{{text}}}");
    let mask = array("data: [[true, false], [false, true]], datatype: [bool8, bool8], shape: [2]");
    let lines = [
        ("a", "data: [[x, null], [null, y]], datatype: [[ascii, 2], [ucs4, 2]], shape: [2]"),
        ("b", "data: [[true, null]], datatype: [bool8, complex128], shape: [1]"),
        (
            "c",
            "data: [[[null, 2], 3], [null, null]], datatype: [{datatype: int16, shape: [2]}, float32], \
             shape: [2]",
        ),
        (
            "d",
            "data: [[[1, null], 2], [null, 3]], datatype: [{name: r, datatype: [int8, float64]}, int8], \
             shape: [2]",
        ),
        ("e", "data: [null, null], datatype: [int8, int8], shape: [2]"),
        (
            "f",
            &format!(
                "data: [[1.5, 2], [3, 4]], datatype: [float64, int32], shape: [2], mask: {mask}"
            ),
        ),
        (
            "g",
            "data: [[1.5, 2], [3, 4]], datatype: [float64, int32], shape: [2], mask: \
             !core/ndarray-1.1.0 [true, false]",
        ),
    ];
    let lines: Vec<String> =
        lines.iter().map(|(name, text)| format!("{name}: {}", array(text))).collect();
    tree(&folder, "t.asdf", &lines.iter().map(String::as_str).collect::<Vec<_>>());
    folder
}

const SHOWN: [(&str, &str); 7] = [
    ("/a", r#"[{"f0": "x", "f1": null}, {"f0": null, "f1": "y"}]"#),
    ("/b", r#"[{"f0": true, "f1": null}]"#),
    ("/c", r#"[{"f0": [null, 2], "f1": 3.0}, null]"#),
    ("/d", r#"[{"r": {"f0": 1, "f1": null}, "f1": 2}, {"r": {"f0": null, "f1": null}, "f1": 3}]"#),
    ("/e", "[null, null]"),
    ("/f", r#"[{"f0": null, "f1": 2}, {"f0": 3.0, "f1": null}]"#),
    ("/g", r#"[null, {"f0": 3.0, "f1": 4}]"#),
];

#[track_caller]
fn shows(folder: &Folder, file: &str, path: &str, wanted: &str) {
    let json = folder.done(&["get", file, path, "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let wanted: serde_json::Value = serde_json::from_str(wanted).expect("JSON");
    assert_eq!(json["value"], wanted, "{file} {path}");
}

#[test]
fn null_within_structs_is_a_mask_and_stays_one() {
    let folder = sample();
    folder.done("verify t.asdf");
    folder.done("convert t.asdf u.asdf");
    folder.done("diff t.asdf u.asdf");
    for (path, wanted) in SHOWN {
        shows(&folder, "t.asdf", path, wanted);
        shows(&folder, "u.asdf", path, wanted);
        // As a part it is in a block, with a mask of structs.
        folder.done(&["convert", "t.asdf", "p.asdf", &format!("{path}[:]"), "--force"]);
        shows(&folder, "p.asdf", path, wanted);
        folder.done("verify p.asdf");
        folder.done(&["diff", "t.asdf", "p.asdf", path]);
    }
    shows(&folder, "t.asdf", "/c.f0", "[[null, 2], [null, null]]");
    shows(&folder, "t.asdf", "/c[0].f0[::-1]", "[2, null]");
    shows(&folder, "t.asdf", "/d.r.f0", "[1, null]");
    shows(&folder, "t.asdf", "/a.f1", "[null, \"y\"]");
}

#[test]
fn cells_without_a_value_are_not_counted() {
    let folder = sample();
    let stat = folder.done("stat t.asdf --format json");
    let stat: serde_json::Value = serde_json::from_str(&stat).expect("JSON");
    let counts: Vec<(&str, u64)> = stat["items"]
        .as_array()
        .expect("items")
        .iter()
        .map(|row| (row["path"].as_str().unwrap_or(""), row["count"].as_u64().unwrap_or(99)))
        .collect();
    let wanted = [
        ("/a.f0", 1),
        ("/a.f1", 1),
        ("/b.f0", 1),
        ("/b.f1", 0),
        ("/b.f1", 0),
        ("/c.f0", 1),
        ("/c.f1", 1),
        ("/d.r.f0", 1),
        ("/d.r.f1", 0),
        ("/d.f1", 2),
        ("/e.f0", 0),
        ("/e.f1", 0),
        ("/f.f0", 1),
        ("/f.f1", 1),
        ("/g.f0", 1),
        ("/g.f1", 1),
    ];
    assert_eq!(counts, wanted);
}

#[test]
fn masked_elements_are_refused_or_filled_where_there_are_no_masks() {
    let folder = sample();
    for (path, _) in SHOWN {
        for out in ["o.npy", "o.npz", "o.bd", "o.b2nd", "o.finf", "o"] {
            let said = folder.run(&["convert", "t.asdf", out, path]);
            assert!(said.status == 1 && said.err.contains("--fill"), "{path} {out}: {said:?}");
            assert!(!folder.path(out).exists(), "{path} {out}");
        }
        let said = folder.run(&["get", "t.asdf", path, "-o", "o.raw"]);
        assert!(said.status == 1 && said.err.contains("--fill"), "{path}: {said:?}");
    }
    folder.done("convert t.asdf c.bd /c --fill nan --fill -1");
    shows(&folder, "c.bd", "/c", r#"[{"f0": [-1, 2], "f1": 3.0}, {"f0": [-1, -1], "f1": "nan"}]"#);
    folder.done("convert t.asdf a.npz /a --fill ?");
    folder.done("convert a.npz a.bd");
    shows(&folder, "a.bd", "/a", r#"[{"f0": "x", "f1": "?"}, {"f0": "?", "f1": "y"}]"#);
    folder.done("convert t.asdf f.bd /f --fill stored");
    shows(&folder, "f.bd", "/f", r#"[{"f0": 1.5, "f1": 2}, {"f0": 3.0, "f1": 4}]"#);
    for (words, told) in [
        ("convert t.asdf n.npy /c --fill nan", "expected a value of its type <i2"),
        ("convert t.asdf n.npy /c --fill 99999", "expected a value of its type <i2"),
        ("convert t.asdf n.npy /c --fill stored", "null in the tree"),
    ] {
        let said = folder.run(words);
        assert!(said.status == 1 && said.err.contains(told), "{words}: {said:?}");
    }
}

#[test]
fn masked_cells_are_empty_in_csv() {
    let folder = sample();
    for (path, wanted) in [
        ("/c", "f0[0],f0[1],f1\n,2,3.0\n,,\n"),
        ("/d", "r.f0,r.f1,f1\n1,,2\n,,3\n"),
        ("/g", "f0,f1\n,\n3.0,4\n"),
        ("/g[::-1]", "f0,f1\n3.0,4\n,\n"),
        ("/e", "\n\n"),
    ] {
        folder.done(&["get", "t.asdf", path, "-o", "x.csv", "--force"]);
        assert_eq!(String::from_utf8(folder.bytes("x.csv")).expect("text"), wanted, "{path}");
    }
}

/// The least integer is numpy's `NaT`, where integers are times; beside it are cells that are masked.
#[test]
fn times_that_are_none_are_missing_in_structs_with_masks() {
    let folder = Folder::empty();
    let array = |data: &str, datatype: &str, mask: &str| {
        format!(
            "!core/ndarray-1.1.0 {{data: {data}, datatype: {datatype}, shape: [2], mask: {mask}}}"
        )
    };
    let time = "{name: t, datatype: int64, numpy: 'M8[ns]'}";
    let mask = |data: &str, datatype: &str| {
        format!("!core/ndarray-1.1.0 {{data: {data}, datatype: {datatype}, shape: [2]}}")
    };
    let least = i64::MIN;
    let flat = array(
        &format!("[[{least}, 1, 2.5], [5, {least}, 3.5]]"),
        &format!("[{time}, {{name: i, datatype: int64}}, {{name: f, datatype: float64}}]"),
        &mask(
            "[[false, true, false], [true, false, false]]",
            "[{name: t, datatype: bool8}, {name: i, datatype: bool8}, {name: f, datatype: bool8}]",
        ),
    );
    let nested = array(
        &format!("[[[{least}, [1, 2]], 3], [[4, [5, 6]], 7]]"),
        &format!(
            "[{{name: r, datatype: [{time}, {{name: v, datatype: int16, shape: [2]}}]}}, \
             {{name: k, datatype: int8}}]"
        ),
        &mask(
            "[[[false, [false, true]], false], [[true, [true, false]], true]]",
            "[{name: r, datatype: [{name: t, datatype: bool8}, {name: v, datatype: bool8, shape: [2]}]}, \
             {name: k, datatype: bool8}]",
        ),
    );
    tree(&folder, "t.asdf", &[&format!("a: {flat}"), &format!("n: {nested}")]);
    folder.done("convert t.asdf u.asdf");
    for file in ["t.asdf", "u.asdf"] {
        let a = r#"[{"t": null, "i": null, "f": 2.5}, {"t": null, "i": -9223372036854775808, "f": 3.5}]"#;
        shows(&folder, file, "/a", a);
        let n = r#"[{"r": {"t": null, "v": [1, null]}, "k": 3}, {"r": {"t": null, "v": [null, 6]}, "k": null}]"#;
        shows(&folder, file, "/n", n);
        shows(&folder, file, "/n.r.v", "[[1, null], [null, 6]]");
        shows(&folder, file, "/n.r.t", "[null, null]");
        let stat = folder.json(&["stat", file, "--format", "json"]);
        let counts: Vec<_> = stat["items"].as_array().expect("items").iter().collect();
        let counts: Vec<_> =
            counts.iter().map(|it| (it["path"].as_str(), it["count"].as_u64())).collect();
        let expected =
            [("/a.t", 0), ("/a.i", 1), ("/a.f", 2), ("/n.r.t", 0), ("/n.r.v", 2), ("/n.k", 1)];
        assert_eq!(counts, expected.map(|(path, count)| (Some(path), Some(count))), "{file}");
    }
    for (path, wanted) in [
        ("/a", "t,i,f\n,,2.5\n,-9223372036854775808,3.5\n"),
        ("/n", "r.t,r.v[0],r.v[1],k\n,1,,3\n,,6,\n"),
    ] {
        folder.done(&["get", "t.asdf", path, "-o", "x.csv", "--force"]);
        assert_eq!(String::from_utf8(folder.bytes("x.csv")).expect("text"), wanted, "{path}");
    }
    // A copy has the integer, which is a time that is none there too.
    folder.done("convert t.asdf f.bd --fill 9");
    shows(&folder, "f.bd", "/n.r.t", "[null, 9]");
    folder.done("convert t.asdf f.npz --fill 9");
    folder.done("convert f.npz g.bd");
    shows(&folder, "g.bd", "/n.r.t", "[null, 9]");
}

#[test]
fn null_for_very_many_cells_is_bounded() {
    let folder = Folder::empty();
    let field = "{name: a, datatype: int8, shape: [1000000000000]}";
    let x = format!("x: !core/ndarray-1.1.0 {{data: [null], datatype: [{field}], shape: [1]}}");
    let other = "{data: [[true]], datatype: [bool8], shape: [1]}";
    let y = format!(
        "y: !core/ndarray-1.1.0 {{data: [[1, 2]], datatype: [int8, int8], shape: [1], mask: \
         !core/ndarray-1.1.0 {other}}}"
    );
    tree(&folder, "t.asdf", &[&x, &y]);
    let said = folder.run("get t.asdf /x");
    assert!(said.status == 1 && said.err.contains("the limit"), "{said:?}");
    let said = folder.run("get t.asdf /y");
    assert!(said.status == 1 && said.err.contains("structs of booleans"), "{said:?}");
}

/// As asdf-astropy writes them: a number with its type, an array without.
const QUANTITIES: [&str; 5] = [
    "arr: !unit/quantity-1.3.0 {unit: !unit/unit-1.0.0 km, value: !core/ndarray-1.1.0 [0.0, 1.5]}",
    "k: !unit/quantity-1.3.0 {datatype: int64, unit: !unit/unit-1.0.0 count, value: 5}",
    "'n': !unit/quantity-1.3.0 {datatype: float32, unit: !unit/unit-1.0.0 Jy, value: 2.5}",
    "s: !unit/quantity-1.3.0 {datatype: float64, unit: !unit/unit-1.0.0 m.s**-1, value: 3.0}",
    "z: !unit/quantity-1.3.0 {datatype: complex128, unit: !unit/unit-1.0.0 m, value: !core/complex-1.0.0 1+2j}",
];

#[test]
fn quantities_keep_their_unit_and_type() {
    let folder = Folder::empty();
    tree(&folder, "q.asdf", &QUANTITIES);
    folder.done("convert q.asdf q.bd");
    let listed = folder.done("ls q.bd --format json");
    let listed: serde_json::Value = serde_json::from_str(&listed).expect("JSON");
    let rows: Vec<[&str; 3]> = listed["items"]
        .as_array()
        .expect("items")
        .iter()
        .map(|row| ["path", "dtype", "unit"].map(|key| row[key].as_str().unwrap_or("")))
        .collect();
    let wanted = [
        ["/arr", "<f8", "km"],
        ["/k", "<i8", "count"],
        ["/n", "<f4", "Jy"],
        ["/s", "<f8", "m.s**-1"],
        ["/z", "<c16", "m"],
    ];
    assert_eq!(rows, wanted);
    folder.done("diff q.asdf q.bd");
    folder.done("convert q.bd back.asdf");
    let back = asdf_bridge::asdf::AsdfFile::open(folder.path("back.asdf")).expect("a file");
    for [path, _, unit] in wanted {
        let quantity = back.get(path).expect(path).quantity();
        assert_eq!(quantity.expect(path).unit(), unit);
    }
    let float = back.get("/n/datatype").expect("it is said");
    assert_eq!(float.node().text(), Some("float32"));
    folder.done("convert back.asdf again.bd");
    folder.done("diff q.bd again.bd --attrs");
    assert!(folder.done("ls q.asdf /n/value").contains("Jy"));
    folder.done("convert q.asdf n.npy /n/value");
    assert!(folder.bytes("n.npy").windows(5).any(|at| at == b"'<f4'"));
}

#[test]
fn other_units_are_a_difference_of_a_tree_and_a_stream() {
    let folder = Folder::empty();
    tree(&folder, "q.asdf", &QUANTITIES);
    folder.done("convert q.asdf q.bd");
    let other = QUANTITIES.map(|line| line.replace("Jy", "mJy"));
    tree(&folder, "p.asdf", &other.each_ref().map(String::as_str));
    assert_eq!(folder.ends(1, "diff p.asdf q.bd"), "/n: unit \"mJy\" and \"Jy\"\n");
    assert_eq!(folder.ends(1, "diff q.bd p.asdf"), "/n: unit \"Jy\" and \"mJy\"\n");
    folder.done("diff p.asdf q.bd --ignore /n");
    let wrong =
        QUANTITIES.map(|line| line.replace("int64", "int8").replace("value: 5", "value: 300"));
    tree(&folder, "w.asdf", &wrong.each_ref().map(String::as_str));
    let said = folder.run("convert w.asdf w.bd");
    assert!(said.status == 1 && said.err.contains("`/k"), "{said:?}");
}

#[test]
fn units_and_tags_that_are_left_out_are_said() {
    let folder = Folder::empty();
    tree(&folder, "q.asdf", &QUANTITIES);
    assert!(!folder.run("convert q.asdf q.bd").err.contains("left out"));
    for out in ["q.npz", "q"] {
        let said = folder.run(&["convert", "q.asdf", out]);
        assert!(said.err.contains("the units of `/arr`, `/k`, `/n`"), "{out}: {said:?}");
    }
    // As asdf-astropy writes them.
    let angle = "!<tag:astropy.org:astropy/coordinates/angle-1.2.0>";
    let rows = [
        "t: !time/time-1.4.0 2020-01-01T00:00:00.123",
        &format!("a: {angle} {{datatype: float64, unit: !unit/unit-1.0.0 deg, value: 3.5}}"),
        "m: !<tag:me.org:mine> {x: 1}",
        "c: !core/constant-1.0.0 {name: c, value: 1}",
    ];
    tree(&folder, "t.asdf", &rows);
    for out in ["t.bd", "t.npz"] {
        let said = folder.run(&["convert", "t.asdf", out]);
        let tags = "the tags of `/t`, `/a`, `/a/unit`, `/m` are left out";
        assert!(said.status == 0 && said.err.contains(tags), "{out}: {said:?}");
    }
    assert!(!folder.run("convert t.asdf u.asdf").err.contains("left out"));
}

#[test]
fn nulls_of_a_quantity_are_seen_through_its_slices() {
    let folder = Folder::empty();
    let array = "!core/ndarray-1.1.0 {data: [1.5, null], datatype: float64, shape: [2]}";
    let quantity = format!("!unit/quantity-1.2.0 {{unit: m, value: {array}}}");
    tree(&folder, "t.asdf", &[&format!("q: {quantity}"), &format!("l: [{quantity}, {quantity}]")]);
    for path in ["/q[:]", "/q/value[:]", "/l[:,:]", "/l[0][1]"] {
        for words in [
            format!("get t.asdf {path} -o o.npy --force"),
            format!("convert t.asdf o.npy {path} --force"),
        ] {
            assert!(folder.fails(&words, 1).contains("--fill"), "{words}");
            let said = folder.fails(&format!("{words} --fill stored"), 1);
            assert!(said.contains("nothing is stored there"), "{words}: {said}");
            folder.done(&format!("{words} --fill 7"));
            assert!(folder.bytes("o.npy").ends_with(&7_f64.to_le_bytes()), "{words}");
        }
    }
}

#[test]
fn a_single_element_that_is_masked_is_no_value() {
    let folder = Folder::empty();
    let array = |mask: &str| {
        format!("m: !core/ndarray-1.1.0 {{data: [3, 4], datatype: int64, shape: [2]{mask}}}")
    };
    tree(&folder, "all.asdf", &[&array(", mask: 3")]);
    folder.done("convert all.asdf masked.asdf /m[0]");
    folder.done("convert all.asdf other.asdf /m[1]");
    tree(&folder, "value.asdf", &["m: 3"]);
    tree(&folder, "four.asdf", &["m: 4"]);
    folder.done("convert value.asdf value.bd");
    for other in ["value.asdf", "value.bd"] {
        let said = folder.ends(1, &format!("diff masked.asdf {other}"));
        assert!(said.contains("/m: null and 3"), "{said}");
        let said = folder.ends(1, &format!("diff {other} masked.asdf"));
        assert!(said.contains("/m: 3 and null"), "{said}");
    }
    // A mask of nothing is reported where values are the same.
    let said = folder.ends(1, "diff other.asdf four.asdf /m");
    assert_eq!(said, "/m/mask: a mask in other.asdf only\n");
}

#[test]
fn a_mask_that_cannot_be_read_is_no_mask_of_nothing() {
    let folder = Folder::empty();
    let array = "x: !core/ndarray-1.1.0 {data: [1, 2], datatype: int64, shape: [2], mask: \
                 !core/ndarray-1.1.0 {source: 9, datatype: bool8, byteorder: little, shape: [2]}}";
    tree(&folder, "t.asdf", &[array]);
    for words in ["stat t.asdf /x[:1]", "stat t.asdf", "get t.asdf /x[:1] -o o.npy"] {
        assert!(folder.fails(words, 1).contains("block 9"), "{words}");
    }
}
