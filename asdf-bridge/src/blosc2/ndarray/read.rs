//! Parts of an array, block by block, straight to where they belong, with several threads.

use std::ops::Range;

use super::NdArray;
use super::grid::{Axis, Run, product, ravel};
use super::scatter::{self, Dim};
use crate::blosc2::chunk::{Chunk, Scratch, View, each};
use crate::blosc2::error::{Error, Result};
use dudley::read::slice::Picked;

/// More rows than this, and they are not worth being cut for several threads.
const MOST_ROWS: usize = 4096;

/// A read of part of an array.
struct Read<'a> {
    array: &'a NdArray,
    axes: Vec<Axis>,
    /// The dimension along which the result is cut into tasks; before it there is one run each.
    cut: usize,
    /// Bytes of an element.
    size: usize,
    /// A chunk that was opened before any is read.
    first: Option<(u64, Chunk<'a>)>,
}

/// Some runs along the cut dimension, and the rows that they go to: one for each index before it.
struct Task<'b> {
    runs: Range<usize>,
    rows: Vec<&'b mut [u8]>,
}

/// Fills `dst` with what is picked, row-major. It has exactly as many bytes.
pub(super) fn read(array: &NdArray, picked: &[Picked], dst: &mut [u8]) -> Result<()> {
    if dst.is_empty() {
        return Ok(());
    }
    let lengths = array.meta.chunks.iter().zip(&array.meta.blocks);
    let axes: Vec<Axis> = picked
        .iter()
        .zip(lengths)
        .map(|(picked, (chunk, block))| Axis::new(picked, *chunk, *block))
        .collect();
    let cut = axes.iter().position(|axis| axis.runs.len() > 1).unwrap_or(0);
    let mut read = Read { array, cut, size: array.frame.typesize(), axes, first: None };
    let bytes = dst.len() as u64;
    let threads = array.frame.threads();
    let outer: u64 = read.axes.iter().take(cut).map(|axis| axis.count).product();
    let outer = outer as usize;
    let row = dst.len() / outer.max(1);
    let mut rows: Vec<&mut [u8]> = dst.chunks_exact_mut(row).collect();
    let blocks: usize = read.axes.iter().map(|axis| axis.runs.len()).product();
    let blocks = blocks as u64;
    let decoded = bytes.max(blocks.saturating_mul(array.block_bytes as u64));
    let load = array.frame.load(decoded, bytes);
    let load = load.of_blocks(threads, blocks, || read.streams());
    let tasks = read.tasks(threads, outer);
    let inner = read.inner_bytes();
    let tasks = tasks.into_iter().map(|runs| {
        let count: u64 = match read.axes.get(cut) {
            Some(axis) => axis.runs[runs.clone()].iter().map(|run| run.count).sum(),
            None => 1,
        };
        let len = count as usize * inner;
        let rows = rows.iter_mut().map(|row| {
            let (now, later) = std::mem::take(row).split_at_mut(len);
            *row = later;
            now
        });
        Task { runs, rows: rows.collect() }
    });
    let kept = array.frame.kept();
    each(threads, load, kept, tasks, |task, scratch| read.task(task, scratch))
}

impl Read<'_> {
    /// How many streams blocks of the first chunk have, if it can be opened.
    fn streams(&mut self) -> usize {
        let runs = self.axes.iter().filter_map(|axis| axis.runs.first());
        let number = ravel(runs.map(|run| run.chunk), &self.array.chunk_grid);
        self.first = self.array.frame.chunk(number).ok().map(|chunk| (number, chunk));
        self.first.as_ref().map_or(1, |(_, chunk)| chunk.streams_of_block())
    }

    /// Runs of the cut dimension that are done by one thread: those of a chunk, where there are enough
    /// chunks.
    fn tasks(&self, threads: usize, outer: usize) -> Vec<Range<usize>> {
        let Some(axis) = self.axes.get(self.cut) else { return once(0..1) };
        let end = axis.runs.len();
        if outer > MOST_ROWS {
            return once(0..end);
        }
        let of_chunks = axis.chunks(0..end);
        if of_chunks.len() >= 4 * threads || threads == 1 {
            of_chunks
        } else {
            (0..end).map(|run| run..run + 1).collect()
        }
    }

    /// Bytes of the result for one index of the cut dimension.
    fn inner_bytes(&self) -> usize {
        let counts = self.axes.iter().skip(self.cut + 1).map(|axis| axis.count as usize);
        counts.product::<usize>() * self.size
    }

    fn task(&self, mut task: Task<'_>, scratch: &mut Scratch) -> Result<()> {
        // Along each dimension, runs of one chunk after the other.
        let chunks: Vec<Vec<Range<usize>>> = (0..self.axes.len())
            .map(|at| {
                let axis = &self.axes[at];
                let runs = if at == self.cut { task.runs.clone() } else { 0..axis.runs.len() };
                axis.chunks(runs)
            })
            .collect();
        let all: Vec<Range<usize>> = chunks.iter().map(|of| 0..of.len()).collect();
        let base = match self.axes.get(self.cut) {
            Some(axis) => axis.runs[task.runs.start].to,
            None => 0,
        };
        product(&all, |at| {
            let runs: Vec<Range<usize>> =
                at.iter().zip(&chunks).map(|(at, of)| of[*at].clone()).collect();
            let index = self.axes.iter().zip(&runs).map(|(axis, runs)| axis.runs[runs.start].chunk);
            let number = ravel(index, &self.array.chunk_grid);
            let opened;
            let chunk = match &self.first {
                Some((first, chunk)) if *first == number => chunk,
                _ => {
                    opened = self.array.frame.chunk(number)?;
                    &opened
                }
            };
            self.array.check_blocks(chunk).map_err(|error| self.located(error, number))?;
            product(&runs, |at| self.block(chunk, number, at, base, &mut task.rows, scratch))
        })
    }

    /// Decodes the block that these runs are in, and copies what is picked of it.
    fn block(
        &self,
        chunk: &Chunk<'_>,
        number: u64,
        at: &[usize],
        base: u64,
        rows: &mut [&mut [u8]],
        scratch: &mut Scratch,
    ) -> Result<()> {
        let runs: Vec<_> = self.axes.iter().zip(at).map(|(axis, at)| axis.runs[*at]).collect();
        let block = ravel(runs.iter().map(|run| run.block), &self.array.block_grid) as usize;
        self.array.frame.check_held(number, chunk, block..block + 1)?;
        let len = self.array.block_bytes;
        let (mut first, mut to) = (0, 0);
        let mut dims = Vec::with_capacity(runs.len());
        let (mut from_stride, mut to_stride) = (self.size, self.size);
        for (run, (at, axis)) in runs.iter().zip(self.axes.iter().enumerate()).rev() {
            first += run.within as usize * from_stride;
            let from = axis.step as isize * from_stride as isize;
            if at > self.cut {
                to += run.to as usize * to_stride;
            } else if at == self.cut {
                to += (run.to - base) as usize * to_stride;
            }
            dims.push(Dim { count: run.count as usize, from, to: to_stride });
            from_stride *= axis.block as usize;
            to_stride *= axis.count as usize;
        }
        dims.reverse();
        let cut = self.cut.min(dims.len());
        let (outer, inner) = dims.split_at(cut);
        if let [row] = rows
            && self.is_whole(&runs)
            && let Some(whole) = row.get_mut(to..to + len)
        {
            let decoded = chunk.decode_block(block, whole, scratch);
            return decoded.map_err(|error| self.located(error, number));
        }
        let count = runs.iter().map(|run| run.count as usize).product();
        let wanted = (count, self.end(&runs), self.size);
        let view =
            chunk.view(block, wanted, scratch).map_err(|error| self.located(error, number))?;
        let indices: Vec<Range<usize>> = outer.iter().map(|dim| 0..dim.count).collect();
        let mut rows = rows.iter_mut();
        product(&indices, |at| {
            let shift: isize = at.iter().zip(outer).map(|(at, dim)| *at as isize * dim.from).sum();
            if let Some(row) = rows.next() {
                let first = (first as isize + shift) as usize;
                match &view {
                    View::Bytes(bytes) => scatter::copy(bytes, first, row, to, inner, self.size),
                    View::Planes(planes) => {
                        scatter::gather(planes, first, row, to, inner, self.size);
                    }
                }
            }
            Ok(())
        })
    }

    /// The end of the last element of a block that these runs pick, in elements.
    fn end(&self, runs: &[Run]) -> usize {
        let last = runs.iter().zip(&self.axes).map(|(run, axis)| {
            if axis.step > 0 {
                run.within + (run.count - 1) * axis.step.unsigned_abs()
            } else {
                run.within
            }
        });
        let blocks = self.axes.iter().map(|axis| axis.block);
        last.zip(blocks).fold(0, |at, (last, block)| at * block + last) as usize + 1
    }

    /// Whether these runs are a whole block, and lie side by side in the result.
    fn is_whole(&self, runs: &[Run]) -> bool {
        // From the last dimension on: whole ones, then one that may be a part, then single indices.
        let mut side_by_side = true;
        for (run, axis) in runs.iter().zip(&self.axes).rev() {
            if run.count != axis.block || axis.step != 1 && run.count > 1 {
                return false;
            }
            if !side_by_side && run.count > 1 {
                return false;
            }
            side_by_side &= run.count == axis.count;
        }
        true
    }

    fn located(&self, error: Error, number: u64) -> Error {
        let address = self.array.frame.chunk_address(number).ok().flatten().unwrap_or(0);
        error.in_chunk(number, address)
    }
}

/// One task for all.
fn once(runs: Range<usize>) -> Vec<Range<usize>> {
    std::iter::once(runs).collect()
}
