//! PDB files beside Yorick, which wrote them or reads those of Silo.

use std::path::Path;
use std::process::Command;

use dudley::elements::{Complex, Conversion};
use dudley::model::{Candidate, Dataset, Depth, Kind};
use dudley::{Data, Open, Severity, Value};
use dudley_tests::skip;
use proptest::prelude::*;

use crate::kit::{ask, corpus, findings, formats, read};

/// Runs a script of Yorick in a folder, and gives what it prints; `None` if there is no Yorick here.
fn yorick(script: &str, folder: &Path, arguments: &[&str]) -> Option<String> {
    let script = dudley_tests::root().join("tests/yorick").join(script);
    let mut command = Command::new("yorick");
    command.arg("-batch").arg(script).args(arguments).current_dir(folder);
    match command.stdin(std::process::Stdio::null()).output() {
        Ok(output) => {
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            Some(String::from_utf8_lossy(&output.stdout).into_owned())
        }
        Err(error) => {
            skip(&format!("no Yorick: {error}"));
            None
        }
    }
}

/// The path of what Yorick calls so.
fn path(name: &str) -> String {
    let (name, rest) = match name.find(['[', '.']) {
        Some(at) if !name.starts_with('/') => name.split_at(at),
        _ => (name, ""),
    };
    let names = name.split('/').filter(|part| !part.is_empty());
    let names: String = names.map(|part| format!("/\"{part}\"")).collect();
    names + rest
}

/// The bits of elements, of complex numbers those of all real parts first; and whether they are characters.
fn elements(data: &Data, kind: &str) -> (Vec<u64>, bool) {
    match kind {
        "long" => match data.read_as::<i64>(Conversion::Lossless) {
            Ok(array) => (array.iter().map(|number| *number as u64).collect(), false),
            Err(_) => (data.raw().expect("bytes").into_iter().map(u64::from).collect(), true),
        },
        "complex" => {
            let array = data.read_as::<Complex<f64>>(Conversion::Lossless).expect("numbers");
            let parts = array.iter().map(|number| number.re).chain(array.iter().map(|it| it.im));
            (parts.map(f64::to_bits).collect(), false)
        }
        _ => {
            let array = data.read_as::<f64>(Conversion::Lossless).expect("numbers");
            (array.iter().map(|number| number.to_bits()).collect(), false)
        }
    }
}

/// A file beside what Yorick reads of it: the arrays are equal, also where the engine alone reads them through the
/// layout. Gives their number.
fn expect(file: &Path) -> Option<usize> {
    let folder = tempfile::tempdir().expect("a folder");
    let said = yorick("pdb_read.i", folder.path(), &[file.to_str().expect("text"), "."])?;
    let dataset = formats().file(file, &Open::new()).expect("it is opened");
    let layout = dataset.layout().expect("a layout").expect("a layout");
    let alone = Open::new().layout_text(&layout.text).expect("it is good").raw().file(file);
    let alone = alone.expect("it is opened");
    let mut count = 0;
    for line in said.lines() {
        let words: Vec<&str> = line.split('\t').collect();
        let [name, kind, shape, raw] = words[..] else { panic!("{line}") };
        let path = path(name);
        if name.ends_with('/') {
            // A directory, of which Yorick knows nothing but a byte.
            let dict = if path.is_empty() { dataset.root() } else { dataset.get(&path) };
            assert_eq!(dict.expect("a dict").kind(), Kind::Dict, "{name}");
            continue;
        }
        let of = path.split(['.', '[']).next().expect("one").replace('"', "");
        let mut notes = layout.notes.iter().filter(|note| {
            note.path.as_ref().is_some_and(|path| of.starts_with(&path.replace('"', "")))
        });
        // Listed as addresses, or not at all, and floats of other kinds as bytes: each time with a note.
        if kind == "other" {
            assert!(notes.next().is_some(), "{name}");
            continue;
        }
        if notes.any(|note| note.why.contains("these are its bytes")) {
            continue;
        }
        let bytes = std::fs::read(folder.path().join(raw)).expect("what Yorick wrote");
        let bits = bytes.as_chunks::<8>().0.iter().map(|chunk| u64::from_ne_bytes(*chunk));
        let expected: Vec<u64> = bits.collect();
        let dims = shape.split_whitespace().map(|dim| dim.parse().expect("a number"));
        let shape: Vec<u64> = dims.collect();
        for (how, selected) in [("opened", dataset.select(&path)), ("alone", alone.select(&path))] {
            let selected = selected.unwrap_or_else(|error| panic!("{name} {how}: {error}"));
            let data = selected.data().unwrap_or_else(|| panic!("{name} {how}: no array"));
            let (found, is_text) = elements(data, kind);
            assert_eq!(found, expected, "{name} {how}");
            assert!(is_text || data.shape() == shape, "{name} {how}: {:?}", data.shape());
        }
        count += 1;
    }
    let found = findings(&Candidate::file(file, 0).expect("a file")).expect("it is read");
    assert!(found.iter().all(|it| it.severity < Severity::Error), "{found:?}");
    Some(count)
}

/// Files that Yorick has written.
fn written() -> Option<tempfile::TempDir> {
    let folder = tempfile::tempdir().expect("a folder");
    yorick("pdb_write.i", folder.path(), &[]).map(|_| folder)
}

#[test]
fn files_of_yorick_are_read_as_it_reads_them() {
    let Some(folder) = written() else { return };
    for (name, least) in [("native", 26), ("big", 18), ("little", 18), ("records", 17)] {
        let count = expect(&folder.path().join(name).with_extension("pdb"));
        assert!(count >= Some(least), "{name}: {count:?}");
    }
}

#[test]
fn files_of_silo_are_read_as_yorick_reads_them() {
    let Some(corpus) = corpus("pdb") else { return };
    let mut folders = vec![corpus];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if std::fs::read(&path).expect("a file").starts_with(b"!<<PDB:") {
                println!("{}: {:?} arrays", path.display(), expect(&path));
            }
        }
    }
}

/// A file with these types and symbols, and what is said behind them; `|` stands between words.
fn file(data: &[u8], chart: &str, symbols: &str, extras: &str) -> Vec<u8> {
    let formats = [
        &[36, 4, 2, 4, 4, 4, 8, 2, 2, 2, 4, 3, 2, 1, 8, 7, 6, 5, 4, 3, 2, 1][..],
        &[32, 8, 23, 0, 1, 9, 0, 64, 11, 52, 0, 1, 12, 0],
    ];
    let begin = [&b"!<<PDB:II>>!\n"[..], &formats.concat(), b"127\x011023\x01\n"].concat();
    let start = 128;
    let (chart_at, symbols_at) = (start + data.len(), start + data.len() + chart.len() + 2);
    let mut bytes = [&begin[..], format!("{chart_at}\u{1}{symbols_at}\u{1}\n").as_bytes()].concat();
    assert!(bytes.len() <= start);
    bytes.resize(start, 0);
    bytes.extend_from_slice(data);
    bytes.extend([chart, "\u{2}\n", symbols, "\n", extras].concat().replace('|', "\u{1}").bytes());
    bytes
}

fn open(bytes: &[u8]) -> dudley::Result<Dataset> {
    formats().source("bytes", bytes.to_vec(), &Open::new())
}

fn ints(values: &[i128]) -> Value {
    Value::Array(values.iter().map(|value| Value::Int(*value)).collect())
}

#[test]
fn entries_in_blocks_are_one_array_or_a_list_of_their_blocks() {
    let data: Vec<u8> = (1..=12_i32).flat_map(i32::to_le_bytes).collect();
    let symbols = "/apart|int|2|128|0|2|\n/together|int|2|136|0|2|\n/odd|int|4|128|0|2|0|2|\n";
    let extras = "Blocks:\n/apart|2 128 2 144 3\n/together|3 136 2 144 1\n152 2\n/odd|2 128 3 140 1\n\u{2}\n";
    // Blocks of `together` follow each other except for the last.
    let dataset = open(&file(&data, "int|4|\n", symbols, extras)).expect("it is opened");
    assert_eq!(read(&dataset, "/apart/0").expect("a block"), ints(&[1, 2]));
    assert_eq!(read(&dataset, "/apart/1").expect("a block"), ints(&[5, 6, 7]));
    let text = dataset.layout().expect("one").expect("one").text;
    assert!(text.contains("whole = [5]"), "{text}");
    assert_eq!(read(&dataset, "/apart").expect("the whole"), ints(&[1, 2, 5, 6, 7]));
    assert_eq!(read(&dataset, "/together").expect("the whole"), ints(&[3, 4, 5, 7, 8]));
    assert_eq!(read(&dataset, "/together/2").expect("a block"), ints(&[7, 8]));
    assert!(dataset.get("/odd").is_err());
    let extras = "Blocks:\n/together|2 136 2 144 3\n\u{2}\n";
    let dataset = open(&file(&data, "int|4|\n", symbols, extras)).expect("it is opened");
    assert_eq!(read(&dataset, "/together").expect("one array"), ints(&[3, 4, 5, 6, 7]));
}

#[test]
fn a_symbol_that_is_wrong_keeps_nobody_from_the_others() {
    let data: Vec<u8> = (1..=4_i32).flat_map(i32::to_le_bytes).collect();
    let chart = "int|4|\nvax|4|\nGood|8|int a|int b|\nLoop|8|int a|Loop b|\nShort|4|int a|int b|\ni4|4|int a|\n\
                 Bad|4|int|\nFar|8|Gone x|\nPtr|8|int *p|int n|\n";
    let symbols = "/dir/|Directory|1|0|\n/dir/good|Good|2|128|1|2|\n/dir/good|int|1|128|\n/named|i4|1|132|\n\
                   /loop|Loop|1|128|\n/short|Short|1|128|\n/bad|Bad|1|128|\n/far|Far|1|128|\n/vax|vax|1|128|\n\
                   /pointer|int *|1|128|\n/members|Ptr|1|128|\n/gone|Gone|1|128|\n/named/below|int|1|128|\n/few|int|\n\
                   /many|int|9223372036854775807|128|0|9223372036854775807|\n/behind|int|5000|128|\n/other|int|3|128|0|2|\n";
    let bytes = file(&data, chart, symbols, "Offset:1\n");
    let dataset = open(&bytes).expect("it is opened");
    let field = dataset.select("/dir/good.b").and_then(|it| it.value()).expect("a field");
    assert_eq!(field, ints(&[2, 4]));
    let named = dataset.select("/named.a").and_then(|it| it.value());
    assert_eq!(named.expect("a field"), Value::Int(2));
    assert_eq!(dataset.select("/members.n").and_then(|it| it.value()).expect("one"), Value::Int(2));
    let layout = dataset.layout().expect("a layout").expect("a layout");
    let notes: Vec<&str> = layout.notes.iter().filter_map(|note| note.path.as_deref()).collect();
    assert!(["/vax", "/pointer"].iter().all(|path| notes.contains(path)), "{notes:?}");
    let found = findings(&Candidate::source("bytes", bytes, 0)).expect("it is read");
    let wrong: Vec<&str> = found.iter().filter_map(|it| it.path.as_deref()).collect();
    for path in ["/dir/good", "/gone", "/named/below", "/few", "/many", "/behind", "/other"] {
        assert!(wrong.contains(&path), "{path}: {found:?}");
    }
    for name in ["Loop", "Short", "Bad", "Far"] {
        assert!(found.iter().any(|it| it.code == "struct" && it.message.contains(name)), "{name}");
    }
    assert!(read(&dataset, "/vax").is_ok() && read(&dataset, "/behind").is_err());
}

/// A file with all kinds of lines.
fn whole() -> Vec<u8> {
    let data: Vec<u8> = (1..=12_i32).flat_map(i32::to_le_bytes).collect();
    let chart = "int|4|\nGood|8|int a|int b|\nMore|24|Good g(2)|char c(3)|int *p|\n";
    let symbols = "/dir/|Directory|1|0|\n/dir/good|Good|2|128|1|2|\n/more|More|1|128|\n/apart|int|2|128|0|2|\n";
    let extras = "Offset:1\nAlignment:\u{1}\u{4}\u{2}\u{4}\u{4}\u{4}\u{4}\nLonglong-Format-Alignment:\u{8}\u{2}\u{8}\n\
                  Major-Order:102\nBlocks:\n/apart|2 128 2 144 3\n\u{2}\nPrimitive-Types:\n\
                  int|4|4|2|DEFORDER|FIX|\n\u{2}\n";
    file(&data, chart, symbols, extras)
}

#[test]
fn what_is_cut_off_is_no_part_of_a_file() {
    let bytes = whole();
    let found = findings(&Candidate::source("bytes", bytes.clone(), 0)).expect("it is read");
    assert!(found.iter().all(|it| it.severity < Severity::Error), "{found:?}");
    let end = bytes.windows(8).position(|it| it == b"\nOffset:").expect("a line");
    // Lists end with a line of their own, other lines where they end.
    let is_end = |length: usize| {
        let behind = &bytes[end + 1..length];
        let lists = [&b"Blocks:"[..], b"Primitive-Types:"];
        let open = lists.map(|list| behind.windows(list.len()).filter(|it| *it == list).count());
        behind.is_empty()
            || behind.ends_with(b"\n")
                && open.iter().sum::<usize>()
                    == behind.windows(2).filter(|it| it == b"\x02\n").count()
    };
    for length in 0..bytes.len() {
        let opened = formats().source("bytes", bytes[..length].to_vec(), &Open::new());
        let is_pdb = opened.as_ref().is_ok_and(|it| it.format() == "pdb");
        assert_eq!(
            is_pdb,
            length > end && is_end(length),
            "{length}: {:?}",
            opened.map(|it| it.format())
        );
    }
}

#[test]
fn words_that_decide_how_numbers_are_read_are_checked() {
    let good = whole();
    let replaced = |from: &str, to: &str| {
        let at = good.windows(from.len()).position(|it| it == from.as_bytes()).expect(from);
        [&good[..at], to.as_bytes(), &good[at + from.len()..]].concat()
    };
    for (from, to, why) in [
        ("Order:102", "Order:100", "neither 101 nor 102"),
        ("Order:102", "Order:one", "no number"),
        ("Offset:1", "Offset:x", "no number"),
        ("Alignment:\u{1}\u{4}", "Alignment:\u{1}", "seven types"),
        ("Format-Alignment:\u{8}\u{2}", "Format-Alignment:\u{8}\u{3}", "3 is no byte order"),
        ("\u{1}2 128 2", "\u{1}2 128", "without a count"),
        ("\u{1}2 128 2", "\u{1}2 128 x", "other words"),
        ("127\u{1}1023", "127\u{1}many", "biases"),
    ] {
        let error = open(&replaced(from, to)).expect_err(why).to_string();
        assert!(error.contains(why) && error.contains("address"), "{why}: {error}");
    }
    let mut bytes = good.clone();
    // The byte order of `int`, behind the count, six sizes and that of `short`.
    bytes[13 + 8] = 0;
    let error = open(&bytes).expect_err("no byte order").to_string();
    assert!(error.contains("0 is no byte order") && error.contains("address 21"), "{error}");
    // As many blocks as are said.
    let bytes = replaced("\u{1}2 128 2", "\u{1}3 128 2");
    let found = findings(&Candidate::source("bytes", bytes.clone(), 0)).expect("it is read");
    assert!(
        found.iter().any(|it| it.message.contains("in 3 blocks, and 2 are listed")),
        "{found:?}"
    );
    assert!(open(&bytes).expect("others are read").get("/apart").is_err());
}

#[test]
fn sizes_of_types_that_differ_are_named() {
    let data: Vec<u8> = (1..=4_i32).flat_map(i32::to_le_bytes).collect();
    let symbols = "/x|int|1|128|\n/y|short|1|136|\n";
    let primitive = |line: &str| format!("Primitive-Types:\n{line}\n\u{2}\n");
    for (chart, extras, code, why) in [
        (
            "int|8|\n",
            String::new(),
            "type",
            "`int`: the chart of types says that it has 8 bytes, and 4 are said before",
        ),
        (
            "int|4|\n",
            primitive("int|8|8|2|DEFORDER|FIX|"),
            "type",
            "`int`: the list of primitive types says",
        ),
        (
            "int|4|\n",
            primitive("int|4|4|9|DEFORDER|FIX|"),
            "type",
            "`int`: what is said of the primitive type",
        ),
        ("int|4|\nint|4|\n", String::new(), "type", "`int`: another type"),
        (
            "int|4|\n",
            "Shoes:2\nSize:9\n".to_owned(),
            "extras",
            "not known here: 2, of which the first is `Shoes`",
        ),
    ] {
        let bytes = file(&data, chart, symbols, &extras);
        let found = findings(&Candidate::source("bytes", bytes.clone(), 0)).expect("it is read");
        let found: Vec<_> = found.iter().map(|it| (it.code, &*it.message)).collect();
        assert!(matches!(found[..], [(is, text)] if is == code && text.contains(why)), "{found:?}");
        let dataset = open(&bytes).expect("it is opened");
        assert_eq!(read(&dataset, "/y").expect("another type"), Value::Int(3));
        if why.contains("bytes") || why.contains("list") {
            let notes = dataset.doubts(&["/x"], Depth::Opened).expect("doubts");
            assert!(notes.iter().any(|it| it.why.contains("these are its bytes")), "{notes:?}");
        }
    }
}

#[test]
fn other_versions_and_headers_that_are_cut_off_are_named() {
    let whole = file(&[], "int|4|\n", "", "");
    for length in [12, 20, 40, 60, 70] {
        let error = open(&whole[..length]).expect_err("it is too short").to_string();
        assert!(error.contains("address"), "{length}: {error}");
    }
    let error = open(b"!<<PDB:3>>!\n").expect_err("another version").to_string();
    assert!(error.contains("version II"), "{error}");
}

proptest! {
    /// Whatever bytes are changed or cut off, there is an answer.
    #[test]
    fn damaged_files_are_answered(
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
        is_cut in any::<bool>(),
    ) {
        let mut bytes = whole();
        for (at, byte) in changes {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if is_cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        ask(bytes);
    }
}
