//! The items of a layout in the dicts and lists of the tree, and how they are written.
//!
//! Items of a list have their numbers in a layout too. One of which nothing is described is a struct without fields
//! there, so that the others keep theirs; a list with many of those becomes a dict, whose names are the numbers.

use std::fmt::Write;

use dudley_parser::layout::path::push_name;
use dudley_parser::layout::words;

/// A list may have so many items of which nothing is described.
const HOLES: usize = 64;

/// One step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// A key of a mapping.
    Key(String),
    /// An item of a sequence.
    Index(usize),
}

/// What is in a dict or list.
#[derive(Debug)]
enum Slot {
    /// Type, shape, filter, place, and what is said behind them.
    Item(String),
    /// A line.
    Comment(String),
    Dict(Vec<(Step, Slot)>),
    List(Vec<(Step, Slot)>),
}

/// The items of a layout.
#[derive(Debug, Default)]
pub(super) struct Items {
    root: Vec<(Step, Slot)>,
}

impl Items {
    /// Adds an item. Those of a dict or list come one after the other.
    pub(super) fn item(&mut self, path: &[Step], text: String) {
        put(&mut self.root, path, Slot::Item(text));
    }

    /// Adds a line where an item of this path would be.
    pub(super) fn comment(&mut self, path: &[Step], text: String) {
        put(&mut self.root, path, Slot::Comment(text));
    }

    /// The paths that items have in the layout, in the order in which they were added.
    pub(super) fn paths(&self) -> Vec<String> {
        let mut found = Vec::new();
        paths(&self.root, false, "", &mut found);
        found
    }

    /// Writes them.
    pub(super) fn write(&self, text: &mut String) {
        dict(text, &self.root, "", 0);
    }
}

impl Step {
    /// As a name in a dict.
    pub(super) fn name(&self) -> String {
        match self {
            // The empty name means something else in layouts.
            Step::Key(name) if name.is_empty() => "_".to_owned(),
            Step::Key(name) => name.clone(),
            Step::Index(at) => at.to_string(),
        }
    }
}

fn put(slots: &mut Vec<(Step, Slot)>, path: &[Step], slot: Slot) {
    let Some((step, rest)) = path.split_first() else { return };
    let Some(next) = rest.first() else {
        slots.push((step.clone(), slot));
        return;
    };
    let is_open =
        matches!(slots.last(), Some((last, Slot::Dict(_) | Slot::List(_))) if last == step);
    if !is_open {
        let inner = match next {
            Step::Key(_) => Slot::Dict(Vec::new()),
            Step::Index(_) => Slot::List(Vec::new()),
        };
        slots.push((step.clone(), inner));
    }
    if let Some((_, Slot::Dict(inner) | Slot::List(inner))) = slots.last_mut() {
        put(inner, rest, slot);
    }
}

fn paths(slots: &[(Step, Slot)], listed: bool, before: &str, found: &mut Vec<String>) {
    for (step, slot) in slots {
        let mut path = format!("{before}/");
        match step {
            Step::Index(at) if listed => path += &at.to_string(),
            step => push_name(&mut path, &step.name()),
        }
        match slot {
            Slot::Item(_) => found.push(path),
            Slot::Comment(_) => {}
            Slot::List(items) => paths(items, is_list(items), &path, found),
            Slot::Dict(items) => paths(items, false, &path, found),
        }
    }
}

/// Whether what is in a sequence is written as a list.
fn is_list(slots: &[(Step, Slot)]) -> bool {
    let items = || slots.iter().filter(|(_, slot)| !matches!(slot, Slot::Comment(_)));
    let last = items().next_back().map_or(0, |(step, _)| match step {
        Step::Index(at) => at + 1,
        Step::Key(_) => usize::MAX,
    });
    last.saturating_sub(items().count()) <= HOLES
}

// Writing to a String cannot fail.
fn dict(text: &mut String, slots: &[(Step, Slot)], before: &str, indent: usize) {
    let pad = "  ".repeat(indent);
    for (step, slot) in slots {
        let path = format!("{before}/{}", words::name(&step.name()));
        match slot {
            Slot::Item(item) => {
                let _ = writeln!(text, "{pad}{path} = {item}");
            }
            Slot::Comment(line) => {
                let _ = writeln!(text, "{pad}# {line}");
            }
            Slot::List(items) if is_list(items) => {
                let _ = writeln!(text, "{pad}{path} [");
                list(text, items, indent + 1);
                let _ = writeln!(text, "{pad}]");
            }
            Slot::Dict(items) | Slot::List(items) => dict(text, items, &path, indent),
        }
    }
}

/// The items of a list, each with a comma in a line of its own, since a comment goes on to the end of its line.
fn list(text: &mut String, slots: &[(Step, Slot)], indent: usize) {
    let pad = "  ".repeat(indent);
    let mut next = 0;
    for (step, slot) in slots {
        if let Slot::Comment(line) = slot {
            let _ = writeln!(text, "{pad}# {line}");
            continue;
        }
        if let Step::Index(at) = step {
            (next..*at).for_each(|_| {
                let _ = writeln!(text, "{pad}{{}},");
            });
            next = at + 1;
        }
        match slot {
            Slot::Item(item) => {
                let _ = writeln!(text, "{pad}{item}");
            }
            Slot::List(items) if is_list(items) => {
                let _ = writeln!(text, "{pad}[");
                list(text, items, indent + 1);
                let _ = writeln!(text, "{pad}]");
            }
            Slot::Dict(items) | Slot::List(items) => {
                let _ = writeln!(text, "{pad}/");
                dict(text, items, "", indent + 1);
            }
            Slot::Comment(_) => {}
        }
        let _ = writeln!(text, "{pad},");
    }
}
