//! Conversions between number types while reading: `f4` in the stream, `f64` in the program.
//!
//! A conversion is lossless when every value of the primitive is a value of the type. Text and
//! addresses are not numbers: they convert to nothing but their own types.

mod loops;

use dudley_parser::layout::dtype::{ByteOrder, Kind, Primitive};
use half::f16;
use num_complex::Complex;

use crate::elements::element::Element;
use crate::error::{Error, Item, Result};

/// The conversions that a reader allows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Conversion {
    /// The conversions that keep every value.
    #[default]
    Lossless,
    /// All between numbers and booleans, with the meaning of Rust's `as`: integers are cut to
    /// their low bits, floats are rounded to the nearest, and cut to the range of an integer.
    /// The imaginary part is dropped where there is no place for it; what is not 0 is true.
    Lossy,
}

/// A type that numbers of a stream can be converted to.
pub trait Convert: Element + Cast<i64> + Cast<u64> + Cast<f64> + Cast<Complex<f64>> {}

impl<T: Element + Cast<i64> + Cast<u64> + Cast<f64> + Cast<Complex<f64>>> Convert for T {}

/// Whether every value of `primitive` is a value of `T`.
///
/// ```
/// use dudley::elements::lossless;
/// use dudley::elements::Primitive;
///
/// assert!(lossless::<f64>(Primitive::F4) && lossless::<f64>(Primitive::I4));
/// assert!(!lossless::<f64>(Primitive::I8) && !lossless::<f32>(Primitive::F8));
/// ```
pub fn lossless<T: Element>(primitive: Primitive) -> bool {
    T::is(primitive) || (is_number(primitive) && widens(primitive, T::PRIMITIVE))
}

/// Decodes and converts all of `src` to all of `dst`.
///
/// # Errors
/// [`Error::LossyConversion`] when `rule` forbids the conversion, [`Error::WrongType`] when
/// `primitive` is text or an address and `T` is not its type, [`Error::WrongLength`] when `src`
/// is not `dst.len()` elements long.
///
/// ```
/// use dudley::elements::{Conversion, convert_slice};
/// use dudley::elements::{ByteOrder, Primitive};
///
/// let mut wide = [0_i64; 2];
/// let src = [0xff, 0xfe, 0, 3];
/// convert_slice(Primitive::I2, ByteOrder::Big, &src, &mut wide, Conversion::Lossless)?;
/// assert_eq!(wide, [-2, 3]);
/// # Ok::<(), dudley::error::Error>(())
/// ```
pub fn convert_slice<T: Convert>(
    primitive: Primitive,
    order: ByteOrder,
    src: &[u8],
    dst: &mut [T],
    rule: Conversion,
) -> Result<()> {
    check::<T>(primitive, rule)?;
    if T::is(primitive) {
        return T::decode_slice(src, order, dst);
    }
    loops::fill(primitive, order, src, dst)
}

/// [`convert_slice`] to the end of a vector.
///
/// # Errors
/// As those of [`convert_slice`]; `src` must be whole elements.
pub(crate) fn convert_extend<T: Convert>(
    primitive: Primitive,
    order: ByteOrder,
    src: &[u8],
    dst: &mut Vec<T>,
    rule: Conversion,
) -> Result<()> {
    check::<T>(primitive, rule)?;
    if T::is(primitive) {
        return crate::elements::element::extend(dst, src, order);
    }
    loops::append(primitive, order, src, dst)
}

/// Whether elements of `primitive` may be read as `T`.
///
/// # Errors
/// [`Error::LossyConversion`] when `rule` forbids it, [`Error::WrongType`] when `primitive` is
/// text or an address and `T` is not its type.
pub(crate) fn check<T: Element>(primitive: Primitive, rule: Conversion) -> Result<()> {
    if lossless::<T>(primitive) {
        return Ok(());
    }
    match rule {
        _ if !is_number(primitive) => T::check(primitive),
        Conversion::Lossy => Ok(()),
        Conversion::Lossless => {
            Err(Error::LossyConversion { item: Item::UNKNOWN, from: primitive, into: T::NAME })
        }
    }
}

fn is_number(primitive: Primitive) -> bool {
    !matches!(primitive.kind(), Kind::Text | Kind::Pointer)
}

/// Whether every value of the number `from` is one of the number `into`.
fn widens(from: Primitive, into: Primitive) -> bool {
    match (from.kind(), into.kind()) {
        (Kind::Bool, _) => true,
        (_, Kind::Bool) => false,
        (Kind::Signed, Kind::Signed) | (Kind::Unsigned, Kind::Unsigned) => {
            from.size() <= into.size()
        }
        (Kind::Unsigned, Kind::Signed) => from.size() < into.size(),
        (Kind::Signed, Kind::Unsigned) => false,
        // A sign needs no bit of the significand, and -2^n is a power of two.
        (Kind::Signed, Kind::Float | Kind::Complex) => from.size() * 8 - 1 <= significand(into),
        (Kind::Unsigned, Kind::Float | Kind::Complex) => from.size() * 8 <= significand(into),
        (Kind::Float | Kind::Complex, Kind::Float | Kind::Complex) => {
            let keeps_imaginary = from.kind() == Kind::Float || into.kind() == Kind::Complex;
            keeps_imaginary && from.swap_unit() <= into.swap_unit()
        }
        _ => false,
    }
}

/// Bits of the significand of a float, or of the parts of a complex number, with the hidden one.
fn significand(float: Primitive) -> u64 {
    match float.swap_unit() {
        2 => 11,
        4 => 24,
        _ => 53,
    }
}

/// Rust's `as`, for all types of elements.
pub trait Cast<S> {
    /// `value as Self`.
    fn cast(value: S) -> Self;
}

macro_rules! casts {
    ($($into:ty: $($from:ty)*;)*) => {$($(
        impl Cast<$from> for $into {
            #[inline(always)]
            #[allow(clippy::unnecessary_cast)]
            fn cast(value: $from) -> $into {
                value as $into
            }
        }
    )*)*};
}

casts! {
    i8: i64 u64 f64;
    i16: i64 u64 f64;
    i32: i64 u64 f64;
    i64: i8 i16 i32 i64 u64 f64;
    u8: i64 u64 f64;
    u16: i64 u64 f64;
    u32: i64 u64 f64;
    u64: bool u8 u16 u32 i64 u64 f64;
    f32: i64 u64 f64;
    f64: i64 u64 f32 f64;
}

macro_rules! from_complex {
    ($($into:ty)*) => {$(
        impl Cast<Complex<f64>> for $into {
            #[inline(always)]
            fn cast(value: Complex<f64>) -> $into {
                <$into>::cast(value.re)
            }
        }
    )*};
}

from_complex! { i8 i16 i32 i64 u8 u16 u32 u64 f16 f32 f64 }

macro_rules! to_complex {
    ($($part:ty)*) => {$(
        impl Cast<i64> for Complex<$part> {
            #[inline(always)]
            fn cast(value: i64) -> Self {
                Complex { re: <$part>::cast(value), im: <$part>::default() }
            }
        }

        impl Cast<u64> for Complex<$part> {
            #[inline(always)]
            fn cast(value: u64) -> Self {
                Complex { re: <$part>::cast(value), im: <$part>::default() }
            }
        }

        impl Cast<f64> for Complex<$part> {
            #[inline(always)]
            fn cast(value: f64) -> Self {
                Complex { re: <$part>::cast(value), im: <$part>::default() }
            }
        }

        impl Cast<Complex<f64>> for Complex<$part> {
            #[inline(always)]
            fn cast(value: Complex<f64>) -> Self {
                Complex { re: <$part>::cast(value.re), im: <$part>::cast(value.im) }
            }
        }
    )*};
}

to_complex! { f16 f32 f64 }

macro_rules! via {
    ($($from:ty, $into:ty: $value:ident => $cast:expr;)*) => {$(
        impl Cast<$from> for $into {
            #[inline(always)]
            fn cast($value: $from) -> $into {
                $cast
            }
        }
    )*};
}

via! {
    // Integers above 2^53 are infinite in `f16`, whether they were rounded before or not.
    i64, f16: value => f16::from_f64(value as f64);
    u64, f16: value => f16::from_f64(value as f64);
    f64, f16: value => f16::from_f64(value);
    f16, f64: value => value.to_f64();
    i64, bool: value => value != 0;
    u64, bool: value => value != 0;
    f64, bool: value => value != 0.0;
    Complex<f64>, bool: value => value != Complex::new(0.0, 0.0);
    Complex<f16>, Complex<f64>: value => Complex::new(value.re.to_f64(), value.im.to_f64());
    Complex<f32>, Complex<f64>: value => Complex::new(value.re.into(), value.im.into());
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use ByteOrder::Big;

    fn converted<T: Convert>(from: Primitive, src: &[u8], rule: Conversion) -> Result<Vec<T>> {
        let mut dst = vec![T::default(); src.len() / from.size() as usize];
        convert_slice(from, Big, src, &mut dst, rule)?;
        Ok(dst)
    }

    fn lossless_into<T: Element>() -> Vec<&'static str> {
        Primitive::ALL.iter().filter(|p| lossless::<T>(**p)).map(|p| p.name()).collect()
    }

    #[test]
    fn the_table_of_lossless_conversions() {
        assert_eq!(lossless_into::<i8>(), ["i1", "b1"]);
        assert_eq!(lossless_into::<i16>(), ["i1", "i2", "u1", "b1"]);
        assert_eq!(lossless_into::<i64>(), ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "b1"]);
        assert_eq!(lossless_into::<u8>(), ["u1", "b1", "S1", "U1"]);
        assert_eq!(lossless_into::<u16>(), ["u1", "u2", "b1", "U2"]);
        assert_eq!(lossless_into::<u32>(), ["u1", "u2", "u4", "b1", "U4", "p4"]);
        assert_eq!(lossless_into::<u64>(), ["u1", "u2", "u4", "u8", "b1", "p8"]);
        assert_eq!(lossless_into::<f16>(), ["i1", "u1", "f2", "b1"]);
        assert_eq!(lossless_into::<f32>(), ["i1", "i2", "u1", "u2", "f2", "f4", "b1"]);
        assert_eq!(
            lossless_into::<f64>(),
            ["i1", "i2", "i4", "u1", "u2", "u4", "f2", "f4", "f8", "b1"]
        );
        assert_eq!(
            lossless_into::<Complex<f32>>(),
            ["i1", "i2", "u1", "u2", "f2", "f4", "c4", "c8", "b1"]
        );
        assert_eq!(lossless_into::<bool>(), ["b1"]);
    }

    #[test]
    fn what_may_lose_must_be_asked_for() {
        let src = 300_i64.to_be_bytes();
        let error =
            converted::<i8>(Primitive::I8, &src, Conversion::Lossless).expect_err("an error");
        assert!(
            error.to_string().contains("`i8` (i64 in Rust) cannot all be held by i8"),
            "{error}"
        );
        assert_eq!(converted::<i8>(Primitive::I8, &src, Conversion::Lossy).expect("asked"), [44]);
        let src = (-1.9_f32).to_be_bytes();
        let lossy = Conversion::Lossy;
        assert_eq!(converted::<i32>(Primitive::F4, &src, lossy).expect("asked"), [-1]);
        assert_eq!(converted::<u8>(Primitive::F4, &src, lossy).expect("asked"), [0]);
        assert_eq!(converted::<bool>(Primitive::F4, &src, lossy).expect("asked"), [true]);
        let src = [1.5_f64.to_be_bytes(), 2.5_f64.to_be_bytes()].concat();
        assert_eq!(
            converted::<f16>(Primitive::C16, &src, lossy).expect("asked"),
            [f16::from_f32(1.5)]
        );
    }

    #[test]
    fn text_and_addresses_are_no_numbers() {
        for rule in [Conversion::Lossless, Conversion::Lossy] {
            for primitive in [Primitive::S1, Primitive::Utf8, Primitive::P4, Primitive::P8] {
                let error = converted::<i64>(primitive, &[0; 8], rule).expect_err("an error");
                assert!(matches!(error, Error::WrongType { .. }));
            }
            assert_eq!(converted::<u64>(Primitive::P8, &[1; 8], rule).expect("its type").len(), 1);
        }
    }

    #[test]
    fn vectors_are_extended() {
        let (src, mut dst) = ([0, 1, 0xff, 0xff], vec![7_i64]);
        convert_extend(Primitive::I2, Big, &src, &mut dst, Conversion::Lossless).expect("lossless");
        assert_eq!(dst, [7, 1, -1]);
        let mut same = vec![7_i16];
        convert_extend(Primitive::I2, Big, &src, &mut same, Conversion::Lossless).expect("equal");
        assert_eq!(same, [7, 1, -1]);
        assert!(convert_extend(Primitive::I2, Big, &[0; 3], &mut dst, Conversion::Lossy).is_err());
    }

    #[test]
    fn lengths_are_checked() {
        let wrong = convert_slice(Primitive::I2, Big, &[0; 5], &mut [0_i64; 2], Conversion::Lossy);
        assert!(matches!(wrong, Err(Error::WrongLength { expected: 4, found: 5, .. })));
    }

    proptest! {
        #[test]
        fn lossy_is_as(i: i64, u: u64, x: f64, y: f32, small: i16) {
            let lossy = Conversion::Lossy;
            let (ib, ub, xb) = (i.to_be_bytes(), u.to_be_bytes(), x.to_be_bytes());
            let (yb, sb) = (y.to_be_bytes(), small.to_be_bytes());
            prop_assert_eq!(converted::<i16>(Primitive::I8, &ib, lossy).expect("ok"), [i as i16]);
            prop_assert_eq!(converted::<u32>(Primitive::I8, &ib, lossy).expect("ok"), [i as u32]);
            prop_assert_eq!(converted::<f32>(Primitive::I8, &ib, lossy).expect("ok"), [i as f32]);
            prop_assert_eq!(converted::<i64>(Primitive::U8, &ub, lossy).expect("ok"), [u as i64]);
            prop_assert_eq!(converted::<f32>(Primitive::U8, &ub, lossy).expect("ok"), [u as f32]);
            prop_assert_eq!(converted::<f64>(Primitive::U8, &ub, lossy).expect("ok"), [u as f64]);
            prop_assert_eq!(converted::<i32>(Primitive::F8, &xb, lossy).expect("ok"), [x as i32]);
            prop_assert_eq!(converted::<u8>(Primitive::F4, &yb, lossy).expect("ok"), [y as u8]);
            prop_assert_eq!(converted::<u8>(Primitive::I2, &sb, lossy).expect("ok"), [small as u8]);
            prop_assert_eq!(converted::<u64>(Primitive::I2, &sb, lossy).expect("ok"), [small as u64]);
            let narrow = converted::<f32>(Primitive::F8, &xb, lossy).expect("ok");
            prop_assert_eq!(narrow[0].to_bits(), (x as f32).to_bits());
            let wide = converted::<f64>(Primitive::F4, &yb, Conversion::Lossless).expect("ok");
            prop_assert_eq!(wide[0].to_bits(), f64::from(y).to_bits());
        }

        #[test]
        fn lossless_is_lossless(i: i32, u: u16, half: u16) {
            let strict = Conversion::Lossless;
            let x = converted::<f64>(Primitive::I4, &i.to_be_bytes(), strict).expect("ok");
            prop_assert_eq!(x, [f64::from(i)]);
            let x = converted::<Complex<f32>>(Primitive::U2, &u.to_be_bytes(), strict).expect("ok");
            prop_assert_eq!(x, [Complex::new(f32::from(u), 0.0)]);
            let x = converted::<f32>(Primitive::F2, &half.to_be_bytes(), strict).expect("ok");
            let expected = f16::from_bits(half).to_f32();
            prop_assert!(x[0] == expected || (x[0].is_nan() && expected.is_nan()));
        }
    }
}
