//! The commands that open streams: what once went wrong.

use crate::kit::Folder;

#[test]
fn a_layout_is_replaced_with_force() {
    let folder = Folder::empty();
    folder.write("a.dud", "x = i4\n");
    folder.write("b.dud", "x = u4  ## other\n");
    folder.write("a.json", r#"{"x": 5}"#);
    let packed = folder.run(&["pack", "a.dud", "-o", "a.bd", "--data", "a.json", "--attach"]);
    assert_eq!(packed.status, 0, "{}", packed.err);
    assert_eq!(folder.run(&["attach", "a.bd", "b.dud"]).status, 3);
    let forced = folder.run(&["attach", "a.bd", "b.dud", "--force"]);
    assert_eq!(forced.status, 0, "{}", forced.err);
    let printed = folder.run(&["detach", "a.bd"]);
    assert_eq!(printed.out, "x = u4  ## other\n");
}

#[test]
fn a_stream_cut_off_is_read_as_far_as_it_goes() {
    let folder = Folder::empty();
    folder.write("a.dud", "x = i4  y = f8[100]\n");
    folder.write("a.json", format!(r#"{{"x": 5, "y": {:?}}}"#, [0.5; 100]));
    folder.run(&["pack", "a.dud", "-o", "a.bd", "--data", "a.json", "--attach"]);
    let whole = folder.bytes("a.bd");
    folder.write("cut.bd", &whole[..100]);
    assert_eq!(folder.run(&["get", "cut.bd", "/x"]).status, 1);
    let got = folder.run(&["get", "cut.bd", "/x", "--layout", "a.dud"]);
    assert_eq!((got.status, got.out.trim()), (0, "5"));
    assert_eq!(folder.run(&["get", "cut.bd", "/y", "--layout", "a.dud"]).status, 1);
}

#[test]
fn structs_are_written_as_numpy_reads_them() {
    let folder = Folder::empty();
    folder.write("q.dud", "q = {a = i1  x = f4  c = i2[3]}[2]\n");
    folder.write("z", [0; 64]);
    let got = folder.run(&["get", "z", "/q", "--layout", "q.dud", "--raw", "-o", "q.npy"]);
    assert_eq!(got.status, 0, "{}", got.err);
    let fields = "[('a', '|i1'), ('', '|V3'), ('x', '<f4'), ('c', '<i2', (3,)), ('', '|V2')]";
    assert!(String::from_utf8_lossy(&folder.bytes("q.npy")).contains(fields));
}

#[test]
fn escapes_in_names_change_nothing_else() {
    let folder = Folder::empty();
    folder.write("e.dud", "\"\\u{3c1}\" = f4\nb = i4\n");
    let listed = folder.run(&["ls", "e.dud"]).out;
    assert!(listed.contains("/b    <i4               20"), "{listed}");
}

#[test]
fn a_file_that_is_no_text_is_not_taken_for_a_layout() {
    let folder = Folder::empty();
    folder.write("noise", [0xff, 0, 1, 2]);
    let got = folder.run(&["get", "noise", "/x"]);
    assert_eq!(got.status, 1);
    assert!(got.err.contains("needs --layout"), "{}", got.err);
}

/// A list repeated less than 0 times is an error for the code that asks for it, whatever the command.
#[test]
fn negative_counts_are_errors_for_all_commands() {
    let folder = Folder::empty();
    folder.write("l.dud", "N : i4\na = f8\nl = [/ x = f8]*N\n");
    folder.write("l.json", r#"{"N": 2, "a": 1, "l": [{"x": 1}, {"x": 2}]}"#);
    let packed = folder.run(&["pack", "l.dud", "-o", "l.bd", "--data", "l.json", "--attach"]);
    assert_eq!(packed.status, 0, "{}", packed.err);
    let mut bytes = folder.bytes("l.bd");
    bytes[16..20].copy_from_slice(&(-3_i32).to_le_bytes());
    folder.write("l.bd", bytes);
    for words in ["dump", "dump --format json", "dump --nested", "ls", "index", "stat", "convert"] {
        let mut words: Vec<_> = words.split(' ').collect();
        words.insert(1, "l.bd");
        words.extend((words[0] == "convert").then_some("l.npz"));
        let said = folder.run(&words);
        let expected = "error: l.bd: `/l`: the param `/N` is -3, read at address 16";
        assert!(said.err.starts_with(expected), "{words:?}: {}", said.err);
        assert_eq!(said.status, 1, "{words:?}");
    }
    for words in [["dump", "l.bd", "/l"], ["ls", "l.bd", "/l"], ["get", "l.bd", "/l[:]/x"]] {
        let said = folder.run(&words);
        assert!(said.err.contains("`/l`: the param `/N` is -3"), "{words:?}");
        assert_eq!(said.status, 1, "{words:?}");
    }
    // The rest is there.
    assert_eq!(folder.run(&["get", "l.bd", "/a"]).out, "1.0\n");
    assert_eq!(folder.run(&["dump", "l.bd", "/a"]).status, 0);
}

/// Slices of lists of dicts are taken wherever a path is.
#[test]
fn slices_of_lists_of_dicts_pick_dicts() {
    let folder = Folder::empty();
    folder.write("h.dud", "x = u1[3]  h [/ t = u1  g/ r = u1[2]]*4");
    folder.write("h", (0..15).collect::<Vec<u8>>());
    let run = |words: &str| {
        let words: Vec<_> = words.split(' ').collect();
        let said = folder.run(&[&words[..], &["--layout", "h.dud", "--raw"]].concat());
        said.out + &said.err
    };
    assert_eq!(
        run("dump h /h[::-2] --nested"),
        "[{\"t\": 12, \"g\": {\"r\": [13, 14]}}, {\"t\": 6, \"g\": {\"r\": [7, 8]}}]\n"
    );
    assert_eq!(run("dump h /h[-1] --nested"), "{\"t\": 12, \"g\": {\"r\": [13, 14]}}\n");
    assert_eq!(run("dump h /h[1:2]/g"), "/h/1/g/r = |u1[2]\n[7, 8]\n");
    assert_eq!(run("dump h /h[1:3]/t"), "/h[1:3]/t = |u1[2]\n[6, 9]\n");
    let listed = run("ls h /h[2:]/g");
    assert_eq!(listed.lines().count(), 5, "{listed}");
    assert!(listed.contains("/h/3/g/r  |u1   [2]"), "{listed}");
    let counted = run("stat h /h[1:]");
    assert!(counted.contains("/h[1:]/g/r  |u1       6 "), "{counted}");
    assert_eq!(run("diff h h /h[1:]"), "");
    assert_eq!(run("convert h o.npz /h[2:]/g /h[0]"), "");
    let back = folder.run(&["convert", "o.npz", "o.bd"]);
    assert_eq!(back.status, 0, "{}", back.err);
    for path in ["/h/\"3\"/g/r", "/h/\"0\"/t"] {
        assert_eq!(folder.run(&["get", "o.bd", path]).status, 0, "{path}");
    }
    assert!(run("get h /h[1:]").contains("is a dict: `dudc dump` shows"));
    assert!(run("get h /h[:,0]/t").contains("`/h/0`: bad slice: a dict takes no index"));
    assert!(run("ls h /x[1:]").contains("`/x`: bad slice: this is a part of an array"));
    assert_eq!(run("convert h p.npz /x[1:]"), "");
    assert_eq!(folder.run(&["convert", "p.npz", "p.bd"]).status, 0);
    assert_eq!(folder.run(&["get", "p.bd", "/x"]).out, "|u1[2]\n[1, 2]\n");
}

/// An item of a list by its number is there also where long lists are shown in part.
#[test]
fn items_of_long_lists_are_shown_by_number() {
    let folder = Folder::empty();
    let layout = "N : u1  l = [{n : u1  s = S1[n]}]*N  k [/ a = u1  v = i2[2]]*N";
    folder.write("long.dud", layout);
    let items = |item: &str| vec![item; 40].join(",");
    let (l, k) = (items(r#"{"n": 2, "s": "ab"}"#), items(r#"{"a": 2, "v": [3, 4]}"#));
    folder.write("long.json", format!(r#"{{"N": 40, "l": [{l}], "k": [{k}]}}"#));
    folder.done("pack long.dud -o long.bd --data long.json --attach");
    assert_eq!(folder.done("dump long.bd /l/30"), "/l/30 = {n: 2, s: \"ab\"}\n");
    assert_eq!(folder.done("dump long.bd /k/30"), "/k/30/a = 2\n/k/30/v = <i2[2]\n[3, 4]\n");
    for (path, rows) in [("/l/3", 3), ("/l/30", 3), ("/k/30", 3), ("/k/30/v", 1)] {
        let listed = folder.done(&format!("ls long.bd {path}"));
        assert_eq!(listed.lines().count(), 1 + rows, "{listed}");
        let bytes = folder.done(&format!("dump long.bd {path} --hex"));
        assert!(bytes.lines().all(|line| line.contains(path)) && !bytes.is_empty(), "{bytes}");
        let json = folder.done(&format!("dump long.bd {path} --format json"));
        assert!(json.contains(&format!("\"{path}")), "{json}");
    }
    assert_eq!(folder.run(&["dump", "long.bd", "/l/40"]).status, 1);
}

/// A read through another layout than the attached one reports the first difference that matters.
#[test]
fn another_layout_than_the_attached_one_is_said() {
    let folder = Folder::empty();
    folder.write("v1.dud", "N : i8\ntime = f8  ## (s) time\nrho = f8[N]\n");
    folder.write("v1.json", r#"{"N": 3, "time": 0.5, "rho": [1, 2, 3]}"#);
    folder.done("pack v1.dud -o v1.bd --data v1.json --attach");
    let others = [
        ("N : i8\ndt = f8\ntime = f8\nrho = f8[N]", "/time"),
        ("N : i8\ntime = f4\nrho = f8[N]", "/time"),
        ("N : i8\ntime = f8\nrho = f4[N]", "/rho"),
        ("M : i4\nN : i8\ntime = f8\nrho = f8[N]", "/:N"),
    ];
    for (text, path) in others {
        folder.write("other.dud", text);
        for words in ["get v1.bd /time", "stat v1.bd", "ls v1.bd", "convert v1.bd o.npz --force"] {
            let said = folder.run(&format!("{words} --layout other.dud")).err;
            let warning = "v1.bd carries another layout than other.dud, through which it is read: ";
            let count = said.matches(warning).count();
            assert!(count == 1 && said.contains(path), "{text} {words}: {said}");
        }
    }
    let same = [
        "N : i8  time = f8  rho = f8[ N ]  # as it was",
        "N : i8\ntime = f8  ## (h) time\nrho = f8[N]",
        "N : i8\ntime = f8",
    ];
    for text in same {
        folder.write("same.dud", text);
        assert_eq!(folder.run("get v1.bd /time --layout same.dud").err, "", "{text}");
    }
    assert_eq!(folder.run("get v1.bd /time").err, "");
}

#[test]
fn padding_in_a_raw_stream_is_said_once() {
    let layout = "N : u4\nt = {v = f4  attr = u2}[N+0]\n";
    let folder = Folder::with(&[
        ("a.dud", layout),
        ("packed.dud", "N : u4\nt = {v = f4 %1  attr = u2 %1}[N+0]\n"),
    ]);
    let mut stream = 2_u32.to_le_bytes().to_vec();
    for (v, attr) in [(1.5_f32, 7_u16), (2.5, 8)] {
        stream.extend(v.to_le_bytes());
        stream.extend(attr.to_le_bytes());
    }
    stream.extend([0; 8]);
    folder.write("a.raw", &stream);
    folder.write("b.raw", &stream);
    let expected = "warning: a.dud pads structs of a raw stream: `t` (2:5) has 2 bytes of padding at its end; if the \
                    stream has none there, pack the struct: `{%1 …}`; `@` gives a member its offset, `} %n` says its end\n";
    let commands = [
        "get a.raw /t",
        "dump a.raw",
        "stat a.raw",
        "ls a.raw",
        "diff a.raw b.raw",
        "verify a.raw b.raw",
    ];
    for words in commands {
        let said = folder.run(&*format!("{words} --layout a.dud --raw"));
        assert_eq!(said.err.matches(expected).count(), 1, "{words}: {}", said.err);
        let said = folder.run(&*format!("{words} --layout packed.dud --raw"));
        assert!(!said.err.contains("pads"), "{words}: {}", said.err);
    }
    assert!(folder.done("get a.raw /t[1].v --layout packed.dud --raw").contains("2.5"));
    // A native stream is one of ours, which is padded as its layout says.
    folder.write("a.json", r#"{"N": 1, "t": [{"v": 1.5, "attr": 7}]}"#);
    folder.done("pack a.dud -o a.bd --data a.json");
    assert!(!folder.run("get a.bd /t --layout a.dud").err.contains("pads"));
    assert!(!folder.run("verify a.bd --layout a.dud").err.contains("pads"));
}

/// A stream of `N : i8  x = f8[N]  g/ M : i4  y = f4[M]` that ends in `/x`, and a raw one of three numbers.
fn cut_off() -> Folder {
    let layout = "N : i8  x = f8[N]  g/ M : i4  y = f4[M]\n";
    let folder = Folder::with(&[("a.dud", layout), ("raw.dud", "a = f8\nb = f8[4]\nc = f8\n")]);
    folder.write("a.json", r#"{"N": 3, "x": [1, 2, 3], "g": {"M": 2, "y": [1, 2]}}"#);
    folder.done("pack a.dud -o a.bd --data a.json");
    folder.write("a.bd", &folder.bytes("a.bd")[..30]);
    folder.write("a.raw", [0; 24]);
    folder
}

#[test]
fn items_past_the_end_are_counted_once() {
    let folder = cut_off();
    let said = folder.run("ls a.raw --layout raw.dud --raw");
    let expected = "warning: a.raw: 2 items lie past the end of the stream, which has 24 bytes: ";
    assert!(said.err.starts_with(expected) && said.err.lines().count() == 1, "{}", said.err);
    let said = folder.run("ls a.bd --layout a.dud");
    assert!(said.err.contains("1 item lies past the end of the stream, which has 30 bytes"));
    folder.write("a.raw", [0; 48]);
    assert_eq!(folder.run("ls a.raw --layout raw.dud --raw").err, "");
}

#[test]
fn params_past_the_end_are_named_as_params() {
    let folder = cut_off();
    for words in ["ls", "dump", "dump --format json", "dump --hex", "verify"] {
        let said = folder.run(&*format!("{words} a.bd --layout a.dud"));
        let said = said.out + &said.err;
        assert!(said.contains("`/g/:M`") && !said.contains("`/g/M`"), "{words}: {said}");
    }
}
