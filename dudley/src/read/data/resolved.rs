//! Values in a heap as elements of one size, for formats that have only such elements.

use dudley_parser::layout::DocKey;
use dudley_parser::layout::dtype::Primitive;
use dudley_parser::layout::words::{OF_STORAGE, Words};

use super::vlen::{Vlen, most};
use super::{Data, Parts};
use crate::elements::value::Value;
use crate::elements::{scalar, text};
use crate::error::{Error, Result, to_usize};
use crate::read::dtype::{Dtype, Field, Record};

impl Data {
    /// The contents of a heap that the elements [refer](Self::vlen) to, as elements of one size: texts with room for
    /// the longest, sequences with one more dimension. It also resolves fields of structs, and stores presented
    /// fields row by row. A [resolved](Self::is_resolved) array stays as it is. `None` for sequences of different
    /// lengths.
    ///
    /// # Errors
    /// If reading fails, or if elements of one size would take much more bytes than the file has.
    pub fn resolved(&self) -> Result<Option<Data>> {
        self.resolved_within(false)
    }

    /// Whether the elements are values themselves, and fields of structs are row by row, as in other formats.
    pub fn is_resolved(&self) -> bool {
        !self.has_vlen() && self.dtype.is_in_rows()
    }

    fn resolved_within(&self, is_field: bool) -> Result<Option<Data>> {
        if self.is_resolved() {
            return Ok(Some(self.clone()));
        }
        if !self.has_vlen() {
            return self.side_by_side().map(Some);
        }
        let mut words = Words::default();
        let (dtype, bytes, inner) = match (self.vlen(), &self.dtype) {
            (Some(vlen), _) => match of_one_size(self, vlen)? {
                // Fields of texts are ASCII in more formats than they are UTF-8.
                Some((bytes, room))
                    if is_field && vlen.primitive == Primitive::Utf8 && bytes.is_ascii() =>
                {
                    (Dtype::Primitive(Primitive::S1, vlen.order), bytes, Some(room))
                }
                Some((bytes, room)) => {
                    (Dtype::Primitive(vlen.primitive, vlen.order), bytes, Some(room))
                }
                None => return Ok(None),
            },
            (None, Dtype::Record(record)) => {
                let whole = self.decoded()?;
                let mut parts = Vec::new();
                let mut fields = Vec::new();
                let mut size = 0;
                for (at, field) in record.fields.iter().enumerate() {
                    let Some(data) = whole.field_at(record, at)?.resolved_within(true)? else {
                        return Ok(None);
                    };
                    let shape = &data.shape[self.shape.len()..];
                    let said = say(&mut words, &data);
                    let field = Field::new(&field.name, size, data.dtype.clone(), shape).said(said);
                    size += field.bytes;
                    parts.push((data.raw()?, to_usize(field.bytes)?));
                    fields.push(field);
                }
                let mut bytes = Vec::new();
                for at in 0..to_usize(self.len()?)? {
                    for (part, size) in &parts {
                        bytes.extend_from_slice(&part[at * size..(at + 1) * size]);
                    }
                }
                (Record::new(size, fields).into(), bytes, None)
            }
            _ => return Ok(Some(self.clone())),
        };
        let shape: Vec<u64> = self.shape.iter().copied().chain(inner).collect();
        let said = say(&mut words, self);
        let parts = Parts::new(dtype, &shape).path(&self.path).words(words.layout(), said);
        parts.data(bytes).map(Some)
    }
}

/// Says of an array made of another what is said of that.
fn say(words: &mut Words, of: &Data) -> DocKey {
    let attributes = of.attributes().iter().filter(|it| !OF_STORAGE.contains(&&*it.name));
    let attributes = attributes.map(|it| (&*it.name, it.value.clone()));
    words.add(&of.doc().collect::<Vec<_>>().join("\n"), attributes)
}

/// The bytes of all texts or sequences, and how many elements each of them has, or has room for.
fn of_one_size(data: &Data, vlen: Vlen) -> Result<Option<(Vec<u8>, u64)>> {
    fn leaves(value: Value, depth: usize, found: &mut Vec<Value>) {
        match value {
            Value::Array(items) if depth > 0 => {
                items.into_iter().for_each(|item| leaves(item, depth - 1, found));
            }
            leaf => found.push(leaf),
        }
    }
    let mut found = Vec::new();
    leaves(data.value()?, data.shape.len(), &mut found);
    let units = |value: &Value| match value {
        Value::Text(text) => text::count_units(text, vlen.primitive),
        Value::Array(items) => Ok(items.len() as u64),
        _ => Ok(0),
    };
    let lengths = found.iter().map(units).collect::<Result<Vec<_>>>()?;
    let longest = lengths.iter().copied().max().unwrap_or(0);
    let is_text = vlen.primitive.is_text();
    if !is_text && lengths.iter().any(|length| *length != longest) {
        return Ok(None);
    }
    let room = if is_text { longest.max(1) } else { longest };
    let size = room.saturating_mul(vlen.primitive.size()).saturating_mul(found.len() as u64);
    if size > most(data) {
        return Err(Error::too_large(size));
    }
    let mut bytes = Vec::new();
    for value in &found {
        match value {
            Value::Text(value) => {
                bytes.append(&mut text::encode(value, vlen.primitive, room, vlen.order)?);
            }
            value => bytes.append(&mut scalar::elements(value, vlen.primitive, vlen.order)?),
        }
    }
    Ok(Some((bytes, room)))
}
