//! Finds the chunks of an array: reads all kinds of index (III.A, VII).

mod arrays;

use std::cmp::Ordering;
use std::ops::Range;

use dudley::Result;

use super::btree;
use super::file::{Block, File};

/// A chunk.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Chunk {
    /// The indices of its first element.
    pub(super) start: Vec<u64>,
    pub(super) address: u64,
    /// Its stored bytes.
    pub(super) size: u64,
    /// A bit for each skipped filter.
    pub(super) skipped: u32,
}

/// The index of the chunks of an array.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Index {
    /// A B-tree of version 1.
    Old,
    /// A single chunk; if it is filtered, its bytes and its skipped filters.
    Single(Option<(u64, u32)>),
    /// The chunks lie one after the other.
    Implicit,
    FixedArray,
    ExtensibleArray,
    New,
}

/// An array in chunks.
#[derive(Clone, Debug)]
pub(super) struct Chunked {
    pub(super) index: Index,
    pub(super) address: Option<u64>,
    /// Elements of a chunk in each dimension.
    pub(super) dims: Vec<u64>,
    /// Bytes of an element.
    pub(super) element: u64,
}

/// A grid of chunks.
pub(super) struct Grid<'g> {
    pub(super) shape: &'g [u64],
    /// The maximum shape; `None` for an unlimited dimension.
    pub(super) most: &'g [Option<u64>],
    pub(super) chunk: &'g [u64],
    /// Bytes of an unfiltered chunk.
    pub(super) bytes: u64,
    /// Whether chunks may be filtered.
    pub(super) filtered: bool,
    /// The requested elements, as a range of indices in each dimension.
    pub(super) asked: Option<&'g [Range<u64>]>,
}

impl Grid<'_> {
    /// The number of chunks along a dimension at its maximum length.
    fn ever(&self, axis: usize) -> u64 {
        let most = self.most.get(axis).copied().flatten().unwrap_or(self.shape[axis]);
        most.max(self.shape[axis]).div_ceil(self.chunk[axis].max(1))
    }

    /// The first element of a chunk by its number. Chunks are numbered in row-major order of the maximum shape, with
    /// the unlimited dimension, if any, in front of the others.
    fn start(&self, number: u64) -> Vec<u64> {
        let rank = self.shape.len();
        let endless = self.most.iter().position(Option::is_none);
        let others = (0..rank).filter(|axis| Some(*axis) != endless);
        let order: Vec<usize> = endless.into_iter().chain(others).collect();
        let (mut start, mut rest) = (vec![0; rank], number);
        for (at, axis) in order.iter().enumerate().rev() {
            let ever = self.ever(*axis).max(1);
            let index = if at == 0 { rest } else { rest % ever };
            rest /= ever;
            start[*axis] = index.saturating_mul(self.chunk[*axis]);
        }
        start
    }

    /// The number of the chunk that contains an element.
    fn number(&self, element: impl Fn(usize) -> u64) -> u64 {
        let rank = self.shape.len();
        let endless = self.most.iter().position(Option::is_none);
        let others = (0..rank).filter(|axis| Some(*axis) != endless);
        endless.into_iter().chain(others).fold(0_u64, |number, axis| {
            let index = element(axis) / self.chunk[axis].max(1);
            number.saturating_mul(self.ever(axis)).saturating_add(index)
        })
    }

    /// The number of the first requested chunk, and the number after the last one.
    fn numbers(&self) -> Range<u64> {
        match self.asked {
            Some(asked) if !self.is_nothing() => {
                let last = self.number(|axis| asked[axis].end - 1);
                self.number(|axis| asked[axis].start)..last.saturating_add(1)
            }
            Some(_) => 0..0,
            None => 0..u64::MAX,
        }
    }

    /// Whether no element is requested.
    fn is_nothing(&self) -> bool {
        self.asked.is_some_and(|asked| asked.iter().any(Range::is_empty))
    }

    /// Whether a chunk contains requested elements.
    fn is_asked(&self, start: &[u64]) -> bool {
        let has = |((range, start), chunk): ((&Range<u64>, &u64), &u64)| {
            *start < range.end && start.saturating_add(*chunk) > range.start
        };
        self.asked.is_none_or(|asked| asked.iter().zip(start).zip(self.chunk).all(has))
    }

    /// Compares a chunk with the request in the order of B-trees; `next` yields the first element of the chunk, axis by
    /// axis.
    fn stands(&self, next: &mut dyn FnMut(u64) -> Result<u64>) -> Result<Ordering> {
        let asked = self.asked.unwrap_or_default();
        let (mut least, mut most) = (Ordering::Equal, Ordering::Equal);
        for (range, chunk) in asked.iter().zip(self.chunk) {
            let (start, chunk) = (next(*chunk)?, (*chunk).max(1));
            let first = range.start / chunk * chunk;
            least = least.then(start.cmp(&first));
            most = most.then(start.cmp(&range.end.saturating_sub(1)));
        }
        Ok(match (least, most) {
            (Ordering::Less, _) => Ordering::Less,
            (_, Ordering::Greater) => Ordering::Greater,
            _ => Ordering::Equal,
        })
    }

    /// The number of chunks of the maximum shape.
    fn count(&self) -> u64 {
        (0..self.shape.len()).fold(1_u64, |count, axis| count.saturating_mul(self.ever(axis)))
    }
}

/// The stored chunks of an array that begin within its shape and are requested.
///
/// # Errors
/// If something is wrong with the index.
pub(super) fn chunks(file: &File, chunked: &Chunked, grid: &Grid<'_>) -> Result<Vec<Chunk>> {
    let Some(address) = chunked.address else { return Ok(Vec::new()) };
    let rank = grid.shape.len();
    let mut found = Vec::new();
    let mut add = |chunk: Chunk| {
        let is_within = chunk.start.iter().zip(grid.shape).all(|(start, dim)| start < dim);
        if is_within && grid.is_asked(&chunk.start) {
            found.push(chunk);
        }
    };
    match &chunked.index {
        Index::Old => {
            let stands = |key: &mut Block<'_>| {
                key.skip(8)?;
                grid.stands(&mut |_| key.uint(8))
            };
            let stands = grid.asked.map(|_| &stands as &btree::Stands<'_>);
            btree::old(file, address, 1, 8 + 8 * (rank + 1), stands, &mut |key, address| {
                let (size, skipped) = (u64::from(key.u4()?), key.u4()?);
                let mut start = Vec::with_capacity(rank);
                for chunk in grid.chunk {
                    let at = key.uint(8)?;
                    if at % chunk.max(&1) != 0 {
                        return Err(
                            key.wrong(format!("a chunk that begins at {at}, in chunks of {chunk}"))
                        );
                    }
                    start.push(at);
                }
                add(Chunk { start, address, size, skipped });
                Ok(())
            })?
        }
        Index::Single(stored) => {
            let (size, skipped) = stored.unwrap_or((grid.bytes, 0));
            add(Chunk { start: vec![0; rank], address, size, skipped });
        }
        Index::Implicit => {
            let count = grid.count();
            // An implicit index stores all chunks.
            if count.saturating_mul(grid.bytes.max(1)) > file.len {
                let why = format!("an array of {count} chunks of {} bytes", grid.bytes);
                return Err(crate::cursor::malformed(file.place(address)?, why));
            }
            let numbers = grid.numbers();
            for number in numbers.start..numbers.end.min(count) {
                let address = address.saturating_add(number * grid.bytes);
                let (start, size) = (grid.start(number), grid.bytes);
                add(Chunk { start, address, size, skipped: 0 });
            }
        }
        Index::New => {
            let stands = |record: &mut Block<'_>| {
                let offsets = record.left().checked_sub(8 * rank);
                record.skip(offsets.ok_or_else(|| record.wrong("it is too short for a chunk"))?)?;
                grid.stands(&mut |chunk| Ok(record.uint(8)?.saturating_mul(chunk)))
            };
            let stands = grid.asked.map(|_| &stands as &btree::Stands<'_>);
            btree::new(file, address, &[10, 11], stands, &mut |mut record| {
                let offsets = file.offsets + 8 * rank;
                let address = record.address()?;
                let (size, skipped) = if grid.filtered {
                    let width = record.left().checked_sub(4 + offsets - file.offsets);
                    let width = width.ok_or_else(|| record.wrong("it is too short for a chunk"))?;
                    (record.uint(width)?, record.u4()?)
                } else {
                    (grid.bytes, 0)
                };
                let mut start = Vec::with_capacity(rank);
                for chunk in grid.chunk {
                    start.push(record.uint(8)?.saturating_mul(*chunk));
                }
                if let Some(address) = address {
                    add(Chunk { start, address, size, skipped });
                }
                Ok(())
            })?;
        }
        Index::FixedArray | Index::ExtensibleArray => {
            let entries = if chunked.index == Index::FixedArray {
                arrays::fixed(file, address, grid.numbers())?
            } else {
                arrays::extensible(file, address, grid.numbers())?
            };
            for (number, Entry { address, stored }) in entries {
                let (size, skipped) = stored.unwrap_or((grid.bytes, 0));
                add(Chunk { start: grid.start(number), address, size, skipped });
            }
        }
    }
    // A B-tree keeps its own order.
    found.sort_by(|one, other| one.start.cmp(&other.start));
    if let Some(twice) = found.windows(2).find(|two| two[0].start == two[1].start) {
        let why = format!("two chunks begin at {:?}", twice[0].start);
        return Err(crate::cursor::malformed(file.place(address)?, why));
    }
    Ok(found)
}

/// An element of an array of chunks.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    address: u64,
    stored: Option<(u64, u32)>,
}

/// Reads the next entry, of `bytes` bytes; `client` is 1 if chunks are filtered. `None` if the chunk is not stored.
fn entry(block: &mut Block<'_>, client: u8, bytes: usize) -> Result<Option<Entry>> {
    let address = block.address()?;
    let stored = if client == 1 {
        let width = bytes.checked_sub(block.file.offsets + 4);
        let width = width.ok_or_else(|| block.wrong(format!("entries of {bytes} bytes")))?;
        Some((block.uint(width)?, block.u4()?))
    } else {
        None
    };
    Ok(address.map(|address| Entry { address, stored }))
}
