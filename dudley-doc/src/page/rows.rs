//! The table of items: a row for each thing that is declared.

use std::ops::Range;

use dudley_parser::layout::path::split;

use crate::escape::{html, lines};
use crate::model::{Kind, Row};
use crate::page::{Pages, attributes, shown_path};

/// The table of some rows, as a section.
pub(crate) fn section(pages: &mut Pages<'_, '_>, range: Range<usize>, name: &str) -> String {
    let line_index = dudley_parser::span::LineIndex::new(pages.doc.layout.text());
    let mut page = format!(
        "<section id=\"items\"><h2>{}</h2><div class=\"wide\"><table class=\"items\"><thead><tr>\
         <th>path<th>type<th class=\"num\">align<th class=\"num\">address<th class=\"num\">bytes\
         <th>unit<th>what it is</tr></thead><tbody>\n",
        html(name)
    );
    for at in range {
        let line = line_index.line_column(pages.doc.rows[at].span.start).line;
        push_row(pages, at, line, &mut page);
    }
    page + "</tbody></table></div></section>\n"
}

fn push_row(pages: &mut Pages<'_, '_>, at: usize, line: usize, page: &mut String) {
    let (kind, place) = (pages.doc.rows[at].kind, pages.doc.rows[at].place);
    let (address, bytes) = match kind {
        Kind::Dict | Kind::List => (String::new(), String::new()),
        Kind::Param(id) if !pages.doc.layout[id].is_streamed() => (String::new(), String::new()),
        _ => (pages.formula(place.address), pages.formula(place.bytes)),
    };
    let doc = &*pages.doc;
    let row = &doc.rows[at];
    if row.path == "/" {
        return;
    }
    let class = match kind {
        Kind::Dict => "dict",
        Kind::List => "list",
        Kind::Param(_) if doc.counting.contains(&at) => "param counts",
        Kind::Param(_) => "param",
        Kind::Column(_) | Kind::Array(_) => "array",
    };
    let align = match (row.explicit, row.align) {
        (true, _) => "@".to_owned(),
        (false, 1) => String::new(),
        (false, align) => align.to_string(),
    };
    let unit = doc.layout.unit(row.key).unwrap_or_default();
    *page += &format!(
        "<tr id=\"{anchor}\" class=\"{class}\" data-row=\"{at}\"><td class=\"path\">{path}\
         <a class=\"line\" href=\"{line_link}\" title=\"line {line} of the source\">{line}</a>\
         <td class=\"type\">{ty}<td class=\"num\" data-label=\"align\">{align}\
         <td class=\"num\" data-label=\"address\">{address}\
         <td class=\"num\" data-label=\"bytes\">{bytes}<td class=\"unit\">{unit}\
         <td class=\"doc\">{words}{attributes}</tr>\n",
        anchor = html(&row.anchor),
        path = path(row) + &counted(pages, at),
        line_link = html(&pages.line_link(line)),
        ty = type_cell(pages, row),
        unit = html(unit),
        words = words(pages, row),
        attributes = attributes::badges(doc, row.key),
    );
}

/// The path, its last name in bold, as a link to itself.
fn path(row: &Row) -> String {
    let shown = shown_path(row);
    let (before, name) = shown.split_at(shown.len() - split(&shown).1.len());
    format!(
        "<a href=\"#{}\"><bdi>{}<b>{}</b></bdi></a>",
        html(&row.anchor),
        html(before),
        html(name)
    )
}

/// A button that shows the params which only count an item; their rows are hidden before.
fn counted(pages: &Pages<'_, '_>, at: usize) -> String {
    let doc = &*pages.doc;
    let Some(counts) = doc.counts.get(&at) else { return String::new() };
    let name = |row: &usize| html(split(&shown_path(&doc.rows[*row])).1.trim_start_matches(':'));
    let names: Vec<String> = counts.iter().map(name).collect();
    let rows: Vec<String> = counts.iter().map(usize::to_string).collect();
    format!(
        "<button type=\"button\" class=\"counted\" hidden aria-expanded=\"false\" data-rows=\"{}\" \
         title=\"Params of which it alone depends\">{}</button>",
        rows.join(" "),
        names.join(", ")
    )
}

/// Type, dimensions as declared and as numbers, filter.
fn type_cell(pages: &Pages<'_, '_>, row: &Row) -> String {
    let doc = &*pages.doc;
    let name = html(&doc.row_dtype(row));
    let mut cell = match doc.row_type(row) {
        Some(ty) => format!("<a class=\"t\" href=\"{}\">{name}</a>", html(&pages.type_link(ty))),
        None => format!("<span class=\"t\">{name}</span>"),
    };
    if let Some(input) = doc.input_of(row) {
        let value = doc.inputs[input].value;
        cell += &format!(
            " = <a class=\"v\" href=\"{}\" data-p=\"{input}\">{value}</a>",
            html(&pages.param_link(input))
        );
    }
    if !row.dims.is_empty() {
        let dims = doc.dims(&row.dims, &row.views);
        let shape = if dims.is_empty() { String::new() } else { format!("[{}]", dims.join(", ")) };
        cell += &format!("<span class=\"s\">{}</span>", html(&shape));
        if let Some(stored) = doc.stored(&row.dims, &row.views) {
            cell += &format!("<span class=\"f\">{}</span>", html(&stored));
        }
        let fixed = |node| doc.plan.as_number(node).is_some();
        if !row.dims.iter().all(|dim| dim.node.is_some_and(fixed)) {
            let values: Vec<String> = row.dims.iter().map(|dim| pages.number(dim.node)).collect();
            cell += &format!("<span class=\"f\">{}</span>", values.join(" × "));
        }
    }
    if row.kind == Kind::List {
        let (of, items) = if row.whole.is_some() { ("in", "blocks") } else { ("of", "items") };
        cell += &format!(" <span class=\"s\">{of} {} {items}</span>", pages.number(row.count));
    }
    if let Kind::Array(id) = row.kind
        && let Some(filter) = doc.filter(id)
    {
        cell += &format!("<span class=\"f\">→ {}</span>", html(&filter));
    }
    cell
}

/// Documentation without the unit at its start, which has a column.
fn words(pages: &Pages<'_, '_>, row: &Row) -> String {
    lines(pages.doc.layout.doc_without_unit(row.key))
}
