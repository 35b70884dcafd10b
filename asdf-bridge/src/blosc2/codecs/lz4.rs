//! LZ4: blocks without a frame. Literals and a copy of earlier output, told by one byte before each pair.

use super::{Decode, Dictionary, Failed, copy};

/// The shortest copy.
const SHORTEST: usize = 4;

/// The value of a length in four bits that more bytes follow.
const MORE: usize = 15;

/// Bytes that are copied at a time: all literals of a short length.
const COPY: usize = 16;

/// Short literals, and the distance behind them.
const AHEAD: usize = COPY + 2;

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

/// How many bytes were decoded: all, or at least as many as are `needed`; none if something reaches
/// beyond either end.
fn decode(src: &[u8], dst: &mut [u8], dictionary: &[u8], needed: usize) -> Option<usize> {
    let (mut from, mut to) = (0, 0);
    loop {
        let token = usize::from(*src.get(from)?);
        from += 1;
        let mut len = token >> 4;
        // Most are short and far from both ends, so that a copy may have a fixed length.
        let ahead = src.get(from..).and_then(|rest| rest.first_chunk::<AHEAD>());
        let room = dst.get_mut(to..).and_then(|rest| rest.first_chunk_mut::<COPY>());
        let distance;
        if let (Some(ahead), Some(room)) = (ahead, room)
            && len < MORE
            && to < needed
        {
            room.copy_from_slice(&ahead[..COPY]);
            (from, to) = (from + len, to + len);
            distance = usize::from(ahead[len]) + (usize::from(ahead[len + 1]) << 8);
        } else {
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
            distance = usize::from(*low) + (usize::from(*high) << 8);
        }
        from += 2;
        let mut len = (token & MORE) + SHORTEST;
        if len == MORE + SHORTEST {
            len += more(src, &mut from, dst.len())?;
        }
        match distance <= to {
            true => copy::repeat(dst, to, distance, len)?,
            false => from_dictionary(dictionary, dst, to, distance, len)?,
        }
        to += len;
    }
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
