//! `append` and `salvage`, as they are used.

use dudley::append::Append;

use crate::kit::Folder;

/// A folder with a stream `a.bd`.
fn with_stream(layout: &str, values: &str, attach: bool) -> Folder {
    let folder = Folder::empty();
    folder.write("a.dud", layout);
    folder.write("a.json", values);
    let attach = if attach { "--attach" } else { "" };
    folder.done(&format!("pack a.dud -o a.bd --data a.json {attach}"));
    folder
}

/// The elements of an item, as they are shown.
fn get(folder: &Folder, path: &str) -> String {
    folder.done(&["get", "a.bd", path]).lines().last().unwrap_or_default().to_owned()
}

#[test]
fn items_are_added() {
    let folder = with_stream("x = i4[3]\n", r#"{"x": [1, 2, 3]}"#, true);
    folder.write("more.dud", "g/\n  N : i4  ## zones\n  u = f8[N]  ## (cm/us) speed\n");
    folder.write("u.json", r#"{"g": {"u": [0.5, 1.5]}}"#);
    folder.done(&[
        "append",
        "a.bd",
        "--fragment",
        "more.dud",
        "--data",
        "u.json",
        "--param",
        "/g/N=2",
    ]);
    assert_eq!(get(&folder, "/g/u"), "[0.5, 1.5]");
    assert_eq!(folder.done(&["detach", "a.bd"]).lines().count(), 4);
    folder.write("v.json", r#"{"v": 7}"#);
    folder.done(&["append", "a.bd", "--text", "v = i2", "--data", "v.json"]);
    assert_eq!(get(&folder, "/v"), "7");
    let before = folder.bytes("a.bd");
    let (status, said) =
        folder.refused(&["append", "a.bd", "--text", "w = i2 @20", "--data", "v.json"]);
    assert_eq!(
        (status, said.contains("there is nothing in the layout for `/v`")),
        (1, true),
        "{said}"
    );
    folder.write("w.json", r#"{"w": 7}"#);
    let (status, said) =
        folder.refused(&["append", "a.bd", "--text", "w = i2 @20", "--data", "w.json"]);
    assert_eq!((status, said.contains("inside the data that is there")), (1, true), "{said}");
    assert_eq!(folder.bytes("a.bd"), before, "nothing was written");
}

#[test]
fn records_are_added() {
    let layout = "NT : i8\nhist = [/ t = f8  r = f4[2]  sub/k = i1]*NT\n";
    let folder = with_stream(layout, r#"{"NT": 0, "hist": []}"#, true);
    folder.write(
        "r.json",
        r#"[{"t": 0.5, "r": [1, 2], "sub": {"k": 3}}, {"t": 1.5, "r": [4, 5], "sub/k": 6}]"#,
    );
    folder.done(&["append", "a.bd", "/hist", "--data", "r.json", "--reserve", "1000"]);
    folder.done(&["append", "a.bd", "/hist", "--data", "r.json"]);
    assert_eq!(get(&folder, "/hist[:]/t"), "[0.5, 1.5, 0.5, 1.5]");
    assert_eq!(get(&folder, "/hist[:]/sub/k"), "[3, 6, 3, 6]");
    let before = folder.bytes("a.bd");
    folder.write(
        "r.json",
        r#"[{"t": 0.5, "r": [1, 2], "sub": {"k": 3}}, {"t": 0.5, "r": [1], "sub": {"k": 3}}]"#,
    );
    let (status, said) = folder.refused(&["append", "a.bd", "/hist", "--data", "r.json"]);
    assert_eq!((status, said.contains("`/hist/r`")), (1, true), "{said}");
    assert_eq!(get(&folder, "/:NT"), "4");
    assert_eq!(folder.bytes("a.bd").len(), before.len());
    let (status, said) = folder.refused(&["append", "a.bd", "/:NT", "--data", "r.json"]);
    assert_eq!((status, said.contains("no list and no array")), (1, true), "{said}");
}

#[test]
fn a_layout_apart_is_printed() {
    let folder = with_stream("x = i4\n", r#"{"x": 1}"#, false);
    folder.write("y.json", r#"{"y": 2}"#);
    let words = ["append", "a.bd", "--text", "y = i4", "--data", "y.json", "--layout", "a.dud"];
    let longer = folder.done(&words);
    folder.write("b.dud", &longer);
    assert_eq!(folder.done(&["get", "a.bd", "/y", "--layout", "b.dud"]).trim(), "2");
    let (status, said) = folder.refused(&words);
    assert_eq!((status, said.contains("4 bytes from address 20 on")), (1, true), "{said}");
    folder.done(&[&words[..], &["--discard"]].concat());
}

#[test]
fn two_writers_and_wrong_words() {
    let folder = with_stream("x = i4\n", r#"{"x": 1}"#, true);
    let held = Append::open(folder.path("a.bd")).expect("it opens");
    let (status, said) = folder.refused(&["append", "a.bd", "--text", "y = i4"]);
    assert_eq!((status, said.contains("is being written by")), (3, true), "{said}");
    drop(held);
    let (status, said) = folder.refused(&["append", "a.bd"]);
    assert_eq!(
        (status, said.contains("by --text or --fragment, or the PATH")),
        (2, true),
        "{said}"
    );
    let (status, said) = folder.refused(&["append", "-", "--text", "y = i4"]);
    assert_eq!((status, said.contains("`dudc append` needs a file")), (2, true), "{said}");
    assert_eq!(folder.refused(&["append", "a.bd", "/x", "--text", "y = i4"]).0, 2);
    assert_eq!(folder.refused(&["append", "none.bd", "--text", "y = i4"]).0, 3);
    let (status, said) = folder.refused(&["append", "a.bd", "--text", "y = i5"]);
    assert_eq!((status, said.contains("i5")), (1, true), "{said}");
}

#[test]
fn what_is_not_given_is_named() {
    let folder = with_stream("x = i4[3]\n", r#"{"x": [1, 2, 3]}"#, true);
    folder.write("u.json", r#"{"u": [1, 2]}"#);
    let words = ["append", "a.bd", "--text", "M3 : i8  u = f8[M3]", "--data", "u.json"];
    let (status, said) = folder.refused(&words);
    assert_eq!((status, said.trim()), (1, "error: a.bd: nothing was given for `/M3`"));
    // The same with zeros behind the data, which are no value of the param.
    folder.done(&["append", "a.bd", "--reserve", "100"]);
    assert_eq!(folder.refused(&words), (1, said));
    folder.done(&[&words[..], &["--param", "M3=2"]].concat());
    assert_eq!(get(&folder, "/u"), "[1.0, 2.0]");
}

#[test]
fn what_does_not_stand_last_says_so() {
    let layout = "NT : i8\nhist = [/ t = f8]*NT\nafter = i4\n";
    let folder = with_stream(layout, r#"{"NT": 0, "hist": [], "after": 1}"#, true);
    folder.write("r.json", r#"[{"t": 0.5}]"#);
    let (status, said) = folder.refused(&["append", "a.bd", "/hist", "--data", "r.json"]);
    assert_eq!((status, said.contains("`/after` would change")), (1, true), "{said}");
    assert!(said.contains("only what stands last in a stream can grow"), "{said}");
    let help = folder.done(&["append", "--help"]);
    let help: Vec<&str> = help.split_whitespace().collect();
    assert!(help.join(" ").contains("only the last item of the stream can grow"));
}

#[test]
fn an_index_that_is_dropped_is_told_or_made_anew() {
    let folder = with_stream("NT : i8\nx = f8[NT]\n", r#"{"NT": 1, "x": [1]}"#, true);
    folder.write("r.json", "[2.5]");
    let append = ["append", "a.bd", "/x", "--data", "r.json"];
    folder.done(&["index", "--checksum", "a.bd"]);
    let (status, said) = folder.refused(&append);
    assert_eq!(
        (status, said.contains("the index with its checksums is gone")),
        (0, true),
        "{said}"
    );
    assert_eq!(folder.refused(&["index", "--check", "a.bd"]).0, 1);
    folder.done(&["index", "--checksum", "a.bd"]);
    assert_eq!(folder.refused(&[&append[..], &["--index"]].concat()), (0, String::new()));
    assert!(folder.done(&["index", "--check", "a.bd"]).contains("checksum"));
    // It is of the layout, which stays.
    folder.done(&["index", "a.bd"]);
    assert_eq!(folder.refused(&append), (0, String::new()));
    folder.done(&["index", "--check", "a.bd"]);
}

#[test]
fn what_is_left_is_salvaged() {
    let folder = with_stream("x = i4[5]\nname = S1[8]\n", r#"{"x": [1, 2, 3, 4, 5], "name": "text = it"}"#.replace("text = it", "u = i4\\n-").as_str(), true);
    let intact = folder.bytes("a.bd");
    assert!(folder.done(&["salvage", "a.bd"]).contains("where the signature says"));
    let json: serde_json::Value =
        serde_json::from_str(&folder.done(&["salvage", "a.bd", "--format", "json"])).expect("JSON");
    assert_eq!(
        (&json["version"], &json["intact"], &json["layout"]["address"], &json["data"]["bytes"]),
        (&1.into(), &true.into(), &44.into(), &28.into()),
        "{json}"
    );
    // The address of the layout is wrong.
    for wrong in [7_u64, 1 << 40, 30, 50] {
        let mut bytes = intact.clone();
        bytes[8..16].copy_from_slice(&wrong.to_le_bytes());
        folder.write("b.bd", &bytes);
        assert_eq!(folder.run(&["get", "b.bd", "/x"]).status, 1, "{wrong}");
        let said = folder.done(&["salvage", "b.bd", "-o", "c.bd", "--force"]);
        assert!(said.contains("by looking for it"), "{said}");
        assert_eq!(folder.bytes("c.bd"), intact, "{wrong}");
    }
    // A part of the layout may be a layout too, but not of this data.
    let cut = intact.windows(4).position(|part| part == b"name").expect("the second line");
    folder.write("d.bd", &intact[..cut]);
    assert_eq!(folder.refused(&["salvage", "d.bd"]).0, 1);
    // Nothing is left to be found.
    folder.write("d.bd", &intact[..40]);
    let (status, said) = folder.refused(&["salvage", "d.bd"]);
    assert_eq!((status, said.contains("no layout was found")), (1, true), "{said}");
    assert_eq!(folder.refused(&["salvage", "a.dud"]).0, 1);
}

/// Where records differ in size a new one is found only behind all others.
#[test]
fn records_that_differ_in_size_are_refused_with_the_reason() {
    let folder = with_stream(
        "NT : i4\nw = {n : i4  x = f8[n]}[NT]\n",
        r#"{"NT": 1, "w": [{"n": 1, "x": [1]}]}"#,
        true,
    );
    folder.write("r.json", r#"[{"n": 2, "x": [1, 2]}]"#);
    let before = folder.bytes("a.bd");
    let said = folder.run(&["append", "a.bd", "/w", "--data", "r.json"]);
    assert_eq!(said.status, 1);
    let text = said.err;
    assert!(text.contains("`/w`: its structs differ in size"), "{text}");
    assert!(folder.bytes("a.bd") == before);
}

#[test]
fn records_are_taken_as_dump_prints_them() {
    let values = r#"{"N": 1, "l": [[1, 2]]}"#;
    let folder = with_stream("N : i8\nl = [[f8]*2]*N\n", values, true);
    folder.write("more.json", "[[5, 6], [7, 8]]");
    folder.done(&["append", "a.bd", "l", "--data", "more.json"]);
    assert_eq!(get(&folder, "/l[:, 1]"), "[2.0, 6.0, 8.0]");
    folder.write("bad.json", "[[5]]");
    let (status, said) = folder.refused(&["append", "a.bd", "l", "--data", "bad.json"]);
    assert!(status == 1 && said.contains("nothing was given for `/l/1`"), "{said}");

    let folder = with_stream("N : i8\nl = [f8, i1]*N\n", r#"{"N": 1, "l": [1, 2]}"#, true);
    for more in ["[3, 4, 5, 6]", "[[7, 8]]", r#"[{"0": 9, "1": 10}]"#] {
        folder.write("more.json", more);
        folder.done(&["append", "a.bd", "/l", "--data", "more.json"]);
    }
    let all = folder.done(&["dump", "a.bd", "--nested"]);
    assert!(all.contains("[1.0, 2, 3.0, 4, 5.0, 6, 7.0, 8, 9.0, 10]"), "{all}");
    folder.write("more.json", "[3, 4, 5]");
    let (status, said) = folder.refused(&["append", "a.bd", "/l", "--data", "more.json"]);
    assert!(status == 1 && said.contains("3 values are no whole records"), "{said}");
}

#[test]
fn fields_of_an_array_of_numpy_are_the_parts_of_records() {
    let layout = "NT : i8\nhist = [/ t = f8  r = f4[3]  g/ n = i2  s = S1[2] /]*NT\n";
    let folder = with_stream(layout, r#"{"NT": 0, "hist": []}"#, true);
    let descr = "[('g', [('s', '|S2'), ('n', '>i2')]), ('r', '<f4', (3,)), ('t', '<f8')]";
    let mut records = Vec::new();
    for at in 0..3_i16 {
        records.extend(b"ab");
        records.extend(at.to_be_bytes());
        (0..3).for_each(|part| records.extend(f32::from(at * 10 + part).to_le_bytes()));
        records.extend((f64::from(at) / 2.0).to_le_bytes());
    }
    folder.write("hist.npy", npy(descr, "(3,)", &records));
    folder.done(&["append", "a.bd", "/hist", "--data", "hist.npy"]);
    assert_eq!(get(&folder, "/hist[:]/t"), "[0.0, 0.5, 1.0]");
    assert_eq!(get(&folder, "/hist[1]/r"), "[10.0, 11.0, 12.0]");
    assert_eq!(get(&folder, "/hist[:]/g/n"), "[0, 1, 2]");
    assert_eq!(get(&folder, "/hist[2]/g/s"), "\"ab\"");
    let descr = "[('r', '<f4', (3,)), ('u', '<f8')]";
    folder.write("hist.npy", npy(descr, "(1,)", &[0; 20]));
    let (status, said) = folder.refused(&["append", "a.bd", "/hist", "--data", "hist.npy"]);
    assert!(status == 1 && said.contains("`/hist/u`") && said.contains("`/hist/t`"), "{said}");
}

/// A `.npy` file.
fn npy(descr: &str, shape: &str, elements: &[u8]) -> Vec<u8> {
    let dict = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((dict.len() as u16).to_le_bytes());
    file.extend(dict.as_bytes());
    file.extend(elements);
    file
}

#[test]
fn files_of_numpy_that_are_none_are_told_in_one_sentence() {
    let folder = with_stream("N : i8\nl = [f8]*N\n", r#"{"N": 0, "l": []}"#, true);
    folder.write("short.npy", npy("'<f8'", "(20,)", &[0; 91]));
    folder.write("empty.npy", "");
    for (file, expected) in [
        ("short.npy", "its header asks for 160 bytes of elements, and it has 91"),
        ("empty.npy", "it is empty"),
    ] {
        let (status, said) = folder.refused(&["append", "a.bd", "l", "--data", file]);
        let name = file.trim_end_matches(".npy");
        let start = format!(
            "error: {file}: `{name}`: expected a .npy file, found one that cannot be read: "
        );
        assert_eq!((status, said), (1, format!("{start}{expected}\n")));
    }
    let (status, said) = folder.refused(&["get", "empty.npy", "/x"]);
    assert!(status != 0 && said.contains("`empty.npy` is empty: there is neither"), "{said}");
}

#[test]
fn new_items_of_a_list_are_given_alone() {
    let values = r#"{"N": 1, "l": [{"t": 1, "M": 1, "v": [3]}]}"#;
    let folder = with_stream("N : i8\nl = [/ t = f8  M : i4  v = f8[M]]*N\n", values, true);
    for (at, data) in [
        r#"{"l": [{"t": 5, "M": 2, "v": [6, 7]}]}"#,
        r#"{"l": [{":M": 1, "t": 6, "v": [8]}]}"#,
        r#"{"version": 1, "params": [{"path": "/l/3/:M", "value": 0}],
            "items": [{"path": "/l/3/t", "value": 7}]}"#,
    ]
    .into_iter()
    .enumerate()
    {
        folder.write("more.json", data);
        folder.done(&["append", "a.bd", "--text", "l[1]", "--data", "more.json"]);
        assert_eq!(get(&folder, &format!("/l/{}/t", at + 1)), format!("{}.0", at + 5));
    }
    assert_eq!(get(&folder, "/l/1/v"), "[6.0, 7.0]");
    assert_eq!(get(&folder, "/l/2/v"), "[8.0]");
    folder.write("more.json", r#"{"l": [{"t": 1, "M": 0}, {"t": 2, "M": 0}]}"#);
    let (status, said) =
        folder.refused(&["append", "a.bd", "--text", "l[1]", "--data", "more.json"]);
    assert!(status == 1 && said.contains("`/l/5"), "{said}");
}

#[test]
fn params_that_are_not_there_are_named() {
    let folder = with_stream("x = i4\n", r#"{"x": 1}"#, true);
    folder.write("u.json", r#"{"u": [1, 2]}"#);
    let words = ["append", "a.bd", "--text", "N : i4  u = i2[N]", "--data", "u.json", "--param"];
    let (status, said) = folder.refused(&[&words[..], &["N=2", "--param", "NN=7"]].concat());
    assert!(status == 1 && said.contains("no param `NN` to give"), "{said}");
    folder.done(&[&words[..], &["N=2"]].concat());
    assert_eq!(get(&folder, "/u"), "[1, 2]");
}

#[test]
fn no_reserve_is_none() {
    let folder = with_stream("NT : i8\nx = i4[NT]\n", r#"{"NT": 0, "x": []}"#, true);
    folder.write("more.json", "[1, 2, 3]");
    let layout_at = || {
        let bytes = folder.bytes("a.bd");
        u64::from_le_bytes(bytes[8..16].try_into().expect("8 bytes"))
    };
    let end = |count: u64| 24 + 4 * count;
    folder.done(&["append", "a.bd", "/x", "--data", "more.json", "--reserve", "0"]);
    assert_eq!(layout_at(), end(3));
    folder.done(&["append", "a.bd", "/x", "--data", "more.json"]);
    assert!(layout_at() >= end(6) + 4000);
    folder.done(&["append", "a.bd", "/x", "--data", "more.json", "--reserve", "5000"]);
    assert!((end(9) + 5000..end(9) + 5100).contains(&layout_at()), "{}", layout_at());
    folder.done(&["append", "a.bd", "--reserve", "0"]);
    assert_eq!(layout_at(), end(9));
    assert_eq!(get(&folder, "/x"), "[1, 2, 3, 1, 2, 3, 1, 2, 3]");
    assert!(folder.done(&["verify", "a.bd"]).ends_with("0 errors, 0 warnings\n"));
}

/// What replaces a file asks those who write to it first.
#[test]
fn what_is_being_extended_is_not_replaced() {
    let folder = with_stream("NT : i8  hist = [/ t = f8]*NT", r#"{"NT": 0, "hist": []}"#, true);
    folder.write("one.json", r#"[{"t": 0.5}]"#);
    let append = Append::open(folder.path("a.bd")).expect("nobody writes it");
    for words in [
        &["detach", "--remove", "a.bd"][..],
        &["attach", "--force", "a.bd", "a.dud"],
        &["pack", "a.dud", "-o", "a.bd", "--data", "a.json", "--force"],
        &["append", "a.bd", "/hist", "--data", "one.json"],
        &["index", "a.bd"],
    ] {
        let (status, error) = folder.refused(words);
        assert_eq!(status, 3, "{words:?}: {error}");
        assert!(error.contains("is being written by process"), "{words:?}: {error}");
    }
    drop(append);
    folder.done(&["detach", "--remove", "a.bd"]);
    assert_eq!(std::fs::read_dir(folder.path("")).expect("a folder").count(), 4);
}

#[test]
fn other_members_of_a_file_are_not_discarded_unasked() {
    let values = r#"{"NT": 1, "hist": [{"t": 0.5}]}"#;
    let folder = with_stream("NT : i8  hist = [/ t = f8]*NT", values, true);
    folder.write("one.json", r#"[{"t": 0.5}]"#);
    let mut one = folder.bytes("a.bd");
    one.resize(one.len().next_multiple_of(16), 0);
    let three = [&one[..], &one, &one].concat();
    for (words, needs) in [
        (&["append", "a.bd", "/hist", "--data", "one.json"][..], 1),
        (&["append", "a.bd", "--reserve", "100"], 1),
        (&["detach", "--remove", "a.bd"], 1),
        (&["attach", "--force", "a.bd", "a.dud"], 1),
    ] {
        folder.write("a.bd", &three);
        let (status, error) = folder.refused(words);
        assert_eq!(status, needs, "{words:?}: {error}");
        assert!(error.contains("discard"), "{words:?}: {error}");
        assert_eq!(folder.bytes("a.bd"), three, "{words:?}");
        folder.done(&[words, &["--discard"]].concat());
        assert!(folder.bytes("a.bd").len() < 2 * one.len() + 4096, "{words:?}");
        let layout: &[&str] = if words[0] == "detach" { &["--layout", "a.dud"] } else { &[] };
        folder.done(&[&["get", "a.bd", "/hist[0]/t"], layout].concat());
    }
}

#[test]
fn other_members_are_not_discarded_behind_a_layout_that_cannot_be_read() {
    let folder =
        with_stream("NT : i8  hist = [/ t = f8]*NT", r#"{"NT": 1, "hist": [{"t": 0.5}]}"#, true);
    let mut one = folder.bytes("a.bd");
    one.resize(one.len().next_multiple_of(16), 0);
    let layout = one.windows(2).position(|some| some == b"NT").expect("a layout");
    let mut two = [&one[..], &one].concat();
    two[layout] = 0xff;
    folder.write("a.bd", &two);
    let (status, error) = folder.refused(&["attach", "--force", "a.bd", "a.dud"]);
    let wanted = format!("another native stream begins at address {}, behind", one.len());
    assert!(status == 1 && error.contains(&wanted), "{error}");
    assert_eq!(folder.bytes("a.bd"), two);
    folder.done(&["attach", "--force", "--discard", "a.bd", "a.dud"]);
    assert_eq!(get(&folder, "/hist[0]/t"), "0.5");
}

/// Its checksums would be found by any code that looks at what is left of it, and be wrong.
#[test]
fn an_index_that_was_not_completed_goes_with_the_first_change() {
    let folder = with_stream("NT : i8  hist = [/ t = f8]*NT", r#"{"NT": 0, "hist": []}"#, true);
    folder.write("one.json", r#"[{"t": 0.5}]"#);
    folder.done(&["append", "a.bd", "/hist", "--data", "one.json"]);
    folder.done(&["index", "--checksum", "a.bd"]);
    let mut bytes = folder.bytes("a.bd");
    let footer = bytes.len() - 40;
    bytes[footer..].fill(0);
    folder.write("a.bd", bytes);
    folder.done(&["append", "a.bd", "/hist", "--data", "one.json"]);
    assert!(folder.done(&["verify", "a.bd"]).contains("0 errors, 0 warnings"));
    folder.done(&["index", "--checksum", "a.bd"]);
}

#[test]
fn records_are_cut_off() {
    let layout = "NT : i8\nhist = [/ t = f8  n = i4]*NT\n";
    let values = r#"{"NT": 3, "hist": [{"t": 1, "n": 1}, {"t": 2, "n": 2}, {"t": 3, "n": 3}]}"#;
    let folder = with_stream(layout, values, true);
    folder.done(&["append", "a.bd", "--truncate", "/hist=2"]);
    assert_eq!(get(&folder, "/hist[:]/n"), "[1, 2]");
    folder.write("more.json", r#"[{"t": 7, "n": 7}]"#);
    folder.done(&["append", "a.bd", "--truncate", "hist=1", "/hist", "--data", "more.json"]);
    assert_eq!(get(&folder, "/hist[:]/n"), "[1, 7]");
    let before = folder.bytes("a.bd");
    for (argument, status, said) in [
        ("/hist=3", 1, "a.bd: `/hist`: expected at most the 2 records that are there, found 3"),
        ("/hist", 2, "expected PATH=N"),
        ("/hist=-1", 2, "no number of records"),
        ("/none=1", 1, "`/none`"),
        ("/NT=1", 1, "`/:NT`"),
    ] {
        let (found, message) = folder.refused(&["append", "a.bd", "--truncate", argument]);
        assert_eq!((found, message.contains(said)), (status, true), "{argument}: {message}");
    }
    assert_eq!(folder.bytes("a.bd"), before, "nothing was written");
    folder.done(&["append", "a.bd", "--truncate", "/hist=0", "--reserve", "0"]);
    folder.done("verify a.bd");
}
