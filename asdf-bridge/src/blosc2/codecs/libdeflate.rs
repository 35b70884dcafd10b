//! zlib: a stream of RFC 1950, decoded by libdeflate, a library of C.

use libdeflater::Decompressor;

use super::{Decode, Dictionary, Failed};

pub(super) struct Zlib(Decompressor);

impl Zlib {
    pub(super) fn new() -> Zlib {
        Zlib(Decompressor::new())
    }
}

impl Decode for Zlib {
    /// All is decoded, whatever is needed.
    fn decode(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        dictionary: Option<&Dictionary>,
        _: usize,
    ) -> Result<(), Failed> {
        if dictionary.is_some() {
            return Err(Failed("zlib has no dictionaries".to_owned()));
        }
        match self.0.zlib_decompress(src, dst) {
            Ok(len) if len == dst.len() => Ok(()),
            Ok(len) => Err(Failed::length(dst.len(), len)),
            Err(error) => Err(Failed(format!("zlib: {error}"))),
        }
    }
}
