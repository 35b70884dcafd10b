//! How a stream is created through the types made from its layout, and completed.

use std::fmt;
use std::io::Write;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use dudley_parser::layout::dtype::ByteOrder;

use super::params::Params as _;
use super::reading::root;
use super::schema::Schema;
use crate::create::{self, writing::Writing};
use crate::error::Result;
use crate::filter::Registry;
use crate::index;
use crate::write::WriteOptions;

/// The options of a new stream: as [`create::Create`], for layouts that are known at compile time.
///
/// ```
/// use dudley::{ByteOrder, typed::Create};
///
/// let create = Create::new().order(ByteOrder::Big).overwrite(true).attach(false);
/// # let _ = create;
/// ```
#[derive(Clone)]
pub struct Create {
    options: WriteOptions,
    overwrite: bool,
    checksum: bool,
}

impl Default for Create {
    fn default() -> Self {
        let options = WriteOptions { attach: true, ..WriteOptions::default() };
        Self { options, overwrite: false, checksum: false }
    }
}

impl Create {
    /// A native little-endian stream with its layout attached, where there is no file yet.
    ///
    /// ```
    /// dudley::layout!(mod run = "x = u2");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params::default())?;
    /// writer.x().write(7)?;
    /// assert_eq!(run::Reader::from_source(writer.finish_bytes()?)?.x().read()?, 7);
    /// # Ok(())
    /// # }
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// The byte order of the signature, and of items to which the layout gives none.
    ///
    /// ```
    /// dudley::layout!(mod run = "x = u2");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// let create = dudley::typed::Create::new().order(dudley::ByteOrder::Big);
    /// let writer = create.memory::<run::Layout>(&run::Params::default())?;
    /// writer.x().write(258)?;
    /// assert_eq!(writer.finish_bytes()?[16..18], [1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn order(mut self, order: ByteOrder) -> Self {
        self.options.order = order;
        self
    }

    /// Writes no signature and no layout: addresses start at 0.
    ///
    /// ```
    /// dudley::layout!(mod run = "x = u2");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// let writer = dudley::typed::Create::new().raw().memory::<run::Layout>(&run::Params::default())?;
    /// writer.x().write(258)?;
    /// assert_eq!(writer.finish_bytes()?, [2, 1]);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn raw(mut self) -> Self {
        self.options.raw = true;
        self
    }

    /// Whether to append the layout, so that the stream describes itself.
    ///
    /// ```
    /// dudley::layout!(mod run = "x = u2");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// let writer = dudley::typed::Create::new().attach(false).memory::<run::Layout>(&run::Params::default())?;
    /// writer.x().write(7)?;
    /// assert_eq!(writer.finish_bytes()?.len(), 18);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn attach(mut self, attach: bool) -> Self {
        self.options.attach = attach;
        self
    }

    /// Whether a layout that is appended to a file or in memory gets its [index] behind it: by default, if it
    /// has more than [`index::MANY_ITEMS`] items.
    #[must_use]
    pub fn index(mut self, policy: impl Into<index::Policy>) -> Self {
        self.options.index = policy.into();
        self
    }

    /// Whether an existing file may be replaced. It stays until the new one is complete.
    #[must_use]
    pub fn overwrite(mut self, overwrite: bool) -> Self {
        self.overwrite = overwrite;
        self
    }

    /// The filters that the layout may name; the built-in ones otherwise.
    #[must_use]
    pub fn filters(mut self, filters: impl Into<Arc<Registry>>) -> Self {
        self.options.filters = filters.into();
        self
    }

    /// Whether to compute the checksum of the file while it is written: as [`create::Create::checksum`], for the
    /// [untyped](Writer::untyped) writer.
    ///
    /// ```
    /// dudley::layout!(mod run = "x = u2");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let create = dudley::typed::Create::new().checksum(true);
    /// let writer = create.file::<run::Layout>(&path, &run::Params::default())?;
    /// writer.x().write(7)?;
    /// writer.finish()?;
    /// assert!(writer.untyped().checksum().is_some());
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn checksum(mut self, checksum: bool) -> Self {
        self.checksum = checksum;
        self
    }

    /// A writer of a file: as [`create::Create::file`].
    ///
    /// ```
    /// dudley::layout!(mod run = "x = u2");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let writer = dudley::typed::Create::new().file::<run::Layout>(&path, &run::Params::default())?;
    /// writer.x().write(7)?;
    /// writer.finish()?;
    /// assert_eq!(run::Reader::open(&path)?.x().read()?, 7);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As that.
    pub fn file<S: Schema>(&self, path: impl AsRef<Path>, params: &S::Params) -> Result<Writer<S>> {
        self.of::<S>(params)?.file(path).map(Writer::of)
    }

    /// A writer of a file that several processes write, such as the ranks of a parallel program: as
    /// [`create::Create::shared`]. Others [join](Self::join), or write to the
    /// [`Addresses`](super::Addresses) themselves; report their elements through
    /// [`Writer::untyped`].
    ///
    /// # Errors
    /// As that.
    pub fn shared<S: Schema>(
        &self,
        path: impl AsRef<Path>,
        params: &S::Params,
    ) -> Result<Writer<S>> {
        self.of::<S>(params)?.shared(path).map(Writer::of)
    }

    /// A writer of a file that another process has made by [`Self::shared`]: as [`create::Create::join`].
    ///
    /// # Errors
    /// As that.
    pub fn join<S: Schema>(&self, path: impl AsRef<Path>, params: &S::Params) -> Result<Writer<S>> {
        self.of::<S>(params)?.join(path).map(Writer::of)
    }

    /// A writer of a stream that begins at a byte of a file that is there: as [`create::Create::within`].
    ///
    /// # Errors
    /// As that.
    pub fn within<S: Schema>(
        &self,
        file: std::fs::File,
        base: u64,
        params: &S::Params,
    ) -> Result<Writer<S>> {
        self.of::<S>(params)?.within(file, base).map(Writer::of)
    }

    /// A writer into memory: see [`Writer::finish_bytes`].
    ///
    /// ```
    /// dudley::layout!(mod run = "x = u2");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params::default())?;
    /// writer.x().write(7)?;
    /// assert!(writer.finish_bytes()?.len() > 18); // with its layout
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`create::Create::memory`].
    pub fn memory<S: Schema>(&self, params: &S::Params) -> Result<Writer<S>> {
        self.of::<S>(params)?.memory().map(Writer::of)
    }

    /// A writer into a sink that cannot go back, such as a pipe: as [`create::Create::sink`].
    ///
    /// # Errors
    /// As that.
    pub fn sink<S: Schema>(
        &self,
        sink: impl Write + Send + 'static,
        params: &S::Params,
    ) -> Result<Writer<S>> {
        self.of::<S>(params)?.sink(sink).map(Writer::of)
    }

    /// The same for the layout of a type, as programs without types say it.
    ///
    /// # Errors
    /// [`crate::Error::Layout`], if the layout was not checked.
    pub fn of<S: Schema>(&self, params: &S::Params) -> Result<create::Create> {
        let mut create = create::Create::new(S::known().layout()?);
        for (path, value) in params.values() {
            create = create.param(path, value);
        }
        create.options = self.options.clone();
        create.overwrite = self.overwrite;
        create.checksum = self.checksum;
        Ok(create)
    }
}

/// Writes a stream through the types made from its layout. Its items are those of
/// [`Schema::Root`]; they can be written in any order and from many threads.
#[must_use = "nothing appears before the writer is finished"]
pub struct Writer<S: Schema> {
    writer: create::Writer,
    root: S::Root<Writing>,
}

impl<S: Schema> Writer<S> {
    /// Begins a new file, native, little-endian, with its layout attached. See [`Create`] for
    /// others, such as those that replace a file: `Create::new().overwrite(true).file(path, params)`.
    ///
    /// ```
    /// dudley::layout!(mod run = "x = u2");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let writer = run::Writer::create(&path, &run::Params::default())?;
    /// writer.x().write(7)?;
    /// writer.finish()?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Create::file`].
    pub fn create(path: impl AsRef<Path>, params: &S::Params) -> Result<Self> {
        Create::new().file(path, params)
    }

    fn of(writer: create::Writer) -> Self {
        let root = root::<S, _>(writer.plan(), writer.writing.clone());
        Self { writer, root }
    }

    /// The types for a writer that was created without them, of the layout that they are made from.
    ///
    /// # Errors
    /// [`crate::Error::Incompatible`] for another layout.
    pub(crate) fn over(writer: &create::Writer) -> Result<Self> {
        let ours = S::known();
        if writer.plan().layout().text() != ours.layout()?.text() {
            let expected = "the layout of the types";
            return Err(super::schema::incompatible("/", expected, "another one"));
        }
        Ok(Self::of(create::Writer { writing: writer.writing.clone() }))
    }

    /// The same writer for programs without types for the layout.
    pub fn untyped(&self) -> &create::Writer {
        &self.writer
    }

    /// Completes the stream, and makes a file appear. After an error you can write missing items
    /// and finish again.
    ///
    /// # Errors
    /// [`crate::Error::Missing`] with all that was not written; if writing the rest fails.
    pub fn finish(&self) -> Result<()> {
        self.writer.finish()
    }

    /// Completes a stream in memory.
    ///
    /// # Errors
    /// As [`Self::finish`]; [`crate::Error::Finished`] if it is not in memory, or was finished before.
    pub fn finish_bytes(&self) -> Result<Vec<u8>> {
        self.writer.finish_bytes()
    }
}

impl<S: Schema> Deref for Writer<S> {
    type Target = S::Root<Writing>;

    fn deref(&self) -> &Self::Target {
        &self.root
    }
}

impl<S: Schema> fmt::Debug for Writer<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.writer, f)
    }
}
