//! Where a file is written to: a file that is complete or absent, or anything that takes bytes in order.

use std::fs::File;
use std::io::Write;
use std::sync::{Mutex, PoisonError, RwLock};

use dudley::bytes::AtomicFile;

use super::super::error::Result;

/// Takes the bytes of a file, from several threads.
pub(crate) trait Target: Sync {
    /// Whether bytes may be written in any order.
    fn is_positioned(&self) -> bool;

    /// Makes room up to an address: what is not written later is zeros.
    ///
    /// # Errors
    /// [`dudley::Error::Io`].
    fn reserve(&self, end: u64) -> Result<()>;

    /// Writes bytes at an address. Of a target that takes them in order it is the end of what was written, or
    /// behind it: then there are zeros between.
    ///
    /// # Errors
    /// [`dudley::Error::Io`].
    fn write(&self, address: u64, bytes: &[u8]) -> Result<()>;
}

/// A file that is not yet there.
pub(crate) struct ToFile(RwLock<AtomicFile>);

impl ToFile {
    pub(crate) fn new(file: AtomicFile) -> ToFile {
        ToFile(RwLock::new(file))
    }

    /// Copies bytes of another file; as [`AtomicFile::copy_from`].
    pub(crate) fn copy(&self, other: &File, from: u64, bytes: u64, to: u64) -> Result<()> {
        let mut file = self.0.write().unwrap_or_else(PoisonError::into_inner);
        Ok(file.copy_from(other, from, bytes, to)?)
    }

    /// Gives the file its name.
    ///
    /// # Errors
    /// As [`AtomicFile::commit`].
    pub(crate) fn commit(self) -> Result<()> {
        Ok(self.0.into_inner().unwrap_or_else(PoisonError::into_inner).commit()?)
    }
}

impl Target for ToFile {
    fn is_positioned(&self) -> bool {
        true
    }

    fn reserve(&self, end: u64) -> Result<()> {
        Ok(self.0.write().unwrap_or_else(PoisonError::into_inner).extend_to(end)?)
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<()> {
        let end = address.saturating_add(bytes.len() as u64);
        if self.0.read().unwrap_or_else(PoisonError::into_inner).len() < end {
            self.reserve(end)?;
        }
        let file = self.0.read().unwrap_or_else(PoisonError::into_inner);
        Ok(file.write_within(address, bytes)?)
    }
}

/// Anything that takes bytes in order.
pub(crate) struct InOrder<W>(Mutex<(W, u64)>);

/// Zeros that are written at a time.
const ZEROS: [u8; 4096] = [0; 4096];

impl<W: Write> InOrder<W> {
    pub(crate) fn new(sink: W) -> InOrder<W> {
        InOrder(Mutex::new((sink, 0)))
    }

    /// The sink, with all that was written handed on.
    ///
    /// # Errors
    /// [`dudley::Error::Io`].
    pub(crate) fn finish(self) -> Result<W> {
        let (mut sink, _) = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        sink.flush().map_err(cannot)?;
        Ok(sink)
    }
}

impl<W: Write + Send> Target for InOrder<W> {
    fn is_positioned(&self) -> bool {
        false
    }

    fn reserve(&self, end: u64) -> Result<()> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (sink, at) = &mut *held;
        while *at < end {
            let some = ZEROS.len().min(usize::try_from(end - *at).unwrap_or(ZEROS.len()));
            sink.write_all(&ZEROS[..some]).map_err(cannot)?;
            *at += some as u64;
        }
        Ok(())
    }

    fn write(&self, address: u64, bytes: &[u8]) -> Result<()> {
        self.reserve(address)?;
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (sink, at) = &mut *held;
        debug_assert_eq!(*at, address, "bytes out of order");
        sink.write_all(bytes).map_err(cannot)?;
        *at += bytes.len() as u64;
        Ok(())
    }
}

fn cannot(error: std::io::Error) -> dudley::Error {
    dudley::Error::io("cannot write the file", error)
}
