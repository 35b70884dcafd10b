//! Elements of variable length: an array has their places in a heap, and what reads that heap has them.

use std::sync::Arc;

use dudley_parser::comments::Attribute;
use dudley_parser::layout::DocKey;
use dudley_parser::layout::blocks::{FILL, FILL_BYTES, WHOLE};
use dudley_parser::layout::dtype::{ByteOrder, Primitive};
use dudley_parser::layout::words::Words;

use super::fields::Fields;
use super::{Data, Parts};
use crate::bytes::source::Source;
use crate::elements::value::{Scalar, Sink, Value};
use crate::elements::{scalar, text};
use crate::error::{Error, Result, to_usize};
use crate::filter::Objects;
use crate::read::dtype::{Dtype, Field, Record};
use crate::read::stream::Stream;

/// Elements that are read come to this many bytes at most for each that the file has, and anyway.
const TIMES: u64 = 64;
const FREE: u64 = 64 << 20;

/// The type of what stands in a heap, as the attribute `vlen` says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Vlen {
    /// The type of its elements; of characters it is a text.
    pub primitive: Primitive,
    /// Their byte order.
    pub order: ByteOrder,
}

impl Vlen {
    /// What attributes say of places, where the heap can be read.
    pub(crate) fn of(stream: &Stream, dtype: &Dtype, attributes: &[Attribute]) -> Option<Vlen> {
        let Dtype::Record(record) = dtype else { return None };
        let names = record.fields.iter().map(|field| &*field.name);
        let is_place = names.eq(["length", "heap", "number"]);
        stream.inner.filters.heap().filter(|_| is_place).and_then(|_| Vlen::said(attributes))
    }

    /// What attributes say.
    fn said(attributes: &[Attribute]) -> Option<Vlen> {
        let said = attributes.iter().find(|it| it.name == "vlen")?.text()?;
        let (order, name) = match said.strip_prefix('>') {
            Some(name) => (ByteOrder::Big, name),
            None => (ByteOrder::Little, said.strip_prefix('<').unwrap_or(said)),
        };
        Some(Vlen { primitive: Primitive::from_name(name)?, order })
    }

    /// How it is shown: `vlen U1`, `vlen <f8`.
    pub(crate) fn describe(self) -> String {
        format!("vlen {}", crate::read::dtype::primitive_name(self.primitive, self.order))
    }

    fn value(self, length: u64, bytes: &[u8]) -> Result<Value> {
        let size = length.checked_mul(self.primitive.size());
        let bytes = size.and_then(|size| bytes.get(..usize::try_from(size).ok()?));
        let Some(bytes) = bytes else {
            return Err(wrong("as many elements in the heap as its length says", length));
        };
        if self.primitive.is_text() {
            return Ok(Value::Text(text::decode(bytes, self.primitive, self.order)?));
        }
        Ok(Value::Array(scalar::elements_in(self.primitive, self.order, None, bytes)?))
    }
}

fn wrong(expected: &'static str, found: impl std::fmt::Display) -> Error {
    let item = crate::error::Item::UNKNOWN;
    Error::WrongValue { item, expected: expected.into(), found: found.to_string().into() }
}

impl Data {
    /// Whether elements, or fields of them, are [places](Self::vlen) in a heap that can be read.
    pub fn has_vlen(&self) -> bool {
        is_in(self)
    }

    /// What the elements have the [places](Self::vlen) of, as elements of one size: texts with room for the longest of
    /// them, sequences with a dimension more; so in the fields of structs, too. What has no places is as it is. `None`
    /// of sequences that differ in length.
    ///
    /// # Errors
    /// If reading fails, and if elements of one size would come to much more than the file has.
    pub fn resolved(&self) -> Result<Option<Data>> {
        self.resolved_within(false)
    }

    fn resolved_within(&self, is_field: bool) -> Result<Option<Data>> {
        if !is_in(self) {
            return Ok(Some(self.clone()));
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
                let mut parts = Vec::new();
                let mut fields = Vec::new();
                let mut size = 0;
                for (at, field) in record.fields.iter().enumerate() {
                    let Some(data) = self.field_at(record, at)?.resolved_within(true)? else {
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
    let is_of_storage = |name: &str| name == "vlen" || [WHOLE, FILL, FILL_BYTES].contains(&name);
    let attributes = of.attributes().iter().filter(|it| !is_of_storage(&it.name));
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

/// Elements may have the same place in a heap: they come to no more than this many bytes.
fn most(data: &Data) -> u64 {
    data.stream().inner.source.len().saturating_mul(TIMES).saturating_add(FREE)
}

/// Reads what an array has the places of.
pub(crate) struct Referred {
    places: Fields<Option<Vlen>>,
    objects: Box<dyn Objects>,
    left: u64,
}

impl Referred {
    /// Of an array that has places in a heap which can be read.
    ///
    /// # Errors
    /// If the file has no heap.
    pub(crate) fn of(data: &Data) -> Result<Option<Referred>> {
        let layout = data.layout();
        let stream = data.stream();
        let Some(heap) = stream.inner.filters.heap().filter(|_| layout.has_attribute("vlen"))
        else {
            return Ok(None);
        };
        let places = Fields::of(data, Vlen::said);
        if !has_any(&places) {
            return Ok(None);
        }
        let source: &Arc<dyn Source> = &stream.inner.source;
        Ok(Some(Referred { places, objects: heap.open(source)?, left: most(data) }))
    }

    /// Hands on what is decoded, with what stands in the heap in the place of where that is.
    pub(crate) fn to<'r>(&'r mut self, to: &'r mut dyn Sink) -> impl Sink + 'r {
        let Referred { places, objects, left } = self;
        Resolved {
            to,
            here: Some(places),
            around: Vec::new(),
            objects: &mut **objects,
            left,
            held: None,
        }
    }

    fn value(vlen: Vlen, objects: &mut dyn Objects, left: &mut u64, held: &Place) -> Result<Value> {
        let [Some(length), Some(heap), Some(number)] =
            [held.length, held.heap, held.number].map(|it| u64::try_from(it?).ok())
        else {
            return Err(wrong("a length, a heap and a number", "a struct without them"));
        };
        if length == 0 || heap == 0 {
            return vlen.value(0, &[]);
        }
        let bytes = objects.object(heap, number)?;
        match left.checked_sub(bytes.len()) {
            Some(rest) => *left = rest,
            None => return Err(wrong("elements of no more bytes than the file can have", "more")),
        }
        vlen.value(length, &bytes)
    }
}

/// Whether elements, or fields of them, are places in a heap that can be read.
pub(crate) fn is_in(data: &Data) -> bool {
    let can = data.stream().inner.filters.heap().is_some() && data.layout().has_attribute("vlen");
    can && has_any(&Fields::of(data, Vlen::said))
}

fn has_any(places: &Fields<Option<Vlen>>) -> bool {
    places.here.is_some() || places.fields.values().any(has_any)
}

/// Where something stands, as far as it was decoded.
#[derive(Default)]
struct Place {
    length: Option<i128>,
    heap: Option<i128>,
    number: Option<i128>,
    /// Which of them comes next.
    next: String,
}

struct Resolved<'r> {
    to: &'r mut dyn Sink,
    /// What is said of the item or field at hand, and of the structs around it.
    here: Option<&'r Fields<Option<Vlen>>>,
    around: Vec<Option<&'r Fields<Option<Vlen>>>>,
    objects: &'r mut dyn Objects,
    left: &'r mut u64,
    held: Option<(Vlen, Place)>,
}

impl Sink for Resolved<'_> {
    fn scalar(&mut self, value: Scalar<'_>) -> Result<()> {
        let Some((_, held)) = &mut self.held else { return self.to.scalar(value) };
        let Scalar::Int(value) = value else { return Ok(()) };
        match &*held.next {
            "length" => held.length = Some(value),
            "heap" => held.heap = Some(value),
            "number" => held.number = Some(value),
            _ => {}
        }
        Ok(())
    }

    fn missing(&mut self) -> Result<()> {
        self.to.missing()
    }

    fn begin_array(&mut self, length: u64) -> Result<()> {
        self.to.begin_array(length)
    }

    fn end_array(&mut self) -> Result<()> {
        self.to.end_array()
    }

    fn begin_struct(&mut self) -> Result<()> {
        if let Some(vlen) = self.here.and_then(|here| here.here) {
            self.held = Some((vlen, Place::default()));
            return Ok(());
        }
        self.around.push(self.here);
        self.to.begin_struct()
    }

    fn field(&mut self, name: &str) -> Result<()> {
        if let Some((_, held)) = &mut self.held {
            name.clone_into(&mut held.next);
            return Ok(());
        }
        let around = self.around.last().copied().flatten();
        self.here = around.and_then(|around| around.fields.get(name));
        self.to.field(name)
    }

    fn end_struct(&mut self) -> Result<()> {
        if let Some((vlen, held)) = self.held.take() {
            return Referred::value(vlen, self.objects, self.left, &held)?.emit(self.to);
        }
        self.here = self.around.pop().flatten();
        self.to.end_struct()
    }
}
