//! A layout as a Markdown text: tables with formulas and what they come to, the text itself.

use dudley_parser::comments::Attribute;
use dudley_parser::formula::LEGEND;
use dudley_parser::formula::plan::Node;
use dudley_parser::layout::DocKey;

use crate::escape::{markdown, markdown_code, markdown_line};
use crate::model::{Doc, Kind, attribute};
use crate::page::shown_path;

/// The text.
pub(crate) fn page(doc: &mut Doc<'_>) -> String {
    let mut page = format!("# {}\n\n", markdown(&doc.title));
    for line in doc.layout.doc(DocKey::LAYOUT) {
        page += &format!("{}\n", markdown_line(line));
    }
    let attributes = doc.layout.attributes(DocKey::LAYOUT).iter();
    let attributes: Vec<String> = attributes.map(|one| format!("- {}\n", badge(one))).collect();
    if !attributes.is_empty() {
        page += &format!("\n{}", attributes.concat());
    }
    let facts = facts(doc);
    page += &format!("\n{facts}\n\n## Items\n\n");
    page += "| path | type | align | address | bytes | unit | what it is |\n";
    page += "|---|---|---:|---:|---:|---|---|\n";
    for at in 0..doc.rows.len() {
        push_row(doc, at, &mut page);
    }
    for at in 0..doc.types.len() {
        push_type(doc, at, &mut page);
    }
    page += "\n## Source\n\n";
    let text = doc.layout.text();
    let fence = "`".repeat(longest_run(text).max(2) + 1);
    let source: Vec<String> = text.lines().map(crate::escape::visible).collect();
    page + &format!("{fence}text\n{}\n{fence}\n", source.join("\n"))
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

fn facts(doc: &mut Doc<'_>) -> String {
    let start = if doc.raw { 0 } else { 16 };
    let end = match doc.end {
        // An item without bytes lies nowhere.
        Some(end) if doc.plan.as_number(end).is_some_and(|end| end <= start) => {
            "there are no data".to_owned()
        }
        Some(end) => format!("the data end at {}", formula(doc, Some(end))),
        None => "only a stream tells where the data end".to_owned(),
    };
    let assumed = if doc.inputs.iter().any(|input| input.example) {
        ", of which some are assumed"
    } else {
        ""
    };
    let lists = if doc.rows.iter().any(|row| !row.repetitions.is_empty()) {
        " For items of lists those are numbers of the first repetition."
    } else {
        ""
    };
    let numbers = match (doc.inputs.is_empty(), lists) {
        (true, "") => String::new(),
        (true, _) => format!(" Behind formulas stands what they come to.{lists}"),
        (false, _) => format!(
            " Behind formulas stands what they come to with the params as they are below{assumed}.{lists}"
        ),
    };
    let legend = if doc.inputs.is_empty() {
        String::new()
    } else {
        format!(" In formulas, {}", LEGEND.replace('\n', " "))
    };
    format!("Addresses begin at {start}; {end}.{numbers}{legend}")
}

/// A formula and what it comes to with the params as they are first.
fn formula(doc: &mut Doc<'_>, node: Option<Node>) -> String {
    formula_in(doc, node, true)
}

/// The same, where what it says may be `there` or not.
fn formula_in(doc: &mut Doc<'_>, node: Option<Node>, there: bool) -> String {
    let Some(node) = node else { return "?".to_owned() };
    let text = doc.plan.text(node).map(|text| markdown_code(&text));
    let value = doc.value(Some(node)).filter(|_| there);
    let value = match value {
        Some(value) => value.to_string(),
        None if there => doc.no_value(node).to_owned(),
        None => "—".to_owned(),
    };
    match text {
        Some(text) if doc.plan.as_number(node).is_some() => text,
        // Whatever the params are, if they are legal.
        Some(text) if text.trim_matches('`') == value => text,
        Some(text) => format!("{text} = {value}"),
        None => value,
    }
}

fn words(doc: &Doc<'_>, key: DocKey) -> String {
    let words: Vec<&str> = doc.layout.doc_without_unit(key).collect();
    let mut shown = markdown(&words.join(" "));
    for one in doc.layout.attributes(key) {
        let gap = if shown.is_empty() { "" } else { " " };
        shown += &format!("{gap}{}", badge(one));
    }
    shown
}

fn badge(one: &Attribute) -> String {
    let value = attribute(&one.value).map_or(String::new(), |value| format!(" = {value}"));
    markdown_code(&format!("{}{value}", one.name))
}

fn push_row(doc: &mut Doc<'_>, at: usize, page: &mut String) {
    let (kind, place, key) = (doc.rows[at].kind, doc.rows[at].place, doc.rows[at].key);
    if doc.rows[at].path == "/" {
        return;
    }
    let there = !doc.is_beyond(&doc.rows[at]);
    let (address, bytes) = match kind {
        Kind::Dict | Kind::List => (String::new(), String::new()),
        Kind::Param(id) if !doc.layout[id].is_streamed() => (String::new(), String::new()),
        _ => (formula_in(doc, place.address, there), formula_in(doc, place.bytes, there)),
    };
    let items = doc.rows[at].count.filter(|_| kind == Kind::List);
    let items = items.map(|count| formula_in(doc, Some(count), there));
    let row = &doc.rows[at];
    let mut dtype = markdown_code(&doc.row_dtype(row));
    let dims = doc.dims(&row.dims, &row.views);
    if !dims.is_empty() {
        dtype = markdown_code(&format!("{}[{}]", doc.row_dtype(row), dims.join(", ")));
    }
    if let Some(stored) = doc.stored(&row.dims, &row.views) {
        dtype += &format!(", {stored}");
    }
    if let Some(items) = items {
        let s = if items == "`1`" { "" } else { "s" };
        let (of, item) = if row.whole.is_some() { ("in", "block") } else { ("of", "item") };
        dtype += &format!(" {of} {items} {item}{s}");
    }
    if let Kind::Array(id) = kind
        && let Some(filter) = doc.filter(id)
    {
        dtype += &stored_by(&filter);
    }
    if let Some(input) = doc.input_of(row).map(|input| &doc.inputs[input]) {
        let assumed = if input.example { " *(assumed)*" } else { "" };
        dtype += &format!(" = {}{assumed}", input.value);
    }
    let align = match (row.explicit, row.align) {
        (true, _) => "@".to_owned(),
        (false, 1) => String::new(),
        (false, align) => align.to_string(),
    };
    let unit = markdown(doc.layout.unit(key).unwrap_or_default());
    *page += &format!(
        "| {} | {dtype} | {align} | {address} | {bytes} | {unit} | {} |\n",
        markdown_code(&shown_path(row)),
        words(doc, key)
    );
}

fn stored_by(filter: &str) -> String {
    format!(" → {}", markdown_code(filter))
}

fn push_type(doc: &mut Doc<'_>, at: usize, page: &mut String) {
    let size = formula(doc, doc.types[at].bytes);
    let name = markdown_code(&doc.types[at].name);
    let size = match size.as_str() {
        "?" => "Instances differ in size.".to_owned(),
        "`1`" => "`1` byte.".to_owned(),
        size => format!("{size} bytes."),
    };
    *page += &format!("\n## Struct {name}\n\n{size}\n\n");
    *page +=
        "| member | type | offset | bytes | unit | what it is |\n|---|---|---:|---:|---|---|\n";
    for member in 0..doc.types[at].members.len() {
        let place = doc.types[at].members[member].place;
        let (offset, bytes) = (formula(doc, place.address), formula(doc, place.bytes));
        let field = &doc.types[at].members[member];
        let dims = doc.dims(&field.dims, &field.views);
        let shape = if dims.is_empty() { String::new() } else { format!("[{}]", dims.join(", ")) };
        let unit = markdown(doc.layout.unit(field.key).unwrap_or_default());
        let mark = if field.is_param { ":" } else { "" };
        let mut filter = field.filter.as_deref().map(stored_by).unwrap_or_default();
        if let Some(stored) = doc.stored(&field.dims, &field.views) {
            filter.insert_str(0, &format!(", {stored}"));
        }
        *page += &format!(
            "| {} | {}{filter} | {offset} | {bytes} | {unit} | {} |\n",
            markdown_code(&format!("{mark}{}", field.name)),
            markdown_code(&format!("{}{shape}", field.dtype)),
            words(doc, field.key)
        );
    }
}
