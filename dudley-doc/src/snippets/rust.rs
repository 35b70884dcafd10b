//! How to read an item in Rust: by its path, or through generated code.

use dudley_parser::formula::plan::Dimension;
use dudley_parser::layout::dtype::{ByteOrder, Kind as Numbers, Primitive};
use dudley_parser::layout::path::names;

use super::{Part, RESERVED, Template, general, quoted, text};
use crate::Origin;
use crate::escape::visible;
use crate::model::{Doc, Row};

pub(super) fn dynamic(doc: &Doc<'_>, row: &Row, primitive: Option<Primitive>) -> Template {
    let read = match primitive.map(|it| (it.kind(), it.size(), it)) {
        Some((Numbers::Signed, bytes, _)) => format!("read::<i{}>", bytes * 8),
        Some((Numbers::Unsigned, bytes, _)) => format!("read::<u{}>", bytes * 8),
        Some((Numbers::Float, bytes @ (4 | 8), _)) => format!("read::<f{}>", bytes * 8),
        Some((Numbers::Text, ..)) if row.dims.len() == 1 => "read_text".to_owned(),
        _ => "value".to_owned(),
    };
    Template::of(include_str!("../../assets/snippets/rust.txt"), &|hole| match hole {
        "read" => text(read.clone()),
        "note" if doc.raw || doc.origin != Origin::Attached => note(doc),
        "open" => text(open(doc)),
        hole => common(doc, hole),
    })
}

/// Through generated code; where names are not those of Rust, that has names of its own.
pub(super) fn typed(doc: &Doc<'_>, row: &Row, primitive: Option<Primitive>) -> Option<Template> {
    let plain = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| matches!(c, 'a'..='z' | '0'..='9' | '_'))
            && !name.ends_with('_')
            && !RESERVED.contains(&name)
    };
    if doc.raw || !row.strides.is_empty() || !names(&row.path).all(plain) {
        return None;
    }
    // The type has all dimensions but those that are -1 in the text. Only arrays of numbers are read
    // with fewer.
    let lacks = |dim: &Dimension| {
        let said = dim.node.and_then(|node| doc.plan.as_number(node));
        said.is_none() && doc.value(dim.node) == Some(-1)
    };
    let read = match (row.dims.iter().any(lacks), primitive.map(Primitive::kind)) {
        (false, _) => "read",
        (true, Some(Numbers::Text) | None) => return None,
        (true, Some(_)) => "read_dyn",
    };
    Some(Template::of(include_str!("../../assets/snippets/rust-typed.txt"), &|hole| match hole {
        "read" => text(read),
        "note" => note(doc),
        "layout" => text(quoted::rust(&doc.file)),
        hole => common(doc, hole),
    }))
}

fn common(doc: &Doc<'_>, hole: &str) -> Vec<Part> {
    match hole {
        "file" => text(quoted::rust(&doc.stream)),
        hole => general(hole),
    }
}

/// How the file with the layout is made, where there need not be one.
fn note(doc: &Doc<'_>) -> Vec<Part> {
    let command = match doc.origin {
        Origin::File => return Vec::new(),
        Origin::Attached => "detach",
        Origin::Foreign | Origin::Described => "describe",
    };
    let (file, layout) = (quoted::word(&doc.stream), quoted::word(&doc.file));
    text(format!(
        "// The layout is written by: {}\n",
        visible(&format!("dudc {command} {file} > {layout}"))
    ))
}

/// How a stream is opened: one with an attached layout needs none.
fn open(doc: &Doc<'_>) -> String {
    if doc.origin == Origin::Attached && !doc.raw {
        return String::new();
    }
    let said = doc.layout.order().is_some();
    let raw = match doc.raw {
        true if !said && doc.order == ByteOrder::Big => ".raw().order(dudley::ByteOrder::Big)",
        true => ".raw()",
        false => "",
    };
    format!(".layout_text(include_str!({}))?{raw}", quoted::rust(&doc.file))
}
