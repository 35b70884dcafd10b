//! Blocks written one behind the other: compressed, digested and stored by several threads.
//!
//! Threads take blocks in turn. What a block stores is made first, if it is compressed; then it waits for the
//! end of the block before it, which is where it begins; then its data are written, and meanwhile digested.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

use dudley::Work;

use super::super::compression::Codecs;
use super::super::error::{Error, Result};
use super::super::form::{Fields, Form};
use super::compress::Compression;
use super::header;
use super::pieces::Pieces;
use super::prepared::{Placed, Prepared};
use super::target::Target;

/// How blocks are written.
#[derive(Clone, Debug)]
pub(crate) struct Rules {
    /// Which headers they have.
    pub(crate) form: Form,
    /// FINF as the text that describes it has it.
    pub(crate) literal: bool,
    /// Data begin at multiples of so many bytes.
    pub(crate) align: u64,
    /// What is set aside behind data.
    pub(crate) padding: Padding,
    /// Whether digests are made.
    pub(crate) digests: bool,
    /// The filters of compressions.
    pub(crate) codecs: Arc<Codecs>,
    /// By how many threads, and who watches.
    pub(crate) work: Work,
}

/// Room behind the tree and behind each block, for what may be added in place later.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Padding {
    percent: u32,
    bytes: u64,
}

impl Padding {
    /// No room.
    pub const NONE: Padding = Padding { percent: 0, bytes: 0 };

    /// So much of what is there, in percent.
    pub const fn percent(percent: u32) -> Padding {
        Padding { percent, bytes: 0 }
    }

    /// So many bytes.
    pub const fn bytes(bytes: u64) -> Padding {
        Padding { percent: 0, bytes }
    }

    /// Bytes behind so many.
    pub(crate) fn of(self, bytes: u64) -> u64 {
        let part = u128::from(bytes) * u128::from(self.percent) / 100;
        u64::try_from(part).unwrap_or(u64::MAX).saturating_add(self.bytes)
    }
}

/// A block to be written.
#[derive(Clone, Debug)]
pub(crate) struct NewBlock<'a> {
    /// Its data.
    pub(crate) pieces: Arc<dyn Pieces + 'a>,
    /// How they are compressed.
    pub(crate) compression: Option<Compression>,
    /// What they are, if they are compressed already and written as they are.
    pub(crate) stored: Option<Stored>,
}

/// Data that are compressed already.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stored {
    /// How.
    pub(crate) label: [u8; 4],
    /// Bytes of them when decompressed.
    pub(crate) decoded: u64,
}

impl<'a> NewBlock<'a> {
    /// A block without data.
    pub(crate) fn empty() -> NewBlock<'a> {
        NewBlock::plain(Arc::new(std::borrow::Cow::Borrowed(&[][..])))
    }

    /// A block of data as they are.
    pub(crate) fn plain(pieces: Arc<dyn Pieces + 'a>) -> NewBlock<'a> {
        NewBlock { pieces, compression: None, stored: None }
    }
}

/// Where a block is whose header begins at an address.
///
/// # Errors
/// [`dudley::Error::TooLarge`] beyond all addresses.
pub(super) fn place(
    address: u64,
    label: [u8; 4],
    used: u64,
    decoded: u64,
    rules: &Rules,
) -> Result<Placed> {
    let form = rules.form;
    let header = header::size(form, address, rules.align);
    let slack = rules.padding.of(used);
    let too_large = || Error::from(dudley::Error::too_large(u64::MAX));
    let allocated = used.checked_add(slack).ok_or_else(too_large)?;
    let data = address.checked_add(form.lead() + u64::from(header)).ok_or_else(too_large)?;
    let end = data.checked_add(allocated).ok_or_else(too_large)?;
    let fields = Fields {
        form,
        header,
        flags: 0,
        compression: label,
        allocated,
        used,
        decoded: Some(decoded),
        digest: [0; 16],
    };
    Ok(Placed { address, data, end, fields })
}

/// The header of a block that goes on to the end of the file, and where its data begin.
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
/// What data and filters say, and the target.
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
