//! Where a step begins and ends, as operations; the counterpart of `resolve/measure.rs`.

use super::{Dimension, Input, Node, Op, Place, Placed, Plan, Sequence};
use crate::layout::expr::ExprOp;
use crate::layout::{
    Array, ArrayId, Count, Element, ParamId, ParamValue, Place as Declared, RecordId, RepeatId,
    Run, Scope, Step,
};
use crate::resolve::MemberKind;

/// Where a step lies.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Extent {
    /// Its first byte; of what holds several, that of the first that moves the cursor.
    pub(super) begin: Option<Node>,
    /// Where the cursor stands behind it.
    pub(super) cursor: Option<Node>,
    /// The greatest end of anything in it, 0 if nothing in it has bytes; of a single item it is not looked at.
    pub(super) end: Option<Node>,
    /// Something in it surely has bytes.
    pub(super) some: bool,
}

/// A part of an expression: a chain of sums and differences stays open until something else needs it.
enum Part {
    Node(Node),
    Sum(Vec<Node>, Vec<Node>),
}

impl Extent {
    /// Of nothing.
    fn none(cursor: Option<Node>, zero: Node) -> Extent {
        Extent { begin: cursor, cursor, end: Some(zero), some: false }
    }
}

/// Where a param or array lies.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Spot {
    pub(super) place: Place,
    /// Where the stream tells how many bytes it has, if only that does.
    pub(super) sought: Option<Node>,
    /// Where the cursor stands behind it.
    pub(super) behind: Option<Node>,
}

/// Steps one after the other that do not go back to an address, so that they end where the last one does.
struct Since {
    /// Where the first one begins.
    begin: Option<Node>,
    /// One of them surely has bytes.
    some: bool,
}

/// A member of a struct: where it lies from the start of an instance, and its bytes.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its kind.
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

/// Ends of which the greatest is wanted; `None` if one of them has no operation.
pub(super) struct Ends(Option<Vec<Node>>);

impl Default for Ends {
    fn default() -> Self {
        Ends(Some(Vec::new()))
    }
}

impl Ends {
    pub(super) fn push(&mut self, end: Option<Node>) {
        match (&mut self.0, end) {
            (Some(ends), Some(end)) => ends.push(end),
            _ => self.0 = None,
        }
    }
}

/// Lists and structs that nest deeper have no operations: each takes its stack.
const DEPTH_LIMIT: u32 = 100;

/// This many steps are measured at most, and each step of the layout so often: each list in a list
/// doubles the work.
const WORK: u64 = 100_000;
const WORK_PER_STEP: u64 = 16;

impl Plan<'_> {
    /// The value of a param; `None` if each repetition or instance has its own.
    ///
    /// ```
    /// use dudley_parser::formula::plan::{Op, Plan};
    ///
    /// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
    /// let (n, _) = layout.params().next().unwrap();
    /// let mut plan = Plan::new(&layout, 0);
    /// let node = plan.param(n).unwrap();
    /// assert_eq!(plan.ops()[node.index()], Op::Param(n));
    /// ```
    pub fn param(&mut self, id: ParamId) -> Option<Node> {
        let param = &self.layout[id];
        match (param.scope, param.value) {
            (Scope::Dict(_), _) => {
                let stands = self.stand_ins.get(id.index()).cloned();
                Some(self.node(stands.unwrap_or(Op::Param(id))))
            }
            (_, ParamValue::Fixed(value)) if value >= -1 => Some(self.number(value)),
            (_, ParamValue::Fixed(_)) => Some(self.node(Op::Illegal)),
            (_, ParamValue::Streamed(..)) => self.own.then(|| self.node(Op::Own(id))),
        }
    }

    /// An expression. A chain of sums and differences is one operation.
    fn expression(&mut self, ops: &[ExprOp]) -> Option<Node> {
        let mut stack: Vec<Part> = Vec::new();
        for &op in ops {
            let part = match op {
                ExprOp::Int(value) => Part::Node(self.number(value)),
                ExprOp::Param(id) => Part::Node(self.param(id)?),
                op => {
                    let (b, a) = (stack.pop()?, stack.pop()?);
                    let b = self.part(b);
                    match op {
                        ExprOp::Add | ExprOp::Subtract => {
                            let (mut plus, mut minus) = match a {
                                Part::Sum(plus, minus) => (plus, minus),
                                Part::Node(node) => (vec![node], Vec::new()),
                            };
                            if op == ExprOp::Add {
                                plus.push(b)
                            } else {
                                minus.push(b)
                            }
                            Part::Sum(plus, minus)
                        }
                        ExprOp::Multiply => {
                            let a = self.part(a);
                            Part::Node(self.node(Op::Multiply(a, b)))
                        }
                        _ => {
                            let a = self.part(a);
                            Part::Node(self.node(Op::Divide(a, b)))
                        }
                    }
                }
            };
            stack.push(part);
        }
        let last = stack.pop()?;
        Some(self.part(last))
    }

    fn part(&mut self, part: Part) -> Node {
        match part {
            Part::Node(node) => node,
            Part::Sum(plus, minus) => self.node(Op::Sum(plus.into(), minus.into())),
        }
    }

    /// A count: below 0 only where it is a dimension of -1.
    pub(super) fn count(&mut self, count: Count) -> Option<Node> {
        match count {
            Count::Int(value) => Some(self.number(value)),
            Count::Param(id, suffix) => {
                let param = self.param(id)?;
                Some(self.node(Op::Dim(param, suffix)))
            }
            Count::Expr(expr) => {
                let layout = self.layout;
                let value = self.expression(layout.expr(expr))?;
                Some(self.node(Op::Natural(value)))
            }
        }
    }

    /// A count of something that cannot be fewer than none.
    pub(super) fn natural(&mut self, count: Count) -> Option<Node> {
        let count = self.count(count)?;
        Some(self.node(Op::Natural(count)))
    }

    /// The dimensions of an array, those of -1 among them.
    ///
    /// ```
    /// use dudley_parser::formula::plan::Plan;
    ///
    /// let layout = dudley_parser::check(b"x = f8[3, 4]").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// assert_eq!(Plan::new(&layout, 0).dims(x).len(), 2);
    /// ```
    pub fn dims(&mut self, array: &Array) -> Vec<Dimension> {
        let layout = self.layout;
        let dims = layout.dims(array).iter();
        dims.map(|dim| Dimension { count: dim.count, node: self.count(dim.count) }).collect()
    }

    /// The bytes of this many elements of this many bytes; `None` if a dimension has no operation.
    ///
    /// ```
    /// use dudley_parser::formula::plan::Plan;
    ///
    /// let layout = dudley_parser::check(b"x = f8[3, 4]").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// let mut plan = Plan::new(&layout, 0);
    /// let (dims, element) = (plan.dims(x), plan.number(8));
    /// let bytes = plan.product(&dims, element).unwrap();
    /// assert_eq!(plan.evaluate(&|_| None, &[])[bytes.index()], Some(96));
    /// ```
    pub fn product(&mut self, dims: &[Dimension], element: Node) -> Option<Node> {
        let dims: Option<Box<[Node]>> = dims.iter().map(|dim| dim.node).collect();
        Some(self.node(Op::Bytes(dims?, element)))
    }

    /// The bytes of one element.
    ///
    /// ```
    /// use dudley_parser::formula::plan::Plan;
    ///
    /// let layout = dudley_parser::check(b"x = f4[3]").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// let mut plan = Plan::new(&layout, 0);
    /// let bytes = plan.element_bytes(x.element).unwrap();
    /// assert_eq!(plan.as_number(bytes), Some(4));
    /// ```
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
        if self.program && layout.is_measured(array) {
            return Some(self.node(Op::Input(Input::Stored(id))));
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

    /// Of what is of variable size: a number that is 0 where surely nothing is in the stream.
    fn sought_bytes(&mut self, array: &Array) -> Option<Node> {
        let element = match array.element {
            Element::Record(id) if self.layout[id].variable => self.sought_of_record(id)?,
            element => self.element_bytes(element)?,
        };
        let dims = self.dims(array);
        self.product(&dims, element)
    }

    /// A number that is 0 where surely nothing of an instance of a struct is in the stream: all that stands in one of
    /// variable size may be nothing.
    fn sought_of_record(&mut self, id: RecordId) -> Option<Node> {
        if let Some(known) = self.sought.get(&id) {
            return *known;
        }
        let sought = self.nested(|plan| plan.sought_of_members(id));
        self.sought.insert(id, sought);
        sought
    }

    fn sought_of_members(&mut self, id: RecordId) -> Option<Node> {
        let layout = self.layout;
        let members = layout.run(layout[id].members);
        let in_stream = |step: &Step| matches!(step, Step::Param(id) if layout[*id].is_streamed());
        if members.iter().any(in_stream) {
            return Some(self.number(1));
        }
        let mut parts = Vec::new();
        for step in members {
            let Step::Array(member) = *step else { continue };
            let array = &layout[member];
            let element = match array.element {
                Element::Primitive(primitive, _) => self.unsigned(primitive.size()),
                Element::Record(record) => self.sought_of_record(record)?,
            };
            let dims = self.dims(array);
            parts.push(self.product(&dims, element)?);
        }
        Some(self.node(Op::Max(parts.into())))
    }

    /// Bytes that only a stream tells, except for those of nothing; `None` where that cannot be.
    fn measured_bytes(&mut self, counts: Vec<Node>) -> Option<Node> {
        if counts.iter().all(|count| self.as_number(*count).is_some_and(|count| count != 0)) {
            return None;
        }
        let unknown = self.unknown()?;
        Some(self.node(Op::Bytes(counts.into(), unknown)))
    }

    /// Bytes of an instance of a struct; `None` if instances differ.
    ///
    /// ```
    /// use dudley_parser::formula::plan::Plan;
    ///
    /// let layout = dudley_parser::check(b"x = {a = u1  b = f8}").layout.unwrap();
    /// let (id, _) = layout.records().next().unwrap();
    /// let mut plan = Plan::new(&layout, 0);
    /// let bytes = plan.record_bytes(id).unwrap();
    /// assert_eq!(plan.evaluate(&|_| None, &[])[bytes.index()], Some(16));
    /// ```
    pub fn record_bytes(&mut self, id: RecordId) -> Option<Node> {
        if self.program {
            return Some(self.node(Op::Input(Input::Instance(id))));
        }
        if let Some(known) = self.sizes.get(&id) {
            return *known;
        }
        let size = self.nested(|plan| plan.record_size(id));
        self.sizes.insert(id, size);
        size
    }

    fn record_size(&mut self, id: RecordId) -> Option<Node> {
        if self.layout[id].variable { None } else { self.sequence(Sequence::Members(id)).behind }
    }

    pub(super) fn greatest(&mut self, ends: Ends) -> Option<Node> {
        let mut ends = ends.0?;
        ends.retain(|end| self.as_number(*end) != Some(0));
        ends.sort_unstable();
        ends.dedup();
        Some(match *ends {
            [one] => one,
            _ => self.node(Op::Max(ends.into())),
        })
    }

    /// Where the members of a struct lie in an instance.
    ///
    /// ```
    /// use dudley_parser::formula::plan::Plan;
    ///
    /// let layout = dudley_parser::check(b"x = {a = u1  b = f8}").layout.unwrap();
    /// let (id, _) = layout.records().next().unwrap();
    /// let mut plan = Plan::new(&layout, 0);
    /// let b = plan.members(id)[1].offset.unwrap();
    /// assert_eq!(plan.evaluate(&|_| None, &[])[b.index()], Some(8));
    /// ```
    pub fn members(&mut self, id: RecordId) -> Vec<Member> {
        let mut members = Vec::new();
        for Placed { step, place, .. } in self.sequence(Sequence::Members(id)).steps {
            let (kind, dims) = match step {
                Step::Param(param) => (MemberKind::Param(param), Vec::new()),
                Step::Array(array) if !self.layout.is_end(&self.layout[array]) => {
                    (MemberKind::Array(array), self.dims(&self.layout[array]))
                }
                _ => continue,
            };
            let Place { cursor, address: offset, bytes } = place;
            members.push(Member { kind, dims, cursor, offset, bytes });
        }
        members
    }

    /// Where a param or array lies.
    pub(super) fn placed(&mut self, step: Step, cursor: Option<Node>) -> Spot {
        let layout = self.layout;
        let (bytes, sought, place, to) = match step {
            Step::Array(id) => {
                let array = &layout[id];
                let sought = layout.is_measured(array).then(|| self.sought_bytes(array)).flatten();
                (self.array_bytes(id), sought, array.place, array.align)
            }
            Step::Param(id) => {
                let param = &layout[id];
                let bytes = match param.value {
                    ParamValue::Fixed(_) => 0,
                    ParamValue::Streamed(primitive, _) => primitive.size(),
                };
                (Some(self.unsigned(bytes)), None, param.place, param.align)
            }
            _ => return Spot::default(),
        };
        let program = self.program;
        let mut begin = |some: Option<Node>| match (place, cursor, some) {
            (Declared::At(count, _), ..) => self.natural(count),
            (Declared::Next, Some(cursor), Some(bytes)) => {
                Some(self.node(Op::Align { cursor, to, bytes }))
            }
            _ => None,
        };
        let sought = sought.and_then(|bytes| begin(Some(bytes)));
        // Without the stream it is known where it begins if it has any elements.
        let address = match sought {
            Some(sought) if !program => Some(sought),
            _ => begin(bytes),
        };
        let behind = match (address, bytes) {
            (Some(begin), Some(bytes)) => Some(self.node(Op::Add(begin, bytes))),
            _ => None,
        };
        Spot { place: Place { cursor, address, bytes }, sought, behind }
    }

    /// Where the cursor stands behind a step; what has an address of its own lies there wherever it stood.
    pub(super) fn measure_step(&mut self, step: Step, cursor: Option<Node>) -> Extent {
        self.work += 1;
        if self.work > WORK + WORK_PER_STEP * self.layout.steps.len() as u64 {
            self.exhausted = true;
            return Extent::default();
        }
        match step {
            Step::Enter(_) => Extent::none(cursor, self.number(0)),
            Step::Param(_) | Step::Array(_) => {
                let Spot { place, behind, .. } = self.placed(step, cursor);
                let some = place.bytes.is_some_and(|bytes| self.is_positive(bytes));
                Extent { begin: place.address, cursor: behind, end: None, some }
            }
            Step::Repeat(id) => self.measure_repeat(id, cursor),
            Step::Group(id) => {
                let run = self.layout[id].run;
                self.nested(|plan| Some(plan.measure_run(run, cursor))).unwrap_or_default()
            }
        }
    }

    /// The steps of a run one after the other.
    fn measure_run(&mut self, run: Run, cursor: Option<Node>) -> Extent {
        let layout = self.layout;
        let mut whole = Extent { begin: None, cursor, end: None, some: false };
        let mut ends = Ends::default();
        let mut since = Since { begin: cursor, some: false };
        for &step in layout.run(run) {
            let extent = self.measure_step(step, whole.cursor);
            let alone = matches!(step, Step::Param(_) | Step::Array(_));
            if layout.goes_back(step) {
                self.end_of(&since, whole.cursor, &mut ends);
                since = if alone {
                    Since { begin: extent.begin, some: false }
                } else {
                    Since { begin: extent.cursor, some: false }
                };
                if !alone {
                    ends.push(extent.end);
                }
            }
            since.some |= extent.some && (alone || !layout.goes_back(step));
            whole.some |= extent.some;
            if extent.cursor != whole.cursor {
                whole.begin = whole.begin.or(extent.begin);
            }
            whole.cursor = extent.cursor;
        }
        self.end_of(&since, whole.cursor, &mut ends);
        whole.begin = whole.begin.or(cursor);
        whole.end = self.greatest(ends);
        whole
    }

    /// Adds where steps end, if the cursor stands behind them.
    fn end_of(&mut self, since: &Since, behind: Option<Node>, ends: &mut Ends) {
        if since.begin.is_some() && since.begin == behind {
            return;
        }
        let end = match (since.begin, behind) {
            (_, Some(cursor)) if since.some => Some(cursor),
            (Some(begin), Some(cursor)) => {
                let bytes = self.node(Op::Sum([cursor].into(), [begin].into()));
                Some(self.node(Op::End { bytes, cursor }))
            }
            _ => None,
        };
        ends.push(end);
    }

    fn nested<T>(&mut self, measure: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        if self.depth >= DEPTH_LIMIT {
            self.exhausted = true;
            return None;
        }
        self.depth += 1;
        let found = measure(self);
        self.depth -= 1;
        found
    }

    /// How often a piece of a list repeats its items; `None` if each time differs.
    ///
    /// ```
    /// use dudley_parser::formula::plan::Plan;
    ///
    /// let layout = dudley_parser::check(b"N : i8  l [f8]*N").layout.unwrap();
    /// let (_, list) = layout.lists().next().unwrap();
    /// let mut plan = Plan::new(&layout, 0);
    /// let count = plan.repetitions(list.pieces[0]).unwrap();
    /// assert_eq!(plan.evaluate(&|_| Some(5), &[])[count.index()], Some(5));
    /// ```
    pub fn repetitions(&mut self, id: RepeatId) -> Option<Node> {
        self.natural(self.layout[id].count)
    }

    fn measure_repeat(&mut self, id: RepeatId, cursor: Option<Node>) -> Extent {
        let Some(count) = self.repetitions(id) else { return Extent::default() };
        if self.as_number(count) == Some(0) || self.layout[id].body.is_empty() {
            return Extent::none(cursor, self.number(0));
        }
        if self.program {
            let behind = Some(self.node(Op::Input(Input::Behind(id))));
            return Extent { begin: None, cursor: behind, end: None, some: false };
        }
        let first = self.repetition(id, cursor);
        if self.as_number(count) == Some(1) {
            return first;
        }
        let may_be_none = self.layout[id].varying && self.as_number(count).is_none();
        let unknown = may_be_none.then(|| self.unknown()).flatten();
        let behind = self.repeated(id, cursor, count, unknown);
        let some = first.some && self.is_positive(count);
        let mut ends = Ends::default();
        if !self.layout[id].absolute {
            self.end_of(&Since { begin: cursor, some }, behind, &mut ends);
        } else if first.end.is_none_or(|end| self.as_number(end) != Some(0)) {
            // Where the greatest end is, depends on what goes back to an address.
            ends.push(None);
        }
        let end = self.greatest(ends);
        Extent { begin: first.begin, cursor: behind, end, some }
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

    /// One repetition. What it comes to is kept, since lists in lists are measured twice for each of
    /// those outside.
    pub(super) fn repetition(&mut self, id: RepeatId, cursor: Option<Node>) -> Extent {
        let repeat = &self.layout[id];
        // Without an `@` inside, what the greatest alignment divides only shifts what is there.
        if let Some(shift) = cursor
            && repeat.nested
            && !repeat.absolute
            && self.as_number(shift) != Some(0)
            && self.is_multiple(shift, repeat.phase)
        {
            let start = self.number(0);
            let found = self.repetition(id, Some(start));
            let mut add = |node: Option<Node>| Some(self.node(Op::Add(shift, node?)));
            let (begin, cursor) = (add(found.begin), add(found.cursor));
            let end = match (found.end, cursor) {
                (Some(bytes), Some(cursor)) => Some(self.node(Op::End { bytes, cursor })),
                _ => None,
            };
            return Extent { begin, cursor, end, some: found.some };
        }
        let body = repeat.body;
        if let Some(found) = self.runs.get(&(body, cursor)) {
            return *found;
        }
        let mut found =
            self.nested(|plan| Some(plan.measure_run(body, cursor))).unwrap_or_default();
        if repeat.varying {
            // The params of a repetition have no meaning outside of it.
            let outside = |node: &Node| !self.inner[node.index()];
            found.cursor = found.cursor.filter(outside);
            found.end = found.end.filter(outside);
        }
        self.runs.insert((body, cursor), found);
        found
    }

    /// The greatest end of any item; `None` if something has no operation.
    ///
    /// ```
    /// use dudley_parser::formula::plan::Plan;
    ///
    /// let layout = dudley_parser::check(b"x = f8[3]").layout.unwrap();
    /// let mut plan = Plan::new(&layout, 16);
    /// let end = plan.data_end().unwrap();
    /// assert_eq!(plan.evaluate(&|_| None, &[])[end.index()], Some(40));
    /// ```
    pub fn data_end(&mut self) -> Option<Node> {
        let run = self.layout[crate::layout::ROOT].run;
        let start = self.unsigned(self.start);
        self.measure_run(run, Some(start)).end
    }
}
