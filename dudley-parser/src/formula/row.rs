//! The rows of a walk through formulas, and the dimensions in them.

use super::{Expr, Result};
use crate::layout::{ArrayId, DictId, ListId, ParamId};

/// An item of a walk.
#[derive(Debug)]
pub struct Row<'p> {
    /// Its path. The number of an item is a formula in brackets where it is not known: `/l/[i]`.
    pub path: &'p str,
    /// Its kind.
    pub what: What,
    /// The repetitions that it stands for, outermost first.
    pub repetitions: &'p [Repetition],
}

/// What was found.
#[derive(Debug)]
pub enum What {
    /// A dict, where it is first entered.
    Dict(DictId),
    /// A list, where its first piece stands.
    List {
        /// The list.
        list: ListId,
        /// How many items all its pieces have.
        length: Result<Expr>,
    },
    /// A data item or an item of a list.
    Array {
        /// The array; of a member of a spliced record, that member.
        array: ArrayId,
        /// The dimensions, those of -1 gone.
        shape: Vec<Dim>,
        /// Its address.
        address: Result<Expr>,
        /// Its bytes in the stream; of a spliced member, those of its own data.
        bytes: Result<Expr>,
        /// Of a member of a record that is presented as items of its dict (spec 3.10).
        spliced: Option<Spliced>,
    },
    /// A param.
    Param {
        /// The param.
        param: ParamId,
        /// Its value, if it is fixed or given.
        value: Result<Option<i64>>,
        /// Its address, if it is streamed.
        address: Option<Result<Expr>>,
        /// Of a member of a record that is presented as items of its dict (spec 3.10): one value for each record.
        column: Option<Column>,
    },
    /// Items of a list are left out here.
    Elided {
        /// The list.
        list: ListId,
        /// How many repetitions are left out.
        repetitions: u64,
    },
}

/// The record that a row is a member of.
#[derive(Debug)]
pub struct Spliced {
    /// The record.
    pub record: ArrayId,
    /// Bytes from one index to the next, for each dimension.
    pub strides: Result<Vec<Expr>>,
}

/// A stored param of each record of some, as an array.
#[derive(Debug)]
pub struct Column {
    /// The dimensions, those of -1 gone.
    pub shape: Vec<Dim>,
    /// Its bytes in the stream.
    pub bytes: Result<Expr>,
    /// The record that it is a member of.
    pub spliced: Spliced,
}

/// A dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Dim {
    /// Its value is known.
    Known(u64),
    /// It depends on params that are not given: as it is declared, and as a formula. An illegal one
    /// has no formula.
    Symbolic(String, Option<Expr>),
}

/// The numbers that an index of a row stands for.
#[derive(Clone, Debug)]
pub struct Repetition {
    /// The first: 1 where the first repetition is not like the others; it has rows of its own.
    pub from: u64,
    /// How many repetitions there are.
    pub count: Expr,
}
