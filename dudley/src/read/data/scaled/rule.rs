//! How elements of a primitive are made physical ones, in bulk.

use dudley_parser::layout::dtype::{ByteOrder, Kind, Primitive};

use super::decimal::Decimal;
use super::number::{Fills, Number};
use crate::elements::number;
use crate::elements::swap::{self, HOST};
use crate::elements::wide::wide;
use crate::error::{Error, Item, Result};

/// How stored elements make physical ones.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Rule {
    /// They are these.
    Same,
    /// Unsigned integers that are stored as signed ones, or the reverse: the first bit says the opposite. They are made in
    /// the second byte order.
    Flip(Primitive, ByteOrder, ByteOrder),
    /// Booleans as a letter for false and one for true.
    Letters([u8; 2]),
    /// Integers of the other sign, with the same bits.
    As(Primitive, ByteOrder),
    /// `offset + scale * stored`, as floats.
    Linear(Stored, f64, f64, Floats),
    /// Numbers of texts that are such.
    Decimal(Decimal, ByteOrder),
    /// `offset + stored`, which a float must hold as it is.
    Whole(Stored, i128),
}

/// What is stored, and what of it stands for none.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Stored {
    primitive: Primitive,
    order: ByteOrder,
    fills: Fills,
}

/// Whether there is a loop that makes floats of all kinds of numbers of this type.
fn is_plain(primitive: Primitive) -> bool {
    match primitive.kind() {
        Kind::Signed | Kind::Unsigned => true,
        _ => matches!(primitive, Primitive::F4 | Primitive::F8),
    }
}

/// Which floats are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Floats {
    /// Of 8 bytes, in the byte order of what is stored.
    AsStored,
    /// Of 8 bytes, in the byte order of the machine.
    F8,
    /// Of 4 bytes, rounded from those of 8, in the byte order of the machine.
    F4,
}

/// The type of the other sign.
pub(super) fn flipped(primitive: Primitive) -> Option<Primitive> {
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
        matches!(primitive.kind(), Kind::Signed | Kind::Unsigned | Kind::Float | Kind::Complex)
    }

    /// That of a scale, an offset, and what stands for none.
    pub(super) fn new(
        primitive: Primitive,
        order: ByteOrder,
        scale: Number,
        offset: Number,
        fills: Fills,
    ) -> Rule {
        let is_every = fills.is_empty();
        let stored = Stored { primitive, order, fills };
        if matches!(primitive.kind(), Kind::Float | Kind::Complex) || scale != Number::ONE {
            return Rule::Linear(stored, scale.value, offset.value, Floats::AsStored);
        }
        let Some(whole) = offset.whole else {
            return Rule::Linear(stored, 1.0, offset.value, Floats::AsStored);
        };
        let (_, greatest) = primitive.range();
        let other =
            if primitive.kind() == Kind::Signed { greatest + 1 } else { -(greatest + 1) / 2 };
        if whole == other && is_every && flipped(primitive).is_some() {
            return Rule::Flip(primitive, order, order);
        }
        Rule::Whole(stored, whole)
    }

    /// The rule that makes elements of a type, in the byte order of the machine, in one pass: of the same values, or of
    /// these rounded. Only where that is often needed.
    pub(super) fn made_as(&self, of: Primitive) -> Option<Rule> {
        match self {
            Rule::Flip(stored, order, to) if flipped(*stored) == Some(of) && *to != HOST => {
                Some(Rule::Flip(*stored, *order, HOST))
            }
            Rule::Linear(stored, scale, offset, Floats::AsStored)
                if stored.fills.is_empty() && is_plain(stored.primitive) =>
            {
                let floats = match of {
                    Primitive::F4 => Floats::F4,
                    Primitive::F8 if stored.order != HOST => Floats::F8,
                    _ => return None,
                };
                Some(Rule::Linear(stored.clone(), *scale, *offset, floats))
            }
            _ => None,
        }
    }

    /// How many units a text has of which a number is made.
    pub(super) fn width(&self) -> Option<u64> {
        match self {
            Rule::Decimal(decimal, _) => Some(decimal.width),
            _ => None,
        }
    }

    /// The type of what it makes.
    pub(super) fn dtype(&self, primitive: Primitive, order: ByteOrder) -> (Primitive, ByteOrder) {
        match self {
            Rule::Same => (primitive, order),
            Rule::Flip(primitive, _, to) => (flipped(*primitive).unwrap_or(*primitive), *to),
            Rule::As(seen, order) => (*seen, *order),
            Rule::Letters(_) => (Primitive::U1, order),
            Rule::Linear(stored, ..) if stored.primitive.kind() == Kind::Complex => {
                (Primitive::C16, order)
            }
            Rule::Linear(.., Floats::F4) => (Primitive::F4, HOST),
            Rule::Linear(.., Floats::F8) => (Primitive::F8, HOST),
            Rule::Linear(..) | Rule::Whole(..) => (Primitive::F8, order),
            Rule::Decimal(decimal, order) => (decimal.primitive(), *order),
        }
    }

    /// Makes elements of those that are stored; there is room for as many.
    pub(super) fn apply(&self, from: &[u8], to: &mut [u8]) -> Result<()> {
        match self {
            Rule::Same | Rule::As(..) => to.copy_from_slice(from),
            Rule::Flip(primitive, order, to_order) => {
                flip(primitive.size() as usize, *order, *to_order, from, to);
            }
            Rule::Letters(letters) => {
                from.iter().zip(to).for_each(|(from, to)| *to = letters[usize::from(*from != 0)]);
            }
            Rule::Linear(stored, scale, offset, floats) => {
                linear(stored, *scale, *offset, *floats, from, to);
            }
            Rule::Decimal(decimal, order) => {
                decimal.apply(from, to)?;
                // Numbers were made with the lowest byte first.
                if *order == ByteOrder::Big {
                    swap::swap_in_place(to, 8)?;
                }
            }
            Rule::Whole(stored, offset) => whole(stored, *offset, from, to)?,
        }
        Ok(())
    }
}

/// Integers with the other first bit.
fn flip(size: usize, order: ByteOrder, to: ByteOrder, from: &[u8], made: &mut [u8]) {
    let is_swapped = order != to;
    macro_rules! flip {
        ($type:ty) => {
            wide(|| {
                let sign: $type = 1 << (<$type>::BITS - 1);
                let sign = if order == HOST { sign } else { sign.swap_bytes() };
                let pairs = from.as_chunks().0.iter().zip(made.as_chunks_mut().0);
                pairs.for_each(|(from, to)| {
                    let bits = <$type>::from_ne_bytes(*from) ^ sign;
                    let bits = if is_swapped { bits.swap_bytes() } else { bits };
                    *to = bits.to_ne_bytes();
                });
            })
        };
    }
    match size {
        1 => flip!(u8),
        2 => flip!(u16),
        4 => flip!(u32),
        _ => flip!(u64),
    }
}

/// Integers as floats that hold them as they are, and NaN for those that stand for none.
fn whole(stored: &Stored, offset: i128, from: &[u8], to: &mut [u8]) -> Result<()> {
    let fills: Vec<i128> = stored.fills.whole().collect();
    let size = stored.primitive.size() as usize;
    for (from, to) in from.chunks_exact(size).zip(to.chunks_exact_mut(8)) {
        let value = number::integer(from, stored.primitive, stored.order);
        let physical = value.saturating_add(offset);
        let float = physical as f64;
        let is_none = fills.contains(&value);
        if !is_none && float as i128 != physical {
            return Err(Error::WrongValue {
                item: Item::UNKNOWN,
                expected:
                    "integers that floats of 8 bytes hold as they are, as some stand for none"
                        .into(),
                found: physical.to_string().into(),
            });
        }
        to.copy_from_slice(&bytes_of(if is_none { f64::NAN } else { float }, stored.order));
    }
    Ok(())
}

#[inline(always)]
fn bytes_of(float: f64, order: ByteOrder) -> [u8; 8] {
    match order {
        ByteOrder::Big => float.to_be_bytes(),
        ByteOrder::Little => float.to_le_bytes(),
    }
}

/// Floats of elements, as `bytes` has them, and NaN for those that stand for none.
#[inline(always)]
fn floats<T: Copy + PartialEq, const SIZE: usize, const TO: usize>(
    read: impl Fn([u8; SIZE]) -> T,
    physical: impl Fn(T) -> f64,
    bytes: impl Fn(f64) -> [u8; TO],
    fills: &[T],
    from: &[u8],
    to: &mut [u8],
) {
    let pairs = from.as_chunks().0.iter().zip(to.as_chunks_mut().0);
    let or_none = |value: T, is_none: bool| if is_none { f64::NAN } else { physical(value) };
    // A loop for each, so that the compiler can make vectors of it.
    match fills {
        [] => wide(|| pairs.for_each(|(from, to)| *to = bytes(physical(read(*from))))),
        [fill] => pairs.for_each(|(from, to)| {
            let value = read(*from);
            *to = bytes(or_none(value, value == *fill));
        }),
        _ => pairs.for_each(|(from, to)| {
            let value = read(*from);
            *to = bytes(or_none(value, fills.contains(&value)));
        }),
    }
}

fn linear(stored: &Stored, scale: f64, offset: f64, made: Floats, from: &[u8], to: &mut [u8]) {
    let fills = &stored.fills;
    macro_rules! scaled {
        ($type:ty, $fills:expr) => {{
            let fills: Vec<$type> = $fills.collect();
            let physical = |value: $type| value as f64 * scale + offset;
            let (big, little) = (<$type>::from_be_bytes, <$type>::from_le_bytes);
            // Other floats are made only of what has no fill values.
            match (stored.order, made) {
                (ByteOrder::Big, Floats::AsStored) => {
                    floats(big, physical, f64::to_be_bytes, &fills, from, to);
                }
                (ByteOrder::Little, Floats::AsStored) => {
                    floats(little, physical, f64::to_le_bytes, &fills, from, to);
                }
                (ByteOrder::Big, Floats::F8) => {
                    floats(big, physical, f64::to_ne_bytes, &[], from, to);
                }
                (ByteOrder::Little, Floats::F8) => {
                    floats(little, physical, f64::to_ne_bytes, &[], from, to);
                }
                (ByteOrder::Big, Floats::F4) => {
                    floats(big, physical, |it| (it as f32).to_ne_bytes(), &[], from, to);
                }
                (ByteOrder::Little, Floats::F4) => {
                    floats(little, physical, |it| (it as f32).to_ne_bytes(), &[], from, to);
                }
            }
        }};
    }
    macro_rules! integers {
        ($type:ty) => {
            scaled!($type, fills.whole().filter_map(|it| it.try_into().ok()))
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
        Primitive::F4 => scaled!(f32, fills.floats().map(|it| it as f32)),
        Primitive::F8 => scaled!(f64, fills.floats()),
        other if other.kind() == Kind::Complex => {
            let size = other.size() as usize;
            for (from, to) in from.chunks_exact(size).zip(to.chunks_exact_mut(16)) {
                let (re, im) = from.split_at(size / 2);
                let (re, im) = (number::float(re, stored.order), number::float(im, stored.order));
                let is_none = im == 0.0 && is_fill(fills, re, size / 2);
                let made = if is_none { [f64::NAN; 2] } else { [re * scale + offset, im * scale] };
                to[..8].copy_from_slice(&bytes_of(made[0], stored.order));
                to[8..].copy_from_slice(&bytes_of(made[1], stored.order));
            }
        }
        other => {
            let size = other.size() as usize;
            for (from, to) in from.chunks_exact(size).zip(to.chunks_exact_mut(8)) {
                let value = number::float(from, stored.order);
                let is_none = is_fill(fills, value, size);
                let physical = if is_none { f64::NAN } else { value * scale + offset };
                to.copy_from_slice(&bytes_of(physical, stored.order));
            }
        }
    }
}

/// Whether a float of this many bytes stands for none.
fn is_fill(fills: &Fills, value: f64, size: usize) -> bool {
    let rounded = |fill: f64| {
        let bits = number::float_bits(fill, size as u64).to_le_bytes();
        number::float(&bits[..size], ByteOrder::Little)
    };
    fills.floats().any(|fill| rounded(fill) == value)
}
