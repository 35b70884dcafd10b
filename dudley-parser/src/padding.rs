//! Padding within structs: which have how many bytes of it, and where.
//!
//! Structs of other programs' files are often packed. A layout that does not say so (`{%1 …}`) aligns them, and reads
//! values from the wrong bytes.

use crate::diagnostic::Diagnostic;
use crate::layout::{Array, Count, Element, Layout, ParamValue, Place, Record, RecordId, Step};
use crate::names::Symbol;
use crate::place;
use crate::resolve::{Given, NoValues, Resolver, State};
use crate::span::{LineIndex, Span};
use hashbrown::{HashMap, HashSet};
use std::fmt;

/// This many places of one struct are named.
const GAPS_SHOWN: usize = 4;

/// The code of [`Padded::finding`].
const CODE: &str = "raw-padding";

/// A struct that has padding. Displays as its name, its place in the text, and where how much is.
///
/// ```
/// let layout = dudley_parser::check(b"x = {a = u1  b = f8}").layout.unwrap();
/// let padded = &dudley_parser::padding::padded(&layout)[0];
/// assert_eq!(padded.gaps[0].bytes, 7);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Padded {
    /// The name of the type, or of the item that it is the type of; empty in a list.
    pub name: String,
    /// Where the struct is declared.
    pub span: Span,
    /// Its line and column, from 1.
    pub at: (usize, usize),
    /// Where bytes are left out, in the order of the text.
    pub gaps: Vec<Gap>,
}

/// Bytes of a struct that are in no member.
///
/// ```
/// let layout = dudley_parser::check(b"x = {a = u1  b = f8}").layout.unwrap();
/// let gap = &dudley_parser::padding::padded(&layout)[0].gaps[0];
/// assert_eq!((gap.before.as_deref(), gap.bytes), (Some("b"), 7));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gap {
    /// The member behind it; `None` at the end of the struct.
    pub before: Option<String>,
    /// Its length in bytes; the greatest, if it is not always the same.
    pub bytes: u64,
    /// It has this length in each instance.
    pub always: bool,
}

impl Padded {
    /// The warning that `check` gives about layouts of raw streams.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = {a = u1  b = f8}").layout.unwrap();
    /// assert!(dudley_parser::padding::padded(&layout)[0].finding().help.is_some());
    /// ```
    pub fn finding(&self) -> Diagnostic {
        let message = format!("this struct has {}", self.places());
        Diagnostic::warning(CODE, self.span, message).help(HELP)
    }

    fn places(&self) -> String {
        let shown = self.gaps.iter().take(GAPS_SHOWN).map(Gap::to_string);
        let shown: Vec<String> = shown.collect();
        match self.gaps.len().saturating_sub(GAPS_SHOWN) {
            0 => shown.join(", "),
            more => format!("{} and in {more} more places", shown.join(", ")),
        }
    }
}

/// The cure for padding that a stream does not have.
pub const HELP: &str = "if the stream has none there, pack the struct: `{%1 …}`; `@` gives a member its offset, `} %n` says its end";

impl fmt::Display for Padded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.at;
        if self.name.is_empty() {
            write!(f, "the struct at {line}:{column} has {}", self.places())
        } else {
            write!(f, "`{}` ({line}:{column}) has {}", self.name, self.places())
        }
    }
}

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let most = if self.always { "" } else { "up to " };
        let s = if self.bytes == 1 { "" } else { "s" };
        write!(f, "{most}{} byte{s} of padding ", self.bytes)?;
        match &self.before {
            Some(name) => write!(f, "before `{name}`"),
            None => write!(f, "at its end"),
        }
    }
}

/// The structs of a layout that the rules of alignment pad, in the order of the text; each once, however often it is
/// used. What an alignment of the text asks for (`%n`, also where that is the natural one) is left out.
///
/// ```
/// let layout = dudley_parser::check(b"t = {a = f4  b = u2}[9]").layout.expect("no error");
/// let found = dudley_parser::padding::padded(&layout);
/// assert_eq!(found[0].to_string(), "`t` (1:5) has 2 bytes of padding at its end");
/// ```
pub fn padded(layout: &Layout) -> Vec<Padded> {
    look(layout, &mut HashSet::new())
}

/// As [`padded`], with the alignments of the text that say of padding that it is meant.
pub(crate) fn look(layout: &Layout, meant: &mut HashSet<Span>) -> Vec<Padded> {
    let (given, mut state) = (Given::default(), State::new());
    let mut resolver = Resolver::new(layout, &given, &NoValues, &mut state);
    let summary = layout.summary().map(|summary| summary.record);
    let (lines, names) = (LineIndex::new(layout.text()), items(layout));
    let mut known = HashSet::new();
    let mut found = Vec::new();
    for (at, record) in layout.records.iter().enumerate() {
        let id = RecordId(at as u32);
        if summary == Some(id) || known.contains(&record.span) {
            continue;
        }
        let gaps = gaps(&mut resolver, record, meant);
        if gaps.is_empty() {
            continue;
        }
        known.insert(record.span);
        let name = match record.ty {
            Some(ty) => Some(layout[ty].name),
            None => names.get(&id).copied(),
        };
        let start = lines.line_column(record.span.start);
        found.push(Padded {
            name: name.map_or_else(String::new, |name| layout.name(name).to_owned()),
            span: record.span,
            at: (start.line, start.column),
            gaps,
        });
    }
    found.sort_by_key(|padded| padded.span.start);
    found
}

/// The names of the items that structs are the types of.
fn items(layout: &Layout) -> HashMap<RecordId, Symbol> {
    let of = |array: &Array| match array.element {
        Element::Record(id) => Some((id, array.name)),
        Element::Primitive(..) => None,
    };
    layout.arrays().filter_map(|(_, array)| of(array)).collect()
}

fn gaps(resolver: &mut Resolver<'_>, record: &Record, meant: &mut HashSet<Span>) -> Vec<Gap> {
    let layout = resolver.layout();
    let mut found = Vec::new();
    let (mut cursor, mut natural) = (Cursor::START, 1);
    for &step in layout.run(record.members) {
        let member = match step {
            Step::Array(id) => of_array(resolver, &layout[id]),
            Step::Param(id) => {
                let param = &layout[id];
                let ParamValue::Streamed(primitive, _) = param.value else { continue };
                let bytes = primitive.size();
                Part {
                    name: param.name,
                    place: param.place,
                    align: param.align,
                    asked: param.asked,
                    natural: primitive.align(),
                    size: Size::Bytes(bytes),
                }
            }
            _ => continue,
        };
        natural = natural.max(member.align.min(member.natural));
        if let Place::At(address, _) = member.place {
            cursor = match address {
                Count::Int(at) if at >= 0 => Cursor { at: at as u64, step: Cursor::EXACT },
                _ => Cursor { at: 0, step: 1 },
            };
        } else if member.size != Size::Bytes(0) {
            let (bytes, always) = cursor.gap(member.align);
            if bytes > 0 && member.asked.is_some() {
                meant.extend(member.asked);
            } else if bytes > 0 && member.align <= member.natural {
                let always = always && matches!(member.size, Size::Bytes(_));
                let before = Some(layout.name(member.name).to_owned());
                found.push(Gap { before, bytes, always });
            }
        }
        cursor = cursor.behind(&member);
    }
    let (bytes, always) = cursor.gap(record.align);
    let by_members = layout.run(record.members).iter().all(|&step| !resolver.has_address(step));
    if bytes > 0 && record.asked.is_some() {
        meant.extend(record.asked);
    } else if bytes > 0 && record.align <= natural && by_members {
        found.push(Gap { before: None, bytes, always });
    }
    found
}

/// A member.
struct Part {
    name: Symbol,
    place: Place,
    align: u64,
    /// What asks for that.
    asked: Option<Span>,
    /// Its alignment, if the text asks for none.
    natural: u64,
    size: Size,
}

/// How much space a member takes.
#[derive(PartialEq, Eq)]
enum Size {
    Bytes(u64),
    /// Any multiple of this many bytes.
    Times(u64),
}

fn of_array(resolver: &mut Resolver<'_>, array: &Array) -> Part {
    let layout = resolver.layout();
    let (natural, unit) = match array.element {
        Element::Primitive(primitive, _) => (primitive.align(), Ok(primitive.size())),
        Element::Record(id) => {
            let align = layout[id].align;
            let size = if layout[id].variable { None } else { resolver.record_bytes(id).ok() };
            (align, size.ok_or(align))
        }
    };
    let count = resolver.shape(array).ok().and_then(|shape| {
        if shape.contains(&0) {
            return Some(0);
        }
        shape.iter().try_fold(1, |count, dim| place::multiply(count, *dim))
    });
    let size = match (array.filter, unit, count) {
        (Some(_), ..) => Size::Times(1),
        (None, _, Some(0)) => Size::Bytes(0),
        (None, Ok(unit), Some(count)) => match place::multiply(unit, count) {
            Some(bytes) => Size::Bytes(bytes),
            None => Size::Times(unit),
        },
        (None, Ok(unit) | Err(unit), _) => Size::Times(unit),
    };
    let of_type = match (array.typedef, array.element) {
        (Some(id), _) | (None, Element::Record(id)) => layout[id].asked,
        (None, Element::Primitive(..)) => None,
    };
    let (place, align, asked) = (array.place, array.align, array.asked.or(of_type));
    Part { name: array.name, place, align, asked, natural, size }
}

/// Where the next member may begin, as far as it is known: at `at`, or any number of `step` bytes from there.
#[derive(Clone, Copy)]
struct Cursor {
    at: u64,
    /// A power of two.
    step: u64,
}

impl Cursor {
    /// A step beyond all alignments: the rest is known.
    const EXACT: u64 = 1 << 32;
    const START: Cursor = Cursor { at: 0, step: Cursor::EXACT };

    /// The greatest number of bytes up to the next multiple of an alignment, and whether it is always this.
    const fn gap(self, align: u64) -> (u64, bool) {
        let align = if align == 0 { 1 } else { align };
        if self.step >= align {
            return ((align - self.at % align) % align, true);
        }
        match self.at % self.step {
            0 => (align - self.step, false),
            rest => (align - rest, false),
        }
    }

    /// Behind a member.
    fn behind(self, member: &Part) -> Cursor {
        let has_address = matches!(member.place, Place::At(..));
        let align = if has_address { 1 } else { member.align };
        let (gap, always) = self.gap(align);
        match member.size {
            Size::Bytes(0) => self,
            Size::Bytes(bytes) => {
                let (at, step) =
                    if always { (self.at.saturating_add(gap), self.step) } else { (0, align) };
                Cursor { at: at.saturating_add(bytes) % step, step }
            }
            Size::Times(unit) => {
                // It may be empty, and then moves nothing.
                let moved = if always { gap } else { self.at % self.step };
                let step = [unit, moved].into_iter().fold(self.step, |step, by| match by {
                    0 => step,
                    _ => step.min(1 << by.trailing_zeros()),
                });
                Cursor { at: self.at % step, step }
            }
        }
    }
}
