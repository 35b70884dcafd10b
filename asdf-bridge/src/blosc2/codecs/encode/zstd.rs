//! zstd: one frame a stream, encoded by the C library.

use zstd::zstd_safe::{CCtx, SafeResult, get_error_name};

use super::super::Failed;
use super::{Encode, EncoderDictionary};

pub(super) struct Zstd {
    context: CCtx<'static>,
    level: i32,
}

/// The level of zstd for one of Blosc2.
pub(super) fn level(level: u8) -> i32 {
    match level {
        0..=8 => (2 * i32::from(level) - 1).max(1),
        _ => 22,
    }
}

/// A dictionary of at most `most` bytes; `None` where there is too little to learn from.
pub(super) fn train(samples: &[u8], sizes: &[usize], most: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; most];
    let len = zstd::zstd_safe::train_from_buffer(&mut bytes[..], samples, sizes).ok()?;
    bytes.truncate(len);
    Some(bytes)
}

impl Zstd {
    pub(super) fn new(of: u8) -> Result<Zstd, Failed> {
        let context = CCtx::try_create().ok_or_else(|| Failed("zstd: no memory".to_owned()))?;
        Ok(Zstd { context, level: level(of) })
    }
}

impl Encode for Zstd {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, Failed> {
        fitting(self.context.compress(dst, src, self.level))
    }

    fn encode_with(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        dictionary: &EncoderDictionary,
    ) -> Result<Option<usize>, Failed> {
        let digested = dictionary.digested.as_ref();
        let digested = digested.ok_or_else(|| Failed("zstd: no dictionary".to_owned()))?;
        fitting(self.context.compress_using_cdict(dst, src, digested))
    }
}

fn fitting(done: SafeResult) -> Result<Option<usize>, Failed> {
    match done {
        Ok(len) => Ok(Some(len)),
        Err(code) => match get_error_name(code) {
            "Destination buffer is too small" => Ok(None),
            name => Err(Failed(format!("zstd: {name}"))),
        },
    }
}
