//! How the things in a run are placed, for those that place it many times.

use super::{Element, Layout, ParamValue, Place, Run, Scope, Step};

/// How things in a run are placed, for those that place it many times.
pub(crate) struct Manner {
    /// As [`Dict::varying`](super::Dict::varying).
    pub(crate) varying: bool,
    /// As [`Dict::phase`](super::Dict::phase).
    pub(crate) phase: u64,
    /// As [`Dict::absolute`](super::Dict::absolute).
    pub(crate) absolute: bool,
    /// It holds brackets or dicts itself.
    pub(crate) nested: bool,
}

impl Layout {
    /// How the things in a run are placed.
    pub(crate) fn manner(&self, run: Run) -> Manner {
        let mut manner = Manner { varying: false, phase: 1, absolute: false, nested: false };
        for &step in self.run(run) {
            self.add_manner(step, &mut manner);
        }
        manner
    }

    fn add_manner(&self, step: Step, manner: &mut Manner) {
        match step {
            Step::Enter(_) => {}
            Step::Param(id) => {
                let param = &self[id];
                let streamed = matches!(param.value, ParamValue::Streamed(..));
                manner.varying |= streamed && param.used && param.scope != Scope::Record;
                if streamed {
                    manner.phase = manner.phase.max(param.align);
                }
                manner.absolute |= matches!(param.place, Place::At(..));
            }
            Step::Array(id) => {
                let array = &self[id];
                manner.phase = manner.phase.max(array.align);
                manner.absolute |= matches!(array.place, Place::At(..));
                manner.varying |= array.filter.is_some_and(|filter| self[filter].stored.is_none());
                manner.varying |=
                    matches!(array.element, Element::Record(record) if self[record].variable);
            }
            Step::Repeat(id) => {
                let repeat = &self[id];
                manner.nested = true;
                manner.phase = manner.phase.max(repeat.phase);
                manner.absolute |= repeat.absolute;
                manner.varying |= repeat.varying;
            }
            Step::Group(id) => {
                let dict = &self[id];
                manner.nested = true;
                manner.phase = manner.phase.max(dict.phase);
                manner.absolute |= dict.absolute;
                manner.varying |= dict.varying;
            }
        }
    }
}
