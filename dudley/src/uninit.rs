//! Memory before it is first written: the casts that filling it takes.
//!
//! Zeroing a large buffer before it is filled costs as much as filling it, so results are decoded
//! straight into fresh memory.

use std::mem::MaybeUninit;

/// Uninitialised elements as the bytes of their memory.
pub(crate) fn bytes_of<T>(elements: &mut [MaybeUninit<T>]) -> &mut [MaybeUninit<u8>] {
    let (start, len) = (elements.as_mut_ptr(), size_of_val(elements));
    // SAFETY: the memory is that of the slice, `len` bytes of one allocation, borrowed mutably
    // for as long as the result lives; `MaybeUninit<u8>` has alignment 1 and any contents, and
    // no contents are wrong for `MaybeUninit<T>` either.
    unsafe { std::slice::from_raw_parts_mut(start.cast(), len) }
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
