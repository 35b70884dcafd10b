//! The entries of an index beside each other: whether the chunks that they tell overlap, and what lies between these.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;

use super::{Frame, Place};
use crate::blosc2::error::{Error, Part, Result};

impl Frame {
    /// What a stored chunk takes: bytes, or of a sparse frame one number.
    pub(super) fn extent(&self, number: u64) -> Result<u64> {
        if self.is_sparse() { Ok(1) } else { Ok(self.chunk(number)?.cbytes()) }
    }

    /// Looks for entries of the index that are wrong though there is a chunk that can be opened: those of chunks that
    /// overlap, and those of values with bits that mean nothing. `found` gets the number of each such chunk, and what is
    /// wrong. The index and the headers of chunks are read, and nothing else.
    ///
    /// ```
    /// let frame = asdf_bridge::blosc2::Frame::open("tests/small.b2nd")?;
    /// let mut wrong = Vec::new();
    /// frame.check_entries(&mut |number, why| wrong.push((number, why.to_string())));
    /// assert!(wrong.is_empty());
    /// # Ok::<(), asdf_bridge::blosc2::Error>(())
    /// ```
    pub fn check_entries(&self, found: &mut dyn FnMut(u64, Error)) {
        let entries = Entries::of(self);
        for number in 0..self.chunk_count() {
            // A chunk that cannot be opened is an error for the code that reads it.
            if let Err(why) = entries.check(self, number)
                && self.chunk(number).is_ok()
            {
                found(number, why);
            }
        }
    }
}

/// Where the chunks of a frame lie. Memory is a matter of how many different ones there are, not of how many an
/// index says.
#[derive(Default)]
pub(crate) struct Entries {
    /// Where each chunk that can be opened ends, by where it begins behind the header; of a sparse frame, by its
    /// file.
    ends: BTreeMap<u64, u64>,
    /// Where another one lies that overlaps it.
    overlapping: BTreeMap<u64, u64>,
}

impl Entries {
    /// Looks at all entries, and at the header of each chunk.
    pub(crate) fn of(frame: &Frame) -> Entries {
        let mut entries = Entries::default();
        for number in 0..frame.chunk_count() {
            if let Ok(Place::Stored(at)) = frame.place(number) {
                // One that cannot be opened is none.
                let _ = entries.add(at, || frame.chunk(number).and_then(|_| frame.extent(number)));
            }
        }
        entries.compare();
        entries
    }

    /// Adds a chunk of the length that is reported, if it is the first one there.
    pub(super) fn add(&mut self, at: u64, length: impl FnOnce() -> Result<u64>) -> Result<()> {
        match self.ends.entry(at) {
            Entry::Occupied(_) => drop(self.overlapping.insert(at, at)),
            Entry::Vacant(free) => drop(free.insert(at.saturating_add(length()?))),
        }
        Ok(())
    }

    /// Finds which overlap, when all are added.
    pub(super) fn compare(&mut self) {
        let (mut last, mut last_end) = (0, 0);
        for (at, end) in &self.ends {
            if *at < last_end {
                self.overlapping.entry(*at).or_insert(last);
                self.overlapping.entry(last).or_insert(*at);
            }
            if *end > last_end {
                (last, last_end) = (*at, *end);
            }
        }
    }

    /// Whether another entry has bytes of the chunk at an address.
    pub(super) fn overlaps(&self, at: u64) -> bool {
        self.overlapping.contains_key(&at)
    }

    /// Where the last one ends.
    pub(super) fn end(&self) -> u64 {
        self.ends.values().max().copied().unwrap_or(0)
    }

    /// Checks that the entry of a chunk says nothing but what it may.
    ///
    /// # Errors
    /// [`Error::Damaged`], with the address of the index.
    pub(crate) fn check(&self, frame: &Frame, number: u64) -> Result<()> {
        let inner = &frame.inner;
        inner.index.check_bits(&*inner.source, number)?;
        let Place::Stored(at) = frame.place(number)? else { return Ok(()) };
        let Some(other) = self.overlapping.get(&at) else { return Ok(()) };
        let base = if frame.is_sparse() { 0 } else { frame.header_len() };
        let (at, other) = (at.saturating_add(base), other.saturating_add(base));
        let found = match (frame.is_sparse(), at == other) {
            (true, _) => format!("{at:08X}.chunk once more"),
            (false, true) => format!("the address {at} once more"),
            (false, false) => format!("the address {at}, where it overlaps that at {other}"),
        };
        let expected = "a chunk that no other entry has";
        let start = inner.index.place().start;
        Err(Error::damaged(Part::Index, start, expected, found).in_chunk(number, 0))
    }

    /// What lies between the chunks that can be opened, behind the header.
    pub(super) fn gaps(&self, frame: &Frame) -> Vec<Range<u64>> {
        let (mut gaps, mut end) = (Vec::new(), 0_u64);
        let all = self.ends.iter().map(|(at, end)| (*at, *end));
        for (at, next) in all.chain([(frame.cbytes(), frame.cbytes())]) {
            if at > end {
                gaps.push(end..at);
            }
            end = end.max(next);
        }
        gaps
    }
}
