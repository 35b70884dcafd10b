//! A native stream that is written in place, and how its layout moves so that there always is one.
//!
//! A layout is overwritten only after a copy of it, further on, is durable, and after that the pointer
//! to the copy is (spec 8.3). The pointer is 8 bytes at address 8, written at once. It never goes back
//! to where it was before the copy, so a reader that finds it unchanged after reading the text has
//! read one text and no mixture.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use dudley_parser::layout::dtype::ByteOrder;
use dudley_parser::place::{self, LIMIT};

use super::storage::{Snapshot, Storage};
use crate::bytes::output::Output;
use crate::bytes::signature::Signature;
use crate::error::{Error, Result};
use crate::index::MARKER;

/// Bytes that are collected before they are written.
const BUFFER: usize = 256 << 10;

/// Zeros written at a time.
const ZEROS: usize = 64 << 10;

/// A stream that is written in place.
pub(super) struct InPlace {
    storage: Arc<dyn Storage>,
    name: Arc<str>,
    order: ByteOrder,
    /// Where the layout stands that the stream points to; none is attached otherwise.
    text: Option<Range<u64>>,
    /// The end of the data that is committed, or was written since.
    end: u64,
    /// The length of the storage, without what is pending.
    len: u64,
    pending: Vec<u8>,
    pending_at: u64,
    failed: bool,
    /// A number is being committed: if that fails nobody knows whether it was.
    committing: bool,
    /// The failed write was to bytes that nobody reads yet, for example on a full disk.
    only_full: bool,
    index: Behind,
    /// One was cut off.
    lost_index: bool,
}

/// Which index stands behind the layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Behind {
    /// None, nor what is left of one.
    Nothing,
    Index,
    /// One with checksums of the data, or one that may have some.
    Checksums,
}

impl InPlace {
    /// A stream whose data ends at `end`, and whose layout takes the bytes `text`.
    pub(super) fn new(
        storage: Arc<dyn Storage>,
        name: Arc<str>,
        order: ByteOrder,
        text: Option<Range<u64>>,
        end: u64,
    ) -> Result<InPlace> {
        let len = storage.len();
        let len =
            len.map_err(|error| Error::io(format!("cannot get the size of {name}"), error))?;
        let pending = Vec::new();
        Ok(InPlace {
            storage,
            name,
            order,
            text,
            end,
            len,
            pending,
            pending_at: end,
            failed: false,
            committing: false,
            only_full: false,
            index: Behind::Nothing,
            lost_index: false,
        })
    }

    /// Says which index stands behind the layout.
    pub(super) fn has_index(&mut self, index: Behind) {
        self.index = index;
    }

    /// Whether an index was cut off.
    pub(super) fn has_lost_index(&self) -> bool {
        self.lost_index
    }

    /// Cuts off an index with checksums, because bytes change that they are of; whether there was one.
    /// That must be durable, by [`Self::sync`], before those bytes change: no crash may leave checksums
    /// that are wrong.
    pub(super) fn drop_checksums(&mut self) -> Result<bool> {
        match self.index {
            Behind::Checksums => self.cut_index().map(|()| true),
            Behind::Index | Behind::Nothing => Ok(false),
        }
    }

    /// Cuts off an index, because something is to be written where it stands.
    fn drop_index(&mut self) -> Result<()> {
        match self.index {
            Behind::Nothing => Ok(()),
            Behind::Index | Behind::Checksums => {
                self.cut_index()?;
                self.sync()
            }
        }
    }

    fn cut_index(&mut self) -> Result<()> {
        self.index = Behind::Nothing;
        self.lost_index = true;
        self.text().map_or(Ok(()), |text| self.cut(text.end))
    }

    /// Where the layout stands; none is attached otherwise.
    pub(super) fn text(&self) -> Option<Range<u64>> {
        self.text.clone()
    }

    /// The end of the data, written or pending.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// What is written, to be read: its first `len` bytes.
    pub(super) fn snapshot(&self, len: u64) -> Result<Snapshot> {
        Snapshot::new(self.storage.clone(), len, self.name.clone())
    }

    /// Adds to the data, or writes over what was added since the last commit; what lies between is 0.
    pub(super) fn add(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        let end = place::add(address, bytes.len() as u64);
        let end = end.ok_or_else(|| Error::too_large(u64::MAX))?;
        if address > self.end {
            // What lay there before, such as an old layout, is no data. Behind the file are zeros.
            let until = address.min(self.len.max(self.end));
            while self.end < until {
                let zeros = (until - self.end).min(ZEROS as u64);
                self.write(self.end, &[0; ZEROS][..zeros as usize])?;
                self.end += zeros;
            }
        }
        self.write(address, bytes)?;
        self.end = self.end.max(end);
        Ok(())
    }

    /// Writes bytes. Small ones side by side are collected.
    pub(super) fn write(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        let follows = self.pending_at + self.pending.len() as u64 == address;
        if !follows || self.pending.len() + bytes.len() > BUFFER {
            self.flush()?;
            self.pending_at = address;
        }
        if bytes.len() >= BUFFER {
            self.write_through(address, bytes)?;
            self.pending_at = address + bytes.len() as u64;
        } else {
            self.pending.extend_from_slice(bytes)
        }
        Ok(())
    }

    /// Whether something could not be written, so that nothing more is.
    pub(super) fn has_failed(&self) -> bool {
        self.failed
    }

    /// Forgets what was added behind `end`: it was not committed.
    pub(super) fn forget(&mut self, end: u64) {
        self.pending.clear();
        self.end = end;
    }

    fn flush(&mut self) -> Result<()> {
        let pending = std::mem::take(&mut self.pending);
        self.write_through(self.pending_at, &pending)?;
        self.pending_at += pending.len() as u64;
        self.pending = pending;
        self.pending.clear();
        Ok(())
    }

    fn write_through(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        let mut done = 0;
        while done < bytes.len() {
            let written = self.open()?.write_at(address + done as u64, &bytes[done..]);
            let interrupted = |error: &io::Error| error.kind() == io::ErrorKind::Interrupted;
            self.only_full = !self.committing && written.as_ref().is_err_and(|it| !interrupted(it));
            done += match written {
                Ok(0) => self.refused("write", Err(io::ErrorKind::WriteZero.into()))?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
                written => self.refused("write", written)?,
            };
        }
        self.len = self.len.max(address.saturating_add(bytes.len() as u64));
        Ok(())
    }

    /// Makes all durable that was written.
    pub(super) fn sync(&mut self) -> Result<()> {
        self.flush()?;
        let synced = self.open()?.sync();
        self.refused("write", synced)
    }

    /// Writes a number that is never seen in part, and makes it durable.
    pub(super) fn commit_number(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        self.flush()?;
        self.committing = true;
        self.write_through(address, bytes)?;
        self.sync()?;
        self.committing = false;
        Ok(())
    }

    fn point(&mut self, text: Range<u64>) -> Result<()> {
        let signature = Signature { order: self.order, layout_address: Some(text.start) };
        self.commit_number(8, &signature.to_bytes()[8..])?;
        self.text = Some(text);
        Ok(())
    }

    /// Moves the layout, `text`, away from the data up to `end`, so that this can be written.
    pub(super) fn clear(&mut self, end: u64, beyond: u64, text: &[u8]) -> Result<()> {
        match &self.text {
            Some(there) if there.start < end => self.copy(beyond.max(end), text),
            _ => Ok(()),
        }
    }

    /// Writes a copy of the layout behind all there is, from `beyond` on, and points to it.
    fn copy(&mut self, beyond: u64, text: &[u8]) -> Result<()> {
        let Some(there) = self.text() else { return Ok(()) };
        self.drop_index()?;
        let at = place::align_up(beyond.max(there.end), 8);
        let at = at.ok_or_else(|| Error::too_large(beyond))?;
        self.write(at, text)?;
        self.write(at.saturating_add(text.len() as u64), MARKER)?;
        self.sync()?;
        self.point(at..at.saturating_add(text.len() as u64))
    }

    /// Writes a new layout at `at` or, with `further`, further on; makes it and all data durable, and
    /// points to it. `old` is the one that is there. What stands behind the new one is cut off.
    pub(super) fn attach(&mut self, at: u64, further: bool, old: &[u8], text: &[u8]) -> Result<()> {
        let Some(before) = self.text() else { return self.sync() };
        self.drop_index()?;
        let length = text.len() as u64;
        let behind = |at: u64| match place::add(at, length) {
            Some(end) if end <= LIMIT - BUFFER as u64 => Ok(end),
            _ => Err(Error::too_large(u64::MAX)),
        };
        let mut at = at;
        if at < before.end && before.start < behind(at)? {
            if further { at = before.end } else { self.copy(behind(at)?.saturating_add(8), old)? }
        }
        if at == before.start {
            at += 8;
        }
        let end = behind(at)?;
        self.write(at, text)?;
        self.sync()?;
        self.point(at..end)?;
        self.cut(end)
    }

    /// After bytes could not be written that nobody reads yet, takes away what was: the layout, `text`, goes
    /// back to the end of the committed data, or where it stood before. No space is needed for that which
    /// was not taken meanwhile. Nothing else can be written then, whether this was done or not.
    pub(super) fn give_back(&mut self, before: Option<Range<u64>>, end: u64, text: &[u8]) {
        if !std::mem::take(&mut self.only_full) {
            return;
        }
        self.failed = false;
        self.forget(end);
        // If it fails, what is there is as good as what any crash leaves.
        let _ = match self.text() {
            Some(now) if before.as_ref() == Some(&now) => match self.index {
                Behind::Nothing => self.cut(now.end),
                Behind::Index | Behind::Checksums => Ok(()),
            },
            Some(_) => self.attach(end, false, text, text),
            None => self.cut(end),
        };
        self.failed = true;
    }

    /// Cuts off what stands behind `end`. It need not be durable: nobody reads that, except for an index with
    /// checksums.
    pub(super) fn cut(&mut self, end: u64) -> Result<()> {
        self.flush()?;
        if self.len > end {
            let cut = self.open()?.set_len(end);
            self.refused("shorten", cut)?;
            self.len = end;
        }
        Ok(())
    }

    fn open(&self) -> Result<&dyn Storage> {
        if self.failed {
            Err(Error::Abandoned { name: self.name.as_ref().into() })
        } else {
            Ok(&*self.storage)
        }
    }

    /// After a failure nobody knows what is durable, so nothing more is written.
    fn refused<T>(&mut self, doing: &str, result: io::Result<T>) -> Result<T> {
        result.map_err(|error| {
            self.failed = true;
            Error::io(format!("cannot {doing} {}", self.name), error)
        })
    }
}

impl Output for InPlace {
    fn put(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        self.add(address, bytes)
    }

    fn grow(&mut self, length: u64) -> Result<()> {
        self.add(length, &[])
    }
}
