//! How to read an item in other languages: small programs, made of the templates in
//! `assets/snippets`; what the languages have for types is in a file for each.
//!
//! Most items of a layout are read alike, so a page holds each template once, with holes for what
//! differs: the path, the address and the shape, which change with the params.

mod c;
mod fortran;
mod python;
mod quoted;
mod rust;

use std::cell::Cell;
use std::collections::HashMap;

use dudley_parser::formula::plan::Node;
use dudley_parser::layout::dtype::ByteOrder;
use dudley_parser::layout::path::{is_identifier, names, split};
use dudley_parser::layout::{Array, Element, Layout, Step};
use serde_json::{Value as Json, json};

use crate::Origin;
use crate::escape::{shell, visible};
use crate::model::{Doc, Kind, Row};

/// What differs from item to item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Hole {
    Name,
    Address,
    Bytes,
    Count,
    /// As a tuple of Python: `2, 3` or `2,`.
    Shape,
    /// The dimensions of Fortran: the first one last, in parentheses; nothing if there are none.
    Extents,
    /// As many colons, also in parentheses.
    Colons,
    Strides,
    /// The path in single quotes, for a shell.
    PathShell,
    /// The path in double quotes, for Rust.
    PathRust,
    /// The path as calls of methods: `.a().x()`.
    Methods,
    /// What an operation comes to.
    Value(Node),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Part {
    Text(String),
    Hole(Hole),
}

/// A program with holes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Template(Vec<Part>);

/// Templates that are in use, and sets of them for items that are read alike.
#[derive(Debug, Default)]
pub(crate) struct Snippets {
    templates: Vec<(&'static str, Template)>,
    known: HashMap<(&'static str, Template), usize>,
    sets: Vec<Vec<usize>>,
    known_sets: HashMap<Vec<usize>, usize>,
}

impl Template {
    /// Of a text in which `$name$` is put in by `part`.
    fn of(source: &str, part: &dyn Fn(&str) -> Vec<Part>) -> Template {
        let mut parts = Vec::new();
        for (at, piece) in source.split('$').enumerate() {
            match at % 2 {
                0 => parts.push(Part::Text(piece.to_owned())),
                _ => parts.extend(part(piece)),
            }
        }
        let mut template = Template::default();
        for part in parts {
            match (template.0.last_mut(), part) {
                (Some(Part::Text(before)), Part::Text(text)) => *before += &text,
                (_, part) => template.0.push(part),
            }
        }
        template
    }

    fn json(&self) -> Json {
        let part = |part: &Part| match part {
            Part::Text(text) => json!(visible_code(text)),
            Part::Hole(Hole::Value(node)) => json!(["v", node.index()]),
            Part::Hole(hole) => json!([match hole {
                Hole::Name => "name",
                Hole::Address => "address",
                Hole::Bytes => "bytes",
                Hole::Count => "count",
                Hole::Shape => "shape",
                Hole::Extents => "extents",
                Hole::Colons => "colons",
                Hole::Strides => "strides",
                Hole::PathShell => "shell",
                Hole::Methods => "methods",
                Hole::PathRust | Hole::Value(_) => "rust",
            }]),
        };
        self.0.iter().map(part).collect()
    }
}

/// Lines stay lines.
fn visible_code(text: &str) -> String {
    text.split('\n').map(visible).collect::<Vec<_>>().join("\n")
}

impl Snippets {
    /// The programs for an item, as the number of a set, and what goes into their holes.
    pub(crate) fn of(&mut self, doc: &Doc<'_>, row: &Row) -> Option<(usize, Json)> {
        let set: Vec<usize> = programs(doc, row, doc.element(row)?)
            .into_iter()
            .map(|program| match self.known.get(&program) {
                Some(&at) => at,
                None => {
                    let at = self.templates.len();
                    self.known.insert(program.clone(), at);
                    self.templates.push(program);
                    at
                }
            })
            .collect();
        let next = self.sets.len();
        let at = *self.known_sets.entry(set.clone()).or_insert(next);
        if at == next {
            self.sets.push(set);
        }
        let parts = path_parts(row);
        let path: Vec<Json> = parts
            .iter()
            .filter(|part| !matches!(part, Part::Text(text) if *text == visible(&row.path)))
            .map(|part| match part {
                Part::Text(text) => json!(text),
                Part::Hole(Hole::Value(node)) => json!(node.index()),
                Part::Hole(_) => Json::Null,
            })
            .collect();
        // Where the path stands in the row as it is, it is left out.
        let strides: Vec<Json> = row
            .strides
            .iter()
            .map(|node| node.map_or(Json::Null, |node| json!(node.index())))
            .collect();
        Some((at, json!([variable(row), path, strides])))
    }

    /// All templates, and all sets of them.
    pub(crate) fn templates(&self) -> Json {
        let all = self.templates.iter().map(|(name, template)| json!([name, template.json()]));
        json!({"templates": all.collect::<Vec<_>>(), "sets": self.sets})
    }
}

/// The programs for an item with the params as they are first: a language and a text each. One with a number that is
/// not known could not run; `dudc` says why.
pub(crate) fn texts(doc: &Doc<'_>, row: &Row) -> Vec<(&'static str, String)> {
    let Some(element) = doc.element(row) else { return Vec::new() };
    let whole = Cell::new(true);
    let number = |node: Option<Node>| {
        let value = doc.value(node);
        whole.set(whole.get() && value.is_some());
        value.map_or("?".to_owned(), |n| n.to_string())
    };
    let there = || {
        let all = row.dims.iter().enumerate();
        all.filter(|(_, dim)| doc.value(dim.node) != Some(-1))
    };
    let dims = || there().map(|(_, dim)| number(dim.node)).collect::<Vec<_>>();
    let tuple = |all: &[String]| match all {
        [one] => format!("{one},"),
        all => all.join(", "),
    };
    let path = || -> String {
        let parts = path_parts(row).into_iter().map(|part| match part {
            Part::Text(text) => text,
            Part::Hole(Hole::Value(node)) => number(Some(node)),
            Part::Hole(_) => String::new(),
        });
        parts.collect()
    };
    let hole = |hole: &Hole| match hole {
        Hole::Name => variable(row),
        Hole::Address => number(row.place.address),
        Hole::Bytes => number(row.place.bytes),
        Hole::Count => number(row.count),
        Hole::Shape => tuple(&dims()),
        Hole::Extents => {
            let all: Vec<_> = dims().iter().rev().map(|dim| format!("{dim}_int64")).collect();
            parenthesized(&all)
        }
        Hole::Colons => parenthesized(&vec![":".to_owned(); there().count()]),
        Hole::Strides => {
            let strides = there().filter_map(|(at, _)| row.strides.get(at));
            tuple(&strides.map(|stride| number(*stride)).collect::<Vec<_>>())
        }
        Hole::PathShell => shell(&path()),
        Hole::PathRust => format!("{:?}", path()),
        Hole::Methods => names(&path()).map(|name| format!(".{name}()")).collect(),
        Hole::Value(node) => number(Some(*node)),
    };
    programs(doc, row, element)
        .into_iter()
        .filter_map(|(name, template)| {
            let part = |part: &Part| match part {
                Part::Text(text) => text.clone(),
                Part::Hole(one) => hole(one),
            };
            whole.set(true);
            let text = template.0.iter().map(part).collect();
            (whole.get() || name == "dudc").then_some((name, text))
        })
        .collect()
}

fn parenthesized(all: &[String]) -> String {
    if all.is_empty() { String::new() } else { format!("({})", all.join(", ")) }
}

/// The path, with the numbers of items that are formulas.
fn path_parts(row: &Row) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut from = 0;
    for (range, node) in &row.numbers {
        parts.push(Part::Text(readable(&row.path[from..range.start])));
        parts.push(Part::Hole(Hole::Value(*node)));
        from = range.end;
    }
    parts.push(Part::Text(readable(&row.path[from..])));
    parts
}

/// What cannot be seen stands only in quoted names, where it may be escaped.
fn readable(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for c in path.chars() {
        let mut own = [0; 4];
        if visible(c.encode_utf8(&mut own)) == *own_text(&own, c) {
            text.push(c);
        } else {
            for unit in c.encode_utf16(&mut [0; 2]) {
                text += &format!("\\u{unit:04x}");
            }
        }
    }
    text
}

fn own_text(own: &[u8; 4], c: char) -> &str {
    std::str::from_utf8(&own[..c.len_utf8()]).unwrap_or_default()
}

/// A name for the item that is one in any language.
fn variable(row: &Row) -> String {
    const TAKEN: &[&str] =
        &["np", "file", "open", "stream", "unit", "count", "main", "i", "p", "byte"];
    let name = split(&row.path).1;
    let fine = is_identifier(name)
        && !name.starts_with('_')
        && name.len() <= 40
        && !TAKEN.contains(&name)
        && !RESERVED.contains(&name.to_lowercase().as_str());
    match (fine, row.path.is_empty()) {
        (true, _) => name.to_lowercase(),
        (false, _) => "values".to_owned(),
    }
}

/// Words that mean something in Rust, Python, C or Fortran.
const RESERVED: &[&str] = &[
    "and", "as", "assert", "async", "auto", "await", "break", "case", "char", "class", "const",
    "continue", "crate", "def", "default", "del", "do", "double", "dyn", "elif", "else", "end",
    "enum", "except", "extern", "false", "finally", "float", "fn", "for", "from", "global", "goto",
    "if", "impl", "import", "in", "inline", "int", "is", "lambda", "let", "long", "loop", "match",
    "mod", "move", "mut", "none", "nonlocal", "not", "or", "pass", "print", "program", "pub",
    "raise", "read", "ref", "register", "restrict", "return", "self", "short", "signed", "sizeof",
    "static", "struct", "super", "switch", "trait", "true", "try", "type", "typedef", "union",
    "unsafe", "unsigned", "use", "void", "volatile", "where", "while", "with", "yield", "gen",
    "printf", "malloc", "free", "fopen", "fread", "fseek", "fseeko", "fclose", "allocate", "close",
];

fn text(text: impl Into<String>) -> Vec<Part> {
    vec![Part::Text(text.into())]
}

fn programs(doc: &Doc<'_>, row: &Row, element: Element) -> Vec<(&'static str, Template)> {
    let array = match row.kind {
        Kind::Array(id) => Some(&doc.layout[id]),
        _ => None,
    };
    let is_filtered = array.is_some_and(|array| array.filter.is_some());
    let plain = match (element, is_filtered) {
        (Element::Primitive(primitive, own), false) => Some((primitive, own.unwrap_or(doc.order))),
        _ => None,
    };
    let mut all = vec![("dudc", command(doc))];
    if row.presented || array.is_some_and(|array| is_presented(doc.layout, array)) {
        // Where each element is, the engine knows.
        let numbers = plain.map(|(primitive, _)| primitive).filter(|it| !it.is_text());
        all.push(("Rust", rust::dynamic(doc, row, numbers)));
        return all;
    }
    if !is_filtered && row.place.address.is_some() {
        all.extend(python::python(doc, row, element).map(|template| ("Python", template)));
    }
    if let Some((primitive, order)) = plain.filter(|_| row.strides.is_empty())
        && row.place.address.is_some()
        && row.count.is_some()
    {
        all.push(("C", c::c(doc, primitive, order)));
        all.extend(
            fortran::fortran(doc, row, primitive, order).map(|template| ("Fortran", template)),
        );
    }
    all.push(("Rust", rust::dynamic(doc, row, plain.map(|(primitive, _)| primitive))));
    let primitive = match element {
        Element::Primitive(primitive, _) => Some(primitive),
        Element::Record(_) => None,
    };
    all.extend(rust::typed(doc, row, primitive).map(|template| ("Rust, typed", template)));
    all
}

/// Whether an array, or a field of its structs, is not stored row by row (spec 7.7).
fn is_presented(layout: &Layout, array: &Array) -> bool {
    let of_member = |step: &Step| match *step {
        Step::Array(member) => is_presented(layout, &layout[member]),
        _ => false,
    };
    array.presented
        || matches!(array.element, Element::Record(id) if layout.run(layout[id].members).iter().any(of_member))
}

/// What `dudc` is reported: where the layout is, unless it knows.
fn command(doc: &Doc<'_>) -> Template {
    let (file, layout) = (quoted::word(&doc.stream), quoted::word(&doc.file));
    let big = doc.order == ByteOrder::Big;
    let raw = if doc.raw { "--raw " } else { "" };
    Template::of(include_str!("../assets/snippets/get.sh"), &|hole| match (hole, doc.origin) {
        ("file", _) => text(file.clone()),
        ("make", Origin::Described) => text(format!("dudc describe {file} > {layout}\n")),
        ("order" | "layout_option", Origin::Foreign) => Vec::new(),
        ("order", _) if doc.raw && big && doc.layout.order().is_none() => text("--order big "),
        ("layout_option", Origin::Attached) if !doc.raw => Vec::new(),
        ("layout_option", _) => text(format!("{raw}--layout {layout} ")),
        (hole, _) => general(hole),
    })
}

/// The command that makes a module of Python for all items: also for those that no few lines read.
pub(crate) fn module(doc: &Doc<'_>) -> String {
    let (file, layout) = (quoted::word(&doc.stream), quoted::word(&doc.file));
    visible(&match doc.origin {
        Origin::File => format!("dudc gen numpy {layout}"),
        Origin::Attached => format!("dudc detach {file} | dudc gen numpy -"),
        Origin::Foreign | Origin::Described => format!("dudc describe {file} | dudc gen numpy -"),
    })
}

/// What goes into a hole whatever the language is.
fn general(hole: &str) -> Vec<Part> {
    match hole {
        "name" => vec![Part::Hole(Hole::Name)],
        "address" => vec![Part::Hole(Hole::Address)],
        "bytes" => vec![Part::Hole(Hole::Bytes)],
        "count" => vec![Part::Hole(Hole::Count)],
        "shape_tuple" => vec![Part::Hole(Hole::Shape)],
        "extents" => vec![Part::Hole(Hole::Extents)],
        "colons" => vec![Part::Hole(Hole::Colons)],
        "strides" => vec![Part::Hole(Hole::Strides)],
        "path_shell" => vec![Part::Hole(Hole::PathShell)],
        "methods" => vec![Part::Hole(Hole::Methods)],
        "path_rust" => vec![Part::Hole(Hole::PathRust)],
        _ => Vec::new(),
    }
}
