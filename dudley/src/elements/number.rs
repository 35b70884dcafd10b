//! Numbers of any primitive type as the widest Rust ones, for values whose type is known only when
//! the program runs.

use dudley_parser::layout::dtype::{ByteOrder, Kind, Primitive};

/// An integer, boolean or address of 1 to 8 bytes. Other types give their bits as an unsigned one.
pub(crate) fn integer(bytes: &[u8], primitive: Primitive, order: ByteOrder) -> i128 {
    let bits = bits(bytes, order);
    match primitive.kind() {
        Kind::Signed => {
            let unused = 64 - 8 * bytes.len().clamp(1, 8) as u32;
            i128::from(((bits << unused) as i64) >> unused)
        }
        _ => i128::from(bits),
    }
}

/// The bits of up to 8 bytes as an unsigned number.
pub(crate) fn bits(bytes: &[u8], order: ByteOrder) -> u64 {
    // Most numbers are of eight bytes, which take one instruction.
    if let Ok(bytes) = <[u8; 8]>::try_from(bytes) {
        return match order {
            ByteOrder::Big => u64::from_be_bytes(bytes),
            ByteOrder::Little => u64::from_le_bytes(bytes),
        };
    }
    let join = |bits: u64, byte: &u8| bits << 8 | u64::from(*byte);
    match order {
        ByteOrder::Big => bytes.iter().fold(0, join),
        ByteOrder::Little => bytes.iter().rev().fold(0, join),
    }
}

/// The lowest bytes of a number, in an order, into all of `bytes` (at most 8).
pub(crate) fn put_bits(bits: u64, order: ByteOrder, bytes: &mut [u8]) {
    let size = bytes.len();
    for (at, byte) in bytes.iter_mut().enumerate() {
        let place = match order {
            ByteOrder::Little => at,
            ByteOrder::Big => size - 1 - at,
        };
        *byte = (bits >> (8 * place)) as u8;
    }
}

/// A float of 2, 4 or 8 bytes, exactly.
pub(crate) fn float(bytes: &[u8], order: ByteOrder) -> f64 {
    let bits = bits(bytes, order);
    match bytes.len() {
        2 => half::f16::from_bits(bits as u16).to_f64(),
        4 => f64::from(f32::from_bits(bits as u32)),
        _ => f64::from_bits(bits),
    }
}

/// The bits of a float of 2, 4 or 8 bytes, rounded to nearest.
pub(crate) fn float_bits(value: f64, size: u64) -> u64 {
    match size {
        2 => u64::from(half::f16::from_f64(value).to_bits()),
        4 => u64::from((value as f32).to_bits()),
        _ => value.to_bits(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_have_their_sign() {
        let number = |bytes: &[u8], primitive| integer(bytes, primitive, ByteOrder::Big);
        assert_eq!(number(&[0xff], Primitive::I1), -1);
        assert_eq!(number(&[0xff], Primitive::U1), 255);
        assert_eq!(number(&[0xff, 0], Primitive::I2), -256);
        assert_eq!(number(&[0xff; 8], Primitive::U8), i128::from(u64::MAX));
        assert_eq!(number(&[0x80, 0, 0, 0, 0, 0, 0, 0], Primitive::I8), i128::from(i64::MIN));
    }

    #[test]
    fn bits_go_both_ways() {
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let mut bytes = [0; 3];
            put_bits(0x01_02_03, order, &mut bytes);
            assert_eq!(bits(&bytes, order), 0x01_02_03);
        }
    }
}
