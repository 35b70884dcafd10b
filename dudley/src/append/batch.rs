//! Many records that are appended at once, given part by part: converted in one pass, written as one
//! piece.

use dudley_parser::place;

use super::Records;
use super::plan::{Leaf, Plan, Shape};
use super::records::{Filling, check_parts};
use crate::elements::buffer::zeros;
use crate::elements::record::{Bytes, Record, encode_into};
use crate::elements::value::Value;
use crate::encode::input::Input;
use crate::encode::pass::checked;
use crate::error::{Error, Result, to_usize};

impl Records<'_> {
    /// Adds many records: of each part, by the names that [`Self::push`] takes, an array with one more
    /// dimension before its own, the record. They are converted part by part and written together, which
    /// is many times as fast as one by one, and takes as much memory as they have bytes. They are durable,
    /// and seen by others, with the next [`Self::commit`].
    ///
    /// # Errors
    /// As [`Self::push`]; [`Error::WrongShape`] also where parts are of different numbers of records.
    /// If one record fails, none is added.
    ///
    /// ```
    /// use dudley::append::Append;
    /// use dudley::{Stream, Writer, ndarray, parse_layout};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let layout = parse_layout(b"NT : i8  hist = [/ t = f8  r = f8[3]]*NT")?;
    /// Writer::new(layout).param("/NT", 0).attach(true).write_file(&path, false)?;
    ///
    /// let (t, r) = (vec![0.0, 0.5, 1.0], ndarray::Array2::<f64>::ones((3, 3)));
    /// let mut append = Append::open(&path)?;
    /// let mut hist = append.records("/hist")?;
    /// hist.push_many(&[("t", (&t).into()), ("r", (&r).into())])?;
    /// hist.commit()?;
    ///
    /// assert_eq!(Stream::open(&path)?.get("/hist/2/t")?.scalar::<f64>()?, 1.0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn push_many(&mut self, parts: &[(&str, Input<'_>)]) -> Result<()> {
        let path = self.plan.path.as_str();
        let shape = self.plan.shape(self.added);
        let mut given = Vec::with_capacity(parts.len());
        for leaf in &shape.leaves {
            if let Some((_, input)) = parts.iter().find(|(name, _)| *name == leaf.name) {
                given.push((leaf, input));
            }
        }
        check_parts(path, shape, parts, given.len())?;
        // Null is what the layout states: it is there.
        let is_null = |input: &Input<'_>| matches!(input, Input::Value(Value::Null));
        given.retain(|(leaf, input)| leaf.stated.is_none() || !is_null(input));
        let Some((first, input)) = given.first() else { return Ok(()) };
        let batch = Batch::new(&self.plan, self.added, count_of(path, first, input)?)?;
        let mut room = batch.room()?;
        let filling = self.append.filling(path);
        for (leaf, input) in given {
            batch.fill(&filling, leaf, input, &mut room)?;
        }
        self.add_batch(room, batch.start, batch.count)
    }

    /// Adds many records that are given as a whole, in an array whose first dimension is the record:
    /// numbers, or structs.
    ///
    /// # Errors
    /// As [`Self::push_many`]; [`Error::WrongValue`] for records that are given by the names of parts.
    ///
    /// ```
    /// use dudley::append::Append;
    /// use dudley::{Stream, Writer, ndarray, parse_layout};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let layout = parse_layout(b"NT : i8  x = f8[NT, 2]")?;
    /// Writer::new(layout).param("/NT", 0).put("/x", &ndarray::Array2::<f64>::zeros((0, 2)))
    ///     .attach(true).write_file(&path, false)?;
    ///
    /// let mut append = Append::open(&path)?;
    /// let mut x = append.records("/x")?;
    /// x.push_values(&ndarray::array![[1.0, 2.0], [3.0, 4.0]])?;
    /// x.commit()?;
    ///
    /// assert_eq!(Stream::open(&path)?.get("/x")?.read::<f64>()?.sum(), 10.0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn push_values<'a>(&mut self, records: impl Into<Input<'a>>) -> Result<()> {
        let path = self.plan.path.as_str();
        let shape = self.plan.shape(self.added);
        let Some(whole) = shape.leaves.iter().find(|leaf| leaf.name.is_empty()) else {
            return Err(self.not_whole());
        };
        let records = records.into();
        let batch = Batch::new(&self.plan, self.added, count_of(path, whole, &records)?)?;
        let mut room = batch.room()?;
        batch.fill(&self.append.filling(path), whole, &records, &mut room)?;
        self.add_batch(room, batch.start, batch.count)
    }

    /// Adds many records of a type that was made from the layout, as [`Self::push_record`] adds one.
    ///
    /// # Errors
    /// As [`Self::push_record`]. After an error, none of the records is added.
    pub fn push_records<R: Record>(&mut self, records: &[R]) -> Result<()> {
        let whole = self.plan.whole_record::<R>(self.added)?;
        let batch = Batch::new(&self.plan, self.added, records.len() as u64)?;
        let mut room = batch.room()?;
        let (order, layout) = (self.append.stream.order(), self.append.layout());
        let is_constant = whole.is_constant(layout);
        for (at, record) in records.iter().enumerate() {
            let begin = batch.offset(at);
            let here = begin.checked_add(R::Bytes::LEN).and_then(|end| room.get_mut(begin..end));
            let here = here.unwrap_or_default();
            encode_into(std::slice::from_ref(record), order, here)?;
            if is_constant {
                whole.check(layout, &self.plan.path, here)?;
            }
        }
        self.add_batch(room, batch.start, batch.count)
    }

    fn add_batch(&mut self, room: Vec<u8>, start: u64, count: u64) -> Result<()> {
        if count == 0 {
            return Ok(());
        }
        self.room = room;
        self.add(start, count)
    }
}

/// How many records an array has of a part.
fn count_of(path: &str, leaf: &Leaf, input: &Input<'_>) -> Result<u64> {
    let shape = match input {
        Input::Typed(typed) => typed.shape(),
        Input::Rows(rows) => rows.shape(),
        Input::Value(Value::Array(items)) => return Ok(items.len() as u64),
        Input::Value(_) => Vec::new(),
    };
    let expected = || [&[1][..], &leaf.shape].concat();
    shape.first().copied().ok_or_else(|| Error::wrong_shape(path, &expected(), &shape))
}

/// Records one after the other, about to be put together.
struct Batch<'p> {
    /// Where the first begins, and their number.
    start: u64,
    count: u64,
    first: &'p Shape,
    others: &'p Shape,
    /// Bytes from the start of the first to the second, and from one to the next after that.
    second: usize,
    stride: usize,
}

impl<'p> Batch<'p> {
    /// The place of `count` records behind the `added` ones.
    fn new(plan: &'p Plan, added: u64, count: u64) -> Result<Batch<'p>> {
        let large = || Error::too_large(u64::MAX);
        let (start, first) = plan.record(added)?;
        let behind = |more: u64| added.checked_add(more).ok_or_else(large);
        let (second, others) = plan.record(behind(1)?)?;
        let (third, _) = plan.record(behind(2)?)?;
        Ok(Batch {
            start,
            count,
            first,
            others,
            second: to_usize(second.saturating_sub(start))?,
            stride: to_usize(third.saturating_sub(second))?,
        })
    }

    /// The parts and the address of a record. [`Self::room`] has found that all have one.
    fn shape(&self, at: usize) -> &'p Shape {
        if at == 0 { self.first } else { self.others }
    }

    fn offset(&self, at: usize) -> usize {
        if at == 0 { 0 } else { self.second.saturating_add(self.stride.saturating_mul(at - 1)) }
    }

    /// Their bytes before anything is put in.
    fn room(&self) -> Result<Vec<u8>> {
        let Some(last) = self.count.checked_sub(1) else { return Ok(Vec::new()) };
        let last = to_usize(last)?;
        let end = place::multiply(last.saturating_sub(1) as u64, self.stride as u64)
            .and_then(|behind| place::add(behind, if last == 0 { 0 } else { self.second as u64 }))
            .and_then(|start| place::add(start, self.shape(last).template.len() as u64));
        let mut room = zeros(end.ok_or_else(|| Error::too_large(u64::MAX))?)?;
        let stated = |shape: &Shape| shape.template.iter().any(|byte| *byte != 0);
        if stated(self.first) || stated(self.others) {
            for at in 0..=last {
                let template = &self.shape(at).template;
                room[self.offset(at)..][..template.len()].copy_from_slice(template);
            }
        }
        Ok(room)
    }

    /// Puts a part of all records where it belongs.
    fn fill(
        &self,
        filling: &Filling<'_>,
        leaf: &Leaf,
        input: &Input<'_>,
        room: &mut [u8],
    ) -> Result<()> {
        let path = filling.path_of(leaf);
        let shape = [&[self.count], &leaf.shape[..]].concat();
        let mut cells = Cells::new(self, leaf, room);
        let filled = match input {
            Input::Typed(typed) => {
                let (primitive, order) = checked(&path, &**typed, &leaf.dtype, &shape)?;
                typed.encode(primitive, order, &mut |block| cells.put(block))
            }
            Input::Rows(rows) => {
                rows.check(&leaf.dtype).map_err(|error| error.of_item(&path))?;
                crate::encode::pass::same_shape(&path, &shape, &rows.shape())?;
                let cell = leaf.offset.checked_add(leaf.bytes);
                let template = cell.and_then(|end| self.first.template.get(leaf.offset..end));
                let template = template.unwrap_or_default();
                rows.encode(&leaf.dtype, template, &mut |block| cells.put(block))
            }
            Input::Value(Value::Array(values)) => {
                let found = values.len() as u64;
                if found != self.count {
                    return Err(Error::wrong_shape(&path, &[self.count], &[found]));
                }
                values.iter().try_for_each(|value| cells.put(&filling.bytes(leaf, value)?))
            }
            Input::Value(_) => return Err(Error::wrong_shape(&path, &shape, &[])),
        };
        let filled = filled.and_then(|()| cells.finish(filling, leaf));
        filled.map_err(|error| error.of_item(&path))
    }
}

/// A part of all records of a batch, which is filled from the first to the last.
struct Cells<'r> {
    batch: &'r Batch<'r>,
    room: &'r mut [u8],
    /// Where it is in the first record, and in all others.
    offsets: (usize, usize),
    /// Bytes of one.
    bytes: usize,
    /// The next byte: of which record, and how many are before it in its cell.
    at: usize,
    within: usize,
}

impl<'r> Cells<'r> {
    fn new(batch: &'r Batch<'r>, leaf: &Leaf, room: &'r mut [u8]) -> Cells<'r> {
        // Records differ in padding, not in their parts.
        let other = batch.others.leaves.iter().find(|other| other.name == leaf.name);
        let offsets = (leaf.offset, other.map_or(leaf.offset, |other| other.offset));
        Cells { batch, room, offsets, bytes: leaf.bytes, at: 0, within: 0 }
    }

    /// Fills what comes next.
    fn put(&mut self, block: &[u8]) -> Result<()> {
        let mut rest = block;
        while !rest.is_empty() {
            let length = rest.len().min(self.bytes - self.within);
            let offset = if self.at == 0 { self.offsets.0 } else { self.offsets.1 };
            let begin = self.batch.offset(self.at).saturating_add(offset + self.within);
            let here = begin.checked_add(length).and_then(|end| self.room.get_mut(begin..end));
            let (Some(here), true) = (here, length > 0) else {
                return Err(Error::wrong_length(self.bytes as u64, block.len() as u64));
            };
            here.copy_from_slice(&rest[..length]);
            rest = &rest[length..];
            self.within += length;
            if self.within == self.bytes {
                (self.at, self.within) = (self.at + 1, 0);
            }
        }
        Ok(())
    }

    /// Checks that all of them are full, of what the layout states if it does.
    fn finish(&mut self, filling: &Filling<'_>, leaf: &Leaf) -> Result<()> {
        if self.bytes > 0 && self.at as u64 != self.batch.count {
            return Err(Error::wrong_length(self.batch.count, self.at as u64));
        }
        let layout = filling.stream.layout();
        let stated = leaf.is_constant(layout);
        let path = filling.path_of(leaf);
        (0..self.at).try_for_each(|at| {
            let offset = if at == 0 { self.offsets.0 } else { self.offsets.1 };
            let begin = self.batch.offset(at).saturating_add(offset);
            let cell = begin.checked_add(self.bytes).and_then(|end| self.room.get_mut(begin..end));
            let cell = cell.unwrap_or_default();
            if stated {
                leaf.check(layout, &path, cell)?;
            }
            leaf.arrange(cell)
        })
    }
}
