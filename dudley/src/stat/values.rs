//! The numbers of structs that must be looked at one by one: those of variable size, or with filtered
//! fields.

use std::collections::HashMap;

use dudley_parser::layout::path::push_name;

use super::tally::{Single, Tally};
use super::{Part, Slot, Survey};
use crate::elements::value::{Part as Component, Scalar, Sink};
use crate::error::Result;
use crate::read::data::Data;

/// Counts all numbers in structs, each field under its path.
///
/// # Errors
/// If decoding fails.
pub(super) fn count(survey: &mut Survey<'_>, path: &str, data: &Data) -> Result<()> {
    let mut fields = Fields { path: path.to_owned(), ..Fields::default() };
    data.emit_shown(&mut fields)?;
    for mut field in fields.found {
        field.waiting.finish(&mut field.tally);
        let (name, part) = field.key;
        let dtype = field.kind;
        let key = (name.clone(), dtype.to_owned(), part);
        let slot = *survey.known.entry(key).or_insert_with(|| {
            survey.slots.push(Slot {
                path: name,
                dtype: dtype.to_owned(),
                part,
                met: 0,
                unread: 0,
                shape: None,
                apart: false,
                boolean: dtype == "bool",
                doc: None,
                tally: Tally::NONE,
            });
            survey.slots.len() - 1
        });
        survey.slots[slot].tally.add(&field.tally);
    }
    Ok(())
}

/// Takes values as they are decoded.
#[derive(Default)]
struct Fields {
    /// The path of the value that comes next, except for indices.
    path: String,
    /// The lengths of the paths around open structs.
    open: Vec<usize>,
    found: Vec<Field>,
    known: HashMap<(String, Part), usize>,
}

struct Field {
    key: (String, Part),
    kind: &'static str,
    tally: Tally,
    waiting: Single,
}

impl Fields {
    fn field(&mut self, part: Part, kind: &'static str) -> &mut Field {
        let at = match self.known.get(&(self.path.clone(), part)) {
            Some(at) => *at,
            None => {
                let key = (self.path.clone(), part);
                self.known.insert(key.clone(), self.found.len());
                let (tally, waiting) = (Tally::NONE, Single::default());
                self.found.push(Field { key, kind, tally, waiting });
                self.found.len() - 1
            }
        };
        &mut self.found[at]
    }

    fn float(&mut self, part: Part, kind: &'static str, value: f64) {
        let field = self.field(part, kind);
        field.waiting.float(value, &mut field.tally);
    }

    fn integer(&mut self, kind: &'static str, value: i128) {
        let field = self.field(Part::Whole, kind);
        field.waiting.integer(value, &mut field.tally);
    }
}

impl Sink for Fields {
    fn scalar(&mut self, value: Scalar<'_>) -> Result<()> {
        match value {
            Scalar::Bool(value) => self.integer("bool", value.into()),
            Scalar::Int(value) => self.integer("int", value),
            Scalar::Float(value, _) => self.float(Part::Whole, "float", value),
            Scalar::Complex(Component::Float(re, _), Component::Float(im, _)) => {
                self.float(Part::Real, "complex", re);
                self.float(Part::Imaginary, "complex", im);
            }
            Scalar::Text(_) => self.field(Part::Text, "text").tally.add(&Tally::texts(1)),
            // Bits come only where exact forms were requested.
            Scalar::Null | Scalar::Bits(_) | Scalar::Complex(..) => {}
        }
        Ok(())
    }

    fn begin_struct(&mut self) -> Result<()> {
        self.open.push(self.path.len());
        Ok(())
    }

    fn field(&mut self, name: &str) -> Result<()> {
        self.path.truncate(self.open.last().copied().unwrap_or(0));
        self.path.push('.');
        push_name(&mut self.path, name);
        Ok(())
    }

    fn end_struct(&mut self) -> Result<()> {
        self.path.truncate(self.open.pop().unwrap_or(0));
        Ok(())
    }
}
