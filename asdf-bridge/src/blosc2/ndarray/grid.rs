//! A slice of an array in chunks and blocks, dimension by dimension.

use std::ops::Range;

use dudley::read::slice::Picked;

/// A run of indices along one dimension that are in one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// Which chunk along the dimension.
    pub(super) chunk: u64,
    /// Which block of it.
    pub(super) block: u64,
    /// The first index, from the start of the block.
    pub(super) within: u64,
    /// Where it goes to, along the dimension of the result.
    pub(super) to: u64,
    /// How many indices.
    pub(super) count: u64,
}

/// What is picked along one dimension.
#[derive(Clone, Debug)]
pub(super) struct Axis {
    pub(super) runs: Vec<Run>,
    /// From one index to the next.
    pub(super) step: i64,
    /// How many indices in all.
    pub(super) count: u64,
    /// Elements of a block.
    pub(super) block: u64,
}

/// The runs of what is picked along one dimension. `chunk` and `block` are lengths in elements, and not 0; with blocks
/// that are chunks there is one run for each of these.
pub(super) fn runs(picked: &Picked, chunk: u64, block: u64) -> impl Iterator<Item = Run> {
    let Picked { start, count: all, step, .. } = *picked;
    let stride = step.unsigned_abs().max(1);
    let (mut index, mut done) = (start, 0);
    std::iter::from_fn(move || {
        if done >= all {
            return None;
        }
        let (number, in_chunk) = (index / chunk, index % chunk);
        let within = in_chunk % block;
        let left = if step > 0 {
            (block - within).min(chunk - in_chunk).div_ceil(stride)
        } else {
            within / stride + 1
        };
        let count = left.min(all - done);
        let run = Run { chunk: number, block: in_chunk / block, within, to: done, count };
        done += count;
        // The last of these may be one that is not there.
        index = if step > 0 {
            index.saturating_add(count.saturating_mul(stride))
        } else {
            index.saturating_sub(count.saturating_mul(stride))
        };
        Some(run)
    })
}

impl Axis {
    /// As [`runs`].
    pub(super) fn new(picked: &Picked, chunk: u64, block: u64) -> Axis {
        let runs = runs(picked, chunk, block).collect();
        Axis { runs, step: picked.step, count: picked.count, block }
    }

    /// Those of some runs that are of the same chunk, one chunk after the other.
    pub(super) fn chunks(&self, runs: Range<usize>) -> Vec<Range<usize>> {
        let mut at = runs.start;
        let of_chunks = self.runs[runs].chunk_by(|one, next| one.chunk == next.chunk);
        let ranges = of_chunks.map(|runs| {
            let first = at;
            at += runs.len();
            first..at
        });
        ranges.collect()
    }
}

/// How many parts there are along each dimension, none of which is of length 0.
pub(crate) fn counts(whole: &[u64], part: &[u64]) -> Vec<u64> {
    whole.iter().zip(part).map(|(whole, part)| whole.div_ceil((*part).max(1))).collect()
}

/// The number of a cell of a grid, row-major.
pub(super) fn ravel(index: impl Iterator<Item = u64>, grid: &[u64]) -> u64 {
    index.zip(grid).fold(0, |number, (at, dim)| number * dim + at)
}

/// Which cell of a grid has a number, row-major.
pub(super) fn unravel(number: u64, grid: &[u64]) -> Vec<u64> {
    let mut rest = number;
    let along = |count: &u64| {
        let at = rest % (*count).max(1);
        rest /= (*count).max(1);
        at
    };
    let mut index: Vec<u64> = grid.iter().rev().map(along).collect();
    index.reverse();
    index
}

/// All combinations of one number of each range, the last one fastest.
pub(super) fn product(
    ranges: &[Range<usize>],
    mut visit: impl FnMut(&[usize]) -> crate::blosc2::Result<()>,
) -> crate::blosc2::Result<()> {
    if ranges.iter().any(|range| range.is_empty()) {
        return Ok(());
    }
    let mut at: Vec<usize> = ranges.iter().map(|range| range.start).collect();
    loop {
        visit(&at)?;
        let mut axis = at.len();
        loop {
            let Some(next) = axis.checked_sub(1) else { return Ok(()) };
            axis = next;
            at[axis] += 1;
            if at[axis] < ranges[axis].end {
                break;
            }
            at[axis] = ranges[axis].start;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_what_picking_one_by_one_gives() {
        for (chunk, block) in [(5, 2), (4, 4), (7, 3), (1, 1)] {
            for length in 0..23_u64 {
                for step in [1, 2, 3, 7, 40, -1, -2, -3, -9] {
                    let indices =
                        [dudley::read::slice::Index::Range { start: None, stop: None, step }];
                    let picked =
                        dudley::read::slice::resolve(&indices, &[length]).expect("a slice")[0];
                    let axis = Axis::new(&picked, chunk, block);
                    let found: Vec<u64> = axis
                        .runs
                        .iter()
                        .flat_map(|run| {
                            let first = run.chunk * chunk + run.block * block + run.within;
                            (0..run.count).map(move |k| first as i64 + k as i64 * step)
                        })
                        .map(|index| index as u64)
                        .collect();
                    let wanted: Vec<u64> = (0..picked.count)
                        .map(|k| (picked.start as i64 + k as i64 * step) as u64)
                        .collect();
                    assert_eq!(found, wanted, "{chunk} {block} {length} {step}");
                    let to: Vec<u64> = axis.runs.iter().map(|run| run.to).collect();
                    assert!(to.windows(2).all(|pair| pair[0] < pair[1]));
                    // No block is met twice.
                    let blocks: std::collections::BTreeSet<_> =
                        axis.runs.iter().map(|run| (run.chunk, run.block)).collect();
                    assert_eq!(blocks.len(), axis.runs.len());
                }
            }
        }
    }
}
