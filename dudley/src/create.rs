//! Streams that are created from a layout and params, and then filled: items, slices and rows in any order, from many
//! threads or processes.
//!
//! [`Create`] says what is created and where, a [`Writer`] takes what is written. Where everything lies is known before
//! a byte is written. [`crate::typed`] does the same through types made from a layout, [`crate::Writer`] for values that
//! are all there already.
//!
//! ```
//! use dudley::create::Create;
//! use dudley::ndarray::{Array2, array};
//!
//! # let folder = tempfile::tempdir().expect("a folder");
//! # let path = folder.path().join("run.bd");
//! let create = Create::text("N : i8  rho = f8[N, 3]  hist = [/ t = f8  dt = f8]*N")?.param("N", 4);
//! let writer = create.file(&path)?;
//! assert_eq!(writer.get("/hist/0/t")?.address()?, 24 + 4 * 3 * 8);
//! writer.write("/hist[:]/t", &[0.0, 0.1, 0.2, 0.3])?;
//! std::thread::scope(|scope| {
//!     for half in 0..2 {
//!         let writer = &writer;
//!         scope.spawn(move || {
//!             let path = format!("/rho[{}:{}]", half * 2, half * 2 + 2);
//!             writer.write(&path, &Array2::from_elem((2, 3), half as f64))
//!         });
//!     }
//! });
//! let missing = writer.finish().expect_err("`/hist[:]/dt`").to_string();
//! assert!(missing.contains("/hist/0/dt"), "{missing}");
//! assert!(!path.exists());
//! writer.write("/hist[:]/dt", &[0.1; 4])?;
//! writer.finish()?;
//! let stream = dudley::Stream::open(&path)?;
//! assert_eq!(stream.get("/rho")?.read::<f64>()?.sum(), 6.0);
//! # Ok::<(), dudley::Error>(())
//! ```

pub(crate) mod coverage;
pub(crate) mod covered;
pub(crate) mod given;
mod parts;
pub(crate) mod record;
mod rows;
mod summed;
mod target;
pub(crate) mod together;
mod writer;
pub(crate) mod writing;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dudley_parser::layout::dtype::ByteOrder;
use dudley_parser::layout::{Layout, ParamValue};

use crate::bytes::output::{AtomicFile, Output};
use crate::bytes::positioned;
use crate::bytes::signature::{LEN, Signature};
use crate::error::{Error, Result};
use crate::filter::Registry;
use crate::index;
use crate::read::path;
use crate::read::stream::{Stream, StreamKind, parse_layout, read_bytes};
use crate::write::{WriteOptions, write};
pub use coverage::Coverage;
use given::{Everything, Given};
pub use summed::Checksum;
use summed::Summed;
use target::Target;
pub use writer::Writer;
use writing::{Places, Writing};

/// A stream to create: its layout and params, its byte order, and the parts around its items.
///
/// ```
/// use dudley::ByteOrder;
/// use dudley::create::Create;
///
/// let create = Create::text("N : i4  x = f8[N]")?.param("N", 3).order(ByteOrder::Big);
/// let writer = create.memory()?;
/// writer.write("/x", &[1.0, 2.0, 3.0])?;
/// let stream = dudley::Open::new().bytes(writer.finish_bytes()?)?;
/// assert_eq!(stream.get("/x")?.read::<f64>()?.sum(), 6.0);
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone)]
pub struct Create {
    layout: Arc<Layout>,
    params: Vec<(String, i128)>,
    pub(crate) options: WriteOptions,
    pub(crate) overwrite: bool,
    pub(crate) checksum: bool,
}

impl Create {
    /// A native little-endian stream with its layout attached, where there is no file yet.
    ///
    /// ```
    /// use dudley::create::Create;
    ///
    /// let layout = dudley::parse_layout(b"x = f8[3]")?;
    /// assert_eq!(Create::new(layout).plan()?.get("/x")?.address()?, 16);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn new(layout: impl Into<Arc<Layout>>) -> Create {
        let options = WriteOptions { attach: true, ..WriteOptions::default() };
        let layout = layout.into();
        Create { layout, params: Vec::new(), options, overwrite: false, checksum: false }
    }

    /// As [`Self::new`], from the text of a layout.
    ///
    /// ```
    /// use dudley::create::Create;
    ///
    /// assert_eq!(Create::text("x = f8[3]")?.plan()?.get("/x")?.shape()?, [3]);
    /// assert!(Create::text("x = f9[3]").is_err());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Layout`] if the text has errors.
    pub fn text(text: &str) -> Result<Create> {
        parse_layout(text.as_bytes()).map(Create::new)
    }

    /// Gives a param: a streamed one is written, a fixed one overridden. The name may be a path: `N`, `/grp/N`, `N#2`.
    ///
    /// ```
    /// let create = dudley::create::Create::text("grp/ N : i8  x = f8[N]")?.param("/grp/N", 5);
    /// assert_eq!(create.plan()?.get("/grp/x")?.shape()?, [5]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn param(mut self, name: impl Into<String>, value: impl Into<i128>) -> Create {
        self.params.push((name.into(), value.into()));
        self
    }

    /// The byte order of the signature, and of items to which the layout gives none.
    ///
    /// ```
    /// use dudley::{ByteOrder, create::Create};
    ///
    /// let writer = Create::text("x = u2")?.order(ByteOrder::Big).memory()?;
    /// writer.write("/x", 258_u16)?;
    /// assert_eq!(writer.finish_bytes()?[16..18], [1, 2]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn order(mut self, order: ByteOrder) -> Create {
        self.options.order = order;
        self
    }

    /// Writes no signature and no layout: addresses start at 0. Nothing tells of such a stream whether it is finished.
    ///
    /// ```
    /// let writer = dudley::create::Create::text("x = u1[3]")?.raw().memory()?;
    /// writer.write("/x", &[1_u8, 2, 3])?;
    /// assert_eq!(writer.finish_bytes()?, [1, 2, 3]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn raw(mut self) -> Create {
        self.options.raw = true;
        self
    }

    /// Whether to append the layout, so that the stream describes itself.
    ///
    /// ```
    /// let writer = dudley::create::Create::text("x = u1[3]")?.attach(false).memory()?;
    /// writer.write("/x", &[1_u8, 2, 3])?;
    /// assert_eq!(writer.finish_bytes()?.len(), 16 + 3); // the signature and the data
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn attach(mut self, attach: bool) -> Create {
        self.options.attach = attach;
        self
    }

    /// Whether a layout that is appended to a file or in memory gets its [index] behind it: by default, if it
    /// has more than [`index::MANY_ITEMS`] items.
    ///
    /// ```
    /// use dudley::{create::Create, index};
    ///
    /// let create = Create::text("x = u1")?.index(index::Options { checksums: true });
    /// let writer = create.memory()?;
    /// writer.write("/x", 7_u8)?;
    /// let found = index::Index::of_source(writer.finish_bytes()?)?;
    /// assert_eq!(found.map(|index| index.checksums()), Some(1));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn index(mut self, policy: impl Into<index::Policy>) -> Create {
        self.options.index = policy.into();
        self
    }

    /// Whether an existing file may be replaced. The old file stays until the new one is complete;
    /// for a [shared](Self::shared) file, until that is created.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let create = dudley::create::Create::text("x = u1")?;
    /// assert!(create.file(&path).is_err());
    /// let writer = create.overwrite(true).file(&path)?;
    /// writer.write("/x", 7_u8)?;
    /// writer.finish()?; // until here the old file is there
    /// assert_eq!(dudley::Stream::open(&path)?.get("/x")?.scalar::<u8>()?, 7);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn overwrite(mut self, overwrite: bool) -> Create {
        self.overwrite = overwrite;
        self
    }

    /// Whether to compute the checksum of the file while it is written: see [`Writer::checksum`].
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let writer = dudley::create::Create::text("x = f8[2]")?.checksum(true).file(&path)?;
    /// writer.write("/x[1]", 2.0)?; // in any order
    /// writer.write("/x[0]", 1.0)?;
    /// writer.finish()?;
    /// let bytes = std::fs::read(&path).expect("a file");
    /// assert_eq!(writer.checksum().map(|it| it.bytes), Some(bytes.len() as u64));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn checksum(mut self, checksum: bool) -> Create {
        self.checksum = checksum;
        self
    }

    /// The filters that the layout may name; the built-in ones otherwise.
    ///
    /// ```
    /// use dudley::{create::Create, filter::Registry};
    ///
    /// let writer = Create::text("x = u1[3] -> zlib")?.filters(Registry::new()).memory()?;
    /// writer.write("/x", &[1_u8, 2, 3])?;
    /// assert!(writer.finish_bytes().is_err()); // no filter `zlib`
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn filters(mut self, filters: impl Into<Arc<Registry>>) -> Create {
        self.options.filters = filters.into();
        self
    }

    /// The places of all items, before anything is written: a stream without bytes, whose items know their addresses,
    /// types and shapes.
    ///
    /// # Errors
    /// [`Error::NoSuchParam`]; if a param has an illegal value, or an item cannot be placed.
    ///
    /// ```
    /// use dudley::create::Create;
    ///
    /// let plan = Create::text("N : i8  x = f8[N]  y = f4[N]")?.param("N", 10).plan()?;
    /// assert_eq!(plan.get("/y")?.address()?, 16 + 8 + 10 * 8);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn plan(&self) -> Result<Stream> {
        let kind = if self.options.raw { StreamKind::Raw } else { StreamKind::Native };
        let params: Vec<(&str, i128)> =
            self.params.iter().map(|(name, value)| (name.as_str(), *value)).collect();
        let (layout, filters) = (self.layout.clone(), self.options.filters.clone());
        let stream = Stream::planned(layout, kind, self.options.order, &params, filters)?;
        stream.check_planned()?;
        Ok(stream)
    }

    /// A writer of a file, which appears when the writer is [finished](Writer::finish). Items that the
    /// params place go to the file at once; encoded items, and items behind others of variable size,
    /// stay in memory until then.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let writer = dudley::create::Create::text("x = f8[4]")?.file(&path)?;
    /// writer.write("/x[:2]", &[1.0, 2.0])?;
    /// writer.write("/x[2:]", &[3.0, 4.0])?;
    /// assert!(!path.exists());
    /// writer.finish()?;
    /// assert_eq!(dudley::Stream::open(&path)?.get("/x")?.read::<f64>()?.sum(), 10.0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the params do not fit the layout; [`Error::Exists`]; [`Error::Io`].
    pub fn file(&self, path: impl AsRef<Path>) -> Result<Writer> {
        let plan = self.planned()?;
        let mut file = AtomicFile::create(path, self.overwrite)?;
        file.extend_to(plan.known_end)?;
        let places = Places::Until(plan.known_end);
        Ok(self.writer(plan, Target::file(file), places))
    }

    /// A writer into memory: see [`Writer::finish_bytes`].
    ///
    /// ```
    /// let writer = dudley::create::Create::text("x = f8")?.memory()?;
    /// writer.write("/x", 0.5)?;
    /// let stream = dudley::Open::new().bytes(writer.finish_bytes()?)?;
    /// assert_eq!(stream.get("/x")?.scalar::<f64>()?, 0.5);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the params do not fit the layout; [`Error::TooLarge`].
    pub fn memory(&self) -> Result<Writer> {
        let plan = self.planned()?;
        let target = Target::memory(plan.known_end)?;
        let places = Places::Until(plan.known_end);
        Ok(self.writer(plan, target, places))
    }

    /// A writer of a stream that begins at a byte of an existing file, for example one of several streams in it;
    /// `base` is a multiple of 16. The bytes before it stay, and gaps between items keep their bytes (zeros beyond
    /// the end of the file). Unlike [`Self::file`], this changes the file at once: until the writer is finished, the
    /// signature marks the stream as unfinished.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// std::fs::write(&path, [7; 32]).expect("space");
    /// let file = std::fs::File::options().read(true).write(true).open(&path).expect("a file");
    /// let writer = dudley::create::Create::text("x = u1[3]")?.within(file, 32)?;
    /// writer.write("/x", &[1_u8, 2, 3])?;
    /// writer.finish()?;
    /// let bytes = std::fs::read(&path).expect("a file");
    /// assert_eq!((&bytes[..32], &bytes[48..51]), (&[7; 32][..], &[1, 2, 3][..]));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the params do not fit the layout; [`Error::WrongValue`] for another base; [`Error::Io`].
    pub fn within(&self, file: File, base: u64) -> Result<Writer> {
        let plan = self.planned()?;
        let target = Target::within(file, base, plan.known_end, self.signature(&plan))?;
        let places = Places::Until(plan.known_end);
        Ok(self.writer(plan, target, places))
    }

    /// A writer of a file that several processes write together: one creates it, and the others [join](Self::join).
    /// Until it is finished, the file has everything except its items, and its signature marks it as unfinished, so
    /// it cannot be opened. The process that [finishes](Writer::finish) it needs the coverage of the others: see
    /// [`Writer::coverage`] and [`Writer::mark_written`].
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let create = dudley::create::Create::text("x = i4[4]")?;
    /// let first = create.shared(&path)?;
    /// let second = create.join(&path)?; // usually in another process
    /// first.write("/x[:2]", &[1, 2])?;
    /// second.write("/x[2:]", &[3, 4])?;
    /// first.cover(&second.coverage())?;
    /// first.finish()?;
    /// assert_eq!(dudley::Stream::open(&path)?.get("/x")?.read::<i32>()?.sum(), 10);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the params do not fit the layout; [`Error::WrongValue`] if they do not decide all places;
    /// [`Error::Exists`]; [`Error::Io`].
    pub fn shared(&self, path: impl AsRef<Path>) -> Result<Writer> {
        let (path, plan) = (path.as_ref(), self.planned()?);
        let file = self.begin_shared(&plan, path, true)?;
        let target = file.path().to_owned();
        file.commit()?;
        let file = open_shared(&target)?;
        Ok(self.writer(plan, Target::shared(file, !self.options.raw, Some(target)), Places::Known))
    }

    /// As [`Self::shared`], under a temporary name beside the file, which is returned: others join that. The file gets
    /// its name when the writer is finished; until then one that is there stays. Nothing is left if that is not done.
    ///
    /// # Errors
    /// As [`Self::shared`].
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("x.bd");
    /// let create = dudley::create::Create::text("x = i4[4]")?;
    /// let (first, name) = create.shared_aside(&path)?;
    /// let second = create.join(&name)?;
    /// first.write("/x[:2]", &[1, 2])?;
    /// second.write("/x[2:]", &[3, 4])?;
    /// first.cover(&second.coverage())?;
    /// assert!(!path.exists());
    /// first.finish()?;
    /// assert_eq!(dudley::Stream::open(&path)?.get("/x")?.read::<i32>()?.sum(), 10);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn shared_aside(&self, path: impl AsRef<Path>) -> Result<(Writer, PathBuf)> {
        self.aside(path.as_ref(), true)
    }

    /// As [`Self::shared_aside`], with the frame or without it: [`Self::join_new`] does not need one, and finishing
    /// the file writes it.
    ///
    /// # Errors
    /// As that.
    pub(crate) fn aside(&self, path: &Path, framed: bool) -> Result<(Writer, PathBuf)> {
        let plan = self.planned()?;
        let mut aside = self.begin_shared(&plan, path, framed)?;
        aside.flush()?;
        let name = aside.temporary_path().to_owned();
        let file = open_shared(&name)?;
        let target = Target::aside(file, !self.options.raw, aside);
        Ok((self.writer(plan, target, Places::Known), name))
    }

    /// A writer of a file that another process has made by [`Self::shared`], of the same layout and params.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let create = dudley::create::Create::text("x = i4[4]")?;
    /// let _first = create.shared(&path)?;
    /// create.join(&path)?.write("/x[2:]", &[3, 4])?;
    /// assert!(dudley::create::Create::text("x = i4[5]")?.join(&path).is_err()); // another layout
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::shared`]; [`Error::OfFile`] with [`Error::Incompatible`] if the file was made for another stream, or
    /// is finished.
    pub fn join(&self, path: impl AsRef<Path>) -> Result<Writer> {
        let (path, plan) = (path.as_ref(), self.planned()?);
        plan.whole()?;
        let file = open_shared(path)?;
        self.check_frame(&plan, &file).map_err(|error| error.of_file(path))?;
        Ok(self.writer(plan, Target::shared(file, !self.options.raw, None), Places::Known))
    }

    /// As [`Self::join`], of a file that was made a moment ago for a stream of this [identity](Self::identity). Nothing is read.
    ///
    /// # Errors
    /// As that, if this one is another.
    pub(crate) fn join_new(&self, path: impl AsRef<Path>, identity: u32) -> Result<Writer> {
        let plan = self.planned()?;
        plan.whole()?;
        if self.identity_of(&plan) != identity {
            return Err(other_stream("another layout, or other params").of_file(path.as_ref()));
        }
        let file = open_shared(path.as_ref())?;
        Ok(self.writer(plan, Target::shared(file, !self.options.raw, None), Places::Known))
    }

    /// A checksum of everything that decides the bytes of the stream besides its items.
    ///
    /// # Errors
    /// As [`Self::plan`].
    pub(crate) fn identity(&self) -> Result<u32> {
        self.planned().map(|plan| self.identity_of(&plan))
    }

    fn identity_of(&self, plan: &Plan) -> u32 {
        let WriteOptions { order, raw, attach, .. } = &self.options;
        let said = format!("{order:?} {raw} {attach} {:?}\n", plan.params);
        crc32c::crc32c_append(crc32c::crc32c(said.as_bytes()), self.layout.text().as_bytes())
    }

    /// A writer into a sink that cannot seek, such as a pipe. Write the items in the order of their
    /// addresses. If the params do not decide all places, the items stay in memory until the end.
    ///
    /// ```
    /// let writer = dudley::create::Create::text("x = f8  y = f8")?.sink(std::io::sink())?;
    /// writer.write("/x", 1.0)?; // in the order of the addresses
    /// writer.write("/y", 2.0)?;
    /// writer.finish()?;
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If the params do not fit the layout.
    pub fn sink(&self, sink: impl Write + Send + 'static) -> Result<Writer> {
        let plan = self.planned()?;
        let target = match plan.end {
            None => Target::collected_sink(Box::new(sink)),
            Some(_) => {
                let mut fixed = BTreeMap::new();
                self.frame(&plan, &mut fixed)?;
                Target::ordered(Box::new(sink), fixed)
            }
        };
        Ok(self.writer(plan, target, Places::Kept))
    }

    fn planned(&self) -> Result<Plan> {
        let stream = self.plan()?;
        if self.options.attach && !self.options.raw {
            says_the_same(&stream)?;
        }
        let layout = stream.layout();
        let mut params = BTreeMap::new();
        for (name, value) in &self.params {
            params.insert(layout.param_path(path::param(layout, name)?), *value);
        }
        let simple = layout.filters().is_empty() && !layout.has_spliced();
        let end = if simple { stream.data_end().ok() } else { None };
        let known_end = stream.with_resolver(|resolver| resolver.known_end());
        Ok(Plan { end, known_end, params, stream })
    }

    /// A file with all of a stream but its items, if it is framed, and the signature of one that is not finished.
    fn begin_shared(&self, plan: &Plan, path: &Path, framed: bool) -> Result<AtomicFile> {
        let end = plan.whole()?;
        let mut file = AtomicFile::create(path, self.overwrite)?;
        file.extend_to(end)?;
        if framed {
            self.frame(plan, &mut file)?;
        }
        if let Some(signature) = self.signature(plan) {
            file.put(0, &signature.unfinished())?;
        }
        Ok(file)
    }

    /// Writes all of a stream but its items.
    fn frame(&self, plan: &Plan, out: &mut dyn Output) -> Result<()> {
        // An index is made of what is there in the end.
        let options = WriteOptions { index: index::Policy::Never, ..self.options.clone() };
        write(&self.layout, &options, &Everything { params: &plan.params }, out)
    }

    /// The signature of a stream that is there before it is finished; the layout follows the items.
    fn signature(&self, plan: &Plan) -> Option<Signature> {
        let layout_address = plan.end.filter(|_| self.options.attach);
        (!self.options.raw).then_some(Signature { order: self.options.order, layout_address })
    }

    /// That a file was made for the same stream, and is not finished.
    fn check_frame(&self, plan: &Plan, file: &File) -> Result<()> {
        let mut frame = BTreeMap::new();
        self.frame(plan, &mut frame)?;
        if let Some(signature) = self.signature(plan) {
            frame.insert(0, signature.unfinished().to_vec());
        }
        let io = |error| Error::io("cannot read it", error);
        let source = crate::bytes::source::FileSource::new(file.try_clone().map_err(io)?)?;
        for (address, expected) in frame {
            let found = read_bytes(&source, address, expected.len() as u64);
            if found.ok().as_ref() != Some(&expected) {
                let found = if address < LEN && !self.options.raw {
                    "another signature: it is finished, or no shared file".to_owned()
                } else {
                    format!("other bytes at address {address}")
                };
                return Err(other_stream(&found));
            }
        }
        Ok(())
    }

    fn writer(&self, plan: Plan, target: Target, places: Places) -> Writer {
        let given = Given::new(plan.params);
        let places = if plan.end.is_some() { Places::Known } else { places };
        let target = Summed::new(target, self.checksum);
        Writer::new(Writing::new(plan.stream, self.options.clone(), target, given, places))
    }
}

fn other_stream(found: &str) -> Error {
    Error::Incompatible {
        path: "/".into(),
        expected: "a shared file of this layout and these params".into(),
        found: found.into(),
    }
}

fn open_shared(path: &Path) -> Result<File> {
    positioned::open(path, File::options().read(true).write(true)).map_err(|error| {
        Error::io(format!("cannot open `{}` to write", crate::error::file_name(&path)), error)
    })
}

/// That the layout, once it is attached, says of fixed params what they are: readers would take
/// its values.
fn says_the_same(plan: &Stream) -> Result<()> {
    let layout = plan.layout();
    for (id, value) in &plan.given().params {
        match layout[*id].value {
            ParamValue::Fixed(declared)
                if i128::from(declared) != *value && !layout[*id].is_by_length() =>
            {
                return Err(Error::WrongValue {
                    item: crate::error::Item::new(layout.param_path(*id)),
                    expected: format!(
                        "{declared}, as the attached layout says it (other values take \
                         `attach(false)`, or a streamed param)"
                    )
                    .into(),
                    found: value.to_string().into(),
                });
            }
            _ => {}
        }
    }
    Ok(())
}

/// What is known of a stream before it is written.
struct Plan {
    stream: Stream,
    params: BTreeMap<String, i128>,
    /// The end of the data, where the params decide all places.
    end: Option<u64>,
    /// The end of what they place.
    known_end: u64,
}

impl Plan {
    /// The end of the data.
    fn whole(&self) -> Result<u64> {
        self.end.ok_or_else(|| Error::WrongValue {
            item: crate::error::Item::UNKNOWN,
            expected: "a layout whose params decide all places".into(),
            found: "one with items of variable size, filtered, or strided through records".into(),
        })
    }
}
