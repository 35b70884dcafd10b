//! The one writer of a stream that grows, through the types made from its layout.

use std::fmt;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;

use dudley_parser::layout::identity::identity;
use ndarray::{Dimension, Ix0, Ix1, RemoveAxis};

use super::reading::root;
use super::schema::{Schema, check_same};
use super::{
    Array, Handle, Instances, Kind, List, Reader, Record, Records, Scalar, Struct, Writable,
    Writing,
};
use crate::append;
use crate::create::record::NewRecord;
use crate::elements::element::Element;
use crate::elements::value::Value;
use crate::encode::input::Input;
use crate::error::{Error, Result};
use crate::filter::Registry;
use crate::read::stream::{Open, Stream};

/// The one writer of a stream that grows: [`append::Append`] for streams of a layout that was known when
/// the program was compiled.
///
/// ```
/// dudley::layout!(mod run = "NT : i8  hist = [/ t = f8  r = f8[3]]*NT");
///
/// # fn main() -> dudley::Result<()> {
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("run.bd");
/// run::Writer::create(&path, &run::Params { nt: 0 })?.finish()?;
///
/// let mut append = run::Append::open(&path)?;
/// let mut hist = append.grow(|run| run.hist())?;
/// for step in 0..10 {
///     hist.push_with(|record| {
///         record.t().write(0.5 * f64::from(step))?;
///         record.r().write(&dudley::ndarray::array![1.0, 2.0, 3.0])
///     })?;
/// }
/// hist.commit()?; // these ten are there after a crash
///
/// let run = run::Reader::open(&path)?;
/// assert_eq!((run.hist().len()?, run.hist().get(9)?.t().read()?), (10, 4.5));
/// # Ok(())
/// # }
/// ```
///
/// It can be a field of a struct of the program, which requests the list in each step: pushed records are
/// kept, and committed by [`Self::close`] at the latest.
///
/// ```
/// dudley::layout!(mod run = "NT : i8  hist = [/ t = f8]*NT");
///
/// struct Output {
///     append: run::Append,
/// }
///
/// impl Output {
///     fn step(&mut self, t: f64) -> dudley::Result<()> {
///         self.append.grow(|run| run.hist())?.push_with(|record| record.t().write(t))
///     }
/// }
///
/// # fn main() -> dudley::Result<()> {
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("run.bd");
/// run::Writer::create(&path, &run::Params { nt: 0 })?.finish()?;
/// let mut output = Output { append: run::Append::open(&path)? };
/// for step in 0..10 {
///     output.step(0.5 * f64::from(step))?;
/// }
/// output.append.close()?;
/// assert_eq!(run::Reader::open(&path)?.hist().len()?, 10);
/// # Ok(())
/// # }
/// ```
pub struct Append<S: Schema> {
    append: append::Append,
    /// The stream, with records to come, that was compared with the type last.
    checked: Option<Stream>,
    schema: PhantomData<fn() -> S>,
}

impl<S: Schema> Append<S> {
    /// Opens a native stream with its layout appended, and locks it against other writers. That layout
    /// must say the same of everything that the type has; it may have more.
    ///
    /// # Errors
    /// As [`append::Append::open`]; [`Error::OfFile`] with [`Error::Incompatible`] and the first difference.
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let append = append::Append::open(path)?;
        Self::of(append).map_err(|error| error.of_file(path))
    }

    /// From an appender that was opened in another way, such as one of a stream with a separate layout.
    ///
    /// # Errors
    /// [`Error::Incompatible`] with the first difference between its layout and the one of the type.
    pub fn of(append: append::Append) -> Result<Self> {
        check::<S>(append.stream(), append.registry())?;
        Ok(Self { append, checked: None, schema: PhantomData })
    }

    /// Appends records to a list or array of the root or of a dict in it, which the closure selects. Pushed,
    /// uncommitted records of the same list stay; the records of another list are committed.
    ///
    /// # Errors
    /// As [`append::Append::records`]; [`Error::Incompatible`] if the records of the stream do not have
    /// the type.
    pub fn grow<K: Grow>(
        &mut self,
        which: impl FnOnce(&S::Root<Writing>) -> K,
    ) -> Result<Growing<'_, K>> {
        let records = self.append.records(named::<S, K>(&self.append, which).path())?;
        if self
            .checked
            .as_ref()
            .is_none_or(|checked| !Arc::ptr_eq(&checked.inner, &records.ahead().inner))
        {
            check::<S>(records.ahead(), records.filters())?;
            self.checked = Some(records.ahead().clone());
        }
        Ok(Growing { records, spare: None, kind: PhantomData })
    }

    /// As [`Self::grow`], and the records own the appender: one field of a struct of the program holds both.
    ///
    /// # Errors
    /// As [`Self::grow`].
    pub fn into_growing<K: Grow>(
        self,
        which: impl FnOnce(&S::Root<Writing>) -> K,
    ) -> Result<Growing<'static, K>> {
        let item = named::<S, K>(&self.append, which);
        let records = self.append.into_records(item.path())?;
        check::<S>(records.ahead(), records.filters())?;
        Ok(Growing { records, spare: None, kind: PhantomData })
    }

    /// Cuts a list or array, which the closure names, back to its first this many records: as
    /// [`append::Append::truncate`].
    ///
    /// # Errors
    /// As [`append::Append::truncate`].
    pub fn truncate<K: Grow>(
        &mut self,
        which: impl FnOnce(&S::Root<Writing>) -> K,
        records: u64,
    ) -> Result<()> {
        let item = named::<S, K>(&self.append, which);
        self.append.truncate(item.path(), records)
    }

    /// The committed stream, for reading. Later commits do not change it.
    ///
    /// # Errors
    /// If opening it fails.
    pub fn reader(&self) -> Result<Reader<S>> {
        with_type::<S>(self.append.stream(), self.append.registry()).map(Reader::of_stream)
    }

    /// The untyped appender: to add layout text, to reserve room, to overwrite elements.
    pub fn untyped(&mut self) -> &mut append::Append {
        &mut self.append
    }

    /// As [`append::Append::close`]: commits pushed records.
    ///
    /// # Errors
    /// As [`append::Append::close`].
    pub fn close(self) -> Result<()> {
        self.append.close()
    }
}

impl<S: Schema> fmt::Debug for Append<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Append").field(self.append.stream()).finish()
    }
}

/// The list or array that a closure names. Nothing can be written through it.
fn named<S: Schema, K>(append: &append::Append, which: impl FnOnce(&S::Root<Writing>) -> K) -> K {
    let stream = append.stream();
    which(&root::<S, _>(stream, Writing::nothing(stream.clone())))
}

/// Checks that the layout of a stream says the same of everything that the type has.
fn check<S: Schema>(theirs: &Stream, filters: &Arc<Registry>) -> Result<()> {
    if identity(theirs.layout()) == S::known().hash() {
        Ok(())
    } else {
        check_same(&with_type::<S>(theirs, filters)?, theirs)
    }
}

/// A stream with the layout of the type, and the same values given.
fn with_type<S: Schema>(stream: &Stream, filters: &Arc<Registry>) -> Result<Stream> {
    let mut open = Open::new().layout(S::known().layout()?).filters(filters.clone());
    for (id, value) in &stream.given().params {
        open = open.param(stream.layout().param_path(*id), *value);
    }
    stream.reopen(open)
}

mod sealed {
    pub trait Sealed {}
}

/// An item that can grow by records, if its layout allows it: a list, an array, an array of records.
pub trait Grow: sealed::Sealed {
    /// Its path.
    fn path(&self) -> &str;
}

impl<K: Kind<Writing>> sealed::Sealed for List<K, Writing> {}
impl<K: Kind<Writing>> Grow for List<K, Writing> {
    fn path(&self) -> &str {
        self.path()
    }
}

impl<T: Element, D: Dimension> sealed::Sealed for Array<T, D, Writing> {}
impl<T: Element, D: Dimension> Grow for Array<T, D, Writing> {
    fn path(&self) -> &str {
        self.path()
    }
}

impl<R: Record, D: Dimension> sealed::Sealed for Records<R, D, Writing> {}
impl<R: Record, D: Dimension> Grow for Records<R, D, Writing> {
    fn path(&self) -> &str {
        self.path()
    }
}

impl<T: Struct, D: Dimension> sealed::Sealed for Instances<T, D, Writing> {}
impl<T: Struct, D: Dimension> Grow for Instances<T, D, Writing> {
    fn path(&self) -> &str {
        self.path()
    }
}

/// Records that are appended to a list or array of type `K`. Records that are uncommitted when this is dropped
/// stay in the [`Append`], as [`append::Records`] do.
pub struct Growing<'e, K> {
    records: append::Records<'e>,
    /// The last record that was put together: its memory serves the next one.
    spare: Option<Arc<NewRecord>>,
    kind: PhantomData<fn() -> K>,
}

impl<K> Growing<'_, K> {
    /// The number of records, uncommitted ones included.
    pub fn len(&self) -> u64 {
        self.records.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// Makes all records durable that were added, and seen by others: as [`append::Records::commit`].
    ///
    /// # Errors
    /// [`Error::Io`]; the stream must then be opened again.
    pub fn commit(&mut self) -> Result<()> {
        self.records.commit()
    }

    /// Commits the records, and closes the stream: as [`append::Records::close`].
    ///
    /// # Errors
    /// As [`append::Append::close`].
    pub fn close(self) -> Result<()> {
        self.records.close()
    }

    /// Forgets the records that were added and not committed.
    pub fn forget(self) {
        self.records.forget();
    }
}

impl<R: Record> Growing<'_, Records<R, Ix1, Writing>> {
    /// Adds a record.
    ///
    /// # Errors
    /// [`Error::Io`], and then the stream must be opened again.
    pub fn push(&mut self, record: &R) -> Result<()> {
        self.records.push_record(record)
    }

    /// Adds records: all of them, written together, or none.
    ///
    /// # Errors
    /// As [`Self::push`].
    pub fn push_many(&mut self, records: &[R]) -> Result<()> {
        self.records.push_records(records)
    }
}

impl<T: Struct> Growing<'_, Instances<T, Ix1, Writing>> {
    /// Adds a record.
    ///
    /// # Errors
    /// [`Error::WrongValue`], [`Error::WrongShape`] if an array in it does not have the length that params of the
    /// stream say; [`Error::Io`], and then the stream must be opened again.
    pub fn push(&mut self, record: &T) -> Result<()> {
        self.records.push_value(record.to_value())
    }

    /// Adds records: all of them, written together, or none.
    ///
    /// # Errors
    /// As [`Self::push`].
    pub fn push_many(&mut self, records: &[T]) -> Result<()> {
        self.records.push_values(Value::Array(records.iter().map(Struct::to_value).collect()))
    }
}

impl<R: Record> Growing<'_, List<Records<R, Ix0, Writing>, Writing>> {
    /// Adds a record.
    ///
    /// # Errors
    /// [`Error::Io`], and then the stream must be opened again.
    pub fn push(&mut self, record: &R) -> Result<()> {
        self.records.push_record(record)
    }

    /// Adds records: all of them, written together, or none.
    ///
    /// # Errors
    /// As [`Self::push`].
    pub fn push_many(&mut self, records: &[R]) -> Result<()> {
        self.records.push_records(records)
    }
}

impl<T: Element> Growing<'_, List<Scalar<T, Writing>, Writing>> {
    /// Adds an element.
    ///
    /// # Errors
    /// [`Error::Io`], and then the stream must be opened again.
    pub fn push(&mut self, element: T) -> Result<()> {
        self.records.push_value(Input::elements(ndarray::arr0(element).view().into_dyn()))
    }

    /// Adds elements: all of them, written together, or none.
    ///
    /// # Errors
    /// As [`Self::push`].
    pub fn push_many(&mut self, elements: &[T]) -> Result<()> {
        self.records.push_values(elements)
    }
}

impl<T: Element, D: RemoveAxis> Growing<'_, Array<T, D, Writing>> {
    /// Adds one index of the first dimension: `&arr0(x)` to an array of one dimension.
    ///
    /// # Errors
    /// [`Error::WrongShape`]; [`Error::Io`], and then the stream must be opened again.
    pub fn push_row<E: Writable<T, D::Smaller> + ?Sized>(&mut self, row: &E) -> Result<()> {
        self.records.push_value(Input::elements(row.as_array().into_dyn()))
    }

    /// Adds several indices of the first dimension: all of them, written together, or none.
    ///
    /// # Errors
    /// As [`Self::push_row`].
    pub fn push_rows<E: Writable<T, D> + ?Sized>(&mut self, rows: &E) -> Result<()> {
        self.records.push_values(Input::elements(rows.as_array().into_dyn()))
    }
}

impl<K: Kind<Writing>> Growing<'_, List<K, Writing>> {
    /// Adds many records: of each part, by its name, an array of one for each record. All of them are
    /// added, or none, as [`append::Records::push_many`] does it.
    ///
    /// # Errors
    /// As [`append::Records::push_many`].
    pub fn push_columns(&mut self, parts: &[(&str, Input<'_>)]) -> Result<()> {
        self.records.push_many(parts)
    }

    /// Adds a record, of which the closure writes all items. Nothing is added where it fails, or where
    /// items are missing.
    ///
    /// # Errors
    /// If the closure fails; [`Error::Missing`]; [`Error::CannotGrow`] for a list whose records are
    /// several items each, which [`append::Records::push`] takes by names. [`Error::Io`], and then the
    /// stream must be opened again.
    pub fn push_with(&mut self, fill: impl FnOnce(&K) -> Result<()>) -> Result<()> {
        let mut record = self.next_record()?;
        fill(&K::of(Handle::of_record(record.clone())))?;
        let Some(own) = Arc::get_mut(&mut record) else {
            // An item of it is still held.
            return record.complete(|bytes| self.records.push_bytes(bytes));
        };
        own.complete_own(|bytes| self.records.push_bytes(bytes))?;
        if own.renew(|blank| self.records.renew(blank)) {
            self.spare = Some(record);
        }
        Ok(())
    }

    /// A record to be put together, in the memory of the last one.
    fn next_record(&mut self) -> Result<Arc<NewRecord>> {
        if let Some(mut record) = self.spare.take()
            && (self.records.is_next(record.blank())
                || Arc::get_mut(&mut record)
                    .is_some_and(|spare| spare.renew(|blank| self.records.renew(blank))))
        {
            return Ok(record);
        }
        let Some(blank) = self.records.blank() else {
            let why = "a record of it is several items: push it by names".into();
            return Err(Error::CannotGrow { path: self.records.path().into(), why });
        };
        Ok(Arc::new(NewRecord::new(blank)))
    }
}

impl<K> fmt::Debug for Growing<'_, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Growing").field("len", &self.len()).finish_non_exhaustive()
    }
}
