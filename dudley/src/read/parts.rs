//! An array cut into parts that fit into the cache, so that it can be visited by many threads and
//! without holding it.

use crate::bytes::region::Region;
use crate::error::Result;

/// Bytes of a part at most, except for elements that are larger.
const BYTES: u64 = 1 << 20;

/// How an array of a shape is cut: each part is a range of one dimension, at one index of each
/// slower one, and all of each faster one. So the elements of a part follow each other.
#[derive(Clone, Debug)]
pub(crate) struct Cut {
    shape: Vec<u64>,
    /// The dimension of which a part has a range.
    axis: usize,
    /// Indices of that dimension in a part; in the last one fewer.
    rows: u64,
    /// Parts at one index of the slower dimensions.
    across: u64,
    /// All parts.
    count: u64,
    /// Elements at one index of the dimension that is cut.
    inner: u64,
}

impl Cut {
    /// The parts of an array of `shape`, whose elements 64 bits can count, each of this many bytes.
    pub(crate) fn new(shape: &[u64], element_size: u64) -> Cut {
        let most = (BYTES / element_size.max(1)).max(1);
        let mut cut =
            Cut { shape: shape.to_vec(), axis: 0, rows: 1, across: 1, count: 1, inner: 1 };
        if shape.contains(&0) {
            cut.count = 0;
            return cut;
        }
        // From the fastest dimension on, as many as a part holds whole.
        let mut axis = shape.len();
        while axis > 0 && cut.inner.saturating_mul(shape[axis - 1]) <= most {
            axis -= 1;
            cut.inner *= shape[axis];
        }
        if axis == 0 {
            return cut;
        }
        cut.axis = axis - 1;
        cut.rows = (most / cut.inner).max(1);
        cut.across = shape[cut.axis].div_ceil(cut.rows);
        cut.count = shape[..cut.axis].iter().fold(cut.across, |count, dim| count * dim);
        cut
    }

    /// How many parts there are.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Where a part of an array lies; the array has the shape that was cut.
    ///
    /// # Errors
    /// As [`Region::new`].
    pub(crate) fn region(
        &self,
        part: u64,
        address: u64,
        strides: &[i64],
        element_size: u64,
    ) -> Result<Region> {
        if self.count == 1 {
            return Region::new(address, &self.shape, strides, element_size);
        }
        let (mut outer, row) = (part / self.across, part % self.across * self.rows);
        let step = |stride: i64, index: u64| (stride as u64).wrapping_mul(index);
        let mut begin = address.wrapping_add(step(strides[self.axis], row));
        for (dim, stride) in self.shape[..self.axis].iter().zip(strides).rev() {
            begin = begin.wrapping_add(step(*stride, outer % dim));
            outer /= dim;
        }
        let mut shape = self.shape[self.axis..].to_vec();
        shape[0] = self.rows.min(shape[0] - row);
        Region::new(begin, &shape, &strides[self.axis..], element_size)
    }

    /// The number of the first element of a part, in row-major order.
    pub(crate) fn first(&self, part: u64) -> u64 {
        if self.count <= 1 {
            return 0;
        }
        let (outer, row) = (part / self.across, part % self.across * self.rows);
        (outer * self.shape[self.axis] + row) * self.inner
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_the_array() {
        for shape in [
            &[][..],
            &[1],
            &[7],
            &[0],
            &[3, 0, 9],
            &[300_000],
            &[3, 100_000],
            &[100_000, 3],
            &[2, 3, 200_000],
            &[700, 700, 2],
            &[2, 262_144],
            &[2, 262_145],
        ] {
            let cut = Cut::new(shape, 4);
            let len: u64 = shape.iter().product();
            let strides: Vec<i64> = crate::read::dtype::strides(shape, 4);
            let mut next = 0;
            for part in 0..cut.count() {
                assert_eq!(cut.first(part), next, "{shape:?}");
                let region = cut.region(part, 100, &strides, 4).expect("within");
                assert_eq!(region.span().start, 100 + 4 * next, "{shape:?}");
                assert!(region.is_contiguous() && region.byte_len() <= BYTES);
                next += region.len();
            }
            assert_eq!(next, len, "{shape:?}");
        }
    }

    #[test]
    fn strides_may_be_any() {
        let shape = [500, 3, 1000];
        let strides = [-4, 1_000_000, 2000];
        let cut = Cut::new(&shape, 4);
        assert!(cut.count() > 1);
        let whole = Region::new(5000, &shape, &strides, 4).expect("within");
        let starts = |region: &Region| {
            let rows: Vec<_> = region.rows().collect();
            rows.iter().flat_map(|row| (0..row.count).map(|at| row.address_of(at))).collect()
        };
        let parts = (0..cut.count()).flat_map(|part| {
            let region = cut.region(part, 5000, &strides, 4).expect("within");
            let starts: Vec<u64> = starts(&region);
            starts
        });
        let all: Vec<u64> = starts(&whole);
        assert_eq!(parts.collect::<Vec<_>>(), all);
    }
}
