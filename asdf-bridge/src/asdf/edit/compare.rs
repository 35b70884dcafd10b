//! Whether a tree is another one except for one change: what an edit must come to, before it is believed.

use std::collections::HashMap;

use super::super::tree::{Key, Node, NodeId, NodeKind, Scalar};

/// What changes in one collection; numbers are those of its entries before.
#[derive(Clone, Copy)]
pub(super) enum Change<'t> {
    Replace(usize, Node<'t>),
    Insert(usize, Option<&'t str>, Node<'t>),
    Remove(usize),
    Rename(usize, &'t str),
}

/// Whether `new` is what `old` is with a change in `changed`.
pub(super) fn is_changed(
    old: Node<'_>,
    new: Node<'_>,
    changed: NodeId,
    change: Change<'_>,
) -> bool {
    let mut pairs = Pairs { changed, change, found: HashMap::new(), back: HashMap::new() };
    pairs.same(old, new)
}

/// Whether two nodes of different trees are the same, in themselves and in what they share.
fn is_same(old: Node<'_>, new: Node<'_>) -> bool {
    // There is no collection of this number.
    let mut pairs = Pairs {
        changed: NodeId::NONE,
        change: Change::Remove(usize::MAX),
        found: HashMap::new(),
        back: HashMap::new(),
    };
    pairs.same(old, new)
}

struct Pairs<'c> {
    changed: NodeId,
    change: Change<'c>,
    /// Which node of the new tree a node of the old one was found as, and the reverse.
    found: HashMap<NodeId, NodeId>,
    back: HashMap<NodeId, NodeId>,
}

impl Pairs<'_> {
    fn same(&mut self, old: Node<'_>, new: Node<'_>) -> bool {
        match (self.found.get(&old.id()), self.back.get(&new.id())) {
            (None, None) => {}
            (found, back) => return found == Some(&new.id()) && back == Some(&old.id()),
        }
        self.found.insert(old.id(), new.id());
        self.back.insert(new.id(), old.id());
        if old.kind() != new.kind() || old.tag() != new.tag() || old.anchor() != new.anchor() {
            return false;
        }
        match old.kind() {
            NodeKind::Scalar => same_scalar(old, new),
            NodeKind::Sequence => {
                let of = |node: Node<'_>| node.items().map(|item| (None, item.id())).collect();
                self.entries(old, new, of(old), of(new))
            }
            NodeKind::Mapping => {
                let of = |node: Node<'_>| {
                    let entries = node.written_entries().into_iter();
                    entries.map(|(key, value)| (Some(key.id()), value.id())).collect()
                };
                self.entries(old, new, of(old), of(new))
            }
        }
    }

    fn entries(
        &mut self,
        old: Node<'_>,
        new: Node<'_>,
        before: Vec<(Option<NodeId>, NodeId)>,
        after: Vec<(Option<NodeId>, NodeId)>,
    ) -> bool {
        let here = old.id() == self.changed;
        let change = self.change;
        let mut rest = after.into_iter();
        let inserted = |rest: &mut std::vec::IntoIter<_>, at: usize| match change {
            Change::Insert(before, key, value) if here && before == at => {
                let Some((name, node)) = rest.next() else { return false };
                is_key(new, name, key) && is_same(value, new.tree().node(node))
            }
            _ => true,
        };
        for (at, (key, value)) in before.iter().enumerate() {
            if !inserted(&mut rest, at) {
                return false;
            }
            if here && matches!(change, Change::Remove(removed) if removed == at) {
                continue;
            }
            let Some((new_key, new_value)) = rest.next() else { return false };
            let renamed = match change {
                Change::Rename(renamed, name) if here && renamed == at => Some(name),
                _ => None,
            };
            let same_key = match (renamed, key, new_key) {
                (Some(_), _, _) => is_key(new, new_key, renamed),
                (None, Some(key), Some(new_key)) => {
                    self.same(old.tree().node(*key), new.tree().node(new_key))
                }
                (None, key, new_key) => key.is_none() && new_key.is_none(),
            };
            let value = match change {
                Change::Replace(replaced, value) if here && replaced == at => {
                    is_same(value, new.tree().node(new_value))
                }
                _ => self.same(old.tree().node(*value), new.tree().node(new_value)),
            };
            if !same_key || !value {
                return false;
            }
        }
        inserted(&mut rest, before.len()) && rest.next().is_none()
    }
}

/// Whether a key is the one of this name, and no number or the like if that is text; of an item of a sequence there is
/// none.
fn is_key(new: Node<'_>, key: Option<NodeId>, name: Option<&str>) -> bool {
    let key = key.map(|key| new.tree().node(key));
    match (key, name) {
        (None, None) => true,
        (Some(key), Some(name)) => key.as_key() == Key::named(name),
        _ => false,
    }
}

fn same_scalar(old: Node<'_>, new: Node<'_>) -> bool {
    match (old.scalar(), new.scalar()) {
        (Some(Scalar::Float(old)), Some(Scalar::Float(new))) => {
            old.to_bits() == new.to_bits() || old.is_nan() && new.is_nan()
        }
        (old, new) => old == new,
    }
}
