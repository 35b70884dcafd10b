//! Streams made from values: params first, exact bytes, gaps of zeros.
//!
//! A [`Writer`] collects what is given for the items of a layout, by path, and then writes the
//! stream in one pass in the order of the text. A file is complete or absent. Where values come
//! from is the [`Supply`] trait, so that a tool need not hold them all.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use dudley_parser::layout::Layout;
use dudley_parser::layout::dtype::ByteOrder;
use dudley_parser::place::LIMIT;

use crate::error::{Error, Result};
use crate::filter::Registry;
use crate::input::Input;
use crate::output::AtomicFile;
use crate::pass::{Output, Pass};
use crate::signature::Signature;

/// Where a pass over a layout gets what it writes.
pub trait Supply {
    /// The value of a param, by its path: `/N`, `/l/0/n#2`, or `/x[1].n` in a struct.
    fn param(&self, path: &str) -> Option<i128>;

    /// What to write for an item; none if there is nothing.
    fn item(&self, path: &str) -> Option<&Input<'_>>;
}

/// Makes a stream from values.
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

/// How a stream is written, whatever is in it.
#[derive(Clone)]
pub struct WriteOptions {
    /// The byte order of the signature, and of what the layout gives no order.
    pub order: ByteOrder,
    /// Without a signature: addresses start at 0.
    pub raw: bool,
    /// Appends the layout.
    pub attach: bool,
    /// The filters that the layout may name.
    pub filters: Arc<Registry>,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            order: ByteOrder::Little,
            raw: false,
            attach: false,
            filters: Arc::new(Registry::with_builtins()),
        }
    }
}

impl<'a> Writer<'a> {
    /// A writer of a native little-endian stream, without the layout appended.
    pub fn new(layout: impl Into<Arc<Layout>>) -> Self {
        Self {
            layout: layout.into(),
            options: WriteOptions::default(),
            params: BTreeMap::new(),
            items: BTreeMap::new(),
        }
    }

    /// The byte order of the signature, and of what the layout gives no order.
    #[must_use]
    pub fn order(mut self, order: ByteOrder) -> Self {
        self.options.order = order;
        self
    }

    /// Writes no signature: addresses start at 0.
    #[must_use]
    pub fn raw(mut self) -> Self {
        self.options.raw = true;
        self
    }

    /// Whether to append the layout, so that the stream describes itself.
    #[must_use]
    pub fn attach(mut self, attach: bool) -> Self {
        self.options.attach = attach;
        self
    }

    /// The filters that the layout may name; the built-in ones otherwise.
    #[must_use]
    pub fn filters(mut self, filters: impl Into<Arc<Registry>>) -> Self {
        self.options.filters = filters.into();
        self
    }

    /// Gives a param: a streamed one is written, a fixed one overridden. `path` is that of the
    /// listing: `/N`, `/grp/N#2`, `/list/0/n`.
    #[must_use]
    pub fn param(mut self, path: impl Into<String>, value: impl Into<i128>) -> Self {
        self.params.insert(plain(path.into()), value.into());
        self
    }

    /// Gives the elements of an item: a number, a text, a slice, an `ndarray` array or view, or a
    /// [`crate::Value`].
    #[must_use]
    pub fn put(mut self, path: impl Into<String>, input: impl Into<Input<'a>>) -> Self {
        self.items.insert(path.into(), input.into());
        self
    }

    /// Writes the stream into memory.
    ///
    /// # Errors
    /// [`Error::Missing`] with all that nothing was given for; [`Error::WrongShape`],
    /// [`Error::WrongType`] and [`Error::WrongValue`] for what does not fit its item;
    /// [`Error::Unused`] for paths that are not in the layout; [`Error::TooLarge`].
    pub fn to_bytes(&self) -> Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.write(&mut bytes)?;
        Ok(bytes)
    }

    /// Writes the stream into a file, which is complete or absent: whatever fails, an existing
    /// file stays as it was.
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
        let seen = write(&self.layout, &self.options, &given, out)?;
        let unused: Vec<String> =
            self.items.keys().filter(|path| !seen.contains(*path)).cloned().collect();
        match unused.is_empty() {
            true => Ok(()),
            false => Err(Error::Unused { paths: unused }),
        }
    }
}

/// A path of a param without the colon that [`crate::Stream::get`] takes.
fn plain(path: String) -> String {
    match path.rsplit_once("/:") {
        Some((dict, name)) => format!("{dict}/{name}"),
        None if path.starts_with('/') => path,
        None => format!("/{path}"),
    }
}

struct Given<'g, 'a> {
    params: &'g BTreeMap<String, i128>,
    items: &'g BTreeMap<String, Input<'a>>,
}

impl Supply for Given<'_, '_> {
    fn param(&self, path: &str) -> Option<i128> {
        self.params.get(path).copied()
    }

    fn item(&self, path: &str) -> Option<&Input<'_>> {
        self.items.get(path)
    }
}

/// Writes a stream from what a supply gives; tells the paths of the items that were written.
///
/// # Errors
/// As [`Writer::to_bytes`], but for [`Error::Unused`].
pub fn write(
    layout: &Layout,
    options: &WriteOptions,
    supply: &dyn Supply,
    out: &mut dyn Output,
) -> Result<std::collections::BTreeSet<String>> {
    let mut pass = Pass::new(layout, options, supply, out);
    let end = pass.run()?;
    let seen = pass.seen();
    if options.raw {
        out.grow(end)?;
        return Ok(seen);
    }
    let layout_address = match options.attach {
        false => None,
        true => Some(end),
    };
    out.grow(end)?;
    if layout_address.is_some() {
        out.put(end, &attached_text(layout))?;
    }
    let signature = Signature { order: options.order, layout_address };
    out.put(0, &signature.to_bytes())?;
    Ok(seen)
}

/// The text that is appended to a stream: it ends with a terminator on its own line, so that
/// nothing behind it is ever read (spec 8.3).
pub fn attached_text(layout: &Layout) -> Vec<u8> {
    let mut text = layout.body().trim_start_matches('\u{feff}').trim_end().to_owned();
    text.push_str("\n-\n");
    text.into_bytes()
}

impl Output for Vec<u8> {
    fn put(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        let end = address.saturating_add(bytes.len() as u64);
        self.grow(end)?;
        let begin = crate::error::to_usize(address)?;
        self[begin..begin + bytes.len()].copy_from_slice(bytes);
        Ok(())
    }

    fn grow(&mut self, length: u64) -> Result<()> {
        if length > LIMIT {
            return Err(Error::too_large(length));
        }
        let length = crate::error::to_usize(length)?;
        if length > self.len() {
            self.try_reserve(length - self.len()).map_err(|_| Error::too_large(length as u64))?;
            self.resize(length, 0);
        }
        Ok(())
    }
}

impl Output for AtomicFile {
    fn put(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        self.write_at(address, bytes)
    }

    fn grow(&mut self, length: u64) -> Result<()> {
        self.extend_to(length)
    }
}
