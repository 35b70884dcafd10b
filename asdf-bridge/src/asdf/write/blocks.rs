//! Blocks written one behind the other: compressed, digested and stored by several threads.
//!
//! Threads take blocks in turn. What a block stores is made first, if it is compressed; then it waits for the
//! end of the block before it, which is where it begins; then its data are written, and meanwhile digested.

use std::sync::{Condvar, Mutex, PoisonError};

use super::super::error::{Error, Result};
use super::block::{NewBlock, Placed, place};
use super::prepared::Prepared;
use super::rules::Rules;
use super::target::Target;

/// The header of a block that continues to the end of the file, and where its data begin.
pub(crate) fn streamed(address: u64, flags: u32, rules: &Rules) -> Result<(Vec<u8>, u64)> {
    let mut placed = place(address, [0; 4], 0, 0, rules)?;
    (placed.fields.flags, placed.fields.allocated) = (flags, 0);
    Ok((placed.header(None, rules), placed.data))
}

/// Whose turn it is to be placed.
struct Turn {
    next: usize,
    /// Where the next block begins.
    address: u64,
    placed: Vec<Placed>,
    failed: Option<Error>,
}

/// Writes blocks from an address on, and says where they are. The target ends with the last one.
///
/// # Errors
/// If the data, a filter or the target fails.
pub(crate) fn write(
    blocks: &[NewBlock<'_>],
    address: u64,
    rules: &Rules,
    to: &dyn Target,
) -> Result<Vec<Placed>> {
    let known = blocks.iter().all(|block| block.compression.is_none());
    if known && to.is_positioned() {
        // One call for many blocks.
        let end = blocks.iter().try_fold(address, |at, block| {
            let bytes = block.pieces.len();
            place(at, [0; 4], bytes, bytes, rules).map(|placed| placed.end)
        })?;
        to.reserve(end)?;
    }
    let turn = Turn { next: 0, address, placed: Vec::with_capacity(blocks.len()), failed: None };
    let (turn, moved) = (Mutex::new(turn), Condvar::new());
    let hold = || turn.lock().unwrap_or_else(PoisonError::into_inner);
    rules.work.share(blocks.iter().enumerate(), |(at, block)| {
        let written = prepare(block, rules, to).and_then(|prepared| {
            let mut turn = hold();
            while turn.next != at && turn.failed.is_none() {
                turn = moved.wait(turn).unwrap_or_else(PoisonError::into_inner);
            }
            if turn.failed.is_some() {
                return Ok(());
            }
            if !prepared.is_measured() {
                // Where the next block begins is known when this one is written: its turn stays.
                let placed = prepared.write_measured(turn.address, rules, to)?;
                to.reserve(placed.end)?;
                turn.placed.push(placed);
                (turn.next, turn.address) = (at + 1, placed.end);
                drop(turn);
                moved.notify_all();
                return Ok(());
            }
            let placed = prepared.place(turn.address, rules)?;
            turn.placed.push(placed);
            (turn.next, turn.address) = (at + 1, placed.end);
            if to.is_positioned() {
                to.reserve(placed.end)?;
                drop(turn);
                moved.notify_all();
                prepared.write(&placed, rules, to)
            } else {
                prepared.write(&placed, rules, to)?;
                to.reserve(placed.end)?;
                drop(turn);
                moved.notify_all();
                Ok(())
            }
        });
        let Err(error) = written else { return true };
        hold().failed.get_or_insert(error);
        moved.notify_all();
        false
    });
    let turn = turn.into_inner().unwrap_or_else(PoisonError::into_inner);
    match turn.failed {
        Some(error) => Err(error),
        None => Ok(turn.placed),
    }
}

fn prepare<'b>(block: &'b NewBlock<'_>, rules: &Rules, to: &dyn Target) -> Result<Prepared<'b>> {
    let prepared = Prepared::new(block, rules)?;
    if to.is_positioned() || prepared.is_small() { Ok(prepared) } else { prepared.digested(rules) }
}

/// The index of blocks that are at these addresses.
pub(crate) fn index(addresses: impl IntoIterator<Item = u64>) -> String {
    let mut text = "#ASDF BLOCK INDEX\n%YAML 1.1\n---\n".to_owned();
    for address in addresses {
        text += &format!("- {address}\n");
    }
    text + "...\n"
}
