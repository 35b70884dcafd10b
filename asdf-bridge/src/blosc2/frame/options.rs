//! How a frame is opened, and read later on.

use std::path::Path;
use std::sync::Arc;

use dudley::bytes::{FileSource, Source, Window};

use super::damaged::Found;
use super::files::{Files, has_chunks, of_folder};
use super::{Frame, journal};
use crate::blosc2::error::{Error, Part, Result};
use crate::blosc2::{DEFAULT_LIMIT, parallel};

/// The file of a sparse frame that has its header, index and trailer.
pub const INDEX_FILE: &str = "chunks.b2frame";

/// How to open a frame, and to read it later on.
///
/// ```no_run
/// use asdf_bridge::blosc2::Options;
///
/// let frame = Options::new().threads(1).limit(1 << 30).base(4096).file("frames.bin")?;
/// # Ok::<(), asdf_bridge::blosc2::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    pub(super) threads: usize,
    pub(super) limit: u64,
    base: u64,
    pub(super) walked: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            threads: parallel::default_threads(),
            limit: DEFAULT_LIMIT,
            base: 0,
            walked: false,
        }
    }
}

impl Options {
    /// As many threads as the machine runs at once, up to 16; at most a tebibyte.
    pub fn new() -> Options {
        Options::default()
    }

    /// How many threads a read may use, at least 1.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Options {
        self.threads = threads.max(1);
        self
    }

    /// The most decoded bytes of one read whose size the frame decides, and of a block of which something is read.
    #[must_use]
    pub fn limit(mut self, limit: u64) -> Options {
        self.limit = limit;
        self
    }

    /// The frame starts at this byte of the file.
    #[must_use]
    pub fn base(mut self, base: u64) -> Options {
        self.base = base;
        self
    }

    /// Whether index and trailer are passed over where they cannot be read, for a frame that is cut off, or of which
    /// these are damaged ([`Frame::index_passed`], [`Frame::trailer_passed`]). Without the index,
    /// chunks are taken in the order in which they lie behind the header, as far as each follows another; but only
    /// the index said where this is another order, and which chunks are values that are not stored. Without the
    /// trailer, what there may have been of metalayers of variable size is not there. Of a sparse frame whose file
    /// with header and index is not there ([`Frame::header_passed`]), the chunks are all there is, in the order of
    /// their files; and a chunk without any frame is one of this chunk alone.
    ///
    /// ```
    /// use asdf_bridge::blosc2::{Encoding, Frame, NewFrame, Options};
    ///
    /// let mut writer = NewFrame::new(Encoding::new(1)).chunksize(100).memory()?;
    /// writer.write(&(0..250).map(|i| i as u8).collect::<Vec<_>>())?;
    /// let mut bytes = writer.finish_bytes()?;
    /// let third = Frame::from_source(bytes.clone())?.chunk_address(2)?.expect("stored");
    /// bytes.truncate(third as usize + 7);
    ///
    /// assert!(Frame::from_source(bytes.clone()).is_err());
    /// let frame = Options::new().walked(true).source(bytes)?;
    /// assert_eq!((frame.chunk_count(), frame.chunk(1)?.decode()?[0]), (3, 100));
    /// assert!(frame.chunk(2).is_err());
    /// # Ok::<(), asdf_bridge::blosc2::Error>(())
    /// ```
    #[must_use]
    pub fn walked(mut self, walked: bool) -> Options {
        self.walked = walked;
        self
    }

    /// Opens a file, or the folder of a sparse frame. Files are read by position.
    ///
    /// # Errors
    /// As [`Frame::open`].
    pub fn file(&self, path: impl AsRef<Path>) -> Result<Frame> {
        let path = path.as_ref();
        let (file, files) = if path.is_dir() {
            (of_folder(path, INDEX_FILE), Some(Files::Folder(path.to_path_buf())))
        } else {
            (Ok(path.to_path_buf()), None)
        };
        let source = |file| FileSource::open(file).map_err(Error::engine(Part::Header));
        let source = match file.and_then(source) {
            Err(why) if self.walked && path.is_dir() && has_chunks(path) => {
                let files = Files::Folder(path.to_path_buf());
                return Frame::build(Found::of_files(&files, Some(why))?, Some(files), self);
            }
            source => source?,
        };
        self.in_file(source, files)
    }

    /// As [`Self::file`], of a file that is open already.
    ///
    /// # Errors
    /// As [`Frame::open`].
    pub fn opened(&self, file: FileSource) -> Result<Frame> {
        self.in_file(file, None)
    }

    fn in_file(&self, file: FileSource, files: Option<Files>) -> Result<Frame> {
        let source: Arc<dyn Source> = Arc::new(file);
        let source = if self.base == 0 { journal::completed(source)? } else { source };
        self.of_source(self.window(source)?, files)
    }

    /// Opens a frame within a source, such as a `Vec<u8>`.
    ///
    /// # Errors
    /// As [`Frame::open`].
    pub fn source(&self, source: impl Source + 'static) -> Result<Frame> {
        self.of_source(self.window(Arc::new(source))?, None)
    }

    fn of_source(&self, source: Arc<dyn Source>, files: Option<Files>) -> Result<Frame> {
        if !self.walked {
            return Frame::build(Found::all(source)?, files, self);
        }
        match Files::lone(&source).filter(|_| files.is_none()) {
            Some(lone) => Frame::build(Found::of_files(&lone, None)?, Some(lone), self),
            None => Frame::build(Found::some(source, files.as_ref())?, files, self),
        }
    }

    fn window(&self, source: Arc<dyn Source>) -> Result<Arc<dyn Source>> {
        match self.base {
            0 => Ok(source),
            base => {
                let window = Window::from(source, base).map_err(Error::engine(Part::Header))?;
                Ok(Arc::new(window))
            }
        }
    }
}
