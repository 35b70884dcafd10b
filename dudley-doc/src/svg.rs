//! The memory of a layout as a drawing of its own: what lies where, to scale, and what is padding.

use std::collections::HashMap;

use dudley_parser::formula::plan::Node;
use dudley_parser::layout::dtype::Kind as Numbers;
use dudley_parser::layout::path::split;
use dudley_parser::layout::{Element, ParamId};

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
    let from = begin(doc);
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

/// What lies where; a list is one stretch. What is beside are the addresses from which on lies something whose place or
/// size is not known, with what that is.
fn stretches(doc: &Doc<'_>) -> (Vec<Stretch>, Vec<(i64, String)>) {
    let mut later = Later::new(doc);
    let (mut found, mut unknown): (Vec<Stretch>, Vec<(i64, String)>) = (Vec::new(), Vec::new());
    // Lists and records, which several rows belong to.
    let mut joined: HashMap<String, usize> = HashMap::new();
    let mut list = None;
    let mut here = begin(doc);
    for (number, row) in doc.rows.iter().enumerate() {
        if row.kind == Kind::List && row.repetitions.is_empty() {
            list = Some((number, row));
        }
        // Members of a record lie between those of its other instances.
        let place = row.record.unwrap_or(row.place);
        let known = (doc.value(place.address), doc.value(place.bytes));
        if doc.repeats(row) == Some(0) {
            continue;
        }
        let (Some(start), Some(bytes)) = known else {
            if row.is_data() {
                here = known.0.unwrap_or(here);
                unknown.push((here, shown_path(row)));
            }
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
        let last = within.and_then(|_| later.last(row, place.address));
        if within.is_some() && last.is_none() {
            unknown.push((start, shown_path(row)));
        }
        let end = last.unwrap_or(start).saturating_add(bytes);
        here = end;
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
    unknown.sort();
    (found, unknown)
}

/// Where the data of a stream begin.
fn begin(doc: &Doc<'_>) -> i64 {
    if doc.raw { 0 } else { 16 }
}

/// What the records of a dict are called whose members stand for its items.
fn records(path: &str) -> String {
    format!("{}/ (records)", split(path).0)
}

fn is_below(path: &str, list: &str) -> bool {
    path.strip_prefix(list).is_some_and(|rest| rest.starts_with('/'))
}

/// What operations come to in later repetitions.
struct Later<'d> {
    doc: &'d Doc<'d>,
    params: HashMap<ParamId, i128>,
    deepest: usize,
    /// By the numbers of repetitions.
    found: HashMap<Vec<u64>, Vec<Option<i64>>>,
}

impl<'d> Later<'d> {
    /// Lists of this many lengths are kept at the same time.
    const KEPT: usize = 16;

    fn new(doc: &'d Doc<'d>) -> Later<'d> {
        let params = doc.inputs.iter().map(|input| (input.param, i128::from(input.value)));
        let deepest = doc.rows.iter().map(|row| row.repetitions.len()).max().unwrap_or(0);
        Later { doc, params: params.collect(), deepest, found: HashMap::new() }
    }

    /// In the last repetition of the lists that a row is in.
    fn last(&mut self, row: &Row, node: Option<Node>) -> Option<i64> {
        let mut index = vec![0; self.deepest];
        for (at, count) in row.repetitions.iter().enumerate() {
            index[at] = u64::try_from(self.doc.value(*count)?).ok()?.saturating_sub(1);
        }
        if self.found.len() >= Self::KEPT && !self.found.contains_key(&index) {
            self.found.clear();
        }
        let (doc, params) = (self.doc, &self.params);
        let values = self.found.entry(index);
        let values = values
            .or_insert_with_key(|index| doc.plan.evaluate(&|id| params.get(&id).copied(), index));
        values.get(node?.index()).copied().flatten()
    }
}

/// Padding and gaps between, and what caused them, or what may lie there.
fn with_gaps(
    doc: &Doc<'_>,
    (stretches, unknown): (Vec<Stretch>, Vec<(i64, String)>),
) -> Vec<Stretch> {
    let mut all: Vec<Stretch> = Vec::new();
    let mut here = begin(doc);
    for one in stretches {
        if one.start > here {
            let (start, end) = (here, one.start);
            let from = unknown.partition_point(|(at, _)| *at < start);
            let to = unknown.partition_point(|(at, _)| *at < end);
            let within = &unknown[from..to];
            let note = match (within, one.row.map(|row| &doc.rows[row])) {
                ([_, _, ..], _) => format!("and {} more may lie there", within.len() - 1),
                ([_], _) => "may lie there".to_owned(),
                (_, Some(row)) if row.explicit => format!("{} says its address", one.label),
                (_, Some(row)) => format!("{} is aligned to {}", one.label, row.align),
                (_, None) => format!("before {}", one.label),
            };
            let (label, colour) = match within.first() {
                Some((_, path)) => (path.clone(), "#dde1e8"),
                None => ("padding".to_owned(), "url(#gap)"),
            };
            all.push(Stretch { start, end, row: None, label, colour, note });
        }
        here = here.max(one.end);
        all.push(one);
    }
    all
}

/// A colour for each kind of numbers; the pages have the same.
fn colour(doc: &Doc<'_>, row: &Row) -> &'static str {
    match doc.element(row) {
        None => "#8a94a6",
        Some(Element::Record(_)) => "#8b6fc0",
        Some(Element::Primitive(primitive, _)) => match primitive.kind() {
            Numbers::Float => "#3f7fd0",
            Numbers::Complex => "#2f9bd0",
            Numbers::Signed | Numbers::Unsigned | Numbers::Pointer => "#4a9c5d",
            Numbers::Bool => "#a0a83a",
            Numbers::Text => "#d08a3f",
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Source;

    fn drawn(text: &str) -> Vec<(String, i64, i64)> {
        let layout = dudley_parser::check(text.as_bytes()).layout.expect("a layout");
        let doc = Source::new("x.dud", &layout).doc();
        let all = with_gaps(&doc, stretches(&doc));
        all.into_iter().map(|one| (one.label, one.start, one.end)).collect()
    }

    fn found(all: &[(&str, i64, i64)]) -> Vec<(String, i64, i64)> {
        all.iter().map(|(label, start, end)| ((*label).to_owned(), *start, *end)).collect()
    }

    #[test]
    fn each_list_ends_with_its_own_last_item() {
        let text = "a [ / x = f8 ]*2\nb [ / x = f8 ]*5\nq [ [f8]*2, i1[3]]*2\nc = f8\n";
        let expected = [
            ("/a", 16, 32),
            ("/b", 32, 72),
            ("/q", 72, 115),
            ("padding", 115, 120),
            ("/c", 120, 128),
        ];
        assert_eq!(drawn(text), found(&expected));
    }

    #[test]
    fn what_has_no_size_before_it_is_read_is_no_padding() {
        let text = "s {L : i4  v = f8[L]}\na = i1[4]\nv = s[3]\nb = i1[4] @1000\n";
        let expected = [("/a", 16, 20), ("/v", 20, 1000), ("/b", 1000, 1004)];
        assert_eq!(drawn(text), found(&expected));
    }
}
