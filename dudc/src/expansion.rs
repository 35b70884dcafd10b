//! How much more than it holds a file of ASDF may come to where its arrays are gone through: views may repeat elements.

use std::cell::RefCell;
use std::collections::HashSet;

use asdf_bridge::asdf::Array;
use clap::Args;

use crate::failure::{Failure, Result, printable};

/// What is taken of arrays that repeat what is stored.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Expansion {
    /// Takes arrays of ASDF files whatever they come to: by their strides a few bytes may stand for any number. Otherwise
    /// no more is taken of a file than 1 GiB, or 64 times the data of its blocks
    #[arg(long = "allow-expansion")]
    allowed: bool,
    #[arg(skip)]
    seen: RefCell<Seen>,
}

/// What was met so far.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// Bytes that are taken.
    taken: u64,
    /// Bytes that they are made of.
    stored: u64,
    /// Blocks that these are in, by their file and number.
    blocks: HashSet<(usize, usize)>,
}

/// So many bytes may be taken of anything.
const SMALL: u64 = 1 << 30;

/// So many times what is stored.
const TIMES: u64 = 64;

impl Expansion {
    /// As much of one more file.
    pub(crate) fn of_another(&self) -> Expansion {
        Expansion { allowed: self.allowed, ..Expansion::default() }
    }

    /// Adds so many bytes that are written or counted of an array under a path.
    ///
    /// # Errors
    /// If all comes to too much; what finding the block says.
    pub(crate) fn add(&self, array: &Array, bytes: u64, path: &str) -> Result<()> {
        let mut seen = self.seen.borrow_mut();
        seen.add_stored(array, bytes)?;
        seen.taken = seen.taken.saturating_add(bytes);
        if self.allowed || seen.taken <= seen.stored.saturating_mul(TIMES).max(SMALL) {
            return Ok(());
        }
        Err(Failure::input(format!(
            "`{}` has {bytes} bytes, and all that is asked for {} or more, where {} are stored: elements are repeated, or \
             not there; --allow-expansion takes them all, an .asdf of whole arrays keeps them as they are, and slices \
             pick parts",
            printable(path),
            seen.taken,
            seen.stored,
        )))
    }
}

impl Seen {
    /// Adds what is stored of an array of so many bytes.
    fn add_stored(&mut self, array: &Array, bytes: u64) -> Result<()> {
        let mut chunks = array.chunks().peekable();
        if chunks.peek().is_some() {
            return chunks.try_for_each(|chunk| {
                let count = chunk.shape().iter().fold(1_u64, |n, dim| n.saturating_mul(*dim));
                let size = chunk.datatype().size().unwrap_or(0);
                self.add_stored(chunk, count.saturating_mul(size))
            });
        }
        let Some((file, block)) = array.stored_in()? else {
            // The tree holds it, or says of which chunks it is put together: of none perhaps.
            let there = bytes.min(array.file().source().len());
            self.stored = self.stored.saturating_add(there);
            return Ok(());
        };
        let home = std::ptr::from_ref(file.source()).cast::<()>() as usize;
        if self.blocks.insert((home, block.index)) {
            let bytes = block.compression().map_or_else(|| block.used(), |_| block.decoded);
            self.stored = self.stored.saturating_add(bytes);
        }
        Ok(())
    }
}
