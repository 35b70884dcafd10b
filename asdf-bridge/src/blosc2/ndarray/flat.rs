//! The elements of an array one after the other, in a frame without a shape; which filters suit elements.

use super::NewArray;
use crate::blosc2::encoding::refused;
use crate::blosc2::error::Result;
use crate::blosc2::filters::Filter;
use crate::blosc2::filters::lossy::Numbers;
use crate::blosc2::frame::NewFrame;

impl NewArray {
    /// A frame of its elements alone, one after the other, without shape and type: with its other metalayers, and
    /// chunks of as many elements, where they are said.
    ///
    /// ```
    /// use asdf_bridge::blosc2::{Frame, NewArray};
    ///
    /// let mut writer = NewArray::of::<u8>(&[2, 3])?.vlmeta("unit", b"\xa1K").memory()?;
    /// writer.write(&[1, 2, 3, 4, 5, 6])?;
    /// let array = Frame::from_source(writer.finish_bytes()?)?.array()?.expect("an array");
    ///
    /// let mut writer = NewArray::like(&array)?.flat()?.memory()?;
    /// writer.write_array(&array)?;
    /// let frame = Frame::from_source(writer.finish_bytes()?)?;
    /// assert_eq!((frame.read()?, frame.vlmeta("unit")?), (vec![1, 2, 3, 4, 5, 6], b"\xa1K".to_vec()));
    /// # Ok::<(), asdf_bridge::blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Range`](crate::blosc2::Error::Range) for filters that do not suit its elements.
    pub fn flat(mut self) -> Result<NewFrame> {
        self.check_filters()?;
        let encoding = &mut self.frame.encoding;
        // Cells are those of a shape. That filters of another array had some is no reason to refuse it.
        if encoding.filters == self.inherited {
            encoding.filters.retain(|it| !matches!(it, Filter::NdCell(_) | Filter::NdMean(_)));
        }
        encoding.blockshape.clear();
        let size = encoding.typesize as u64;
        let bytes = self.chunks.iter().try_fold(size, |bytes, dim| bytes.checked_mul(*dim));
        Ok(match bytes.and_then(|bytes| usize::try_from(bytes).ok()) {
            Some(bytes) if !self.chunks.is_empty() => self.frame.chunksize(bytes),
            _ => self.frame,
        })
    }

    /// Checks that filters which lose something are given what they are for.
    pub(super) fn check_filters(&self) -> Result<()> {
        let filters = &self.frame.encoding.filters;
        // What is lost by the filters of an array that is written anew was lost when it was written.
        if *filters == self.inherited {
            return Ok(());
        }
        let numbers = self.element.numbers();
        let mut lossy = filters.iter().filter_map(|filter| Some((filter, filter.simplifies()?)));
        match lossy.find(|(_, wanted)| numbers != Some(*wanted)) {
            Some((filter, wanted)) => {
                let dtype = &self.dtype;
                Err(refused(&format!("{filter} takes {wanted}, not `{dtype}`")))
            }
            None => Ok(()),
        }
    }
}

impl super::dtype::Type {
    /// Which numbers it is one of.
    fn numbers(&self) -> Option<Numbers> {
        let (primitive, order) = self.primitive().filter(|_| self.dims.is_empty())?;
        Numbers::of(primitive, order)
    }
}
