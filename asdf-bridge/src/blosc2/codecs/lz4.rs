//! LZ4: blocks without a frame. Literals and a copy of earlier output, described by one byte before each pair.

use super::{Decode, Dictionary, Failed, copy};
#[cfg(target_arch = "x86_64")]
use crate::blosc2::kernels::Path;

#[cfg(target_arch = "x86_64")]
#[path = "lz4_x86.rs"]
mod x86;

/// The shortest copy.
const SHORTEST: usize = 4;

/// The value of a length in four bits that more bytes follow.
const MORE: usize = 15;

/// Bytes that are copied at a time: all literals of a short length.
const COPY: usize = 16;

/// A token, short literals, and the distance behind them.
const AHEAD: usize = 1 + COPY + 1;

/// Short literals and a short copy, and what is written behind them.
const ROOM: usize = 3 * COPY;

pub(super) struct Lz4;

impl Decode for Lz4 {
    /// The dictionary is what the first bytes would follow.
    fn decode(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        dictionary: Option<&Dictionary>,
        needed: usize,
    ) -> Result<(), Failed> {
        let dictionary = dictionary.map_or(&[][..], |dictionary| &dictionary.bytes);
        match decode(src, dst, dictionary, needed) {
            Some(len) if len == dst.len() || (needed..dst.len()).contains(&len) => Ok(()),
            Some(len) => Err(Failed::length(dst.len(), len)),
            None => Err(Failed("lz4: literals or a copy that begin or end outside".to_owned())),
        }
    }
}

/// How many bytes were decoded: all, or at least as many as are `needed`; `None` if something reaches
/// beyond either end.
fn decode(src: &[u8], dst: &mut [u8], dictionary: &[u8], needed: usize) -> Option<usize> {
    let (mut from, mut to) = (0, 0);
    loop {
        (from, to) = short(src, dst, needed, (from, to))?;
        // One pair of any lengths, at any place.
        let token = usize::from(*src.get(from)?);
        from += 1;
        let mut len = token >> 4;
        if len == MORE {
            len += more(src, &mut from, dst.len())?;
        }
        copy::literals(src, from, dst, to, len)?;
        (from, to) = (from + len, to + len);
        if to >= needed && to < dst.len() {
            return Some(to);
        }
        // A block ends with literals.
        let Some([low, high]) = src.get(from..).and_then(|rest| rest.first_chunk()) else {
            return (from == src.len() && to <= dst.len()).then_some(to);
        };
        let distance = usize::from(*low) + (usize::from(*high) << 8);
        from += 2;
        let mut len = (token & MORE) + SHORTEST;
        if len == MORE + SHORTEST {
            len += more(src, &mut from, dst.len())?;
        }
        if distance <= to {
            copy::repeat(dst, to, distance, len)?
        } else {
            from_dictionary(dictionary, dst, to, distance, len)?
        }
        to += len;
    }
}

/// Decodes pairs from a place in `src` and one in `dst` on, to the places behind them, as long as their
/// literals are few, nothing ends soon, and more is `needed`. `None` if something reaches beyond an end.
fn short(src: &[u8], dst: &mut [u8], needed: usize, at: (usize, usize)) -> Option<(usize, usize)> {
    #[cfg(target_arch = "x86_64")]
    if Path::best() != Path::Portable {
        return x86::short(src, dst, needed, at);
    }
    pairs(src, dst, needed, at, copy::repeated)
}

/// As [`short`]. `repeated` gives what follows 16 bytes if the first ones of them, up to 16, are repeated.
#[inline(always)]
fn pairs(
    src: &[u8],
    dst: &mut [u8],
    needed: usize,
    at: (usize, usize),
    repeated: impl Fn([u8; COPY], usize) -> [u8; COPY],
) -> Option<(usize, usize)> {
    let (mut from, mut to) = at;
    while to < needed {
        let Some(ahead) = src.get(from..).and_then(|rest| rest.first_chunk::<AHEAD>()) else {
            break;
        };
        let Some(room) = dst.get_mut(to..).and_then(|rest| rest.first_chunk_mut::<ROOM>()) else {
            break;
        };
        let token = usize::from(ahead[0]);
        let literals = token >> 4;
        if literals == MORE {
            break;
        }
        room[..COPY].copy_from_slice(&ahead[1..=COPY]);
        let [low, high] = *ahead[1 + literals..].first_chunk()?;
        let distance = usize::from(low) | usize::from(high) << 8;
        // What begins in a dictionary is not for here.
        let Some(start) = (to + literals).checked_sub(distance).filter(|_| distance > 0) else {
            break;
        };
        (from, to) = (from + literals + 3, to + literals);
        let mut len = (token & MORE) + SHORTEST;
        if len > COPY {
            if len == MORE + SHORTEST {
                len += more(src, &mut from, dst.len())?;
            }
            copy::repeat(dst, to, distance, len)?;
        } else {
            let bytes = *dst.get(start..)?.first_chunk()?;
            *dst.get_mut(to..)?.first_chunk_mut()? = repeated(bytes, distance.min(COPY));
        }
        to += len;
    }
    Some((from, to))
}

/// The rest of a length: bytes up to one that is not 255. More than `most` is none.
fn more(src: &[u8], from: &mut usize, most: usize) -> Option<usize> {
    let mut len = 0;
    loop {
        let byte = usize::from(*src.get(*from)?);
        *from += 1;
        len += byte;
        if byte != 255 {
            return Some(len);
        }
        if len > most {
            return None;
        }
    }
}

/// A copy that begins before the output.
fn from_dictionary(
    dictionary: &[u8],
    dst: &mut [u8],
    to: usize,
    distance: usize,
    len: usize,
) -> Option<()> {
    let before = distance - to;
    let start = dictionary.len().checked_sub(before)?;
    let count = before.min(len);
    let room = dst.get_mut(to..to.checked_add(count)?)?;
    room.copy_from_slice(&dictionary[start..start + count]);
    match len - count {
        0 => Some(()),
        rest => copy::repeat(dst, to + count, distance, rest),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The bytes that follow, by the definition.
    #[test]
    fn every_short_distance_is_repeated() {
        let bytes: [u8; COPY] = std::array::from_fn(|at| at as u8 + 1);
        for distance in 1..=COPY {
            let wanted: [u8; COPY] = std::array::from_fn(|at| bytes[at % distance]);
            assert_eq!(copy::repeated(bytes, distance), wanted, "{distance}");
            for at in distance..40 {
                // A first byte, the others after it, and one pair that repeats them.
                let mut src = match at {
                    ..MORE => vec![(at as u8) << 4],
                    _ => vec![0xf0, (at - MORE) as u8],
                };
                src.extend((0..at).map(|at| at as u8));
                src.extend([distance as u8, 0]);
                for len in 4..19_usize {
                    src[0] = src[0] & 0xf0 | (len - 4) as u8;
                    let mut stored = src.clone();
                    stored.push(0xf0);
                    stored.push(100 - 15);
                    stored.extend([7; 100]);
                    let mut wanted: Vec<u8> = (0..at).map(|at| at as u8).collect();
                    (0..len).for_each(|_| wanted.push(wanted[wanted.len() - distance]));
                    wanted.extend([7; 100]);
                    for paths in [true, false] {
                        let mut dst = vec![0; wanted.len()];
                        let first = if paths {
                            short(&stored, &mut dst, wanted.len(), (0, 0))
                        } else {
                            pairs(&stored, &mut dst, wanted.len(), (0, 0), copy::repeated)
                        };
                        let (_, to) = first.expect("inside");
                        assert_eq!(dst[..to], wanted[..to], "{distance} {at} {len}");
                    }
                    assert_eq!(decoded(&stored, wanted.len(), &[]), Some(wanted));
                }
            }
        }
    }

    fn decoded(src: &[u8], len: usize, dictionary: &[u8]) -> Option<Vec<u8>> {
        let mut dst = vec![0; len];
        let found = decode(src, &mut dst, dictionary, len)?;
        dst.truncate(found);
        for needed in [0, len / 3, len.saturating_sub(1)] {
            let mut part = vec![0; len];
            let found = decode(src, &mut part, dictionary, needed).expect("a part of it");
            assert!(found >= needed.min(dst.len()) && part[..found] == dst[..found]);
        }
        Some(dst)
    }

    /// Bytes that repeat now and then.
    fn repetitive() -> impl Strategy<Value = Vec<u8>> {
        let piece = (prop::collection::vec(any::<u8>(), 1..20), 1_usize..60);
        prop::collection::vec(piece, 0..40)
            .prop_map(|pieces| pieces.into_iter().flat_map(|(it, n)| it.repeat(n)).collect())
    }

    proptest! {
        #[test]
        fn what_another_encoder_wrote(bytes in repetitive(), cut in 0_usize..4000) {
            let stored = lz4_flex::block::compress(&bytes);
            prop_assert_eq!(decoded(&stored, bytes.len(), &[]), Some(bytes.clone()));
            let dictionary = &bytes[..cut.min(bytes.len())];
            let stored = lz4_flex::block::compress_with_dict(&bytes, dictionary);
            prop_assert_eq!(decoded(&stored, bytes.len(), dictionary), Some(bytes.clone()));
        }

        #[test]
        fn any_bytes_end(bytes in prop::collection::vec(any::<u8>(), 0..300), len in 0_usize..400) {
            if let Some(found) = decoded(&bytes, len, &[1, 2, 3]) {
                prop_assert!(found.len() <= len);
            }
        }
    }

    #[test]
    fn lengths_are_bounded() {
        let mut long = vec![255; 8 << 20];
        long[0] = 0x0f;
        assert_eq!(decoded(&long, 100, &[]), None);
        assert_eq!(decoded(&[], 0, &[]), None);
        assert_eq!(decoded(&[0], 0, &[]), Some(Vec::new()));
        // A distance of 0.
        assert_eq!(decoded(&[0x10, 7, 0, 0, 0x00], 8, &[]), None);
    }
}
