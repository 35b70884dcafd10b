//! `dudc dump --hex`: bytes with what they are, of whole and of damaged streams.

use serde_json::Value;

mod kit;
use kit::Folder;

#[test]
fn a_stream() {
    let folder = Folder::packed("--attach");
    let text = folder.done("dump run.bd --hex");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 10, "{text}");
    let says = |line: usize, start: &str, end: &str| {
        assert!(lines[line].starts_with(start) && lines[line].ends_with(end), "{}", lines[line]);
    };
    says(0, "00000000  8d 3c 42 44 0d 0a 1a 0a  ", "signature  native stream, little-endian");
    says(2, "00000010  03 00 00 00 00 00 00 00  ", "/:N  <i8 = 3  zones");
    says(3, "00000018  01 02  ", "/magic  |u1[2] = [1, 2]");
    says(5, " ", "/grp/rho  <f8[3]  (g/cc)  density");
    says(6, "00000020  00 00 00 00 00 00 f0 3f  00 00 00 00 00 00 04 40  ", "[0]  1.0, 2.5");
    says(7, "00000030  00 00 00 00 00 00 10 40  ", "[2]  4.0");
    says(8, "00000038  61 62 63 00 00 00 00 00  ", "/grp/name  |U1[8] = \"abc\"");
    says(9, "00000040  …  ", "layout  128 bytes, attached to the stream");
    folder.flip("run.bd", 0x18);
    assert!(folder.done("dump run.bd --hex").contains("/magic  |u1[2] = [5, 2]"));
}

/// A stream packed from a layout and values.
fn packed(layout: &str, values: &str, words: &str) -> Folder {
    let folder = Folder::packed("");
    folder.write("x.dud", layout);
    folder.write("x.json", values);
    folder.done(&format!("pack x.dud -o x.bd --data x.json {words}"));
    folder
}

const RAW: &str = "dump x.bd --hex --layout x.dud --raw";

#[test]
fn padding_gaps_and_structs() {
    let layout = "a = i1  p = {b = i1  c = <i4[2]}[2]  d = i1 @64  e = i1 @60\n";
    let values = r#"{"a": 1, "p": [{"b": 2, "c": [3, 4]}, {"b": 5, "c": [6, 7]}], "d": 8, "e": 9}"#;
    let folder = packed(layout, values, "--raw");
    let text = folder.done(RAW);
    let what: Vec<String> = text.lines().map(|line| line.chars().skip(61).collect()).collect();
    assert_eq!(
        what,
        [
            "/a  |i1 = 1",
            "padding, 3 bytes before /p[0].b",
            "/p  struct[2]",
            "/p[0].b  |i1 = 2",
            "padding, 3 bytes before /p[0].c",
            "/p[0].c  <i4[2] = [3, 4]",
            "/p[1].b  |i1 = 5",
            "padding, 3 bytes before /p[1].c",
            "/p[1].c  <i4[2] = [6, 7]",
            "gap, 32 bytes",
            "/e  |i1 = 9",
            "padding, 3 bytes before /d",
            "/d  |i1 = 8",
        ]
    );
}

#[test]
fn all_of_it_is_there() {
    let layout = "N : i2  l [/ a = u1  b = >u2[N]]*5  t = {M : u1  s = S1[M]}[2]  z = c8\n";
    let one = r#"{"a": 7, "b": [1, 2]}"#;
    let values = format!(
        r#"{{"N": 2, "l": [{one}, {one}, {one}, {one}, {one}],
            "t": [{{"M": 2, "s": "ab"}}, {{"M": 3, "s": "cde"}}], "z": [1.5, 2.5]}}"#
    );
    let folder = packed(layout, &values, "--raw");
    let parts: Value =
        serde_json::from_str(&folder.done(&format!("{RAW} --format json"))).expect("JSON");
    let parts = parts["parts"].as_array().expect("parts").clone();
    let mut bytes = Vec::new();
    for part in &parts {
        assert_eq!(part["address"], bytes.len(), "{part}");
        let digits = part["hex"].as_str().expect("hex");
        let pairs = digits.as_bytes().chunks(2);
        let pairs = pairs.map(|pair| std::str::from_utf8(pair).expect("digits"));
        bytes.extend(pairs.map(|pair| u8::from_str_radix(pair, 16).expect("digits")));
    }
    assert_eq!(bytes, folder.bytes("x.bd"));
    let values = |path: &str| {
        let part = parts.iter().find(|part| part["path"] == path);
        part.unwrap_or_else(|| panic!("{path}: {parts:?}"))["values"].to_string()
    };
    assert_eq!(values("/:N"), "[2]");
    assert_eq!(values("/l/4/b"), "[1,2]");
    assert_eq!(values("/t[1].s"), "[\"cde\"]");
    assert_eq!(values("/z"), "[[1.5,2.5]]");
}

#[test]
fn long_arrays_and_lists_are_elided() {
    let layout = "x = u1[1000]\nl [<u4]*100\n";
    let (bytes, items): (Vec<u32>, Vec<u32>) =
        ((0..1000).map(|at| at % 256).collect(), (0..100).collect());
    let folder = packed(layout, &format!(r#"{{"x": {bytes:?}, "l": {items:?}}}"#), "--raw");
    let text = folder.done(RAW);
    assert_eq!(text.lines().count(), 1 + 4 + 1 + 1 + 3 + 1 + 1, "{text}");
    assert!(text.contains("… 928 bytes, 928 elements"), "{text}");
    assert!(text.contains("… 384 bytes: 96 repetitions of /l"), "{text}");
    assert_eq!(folder.done(&format!("{RAW} --all")).lines().count(), 1 + 63 + 100);
    // Of what is left out, what is asked for is found.
    let text = folder.done(&format!("{RAW} --range 1200:0x4b8"));
    assert!(text.contains("/l/50  <u4 = 50") && text.contains("/l/51  <u4 = 51"), "{text}");
    assert!(!text.contains("/l/49 ") && !text.contains("/l/52 "), "{text}");
    let text = folder.done(&format!("{RAW} --range 500:510"));
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.contains("000001f0  ") && text.contains("[496]  240, 241"), "{text}");
    assert!(folder.done(&format!("{RAW} --range=-4:")).contains("/l/99  <u4 = 99"));
    assert_eq!(folder.run(&format!("{RAW} --range 3")).status, 2);
}

#[test]
fn paths_are_picked() {
    let folder = Folder::packed("--attach");
    let text = folder.done("dump run.bd /grp --hex");
    assert!(text.contains("/grp/rho") && !text.contains("/magic") && !text.contains("signature"));
    assert_eq!(folder.run("dump run.bd /nowhere --hex").status, 1);
    assert_eq!(folder.run("dump run.bd --range 1:2").status, 2);
    assert_eq!(folder.run("dump run.bd --hex --nested").status, 2);
}

#[test]
fn what_fits_is_shown_then_the_error() {
    let folder = Folder::packed("");
    folder.write("cut.bd", &folder.bytes("run.bd")[..44]);
    let said = folder.finds("dump cut.bd --layout run.dud --hex");
    assert!(said.contains("/flags  |b1[6] = [true"), "{said}");
    assert!(said.contains("[0]  1.0\n"), "{said}");
    assert!(said.contains("!! the stream ends here: 12 bytes are missing"), "{said}");
    assert!(said.contains("error: "), "{said}");
}

#[test]
fn colours_and_control_characters() {
    let folder = Folder::packed("--attach");
    let text = folder.done("--color always dump run.bd --hex");
    assert!(text.contains("\u{1b}[1m/:N\u{1b}[0m"), "{text:?}");
    let layout = "\"\u{1b}[2J\" = U1[8]  ## (\u{1b}]0;m) \u{202e}x\n";
    let folder = packed(layout, "{\"\\u001b[2J\": \"\\u001b[31mred\"}", "--raw");
    let text = folder.done(RAW);
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
    let json = folder.done(&format!("{RAW} --format json"));
    assert!(!json.contains(['\u{1b}', '\u{202e}']), "{json:?}");
}

#[test]
fn other_formats_by_their_headers() {
    let folder = Folder::packed("");
    folder.write("x.json", "{\"rho\": [1.0, 2.0]}");
    folder.write("x.dud", "rho = f8[2]\n");
    folder.done("pack x.dud -o x.bd --data x.json --attach");
    folder.done("convert x.bd x.asdf");
    let text = folder.done("dump x.asdf --hex");
    assert!(text.contains("tree\n") && text.contains("block 0/magic  |u1[4] = [211, 66, 76, 75]"));
    assert!(text.contains("block 0/:USED  >u8 = 16"), "{text}");
}

#[test]
fn frames_by_their_headers() {
    let folder = Folder::packed("");
    let frame = concat!(env!("CARGO_MANIFEST_DIR"), "/../asdf-bridge/tests/small.b2nd");
    folder.write("x.b2nd", std::fs::read(frame).expect("a frame"));
    let text = folder.done("dump x.b2nd --hex");
    assert!(text.contains("/header.magic  |S1[8] = \"b2frame\""), "{text}");
    assert!(text.contains("/chunks/0: header.nbytes  <i4 = 48"), "{text}");
    assert!(text.contains("/chunks/0: blocks"), "{text}");
}
