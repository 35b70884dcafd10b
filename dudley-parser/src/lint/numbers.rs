//! Literal dimensions that repeat, alignments without effect, and those that packing says at once.

use crate::diagnostic::Diagnostic;
use crate::layout::{Count, Element, Layout, Place, RecordId, Step};
use crate::padding;
use crate::span::Span;
use hashbrown::{HashMap, HashSet};
use std::collections::BTreeMap;

/// How often a literal dimension may stand in a text.
const OFTEN: usize = 3;

/// The least dimension that wants a name: two digits.
const LARGE: i64 = 10;

pub(super) fn literal_dims(layout: &Layout, found: &mut Vec<Diagnostic>) {
    let mut places: BTreeMap<i64, Vec<Span>> = BTreeMap::new();
    let mut known = HashSet::new();
    for dim in &layout.dims {
        if let Count::Int(value) = dim.count
            && value >= LARGE
            && known.insert(dim.span)
        {
            places.entry(value).or_default().push(dim.span);
        }
    }
    for (value, mut spans) in places.into_iter().filter(|(_, spans)| spans.len() >= OFTEN) {
        spans.sort();
        let message = format!("the dimension {value} stands {} times in this layout", spans.len());
        let note = Diagnostic::note("lint-literal-dim", spans[0], message);
        let help = "declare a param, as in `N : …`, and use it where the same length is meant";
        found.push(note.also(spans[1], "here").also(spans[2], "and here").help(help));
    }
}

pub(super) fn idle_alignments(layout: &Layout, found: &mut Vec<Diagnostic>) {
    let mut idle: HashMap<Span, (bool, i64, u64)> = HashMap::new();
    for alignment in &layout.alignments {
        let same = alignment.asked == 0 || alignment.asked == alignment.natural as i64;
        let entry =
            idle.entry(alignment.span).or_insert((true, alignment.asked, alignment.natural));
        entry.0 &= same;
    }
    // What says that padding is meant is not idle.
    let mut meant = HashSet::new();
    padding::look(layout, &mut meant);
    idle.retain(|span, (idle, ..)| *idle && !meant.contains(span));
    for (span, (_, asked, natural)) in idle {
        let message = match asked {
            0 => format!("`%0` has no effect: it stands for the default, here {natural}"),
            _ => format!("`%{asked}` has no effect: the alignment is {natural} without it"),
        };
        let note = Diagnostic::note("lint-align", span, message);
        found.push(note.help("leave it out"));
    }
}

/// The struct that is written within a member.
fn inside(layout: &Layout, step: Step) -> Option<RecordId> {
    let Step::Array(id) = step else { return None };
    let Element::Record(inner) = layout[id].element else { return None };
    layout[inner].ty.is_none().then_some(inner)
}

/// Whether nothing in a struct is aligned, nor in those that are written within it.
fn is_packed(layout: &Layout, record: RecordId) -> bool {
    layout.run(layout[record].members).iter().all(|step| {
        let align = match *step {
            Step::Array(id) => layout[id].align,
            Step::Param(id) if layout[id].is_streamed() => layout[id].align,
            _ => 1,
        };
        align == 1 && inside(layout, *step).is_none_or(|inner| is_packed(layout, inner))
    })
}

/// Structs whose members have `%1` each, which `{%1` says once.
pub(super) fn packed(layout: &Layout, found: &mut Vec<Diagnostic>) {
    let natural: HashMap<Span, u64> =
        layout.alignments.iter().map(|it| (it.span, it.natural)).collect();
    let summary = layout.summary().map(|summary| summary.record);
    let mut known = HashSet::new();
    for (at, record) in layout.records.iter().enumerate() {
        let brace_is_free =
            layout.text()[record.span.end as usize..].trim_start().starts_with(|next| next != '%');
        if summary == Some(RecordId(at as u32)) || !brace_is_free || !known.insert(record.span) {
            continue;
        }
        let members = layout.run(record.members).iter().filter_map(|step| {
            let (place, align, asked) = match *step {
                Step::Array(id) => (layout[id].place, layout[id].align, layout[id].asked),
                Step::Param(id) if layout[id].is_streamed() => {
                    (layout[id].place, layout[id].align, layout[id].asked)
                }
                _ => return None,
            };
            // Packing would reach into a struct that is written inside.
            let inside = inside(layout, *step).is_none_or(|inner| is_packed(layout, inner));
            let is_packed = align == 1 && inside && matches!(place, Place::Next);
            let says_so = asked.filter(|span| natural.get(span).is_some_and(|it| *it > 1));
            Some((is_packed, says_so))
        });
        let members: Vec<(bool, Option<Span>)> = members.collect();
        let said: Vec<Span> = members.iter().filter_map(|(_, says_so)| *says_so).collect();
        if let (true, [first, _, ..]) = (members.iter().all(|(packed, _)| *packed), &said[..]) {
            let message = format!(
                "`%1` stands on {} members of this struct, all that are aligned",
                said.len()
            );
            let note = Diagnostic::note("lint-pack", record.span, message);
            found.push(note.also(*first, "the first").help("`{%1 …}` packs all of them"));
        }
    }
}
