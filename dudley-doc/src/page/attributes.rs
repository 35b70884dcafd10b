//! Attributes as they are shown, and what those mean that many people use.

use std::collections::BTreeSet;

use dudley_parser::comments::{Attribute, meaning, value_names};
use dudley_parser::layout::DocKey;

use crate::escape::html;
use crate::model::{Doc, attribute};
use crate::page::Pages;

/// The attributes of a declaration.
pub(crate) fn badges(doc: &Doc<'_>, key: DocKey) -> String {
    let attributes = doc.layout.attributes(key);
    if attributes.is_empty() {
        return String::new();
    }
    let names = value_names(attributes);
    // They are a table of their own.
    let tabled = |one: &&Attribute| !names.is_empty() && matches!(&*one.name, "names" | "values");
    let mut page = String::from("<ul class=\"attributes\">");
    for one in attributes.iter().filter(|one| !tabled(one)) {
        let title =
            meaning(&one.name).map_or(String::new(), |text| format!(" title=\"{}\"", html(text)));
        let value =
            attribute(&one.value).map_or(String::new(), |value| format!(" = {}", html(&value)));
        page += &format!("<li{title}><bdi><b>{}</b>{value}</bdi></li>", html(&one.name));
    }
    page + "</ul>" + &named(&names)
}

/// Values with their names.
fn named(names: &[(i64, &str)]) -> String {
    let rows = names.iter().map(|(value, name)| {
        format!("<tr><td class=\"num\">{value}<td><bdi>{}</bdi></tr>", html(name))
    });
    match rows.collect::<String>() {
        rows if rows.is_empty() => rows,
        rows => format!("<table class=\"names\"><tbody>{rows}</tbody></table>"),
    }
}

/// What the attributes mean that the layout uses, where that is agreed on.
pub(crate) fn section(pages: &Pages<'_, '_>) -> String {
    let doc = &*pages.doc;
    let fields = doc.types.iter().flat_map(|ty| &ty.members).map(|field| field.key);
    let keys = doc.rows.iter().map(|row| row.key).chain(fields);
    let used: BTreeSet<&str> = keys
        .flat_map(|key| doc.layout.attributes(key))
        .map(|attribute| attribute.name.as_str())
        .collect();
    let known: Vec<String> = used
        .iter()
        .filter_map(|name| Some((name, meaning(name)?)))
        .map(|(name, text)| format!("<dt>{}</dt><dd>{}</dd>", html(name), html(text)))
        .collect();
    if known.is_empty() {
        return String::new();
    }
    format!(
        "<section id=\"conventions\"><h2>Conventions</h2><dl class=\"conventions\">{}</dl></section>\n",
        known.concat()
    )
}
