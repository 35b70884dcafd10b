//! Are real frames read as those who wrote them would, and damaged ones refused?
//!
//! The files are named by `DUDLEY_CORPUS`.

use std::fs;
use std::path::{Path, PathBuf};

use asdf_bridge::blosc2::{Chunk, Error, Frame, Generation, NewFrame};
use serde_json::Value;

/// The folder of files of Blosc2; `None` where the corpus is not there.
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

#[test]
fn the_engine_reads_frames_through_their_layout() {
    let Some(corpus) = corpus() else { return };
    let mut filters = dudley::filter::Registry::with_builtins();
    asdf_bridge::blosc2::register(&mut filters);
    let filters = std::sync::Arc::new(filters);
    let of_frames = listed(&corpus.join("frames/index.json")).into_iter();
    let mut paths: Vec<PathBuf> = of_frames
        .filter(|file| file["kind"] == "schunk" || file["kind"] == "b2nd")
        .map(|file| corpus.join("frames").join(file["file"].as_str().expect("a name")))
        .collect();
    for codec in ["blosclz", "lz4", "lz4hc", "zlib", "zstd"] {
        paths.push(corpus.join(format!("fuzz-2020-11/frame_simple-{codec}.b2frame")));
    }
    let mut wrong = Vec::new();
    for path in paths {
        let check = || -> Result<(), Box<dyn std::error::Error>> {
            let frame = Frame::open(&path)?;
            let text = frame.describe()?;
            let stream = dudley::Open::new().layout_text(&text)?.raw().filters(filters.clone());
            let stream = stream.file(&path)?;
            let mut bytes = Vec::new();
            for number in 0..frame.chunk_count() {
                let chunk = stream.get(&format!("/chunks/{number}"))?;
                bytes.extend(chunk.read::<u8>()?);
            }
            if bytes != frame.read()? {
                return Err("the chunks differ".into());
            }
            for name in frame.vlmeta_names() {
                let item = stream.get(&format!("/vlmeta/{name:?}"))?;
                assert_eq!(item.read::<u8>()?.as_slice().unwrap_or_default(), frame.vlmeta(name)?);
            }
            // All that it says is there, and what is to be constant is.
            let root = stream.root();
            for item in root.items()? {
                let item = item?;
                if item.kind() == dudley::ItemKind::Data {
                    item.data()?.value()?;
                }
            }
            assert!(stream.data_end()? <= frame.frame_len());
            Ok(())
        };
        if let Err(error) = check() {
            wrong.push(format!("{}: {error}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_frame_is_a_stream_of_what_is_in_it() {
    let Some(corpus) = corpus() else { return };
    let frame = Frame::open(corpus.join("frames/b2nd/meta_vlmeta.b2nd")).expect("a frame");
    let stream = frame.stream().expect("a stream");
    let data = stream.get("/data").and_then(|item| item.read::<i32>()).expect("its elements");
    assert_eq!(data, frame.array().expect("an array").expect("one").read::<i32>().expect("read"));
    for name in frame.meta_names() {
        let found = stream.get(&format!("/meta/{name}")).and_then(|item| item.read::<u8>());
        assert_eq!(
            found.expect("bytes").as_slice().unwrap_or_default(),
            frame.meta(name).expect("bytes")
        );
    }
    assert!(frame.vlmeta_names().count() > 0);
    for name in frame.vlmeta_names() {
        let found = stream.get(&format!("/vlmeta/{name}")).and_then(|item| item.read::<u8>());
        assert_eq!(
            found.expect("bytes").as_slice().unwrap_or_default(),
            frame.vlmeta(name).expect("bytes")
        );
    }
}

#[test]
fn user_metadata_of_2020_is_kept_where_a_frame_is_written_anew() {
    let Some(folder) = corpus().map(|corpus| corpus.join("fuzz-2020-11")) else { return };
    let mut seen = 0;
    for entry in fs::read_dir(folder).expect("a folder") {
        let Ok(frame) = Frame::open(entry.expect("a file").path()) else { continue };
        let (Some(usermeta), Ok(new)) =
            (frame.usermeta().expect("decoded"), NewFrame::like(&frame))
        else {
            continue;
        };
        let mut writer = new.memory().expect("begun");
        writer.write_frame(&frame).expect("written");
        let other = Frame::from_source(writer.finish_bytes().expect("complete")).expect("a frame");
        assert_eq!(other.generation(), Generation::Today);
        assert_eq!(other.vlmeta("usermeta").expect("kept"), usermeta);
        seen += 1;
    }
    assert!(seen >= 5, "{seen}");
}
