//! Casts between elements and the bytes of their memory, and memory before it is first written.
//!
//! Zeroing a large buffer before it is filled costs as much as filling it, so results are decoded
//! straight into fresh memory.

use std::mem::MaybeUninit;

use half::f16;
use num_complex::Complex;

/// Types that are nothing but their bytes.
///
/// # Safety
/// Every pattern of bits must be a value of the type, and it must have no padding and no interior
/// mutability.
pub(crate) unsafe trait Plain: Copy + 'static {}

macro_rules! plain {
    ($($type:ty)*) => {$(
        // SAFETY: primitive integers and floats.
        unsafe impl Plain for $type {}
    )*};
}

plain! { i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 }

// SAFETY: a transparent wrapper of `u16`.
unsafe impl Plain for f16 {}

// SAFETY: `repr(C)` of two values of one type, so without padding between or after them.
unsafe impl<T: Plain> Plain for Complex<T> {}

/// The bytes of elements.
pub(crate) fn bytes<T: Plain>(elements: &[T]) -> &[u8] {
    let (start, len) = (elements.as_ptr(), size_of_val(elements));
    // SAFETY: the memory is that of the slice, borrowed for as long as the result lives, and
    // without padding, so that every byte is initialised.
    unsafe { std::slice::from_raw_parts(start.cast(), len) }
}

/// The bytes of elements, to write to.
pub(crate) fn bytes_mut<T: Plain>(elements: &mut [T]) -> &mut [u8] {
    let (start, len) = (elements.as_mut_ptr(), size_of_val(elements));
    // SAFETY: as in `bytes`, with a mutable borrow; whatever is written is a value of `T`.
    unsafe { std::slice::from_raw_parts_mut(start.cast(), len) }
}

/// Uninitialised elements as the bytes of their memory.
pub(crate) fn bytes_uninit<T>(elements: &mut [MaybeUninit<T>]) -> &mut [MaybeUninit<u8>] {
    let (start, len) = (elements.as_mut_ptr(), size_of_val(elements));
    // SAFETY: the memory is that of the slice, `len` bytes of one allocation, borrowed mutably
    // for as long as the result lives; `MaybeUninit<u8>` has alignment 1 and any contents, and
    // no contents are wrong for `MaybeUninit<T>` either.
    unsafe { std::slice::from_raw_parts_mut(start.cast(), len) }
}

/// The elements that `bytes` are, when they are aligned and whole.
pub(crate) fn elements<T: Plain>(bytes: &[u8]) -> Option<&[T]> {
    // SAFETY: any bytes are values of a plain type; `align_to` sees to alignment and length.
    let (before, elements, after) = unsafe { bytes.align_to::<T>() };
    (before.is_empty() && after.is_empty()).then_some(elements)
}

/// Copies `src` to `dst`, which should be of the same length.
#[inline(always)]
pub(crate) fn fill(dst: &mut [MaybeUninit<u8>], src: &[u8]) {
    debug_assert_eq!(src.len(), dst.len());
    let len = src.len().min(dst.len());
    // SAFETY: both are valid for `len` bytes, and `dst` is borrowed mutably, so that they do not
    // overlap.
    unsafe { std::ptr::copy_nonoverlapping(src.as_ptr(), dst.as_mut_ptr().cast(), len) };
}
