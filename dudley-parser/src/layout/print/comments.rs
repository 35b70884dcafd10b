//! How documentation and attributes are printed: each line on a line of its own.

use super::Printer;
use crate::comments::{AttrValue, Attribute, doc_text};
use crate::format::names::{quoted, spelt};
use crate::layout::DocKey;

impl Printer<'_> {
    /// What is said about a declaration between two offsets of the text.
    pub(super) fn comments(&mut self, key: DocKey, from: u32, to: u32) {
        let layout = self.layout;
        let start = layout.docs.partition_point(|(other, _)| *other < key);
        let docs = layout.docs[start..].iter().take_while(|(other, _)| *other == key);
        for &(_, span) in docs.filter(|(_, span)| (from..to).contains(&span.start)) {
            let kind = crate::ast::CommentKind::Doc;
            let line = doc_text(&layout.text, &crate::ast::Comment { span, kind });
            self.comment_line("##", line);
        }
        let inside = layout.attributes(key).iter().filter(|a| (from..to).contains(&a.span.start));
        let attributes: Vec<String> = inside.map(spelt_attribute).collect();
        if !attributes.is_empty() {
            self.comment_line("#:", &attributes.join(", "));
        }
    }

    fn comment_line(&mut self, mark: &str, line: &str) {
        self.end_line();
        self.text.push_str(mark);
        if !line.is_empty() {
            self.text.push(' ');
            self.text.push_str(line);
        }
        self.text.push('\n');
    }
}

/// An attribute as a layout text has it.
pub(crate) fn spelt_attribute(attribute: &Attribute) -> String {
    match value(&attribute.value) {
        None => spelt(&attribute.name).into_owned(),
        Some(value) => format!("{} = {value}", spelt(&attribute.name)),
    }
}

fn value(value: &AttrValue) -> Option<String> {
    fn list<T>(values: &[T], one: impl Fn(&T) -> String) -> String {
        format!("[{}]", values.iter().map(one).collect::<Vec<_>>().join(", "))
    }
    Some(match value {
        AttrValue::True => return None,
        AttrValue::Int(value) => value.to_string(),
        AttrValue::Float(value) => format!("{value:?}"),
        AttrValue::Text(text) => quoted(text),
        AttrValue::Ints(values) => list(values, i64::to_string),
        AttrValue::Floats(values) => list(values, |value| format!("{value:?}")),
        AttrValue::Texts(values) => list(values, |text| quoted(text)),
    })
}
