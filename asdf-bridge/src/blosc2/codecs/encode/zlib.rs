//! zlib: a stream of RFC 1950.

use flate2::{Compress, Compression, FlushCompress, Status};

use super::super::Failed;
use super::{Encode, EncoderDictionary};

pub(super) struct Zlib(Compress);

impl Zlib {
    pub(super) fn new(level: u8) -> Zlib {
        Zlib(Compress::new(Compression::new(level.into()), true))
    }
}

impl Encode for Zlib {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, Failed> {
        self.0.reset();
        match self.0.compress(src, dst, FlushCompress::Finish) {
            Ok(Status::StreamEnd) => Ok(usize::try_from(self.0.total_out()).ok()),
            Ok(_) => Ok(None),
            Err(error) => Err(Failed(format!("zlib: {error}"))),
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
