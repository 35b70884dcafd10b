//! `dudc convert`: there and back, and what it refuses.

use crate::kit::Folder;

/// What a command says that ends with a status, and leaves no file.
#[track_caller]
fn fails(folder: &Folder, words: &str, status: i32) -> String {
    let said = folder.fails(words, status);
    assert!(!folder.path("o.bd").exists() && !folder.path("o.npz").exists(), "{words} left a file");
    said
}

/// A `.npy` file.
fn npy(descr: &str, shape: &str, bytes: &[u8]) -> Vec<u8> {
    let dict = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}\n");
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((dict.len() as u16).to_le_bytes());
    file.extend(dict.as_bytes());
    file.extend(bytes);
    file
}

const LAYOUT: &str = "N : i4
    x = >f8[2, 3]  ## (cm) place
    p = {a = u1  b = >u4[2]  c = {d = <i2}}[2]
    grp/ z = c8  ok = b1[3]  ..
    l [/ n = u1  m [u2, u2]]*2
    packed = f8[100] -> zlib
    \"\" = {s = u1  t = u2}[3]
    v = {k : u1  w = u1[k]}[2]";

/// A stream of all kinds of items.
fn stream(folder: &Folder) {
    folder.write("x.dud", LAYOUT.as_bytes());
    let json = r#"{":N": 5, "x": [[1, 2, 3], [4, 5, 6]],
        "p": [{"a": 1, "b": [2, 3], "c": {"d": -4}}, {"a": 5, "b": [6, 7], "c": {"d": -8}}],
        "grp": {"z": [1.5, -2], "ok": [true, false, true]},
        "l": [{"n": 1, "m": [2, 3]}, {"n": 4, "m": [5, 6]}],
        "packed": VALUES, "s": [1, 2, 3], "t": [4, 5, 6],
        "v": [{"k": 1, "w": [9]}, {"k": 3, "w": [7, 8, 9]}]}"#;
    let values: Vec<f64> = (0..100).map(f64::from).collect();
    folder.write("x.json", json.replace("VALUES", &format!("{values:?}")).as_bytes());
    folder.done("pack x.dud -o x.bd --data x.json --attach");
}

#[test]
fn a_stream_is_written_anew_in_either_order() {
    let folder = Folder::empty();
    stream(&folder);
    folder.done("convert x.bd big.bd --order big");
    assert_eq!(folder.done("diff x.bd big.bd"), "");
    assert!(folder.done("ls big.bd --format json").contains("\"order\": \">\""));
    folder.done("convert big.bd again.bd --order little");
    let read = |name: &str| std::fs::read(folder.path(name)).expect("a file");
    assert!(read("again.bd") == read("x.bd"));
    folder.write("fixed.dud", b"<\nx = u2");
    folder.write("fixed.json", b"{\"x\": 3}");
    folder.done("pack fixed.dud -o fixed.bd --data fixed.json --attach");
    assert!(fails(&folder, "convert fixed.bd o.bd --order big", 1).contains("begins with `<`"));
}

#[test]
fn parts_of_a_stream_are_a_stream_with_a_layout_of_its_own() {
    let folder = Folder::empty();
    stream(&folder);
    folder.done("convert x.bd part.bd /x[1] /grp /:N /l /packed /s");
    for path in ["/grp", "/l", "/packed", "/s"] {
        let other = folder.done(&format!("dump part.bd {path}"));
        assert_eq!(other, folder.done(&format!("dump x.bd {path}")), "{path}");
    }
    assert_eq!(folder.done("get part.bd /x"), folder.done("get x.bd /x[1]"));
    let listed = folder.done("ls part.bd");
    assert!(listed.contains("cm") && listed.contains("/:N") && !listed.contains("/p "), "{listed}");
    assert!(fails(&folder, "convert x.bd o.bd /q", 1).contains("there is nothing named `q`"));
    assert!(fails(&folder, "convert x.bd o.bd /v /x[1]", 1).contains("structs of variable size"));
    folder.done("convert x.bd v.bd /v");
    assert_eq!(folder.done("dump v.bd /v"), folder.done("dump x.bd /v"));
    assert!(fails(&folder, "convert x.bd x.bd /x --force", 2).contains("cannot be the output too"));
}

#[test]
fn arrays_and_back_through_the_layout() {
    let folder = Folder::empty();
    folder.write("x.dud", LAYOUT.replace("v = {k : u1  w = u1[k]}[2]", "").as_bytes());
    stream(&folder);
    folder.write("y.dud", LAYOUT.replace("v = {k : u1  w = u1[k]}[2]", "").as_bytes());
    folder.done("convert x.bd y.npz --layout y.dud");
    folder.done("convert x.bd y --layout y.dud");
    folder.done("convert x.bd small.npz --layout y.dud --compress");
    for input in ["y.npz", "y", "small.npz"] {
        folder.done(&format!("convert {input} y.bd --layout y.dud --force"));
        assert_eq!(folder.done("diff x.bd y.bd --layout y.dud --layout-b y.dud"), "", "{input}");
        folder.done(&format!("convert {input} z.bd --force"));
        // Without the layout, the types are those of the arrays: records stay, lists stay.
        assert_eq!(folder.done("diff x.bd z.bd --layout-b z.bd --layout y.dud"), "", "{input}");
    }
    let mut names: Vec<_> = std::fs::read_dir(folder.path("y"))
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    assert_eq!(names, [":N.npy", "grp", "l", "p.npy", "packed.npy", "s.npy", "t.npy", "x.npy"]);
    assert!(folder.path("y/l/1/m/0.npy").exists());
}

#[test]
fn structs_of_variable_size_are_no_arrays() {
    let folder = Folder::empty();
    stream(&folder);
    assert!(fails(&folder, "convert x.bd o.npz", 1).contains("`/v`: numpy has no array"));
    assert!(fails(&folder, "convert x.bd o", 1).contains("`/v`"));
    assert!(!folder.path("o").exists());
    folder.done("convert x.bd part.npz /grp /l/1 /:N");
    let names = folder.done("convert part.npz part.bd --force");
    assert_eq!(names, "");
    let listed = folder.done("ls part.bd");
    // Half a list is none.
    for path in ["/grp/z ", "/l/\"1\"/n ", "/:N "] {
        assert!(listed.lines().any(|line| line.starts_with(path)), "{listed}");
    }
}

#[test]
fn one_array_is_a_file() {
    let folder = Folder::empty();
    stream(&folder);
    assert!(fails(&folder, "convert x.bd o.npy", 1).contains("arrays: name one"));
    folder.done("convert x.bd x.npy /x[:,1]");
    folder.done("convert x.npy one.bd");
    assert_eq!(folder.done("get one.bd /x"), ">f8[2]\n[2.0, 5.0]\n");
    folder.done("convert one.bd again.npy");
    let read = |name: &str| std::fs::read(folder.path(name)).expect("a file");
    assert!(read("again.npy") == read("x.npy"));
}

#[test]
fn types_of_numpy_have_their_place() {
    let folder = Folder::with(&[
        ("in/t.npy", &npy("'<M8[us]'", "(1,)", &[1, 0, 0, 0, 0, 0, 0, 0])),
        ("in/u.npy", &npy("'>U2'", "()", &[0, 0, 0, 0xe9, 0, 0, 0, 0])),
        (
            "in/s.npy",
            &npy(
                "[('a', '<i2'), ('', '|V1'), ('b', '>f4', (1,))]",
                "(1,)",
                &[1, 0, 9, 0x40, 0, 0, 0],
            ),
        ),
        ("in/g.npy", &npy("[('gap', '|u1'), ('', '|V20')]", "(1,)", &[7; 21])),
        ("in/7.npy", &npy("'|V2'", "(1,)", b"ab")),
        ("in/ö.npy", &npy("'|b1'", "(0,)", b"")),
    ]);
    folder.done("convert in a.bd");
    let text = folder.done("detach a.bd");
    for line in [
        "t = <i8[1]  #: numpy = \"M8[us]\"",
        "u = >U4[2]",
        "s = {a = <i2 @0  b = >f4[1] @3} %1[1]",
        "g = {gap = u1 @0  \"\" = {} @21} %1[1]",
        "\"7\" = u1[1, 2]  #: numpy = \"V2\"",
        "\"ö\" = b1[0]",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}: {text}");
    }
    assert_eq!(folder.done("get a.bd /u"), ">U4[2]\n\"é\"\n");
    assert_eq!(folder.done("get a.bd /s.b"), ">f4[1, 1]\n[[2.0]]\n");
    folder.done("convert in b.bd --order big");
    assert_eq!(folder.done("diff a.bd b.bd"), "");
    assert!(folder.done("detach b.bd").contains("t = i8[1]"));
}

/// Text in structs is text of numpy where it has the units, and is read back; so are times.
#[test]
fn texts_and_times_have_their_types() {
    let folder = Folder::empty();
    let layout = "p = {\n  s = S1[4]  u = U1[3, 2]  w = >U4[2]  h = U2[2]  one = S1[-1]  none = S1[0]\n  \
                  t = i8  #: numpy = \"M8[ns]\"\n  \
                  odd = i4  #: numpy = \"M8[s]\"\n}[2]\n\
                  b = S1[2, 3]  #: numpy = \"S3\"\n\
                  l [i8[2],  #: numpy = \"m8[s]\"\n]*2\n";
    folder.write("t.dud", layout.as_bytes());
    let record = r#"{"s": "a€", "u": ["x", "é", ""], "w": "yz", "h": "ö", "one": "q",
        "none": "", "t": 5, "odd": 6}"#;
    let json = format!(r#"{{"p": [{record}, {record}], "b": ["abc", ""], "l": [[1, 2], [3, 4]]}}"#);
    folder.write("t.json", json.as_bytes());
    folder.done("pack t.dud -o t.bd --data t.json --attach");
    folder.done("convert t.bd t");
    let header = |name: &str| {
        let bytes = std::fs::read(folder.path(name)).expect("a file");
        String::from_utf8_lossy(&bytes[..bytes.len().min(400)]).into_owned()
    };
    for field in [
        "('s', '|S4')",
        "('u', '|S2', (3,))",
        "('w', '>U2')",
        "('h', '<u2', (2,))",
        "('one', '|S1')",
        "('none', '|u1', (0,))",
        "('t', '<M8[ns]')",
        "('odd', '<i4')",
    ] {
        assert!(header("t/p.npy").contains(field), "{field}: {}", header("t/p.npy"));
    }
    assert!(header("t/b.npy").contains("'|S3'"), "{}", header("t/b.npy"));
    assert!(header("t/l/1.npy").contains("'<m8[s]'"), "{}", header("t/l/1.npy"));
    folder.done("get t.bd /l[:] -o l.npy");
    assert!(header("l.npy").contains("'<m8[s]', 'fortran_order': False, 'shape': (2, 2)"));
    folder.done("pack t.dud -o again.bd --data t --attach");
    let read = |name: &str| std::fs::read(folder.path(name)).expect("a file");
    assert!(read("again.bd") == read("t.bd"));
    // With a layout made for the arrays, what they mean is in it.
    folder.done("convert t own.bd");
    folder.done("convert own.bd own");
    for name in ["p", "b", "l/0", "l/1"] {
        let [a, b] = ["t", "own"].map(|of| read(&format!("{of}/{name}.npy")));
        assert!(a == b, "{name}");
    }
}

/// Before version 3 numpy writes names in Latin-1.
#[test]
fn headers_are_in_their_encodings() {
    let folder = Folder::empty();
    let mut file = npy("[('XX', '<i2')]", "()", &[7, 0]);
    let at = file.windows(2).position(|two| two == b"XX").expect("the name");
    file.splice(at..at + 2, [0xe9, b'X']);
    folder.write("in/x.npy", &file);
    folder.done("convert in x.bd");
    assert_eq!(folder.done("get x.bd /x.éX"), "7\n");
    folder.done("convert x.bd out");
    let file = std::fs::read(folder.path("out/x.npy")).expect("a file");
    assert_eq!(file[6..8], [3, 0]);
    folder.done("convert out y.bd");
    assert_eq!(folder.done("diff x.bd y.bd"), "");
}

#[test]
fn what_cannot_be_is_refused() {
    let number = npy("'<i4'", "()", &[5, 0, 0, 0]);
    let folder = Folder::with(&[
        ("clash/a.npy", number.as_slice()),
        ("clash/a/b.npy", &number),
        ("long/x.npy", &npy("'<f16'", "()", &[0; 16])),
        ("param/:N.npy", &npy("'<f4'", "()", &[0; 4])),
        ("object/x.npy", &npy("'|O'", "()", &[0; 4])),
        ("cut.npz", b"PK\x03\x04"),
        ("x.npy", &number),
        ("full/x.txt", b"mine"),
    ]);
    stream(&folder);
    assert!(fails(&folder, "convert clash o.bd", 1).contains("`/a`"));
    assert!(fails(&folder, "convert long o.bd", 1).contains("numpy's `f16`"));
    assert!(fails(&folder, "convert param o.bd", 1).contains("`/N`: a param is one integer"));
    assert!(fails(&folder, "convert object o.bd", 1).contains("Python objects"));
    assert!(fails(&folder, "convert cut.npz o.bd", 1).contains("no directory"));
    assert!(fails(&folder, "convert x.bd full", 3).contains("no empty folder"));
    fails(&folder, "convert x.bd x.npy /x", 3);
    fails(&folder, "convert missing o.bd", 3);
    for words in ["o.xyz", "-", "o.npz --order big", "o.bd --compress"] {
        fails(&folder, &format!("convert x.bd {words}"), 2);
    }
    // A stream that ends early leaves nothing.
    let bytes = std::fs::read(folder.path("x.bd")).expect("a file");
    folder.write("cut.bd", &bytes[..60]);
    fails(&folder, "convert cut.bd o.npz --layout x.dud", 1);
    fails(&folder, "convert cut.bd o.bd --layout x.dud", 1);
}

#[test]
fn names_that_lead_elsewhere_are_spelt_and_come_back() {
    for (name, file) in
        [("..", "%2E%2E"), ("a/b", "a%2Fb"), ("", "%"), ("a\\\\b", "a%5Cb"), (":N", "%3AN")]
    {
        let folder = Folder::with(&[("x", &[1; 8])]);
        folder.write("x.dud", format!("\"{name}\" = u1").as_bytes());
        for out in ["o.npz", "o"] {
            folder.done(&format!("convert x {out} --raw --layout x.dud"));
            folder.done(&format!("convert {out} {out}.bd"));
            assert_eq!(folder.done(&format!("get {out}.bd /\"{name}\" --format json")), {
                folder.done(&format!("get x /\"{name}\" --raw --layout x.dud --format json"))
            });
        }
        assert!(folder.path(&format!("o/{file}.npy")).is_file(), "{name}");
        assert_eq!(folder.names(), ["o", "o.bd", "o.npz", "o.npz.bd", "x", "x.dud"]);
    }
}

#[test]
fn damaged_archives_say_so_and_never_more() {
    let folder = Folder::empty();
    stream(&folder);
    folder.done("convert x.bd y.npz /grp --compress");
    let bytes = std::fs::read(folder.path("y.npz")).expect("a file");
    for at in (0..bytes.len()).step_by(3) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0xff;
        folder.write("d.npz", &damaged);
        let code = folder.run("convert d.npz d.bd --force").status;
        assert!(matches!(code, 0 | 1), "{at}: {code:?}");
        folder.write("d.npz", &bytes[..at]);
        let code = folder.run("convert d.npz d.bd --force").status;
        assert!(matches!(code, 0 | 1), "{at}: {code:?}");
    }
    folder.write("d.npz", &bytes[..bytes.len() - 30]);
    let said = fails(&folder, "convert d.npz e.bd", 1);
    assert!(
        said.contains("`d.npz`: expected an .npz archive, found one that is cut off"),
        "{said}"
    );
}

#[test]
fn a_path_where_the_output_should_be_is_told() {
    let folder = Folder::empty();
    stream(&folder);
    let said = fails(&folder, "convert x.bd /x[0]", 2);
    assert!(said.contains("stands where the output should"), "{said}");
    assert!(said.contains("`dudc get x.bd '/x[0]' -o OUT.npy`"), "{said}");
    // A part has the name of the whole.
    folder.done("convert x.bd part.npz /x[0]");
    folder.done("convert part.npz part.bd");
    assert_eq!(folder.done("get part.bd /x"), folder.done("get x.bd /x[0]"));
    fails(&folder, "convert x.bd o.npz /x[9]", 1);
    folder.done("convert x.bd o.npy /x[0]");
}

#[test]
fn a_changed_byte_of_an_archive_is_found_by_its_crc() {
    let folder = Folder::empty();
    folder.write("x.dud", b"x = f8[5000]");
    let values: Vec<String> = (0..5000).map(|at| format!("{}.5", at % 97)).collect();
    folder.write("x.json", format!("{{\"x\": [{}]}}", values.join(", ")).as_bytes());
    folder.done("pack x.dud -o x.bd --data x.json --attach");
    for words in ["", " --compress"] {
        folder.done(&format!("convert x.bd y.npz{words} --force"));
        let bytes = std::fs::read(folder.path("y.npz")).expect("a file");
        let end = bytes.windows(4).position(|it| it == b"PK\x01\x02").expect("the directory");
        for at in [300, end / 2, end - 100] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 4;
            folder.write("d.npz", &damaged);
            let said = fails(&folder, "convert d.npz d.bd", 1);
            assert!(said.contains("x.npy: "), "{at}: {said}");
            assert!(!words.is_empty() || said.contains("the CRC-32 of its bytes is"), "{said}");
            fails(&folder, "pack x.dud -o d.bd --data d.npz", 1);
        }
        // A size that is not that of the bytes.
        let mut damaged = bytes.clone();
        damaged[end + 24] ^= 8;
        folder.write("d.npz", &damaged);
        let said = fails(&folder, "convert d.npz d.bd", 1);
        assert!(said.contains("x"), "{said}");
        folder.done("convert y.npz y.bd --force");
    }
}

#[test]
fn what_has_no_items_is_said() {
    let folder =
        Folder::with(&[("a.dud", "x = u1  l [u1]*0"), ("a.json", "{\"x\": 1, \"l\": []}")]);
    folder.done("pack a.dud -o a.bd --data a.json --attach");
    for output in ["a.npz", "arrays"] {
        let said = folder.says(&format!("convert a.bd {output}"));
        assert_eq!(said, "warning: `/l` is a list without items: no array stands for it\n");
    }
}

#[test]
fn text_keeps_its_width() {
    let units: Vec<u8> =
        "ab".chars().chain("\0\0\0".chars()).flat_map(|c| u32::from(c).to_le_bytes()).collect();
    let folder = Folder::with(&[("t.npy", &npy("'<U5'", "()", &units))]);
    folder.done("convert t.npy t.bd");
    folder.done("convert t.bd back.npy");
    let back = std::fs::read(folder.path("back.npy")).expect("a file");
    assert!(String::from_utf8_lossy(&back).contains("'<U5'"));
    assert!(back.ends_with(&units));
}

#[test]
fn arrays_of_numpy_become_what_streams_do() {
    let folder = Folder::empty();
    let number = |value| npy("'>i4'", "(1,)", &[0, 0, 0, value]);
    folder.write("in/a.npy", number(5));
    folder.write("in/g/b.npy", number(7));
    folder.done("convert in both.npz");
    folder.done("convert both.npz b.npy /g/b");
    assert!(folder.bytes("b.npy").ends_with(&[0, 0, 0, 7]));
    folder.done("convert both.npz out /g");
    assert!(folder.bytes("out/g/b.npy") == folder.bytes("b.npy"));
    folder.done("convert both.npz some.bd /a --order little --no-attach");
    assert_eq!(folder.bytes("some.bd").last_chunk(), Some(&[5, 0, 0, 0]));
    folder.done("convert both.npz some.asdf /g/b");
    assert!(folder.done("ls some.asdf").contains("/g/b"));
    // What cannot be one array says which ones there are, and how many.
    folder.done("convert some.asdf copy.asdf");
    for input in ["both.npz", "copy.asdf"] {
        for out in ["o.npy", "o.b2nd"] {
            let said = folder.fails(&format!("convert {input} {out} /g/b[:1] /g/b[0]"), 2);
            assert!(said.contains("`/g/b[:1]`, `/g/b[0]` are given: name one"), "{said}");
        }
    }
    assert!(folder.fails("convert both.npz o.npy", 1).contains("there are 2 arrays: name one"));
    folder.write("none.dud", "N : i4\n");
    folder.write("none.bd", [0; 4]);
    let said = folder.fails("convert none.bd o.npy --layout none.dud --raw", 1);
    assert!(said.contains("there is no array"), "{said}");
}
