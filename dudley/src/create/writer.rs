//! A stream that is filled by paths: items, slices of them, rows of lists.

use std::fmt;

use super::coverage::Coverage;
use super::given::{Given, Piece};
use super::summed::Checksum;
use super::writing::{Writing, collect};
use crate::elements::value::Value;
use crate::encode::input::Input;
use crate::error::{Error, Result};
use crate::read::item::{Item, ItemKind, follow_from};
use crate::read::path::{Part, join, join_index, parse};
use crate::read::stream::Stream;

/// Writes a stream that was [created](super::Create) from a layout and params. Items can be written in any order and
/// from many threads; nothing of a file is seen before [`Self::finish`], and nothing is left where that was not done.
///
/// ```
/// let writer = dudley::create::Create::text("x = u1[4]")?.memory()?;
/// writer.write("/x[:2]", &[1_u8, 2])?;
/// writer.write("/x[2:]", &[3_u8, 4])?;
/// assert_eq!(writer.finish_bytes()?[16..20], [1, 2, 3, 4]);
/// # Ok::<(), dudley::Error>(())
/// ```
#[must_use = "nothing appears before the writer is finished"]
pub struct Writer {
    pub(crate) writing: Writing,
}

impl Writer {
    pub(super) fn new(writing: Writing) -> Writer {
        Writer { writing }
    }

    /// The stream before it is written: the places, types and shapes of all items that the params place. It has no
    /// bytes.
    ///
    /// ```
    /// let writer = dudley::create::Create::text("x = u1[4]")?.memory()?;
    /// assert_eq!(writer.plan().get("/x")?.shape()?, [4]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn plan(&self) -> &Stream {
        self.writing.plan()
    }

    /// An item of [the plan](Self::plan), by its path.
    ///
    /// ```
    /// let writer = dudley::create::Create::text("x = u1[4]")?.memory()?;
    /// assert_eq!(writer.get("/x")?.address()?, 16);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Stream::get`].
    pub fn get(&self, path: &str) -> Result<Item> {
        self.plan().get(path)
    }

    /// Writes an item, or a part of one. `path` is that of
    ///
    /// - an item: a number, a text, a slice, an `ndarray` array or view, a [`Value`], bytes of a type ([`Input::bytes`]);
    /// - a slice of one, `/rho[10:20, ::2]`, of which the input has the shape;
    /// - items of a list, `/hist[10:20]/t` or `/hist[2]/u[:, 0]`; the slice adds dimensions in front;
    /// - a dict or a list, of which a value has the items: a struct, an array;
    /// - a param of a dict in a list, `/hist/2/:n`.
    ///
    /// Elements with a known place are written at once. Encoded elements, fields strided through records, and items
    /// behind others of variable size stay in memory until the writer is finished. If an element is written twice,
    /// the last value counts.
    ///
    /// # Errors
    /// [`Error::BadPath`], [`Error::NoSuchItem`], [`Error::BadSlice`]; [`Error::WrongShape`], [`Error::WrongInput`],
    /// [`Error::WrongValue`], [`Error::NotPrimitive`]; [`Error::NotInPlace`] for a field of records;
    /// [`Error::Finished`]; [`Error::Io`].
    ///
    /// ```
    /// use dudley::create::Create;
    /// use dudley::ndarray::array;
    ///
    /// let writer = Create::text("x = f8[2, 3]  l = [i4]*4  name = S1[4]")?.memory()?;
    /// writer.write("/x[:, 2]", &[5.0, 6.0])?;
    /// writer.write("/x[:, :2]", &array![[1.0, 2.0], [3.0, 4.0]])?;
    /// writer.write("/l[::2]", &[10, 30])?;
    /// writer.write("/l[1::2]", &[20, 40])?;
    /// writer.write("/name", "blob")?;
    /// let error = writer.write("/x[0]", &[1_i32, 2, 3]).expect_err("of another type");
    /// assert!(error.to_string().starts_with("`/x`: expected elements of type `f8`"));
    /// let stream = dudley::Open::new().bytes(writer.finish_bytes()?)?;
    /// assert_eq!(stream.get("/x")?.read::<f64>()?, array![[1.0, 2.0, 5.0], [3.0, 4.0, 6.0]].into_dyn());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn write<'a>(&self, path: &str, input: impl Into<Input<'a>>) -> Result<()> {
        self.put(path, &input.into())
    }

    fn put(&self, path: &str, input: &Input<'_>) -> Result<()> {
        let parts = parse(path)?;
        let (item, rest) = follow_from(self.plan().root(), path, &parts)?;
        match (item.kind(), rest) {
            (ItemKind::Param, []) => self.put_param(&item, input),
            (ItemKind::Data, []) => self.put_item(&item, input),
            (ItemKind::Dict | ItemKind::List, []) => self.put_members(&item, input),
            _ => self.writing.put_slices(path, item, rest, input),
        }
    }

    fn put_item(&self, item: &Item, input: &Input<'_>) -> Result<()> {
        match input {
            Input::Typed(typed) => self.writing.put_typed(item, &**typed),
            Input::Value(value) => self.writing.put_value(item, value.clone()),
            Input::Rows(rows) => {
                let dtype = item.element_dtype()?;
                self.writing.put_encoded(item, rows.shape(), &mut |put| {
                    self.writing.encode_rows(item, &**rows, &dtype, put)
                })
            }
        }
    }

    fn put_param(&self, item: &Item, input: &Input<'_>) -> Result<()> {
        let number = integer(input).ok_or_else(|| Error::WrongValue {
            item: crate::error::Item::new(item.path()),
            expected: "one integer, as params are".into(),
            found: "something else".into(),
        })?;
        // Of dicts that occur once all params are known; another value would move what is written.
        match item.param_value() {
            Ok(known) if i128::from(known) != number => Err(Error::WrongValue {
                item: crate::error::Item::new(item.path()),
                expected: format!("{known}, by which everything was placed").into(),
                found: number.to_string().into(),
            }),
            _ => self.writing.put_param(item, number),
        }
    }

    /// Writes the items of a dict or list, which a value has.
    fn put_members(&self, item: &Item, input: &Input<'_>) -> Result<()> {
        let fault = |expected: &str, found: &str| Error::WrongValue {
            item: crate::error::Item::new(item.path()),
            expected: expected.into(),
            found: found.into(),
        };
        match (item.kind(), input) {
            (ItemKind::Dict, Input::Value(Value::Struct(fields))) => {
                for (name, value) in fields {
                    self.put(&join(item.path(), name), &Input::Value(value.clone()))?;
                }
                Ok(())
            }
            (ItemKind::List, Input::Value(Value::Array(items))) => {
                let length = item.len()?;
                if items.len() as u64 != length {
                    return Err(Error::wrong_shape(item.path(), &[length], &[items.len() as u64]));
                }
                for (at, value) in items.iter().enumerate() {
                    let path = join_index(item.path(), at as u64);
                    self.put(&path, &Input::Value(value.clone()))?;
                }
                Ok(())
            }
            // A list of items that are elements: all of them.
            (ItemKind::List, _) => {
                let all = [Part::Slice(vec![crate::read::slice::Index::Ellipsis])];
                self.writing.put_slices(item.path(), item.clone(), &all, input)
            }
            (_, Input::Value(value)) => Err(fault("a struct with its items", value.kind())),
            _ => Err(fault("a struct with its items", "an array")),
        }
    }

    /// The written elements: one process reports them to the process that finishes a [shared](super::Create::shared)
    /// file. Call [`Self::sync`] before, so that the reported elements are durable.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let create = dudley::create::Create::text("x = u1[4]")?;
    /// let (first, second) = (create.shared(&path)?, create.join(&path)?);
    /// first.write("/x[:2]", &[1_u8, 2])?;
    /// second.write("/x[2:]", &[3_u8, 4])?;
    /// second.sync()?;
    /// first.cover(&second.coverage())?;
    /// first.finish()?;
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn coverage(&self) -> Coverage {
        let mut coverage = Coverage::of(self.writing.shared().target.pieces());
        for (path, piece) in &self.writing.shared().given().items {
            match piece {
                Piece::Written => coverage.push_whole(path),
                Piece::Parts(parts) => coverage.push(path, parts),
                Piece::Value(_) | Piece::Encoded { .. } => {}
            }
        }
        coverage
    }

    /// Marks elements as written that another process has written.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let create = dudley::create::Create::text("x = u1[4]")?;
    /// let (first, second) = (create.shared(&path)?, create.join(&path)?);
    /// second.write("/x", &[1_u8, 2, 3, 4])?;
    /// first.cover(&second.coverage())?;
    /// first.finish()?; // all elements are there
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoSuchItem`] and [`Error::BadSlice`] if the stream does not have them.
    pub fn cover(&self, other: &Coverage) -> Result<()> {
        for (path, _) in other.items() {
            self.get(path)?;
        }
        self.cover_known(other)
    }

    /// As [`Self::cover`], of a process that writes the same stream for sure.
    ///
    /// # Errors
    /// As that.
    pub(crate) fn cover_known(&self, other: &Coverage) -> Result<()> {
        self.writing.shared().target.join(other.pieces);
        for (path, ranges) in other.items() {
            let shared = self.writing.shared();
            let is_whole = |given: &Given| matches!(given.items.get(path), Some(Piece::Written));
            let Some(ranges) = ranges else {
                shared.given().items.insert(path.to_owned(), Piece::Written);
                continue;
            };
            if is_whole(&shared.given()) {
                continue;
            }
            let whole = shared.whole(&self.get(path)?)?;
            shared.given().cover(path, &whole.shape, |parts| {
                let add = |range: &std::ops::Range<u64>| parts.add_range(range.start, range.end);
                ranges.iter().try_for_each(add).map_err(|error| error.of_item(path))
            })?;
        }
        Ok(())
    }

    /// Marks elements as written that other code has written to their places: an item, a slice of one, items of a
    /// list.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let writer = dudley::create::Create::text("x = u1[4]")?.shared(&path)?;
    /// writer.write("/x[:2]", &[1_u8, 2])?;
    /// writer.mark_written("/x[2:]")?; // by other code, into the file
    /// writer.finish()?;
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::write`], except errors of the input; [`Error::NotInPlace`] for an item without a place yet.
    pub fn mark_written(&self, path: &str) -> Result<()> {
        self.writing.shared().target.forget();
        self.mark(path)
    }

    /// As [`Self::mark_written`], of elements that are in the checksum.
    pub(crate) fn mark(&self, path: &str) -> Result<()> {
        let parts = parse(path)?;
        let (item, rest) = follow_from(self.plan().root(), path, &parts)?;
        self.writing.mark(path, item, rest)
    }

    /// Makes everything durable that was written to a file in place. The stream stays unfinished.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let writer = dudley::create::Create::text("x = u1[4]")?.shared(&path)?;
    /// writer.write("/x", &[1_u8, 2, 3, 4])?;
    /// writer.sync()?;
    /// assert!(dudley::Stream::open(&path).is_err()); // it is not finished
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Finished`].
    pub fn sync(&self) -> Result<()> {
        self.writing.shared().target.sync()
    }

    /// Completes the stream, and makes a file appear. In a file that is written in place, everything is durable
    /// before the signature marks it as finished. After an error you can write missing items and finish again.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let writer = dudley::create::Create::text("x = u1[4]")?.file(&path)?;
    /// assert!(writer.finish().is_err()); // `/x` is missing
    /// writer.write("/x", &[1_u8, 2, 3, 4])?;
    /// writer.finish()?;
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Missing`] with all missing elements, as slices; if a write fails; [`Error::Finished`].
    pub fn finish(&self) -> Result<()> {
        self.writing.finish()
    }

    /// The length and the CRC-32C of the finished file, if the writer was [asked for it](super::Create::checksum): computed while
    /// the file was written. `None` if that is not known and the file must be read for it: if elements were written twice,
    /// or by [other code](Self::mark_written), or items share bytes.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let create = dudley::create::Create::text("x = u1[4]")?.checksum(true);
    /// let writer = create.file(&path)?;
    /// writer.write("/x", &[1_u8, 2, 3, 4])?;
    /// writer.finish()?;
    /// assert!(writer.checksum().is_some());
    /// let again = create.overwrite(true).file(&path)?;
    /// again.write("/x", &[1_u8, 2, 3, 4])?;
    /// again.write("/x[0]", 5_u8)?;
    /// again.finish()?;
    /// assert!(again.checksum().is_none());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn checksum(&self) -> Option<Checksum> {
        self.writing.shared().target.checksum()
    }

    /// Completes a stream in memory.
    ///
    /// ```
    /// let writer = dudley::create::Create::text("x = u1[4]")?.memory()?;
    /// writer.write("/x", &[1_u8, 2, 3, 4])?;
    /// assert_eq!(dudley::Open::new().bytes(writer.finish_bytes()?)?.get("/x")?.read::<u8>()?.sum(), 10);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::finish`]; [`Error::Finished`] if it is not in memory, or was finished before.
    pub fn finish_bytes(&self) -> Result<Vec<u8>> {
        self.finish()?;
        self.writing.take_bytes()
    }

    /// Ends the writer without a stream: no new file remains, and an existing file stays as it was. A stream that was
    /// written in place stays unfinished; a shared file is removed if this writer created it. Nothing more can be
    /// written.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("x.bd");
    /// let writer = dudley::create::Create::text("x = f8")?.file(&path)?;
    /// writer.write("/x", 1.0)?;
    /// writer.abort();
    /// assert!(writer.write("/x", 1.0).is_err());
    /// assert_eq!(std::fs::read_dir(folder.path())?.count(), 0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn abort(&self) {
        self.writing.shared().target.abort();
    }
}

impl fmt::Debug for Writer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Writer").field(&self.writing).finish()
    }
}

/// The one integer that is given.
fn integer(input: &Input<'_>) -> Option<i128> {
    use dudley_parser::layout::dtype::{ByteOrder, Primitive};
    match input {
        Input::Value(Value::Int(value)) => Some(*value),
        Input::Typed(typed) if typed.shape().iter().all(|dim| *dim == 1) => {
            let integers = [
                Primitive::I8,
                Primitive::U8,
                Primitive::I4,
                Primitive::U4,
                Primitive::I2,
                Primitive::U2,
                Primitive::I1,
                Primitive::U1,
            ];
            // Of those that the elements can be, the first that has the value.
            integers.into_iter().filter(|of| typed.check(*of).is_ok()).find_map(|of| {
                let bytes = collect(&mut |put| typed.encode(of, ByteOrder::Little, put)).ok()?;
                Some(crate::elements::number::integer(&bytes, of, ByteOrder::Little))
            })
        }
        _ => None,
    }
}
