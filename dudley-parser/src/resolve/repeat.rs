//! Repeated sequences: computed where one repetition is of fixed size, walked where it is not.

use super::measure::{Extent, too_far, too_large};
use super::{ErrorKind, ResolveError, Resolver, Result, pass};
use crate::layout::{RepeatId, Step};
use crate::place::{self, Repeated};

/// How many repetitions lie between those whose start is kept when they have to be walked.
const STRIDE_KEPT: u64 = 64;

impl Resolver<'_> {
    /// How often a piece of a list repeats its steps.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"N : 3  l [f8]*N").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let (_, list) = layout.lists().next().unwrap();
    /// assert_eq!(resolver.repetitions(list.pieces[0])?, 3);
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If the count is unknown or illegal.
    pub fn repetitions(&mut self, id: RepeatId) -> Result<u64> {
        let repeat = &self.layout[id];
        self.repeats(repeat.count, repeat.count_span)
    }

    pub(super) fn measure_repeat(&mut self, id: RepeatId, cursor: u64) -> Result<Extent> {
        let count = self.repetitions(id)?;
        let repeat = &self.layout[id];
        if count == 0 || repeat.body.is_empty() {
            return Ok(Extent { begin: cursor, cursor, end: 0 });
        }
        self.nest(repeat.span)?;
        let extent = if self.varies(id) {
            self.walk_repeat(id, cursor, count)
        } else {
            self.compute_repeat(id, cursor, count)
        };
        self.state.depth -= 1;
        extent
    }

    /// Whether repetitions may differ in size.
    pub(super) fn varies(&self, id: RepeatId) -> bool {
        self.layout[id].varying && !self.values.is_uniform()
    }

    /// The whole of a repeat whose repetitions do not vary: two of them tell it all.
    fn compute_repeat(&mut self, id: RepeatId, cursor: u64, count: u64) -> Result<Extent> {
        let span = self.layout[id].span;
        let first = self.repetition(id, cursor)?;
        if count == 1 {
            return Ok(first);
        }
        let second = self.repetition(id, first.cursor)?;
        let stride = second.cursor.saturating_sub(first.cursor);
        let repeated = Repeated { first: cursor, second: first.cursor, stride };
        let behind = repeated.cursor(count).ok_or_else(|| too_large(span))?;
        let further = place::multiply(count - 2, stride).ok_or_else(|| too_large(span))?;
        let end = match second.end {
            0 => 0,
            end => place::add(end, further).ok_or_else(|| too_far(span))?,
        };
        Ok(Extent { begin: cursor, cursor: behind, end: end.max(first.end) })
    }

    /// How the repetitions of a repeat lie that does not vary.
    pub(super) fn repeated(&mut self, id: RepeatId, cursor: u64) -> Result<Repeated> {
        let first = self.repetition(id, cursor)?;
        let second = self.repetition(id, first.cursor)?;
        let stride = second.cursor.saturating_sub(first.cursor);
        Ok(Repeated { first: cursor, second: first.cursor, stride })
    }

    /// One repetition. Where it holds lists itself, what it comes to is kept, since those inside
    /// are measured twice for each of those outside.
    fn repetition(&mut self, id: RepeatId, cursor: u64) -> Result<Extent> {
        let repeat = &self.layout[id];
        if !repeat.nested || self.varies(id) {
            return self.measure_run(repeat.body, cursor);
        }
        // Without an `@` inside, only the cursor's remainder matters.
        let shift = if repeat.absolute { 0 } else { cursor & !(repeat.phase - 1) };
        let key = (repeat.body.start, cursor - shift);
        if let Some(&(epoch, extent)) = self.state.memo.get(&key)
            && epoch == self.state.epoch
        {
            return shifted(extent, shift).ok_or_else(|| too_far(repeat.span));
        }
        let extent = self.measure_run(repeat.body, cursor - shift)?;
        self.state.memo.insert(key, (self.state.epoch, extent));
        shifted(extent, shift).ok_or_else(|| too_far(repeat.span))
    }

    fn walk_repeat(&mut self, id: RepeatId, cursor: u64, count: u64) -> Result<Extent> {
        let mut whole = Extent { begin: cursor, cursor, end: 0 };
        for at in 0..count {
            let before = whole.cursor;
            let extent = self.measure_run(self.layout[id].body, before)?;
            whole.cursor = extent.cursor;
            whole.end = whole.end.max(extent.end);
            if whole.cursor == before && at > 0 {
                // The next one starts where this one did, so it is the same.
                break;
            }
            self.check_repetitions(id, at)?;
        }
        Ok(whole)
    }

    /// Checks that this many repetitions, of which each takes something, may all read something different: a stream has
    /// bytes for them.
    pub(super) fn check_repetitions(&self, id: RepeatId, repetitions: u64) -> Result<()> {
        match self.given.stream_bytes {
            Some(bytes) if repetitions > bytes.saturating_add(1) => {
                Err(ResolveError::new(ErrorKind::Endless, self.layout[id].span))
            }
            _ => Ok(()),
        }
    }

    /// Where the cursor stands before a repetition, with the params of it not yet read, given where it
    /// does before the first.
    pub(super) fn cursor_before(
        &mut self,
        id: RepeatId,
        cursor: Result<u64>,
        index: u64,
        at_root: bool,
    ) -> Result<u64> {
        if index == 0 {
            return cursor;
        }
        let kept = cursor.as_ref().ok().copied();
        if !self.varies(id) {
            let computed = kept.and_then(|cursor| self.repeated(id, cursor).ok()?.cursor(index));
            return match computed {
                Some(computed) => Ok(computed),
                None => self.pass_repetitions(id, cursor, index).cursor,
            };
        }
        let kept = kept.filter(|_| at_root).map(|cursor| (id, cursor));
        let mut known = kept.and_then(|kept| self.state.walks.remove(&kept)).unwrap_or_default();
        let result = self.walk_to(id, cursor, index, &mut known);
        if let Some(kept) = kept {
            self.state.walks.insert(kept, known);
        }
        result
    }

    /// Walks to a repetition from the nearest one before it whose start is kept.
    fn walk_to(
        &mut self,
        id: RepeatId,
        cursor: Result<u64>,
        index: u64,
        kept: &mut Vec<u64>,
    ) -> Result<u64> {
        let known = (index / STRIDE_KEPT).min(kept.len() as u64);
        let mut here = match known.checked_sub(1) {
            Some(last) => Ok(kept[last as usize]),
            None => cursor,
        };
        for at in known * STRIDE_KEPT..index {
            let next = self.pass_repetition(id, here.clone()).cursor;
            if at > 0 && pass::is_same(&next, &here) {
                return next;
            }
            if let (Ok(next), 0) = (&next, (at + 1) % STRIDE_KEPT)
                && kept.len() as u64 == (at + 1) / STRIDE_KEPT - 1
            {
                kept.push(*next);
            }
            here = next;
            self.check_repetitions(id, at)?;
        }
        here
    }

    /// The first repetition from a cursor on that cannot be measured: how many are before it, and where the cursor
    /// stands there. `None` if there is no such, or none that a stream has bytes for.
    pub(super) fn first_without_end(&mut self, id: RepeatId, cursor: u64) -> Option<(u64, u64)> {
        let (mut passed, mut here) = (0, cursor);
        loop {
            match self.measure_run(self.layout[id].body, here) {
                Err(_) => return Some((passed, here)),
                Ok(extent) if extent.cursor == here && passed > 0 => return None,
                Ok(extent) => here = extent.cursor,
            }
            self.check_repetitions(id, passed).ok()?;
            passed += 1;
        }
    }

    /// Where the cursor stands before an element of one repetition, or anywhere if the element says its address.
    pub(super) fn cursor_at_element(
        &mut self,
        id: RepeatId,
        cursor: Result<u64>,
        element: usize,
        at_root: bool,
    ) -> Result<u64> {
        let layout = self.layout;
        let steps: &[Step] = layout.run(layout[id].body);
        if self.has_address(steps[element]) {
            return cursor;
        }
        let stride = STRIDE_KEPT as usize;
        // A long list is not passed anew for each of its items.
        let start = cursor.as_ref().ok().copied().filter(|_| at_root && element >= stride);
        let Some(start) = start else {
            return steps[..element]
                .iter()
                .fold(cursor, |here, &step| self.pass(step, here).cursor);
        };
        let kept = self.state.elements.remove(&id).filter(|kept| kept.0 == start);
        let mut kept = kept.map(|kept| kept.1).unwrap_or_default();
        let known = (element / stride).min(kept.len());
        let mut here = known.checked_sub(1).map_or(cursor, |last| Ok(kept[last]));
        for (at, &step) in steps.iter().enumerate().take(element).skip(known * stride) {
            here = self.pass(step, here).cursor;
            if let (Ok(here), 0) = (&here, (at + 1) % stride)
                && kept.len() == at / stride
            {
                kept.push(*here);
            }
        }
        self.state.elements.insert(id, (start, kept));
        here
    }
}

fn shifted(extent: Extent, by: u64) -> Option<Extent> {
    Some(Extent {
        begin: place::add(extent.begin, by)?,
        cursor: place::add(extent.cursor, by)?,
        end: if extent.end == 0 { 0 } else { place::add(extent.end, by)? },
    })
}
