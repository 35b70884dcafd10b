//! `dudc dump --hex`: bytes with what they are, of whole and of damaged streams.

use std::io::BufRead;

use serde_json::Value;

use crate::kit::Folder;

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

const RAW: &str = "dump x.bd --hex --layout x.dud --raw";

#[test]
fn padding_gaps_and_structs() {
    let layout = "a = i1  p = {b = i1  c = <i4[2]}[2]  d = i1 @64  e = i1 @60\n";
    let values = r#"{"a": 1, "p": [{"b": 2, "c": [3, 4]}, {"b": 5, "c": [6, 7]}], "d": 8, "e": 9}"#;
    let folder = Folder::of(layout, values, "--raw");
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
    let folder = Folder::of(layout, &values, "--raw");
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
    let folder = Folder::of(layout, &format!(r#"{{"x": {bytes:?}, "l": {items:?}}}"#), "--raw");
    let text = folder.done(RAW);
    assert_eq!(text.lines().count(), 1 + 4 + 1 + 1 + 3 + 1 + 1, "{text}");
    assert!(text.contains("… 928 bytes, 928 elements"), "{text}");
    assert!(text.contains("… 384 bytes: 96 repetitions of /l"), "{text}");
    assert_eq!(folder.done(&format!("{RAW} --all")).lines().count(), 1 + 63 + 100);
    // Of what is left out, what is requested is found.
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
    let folder = Folder::of(layout, "{\"\\u001b[2J\": \"\\u001b[31mred\"}", "--raw");
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

/// As a branch wrote them in January 2015: a line says in front of the data how they are encoded.
#[test]
fn encoded_blocks_of_early_files() {
    let folder = Folder::packed("");
    let text = b"#ASDF 0.1.0\n%YAML 1.1\n--- {}\n...\n";
    let data = b"--- [zlib]\n...\n\x78\x9c\x4b\x4c\x4a\x06\x00\x02\x4d\x01\x27";
    let mut block = b"\xd3BLK\0\x24\0\0\0\x02".to_vec();
    for number in [data.len() as u64, data.len() as u64, 3, 0] {
        block.extend(number.to_be_bytes());
    }
    let at = text.len() + block.len();
    folder.write("x.asdf", [&text[..], &block, data].concat());
    let json: Value =
        serde_json::from_str(&folder.done("dump x.asdf --hex --format json")).expect("JSON");
    let parts = json["parts"].as_array().expect("parts");
    let place = |path: &str| {
        let part = parts.iter().find(|part| part["path"] == path).expect(path);
        (part["address"].as_u64(), part["bytes"].as_u64())
    };
    assert_eq!(place("block 0/encoding"), (Some(at as u64), Some(15)));
    assert_eq!(place("block 0/payload"), (Some(at as u64 + 15), Some(11)));
    let text = folder.done("dump x.asdf --hex");
    assert!(text.contains("78 9c 4b 4c 4a 06 00 02") && !text.contains("gap"), "{text}");
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

/// A frame of which a chunk says more bytes than there are, and one that is cut off.
#[test]
fn damaged_frames_by_their_headers() {
    let frame = concat!(env!("CARGO_MANIFEST_DIR"), "/../asdf-bridge/tests/small.b2nd");
    let whole = std::fs::read(frame).expect("a frame");
    let mut bad = whole.clone();
    // The header of the first chunk begins at 0xa5.
    bad[0xb1..0xb5].copy_from_slice(&i32::MAX.to_le_bytes());
    let folder = Folder::packed("");
    for (bytes, said) in [(&bad[..], "header of the chunk at address 177"), (&whole[..300], "")] {
        folder.write("x.b2nd", bytes);
        let text = folder.finds("dump x.b2nd --hex --all");
        assert!(
            text.contains("/header.magic  |S1[8] = \"b2frame\"") && text.contains(said),
            "{text}"
        );
        assert!(text.contains("error: x.b2nd"), "{text}");
        let lines = text.lines().filter(|line| line.starts_with("0000"));
        let shown =
            lines.map(|line| line.get(10..59).unwrap_or_default().split_whitespace().count());
        assert_eq!(shown.sum::<usize>(), bytes.len(), "{text}");
    }
}

#[test]
fn chunks_by_their_headers() {
    // Stored as they are: the long header, then 12 bytes.
    let mut chunk = vec![5, 1, 0x27, 4];
    for number in [12_i32, 12, 44] {
        chunk.extend(number.to_le_bytes());
    }
    chunk.resize(32, 0);
    chunk.extend(b"twelve bytes");
    let folder = Folder::packed("");
    folder.write("x.chunk", &chunk);
    let text = folder.done("dump x.chunk --hex");
    assert!(text.contains("chunk: header.cbytes  <i4 = 44  bytes of the chunk"), "{text}");
    assert!(text.ends_with("chunk: blocks  twelve bytes\n"), "{text}");
    let json: Value =
        serde_json::from_str(&folder.done("dump x.chunk --hex --format json")).expect("JSON");
    assert_eq!((&json["kind"], &json["bytes"]), (&"blosc2-chunk".into(), &44.into()));
    let last = json["parts"].as_array().and_then(|parts| parts.last()).expect("parts");
    assert_eq!((&last["address"], &last["bytes"]), (&32.into(), &12.into()));
    assert_eq!(folder.run("dump x.chunk --hex /header").status, 2);
    // What is behind it is in no item.
    folder.write("long.chunk", [&chunk[..], b"TRAILING"].concat());
    for words in ["--all", "--range -4:"] {
        let text = folder.done(&format!("dump long.chunk --hex {words}"));
        assert!(text.contains("gap, 8 bytes behind the chunk"), "{text}");
    }
    let json: Value =
        serde_json::from_str(&folder.done("dump long.chunk --hex --format json")).expect("JSON");
    let last = json["parts"].as_array().and_then(|parts| parts.last()).expect("parts");
    assert_eq!((&last["kind"], &last["address"]), (&"gap".into(), &44.into()));
    // Of another length it is something else.
    folder.write("x.chunk", &chunk[..40]);
    assert_eq!(folder.run("dump x.chunk --hex").status, 1);
}

/// A count of a damaged stream is not visited, whatever is requested.
#[test]
fn damaged_counts_end_with_the_stream() {
    let folder = Folder::packed("");
    let mut bytes = (1_u64 << 50).to_le_bytes().to_vec();
    bytes.extend([7; 16]);
    folder.write("x.bd", &bytes);
    let inner = "T {a = i4  b = {c = i2[3]  d = {e = i1}[5]}[7]}";
    for items in
        ["x = f8[N]", "y = {a = i4}[N]", "l = [i4, i2]*N", "l = [/ t = T[N]]*N", "z = {}[N]"]
    {
        folder.write("x.dud", format!("N : i8\n{inner}\n{items}\n"));
        for words in [
            "--all",
            "--all --format json",
            "--range 0x10:",
            "--range 0x10: --format json",
            "--range=-4: --all",
            "",
        ] {
            let said = folder.run(&format!("{RAW} {words}"));
            assert!(said.out.len() + said.err.len() < 100_000, "{items} {words}");
            assert!(!said.err.contains("panicked"), "{items} {words}: {}", said.err);
        }
    }
}

#[test]
fn ranges_have_one_sign() {
    let folder = Folder::packed("--attach");
    for range in ["--5:", "-+5:", "+5:", "-:", "0x-5:", "--9223372036854775808:", "5", "a:b"] {
        assert_eq!(folder.run(&format!("dump run.bd --hex --range={range}")).status, 2, "{range}");
    }
    assert!(folder.done("dump run.bd --hex --range=-9223372036854775807:").contains("signature"));
}

#[test]
fn ranges_that_hold_nothing_are_told() {
    let folder = Folder::packed("--attach");
    for (range, status, said) in [
        ("5:5", 2, "the range 5:5 is empty"),
        ("0x20:0x10", 2, "the range 0x20:0x10 is reversed"),
        ("-4:-8", 2, "is reversed"),
        (":0", 2, "is empty"),
        ("0x30:-0x30", 1, "the range 0x30:0x10 is reversed"),
        ("-979:-971", 1, "the range -979:-971 lies before the first of the "),
        (":-971", 1, "the range :-971 lies before the first of the "),
        ("0x1000:", 1, "there is nothing at 0x1000: the last byte is at 0xbf"),
    ] {
        let found = folder.run(&format!("dump run.bd --hex --range={range}"));
        assert_eq!(found.status, status, "{range}: {}", found.err);
        assert!(found.err.contains(said) && found.out.is_empty(), "{range}: {}", found.err);
    }
    // The attached layout is behind the stream, and can be requested.
    let text = folder.done("dump run.bd --hex --range 0x48:0x50");
    assert_eq!(text.lines().count(), 2, "{text}");
    assert!(text.contains("00000040  23 23 20 41 20 72 75 6e  0a"), "{text}");
    assert!(text.ends_with("  ## A run·N : i8\n"), "{text}");
}

#[test]
fn the_attached_layout_is_shown_with_all() {
    let folder = Folder::packed("--attach");
    let text = folder.done("dump run.bd --hex --all");
    assert!(text.contains("layout  128 bytes, attached to the stream\n00000040  23 23 20 41"));
    let all: Value =
        serde_json::from_str(&folder.done("dump run.bd --hex --all --format json")).expect("JSON");
    let last = all["parts"].as_array().and_then(|parts| parts.last()).expect("parts");
    assert_eq!(last["kind"], "layout");
    assert!(last["hex"].as_str().expect("hex").starts_with("2323204120"), "{last}");
    let all: Value =
        serde_json::from_str(&folder.done("dump run.bd --hex --format json")).expect("JSON");
    let last = all["parts"].as_array().and_then(|parts| parts.last()).expect("parts");
    assert!(last["hex"].is_null(), "{last}");
}

/// What has no bytes, and gaps that are long, take nothing away.
#[test]
fn gaps_and_what_has_no_bytes() {
    let layout =
        "a = i1\nz = {}\ne = f8[0] @9\nv = {n = u1[0]  m : u1  w = u1[m]}[2] @40\nq = i1[0] @60\n";
    let folder = Folder::packed("");
    folder.write("x.dud", layout);
    let bytes: Vec<u8> = (0..100).map(|at| if at == 40 || at == 42 { 1 } else { at }).collect();
    folder.write("x.bd", bytes);
    let text = folder.done(&format!("{RAW} --all"));
    let digits = text.lines().filter_map(|line| line.get(10..59));
    let shown: usize = digits.map(|digits| digits.split_whitespace().count()).sum();
    assert_eq!(shown, 100, "{text}");
    assert!(text.contains("gap, 31 bytes\n00000009  09 0a 0b 0c"), "{text}");
    let text = folder.done(&format!("{RAW} --range 20:24"));
    assert!(text.contains("00000019  19") || text.contains("00000009  09 0a"), "{text}");
    assert!(folder.done(RAW).contains("00000009  09 0a 0b 0c 0d 0e 0f 10 …  "));
}

/// Of structs that differ in size the instances are shown that can be measured, then all bytes behind them.
#[test]
fn cut_structs_of_variable_size() {
    let layout = "a = i1\nv = {m : >u2  w = u1[m]}[3]\nb = i4\n";
    let values = r#"{"a": 1, "v": [{"w": [7]}, {"w": [8, 9]}, {"w": []}], "b": 5}"#;
    let folder = Folder::of(layout, values, "--raw");
    folder.write("x.bd", &folder.bytes("x.bd")[..9]);
    let said = folder.finds(&format!("{RAW} --all"));
    assert!(said.contains("/v[0].m  >u2 = 1\n"), "{said}");
    assert!(said.contains("/v[1].w  |u1[2]"), "{said}");
    assert!(said.contains("!! the stream ends here: 1 byte is missing"), "{said}");
    assert!(said.contains("error: x.bd: `/v`"), "{said}");
    folder.write("x.bd", &folder.bytes("x.bd")[..8]);
    assert!(folder.finds(RAW).contains("/v[1].m  >u2 = 2"));
    folder.write("x.bd", &folder.bytes("x.bd")[..7]);
    let said = folder.finds(RAW);
    assert!(said.contains("00000006  00 "), "{said}");
    assert!(said.contains("cannot be measured, and what is behind it not placed"), "{said}");
}

/// Where a stream ends within a list, what is there of it has its own paths, and with `--all` is shown whole,
/// however many repetitions the list says.
#[test]
fn lists_that_the_stream_ends_in() {
    let folder = Folder::packed("");
    let s = "N : u1\ns {K : u1  t = i1[K]}\n";
    for (layout, third, fifth) in [
        (format!("{s}recs [s]*N\n"), "/recs/3.t", "/recs/5.t"),
        (format!("{s}recs [/ n = s]*N\n"), "/recs/3/n.t", "/recs/5/n.t"),
        ("N : u1\nrecs [/ K : u1  t = i1[K]]*N\n".to_owned(), "/recs/3/t", "/recs/5/t"),
        (format!("{s}recs [/ l [s]*1]*N\n"), "/recs/3/l/0.t", "/recs/5/l/0.t"),
    ] {
        folder.write("x.dud", &layout);
        folder.write("x.bd", b"\xc8\x02ab\x01c\x02de\x03fgh\x01z\x02");
        let said = folder.finds(&format!("{RAW} --all"));
        assert!(said.contains(&format!("0000000a  66 67 68{:43}{third}  |i1[3]", "")), "{said}");
        let cut = format!("{fifth}  |i1[2]\n{:61}!! the stream ends here: 2 bytes are missing", "");
        assert!(said.contains(&cut), "{said}");
        assert!(!said.contains("repetitions") && !said.contains("gap"), "{said}");
        let said = folder.finds(RAW);
        assert!(said.contains("7 bytes: 3 repetitions of /recs"), "{said}");
        assert!(!said.contains("/recs/199.") && !said.contains("/recs/254"), "{said}");
    }
    // One that can be reached, and not measured.
    folder.write("x.dud", format!("{s}recs [s]*N\n"));
    folder.write("x.bd", [&[12][..], &[1; 22], &[3, 0, 0]].concat());
    let said = folder.finds(RAW);
    assert!(said.contains("/recs/11.K  |u1 = 3"), "{said}");
    assert!(said.contains("17 03") || said.contains("00000017  03"), "{said}");
}

#[test]
fn cut_signatures() {
    let folder = Folder::packed("");
    for length in [8, 11, 15] {
        folder.write("cut.bd", &folder.bytes("run.bd")[..length]);
        let said = folder.finds("dump cut.bd --hex");
        assert!(said.contains("8d 3c 42 44 0d 0a 1a 0a  "), "{said}");
        assert!(said.contains("signature  native stream"), "{said}");
        assert!(said.contains(&format!("ends here: {}", missing(16 - length))), "{said}");
        assert!(said.contains("error: "), "{said}");
    }
}

/// Of a stream whose layout is not there, or not all of it, all bytes are shown.
#[test]
fn cut_layouts() {
    let folder = Folder::packed("--attach");
    let whole = folder.bytes("run.bd");
    let address = u64::from_le_bytes(whole[8..16].try_into().expect("an address")) as usize;
    for length in [whole.len() - 4, whole.len() - 100, address] {
        folder.write("cut.bd", &whole[..length]);
        let said = folder.finds("dump cut.bd --hex --all");
        assert!(said.contains("signature  native stream"), "{said}");
        let last = (length - 1) / 16 * 16;
        assert!(
            said.contains("\n00000010  03 ") && said.contains(&format!("\n{last:08x}  ")),
            "{said}"
        );
        assert!(said.contains("error"), "{said}");
    }
}

/// Paths of ASDF files are those of the tree; the bytes of arrays lie in its blocks.
#[test]
fn arrays_of_asdf_files() {
    let folder = Folder::packed("");
    folder.write("x.json", "{\"rho\": [1.0, 2.0, 3.0, 4.0], \"b\": [[1, 2], [3, 4]]}");
    folder.write("x.dud", "rho = f8[4]  ## density\nb = <i2[2, 2]\n");
    folder.done("pack x.dud -o x.bd --data x.json --attach");
    folder.done("convert x.bd x.asdf");
    let rows = |path: &str| {
        let text = folder.done(&format!("dump x.asdf {path} --hex"));
        let rows = text.lines().map(|line| line.chars().skip(10).collect::<String>());
        rows.map(|row| row.split_whitespace().collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
    };
    let b = rows("/b[1,:]");
    assert_eq!(b, ["03 00 04 00 /b[1,:] <i2[2] = [3, 4]"]);
    assert_eq!(rows("/b[:,1]")[1..], ["02 00 /b[0, 1] <i2 = 2", "04 00 /b[1, 1] <i2 = 4"]);
    assert_eq!(rows("/b"), ["01 00 02 00 03 00 04 00 /b <i2[2, 2] = [1, 2, 3, 4]"]);
    assert!(rows("/").iter().any(|row| row.ends_with("[2] 3.0, 4.0")), "{:?}", rows("/"));
    for (path, said) in [("/nothing", "nothing"), ("/b[3]", "out of range")] {
        assert!(folder.finds(&format!("dump x.asdf {path} --hex")).contains(said), "{path}");
    }
    folder.done("convert x.bd z.asdf --recompress zlib");
    let text = folder.done("dump z.asdf /rho[1:3] --hex");
    assert!(text.contains("/rho  zlib of <f8[4]") && text.contains("shown whole"), "{text}");
}

/// The first lines that a command writes; it is not waited for.
fn first_lines(folder: &Folder, words: &str, count: usize) -> Vec<String> {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_dudc"));
    command
        .args(words.split(' '))
        .current_dir(folder.path("."))
        .stdout(std::process::Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    let out = std::io::BufReader::new(child.stdout.take().expect("an output"));
    let lines = out.lines().take(count).map(|line| line.expect("a line")).collect();
    let _ = child.kill();
    child.wait().expect("it ends");
    lines
}

#[test]
fn what_is_long_is_not_gathered_before_it_is_shown() {
    let folder = Folder::empty();
    folder.sparse("list.bd", "l [/ n = i4  x = f8]*4000000000\n-\n", 4_000_000_000 * 16);
    for words in ["dump list.bd /l[5:] --all", "dump list.bd /l[5:] --hex --all"] {
        let lines = first_lines(&folder, words, 3);
        assert!(lines[2].contains("/l/6/n"), "{words}: {lines:?}");
    }
    // Nor are params looked for where there are none.
    let lines = first_lines(&folder, "dump list.bd /l[5:] --format json", 6);
    assert!(lines[5].contains("/l/5/n"), "{lines:?}");
    // Of an array of structs beside an item with an address, too.
    let text = "s = {a = i4  b = f8}[4000000000]\nz = u1 @64000000016\n-\n";
    folder.sparse("structs.bd", text, 4_000_000_000 * 16 + 8);
    let lines = first_lines(&folder, "dump structs.bd --hex --all", 5);
    assert!(lines[4].contains("/s[0].b"), "{lines:?}");
    // Nor are lists beside such an item, to their end.
    let text = "l [/ n = i4  x = f8]*4000000000\nz = u1 @64000000016\n-\n";
    folder.sparse("both.bd", text, 4_000_000_000 * 16 + 8);
    let lines = first_lines(&folder, "dump both.bd --hex --all", 40);
    assert!(lines[5].contains("/l/1/n") && lines.iter().any(|line| line.contains("/l/9/x")));
    let last = folder.done("dump both.bd --hex --all --range -24:");
    assert!(last.contains("/l/3999999999/x") && last.contains("/z"), "{last}");
}

#[test]
fn items_in_gaps_of_lists_take_turns_with_theirs() {
    let folder = Folder::empty();
    let text = "N : i8\nl [/ a = i4  b = f8  m [ i1 ]*9 ]*N\nz = u1 @290\nq = u1 @9000\n-\n";
    folder.sparse("gaps.bd", text, 9000);
    let mut bytes = folder.bytes("gaps.bd");
    bytes[16] = 100;
    folder.write("gaps.bd", bytes);
    let order = ["/l/10/a ", "/l/10/b ", "/l/10/m/4 ", "/l/10/m/8 ", "/z ", "/l/11/a "];
    for (range, more) in [("--all", &["/l/99/m/8 ", "/q "][..]), ("--range 268:296", &[])] {
        let said = folder.done(&format!("dump gaps.bd --hex {range}"));
        let places: Vec<_> = order.iter().chain(more).map(|path| said.find(path)).collect();
        assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{range}: {said}");
        assert!(!said.contains("back to"), "{said}");
    }
    let said = folder.done("dump gaps.bd --hex");
    assert!(said.contains("/z ") && said.contains("96 repetitions of /l"), "{said}");
}

/// Their addresses may go back, so none is looked for between others.
#[test]
fn a_range_in_lists_whose_items_say_their_addresses() {
    let folder = Folder::empty();
    // Each item says where its number lies, and the next item begins behind that: here, before this one.
    let mut bytes = vec![0_u8; 200];
    let mut here = 1;
    bytes[0] = 20;
    for index in 0..20_u8 {
        let there = 190 - 8 * index;
        bytes[here] = there;
        here = usize::from(there) + 4;
        bytes[usize::from(there)..here].copy_from_slice(&[index, 0, 0, 0]);
    }
    folder.write("x.bd", bytes);
    folder.write("x.dud", "N : u1  l [/ p : u1  x = <u4 @p]*N\n");
    let said = folder.done(&format!("{RAW} --range 60:64"));
    assert!(said.contains("/l/16/x  <u4 = 16"), "{said}");
    assert!(!said.contains("/l/15/") && !said.contains("/l/17/x"), "{said}");
}

#[test]
fn items_in_gaps_of_structs_take_turns_with_their_fields() {
    let folder = Folder::empty();
    folder.sparse("gaps.bd", "s = {a = i4  b = f8 @24}[2]\nz = i4 @24\n-\n", 64);
    let said = folder.done("dump gaps.bd --hex --all");
    let places = ["/s[0].a", "/z", "/s[0].b", "/s[1].a"].map(|path| said.find(path));
    assert!(places.is_sorted(), "{said}");
    assert!(!said.contains("back to"), "{said}");
}

#[test]
fn a_range_without_a_byte_of_a_path_is_told() {
    let folder = Folder::packed("--attach");
    let said = folder.run("dump run.bd /grp/rho --hex --range 0:4");
    assert_eq!((said.status, said.out.as_str()), (1, ""));
    assert!(said.err.contains("nothing of what is asked for lies from 0x0 up to 0x4"), "{said:?}");
}

fn missing(bytes: usize) -> String {
    if bytes == 1 { "1 byte is missing".to_owned() } else { format!("{bytes} bytes are missing") }
}

/// What no field of a struct has is padding up to the end of it, also where nothing comes behind.
#[test]
fn padding_at_the_end_of_structs() {
    let folder = Folder::packed("");
    folder.write("x.dud", "v = {n : u1  s = {a = f8  b = i1}}\nx = {s = {a = f8  b = i1}}[2]\n");
    folder.write("x.bd", vec![0; 68]);
    let text = folder.done(RAW);
    for said in
        ["7 bytes at the end of /v.s\n", "7 bytes at the end of /x[1].s\n", "gap, 12 bytes\n"]
    {
        assert!(text.contains(said), "{said}: {text}");
    }
    let json = folder.done(&format!("{RAW} --format json"));
    assert!(!json.contains("\"bytes\": 0") && json.contains("at the end of /x[1].s"), "{json}");
}

/// Bytes that no item has at the end of a list which is cut off are shown in a range of addresses too.
#[test]
fn what_no_item_of_a_list_has_is_shown_in_a_range() {
    let folder = Folder::empty();
    folder.write("x.dud", "l [/ N : i1  a = i4[N] ]*200\n");
    folder.write("x", [1, 0, 0, 0, 7, 0, 0, 0, 2, 5, 6]);
    for range in ["", "--range=8:11", "--range=9:11"] {
        let said = folder.run(&*format!("dump x --hex --layout x.dud --raw {range}"));
        assert!(
            said.out.contains("05 06") && said.out.contains("gap, 2 bytes"),
            "{range}: {said:?}"
        );
    }
}

/// Headers of other formats are shown part by part, between the items where they lie there.
#[test]
fn headers_of_other_formats_are_shown() {
    let folder = Folder::with(&[
        ("x.dud", "N : i8\nx = f8[N]  ## (m) along\ny = i2[3]\n"),
        ("x.json", r#"{"N": 2, "x": [1, 2], "y": [3, 4, 5]}"#),
    ]);
    folder.done("pack x.dud -o x.bd --data x.json --attach");
    let parts = |file: &str| -> Vec<(u64, u64, String)> {
        let shown = folder.json(&["dump", file, "--hex", "--format", "json"]);
        let text = |part: &serde_json::Value| part["path"].as_str().unwrap_or_default().to_owned();
        let number = |part: &serde_json::Value, key: &str| part[key].as_u64().expect("a number");
        let parts = shown["parts"].as_array().expect("parts").iter();
        parts.map(|it| (number(it, "address"), number(it, "bytes"), text(it))).collect()
    };
    for (file, expected) in [
        ("x.nc", &["dimension `N`", "variable `x`", "attribute `units` of `x`", "/x", "/y"][..]),
        ("x.fits", &["HDU 0: SIMPLE", "HDU 1: XTENSION", "/x", "HDU 2: XTENSION", "/y"]),
    ] {
        folder.done(&format!("convert x.bd {file}"));
        let parts = parts(file);
        // One after the other, and nothing is missing.
        let mut end = 0;
        for (address, bytes, path) in &parts {
            assert_eq!(*address, end, "{file}: {path}: {parts:?}");
            end += bytes;
        }
        assert_eq!(end, std::fs::metadata(folder.path(file)).expect("a file").len());
        let mut found = parts.iter().map(|(.., path)| path.as_str());
        for wanted in expected {
            assert!(found.any(|path| path == *wanted), "{file}: {wanted}: {parts:?}");
        }
        let human = folder.done(&format!("dump {file} --hex"));
        assert!(human.contains(expected[0]), "{human}");
    }
}
