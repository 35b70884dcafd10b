//! A stream with its layout: opened from a file or memory, and asked for its items.

use std::fmt;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard};

use dudley_parser::layout::dtype::ByteOrder;
use dudley_parser::layout::{ArrayId, DocKey, Layout, ParamId, ParamValue, Scope};
use dudley_parser::resolve::{Fault, Given, NoValues, Node, ParamAt, Resolver, State, Values};
use dudley_parser::{Diagnostic, Severity};

use crate::constant::wanted;
use crate::error::{Error, Result};
use crate::filter::Registry;
use crate::item::Item;
use crate::path;
use crate::signature::{Damage, LEN, Signature};
use crate::source::{self, FileSource, Source, Window};
use crate::value::Value;

/// Where the cursor of a native stream starts, in bytes: behind the signature.
const NATIVE_START: u64 = LEN;

/// Whether a stream begins with a signature.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StreamKind {
    /// It does: addresses of items start at 16.
    Native,
    /// It does not: they start at 0.
    Raw,
}

/// How to open a stream: its layout, and what the caller knows better.
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
    layout: Option<Arc<Layout>>,
    order: Option<ByteOrder>,
    raw: bool,
    native: bool,
    base: u64,
    length: Option<u64>,
    params: Vec<(String, i128)>,
    filters: Option<Arc<Registry>>,
    mapped: Option<bool>,
}

impl Open {
    /// Nothing said: the layout is the one appended to the stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Opens with this layout, whatever is appended to the stream.
    #[must_use]
    pub fn layout(mut self, layout: impl Into<Arc<Layout>>) -> Self {
        self.layout = Some(layout.into());
        self
    }

    /// As [`Self::layout`], from its text.
    ///
    /// # Errors
    /// [`Error::Layout`] if the text has errors.
    pub fn layout_text(self, text: &str) -> Result<Self> {
        Ok(self.layout(parse_layout(text.as_bytes())?))
    }

    /// The byte order of a raw stream whose layout does not say.
    #[must_use]
    pub fn order(mut self, order: ByteOrder) -> Self {
        self.order = Some(order);
        self
    }

    /// Insists that the stream has no signature, even if it begins like one.
    #[must_use]
    pub fn raw(mut self) -> Self {
        self.raw = true;
        self
    }

    /// Insists that the stream has a signature, and is not cut off before the layout that this names.
    /// Without a word a file without one is a raw stream, if there is a layout for it.
    #[must_use]
    pub fn native(mut self) -> Self {
        self.native = true;
        self
    }

    /// The stream starts at this byte of the file: addresses are relative to it.
    #[must_use]
    pub fn base(mut self, base: u64) -> Self {
        self.base = base;
        self
    }

    /// The stream has so many bytes, not all that follow in the file.
    #[must_use]
    pub fn length(mut self, length: u64) -> Self {
        self.length = Some(length);
        self
    }

    /// Overrides a fixed param, or gives a streamed one so that it is not read. The name may be a
    /// path: `N`, `/grp/N`, `N#2`.
    #[must_use]
    pub fn param(mut self, name: impl Into<String>, value: impl Into<i128>) -> Self {
        self.params.push((name.into(), value.into()));
        self
    }

    /// The filters that the layout may name; the built-in ones otherwise.
    #[must_use]
    pub fn filters(mut self, filters: impl Into<Arc<Registry>>) -> Self {
        self.filters = Some(filters.into());
        self
    }

    /// Whether a file is mapped into memory or read by position. By default it is mapped where
    /// that is built in.
    #[must_use]
    pub fn mapped(mut self, mapped: bool) -> Self {
        self.mapped = Some(mapped);
        self
    }

    /// Opens a file.
    ///
    /// # Errors
    /// [`Error::Io`] if it cannot be opened; what [`Self::source`] says.
    pub fn file(self, path: impl AsRef<Path>) -> Result<Stream> {
        let path = path.as_ref();
        #[cfg(feature = "map")]
        if self.is_mapped() {
            return self.source(source::MapSource::open(path)?);
        }
        self.source(FileSource::open(path)?)
    }

    /// Opens a stream in memory.
    ///
    /// # Errors
    /// What [`Self::source`] says.
    pub fn bytes(self, bytes: impl Into<Vec<u8>>) -> Result<Stream> {
        self.source(bytes.into())
    }

    /// Opens a stream from anywhere.
    ///
    /// # Errors
    /// [`Error::Signature`] for a damaged signature; [`Error::NotNative`] for none where there must be
    /// one; [`Error::NoLayout`] if no layout is given or
    /// appended; [`Error::Layout`] for an appended one with errors; [`Error::NoSuchParam`].
    pub fn source(self, source: impl Source + 'static) -> Result<Stream> {
        let bytes = self.bytes_of(source)?;
        let layout = match &self.layout {
            Some(layout) => layout.clone(),
            None => Arc::new(appended(&*bytes.whole, bytes.signature)?),
        };
        let mut given = bytes.given();
        for (name, value) in &self.params {
            given.params.insert(path::param(&layout, name)?, *value);
        }
        Ok(bytes.stream(layout, self.order, given))
    }

    /// The bytes of a stream and what they say of themselves, before anything is known of a layout.
    pub(crate) fn bytes_of(&self, source: impl Source + 'static) -> Result<Bytes> {
        let source: Arc<dyn Source> = match (self.base, self.length) {
            (0, None) => Arc::new(source),
            (base, None) => Arc::new(Window::from(source, base)?),
            (base, Some(length)) => Arc::new(Window::new(source, base, length)?),
        };
        let signature = match self.raw {
            true => None,
            false => signature(&*source, self.layout.is_some() && !self.native)?,
        };
        if self.native && signature.is_none() {
            return Err(Error::NotNative);
        }
        let whole = source.clone();
        let source = without_layout(source, signature)?;
        let filters = self.filters.clone();
        let filters = filters.unwrap_or_else(|| Arc::new(Registry::with_builtins()));
        Ok(Bytes { source, whole, signature, filters })
    }

    /// Whether a file is mapped.
    #[cfg(feature = "map")]
    pub(crate) fn is_mapped(&self) -> bool {
        self.mapped != Some(false)
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
    filters: Arc<Registry>,
}

impl Bytes {
    /// What a resolver is told about them.
    pub(crate) fn given(&self) -> Given {
        let start = if self.signature.is_some() { NATIVE_START } else { 0 };
        Given { start, stream_bytes: Some(self.source.len()), ..Given::default() }
    }

    /// The stream of a layout.
    pub(crate) fn stream(
        &self,
        layout: Arc<Layout>,
        order: Option<ByteOrder>,
        given: Given,
    ) -> Stream {
        let Bytes { source, whole, signature, filters } = self.clone();
        let order = layout
            .order()
            .or(signature.map(|signature| signature.order))
            .or(order)
            .unwrap_or(ByteOrder::Little);
        let kind = if signature.is_some() { StreamKind::Native } else { StreamKind::Raw };
        Stream {
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
                state: Mutex::new(State::new()),
            }),
        }
    }
}

/// A stream with its layout. Cheap to clone; clones share what was found out so far.
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
    pub(crate) state: Mutex<State>,
}

impl Stream {
    /// Opens a native stream with the layout appended to it.
    ///
    /// # Errors
    /// What [`Open::source`] says.
    pub fn open(path: impl AsRef<Path>) -> Result<Stream> {
        Open::new().file(path)
    }

    /// The layout.
    pub fn layout(&self) -> &Layout {
        &self.inner.layout
    }

    /// Whether it begins with a signature.
    pub fn kind(&self) -> StreamKind {
        self.inner.kind
    }

    /// The byte order in force for what the layout gives no order.
    pub fn order(&self) -> ByteOrder {
        self.inner.order
    }

    /// The signature, if there is one.
    pub fn signature(&self) -> Option<Signature> {
        self.inner.signature
    }

    /// Bytes of the stream, without an appended layout.
    pub fn len(&self) -> u64 {
        self.inner.source.len()
    }

    /// Whether the stream has no bytes at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where the bytes come from.
    pub fn source(&self) -> &dyn Source {
        &*self.inner.source
    }

    /// The bytes with the layout that may be appended, and whatever stands behind it.
    pub(crate) fn whole(&self) -> &dyn Source {
        &*self.inner.whole
    }

    /// All of it but the layout in use.
    pub(crate) fn bytes(&self) -> Bytes {
        let Inner { source, whole, signature, filters, .. } = &*self.inner;
        let (source, whole, filters) = (source.clone(), whole.clone(), filters.clone());
        Bytes { source, whole, signature: *signature, filters }
    }

    /// What the caller gave: values of params, the start of the cursor.
    pub fn given(&self) -> &Given {
        &self.inner.given
    }

    /// The root dict.
    pub fn root(&self) -> Item {
        Item::new(self.clone(), Node::root(), "/".to_owned())
    }

    /// An item by its path: `/a/b/x`, `/list/0`, `/"my name"/x`, `/:N` for a param.
    ///
    /// # Errors
    /// [`Error::NoSuchItem`] with the first part that names nothing.
    pub fn get(&self, path: &str) -> Result<Item> {
        path::find(self, path)
    }

    /// The greatest end of any item, in bytes (spec 6.5).
    ///
    /// # Errors
    /// If an item cannot be placed.
    pub fn data_end(&self) -> Result<u64> {
        self.resolve(|resolver| resolver.data_end())
    }

    /// That the appended layout does not lie inside the data (spec 8.2).
    ///
    /// # Errors
    /// [`Error::LayoutInData`]. What cannot be placed is no matter of this check.
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
    pub fn with_resolver<T>(&self, ask: impl FnOnce(&mut Resolver<'_>) -> T) -> T {
        let inner = &*self.inner;
        let stored = StreamValues { source: &*inner.source, order: inner.order };
        let values: &dyn Values = if inner.planned { &NoValues } else { &stored };
        let mut state = self.state();
        ask(&mut Resolver::new(&inner.layout, &inner.given, values, &mut state))
    }

    /// A stream that does not exist yet: its params are known by their paths, and nothing else is.
    pub(crate) fn planned(
        layout: Arc<Layout>,
        kind: StreamKind,
        order: ByteOrder,
        params: &[(&str, i128)],
        filters: Arc<Registry>,
    ) -> Result<Stream> {
        let start = if kind == StreamKind::Native { NATIVE_START } else { 0 };
        let mut given = Given { start, ..Given::default() };
        for (path, value) in params {
            given.params.insert(path::param(&layout, path)?, *value);
        }
        for (id, param) in layout.params().filter(|(_, it)| matches!(it.scope, Scope::Dict(_))) {
            let stated = layout.attribute(DocKey::of(param.span), "const").map(wanted);
            if let Some(Value::Int(stated)) = stated {
                given.params.insert(id, stated);
            }
        }
        let nothing: Arc<dyn Source> = Arc::new(Vec::new());
        let order = layout.order().unwrap_or(order);
        Ok(Stream {
            inner: Arc::new(Inner {
                layout,
                source: nothing.clone(),
                whole: nothing,
                planned: true,
                signature: None,
                kind,
                order,
                given,
                filters,
                state: Mutex::new(State::new()),
            }),
        })
    }

    /// Whether it does not exist yet.
    pub(crate) fn is_planned(&self) -> bool {
        self.inner.planned
    }

    /// That everything can be placed that the params decide, and that they fit their types.
    pub(crate) fn check_planned(&self) -> Result<()> {
        for (id, value) in &self.given().params {
            let ParamValue::Streamed(primitive, _) = self.layout()[*id].value else { continue };
            let (least, greatest) = crate::number::range(primitive);
            if !(least..=greatest).contains(value) {
                return Err(Error::WrongValue {
                    item: crate::error::Item::new(self.layout().param_path(*id)),
                    expected: format!("{least} to {greatest}").into(),
                    found: value.to_string().into(),
                });
            }
        }
        self.with_resolver(|resolver| {
            match resolver.failures().iter().find(|(_, error)| !error.is_unknown()) {
                Some((_, error)) => Err(Error::from(error.clone())),
                None => Ok(()),
            }
        })
    }

    /// The text of the appended layout, as it is in the stream; none if there is none.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn appended_text(&self) -> Result<Option<Vec<u8>>> {
        appended_text(&*self.inner.whole, self.inner.signature)
    }

    /// The same bytes with another layout, or whatever else `open` says.
    ///
    /// # Errors
    /// What [`Open::source`] says.
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
fn appended(source: &dyn Source, signature: Option<Signature>) -> Result<Layout> {
    match appended_text(source, signature)? {
        Some(text) => parse_layout(&text),
        None => Err(Error::NoLayout),
    }
}

fn appended_text(source: &dyn Source, signature: Option<Signature>) -> Result<Option<Vec<u8>>> {
    let address = signature.and_then(|signature| signature.layout_address);
    let Some(address) = address else { return Ok(None) };
    read_bytes(source, address, source.len().saturating_sub(address)).map(Some)
}

/// So many bytes at an address; how many there are is checked before memory is taken.
pub(crate) fn read_bytes(source: &dyn Source, address: u64, length: u64) -> Result<Vec<u8>> {
    source::check(source.len(), address, length)?;
    let mut bytes = vec![0; crate::error::to_usize(length)?];
    source.read_at(address, &mut bytes)?;
    Ok(bytes)
}

/// Params and counts as they stand in a stream.
pub(crate) struct StreamValues<'s> {
    pub(crate) source: &'s dyn Source,
    pub(crate) order: ByteOrder,
}

impl Values for StreamValues<'_> {
    fn param(&self, at: &ParamAt) -> std::result::Result<i128, Fault> {
        let mut bytes = [0; 8];
        let size = at.primitive.size() as usize;
        let bytes = &mut bytes[..size];
        self.source.read_at(at.address, bytes).map_err(|error| Fault::Source(Arc::new(error)))?;
        let order = at.order.unwrap_or(self.order);
        Ok(crate::number::integer(bytes, at.primitive, order))
    }

    fn stored(&self, _: ArrayId, address: u64) -> std::result::Result<u64, Fault> {
        let mut bytes = [0; 8];
        self.source.read_at(address, &mut bytes).map_err(|error| Fault::Source(Arc::new(error)))?;
        Ok(match self.order {
            ByteOrder::Little => u64::from_le_bytes(bytes),
            ByteOrder::Big => u64::from_be_bytes(bytes),
        })
    }
}

/// The params that a caller gave, for listings.
pub fn is_given(stream: &Stream, param: ParamId) -> bool {
    stream.given().params.contains_key(&param)
}
