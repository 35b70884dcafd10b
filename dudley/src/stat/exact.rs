//! How integers are summed exactly, and their squares: what mean and spread come of.
//!
//! Integers of 64 bits that are close together and far from 0, such as nanoseconds since 1970, lose all of
//! their spread where they become floats. So the sums are integers, of 256 bits where squares need them, and
//! are rounded once, at the end. Sums of parts add up to the sums of all, in any order.

/// Elements of a block: of this many the squares of differences below `NARROW` fit into 64 bits.
pub(super) const BLOCK: usize = 2048;
const NARROW: u64 = 1 << 26;
/// The squares of differences below this one fit into 64 bits, their sum does not.
const MIDDLE: u64 = 1 << 32;

/// What is known of the integers seen so far.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Exact {
    pub(super) low: i128,
    pub(super) high: i128,
    sum: i128,
    squares: Wide,
}

impl Exact {
    /// A single integer.
    pub(super) fn one(value: i128) -> Exact {
        let size = value.unsigned_abs();
        Exact { low: value, high: value, sum: value, squares: Wide::product(size, size) }
    }

    /// This many flags, of which `set` are true.
    pub(super) fn flags(count: u64, set: u64) -> Exact {
        Exact {
            low: (set == count).into(),
            high: (set > 0).into(),
            sum: set.into(),
            squares: Wide::product(set.into(), 1),
        }
    }

    /// The integers of a block, which has at most [`BLOCK`] of them, from the least, the greatest, and how far
    /// each is from the least.
    #[inline]
    pub(super) fn block<T: Copy>(
        block: &[T],
        (low, high): (i128, i128),
        apart: impl Fn(T) -> u64,
    ) -> Exact {
        let (sum, squares) = match (high - low) as u64 {
            0..NARROW => {
                let (mut sum, mut squares) = (0_u64, 0_u64);
                for value in block {
                    // Of 32 bits as it is: vectors multiply these.
                    let apart = u64::from(apart(*value) as u32);
                    sum += apart;
                    squares += apart * apart;
                }
                (sum.into(), Wide { high: 0, low: squares.into() })
            }
            NARROW..MIDDLE => {
                let (mut sum, mut squares) = (0_u64, 0_u128);
                for value in block {
                    let apart = u64::from(apart(*value) as u32);
                    sum += apart;
                    squares += u128::from(apart * apart);
                }
                (sum.into(), Wide { high: 0, low: squares })
            }
            MIDDLE.. => {
                let (mut sum, mut squares, mut carried) = (0_u128, 0_u128, 0_u64);
                for value in block {
                    let apart = u128::from(apart(*value));
                    sum += apart;
                    let (more, over) = squares.overflowing_add(apart * apart);
                    squares = more;
                    carried += u64::from(over);
                }
                (sum, Wide { high: carried.into(), low: squares })
            }
        };
        // The sum of (low + apart)^2 over all.
        let (count, size) = (block.len() as u128, low.unsigned_abs());
        let both = Wide::product(2 * size, sum);
        let own = Wide::product(size, size).times(count as u64);
        let squares =
            if low < 0 { squares.plus(own).minus(both) } else { squares.plus(own).plus(both) };
        Exact { low, high, sum: low * count as i128 + sum as i128, squares }
    }

    /// All of both.
    pub(super) fn with(self, more: Exact) -> Exact {
        Exact {
            low: self.low.min(more.low),
            high: self.high.max(more.high),
            sum: self.sum + more.sum,
            squares: self.squares.plus(more.squares),
        }
    }

    /// The mean of this many, rounded once.
    pub(super) fn mean(&self, count: u64) -> f64 {
        let sum = quotient(pair(self.sum.unsigned_abs()), count);
        if self.sum < 0 { -sum } else { sum }
    }

    /// The standard deviation of this many, rounded once: the root of `count * squares - sum * sum`, over the
    /// count.
    pub(super) fn std(&self, count: u64) -> f64 {
        let size = self.sum.unsigned_abs();
        let (near, short) = self.squares.times(count).minus(Wide::product(size, size)).pair();
        if near == 0.0 {
            return 0.0;
        }
        let root = near.sqrt();
        let behind = ((-root).mul_add(root, near) + short) / (2.0 * root);
        quotient((root, behind), count)
    }
}

/// An integer of 256 bits without sign. The sums of the squares of all numbers that a stream can hold fit into
/// it, and so does their number times that.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Wide {
    high: u128,
    low: u128,
}

impl Wide {
    fn product(a: u128, b: u128) -> Wide {
        let halves = |value: u128| (value >> 64, u128::from(value as u64));
        let ((a_high, a_low), (b_high, b_low)) = (halves(a), halves(b));
        let (carried, last) = halves(a_low * b_low);
        let (over, middle) = halves(a_high * b_low + carried);
        let (more, middle) = halves(a_low * b_high + middle);
        Wide { high: a_high * b_high + over + more, low: middle << 64 | last }
    }

    fn times(self, factor: u64) -> Wide {
        let low = Wide::product(self.low, factor.into());
        Wide { high: low.high.wrapping_add(self.high.wrapping_mul(factor.into())), ..low }
    }

    fn plus(self, more: Wide) -> Wide {
        let (low, over) = self.low.overflowing_add(more.low);
        Wide { high: self.high.wrapping_add(more.high).wrapping_add(over.into()), low }
    }

    fn minus(self, less: Wide) -> Wide {
        let (low, under) = self.low.overflowing_sub(less.low);
        Wide { high: self.high.wrapping_sub(less.high).wrapping_sub(under.into()), low }
    }

    /// As the nearest float, and what that is short of it.
    fn pair(self) -> (f64, f64) {
        let unit = 2.0_f64.powi(128);
        let ((high, high_short), (low, low_short)) = (pair(self.high), pair(self.low));
        let (near, short) = two_sum(high * unit, low);
        two_sum(near, short + (high_short * unit + low_short))
    }
}

/// An integer as the nearest float, and what that is short of it.
fn pair(value: u128) -> (f64, f64) {
    // What is cut off of large ones is far behind the digits of both floats.
    let (value, unit) = if value >> 127 == 0 { (value, 1.0) } else { (value >> 1, 2.0) };
    let near = value as f64;
    (near * unit, (value as i128).wrapping_sub(near as i128) as f64 * unit)
}

/// The nearest float of a number, which is the sum of two, over an integer.
pub(super) fn quotient(number: (f64, f64), by: u64) -> f64 {
    quotient_pair(number, by).0
}

/// The same with what the nearest float is short of it.
pub(super) fn quotient_pair((near, short): (f64, f64), by: u64) -> (f64, f64) {
    let (divisor, divisor_short) = pair(by.into());
    let quotient = near / divisor;
    let left = (-quotient).mul_add(divisor, near) + (short - quotient * divisor_short);
    two_sum(quotient, left / divisor)
}

/// A sum as the nearest float, and what that is short of it.
pub(super) fn two_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let of_b = sum - a;
    (sum, (a - (sum - of_b)) + (b - of_b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_have_all_their_bits() {
        let max = Wide::product(u128::MAX, u128::MAX);
        assert_eq!(max, Wide { high: u128::MAX - 1, low: 1 });
        // By Python: divmod(a * b, 2**128).
        let (a, b) =
            (0x1234_5678_9abc_def0_0fed_cba9_8765_4321, 0xfedc_ba98_7654_3210_0123_4567_89ab_cdef);
        let high = 0x121f_a00a_d77d_7422_335d_eb75_95e5_ff7a;
        let low = 0x985f_06f6_9446_7394_2223_6d88_fe56_18cf;
        assert_eq!(Wide::product(a, b), Wide { high, low });
        assert_eq!(max.minus(max).pair(), (0.0, 0.0));
        assert_eq!(Wide { high: 1, low: 0 }.minus(Wide { high: 0, low: 1 }).low, u128::MAX);
        let three = Wide { high: 0, low: u128::MAX }.times(3);
        assert_eq!(three, Wide { high: 2, low: u128::MAX - 2 });
    }
}
