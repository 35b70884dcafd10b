//! Blosc2 frames on the command line: opened, sliced, listed, verified.

pub(crate) mod limit;
pub(crate) mod salvage;

use std::io::Write;
use std::path::Path;

use asdf_bridge::blosc2::{Error, Filter, Frame, Place};
use dudley::model::Candidate;
use dudley_parser::layout::path::push_name;
use serde_json::{Value as Json, json};

use crate::below::Below;
use crate::failure::{self, Failure, Result};
use crate::json::Safe;
use crate::rows::{self, Errors, RowOptions};
use crate::terminal::Table;
use crate::terminal::cells::{dims, elided};

/// Chunks that are listed for people; of more, the first ones.
const CHUNKS_SHOWN: u64 = 20;

/// What can be done with a frame, or a chunk, that cannot be opened.
pub(crate) fn help(candidate: &Candidate, error: &dudley::Error) -> Option<&'static str> {
    match error.cause() {
        dudley::Error::Foreign(source)
            if matches!(source.downcast_ref(), Some(Error::CutOff { .. })) =>
        {
            Some("`dudc salvage` takes the blocks that are whole")
        }
        _ => help_sparse(candidate),
    }
}

/// What can be done with a sparse frame without the file of its header.
fn help_sparse(candidate: &Candidate) -> Option<&'static str> {
    let folder = candidate.folder()?;
    (!folder.join(asdf_bridge::blosc2::INDEX_FILE).is_file()).then_some(
        "this file has the header and the index of a sparse frame, and the folder has chunks of one: `dudc \
         salvage` takes what these say themselves",
    )
}

/// Whether this is the folder of a sparse frame, or what is left of one.
pub(crate) fn is_sparse(path: &Path) -> bool {
    path.join(asdf_bridge::blosc2::INDEX_FILE).is_file() || asdf_bridge::blosc2::has_chunks(path)
}

/// What is wrong with a frame, as it says it itself.
pub(crate) fn failure(name: &str, error: asdf_bridge::blosc2::Error) -> Failure {
    match error {
        asdf_bridge::blosc2::Error::Engine { source, .. } if failure::is_unread(&source) => {
            Failure::of_file(name, source)
        }
        error => Failure::input(format!("{name}: {error}")),
    }
}

/// Lists a frame for people: its data, its metalayers, its chunks.
///
/// # Errors
/// If it cannot be written. What is wrong with a chunk is given back.
pub(crate) fn list(frame: &Frame, name: &str, all: bool, out: &mut dyn Write) -> Result<Errors> {
    let columns = ["path", "type", "shape", "address", "bytes", "stored", ""];
    let mut table = Table::new(&columns, &[3, 4, 5], out);
    let mut errors = Errors::default();
    let failed = |error| failure(name, error);
    let (dtype, shape, cut) = match frame.array().map_err(failed)? {
        Some(array) => {
            let (name, extra) = array.layout_type();
            let name = if name.starts_with('{') { "struct".to_owned() } else { name };
            let shape: Vec<u64> = array.shape().iter().copied().chain(extra).collect();
            let cut = format!("chunks {:?}, blocks {:?}", array.chunks(), array.blocks());
            (name, dims(&shape), cut)
        }
        None => ("|u1".to_owned(), format!("[{}]", frame.nbytes()), String::new()),
    };
    let count = frame.chunk_count();
    let (nbytes, stored) = (frame.nbytes().to_string(), frame.cbytes());
    let chunks = if count == 1 { "chunk" } else { "chunks" };
    let mut about = format!("{count} {chunks}, {}", ratio(frame.nbytes(), stored));
    if !cut.is_empty() {
        about += &format!("; {cut}");
    }
    about += &format!("; {}", encoding(frame));
    if let Some(why) = elsewhere(frame) {
        about += &format!("; {why}");
    }
    let mut add = |cells: [String; 7]| table.add(cells.to_vec()).map_err(Failure::output);
    add(["/data".into(), dtype, shape, String::new(), nbytes, stored.to_string(), about])?;
    for (kind, name, bytes) in metalayers(frame, &mut errors) {
        let mut path = format!("/{kind}");
        if kind != "usermeta" {
            push_name(&mut path, &name);
        }
        let empty = String::new;
        add([
            path,
            "|u1".into(),
            format!("[{bytes}]"),
            empty(),
            bytes.to_string(),
            empty(),
            empty(),
        ])?;
    }
    let shown = if all { count } else { count.min(CHUNKS_SHOWN) };
    for number in 0..shown {
        let path = format!("chunk {number}");
        match chunk(frame, number) {
            Ok([address, bytes, stored, about]) => {
                add([path, String::new(), String::new(), address, bytes, stored, about])?;
            }
            Err(error) => {
                list_error(&mut errors, number, &error);
                add([
                    path,
                    "?".into(),
                    String::new(),
                    "?".into(),
                    String::new(),
                    String::new(),
                    String::new(),
                ])?;
            }
        }
    }
    if shown < count {
        let text = format!("… {} more chunks (--all shows them)", count - shown);
        table.add(elided("…".to_owned(), text)).map_err(Failure::output)?;
    }
    table.finish().map_err(Failure::output)?;
    Ok(errors)
}

/// How its header says that chunks are compressed, for people.
fn encoding(frame: &Frame) -> String {
    let level = frame.level();
    let mut parts = vec![match frame.codec() {
        Ok(codec) => format!("{codec}:{level}"),
        Err(error) => error.to_string(),
    }];
    parts.extend(filters(frame));
    parts.push(format!("elements of {}", bytes(frame.typesize() as u64)));
    parts.join(", ")
}

/// The filters of its header by their names, or numbers.
fn filters(frame: &Frame) -> Vec<String> {
    let named = |(id, meta): (u8, u8)| match Filter::of_id(id, meta) {
        Some(filter) => filter.to_string(),
        None => format!("filter {id}"),
    };
    frame.filters().filter(|(id, _)| *id != 0).map(named).collect()
}

/// The same as JSON, with the sizes of what it is cut into.
fn encoding_json(frame: &Frame, name: &str) -> Result<Json> {
    let array = frame.array().map_err(|error| failure(name, error))?;
    let array = array.as_ref();
    let mut said = json!({
        "typesize": frame.typesize(),
        "dtype": array.map(|array| array.dtype()),
        "codec": frame.codec().ok().map(|codec| codec.as_str()),
        "level": frame.level(),
        "filters": filters(frame),
        "chunksize": frame.chunksize(),
        "blocksize": frame.blocksize(),
        "chunks": array.map(|array| array.chunks()),
        "blocks": array.map(|array| array.blocks()),
    });
    if let Some(why) = elsewhere(frame) {
        said["elsewhere"] = Json::String(why.to_string());
    }
    Ok(said)
}

/// Lists a frame as JSON: the rows of its [stream](Frame::stream), and those of its chunks.
///
/// # Errors
/// If it cannot be written. What is wrong with a chunk is given back.
pub(crate) fn list_json(frame: &Frame, name: &str, out: &mut dyn Write) -> Result<Errors> {
    let stream = frame.stream().map_err(|error| failure(name, error))?;
    let mut listing = Vec::new();
    let options = RowOptions { decoded: true, ..RowOptions::default() };
    let all = Below::of(&stream, None, None)?;
    let mut errors = rows::write(&stream, options, &all, &mut listing)?;
    let open = String::from_utf8_lossy(&listing);
    let open = open.trim_end().trim_end_matches('}');
    let how = Safe(encoding_json(frame, name)?);
    let written = write!(out, "{open},\n \"frame\": {how},\n \"chunks\": [").and_then(|()| {
        let of_chunks = chunks_json(frame, out)?;
        errors.unread |= of_chunks.unread;
        of_chunks.first.into_iter().for_each(|error| errors.add(error));
        writeln!(out, "\n ]}}")
    });
    written.map_err(Failure::output)?;
    Ok(errors)
}

/// Writes the chunks of a frame as JSON, a row each. What is wrong with a chunk is in its row, and given
/// back.
fn chunks_json(frame: &Frame, out: &mut dyn Write) -> std::io::Result<Errors> {
    let mut errors = Errors::default();
    for number in 0..frame.chunk_count() {
        let row = chunk_json(frame, number).unwrap_or_else(|error| {
            let row = json!({ "number": number, "error": error.to_string() });
            list_error(&mut errors, number, &error);
            row
        });
        let comma = if number == 0 { "" } else { "," };
        write!(out, "{comma}\n  {}", Safe(row))?;
    }
    Ok(errors)
}

/// What is wrong with a chunk, which is named.
fn list_error(errors: &mut Errors, number: u64, error: &asdf_bridge::blosc2::Error) {
    let named = if error.chunk().is_some() { String::new() } else { format!("chunk {number}: ") };
    errors.unread |= is_unread(error);
    errors.add(dudley::Error::Listed {
        path: format!("/chunks/{number}").into(),
        why: format!("{named}{error}").into(),
    });
}

/// Whether an error of a frame is that a file of it could not be read.
fn is_unread(error: &asdf_bridge::blosc2::Error) -> bool {
    matches!(error, asdf_bridge::blosc2::Error::Engine { source, .. } if failure::is_unread(source))
}

fn chunk_json(frame: &Frame, number: u64) -> asdf_bridge::blosc2::Result<Json> {
    let chunk = frame.chunk(number)?;
    let place = frame.place(number)?;
    let stored = if matches!(place, Place::Stored(_)) { chunk.cbytes() } else { 0 };
    let file = match place {
        Place::Stored(file) if frame.is_sparse() => Some(format!("{file:08X}.chunk")),
        _ => None,
    };
    Ok(json!({
        "number": number,
        "address": frame.chunk_address(number)?,
        "file": file,
        "bytes": chunk.nbytes(),
        "stored": stored,
        "codec": chunk.codec()?.map(|codec| codec.as_str()),
        "special": chunk.special().map(|special| format!("{special:?}").to_lowercase()),
    }))
}

/// That values are elsewhere; none where they are not, and where something else is wrong.
fn elsewhere(frame: &Frame) -> Option<Error> {
    frame.check_values().err().filter(|why| matches!(why, Error::Elsewhere { .. }))
}

/// Where a chunk is, its bytes decoded and stored, and how they are stored.
fn chunk(frame: &Frame, number: u64) -> asdf_bridge::blosc2::Result<[String; 4]> {
    let chunk = frame.chunk(number)?;
    let (nbytes, cbytes) = (chunk.nbytes(), chunk.cbytes());
    let (address, cbytes) = match (frame.place(number)?, frame.chunk_address(number)?) {
        (_, Some(address)) => (address.to_string(), cbytes),
        (Place::Stored(file), None) => (format!("{file:08X}.chunk"), cbytes),
        (Place::Special(_), None) => (String::new(), 0),
    };
    let how = match (chunk.special(), chunk.codec()?) {
        (Some(special), _) => format!("{special:?}").to_lowercase(),
        (None, Some(codec)) => format!("{codec}, {}", ratio(nbytes, cbytes)),
        (None, None) => "as it is".to_owned(),
    };
    Ok([address, nbytes.to_string(), cbytes.to_string(), how])
}

/// The metalayers of all kinds, with the bytes of each; what cannot be decoded is an error.
fn metalayers(frame: &Frame, errors: &mut Errors) -> Vec<(&'static str, String, usize)> {
    let mut found = Vec::new();
    let mut add = |kind, name: &str, content: asdf_bridge::blosc2::Result<Vec<u8>>| match content {
        Ok(content) => found.push((kind, name.to_owned(), content.len())),
        Err(error) => errors.add(error.into()),
    };
    frame.meta_names().for_each(|name| add("meta/", name, frame.meta(name)));
    frame.vlmeta_names().for_each(|name| add("vlmeta/", name, frame.vlmeta(name)));
    if let Some(content) = frame.usermeta().transpose() {
        add("usermeta", "", content);
    }
    found
}

fn bytes(count: u64) -> String {
    format!("{count} byte{}", if count == 1 { "" } else { "s" })
}

fn ratio(decoded: u64, stored: u64) -> String {
    match stored {
        0 => "nothing stored".to_owned(),
        stored => format!("ratio {:.2}", decoded as f64 / stored as f64),
    }
}
