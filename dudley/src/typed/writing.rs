//! A stream written through the types made from its layout: items in any order, from many threads.
//!
//! Where the params decide all places, an item is written to its place at once. Else (something is
//! of variable size, filtered, or strided through records) what is given is kept, and written when
//! the writer is finished.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Write;
use std::ops::Deref;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dudley_parser::layout::dtype::ByteOrder;
use ndarray::ArrayViewD;

use super::params::Params as _;
use super::reading::{planned, root};
use super::record::{Bytes, Record};
use super::records::encode;
use super::rows::Rows;
use super::schema::Schema;
use super::target::Target;
use crate::data::Data;
use crate::element::Element;
use crate::encode::Encoder;
use crate::error::{Error, Result};
use crate::filter::Registry;
use crate::input::{Input, Typed};
use crate::item::Item;
use crate::output::AtomicFile;
use crate::pass::{checked, same_shape};
use crate::stream::{Stream, StreamKind};
use crate::typed::constants::Constants;
use crate::value::Value;
use crate::writer::{Supplied, Supply, WriteOptions, plain, write};

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

    /// A writer of a file, which appears when the writer is [finished](Writer::finish).
    ///
    /// # Errors
    /// If the params do not fit the layout; [`Error::Exists`]; [`Error::Io`].
    pub fn file<S: Schema>(&self, path: impl AsRef<Path>, params: &S::Params) -> Result<Writer<S>> {
        let plan = self.plan::<S>(params)?;
        let mut file = AtomicFile::create(path, self.overwrite)?;
        if let Some(end) = plan.end {
            file.extend_to(end)?;
        }
        Ok(self.writer(plan, Target::file(file)))
    }

    /// A writer into memory: see [`Writer::finish_bytes`].
    ///
    /// # Errors
    /// If the params do not fit the layout; [`Error::TooLarge`].
    pub fn memory<S: Schema>(&self, params: &S::Params) -> Result<Writer<S>> {
        let plan = self.plan::<S>(params)?;
        let target = Target::memory(plan.end.unwrap_or(0))?;
        Ok(self.writer(plan, target))
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
                let all = Everything { params: params.values() };
                let mut fixed = BTreeMap::new();
                write(plan.stream.layout(), &self.options, &all, &mut fixed)?;
                Target::ordered(Box::new(sink), fixed)
            }
        };
        Ok(self.writer(plan, target))
    }

    fn plan<S: Schema>(&self, params: &S::Params) -> Result<Plan> {
        let kind = if self.options.raw { StreamKind::Raw } else { StreamKind::Native };
        let stream = planned::<S>(params, kind, self.options.order, self.options.filters.clone())?;
        stream.check_planned()?;
        let layout = stream.layout();
        let simple = layout.filters().is_empty() && !layout.has_spliced();
        let end = if simple { stream.data_end().ok() } else { None };
        let params = params.values().into_iter().map(|(path, value)| (path.to_owned(), value));
        Ok(Plan { end, params: params.collect(), stream })
    }

    fn writer<S: Schema>(&self, plan: Plan, target: Target) -> Writer<S> {
        let given = Given { params: plan.params, items: BTreeMap::new() };
        let shared = Shared {
            placed: plan.end.is_some(),
            plan: plan.stream,
            options: self.options.clone(),
            target,
            given: Mutex::new(given),
        };
        let mode = Writing { shared: Arc::new(shared) };
        let root = root::<S, _>(&mode.shared.plan, mode.clone());
        Writer { mode, root }
    }
}

/// What is known of a stream before it is written.
struct Plan {
    stream: Stream,
    params: BTreeMap<String, i128>,
    /// The end of the data, where the params decide all places.
    end: Option<u64>,
}

/// Writes a stream through the types made from its layout. Its items are those of
/// [`Schema::Root`]; they can be written in any order and from many threads.
pub struct Writer<S: Schema> {
    mode: Writing,
    root: S::Root<Writing>,
}

impl<S: Schema> Writer<S> {
    /// Begins a new file, native, little-endian, with its layout attached. See [`Create`] for
    /// others.
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
        let shared = &*self.mode.shared;
        shared.target.finish(&mut |out| {
            let given = shared.given();
            write(shared.plan.layout(), &shared.options, &*given, out)
                .map_err(|error| given.parts_missing(error))
        })
    }

    /// Completes a stream in memory.
    ///
    /// # Errors
    /// As [`Self::finish`]; [`Error::Finished`] if it is not in memory, or was finished before.
    pub fn finish_bytes(&self) -> Result<Vec<u8>> {
        self.finish()?;
        self.mode.shared.target.take_bytes()
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

/// Writing a stream.
#[derive(Clone)]
pub struct Writing {
    shared: Arc<Shared>,
}

impl fmt::Debug for Writing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Writing").field("placed", &self.shared.placed).finish_non_exhaustive()
    }
}

struct Shared {
    plan: Stream,
    options: WriteOptions,
    target: Target,
    /// Items are written to their places at once.
    placed: bool,
    given: Mutex<Given>,
}

impl Shared {
    fn given(&self) -> MutexGuard<'_, Given> {
        // What was given is never half done.
        self.given.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn keep(&self, item: &Item, piece: Piece) -> Result<()> {
        self.target.check_open()?;
        self.given().items.insert(item.path().to_owned(), piece);
        Ok(())
    }

    /// Adds the params that decide the shape of an item.
    fn of_params(&self, error: Error, data: &Data) -> Error {
        error.of_params(|| match data.array {
            Some(id) => {
                let layout = self.plan.layout();
                self.plan.with_resolver(|resolver| resolver.shape_params(&layout[id]))
            }
            None => Vec::new(),
        })
    }
}

/// What was given so far.
struct Given {
    params: BTreeMap<String, i128>,
    items: BTreeMap<String, Piece>,
}

/// What was given for an item.
enum Piece {
    /// It is at its place.
    Written,
    /// Some rows of it are at their places.
    Rows(Rows),
    Value(Value),
    Typed(Box<dyn Typed + Send + Sync>),
    /// As it is stored; some rows, or all.
    Encoded {
        bytes: Vec<u8>,
        shape: Vec<u64>,
        rows: Option<Rows>,
    },
}

impl Supply for Given {
    fn param(&self, path: &str) -> Option<i128> {
        self.params.get(path).copied()
    }

    fn item(&self, path: &str) -> Option<Supplied<'_>> {
        match self.items.get(path)? {
            Piece::Written => Some(Supplied::Written),
            Piece::Rows(rows) => rows.are_all().then_some(Supplied::Written),
            Piece::Value(value) => Some(Supplied::Value(std::borrow::Cow::Borrowed(value))),
            Piece::Typed(typed) => Some(Supplied::Typed(&**typed)),
            Piece::Encoded { rows: Some(rows), .. } if !rows.are_all() => None,
            Piece::Encoded { bytes, shape, .. } => Some(Supplied::Encoded { bytes, shape }),
        }
    }
}

impl Given {
    /// Says of what is missing which rows are.
    fn parts_missing(&self, error: Error) -> Error {
        let Error::Missing { paths } = error else { return error };
        let paths = paths.into_iter().map(|path| match self.items.get(&path) {
            Some(Piece::Rows(rows) | Piece::Encoded { rows: Some(rows), .. }) => {
                rows.missing(&path)
            }
            _ => path,
        });
        Error::Missing { paths: paths.collect() }
    }
}

/// Has everything but params: to find out what a writer writes by itself.
struct Everything {
    params: Vec<(&'static str, i128)>,
}

impl Supply for Everything {
    fn param(&self, path: &str) -> Option<i128> {
        self.params.iter().find(|(known, _)| *known == path).map(|(_, value)| *value)
    }

    fn item(&self, _: &str) -> Option<Supplied<'_>> {
        Some(Supplied::Written)
    }
}

impl Writing {
    pub(super) fn put_param(&self, item: &Item, value: i128) -> Result<()> {
        self.shared.target.check_open()?;
        self.shared.given().params.insert(plain(item.path().to_owned()), value);
        Ok(())
    }

    pub(super) fn put_array<T: Element>(&self, item: &Item, view: ArrayViewD<'_, T>) -> Result<()> {
        let shared = &*self.shared;
        if !shared.placed {
            let owned = Box::new(crate::input::Owned::new(view));
            if let Ok(data) = item.data() {
                checked(item.path(), &*owned, data.dtype(), data.shape())
                    .map_err(|error| shared.of_params(error, &data))?;
            }
            return shared.keep(item, Piece::Typed(owned));
        }
        let Input::Typed(typed) = Input::elements(view) else { return Ok(()) };
        let data = item.data()?;
        let (primitive, order) = checked(item.path(), &*typed, data.dtype(), data.shape())
            .map_err(|error| shared.of_params(error, &data))?;
        let mut address = data.address();
        let encoded = typed.encode(primitive, order, &mut |block| {
            shared.target.put(address, block)?;
            address += block.len() as u64;
            Ok(())
        });
        encoded.map_err(|error| error.of_item(item.path()))?;
        shared.keep(item, Piece::Written)
    }

    pub(super) fn put_rows<T: Element>(
        &self,
        item: &Item,
        first: u64,
        view: ArrayViewD<'_, T>,
    ) -> Result<()> {
        let data = item.data()?;
        let (primitive, order) = data.primitive_of::<T>()?;
        let shape: Vec<u64> = view.shape().iter().map(|dim| *dim as u64).collect();
        let Input::Typed(typed) = Input::elements(view) else { return Ok(()) };
        self.put_part(item, &data, first, &shape, &mut |put| typed.encode(primitive, order, put))
    }

    pub(super) fn put_records<R: Record>(
        &self,
        item: &Item,
        first: Option<u64>,
        records: ArrayViewD<'_, R>,
    ) -> Result<()> {
        let data = item.data()?;
        let crate::Dtype::Record(record) = data.dtype() else {
            return Err(Error::Variable { path: item.path().into() });
        };
        if record.size != R::Bytes::LEN as u64 {
            return Err(Error::wrong_length(R::Bytes::LEN as u64, record.size).of_item(item.path()));
        }
        let constants = Constants::of(&data, record)?;
        let order = self.shared.plan.order();
        let shape: Vec<u64> = records.shape().iter().map(|dim| *dim as u64).collect();
        if first.is_none() {
            same_shape(item.path(), data.shape(), &shape)
                .map_err(|error| self.shared.of_params(error, &data))?;
        }
        let mut encode_to =
            |put: &mut dyn FnMut(&[u8]) -> Result<()>| encode(&records, order, &constants, put);
        if shape.is_empty() {
            return self.put_whole(item, &data, &mut encode_to);
        }
        self.put_part(item, &data, first.unwrap_or(0), &shape, &mut encode_to)
    }

    /// Writes rows of an array of fixed size from `first` on.
    fn put_part(
        &self,
        item: &Item,
        data: &Data,
        first: u64,
        shape: &[u64],
        encode: &mut dyn FnMut(&mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()>,
    ) -> Result<()> {
        let shared = &*self.shared;
        let (Some((all, inner)), Some((rows, found))) =
            (data.shape().split_first(), shape.split_first())
        else {
            return Err(Error::wrong_shape(item.path(), data.shape(), shape));
        };
        if inner != found {
            let expected: Vec<u64> = std::iter::once(*rows).chain(inner.iter().copied()).collect();
            let error = Error::wrong_shape(item.path(), &expected, shape);
            return Err(shared.of_params(error, data));
        }
        if first.checked_add(*rows).is_none_or(|end| end > *all) {
            let why = format!("rows {first} to {} of {all}", first.saturating_add(*rows));
            return Err(Error::BadSlice {
                item: crate::error::Item::new(item.path()),
                why: why.into(),
            });
        }
        let row = data.strides().first().copied().unwrap_or(0).unsigned_abs();
        let begin = first.saturating_mul(row);
        if !shared.placed {
            let mut bytes = Vec::new();
            encode(&mut |block| {
                bytes.extend_from_slice(block);
                Ok(())
            })?;
            return self.keep_part(item, data, (first, *rows), begin, &bytes);
        }
        let mut address = data.address() + begin;
        let written = encode(&mut |block| {
            shared.target.put(address, block)?;
            address += block.len() as u64;
            Ok(())
        });
        written.map_err(|error| error.of_item(item.path()))?;
        let mut given = shared.given();
        let piece = given.items.entry(item.path().to_owned());
        match piece.or_insert_with(|| Piece::Rows(Rows::new(*all))) {
            Piece::Rows(written) => written.add(first, *rows),
            other => *other = Piece::Written,
        }
        Ok(())
    }

    /// Keeps rows until the writer is finished.
    fn keep_part(
        &self,
        item: &Item,
        data: &Data,
        (first, count): (u64, u64),
        begin: u64,
        part: &[u8],
    ) -> Result<()> {
        let all = data.shape().first().copied().unwrap_or(1);
        let mut given = self.shared.given();
        let kept = given.items.entry(item.path().to_owned()).or_insert(Piece::Written);
        if !matches!(kept, Piece::Encoded { .. }) {
            let size = data.dtype().size().unwrap_or(0).saturating_mul(data.len()?);
            let bytes = crate::encode::zeros(size)?;
            let rows = Some(Rows::new(all));
            *kept = Piece::Encoded { bytes, shape: data.shape().to_vec(), rows };
        }
        if let Piece::Encoded { bytes, rows, .. } = kept {
            let begin = crate::error::to_usize(begin)?;
            if let Some(to) = bytes.get_mut(begin..begin.saturating_add(part.len())) {
                to.copy_from_slice(part);
            }
            if let Some(rows) = rows {
                rows.add(first, count);
            }
        }
        Ok(())
    }

    fn put_whole(
        &self,
        item: &Item,
        data: &Data,
        encode: &mut dyn FnMut(&mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()>,
    ) -> Result<()> {
        let mut bytes = Vec::new();
        encode(&mut |block| {
            bytes.extend_from_slice(block);
            Ok(())
        })?;
        self.put_bytes(item, data, bytes)
    }

    /// Writes all bytes of an item, or keeps them.
    fn put_bytes(&self, item: &Item, data: &Data, bytes: Vec<u8>) -> Result<()> {
        let shared = &*self.shared;
        if !shared.placed {
            let shape = data.shape().to_vec();
            return shared.keep(item, Piece::Encoded { bytes, shape, rows: None });
        }
        if bytes.len() as u64 != data.bytes() {
            return Err(Error::wrong_length(data.bytes(), bytes.len() as u64).of_item(item.path()));
        }
        shared.target.put(data.address(), &bytes).map_err(|error| error.of_item(item.path()))?;
        shared.keep(item, Piece::Written)
    }

    pub(super) fn put_value(&self, item: &Item, value: Value) -> Result<()> {
        let shared = &*self.shared;
        if !shared.placed {
            return shared.keep(item, Piece::Value(value));
        }
        let data = item.data()?;
        let encoder = Encoder {
            order: shared.plan.order(),
            filters: &shared.options.filters,
            param: &|_| None,
        };
        let bytes = shared.plan.with_resolver(|resolver| {
            encoder.fixed(resolver, item.path(), &value, data.dtype(), data.shape())
        });
        self.put_bytes(item, &data, bytes.map_err(|error| error.of_item(item.path()))?)
    }
}
