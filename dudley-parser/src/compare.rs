//! How two layouts differ, and what the difference breaks.
//!
//! [`compare()`] looks at what the layouts declare, not at their texts: items, params, lists and types
//! are paired by their paths, those that were renamed in place by what they are, and each pair is
//! compared. What the same operations place in both layouts lies at the same places whatever the params
//! are; what is left is placed for many values of them. So each finding that something lies elsewhere has
//! an [`Example`]: values for which an address differs, made as simple as they get.
//!
//! Nothing here reads a stream.

mod brackets;
mod cache;
mod declared;
mod equivalent;
mod group;
mod items;
mod joint;
mod matching;
mod needs;
mod pairs;
mod param_names;
mod places;
mod polynomial;
mod presented;
mod record;
mod record_items;
mod same_steps;
mod search;
mod subject;
mod tree;
mod values;

use crate::layout::Layout;
use crate::span::Span;
use std::fmt;

/// Who is affected by a change.
///
/// ```
/// use dudley_parser::compare::Level;
///
/// assert_eq!(Level::ALL.map(Level::as_str), ["LAYOUT", "READ", "SOURCE"]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Level {
    /// Streams that do not bring their layout: bytes of the old layout are not where the new layout says, or
    /// are stored in another order or by another filter. Another type of the same size is none of this: its
    /// bytes are there, and programs read them as something else ([`Level::Read`]).
    Layout,
    /// Programs that look items up by their names, also in streams that bring their layout: something
    /// is gone, or is of another type or shape.
    Read,
    /// Code made from the layout: names and types of the program change, or what its numbers mean.
    Source,
}

impl Level {
    /// All of them, the one that is hardest to keep first.
    pub const ALL: [Level; 3] = [Level::Layout, Level::Read, Level::Source];

    /// `"LAYOUT"`, `"READ"` or `"SOURCE"`.
    ///
    /// ```
    /// assert_eq!(dudley_parser::compare::Level::Read.as_str(), "READ");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Level::Layout => "LAYOUT",
            Level::Read => "READ",
            Level::Source => "SOURCE",
        }
    }
}

/// A set of levels.
///
/// ```
/// use dudley_parser::compare::Level;
///
/// let of = |text: &str| dudley_parser::check(text.as_bytes()).layout.unwrap();
/// let changes = dudley_parser::compare::compare(&of("x = f8  y = f8"), &of("x = f4  y = f8"), 16);
/// assert!(changes.iter().any(|change| change.levels.has(Level::Read)));
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Levels(u8);

impl Levels {
    /// None: the change breaks nothing.
    pub const NONE: Levels = Levels(0);
    pub(crate) const LAYOUT: Levels = Levels(1);
    pub(crate) const READ: Levels = Levels(2);
    pub(crate) const SOURCE: Levels = Levels(4);

    /// Both sets together.
    ///
    /// ```
    /// use dudley_parser::compare::Levels;
    ///
    /// assert!(Levels::NONE.and(Levels::NONE).is_empty());
    /// ```
    pub const fn and(self, other: Levels) -> Levels {
        Levels(self.0 | other.0)
    }

    /// Whether a level is among them.
    ///
    /// ```
    /// use dudley_parser::compare::{Level, Levels};
    ///
    /// assert!(!Levels::NONE.has(Level::Layout));
    /// ```
    pub const fn has(self, level: Level) -> bool {
        self.0 & (1 << level as u8) != 0
    }

    /// Whether it is empty.
    ///
    /// ```
    /// assert!(dudley_parser::compare::Levels::NONE.is_empty());
    /// ```
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The levels, [`Level::Layout`] first.
    ///
    /// ```
    /// use dudley_parser::compare::{Level, Levels};
    ///
    /// assert_eq!(Levels::NONE.iter().collect::<Vec<Level>>(), []);
    /// ```
    pub fn iter(self) -> impl Iterator<Item = Level> {
        Level::ALL.into_iter().filter(move |level| self.has(*level))
    }
}

impl fmt::Debug for Levels {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

/// The use that a change breaks.
///
/// ```
/// use dudley_parser::compare::Victim;
///
/// let of = |text: &str| dudley_parser::check(text.as_bytes()).layout.unwrap();
/// let changes = dudley_parser::compare::compare(&of("x = f8  y = f8"), &of("x = f4  y = f8"), 16);
/// assert!(changes[0].breaks().contains(&Victim::OldReaders));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Victim {
    /// Streams written with the old layout, when they are read through the new one.
    OldFiles,
    /// Programs that have the old layout, when they read streams of the new one.
    OldReaders,
    /// Programs whose source has names or types of the layout.
    Source,
}

impl Victim {
    /// `"old_files"`, `"old_readers"` or `"source"`.
    ///
    /// ```
    /// assert_eq!(dudley_parser::compare::Victim::OldFiles.as_str(), "old_files");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Victim::OldFiles => "old_files",
            Victim::OldReaders => "old_readers",
            Victim::Source => "source",
        }
    }
}

/// One thing that is not the same in both layouts.
///
/// ```
/// let of = |text: &str| dudley_parser::check(text.as_bytes()).layout.unwrap();
/// let changes = dudley_parser::compare::compare(&of("x = f8  y = f8"), &of("x = f4  y = f8"), 16);
/// assert_eq!((changes[0].path.as_str(), changes[0].code), ("/x", "change-dtype"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The rule, as a stable word such as `change-address`; [`crate::explain`] knows it.
    pub code: &'static str,
    /// The path of the changed item in the old layout, or in the new one if the old has no such item.
    pub path: String,
    /// The broken uses. An empty list means that nothing breaks.
    pub levels: Levels,
    /// The change, in one line.
    pub message: String,
    /// Where it stands in the old text.
    pub old: Option<Span>,
    /// Where it stands in the new text.
    pub new: Option<Span>,
    /// Values of params for which something lies elsewhere or is larger or smaller.
    pub example: Option<Example>,
    /// Paths of what follows it and changes for the same reason.
    pub also: Vec<String>,
}

impl Change {
    /// The use that it breaks.
    ///
    /// ```
    /// let of = |text: &str| dudley_parser::check(text.as_bytes()).layout.unwrap();
    /// let changes = dudley_parser::compare::compare(&of("x = f8  y = f8"), &of("x = f4  y = f8"), 16);
    /// assert!(!changes[0].breaks().is_empty());
    /// ```
    pub fn breaks(&self) -> Vec<Victim> {
        let mut victims = Vec::new();
        let lies_elsewhere = self.levels.has(Level::Layout);
        let reads_otherwise = self.levels.has(Level::Read);
        // What is gone from the new layout is no matter to old files: nobody asks them for it.
        if lies_elsewhere || (reads_otherwise && self.code != "change-removed") {
            victims.push(Victim::OldFiles);
        }
        if (lies_elsewhere || reads_otherwise) && self.code != "change-const" {
            victims.push(Victim::OldReaders);
        }
        if self.levels.has(Level::Source) {
            victims.push(Victim::Source);
        }
        victims
    }
}

/// Values of params for which the layouts differ.
///
/// ```
/// let of = |text: &str| dudley_parser::check(text.as_bytes()).layout.unwrap();
/// let (old, new) = (of("N : i8  x = u1[N]  y = u1"), of("N : i8  x = u1[N, 2]  y = u1"));
/// let changes = dudley_parser::compare::compare(&old, &new, 16);
/// let example = changes.iter().find_map(|change| change.example.as_ref()).expect("an example");
/// assert_eq!(example.params[0].0, "N");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// The params that matter, by their names or paths, with a value each, those first that decide whether
    /// anything differs; `None` if it is always so.
    pub params: Vec<(String, i64)>,
    /// Bytes that each item stores which a filter made and whose size stands in the stream, where the numbers
    /// depend on it; what stands before them there is not counted.
    pub stored: Option<u64>,
    /// The difference.
    pub quantity: Quantity,
    /// The item it was found at: of a list, the path of one of its items.
    pub path: String,
    /// The number in the old layout.
    pub old: u64,
    /// The number in the new layout; `None` if it cannot be placed with these values.
    pub new: Option<u64>,
    /// Why it cannot be placed.
    pub why: Option<String>,
}

/// The difference in an [`Example`].
///
/// ```
/// use dudley_parser::compare::Quantity;
///
/// assert_eq!(Quantity::Address.as_str(), "address");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Quantity {
    /// The address, in bytes from the start of the stream.
    Address,
    /// The offset in a record, in bytes.
    Offset,
    /// The bytes that an item takes.
    Bytes,
    /// Bytes from one element to the next along some dimension.
    Stride,
    /// The number of items of a list.
    Length,
}

impl Quantity {
    /// `"address"`, `"offset"`, `"bytes"`, `"stride"` or `"length"`.
    ///
    /// ```
    /// assert_eq!(dudley_parser::compare::Quantity::Stride.as_str(), "stride");
    /// ```
    pub const fn as_str(self) -> &'static str {
        match self {
            Quantity::Address => "address",
            Quantity::Offset => "offset",
            Quantity::Bytes => "bytes",
            Quantity::Stride => "stride",
            Quantity::Length => "length",
        }
    }
}

/// Params of an example that are shown.
const SHOWN: usize = 8;

impl fmt::Display for Example {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.quantity.as_str(), self.old)?;
        match self.new {
            Some(new) => write!(f, ", now {new}")?,
            None => write!(f, ", and the new layout cannot place it")?,
        }
        for (at, (name, value)) in self.params.iter().take(SHOWN).enumerate() {
            write!(f, "{} {name} = {value}", if at == 0 { " with" } else { "," })?;
        }
        match self.params.len().saturating_sub(SHOWN) {
            0 => {}
            more => write!(f, " and {more} more")?,
        }
        if let Some(bytes) = self.stored {
            write!(f, ", if filters store {bytes} bytes")?;
        }
        match &self.why {
            Some(why) => write!(f, ": {why}"),
            None => Ok(()),
        }
    }
}

/// All that differs between an old and a new layout, in the order of the old text, with what was added
/// at the end. `start` is where the first item may lie, in bytes: 16 in native streams, 0 in others.
///
/// Nothing at all is found if both declare the same; comments that carry no meaning, and how a text is
/// written, are no difference.
///
/// ```
/// use dudley_parser::compare::{Level, compare};
///
/// let layout = |text: &str| dudley_parser::check(text.as_bytes()).layout.unwrap();
/// let old = layout("N : i8\nx = f4[N]\ny = i4");
/// let new = layout("N : i8\nx = f4[N]\ny = i4 %8");
/// let changes = compare(&old, &new, 16);
/// let moved = changes.iter().find(|change| change.code == "change-address").unwrap();
/// assert!(moved.levels.has(Level::Layout) && !moved.levels.has(Level::Read));
/// let example = moved.example.as_ref().unwrap();
/// assert_eq!(example.to_string(), "address 28, now 32 with N = 1");
/// ```
pub fn compare(old: &Layout, new: &Layout, start: u64) -> Vec<Change> {
    let trees = [tree::Tree::new(old), tree::Tree::new(new)];
    let mut comparison = declared::Comparison::new(old, new);
    comparison.layouts(&trees);
    if !same_steps::same(&comparison) {
        search::search(&mut comparison, start);
    }
    let mut changes = comparison.changes;
    changes.sort_by_key(|change| match (change.old, change.new) {
        (Some(old), _) => (0, old.start, change.code),
        (None, new) => (1, new.map_or(0, |new| new.start), change.code),
    });
    changes
}
