//! zlib: a stream of RFC 1950, encoded by libdeflate, a library of C.

use libdeflater::{CompressionError, CompressionLvl, Compressor};

use super::super::Failed;
use super::{Encode, EncoderDictionary};

pub(super) struct Zlib(Compressor);

impl Zlib {
    /// Its levels 1 to 9 compress at least as well as those of zlib.
    pub(super) fn new(level: u8) -> Zlib {
        Zlib(Compressor::new(CompressionLvl::new(level.into()).unwrap_or_default()))
    }
}

impl Encode for Zlib {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, Failed> {
        match self.0.zlib_compress(src, dst) {
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
