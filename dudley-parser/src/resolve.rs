//! Addresses: where everything of a layout lies, once the params are known.
//!
//! A [`Resolver`] goes over the steps of a layout in the order of the text and places them; it goes
//! only as far as what is requested. What it found is kept in a [`State`], so that the next question
//! is cheap. Where params come from is the [`Values`] trait: a stream, a writer's values, nothing.
//! All sums and products of addresses are made in [`crate::place`].

mod blocks;
mod budget;
mod count;
mod error;
mod locate;
mod measure;
mod members;
mod pass;
mod presented;
mod repeat;
mod rest;
mod walk;

pub use blocks::EachItem;
pub use budget::most_items;
pub use count::ShapeParam;
pub use error::{ErrorKind, Origin, ResolveError, UsedParam};
pub use locate::{Node, Placed, Position, Target};
pub use measure::STORED_COUNT;
pub use members::{Member, MemberKind};
pub use presented::{Presentation, Strided, check_view};
pub use walk::{Event, Flow, Found, Next, Piece, Visitor, WalkOptions};

use crate::layout::dtype::{ByteOrder, Primitive};
use crate::layout::{ArrayId, Layout, ParamId, ParamValue, RecordId, RepeatId, Scope, Step};
use crate::place::LIMIT;
use hashbrown::HashMap;
use std::sync::Arc;

/// The result of resolving something.
pub type Result<T> = std::result::Result<T, ResolveError>;

/// Where the values of streamed params, and the counts of stored bytes, come from.
///
/// ```
/// use dudley_parser::layout::ArrayId;
/// use dudley_parser::resolve::{Fault, Given, ParamAt, Resolver, State, Values};
///
/// /// Each param is 3.
/// struct Three;
///
/// impl Values for Three {
///     fn param(&self, _: &ParamAt) -> Result<i128, Fault> {
///         Ok(3)
///     }
///     fn stored(&self, _: ArrayId, _: u64) -> Result<u64, Fault> {
///         Err(Fault::Unknown)
///     }
/// }
///
/// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
/// let (given, mut state) = (Given::default(), State::new());
/// let mut resolver = Resolver::new(&layout, &given, &Three, &mut state);
/// assert_eq!(resolver.data_end()?, 8 + 24);
/// # Ok::<(), dudley_parser::resolve::ResolveError>(())
/// ```
pub trait Values {
    /// The value of a streamed param that lies at an address.
    ///
    /// ```
    /// use dudley_parser::layout::dtype::Primitive;
    /// use dudley_parser::resolve::{Fault, NoValues, ParamAt, Values};
    ///
    /// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
    /// let (param, _) = layout.params().next().unwrap();
    /// let at = ParamAt { param, address: 0, primitive: Primitive::I8, order: None };
    /// assert!(matches!(NoValues.param(&at), Err(Fault::Unknown)));
    /// ```
    ///
    /// # Errors
    /// [`Fault::Unknown`] where nobody knows; [`Fault::Source`] where reading fails.
    fn param(&self, param: &ParamAt) -> std::result::Result<i128, Fault>;

    /// The count of stored bytes of a filtered item (spec 10) that lies at an address.
    ///
    /// ```
    /// use dudley_parser::resolve::{Fault, NoValues, Values};
    ///
    /// let layout = dudley_parser::check(b"x = u1[9] -> zlib").layout.unwrap();
    /// let (x, _) = layout.arrays().next().unwrap();
    /// assert!(matches!(NoValues.stored(x, 0), Err(Fault::Unknown)));
    /// ```
    ///
    /// # Errors
    /// As [`Values::param`].
    fn stored(&self, array: ArrayId, address: u64) -> std::result::Result<u64, Fault>;

    /// Bytes of an item of variable size, where they are known without reading it: a writer knows
    /// what it is about to write.
    ///
    /// ```
    /// use dudley_parser::resolve::{NoValues, Values};
    ///
    /// let layout = dudley_parser::check(b"x = u1[9] -> zlib").layout.unwrap();
    /// let (x, _) = layout.arrays().next().unwrap();
    /// assert_eq!(NoValues.extent(x), None);
    /// ```
    fn extent(&self, _array: ArrayId) -> Option<u64> {
        None
    }

    /// A step of the root in which something has only one legal value is skipped (spec 7.3a): what is read
    /// next lies behind it. The resolver stands where it can be walked.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State, Values};
    ///
    /// let layout = dudley_parser::check(b"magic = u1  #: const = 7").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// assert!(NoValues.guard(&mut resolver, 0).is_ok()); // nothing is read
    /// ```
    ///
    /// # Errors
    /// [`Fault::Source`] if it has another value: then nothing is read that lies behind it.
    fn guard(&self, _resolver: &mut Resolver<'_>, _step: usize) -> std::result::Result<(), Fault> {
        Ok(())
    }

    /// As [`Values::guard`], of an array in a list or struct at an address: it is skipped on the way to what
    /// is read in there, in each repetition and instance.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State, Values};
    ///
    /// let layout = dudley_parser::check(b"l [u1  #: const = 7\n]").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let (array, _) = layout.arrays().next().unwrap();
    /// assert!(NoValues.guard_within(&mut resolver, array, 0).is_ok()); // nothing is read
    /// ```
    ///
    /// # Errors
    /// As [`Values::guard`].
    fn guard_within(
        &self,
        _resolver: &mut Resolver<'_>,
        _array: ArrayId,
        _address: u64,
    ) -> std::result::Result<(), Fault> {
        Ok(())
    }

    /// Whether each param and each count is the same wherever it lies, or unknown: then all instances of
    /// what differs in size are as large as the first, and are not visited.
    ///
    /// ```
    /// use dudley_parser::resolve::{NoValues, Values};
    ///
    /// assert!(NoValues.is_uniform());
    /// ```
    fn is_uniform(&self) -> bool {
        false
    }
}

/// A streamed param in the stream.
///
/// ```
/// use dudley_parser::layout::dtype::Primitive;
/// use dudley_parser::resolve::{ParamAt};
///
/// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
/// let (param, _) = layout.params().next().unwrap();
/// let at = ParamAt { param, address: 0, primitive: Primitive::I8, order: None };
/// assert_eq!(layout.param_label(at.param), "N");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParamAt {
    /// The param.
    pub param: ParamId,
    /// Its address in bytes.
    pub address: u64,
    /// Its type.
    pub primitive: Primitive,
    /// Its byte order, if not the stream's.
    pub order: Option<ByteOrder>,
}

/// Why there is no value.
///
/// ```
/// use dudley_parser::resolve::Fault;
///
/// let fault = Fault::Source(std::sync::Arc::new(std::fmt::Error));
/// assert!(matches!(fault, Fault::Source(_)));
/// ```
#[derive(Clone, Debug)]
pub enum Fault {
    /// There is no stream, and nobody gave the value.
    Unknown,
    /// The source of the bytes failed.
    Source(Arc<dyn std::error::Error + Send + Sync>),
}

/// No stream at all: every streamed param is unknown.
///
/// ```
/// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
///
/// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
/// let (given, mut state) = (Given::default(), State::new());
/// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
/// assert!(resolver.data_end().unwrap_err().is_unknown());
/// ```
#[derive(Clone, Copy, Debug)]
pub struct NoValues;

impl Values for NoValues {
    fn is_uniform(&self) -> bool {
        true
    }

    fn param(&self, _: &ParamAt) -> std::result::Result<i128, Fault> {
        Err(Fault::Unknown)
    }

    fn stored(&self, _: ArrayId, _: u64) -> std::result::Result<u64, Fault> {
        Err(Fault::Unknown)
    }
}

/// The values of a caller about a stream.
///
/// ```
/// use dudley_parser::resolve::{Given, Resolver, State};
///
/// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
/// let (n, _) = layout.params().next().unwrap();
/// let given = Given { start: 16, params: [(n, 3)].into_iter().collect(), ..Given::default() };
/// let (mut values, mut state) = (dudley_parser::resolve::NoValues, State::new());
/// let mut resolver = Resolver::new(&layout, &given, &mut values, &mut state);
/// assert_eq!(resolver.data_end().ok(), Some(16 + 8 + 24));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Given {
    /// Where the cursor starts, in bytes: 16 in a native stream, 0 in any other (spec 6.1).
    pub start: u64,
    /// Values that override fixed params, or stand for streamed ones.
    pub params: HashMap<ParamId, i128>,
    /// The length of the stream in bytes, for `stream_bytes` (spec 4.7).
    pub stream_bytes: Option<u64>,
    /// Where the cursor stands before steps of the root, by their index, in bytes; of the others it
    /// stands where the step before leaves it. For excerpts, which leave out what lies before.
    pub cursors: HashMap<usize, u64>,
}

/// Places what a layout declares.
///
/// ```
/// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
///
/// let layout = dudley_parser::check(b"a = u1  x = f8[3]").layout.unwrap();
/// let (given, mut state) = (Given::default(), State::new());
/// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
/// assert_eq!(resolver.step_address(1)?, 8);
/// # Ok::<(), dudley_parser::resolve::ResolveError>(())
/// ```
pub struct Resolver<'a> {
    layout: &'a Layout,
    given: &'a Given,
    values: &'a dyn Values,
    state: &'a mut State,
}

/// The results so far: the addresses of the steps of the root, and values of params.
///
/// ```
/// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
///
/// let layout = dudley_parser::check(b"x = f8").layout.unwrap();
/// let (given, mut state) = (Given::default(), State::new());
/// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
/// assert_eq!(resolver.data_end()?, 8);
/// // The next resolver continues from the results of the first.
/// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
/// assert_eq!(resolver.data_end()?, 8);
/// # Ok::<(), dudley_parser::resolve::ResolveError>(())
/// ```
#[derive(Debug, Default)]
pub struct State {
    slots: Vec<Slot>,
    /// By param: where it was read last, if it is one of several instances.
    read_at: Vec<u64>,
    /// By step of the root: its address, or where the cursor stands before a repeat.
    placed: Vec<u64>,
    /// The first step that was not placed yet.
    frontier: usize,
    /// Where the cursor stands there; `None` behind something of unknown size.
    cursor: Option<u64>,
    /// The greatest end of what was placed.
    end: u64,
    /// Steps that could not be placed, and why; in order.
    failures: Vec<(usize, ResolveError)>,
    /// Changes whenever a param of a struct or a repeated dict does.
    epoch: u64,
    memo: HashMap<(u32, u64), (u64, measure::Extent)>,
    sizes: HashMap<RecordId, (u64, u64, u64)>,
    walks: HashMap<(RepeatId, u64), Vec<u64>>,
    /// Of lists at the root whose items were asked for last: where the repetition begins, and where some of its elements do.
    elements: HashMap<RepeatId, (u64, Vec<u64>)>,
    depth: u32,
    /// Where elements are cut off that are measured to find out their number (spec 4.9).
    cut: Option<u64>,
    /// This many of [`Layout::guards`] were skipped, and had their values.
    guarded: usize,
}

/// No address: above [`LIMIT`].
const UNPLACED: u64 = u64::MAX;

#[derive(Clone, Debug, Default)]
enum Slot {
    #[default]
    Unset,
    Known(i64),
    Bad(ResolveError),
}

impl State {
    /// Nothing known yet.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"x = f8").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// assert_eq!(resolver.known_end(), 8);
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Nothing known yet but that the first `guarded` steps of [`Layout::guards`] have their values.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"magic = u1  #: const = 7").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::guarded(1));
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// assert_eq!(resolver.data_end()?, 1);
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    pub fn guarded(guarded: usize) -> Self {
        Self { guarded, ..Self::default() }
    }
}

impl<'a> Resolver<'a> {
    /// A resolver that continues from a state; a state belongs to one layout, what was given, and one
    /// source of values.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"x = f8").layout.unwrap();
    /// let (given, mut state) = (Given { start: 16, ..Given::default() }, State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// assert_eq!(resolver.data_end()?, 16 + 8);
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    pub fn new(
        layout: &'a Layout,
        given: &'a Given,
        values: &'a dyn Values,
        state: &'a mut State,
    ) -> Self {
        if state.slots.is_empty() {
            state.slots.resize(layout.param_count() + 1, Slot::Unset);
            state.read_at.resize(layout.param_count() + 1, UNPLACED);
            state.placed.resize(layout.root().len(), UNPLACED);
            state.cursor = Some(given.start);
        }
        Self { layout, given, values, state }
    }

    /// The layout.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"x = f8").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// assert_eq!(resolver.layout().text(), "x = f8");
    /// ```
    pub fn layout(&self) -> &'a Layout {
        self.layout
    }

    /// The greatest end of any item, in bytes from the start of the stream (spec 6.5).
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"x = f8[3]").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// assert_eq!(resolver.data_end()?, 24);
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If something cannot be placed, so that the end is not known.
    pub fn data_end(&mut self) -> Result<u64> {
        self.place_root(self.layout.root().len());
        match self.state.failures.first() {
            None => Ok(self.state.end),
            Some((_, error)) => Err(error.clone()),
        }
    }

    /// The greatest end of what can be placed.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"x = f8[3]  N : i8  y = f8[N]").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// assert!(resolver.data_end().is_err());
    /// assert_eq!(resolver.known_end(), 24 + 8);
    /// ```
    pub fn known_end(&mut self) -> u64 {
        self.place_root(self.layout.root().len());
        self.state.end
    }

    /// Every step of the root that cannot be placed, and why; steps that merely lie behind one are
    /// not among them.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"N : i8  x = f8[N]  y = f8").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let failed: Vec<usize> = resolver.failures().iter().map(|(step, _)| *step).collect();
    /// assert_eq!(failed, [1]);
    /// ```
    pub fn failures(&mut self) -> &[(usize, ResolveError)] {
        self.place_root(self.layout.root().len());
        &self.state.failures
    }

    /// Places the steps of the root before `until`.
    fn place_root(&mut self, until: usize) {
        let layout = self.layout;
        let steps = layout.root();
        // What is cut off is among what comes next, not here.
        let cut = self.state.cut.take();
        while self.state.frontier < until {
            let at = self.state.frontier;
            self.place_root_step(at, steps[at]);
            self.state.frontier = at + 1;
        }
        self.state.cut = cut;
    }

    fn place_root_step(&mut self, at: usize, step: Step) {
        self.come_to(at);
        let cursor = self.state.cursor.ok_or_else(|| self.failure(at));
        if self.needs_bytes(step)
            && let Err(wrong) = self.guard(at)
        {
            self.state.failures.push((at, wrong));
            self.state.cursor = None;
            return;
        }
        let passed = match cursor {
            // Its own faults are found all the same.
            Err(_) if !self.has_address(step) && !self.needs_bytes(step) => {
                let fault = self.measure_step(step, self.given.start, 0).err();
                pass::Passed::lost(cursor, fault)
            }
            cursor => self.pass(step, cursor),
        };
        if let Some(begin) = passed.begin {
            self.state.placed[at] = begin;
        }
        if let Some(error) = passed.fault {
            self.state.failures.push((at, error));
        }
        self.state.cursor = passed.cursor.ok();
        self.state.end = self.state.end.max(passed.end);
    }

    /// Compares what has only one legal value in front of a step of the root (spec 7.3a), before anything is
    /// read there.
    pub(super) fn guard(&mut self, at: usize) -> Result<()> {
        let (layout, values) = (self.layout, self.values);
        while let Some(&step) = layout.guards().get(self.state.guarded).filter(|it| **it < at) {
            // What is requested on the way lies in front of it.
            self.state.guarded += 1;
            if let Err(fault) = values.guard(self, step) {
                self.state.guarded -= 1;
                return Err(ResolveError::of_fault(fault));
            }
        }
        Ok(())
    }

    /// The cursor goes to where it is said to stand before a step.
    fn come_to(&mut self, at: usize) {
        if let Some(&cursor) = self.given.cursors.get(&at) {
            self.state.cursor = Some(cursor);
        }
    }

    /// The address of a step of the root, by its index (of a repeat: where the cursor stands before
    /// it); everything up to it is placed and measured, and so is the step itself.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"a = u1  x = f8").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// assert_eq!(resolver.step_address(1)?, 8);
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be placed.
    pub fn step_address(&mut self, at: usize) -> Result<u64> {
        self.place_root((at + 1).min(self.layout.root().len()));
        match self.state.placed.get(at) {
            None | Some(&UNPLACED) => Err(self.failure(at)),
            Some(&address) => Ok(address),
        }
    }

    /// A step of the root, by its index, with all that lies in it: from where it begins to the end of
    /// what reaches furthest.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"a = u1  l [f8]*3").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let list = resolver.step_extent(1)?;
    /// assert_eq!((list.address, list.bytes), (1, 31));
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be placed or measured.
    pub fn step_extent(&mut self, at: usize) -> Result<Placed> {
        let address = self.step_address(at)?;
        let extent = self.measure_step(self.layout.root()[at], address, 0)?;
        Ok(Placed { address, bytes: extent.end.saturating_sub(address) })
    }

    /// Where the cursor stands behind the first `steps` steps of the root.
    fn cursor_behind(&mut self, steps: usize) -> Result<u64> {
        self.place_root(steps.min(self.layout.root().len()));
        match (self.state.frontier == steps, self.state.cursor) {
            (true, Some(cursor)) => Ok(cursor),
            _ => Err(self.failure(steps)),
        }
    }

    /// Why a step of the root has no address.
    fn failure(&self, at: usize) -> ResolveError {
        let behind = self.state.failures.partition_point(|(step, _)| *step <= at);
        match behind.checked_sub(1).and_then(|last| self.state.failures.get(last)) {
            Some((_, error)) => error.clone(),
            None => ResolveError::new(ErrorKind::Unplaced, crate::span::Span::default()),
        }
    }

    /// The address of a step of the root (of a repeat: where the cursor stands before it).
    fn root_address(&mut self, at: usize) -> Result<u64> {
        if let Step::Repeat(_) = self.layout.root()[at] {
            // Where it begins takes no walk through all its repetitions.
            self.place_root(at);
            if self.state.frontier == at {
                self.come_to(at);
            }
            if let (true, Some(cursor)) = (self.state.frontier == at, self.state.cursor) {
                return Ok(cursor);
            }
        }
        self.place_root(at + 1);
        match self.state.placed[at] {
            UNPLACED => Err(self.failure(at)),
            address => Ok(address),
        }
    }

    /// The value of a param in force, checked to be a legal one.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"N : 3  x = f8[N]").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let (n, _) = layout.params().next().unwrap();
    /// assert_eq!(resolver.value(n)?, 3);
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If it is unknown, cannot be read, or is out of range.
    pub fn value(&mut self, id: ParamId) -> Result<i64> {
        match &self.state.slots[id.index()] {
            Slot::Known(value) => return Ok(*value),
            Slot::Bad(error) => return Err(error.clone()),
            Slot::Unset => {}
        }
        let result = self.find_value(id);
        self.state.slots[id.index()] = match &result {
            Ok(value) => Slot::Known(*value),
            Err(error) => Slot::Bad(error.clone()),
        };
        result
    }

    fn find_value(&mut self, id: ParamId) -> Result<i64> {
        let (raw, address) = self.raw_value(id)?;
        self.legal(id, raw, address)
    }

    /// A param's value as it is given or stored, legal or not, and its address where it was read.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
    /// let (n, _) = layout.params().next().unwrap();
    /// let given = Given { params: [(n, -7)].into_iter().collect(), ..Given::default() };
    /// let mut state = State::new();
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// assert_eq!(resolver.raw_value(n)?, (-7, None));
    /// assert!(resolver.value(n).is_err());
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If it is unknown or cannot be read.
    pub fn raw_value(&mut self, id: ParamId) -> Result<(i128, Option<u64>)> {
        if let Some(&value) = self.given.params.get(&id) {
            return Ok((value, None));
        }
        let param = &self.layout[id];
        match param.value {
            // Without a stream its length is not known; the declared value only stands for it.
            ParamValue::Fixed(_) if param.stream_bytes => match self.given.stream_bytes {
                Some(bytes) => Ok((bytes.into(), None)),
                None => Err(self.unknown(id)),
            },
            ParamValue::Fixed(value) => match (param.to_end, self.given.stream_bytes) {
                (Some(taker), Some(end)) => {
                    // Where it begins was skipped when it was requested first.
                    let room = match &self.state.slots[id.index()] {
                        Slot::Known(value) => i128::from(*value),
                        Slot::Bad(error) => return Err(error.clone()),
                        Slot::Unset => self.room(id, taker, end)?.into(),
                    };
                    Ok((room, None))
                }
                _ => Ok((value.into(), None)),
            },
            ParamValue::Streamed(..) => {
                let Scope::Dict(_) = param.scope else {
                    return Err(self.unknown(id));
                };
                let address = self.root_address(param.step as usize)?;
                self.guard(param.step as usize + 1)?;
                Ok((self.read_param(id, address)?, Some(address)))
            }
        }
    }

    /// The value of a streamed param as it is stored at an address, legal or not.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let (n, _) = layout.params().next().unwrap();
    /// assert!(resolver.stored_value(n, 0).unwrap_err().is_unknown()); // no stream
    /// ```
    ///
    /// # Errors
    /// If it is unknown or cannot be read.
    pub fn stored_value(&mut self, id: ParamId, address: u64) -> Result<i128> {
        self.read_param(id, address)
    }

    fn read_param(&mut self, id: ParamId, address: u64) -> Result<i128> {
        let param = &self.layout[id];
        let ParamValue::Streamed(primitive, order) = param.value else {
            return Err(self.unknown(id));
        };
        let at = ParamAt { param: id, address, primitive, order };
        self.values.param(&at).map_err(|fault| match fault {
            Fault::Unknown => self.unknown(id),
            Fault::Source(source) => ResolveError::new(ErrorKind::Source(source), param.span),
        })
    }

    fn unknown(&self, id: ParamId) -> ResolveError {
        let kind = ErrorKind::Unknown(id, self.layout.param_path(id));
        ResolveError::new(kind, self.layout[id].span)
    }

    /// A param's value, if it is a legal one: -1 to 2^63 - 1.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let (n, _) = layout.params().next().unwrap();
    /// assert_eq!(resolver.legal_value(n, -1, None)?, -1);
    /// assert!(resolver.legal_value(n, -2, None).is_err());
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If it is not; the error names the param, the value and where it was read.
    pub fn legal_value(&self, id: ParamId, value: i128, address: Option<u64>) -> Result<i64> {
        self.legal(id, value, address)
    }

    fn legal(&self, id: ParamId, value: i128, address: Option<u64>) -> Result<i64> {
        match i64::try_from(value) {
            Ok(legal) if legal >= -1 => Ok(legal),
            _ => {
                let name = self.layout.param_path(id);
                let declared = address.is_none()
                    && !self.given.params.contains_key(&id)
                    && !self.layout[id].is_streamed();
                let kind = ErrorKind::ParamValue { name, value, address, declared };
                Err(ResolveError::new(kind, self.layout[id].span))
            }
        }
    }

    /// Reads a param of a struct or a repeated dict at its place in this instance. A bad value is
    /// kept until something needs it.
    fn enter_param(&mut self, id: ParamId, address: u64) {
        if !self.layout[id].used {
            return;
        }
        self.state.read_at[id.index()] = address;
        let read = self.read_param(id, address);
        let slot = match read.and_then(|value| self.legal(id, value, Some(address))) {
            Ok(value) => Slot::Known(value),
            Err(error) => Slot::Bad(error),
        };
        let same = matches!((&self.state.slots[id.index()], &slot),
            (Slot::Known(old), Slot::Known(new)) if old == new);
        if !same {
            self.state.epoch += 1;
            self.state.slots[id.index()] = slot;
        }
    }
}

/// Whether an address is one.
const fn is_address(value: i64) -> Option<u64> {
    if value < 0 || value as u64 > LIMIT { None } else { Some(value as u64) }
}
