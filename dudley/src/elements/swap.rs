//! Byte order in bulk: copies that reverse each unit on the way.
//!
//! One plain loop, which compilers turn into vector code, is compiled twice: for every processor
//! of the target, and for those with AVX2, where data that is still in the cache moves three
//! times as fast; there, what is larger than the cache is written past it. Nothing here depends on the byte order of the machine: to reverse or not is
//! said by the caller, who asks [`needs_swap`].

use std::mem::MaybeUninit;

use dudley_parser::layout::dtype::ByteOrder;

use crate::elements::cast;
use crate::error::{Error, Result};

#[cfg(target_arch = "x86_64")]
mod avx2;

/// The byte order of this machine.
pub const HOST: ByteOrder =
    if cfg!(target_endian = "big") { ByteOrder::Big } else { ByteOrder::Little };

/// Whether numbers of byte order `order` must be reversed for a machine of byte order `host`
/// ([`HOST`], except for tests).
pub(crate) fn needs_swap(order: ByteOrder, host: ByteOrder) -> bool {
    order != host
}

/// Copies `src` to `dst`, both of the same length, and with `swap` reverses each `unit` bytes.
///
/// `unit` is 1, 2, 4 or 8 bytes; for complex numbers it is half an element. Bytes after the last
/// whole unit are copied.
///
/// # Errors
/// [`Error::WrongLength`] if the lengths differ, or `unit` is none of the four.
///
/// ```
/// let mut dst = [0; 4];
/// dudley::elements::copy_native(&[1, 2, 3, 4], &mut dst, 2, true)?;
/// assert_eq!(dst, [2, 1, 4, 3]);
/// # Ok::<(), dudley::error::Error>(())
/// ```
pub fn copy_native(src: &[u8], dst: &mut [u8], unit: usize, swap: bool) -> Result<()> {
    copy(src, dst, unit, swap, src.len())
}

/// A byte of a destination, initialised or not.
pub(crate) trait Byte: Copy {
    /// Whether the destination is likely to be memory that was never touched.
    const FRESH: bool;
    /// The byte, initialised.
    fn new(byte: u8) -> Self;
    /// Copies `src` to `dst`, which are of the same length.
    fn fill(dst: &mut [Self], src: &[u8]);
}

impl Byte for u8 {
    const FRESH: bool = false;

    #[inline(always)]
    fn new(byte: u8) -> u8 {
        byte
    }
    #[inline(always)]
    fn fill(dst: &mut [u8], src: &[u8]) {
        dst.copy_from_slice(src);
    }
}

impl Byte for MaybeUninit<u8> {
    const FRESH: bool = true;

    #[inline(always)]
    fn new(byte: u8) -> MaybeUninit<u8> {
        MaybeUninit::new(byte)
    }
    #[inline(always)]
    fn fill(dst: &mut [MaybeUninit<u8>], src: &[u8]) {
        cast::fill(dst, src);
    }
}

/// Whether a copy to a destination of `whole` bytes goes past the cache.
pub(crate) fn streams(whole: usize) -> bool {
    #[cfg(target_arch = "x86_64")]
    if whole >= avx2::LARGE {
        return is_x86_feature_detected!("avx2");
    }
    let _ = whole;
    false
}

/// [`copy_native`] into memory that need not be initialised. When it succeeds, all of it is.
///
/// `dst` can be a part of a destination of `whole` bytes that is filled part by part.
pub(crate) fn copy<B: Byte>(
    src: &[u8],
    dst: &mut [B],
    unit: usize,
    swap: bool,
    whole: usize,
) -> Result<()> {
    let past = !B::FRESH && streams(whole);
    if src.len() != dst.len() {
        return Err(Error::wrong_length(dst.len() as u64, src.len() as u64));
    }
    match unit {
        _ if !swap => dispatch::<1, B>(src, dst, past),
        1 => dispatch::<1, B>(src, dst, past),
        2 => dispatch::<2, B>(src, dst, past),
        4 => dispatch::<4, B>(src, dst, past),
        8 => dispatch::<8, B>(src, dst, past),
        _ => return Err(Error::wrong_length(8, unit as u64)),
    }
    Ok(())
}

/// Reverses each `unit` bytes of `bytes` where they are.
///
/// Bytes after the last whole unit stay as they are.
///
/// # Errors
/// [`Error::WrongLength`] if `unit` is none of 1, 2, 4 and 8.
pub fn swap_in_place(bytes: &mut [u8], unit: usize) -> Result<()> {
    match unit {
        1 => {}
        2 => dispatch_in_place::<2>(bytes),
        4 => dispatch_in_place::<4>(bytes),
        8 => dispatch_in_place::<8>(bytes),
        _ => return Err(Error::wrong_length(8, unit as u64)),
    }
    Ok(())
}

fn dispatch<const N: usize, B: Byte>(src: &[u8], dst: &mut [B], past: bool) {
    #[cfg(target_arch = "x86_64")]
    if src.len() >= avx2::SMALL && is_x86_feature_detected!("avx2") {
        // SAFETY: the only requirement is a processor with AVX2, which was just found.
        unsafe { avx2::copy::<N, B>(src, dst, past) };
        return;
    }
    let _ = past;
    copy_swapped::<N, B>(src, dst);
}

fn dispatch_in_place<const N: usize>(bytes: &mut [u8]) {
    #[cfg(target_arch = "x86_64")]
    if bytes.len() >= avx2::SMALL && is_x86_feature_detected!("avx2") {
        // SAFETY: the only requirement is a processor with AVX2, which was just found.
        unsafe { avx2::in_place::<N>(bytes) };
        return;
    }
    swap_all::<N>(bytes);
}

/// Reverses one unit. `N` is a constant, so that one arm is left.
#[inline(always)]
fn swapped<const N: usize>(unit: [u8; N]) -> [u8; N] {
    let mut result = unit;
    match N {
        2 => put(&mut result, u16::from_ne_bytes(take(&unit)).swap_bytes().to_ne_bytes()),
        4 => put(&mut result, u32::from_ne_bytes(take(&unit)).swap_bytes().to_ne_bytes()),
        8 => put(&mut result, u64::from_ne_bytes(take(&unit)).swap_bytes().to_ne_bytes()),
        _ => result.reverse(),
    }
    result
}

#[inline(always)]
fn take<const M: usize>(bytes: &[u8]) -> [u8; M] {
    let mut result = [0; M];
    result.copy_from_slice(&bytes[..M]);
    result
}

#[inline(always)]
fn put<const M: usize>(bytes: &mut [u8], value: [u8; M]) {
    bytes[..M].copy_from_slice(&value);
}

#[inline(always)]
fn copy_swapped<const N: usize, B: Byte>(src: &[u8], dst: &mut [B]) {
    if N == 1 {
        B::fill(dst, src);
        return;
    }
    let (from, rest) = src.as_chunks::<N>();
    let (to, to_rest) = dst.as_chunks_mut::<N>();
    for (to, from) in to.iter_mut().zip(from) {
        *to = swapped(*from).map(B::new);
    }
    B::fill(to_rest, rest);
}

#[inline(always)]
fn swap_all<const N: usize>(bytes: &mut [u8]) {
    for unit in bytes.as_chunks_mut::<N>().0 {
        *unit = swapped(*unit);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn model(src: &[u8], unit: usize) -> Vec<u8> {
        let whole = src.len() - src.len() % unit;
        let mut result: Vec<u8> =
            src[..whole].chunks(unit).flat_map(|unit| unit.iter().rev().copied()).collect();
        result.extend_from_slice(&src[whole..]);
        result
    }

    fn portable(src: &[u8], unit: usize) -> Vec<u8> {
        let mut dst = vec![0; src.len()];
        match unit {
            2 => copy_swapped::<2, u8>(src, &mut dst),
            4 => copy_swapped::<4, u8>(src, &mut dst),
            8 => copy_swapped::<8, u8>(src, &mut dst),
            _ => dst.copy_from_slice(src),
        }
        dst
    }

    proptest! {
        #[test]
        fn every_path_agrees_with_the_model(
            bytes in prop::collection::vec(any::<u8>(), 0..700),
            skip in 0_usize..17,
            skip_dst in 0_usize..17,
            unit in prop::sample::select(vec![1_usize, 2, 4, 8]),
        ) {
            let src = &bytes[skip.min(bytes.len())..];
            let expected = model(src, unit);
            let mut room = vec![0; src.len() + skip_dst];
            let dst = &mut room[skip_dst..];
            copy_native(src, dst, unit, true).expect("equal lengths");
            prop_assert_eq!(&*dst, &expected[..]);
            prop_assert_eq!(portable(src, unit), expected.clone());
            copy_native(src, dst, unit, false).expect("equal lengths");
            prop_assert_eq!(&*dst, src);
            swap_in_place(dst, unit).expect("a good unit");
            prop_assert_eq!(&*dst, &expected[..]);
        }
    }

    #[test]
    fn all_small_lengths_agree_with_the_model() {
        let bytes: Vec<u8> = (0..=255).collect();
        for unit in [1, 2, 4, 8] {
            for len in 0..=bytes.len() {
                let mut dst = vec![0; len];
                copy_native(&bytes[..len], &mut dst, unit, true).expect("equal lengths");
                assert_eq!(dst, model(&bytes[..len], unit), "{unit} {len}");
            }
        }
    }

    #[test]
    #[cfg(target_arch = "x86_64")]
    fn large_copies_agree_with_the_portable_one() {
        let bytes: Vec<u8> = (0..avx2::LARGE as u32 + 200).map(|i| (i ^ (i >> 8)) as u8).collect();
        let (mut room, mut expected) = (vec![0; bytes.len() + 64], vec![0; bytes.len()]);
        for (unit, skip) in [(2, 0), (2, 6), (2, 1), (4, 4), (4, 2), (8, 24), (8, 16), (8, 41)] {
            let src = &bytes[skip / 2..bytes.len() - skip];
            let (dst, expected) = (&mut room[skip..][..src.len()], &mut expected[..src.len()]);
            copy_native(src, dst, unit, true).expect("equal lengths");
            expected.copy_from_slice(src);
            swap_in_place(expected, unit).expect("a good unit");
            assert!(dst == expected, "{unit} {skip}");
            copy_native(src, dst, unit, false).expect("equal lengths");
            assert!(dst == src, "{unit} {skip}");
        }
    }

    #[test]
    fn each_host_swaps_the_other_order() {
        use ByteOrder::{Big, Little};
        assert!(!needs_swap(Little, Little) && !needs_swap(Big, Big));
        assert!(needs_swap(Little, Big) && needs_swap(Big, Little));
        assert_eq!(HOST == Big, 1_u16.to_ne_bytes() == [0, 1]);
    }

    #[test]
    fn misuse_is_an_error() {
        assert!(copy_native(&[1], &mut [0, 0], 1, false).is_err());
        assert!(copy_native(&[1, 2, 3], &mut [0; 3], 3, true).is_err());
        assert!(swap_in_place(&mut [0; 3], 16).is_err());
    }
}
