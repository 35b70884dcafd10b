//! How an ASDF or FINF file is written.

use std::cell::RefCell;
use std::path::PathBuf;

use asdf_bridge::asdf::{Array, Codecs, Compression, Error, Item, Yaml, to_yaml, to_yaml_unmasked};
use asdf_bridge::blosc2;
use dudley::filter::FilterValue;

use crate::failure::Result;
use crate::fill::Fill;

/// How a file is written.
pub(crate) struct Options {
    /// Whether the file is FINF.
    pub(crate) finf: bool,
    /// The compression of all blocks; without it each block keeps its own.
    pub(crate) codec: Option<Codec>,
    /// Whether each block is written into its own file.
    pub(crate) explode: bool,
    /// Whether an existing file is overwritten.
    pub(crate) force: bool,
    /// The input files, which are never overwritten.
    pub(crate) read: Vec<PathBuf>,
    /// The value for masked elements, if the output has no masks.
    pub(crate) fill: Fill,
}

impl Options {
    /// Whether the output has no masks.
    pub(crate) fn unmasks(&self) -> bool {
        self.finf || self.fill.is_given()
    }

    /// Makes parts of files ready to be written.
    ///
    /// # Errors
    /// If reading fails; if an array is masked and the output has no masks.
    pub(crate) fn parts(&self, items: &[Item]) -> Result<Vec<Yaml<'static>>> {
        if !self.unmasks() {
            return Ok(to_yaml(items)?);
        }
        let failed = RefCell::new(None);
        let unmask = |array: &Array| {
            self.fill.array(&array.into(), array.path()).map_err(|failure| {
                *failed.borrow_mut() = Some(failure);
                Error::NoTree
            })
        };
        let parts = to_yaml_unmasked(items, &unmask);
        failed.into_inner().map_or_else(|| Ok(parts?), Err)
    }
}

/// A compression on the command line, or no compression.
#[derive(Clone, Debug)]
pub(crate) struct Codec(pub(super) Option<Compression>);

/// The available compressions.
const KNOWN: &str = "none, zlib, bzp2, lz4, lz4f, zstd, blsc and bls2";

/// Reads `zstd`, `zstd:9`, `blsc:zstd:5`, `none`.
pub(crate) fn parse_codec(text: &str) -> std::result::Result<Codec, String> {
    let (name, level) = match text.split_once(':') {
        Some((name, level)) => (name, Some(level)),
        None => (text, None),
    };
    if name == "none" && level.is_none() {
        return Ok(Codec(None));
    }
    if let "blsc" | "bls2" = name {
        return blosc(name, level.unwrap_or_default()).map(|codec| Codec(Some(codec)));
    }
    let known = KNOWN.split(", ").any(|known| known == name);
    let mut label = [0; 4];
    let room = label.get_mut(..name.len()).filter(|_| known && name != "none");
    let room = room.ok_or_else(|| format!("`{name}` is none of {KNOWN}"))?;
    room.copy_from_slice(name.as_bytes());
    let mut compression = Compression::of(label);
    if let Some(level) = level {
        let level = level.parse().map_err(|_| format!("`{level}` is no level"))?;
        compression = compression.arg(FilterValue::Int(level));
    }
    compression.check(&Codecs::default()).map_err(|error| error.to_string())?;
    Ok(Codec(Some(compression)))
}

/// Blosc with one of its codecs, a level, both or neither.
fn blosc(name: &str, of: &str) -> std::result::Result<Compression, String> {
    let (mut codec, mut level) = (blosc2::Codec::Lz4, 5);
    for word in of.split(':').filter(|word| !word.is_empty()) {
        match (blosc2::Codec::of_name(word), word.parse()) {
            (Some(found), _) => codec = found,
            (None, Ok(found @ 0..=9)) => level = found,
            _ => return Err(format!("`{word}` is no codec of Blosc and no level from 0 to 9")),
        }
    }
    Ok(match name {
        "blsc" => Compression::blsc(codec, level),
        _ => Compression::bls2(codec, level),
    })
}
