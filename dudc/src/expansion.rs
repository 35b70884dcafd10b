//! How large may an expanded array become? Views may repeat elements.

use std::cell::RefCell;
use std::collections::HashSet;

use clap::Args;
use dudley::model::Extent;

use crate::failure::{Failure, Result, printable};

/// The limit for arrays that repeat stored data.
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

/// The arrays so far.
#[derive(Clone, Debug, Default)]
struct Seen {
    /// Bytes that are taken.
    taken: u64,
    /// Bytes that they are made of.
    stored: u64,
    /// The counted blocks, by their file and number.
    extents: HashSet<(usize, usize)>,
}

/// Any file may expand to this many bytes.
const SMALL: u64 = 1 << 30;

/// A file may expand to this multiple of its stored data.
const TIMES: u64 = 64;

impl Expansion {
    /// As much of one more file.
    pub(crate) fn of_another(&self) -> Expansion {
        Expansion { allowed: self.allowed, ..Expansion::default() }
    }

    /// Adds this many bytes that are written or counted of an array under a path, of which that is stored.
    ///
    /// # Errors
    /// If the total is too large.
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
