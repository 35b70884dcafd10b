//! Short copies of LZ4, each of them made by one instruction that puts the bytes of a vector in any order.

use std::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_shuffle_epi8, _mm_storeu_si128};

use super::COPY;

/// For each distance the bytes that follow, as places in the bytes that are there.
static FOLLOWING: [[u8; COPY]; COPY + 1] = following();

const fn following() -> [[u8; COPY]; COPY + 1] {
    let mut all = [[0; COPY]; COPY + 1];
    let mut distance = 1;
    while distance <= COPY {
        let mut at = 0;
        while at < COPY {
            all[distance][at] = (at % distance) as u8;
            at += 1;
        }
        distance += 1;
    }
    all
}

/// As [`super::short`], where the processor has AVX2.
pub(super) fn short(
    src: &[u8],
    dst: &mut [u8],
    needed: usize,
    at: (usize, usize),
) -> Option<(usize, usize)> {
    // SAFETY: this path is only taken where the processor has AVX2 (`Path::all`).
    unsafe { short_avx2(src, dst, needed, at) }
}

#[target_feature(enable = "avx2")]
fn short_avx2(
    src: &[u8],
    dst: &mut [u8],
    needed: usize,
    at: (usize, usize),
) -> Option<(usize, usize)> {
    super::pairs(src, dst, needed, at, |bytes, distance| {
        let vector = _mm_shuffle_epi8(load(&bytes), load(&FOLLOWING[distance]));
        let mut bytes = [0; COPY];
        // SAFETY: the array has the 16 bytes that are stored; no alignment is requested.
        unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), vector) };
        bytes
    })
}

#[inline]
#[target_feature(enable = "avx2")]
fn load(bytes: &[u8; COPY]) -> __m128i {
    // SAFETY: the array has the 16 bytes that are loaded; no alignment is requested.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}
