//! Filters that lose something: bits of numbers cut off, and means. There is nothing to undo of them.

use dudley::ByteOrder;
use dudley::elements::Element;

use crate::blosc2::error::{Error, Result};

/// Bits of the mantissa of a float of this many bytes.
fn mantissa(typesize: usize) -> Option<u32> {
    match typesize {
        4 => Some(23),
        8 => Some(52),
        _ => None,
    }
}

/// How many low bits of a float are cleared. `bits` are kept of the mantissa; below 0, this many are lost.
///
/// # Errors
/// [`Error::Range`] where elements are no floats, or nothing would be left.
pub(super) fn of_floats(bits: i8, typesize: usize) -> Result<u32> {
    let all = mantissa(typesize);
    let all = all.ok_or_else(|| refused("trunc_prec takes floats of 4 or 8 bytes", typesize))?;
    cleared(bits, all, "trunc_prec")
}

/// As [`of_floats`], of whole numbers.
pub(super) fn of_numbers(bits: i8, typesize: usize) -> Result<u32> {
    match typesize {
        1 | 2 | 4 | 8 => cleared(bits, 8 * typesize as u32, "int_trunc"),
        _ => Err(refused("int_trunc takes numbers of 1, 2, 4 or 8 bytes", typesize)),
    }
}

/// How many bits of the mantissa are kept, where this many are, or below 0 are lost. As it is where elements are no
/// floats.
pub(super) fn kept_of_floats(bits: i8, typesize: usize) -> i8 {
    mantissa(typesize).map_or(bits, |all| kept(bits, all))
}

/// As [`kept_of_floats`], of whole numbers.
pub(super) fn kept_of_numbers(bits: i8, typesize: usize) -> i8 {
    match typesize {
        1 | 2 | 4 | 8 => kept(bits, 8 * typesize as u32),
        _ => bits,
    }
}

fn kept(bits: i8, all: u32) -> i8 {
    let lost = u32::from(bits.unsigned_abs());
    let left = all.checked_sub(lost).filter(|_| bits < 0);
    left.and_then(|left| i8::try_from(left).ok()).unwrap_or(bits)
}

fn cleared(bits: i8, all: u32, name: &str) -> Result<u32> {
    let asked = u32::from(bits.unsigned_abs());
    let cleared = if bits >= 0 { all.checked_sub(asked) } else { Some(asked) };
    cleared.filter(|cleared| *cleared < all).ok_or_else(|| {
        Error::Range(format!("{name}({bits}): of {all} bits at least 1 is to be left").into())
    })
}

fn refused(what: &str, typesize: usize) -> Error {
    Error::Range(format!("{what}, not of {typesize}").into())
}

/// Clears low bits of little-endian floats. What is not finite stays: a NaN could become infinite.
pub(super) fn floats(block: &mut [u8], typesize: usize, bits: u32) {
    let finite = |element: &[u8]| match typesize {
        4 => element[3] & 0x7f != 0x7f || element[2] & 0x80 == 0,
        _ => element[7] & 0x7f != 0x7f || element[6] & 0xf0 != 0xf0,
    };
    for element in block.chunks_exact_mut(typesize).filter(|element| finite(element)) {
        clear(element, bits);
    }
}

/// Clears low bits of little-endian numbers.
pub(super) fn numbers(block: &mut [u8], typesize: usize, bits: u32) {
    for element in block.chunks_exact_mut(typesize) {
        clear(element, bits);
    }
}

fn clear(element: &mut [u8], bits: u32) {
    let whole = (bits / 8) as usize;
    element[..whole].fill(0);
    if !bits.is_multiple_of(8) {
        element[whole] &= 0xff << (bits % 8);
    }
}

/// Whether there are means of elements of this many bytes: of floats.
///
/// # Errors
/// [`Error::Range`].
pub(super) fn has_mean(typesize: usize) -> Result<()> {
    match typesize {
        4 | 8 => Ok(()),
        _ => Err(refused("ndmean takes floats of 4 or 8 bytes", typesize)),
    }
}

/// Puts the mean of all little-endian floats in place of each.
pub(super) fn mean(cell: &mut [u8], typesize: usize) {
    match typesize {
        4 => {
            let numbers = cell.as_chunks_mut::<4>().0;
            let count = numbers.len() as f32;
            let load = |bytes: &[u8; 4]| f32::from_bytes(*bytes, ByteOrder::Little);
            let mean = numbers.iter().map(load).sum::<f32>() / count;
            numbers.fill(mean.to_bytes(ByteOrder::Little));
        }
        _ => {
            let numbers = cell.as_chunks_mut::<8>().0;
            let count = numbers.len() as f64;
            let load = |bytes: &[u8; 8]| f64::from_bytes(*bytes, ByteOrder::Little);
            let mean = numbers.iter().map(load).sum::<f64>() / count;
            numbers.fill(mean.to_bytes(ByteOrder::Little));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn low_bits_are_cleared() {
        let mut block: Vec<u8> =
            [1.999_999_9_f32, f32::NAN].into_iter().flat_map(f32::to_le_bytes).collect();
        floats(&mut block, 4, of_floats(10, 4).expect("it fits"));
        assert_eq!(block[..4], (0x3fff_ffff_u32 & !0x1fff).to_le_bytes());
        assert_eq!(block[4..], f32::NAN.to_le_bytes());
        let mut block = [0xff; 2];
        numbers(&mut block, 2, of_numbers(-11, 2).expect("it fits"));
        assert_eq!(block, [0, 0xf8]);
        assert_eq!(of_floats(-3, 8).expect("it fits"), 3);
        for (bits, kept) in [(-10, 42), (42, 42), (-60, -60)] {
            assert_eq!(kept_of_floats(bits, 8), kept);
        }
        assert_eq!((kept_of_numbers(-5, 4), kept_of_numbers(-5, 3)), (27, -5));
        for wrong in [of_floats(0, 4), of_floats(24, 4), of_floats(1, 2), of_numbers(-8, 1)] {
            assert!(wrong.is_err());
        }
    }
}
