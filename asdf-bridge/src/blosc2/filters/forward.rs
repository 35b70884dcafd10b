//! The filters of a chunk, applied one after the other before it is compressed.

use std::fmt;

use super::{bytedelta, delta, ndcell, truncation};
use crate::blosc2::context::Context;
use crate::blosc2::error::{Error, Result};
use crate::blosc2::kernels::{self, Path};
use crate::blosc2::memory;

/// The filters of each block before its compression.
///
/// Filters are applied in the order in which they are given, and undone in the reverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Filter {
    /// The first bytes of all elements side by side, then the second ones, and so on.
    Shuffle,
    /// As [`Self::Shuffle`], as if elements had this many bytes.
    ShuffleBy(u8),
    /// As [`Self::Shuffle`], of bits.
    BitShuffle,
    /// Exclusive or with the first block of the chunk. Only before all others.
    Delta,
    /// Keeps this many bits of the mantissa of little-endian floats of 4 or 8 bytes; below 0, drops this
    /// many. What is not finite stays as it is.
    TruncPrec(i8),
    /// Differences of neighbouring bytes, for what is shuffled; not of elements of 128 to 255 bytes.
    ByteDelta,
    /// Keeps this many bits of little-endian whole numbers; below 0, drops this many.
    IntTrunc(i8),
    /// Brings together what is in a cell of that side; of arrays only, of 8 dimensions at most, with blocks of at least
    /// as many elements as a cell has.
    NdCell(u8),
    /// As [`Self::NdCell`], and replaces little-endian floats by the mean of their cell; with blocks that are no
    /// shorter than a cell along the first dimension, or nowhere longer.
    NdMean(u8),
}

impl Filter {
    /// By its name in Blosc2, with its argument behind a colon if it takes one; `None` for others.
    ///
    /// ```
    /// use asdf_bridge::blosc2::Filter;
    ///
    /// assert_eq!(Filter::of_name("bitshuffle"), Some(Filter::BitShuffle));
    /// assert_eq!(Filter::of_name("trunc_prec:-10"), Some(Filter::TruncPrec(-10)));
    /// assert_eq!(Filter::of_name("trunc_prec"), None);
    /// ```
    pub fn of_name(name: &str) -> Option<Filter> {
        let (name, argument) = match name.split_once(':') {
            Some((name, argument)) => (name, Some(argument)),
            None => (name, None),
        };
        let side = || argument?.parse().ok().filter(|side| *side > 0);
        let bits = || argument?.parse().ok();
        Some(match (name, argument) {
            ("shuffle", None) => Filter::Shuffle,
            ("shuffle", Some(_)) => Filter::ShuffleBy(side()?),
            ("bitshuffle", None) => Filter::BitShuffle,
            ("delta", None) => Filter::Delta,
            ("bytedelta", None) => Filter::ByteDelta,
            ("trunc_prec", _) => Filter::TruncPrec(bits()?),
            ("int_trunc", _) => Filter::IntTrunc(bits()?),
            ("ndcell", _) => Filter::NdCell(side()?),
            ("ndmean", _) => Filter::NdMean(side()?),
            _ => return None,
        })
    }

    /// Its number in the registry of Blosc2, and its argument.
    pub(crate) fn id(self, typesize: usize) -> (u8, u8) {
        match self {
            Filter::Shuffle => (1, 0),
            Filter::ShuffleBy(size) => (1, size),
            Filter::BitShuffle => (2, 0),
            Filter::Delta => (3, 0),
            // As bits that are kept: python-blosc2 opens no frame whose header has a number below 0.
            Filter::TruncPrec(bits) => (4, truncation::kept_of_floats(bits, typesize) as u8),
            Filter::NdCell(side) => (32, side),
            Filter::NdMean(side) => (33, side),
            // A chunk by itself may not know it. Of new chunks it is 127 at most.
            Filter::ByteDelta => (35, typesize as u8),
            Filter::IntTrunc(bits) => (36, truncation::kept_of_numbers(bits, typesize) as u8),
        }
    }

    /// Checks that c-blosc2 undoes it in blocks of that shape.
    ///
    /// # Errors
    /// [`Error::Range`].
    pub(crate) fn check_block(self, block: &[usize]) -> Result<()> {
        ndcell::check(self, block)
    }

    /// The filter of a number and argument of the registry, as [`Frame::filters`](crate::blosc2::Frame::filters)
    /// gives them; `None` for nothing, and for filters that are not built in.
    ///
    /// ```
    /// use asdf_bridge::blosc2::Filter;
    ///
    /// assert_eq!(Filter::of_id(4, 10), Some(Filter::TruncPrec(10)));
    /// assert_eq!(Filter::of_id(200, 0), None);
    /// ```
    pub fn of_id(id: u8, meta: u8) -> Option<Filter> {
        Some(match (id, meta) {
            (1, 0) => Filter::Shuffle,
            (1, size) => Filter::ShuffleBy(size),
            (2, _) => Filter::BitShuffle,
            (3, _) => Filter::Delta,
            (4, bits) => Filter::TruncPrec(bits as i8),
            (32, side) => Filter::NdCell(side),
            (33, side) => Filter::NdMean(side),
            (34 | 35, _) => Filter::ByteDelta,
            (36, bits) => Filter::IntTrunc(bits as i8),
            _ => return None,
        })
    }
}

/// Its name in Blosc2, which [`Filter::of_name`] reads.
impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Filter::Shuffle => f.write_str("shuffle"),
            Filter::ShuffleBy(size) => write!(f, "shuffle:{size}"),
            Filter::BitShuffle => f.write_str("bitshuffle"),
            Filter::Delta => f.write_str("delta"),
            Filter::TruncPrec(bits) => write!(f, "trunc_prec:{bits}"),
            Filter::ByteDelta => f.write_str("bytedelta"),
            Filter::IntTrunc(bits) => write!(f, "int_trunc:{bits}"),
            Filter::NdCell(side) => write!(f, "ndcell:{side}"),
            Filter::NdMean(side) => write!(f, "ndmean:{side}"),
        }
    }
}

/// A filter with all that it needs.
#[derive(Clone, Debug)]
enum Step {
    Shuffle(usize),
    BitShuffle,
    Delta(usize),
    Floats(u32),
    ByteDelta,
    Numbers(u32),
    Cells(ndcell::Cells),
    Means(ndcell::Cells),
}

impl Step {
    fn is_in_place(&self) -> bool {
        matches!(self, Step::Delta(_) | Step::ByteDelta | Step::Floats(_) | Step::Numbers(_))
    }
}

/// The filters of a chunk, the first one in front.
#[derive(Clone, Debug)]
pub(crate) struct Forward {
    steps: Vec<Step>,
    typesize: usize,
    /// Encoders of Blosc 1 bitshuffle only blocks whose elements are a multiple of eight.
    whole: bool,
}

impl Forward {
    /// # Errors
    /// [`Error::Range`], [`Error::Damaged`] for filters that cannot be applied to such elements.
    pub(crate) fn new(
        filters: &[Filter],
        typesize: usize,
        context: &Context,
        whole: bool,
    ) -> Result<Forward> {
        let mut steps = Vec::new();
        for filter in filters {
            steps.push(match *filter {
                Filter::Shuffle if typesize == 1 => continue,
                Filter::ShuffleBy(1) => continue,
                Filter::Shuffle => Step::Shuffle(typesize),
                Filter::ShuffleBy(0) => {
                    return Err(Error::Range("elements of 0 bytes cannot be shuffled".into()));
                }
                Filter::ShuffleBy(size) => Step::Shuffle(size.into()),
                Filter::BitShuffle => Step::BitShuffle,
                Filter::Delta => Step::Delta(delta::width(typesize)),
                Filter::TruncPrec(bits) => Step::Floats(truncation::of_floats(bits, typesize)?),
                Filter::ByteDelta => Step::ByteDelta,
                Filter::IntTrunc(bits) => Step::Numbers(truncation::of_numbers(bits, typesize)?),
                Filter::NdCell(side) => Step::Cells(ndcell::Cells::new(side, context)?),
                Filter::NdMean(side) => {
                    truncation::has_mean(typesize)?;
                    Step::Means(ndcell::Cells::new(side, context)?)
                }
            });
        }
        Ok(Forward { steps, typesize, whole })
    }

    /// The block with all filters applied. `first` is the first block of the chunk as it was, none
    /// for that itself.
    ///
    /// # Errors
    /// [`Error::Damaged`] for a block of a length that a filter cannot take.
    pub(crate) fn apply<'b>(
        &self,
        src: &'b [u8],
        buffers: &'b mut [Vec<u8>; 2],
        first: Option<&[u8]>,
    ) -> Result<&'b [u8]> {
        if self.steps.is_empty() {
            return Ok(src);
        }
        let path = Path::best();
        let [current, other] = buffers;
        memory::resize(current, src.len())?;
        memory::resize(other, src.len())?;
        let (mut current, mut other) = (&mut current[..], &mut other[..]);
        let mut from_src = true;
        for step in &self.steps {
            if step.is_in_place() {
                if std::mem::take(&mut from_src) {
                    current.copy_from_slice(src);
                }
                self.in_place(step, current, first);
                continue;
            }
            let from: &[u8] = if std::mem::take(&mut from_src) { src } else { current };
            match step {
                Step::Shuffle(size) => kernels::shuffle(path, from, other, *size),
                Step::BitShuffle
                    if self.whole && !(from.len() / self.typesize).is_multiple_of(8) =>
                {
                    other.copy_from_slice(from);
                }
                Step::BitShuffle => kernels::bitshuffle(path, from, other, self.typesize),
                Step::Means(cells) => {
                    cells.apply(from, other)?;
                    cells.average(other)?;
                }
                Step::Cells(cells) => cells.apply(from, other)?,
                _ => {}
            }
            std::mem::swap(&mut current, &mut other);
        }
        Ok(current)
    }

    fn in_place(&self, step: &Step, block: &mut [u8], first: Option<&[u8]>) {
        match step {
            Step::Delta(width) => delta::apply(block, first, *width),
            Step::ByteDelta => bytedelta::apply(block, self.typesize),
            Step::Floats(bits) => truncation::floats(block, self.typesize, *bits),
            Step::Numbers(bits) => truncation::numbers(block, self.typesize, *bits),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Pipeline;
    use super::*;

    const ALL: [Filter; 7] = [
        Filter::Delta,
        Filter::Shuffle,
        Filter::BitShuffle,
        Filter::ByteDelta,
        Filter::ShuffleBy(3),
        Filter::NdCell(3),
        Filter::TruncPrec(10),
    ];

    fn there_and_back(filters: &[Filter], src: &[u8], typesize: usize, version: u8) -> Vec<u8> {
        let context = Context {
            typesize: Some(typesize),
            blockshape: vec![src.len() / typesize],
            limit: None,
        };
        let forward = Forward::new(filters, typesize, &context, version <= 2).expect("it fits");
        let mut buffers = [Vec::new(), Vec::new()];
        let stored = forward.apply(src, &mut buffers, None).expect("it fits");
        let (ids, metas): (Vec<u8>, Vec<u8>) =
            filters.iter().map(|filter| filter.id(typesize)).unzip();
        let back = Pipeline::new(&ids, &metas, typesize, version, &context).expect("known");
        let (mut a, mut b, mut dst) = (stored.to_vec(), vec![0; src.len()], stored.to_vec());
        back.undo([&mut a, &mut b], &mut dst, None, false).expect("undone");
        dst
    }

    #[test]
    fn each_filter_and_each_pair_of_them() {
        let src: Vec<u8> = (0..480_u32).map(|i| (i * i / 7) as u8).collect();
        for typesize in [1, 2, 3, 4, 8, 16, 24] {
            for first in &ALL[..6] {
                for second in &ALL[..6] {
                    for version in [2, 5] {
                        let filters = [*first, *second];
                        let found = there_and_back(&filters, &src, typesize, version);
                        assert_eq!(found, src, "{filters:?} {typesize} {version}");
                    }
                }
            }
        }
        // What is lost was lost before.
        let lost = there_and_back(&[Filter::TruncPrec(10)], &src, 4, 5);
        assert_eq!(there_and_back(&[ALL[6], ALL[1]], &lost, 4, 5), lost);
    }

    #[test]
    fn filters_that_do_not_fit_are_refused() {
        let context = Context::default();
        for filters in [
            &[Filter::TruncPrec(10)][..],
            &[Filter::NdCell(2)],
            &[Filter::NdMean(2)],
            &[Filter::IntTrunc(-64)],
            &[Filter::ShuffleBy(0)],
        ] {
            assert!(Forward::new(filters, 2, &context, false).is_err(), "{filters:?}");
        }
    }

    proptest! {
        #[test]
        fn any_bytes(
            src in prop::collection::vec(any::<u8>(), 1..600),
            typesize in 1_usize..40,
            filters in prop::collection::vec(prop::sample::select(&ALL[1..5]), 0..5),
        ) {
            prop_assume!(src.len() >= typesize);
            prop_assert_eq!(there_and_back(&filters, &src, typesize, 5), src);
        }
    }
}
