//! Records that are appended one by one to a list or array whose length is a param of the stream.
//!
//! They go behind the data, into free room before the layout. A commit makes them durable, then
//! overwrites their number and makes that durable. It does not touch the layout, which moves only
//! when the room is used up; the next room grows with the stream.
//!
//! Records that were pushed and not committed stay with the appender. Asking for the same list
//! again continues with them; any other use of the appender commits them first.

use std::ops::{Deref, DerefMut, Range};
use std::sync::Arc;

use dudley_parser::place;

use super::Append;
use super::plan::{Leaf, Plan, Shape};
use crate::bytes::signature::LEN;
use crate::elements::value::Value;
use crate::encode::input::{Input, Typed};
use crate::encode::pass::{checked, same_shape};
use crate::encode::values::Encoder;
use crate::error::{Error, Item, Result};
use crate::filter::Registry;
use crate::read::dtype::Dtype;
use crate::read::stream::Stream;
use crate::write::attached_text;

/// The room that is made when there is none: at least this many bytes, and at most.
const ROOM: (u64, u64) = (4 << 10, 1 << 30);

/// With less data than this the room is as long as that, with more half as long.
const SMALL: u64 = 64 << 10;

/// Records that are appended to a list or array. If this is dropped, the [`Append`] keeps
/// uncommitted records: [`Append::records`] of the same path continues with them, and any other use
/// of the appender, [`Append::close`] too, commits them first. So an appender can be a field of a
/// struct, which asks it for the records whenever it pushes one. An appender that is dropped
/// without being closed, by `?` or a panic, commits them too, but cannot report a failure.
/// [`Self::forget`] drops them.
///
/// ```
/// use dudley::append::Append;
/// use dudley::{Stream, Writer, parse_layout};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let path = folder.path().join("run.bd");
/// let layout = parse_layout(b"NT : i8  hist = [/ t = f8  r = f8[3]]*NT")?;
/// Writer::new(layout).param("/NT", 0).attach(true).write_file(&path, false)?;
///
/// let mut append = Append::open(&path)?;
/// let mut hist = append.records("/hist")?;
/// for step in 0..10 {
///     hist.push(&[("t", (0.5 * f64::from(step)).into()), ("r", (&[1.0, 2.0, 3.0]).into())])?;
/// }
/// hist.commit()?; // these ten are there after a crash
///
/// let stream = Stream::open(&path)?;
/// assert_eq!(stream.get("/hist")?.len()?, 10);
/// assert_eq!(stream.get("/hist/9/t")?.data()?.scalar::<f64>()?, 4.5);
/// # Ok::<(), dudley::Error>(())
/// ```
pub struct Records<'e> {
    pub(super) append: Appender<'e>,
    pub(super) plan: Arc<Plan>,
    /// Records that were added, those not committed included.
    pub(super) added: u64,
    committed: u64,
    /// Where the data ends that is committed.
    end: u64,
    /// Where the layout stood then.
    before: Option<Range<u64>>,
    pub(super) room: Vec<u8>,
    /// Whether something was committed that the stream of the appender does not have yet.
    is_ahead: bool,
}

/// The appender of [`Records`]: of the caller, or their own.
pub(super) enum Appender<'e> {
    Borrowed(&'e mut Append),
    Owned(Box<Append>),
}

impl Deref for Appender<'_> {
    type Target = Append;

    fn deref(&self) -> &Append {
        match self {
            Appender::Borrowed(append) => append,
            Appender::Owned(append) => append,
        }
    }
}

impl DerefMut for Appender<'_> {
    fn deref_mut(&mut self) -> &mut Append {
        match self {
            Appender::Borrowed(append) => append,
            Appender::Owned(append) => append,
        }
    }
}

/// What an appender keeps of [`Records`] of which some are not committed.
pub(super) struct Pushed {
    plan: Arc<Plan>,
    added: u64,
    committed: u64,
    end: u64,
    before: Option<Range<u64>>,
}

impl Append {
    /// Appends records to a list or array, by its path: to a list whose last repeat is a param, or
    /// to an array whose first dimension is one (or to the records that it is a member of, if those
    /// stand for items of their dict). The param must be stored in the stream, and nothing else may
    /// depend on it. The list or array must be the last item of the stream, because data never
    /// moves.
    ///
    /// Continues with uncommitted records of the same path, and commits the records of another
    /// path.
    ///
    /// # Errors
    /// [`Error::CannotGrow`], also if data would have to move; [`Error::Undescribed`];
    /// [`Error::LengthDecides`]; [`Error::Io`] if records of another path cannot be committed.
    ///
    /// ```
    /// use dudley::append::Append;
    /// use dudley::create::Create;
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("history.bd");
    /// Create::text("NT : i8  t = f8[NT]")?.param("NT", 0).file(&path)?.finish()?;
    /// let mut append = Append::open(&path)?;
    /// for step in 0..3 {
    ///     append.records("/t")?.push_value(0.5 * f64::from(step))?;
    /// }
    /// append.close()?; // commits the records
    /// assert_eq!(dudley::Stream::open(&path)?.get("/t")?.read::<f64>()?.sum(), 1.5);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn records(&mut self, path: &str) -> Result<Records<'_>> {
        let pushed = self.begin_records(path)?;
        Ok(Records::of(Appender::Borrowed(self), pushed))
    }

    /// As [`Self::records`], which own the appender: one field of a struct of the program holds both.
    /// [`Records::close`] says whether all of it is there.
    ///
    /// ```
    /// use dudley::append::{Append, Records};
    /// use dudley::{Stream, Writer, parse_layout};
    ///
    /// struct History(Records<'static>);
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let layout = parse_layout(b"NT : i8  time = f8[NT]")?;
    /// Writer::new(layout).param("/NT", 0).attach(true).write_file(&path, false)?;
    ///
    /// let mut history = History(Append::open(&path)?.into_records("/time")?);
    /// for step in 0..10 {
    ///     history.0.push_value(0.5 * f64::from(step))?;
    /// }
    /// history.0.close()?;
    /// assert_eq!(Stream::open(&path)?.get("/time")?.read::<f64>()?.len(), 10);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::records`].
    pub fn into_records(mut self, path: &str) -> Result<Records<'static>> {
        let pushed = self.begin_records(path)?;
        Ok(Records::of(Appender::Owned(Box::new(self)), pushed))
    }

    fn begin_records(&mut self, path: &str) -> Result<Pushed> {
        // As it is written in full: `hist` is `/hist`.
        let path = self.stream.get(path)?.path().to_owned();
        if let Some(pushed) = self.pushed.take_if(|pushed| pushed.plan.path == path) {
            return Ok(pushed);
        }
        self.commit_pushed()?;
        self.planned(&self.stream.inner.layout)?;
        let plan = Arc::new(Plan::new(self, &path)?);
        let (end, before) = (self.place.end(), self.place.text());
        Ok(Pushed { plan, added: 0, committed: 0, end, before })
    }

    /// What encoding parts of records needs to know.
    pub(super) fn filling<'c>(&'c self, path: &'c str) -> Filling<'c> {
        Filling { stream: &self.stream, filters: &self.filters, path }
    }

    /// Commits records that were pushed and not committed.
    ///
    /// # Errors
    /// As [`Records::commit`].
    pub(super) fn commit_pushed(&mut self) -> Result<()> {
        match self.pushed.take() {
            Some(pushed) => Records::of(Appender::Borrowed(self), pushed).commit(),
            None => Ok(()),
        }
    }
}

impl<'e> Records<'e> {
    fn of(append: Appender<'e>, pushed: Pushed) -> Records<'e> {
        let Pushed { plan, added, committed, end, before } = pushed;
        Records { append, plan, added, committed, end, before, room: Vec::new(), is_ahead: false }
    }
}

impl Records<'_> {
    /// The number of records, uncommitted ones included.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let mut append = dudley::append::Append::open(&path)?;
    /// let mut records = append.records("/t")?;
    /// records.push_value(0.5)?;
    /// assert_eq!(records.len(), 1);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn len(&self) -> u64 {
        self.plan.count.value.saturating_add(self.added)
    }

    /// Whether it is empty.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let mut append = dudley::append::Append::open(&path)?;
    /// assert!(append.records("/t")?.is_empty());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The names of the parts of a record, as [`Self::push`] takes them; empty for a record that is one
    /// item.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let create = dudley::create::Create::text("N : i8  hist = [/ t = f8  n = i4]*N")?.param("N", 0);
    /// create.file(&path)?.finish()?;
    /// let mut append = dudley::append::Append::open(&path)?;
    /// assert_eq!(append.records("/hist")?.names().collect::<Vec<_>>(), ["t", "n"]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let shape = self.plan.shape(self.added);
        shape.leaves.iter().filter(|leaf| leaf.stated.is_none()).map(|leaf| leaf.name.as_str())
    }

    /// The number of items of the list in a record: 2 for `[f8, i1]*N`, and 1 for an array.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let create = dudley::create::Create::text("N : i8  hist = [/ t = f8  n = i4]*N")?.param("N", 0);
    /// create.file(&path)?.finish()?;
    /// let mut append = dudley::append::Append::open(&path)?;
    /// assert_eq!(append.records("/hist")?.items_each(), 1);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn items_each(&self) -> u64 {
        self.plan.items_each
    }

    /// Adds a record by the names of all its parts: `t`, or `pos/x` for a nested one. The next
    /// [`Self::commit`] makes it durable and visible to others.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let create = dudley::create::Create::text("N : i8  hist = [/ t = f8  n = i4]*N")?.param("N", 0);
    /// create.file(&path)?.finish()?;
    /// let mut append = dudley::append::Append::open(&path)?;
    /// append.records("/hist")?.push(&[("t", 0.5.into()), ("n", 7.into())])?;
    /// append.close()?;
    /// assert_eq!(dudley::Stream::open(&path)?.get("/hist/0/n")?.scalar::<i32>()?, 7);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Missing`], [`Error::Unused`]; [`Error::WrongShape`], [`Error::WrongInput`],
    /// [`Error::WrongValue`]; [`Error::Io`], and then the stream must be opened again. After any other
    /// error the record was not added.
    pub fn push(&mut self, parts: &[(&str, Input<'_>)]) -> Result<()> {
        let (start, shape) = self.plan.record(self.added)?;
        self.room.clear();
        self.room.extend_from_slice(&shape.template);
        let context = self.append.filling(&self.plan.path);
        let (mut given, mut in_order) = (0, true);
        for leaf in &shape.leaves {
            // Most give the parts as the layout has them.
            let next = parts.get(given).filter(|(name, _)| *name == leaf.name);
            in_order &= next.is_some() || leaf.stated.is_some() || leaf.name.is_empty();
            let found = next.or_else(|| parts.iter().find(|(name, _)| *name == leaf.name));
            if let Some((_, input)) = found {
                given += 1;
                context.fill(leaf, input, &mut self.room)?;
            }
        }
        if !in_order || given != parts.len() {
            check_parts(&self.plan.path, shape, parts, given)?;
        }
        self.add(start, 1)
    }

    /// Adds a whole record: the elements of an array of numbers, a struct with the names of all
    /// parts, or an array of the items of a list.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let mut append = dudley::append::Append::open(&path)?;
    /// let mut records = append.records("/t")?;
    /// records.push_value(0.5)?;
    /// records.push_value(1.5)?;
    /// records.commit()?;
    /// assert_eq!(dudley::Stream::open(&path)?.get("/t")?.read::<f64>()?.sum(), 2.0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::push`].
    pub fn push_value<'a>(&mut self, record: impl Into<Input<'a>>) -> Result<()> {
        let record = record.into();
        let (start, shape) = self.plan.record(self.added)?;
        self.room.clear();
        self.room.extend_from_slice(&shape.template);
        let context = self.append.filling(&self.plan.path);
        match (shape.leaves.iter().find(|leaf| leaf.name.is_empty()), record) {
            (Some(whole), record) => context.fill(whole, &record, &mut self.room)?,
            (None, Input::Value(value)) if takes_parts(shape, &value) => {
                let mut parts = Vec::new();
                flatten(shape, String::new(), value, &mut parts);
                let parts: Vec<(&str, Input<'_>)> = parts
                    .iter()
                    .map(|(name, value)| (name.as_str(), value.clone().into()))
                    .collect();
                return self.push(&parts);
            }
            (None, _) => return Err(self.not_whole()),
        }
        self.add(start, 1)
    }

    /// That a record is no array, and was given as one.
    pub(super) fn not_whole(&self) -> Error {
        let names: Vec<&str> = self.names().collect();
        Error::WrongValue {
            item: Item::new(self.plan.path.as_str()),
            expected: format!("a struct of {}", names.join(", ")).into(),
            found: "elements".into(),
        }
    }

    /// Puts the records in the room behind the others.
    pub(super) fn add(&mut self, start: u64, more: u64) -> Result<()> {
        let (least, greatest) = self.plan.count.range();
        let count = i128::from(self.len()) + i128::from(more);
        if count > greatest {
            return Err(Error::WrongValue {
                item: Item::new(self.plan.path.as_str()),
                expected: format!("{least} to {greatest} records").into(),
                found: count.to_string().into(),
            });
        }
        let end = place::add(start, self.room.len() as u64);
        let end = end.ok_or_else(|| Error::too_large(u64::MAX))?;
        self.make_room(end)?;
        self.append.place.add(start, &self.room)?;
        self.added += more;
        Ok(())
    }

    /// Moves the layout away if the data would reach into it.
    fn make_room(&mut self, end: u64) -> Result<()> {
        let append = &mut *self.append;
        if append.place.text().is_none_or(|text| end <= text.start) {
            return Ok(());
        }
        let text = attached_text(append.layout());
        let data = end - LEN;
        let room = (data / 2).max(data.min(SMALL)).clamp(ROOM.0, ROOM.1);
        // To write the text again costs no more then than the records that fill the room.
        let room = room.max(text.len() as u64).max(append.reserve);
        let at = place::add(end, room).and_then(|at| place::align_up(at, 8));
        append.place.attach(at.ok_or_else(|| Error::too_large(u64::MAX))?, true, &text, &text)
    }

    /// Makes all pushed records durable, and then their number. After that, readers see them, and
    /// they survive a crash.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let mut append = dudley::append::Append::open(&path)?;
    /// let mut records = append.records("/t")?;
    /// records.push_value(0.5)?;
    /// assert_eq!(dudley::Stream::open(&path)?.get("/t")?.shape()?, [0]);
    /// records.commit()?;
    /// assert_eq!(dudley::Stream::open(&path)?.get("/t")?.shape()?, [1]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Io`]; the stream must then be opened again.
    pub fn commit(&mut self) -> Result<()> {
        if self.added == self.committed {
            return Ok(());
        }
        let count = self.len();
        self.plan.count.commit(&mut self.append.place, count)?;
        self.committed = self.added;
        self.end = self.append.place.end();
        self.before = self.append.place.text();
        self.is_ahead = true;
        Ok(())
    }

    /// Commits the records, and closes the stream as [`Append::close`] does, without free room
    /// before the layout.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let append = dudley::append::Append::open(&path)?;
    /// let mut records = append.into_records("/t")?;
    /// records.push_value(0.5)?;
    /// records.close()?;
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Append::close`].
    pub fn close(mut self) -> Result<()> {
        self.commit()?;
        self.append.give_back_reserve()
    }

    /// Drops the uncommitted records.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// # let create = dudley::create::Create::text("N : i8  t = f8[N]")?.param("N", 0);
    /// # create.file(&path)?.finish()?;
    /// let mut append = dudley::append::Append::open(&path)?;
    /// let mut records = append.records("/t")?;
    /// records.push_value(0.5)?;
    /// records.forget();
    /// append.close()?;
    /// assert_eq!(dudley::Stream::open(&path)?.get("/t")?.shape()?, [0]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn forget(mut self) {
        self.append.place.forget(self.end);
        self.added = self.committed;
    }
}

impl Drop for Records<'_> {
    /// Records that were not committed are left to the appender.
    fn drop(&mut self) {
        if self.append.place.has_failed() {
            self.append.place.forget(self.end);
            let text = attached_text(self.append.layout());
            self.append.place.give_back(self.before.clone(), self.end, &text);
        }
        if self.added > self.committed {
            // After a failure too: then it is said when they are to be committed.
            self.append.pushed = Some(Pushed {
                plan: self.plan.clone(),
                added: self.added,
                committed: self.committed,
                end: self.end,
                before: self.before.take(),
            });
        }
        if self.is_ahead {
            // If it cannot be read now it stays as it was when it was read last, which is valid.
            let layout = self.append.stream.inner.layout.clone();
            let _ = self.append.renew(layout);
        }
    }
}

/// What encoding a part needs to know.
pub(super) struct Filling<'c> {
    pub(super) stream: &'c Stream,
    pub(super) filters: &'c Registry,
    pub(super) path: &'c str,
}

impl Filling<'_> {
    /// Puts a part where it belongs in a record; of what the layout states no other value is taken.
    fn fill(&self, leaf: &Leaf, input: &Input<'_>, record: &mut [u8]) -> Result<()> {
        self.fill_by(leaf, record, |room| self.encode(leaf, input, room))
    }

    /// As [`Self::fill`], of elements of one type.
    pub(super) fn fill_typed(
        &self,
        leaf: &Leaf,
        typed: &dyn Typed,
        record: &mut [u8],
    ) -> Result<()> {
        self.fill_by(leaf, record, |room| self.encode_typed(leaf, typed, room))
    }

    /// As [`Self::fill`], of a value.
    pub(super) fn fill_value(&self, leaf: &Leaf, value: &Value, record: &mut [u8]) -> Result<()> {
        self.fill_by(leaf, record, |room| {
            self.bytes(leaf, value).and_then(|bytes| collect(room, |sink| sink(&bytes)))
        })
    }

    /// As [`Self::fill`], of what puts its bytes there itself.
    pub(super) fn fill_by(
        &self,
        leaf: &Leaf,
        record: &mut [u8],
        encode: impl FnOnce(&mut [u8]) -> Result<()>,
    ) -> Result<()> {
        let room =
            leaf.offset.checked_add(leaf.bytes).and_then(|end| record.get_mut(leaf.offset..end));
        let room = room.ok_or_else(|| Error::wrong_length(leaf.bytes as u64, 0))?;
        encode(room)?;
        let layout = self.stream.layout();
        if leaf.is_constant(layout) {
            leaf.check(layout, &self.path_of(leaf), room)?;
        }
        leaf.arrange(room)
    }

    fn encode_typed(&self, leaf: &Leaf, typed: &dyn Typed, room: &mut [u8]) -> Result<()> {
        let fits = |primitive| {
            typed.check(primitive).is_ok() && same_shape("", &leaf.shape, &typed.shape()).is_ok()
        };
        let (primitive, order) = match leaf.dtype {
            Dtype::Primitive(primitive, order) if fits(primitive) => (primitive, order),
            // The path is put together for an error alone.
            _ => checked(&self.path_of(leaf), typed, &leaf.dtype, &leaf.shape)?,
        };
        collect(room, |sink| typed.encode(primitive, order, sink))
    }

    fn encode(&self, leaf: &Leaf, input: &Input<'_>, room: &mut [u8]) -> Result<()> {
        let filled = match input {
            Input::Typed(typed) => self.encode_typed(leaf, &**typed, room),
            Input::Rows(rows) => {
                let template = room.to_vec();
                rows.check(&leaf.dtype)?;
                collect(room, |sink| rows.encode(&leaf.dtype, &template, sink))
            }
            Input::Value(value) => {
                self.bytes(leaf, value).and_then(|bytes| collect(room, |sink| sink(&bytes)))
            }
        };
        filled.map_err(|error| error.of_item(&self.path_of(leaf)))
    }

    /// The bytes of a value of a part; null is what the layout states.
    pub(super) fn bytes(&self, leaf: &Leaf, value: &Value) -> Result<Vec<u8>> {
        if let (Some(stated), Value::Null) = (&leaf.stated, value) {
            return stated.bytes(&leaf.dtype, &leaf.shape);
        }
        let (stream, filters) = (self.stream, self.filters);
        let encoder = Encoder { order: stream.order(), filters, param: &|_| None };
        stream.with_resolver(|resolver| {
            encoder.fixed(resolver, &self.path_of(leaf), value, &leaf.dtype, &leaf.shape)
        })
    }

    pub(super) fn path_of(&self, leaf: &Leaf) -> String {
        if leaf.name.is_empty() {
            self.path.to_owned()
        } else {
            format!("{}/{}", self.path, leaf.name)
        }
    }
}

/// Fills room with what is encoded block by block.
fn collect(
    room: &mut [u8],
    encode: impl FnOnce(&mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()>,
) -> Result<()> {
    let mut done = 0;
    encode(&mut |block| {
        let length = room.len() as u64;
        let Some(place) = room.get_mut(done..done + block.len()) else {
            return Err(Error::wrong_length(length, (done + block.len()) as u64));
        };
        place.copy_from_slice(block);
        done += block.len();
        Ok(())
    })
}

/// Checks that all parts of a record were given, and nothing else.
pub(super) fn check_parts(
    path: &str,
    shape: &Shape,
    parts: &[(&str, Input<'_>)],
    given: usize,
) -> Result<()> {
    let wanted =
        || shape.leaves.iter().filter(|leaf| leaf.stated.is_none() && !leaf.name.is_empty());
    if given == parts.len() && wanted().all(|leaf| parts.iter().any(|(name, _)| *name == leaf.name))
    {
        return Ok(());
    }
    let named = |name: &str| format!("{path}/{name}");
    for (at, (name, _)) in parts.iter().enumerate() {
        if parts[..at].iter().any(|(before, _)| before == name) {
            return Err(Error::WrongValue {
                item: Item::new(named(name)),
                expected: "one value".into(),
                found: "another one of the same name".into(),
            });
        }
    }
    let missing = wanted()
        .filter(|leaf| !parts.iter().any(|(name, _)| *name == leaf.name))
        .map(|leaf| named(&leaf.name))
        .collect();
    let strays: Vec<_> = parts
        .iter()
        .filter(|(name, _)| !shape.leaves.iter().any(|leaf| leaf.name == *name))
        .map(|(name, _)| crate::error::Stray {
            path: named(name),
            similar: dudley_parser::similar::nearest(
                name,
                wanted().map(|leaf| (0, leaf.name.as_str())),
            )
            .map(|similar| named(&similar)),
        })
        .collect();
    if strays.is_empty() {
        Err(Error::Missing { paths: missing })
    } else {
        Err(Error::Unused { paths: strays, missing })
    }
}

/// Whether a value has the parts of a record that is no array: by names, or by the indices of a list.
fn takes_parts(shape: &Shape, value: &Value) -> bool {
    let index = |leaf: &Leaf| leaf.name.starts_with(|first: char| first.is_ascii_digit());
    match value {
        Value::Struct(_) => true,
        Value::Array(_) => shape.leaves.iter().all(index),
        _ => false,
    }
}

/// The values of the parts of a record, by their names; what is no part is given all the same.
fn flatten(shape: &Shape, path: String, value: Value, parts: &mut Vec<(String, Value)>) {
    let below =
        |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
    let start = format!("{path}/");
    let is_container =
        path.is_empty() || shape.leaves.iter().any(|leaf| leaf.name.starts_with(&start));
    match value {
        Value::Struct(fields) if is_container => {
            for (name, value) in fields {
                flatten(shape, below(&name), value, parts);
            }
        }
        Value::Array(items) if is_container => {
            for (at, value) in items.into_iter().enumerate() {
                flatten(shape, below(&at.to_string()), value, parts);
            }
        }
        value => parts.push((path, value)),
    }
}
