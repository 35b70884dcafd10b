//! Which items depend on which params, as a drawing: params on the left, items on the right.

use crate::escape::{html, visible};
use crate::model::Doc;

/// More links than this are no drawing to look at; each param lists its items anyway.
const MOST: usize = 80;

/// Pixels from one line of text to the next.
const LINE: usize = 26;

/// The drawing; `None` where there is nothing to link, or too much. `link` gives where a row stands.
pub(crate) fn params(doc: &Doc<'_>, link: &dyn Fn(usize) -> String) -> Option<String> {
    let used: Vec<_> = doc.inputs.iter().filter(|input| !input.used_by.is_empty()).collect();
    let links: usize = used.iter().map(|input| input.used_by.len()).sum();
    if links == 0 || links > MOST {
        return None;
    }
    let mut rows: Vec<usize> = used.iter().flat_map(|input| input.used_by.clone()).collect();
    rows.sort_unstable();
    rows.dedup();
    let lines = used.len().max(rows.len());
    let height = lines * LINE + 8;
    let y = |at: usize, of: usize| (2 * at + 1) * height / (2 * of);
    let mut svg = format!(
        "<svg class=\"graph\" viewBox=\"0 0 640 {height}\" role=\"img\" \
         aria-label=\"Which items depend on which params\">\n"
    );
    for (at, input) in used.iter().enumerate() {
        for row in &input.used_by {
            let (from, to) =
                (y(at, used.len()), y(rows.binary_search(row).unwrap_or(0), rows.len()));
            svg += &format!("<path d=\"M190 {from} C 280 {from} 300 {to} 390 {to}\"/>\n");
        }
    }
    for (at, input) in used.iter().enumerate() {
        let y = y(at, used.len());
        let row =
            doc.rows.iter().position(|row| row.kind == crate::model::Kind::Param(input.param));
        let href = row.map(link).unwrap_or_default();
        svg += &format!(
            "<a href=\"{}\"><rect x=\"20\" y=\"{}\" width=\"170\" height=\"20\" rx=\"10\" class=\"gp\"/>\
             <text x=\"105\" y=\"{}\" text-anchor=\"middle\">{}</text></a>\n",
            html(&href),
            y - 10,
            y + 4,
            html(&short(&input.label, 22))
        );
    }
    for (at, row) in rows.iter().enumerate() {
        let y = y(at, rows.len());
        svg += &format!(
            "<a href=\"{}\"><rect x=\"390\" y=\"{}\" width=\"230\" height=\"20\" rx=\"4\" class=\"gi\"/>\
             <text x=\"400\" y=\"{}\">{}</text></a>\n",
            html(&link(*row)),
            y - 10,
            y + 4,
            html(&short(&doc.rows[*row].path, 32))
        );
    }
    Some(svg + "</svg>\n")
}

/// A name that fits: of a long one its end.
pub(crate) fn short(name: &str, most: usize) -> String {
    let shown = visible(name);
    let count = shown.chars().count();
    if count > most {
        format!("…{}", shown.chars().skip(count - most + 1).collect::<String>())
    } else {
        shown
    }
}
