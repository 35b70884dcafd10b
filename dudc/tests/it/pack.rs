//! `dudc pack`: what it takes, and how it refuses.

use crate::kit::Folder;

/// What is said by a command that fails with a status, and leaves no stream.
#[track_caller]
fn fails(folder: &Folder, words: &str, status: i32) -> String {
    let said = folder.fails(words, status);
    assert!(!folder.path("o.bd").exists(), "{words} left a file");
    said
}

/// A `.npy` file.
fn npy(descr: &str, fortran: &str, shape: &str, bytes: &[u8]) -> Vec<u8> {
    let dict = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}\n");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((dict.len() as u16).to_le_bytes());
    file.extend(dict.as_bytes());
    file.extend(bytes);
    file
}

const ROWS: &str = r#"{"version": 1, "kind": "native", "order": ">",
  "params": [{"path": "/N", "kind": "streamed", "value": 2, "dtype": ">i4"},
             {"path": "/K", "kind": "fixed", "value": 3}],
  "items": [{"path": "/x", "dtype": ">f8", "shape": [2], "value": [0.5, 1.5]},
            {"path": "/s", "dtype": "struct{a=>i2@0}", "shape": [], "value": {"a": 7}}]}"#;

const LAYOUT: &str = "N : i4  K : 3  x = f8[N]  s = {a = i2}\n";

const PACK: &str = "pack a.dud -o o.bd --data a.json";

#[test]
fn what_a_dump_says_beside_its_values_is_checked() {
    let folder = Folder::with(&[("a.dud", LAYOUT), ("a.json", ROWS)]);
    folder.done(&format!("{PACK} --order little"));
    assert!(folder.done("get o.bd /x --layout a.dud").starts_with("<f8[2]\n[0.5, 1.5]"));
    std::fs::remove_file(folder.path("o.bd")).expect("written");
    for (from, to, said) in [
        (
            "\"shape\": [2]",
            "\"shape\": [3]",
            "`/x`: expected shape [2], found [3] (the shape expected is from /N = 2)",
        ),
        ("\">f8\"", "\"<f4\"", "`/x`: expected elements of type `f8`, found `f4` in the data"),
        ("a=>i2", "b=>i2", "`/s`: expected elements of type `struct{a=i2@0}`"),
        ("\">i4\"", "\"<i8\"", "`/N`: expected elements of type `i4`, found `i8`"),
        (
            "\"version\": 1",
            "\"version\": 2",
            "`version`: expected 1, the version of dumps that is known, found 2",
        ),
        ("\"native\"", "\"odd\"", "`kind`: expected one of native, raw, found \"odd\""),
        ("\"order\": \">\"", "\"order\": 3", "`order`: expected one of <, >"),
        ("\"/s\"", "\"/x\"", "`/x`: expected one value, found two of them"),
        ("\"/K\"", "\"/N\"", "`/N`: expected one value, found two of them"),
        (
            "\"value\": 3",
            "\"value\": 4",
            "`/K`: expected 3, as the layout has it, found 4 in the data",
        ),
        ("\"fixed\"", "\"streamed\"", "`/K`: expected a fixed param, found a streamed one"),
        ("\"kind\": \"native\"", "\"version\": 1", "the name `version` stands here twice"),
        ("\"/K\"", "\"/KK\"", "nothing in the layout for `/KK` (did you mean `/K`?)"),
    ] {
        assert!(ROWS.contains(from), "{from}");
        folder.write("a.json", ROWS.replacen(from, to, 1));
        let found = fails(&folder, PACK, 1);
        assert!(found.contains(said), "{found}");
    }
    folder.write("a.json", ROWS.replace("\"value\": 3", "\"value\": 4"));
    folder.done(&format!("{PACK} --param K=4"));
}

#[test]
fn dumps_with_supplied_params_are_packed_again() {
    let folder =
        Folder::with(&[("a.dud", "K : 3  x = i1[K]\n"), ("x.json", r#"{"x": [1, 2, 3, 4]}"#)]);
    folder.done("pack a.dud -o a.bd --data x.json --param K=4");
    for form in ["--format json", "--nested"] {
        let dump = folder.done(&format!("dump a.bd --layout a.dud --param K=4 {form}"));
        folder.write("a.json", dump);
        folder.done(&format!("{PACK} --force"));
        assert!(std::fs::read(folder.path("a.bd")).ok() == std::fs::read(folder.path("o.bd")).ok());
    }
}

#[test]
fn nested_dumps_hold_params() {
    let folder = Folder::with(&[
        (
            "a.dud",
            "N : i1  l [/ N : i1  N : i1  a = i2[N]]*N  \":N\" = i1  \"\\\"q\" = i1  vel = i1\n",
        ),
        (
            "a.json",
            r#"{":N": 2, "l": [{":N": 0, ":N#2": 1, "a": [5]}, {":N": 0, ":N#2": 0, "a": []}],
                       "\":N\"": 8, "\"\\\"q\"": 9, "vel": 3}"#,
        ),
    ]);
    folder.done(PACK);
    let json = |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("JSON");
    let given = std::fs::read_to_string(folder.path("a.json")).expect("a file");
    assert_eq!(json(&folder.done("dump o.bd --layout a.dud --nested")), json(&given));
    std::fs::remove_file(folder.path("o.bd")).expect("written");
    folder.write("a.json", given.replace("\":N#2\": 0", "\":N#2\": \"x\""));
    assert!(fails(&folder, PACK, 1).contains("`/l/1/N#2`: expected an integer"));
    folder.write("a.json", given.replace("\"vel\"", "\"vle\""));
    let said = fails(&folder, PACK, 1);
    assert!(
        said.contains("for `/vle` (did you mean `/vel`?); nothing was given for `/vel`"),
        "{said}"
    );
}

#[test]
fn items_named_as_the_keys_of_rows_are_no_rows() {
    let folder = Folder::with(&[
        ("a.dud", "version = i4  items = i1[2]  l [/ path = S1[2]]\n"),
        ("a.json", r#"{"version": 7, "items": [1, 2], "l": [{"path": "ab"}]}"#),
    ]);
    folder.done(PACK);
}

#[test]
fn all_that_is_missing_is_said_at_once() {
    let layout =
        "N : i4  g/ M : i2 .. x = f8[N]  y = f4[2]  z = i1  l [/ K : i1  a = i2  b = i1[K]]*2\n";
    let folder = Folder::with(&[("a.dud", layout), ("a.json", r#"{"z": 1}"#)]);
    let said = fails(&folder, PACK, 1);
    let all = "nothing was given for `/N`, `/g/M`, `/y`, `/l/0/K`, `/l/0/a`, `/l/1/K`, `/l/1/a`";
    assert!(said.contains(all), "{said}");
    folder.write("a.json", r#"{"z": 1, "N": 3, "g": {"M": 1}, "l": [{"K": 1, "a": 1, "b": [1]}]}"#);
    let said = fails(&folder, PACK, 1);
    assert!(said.contains("nothing was given for `/x`, `/y`, `/l/1/K`, `/l/1/a`"), "{said}");
}

#[test]
fn names_that_the_layout_lacks_are_said_with_what_was_meant() {
    let layout = "N : i4  rho = f4[N]  deep/ under/ tmp = i1 ..\n";
    let folder = Folder::with(&[("a.dud", layout)]);
    folder.write("d/:N.npy", npy("<i8", "False", "()", &2_i64.to_le_bytes()));
    folder.write("d/rh0.npy", npy("<f4", "False", "(2,)", &[0; 8]));
    folder.write("d/tmp.npy", npy("|i1", "False", "()", &[0]));
    let said = fails(&folder, "pack a.dud -o o.bd --data d", 1);
    assert!(said.contains("`/rh0` (did you mean `/rho`?)"), "{said}");
    assert!(said.contains("`/tmp` (did you mean `/deep/under/tmp`?)"), "{said}");
    assert!(said.contains("nothing was given for `/rho`, `/deep/under/tmp`"), "{said}");
    // Where params are missing, lists are not known to lack anything.
    folder.write("a.dud", "N : i4  l [i1, f4]*N\n");
    folder.write("a.json", r#"{"l": [1, 2, 3]}"#);
    assert_eq!(
        fails(&folder, PACK, 1),
        "error: a.json: nothing was given for `/N`\nhelp: `--param N=VALUE` gives a param\n"
    );
}

#[test]
fn arrays_of_numpy_fit_by_their_values() {
    let folder = Folder::with(&[("a.dud", "N : 2  x = f4[N, 3]\n")]);
    let ints: Vec<u8> = [0_i64, 3, 1, 4, 2, 5].iter().flat_map(|n| n.to_le_bytes()).collect();
    folder.write("d/x.NPY", npy("<i8", "True", "(2, 3)", &ints));
    folder.done("pack a.dud -o o.bd --data d");
    let got = folder.done("get o.bd /x --layout a.dud -o X.JSON");
    assert_eq!(got, "");
    let value = std::fs::read_to_string(folder.path("X.JSON")).expect("written");
    assert_eq!(value, "[[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]\n");
    std::fs::remove_file(folder.path("o.bd")).expect("written");
    let pack = |descr: &str, shape: &str, bytes: &[u8]| {
        folder.write("d/x.NPY", npy(descr, "False", shape, bytes));
        fails(&folder, "pack a.dud -o o.bd --data d", 1)
    };
    let mut large = ints.clone();
    large[32..40].copy_from_slice(&((1_i64 << 24) + 1).to_le_bytes());
    let said = pack("<i8", "(2, 3)", &large);
    assert!(
        said.contains("`/x`: expected values that `f4` holds exactly, found 16777217 at [1, 1]"),
        "{said}"
    );
    let said = pack("<f4", "(3, 2)", &[0; 24]);
    assert!(
        said.contains(
            "`/x`: expected shape [2, 3], found [3, 2] (the shape expected is from /N = 2)"
        ),
        "{said}"
    );
    let said = pack("<c8", "(2, 3)", &[0; 48]);
    assert!(said.contains("`/x`: expected an array that fits `f4`, found one of `c8`"), "{said}");
    folder.write("d/x.npy", npy("<f4", "False", "(2, 3)", &[0; 24]));
    assert!(fails(&folder, "pack a.dud -o o.bd --data d", 1).contains("`/x`: expected one value"));
    assert!(fails(&folder, "pack a.dud -o o.bd --data d/x.npy", 1).contains("put it in a folder"));
}

#[test]
fn a_stream_goes_to_standard_output_whole_or_not_at_all() {
    let folder = Folder::with(&[("a.dud", LAYOUT), ("a.json", ROWS)]);
    folder.done("pack a.dud -o a.bd --data a.json");
    let piped = folder.command("pack a.dud -o - --data a.json").output().expect("dudc runs");
    assert_eq!(piped.stdout, std::fs::read(folder.path("a.bd")).expect("written"));
    assert!(!folder.path("-").exists());
    folder.write("a.json", ROWS.replace("1.5", "\"x\""));
    let failed = folder.run("pack a.dud -o - --data a.json");
    assert_eq!((failed.status, failed.out.len()), (1, 0));
    let said = fails(&folder, "get a.bd /x --layout a.dud -o -", 2);
    assert!(said.contains("--format json"), "{said}");
    fails(&folder, "pack - -o o.bd --data -", 2);
}

#[test]
fn raw_data_without_raw_is_said() {
    let folder = Folder::with(&[("a.dud", LAYOUT), ("a.json", &ROWS.replace("native", "raw"))]);
    let output = folder.run(PACK);
    assert_eq!(output.status, 0);
    assert!(output.err.starts_with("warning: the data is of a raw stream"));
    assert_eq!(folder.run(&format!("{PACK} --raw --force")).err, "");
}

#[test]
fn filters_that_cannot_be_applied_are_said_before() {
    let folder =
        Folder::with(&[("a.dud", "x = i1[2] -> rle\ny = i1[2] -> zlib(12)\n"), ("a.json", "{}")]);
    let checked = folder.run("check a.dud");
    let said = checked.err + &checked.out;
    assert_eq!(checked.status, 0, "{said}");
    assert!(said.contains("warning[unknown-filter]: no filter `rle` is known here"), "{said}");
    assert!(
        said.contains("warning[filter-argument]: `zlib` takes one argument, its level from 0 to 9"),
        "{said}"
    );
    assert!(fails(&folder, PACK, 1).contains("unknown filter `rle`"));
    folder.write("a.dud", "x = i1[2] -> zlib(12)\n");
    assert!(fails(&folder, PACK, 1).contains("its level from 0 to 9, found 12"));
}

#[test]
fn params_are_the_lengths_of_arrays() {
    let layout = "N : i8\nM : i4\nK : u4\nx = i1[N-, 2]\ny = i1[M]\nz = i1[K+3]\nw = i1[N]\n";
    let folder = Folder::with(&[("run.dud", layout)]);
    let array = |count: u8| (0..count).collect::<Vec<u8>>();
    folder.write("a/x.npy", npy("|i1", "False", "(3, 2)", &array(6)));
    folder.write("a/y.npy", npy("|i1", "False", "(0,)", &[]));
    folder.write("a/z.npy", npy("|i1", "False", "(5,)", &array(5)));
    folder.write("a/w.npy", npy("|i1", "False", "(4,)", &array(4)));
    folder.done("pack run.dud -o a.bd --data a --attach");
    let said = folder.done("ls a.bd");
    for line in ["/:N   <i8   = 4", "/:M   <i4   = 0", "/:K   <u4   = 2"] {
        assert!(said.contains(line), "{said}");
    }
    // What is given counts, and what does not fit it is said.
    assert!(fails(&folder, "pack run.dud -o o.bd --data a --param N=5", 1).contains("/x"));
    folder.write("a/w.npy", npy("|i1", "False", "(5,)", &array(5)));
    assert!(fails(&folder, "pack run.dud -o o.bd --data a", 1).contains("/w"));
}

#[test]
fn a_param_and_a_member_of_one_name() {
    let layout = "x = {n : u1  n = u1[n]  m : u2  k = u1}[2]\ny = {n : u1  n = u2}\n";
    let folder = Folder::with(&[("run.dud", layout)]);
    let values = r#"{"x": [{":n": 2, "n": [7, 8], "m": 3, "k": 4}, {"n": [9], "m": 5, "k": 6}],
        "y": {":n": 1, "n": 2}}"#;
    folder.write("a.json", values);
    folder.done("pack run.dud -o a.bd --data a.json --attach");
    let shown = folder.done("dump a.bd --nested");
    assert!(
        shown.contains(r#"":n": 2, "n": [7, 8]"#) || shown.contains(r#"":n":2,"n":[7,8]"#),
        "{shown}"
    );
    folder.write("b.json", shown);
    folder.done("pack run.dud -o b.bd --data b.json --attach");
    assert_eq!(std::fs::read(folder.path("a.bd")).ok(), std::fs::read(folder.path("b.bd")).ok());
    folder.write("a.json", values.replace("\":n\": 1, ", ""));
    assert!(fails(&folder, "pack run.dud -o o.bd --data a.json", 1).contains("/y.n"));
}

#[test]
fn structs_that_lack_a_field_are_told_by_their_fields() {
    let names: Vec<String> = (0..11).map(|at| format!("c{at}")).collect();
    let layout = format!("x = {{a = i1  {} = i1}}", names.join(" = i1  "));
    let folder = Folder::with(&[("a.dud", &layout)]);
    let many: Vec<String> = names.iter().map(|name| format!(r#""{name}": 1"#)).collect();
    for (value, found) in [
        ("{}".to_owned(), "found one without fields"),
        (r#"{"c1": 1}"#.to_owned(), "found one with the field `c1`"),
        (r#"{"c1": 1, "c0": 1}"#.to_owned(), "found one with the fields `c1`, `c0`"),
        (format!("{{{}}}", many.join(", ")), "`c6`, `c7` and 3 more"),
    ] {
        folder.write("a.json", format!(r#"{{"x": {value}}}"#));
        let said = fails(&folder, "pack a.dud -o a.bd --data a.json", 1);
        assert!(said.contains("`/x.a`: expected a struct with a field `a`, "), "{said}");
        assert!(said.contains(found), "{said}");
    }
}

#[test]
fn no_zones_have_no_edge_and_who_packs_them_is_told_what_to_write() {
    let layout = "NX : i4  u = f8[2, NX+]  rho = f8[NX]\n";
    let folder = Folder::with(&[
        ("a.dud", layout),
        ("a.json", r#"{"NX": 0, "u": [[1.0], [2.0]], "rho": []}"#),
        ("b.dud", &layout.replace("NX+", "NX+1")),
        ("none.json", r#"{"NX": 0, "u": [[], []], "rho": []}"#),
        ("more.json", r#"{"NX": 1, "u": [[1.0], [2.0]], "rho": [1.0]}"#),
    ]);
    let why = "0 has no `+`, so `NX+` is 0 too (rule 4.3): a dimension that is 1 then is `NX+1` in a \
               layout, or a param of its own";
    let said = fails(&folder, PACK, 1);
    assert!(
        said.contains(&format!("`/u[0]`: expected 0 items in this dimension ({why}), found 1")),
        "{said}"
    );
    folder.write("u.npy", npy("<f8", "False", "(2, 1)", &[0; 16]));
    folder.write("NX.npy", npy("<i4", "False", "()", &[0; 4]));
    std::fs::create_dir(folder.path("d")).expect("a folder");
    for name in ["u.npy", "NX.npy"] {
        std::fs::rename(folder.path(name), folder.path("d").join(name)).expect("moved");
    }
    let said = fails(&folder, "pack a.dud -o o.bd --data d", 1);
    assert!(
        said.contains(&format!(
            "expected shape [2, 0], found [2, 1] (the shape expected is from /NX = 0; {why})"
        )),
        "{said}"
    );
    assert!(!fails(&folder, "pack a.dud -o o.bd --data more.json", 1).contains("has no"));
    folder.done("pack a.dud -o none.bd --data none.json");
    folder.done("pack b.dud -o one.bd --data a.json");
    assert!(folder.done("get one.bd /u --layout b.dud").starts_with("<f8[2, 1]"));
}

#[test]
fn a_param_comes_from_the_length_that_an_expression_has() {
    let folder = Folder::with(&[("a.dud", "BYTES : i4  NCH : 2  x = i2[BYTES/2/NCH, NCH]\n")]);
    folder.write("a/x.npy", npy("<i2", "False", "(3, 2)", &[0; 12]));
    folder.done("pack a.dud -o o.bd --data a --attach");
    assert!(folder.done("get o.bd /:BYTES").ends_with("12\n"));
    let layout = "--layout a.dud --param BYTES=14";
    let said = folder.fails(&format!("get o.bd /x {layout}"), 1);
    assert!(said.contains("`BYTES/2/NCH` leaves a remainder: 7/2 leaves 1"), "{said}");
    assert!(said.contains("/BYTES = 14 (supplied), /NCH = 2"), "{said}");
    folder.write("r.bin", [14, 0, 0, 0]);
    let said = folder.fails("get r.bin /x --layout a.dud --raw", 1);
    assert!(said.contains("from /BYTES = 14 (read at address 0), /NCH = 2"), "{said}");
}

#[test]
fn params_are_the_lengths_of_what_is_given() {
    // A layout, values without its params, and what these are then.
    for (layout, values, params) in [
        (
            "N : i8\nM : i4\nx = f8[N, M]\n",
            r#"{"x": [[1, 2, 3], [4, 5, 6]]}"#,
            vec![("N", 2), ("M", 3)],
        ),
        ("N : i8\nx = f8[N+]\ny = i2[N]\n", r#"{"x": [1, 2, 3], "y": [4, 5]}"#, vec![("N", 2)]),
        ("N : i8\nx = f8[N/2]\n", r#"{"x": [1, 2, 3]}"#, vec![("N", 6)]),
        ("N : i8\nx = f8[2*N+1]\n", r#"{"x": [1, 2, 3]}"#, vec![("N", 1)]),
        (
            "g/\n  N : i8\n  x = {a = f8  b = i2}[N]\n  ..\n",
            r#"{"g": {"x": [{"a": 1, "b": 2}]}}"#,
            vec![("g/:N", 1)],
        ),
        ("N : i4\nt = U1[N]\n", r#"{"t": "naïve"}"#, vec![("N", 6)]),
        ("N : i4\nt = U2[N]\n", r#"{"t": "naïve"}"#, vec![("N", 5)]),
        ("N : i4\nt = S1[N, 4]\n", r#"{"t": ["abc", "d"]}"#, vec![("N", 2)]),
        ("N : i4\nz = c8[N]\n", r#"{"z": [[1, 2], [3, 4], [5, 6]]}"#, vec![("N", 3)]),
        ("N : i4\nx = f8[N]\n", r#"{"x": []}"#, vec![("N", 0)]),
        // Items of lists are counted, too.
        (
            "N : i8\nh = [/ t = f8  e = f8]*N\n",
            r#"{"h": [{"t": 1, "e": 2}, {"t": 3, "e": 4}]}"#,
            vec![("N", 2)],
        ),
        ("N : i8\nl = [i1, [f4]*2]*N--\n", r#"{"l": [1, [2, 3], 4, [5, 6]]}"#, vec![("N", 4)]),
        ("N : i8\nl = [i1]*(N/2)\n", r#"{"l": [1, 2]}"#, vec![("N", 4)]),
        ("N : i8\nl = [i1]*N\n", r#"{"l": []}"#, vec![("N", 0)]),
        // What is given counts, under either name.
        (
            "N : i4\nM : i4\nx = f8[N]\ny = u1[M]\n",
            r#"{":N": 1, "M": 1, "x": [1], "y": [2]}"#,
            vec![("N", 1), ("M", 1)],
        ),
    ] {
        let folder = Folder::with(&[("a.dud", layout), ("a.json", values)]);
        folder.done("pack a.dud -o a.bd --data a.json --attach");
        for (name, value) in params {
            let path = if name.contains(':') { format!("/{name}") } else { format!("/:{name}") };
            let got = folder.json(&["get", "a.bd", &*path, "--format", "json"]);
            assert_eq!(got["value"], value, "{layout} {values}");
        }
    }
    for (layout, values, why) in [
        // The first array tells, and others that differ are refused.
        ("N : i8\nx = f8[N]\ny = f8[N]\n", r#"{"x": [1, 2], "y": [1]}"#, "`/y`"),
        ("N : i8\nx = f8[N]\n", r#"{":N": 3, "x": [1, 2]}"#, "`/x`"),
        // Texts among others need not fill their room, and two unknown params have no length of their own.
        ("N : i4\nt = S1[2, N]\n", r#"{"t": ["abc", "d"]}"#, "N"),
        ("N : i8\nM : i8\nx = f8[N*M]\n", r#"{"x": [1, 2]}"#, "N"),
        ("N : i8\nx = f8[2*N]\n", r#"{"x": [1, 2, 3]}"#, "N"),
        ("N : i8\nl = [i1, f4]*N\n", r#"{"l": [1, 2, 3]}"#, "N"),
        ("N : i8\nl = [i1]*N [f4]\n", r#"{"l": [1, 2, 3]}"#, "N"),
    ] {
        let folder = Folder::with(&[("a.dud", layout), ("a.json", values)]);
        let said = folder.fails("pack a.dud -o a.bd --data a.json", 1);
        assert!(said.contains(why), "{layout} {values}: {said}");
    }
}

#[test]
fn params_are_the_lengths_of_arrays_of_text() {
    let python = "N : i4\nM : i4\nu = U4[N, M]\ns = S1[N, 3]\n";
    let values = r#"{":N": 2, ":M": 5, "u": ["abc", "fünf!"], "s": ["a", "bcd"]}"#;
    let folder =
        Folder::with(&[("a.dud", python), ("a.json", values), ("b.dud", "N : i4\nu = U1[N, 8]\n")]);
    folder.done("pack a.dud -o a.bd --data a.json --attach");
    folder.done("convert a.bd a.npz /u /s");
    folder.done("convert a.bd u.asdf /u");
    folder.done("pack a.dud -o b.bd --data a.npz --attach");
    folder.done("diff a.bd b.bd");
    // Texts of other units may have more of them than they had characters.
    for from in ["u.asdf", "u.npy"] {
        if from == "u.npy" {
            folder.done("convert a.bd u.npy /u");
        }
        folder.done(&format!("convert {from} c.bd --layout b.dud --force"));
        let got = folder.json(["get", "c.bd", "/u", "--format", "json"].as_slice());
        assert_eq!(got["value"], serde_json::json!(["abc", "fünf!"]), "{from}");
    }
}

#[test]
fn the_only_param_that_is_not_given_follows_from_a_length() {
    let folder = Folder::empty();
    folder.write("x.dud", "A : i4\nB : i4\nC : i4\nx = u1[A/B]\ny = u1[(C+1)*A]\n");
    let x = |value: &str, options: &str| {
        folder.write("x.json", value);
        folder.done(&format!("pack x.dud --data x.json -o x.raw --raw --force {options}"));
        folder.bytes("x.raw")[..12].to_vec()
    };
    // A is 6 by `x`, and then C is 0 by `y`.
    let expected = [6, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0];
    assert_eq!(x(r#"{"B": 3, "x": [1, 2], "y": [1, 2, 3, 4, 5, 6]}"#, ""), expected);
    assert_eq!(x(r#"{"x": [1, 2], "y": [1, 2, 3, 4, 5, 6]}"#, "--param B=3"), expected);
    assert_eq!(x(r#"{"A": 6, "x": [1, 2], "y": [1, 2, 3, 4, 5, 6]}"#, ""), expected);
    // Of two neither follows.
    folder.write("x.json", r#"{"x": [1, 2]}"#);
    let said = folder.fails("pack x.dud --data x.json -o x.raw --raw --force", 1);
    assert!(said.contains("nothing was given for") && said.contains("`/B`"), "{said}");
}

#[test]
fn a_length_that_no_value_comes_to_is_said() {
    let said = |layout: &str, value: &str| {
        let folder = Folder::with(&[("x.dud", layout), ("x.json", value)]);
        let said = folder.fails("pack x.dud --data x.json -o x.raw --raw", 1);
        said.trim_start_matches("error: x.json: ").trim_end().to_owned()
    };
    let of = |item: &str, expr: &str, found: &str| {
        format!(
            "`{item}`: expected a length that `{expr}` is with some value of `N`, found {found}"
        )
    };
    for (layout, value, item, expr, found) in [
        ("N : i4  x = i2[N*3]", r#"{"x": [1, 2]}"#, "/x", "N*3", "2: 2/3 leaves a remainder of 2"),
        (
            "N : i4  M : i4  x = i2[M/N]",
            r#"{"M": 7, "x": [1, 2]}"#,
            "/x",
            "M/N",
            "2: 7/2 leaves a remainder of 1",
        ),
        (
            "N : i4  x = i2[2-N]",
            r#"{"x": [1, 2, 3, 4]}"#,
            "/x",
            "2-N",
            "4: `N` would be -2, but holds -1 to 2147483647",
        ),
        (
            "N : u1  x = i2[N/300]",
            r#"{"x": [1, 2]}"#,
            "/x",
            "N/300",
            "2: `N` would be 600, but holds 0 to 255",
        ),
        ("N : i4  x = i2[N*0]", r#"{"x": [1, 2]}"#, "/x", "N*0", "2"),
        ("N : i4  x = i2[N++]", r#"{"x": [1, 2]}"#, "/x", "N++", "2: 0 and -1 have no suffix"),
        (
            "N : i4  l = [i2]*(N*2)",
            r#"{"l": [1, 2, 3]}"#,
            "/l",
            "N*2",
            "3: 3/2 leaves a remainder of 1",
        ),
        (
            "x = {N : i4  a = i2[N*3]}",
            r#"{"x": {"a": [1, 2]}}"#,
            "/x.a",
            "N*3",
            "2: 2/3 leaves a remainder of 2",
        ),
        (
            "s {N : i4  \"\" = S1[N*3]}\nx = s",
            r#"{"x": "abcd"}"#,
            "/x",
            "N*3",
            "4: 4/3 leaves a remainder of 1",
        ),
    ] {
        assert_eq!(said(layout, value), of(item, expr, found), "{layout}");
    }
    // Another length tells it, and the first one is what is wrong.
    let two = said("N : i4  x = i2[N*3]  y = i2[N]", r#"{"x": [1, 2], "y": [1]}"#);
    assert!(two.starts_with("`/x`: expected 3 items"), "{two}");
}
