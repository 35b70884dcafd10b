//! Where things lie: what cannot be placed, lies past the end, overlaps, and what lies between.

use dudley_parser::Layout;
use dudley_parser::layout::{Element, ParamValue, Scope, Step};
use dudley_parser::place::LIMIT;
use dudley_parser::resolve::{Node, Placed, Position, ResolveError, Target};

use super::{Finding, Found, Severity, plural};
use crate::bytes::signature;
use crate::read::path::of_param;
use crate::read::stream::{Stream, StreamKind};

/// Of each kind of finding this many are reported, and then how many more there are.
const SHOWN: usize = 100;

/// What is shorter is taken for padding.
const PADDING: u64 = 16;

/// What a step of the root takes.
#[derive(Clone, Copy)]
struct Piece {
    begin: u64,
    end: u64,
    step: Step,
}

/// Checks the places of everything.
pub(super) fn verify(stream: &Stream, found: Found<'_>) {
    params(stream, found);
    unplaced(stream, found);
    let left_over = left_over(stream, found);
    let mut pieces = pieces(stream);
    truncated(stream, &pieces, found);
    pieces.sort_by_key(|piece| (piece.begin, piece.end));
    between(stream, &pieces, &left_over, found);
}

/// What is left behind items that take all that the stream has left (spec 4.9); where it begins.
fn left_over(stream: &Stream, found: Found<'_>) -> Vec<u64> {
    let mut begins = Vec::new();
    // What cannot be placed was reported.
    for left in stream.left_over().unwrap_or_default() {
        let what = Finding::new(Severity::Warning, "left-over", left.to_string());
        found(what.at(left.address, left.bytes).of(left.path));
        begins.push(left.address);
    }
    begins
}

/// Params whose value is not a legal one.
fn params(stream: &Stream, found: Found<'_>) {
    let layout = stream.layout();
    let mut few = Few::new("param-value", found);
    for (id, param) in layout.params() {
        let (Scope::Dict(_), ParamValue::Streamed(..)) = (param.scope, param.value) else {
            continue;
        };
        let value = stream.with_resolver(|resolver| {
            let address = resolver.step_address(param.step as usize).ok();
            (address, resolver.value(id))
        });
        if let (address, Err(error)) = value {
            let what = Finding::new(Severity::Error, "param-value", error.to_string());
            let what = Finding { address, ..what.of(of_param(&layout.param_path(id))) };
            few.add(what);
        }
    }
}

fn unplaced(stream: &Stream, found: Found<'_>) {
    let layout = stream.layout();
    let mut few = Few::new("unplaced", found);
    stream.with_resolver(|resolver| {
        for (at, error) in resolver.failures() {
            let what = Finding::new(Severity::Error, "unplaced", error.to_string());
            let path = layout.root().get(*at).and_then(|step| layout.step_path(*step));
            few.add(Finding { path, ..what });
        }
    });
}

/// What the steps of the root take; those that are placed and take something. Items of lists with addresses of their own
/// are apart.
fn pieces(stream: &Stream) -> Vec<Piece> {
    let layout = stream.layout();
    let mut pieces = Vec::new();
    let mut add = |placed: Placed, step: Step| {
        let end = placed.address.checked_add(placed.bytes).filter(|end| *end <= LIMIT);
        if let Some(end) = end.filter(|_| placed.bytes > 0) {
            pieces.push(Piece { begin: placed.address, end, step });
        }
    };
    stream.with_resolver(|resolver| {
        for (at, &step) in layout.root().iter().enumerate() {
            if let Step::Repeat(id) = step
                && is_scattered(layout, step)
            {
                let list = layout[id].list;
                if layout[list].pieces.first() != Some(&id) {
                    continue;
                }
                let node = Node { target: Target::List(list), position: Position::default() };
                let each = resolver.each_item::<ResolveError>(&node, &mut |_, _, placed| {
                    placed.into_iter().for_each(|placed| add(placed, step));
                    Ok(())
                });
                if each.is_ok() {
                    continue;
                }
            }
            if let Ok(placed) = resolver.step_extent(at) {
                add(placed, step);
            }
        }
    });
    pieces
}

fn truncated(stream: &Stream, pieces: &[Piece], found: Found<'_>) {
    let mut few = Few::new("truncated", found);
    let length = stream.len();
    for piece in pieces.iter().filter(|piece| piece.end > length) {
        let bytes = piece.end - piece.begin;
        let there = length.saturating_sub(piece.begin);
        let what = format!(
            "it takes {bytes} byte{} at address {}, but the stream has {there} there",
            plural(bytes),
            piece.begin
        );
        let what = Finding::new(Severity::Error, "truncated", what).at(piece.begin, bytes);
        few.add(named(what, stream.layout(), piece.step));
    }
}

/// Overlaps, and bytes that belong to nothing.
fn between(stream: &Stream, pieces: &[Piece], left_over: &[u64], found: Found<'_>) {
    let start = if stream.kind() == StreamKind::Native { signature::LEN } else { 0 };
    let (mut end, mut last) = (start, None);
    let mut few = Few::new("overlap", &mut *found);
    let (mut gaps, mut before) = (Vec::new(), None);
    for &piece in pieces {
        if before.replace(piece).is_some_and(|before| is_same(stream.layout(), before, piece)) {
            continue;
        }
        if piece.begin < end && !is_scattered(stream.layout(), piece.step) {
            few.add(overlap(stream.layout(), piece, end, last));
        } else if piece.begin >= end.saturating_add(PADDING) {
            gaps.push((end, piece.begin, "between items"));
        }
        if piece.end > end {
            (end, last) = (piece.end, Some(piece.step));
        }
    }
    drop(few);
    let length = stream.len();
    // Before an attached layout it is a reserve, for data that is added (spec 8.3).
    let has_layout = stream.signature().is_some_and(|it| it.layout_address.is_some());
    if length > end && !has_layout {
        gaps.push((end, length, "behind the data"));
    }
    // Something that could not be placed may lie there.
    let is_all = stream.with_resolver(|resolver| resolver.failures().is_empty());
    let none = if is_all { "no item" } else { "no item that could be placed" };
    let mut few = Few::new("gap", found);
    for (from, to, what) in gaps {
        if left_over.contains(&from) {
            continue;
        }
        let bytes = to - from;
        let what = format!("{none} describes {bytes} byte{} {what}", plural(bytes));
        few.add(Finding::new(Severity::Note, "gap", what).at(from, bytes));
    }
}

/// Whether two items with the very same bytes are one by two names, as links of HDF5 have it: their types and shapes are the
/// same, of structs their sizes.
fn is_same(layout: &Layout, a: Piece, b: Piece) -> bool {
    let (Step::Array(one), Step::Array(other)) = (a.step, b.step) else { return false };
    let (one, other) = (&layout[one], &layout[other]);
    let are_alike = match (one.element, other.element) {
        (Element::Record(_), Element::Record(_)) => true,
        (one, other) => one == other,
    };
    let counts = |array| layout.dims(array).iter().map(|dim| dim.count);
    (a.begin, a.end) == (b.begin, b.end) && are_alike && counts(one).eq(counts(other))
}

/// Whether what lies in a step has addresses of its own, so that others may lie between.
fn is_scattered(layout: &Layout, step: Step) -> bool {
    matches!(step, Step::Repeat(id) if layout[id].absolute)
}

fn overlap(layout: &Layout, piece: Piece, end: u64, last: Option<Step>) -> Finding {
    let bytes = piece.end.min(end) - piece.begin;
    let other = match last.and_then(|step| layout.step_path(step)) {
        Some(path) => format!("`{path}`"),
        None => "the signature".to_owned(),
    };
    let what = format!("{bytes} byte{} of it lie in {other} too", plural(bytes));
    let what = Finding::new(Severity::Warning, "overlap", what).at(piece.begin, bytes);
    named(what, layout, piece.step)
}

fn named(finding: Finding, layout: &Layout, step: Step) -> Finding {
    Finding { path: layout.step_path(step), ..finding }
}

/// The first findings of a kind; of the others how many they are.
pub(super) struct Few<'f> {
    code: &'static str,
    found: Found<'f>,
    count: usize,
    worst: Severity,
}

impl<'f> Few<'f> {
    pub(super) fn new(code: &'static str, found: Found<'f>) -> Few<'f> {
        Few { code, found, count: 0, worst: Severity::Note }
    }

    pub(super) fn add(&mut self, finding: Finding) {
        self.count += 1;
        if self.count <= SHOWN {
            (self.found)(finding);
        } else {
            self.worst = self.worst.max(finding.severity);
        }
    }
}

impl Drop for Few<'_> {
    fn drop(&mut self) {
        if let Some(more) = self.count.checked_sub(SHOWN).filter(|more| *more > 0) {
            let what = format!("and {more} more like these");
            (self.found)(Finding::new(self.worst, self.code, what));
        }
    }
}
