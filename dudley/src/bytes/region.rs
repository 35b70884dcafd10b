//! Where the elements of an array lie: a region of a stream, and the runs it is made of.
//!
//! Elements of a field of an array of records are not side by side. A [`Region`] says where each
//! of them is; its [`rows`](Region::rows) are what one copies. Nothing is read here.

use crate::error::{Error, Item, Result};

/// The elements of an array in a stream, in row-major order (slowest dimension first).
///
/// Addresses, strides and sizes are in bytes, shapes in elements.
///
/// ```
/// use dudley::bytes::Region;
///
/// // The second field, of 4 bytes, of ten records of 12 bytes that begin at address 16.
/// let field = Region::new(20, &[10], &[12], 4)?;
/// assert_eq!((field.len(), field.byte_len()), (10, 40));
/// assert_eq!(field.span(), 20..132);
/// # Ok::<(), dudley::error::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    base: u64,
    /// The dimensions that are left when those of 1 are dropped and neighbours are merged:
    /// count and stride, slowest first. None is 0 unless the region is empty.
    dims: Vec<(u64, i64)>,
    /// Bytes that are side by side everywhere, a multiple of `element_size`.
    run: u64,
    element_size: u64,
    len: u64,
    span: std::ops::Range<u64>,
}

impl Region {
    /// The region of an array whose element of indices 0 is at `base`, and whose neighbours in
    /// each dimension are `strides` apart (which may be negative or 0).
    ///
    /// ```
    /// use dudley::bytes::Region;
    ///
    /// let column = Region::new(64, &[3], &[16], 8)?;
    /// assert_eq!((column.len(), column.span()), (3, 64..104));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongShape`] when there are not as many strides as dimensions;
    /// [`Error::TooLarge`] when an element is not within the addresses 0 to 2^64 - 1.
    pub fn new(base: u64, shape: &[u64], strides: &[i64], element_size: u64) -> Result<Region> {
        if shape.len() != strides.len() {
            return Err(Error::WrongShape {
                item: Item::UNKNOWN,
                expected: shape.into(),
                found: [strides.len() as u64].into(),
                params: Vec::new(),
                shapes: Box::default(),
            });
        }
        let too_large = || Error::too_large(u64::MAX);
        if element_size == 0 || shape.contains(&0) {
            let dims = Vec::new();
            return Ok(Region { base, dims, run: 0, element_size, len: 0, span: base..base });
        }
        let len = shape.iter().try_fold(1_u64, |len, dim| len.checked_mul(*dim));
        let len =
            len.filter(|len| len.checked_mul(element_size).is_some()).ok_or_else(too_large)?;
        let (mut low, mut high) = (base, base.checked_add(element_size).ok_or_else(too_large)?);
        for (dim, stride) in shape.iter().zip(strides) {
            let reach = stride.unsigned_abs().checked_mul(dim - 1).ok_or_else(too_large)?;
            if *stride < 0 {
                low = low.checked_sub(reach).ok_or_else(too_large)?;
            } else {
                high = high.checked_add(reach).ok_or_else(too_large)?;
            }
        }
        let (dims, run) = merged(shape, strides, element_size);
        Ok(Region { base, dims, run, element_size, len, span: low..high })
    }

    /// The region of an array whose elements are side by side.
    ///
    /// ```
    /// use dudley::bytes::Region;
    ///
    /// assert_eq!(Region::contiguous(64, &[3, 2], 8)?.span(), 64..112);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`] when an element is not within the addresses 0 to 2^64 - 1.
    pub fn contiguous(base: u64, shape: &[u64], element_size: u64) -> Result<Region> {
        let len = shape.iter().try_fold(1_u64, |len, dim| len.checked_mul(*dim));
        let len = len.ok_or_else(|| Error::too_large(u64::MAX))?;
        let stride = i64::try_from(element_size).map_err(|_| Error::too_large(element_size))?;
        Region::new(base, &[len], &[stride], element_size)
    }

    /// The number of elements.
    ///
    /// ```
    /// use dudley::bytes::Region;
    ///
    /// assert_eq!(Region::contiguous(0, &[3, 2], 8)?.len(), 6);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// use dudley::bytes::Region;
    ///
    /// assert!(Region::contiguous(0, &[3, 0], 8)?.is_empty());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Bytes of one element.
    ///
    /// ```
    /// use dudley::bytes::Region;
    ///
    /// assert_eq!(Region::contiguous(0, &[3], 8)?.element_size(), 8);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn element_size(&self) -> u64 {
        self.element_size
    }

    /// Bytes of all elements side by side.
    ///
    /// ```
    /// use dudley::bytes::Region;
    ///
    /// assert_eq!(Region::new(0, &[3], &[16], 8)?.byte_len(), 24);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn byte_len(&self) -> u64 {
        self.len * self.element_size
    }

    /// The addresses from the first byte of any element to the end of the last one.
    ///
    /// ```
    /// use dudley::bytes::Region;
    ///
    /// assert_eq!(Region::new(64, &[3], &[-16], 8)?.span(), 32..72);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn span(&self) -> std::ops::Range<u64> {
        self.span.clone()
    }

    /// Whether the elements are side by side, in order.
    ///
    /// ```
    /// use dudley::bytes::Region;
    ///
    /// assert!(!Region::new(0, &[3], &[16], 8)?.is_contiguous());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn is_contiguous(&self) -> bool {
        self.dims.is_empty()
    }

    /// Whether at least `least` bytes are side by side everywhere, with more than `gap` between them.
    pub(crate) fn has_long_runs(&self, least: u64, gap: u64) -> bool {
        let apart = |stride: i64| stride.unsigned_abs() > self.run.saturating_add(gap);
        self.run >= least && self.dims.iter().all(|(_, stride)| apart(*stride))
    }

    /// Bytes that are fetched to get all elements, if `least` bytes come at once: what lies between elements counts
    /// where they are closer than that.
    pub(crate) fn fetched(&self, least: u64) -> u64 {
        let (mut span, mut fetched) = (self.run, self.run);
        for (count, stride) in self.dims.iter().rev() {
            let stride = stride.unsigned_abs();
            // What was fetched whole so far is fetched together with its near neighbours.
            let together = fetched == span && stride <= span.saturating_add(least);
            span = span.saturating_add(stride.saturating_mul(count - 1));
            fetched = if together { span } else { fetched.max(least).saturating_mul(*count) };
        }
        fetched.max(self.byte_len())
    }

    /// The rows in the order of the elements.
    ///
    /// ```
    /// use dudley::bytes::Region;
    ///
    /// assert_eq!(Region::new(0, &[3], &[16], 8)?.rows().count(), 1);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn rows(&self) -> Rows<'_> {
        let (outer, (count, stride)) = match self.dims.split_last() {
            Some((inner, outer)) => (outer, *inner),
            None => (&[][..], (1, 0)),
        };
        let done = self.is_empty();
        let row = Row { address: self.base, count, stride, run: self.run };
        Rows { outer, index: vec![0; outer.len()], row, done }
    }
}

/// Parts of a region, in the order of its elements.
#[derive(Clone, Debug)]
pub(crate) struct Parts<'a> {
    region: &'a Region,
    /// The dimensions outside of the one that is cut.
    outer: usize,
    /// Of that dimension (elements of the run, if it is the run): all, of a part, apart in bytes.
    count: u64,
    step: u64,
    stride: i64,
    next: u64,
}

impl Region {
    /// The region in parts of about `most` bytes: not more, unless one element is.
    pub(crate) fn parts(&self, most: u64) -> Parts<'_> {
        let elements = most.checked_div(self.element_size).unwrap_or(0).max(1);
        let run = self.run.checked_div(self.element_size).unwrap_or(0);
        // From the run outwards, as long as what is inside of a dimension fits.
        let mut parts = Parts {
            region: self,
            outer: self.dims.len(),
            count: run,
            step: elements,
            stride: 0,
            next: 0,
        };
        parts.stride = i64::try_from(self.element_size).unwrap_or(0);
        let mut inside = run;
        for (at, (count, stride)) in self.dims.iter().enumerate().rev() {
            if inside > elements {
                break;
            }
            parts.outer = at;
            (parts.count, parts.stride) = (*count, *stride);
            parts.step = elements / inside.max(1);
            inside = inside.saturating_mul(*count);
        }
        parts
    }
}

impl Parts<'_> {
    /// How many parts there are in all.
    pub(crate) fn total(&self) -> u64 {
        let outer = self.region.dims[..self.outer].iter().map(|(count, _)| *count);
        outer.fold(self.count.div_ceil(self.step), u64::saturating_mul)
    }
}

impl Iterator for Parts<'_> {
    type Item = Region;

    fn next(&mut self) -> Option<Region> {
        let region = self.region;
        let parts = self.count.div_ceil(self.step);
        let (outer, part) = (self.next.checked_div(parts)?, self.next % parts);
        // Wraps only on the way: all of it lies within the region, which was checked.
        let mut base = region.base;
        let mut rest = outer;
        for (count, stride) in region.dims[..self.outer].iter().rev() {
            base = base.wrapping_add((rest % count).wrapping_mul(*stride as u64));
            rest /= count;
        }
        if rest > 0 || region.is_empty() {
            return None;
        }
        self.next += 1;
        let first = part * self.step;
        let count = self.step.min(self.count - first);
        base = base.wrapping_add(first.wrapping_mul(self.stride as u64));
        let size = region.element_size;
        let (dims, run) = match region.dims.get(self.outer) {
            None => (Vec::new(), count * size),
            Some(_) => {
                let inner = region.dims[self.outer + 1..].iter().copied();
                let cut = std::iter::once((count, self.stride)).filter(|_| count > 1);
                (cut.chain(inner).collect(), region.run)
            }
        };
        Some(Region::within(base, dims, run, size))
    }
}

impl Region {
    /// Rows of dimensions inside a checked region.
    fn within(base: u64, dims: Vec<(u64, i64)>, run: u64, element_size: u64) -> Region {
        let (mut low, mut high) = (base, base.wrapping_add(run));
        let mut bytes = run;
        for (count, stride) in &dims {
            let reach = stride.unsigned_abs().wrapping_mul(count - 1);
            if *stride < 0 {
                low = low.wrapping_sub(reach)
            } else {
                high = high.wrapping_add(reach)
            }
            bytes = bytes.wrapping_mul(*count);
        }
        Region { base, dims, run, element_size, len: bytes / element_size, span: low..high }
    }
}

impl Region {
    /// Some elements that follow each other in the order of all, as few regions.
    pub(crate) fn cut(&self, elements: std::ops::Range<u64>) -> Vec<Region> {
        let mut regions = Vec::new();
        let stop = elements.end.min(self.len);
        if elements.start < stop {
            self.cut_from(self.base, 0, elements.start, stop, &mut regions);
        }
        regions
    }

    /// Of the dimensions from `at` on, whose first element is at `base`, the elements `start` to `stop`.
    fn cut_from(&self, base: u64, at: usize, start: u64, stop: u64, regions: &mut Vec<Region>) {
        let size = self.element_size;
        let Some((_, stride)) = self.dims.get(at) else {
            let base = base.wrapping_add(start * size);
            regions.push(Region::within(base, Vec::new(), (stop - start) * size, size));
            return;
        };
        let inner = self.dims[at + 1..].iter().map(|(count, _)| *count);
        let each = inner.product::<u64>() * (self.run / size);
        // Wraps only on the way: all of it lies within the region, which was checked.
        let base_of = |index: u64| base.wrapping_add(index.wrapping_mul(*stride as u64));
        let (first, last) = (start / each, stop / each);
        if first == last {
            return self.cut_from(base_of(first), at + 1, start % each, stop % each, regions);
        }
        let whole = start.div_ceil(each);
        if whole > first {
            self.cut_from(base_of(first), at + 1, start % each, each, regions);
        }
        if last > whole {
            let mut dims = vec![(last - whole, *stride)];
            dims.retain(|(count, _)| *count > 1);
            dims.extend_from_slice(&self.dims[at + 1..]);
            regions.push(Region::within(base_of(whole), dims, self.run, size));
        }
        if !stop.is_multiple_of(each) {
            self.cut_from(base_of(last), at + 1, 0, stop % each, regions);
        }
    }
}

/// Equally spaced runs of bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// Where the first run begins, in bytes.
    pub address: u64,
    /// The number of runs.
    pub count: u64,
    /// Bytes from the start of one run to the start of the next.
    pub stride: i64,
    /// The length of one run in bytes.
    pub run: u64,
}

impl Row {
    /// The address of a run.
    pub fn address_of(&self, run: u64) -> u64 {
        // Wraps only on the way: the region was checked to be within the addresses.
        self.address.wrapping_add(run.wrapping_mul(self.stride as u64))
    }

    /// The addresses from the first byte of any run to the end of the last one. There must be a
    /// run.
    pub fn span(&self) -> std::ops::Range<u64> {
        let last = self.address_of(self.count - 1);
        self.address.min(last)..self.address.max(last) + self.run
    }
}

/// The rows of a region, in the order of its elements.
#[derive(Clone, Debug)]
pub struct Rows<'a> {
    outer: &'a [(u64, i64)],
    index: Vec<u64>,
    row: Row,
    done: bool,
}

impl Iterator for Rows<'_> {
    type Item = Row;

    fn next(&mut self) -> Option<Row> {
        if self.done {
            return None;
        }
        let row = self.row;
        for (at, (count, stride)) in self.index.iter_mut().zip(self.outer).rev() {
            *at += 1;
            self.row.address = self.row.address.wrapping_add(*stride as u64);
            if *at < *count {
                return Some(row);
            }
            let back = count.wrapping_mul(*stride as u64);
            self.row.address = self.row.address.wrapping_sub(back);
            *at = 0;
        }
        self.done = true;
        Some(row)
    }
}

/// Calls `each` with address and length of each run of an array, in the order of its elements.
///
/// # Errors
/// As [`Region::new`]; the errors of `each`.
///
/// ```
/// let mut runs = Vec::new();
/// dudley::bytes::for_each_run(16, &[2, 3], &[32, 4], 4, |address, len| {
///     runs.push((address, len));
///     Ok(())
/// })?;
/// assert_eq!(runs, [(16, 12), (48, 12)]);
/// # Ok::<(), dudley::error::Error>(())
/// ```
pub fn for_each_run(
    base: u64,
    shape: &[u64],
    strides: &[i64],
    element_size: u64,
    mut each: impl FnMut(u64, u64) -> Result<()>,
) -> Result<()> {
    for row in Region::new(base, shape, strides, element_size)?.rows() {
        for run in 0..row.count {
            each(row.address_of(run), row.run)?;
        }
    }
    Ok(())
}

/// The fewest dimensions with the same elements in the same order, and the bytes that are side by
/// side. No dimension is 0.
fn merged(shape: &[u64], strides: &[i64], element_size: u64) -> (Vec<(u64, i64)>, u64) {
    let mut run = element_size;
    let mut dims: Vec<(u64, i64)> = Vec::with_capacity(shape.len());
    // From the fastest dimension on; `dims` is in that order until the end.
    for (&dim, &stride) in shape.iter().zip(strides).rev().filter(|(dim, _)| **dim > 1) {
        match dims.last_mut() {
            None if u64::try_from(stride) == Ok(run) => run *= dim,
            Some((inner, inner_stride)) if reaches(*inner, *inner_stride, stride) => *inner *= dim,
            _ => dims.push((dim, stride)),
        }
    }
    dims.reverse();
    (dims, run)
}

/// Whether `count` steps of `inner` are one of `outer`.
fn reaches(count: u64, inner: i64, outer: i64) -> bool {
    i64::try_from(count).ok().and_then(|count| count.checked_mul(inner)) == Some(outer)
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The address of each element, one by one.
    pub(crate) fn model(base: u64, shape: &[u64], strides: &[i64]) -> Vec<u64> {
        let mut addresses = vec![base as i64];
        for (dim, stride) in shape.iter().zip(strides) {
            addresses = addresses
                .iter()
                .flat_map(|base| (0..*dim).map(move |i| base + i as i64 * stride))
                .collect();
        }
        addresses.into_iter().map(|address| address as u64).collect()
    }

    /// Shapes with strides, small enough for a stream of 4000 bytes around a base of 2000.
    pub(crate) fn arrays() -> impl Strategy<Value = (Vec<u64>, Vec<i64>, u64)> {
        let strides = prop_oneof![-60_i64..60, Just(4), Just(8), Just(16), Just(0)];
        let dims = prop::collection::vec((0_u64..7, strides), 0..4);
        (dims, prop::sample::select(vec![1_u64, 2, 4, 8, 16, 3])).prop_map(|(dims, size)| {
            let (shape, strides) = dims.into_iter().unzip();
            (shape, strides, size)
        })
    }

    /// Strides of a dense array, with one dimension cut short.
    fn dense() -> impl Strategy<Value = (Vec<u64>, Vec<i64>, u64)> {
        let dims = prop::collection::vec(1_u64..5, 1..5);
        (dims, any::<prop::sample::Index>()).prop_map(|(mut shape, cut)| {
            let mut strides = vec![4_i64; shape.len()];
            for i in (0..shape.len() - 1).rev() {
                strides[i] = strides[i + 1] * shape[i + 1] as i64;
            }
            let cut = cut.index(shape.len());
            shape[cut] = shape[cut].div_ceil(2);
            (shape, strides, 4)
        })
    }

    proptest! {
        #[test]
        fn runs_agree_with_the_model((shape, strides, size) in prop_oneof![arrays(), dense()]) {
            let mut bytes = Vec::new();
            for_each_run(2000, &shape, &strides, size, |address, len| {
                bytes.extend(address..address + len);
                Ok(())
            }).expect("in range");
            let expected: Vec<u64> = model(2000, &shape, &strides)
                .into_iter()
                .flat_map(|address| address..address + size)
                .collect();
            prop_assert_eq!(&bytes, &expected);
            let region = Region::new(2000, &shape, &strides, size).expect("in range");
            prop_assert_eq!(region.byte_len(), expected.len() as u64);
            if let (Some(low), Some(high)) = (expected.iter().min(), expected.iter().max()) {
                prop_assert_eq!(region.span(), *low..*high + 1);
            }
        }
    }

    proptest! {
        #[test]
        fn parts_are_all_of_it(
            (shape, strides, size) in prop_oneof![arrays(), dense()],
            most in 1_u64..200,
        ) {
            let region = Region::new(2000, &shape, &strides, size).expect("in range");
            let (mut rows, mut expected) = (Vec::new(), Vec::new());
            let bytes = |rows: &mut Vec<u64>, region: &Region| {
                for row in region.rows() {
                    for run in 0..row.count {
                        let at = row.address_of(run);
                        assert!(region.span().start <= at && at + row.run <= region.span().end);
                        rows.extend(at..at + row.run);
                    }
                }
            };
            bytes(&mut expected, &region);
            let mut len = 0;
            prop_assert_eq!(region.parts(most).total(), region.parts(most).count() as u64);
            for part in region.parts(most) {
                prop_assert!(part.byte_len() <= most.max(size));
                prop_assert!(!part.is_empty());
                prop_assert_eq!(part.element_size(), size);
                len += part.len();
                bytes(&mut rows, &part);
            }
            prop_assert_eq!(len, region.len());
            prop_assert_eq!(rows, expected);
        }
    }

    proptest! {
        #[test]
        fn what_is_cut_is_in_order((shape, strides, size) in arrays(), start in 0_u64..60, count in 0_u64..60) {
            let region = Region::new(2000, &shape, &strides, size).expect("in range");
            let elements: Vec<u64> = if region.is_empty() { Vec::new() } else { model(2000, &shape, &strides) };
            let wanted = elements.into_iter().skip(start as usize).take(count as usize);
            let expected: Vec<u64> = wanted.flat_map(|address| address..address + size).collect();
            let mut bytes = Vec::new();
            for part in region.cut(start..start + count) {
                prop_assert_eq!(part.element_size(), size);
                for row in part.rows() {
                    for run in 0..row.count {
                        bytes.extend(row.address_of(run)..row.address_of(run) + row.run);
                    }
                }
            }
            prop_assert_eq!(bytes, expected);
        }
    }

    #[test]
    fn parts_are_few() {
        let whole = Region::contiguous(16, &[1 << 20], 8).expect("in range");
        assert_eq!(whole.parts(1 << 20).count(), 8);
        assert!(whole.parts(1 << 20).all(|part| part.is_contiguous()));
        let planes = Region::new(0, &[64, 10, 128], &[1 << 20, 2048, 8], 8).expect("in range");
        assert_eq!(planes.parts(1 << 20).count(), 1);
        assert_eq!(planes.parts(64 << 10).count(), 11);
        assert_eq!(Region::contiguous(16, &[3, 0], 8).expect("empty").parts(8).count(), 0);
    }

    #[test]
    fn what_is_fetched_lies_between_near_elements() {
        let fetched = |shape: &[u64], strides: &[i64]| {
            Region::new(1 << 40, shape, strides, 8).expect("in range").fetched(4096)
        };
        assert_eq!(fetched(&[1000], &[8]), 8000);
        assert_eq!(fetched(&[1000], &[-512]), 999 * 512 + 8);
        assert_eq!(fetched(&[1000], &[1 << 20]), 1000 * 4096);
        assert_eq!(fetched(&[10, 1000], &[1 << 30, 512]), 10 * (999 * 512 + 8));
        assert_eq!(fetched(&[1000, 10], &[8, 1 << 20]), 1000 * 10 * 4096);
        assert_eq!(fetched(&[1000], &[0]), 8000);
        assert_eq!(fetched(&[0], &[8]), 0);
    }

    #[test]
    fn neighbours_are_merged() {
        let region = Region::new(0, &[4, 1, 3, 2], &[24, 999, 8, 4], 4).expect("in range");
        assert!(region.is_contiguous());
        assert_eq!(region, Region::contiguous(0, &[4, 3, 2], 4).expect("in range"));
        let rows: Vec<Row> =
            Region::new(8, &[5, 2, 3], &[96, 48, 4], 4).expect("ok").rows().collect();
        assert_eq!(rows, [Row { address: 8, count: 10, stride: 48, run: 12 }]);
    }

    #[test]
    fn what_is_out_of_all_addresses_is_an_error() {
        for (base, shape, strides, size) in [
            (0, &[2_u64][..], &[-8_i64][..], 8),
            (u64::MAX - 3, &[][..], &[][..], 4),
            (0, &[u64::MAX, 2], &[0, 0], 1),
            (0, &[u64::MAX], &[0], 2),
            (0, &[1 << 40, 1 << 40], &[1, 1], 1),
            (u64::MAX - 20, &[4], &[8], 1),
            (0, &[3], &[8, 8], 8),
        ] {
            assert!(Region::new(base, shape, strides, size).is_err(), "{base} {shape:?}");
        }
        assert!(Region::contiguous(0, &[u64::MAX, 3], 8).is_err());
        let empty = Region::new(5, &[u64::MAX, 0], &[i64::MAX, 1], 8).expect("nothing of it");
        assert!(empty.is_empty() && empty.rows().next().is_none());
    }
}
