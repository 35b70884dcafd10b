//! When two numbers count as equal, and how far apart they are.

use half::f16;
use num_complex::Complex;

use crate::elements::element::Element;
use crate::elements::value::Value;

/// When floats count as equal: if `|a - b| <= atol + rtol * |b|`, as numpy's `isclose` has it, or if
/// at most `ulp` floats of their type lie from one to the other, or if they are the same.
///
/// Infinities are close to nothing but themselves. Of complex numbers `|…|` is the modulus; where a
/// part is not finite, the parts are compared by themselves. Integers, booleans and text must be the
/// same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tolerance {
    /// Part of the second number.
    pub rtol: f64,
    /// In the unit of the numbers.
    pub atol: f64,
    /// Floats from one to the other.
    pub ulp: u64,
    /// Whether a NaN is another value than a NaN.
    pub nan_differs: bool,
}

impl Tolerance {
    /// Floats are equal if they are the same number, or both NaN.
    pub const EXACT: Tolerance = Tolerance { rtol: 0.0, atol: 0.0, ulp: 0, nan_differs: false };

    /// How much two numbers may differ, as the same part of it.
    fn allowed(&self, gap: &Gap) -> f64 {
        let atol = self.atol * gap.part;
        // 0 times an infinity is no number, and infinities are not close anyway.
        if self.rtol == 0.0 { atol } else { atol + self.rtol * gap.b }
    }

    fn same(&self, a: f64, b: f64) -> bool {
        a == b || (!self.nan_differs && a.is_nan() && b.is_nan())
    }

    #[inline]
    fn within(&self, gap: &Gap) -> bool {
        gap.is_finite() && gap.apart <= self.allowed(gap)
    }

    /// Whether two numbers are close whose difference no float holds. Apart, since this is rare and comparing is not.
    #[cold]
    fn is_beyond(&self, a: f64, b: f64) -> bool {
        !(a - b).is_finite() && self.within(&Gap::new(a, b))
    }

    /// What two values are by which the worst is found: the larger, the worse.
    fn excess(&self, gap: &Gap) -> f64 {
        let allowed = self.allowed(gap);
        let excess = if allowed > 0.0 { gap.apart / allowed } else { gap.apart / gap.part };
        if excess.is_nan() { f64::INFINITY } else { excess }
    }
}

/// `|a - b|` and `|b|` of two numbers, or a part of both, where they are beyond what a float holds.
struct Gap {
    apart: f64,
    b: f64,
    /// Which part.
    part: f64,
}

impl Gap {
    /// A part of floats with which no modulus of a difference is too large.
    const PART: f64 = 0.25;

    #[inline]
    fn of(a: f64, b: f64, part: f64) -> Gap {
        Gap { apart: (a - b).abs(), b: b.abs(), part }
    }

    fn new(a: f64, b: f64) -> Gap {
        match Gap::of(a, b, 1.0) {
            gap if gap.is_finite() || !(a.is_finite() && b.is_finite()) => gap,
            _ => Gap::of(a * Gap::PART, b * Gap::PART, Gap::PART),
        }
    }

    fn of_complex(a: Complex<f64>, b: Complex<f64>) -> Gap {
        let of = |a: Complex<f64>, b: Complex<f64>, part| Gap {
            apart: (a - b).norm(),
            b: b.norm(),
            part,
        };
        match of(a, b, 1.0) {
            gap if gap.is_finite() || !(a.is_finite() && b.is_finite()) => gap,
            _ => of(a * Gap::PART, b * Gap::PART, Gap::PART),
        }
    }

    fn is_finite(&self) -> bool {
        self.apart.is_finite() && self.b.is_finite()
    }
}

/// The distance of two values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Apart {
    /// `|a - b|`; `None` if one is NaN, or they are no numbers.
    pub abs: Option<f64>,
    /// `|a - b| / |b|`; none also where b is 0.
    pub rel: Option<f64>,
    /// Floats of their type from one to the other; of complex numbers the most of a part.
    pub ulp: Option<u64>,
}

/// Elements that can be compared.
pub(super) trait Close: Element {
    /// Whether two count as equal.
    fn close(self, other: Self, tolerance: &Tolerance) -> bool;

    /// How bad it is that two do not.
    fn excess(self, other: Self, tolerance: &Tolerance) -> f64;

    /// How far two are apart.
    fn apart(self, other: Self) -> Apart;

    /// As a value.
    fn value(self) -> Value;
}

fn apart_of(Gap { apart, b, part }: Gap, ulp: Option<u64>) -> Apart {
    let known = |number: f64| (!number.is_nan()).then_some(number);
    let rel = if b == 0.0 { None } else { known(apart / b) };
    Apart { abs: known(apart / part), rel, ulp: ulp.filter(|_| !apart.is_nan()) }
}

macro_rules! floats {
    ($($type:ty, $bits:ty, $signed:ty, $wide:expr;)*) => {$(
        impl Close for $type {
            #[inline]
            fn close(self, other: Self, tolerance: &Tolerance) -> bool {
                let (a, b): (f64, f64) = ($wide(self), $wide(other));
                tolerance.same(a, b)
                    || tolerance.within(&Gap::of(a, b, 1.0))
                    || (tolerance.ulp > 0 && ulps(self, other) <= tolerance.ulp)
                    || tolerance.is_beyond(a, b)
            }

            fn excess(self, other: Self, tolerance: &Tolerance) -> f64 {
                let (a, b): (f64, f64) = ($wide(self), $wide(other));
                tolerance.excess(&Gap::new(a, b))
            }

            fn apart(self, other: Self) -> Apart {
                let (a, b): (f64, f64) = ($wide(self), $wide(other));
                let ulp = Some(ulps(self, other)).filter(|_| a.is_finite() && b.is_finite());
                apart_of(Gap::new(a, b), ulp)
            }

            fn value(self) -> Value {
                Value::Float($wide(self))
            }
        }

        impl Ordered for $type {
            fn place(self) -> Option<i64> {
                if !self.is_finite() {
                    return None;
                }
                let bits = self.to_bits() as $signed;
                // Negative floats run the other way.
                Some(i64::from(if bits < 0 { <$signed>::MIN.wrapping_sub(bits) } else { bits }))
            }
        }
    )*};
}

/// Floats in the order of their numbers.
trait Ordered {
    /// How many floats lie from 0 to it; `None` if it is not finite.
    fn place(self) -> Option<i64>;
}

/// How many floats lie from one to the other; as many as can be if one is not finite.
fn ulps<T: Ordered>(a: T, b: T) -> u64 {
    match (a.place(), b.place()) {
        (Some(a), Some(b)) => a.abs_diff(b),
        _ => u64::MAX,
    }
}

floats! {
    f16, u16, i16, f16::to_f64;
    f32, u32, i32, f64::from;
    f64, u64, i64, f64::from;
}

macro_rules! complexes {
    ($($part:ty, $wide:expr;)*) => {$(
        impl Close for Complex<$part> {
            #[inline]
            fn close(self, other: Self, tolerance: &Tolerance) -> bool {
                let (a, b) = (wide(self, $wide), wide(other, $wide));
                let part = |a: f64, b: f64| {
                    tolerance.same(a, b) || tolerance.within(&Gap::new(a, b))
                };
                let gap = Gap::of_complex(a, b);
                tolerance.within(&gap)
                    || (!gap.is_finite() && part(a.re, b.re) && part(a.im, b.im))
                    || (tolerance.ulp > 0 && {
                        let parts = [(self.re, other.re), (self.im, other.im)];
                        parts.into_iter().all(|(a, b)| ulps(a, b) <= tolerance.ulp)
                    })
            }

            fn excess(self, other: Self, tolerance: &Tolerance) -> f64 {
                let (a, b) = (wide(self, $wide), wide(other, $wide));
                tolerance.excess(&Gap::of_complex(a, b))
            }

            fn apart(self, other: Self) -> Apart {
                let (a, b) = (wide(self, $wide), wide(other, $wide));
                let ulp = ulps(self.re, other.re).max(ulps(self.im, other.im));
                apart_of(Gap::of_complex(a, b), Some(ulp).filter(|ulp| *ulp < u64::MAX))
            }

            fn value(self) -> Value {
                let wide = wide(self, $wide);
                Value::Complex(wide.re, wide.im)
            }
        }
    )*};
}

fn wide<T: Copy>(value: Complex<T>, wide: impl Fn(T) -> f64) -> Complex<f64> {
    Complex { re: wide(value.re), im: wide(value.im) }
}

complexes! {
    f16, f16::to_f64;
    f32, f64::from;
    f64, f64::from;
}

macro_rules! integers {
    ($($type:ty)*) => {$(
        impl Close for $type {
            #[inline]
            fn close(self, other: Self, _: &Tolerance) -> bool {
                self == other
            }

            fn excess(self, other: Self, _: &Tolerance) -> f64 {
                self.abs_diff(other) as f64
            }

            fn apart(self, other: Self) -> Apart {
                let (apart, b) = (self.abs_diff(other) as f64, (other as f64).abs());
                apart_of(Gap { apart, b, part: 1.0 }, None)
            }

            fn value(self) -> Value {
                Value::Int(self.into())
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 u8 u16 u32 u64 }

impl Close for bool {
    fn close(self, other: Self, _: &Tolerance) -> bool {
        self == other
    }

    fn excess(self, _: Self, _: &Tolerance) -> f64 {
        1.0
    }

    fn apart(self, _: Self) -> Apart {
        Apart::default()
    }

    fn value(self) -> Value {
        Value::Bool(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closeness_is_that_of_numpy() {
        let (inf, nan) = (f64::INFINITY, f64::NAN);
        let close =
            |a: f64, b: f64, rtol, atol| a.close(b, &Tolerance { rtol, atol, ..Tolerance::EXACT });
        assert!(close(1.0, 1.0, 0.0, 0.0) && close(0.0, -0.0, 0.0, 0.0));
        assert!(close(nan, nan, 0.0, 0.0) && !close(nan, 1.0, 1.0, 1e300));
        assert!(close(inf, inf, 0.0, 0.0) && !close(inf, -inf, 1.0, 1.0));
        assert!(!close(inf, 1.0, 1.0, 1.0) && !close(1.0, inf, 1.0, 1.0));
        // The second number is the one that rtol is part of.
        assert!(close(9.0, 10.0, 0.1, 0.0) && !close(10.0, 9.0, 0.1, 0.0));
        assert!(close(1.5, 1.0, 0.0, 0.5) && !close(1.5, 1.0, 0.0, 0.4));
        let differs = Tolerance { nan_differs: true, ..Tolerance::EXACT };
        assert!(!nan.close(nan, &differs) && 1.0.close(1.0, &differs));
    }

    #[test]
    fn differences_beyond_the_largest_float_are_compared() {
        let (large, rtol) = (1.7e308, |rtol| Tolerance { rtol, ..Tolerance::EXACT });
        assert!(large.close(-large, &rtol(3.0)) && !large.close(-large, &rtol(1.9)));
        let atol = |atol| Tolerance { atol, ..Tolerance::EXACT };
        assert!(!large.close(-large, &atol(1.79e308)));
        assert_eq!(large.apart(-large).rel, Some(2.0));
        assert!(large.excess(-large, &rtol(1.0)) == 2.0);
        let complex = Complex::new(large, large);
        assert!(complex.close(complex, &Tolerance { nan_differs: true, ..Tolerance::EXACT }));
        assert!(complex.close(-complex, &rtol(2.1)) && !complex.close(-complex, &rtol(1.9)));
        // The modulus of the second is beyond all floats, what is allowed is not.
        assert!(!Complex::new(large, 1e308).close(complex, &rtol(1e-9)));
        assert!(!complex.close(Complex::new(f64::INFINITY, large), &rtol(3.0)));
    }

    #[test]
    fn ulps_are_counted_in_the_type() {
        let next = |value: f32| f32::from_bits(value.to_bits() + 1);
        assert_eq!(ulps(1.0_f32, next(next(1.0))), 2);
        assert_eq!(ulps(-f32::from_bits(1), f32::from_bits(1)), 2);
        assert_eq!(ulps(0.0_f64, -0.0), 0);
        assert_eq!(ulps(f16::from_f32(1.0), f16::from_bits(0x3c03)), 3);
        assert_eq!(ulps(f64::MAX, f64::MIN), 2 * f64::MAX.to_bits());
        let two = Tolerance { ulp: 2, ..Tolerance::EXACT };
        assert!(1.0_f32.close(next(next(1.0)), &two));
        assert!(!1.0_f32.close(next(next(next(1.0))), &two));
        assert!(!f32::MAX.close(f32::INFINITY, &two));
        assert!(Complex::new(1.0, next(2.0)).close(Complex::new(next(1.0), 2.0), &two));
        assert_eq!(Complex::new(1.0, f64::NAN).apart(Complex::new(1.0, 1.0)), Apart::default());
    }
}
