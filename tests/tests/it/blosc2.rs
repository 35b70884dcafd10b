//! Are frames of python-blosc2 read as it wrote them?
//!
//! A script writes many kinds of them, one behind the other in a file, with the bytes that each decodes
//! to in another.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;

use asdf_bridge::blosc2::{Error, Frame, NdArray, Options};
use dudley_tests::python::Python;
use serde_json::Value as Json;
use tempfile::TempDir;

/// Part of the decoded bytes, as an entry says.
fn raw<'r>(raws: &'r [u8], entry: &Json) -> &'r [u8] {
    let number = |name: &str| entry[name].as_u64().expect("a number") as usize;
    &raws[number("raw")..][..number("bytes")]
}

fn numbers(list: &Json) -> Vec<u64> {
    list.as_array().expect("a list").iter().map(|it| it.as_u64().expect("a number")).collect()
}

fn check_array(array: &NdArray, entry: &Json, raws: &[u8]) -> Result<(), String> {
    let same = array.shape() == numbers(&entry["shape"])
        && array.chunks() == numbers(&entry["chunks"])
        && array.blocks() == numbers(&entry["blocks"]);
    if !same {
        return Err(format!("{:?} {:?} {:?}", array.shape(), array.chunks(), array.blocks()));
    }
    for slice in entry["slices"].as_array().expect("slices") {
        let text = slice["slice"].as_str().expect("text");
        let text = if text.is_empty() { "..." } else { text };
        let (shape, bytes) = array.slice_bytes(text).map_err(|error| format!("{text}: {error}"))?;
        if shape != numbers(&slice["shape"]) || bytes != raw(raws, slice) {
            return Err(format!("[{text}] differs"));
        }
    }
    let (_, bytes) = array.bytes_of(&[]).map_err(|error| error.to_string())?;
    if bytes != raw(raws, entry) {
        return Err("its elements differ".to_owned());
    }
    let data = array.data(&[]).map_err(|error| error.to_string())?;
    let value = data.value();
    value.map(|_| ()).map_err(|error| format!("{}: {error}", array.dtype()))
}

fn check_frame(file: &Path, options: &Options, entry: &Json, raws: &[u8]) -> Result<(), String> {
    let base = entry["frame"].as_u64().expect("a number");
    let failed = |error: asdf_bridge::blosc2::Error| error.to_string();
    let frame = options.clone().base(base).file(file).map_err(failed)?;
    if let Some(array) = frame.array().map_err(failed)? {
        if frame.vlmeta_names().any(|name| name == "note") {
            let note = frame.vlmeta("note").map_err(failed)?;
            if !note.ends_with(&[0xa1, b'n', 3]) {
                return Err(format!("its note is {note:?}"));
            }
        }
        return check_array(&array, entry, raws);
    }
    let wanted = raw(raws, entry);
    if frame.read().map_err(failed)? != wanted {
        return Err("its bytes differ".to_owned());
    }
    let len = wanted.len();
    for (start, end) in [(0, len.min(1)), (len / 3, len / 2), (len.saturating_sub(1), len)] {
        let mut part = vec![0xa5; end - start];
        frame.read_range(start as u64, &mut part).map_err(failed)?;
        if part != wanted[start..end] {
            return Err(format!("its bytes {start}..{end} differ"));
        }
    }
    Ok(())
}

/// The frames that the script wrote, and the folder they are in.
fn written() -> Option<(&'static [Json], &'static TempDir)> {
    static WRITTEN: OnceLock<Option<(Vec<Json>, TempDir)>> = OnceLock::new();
    let written = WRITTEN.get_or_init(|| {
        let python = Python::get()?;
        let folder = tempfile::tempdir().expect("a temporary folder");
        let listed = python.run("blosc2_frames.py", folder.path(), &[]);
        Some((serde_json::from_str(&listed).expect("the script prints JSON"), folder))
    });
    written.as_ref().map(|(listed, folder)| (&listed[..], folder))
}

#[test]
fn frames_of_python_are_read() {
    let Some((listed, folder)) = written() else { return };
    let file = folder.path().join("frames.bin");
    let raws = fs::read(folder.path().join("raws.bin")).expect("decoded bytes");
    let mut wrong = Vec::new();
    for entry in listed {
        for options in [3, 1].map(|threads| Options::new().threads(threads)) {
            if let Err(error) = check_frame(&file, &options, entry, &raws) {
                wrong.push(format!("{}: {error}", entry["name"]));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), listed.len(), wrong.join("\n"));
    assert!(listed.len() > 700);
}

/// Everything of a frame that may be damaged, as far as it can be read.
fn read_all(bytes: Vec<u8>) -> Result<Vec<u8>, Error> {
    let frame = Options::new().threads(1).limit(16 << 20).source(bytes)?;
    let names: Vec<String> = frame.vlmeta_names().map(str::to_owned).collect();
    for name in names {
        let _ = frame.vlmeta(&name);
    }
    // A chunk that is damaged is no matter of the others.
    for number in 0..frame.chunk_count().min(20) {
        let _ = frame.chunk(number).and_then(|chunk| chunk.decode_within(1 << 20));
    }
    if frame.nbytes() < 1 << 20 {
        let _ = frame.describe();
    }
    match frame.array()? {
        Some(array) => {
            let _ = array.slice_bytes("..., -1");
            Ok(array.bytes_of(&[])?.1)
        }
        None => frame.read(),
    }
}

#[test]
fn damaged_frames_give_errors_or_bytes() {
    let Some((listed, folder)) = written() else { return };
    let all = fs::read(folder.path().join("frames.bin")).expect("frames");
    let raws = fs::read(folder.path().join("raws.bin")).expect("decoded bytes");
    let mut random = 1_u64;
    let mut next = |most: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (random >> 33) as usize % most
    };
    let mut refused = 0;
    let small = |entry: &&Json| entry["bytes"].as_u64() < Some(100_000);
    for entry in listed.iter().filter(small).step_by(3) {
        let start = entry["frame"].as_u64().expect("a number") as usize;
        let frame = Frame::from_source(all[start..].to_vec()).expect("a frame");
        let frame = all[start..][..frame.frame_len() as usize].to_vec();
        assert_eq!(read_all(frame.clone()).expect("its bytes"), raw(&raws, entry));
        for _ in 0..10 {
            let cut = next(frame.len());
            assert!(read_all(frame[..cut].to_vec()).is_err(), "{} cut to {cut}", entry["name"]);
        }
        for _ in 0..60 {
            let mut damaged = frame.clone();
            for _ in 0..=next(3) {
                // More of them where there are headers.
                let most = if next(2) == 0 { frame.len() } else { frame.len().min(260) };
                let at = if next(4) == 0 {
                    frame.len() - 1 - next(80.min(frame.len()))
                } else {
                    next(most)
                };
                damaged[at] = match next(3) {
                    0 => damaged[at] ^ (1 << next(8)),
                    1 => 0xff,
                    _ => next(256) as u8,
                };
            }
            refused += usize::from(read_all(damaged).is_err());
        }
    }
    assert!(refused > 1000, "{refused}");
}

#[test]
fn what_is_no_frame_is_refused() {
    for bytes in [&b""[..], b"\x9e", b"\x9e\xa8b2frame\0", b"\x8d<BD\r\n\x1a\n"] {
        assert!(Frame::from_source(bytes.to_vec()).is_err());
    }
}

#[test]
fn each_difference_from_the_c_library_has_its_test() {
    let read = |path: &str| fs::read_to_string(dudley_tests::root().join(path)).expect(path);
    let (page, tests) = (read("docs/blosc2.md"), read("asdf-bridge/tests/it/blosc2_right.rs"));
    let (_, differences) = page.split_once("## Where this differs").expect("the section");
    let lines = differences.split("\n- ").skip(1);
    let mut count = 0;
    for line in lines {
        let (text, _) = line.split_once("\n\n").unwrap_or((line, ""));
        let (_, name) = text.rsplit_once("(`").unwrap_or_else(|| panic!("no test of: {text}"));
        let name = name.trim_end().trim_end_matches("`)");
        assert!(tests.contains(&format!("fn {name}()")), "no test `{name}`");
        count += 1;
    }
    assert!(count > 15, "{count}");
}
