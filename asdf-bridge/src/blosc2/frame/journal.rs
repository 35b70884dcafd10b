//! A header that is replaced in place, so that whatever happens it is the one before or the one after.
//!
//! Storages promise that 8 bytes are written as a whole at most, and a header is more than that. So both headers
//! are first written behind the frame. Where a crash leaves a mixture of the two, it is completed: by the code that
//! changes the frame next, and until then in the memory of the code that reads it. Of a frame without data the trailer,
//! which follows the header, is a part of it here.

use std::sync::Arc;

use dudley::append::{Snapshot, Storage};
use dudley::bytes::Source;
use dudley::typed::{Little, Record};

use super::Frame;
use crate::blosc2::error::{Error, Part, Result};
use crate::blosc2::layouts::journal::End;
use crate::blosc2::memory;

const MAGIC: [u8; 12] = *b"dudley-b2jrn";

/// Bytes of the end of a journal.
const END: u64 = 24;

/// Bytes of both headers.
struct Journal {
    old: Vec<u8>,
    new: Vec<u8>,
    /// Where it begins: the end of the frame, or behind it.
    start: u64,
}

/// The bytes that go behind a frame before its header is replaced.
fn bytes(old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut bytes = [old, new].concat();
    let check = crc32c::crc32c(&bytes);
    let mut end = [0; END as usize];
    End { length: old.len() as u64, check, magic: MAGIC }.encode::<Little>(&mut end);
    bytes.extend_from_slice(&end);
    bytes
}

/// The journal at the end of a source; `None` where there is no such, or it is not complete.
fn find(source: &dyn Source) -> Result<Option<Journal>> {
    let failed = Error::engine(Part::Header);
    let Some(at) = source.len().checked_sub(END) else { return Ok(None) };
    let mut end = [0; END as usize];
    source.read_at(at, &mut end).map_err(&failed)?;
    let end = End::decode::<Little>(&end);
    let both = end.length.checked_mul(2).filter(|both| *both <= at);
    let Some(both) = both.filter(|_| end.magic == MAGIC && end.length > 0) else { return Ok(None) };
    let mut old = memory::zeros(both)?;
    source.read_at(at - both, &mut old).map_err(&failed)?;
    if crc32c::crc32c(&old) != end.check {
        return Ok(None);
    }
    let new = old.split_off(old.len() / 2);
    Ok(Some(Journal { old, new, start: at - both }))
}

impl Journal {
    /// Whether what is there can be what this journal was written for: each byte of it old or new, since what is
    /// written in parts may end anywhere.
    fn is_of(&self, source: &dyn Source) -> Result<bool> {
        if source.len() < self.new.len() as u64 {
            return Ok(false);
        }
        let mut now = vec![0; self.new.len()];
        source.read_at(0, &mut now).map_err(Error::engine(Part::Header))?;
        let mut bytes = now.iter().zip(self.old.iter().zip(&self.new));
        Ok(bytes.all(|(now, (old, new))| now == old || now == new))
    }
}

/// Writes what goes behind the chunks, then the header; this may be longer than the frame is.
pub(super) fn publish(
    storage: &dyn Storage,
    frame: &Frame,
    header: &[u8],
    at: u64,
    behind: &[u8],
) -> Result<()> {
    let there = frame.frame_len().min(header.len() as u64);
    let mut old = frame.bytes(&(0..there), Part::Header)?;
    old.resize(header.len(), 0);
    // What follows the frame may be anything.
    write_all(storage, there, &old[there as usize..])?;
    let end = at + behind.len() as u64;
    write_all(storage, at, behind)?;
    // Nothing may stand behind the journal, nor may it stand on the frame as it was.
    let last = end.max(frame.frame_len());
    let cut = storage.set_len(last);
    cut.map_err(|error| failed("cannot cut a frame to its length", error))?;
    write_all(storage, last, &bytes(&old, header))?;
    sync(storage)?;
    write_all(storage, 0, header)?;
    sync(storage)?;
    let cut = storage.set_len(end);
    cut.map_err(|error| failed("cannot cut a frame to its length", error))
}

/// Completes in place what was begun, if anything was.
pub(super) fn recover(storage: &Arc<dyn Storage>, name: &Arc<str>) -> Result<()> {
    let snapshot = Snapshot::new(storage.clone(), u64::MAX, name.clone());
    let snapshot = snapshot.map_err(Error::engine(Part::Header))?;
    let Some(journal) = find(&snapshot)? else { return Ok(()) };
    if !journal.is_of(&snapshot)? {
        return Ok(());
    }
    write_all(&**storage, 0, &journal.new)?;
    sync(&**storage)?;
    let cut = storage.set_len(journal.start);
    cut.map_err(|error| failed("cannot cut a frame to its length", error))?;
    sync(&**storage)
}

/// The source as it is when what was begun is completed.
pub(super) fn completed(source: Arc<dyn Source>) -> Result<Arc<dyn Source>> {
    match find(&*source)? {
        Some(journal) if journal.is_of(&*source)? => {
            Ok(Arc::new(Completed { inner: source, header: journal.new, len: journal.start }))
        }
        _ => Ok(source),
    }
}

/// A frame with another header than is stored.
struct Completed {
    inner: Arc<dyn Source>,
    header: Vec<u8>,
    len: u64,
}

impl Source for Completed {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> dudley::Result<()> {
        dudley::bytes::check(self.len, address, buf.len() as u64)?;
        self.inner.read_at(address, buf)?;
        let header = usize::try_from(address).ok().and_then(|at| self.header.get(at..));
        for (byte, right) in buf.iter_mut().zip(header.unwrap_or_default()) {
            *byte = *right;
        }
        Ok(())
    }
}

/// Writes all bytes, however many are written at a time.
pub(super) fn write_all(storage: &dyn Storage, address: u64, bytes: &[u8]) -> Result<()> {
    let mut done = 0;
    while done < bytes.len() {
        match storage.write_at(address + done as u64, &bytes[done..]) {
            Ok(0) => {
                let full = std::io::ErrorKind::WriteZero.into();
                return Err(failed("cannot write to a frame", full));
            }
            Ok(count) => done += count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(failed("cannot write to a frame", error)),
        }
    }
    Ok(())
}

fn sync(storage: &dyn Storage) -> Result<()> {
    storage.sync().map_err(|error| failed("cannot make a frame durable", error))
}

pub(super) fn failed(what: &str, error: std::io::Error) -> Error {
    Error::engine(Part::Header)(dudley::Error::io(what.to_owned(), error))
}
