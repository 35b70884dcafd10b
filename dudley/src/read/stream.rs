//! A stream with its layout: opened from a file or memory, and asked for its items.

pub(crate) mod decode;
pub(crate) mod guard;
pub(crate) mod known;
mod left_over;
mod open;
mod part;
mod planned;
mod snapshot;
#[cfg(test)]
mod tests;
mod text;
mod unterminated;
mod values;

use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use dudley_parser::layout::dtype::ByteOrder;
use dudley_parser::layout::{Layout, ParamId};
use dudley_parser::resolve::{Given, NoValues, Resolver, State, Values, most_items};
use dudley_parser::{Diagnostic, Severity};

use crate::bytes::scratch::take_scratch;
use crate::bytes::signature::{LEN, Signature};
use crate::bytes::source::{self, Source};
use crate::bytes::work::Work;
use crate::error::{Error, Result};
use crate::filter::Registry;
use guard::Constants;
pub use left_over::LeftOver;
pub(crate) use open::Bytes;
pub use open::Open;
pub use snapshot::text_in_file;
pub use text::{LONGEST, appended_text};
pub use unterminated::Unterminated;
use values::Guarded;
pub(crate) use values::StreamValues;

/// Where the cursor of a native stream starts, in bytes: behind the signature.
const NATIVE_START: u64 = LEN;

/// Whether a stream begins with a signature.
///
/// ```
/// use dudley::StreamKind;
///
/// let stream = dudley::Open::new().layout_text("x = u1")?.raw().bytes([7])?;
/// assert_eq!(stream.kind(), StreamKind::Raw);
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamKind {
    /// It does: addresses of items start at 16.
    Native,
    /// It does not: they start at 0.
    Raw,
}

impl StreamKind {
    /// `"native"` or `"raw"`.
    ///
    /// ```
    /// assert_eq!(dudley::StreamKind::Native.as_str(), "native");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            StreamKind::Native => "native",
            StreamKind::Raw => "raw",
        }
    }
}

/// A stream with its layout. It is cheap to clone; clones share cached results.
///
/// ```
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("a.bd");
/// # dudley::Writer::new(dudley::parse_layout(b"rho = f8[3]  ## (g/cc) density")?)
/// #     .put("/rho", &[1.0, 2.0, 3.0][..]).attach(true).write_file(&path, false)?;
/// let stream = dudley::Stream::open(&path)?;
/// let rho = stream.get("/rho")?;
/// assert_eq!((rho.unit(), rho.shape()?), (Some("g/cc"), vec![3]));
/// assert_eq!(rho.read::<f64>()?.sum(), 6.0);
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone)]
pub struct Stream {
    pub(crate) inner: Arc<Inner>,
    pub(crate) work: Arc<Work>,
    /// The file that errors name, if it was opened as one.
    path: Option<Arc<PathBuf>>,
}

pub(crate) struct Inner {
    pub(crate) layout: Arc<Layout>,
    pub(crate) source: Arc<dyn Source>,
    /// The source with the layout that may be appended.
    whole: Arc<dyn Source>,
    /// There are no bytes: only what was given is known.
    planned: bool,
    pub(crate) signature: Option<Signature>,
    pub(crate) kind: StreamKind,
    pub(crate) order: ByteOrder,
    pub(crate) given: Given,
    pub(crate) filters: Arc<Registry>,
    /// What is done about constants that are wrong.
    pub(crate) constants: Constants,
    pub(crate) state: Mutex<State>,
}

impl Stream {
    /// Opens a native stream with the layout appended to it.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// assert_eq!(dudley::Stream::open(&path)?.get("/N")?.scalar::<i64>()?, 0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Open::file`].
    pub fn open(path: impl AsRef<Path>) -> Result<Stream> {
        Open::new().file(path)
    }

    /// The layout.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1")?.raw().bytes([7])?;
    /// assert_eq!(stream.layout().text(), "x = u1");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn layout(&self) -> &Layout {
        &self.inner.layout
    }

    /// Whether it begins with a signature.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1")?.raw().bytes([7])?;
    /// assert_eq!(stream.kind().as_str(), "raw");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn kind(&self) -> StreamKind {
        self.inner.kind
    }

    /// The byte order of items to which the layout gives none.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text(">\nx = u2")?.raw().bytes([1, 0])?;
    /// assert_eq!(stream.order(), dudley::ByteOrder::Big);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn order(&self) -> ByteOrder {
        self.inner.order
    }

    /// The signature, if there is one.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1")?.raw().bytes([7])?;
    /// assert_eq!(stream.signature(), None);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn signature(&self) -> Option<Signature> {
        self.inner.signature
    }

    /// Bytes of the stream, without an appended layout.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1")?.raw().bytes([7, 8, 9])?;
    /// assert_eq!(stream.len(), 3); // with bytes of no item
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn len(&self) -> u64 {
        self.inner.source.len()
    }

    /// Whether the stream has no bytes at all.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1[0]")?.raw().bytes([])?;
    /// assert!(stream.is_empty());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where the bytes come from.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1[3]")?.raw().bytes([7, 8, 9])?;
    /// let mut bytes = [0; 2];
    /// stream.source().read_at(1, &mut bytes)?;
    /// assert_eq!(bytes, [8, 9]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn source(&self) -> &dyn Source {
        &*self.inner.source
    }

    /// The bytes with the layout that may be appended, and whatever stands behind it.
    pub(crate) fn whole(&self) -> &dyn Source {
        &*self.inner.whole
    }

    /// All of it but the layout in use.
    pub(crate) fn bytes(&self) -> Bytes {
        let Inner { source, whole, signature, filters, constants, .. } = &*self.inner;
        let (source, whole, filters) = (source.clone(), whole.clone(), filters.clone());
        let (work, path) = (self.work.clone(), self.path.clone());
        let constants = constants.clone();
        Bytes { source, whole, signature: *signature, filters, work, constants, path }
    }

    /// Says of an error which file it is about, if this was opened as one, or is [named](Self::named).
    pub(crate) fn of_file(&self, error: Error) -> Error {
        match &self.path {
            Some(path) => error.of_file(path),
            None => error,
        }
    }

    /// The values of the caller: params, the start of the cursor.
    pub fn given(&self) -> &Given {
        &self.inner.given
    }

    /// The same stream, whose long reads are done in another way.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1[3]")?.bytes([1, 2, 3])?;
    /// let alone = stream.working(dudley::Work::new().threads(1));
    /// assert_eq!(alone.get("/x")?.read::<u8>()?.sum(), 6);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn working(&self, work: Work) -> Stream {
        let items = work.items.clone().or_else(|| self.work.items.clone());
        Stream { work: Arc::new(work.with_items(items)), ..self.clone() }
    }

    /// The same stream, of which errors of a comparison ([`Diff`](crate::diff::Diff)) say that it is this file. A stream
    /// that was opened as a file has its name.
    ///
    /// ```
    /// let open = dudley::Open::new().layout_text("x = u1[9]")?.raw();
    /// let stream = open.bytes([7])?.named("dump.bin");
    /// assert_eq!(stream.get("/x")?.path(), "/x");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn named(&self, file: impl AsRef<Path>) -> Stream {
        Stream { path: Some(Arc::new(file.as_ref().to_path_buf())), ..self.clone() }
    }

    /// The same stream with a limit on walks over lists: at most as many items as [`most_items`] allows for its
    /// length. Beyond the limit, [`Item::element`](crate::Item::element) and [`Item::items`](crate::Item::items)
    /// return [`Error::TooManyItems`]. For programs that walk over all items of untrusted streams.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("l [[{}]*1000000]*1000000")?.bytes([])?.limited();
    /// assert!(stream.get("/l")?.items().is_err());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn limited(&self) -> Stream {
        let new = || Arc::new(AtomicU64::new(most_items(self.len())));
        let items = Some(self.work.items.clone().unwrap_or_else(new));
        let work = Arc::new((*self.work).clone().with_items(items));
        Stream { work, ..self.clone() }
    }

    /// Whether this many more items may be visited.
    pub(crate) fn may_go_through(&self, items: u64) -> bool {
        self.work.items.as_ref().is_none_or(|left| left.load(Ordering::Relaxed) >= items)
    }

    /// Checks that this many more items of the list at a path, or members of its structs, may be visited.
    ///
    /// # Errors
    /// [`Error::TooManyItems`] if they may not; then no others may, either.
    pub(crate) fn go_through(&self, path: &str, items: u64) -> Result<()> {
        let Some(left) = &self.work.items else { return Ok(()) };
        let taken =
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(items));
        match taken {
            Ok(_) => Ok(()),
            Err(_) => {
                left.store(0, Ordering::Relaxed);
                Err(self.too_many_items(path))
            }
        }
    }

    /// That the lists at a path have more items than are visited.
    pub(crate) fn too_many_items(&self, path: &str) -> Error {
        let bytes = self.len();
        Error::TooManyItems { path: path.into(), most: most_items(bytes), bytes }
    }

    /// The greatest end of any item, in bytes (spec 6.5).
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("N : u1  x = u2[N]")?.raw().bytes([3, 0, 1, 0, 2, 0, 3, 0])?;
    /// assert_eq!(stream.data_end()?, 8);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If an item cannot be placed.
    pub fn data_end(&self) -> Result<u64> {
        self.resolve(|resolver| resolver.data_end())
    }

    /// Checks that the appended layout does not lie inside the data (spec 8.2).
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1")?.raw().bytes([7])?;
    /// assert!(stream.check_layout_address().is_ok()); // no layout is attached
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::LayoutInData`]. Items that cannot be placed are ignored.
    pub fn check_layout_address(&self) -> Result<()> {
        let address = self.signature().and_then(|signature| signature.layout_address);
        let end = self.with_resolver(|resolver| resolver.known_end());
        match address {
            Some(address) if address < end => Err(Error::LayoutInData { address, end }),
            _ => Ok(()),
        }
    }

    /// Asks a resolver; errors become this crate's.
    pub(crate) fn resolve<T>(
        &self,
        ask: impl FnOnce(&mut Resolver<'_>) -> dudley_parser::resolve::Result<T>,
    ) -> Result<T> {
        self.with_resolver(|resolver| ask(resolver).map_err(Error::from))
    }

    /// Hands out the resolver of this stream. Only one thread has it at a time.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("N : u1  x = u1[N]")?.raw().bytes([2, 7, 8])?;
    /// let end = stream.with_resolver(|resolver| resolver.data_end());
    /// assert_eq!(end.ok(), Some(3));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn with_resolver<T>(&self, ask: impl FnOnce(&mut Resolver<'_>) -> T) -> T {
        let inner = &*self.inner;
        let stored = StreamValues { source: &*inner.source, order: inner.order };
        let guarded = Guarded { stored: &stored, stream: self };
        let values: &dyn Values = match (inner.planned, &inner.constants) {
            (true, _) => &NoValues,
            (false, Constants::WhenRead) => &stored,
            (false, _) => &guarded,
        };
        let mut state = self.state();
        ask(&mut Resolver::new(&inner.layout, &inner.given, values, &mut state))
    }

    /// Compares the constants whose places are known without any streamed param (spec 7.3a).
    fn guard(&self) -> Result<()> {
        if !self.layout().guards().is_empty()
            && !matches!(self.inner.constants, Constants::WhenRead)
        {
            *self.state() = State::guarded(guard::fixed(self)?);
        }
        Ok(())
    }

    /// The text of the attached layout, as it is in the stream; `None` if there is none. Some of the bytes behind its
    /// terminator, an index or other streams, may follow it.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let text = dudley::Stream::open(&path)?.appended_text()?.expect("a layout");
    /// assert!(text.starts_with(b"N : i8"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoText`] if no text stands there; if it cannot be read.
    pub fn appended_text(&self) -> Result<Option<Vec<u8>>> {
        appended_text(&*self.inner.whole, self.inner.signature)
    }

    /// Whether the appended layout begins with a text; not, if there is none.
    pub(crate) fn appended_begins(&self, text: &[u8]) -> Result<bool> {
        let address = self.inner.signature.and_then(|signature| signature.layout_address);
        let Some(address) = address else { return Ok(false) };
        let whole = &*self.inner.whole;
        if whole.len().saturating_sub(address) < text.len() as u64 {
            return Ok(false);
        }
        Ok(read_bytes(whole, address, text.len() as u64)? == text)
    }

    /// The same bytes with another layout, or other facts in `open`.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u2")?.raw().bytes([1, 0])?;
    /// let bytes = stream.reopen(dudley::Open::new().layout_text("x = u1[2]")?.raw())?;
    /// assert_eq!(bytes.get("/x")?.read::<u8>()?.as_slice(), Some(&[1, 0][..]));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If [`Open::source`] fails.
    pub fn reopen(&self, open: Open) -> Result<Stream> {
        open.source(self.inner.whole.clone())
    }

    fn state(&self) -> MutexGuard<'_, State> {
        match self.inner.state.lock() {
            Ok(state) => state,
            Err(poisoned) => {
                // A panic while resolving left it half done: start again from nothing.
                let mut state = poisoned.into_inner();
                *state = State::new();
                self.inner.state.clear_poison();
                state
            }
        }
    }
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream")
            .field("kind", &self.kind())
            .field("order", &self.order())
            .field("len", &self.len())
            .finish_non_exhaustive()
    }
}

/// Parses and checks a layout text. Warnings do not matter here; `dudc check` shows them.
///
/// ```
/// assert!(dudley::parse_layout(b"x = f8").is_ok());
/// let error = dudley::parse_layout(b"x = f9").expect_err("no such type");
/// assert!(matches!(error, dudley::Error::Layout { .. }));
/// ```
///
/// # Errors
/// [`Error::Layout`] with all errors.
pub fn parse_layout(text: &[u8]) -> Result<Layout> {
    let checked = dudley_parser::check::check_to_read(text);
    match checked.layout {
        Some(layout) => Ok(layout),
        None => {
            let errors: Vec<Diagnostic> = checked
                .diagnostics
                .into_iter()
                .filter(|found| found.severity == Severity::Error)
                .collect();
            Err(Error::Layout { text: checked.text, errors })
        }
    }
}

/// This many bytes at an address; their number is checked before memory is taken.
pub(crate) fn read_bytes(source: &dyn Source, address: u64, length: u64) -> Result<Vec<u8>> {
    source::check(source.len(), address, length)?;
    let bytes = take_scratch(crate::error::to_usize(length)?);
    let mut bytes = bytes.ok_or_else(|| Error::too_large(length))?;
    source.read_at(address, &mut bytes)?;
    Ok(bytes)
}

/// The params that a caller gave, for listings.
pub fn is_given(stream: &Stream, param: ParamId) -> bool {
    stream.given().params.contains_key(&param)
}
