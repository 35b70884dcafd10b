//! Where a step begins and ends, as operations; the counterpart of `resolve/measure.rs`.

use super::{Dimension, Node, Op, Plan};
use crate::layout::{
    Array, ArrayId, Count, Element, ParamId, ParamValue, Place, RecordId, RepeatId, Run, Scope,
    Step, Term,
};
use crate::resolve::MemberKind;

/// Where the cursor stands behind something, and the greatest end of it (0 if it has no bytes); where
/// nothing in it goes back to an address, that end is not looked at.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extent {
    pub(super) cursor: Option<Node>,
    pub(super) end: Option<Node>,
}

/// A member of a struct: where it lies from the start of an instance, and its bytes.
#[derive(Clone, Debug)]
pub struct Member {
    /// What it is.
    pub kind: MemberKind,
    /// Its dimensions, those of -1 among them.
    pub dims: Vec<Dimension>,
    /// Where the members before it end.
    pub cursor: Option<Node>,
    /// Bytes from the start of the instance.
    pub offset: Option<Node>,
    /// Bytes it takes; 0 for fixed params.
    pub bytes: Option<Node>,
}

/// Lists and structs that nest deeper have no operations: each takes its stack.
const DEPTH_LIMIT: u32 = 100;

/// So many steps are measured at most, and each step of the layout so often: each list in a list
/// doubles the work.
const WORK: u64 = 100_000;
const WORK_PER_STEP: u64 = 16;

impl Plan<'_> {
    /// The value of a param; none if each repetition or instance has its own.
    pub fn param(&mut self, id: ParamId) -> Option<Node> {
        let param = &self.layout[id];
        match (param.scope, param.value) {
            (Scope::Dict(_), _) => {
                let stands = self.stand_ins.get(id.index()).cloned();
                Some(self.node(stands.unwrap_or(Op::Param(id))))
            }
            (_, ParamValue::Fixed(value)) if value >= -1 => Some(self.number(value)),
            (_, ParamValue::Fixed(_)) => Some(self.node(Op::Illegal)),
            (_, ParamValue::Streamed(..)) => None,
        }
    }

    fn sum(&mut self, terms: &[Term]) -> Option<Node> {
        let (mut plus, mut minus) = (Vec::new(), Vec::new());
        for term in terms {
            match *term {
                Term::Int(value) => plus.push(self.number(value)),
                Term::Plus(id) => plus.push(self.param(id)?),
                Term::Minus(id) => minus.push(self.param(id)?),
            }
        }
        Some(self.node(Op::Sum(plus.into(), minus.into())))
    }

    /// A count: below 0 only where it is a dimension of -1.
    pub(super) fn count(&mut self, count: Count) -> Option<Node> {
        match count {
            Count::Int(value) => Some(self.number(value)),
            Count::Param(id, suffix) => {
                let param = self.param(id)?;
                Some(self.node(Op::Dim(param, suffix)))
            }
            Count::Sum(sum) => {
                let layout = self.layout;
                let total = self.sum(layout.terms(sum))?;
                Some(self.node(Op::Natural(total)))
            }
        }
    }

    /// A count of something that cannot be fewer than none.
    pub(super) fn natural(&mut self, count: Count) -> Option<Node> {
        let count = self.count(count)?;
        Some(self.node(Op::Natural(count)))
    }

    /// The dimensions of an array, those of -1 among them.
    pub fn dims(&mut self, array: &Array) -> Vec<Dimension> {
        let layout = self.layout;
        let dims = layout.dims(array).iter();
        dims.map(|dim| Dimension { count: dim.count, node: self.count(dim.count) }).collect()
    }

    /// The bytes of so many elements of so many bytes; none if a dimension has no operation.
    pub fn product(&mut self, dims: &[Dimension], element: Node) -> Option<Node> {
        let dims: Option<Box<[Node]>> = dims.iter().map(|dim| dim.node).collect();
        Some(self.node(Op::Bytes(dims?, element)))
    }

    /// The bytes of one element.
    pub fn element_bytes(&mut self, element: Element) -> Option<Node> {
        match element {
            Element::Primitive(primitive, _) => Some(self.unsigned(primitive.size())),
            Element::Record(record) => self.record_bytes(record),
        }
    }

    /// Bytes of an array in the stream.
    pub(super) fn array_bytes(&mut self, id: ArrayId) -> Option<Node> {
        let layout = self.layout;
        let array = &layout[id];
        if let Some(stored) = array.filter.and_then(|filter| layout[filter].stored) {
            return self.natural(stored.count);
        }
        let dims = self.dims(array);
        let varies = matches!(array.element, Element::Record(it) if layout[it].variable);
        if varies {
            let counts: Option<Vec<Node>> = dims.iter().map(|dim| dim.node).collect();
            return self.measured_bytes(counts?);
        }
        let element = self.element_bytes(array.element)?;
        let bytes = self.product(&dims, element)?;
        match array.filter {
            Some(_) => self.measured_bytes(vec![bytes]),
            None => Some(bytes),
        }
    }

    /// Bytes that only a stream tells, but for those of nothing; none where that cannot be.
    fn measured_bytes(&mut self, counts: Vec<Node>) -> Option<Node> {
        if counts.iter().all(|count| self.as_number(*count).is_some_and(|count| count != 0)) {
            return None;
        }
        let unknown = self.unknown()?;
        Some(self.node(Op::Bytes(counts.into(), unknown)))
    }

    /// Bytes of an instance of a struct; none if instances differ.
    pub fn record_bytes(&mut self, id: RecordId) -> Option<Node> {
        if let Some(known) = self.sizes.get(&id) {
            return *known;
        }
        let size = self.nested(|plan| plan.record_size(id));
        self.sizes.insert(id, size);
        size
    }

    fn record_size(&mut self, id: RecordId) -> Option<Node> {
        let layout = self.layout;
        if layout[id].variable {
            return None;
        }
        let mut cursor = self.number(0);
        let mut ends = Vec::new();
        for &step in layout.run(layout[id].members) {
            cursor = self.measure_step(step, Some(cursor)).cursor?;
            ends.push(cursor);
        }
        let end = self.greatest(ends);
        let bytes = self.number(1);
        Some(self.node(Op::Align { cursor: end, to: layout[id].align, bytes }))
    }

    pub(super) fn greatest(&mut self, mut ends: Vec<Node>) -> Node {
        ends.sort_unstable();
        ends.dedup();
        match *ends {
            [one] => one,
            _ => self.node(Op::Max(ends.into())),
        }
    }

    /// Where the members of a struct lie in an instance.
    pub fn members(&mut self, id: RecordId) -> Vec<Member> {
        let layout = self.layout;
        let mut cursor = Some(self.number(0));
        let mut members = Vec::new();
        for &step in layout.run(layout[id].members) {
            let (kind, dims) = match step {
                Step::Param(param) => (MemberKind::Param(param), Vec::new()),
                Step::Array(array) => (MemberKind::Array(array), self.dims(&layout[array])),
                _ => continue,
            };
            let (offset, bytes, behind) = self.placed(step, cursor);
            members.push(Member { kind, dims, cursor, offset, bytes });
            cursor = behind;
        }
        members
    }

    /// Address and bytes of a param or array, and where the cursor stands behind it.
    pub(super) fn placed(
        &mut self,
        step: Step,
        cursor: Option<Node>,
    ) -> (Option<Node>, Option<Node>, Option<Node>) {
        let layout = self.layout;
        let (bytes, some, place, to) = match step {
            Step::Array(id) => {
                let array = &layout[id];
                let bytes = self.array_bytes(id);
                // Of what is of variable size it is known where it begins, if it has any elements.
                let some = match layout.is_measured(array) {
                    true => {
                        let (one, dims) = (self.number(1), self.dims(array));
                        self.product(&dims, one)
                    }
                    false => bytes,
                };
                (bytes, some, array.place, array.align)
            }
            Step::Param(id) => {
                let param = &layout[id];
                let bytes = match param.value {
                    ParamValue::Fixed(_) => 0,
                    ParamValue::Streamed(primitive, _) => primitive.size(),
                };
                let bytes = Some(self.unsigned(bytes));
                (bytes, bytes, param.place, param.align)
            }
            _ => return (None, None, None),
        };
        let begin = match (place, cursor, some) {
            (Place::At(count, _), ..) => self.natural(count),
            (Place::Next, Some(cursor), Some(bytes)) => {
                Some(self.node(Op::Align { cursor, to, bytes }))
            }
            _ => None,
        };
        let behind = match (begin, bytes) {
            (Some(begin), Some(bytes)) => Some(self.node(Op::Add(begin, bytes))),
            _ => None,
        };
        (begin, bytes, behind)
    }

    /// Where the cursor stands behind a step; what has an address of its own lies there wherever it stood.
    pub(super) fn measure_step(&mut self, step: Step, cursor: Option<Node>) -> Extent {
        self.work += 1;
        if self.work > WORK + WORK_PER_STEP * self.layout.steps.len() as u64 {
            return Extent::default();
        }
        match step {
            Step::Enter(_) => Extent { cursor, end: Some(self.number(0)) },
            Step::Param(_) | Step::Array(_) => {
                let (_, bytes, behind) = self.placed(step, cursor);
                let (Some(bytes), Some(cursor)) = (bytes, behind) else { return Extent::default() };
                let end = self.layout.goes_back(step).then(|| self.node(Op::End { bytes, cursor }));
                Extent { cursor: behind, end: end.or(behind) }
            }
            Step::Repeat(id) => self.measure_repeat(id, cursor),
            Step::Group(id) => {
                let run = self.layout[id].run;
                self.nested(|plan| Some(plan.measure_run(run, cursor))).unwrap_or_default()
            }
        }
    }

    /// The steps of a run one after the other. Where nothing goes back to an address, the greatest
    /// end is where the cursor stands.
    fn measure_run(&mut self, run: Run, cursor: Option<Node>) -> Extent {
        let layout = self.layout;
        let absolute = layout.run(run).iter().any(|step| self.layout.goes_back(*step));
        let mut here = cursor;
        let mut ends = Some(Vec::new());
        for &step in layout.run(run) {
            let extent = self.measure_step(step, here);
            if absolute {
                let end = match self.layout.goes_back(step) {
                    true => extent.end,
                    false => self.end_of(here, extent.cursor),
                };
                ends = ends.zip(end).map(|(mut ends, end)| {
                    ends.push(end);
                    ends
                });
            }
            here = extent.cursor;
        }
        let end = match absolute {
            true => ends.map(|ends| self.greatest(ends)),
            false => self.end_of(cursor, here),
        };
        Extent { cursor: here, end }
    }

    /// The end of what lies between two cursors.
    fn end_of(&mut self, before: Option<Node>, behind: Option<Node>) -> Option<Node> {
        let (before, cursor) = (before?, behind?);
        let bytes = self.node(Op::Sum([cursor].into(), [before].into()));
        Some(self.node(Op::End { bytes, cursor }))
    }

    fn nested<T>(&mut self, measure: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= DEPTH_LIMIT {
            return None;
        }
        self.depth += 1;
        let found = measure(self);
        self.depth -= 1;
        found
    }

    /// How often a piece of a list repeats its items; none if each time differs.
    pub fn repetitions(&mut self, id: RepeatId) -> Option<Node> {
        self.natural(self.layout[id].count)
    }

    fn measure_repeat(&mut self, id: RepeatId, cursor: Option<Node>) -> Extent {
        let Some(count) = self.repetitions(id) else { return Extent::default() };
        if self.as_number(count) == Some(0) || self.layout[id].body.is_empty() {
            return Extent { cursor, end: Some(self.number(0)) };
        }
        if self.as_number(count) == Some(1) {
            return self.repetition(id, cursor);
        }
        let may_be_none = self.layout[id].varying && self.as_number(count).is_none();
        let unknown = may_be_none.then(|| self.unknown()).flatten();
        let behind = self.repeated(id, cursor, count, unknown);
        // Where the greatest end is, depends on what goes back to an address.
        let end = match self.layout[id].absolute {
            true => None,
            false => self.end_of(cursor, behind),
        };
        Extent { cursor: behind, end }
    }

    /// Where the cursor stands before a repetition.
    pub(super) fn cursor_before(
        &mut self,
        id: RepeatId,
        cursor: Option<Node>,
        index: Node,
    ) -> Option<Node> {
        if self.as_number(index) == Some(0) {
            return cursor;
        }
        if self.layout[id].varying {
            return None;
        }
        self.repeated(id, cursor, index, None)
    }

    /// Where the cursor stands before a repetition; what has no operation in them is `unknown`.
    fn repeated(
        &mut self,
        id: RepeatId,
        cursor: Option<Node>,
        index: Node,
        unknown: Option<Node>,
    ) -> Option<Node> {
        let second = self.repetition(id, cursor).cursor;
        if cursor.is_none() && second.is_none() {
            return None;
        }
        let third = second.and_then(|second| self.repetition(id, Some(second)).cursor);
        let (second, third) = (second.or(unknown)?, third.or(unknown)?);
        let first = cursor.or_else(|| self.unknown())?;
        Some(self.node(Op::Repeat { index, first, second, third }))
    }

    fn repetition(&mut self, id: RepeatId, cursor: Option<Node>) -> Extent {
        let body = self.layout[id].body;
        if let Some(found) = self.runs.get(&(body, cursor)) {
            return *found;
        }
        let found = self.nested(|plan| Some(plan.measure_run(body, cursor))).unwrap_or_default();
        self.runs.insert((body, cursor), found);
        found
    }

    /// The greatest end of any item; none if something has no operation.
    pub fn data_end(&mut self) -> Option<Node> {
        let run = self.layout[crate::layout::ROOT].run;
        let start = self.unsigned(self.start);
        self.measure_run(run, Some(start)).end
    }
}
