//! How much more than it holds a file may come to where its arrays are gone through: views may repeat elements.

use std::cell::RefCell;
use std::collections::HashSet;

use clap::Args;
use dudley::model::Extent;

use crate::failure::{Failure, Result, printable};

/// What is taken of arrays that repeat what is stored.
#[derive(Args, Clone, Debug, Default)]
pub(crate) struct Expansion {
    /// Expands arrays of ASDF files to any size. Through strides, a few bytes can stand for any
    /// number of elements; without this option, a file may expand to at most 1 GiB, or 64 times the
    /// data of its blocks
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
    /// Those that were met, by their file and number.
    extents: HashSet<(usize, usize)>,
}

/// This many bytes may be taken of anything.
const SMALL: u64 = 1 << 30;

/// This many times what is stored.
const TIMES: u64 = 64;

impl Expansion {
    /// As much of one more file.
    pub(crate) fn of_another(&self) -> Expansion {
        Expansion { allowed: self.allowed, ..Expansion::default() }
    }

    /// Adds this many bytes that are written or counted of an array under a path, of which that is stored.
    ///
    /// # Errors
    /// If all comes to too much.
    pub(crate) fn add(&self, stored: &[Extent], bytes: u64, path: &str) -> Result<()> {
        let mut seen = self.seen.borrow_mut();
        for extent in stored {
            if extent.id.is_none_or(|id| seen.extents.insert(id)) {
                seen.stored = seen.stored.saturating_add(extent.bytes);
            }
        }
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
