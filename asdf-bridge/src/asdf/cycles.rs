//! References that lead back to what they stand in: who follows them comes to no end.

use std::collections::HashMap;
use std::vec::IntoIter;

use super::error::Error;
use super::file::AsdfFile;
use super::item::Item;
use super::report::{Code, Report};
use super::tree::{Node, NodeId, NodeKind};

impl AsdfFile {
    /// Whether there are references (`$ref`) in the tree.
    ///
    /// ```
    /// use asdf_bridge::asdf::Open;
    ///
    /// let file = Open::new().bytes(*b"#ASDF 1.0.0\n--- {a: 1, b: {$ref: '#/a'}}\n...\n")?;
    /// assert!(file.has_references());
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn has_references(&self) -> bool {
        self.tree().is_ok_and(|tree| tree.nodes().any(is_reference))
    }

    /// Looks for references within the file that lead back to what they stand in, also by way of others.
    pub(super) fn circles(&self, report: &mut Report) {
        let Ok(root) = self.root() else { return };
        if !self.has_references() {
            return;
        }
        // Of each node that was come to, whether not all below it was seen.
        let mut met = HashMap::from([(root.node().id(), true)]);
        let mut open: Vec<Open> = vec![Open::of(&root, false)];
        while let Some(last) = open.last_mut() {
            let Some(item) = last.rest.next() else {
                met.insert(last.id, false);
                open.pop();
                continue;
            };
            let refers = is_reference(item.node());
            // What leads nowhere is reported elsewhere.
            let Ok(target) = item.clone().resolve() else { continue };
            let node = target.node();
            if node.kind() == NodeKind::Scalar
                || (target.is_array() && !target.is_chunked())
                || target.file().id() != self.id()
            {
                continue;
            }
            match met.get(&node.id()) {
                None => {
                    met.insert(node.id(), true);
                    open.push(Open::of(&target, refers));
                }
                // Aliases alone may lead back: then it is a tree that is so.
                Some(true) if refers || referred(&open, node.id()) => {
                    let (path, target) = (item.own_path().into(), target.own_path().into());
                    let error = Error::CircularReference { path, target };
                    report.add(Code::BadReference, item.node().address(), error.to_string());
                }
                Some(_) => {}
            }
        }
    }
}

fn is_reference(node: Node<'_>) -> bool {
    node.reference().is_some()
}

/// A node that was come to, not all below which was seen.
struct Open {
    id: NodeId,
    /// Whether a reference leads to it.
    is_referred: bool,
    rest: IntoIter<Item>,
}

impl Open {
    fn of(item: &Item, is_referred: bool) -> Open {
        Open { id: item.node().id(), is_referred, rest: item.items().into_iter() }
    }
}

/// Whether a reference is on the way from a node to the last one.
fn referred(open: &[Open], from: NodeId) -> bool {
    open.iter().rev().take_while(|open| open.id != from).any(|open| open.is_referred)
}
