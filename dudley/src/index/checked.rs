//! A source whose blocks have checksums: what is read through it is what was written, or an error.

use std::sync::{Mutex, PoisonError};

use crate::bytes::source::{Source, check};
use crate::error::{Error, Item, Result};

/// Bytes of a block.
pub(super) const BLOCK: u64 = 4096;

/// The first `body` bytes of a source in blocks, whose CRC-32C stand somewhere else; what lies behind
/// them is read as it is.
pub(super) struct Checked<S, C> {
    pub(super) inner: S,
    /// Bytes that have checksums.
    pub(super) body: u64,
    /// Where the checksums are: of each block a little-endian `u4`.
    pub(super) checks: C,
    /// Address of the first checksum there.
    pub(super) checks_at: u64,
    /// The block that was read last: most reads go on in it.
    pub(super) last: Mutex<Option<(u64, Vec<u8>)>>,
    /// Blocks that were found to be as they were written, by their numbers: a bit each.
    whole: Mutex<Vec<u64>>,
}

impl<S: Source, C: Source> Checked<S, C> {
    pub(super) fn new(inner: S, body: u64, checks: C, checks_at: u64) -> Self {
        let (last, whole) = (Mutex::default(), Mutex::default());
        Checked { inner, body, checks, checks_at, last, whole }
    }

    /// Reads a block, one of those that have checksums, and compares it with its own.
    pub(super) fn block(&self, number: u64) -> Result<Vec<u8>> {
        let address = number * BLOCK;
        let length = BLOCK.min(self.body - address);
        let mut block = vec![0; length as usize];
        self.inner.read_at(address, &mut block)?;
        let mut check = [0; 4];
        self.checks.read_at(self.checks_at.saturating_add(4 * number), &mut check)?;
        let (expected, found) = (u32::from_le_bytes(check), crc32c::crc32c(&block));
        if expected != found {
            return Err(Error::Checksum { item: Item::UNKNOWN, address, length, expected, found });
        }
        let (word, bit) = ((number / 64) as usize, 1 << (number % 64));
        let mut whole = self.whole.lock().unwrap_or_else(PoisonError::into_inner);
        if whole.len() <= word {
            whole.resize(word + 1, 0);
        }
        whole[word] |= bit;
        Ok(block)
    }

    fn was_whole(&self, number: u64) -> bool {
        let whole = self.whole.lock().unwrap_or_else(PoisonError::into_inner);
        whole.get((number / 64) as usize).is_some_and(|word| word & (1 << (number % 64)) != 0)
    }

    /// Compares all blocks with their checksums that were not read before.
    ///
    /// # Errors
    /// Of the first that differs, or cannot be read.
    pub(super) fn verify(&self) -> Result<()> {
        let mut blocks = (0..self.body.div_ceil(BLOCK)).filter(|number| !self.was_whole(*number));
        blocks.try_for_each(|number| self.block(number).map(drop))
    }
}

impl<S: Source, C: Source> Source for Checked<S, C> {
    fn len(&self) -> u64 {
        self.inner.len()
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
        check(self.len(), address, buf.len() as u64)?;
        let (mut at, mut rest) = (address, buf);
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        while !rest.is_empty() && at < self.body {
            let (number, within) = (at / BLOCK, (at % BLOCK) as usize);
            if !matches!(&*last, Some((there, _)) if *there == number) {
                *last = Some((number, self.block(number)?));
            }
            let Some((_, block)) = &*last else { break };
            let (length, tail) = (rest.len().min(block.len() - within), rest);
            let (head, tail) = tail.split_at_mut(length);
            head.copy_from_slice(&block[within..within + length]);
            (at, rest) = (at + length as u64, tail);
        }
        if rest.is_empty() { Ok(()) } else { self.inner.read_at(at, rest) }
    }
}
