//! Parts of items, rows and slices: written at their places, or kept with what came before.

use super::covered::Covered;
use super::given::Piece;
use super::writing::{Encode, Whole, Writing, collect};
use crate::bytes::region::Region;
use crate::elements::scatter::{Scatter, scatter};
use crate::error::{Error, Result};
use crate::read::item::Item;
use crate::read::slice::{Picked, place};

impl Writing {
    /// Writes rows of an array of fixed size from `first` on.
    pub(crate) fn put_part(
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
            return Err(self.shared().of_params(error, item));
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
    pub(crate) fn put_picked(
        &self,
        item: &Item,
        whole: &Whole,
        picked: &[Picked],
        encode: Encode<'_>,
    ) -> Result<()> {
        let Some(data) = &whole.data else {
            return self.keep_part(item, whole, picked, encode);
        };
        let shared = self.shared();
        let part = place(picked, data.address(), data.strides())?;
        let region = Region::new(part.address, &part.shape, &part.strides, whole.size)?;
        let mut elements = Scatter::new(&region);
        let written = encode(&mut |block| elements.push(block, &shared.target));
        written.and_then(|()| elements.finish()).map_err(|error| error.of_item(item.path()))?;
        self.cover(item, &whole.shape, picked)
    }

    /// Notes that what was picked of an item is at its place.
    pub(super) fn cover(&self, item: &Item, shape: &[u64], picked: &[Picked]) -> Result<()> {
        self.shared().target.check_open()?;
        self.shared().given().cover(item.path(), shape, |parts| parts.add(picked))
    }

    /// Keeps what was picked until the writer is finished.
    pub(super) fn keep_part(
        &self,
        item: &Item,
        whole: &Whole,
        picked: &[Picked],
        encode: Encode<'_>,
    ) -> Result<()> {
        self.shared().target.check_open()?;
        let part = collect(encode)?;
        let at = place(picked, 0, &crate::read::dtype::strides(&whole.shape, whole.size))?;
        let region = Region::new(at.address, &at.shape, &at.strides, whole.size)?;
        let mut given = self.shared().given();
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
