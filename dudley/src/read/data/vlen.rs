//! Elements of variable length: an array has their places in a heap, and what reads that heap has them.

use std::sync::Arc;

use dudley_parser::comments::Attribute;
use dudley_parser::layout::dtype::{ByteOrder, Primitive};

use super::Data;
use super::fields::Fields;
use crate::elements::value::{Scalar, Sink, Value};
use crate::elements::{scalar, text};
use crate::error::{Error, Result};
use crate::filter::{Heap, Objects};
use crate::read::dtype::Dtype;
use crate::read::stream::Stream;

/// Elements may have the same place in a heap: they come to this many bytes at most for each that the file has, and
/// anyway.
const TIMES: u64 = 64;
const FREE: u64 = 64 << 20;

/// The type of the contents of a heap, from the attribute `vlen`.
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

    /// The settings in attributes.
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

/// Which elements, or fields of them, are places.
type Places = Fields<Option<Vlen>>;

/// The places that an array has in a heap which can be read, and what reads it.
fn places(data: &Data) -> Option<(&Arc<dyn Heap>, Places)> {
    fn has_any(places: &Places) -> bool {
        places.here.is_some() || places.fields.values().any(has_any)
    }
    let heap = data.stream.inner.filters.heap()?;
    if !data.layout().has_attribute("vlen") {
        return None;
    }
    let places = Fields::of(data, Vlen::said);
    has_any(&places).then_some((heap, places))
}

impl Data {
    /// The type of the texts or sequences that elements refer to, if a readable heap has them: [`Self::value`]
    /// returns the texts or sequences, and [`Self::read`] the references.
    pub fn vlen(&self) -> Option<Vlen> {
        Vlen::of(&self.stream, &self.dtype, self.attributes())
    }

    /// Whether elements, or fields of them, are [places](Self::vlen) in a heap that can be read.
    pub fn has_vlen(&self) -> bool {
        places(self).is_some()
    }
}

/// The bytes that elements of a file may come to.
pub(super) fn most(data: &Data) -> u64 {
    data.stream.inner.source.len().saturating_mul(TIMES).saturating_add(FREE)
}

fn wrong(expected: &'static str, found: impl std::fmt::Display) -> Error {
    let item = crate::error::Item::UNKNOWN;
    Error::WrongValue { item, expected: expected.into(), found: found.to_string().into() }
}

/// Reads what an array has the places of.
pub(super) struct Referred {
    places: Places,
    objects: Box<dyn Objects>,
    /// Bytes that may still be read.
    left: u64,
}

impl Referred {
    /// Of an array that has places in a heap which can be read.
    ///
    /// # Errors
    /// If the file has no heap.
    pub(super) fn of(data: &Data) -> Result<Option<Referred>> {
        let Some((heap, places)) = places(data) else { return Ok(None) };
        let objects = heap.open(&data.stream.inner.source)?;
        Ok(Some(Referred { places, objects, left: most(data) }))
    }

    /// Hands on what is decoded, with what stands in the heap in place of where that is.
    pub(super) fn to<'r>(&'r mut self, to: &'r mut dyn Sink) -> impl Sink + 'r {
        let Referred { places, objects, left } = self;
        let (here, objects) = (Some(&*places), &mut **objects);
        Replaced { to, here, around: Vec::new(), objects, left, held: None }
    }
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

/// A sink of places, which hands on what stands there.
struct Replaced<'r> {
    to: &'r mut dyn Sink,
    /// What is said of the item or field at hand, and of the structs around it.
    here: Option<&'r Places>,
    around: Vec<Option<&'r Places>>,
    objects: &'r mut dyn Objects,
    left: &'r mut u64,
    held: Option<(Vlen, Place)>,
}

impl Replaced<'_> {
    fn value(&mut self, vlen: Vlen, held: &Place) -> Result<Value> {
        let [Some(length), Some(heap), Some(number)] =
            [held.length, held.heap, held.number].map(|it| u64::try_from(it?).ok())
        else {
            return Err(wrong("a length, a heap and a number", "a struct without them"));
        };
        if length == 0 || heap == 0 {
            return vlen.value(0, &[]);
        }
        let bytes = self.objects.object(heap, number)?;
        match self.left.checked_sub(bytes.len() as u64) {
            Some(rest) => *self.left = rest,
            None => return Err(wrong("elements of no more bytes than the file can have", "more")),
        }
        vlen.value(length, &bytes)
    }
}

impl Sink for Replaced<'_> {
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
            return self.value(vlen, &held)?.emit(self.to);
        }
        self.here = self.around.pop().flatten();
        self.to.end_struct()
    }
}
