//! Are real frames read as those who wrote them would, and damaged ones refused?
//!
//! The files are named by `DUDLEY_CORPUS`.

use std::fs;
use std::path::{Path, PathBuf};

use asdf_bridge::blosc2::{Chunk, Error, Frame, Generation};
use serde_json::Value;

/// The folder of files of Blosc2; none where the corpus is not there.
fn corpus() -> Option<PathBuf> {
    Some(PathBuf::from(std::env::var_os("DUDLEY_CORPUS")?).join("blosc2"))
}

fn listed(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("a list of files");
    let list: Value = serde_json::from_str(&text).expect("JSON");
    list["files"].as_array().expect("files").clone()
}

/// All decoded bytes of a frame or chunk; of an array, row-major.
fn decoded(path: &Path, kind: &str) -> Result<Vec<u8>, Error> {
    if kind == "chunk" {
        return Chunk::parse(&fs::read(path).expect("a file"))?.decode();
    }
    let frame = Frame::open(path)?;
    for name in frame.vlmeta_names() {
        frame.vlmeta(name)?;
    }
    frame.usermeta()?;
    match frame.array()? {
        Some(array) => Ok(array.bytes_of(&[])?.1),
        None => frame.read(),
    }
}

#[test]
fn frames_are_decoded_to_the_byte() {
    let Some(folder) = corpus().map(|corpus| corpus.join("frames")) else { return };
    let mut wrong = Vec::new();
    let mut seen = 0;
    for file in listed(&folder.join("index.json")) {
        let name = file["file"].as_str().expect("a name");
        let Some(raw) = file["raw"].as_str() else { continue };
        let wanted = fs::read(folder.join(raw)).expect("decoded bytes");
        match decoded(&folder.join(name), file["kind"].as_str().expect("a kind")) {
            Ok(found) if found == wanted => seen += 1,
            Ok(found) => wrong.push(format!(
                "{name}: differs at {:?} of {} and {}",
                found.iter().zip(&wanted).position(|(a, b)| a != b),
                found.len(),
                wanted.len()
            )),
            Err(error) => wrong.push(format!("{name}: {error}")),
        }
    }
    assert!(wrong.is_empty() && seen > 100, "{}", wrong.join("\n"));
}

#[test]
fn frames_of_2020() {
    let Some(folder) = corpus().map(|corpus| corpus.join("fuzz-2020-11")) else { return };
    for codec in ["blosclz", "lz4", "lz4hc", "zlib", "zstd"] {
        let path = folder.join(format!("frame_simple-{codec}.b2frame"));
        let frame = Frame::open(&path).expect("a frame");
        assert_eq!(frame.generation(), Generation::Of2020);
        let usermeta = frame.usermeta().expect("it is decoded").expect("there is one");
        assert!(usermeta.starts_with(b"This is a usermeta content..."), "{codec}");
        let bytes = frame.read().unwrap_or_else(|error| panic!("{codec}: {error}"));
        let nchunks = frame.chunk_count() as u32;
        assert_eq!(bytes.len(), nchunks as usize * 256_000);
        for (number, chunk) in bytes.chunks(256_000).enumerate() {
            for (i, found) in chunk.chunks(4).enumerate() {
                assert_eq!(found, (i as u32 * number as u32).to_le_bytes(), "{codec} {number} {i}");
            }
        }
    }
    let lizard = Frame::open(folder.join("frame_simple-lizard.b2frame")).expect("a frame");
    let error = lizard.read().expect_err("no such codec");
    assert!(error.to_string().contains("(lizard) is not supported"), "{error}");
}

#[test]
fn what_is_damaged_is_refused() {
    let Some(folder) = corpus().map(|corpus| corpus.join("malformed")) else { return };
    let mut wrong = Vec::new();
    for file in listed(&folder.join("malformed.json")) {
        let name = file["file"].as_str().expect("a name");
        let wanted = file["expect"].as_str().expect("an outcome");
        let kind = if name.ends_with("chunk") { "chunk" } else { "frame" };
        match (decoded(&folder.join(name), kind), wanted) {
            (Err(_), "error") => {}
            (Ok(_), wanted) if wanted.starts_with("ok") => {}
            (Ok(bytes), _) => wrong.push(format!("{name}: gives {} bytes", bytes.len())),
            (Err(error), _) => wrong.push(format!("{name}: {error}")),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
