//! Literal dimensions that repeat, alignments without effect.

use crate::diagnostic::Diagnostic;
use crate::layout::{Count, Layout};
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
    for (span, (_, asked, natural)) in idle.into_iter().filter(|(_, (idle, ..))| *idle) {
        let message = match asked {
            0 => format!("`%0` has no effect: it stands for the default, here {natural}"),
            _ => format!("`%{asked}` has no effect: the alignment is {natural} without it"),
        };
        let note = Diagnostic::note("lint-align", span, message);
        found.push(note.help("leave it out"));
    }
}
