//! zlib: a stream of RFC 1950.

use flate2::{Decompress, FlushDecompress, Status};

use super::{Decode, Dictionary, Failed};

pub(super) struct Zlib(Decompress);

impl Default for Zlib {
    fn default() -> Zlib {
        Zlib(Decompress::new(true))
    }
}

impl Decode for Zlib {
    fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), Failed> {
        self.0.reset(true);
        let status = self.0.decompress(src, dst, FlushDecompress::Finish);
        let decoded = usize::try_from(self.0.total_out()).unwrap_or(usize::MAX);
        match status {
            Ok(Status::StreamEnd) if decoded == dst.len() => Ok(()),
            Ok(Status::StreamEnd) => Err(Failed::length(dst.len(), decoded)),
            Ok(_) => Err(Failed("zlib: the stream does not end with its bytes".to_owned())),
            Err(error) => Err(Failed(format!("zlib: {error}"))),
        }
    }

    fn decode_with(&mut self, _: &[u8], _: &mut [u8], _: &Dictionary) -> Result<(), Failed> {
        Err(Failed("zlib has no dictionaries".to_owned()))
    }
}
