//! Times of numpy that are written through a layout: it must say of which unit they are.

use std::collections::BTreeMap;

use dudley::error::Item;
use dudley::numpy::ArraySource;
use dudley::write::Declared;
use dudley::{Error, Result};
use dudley_parser::comments::Attribute;

use crate::output::warn;

/// The types of arrays and fields that are times, as the attribute `numpy` says them: by the path of the array,
/// and the name of the field.
#[derive(Default)]
pub(super) struct Times(BTreeMap<String, Vec<(Option<String>, String)>>);

impl Times {
    /// Notes what an array has of times.
    pub(super) fn add(&mut self, path: &str, source: &ArraySource) {
        let found = source.times();
        if !found.is_empty() {
            self.0.insert(path.to_owned(), found);
        }
    }

    /// That a layout says of an item that its integers are these times; where it says nothing of them, they are
    /// only integers, which is warned of.
    ///
    /// # Errors
    /// If it says others.
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
