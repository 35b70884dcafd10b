//! How arrays are presented that are not stored row by row (spec 7.7): to the code that reads them, and to the code that writes them.

use std::borrow::Cow;
use std::sync::Arc;

use dudley_parser::resolve::{Presentation, Strided};

use crate::bytes::region::Region;
use crate::elements::buffer::zeros;
use crate::elements::gather::gather;
use crate::elements::scatter::scatter;
use crate::error::{Error, Item, Result};

/// How an array is presented; as it is stored, row by row, if that is all there is to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Presented(Option<Arc<Presentation>>);

impl Presented {
    pub(crate) fn new(presentation: Option<Presentation>) -> Presented {
        Presented(presentation.map(Arc::new))
    }

    /// The same, not looked at through a view.
    pub(crate) fn unviewed(&self) -> Presented {
        self.0.as_ref().map_or_else(Presented::default, |it| Presented::of(it.stored.clone()))
    }

    /// The same, as it is written.
    pub(crate) fn to_write(&self) -> Presented {
        self.0.as_ref().map_or_else(Presented::default, |it| Presented::of(it.written().clone()))
    }

    /// As something is whose elements, each once, are there.
    fn of(read: Strided) -> Presented {
        Presented::new(Some(Presentation { stored: read.clone(), read, is_whole: true }))
    }

    /// As something is that lies with these strides, its first element this many bytes behind where it begins.
    pub(crate) fn like(shape: &[u64], strides: &[i64], first: u64, size: u64) -> Presented {
        let rows = Strided::rows(shape.to_vec(), size);
        if rows.strides == strides {
            return Presented::default();
        }
        Presented::of(Strided { strides: strides.to_vec(), first, ..rows })
    }

    /// Checks that values say what is to be stored, where they come in the shape that they are read in.
    ///
    /// # Errors
    /// [`Error::WrongValue`] for a view that does not show each stored element once.
    pub(crate) fn check_whole(&self) -> Result<()> {
        let Some(it) = self.0.as_ref().filter(|it| !it.is_whole) else { return Ok(()) };
        let count = it.stored.shape.iter().fold(1, |all: u64, dim| all.saturating_mul(*dim));
        let values = if it.read.shape == it.stored.shape {
            String::new()
        } else {
            format!(", or give `pack` or a `Writer` all {count}")
        };
        Err(Error::WrongValue {
            item: Item::UNKNOWN,
            expected: "a view that shows each stored element once, so that it can be written"
                .into(),
            found: format!(
                "one of shape {:?} with strides of {:?} bytes, of {count} stored elements: write an item at the same \
                 address without `view_shape` instead{values}",
                it.read.shape, it.read.strides
            )
            .into(),
        })
    }

    /// What is said of it behind a type.
    pub(crate) fn said(&self) -> String {
        match &self.0 {
            Some(it) => format!(", strides {:?} from byte {}", it.read.strides, it.read.first),
            None => String::new(),
        }
    }

    /// Whether it is presented otherwise than it is stored.
    pub(crate) fn is_other(&self) -> bool {
        self.0.is_some()
    }

    /// The array as it is presented, with elements of this many bytes and the dimensions `shape`.
    pub(crate) fn read(&self, shape: &[u64], size: u64) -> Strided {
        match &self.0 {
            Some(presentation) => presentation.read.clone(),
            None => Strided::rows(shape.to_vec(), size),
        }
    }

    /// The shape that who writes it gives it in, as [`Self::read`].
    pub(crate) fn given<'s>(&'s self, shape: &'s [u64]) -> &'s [u64] {
        self.0.as_ref().map_or(shape, |presentation| &presentation.written().shape)
    }

    /// Where it is written to, as [`Self::read`].
    pub(crate) fn written(&self, shape: &[u64], size: u64) -> Strided {
        match &self.0 {
            Some(presentation) => presentation.written().clone(),
            None => Strided::rows(shape.to_vec(), size),
        }
    }

    /// Where it is without views, as [`Self::read`].
    pub(crate) fn unseen(&self, shape: &[u64], size: u64) -> Strided {
        match &self.0 {
            Some(presentation) => presentation.stored.clone(),
            None => Strided::rows(shape.to_vec(), size),
        }
    }

    /// That of a field of this shape, with elements of this many bytes, in all structs of an array.
    pub(crate) fn within(
        &self,
        (outer, outer_shape, record): (&Presented, &[u64], u64),
        (shape, size): (&[u64], u64),
    ) -> Presented {
        if !self.is_other() && !outer.is_other() {
            return Presented::default();
        }
        let join = |outer: Strided, inner: Strided| Strided {
            shape: [outer.shape, inner.shape].concat(),
            strides: [outer.strides, inner.strides].concat(),
            first: outer.first.saturating_add(inner.first),
        };
        let is_whole = |it: &Presented| it.0.as_ref().is_none_or(|it| it.is_whole);
        Presented::new(Some(Presentation {
            read: join(outer.read(outer_shape, record), self.read(shape, size)),
            stored: join(outer.unseen(outer_shape, record), self.unseen(shape, size)),
            is_whole: is_whole(outer) && is_whole(self),
        }))
    }

    /// Bytes from where the array begins to the element of indices 0 as it is presented.
    pub(crate) fn first(&self) -> u64 {
        self.0.as_ref().map_or(0, |presentation| presentation.read.first)
    }

    /// The elements that are written, in the bytes of the array, if they are not there row by row.
    fn region(&self, size: u64) -> Result<Option<Region>> {
        let Some(presentation) = &self.0 else { return Ok(None) };
        let Strided { shape, strides, first } = presentation.written();
        let region = Region::new(*first, shape, strides, size)?;
        Ok((!region.is_contiguous()).then_some(region))
    }

    /// Elements of this many bytes that are given row by row, as they are stored.
    ///
    /// # Errors
    /// [`Error::WrongLength`] if they are more or less than there should be.
    pub(crate) fn stored(&self, rows: Vec<u8>, size: u64) -> Result<Vec<u8>> {
        let Some(region) = self.region(size)?.filter(|_| !rows.is_empty()) else {
            return Ok(rows);
        };
        let mut room = zeros(rows.len() as u64)?;
        scatter(&rows, &region, &mut room)?;
        Ok(room)
    }

    /// As [`Self::stored`], of elements that someone gives.
    ///
    /// # Errors
    /// As that; [`Error::WrongValue`] if nobody can tell whether they are those that are stored, or those that a view shows.
    pub(crate) fn stored_of_given(&self, rows: Vec<u8>, size: u64) -> Result<Vec<u8>> {
        if self.0.as_ref().is_some_and(|it| it.read.shape == it.stored.shape) {
            self.check_whole()?;
        }
        self.stored(rows, size)
    }

    /// The reverse of [`Self::stored`].
    ///
    /// # Errors
    /// [`Error::Truncated`] if they are less than there should be.
    pub(crate) fn rows<'b>(&self, stored: &'b [u8], size: u64) -> Result<Cow<'b, [u8]>> {
        let Some(region) = self.region(size)?.filter(|_| !stored.is_empty()) else {
            return Ok(Cow::Borrowed(stored));
        };
        let mut rows = Vec::new();
        gather(stored, &region, &mut |block| {
            rows.extend_from_slice(block);
            Ok(())
        })?;
        Ok(Cow::Owned(rows))
    }
}
