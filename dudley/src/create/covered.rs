//! Which elements of an array were written.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::bytes::region::Region;
use crate::error::{Error, Result, to_usize};
use crate::read::slice::{Picked, place};

/// This many ranges are kept at least, before a bit for each element takes less.
const RANGES: u64 = 4096;
/// Elements whose bits take about as much memory as one range.
const ELEMENTS_A_RANGE: u64 = 512;

/// The elements that were written, by their indices in row-major order.
#[derive(Clone, Debug)]
pub(crate) struct Covered {
    shape: Vec<u64>,
    /// From one index of a dimension to the next, in elements.
    strides: Vec<i64>,
    all: u64,
    written: Written,
}

#[derive(Clone, Debug)]
enum Written {
    /// Ranges that are apart from each other: begin and end.
    Ranges(BTreeMap<u64, u64>),
    /// A bit for each element, and how many are 0.
    Bits { bits: Vec<u64>, left: u64 },
}

impl Covered {
    /// Nothing of an array of this many elements in each dimension.
    ///
    /// # Errors
    /// [`Error::TooLarge`] when 63 bits cannot count them.
    pub(crate) fn new(shape: &[u64]) -> Result<Covered> {
        let all = if shape.contains(&0) {
            Some(0)
        } else {
            shape.iter().try_fold(1_u64, |all, dim| all.checked_mul(*dim))
        };
        let all = all.filter(|all| i64::try_from(*all).is_ok());
        let all = all.ok_or_else(|| Error::too_large(u64::MAX))?;
        let strides = crate::read::dtype::strides(shape, 1);
        Ok(Covered {
            shape: shape.to_vec(),
            strides,
            all,
            written: Written::Ranges(BTreeMap::new()),
        })
    }

    /// What a slice picks.
    ///
    /// # Errors
    /// [`Error::TooLarge`] when there is no memory for this many pieces.
    pub(crate) fn add(&mut self, picked: &[Picked]) -> Result<()> {
        let part = place(picked, 0, &self.strides)?;
        let region = Region::new(part.address, &part.shape, &part.strides, 1)?;
        for row in region.rows() {
            for run in 0..row.count {
                let begin = row.address_of(run);
                self.add_range(begin, begin + row.run)?;
            }
        }
        Ok(())
    }

    /// The elements from `begin` to before `end`, in row-major order.
    ///
    /// # Errors
    /// [`Error::TooLarge`] when there is no memory for this many pieces; [`Error::BadSlice`] for elements that there are
    /// not.
    pub(super) fn add_range(&mut self, begin: u64, end: u64) -> Result<()> {
        if begin > end || end > self.all {
            let why = format!("elements {begin} to {end} of {}", self.all).into();
            return Err(Error::BadSlice { item: crate::error::Item::UNKNOWN, why });
        }
        if begin == end {
            return Ok(());
        }
        match &mut self.written {
            Written::Ranges(ranges) => {
                join(ranges, begin, end);
                if ranges.len() as u64 > RANGES.max(self.all / ELEMENTS_A_RANGE) {
                    self.written = bits_of(ranges, self.all)?;
                }
            }
            Written::Bits { bits, left } => set(bits, left, begin, end),
        }
        Ok(())
    }

    /// The elements that were written, in row-major order.
    pub(super) fn ranges(&self) -> Vec<Range<u64>> {
        match &self.written {
            Written::Ranges(ranges) => ranges.iter().map(|(begin, end)| *begin..*end).collect(),
            Written::Bits { bits, .. } => {
                let mut at = 0;
                let mut written = Vec::new();
                for (begin, end) in gaps(bits, self.all).chain([(self.all, self.all)]) {
                    if at < begin {
                        written.push(at..begin);
                    }
                    at = end;
                }
                written
            }
        }
    }

    pub(crate) fn is_complete(&self) -> bool {
        match &self.written {
            _ if self.all == 0 => true,
            Written::Ranges(ranges) => ranges.get(&0).is_some_and(|end| *end >= self.all),
            Written::Bits { left, .. } => *left == 0,
        }
    }

    /// The elements that are missing, as slices of a path: `/rho[3:5], /rho[9, 0:12]`.
    pub(crate) fn missing(&self, path: &str) -> String {
        const SHOWN: usize = 8;
        let gaps: Vec<(u64, u64)> = match &self.written {
            Written::Ranges(ranges) => {
                let begins = ranges.keys().copied().chain([self.all]);
                let gaps = std::iter::once(0).chain(ranges.values().copied()).zip(begins);
                gaps.filter(|(begin, end)| begin < end).take(SHOWN).collect()
            }
            Written::Bits { bits, .. } => gaps(bits, self.all).take(SHOWN).collect(),
        };
        let shown: Vec<String> =
            gaps.iter().map(|(begin, end)| self.named(path, *begin, *end)).collect();
        shown.join(", ")
    }

    /// The elements from `begin` to before `end` as a slice; if they are none, what they are parts of.
    fn named(&self, path: &str, begin: u64, end: u64) -> String {
        let index = |at: u64| -> Vec<u64> {
            let along = self.strides.iter().zip(&self.shape);
            along.map(|(stride, dim)| at / *stride as u64 % dim).collect()
        };
        let (first, last) = (index(begin), index(end - 1));
        let is_whole = |at: &usize| first[*at] == 0 && last[*at] + 1 == self.shape[*at];
        let whole = (0..self.shape.len()).rev().take_while(is_whole).count();
        let ranged = (self.shape.len() - whole).saturating_sub(1);
        let differing = (0..ranged).find(|at| first[*at] != last[*at]);
        let at = differing.unwrap_or(ranged);
        let mut text = if differing.is_some() { "parts of ".to_owned() } else { String::new() };
        text += path;
        text.push('[');
        for index in &first[..at] {
            text += &format!("{index}, ");
        }
        text + &format!("{}:{}]", first[at], last[at] + 1)
    }
}

/// Adds a range to others, joined with those that it touches.
fn join(ranges: &mut BTreeMap<u64, u64>, mut begin: u64, mut end: u64) {
    if let Some((before, its)) = ranges.range(..=begin).next_back()
        && *its >= begin
    {
        (begin, end) = (*before, end.max(*its));
    }
    while let Some((other, its)) = ranges.range(begin..=end).next() {
        end = end.max(*its);
        let other = *other;
        ranges.remove(&other);
    }
    ranges.insert(begin, end);
}

fn bits_of(ranges: &BTreeMap<u64, u64>, all: u64) -> Result<Written> {
    let words = to_usize(all.div_ceil(64))?;
    let mut bits = Vec::new();
    bits.try_reserve_exact(words).map_err(|_| Error::too_large(all.div_ceil(8)))?;
    bits.resize(words, 0);
    let mut left = all;
    for (begin, end) in ranges {
        set(&mut bits, &mut left, *begin, *end);
    }
    Ok(Written::Bits { bits, left })
}

/// Sets the bits from `begin` to before `end`, word by word.
fn set(bits: &mut [u64], left: &mut u64, begin: u64, end: u64) {
    let mut at = begin;
    while at < end {
        let until = end.min((at / 64 + 1) * 64);
        let ones = u64::MAX >> (64 - (until - at)) << (at % 64);
        if let Some(word) = bits.get_mut((at / 64) as usize) {
            *left -= u64::from((ones & !*word).count_ones());
            *word |= ones;
        }
        at = until;
    }
}

/// The ranges of bits that are 0.
fn gaps(bits: &[u64], all: u64) -> impl Iterator<Item = (u64, u64)> {
    // The next bit that is set, or not, from one on.
    let next = move |from: u64, wanted: bool| {
        let mut at = from;
        while at < all {
            let word = bits.get((at / 64) as usize).copied().unwrap_or(0);
            let word = if wanted { word } else { !word } >> (at % 64);
            match word.trailing_zeros() {
                64 => at = (at / 64 + 1) * 64,
                zeros => return all.min(at + u64::from(zeros)),
            }
        }
        all
    };
    let mut at = 0;
    std::iter::from_fn(move || {
        let begin = next(at, false);
        at = next(begin, true);
        (begin < all).then_some((begin, at))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::read::slice::{Index, parse_slice, resolve};
    use proptest::prelude::*;

    fn rows(all: u64, parts: &[(u64, u64)]) -> Covered {
        let mut covered = Covered::new(&[all]).expect("few");
        for (start, count) in parts {
            let picked = Picked { start: *start, count: *count, step: 1, single: false };
            covered.add(&[picked]).expect("memory");
        }
        covered
    }

    #[test]
    fn gaps_are_named() {
        let covered = rows(10, &[(7, 2), (2, 3)]);
        assert_eq!(covered.missing("/x"), "/x[0:2], /x[5:7], /x[9:10]");
        assert!(!covered.is_complete());

        let mut covered = Covered::new(&[4, 3, 5]).expect("few");
        let mut add = |slice: &str| {
            let slice = parse_slice(slice).expect("a slice");
            covered.add(&resolve(&slice, &[4, 3, 5]).expect("fits")).expect("memory");
            covered.missing("/x")
        };
        assert_eq!(add("0"), "/x[1:4]");
        assert_eq!(add("1, 0, :2"), "parts of /x[1:4]");
        assert_eq!(add("2, :, ::-1"), "parts of /x[1, 0:3], /x[3:4]");
        assert_eq!(add("1, 1:"), "/x[1, 0, 2:5], /x[3:4]");
        assert_eq!(add("3, 1"), "/x[1, 0, 2:5], /x[3, 0:1], /x[3, 2:3]");
        assert_eq!(add("::2, ..."), "/x[1, 0, 2:5], /x[3, 0:1], /x[3, 2:3]");
        assert_eq!(add("1::2, ::2"), "");
    }

    #[test]
    fn nothing_of_nothing_is_missing() {
        assert!(rows(0, &[]).is_complete());
        assert!(Covered::new(&[5, 0, 7]).expect("none").is_complete());
        assert!(!Covered::new(&[]).expect("one").is_complete());
        assert!(Covered::new(&[1 << 32, 1 << 32]).is_err());
    }

    #[test]
    fn many_pieces_take_bounded_memory() {
        let every = |start, step, all: u64| {
            let stop = Some(all as i64);
            resolve(&[Index::Range { start: Some(start), stop, step }], &[all]).expect("fits")
        };
        let all = 100_000;
        let mut covered = Covered::new(&[all]).expect("few");
        covered.add(&every(0, 3, all)).expect("memory");
        assert!(matches!(covered.written, Written::Bits { .. }));
        assert!(covered.missing("/x").starts_with("/x[1:3], /x[4:6], "));
        covered.add(&every(1, 3, all)).expect("memory");
        covered.add(&every(2, 6, all)).expect("memory");
        assert!(covered.missing("/x").starts_with("/x[5:6], /x[11:12], "));
        assert!(!covered.is_complete());
        covered.add(&every(5, 6, all)).expect("memory");
        assert!(covered.is_complete());
        assert_eq!(covered.missing("/x"), "");
    }

    proptest! {
        #[test]
        fn ranges_are_a_set(
            parts in prop::collection::vec((0_u64..190, 0_u64..70), 0..12),
            as_bits in any::<bool>(),
        ) {
            let mut covered = Covered::new(&[190]).expect("few");
            if as_bits {
                covered.written = bits_of(&BTreeMap::new(), 190).expect("memory");
            }
            let mut model = [false; 190];
            for (start, count) in parts {
                let count = count.min(190 - start);
                covered.add(&[Picked { start, count, step: 1, single: false }]).expect("memory");
                model[start as usize..(start + count) as usize].fill(true);
            }
            prop_assert_eq!(covered.is_complete(), model.iter().all(|it| *it));
            let told = covered.ranges().into_iter().flatten().collect::<Vec<u64>>();
            let written = (0..190).filter(|at| model[*at as usize]).collect::<Vec<u64>>();
            prop_assert_eq!(told, written);
            prop_assert_eq!(covered.missing("").is_empty(), covered.is_complete());
            let gaps = (0..190).filter(|at| !model[*at] && (*at == 0 || model[at - 1])).count();
            prop_assert_eq!(covered.missing("/x").split(", ").filter(|it| !it.is_empty()).count(), gaps.min(8));
        }
    }
}
