//! Scalars whose tag says something that their text is not: here they are text, and Python refuses them or finds another
//! value in them.

use std::collections::HashMap;

use super::file::AsdfFile;
use super::report::{Code, Report};
use super::tag;
use super::tag::complex_of;
use super::tree::{Node, Scalar, Style, is_date};
use super::walk::References;

/// Characters that are shown of a text.
const SHOWN: usize = 40;

impl AsdfFile {
    /// Looks for such scalars.
    pub(super) fn misfits(&self, report: &mut Report) {
        let Ok(root) = self.root() else { return };
        let nodes = root.node().tree().nodes();
        let mut found: HashMap<_, _> =
            nodes.filter_map(|node| Some((node.id(), (node, expected(node)?)))).collect();
        if found.is_empty() {
            return;
        }
        let mut add = |path: &str, node: Node<'_>, expected| {
            let text = node.text().unwrap_or_default();
            let shown: String = text.chars().take(SHOWN).collect();
            let more = if shown.len() < text.len() { "…" } else { "" };
            let reason =
                format!("{path}expected {expected}, found `{shown}{more}`, which is taken as text");
            report.add(Code::BadScalar, node.address(), reason);
        };
        // Only who visits can fail.
        let _ = root.walk_once(References::Kept, &mut |item, _| {
            if let Some((node, expected)) = found.remove(&item.node().id()) {
                add(&format!("`{}`: ", item.path()), node, expected);
            }
            Ok(!found.is_empty())
        });
        // Keys have no path.
        for (node, expected) in found.into_values() {
            add("", node, expected);
        }
    }
}

/// What the tag of a scalar says that it is, if its text is something else; or what YAML says that has no tag.
fn expected(node: Node<'_>) -> Option<&'static str> {
    let text = node.text()?;
    let Some(tag) = node.tag() else {
        return is_zero(node).then_some("an integer");
    };
    let meant = node.scalar()?;
    let is_text = matches!(meant, Scalar::Text(_));
    match tag.strip_prefix("tag:yaml.org,2002:") {
        Some("int") if is_text => Some("an integer"),
        Some("float") if is_text => Some("a float"),
        Some("bool") if is_text => Some("a boolean"),
        Some("binary") if is_text => Some("bytes in base 64"),
        Some("timestamp") if !is_date(text) => Some("a time"),
        Some(_) => None,
        None if tag::core(node) == Some("complex") && complex_of(node).is_none() => {
            Some("a complex number")
        }
        None => None,
    }
}

/// Whether a scalar without a tag is a zero without digits, which YAML 1.1 takes for an integer: `0_`, `0x_`.
fn is_zero(node: Node<'_>) -> bool {
    let Some(Scalar::Text(text)) = node.scalar().filter(|_| node.style() == Style::Plain) else {
        return false;
    };
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text).strip_prefix('0');
    let rest = digits.map(|rest| rest.strip_prefix(['b', 'x']).unwrap_or(rest));
    rest.is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte == b'_'))
}
