//! Parts of a file that are no nodes: tables of blocks or chunks, bytes without a reference.

use super::node::Fact;
use crate::error::Result;
use crate::read::data::Data;

/// Bytes in a file that no node holds.
pub struct Loose {
    /// Their name: `block 3`.
    pub name: String,
    /// Their kind.
    pub kind: &'static str,
    /// Reads them, as an array.
    pub data: Box<dyn Fn() -> Result<Data>>,
}

/// A table whose rows are found as they are requested.
pub struct Table {
    /// Its name.
    pub name: &'static str,
    /// The heads of its columns for people, each with whether it has numbers.
    pub columns: &'static [(&'static str, bool)],
    /// The number of rows.
    pub len: u64,
    /// Finds a row.
    pub row: Box<dyn Fn(u64) -> Row>,
    /// A remark about the whole table.
    pub facts: Vec<Fact>,
}

/// A row of a table.
pub struct Row {
    /// The value for programs.
    pub facts: Vec<Fact>,
    /// The text for people.
    pub cells: Vec<String>,
    /// Its fault, if it prevents a read.
    pub result: Result<()>,
}
