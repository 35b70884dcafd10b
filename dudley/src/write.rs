//! Writes streams from values: params first, exact bytes, zeros in gaps.
//!
//! A [`Writer`] collects values for the items of a layout, by path, and then writes the stream in
//! one pass, in the order of the text. A file is complete or absent. The trait [`Supply`] provides
//! the values, so that a tool need not hold them all in memory.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use dudley_parser::layout::Layout;
use dudley_parser::layout::dtype::ByteOrder;

use crate::bytes::output::{AtomicFile, Output};
use crate::bytes::signature::Signature;
pub use crate::encode::covered::Covered;
pub use crate::encode::extra::Extra;
pub use crate::encode::input::{Content, Input, Items, Rows, Typed, TypedRows};
use crate::encode::pass::{Pass, Written, chunked, complete};
pub use crate::encode::supply::{Declared, Seen, Supplied, Supply, WriteOptions};
use crate::error::{Error, Result};
use crate::filter::Registry;
use crate::index;
use crate::read::path::listed;
use crate::read::stream::{Open, Stream};

use crate::bytes::work::Work;

/// Writes a stream from values.
///
/// ```
/// use dudley::{Open, Writer, parse_layout};
///
/// let layout = parse_layout(b"N : i4  x = f8[N]  name = S1[8]")?;
/// let bytes = Writer::new(layout)
///     .param("/N", 2)
///     .put("/x", &[1.5, 2.5][..])
///     .put("/name", "pair")
///     .attach(true)
///     .to_bytes()?;
/// let stream = Open::new().bytes(bytes)?;
/// assert_eq!(stream.get("/x")?.read::<f64>()?.sum(), 4.0);
/// assert_eq!(stream.get("/name")?.read_text()?, "pair");
/// # Ok::<(), dudley::Error>(())
/// ```
pub struct Writer<'a> {
    layout: Arc<Layout>,
    options: WriteOptions,
    params: BTreeMap<String, i128>,
    items: BTreeMap<String, Input<'a>>,
}

impl<'a> Writer<'a> {
    /// A writer of a native little-endian stream, without its layout attached.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = u1")?;
    /// assert_eq!(dudley::Writer::new(layout).put("/x", 7_u8).to_bytes()?.len(), 16 + 1);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn new(layout: impl Into<Arc<Layout>>) -> Self {
        Self {
            layout: layout.into(),
            options: WriteOptions::default(),
            params: BTreeMap::new(),
            items: BTreeMap::new(),
        }
    }

    /// The byte order of the signature, and of items to which the layout gives none.
    ///
    /// ```
    /// use dudley::{ByteOrder, Writer, parse_layout};
    ///
    /// let writer = Writer::new(parse_layout(b"x = u2")?).put("/x", 258_u16).raw();
    /// assert_eq!(writer.order(ByteOrder::Big).to_bytes()?, [1, 2]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn order(mut self, order: ByteOrder) -> Self {
        self.options.order = order;
        self
    }

    /// Writes no signature: addresses start at 0.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = u1[3]")?;
    /// let writer = dudley::Writer::new(layout).put("/x", &[1_u8, 2, 3]).raw();
    /// assert_eq!(writer.to_bytes()?, [1, 2, 3]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn raw(mut self) -> Self {
        self.options.raw = true;
        self
    }

    /// Whether to append the layout, so that the stream describes itself.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// assert_eq!(dudley::Open::new().bytes(bytes)?.get("/x")?.scalar::<f64>()?, 0.5);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn attach(mut self, attach: bool) -> Self {
        self.options.attach = attach;
        self
    }

    /// Whether an attached layout gets an [index]: by default, if it has more than
    /// [`index::MANY_ITEMS`] items. A policy of always attaches the layout, too.
    ///
    /// ```
    /// use dudley::{Writer, index, parse_layout};
    ///
    /// let writer = Writer::new(parse_layout(b"x = f8")?).put("/x", 1.0);
    /// let bytes = writer.index(index::Options { checksums: true }).to_bytes()?;
    /// assert_eq!(index::Index::of_source(bytes)?.map(|index| index.checksums()), Some(1));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn index(mut self, policy: impl Into<index::Policy>) -> Self {
        self.options.index = policy.into();
        self.options.attach |= matches!(self.options.index, index::Policy::Always(_));
        self
    }

    /// The filters that the layout may name; by default the built-in ones.
    ///
    /// ```
    /// use dudley::{Writer, filter::Registry, parse_layout};
    ///
    /// let writer = Writer::new(parse_layout(b"x = u1[3] -> zlib")?).put("/x", &[1_u8, 2, 3]);
    /// assert!(writer.filters(Registry::new()).to_bytes().is_err());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn filters(mut self, filters: impl Into<Arc<Registry>>) -> Self {
        self.options.filters = filters.into();
        self
    }

    /// The number of threads that write large arrays into a file, and their watcher, which can stop
    /// the write; by default one for each core, without a watcher. A file that is not finished does
    /// not exist.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use std::sync::atomic::AtomicBool;
    ///
    /// use dudley::{Error, Work, Writer, parse_layout};
    ///
    /// let layout = parse_layout(b"x = f8[1000]")?;
    /// let stopped = Arc::new(AtomicBool::new(true));
    /// let work = Work::new().threads(2).watch(stopped);
    /// let writer = Writer::new(layout).put("/x", &[1.0; 1000][..]).work(work);
    /// assert!(matches!(writer.to_bytes(), Err(Error::Cancelled)));
    /// # Ok::<(), Error>(())
    /// ```
    #[must_use]
    pub fn work(mut self, work: Work) -> Self {
        self.options.work = work;
        self
    }

    /// Puts more into the stream than its items: see [`Extra`].
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use dudley::{Result, Stream, Writer, parse_layout, write::Extra};
    ///
    /// struct Note;
    ///
    /// impl Extra for Note {
    ///     fn parts(&self, _: &Stream, end: u64) -> Result<Vec<(u64, Vec<u8>)>> {
    ///         Ok(vec![(end, b"a note".to_vec())])
    ///     }
    /// }
    ///
    /// let writer = Writer::new(parse_layout(b"x = u1")?).put("/x", 7_u8).extra(Arc::new(Note));
    /// assert_eq!(&writer.to_bytes()?[16..], b"\x07a note");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn extra(mut self, extra: Arc<dyn Extra>) -> Self {
        self.options.extra = Some(extra);
        self
    }

    /// Sets a param: a streamed one is written, a fixed one overridden. `path` is as in a listing:
    /// `/N`, `/grp/N#2`, `/list/0/n`.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"N : i8  x = u1[N]")?;
    /// let writer = dudley::Writer::new(layout).param("/N", 2).put("/x", &[1_u8, 2]);
    /// assert_eq!(writer.to_bytes()?[16..], [2, 0, 0, 0, 0, 0, 0, 0, 1, 2]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn param(mut self, path: impl Into<String>, value: impl Into<i128>) -> Self {
        self.params.insert(plain(path.into()), value.into());
        self
    }

    /// Sets the elements of an item: a number, a text, a slice, an `ndarray` array or view, or a
    /// [`crate::Value`].
    ///
    /// ```
    /// use dudley::ndarray::arr2;
    ///
    /// let layout = dudley::parse_layout(b"t = f8  name = S1[4]  x = u1[2, 2]")?;
    /// let x = arr2(&[[1_u8, 2], [3, 4]]);
    /// let writer = dudley::Writer::new(layout).put("/t", 0.5).put("/name", "run").put("/x", &x);
    /// assert_eq!(writer.to_bytes()?[24..], *b"run\0\x01\x02\x03\x04");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn put(mut self, path: impl Into<String>, input: impl Into<Input<'a>>) -> Self {
        self.items.insert(path.into(), input.into());
        self
    }

    /// Writes the stream into memory.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = u1  y = u1")?;
    /// let writer = dudley::Writer::new(layout).raw().put("/x", 1_u8);
    /// assert!(matches!(writer.to_bytes(), Err(dudley::Error::Missing { .. })));
    /// assert_eq!(writer.put("/y", 2_u8).to_bytes()?, [1, 2]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Missing`] with all items without values; [`Error::WrongShape`],
    /// [`Error::WrongInput`] and [`Error::WrongValue`] for values that do not fit their item;
    /// [`Error::Unused`] for paths that are not in the layout; [`Error::UnknownFilter`] and
    /// [`Error::FilterArgument`] for filters that cannot be applied; [`Error::TooLarge`].
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.write(&mut bytes)?;
        Ok(bytes)
    }

    /// Writes the stream into a file, which is complete or absent: after an error, an existing file
    /// stays as it was.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let writer = dudley::Writer::new(dudley::parse_layout(b"x = f8")?).put("/x", 0.5).attach(true);
    /// writer.write_file(&path, false)?;
    /// assert!(writer.write_file(&path, false).is_err()); // it exists
    /// writer.write_file(&path, true)?;
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::to_bytes`]; [`Error::Exists`] for an existing file that may not be overwritten;
    /// [`Error::Io`].
    pub fn write_file(&self, path: impl AsRef<Path>, overwrite: bool) -> Result<()> {
        let mut file = AtomicFile::create(path, overwrite)?;
        self.write(&mut file)?;
        file.commit()
    }

    fn write(&self, out: &mut dyn Output) -> Result<()> {
        let given = Given { params: &self.params, items: &self.items };
        write(&self.layout, &self.options, &given, out)
    }
}

/// What listings call the param of a path, whose first slash need not be there.
pub(crate) fn plain(path: String) -> String {
    listed(&if path.starts_with('/') { path } else { format!("/{path}") })
}

/// What was given by path.
pub(crate) struct Given<'g, 'a> {
    pub(crate) params: &'g BTreeMap<String, i128>,
    pub(crate) items: &'g BTreeMap<String, Input<'a>>,
}

impl Supply for Given<'_, '_> {
    fn param(&self, path: &str) -> Option<i128> {
        self.params.get(path).copied()
    }

    fn item(&self, path: &str) -> Option<Supplied<'_>> {
        self.items.get(path).map(Supplied::from)
    }

    fn unused(&self, seen: &Seen) -> Vec<String> {
        let items = self.items.keys().filter(|path| !seen.items.contains(*path));
        // Params of structs are requested only where their values do not say them.
        let params = self.params.keys().filter(|path| !path.contains(['[', '.']));
        let params = params.filter(|path| !seen.params.contains(*path));
        items.chain(params).cloned().collect()
    }
}

/// Writes a stream from the values of a supply. If the layout is attached, items with the attribute `chunks` are
/// stored in blocks (spec 7.5), and the attached text declares the blocks.
///
/// ```
/// use dudley::{Open, Writer, parse_layout};
///
/// let layout = parse_layout(b"N : i4  rho = f4[N, 3] -> zlib  #: chunks = [64, 3]")?;
/// let rho: Vec<f32> = (0..300).map(|at| at as f32).collect();
/// let rho = ndarray::ArrayView::from_shape((100, 3), &rho).expect("as many");
/// let bytes = Writer::new(layout).param("/N", 100).put("/rho", &rho).attach(true).to_bytes()?;
/// let stream = Open::new().bytes(bytes)?;
/// assert_eq!(stream.select("/rho[99]")?.read::<f32>()?.into_raw_vec_and_offset().0, [297.0, 298.0, 299.0]);
/// assert_eq!(stream.get("/rho")?.data()?.blocks().map(|blocks| blocks.count), Some(2));
/// # Ok::<(), dudley::Error>(())
/// ```
///
/// # Errors
/// As [`Writer::to_bytes`].
pub fn write(
    layout: &Layout,
    options: &WriteOptions,
    supply: &dyn Supply,
    out: &mut dyn Output,
) -> Result<()> {
    let chunked = chunked(layout, options, supply)?;
    let layout = chunked.as_ref().unwrap_or(layout);
    write_by(layout, options, out, &|out, padding| {
        complete(Pass::new(layout, options, supply, out).with_padding(padding))
    })
}

/// Rewrites a stream by the layout through which it is read: in another byte order, with or without
/// a signature, at the resulting addresses. Params, text and counts of structs keep their stored
/// form, and so do filtered arrays if the byte order stays. Gaps are 0.
///
/// # Errors
/// If reading the stream fails; if something does not fit where it belongs; [`Error::Io`].
///
/// ```
/// use dudley::{ByteOrder, Open, WriteOptions, write};
///
/// // The text is shorter than its count says.
/// let open = Open::new().layout_text("STR {n : u2  \"\" = S1[n]}\ns = STR")?;
/// let stream = open.clone().raw().bytes(vec![3, 0, b'a', 0, 0, 0])?;
/// let options = WriteOptions { order: ByteOrder::Big, ..WriteOptions::default() };
/// let mut native = Vec::new();
/// write::rewrite(&stream, &options, &mut native)?;
/// assert_eq!(native[16..], [0, 3, b'a', 0, 0, 0]);
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn rewrite(stream: &Stream, options: &WriteOptions, out: &mut dyn Output) -> Result<()> {
    let layout = stream.layout();
    write_by(layout, options, out, &|out, padding| {
        Pass::new(layout, options, &NoSupply, out).with_padding(padding).anew(stream)
    })
}

/// Gives nothing.
struct NoSupply;

impl Supply for NoSupply {
    fn param(&self, _: &str) -> Option<i128> {
        None
    }

    fn item(&self, _: &str) -> Option<Supplied<'_>> {
        None
    }
}

/// Writes a stream by a pass over its layout, which writes the padding of structs or leaves it out.
fn write_by(
    layout: &Layout,
    options: &WriteOptions,
    out: &mut dyn Output,
    run: &dyn Fn(&mut dyn Output, bool) -> Result<Written>,
) -> Result<()> {
    let Written { end, twice } = run(out, true)?;
    if twice {
        // Again, so that what lies in the padding of something else is there; and to see whether all is as it was
        // written.
        run(out, false)?;
        run(&mut Compared { out: &mut *out, there: Vec::new() }, false)?;
    }
    out.grow(end)?;
    let end = match &options.extra {
        Some(extra) => put_extra(&**extra, layout, options, out, end)?,
        None => end,
    };
    if options.raw {
        return Ok(());
    }
    let layout_address = if options.attach { Some(end) } else { None };
    if layout_address.is_some() {
        out.put(end, &attached_text(layout))?;
    }
    let signature = Signature { order: options.order, layout_address };
    out.put(0, &signature.to_bytes())?;
    if options.attach { index::add(options.index, layout, out) } else { Ok(()) }
}

/// Puts more into a stream than its items, which are all there; where it ends then.
fn put_extra(
    extra: &dyn Extra,
    layout: &Layout,
    options: &WriteOptions,
    out: &mut dyn Output,
    end: u64,
) -> Result<u64> {
    let mut open = Open::new().layout(layout.clone()).filters(options.filters.clone()).unguarded();
    if options.raw {
        open = open.raw().order(options.order);
    } else {
        out.put(0, &Signature { order: options.order, layout_address: None }.to_bytes())?;
    }
    let mut made = Ok(Vec::new());
    out.lend(&mut |source| {
        made = open.clone().source(source).and_then(|stream| extra.parts(&stream, end));
    })?;
    let mut last = end;
    for (address, bytes) in made? {
        out.put(address, &bytes)?;
        last = last.max(address.saturating_add(bytes.len() as u64));
    }
    Ok(last)
}

/// The text to attach to a stream, as [`Layout::attached`] has it.
///
/// ```
/// let layout = dudley::parse_layout(b"x = f8[3]")?;
/// assert!(dudley::write::attached_text(&layout).starts_with(b"x = f8[3]"));
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn attached_text(layout: &Layout) -> Vec<u8> {
    layout.attached().into_bytes()
}

/// Takes what is there already, and nothing else.
struct Compared<'o> {
    out: &'o mut dyn Output,
    there: Vec<u8>,
}

impl Output for Compared<'_> {
    fn put(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        self.there.resize(bytes.len(), 0);
        if self.out.read_back(address, &mut self.there)? && self.there != bytes {
            Err(Error::WrongValue {
                item: Default::default(),
                expected: "what also stands in another item at the same address".into(),
                found: format!("other bytes at address {address} or behind it").into(),
            })
        } else {
            Ok(())
        }
    }

    fn grow(&mut self, _: u64) -> Result<()> {
        Ok(())
    }
}
