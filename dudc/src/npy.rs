//! `.npy` files and `.npz` archives of them, as numpy writes them: headers and bytes.
//!
//! Arrays are written in the stream's byte order, so that their bytes are copied as they are. The
//! format is that of numpy's `lib.format`, version 1.0 and, for long headers, 2.0.

pub(crate) mod descr;
mod read;
pub(crate) mod table;

use std::borrow::Cow;
use std::io::Write;

use dudley::{ByteOrder, Data, Dtype, Primitive, Result, Value};
use dudley_parser::layout::dtype::Kind;

use crate::json::quoted;
pub(crate) use read::{Exact, Npy};

/// The type of a numpy array, in the form of its `descr`.
pub(crate) fn descr(dtype: &Dtype, shape: &[u64]) -> Option<(String, Vec<u64>)> {
    match dtype {
        Dtype::Primitive(primitive, order) => primitive_descr(*primitive, *order, shape),
        Dtype::Record(record) => Some((record_descr(record)?, shape.to_vec())),
        Dtype::Variable(_) => None,
    }
}

/// A struct as the list of its fields, in the order of their offsets, gaps as `('', '|V4')`. None
/// where numpy's files have no such struct: overlapping fields, or filtered ones.
fn record_descr(record: &dudley::dtype::Record) -> Option<String> {
    let stored = |field: &&dudley::dtype::Field| field.bytes > 0 || field.param.is_none();
    let mut fields: Vec<_> = record.fields.iter().filter(stored).collect();
    fields.sort_by_key(|field| (field.offset, field.bytes));
    let mut items = Vec::new();
    let mut at = 0;
    for field in fields {
        if field.filter.is_some() || field.offset < at {
            return None;
        }
        items.extend(gap(field.offset - at));
        let (format, inner) = field_descr(&field.dtype, &field.shape)?;
        let shape = if inner.is_empty() { String::new() } else { format!(", {}", tuple(&inner)) };
        items.push(format!("({}, {format}{shape})", python_text(&field.name)));
        at = field.offset + field.bytes;
    }
    items.extend(gap(record.size.checked_sub(at)?));
    Some(format!("[{}]", items.join(", ")))
}

fn gap(bytes: u64) -> Option<String> {
    (bytes > 0).then(|| format!("('', '|V{bytes}')"))
}

/// Inside of a struct, text stays its units, since bytes are copied.
fn field_descr(dtype: &Dtype, shape: &[u64]) -> Option<(String, Vec<u64>)> {
    match dtype {
        Dtype::Primitive(primitive, order) if primitive.is_text() => {
            let size = primitive.size();
            Some((python_text(&format!("{}u{size}", mark(*order, size))), shape.to_vec()))
        }
        dtype => descr(dtype, shape),
    }
}

fn primitive_descr(
    primitive: Primitive,
    order: ByteOrder,
    shape: &[u64],
) -> Option<(String, Vec<u64>)> {
    let mut shape = shape.to_vec();
    let size = primitive.size();
    let text =
        |letter: char, size: u64| python_text(&format!("{}{letter}{size}", mark(order, size)));
    let descr = match (primitive.kind(), primitive) {
        // numpy has no complex number of two f2.
        (_, Primitive::C4) => {
            shape.push(2);
            text('f', 2)
        }
        (Kind::Signed, _) => text('i', size),
        (Kind::Unsigned | Kind::Pointer, _) => text('u', size),
        (Kind::Float, _) => text('f', size),
        (Kind::Complex, _) => text('c', size),
        (Kind::Bool, _) => python_text("|b1"),
        (Kind::Text, _) => return None,
    };
    Some((descr, shape))
}

fn mark(order: ByteOrder, size: u64) -> char {
    if size == 1 { '|' } else { order.symbol() }
}

/// A text as a Python literal; JSON's escapes are Python's, but for those above U+FFFF.
fn python_text(text: &str) -> String {
    let quoted = quoted(text);
    let inner = &quoted[1..quoted.len() - 1];
    format!("'{}'", inner.replace("\\\"", "\"").replace('\'', "\\'"))
}

fn tuple(shape: &[u64]) -> String {
    match shape {
        [one] => format!("({one},)"),
        many => format!("({})", many.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")),
    }
}

/// The header of a `.npy` file: 64-byte aligned, as numpy makes it.
pub(crate) fn header(descr: &str, shape: &[u64]) -> Vec<u8> {
    let dict = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {}, }}", tuple(shape));
    let version_1 = dict.len() + 1 + 10 <= usize::from(u16::MAX);
    let fixed = if version_1 { 10 } else { 12 };
    let padding = 64 - (fixed + dict.len() + 1) % 64;
    let length = dict.len() + padding % 64 + 1;
    let mut out = b"\x93NUMPY".to_vec();
    if version_1 {
        out.extend([1, 0]);
        out.extend((length as u16).to_le_bytes());
    } else {
        out.extend([if dict.is_ascii() { 2 } else { 3 }, 0]);
        out.extend((length as u32).to_le_bytes());
    }
    out.extend(dict.as_bytes());
    out.extend(std::iter::repeat_n(b' ', padding % 64));
    out.push(b'\n');
    out
}

/// Writes an array as `.npy`.
///
/// # Errors
/// What reading it says; if numpy has no such type, or the output cannot be written.
pub(crate) fn write(data: &Data, out: &mut dyn Write) -> Result<()> {
    let io = |error| dudley::Error::io("cannot write the result", error);
    if let Some((primitive, _)) = data.dtype().primitive()
        && primitive.is_text()
    {
        return write_texts(data, out);
    }
    let Some((descr, shape)) = descr(data.dtype(), data.shape()) else {
        return Err(dudley::Error::Variable { path: data.path().into() });
    };
    let mut begun = false;
    data.for_each_block(&mut |block| {
        if !begun {
            // Not before it is known that there is something to write.
            out.write_all(&header(&descr, &shape)).map_err(io)?;
            begun = true;
        }
        out.write_all(&numpy_bytes(Some(data.dtype()), block)).map_err(io)
    })?;
    if begun { Ok(()) } else { out.write_all(&header(&descr, &shape)).map_err(io) }
}

/// Bytes of elements as numpy wants them: a b1 other than 0 and 1 is true, but numpy would keep its
/// bits.
pub(crate) fn numpy_bytes<'b>(dtype: Option<&Dtype>, bytes: &'b [u8]) -> Cow<'b, [u8]> {
    match dtype {
        Some(Dtype::Primitive(Primitive::B1, _)) => {
            bytes.iter().map(|byte| u8::from(*byte != 0)).collect()
        }
        _ => Cow::Borrowed(bytes),
    }
}

/// The primitive of elements of a kind and size of numpy; bytes and times as integers.
pub(crate) fn primitive_of(kind: char, size: u64) -> Option<Primitive> {
    let name = match kind {
        'U' => "U4".to_owned(),
        'S' => "S1".to_owned(),
        'V' => "u1".to_owned(),
        'm' | 'M' => format!("i{size}"),
        kind => format!("{kind}{size}"),
    };
    Primitive::ALL.iter().find(|primitive| primitive.name() == name).copied()
}

/// Elements with the bytes of each unit reversed; of units of one byte as they are.
pub(crate) fn swapped(bytes: &[u8], unit: usize) -> Result<Cow<'_, [u8]>> {
    if unit <= 1 {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut swapped = bytes.to_vec();
    dudley::swap::swap_in_place(&mut swapped, unit)?;
    Ok(Cow::Owned(swapped))
}

/// An archive has an entry that cannot be read.
pub(crate) fn unreadable(why: &str) -> dudley::Error {
    dudley::Error::WrongValue {
        item: dudley::error::Item::UNKNOWN,
        expected: "an array of numpy".into(),
        found: why.into(),
    }
}

/// A value as an array: its type, shape and bytes. None if its parts differ in shape or type.
pub(crate) fn of_value(value: &Value) -> Option<(String, Vec<u64>, Vec<u8>)> {
    let mut shape = Vec::new();
    let mut here = value;
    while let Value::Array(items) = here {
        shape.push(items.len() as u64);
        match items.first() {
            Some(first) => here = first,
            None => break,
        }
    }
    let mut flat = Vec::new();
    flatten(value, &shape, &mut flat)?;
    let mut bytes = Vec::new();
    let longest = flat.iter().map(|value| match value {
        Value::Text(text) => text.chars().count(),
        _ => 0,
    });
    let longest = longest.max().unwrap_or(0).max(1);
    for value in &flat {
        match value {
            Value::Int(value) => bytes.extend(i64::try_from(*value).ok()?.to_le_bytes()),
            Value::Float(value) => bytes.extend(value.to_le_bytes()),
            Value::Bool(value) => bytes.push(u8::from(*value)),
            Value::Complex(re, im) => {
                bytes.extend(re.to_le_bytes());
                bytes.extend(im.to_le_bytes());
            }
            Value::Text(text) => {
                let before = bytes.len();
                bytes.extend(text.chars().flat_map(|c| u32::from(c).to_le_bytes()));
                bytes.resize(before + longest * 4, 0);
            }
            _ => return None,
        }
    }
    let descr = match flat.first() {
        Some(Value::Int(_)) => "'<i8'".to_owned(),
        Some(Value::Bool(_)) => "'|b1'".to_owned(),
        Some(Value::Complex(..)) => "'<c16'".to_owned(),
        Some(Value::Text(_)) => format!("'<U{longest}'"),
        _ => "'<f8'".to_owned(),
    };
    Some((descr, shape, bytes))
}

/// All single values of an array of a shape; none if it is not regular, or mixes types.
fn flatten<'v>(value: &'v Value, shape: &[u64], flat: &mut Vec<&'v Value>) -> Option<()> {
    match (value, shape.split_first()) {
        (Value::Array(items), Some((length, inner))) if items.len() as u64 == *length => {
            items.iter().try_for_each(|item| flatten(item, inner, flat))
        }
        (Value::Array(_), _) | (_, Some(_)) => None,
        (value, None) => {
            let same =
                |first: &&Value| std::mem::discriminant(*first) == std::mem::discriminant(value);
            flat.first().is_none_or(same).then(|| flat.push(value))
        }
    }
}

/// Text as numpy's `<U`: UTF-32, as long as the longest.
fn write_texts(data: &Data, out: &mut dyn Write) -> Result<()> {
    let texts = data.read_texts()?;
    let longest = texts.iter().map(|text| text.chars().count()).max().unwrap_or(0).max(1);
    let shape: Vec<u64> = texts.shape().iter().map(|dim| *dim as u64).collect();
    let mut bytes = header(&format!("'<U{longest}'"), &shape);
    for text in &texts {
        let mut units: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
        units.resize(longest * 4, 0);
        bytes.extend(units);
    }
    out.write_all(&bytes).map_err(|error| dudley::Error::io("cannot write the result", error))
}
