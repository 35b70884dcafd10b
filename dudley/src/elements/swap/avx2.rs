//! The swap loops for processors with AVX2.
//!
//! The plain loop is compiled with wider vectors. A copy that is larger than the caches is
//! written past them: without that, each line of the destination is first read from memory to be
//! overwritten. Fresh memory is in the cache already, since the kernel has just zeroed it.

use std::arch::x86_64::{
    __m128i, __m256i, _mm_loadu_si128, _mm_sfence, _mm256_broadcastsi128_si256, _mm256_loadu_si256,
    _mm256_shuffle_epi8, _mm256_stream_si256,
};

use super::Byte;

/// Below this many bytes a call costs more than vectors save.
pub(super) const SMALL: usize = 128;

/// Destinations of at least this many bytes leave nothing of use in the cache.
pub(super) const LARGE: usize = 16 << 20;

/// The bytes of one vector.
const VECTOR: usize = size_of::<__m256i>();

#[target_feature(enable = "avx2")]
pub(super) fn copy<const N: usize, B: Byte>(src: &[u8], dst: &mut [B], past: bool) {
    if !past {
        super::copy_swapped::<N, B>(src, dst);
        return;
    }
    // The destination of a vector must be aligned for it, so at a whole unit from the start.
    let before = dst.as_ptr().align_offset(VECTOR);
    if !before.is_multiple_of(N) || before > src.len() {
        super::copy_swapped::<N, B>(src, dst);
        return;
    }
    let (src_start, src) = src.split_at(before);
    let (dst_start, dst) = dst.split_at_mut(before);
    super::copy_swapped::<N, B>(src_start, dst_start);
    let vectors = src.len().min(dst.len()) / VECTOR * VECTOR;
    let (src, src_end) = src.split_at(vectors);
    let (dst, dst_end) = dst.split_at_mut(vectors);
    stream::<N, B>(src, dst);
    super::copy_swapped::<N, B>(src_end, dst_end);
}

#[target_feature(enable = "avx2")]
pub(super) fn in_place<const N: usize>(bytes: &mut [u8]) {
    super::swap_all::<N>(bytes);
}

/// Copies whole vectors to an aligned destination of the same length.
#[target_feature(enable = "avx2")]
fn stream<const N: usize, B: Byte>(src: &[u8], dst: &mut [B]) {
    let mut lanes = [0_u8; 16];
    for (i, lane) in lanes.iter_mut().enumerate() {
        *lane = (i / N * N + N - 1 - i % N) as u8;
    }
    // SAFETY: the array has the 16 bytes that are loaded.
    let lanes: __m128i = unsafe { _mm_loadu_si128(lanes.as_ptr().cast()) };
    let lanes = _mm256_broadcastsi128_si256(lanes);
    let (src, _) = src.as_chunks::<VECTOR>();
    let (dst, _) = dst.as_chunks_mut::<VECTOR>();
    for (to, from) in dst.iter_mut().zip(src) {
        // SAFETY: `from` and `to` are of the 32 bytes of a vector. `to` is aligned for it: the
        // only caller passes a slice that begins aligned, and each chunk is one vector long.
        // `Byte` is `u8` or `MaybeUninit<u8>`, which may both be overwritten by any bytes.
        unsafe {
            let vector = _mm256_loadu_si256(from.as_ptr().cast());
            _mm256_stream_si256(to.as_mut_ptr().cast(), _mm256_shuffle_epi8(vector, lanes));
        }
    }
    // Such stores are not ordered with others; any code that gets the slice expects that they are.
    _mm_sfence();
}
