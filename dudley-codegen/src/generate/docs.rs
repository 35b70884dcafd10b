//! Documentation of the code: the documentation of the layout, with unit, shape, type and address.

use std::collections::HashMap;

use dudley_parser::Layout;
use dudley_parser::formula::{Dim, Formulas, Row, What};
use dudley_parser::layout::DocKey;
use dudley_parser::names::is_hidden;
use dudley_parser::resolve::{Flow, Given, WalkOptions, most_items};
use proc_macro2::TokenStream;
use quote::quote;

/// The places of items of dicts, as formulas of the params, by path.
#[derive(Debug, Default)]
pub(super) struct Docs {
    places: HashMap<String, Described>,
}

/// An item as formulas.
#[derive(Debug)]
struct Described {
    shape: String,
    address: String,
}

impl Docs {
    pub(super) fn of(layout: &Layout) -> Docs {
        let given = Given { start: dudley_parser::place::NATIVE_START, ..Given::default() };
        let mut places = HashMap::new();
        let options = WalkOptions::elide_above(3);
        let mut left = most_items(layout.text().len() as u64);
        Formulas::new(layout, &given).walk(options, &mut |formulas, row: Row<'_>| {
            // A few nested lists have more items than can be described.
            let Some(less) = left.checked_sub(1) else { return Flow::Stop };
            left = less;
            if let What::Array { shape, address, .. } = &row.what {
                let dims: Vec<String> = shape.iter().map(dim).collect();
                let address = match address {
                    Ok(address) => formulas.labels().formula(address),
                    Err(gap) => gap.to_string(),
                };
                let described = Described { shape: dims.join(", "), address };
                places.insert(row.path.to_owned(), described);
            }
            Flow::Continue
        });
        Docs { places }
    }

    /// Of the layout as a whole.
    pub(super) fn layout(&self, layout: &Layout) -> TokenStream {
        let mut lines: Vec<String> = layout.doc(DocKey::LAYOUT).map(escape).collect();
        if lines.is_empty() {
            lines.push("The layout, as a type without values.".to_owned());
        }
        attributes(&lines)
    }

    /// Of an item without data: its own lines, or else its kind.
    pub(super) fn plain(&self, layout: &Layout, key: DocKey, otherwise: &str) -> TokenStream {
        attributes(&self.own(layout, key, otherwise))
    }

    /// Of data: its own lines, its type, and its place.
    pub(super) fn data(
        &self,
        layout: &Layout,
        key: DocKey,
        path: &str,
        dtype: &str,
        more: &[&str],
    ) -> TokenStream {
        let mut lines = self.own(layout, key, &format!("`{path}`"));
        lines.push(String::new());
        let unit = layout.unit(key).filter(|unit| !unit.is_empty());
        let unit = unit.map(|unit| format!(" Unit: {}.", code(unit))).unwrap_or_default();
        match self.places.get(path) {
            Some(place) => {
                let shape = match place.shape.as_str() {
                    "" => String::new(),
                    shape => format!("[{shape}]"),
                };
                lines.push(format!(
                    "{}, at {}.{unit}",
                    code(&format!("{dtype}{shape}")),
                    code(&place.address)
                ));
            }
            None => lines.push(format!("{}.{unit}", code(dtype))),
        }
        for line in more {
            lines.push(String::new());
            lines.push((*line).to_owned());
        }
        attributes(&lines)
    }

    fn own(&self, layout: &Layout, key: DocKey, otherwise: &str) -> Vec<String> {
        let mut lines: Vec<String> = layout.doc(key).map(escape).collect();
        if lines.iter().all(String::is_empty) {
            lines = vec![otherwise.to_owned()];
        }
        lines
    }
}

fn dim(dim: &Dim) -> String {
    match dim {
        Dim::Known(value) => value.to_string(),
        Dim::Symbolic(text, _) => text.clone(),
    }
}

fn code(text: &str) -> String {
    format!("`{}`", text.replace('`', "'"))
}

/// Text of a layout is no Markdown: links and tags are shown as they are. Invisible characters, and characters
/// that change the direction of text, are shown by their numbers: rustc refuses some of them in a comment.
fn escape(line: &str) -> String {
    let mut escaped = String::with_capacity(line.len());
    for c in line.chars() {
        if c == '`' {
            // Escaped by a backslash it would still count as the begin of code.
            escaped.push_str("&#96;");
            continue;
        }
        if is_hidden(c) && c != '\t' {
            escaped.push_str(&format!("\\\\u{{{:x}}}", c as u32));
            continue;
        }
        if matches!(c, '[' | ']' | '<' | '>' | '\\' | '*' | '_') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Text that is no Markdown, as in code, with the same characters written as their numbers.
pub(super) fn shown(text: &str) -> String {
    let one = |c: char| {
        if is_hidden(c) && c != '\n' && c != '\t' {
            format!("\\u{{{:x}}}", c as u32)
        } else {
            c.to_string()
        }
    };
    text.chars().map(one).collect()
}

/// A doc comment.
pub(super) fn attributes(lines: &[String]) -> TokenStream {
    let mut text = String::new();
    for (at, line) in lines.iter().enumerate() {
        if at > 0 {
            text.push('\n');
        }
        if !line.is_empty() {
            text.push(' ');
            text += &shown(line);
        }
    }
    quote! { #[doc = #text] }
}
