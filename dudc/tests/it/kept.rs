//! Is what is written what was read: names of params, cells without a character, constants, places?

use crate::kit::Folder;

#[test]
fn params_keep_their_names() {
    let folder = Folder::empty();
    folder.write("q.dud", b"\"n x\" : i4\nd/ \"m-1\" : i8\n \"a/b\" : u1\n \":c\" : u1\n y = f4[\"n x\"]\n/ z = f4[\"n x\"]\n");
    let json = br#"{":\"n x\"": 2, "d": {":\"m-1\"": 5, ":\"a/b\"": 3, ":\":c\"": 4, "y": [1, 2]}, "z": [3, 4]}"#;
    folder.write("q.json", json);
    folder.done("pack q.dud -o q.bd --data q.json --attach");
    for to in ["q.npz", "q.asdf", "q.finf", "folder"] {
        folder.done(&format!("convert q.bd {to}"));
        folder.done(&format!("convert {to} back.bd --force"));
        assert_eq!(folder.done("diff q.bd back.bd"), "", "{to}");
        folder.done(&format!("convert {to} back.bd --layout q.dud --force"));
        assert_eq!(folder.done("diff q.bd back.bd"), "", "{to}");
        if !folder.path(to).is_dir() && to != "q.npz" {
            assert_eq!(folder.done(&format!("diff q.bd {to}")), "", "{to}");
        }
    }
    for file in [":n x.npy", "d/:m-1.npy", "d/:a%2Fb.npy", "d/:%3Ac.npy"] {
        assert!(folder.path("folder").join(file).exists(), "{file}");
    }
}

#[test]
fn params_of_one_name_come_back_through_their_layout() {
    let folder = Folder::empty();
    folder.write("p.dud", b"N : u1\nN : u2\nx = u1[N]\n");
    folder.write("p.raw", b"\x03\0\x02\0ab");
    folder.done("convert p.raw p.npz --layout p.dud --raw");
    folder.done("convert p.npz p.bd --layout p.dud");
    assert_eq!(folder.done("dump p.bd"), "/N : 3\n/N#2 : 2\n/x = |u1[2]\n[97, 98]\n");
}

#[test]
fn no_row_is_lost_to_who_reads_csv() {
    let folder = Folder::empty();
    folder.write(
        "x.dud",
        b"s = S1[3, 2]\none = S1[2]\nt = i8[2] %1  #: numpy = \"M8[s]\"\nw = S1[2, 2, 1]\n",
    );
    let mut bytes = b"ab\0\0c\0\0\0".to_vec();
    bytes.extend(i64::MIN.to_le_bytes());
    bytes.extend(7_i64.to_le_bytes());
    bytes.extend(b"\0x\0\0");
    folder.write("x.raw", &bytes);
    // As Python's csv writes these rows.
    for (path, wanted) in [
        ("/s", "ab,,c\n"),
        ("/s[1:2]", "\"\"\n"),
        ("/s[:2]", "ab,\n"),
        ("/one", "\"\"\n"),
        ("/t", ",7\n"),
        ("/t[:1]", "\"\"\n"),
        ("/w[:,:1]", "\"\"\n\"\"\n"),
        ("/w", ",x\n,\n"),
    ] {
        folder.done(&format!("get x.raw {path} --layout x.dud --raw -o x.csv --force"));
        let written = std::fs::read(folder.path("x.csv")).expect("a file");
        assert_eq!(String::from_utf8(written).expect("text"), wanted, "{path}");
    }
    folder.write("r.dud", b"r = {s = S1[2]}[3]\n");
    folder.write("r.raw", b"a\0\0\0b\0");
    folder.done("get r.raw /r --layout r.dud --raw -o x.csv --force");
    assert_eq!(std::fs::read(folder.path("x.csv")).expect("a file"), b"s\na\n\"\"\nb\n");
}

#[test]
fn records_may_have_their_constants() {
    let folder = Folder::empty();
    folder.write("h.dud", b"NT : i8\nh = [/ t = f8  tag = u1  #: const = 7\n m = S1[2]  #: const = \"hi\"\n r = f4[2]]*NT\n");
    folder.write("h.json", br#"{":NT": 1, "h": [{"t": 1, "r": [2, 3]}]}"#);
    folder.done("pack h.dud -o h.bd --data h.json --attach");
    let again = folder.done("dump h.bd /h --nested");
    folder.write("again.json", again.as_bytes());
    folder.done("append h.bd /h --data again.json");
    folder.write(
        "some.json",
        br#"[{"t": 1, "tag": null, "r": [2, 3]}, {"t": 1, "m": "hi", "r": [2, 3]}]"#,
    );
    folder.done("append h.bd /h --data some.json");
    folder.write("other.json", br#"[{"t": 1, "tag": 8, "r": [2, 3]}]"#);
    let said = folder.fails("append h.bd /h --data other.json", 1);
    assert!(said.contains("`/h/tag`: expected 7, which the layout states, found 8"), "{said}");
    folder.write("stray.json", br#"[{"t": 1, "tg": 7, "r": [2, 3]}]"#);
    assert!(folder.fails("append h.bd /h --data stray.json", 1).contains("/h/tg"));
    for at in 0..4 {
        assert_eq!(folder.done(&format!("get h.bd /h/{at}/tag")).trim(), "7");
        assert_eq!(folder.done(&format!("get h.bd /h/{at}/m")).trim(), "|S1[2]\n\"hi\"");
        assert_eq!(folder.done(&format!("get h.bd /h/{at}/t")).trim(), "1.0");
    }
    assert!(folder.done("verify h.bd").contains("0 errors"));
}

#[test]
fn nothing_is_located_in_a_file_that_changed() {
    let folder = Folder::empty();
    folder.write("t.dud", b"N : i8\na = f8[N]\nb = i4[4]\n");
    for (name, json) in [
        ("f1.bd", r#"{":N": 1, "a": [1], "b": [1, 2, 3, 4]}"#),
        ("f2.bd", r#"{":N": 2, "a": [1, 2], "b": [1, 2, 3, 4]}"#),
    ] {
        folder.write("v.json", json.as_bytes());
        folder.done(&format!("pack t.dud -o {name} --data v.json --attach"));
    }
    folder.done("family build all.bd f1.bd f2.bd");
    assert!(folder.done("family locate all.bd /b").contains("f2.bd"));
    folder.write("v.json", br#"{":N": 3, "a": [1, 2, 3], "b": [1, 2, 3, 4]}"#);
    folder.done("pack t.dud -o f2.bd --data v.json --attach --force");
    for words in [
        "family locate all.bd /b 1",
        "family locate all.bd /b",
        "family locate all.bd /b --format json",
    ] {
        let said = folder.fails(words, 1);
        assert!(said.contains("f2.bd: it changed since the catalog was made"), "{said}");
    }
    assert!(folder.done("family locate all.bd /b 0").contains("f1.bd"));
    std::fs::remove_file(folder.path("f2.bd")).expect("it is there");
    assert!(folder.done("family locate all.bd /b 1").contains("f2.bd"));
}

#[test]
fn arrays_of_other_formats_are_written_through_a_layout() {
    let folder = Folder::empty();
    folder.write("u.dud", b"> x = f8[3]\ny = i2\n");
    folder.write("v.dud", b"> data = f4[3]\n");
    folder.write("v.json", br#"{"x": [1, 2, 3], "y": -5}"#);
    folder.done("pack u.dud -o u.bd --data v.json --attach");
    let wanted = folder.done("dump u.bd");
    for from in ["b.asdf", "b.finf", "b.npz"] {
        folder.done(&format!("convert u.bd {from}"));
        folder.done(&format!("convert {from} o.bd --layout u.dud --order big --force"));
        assert_eq!(folder.done("dump o.bd"), wanted, "{from}");
        folder.done("convert o.bd o.npz --force");
        folder.done("convert o.npz back.bd --layout u.dud --order big --force");
        assert_eq!(folder.done("dump back.bd"), wanted, "{from}");
    }
    folder.done("convert u.bd x.b2nd /x");
    let said = folder.fails("convert x.b2nd o.bd --layout u.dud --force", 1);
    assert!(said.contains("`/data`"), "{said}");
    folder.write("w.dud", b"> data = f8[3]\n");
    folder.done("convert x.b2nd o.bd --layout w.dud --order big --force");
    assert!(folder.done("get o.bd /data").ends_with("[1.0, 2.0, 3.0]\n"));
    // Another type or other names are errors, and no bytes of the container.
    for from in ["b.asdf", "b.finf"] {
        let said = folder.fails(&format!("convert {from} o.bd --layout v.dud --force"), 1);
        assert!(said.contains("`/x`"), "{said}");
    }
}

#[test]
fn a_file_of_another_format_is_not_read_as_its_bytes_without_a_word() {
    let folder = Folder::empty();
    folder.write("u.dud", b"x = f8\ny = i2\n");
    folder.write("b.json", br#"{"x": 1, "y": 2}"#);
    folder.done("pack u.dud -o u.bd --data b.json --attach");
    folder.done("convert u.bd b.asdf");
    folder.done("convert u.bd b.npz");
    folder.write("a.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\0");
    let native = folder.bytes("u.bd");
    folder.write("four.bd", [b"wxyz", &native[4..]].concat());
    folder.write("behind.bd", [b"zz", &native[..]].concat());
    folder.write("cut.bd", &native[1..]);
    folder.write("sound.raw", &native[16..]);
    for (file, what) in [
        ("b.asdf", "is an ASDF file"),
        ("b.npz", "is a zip archive"),
        ("a.png", "is a PNG image"),
        ("four.bd", "is a native stream whose signature is damaged"),
        ("behind.bd", "is a native stream whose signature is damaged"),
        ("cut.bd", "is a native stream whose signature is damaged"),
    ] {
        for words in [
            "get FILE /y --layout u.dud",
            "stat FILE --layout u.dud",
            "dump FILE /y --layout u.dud",
        ] {
            let words = words.replace("FILE", file);
            let said = folder.run(&words).err;
            assert!(
                said.contains(what) && said.contains("--raw says that this is meant"),
                "{words}: {said}"
            );
            assert_eq!(said.matches("warning").count(), 1, "{words}: {said}");
            assert_eq!(folder.run(&(words + " --raw")).err, "");
        }
        let said = folder.run(&format!("family build all.bd {file} --layout u.dud --force")).err;
        assert!(said.contains(what), "{said}");
    }
    for file in ["u.bd", "sound.raw"] {
        assert_eq!(folder.run(&format!("get {file} /y --layout u.dud")).err, "");
    }
    let said = folder.fails("get u.bd /x --raw", 1);
    assert!(
        said.contains("with --raw its layout is not looked for, and --layout must give one"),
        "{said}"
    );
}

/// U+FFFD stands for units that are no characters, and no array for a dict without items.
#[test]
fn what_is_replaced_or_left_out_is_said() {
    let folder = Folder::with::<[u8]>(&[
        ("x.dud", b"t = U1[2, 2]\nu = >U2[1]\nfine = U1[3]\ng/\n..\n"),
        ("x.bin", b"\xffaok\xd8\x00\xef\xbf\xbd"),
    ]);
    let raw = "--raw --layout x.dud --force";
    for output in ["x.npz", "x.asdf"] {
        let said = folder.says(&format!("convert x.bin {output} {raw}"));
        assert!(said.contains("`/t`: 1 text has U+FFFD"), "{output}: {said}");
        assert!(said.contains("`/u`: 1 text has U+FFFD"), "{output}: {said}");
    }
    let said = folder.says(&format!("convert x.bin x.npz {raw}"));
    assert!(said.contains("`/g` is a dict without items"), "{said}");
    let said = folder.says(&format!("get x.bin /t -o t.npy {raw}"));
    assert!(said.contains("`/t`: 1 text has U+FFFD"), "{said}");
}
