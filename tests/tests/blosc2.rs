//! Are frames of python-blosc2 read as it wrote them?
//!
//! A script writes many kinds of them, one behind the other in a file, with the bytes that each decodes
//! to in another.

use std::fs;
use std::path::Path;

use asdf_bridge::blosc2::{Frame, NdArray, Options};
use dudley_tests::python::Python;
use serde_json::Value as Json;

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
    let item = array.item(&[]).map_err(|error| error.to_string())?;
    let value = item.data().and_then(|data| data.value());
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
    for (start, end) in
        [(0, 1), (wanted.len() / 3, wanted.len() / 2), (wanted.len() - 1, wanted.len())]
    {
        let mut part = vec![0xa5; end - start];
        frame.read_range(start as u64, &mut part).map_err(failed)?;
        if part != wanted[start..end] {
            return Err(format!("its bytes {start}..{end} differ"));
        }
    }
    Ok(())
}

#[test]
fn frames_of_python_are_read() {
    let Some(python) = Python::get() else { return };
    let folder = tempfile::tempdir().expect("a temporary folder");
    let listed = python.run("blosc2_frames.py", folder.path(), &[]);
    let listed: Vec<Json> = serde_json::from_str(&listed).expect("the script prints JSON");
    let file = folder.path().join("frames.bin");
    let raws = fs::read(folder.path().join("raws.bin")).expect("decoded bytes");
    let mut wrong = Vec::new();
    for entry in &listed {
        for options in [Options::new().threads(3), Options::new().mapped(false).threads(1)] {
            if let Err(error) = check_frame(&file, &options, entry, &raws) {
                wrong.push(format!("{}: {error}", entry["name"]));
                break;
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), listed.len(), wrong.join("\n"));
    assert!(listed.len() > 700);
}

#[test]
fn what_is_no_frame_is_refused() {
    for bytes in [&b""[..], b"\x9e", b"\x9e\xa8b2frame\0", b"\x8d<BD\r\n\x1a\n"] {
        assert!(Frame::from_source(bytes.to_vec()).is_err());
    }
}
