//! Unit, documentation and attributes of an HDU or a column, from its cards.

use dudley::verify::Finding;
use dudley::{Primitive, Result};
use dudley_parser::comments::{AttrValue, Attribute};
use dudley_parser::layout::words::{Said, foreign_name};
use dudley_parser::span::Span;

use crate::attribute_types::Types;

use super::card::{Card, Value};
use super::hdu::{Hdu, Kind, MOST};
use super::header::Header;
use super::keywords::{OF_COLUMNS, OF_LAYOUT, numbered};

/// Receives findings.
pub(super) type Found<'f> = dyn FnMut(Finding) + 'f;

/// The names of the bytes of logical values.
pub(super) const LOGICAL: &str = "names = [\"null\", \"false\", \"true\"], values = [0, 70, 84]";

/// Adds an attribute.
pub(super) fn attribute(said: &mut Said, name: &str, value: AttrValue) {
    let name = foreign_name(name).into_owned();
    said.attribute_of(&Attribute { name, value, span: Span::at(0) });
}

/// Adds an attribute that programs interpret.
fn meant(said: &mut Said, name: &str, value: AttrValue) {
    said.attribute_of(&Attribute { name: name.to_owned(), value, span: Span::at(0) });
}

/// States how stored values become physical values, and which stored value means none. Neutral factors and offsets are
/// left out.
pub(super) fn scaling(
    said: &mut Said,
    scale: Option<&Value>,
    zero: Option<&Value>,
    null: Option<&Value>,
) {
    for (name, value, neutral) in [("scale_factor", scale, 1.0), ("add_offset", zero, 0.0)] {
        let is_neutral = match value {
            Some(Value::Int(value)) => *value as f64 == neutral,
            Some(Value::Float(value)) => *value == neutral,
            _ => true,
        };
        if let Some(value) = value.filter(|_| !is_neutral) {
            meant(said, name, value.attribute());
        }
    }
    if let Some(value) = null {
        meant(said, "_FillValue", value.attribute());
    }
}

/// The comments from all cards of an HDU except those that describe its columns.
pub(super) fn of_hdu(hdu: &Hdu) -> Said {
    let (header, mut said) = (&hdu.header, Said::default());
    let what = if hdu.axes.is_empty() { "no data" } else { hdu.kind.describe() };
    said.doc(&format!("HDU {}, {what}", hdu.number));
    let is_array = matches!(hdu.kind, Kind::Image | Kind::Groups);
    if is_array {
        if let Some(unit) = header.text("BUNIT") {
            said.unit(unit);
        }
        // Random groups state these for the array inside them.
        if hdu.kind == Kind::Image {
            image_scaling(&mut said, hdu);
            dims(&mut said, hdu);
        }
    }
    let mut types = Types::new(None, Some(Primitive::I8));
    for (at, card) in header.cards.iter().enumerate() {
        let Some(value) = &card.value else {
            let text = card.comment.trim_end();
            match card.keyword.as_str() {
                "COMMENT" | "" => said.line(text),
                other => said.line(&format!("{other} {text}")),
            }
            continue;
        };
        let is_meant = is_array && ["BSCALE", "BZERO", "BLANK", "BUNIT"].contains(&&*card.keyword);
        if !header.is_first(at) || is_meant || of_layout(hdu, &card.keyword) {
            continue;
        }
        // Attributes of layouts have true, but no false.
        if *value == Value::Logical(false) {
            types.add(&card.keyword, Primitive::B1);
        }
        attribute(&mut said, &card.keyword, value.attribute());
        comment(&mut said, &card.keyword, card);
    }
    types.say(&mut said);
    said
}

/// Adds the comment of a card, as a line of documentation.
fn comment(said: &mut Said, keyword: &str, card: &Card) {
    if !card.comment.is_empty() {
        said.line(&format!("{keyword}: {}", card.comment));
    }
}

/// States the scaling of the elements of an image or of random groups. BLANK applies to integers only.
pub(super) fn image_scaling(said: &mut Said, hdu: &Hdu) {
    let number = |keyword: &str| hdu.header.number(keyword);
    let null = number("BLANK").filter(|_| hdu.bitpix > 0);
    scaling(said, number("BSCALE"), number("BZERO"), null);
}

/// States the names of dimensions, if each axis has its own.
fn dims(said: &mut Said, hdu: &Hdu) {
    let names = (1..=hdu.axes.len()).rev().map(|axis| hdu.header.text(&format!("CTYPE{axis}")));
    let Some(names) = names.collect::<Option<Vec<&str>>>().filter(|names| !names.is_empty()) else {
        return;
    };
    let differ = names.iter().enumerate().all(|(at, name)| !names[..at].contains(name));
    if differ {
        meant(said, "dims", AttrValue::Texts(names.into_iter().map(str::to_owned).collect()));
    }
}

/// Whether the layout replaces a card: it describes the place or the type of data, or a column.
fn of_layout(hdu: &Hdu, keyword: &str) -> bool {
    if OF_LAYOUT.contains(&keyword) {
        return true;
    }
    let Some((root, number)) = numbered(keyword) else { return false };
    match hdu.kind {
        _ if root == "NAXIS" => number <= hdu.axes.len() as u64,
        Kind::Table | Kind::AsciiTable => {
            OF_COLUMNS.contains(&root) && number <= columns(&hdu.header).unwrap_or(MOST)
        }
        Kind::Groups => ["PTYPE", "PSCAL", "PZERO"].contains(&root) && number <= hdu.pcount,
        Kind::Image | Kind::Other => false,
    }
}

/// The number of columns of a table.
///
/// # Errors
/// If the header does not state it, or if it is more than a table may have.
pub(super) fn columns(header: &Header) -> Result<u64> {
    let count = header.count("TFIELDS", None)?;
    if count > MOST {
        return Err(header.wrong("TFIELDS", &format!("TFIELDS is {count}, more than {MOST}")));
    }
    Ok(count)
}

/// The cards that scale the values of a column, without neutral ones.
pub(super) fn scale_of(header: &Header, number: u64) -> Option<String> {
    let card = |root: &str, neutral: f64| {
        let keyword = format!("{root}{number}");
        let value = match header.number(&keyword)? {
            Value::Int(value) => *value as f64,
            Value::Float(value) => *value,
            _ => return None,
        };
        (value != neutral).then(|| format!("{keyword} = {value}"))
    };
    let cards: Vec<String> = [("TSCAL", 1.0), ("TZERO", 0.0)]
        .into_iter()
        .filter_map(|(root, neutral)| card(root, neutral))
        .collect();
    (!cards.is_empty()).then(|| cards.join(", "))
}

/// The comments from the cards of a column; scaling only if it `is_number`.
pub(super) fn of_column(header: &Header, number: u64, is_number: bool) -> Said {
    let mut said = Said::default();
    let card = |root: &str| header.card(&format!("{root}{number}"));
    // Libraries write standard comments, which say nothing, after the name.
    let is_said = |card: &&Card| {
        !["label for field", "Type (heading)"].iter().any(|it| card.comment.starts_with(it))
    };
    if let Some(name) = card("TTYPE").filter(is_said) {
        said.doc(&name.comment);
    }
    if let Some(unit) = header.text(&format!("TUNIT{number}")) {
        said.unit(unit);
    }
    if is_number {
        let value = |root: &str| header.number(&format!("{root}{number}"));
        scaling(&mut said, value("TSCAL"), value("TZERO"), value("TNULL"));
    }
    // In ASCII tables the null value is a text, possibly of blanks.
    if let Some(Value::Text(null)) = card("TNULL").and_then(|card| card.value.as_ref()) {
        meant(&mut said, "_FillValue", AttrValue::Text(null.trim().to_owned()));
    }
    for root in OF_COLUMNS {
        let is_said =
            ["TTYPE", "TUNIT", "TNULL", "TSCAL", "TZERO", "TBCOL", "TDIM"].contains(&root);
        let Some(card) = card(root).filter(|_| !is_said) else { continue };
        let Some(value) = &card.value else { continue };
        match value {
            Value::Text(text) if root == "TCOMM" => said.line(text),
            value => attribute(&mut said, root, value.attribute()),
        }
    }
    said
}
