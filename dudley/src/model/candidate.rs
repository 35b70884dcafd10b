//! The candidate for opening, of a still unknown format: a file, a folder, or other bytes.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::bytes::source::{FileSource, Source, Window, slice};
use crate::error::{Error, Result, file_name};

/// Most formats are known by this many of the first bytes.
const HEAD: usize = 64;

/// This many of the first bytes are read at once: the headers of small files, or where they begin.
const BLOCK: u64 = 1 << 12;

/// This many bytes are looked at before they are taken for a text.
const TEXT: u64 = 1 << 16;

/// A file, a folder, or bytes from elsewhere, of which formats say whether they know it.
///
/// It is opened once, and its first bytes are read once, however many formats look at it.
///
/// ```
/// use dudley::model::Candidate;
///
/// let bytes = Candidate::source("bytes", b"..SIMPLE  = T".to_vec(), 2);
/// assert_eq!((bytes.head()?, bytes.len()), (&b"SIMPLE  = T"[..], 11));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone)]
pub struct Candidate {
    name: String,
    path: Option<PathBuf>,
    bytes: Bytes,
    base: u64,
    head: OnceLock<Arc<[u8]>>,
    text: OnceLock<Arc<[u8]>>,
}

#[derive(Clone)]
enum Bytes {
    Folder,
    File(Arc<FileSource>),
    Source(Arc<dyn Source>),
}

impl Candidate {
    /// A file or a folder. The stream begins at byte `base` of a file.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be opened, or is neither.
    pub fn file(path: impl AsRef<Path>, base: u64) -> Result<Candidate> {
        let path = path.as_ref();
        let bytes = match FileSource::open(path) {
            Err(Error::Io { source, .. }) if source.kind() == ErrorKind::IsADirectory => {
                Bytes::Folder
            }
            opened => Bytes::File(Arc::new(opened?)),
        };
        Ok(Candidate::new(file_name(&path), Some(path.to_path_buf()), bytes, base))
    }

    /// An open file. The stream begins at byte `base`.
    ///
    /// ```
    /// use dudley::bytes::FileSource;
    /// use dudley::model::Candidate;
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("bytes");
    /// std::fs::write(&path, b"abc").expect("it is written");
    /// let file = Candidate::of_file(FileSource::open(&path)?, 1);
    /// assert_eq!((file.path(), file.head()?), (Some(&*path), &b"bc"[..]));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn of_file(file: FileSource, base: u64) -> Candidate {
        let path = file.path().map(Path::to_path_buf);
        let name = path.as_ref().map_or_else(|| file.name().to_string(), file_name);
        Candidate::new(name, path, Bytes::File(Arc::new(file)), base)
    }

    /// Bytes from anywhere, and their name for messages. The stream begins at byte `base`.
    pub fn source(name: impl Into<String>, source: impl Source + 'static, base: u64) -> Candidate {
        Candidate::new(name.into(), None, Bytes::Source(Arc::new(source)), base)
    }

    fn new(name: String, path: Option<PathBuf>, bytes: Bytes, base: u64) -> Candidate {
        Candidate { name, path, bytes, base, head: OnceLock::new(), text: OnceLock::new() }
    }

    /// The name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The path of the file or folder, if it is one.
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The path of the folder, if it is one.
    pub fn folder(&self) -> Option<&Path> {
        match self.bytes {
            Bytes::Folder => self.path(),
            _ => None,
        }
    }

    /// The open file, if it is one.
    pub fn opened(&self) -> Option<&FileSource> {
        match &self.bytes {
            Bytes::File(file) => Some(file),
            _ => None,
        }
    }

    /// The byte of the file, or of the source, where it begins.
    pub fn base(&self) -> u64 {
        self.base
    }

    /// The length of the file or the source in bytes; `None` for a folder.
    pub fn whole_len(&self) -> Option<u64> {
        self.whole().map(|source| source.len())
    }

    /// The number of bytes from its start on; 0 for a folder.
    pub fn len(&self) -> u64 {
        self.whole().map_or(0, |source| source.len().saturating_sub(self.base))
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its first bytes: 64, or all; none for a folder.
    ///
    /// # Errors
    /// [`Error::Truncated`] if there are fewer than its base; if reading them fails.
    pub fn head(&self) -> Result<&[u8]> {
        let block: &[u8] = self.block()?;
        Ok(&block[..block.len().min(HEAD)])
    }

    /// The first bytes that decide whether it is a text: 65,536, or all.
    ///
    /// # Errors
    /// As [`Self::head`].
    pub fn long_head(&self) -> Result<&[u8]> {
        Ok(self.first(&self.text, TEXT)?)
    }

    /// The first block; fewer bytes if another program cuts the file off meanwhile.
    fn block(&self) -> Result<&Arc<[u8]>> {
        match self.first(&self.head, BLOCK) {
            Err(Error::Shortened { .. }) => self.first(&self.head, HEAD as u64),
            read => read,
        }
    }

    fn first<'c>(&self, known: &'c OnceLock<Arc<[u8]>>, most: u64) -> Result<&'c Arc<[u8]>> {
        if let Some(bytes) = known.get() {
            return Ok(bytes);
        }
        let mut bytes: Arc<[u8]> = Arc::default();
        if let Some(source) = self.whole() {
            let there = crate::bytes::source::rest(source.len(), self.base)?;
            bytes = std::iter::repeat_n(0, there.min(most) as usize).collect();
            // Nobody else has it yet.
            source.read_at(self.base, Arc::make_mut(&mut bytes))?;
        }
        Ok(known.get_or_init(|| bytes))
    }

    /// Its bytes, from its beginning on.
    ///
    /// # Errors
    /// [`Error::Io`] if it is a folder.
    pub fn bytes(&self) -> Result<Arc<dyn Source>> {
        let Some(source) = self.whole() else {
            let error = std::io::Error::from(std::io::ErrorKind::IsADirectory);
            return Err(Error::io(format!("cannot read {}", self.name), error));
        };
        Ok(match self.base {
            0 => source,
            base => Arc::new(Window::from(source, base)?),
        })
    }

    /// Its bytes, from its beginning on, for headers: the first of them are read once, and are those of
    /// [the look at it](Self::head). Data is read from [`Self::bytes`], which may change.
    ///
    /// ```
    /// use dudley::bytes::Source;
    /// use dudley::model::Candidate;
    ///
    /// let mut header = [0; 3];
    /// Candidate::source("bytes", b"CDF\x01".to_vec(), 0).headers()?.read_at(0, &mut header)?;
    /// assert_eq!(&header, b"CDF");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::bytes`]; if reading the first bytes fails.
    pub fn headers(&self) -> Result<Arc<dyn Source>> {
        let (source, head) = (self.bytes()?, self.block()?.clone());
        Ok(Arc::new(Headed { source, head }))
    }

    fn whole(&self) -> Option<Arc<dyn Source>> {
        match &self.bytes {
            Bytes::Folder => None,
            Bytes::File(file) => Some(file.clone()),
            Bytes::Source(source) => Some(source.clone()),
        }
    }
}

/// Bytes of which the first are in memory.
struct Headed {
    source: Arc<dyn Source>,
    head: Arc<[u8]>,
}

impl Source for Headed {
    fn len(&self) -> u64 {
        self.source.len()
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
        match slice(&self.head, address, buf.len() as u64) {
            Ok(bytes) => buf.copy_from_slice(bytes),
            Err(_) => self.source.read_at(address, buf)?,
        }
        Ok(())
    }

    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> Result<()> {
        self.source.read_ranges(ranges)
    }

    fn batch(&self) -> u64 {
        self.source.batch()
    }

    fn is_hole(&self, address: u64, length: u64) -> bool {
        self.source.is_hole(address, length)
    }

    fn bytes(&self) -> Option<&[u8]> {
        self.source.bytes()
    }

    fn load(&self) -> Result<Option<&[u8]>> {
        self.source.load()
    }
}
