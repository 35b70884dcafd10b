//! `dudc diff`: what it finds, what it lets pass, and what it says of streams that end early.

use crate::kit::Folder;

/// What is printed; the exit status must be 1, or 0 if it is nothing.
#[track_caller]
fn diff(folder: &Folder, words: &str) -> Vec<String> {
    let said = folder.run(&format!("diff {words}"));
    assert_eq!(said.status, i32::from(!said.out.is_empty()), "{words}: {}", said.err);
    assert_eq!(said.err, "", "{words}");
    said.out.lines().map(str::to_owned).collect()
}

/// Two raw streams of one layout.
fn pair(layout: &str, a: &[u8], b: &[u8]) -> Folder {
    Folder::with::<[u8]>(&[("x.dud", layout.as_bytes()), ("a", a), ("b", b)])
}

const OF: &str = "a b --raw --layout x.dud";

fn floats(values: &[f64]) -> Vec<u8> {
    values.iter().flat_map(|value| value.to_le_bytes()).collect()
}

#[test]
fn equal_streams_are_silent_whatever_lies_where() {
    let folder = pair("x = u2[2]  s = S1[4]  z = <c8", &[1, 0, 2, 0], &[]);
    let body = [&b"ab\0\0"[..], &1.0_f32.to_le_bytes(), &2.0_f32.to_le_bytes()].concat();
    std::fs::write(folder.path("a"), [&[1, 0, 2, 0][..], &body].concat()).expect("a file");
    let swapped = [&[0_u8; 5][..], &body, &[0, 0, 0, 0, 1, 0, 2]].concat();
    std::fs::write(folder.path("b"), swapped).expect("a file");
    let other = b"s = S1[4] @5  z = <c8 %1  x = >u2[2] @20";
    std::fs::write(folder.path("y.dud"), other).expect("a file");
    assert!(diff(&folder, &format!("{OF} --layout-b y.dud")).is_empty());
    assert!(diff(&folder, "a a --raw --layout x.dud").is_empty());
    let json = folder.run("diff a a --raw --layout x.dud --format json");
    let json: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    let expected = serde_json::json!({"version": 1, "differences": [], "count": 0, "errors": 0, "equal": true});
    assert_eq!(json, expected);
}

#[test]
fn tolerances_are_those_of_numpy() {
    let a = floats(&[1.0, 100.0, f64::NAN, f64::INFINITY, 0.0]);
    let b = floats(&[1.001, 100.001, f64::NAN, f64::INFINITY, -0.0]);
    let folder = pair("<x = f8[5]", &a, &b);
    let found = diff(&folder, OF);
    let expected =
        "/x: 2 of 5 values differ, most at [1]: 100.0 and 100.001 (abs 0.001, rel 9.9999e-6, ";
    assert!(found.len() == 1 && found[0].starts_with(expected), "{found:?}");
    // Of the numbers by which they are beyond what is allowed, the other one is the worst.
    assert!(
        diff(&folder, &format!("{OF} --rtol 1e-5"))[0]
            .contains("1 of 5 values differ, most at [0]")
    );
    assert!(
        diff(&folder, &format!("{OF} --rtol 1e-6"))[0]
            .contains("2 of 5 values differ, most at [0]")
    );
    assert!(diff(&folder, &format!("{OF} --atol 0.0011")).is_empty());
    assert!(diff(&folder, &format!("{OF} --tol /x=rtol:0.01")).is_empty());
    assert!(diff(&folder, &format!("{OF} --tol *=rtol:0.01 --tol x=rtol:0")).len() == 1);
    assert!(diff(&folder, &format!("{OF} --atol 1 --nan-differs"))[0].contains("1 of 5"));
    assert!(diff(&folder, &format!("{OF} --ignore x")).is_empty());
}

#[test]
fn ulps_are_those_of_the_type() {
    let next = |value: f32, by: u32| f32::from_bits(value.to_bits() + by).to_le_bytes();
    let folder = pair("<x = f4", &next(1.0, 0), &next(1.0, 3));
    assert!(diff(&folder, &format!("{OF} --ulp 3")).is_empty());
    assert_eq!(diff(&folder, &format!("{OF} --ulp 2")).len(), 1);
    assert!(diff(&folder, OF)[0].contains("ulp 3"));
}

#[test]
fn attributes_of_items_are_tolerances() {
    let folder = pair(
        "<x = f8  #: atol = 0.5\n p = {v = f8  #: rtol = 1\n}",
        &floats(&[1.0, 3.0]),
        &floats(&[1.4, 2.0]),
    );
    assert!(diff(&folder, OF).is_empty());
    assert_eq!(diff(&folder, &format!("{OF} --tol *=atol:0")).len(), 1);
}

#[test]
fn what_is_missing_or_other_is_named() {
    let one =
        "N : u1  K : 3  x = u1[2]  y = f4  d/ a = u1  /l [u1]*3  only = u1  s = {a = u1  b = u1}";
    let other =
        "N : u1  K : 4  x = u1[3]  y = u4  d = u1  l [u1]*4  s = {a = u1  c = u1}  more/ q = u1";
    let folder = pair(one, &[7; 40], &[7; 40]);
    std::fs::write(folder.path("y.dud"), other).expect("a file");
    let found = diff(&folder, &format!("{OF} --layout-b y.dud"));
    let expected = [
        "/:K: 3 and 4",
        "/x: shape [2] and [3]",
        "/y: type <f4 and <u4",
        "/d: a dict and a data item",
        "/l: 3 and 4 items",
        "/only: a data item in a only",
        "/s.b: a field in a only",
        "/s.c: a field in b only",
        "/more: a dict in b only",
    ];
    assert_eq!(found, expected);
    let ignored =
        diff(&folder, &format!("{OF} --layout-b y.dud --ignore /s.* --ignore more --ignore K"));
    assert_eq!(ignored, expected[1..6]);
    let few = diff(&folder, &format!("{OF} --layout-b y.dud --max 2"));
    assert_eq!(few[..2], expected[..2]);
    assert_eq!(few[2], "… and 7 more differences (--max shows more)");
    assert_eq!(diff(&folder, &format!("{OF} --layout-b y.dud /only /x")).len(), 2);
}

#[test]
fn lists_records_and_texts_are_compared() {
    let layout = "l [/ n = u1  x = u1[2]]*4  p = {a = u1  q = {b = u1[2]}}[2]  name = S1[2, 3]
        v = {n : u1  w = u1[n]}[2]  ok = b1[2]";
    let mut a: Vec<u8> = (0..18).collect();
    a.extend(b"abcdef");
    a.extend([1, 8, 2, 9, 9, 0, 1]);
    let folder = pair(layout, &a, &a);
    assert!(diff(&folder, OF).is_empty());
    let change = |changes: &[(usize, u8)]| {
        let mut b = a.clone();
        changes.iter().for_each(|(at, byte)| b[*at] = *byte);
        std::fs::write(folder.path("b"), b).expect("a file");
    };
    change(&[(4, 9), (7, 0), (8, 0)]);
    let expected = ["/l[:]/x: 3 of 8 values differ, most at [2, 1]: 8 and 0 (abs 8)"];
    assert_eq!(diff(&folder, OF), expected);
    assert!(diff(&folder, &format!("{OF} --ignore /l[*]/x")).is_empty());
    let one = diff(&folder, &format!("{OF} --ignore /l[2]/x"));
    assert_eq!(one, ["/l/1/x: 1 of 2 values differ, most at [0]: 4 and 9 (abs 5, rel 0.555556)"]);
    change(&[(16, 99), (20, b'!')]);
    let expected = [
        "/p.q.b: 1 of 4 values differ, most at [1, 0]: 16 and 99 (abs 83, rel 0.838384)",
        "/name: 1 of 2 values differ, most at [0]: \"abc\" and \"ab!\"",
    ];
    assert_eq!(diff(&folder, OF), expected);
    // Any byte but 0 is true.
    change(&[(27, 5), (30, 7)]);
    assert_eq!(diff(&folder, OF), ["/v.w: 1 of 3 values differ, most at [1, 0]: 9 and 5"]);
}

#[test]
fn long_lists_are_as_short_ones() {
    let n = 50_000_usize;
    let bytes: Vec<u8> = (0..3 * n).map(|at| (at * 7 % 251) as u8).collect();
    let mut other = bytes.clone();
    for at in [5, 3 * n - 1] {
        other[at] ^= 1;
    }
    let folder = pair("l [/ a = u1  b = u2 %1]*50000", &bytes, &other);
    let found = diff(&folder, OF);
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("/l[:]/b: 2 of 50000 values differ, most at [1]:"), "{found:?}");
    std::fs::write(
        folder.path("y.dud"),
        "l [/ a = u1  b = u2 %1]*10  l [/ a = u1  b = u2 %1]*49990",
    )
    .expect("a file");
    let found = diff(&folder, &format!("{OF} --layout-b y.dud"));
    assert_eq!(found.len(), 2);
    assert!(found[1].starts_with("/l/49999/b:"), "{found:?}");
}

#[test]
fn units_and_attributes_are_compared_on_request() {
    let folder = pair("x = u1  ## (cm) place\n  #: valid_min = 0\n", &[1], &[1]);
    std::fs::write(folder.path("y.dud"), "x = u1  ## (m) place\n  #: valid_min = 1\n  #: new\n")
        .expect("a file");
    let other = format!("{OF} --layout-b y.dud");
    assert!(diff(&folder, &other).is_empty());
    let expected =
        ["/x: unit \"cm\" and \"m\"", "/x: valid_min 0 and 1", "/x: new nothing and true"];
    assert_eq!(diff(&folder, &format!("{other} --attrs")), expected);
}

#[test]
fn what_can_be_compared_is_and_then_the_error_is_said() {
    let folder = pair("x = u1[4]  y = u1[4]  z = u1 @0  l [u1]*100", &[1; 200], &[2; 6]);
    let output = folder.run(&format!("diff {OF}"));
    assert_eq!(output.status, 1);
    let shown = output.out;
    assert!(shown.contains("/x: 4 of 4") && shown.contains("/z: 1 and 2"), "{shown}");
    assert!(shown.contains("/l/4: 1 and 2") && !shown.contains("/l/5"), "{shown}");
    let said = output.err;
    assert!(said.contains("b: `/y`: 4 bytes are needed at address 4"), "{said}");
    assert_eq!(said.lines().count(), 2, "{said}");
    let json = folder.run(&format!("diff {OF} --format json"));
    let json: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert_eq!((&json["equal"], &json["errors"]), (&false.into(), &2.into()));
}

/// Which of the two cannot be read is said: streams, ASDF files, filtered arrays, structs that differ in size.
#[test]
fn errors_name_their_file() {
    let layouts = [
        ("x = f8[4]  y = u1", 33, 20),
        ("r = {a = u1  b = f8[3]}  y = u1", 33, 20),
        ("l [u4]*9  y = u1", 37, 4),
        ("n : u1  s = {k : u1  v = u1[k]}[4]  y = u1", 18, 3),
        ("s = U1[30]", 30, 29),
        ("z = u1[100] -> zlib [40]", 40, 39),
    ];
    for (layout, whole, cut) in layouts {
        let folder = pair(layout, &vec![3; whole], &vec![3; cut]);
        for (words, wanted) in [("a b", "error: b: "), ("b a", "error: b: ")] {
            let said = folder.run(&format!("diff {words} --raw --layout x.dud"));
            let first = said.err.lines().find(|line| line.starts_with("error: "));
            let first = first.unwrap_or_default();
            // Where both are damaged, the first one is named.
            let damaged = layout.contains("zlib") && first.starts_with("error: a: ");
            assert!(first.starts_with(wanted) || damaged, "{layout} {words}: {said:?}");
        }
        let path = if layout.starts_with('x') { "/x[1:]" } else { continue };
        folder.write("b", [3; 17]);
        let said = folder.run(&format!("diff a b {path} --raw --layout x.dud"));
        assert!(said.err.starts_with("error: b: `/x"), "{said:?}");
    }
    let head = "#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\n";
    let of = |source: &str| {
        let array = "datatype: float64, byteorder: little, shape: [1]";
        format!("{head}x: !core/ndarray-1.1.0 {{source: {source}, {array}}}\n...\n")
    };
    let inline = format!("{head}x: !core/ndarray-1.1.0 [1.5]\n...\n");
    let fits = of("'fits:SCI,1'");
    let files = [("a.asdf", inline.as_bytes()), ("b.asdf", fits.as_bytes())];
    let folder = Folder::with::<[u8]>(&files);
    for words in ["diff a.asdf b.asdf", "diff b.asdf a.asdf", "diff b.asdf a.asdf /x"] {
        let said = folder.run(words);
        assert!(said.err.starts_with("error: b.asdf: "), "{words}: {said:?}");
    }
}

#[test]
fn wrong_words_are_wrong_usage() {
    let folder = pair("x = u1", &[1], &[1]);
    for words in ["--rtol -1", "--rtol nan", "--tol x=1", "--tol x=ulp:-1", "--tol x", "--jobs 0"] {
        assert_eq!(folder.run(&format!("diff {OF} {words}")).status, 2, "{words}");
    }
    assert_eq!(folder.run(&format!("diff {OF} /y")).status, 1);
    assert_eq!(folder.run("diff missing a --raw --layout x.dud").status, 3);
    assert_eq!(folder.run("diff x.dud x.dud").status, 0);
    assert_eq!(folder.run("diff x.dud x.dud /x").status, 2);
    assert_eq!(folder.run("diff x.dud a").status, 1);
}

#[test]
fn large_arrays_are_compared_in_parts() {
    let n = 300_000_usize;
    let values: Vec<f64> = (0..n).map(|at| at as f64).collect();
    let mut other = values.clone();
    (other[7], other[299_999], other[150_000]) = (-1.0, 0.0, 150_000.5);
    let folder = pair("<x = f8[3, 100000]", &floats(&values), &floats(&other));
    for jobs in [1, 2, 7] {
        let found = diff(&folder, &format!("{OF} --jobs {jobs}"));
        let expected = "/x: 3 of 300000 values differ, most at [2, 99999]: 299999.0 and 0.0 ";
        assert!(found[0].starts_with(expected), "{found:?}");
        assert!(diff(&folder, &format!("{OF} --jobs {jobs} --atol 1"))[0].contains("2 of 300000"));
    }
    let big: Vec<u8> = values.iter().flat_map(|value| value.to_be_bytes()).collect();
    std::fs::write(folder.path("b"), big).expect("a file");
    std::fs::write(folder.path("y.dud"), ">x = f8[3, 100000]").expect("a file");
    assert!(diff(&folder, &format!("{OF} --layout-b y.dud")).is_empty());
    let slice = diff(&folder, "a b --raw --layout x.dud --layout-b x.dud /x[0,5:7]");
    assert!(slice[0].starts_with("/x[0,5:7]: 2 of 2 values differ"), "{slice:?}");
}

#[test]
fn patterns_that_match_nothing_are_told() {
    let folder = pair("x = f8  y = f8", &floats(&[1.0, 2.0]), &floats(&[1.0, 2.5]));
    let said = |words: &str| {
        let output = folder.run(words);
        output.err
    };
    assert_eq!(
        said(&format!("diff {OF} --tol z=rtol:1 --ignore /n* --ignore y")),
        "warning: --tol `z` matches nothing that was compared\n\
         warning: --ignore `/n*` matches nothing that was compared\n"
    );
    assert_eq!(said(&format!("diff {OF} --tol y=rtol:1 --ignore x --ignore *x")), "");
}

#[test]
fn patterns_know_what_is_sliced_by_its_item_and_as_it_is_written() {
    let layout = "<rho = f8[2]  #: atol = 5\n p = {a = f8  b = f8}[2]  l [/ t = f8  u = f8[2]]*3";
    let a: Vec<f64> = (0..15).map(f64::from).collect();
    let b: Vec<f64> = a.iter().map(|value| value + 1.0).collect();
    let folder = pair(layout, &floats(&a), &floats(&b));
    for (path, patterns) in [
        ("/p[0].a", &["/p.a", "/p[0].a", "a", "p[0].a", "/p*"][..]),
        ("p[::-1].b", &["/p.b", "p[::-1].b", "b"]),
        ("/l[1]/u[1]", &["/l[1]/u", "/l/1/u", "/l[1]/u[1]", "u", "/l[*]/u"]),
        ("/l[1:]/u[1]", &["/l[*]/u", "/l[1:]/u[1]", "u"]),
        ("/l[1:]", &["/l[*]/*", "/l/*"]),
    ] {
        assert!(!diff(&folder, &format!("{OF} {path}")).is_empty(), "{path}");
        for pattern in patterns {
            assert!(diff(&folder, &format!("{OF} {path} --tol {pattern}=atol:1")).is_empty());
            assert!(diff(&folder, &format!("{OF} {path} --ignore {pattern}")).is_empty());
        }
    }
    // What is given goes before what the layout says of the item.
    assert!(diff(&folder, &format!("{OF} /rho[1]")).is_empty());
    for pattern in ["rho", "/rho", "/rho[1]", "rho[1]"] {
        assert_eq!(diff(&folder, &format!("{OF} /rho[1] --tol {pattern}=atol:0.5")).len(), 1);
    }
    let said = folder.run(&format!("diff {OF} /rho[1] --tol /rho[0]=atol:0.5"));
    assert!(said.err.contains("matches nothing that was compared"));
}

#[test]
fn patterns_know_long_slices_of_lists() {
    let values: Vec<f64> = (0..200).map(f64::from).collect();
    let other: Vec<f64> = values.iter().map(|value| value + 1.0).collect();
    let folder = pair("<l [/ t = f8  u = f8]*100", &floats(&values), &floats(&other));
    for pattern in ["/l[*]/u", "/l[::1]/u", "u", "/l*"] {
        assert_eq!(diff(&folder, &format!("{OF} /l[::1]/u --tol {pattern}=atol:1")).len(), 0);
    }
}

#[test]
fn tolerances_are_not_below_0() {
    let folder = pair("x = f8", &[0; 8], &[0; 8]);
    for (words, said) in [
        ("--ulp -1", "`-1` is no integer of at least 0"),
        ("--ulp x", "`x` is no integer of at least 0"),
        ("--rtol -1e-3", "`-1e-3` is no number of at least 0"),
        ("--atol -1", "`-1` is no number of at least 0"),
        ("--max -3", "`-3` is no integer of at least 0"),
        ("--tol x=ulp:-2", "`-2` is no integer of at least 0"),
    ] {
        let output = folder.run(&format!("diff {OF} {words}"));
        let error = output.err;
        assert!(output.status == 2 && error.contains(said), "{words}: {error}");
        assert!(!error.contains("tip:"), "{error}");
    }
}

#[test]
fn numbers_of_other_types_are_compared_by_value_on_request() {
    let folder = Folder::with::<[u8]>(&[
        ("a.dud", b"x = <f4[2]  n = <i2[2]  c = <c8  t = S1[1]  r = {v = >f8}[1]  b = <u8"),
        ("b.dud", b"x = >f8[2]  n = <f8[2]  c = <c16 %1  t = u1[1]  r = {v = <f4}[1]  b = <f8 %1"),
    ]);
    let floats = |values: &[f32]| values.iter().flat_map(|it| it.to_le_bytes()).collect::<Vec<_>>();
    let mut a = floats(&[1.5, 0.1]);
    a.extend([1, 0, 2, 0]);
    a.resize(16, 0);
    a.extend(floats(&[1.0, 2.0]));
    a.push(b'A');
    a.resize(32, 0);
    a.extend(2.5_f64.to_be_bytes());
    a.extend(((1_u64 << 53) + 1).to_le_bytes());
    let mut b: Vec<u8> = [1.5_f64, 0.1].iter().flat_map(|it| it.to_be_bytes()).collect();
    b.extend([1.0_f64, 2.5, 1.0, 2.0].iter().flat_map(|it| it.to_le_bytes()));
    b.push(b'A');
    b.resize(52, 0);
    b.extend(floats(&[2.5]));
    b.extend(((1_u64 << 53) as f64).to_le_bytes());
    folder.write("a", &a);
    folder.write("b", &b);
    let of = "a b --raw --layout a.dud --layout-b b.dud";
    assert_eq!(diff(&folder, of).len(), 6, "types differ");
    assert_eq!(
        diff(&folder, &format!("{of} --promote")),
        [
            "/x: 1 of 2 values differ, most at [1]: 0.10000000149011612 and 0.1 (abs 1.49012e-9, rel \
             1.49012e-8, ulp 107374182)",
            "/n: 1 of 2 values differ, most at [1]: 2 and 2.5 (abs 0.5, rel 0.2, ulp 1125899906842624)",
            "/t: type |S1 and |u1",
            "/b: 9007199254740993 and 9007199254740992.0 (abs 1, rel 1.11022e-16)",
        ]
    );
    assert_eq!(diff(&folder, &format!("{of} --promote --rtol 0.3 --ignore t")), [""; 0]);
}

#[test]
fn params_of_types_that_stand_for_one_member_are_compared() {
    // A text with its length before it: by itself, in an array, a list and a struct.
    let layout = r#"str {n : u1  "" = S1[n]}
        a = str  b = str[2]  l = [str]*2  r = {t = str  m : u1  v = str[m]}[2]  u = {n : u1  "" = U1[n]}"#;
    let a = b"\x03ab\0\x01x\x01y\x01a\x01b\x01a\x01\x01b\x01c\x00\x01z";
    let folder = pair(layout, a, b"\x02ab\x01x\x02y\0\x01a\x02b\0\x02a\0\x01\x03b\0\0\x01c\0\x01z");
    let expected = [
        "/a.n: 3 and 2",
        "/b.n: 1 of 2 values differ, most at [1]: 1 and 2",
        "/l/1.n: 1 and 2",
        "/r.t.n: 1 of 2 values differ, most at [0]: 1 and 2",
        "/r.v.n: 1 and 3",
    ];
    let found = diff(&folder, OF);
    assert_eq!(found, expected);
    assert!(diff(&folder, "a a --raw --layout x.dud").is_empty());
    let left = diff(&folder, &format!("{OF} --ignore /*.n --ignore /l --ignore /r"));
    assert!(left.is_empty(), "{left:?}");
    // That of the text is said under its own path, even if it is no text that can be shown.
    std::fs::write(folder.path("b"), [&a[..20], b"\x01\xff"].concat()).expect("a file");
    std::fs::write(folder.path("a"), [&a[..20], b"\x01\xfe"].concat()).expect("a file");
    let found = diff(&folder, OF);
    assert!(found.len() == 1 && found[0].starts_with("/u: "), "{found:?}");
    // Params of other names are of another layout, and are not compared.
    std::fs::write(folder.path("a"), b"\x02ab").expect("a file");
    std::fs::write(folder.path("b"), b"\x02\0ab").expect("a file");
    folder.write("x.dud", r#"a = {n : u1  "" = S1[n]}"#);
    folder.write("y.dud", r#"< a = {length : u2 %1  "" = S1[length]}"#);
    assert!(diff(&folder, &format!("{OF} --layout-b y.dud")).is_empty());
}

#[test]
fn the_unit_of_times_is_a_part_of_their_type() {
    let times = [5_i64, i64::MIN].map(i64::to_le_bytes).concat();
    let others = [5_i64, 7].map(i64::to_le_bytes).concat();
    let layout = |unit: &str, of: &str| of.replace("%T", &format!("#: numpy = \"{unit}\"\n"));
    // An array; a struct; structs that differ in size; one in another.
    for (of, path) in [
        ("<t = i8[2]  %T", "/t"),
        ("<t = {x = i8 %T}[2]", "/t.x"),
        ("<t = {x = i8 %T N : u1  y = u1[N]} %1[1]", "/t.x"),
        ("<t = {r = {x = i8 %T}}[2]", "/t.r.x"),
    ] {
        let folder = pair(&layout("M8[s]", of), &times, &times);
        assert!(diff(&folder, OF).is_empty(), "{of}");
        for unit in ["M8[ms]", "m8[s]", "M8"] {
            folder.write("y.dud", layout(unit, of));
            let wanted = format!("{path}: type M8[s] and {unit}");
            for more in ["", " --promote", " --rtol 1e9"] {
                let words = format!("{OF} --layout-b y.dud{more}");
                assert_eq!(diff(&folder, &words), [&*wanted], "{of} {more}");
            }
        }
    }
    // A time that is none is shown as numpy shows it, and is far from no other.
    let folder = pair(&layout("M8[s]", "<t = i8[2]  %T"), &times, &others);
    assert_eq!(diff(&folder, OF), ["/t: 1 of 2 values differ, most at [1]: NaT and 7"]);
    let json = folder.run(format!("diff {OF} --format json").as_str());
    let json: serde_json::Value = serde_json::from_str(&json.out).expect("JSON");
    assert!(json["differences"][0]["a"].is_null() && json["differences"][0]["b"] == 7, "{json}");
    // Plain integers are no times, but as numbers.
    folder.write("y.dud", "<t = i8[2]");
    let words = format!("{OF} --layout-b y.dud");
    assert_eq!(diff(&folder, &words), ["/t: type M8[s] and <i8"]);
    assert_eq!(
        diff(&folder, &format!("{words} --promote")),
        ["/t: 1 of 2 values differ, most at [1]: NaT and 7"]
    );
}

#[test]
fn the_unit_of_times_is_a_part_of_their_type_in_files_too() {
    let tree = |unit: &str| {
        let array =
            format!("!core/ndarray-1.1.0 {{data: [5, 6], datatype: int64, numpy: '{unit}'}}");
        format!("#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n---\nt: {array}\n...\n")
    };
    let folder = Folder::with(&[("a.asdf", &*tree("M8[s]")), ("b.asdf", &*tree("M8[ms]"))]);
    folder.done("convert b.asdf b.bd");
    folder.done("convert b.asdf b.b2nd");
    for words in ["a.asdf b.asdf", "a.asdf b.asdf --attrs", "a.asdf b.bd", "a.asdf b.asdf /t[:1]"] {
        assert_eq!(diff(&folder, words).len(), 1, "{words}");
        assert!(diff(&folder, words)[0].ends_with(": type M8[s] and M8[ms]"), "{words}");
    }
    assert!(diff(&folder, "b.asdf b.bd --attrs").is_empty());
}

#[test]
fn integers_have_no_ulps() {
    let folder = pair("<x = u8", &u64::MAX.to_le_bytes(), &(-1_i64).to_le_bytes());
    folder.write("y.dud", "<x = i8");
    let found = diff(&folder, &format!("{OF} --layout-b y.dud --promote"));
    // 2^64 as a float.
    assert_eq!(found, ["/x: 18446744073709551615 and -1 (abs 1.84467e19, rel 1.84467e19)"]);
    // As floats these would be the same.
    let tree = |number: &str| format!("#ASDF 1.0.0\n--- {{x: {number}}}\n...\n");
    folder.write("a.asdf", tree("9007199254740993"));
    folder.write("b.asdf", tree("9007199254740992.0"));
    assert_eq!(diff(&folder, "a.asdf b.asdf --promote").len(), 1);
}

#[test]
fn differences_beyond_the_largest_float_are_compared() {
    let folder = pair("<x = f8", &floats(&[1.7e308]), &floats(&[-1.7e308]));
    assert!(diff(&folder, &format!("{OF} --rtol 3")).is_empty());
    assert_eq!(diff(&folder, &format!("{OF} --rtol 1.9")).len(), 1);
    let folder = pair("<x = c16", &floats(&[1.7e308, 1e308]), &floats(&[1.7e308, 1.7e308]));
    assert_eq!(diff(&folder, &format!("{OF} --rtol 1e-9")).len(), 1);
}
