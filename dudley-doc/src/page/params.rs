//! The params: fields to set them, a table of what depends on each, and a drawing of it.

use dudley_parser::layout::DocKey;

use crate::escape::{anchor, html, lines};
use crate::graph;
use crate::page::{Pages, shown_path};

/// Items listed for each param; the others are counted.
const LISTED: usize = 60;

/// A field for each param that can be set; the script makes those of a layout with several pages, from the
/// data that they share.
pub(crate) fn inputs(pages: &Pages<'_, '_>) -> String {
    let doc = &*pages.doc;
    if doc.inputs.is_empty() {
        return String::new();
    }
    let mut page = String::from(
        "<form id=\"inputs\" aria-label=\"Values of the params\" autocomplete=\"off\">\
         <h2>Params</h2>\n",
    );
    let here = if pages.are_several() { &[] } else { &doc.inputs[..] };
    for (at, input) in here.iter().enumerate() {
        let words = doc.input_words(input);
        let example = if input.example { " class=\"example\"" } else { "" };
        page += &format!(
            "<label{example} title=\"{}\"><span><bdi>{}</bdi></span>\
             <input type=\"text\" inputmode=\"numeric\" data-param=\"{at}\" value=\"{}\"></label>\n",
            html(words),
            html(&input.label),
            input.value
        );
    }
    page += "<div id=\"indices\"></div>";
    if doc.inputs.iter().any(|input| input.example) {
        page += "<p class=\"hint assumed\">Values in <i>italics</i> are assumed.</p>\n";
    }
    page += "<p class=\"hint\" id=\"problem\" role=\"status\"></p>\
             <button type=\"reset\">Reset</button></form>\n";
    page
}

/// The table of params.
pub(crate) fn section(pages: &Pages<'_, '_>) -> String {
    let doc = &*pages.doc;
    if doc.inputs.is_empty() {
        return String::new();
    }
    let mut page = String::from("<section id=\"params\"><h2>Params</h2>\n");
    if let Some(graph) = graph::params(doc, &|row| pages.link(row)) {
        page += &graph;
    }
    page += "<div class=\"wide\"><table class=\"params\"><thead><tr><th>param<th>kind<th>what it is<th>on it depend\
             </tr></thead><tbody>\n";
    for input in &doc.inputs {
        let declared = &doc.layout[input.param];
        let kind = match declared {
            it if it.is_streamed() => "streamed",
            it if it.stream_bytes => "length of the stream",
            it if it.to_end.is_some() => "what the stream has left",
            _ => "fixed",
        };
        let links = |row: &usize| {
            let path = shown_path(&doc.rows[*row]);
            format!("<a href=\"{}\"><bdi>{}</bdi></a>", html(&pages.link(*row)), html(&path))
        };
        let mut used: Vec<String> = input.used_by.iter().take(LISTED).map(links).collect();
        if let Some(more) = input.used_by.len().checked_sub(LISTED + 1) {
            used.push(format!("and {} more", more + 1));
        }
        page += &format!(
            "<tr id=\"param:{}\"><td class=\"path\"><b><bdi>{}</bdi></b><td>{kind}<td>{}<td class=\"used\">{}</tr>\n",
            html(&anchor(&input.label)),
            html(&input.label),
            lines(doc.layout.doc(DocKey::of(declared.span))),
            used.join(" ")
        );
    }
    page + "</tbody></table></div></section>\n"
}
