//! The stored types of elements in a written file.

use dudley::Primitive;
use dudley::read::Recode;
use dudley_parser::comments::{AttrValue, Attribute};

use super::card::Value;

/// The offset of integers that are stored with the other signedness.
pub(super) fn offset(primitive: Primitive) -> Option<Value> {
    Some(match primitive {
        Primitive::I1 => Value::Int(-128),
        Primitive::U2 => Value::Int(1 << 15),
        Primitive::U4 => Value::Int(1 << 31),
        // Too large for a signed 64-bit integer.
        Primitive::U8 => Value::Float(9_223_372_036_854_775_808.0),
        _ => return None,
    })
}

/// The cards `roots` for the scale, the offset and the null value of elements, from their attributes; and the part of
/// these that no card can hold.
pub(super) fn scaling(
    primitive: Primitive,
    roots: [&'static str; 3],
    attributes: &[Attribute],
) -> (Vec<(&'static str, Value)>, Option<&'static str>) {
    let find = |name: &str| attributes.iter().find(|it| it.name == name).map(|it| &it.value);
    let (scale, zero) = (find("scale_factor"), find("add_offset"));
    let (mut cards, mut lost) = (Vec::new(), None);
    match (offset(primitive), scale.and_then(number), zero.and_then(number)) {
        (None, ..) => {
            let given = [(roots[0], scale), (roots[1], zero)];
            cards.extend(given.into_iter().filter_map(|(root, of)| Some((root, value(of?)?))));
        }
        (Some(offset), None, None) => cards.extend([(roots[0], Value::Int(1)), (roots[1], offset)]),
        // Stored values are lower by the offset, to which the scale applies as well.
        (Some(offset), scale, zero) => {
            let offset = match offset {
                Value::Int(offset) => offset as f64,
                Value::Float(offset) => offset,
                _ => 0.0,
            };
            let scale = scale.unwrap_or(1.0);
            let zero = offset.mul_add(scale, zero.unwrap_or(0.0));
            cards.extend([(roots[0], Value::Float(scale)), (roots[1], Value::Float(zero))]);
        }
    }
    if let Some(null) = find("_FillValue") {
        match blank(primitive, null) {
            Some(null) => cards.push((roots[2], null)),
            None => lost = Some("its `_FillValue`, which is no integer of its type"),
        }
    }
    (cards, lost)
}

/// The stored form of the null value, if elements are integers and their type can hold it.
fn blank(primitive: Primitive, null: &AttrValue) -> Option<Value> {
    let null = match null {
        AttrValue::Int(null) => i128::from(*null),
        AttrValue::Float(null) if null.fract() == 0.0 && null.abs() < 1e18 => *null as i128,
        // Integers too large for a number in an attribute.
        AttrValue::Text(null) => null.parse().ok()?,
        _ => return None,
    };
    let bits = 8 * primitive.size();
    let (low, high) = match primitive {
        Primitive::U1 | Primitive::U2 | Primitive::U4 | Primitive::U8 => (0, (1_i128 << bits) - 1),
        Primitive::I1 | Primitive::I2 | Primitive::I4 | Primitive::I8 => {
            (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1)
        }
        _ => return None,
    };
    let offset = match primitive {
        Primitive::I1 => -128,
        Primitive::U2 | Primitive::U4 | Primitive::U8 => 1_i128 << (bits - 1),
        _ => 0,
    };
    let stored = (low..=high).contains(&null).then_some(null - offset)?;
    Some(Value::Int(i64::try_from(stored).ok()?))
}

fn number(value: &AttrValue) -> Option<f64> {
    match value {
        AttrValue::Int(value) => Some(*value as f64),
        AttrValue::Float(value) => Some(*value),
        _ => None,
    }
}

/// How elements are recoded: unsupported integers change signedness; in tables booleans become letters.
pub(super) fn recode(primitive: Primitive, in_table: bool) -> Option<Recode> {
    match primitive {
        Primitive::B1 if in_table => Some(Recode::Letters(*b"FT")),
        _ => offset(primitive).map(|_| Recode::OtherSign),
    }
}

/// The `BITPIX` of stored numbers and their dtype in the layout; `None` if images cannot hold them.
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

/// The value of an attribute in a card; `None` for lists, except for the empty list, one element, and two floats.
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

#[cfg(test)]
mod tests {
    use dudley_parser::span::Span;

    use super::*;

    #[test]
    fn what_stands_for_none_is_said_as_it_is_stored() {
        for (primitive, null, stored) in [
            (Primitive::U2, AttrValue::Int(65535), Some(32767)),
            (Primitive::U8, AttrValue::Text("18446744073709551615".to_owned()), Some(i64::MAX)),
            (Primitive::U8, AttrValue::Int(0), Some(i64::MIN)),
            (Primitive::I1, AttrValue::Int(-128), Some(0)),
            (Primitive::I2, AttrValue::Float(-999.0), Some(-999)),
            (Primitive::I2, AttrValue::Int(40000), None),
            (Primitive::U1, AttrValue::Int(-1), None),
            (Primitive::F4, AttrValue::Float(-999.0), None),
        ] {
            let attribute =
                |name: &str, value| Attribute { name: name.to_owned(), value, span: Span::at(0) };
            let (cards, lost) =
                scaling(primitive, ["BSCALE", "BZERO", "BLANK"], &[attribute("_FillValue", null)]);
            let card =
                cards.iter().find(|(root, _)| *root == "BLANK").map(|(_, value)| value.clone());
            assert_eq!(
                (card, lost.is_some()),
                (stored.map(Value::Int), stored.is_none()),
                "{primitive:?}"
            );
            let scale = [
                attribute("scale_factor", AttrValue::Float(0.5)),
                attribute("add_offset", AttrValue::Int(1)),
            ];
            let (cards, _) = scaling(Primitive::U2, ["BSCALE", "BZERO", "BLANK"], &scale);
            assert_eq!(cards, [("BSCALE", Value::Float(0.5)), ("BZERO", Value::Float(16385.0))]);
        }
    }
}
