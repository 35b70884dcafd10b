//! How arrays are presented that are not stored row by row (spec 7.7): to who reads them, and to who writes them.

use std::borrow::Cow;
use std::sync::Arc;

use dudley_parser::resolve::{Presentation, Strided};

use crate::bytes::region::Region;
use crate::elements::buffer::zeros;
use crate::elements::gather::gather;
use crate::elements::scatter::scatter;
use crate::error::Result;

/// How an array is presented; as it is stored, row by row, if that is all there is to say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Presented(Option<Arc<Presentation>>);

impl Presented {
    pub(crate) fn new(presentation: Option<Presentation>) -> Presented {
        Presented(presentation.map(Arc::new))
    }

    /// The same, not looked at through a view.
    pub(crate) fn unviewed(&self) -> Presented {
        let Some(it) = &self.0 else { return Presented::default() };
        let written = it.written.clone();
        Presented::new(Some(Presentation { read: written.clone(), written }))
    }

    /// As something is that lies with these strides.
    pub(crate) fn like(shape: &[u64], strides: &[i64], size: u64) -> Presented {
        let rows = Strided::rows(shape.to_vec(), size);
        if rows.strides == strides {
            return Presented::default();
        }
        let read = Strided { strides: strides.to_vec(), ..rows };
        Presented::new(Some(Presentation { written: read.clone(), read }))
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

    /// What who reads it gets, of elements of so many bytes; `shape` is what it has then.
    pub(crate) fn read(&self, shape: &[u64], size: u64) -> Strided {
        match &self.0 {
            Some(presentation) => presentation.read.clone(),
            None => Strided::rows(shape.to_vec(), size),
        }
    }

    /// The shape that who writes it gives it in, as [`Self::read`].
    pub(crate) fn given<'s>(&'s self, shape: &'s [u64]) -> &'s [u64] {
        self.0.as_ref().map_or(shape, |presentation| &presentation.written.shape)
    }

    /// Where it is written to, as [`Self::read`].
    pub(crate) fn written(&self, shape: &[u64], size: u64) -> Strided {
        match &self.0 {
            Some(presentation) => presentation.written.clone(),
            None => Strided::rows(shape.to_vec(), size),
        }
    }

    /// That of a field of this shape, with elements of so many bytes, in all structs of an array.
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
        Presented::new(Some(Presentation {
            read: join(outer.read(outer_shape, record), self.read(shape, size)),
            written: join(outer.written(outer_shape, record), self.written(shape, size)),
        }))
    }

    /// Bytes from where the array begins to the element of indices 0, as who reads it gets it.
    pub(crate) fn first(&self) -> u64 {
        self.0.as_ref().map_or(0, |presentation| presentation.read.first)
    }

    /// The elements that are written, in the bytes of the array, if they are not there row by row.
    fn region(&self, size: u64) -> Result<Option<Region>> {
        let Some(presentation) = &self.0 else { return Ok(None) };
        let Strided { shape, strides, first } = &presentation.written;
        let region = Region::new(*first, shape, strides, size)?;
        Ok((!region.is_contiguous()).then_some(region))
    }

    /// Elements of so many bytes that are given row by row, as they are stored.
    ///
    /// # Errors
    /// [`crate::Error::WrongLength`] if they are more or less than there should be.
    pub(crate) fn stored(&self, rows: Vec<u8>, size: u64) -> Result<Vec<u8>> {
        let Some(region) = self.region(size)?.filter(|_| !rows.is_empty()) else {
            return Ok(rows);
        };
        let mut room = zeros(rows.len() as u64)?;
        scatter(&rows, &region, &mut room)?;
        Ok(room)
    }

    /// The reverse of [`Self::stored`].
    ///
    /// # Errors
    /// [`crate::Error::Truncated`] if they are less than there should be.
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
