//! zstd: one frame a stream, decoded by the C library.

use zstd::zstd_safe::{DCtx, SafeResult, get_error_name};

use super::{Decode, Dictionary, Failed};

pub(super) struct Zstd(DCtx<'static>);

impl Zstd {
    pub(super) fn new() -> Result<Zstd, Failed> {
        DCtx::try_create().map(Zstd).ok_or_else(|| Failed("zstd: no memory".to_owned()))
    }
}

impl Decode for Zstd {
    /// All is decoded, whatever is needed: streams are hardly longer than a block of zstd.
    fn decode(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        dictionary: Option<&Dictionary>,
        _: usize,
    ) -> Result<(), Failed> {
        let decoded = match dictionary {
            None => self.0.decompress(dst, src),
            Some(dictionary) => {
                let digested = dictionary.digested.as_ref();
                let digested = digested.ok_or_else(|| Failed("zstd: no dictionary".to_owned()))?;
                self.0.decompress_using_ddict(dst, src, digested)
            }
        };
        whole(decoded, dst.len())
    }
}

fn whole(decoded: SafeResult, expected: usize) -> Result<(), Failed> {
    match decoded {
        Ok(len) if len == expected => Ok(()),
        Ok(len) => Err(Failed::length(expected, len)),
        Err(code) => Err(Failed(format!("zstd: {}", get_error_name(code)))),
    }
}
