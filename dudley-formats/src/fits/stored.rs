//! What elements are stored as in a file that is written.

use dudley::Primitive;
use dudley::read::Recode;
use dudley_parser::comments::AttrValue;

use super::card::Value;

/// The offset that undoes what integers of the other sign are stored as.
pub(super) fn offset(primitive: Primitive) -> Option<Value> {
    Some(match primitive {
        Primitive::I1 => Value::Int(-128),
        Primitive::U2 => Value::Int(1 << 15),
        Primitive::U4 => Value::Int(1 << 31),
        // More than an integer of 63 bits is.
        Primitive::U8 => Value::Float(9_223_372_036_854_775_808.0),
        _ => return None,
    })
}

/// How elements are recoded: integers of the other sign; in tables booleans are letters.
pub(super) fn recode(primitive: Primitive, in_table: bool) -> Option<Recode> {
    match primitive {
        Primitive::B1 if in_table => Some(Recode::Letters(*b"FT")),
        _ => offset(primitive).map(|_| Recode::OtherSign),
    }
}

/// The `BITPIX` of numbers that are stored, and their type in the layout; none of what no image has.
pub(super) fn bitpix_name(primitive: Primitive) -> Option<(i64, &'static str)> {
    Some(match primitive {
        Primitive::U1 | Primitive::I1 => (8, "u1"),
        Primitive::B1 => (8, "b1"),
        Primitive::I2 | Primitive::U2 => (16, "i2"),
        Primitive::I4 | Primitive::U4 => (32, "i4"),
        Primitive::I8 | Primitive::U8 => (64, "i8"),
        Primitive::F2 | Primitive::F4 => (-32, "f4"),
        Primitive::F8 => (-64, "f8"),
        _ => return None,
    })
}

/// The value of an attribute in a card; none of lists but those of two floats, and the empty one.
pub(super) fn value(attribute: &AttrValue) -> Option<Value> {
    Some(match attribute {
        AttrValue::Int(value) => Value::Int(*value),
        AttrValue::Float(value) => Value::Float(*value),
        AttrValue::Text(text) => Value::Text(text.clone()),
        AttrValue::True => Value::Logical(true),
        AttrValue::Ints(values) if values.is_empty() => Value::Undefined,
        AttrValue::Ints(values) if values.len() == 1 => Value::Int(values[0]),
        AttrValue::Floats(values) if values.len() == 1 => Value::Float(values[0]),
        AttrValue::Floats(values) if values.len() == 2 => Value::Complex(values[0], values[1]),
        AttrValue::Texts(texts) if texts.len() == 1 => Value::Text(texts[0].clone()),
        AttrValue::Ints(_) | AttrValue::Floats(_) | AttrValue::Texts(_) => return None,
    })
}
