//! Do the Python modules that are made of layouts read streams as the engine does?
//!
//! A folder gets, for each case, a module, a stream, and what the engine reads of it: the known
//! streams, and random layouts with random bytes, in both orders, native and raw, with a base. A
//! script imports each and says what differs.

use std::fs;
use std::path::Path;

use dudley::elements::Builder;
use dudley::read::listing::{Row, list};
use dudley::{ByteOrder, Open, Stream, Value, parse_layout};
use dudley_parser::layout::Scope;
use dudley_parser::resolve::WalkOptions;
use dudley_tests::expressions::{self, VALUES};
use dudley_tests::known;
use dudley_tests::presented::{self, cases};
use dudley_tests::python::Python;
use dudley_tests::random::{bytes, layout};
use proptest::prelude::prop;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use serde_json::{Value as Json, json};

/// How many random layouts.
const RANDOM: usize = 400;

/// Items larger than this are not compared.
const LARGE: u64 = 1 << 20;

/// All that the engine reads: params and items by path; text where an error is expected. Then the params that
/// have one value, and whether nothing was left out.
fn read(stream: &Stream) -> Json {
    let mut params = serde_json::Map::new();
    let mut items = Vec::new();
    let mut single = Vec::new();
    let mut whole = true;
    let walk = WalkOptions::elide_above(16);
    list(stream, walk, &mut |resolver, row| {
        match row {
            Row::Param(row) => {
                let value = row.value.map_or_else(|_| "fault".into(), |value| json!(value as i64));
                if let Scope::Dict(_) = stream.layout()[row.param].scope {
                    single.push(row.path.clone());
                }
                params.insert(row.path, value);
            }
            Row::Item(row) => {
                let mut item = json!({ "path": row.path });
                if let Ok(data) = &row.data {
                    item["shape"] = data.shape().into();
                    item["address"] = data.begin().into();
                    item["bytes"] = data.bytes().into();
                }
                let small = row.data.as_ref().is_ok_and(|data| data.bytes() < LARGE);
                let mut builder = Builder::default();
                if small && row.emit(resolver, &mut builder, false).is_ok() {
                    item["value"] = known::spell(&builder.finish());
                }
                items.push(item);
            }
            Row::Elided { .. } => whole = false,
            _ => {}
        }
        Ok(())
    })
    .expect("a listing");
    json!({ "params": params, "items": items, "single": single, "whole": whole })
}

/// Writes a case into the folder.
fn case(folder: &Path, name: &str, layout: &str, stream: &[u8], how: &Json, open: Open) {
    let parsed = parse_layout(layout.as_bytes()).expect("a layout");
    let module = dudley_codegen::numpy(&parsed, name).expect("a module");
    let Ok(opened) = open.layout(parsed).bytes(stream) else { return };
    let mut expected = read(&opened);
    expected["layout"] = layout.into();
    expected["how"] = how.clone();
    let file = |extension: &str| folder.join(format!("{name}.{extension}"));
    fs::write(file("py"), module).expect("a file");
    fs::write(file("bin"), stream).expect("a file");
    fs::write(file("json"), expected.to_string()).expect("a file");
}

/// Runs the script on a folder; it prints what differs.
fn compare(python: &Python, folder: &Path, at_least: usize) {
    let printed = python.run("numpy_module.py", folder, &[]);
    let (count, differ) = printed.split_once('\n').expect("a line");
    let count: usize = count.parse().expect("a number");
    assert!(count >= at_least, "only {count} items were compared");
    assert!(differ.trim().is_empty(), "{differ}");
}

#[test]
fn known_streams() {
    let Some(python) = Python::get() else { return };
    let temporary = tempfile::tempdir().expect("a folder");
    for (number, folder) in known::folders().iter().enumerate() {
        for stream in known::streams(folder) {
            let expected = known::json(&stream.join("expected.json"));
            let layout = fs::read_to_string(stream.join("layout.dud")).expect("a layout");
            let bytes = fs::read(stream.join(expected["stream"].as_str().unwrap_or_default()))
                .expect("a stream");
            let mut open = Open::new();
            for (name, value) in expected["supplied"].as_object().into_iter().flatten() {
                open = open.param(name, value.as_i64().unwrap_or_default());
            }
            if let Some(order) = known::order(&expected["caller_order"]) {
                open = open.order(order);
            }
            let raw = expected["kind"] == "raw";
            let open = if raw { open.raw() } else { open };
            let how = json!({
                "raw": raw,
                "order": expected["caller_order"],
                "params": expected["supplied"],
            });
            let name = stream.file_name().unwrap_or_default().to_string_lossy();
            case(temporary.path(), &format!("case{number}_{name}"), &layout, &bytes, &how, open);
        }
    }
    compare(python, temporary.path(), 200);
}

#[test]
fn random_streams() {
    let Some(python) = Python::get() else { return };
    let temporary = tempfile::tempdir().expect("a folder");
    let mut runner = TestRunner::deterministic();
    for number in 0..RANDOM {
        let text = layout().new_tree(&mut runner).expect("a layout").current();
        let mut stream = bytes().new_tree(&mut runner).expect("bytes").current();
        assert!(parse_layout(text.as_bytes()).is_ok(), "{text}");
        let big = number % 3 == 0;
        let order = if big { ByteOrder::Big } else { ByteOrder::Little };
        let (mut how, mut open) = (json!({}), Open::new());
        match number % 4 {
            0 => {
                let magic: &[u8] = if big { b"\x8d>BD\r\n\x1a\n" } else { b"\x8d<BD\r\n\x1a\n" };
                stream.splice(..16, [magic, &[0; 8]].concat());
            }
            1 => {
                how = json!({ "raw": true, "order": order.symbol().to_string(), "base": 7 });
                open = open.raw().order(order).base(7);
            }
            _ => {
                how = json!({ "raw": true, "order": order.symbol().to_string() });
                open = open.raw().order(order);
            }
        }
        if number % 5 == 0 {
            how["params"] = json!({ "M": 2 });
            open = open.param("M", 2);
        }
        case(temporary.path(), &format!("random{number}"), &text, &stream, &how, open);
    }
    compare(python, temporary.path(), RANDOM);
}

/// Arrays that are not stored row by row, and views of some (7.7 of the language).
#[test]
fn presented_arrays() {
    let Some(python) = Python::get() else { return };
    let temporary = tempfile::tempdir().expect("a folder");
    let mut runner = TestRunner::deterministic();
    for number in 0..60 {
        let (arrays, stream) = cases().new_tree(&mut runner).expect("arrays").current();
        let spliced =
            "s/ \"\" = { k = u1  m = u2[2, 3]  #: order = \"F\"\n}[2, 2]  #: order = \"F\"\n";
        let text = presented::layout(&arrays) + spliced;
        let stream = [stream, (0..52).collect()].concat();
        let how = json!({ "raw": true });
        case(temporary.path(), &format!("views{number}"), &text, &stream, &how, Open::new().raw());
    }
    compare(python, temporary.path(), 60);
}

/// Sums that are factors, or stand in brackets, must fit as well as what they are parts of.
#[test]
fn expressions_come_to_what_the_engine_says() {
    let mut runner = TestRunner::deterministic();
    let temporary = tempfile::tempdir().expect("a folder");
    let (mut legal, mut asked) = (0, 0);
    for number in 0..100 {
        let trees = prop::collection::vec(expressions::tree(), 30);
        let trees = trees.new_tree(&mut runner).expect("expressions").current();
        let values = prop::collection::vec(prop::sample::select(VALUES.to_vec()), 3);
        let values = values.new_tree(&mut runner).expect("values").current();
        let stream: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
        let text = expressions::layout(&trees);
        let open = Open::new().raw().order(ByteOrder::Little);
        let opened = open.clone().layout(parse_layout(text.as_bytes()).expect("a layout"));
        let items = read(&opened.bytes(&*stream).expect("a stream"))["items"].take();
        for (tree, item) in trees.iter().zip(items.as_array().expect("items")) {
            let length = tree.length(&values).map(|length| json!([length]));
            assert_eq!(item.get("shape"), length.as_ref(), "{} of {values:?}", tree.text());
            legal += usize::from(length.is_some());
            asked += 1;
        }
        case(temporary.path(), &format!("sums{number}"), &text, &stream, &json!({}), open);
    }
    assert!(legal > asked / 10 && legal < asked * 9 / 10, "{legal} of {asked}");
    let Some(python) = Python::get() else { return };
    let printed = python.run("numpy_shapes.py", temporary.path(), &[]);
    assert_eq!(printed.trim(), asked.to_string(), "not all are alike");
}

/// Names and texts that mean something in Python, and things that are rarely together.
const ODD: [&str; 18] = [
    "## \"\"\" \\ ends nothing\nl : 2\nI = f8[l]  ## (\"\"\\) \"\"\"\nO/ at = u1 root = u1[l, l]",
    "\"class\" : 2  def : 3\n\"a b\" = i1[class]  \"\u{e9}\u{202e}\" = i1  import = u1[def]\n\"\" = i1",
    "items [u1]*2  keys/ walk = u1 item = u1 params = u2 ..\nvalues/ \"0\" = u1 \"x/y\" = u1",
    "T {class : u1  lambda = u1[class]  N : u1  N = u1}\nx = T[2]  y = {N : u1  N = u1}[2]",
    "N : 2  x = u1[N]  N : 3  y = u1[N]  d/ N : 1  N : 2 z = u1[N]",
    "l [[[[u1]*2, i2]*2]*2]*3\nm [/ a [u2, i1]*2  b [i1]*0  b[2]]*2 m[2]",
    "A {\"\" = u1}  B {\"\" = A[2]}  C {x = B[2] y = {z = A}[2]} x = C[2] \"\" = {a = B b = C}[2]",
    "n : 2 x = {a = u1 @4  b = u1 @0} %2 [n]  y = {s = U2[2] t = U4[1] u = b1 v = c4}[n] z = S1[2, -1]",
    "x = {K : u1  y = {w = u1[K]}[2]  z = u1 @K+3}[2]  t = {}[3]  u = f8[0, -1] %16  v = u1",
    "N : 0 #: to_end\nd/ x = u2[N] @4091",
    "N : 0 #: to_end\nh = u1[3]  \"\" = {a = i2  b = u1[3]}[N]",
    "N : 0 #: to_end\nh = u1[3]  x = {n : u1  v = u2[n]}[N, 2]",
    "N : 0 #: to_end\nl [u1, f8]*2  g/ y = u1 ..  l[N]",
    "N : 0 #: to_end\nK : u1  l [/ n : u1  v = u4[n, K] ]*N  t = u1 @17",
    "N : 0 #: to_end\nK : 0  x = u1[N, K]  y = u1 @1",
    "N : 0 #: to_end\nl [u1[9000], u2]*N",
    "SIZE : 0 #: stream_bytes\nlen/ x = u1[SIZE-4000]  float/ y = u1[4100-SIZE] ..\nlen/ z = u1[SIZE-4090]",
    "x = {a = i1[0]} -> zlib  y = {}[2] -> lz4  z = {}[2] -> xz @9000  t = U1[0] -> gzip  w = i4 @8",
];

#[test]
fn odd_layouts() {
    let Some(python) = Python::get() else { return };
    let temporary = tempfile::tempdir().expect("a folder");
    let stream: Vec<u8> = (0..4096_u32).map(|at| (at % 3) as u8).collect();
    for (number, text) in ODD.iter().enumerate() {
        let how = json!({ "raw": true });
        let name = format!("odd{number}");
        case(temporary.path(), &name, text, &stream, &how, Open::new().raw());
    }
    compare(python, temporary.path(), 20);
}

/// A layout with a constant (spec 7.3), bytes that it can be, and bytes that it cannot.
type Constant = (&'static str, &'static [u8], &'static [u8]);

const CONSTANTS: [Constant; 24] = [
    ("m = S1[2]  #: const = [\"ab\"]", b"ab", b"ac"),
    ("m = S1[2,2]  #: const = \"ab\"", b"abab", b"abac"),
    ("m = S1[2,2]  #: const = [\"ab\", \"c\"]", b"abc\0", b"abcd"),
    ("m = S1[2,1,2]  #: const = [\"ab\", \"c\"]", b"abc\0", b"abcd"),
    ("m = u1[2,2]  #: const = [1, 2, 3, 4]", &[1, 2, 3, 4], &[1, 2, 1, 2]),
    ("m = u1[2,2]  #: const = [1, 2]", &[], &[1, 2, 1, 2]),
    ("m = u1[2]  #: const = 3.0", &[3, 3], &[3, 4]),
    ("m = b1[2]  #: const = 1", &[1, 9], &[1, 0]),
    ("m = f4  #: const = 0.1", &[0xcd, 0xcc, 0xcc, 0x3d], &[0xce, 0xcc, 0xcc, 0x3d]),
    ("m = f2[2]  #: const = 0.1", &[0x66, 0x2e, 0x66, 0x2e], &[0x66, 0x2e, 0x67, 0x2e]),
    ("m = c4[2]  #: const = [1, 2]", &[0, 60, 0, 64, 0, 60, 0, 64], &[0, 60, 0, 64, 0, 60, 0, 60]),
    ("m = c4[2]  #: const = 1", &[0, 60, 0, 60, 0, 60, 0, 60], &[0, 60, 0, 60, 0, 60, 0, 64]),
    (
        "m = c4[2]  #: const = [1, 2, 2, 1]",
        &[0, 60, 0, 64, 0, 64, 0, 60],
        &[0, 60, 0, 64, 0, 60, 0, 64],
    ),
    ("T {\"\" = u1[2]  #: const = [1, 2]\n}\nm = T[2]", &[1, 2, 1, 2], &[1, 2, 2, 1]),
    ("T {\"\" = u1[2]  #: const = [1, 2]\n}\nm = T[2]  #: const = 3", &[3, 3, 3, 3], &[1, 2, 1, 2]),
    ("T {\"\" = u1[2]  #: const = 1\n}\nU {\"\" = T[2]}\nm = U", &[1, 1, 1, 1], &[1, 1, 1, 2]),
    ("T {\"\" = S1[2]  #: const = \"ab\"\n}\nm = {a = T[2]}[2]", b"abababab", b"abababac"),
    ("m = {a = u1[2]  #: const = [1, 2]\n}[2,1]", &[1, 2, 1, 2], &[1, 2, 2, 1]),
    ("\"\" = {a = u1[2]  #: const = [1, 2]\n}[2]", &[1, 2, 1, 2], &[1, 2, 2, 1]),
    (
        "\"\" = {a = c4  #: const = [1, 2]\n}[2]",
        &[0, 60, 0, 64, 0, 60, 0, 64],
        &[0, 60, 0, 64, 0, 60, 0, 60],
    ),
    ("T {n : u1  \"\" = u1[n]  #: const = 7\n}\nm = T[2]", &[1, 7, 2, 7, 7], &[1, 7, 2, 7, 8]),
    ("T {n : u1  \"\" = f4[n] %1}\nm = T  #: const = [2]", &[1, 0, 0, 0, 64], &[1, 0, 0, 0, 65]),
    (
        "T {n : u1  \"\" = u1[2]  #: const = 7\n}\nm = T[2]",
        &[1, 7, 7, 2, 7, 7],
        &[1, 7, 7, 2, 7, 8],
    ),
    ("m = {n : u1  a = u1[n]  b = S1[2]  #: const = \"ab\"\n}", b"\x01zab", b"\x01zac"),
];

#[test]
fn constants_are_those_of_the_engine() {
    let Some(python) = Python::get() else { return };
    let temporary = tempfile::tempdir().expect("a folder");
    let mut count = 0;
    for (number, (text, right, wrong)) in CONSTANTS.iter().enumerate() {
        let layout = || parse_layout(text.as_bytes()).expect("a layout");
        let opened = |bytes: &[u8]| Open::new().raw().layout(layout()).bytes(bytes);
        let how = json!({ "raw": true });
        if !right.is_empty() {
            opened(right).unwrap_or_else(|error| panic!("{text}: {error}"));
            case(temporary.path(), &format!("right{number}"), text, right, &how, Open::new().raw());
        }
        let read = opened(wrong).and_then(|stream| {
            list(&stream, WalkOptions::default(), &mut |resolver, row| match row {
                Row::Item(row) => row.emit(resolver, &mut Builder::default(), false),
                _ => Ok(()),
            })
        });
        assert!(read.is_err(), "{text}: {wrong:?} is taken");
        let name = format!("wrong{number}");
        let path = if text.starts_with('"') { "/a" } else { "/m" };
        let expected = json!({
            "params": {}, "items": [{ "path": path }], "single": [], "whole": false, "layout": text, "how": how,
        });
        let file = |extension: &str| temporary.path().join(format!("{name}.{extension}"));
        let module = dudley_codegen::numpy(&layout(), &name).expect("a module");
        fs::write(file("py"), module).expect("a file");
        fs::write(file("bin"), wrong).expect("a file");
        fs::write(file("json"), expected.to_string()).expect("a file");
        count += 1;
    }
    compare(python, temporary.path(), count);
}

/// Constants guard the items behind them (spec 7.3a): the module refuses what the engine refuses, and reads all of it if
/// it is asked to.
#[test]
fn constants_guard_what_lies_behind_them() {
    const CASES: [(&str, &str, &[u8]); 17] = [
        ("m = u1  #: const = 7\nx = u1[2]", "/x", b"\x08ab"),
        ("m = u1  #: const = 7\nx = u1[2]", "/x", b"\x07ab"),
        ("N : u1  z = u1[N]  m = u1  #: const = 7\nM : u1  q = u1[M]", "/q", b"\x01a\x08\x01d"),
        ("N : u1  z = u1[N]  m = u1  #: const = 7\nM : u1  q = u1[M]", "/z", b"\x01a\x08\x01d"),
        ("N : u1  z = u1[N]  m = u1  #: const = 7\nM : u1  q = u1[M]", "/q", b"\x01a\x07\x01d"),
        ("N : i1  #: const = 3\nq = u1[N]", "/q", b"\x04abcd"),
        ("N : i1  #: const = 3\nq = u1[N]", "/q", b"\x03abcd"),
        ("x = u1[2]  h = {a = u1  b = S1[2]  #: const = \"ok\"\n}", "/x", b"xyano"),
        ("x = u1[2]  h = {b = {c = S1[2]  #: const = \"ok\"\n}}[2]", "/x", b"xyokno"),
        ("x = u1[2]  m = u1[9]  #: const = 1", "/x", b"xy\x01"),
        ("N : u1  x = u1[N]  m = u1 @1  #: const = 1", "/x", b"\x02xyz"),
        ("N : u1  d/ m = u1  #: const = 1\n..\ny = u1[2]", "/y", b"\x02\x00yz"),
        ("m = u1  #: const = 7\nl [/ n : u1  y = u1[n]]*2", "/l/1/y", b"\x07\x01a\x01b"),
        ("l [/ n : u1  #: const = 1\n y = u1[n]]*2", "/l/1/y", b"\x01a\x02bc"),
        ("l [/ n : u1  #: const = 1\n y = u1[n]]*2", "/l/0/y", b"\x01a\x02bc"),
        ("l [/ k = u1  #: const = 1\n n : u1  y = u1[n]]*2", "/l/1/y", b"\x01\x01a\x02\x01b"),
        ("l [/ k = u1  #: const = 1\n n : u1  y = u1[n]]*2", "/l/0/y", b"\x01\x01a\x02\x01b"),
    ];
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let (mut expected, mut cases) = (Vec::new(), Vec::new());
    for (at, (text, path, bytes)) in CASES.iter().enumerate() {
        let layout = parse_layout(text.as_bytes()).expect("a layout");
        let module = dudley_codegen::numpy(&layout, "guards").expect("a module");
        fs::write(folder.path().join(format!("guards{at}.py")), module).expect("a file");
        cases.push(json!([format!("guards{at}"), path, bytes]));
        for check in [true, false] {
            let open = Open::new().layout_text(text).expect("a layout").raw();
            let open = if check { open } else { open.wrong_constants(|_| ()) };
            let stream = open.bytes(bytes.to_vec());
            let read = stream.and_then(|stream| stream.get(path)?.data()?.read::<u8>());
            expected.push(read.map_or("StreamError".to_owned(), |read| {
                format!("{:?}", read.as_slice().unwrap_or(&[]))
            }));
        }
    }
    fs::write(folder.path().join("cases.json"), Json::from(cases).to_string()).expect("a file");
    let said = python.run("numpy_guards.py", folder.path(), &[]);
    assert_eq!(said.lines().collect::<Vec<_>>(), expected);
    assert_eq!(expected.iter().filter(|it| *it == "StreamError").count(), 9);
}

#[test]
fn what_needs_a_number_that_is_cut_off_does_not_keep_the_rest_from_being_read() {
    let Some(python) = Python::get() else { return };
    let temporary = tempfile::tempdir().expect("a folder");
    let layout = "x = u1\nN : i4 @62\ny = f4[-3+N]\nz = f4[16-N]\nlast = i4 @32";
    let how = json!({ "raw": true });
    case(temporary.path(), "cut", layout, &[1; 64], &how, Open::new().raw());
    // The members of a record, of which there is none.
    let layout = "a = i4\nK : i4\n\"\" = {q = i4[3,K]  r = {s = i2[K, K]}[2]  y = f8}[0]\n";
    case(temporary.path(), "none", layout, &[1, 0, 0, 0], &how, Open::new().raw());
    compare(python, temporary.path(), 4);
}

#[test]
fn calls_that_cannot_be_right_are_refused() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let text = "N : u1\nx = u1[N]\nl [/ n : u1 k : 3  v = u1[n]]*2\ns = {m : u1  v = u1[m]}";
    let layout = parse_layout(text.as_bytes()).expect("a layout");
    let module = dudley_codegen::numpy(&layout, "refused").expect("a module");
    fs::write(folder.path().join("refused.py"), module).expect("a file");
    let said = python.run("numpy_refused.py", folder.path(), &[]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines,
        [
            "ValueError: the stream starts at byte -8, expected 0 or more",
            "StreamError: stream: the stream starts at byte 11, the file has 10",
            "ValueError: the order is 'middle', expected `little` or `big`",
            "TypeError: param N is 'a', expected an integer",
            "KeyError: the layout has no param /M to give",
            "KeyError: the layout has no param /l/0/n to give",
            "KeyError: the layout has no param /s/m to give",
            "KeyError: the layout has no param /l/0/k to give",
            "1",
        ]
    );
}

#[test]
fn values_have_names() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let text = "#: stream = \"raw\"\nphase = u1[2]  #: names = [\"solid\", \"it's \\\"gas\\\"\"], values = [1, 7]\n\
                P : u1  #: names = [\"off\", \"on\"]\nN : 2\n\
                l [/ k = u1  #: names = [\"on\"]\n Q : u1  #: names = [\"a\"]\n]*N\nrest = u1";
    let layout = parse_layout(text.as_bytes()).expect("a layout");
    let module = dudley_codegen::numpy(&layout, "named").expect("a module");
    fs::write(folder.path().join("named.py"), module).expect("a file");
    let said = python.run("numpy_names.py", folder.path(), &[]);
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(
        lines,
        [
            "{1: 'solid', 7: 'it\\'s \"gas\"'} {0: 'on'} {}",
            "['solid', 'it\\'s \"gas\"']",
            "{0: 'off', 1: 'on'} {0: 'a'} {}",
            "{0: 'a'} {0: 'a'}",
        ]
    );
}

/// Params that are stored in each record, and that say nothing of where something lies, keep no column from being a view.
#[test]
fn columns_of_a_history_are_views() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let text = "NT : i4
hist [/ step : i4  at/ k : u1  .. / x = f4[2]  t = f8  text = S1[3]]*NT
rows [{a = i2  b = u1}]*2
sized [/ n : u1  v = u1[n, 0]]*2";
    let layout = parse_layout(text.as_bytes()).expect("a layout");
    let module = dudley_codegen::numpy(&layout, "history").expect("a module");
    fs::write(folder.path().join("history.py"), module).expect("a file");
    let mut writer = dudley::Writer::new(layout).param("/NT", 3);
    for at in 0..3_i16 {
        let number = f64::from(at);
        writer = writer
            .param(format!("/hist/{at}/:step"), i128::from(at) * 10)
            .param(format!("/hist/{at}/at/:k"), i128::from(at))
            .put(
                format!("/hist/{at}/x"),
                Value::Array(vec![Value::Float(number), Value::Float(0.5)]),
            )
            .put(format!("/hist/{at}/t"), number / 2.0)
            .put(format!("/hist/{at}/text"), Value::from(["ab", "", "abc"][at as usize]));
    }
    let row =
        |a: i128| Value::Struct(vec![("a".into(), Value::Int(a)), ("b".into(), Value::Int(a + 1))]);
    let writer = writer.put("/rows/0", row(1)).put("/rows/1", row(5));
    let none = || Value::Array(vec![Value::Array(Vec::new()); 2]);
    let writer = writer.param("/sized/0/:n", 2).put("/sized/0/v", none());
    let writer = writer.param("/sized/1/:n", 2).put("/sized/1/v", none());
    fs::write(folder.path().join("history.bin"), writer.to_bytes().expect("written"))
        .expect("a file");
    let said = python.run("numpy_columns.py", folder.path(), &[]);
    let expected = [
        "t [0.0, 0.5, 1.0] 1 at once view",
        "step [0, 10, 20] 1 at once view",
        ":step [0, 10, 20] 1 at once view",
        "at/k [0, 1, 2] 1 at once view",
        "x [[0.0, 0.5], [1.0, 0.5], [2.0, 0.5]] 1 at once view",
        "text ['ab', '', 'abc'] 1 at once copy",
        "[10, 20] 20",
        "[1, 5] [2, 6] ('a', 'b')",
        "[2, 2] [[[], []], [[], []]]",
        "'there is no `no` in `/hist/0`'",
        "'`/rows/0` is an array, there is no `no` in it'",
    ];
    assert_eq!(said.lines().collect::<Vec<_>>(), expected, "{said}");
}

/// A column of items that differ in size is gathered from where they lie, if it has one type and shape.
#[test]
fn columns_of_items_that_differ_in_size() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let text = "< %1
COUNT : i4
l [/ n : i4  v = u1[n]  t = f8  x = f4[2]  text = S1[3]  flag = b1
   deep/ k = u1  ..  z = c8  C {a = i2  b = u1}  c = C  m : u1  w = u1[2, 0]  none = u1[m]]*COUNT";
    let layout = parse_layout(text.as_bytes()).expect("a layout");
    let module = dudley_codegen::numpy(&layout, "varying").expect("a module");
    fs::write(folder.path().join("varying.py"), module).expect("a file");
    let said = python.run("numpy_varying.py", folder.path(), &[]);
    let expected = [
        "n Scattered (9,)",
        ":n Scattered (9,)",
        "t Scattered (9,)",
        "x Scattered (9, 2)",
        "text Scattered (9,)",
        "flag Scattered (9,)",
        "deep/k Scattered (9,)",
        "z Scattered (9,)",
        "c Values Values (9,)",
        "v /l[0:9]/v: the items differ, so that they are no array: uint8[0] and uint8[1] and uint8[4]",
        "m Scattered (9,)",
        "w Values Values (9, 2, 0)",
        "none /l[0:9]/none: the items differ, so that they are no array: uint8[0] and uint8[1]",
        "deep '/l[0:9]/deep: a column is of arrays, and `/l/0/deep` is none'",
        "no 'there is no `no` in `/l/0`; did you mean `none`?'",
    ];
    assert_eq!(said.lines().collect::<Vec<_>>(), expected, "{said}");
}

/// Lists of blocks are one array each (spec 7.5), however their blocks stand.
#[test]
fn arrays_in_blocks_are_one_array() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let text = "rho = >f4[4, 5] -> zlib  #: chunks = [3, 2]
none = f4[0, 3]  #: chunks = [2, 2]
P {a = >u2  b = u1} %1
p [P[2] %1, P[0], P[1] %1]  #: whole = [5], fill = [258, 3]
t = S1[3, 2]  #: chunks = [2, 2]
x [u1[2, 2], u1[2, 1], u1[0, 2], u1[1, 1]]  #: whole = [3, 3], fill = 46
y [u1[2]
#: start = [3]
, u1[3]
#: start = [0]
]  #: whole = [6], fill_bytes = [7]
l [/ z = i2[3] -> zlib  #: chunks = [2]
]*2";
    let rho: Vec<f32> = (0..20_u8).map(|at| f32::from(at) / 2.0).collect();
    let rho = dudley::ndarray::ArrayView::from_shape((4, 5), &rho).expect("as many");
    let none = dudley::ndarray::Array2::<f32>::zeros((0, 3));
    let x = dudley::ndarray::ArrayView::from_shape((3, 3), b"abcdef..i").expect("nine");
    let p = |a: u16, b: u8| {
        let fields = [("a", i128::from(a)), ("b", i128::from(b))];
        Value::Struct(fields.map(|(name, it)| (name.to_owned(), Value::Int(it))).to_vec())
    };
    let p = Value::Array(vec![p(1, 2), p(3, 4), p(258, 3), p(258, 3), p(5, 6)]);
    let bytes = dudley::Writer::new(parse_layout(text.as_bytes()).expect("a layout"))
        .put("/rho", &rho)
        .put("/none", &none)
        .put("/p", p)
        .put("/t", Value::Array(["ab", "c", ""].map(Value::from).to_vec()))
        .put("/x", &x)
        .put("/y/0", &[4_u8, 5][..])
        .put("/y/1", &[1_u8, 2, 3][..])
        .put("/l/0/z", &[1_i16, 2, 3][..])
        .put("/l/1/z", &[4_i16, 5, 6][..])
        .attach(true)
        .to_bytes();
    let bytes = bytes.expect("written");
    let stream = Open::new().bytes(bytes.clone()).expect("a stream");
    let module = dudley_codegen::numpy(stream.layout(), "blocks").expect("a module");
    fs::write(folder.path().join("blocks.py"), module).expect("a file");
    fs::write(folder.path().join("blocks.bin"), bytes).expect("a file");
    let paths = ["/rho", "/none", "/p", "/t", "/x", "/y", "/l/0/z", "/l/1/z"];
    let said = python.run("numpy_blocks.py", folder.path(), &paths);
    let expected = [
        "/rho [[0.0, 0.5, 1.0, 1.5, 2.0], [2.5, 3.0, 3.5, 4.0, 4.5], [5.0, 5.5, 6.0, 6.5, 7.0], [7.5, 8.0, 8.5, 9.0, 9.5]]",
        "/none []",
        "/p [[1, 2], [3, 4], [258, 3], [258, 3], [5, 6]]",
        "/t [\"ab\", \"c\", \"\"]",
        "/x [[97, 98, 99], [100, 101, 102], [46, 46, 105]]",
        "/y [1, 2, 3, 4, 5, 7]",
        "/l/0/z [1, 2, 3]",
        "/l/1/z [4, 5, 6]",
        "(3, 2) >f4",
    ];
    assert_eq!(said.lines().collect::<Vec<_>>(), expected, "{said}");
}

/// What numpy has no array for, or nobody knows the size of, is an error of the stream; a path that leads nowhere is
/// a `KeyError`, wherever it ends.
#[test]
fn what_cannot_be_read_is_told_by_its_path() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let text = "N : i8\nx = {a = i2  b = f4[3-N, 2]}[0]\nP : 4294967296\n\
                y = {a = i2  b = {c = f8[-1, P] d = i1}[2]}[0]\nz = {t = S1[P]}[0]\nq = u1[0, P, P]\n\
                w = S1[P]\nl [/ t = u1 ]*3\nv = {m : u1  c = u1[m]}[2]\n";
    let layout = parse_layout(text.as_bytes()).expect("a layout");
    let module = dudley_codegen::numpy(&layout, "unread").expect("a module");
    fs::write(folder.path().join("unread.py"), module).expect("a file");
    let said = python.run("numpy_unread.py", folder.path(), &[]);
    let said: Vec<&str> = said.lines().collect();
    let expected = [
        "StreamError: /x: a length or address comes out as -1",
        "StreamError: /y: numpy has no such array",
        "StreamError: /z: numpy has no such array",
        "StreamError: /q: numpy has no such array",
        "StreamError: stream: /w: 4294967296 bytes at address 8, but the stream ends after 64",
        "KeyError: `/l` is a list: its items have numbers, none is `x`",
        "KeyError: `/l/2/t` is an array, there is no `u` in it",
        "StreamError: /v: its structs differ in size, so that numpy has no array of them; `value` has them as dicts",
        "[{'m': 0, 'c': []}, {'m': 0, 'c': []}]",
    ];
    assert_eq!(said.len(), expected.len(), "{said:#?}");
    for (said, expected) in said.iter().zip(expected) {
        assert!(said.starts_with(expected), "{said}, not {expected}");
    }
}

/// Params are found by every path that listings and other tools call them by, and by their names.
#[test]
fn params_are_reached_by_their_paths() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let text = "N : u1\nd/ N : u1  \"p q\" : 3  \"x/y\" : 4  N : 5  e/ K : 6\n/\n\"c#2\" : 7\n\"\u{202e}\" : 8\n\
                l [u1, / M : u1  g/ K : u1]*2\n\"\u{2028}\u{85}\" = u1\n";
    let layout = parse_layout(text.as_bytes()).expect("a layout");
    let module = dudley_codegen::numpy(&layout, "params").expect("a module");
    fs::write(folder.path().join("params.py"), module).expect("a file");
    let said = python.run("numpy_params.py", folder.path(), &[]);
    let expected = include_str!("../../python/numpy_params.txt");
    assert_eq!(said.lines().collect::<Vec<_>>(), expected.lines().collect::<Vec<_>>(), "{said}");
}

#[test]
fn what_nests_too_deep_for_python_is_refused() {
    let made = |depth: usize| {
        let text = format!("P : 1\nl {}u1{}", "[".repeat(depth), "]".repeat(depth));
        dudley_codegen::numpy(&parse_layout(text.as_bytes()).expect("a layout"), "deep")
    };
    let refused = made(48).expect_err("too deep");
    assert!(refused.to_string().contains("nest deeper than 47,"), "{refused}");
    assert_eq!(refused.span, dudley_parser::span::Span::new(55, 56));
    let module = made(47).expect("a module");
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("unread.py"), module).expect("a file");
    // Python takes it, though what the script asks for is not there.
    assert!(python.run("numpy_unread.py", folder.path(), &[]).contains("KeyError"));
}
