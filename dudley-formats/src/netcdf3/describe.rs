//! A netCDF-3 file as a layout: items at addresses, with words from attributes.

use dudley::model::Fact;
use dudley::{ByteOrder, Value};
use dudley_parser::comments::{AttrValue, Attribute as LayoutAttribute};
use dudley_parser::layout::text::Text;
use dudley_parser::layout::words::{self, Said, doc_fits, unit_fits};
use dudley_parser::span::Span;

use super::header::{Attribute, Dim, Header, Type, without_nuls};
use super::places::{Placed, Places, Records};
use super::said::UNLIMITED;
use crate::attribute_types::Types;
use crate::words::is_cp1252;

/// The layout of a file, or the part of it that declares a variable.
pub(super) fn layout(header: &Header, places: &Places, only: Option<&str>) -> Text {
    let is_asked_for = |of: &Placed| {
        only.is_none_or(|name| name.as_bytes() == of.variable(header).name.as_bytes())
    };
    let mut about = said(&header.attributes, (None, None), "title", []);
    if let Some(records) = &places.records {
        let names = vec![header.dims[records.dim].name.clone()];
        let (name, value) = (UNLIMITED.to_owned(), AttrValue::Texts(names));
        about.attribute_of(&LayoutAttribute { name, value, span: Span::at(0) });
    }
    let mut text = Text::new(ByteOrder::Big, &about);
    for placed in places.fixed.iter().filter(|placed| is_asked_for(placed)) {
        let what = format!("{} @{}", dtype(header, placed), placed.begin);
        text.item(&placed.variable(header).name, what, &of_variable(header, placed));
    }
    if let Some(records) = places.records.as_ref().filter(|records| !records.variables.is_empty()) {
        add_records(header, records, &is_asked_for, &mut text);
    }
    text
}

/// A struct for each record, whose members are items.
fn add_records(
    header: &Header,
    records: &Records,
    is_asked_for: &dyn Fn(&Placed) -> bool,
    text: &mut Text,
) {
    text.open_record();
    let mut end = 0;
    for (at, placed) in records.variables.iter().enumerate() {
        let offset = placed.begin - records.begin;
        end = end.max(offset + placed.bytes);
        // The record ends with the last variable.
        if !is_asked_for(placed) && at + 1 < records.variables.len() {
            continue;
        }
        let what = format!("{} @{offset}", dtype(header, placed));
        text.item(&placed.variable(header).name, what, &of_variable(header, placed));
    }
    let align = match records.bytes {
        bytes if bytes == end => 1,
        bytes if bytes == end.next_multiple_of(4) => 4,
        // A part of a record cannot be read.
        bytes => {
            let mut name = "(end)".to_owned();
            while records.variables.iter().any(|it| *it.variable(header).name == *name) {
                name.push(')');
            }
            text.item(&name, format!("{{}} @{bytes}"), &Said::default());
            1
        }
    };
    let what = format!("%{align} [{}] @{}", records.count, records.begin);
    text.close_record(what, &said(&[], (None, None), "", [&header.dims[records.dim]]));
}

/// The type of a variable, and its shape.
fn dtype(header: &Header, placed: &Placed) -> String {
    let is_single = |it: &Attribute| it.name == "_Encoding" && is_cp1252(&text(&it.bytes));
    let name = match placed.kind {
        Type::Char if placed.variable(header).attributes.iter().any(is_single) => "S1",
        kind => kind.primitive().name(),
    };
    let shape: Vec<u64> = placed.dims(header).map(|dim| dim.len).collect();
    format!("{name}{}", words::shape(&shape, placed.kind == Type::Char))
}

fn of_variable(header: &Header, placed: &Placed) -> Said {
    let of = (Some(placed.kind), Some("units"));
    said(&placed.variable(header).attributes, of, "long_name", placed.dims(header))
}

/// What attributes of a variable of a type, or of the file, say, by the names of those that are the unit and the
/// documentation; and the names of dimensions.
fn said<'h>(
    attributes: &[Attribute],
    (of, unit): (Option<Type>, Option<&str>),
    doc: &str,
    dims: impl IntoIterator<Item = &'h Dim>,
) -> Said {
    let mut said = Said::default();
    let text = |name: &str| {
        let is_it = |it: &&Attribute| it.name == name && it.kind == Type::Char;
        attributes.iter().rfind(is_it).map(|it| (it, text(&it.bytes)))
    };
    let unit = unit.and_then(text);
    let is_in_doc = unit.as_ref().is_some_and(|(_, unit)| unit_fits(unit));
    let doc = text(doc).filter(|(_, doc)| doc_fits(doc, is_in_doc));
    let mut types = Types::new(of.map(Type::primitive), None);
    for attribute in attributes {
        if attribute.kind != Type::Char {
            types.add(&attribute.name, attribute.kind.primitive());
        }
        let is = |of: &Option<(&Attribute, String)>| {
            of.as_ref().is_some_and(|(it, _)| std::ptr::eq(*it, attribute))
        };
        if !is(&unit) && !is(&doc) {
            said.foreign(&attribute.name, value(attribute));
        }
    }
    types.say(&mut said);
    for line in doc.iter().flat_map(|(_, doc)| doc.lines()) {
        said.line(line);
    }
    if let Some((_, unit)) = unit {
        said.unit(&unit);
    }
    let mut dims = dims.into_iter().peekable();
    if dims.peek().is_some() {
        said.dims(dims.map(|dim| &*dim.name));
    }
    said
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(without_nuls(bytes)).into_owned()
}

/// The value of an attribute.
fn value(attribute: &Attribute) -> AttrValue {
    let bytes = &*attribute.bytes;
    match attribute.kind {
        Type::Char => AttrValue::Text(text(bytes)),
        Type::Byte => integers(bytes, i8::from_be_bytes),
        Type::Short => integers(bytes, i16::from_be_bytes),
        Type::Int => integers(bytes, i32::from_be_bytes),
        Type::UByte => integers(bytes, u8::from_be_bytes),
        Type::UShort => integers(bytes, u16::from_be_bytes),
        Type::UInt => integers(bytes, u32::from_be_bytes),
        Type::Int64 => integers(bytes, i64::from_be_bytes),
        Type::UInt64 => integers(bytes, u64::from_be_bytes),
        Type::Float => floats(bytes, |bytes| f32::from_be_bytes(bytes).into()),
        Type::Double => floats(bytes, f64::from_be_bytes),
    }
}

fn integers<const N: usize, T: Into<i128>>(bytes: &[u8], number: fn([u8; N]) -> T) -> AttrValue {
    let values: Vec<i128> = numbers(bytes, |bytes| number(bytes).into());
    match values.iter().map(|it| i64::try_from(*it)).collect::<Result<Vec<_>, _>>() {
        Ok(values) => one(values, AttrValue::Int, AttrValue::Ints),
        // A layout has no such integers.
        Err(_) => one(spelt(&values), AttrValue::Text, AttrValue::Texts),
    }
}

fn floats<const N: usize>(bytes: &[u8], number: fn([u8; N]) -> f64) -> AttrValue {
    let values: Vec<f64> = numbers(bytes, number);
    if values.iter().all(|it| it.is_finite()) {
        one(values, AttrValue::Float, AttrValue::Floats)
    } else {
        // Nor others than finite floats.
        one(spelt(&values), AttrValue::Text, AttrValue::Texts)
    }
}

fn numbers<const N: usize, T>(bytes: &[u8], number: impl Fn([u8; N]) -> T) -> Vec<T> {
    bytes.as_chunks().0.iter().map(|bytes| number(*bytes)).collect()
}

fn spelt(values: &[impl std::fmt::Display]) -> Vec<String> {
    values.iter().map(ToString::to_string).collect()
}

fn one<T>(mut values: Vec<T>, one: fn(T) -> AttrValue, many: fn(Vec<T>) -> AttrValue) -> AttrValue {
    match values.pop() {
        Some(value) if values.is_empty() => one(value),
        Some(value) => {
            values.push(value);
            many(values)
        }
        None => AttrValue::Ints(Vec::new()),
    }
}

/// The facts about a file that a layout cannot hold.
pub(super) fn facts(header: &Header, places: &Places) -> Vec<Fact> {
    let record = places.records.as_ref();
    let dim = |dim: &Dim| {
        Value::Struct(vec![
            ("name".to_owned(), Value::from(&*dim.name)),
            (
                "length".to_owned(),
                record.filter(|_| dim.len == 0).map_or(dim.len, |it| it.count).into(),
            ),
            ("unlimited".to_owned(), (dim.len == 0).into()),
        ])
    };
    let name = format!("CDF-{}", header.version);
    let dims = header.dims.iter().map(dim).collect();
    vec![
        Fact::new("version", &*name).shown(&*name),
        Fact::new("header_bytes", header.end),
        Fact::new("records", header.records),
        Fact::new("record_bytes", record.map(|it| it.bytes)),
        Fact::new("dimensions", Value::Array(dims)),
    ]
}
