//! The structs: a drawing of each with its offsets, its members, and where it is used.

use crate::escape::{anchor, html, lines};
use crate::model::{Field, Struct};
use crate::page::{Pages, attributes};
use dudley_parser::layout::DocKey;

/// Items listed for each struct; the others are counted.
const LISTED: usize = 40;

/// A card for each struct.
pub(crate) fn section(pages: &mut Pages<'_, '_>) -> String {
    if pages.doc.types.is_empty() {
        return String::new();
    }
    let mut page = String::from("<section id=\"types\"><h2>Types</h2>\n");
    for at in 0..pages.doc.types.len() {
        push_type(pages, at, &mut page);
    }
    page + "</section>\n"
}

fn push_type(pages: &mut Pages<'_, '_>, at: usize, page: &mut String) {
    let size = pages.formula(pages.doc.types[at].bytes);
    let doc = &*pages.doc;
    let ty = &doc.types[at];
    let declared = &doc.layout[ty.record];
    let key = match ty.ty {
        Some(ty) => DocKey::of(doc.layout.types()[ty.index()].span),
        None => DocKey::of(declared.span),
    };
    let kind = match (declared.variable, ty.ty) {
        (true, _) => "struct of variable size",
        (false, Some(_)) => "struct",
        (false, None) => "anonymous struct",
    };
    *page += &format!(
        "<article id=\"{}\" class=\"type\"><h3><bdi>{}</bdi> <small>{kind}, {size} bytes, aligned to {}</small></h3>\
         <p>{}</p>{}<div class=\"strip\" data-type=\"{at}\"></div>\
         <div class=\"wide\"><table class=\"members\"><thead><tr><th>member<th>type<th class=\"num\">offset\
         <th class=\"num\">bytes<th>unit<th>what it is</tr></thead><tbody>\n",
        html(&ty.anchor),
        html(&ty.name),
        declared.align,
        lines(doc.layout.doc(key)),
        attributes::badges(doc, key),
    );
    for member in 0..pages.doc.types[at].members.len() {
        push_member(pages, at, member, page);
    }
    *page += "</tbody></table></div>\n";
    let doc = &*pages.doc;
    let used = &doc.types[at].used_by;
    if !used.is_empty() {
        let links = used.iter().take(LISTED).map(|row| {
            let path = html(&doc.rows[*row].path);
            format!("<a href=\"{}\"><bdi>{path}</bdi></a>", html(&pages.link(*row)))
        });
        let more = used.len().saturating_sub(LISTED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        *page += &format!(
            "<p class=\"used\">Used by {}{more}</p>\n",
            links.collect::<Vec<_>>().join(" ")
        );
    }
    *page += "</article>\n";
}

fn push_member(pages: &mut Pages<'_, '_>, at: usize, member: usize, page: &mut String) {
    let place = pages.doc.types[at].members[member].place;
    let (offset, bytes) = (pages.formula(place.address), pages.formula(place.bytes));
    let doc = &*pages.doc;
    let ty = &doc.types[at];
    let field = &ty.members[member];
    let name = html(&field.dtype);
    let dtype = match field.ty {
        Some(inner) => {
            format!("<a class=\"t\" href=\"{}\">{name}</a>", html(&pages.type_link(inner)))
        }
        None => format!("<span class=\"t\">{name}</span>"),
    };
    let dims = doc.dims(&field.dims, &field.views);
    let shape =
        if dims.is_empty() { String::new() } else { html(&format!("[{}]", dims.join(", "))) };
    let stored = doc.stored(&field.dims, &field.views);
    let stored = stored.map(|it| format!("<span class=\"f\">{}</span>", html(&it)));
    let stored = stored.unwrap_or_default();
    let filter = match &field.filter {
        Some(filter) => format!("<span class=\"f\">→ {}</span>", html(filter)),
        None => String::new(),
    };
    let mark = if field.is_param { ":" } else { "" };
    let unit = doc.layout.unit(field.key).unwrap_or_default();
    let words = lines(doc.layout.doc_without_unit(field.key));
    *page += &format!(
        "<tr id=\"{}\"><td class=\"path\"><b><bdi>{mark}{}</bdi></b><td class=\"type\">{dtype}<span class=\"s\">{shape}</span>{stored}{filter}\
         <td class=\"num\" data-label=\"offset\">{offset}<td class=\"num\" data-label=\"bytes\">{bytes}\
         <td class=\"unit\">{}<td class=\"doc\">{words}{}</tr>\n",
        html(&field_anchor(ty, field)),
        html(&field.name),
        html(unit),
        attributes::badges(doc, field.key),
    );
}

/// Where a member stands in its page.
pub(crate) fn field_anchor(ty: &Struct, field: &Field) -> String {
    format!("{}~.{}", ty.anchor, anchor(&field.name))
}
