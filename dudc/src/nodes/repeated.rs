//! Parts of two files that need not be compared again: shared dicts and lists that were compared at another path.

use std::collections::HashSet;

use dudley::model::{Dataset, Node, NodeId, Shared};

use super::{is_leaf, walk};
use crate::failure::Result;

/// The paths, at or below a path, of shared nodes that another path already pairs with the same node of the other file,
/// or with nothing. The comparison leaves them out, so each pair of nodes is compared once.
///
/// # Errors
/// If there is nothing of that path.
pub(crate) fn repeated(a: &Dataset, b: &Dataset, path: Option<&str>) -> Result<HashSet<String>> {
    let mut repeated = HashSet::new();
    let mut pairs = HashSet::new();
    walk(a, path, Shared::Each, &mut |node, _| {
        if is_leaf(node) {
            return Ok(false);
        }
        let is_new = !is_shared(node) || pairs.insert((node.id(), beside(node, b)));
        if !is_new {
            repeated.insert(node.path());
        }
        Ok(is_new)
    })?;
    let mut alone = HashSet::new();
    walk(b, path, Shared::Each, &mut |node, _| {
        if is_leaf(node) || repeated.contains(&node.path()) {
            return Ok(false);
        }
        let is_new = !is_shared(node) || beside(node, a).is_some() || alone.insert(node.id());
        if !is_new {
            repeated.insert(node.path());
        }
        Ok(is_new)
    })?;
    Ok(repeated)
}

/// Whether a dict or list is shared, and not empty.
fn is_shared(node: &Node) -> bool {
    node.is_shared() && !node.is_empty().unwrap_or(true)
}

/// The dict or list of the other file at the same path.
fn beside(node: &Node, other: &Dataset) -> Option<NodeId> {
    let found = other.get(&node.path()).ok()?;
    // Keys of different types may have one spelling.
    let same = found.path() == node.path() && found.typed_path() == node.typed_path();
    if same && !is_leaf(&found) && !found.is_empty().ok()? { found.id() } else { None }
}
