//! Blocks by their index: headers of many are looked at by several threads, in any order.
//!
//! The index only says where to look. What it lists is taken if each header is sound and its block ends
//! where the next one begins, which is the chain that a walk would go; else nothing is, and walking
//! finds what is wrong.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use super::super::form::{self, LONGEST};
use super::{Blocks, Slot, Verdict, Walk, index};
use crate::asdf::error::Result;

/// Fewer blocks are walked as fast.
pub(super) const MANY: usize = 1024;

/// Blocks that a thread looks at in one go.
const SHARE: usize = 512;

impl Blocks {
    /// Takes the blocks that the index lists, from the first one on.
    pub(super) fn listed(&self, walk: &mut Walk, first: u64) -> Result<()> {
        if !index::is_last(&*self.source)? {
            return Ok(());
        }
        let Some(index) = self.load_index(walk)? else { return Ok(()) };
        let (offsets, end) = (&index.offsets[..], index.address);
        if offsets.len() < MANY || offsets.first() != Some(&first) {
            return Ok(());
        }
        let fine = AtomicBool::new(true);
        let found = Mutex::new(Vec::with_capacity(offsets.len().div_ceil(SHARE)));
        let shares = offsets.chunks(SHARE).enumerate();
        self.work.share(shares, |(share, here)| {
            let from = share * SHARE;
            let behind = offsets.get(from + here.len()).copied().unwrap_or(end);
            let ends = here.iter().skip(1).copied().chain([behind]);
            let blocks = here.iter().zip(ends).enumerate();
            let blocks = blocks.map(|(at, (here, end))| self.plain(from + at, *here, end));
            match blocks.collect::<Option<Vec<_>>>() {
                Some(blocks) => {
                    found.lock().unwrap_or_else(PoisonError::into_inner).push((share, blocks));
                }
                None => fine.store(false, Ordering::Relaxed),
            }
            fine.load(Ordering::Relaxed)
        });
        if fine.into_inner() {
            let mut shares = found.into_inner().unwrap_or_else(PoisonError::into_inner);
            shares.sort_unstable_by_key(|(share, _)| *share);
            walk.found = shares.into_iter().flat_map(|(_, blocks)| blocks).collect();
            walk.next = Some(end);
        }
        Ok(())
    }

    /// The block at an address, if it has nothing to be told and ends where it should.
    fn plain(&self, index: usize, at: u64, end: u64) -> Option<Slot> {
        if at >= end || end > self.source.len() {
            return None;
        }
        let mut head = [0; LONGEST];
        let head = self.head(at, &mut head).ok().filter(|head| self.dialect.is_magic(head))?;
        let fields = form::read(self.dialect, head);
        let sound = matches!(self.judge(&fields, at), Ok(Verdict::Sound));
        let block = self.block(index, at, &fields).ok()?;
        let sizes =
            block.compression().is_some() || fields.decoded.is_none_or(|it| it == block.used());
        // Neither overflows: `judge` has seen to that.
        let fits = sound
            && !block.is_streamed()
            && sizes
            && block.data.end + (fields.allocated - fields.used) == end;
        fits.then(|| Slot::Block(Arc::new(block)))
    }
}
