//! Single values: numbers, booleans and texts, from their bytes into a sink, and to bytes.

use dudley_parser::comments::Attribute;
use dudley_parser::layout::dtype::{ByteOrder, Kind, Primitive};
use dudley_parser::layout::{DocKey, Layout};

use crate::elements::value::{Builder, Part, Scalar, Sink, Value, show};
use crate::elements::{number, text};
use crate::error::{Error, Item, Result, to_usize};

/// How strings are put together and numbers given.
#[derive(Clone, Copy)]
pub(crate) struct Form {
    /// Numbers that their plain form would not give back bit by bit are given as bits.
    numbers: bool,
    /// How text is given whose string would not.
    text: Inexact,
    /// What is shown as its one member is given as the struct that it is.
    pub(crate) unfolded: bool,
    /// Which integers are given as null.
    missing: Missing,
}

/// Which integers are given as null: those that are no time (numpy's NaT) where the attribute `numpy` says that they
/// are times.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Missing {
    /// None.
    Never,
    /// The attributes of times; the decoded values are others.
    OfTimes,
    /// The attributes of the decoded values, which are times.
    Here,
}

/// How text is given that its string does not give back.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Inexact {
    /// As text.
    Decoded,
    /// As the bits of its units.
    Bits,
    /// As both, in an array: who takes it knows which it can hold.
    Both,
}

impl Form {
    /// Everything exact, or nothing.
    pub(crate) const fn exact(exact: bool) -> Form {
        let text = if exact { Inexact::Bits } else { Inexact::Decoded };
        Form { numbers: exact, text, unfolded: false, missing: Missing::Never }
    }

    /// For people and for programs that know no times: null stands for those that are none.
    pub(crate) const SHOWN: Form = Form { missing: Missing::OfTimes, ..Form::exact(false) };

    /// Everything exact, or as it is shown.
    pub(crate) const fn shown(exact: bool) -> Form {
        if exact { Form::exact(true) } else { Form::SHOWN }
    }

    /// Whether what is stored is given, bit by bit.
    pub(crate) const fn is_exact(self) -> bool {
        self.numbers
    }

    /// With all members that structs have.
    pub(crate) const UNFOLDED: Form = Form { unfolded: true, ..Form::exact(false) };

    /// The same for comparisons, in which texts of different units are different.
    pub(crate) const COMPARED: Form =
        Form { text: Inexact::Bits, missing: Missing::OfTimes, ..Form::UNFOLDED };

    /// For types that hold numbers as they are, and text as strings or as units.
    pub(crate) const TYPED: Form = Form { text: Inexact::Both, ..Form::exact(true) };

    /// The same for what has this documentation.
    pub(crate) fn of(self, layout: &Layout, doc: Option<DocKey>) -> Form {
        let missing = match self.missing {
            Missing::Never => return self,
            _ if doc.is_some_and(|doc| is_time(layout, doc)) => Missing::Here,
            _ => Missing::OfTimes,
        };
        Form { missing, ..self }
    }
}

/// What numpy stores for a time that is none.
pub(crate) const NO_TIME: i64 = i64::MIN;

/// Whether what has this documentation is times, as its attribute `numpy` says.
fn is_time(layout: &Layout, doc: DocKey) -> bool {
    time(layout, doc).is_some()
}

/// What times are, with their unit, that have this documentation: `M8[ns]`, `m8[s]`, as its attribute `numpy` says.
pub(crate) fn time(layout: &Layout, doc: DocKey) -> Option<&str> {
    let meant = layout.attribute(doc, "numpy").and_then(Attribute::text);
    meant.filter(|meant| meant.starts_with("M8") || meant.starts_with("m8"))
}

/// One number, boolean or address.
pub(crate) fn emit_number(
    primitive: Primitive,
    order: ByteOrder,
    bytes: &[u8],
    sink: &mut dyn Sink,
    form: Form,
) -> Result<()> {
    match primitive.kind() {
        Kind::Signed if form.missing == Missing::Here && primitive == Primitive::I8 => {
            match number::integer(bytes, primitive, order) {
                value if value == i128::from(NO_TIME) => sink.missing(),
                value => sink.scalar(Scalar::Int(value)),
            }
        }
        Kind::Signed | Kind::Unsigned | Kind::Pointer => {
            sink.scalar(Scalar::Int(number::integer(bytes, primitive, order)))
        }
        Kind::Bool if form.numbers && bytes[0] > 1 => sink.scalar(Scalar::Bits(bytes)),
        Kind::Bool => sink.scalar(Scalar::Bool(bytes[0] != 0)),
        Kind::Float => {
            let mut bits = [0; 8];
            sink.scalar(match part(bytes, order, form, &mut bits) {
                Part::Float(value, size) => Scalar::Float(value, size),
                Part::Bits(bits) => Scalar::Bits(bits),
            })
        }
        Kind::Complex => {
            let (re, im) = bytes.split_at(bytes.len() / 2);
            let (mut a, mut b) = ([0; 8], [0; 8]);
            let parts = (part(re, order, form, &mut a), part(im, order, form, &mut b));
            sink.scalar(Scalar::Complex(parts.0, parts.1))
        }
        // A unit of text without a dimension left is a string of one (spec 3.2).
        Kind::Text => emit_units(primitive, order, bytes, sink, form),
    }
}

/// A float, or its bits if it is a NaN that is not the usual one.
fn part<'b>(bytes: &[u8], order: ByteOrder, form: Form, room: &'b mut [u8; 8]) -> Part<'b> {
    let value = number::float(bytes, order);
    let bits = number::bits(bytes, order);
    if form.numbers && value.is_nan() && bits != number::float_bits(f64::NAN, bytes.len() as u64) {
        let room = &mut room[..bytes.len()];
        number::put_bits(bits, ByteOrder::Big, room);
        return Part::Bits(room);
    }
    Part::Float(value, bytes.len() as u64)
}

pub(crate) fn emit_units(
    primitive: Primitive,
    order: ByteOrder,
    units: &[u8],
    sink: &mut dyn Sink,
    form: Form,
) -> Result<()> {
    if form.text == Inexact::Decoded || text::is_exact(units, primitive, order) {
        return sink.scalar(Scalar::Text(&text::decode(units, primitive, order)?));
    }
    let size = primitive.size() as usize;
    let mut bits = vec![0; units.len()];
    for (unit, room) in units.chunks_exact(size).zip(bits.chunks_exact_mut(size)) {
        number::put_bits(number::bits(unit, order), ByteOrder::Big, room);
    }
    if form.text == Inexact::Bits {
        return sink.scalar(Scalar::Bits(&bits));
    }
    sink.begin_array(2)?;
    sink.scalar(Scalar::Text(&text::decode(units, primitive, order)?))?;
    sink.scalar(Scalar::Bits(&bits))?;
    sink.end_array()
}

/// The elements in bytes that lie side by side, one after the other; those of text have this many units.
pub(crate) fn elements_in(
    primitive: Primitive,
    order: ByteOrder,
    units: Option<u64>,
    bytes: &[u8],
) -> Result<Vec<Value>> {
    let size = to_usize(primitive.size().saturating_mul(units.unwrap_or(1)))?;
    let elements = bytes.chunks_exact(size.max(1)).map(|element| {
        let (mut builder, form) = (Builder::default(), Form::exact(false));
        match units {
            Some(_) => emit_units(primitive, order, element, &mut builder, form)?,
            None => emit_number(primitive, order, element, &mut builder, form)?,
        }
        Ok(builder.finish())
    });
    elements.collect()
}

/// A number or a text, in all of `room`.
pub(crate) fn put_cell(
    primitive: Primitive,
    order: ByteOrder,
    value: &Value,
    units: Option<u64>,
    room: &mut [u8],
) -> Result<()> {
    match units {
        Some(_) => put_text(primitive, order, value, units, room),
        None => put_number(primitive, order, value, room),
    }
}

/// Numbers as they would be stored, one after the other.
pub(crate) fn elements(value: &Value, primitive: Primitive, order: ByteOrder) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    push_elements(value, primitive, order, &mut bytes)?;
    Ok(bytes)
}

fn push_elements(
    value: &Value,
    primitive: Primitive,
    order: ByteOrder,
    bytes: &mut Vec<u8>,
) -> Result<()> {
    if let Value::Array(items) = value {
        return items.iter().try_for_each(|item| push_elements(item, primitive, order, bytes));
    }
    let mut room = [0; 16];
    let room = &mut room[..primitive.size() as usize];
    put_number(primitive, order, value, room)?;
    bytes.extend_from_slice(room);
    Ok(())
}

/// That a value is not what is wanted.
pub(crate) fn wrong(expected: impl Into<String>, value: &Value) -> Error {
    Error::WrongValue {
        item: Item::UNKNOWN,
        expected: expected.into().into(),
        found: format!("{} ({})", value.kind(), show(value)).into(),
    }
}

/// The units of one string, padded with NULs.
pub(crate) fn put_text(
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
pub(crate) fn put_number(
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
            let (least, greatest) = primitive.range();
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
