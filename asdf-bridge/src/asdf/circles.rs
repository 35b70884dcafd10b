//! References that lead back to what they stand in: who follows them comes to no end.

use std::collections::HashMap;
use std::vec::IntoIter;

use super::error::Error;
use super::file::AsdfFile;
use super::item::Item;
use super::report::{Code, Report};
use super::tree::{Node, NodeId, NodeKind};

impl AsdfFile {
    /// Looks for references within the file that lead back to what they stand in, also by way of others.
    pub(super) fn circles(&self, report: &mut Report) {
        let Ok(root) = self.root() else { return };
        if !root.node().tree().nodes().any(is_reference) {
            return;
        }
        // Of each node that was come to, whether not all below it was seen.
        let mut met = HashMap::from([(root.node().id(), true)]);
        let mut open: Vec<(NodeId, IntoIter<Item>)> = vec![below(&root)];
        while let Some((id, rest)) = open.last_mut() {
            let Some(item) = rest.next() else {
                met.insert(*id, false);
                open.pop();
                continue;
            };
            // What leads nowhere is told elsewhere.
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
                    open.push(below(&target));
                }
                Some(true) => {
                    let (path, target) = (item.path().into(), target.path().into());
                    let error = Error::CircularReference { path, target };
                    report.add(Code::BadReference, item.node().address(), error.to_string());
                }
                Some(false) => {}
            }
        }
    }
}

fn is_reference(node: Node<'_>) -> bool {
    node.get("$ref").and_then(Node::text).is_some()
}

/// A node, and what is in it.
fn below(item: &Item) -> (NodeId, IntoIter<Item>) {
    (item.node().id(), item.items().into_iter())
}
