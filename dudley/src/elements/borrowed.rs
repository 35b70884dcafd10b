//! Borrowed parts of a file: where do views point if the elements are not in memory?

use std::sync::OnceLock;

use dudley_parser::layout::dtype::ByteOrder;

use crate::bytes::region::Region;
use crate::bytes::source::{self, Source};
use crate::bytes::work::Work;
use crate::elements::{buffer, cast, gather, load};
use crate::error::{Result, to_usize};

/// A place for the bytes of one region, read the first time that they are lent, and kept for as long as this lives.
///
/// Clones have nothing yet.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// Aligned for every type of element.
    words: OnceLock<Box<[u64]>>,
}

impl Clone for Kept {
    fn clone(&self) -> Kept {
        Kept::default()
    }
}

impl Kept {
    /// The bytes of a region whose elements lie side by side: where they are, if they are in memory, else read to be
    /// kept here.
    ///
    /// # Errors
    /// [`Truncated`](crate::Error::Truncated); if they cannot be read.
    pub(crate) fn bytes<'s>(
        &'s self,
        work: &Work,
        source: &'s dyn Source,
        region: &Region,
    ) -> Result<&'s [u8]> {
        let length = region.byte_len();
        if length == 0 {
            return Ok(&[]);
        }
        if let Some(all) = source.load()? {
            return source::slice(all, region.span().start, length);
        }
        let words = match self.words.get() {
            Some(words) => words,
            None => {
                gather::within(source, region)?;
                let plain = Region::contiguous(region.span().start, &[length], 1)?;
                let mut words = buffer::zeros::<u64>(length.div_ceil(size_of::<u64>() as u64))?;
                let (bytes, _) = cast::bytes_mut(&mut words).split_at_mut(to_usize(length)?);
                // Single bytes have no order.
                load::into(work, source, &plain, ByteOrder::Little, bytes)?;
                self.words.get_or_init(|| words.into_boxed_slice())
            }
        };
        source::slice(cast::bytes(words), 0, length)
    }
}
