//! Which constants stand in front of something that is read with the help of the stream (spec 7.3a).

use super::Checker;
use crate::layout::{Array, DictId, Element, Layout, ROOT, RecordId, Run, Step};

/// Whether a record holds a constant, as far as it was looked at.
type Known = Vec<Option<bool>>;

impl Checker<'_> {
    /// Finds the constants, and those that are compared while what stands behind them is measured.
    pub(super) fn finish_guards(&mut self) {
        if !self.layout.has_attribute("const") {
            return;
        }
        let params: Vec<bool> = self
            .layout
            .params
            .iter()
            .map(|it| it.is_streamed() && self.layout.stated_param(it).is_some())
            .collect();
        for (param, constant) in self.layout.params.iter_mut().zip(params) {
            param.constant = constant;
        }
        let layout = &self.layout;
        let mut known = vec![None; layout.records.len()];
        let arrays: Vec<bool> =
            layout.arrays.iter().map(|it| holds(layout, it, &mut known)).collect();
        let is_guard = |step: Step| match step {
            Step::Array(id) => arrays[id.index()],
            Step::Param(id) => layout[id].constant,
            Step::Repeat(id) => has_guards(layout, &arrays, layout[id].body),
            Step::Group(_) | Step::Enter(_) => false,
        };
        let steps = layout.root().iter().enumerate();
        let guards = steps.filter(|(_, step)| is_guard(**step)).map(|(at, _)| at).collect();
        let mut measured = Vec::new();
        for run in measured_runs(layout) {
            mark(layout, &arrays, run, &mut measured);
        }
        for (array, holds) in self.layout.arrays.iter_mut().zip(arrays) {
            array.constant = holds;
        }
        for id in measured {
            let id: crate::layout::ArrayId = id;
            self.layout.arrays[id.index()].guard = true;
        }
        self.layout.guards = guards;
    }
}

/// Whether an array, or a field of its struct, has only one legal value.
fn holds(layout: &Layout, array: &Array, known: &mut Known) -> bool {
    layout.stated(array).is_some()
        || matches!(array.element, Element::Record(record) if record_holds(layout, record, known))
}

fn record_holds(layout: &Layout, id: RecordId, known: &mut Known) -> bool {
    if let Some(holds) = known[id.index()] {
        return holds;
    }
    let found = layout.run(layout[id].members).iter().any(|step| match *step {
        Step::Array(id) => holds(layout, &layout[id], known),
        Step::Param(id) => layout[id].constant,
        _ => false,
    });
    known[id.index()] = Some(found);
    found
}

fn has_guards(layout: &Layout, arrays: &[bool], run: Run) -> bool {
    layout.run(run).iter().any(|step| match *step {
        Step::Array(id) => arrays[id.index()],
        Step::Repeat(id) => has_guards(layout, arrays, layout[id].body),
        Step::Group(id) => has_guards(layout, arrays, layout[id].run),
        Step::Param(id) => layout[id].constant,
        Step::Enter(_) => false,
    })
}

/// The runs that are visited step by step, since something in them is read: of repetitions, of anonymous
/// dicts, of structs of variable size.
fn measured_runs(layout: &Layout) -> Vec<Run> {
    let repeats = layout.repeats.iter().filter(|it| it.varying).map(|it| it.body);
    let groups = layout
        .dicts
        .iter()
        .enumerate()
        .filter(|(at, dict)| DictId(*at as u32) != ROOT && dict.list.is_some() && dict.varying);
    let records = layout.records.iter().filter(|it| it.variable).map(|it| it.members);
    repeats.chain(groups.map(|(_, dict)| dict.run)).chain(records).collect()
}

/// Constants of a run, and of the dicts in it in which nothing is read.
fn mark(layout: &Layout, arrays: &[bool], run: Run, measured: &mut Vec<crate::layout::ArrayId>) {
    for step in layout.run(run) {
        match *step {
            Step::Array(id) if arrays[id.index()] => measured.push(id),
            Step::Group(id) if !layout[id].varying => {
                mark(layout, arrays, layout[id].run, measured)
            }
            _ => {}
        }
    }
}
