//! One item of a self-describing file, found without parsing its layout: what is an index for?
//!
//! A layout of a hundred thousand arrays takes a while to parse. After its terminator other readers
//! look at nothing, so there a file can hold an *index* of its layout, found by a footer at the end
//! of the file. With it, [`Indexed`] reads a few blocks, and gives the one item that was requested.
//!
//! The index leads to an *excerpt*: a small layout of that item and of all that it depends on
//! ([`dudley_parser::layout::excerpt`]), with the addresses. The engine parses and reads that as any
//! other layout. So an item has its documentation, unit, attributes and filter, and its shape is that
//! of the params in the stream. Addresses that depend on values in the stream (params before the item,
//! counts of filters) are used only while these values are what they were.
//!
//! An index is never believed on its word: it is of one layout at one address, and each block of it
//! has a checksum. Where anything does not match, or is damaged, the layout is read instead. What an
//! index looks like is in `layouts/index.dud`; see `docs/index.md`.

mod build;
mod checked;
mod checksums;
mod encode;
mod extents;
mod find;
mod format;
mod guards;
mod length;
mod place;
mod table;
mod tail;

use std::path::Path;
use std::sync::{Arc, OnceLock};

use crate::bytes::source::{FileSource, Source};
pub use crate::error::Fault;
use crate::error::{Error, Result};
use crate::read::item::Item;
use crate::read::stream::{Bytes, Open, Stream};

pub use crate::encode::policy::{MANY_ITEMS, Options, Policy};
pub(crate) use checksums::Held;
pub use find::Index;
pub use format::LAYOUT;
pub(crate) use length::index_end;
pub use place::{Mended, Written, add, appended, mend, prove, remove, replace, write};
use tail::Tail;
pub(crate) use tail::{Left, MARKER, ends_with_marker, left_of};

fn fault(
    fault: Fault,
    address: u64,
    expected: impl Into<Box<str>>,
    found: impl Into<Box<str>>,
) -> Error {
    Error::Index { fault, address, expected: expected.into(), found: found.into() }
}

/// A self-describing stream whose layout is read only when its index does not do.
///
/// It gives the same results as a [`Stream`]. Only the [stream](Item::stream) of an item may know of
/// that item alone.
///
/// ```
/// use dudley::{Indexed, Writer, index, parse_layout};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("run.bd");
/// let layout = parse_layout(b"N : i8\nt = f8\ngrp/\n  rho = f8[N]  ## (g/cc) density")?;
/// Writer::new(layout)
///     .param("/N", 2)
///     .put("/t", 0.5)
///     .put("/grp/rho", &[1.0, 2.0][..])
///     .attach(true)
///     .write_file(&path, false)?;
/// index::write(&path, index::Options { checksums: true })?;
///
/// let file = Indexed::open(&path)?;
/// let rho = file.get("/grp/rho")?;
/// assert_eq!((rho.read::<f64>()?.sum(), rho.unit()), (3.0, Some("g/cc")));
/// assert!(file.index().is_some());
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone)]
pub struct Indexed {
    inner: Arc<Inner>,
}

struct Inner {
    open: Open,
    origin: Origin,
    index: Option<Index>,
    whole: OnceLock<Stream>,
}

/// Where to look for the whole layout.
enum Origin {
    /// In the file as it is then: since the index was read it may have been extended.
    File(FileSource),
    Source(Arc<dyn Source>),
}

impl Indexed {
    /// Opens a native stream with the layout appended to it. That is read only when it is needed.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let layout = dudley::parse_layout(b"x = f8")?;
    /// # dudley::Writer::new(layout).put("/x", 0.5).attach(true).write_file(&path, false)?;
    /// let file = dudley::Indexed::open(&path)?; // with or without an index
    /// assert_eq!(file.get("/x")?.scalar::<f64>()?, 0.5);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotNative`]; as [`Open::file`], except for faults of the layout, which are errors of the read that
    /// needs it.
    pub fn open(path: impl AsRef<Path>) -> Result<Indexed> {
        Indexed::with(Open::new(), path)
    }

    /// As [`Self::open`], with filters. If `open` has a layout or params, the index does not apply
    /// and is not used.
    ///
    /// ```
    /// use dudley::{Indexed, Open, filter::Registry};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let layout = dudley::parse_layout(b"x = f8")?;
    /// # dudley::Writer::new(layout).put("/x", 0.5).attach(true).write_file(&path, false)?;
    /// let file = Indexed::with(Open::new().filters(Registry::with_builtins()), &path)?;
    /// assert_eq!(file.get("/x")?.scalar::<f64>()?, 0.5);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn with(open: Open, path: impl AsRef<Path>) -> Result<Indexed> {
        Indexed::of_file(open, FileSource::open(path)?)
    }

    /// As [`Self::with`], of a file that is open already.
    ///
    /// ```
    /// use dudley::{Indexed, Open, bytes::FileSource};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let layout = dudley::parse_layout(b"x = f8")?;
    /// # dudley::Writer::new(layout).put("/x", 0.5).attach(true).write_file(&path, false)?;
    /// let file = Indexed::of_file(Open::new(), FileSource::open(&path)?)?;
    /// assert_eq!(file.get("/x")?.scalar::<f64>()?, 0.5);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn of_file(open: Open, file: FileSource) -> Result<Indexed> {
        let bytes = open.bytes_of(file.clone())?;
        Indexed::new(open, &bytes, Origin::File(file))
    }

    /// As [`Self::with`], from anywhere.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::Indexed::source(dudley::Open::new(), bytes)?;
    /// assert_eq!(file.get("/x")?.scalar::<f64>()?, 0.5);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn source(open: Open, source: impl Source + 'static) -> Result<Indexed> {
        let source: Arc<dyn Source> = Arc::new(source);
        let bytes = open.bytes_of(source.clone())?;
        Indexed::new(open, &bytes, Origin::Source(source))
    }

    fn new(open: Open, bytes: &Bytes, origin: Origin) -> Result<Indexed> {
        if bytes.signature.is_none() && open.is_plain() {
            // Such as a layout: nothing else says what the bytes are.
            return Err(Error::NotNative);
        }
        let index = if open.is_plain() {
            // What is wrong with an index is for `verify`; here it is not used.
            Index::of(bytes).ok().flatten()
        } else {
            None
        };
        Ok(Indexed { inner: Arc::new(Inner { open, origin, index, whole: OnceLock::new() }) })
    }

    /// The index, if there is one that can be used.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// assert!(dudley::Indexed::source(dudley::Open::new(), bytes)?.index().is_none());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn index(&self) -> Option<&Index> {
        self.inner.index.as_ref()
    }

    /// An item by its path, as [`Stream::get`].
    ///
    /// ```
    /// use dudley::{Indexed, Open, Writer, index::Options};
    ///
    /// let writer = Writer::new(dudley::parse_layout(b"x = f8  ## (cm) place")?).put("/x", 0.5);
    /// let bytes = writer.index(Options { checksums: false }).to_bytes()?;
    /// assert_eq!(Indexed::source(Open::new(), bytes)?.get("/x")?.unit(), Some("cm"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Stream::get`]; errors of the layout, if the index does not lead to the item.
    pub fn get(&self, path: &str) -> Result<Item> {
        self.stream_of(path)?.get(path)
    }

    /// A stream that has the item of a path: the stream of an excerpt, if the index leads to one,
    /// otherwise [`Self::stream`]. The path may continue into records and slices.
    ///
    /// ```
    /// use dudley::{Indexed, Open, Writer, index::Options};
    ///
    /// let layout = dudley::parse_layout(b"x = f8[3]  y = f8")?;
    /// let writer = Writer::new(layout).put("/x", &[1.0, 2.0, 3.0]).put("/y", 0.5);
    /// let bytes = writer.index(Options { checksums: false }).to_bytes()?;
    /// let stream = Indexed::source(Open::new(), bytes)?.stream_of("/x[1:]")?;
    /// assert_eq!(stream.select("/x[1:]")?.read::<f64>()?.sum(), 5.0);
    /// assert!(stream.get("/y").is_err()); // it knows `/x` alone
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// Errors of the layout, if the index does not lead to the item. A missing item is
    /// an error of the request for it.
    pub fn stream_of(&self, path: &str) -> Result<Stream> {
        match self.excerpt(path) {
            Some(stream) => Ok(stream),
            None => self.stream(),
        }
    }

    /// The stream of the excerpt that the index leads to for a path; `None` if it leads to none.
    ///
    /// ```
    /// use dudley::{Indexed, Open, Writer, index::Options};
    ///
    /// let writer = Writer::new(dudley::parse_layout(b"x = f8")?).put("/x", 0.5);
    /// let with = Indexed::source(Open::new(), writer.index(Options { checksums: false }).to_bytes()?)?;
    /// assert!(with.excerpt("/x").is_some() && with.excerpt("/y").is_none());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn excerpt(&self, path: &str) -> Option<Stream> {
        let stream = self.inner.index.as_ref()?.find(path)?;
        match &self.inner.origin {
            Origin::File(file) => stream.with_counts_held(file).ok()?,
            Origin::Source(_) => Some(stream),
        }
    }

    /// The stream with all of its layout, which is parsed the first time.
    ///
    /// ```
    /// use dudley::{Indexed, Open, Writer, index::Options};
    ///
    /// let writer = Writer::new(dudley::parse_layout(b"x = f8  y = f8")?).put("/x", 0.5).put("/y", 1.5);
    /// let bytes = writer.index(Options { checksums: false }).to_bytes()?;
    /// let stream = Indexed::source(Open::new(), bytes)?.stream()?;
    /// assert_eq!(stream.get("/x")?.scalar::<f64>()? + stream.get("/y")?.scalar::<f64>()?, 2.0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Open::file`].
    pub fn stream(&self) -> Result<Stream> {
        if let Some(stream) = self.inner.whole.get() {
            return Ok(stream.clone());
        }
        let open = self.inner.open.clone();
        let stream = match &self.inner.origin {
            Origin::File(file) => open.opened(file)?,
            Origin::Source(source) => open.source(source.clone())?,
        };
        Ok(self.inner.whole.get_or_init(|| stream).clone())
    }
}

impl std::fmt::Debug for Indexed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Indexed").field("index", &self.inner.index).finish_non_exhaustive()
    }
}
