//! Blocks of an array, one for each rank: which elements a rank has, and where they are in its memory.

use std::ops::Range;

use ndarray::SliceInfoElem;

use crate::error::{Error, Item, Result};

/// The decomposition of an array into blocks of a grid, in any number of dimensions. Ranks are counted row-major
/// along the grid. Blocks differ by at most one element in each dimension, and the first ones have more; ranks beyond
/// the grid have no block.
///
/// ```
/// use dudley::ranks::Blocks;
///
/// let blocks = Blocks::new(&[10, 6], &[3, 2])?.ghosts(&[2, 1])?;
/// let block = blocks.block(5); // the last one
/// assert_eq!(block.elements(), [7..10, 3..6]);
/// assert_eq!(block.memory_shape(), [2 + 3 + 2, 1 + 3 + 1]);
/// assert_eq!(block.with_ghosts(), [5..10, 2..6]); // the array ends there
/// assert!(blocks.block(6).is_empty());
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Blocks {
    shape: Vec<u64>,
    grid: Vec<u64>,
    ghosts: Vec<u64>,
}

impl Blocks {
    /// Blocks of an array of this shape (elements, slowest dimension first), this many along each dimension. If the array
    /// has more dimensions than are given here, blocks have all of those.
    ///
    /// # Errors
    /// [`Error::WrongValue`] for another number of dimensions, or 0 blocks in a dimension;
    /// [`Error::TooLarge`].
    pub fn new(shape: &[u64], grid: &[u64]) -> Result<Blocks> {
        let wrong = |expected: String| Error::WrongValue {
            item: Item::UNKNOWN,
            expected: expected.into(),
            found: format!("a grid of {grid:?}").into(),
        };
        if grid.len() != shape.len() || grid.contains(&0) {
            let dims = shape.len();
            return Err(wrong(format!("blocks in {dims} dimensions, at least one along each")));
        }
        let count = grid.iter().try_fold(1_u64, |all, along| all.checked_mul(*along));
        let count = count.filter(|count| usize::try_from(*count).is_ok());
        count.ok_or_else(|| Error::too_large(u64::MAX))?;
        let ghosts = vec![0; shape.len()];
        Ok(Blocks { shape: shape.to_vec(), grid: grid.to_vec(), ghosts })
    }

    /// A block for each of `ranks` ranks, as near to cubes as their number allows.
    ///
    /// ```
    /// use dudley::ranks::Blocks;
    ///
    /// assert_eq!(Blocks::of_ranks(&[1000, 1000], 12)?.grid(), [3, 4]);
    /// assert_eq!(Blocks::of_ranks(&[1000, 10], 12)?.grid(), [12, 1]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::new`].
    pub fn of_ranks(shape: &[u64], ranks: usize) -> Result<Blocks> {
        let mut grid = vec![1; shape.len()];
        let mut factors = Vec::new();
        let (mut rest, mut factor) = (ranks.max(1) as u64, 2);
        while factor * factor <= rest {
            while rest.is_multiple_of(factor) {
                factors.push(factor);
                rest /= factor;
            }
            factor += 1;
        }
        factors.push(rest);
        // The largest ones first, each along the dimension where blocks are longest.
        for factor in factors.into_iter().rev() {
            let longest = (0..shape.len()).rev().max_by_key(|at| shape[*at] / grid[*at]);
            if let Some(at) = longest {
                grid[at] *= factor;
            }
        }
        Blocks::new(shape, &grid)
    }

    /// Blocks have this many ghost cells in memory on both sides of each dimension, also where the array ends.
    ///
    /// # Errors
    /// [`Error::WrongValue`] for another number of dimensions.
    pub fn ghosts(mut self, ghosts: &[u64]) -> Result<Blocks> {
        if ghosts.len() != self.shape.len() {
            return Err(Error::WrongValue {
                item: Item::UNKNOWN,
                expected: format!("ghost cells of {} dimensions", self.shape.len()).into(),
                found: ghosts.len().to_string().into(),
            });
        }
        self.ghosts = ghosts.to_vec();
        Ok(self)
    }

    /// The shape of the array in elements.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// Blocks along each dimension.
    pub fn grid(&self) -> &[u64] {
        &self.grid
    }

    /// The number of blocks.
    pub fn count(&self) -> u64 {
        self.grid.iter().product()
    }

    /// Whether a rank has a block, though perhaps one without elements.
    pub(super) fn has(&self, rank: usize) -> bool {
        (rank as u64) < self.count()
    }

    /// The block of a rank.
    pub fn block(&self, rank: usize) -> Block {
        let mut rest = rank as u64;
        let mut dims = Vec::with_capacity(self.shape.len());
        for at in (0..self.shape.len()).rev() {
            let (all, along, ghosts) = (self.shape[at], self.grid[at], self.ghosts[at]);
            let (place, each, more) = (rest % along, all / along, all % along);
            rest /= along;
            let begin = place * each + place.min(more);
            let own = begin..begin + each + u64::from(place < more);
            dims.push(Along { own, ghosts, all });
        }
        dims.reverse();
        if !self.has(rank) {
            let none = |it: &mut Along| (it.own, it.ghosts) = (0..0, 0);
            dims.iter_mut().for_each(none);
        }
        Block { dims }
    }

    /// The same without ghost cells: what decides who has which elements.
    pub(super) fn bare(&self) -> Blocks {
        Blocks { ghosts: vec![0; self.shape.len()], ..self.clone() }
    }
}

/// One dimension of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Along {
    own: Range<u64>,
    ghosts: u64,
    /// Elements of the array.
    all: u64,
}

impl Along {
    fn with_ghosts(&self) -> Range<u64> {
        if self.own.is_empty() {
            return self.own.clone();
        }
        let end = self.own.end.saturating_add(self.ghosts).min(self.all);
        self.own.start.saturating_sub(self.ghosts)..end
    }

    /// Where elements of the array are in memory.
    fn in_memory(&self, elements: &Range<u64>) -> SliceInfoElem {
        let at = |element: u64| (element + self.ghosts).saturating_sub(self.own.start) as isize;
        SliceInfoElem::Slice { start: at(elements.start), end: Some(at(elements.end)), step: 1 }
    }
}

/// The elements of one rank.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    dims: Vec<Along>,
}

impl Block {
    /// Its elements of the array, in each dimension; no other rank has them.
    pub fn elements(&self) -> Vec<Range<u64>> {
        self.dims.iter().map(|it| it.own.clone()).collect()
    }

    /// The same with the ghost cells that are elements of the array.
    pub fn with_ghosts(&self) -> Vec<Range<u64>> {
        self.dims.iter().map(Along::with_ghosts).collect()
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.dims.iter().any(|it| it.own.is_empty())
    }

    /// The shape of the array in memory, in elements: its own elements, and ghost cells on both
    /// sides.
    pub fn memory_shape(&self) -> Vec<usize> {
        let along = |it: &Along| (it.own.end - it.own.start + 2 * it.ghosts) as usize;
        self.dims.iter().map(along).collect()
    }

    /// Where elements of the array are in memory, as a slice of `ndarray` of this many dimensions: all, in those for which
    /// none are given.
    pub(super) fn slice_in_memory(
        &self,
        elements: &[Range<u64>],
        dims: usize,
    ) -> Vec<SliceInfoElem> {
        let own = self.dims.iter().zip(elements).map(|(along, it)| along.in_memory(it));
        let more = elements.iter().skip(self.dims.len()).map(|it| SliceInfoElem::Slice {
            start: it.start as isize,
            end: Some(it.end as isize),
            step: 1,
        });
        let rest = SliceInfoElem::Slice { start: 0, end: None, step: 1 };
        own.chain(more).chain(std::iter::repeat(rest)).take(dims).collect()
    }

    /// Checks that an array in memory has the shape of the block, beside the dimensions that are not decomposed.
    pub(super) fn check(&self, path: &str, shape: &[usize]) -> Result<()> {
        let mut expected: Vec<u64> = self.memory_shape().iter().map(|it| *it as u64).collect();
        let found: Vec<u64> = shape.iter().map(|it| *it as u64).collect();
        if found.starts_with(&expected) {
            return Ok(());
        }
        expected.extend(found.iter().skip(expected.len()));
        Err(Error::wrong_shape(path, &expected, &found))
    }
}

/// Elements as a slice of a path: `/rho[0:5, 3:9]`.
pub(super) fn slice_of(path: &str, elements: &[Range<u64>]) -> String {
    if elements.is_empty() {
        return path.to_owned();
    }
    let along: Vec<String> = elements.iter().map(|it| format!("{}:{}", it.start, it.end)).collect();
    format!("{path}[{}]", along.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn every_element_is_of_one_block(
            dims in proptest::collection::vec((0_u64..9, 1_u64..5, 0_u64..4), 1..4),
        ) {
            let shape: Vec<u64> = dims.iter().map(|it| it.0).collect();
            let grid: Vec<u64> = dims.iter().map(|it| it.1).collect();
            let ghosts: Vec<u64> = dims.iter().map(|it| it.2).collect();
            let blocks = Blocks::new(&shape, &grid).expect("a grid").ghosts(&ghosts).expect("those");
            let size: Vec<usize> = shape.iter().map(|it| *it as usize).collect();
            let mut seen = ndarray::ArrayD::<u8>::zeros(size);
            for rank in 0..blocks.count() as usize + 2 {
                let block = blocks.block(rank);
                let own: Vec<SliceInfoElem> = block
                    .elements()
                    .iter()
                    .map(|it| SliceInfoElem::from(it.start as isize..it.end as isize))
                    .collect();
                seen.slice_mut(&own[..]).iter_mut().for_each(|it| *it += 1);
                let memory = ndarray::ArrayD::<u8>::zeros(block.memory_shape());
                let with = block.with_ghosts();
                let inner = block.slice_in_memory(&with, with.len());
                let inner = memory.slice(&inner[..]);
                if !block.is_empty() {
                    let with = with.iter().map(|it| (it.end - it.start) as usize);
                    prop_assert_eq!(inner.shape(), with.collect::<Vec<_>>());
                }
            }
            prop_assert!(seen.iter().all(|times| *times == 1));
        }
    }

    #[test]
    fn grids_fit_ranks() {
        for ranks in 1..50 {
            let blocks = Blocks::of_ranks(&[100, 90, 80], ranks).expect("a grid");
            assert_eq!(blocks.count(), ranks as u64);
        }
        assert_eq!(Blocks::of_ranks(&[8, 8, 8], 8).expect("a grid").grid(), [2, 2, 2]);
        assert!(Blocks::new(&[3], &[0]).is_err());
        assert!(Blocks::new(&[3], &[1, 1]).is_err());
        assert!(Blocks::new(&[3], &[2]).expect("a grid").ghosts(&[1, 1]).is_err());
    }
}
