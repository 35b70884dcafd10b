//! How to read an item in Rust: by its path, or through generated code.

use dudley_parser::layout::dtype::{Kind as Numbers, Primitive};
use dudley_parser::layout::path::names;

use super::{RESERVED, Template, general, text};
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
        hole => general(doc, hole),
    })
}

/// Through generated code; where names are not those of Rust, that has names of its own.
pub(super) fn typed(doc: &Doc<'_>, row: &Row) -> Option<Template> {
    let plain = |name: &str| {
        name.starts_with(|c: char| c.is_ascii_lowercase())
            && name.chars().all(|c| matches!(c, 'a'..='z' | '0'..='9' | '_'))
            && !name.ends_with('_')
            && !RESERVED.contains(&name)
    };
    if doc.raw || !row.strides.is_empty() || !names(&row.path).all(plain) {
        return None;
    }
    Some(Template::of(include_str!("../../assets/snippets/rust-typed.txt"), &|hole| {
        general(doc, hole)
    }))
}
