//! How the things in a run are placed, for those that place it many times.

use super::expr::evaluate;
use super::{
    Array, Count, Dict, Element, Layout, ParamId, ParamValue, Place, Repeat, Run, Scope, Step,
};
use crate::place::suffixed;

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

impl Manner {
    /// That of nothing.
    const NONE: Manner = Manner { varying: false, phase: 1, absolute: false, nested: false };

    fn and(self, other: Manner) -> Manner {
        Manner {
            varying: self.varying || other.varying,
            phase: self.phase.max(other.phase),
            absolute: self.absolute || other.absolute,
            nested: self.nested || other.nested,
        }
    }
}

impl Layout {
    /// How the things in a run are placed.
    pub(crate) fn manner(&self, run: Run) -> Manner {
        let manners = self.run(run).iter().map(|step| self.step_manner(*step));
        manners.fold(Manner::NONE, Manner::and)
    }

    fn step_manner(&self, step: Step) -> Manner {
        match step {
            Step::Enter(_) => Manner::NONE,
            Step::Param(id) => {
                let param = &self[id];
                let streamed = matches!(param.value, ParamValue::Streamed(..));
                Manner {
                    varying: streamed && param.used && param.scope != Scope::Record,
                    phase: if streamed { param.align } else { 1 },
                    absolute: matches!(param.place, Place::At(..)),
                    nested: false,
                }
            }
            Step::Array(id) => {
                let array = &self[id];
                Manner {
                    varying: self.is_measured(array) && !self.is_never(array),
                    phase: array.align,
                    absolute: matches!(array.place, Place::At(..)),
                    nested: false,
                }
            }
            Step::Repeat(id) => {
                let &Repeat { varying, phase, absolute, count, .. } = &self[id];
                // What is repeated 0 times takes nothing, whatever is in it.
                let varying = varying && self.known(count) != Some(0);
                Manner { varying, phase, absolute, nested: true }
            }
            Step::Group(id) => {
                let &Dict { varying, phase, absolute, .. } = &self[id];
                Manner { varying, phase, absolute, nested: true }
            }
        }
    }

    /// The value of a count, if the text contains it.
    ///
    /// ```
    /// let layout = dudley_parser::check(b"N : 3  M : i8  x = f8[N+, M]").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// let known: Vec<_> = layout.dims(x).iter().map(|dim| layout.known(dim.count)).collect();
    /// assert_eq!(known, [Some(4), None]);
    /// ```
    pub fn known(&self, count: Count) -> Option<i64> {
        let fixed = |id: ParamId| match self[id].value {
            ParamValue::Fixed(value) if !self[id].is_by_length() => Some(value),
            _ => None,
        };
        match count {
            Count::Int(value) => Some(value),
            Count::Param(id, suffix) => suffixed(fixed(id)?, suffix),
            Count::Expr(expr) => {
                let value = evaluate(self.expr(expr), &mut |id| fixed(id).ok_or(()));
                value.ok().and_then(|value| value.ok())
            }
        }
    }

    /// Whether an array has no elements, whatever the params are that stand in the stream.
    fn is_never(&self, array: &Array) -> bool {
        self.dims(array).iter().any(|dim| self.known(dim.count) == Some(0))
    }

    /// Whether the bytes of an array, if it has elements, are read from the stream.
    pub(crate) fn is_measured(&self, array: &Array) -> bool {
        array.filter.is_some_and(|filter| self[filter].stored.is_none())
            || matches!(array.element, Element::Record(record) if self[record].variable)
    }

    /// Whether something in a step is at an address, so that the cursor may go back.
    pub(crate) fn goes_back(&self, step: Step) -> bool {
        match step {
            Step::Param(id) => matches!(self[id].place, Place::At(..)),
            Step::Array(id) => matches!(self[id].place, Place::At(..)),
            Step::Repeat(id) => self[id].absolute,
            Step::Group(id) => self.run(self[id].run).iter().any(|step| self.goes_back(*step)),
            Step::Enter(_) => false,
        }
    }
}
