//! Text to syntax tree: what was written, and what of it is no layout?
//!
//! The scan finds what is safe to hand to the grammar, and where to cut; the grammar says what
//! each stretch is; `lower` makes the tree of that; `recover` goes item by item through a stretch
//! that the grammar refuses. Nothing is known about meaning here: see `check.rs`.

mod depth;
mod items;
mod lists;
mod lower;
mod message;
pub(crate) mod number;
mod parts;
mod recover;
pub(crate) mod runs;

use crate::ast::{Ast, Item};
use crate::diagnostic::Diagnostic;
use crate::grammar::{Grammar, Rule};
use crate::scan::{Cut, Scan, scan, skip_trivia};
use crate::span::Span;
use items::Opening;
use lower::Lower;
pub(crate) use lower::unescape;
use parts::Part;
use pest::Parser;
use std::borrow::Cow;

/// At most this many errors are kept; nobody reads more, and memory is bounded.
const MAX_DIAGNOSTICS: usize = 10_000;

/// No item may be longer than this: the grammar needs up to a hundred times as much memory, and
/// brackets are parsed as a whole.
const MAX_ITEM: u32 = 16 * 1024 * 1024;

/// A parsed text.
///
/// ```
/// let parsed = dudley_parser::parse::parse(b"x = f8");
/// assert_eq!((parsed.ast.items.len(), parsed.diagnostics.len()), (1, 0));
/// ```
#[derive(Debug)]
pub struct Parsed<'t> {
    /// The syntax tree.
    pub ast: Ast,
    /// The text that spans refer to, up to the end of the terminator. Bytes that are not UTF-8 are
    /// replaced by `?`, so that offsets are those of the input.
    pub text: Cow<'t, str>,
    /// The faults, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses a layout: any bytes at all, and always to the end.
///
/// ```
/// use dudley_parser::parse::parse;
///
/// let parsed = parse(b"N : i4  x = f8[N]\n-\nanything");
/// assert_eq!(parsed.ast.items.len(), 2);
/// assert!(parsed.diagnostics.is_empty());
/// ```
pub fn parse(text: &[u8]) -> Parsed<'_> {
    parse_by(text, parts::threads())
}

/// The same by at most this many threads.
fn parse_by(text: &[u8], threads: usize) -> Parsed<'_> {
    let mut scan = scan(text);
    let text = std::mem::take(&mut scan.text);
    let found = std::mem::take(&mut scan.diagnostics);
    let whole = Whole { text: &text, scan: &scan };
    let mut run = Run::new(&whole, found);
    let opening = run.opening();
    let Part { items, names, mut diagnostics } =
        parts::parse(run, &whole, &stretches(&scan, opening.end), threads);
    depth::check(&items, 0, &mut diagnostics);
    diagnostics.sort_by_key(|found| (found.primary.span.start, found.primary.span.end));
    let end = scan.terminator.map_or(scan.end, |dashes| dashes.end);
    let (comments, terminator) = (scan.comments, scan.terminator);
    let Opening { order, pack, summary, .. } = opening;
    let ast = Ast { order, pack, summary, items, terminator, comments, names, end };
    Parsed { ast, text, diagnostics }
}

/// The stretches from `at` on: no item of a valid text goes over the end of one.
fn stretches(scan: &Scan<'_>, mut at: u32) -> Vec<Span> {
    let last = Cut { before: scan.last, behind: scan.end };
    let mut stretches = Vec::with_capacity(scan.cuts.len() + 1);
    for cut in scan.cuts.iter().chain([&last]) {
        if cut.before > at {
            stretches.push(Span::new(at, cut.before));
            at = cut.before;
        }
        at = at.max(cut.behind);
    }
    stretches
}

/// All of a text, and what the scan found in it.
#[derive(Clone, Copy)]
struct Whole<'t> {
    text: &'t Cow<'t, str>,
    scan: &'t Scan<'t>,
}

/// One run of the parser over some of its stretches.
struct Run<'p> {
    text: &'p str,
    scan: &'p Scan<'p>,
    /// The text has replacements for bytes that are not UTF-8.
    bad_bytes: bool,
    lower: Lower<'p>,
    items: Vec<Item>,
}

impl<'p> Run<'p> {
    /// A run that begins with what the scan reported.
    fn new(whole: &Whole<'p>, found: Vec<Diagnostic>) -> Self {
        Run {
            text: whole.text,
            scan: whole.scan,
            bad_bytes: matches!(whole.text, Cow::Owned(_)),
            lower: Lower::new(whole.text, found),
            items: Vec::new(),
        }
    }

    /// What stands before all items, and where these begin.
    fn opening(&mut self) -> Opening {
        let start = self.scan.start;
        let end = self.scan.cuts.first().map_or(self.scan.last, |cut| cut.before);
        let end = self.limit(start, end);
        let Ok(pairs) = Grammar::parse(Rule::opening, &self.text[Span::new(start, end).range()])
        else {
            return Opening { end: start, ..Opening::default() };
        };
        self.lower.base = start;
        self.lower.opening(pairs)
    }

    /// The items from `at` to `end`, where no item of a valid text goes over `end`.
    fn stretch(&mut self, at: u32, end: u32) {
        let at = skip_trivia(self.text.as_bytes(), at as usize) as u32;
        if end.saturating_sub(at) > MAX_ITEM {
            self.too_long(at, end);
            return;
        }
        let faults = &self.scan.faults;
        let next = faults.partition_point(|fault| fault.at < at);
        let sound = faults.get(next).is_none_or(|fault| fault.at >= end);
        if sound
            && let Ok(pairs) = Grammar::parse(Rule::items, &self.text[Span::new(at, end).range()])
        {
            self.lower.base = at;
            self.lower.run_of_items(pairs, &mut self.items);
            return;
        }
        self.recover(at, end);
    }

    /// How far the grammar may look from `at`: to `end`, but not at brackets nested too deep.
    fn limit(&self, at: u32, end: u32) -> u32 {
        let faults = &self.scan.faults;
        let next = faults.partition_point(|fault| fault.at < at);
        let deep = faults[next..].iter().take_while(|fault| fault.at < end);
        deep.filter(|fault| fault.too_deep).map(|fault| fault.at).next().unwrap_or(end)
    }
}
