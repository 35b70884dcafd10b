//! An update in place: in which order things are written, so that a crash leaves the old file or the new one.
//!
//! 1. What nobody reads yet is written: new blocks behind the others or in free ones, and what of the new text
//!    lies behind the end mark of the old one, where readers skip to the first block.
//! 2. All of that is made durable.
//! 3. The bytes in which the texts differ before the end mark of the old one are written. They are in one
//!    sector, which a disk writes at once or not at all. From now on the file is the new one.
//! 4. What nobody reads any more is cleared, and the block index is written.

use super::super::blocks::Block;
use super::super::error::Result;
use super::super::form::{Fields, Form};
use super::super::write::block::NewBlock;
use super::super::write::blocks::{index, write};
use super::super::write::header;
use super::super::write::prepared::Prepared;
use super::super::write::rules::Rules;
use super::super::write::target::Target;
use super::place::{Place, difference, is_one_sector};
use super::plan::Plan;

/// What is to be done in place; see [`steps`].
pub(super) struct Steps {
    /// The bytes of both texts that are written at once.
    switch: std::ops::Range<usize>,
}

/// The steps of an update in place; `None` if it takes a new file.
pub(super) fn steps(plan: &Plan<'_>) -> Option<Steps> {
    let (old, new) = (&plan.old, &plan.new);
    let ended = |text: &[u8]| text.ends_with(b"\n...\n") || text.ends_with(b"\n...\r\n");
    if !plan.had_tree || !ended(old) || !ended(new) {
        return None;
    }
    let fits = new.len() as u64 <= plan.chain.room(old.len() as u64);
    // Nothing can stand behind a streamed block, and what counts from the end would name another one.
    let last = plan.chain.is_streamed() || plan.chain.from_end;
    let appended = plan.appended() == 0 || !last;
    let switch = match difference(old, new) {
        Some(switch) => switch,
        None if old.len() == new.len() => 0..0,
        None => return None,
    };
    (fits && appended && is_one_sector(&switch)).then_some(Steps { switch })
}

impl Steps {
    /// Takes them.
    ///
    /// # Errors
    /// [`dudley::Error::Io`]; the file is then the old one or the new one. What the values of new blocks say; the
    /// file is then the old one.
    pub(super) fn take(self, plan: &Plan<'_>, rules: &Rules, place: &Place) -> Result<()> {
        let (old, new) = (&plan.old, &plan.new);
        let addresses = prepare(plan, rules, place)?;
        if let Some(tail) = new.get(old.len()..).filter(|tail| !tail.is_empty()) {
            place.write(old.len() as u64, tail)?;
        }
        place.sync()?;
        if !self.switch.is_empty() {
            place.write(self.switch.start as u64, &new[self.switch])?;
            place.sync()?;
        }
        finish(plan, addresses, place)
    }
}

/// Writes new blocks; where all blocks are, if there are more than before.
fn prepare(plan: &Plan<'_>, rules: &Rules, place: &Place) -> Result<Option<Vec<u64>>> {
    for (block, new) in plan.reused() {
        let prepared = Prepared::new(new, rules)?;
        prepared.write(&prepared.place_in(block), rules, place)?;
    }
    let appended: Vec<NewBlock<'_>> = plan.appended_blocks();
    if appended.is_empty() {
        return Ok(None);
    }
    let from = match plan.chain.end() {
        Some(end) => end,
        None => {
            let end = plan.new.len().max(plan.old.len()) as u64;
            end.saturating_add(plan.padding.of(end))
        }
    };
    // An index, and what an interrupted update has left.
    place.cut(plan.chain.end().unwrap_or(plan.old.len() as u64))?;
    if plan.chain.end().is_none() {
        let end = plan.new.len().max(plan.old.len()) as u64;
        place.blank(end..from)?;
    }
    let written = write(&appended, from, rules, place)?;
    let old = plan.chain.blocks.iter().map(|block| block.address);
    Ok(Some(old.chain(written.iter().map(|placed| placed.address)).collect()))
}

/// Clears what nobody reads any more, and writes the index.
fn finish(plan: &Plan<'_>, addresses: Option<Vec<u64>>, place: &Place) -> Result<()> {
    let (old, new) = (plan.old.len() as u64, plan.new.len() as u64);
    let mut changed = old > new;
    place.blank(new..old)?;
    for block in plan.freed() {
        if let Some(header) = free_header(block) {
            place.write(block.address, &header)?;
            changed = true;
        }
    }
    if let Some(addresses) = addresses.filter(|_| plan.indexed) {
        let end = plan.storage_len()?;
        place.write(end, index(addresses).as_bytes())?;
        changed = true;
    }
    if changed { place.sync() } else { Ok(()) }
}

/// The header of a block that is free: as large as before, and empty. Only those of today say enough.
fn free_header(block: &Block) -> Option<Vec<u8>> {
    let fields = Fields {
        form: block.form,
        header: block.header_size,
        flags: block.flags,
        compression: [0; 4],
        allocated: block.allocated,
        used: 0,
        decoded: Some(0),
        digest: [0; 16],
    };
    (block.form == Form::Asdf48).then(|| header::encode(&fields, false))
}
