//! The types of streams as numpy has them, in the form of `descr`.
//!
//! Bytes are copied as they are, so text in structs is bytes (`S`) or characters of UTF-32 (`U`); UTF-16,
//! which numpy does not have, stays its units. The attribute `numpy` says what else elements mean: times
//! (`M8[ns]`, `m8[s]`) in integers of 8 bytes, bytes of text (`S3`) in an array of S1, bytes of whatever (`V3`)
//! in one of u1. Fields with the attribute `padding` are gaps.

use dudley_parser::Layout;
use dudley_parser::comments::Attribute;
use dudley_parser::layout::DocKey;
use dudley_parser::layout::dtype::{ByteOrder, Kind, Primitive};

use super::descr::{Descr, plain};
use crate::read::data::Data;
use crate::read::dtype::{Dtype, Field, Record};

/// A type, as a literal of Python, and the shape that is left to the array.
pub type Found = Option<(String, Vec<u64>)>;

/// The type of a numpy array that has the bytes of an array as they are, of a shape. `None` where there is
/// none: text but UTF-32 and that which is meant as bytes, structs of variable size.
///
/// ```
/// use dudley::numpy::types::descr_of;
///
/// let open = dudley::Open::new().layout_text("x = >f4[2, 3]  s = {a = u1  b = u1}[2]")?;
/// let stream = open.raw().bytes([0; 28])?;
/// assert_eq!(descr_of(&stream.get("/x")?.data()?, &[2, 3]), Some(("'>f4'".into(), vec![2, 3])));
/// let structs = descr_of(&stream.get("/s")?.data()?, &[2]).expect("a type");
/// assert_eq!(structs.0, "[('a', '|u1'), ('b', '|u1')]");
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn descr_of(data: &Data, shape: &[u64]) -> Found {
    match data.dtype() {
        Dtype::Primitive(primitive, order) => {
            let meant = meant(data.attributes());
            let units = *primitive == Primitive::Utf32 && shape.last() != Some(&0);
            if primitive.is_text() && !units && !meant.as_ref().is_some_and(is_ascii) {
                return None;
            }
            primitive_descr(*primitive, *order, meant.as_ref(), shape)
        }
        Dtype::Record(record) => Some((record_descr(data.layout(), record)?, shape.to_vec())),
        Dtype::Variable(_) => None,
    }
}

/// As [`descr_of`], of values of a primitive.
///
/// ```
/// use dudley::numpy::types::descr_of_values;
///
/// let stream = dudley::Open::new().layout_text("x = >f4[3]")?.raw().bytes([0; 12])?;
/// let data = stream.get("/x")?.data()?;
/// assert_eq!(descr_of_values(data.dtype(), &[3]), Some(("'>f4'".into(), vec![3])));
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn descr_of_values(dtype: &Dtype, shape: &[u64]) -> Found {
    let (primitive, order) = dtype.primitive()?;
    if primitive.is_text() { None } else { primitive_descr(primitive, order, None, shape) }
}

/// The type of an array without elements of a type.
///
/// ```
/// use dudley::numpy::types::descr_of_nothing;
///
/// let stream = dudley::Open::new().layout_text("x = <f4[0]  s = S1[0]")?.raw().bytes([])?;
/// let of = |path| Ok::<_, dudley::Error>(descr_of_nothing(stream.get(path)?.data()?.dtype()));
/// assert_eq!((of("/x")?, of("/s")?), (Some("'<f4'".into()), Some("'<U1'".into())));
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn descr_of_nothing(dtype: &Dtype) -> Option<String> {
    match dtype.primitive()? {
        (primitive, _) if primitive.is_text() => Some("'<U1'".to_owned()),
        _ => descr_of_values(dtype, &[0]).map(|(descr, _)| descr),
    }
}

/// The type in the attribute `numpy`, if it is a type.
///
/// ```
/// use dudley::numpy::{descr::Descr, types::meant};
///
/// let layout = "t = i8  #: numpy = \"M8[ns]\"";
/// let stream = dudley::Open::new().layout_text(layout)?.raw().bytes([0; 8])?;
/// let times = meant(stream.get("/t")?.data()?.attributes());
/// assert!(matches!(times, Some(Descr::Plain { kind: 'M', size: 8, .. })));
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn meant(attributes: &[Attribute]) -> Option<Descr> {
    let attribute = attributes.iter().find(|attribute| attribute.name == "numpy")?;
    plain(&format!("|{}", attribute.text()?)).ok()
}

/// Whether elements of a shape are meant as bytes, as many as the last dimension has.
///
/// ```
/// use dudley::numpy::{descr::Descr, types::is_bytes};
///
/// let three = Descr::of("'|V3'")?;
/// assert!(is_bytes(Some(&three), &[10, 3]) && !is_bytes(Some(&three), &[10, 4]));
/// # Ok::<(), String>(())
/// ```
pub fn is_bytes(meant: Option<&Descr>, shape: &[u64]) -> bool {
    matches!(meant, Some(Descr::Plain { kind: 'V', size, .. }) if shape.last() == Some(size))
}

fn is_ascii(meant: &Descr) -> bool {
    matches!(meant, Descr::Plain { kind: 'S', .. })
}

/// A struct as the list of its fields, in the order of their offsets, gaps as `('', '|V4')`. None
/// where numpy's files have no such struct: overlapping fields, or filtered ones.
fn record_descr(layout: &Layout, record: &Record) -> Option<String> {
    let stored = |field: &&Field| field.bytes > 0 || field.param.is_none();
    let mut fields: Vec<_> = record.fields.iter().filter(stored).collect();
    fields.sort_by_key(|field| (field.offset, field.bytes));
    let mut items = Vec::new();
    let mut at = 0;
    for field in fields {
        // Arrays of numpy have no fields in another order than that of their rows.
        if field.filter.is_some() || field.offset < at || field.check_rows().is_err() {
            return None;
        }
        items.extend(gap(field.offset - at));
        let (format, inner) = field_descr(layout, field.doc, &field.dtype, &field.shape)?;
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

fn field_descr(layout: &Layout, doc: DocKey, dtype: &Dtype, shape: &[u64]) -> Found {
    match dtype {
        Dtype::Primitive(primitive, order) => {
            let meant = meant(layout.attributes(doc));
            primitive_descr(*primitive, *order, meant.as_ref(), shape)
        }
        Dtype::Record(record) => Some((record_descr(layout, record)?, shape.to_vec())),
        Dtype::Variable(_) => None,
    }
}

fn primitive_descr(
    primitive: Primitive,
    order: ByteOrder,
    meant: Option<&Descr>,
    shape: &[u64],
) -> Found {
    let mut shape = shape.to_vec();
    let size = primitive.size();
    let text =
        |letter: char, size: u64| python_text(&format!("{}{letter}{size}", mark(order, size)));
    if let (Primitive::I8, Some(time)) = (primitive, meant.and_then(time_of)) {
        return Some((python_text(&format!("{}{time}", order.symbol())), shape));
    }
    if primitive == Primitive::U1 && is_bytes(meant, &shape) {
        let size = shape.pop().unwrap_or_default();
        return Some((python_text(&format!("|V{size}")), shape));
    }
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
        (Kind::Text, _) => return Some(text_descr(primitive, order, shape)),
    };
    Some((descr, shape))
}

/// The type of times that an attribute states of integers of 8 bytes.
fn time_of(meant: &Descr) -> Option<String> {
    match meant {
        Descr::Plain { kind: kind @ ('m' | 'M'), size: 8, rest, .. } => {
            Some(format!("{kind}8{rest}"))
        }
        _ => None,
    }
}

/// The characters of the last dimension as one; none at all have no such type in a struct.
fn text_descr(primitive: Primitive, order: ByteOrder, mut shape: Vec<u64>) -> (String, Vec<u64>) {
    let size = primitive.size();
    let units = if shape.last() == Some(&0) { None } else { Some(shape.pop().unwrap_or(1)) };
    let descr = match (size, units) {
        (1, Some(units)) => format!("|S{units}"),
        (4, Some(units)) => format!("{}U{units}", order.symbol()),
        _ => format!("{}u{size}", mark(order, size)),
    };
    if size == 2 {
        shape.extend(units);
    }
    (python_text(&descr), shape)
}

fn mark(order: ByteOrder, size: u64) -> char {
    if size == 1 { '|' } else { order.symbol() }
}

/// A text as a Python literal.
fn python_text(text: &str) -> String {
    let mut literal = String::from("'");
    for c in text.chars() {
        match c {
            '\\' | '\'' => literal.extend(['\\', c]),
            '\n' => literal += "\\n",
            '\r' => literal += "\\r",
            '\t' => literal += "\\t",
            c if c.is_control() => literal += &format!("\\u{:04x}", c as u32),
            c => literal.push(c),
        }
    }
    literal + "'"
}

/// A shape as Python writes it.
///
/// ```
/// use dudley::numpy::types::tuple;
///
/// assert_eq!([tuple(&[]), tuple(&[3]), tuple(&[2, 3])], ["()", "(3,)", "(2, 3)"]);
/// ```
pub fn tuple(shape: &[u64]) -> String {
    match shape {
        [one] => format!("({one},)"),
        many => format!("({})", many.iter().map(u64::to_string).collect::<Vec<_>>().join(", ")),
    }
}
