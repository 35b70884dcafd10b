//! How to read an item with numpy.

use dudley_parser::formula::plan::Dimension;
use dudley_parser::layout::Element;
use dudley_parser::layout::dtype::{ByteOrder, Primitive};
use serde_json::Value as Json;

use super::{Hole, Part, Template, general, quoted, text};
use crate::escape::visible;
use crate::model::{Doc, Row};

/// The type of numpy for a primitive, and dimensions that each element has besides.
fn numpy(primitive: Primitive, order: ByteOrder) -> String {
    let prefix =
        if primitive.swap_unit() == 1 { String::new() } else { order.symbol().to_string() };
    let name = match primitive {
        Primitive::B1 => "u1",
        Primitive::P4 | Primitive::Utf32 => "u4",
        Primitive::P8 => "u8",
        Primitive::S1 | Primitive::Utf8 => "S1",
        Primitive::Utf16 => "u2",
        Primitive::C4 => "f2,",
        other => other.name(),
    };
    match name {
        // A pair of halves.
        "f2," => format!("np.dtype((\"{prefix}f2\", 2))"),
        name => format!("\"{prefix}{name}\""),
    }
}

pub(super) fn python(doc: &Doc<'_>, row: &Row, element: Element) -> Option<Template> {
    let (dtype, encoding) = match element {
        Element::Primitive(primitive, own) => {
            let order = own.unwrap_or(doc.order);
            (text(numpy(primitive, order)), encoding(primitive, order))
        }
        Element::Record(_) => (structured(doc, doc.row_type(row)?, 0)?, None),
    };
    // Text has a dimension of its own, so the characters stand side by side.
    let texts = encoding.filter(|_| row.dims.len() > 1);
    let read = match encoding {
        Some(_) if row.dims.len() == 1 => include_str!("../../assets/snippets/text.py"),
        _ if !row.strides.is_empty() => include_str!("../../assets/snippets/strided.py"),
        _ if row.dims.is_empty() => include_str!("../../assets/snippets/scalar.py"),
        _ => include_str!("../../assets/snippets/numpy.py"),
    };
    let decoded = texts.map_or("", |_| include_str!("../../assets/snippets/texts.py"));
    Some(Template::of(&[read, decoded].concat(), &|hole| match hole {
        "dtype" => dtype.clone(),
        "file" => text(quoted::python(&doc.stream)),
        "offset" => offset(doc, row),
        "text" => text(encoding.map_or("", |(before, _)| before)),
        "end" => text(encoding.map_or("", |(_, behind)| behind)),
        hole => general(hole),
    }))
}

/// Where a member of records begins: where there are no records, maybe behind the end of the file,
/// which numpy refuses.
fn offset(doc: &Doc<'_>, row: &Row) -> Vec<Part> {
    let address = vec![Part::Hole(Hole::Address)];
    match row.count.and_then(|count| doc.plan.as_number(count)) {
        Some(1..) => address,
        _ => [text("min("), address, text(", file.size)")].concat(),
    }
}

/// The shape of a member, without the dimensions of -1, which are not there; nothing if none is.
///
/// What such a dimension comes to may change in the page, so it is Python that leaves it out.
fn shape(doc: &Doc<'_>, dims: &[Dimension]) -> Option<Vec<Part>> {
    let mut nodes = Vec::new();
    for dim in dims {
        nodes.push(dim.node?);
    }
    nodes.retain(|node| doc.plan.as_number(*node) != Some(-1));
    if nodes.is_empty() {
        return Some(Vec::new());
    }
    let removed = nodes.iter().any(|node| doc.value(Some(*node)) == Some(-1));
    let mut parts = text("(");
    for node in nodes {
        parts.push(Part::Hole(Hole::Value(node)));
        parts.extend(text(","));
    }
    parts.extend(text(")"));
    if removed {
        Some([text("tuple(n for n in "), parts, text(" if n != -1)")].concat())
    } else {
        Some(parts)
    }
}

/// What stands before and behind bytes to make text of them, also of what is no text (3.2).
fn encoding(primitive: Primitive, order: ByteOrder) -> Option<(&'static str, &'static str)> {
    let big = order == ByteOrder::Big;
    Some(match primitive {
        // Python leaves five bytes undefined, which are Latin-1.
        Primitive::S1 => {
            ("\"\".join(bytes([b]).decode(\"cp1252\", \"ignore\") or chr(b) for b in ", ")")
        }
        Primitive::Utf8 => ("", ".decode(\"utf-8\", \"replace\")"),
        Primitive::Utf16 if big => ("", ".decode(\"utf-16-be\", \"replace\")"),
        Primitive::Utf16 => ("", ".decode(\"utf-16-le\", \"replace\")"),
        Primitive::Utf32 if big => ("", ".decode(\"utf-32-be\", \"replace\")"),
        Primitive::Utf32 => ("", ".decode(\"utf-32-le\", \"replace\")"),
        _ => return None,
    })
}

/// A structured type of numpy; `None` where a member has no place, or structs nest too deep.
fn structured(doc: &Doc<'_>, index: usize, depth: u32) -> Option<Vec<Part>> {
    const DEEPEST: u32 = 8;
    let ty = &doc.types[index];
    let size = ty.bytes.filter(|_| depth < DEEPEST)?;
    let (mut names, mut formats, mut offsets) = (String::new(), Vec::new(), Vec::new());
    for field in &ty.members {
        let format = match (field.primitive, field.ty) {
            (Some((primitive, order)), _) => text(numpy(primitive, order)),
            (None, Some(inner)) => structured(doc, inner, depth + 1)?,
            (None, None) => continue,
        };
        let gap = if names.is_empty() { "" } else { ", " };
        names += &format!("{gap}{}", Json::from(visible(&field.name)));
        formats.extend(text(gap));
        let shape = shape(doc, &field.dims)?;
        if shape.is_empty() {
            formats.extend(format)
        } else {
            formats.extend(text("("));
            formats.extend(format);
            formats.extend(text(", "));
            formats.extend(shape);
            formats.extend(text(")"));
        }
        offsets.extend(text(gap));
        offsets.push(Part::Hole(Hole::Value(field.place.address?)));
    }
    let mut all = text(format!("np.dtype({{\n    \"names\": [{names}],\n    \"formats\": ["));
    all.extend(formats);
    all.extend(text("],\n    \"offsets\": ["));
    all.extend(offsets);
    all.extend(text("],\n    \"itemsize\": "));
    all.push(Part::Hole(Hole::Value(size)));
    all.extend(text("})"));
    Some(all)
}
