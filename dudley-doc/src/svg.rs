//! The memory of a layout as a drawing of its own: what lies where, to scale, and what is padding.

use std::collections::HashMap;

use dudley_parser::formula::plan::Node;
use dudley_parser::layout::Element;
use dudley_parser::layout::dtype::Kind as Numbers;
use dudley_parser::layout::path::split;

use crate::escape::html;
use crate::graph::short;
use crate::model::{Doc, Kind, Row};
use crate::page::{grouped, shown_path};

/// Pixels of the strip.
const WIDTH: f64 = 920.0;
const LEFT: f64 = 20.0;

/// Items named below the strip; the others are counted.
const NAMED: usize = 60;

/// A stretch of the memory.
#[derive(Debug)]
struct Stretch {
    start: i64,
    end: i64,
    /// The row that it is of; none of records.
    row: Option<usize>,
    label: String,
    colour: &'static str,
    note: String,
}

/// The drawing, with the params as they are first.
pub(crate) fn map(doc: &Doc<'_>, logarithmic: bool) -> String {
    let stretches = with_gaps(doc, stretches(doc));
    let from = if doc.raw { 0 } else { 16 };
    let shown: Vec<(f64, f64)> = scaled(&stretches, logarithmic);
    let lines = stretches.len().min(NAMED);
    let more = usize::from(stretches.len() > NAMED);
    let height = 118 + 22 * (lines + more);
    let scale = if logarithmic { "logarithmic" } else { "to scale" };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 960 {height}\" width=\"960\" \
         height=\"{height}\" font-family=\"system-ui, sans-serif\" font-size=\"13\">\n\
         <title>{title}: memory map</title>\n\
         <style>text{{fill:#1c2430}} .q{{fill:#667085}} rect.box{{stroke:#fff;stroke-width:.6}} \
         @media (prefers-color-scheme:dark){{text{{fill:#e6e9ef}} .q{{fill:#98a2b3}} \
         rect.box{{stroke:#12161d}}}}</style>\n\
         <defs><pattern id=\"gap\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\" \
         patternTransform=\"rotate(45)\"><rect width=\"6\" height=\"6\" fill=\"#98a2b3\" fill-opacity=\".25\"/>\
         <rect width=\"2\" height=\"6\" fill=\"#d9534f\"/></pattern></defs>\n\
         <text x=\"{LEFT}\" y=\"26\" font-size=\"16\" font-weight=\"600\">{title}</text>\n\
         <text x=\"{LEFT}\" y=\"44\" class=\"q\">bytes {from} to {end}, {scale}{params}</text>\n",
        title = html(&doc.title),
        end = stretches.last().map_or(from, |last| last.end),
        params = html(&given(doc)),
    );
    for (one, (x, width)) in stretches.iter().zip(&shown) {
        svg += &format!(
            "<rect class=\"box\" x=\"{:.2}\" y=\"56\" width=\"{:.2}\" height=\"40\" fill=\"{}\">\
             <title>{}</title></rect>\n",
            LEFT + x,
            width.max(0.5),
            one.colour,
            html(&format!("{} {}–{}", one.label, one.start, one.end))
        );
    }
    for (at, one) in stretches.iter().take(NAMED).enumerate() {
        let y = 124 + 22 * at;
        svg += &format!(
            "<rect x=\"{LEFT}\" y=\"{}\" width=\"12\" height=\"12\" rx=\"2\" fill=\"{}\"/>\
             <text x=\"40\" y=\"{y}\">{}</text>\
             <text x=\"520\" y=\"{y}\" text-anchor=\"end\" class=\"q\">{}</text>\
             <text x=\"640\" y=\"{y}\" text-anchor=\"end\">{}</text>\
             <text x=\"660\" y=\"{y}\" class=\"q\">{}</text>\n",
            y - 11,
            one.colour,
            html(&short(&one.label, 44)),
            grouped(one.start),
            grouped(one.end - one.start),
            html(&short(&one.note, 44))
        );
    }
    if more > 0 {
        let y = 124 + 22 * NAMED;
        svg += &format!(
            "<text x=\"40\" y=\"{y}\" class=\"q\">and {} more</text>\n",
            stretches.len() - NAMED
        );
    }
    svg + "</svg>\n"
}

/// The values of the params that the drawing is for.
fn given(doc: &Doc<'_>) -> String {
    const SHOWN: usize = 8;
    let used = doc.inputs.iter().filter(|input| !input.used_by.is_empty()).take(SHOWN);
    used.map(|input| format!(", {} = {}", input.label, input.value)).collect()
}

/// Where each stretch begins, and how wide it is.
fn scaled(stretches: &[Stretch], logarithmic: bool) -> Vec<(f64, f64)> {
    let weight = |one: &Stretch| {
        let bytes = (one.end - one.start).max(0) as f64;
        if logarithmic { (1.0 + bytes).log2() } else { bytes }
    };
    let total: f64 = stretches.iter().map(weight).sum();
    let mut x = 0.0;
    stretches
        .iter()
        .map(|one| {
            let width = if total > 0.0 { weight(one) / total * WIDTH } else { 0.0 };
            x += width;
            (x - width, width)
        })
        .collect()
}

/// What lies where; a list is one stretch.
fn stretches(doc: &Doc<'_>) -> Vec<Stretch> {
    let last = last_repetition(doc);
    let mut found: Vec<Stretch> = Vec::new();
    // Lists and records, which several rows belong to.
    let mut joined: HashMap<String, usize> = HashMap::new();
    let mut list = None;
    for (number, row) in doc.rows.iter().enumerate() {
        if row.kind == Kind::List && row.repetitions.is_empty() {
            list = Some((number, row));
        }
        let at = |values: &[Option<i64>], node: Option<Node>| {
            values.get(node?.index()).copied().flatten()
        };
        // Members of a record lie between those of its other instances.
        let place = row.record.unwrap_or(row.place);
        let (Some(start), Some(bytes)) = (doc.value(place.address), doc.value(place.bytes)) else {
            continue;
        };
        if bytes <= 0 {
            continue;
        }
        let within = list.filter(|(_, list)| is_below(&row.path, &list.path));
        let (of, label, colour) = match within {
            Some((at, list)) => (Some(at), list.path.clone(), "#3a8f8f"),
            None if row.record.is_some() => (None, records(&row.path), "#8b6fc0"),
            None => (Some(number), shown_path(row), colour(doc, row)),
        };
        let end = match within {
            Some(_) => at(&last, place.address).unwrap_or(start).saturating_add(bytes),
            None => start.saturating_add(bytes),
        };
        if within.is_some() || row.record.is_some() {
            if let Some(&at) = joined.get(&label) {
                let one = &mut found[at];
                (one.start, one.end) = (one.start.min(start), one.end.max(end));
                continue;
            }
            joined.insert(label.clone(), found.len());
        }
        let note = within.map_or(String::new(), |(_, list)| {
            format!("{} items", doc.value(list.count).unwrap_or(0))
        });
        found.push(Stretch { start, end, row: of, label, colour, note });
    }
    found.sort_by_key(|one| (one.start, one.end));
    found
}

/// What the records of a dict are called whose members stand for its items.
fn records(path: &str) -> String {
    format!("{}/ (records)", split(path).0)
}

fn is_below(path: &str, list: &str) -> bool {
    path.strip_prefix(list).is_some_and(|rest| rest.starts_with('/'))
}

/// What all operations come to in the last repetition of each list.
fn last_repetition(doc: &Doc<'_>) -> Vec<Option<i64>> {
    let deepest = doc.rows.iter().map(|row| row.repetitions.len()).max().unwrap_or(0);
    let mut index = vec![0; deepest];
    for row in &doc.rows {
        for (at, count) in row.repetitions.iter().enumerate() {
            let count = doc.value(*count).and_then(|count| u64::try_from(count).ok());
            index[at] = index[at].max(count.unwrap_or(1).saturating_sub(1));
        }
    }
    let params = doc.inputs.iter().map(|input| (input.param, i128::from(input.value)));
    let params: HashMap<_, _> = params.collect();
    doc.plan.evaluate(&|id| params.get(&id).copied(), &index)
}

/// Padding and gaps between, and what caused them.
fn with_gaps(doc: &Doc<'_>, stretches: Vec<Stretch>) -> Vec<Stretch> {
    let mut all: Vec<Stretch> = Vec::new();
    let mut here = if doc.raw { 0 } else { 16 };
    for one in stretches {
        if one.start > here {
            let note = match one.row.map(|row| &doc.rows[row]) {
                Some(row) if row.explicit => format!("{} says its address", one.label),
                Some(row) => format!("{} is aligned to {}", one.label, row.align),
                None => format!("before {}", one.label),
            };
            let label = "padding".to_owned();
            let (start, end) = (here, one.start);
            all.push(Stretch { start, end, row: None, label, colour: "url(#gap)", note });
        }
        here = here.max(one.end);
        all.push(one);
    }
    all
}

/// A colour for each kind of numbers; the pages have the same.
fn colour(doc: &Doc<'_>, row: &Row) -> &'static str {
    let Kind::Array(id) = row.kind else { return "#8a94a6" };
    match doc.layout[id].element {
        Element::Record(_) => "#8b6fc0",
        Element::Primitive(primitive, _) => match primitive.kind() {
            Numbers::Float => "#3f7fd0",
            Numbers::Complex => "#2f9bd0",
            Numbers::Signed | Numbers::Unsigned | Numbers::Pointer => "#4a9c5d",
            Numbers::Bool => "#a0a83a",
            Numbers::Text => "#d08a3f",
        },
    }
}
