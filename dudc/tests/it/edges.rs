//! Wrong and unusual words to the commands that look into streams: exit statuses and messages.

use std::process::Stdio;

use crate::kit::Folder;

const RUN: &str = "N : i2  K : 5  rho = f4[N]  grp/ vel = f8\n";
const VARYING: &str = "l = {n : >u2  a = f4  b = >u2[n]}[2]  t [/ n : u1  s = u1[n]]*1000000000\n";

/// A folder with a native stream, a layout of streams of variable size, and one of those.
fn folder() -> Folder {
    let folder = Folder::empty();
    folder.write("run.dud", RUN);
    folder.write("run.json", r#"{"N": 2, "rho": [0.1, 0.25], "grp": {"vel": 0.1}}"#);
    folder.done("pack run.dud -o run.bd --data run.json --attach");
    folder.write("varying.dud", VARYING);
    let mut bytes = Vec::new();
    for (a, b) in [(1.5_f32, [7_u16, 8]), (2.5, [9, 60000])] {
        bytes.extend([0, 2, 0, 0]);
        bytes.extend(a.to_le_bytes());
        b.iter().for_each(|b| bytes.extend(b.to_be_bytes()));
    }
    bytes.extend([1, 33, 2, 44, 55]);
    folder.write("varying", bytes);
    folder
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn exit_statuses_follow_one_rule() {
    let folder = folder();
    folder.write("raw", [0; 8]);
    let cases: &[(i32, &[&str])] = &[
        // What is requested is not in the input.
        (1, &["get", "run.bd", "/nothing"]),
        (1, &["get", "run.bd", "/rho[2]"]),
        (1, &["get", "run.bd", "/rho[0, 0]"]),
        (1, &["get", "run.bd", "/rho/0"]),
        (1, &["get", "run.bd", "/grp"]),
        (1, &["get", "run.dud", "/rho"]),
        (1, &["ls", "run.bd", "/nothing"]),
        (1, &["ls", "run.dud", "/nothing"]),
        (1, &["ls", "run.bd", "--param", "M=1"]),
        (1, &["get", "varying", "/t/1000000000/s", "--layout", "varying.dud", "--raw"]),
        (1, &["attach", "raw", "run.dud"]),
        (1, &["detach", "raw"]),
        // The words are wrong whatever the files hold.
        (2, &["get", "run.bd", "/rho["]),
        (2, &["get", "run.bd", "/rho[::0]"]),
        (2, &["get", "run.bd", "/rho", "-o", "rho.xyz"]),
        (2, &["ls", "run.bd", "--param", "N=x"]),
        (2, &["ls", "run.bd", "--base", "-1"]),
        (2, &["explain", "no-such-code"]),
        // What cannot be read, or would be overwritten.
        (3, &["get", "missing", "/rho"]),
        (3, &["attach", "missing", "run.dud"]),
        (3, &["attach", "run.bd", "run.dud"]),
        (3, &["get", "run.bd", "/rho", "-o", "raw.raw", "--layout", "missing"]),
        (3, &["pack", "run.dud", "-o", "run.bd", "--data", "run.json"]),
    ];
    for (status, words) in cases {
        let (found, said) = folder.refused(words);
        assert_eq!(found, *status, "{words:?}: {said}");
        // That its structs are padded is said of a raw stream whatever else is wrong.
        let first = said.lines().find(|line| !line.contains(" pads structs of a raw stream: "));
        assert!(first.is_some_and(|line| line.starts_with("error: ")), "{words:?}: {said}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told_of_by_help_too() {
    let folder = folder();
    for word in ["--version", "--help"] {
        let full = std::fs::File::create("/dev/full").expect("a full device");
        let status = folder.command(&[word]).stdout(full).stderr(Stdio::null()).status();
        assert_eq!(status.expect("dudc runs").code(), Some(3), "{word}");
    }
}

#[test]
fn misspelt_words_get_a_suggestion() {
    let folder = folder();
    folder.write("deep.dud", "M : 1  v7/ N8 : i4  x = f8[N8]\n/M : 2\na/ \"b c\"/ M : i4\n");
    let cases: &[(&[&str], &str)] = &[
        (&["get", "run.bd", "/roh"], "did you mean `rho`?"),
        (&["get", "run.bd", "/grp/vle"], "did you mean `vel`?"),
        (&["ls", "run.dud", "/roh"], "did you mean `/rho`?"),
        (&["ls", "run.bd", "--param", "n=1"], "did you mean `N`?"),
        (&["ls", "run.bd", "--param", "/gpr/N=1"], "did you mean `grp`?"),
        (&["ls", "deep.dud", "--param", "N8=1"], "no such param; did you mean `/v7/N8`?"),
        (
            &["ls", "deep.dud", "--param", "/v7/M=1"],
            "did you mean `/M` or `/M#2` or `/a/\"b c\"/M`?",
        ),
        (&["ls", "deep.dud", "--param", "/n8=1"], "there is no such param"),
        (&["explain", "unknown-tpye"], "did you mean `unknown-type`?"),
    ];
    for (words, wanted) in cases {
        let (_, said) = folder.refused(words);
        assert!(said.contains(wanted), "{words:?}: {said}");
    }
    let (_, said) = folder.refused(&["get", "run.bd", "/completely/else"]);
    assert!(!said.contains("did you mean"), "{said}");
}

#[test]
fn what_is_read_as_values_keeps_its_type() {
    let folder = folder();
    let get = |path: &str, out: &str| {
        let words = ["get", "varying", path, "--layout", "varying.dud", "--raw", "-o", out];
        folder.done(&[&words[..], &["--force"]].concat());
        folder.bytes(out)
    };
    let descr = |path: &str| {
        let file = text(&get(path, "x.npy"));
        let rest = file.split_once("'descr': ").expect("a header").1;
        rest.split_once(',').expect("a header").0.to_owned()
    };
    assert_eq!(descr("/l.a"), "'<f4'");
    assert_eq!(descr("/l.b"), "'>u2'");
    assert_eq!(descr("/l[1].n"), "'>u2'");
    assert_eq!(get("/l.a", "x.raw"), [1.5_f32.to_le_bytes(), 2.5_f32.to_le_bytes()].concat());
    assert_eq!(get("/l.b", "x.raw"), [0, 7, 0, 8, 0, 9, 0xea, 0x60]);
    assert_eq!(get("/l[1].n", "x.raw"), [0, 2]);
    folder.done(&["get", "run.bd", "/:N", "-o", "n.RAW"]);
    assert_eq!(folder.bytes("n.RAW"), [2, 0]);
    folder.done(&["get", "run.bd", "/:N", "-o", "n.Npy"]);
    assert!(text(&folder.bytes("n.Npy")).contains("'<i2'"));
    let (status, said) = folder.refused(&["get", "run.bd", "/:K", "-o", "k.raw"]);
    assert!(status == 1 && said.contains("no raw form"), "{said}");
}

/// The type of a `.npy` is that of the layout where there is no element to tell it.
#[test]
fn what_has_no_elements_keeps_its_type() {
    let layout = "T {k : i2  v = i2[k]}  S {n : u4  \"\" = >i2[n]}  U {n : u4  \"\" = U1[n]}\n\
                  P {n : u2  q = T[n]  s = U1[n]  c = {x = i1  y = f2[n]}}\n\
                  N : u4  p = P[N]  l [{m = P[N]}]*N  a = S[N]  b = U[N]\n";
    let values = r#"{"N": 0, "p": [], "l": [], "a": [], "b": []}"#;
    let folder = Folder::of(layout, values, "--attach");
    for (path, descr) in [
        ("/p.n", "<u2"),
        ("/p.q.v", "<i2"),
        ("/p[:0].q.k", "<i2"),
        ("/p.s", "<U1"),
        ("/p.c.x", "|i1"),
        ("/p[:].c.y", "<f2"),
        ("/l[:].m.c.x", "|i1"),
        ("/l[:].m.q.v", "<i2"),
        ("/l[:].m.s", "<U1"),
        ("/a", ">i2"),
        ("/a[:0]", ">i2"),
        ("/b", "<U1"),
    ] {
        folder.done(&["get", "x.bd", path, "-o", "x.npy", "--force"]);
        let header = text(&folder.bytes("x.npy"));
        let wanted = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (0,), }}");
        assert!(header.contains(&wanted), "{path}: {header}");
    }
    // Structs that differ in size are no elements of numpy, however few there are.
    for path in ["/p", "/p[:0]", "/p.q", "/p.c", "/l[:].m"] {
        let said = folder.fails(&["get", "x.bd", path, "-o", "y.npy"], 1);
        assert!(said.contains("it has no elements, and nothing says their type"), "{path}: {said}");
    }
}

#[test]
fn the_first_items_of_an_endless_list_are_there() {
    let folder = folder();
    let get = |path| ["get", "varying", path, "--layout", "varying.dud", "--raw"];
    assert_eq!(folder.done(&get("/t/1/s")), "|u1[2]\n[44, 55]\n");
    assert_eq!(folder.done(&get("/t[0]/s")), "|u1[1]\n[33]\n");
    let (status, said) = folder.refused(&get("/t[:]/s"));
    assert!(status == 1 && said.contains("needed at address"), "{said}");
    assert!(said.contains("1 byte is needed"), "{said}");
}

#[test]
fn floats_are_as_short_as_their_type() {
    let folder = folder();
    assert_eq!(folder.done(&["get", "run.bd", "/rho"]), "<f4[2]\n[0.1, 0.25]\n");
    assert_eq!(folder.done(&["get", "run.bd", "/grp/vel"]), "0.1\n");
    let json = folder.done(&["get", "run.bd", "/rho", "--format", "json"]);
    assert!(json.contains("[0.10000000149011612, 0.25]"), "{json}");
    folder.write("c.dud", "c = {x = c8  s = {y = f4}[2]}\n");
    let bytes: Vec<u8> = [0.1_f32, -0.2, 0.3, 0.4].iter().flat_map(|x| x.to_le_bytes()).collect();
    folder.write("c", bytes);
    let shown = folder.done(&["get", "c", "/c", "--layout", "c.dud", "--raw"]);
    assert_eq!(shown.split_whitespace().collect::<String>(), "{x:0.1-0.2j,s:[{y:0.3},{y:0.4}]}");
}

#[test]
fn a_layout_without_its_terminator_is_told_of() {
    let folder = folder();
    let whole = folder.bytes("run.bd");
    assert!(whole.ends_with(b"\n-\n"));
    folder.write("cut.bd", &whole[..whole.len() - 2]);
    let output = folder.run(&["get", "cut.bd", "/grp/vel"]);
    let said = output.err;
    assert_eq!((output.status, output.out), (0, "0.1\n".to_owned()));
    let address = whole.len() - RUN.len() - 2;
    assert!(
        said.starts_with("warning: ") && said.contains(&format!("address {address} ")),
        "{said}"
    );
    for words in [&["get", "run.bd", "/rho"][..], &["ls", "cut.bd", "--layout", "run.dud"]] {
        assert_eq!(folder.run(words).err, "", "{words:?}");
    }
}

#[test]
fn a_damaged_signature_is_named_with_a_layout_too() {
    let folder = folder();
    let mut bytes = folder.bytes("run.bd");
    bytes[6] ^= 1;
    folder.write("damaged.bd", bytes);
    for more in [&[][..], &["--layout", "run.dud"]] {
        let (status, said) = folder.refused(&[&["ls", "damaged.bd"][..], more].concat());
        assert!(status == 1 && said.contains("byte 6 is 1b"), "{said}");
    }
    folder.done(&["ls", "damaged.bd", "/:K", "--layout", "run.dud", "--raw"]);
}

#[test]
fn listings_of_layouts_agree_with_check() {
    let folder = folder();
    let illegal = [
        ("x = f8[0x7fffffffffffffff]", "size"),
        ("a = u1[0x7fffffffffffff00]  g/ b = f8[100]", "address"),
        ("l [f8]*0x7fffffffffffffff", "size"),
        ("N : 3  x = f8[N----]", "dimension"),
    ];
    for (layout, wanted) in illegal {
        folder.write("x.dud", layout);
        let (status, said) = folder.refused(&["ls", "x.dud"]);
        assert!(status == 1 && said.contains(wanted), "{layout}: {said}");
        assert_eq!(folder.refused(&["check", "x.dud"]).0, 1, "{layout}");
    }
    let output = folder.run(&["ls", "run.dud", "--param", "N=-2"]);
    let said = output.err;
    assert_eq!(output.status, 1);
    assert!(said.contains("`/N` is -2") && said.contains("expected -1 to "), "{said}");
    assert!(output.out.contains("= -2"));
    folder.done(&["ls", "run.dud", "--param", "N=-1"]);
}

#[test]
fn a_base_behind_the_end_is_told_of() {
    let folder = folder();
    let length = folder.bytes("run.bd").len();
    for words in [&["ls"][..], &["get", "--layout", "run.dud"]] {
        let path = if words[0] == "get" { &["/rho"][..] } else { &[] };
        let words = [&words[..1], &["run.bd"], path, &words[1..], &["--base", "99999999"]].concat();
        let (status, said) = folder.refused(&words);
        let expected = format!("run.bd has {length} bytes: there is nothing at --base 99999999");
        assert_eq!((status, said.contains(&expected)), (1, true), "{said}");
    }
}

#[test]
fn what_lies_in_a_larger_file_is_converted_and_compared() {
    let folder = folder();
    folder.done(&["convert", "run.bd", "run.asdf"]);
    folder.done(&["convert", "run.bd", "rho.b2nd", "/rho"]);
    folder.done(&["convert", "rho.b2nd", "alone.npz"]);
    for (name, of) in [("run.bd", "run.bd"), ("run.asdf", "run.bd"), ("rho.b2nd", "alone.npz")] {
        folder.write("many", [&[7; 4096], &*folder.bytes(name), &[7; 16]].concat());
        let parts: &[&str] = if name == "run.asdf" { &["/rho"] } else { &[] };
        let convert =
            [&["convert", "--base", "4096", "many", "found.npz", "--force"], parts].concat();
        folder.done(&convert);
        folder.done(&[&["convert", of, "wanted.npz", "--force"], parts].concat());
        assert!(folder.bytes("found.npz") == folder.bytes("wanted.npz"), "{name}");
        folder.done(&["diff", "--base", "4096", "many", name, "--base-b", "0"]);
        let (status, _) = folder.refused(&["convert", "many", "none.npz"]);
        assert_eq!(status, 1, "{name}");
    }
}

#[test]
fn a_base_below_0_is_told_of() {
    let (_, said) = folder().refused(&["ls", "run.bd", "--base", "-1"]);
    assert!(said.contains("`-1` is no number of bytes") && !said.contains("tip:"), "{said}");
}

#[test]
fn what_stands_behind_a_terminator_is_not_looked_at() {
    let folder = folder();
    for rest in [&b"\xff\xfe"[..], b"\0\0"] {
        let bytes = [b"x = f8\n--- \n", rest].concat();
        folder.write("a.dud", &bytes);
        assert!(folder.done(&["check", "a.dud"]).is_empty());
        let shown = folder.done(&["ls", "a.dud"]);
        let mut child = folder
            .command(&["ls", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("dudc");
        std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), &bytes)
            .expect("written");
        let output = child.wait_with_output().expect("dudc ends");
        assert_eq!(text(&output.stdout), shown);
    }
    folder.write("b.dud", b"x = f8\n- y\n\xff");
    assert_eq!(folder.refused(&["ls", "b.dud"]).0, 1);
}

#[cfg(not(feature = "store"))]
#[test]
fn addresses_need_the_feature() {
    let folder = folder();
    let url = "https://example.org/a.bd";
    for words in [
        &["ls", url][..],
        &["ls", url, "/x"],
        &["get", url, "/x"],
        &["dump", url, "/x"],
        &["dump", url, "--hex"],
        &["stat", url],
        &["diff", url, "run.bd"],
    ] {
        let (status, said) = folder.refused(words);
        assert!(status == 1 && said.contains("without the feature `store`"), "{words:?}: {said}");
    }
}

/// A name in quotes may hold what separates the parts of a path.
#[test]
fn params_with_slashes_in_their_names_are_shown_by_paths_that_are_read() {
    let folder = Folder::empty();
    folder.write("q.dud", "\"a/b\" : i4  d/ \"c/d\" : 3  \"e/:f\" : 4  / x = i2[\"a/b\"]");
    folder.write("q.json", r#"{"a/b": 2, "x": [1, 2]}"#);
    folder.done("pack q.dud -o q.bd --data q.json --attach");
    let paths = [("/:\"a/b\"", "2\n"), ("/d/:\"c/d\"", "3\n"), ("/d/:\"e/:f\"", "4\n")];
    for name in ["q.dud", "q.bd"] {
        let shown = folder.done(&["ls", name]);
        for (path, value) in paths {
            assert!(shown.contains(path), "{path}: {shown}");
            assert_eq!(folder.done(&["get", "q.bd", path]), value);
            assert!(folder.done(&["ls", name, path]).contains(path));
        }
    }
}

/// Names may hold what turns the text beside them: types are shown with names, too.
#[test]
fn names_in_types_control_no_terminal() {
    let folder = Folder::empty();
    let ty = "\"k\u{202e}\" {\"m\u{202e}\" = i4  \"w\" = f8}  ## \u{202e}doc\n";
    folder.write("t.dud", format!("## \u{202e}all\n\n{ty}s = \"k\u{202e}\"[2]\nv = f8[2]\n"));
    folder.write("t.bin", [0; 48]);
    for words in [
        "get t.bin /s",
        "get t.bin /s --format json",
        "dump t.bin",
        "dump t.bin /s[1]",
        "dump t.bin --format json",
        "dump t.bin --hex",
        "ls t.bin",
        "ls t.bin --format json",
        "ls t.bin /s --format json",
        "stat t.bin",
    ] {
        let said = folder.run(&format!("{words} --layout t.dud --raw"));
        assert!(!said.out.contains('\u{202e}') && !said.out.is_empty(), "{words}: {said:?}");
        assert!(!said.err.contains('\u{202e}'), "{words}: {said:?}");
    }
}

/// What takes no bytes can be read wherever it is placed.
#[test]
fn what_takes_no_bytes_can_lie_past_the_end() {
    let folder = Folder::empty();
    folder.write("e.dud", "N : i4\nx = i4\nv = S1[N] @4096\nh = {}[2] @4096\n");
    folder.write("e.json", r#"{"N": 0, "x": 1, "v": "", "h": [{}, {}]}"#);
    folder.done("pack e.dud --data e.json -o e.bd");
    for (path, value) in [("/v", r#""value": """#), ("/h", r#""value": [null, null]"#)] {
        let said = folder.done(&format!("get e.bd {path} --layout e.dud --format json"));
        assert!(said.contains(value), "{said}");
    }
    for words in ["dump", "dump --hex", "stat", "verify", "ls"] {
        folder.done(&format!("{words} e.bd --layout e.dud"));
    }
}

/// Nothing of a name is hidden where its path is shown, and the path as it is shown leads to it.
#[test]
fn paths_of_names_with_hidden_characters_can_be_copied() {
    let name = "\u{202e}a\u{e0041}";
    let values = format!(r#"{{"{name}": 7}}"#);
    let folder = Folder::of(&format!("\"{name}\" = u1\n"), &values, "--raw");
    let said = folder.done("ls x.bd --layout x.dud --raw");
    let path = r#"/"\u202ea\udb40\udc41""#;
    assert!(said.contains(path), "{said}");
    let said = folder.done(&["get", "x.bd", path, "--layout", "x.dud", "--raw"]);
    assert!(said.contains('7'), "{said}");
}

/// Listings of layouts have one path for what is in all repetitions; what reads one is reported how it is called.
#[test]
fn paths_of_all_repetitions_lead_to_one() {
    let text = "l [u1, / M : u1  x = u1[M]]*2\n";
    let folder = Folder::empty();
    folder.write("x.dud", text);
    folder.write("x.bd", [9, 1, 7, 9, 1, 8]);
    let said = folder.done("ls x.dud");
    assert!(said.contains("/l/[1 + 2*i]/:M"), "{said}");
    for (given, one) in
        [("/l/[1 + 2*i]/:M", "/l/1/:M"), ("l/[1 + 2*i]/x", "/l/1/x"), ("/l/[2*i]", "/l/0")]
    {
        for command in ["get", "ls"] {
            let said = folder.fails(&[command, "x.bd", given, "--layout", "x.dud", "--raw"], 2);
            assert!(said.contains(&format!("give one, such as `{one}`")), "{said}");
            folder.done(&[command, "x.bd", one, "--layout", "x.dud", "--raw"]);
        }
    }
    // Neither is a param that can be given.
    for given in ["/l/[1 + 2*i]/M=2", "/l/1/M=2"] {
        let said = folder.fails(&["ls", "x.dud", "--param", given], 1);
        assert!(said.contains("params of repeated dicts cannot be supplied"), "{said}");
    }
    let said = folder.fails(&["get", "x.bd", "/l[x]", "--layout", "x.dud", "--raw"], 2);
    assert!(!said.contains("help"), "{said}");
}
