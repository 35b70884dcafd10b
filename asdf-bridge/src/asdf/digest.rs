//! Whether the data of a block are those that its digest was made of.

use std::sync::Arc;

use super::md5::Md5;
use dudley::bytes::{Source, slice};

use super::blocks::Block;
use super::compression::Codecs;
use super::error::Result;
use super::report::Code;

/// Bytes read at a time.
const STEP: u64 = 4 << 20;

/// The result of comparing the digest of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DigestState {
    /// There is none.
    Absent,
    /// It is that of the stored data, as the standard has it.
    Good,
    /// It is that of the decompressed data, as Python's `asdf` wrote it before version 5.3.
    Legacy,
    /// It is that of neither.
    Bad,
}

impl DigestState {
    /// A word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            DigestState::Absent => "absent",
            DigestState::Good => "good",
            DigestState::Legacy => "legacy",
            DigestState::Bad => "bad",
        }
    }

    /// What is to be said of it, if anything.
    pub(super) fn finding(self) -> Option<(Code, &'static str)> {
        match self {
            DigestState::Absent | DigestState::Good => None,
            DigestState::Legacy => Some((
                Code::LegacyDigest,
                "expected the digest of the stored data, found that of the decompressed data",
            )),
            DigestState::Bad => {
                Some((Code::BadDigest, "expected the digest of the data, found another one"))
            }
        }
    }
}

/// Compares a block's data with its digest. All of them are read.
pub(super) fn check(
    source: &Arc<dyn Source>,
    block: &Block,
    codecs: &Codecs,
    limit: u64,
) -> Result<DigestState> {
    if block.digest == [0; 16] || block.is_streamed() {
        return Ok(DigestState::Absent);
    }
    if of_stored(&**source, block)? == block.digest {
        return Ok(DigestState::Good);
    }
    if block.compression().is_none() {
        return Ok(DigestState::Bad);
    }
    // Data that cannot be decompressed have no legacy digest.
    let decoded = codecs.open(source.clone(), block, limit);
    let digest = decoded.and_then(|decoded| of_range(&decoded, 0, decoded.len()));
    let legacy = digest.is_ok_and(|digest| digest == block.digest);
    Ok(if legacy { DigestState::Legacy } else { DigestState::Bad })
}

/// The digest of the data that a block stores. They are all read.
pub(super) fn of_stored(source: &dyn Source, block: &Block) -> Result<[u8; 16]> {
    of_range(source, block.data.start, block.used())
}

/// The digest of some bytes of a source.
fn of_range(source: &dyn Source, start: u64, length: u64) -> Result<[u8; 16]> {
    if let Some(bytes) = source.bytes() {
        return Ok(Md5::digest(slice(bytes, start, length)?));
    }
    dudley::bytes::check(source.len(), start, length)?;
    let mut hasher = Md5::new();
    let mut piece = Vec::new();
    let (mut at, end) = (start, start + length);
    while at < end {
        piece.resize((end - at).min(STEP) as usize, 0);
        source.read_at(at, &mut piece)?;
        hasher.update(&piece);
        at += piece.len() as u64;
    }
    Ok(hasher.finish())
}
