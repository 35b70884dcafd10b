//! How deep dicts nest: brackets are counted by the scan, but dicts are entered and left by items of their own.

use crate::ast::{Element, ElementKind, Item, ItemKind};
use crate::diagnostic::Diagnostic;

/// How deep dicts may nest; as deep as brackets may.
const MAX_DICTS: usize = 256;

/// Reports each dict in which the items are too deep. Those of anonymous dicts in lists lie in the dicts around the
/// list, too; `around` is how many these are.
pub(super) fn check(items: &[Item], around: usize, found: &mut Vec<Diagnostic>) {
    let mut depth = around;
    for item in items {
        match &item.kind {
            ItemKind::Enter { name, .. } => {
                depth += 1;
                if depth == MAX_DICTS + 1 {
                    let message = format!("dicts nest deeper than {MAX_DICTS}");
                    found.push(Diagnostic::error("nesting", name.span, message));
                }
            }
            ItemKind::Up => depth = depth.saturating_sub(1).max(around),
            ItemKind::Root => depth = around,
            ItemKind::List { list, .. } => elements(&list.elements, depth, found),
            _ => {}
        }
    }
}

fn elements(list: &[Element], around: usize, found: &mut Vec<Diagnostic>) {
    for element in list {
        match &element.kind {
            ElementKind::List(list) => elements(&list.elements, around, found),
            ElementKind::Dict(items) => check(items, around, found),
            ElementKind::Data(_) | ElementKind::Broken => {}
        }
    }
}
