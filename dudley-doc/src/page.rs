//! Pages for a browser: which there are, and what stands in each.

mod attributes;
mod params;
mod rows;
pub(crate) mod types;

use std::collections::{HashMap, HashSet};

use dudley_parser::formula::plan::Node;
use dudley_parser::layout::DocKey;
use dudley_parser::layout::path::{names, of_param};

use crate::data;
use crate::escape::{html, lines, script, visible};
use crate::model::{Doc, Kind};
use crate::{File, source};

const STYLE: &str = include_str!("../assets/style.css");
const TEMPLATE: &str = include_str!("../assets/page.html");
const SCRIPTS: [&str; 10] = [
    include_str!("../assets/evaluate.js"),
    include_str!("../assets/map.js"),
    include_str!("../assets/search.js"),
    include_str!("../assets/worker.js"),
    include_str!("../assets/hex.js"),
    include_str!("../assets/file.js"),
    include_str!("../assets/plot.js"),
    include_str!("../assets/problem.js"),
    include_str!("../assets/programs.js"),
    include_str!("../assets/page.js"),
];

/// Files that the pages of a folder share, where there are several.
const SHARED_STYLE: &str = "pages.css";
const SHARED_SCRIPT: &str = "pages.js";

/// The file beside pages that reads streams which are dropped on them.
const READER: &str = "reader.js";

/// Layouts of more rows than this get several pages.
const SMALL: usize = 1000;

/// Rows of one of several pages.
const ROWS: usize = 400;

/// What an index says of a layout.
#[derive(Debug)]
pub(crate) struct Summary {
    title: String,
    words: String,
    items: usize,
    params: usize,
}

impl Summary {
    pub(crate) fn of(doc: &Doc<'_>) -> Summary {
        Summary {
            title: doc.title.clone(),
            words: doc.layout.doc(DocKey::LAYOUT).next().unwrap_or_default().to_owned(),
            items: doc.rows.iter().filter(|row| row.is_data()).count(),
            params: doc.inputs.len(),
        }
    }
}

/// A name of a file, made of another name: what any system takes, and not taken yet.
pub(crate) fn file_stem(name: &str, taken: &mut HashSet<String>) -> String {
    let kept = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '-' };
    let name: String = name.chars().take(60).map(kept).collect();
    let name = if name.is_empty() { "layout".to_owned() } else { name };
    let mut stem = name.clone();
    let mut count = 2;
    while !taken.insert(stem.to_ascii_lowercase()) {
        stem = format!("{name}-{count}");
        count += 1;
    }
    stem
}

/// What all pages of a layout need.
pub(crate) struct Pages<'d, 'a> {
    pub(crate) doc: &'d mut Doc<'a>,
    /// The file of each row; empty where all stand in one.
    files: Vec<String>,
    /// Style and script stand in files of their own.
    shared: bool,
    /// The file with the types and params, and that with the source; empty for this one.
    main: String,
    listing: String,
}

impl Pages<'_, '_> {
    /// Whether the layout has more than one.
    pub(crate) fn are_several(&self) -> bool {
        !self.files.is_empty()
    }

    /// Where a row stands.
    pub(crate) fn link(&self, row: usize) -> String {
        let file = self.files.get(row).map_or("", String::as_str);
        format!("{file}#{}", self.doc.rows[row].anchor)
    }

    pub(crate) fn type_link(&self, ty: usize) -> String {
        format!("{}#{}", self.main, self.doc.types[ty].anchor)
    }

    pub(crate) fn param_link(&self, input: usize) -> String {
        format!("{}#param:{}", self.main, crate::escape::anchor(&self.doc.inputs[input].label))
    }

    pub(crate) fn line_link(&self, line: usize) -> String {
        format!("{}#L{line}", self.listing)
    }

    /// A number that follows the params.
    pub(crate) fn number(&self, node: Option<Node>) -> String {
        let Some(node) = node else {
            return "<span class=\"unknown\" title=\"known with a stream only\">?</span>"
                .to_owned();
        };
        match self.doc.plan.as_number(node) {
            Some(value) => format!("<span data-v=\"{value}\">{}</span>", grouped(value)),
            None => {
                let value = match self.doc.value(Some(node)) {
                    Some(value) => grouped(value),
                    None => self.doc.no_value(node).to_owned(),
                };
                format!("<span data-n=\"{}\">{value}</span>", node.index())
            }
        }
    }

    /// The same with its formula, where that is no number.
    pub(crate) fn formula(&mut self, node: Option<Node>) -> String {
        let mut cell = self.number(node);
        if let Some(node) = node
            && self.doc.plan.as_number(node).is_none()
        {
            match self.doc.plan.text(node) {
                Some(text) => cell += &format!("<code class=\"f\">{}</code>", html(&text)),
                // Where it is known, that it takes nothing is all that there is to say.
                None if self.doc.plan.needs_stream(node) => {}
                None => cell += "<span class=\"f\">too long a formula</span>",
            }
        }
        cell
    }
}

/// A number with its digits in groups of three, by narrow blanks.
pub(crate) fn grouped(value: i64) -> String {
    let digits = value.unsigned_abs().to_string();
    let mut shown = if value < 0 { "−".to_owned() } else { String::new() };
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) && digits.len() > 4 {
            shown.push('\u{202f}');
        }
        shown.push(digit);
    }
    shown
}

/// All pages of a layout, and the file with what they have in common.
///
/// `taken` are the names of all pages of the site, as [`file_stem`] wants them.
pub(crate) fn pages(
    doc: &mut Doc<'_>,
    stem: &str,
    several: bool,
    taken: &mut HashSet<String>,
) -> Vec<File> {
    if doc.rows.len() <= SMALL {
        return vec![small(doc, stem, several)];
    }
    large(doc, stem, taken)
}

fn small(doc: &mut Doc<'_>, stem: &str, shared: bool) -> File {
    let data = data::data(doc, &[]).to_string();
    let (title, all) = (visible(&doc.title), 0..doc.rows.len());
    let (files, main, listing) = (Vec::new(), String::new(), String::new());
    let mut pages = Pages { doc, files, shared, main, listing };
    let sections = [
        map_section(),
        rows::section(&mut pages, all, "Items"),
        params::section(&pages),
        types::section(&mut pages),
        attributes::section(&pages),
        source_section(&pages),
    ];
    let contents = [
        ("map", "Map"),
        ("items", "Items"),
        ("params", "Params"),
        ("types", "Types"),
        ("conventions", "Conventions"),
        ("source", "Source"),
    ];
    let body = sections.concat();
    let contents: String = contents
        .iter()
        .filter(|(id, _)| body.contains(&format!("<section id=\"{id}\"")))
        .map(|(id, name)| format!("<li><a href=\"#{id}\">{name}</a></li>"))
        .collect();
    let data = format!("<script type=\"application/json\" id=\"data\">{}</script>", script(&data));
    let text = assembled(&pages, &title, &head(&pages), &contents, &body, &data);
    File { name: format!("{stem}.html"), text }
}

/// The rows of each page: those of one dict or list of the root together, if they are not too many.
fn groups(doc: &Doc<'_>) -> Vec<(String, std::ops::Range<usize>)> {
    let top = |path: &str| {
        let mut parts = names(path);
        let first = parts.next().unwrap_or_default().to_owned();
        parts.next().map(|_| first)
    };
    let mut groups: Vec<(String, std::ops::Range<usize>)> = Vec::new();
    for (at, row) in doc.rows.iter().enumerate() {
        let name = match (top(&row.path), row.kind) {
            (Some(name), _) => name,
            (None, Kind::Dict | Kind::List) => row.path.trim_start_matches('/').to_owned(),
            (None, _) => String::new(),
        };
        match groups.last_mut() {
            Some((last, range)) if *last == name && range.len() < ROWS => range.end = at + 1,
            _ => groups.push((name, at..at + 1)),
        }
    }
    // Groups that are small share a page.
    let mut merged: Vec<(String, std::ops::Range<usize>)> = Vec::new();
    for (name, range) in groups {
        match merged.last_mut() {
            Some((_, last)) if last.len() + range.len() <= ROWS / 2 => last.end = range.end,
            _ => merged.push((name, range)),
        }
    }
    merged
}

fn large(doc: &mut Doc<'_>, stem: &str, taken: &mut HashSet<String>) -> Vec<File> {
    let title = visible(&doc.title);
    let listing = format!("{}.html", file_stem(&format!("{stem}-source"), taken));
    let groups: Vec<(String, String, std::ops::Range<usize>)> = groups(doc)
        .into_iter()
        .map(|(name, range)| {
            let own = if name.is_empty() { "root" } else { &name };
            (file_stem(&format!("{stem}-{own}"), taken), name, range)
        })
        .collect();
    let mut files = vec![String::new(); doc.rows.len()];
    for (file, _, range) in &groups {
        files[range.clone()].fill(format!("{file}.html"));
    }
    let main = format!("{stem}.html");
    let data = data::data(doc, &files).to_string();
    let shared =
        File { name: format!("{stem}.js"), text: format!("window.DUDLEY = {};\n", script(&data)) };
    let load = format!("<script src=\"{}\"></script>", html(&shared.name));
    let (own, source) = (main.clone(), listing.clone());
    let mut pages = Pages { doc, files, shared: true, main: own, listing: source };
    let mut contents = format!("<li><a href=\"{}\">Overview</a></li>", html(&main));
    let mut table = String::from(
        "<section id=\"items\"><h2>Items</h2><div class=\"wide\"><table class=\"groups\"><thead><tr>\
         <th>page<th>from<th>to<th class=\"num\">rows</tr></thead><tbody>\n",
    );
    for (file, name, range) in &groups {
        let (first, last) = (&pages.doc.rows[range.start], &pages.doc.rows[range.end - 1]);
        let name = if name.is_empty() { "/".to_owned() } else { format!("/{name}") };
        table += &format!(
            "<tr><td><a href=\"{file}.html\"><bdi>{}</bdi></a><td><bdi>{}</bdi><td><bdi>{}</bdi><td class=\"num\">{}</tr>\n",
            html(&name),
            html(&first.path),
            html(&last.path),
            range.len()
        );
    }
    table += "</tbody></table></div></section>\n";
    let mut made = Vec::new();
    let body = [
        map_section(),
        table,
        params::section(&pages),
        types::section(&mut pages),
        attributes::section(&pages),
    ];
    contents += &format!("<li><a href=\"{}\">Source</a></li>", html(&listing));
    let text = assembled(&pages, &title, &head(&pages), &contents, &body.concat(), &load);
    made.push(File { name: main, text });
    for (at, (file, name, range)) in groups.iter().enumerate() {
        let name = if name.is_empty() { "/".to_owned() } else { format!("/{}", visible(name)) };
        let body = rows::section(&mut pages, range.clone(), &name);
        let body = body + &around(&groups, at);
        let text = assembled(&pages, &format!("{title}: {name}"), "", &contents, &body, &load);
        made.push(File { name: format!("{file}.html"), text });
    }
    let body = source_section(&pages);
    let text = assembled(&pages, &format!("{title}: source"), "", &contents, &body, &load);
    made.push(File { name: listing, text });
    made.push(shared);
    made
}

/// Links to the pages before and behind.
fn around(groups: &[(String, String, std::ops::Range<usize>)], at: usize) -> String {
    let link = |group: Option<&(String, String, _)>, rel: &str, arrow: &str| match group {
        Some((file, name, _)) => {
            format!("<a rel=\"{rel}\" href=\"{file}.html\">{arrow} <bdi>/{}</bdi></a>", html(name))
        }
        None => String::new(),
    };
    let before = at.checked_sub(1).and_then(|at| groups.get(at));
    format!(
        "<nav class=\"around\">{}{}</nav>",
        link(before, "prev", "←"),
        link(groups.get(at + 1), "next", "→")
    )
}

fn map_section() -> String {
    "<section id=\"map\"><h2>Memory map</h2><div id=\"memory\"></div></section>\n".to_owned()
}

fn source_section(pages: &Pages<'_, '_>) -> String {
    let doc = &*pages.doc;
    let mut links = HashMap::new();
    for (at, row) in doc.rows.iter().enumerate().rev() {
        if row.path != "/" {
            links.insert(row.span.start, pages.link(at));
        }
    }
    for (at, ty) in doc.types.iter().enumerate() {
        if let Some(id) = ty.ty {
            let start = doc.layout.types()[id.index()].span.start;
            links.entry(start).or_insert_with(|| pages.type_link(at));
        }
        for field in &ty.members {
            let link = format!("{}#{}", pages.main, types::field_anchor(ty, field));
            links.entry(field.span.start).or_insert(link);
        }
    }
    let listing = source::listing(doc.layout.text(), &links);
    format!(
        "<section id=\"source\"><h2>Source <small>{}</small></h2>{listing}</section>\n",
        html(&doc.file)
    )
}

/// What is said of the layout as a whole.
fn head(pages: &Pages<'_, '_>) -> String {
    let doc = &*pages.doc;
    let words = lines(doc.layout.doc(DocKey::LAYOUT));
    let attributes = attributes::badges(doc, DocKey::LAYOUT);
    let items = doc.rows.iter().filter(|row| row.is_data()).count();
    let order = match doc.layout.order() {
        Some(order) if order.symbol() == '>' => "big-endian",
        Some(_) => "little-endian",
        None if doc.raw => "byte order said by the reader",
        None => "byte order of the stream",
    };
    let kind = if doc.raw { "raw stream" } else { "native stream" };
    let end = match doc.end {
        Some(end) => format!("<li class=\"total\"><b>{}</b> bytes</li>", pages.number(Some(end))),
        None => "<li>of variable length</li>".to_owned(),
    };
    format!(
        "<div class=\"words\">{words}</div>{attributes}<ul class=\"facts\">{end}<li>{}</li>\
         <li>{}</li><li>{order}</li><li>{kind}</li></ul>\n",
        counted(items, "item"),
        counted(doc.inputs.len(), "param")
    )
}

fn counted(count: usize, of: &str) -> String {
    format!("{count} {of}{}", if count == 1 { "" } else { "s" })
}

fn assembled(
    pages: &Pages<'_, '_>,
    title: &str,
    head: &str,
    contents: &str,
    body: &str,
    data: &str,
) -> String {
    let inputs = params::inputs(pages);
    let title = html(title);
    let (style, script) = assets(pages.shared);
    fill(TEMPLATE, &|name| match name {
        "title" => &title,
        "style" => &style,
        "head" => head,
        "contents" => contents,
        "inputs" => &inputs,
        "body" => body,
        "data" => data,
        "script" => &script,
        _ => "",
    })
}

fn scripts() -> String {
    format!("\"use strict\";\n{}", SCRIPTS.join("\n"))
}

/// Style and script as they stand in a page: themselves, or links to the files with them.
fn assets(shared: bool) -> (String, String) {
    if shared {
        (
            format!("<link rel=\"stylesheet\" href=\"{SHARED_STYLE}\">"),
            format!("<script src=\"{SHARED_SCRIPT}\"></script>"),
        )
    } else {
        (format!("<style>\n{STYLE}</style>"), format!("<script>\n{}</script>", scripts()))
    }
}

/// The files that pages share.
pub(crate) fn shared() -> [File; 2] {
    [
        File { name: SHARED_STYLE.to_owned(), text: STYLE.to_owned() },
        File { name: SHARED_SCRIPT.to_owned(), text: scripts() },
    ]
}

/// What reads streams that are dropped on a page.
pub(crate) fn reader() -> File {
    File { name: READER.to_owned(), text: include_str!("../assets/reader.js").to_owned() }
}

/// A template in which `{{name}}` is replaced.
fn fill<'t>(template: &'t str, value: &dyn Fn(&str) -> &'t str) -> String {
    let mut page = String::new();
    for (at, piece) in template.split("{{").enumerate() {
        match (at, piece.split_once("}}")) {
            (1.., Some((name, rest))) => {
                page += value(name);
                page += rest;
            }
            _ => page += piece,
        }
    }
    page
}

/// The page that lists several layouts.
pub(crate) fn index(listed: &[(String, Summary)]) -> File {
    let mut body = String::from("<section id=\"layouts\"><h2>Layouts</h2><ul class=\"cards\">\n");
    for (stem, summary) in listed {
        body += &format!(
            "<li><a href=\"{}.html\"><b><bdi>{}</bdi></b><span>{}</span><small>{}, {}</small></a></li>\n",
            html(stem),
            html(&summary.title),
            html(&summary.words),
            counted(summary.items, "item"),
            counted(summary.params, "param")
        );
    }
    body += "</ul></section>\n";
    let (style, script) = assets(true);
    let text = fill(TEMPLATE, &|name| match name {
        "title" => "Layouts",
        "style" => &style,
        "body" => &body,
        "script" => &script,
        _ => "",
    });
    File { name: "index.html".to_owned(), text }
}

/// The name of a row as it is shown: of a param with its colon.
pub(crate) fn shown_path(row: &crate::model::Row) -> String {
    match row.kind {
        Kind::Param(_) => of_param(&row.path),
        _ => row.path.clone(),
    }
}
