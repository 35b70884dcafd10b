//! The built-in filter of Zstandard, whose library is one of C.

use zstd::zstd_safe::CParameter;

use super::builtin::{Decoded, Encoding, Stored, level};
use super::writing::Writing;
use super::{Filter, FilterError, FilterValue, Result, read_exactly};
use crate::work::Work;

/// Bytes of a part of a frame that a thread encodes, with some of those before it, and the most threads: each takes
/// memory for a part and what is made of it.
const PART: u32 = 4 << 20;
const MOST_THREADS: u32 = 16;

/// Any number of Zstandard frames, one after the other.
pub(super) struct Zstd;

impl Filter for Zstd {
    fn name(&self) -> &str {
        "zstd"
    }

    fn check(&self, args: &[FilterValue]) -> Result<()> {
        level(self, args, zstd::compression_level_range(), 3).map(drop)
    }

    fn decode(&self, _: &[FilterValue], stored: &[u8], decoded_len: u64) -> Result<Vec<u8>> {
        let mut decoder =
            zstd::stream::read::Decoder::with_buffer(stored).map_err(FilterError::Damaged)?;
        read_exactly(&mut decoder, decoded_len)
    }

    fn reader<'s>(&self, _: &[FilterValue], stored: Stored<'s>) -> Option<Decoded<'s>> {
        let decoder = zstd::stream::read::Decoder::with_buffer(stored).ok()?;
        Some(Box::new(decoder))
    }

    fn encode(&self, args: &[FilterValue], raw: &[u8]) -> Result<Vec<u8>> {
        let level = level(self, args, zstd::compression_level_range(), 3)?;
        zstd::stream::encode_all(raw, level).map_err(FilterError::Encode)
    }

    fn encoder(&self, args: &[FilterValue], raw_len: u64, work: &Work) -> Result<Option<Encoding>> {
        let level = level(self, args, zstd::compression_level_range(), 3)?;
        let encoder = zstd::stream::write::Encoder::new(Vec::new(), level);
        let mut encoder = encoder.map_err(FilterError::Encode)?;
        encoder.set_pledged_src_size(Some(raw_len)).map_err(FilterError::Encode)?;
        // One thread too goes part by part, so that what is stored does not depend on how many there are.
        let threads = u32::try_from(work.most_threads()).unwrap_or(u32::MAX).clamp(1, MOST_THREADS);
        encoder.multithread(threads).map_err(FilterError::Encode)?;
        encoder.set_parameter(CParameter::JobSize(PART)).map_err(FilterError::Encode)?;
        Ok(Some(Box::new(Writing {
            encoder: Some(encoder),
            written: |encoder| encoder.get_mut(),
            finish: |encoder| encoder.finish(),
        })))
    }
}
