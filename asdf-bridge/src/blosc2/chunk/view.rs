//! A block of which only some elements are wanted: seen where its bytes are, as far as that can be.

use super::Chunk;
use super::scratch::Scratch;
use crate::blosc2::error::{Error, Part, Result};
use crate::blosc2::memory;

/// The decoded bytes of a block.
pub(crate) enum View<'v> {
    /// In their order.
    Bytes(&'v [u8]),
    /// The first bytes of all elements, the second ones, and so on.
    Planes(Vec<&'v [u8]>),
}

/// Elements for each one that is wanted, from which on it is not worth bringing all of them together.
const SPARSE: usize = 8;

impl Chunk<'_> {
    /// A block of which `count` elements of `size` bytes are wanted, all of them before `end`. What is
    /// behind that is unspecified.
    ///
    /// # Errors
    /// If decoding the block fails.
    pub(crate) fn view<'v>(
        &'v self,
        block: usize,
        (count, end, size): (usize, usize, usize),
        scratch: &'v mut Scratch,
    ) -> Result<View<'v>> {
        let range = self.block_range(block);
        if self.header.stored {
            let start = self.header.len + range.start;
            let end = start + range.len().min(end.saturating_mul(size));
            let bytes = self.stored.get_in(start..end, Part::Stream, &mut scratch.stored)?;
            return Ok(View::Bytes(bytes));
        }
        memory::within(range.len() as u64, self.limit)?;
        let sparse = count.saturating_mul(SPARSE) <= range.len() / size.max(1);
        if let Ok(pipeline) = &self.pipeline
            && sparse
            && size == self.header.typesize
            && self.header.special.is_none()
            && self.has_planes(block, pipeline)
        {
            let codec = *self.codec.as_ref().map_err(Error::again)?;
            let ([room, _], work) = scratch.work(codec);
            memory::resize(room, range.len())?;
            return Ok(View::Planes(self.planes(block, end, room, work)?));
        }
        let mut whole = scratch.take(range.len())?;
        let decoded = scratch.cached(|scratch| self.decode_block(block, &mut whole, scratch));
        let whole = scratch.give_back(whole);
        decoded.map(|()| View::Bytes(whole))
    }
}
