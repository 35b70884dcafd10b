//! Which blocks are gone where the index lists more than there are, so that the others keep their numbers.
//!
//! An index says how long each block was but the last: so far is it to the next one. Blocks that are there are as long
//! as they were, and stand in the same order. But an index may list what never was: where all are there as far as the
//! blocks and the tree tell, they count.

use super::super::block_use;
use super::super::error::Result;
use super::super::report::Code;
use super::super::tree::Tree;
use super::index::{Index, IndexState};
use super::{Blocks, Slot, Walk, count, search};

/// More blocks than these are not looked for: an index is no proof that there were that many.
const MOST_GONE: usize = 1 << 16;

/// The number of a block that is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Number {
    /// The least that it can have.
    least: usize,
    /// Whether it can have no other.
    certain: bool,
}

/// The numbers of the blocks that are there, if the index stands where these end and lists more: some are gone. Where
/// what it lists does not fit them, they are counted, and none is certain.
fn numbers(index: &Index, blocks: &[u64], at: Option<u64>) -> Option<Vec<Number>> {
    let listed = &index.offsets;
    if at != Some(index.address) || listed.len() <= blocks.len() {
        return None;
    }
    let counted = || (0..blocks.len()).map(|least| Number { least, certain: false }).collect();
    if listed.len() - blocks.len() > MOST_GONE {
        return Some(counted());
    }
    let end = |at: usize| blocks.get(at + 1).copied().unwrap_or(index.address);
    // Nothing tells how long the last one was that is listed.
    let fits = |block: usize, number: usize| {
        let next = listed.get(number + 1);
        next.is_none_or(|next| {
            next.checked_sub(listed[number]) == end(block).checked_sub(blocks[block])
        })
    };
    let mut next = 0;
    let least = (0..blocks.len()).map(|block| {
        let number = (next..listed.len()).find(|number| fits(block, *number))?;
        next = number + 1;
        Some(number)
    });
    let Some(least) = least.collect::<Option<Vec<_>>>() else {
        return Some(counted());
    };
    // What fits from the front fits from the back.
    let mut end = listed.len();
    let mut numbers: Vec<Number> = least
        .iter()
        .enumerate()
        .rev()
        .map(|(block, least)| {
            let greatest = (*least..end).rev().find(|number| fits(block, *number));
            end = greatest.unwrap_or(*least);
            Number { least: *least, certain: greatest == Some(*least) }
        })
        .collect();
    numbers.reverse();
    Some(numbers)
}

impl Blocks {
    /// Gives blocks the numbers that they had, and finds bad those that are gone. `at` is where the index must stand.
    pub(super) fn number(&self, walk: &mut Walk, at: Option<u64>) {
        let Some(index) = walk.index.clone().flatten() else { return };
        let found: Vec<u64> = walk.found.iter().map(Slot::address).collect();
        let Some(numbers) = numbers(&index, &found, at) else { return };
        // Last, since the tree has to be parsed for it.
        if self.is_complete(walk) {
            return;
        }
        for finding in &mut walk.report.findings {
            let number = finding.block.and_then(|block| numbers.get(block));
            finding.block = number.map(|number| number.least).or(finding.block);
        }
        let there = std::mem::take(&mut walk.found);
        for (mut slot, Number { least, certain }) in there.into_iter().zip(numbers) {
            lost(walk, &index, least, slot.address());
            if let Slot::Block(block) = &mut slot {
                block.index = least;
            }
            if !certain {
                let (listed, found) = (index.offsets.len(), found.len());
                let reason = format!(
                    "expected {}, as the index has them, found {found}: some are lost, and this may be another one",
                    count(listed, "block")
                );
                walk.report.add_block(Code::MissingBlock, slot.address(), least, reason);
            }
            walk.found.push(slot);
        }
        let most = walk.found.len().saturating_add(MOST_GONE);
        lost(walk, &index, index.offsets.len().min(most), index.address);
    }

    /// Whether the chain of the blocks is whole, and has all that the tree names.
    fn is_complete(&self, walk: &Walk) -> bool {
        let mut codes = walk.report.findings.iter().map(|finding| finding.code);
        if codes.any(|code| code.is_gap()) {
            return false;
        }
        let beyond = |tree: &Result<Tree>| block_use::beyond(tree.as_ref().ok()?, walk.found.len());
        self.tree.get().and_then(beyond).is_none()
    }

    /// Whether the index says that a block has its number, and nothing speaks against it, as far as is known without
    /// a walk to the last one.
    pub(crate) fn is_certain(&self, number: usize) -> Result<bool> {
        let mut walk = self.walk();
        if walk.done {
            return Ok(matches!(walk.state, Some(IndexState::Good { .. })));
        }
        if !super::index::is_last(&*self.source)? {
            return Ok(false);
        }
        let Some(index) = self.load_index(&mut walk)? else { return Ok(false) };
        let (listed, there) = (&index.offsets, walk.found.len());
        let new = walk.found[walk.listed..].iter().map(Slot::address);
        if number >= there || !new.eq(listed.iter().copied().take(there).skip(walk.listed)) {
            return Ok(false);
        }
        walk.listed = there;
        Ok(!walk.all && walk.report.is_clean())
    }

    /// Whether nothing speaks against the index as far as can be seen from both ends: the first block is where it has
    /// it, and the last one that it lists ends where it stands. Else some may be gone, which only all of them tell.
    pub(super) fn is_in_step(&self, walk: &mut Walk, first: u64) -> Result<bool> {
        if !super::index::is_last(&*self.source)? {
            return Ok(true);
        }
        let Some(index) = self.load_index(walk)? else { return Ok(true) };
        let Some(last) = index.offsets.last().copied() else { return Ok(true) };
        if index.offsets.first() != Some(&first) || !search::is_sound(self, last)? {
            return Ok(false);
        }
        let fields = self.fields(last)?;
        Ok(fields.start(last).checked_add(fields.allocated) == Some(index.address))
    }
}

/// Finds the blocks bad that are gone in front of the one of a number; what follows them stands at `address`.
fn lost(walk: &mut Walk, index: &Index, number: usize, address: u64) {
    for at in walk.found.len()..number {
        let expected = format!("the block that was at {}, as the index has it", index.offsets[at]);
        let found = "none".to_owned();
        let reason = format!("expected {expected}, found {found}");
        walk.report.add_block(Code::MissingBlock, address, at, reason);
        walk.found.push(Slot::Bad { address, expected, found });
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use dudley::bytes::Counted;

    use super::*;
    use crate::asdf::{Builder, NewArray, Open};

    /// The numbers of blocks, with `?` behind those that may be others.
    fn of(listed: &[u64], blocks: &[u64], end: u64) -> Option<String> {
        let text = format!("#ASDF BLOCK INDEX\n--- {listed:?}\n");
        let index = super::super::index::at(&text.as_bytes(), 0).expect("readable");
        let mut index = index.expect("one");
        index.address = end;
        let numbers = numbers(&index, blocks, Some(end))?;
        let shown =
            numbers.iter().map(
                |Number { least, certain }| {
                    if *certain { least.to_string() } else { format!("{least}?") }
                },
            );
        Some(shown.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn distances_tell_the_numbers() {
        let of = |listed: &[u64], blocks: &[u64], end| of(listed, blocks, end).unwrap_or_default();
        // Nothing is gone.
        assert_eq!(of(&[10, 20, 40], &[10, 20, 40], 80), "");
        // The first one is gone, the second one, the second or the last one.
        assert_eq!(of(&[10, 20, 40], &[10, 30], 70), "1 2");
        assert_eq!(of(&[10, 20, 40], &[10, 20], 60), "0 2");
        assert_eq!(of(&[10, 20, 40], &[10, 20], 40), "0 1?");
        assert_eq!(of(&[10, 20, 40, 70], &[10, 20, 40], 70), "0 1 2?");
        assert_eq!(of(&[10, 20, 40, 70], &[10, 20, 50], 90), "0 2 3");
        // Any of equal ones may be gone; what is behind them is known.
        assert_eq!(of(&[10, 20, 30], &[10, 20], 30), "0? 1?");
        assert_eq!(of(&[10, 20, 40, 60, 90], &[10, 20, 40, 70], 200), "0 1? 3 4");
        // What fits nowhere is counted, and where an index lists whatever it likes.
        assert_eq!(of(&[10, 20, 40], &[10, 13], 16), "0? 1?");
        let many: Vec<u64> = (10..20 + MOST_GONE as u64).collect();
        assert_eq!(of(&many, &[10, 11], 20), "0? 1?");
    }

    #[test]
    fn a_number_is_certain_without_a_walk_to_the_last_block() {
        let mut builder = Builder::new();
        for at in 0..2000_i32 {
            builder = builder.put(&format!("a{at}"), NewArray::from(vec![at]));
        }
        let bytes = builder.to_bytes().expect("a file");
        let source = Arc::new(Counted::new(bytes));
        let file = Open::new().source(Arc::clone(&source)).expect("a file");
        assert!(file.is_numbered(&file.block(3).expect("a block")).expect("read"));
        assert_eq!(file.array("/a3").and_then(|a3| a3.read::<i32>()).expect("read")[[0]], 3);
        assert!(source.requests() < 40, "{}", source.requests());
    }
}
