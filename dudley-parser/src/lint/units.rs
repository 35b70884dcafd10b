//! Floats that do not say their unit.

use crate::diagnostic::Diagnostic;
use crate::layout::dtype::Kind;
use crate::layout::{Array, DocKey, Element, Layout, ListId, Step};
use crate::names::Symbol;
use hashbrown::{HashMap, HashSet};

pub(super) fn missing(layout: &Layout, found: &mut Vec<Diagnostic>) {
    let lists = lists_of_items(layout);
    let mut known = HashSet::new();
    for (at, array) in layout.arrays.iter().enumerate() {
        let list = lists.get(&(at as u32)).copied();
        // What has no name and is in no list is the member of a typedef: its uses have the unit.
        if !is_float(array) || (array.name == Symbol::EMPTY && list.is_none()) {
            continue;
        }
        let key = DocKey::of(array.span);
        if layout.unit(key).is_some()
            || layout.attribute(key, "const").is_some()
            || list.is_some_and(|list| list_has_unit(layout, list))
            || !known.insert(array.span)
        {
            continue;
        }
        let what = match array.name {
            Symbol::EMPTY => "this item".to_owned(),
            name => format!("`{}`", layout.name(name)),
        };
        let message = format!("{what} is of floats without a unit");
        let help = "say it at the start of its documentation, as in `## (m/s) wind speed`; `(1)` \
                    says that there is none";
        found.push(Diagnostic::note("lint-unit", array.span, message).help(help));
    }
}

fn is_float(array: &Array) -> bool {
    matches!(array.element, Element::Primitive(primitive, _)
        if matches!(primitive.kind(), Kind::Float | Kind::Complex))
}

/// The list of each array that is an item of one.
fn lists_of_items(layout: &Layout) -> HashMap<u32, ListId> {
    let mut lists = HashMap::new();
    for repeat in layout.repeats.iter().filter(|repeat| !repeat.extension) {
        for step in layout.run(repeat.body) {
            if let Step::Array(id) = step {
                lists.insert(id.0, repeat.list);
            }
        }
    }
    lists
}

/// The items of a list may share its unit.
fn list_has_unit(layout: &Layout, list: ListId) -> bool {
    let mut list = Some(list);
    while let Some(id) = list {
        if layout.unit(DocKey::of(layout[id].span)).is_some() {
            return true;
        }
        list = layout[id].outer;
    }
    false
}
