//! The Rust types that elements of a stream decode to.
//!
//! Each has a fixed set of primitives of the layout language that it stands for exactly. Other
//! pairs are [conversions](crate::elements::convert), which must be requested.

use std::fmt::Debug;
use std::mem::MaybeUninit;

pub use dudley_parser::layout::dtype::{ByteOrder, Primitive};
pub use half::f16;
pub use num_complex::Complex;

use crate::elements::cast;
use crate::elements::swap::{self, HOST, needs_swap};
use crate::error::{Error, Item, Result};

mod sealed {
    pub trait Sealed {}
}

/// A Rust type that elements of a stream decode to: the integers of 8 to 64 bits, [`struct@f16`],
/// [`f32`], [`f64`], [`Complex`] of these, and `bool`.
///
/// Sizes and lengths of `&[u8]` are in bytes.
///
/// ```
/// use dudley::elements::{ByteOrder, Element};
///
/// let mut values = [0.0; 2];
/// f32::decode_slice(&[0x3f, 0x80, 0, 0, 0x40, 0, 0, 0], ByteOrder::Big, &mut values)?;
/// assert_eq!(values, [1.0_f32, 2.0]);
/// # Ok::<(), dudley::error::Error>(())
/// ```
pub trait Element:
    sealed::Sealed + Copy + Default + PartialEq + Debug + Send + Sync + 'static
{
    /// The bytes of one element: an array of [`SIZE`](Element::SIZE) of `u8`.
    type Bytes: AsRef<[u8]> + AsMut<[u8]> + Copy + Default;
    /// The primitive that a writer declares for this type.
    const PRIMITIVE: Primitive;
    /// The name of the type for messages.
    const NAME: &'static str;
    /// Bytes of one element in a stream.
    const SIZE: usize;

    /// Whether elements of a primitive are of this type: all that it declares, such as raw units
    /// of text and addresses for the unsigned integers.
    fn is(primitive: Primitive) -> bool;

    /// One element from its bytes.
    fn from_bytes(bytes: Self::Bytes, order: ByteOrder) -> Self;

    /// The bytes of one element.
    fn to_bytes(self, order: ByteOrder) -> Self::Bytes;

    /// Decodes all of `src` to all of `dst` in one pass.
    ///
    /// # Errors
    /// [`Error::WrongLength`] when `src` is not `dst.len()` elements long.
    fn decode_slice(src: &[u8], order: ByteOrder, dst: &mut [Self]) -> Result<()> {
        Self::decode_part(src, order, dst, src.len())
    }

    /// [`decode_slice`](Element::decode_slice) to a part of a destination of `whole` bytes, which
    /// is filled part by part. (What is large enough is written past the cache.)
    ///
    /// # Errors
    /// [`Error::WrongLength`] when `src` is not `dst.len()` elements long.
    fn decode_part(src: &[u8], order: ByteOrder, dst: &mut [Self], whole: usize) -> Result<()>;

    /// [`decode_slice`](Element::decode_slice) to memory that need not be initialised. When it
    /// succeeds, all of `dst` is.
    ///
    /// # Errors
    /// [`Error::WrongLength`] when `src` is not `dst.len()` elements long.
    fn decode_uninit(src: &[u8], order: ByteOrder, dst: &mut [MaybeUninit<Self>]) -> Result<()>;

    /// Decodes what `fill` writes, to all of `dst`. It is handed the memory of `dst` itself where
    /// that is possible, so that bytes are read to where they stay.
    ///
    /// # Errors
    /// If `fill` fails.
    fn decode_with(
        dst: &mut [Self],
        order: ByteOrder,
        fill: impl FnOnce(&mut [u8]) -> Result<()>,
    ) -> Result<()>;

    /// Encodes all of `src` to all of `dst` in one pass.
    ///
    /// # Errors
    /// [`Error::WrongLength`] when `dst` is not `src.len()` elements long.
    fn encode_slice(src: &[Self], order: ByteOrder, dst: &mut [u8]) -> Result<()>;

    /// The elements where they are, when that is possible: `bytes` are aligned for the type and
    /// whole elements, their order is the machine's, and every pattern of bits is a value (so
    /// never for `bool`).
    ///
    /// ```
    /// use dudley::elements::Element;
    /// use dudley::elements::HOST;
    ///
    /// assert_eq!(u8::view(&[1, 2], HOST), Some(&[1, 2][..]));
    /// assert_eq!(bool::view(&[1, 2], HOST), None);
    /// ```
    fn view(bytes: &[u8], order: ByteOrder) -> Option<&[Self]>;

    /// The bytes of elements as they are in memory, where that is how they are stored: in the
    /// machine's byte order (and never for `bool`).
    fn as_bytes(elements: &[Self], order: ByteOrder) -> Option<&[u8]>;

    /// Whether elements of a primitive are of this type, as a result.
    ///
    /// # Errors
    /// [`Error::WrongType`] when not.
    fn check(primitive: Primitive) -> Result<()> {
        if Self::is(primitive) {
            return Ok(());
        }
        Err(Error::WrongType { item: Item::UNKNOWN, expected: Self::NAME, found: primitive })
    }
}

/// What is the same for all types whose every pattern of bits is a value.
macro_rules! plain_slices {
    ($unit:expr) => {
        fn decode_part(src: &[u8], order: ByteOrder, dst: &mut [Self], whole: usize) -> Result<()> {
            swap::copy(src, cast::bytes_mut(dst), $unit, needs_swap(order, HOST), whole)
        }

        fn decode_uninit(
            src: &[u8],
            order: ByteOrder,
            dst: &mut [MaybeUninit<Self>],
        ) -> Result<()> {
            swap::copy(src, cast::bytes_uninit(dst), $unit, needs_swap(order, HOST), src.len())
        }

        fn decode_with(
            dst: &mut [Self],
            order: ByteOrder,
            fill: impl FnOnce(&mut [u8]) -> Result<()>,
        ) -> Result<()> {
            let bytes = cast::bytes_mut(dst);
            fill(bytes)?;
            if needs_swap(order, HOST) { swap::swap_in_place(bytes, $unit) } else { Ok(()) }
        }

        fn encode_slice(src: &[Self], order: ByteOrder, dst: &mut [u8]) -> Result<()> {
            swap::copy(cast::bytes(src), dst, $unit, needs_swap(order, HOST), dst.len())
        }

        fn view(bytes: &[u8], order: ByteOrder) -> Option<&[Self]> {
            if $unit > 1 && needs_swap(order, HOST) {
                return None;
            }
            cast::elements(bytes)
        }

        fn as_bytes(elements: &[Self], order: ByteOrder) -> Option<&[u8]> {
            match $unit > 1 && needs_swap(order, HOST) {
                true => None,
                false => Some(cast::bytes(elements)),
            }
        }
    };
}

macro_rules! numbers {
    ($($type:ty, $size:literal, $name:literal, $primitive:ident $(| $also:ident)*;)*) => {$(
        impl sealed::Sealed for $type {}

        impl Element for $type {
            type Bytes = [u8; $size];
            const PRIMITIVE: Primitive = Primitive::$primitive;
            const NAME: &'static str = $name;
            const SIZE: usize = $size;

            fn is(primitive: Primitive) -> bool {
                matches!(primitive, Primitive::$primitive $(| Primitive::$also)*)
            }

            fn from_bytes(bytes: [u8; $size], order: ByteOrder) -> $type {
                match order {
                    ByteOrder::Little => <$type>::from_le_bytes(bytes),
                    ByteOrder::Big => <$type>::from_be_bytes(bytes),
                }
            }

            fn to_bytes(self, order: ByteOrder) -> [u8; $size] {
                match order {
                    ByteOrder::Little => self.to_le_bytes(),
                    ByteOrder::Big => self.to_be_bytes(),
                }
            }

            plain_slices! { $size }
        }
    )*};
}

numbers! {
    i8, 1, "i8", I1;
    i16, 2, "i16", I2;
    i32, 4, "i32", I4;
    i64, 8, "i64", I8;
    u8, 1, "u8", U1 | S1 | Utf8;
    u16, 2, "u16", U2 | Utf16;
    u32, 4, "u32", U4 | P4 | Utf32;
    u64, 8, "u64", U8 | P8;
    f16, 2, "f16", F2;
    f32, 4, "f32", F4;
    f64, 8, "f64", F8;
}

macro_rules! complexes {
    ($($part:ty, $size:literal, $half:literal, $name:literal, $primitive:ident;)*) => {$(
        impl sealed::Sealed for Complex<$part> {}

        impl Element for Complex<$part> {
            type Bytes = [u8; $size];
            const PRIMITIVE: Primitive = Primitive::$primitive;
            const NAME: &'static str = $name;
            const SIZE: usize = $size;

            fn is(primitive: Primitive) -> bool {
                primitive == Primitive::$primitive
            }

            fn from_bytes(bytes: [u8; $size], order: ByteOrder) -> Self {
                let (mut re, mut im) = ([0; $half], [0; $half]);
                re.copy_from_slice(&bytes[..$half]);
                im.copy_from_slice(&bytes[$half..]);
                Complex { re: <$part>::from_bytes(re, order), im: <$part>::from_bytes(im, order) }
            }

            fn to_bytes(self, order: ByteOrder) -> [u8; $size] {
                let mut bytes = [0; $size];
                bytes[..$half].copy_from_slice(&self.re.to_bytes(order));
                bytes[$half..].copy_from_slice(&self.im.to_bytes(order));
                bytes
            }

            plain_slices! { $half }
        }
    )*};
}

complexes! {
    f16, 4, 2, "Complex<f16>", C4;
    f32, 8, 4, "Complex<f32>", C8;
    f64, 16, 8, "Complex<f64>", C16;
}

impl sealed::Sealed for bool {}

/// Any byte but 0 is true; true is written as 1.
impl Element for bool {
    type Bytes = [u8; 1];
    const PRIMITIVE: Primitive = Primitive::B1;
    const NAME: &'static str = "bool";
    const SIZE: usize = 1;

    fn is(primitive: Primitive) -> bool {
        primitive == Primitive::B1
    }

    fn from_bytes(bytes: [u8; 1], _order: ByteOrder) -> bool {
        bytes[0] != 0
    }

    fn to_bytes(self, _order: ByteOrder) -> [u8; 1] {
        [u8::from(self)]
    }

    fn decode_part(src: &[u8], _order: ByteOrder, dst: &mut [bool], _whole: usize) -> Result<()> {
        same_length(dst.len(), src.len())?;
        for (to, from) in dst.iter_mut().zip(src) {
            *to = *from != 0;
        }
        Ok(())
    }

    fn decode_uninit(src: &[u8], _order: ByteOrder, dst: &mut [MaybeUninit<bool>]) -> Result<()> {
        same_length(dst.len(), src.len())?;
        for (to, from) in dst.iter_mut().zip(src) {
            to.write(*from != 0);
        }
        Ok(())
    }

    fn decode_with(
        dst: &mut [bool],
        order: ByteOrder,
        fill: impl FnOnce(&mut [u8]) -> Result<()>,
    ) -> Result<()> {
        let mut bytes = Vec::new();
        bytes.try_reserve_exact(dst.len()).map_err(|_| Error::too_large(dst.len() as u64))?;
        bytes.resize(dst.len(), 0);
        fill(&mut bytes)?;
        bool::decode_slice(&bytes, order, dst)
    }

    fn encode_slice(src: &[bool], _order: ByteOrder, dst: &mut [u8]) -> Result<()> {
        same_length(src.len(), dst.len())?;
        for (to, from) in dst.iter_mut().zip(src) {
            *to = u8::from(*from);
        }
        Ok(())
    }

    fn view(_bytes: &[u8], _order: ByteOrder) -> Option<&[bool]> {
        None
    }

    fn as_bytes(_elements: &[bool], _order: ByteOrder) -> Option<&[u8]> {
        None
    }
}

fn same_length(expected: usize, found: usize) -> Result<()> {
    if expected == found { Ok(()) } else { Err(Error::wrong_length(expected as u64, found as u64)) }
}

/// Appends the elements of `src` to `dst`.
pub(crate) fn extend<T: Element>(dst: &mut Vec<T>, src: &[u8], order: ByteOrder) -> Result<()> {
    let count = src.len() / T::SIZE;
    if count * T::SIZE != src.len() {
        return Err(Error::wrong_length((count * T::SIZE) as u64, src.len() as u64));
    }
    dst.try_reserve(count).map_err(|_| Error::too_large(src.len() as u64))?;
    let len = dst.len();
    T::decode_uninit(src, order, &mut dst.spare_capacity_mut()[..count])?;
    // SAFETY: `count` elements were reserved, and `decode_uninit` initialises all of its
    // destination when it succeeds; the trait is sealed, so that no one else implements it.
    unsafe { dst.set_len(len + count) };
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ORDERS: [ByteOrder; 2] = [ByteOrder::Little, ByteOrder::Big];

    /// Everything that must hold of a type, for any bytes (compared as bytes, so that NaN does).
    fn check<T: Element>(bytes: &[u8], skip: usize) {
        assert_eq!(T::SIZE as u64, T::PRIMITIVE.size());
        assert_eq!(T::Bytes::default().as_ref().len(), T::SIZE);
        let len = bytes.len() / T::SIZE;
        let src = &bytes[..len * T::SIZE];
        for order in ORDERS {
            let mut one_by_one = Vec::new();
            for unit in src.chunks_exact(T::SIZE) {
                let mut bytes = T::Bytes::default();
                bytes.as_mut().copy_from_slice(unit);
                one_by_one.push(T::from_bytes(bytes, order));
            }
            let encoded: Vec<u8> =
                one_by_one.iter().flat_map(|x| x.to_bytes(order).as_ref().to_vec()).collect();
            if T::PRIMITIVE != Primitive::B1 {
                assert_eq!(encoded, src);
            }

            let mut bulk = vec![T::default(); len];
            T::decode_slice(src, order, &mut bulk).expect("equal lengths");
            let mut again = vec![0; src.len() + skip];
            T::encode_slice(&bulk, order, &mut again[skip..]).expect("equal lengths");
            assert_eq!(again[skip..], encoded);

            let mut fresh: Box<[MaybeUninit<T>]> = Box::new_uninit_slice(len);
            T::decode_uninit(src, order, &mut fresh).expect("equal lengths");
            // SAFETY: `decode_uninit` has succeeded.
            let fresh = unsafe { fresh.assume_init() };
            T::encode_slice(&fresh, order, &mut again[skip..]).expect("equal lengths");
            assert_eq!(again[skip..], encoded);

            let mut filled = vec![T::default(); len];
            T::decode_with(&mut filled, order, |bytes| {
                bytes.copy_from_slice(src);
                Ok(())
            })
            .expect("filled");
            T::encode_slice(&filled, order, &mut again[skip..]).expect("equal lengths");
            assert_eq!(again[skip..], encoded);

            if let Some(view) = T::view(src, order) {
                assert!(T::SIZE == 1 || order == HOST);
                T::encode_slice(view, order, &mut again[skip..]).expect("equal lengths");
                assert_eq!(again[skip..], *src);
            }
            assert!(
                T::decode_slice(&bytes[..len], order, &mut vec![T::default(); len + 1]).is_err()
            );
        }
    }

    proptest! {
        #[test]
        fn bulk_and_single_agree(bytes in prop::collection::vec(any::<u8>(), 0..300), skip in 0_usize..9) {
            let bytes = &bytes[skip.min(bytes.len())..];
            check::<i8>(bytes, skip);
            check::<i16>(bytes, skip);
            check::<i32>(bytes, skip);
            check::<i64>(bytes, skip);
            check::<u8>(bytes, skip);
            check::<u16>(bytes, skip);
            check::<u32>(bytes, skip);
            check::<u64>(bytes, skip);
            check::<f16>(bytes, skip);
            check::<f32>(bytes, skip);
            check::<f64>(bytes, skip);
            check::<Complex<f16>>(bytes, skip);
            check::<Complex<f32>>(bytes, skip);
            check::<Complex<f64>>(bytes, skip);
            check::<bool>(bytes, skip);
        }
    }

    #[test]
    fn values_are_right() {
        assert_eq!(i16::from_bytes([0xff, 0xfe], ByteOrder::Big), -2);
        assert_eq!(u32::from_bytes([1, 2, 3, 4], ByteOrder::Little), 0x0403_0201);
        assert_eq!(f16::from_bytes([0x3c, 0], ByteOrder::Big), f16::ONE);
        let bytes = [0x3f, 0x80, 0, 0, 0xc0, 0, 0, 0];
        assert_eq!(Complex::<f32>::from_bytes(bytes, ByteOrder::Big), Complex::new(1.0, -2.0));
        let mut flags = [false; 4];
        bool::decode_slice(&[0, 1, 2, 255], ByteOrder::Big, &mut flags).expect("equal lengths");
        assert_eq!(flags, [false, true, true, true]);
    }

    #[test]
    fn aligned_native_elements_are_viewed() {
        let values = [1.0_f64, 2.0, 3.0];
        let bytes: &[u8] = cast::bytes(&values);
        assert_eq!(f64::view(bytes, HOST), Some(&values[..]));
        assert_eq!(f64::view(&bytes[..9], HOST), None);
        assert_eq!(f64::view(&bytes[1..9], HOST), None);
        let other = if HOST == ByteOrder::Big { ByteOrder::Little } else { ByteOrder::Big };
        assert_eq!(f64::view(bytes, other), None);
        assert!(u8::view(bytes, other).is_some());
    }

    #[test]
    fn every_primitive_has_a_type() {
        fn one<T: Element>(primitive: Primitive, count: &mut usize) {
            if T::is(primitive) {
                assert_eq!(primitive.size(), T::SIZE as u64);
                T::check(primitive).expect("it is");
                *count += 1;
            } else {
                assert!(T::check(primitive).is_err());
            }
        }
        for primitive in Primitive::ALL {
            let mut count = 0;
            one::<i8>(*primitive, &mut count);
            one::<i16>(*primitive, &mut count);
            one::<i32>(*primitive, &mut count);
            one::<i64>(*primitive, &mut count);
            one::<u8>(*primitive, &mut count);
            one::<u16>(*primitive, &mut count);
            one::<u32>(*primitive, &mut count);
            one::<u64>(*primitive, &mut count);
            one::<f16>(*primitive, &mut count);
            one::<f32>(*primitive, &mut count);
            one::<f64>(*primitive, &mut count);
            one::<Complex<f16>>(*primitive, &mut count);
            one::<Complex<f32>>(*primitive, &mut count);
            one::<Complex<f64>>(*primitive, &mut count);
            one::<bool>(*primitive, &mut count);
            assert_eq!(count, 1, "{}", primitive.name());
        }
    }
}
