//! Where a step begins and ends, given where the cursor stands.

use super::{ErrorKind, Fault, ResolveError, Resolver, Result};
use crate::layout::{
    Array, ArrayId, Element, ParamId, ParamValue, Place, RecordId, Run, Scope, Step,
};
use crate::place;
use crate::span::Span;

/// Where a step lies, in bytes from the start of what it lies in (the stream, or an instance).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    /// Its first byte; of a repeat or group, where the cursor stood before.
    pub(super) begin: u64,
    /// Where the cursor stands behind it.
    pub(super) cursor: u64,
    /// The greatest end of anything in it that has bytes; 0 if nothing has.
    pub(super) end: u64,
}

/// The count in front of what a filter stored, in bytes (spec 10).
pub const STORED_COUNT: u64 = 8;

/// How deep measuring may nest: structs in structs and lists in lists are bounded by the checker,
/// each by 256.
const DEPTH_LIMIT: u32 = 1024;

impl Resolver<'_> {
    /// Measures a step. `base` is the address of the instance that `cursor` is relative to.
    pub(super) fn measure_step(&mut self, step: Step, cursor: u64, base: u64) -> Result<Extent> {
        match step {
            Step::Enter(_) => Ok(Extent { begin: cursor, cursor, end: 0 }),
            Step::Param(id) => self.measure_param(id, cursor, base),
            Step::Array(id) => self.measure_array(id, cursor, base),
            Step::Repeat(id) => self.measure_repeat(id, cursor),
            Step::Group(id) => {
                let run = self.layout[id].run;
                self.measure_run(run, cursor)
            }
        }
    }

    /// The steps of a run one after the other.
    pub(super) fn measure_run(&mut self, run: Run, cursor: u64) -> Result<Extent> {
        let layout = self.layout;
        let mut whole = Extent { begin: cursor, cursor, end: 0 };
        for &step in layout.run(run) {
            let extent = self.measure_step(step, whole.cursor, 0)?;
            whole.cursor = extent.cursor;
            whole.end = whole.end.max(extent.end);
        }
        Ok(whole)
    }

    fn measure_param(&mut self, id: ParamId, cursor: u64, base: u64) -> Result<Extent> {
        let param = &self.layout[id];
        let ParamValue::Streamed(primitive, _) = param.value else {
            return Ok(Extent { begin: cursor, cursor, end: 0 });
        };
        let explicit = self.explicit(param.place)?;
        let extent = extent(cursor, explicit, primitive.size(), param.align)
            .ok_or_else(|| ResolveError::new(ErrorKind::AddressOverflow, param.span))?;
        self.check_cut(base, extent, param.span)?;
        if !matches!(param.scope, Scope::Dict(_)) {
            self.enter_param(id, base.saturating_add(extent.begin));
        }
        Ok(extent)
    }

    pub(super) fn explicit(&mut self, place: Place) -> Result<Option<u64>> {
        match place {
            Place::Next => Ok(None),
            Place::At(count, span) => self.address(count, span).map(Some),
        }
    }

    pub(super) fn measure_array(&mut self, id: ArrayId, cursor: u64, base: u64) -> Result<Extent> {
        let array = &self.layout[id];
        let explicit = self.explicit(array.place)?;
        let bytes = match (self.values.extent(id), array.filter) {
            (Some(bytes), _) => bytes,
            (None, Some(_)) => self.filtered_bytes(id, cursor, base, explicit)?,
            (None, None) => self.plain_bytes(array, cursor, base, explicit)?,
        };
        let extent = extent(cursor, explicit, bytes, array.align)
            .ok_or_else(|| ResolveError::new(ErrorKind::AddressOverflow, array.span))?;
        self.check_cut(base, extent, array.span)?;
        if array.guard && bytes > 0 {
            let values = self.values;
            values
                .guard_within(self, id, base.saturating_add(extent.begin))
                .map_err(ResolveError::of_fault)?;
        }
        Ok(extent)
    }

    fn plain_bytes(
        &mut self,
        array: &Array,
        cursor: u64,
        base: u64,
        explicit: Option<u64>,
    ) -> Result<u64> {
        let elements = self.elements(array)?;
        if elements.count() == Some(0) {
            return Ok(0);
        }
        let element = match array.element {
            Element::Primitive(primitive, _) => primitive.size(),
            Element::Record(record) if self.layout[record].variable => {
                let count = elements.count().ok_or_else(|| too_large(array.span))?;
                let begin = begin(array, cursor, explicit)?;
                let start = place::add(base, begin).ok_or_else(|| too_far(array.span))?;
                return self.instances_bytes(record, count, start, array.span);
            }
            Element::Record(record) => self.record_bytes(record)?,
        };
        elements.bytes(element).ok_or_else(|| too_large(array.span))
    }

    fn filtered_bytes(
        &mut self,
        id: ArrayId,
        cursor: u64,
        base: u64,
        explicit: Option<u64>,
    ) -> Result<u64> {
        let array = &self.layout[id];
        let stored = array.filter.and_then(|filter| self.layout[filter].stored);
        if let Some(stored) = stored {
            return self.stored_bytes(stored);
        }
        if self.raw_bytes(id)? == 0 {
            return Ok(0);
        }
        let address = place::add(base, begin(array, cursor, explicit)?);
        let address = address.ok_or_else(|| too_far(array.span))?;
        let count = Extent { begin: address, cursor: address.saturating_add(STORED_COUNT), end: 0 };
        self.check_cut(0, count, array.span)?;
        let count = self.values.stored(id, address).map_err(|fault| match fault {
            Fault::Unknown => ResolveError::new(ErrorKind::UnknownStored, array.span),
            Fault::Source(source) => ResolveError::new(ErrorKind::Source(source), array.span),
        })?;
        place::add(STORED_COUNT, count).ok_or_else(|| too_large(array.span))
    }

    /// Bytes of an array before its filter (and, without one, in the stream) if it is of fixed
    /// size.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"x = f8[3]").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let (x, _) = layout.arrays().next().unwrap();
    /// assert_eq!(resolver.raw_bytes(x)?, 24);
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If a dimension is unknown or illegal, or the size does not fit in 63 bits.
    pub fn raw_bytes(&mut self, id: ArrayId) -> Result<u64> {
        let array = &self.layout[id];
        let elements = self.elements(array)?;
        if elements.count() == Some(0) {
            return Ok(0);
        }
        let element = match array.element {
            Element::Primitive(primitive, _) => primitive.size(),
            Element::Record(record) => self.record_bytes(record)?,
        };
        elements.bytes(element).ok_or_else(|| too_large(array.span))
    }

    /// Bytes of an instance of a record of fixed size.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"x = {a = u1  b = f8}").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let (id, _) = layout.records().next().unwrap();
    /// assert_eq!(resolver.record_bytes(id)?, 16);
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If a dimension is unknown or illegal, or the size does not fit in 63 bits.
    pub fn record_bytes(&mut self, id: RecordId) -> Result<u64> {
        self.instance_bytes(id, 0)
    }

    /// Bytes of the instance of a record at an address, rounded up to its alignment.
    pub(super) fn instance_bytes(&mut self, id: RecordId, address: u64) -> Result<u64> {
        let record = &self.layout[id];
        let epoch = if record.local { self.state.epoch } else { 0 };
        let address = if record.variable { address } else { 0 };
        if let Some(&(then, at, size)) = self.state.sizes.get(&id)
            && (then, at) == (epoch, address)
        {
            return Ok(size);
        }
        self.nest(record.span)?;
        let size = self.measure_members(id, address);
        self.state.depth -= 1;
        let size = size?;
        // What was read inside may have changed the params of the record itself, but those of the
        // records around are as they were.
        let epoch = if record.local { self.state.epoch } else { 0 };
        self.state.sizes.insert(id, (epoch, address, size));
        Ok(size)
    }

    pub(super) fn nest(&mut self, span: Span) -> Result<()> {
        if self.state.depth >= DEPTH_LIMIT {
            return Err(too_large(span));
        }
        self.state.depth += 1;
        Ok(())
    }

    fn measure_members(&mut self, id: RecordId, address: u64) -> Result<u64> {
        let layout = self.layout;
        let record = &layout[id];
        let mut cursor = 0;
        let mut end = 0;
        for &step in layout.run(record.members) {
            let extent = match step {
                Step::Param(param) if !record.variable => {
                    self.measure_field_param(param, cursor)?
                }
                step => self.measure_step(step, cursor, address)?,
            };
            cursor = extent.cursor;
            // Unlike the end of the data, that of a struct counts an empty member with an `@`.
            end = end.max(extent.cursor);
        }
        place::align_up(end, record.align).ok_or_else(|| too_large(record.span))
    }

    /// A streamed param that no size depends on: a field like others, not read here.
    pub(super) fn measure_field_param(&mut self, id: ParamId, cursor: u64) -> Result<Extent> {
        let param = &self.layout[id];
        let ParamValue::Streamed(primitive, _) = param.value else {
            return Ok(Extent { begin: cursor, cursor, end: 0 });
        };
        let explicit = self.explicit(param.place)?;
        extent(cursor, explicit, primitive.size(), param.align)
            .ok_or_else(|| ResolveError::new(ErrorKind::AddressOverflow, param.span))
    }

    /// Bytes of this many instances of a record of variable size, one after the other.
    pub(super) fn instances_bytes(
        &mut self,
        id: RecordId,
        count: u64,
        start: u64,
        span: Span,
    ) -> Result<u64> {
        let mut total = 0;
        for at in 0..count {
            let address = place::add(start, total).ok_or_else(|| too_far(span))?;
            let size = self.instance_bytes(id, address)?;
            if size == 0 {
                // The next one starts at the same place, so it is the same.
                break;
            }
            if self.reads_alike(address) {
                let rest = place::multiply(count - at, size);
                let total = rest.and_then(|rest| place::add(total, rest));
                return total.ok_or_else(|| too_large(span));
            }
            total = place::add(total, size).ok_or_else(|| too_large(span))?;
        }
        Ok(total)
    }

    /// Whether what begins at an address or behind it is all of one size, if it is alike: everything reads
    /// the same there, or nothing does, behind the end of the stream.
    fn reads_alike(&self, address: u64) -> bool {
        self.values.is_uniform() || self.given.stream_bytes.is_some_and(|bytes| address >= bytes)
    }

    /// Whether a step has an explicit address, so that it needs no cursor.
    pub(crate) fn has_address(&self, step: Step) -> bool {
        match step {
            Step::Array(id) => matches!(self.layout[id].place, Place::At(..)),
            Step::Param(id) => matches!(self.layout[id].place, Place::At(..)),
            _ => false,
        }
    }

    /// Whether the size of a step is read from the stream.
    pub(super) fn needs_bytes(&self, step: Step) -> bool {
        match step {
            Step::Repeat(id) => self.layout[id].varying || self.layout[id].absolute,
            Step::Array(id) => self.layout.is_measured(&self.layout[id]),
            _ => false,
        }
    }
}

/// Where an array begins if it has any bytes.
fn begin(array: &Array, cursor: u64, explicit: Option<u64>) -> Result<u64> {
    place::begin(cursor, explicit, 1, array.align).ok_or_else(|| too_far(array.span))
}

fn extent(cursor: u64, explicit: Option<u64>, bytes: u64, align: u64) -> Option<Extent> {
    let begin = place::begin(cursor, explicit, bytes, align)?;
    let cursor = place::add(begin, bytes)?;
    Some(Extent { begin, cursor, end: if bytes == 0 { 0 } else { cursor } })
}

pub(super) fn too_large(span: Span) -> ResolveError {
    ResolveError::new(ErrorKind::SizeOverflow, span)
}

pub(super) fn too_far(span: Span) -> ResolveError {
    ResolveError::new(ErrorKind::AddressOverflow, span)
}
