//! Items that lie on each other, or on the signature of a native stream (spec 6.3, 3.4).

use super::Checker;
use crate::diagnostic::Diagnostic;
use crate::layout::{Layout, Place, RecordId, Scope, Step};
use crate::resolve::{
    Event, Flow, Found, Given, MemberKind, NoValues, Placed, Resolver, State, WalkOptions,
};
use crate::span::Span;
use hashbrown::HashSet;
use std::collections::BTreeMap;

/// Long lists are looked at in their first repetitions and the last.
const LONG: u64 = 4;

/// This many things are looked at besides one for each byte of the text: lists in lists multiply.
const LOOKS: usize = 1_000_000;

/// What is covered so far, in ranges that do not touch each other.
#[derive(Default)]
struct Covered {
    ranges: BTreeMap<u64, (u64, Span)>,
}

impl Covered {
    /// Covers a range; gives the place of something that lay there before.
    fn cover(&mut self, start: u64, end: u64, span: Span) -> Option<Span> {
        let mut hit = None;
        let (mut from, mut to) = (start, end);
        while let Some((&other, &(until, place))) = self.ranges.range(..to).next_back() {
            if until <= from {
                break;
            }
            hit = Some(place);
            from = from.min(other);
            to = to.max(until);
            self.ranges.remove(&other);
        }
        self.ranges.insert(from, (to, span));
        hit
    }
}

impl Checker<'_> {
    /// Warns of items that overlap where the text alone tells.
    pub(super) fn warn_overlaps(&mut self, given: &Given, state: &mut State) {
        let mut found = Vec::new();
        if has_addresses(&self.layout) {
            self.overlapping_items(given, state, &mut found);
        }
        self.overlapping_members(given, state, &mut found);
        let mut known = HashSet::new();
        found.retain(|diagnostic: &Diagnostic| known.insert(diagnostic.primary.span));
        self.diagnostics.extend(found);
    }

    fn overlapping_items(&self, given: &Given, state: &mut State, found: &mut Vec<Diagnostic>) {
        let layout = &self.layout;
        let mut covered = Covered::default();
        let mut gap = None;
        let mut end = given.start;
        let options = WalkOptions::elide_above(LONG);
        let mut looks = LOOKS.saturating_add(layout.text.len());
        let mut visit = |_: &mut Resolver<'_>, event: Event<'_>| {
            looks -= 1;
            if looks == 0 {
                return Flow::Stop;
            }
            let (span, placed) = match event.found {
                Found::Array { array, placed: Ok(placed), .. } => (layout[array].span, placed),
                Found::Param { param, placed: Some(Ok(placed)) } => (layout[param].span, placed),
                Found::Elided { list, .. } => {
                    gap = Some((end, layout[list].span));
                    return Flow::Continue;
                }
                _ => return Flow::Continue,
            };
            let Placed { address, bytes } = placed;
            if let Some((from, span)) = gap.take()
                && from < address
            {
                covered.cover(from, address, span);
            }
            if bytes == 0 {
                return Flow::Continue;
            }
            end = address + bytes;
            if let Some(other) = covered.cover(address, end, span) {
                let message = format!("{} overlaps what lies at {address} already", event.path);
                let first = (other != span).then_some(other);
                found.push(overlap(span, message, first));
            } else if address < given.start {
                let message = format!(
                    "{} overlaps the 16 bytes of the signature of a native stream",
                    event.path
                );
                found.push(overlap(span, message, None));
            }
            Flow::Continue
        };
        Resolver::new(layout, given, &NoValues, state).walk(options, &mut visit);
    }

    fn overlapping_members(&self, given: &Given, state: &mut State, found: &mut Vec<Diagnostic>) {
        let layout = &self.layout;
        let mut resolver = Resolver::new(layout, given, &NoValues, state);
        for at in 0..layout.records.len() {
            let id = RecordId(at as u32);
            if !layout.run(layout[id].members).iter().any(|&step| has_place(layout, step)) {
                continue;
            }
            let Ok(members) = resolver.members(id, 0) else { continue };
            let mut covered = Covered::default();
            for member in members.iter().filter(|member| member.bytes > 0) {
                let (name, span) = match member.kind {
                    MemberKind::Param(id) => (layout[id].name, layout[id].span),
                    MemberKind::Array(id) => (layout[id].name, layout[id].span),
                };
                let end = member.offset.saturating_add(member.bytes);
                if let Some(other) = covered.cover(member.offset, end, span) {
                    let name = layout.name(name);
                    let message = format!("the member `{name}` overlaps another one");
                    found.push(overlap(span, message, Some(other)));
                }
            }
        }
    }
}

fn overlap(span: Span, message: String, other: Option<Span>) -> Diagnostic {
    let found = Diagnostic::warning("overlap", span, message);
    match other {
        Some(other) => found.also(other, "it lies on this"),
        None => found,
    }
}

/// Without addresses nothing can overlap, so most layouts need not be walked through.
fn has_addresses(layout: &Layout) -> bool {
    let at = |place| matches!(place, Place::At(..));
    layout.arrays.iter().any(|array| array.dict.is_some() && at(array.place))
        || layout.params.iter().any(|param| param.scope != Scope::Record && at(param.place))
}

fn has_place(layout: &Layout, step: Step) -> bool {
    match step {
        Step::Array(id) => matches!(layout[id].place, Place::At(..)),
        Step::Param(id) => matches!(layout[id].place, Place::At(..)),
        _ => false,
    }
}
