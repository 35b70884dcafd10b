//! Do constants of a layout keep every command from reading a file that is another kind?

use crate::kit::Folder;

/// A layout, a file of it, and where which constant of it is damaged.
struct Case {
    layout: &'static str,
    bytes: &'static [u8],
    at: i64,
    path: &'static str,
}

/// Constants that no streamed param moves: nothing of the file is read.
const FIXED: [Case; 10] = [
    Case {
        layout: "m = S1[4]  #: const = \"ABCD\"\nN : u1\nx = u1[N+0]",
        bytes: b"ABCD\x02\x07\x08",
        at: 1,
        path: "/m",
    },
    // Behind the data, which lies at its address whatever it holds.
    Case {
        layout: "x = u1[3]\nm = u1  #: const = 5",
        bytes: b"\x01\x02\x03\x05",
        at: 3,
        path: "/m",
    },
    Case {
        layout: "N : u1\nx = u1[N+0]\nm = u1[2] @20  #: const = [8, 9]",
        bytes: b"\x01\x02\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x08\x09",
        at: 21,
        path: "/m",
    },
    Case {
        layout: "d/ e/ m = >u2  #: const = 258\n / x = u1",
        bytes: b"\x01\x02\x03",
        at: 0,
        path: "/d/e/m",
    },
    Case {
        layout: "h = {v = u1\n  m = u1  #: const = 7\n}\nx = u1",
        bytes: b"\x01\x07\x09",
        at: 1,
        path: "/h.m",
    },
    Case {
        layout: "h = {m = u1  #: const = 7\n  v = u1}[3]\nx = u1",
        bytes: b"\x07\x01\x07\x02\x07\x03\x09",
        at: 4,
        path: "/h[2].m",
    },
    Case {
        layout: "l [/ m = u1  #: const = 7\n  x = u1]*3\nx = u1",
        bytes: b"\x07\x01\x07\x02\x07\x03\x09",
        at: 2,
        path: "/l/1/m",
    },
    Case { layout: "V : u1  #: const = 3\nx = u1", bytes: b"\x03\x01", at: 0, path: "/V" },
    Case {
        layout: "m = f4  #: const = 1.5\nx = u1",
        bytes: b"\0\0\xc0\x3f\x09",
        at: 3,
        path: "/m",
    },
    Case { layout: "m = u1[5]  #: const = 0\nx = u1", bytes: b"\0\0\0\0\0\x09", at: 4, path: "/m" },
];

/// What gives values.
const GIVE: [&str; 10] = [
    "get x.raw PATH",
    "stat x.raw",
    "dump x.raw",
    "dump x.raw --nested",
    "dump x.raw --format json",
    "convert x.raw o.bd --force",
    "convert x.raw o.npz --force",
    "convert x.raw o.asdf --force",
    "diff x.raw right.raw",
    "diff right.raw x.raw",
];

fn folder(case: &Case) -> Folder {
    let folder = Folder::with(&[("x.dud", case.layout.as_bytes()), ("right.raw", case.bytes)]);
    let mut bytes = case.bytes.to_vec();
    bytes[case.at as usize] ^= 0x10;
    folder.write("x.raw", bytes);
    folder
}

#[test]
fn nothing_is_read_of_another_kind_of_file() {
    for case in &FIXED {
        let folder = folder(case);
        let wrong = format!("`{}`: expected ", case.path);
        for give in GIVE {
            let words = give.replace("PATH", "/x") + " --layout x.dud --raw";
            let right = words.replace("x.raw", "right.raw");
            folder.done(&right);
            let said = folder.fails(&words, 1);
            assert!(said.contains(&wrong) && said.contains("--no-const-check"), "{words}: {said}");
            assert!(said.contains("x.raw"), "{words}: {said}");
        }
        // What looks at the file says it, and continues.
        for look in ["ls x.raw", "ls x.raw /x", "dump x.raw --hex", "ls x.raw --format json"] {
            let words = format!("{look} --layout x.dud --raw");
            let said = folder.run(&words);
            assert_eq!(said.status, 0, "{words}: {}", said.err);
            assert!(said.err.contains(&wrong) && said.out.contains("/x"), "{words}: {said:?}");
        }
        let said = folder.run("verify x.raw --layout x.dud --raw");
        assert_eq!((said.status, said.out.matches("error[const]").count()), (1, 1), "{said:?}");
    }
}

#[test]
fn values_are_given_all_the_same_where_that_is_asked() {
    for case in &FIXED {
        let folder = folder(case);
        for give in GIVE {
            let words = give.replace("PATH", "/x") + " --layout x.dud --raw --no-const-check";
            let said = folder.run(&words);
            let differs = give.starts_with("diff");
            assert_eq!(said.status, i32::from(differs), "{words}: {}", said.err);
            let warned = said.err.matches("warning: x.raw: ").count();
            assert_eq!(warned, 1, "{words}: {}", said.err);
            assert!(said.err.contains(case.path), "{words}: {}", said.err);
        }
        // Nothing is repaired.
        let bytes = std::fs::read(folder.path("x.raw")).expect("a file");
        let made = std::fs::read(folder.path("o.bd")).expect("a file");
        if !case.layout.contains('@') {
            assert_eq!(made[16..16 + bytes.len()], bytes, "{}", case.layout);
        }
        let said = folder.run("verify o.bd");
        assert_eq!((said.status, said.out.matches("error[const]").count()), (1, 1), "{said:?}");
        let right = "get right.raw /x --layout x.dud --raw";
        let wrong = "get x.raw /x --layout x.dud --raw --no-const-check";
        assert_eq!(folder.done(right), folder.run(wrong).out);
    }
}

/// Constants that params move guard what lies behind them.
#[test]
fn nothing_is_placed_behind_a_wrong_constant() {
    let layout = "N : u1\na = u1[N+0]\nm = u1  #: const = 7\nM : u1\nb = u1[M+0]\nc = u1";
    let folder = Folder::with(&[("x.dud", layout), ("x.raw", "\x02\x01\x02\x08\x01\x05\x06")]);
    let at = "--layout x.dud --raw";
    assert_eq!(folder.done(&format!("get x.raw /a {at}")), "|u1[2]\n[1, 2]\n");
    for path in ["/m", "/b", "/c"] {
        let said = folder.fails(&format!("get x.raw {path} {at}"), 1);
        assert!(said.contains("`/m`: expected 7 at address 3, found 8"), "{path}: {said}");
        folder.done(&format!("get x.raw {path} {at} --no-const-check"));
    }
    let said = folder.run(&format!("get x.raw /b {at} --no-const-check"));
    assert_eq!((said.status, &*said.out), (0, "|u1[1]\n[5]\n"));
    assert!(said.err.contains("warning: x.raw: `/m`: expected 7"), "{}", said.err);
    for give in ["stat x.raw", "convert x.raw o.bd", "convert x.raw o.npz", "dump x.raw"] {
        folder.fails(&format!("{give} {at}"), 1);
    }
    assert!(!folder.path("o.bd").exists());
    let said = folder.run(&format!("ls x.raw {at}"));
    assert!(said.status == 0 && said.out.contains("/c"), "{said:?}");
}

/// Those of each repetition and of each struct of variable size guard what follows there.
#[test]
fn nothing_is_read_behind_a_wrong_constant_in_a_list() {
    let cases = [
        ("l [/ m = u1  #: const = 7\n n : u1  s = u1[n+0]]*3\nx = u1", "/l/2/s"),
        ("l = {m = u1  #: const = 7\n n : u1  s = u1[n+0]}[3]\nx = u1", "/l[2].s"),
    ];
    for (layout, path) in cases {
        let folder = Folder::with(&[
            ("x.dud", layout.as_bytes()),
            ("x.raw", b"\x07\x01\x05\x07\x02\x06\x06\x08\x01\x04\x09"),
        ]);
        for path in [path, "/x"] {
            let said = folder.fails(&format!("get x.raw {path} --layout x.dud --raw"), 1);
            assert!(said.contains("expected 7 at address 7, found 8"), "{layout} {path}: {said}");
        }
        let said = folder.fails("convert x.raw o.bd --layout x.dud --raw", 1);
        assert!(said.contains("expected 7 at address 7, found 8"), "{layout}: {said}");
        let said = folder.run("get x.raw /x --layout x.dud --raw --no-const-check");
        assert_eq!((said.status, &*said.out), (0, "9\n"), "{layout}: {}", said.err);
        assert!(said.err.contains("address 7"), "{}", said.err);
    }
}

#[test]
fn a_damaged_stream_with_a_layout_can_be_looked_at() {
    let folder = Folder::packed("--attach");
    folder.flip("run.bd", 24);
    for words in ["get run.bd /grp/rho", "stat run.bd", "dump run.bd", "convert run.bd o.npz"] {
        let said = folder.fails(words, 1);
        assert!(said.contains("run.bd: `/magic`: expected [1, 2] at address 24"), "{said}");
    }
    for words in ["ls run.bd", "dump run.bd --hex", "salvage run.bd"] {
        let said = folder.run(words);
        assert_eq!(said.status, 0, "{words}: {}", said.err);
    }
    assert_eq!(folder.run("verify run.bd").status, 1);
    folder.done("get run.bd /grp/rho --no-const-check");
}

#[test]
fn writers_take_no_other_value_for_a_constant() {
    let folder = Folder::with(&[
        ("x.dud", "m = u1[2]  #: const = [1, 2]\nh = {k = u1  #: const = 7\n v = u1}\nx = u1"),
        ("right.json", r#"{"m": [1, 2], "h": {"k": 7, "v": 1}, "x": 1}"#),
        ("none.json", r#"{"h": {"v": 1}, "x": 1}"#),
        ("item.json", r#"{"m": [1, 3], "h": {"v": 1}, "x": 1}"#),
        ("field.json", r#"{"h": {"k": 8, "v": 1}, "x": 1}"#),
    ]);
    folder.done("pack x.dud -o right.bd --data right.json");
    folder.done("pack x.dud -o none.bd --data none.json");
    assert_eq!(folder.bytes("right.bd"), folder.bytes("none.bd"));
    let said = folder.fails("pack x.dud -o o.bd --data item.json", 1);
    assert!(said.contains("`/m`") && said.contains("[1, 2]") && said.contains("[1, 3]"), "{said}");
    let said = folder.fails("pack x.dud -o o.bd --data field.json", 1);
    assert!(said.contains("/h") && said.contains('k') && said.contains('8'), "{said}");
    assert!(!folder.path("o.bd").exists());
}

/// A layout with a constant in it, values for all, and where another value is given.
const GIVEN: [(&str, &str, &str); 6] = [
    ("V : u1  #: const = 3\nx = u1[V]", r#"{":V": VALUE, "x": [1, 2, 3]}"#, "/V"),
    ("d/ V : u1  #: const = 3\n x = u1[V]\n", r#"{"d": {":V": VALUE, "x": [1, 2, 3]}}"#, "/d/V"),
    ("l [/ V : u1  #: const = 3\n x = u1]*1", r#"{"l": [{":V": VALUE, "x": 1}]}"#, "/l/0/V"),
    ("p = {V : u1  #: const = 3\n x = u1[V]}", r#"{"p": {"V": VALUE, "x": [1, 2, 3]}}"#, "/p.V"),
    (
        "p = {V : u1  #: const = 3\n x = u1[V]}[1]",
        r#"{"p": [{"V": VALUE, "x": [1, 2, 3]}]}"#,
        "/p[0].V",
    ),
    (
        "p = {V : u1  #: const = 3\n x = u1\n z = u1[V]}[1]",
        r#"{"p": [{"V": VALUE, "x": 1, "z": [1, 2, 3]}]}"#,
        "/p[0].V",
    ),
];

#[test]
fn no_other_value_of_a_param_is_lost_to_a_constant() {
    for (layout, values, path) in GIVEN {
        let folder = Folder::with(&[("a.dud", &format!("{layout}\n"))]);
        let words = "pack a.dud -o o.bd --data a.json --force";
        for other in ["4", "0", "-1", "300"] {
            folder.write("a.json", values.replace("VALUE", other));
            let said = folder.fails(words, 1);
            let wanted = format!("`{path}`: expected 3, which the layout states, found {other}");
            assert!(said.contains(&wanted), "{layout}: {said}");
            assert!(!folder.path("o.bd").exists(), "{layout}");
        }
        folder.write("a.json", values.replace("VALUE", "3"));
        folder.done(words);
    }
    let folder = Folder::with(&[("a.dud", "V : u1  #: const = 3\nx = u1[3]\n")]);
    folder.write("a.json", r#"{"x": [1, 2, 3]}"#);
    let words = "pack a.dud -o o.bd --data a.json --force";
    assert!(folder.fails(&format!("{words} --param /V=4"), 1).contains("`/V`: expected 3"));
    folder.done(&format!("{words} --param /V=3"));
    folder.done(words);
}

/// A layout, the constant as all may say it, one that is none, and what is stored.
type Array = (&'static str, &'static [&'static str], &'static str, &'static [u8]);

/// What `/m` may be. Behind it stands `/x`.
const ARRAYS: [Array; 13] = [
    (
        "m = S1[2,4]  #: const = [\"abcd\", \"ef\"]",
        &["[\"abcd\", \"ef\"]"],
        "[\"abcd\", \"abcd\"]",
        b"abcdef\0\0",
    ),
    ("m = S1[2,2]  #: const = \"ab\"", &["[\"ab\", \"ab\"]"], "[\"ab\", \"a\"]", b"abab"),
    (
        "m = S1[2,1,2]  #: const = [\"ab\", \"c\"]",
        &["[[\"ab\"], [\"c\"]]"],
        "[[\"ab\"], [\"ab\"]]",
        b"abc\0",
    ),
    ("m = i4  #: const = 3.0", &["3", "3.0"], "4", b"\x03\0\0\0"),
    ("m = >u2[2]  #: const = [3.0, 4]", &["[3, 4]"], "[3, 3]", b"\0\x03\0\x04"),
    ("m = >c4  #: const = [1, -2]", &["[1, -2]"], "[1, 2]", b"\x3c\0\xc0\0"),
    (
        "m = >c4[2]  #: const = [1, -2]",
        &["[[1, -2], [1, -2]]"],
        "[[1, -2], [1, 2]]",
        b"\x3c\0\xc0\0\x3c\0\xc0\0",
    ),
    (
        "m = >c4[2]  #: const = [1, -2, 0, 1.0]",
        &["[[1, -2], [0, 1]]"],
        "[[1, -2], [1, 0]]",
        b"\x3c\0\xc0\0\0\0\x3c\0",
    ),
    (
        "m = u1[2,2]  #: const = [1, 2, 3, 4]",
        &["[[1, 2], [3, 4]]"],
        "[[1, 2], [4, 3]]",
        &[1, 2, 3, 4],
    ),
    ("m = b1[2]  #: const", &["[true, true]", "[1, 1]"], "[true, false]", &[1, 1]),
    (
        "T {\"\" = u1[2]  #: const = [1, 2]\n}\nm = T[2]",
        &["[[1, 2], [1, 2]]"],
        "[[1, 2], [2, 1]]",
        &[1, 2, 1, 2],
    ),
    (
        "T {\"\" = S1[2]  #: const = \"ab\"\n}\nU {\"\" = T[1]\n}\nm = U[2]",
        &["[[\"ab\"], [\"ab\"]]"],
        "[[\"ab\"], [\"b\"]]",
        b"abab",
    ),
    (
        "T {n : u1  \"\" = S1[n]\n}\nm = T[2]  #: const = [\"ab\", \"c\"]",
        &["[\"ab\", \"c\"]"],
        "[\"ab\", \"d\"]",
        b"\x02ab\x01c",
    ),
];

/// What writers fill in, and take, is what readers take, and nothing else.
#[test]
fn constants_of_arrays_are_one_thing_to_all() {
    for (layout, same, other, bytes) in ARRAYS {
        let folder = Folder::with(&[("x.dud", &format!("{layout}\nx = u1\n"))]);
        assert_eq!(folder.done("check x.dud --strict"), "", "{layout}");
        let stored = [bytes, &[5]].concat();
        let none = r#"{"x": 5}"#.to_owned();
        let given = same.iter().map(|same| format!(r#"{{"m": {same}, "x": 5}}"#));
        for values in given.chain([none, r#"{"m": null, "x": 5}"#.to_owned()]) {
            folder.write("x.json", &values);
            folder.done("pack x.dud -o x.raw --data x.json --raw --force");
            assert_eq!(folder.bytes("x.raw"), stored, "{layout}: {values}");
        }
        folder.write("o.json", format!(r#"{{"m": {other}, "x": 5}}"#));
        let said = folder.fails("pack x.dud -o o.raw --data o.json --raw", 1);
        assert!(said.contains("`/m`: expected ") && said.contains("the layout states"), "{said}");
        assert!(!folder.path("o.raw").exists());
        let at = "--layout x.dud --raw";
        for give in ["get x.raw /m", "get x.raw /x", "stat x.raw", "convert x.raw o.bd --force"] {
            folder.done(&format!("{give} {at}"));
        }
        folder.write("again.json", folder.done(&format!("dump x.raw --exact {at}")));
        folder.done("pack x.dud -o again.raw --data again.json --raw");
        assert_eq!(folder.bytes("again.raw"), stored, "{layout}");
        // The last byte of the constant, so that a length in front of it stays.
        let mut wrong = stored.clone();
        wrong[bytes.len() - 1] ^= 1;
        folder.write("x.raw", wrong);
        for give in [
            "get x.raw /m",
            "stat x.raw",
            "convert x.raw w.bd",
            "convert x.raw w.npz",
            "dump x.raw",
        ] {
            let said = folder.fails(&format!("{give} {at}"), 1);
            assert!(said.contains("`/m`: expected "), "{layout}: {give}: {said}");
        }
        assert_eq!(folder.run(&format!("verify x.raw {at}")).status, 1, "{layout}");
    }
}

/// Members of a record that stands for items of its dict.
#[test]
fn constants_of_records_without_a_name_are_packed_again() {
    let layout =
        "\"\" = {k = u1  #: const = 9\n q = u1\n w = u1[2]  #: const = [1, 2]\n}[2]\nx = u1\n";
    let bytes = [9, 3, 1, 2, 9, 4, 1, 2, 5];
    let folder = Folder::with(&[("x.dud", layout.as_bytes()), ("x.raw", &bytes)]);
    for how in ["--exact", "--nested", "--exact --nested"] {
        folder.write("x.json", folder.done(&format!("dump x.raw --layout x.dud --raw {how}")));
        folder.done("pack x.dud -o o.raw --data x.json --raw --force");
        assert_eq!(folder.bytes("o.raw"), bytes, "{how}");
    }
    folder.done("convert x.raw o.bd --layout x.dud --raw --force");
    folder.write("o.json", r#"{"q": [3, 4], "w": [[1, 2], [2, 1]], "x": 5}"#);
    let said = folder.fails("pack x.dud -o w.raw --data o.json --raw", 1);
    assert!(
        said.contains("`/w`: expected [1, 2], which the layout states, found [[1, 2], [2, 1]]"),
        "{said}"
    );
}

/// One after the other, or many at once.
#[test]
fn records_that_are_pushed_have_their_constants() {
    let layout = "N : i8\nl = [/ k : u1  #: const = 3\n m = S1[2,2]  #: const = [\"ab\", \"c\"]\n \
                  h = {z = f4 %1  #: const = 0\n v = u1}\n]*N\n";
    let folder = Folder::with(&[("x.dud", layout), ("x.json", r#"{":N": 0, "l": []}"#)]);
    folder.done("pack x.dud -o x.bd --data x.json --attach");
    let given = [
        (r#"{"h": {"v": 1}}"#, None),
        (r#"{"k": 3, "m": ["ab", "c"], "h": {"z": 0, "v": 1}}"#, None),
        (r#"{"k": null, "m": null, "h": {"z": null, "v": 1}}"#, None),
        (r#"{"k": 4, "h": {"v": 1}}"#, Some("k")),
        (r#"{"m": ["ab", "ab"], "h": {"v": 1}}"#, Some("m")),
        (r#"{"h": {"z": 1, "v": 1}}"#, Some("z")),
    ];
    let mut count = 0;
    for (record, wrong) in given {
        for records in [1, 3] {
            folder.write("r.json", format!("[{}]", vec![record; records].join(", ")));
            let words = "append x.bd /l --data r.json";
            match wrong {
                None => {
                    folder.done(words);
                    count += records;
                }
                Some(name) => {
                    let said = folder.fails(words, 1);
                    assert!(
                        said.contains(name) && said.contains("which the layout states"),
                        "{said}"
                    );
                }
            }
        }
    }
    assert!(folder.done("verify x.bd").contains("0 errors"));
    assert_eq!(folder.done("get x.bd /:N").trim(), count.to_string());
}

/// What is malformed is no constant, and that is said, once, by all who open the layout to read data.
#[test]
fn malformed_attributes_are_said() {
    let layout = "x = u1  #: note = \"a\"\ny = u1  #: const = 56\n";
    let bad = layout.replace("56", "5x").replace("\"a\"", "cm ");
    let folder = Folder::with(&[("bad.dud", bad.as_str()), ("x.raw", "\x05\x06")]);
    folder.write("x.dud", layout);
    folder.write("x.json", r#"{"x": 5}"#);
    folder.done("pack x.dud -o x.bd --data x.json --attach");
    let bytes = folder.bytes("x.bd");
    let text = String::from_utf8_lossy(&bytes[18..]).replace("56", "5x").replace("\"a\"", "cm ");
    folder.write("x.bd", [&bytes[..18], text.as_bytes()].concat());
    let at = "--layout bad.dud --raw";
    for words in [
        "get FILE /x",
        "stat FILE",
        "dump FILE",
        "ls FILE",
        "convert FILE o.npz --force",
        "diff FILE FILE",
    ] {
        for (words, name) in [
            (format!("{} {at}", words.replace("FILE", "x.raw")), "bad.dud"),
            (words.replace("FILE", "x.bd"), "x.bd"),
        ] {
            let said = folder.run(&words);
            assert_eq!(said.status, 0, "{words}: {}", said.err);
            for wrong in [":1:19: ", ":2:20: "] {
                let wanted = format!("warning: {name}{wrong}");
                assert_eq!(said.err.matches(&wanted).count(), 1, "{words}: {}", said.err);
            }
        }
    }
    assert!(folder.done("verify x.bd").contains("the layout has 2 warnings"));
    folder.write("y.json", r#"{"x": 5, "y": 6}"#);
    let said = folder.run("pack bad.dud -o y.raw --data y.json --raw");
    assert!(said.status == 0 && said.err.contains("warning: bad.dud:2:20: "), "{said:?}");
    folder.fails("check bad.dud", 1);
}

/// Which struct it is says the index, once.
#[test]
fn structs_of_numpy_with_wrong_constants_are_named() {
    let marked = "N : u4\ns = {a = u1  #: const = 7\n in = {k = u2 %1  #: const = 9\n q = u1 }[2]\n}[N,2] %1\n\
                  M : u4\nh = {a = u1  #: const = 7\n b = u2 %1}[M]\n";
    let plain = marked.replace("  #: const = 7", "").replace("  #: const = 9", "");
    let folder = Folder::with(&[("marked.dud", marked), ("plain.dud", plain.as_str())]);
    let one =
        |a: u8, k: u8| format!(r#"{{"a": {a}, "in": [{{"k": 9, "q": 1}}, {{"k": {k}, "q": 2}}]}}"#);
    let give = |structs: [String; 4], a: u8| {
        let [one, two, three, four] = structs;
        let h = format!(r#"[{{"a": 7, "b": 1}}, {{"a": {a}, "b": 2}}]"#);
        folder.write(
            "x.json",
            format!(r#"{{"N": 2, "M": 2, "s": [[{one}, {two}], [{three}, {four}]], "h": {h}}}"#),
        );
        folder.done("pack plain.dud -o x.bd --data x.json --attach --force");
        folder.done("convert x.bd x.npz --force");
    };
    let right = || [one(7, 9), one(7, 9), one(7, 9), one(7, 9)];
    give(right(), 7);
    folder.done("pack marked.dud -o right.bd --data x.npz --attach");
    folder.done("convert x.bd h.npy /h");
    folder.done("append right.bd /h --data h.npy");
    for (structs, a, wrong) in [
        ([one(7, 9), one(7, 9), one(7, 9), one(8, 9)], 7, "`/s[1,1].a`: expected 7"),
        ([one(7, 9), one(7, 9), one(7, 8), one(7, 9)], 7, "`/s[1,0].in[1].k`: expected 9"),
        (right(), 8, "`/h[1].a`: expected 7"),
    ] {
        give(structs, a);
        let said = folder.fails("pack marked.dud -o o.bd --data x.npz", 1);
        assert!(said.contains(&format!("{wrong}, which the layout states, found 8")), "{said}");
        assert_eq!(said.matches("/s").count() + said.matches("/h").count(), 1, "{said}");
    }
    folder.done("convert x.bd h.npy /h --force");
    let said = folder.fails("append right.bd /h --data h.npy", 1);
    assert!(said.contains("expected 7, which the layout states, found 8"), "{said}");
    assert_eq!(folder.done("get right.bd /h.a").lines().last(), Some("[7, 7, 7, 7]"));
}
