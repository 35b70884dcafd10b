//! What of a dataset other formats take, and what stays behind.

use super::node::{Kind, Node};
use super::walk::{Shared, walk};
use crate::error::Result;
use crate::read::data::Data;

/// An array or value of a [`Dataset`](super::Dataset), as other formats take it:
/// [`Dataset::portable`](super::Dataset::portable) hands it over.
#[derive(Debug)]
pub struct Portable {
    /// Its path in the dataset; with slices for a part of an array.
    pub path: String,
    /// Its path in other formats.
    pub elsewhere: String,
    /// An array or a value, an empty dict or list, or one that [contains itself](Node::within_itself).
    pub node: Node,
    /// The stored elements that slices pick of the array; `None` for all.
    pub part: Option<Data>,
    /// Its unit, as the file spells it: `g / cm3`.
    pub unit: Option<String>,
    /// Whether it is an integer that is too large for any type, and whose value is a text of its digits.
    pub is_digits: bool,
}

/// What no other format takes of a dataset, although programs that know its format may need it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LeftBehind {
    /// The paths of nodes that lose the name of their type.
    pub types: Vec<String>,
    /// The number of entries of the history of the file.
    pub history: u64,
}

/// Hands over the nodes of a format without rules of its own.
pub(super) fn of_nodes(
    nodes: Vec<Node>,
    take: &mut dyn FnMut(Portable) -> Result<()>,
) -> Result<LeftBehind> {
    walk(nodes, Shared::Each, &mut |node, _| -> Result<bool> {
        let is_end = match node.kind() {
            Kind::Array | Kind::Value => true,
            Kind::Dict | Kind::List => {
                node.within_itself().is_some() || node.path() != "/" && node.is_empty()?
            }
        };
        if is_end {
            let (path, node, unit) = (node.path(), node.clone(), node.unit());
            let elsewhere = path.clone();
            take(Portable { path, elsewhere, node, part: None, unit, is_digits: false })?;
        }
        Ok(!is_end)
    })?;
    Ok(LeftBehind::default())
}
