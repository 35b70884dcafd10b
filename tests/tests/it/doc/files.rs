//! Files on pages: the program that reads them answers as its crate does, and a browser shows what is in
//! them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use dudley::bytes::FileSource;
use dudley::ndarray::Array;
use dudley::read::select::Picked;
use dudley::{Open, Writer, parse_layout};
use dudley_doc::Source;
use dudley_tests::{known, root};
use dudley_web::Session;
use serde_json::{Value as Json, json};

use super::skip;

/// Numbers of the array in a large file.
const MANY: usize = 5 << 20;

fn blast() -> Vec<u8> {
    let text = fs::read(root().join("dudc/demo/blast.dud")).expect("a layout");
    let mesh = |start: f64| Array::from_shape_fn((4, 5), |(j, i)| start + (5 * j + i) as f64);
    let (r, z, rho) = (mesh(0.0), mesh(0.5), Array::from_elem((3, 4), 1.0));
    let mut writer = Writer::new(parse_layout(&text).expect("a layout")).attach(true);
    for (name, value) in [("/IMAX", 5), ("/JMAX", 4), ("/NREC", 3)] {
        writer = writer.param(name, value);
    }
    writer = writer.put("/time", 1.5).put("/title", "a blast");
    writer = writer.put("/r", &r).put("/z", &z).put("/rho", &rho);
    for record in 0..3 {
        let of = |name: &str| format!("/history/{record}/{name}");
        let energy = 10.0 * f64::from(record + 1);
        writer = writer.put(of("t"), f64::from(record)).put(of("energy"), energy);
        writer = writer.put(of("front"), record as f32 + 0.5);
    }
    let file = tempfile::NamedTempFile::new().expect("a file");
    writer.write_file(file.path(), true).expect("space");
    fs::read(file.path()).expect("it is there")
}

/// Writes a stream of items with their values.
fn stream(folder: &Path, name: &str, layout: &str, items: &[(String, Vec<f64>)]) {
    let mut writer = Writer::new(parse_layout(layout.as_bytes()).expect("a layout")).attach(true);
    writer = writer.param("/N", 2);
    for (path, value) in items {
        writer = writer.put(path, value);
    }
    writer.write_file(folder.join(name), true).expect("space");
}

/// All files that are looked at.
fn files(folder: &Path) {
    let save = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).expect("space");
    let blast = blast();
    save("blast.bd", &blast);
    save("cut.bd", &blast[..300]);
    save("empty.bd", b"");
    save("noise.bd", &(0..500_u32).map(|at| (at * at % 251) as u8).collect::<Vec<_>>());
    let mut damaged = blast.clone();
    damaged[4] = b'X';
    save("damaged.bd", &damaged);
    let text = String::from_utf8_lossy(&blast).into_owned();
    let at = text.rfind("time = f8").expect("the layout");
    let at = blast.len() - (text.len() - at);
    let mut wrong = blast;
    wrong[at + 8] = b'9';
    save("wrong.bd", &wrong);
    save("raw.dat", &[0, 2, 1, 2, 0, 3]);
    let mut big = vec![0.0; MANY];
    (big[3], big[MANY - 1]) = (-3.0, 9.0);
    let layout = format!("N : i8\nbig = f8[{MANY}]\nafter = f8[1]");
    let items = [("/big".to_owned(), big), ("/after".to_owned(), vec![7.0])];
    stream(folder, "large.bd", &layout, &items);
    let items: Vec<_> =
        (0..1800).map(|at| (format!("/g/v{at}"), vec![f64::from(at), 1.0])).collect();
    stream(folder, "many.bd", &many(), &items);
    let layout = format!("{}-\n", super::HOSTILE);
    let mut hostile = b"\x8d<BD\r\n\x1a\n\0\x04\0\0\0\0\0\0\x01\0\0\0\0\0\0\0".to_vec();
    hostile.resize(1024, b'<');
    hostile.extend(layout.bytes());
    save("hostile.bd", &hostile);
}

/// A layout of many items.
fn many() -> String {
    let items: String = (0..1800).map(|item| format!("  v{item} = f8[N]\n")).collect();
    format!("N : i8\ng/\n{items}")
}

fn node() -> Option<String> {
    super::program(&["node"])
}

/// Each file with the page that it is dropped on: the text of its layout, whether it is raw, big-endian.
fn sessions(folder: &Path) -> Vec<(PathBuf, Json)> {
    let blast = fs::read_to_string(root().join("dudc/demo/blast.dud")).expect("a layout");
    let of = |name: &str, layout: Option<&str>| {
        (folder.join(name), json!({"do": "open", "layout": layout, "raw": false}))
    };
    let mut all: Vec<(PathBuf, Json)> =
        ["blast.bd", "cut.bd", "empty.bd", "noise.bd", "damaged.bd", "wrong.bd", "hostile.bd"]
            .map(|name| of(name, Some(&blast)))
            .into();
    all.extend([of("blast.bd", None), of("noise.bd", None), of("many.bd", None)]);
    // As deep as layouts nest, and deeper.
    for depth in [60, 200, 255, 256, 257, 2000] {
        let layout = format!("x = {}u1{}", "{a = ".repeat(depth), "}".repeat(depth));
        all.push(of("noise.bd", Some(&layout)));
        let layout = format!("{}u1{}", "l [".repeat(depth), "]*2".repeat(depth));
        all.push(of("noise.bd", Some(&layout)));
    }
    let raw = json!({"do": "open", "layout": "N : u2 x = u2[N]", "raw": true, "big": true});
    all.push((folder.join("raw.dat"), raw));
    for case in known::folders().iter().flat_map(|folder| known::streams(folder)) {
        let expected = known::json(&case.join("expected.json"));
        let name = expected["stream"].as_str().unwrap_or_default();
        let layout = fs::read(case.join("layout.dud")).expect("a layout");
        let open = json!({
            "do": "open",
            "layout": String::from_utf8_lossy(&layout),
            "raw": name.ends_with(".bin"),
            "big": expected["caller_order"] == ">",
        });
        all.push((case.join(name), open));
    }
    all
}

#[test]
fn the_committed_reader_answers_as_the_crate_does() {
    let Some(node) = node() else { return skip("no node to run WebAssembly") };
    let folder = tempfile::tempdir().expect("a folder");
    files(folder.path());
    let mut given = String::new();
    let mut expected = Vec::new();
    for (file, open) in sessions(folder.path()) {
        let length = fs::metadata(&file).expect("a file").len();
        let mut requests = vec![open, json!({"do": "rows", "word": "", "from": 0, "count": 5000})];
        requests.extend((0..12).map(|row| json!({"do": "numbers", "row": row})));
        requests.push(json!({"do": "bytes", "address": 0, "count": 1 << 20}));
        requests.push(json!({"do": "bytes", "address": length / 2, "count": 256}));
        let step = length / 64 + 1;
        let elements = (0..length.min(10_000)).step_by(step as usize);
        requests.extend(elements.map(|at| json!({"do": "element", "address": at})));
        let mut session = Session::default();
        let source = || FileSource::open(&file).expect("a file");
        let answers: Vec<String> =
            requests.iter().map(|one| session.answer(&one.to_string(), source)).collect();
        given += &format!("{}\n", json!({"file": file, "requests": requests}));
        expected.push((file.clone(), requests, answers));
    }
    let mut child = Command::new(node)
        .arg(super::scripts().join("reader.js"))
        .arg(root().join("dudley-doc/assets/reader.js"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("node");
    let mut input = child.stdin.take().expect("a pipe");
    let feed = std::thread::spawn(move || input.write_all(given.as_bytes()));
    let output = child.wait_with_output().expect("node");
    feed.join().expect("no panic").expect("all is read");
    assert!(output.status.success());
    let lines = String::from_utf8(output.stdout).expect("JSON");
    assert_eq!(lines.lines().count(), expected.len());
    for (line, (file, requests, answers)) in lines.lines().zip(expected) {
        let found: Json = serde_json::from_str(line).expect("JSON");
        for (at, answer) in answers.iter().enumerate() {
            let found = found["answers"][at].as_str().unwrap_or_default();
            assert!(
                found == answer,
                "{}: {}\nthe committed reader:\n{found}\nthe crate:\n{answer}\n\
                 `cargo xtask reader` makes it anew",
                file.display(),
                requests[at]
            );
        }
    }
}

#[test]
fn the_reader_finds_each_element_of_a_stream() {
    let bytes = blast();
    let stream = Open::new().bytes(bytes.clone()).expect("a stream");
    let mut session = Session::default();
    session.answer(r#"{"do": "open"}"#, || bytes.clone());
    let mut covered = 0;
    for at in 16..stream.len() {
        let answer =
            session.answer(&json!({"do": "element", "address": at}).to_string(), || vec![0_u8]);
        let found: Json = serde_json::from_str(&answer).expect("JSON");
        let Some(path) = found["path"].as_str() else { continue };
        covered += 1;
        let data = match stream.get(path) {
            Ok(item) => item.data().expect("a place"),
            Err(_) => match &stream.select(path).expect("a path").parts[..] {
                [Picked::Data(data)] => data.clone(),
                other => panic!("{path}: {other:?}"),
            },
        };
        assert_eq!(data.address(), found["address"].as_u64().expect("an address"), "{path}");
        assert!(data.address() <= at && at < data.address() + found["bytes"].as_u64().unwrap_or(0));
    }
    // All but what stands between the three records.
    assert_eq!(covered, stream.len() - 16 - 2 * 4);
}

#[test]
fn damaged_streams_are_answered() {
    let cases = known::folders().into_iter().flat_map(|it| known::streams(&it)).step_by(3);
    for (number, case) in cases.enumerate() {
        let expected = known::json(&case.join("expected.json"));
        let name = expected["stream"].as_str().unwrap_or_default();
        let layout = fs::read(case.join("layout.dud")).expect("a layout");
        let layout = String::from_utf8_lossy(&layout);
        let bytes = fs::read(case.join(name)).expect("a stream");
        for turn in 0..6 {
            let mut bytes = bytes.clone();
            let at = (number * 31 + turn * 97) % bytes.len().max(1);
            match turn {
                0 => bytes.truncate(at),
                _ => bytes.iter_mut().skip(at).take(turn).for_each(|byte| *byte ^= 0xa5),
            }
            let mut session = Session::default();
            let mut ask = |request: Json| {
                let answer = session.answer(&request.to_string(), || bytes.clone());
                assert!(serde_json::from_str::<Json>(&answer).is_ok(), "{answer}");
            };
            let raw = name.ends_with(".bin");
            ask(json!({"do": "open", "layout": layout, "raw": raw, "insists": turn % 2 == 1}));
            ask(json!({"do": "rows", "word": "", "from": 0, "count": 5000}));
            ask(json!({"do": "rows", "word": "A", "from": u64::MAX, "count": u64::MAX}));
            ask(json!({"do": "bytes", "address": 0, "count": 4096}));
            (0..20).for_each(|row| ask(json!({"do": "numbers", "row": row})));
            (0..20).for_each(|at| ask(json!({"do": "element", "address": at * 13})));
            ask(json!({"do": "element", "address": u64::MAX}));
            ask(json!({"do": "nothing"}));
        }
    }
}

#[test]
fn files_are_shown_in_a_browser() {
    let Some(node) = node() else { return skip("no node to drive a browser") };
    let Some(chromium) = super::program(&["chromium", "chromium-browser", "google-chrome"]) else {
        return skip("no chromium to look at pages with");
    };
    let folder = tempfile::tempdir().expect("a folder");
    files(folder.path());
    let site = |name: &str, text: &str, raw: bool, reader: bool| {
        let layout = super::checked(text);
        let mut source = Source::new("one.dud", &layout);
        source.options.raw = raw;
        source.options.order = raw.then_some(dudley::ByteOrder::Big);
        let mut site = dudley_doc::site(&[source]);
        if reader {
            site.push(dudley_doc::reader());
        }
        super::write(&folder.path().join(name), &site);
    };
    let blast = fs::read_to_string(root().join("dudc/demo/blast.dud")).expect("a layout");
    site("blast", &blast, false, true);
    site("alone", &blast, false, false);
    site("hostile", super::HOSTILE, false, true);
    site("raw", "N : u2 x = u2[N]", true, true);
    site("many", &many(), false, true);
    let mut command = Command::new(node);
    command.arg(super::scripts().join("files.js")).args([chromium.as_ref(), folder.path()]);
    command.args(std::env::var_os("DUDLEY_PICTURES"));
    let output = command.output().expect("node");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
