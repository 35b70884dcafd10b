//! zlib streams decoded as a whole by libdeflate, a library of C that takes about half the time of a decoder in steps.

use libdeflater::{Decompressor, adler32};

use crate::bytes::take_scratch;

/// Bytes that are allocated before any is decoded: for each stored one, and whatever is stored.
const FOR_EACH: u64 = 16;
const AT_ONCE: u64 = 16 << 20;

/// No byte of deflate stands for more.
const MOST: u64 = 1032;

/// What `stored` decodes to, if it is one stream of that many bytes and nothing else. Of other streams, and of those
/// that claim to be far more than is stored, a decoder in steps says what is wrong.
pub(super) fn zlib(stored: &[u8], decoded_len: u64) -> Option<Vec<u8>> {
    let (count, sum) = (stored.len() as u64, stored.last_chunk::<4>()?);
    if decoded_len > count.saturating_mul(FOR_EACH).max(AT_ONCE.min(count.saturating_mul(MOST))) {
        return None;
    }
    let mut decoded = take_scratch(usize::try_from(decoded_len).ok()?)?;
    let found = Decompressor::new().zlib_decompress(stored, &mut decoded).ok()?;
    // It says nothing of what stands behind the stream, which ends with this sum.
    let ends = u32::from_be_bytes(*sum) == adler32(&decoded);
    (found == decoded.len() && ends).then_some(decoded)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::zlib;

    fn stream(raw: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), Default::default());
        encoder.write_all(raw).expect("in memory");
        encoder.finish().expect("in memory")
    }

    #[test]
    fn whole_streams_are_decoded_and_others_are_not() {
        let raw: Vec<u8> = (0..100_000_u32).map(|at| (at.wrapping_mul(at) >> 7) as u8).collect();
        let stored = stream(&raw);
        let length = raw.len() as u64;
        assert_eq!(zlib(&stored, length).as_deref(), Some(&*raw));
        for wrong in [0, 1, length - 1, length + 1, u64::MAX] {
            assert_eq!(zlib(&stored, wrong), None, "{wrong}");
        }
        assert_eq!(zlib(&[&stored[..], &[0]].concat(), length), None);
        assert_eq!(zlib(&stored[..stored.len() - 1], length), None);
        assert_eq!(zlib(&[&stored[..], &stored[stored.len() - 1..]].concat(), length), None);
        let mut damaged = stored.clone();
        damaged[stored.len() / 2] ^= 1;
        assert_eq!(zlib(&damaged, length), None);
        assert_eq!(zlib(&[], 0), None);
        assert_eq!(zlib(&stream(&[]), 0).as_deref(), Some(&[][..]));
    }
}
