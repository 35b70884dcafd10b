//! Numbers stored with only some of their bits: the filters `scaleoffset` and `nbit`.

use dudley::filter::{FilterError, Result};

use super::{damaged, room};

/// Reads bits, from the highest bit of the first byte.
struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn take(&mut self, count: u32) -> Result<u64> {
        let mut value = 0;
        for _ in 0..count {
            let byte = self.bytes.get(self.at / 8).ok_or_else(|| damaged("it ends early"))?;
            value = value << 1 | u64::from(byte >> (7 - self.at % 8) & 1);
            self.at += 1;
        }
        Ok(value)
    }
}

/// A parameter of a filter; it must not be negative.
fn given(values: &[i64], at: usize) -> Result<u64> {
    let value = values.get(at).and_then(|value| u64::try_from(*value).ok());
    value.ok_or_else(|| FilterError::Argument(format!("the parameter {at} is missing")))
}

fn unsupported(what: &str) -> FilterError {
    FilterError::Unsupported(format!("{what} is not read"))
}

/// Appends the low `size` bytes of a number, in little-endian or big-endian order.
fn push(decoded: &mut Vec<u8>, value: u64, size: usize, is_big: bool) {
    let begin = decoded.len();
    decoded.extend(&value.to_le_bytes()[..size]);
    if is_big {
        decoded[begin..].reverse();
    }
}

/// Reads a little-endian number.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}

/// Decodes numbers stored as differences from their minimum, in as few bits as possible; floats were first rounded to
/// decimals.
pub(super) fn scale_offset(bytes: &[u8], values: &[i64], length: u64) -> Result<Vec<u8>> {
    const HEAD: usize = 21;
    let (kind, scale) = (given(values, 0)?, given(values, 1)?);
    let (class, size) = (given(values, 3)?, given(values, 4)? as usize);
    let is_big = given(values, 6)? == 1;
    if !matches!(size, 1 | 2 | 4 | 8) || class == 1 && (kind != 0 || size < 4) {
        return Err(unsupported(&format!(
            "`scaleoffset` of kind {kind} for numbers of {size} bytes"
        )));
    }
    let (head, packed) = bytes.split_at_checked(HEAD).ok_or_else(|| damaged("it ends early"))?;
    let bits = number(&head[..4]);
    let least = number(&head[5..13]);
    let mut decoded = room(length)?;
    let count = length / size as u64;
    if bits >= 8 * size as u64 {
        let whole = usize::try_from(length).ok().and_then(|length| packed.get(..length));
        for element in whole.ok_or_else(|| damaged("it ends early"))?.chunks_exact(size) {
            push(&mut decoded, number(element), size, is_big);
        }
        return Ok(decoded);
    }
    // All bits set mark an unwritten element.
    let fill = if given(values, 7)? == 1 {
        let low = given(values, 8)?;
        let high = if size == 8 { given(values, 9)? } else { 0 };
        Some(high << 32 | low & 0xffff_ffff)
    } else {
        None
    };
    let (bits, unset) = (bits as u32, (1_u64 << bits) - 1);
    let mut stored = Bits { bytes: packed, at: 0 };
    let power = 10_f64.powf(scale as f64);
    for _ in 0..count {
        let packed = stored.take(bits)?;
        let value = match fill.filter(|_| packed == unset) {
            Some(fill) => fill,
            None if class == 0 => least.wrapping_add(packed),
            None if size == 4 => {
                let least = f32::from_bits(least as u32);
                let value = packed as u32 as i32 as f32 / power as f32 + least;
                value.to_bits().into()
            }
            None => {
                let value = packed.cast_signed() as f64 / power + f64::from_bits(least);
                value.to_bits()
            }
        };
        push(&mut decoded, value, size, is_big);
    }
    Ok(decoded)
}

/// Decodes numbers stored without their unused bits.
pub(super) fn n_bit(bytes: Vec<u8>, values: &[i64], length: u64) -> Result<Vec<u8>> {
    if given(values, 1)? != 0 {
        return Ok(bytes);
    }
    let (class, size) = (given(values, 3)?, given(values, 4)? as usize);
    if class != 1 || size == 0 || size > 8 {
        return Err(unsupported("`nbit` of anything but numbers"));
    }
    let (is_big, bits, offset) = (given(values, 5)? == 1, given(values, 6)?, given(values, 7)?);
    if bits == 0 || bits.checked_add(offset).is_none_or(|end| end > 8 * size as u64) {
        return Err(FilterError::Argument(format!(
            "{bits} bits from bit {offset} on, of {size} bytes"
        )));
    }
    let mut decoded = room(length)?;
    let mut stored = Bits { bytes: &bytes, at: 0 };
    for _ in 0..length / size as u64 {
        push(&mut decoded, stored.take(bits as u32)? << offset, size, is_big);
    }
    Ok(decoded)
}
