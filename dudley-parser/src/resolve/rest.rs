//! How many elements or repetitions there is room for until the end of the stream (spec 4.9).

use super::measure::Extent;
use super::{ErrorKind, ResolveError, Resolver, Result};
use crate::layout::{ArrayId, Element, ParamId, RepeatId, Taker};
use crate::place;
use crate::span::Span;

impl Resolver<'_> {
    /// The greatest value of a param with which what it is a length of ends at or before the end of the stream.
    pub(super) fn room(&mut self, id: ParamId, taker: Taker, end: u64) -> Result<u64> {
        let at = self.layout.taker_step(taker);
        let step = self.layout.root()[at];
        if self.needs_bytes(step) {
            self.guard(at)?;
        }
        let room = match taker {
            Taker::Array(array) => self.room_for_elements(array, end)?,
            Taker::Repeat(repeat) => self.room_for_repetitions(repeat, end)?,
        };
        let none = || ErrorKind::NoBytes(self.layout.param_path(id));
        room.ok_or_else(|| ResolveError::new(none(), self.layout[id].span))
    }

    /// How many bytes of the stream are left behind what takes all that it has left by a param: less than one more
    /// element or repetition would take. `None` where its length does not decide the value.
    ///
    /// ```
    /// use dudley_parser::resolve::{Given, NoValues, Resolver, State};
    ///
    /// let layout = dudley_parser::check(b"N : 0  x = f8[N]").layout.unwrap();
    /// let (given, mut state) = (Given::default(), State::new());
    /// let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
    /// let (n, _) = layout.params().next().unwrap();
    /// assert_eq!(resolver.left_over(n)?, None); // the text decides N
    /// # Ok::<(), dudley_parser::resolve::ResolveError>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be placed.
    pub fn left_over(&mut self, id: ParamId) -> Result<Option<u64>> {
        let (Some(taker), Some(end)) = (self.layout[id].to_end, self.given.stream_bytes) else {
            return Ok(None);
        };
        if self.given.params.contains_key(&id) {
            return Ok(None);
        }
        let placed = self.step_extent(self.layout.taker_step(taker))?;
        Ok(Some(end.saturating_sub(placed.address.saturating_add(placed.bytes))))
    }

    /// Where the cursor stands before a step of the root that is not placed.
    fn cursor_at(&mut self, at: usize) -> Result<u64> {
        self.place_root(at);
        self.come_to(at);
        self.state.cursor.filter(|_| self.state.frontier == at).ok_or_else(|| self.failure(at))
    }

    /// `None` if elements take no bytes.
    fn room_for_elements(&mut self, id: ArrayId, end: u64) -> Result<Option<u64>> {
        let array = &self.layout[id];
        let begin = match self.explicit(array.place)? {
            Some(address) => address,
            None => {
                let cursor = self.cursor_at(array.step as usize)?;
                place::align_up(cursor, array.align)
                    .ok_or_else(|| super::measure::too_far(array.span))?
            }
        };
        let row = self.elements_of_row(array)?;
        let too_large = || super::measure::too_large(array.span);
        let element = match array.element {
            Element::Primitive(primitive, _) => primitive.size(),
            Element::Record(record) if self.layout[record].variable => {
                let row = row.count().ok_or_else(too_large)?;
                return self.rows_until(end, begin, |resolver, address| {
                    resolver.instances_bytes(record, row, address, array.span)
                });
            }
            Element::Record(record) => self.record_bytes(record)?,
        };
        Ok(match row.bytes(element).ok_or_else(too_large)? {
            0 => None,
            bytes => Some(end.saturating_sub(begin) / bytes),
        })
    }

    /// `None` if repetitions take no bytes.
    fn room_for_repetitions(&mut self, id: RepeatId, end: u64) -> Result<Option<u64>> {
        let cursor = self.cursor_at(self.layout[id].step as usize)?;
        if self.varies(id) {
            let body = self.layout[id].body;
            return self.rows_until(end, cursor, |resolver, here| {
                Ok(resolver.measure_run(body, here)?.cursor - here)
            });
        }
        let repeated = self.repeated(id, cursor)?;
        if repeated.stride == 0 {
            return Ok(None);
        }
        Ok(Some(match end.checked_sub(repeated.second) {
            None => 0,
            Some(left) => 1 + left / repeated.stride,
        }))
    }

    /// How many of what differs in size come one after the other until the end; one that is cut off ends them.
    fn rows_until(
        &mut self,
        end: u64,
        begin: u64,
        mut bytes: impl FnMut(&mut Self, u64) -> Result<u64>,
    ) -> Result<Option<u64>> {
        let (mut rows, mut here) = (0, begin);
        while here < end {
            let outer = self.state.cut.replace(end);
            let bytes = bytes(self, here);
            self.state.cut = outer;
            match bytes {
                Ok(0) => return Ok(None),
                Ok(bytes) if bytes <= end - here => here += bytes,
                Ok(_) => break,
                Err(error) if error.is_past_the_end() => break,
                Err(error) => return Err(error),
            }
            rows += 1;
        }
        Ok(Some(rows))
    }

    /// Checks that something is not cut off, while that matters.
    pub(super) fn check_cut(&self, base: u64, extent: Extent, span: Span) -> Result<()> {
        match self.state.cut {
            Some(end)
                if extent.cursor > extent.begin && base.saturating_add(extent.cursor) > end =>
            {
                Err(ResolveError::new(ErrorKind::CutOff, span))
            }
            _ => Ok(()),
        }
    }
}
