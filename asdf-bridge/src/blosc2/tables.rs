//! The chunks of a frame as a table, and how they are stored.

use dudley::Value;
use dudley::model::{Fact, Row, Table};

use super::error::{Error, Result};
use super::filters::Filter;
use super::frame::{Frame, Place};

/// The columns for people, each with whether it has numbers.
const COLUMNS: &[(&str, bool)] =
    &[("chunk", true), ("address", true), ("bytes", true), ("stored", true), ("", false)];

/// The chunks of a frame.
pub(super) fn chunks(frame: &Frame) -> Result<Table> {
    let facts = vec![encoding(frame)?];
    let (len, frame) = (frame.chunk_count(), frame.clone());
    let row = move |number| chunk(&frame, number).unwrap_or_else(|error| wrong(number, error));
    Ok(Table { name: "chunks", columns: COLUMNS, len, row: Box::new(row), facts })
}

/// How the header of a frame says that chunks are stored, and what they are cut into.
fn encoding(frame: &Frame) -> Result<Fact> {
    let array = frame.array()?;
    let array = array.as_ref();
    let filters = filters(frame);
    let elsewhere = frame.check_values().err();
    let elsewhere = elsewhere.filter(|why| matches!(why, Error::Elsewhere { .. }));
    let dims = |dims: &[u64]| Value::from(dims.to_vec());
    let fields = [
        ("typesize", frame.typesize().into()),
        ("dtype", array.map(|array| array.dtype().to_string()).into()),
        ("codec", frame.codec().ok().map(|codec| codec.as_str()).into()),
        ("level", u64::from(frame.level()).into()),
        ("filters", filters.clone().into()),
        ("chunksize", frame.chunksize().into()),
        ("blocksize", frame.blocksize().into()),
        ("chunks", array.map(|array| dims(array.chunks())).unwrap_or(Value::Null)),
        ("blocks", array.map(|array| dims(array.blocks())).unwrap_or(Value::Null)),
    ];
    let elsewhere = elsewhere.map(|why| why.to_string());
    let said = elsewhere.clone().map(|why| ("elsewhere", Value::from(why)));
    let fields = fields.into_iter().chain(said).map(|(name, value)| (name.to_owned(), value));
    let count = frame.chunk_count();
    let chunks = if count == 1 { "chunk" } else { "chunks" };
    let mut shown = format!("{count} {chunks}, {}", ratio(frame.nbytes(), frame.cbytes()));
    if let Some(array) = array {
        shown += &format!("; chunks {:?}, blocks {:?}", array.chunks(), array.blocks());
    }
    let codec = match frame.codec() {
        Ok(codec) => format!("{codec}:{}", frame.level()),
        Err(error) => error.to_string(),
    };
    let how = [codec].into_iter().chain(filters).collect::<Vec<_>>().join(", ");
    let size = frame.typesize();
    shown += &format!("; {how}, elements of {size} byte{}", if size == 1 { "" } else { "s" });
    shown.extend(elsewhere.map(|why| format!("; {why}")));
    Ok(Fact::new("frame", Value::Struct(fields.collect())).shown(shown))
}

/// The filters of the header by their names, or numbers.
fn filters(frame: &Frame) -> Vec<String> {
    let named = |(id, meta): (u8, u8)| match Filter::of_id(id, meta) {
        Some(filter) => filter.to_string(),
        None => format!("filter {id}"),
    };
    frame.filters().filter(|(id, _)| *id != 0).map(named).collect()
}

fn chunk(frame: &Frame, number: u64) -> Result<Row> {
    let chunk = frame.chunk(number)?;
    let (place, address) = (frame.place(number)?, frame.chunk_address(number)?);
    let (file, stored) = match place {
        Place::Stored(file) => {
            (frame.is_sparse().then(|| format!("{file:08X}.chunk")), chunk.cbytes())
        }
        Place::Special(_) => (None, 0),
    };
    let (bytes, codec) = (chunk.nbytes(), chunk.codec()?);
    let special = chunk.special().map(|special| format!("{special:?}").to_lowercase());
    let how = match (&special, codec) {
        (Some(special), _) => special.clone(),
        (None, Some(codec)) => format!("{codec}, {}", ratio(bytes, stored)),
        (None, None) => "as it is".to_owned(),
    };
    let place = address.map(|address| address.to_string()).or(file.clone()).unwrap_or_default();
    Ok(Row {
        facts: vec![
            Fact::new("number", number),
            Fact::new("address", address),
            Fact::new("file", file),
            Fact::new("bytes", bytes),
            Fact::new("stored", stored),
            Fact::new("codec", codec.map(|codec| codec.as_str())),
            Fact::new("special", special),
        ],
        cells: vec![number.to_string(), place, bytes.to_string(), stored.to_string(), how],
        result: Ok(()),
    })
}

/// The row of a chunk that is damaged, or cannot be read.
fn wrong(number: u64, error: Error) -> Row {
    let facts = vec![Fact::new("number", number), Fact::new("error", error.to_string())];
    let named = if error.chunk().is_some() { String::new() } else { format!("chunk {number}: ") };
    let listed = dudley::Error::Listed {
        path: format!("/chunks/{number}").into(),
        why: format!("{named}{error}").into(),
    };
    let error = match error {
        Error::Engine { source, .. } if source.is_unread() => source,
        _ => listed,
    };
    Row { facts, cells: vec![number.to_string(), "?".to_owned()], result: Err(error) }
}

fn ratio(decoded: u64, stored: u64) -> String {
    match stored {
        0 => "nothing stored".to_owned(),
        stored => format!("ratio {:.2}", decoded as f64 / stored as f64),
    }
}
