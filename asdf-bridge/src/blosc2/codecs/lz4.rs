//! LZ4: blocks without a frame.

use super::{Decode, Dictionary, Failed};

pub(super) struct Lz4;

impl Decode for Lz4 {
    fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), Failed> {
        let len = dst.len();
        whole(lz4_flex::block::decompress_into(src, dst), len)
    }

    /// The dictionary is what the first bytes would follow.
    fn decode_with(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        dictionary: &Dictionary,
    ) -> Result<(), Failed> {
        let len = dst.len();
        whole(lz4_flex::block::decompress_into_with_dict(src, dst, &dictionary.bytes), len)
    }
}

fn whole(
    decoded: Result<usize, lz4_flex::block::DecompressError>,
    expected: usize,
) -> Result<(), Failed> {
    match decoded {
        Ok(len) if len == expected => Ok(()),
        Ok(len) => Err(Failed::length(expected, len)),
        Err(error) => Err(Failed(format!("lz4: {error}"))),
    }
}
