//! Ndcell: a block of an n-dimensional array regrouped into small cells.

use super::{Filter, wrong_length};
use crate::blosc2::context::Context;
use crate::blosc2::encoding::refused;
use crate::blosc2::error::{Error, Part, Result};
use crate::blosc2::layouts::CHUNK;

/// The most dimensions that c-blosc2 has room for.
const MOST: usize = 8;

/// Checks that c-blosc2 undoes cells of that side, or means of such, in blocks of that shape.
///
/// # Errors
/// [`Error::Range`] with the reason.
pub(super) fn check(filter: Filter, block: &[usize]) -> Result<()> {
    let (side, means) = match filter {
        Filter::NdCell(side) => (usize::from(side), false),
        Filter::NdMean(side) => (usize::from(side), true),
        _ => return Ok(()),
    };
    if block.is_empty() {
        return Err(refused(&format!(
            "{filter} needs blocks with a shape, as arrays of one dimension or more have them"
        )));
    }
    if block.len() > MOST {
        return Err(refused(&format!(
            "{filter} in {} dimensions, where c-blosc2 undoes it in {MOST} at most",
            block.len()
        )));
    }
    if means {
        // It clips cells to blocks, but takes the first side for that of all others.
        let first = block.first().is_none_or(|first| *first >= side);
        return if first || block.iter().all(|dim| *dim <= side) {
            Ok(())
        } else {
            Err(refused(&format!(
                "{filter} needs blocks of {side} or more along the first dimension, not of {block:?}: c-blosc2 undoes \
                 it in no others that are longer along another one"
            )))
        };
    }
    let elements = block.iter().fold(1, |all: usize, dim| all.saturating_mul(*dim));
    let least = side.saturating_pow(block.len() as u32);
    if elements >= least {
        Ok(())
    } else {
        Err(refused(&format!(
            "{filter} needs blocks of {least} elements or more, the size of a cell: those of {block:?} have {elements}, \
             and c-blosc2 undoes it in no smaller ones"
        )))
    }
}

/// How a block is cut into cells. Lengths in elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cells {
    side: usize,
    block: Vec<usize>,
    typesize: usize,
    bytes: usize,
}

impl Cells {
    /// `side` is the argument of the filter.
    ///
    /// # Errors
    /// [`Error::Damaged`] for a side that is none, or if the chunk is of no array.
    pub(super) fn new(side: u8, context: &Context) -> Result<Cells> {
        // It is a signed number for those who write it.
        let valid = Some(usize::from(side)).filter(|side| (1..=127).contains(side));
        let expected = "a side of 1 to 127 elements";
        let side = valid.ok_or_else(|| {
            Error::damaged(Part::Filters, CHUNK.at("filters_meta"), expected, side)
        })?;
        let typesize = context.typesize.filter(|_| !context.blockshape.is_empty());
        let typesize = typesize.ok_or_else(|| {
            Error::damaged(
                Part::Filters,
                CHUNK.at("filters"),
                "cells in an array",
                "a chunk of no array",
            )
        })?;
        let block = context.blockshape.clone();
        let bytes = block.iter().try_fold(typesize, |bytes, dim| bytes.checked_mul(*dim));
        let bytes = bytes.ok_or_else(|| wrong_length(usize::MAX, 0))?;
        Ok(Cells { side, block, typesize, bytes })
    }

    /// Puts the rows of all cells to where they belong.
    pub(super) fn undo(&self, src: &[u8], dst: &mut [u8]) -> Result<()> {
        self.rows(src.len(), |from, to, row| {
            dst[to..to + row].copy_from_slice(&src[from..from + row]);
        })
    }

    /// The way there: brings the rows of each cell together.
    pub(super) fn apply(&self, src: &[u8], dst: &mut [u8]) -> Result<()> {
        self.rows(src.len(), |to, from, row| {
            dst[to..to + row].copy_from_slice(&src[from..from + row]);
        })
    }

    /// Puts the mean of each cell in place of its elements, which lie side by side.
    pub(super) fn average(&self, cells: &mut [u8]) -> Result<()> {
        if cells.len() != self.bytes || self.bytes == 0 {
            return Err(wrong_length(self.bytes, cells.len()));
        }
        let mut rest = cells;
        let mut cell = vec![0; self.block.len()];
        loop {
            let sides = cell.iter().zip(&self.block).map(|(at, dim)| self.side.min(dim - at));
            let (now, later) =
                std::mem::take(&mut rest).split_at_mut(sides.product::<usize>() * self.typesize);
            rest = later;
            super::truncation::mean(now, self.typesize);
            if !advance(&mut cell, |axis| (self.side, self.block[axis])) {
                return Ok(());
            }
        }
    }

    /// Visits the rows of all cells: where each is among the cells, where in the block, and its length;
    /// all in bytes.
    fn rows(&self, len: usize, mut visit: impl FnMut(usize, usize, usize)) -> Result<()> {
        if len != self.bytes || self.bytes == 0 {
            return Err(wrong_length(self.bytes, len));
        }
        let rank = self.block.len();
        let last = rank - 1;
        let mut strides = vec![self.typesize; rank];
        for axis in (0..last).rev() {
            strides[axis] = strides[axis + 1] * self.block[axis + 1];
        }
        let mut cell = vec![0; rank];
        let mut from = 0;
        loop {
            let sides: Vec<usize> =
                cell.iter().zip(&self.block).map(|(at, dim)| self.side.min(dim - at)).collect();
            let row = sides[last] * self.typesize;
            let mut within = vec![0; rank];
            loop {
                let to: usize =
                    (0..rank).map(|axis| (cell[axis] + within[axis]) * strides[axis]).sum();
                visit(from, to, row);
                from += row;
                if !advance(&mut within[..last], |axis| (1, sides[axis])) {
                    break;
                }
            }
            if !advance(&mut cell, |axis| (self.side, self.block[axis])) {
                return Ok(());
            }
        }
    }
}

/// Goes to the next of all indices, row-major; false behind the last. `rule` gives step and end.
fn advance(index: &mut [usize], rule: impl Fn(usize) -> (usize, usize)) -> bool {
    for axis in (0..index.len()).rev() {
        let (step, end) = rule(axis);
        index[axis] += step;
        if index[axis] < end {
            return true;
        }
        index[axis] = 0;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_in_which_the_c_library_undoes_it() {
        let (cell, mean) = (Filter::NdCell(4), Filter::NdMean(4));
        for (filter, block) in [
            (cell, &[4, 4][..]),
            (cell, &[2, 8]),
            (cell, &[1, 8, 8]),
            (mean, &[5, 3]),
            (mean, &[3, 3, 3]),
            (mean, &[4, 2, 8]),
            (Filter::NdCell(2), &[2; 8]),
            (Filter::Shuffle, &[2; 9]),
        ] {
            assert!(check(filter, block).is_ok(), "{filter} {block:?}");
        }
        for (filter, block) in [
            (cell, &[5, 3][..]),
            (cell, &[2, 2, 12]),
            (Filter::NdCell(127), &[9; 8]),
            (mean, &[3, 5]),
            (mean, &[1, 8, 8]),
            (Filter::NdCell(1), &[2; 9]),
            (Filter::NdMean(2), &[2; 9]),
        ] {
            assert!(check(filter, block).is_err(), "{filter} {block:?}");
        }
    }

    #[test]
    fn means_of_cells() {
        let context = Context { typesize: Some(4), blockshape: vec![3], limit: None };
        let cells = Cells::new(2, &context).expect("it is an array");
        let mut block: Vec<u8> = [1_f32, 2.0, 7.0].into_iter().flat_map(f32::to_le_bytes).collect();
        cells.average(&mut block).expect("a whole block");
        let wanted: Vec<u8> = [1.5_f32, 1.5, 7.0].into_iter().flat_map(f32::to_le_bytes).collect();
        assert_eq!(block, wanted);
    }

    #[test]
    fn cells_at_the_edge_are_smaller() {
        let context = Context { typesize: Some(1), blockshape: vec![3, 5], limit: None };
        let cells = Cells::new(2, &context).expect("it is an array");
        // Row-major over cells: 2x2, 2x2, 2x1, then 1x2, 1x2, 1x1.
        let stored = [0, 1, 5, 6, 2, 3, 7, 8, 4, 9, 10, 11, 12, 13, 14];
        let mut block = [0; 15];
        cells.undo(&stored, &mut block).expect("a whole block");
        assert!(block.iter().enumerate().all(|(at, byte)| at == usize::from(*byte)));
        let mut back = [0; 15];
        cells.apply(&block, &mut back).expect("a whole block");
        assert_eq!(back, stored);
        assert!(cells.undo(&stored[1..], &mut block[1..]).is_err());
        assert!(Cells::new(0, &context).is_err());
        assert!(Cells::new(255, &context).is_err());
    }
}
