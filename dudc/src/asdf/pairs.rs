//! What of two trees need not be compared again: shared mappings and lists that stand elsewhere too, beside the same.

use std::collections::HashSet;

use asdf_bridge::asdf::{AsdfFile, Item, NodeId};

use super::{is_leaf, walk};
use crate::failure::Result;

/// The paths, at or below one, at which a tree has what it has under another path as well, where the other tree has the
/// same under both, or nothing. So there are no more to be compared than pairs of nodes.
///
/// # Errors
/// If there is nothing of that path.
pub(crate) fn again(a: &AsdfFile, b: &AsdfFile, path: Option<&str>) -> Result<HashSet<String>> {
    let mut again = HashSet::new();
    let (shared, others) = (shared(a), shared(b));
    if shared.is_empty() && others.is_empty() {
        return Ok(again);
    }
    let mut pairs = HashSet::new();
    walk(a, path, &mut |item| {
        if is_leaf(item) {
            return Ok(false);
        }
        let id = item.node().id();
        let is_new = !shared.contains(&id) || pairs.insert((id, beside(item, b)));
        if !is_new {
            again.insert(item.path().to_owned());
        }
        Ok(is_new)
    })?;
    let mut alone = HashSet::new();
    walk(b, path, &mut |item| {
        if is_leaf(item) || again.contains(item.path()) {
            return Ok(false);
        }
        let id = item.node().id();
        let is_new = !others.contains(&id) || beside(item, a).is_some() || alone.insert(id);
        if !is_new {
            again.insert(item.path().to_owned());
        }
        Ok(is_new)
    })?;
    Ok(again)
}

/// The mappings and lists of a tree that stand at several places and have something in them.
fn shared(file: &AsdfFile) -> HashSet<NodeId> {
    let Ok(tree) = file.tree() else { return HashSet::new() };
    tree.shared().iter().copied().filter(|id| !tree.node(*id).is_empty()).collect()
}

/// The mapping or list that the other tree has under the path of one.
fn beside(item: &Item, other: &AsdfFile) -> Option<NodeId> {
    let found = other.get(item.path()).ok()?;
    // What stands behind a reference has another path.
    let same = found.path() == item.path() && found.typed_path() == item.typed_path();
    (same && !is_leaf(&found) && !found.node().is_empty()).then(|| found.node().id())
}
