//! How a stream is created through the types made from its layout, and completed.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::ops::Deref;
use std::path::Path;
use std::sync::Arc;

use dudley_parser::layout::ParamValue;
use dudley_parser::layout::dtype::ByteOrder;

use super::given::{Everything, Given};
use super::params::Params as _;
use super::reading::{planned, root};
use super::schema::Schema;
use super::target::Target;
use super::writing::{Places, Writing};
use crate::bytes::output::AtomicFile;
use crate::error::{Error, Result};
use crate::filter::Registry;
use crate::index;
use crate::read::stream::{Stream, StreamKind};
use crate::write::{WriteOptions, write};

/// How a stream is created.
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
}

impl Default for Create {
    fn default() -> Self {
        let options = WriteOptions { attach: true, ..WriteOptions::default() };
        Self { options, overwrite: false }
    }
}

impl Create {
    /// A native little-endian stream with its layout attached, where there is no file yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// The byte order of the signature, and of what the layout gives no order.
    #[must_use]
    pub fn order(mut self, order: ByteOrder) -> Self {
        self.options.order = order;
        self
    }

    /// Writes no signature and no layout: addresses start at 0.
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

    /// Whether a layout that is appended to a file or in memory gets its [index] behind it: by default, if it
    /// has more than [`index::MANY_ITEMS`] items.
    #[must_use]
    pub fn index(mut self, policy: impl Into<index::Policy>) -> Self {
        self.options.index = policy.into();
        self
    }

    /// Whether a file that is there may be replaced. It is kept until the new one is complete.
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

    /// A writer of a file, which appears when the writer is [finished](Writer::finish). What the params
    /// place goes to the file at once; what is filtered, or lies behind something of variable size, is
    /// kept in memory until then.
    ///
    /// # Errors
    /// If the params do not fit the layout; [`Error::Exists`]; [`Error::Io`].
    pub fn file<S: Schema>(&self, path: impl AsRef<Path>, params: &S::Params) -> Result<Writer<S>> {
        let plan = self.plan::<S>(params)?;
        let mut file = AtomicFile::create(path, self.overwrite)?;
        file.extend_to(plan.known_end)?;
        let places = Places::Until(plan.known_end);
        Ok(self.writer(plan, Target::file(file), places))
    }

    /// Writes all of a file but its items: signature, params, constants and layout, with room for the
    /// items. Others then write those to where [`Addresses`](super::Addresses) says, such as the
    /// ranks of a parallel program, each for itself. The file is there at once, and nothing tells
    /// whether its items are.
    ///
    /// # Errors
    /// If the params do not fit the layout; [`Error::WrongValue`] if they do not decide all places;
    /// [`Error::Exists`]; [`Error::Io`].
    pub fn frame<S: Schema>(&self, path: impl AsRef<Path>, params: &S::Params) -> Result<()> {
        let plan = self.plan::<S>(params)?;
        let Some(end) = plan.end else {
            return Err(Error::WrongValue {
                item: crate::error::Item::UNKNOWN,
                expected: "a layout whose params decide all places".into(),
                found: "one with items of variable size, filtered, or strided through records"
                    .into(),
            });
        };
        let mut file = AtomicFile::create(path, self.overwrite)?;
        file.extend_to(end)?;
        let all = Everything::new(params.values());
        write(plan.stream.layout(), &self.options, &all, &mut file)?;
        file.commit()
    }

    /// A writer of a stream that begins at a byte of a file that is there, such as one of several
    /// streams in it; `base` is a multiple of 16. Nothing of the file before it is touched, and gaps
    /// between items keep what is there (beyond the end of the file, zeros). The
    /// signature is written last, so that a stream that was not finished is none; but unlike
    /// [`Self::file`], this changes the file at once.
    ///
    /// # Errors
    /// If the params do not fit the layout; [`Error::WrongValue`] for another base; [`Error::Io`].
    pub fn within<S: Schema>(
        &self,
        file: std::fs::File,
        base: u64,
        params: &S::Params,
    ) -> Result<Writer<S>> {
        let plan = self.plan::<S>(params)?;
        let target = Target::within(file, base, plan.known_end)?;
        let places = Places::Until(plan.known_end);
        Ok(self.writer(plan, target, places))
    }

    /// A writer into memory: see [`Writer::finish_bytes`].
    ///
    /// # Errors
    /// If the params do not fit the layout; [`Error::TooLarge`].
    pub fn memory<S: Schema>(&self, params: &S::Params) -> Result<Writer<S>> {
        let plan = self.plan::<S>(params)?;
        let target = Target::memory(plan.known_end)?;
        let places = Places::Until(plan.known_end);
        Ok(self.writer(plan, target, places))
    }

    /// A writer into a sink that cannot go back, such as a pipe. Items must be written in the order
    /// of their addresses; of a layout whose params do not decide all places they are kept until the
    /// end.
    ///
    /// # Errors
    /// If the params do not fit the layout.
    pub fn sink<S: Schema>(
        &self,
        sink: impl Write + Send + 'static,
        params: &S::Params,
    ) -> Result<Writer<S>> {
        let plan = self.plan::<S>(params)?;
        let target = match plan.end {
            None => Target::collected_sink(Box::new(sink)),
            Some(_) => {
                let all = Everything::new(params.values());
                let mut fixed = BTreeMap::new();
                write(plan.stream.layout(), &self.options, &all, &mut fixed)?;
                Target::ordered(Box::new(sink), fixed)
            }
        };
        Ok(self.writer(plan, target, Places::Kept))
    }

    fn plan<S: Schema>(&self, params: &S::Params) -> Result<Plan> {
        let kind = if self.options.raw { StreamKind::Raw } else { StreamKind::Native };
        let stream = planned::<S>(params, kind, self.options.order, self.options.filters.clone())?;
        stream.check_planned()?;
        if self.options.attach && !self.options.raw {
            says_the_same(&stream)?;
        }
        let layout = stream.layout();
        let simple = layout.filters().is_empty() && !layout.has_spliced();
        let end = if simple { stream.data_end().ok() } else { None };
        let known_end = stream.with_resolver(|resolver| resolver.known_end());
        let params = params.values().into_iter().map(|(path, value)| (path.to_owned(), value));
        Ok(Plan { end, known_end, params: params.collect(), stream })
    }

    fn writer<S: Schema>(&self, plan: Plan, target: Target, places: Places) -> Writer<S> {
        let given = Given::new(plan.params);
        let places = if plan.end.is_some() { Places::Known } else { places };
        let mode = Writing::new(plan.stream, self.options.clone(), target, given, places);
        let root = root::<S, _>(mode.plan(), mode.clone());
        Writer { mode, root }
    }
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

/// Writes a stream through the types made from its layout. Its items are those of
/// [`Schema::Root`]; they can be written in any order and from many threads.
#[must_use = "nothing appears before the writer is finished"]
pub struct Writer<S: Schema> {
    mode: Writing,
    root: S::Root<Writing>,
}

impl<S: Schema> Writer<S> {
    /// Begins a new file, native, little-endian, with its layout attached. See [`Create`] for
    /// others, such as those that replace a file: `Create::new().overwrite(true).file(path, params)`.
    ///
    /// # Errors
    /// As [`Create::file`].
    pub fn create(path: impl AsRef<Path>, params: &S::Params) -> Result<Self> {
        Create::new().file(path, params)
    }

    /// Completes the stream, and makes a file appear. Whatever is missing can be written after an
    /// error, and the writer be finished again.
    ///
    /// # Errors
    /// [`Error::Missing`] with all that was not written; what writing the rest says.
    pub fn finish(&self) -> Result<()> {
        self.mode.finish()
    }

    /// Completes a stream in memory.
    ///
    /// # Errors
    /// As [`Self::finish`]; [`Error::Finished`] if it is not in memory, or was finished before.
    pub fn finish_bytes(&self) -> Result<Vec<u8>> {
        self.finish()?;
        self.mode.take_bytes()
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
        f.debug_tuple("Writer").field(&self.mode).finish()
    }
}
