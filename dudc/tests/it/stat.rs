//! `dudc stat`: what it counts, and what it says of streams that end early.

use crate::kit::Folder;

/// The items of the JSON of a command that ends with a status.
#[track_caller]
fn items_of(folder: &Folder, words: &str, status: i32) -> Vec<serde_json::Value> {
    let said = folder.run(&format!("{words} --format json"));
    assert_eq!(said.status, status, "{words}: {}", said.err);
    let json: serde_json::Value = serde_json::from_str(&said.out).expect("JSON");
    assert_eq!(json["version"], 1);
    json["items"].as_array().expect("items").clone()
}

fn paths(items: &[serde_json::Value]) -> Vec<&str> {
    items.iter().map(|item| item["path"].as_str().expect("a path")).collect()
}

#[test]
fn all_kinds_of_items_are_counted() {
    let layout = br#"{ N : u1 }
        x = >i2[N]  ## (cm) place
        p = {a = u1  b = {c = <f4[2]}}[2]
        "" = { u = u1  v = b1 }[2]
        z = <c8 %4
        name = S1[2, 3]
        varying = {n : u1  w = u1[n]}[2]
        l [/ t = u1]*3
        l [/ t = u1  m [u1, u1]]*2"#;
    let mut bytes = vec![3, 0, 0, 5, 255, 254, 0, 0];
    for (a, c) in [(7, [1.0_f32, f32::NAN]), (9, [f32::INFINITY, -0.0])] {
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        bytes.extend([a, 0, 0, 0]);
        c.iter().for_each(|value| bytes.extend(value.to_le_bytes()));
    }
    bytes.extend([4, 0, 6, 2]);
    bytes.extend([2.0_f32, -3.0].iter().flat_map(|value| value.to_le_bytes()));
    bytes.extend(*b"abcdef");
    bytes.extend([1, 50, 3, 10, 20, 30]);
    bytes.extend([1, 2, 6, 4, 41, 42, 5, 51, 52]);
    let folder = Folder::with::<[u8]>(&[("a.dud", layout), ("a", &bytes)]);
    let items = items_of(&folder, "stat a --layout a.dud --raw", 0);
    let expected = [
        "/x",
        "/p.a",
        "/p.b.c",
        "/u",
        "/v",
        "/z",
        "/z",
        "/name",
        "/varying.n",
        "/varying.w",
        "/l[:]/t",
        "/l[:]/m[:]",
    ];
    assert_eq!(paths(&items), expected, "{items:#?}");
    let is = |at: usize, json: serde_json::Value| {
        for (key, value) in json.as_object().expect("an object") {
            assert_eq!(&items[at][key], value, "{key} of {}", items[at]);
        }
    };
    use serde_json::json;
    is(0, json!({"dtype": ">i2", "shape": [3], "min": -2, "max": 5, "mean": 1.0, "unit": "cm"}));
    is(1, json!({"shape": [2], "min": 7, "max": 9, "std": 1.0}));
    is(2, json!({"shape": [2, 2], "count": 4, "nan": 1, "inf": 1, "zeros": 1, "max": "inf"}));
    is(2, json!({"min": -0.0, "mean": 0.5, "std": 0.5}));
    is(3, json!({"min": 4, "max": 6}));
    is(4, json!({"min": false, "max": true, "mean": 0.5, "zeros": 1}));
    is(5, json!({"part": "real", "mean": 2.0}));
    is(6, json!({"part": "imag", "mean": -3.0}));
    is(7, json!({"part": "text", "dtype": "|S1", "shape": [2, 3], "count": 2}));
    is(8, json!({"count": 2, "max": 3}));
    is(9, json!({"count": 4, "mean": 27.5}));
    is(10, json!({"shape": [5], "sum": null, "mean": 3.6}));
    is(11, json!({"shape": [4], "min": 41, "max": 52}));

    let each = items_of(&folder, "stat a /l --each --layout a.dud --raw", 0);
    assert_eq!(paths(&each)[..4], ["/l/0/t", "/l/1/t", "/l/2/t", "/l/3/t"]);
    let sliced = items_of(&folder, "stat a /x[1:] /l[::2]/t /p.a --layout a.dud --raw", 0);
    assert_eq!(paths(&sliced), ["/x[1:]", "/l[::2]/t", "/p.a"]);
    assert_eq!(sliced[1]["count"], 3);
}

#[test]
fn lists_that_are_alike_are_as_those_that_are_not() {
    let bytes: Vec<u8> = (0..3000_u32).map(|at| (at * 7 % 251) as u8).collect();
    for (one, other) in [
        (
            "l [/ a = u1  b = >u2 %1]*1000",
            "l [/ a = u1  b = >u2 %1]*1  l [/ a = u1  b = >u2 %1]*999",
        ),
        ("l [/ m [u1, u2 %1]*2]*500", "l [/ m [u1, u2 %1]]*1  l [/ m [u1, u2 %1]*2]*499"),
    ] {
        let folder = Folder::with::<[u8]>(&[
            ("a.dud", one.as_bytes()),
            ("b.dud", other.as_bytes()),
            ("a", &bytes),
        ]);
        let [one, other] = ["a", "b"]
            .map(|layout| items_of(&folder, &format!("stat a --raw --layout {layout}.dud"), 0));
        if one.len() == 2 && one[0]["count"] == other[0]["count"] {
            // Other orders of the same sums.
            let rounded = |mut items: Vec<serde_json::Value>| {
                for item in &mut items {
                    let std = item["std"].as_f64().expect("a number");
                    item["std"] = format!("{std:.12e}").into();
                }
                items
            };
            assert_eq!(rounded(one.clone()), rounded(other.clone()));
        }
        assert_eq!(one.len(), other.len());
    }
}

#[test]
fn what_is_cut_off_is_said_and_the_rest_counted() {
    let layout = b"x = u1[4]  y = f8[100]  z = u1[2] @4  l [u1]*1000000000";
    let folder = Folder::with::<[u8]>(&[("a.dud", layout), ("a", &[2, 4, 6, 8, 9, 9, 0, 0, 0])]);
    let items = items_of(&folder, "stat a --raw --layout a.dud", 1);
    assert_eq!(paths(&items), ["/x", "/z", "/l[:]"]);
    assert_eq!((&items[0]["mean"], &items[1]["mean"]), (&5.0.into(), &9.0.into()));
    let said = folder.run("stat a --raw --layout a.dud").err;
    assert!(said.contains("`/y`: 800 bytes are needed at address 8"), "{said}");
    assert!(said.lines().count() < 5, "{said}");
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let mut bytes = Vec::new();
    for at in 0..400_000_u32 {
        bytes.extend(f64::from(at).sin().to_le_bytes());
    }
    let folder = Folder::with::<[u8]>(&[("a.dud", b"<x = f8[2, 200000]"), ("a", &bytes)]);
    let one = items_of(&folder, "stat a --raw --layout a.dud --jobs 1", 0);
    for jobs in [2, 3, 16] {
        assert_eq!(
            items_of(&folder, &format!("stat a --raw --layout a.dud --jobs {jobs}"), 0),
            one
        );
    }
    assert_eq!(one[0]["count"], 400_000);
}

#[test]
fn wrong_words_are_wrong_usage_and_missing_items_are_not() {
    let folder = Folder::with::<[u8]>(&[("a.dud", b"x = u1"), ("a", &[1])]);
    assert_eq!(folder.run("stat a --jobs 0 --raw --layout a.dud").status, 2);
    assert_eq!(folder.run("stat a /y --raw --layout a.dud").status, 1);
    assert_eq!(folder.run("stat a.dud").status, 1);
    assert_eq!(folder.run("stat missing").status, 3);
}

#[test]
fn times_that_are_none_are_missing() {
    let folder = Folder::empty();
    let layout = "t = >i8[3]  #: numpy = \"M8[ns]\"\nd = i8  #: numpy = \"m8[s]\"\nn = i8[2]\n\
                  s = {\n  t = i8  #: numpy = \"M8[D]\"\n  n = i8\n  r = {\n    d = i8[2]  #: numpy = \"m8[h]\"\n  }\n}[2]\n\
                  v = {\n  c : i8\n  t = i8[c]  #: numpy = \"M8[s]\"\n}[2]\n\
                  l [/ a = i8  #: numpy = \"M8[s]\"\n]*3";
    let none = i64::MIN;
    let mut bytes = [7, none, 9].map(i64::to_be_bytes).concat();
    let rest = [none, 1, none, 5, 6, none, 8, none, none, 9, none, 2, 1, none, 1, 3, none, 4, 5];
    bytes.extend(rest.map(i64::to_le_bytes).concat());
    folder.write("t.dud", layout);
    folder.write("t.raw", bytes);
    let run = "t.raw --layout t.dud --raw --from-order little";
    folder.done(&*format!("convert {run} t.bd"));
    folder.done("convert t.bd t.asdf /t /d /n /s");
    for file in ["t.bd", "t.asdf"] {
        let items = items_of(&folder, &format!("stat {file} /t /d /n /s"), 0);
        let of = |item: &serde_json::Value| {
            (item["path"].to_string(), item["count"].as_u64(), item["min"].to_string())
        };
        let found: Vec<_> = items.iter().map(of).collect();
        let wanted = [
            ("/t", 2, "7"),
            ("/d", 0, "null"),
            ("/n", 2, "-9223372036854775808"),
            ("/s.t", 1, "5"),
            ("/s.n", 2, "-9223372036854775808"),
            ("/s.r.d", 2, "8"),
        ];
        let wanted = wanted.map(|(path, n, min)| (format!("{path:?}"), Some(n), min.to_owned()));
        assert_eq!(found, wanted, "{file}");
        for (path, json, csv) in [
            ("/t", "[7, null, 9]", "7,,9\n"),
            ("/d", "null", "\"\"\n"),
            ("/n", "[1, -9223372036854775808]", "1,-9223372036854775808\n"),
            (
                "/s",
                r#"[{"t": 5, "n": 6, "r": {"d": [null, 8]}}, {"t": null, "n": -9223372036854775808, "r": {"d": [9, null]}}]"#,
                "t,n,r.d[0],r.d[1]\n5,6,,8\n,-9223372036854775808,9,\n",
            ),
            ("/s.t[1:]", "[null]", "\"\"\n"),
        ] {
            let said = folder.done(&["get", file, path, "--format", "json"]);
            assert!(said.contains(&format!("\"value\": {json}")), "{file} {path}: {said}");
            assert_eq!(folder.done(&["get", file, path]).contains("null"), json.contains("null"));
            folder.done(&["get", file, path, "-o", "o.csv", "--force"]);
            assert_eq!(String::from_utf8(folder.bytes("o.csv")).expect("text"), csv, "{path}");
        }
        // As it is stored.
        folder.done(&["get", file, "/t", "-o", "o.npy", "--force"]);
        assert!(folder.bytes("o.npy").ends_with(&9_i64.to_be_bytes()));
    }
    let items = items_of(&folder, "stat t.bd /v /l", 0);
    let counts: Vec<_> = items.iter().filter_map(|item| item["count"].as_u64()).collect();
    assert_eq!((counts.iter().sum::<u64>(), paths(&items).len()), (6, 3), "{items:?}");
    assert!(folder.done("dump t.bd --exact").contains("-9223372036854775808"));
}

/// Of few elements or none a block is stored: the others are the fill value, which is counted at once.
#[test]
fn fill_values_are_counted_at_once() {
    let folder = Folder::empty();
    let text = "x [f8[0, 1]]  #: whole = [100000, 30000], fill = 1.5\n\
                z [i2[0, 1]]  #: whole = [100000, 30001]\n\
                few [u1[0]]  #: whole = [5], fill = 7\n";
    let text = format!("{text}y [<f8[2, 2]]  #: whole = [100000, 30000], fill = 1.5\n");
    folder.write("x.dud", text.as_bytes());
    folder.write("x.raw", [1.0_f64, 1.5, 1.5, 3.5].map(f64::to_le_bytes).concat());
    let items = items_of(&folder, "stat x.raw --layout x.dud --raw", 0);
    let numbers = |at: usize| {
        ["count", "min", "max", "mean", "std", "zeros"].map(|name| items[at][name].to_string())
    };
    assert_eq!(numbers(0), ["3000000000", "1.5", "1.5", "1.5", "0.0", "0"]);
    assert_eq!(numbers(1), ["3000100000", "0", "0", "0.0", "0.0", "3000100000"]);
    assert_eq!(numbers(2), ["5", "7", "7", "7.0", "0.0", "0"]);
    assert_eq!(numbers(3)[..3], ["3000000000", "1.0", "3.5"]);
}
