//! What of two files need not be compared again: shared dicts and lists that stand elsewhere too, beside the same.

use std::collections::HashSet;

use dudley::model::{Dataset, Node, NodeId, Shared};

use super::{is_leaf, walk};
use crate::failure::Result;

/// The paths, at or below one, at which a file has what it has under another path as well, where the other one has the
/// same under both, or nothing. So there are no more to be compared than pairs of nodes.
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

/// Whether a dict or list stands at several places, and has something in it.
fn is_shared(node: &Node) -> bool {
    node.is_shared() && !node.is_empty().unwrap_or(true)
}

/// The dict or list that the other file has under the path of one.
fn beside(node: &Node, other: &Dataset) -> Option<NodeId> {
    let found = other.get(&node.path()).ok()?;
    // Keys may be written alike that differ in type.
    let same = found.path() == node.path() && found.typed_path() == node.typed_path();
    if same && !is_leaf(&found) && !found.is_empty().ok()? { found.id() } else { None }
}
