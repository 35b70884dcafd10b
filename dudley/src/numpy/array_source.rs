//! An array to be written elsewhere: of a file of numpy, or of anything else that is open.

use std::borrow::Cow;
use std::ops::Range;

use dudley_parser::comments::Attribute;
use dudley_parser::layout::dtype::{ByteOrder, Kind, Primitive};

use super::descr::Descr;
use super::npy::Npy;
use super::swapped;
use crate::elements::recast::{Recast, may_fit};
use crate::elements::value::Value;
use crate::encode::input::{Typed, TypedRows};
use crate::error::{Error, Result};
use crate::read::data::Data;
use crate::read::dtype::{Dtype, Field};
use crate::read::select::Stacked;
use crate::read::slice::Index;

/// An array of any format. Its elements are read when they are written, block by block.
#[derive(Clone)]
pub enum ArraySource {
    /// An array in a file of numpy.
    Npy(Npy),
    /// An array in an open dataset.
    Data(Stacked),
}

impl From<Npy> for ArraySource {
    fn from(npy: Npy) -> ArraySource {
        ArraySource::Npy(npy)
    }
}

impl From<Data> for ArraySource {
    fn from(data: Data) -> ArraySource {
        ArraySource::Data(data.into())
    }
}

impl From<Stacked> for ArraySource {
    fn from(stacked: Stacked) -> ArraySource {
        ArraySource::Data(stacked)
    }
}

impl ArraySource {
    /// The array of numpy, if it is one of a file of that.
    pub fn npy(&self) -> Option<&Npy> {
        match self {
            ArraySource::Npy(npy) => Some(npy),
            ArraySource::Data(_) => None,
        }
    }

    /// The source of the type of its elements, if it is from a dataset.
    pub fn data(&self) -> Option<&Data> {
        match self {
            ArraySource::Npy(_) => None,
            ArraySource::Data(data) => Some(data.first()),
        }
    }

    /// Its shape, in elements.
    pub fn shape(&self) -> Cow<'_, [u64]> {
        match self {
            ArraySource::Npy(npy) => Cow::Borrowed(&npy.shape),
            ArraySource::Data(data) => Cow::Owned(data.shape()),
        }
    }

    /// Whether its elements are structs of one size.
    pub fn is_struct(&self) -> bool {
        match self {
            ArraySource::Npy(npy) => npy.is_struct(),
            ArraySource::Data(data) => matches!(data.first().dtype(), Dtype::Record(_)),
        }
    }

    /// The value of an array that is one integer; `None` for another one.
    ///
    /// # Errors
    /// If reading fails.
    pub fn integer(&self) -> Result<Option<i128>> {
        let data = match self {
            ArraySource::Npy(npy) => return npy.integer(),
            ArraySource::Data(data) => data,
        };
        let kind = data.first().dtype().primitive().map(|(own, _)| own.kind());
        let is_one = data.shape().iter().all(|dim| *dim == 1);
        if !is_one || !matches!(kind, Some(Kind::Signed | Kind::Unsigned)) {
            return Ok(None);
        }
        let mut value = Some(data.value()?);
        while let Some(Value::Array(mut items)) = value {
            value = items.pop();
        }
        Ok(if let Some(Value::Int(value)) = value { Some(value) } else { None })
    }

    /// The value of an array that is not one of numbers or structs of one size: text, and structs that are decoded
    /// one by one. `None` for other arrays, whose elements are [written](Typed) as they are.
    ///
    /// # Errors
    /// If reading fails.
    pub fn value(&self) -> Result<Option<Value>> {
        match self {
            ArraySource::Npy(npy) if npy.is_text() => npy.texts().map(Some),
            ArraySource::Npy(_) => Ok(None),
            ArraySource::Data(data) => match data.first().dtype() {
                Dtype::Primitive(primitive, _) if !primitive.is_text() => Ok(None),
                Dtype::Record(_) => Ok(None),
                Dtype::Primitive(..) | Dtype::Variable(_) => data.value().map(Some),
            },
        }
    }

    /// The elements that are times by the attribute `numpy`: those of the array, or of fields, with the names of
    /// the fields.
    pub fn times(&self) -> Vec<(Option<String>, String)> {
        let of_field = |name: &str, time| (Some(name.to_owned()), time);
        match self {
            ArraySource::Npy(npy) => match &npy.descr {
                Descr::Struct(fields, _) => {
                    let time =
                        |it: &super::descr::Field| Some(of_field(&it.name, time_of(&it.descr)?));
                    fields.iter().filter_map(time).collect()
                }
                descr => time_of(descr).map(|time| (None, time)).into_iter().collect(),
            },
            ArraySource::Data(data) => match data.first().dtype() {
                Dtype::Record(record) => {
                    let layout = data.first().layout();
                    let said = |it: &Field| said_time(layout.attributes(it.doc));
                    let time = |it: &Field| Some(of_field(&it.name, said(it)?));
                    record.fields.iter().filter_map(time).collect()
                }
                _ => said_time(data.first().attributes())
                    .map(|time| (None, time))
                    .into_iter()
                    .collect(),
            },
        }
    }

    /// The primitive of its elements as they are stored, their order, and how many of them an element is, if that is no
    /// dimension yet.
    pub fn units(&self) -> Option<(Primitive, ByteOrder, Option<u64>)> {
        match self {
            ArraySource::Npy(npy) => npy.units(),
            ArraySource::Data(data) => {
                data.first().dtype().primitive().map(|(own, order)| (own, order, None))
            }
        }
    }

    /// The primitive that its elements are, and their order, except for text.
    fn primitive(&self) -> Option<(Primitive, ByteOrder)> {
        let (own, order, _) = self.units()?;
        (!own.is_text()).then_some((own, order))
    }

    /// Whether it has rows that can be read apart.
    fn has_rows(&self) -> bool {
        match self {
            ArraySource::Npy(npy) => npy.has_rows(),
            // What a filter made is decoded whole.
            ArraySource::Data(data) => data
                .single()
                .is_some_and(|data| !data.shape().is_empty() && data.filter().is_none()),
        }
    }

    /// The indices of the first dimension, each as a separate array; `None` for arrays without dimensions, and for
    /// stacked ones.
    ///
    /// # Errors
    /// If reading fails.
    pub fn rows_apart(&self) -> Result<Option<Vec<ArraySource>>> {
        match self {
            ArraySource::Npy(npy) if npy.shape.is_empty() => Ok(None),
            ArraySource::Npy(npy) => Ok(Some(npy.rows()?.into_iter().map(Into::into).collect())),
            ArraySource::Data(stacked) => {
                let Some(data) = stacked.single().filter(|data| !data.shape().is_empty()) else {
                    return Ok(None);
                };
                let (data, count) = (data.decoded()?, data.shape()[0]);
                let row = |at: u64| data.slice(&[Index::At(i64::try_from(at).unwrap_or(i64::MAX))]);
                (0..count).map(|at| row(at).map(Into::into)).collect::<Result<Vec<_>>>().map(Some)
            }
        }
    }

    /// Hands out the bytes of some indices of the first dimension, or of all elements, row-major, block by block.
    ///
    /// # Errors
    /// If reading or the sink fails.
    pub fn blocks(
        &self,
        rows: Option<Range<u64>>,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        match (self, rows) {
            (ArraySource::Npy(npy), rows) => npy.blocks(rows, sink),
            (ArraySource::Data(data), None) => data.for_each_block(sink),
            (ArraySource::Data(data), Some(rows)) => {
                let data = data.single().ok_or_else(|| self.unlike("one array".to_owned()))?;
                let [start, stop] = [rows.start, rows.end].map(|row| i64::try_from(row).ok());
                data.slice(&[Index::Range { start, stop, step: 1 }])?.for_each_block(sink)
            }
        }
    }

    /// Hands out elements of some indices of the first dimension, or of all, as they are but in an order.
    fn in_order(
        &self,
        rows: Option<Range<u64>>,
        (primitive, order): (Primitive, ByteOrder),
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let same = self.units().is_some_and(|(_, own, _)| own == order);
        let unit = if same { 1 } else { primitive.swap_unit() as usize };
        self.blocks(rows, &mut |bytes| sink(&swapped(bytes, unit)?))
    }

    /// The error for an array of another kind.
    fn unlike(&self, expected: String) -> Error {
        let (item, found) = (Default::default(), self.described().into());
        Error::WrongValue { item, expected: expected.into(), found }
    }

    /// The type of its elements in words.
    fn described(&self) -> String {
        match self {
            ArraySource::Npy(npy) => match &npy.descr {
                Descr::Plain { kind, size, rest, .. } => format!("one of `{kind}{size}{rest}`"),
                Descr::Struct(..) => "one of structs".to_owned(),
            },
            ArraySource::Data(data) => match data.first().dtype().primitive() {
                Some((primitive, _)) => format!("one of `{}`", primitive.name()),
                None => "one of structs".to_owned(),
            },
        }
    }
}

/// Times, as the attribute `numpy` says them.
fn time_of(descr: &Descr) -> Option<String> {
    match descr {
        Descr::Plain { kind: kind @ ('m' | 'M'), size, rest, .. } => {
            Some(format!("{kind}{size}{rest}"))
        }
        _ => None,
    }
}

fn said_time(attributes: &[Attribute]) -> Option<String> {
    let said = attributes.iter().find(|attribute| attribute.name == "numpy")?.text()?;
    said.starts_with(['m', 'M']).then(|| said.to_owned())
}

/// It gives its values to an item of any type that holds them exactly.
impl Typed for ArraySource {
    fn shape(&self) -> Vec<u64> {
        ArraySource::shape(self).to_vec()
    }

    fn check(&self, primitive: Primitive) -> Result<()> {
        match self.primitive() {
            Some((own, _)) if may_fit(own, primitive) => Ok(()),
            _ => Err(self.unlike(format!("an array that fits `{}`", primitive.name()))),
        }
    }

    fn encode(
        &self,
        primitive: Primitive,
        order: ByteOrder,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let Some((own, own_order)) = self.primitive() else { return Ok(()) };
        if own == primitive {
            return self.in_order(None, (primitive, order), sink);
        }
        let shape = ArraySource::shape(self);
        let mut recast = Recast::new((own, own_order), &shape, (primitive, order));
        self.blocks(None, &mut |block| recast.block(block, sink))?;
        recast.finish()
    }

    fn rows(&self, primitive: Primitive) -> Option<&dyn TypedRows> {
        let same = self.primitive().is_some_and(|(own, _)| own == primitive);
        if same && self.has_rows() { Some(self) } else { None }
    }
}

impl TypedRows for ArraySource {
    fn encode_rows(
        &self,
        rows: Range<u64>,
        primitive: Primitive,
        order: ByteOrder,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        self.in_order(Some(rows), (primitive, order), sink)
    }
}

/// An array as its elements are, for an item of the very same type: text as its units, times as integers, bytes
/// without a meaning as bytes.
pub struct Units(pub ArraySource);

impl Typed for Units {
    fn shape(&self) -> Vec<u64> {
        let units = self.0.units().and_then(|(_, _, units)| units);
        ArraySource::shape(&self.0).iter().copied().chain(units).collect()
    }

    fn check(&self, primitive: Primitive) -> Result<()> {
        match self.0.units() {
            Some((own, ..)) if own == primitive => Ok(()),
            _ => Err(self.0.unlike(format!("elements of `{}`", primitive.name()))),
        }
    }

    fn encode(
        &self,
        primitive: Primitive,
        order: ByteOrder,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        self.0.in_order(None, (primitive, order), sink)
    }

    fn rows(&self, _: Primitive) -> Option<&dyn TypedRows> {
        if self.0.has_rows() { Some(&self.0) } else { None }
    }
}
