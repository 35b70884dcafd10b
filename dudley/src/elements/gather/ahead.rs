//! Bytes read ahead, which are then looked at piece by piece as if they were read from the source.

use std::ops::Range;

use super::requests;
use crate::bytes::region::Region;
use crate::bytes::source::{Source, slice};
use crate::error::Result;

/// What a region of a source needs, at the addresses where it is there.
pub(crate) struct Ahead<'s> {
    source: &'s dyn Source,
    /// In the order of their addresses.
    pieces: Vec<(u64, Vec<u8>)>,
}

impl<'s> Ahead<'s> {
    /// Reads a region, runs closer than a page together.
    ///
    /// # Errors
    /// Those of the source.
    pub(crate) fn new(source: &'s dyn Source, region: &Region) -> Result<Ahead<'s>> {
        let mut pieces = Vec::new();
        requests::spans(source, region, &mut |spans: &[Range<u64>]| {
            let begin = pieces.len();
            pieces.extend(
                spans.iter().map(|span| (span.start, vec![0; (span.end - span.start) as usize])),
            );
            let ranges = pieces[begin..].iter_mut().map(|(at, bytes)| (*at, &mut bytes[..]));
            source.read_ranges(&mut ranges.collect::<Vec<_>>())
        })?;
        pieces.sort_by_key(|(at, _)| *at);
        Ok(Ahead { source, pieces })
    }
}

impl Source for Ahead<'_> {
    fn len(&self) -> u64 {
        self.source.len()
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
        let after = self.pieces.partition_point(|(at, _)| *at <= address);
        if let Some((at, bytes)) = after.checked_sub(1).and_then(|before| self.pieces.get(before))
            && let Ok(bytes) = slice(bytes, address - at, buf.len() as u64)
        {
            buf.copy_from_slice(bytes);
            return Ok(());
        }
        self.source.read_at(address, buf)
    }
}
