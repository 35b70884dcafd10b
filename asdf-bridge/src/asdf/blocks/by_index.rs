//! Blocks by their index: headers of many are read together, by several threads, in any order.
//!
//! The index only says where to look. What it lists is taken if each header is sound and its block ends
//! where the next one begins, which is the chain that a walk would go; else nothing is, and walking
//! finds what is wrong.

use std::sync::atomic::{AtomicBool, Ordering};

use super::super::form::LONGEST;
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
        // Each is put where it stays: new memory costs more than to look at a header.
        let empty = Slot::Bad { address: 0, expected: String::new(), found: String::new() };
        let mut found = vec![empty; offsets.len()];
        let shares = offsets.chunks(SHARE).zip(found.chunks_mut(SHARE)).enumerate();
        self.work.share(shares, |(share, (here, slots))| {
            let from = share * SHARE;
            let behind = offsets.get(from + here.len()).copied().unwrap_or(end);
            if self.plain(from, here, behind, slots).is_none() {
                fine.store(false, Ordering::Relaxed);
            }
            fine.load(Ordering::Relaxed)
        });
        if fine.into_inner() {
            walk.found = found;
            walk.next = Some(end);
        }
        Ok(())
    }

    /// Puts the blocks at some addresses into as many slots, the first of which has a number; `None` if there is
    /// something to report about them, or one does not end where the next one begins, the last one at `behind`.
    fn plain(&self, number: usize, at: &[u64], behind: u64, slots: &mut [Slot]) -> Option<()> {
        // The addresses are sorted if all are in front of what follows them.
        let ends = at.iter().skip(1).copied().chain([behind]);
        let last = self.source.len().checked_sub(LONGEST as u64)?;
        if at.iter().zip(ends.clone()).any(|(at, end)| *at >= end || *at > last) {
            return None;
        }
        // All of them first: memory is waited for less if much is asked of it.
        let mut heads = vec![[0; LONGEST]; at.len()];
        let ranges = at.iter().zip(&mut heads).map(|(at, head)| (*at, &mut head[..]));
        self.source.read_ranges(&mut ranges.collect::<Vec<_>>()).ok()?;
        let found = at.iter().zip(ends).zip(&heads).zip(slots).enumerate();
        for (index, (((at, end), head), slot)) in found {
            *slot = self.plain_block(number + index, *at, end, head)?;
        }
        Some(())
    }

    fn plain_block(&self, number: usize, at: u64, end: u64, head: &[u8]) -> Option<Slot> {
        if !self.dialect.is_magic(head) {
            return None;
        }
        let fields = self.read(at, head);
        let sound = matches!(self.judge(&fields, at), Ok(Verdict::Sound));
        let block = self.block(number, at, &fields).ok()?;
        let sizes = block.label != [0; 4] || fields.decoded.is_none_or(|it| it == block.used());
        // Neither overflows: `judge` has seen to that.
        let fits = sound
            && !block.is_streamed()
            && sizes
            && block.data.end + (fields.allocated - fields.used) == end;
        fits.then_some(Slot::Block(block))
    }
}
