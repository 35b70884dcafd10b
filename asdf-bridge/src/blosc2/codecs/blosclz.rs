//! BloscLZ: copies of earlier output and literal bytes, distinguished by one byte before each.

use super::{Decode, Dictionary, Failed, copy};

/// What a distance of 13 bits reaches; those beyond have 16 more bits, from here on.
const NEAR: usize = 8191;

pub(super) struct BloscLz;

impl Decode for BloscLz {
    fn decode(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        dictionary: Option<&Dictionary>,
        needed: usize,
    ) -> Result<(), Failed> {
        if dictionary.is_some() {
            return Err(Failed("blosclz has no dictionaries".to_owned()));
        }
        match decode(src, dst, needed) {
            Some(len) if len == dst.len() || (needed..dst.len()).contains(&len) => Ok(()),
            Some(len) => Err(Failed::length(dst.len(), len)),
            None => Err(Failed("blosclz: a copy that begins or ends outside".to_owned())),
        }
    }
}

/// How many bytes were decoded: all, or at least as many as are `needed`; `None` if something reaches
/// beyond either end.
///
/// A copy at the very end of `src` is not made, as in the C library: encoders end with literals.
fn decode(src: &[u8], dst: &mut [u8], needed: usize) -> Option<usize> {
    // The first byte begins literals; its other bits say the version of the encoder.
    let mut control = usize::from(src.first()? & 31);
    let (mut from, mut to) = (1, 0);
    // Where all is wanted, bytes that follow are looked at, and found to be too many.
    let enough = if needed < dst.len() { needed } else { usize::MAX };
    loop {
        if control < 32 {
            let len = control + 1;
            copy::literals(src, from, dst, to, len)?;
            (from, to) = (from + len, to + len);
            match src.get(from) {
                Some(next) if to < enough => control = usize::from(*next),
                _ => return Some(to),
            }
            from += 1;
            continue;
        }
        let mut len = (control >> 5) + 2;
        let high = (control & 31) << 8;
        if len == 9 {
            loop {
                let more = usize::from(*src.get(from)?);
                from += 1;
                len += more;
                if more != 255 {
                    break;
                }
            }
        }
        let low = usize::from(*src.get(from)?);
        from += 1;
        let mut distance = high + low + 1;
        if distance == NEAR + 1 {
            let far = src.get(from..from + 2)?;
            distance += (usize::from(far[0]) << 8) + usize::from(far[1]);
            from += 2;
        }
        if len > dst.len() - to || distance > to {
            return None;
        }
        let Some(next) = src.get(from) else { return Some(to) };
        control = usize::from(*next);
        from += 1;
        copy::repeat(dst, to, distance, len)?;
        to += len;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(src: &[u8], len: usize) -> Option<Vec<u8>> {
        let mut dst = vec![0; len];
        let found = decode(src, &mut dst, len)?;
        dst.truncate(found);
        Some(dst)
    }

    #[test]
    fn literals_and_copies() {
        assert_eq!(decoded(&[0x22, 1, 2, 3], 3), Some(vec![1, 2, 3]));
        // 5 bytes from 3 back, then one literal.
        assert_eq!(decoded(&[2, 1, 2, 3, 0x60, 2, 0, 9], 9), Some(vec![1, 2, 3, 1, 2, 3, 1, 2, 9]));
        // 9 + 255 + 1 bytes from 1 back, then one literal.
        let long = decoded(&[0, 7, 0xe0, 255, 1, 0, 0, 8], 267).expect("it ends right");
        assert_eq!((long.len(), long[265], long[266]), (267, 7, 8));
        // A copy at the end is dropped.
        assert_eq!(decoded(&[0, 7, 0x20, 0], 9), Some(vec![7]));
    }

    #[test]
    fn far_copies() {
        let mut src = Vec::new();
        for block in 0..300_u32 {
            src.push(31);
            src.extend((0..32).map(|i| ((block * 32 + i) % 251) as u8));
        }
        src.extend([0x3f, 255, 0x01, 0x00, 0, 5]);
        let out = decoded(&src, 9604).expect("it ends right");
        assert_eq!(out[9600..9603], out[9600 - 8448..9603 - 8448]);
        assert_eq!(out.len(), 9604);
    }

    #[test]
    fn what_reaches_outside_is_refused() {
        for src in [
            &[][..],
            &[5, 1],
            &[0, 7, 0x20, 1, 0, 0],
            &[0, 7, 0xe0],
            &[0, 7, 0xe0, 255, 255],
            &[0, 7, 0x3f, 255, 0],
            &[0, 7, 0x20],
        ] {
            assert_eq!(decoded(src, 8), None, "{src:?}");
        }
        assert_eq!(decoded(&[0, 7, 0xe0, 10, 0, 0], 8), None);
        // 8 MiB of 255 are more than any output.
        let mut long = vec![255; 8 << 20];
        long[..3].copy_from_slice(&[0, 7, 0xe0]);
        assert_eq!(decoded(&long, 100), None);
    }
}
