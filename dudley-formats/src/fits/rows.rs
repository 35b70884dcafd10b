//! Structs, texts and complex numbers as rows of a written table: its columns and their cards.

use std::fmt::Write;

use dudley::read::{Field, Record};
use dudley::{Data, Dtype, Layout, Primitive};
use dudley_parser::comments::{AttrValue, Attribute};
use dudley_parser::layout::DocKey;
use dudley_parser::layout::words::name;

use super::card::Value;
use super::hdu::MOST;
use super::stored::{bitpix_name, scaling, value};
use crate::headers;

/// A table to write.
pub(super) struct Columns {
    pub(super) rows: u64,
    /// Bytes of a row.
    pub(super) width: u64,
    /// The type and shape of its item in the layout.
    pub(super) layout: String,
    pub(super) columns: Vec<Column>,
}

/// A column.
pub(super) struct Column {
    pub(super) name: String,
    /// Its cards: keyword without the number, value, comment.
    pub(super) cards: Vec<(&'static str, Value, String)>,
    /// The part of it that no card can hold.
    pub(super) lost: Option<&'static str>,
}

/// Attributes of a column that become cards of it.
const CARDS: [&str; 9] =
    ["TDISP", "TLMIN", "TLMAX", "TDMIN", "TDMAX", "TCTYP", "TCUNI", "TUCD", "TUTYP"];

/// The columns of an array, or the reason why it has none.
pub(super) fn columns(data: &Data, own: &str) -> Result<Columns, String> {
    let (layout, shape) = (data.layout(), data.shape());
    let mut all = Vec::new();
    let (element, width, rows) = match data.dtype() {
        Dtype::Primitive(primitive, _) => {
            // A text by itself is one row.
            let outer = usize::from(shape.len() > usize::from(primitive.is_text()));
            let (rows, cell) = shape.split_at(outer);
            let said = Said { layout, attributes: data.attributes(), doc: None };
            all.push(column(*primitive, cell, own.to_owned(), &said)?);
            let width = cell.iter().fold(primitive.size(), |bytes, dim| bytes.saturating_mul(*dim));
            (stored_name(*primitive)?.to_owned(), width, rows.iter().product())
        }
        Dtype::Record(record) => {
            let (text, width) = fields(layout, record, "", &mut all)?;
            (text, width, shape.iter().fold(1_u64, |rows, dim| rows.saturating_mul(*dim)))
        }
        Dtype::Variable(_) => {
            return Err("left out: structs of variable size are no rows".to_owned());
        }
    };
    if all.len() as u64 > MOST {
        return Err(format!("left out: a table has at most {MOST} columns"));
    }
    Ok(Columns {
        rows,
        width,
        layout: element + &headers::shape_of(data.dtype(), shape),
        columns: all,
    })
}

/// The comments on a column.
struct Said<'l> {
    layout: &'l Layout,
    attributes: &'l [Attribute],
    doc: Option<DocKey>,
}

/// Adds the fields of a struct, one after the other; returns its dtype in the layout and its bytes.
fn fields(
    layout: &Layout,
    record: &Record,
    before: &str,
    all: &mut Vec<Column>,
) -> Result<(String, u64), String> {
    let (mut text, mut size) = (String::from("{"), 0_u64);
    for field in record.fields.iter().filter(|field| !field.is_fixed(layout)) {
        if field.filter.is_some() {
            return Err("left out: what filters made is no column".to_owned());
        }
        if field.check_rows().is_err() {
            return Err(format!(
                "left out: `{before}{}` does not lie row by row: it is written by itself, by its path",
                field.name
            ));
        }
        let path = format!("{before}{}", field.name);
        let (element, width) = one(layout, field, &path, all)?;
        let _ = write!(
            text,
            "{} = {element}{} @{size}  ",
            name(&field.name),
            headers::shape_of(&field.dtype, &field.shape)
        );
        size = field
            .shape
            .iter()
            .fold(width, |bytes, dim| bytes.saturating_mul(*dim))
            .saturating_add(size);
    }
    Ok((text + "} %1 ", size))
}

/// Adds the columns of a field; returns its dtype and the bytes of an element.
fn one(
    layout: &Layout,
    field: &Field,
    path: &str,
    all: &mut Vec<Column>,
) -> Result<(String, u64), String> {
    match &field.dtype {
        Dtype::Primitive(primitive, _) => {
            let said =
                Said { layout, attributes: layout.attributes(field.doc), doc: Some(field.doc) };
            all.push(column(*primitive, &field.shape, path.to_owned(), &said)?);
            Ok((stored_name(*primitive)?.to_owned(), primitive.size()))
        }
        Dtype::Record(record) if field.shape.is_empty() => {
            fields(layout, record, &format!("{path}."), all)
        }
        Dtype::Record(record) => {
            let count = field.shape.iter().fold(1_u64, |count, dim| count.saturating_mul(*dim));
            let mut made = fields(layout, record, "", &mut Vec::new())?;
            for at in 0..count {
                if all.len() as u64 > MOST {
                    break;
                }
                made = fields(layout, record, &format!("{path}[{at}]."), all)?;
            }
            Ok(made)
        }
        Dtype::Variable(_) => Err("left out: structs of variable size are no rows".to_owned()),
    }
}

/// The dtype of stored elements in the layout.
fn stored_name(primitive: Primitive) -> Result<&'static str, String> {
    Ok(match primitive {
        // One letter for each boolean.
        Primitive::B1 => "u1",
        Primitive::C8 => "c8",
        Primitive::C16 => "c16",
        Primitive::S1 => "S1",
        Primitive::Utf8 => "U1",
        Primitive::F2 => return Err(none(primitive)),
        other => bitpix_name(other).ok_or_else(|| none(primitive))?.1,
    })
}

fn none(primitive: Primitive) -> String {
    format!("left out: tables have no type for `{}`", primitive.name())
}

fn column(
    primitive: Primitive,
    shape: &[u64],
    name: String,
    said: &Said<'_>,
) -> Result<Column, String> {
    let attribute =
        |name: &str| said.attributes.iter().find(|it| it.name == name).map(|it| &it.value);
    let count = shape.iter().fold(1_u64, |count, dim| count.saturating_mul(*dim));
    let is_letters =
        matches!(attribute("TFORM"), Some(AttrValue::Text(form)) if form.ends_with('L'));
    let form = match (primitive, attribute("bits")) {
        (Primitive::U1, Some(AttrValue::Int(bits)))
            if bits.div_euclid(8) + i64::from(bits % 8 > 0) == count as i64 =>
        {
            format!("{bits}X")
        }
        (Primitive::U1, _) if is_letters => format!("{count}L"),
        _ => format!("{count}{}", code(primitive).ok_or_else(|| none(primitive))?),
    };
    let doc = said.doc.and_then(|doc| said.layout.doc_without_unit(doc).next()).unwrap_or_default();
    let text = |text: String| Value::Text(text);
    let mut cards =
        vec![("TTYPE", text(name.clone()), doc.to_owned()), ("TFORM", text(form), String::new())];
    if shape.len() > 1 {
        let dims: Vec<String> = shape.iter().rev().map(u64::to_string).collect();
        cards.push(("TDIM", text(format!("({})", dims.join(","))), String::new()));
    }
    if let Some(unit) = said.doc.and_then(|doc| said.layout.unit(doc)) {
        cards.push(("TUNIT", text(unit.to_owned()), String::new()));
    }
    let (scaling, lost) = scaling(primitive, ["TSCAL", "TZERO", "TNULL"], said.attributes);
    let others = CARDS.into_iter().filter_map(|root| Some((root, value(attribute(root)?)?)));
    cards.extend(
        scaling.into_iter().chain(others).map(|(root, value)| (root, value, String::new())),
    );
    Ok(Column { name, cards, lost })
}

/// The TFORM code of a dtype.
fn code(primitive: Primitive) -> Option<char> {
    Some(match primitive {
        Primitive::U1 | Primitive::I1 => 'B',
        Primitive::B1 => 'L',
        Primitive::I2 | Primitive::U2 => 'I',
        Primitive::I4 | Primitive::U4 => 'J',
        Primitive::I8 | Primitive::U8 => 'K',
        Primitive::F4 => 'E',
        Primitive::F8 => 'D',
        Primitive::C8 => 'C',
        Primitive::C16 => 'M',
        Primitive::S1 | Primitive::Utf8 => 'A',
        _ => return None,
    })
}
