//! Elements to where they are stored: blocks of a chunk, one after the other.

use super::grid::{counts, product, ravel};
use super::scatter::{self, Dim};
use crate::blosc2::error::Result;

/// How an array is cut. Lengths in elements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) chunks: Vec<u64>,
    pub(super) blocks: Vec<u64>,
    /// Bytes of an element.
    pub(super) size: usize,
}

impl Cut {
    /// How many blocks a chunk has along each dimension.
    pub(super) fn block_grid(&self) -> Vec<u64> {
        counts(&self.chunks, &self.blocks)
    }

    /// The shape of a block, as filters take it.
    pub(super) fn blockshape(&self) -> Vec<usize> {
        self.blocks.iter().map(|dim| *dim as usize).collect()
    }

    /// Bytes of a block; `None` if they are more than 64 bits say.
    pub(super) fn block_bytes(&self) -> Option<u64> {
        total(&self.blocks, self.size as u64)
    }

    /// Bytes of a chunk with all its blocks.
    pub(super) fn chunk_bytes(&self) -> Option<u64> {
        total(&self.block_grid(), self.block_bytes()?)
    }

    /// Puts elements to the chunk that begins `from` elements into `src`, an array of that shape; what is
    /// behind its end stays as it is.
    ///
    /// `chunk` has as many bytes as a chunk, whose sizes were found to fit.
    pub(super) fn pack(
        &self,
        src: &[u8],
        shape: &[u64],
        from: &[u64],
        chunk: &mut [u8],
    ) -> Result<()> {
        let grid = self.block_grid();
        let ranges: Vec<_> = grid.iter().map(|count| 0..*count as usize).collect();
        let block_bytes: usize =
            self.blocks.iter().map(|dim| *dim as usize).product::<usize>() * self.size;
        product(&ranges, |at| {
            let number = ravel(at.iter().map(|at| *at as u64), &grid) as usize;
            let (mut first, mut from_stride, mut to_stride) = (0, self.size, self.size);
            let mut dims = Vec::with_capacity(at.len());
            for axis in (0..at.len()).rev() {
                let within = at[axis] as u64 * self.blocks[axis];
                let start = from[axis] + within;
                let count = self.blocks[axis]
                    .min(self.chunks[axis] - within)
                    .min(shape[axis].saturating_sub(start));
                dims.push(Dim { count: count as usize, from: from_stride as isize, to: to_stride });
                first += start as usize * from_stride;
                from_stride *= shape[axis] as usize;
                to_stride *= self.blocks[axis] as usize;
            }
            dims.reverse();
            if dims.iter().all(|dim| dim.count > 0) {
                scatter::copy(src, first, chunk, number * block_bytes, &dims, self.size);
            }
            Ok(())
        })
    }

    /// Copies those elements of a chunk that are in the array, of which there are that many along each
    /// dimension.
    pub(super) fn copy_valid(&self, src: &[u8], there: &[u64], dst: &mut [u8]) -> Result<()> {
        let grid = self.block_grid();
        let ranges: Vec<_> = grid.iter().map(|count| 0..*count as usize).collect();
        let block_bytes = src.len() / grid.iter().product::<u64>().max(1) as usize;
        product(&ranges, |at| {
            let number = ravel(at.iter().map(|at| *at as u64), &grid) as usize;
            let mut stride = self.size;
            let mut dims = Vec::with_capacity(at.len());
            for axis in (0..at.len()).rev() {
                let within = at[axis] as u64 * self.blocks[axis];
                let count = self.blocks[axis].min(there[axis].saturating_sub(within));
                dims.push(Dim { count: count as usize, from: stride as isize, to: stride });
                stride *= self.blocks[axis] as usize;
            }
            dims.reverse();
            if dims.iter().all(|dim| dim.count > 0) {
                let start = number * block_bytes;
                scatter::copy(src, start, dst, start, &dims, self.size);
            }
            Ok(())
        })
    }
}

fn total(dims: &[u64], unit: u64) -> Option<u64> {
    dims.iter().try_fold(unit, |total, dim| total.checked_mul(*dim))
}
