//! How elements of a primitive are made physical ones, in bulk.

use dudley_parser::comments::{AttrValue, Attribute};
use dudley_parser::layout::dtype::{ByteOrder, Kind, Primitive};

use crate::elements::number;
use crate::error::{Error, Item, Result};

/// A number of an attribute: exactly, if it is whole.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Number {
    pub(super) value: f64,
    whole: Option<i128>,
}

impl Number {
    pub(super) const ZERO: Number = Number { value: 0.0, whole: Some(0) };
    pub(super) const ONE: Number = Number { value: 1.0, whole: Some(1) };

    /// That of an attribute; none of what is no number.
    pub(super) fn of(value: &AttrValue) -> Option<Number> {
        match value {
            AttrValue::Int(value) => {
                Some(Number { value: *value as f64, whole: Some((*value).into()) })
            }
            AttrValue::Ints(values) if values.len() == 1 => Number::of(&AttrValue::Int(values[0])),
            AttrValue::Floats(values) if values.len() == 1 => {
                Number::of(&AttrValue::Float(values[0]))
            }
            AttrValue::Float(value) => {
                let is_whole = value.fract() == 0.0 && value.abs() < 1e30;
                Some(Number { value: *value, whole: is_whole.then_some(*value as i128) })
            }
            AttrValue::Text(_) | AttrValue::Texts(_) | AttrValue::True => None,
            AttrValue::Ints(_) | AttrValue::Floats(_) => None,
        }
    }
}

impl std::fmt::Display for Number {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.whole {
            Some(whole) => whole.fmt(f),
            None => self.value.fmt(f),
        }
    }
}

/// So many units has a text that stands for none, at most.
const MOST: usize = 40;

/// How stored elements make physical ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rule {
    /// They are these.
    Same,
    /// Unsigned integers that are stored as signed ones, or the reverse: the first bit says the opposite.
    Flip(Primitive, ByteOrder),
    /// Booleans as a letter for false and one for true.
    Letters([u8; 2]),
    /// `offset + scale * stored`, as floats.
    Linear(Stored, f64, f64),
    /// `offset + scale * number` of texts that are decimal numbers, of so many units each; which text stands for none.
    Decimal(usize, f64, f64, Option<[u8; MOST]>),
    /// `offset + stored`, which a float must hold as it is.
    Whole(Stored, i128),
}

/// What is stored, and what of it stands for none.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stored {
    primitive: Primitive,
    order: ByteOrder,
    fill: Option<Number>,
}

/// The type of the other sign.
fn flipped(primitive: Primitive) -> Option<Primitive> {
    Some(match primitive {
        Primitive::I1 => Primitive::U1,
        Primitive::I2 => Primitive::U2,
        Primitive::I4 => Primitive::U4,
        Primitive::I8 => Primitive::U8,
        Primitive::U1 => Primitive::I1,
        Primitive::U2 => Primitive::I2,
        Primitive::U4 => Primitive::I4,
        Primitive::U8 => Primitive::I8,
        _ => return None,
    })
}

impl Rule {
    /// Whether elements of this type are numbers that can be scaled.
    pub(super) fn is_for(primitive: Primitive) -> bool {
        matches!(primitive.kind(), Kind::Signed | Kind::Unsigned | Kind::Float)
    }

    /// That of a scale, an offset, and what stands for none.
    pub(super) fn new(
        primitive: Primitive,
        order: ByteOrder,
        scale: Number,
        offset: Number,
        fill: Option<Number>,
    ) -> Rule {
        let stored = Stored { primitive, order, fill };
        if primitive.kind() == Kind::Float || scale != Number::ONE {
            return Rule::Linear(stored, scale.value, offset.value);
        }
        let Some(whole) = offset.whole else { return Rule::Linear(stored, 1.0, offset.value) };
        let (_, greatest) = number::range(primitive);
        let other =
            if primitive.kind() == Kind::Signed { greatest + 1 } else { -(greatest + 1) / 2 };
        if whole == other && fill.is_none() && flipped(primitive).is_some() {
            return Rule::Flip(primitive, order);
        }
        Rule::Whole(stored, whole)
    }

    /// That of texts that are decimal numbers, with what attributes say.
    pub(super) fn decimal(
        width: u64,
        scale: Number,
        offset: Number,
        attributes: &[Attribute],
    ) -> Rule {
        let fill = attributes.iter().find(|it| it.name == "_FillValue").and_then(Attribute::text);
        let fill = fill.map(str::trim).filter(|fill| fill.len() <= MOST).map(|fill| {
            let mut text = [b' '; MOST];
            text[..fill.len()].copy_from_slice(fill.as_bytes());
            text
        });
        Rule::Decimal(width as usize, scale.value, offset.value, fill)
    }

    /// How many units a text has of which a number is made.
    pub(super) fn width(&self) -> Option<u64> {
        match self {
            Rule::Decimal(width, ..) => Some(*width as u64),
            _ => None,
        }
    }

    /// The type of what it makes.
    pub(super) fn dtype(&self, primitive: Primitive, order: ByteOrder) -> (Primitive, ByteOrder) {
        match self {
            Rule::Same => (primitive, order),
            Rule::Flip(primitive, order) => (flipped(*primitive).unwrap_or(*primitive), *order),
            Rule::Letters(_) => (Primitive::U1, order),
            Rule::Linear(..) | Rule::Whole(..) | Rule::Decimal(..) => {
                (Primitive::F8, ByteOrder::Little)
            }
        }
    }

    /// Makes elements of those that are stored; there is room for as many.
    pub(super) fn apply(&self, from: &[u8], to: &mut [u8]) -> Result<()> {
        match *self {
            Rule::Same => to.copy_from_slice(from),
            Rule::Flip(primitive, order) => {
                to.copy_from_slice(from);
                let size = primitive.size() as usize;
                let high = if order == ByteOrder::Big { 0 } else { size - 1 };
                to.chunks_exact_mut(size).for_each(|element| element[high] ^= 0x80);
            }
            Rule::Letters(letters) => {
                from.iter().zip(to).for_each(|(from, to)| *to = letters[usize::from(*from != 0)]);
            }
            Rule::Linear(stored, scale, offset) => linear(stored, scale, offset, from, to),
            Rule::Decimal(width, scale, offset, fill) => {
                let fill = fill.as_ref().map(|fill| fill.trim_ascii());
                for (from, to) in from.chunks_exact(width).zip(to.chunks_exact_mut(8)) {
                    let text = trimmed(from);
                    let is_none = fill.is_some_and(|fill| fill == text);
                    let number = if is_none { f64::NAN } else { decimal(text)? * scale + offset };
                    to.copy_from_slice(&number.to_le_bytes());
                }
            }
            Rule::Whole(stored, offset) => return whole(stored, offset, from, to),
        }
        Ok(())
    }
}

/// A text without the blanks and NULs around it.
fn trimmed(text: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| byte.is_ascii_whitespace() || *byte == 0;
    let start = text.iter().position(|byte| !is_blank(byte)).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| !is_blank(byte)).map_or(start, |at| at + 1);
    &text[start..end]
}

/// The number that a text is, with a `D` or an `E` before its exponent; a blank one is 0.
fn decimal(text: &[u8]) -> Result<f64> {
    if text.is_empty() {
        return Ok(0.0);
    }
    let shown = String::from_utf8_lossy(text);
    let is_number = text.iter().all(|byte| byte.is_ascii_digit() || b"+-.eEdD".contains(byte));
    let number = shown.replace(['d', 'D'], "E").parse::<f64>().ok();
    number.filter(|number| is_number && number.is_finite()).ok_or_else(|| Error::WrongValue {
        item: Item::UNKNOWN,
        expected: "a decimal number".into(),
        found: format!("`{shown}`").into(),
    })
}

/// Integers as floats that hold them as they are, and NaN for those that stand for none.
fn whole(stored: Stored, offset: i128, from: &[u8], to: &mut [u8]) -> Result<()> {
    let none = stored.fill.and_then(|fill| fill.whole);
    let size = stored.primitive.size() as usize;
    for (from, to) in from.chunks_exact(size).zip(to.chunks_exact_mut(8)) {
        let value = number::integer(from, stored.primitive, stored.order);
        let physical = value.saturating_add(offset);
        let float = physical as f64;
        if none != Some(value) && float as i128 != physical {
            return Err(Error::WrongValue {
                item: Item::UNKNOWN,
                expected:
                    "integers that floats of 8 bytes hold as they are, as some stand for none"
                        .into(),
                found: physical.to_string().into(),
            });
        }
        to.copy_from_slice(&(if none == Some(value) { f64::NAN } else { float }).to_le_bytes());
    }
    Ok(())
}

macro_rules! scaled {
    ($type:ty, $fill:expr, $stored:expr, $scale:expr, $offset:expr, $from:expr, $to:expr) => {{
        const SIZE: usize = size_of::<$type>();
        let fill: Option<$type> = $fill;
        let pairs = $from.as_chunks::<SIZE>().0.iter().zip($to.as_chunks_mut::<8>().0);
        let read = match $stored.order {
            ByteOrder::Big => <$type>::from_be_bytes,
            ByteOrder::Little => <$type>::from_le_bytes,
        };
        match fill {
            None => pairs
                .for_each(|(from, to)| *to = (read(*from) as f64 * $scale + $offset).to_le_bytes()),
            Some(fill) => pairs.for_each(|(from, to)| {
                let value = read(*from);
                let physical = value as f64 * $scale + $offset;
                *to = (if value == fill { f64::NAN } else { physical }).to_le_bytes();
            }),
        }
    }};
}

fn linear(stored: Stored, scale: f64, offset: f64, from: &[u8], to: &mut [u8]) {
    let (fill, whole) = (stored.fill, stored.fill.and_then(|fill| fill.whole));
    macro_rules! integers {
        ($type:ty) => {
            scaled!($type, whole.and_then(|it| it.try_into().ok()), stored, scale, offset, from, to)
        };
    }
    match stored.primitive {
        Primitive::I1 => integers!(i8),
        Primitive::I2 => integers!(i16),
        Primitive::I4 => integers!(i32),
        Primitive::I8 => integers!(i64),
        Primitive::U1 => integers!(u8),
        Primitive::U2 => integers!(u16),
        Primitive::U4 => integers!(u32),
        Primitive::U8 => integers!(u64),
        Primitive::F4 => {
            scaled!(f32, fill.map(|it| it.value as f32), stored, scale, offset, from, to)
        }
        Primitive::F8 => scaled!(f64, fill.map(|it| it.value), stored, scale, offset, from, to),
        other => {
            let size = other.size() as usize;
            let fill = fill.map(|it| it.value);
            for (from, to) in from.chunks_exact(size).zip(to.chunks_exact_mut(8)) {
                let value = number::float(from, stored.order);
                let physical = if fill == Some(value) { f64::NAN } else { value * scale + offset };
                to.copy_from_slice(&physical.to_le_bytes());
            }
        }
    }
}
