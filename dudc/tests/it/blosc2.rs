//! The built binary on Blosc2 frames.

use std::path::Path;
use std::process::Command;

fn run(arguments: &[&str]) -> (bool, String, String) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../asdf-bridge/tests");
    let output = Command::new(env!("CARGO_BIN_EXE_dudc"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("run dudc");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.success(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn frames_are_listed_and_read() {
    let (fine, listed, _) = run(&["ls", "small.b2nd"]);
    assert!(fine && listed.contains("/data         <i4   [4, 6]"), "{listed}");
    assert!(listed.contains("/vlmeta/unit") && listed.contains("2 chunks, ratio 0.60"), "{listed}");
    let (fine, part, _) = run(&["get", "small.b2nd", "/data[::3, 1]"]);
    assert!(fine && part == "<i4[2]\n[1000, 19000]\n", "{part}");
    let (fine, unit, _) = run(&["get", "small.b2nd", "/vlmeta/unit", "--format", "json"]);
    assert!(fine && unit.contains("[162, 109, 109]"), "{unit}");
    let (fine, all, _) = run(&["dump", "small.b2nd", "--nested"]);
    assert!(fine && all.contains("23000]"), "{all}");
    let (fine, rows, _) = run(&["ls", "small.b2nd", "--format", "json"]);
    assert!(fine && rows.contains("\"path\":\"/meta/b2nd\""), "{rows}");
    let rows: serde_json::Value = serde_json::from_str(&rows).expect("JSON");
    let chunk = serde_json::json!({
        "number": 1, "address": 245, "file": null, "bytes": 48, "stored": 80, "codec": null,
        "special": null,
    });
    assert_eq!(rows["chunks"][1], chunk);
    let (fine, counted, _) = run(&["stat", "small.b2nd", "--format", "json"]);
    assert!(fine && counted.contains("23000"), "{counted}");
}

#[test]
fn a_described_frame_is_read_through_its_layout() {
    let (fine, layout, _) = run(&["describe", "small.b2nd"]);
    assert!(fine && layout.contains("-> blosc_chunk"), "{layout}");
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("small.dud");
    std::fs::write(&path, layout).expect("written");
    let path = path.to_str().expect("UTF-8");
    let (fine, chunk, said) =
        run(&["get", "small.b2nd", "/chunks/1", "--layout", path, "--raw", "--format", "json"]);
    assert!(fine && chunk.contains("224, 46"), "{chunk}{said}");
}

#[test]
fn a_described_sparse_frame_is_read_through_its_layouts() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let (fine, _, said) = run(&["convert", "small.b2nd", &at("many"), "--to", "b2nd", "--sparse"]);
    assert!(fine, "{said}");
    let (fine, layout, said) = run(&["describe", &at("many")]);
    assert!(fine, "{said}");
    std::fs::write(at("index.dud"), &layout).expect("written");
    let read = |file: &str, item: &str, layout: &str| {
        run(&["get", &at(file), item, "--layout", &at(layout), "--raw", "--format", "json"])
    };
    let (fine, offsets, said) = read("many/chunks.b2frame", "/offsets", "index.dud");
    assert!(fine && offsets.contains("[0, 1]"), "{offsets}{said}");
    let line = layout.lines().find(|line| line.contains("00000001.chunk")).expect("a file");
    let (_, declared) = line.split_once("  ").expect("what it is");
    let (_, declared) = declared.trim_start().split_once("  ").expect("what it is");
    std::fs::write(at("chunk.dud"), declared).expect("written");
    let (fine, chunk, said) = read("many/00000001.chunk", "/data", "chunk.dud");
    assert!(fine && chunk.contains("224, 46"), "{chunk}{said}{declared}");
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("cut.b2nd");
    let frame = include_bytes!("../../../asdf-bridge/tests/small.b2nd");
    std::fs::write(&path, &frame[..400]).expect("written");
    let (fine, _, said) = run(&["ls", path.to_str().expect("UTF-8")]);
    let wanted =
        "header of the frame at address 16: expected a frame of at most 400 bytes, found 458";
    assert!(!fine && said.contains(wanted), "{said}");
    let mut damaged = frame.to_vec();
    damaged[245 + 3] = 0;
    std::fs::write(&path, damaged).expect("written");
    let path = path.to_str().expect("UTF-8");
    let (fine, found, _) = run(&["verify", path, "--format", "json"]);
    let found: serde_json::Value = serde_json::from_str(&found).expect("JSON");
    let found = &found["findings"][0];
    assert!(!fine && found["path"] == "/chunks/1" && found["address"] == 248, "{found}");
    assert!(run(&["verify", "small.b2nd"]).0);
    // The other chunk is read.
    assert!(run(&["get", path, "/data[:2]"]).0);
    let (fine, _, said) = run(&["get", path, "/data"]);
    assert!(!fine && said.contains("chunk 1: header of the chunk at address 248"), "{said}");
    for words in [["diff", "small.b2nd", path], ["diff", path, "small.b2nd"]] {
        let (fine, _, said) = run(&words);
        assert!(!fine && said.starts_with(&format!("error: {path}: `/data`: ")), "{said}");
        assert!(said.contains("at address 248"), "{said}");
    }
}

/// How it is stored is printed, and that its elements cannot be read is said.
#[test]
fn a_type_that_is_no_text_fails_a_description() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("odd.b2nd");
    let mut frame = include_bytes!("../../../asdf-bridge/tests/small.b2nd").to_vec();
    let at = frame.windows(3).position(|bytes| bytes == b"<i4").expect("a dtype");
    frame[at + 1] = 0xff;
    std::fs::write(&path, frame).expect("written");
    let path = path.to_str().expect("UTF-8");
    for words in [["describe", path], ["ls", path], ["verify", path], ["stat", path]] {
        let (fine, out, said) = run(&words);
        let told = format!("{out}{said}");
        assert!(
            !fine && told.contains("expected a dtype in UTF-8, found 0xff"),
            "{words:?}: {told}"
        );
    }
    assert!(run(&["describe", path]).1.contains("blosc_chunk"));
}

#[test]
fn frames_are_made_of_arrays_and_written_anew() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let convert = |from: &str, to: &str, more: &[&str]| {
        let (fine, _, said) = run(&[&["convert", from, to], more].concat());
        assert!(fine, "{from} {to} {more:?}: {said}");
    };
    let data = |name: &str| run(&["get", name, "/data"]).1;
    let wanted = data("small.b2nd");
    assert!(wanted.starts_with("<i4[4, 6]"), "{wanted}");
    // Anew, with what is requested; what is not said stays.
    let how: &[&str] = &["--codec", "lz4:9", "--filters", "delta,bitshuffle", "--chunks", "3,4"];
    convert("small.b2nd", &at("a.b2nd"), how);
    let (_, listed, _) = run(&["ls", &at("a.b2nd")]);
    assert!(listed.contains("chunks [3, 4]") && listed.contains("/vlmeta/unit"), "{listed}");
    assert_eq!(data(&at("a.b2nd")), wanted);
    convert("small.b2nd", &at("same.b2nd"), &["--sparse", "--checksums"]);
    let (_, listed, _) = run(&["ls", &at("same.b2nd")]);
    assert!(
        listed.contains("chunks [2, 6]")
            && listed.contains("dudley.crc32c")
            && listed.contains("00000001.chunk"),
        "{listed}"
    );
    assert!(run(&["verify", &at("same.b2nd")]).0);
    // Nothing overwrites a folder.
    for force in [&[][..], &["--force"]] {
        let words = ["convert", "small.b2nd", &at("same.b2nd"), "--sparse"];
        let (fine, _, said) = run(&[&words[..], force].concat());
        assert!(
            !fine && said.contains("is not overwritten") && !said.contains("--force"),
            "{said}"
        );
    }
    let chunk = folder.path().join("same.b2nd/00000001.chunk");
    let mut bytes = std::fs::read(&chunk).expect("a chunk");
    *bytes.last_mut().expect("bytes") ^= 1;
    std::fs::write(&chunk, bytes).expect("written");
    let (fine, found, _) = run(&["verify", &at("same.b2nd")]);
    assert!(!fine && found.contains("CRC-32C"), "{found}");
    // To other formats, and from them.
    for (other, path) in [("a.npy", ""), ("a.npz", "/data"), ("a.bd", "/data"), ("a.asdf", "/data")]
    {
        convert(&at("a.b2nd"), &at(other), &[]);
        let paths: &[&str] = if path.is_empty() { &[] } else { &[path] };
        convert(&at(other), &at("b.b2nd"), &[paths, &["--force", "--blocks", "2,3"]].concat());
        assert_eq!(data(&at("b.b2nd")), wanted, "{other}");
        let (_, listed, _) = run(&["ls", &at("b.b2nd")]);
        assert!(listed.contains("blocks [2, 3]"), "{other}: {listed}");
    }
    convert(&at("a.b2nd"), &at("a.b2frame"), &["--codec", "zlib:1", "--chunks", "10"]);
    let (_, listed, _) = run(&["ls", &at("a.b2frame")]);
    assert!(listed.contains("|u1   [96]") && listed.contains("3 chunks"), "{listed}");
    convert(&at("a.b2frame"), &at("b.b2frame"), &["--recompress", "none"]);
    assert_eq!(data(&at("b.b2frame")), data(&at("a.b2frame")));
    // What cannot be is said.
    for (words, wanted) in [
        (&["a.b2nd", "x.b2nd", "--codec", "zfp"][..], "no codec of Blosc2"),
        (&["a.b2nd", "x.b2nd", "--codec", "lz4:10"], "levels of Blosc2 are 0 to 9"),
        (&["a.b2nd", "x.b2nd", "--filters", "shufle"], "none of shuffle"),
        (&["a.b2nd", "x.b2nd", "--chunks", "9,9"], "chunks of [9, 9]"),
        (&["a.b2frame", "x.b2nd"], "without the shape of an array"),
        (&["a.b2nd", "x.b2frame", "--chunks", "2,2"], "no shape"),
        (&["a.b2nd", "b.b2nd"], "--force"),
        (&["a.b2nd", "x.npy", "--chunks", "2,2"], "for Blosc2 frames"),
    ] {
        let (from, to) = (at(words[0]), at(words[1]));
        let (fine, _, said) = run(&[&["convert", &from, &to], &words[2..]].concat());
        assert!(!fine && said.contains(wanted), "{words:?}: {said}");
    }
}

#[test]
fn a_sparse_frame_is_read_as_any() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    for (to, kind) in [("many.b2nd", "b2nd"), ("many.b2frame", "b2frame")] {
        let (fine, _, said) =
            run(&["convert", "small.b2nd", &at(to), "--to", kind, "--sparse", "--codec", "lz4"]);
        assert!(fine, "{said}");
        let data = run(&["get", &at(to), "/data"]);
        assert!(data.0 && data.1.contains("[4, 6]") == (kind == "b2nd"), "{data:?}");
        for command in [&["ls", &at(to)][..], &["dump", &at(to)], &["verify", &at(to)]] {
            let (fine, _, said) = run(command);
            assert!(fine, "{command:?}: {said}");
        }
        for other in ["bd", "npy", "asdf"] {
            let other = at(&format!("{kind}.{other}"));
            let words: &[&str] = if other.ends_with("npy") { &["/data"] } else { &[] };
            let (fine, _, said) = run(&[&["convert", &at(to), &other], words].concat());
            assert!(fine, "{other}: {said}");
            if other.ends_with("bd") {
                assert_eq!(run(&["get", &other, "/data"]).1, data.1);
            }
        }
    }
}

#[test]
fn a_codec_without_dictionaries_gets_none() {
    use asdf_bridge::blosc2::{Codec, Encoding, Frame, NewFrame};

    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).to_str().expect("UTF-8").to_owned();
    let text: Vec<u8> =
        (0..9000).flat_map(|n| format!("{} metres; ", n * 7 % 1000).into_bytes()).collect();
    let encoding = Encoding::new(1).codec(Codec::Lz4).blocksize(1024).dictionary(true);
    let mut frame = NewFrame::new(encoding).file(at("a.b2frame"), false).expect("begun");
    frame.write(&text).and_then(|()| frame.finish()).expect("written");
    for codec in ["zlib", "blosclz", "zstd"] {
        let (fine, _, said) =
            run(&["convert", &at("a.b2frame"), &at("b.b2frame"), "--codec", codec, "--force"]);
        assert!(fine, "{codec}: {said}");
        let back = Frame::open(at("b.b2frame")).and_then(|frame| frame.read()).expect("decoded");
        assert!(back == text, "{codec}");
    }
}

#[test]
fn all_of_a_frame_that_is_too_large_is_refused_and_a_part_is_not() {
    use asdf_bridge::blosc2::{ArrayEditor, NewArray};
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let huge = at("huge.b2nd");
    let mut writer = NewArray::of::<f64>(&[1 << 20]).expect("an array").chunks(&[1 << 20]);
    writer = writer.blocks(&[1 << 15]);
    let mut writer = writer.file(&huge, false).expect("begun");
    writer.write(&vec![0; 8 << 20]).expect("written");
    writer.finish().expect("complete");
    let mut editor = ArrayEditor::open(&huge).expect("opened");
    editor.resize(&[(1 << 37) + 1]).expect("longer");
    editor.commit().expect("kept");
    drop(editor);
    let refused = |arguments: &[&str]| {
        let (fine, _, said) = run(arguments);
        assert!(
            !fine && said.contains("more than the 1099511627776 that are allowed"),
            "{arguments:?}{said}"
        );
        assert!(said.contains("help: a slice such as `/data[:1000]`"), "{arguments:?}{said}");
    };
    refused(&["convert", &huge, &at("x.npy")]);
    refused(&["convert", &huge, &at("x.bd"), "/data[:]"]);
    refused(&["convert", &huge, &at("x.asdf")]);
    refused(&["stat", &huge]);
    refused(&["stat", &huge, "/data"]);
    refused(&["diff", &huge, "small.b2nd"]);
    let names = std::fs::read_dir(folder.path()).expect("a folder").flatten();
    let names: Vec<_> = names.map(|entry| entry.file_name()).collect();
    assert_eq!(names, ["huge.b2nd"]);
    // What is less than that may still be more than memory holds: nothing of it is decoded to know its size.
    let candidate = dudley::model::Candidate::file(Path::new(&huge), 0).expect("a file");
    let formats = dudley::model::Formats::builtin().with(asdf_bridge::formats());
    let opened = formats.open(&candidate, &dudley::Open::new()).expect("a frame");
    opened.check_size(&["/data[:137438953472]", "/data[5]"]).expect("within the limit");
    opened.check_size(&["/data[5]", "/data[:]"]).expect_err("beyond the limit");
    let (fine, counted, said) = run(&["stat", &huge, "/data[5:1000000]", "--format", "json"]);
    assert!(fine && counted.contains("999995"), "{counted}{said}");
    let (fine, _, said) = run(&["convert", &huge, &at("x.npy"), "/data[-9:]"]);
    assert!(fine, "{said}");
}

#[test]
fn a_filter_that_is_for_other_elements_is_told_with_its_item_before_anything_is_written() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name).display().to_string();
    let lossy = "-> blosc2(\"zstd\", 5, \"trunc_prec:10\", \"shuffle\", 4)";
    std::fs::write(at("a.dud"), format!("k = f4[4] {lossy}\n")).expect("written");
    std::fs::write(at("b.dud"), format!("k = >f4[4] {lossy}\nn = {{ x = i4 }}[2] {lossy}\n"))
        .expect("written");
    let (fine, _, said) = run(&["check", &at("a.dud")]);
    assert!(fine && said.is_empty(), "{said}");
    let (_, _, said) = run(&["check", &at("b.dud")]);
    assert!(said.contains("b.dud:1:15") && said.contains("not `>f4`"), "{said}");
    assert!(said.contains("b.dud:2:22") && said.contains("not structs"), "{said}");
    std::fs::write(at("k.raw"), [0; 16]).expect("written");
    let (fine, _, said) =
        run(&["pack", &at("a.dud"), "--data", &at("k.raw"), "-o", &at("x.bd"), "--order", "big"]);
    assert!(!fine, "{said}");
    assert!(!Path::new(&at("x.bd")).exists());
}
