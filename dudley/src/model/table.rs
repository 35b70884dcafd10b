//! What is in a file of some format and is no node: tables of its blocks or chunks, bytes that nothing refers to.

use super::node::Fact;
use crate::error::Result;
use crate::read::data::Data;

/// Bytes in a file that no node holds.
pub struct Loose {
    /// What they are called: `block 3`.
    pub name: String,
    /// What they are.
    pub kind: &'static str,
    /// Reads them, as an array.
    pub data: Box<dyn Fn() -> Result<Data>>,
}

/// A table whose rows are found as they are asked for.
pub struct Table {
    /// What it is called.
    pub name: &'static str,
    /// The heads of its columns for people, each with whether it has numbers.
    pub columns: &'static [(&'static str, bool)],
    /// How many rows it has.
    pub len: u64,
    /// Finds a row.
    pub row: Box<dyn Fn(u64) -> Row>,
    /// What is said of all of it.
    pub facts: Vec<Fact>,
}

/// A row of a table.
pub struct Row {
    /// What programs are given.
    pub facts: Vec<Fact>,
    /// What people are shown.
    pub cells: Vec<String>,
    /// What is wrong with it, where it says that it is in the way of its reader.
    pub result: Result<()>,
}
