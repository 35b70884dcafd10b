//! New brackets put into a layout.

use super::copy::{copy, push_run};
use super::fit::{Body, Fitted, Piece};
use crate::layout::{Count, DictId, Layout, ListId, ROOT, Repeat, RepeatId, Run, Step};
use hashbrown::HashMap;

/// Gives a list other brackets.
pub(super) fn put(layout: &mut Layout, list: ListId, fitted: Vec<Fitted>) {
    let fitted = filled(layout, list, fitted);
    // From the end, so that what is not yet done stays where it is.
    for (instead, bodies) in fitted.into_iter().rev() {
        let (Some(&first), many) = (instead.first(), instead.len()) else { continue };
        let step = layout[first].step as usize;
        let mut ids = Vec::new();
        for (at, (body, count, extension)) in bodies.into_iter().enumerate() {
            let like = layout[*instead.get(at).unwrap_or(&first)].clone();
            let manner = layout.manner(body);
            let repeat = Repeat {
                body,
                count: Count::Int(count),
                varying: manner.varying,
                phase: manner.phase,
                absolute: manner.absolute,
                nested: manner.nested,
                extension,
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
            in_summary(layout, home, step, many, ids.len());
            let run = add_run(layout, steps);
            layout.dicts[home.index()].run = run;
        }
        let all = &mut layout.lists[list.index()].pieces;
        if let Some(at) = all.iter().position(|piece| *piece == first) {
            all.splice(at..at + many, ids);
        }
    }
}

/// Brackets that are replaced, and for each new pair what stands in it, how often, and whether it is an extension.
type Filled = (Vec<RepeatId>, Vec<(Run, i64, bool)>);

/// The items in their new brackets, from the first to the last: an extension repeats the item before it.
fn filled(layout: &mut Layout, list: ListId, fitted: Vec<Fitted>) -> Vec<Filled> {
    let mut by_first: HashMap<RepeatId, Fitted> =
        fitted.into_iter().filter_map(|fitted| Some((*fitted.instead.first()?, fitted))).collect();
    let (mut done, mut last) = (Vec::new(), None);
    let mut pieces = layout[list].pieces.clone().into_iter();
    while let Some(piece) = pieces.next() {
        let Some(Fitted { instead, pieces: new }) = by_first.remove(&piece) else {
            match last {
                Some(last) if layout[piece].extension => {
                    layout.repeats[piece.index()].body = push_run(layout, vec![last]);
                }
                _ => last = layout.run(layout[piece].body).last().copied(),
            }
            continue;
        };
        pieces.by_ref().take(instead.len() - 1).for_each(drop);
        let mut bodies = Vec::new();
        for Piece { body, count } in new {
            let (run, extension) = match body {
                // It has its place where it is written first.
                Body::Extension => (push_run(layout, last.into_iter().collect()), true),
                Body::Items(items) => {
                    let steps = items
                        .into_iter()
                        .map(|item| if item.again { copy(layout, item.step) } else { item.step });
                    let steps: Vec<Step> = steps.collect();
                    last = steps.last().copied();
                    (add_run(layout, steps), false)
                }
            };
            bodies.push((run, count, extension));
        }
        done.push((instead, bodies));
    }
    done
}

/// Counts the steps of the summary anew, where others are put into the place of some of them.
fn in_summary(layout: &mut Layout, home: DictId, step: usize, were: usize, are: usize) {
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
