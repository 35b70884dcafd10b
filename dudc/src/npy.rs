//! `.npy` files and `.npz` archives of them, as numpy writes them: headers and bytes.
//!
//! Arrays are written in the stream's byte order, so that their bytes are copied as they are. The
//! format is that of numpy's `lib.format`, version 1.0 and, for long headers, 2.0.

use std::io::Write;

use dudley::swap::HOST;
use dudley::{ByteOrder, Data, Dtype, Primitive, Result, Value};
use dudley_parser::layout::dtype::Kind;

use crate::json::quoted;

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
    out.write_all(&header(&descr, &shape)).map_err(io)?;
    // A b1 other than 0 and 1 is true, but numpy would keep its bits.
    let bool = matches!(data.dtype(), Dtype::Primitive(Primitive::B1, _));
    let mut bytes = data.raw()?;
    if bool {
        bytes.iter_mut().for_each(|byte| *byte = u8::from(*byte != 0));
    }
    out.write_all(&bytes).map_err(io)
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

/// An array of a `.npy` file.
pub(crate) struct Npy {
    /// The kind and size of its elements: `f8`, `i4`, `U7`.
    pub kind: char,
    /// Bytes of an element (of `U` characters of an element).
    pub size: usize,
    /// Its byte order.
    pub order: ByteOrder,
    /// Its shape.
    pub shape: Vec<u64>,
    /// Its elements, row-major.
    pub bytes: Vec<u8>,
}

/// Reads a `.npy` file of numbers, booleans or text.
///
/// # Errors
/// A text that says what is wrong with it.
pub(crate) fn parse(file: &[u8]) -> std::result::Result<Npy, String> {
    let rest = file.strip_prefix(b"\x93NUMPY").ok_or("this is no .npy file")?;
    let (version, rest) = rest.split_first_chunk::<2>().ok_or("the header is cut off")?;
    let (length, rest) = match version[0] {
        1 => {
            let (length, rest) = rest.split_first_chunk::<2>().ok_or("the header is cut off")?;
            (usize::from(u16::from_le_bytes(*length)), rest)
        }
        2 | 3 => {
            let (length, rest) = rest.split_first_chunk::<4>().ok_or("the header is cut off")?;
            (u32::from_le_bytes(*length) as usize, rest)
        }
        version => return Err(format!("version {version} of .npy is not known")),
    };
    if rest.len() < length {
        return Err("the header is cut off".to_owned());
    }
    let (header, bytes) = rest.split_at(length);
    let header = String::from_utf8_lossy(header);
    let descr = entry(&header, "descr").ok_or("the header has no 'descr'")?;
    let shape = entry(&header, "shape").ok_or("the header has no 'shape'")?;
    if entry(&header, "fortran_order").is_some_and(|order| order.starts_with("True")) {
        return Err("the array is in Fortran order: save np.ascontiguousarray of it".to_owned());
    }
    let shape = parse_shape(shape)?;
    let (kind, size, order) = parse_descr(descr)?;
    let item = if kind == 'U' { size * 4 } else { size };
    let count = shape.iter().try_fold(item as u64, |count, dim| count.checked_mul(*dim));
    if count != Some(bytes.len() as u64) {
        return Err(format!("the shape asks for other than the {} bytes there are", bytes.len()));
    }
    Ok(Npy { kind, size, order, shape, bytes: bytes.to_vec() })
}

/// What follows a key of the header's dict.
fn entry<'h>(header: &'h str, key: &str) -> Option<&'h str> {
    let at = header.find(&format!("'{key}'"))?;
    let rest = &header[at + key.len() + 2..];
    Some(rest.trim_start().strip_prefix(':')?.trim_start())
}

fn parse_shape(text: &str) -> std::result::Result<Vec<u64>, String> {
    let inner = text.strip_prefix('(').and_then(|text| text.split_once(')'));
    let (inner, _) = inner.ok_or("the shape is no tuple")?;
    inner
        .split(',')
        .map(str::trim)
        .filter(|dim| !dim.is_empty())
        .map(|dim| dim.parse().map_err(|_| format!("`{dim}` is no dimension")))
        .collect()
}

fn parse_descr(text: &str) -> std::result::Result<(char, usize, ByteOrder), String> {
    let inner = text.strip_prefix('\'').and_then(|text| text.split_once('\''));
    let Some((descr, _)) = inner else {
        return Err("arrays of structs are given as JSON".to_owned());
    };
    let mut chars = descr.chars();
    let order = match chars.next() {
        Some('>') => ByteOrder::Big,
        Some('<' | '|') => ByteOrder::Little,
        Some('=') => HOST,
        _ => return Err(format!("the type '{descr}' is not known")),
    };
    let kind = chars.next().ok_or_else(|| format!("the type '{descr}' is not known"))?;
    let size = chars.as_str().parse().map_err(|_| format!("the type '{descr}' is not known"))?;
    match kind {
        'i' | 'u' | 'f' | 'c' | 'b' | 'U' | 'S' => Ok((kind, size, order)),
        _ => Err(format!("the type '{descr}' is not known")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_those_of_numpy() {
        let order = |descr| parse_descr(descr).map(|(_, _, order)| order);
        assert_eq!(order("'<i4'"), Ok(ByteOrder::Little));
        assert_eq!(order("'>i4'"), Ok(ByteOrder::Big));
        assert_eq!(order("'=i4'"), Ok(HOST));
        assert!(order("'!i4'").is_err());
    }

    #[test]
    fn headers_are_aligned_and_read_back() {
        for dims in 0..5 {
            let shape: Vec<u64> = (2..2 + dims).collect();
            let mut file = header("'>f8'", &shape);
            assert_eq!(file.len() % 64, 0);
            let count = shape.iter().product::<u64>();
            file.resize(file.len() + 8 * count as usize, 0);
            let npy = parse(&file).expect("a header of our own");
            assert_eq!((npy.kind, npy.size, npy.order, npy.shape), ('f', 8, ByteOrder::Big, shape));
        }
    }

    #[test]
    fn what_is_no_npy_is_refused() {
        for file in [&b""[..], b"\x93NUMPY", b"\x93NUMPY\x01\x00\xff\xff{}", b"PK\x03\x04"] {
            assert!(parse(file).is_err());
        }
    }
}
