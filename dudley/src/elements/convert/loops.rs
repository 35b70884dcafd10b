//! The loops of conversions: one for each pair of types and byte order, into memory that nothing was written to yet.

use std::mem::MaybeUninit;

use dudley_parser::layout::dtype::{ByteOrder, Primitive};
use half::f16;
use num_complex::Complex;

use super::{Cast, Convert};
use crate::elements::element::Element;
use crate::elements::wide::wide;
use crate::error::{Error, Item, Result};

/// Converts all of `src` to all of `dst`.
///
/// # Errors
/// [`Error::WrongType`] when `primitive` is text or an address; [`Error::WrongLength`] when `src` is not as long.
pub(super) fn fill<T: Convert>(
    primitive: Primitive,
    order: ByteOrder,
    src: &[u8],
    dst: &mut [T],
) -> Result<()> {
    // SAFETY: the memory is that of the slice, borrowed mutably for as long as the result lives, and `convert` writes
    // nothing but values of `T` to it.
    let dst = unsafe { &mut *(std::ptr::from_mut(dst) as *mut [MaybeUninit<T>]) };
    convert(primitive, order, src, dst)
}

/// Converts all of `src` to the end of a vector.
///
/// # Errors
/// As [`fill`]; [`Error::TooLarge`] when there is no room.
pub(super) fn append<T: Convert>(
    primitive: Primitive,
    order: ByteOrder,
    src: &[u8],
    dst: &mut Vec<T>,
) -> Result<()> {
    let count = src.len() / primitive.size() as usize;
    dst.try_reserve(count).map_err(|_| Error::too_large(src.len() as u64))?;
    convert(primitive, order, src, &mut dst.spare_capacity_mut()[..count])?;
    // SAFETY: `count` elements were reserved, and `convert` initialises all of its destination when it succeeds.
    unsafe { dst.set_len(dst.len() + count) };
    Ok(())
}

/// Initialises all of `dst`, unless it fails.
fn convert<T: Convert>(
    primitive: Primitive,
    order: ByteOrder,
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
) -> Result<()> {
    let expected = dst.len() as u64 * primitive.size();
    if src.len() as u64 != expected {
        return Err(Error::wrong_length(expected, src.len() as u64));
    }
    match primitive {
        Primitive::I1 => each::<i8, i64, T>(order, src, dst),
        Primitive::I2 => each::<i16, i64, T>(order, src, dst),
        Primitive::I4 => each::<i32, i64, T>(order, src, dst),
        Primitive::I8 => each::<i64, i64, T>(order, src, dst),
        Primitive::U1 => each::<u8, u64, T>(order, src, dst),
        Primitive::U2 => each::<u16, u64, T>(order, src, dst),
        Primitive::U4 => each::<u32, u64, T>(order, src, dst),
        Primitive::U8 => each::<u64, u64, T>(order, src, dst),
        Primitive::B1 => each::<bool, u64, T>(order, src, dst),
        Primitive::F2 => each::<f16, f64, T>(order, src, dst),
        Primitive::F4 => each::<f32, f64, T>(order, src, dst),
        // Physical values are such; a second loop for each type would be much code.
        Primitive::F8 => wide(|| each::<f64, f64, T>(order, src, dst)),
        Primitive::C4 => each::<Complex<f16>, Complex<f64>, T>(order, src, dst),
        Primitive::C8 => each::<Complex<f32>, Complex<f64>, T>(order, src, dst),
        Primitive::C16 => each::<Complex<f64>, Complex<f64>, T>(order, src, dst),
        Primitive::S1
        | Primitive::Utf8
        | Primitive::Utf16
        | Primitive::Utf32
        | Primitive::P4
        | Primitive::P8 => {
            let (item, expected) = (Item::UNKNOWN, T::NAME);
            return Err(Error::WrongType { item, expected, found: primitive });
        }
    }
    Ok(())
}

/// Decodes elements as `S`, widens them to `W`, and casts that to `T`. There are as many in both.
#[inline(always)]
fn each<S, W, T>(order: ByteOrder, src: &[u8], dst: &mut [MaybeUninit<T>])
where
    S: Element,
    W: Cast<S>,
    T: Cast<W>,
{
    // A loop for each, so that the compiler can make vectors of it.
    match order {
        ByteOrder::Little => {
            for (to, from) in dst.iter_mut().zip(src.chunks_exact(S::SIZE)) {
                to.write(T::cast(W::cast(decoded(from, ByteOrder::Little))));
            }
        }
        ByteOrder::Big => {
            for (to, from) in dst.iter_mut().zip(src.chunks_exact(S::SIZE)) {
                to.write(T::cast(W::cast(decoded(from, ByteOrder::Big))));
            }
        }
    }
}

/// The element of some bytes, which are as many as it has.
#[inline(always)]
fn decoded<S: Element>(from: &[u8], order: ByteOrder) -> S {
    let mut bytes = S::Bytes::default();
    bytes.as_mut().copy_from_slice(from);
    S::from_bytes(bytes, order)
}
