//! Addresses, sizes and shapes of a layout without a stream: formulas of its params.
//!
//! What [`crate::resolve`] finds for a stream, [`Formulas`] finds for all of them: the same walk in
//! the order of the declarations, with formulas in the place of numbers. Params that are fixed or
//! given are put in as numbers, so with all of them given every address is the resolver's.
//!
//! The formulas hold for all legal params. One of 0 or -1 takes terms away (an item without bytes is
//! not aligned, a dimension of -1 is not there); functions in the formulas say so ([`LEGEND`]).
//!
//! There is no formula for what lies behind something of variable size (a struct that holds its own
//! count, a filter without `[n]`), until an item says its address; a [`Gap`] says so. A formula
//! that grows too long begins anew with the end of an item, as in `end(/x) + 8*N`.

mod expr;
mod measure;
pub mod plan;
mod repeat;
mod row;
mod show;
mod walk;

pub use expr::Expr;
pub use row::{Dim, Repetition, Row, Spliced, What};
pub use show::{LEGEND, Labels, index_name};

use crate::layout::{Layout, RecordId, RepeatId, Run};
use crate::resolve::Given;
use hashbrown::HashMap;
use measure::Extent;

/// Why there is no formula.
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Member {
    /// What it is.
    pub kind: crate::resolve::MemberKind,
    /// Its dimensions.
    pub shape: Vec<Dim>,
    /// Bytes from the start of the instance.
    pub offset: Result<Expr>,
    /// Bytes it takes; 0 for fixed params.
    pub bytes: Result<Expr>,
}

/// Finds the formulas of a layout.
#[derive(Debug)]
pub struct Formulas<'a> {
    layout: &'a Layout,
    given: &'a Given,
    labels: Labels<'a>,
    sizes: HashMap<RecordId, Result<Expr>>,
    runs: HashMap<(u32, Expr), Result<Extent>>,
    depth: u32,
}

impl<'a> Formulas<'a> {
    /// Of a layout, with what a caller says about its streams.
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
        let labels = Labels::new(layout);
        Self { layout, given, labels, sizes: HashMap::new(), runs: HashMap::new(), depth: 0 }
    }

    /// The layout.
    pub fn layout(&self) -> &'a Layout {
        self.layout
    }

    /// How params are called and formulas written.
    pub fn labels(&self) -> &Labels<'a> {
        &self.labels
    }

    /// The greatest end of any item.
    ///
    /// # Errors
    /// If something has no formula.
    pub fn data_end(&mut self) -> Result<Expr> {
        let run: Run = self.layout[crate::layout::ROOT].run;
        let extent = self.measure_run(run, Expr::number(self.given.start))?;
        extent.end.map(|end| end.unwrap_or_default())
    }

    /// How often a piece of a list repeats its items.
    ///
    /// # Errors
    /// If the count is illegal.
    pub fn repetitions(&mut self, id: RepeatId) -> Result<Expr> {
        let count = self.count(self.layout[id].count, false)?;
        match count.as_signed() {
            Some(value) if value < 0 => Err(Gap::Illegal),
            _ => Ok(count.into_factor()),
        }
    }
}
