//! What the script of a page computes with: operations, inputs and rows, as JSON.
//!
//! An operation is a list: its code, then numbers of earlier operations or plain numbers, as
//! `assets/evaluate.js` says. That file only carries them out.

use std::collections::HashMap;

use dudley_parser::comments::AttrValue;
use dudley_parser::formula::plan::{Node, Op, Place};
use dudley_parser::layout::path::{of_param, split};
use dudley_parser::layout::{DocKey, ParamId};
use dudley_parser::place;
use serde_json::{Map, Value as Json, json};

use crate::escape::visible;
use crate::model::{Doc, Kind, Row};
use crate::page::types::field_anchor;
use crate::snippets::{Snippets, module};

/// The greatest whole number that JavaScript reads as it is written.
const SAFE: u64 = 1 << 53;

/// All that a script needs; `pages` are the files that rows stand in, empty for this one.
pub(crate) fn data(doc: &Doc<'_>, pages: &[String]) -> Json {
    let inputs: HashMap<ParamId, usize> =
        doc.inputs.iter().enumerate().map(|(at, input)| (input.param, at)).collect();
    let mut snippets = Snippets::default();
    let rows: Vec<Json> = doc
        .rows
        .iter()
        .enumerate()
        .map(|(at, row)| {
            row_data(doc, row, pages.get(at).map_or("", String::as_str), &mut snippets)
        })
        .collect();
    let params = doc.inputs.iter().map(|input| {
        let mut param = json!({
            "label": visible(&input.label),
            "value": input.value.to_string(),
            "example": input.example,
            "rows": input.used_by,
        });
        let (least, greatest) = input.range();
        param["range"] = json!([least.to_string(), greatest.to_string()]);
        if let Some(primitive) = input.primitive {
            param["type"] = json!(primitive.name());
        }
        if input.fixed {
            param["fixed"] = json!(true);
        }
        // A single page has its fields with what is said of them.
        if !pages.is_empty() {
            param["words"] = json!(visible(doc.input_words(input)));
        }
        param
    });
    let types = doc.types.iter().map(|ty| {
        let fields = ty.members.iter().map(|field| {
            json!([
                visible(&field.name),
                node(field.place.address),
                node(field.place.bytes),
                visible(&field.dtype),
                field.align,
                field_anchor(ty, field),
            ])
        });
        json!({"name": visible(&ty.name), "anchor": ty.anchor, "bytes": node(ty.bytes),
               "fields": fields.collect::<Vec<_>>()})
    });
    json!({
        "version": 1,
        "title": visible(&doc.title),
        "file": visible(&doc.stream),
        "layout": {
            "text": doc.layout.text(),
            "module": module(doc),
            "raw": doc.raw,
            "big": doc.order.symbol() == '>',
        },
        "start": place::start(doc.raw),
        "end": node(doc.end),
        "params": params.collect::<Vec<_>>(),
        "ops": doc.plan.ops().iter().map(|op| operation(op, &inputs)).collect::<Vec<_>>(),
        "rows": rows,
        "types": types.collect::<Vec<_>>(),
        "snippets": snippets.templates(),
    })
}

fn node(node: Option<Node>) -> Json {
    node.map_or(Json::Null, |node| json!(node.index()))
}

fn nodes(nodes: &[Node]) -> Json {
    nodes.iter().map(|node| json!(node.index())).collect()
}

fn number(value: i64) -> Json {
    if value.unsigned_abs() < SAFE { json!(value) } else { json!(value.to_string()) }
}

fn operation(op: &Op, inputs: &HashMap<ParamId, usize>) -> Json {
    let at = |node: &Node| node.index();
    match op {
        Op::Number(value) => json!([0, number(*value)]),
        Op::Param(id) => match inputs.get(id) {
            Some(input) => json!([2, input]),
            None => json!([1]),
        },
        Op::Index(depth) => json!([3, depth]),
        Op::Sum(plus, minus) => json!([4, nodes(plus), nodes(minus)]),
        Op::Dim(param, suffix) => json!([5, at(param), suffix]),
        Op::Natural(value) => json!([6, at(value)]),
        Op::Bytes(dims, element) => json!([7, nodes(dims), at(element)]),
        Op::Align { cursor, to, bytes } => json!([8, at(cursor), to, at(bytes)]),
        Op::Add(a, b) => json!([9, at(a), at(b)]),
        Op::Max(all) => json!([10, nodes(all)]),
        Op::End { bytes, cursor } => json!([11, at(bytes), at(cursor)]),
        Op::Repeat { index, first, second, third } => {
            json!([12, at(index), at(first), at(second), at(third)])
        }
        Op::Unknown => json!([13]),
        Op::Multiply(a, b) => json!([14, at(a), at(b)]),
        Op::Divide(a, b) => json!([15, at(a), at(b)]),
        // What is illegal whatever the params are; also what this page does not know.
        _ => json!([1]),
    }
}

/// Where the name begins in a path that a script has: in units of UTF-16.
fn name_start(path: &str) -> usize {
    let name = split(path).1;
    let units = |text: &str| visible(text).encode_utf16().count();
    units(path) - units(name.strip_prefix(':').unwrap_or(name))
}

fn row_data(doc: &Doc<'_>, row: &Row, page: &str, snippets: &mut Snippets) -> Json {
    let kind = match row.kind {
        Kind::Dict => "d",
        Kind::List => "l",
        Kind::Param(_) => "p",
        Kind::Column(_) | Kind::Array(_) => "a",
    };
    let path = match row.kind {
        Kind::Param(_) => of_param(&row.path),
        _ => row.path.clone(),
    };
    let mut map = Map::new();
    map.insert("k".into(), json!(kind));
    map.insert("p".into(), json!(visible(&path)));
    map.insert("nm".into(), json!(name_start(&path)));
    if anchored(row, &path) {
        map.insert("a".into(), json!(row.anchor));
    }
    if !page.is_empty() {
        map.insert("f".into(), json!(page));
    }
    let Place { cursor, address, bytes } = row.place;
    for (key, found) in [("c", cursor), ("at", address), ("b", bytes), ("n", row.count)] {
        if let Some(found) = found {
            map.insert(key.into(), json!(found.index()));
        }
    }
    if !row.dims.is_empty() {
        map.insert("d".into(), row.dims.iter().map(|dim| node(dim.node)).collect());
    }
    if !row.repetitions.is_empty() {
        map.insert("r".into(), row.repetitions.iter().map(|count| node(*count)).collect());
    }
    if let Some(record) = row.record {
        map.insert("sp".into(), json!([node(record.address), node(record.bytes)]));
    }
    if row.align > 1 {
        map.insert("al".into(), json!(row.align));
    }
    if row.explicit {
        map.insert("x".into(), json!(true));
    }
    let words: Vec<&str> = doc.layout.doc(row.key).collect();
    let unit = doc.layout.unit(row.key).unwrap_or_default();
    if row.path != "/" && !(words.is_empty() && unit.is_empty()) {
        map.insert("w".into(), json!(visible(&words.join(" "))));
    }
    let said = searched(doc, row.key);
    if row.path != "/" && !said.is_empty() {
        map.insert("z".into(), json!(visible(&said)));
    }
    if let Some((set, holes)) = snippets.of(doc, row) {
        map.insert("s".into(), json!(set));
        map.insert("h".into(), holes);
        match doc.row_type(row) {
            Some(ty) => map.insert("t".into(), json!(ty)),
            None => map.insert("q".into(), json!(doc.row_dtype(row))),
        };
    }
    map.into()
}

/// The attributes of something with their texts, to be found by.
fn searched(doc: &Doc<'_>, key: DocKey) -> String {
    let mut words = Vec::new();
    for attribute in doc.layout.attributes(key) {
        words.push(attribute.name.as_str());
        match &attribute.value {
            AttrValue::Text(text) => words.push(text),
            AttrValue::Texts(texts) => words.extend(texts.iter().map(String::as_str)),
            _ => {}
        }
    }
    words.join(" ")
}

/// Whether the place of a row is not simply called as its path.
fn anchored(row: &Row, path: &str) -> bool {
    row.anchor != visible(path)
}
