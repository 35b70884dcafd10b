//! An update as a new file, which takes the place of the old one when it is complete.
//!
//! Blocks that stay are copied by the operating system, with what stands between them but where room is to be
//! saved. They are moved by a multiple of 4096 bytes where that can be, so that data stay aligned, and file systems
//! that can share extents do.

use std::fs::File;
use std::ops::Range;

use dudley::bytes::AtomicFile;

use super::super::error::Result;
use super::super::write::block::NewBlock;
use super::super::write::blocks::{index, write};
use super::super::write::rules::Rules;
use super::super::write::target::{Target, ToFile};
use super::plan::Plan;

/// What blocks are moved by multiples of, in bytes.
const STEP: u64 = 4096;

/// Writes the new file. The target is the name of the old one, which is open as `old`.
///
/// # Errors
/// [`dudley::Error::Io`]; what the values of new blocks say. The old file is then as it was.
pub(super) fn write_whole(
    plan: &Plan<'_>,
    rules: &Rules,
    file: AtomicFile,
    old: &File,
) -> Result<()> {
    let to = ToFile::new(file);
    let text = plan.new.len() as u64;
    let mut at = first_block(plan);
    to.reserve(at)?;
    to.write(0, &plan.new)?;
    blank(&to, text..at)?;
    let mut addresses = Vec::new();
    let blocks = &plan.chain.blocks;
    let mut number = 0;
    while number < plan.chain.fixed() {
        let from = number;
        let same = |number: usize| !plan.fresh.contains_key(&number) && !plan.frees(number);
        let joined = |number| number == from || !plan.compact || plan.chain.follows(number);
        while number < plan.chain.fixed() && same(number) && joined(number) {
            number += 1;
        }
        if from < number {
            at = copy(plan, from..number, at, &to, old, &mut addresses)?;
            continue;
        }
        let new = plan.fresh.get(&number).cloned().unwrap_or_else(NewBlock::empty);
        at = append(&[new], at, rules, &to, &mut addresses)?;
        number += 1;
    }
    at = append(&plan.appended_blocks(), at, rules, &to, &mut addresses)?;
    if plan.chain.is_streamed() {
        at = copy(plan, number..blocks.len(), at, &to, old, &mut addresses)?;
    }
    if plan.indexed && !addresses.is_empty() && !plan.chain.is_streamed() {
        let index = index(addresses);
        to.reserve(at + index.len() as u64)?;
        to.write(at, index.as_bytes())?;
    }
    to.commit()
}

/// Where the first block goes.
fn first_block(plan: &Plan<'_>) -> u64 {
    let text = plan.new.len() as u64;
    let least = text.saturating_add(plan.padding.of(text));
    match plan.chain.blocks.first() {
        Some(first) => {
            let more = least.saturating_sub(first.address);
            first.address.saturating_add(more.div_ceil(STEP).saturating_mul(STEP))
        }
        None => least,
    }
}

fn blank(to: &ToFile, range: Range<u64>) -> Result<()> {
    let blanks = [b' '; STEP as usize];
    let mut at = range.start;
    while at < range.end {
        let some = (range.end - at).min(STEP);
        to.write(at, &blanks[..some as usize])?;
        at += some;
    }
    Ok(())
}

/// Copies blocks and what stands between them; where the next one begins.
fn copy(
    plan: &Plan<'_>,
    numbers: Range<usize>,
    at: u64,
    to: &ToFile,
    old: &File,
    addresses: &mut Vec<u64>,
) -> Result<u64> {
    let next = plan.chain.blocks.get(numbers.end).map_or(u64::MAX, |next| next.address);
    let blocks = &plan.chain.blocks[numbers];
    let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else { return Ok(at) };
    let start = first.address;
    let end = last.end().min(next);
    addresses.extend(blocks.iter().map(|block| at + (block.address - start)));
    // What is set aside for the last one may not be there.
    let there = end.min(plan.storage_len()?);
    to.copy(old, start, there.saturating_sub(start), at)?;
    let end = at.saturating_add(end - start);
    to.reserve(end)?;
    Ok(end)
}

fn append(
    blocks: &[NewBlock<'_>],
    at: u64,
    rules: &Rules,
    to: &ToFile,
    addresses: &mut Vec<u64>,
) -> Result<u64> {
    let placed = write(blocks, at, rules, to)?;
    addresses.extend(placed.iter().map(|placed| placed.address));
    Ok(placed.last().map_or(at, |placed| placed.end))
}
