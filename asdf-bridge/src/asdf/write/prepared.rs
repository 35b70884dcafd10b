//! A block as it is stored: its data, or what compressing makes of them, written to a place.
//!
//! A large block is compressed while it is written, so that nothing of it is held. A target that takes bytes in
//! order must know digest and length before, so for that one it is compressed twice.

use super::super::blocks::Block;
use super::super::error::Result;
use super::super::form::Fields;
use super::super::md5::Md5;
use super::block::{NewBlock, Placed, place};
use super::compress::Compression;
use super::pieces::Pieces;
use super::rules::Rules;
use super::target::Target;

/// Up to this many bytes header and data are written together.
const SMALL: u64 = 256 << 10;

/// Blocks of more bytes are compressed while they are written, if their filter can do that. Tests need not wait
/// for large ones.
const HELD: u64 = if cfg!(test) { 5 << 20 } else { 16 << 20 };

/// Bytes that wait to be digested.
const STEP: usize = 1 << 20;

/// Bytes of a block in memory that are written at a time.
const PART: usize = 4 << 20;

/// From this many bytes on a block is digested by another thread than the one that writes it.
const LARGE: u64 = 4 << 20;

/// A block as it is stored, without a place.
#[derive(Debug)]
pub(crate) struct Prepared<'b> {
    pieces: &'b dyn Pieces,
    how: How<'b>,
    label: [u8; 4],
    /// Bytes of its data when decompressed.
    decoded: u64,
    digest: Option<[u8; 16]>,
    /// Bytes that it stores, if that is known.
    used: Option<u64>,
}

/// What a block stores.
#[derive(Debug)]
enum How<'b> {
    /// Its data.
    Data,
    /// The compressed bytes.
    Compressed(Vec<u8>),
    /// The compressed bytes, made on request.
    Compressing(&'b Compression),
}

impl<'b> Prepared<'b> {
    /// Compresses a block.
    ///
    /// # Errors
    /// If its data or the filter fails.
    pub(crate) fn new(block: &'b NewBlock<'_>, rules: &Rules) -> Result<Prepared<'b>> {
        let pieces = &*block.pieces;
        let (how, label) = match &block.compression {
            None => (How::Data, block.stored.map_or([0; 4], |stored| stored.label)),
            Some(compression) => {
                let large = pieces.len() > HELD;
                let how = if large && compression.encoder(pieces.len(), rules)?.is_some() {
                    How::Compressing(compression)
                } else {
                    let stored = compression.encode(&rules.codecs, &pieces.bytes()?)?;
                    How::Compressed(stored)
                };
                (how, compression.label())
            }
        };
        let used = match &how {
            How::Data => Some(pieces.len()),
            How::Compressed(stored) => Some(stored.len() as u64),
            How::Compressing(_) => None,
        };
        let decoded = block.stored.map_or(pieces.len(), |stored| stored.decoded);
        Ok(Prepared { pieces, how, label, decoded, digest: None, used })
    }

    /// Finds out how many bytes it stores, and makes its digest if the rules want one.
    ///
    /// # Errors
    /// If its data or the filter fails.
    pub(crate) fn digested(mut self, rules: &Rules) -> Result<Prepared<'b>> {
        if rules.digests || self.used.is_none() {
            let (mut hasher, mut used) = (Md5::new(), 0);
            self.each(rules, &mut |piece| {
                used += piece.len() as u64;
                if rules.digests {
                    hasher.update(piece);
                }
                Ok(())
            })?;
            self.digest = rules.digests.then(|| hasher.finish());
            self.used = Some(used);
        }
        Ok(self)
    }

    /// Bytes that it stores; of one that is compressed while it is written, those that it does not.
    fn used(&self) -> u64 {
        self.used.unwrap_or_else(|| self.pieces.len())
    }

    /// Whether it is known how many those are.
    pub(super) fn is_measured(&self) -> bool {
        self.used.is_some()
    }

    /// Whether it is in memory, and so small that it is written at once.
    pub(super) fn is_small(&self) -> bool {
        self.whole().is_some_and(|whole| whole.len() as u64 <= SMALL)
    }

    fn whole(&self) -> Option<&[u8]> {
        match &self.how {
            How::Data => self.pieces.whole(),
            How::Compressed(stored) => Some(stored),
            How::Compressing(_) => None,
        }
    }

    fn each(&self, rules: &Rules, sink: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        match (&self.how, self.whole()) {
            (How::Compressing(compression), _) => compression.each(self.pieces, rules, sink),
            // By pieces, so that who watches hears of each.
            (_, Some(whole)) => whole.chunks(PART).try_for_each(sink),
            (_, None) => self.pieces.each(sink),
        }
    }

    /// Where it is if its header begins at an address.
    ///
    /// # Errors
    /// [`dudley::Error::TooLarge`] beyond all addresses.
    pub(crate) fn place(&self, address: u64, rules: &Rules) -> Result<Placed> {
        place(address, self.label, self.used(), self.decoded, rules)
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
            decoded: Some(self.decoded),
            digest: [0; 16],
        };
        Placed { address: block.address, data: block.data.start, end: block.end(), fields }
    }

    /// Writes it to its place.
    ///
    /// # Errors
    /// If its data or the target fails.
    pub(crate) fn write(&self, placed: &Placed, rules: &Rules, to: &dyn Target) -> Result<()> {
        if let Some(whole) = self.whole().filter(|whole| whole.len() as u64 <= SMALL) {
            let digest = rules.digests.then(|| Md5::digest(whole));
            let mut bytes = placed.header(digest, rules);
            bytes.extend_from_slice(whole);
            to.write(placed.address, &bytes)?;
            return Ok(rules.work.done(whole.len() as u64)?);
        }
        if !to.is_positioned() || !rules.digests {
            to.write(placed.address, &placed.header(self.digest, rules))?;
            let done = self.copy_with(placed.data, rules, to, &mut |_| {})?;
            return self.is_all(done);
        }
        let digest = self.copy_and_digest(placed.data, rules, to)?;
        to.write(placed.address, &placed.header(Some(digest), rules))
    }

    /// Writes it at an address before it is known how many bytes it stores; where it is then.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub(super) fn write_measured(
        &self,
        address: u64,
        rules: &Rules,
        to: &dyn Target,
    ) -> Result<Placed> {
        let data = self.place(address, rules)?.data;
        let (digest, used) = if rules.digests {
            let (digest, used) = self.copy_measured(data, rules, to)?;
            (Some(digest), used)
        } else {
            (None, self.copy_with(data, rules, to, &mut |_| {})?)
        };
        let placed = place(address, self.label, used, self.decoded, rules)?;
        to.write(address, &placed.header(digest, rules))?;
        Ok(placed)
    }

    /// Checks that this many bytes are all that it stores: what is read from elsewhere may have changed meanwhile.
    fn is_all(&self, done: u64) -> Result<()> {
        match self.used {
            Some(used) if used != done => Err(dudley::Error::wrong_length(used, done).into()),
            _ => Ok(()),
        }
    }

    /// Writes the data, each piece of which is shown to `seen`; how many bytes they are.
    fn copy_with(
        &self,
        data: u64,
        rules: &Rules,
        to: &dyn Target,
        seen: &mut dyn FnMut(&[u8]),
    ) -> Result<u64> {
        let mut done = 0;
        self.each(rules, &mut |piece| {
            seen(piece);
            to.write(data + done, piece)?;
            done += piece.len() as u64;
            Ok(rules.work.done(piece.len() as u64)?)
        })?;
        Ok(done)
    }

    /// Writes the data, and digests them meanwhile.
    fn copy_and_digest(&self, at: u64, rules: &Rules, to: &dyn Target) -> Result<[u8; 16]> {
        let (digest, done) = self.copy_measured(at, rules, to)?;
        self.is_all(done).map(|()| digest)
    }

    /// As [`Self::copy_and_digest`], and how many bytes they are.
    fn copy_measured(&self, at: u64, rules: &Rules, to: &dyn Target) -> Result<([u8; 16], u64)> {
        let apart = self.used() >= LARGE;
        let digested = apart.then(|| self.digest_beside(at, rules, to)).flatten();
        digested.unwrap_or_else(|| {
            let mut hasher = Md5::new();
            let done = self.copy_with(at, rules, to, &mut |piece| hasher.update(piece))?;
            Ok((hasher.finish(), done))
        })
    }

    /// As [`Self::copy_measured`], with a thread of its own for the digest; `None` if there is none to be had.
    fn digest_beside(
        &self,
        at: u64,
        rules: &Rules,
        to: &dyn Target,
    ) -> Option<Result<([u8; 16], u64)>> {
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new();
            let (digest, written) = match self.whole() {
                Some(whole) => {
                    let digest = thread.spawn_scoped(scope, move || Md5::digest(whole)).ok()?;
                    (digest, self.copy_with(at, rules, to, &mut |_| {}))
                }
                None => {
                    // Pieces are lent only while they are handed out, so copies of them are digested.
                    let (send, receive) = std::sync::mpsc::sync_channel::<Vec<u8>>(4);
                    let digest = thread.spawn_scoped(scope, move || {
                        let mut hasher = Md5::new();
                        receive.into_iter().for_each(|piece| hasher.update(&piece));
                        hasher.finish()
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
            Some(written.map(|done| (digest, done)))
        })
    }
}
