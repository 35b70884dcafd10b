//! Parts of items, rows and slices: written at their places, or kept with what came before.

use ndarray::{ArrayViewD, SliceInfoElem};

use super::constants::encode;
use super::covered::Covered;
use super::given::Piece;
use super::slice::{indices, sliced_shape};
use super::writing::{Encode, Whole, Writing};
use crate::bytes::region::Region;
use crate::elements::element::Element;
use crate::elements::record::Record;
use crate::elements::scatter::{Scatter, scatter};
use crate::encode::input::Input;
use crate::encode::pass::same_shape;
use crate::error::{Error, Result};
use crate::read::item::Item;
use crate::read::slice::{Picked, place};

impl Writing {
    pub(super) fn put_rows<T: Element>(
        &self,
        item: &Item,
        first: u64,
        view: ArrayViewD<'_, T>,
    ) -> Result<()> {
        let whole = self.shared.whole(item)?;
        let (primitive, order) = whole.primitive_of::<T>(item)?;
        let shape: Vec<u64> = view.shape().iter().map(|dim| *dim as u64).collect();
        let Input::Typed(typed) = Input::elements(view) else { return Ok(()) };
        self.put_part(item, &whole, first, &shape, &mut |put| typed.encode(primitive, order, put))
    }

    /// Writes what a slice picks.
    pub(super) fn put_slice<T: Element>(
        &self,
        item: &Item,
        slice: &[SliceInfoElem],
        view: ArrayViewD<'_, T>,
    ) -> Result<()> {
        let whole = self.shared.whole(item)?;
        let (primitive, order) = whole.primitive_of::<T>(item)?;
        let picked = self.picked(item, &whole, slice, view.shape())?;
        let Input::Typed(typed) = Input::elements(view) else { return Ok(()) };
        self.put_picked(item, &whole, &picked, &mut |put| typed.encode(primitive, order, put))
    }

    /// What a slice picks of an item, if it is of the shape of the values.
    fn picked(
        &self,
        item: &Item,
        whole: &Whole,
        slice: &[SliceInfoElem],
        values: &[usize],
    ) -> Result<Vec<Picked>> {
        let named = |error: Error| error.of_item(item.path());
        let indices = indices(slice, &whole.shape).map_err(named)?;
        let picked = crate::read::slice::resolve(&indices, &whole.shape).map_err(named)?;
        let left = picked.iter().filter(|pick| !pick.single).map(|pick| pick.count);
        let expected = sliced_shape(slice, &left.collect::<Vec<u64>>());
        let found: Vec<u64> = values.iter().map(|dim| *dim as u64).collect();
        match same_shape(item.path(), &expected, &found) {
            Ok(()) => Ok(picked),
            Err(error) => Err(self.shared.of_params(error, item)),
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
        let whole = self.shared.whole(item)?;
        let picked = self.picked(item, &whole, slice, records.shape())?;
        self.put_picked(item, &whole, &picked, &mut |put| encode(&records, order, &constants, put))
    }

    /// Writes rows of an array of fixed size from `first` on.
    pub(super) fn put_part(
        &self,
        item: &Item,
        whole: &Whole,
        first: u64,
        shape: &[u64],
        encode: Encode<'_>,
    ) -> Result<()> {
        let (Some((all, inner)), Some((rows, found))) =
            (whole.shape.split_first(), shape.split_first())
        else {
            return Err(Error::wrong_shape(item.path(), &whole.shape, shape));
        };
        if inner != found {
            let expected: Vec<u64> = std::iter::once(*rows).chain(inner.iter().copied()).collect();
            let error = Error::wrong_shape(item.path(), &expected, shape);
            return Err(self.shared.of_params(error, item));
        }
        if first.checked_add(*rows).is_none_or(|end| end > *all) {
            let why = format!("rows {first} to {} of {all}", first.saturating_add(*rows));
            return Err(Error::BadSlice {
                item: crate::error::Item::new(item.path()),
                why: why.into(),
            });
        }
        let all = |dim: &u64| Picked { start: 0, count: *dim, step: 1, single: false };
        let rows = Picked { start: first, count: *rows, step: 1, single: false };
        let picked: Vec<Picked> = std::iter::once(rows).chain(inner.iter().map(all)).collect();
        self.put_picked(item, whole, &picked, encode)
    }

    /// Writes what was picked of an array of fixed size.
    fn put_picked(
        &self,
        item: &Item,
        whole: &Whole,
        picked: &[Picked],
        encode: Encode<'_>,
    ) -> Result<()> {
        let Some(data) = &whole.data else {
            return self.keep_part(item, whole, picked, encode);
        };
        let shared = &*self.shared;
        let part = place(picked, data.address(), data.strides())?;
        let region = Region::new(part.address, &part.shape, &part.strides, whole.size)?;
        let mut elements = Scatter::new(&region);
        let written = encode(&mut |block| elements.push(block, &shared.target));
        written.and_then(|()| elements.finish()).map_err(|error| error.of_item(item.path()))?;
        shared.target.check_open()?;
        let mut given = shared.given();
        match given.items.get_mut(item.path()) {
            Some(Piece::Parts(parts)) => parts.add(picked),
            Some(other) => {
                *other = Piece::Written;
                Ok(())
            }
            None => {
                let mut parts = Covered::new(&whole.shape)?;
                parts.add(picked)?;
                given.items.insert(item.path().to_owned(), Piece::Parts(parts));
                Ok(())
            }
        }
    }

    /// Keeps what was picked until the writer is finished.
    fn keep_part(
        &self,
        item: &Item,
        whole: &Whole,
        picked: &[Picked],
        encode: Encode<'_>,
    ) -> Result<()> {
        self.shared.target.check_open()?;
        let mut part = Vec::new();
        encode(&mut |block| {
            part.extend_from_slice(block);
            Ok(())
        })?;
        let at = place(picked, 0, &crate::read::dtype::strides(&whole.shape, whole.size))?;
        let region = Region::new(at.address, &at.shape, &at.strides, whole.size)?;
        let mut given = self.shared.given();
        let kept = given.items.entry(item.path().to_owned()).or_insert(Piece::Written);
        if !matches!(kept, Piece::Encoded { .. }) {
            let size = whole.shape.iter().fold(whole.size, |size, dim| size.saturating_mul(*dim));
            let bytes = crate::elements::buffer::zeros(size)?;
            let parts = Some(Covered::new(&whole.shape)?);
            *kept = Piece::Encoded { bytes, shape: whole.shape.clone(), parts };
        }
        if let Piece::Encoded { bytes, parts, .. } = kept {
            scatter(&part, &region, bytes).map_err(|error| error.of_item(item.path()))?;
            if let Some(parts) = parts {
                parts.add(picked)?;
            }
        }
        Ok(())
    }
}
