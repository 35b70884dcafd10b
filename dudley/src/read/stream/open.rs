//! How a stream is opened: what the caller knows better than its bytes, and what those say.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use dudley_parser::layout::Layout;
use dudley_parser::layout::dtype::ByteOrder;
use dudley_parser::resolve::{Given, State};

use super::guard::Constants;
use super::{Inner, NATIVE_START, Stream, StreamKind, appended_text, known, snapshot};
use crate::bytes::signature::{Damage, LEN, Signature};
use crate::bytes::source::{FileSource, Source, Window};
use crate::bytes::work::Work;
use crate::error::{Error, Result};
use crate::filter::Registry;
use crate::read::path;

/// How to open a stream: its layout, and everything else that the bytes do not contain.
///
/// ```
/// use dudley::Open;
///
/// let stream = Open::new().layout_text("N : u1  x = >u2[N]")?.bytes(vec![2, 0, 0, 7, 0, 8])?;
/// assert_eq!(stream.get("/x")?.read::<u16>()?.as_slice(), Some(&[7, 8][..]));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Open {
    pub(super) layout: Option<Arc<Layout>>,
    order: Option<ByteOrder>,
    pub(crate) raw: bool,
    native: bool,
    pub(crate) base: u64,
    length: Option<u64>,
    params: Vec<(String, i128)>,
    filters: Option<Arc<Registry>>,
    work: Work,
    path: Option<Arc<PathBuf>>,
    constants: Constants,
}

impl Open {
    /// Opens with the layout that is attached to the stream.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1")?.raw().bytes([7])?;
    /// assert_eq!(stream.get("/x")?.scalar::<u8>()?, 7);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Opens with this layout, even if another one is attached.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = u1")?;
    /// let stream = dudley::Open::new().layout(layout).raw().bytes([7])?;
    /// assert_eq!(stream.get("/x")?.scalar::<u8>()?, 7);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn layout(mut self, layout: impl Into<Arc<Layout>>) -> Self {
        self.layout = Some(layout.into());
        self
    }

    /// As [`Self::layout`], from its text.
    ///
    /// ```
    /// assert!(dudley::Open::new().layout_text("x = u1").is_ok());
    /// assert!(dudley::Open::new().layout_text("x = u9").is_err());
    /// ```
    ///
    /// # Errors
    /// [`Error::Layout`] if the text has errors.
    pub fn layout_text(self, text: &str) -> Result<Self> {
        Ok(self.layout(known::layout(text.as_bytes())?))
    }

    /// The byte order of a raw stream whose layout has none.
    ///
    /// ```
    /// use dudley::{ByteOrder, Open};
    ///
    /// let open = Open::new().layout_text("x = u2")?.raw().order(ByteOrder::Big);
    /// assert_eq!(open.bytes([1, 0])?.get("/x")?.scalar::<u16>()?, 256);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn order(mut self, order: ByteOrder) -> Self {
        self.order = Some(order);
        self
    }

    /// Opens the stream without a signature, even if it begins like one.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1")?.raw().bytes([7])?;
    /// assert_eq!(stream.get("/x")?.address()?, 0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn raw(mut self) -> Self {
        self.raw = true;
        self
    }

    /// Requires a signature, and a stream that reaches the layout to which the signature points.
    /// Without this, a file without a signature is a raw stream if a layout is given.
    ///
    /// ```
    /// let open = dudley::Open::new().layout_text("x = u1")?.native();
    /// assert!(open.bytes([7]).is_err()); // no signature
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn native(mut self) -> Self {
        self.native = true;
        self
    }

    /// The stream starts at this byte of the file: addresses are relative to it.
    ///
    /// ```
    /// let open = dudley::Open::new().layout_text("x = u1")?.raw().base(16);
    /// let mut bytes = vec![0; 17];
    /// bytes[16] = 7;
    /// let x = open.bytes(bytes)?.get("/x")?;
    /// assert_eq!((x.address()?, x.scalar::<u8>()?), (0, 7)); // addresses count from the base
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn base(mut self, base: u64) -> Self {
        self.base = base;
        self
    }

    /// The length of the stream in bytes; by default it ends with the file.
    ///
    /// ```
    /// let open = dudley::Open::new().layout_text("x = u1[2]")?.raw().length(1);
    /// assert!(open.bytes([7, 8])?.get("/x")?.read::<u8>().is_err());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn length(mut self, length: u64) -> Self {
        self.length = Some(length);
        self
    }

    /// Overrides a fixed param, or gives the value of a streamed one, which is then not read. The
    /// name may be a path: `N`, `/grp/N`, `N#2`.
    ///
    /// ```
    /// let open = dudley::Open::new().layout_text("N : 1  x = u1[N]")?.raw().param("N", 2);
    /// assert_eq!(open.bytes([7, 8])?.get("/x")?.shape()?, [2]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn param(mut self, name: impl Into<String>, value: impl Into<i128>) -> Self {
        self.params.push((name.into(), value.into()));
        self
    }

    /// The filters that the layout may name; by default the built-in ones.
    ///
    /// ```
    /// use dudley::filter::Registry;
    ///
    /// let open = dudley::Open::new().layout_text("x = u1[3] -> zlib[3]")?.filters(Registry::new());
    /// assert!(open.raw().bytes([1, 2, 3])?.get("/x")?.read::<u8>().is_err()); // no such filter
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn filters(mut self, filters: impl Into<Arc<Registry>>) -> Self {
        self.filters = Some(filters.into());
        self
    }

    /// Adds filters to those that the layout may name.
    ///
    /// ```
    /// let open = dudley::Open::new().add_filters(|filters| {
    ///     assert_eq!(filters.get("mine").is_some(), false); // register it here
    /// });
    /// assert!(open.layout_text("x = u1").is_ok());
    /// ```
    #[must_use]
    pub fn add_filters(mut self, register: impl FnOnce(&mut Registry)) -> Self {
        let mut filters = self.filters.as_deref().unwrap_or(&Registry::builtins()).clone();
        register(&mut filters);
        self.filters = Some(Arc::new(filters));
        self
    }

    /// The number of threads for large reads, and their watcher.
    ///
    /// ```
    /// let open = dudley::Open::new().layout_text("x = u1")?.work(dudley::Work::new().threads(2));
    /// assert_eq!(open.raw().bytes([7])?.get("/x")?.scalar::<u8>()?, 7);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn work(mut self, work: Work) -> Self {
        self.work = work;
        self
    }

    /// Reads on if an item differs from its constant (attribute `const`), and calls `tell` with
    /// each such [`Error::Const`], perhaps more than once. Without this, it is an error.
    ///
    /// ```
    /// use dudley::{Error, Open};
    ///
    /// let open = Open::new().layout_text("version = u1  #: const = 1\nx = u1")?;
    /// assert!(matches!(open.clone().bytes([2, 7]), Err(Error::Const { address: 0, .. })));
    /// let stream = open.wrong_constants(|wrong| eprintln!("{wrong}")).bytes([2, 7])?;
    /// assert_eq!(stream.get("/x")?.scalar::<u8>()?, 7);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn wrong_constants(mut self, tell: impl Fn(&Error) + Send + Sync + 'static) -> Self {
        self.constants = Constants::Told(Arc::new(tell));
        self
    }

    /// Continues where a constant is wrong, except for the code that reads it.
    pub(crate) fn unguarded(mut self) -> Self {
        self.constants = Constants::WhenRead;
        self
    }

    /// Opens a file and reads it by position. The stream is a snapshot: if another writer of this
    /// library extends the file, the length, the layout and the number of records stay those of one
    /// moment.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("dump.bin");
    /// std::fs::write(&path, [7]).expect("space");
    /// let stream = dudley::Open::new().layout_text("x = u1")?.raw().file(&path)?;
    /// assert_eq!(stream.get("/x")?.scalar::<u8>()?, 7);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be opened; [`Error::OfFile`] with an error of [`Self::source`].
    /// Later reads give [`Error::Shortened`] if another program cuts the file off.
    pub fn file(self, path: impl AsRef<Path>) -> Result<Stream> {
        let path = path.as_ref();
        let opened =
            FileSource::open(path).and_then(|file| snapshot::open(&self.of(&file), &file, true));
        opened.map_err(|error| error.of_file(path))
    }

    /// As [`Self::file`], for an open file, with its present length.
    ///
    /// ```
    /// use dudley::{Open, bytes::FileSource};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("dump.bin");
    /// std::fs::write(&path, [7]).expect("space");
    /// let file = FileSource::open(&path)?;
    /// let stream = Open::new().layout_text("x = u1")?.raw().opened(&file)?;
    /// assert_eq!(stream.get("/x")?.scalar::<u8>()?, 7);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::file`], without the name of the file.
    pub fn opened(self, file: &FileSource) -> Result<Stream> {
        self.of(file).moment_of(file)
    }

    /// With the path of a file.
    fn of(mut self, file: &FileSource) -> Self {
        self.path = file.path().map(|path| Arc::new(path.to_path_buf()));
        self
    }

    /// Opens a file as it is at one moment.
    pub(crate) fn moment_of(&self, file: &FileSource) -> Result<Stream> {
        snapshot::open(self, file, false)
    }

    /// Opens a stream in memory.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1[2]")?.raw().bytes([7, 8])?;
    /// assert_eq!(stream.len(), 2);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If [`Self::source`] fails.
    pub fn bytes(self, bytes: impl Into<Vec<u8>>) -> Result<Stream> {
        self.source(bytes.into())
    }

    /// Opens a stream from anywhere.
    ///
    /// ```
    /// use dudley::bytes::Counted;
    ///
    /// let open = dudley::Open::new().layout_text("x = u1[2]")?.raw();
    /// assert_eq!(open.source(Counted::new(vec![7, 8]))?.get("/x")?.read::<u8>()?.sum(), 15);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Signature`] for a damaged signature; [`Error::NotNative`] for none where there must be
    /// one; [`Error::NoLayout`] if no layout is given or
    /// appended; [`Error::NoText`] and [`Error::Layout`] for an appended one with errors; [`Error::NoSuchParam`];
    /// [`Error::Const`] if an item does not hold the only value that its attribute `const` allows. Those are
    /// compared that lie where no streamed param moves them; others in front of a streamed param when that is
    /// read.
    pub fn source(self, source: impl Source + 'static) -> Result<Stream> {
        let bytes = self.bytes_of(source)?;
        let layout = match &self.layout {
            Some(layout) => layout.clone(),
            None => appended(&*bytes.whole, bytes.signature)?,
        };
        self.stream_of(&bytes, layout)
    }

    /// The stream of bytes that were opened, with its layout.
    pub(super) fn stream_of(&self, bytes: &Bytes, layout: Arc<Layout>) -> Result<Stream> {
        let mut given = bytes.given();
        for (name, value) in &self.params {
            given.params.insert(path::param(&layout, name)?, *value);
        }
        bytes.stream(layout, self.order, given)
    }

    /// The bytes of a stream and what they say of themselves, before anything is known of a layout.
    pub(crate) fn bytes_of(&self, source: impl Source + 'static) -> Result<Bytes> {
        let source: Arc<dyn Source> = match (self.base, self.length) {
            (0, None) => Arc::new(source),
            (base, None) => Arc::new(Window::from(source, base)?),
            (base, Some(length)) => Arc::new(Window::new(source, base, length)?),
        };
        let signature = if self.raw {
            None
        } else {
            signature(&*source, self.layout.is_some() && !self.native)?
        };
        if self.native && signature.is_none() {
            return Err(Error::NotNative);
        }
        let whole = source.clone();
        let source = without_layout(source, signature)?;
        let filters = self.filters.clone();
        let filters = filters.unwrap_or_else(Registry::builtins);
        let (work, constants) = (Arc::new(self.work.clone()), self.constants.clone());
        let path = self.path.clone();
        Ok(Bytes { source, whole, signature, filters, work, constants, path })
    }

    /// The options of large reads: see [`Self::work`].
    pub fn how_to_read(&self) -> &Work {
        &self.work
    }

    /// Whether a layout is given.
    pub(crate) fn has_layout(&self) -> bool {
        self.layout.is_some()
    }

    /// Whether nothing is said that changes what an item is, or where it lies.
    pub(crate) fn is_plain(&self) -> bool {
        self.layout.is_none()
            && self.params.is_empty()
            && !self.raw
            && self.base == 0
            && self.length.is_none()
    }
}

/// The bytes of a stream, without a layout.
#[derive(Clone)]
pub(crate) struct Bytes {
    /// As far as the data goes.
    pub(crate) source: Arc<dyn Source>,
    /// With the layout that may be appended.
    pub(crate) whole: Arc<dyn Source>,
    pub(crate) signature: Option<Signature>,
    pub(super) filters: Arc<Registry>,
    pub(super) work: Arc<Work>,
    /// The file, if it was opened as one.
    pub(super) path: Option<Arc<PathBuf>>,
    pub(crate) constants: Constants,
}

impl Bytes {
    /// What a resolver learns about them.
    pub(crate) fn given(&self) -> Given {
        let start = if self.signature.is_some() { NATIVE_START } else { 0 };
        Given { start, stream_bytes: Some(self.source.len()), ..Given::default() }
    }

    /// The stream of a layout, whose constants guard it (spec 7.3a).
    ///
    /// # Errors
    /// [`Error::Const`]; if reading the constants fails.
    pub(crate) fn stream(
        &self,
        layout: Arc<Layout>,
        order: Option<ByteOrder>,
        given: Given,
    ) -> Result<Stream> {
        let Bytes { source, whole, signature, filters, work, constants, path } = self.clone();
        let order = layout
            .order()
            .or(signature.map(|signature| signature.order))
            .or(order)
            .unwrap_or(ByteOrder::Little);
        let kind = if signature.is_some() { StreamKind::Native } else { StreamKind::Raw };
        let stream = Stream {
            inner: Arc::new(Inner {
                layout,
                source,
                whole,
                planned: false,
                signature,
                kind,
                order,
                given,
                filters,
                constants,
                state: Mutex::new(State::new()),
            }),
            work,
            path,
        };
        stream.guard()?;
        Ok(stream)
    }
}

/// The signature of a stream. A file that is cut off before its layout can still be read as far as
/// it goes by a caller who has the layout.
fn signature(source: &dyn Source, has_layout: bool) -> Result<Option<Signature>> {
    match Signature::read(source) {
        Err(Error::Signature { damage: Damage::LayoutCutOff { .. } }) if has_layout => {
            let mut head = [0; LEN as usize];
            source.read_at(0, &mut head)?;
            head[8..].fill(0);
            Ok(Signature::detect(&head, source.len()).ok().flatten())
        }
        other => other,
    }
}

/// The stream as far as its data goes: an appended layout is no part of it, so that no item can
/// reach into the text.
fn without_layout(
    source: Arc<dyn Source>,
    signature: Option<Signature>,
) -> Result<Arc<dyn Source>> {
    match signature.and_then(|signature| signature.layout_address) {
        Some(address) if address < source.len() => Ok(Arc::new(Window::new(source, 0, address)?)),
        _ => Ok(source),
    }
}

/// The layout appended to a native stream.
fn appended(source: &dyn Source, signature: Option<Signature>) -> Result<Arc<Layout>> {
    match appended_text(source, signature)? {
        Some(text) => known::layout(&text),
        None => Err(Error::NoLayout),
    }
}
