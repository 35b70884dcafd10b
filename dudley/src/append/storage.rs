//! Bytes that are read and written in place: a file, or what a test puts in its stead.
//!
//! All that an appender does to a file goes through [`Storage`], so that a test can stop it, make it
//! fail or lose what was not made durable, at every single call.

use std::fs::File;
use std::io;
use std::sync::Arc;

use crate::bytes::positioned::Positioned;
use crate::bytes::source::{Source, check};
use crate::error::{Error, Result};

/// Bytes that are read and written by address. Addresses and lengths are in bytes.
///
/// Two more requirements: [`sync`](Storage::sync) makes all earlier writes durable; a
/// write of 8 bytes at an address that is a multiple of 8 is never seen, nor made durable, in part.
#[expect(clippy::len_without_is_empty, reason = "nobody asks")]
pub trait Storage: Send + Sync {
    /// The length now.
    ///
    /// # Errors
    /// If the operating system refuses.
    fn len(&self) -> io::Result<u64>;

    /// Reads from `address` on; how many bytes, 0 at the end.
    ///
    /// # Errors
    /// If the operating system refuses.
    fn read_at(&self, address: u64, buf: &mut [u8]) -> io::Result<usize>;

    /// Writes from `address` on, perhaps only some of the bytes; how many. What lies between the end and
    /// `address` reads as zeros.
    ///
    /// # Errors
    /// If the operating system refuses.
    fn write_at(&self, address: u64, bytes: &[u8]) -> io::Result<usize>;

    /// Cuts off or adds zeros.
    ///
    /// # Errors
    /// If the operating system refuses.
    fn set_len(&self, len: u64) -> io::Result<()>;

    /// Makes all durable that was done before.
    ///
    /// # Errors
    /// If the operating system refuses; what was done before is then lost or not.
    fn sync(&self) -> io::Result<()>;
}

/// A file.
#[derive(Debug)]
pub struct FileStorage {
    file: Positioned,
}

impl FileStorage {
    /// A file that is open to read and to write.
    pub fn new(file: File) -> FileStorage {
        FileStorage { file: Positioned::new(file) }
    }
}

impl Storage for FileStorage {
    fn len(&self) -> io::Result<u64> {
        Ok(self.file.file().metadata()?.len())
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> io::Result<usize> {
        self.file.read_at(address, buf)
    }

    fn write_at(&self, address: u64, bytes: &[u8]) -> io::Result<usize> {
        self.file.write_at(address, bytes)?;
        Ok(bytes.len())
    }

    fn set_len(&self, len: u64) -> io::Result<()> {
        self.file.file().set_len(len)
    }

    fn sync(&self) -> io::Result<()> {
        // The length is made durable too, where it is needed to read what was written.
        self.file.file().sync_data()
    }
}

/// The first bytes of a storage, to be read.
///
/// ```
/// use std::sync::Arc;
///
/// use dudley::append::{FileStorage, Snapshot};
/// use dudley::bytes::Source;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("a.bd");
/// std::fs::write(&path, b"abcdef")?;
/// let storage = FileStorage::new(std::fs::File::open(&path)?);
/// let snapshot = Snapshot::new(Arc::new(storage), 4, "a.bd".into())?;
/// let mut read = [0; 2];
/// snapshot.read_at(2, &mut read)?;
/// assert_eq!((&read, snapshot.len()), (b"cd", 4));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Snapshot {
    storage: Arc<dyn Storage>,
    len: u64,
    name: Arc<str>,
}

impl Snapshot {
    /// The first `len` bytes, or as many as there are. `name` is for messages.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn new(storage: Arc<dyn Storage>, len: u64, name: Arc<str>) -> Result<Snapshot> {
        let there = storage.len();
        let there =
            there.map_err(|error| Error::io(format!("cannot get the size of {name}"), error))?;
        Ok(Snapshot { storage, len: len.min(there), name })
    }
}

impl Source for Snapshot {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
        let needed = buf.len() as u64;
        check(self.len, address, needed)?;
        let mut done = 0;
        while done < buf.len() {
            match self.storage.read_at(address + done as u64, &mut buf[done..]) {
                Ok(0) => return Err(Error::truncated(address, needed, done as u64)),
                Ok(read) => done += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::io(format!("cannot read {}", self.name), error)),
            }
        }
        Ok(())
    }
}
