//! One operation: what it does, and how like ones are one.

use super::Plan;
use crate::layout::expr::quotient;
use crate::layout::{ArrayId, ParamId, RecordId, RepeatId};
use crate::place::{self, LIMIT};

/// The result of an operation, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Node(u32);

impl Node {
    /// The number itself, dense from 0.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The result of an operation of a plan, by its number; a plan has fewer than 2^32.
    pub(crate) const fn at(index: usize) -> Node {
        Node(index as u32)
    }
}

/// The operation. An illegal result makes every dependent result illegal.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Op {
    /// A number.
    Number(i64),
    /// No legal number, whatever the params are.
    Illegal,
    /// A number that only a stream tells; what needs it is not known.
    Unknown,
    /// A param; one below -1 or past 63 bits is illegal.
    Param(ParamId),
    /// A param of which each repetition or instance has its own, so that only a stream tells it. It has a
    /// name in formulas for people, which hold in its repetition alone.
    Own(ParamId),
    /// The value that a program has at a step (see [`Plan::for_programs`]).
    Input(Input),
    /// The number of a repetition, from 0; that of the outermost list first.
    Index(u32),
    /// A sum: what is added, and what is taken away.
    Sum(Box<[Node]>, Box<[Node]>),
    /// A product.
    Multiply(Node, Node),
    /// A quotient that leaves no remainder; another one is illegal.
    Divide(Node, Node),
    /// A param and how many more of it (below 0: fewer): 0 and -1 stay what they are, and any other
    /// result below 0 is illegal.
    Dim(Node, i32),
    /// The same number; one below 0 is illegal.
    Natural(Node),
    /// The bytes of an array: the product of its dimensions and of the bytes of an element. 0 if a
    /// dimension is 0, whatever an element has; a dimension of -1 counts as 1.
    Bytes(Box<[Node]>, Node),
    /// Where an item goes: the cursor if the item has no bytes, else the next multiple of a power of
    /// two.
    Align {
        /// The cursor.
        cursor: Node,
        /// The power of two.
        to: u64,
        /// The bytes of the item.
        bytes: Node,
    },
    /// A sum of two numbers of bytes.
    Add(Node, Node),
    /// The greatest; of none, 0.
    Max(Box<[Node]>),
    /// The end of what has this many bytes: 0 if it has none.
    End {
        /// The bytes.
        bytes: Node,
        /// Where they end.
        cursor: Node,
    },
    /// Where the cursor stands before a repetition: `first`, `second`, and from there on in steps of
    /// `third - second` (or 0, if that is below 0).
    Repeat {
        /// Which repetition; the count of them for the cursor behind the last.
        index: Node,
        /// The cursor before the first.
        first: Node,
        /// The cursor before the second.
        second: Node,
        /// The cursor before the third; not looked at for the first two.
        third: Node,
    },
}

/// A number that a program has when it needs it while it reads a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Input {
    /// Where the cursor stands before the first step: 16 in a native stream, 0 in others.
    Start,
    /// Where it stands before a repetition of a piece of a list.
    Cursor(RepeatId),
    /// Where it stands behind a piece of a list, of which the repetitions were placed.
    Behind(RepeatId),
    /// Bytes of an instance of a struct of fixed size, whose members were placed.
    Instance(RecordId),
    /// Bytes of an array where only the stream tells them: they were looked for at [`super::Placed::sought`].
    Stored(ArrayId),
}

fn fits(value: i128) -> Option<i64> {
    i64::try_from(value).ok()
}

fn natural(value: i64) -> Option<u64> {
    u64::try_from(value).ok()
}

fn signed(value: Option<u64>) -> Option<i64> {
    value.and_then(|value| i64::try_from(value).ok())
}

impl Op {
    pub(crate) fn value(
        &self,
        get: &dyn Fn(Node) -> Option<i64>,
        params: &dyn Fn(ParamId) -> Option<i128>,
        repetitions: &[u64],
    ) -> Option<i64> {
        match self {
            Op::Number(value) => Some(*value),
            Op::Illegal | Op::Unknown | Op::Own(_) | Op::Input(_) => None,
            Op::Param(id) => params(*id).and_then(fits).filter(|value| *value >= -1),
            Op::Index(depth) => signed(repetitions.get(*depth as usize).copied()),
            Op::Sum(plus, minus) => {
                let mut total: i128 = 0;
                for &node in plus {
                    total += i128::from(get(node)?);
                }
                for &node in minus {
                    total -= i128::from(get(node)?);
                }
                fits(total)
            }
            Op::Multiply(a, b) => get(*a)?.checked_mul(get(*b)?),
            Op::Divide(a, b) => quotient(get(*a)?, get(*b)?).ok(),
            Op::Dim(param, suffix) => match get(*param)? {
                -1 => Some(-1),
                value => place::suffixed(value, *suffix).filter(|dim| *dim >= 0),
            },
            Op::Natural(node) => get(*node).filter(|value| *value >= 0),
            Op::Bytes(dims, element) => bytes(dims, *element, get),
            Op::Align { cursor, to, bytes } => {
                let (cursor, bytes) = (natural(get(*cursor)?)?, natural(get(*bytes)?)?);
                signed(place::begin(cursor, None, bytes, *to))
            }
            Op::Add(a, b) => signed(place::add(natural(get(*a)?)?, natural(get(*b)?)?)),
            Op::Max(nodes) => {
                let mut greatest = 0;
                for &node in nodes {
                    greatest = greatest.max(get(node)?);
                }
                Some(greatest)
            }
            Op::End { bytes, cursor } => match get(*bytes)? {
                0 => Some(0),
                _ => get(*cursor),
            },
            Op::Repeat { index, first, second, third } => {
                // The second may lie at an address of its own, wherever the first is.
                let index = natural(get(*index)?)?;
                if index < 2 {
                    let cursor = if index == 0 { first } else { second };
                    return get(*cursor).filter(|cursor| *cursor >= 0);
                }
                let second = natural(get(*second)?)?;
                let stride = natural(get(*third)?)?.saturating_sub(second);
                signed(place::Repeated { first: second, second, stride }.cursor(index))
            }
        }
    }

    /// Visits the results that it is made of and that it needs with those values.
    fn needed(&self, values: &[Option<i64>], visit: &mut dyn FnMut(Node)) {
        let value = |node: &Node| values.get(node.index()).copied().flatten();
        match self {
            Op::Repeat { index, first, second, third } => match value(index) {
                None => visit(*index),
                Some(0) => visit(*first),
                Some(1) => visit(*second),
                Some(_) => [*second, *third].into_iter().for_each(visit),
            },
            op => op.operands(visit),
        }
    }

    /// Visits the results that it is made of.
    pub fn operands(&self, visit: &mut dyn FnMut(Node)) {
        match self {
            Op::Number(_)
            | Op::Illegal
            | Op::Unknown
            | Op::Param(_)
            | Op::Own(_)
            | Op::Input(_)
            | Op::Index(_) => {}
            Op::Sum(plus, minus) => plus.iter().chain(minus).for_each(|node| visit(*node)),
            Op::Dim(node, _) | Op::Natural(node) => visit(*node),
            Op::Bytes(dims, element) => {
                dims.iter().for_each(|node| visit(*node));
                visit(*element);
            }
            Op::Align { cursor, bytes, .. } | Op::End { bytes, cursor } => {
                visit(*cursor);
                visit(*bytes);
            }
            Op::Add(a, b) | Op::Multiply(a, b) | Op::Divide(a, b) => {
                visit(*a);
                visit(*b);
            }
            Op::Max(nodes) => nodes.iter().for_each(|node| visit(*node)),
            Op::Repeat { index, first, second, third } => {
                [index, first, second, third].into_iter().for_each(|node| visit(*node));
            }
        }
    }

    /// The same of other results.
    pub(crate) fn with_operands(&self, of: &dyn Fn(Node) -> Node) -> Op {
        let all = |nodes: &[Node]| nodes.iter().map(|node| of(*node)).collect::<Box<[Node]>>();
        match self {
            Op::Number(_)
            | Op::Illegal
            | Op::Unknown
            | Op::Param(_)
            | Op::Own(_)
            | Op::Input(_)
            | Op::Index(_) => self.clone(),
            Op::Sum(plus, minus) => Op::Sum(all(plus), all(minus)),
            Op::Dim(node, suffix) => Op::Dim(of(*node), *suffix),
            Op::Natural(node) => Op::Natural(of(*node)),
            Op::Bytes(dims, element) => Op::Bytes(all(dims), of(*element)),
            Op::Align { cursor, to, bytes } => {
                Op::Align { cursor: of(*cursor), to: *to, bytes: of(*bytes) }
            }
            Op::Add(a, b) => Op::Add(of(*a), of(*b)),
            Op::Multiply(a, b) => Op::Multiply(of(*a), of(*b)),
            Op::Divide(a, b) => Op::Divide(of(*a), of(*b)),
            Op::Max(nodes) => Op::Max(all(nodes)),
            Op::End { bytes, cursor } => Op::End { bytes: of(*bytes), cursor: of(*cursor) },
            Op::Repeat { index, first, second, third } => Op::Repeat {
                index: of(*index),
                first: of(*first),
                second: of(*second),
                third: of(*third),
            },
        }
    }

    /// Whether it comes to nothing legal since an operand does not.
    fn is_illegal(&self, illegal: impl Fn(Node) -> bool) -> bool {
        let mut found = false;
        match self {
            // 0 beats what an element is.
            Op::Bytes(dims, _) => found = dims.iter().any(|dim| illegal(*dim)),
            // These need one of them or another.
            Op::End { .. } | Op::Repeat { .. } => {}
            op => op.operands(&mut |node| found |= illegal(node)),
        }
        found
    }

    /// Whether it is the same whatever the params are, if its operands are.
    fn is_constant(&self, known: impl Fn(Node) -> bool) -> bool {
        let mut constant = !matches!(
            self,
            Op::Number(_)
                | Op::Illegal
                | Op::Unknown
                | Op::Param(_)
                | Op::Own(_)
                | Op::Input(_)
                | Op::Index(_)
        );
        self.operands(&mut |node| constant &= known(node));
        constant
    }
}

/// 0 beats what an element is; that settled, all are multiplied.
fn bytes(dims: &[Node], element: Node, get: &dyn Fn(Node) -> Option<i64>) -> Option<i64> {
    let mut elements = place::Elements::ONE;
    for &dim in dims {
        elements = elements.times(get(dim)?);
    }
    if elements.count() == Some(0) {
        return Some(0);
    }
    signed(elements.bytes(natural(get(element)?)?)).filter(|bytes| *bytes as u64 <= LIMIT)
}

impl Plan<'_> {
    /// The result of an operation, which is done once however often it is requested.
    pub(super) fn node(&mut self, op: Op) -> Node {
        let op = self.simplified(op);
        if let Some(&node) = self.known.get(&op) {
            return node;
        }
        // A layout has fewer than 2^32 steps, and `WORK` bounds what they come to.
        let node = Node(self.ops.len() as u32);
        self.divisors.push(self.divisor(&op));
        let mut inner = matches!(op, Op::Own(_));
        op.operands(&mut |node| inner |= self.inner[node.index()]);
        self.inner.push(inner);
        self.ops.push(op.clone());
        self.known.insert(op, node);
        node
    }

    /// A number that depends on nothing.
    ///
    /// ```
    /// use dudley_parser::formula::plan::Plan;
    ///
    /// let layout = dudley_parser::check(b"x = f8").layout.unwrap();
    /// let mut plan = Plan::new(&layout, 0);
    /// assert_eq!(plan.number(7), plan.number(7)); // one operation
    /// ```
    pub fn number(&mut self, value: i64) -> Node {
        self.node(Op::Number(value))
    }

    /// An unsigned one; past 63 bits it is illegal.
    pub(super) fn unsigned(&mut self, value: u64) -> Node {
        self.node(i64::try_from(value).map_or(Op::Illegal, Op::Number))
    }

    /// What only a stream tells; `None` where formulas are not for people, who see that it is not known.
    pub(super) fn unknown(&mut self) -> Option<Node> {
        self.told.then(|| self.node(Op::Unknown))
    }

    /// Which results have no value, among those of all, since only a stream tells it: what else is wrong with them
    /// is not known.
    ///
    /// ```
    /// use dudley_parser::formula::plan::Plan;
    ///
    /// let layout = dudley_parser::check(b"N : i8  x = u1[N] -> zlib  y = f8").layout.unwrap();
    /// let mut plan = Plan::new(&layout, 0);
    /// plan.walk(&mut |_, _| {});
    /// let values = plan.evaluate(&|_| None, &[]);
    /// assert!(plan.unknown_of(&values).contains(&true)); // the address of y
    /// ```
    pub fn unknown_of(&self, values: &[Option<i64>]) -> Vec<bool> {
        let mut unknown: Vec<bool> = Vec::with_capacity(self.ops.len());
        for (op, value) in self.ops.iter().zip(values) {
            let mut found = matches!(op, Op::Unknown | Op::Own(_));
            op.needed(values, &mut |node| found |= unknown[node.index()]);
            unknown.push(found && value.is_none());
        }
        unknown
    }

    /// The number that a node is, if it is one whatever the params are.
    ///
    /// ```
    /// use dudley_parser::formula::plan::Plan;
    ///
    /// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
    /// let mut plan = Plan::new(&layout, 0);
    /// let (seven, end) = (plan.number(7), plan.data_end().unwrap());
    /// assert_eq!((plan.as_number(seven), plan.as_number(end)), (Some(7), None));
    /// ```
    pub fn as_number(&self, node: Node) -> Option<i64> {
        match self.ops.get(node.index()) {
            Some(Op::Number(value)) => Some(*value),
            _ => None,
        }
    }

    /// Whether it surely is 1 or more, if it is legal.
    pub(super) fn is_positive(&self, node: Node) -> bool {
        match &self.ops[node.index()] {
            Op::Number(value) => *value > 0,
            Op::Bytes(dims, element) => {
                let counts = |dim: &Node| self.as_number(*dim).is_some_and(|dim| dim != 0);
                dims.iter().all(counts) && self.is_positive(*element)
            }
            Op::Natural(node) => self.is_positive(*node),
            _ => false,
        }
    }

    fn simplified(&mut self, op: Op) -> Op {
        let value = |node: Node| self.as_number(node);
        if op.is_illegal(|node| self.ops[node.index()] == Op::Illegal) {
            return Op::Illegal;
        }
        if op.is_constant(|node| value(node).is_some()) {
            return op.value(&value, &|_| None, &[]).map_or(Op::Illegal, Op::Number);
        }
        match op {
            // Bytes that depend on params may come to nothing legal, and then there is no address.
            Op::Align { cursor, to, bytes }
                if value(bytes).is_some_and(|bytes| bytes == 0 || self.is_multiple(cursor, to)) =>
            {
                self.ops[cursor.index()].clone()
            }
            // Programs look at the bytes of an item before they look at the item.
            Op::Align { cursor, to, .. } if self.program && self.is_multiple(cursor, to) => {
                self.ops[cursor.index()].clone()
            }
            Op::Align { cursor, to, bytes } if value(bytes).is_some() => {
                let Op::Add(start, more) = self.ops[cursor.index()] else { return op };
                let more = value(more).filter(|_| self.is_multiple(start, to)).and_then(natural);
                let aligned = more.and_then(|more| signed(place::align_up(more, to)));
                aligned.map_or(op, |aligned| Op::Add(start, self.number(aligned)))
            }
            Op::Natural(node) if matches!(self.ops[node.index()], Op::Natural(_)) => {
                self.ops[node.index()].clone()
            }
            Op::Add(a, b) => match (value(a), value(b)) {
                (_, Some(0)) => self.ops[a.index()].clone(),
                (Some(_), None) => self.simplified(Op::Add(b, a)),
                (None, Some(more)) => {
                    let Op::Add(start, other) = self.ops[a.index()] else { return op };
                    let both = value(other).and_then(natural).zip(natural(more));
                    let sum = both.and_then(|(a, b)| signed(place::add(a, b)));
                    sum.map_or(op, |sum| Op::Add(start, self.number(sum)))
                }
                _ => op,
            },
            op => op,
        }
    }

    /// Whether a result is surely a multiple of a power of two.
    pub(super) fn is_multiple(&self, node: Node, of: u64) -> bool {
        self.divisors[node.index()] >= of
    }

    /// A power of two that surely divides what an operation comes to.
    fn divisor(&self, op: &Op) -> u64 {
        let of = |node: &Node| self.divisors[node.index()];
        match op {
            Op::Number(value) => 1 << value.trailing_zeros().min(MOST),
            Op::Input(Input::Start) => place::NATIVE_START,
            Op::Bytes(_, element) | Op::Natural(element) => of(element),
            // It may be of no bytes, and then it stays where the cursor is.
            Op::Align { cursor, to, bytes } => match self.as_number(*bytes) {
                Some(_) => of(cursor).max(*to),
                None => of(cursor),
            },
            Op::Add(a, b) => of(a).min(of(b)),
            Op::Max(nodes) => nodes.iter().map(of).min().unwrap_or(1),
            Op::End { cursor, .. } => of(cursor),
            Op::Repeat { first, second, third, .. } => of(first).min(of(second)).min(of(third)),
            Op::Sum(plus, minus) => plus.iter().chain(minus).map(of).min().unwrap_or(1),
            Op::Illegal | Op::Unknown | Op::Param(_) | Op::Own(_) => 1,
            Op::Multiply(a, b) => of(a).saturating_mul(of(b)).min(1 << MOST),
            Op::Input(_) | Op::Index(_) | Op::Dim(..) | Op::Divide(..) => 1,
        }
    }
}

/// Alignments are no greater, as a power of two.
const MOST: u32 = 32;
