//! Which bytes the values of structs take: what lies between is padding, where something else may lie.

use std::ops::Range;

use dudley_parser::layout::{ArrayId, Element, RecordId};
use dudley_parser::resolve::{MemberKind, Placed, Resolver};

use crate::error::Result;

/// The bytes of an array that its values take.
#[derive(Clone, Debug)]
pub(crate) struct Claims {
    /// After so many bytes the same follows again.
    unit: u64,
    /// Of each of these, counted from its start.
    ranges: Vec<Range<u64>>,
}

impl Claims {
    /// Of an array in its place; none if its values take all of it. Params of structs of variable size are read where
    /// they lie.
    ///
    /// # Errors
    /// If something in it cannot be placed.
    pub(crate) fn of(
        resolver: &mut Resolver<'_>,
        id: ArrayId,
        placed: Placed,
    ) -> Result<Option<Claims>> {
        let array = &resolver.layout()[id];
        let Element::Record(record) = array.element else { return Ok(None) };
        if array.filter.is_some() || placed.bytes == 0 {
            return Ok(None);
        }
        let mut found = Found { start: placed.address, ranges: Vec::new() };
        let unit = if resolver.layout()[record].variable {
            found.array(resolver, id, placed)?;
            placed.bytes
        } else {
            found.record(resolver, record, placed.address)?;
            resolver.record_bytes(record)?
        };
        let ranges = found.ranges;
        let is_all = matches!(&ranges[..], [all] if *all == (0..unit));
        Ok(if is_all || unit == 0 { None } else { Some(Claims { unit, ranges }) })
    }

    /// What they are of a part of the array, counted from the start of that part.
    pub(crate) fn parts(&self, part: Range<u64>) -> impl Iterator<Item = Range<u64>> + '_ {
        let units = part.start / self.unit..part.end.div_ceil(self.unit);
        let all = units.flat_map(move |at| {
            let start = at * self.unit;
            self.ranges.iter().map(move |range| start + range.start..start + range.end)
        });
        let within = all.map(move |range| range.start.max(part.start)..range.end.min(part.end));
        let first = part.start;
        let some = within.filter(|range| range.start < range.end);
        some.map(move |range| range.start - first..range.end - first)
    }
}

/// Ranges that are found, counted from a start.
struct Found {
    start: u64,
    ranges: Vec<Range<u64>>,
}

impl Found {
    fn add(&mut self, address: u64, bytes: u64) {
        let begin = address - self.start;
        match self.ranges.last_mut() {
            Some(last) if last.end == begin => last.end = begin + bytes,
            _ if bytes == 0 => {}
            _ => self.ranges.push(begin..begin + bytes),
        }
    }

    fn array(&mut self, resolver: &mut Resolver<'_>, id: ArrayId, placed: Placed) -> Result<()> {
        let array = &resolver.layout()[id];
        let record = match array.element {
            Element::Record(record) if array.filter.is_none() => record,
            _ => {
                self.add(placed.address, placed.bytes);
                return Ok(());
            }
        };
        let end = placed.address + placed.bytes;
        let mut here = placed.address;
        while here < end {
            let size = resolver.instance_size(record, here)?;
            if size == 0 {
                break;
            }
            self.record(resolver, record, here)?;
            here += size;
        }
        Ok(())
    }

    fn record(&mut self, resolver: &mut Resolver<'_>, id: RecordId, address: u64) -> Result<()> {
        for member in resolver.members(id, address)? {
            let placed = Placed { address: address + member.offset, bytes: member.bytes };
            match member.kind {
                MemberKind::Param(_) => self.add(placed.address, placed.bytes),
                MemberKind::Array(array) => self.array(resolver, array, placed)?,
            }
        }
        Ok(())
    }
}
