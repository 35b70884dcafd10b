//! zstd without the C library: one frame a stream, encoded by ruzstd, which has one level.

use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::super::Failed;
use super::{Encode, EncoderDictionary};

pub(super) struct Zstd;

impl Zstd {
    pub(super) fn new(_: u8) -> Result<Zstd, Failed> {
        Ok(Zstd)
    }
}

impl Encode for Zstd {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, Failed> {
        let stored = compress_to_vec(src, CompressionLevel::Fastest);
        let Some(room) = dst.get_mut(..stored.len()) else { return Ok(None) };
        room.copy_from_slice(&stored);
        Ok(Some(stored.len()))
    }

    /// The dictionary is not used, which streams are free to do.
    fn encode_with(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        _: &EncoderDictionary,
    ) -> Result<Option<usize>, Failed> {
        self.encode(src, dst)
    }
}
