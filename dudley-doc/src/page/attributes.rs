//! Attributes as they are shown, and what those mean that many people use.

use std::collections::BTreeSet;

use dudley_parser::comments::{Attribute, value_names};
use dudley_parser::layout::DocKey;

use crate::escape::html;
use crate::model::{Doc, attribute};
use crate::page::Pages;

/// Names that have a meaning beyond one layout.
const CONVENTIONS: &[(&str, &str)] = &[
    ("add_offset", "CF: is added after `scale_factor` is multiplied"),
    ("author", "who wrote the layout"),
    ("axis", "CF: which axis a coordinate is, X, Y, Z or T"),
    ("calendar", "CF: the calendar of times"),
    ("checksum", "a checksum of the data"),
    ("comment", "CF: remarks about the data"),
    ("attribute_types", "the types of other attributes in a file that has such"),
    ("const", "the only legal value: readers refuse any other, writers fill it in"),
    ("coordinates", "CF: the items that hold the coordinates of this one"),
    ("flag_meanings", "CF: what the values of `flag_values` mean"),
    ("flag_values", "CF: the values that have a meaning"),
    ("history", "CF: what was done to the data"),
    ("institution", "CF: where the data were made"),
    ("license", "what may be done with the data"),
    ("long_name", "CF: a name for people, for a plot"),
    ("dims", "the names of the dimensions"),
    ("missing_value", "CF: stands for a value that is not there"),
    ("names", "the names of the values of integers: of 0, 1 and so on, or of those in `values`"),
    (
        "netcdf_shape",
        "the shape that it has in a file of netCDF-4, where dimensions without end are as long as the longest array along them",
    ),
    ("presence", "the param is 0 or -1: whether the items of this dimension are there"),
    ("references", "CF: publications about the data"),
    ("scale_factor", "CF: the factor to multiply stored values with"),
    ("source", "CF: how the data were made"),
    ("standard_name", "CF: what the quantity is, in the table of standard names"),
    ("to_end", "takes what the stream has left"),
    ("stream_bytes", "takes the length of the stream in bytes"),
    ("title", "CF: what the data are"),
    ("units", "CF: the unit; wins over `(unit)` in the documentation"),
    ("valid_max", "CF: values above are not valid"),
    ("valid_min", "CF: values below are not valid"),
    ("valid_range", "CF: the least and the greatest valid value"),
    ("values", "the integers that `names` names"),
    (
        "vlen",
        "the type of the texts or sequences that a heap of the file holds, which the elements have the places of",
    ),
    ("version", "the version of what the layout describes"),
    ("_FillValue", "CF: stands where nothing was written"),
];

fn meaning(name: &str) -> Option<&'static str> {
    CONVENTIONS.iter().find(|(known, _)| *known == name).map(|(_, meaning)| *meaning)
}

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
