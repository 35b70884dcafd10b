//! Text headers with a field in each line: names and values.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use dudley::{Error, Result};

use crate::cursor::malformed;

/// A field of a header.
pub(crate) struct Field {
    /// The name for lookup; `None` for a custom key.
    pub(crate) name: Option<String>,
    /// Its name as written in the file.
    pub(crate) said: String,
    pub(crate) value: String,
    /// Its address.
    pub(crate) at: u64,
}

/// The fields of a header.
#[derive(Default)]
pub(crate) struct Fields {
    /// The fields in file order.
    pub(crate) all: Vec<Field>,
    /// The index of each field, by its name, or as written in the file if it has none.
    known: HashMap<(bool, String), usize>,
}

impl Fields {
    /// Adds a field.
    ///
    /// # Errors
    /// If the header already has a field of this name: it is unclear which one counts.
    pub(crate) fn add(&mut self, field: Field) -> Result<()> {
        let key = (field.name.is_some(), field.name.as_ref().unwrap_or(&field.said).clone());
        match self.known.entry(key) {
            Entry::Occupied(known) => {
                let Field { said, at, .. } = &field;
                let what = format!(
                    "`{said}` of the header stands there a second time: see address {}",
                    self.all[*known.get()].at
                );
                return Err(malformed(*at, what));
            }
            Entry::Vacant(entry) => entry.insert(self.all.len()),
        };
        self.all.push(field);
        Ok(())
    }

    fn field(&self, name: &str) -> Option<&Field> {
        self.known.get(&(true, name.to_owned())).map(|at| &self.all[*at])
    }

    /// The value of a field.
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.field(name).map(|field| &*field.value)
    }

    /// The value of a required field.
    pub(crate) fn need(&self, name: &str) -> Result<&str> {
        self.get(name).ok_or_else(|| self.wrong(name, "is missing"))
    }

    /// The numbers of a field, none of them negative.
    pub(crate) fn numbers(&self, name: &str) -> Result<Vec<u64>> {
        let number = |word: &str| u64::try_from(word.parse::<i64>().ok()?).ok();
        let numbers: Option<Vec<u64>> = self.need(name)?.split_whitespace().map(number).collect();
        numbers.ok_or_else(|| self.wrong(name, "is no number that can be meant"))
    }

    /// The only number of a field, or `otherwise` if the field is missing.
    pub(crate) fn number(&self, name: &str, otherwise: Option<u64>) -> Result<u64> {
        match (self.field(name), otherwise) {
            (None, Some(otherwise)) => Ok(otherwise),
            _ => match self.numbers(name)?[..] {
                [number] => Ok(number),
                _ => Err(self.wrong(name, "is not one number")),
            },
        }
    }

    /// An error at a field.
    pub(crate) fn wrong(&self, name: &str, why: &str) -> Error {
        match self.field(name) {
            Some(Field { said, value, at, .. }) => {
                malformed(*at, format!("`{said}` of the header, `{value}`, {why}"))
            }
            None => malformed(0, format!("`{name}` of the header {why}")),
        }
    }
}

/// Splits a value into words; quotes and parentheses group words into one.
pub(crate) fn split(value: &str) -> Vec<String> {
    let (mut words, mut word, mut depth, mut quoted) = (Vec::new(), None::<String>, 0_u32, false);
    for character in value.chars() {
        match character {
            '"' if depth == 0 => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            _ if character.is_whitespace() && !quoted && depth == 0 => words.extend(word.take()),
            _ => {
                match character {
                    '(' if !quoted => depth += 1,
                    ')' if !quoted => depth = depth.saturating_sub(1),
                    _ => {}
                }
                word.get_or_insert_default().push(character);
            }
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_in_quotes_and_parentheses_are_one() {
        assert_eq!(split("1 2.5"), ["1", "2.5"]);
        assert_eq!(split(r#""left right" "" none"#), ["left right", "", "none"]);
        assert_eq!(split("(1, 0) none (0,1)"), ["(1, 0)", "none", "(0,1)"]);
        assert_eq!(split(") (("), [")", "(("]);
    }
}
