//! Where bytes go to: memory, a file that is complete or absent, anything that takes bytes by address.

use std::sync::Arc;

use dudley_parser::place::LIMIT;

use super::AtomicFile;
use crate::bytes::source::{Source, slice};
use crate::error::{Error, Result, to_usize};

/// The target of a written stream.
pub trait Output {
    /// Writes bytes at an address; what lies between is 0.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::TooLarge`].
    fn put(&mut self, address: u64, bytes: &[u8]) -> Result<()>;

    /// Makes the stream at least so long.
    ///
    /// # Errors
    /// As [`Output::put`].
    fn grow(&mut self, length: u64) -> Result<()>;

    /// Notes that bytes from an address on were written before, and stay.
    fn there(&mut self, _address: u64, _bytes: u64) {}

    /// Fills a buffer with what was written from an address on; false if that cannot be known.
    ///
    /// # Errors
    /// [`Error::Io`], [`Error::Truncated`].
    fn read_back(&mut self, _address: u64, _buf: &mut [u8]) -> Result<bool> {
        Ok(false)
    }

    /// Lends what was written so far to be read, until the call returns; not where it cannot be read.
    ///
    /// # Errors
    /// As [`Output::put`].
    fn lend(&mut self, _reader: &mut dyn FnMut(Arc<dyn Source>)) -> Result<()> {
        Ok(())
    }

    /// Where several threads may write at once, within the length so far; `None` where they may not.
    fn beside(&self) -> Option<&dyn Beside> {
        None
    }
}

/// An output that several threads may write to at once.
pub trait Beside: Sync {
    /// Writes bytes at an address, within the length of the output.
    ///
    /// # Errors
    /// As [`Output::put`]; [`Error::Truncated`] behind the end of the output.
    fn put_beside(&self, address: u64, bytes: &[u8]) -> Result<()>;
}

impl Output for Vec<u8> {
    fn put(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        let end = address.saturating_add(bytes.len() as u64);
        self.grow(end)?;
        let begin = to_usize(address)?;
        self[begin..begin + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn grow(&mut self, length: u64) -> Result<()> {
        if length > LIMIT {
            return Err(Error::too_large(length));
        }
        let length = to_usize(length)?;
        if length > self.len() {
            self.try_reserve(length - self.len()).map_err(|_| Error::too_large(length as u64))?;
            self.resize(length, 0);
        }
        Ok(())
    }

    fn read_back(&mut self, address: u64, buf: &mut [u8]) -> Result<bool> {
        buf.copy_from_slice(slice(self, address, buf.len() as u64)?);
        Ok(true)
    }

    fn lend(&mut self, reader: &mut dyn FnMut(Arc<dyn Source>)) -> Result<()> {
        let bytes = Arc::new(std::mem::take(self));
        reader(bytes.clone());
        // No copy, unless the reader kept it.
        *self = Arc::unwrap_or_clone(bytes);
        Ok(())
    }
}

impl Beside for AtomicFile {
    fn put_beside(&self, address: u64, bytes: &[u8]) -> Result<()> {
        self.write_within(address, bytes)
    }
}

impl Output for AtomicFile {
    fn put(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        self.write_at(address, bytes)
    }

    fn grow(&mut self, length: u64) -> Result<()> {
        // What was collected is not to be written over what threads write.
        self.flush()?;
        self.extend_to(length)
    }

    fn read_back(&mut self, address: u64, buf: &mut [u8]) -> Result<bool> {
        self.read_at(address, buf)?;
        Ok(true)
    }

    fn lend(&mut self, reader: &mut dyn FnMut(Arc<dyn Source>)) -> Result<()> {
        reader(Arc::new(self.source()?));
        Ok(())
    }

    fn beside(&self) -> Option<&dyn Beside> {
        Some(self)
    }
}
