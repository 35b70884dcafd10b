//! Which bytes are requested, and how what comes is put side by side.
//!
//! Runs that are closer than a page are read together, with what lies between them. What is read
//! together is requested in one call, up to what the source says is best.

use std::ops::Range;

use crate::bytes::region::{Region, Row, Rows};
use crate::bytes::source::{self, Source, slice};
use crate::error::Result;

/// Bytes of a block: small enough to be in the cache still when it is decoded.
pub(crate) const BLOCK: u64 = 256 << 10;
/// Runs that are closer than this many bytes are read at once, with what is between them.
pub(super) const NEAR: u64 = 4096;
/// Runs of at least this many bytes are not copied together.
pub(super) const LONG: u64 = 8 << 10;
/// Rows of one call at most.
const ROWS: usize = 1024;
/// Bytes of one call at most, whatever the source says.
pub(super) const MOST: u64 = 64 << 20;
/// Memory is written fastest from a file where both begin alike within this many bytes.
const LINE: usize = 64;

/// Hands out what is in memory.
pub(super) fn from_memory(
    bytes: &[u8],
    region: &Region,
    sink: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let mut block = Block::new(region_block(region));
    for piece in Pieces::new(region) {
        block.add(&piece, bytes, 0, sink)?;
    }
    block.flush(sink)
}

/// Bytes that one request brings: the rows in it, and the addresses from the first to the last byte.
struct Group {
    rows: Range<usize>,
    span: Range<u64>,
}

impl Group {
    fn len(&self) -> u64 {
        self.span.end - self.span.start
    }
}

/// Asks a source for regions, one after the other, and hands out what comes.
pub(super) fn from_requests<'r>(
    source: &(impl Source + ?Sized),
    regions: impl Iterator<Item = &'r Region> + Clone,
    sink: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    let most = source.batch().clamp(BLOCK, MOST);
    let bytes = regions.clone().fold(0_u64, |all, region| all.saturating_add(region.byte_len()));
    let mut block = Block::new(BLOCK.min(bytes));
    let mut room = Vec::new();
    let (mut rows, mut groups) = (Vec::new(), Vec::new());
    let mut pieces = regions.flat_map(Pieces::new).peekable();
    loop {
        collect(&mut pieces, most, &mut rows, &mut groups);
        let Some(first) = groups.first() else { break };
        let used: u64 = groups.iter().map(Group::len).sum();
        // Not less than before, so that memory is cleared once.
        room.resize(room.len().max(used as usize + LINE), 0);
        let mut rest = begin_like(&mut room, first.span.start);
        let mut ranges = Vec::with_capacity(groups.len());
        for group in &groups {
            let (range, after) = rest.split_at_mut(group.len() as usize);
            ranges.push((group.span.start, range));
            rest = after;
        }
        match ranges.as_mut_slice() {
            [(address, range)] => source.read_at(*address, range)?,
            ranges => source.read_ranges(ranges)?,
        }
        for (group, (address, range)) in groups.iter().zip(&ranges) {
            for row in &rows[group.rows.clone()] {
                block.add(row, range, *address, sink)?;
            }
        }
    }
    block.flush(sink)
}

/// Hands out the spans that requests for a region would bring, those of one call together.
pub(super) fn spans(
    source: &(impl Source + ?Sized),
    region: &Region,
    each: &mut dyn FnMut(&[Range<u64>]) -> Result<()>,
) -> Result<()> {
    let most = source.batch().clamp(BLOCK, MOST);
    let (mut rows, mut groups) = (Vec::new(), Vec::new());
    let mut pieces = Pieces::new(region).peekable();
    loop {
        collect(&mut pieces, most, &mut rows, &mut groups);
        if groups.is_empty() {
            return Ok(());
        }
        let spans: Vec<Range<u64>> = groups.iter().map(|group| group.span.clone()).collect();
        each(&spans)?;
    }
}

/// The part of `room` from where an address is like that of memory, within a line of the cache.
fn begin_like(room: &mut [u8], address: u64) -> &mut [u8] {
    let start = room.as_ptr().align_offset(LINE).checked_add((address % LINE as u64) as usize);
    let start = start.map_or(0, |start| start % LINE);
    &mut room[start..]
}

/// What is requested in the next call: groups of rows, `most` bytes in all.
fn collect(
    pieces: &mut std::iter::Peekable<impl Iterator<Item = Row>>,
    most: u64,
    rows: &mut Vec<Row>,
    groups: &mut Vec<Group>,
) {
    rows.clear();
    groups.clear();
    let mut left = most;
    while let Some(piece) = pieces.peek().filter(|_| rows.len() < ROWS) {
        let span = piece.span();
        let joined = groups.last().and_then(|group| join(&group.span, &span));
        let before = groups.last().map_or(0, Group::len);
        let more = match &joined {
            Some(joined) => (joined.end - joined.start) - before,
            None => span.end - span.start,
        };
        if more > left && !groups.is_empty() {
            return;
        }
        left = left.saturating_sub(more);
        match (joined, groups.last_mut()) {
            (Some(joined), Some(group)) => {
                group.span = joined;
                match rows.last_mut() {
                    Some(row) if row.count == 1 && follows(row, piece) => row.run += piece.run,
                    _ => rows.push(*piece),
                }
                group.rows.end = rows.len();
            }
            _ => {
                rows.push(*piece);
                groups.push(Group { rows: rows.len() - 1..rows.len(), span });
            }
        }
        pieces.next();
    }
}

/// Two spans as one, if what lies between them is worth reading.
fn join(one: &Range<u64>, other: &Range<u64>) -> Option<Range<u64>> {
    let near =
        other.start <= one.end.saturating_add(NEAR) && one.start <= other.end.saturating_add(NEAR);
    near.then(|| one.start.min(other.start)..one.end.max(other.end))
}

fn follows(row: &Row, next: &Row) -> bool {
    next.count == 1 && row.address + row.run == next.address
}

/// The size of a block for a region: not more than needed, so that small reads stay small.
fn region_block(region: &Region) -> u64 {
    BLOCK.min(region.byte_len())
}

/// Elements copied side by side, until they are handed on.
struct Block {
    /// Nothing before it is needed.
    bytes: Vec<u8>,
    len: usize,
    size: usize,
}

impl Block {
    fn new(size: u64) -> Block {
        Block { bytes: Vec::new(), len: 0, size: size as usize }
    }

    /// Appends the runs of `row` from `src`, which begins at `base`; hands on what there is no room
    /// for, and long runs as they are.
    fn add(
        &mut self,
        row: &Row,
        src: &[u8],
        base: u64,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let size = row.count * row.run;
        if row.count == 1 && (row.run >= LONG || size == self.size as u64) {
            self.flush(sink)?;
            return sink(slice(src, row.address - base, row.run)?);
        }
        if ((self.size - self.len) as u64) < size {
            self.flush(sink)?;
        }
        self.push(row, src, base)
    }

    fn flush(&mut self, sink: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        if self.len > 0 {
            sink(&self.bytes[..self.len])?;
            self.len = 0;
        }
        Ok(())
    }

    /// Appends the runs of `row`, for which there is room, from `src`, which begins at `base`.
    fn push(&mut self, row: &Row, src: &[u8], base: u64) -> Result<()> {
        let span = row.span();
        source::check(src.len() as u64 + base, span.start, span.end - span.start)?;
        let size = (row.count * row.run) as usize;
        self.bytes.resize(self.size, 0);
        let dst = &mut self.bytes[self.len..self.len + size];
        self.len += size;
        let row = Row { address: row.address - base, ..*row };
        match row.run {
            1 => take::<1>(src, &row, dst),
            2 => take::<2>(src, &row, dst),
            4 => take::<4>(src, &row, dst),
            8 => take::<8>(src, &row, dst),
            16 => take::<16>(src, &row, dst),
            run => {
                for (i, to) in dst.chunks_exact_mut(run as usize).enumerate() {
                    let at = row.address_of(i as u64) as usize;
                    to.copy_from_slice(&src[at..at + to.len()]);
                }
            }
        }
        Ok(())
    }
}

fn take<const N: usize>(src: &[u8], row: &Row, dst: &mut [u8]) {
    let mut at = row.address as usize;
    for to in dst.as_chunks_mut::<N>().0 {
        if let Some(unit) = src.get(at..).and_then(|from| from.first_chunk()) {
            *to = *unit;
        }
        at = at.wrapping_add(row.stride as usize);
    }
}

/// How many runs of a row, of which each fits into `most` bytes, fit together, where they lie and
/// side by side; 1 where what lies between is too much to go with them.
pub(crate) fn fitting(row: &Row, most: u64) -> u64 {
    let step = row.stride.unsigned_abs();
    match step {
        _ if step > row.run.saturating_add(NEAR) => 1,
        0 => most / row.run,
        _ => (most.saturating_sub(row.run) / step + 1).min(most / row.run),
    }
}

/// The rows of a region, cut so that each is within a block, both where it lies and copied
/// together, and has no gap that is not worth reading.
struct Pieces<'a> {
    rows: Rows<'a>,
    /// What is left of the row, the next piece last.
    rest: Vec<Row>,
    /// Whole elements in a block, in bytes.
    most: u64,
}

impl<'a> Pieces<'a> {
    fn new(region: &'a Region) -> Pieces<'a> {
        let size = region.element_size();
        let most = if size > BLOCK { BLOCK } else { BLOCK - BLOCK % size };
        Pieces { rows: region.rows(), rest: Vec::new(), most }
    }
}

impl Iterator for Pieces<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        let row = match self.rest.pop() {
            Some(row) => row,
            None => self.rows.next()?,
        };
        if row.run > self.most {
            if row.count > 1 {
                self.rest.push(Row { address: row.address_of(1), count: row.count - 1, ..row });
            }
            let (address, run) = (row.address + self.most, row.run - self.most);
            self.rest.push(Row { address, count: 1, run, ..row });
            return Some(Row { count: 1, run: self.most, ..row });
        }
        let fits = fitting(&row, self.most);
        let count = row.count.min(fits.max(1));
        if count < row.count {
            let after = Row { address: row.address_of(count), count: row.count - count, ..row };
            self.rest.push(after);
        }
        Some(Row { count, ..row })
    }
}
