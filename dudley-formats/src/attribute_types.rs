//! The types of attributes in files that have such: a layout only tells integers, floats and texts apart, so one attribute
//! names the types of others.

use dudley::Primitive;
use dudley_parser::comments::{AttrValue, Attribute};
use dudley_parser::layout::words::{ATTRIBUTE_TYPES, Said};
use dudley_parser::span::Span;

/// Attributes that are of the type of their array.
const OF_VALUES: [&str; 8] = [
    "_FillValue",
    "missing_value",
    "valid_min",
    "valid_max",
    "valid_range",
    "actual_range",
    "flag_values",
    "flag_masks",
];

/// Whether an attribute of this name is of the type of its array, as the conventions of netCDF have it.
pub(crate) fn is_of_values(name: &str) -> bool {
    OF_VALUES.contains(&name)
}

/// Attributes with their types, while a header is read.
pub(crate) struct Types {
    /// The type of the array.
    of: Option<Primitive>,
    /// The type of integers that writers take if nothing else is said; `None` where that differs between formats, so that each is
    /// said.
    int: Option<Primitive>,
    said: Vec<String>,
}

impl Types {
    /// Those of an array of a type, or of a group.
    pub(crate) fn new(of: Option<Primitive>, int: Option<Primitive>) -> Types {
        Types { of, int, said: Vec::new() }
    }

    /// Adds a number: its type is said unless it is the usual one.
    pub(crate) fn add(&mut self, name: &str, primitive: Primitive) {
        let is_usual = match self.of.filter(|_| is_of_values(name)) {
            Some(of) => of == primitive,
            None => Some(primitive) == self.int || primitive == Primitive::F8,
        };
        if !is_usual && !name.is_empty() {
            self.said.push(format!("{} {}", primitive.name(), name.replace('\0', "\u{fffd}")));
        }
    }

    /// Says those that were added.
    pub(crate) fn say(self, said: &mut Said) {
        if !self.said.is_empty() {
            let (name, value) = (ATTRIBUTE_TYPES.to_owned(), AttrValue::Texts(self.said));
            said.attribute_of(&Attribute { name, value, span: Span::at(0) });
        }
    }
}

/// The type that is said of an attribute by entries such as `f4 scale_factor`.
pub(crate) fn of<'t>(entries: impl IntoIterator<Item = &'t str>, name: &str) -> Option<Primitive> {
    entries.into_iter().find_map(|entry| {
        let (of, named) = entry.split_once(' ')?;
        Primitive::from_name(of).filter(|_| named == name)
    })
}

/// The entries of the attribute that has types.
pub(crate) fn entries(value: &AttrValue) -> &[String] {
    match value {
        AttrValue::Text(entry) => std::slice::from_ref(entry),
        AttrValue::Texts(entries) => entries,
        _ => &[],
    }
}
