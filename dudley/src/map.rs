//! Memory-mapped files, with the one `unsafe` that mapping takes.

use std::fs::File;
use std::path::Path;

use memmap2::Mmap;

use crate::error::{Error, Result};
use crate::source::{FileSource, Source, slice};

/// A file that is mapped into memory: its bytes are read from disk when they are touched.
///
/// While it is mapped no process may shorten the file or write over what is read: the first
/// stops a program that touches the missing part (on Unix with the signal `SIGBUS`), the second
/// changes values after they were checked. Where that can happen, use
/// [`FileSource`]. Replacing a file by a new one of the same name, as
/// [`AtomicFile`](crate::output::AtomicFile) does, is harmless: the map keeps the old contents.
#[derive(Debug)]
pub struct MapSource {
    map: Mmap,
}

impl MapSource {
    /// Maps a file.
    ///
    /// # Errors
    /// [`Error::Io`] when it cannot be opened or mapped.
    pub fn open(path: impl AsRef<Path>) -> Result<MapSource> {
        let path = path.as_ref();
        let file = File::open(path)
            .map_err(|error| Error::io(format!("cannot open `{}`", path.display()), error))?;
        MapSource::new(&file)
            .map_err(|error| Error::io(format!("cannot map `{}`", path.display()), error))
    }

    /// Maps a file that is read by position otherwise.
    pub(crate) fn of(source: &FileSource) -> Result<MapSource> {
        let mapped = MapSource::new(source.file());
        mapped.map_err(|error| Error::io(format!("cannot map {}", source.name()), error))
    }

    /// Maps an open file, which can then be closed.
    ///
    /// # Errors
    /// When the operating system cannot map it.
    pub fn new(file: &File) -> std::io::Result<MapSource> {
        // SAFETY: the map is private to this value, only ever read, and lives as long as every
        // slice of it, since those borrow `self`. What cannot be proved here is that no other
        // process changes the file meanwhile; that is the documented duty of whoever maps it.
        // Our own appender changes no byte that a committed layout describes but counts, whole
        // numbers that are copied out, and cuts off only what lies behind a layout, which is
        // not read through a map.
        let map = unsafe { Mmap::map(file)? };
        Ok(MapSource { map })
    }
}

impl Source for MapSource {
    fn len(&self) -> u64 {
        self.map.len() as u64
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
        buf.copy_from_slice(slice(&self.map, address, buf.len() as u64)?);
        Ok(())
    }

    fn bytes(&self) -> Option<&[u8]> {
        Some(&self.map)
    }
}
