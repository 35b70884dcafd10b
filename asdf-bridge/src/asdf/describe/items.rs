//! The items of a layout in the dicts and lists of the tree, and how they are written.
//!
//! Items of a list have their numbers in a layout too. One of which nothing is described is a struct without fields
//! there, so that the others keep theirs; a list with many of those, or too long to be one item of a layout, becomes a
//! dict, whose names are the numbers.

use std::collections::HashSet;
use std::fmt::Write;

use dudley_parser::layout::path::push_name;
use dudley_parser::layout::words;

/// A list may have this many items of which nothing is described.
const HOLES: usize = 64;

/// A list is written as one item of the layout, which may have 16 MiB. Those of more bytes than this become dicts, and an
/// item of more has no place in a layout. (Bytes are counted here before the text is made, and not too few.)
const LONGEST: usize = 12 << 20;

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
    Dict(Slots),
    List(Slots),
}

/// A dict or list.
#[derive(Debug, Default)]
struct Slots {
    slots: Vec<(Step, Slot)>,
    /// The names that a layout has for those of a dict.
    names: HashSet<String>,
    /// The number behind the last one of a list.
    next: usize,
    /// Bytes of text, or more.
    bytes: usize,
}

/// The items of a layout.
#[derive(Debug, Default)]
pub(super) struct Items {
    root: Slots,
}

impl Items {
    /// Adds an item, with lines in front of it. Those of a dict or list come one after the other.
    ///
    /// # Errors
    /// Why a layout cannot have it; then it is not added.
    pub(super) fn item(
        &mut self,
        path: &[Step],
        text: String,
        comment: Option<String>,
    ) -> Result<(), &'static str> {
        let names = path.iter().enumerate();
        let names = names.map(|(depth, step)| words::name(&step.name()).len() + 4 * depth + 8);
        let bytes = names.fold(text.len(), usize::saturating_add);
        if bytes > LONGEST {
            return Err("one item of a layout has 16 MiB at most");
        }
        // It stands where the item does.
        if !self.root.has_room(path) {
            return Err("another item of the layout has its path");
        }
        if let Some(comment) = comment {
            self.comment(path, comment);
        }
        self.root.put(path, Slot::Item(text), bytes, 0);
        Ok(())
    }

    /// Adds a line where an item of this path would be, or near it.
    pub(super) fn comment(&mut self, path: &[Step], text: String) {
        let bytes = text.len() + 2 * path.len() + 4;
        self.root.put(path, Slot::Comment(text), bytes, 0);
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

impl Slots {
    /// What stands last, if it is of this step, and something of the next step can be in it.
    fn open(&mut self, step: &Step, next: &Step) -> Option<&mut Slots> {
        let last = self.slots.iter_mut().rfind(|(_, slot)| !matches!(slot, Slot::Comment(_)))?;
        match (last, next) {
            ((known, Slot::Dict(inner)), Step::Key(_)) if known == step => Some(inner),
            ((known, Slot::List(inner)), Step::Index(_)) if known == step => Some(inner),
            _ => None,
        }
    }

    /// Whether nothing stands here yet that has the name of a step.
    fn is_new(&self, step: &Step) -> bool {
        match step {
            Step::Key(_) => !self.names.contains(&step.name()),
            Step::Index(at) => *at >= self.next,
        }
    }

    /// Whether an item of this path can be added.
    fn has_room(&mut self, path: &[Step]) -> bool {
        let mut slots = self;
        for (at, step) in path.iter().enumerate() {
            if slots.is_new(step) {
                return true;
            }
            let Some(next) = path.get(at + 1) else { return false };
            let Some(inner) = slots.open(step, next) else { return false };
            slots = inner;
        }
        false
    }

    /// Adds what has this path, of this many bytes, and as deep; how many bytes that makes.
    fn put(&mut self, path: &[Step], slot: Slot, bytes: usize, depth: usize) -> usize {
        let Some((step, rest)) = path.split_first() else { return 0 };
        let mut added = bytes;
        let is_here = rest.is_empty() && matches!(slot, Slot::Comment(_));
        if !is_here && self.is_new(step) {
            added += self.enter(step, depth);
            match rest.first() {
                Some(Step::Key(_)) => self.slots.push((step.clone(), Slot::Dict(Slots::default()))),
                Some(Step::Index(_)) => {
                    self.slots.push((step.clone(), Slot::List(Slots::default())));
                }
                None => {}
            }
        }
        match rest.first().and_then(|next| self.open(step, next)) {
            Some(inner) => added += inner.put(rest, slot, bytes, depth + 1) - bytes,
            None => self.slots.push((step.clone(), slot)),
        }
        self.bytes += added;
        added
    }

    /// Notes that something is of this step; how many bytes those take whose numbers are before it.
    fn enter(&mut self, step: &Step, depth: usize) -> usize {
        match step {
            Step::Key(_) => {
                self.names.insert(step.name());
                0
            }
            Step::Index(at) => {
                let holes = (*at).saturating_sub(self.next);
                self.next = at + 1;
                holes * (2 * depth + 4)
            }
        }
    }

    /// Whether what is in a sequence is written as a list.
    fn is_list(&self) -> bool {
        let items = self.slots.iter().filter(|(_, slot)| !matches!(slot, Slot::Comment(_)));
        self.next.saturating_sub(items.count()) <= HOLES && self.bytes <= LONGEST
    }
}

fn paths(slots: &Slots, listed: bool, before: &str, found: &mut Vec<String>) {
    for (step, slot) in &slots.slots {
        let mut path = format!("{before}/");
        match step {
            Step::Index(at) if listed => path += &at.to_string(),
            step => push_name(&mut path, &step.name()),
        }
        match slot {
            Slot::Item(_) => found.push(path),
            Slot::Comment(_) => {}
            Slot::List(items) => paths(items, items.is_list(), &path, found),
            Slot::Dict(items) => paths(items, false, &path, found),
        }
    }
}

// Writing to a String cannot fail.
fn dict(text: &mut String, slots: &Slots, before: &str, indent: usize) {
    let pad = "  ".repeat(indent);
    for (step, slot) in &slots.slots {
        let path = format!("{before}/{}", words::name(&step.name()));
        match slot {
            Slot::Item(item) => {
                let _ = writeln!(text, "{pad}{path} = {item}");
            }
            Slot::Comment(line) => {
                let _ = writeln!(text, "{pad}# {line}");
            }
            Slot::List(items) if items.is_list() => {
                let _ = writeln!(text, "{pad}{path} [");
                list(text, items, indent + 1);
                let _ = writeln!(text, "{pad}]");
            }
            Slot::Dict(items) | Slot::List(items) => dict(text, items, &path, indent),
        }
    }
}

/// The items of a list, each with a comma in a line of its own, since a comment continues to the end of its line.
fn list(text: &mut String, slots: &Slots, indent: usize) {
    let pad = "  ".repeat(indent);
    let mut next = 0;
    for (step, slot) in &slots.slots {
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
            Slot::List(items) if items.is_list() => {
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
