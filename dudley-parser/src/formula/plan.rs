//! Where everything lies, as operations on the params: for the code that computes it elsewhere.
//!
//! A [`Plan`] is what the resolver does for a layout, written down as a table of [`Op`]s, each on results
//! of earlier ones. Any code that carries them out, in any language, gets the
//! addresses of the resolver, with what 0 and -1 mean and with its errors; there is nothing else to
//! know about the layout. It is the only symbolic form: a formula for people is an operation as text
//! ([`Plan::text`], [`super::Formulas`]).
//!
//! An address that depends on the bytes of a stream, other than by params that occur once, has no operation.

mod measure;
mod op;
mod repeat;
mod sequence;
mod text;
mod walk;

pub use measure::Member;
pub use op::{Input, Node, Op};
pub use sequence::{Placed, Placing, Room, Sequence};
pub use walk::{Column, Dimension, Place, Row, Spliced, What};

use super::{Expr, Labels, Result};
use crate::layout::{Layout, ParamId, RecordId, Run};
use hashbrown::HashMap;
use measure::Extent;

/// Operations, each on earlier ones.
pub(crate) struct Table {
    pub(crate) ops: Vec<Op>,
    /// By what they do.
    pub(crate) known: HashMap<Op, Node>,
    /// A power of two that surely divides the result of each.
    pub(crate) divisors: Vec<u64>,
}

/// The operations of a layout.
///
/// ```
/// use dudley_parser::formula::plan::{Plan, What};
///
/// let layout = dudley_parser::check(b"N : i8\nx = S1[N]\ny = f8[N-, 3]").layout.unwrap();
/// let mut plan = Plan::new(&layout, 16);
/// let mut found = Vec::new();
/// plan.walk(&mut |plan, row| {
///     if let What::Array { place, .. } = row.what {
///         let address = place.address.unwrap();
///         found.push((row.path.to_owned(), address, plan.text(address).unwrap()));
///     }
/// });
/// let values = plan.evaluate(&|_| Some(5), &[]);
/// assert_eq!(found[1].0, "/y");
/// assert_eq!(found[1].2, "align8(24 + dim(N), dim(N-))");
/// assert_eq!(values[found[1].1.index()], Some(32));
/// ```
#[derive(Debug)]
pub struct Plan<'a> {
    layout: &'a Layout,
    start: u64,
    labels: Labels<'a>,
    ops: Vec<Op>,
    known: HashMap<Op, Node>,
    /// A power of two that surely divides the result of each operation.
    divisors: Vec<u64>,
    /// Which of them need a param of which each repetition has its own.
    inner: Vec<bool>,
    texts: Vec<Result<Expr>>,
    /// How many terms were written.
    terms: usize,
    /// What long formulas are called.
    names: HashMap<Node, Expr>,
    /// Formulas for people are wanted.
    told: bool,
    /// A formula for an address of more terms than this begins anew.
    long: usize,
    /// Params of which each repetition has its own have names in formulas.
    own: bool,
    /// What only a stream tells is known to the code that carries the operations out.
    program: bool,
    /// What stands for the params of dicts, by their numbers; where it is empty, they do themselves.
    stand_ins: Vec<Op>,
    sizes: HashMap<RecordId, Option<Node>>,
    /// Of those of variable size, numbers that are 0 where an instance has no bytes.
    sought: HashMap<RecordId, Option<Node>>,
    runs: HashMap<(Run, Option<Node>), Extent>,
    depth: u32,
    work: u64,
    /// Something nests too deep, or takes too much work, to have operations.
    exhausted: bool,
}

/// A formula for an address of more terms than this begins anew, where nobody says another number.
const LONG: usize = 12;

impl<'a> Plan<'a> {
    /// The plan of a layout whose streams begin at an address: 16 for native ones, 0 for others.
    ///
    /// ```
    /// use dudley_parser::formula::plan::Plan;
    ///
    /// let layout = dudley_parser::check(b"x = f8").layout.unwrap();
    /// let mut plan = Plan::new(&layout, 16);
    /// let end = plan.data_end().unwrap();
    /// assert_eq!(plan.as_number(end), Some(24));
    /// ```
    pub fn new(layout: &'a Layout, start: u64) -> Self {
        Self {
            layout,
            start,
            labels: Labels::new(layout),
            ops: Vec::new(),
            known: HashMap::new(),
            divisors: Vec::new(),
            inner: Vec::new(),
            texts: Vec::new(),
            terms: 0,
            names: HashMap::new(),
            told: true,
            long: LONG,
            own: false,
            program: false,
            stand_ins: Vec::new(),
            sizes: HashMap::new(),
            sought: HashMap::new(),
            runs: HashMap::new(),
            depth: 0,
            work: 0,
            exhausted: false,
        }
    }

    /// Of a layout with something else for its params, for formulas that people read line by line: a longer
    /// one is fine, and params of repetitions have names.
    pub(super) fn for_people(
        layout: &'a Layout,
        start: u64,
        stand_ins: Vec<Op>,
        long: usize,
    ) -> Self {
        Plan { stand_ins, long, own: true, ..Plan::new(layout, start) }
    }

    /// The plan of a layout for a program that places the items of a stream: it requests one [`Plan::sequence`] after the
    /// other, and has the values that only a stream contains when it needs them ([`Input`]).
    ///
    /// ```
    /// use dudley_parser::formula::plan::{Plan, Sequence};
    ///
    /// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
    /// let mut plan = Plan::for_programs(&layout);
    /// assert_eq!(plan.sequence(Sequence::Root).steps.len(), 2);
    /// ```
    pub fn for_programs(layout: &'a Layout) -> Self {
        Plan { told: false, own: true, program: true, ..Plan::new(layout, 0) }
    }

    /// Of a layout whose params something else stands for, behind the operations of another: like ones
    /// are one. It has no formulas for people.
    pub(crate) fn behind(
        earlier: Option<Plan<'a>>,
        layout: &'a Layout,
        start: u64,
        stand_ins: Vec<Op>,
    ) -> Self {
        let plan = Plan { told: false, stand_ins, ..Plan::new(layout, start) };
        match earlier {
            Some(Plan { ops, known, divisors, inner, .. }) => {
                Plan { ops, known, divisors, inner, ..plan }
            }
            None => plan,
        }
    }

    /// The layout.
    ///
    /// ```
    /// use dudley_parser::formula::plan::Plan;
    ///
    /// let layout = dudley_parser::check(b"x = f8").layout.unwrap();
    /// assert_eq!(Plan::new(&layout, 0).layout().text(), "x = f8");
    /// ```
    pub fn layout(&self) -> &'a Layout {
        self.layout
    }

    /// How params are called.
    ///
    /// ```
    /// use dudley_parser::formula::plan::Plan;
    ///
    /// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
    /// let (n, _) = layout.params().next().unwrap();
    /// assert_eq!(Plan::new(&layout, 0).labels().param(n), "N");
    /// ```
    pub fn labels(&self) -> &Labels<'a> {
        &self.labels
    }

    /// The operations so far; each on earlier ones.
    ///
    /// ```
    /// use dudley_parser::formula::plan::{Op, Plan};
    ///
    /// let layout = dudley_parser::check(b"x = f8").layout.unwrap();
    /// let mut plan = Plan::new(&layout, 0);
    /// let node = plan.number(7);
    /// assert_eq!(plan.ops()[node.index()], Op::Number(7));
    /// ```
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// The operations without the layout.
    pub(crate) fn into_table(self) -> Table {
        Table { ops: self.ops, known: self.known, divisors: self.divisors }
    }

    /// The results of all operations for given params and numbers of repetitions; `None` if a
    /// number is illegal, past 63 bits, or needs a param that is not given.
    ///
    /// ```
    /// use dudley_parser::formula::plan::Plan;
    ///
    /// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
    /// let mut plan = Plan::new(&layout, 0);
    /// let end = plan.data_end().unwrap();
    /// let values = plan.evaluate(&|_| Some(3), &[]);
    /// assert_eq!(values[end.index()], Some(8 + 24));
    /// ```
    pub fn evaluate(
        &self,
        params: &dyn Fn(ParamId) -> Option<i128>,
        repetitions: &[u64],
    ) -> Vec<Option<i64>> {
        let mut values: Vec<Option<i64>> = Vec::with_capacity(self.ops.len());
        for op in &self.ops {
            let get = |node: Node| values.get(node.index()).copied().flatten();
            let value = op.value(&get, params, repetitions);
            values.push(value);
        }
        values
    }
}
