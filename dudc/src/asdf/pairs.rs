//! What of two trees need not be compared again: shared mappings and lists that stand elsewhere too, beside the same.

use std::collections::HashSet;

use asdf_bridge::asdf::{AsdfFile, Item, ItemId, NodeId};

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
    let refers = a.has_references() || b.has_references();
    if shared.is_empty() && others.is_empty() && !refers {
        return Ok(again);
    }
    // What references lead to stands where they stand, too.
    let is_shared = |item: &Item, shared: &HashSet<NodeId>| {
        item.is_referred() || shared.contains(&item.node().id())
    };
    let mut pairs = HashSet::new();
    walk(a, path, &mut |item| {
        if is_leaf(item) {
            return Ok(false);
        }
        let is_new = !is_shared(item, &shared) || pairs.insert((item.id(), beside(item, b)));
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
        let is_new =
            !is_shared(item, &others) || beside(item, a).is_some() || alone.insert(item.id());
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
fn beside(item: &Item, other: &AsdfFile) -> Option<ItemId> {
    let found = other.get(item.path()).ok()?;
    // Keys may be spelt alike that differ in type.
    let same = found.path() == item.path() && found.typed_path() == item.typed_path();
    (same && !is_leaf(&found) && !found.node().is_empty()).then(|| found.id())
}
