//! A storage that is written in place, and what is written there at once.

use std::io;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use dudley::append::Storage;
use dudley::elements::WriteAt;

use super::super::error::Result;
use super::super::write::target::Target;

/// What disks write at once, in bytes; at addresses that are multiples of it.
pub(super) const SECTOR: u64 = 512;

/// Blanks written at a time.
const BLANKS: [u8; 4096] = [b' '; 4096];

/// A storage that is written in place. After a failure nothing more is written.
pub(super) struct Place {
    storage: Arc<dyn Storage>,
    name: Arc<str>,
    failed: AtomicBool,
}

impl Place {
    pub(super) fn new(storage: Arc<dyn Storage>, name: Arc<str>) -> Place {
        Place { storage, name, failed: AtomicBool::new(false) }
    }

    fn done<T>(&self, doing: &str, result: io::Result<T>) -> dudley::Result<T> {
        result.map_err(|error| {
            self.failed.store(true, Ordering::Relaxed);
            dudley::Error::io(format!("cannot {doing} {}", self.name), error)
        })
    }

    fn open(&self) -> dudley::Result<&dyn Storage> {
        if self.failed.load(Ordering::Relaxed) {
            Err(dudley::Error::Abandoned { name: self.name.as_ref().into() })
        } else {
            Ok(&*self.storage)
        }
    }

    /// Makes all durable that was written.
    pub(super) fn sync(&self) -> Result<()> {
        let synced = self.open()?.sync();
        Ok(self.done("write", synced)?)
    }

    /// Cuts off what stands behind an address.
    pub(super) fn cut(&self, end: u64) -> Result<()> {
        let len = self.open()?.len();
        if self.done("get the size of", len)? > end {
            let cut = self.open()?.set_len(end);
            self.done("shorten", cut)?;
        }
        Ok(())
    }

    /// Writes blanks.
    pub(super) fn blank(&self, range: Range<u64>) -> Result<()> {
        let mut at = range.start;
        while at < range.end {
            let some = (range.end - at).min(BLANKS.len() as u64);
            self.write(at, &BLANKS[..some as usize])?;
            at += some;
        }
        Ok(())
    }
}

impl Target for Place {
    fn is_positioned(&self) -> bool {
        true
    }

    fn reserve(&self, end: u64) -> Result<()> {
        let len = self.open()?.len();
        if self.done("get the size of", len)? < end {
            let extended = self.open()?.set_len(end);
            self.done("extend", extended)?;
        }
        Ok(())
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<()> {
        Ok(self.write_at(address, bytes)?)
    }
}

impl WriteAt for Place {
    fn write_at(&self, address: u64, bytes: &[u8]) -> dudley::Result<()> {
        let mut done = 0;
        while done < bytes.len() {
            let written = self.open()?.write_at(address + done as u64, &bytes[done..]);
            done += match written {
                Ok(0) => self.done("write", Err(io::ErrorKind::WriteZero.into()))?,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => 0,
                written => self.done("write", written)?,
            };
        }
        Ok(())
    }
}

/// The bytes in which two texts differ up to the end of the shorter one; `None` if there are none.
pub(super) fn difference(old: &[u8], new: &[u8]) -> Option<Range<usize>> {
    let pairs = || old.iter().zip(new);
    let start = pairs().position(|(old, new)| old != new)?;
    let end = pairs().rposition(|(old, new)| old != new)?;
    Some(start..end + 1)
}

/// Whether bytes are in one sector, so that they are written at once or not at all.
pub(super) fn is_one_sector(range: &Range<usize>) -> bool {
    range.is_empty() || range.start as u64 / SECTOR == (range.end as u64 - 1) / SECTOR
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_as_short_as_they_are() {
        assert_eq!(difference(b"abcd", b"abcdef"), None);
        assert_eq!(difference(b"abcd", b"axyd"), Some(1..3));
        assert_eq!(difference(b"abcd", b"b"), Some(0..1));
        assert!(is_one_sector(&(508..512)) && is_one_sector(&(512..1024)));
        assert!(!is_one_sector(&(511..513)));
    }
}
