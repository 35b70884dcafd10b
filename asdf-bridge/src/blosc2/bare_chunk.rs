//! What is a chunk without a frame. It has no signature: it is known by its version and its length, or, where some of
//! it is missing or more follows, by all that its header says.

use dudley::typed::{Little, Record};

use super::chunk::{Header, LONG, NUMBER};
use super::layouts::chunk_32::Starts;

/// The versions of chunks.
const VERSIONS: std::ops::RangeInclusive<u8> = 1..=6;

/// The header at the start of some bytes, if it could be that of a chunk; of this many bytes at most.
fn header(head: &[u8], most: u64) -> Option<Header> {
    head.first().filter(|version| VERSIONS.contains(version))?;
    let short = head.first_chunk()?;
    let header = match Header::length(short) {
        LONG => Header::long(head.first_chunk()?, most),
        _ => Header::short(short, most),
    };
    header.ok()
}

/// Decoded bytes of what may be one chunk and nothing else, of which these are the first bytes, and how they are
/// stored.
pub(super) fn lone_chunk(head: &[u8], length: u64) -> Option<(usize, String)> {
    let header = header(head, length).filter(|header| header.cbytes as u64 == length)?;
    let how = match (header.special, header.codec()) {
        (Some(special), _) => format!("{special:?}").to_lowercase(),
        (None, _) if header.stored => "stored as it is".to_owned(),
        (None, Ok(codec)) => codec.to_string(),
        (None, Err(error)) => error.to_string(),
    };
    Some((header.nbytes, format!("{how}; elements of {} bytes", header.typesize)))
}

/// How many bytes a chunk has that `length` bytes begin with, of which `head` are the first 64, or all; `None` if they
/// are something else. If it is not as many as there are, some are missing or something follows, and all is looked
/// at that a header says, since other bytes may look alike.
///
/// ```
/// use asdf_bridge::blosc2::{Encoding, chunk_length};
///
/// let stored = Encoding::new(8).chunk(&[7; 8000])?;
/// let length = stored.len() as u64;
/// assert_eq!(chunk_length(&stored, length), Some(length));
/// assert_eq!(chunk_length(&stored, length + 5), Some(length));
/// assert_eq!(chunk_length(&stored[1..], length - 1), None);
/// # Ok::<(), asdf_bridge::blosc2::Error>(())
/// ```
pub fn chunk_length(head: &[u8], length: u64) -> Option<u64> {
    let header = header(head, u64::MAX)?;
    let cbytes = header.cbytes as u64;
    (cbytes == length || is_certain(head, &header)).then_some(cbytes)
}

/// Whether nothing of a header and of what follows it could be otherwise in a chunk.
fn is_certain(head: &[u8], header: &Header) -> bool {
    // Behind the version of the chunk is that of its codec, which is 1 of all.
    let known = head.get(1) == Some(&1) && header.codec().is_ok() && header.has_known_filters();
    if !known || header.nbytes == 0 || header.cbytes > header.nbytes + LONG {
        return false;
    }
    // Of these the length follows from that of the data.
    if header.stored || header.special.is_some() {
        return true;
    }
    let first = header.len.saturating_add(header.blocks().saturating_mul(NUMBER));
    let start = head.get(header.len..).and_then(|starts| starts.first_chunk());
    let start = start.and_then(|start| usize::try_from(Starts::decode::<Little>(start).at).ok());
    start.is_some_and(|start| (first..header.cbytes).contains(&start))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blosc2::{Codec, Encoding};

    #[test]
    fn chunks_of_all_kinds_are_known_when_they_are_cut() {
        let ramp: Vec<u8> = (0..40_000_u32).flat_map(|at| (at * at).to_le_bytes()).collect();
        let noise: Vec<u8> = ramp.iter().map(|byte| byte ^ (byte >> 3)).collect();
        for bytes in [&ramp[..], &noise, &[5; 4000]] {
            for encoding in [
                Encoding::new(4),
                Encoding::new(4).codec(Codec::BloscLz).short_header(true),
                Encoding::new(4).level(0),
            ] {
                let stored = encoding.chunk(bytes).expect("a chunk");
                let length = stored.len() as u64;
                let head = &stored[..stored.len().min(64)];
                for there in [length, length - 1, length / 2 + 30, length + 7] {
                    assert_eq!(chunk_length(head, there), Some(length), "{there}");
                }
            }
        }
    }

    #[test]
    fn other_bytes_are_not() {
        // Of a plain generator, so that a failure comes again.
        let mut state = 1_u64;
        let mut next = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (state >> 56) as u8
        };
        for round in 0..100_000 {
            let mut bytes: [u8; 64] = std::array::from_fn(|_| next());
            bytes[0] = (round % 7) as u8;
            assert_eq!(chunk_length(&bytes, 1000), None, "{bytes:?}");
        }
        assert_eq!(chunk_length(&[0; 64], 64), None);
        assert_eq!(chunk_length(&[1, 1], 2), None);
    }
}
