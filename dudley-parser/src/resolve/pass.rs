//! Past what cannot be measured: what has an address of its own lies there all the same, and what follows
//! it has a place again. Lookups, walks and the placing of the root go on so, and find the same.

use super::measure::Extent;
use super::{ErrorKind, ResolveError, Resolver, Result, Slot};
use crate::layout::{ParamId, RepeatId, Run, Scope, Step};
use crate::place::Repeated;

/// What a step comes to, as far as that can be known.
#[derive(Debug)]
pub(super) struct Passed {
    /// Its first byte; of a repeat or group, where the cursor stood before.
    pub(super) begin: Option<u64>,
    /// Where the cursor stands behind it, or why that is not known.
    pub(super) cursor: Result<u64>,
    /// The greatest end of anything in it that has bytes and a place; 0 if nothing has. Of lists in lists that
    /// cannot be measured only first repetitions are looked at.
    pub(super) end: u64,
    /// What is wrong in it, if anything is; that it lies behind something wrong is not.
    pub(super) fault: Option<ResolveError>,
}

impl Passed {
    fn whole(extent: Extent) -> Passed {
        Passed {
            begin: Some(extent.begin),
            cursor: Ok(extent.cursor),
            end: extent.end,
            fault: None,
        }
    }

    /// What has no place from a cursor on, with what is wrong in it.
    pub(super) fn lost(cursor: Result<u64>, fault: Option<ResolveError>) -> Passed {
        let begin = cursor.as_ref().ok().copied();
        let cursor = fault.clone().map_or(cursor, Err);
        Passed { begin, cursor, end: 0, fault }
    }

    /// Whether all of it has a place.
    fn is_whole(&self) -> bool {
        self.begin.is_some() && self.cursor.is_ok() && self.fault.is_none()
    }

    /// With the fault, if the walk did not reach it.
    fn wrong(self, fault: Option<ResolveError>) -> Passed {
        Passed { fault: self.fault.or(fault), ..self }
    }

    /// Continues behind it.
    fn then(&mut self, next: Passed) {
        self.cursor = next.cursor;
        self.end = self.end.max(next.end);
        self.fault = self.fault.take().or(next.fault);
    }
}

impl Resolver<'_> {
    /// Goes past a step of the root, a list or a dict, from where the cursor stands, if that is known.
    pub(super) fn pass(&mut self, step: Step, cursor: Result<u64>) -> Passed {
        let start = match cursor {
            Ok(cursor) => Some(cursor),
            Err(_) if self.has_address(step) => Some(0),
            Err(_) => None,
        };
        let fault = match start.map(|start| self.measure_step(step, start, 0)) {
            Some(Ok(extent)) => return Passed::whole(extent),
            Some(Err(error)) => Some(error),
            None => None,
        };
        match step {
            Step::Group(dict) if self.layout[dict].absolute => {
                self.pass_run(self.layout[dict].run, cursor).wrong(fault)
            }
            Step::Repeat(id) if self.layout[id].absolute => {
                self.pass_repeat(id, cursor).wrong(fault)
            }
            Step::Param(id) => {
                let mut passed = Passed::lost(cursor, fault);
                passed.begin = None;
                if let Err(error) = &passed.cursor {
                    self.lose_param(id, error);
                }
                passed
            }
            Step::Array(_) => Passed { begin: None, ..Passed::lost(cursor, fault) },
            Step::Enter(_) | Step::Group(_) | Step::Repeat(_) => Passed::lost(cursor, fault),
        }
    }

    /// Goes past the steps of a run.
    pub(super) fn pass_run(&mut self, run: Run, cursor: Result<u64>) -> Passed {
        let layout = self.layout;
        let mut passed = Passed::lost(cursor, None);
        for &step in layout.run(run) {
            let next = self.pass(step, passed.cursor.clone());
            passed.then(next);
        }
        passed
    }

    fn pass_repeat(&mut self, id: RepeatId, cursor: Result<u64>) -> Passed {
        match self.repetitions(id).and_then(|count| self.nest(self.layout[id].span).map(|()| count))
        {
            Err(error) => Passed::lost(cursor, Some(error)),
            Ok(count) => {
                let passed = self.pass_repetitions(id, cursor, count);
                self.state.depth -= 1;
                passed
            }
        }
    }

    /// Goes past the first repetitions of a piece of a list.
    pub(super) fn pass_repetitions(
        &mut self,
        id: RepeatId,
        cursor: Result<u64>,
        count: u64,
    ) -> Passed {
        let mut passed = Passed::lost(cursor, None);
        if self.layout[id].body.is_empty() {
            return passed;
        }
        let varies = self.varies(id);
        let begin = passed.begin;
        for at in 0..count {
            let before = passed.cursor.clone();
            let next = self.pass_repetition(id, before.clone());
            let whole = next.is_whole();
            passed.then(next);
            // Where something has no place, what is behind it lies where an address says it does, in each
            // repetition, or nowhere. All others lie equally far apart.
            if !varies && at > 0 && whole {
                passed.cursor =
                    self.at_equal_distances(id, begin, (&before, &passed.cursor), count);
                break;
            }
            if !varies && !whole && (at > 0 || self.layout[id].nested) {
                break;
            }
            if at > 0 && is_same(&before, &passed.cursor) {
                // The next one starts where this one did, so it is the same.
                break;
            }
            if let Err(endless) = self.check_repetitions(id, at) {
                passed.then(Passed::lost(Ok(0), Some(endless)));
                break;
            }
        }
        passed
    }

    /// Goes past one repetition of a piece of a list.
    pub(super) fn pass_repetition(&mut self, id: RepeatId, cursor: Result<u64>) -> Passed {
        let repeat = &self.layout[id];
        let fault = match cursor {
            Err(_) => None,
            Ok(cursor) => match self.measure_run(repeat.body, cursor) {
                Ok(extent) => return Passed::whole(extent),
                Err(error) => Some(error),
            },
        };
        if repeat.absolute {
            self.pass_run(repeat.body, cursor)
        } else {
            Passed::lost(cursor, fault)
        }
    }

    /// Where the cursor stands behind this many repetitions, given where it does before the first, and before and
    /// behind the second.
    fn at_equal_distances(
        &self,
        id: RepeatId,
        first: Option<u64>,
        second: (&Result<u64>, &Result<u64>),
        count: u64,
    ) -> Result<u64> {
        let (Some(first), (Ok(second), Ok(third))) = (first, second) else {
            return second.1.clone();
        };
        let stride = third.saturating_sub(*second);
        let behind = Repeated { first, second: *second, stride }.cursor(count);
        behind.ok_or_else(|| ResolveError::new(ErrorKind::AddressOverflow, self.layout[id].span))
    }

    /// A param of a repeated dict that has no place here: that of another repetition is not its value.
    fn lose_param(&mut self, id: ParamId, error: &ResolveError) {
        let param = &self.layout[id];
        if param.used && param.is_streamed() && !matches!(param.scope, Scope::Dict(_)) {
            self.state.epoch += 1;
            self.state.slots[id.index()] = Slot::Bad(error.clone());
        }
    }
}

/// Whether both are the same place, or none.
pub(super) fn is_same(one: &Result<u64>, other: &Result<u64>) -> bool {
    one.as_ref().ok() == other.as_ref().ok()
}
