//! New brackets put into a layout.

use super::{Fitted, Item};
use crate::layout::{ArrayId, Count, DictId, Layout, ListId, ROOT, Repeat, RepeatId, Run, Step};

/// Gives a list other brackets.
pub(super) fn put(layout: &mut Layout, list: ListId, fitted: Vec<Fitted>) {
    // From the end, so that what is not yet done stays where it is.
    for Fitted { instead, pieces } in fitted.into_iter().rev() {
        let (Some(&first), many) = (instead.first(), instead.len()) else { continue };
        let step = layout[first].step as usize;
        let mut ids = Vec::new();
        for (at, piece) in pieces.into_iter().enumerate() {
            let like = layout[*instead.get(at).unwrap_or(&first)].clone();
            let steps = piece.steps.into_iter().map(|item| match item {
                Item { step: Step::Array(id), again: true } => {
                    let id = id.index();
                    layout.arrays.push(layout.arrays[id].clone());
                    Step::Array(ArrayId(layout.arrays.len() as u32 - 1))
                }
                Item { step, .. } => step,
            });
            let steps = steps.collect();
            // The item of an extension has its place where it is written.
            let body = match piece.extension {
                true => push_run(layout, steps),
                false => add_run(layout, steps),
            };
            let manner = layout.manner(body);
            let repeat = Repeat {
                body,
                count: Count::Int(piece.count),
                varying: manner.varying,
                phase: manner.phase,
                absolute: manner.absolute,
                nested: manner.nested,
                extension: piece.extension,
                ..like
            };
            ids.push(match instead.get(at) {
                Some(&id) => {
                    layout.repeats[id.index()] = repeat;
                    id
                }
                None => {
                    layout.repeats.push(repeat);
                    RepeatId(layout.repeats.len() as u32 - 1)
                }
            });
        }
        // A list within another keeps its one pair of brackets.
        if ids.len() != many {
            let home = layout[layout[list].dict].home;
            let mut steps = layout.run(layout[home].run).to_vec();
            steps.splice(step..step + many, ids.iter().map(|id| Step::Repeat(*id)));
            in_summary(layout, home, step, (many, ids.len()));
            let run = add_run(layout, steps);
            layout.dicts[home.index()].run = run;
        }
        let all = &mut layout.lists[list.index()].pieces;
        if let Some(at) = all.iter().position(|piece| *piece == first) {
            all.splice(at..at + many, ids);
        }
    }
}

/// Counts the steps of the summary anew, where others are put into the place of some of them.
fn in_summary(layout: &mut Layout, home: DictId, step: usize, (were, are): (usize, usize)) {
    if let Some(summary) = layout.summary.as_mut().filter(|it| step < it.steps as usize)
        && home == ROOT
    {
        summary.steps = summary.steps - were as u32 + are as u32;
    }
}

/// A run of steps, each of which knows its place there.
fn add_run(layout: &mut Layout, steps: Vec<Step>) -> Run {
    for (at, step) in (0..).zip(&steps) {
        match *step {
            Step::Param(id) => layout.params[id.index()].step = at,
            Step::Array(id) => layout.arrays[id.index()].step = at,
            Step::Repeat(id) => layout.repeats[id.index()].step = at,
            Step::Group(_) | Step::Enter(_) => {}
        }
    }
    push_run(layout, steps)
}

fn push_run(layout: &mut Layout, steps: Vec<Step>) -> Run {
    let start = layout.steps.len() as u32;
    layout.steps.extend(steps);
    Run { start, end: layout.steps.len() as u32 }
}
