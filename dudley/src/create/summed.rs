//! A target whose checksum is computed while it is written, if that is wanted.

use std::ops::Deref;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::target::{Target, WriteAll};
use crate::bytes::output::Output;
use crate::bytes::pieces::Pieces;
use crate::bytes::region::Row;
use crate::bytes::signature::LEN;
use crate::bytes::source::Source;
use crate::elements::scatter::WriteAt;
use crate::error::Result;

/// Bytes that are written and summed at a time, while a cache has them.
const AT_ONCE: usize = 256 << 10;

/// The length of a file and its checksum, as a [draft](crate::checkpoint::Draft::checksum) of a checkpoint takes them.
///
/// ```
/// use dudley::create::{Checksum, Create};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("run.bd");
/// let writer = Create::text("x = u1[4]")?.checksum(true).file(&path)?;
/// writer.write("/x", &[1_u8, 2, 3, 4])?;
/// writer.finish()?;
/// let Some(Checksum { bytes, .. }) = writer.checksum() else { panic!("all bytes were written here") };
/// assert_eq!(bytes, std::fs::metadata(&path).expect("a file").len());
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checksum {
    /// The length of the file.
    pub bytes: u64,
    /// The CRC-32C of all of it.
    pub crc32c: u32,
}

/// A target, and what was written to it.
pub(crate) struct Summed {
    target: Target,
    /// The bytes of items so far; `None` if nobody wants the sum.
    items: Option<Mutex<Pieces>>,
    /// That of all, once it is finished.
    whole: OnceLock<Checksum>,
}

impl Deref for Summed {
    type Target = Target;

    fn deref(&self) -> &Target {
        &self.target
    }
}

impl Summed {
    pub(crate) fn new(target: Target, wanted: bool) -> Summed {
        let items = wanted.then(Mutex::default);
        Summed { target, items, whole: OnceLock::new() }
    }

    /// What was written so far.
    pub(super) fn pieces(&self) -> Pieces {
        let items = self.items.as_ref();
        items.map_or_else(Pieces::default, |it| *it.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Adds what others have written.
    pub(super) fn join(&self, pieces: Pieces) {
        self.with(|items| items.join(pieces));
    }

    /// Others have written something.
    pub(super) fn forget(&self) {
        self.with(Pieces::forget);
    }

    fn with(&self, act: impl FnOnce(&mut Pieces)) {
        if let Some(items) = &self.items {
            act(&mut items.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }

    /// The checksum of a file that is finished.
    pub(super) fn checksum(&self) -> Option<Checksum> {
        self.whole.get().copied()
    }

    /// Puts bytes of items to an address.
    pub(crate) fn put(&self, address: u64, bytes: &[u8]) -> Result<()> {
        if self.items.is_none() || bytes.is_empty() {
            return self.target.put(address, bytes);
        }
        let mut at = address;
        for part in bytes.chunks(AT_ONCE) {
            self.target.put(at, part)?;
            self.join(Pieces::of(at, part));
            at += part.len() as u64;
        }
        Ok(())
    }

    /// As [`Self::put`], as one write however many bytes they are.
    pub(super) fn put_at_once(&self, address: u64, bytes: &[u8]) -> Result<()> {
        self.target.put(address, bytes)?;
        self.with(|items| items.join(Pieces::of(address, bytes)));
        Ok(())
    }

    /// Completes the stream with what `write` writes, with a signature or without one.
    pub(crate) fn finish(&self, has_signature: bool, write: WriteAll<'_>) -> Result<()> {
        if self.items.is_none() {
            return self.target.finish(write);
        }
        let (is_file, mut found) = (self.target.is_file(), None);
        self.target.finish(&mut |out| {
            let mut rest = Rest {
                out,
                pieces: Pieces::default(),
                items: 0,
                has_signature,
                end: 0,
                met: false,
            };
            write(&mut rest)?;
            found = rest.checksum(self.pieces());
            Ok(())
        })?;
        if let Some(found) = found.filter(|_| is_file) {
            let _ = self.whole.set(found);
        }
        Ok(())
    }
}

impl WriteAt for Summed {
    fn write_at(&self, address: u64, bytes: &[u8]) -> Result<()> {
        self.put(address, bytes)
    }

    fn write_row(&self, row: &Row, bytes: &[u8]) -> Result<()> {
        self.target.write_row(row, bytes)?;
        if self.items.is_some() {
            let mut all = Pieces::default();
            for (run, bytes) in bytes.chunks_exact((row.run as usize).max(1)).enumerate() {
                all.join(Pieces::of(row.address_of(run as u64), bytes));
            }
            self.join(all);
        }
        Ok(())
    }
}

/// Writes the rest of a stream, whose items are there.
struct Rest<'o> {
    out: &'o mut dyn Output,
    pieces: Pieces,
    /// Bytes of items that were written before.
    items: u64,
    /// Whether the signature is still to come.
    has_signature: bool,
    /// Where all that was seen so far ends.
    end: u64,
    /// Whether something stands before that, where other bytes may be.
    met: bool,
}

impl Rest<'_> {
    fn pass(&mut self, address: u64, bytes: u64) {
        self.met |= address < self.end && bytes > 0;
        self.end = self.end.max(address.saturating_add(bytes));
    }

    /// The checksum of all, if each byte was written once.
    fn checksum(mut self, items: Pieces) -> Option<Checksum> {
        let known = !self.met && items.bytes == self.items;
        self.pieces.join(items);
        known.then(|| Checksum { bytes: self.end, crc32c: self.pieces.crc32c(self.end) })
    }
}

impl Output for Rest<'_> {
    fn put(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        self.out.put(address, bytes)?;
        self.pieces.join(Pieces::of(address, bytes));
        // The signature is written once, behind the items, and none of them lies before its end.
        let is_signature = address == 0 && bytes.len() as u64 == LEN && self.end >= LEN;
        if is_signature && self.has_signature {
            self.has_signature = false;
        } else {
            self.pass(address, bytes.len() as u64);
        }
        Ok(())
    }

    fn grow(&mut self, length: u64) -> Result<()> {
        self.out.grow(length)?;
        self.end = self.end.max(length);
        Ok(())
    }

    fn there(&mut self, address: u64, bytes: u64) {
        self.items = self.items.saturating_add(bytes);
        self.pass(address, bytes);
    }

    fn read_back(&mut self, address: u64, buf: &mut [u8]) -> Result<bool> {
        self.out.read_back(address, buf)
    }

    fn lend(&mut self, reader: &mut dyn FnMut(Arc<dyn Source>)) -> Result<()> {
        self.out.lend(reader)
    }
}
