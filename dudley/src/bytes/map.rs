//! Memory-mapped files, on request, and the conditions of their safe use.

use std::fs::File;
use std::path::Path;

use memmap2::Mmap;

use crate::bytes::positioned;
use crate::bytes::source::{Source, slice};
use crate::error::{Error, Result, file_name};

/// A file that is mapped into memory: its bytes are read from disk when they are touched, and borrowed without a copy.
///
/// No function of this library maps a file, except through this type. Files that are opened by their
/// names are read by position ([`FileSource`](crate::bytes::source::FileSource)), which costs little and gives an error if
/// another program cuts the file off. A map is for programs that read small parts of large arrays again and again,
/// and know that nobody changes the file:
///
/// ```
/// use dudley::Open;
/// use dudley::bytes::MapSource;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("a.dat");
/// std::fs::write(&path, [3, 4])?;
/// // SAFETY: nobody else knows of this file.
/// let map = unsafe { MapSource::open(&path)? };
/// let stream = Open::new().layout_text("x = u1[2]")?.raw().source(map)?;
/// stream.get("/x")?.view::<u8, _>(|x| assert_eq!(x.sum(), 7))?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct MapSource {
    map: Mmap,
}

impl MapSource {
    /// Maps a file.
    ///
    /// # Safety
    /// As [`Self::new`].
    ///
    /// # Errors
    /// [`Error::Io`] when it cannot be opened or mapped, or is no file.
    pub unsafe fn open(path: impl AsRef<Path>) -> Result<MapSource> {
        let path = path.as_ref();
        let file = positioned::open(path, File::options().read(true))
            .map_err(|error| Error::io(format!("cannot open `{}`", file_name(&path)), error))?;
        // SAFETY: what is asked of the caller is the same.
        unsafe { MapSource::new(&file) }
            .map_err(|error| Error::io(format!("cannot map `{}`", file_name(&path)), error))
    }

    /// Maps an open file, which can then be closed.
    ///
    /// # Safety
    /// As long as the map lives, nobody, in this process or another one, may shorten the file or overwrite any part
    /// of it. If the file is shortened, a program that touches the missing bytes ends (on Unix by the signal `SIGBUS`). If it is overwritten,
    /// the bytes behind a `&[T]` change, which is undefined behaviour. All code that writes files in place breaks this rule: the
    /// [appender](crate::append::Append), which overwrites counts and cuts off the bytes behind a layout, and
    /// the editors of ASDF files and Blosc2 frames. To replace a file by a new one of the same name, as
    /// [`AtomicFile`](crate::bytes::output::AtomicFile) does, is harmless: the map keeps the old contents.
    ///
    /// # Errors
    /// If the operating system cannot map it.
    pub unsafe fn new(file: &File) -> std::io::Result<MapSource> {
        // SAFETY: the map is private to this value, only ever read, and lives as long as every slice of it, since
        // those borrow `self`. That nobody changes the file is what the caller answers for.
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
