//! Mistakes of daily use: wrong spellings, files that are their own output, empty lists.

use crate::kit::Folder;

/// A stream of a history that grows, and files around it.
fn history(records: &str) -> Folder {
    let folder = Folder::packed("--attach");
    folder.write("h.dud", "NT : i8\nhist = [/ t = f8  r = i4[3]  /]*NT\n");
    folder.write(
        "h.json",
        format!(r#"{{"NT": {}, "hist": {records}}}"#, records.matches('t').count()),
    );
    folder.done("pack h.dud -o h.bd --data h.json --attach");
    folder
}

const TWO: &str = r#"[{"t": 0.5, "r": [1, 2, 3]}, {"t": 1.5, "r": [4, 5, 6]}]"#;

#[test]
fn an_output_is_no_file_that_is_read() {
    let folder = history(TWO);
    for words in [
        "pack h.dud -o h.dud --data h.json --force",
        "pack h.dud -o h.json --data h.json --force",
        "get run.bd /grp/rho -o ./run.bd --force",
        "get h.bd /NT --layout h.dud -o h.dud --force",
        "salvage h.bd h.bd --force",
        "convert h.bd ./h.bd --force",
    ] {
        let before = (folder.bytes("h.dud"), folder.bytes("h.json"), folder.bytes("h.bd"));
        let said = folder.run(words);
        assert_ne!(said.status, 0, "{words}");
        assert!(
            before == (folder.bytes("h.dud"), folder.bytes("h.json"), folder.bytes("h.bd")),
            "{words}"
        );
    }
    let said = folder.run("salvage h.bd h.bd --force");
    assert!(said.err.contains("h.bd is read, and cannot be the output too"), "{}", said.err);
}

#[test]
fn an_empty_list_has_the_types_of_its_items() {
    let folder = history("[]");
    assert_eq!(folder.done("get h.bd /hist[:]/r"), "<i4[0, 3]\n[]\n");
    folder.done("get h.bd /hist[:]/r -o r.npy");
    let npy = folder.bytes("r.npy");
    assert!(
        String::from_utf8_lossy(&npy)
            .contains("'descr': '<i4', 'fortran_order': False, 'shape': (0, 3)")
    );
    let json = folder.done("get h.bd /hist[:]/t --format json");
    assert!(json.contains(r#""dtype": "<f8""#) || json.contains(r#""dtype":"<f8""#), "{json}");
    assert!(folder.run("get h.bd /hist[:]/zzz").err.contains("zzz"));
}

#[test]
fn records_come_from_numpy_too() {
    let folder = history("[]");
    let other = history(TWO);
    other.done("get h.bd /hist[:]/t -o t.npy");
    other.done("get h.bd /hist[:]/r -o r.npy");
    std::fs::create_dir(folder.path("more")).expect("a folder");
    folder.write("more/t.npy", other.bytes("t.npy"));
    folder.write("more/r.npy", other.bytes("r.npy"));
    // A path may lack its slash, as everywhere.
    folder.done("append h.bd hist --data more");
    assert_eq!(folder.done("get h.bd /hist[:]/r"), "<i4[2, 3]\n[[1, 2, 3],\n [4, 5, 6]]\n");
    std::fs::remove_file(folder.path("more/r.npy")).expect("a file");
    let said = folder.run("append h.bd /hist --data more");
    assert!(said.err.contains("nothing was given for `/hist/r`"), "{}", said.err);

    folder.write("x.dud", "NT : i8\nx = f4[NT, 3]\n");
    folder.write("x.json", r#"{"NT": 0, "x": []}"#);
    folder.done("pack x.dud -o x.bd --data x.json --attach");
    folder.write("y.dud", "y = f4[2, 3]\n");
    folder.write("y.json", r#"{"y": [[1, 2, 3], [4, 5, 6]]}"#);
    folder.done("pack y.dud -o y.bd --data y.json --attach");
    folder.done("get y.bd /y -o y.npy");
    folder.done("append x.bd /x --data y.npy");
    assert_eq!(folder.done("get x.bd /x[1]"), "<f4[3]\n[4.0, 5.0, 6.0]\n");
}

#[test]
fn a_bad_record_is_named_by_its_number() {
    let folder = history(TWO);
    folder.write("more.json", r#"[{"t": 2, "r": [1, 2, 3]}, {"t": 3, "r": [1, 2]}]"#);
    let said = folder.run("append h.bd /hist --data more.json");
    assert!(said.err.contains("record 1 of those given: `/hist/r`"), "{}", said.err);
    let said = folder.run("append h.bd /hist");
    assert!(said.err.contains("the records are missing"), "{}", said.err);
}

#[test]
fn slices_of_lists_are_compared_and_counted() {
    let folder = history(TWO);
    folder.write("all.json", format!(r#"{{"NT": 2, "hist": {}}}"#, TWO.replace("1.5", "1.75")));
    folder.done("pack h.dud -o o.bd --data all.json --attach");
    assert_eq!(folder.run("diff h.bd o.bd /hist[:1]/t").out, "");
    let said = folder.run("diff h.bd o.bd /hist[:]/t");
    assert_eq!((said.status, said.out.lines().count()), (1, 1), "{}", said.err);
    assert!(said.out.contains("1.5 and 1.75"), "{}", said.out);
    // One row for each item of the list.
    let counted = folder.done("stat h.bd /hist[:]/r --each");
    assert_eq!(counted.lines().count(), 3, "{counted}");
    let said = folder.run("stat h.bd /hist[:]/r[0] --each");
    assert!(said.err.contains("`--each` is for whole items"), "{}", said.err);
}

#[test]
fn a_mean_shows_what_values_differ_by() {
    let folder = Folder::packed("--attach");
    folder.write("x.dud", "x = f8[2]\n");
    folder.write("x.json", r#"{"x": [1000000000.25, 1000000000.75]}"#);
    folder.done("pack x.dud -o x.bd --data x.json --attach");
    assert!(folder.done("stat x.bd").contains(" 1000000000.5 "));
}

#[test]
fn what_a_type_cannot_hold_is_refused() {
    let folder = Folder::packed("--attach");
    folder.write("x.dud", "N : i4\nx = f4[N]\nh = f2\n");
    let pack = |json: &str| {
        folder.write("x.json", json);
        folder.run("pack x.dud -o x.bd --data x.json --force")
    };
    assert_eq!(pack(r#"{"N": 1.0, "x": ["inf"], "h": 65504}"#).status, 0);
    for (json, why) in [
        (r#"{"N": 1, "x": [1e300], "h": 1}"#, "a float of at most 3.4028234663852886e38"),
        (r#"{"N": 1, "x": [1], "h": 70000}"#, "a float of at most 6.5504e4"),
        (r#"{"N": [1, 2], "x": [1], "h": 1}"#, "`/N`: expected an integer, since it is a param"),
        (r#"{"N": 1.5, "x": [1], "h": 1}"#, "`/N`: expected an integer, since it is a param"),
    ] {
        let said = pack(json);
        assert!(said.status == 1 && said.err.contains(why), "{json}: {}", said.err);
    }
}

#[test]
fn a_damaged_count_is_not_gone_through() {
    let folder = history(TWO);
    let mut bytes = folder.bytes("h.bd");
    // The count of 2 becomes one of 10^18 and more.
    bytes[16 + 7] = 0x10;
    folder.write("h.bd", bytes);
    for words in ["dump h.bd --exact", "dump h.bd --all", "dump h.bd --format json"] {
        let said = folder.run(words);
        assert!(said.status == 1 && said.out.len() < 1 << 20, "{words}: {}", said.out.len());
    }
}

#[test]
fn columns_of_structs_are_named_by_their_paths() {
    let folder = Folder::packed("--attach");
    folder.write(
        "x.dud",
        "p {q = i2  r = S1[4]}\nx = {p = p  m = f4[2, 2]  one = u1[1]  l = p[2]}[1]\n",
    );
    let p = r#"{"q": 1, "r": "ab"}"#;
    let x = format!(r#"{{"p": {p}, "m": [[1, 2], [3, 4]], "one": [5], "l": [{p}, {p}]}}"#);
    folder.write("x.json", format!(r#"{{"x": [{x}]}}"#));
    folder.done("pack x.dud -o x.bd --data x.json --attach");
    folder.done("get x.bd /x -o x.csv");
    let csv = String::from_utf8(folder.bytes("x.csv")).expect("text");
    let head = r#"p.q,p.r,"m[0,0]","m[0,1]","m[1,0]","m[1,1]",one,l[0].q,l[0].r,l[1].q,l[1].r"#;
    assert_eq!(csv, format!("{head}\n1,ab,1.0,2.0,3.0,4.0,5,1,ab,1,ab\n"));
}
