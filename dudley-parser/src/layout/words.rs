//! Words of a layout text that programs make: names, and what is said of an item.

use std::borrow::Cow;
use std::fmt::Write;

use crate::format::names::{quoted, spelt};

/// A name as a layout text has it: in quotes, with escapes, where it must be. No layout has a NUL in a name: U+FFFD
/// stands for it.
///
/// ```
/// use dudley_parser::layout::words::name;
///
/// assert_eq!(name("rho"), "rho");
/// assert_eq!(name("a/b"), "\"a/b\"");
/// assert_eq!(name("\u{1f}"), "\"\\u{1f}\"");
/// ```
pub fn name(name: &str) -> Cow<'_, str> {
    match name.contains('\0') {
        true => quoted(&without_nul(name)).into(),
        false => spelt(name),
    }
}

/// What is said of an item behind it: its unit, a line of documentation, attributes.
///
/// ```
/// use dudley_parser::layout::DocKey;
/// use dudley_parser::layout::words::Said;
///
/// let mut said = Said::default();
/// said.unit("m) at sea");
/// said.attribute("numpy", "M8[s]");
/// let text = format!("x = i8{}\n", said.text("  "));
/// let layout = dudley_parser::check(text.as_bytes()).layout.unwrap();
/// let (_, x) = layout.arrays().next().unwrap();
/// assert_eq!(layout.unit(DocKey::of(x.span)), Some("m) at sea"));
/// assert_eq!(layout.attributes(DocKey::of(x.span)).len(), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Said {
    doc: String,
    attributes: Vec<String>,
}

impl Said {
    /// Its unit: in front of the documentation, or as an attribute if parentheses would not hold it.
    pub fn unit(&mut self, unit: &str) {
        match unit_fits(unit) {
            true => self.doc = format!("({unit}) {}", self.doc).trim_end().to_owned(),
            false => self.attribute("units", unit),
        }
    }

    /// Its documentation, which becomes one line.
    pub fn doc(&mut self, text: &str) {
        let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
        let space = if self.doc.is_empty() || line.trim().is_empty() { "" } else { " " };
        self.doc += space;
        self.doc += line.trim();
    }

    /// An attribute that is a text.
    pub fn attribute(&mut self, name: &str, text: &str) {
        self.attributes.push(format!("{name} = {}", quoted(&without_nul(text))));
    }

    /// An attribute as it is to be written: `block = 3`, `masked`.
    pub fn spelt(&mut self, attribute: String) {
        self.attributes.push(attribute);
    }

    /// Whether nothing is said.
    pub fn is_empty(&self) -> bool {
        self.doc.is_empty() && self.attributes.is_empty()
    }

    /// The comments, which begin on the line of the item and end one; what follows must begin another. `indent`
    /// stands in front of a second line.
    pub fn text(&self, indent: &str) -> String {
        let mut text = String::new();
        if !self.doc.is_empty() {
            text += "  ## ";
            text += &self.doc;
        }
        if !self.attributes.is_empty() {
            if !self.doc.is_empty() {
                text.push('\n');
                text += indent;
            }
            // Writing to a string cannot fail.
            let _ = write!(text, "  #: {}", self.attributes.join(", "));
        }
        text
    }
}

/// Whether a unit can stand in parentheses at the start of documentation: those in it are in pairs, it has no line
/// ends, and no blanks around it.
///
/// ```
/// use dudley_parser::layout::words::unit_fits;
///
/// assert!(unit_fits("m (at sea)"));
/// assert!(!unit_fits("m)") && !unit_fits(" m"));
/// ```
pub fn unit_fits(unit: &str) -> bool {
    super::unit::fits(unit)
}

fn without_nul(text: &str) -> Cow<'_, str> {
    match text.contains('\0') {
        true => text.replace('\0', "\u{fffd}").into(),
        false => text.into(),
    }
}
