//! The bytes of an array that is stored in blocks, as if its elements stood side by side, row by row (spec 7.5).
//!
//! A read is cut at the edges of blocks, and what it wants of one is copied together, so that each block is decoded once
//! for a read, by as many threads as there may be. Blocks of a small read, and those of which a read wanted a part, are kept,
//! as far as memory allows.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use hashbrown::HashMap;

use dudley_parser::layout::blocks::Areas;

use crate::bytes::near::{Piece, read_pieces};
use crate::bytes::region::Region;
use crate::bytes::scratch::give_scratch;
use crate::bytes::source::{Source, check};
use crate::bytes::work::Work;
use crate::error::{Error, Result, to_usize};

/// Bytes of decoded blocks that are kept.
const KEPT: usize = 64 << 20;
/// Blocks that a read wants whole are kept if they have no more bytes in all: the next read may want them again.
const WHOLE: u64 = 16 << 20;
/// To read blocks of fewer bytes in all takes less than to start a thread.
const SHARED: u64 = 1 << 20;
/// Pieces of a read that are sorted by their blocks at once.
const PIECES: usize = 1 << 18;
/// Bytes of a read that is cut into others, at least and at most.
const BATCH: Range<u64> = 4 << 20..64 << 20;

/// The stored bytes of a block.
pub enum Block {
    /// Its elements side by side, row by row, from an address on.
    Plain(Arc<dyn Source>, u64),
    /// Its elements, which were decoded.
    Decoded(Vec<u8>),
}

/// Gets a block, by its number.
type Open = Box<dyn Fn(usize) -> Result<Block> + Send + Sync>;

/// The bytes of an array in blocks. Elements outside of all blocks have one value.
///
/// ```
/// use dudley::bytes::{Block, Blocks, Source};
/// use dudley_parser::layout::blocks::Areas;
///
/// let mut areas = Areas::new(&[2, 3]);
/// for shape in [[2, 2], [2, 2]] {
///     areas.push(&shape, None)?;
/// }
/// let stored = |at: usize| Ok(Block::Decoded([b"abde", b"c-f-"][at].to_vec()));
/// let blocks = Blocks::new(&areas, 1, &[0], stored)?;
/// let mut all = [0; 6];
/// blocks.read_at(0, &mut all)?;
/// assert_eq!(&all, b"abcdef");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Blocks {
    /// Those of which runs are as long as can be: inner dimensions that no block cuts are one with what is in them.
    areas: Areas,
    /// Bytes of an element of these.
    unit: u64,
    len: u64,
    /// Bytes of a row of blocks, which are best read together.
    batch: u64,
    finder: Finder,
    /// The bytes of which blocks have some.
    spans: OnceLock<Vec<Range<u64>>>,
    open: Open,
    /// An element where no block is; nothing if that is zeros.
    fill: Vec<u8>,
    work: Work,
    kept: Mutex<Kept>,
}

/// The blocks of a range of a row that were found last.
struct Found {
    /// The number of the row.
    row: Option<u64>,
    /// Those of an element of the row.
    indices: Vec<u64>,
    /// The cell that the range begins in, and how many it is in: in the same cells are the same blocks.
    of: Option<(u64, u64)>,
    /// The part of the row for which these are all that there are.
    range: Range<u64>,
    /// Each with the part of the last index that it has, in order.
    blocks: Vec<(u32, Range<u64>)>,
}

impl Found {
    fn new(areas: &Areas) -> Found {
        let indices = vec![0; areas.whole().len()];
        Found { row: None, indices, of: None, range: 0..0, blocks: Vec::new() }
    }
}

/// Which blocks are where.
enum Finder {
    /// Each is in a cell of a grid: those of the cells, by their numbers.
    Grid(HashMap<u64, u32>),
    /// In the order in which they begin along a dimension, in which the longest has this many indices.
    Order { axis: usize, order: Vec<u32>, longest: u64 },
}

/// Blocks that were decoded, the last ones at the end.
#[derive(Default)]
struct Kept {
    blocks: HashMap<u32, Arc<Vec<u8>>>,
    order: VecDeque<u32>,
    bytes: usize,
}

/// What is wanted of one block.
struct Group<'d> {
    block: u32,
    pieces: Vec<Piece<'d>>,
}

/// What is wanted of each block.
#[derive(Default)]
struct Groups<'d> {
    all: Vec<Group<'d>>,
    /// The group of each block, by its number.
    of: HashMap<u32, usize>,
    /// The group that was added to last.
    last: usize,
    /// Pieces of all of them.
    count: usize,
}

impl<'d> Groups<'d> {
    fn add(&mut self, block: u32, piece: Piece<'d>) {
        if self.all.get(self.last).is_none_or(|last| last.block != block) {
            self.last = *self.of.entry(block).or_insert(self.all.len());
            if self.last == self.all.len() {
                self.all.push(Group { block, pieces: Vec::new() });
            }
        }
        self.all[self.last].pieces.push(piece);
        self.count += 1;
    }
}

impl Blocks {
    /// Blocks in some areas, with elements of `size` bytes; `fill` is repeated for elements outside of all blocks.
    /// Nothing is opened before the first read.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if the array has more bytes than 63 bits can count.
    pub fn new(
        areas: &Areas,
        size: u64,
        fill: &[u8],
        open: impl Fn(usize) -> Result<Block> + Send + Sync + 'static,
    ) -> Result<Blocks> {
        let too_large = || Error::too_large(u64::MAX);
        let bytes = |dims: &[u64]| {
            if dims.contains(&0) {
                return Some(0);
            }
            let bytes = dims.iter().try_fold(size, |bytes, dim| bytes.checked_mul(*dim));
            bytes.filter(|bytes| i64::try_from(*bytes).is_ok())
        };
        let len = bytes(areas.whole()).ok_or_else(too_large)?;
        for at in 0..areas.len() {
            bytes(areas.shape(at)).ok_or_else(too_large)?;
        }
        let (areas, unit) = joined(areas, size);
        let finder = Finder::new(&areas);
        let row = areas.whole().iter().skip(1).fold(unit, |row, dim| row.saturating_mul(*dim));
        let rows = areas.cell().and_then(|cell| cell.first()).copied().unwrap_or(1);
        let batch = row.saturating_mul(rows).clamp(BATCH.start, BATCH.end);
        let fill = if fill.iter().all(|byte| *byte == 0) { &[] } else { fill };
        let (fill, open, work, kept) =
            (fill.to_vec(), Box::new(open), Work::default(), Mutex::default());
        let spans = OnceLock::new();
        Ok(Blocks { areas, unit, len, batch, finder, spans, open, fill, work, kept })
    }

    /// What the bytes of elements are that are in no block, over and over; nothing if they are zeros.
    pub(crate) fn fill(&self) -> &[u8] {
        &self.fill
    }

    /// The options of reads.
    #[must_use]
    pub fn work(self, work: Work) -> Blocks {
        Blocks { work, ..self }
    }

    /// Whether no block has any of the bytes of a region. It may say no of a region between parts of a block.
    pub(crate) fn is_fill(&self, region: &Region) -> bool {
        let (span, spans) = (region.span(), self.spans.get_or_init(|| self.spans()));
        let next = spans.partition_point(|it| it.end <= span.start);
        spans.get(next).is_none_or(|it| it.start >= span.end)
    }

    /// From the first byte of a block to the last one, of all blocks, joined where they overlap.
    fn spans(&self) -> Vec<Range<u64>> {
        let (areas, whole) = (&self.areas, self.areas.whole());
        let number = |indices: &mut dyn Iterator<Item = u64>| {
            indices.zip(whole).fold(0, |number, (index, dim)| number * dim + index)
        };
        let there = (0..areas.len()).filter(|at| !areas.is_missing(*at));
        let mut spans: Vec<Range<u64>> = there
            .filter(|at| !areas.shape(*at).contains(&0))
            .map(|at| {
                let (start, shape) = (areas.start(at), areas.shape(at));
                // A block at the end may have more than is there.
                let ends = start.iter().zip(shape).zip(whole);
                let last = ends.map(|((start, len), dim)| (start + len).min(*dim) - 1);
                let (first, last) =
                    (number(&mut start.iter().copied()), number(&mut last.into_iter()));
                first * self.unit..(last + 1) * self.unit
            })
            .collect();
        spans.sort_unstable_by_key(|span| span.start);
        spans.dedup_by(|next, span| {
            let is_same = next.start <= span.end;
            span.end = if is_same { span.end.max(next.end) } else { span.end };
            is_same
        });
        spans
    }

    /// Finds the pieces of bytes from an address on; those of no block are filled at once.
    fn pieces<'d>(
        &self,
        address: u64,
        mut dst: &'d mut [u8],
        found: &mut Found,
        groups: &mut Groups<'d>,
    ) {
        let whole = self.areas.whole();
        let (last, outer) = (whole[whole.len() - 1], &whole[..whole.len() - 1]);
        let row = last * self.unit;
        let mut address = address;
        let next = |bytes: u64, dst: &mut &'d mut [u8]| {
            let (here, behind) = std::mem::take(dst).split_at_mut(bytes as usize);
            *dst = behind;
            here
        };
        while !dst.is_empty() {
            let (number, within) = (address / row, address % row);
            if found.row != Some(number) {
                found.row = Some(number);
                found.range = 0..0;
                let mut number = number;
                for (index, dim) in found.indices.iter_mut().zip(outer).rev() {
                    *index = number % dim;
                    number /= dim;
                }
            }
            let here = (row - within).min(dst.len() as u64);
            let range = within / self.unit..(within + here).div_ceil(self.unit);
            if range.start < found.range.start || range.end > found.range.end {
                self.finder.row(&self.areas, range, found);
            }
            let (mut at, stop) = (within, within + here);
            for (block, range) in &found.blocks {
                let begin = (range.start * self.unit).clamp(at, stop);
                let until = (range.end * self.unit).clamp(begin, stop);
                self.fill_in(address + at - within, next(begin - at, &mut dst));
                if until > begin {
                    let from = self.within(*block, &found.indices, begin);
                    groups.add(*block, Piece { from, to: next(until - begin, &mut dst) });
                }
                at = until;
            }
            self.fill_in(address + at - within, next(stop - at, &mut dst));
            address += here;
        }
    }

    /// Where in the bytes of a block those are that stand in a row of the whole.
    fn within(&self, block: u32, indices: &[u64], in_row: u64) -> u64 {
        let (start, shape) = (self.areas.start(block as usize), self.areas.shape(block as usize));
        let last = shape.len() - 1;
        let mut number = 0;
        for axis in 0..last {
            number = number * shape[axis] + (indices[axis] - start[axis]);
        }
        number * shape[last] * self.unit + (in_row - start[last] * self.unit)
    }

    /// What stands from an address on where no block is.
    fn fill_in(&self, address: u64, dst: &mut [u8]) {
        // Between most blocks there is nothing, which is no matter of a call.
        if dst.is_empty() {
            return;
        }
        if self.fill.is_empty() {
            return dst.fill(0);
        }
        let first = (address % self.fill.len() as u64) as usize;
        let fill = self.fill.iter().cycle().skip(first);
        dst.iter_mut().zip(fill).for_each(|(byte, fill)| *byte = *fill);
    }

    /// Copies what is wanted of blocks, each of which is opened once.
    fn copy(&self, groups: Groups<'_>) -> Result<()> {
        let mut groups = groups.all;
        // As they lie in most files.
        groups.sort_unstable_by_key(|group| group.block);
        let bytes = groups.iter().map(|group| self.bytes_of(group.block));
        let bytes = bytes.fold(0, u64::saturating_add);
        let copy = |mut group: Group<'_>| {
            if !group.pieces.is_sorted_by_key(|piece| piece.from) {
                group.pieces.sort_unstable_by_key(|piece| piece.from);
            }
            self.copy_block(group.block, &mut group.pieces, bytes <= WHOLE)
        };
        if bytes < SHARED {
            return groups.into_iter().try_for_each(copy);
        }
        self.work.run(u64::MAX, groups.into_iter(), |group| copy(group).map(|()| 0))
    }

    /// Copies what is wanted of one block, which is kept if that is a part, or if all are to be kept.
    fn copy_block(&self, number: u32, group: &mut [Piece<'_>], keep: bool) -> Result<()> {
        let kept = self.kept().get(number);
        if let Some(bytes) = kept {
            // What is kept is as long as its block.
            copy_all(group, &bytes);
            return Ok(());
        }
        match (self.open)(number as usize)? {
            Block::Plain(source, address) => read_pieces(&*source, address, group),
            Block::Decoded(bytes) => {
                let expected = self.bytes_of(number);
                if bytes.len() as u64 != expected {
                    return Err(Error::wrong_length(expected, bytes.len() as u64));
                }
                copy_all(group, &bytes);
                if keep || group.iter().map(|piece| piece.to.len() as u64).sum::<u64>() < expected {
                    self.kept().keep(number, bytes);
                } else {
                    give_scratch(bytes);
                }
                Ok(())
            }
        }
    }

    /// Bytes of a block when it is decoded.
    fn bytes_of(&self, block: u32) -> u64 {
        self.areas
            .shape(block as usize)
            .iter()
            .fold(self.unit, |bytes, dim| bytes.saturating_mul(*dim))
    }

    fn kept(&self) -> std::sync::MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The same areas with inner dimensions that are in all blocks whole joined to the one before them, and the bytes of an
/// element then. There is at least one dimension.
fn joined(areas: &Areas, size: u64) -> (Areas, u64) {
    let there = || (0..areas.len()).filter(|at| !areas.is_missing(*at));
    let whole = areas.whole();
    let uncut = |axis: &usize| {
        whole[*axis] > 0
            && there()
                .all(|at| areas.start(at)[*axis] == 0 && areas.shape(at)[*axis] == whole[*axis])
    };
    let inner = (1..whole.len()).rev().take_while(uncut).count();
    let rank = whole.len() - inner;
    let unit = whole[rank..].iter().fold(size, |unit, dim| unit.saturating_mul(*dim));
    let cut = |dims: &[u64]| if dims.is_empty() { vec![1] } else { dims[..rank].to_vec() };
    let mut same = Areas::new(&cut(whole));
    for at in 0..areas.len() {
        let start = if whole.is_empty() { vec![0] } else { areas.start(at)[..rank].to_vec() };
        let shape = if areas.is_missing(at) { vec![0; rank.max(1)] } else { cut(areas.shape(at)) };
        // They were added so before.
        let _ = same.push(&shape, Some(&start));
    }
    (same, unit)
}

impl Finder {
    fn new(areas: &Areas) -> Finder {
        let there = (0..areas.len()).filter(|at| !areas.is_missing(*at));
        if areas.is_on_grid() {
            return Finder::Grid(
                there
                    .map(|at| (cell_number(areas, areas.start(at).iter().copied()), at as u32))
                    .collect(),
            );
        }
        let mut order: Vec<u32> = there.map(|at| at as u32).collect();
        let starts = |axis: usize| {
            let mut starts: Vec<u64> =
                order.iter().map(|at| areas.start(*at as usize)[axis]).collect();
            starts.sort_unstable();
            starts.dedup();
            starts.len()
        };
        let axis = (0..areas.whole().len()).max_by_key(|axis| starts(*axis)).unwrap_or(0);
        order.sort_by_key(|at| areas.start(*at as usize)[axis]);
        let longest = order.iter().map(|at| areas.shape(*at as usize)[axis]).max().unwrap_or(0);
        Finder::Order { axis, order, longest }
    }

    /// Finds the blocks of a range of the row whose indices `found` has, beside the blocks of the row before.
    fn row(&self, areas: &Areas, range: Range<u64>, found: &mut Found) {
        let Found { indices, of, range: known, blocks: found, .. } = found;
        let last = indices.len() - 1;
        let add = |block: u32, range: &Range<u64>, found: &mut Vec<_>| {
            let (start, shape) = (areas.start(block as usize), areas.shape(block as usize));
            let has = |axis: usize| indices[axis].wrapping_sub(start[axis]) < shape[axis];
            let end = start[last].saturating_add(shape[last]).min(areas.whole()[last]);
            if (0..last).all(has) && start[last] < range.end && end > range.start {
                found.push((block, start[last]..end));
            }
        };
        match self {
            Finder::Grid(cells) => {
                let Some(cell) = areas.cell() else { return };
                let first = indices[..last].iter().copied().chain([range.start]);
                let number = cell_number(areas, first);
                let (begin, end) = (range.start / cell[last], range.end.div_ceil(cell[last]));
                *known = begin * cell[last]..end.saturating_mul(cell[last]);
                let here = Some((number, end - begin));
                if *of == here {
                    return;
                }
                *of = here;
                found.clear();
                for at in 0..end - begin {
                    cells
                        .get(&(number + at))
                        .into_iter()
                        .for_each(|block| add(*block, known, found));
                }
            }
            Finder::Order { axis, order, longest } => {
                *known = range.clone();
                found.clear();
                let along =
                    if *axis == last { range.clone() } else { indices[*axis]..indices[*axis] + 1 };
                let begin = |at: &u32| areas.start(*at as usize)[*axis];
                let from =
                    order.partition_point(|at| begin(at).saturating_add(*longest) <= along.start);
                let until = order.partition_point(|at| begin(at) < along.end);
                order[from..until.max(from)].iter().for_each(|block| add(*block, &range, found));
                found.sort_by_key(|(_, range)| range.start);
                apart(found);
            }
        }
    }
}

/// Takes from blocks what later ones have too.
fn apart(found: &mut Vec<(u32, Range<u64>)>) {
    if found.windows(2).all(|two| two[0].1.end <= two[1].1.start) {
        return;
    }
    let mut edges: Vec<u64> =
        found.iter().flat_map(|(_, range)| [range.start, range.end]).collect();
    edges.sort_unstable();
    edges.dedup();
    let parts = edges.windows(2).filter_map(|two| {
        let has = |range: &Range<u64>| range.start <= two[0] && range.end >= two[1];
        let last = found.iter().filter(|(_, range)| has(range)).map(|(block, _)| *block).max();
        last.map(|block| (block, two[0]..two[1]))
    });
    *found = parts.collect();
}

/// The number of the cell that an element is in.
fn cell_number(areas: &Areas, indices: impl Iterator<Item = u64>) -> u64 {
    let cell = areas.cell().unwrap_or_default();
    let dims = indices.zip(areas.whole()).zip(cell);
    dims.fold(0, |number, ((index, dim), cell)| {
        number.wrapping_mul(dim.div_ceil(*cell)).wrapping_add(index / cell)
    })
}

fn copy_all(group: &mut [Piece<'_>], bytes: &[u8]) {
    for piece in group {
        let from = piece.from as usize;
        piece.to.copy_from_slice(&bytes[from..from + piece.to.len()]);
    }
}

impl Kept {
    fn get(&self, block: u32) -> Option<Arc<Vec<u8>>> {
        self.blocks.get(&block).cloned()
    }

    fn keep(&mut self, block: u32, bytes: Vec<u8>) {
        if bytes.len() > KEPT || self.blocks.contains_key(&block) {
            return;
        }
        self.bytes += bytes.len();
        self.blocks.insert(block, Arc::new(bytes));
        self.order.push_back(block);
        while self.bytes > KEPT
            && let Some(oldest) = self.order.pop_front()
        {
            self.bytes -= self.blocks.remove(&oldest).map_or(0, |bytes| Vec::len(&bytes));
        }
    }
}

impl Source for Blocks {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
        let region = Region::contiguous(address, &[buf.len() as u64], 1)?;
        self.read_region(&region, buf)
    }

    fn batch(&self) -> u64 {
        self.batch
    }

    fn by_region(&self) -> bool {
        true
    }

    fn read_region(&self, region: &Region, dst: &mut [u8]) -> Result<()> {
        if region.is_empty() || dst.is_empty() {
            return Ok(());
        }
        let span = region.span();
        check(self.len, span.start, span.end - span.start)?;
        let mut groups = Groups::default();
        let mut found = Found::new(&self.areas);
        let (length, mut rest) = (dst.len() as u64, dst);
        for row in region.rows() {
            for run in 0..row.count {
                let (here, behind) = std::mem::take(&mut rest)
                    .split_at_mut_checked(to_usize(row.run)?)
                    .ok_or_else(|| Error::wrong_length(region.byte_len(), length))?;
                rest = behind;
                self.pieces(row.address_of(run), here, &mut found, &mut groups);
                if groups.count >= PIECES {
                    self.copy(std::mem::take(&mut groups))?;
                }
            }
        }
        self.copy(groups)
    }
}

impl std::fmt::Debug for Blocks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let areas = &self.areas;
        f.debug_struct("Blocks")
            .field("areas", areas)
            .field("unit", &self.unit)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_blocks_that_overlap_the_later_one_counts() {
        let mut areas = Areas::new(&[2, 6]);
        for (shape, start) in [([2, 4], [0, 1]), ([1, 3], [0, 2]), ([1, 2], [1, 0])] {
            areas.push(&shape, Some(&start)).expect("within");
        }
        let stored = |at: usize| Ok(Block::Decoded([&b"abcdefgh"[..], b"ijk", b"lm"][at].to_vec()));
        let blocks = Blocks::new(&areas, 1, b".", stored).expect("blocks");
        let mut all = [0; 12];
        for _ in 0..2 {
            blocks.read_at(0, &mut all).expect("read");
            assert_eq!(&all, b".aijk.lmfgh.");
        }
        let mut part = [0; 5];
        blocks.read_at(3, &mut part).expect("read");
        assert_eq!(&part, b"jk.lm");
        assert!(blocks.read_at(8, &mut part).is_err());
    }

    #[test]
    fn what_no_block_has_is_known() {
        let mut areas = Areas::new(&[4, 6]);
        for (shape, start) in [([1, 2], [1, 1]), ([1, 2], [1, 4]), ([1, 6], [3, 0])] {
            areas.push(&shape, Some(&start)).expect("within");
        }
        let stored = |_| Ok(Block::Decoded(vec![1; 12]));
        let blocks = Blocks::new(&areas, 2, &[], stored).expect("blocks");
        let is_fill = |from: u64, len| {
            blocks.is_fill(&Region::contiguous(from * 2, &[len], 2).expect("a region"))
        };
        assert!(is_fill(0, 7) && is_fill(9, 1) && is_fill(12, 6));
        assert!(!is_fill(0, 8) && !is_fill(8, 1) && !is_fill(11, 3) && !is_fill(12, 7));
        assert!(!is_fill(23, 1));
    }

    #[test]
    fn what_is_not_as_long_as_its_block_is_an_error() {
        let mut areas = Areas::new(&[4]);
        areas.push(&[3], None).expect("within");
        let blocks = Blocks::new(&areas, 1, &[], |_| Ok(Block::Decoded(vec![1, 2])));
        let error = blocks.expect("blocks").read_at(0, &mut [0; 2]);
        assert!(matches!(error, Err(Error::WrongLength { .. })), "{error:?}");
    }
}
