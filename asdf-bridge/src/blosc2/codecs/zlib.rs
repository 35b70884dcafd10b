//! zlib: a stream of RFC 1950, decoded without a library of C.

use flate2::{Decompress, FlushDecompress, Status};

use super::{Decode, Dictionary, Failed};

pub(super) struct Zlib(Decompress);

impl Zlib {
    pub(super) fn new() -> Zlib {
        Zlib(Decompress::new(true))
    }
}

impl Decode for Zlib {
    fn decode(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        dictionary: Option<&Dictionary>,
        needed: usize,
    ) -> Result<(), Failed> {
        if dictionary.is_some() {
            return Err(Failed("zlib has no dictionaries".to_owned()));
        }
        self.0.reset(true);
        let (all, dst) = (needed >= dst.len(), &mut dst[..needed]);
        let flush = if all { FlushDecompress::Finish } else { FlushDecompress::None };
        let status = self.0.decompress(src, dst, flush);
        let decoded = usize::try_from(self.0.total_out()).unwrap_or(usize::MAX);
        match status {
            Ok(Status::StreamEnd) if decoded == dst.len() => Ok(()),
            Ok(Status::StreamEnd) => Err(Failed::length(dst.len(), decoded)),
            Ok(_) if !all && decoded == dst.len() => Ok(()),
            Ok(_) => Err(Failed("zlib: the stream does not end with its bytes".to_owned())),
            Err(error) => Err(Failed(format!("zlib: {error}"))),
        }
    }
}
