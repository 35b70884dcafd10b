//! Blocks written one behind the other: compressed, digested and stored by several threads.
//!
//! Threads take blocks in turn. What a block stores is made first, if it is compressed; then it waits for the
//! end of the block before it, which is where it begins; then its data are written, and meanwhile digested.
//! A target that takes bytes in order is given each block as a whole, digested before.

use std::sync::{Arc, Condvar, Mutex, PoisonError};

use dudley::Work;
use md5::{Digest, Md5};

use super::super::blocks::Block;
use super::super::compression::Codecs;
use super::super::error::{Error, Result};
use super::super::form::{Fields, Form};
use super::compress::Compression;
use super::header;
use super::pieces::Pieces;
use super::target::Target;

/// From so many bytes on a block is digested by another thread than the one that writes it.
const LARGE: u64 = 4 << 20;

/// Up to so many bytes header and data are written together.
const SMALL: u64 = 256 << 10;

/// Bytes of a block in memory that are written at a time.
const PART: usize = 4 << 20;

/// Bytes that wait to be digested.
const STEP: usize = 1 << 20;

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
}

impl<'a> NewBlock<'a> {
    /// A block without data.
    pub(crate) fn empty() -> NewBlock<'a> {
        NewBlock { pieces: Arc::new(std::borrow::Cow::Borrowed(&[][..])), compression: None }
    }
}

/// A block as it is stored, without a place.
#[derive(Debug)]
pub(crate) struct Prepared<'b> {
    pieces: &'b dyn Pieces,
    /// What compressing made of them.
    stored: Option<Vec<u8>>,
    label: [u8; 4],
    digest: Option<[u8; 16]>,
}

/// Where a block is: addresses of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Placed {
    /// Its header.
    pub(crate) address: u64,
    /// Its data.
    pub(crate) data: u64,
    /// The end of what is set aside for it.
    pub(crate) end: u64,
    fields: Fields,
}

impl Placed {
    /// The bytes of the header.
    fn header(&self, digest: Option<[u8; 16]>, rules: &Rules) -> Vec<u8> {
        let digest = digest.unwrap_or_default();
        header::encode(&Fields { digest, ..self.fields }, rules.literal)
    }
}

impl<'b> Prepared<'b> {
    /// Compresses a block.
    ///
    /// # Errors
    /// What its data say, and the filter.
    pub(crate) fn new(block: &'b NewBlock<'_>, rules: &Rules) -> Result<Prepared<'b>> {
        let pieces = &*block.pieces;
        let (stored, label) = match &block.compression {
            None => (None, [0; 4]),
            Some(compression) => {
                let stored = compression.encode(&rules.codecs, &pieces.bytes()?)?;
                (Some(stored), compression.label())
            }
        };
        Ok(Prepared { pieces, stored, label, digest: None })
    }

    /// Makes its digest, if the rules want one.
    ///
    /// # Errors
    /// What its data say.
    pub(crate) fn digested(mut self, rules: &Rules) -> Result<Prepared<'b>> {
        if rules.digests {
            let mut hasher = Md5::new();
            self.each(&mut |piece| {
                hasher.update(piece);
                Ok(())
            })?;
            self.digest = Some(hasher.finalize().into());
        }
        Ok(self)
    }

    /// Bytes that it stores.
    fn used(&self) -> u64 {
        self.stored.as_ref().map_or_else(|| self.pieces.len(), |stored| stored.len() as u64)
    }

    fn whole(&self) -> Option<&[u8]> {
        self.stored.as_deref().or_else(|| self.pieces.whole())
    }

    fn each(&self, sink: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        match self.whole() {
            // By pieces, so that who watches hears of each.
            Some(whole) => whole.chunks(PART).try_for_each(sink),
            None => self.pieces.each(sink),
        }
    }

    /// Where it is if its header begins at an address.
    ///
    /// # Errors
    /// [`dudley::Error::TooLarge`] beyond all addresses.
    pub(crate) fn place(&self, address: u64, rules: &Rules) -> Result<Placed> {
        place(address, self.label, self.used(), self.pieces.len(), rules)
    }

    /// Where it is in what is set aside for another block, which has room for it.
    pub(crate) fn place_in(&self, block: &Block) -> Placed {
        let fields = Fields {
            form: block.form,
            header: block.header_size,
            flags: 0,
            compression: self.label,
            allocated: block.allocated,
            used: self.used(),
            decoded: Some(self.pieces.len()),
            digest: [0; 16],
        };
        let end = block.data.start.saturating_add(block.allocated);
        Placed { address: block.address, data: block.data.start, end, fields }
    }

    /// Writes it to its place.
    ///
    /// # Errors
    /// What its data say, and the target.
    pub(crate) fn write(&self, placed: &Placed, rules: &Rules, to: &dyn Target) -> Result<()> {
        if let Some(whole) = self.whole().filter(|whole| whole.len() as u64 <= SMALL) {
            let digest = rules.digests.then(|| Md5::digest(whole).into());
            let mut bytes = placed.header(digest, rules);
            bytes.extend_from_slice(whole);
            to.write(placed.address, &bytes)?;
            return Ok(rules.work.done(whole.len() as u64)?);
        }
        if !to.is_positioned() || !rules.digests {
            to.write(placed.address, &placed.header(self.digest, rules))?;
            return self.copy_with(placed.data, rules, to, &mut |_| {});
        }
        let digest = self.copy_and_digest(placed.data, rules, to)?;
        to.write(placed.address, &placed.header(Some(digest), rules))
    }

    /// Writes the data, each piece of which is shown to `seen`.
    fn copy_with(
        &self,
        data: u64,
        rules: &Rules,
        to: &dyn Target,
        seen: &mut dyn FnMut(&[u8]),
    ) -> Result<()> {
        let mut done = 0;
        self.each(&mut |piece| {
            seen(piece);
            to.write(data + done, piece)?;
            done += piece.len() as u64;
            Ok(rules.work.done(piece.len() as u64)?)
        })?;
        // What is read from elsewhere may have changed meanwhile.
        match done == self.used() {
            true => Ok(()),
            false => Err(dudley::Error::wrong_length(self.used(), done).into()),
        }
    }

    /// Writes the data, and digests them meanwhile.
    fn copy_and_digest(&self, at: u64, rules: &Rules, to: &dyn Target) -> Result<[u8; 16]> {
        let apart = self.used() >= LARGE;
        let digested = apart.then(|| self.digest_beside(at, rules, to)).flatten();
        digested.unwrap_or_else(|| {
            let mut hasher = Md5::new();
            self.copy_with(at, rules, to, &mut |piece| hasher.update(piece))?;
            Ok(hasher.finalize().into())
        })
    }

    /// As [`Self::copy_and_digest`], with a thread of its own for the digest; none if there is none to be had.
    fn digest_beside(&self, at: u64, rules: &Rules, to: &dyn Target) -> Option<Result<[u8; 16]>> {
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new();
            let (digest, written) = match self.whole() {
                Some(whole) => {
                    let digest =
                        thread.spawn_scoped(scope, move || Md5::digest(whole).into()).ok()?;
                    (digest, self.copy_with(at, rules, to, &mut |_| {}))
                }
                None => {
                    // Pieces are lent only while they are handed out, so copies of them are digested.
                    let (send, receive) = std::sync::mpsc::sync_channel::<Vec<u8>>(4);
                    let digest = thread.spawn_scoped(scope, move || {
                        let mut hasher = Md5::new();
                        receive.into_iter().for_each(|piece| hasher.update(piece));
                        hasher.finalize().into()
                    });
                    let digest = digest.ok()?;
                    let written = self.copy_with(at, rules, to, &mut |piece| {
                        for part in piece.chunks(STEP) {
                            // Who digests is there as long as there is something to be sent.
                            let _ = send.send(part.to_vec());
                        }
                    });
                    drop(send);
                    (digest, written)
                }
            };
            let digest = digest.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            Some(written.map(|()| digest))
        })
    }
}

fn place(address: u64, label: [u8; 4], used: u64, decoded: u64, rules: &Rules) -> Result<Placed> {
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
    match to.is_positioned() || prepared.whole().is_some_and(|whole| whole.len() as u64 <= SMALL) {
        true => Ok(prepared),
        false => prepared.digested(rules),
    }
}

/// The index of blocks that are at these addresses.
pub(crate) fn index(addresses: impl IntoIterator<Item = u64>) -> String {
    let mut text = "#ASDF BLOCK INDEX\n%YAML 1.1\n---\n".to_owned();
    for address in addresses {
        text += &format!("- {address}\n");
    }
    text + "...\n"
}
