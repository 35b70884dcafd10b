//! Elements and records of Rust types on their way to items: whole ones, rows, and slices as `ndarray` writes them.

use dudley_parser::layout::dtype::ByteOrder;
use ndarray::{ArrayViewD, SliceInfoElem};

use super::Handle;
use super::constants::{Constants, encode};
use super::slice::{indices, sliced_shape};
use crate::create::writing::{Whole, Writing};
use crate::elements::element::Element;
use crate::elements::record::{Bytes, Record};
use crate::encode::input::{Input, Typed};
use crate::encode::pass::{primitive_of, same_shape};
use crate::error::{Error, Result};
use crate::read::item::Item;
use crate::read::slice::Picked;

impl Handle<Writing> {
    pub(super) fn put_typed(&self, typed: &dyn Typed) -> Result<()> {
        if let Some((record, at)) = self.in_record()
            && record.put(at, &mut |blank, part, bytes| blank.put(part, typed, bytes))
        {
            return Ok(());
        }
        self.mode.put_typed(self.item()?, typed)
    }

    pub(super) fn put_records<R: Record>(&self, records: ArrayViewD<'_, R>) -> Result<()> {
        if let (Some((record, at)), Some(one)) = (self.in_record(), records.first())
            && records.ndim() == 0
            && record.put(at, &mut |blank, part, bytes| blank.put_record(part, one, bytes))
        {
            return Ok(());
        }
        self.mode.put_records(self.item()?, None, records)
    }
}

impl Writing {
    pub(super) fn put_rows<T: Element>(
        &self,
        item: &Item,
        first: u64,
        view: ArrayViewD<'_, T>,
    ) -> Result<()> {
        let whole = self.shared().whole(item)?;
        let Input::Typed(typed) = Input::elements(view) else { return Ok(()) };
        let (primitive, order) = primitive_of(item.path(), &*typed, &whole.dtype)?;
        let shape = typed.shape();
        self.put_part(item, &whole, first, &shape, &mut |put| typed.encode(primitive, order, put))
    }

    /// Writes what a slice picks.
    pub(super) fn put_slice<T: Element>(
        &self,
        item: &Item,
        slice: &[SliceInfoElem],
        view: ArrayViewD<'_, T>,
    ) -> Result<()> {
        let whole = self.shared().whole(item)?;
        let Input::Typed(typed) = Input::elements(view) else { return Ok(()) };
        let (primitive, order) = primitive_of(item.path(), &*typed, &whole.dtype)?;
        let picked = self.picked(item, &whole, slice, &typed.shape())?;
        self.put_picked(item, &whole, &picked, &mut |put| typed.encode(primitive, order, put))
    }

    pub(super) fn put_records<R: Record>(
        &self,
        item: &Item,
        first: Option<u64>,
        records: ArrayViewD<'_, R>,
    ) -> Result<()> {
        let (order, constants) = self.encoding_of::<R>(item)?;
        let shape = lengths(records.shape());
        let mut encode_to =
            |put: &mut dyn FnMut(&[u8]) -> Result<()>| encode(&records, order, &constants, put);
        match first {
            None => self.put_encoded(item, shape, &mut encode_to),
            Some(first) => {
                let whole = self.shared().whole(item)?;
                self.put_part(item, &whole, first, &shape, &mut encode_to)
            }
        }
    }

    /// Writes the records that a slice picks.
    pub(super) fn put_records_slice<R: Record>(
        &self,
        item: &Item,
        slice: &[SliceInfoElem],
        records: ArrayViewD<'_, R>,
    ) -> Result<()> {
        let (order, constants) = self.encoding_of::<R>(item)?;
        let whole = self.shared().whole(item)?;
        let picked = self.picked(item, &whole, slice, &lengths(records.shape()))?;
        self.put_picked(item, &whole, &picked, &mut |put| encode(&records, order, &constants, put))
    }

    /// How records of type `R` are written to an item, if they are of its size.
    fn encoding_of<R: Record>(&self, item: &Item) -> Result<(ByteOrder, Constants)> {
        let record = item.record()?;
        if record.size != R::Bytes::LEN as u64 {
            return Err(Error::wrong_length(R::Bytes::LEN as u64, record.size).of_item(item.path()));
        }
        let plan = self.plan();
        Ok((plan.order(), Constants::of(plan, &record)?))
    }

    /// What a slice picks of an item, if it is of the shape of the values.
    fn picked(
        &self,
        item: &Item,
        whole: &Whole,
        slice: &[SliceInfoElem],
        values: &[u64],
    ) -> Result<Vec<Picked>> {
        let named = |error: Error| error.of_item(item.path());
        let indices = indices(slice, &whole.shape).map_err(named)?;
        let picked = crate::read::slice::resolve(&indices, &whole.shape).map_err(named)?;
        let left = picked.iter().filter(|pick| !pick.single).map(|pick| pick.count);
        let expected = sliced_shape(slice, &left.collect::<Vec<u64>>());
        match same_shape(item.path(), &expected, values) {
            Ok(()) => Ok(picked),
            Err(error) => Err(self.shared().of_params(error, item)),
        }
    }
}

fn lengths(shape: &[usize]) -> Vec<u64> {
    shape.iter().map(|dim| *dim as u64).collect()
}
