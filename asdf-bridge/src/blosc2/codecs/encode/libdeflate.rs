//! zlib: a stream of RFC 1950, encoded by libdeflate, a library of C, where it is the better encoder.
//!
//! Where little repeats libdeflate is a third faster than zlib-rs, and as small. Where much does it is slower, and
//! larger.

use libdeflater::{CompressionError, CompressionLvl, Compressor};

use super::super::Failed;
use super::lz4::Lz4;
use super::{Encode, EncoderDictionary, zlib_rs};

/// Pieces of a stream that are looked at, and bytes of each.
const PIECES: usize = 4;
const PIECE: usize = 4 << 10;

pub(super) struct Zlib {
    compressor: Compressor,
    other: zlib_rs::Zlib,
    /// Finds out how much repeats.
    probe: Lz4,
    room: Vec<u8>,
}

impl Zlib {
    pub(super) fn new(level: u8) -> Zlib {
        Zlib {
            compressor: Compressor::new(CompressionLvl::new(level.into()).unwrap_or_default()),
            other: zlib_rs::Zlib::new(level),
            probe: Lz4::new(5),
            room: vec![0; PIECE],
        }
    }

    /// Whether pieces from everywhere have less than a half that is a repeat of what is near.
    fn repeats_little(&mut self, src: &[u8]) -> Result<bool, Failed> {
        let (mut seen, mut stored) = (0, 0);
        for piece in src.chunks((src.len() / PIECES).max(1)).take(PIECES) {
            let piece = &piece[..piece.len().min(PIECE)];
            let len = self.probe.encode(piece, &mut self.room)?;
            seen += piece.len();
            stored += len.unwrap_or(piece.len());
        }
        Ok(stored * 2 > seen)
    }
}

impl Encode for Zlib {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, Failed> {
        if !self.repeats_little(src)? {
            return self.other.encode(src, dst);
        }
        match self.compressor.zlib_compress(src, dst) {
            Ok(len) => Ok(Some(len)),
            Err(CompressionError::InsufficientSpace) => Ok(None),
        }
    }

    fn encode_with(
        &mut self,
        _: &[u8],
        _: &mut [u8],
        _: &EncoderDictionary,
    ) -> Result<Option<usize>, Failed> {
        Err(Failed("zlib has no dictionaries".to_owned()))
    }
}
