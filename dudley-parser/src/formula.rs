//! Addresses, sizes and shapes of a layout without a stream: formulas of its params.
//!
//! What [`crate::resolve`] finds for a stream, a [`plan`] says for all of them: the same walk in the order
//! of the declarations, with operations in place of numbers. [`Formulas`] are these operations as people
//! read them. Params that are fixed or given are put in as numbers, so with all of them given every address
//! is the resolver's.
//!
//! The formulas hold for all legal params. One of 0 or -1 takes terms away (an item without bytes is
//! not aligned, a dimension of -1 is not there); functions in the formulas say so ([`LEGEND`]).
//!
//! There is no formula for what lies behind something of variable size (a struct that holds its own
//! count, a filter without `[n]`), until an item says its address; a [`Gap`] says so. A formula
//! that grows too long begins anew with the end of an item, as in `end(/x) + 8*N`.

mod expr;
pub mod plan;
mod row;
mod show;

pub use expr::Expr;
pub use row::{Column, Dim, Repetition, Row, Spliced, What};
pub use show::{LEGEND, Labels, index_name};

use crate::layout::{ArrayId, Layout, ParamId, ParamValue, RecordId};
use crate::resolve::{Flow, Given, WalkOptions};
use plan::{Dimension, Op, Plan};

/// Why there is no formula.
///
/// ```
/// use dudley_parser::formula::{Formulas, Gap};
/// use dudley_parser::resolve::Given;
///
/// let layout = dudley_parser::check(b"x = u1[9] -> zlib  y = f8").layout.unwrap();
/// let given = Given::default();
/// assert_eq!(Formulas::new(&layout, &given).data_end(), Err(Gap::Variable));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Gap {
    /// It depends on what is read from the stream on the way: it is of variable size, or lies
    /// behind something that is.
    Variable,
    /// A number in it is illegal with the values in force, or past 63 bits; or the formula would be
    /// too long, or lists nest too deep for one.
    Illegal,
}

impl std::fmt::Display for Gap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Gap::Variable => "after an item of variable size: not known without the stream",
            Gap::Illegal => "not a legal number with these params, or too long a formula",
        })
    }
}

/// The result of looking for a formula.
pub type Result<T> = std::result::Result<T, Gap>;

/// A member of a struct: where it lies from the start of an instance, and its bytes.
///
/// ```
/// use dudley_parser::formula::{Formulas};
/// use dudley_parser::resolve::Given;
///
/// let layout = dudley_parser::check(b"x = {a = u1  b = f8}").layout.unwrap();
/// let given = Given::default();
/// let (id, _) = layout.records().next().unwrap();
/// let members = Formulas::new(&layout, &given).members(id);
/// assert_eq!(members[1].offset.as_ref().map(|offset| offset.as_number()), Ok(Some(8)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// Its kind.
    pub kind: crate::resolve::MemberKind,
    /// Its dimensions.
    pub shape: Vec<Dim>,
    /// Bytes from the start of the instance.
    pub offset: Result<Expr>,
    /// Bytes it takes; 0 for fixed params.
    pub bytes: Result<Expr>,
}

/// A formula for an address of more terms than this begins anew.
const LONG: usize = 64;

/// The formulas of a layout: the operations of its [`plan`], as people read them.
///
/// ```
/// use dudley_parser::formula::{Formulas};
/// use dudley_parser::resolve::Given;
///
/// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
/// let given = Given { start: 16, ..Given::default() };
/// let mut formulas = Formulas::new(&layout, &given);
/// let end = formulas.data_end().unwrap();
/// assert_eq!(formulas.labels().formula(&end), "24 + 8*dim(N)");
/// ```
#[derive(Debug)]
pub struct Formulas<'a> {
    given: &'a Given,
    plan: Plan<'a>,
}

impl<'a> Formulas<'a> {
    /// The formulas of a layout, with the values of a caller about its streams.
    ///
    /// ```
    /// use dudley_parser::formula::{Formulas, Row, What};
    /// use dudley_parser::resolve::{Flow, Given, WalkOptions};
    ///
    /// let layout = dudley_parser::check(b"N : i8\nx = f8[N]\ny = f8[N-, 3]").layout.unwrap();
    /// let given = Given { start: 16, ..Given::default() };
    /// let mut found = Vec::new();
    /// Formulas::new(&layout, &given).walk(WalkOptions::default(), &mut |formulas, row: Row<'_>| {
    ///     if let What::Array { address: Ok(address), .. } = &row.what {
    ///         found.push(format!("{} @ {}", row.path, formulas.labels().formula(address)));
    ///     }
    ///     Flow::Continue
    /// });
    /// assert_eq!(found, ["/x @ 24", "/y @ 24 + 8*dim(N)"]);
    /// ```
    pub fn new(layout: &'a Layout, given: &'a Given) -> Self {
        let stand_in = |id: ParamId| match value(layout, given, id) {
            Ok(Some(value)) => Op::Number(value),
            Ok(None) => Op::Param(id),
            Err(_) => Op::Illegal,
        };
        let stand_ins = layout.params().map(|(id, _)| stand_in(id)).collect();
        Self { given, plan: Plan::for_people(layout, given.start, stand_ins, LONG) }
    }

    /// The layout.
    ///
    /// ```
    /// use dudley_parser::formula::{Formulas};
    /// use dudley_parser::resolve::Given;
    ///
    /// let layout = dudley_parser::check(b"x = f8").layout.unwrap();
    /// let given = Given::default();
    /// assert_eq!(Formulas::new(&layout, &given).layout().text(), "x = f8");
    /// ```
    pub fn layout(&self) -> &'a Layout {
        self.plan.layout()
    }

    /// How params are called and formulas written.
    ///
    /// ```
    /// use dudley_parser::formula::{Formulas};
    /// use dudley_parser::resolve::Given;
    ///
    /// let layout = dudley_parser::check(b"N : i8  x = f8[N]").layout.unwrap();
    /// let given = Given::default();
    /// let (n, _) = layout.params().next().unwrap();
    /// assert_eq!(Formulas::new(&layout, &given).labels().param(n), "N");
    /// ```
    pub fn labels(&self) -> &Labels<'a> {
        self.plan.labels()
    }

    /// Visits everything in the order of the text.
    ///
    /// ```
    /// use dudley_parser::formula::Formulas;
    /// use dudley_parser::resolve::{Flow, Given, WalkOptions};
    ///
    /// let layout = dudley_parser::check(b"grp/ x = f8").layout.unwrap();
    /// let (given, mut paths) = (Given::default(), Vec::new());
    /// Formulas::new(&layout, &given).walk(WalkOptions::default(), &mut |_, row| {
    ///     paths.push(row.path.to_owned());
    ///     Flow::Continue
    /// });
    /// assert_eq!(paths, ["/", "/grp", "/grp/x"]);
    /// ```
    pub fn walk(
        &mut self,
        options: WalkOptions,
        visit: &mut (dyn FnMut(&mut Formulas<'_>, Row<'_>) -> Flow + '_),
    ) -> Flow {
        // While a row is looked at, the plan that walks is that of these formulas.
        let (layout, given) = (self.layout(), self.given);
        let mut plan = std::mem::replace(&mut self.plan, Plan::new(layout, given.start));
        let flow = plan.walk_counted(options, &mut |plan, row| {
            std::mem::swap(&mut self.plan, plan);
            let repetitions = self.repetitions_of(&row);
            let what = self.what(row.what);
            let flow = visit(self, Row { path: row.path, what, repetitions: &repetitions });
            std::mem::swap(&mut self.plan, plan);
            flow
        });
        self.plan = plan;
        flow
    }

    /// The greatest end of any item.
    ///
    /// ```
    /// use dudley_parser::formula::{Formulas};
    /// use dudley_parser::resolve::Given;
    ///
    /// let layout = dudley_parser::check(b"x = f8[3]").layout.unwrap();
    /// let given = Given::default();
    /// let end = Formulas::new(&layout, &given).data_end().unwrap();
    /// assert_eq!(end.as_number(), Some(24));
    /// ```
    ///
    /// # Errors
    /// If something has no formula.
    pub fn data_end(&mut self) -> Result<Expr> {
        let end = self.plan.data_end();
        self.plan.formula(end)
    }

    /// Where the members of a record lie in an instance.
    ///
    /// ```
    /// use dudley_parser::formula::{Formulas};
    /// use dudley_parser::resolve::Given;
    ///
    /// let layout = dudley_parser::check(b"x = {a = u1  b = f8}").layout.unwrap();
    /// let given = Given::default();
    /// let (id, _) = layout.records().next().unwrap();
    /// assert_eq!(Formulas::new(&layout, &given).members(id).len(), 2);
    /// ```
    pub fn members(&mut self, id: RecordId) -> Vec<Member> {
        let mut members = Vec::new();
        for member in self.plan.members(id) {
            let shape = self.shape(&member.dims);
            let (offset, bytes) =
                (self.plan.formula(member.offset), self.plan.formula(member.bytes));
            members.push(Member { kind: member.kind, shape, offset, bytes });
        }
        members
    }

    fn shape(&mut self, dims: &[Dimension]) -> Vec<Dim> {
        let mut shape = Vec::with_capacity(dims.len());
        for dim in dims {
            shape.push(match self.plan.formula(dim.node) {
                Ok(expr) => match (expr.as_signed(), expr.as_number()) {
                    (Some(-1), _) => continue,
                    (_, Some(number)) => Dim::Known(number),
                    _ => Dim::Symbolic(self.labels().count(dim.count), Some(expr.into_factor())),
                },
                Err(_) => Dim::Symbolic(self.labels().count(dim.count), None),
            });
        }
        shape
    }

    fn what(&mut self, what: plan::What) -> What {
        match what {
            plan::What::Dict(dict) => What::Dict(dict),
            plan::What::List { list, length } => {
                What::List { list, length: self.plan.formula(length) }
            }
            plan::What::Elided { list, repetitions } => What::Elided { list, repetitions },
            plan::What::Param { param, place, column } => {
                let address = place.map(|place| self.plan.formula(place.address));
                let bytes = place.and_then(|place| place.bytes);
                let column = column.map(|column| self.column(column, bytes));
                What::Param {
                    param,
                    value: value(self.layout(), self.given, param),
                    address,
                    column,
                }
            }
            plan::What::Array { array, dims, place, spliced } => What::Array {
                array,
                shape: self.presented(array, &dims, spliced.as_ref()),
                address: self.plan.formula(place.address),
                bytes: self.plan.formula(place.bytes),
                spliced: spliced.map(|spliced| self.spliced(&[array], &dims, spliced)),
            },
        }
    }

    fn column(&mut self, column: plan::Column, bytes: Option<plan::Node>) -> Column {
        let plan::Column { dims, spliced } = column;
        let shape = self.presented_shape(spliced.record, &dims);
        let bytes = self.plan.formula(bytes);
        Column { shape, bytes, spliced: self.spliced(&[], &dims, spliced) }
    }

    /// The shape of an array as it is presented (spec 7.7), behind that of the record that it is a member of.
    fn presented(
        &mut self,
        array: ArrayId,
        dims: &[Dimension],
        spliced: Option<&plan::Spliced>,
    ) -> Vec<Dim> {
        let outer = spliced.map_or(0, |it| self.layout()[it.record].rank as usize);
        let (outer, own) = dims.split_at(outer.min(dims.len()));
        let mut all = Vec::with_capacity(dims.len());
        for (id, dims) in spliced.map(|it| (it.record, outer)).into_iter().chain([(array, own)]) {
            all.append(&mut self.presented_shape(id, dims));
        }
        all
    }

    fn presented_shape(&mut self, id: ArrayId, dims: &[Dimension]) -> Vec<Dim> {
        let mut shape = self.shape(dims);
        let layout = self.layout();
        if let Some(view) = layout.view_of(&layout[id]) {
            shape.pop();
            shape.extend(view.shape.iter().map(|dim| Dim::Known(dim.unsigned_abs())));
        }
        shape
    }

    /// Of the members that are arrays, and of the record.
    fn spliced(
        &mut self,
        members: &[ArrayId],
        dims: &[Dimension],
        spliced: plan::Spliced,
    ) -> Spliced {
        // Those that are not of rows no formula has.
        let mut arrays = members.iter().chain([&spliced.record]);
        if arrays.any(|id| self.layout()[*id].presented) {
            return Spliced { record: spliced.record, strides: Ok(Vec::new()) };
        }
        let there =
            |dim: &Dimension| dim.node.is_none_or(|node| self.plan.as_number(node) != Some(-1));
        let strides: Vec<_> =
            dims.iter().zip(spliced.strides).filter(|(dim, _)| there(dim)).collect();
        let strides = strides.into_iter().map(|(_, stride)| self.plan.formula(stride)).collect();
        Spliced { record: spliced.record, strides }
    }

    fn repetitions_of(&mut self, row: &plan::Row<'_>) -> Vec<Repetition> {
        let mut all = Vec::with_capacity(row.repetitions.len());
        for (count, &from) in row.repetitions.iter().zip(row.from) {
            // A list has rows where its count has a formula.
            let count = self.plan.formula(*count).unwrap_or_default().into_factor();
            all.push(Repetition { from, count });
        }
        all
    }
}

/// The value of a param, if it is known: fixed or given.
fn value(layout: &Layout, given: &Given, id: ParamId) -> Result<Option<i64>> {
    let param = &layout[id];
    let value = match (given.params.get(&id), param.value) {
        (Some(&value), _) => value,
        (None, ParamValue::Fixed(_)) if param.stream_bytes => match given.stream_bytes {
            Some(bytes) => bytes.into(),
            None => return Ok(None),
        },
        (None, ParamValue::Fixed(_)) if param.to_end.is_some() && given.stream_bytes.is_some() => {
            return Ok(None);
        }
        (None, ParamValue::Fixed(value)) => value.into(),
        (None, ParamValue::Streamed(..)) => return Ok(None),
    };
    match i64::try_from(value) {
        Ok(legal) if legal >= -1 => Ok(Some(legal)),
        _ => Err(Gap::Illegal),
    }
}
