//! Single values to bytes: numbers, booleans, text.

use dudley_parser::layout::dtype::{ByteOrder, Kind, Primitive};

use crate::constant::show;
use crate::error::{Error, Item, Result};
use crate::number;
use crate::text;
use crate::value::Value;

/// That a value is not what is wanted.
pub(super) fn wrong(expected: impl Into<String>, value: &Value) -> Error {
    Error::WrongValue {
        item: Item::UNKNOWN,
        expected: expected.into().into(),
        found: format!("{} ({})", value.kind(), show(value)).into(),
    }
}

/// The units of one string, padded with NULs.
pub(super) fn put_text(
    primitive: Primitive,
    order: ByteOrder,
    value: &Value,
    units: Option<u64>,
    room: &mut [u8],
) -> Result<()> {
    let units = units.unwrap_or(1);
    match value {
        Value::Text(text) => {
            let encoded = text::encode(text, primitive, units, order)?;
            room.copy_from_slice(&encoded);
            Ok(())
        }
        Value::Bits(bits) if bits.len() == room.len() => {
            let size = primitive.size() as usize;
            for (unit, room) in bits.chunks_exact(size).zip(room.chunks_exact_mut(size)) {
                number::put_bits(number::bits(unit, ByteOrder::Big), order, room);
            }
            Ok(())
        }
        value => Err(wrong(format!("text of at most {units} units"), value)),
    }
}

/// One number, boolean or address.
pub(super) fn put_number(
    primitive: Primitive,
    order: ByteOrder,
    value: &Value,
    room: &mut [u8],
) -> Result<()> {
    if let Value::Bits(bits) = value {
        return put_element_bits(primitive, order, bits, value, room);
    }
    match primitive.kind() {
        Kind::Signed | Kind::Unsigned | Kind::Pointer => {
            let number = integer(value).ok_or_else(|| wrong(primitive.name(), value))?;
            let (least, greatest) = number::range(primitive);
            if number < least || number > greatest {
                return Err(wrong(format!("{least} to {greatest}"), value));
            }
            number::put_bits(number as u64, order, room);
        }
        Kind::Bool => {
            room[0] = match (value, integer(value)) {
                (Value::Bool(value), _) => u8::from(*value),
                (_, Some(number @ (0 | 1))) => number as u8,
                _ => return Err(wrong("true or false", value)),
            };
        }
        Kind::Float => put_float(value, order, room)?,
        Kind::Complex => {
            let half = room.len() / 2;
            let (re, im) = room.split_at_mut(half);
            match value {
                Value::Complex(a, b) => {
                    put_float(&Value::Float(*a), order, re)?;
                    put_float(&Value::Float(*b), order, im)?;
                }
                Value::Array(parts) if parts.len() == 2 => {
                    put_float(&parts[0], order, re)?;
                    put_float(&parts[1], order, im)?;
                }
                value => return Err(wrong("a complex number, [real, imaginary]", value)),
            }
        }
        Kind::Text => return put_text(primitive, order, value, None, room),
    }
    Ok(())
}

fn put_element_bits(
    primitive: Primitive,
    order: ByteOrder,
    bits: &[u8],
    value: &Value,
    room: &mut [u8],
) -> Result<()> {
    let unit = primitive.swap_unit() as usize;
    if bits.len() != room.len() {
        return Err(wrong(format!("the bits of {} bytes", room.len()), value));
    }
    for (bits, room) in bits.chunks_exact(unit).zip(room.chunks_exact_mut(unit)) {
        number::put_bits(number::bits(bits, ByteOrder::Big), order, room);
    }
    Ok(())
}

fn integer(value: &Value) -> Option<i128> {
    match value {
        Value::Int(value) => Some(*value),
        Value::Float(value) if value.fract() == 0.0 && value.abs() < 2e19 => Some(*value as i128),
        _ => None,
    }
}

fn put_float(value: &Value, order: ByteOrder, room: &mut [u8]) -> Result<()> {
    let number = match value {
        Value::Float(value) => *value,
        Value::Int(value) => *value as f64,
        Value::Bits(bits) if bits.len() == room.len() => {
            number::put_bits(number::bits(bits, ByteOrder::Big), order, room);
            return Ok(());
        }
        Value::Text(text) => match text.as_str() {
            "nan" => f64::NAN,
            "inf" => f64::INFINITY,
            "-inf" => f64::NEG_INFINITY,
            _ => return Err(wrong("a float, or \"nan\", \"inf\", \"-inf\"", value)),
        },
        value => return Err(wrong("a float", value)),
    };
    number::put_bits(number::float_bits(number, room.len() as u64), order, room);
    if number.is_finite() && number::float(room, order).is_infinite() {
        let greatest =
            if room.len() == 2 { f64::from(half::f16::MAX) } else { f64::from(f32::MAX) };
        return Err(wrong(format!("a float of at most {greatest:e}"), value));
    }
    Ok(())
}
