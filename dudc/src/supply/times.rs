//! Times of numpy that are written through a layout: the layout must have their unit.

use std::collections::BTreeMap;

use dudley::error::Item;
use dudley::numpy::ArraySource;
use dudley::write::Declared;
use dudley::{Error, Result};
use dudley_parser::comments::Attribute;

use crate::output::warn;

/// The types of arrays and fields that are times, in the form of the attribute `numpy`: by the path of the array
/// and the name of the field.
#[derive(Default)]
pub(super) struct Times(BTreeMap<String, Vec<(Option<String>, String)>>);

impl Times {
    /// Notes the times of an array.
    pub(super) fn add(&mut self, path: &str, source: &ArraySource) {
        let found = source.times();
        if !found.is_empty() {
            self.0.insert(path.to_owned(), found);
        }
    }

    /// Checks that a layout declares these times for an item. Without a declaration they are plain integers, with a
    /// warning.
    ///
    /// # Errors
    /// If it declares other times.
    pub(super) fn check_item(&self, path: &str, declared: &Declared<'_>) -> Result<()> {
        for (field, time) in self.0.get(path).into_iter().flatten() {
            let (name, attributes) = match field {
                None => (path.to_owned(), declared.attributes()),
                Some(field) => (format!("{path}.{field}"), declared.field_attributes(field)),
            };
            match said(attributes) {
                Some(said) if said == time => {}
                Some(said) if said.starts_with(['m', 'M']) => {
                    return Err(Error::WrongValue {
                        item: Item::new(&*name),
                        expected: format!("`{said}`, as its attribute `numpy` says").into(),
                        found: format!("`{time}` in the data").into(),
                    });
                }
                _ => warn(&format!(
                    "`{name}` is `{time}`, which the layout does not say: without `#: numpy = \"{time}\"` \
                     it has integers"
                )),
            }
        }
        Ok(())
    }
}

fn said(attributes: &[Attribute]) -> Option<&str> {
    attributes.iter().find(|attribute| attribute.name == "numpy")?.text()
}
