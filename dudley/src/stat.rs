//! Statistics of arrays: minimum, maximum, mean, standard deviation, and the number of special values.
//!
//! A [`Survey`] visits any number of items once, with several threads, and holds a few blocks of
//! each. Its results do not depend on the number of threads.

mod exact;
mod tally;
mod values;

use std::collections::HashMap;

use dudley_parser::layout::DocKey;
use dudley_parser::layout::dtype::{ByteOrder, Primitive};
use half::f16;

use crate::bytes::region::Region;
use crate::bytes::threads;
use crate::elements::gather::gather;
use crate::error::{Error, Result};
use crate::read::data::Data;
use crate::read::dtype::{Dtype, Record};
use crate::read::item::Item;
use crate::read::leaves::{Leaf, Walk};
use crate::read::parts::Cut;
use tally::Tally;

/// Bytes and arrays that wait for the threads at most (except for a single array that is larger).
const WAITING_BYTES: u64 = 64 << 20;
const WAITING: usize = 4096;
/// Errors that are kept.
const ERRORS: usize = 10;

/// Statistics of numbers. NaNs are only counted. Mean and standard deviation use the finite
/// numbers.
///
/// ```
/// let stream = dudley::Open::new().layout_text("x = u1[4]")?.raw().bytes([0, 2, 4, 2])?;
/// let mut survey = dudley::stat::Survey::new();
/// survey.add(&stream.get("/x")?);
/// let found = survey.finish().items[0].statistics;
/// assert_eq!((found.count, found.zeros, found.mean), (4, 1, Some(2.0)));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Statistics {
    /// The number of values, special ones included, except invalid times (numpy's NaT).
    pub count: u64,
    /// The number of NaNs.
    pub nan: u64,
    /// The number of infinities, of either sign.
    pub inf: u64,
    /// The number of zeros, or of false values.
    pub zeros: u64,
    /// The minimum without NaNs.
    pub min: Option<Number>,
    /// The maximum without NaNs.
    pub max: Option<Number>,
    /// The mean of the finite ones; of integers it is rounded once, of booleans the part that is
    /// true.
    pub mean: Option<f64>,
    /// The standard deviation of the finite ones, of the whole population (numpy's `std`); of integers it is
    /// rounded once.
    pub std: Option<f64>,
}

/// A number with its stored precision.
///
/// ```
/// use dudley::stat::{Number, Survey};
///
/// let stream = dudley::Open::new().layout_text("x = u8")?.raw().bytes([255; 8])?;
/// let mut survey = Survey::new();
/// survey.add(&stream.root());
/// assert_eq!(survey.finish().items[0].statistics.max, Some(Number::Int(u64::MAX.into())));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    /// A boolean.
    Bool(bool),
    /// An integer or address.
    Int(i128),
    /// A float.
    Float(f64),
}

/// The part of the elements that statistics cover.
///
/// ```
/// use dudley::stat::{Part, Survey};
///
/// let stream = dudley::Open::new().layout_text("z = c8")?.raw().bytes([0; 8])?;
/// let mut survey = Survey::new();
/// survey.add(&stream.root());
/// let parts: Vec<Part> = survey.finish().items.iter().map(|item| item.part).collect();
/// assert_eq!(parts, [Part::Real, Part::Imaginary]);
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Part {
    /// The elements themselves.
    Whole,
    /// The real parts of complex numbers.
    Real,
    /// The imaginary parts of complex numbers.
    Imaginary,
    /// Text has no statistics: only the strings are counted.
    Text,
}

/// The statistics of an item, of a field, or of all repetitions of a list.
///
/// ```
/// use dudley::stat::Survey;
///
/// let stream = dudley::Open::new().layout_text("x = <u2[3]")?.raw().bytes([1, 0, 2, 0, 3, 0])?;
/// let mut survey = Survey::new();
/// survey.add(&stream.root());
/// let item = &survey.finish().items[0];
/// assert_eq!((item.path.as_str(), item.dtype.as_str(), item.shape.as_deref()), ("/x", "<u2", Some(&[3][..])));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Surveyed {
    /// Its path; `[:]` stands for all indices of a list.
    pub path: String,
    /// The type of its elements, such as `<f8`.
    pub dtype: String,
    /// Its shape; for all repetitions of a list, their number comes first. `None` if the
    /// repetitions differ in shape.
    pub shape: Option<Vec<u64>>,
    /// The counted part of the elements.
    pub part: Part,
    /// The statistics.
    pub statistics: Statistics,
    /// The number of arrays that are not counted, because they cannot be read to their end. An item with only such arrays
    /// is no result.
    pub unread: u64,
    /// The key of its documentation.
    pub doc: Option<DocKey>,
}

/// The results of a [`Survey`].
///
/// ```
/// use dudley::stat::{Results, Survey};
///
/// let stream = dudley::Open::new().layout_text("x = u1  y = u1[9]")?.raw().bytes([7, 8])?;
/// let mut survey = Survey::new();
/// survey.add(&stream.root());
/// let Results { items, errors, failed } = survey.finish();
/// assert_eq!((items[0].path.as_str(), errors[0].item(), failed), ("/x", Some("/y"), 1));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Results {
    /// The items, in the order of the walk.
    pub items: Vec<Surveyed>,
    /// The first errors of items that could not be read.
    pub errors: Vec<Error>,
    /// The number of errors.
    pub failed: u64,
}

/// Counts the numbers of items.
///
/// ```
/// use dudley::stat::{Number, Survey};
///
/// let open = dudley::Open::new().layout_text("x = u1[4]  l [/ y = >i2]*2")?.raw();
/// let stream = open.bytes([1, 2, 3, 6, 0, 7, 255, 255])?;
/// let mut survey = Survey::new();
/// survey.add(&stream.root());
/// let results = survey.finish();
/// let [x, y] = &results.items[..] else { panic!("two items") };
/// assert_eq!((x.path.as_str(), x.statistics.mean), ("/x", Some(3.0)));
/// assert_eq!((y.path.as_str(), y.shape.as_deref()), ("/l[:]/y", Some(&[2][..])));
/// assert_eq!(y.statistics.min, Some(Number::Int(-1)));
/// # Ok::<(), dudley::Error>(())
/// ```
pub struct Survey<'p> {
    threads: usize,
    each: bool,
    progress: Option<&'p mut dyn FnMut(u64)>,
    slots: Vec<Slot>,
    known: HashMap<(String, String, Part), usize>,
    waiting: Vec<Task>,
    bytes: u64,
    errors: Vec<Error>,
    failed: u64,
}

/// One line of the results.
struct Slot {
    path: String,
    dtype: String,
    part: Part,
    /// How often it was met, how often it could not be read to its end, and the shape of each, if that is one.
    met: u64,
    unread: u64,
    shape: Option<Vec<u64>>,
    /// Whether each was one item of a list.
    apart: bool,
    boolean: bool,
    doc: Option<DocKey>,
    tally: Tally,
}

/// An array of numbers that waits to be counted.
struct Task {
    data: Data,
    primitive: Primitive,
    order: ByteOrder,
    slot: usize,
    /// Whether they are times, some of which may be none.
    times: bool,
}

impl Default for Survey<'_> {
    fn default() -> Self {
        Survey::new()
    }
}

impl<'p> Survey<'p> {
    /// A survey with as many threads as the machine runs at the same time.
    ///
    /// ```
    /// assert!(dudley::stat::Survey::new().finish().items.is_empty());
    /// ```
    pub fn new() -> Survey<'p> {
        Survey {
            threads: 0,
            each: false,
            progress: None,
            slots: Vec::new(),
            known: HashMap::new(),
            waiting: Vec::new(),
            bytes: 0,
            errors: Vec::new(),
            failed: 0,
        }
    }

    /// At most this many threads. The default, 0, is the number that the machine runs at once.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1[3]")?.raw().bytes([1, 2, 3])?;
    /// let mut survey = dudley::stat::Survey::new().threads(1);
    /// survey.add(&stream.root());
    /// assert_eq!(survey.finish().items[0].statistics.count, 3);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.threads = threads;
        self
    }

    /// Whether each item of a list has its own statistics, not all of them together.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("l [/ x = u1]*2")?.raw().bytes([1, 2])?;
    /// let mut survey = dudley::stat::Survey::new().each(true);
    /// survey.add(&stream.root());
    /// let paths: Vec<String> = survey.finish().items.into_iter().map(|item| item.path).collect();
    /// assert_eq!(paths, ["/l/0/x", "/l/1/x"]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn each(mut self, each: bool) -> Self {
        self.each = each;
        self
    }

    /// Reports the number of further bytes that were processed.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1[100]")?.raw().bytes([7; 100])?;
    /// let mut bytes = 0;
    /// let mut progress = |more| bytes += more;
    /// let mut survey = dudley::stat::Survey::new().progress(&mut progress);
    /// survey.add(&stream.root());
    /// survey.finish();
    /// assert_eq!(bytes, 100);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn progress(mut self, progress: &'p mut dyn FnMut(u64)) -> Self {
        self.progress = Some(progress);
        self
    }

    /// Counts all numbers at and below an item.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1[3]  y = u1")?.raw().bytes([1, 2, 3, 4])?;
    /// let mut survey = dudley::stat::Survey::new();
    /// survey.add(&stream.get("/x")?);
    /// assert_eq!(survey.finish().items[0].statistics.mean, Some(2.0));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn add(&mut self, item: &Item) {
        let walk = Walk { each: self.each, params: false };
        walk.run(item, &mut |leaf| match leaf {
            Ok(Leaf { path, data, apart }) => self.leaf(&path, &data, apart),
            Err(error) => self.fail(error),
        });
    }

    /// Counts all numbers at and below each of some items, such as those that
    /// [`items`](crate::read::select::items) picks: together, as if they were one under a path, unless
    /// [`Self::each`] says otherwise.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("l [/ x = u1]*3")?.raw().bytes([1, 2, 9])?;
    /// let items = dudley::read::select::items(&stream, "/l[:2]/x")?;
    /// let mut survey = dudley::stat::Survey::new();
    /// survey.add_all("/l[:2]/x", &items);
    /// assert_eq!(survey.finish().items[0].statistics.mean, Some(1.5));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn add_all(&mut self, path: &str, items: &[Item]) {
        let walk = Walk { each: self.each, params: false };
        for item in items {
            let path = if self.each { item.path() } else { path };
            walk.run_as(item, path, items.len() > 1, &mut |leaf| match leaf {
                Ok(Leaf { path, data, apart }) => self.leaf(&path, &data, apart),
                Err(error) => self.fail(error),
            });
        }
    }

    /// Counts the numbers of an array, under a path; fields of structs apart.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1[3]")?.raw().bytes([1, 2, 9])?;
    /// let mut survey = dudley::stat::Survey::new();
    /// survey.add_data("/x[:2]", stream.select("/x[:2]")?.data().expect("an array"));
    /// assert_eq!(survey.finish().items[0].statistics.mean, Some(1.5));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn add_data(&mut self, path: &str, data: &Data) {
        self.leaf(path, data, false);
    }

    fn leaf(&mut self, path: &str, data: &Data, apart: bool) {
        let sound = data.check_there().and_then(|()| data.check_constants());
        if let Err(error) = sound.and_then(|()| self.array(path, data, apart)) {
            self.fail(error);
        }
    }

    /// The results of all items.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1[2]  y = u1")?.raw().bytes([1, 2, 9])?;
    /// let mut survey = dudley::stat::Survey::new();
    /// survey.add(&stream.root());
    /// let counts: Vec<u64> = survey.finish().items.iter().map(|item| item.statistics.count).collect();
    /// assert_eq!(counts, [2, 1]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn finish(mut self) -> Results {
        self.count_waiting();
        let read = self.slots.into_iter().filter(|slot| slot.unread == 0 || slot.unread < slot.met);
        let items = read.map(Slot::surveyed).collect();
        Results { items, errors: self.errors, failed: self.failed }
    }

    fn fail(&mut self, error: Error) {
        self.failed += 1;
        if self.errors.len() < ERRORS {
            self.errors.push(error);
        }
    }

    fn array(&mut self, path: &str, data: &Data, apart: bool) -> Result<()> {
        match &data.dtype {
            Dtype::Primitive(primitive, _) if primitive.is_text() => {
                let outer = data.shape.split_last().map_or(&[][..], |(_, outer)| outer);
                let texts = Data { shape: outer.to_vec(), ..data.clone() }.len()?;
                let slot = self.slot(path, &data.dtype_name(), data, Part::Text);
                self.meet(slot, &data.shape, apart);
                self.slots[slot].tally.add(&Tally::texts(texts));
                Ok(())
            }
            Dtype::Primitive(primitive, order) => {
                let complex = tally::is_complex(*primitive);
                let part = if complex { Part::Real } else { Part::Whole };
                let slot = self.slot(path, &data.dtype_name(), data, part);
                self.meet(slot, &data.shape, apart);
                if complex {
                    // Always the next one: both are made at the same time.
                    let slot = self.slot(path, &data.dtype_name(), data, Part::Imaginary);
                    self.meet(slot, &data.shape, apart);
                }
                let (primitive, order) = (*primitive, *order);
                let times = primitive == Primitive::I8 && data.is_time();
                self.wait(Task { data: data.clone(), primitive, order, slot, times });
                Ok(())
            }
            // What stands in the heap counts, not where.
            Dtype::Record(_) if data.vlen().is_some() => values::count(self, path, data),
            Dtype::Record(record) if fields_are_apart(data, record) => {
                let data = data.decoded()?;
                for (at, field) in record.fields.iter().enumerate() {
                    if !field.is_fixed(data.stream.layout()) {
                        let mut path = format!("{path}.");
                        dudley_parser::layout::path::push_name(&mut path, &field.name);
                        self.array(&path, &data.field_at(record, at)?, apart)?;
                    }
                }
                Ok(())
            }
            Dtype::Record(_) | Dtype::Variable(_) => values::count(self, path, data),
        }
    }

    /// The line for an array; a new one if there is none.
    fn slot(&mut self, path: &str, dtype: &str, data: &Data, part: Part) -> usize {
        let key = (path.to_owned(), dtype.to_owned(), part);
        *self.known.entry(key).or_insert_with_key(|(path, dtype, part)| {
            self.slots.push(Slot {
                path: path.clone(),
                dtype: dtype.clone(),
                part: *part,
                met: 0,
                unread: 0,
                shape: None,
                apart: false,
                boolean: matches!(data.dtype, Dtype::Primitive(Primitive::B1, _)),
                doc: data.doc,
                tally: Tally::NONE,
            });
            self.slots.len() - 1
        })
    }

    /// One more array for a line.
    fn meet(&mut self, slot: usize, shape: &[u64], apart: bool) {
        let slot = &mut self.slots[slot];
        slot.apart |= apart;
        slot.met += 1;
        match slot.met {
            1 => slot.shape = Some(shape.to_vec()),
            _ if slot.shape.as_deref() == Some(shape) => {}
            _ => slot.shape = None,
        }
    }

    fn wait(&mut self, task: Task) {
        self.bytes = self.bytes.saturating_add(task.data.bytes);
        self.waiting.push(task);
        if self.bytes >= WAITING_BYTES || self.waiting.len() >= WAITING {
            self.count_waiting();
        }
    }

    /// Counts what is waiting: each part of each array is a piece of work; a filtered array is one.
    fn count_waiting(&mut self) {
        let tasks = std::mem::take(&mut self.waiting);
        self.bytes = 0;
        let mut begin = 0;
        while begin < tasks.len() {
            match self.count_tasks(&tasks[begin..]) {
                Ok(()) => return,
                // Of that array nothing is counted; those behind it are.
                Err((at, error)) => {
                    self.fail(error);
                    let Task { slot, primitive, .. } = &tasks[begin + at];
                    let last = slot + usize::from(tally::is_complex(*primitive));
                    self.slots[*slot..=last].iter_mut().for_each(|slot| slot.unread += 1);
                    begin += at + 1;
                }
            }
        }
    }

    /// Counts arrays; the error says which of them it is about.
    fn count_tasks(&mut self, tasks: &[Task]) -> std::result::Result<(), (usize, Error)> {
        let cuts = tasks.iter().map(|task| match task.data.filter {
            Some(_) => Cut::new(&[], 1),
            None => Cut::new(&task.data.shape, task.primitive.size()),
        });
        let cuts: Vec<Cut> = cuts.collect();
        // The pieces of each array end where those of the next begin.
        let mut count = 0_u64;
        let ends = cuts.iter().map(|cut| {
            count = count.saturating_add(cut.count());
            count
        });
        let ends: Vec<u64> = ends.collect();
        let mut next = 0;
        // Of the array that is visited: what cannot be read to its end does not count.
        let mut tallies = [Tally::NONE; 2];
        let slots = &mut self.slots;
        let progress = &mut self.progress;
        let done = threads::in_order(
            threads::count(self.threads),
            count,
            &|piece| {
                let at = ends.partition_point(|end| *end <= piece);
                let part = piece - (ends[at] - cuts[at].count());
                tasks[at].count(&cuts[at], part).map(|found| (at, found))
            },
            &mut |(at, found)| {
                next += 1;
                let task = &tasks[at];
                tallies.iter_mut().zip(&found.tallies).for_each(|(all, part)| all.add(part));
                if next == ends[at] {
                    let [one, other] = std::mem::replace(&mut tallies, [Tally::NONE; 2]);
                    slots[task.slot].tally.add(&one);
                    if tally::is_complex(task.primitive) {
                        slots[task.slot + 1].tally.add(&other);
                    }
                }
                if let Some(progress) = progress {
                    progress(found.bytes);
                }
            },
        );
        done.map_err(|error| {
            let failed = ends.partition_point(|end| *end <= next);
            (failed, error.of_item(tasks[failed].data.path()))
        })
    }
}

/// What a piece of work came to.
struct Found {
    tallies: [Tally; 2],
    bytes: u64,
}

impl Task {
    /// Counts a part of the array.
    fn count(&self, cut: &Cut, part: u64) -> Result<Found> {
        let mut found = Found { tallies: [Tally::NONE; 2], bytes: 0 };
        if self.data.filter.is_some() {
            let data = self.data.decoded()?;
            let cut = Cut::new(&data.shape, self.primitive.size());
            for part in 0..cut.count() {
                self.count_in(&data, &cut, part, &mut found)?;
            }
        } else {
            self.count_in(&self.data, cut, part, &mut found)?;
        }
        Ok(found)
    }

    fn count_in(&self, data: &Data, cut: &Cut, part: u64, found: &mut Found) -> Result<()> {
        let size = self.primitive.size();
        let region = cut.region(part, data.address, &data.strides, size)?;
        found.bytes += region.byte_len();
        if self.is_fill(data, &region) {
            let mut one = Found { tallies: [Tally::NONE; 2], bytes: 0 };
            self.count_region(data, &Region::new(region.span().start, &[], &[], size)?, &mut one)?;
            for (all, one) in found.tallies.iter_mut().zip(one.tallies) {
                all.add(&one.repeated(region.len()));
            }
            return Ok(());
        }
        self.count_region(data, &region, found)
    }

    fn count_region(&self, data: &Data, region: &Region, found: &mut Found) -> Result<()> {
        data.with_source(|source| {
            gather(source, region, &mut |bytes| {
                if self.times {
                    tally::count_times(bytes, self.order, &mut found.tallies[0])
                } else {
                    count(self.primitive, self.order, bytes, &mut found.tallies)
                }
            })
        })
    }

    /// Whether each element of a region is the same fill value, since no block has one of them.
    fn is_fill(&self, data: &Data, region: &Region) -> bool {
        data.blocks().is_some_and(|blocks| {
            let fill = blocks.fill();
            let is_one = fill.is_empty() || fill.len() as u64 == self.primitive.size();
            is_one && !region.is_empty() && blocks.bytes.is_fill(region)
        })
    }
}

/// Counts numbers of any type but text.
fn count(
    primitive: Primitive,
    order: ByteOrder,
    bytes: &[u8],
    tallies: &mut [Tally; 2],
) -> Result<()> {
    let [one, other] = tallies;
    match primitive {
        Primitive::I1 => tally::count::<i8>(bytes, order, one),
        Primitive::I2 => tally::count::<i16>(bytes, order, one),
        Primitive::I4 => tally::count::<i32>(bytes, order, one),
        Primitive::I8 => tally::count::<i64>(bytes, order, one),
        Primitive::U2 => tally::count::<u16>(bytes, order, one),
        Primitive::U4 | Primitive::P4 => tally::count::<u32>(bytes, order, one),
        Primitive::U8 | Primitive::P8 => tally::count::<u64>(bytes, order, one),
        Primitive::F2 => tally::count::<f16>(bytes, order, one),
        Primitive::F4 => tally::count::<f32>(bytes, order, one),
        Primitive::F8 => tally::count::<f64>(bytes, order, one),
        Primitive::B1 => tally::count::<bool>(bytes, order, one),
        Primitive::C4 => tally::count_parts::<f16>(bytes, order, one, other),
        Primitive::C8 => tally::count_parts::<f32>(bytes, order, one, other),
        Primitive::C16 => tally::count_parts::<f64>(bytes, order, one, other),
        Primitive::U1 | Primitive::S1 | Primitive::Utf8 | Primitive::Utf16 | Primitive::Utf32 => {
            tally::count::<u8>(bytes, order, one)
        }
    }
}

/// Whether each field lies at one place in all records, as it is or filtered as a whole.
fn fields_are_apart(data: &Data, record: &Record) -> bool {
    let single = matches!(data.len(), Ok(1));
    record.fields.iter().all(|field| {
        (single || field.filter.is_none()) && !matches!(field.dtype, Dtype::Variable(_))
    })
}

impl Slot {
    fn surveyed(self) -> Surveyed {
        // All repetitions of a list have their number in front, as a stack of them would.
        let shape = if self.apart {
            let count = self.met - self.unread;
            self.shape.map(|shape| std::iter::once(count).chain(shape).collect())
        } else {
            self.shape
        };
        let statistics = match self.part {
            Part::Text => self.tally.texts_only(),
            _ => self.tally.statistics(self.boolean),
        };
        Surveyed {
            path: self.path,
            dtype: self.dtype,
            shape,
            part: self.part,
            statistics,
            unread: self.unread,
            doc: self.doc,
        }
    }
}
