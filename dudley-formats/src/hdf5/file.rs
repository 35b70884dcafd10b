//! Reads blocks of a file by the addresses in its metadata, and numbers from them; never past the end.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use dudley::bytes::Source;
use dudley::{Error, Result};
use smallvec::SmallVec;

use super::checksum::lookup3;
use crate::cursor::malformed;

/// A file may refer to the same bytes over and over: this many bytes of metadata may be read for each byte of the file,
/// plus [`FREE`].
const TIMES: u64 = 64;
const FREE: u64 = 64 << 20;

/// A file with a known superblock.
pub(super) struct File {
    pub(super) source: Arc<dyn Source>,
    /// Its length in bytes.
    pub(super) len: u64,
    /// The place of the superblock, to which addresses are relative.
    pub(super) base: u64,
    /// Bytes of an address.
    pub(super) offsets: usize,
    /// Bytes of a length.
    pub(super) lengths: usize,
    /// The address of the object that extends the superblock.
    pub(super) extension: Option<u64>,
    /// Heaps of shared messages: the kinds of each, whose numbers are bits, and its address. Set when one is needed.
    pub(super) heaps: OnceLock<Vec<(u32, Option<u64>)>>,
    read: AtomicU64,
    windows: Arc<Mutex<Windows>>,
}

/// Bytes of a read: the first read of a part, and the largest when reads continue after it.
const WINDOW: u64 = 4096;
const LARGEST_WINDOW: u64 = 1 << 16;

/// The parts of a file read last, each with its place.
#[derive(Default)]
struct Windows {
    parts: [(u64, Vec<u8>); 4],
    next: usize,
}

impl Windows {
    /// Reads bytes at a place within the file. Most parts of metadata lie close to each other.
    fn read(&mut self, source: &dyn Source, at: u64, bytes: &mut [u8]) -> Result<()> {
        let count = bytes.len() as u64;
        // An empty block may lie past the end of the file.
        if count == 0 || count > WINDOW / 2 {
            return source.read_at(at, bytes);
        }
        let has = |(begin, part): &&(u64, Vec<u8>)| {
            at >= *begin && at + count <= *begin + part.len() as u64
        };
        if let Some((begin, part)) = self.parts.iter().find(has) {
            let from = (at - begin) as usize;
            bytes.copy_from_slice(&part[from..from + bytes.len()]);
            return Ok(());
        }
        let end = |(begin, part): &(u64, Vec<u8>)| *begin + part.len() as u64;
        let before = self.parts.iter().position(|part| {
            !part.1.is_empty() && at >= part.0 && at <= end(part).saturating_add(WINDOW)
        });
        let (slot, most) = match before {
            Some(slot) => (slot, (self.parts[slot].1.len() as u64 * 2).min(LARGEST_WINDOW)),
            None => (self.next, WINDOW),
        };
        if before.is_none() {
            self.next = (self.next + 1) % self.parts.len();
        }
        // The next read may be a little before this place.
        let begin = if before.is_some() { at } else { at - at % 512 };
        let size = most.max(at - begin + count).min(source.len() - begin);
        let part = &mut self.parts[slot];
        part.0 = begin;
        part.1.resize(size as usize, 0);
        if let Err(error) = source.read_at(begin, &mut part.1) {
            part.1.clear();
            return Err(error);
        }
        let from = (at - begin) as usize;
        bytes.copy_from_slice(&part.1[from..from + bytes.len()]);
        Ok(())
    }
}

impl File {
    pub(super) fn new(source: Arc<dyn Source>, base: u64, offsets: usize, lengths: usize) -> File {
        let (len, windows) = (source.len(), Arc::default());
        let (read, heaps) = (AtomicU64::new(0), OnceLock::new());
        File { source, len, base, offsets, lengths, extension: None, heaps, read, windows }
    }

    /// The same file, with a fresh count of read bytes.
    pub(super) fn anew(&self) -> File {
        self.of_sizes(self.offsets, self.lengths)
    }

    /// The same file, with addresses and lengths of this many bytes.
    pub(super) fn of_sizes(&self, offsets: usize, lengths: usize) -> File {
        File {
            source: self.source.clone(),
            len: self.len,
            base: self.base,
            offsets,
            lengths,
            extension: self.extension,
            heaps: OnceLock::new(),
            read: AtomicU64::new(0),
            windows: self.windows.clone(),
        }
    }

    /// The place of an address in the stream.
    ///
    /// # Errors
    /// If it does not fit in 63 bits.
    pub(super) fn place(&self, address: u64) -> Result<u64> {
        let place = self.base.checked_add(address).filter(|at| i64::try_from(*at).is_ok());
        place.ok_or_else(|| malformed(address, "an address past any file"))
    }

    /// Reads `count` bytes from an address; `what` names them in errors.
    ///
    /// # Errors
    /// If the file ends before them.
    pub(super) fn block(&self, address: u64, count: u64, what: &'static str) -> Result<Block<'_>> {
        let at = self.place(address)?;
        let left = self.len.saturating_sub(at);
        if count > left {
            let why = format!("the file ends within {what}: {count} bytes needed, {left} left");
            return Err(malformed(at, why));
        }
        let read = self.read.fetch_add(count.max(16), Ordering::Relaxed);
        if read > self.len.saturating_mul(TIMES).saturating_add(FREE) {
            let why =
                format!("more metadata than {} bytes can be: {what} stands in itself", self.len);
            return Err(malformed(at, why));
        }
        let mut bytes = Bytes::from_elem(0, count as usize);
        let mut windows = self.windows.lock().unwrap_or_else(PoisonError::into_inner);
        windows.read(&*self.source, at, &mut bytes)?;
        Ok(Block { file: self, bytes, at: 0, place: at, what })
    }

    /// As [`Self::block`], with fewer bytes if the file ends earlier.
    pub(super) fn block_up_to(
        &self,
        address: u64,
        most: u64,
        what: &'static str,
    ) -> Result<Block<'_>> {
        let left = self.len.saturating_sub(self.place(address)?);
        self.block(address, most.min(left), what)
    }

    /// A block of bytes already read from a place of the stream.
    pub(super) fn within(&self, bytes: &[u8], place: u64, what: &'static str) -> Block<'_> {
        Block { file: self, bytes: Bytes::from_slice(bytes), at: 0, place, what }
    }
}

/// The bytes of a block, or of a message of an object: most are few.
pub(super) type Bytes = SmallVec<[u8; 64]>;

/// A block of metadata, read from its beginning.
pub(super) struct Block<'f> {
    pub(super) file: &'f File,
    bytes: Bytes,
    at: usize,
    /// Their place in the stream.
    place: u64,
    what: &'static str,
}

impl Block<'_> {
    /// The place of the next byte in the stream.
    pub(super) fn place(&self) -> u64 {
        self.place + self.at as u64
    }

    /// An error at the next byte.
    pub(super) fn wrong(&self, why: impl std::fmt::Display) -> Error {
        malformed(self.place(), format!("{}: {why}", self.what))
    }

    pub(super) fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(super) fn take(&mut self, count: usize) -> Result<&[u8]> {
        if count > self.left() {
            return Err(self.wrong(format!("it ends {} bytes early", count - self.left())));
        }
        self.at += count;
        Ok(&self.bytes[self.at - count..self.at])
    }

    pub(super) fn skip(&mut self, count: usize) -> Result<()> {
        self.take(count).map(drop)
    }

    /// Reads an unsigned integer of this many bytes, up to 8.
    pub(super) fn uint(&mut self, bytes: usize) -> Result<u64> {
        if bytes > 8 {
            return Err(self.wrong(format!("an integer of {bytes} bytes")));
        }
        let taken = self.take(bytes)?;
        Ok(taken.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
    }

    pub(super) fn u1(&mut self) -> Result<u8> {
        Ok(self.uint(1)? as u8)
    }

    pub(super) fn u2(&mut self) -> Result<u16> {
        Ok(self.uint(2)? as u16)
    }

    pub(super) fn u4(&mut self) -> Result<u32> {
        Ok(self.uint(4)? as u32)
    }

    /// Reads an address; `None` if it is undefined.
    pub(super) fn address(&mut self) -> Result<Option<u64>> {
        let bytes = self.file.offsets;
        let address = self.uint(bytes)?;
        let undefined = if bytes == 8 { u64::MAX } else { (1 << (8 * bytes)) - 1 };
        Ok((address != undefined).then_some(address))
    }

    /// Reads an address that must be defined.
    pub(super) fn there(&mut self, of: &str) -> Result<u64> {
        match self.address()? {
            Some(address) => Ok(address),
            None => Err(self.wrong(format!("no address of {of}"))),
        }
    }

    pub(super) fn length(&mut self) -> Result<u64> {
        self.uint(self.file.lengths)
    }

    /// Reads a text up to its NUL.
    pub(super) fn text(&mut self) -> Result<String> {
        let rest = &self.bytes[self.at..];
        let Some(length) = rest.iter().position(|byte| *byte == 0) else {
            return Err(self.wrong("a name without an end"));
        };
        let text = crate::headers::text(&rest[..length]);
        self.at += length + 1;
        Ok(text)
    }

    /// Checks the signature.
    pub(super) fn signature(&mut self, expected: &[u8; 4]) -> Result<()> {
        let place = self.place();
        let (what, found) = (self.what, self.take(4)?);
        if found == expected {
            return Ok(());
        }
        let (expected, found) = (String::from_utf8_lossy(expected), found.escape_ascii());
        Err(malformed(place, format!("{what}: expected `{expected}`, found `{found}`")))
    }

    /// Reads a version, which must be a known one.
    pub(super) fn version(&mut self, known: std::ops::RangeInclusive<u8>) -> Result<u8> {
        let version = self.u1()?;
        if known.contains(&version) {
            return Ok(version);
        }
        self.at -= 1;
        Err(self.wrong(format!("version {version} is not known")))
    }

    /// Verifies the checksum of all bytes before it.
    pub(super) fn checksum(&mut self) -> Result<()> {
        self.checksum_from(0)
    }

    /// As [`Self::checksum`], for the bytes from an offset. With `fuzzing`, which fuzzers set, any checksum passes: no
    /// fuzzer could guess one.
    #[allow(unexpected_cfgs)]
    pub(super) fn checksum_from(&mut self, from: usize) -> Result<()> {
        let found = lookup3(&self.bytes[from..self.at]);
        let stored = self.u4()?;
        if stored == found || cfg!(fuzzing) {
            return Ok(());
        }
        self.at -= 4;
        Err(self
            .wrong(format!("the checksum is {stored:#010x}, and that of the bytes {found:#010x}")))
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }
}
