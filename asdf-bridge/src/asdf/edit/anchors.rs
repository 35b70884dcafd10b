//! What stood in a part of a text that goes, and is shared by what stays: it moves to there.

use std::collections::HashSet;
use std::ops::Range;

use super::super::error::Result;
use super::super::tree::{Node, NodeId, NodeKind, Style};
use super::super::write::yaml::Yaml;
use super::Edit;
use super::splice::Splice;

/// The first aliases, outside of `gone`, of what is written inside of it, replaced by what they stand for.
///
/// # Errors
/// If writing that fails.
pub(super) fn moved(edit: &Edit, gone: &Range<usize>) -> Result<Vec<Splice>> {
    let mut there = HashSet::new();
    let mut splices = Vec::new();
    for (at, node) in edit.tree().aliases() {
        if gone.contains(&at.start) || !is_inside(node, gone) || there.contains(&node.id()) {
            continue;
        }
        let spelt = edit.spelt(written(node, gone, &mut there));
        splices.push((at, spelt.inline(2)?));
    }
    Ok(splices)
}

/// Whether a node is written in a part of the text; of an empty one its anchor tells.
fn is_inside(node: Node<'_>, part: &Range<usize>) -> bool {
    let range = node.range();
    let at = if range.is_empty() { node.properties_end().saturating_sub(1) } else { range.start };
    part.contains(&at)
}

/// A node with its anchor, or an alias of one that is outside of `gone`, as those in `there` are by now.
fn written(node: Node<'_>, gone: &Range<usize>, there: &mut HashSet<NodeId>) -> Yaml<'static> {
    if let Some(name) = node.anchor()
        && (!is_inside(node, gone) || !there.insert(node.id()))
    {
        return Yaml::alias(name);
    }
    let mut part = |node| written(node, gone, there);
    let yaml = match node.kind() {
        NodeKind::Scalar => {
            let text = node.text().unwrap_or_default();
            match (node.style(), text) {
                (Style::Plain, "") if node.tag().is_none() => Yaml::null(),
                (Style::Plain, text) => Yaml::literal(text),
                (_, text) => Yaml::from(text.to_owned()).styled(Style::DoubleQuoted),
            }
        }
        NodeKind::Sequence => Yaml::sequence(node.items().map(part).collect::<Vec<_>>()),
        NodeKind::Mapping => {
            let entries = node.written_entries().into_iter();
            let entries = entries.map(|(key, value)| (part(key), part(value)));
            Yaml::mapping(entries.collect::<Vec<_>>())
        }
    };
    let yaml = match node.anchor() {
        Some(name) => yaml.anchored(name),
        None => yaml,
    };
    match node.tag() {
        Some(tag) => yaml.tagged(tag),
        None => yaml,
    }
}
