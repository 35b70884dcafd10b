//! LZ4: blocks without a frame. Literals and a copy of earlier output, told by one byte before each pair.

use super::{Decode, Dictionary, Failed, copy};

/// The shortest copy.
const SHORTEST: usize = 4;

/// The value of a length in four bits that more bytes follow.
const MORE: usize = 15;

pub(super) struct Lz4;

impl Decode for Lz4 {
    fn decode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<(), Failed> {
        whole(decode(src, dst, &[]), dst.len())
    }

    /// The dictionary is what the first bytes would follow.
    fn decode_with(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        dictionary: &Dictionary,
    ) -> Result<(), Failed> {
        whole(decode(src, dst, &dictionary.bytes), dst.len())
    }
}

fn whole(decoded: Option<usize>, expected: usize) -> Result<(), Failed> {
    match decoded {
        Some(len) if len == expected => Ok(()),
        Some(len) => Err(Failed::length(expected, len)),
        None => Err(Failed("lz4: literals or a copy that begin or end outside".to_owned())),
    }
}

/// How many bytes were decoded; none if something reaches beyond either end.
fn decode(src: &[u8], dst: &mut [u8], dictionary: &[u8]) -> Option<usize> {
    let (mut from, mut to) = (0, 0);
    loop {
        let token = usize::from(*src.get(from)?);
        from += 1;
        let mut len = token >> 4;
        if len == MORE {
            len += more(src, &mut from, dst.len())?;
        }
        copy::literals(src, from, dst, to, len)?;
        (from, to) = (from + len, to + len);
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
        let found = decode(src, &mut dst, dictionary)?;
        dst.truncate(found);
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
