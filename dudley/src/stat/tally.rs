//! Numbers counted, block by block: what is kept of those seen so far.
//!
//! Each block is small enough to stay in the fastest cache, and is visited twice: for its mean, and for the squares
//! of the differences from that. Integers are summed exactly ([`Exact`]). Sums of floats have the digits of two
//! floats, as in Ogita, Rump and Oishi ("Accurate sum and dot product", 2005), where those of one block cancel, and
//! from block to block. Blocks of floats are put together as Chan, Golub and LeVeque do ("Updating formulae and a
//! pairwise algorithm for computing sample variances", 1979). A mean is kept as the sum of two floats, since where it
//! is large and the spread is small, what one float leaves of the difference of two means is mostly rounding.

use dudley_parser::layout::dtype::{Kind, Primitive};
use half::f16;

use super::exact::{BLOCK, Exact, quotient, quotient_pair, two_sum};
use super::{Number, Statistics};
use crate::elements::element::{ByteOrder, Element};
use crate::elements::scalar::NO_TIME;
use crate::error::Result;

/// Sums that are made side by side, so that the processor need not wait for each.
const LANES: usize = 16;
/// Numbers whose squares no float holds are squared as so large a part of themselves: as many as there can
/// be have a sum then.
const PART: f64 = f64::from_bits((1023 - 560) << 52);
/// Numbers whose squares are so small that floats lose their digits are squared as this many times themselves.
const TIMES: f64 = f64::from_bits((1023 + 600) << 52);
/// Sums of squares below this are such.
const SMALL: f64 = f64::from_bits((1023 - 900) << 52);

/// Where the sum of a block is less than this many times its largest number, much of that may be rounding.
const CANCELLED: f64 = 2.0;

/// What is known of the numbers seen so far.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tally {
    count: u64,
    nan: u64,
    inf: u64,
    zeros: u64,
    /// The smallest and largest float that is no NaN.
    floats: Option<(f64, f64)>,
    /// The statistics of integers.
    integers: Option<Exact>,
    /// The sum of the finite floats, as the nearest float and what that is short of it: not finite if no float
    /// holds it, or part of it.
    sum: f64,
    rest: f64,
    /// Mean of the finite floats, as the nearest float and what that is short of it.
    mean: f64,
    short: f64,
    /// The sum of the squares of the differences from it, and those of the squares of `PART` and `TIMES` of
    /// them.
    squares: f64,
    parts: f64,
    times: f64,
}

impl Tally {
    pub(super) const NONE: Tally = Tally {
        count: 0,
        nan: 0,
        inf: 0,
        zeros: 0,
        floats: None,
        integers: None,
        sum: 0.0,
        rest: 0.0,
        mean: 0.0,
        short: 0.0,
        squares: 0.0,
        parts: 0.0,
        times: 0.0,
    };

    /// This many strings.
    pub(super) fn texts(count: u64) -> Tally {
        Tally { count, ..Tally::NONE }
    }

    fn finite(&self) -> u64 {
        self.count - self.nan - self.inf
    }

    /// Adds what is known of more numbers.
    pub(super) fn add(&mut self, more: &Tally) {
        self.add_spread(more);
        self.count += more.count;
        self.nan += more.nan;
        self.inf += more.inf;
        self.zeros += more.zeros;
        self.floats = match (self.floats, more.floats) {
            (Some(a), Some(b)) => Some((a.0.min(b.0), a.1.max(b.1))),
            (one, other) => one.or(other),
        };
        self.integers = match (self.integers, more.integers) {
            (Some(a), Some(b)) => Some(a.with(b)),
            (one, other) => one.or(other),
        };
    }

    /// The tally of the same elements this many times.
    pub(super) fn repeated(self, times: u64) -> Tally {
        let (mut all, mut part, mut left) = (Tally::NONE, self, times);
        while left > 0 {
            if left & 1 == 1 {
                all.add(&part);
            }
            left >>= 1;
            if left > 0 {
                let same = part;
                part.add(&same);
            }
        }
        all
    }

    /// Adds mean and squares of floats.
    fn add_spread(&mut self, more: &Tally) {
        let (here, there) = (self.finite() as f64, more.finite() as f64);
        if there == 0.0 || more.integers.is_some() {
            return;
        }
        let (sum, lost) = two_sum(self.sum, more.sum);
        (self.sum, self.rest) = two_sum(sum, self.rest + more.rest + lost);
        if here == 0.0 {
            (self.mean, self.short) = (more.mean, more.short);
            (self.squares, self.parts, self.times) = (more.squares, more.parts, more.times);
            return;
        }
        let all = here + there;
        let (share, weight) = (there / all, here / all * there);
        let apart = (more.mean - self.mean) + (more.short - self.short);
        let part =
            if apart.is_finite() { apart * PART } else { more.mean * PART - self.mean * PART };
        self.squares += more.squares + apart * apart * weight;
        self.parts += more.parts + part * part * weight;
        self.times += more.times + (apart * TIMES).powi(2) * weight;
        (self.mean, self.short) = if apart.is_finite() {
            two_sum(self.mean, self.short + apart * share)
        } else {
            // No float holds how far they are apart.
            (self.mean * (here / all) + more.mean * share, 0.0)
        };
    }

    /// The spread of this many finite numbers.
    fn std(&self, finite: u64) -> f64 {
        match self.integers {
            Some(integers) => integers.std(finite),
            None if self.squares < SMALL => (self.times / finite as f64).sqrt() / TIMES,
            None if self.squares.is_finite() => (self.squares / finite as f64).sqrt(),
            None => (self.parts / finite as f64).sqrt() / PART,
        }
    }

    /// What there is to say of text: how many strings.
    pub(super) fn texts_only(&self) -> Statistics {
        Statistics {
            count: self.count,
            nan: 0,
            inf: 0,
            zeros: 0,
            min: None,
            max: None,
            mean: None,
            std: None,
        }
    }

    /// What there is to say of the numbers.
    pub(super) fn statistics(&self, boolean: bool) -> Statistics {
        let finite = self.finite();
        let number = |value| if boolean { Number::Bool(value != 0) } else { Number::Int(value) };
        let of = |first: fn(Exact) -> i128, second: fn((f64, f64)) -> f64| {
            let float = || self.floats.map(|floats| Number::Float(second(floats)));
            self.integers.map(|integers| number(first(integers))).or_else(float)
        };
        let mean = match self.integers {
            Some(integers) => integers.mean(finite),
            None if self.sum.is_finite() && self.rest.is_finite() => {
                quotient((self.sum, self.rest), finite)
            }
            None => self.mean,
        };
        Statistics {
            count: self.count,
            nan: self.nan,
            inf: self.inf,
            zeros: self.zeros,
            min: of(|integers| integers.low, |both| both.0),
            max: of(|integers| integers.high, |both| both.1),
            mean: (finite > 0).then_some(mean),
            std: (finite > 0).then(|| self.std(finite)),
        }
    }
}

/// Whether numbers have a real and an imaginary part.
pub(super) fn is_complex(primitive: Primitive) -> bool {
    primitive.kind() == Kind::Complex
}

/// Elements that can be counted.
pub(super) trait Counted: Element {
    /// The statistics of one block.
    fn count(block: &[Self]) -> Tally;
}

/// Counts all elements of a run of bytes.
///
/// # Errors
/// If the bytes are no whole elements.
pub(super) fn count<T: Counted>(bytes: &[u8], order: ByteOrder, tally: &mut Tally) -> Result<()> {
    if let Some(elements) = T::view(bytes, order) {
        elements.chunks(BLOCK).for_each(|block| tally.add(&T::count(block)));
        return Ok(());
    }
    let mut room = [T::default(); BLOCK];
    for bytes in bytes.chunks(BLOCK * T::SIZE) {
        let block = &mut room[..bytes.len() / T::SIZE];
        T::decode_slice(bytes, order, block)?;
        tally.add(&T::count(block));
    }
    Ok(())
}

/// Counts times: numbers of 8 bytes, except for those that are no time.
///
/// # Errors
/// If the bytes are no whole elements.
pub(super) fn count_times(bytes: &[u8], order: ByteOrder, tally: &mut Tally) -> Result<()> {
    let mut room = [0_i64; BLOCK];
    for bytes in bytes.chunks(BLOCK * 8) {
        let block = &mut room[..bytes.len() / 8];
        i64::decode_slice(bytes, order, block)?;
        let mut count = 0;
        for at in 0..block.len() {
            block[count] = block[at];
            count += usize::from(block[at] != NO_TIME);
        }
        if count > 0 {
            tally.add(&i64::count(&block[..count]));
        }
    }
    Ok(())
}

/// Counts the real and the imaginary parts of complex numbers whose parts are of type `T`.
///
/// # Errors
/// If the bytes are no whole parts.
pub(super) fn count_parts<T: Counted>(
    bytes: &[u8],
    order: ByteOrder,
    real: &mut Tally,
    imaginary: &mut Tally,
) -> Result<()> {
    let mut both = [T::default(); BLOCK];
    let (mut a, mut b) = ([T::default(); BLOCK / 2], [T::default(); BLOCK / 2]);
    for bytes in bytes.chunks(BLOCK * T::SIZE) {
        let both = &mut both[..bytes.len() / T::SIZE];
        T::decode_slice(bytes, order, both)?;
        for ((pair, a), b) in both.as_chunks::<2>().0.iter().zip(&mut a).zip(&mut b) {
            (*a, *b) = (pair[0], pair[1]);
        }
        real.add(&T::count(&a[..both.len() / 2]));
        imaginary.add(&T::count(&b[..both.len() / 2]));
    }
    Ok(())
}

impl Counted for f64 {
    fn count(block: &[f64]) -> Tally {
        let tally = finite(block);
        // A NaN or an infinity among them makes the sums one; so may sums of large numbers.
        if tally.mean.is_finite() && tally.short.is_finite() { tally } else { with_special(block) }
    }
}

/// As floats of 8 bytes, which hold all of their values.
macro_rules! as_f64 {
    ($($type:ty: $wide:expr;)*) => {$(
        impl Counted for $type {
            fn count(block: &[$type]) -> Tally {
                let mut room = [0.0; BLOCK];
                let wide = &mut room[..block.len()];
                for (to, from) in wide.iter_mut().zip(block) {
                    *to = $wide(*from);
                }
                f64::count(wide)
            }
        }
    )*};
}

as_f64! {
    f32: f64::from;
    f16: f16::to_f64;
}

/// The statistics of finite numbers. If one number is not finite, neither is the mean.
#[inline]
fn finite(block: &[f64]) -> Tally {
    let Some(first) = block.first() else { return Tally::NONE };
    let (mut sums, mut zeros) = ([0.0; LANES], [0_u64; LANES]);
    let (mut low, mut high) = ([*first; LANES], [*first; LANES]);
    let (rows, rest) = block.as_chunks::<LANES>();
    let mut one = |at: usize, value: f64| {
        // Of what is close together the differences are exact, and so nearly is their sum.
        sums[at] += value - first;
        low[at] = if value < low[at] { value } else { low[at] };
        high[at] = if value > high[at] { value } else { high[at] };
        zeros[at] += u64::from(value == 0.0);
    };
    for row in rows {
        for (at, value) in row.iter().enumerate() {
            one(at, *value);
        }
    }
    rest.iter().for_each(|value| one(0, *value));
    let low = low.iter().copied().fold(*first, f64::min);
    let high = high.iter().copied().fold(*first, f64::max);
    let apart: f64 = sums.iter().sum();
    let count = block.len() as f64;
    let (near, short) = product(*first, count);
    let sum = two_sum(near, apart + short);
    let (sum, mean) = if sum.0.abs() < CANCELLED * low.abs().max(high.abs()) {
        let sum = paired(block);
        (sum, quotient_pair(sum, block.len() as u64))
    } else {
        (sum, two_sum(*first, apart / count))
    };
    Tally {
        count: block.len() as u64,
        zeros: zeros.iter().sum(),
        floats: Some((low, high)),
        sum: sum.0,
        rest: sum.1,
        ..spread(block, mean, low < high)
    }
}

/// A number this many times, at most 2^26, as the nearest float and what that is short of it.
fn product(number: f64, count: f64) -> (f64, f64) {
    let front = f64::from_bits(number.to_bits() >> 27 << 27);
    two_sum(front * count, (number - front) * count)
}

/// The sum of numbers that cancel, with the digits of two floats.
#[inline(never)]
fn paired(block: &[f64]) -> (f64, f64) {
    let (mut sums, mut lost) = ([0.0; LANES], [0.0; LANES]);
    for row in block.chunks(LANES) {
        for ((value, sum), lost) in row.iter().zip(&mut sums).zip(&mut lost) {
            let less;
            (*sum, less) = two_sum(*sum, *value);
            *lost += less;
        }
    }
    let (sum, rest) = sums.iter().zip(&lost).fold((0.0, 0.0), |(sum, rest), (more, lost)| {
        let (sum, less) = two_sum(sum, *more);
        (sum, rest + less + lost)
    });
    two_sum(sum, rest)
}

/// The squares of the differences of numbers from their mean, which is the nearest float and what that is
/// short of it.
#[inline]
fn spread(block: &[f64], (mean, short): (f64, f64), differ: bool) -> Tally {
    let mut squares = [0.0; LANES];
    let (rows, rest) = block.as_chunks::<LANES>();
    for row in rows {
        for at in 0..LANES {
            let apart = row[at] - mean;
            squares[at] += apart * apart;
        }
    }
    let rest: f64 = rest.iter().map(|value| (*value - mean).powi(2)).sum();
    // Squares of differences from the nearest float are too large by that.
    let exactly = |sum: f64, short: f64| (sum - block.len() as f64 * short * short).max(0.0);
    let squares = match squares.iter().sum::<f64>() + rest {
        sum if sum.is_finite() => exactly(sum, short),
        _ => f64::INFINITY,
    };
    // No difference of these is too large for a float.
    let scaled = |by: f64| {
        let squares = block.iter().map(|value| (value * by - mean * by).powi(2));
        exactly(squares.sum(), short * by)
    };
    let parts = if squares.is_finite() { squares * PART * PART } else { scaled(PART) };
    let times = if squares < SMALL && differ { scaled(TIMES) } else { squares * TIMES * TIMES };
    Tally { mean, short, squares, parts, times, ..Tally::NONE }
}

/// The statistics of any numbers.
#[cold]
fn with_special(block: &[f64]) -> Tally {
    let mut tally = Tally::NONE;
    for value in block {
        if value.is_nan() {
            tally.add(&Tally { count: 1, nan: 1, ..Tally::NONE });
            continue;
        }
        let one = Tally { count: 1, floats: Some((*value, *value)), ..Tally::NONE };
        tally.add(&if value.is_finite() {
            let zeros = u64::from(*value == 0.0);
            Tally { zeros, sum: *value, mean: *value, ..one }
        } else {
            Tally { inf: 1, ..one }
        });
    }
    tally
}

/// Integers; as the unsigned type of their size, how far they are apart.
macro_rules! integers {
    ($($type:ty, $apart:ty;)*) => {$(
        impl Counted for $type {
            fn count(block: &[$type]) -> Tally {
                let Some(first) = block.first() else { return Tally::NONE };
                let (mut low, mut high, mut zeros) = (*first, *first, 0_u32);
                for value in block {
                    low = low.min(*value);
                    high = high.max(*value);
                    zeros += u32::from(*value == 0);
                }
                let apart = |value: $type| u64::from(value.wrapping_sub(low) as $apart);
                let integers = Exact::block(block, (low.into(), high.into()), apart);
                Tally {
                    count: block.len() as u64,
                    zeros: zeros.into(),
                    integers: Some(integers),
                    ..Tally::NONE
                }
            }
        }
    )*};
}

integers! {
    i8, u8;
    i16, u16;
    i32, u32;
    i64, u64;
    u8, u8;
    u16, u16;
    u32, u32;
    u64, u64;
}

impl Counted for bool {
    fn count(block: &[bool]) -> Tally {
        let count = block.len() as u64;
        let set = block.iter().map(|value| u64::from(*value)).sum();
        let integers = (count > 0).then(|| Exact::flags(count, set));
        Tally { count, zeros: count - set, integers, ..Tally::NONE }
    }
}

/// Counts values that come one by one.
#[derive(Default)]
pub(super) struct Single {
    floats: Vec<f64>,
}

impl Single {
    pub(super) fn float(&mut self, value: f64, tally: &mut Tally) {
        self.floats.push(value);
        if self.floats.len() == BLOCK {
            self.finish(tally);
        }
    }

    pub(super) fn integer(&mut self, value: i128, tally: &mut Tally) {
        let zeros = u64::from(value == 0);
        tally.add(&Tally { count: 1, zeros, integers: Some(Exact::one(value)), ..Tally::NONE });
    }

    /// Adds those that are still waiting.
    pub(super) fn finish(&mut self, tally: &mut Tally) {
        tally.add(&f64::count(&self.floats));
        self.floats.clear();
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn of<T: Counted>(values: &[T], order: ByteOrder) -> Statistics {
        let mut bytes = vec![0; values.len() * T::SIZE];
        T::encode_slice(values, order, &mut bytes).expect("as many");
        let mut tally = Tally::NONE;
        count::<T>(&bytes, order, &mut tally).expect("whole elements");
        tally.statistics(false)
    }

    #[test]
    fn a_large_mean_hides_no_spread() {
        let values: Vec<f64> = (0..100_000).map(|at| 1e9 + f64::from(at % 2)).collect();
        let found = of(&values, ByteOrder::Little);
        assert_eq!((found.mean, found.std), (Some(1e9 + 0.5), Some(0.5)));
    }

    #[test]
    fn what_is_not_finite_is_counted_apart() {
        let inf = f64::INFINITY;
        let found = of(&[1.0, f64::NAN, -inf, 3.0, 0.0, -0.0], ByteOrder::Big);
        assert_eq!((found.count, found.nan, found.inf, found.zeros), (6, 1, 1, 2));
        assert_eq!((found.min, found.max), (Some(Number::Float(-inf)), Some(Number::Float(3.0))));
        assert_eq!(found.mean, Some(1.0));
        let found = of(&[f64::NAN; 3], ByteOrder::Little);
        assert_eq!((found.min, found.mean, found.std), (None, None, None));
        // Sums of these, or differences or squares, are infinite, the numbers are not.
        let found = of(&[1e308, 1e308, 1e308, 1e308], ByteOrder::Little);
        assert_eq!((found.mean, found.std, found.inf), (Some(1e308), Some(0.0), 0));
        let close = |found: Option<f64>, to: f64| (found.expect("some") / to - 1.0).abs() < 1e-15;
        let found = of(&[1e308, 1e308, -1e308, 1.7e308], ByteOrder::Little);
        assert!(
            close(found.mean, 6.75e307) && close(found.std, 1.0084022015049352e308),
            "{found:?}"
        );
        let found = of(&[f64::MAX, f64::MIN, f64::MAX, f64::MIN], ByteOrder::Little);
        assert!(found.mean.expect("some").abs() < 1e293, "{found:?}");
        assert!(close(found.std, f64::MAX), "{found:?}");
        let found = of(&[1e200; 3000].map(|value| -value), ByteOrder::Little);
        assert_eq!((found.mean, found.std), (Some(-1e200), Some(0.0)));
        let far: Vec<f64> = (0..5000).map(|at| if at % 2 == 0 { 1e200 } else { 3e200 }).collect();
        let found = of(&far, ByteOrder::Little);
        assert!(close(found.mean, 2e200), "{found:?}");
        assert!((found.std.expect("some") / 1e200 - 1.0).abs() < 1e-12, "{found:?}");
    }

    /// By `statistics.pstdev` of Python, which takes fractions.
    #[test]
    fn numbers_whose_squares_are_no_floats_have_a_spread() {
        let close = |found: Statistics, to: f64| {
            let std = found.std.expect("some");
            assert!((std / to - 1.0).abs() < 1e-14, "{std} and {to}");
        };
        close(of(&[1e-200, 2e-200, 4e-200], ByteOrder::Little), 1.2472191289246471e-200);
        close(of(&[1e-310, 3e-310], ByteOrder::Little), 1e-310);
        let blocks = |even: f64, other: f64| -> Vec<f64> {
            (0..5000).map(|at| if at % 2 == 0 { even } else { other }).collect()
        };
        close(of(&blocks(1e-170, 3e-170), ByteOrder::Big), 1e-170);
        close(of(&blocks(-1e300, -1e300 + 1e290), ByteOrder::Big), 4.9999976986574945e289);
        close(of(&blocks(1e-180, 1.0), ByteOrder::Big), 0.5);
        assert_eq!(of(&[1e-300; 5000], ByteOrder::Big).std, Some(0.0));
        assert_eq!(of(&[0.0; 5000], ByteOrder::Big).std, Some(0.0));
    }

    #[test]
    fn a_small_spread_about_a_large_mean_keeps_its_digits() {
        // Multiples of 2^-23, so that the offset loses none of them.
        let mut state = 1_u64;
        let small: Vec<f64> = std::iter::repeat_with(|| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 40) as f64 - f64::from(1 << 23)) / f64::from(1 << 23) / 1024.0
        })
        .map(|value: f64| (value * f64::from(1 << 23)).round() / f64::from(1 << 23))
        .take(100_000)
        .collect();
        let large: Vec<f64> = small.iter().map(|value| 1e9 + value).collect();
        let (expected, found) = (of(&small, ByteOrder::Big), of(&large, ByteOrder::Little));
        let (expected, found) = (expected.std.expect("some"), found.std.expect("some"));
        assert!((found / expected - 1.0).abs() < 1e-13, "{found} and {expected}");
        let large: Vec<i64> = small.iter().map(|value| (value * 8388608.0) as i64).collect();
        let far: Vec<i64> = large.iter().map(|value| value + (1 << 52)).collect();
        let (expected, found) = (of(&large, ByteOrder::Big), of(&far, ByteOrder::Little));
        let (expected, found) = (expected.std.expect("some"), found.std.expect("some"));
        assert!((found / expected - 1.0).abs() < 1e-13, "{found} and {expected}");
    }

    /// By `math.fsum` of Python over the count, and by fractions.
    #[test]
    fn what_cancels_leaves_the_mean_of_the_rest() {
        let spread = |found: Option<f64>, to: f64| (found.expect("some") / to - 1.0).abs() < 1e-15;
        for order in [ByteOrder::Little, ByteOrder::Big] {
            let found = of(&[1e16, 1.0, -1e16], order);
            assert_eq!(found.mean, Some(0.3333333333333333));
            assert!(spread(found.std, 8164965809277260.0), "{found:?}");
        }
        // In many blocks, which do not cancel alone.
        let mut values = [1e16, 3.5, -1e16].repeat(2000);
        values.push(0.25);
        let found = of(&values, ByteOrder::Little);
        assert_eq!(found.mean, Some(1.1665139143476086));
        assert!(spread(found.std, 8164285480499737.0), "{found:?}");
        assert_eq!(of(&[1e300, 1.0, -1e300, 2.0], ByteOrder::Little).mean, Some(0.75));
        assert_eq!(of(&[1e300, f64::NAN, 1.0, -1e300], ByteOrder::Big).mean, Some(1.0 / 3.0));
        let mut single = Single::default();
        let mut tally = Tally::NONE;
        [1e16, 1.0, -1e16].into_iter().for_each(|value| single.float(value, &mut tally));
        single.finish(&mut tally);
        assert_eq!(tally.statistics(false).mean, Some(0.3333333333333333));
    }

    #[test]
    fn integers_are_exact() {
        let found = of(&[i64::MAX, i64::MAX, i64::MIN, 0, 3], ByteOrder::Big);
        let (low, high) = (i128::from(i64::MIN), i128::from(i64::MAX));
        assert_eq!((found.min, found.max), (Some(Number::Int(low)), Some(Number::Int(high))));
        let sum = 2 * high + low + 3;
        assert_eq!(found.mean, Some(sum as f64 / 5.0));
        let found = of(&[u64::MAX; 3000], ByteOrder::Little);
        assert_eq!((found.mean, found.std), (Some(u64::MAX as f64), Some(0.0)));
    }

    /// By `statistics.fmean` and `statistics.pstdev` of Python, except for the last, by `fractions`.
    #[test]
    fn integers_keep_their_spread_however_large_they_are() {
        let second = 1_600_000_000_000_000_000_i64;
        let found = of(&[0, 1, 2, 3, 4].map(|at| second + 100 * at), ByteOrder::Big);
        assert_eq!((found.mean, found.std), (Some(1.6e18 + 200.0), Some(141.4213562373095)));
        let found = of(&[i64::MAX, i64::MAX, i64::MAX - 2], ByteOrder::Little);
        assert_eq!(found.std, Some(0.9428090415820634));
        let found = of(&[1_u64 << 63, (1 << 63) + 2], ByteOrder::Little);
        assert_eq!(found.std, Some(1.0));
        let found = of(&[(1_i64 << 53) + 1, (1 << 53) + 3], ByteOrder::Little);
        assert_eq!((found.mean, found.std), (Some(9007199254740994.0), Some(1.0)));
        let found = of(&[u64::MAX, u64::MAX - 1], ByteOrder::Big);
        assert_eq!(found.std, Some(0.5));
        let found = of(&[i64::MIN, i64::MAX], ByteOrder::Big);
        assert_eq!((found.mean, found.std), (Some(-0.5), Some(9.223372036854776e18)));
        assert_eq!(of(&[-128_i8, 127, 127], ByteOrder::Big).std, Some(120.20815280171308));
        assert_eq!(of(&[true, true, false], ByteOrder::Big).std, Some(0.4714045207910317));
    }

    proptest! {
        /// The blocks of one size and parts of another, and single numbers, come to the same.
        #[test]
        fn parts_of_integers_add_up(
            values in prop::collection::vec(any::<i64>(), 1..5000),
            cut in any::<prop::sample::Index>(),
            shift in 0..64_u32,
        ) {
            let values: Vec<i64> = values.iter().map(|value| value >> shift).collect();
            let (one, other) = values.split_at(cut.index(values.len()));
            let whole = of(&values, ByteOrder::Big);
            let (mut parts, mut single) = (Tally::NONE, Tally::NONE);
            for part in [other, one] {
                part.chunks(BLOCK).for_each(|block| parts.add(&i64::count(block)));
            }
            values.iter().for_each(|value| Single::default().integer((*value).into(), &mut single));
            prop_assert_eq!(parts.statistics(false), whole);
            prop_assert_eq!(single.statistics(false), whole);
        }

        #[test]
        fn numbers_are_those_of_the_definition(
            values in prop::collection::vec(-1e3_f32..1e3, 1..6000),
            big in any::<bool>(),
        ) {
            let found = of(&values, if big { ByteOrder::Big } else { ByteOrder::Little });
            let wide: Vec<f64> = values.iter().map(|value| f64::from(*value)).collect();
            let mean = wide.iter().sum::<f64>() / wide.len() as f64;
            let squares = wide.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
            let std = (squares / wide.len() as f64).sqrt();
            prop_assert!((found.mean.expect("some") - mean).abs() < 1e-9);
            prop_assert!((found.std.expect("some") - std).abs() < 1e-9);
            let low = wide.iter().copied().fold(f64::INFINITY, f64::min);
            prop_assert_eq!(found.min, Some(Number::Float(low)));
        }
    }
}
