//! The bytes of an array whose elements are not those of the stream as they are stored: decoded, or joined of blocks.

use std::borrow::Cow;
use std::sync::Arc;

use super::Data;
use super::in_blocks::InBlocks;
use crate::bytes::scratch::give_scratch;
use crate::bytes::source::{Source, Window};
use crate::error::Result;
use crate::read::dtype::Filtered;
use crate::read::stream::read_bytes;

/// Bytes that are not those of the stream.
#[derive(Clone)]
pub(crate) enum Decoded {
    /// What a filter made of stored ones.
    Filtered(Arc<Vec<u8>>),
    /// What a filter makes of them when they are read.
    Opened(Arc<dyn Source>),
    /// The chunks of an array in blocks (spec 7.5).
    Blocks(Arc<InBlocks>),
}

impl std::fmt::Debug for Decoded {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Decoded::Filtered(bytes) => write!(out, "Filtered({} bytes)", bytes.len()),
            Decoded::Opened(source) => write!(out, "Opened({} bytes)", source.len()),
            Decoded::Blocks(blocks) => blocks.fmt(out),
        }
    }
}

impl Decoded {
    pub(super) fn source(&self) -> &dyn Source {
        match self {
            Decoded::Filtered(bytes) => &**bytes,
            Decoded::Opened(source) => &**source,
            Decoded::Blocks(blocks) => &**blocks,
        }
    }
}

impl Data {
    /// The same array with its filter undone, or the array itself.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[2, 2]")?.raw().bytes([0, 1, 0, 2, 0, 3, 0, 4])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert_eq!(data.decoded()?.read::<u16>()?, data.read::<u16>()?);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::Filter`] and [`crate::Error::UnknownFilter`]; if reading the stream fails.
    pub fn decoded(&self) -> Result<Data> {
        self.as_decoded().map(Cow::into_owned)
    }

    /// As [`Self::decoded`], without a copy of an array that has no filter.
    pub(crate) fn as_decoded(&self) -> Result<Cow<'_, Data>> {
        let Some(filter) = self.filter.as_ref().filter(|_| self.decoded.is_none()) else {
            return Ok(Cow::Borrowed(self));
        };
        let decoded = self.undo(filter).map_err(|error| error.of_item(&self.path))?;
        let address = self.presented.first();
        Ok(Cow::Owned(Data { decoded: Some(decoded), address, ..self.clone() }))
    }

    fn undo(&self, filter: &Filtered) -> Result<Decoded> {
        if self.bytes == 0 && filter.skip > 0 {
            return Ok(Decoded::Filtered(Arc::default()));
        }
        if let Some(source) = self.opened(filter)? {
            return Ok(Decoded::Opened(source));
        }
        let (address, stored) = self.stored_bytes(filter);
        let stored = read_bytes(self.stream.source(), address, stored)?;
        let decoded = filter.decode(&self.stream.inner.filters, address, &stored);
        give_scratch(stored);
        decoded.map(|bytes| Decoded::Filtered(Arc::new(bytes)))
    }

    /// The address and the number of the stored bytes of a filter.
    fn stored_bytes(&self, filter: &Filtered) -> (u64, u64) {
        (self.begin() + filter.skip, self.bytes - filter.skip)
    }

    /// What the filter makes of them when they are read, if it makes it in no other way.
    fn opened(&self, filter: &Filtered) -> Result<Option<Arc<dyn Source>>> {
        let inner = &self.stream.inner;
        filter.by_address(&inner.filters, &inner.source, self.stored_bytes(filter))
    }

    /// Checks what the elements are read from, if they are read by address and have more bytes than `most`; `None` if
    /// not.
    pub(crate) fn check_sources(&self, most: u64) -> Option<Result<()>> {
        let source = self.opened(self.filter.as_ref()?).ok()??;
        let is_large = source.len() > most;
        is_large.then(|| source.check_sources().map_err(|error| error.of_item(&self.path)))
    }

    /// The bytes of all elements by address, from 0 on, row by row: nothing is read before they are. `None` if they are
    /// not side by side.
    ///
    /// # Errors
    /// As [`Self::raw`].
    ///
    /// ```
    /// use dudley::bytes::Source;
    ///
    /// let stream = dudley::Open::new().layout_text("n = u1  x = u1[3]")?.raw().bytes([9, 1, 2, 3])?;
    /// let x = stream.get("/x")?.data()?.by_address()?.expect("side by side");
    /// let mut last = [0];
    /// x.read_at(2, &mut last)?;
    /// assert_eq!((x.len(), last), (3, [3]));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn by_address(&self) -> Result<Option<Arc<dyn Source>>> {
        let data = self.decoded()?;
        let region = data.region()?;
        if !region.is_contiguous() {
            return Ok(None);
        }
        let source: Arc<dyn Source> = match data.decoded {
            Some(Decoded::Filtered(bytes)) => bytes,
            Some(Decoded::Opened(source)) => source,
            Some(Decoded::Blocks(blocks)) => blocks,
            None => data.stream.inner.source.clone(),
        };
        let from = if region.is_empty() { 0 } else { data.address };
        let window = Window::new(source, from, region.byte_len());
        Ok(Some(Arc::new(window.map_err(|error| error.of_item(&self.path))?)))
    }
}
