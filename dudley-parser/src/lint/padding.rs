//! Bytes that the order of members or items wastes, and the order that would save them.

use crate::diagnostic::Diagnostic;
use crate::layout::{DictId, Layout, Place, RecordId, Scope, Step};
use crate::names::Symbol;
use crate::place;
use crate::resolve::{
    Given, MemberKind, NoValues, Node, Placed, Position, Resolver, State, Target,
};
use crate::span::Span;
use hashbrown::HashSet;

/// How many names an order is reported with.
const NAMES: usize = 12;

/// Something that can be moved.
#[derive(Clone, Copy)]
struct Part {
    name: Symbol,
    align: u64,
    bytes: u64,
    span: Span,
}

/// Structs whose members leave gaps.
pub(super) fn structs(layout: &Layout, found: &mut Vec<Diagnostic>) {
    let (given, mut state) = (native(), State::new());
    let mut resolver = Resolver::new(layout, &given, &NoValues, &mut state);
    let summary = layout.summary().map(|summary| summary.record.0);
    let mut known = HashSet::new();
    for (at, record) in layout.records.iter().enumerate() {
        let id = RecordId(at as u32);
        if record.variable
            || record.per_instance
            || summary == Some(id.0)
            || layout.run(record.members).iter().any(|&step| place_of(layout, step).is_none())
        {
            continue;
        }
        let (Some(parts), Ok(size)) = (members(&mut resolver, id), resolver.record_bytes(id))
        else {
            continue;
        };
        let end = |order: &[Part]| place::align_up(pack(0, order)?, record.align);
        let Some((better, order)) = best(&parts, size, end) else { continue };
        if !known.insert(record.span) {
            continue;
        }
        let (what, span) = match record.ty {
            Some(ty) => (format!("`{}`", layout.name(layout[ty].name)), layout[ty].span),
            None => ("this struct".to_owned(), record.span),
        };
        let wasted = size - better;
        let message = format!("the order of the members of {what} wastes {wasted} of {size} bytes");
        let help = format!("{} takes {better} bytes", told(layout, &order));
        found.push(Diagnostic::note("lint-padding", span, message).help(help));
    }
}

/// Runs of items of the root that leave gaps where their addresses are known.
pub(super) fn root(layout: &Layout, found: &mut Vec<Diagnostic>) {
    let (given, mut state) = (native(), State::new());
    let mut resolver = Resolver::new(layout, &given, &NoValues, &mut state);
    let mut run = Items::default();
    for &step in layout.root() {
        match movable(layout, step).and_then(|(dict, part)| {
            let placed = placed(&mut resolver, step)?;
            Some((dict, Part { bytes: placed.bytes, ..part }, placed))
        }) {
            Some((dict, part, placed)) => {
                if run.closed || run.dict != Some(dict) {
                    run.finish(layout, Some(part.align), found);
                    run.dict = Some(dict);
                }
                run.push(part, placed);
            }
            // It is nowhere, but what it is for stays behind it.
            None if is_nowhere(layout, step) => run.closed = true,
            None => {
                run.finish(layout, next_align(layout, step), found);
                run = Items::default();
            }
        }
    }
    run.finish(layout, None, found);
}

/// Items of one dict that follow each other.
#[derive(Default)]
struct Items {
    dict: Option<DictId>,
    parts: Vec<Part>,
    /// What comes next cannot be moved before it.
    closed: bool,
    start: u64,
    end: Option<u64>,
}

impl Items {
    fn push(&mut self, part: Part, placed: Placed) {
        if self.parts.is_empty() {
            self.start = self.end.unwrap_or(placed.address);
        }
        self.parts.push(part);
        self.end = place::add(placed.address, placed.bytes);
    }

    /// Reports the run, if another order of it brings what follows, of an alignment, nearer.
    fn finish(&mut self, layout: &Layout, next: Option<u64>, found: &mut Vec<Diagnostic>) {
        let parts = std::mem::take(&mut self.parts);
        self.closed = false;
        let (Some(end), [first, .., _]) = (self.end, parts.as_slice()) else { return };
        let align = next.unwrap_or(1);
        let Some(end) = place::align_up(end, align) else { return };
        let packed = |order: &[Part]| place::align_up(pack(self.start, order)?, align);
        let Some((better, order)) = best(&parts, end, packed) else { return };
        let message = format!("the order of the {} items from here wastes bytes", parts.len());
        let help = format!("{} saves {}", told(layout, &order), end - better);
        found.push(Diagnostic::note("lint-padding", first.span, message).help(help));
    }
}

fn native() -> Given {
    Given { start: crate::place::NATIVE_START, ..Given::default() }
}

/// An item that can change places with its neighbours, and its dict.
fn movable(layout: &Layout, step: Step) -> Option<(DictId, Part)> {
    let place = place_of(layout, step)?;
    debug_assert!(matches!(place, Place::Next));
    match step {
        Step::Array(id) => {
            let array = &layout[id];
            let part = Part { name: array.name, align: array.align, bytes: 0, span: array.span };
            (array.name != Symbol::EMPTY).then_some((array.dict?, part))
        }
        Step::Param(id) => {
            let param = &layout[id];
            let part = Part { name: param.name, align: param.align, bytes: 0, span: param.span };
            match param.scope {
                Scope::Dict(dict) if param.is_streamed() && !param.used => Some((dict, part)),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The place of an array or a param that has no address of its own.
fn place_of(layout: &Layout, step: Step) -> Option<Place> {
    let place = match step {
        Step::Array(id) => layout[id].place,
        Step::Param(id) => layout[id].place,
        _ => return None,
    };
    matches!(place, Place::Next).then_some(place)
}

fn is_nowhere(layout: &Layout, step: Step) -> bool {
    match step {
        Step::Enter(_) => true,
        Step::Param(id) => !layout[id].is_streamed(),
        _ => false,
    }
}

/// The alignment of what ends a run, where the run decides about its place.
fn next_align(layout: &Layout, step: Step) -> Option<u64> {
    match step {
        Step::Array(id) => place_of(layout, step).map(|_| layout[id].align),
        Step::Param(id) if layout[id].is_streamed() => {
            place_of(layout, step).map(|_| layout[id].align)
        }
        Step::Repeat(id) => Some(layout[id].phase),
        _ => None,
    }
}

fn placed(resolver: &mut Resolver<'_>, step: Step) -> Option<Placed> {
    let target = match step {
        Step::Array(id) => Target::Array(id),
        Step::Param(id) => Target::Param(id),
        _ => return None,
    };
    resolver.place(&Node { target, position: Position::default() }).ok()
}

/// The members of a struct that take space.
fn members(resolver: &mut Resolver<'_>, id: RecordId) -> Option<Vec<Part>> {
    let layout = resolver.layout();
    let members = resolver.members(id, 0).ok()?;
    let parts = members.iter().map(|member| {
        let (name, align, span) = match member.kind {
            MemberKind::Array(id) => (layout[id].name, layout[id].align, layout[id].span),
            MemberKind::Param(id) => (layout[id].name, layout[id].align, layout[id].span),
        };
        Part { name, align, bytes: member.bytes, span }
    });
    Some(parts.filter(|part| part.bytes > 0).collect())
}

/// Where the cursor stands behind parts that are placed one after the other.
fn pack(start: u64, parts: &[Part]) -> Option<u64> {
    parts.iter().try_fold(start, |cursor, part| {
        place::add(place::begin(cursor, None, part.bytes, part.align)?, part.bytes)
    })
}

/// An order that ends before `end`, if the largest or the smallest alignments first do.
fn best(
    parts: &[Part],
    end: u64,
    ends: impl Fn(&[Part]) -> Option<u64>,
) -> Option<(u64, Vec<Part>)> {
    let mut falling = parts.to_vec();
    falling.sort_by_key(|part| std::cmp::Reverse(part.align));
    let mut rising = parts.to_vec();
    rising.sort_by_key(|part| part.align);
    let orders = [falling, rising].into_iter().filter_map(|order| Some((ends(&order)?, order)));
    orders.filter(|(other, _)| *other < end).min_by_key(|(other, _)| *other)
}

fn told(layout: &Layout, order: &[Part]) -> String {
    let names = order.iter().take(NAMES).map(|part| format!("`{}`", layout.name(part.name)));
    let names: Vec<String> = names.collect();
    let more = if order.len() > NAMES { ", … by alignment" } else { "" };
    format!("the order {}{more}", names.join(", "))
}
