//! Shuffle and bitshuffle with the vectors of AVX2, and GFNI where there is such.
//!
//! One network does all: `interleave` puts the first half of some vectors between the second half, which
//! rotates the bits of the index of each byte by one. So log2(N) rounds over N vectors turn N streams into
//! elements. The two halves of a vector are two such sets, of sixteen elements each.

use std::arch::asm;
use std::arch::x86_64::{
    __m128i, __m256i, _mm_loadu_si128, _mm_setzero_si128, _mm_sfence, _mm_storeu_si128,
    _mm_stream_si128, _mm_unpackhi_epi8, _mm_unpacklo_epi8, _mm256_and_si256,
    _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_loadu_si256,
    _mm256_permute2x128_si256, _mm256_set1_epi64x, _mm256_setr_epi8, _mm256_setzero_si256,
    _mm256_shuffle_epi8, _mm256_slli_epi64, _mm256_srli_epi64, _mm256_storeu_si256,
    _mm256_unpackhi_epi8, _mm256_unpacklo_epi8, _mm256_xor_si256,
};

/// Elements that are brought together at a time.
pub(super) const TILE: usize = 32;

/// Elements whose bits are brought together at a time: the bits of a vector of each of eight rows.
pub(super) const VECTORS: usize = 256;

/// Elements of which the streams are kept in the cache.
pub(super) const BIT_TILE: usize = 4 * VECTORS;

/// Brings the planes of bytes together: how many elements were done, from the first on. With `past` they
/// are written past the cache.
pub(super) fn unshuffle(planes: &[&[u8]], dst: &mut [u8], past: bool) -> usize {
    // SAFETY: this path is only taken where the processor has AVX2 (`Path::all`).
    unsafe {
        match (planes.len(), past && dst.as_ptr().cast::<__m128i>().is_aligned()) {
            (2, _) => unshuffle_tiles::<2, 1, false>(planes, dst),
            (4, false) => unshuffle_tiles::<4, 2, false>(planes, dst),
            (4, true) => unshuffle_tiles::<4, 2, true>(planes, dst),
            (8, false) => unshuffle_tiles::<8, 3, false>(planes, dst),
            (8, true) => unshuffle_tiles::<8, 3, true>(planes, dst),
            (16, _) => unshuffle_tiles::<16, 4, false>(planes, dst),
            (17.., _) => unshuffle_wide(planes, dst),
            _ => 0,
        }
    }
}

/// As [`unshuffle`], of bits.
pub(super) fn bitunshuffle(
    src: &[u8],
    dst: &mut [u8],
    typesize: usize,
    past: bool,
    gfni: bool,
) -> usize {
    // SAFETY: this path is only taken where the processor has AVX2, and `gfni` is only said where
    // it has GFNI (`Path::all`).
    unsafe {
        if gfni {
            bitunshuffle_tiles::<true>(src, dst, typesize, past)
        } else {
            bitunshuffle_tiles::<false>(src, dst, typesize, past)
        }
    }
}

/// The 32 bytes from `at` on.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load(bytes: &[u8], at: usize) -> __m256i {
    let bytes = &bytes[at..at + 32];
    // SAFETY: the slice has the 32 bytes that are loaded; no alignment is requested.
    unsafe { _mm256_loadu_si256(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store(bytes: &mut [u8], at: usize, vector: __m256i) {
    let bytes = &mut bytes[at..at + 32];
    // SAFETY: the slice has the 32 bytes that are stored; no alignment is requested.
    unsafe { _mm256_storeu_si256(bytes.as_mut_ptr().cast(), vector) }
}

/// Stores past the cache.
#[inline]
#[target_feature(enable = "avx2")]
fn store_past(bytes: &mut [u8], at: usize, vector: __m256i) {
    let bytes = &mut bytes[at..at + 32];
    let (low, high) = bytes.split_at_mut(16);
    let to = [low.as_mut_ptr(), high.as_mut_ptr()];
    debug_assert!(to[0].cast::<__m128i>().is_aligned());
    let halves = [_mm256_castsi256_si128(vector), _mm256_extracti128_si256::<1>(vector)];
    // SAFETY: the slices have the 16 bytes each that are stored. They are aligned: `unshuffle` takes
    // this path only for a destination that is, and all places in it are multiples of 16 bytes.
    unsafe {
        _mm_stream_si128(to[0].cast(), halves[0]);
        _mm_stream_si128(to[1].cast(), halves[1]);
    }
}

/// The 16 bytes from `at` on.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn load_half(bytes: &[u8], at: usize) -> __m128i {
    let bytes = &bytes[at..at + 16];
    // SAFETY: the slice has the 16 bytes that are loaded; no alignment is requested.
    unsafe { _mm_loadu_si128(bytes.as_ptr().cast()) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn store_half(bytes: &mut [u8], at: usize, vector: __m128i) {
    let bytes = &mut bytes[at..at + 16];
    // SAFETY: the slice has the 16 bytes that are stored; no alignment is requested.
    unsafe { _mm_storeu_si128(bytes.as_mut_ptr().cast(), vector) }
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn interleave<const N: usize, const ROUNDS: usize>(
    mut vectors: [__m256i; N],
) -> [__m256i; N] {
    for _ in 0..ROUNDS {
        let mut next = vectors;
        for i in 0..N / 2 {
            next[2 * i] = _mm256_unpacklo_epi8(vectors[i], vectors[i + N / 2]);
            next[2 * i + 1] = _mm256_unpackhi_epi8(vectors[i], vectors[i + N / 2]);
        }
        vectors = next;
    }
    vectors
}

/// Stores the two halves of vectors as two runs, one after the other.
#[inline]
#[target_feature(enable = "avx2")]
fn store_halves<const N: usize, const PAST: bool>(
    vectors: [__m256i; N],
    dst: &mut [u8],
    at: usize,
) {
    for m in 0..N / 2 {
        let (even, odd) = (vectors[2 * m], vectors[2 * m + 1]);
        let low = _mm256_permute2x128_si256::<0x20>(even, odd);
        let high = _mm256_permute2x128_si256::<0x31>(even, odd);
        if PAST {
            store_past(dst, at + 32 * m, low);
            store_past(dst, at + N * 16 + 32 * m, high);
        } else {
            store(dst, at + 32 * m, low);
            store(dst, at + N * 16 + 32 * m, high);
        }
    }
}

#[target_feature(enable = "avx2")]
fn unshuffle_tiles<const N: usize, const ROUNDS: usize, const PAST: bool>(
    planes: &[&[u8]],
    dst: &mut [u8],
) -> usize {
    let elements = dst.len() / N;
    let mut done = 0;
    while done + TILE <= elements {
        let mut vectors = [_mm256_setzero_si256(); N];
        for (j, vector) in vectors.iter_mut().enumerate() {
            *vector = load(planes[j], done);
        }
        store_halves::<N, PAST>(interleave::<N, ROUNDS>(vectors), dst, done * N);
        done += TILE;
    }
    if PAST {
        // Such stores are not ordered with others; any code that gets the slice expects that they are.
        _mm_sfence();
    }
    done
}

/// Elements of more than 16 bytes: sixteen streams at a time, the last of them overlapping.
#[target_feature(enable = "avx2")]
fn unshuffle_wide(planes: &[&[u8]], dst: &mut [u8]) -> usize {
    let typesize = planes.len();
    let elements = dst.len() / typesize;
    let done = elements - elements % 16;
    for first in (0..done).step_by(16) {
        for j in (0..typesize).step_by(16) {
            let j = j.min(typesize - 16);
            let mut vectors = [_mm_setzero_si128(); 16];
            for (k, vector) in vectors.iter_mut().enumerate() {
                *vector = load_half(planes[j + k], first);
            }
            for (i, vector) in transpose_16(vectors).into_iter().enumerate() {
                store_half(dst, (first + i) * typesize + j, vector);
            }
        }
    }
    done
}

#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn transpose_16(mut vectors: [__m128i; 16]) -> [__m128i; 16] {
    for _ in 0..4 {
        let mut next = vectors;
        for i in 0..8 {
            next[2 * i] = _mm_unpacklo_epi8(vectors[i], vectors[i + 8]);
            next[2 * i + 1] = _mm_unpackhi_epi8(vectors[i], vectors[i + 8]);
        }
        vectors = next;
    }
    vectors
}

/// Tile by tile: the bits of each byte of the elements to a stream of bytes, then the streams to
/// elements while they are in the cache. Rows are often a power of two apart, where a cache holds only a
/// few of them, so a tile takes several lines of the eight rows of one byte before it goes to the next.
#[target_feature(enable = "avx2")]
fn bitunshuffle_tiles<const GFNI: bool>(
    src: &[u8],
    dst: &mut [u8],
    typesize: usize,
    past: bool,
) -> usize {
    let elements = src.len() / typesize;
    let row = elements / 8;
    let whole = elements - elements % VECTORS;
    let mut streams = vec![0; if typesize == 1 { 0 } else { BIT_TILE.min(whole) * typesize }];
    let mut done = 0;
    while done < whole {
        let tile = BIT_TILE.min(whole - done);
        let to = &mut dst[done * typesize..(done + tile) * typesize];
        let (streams, to): (&mut [u8], Option<&mut [u8]>) = match typesize {
            1 => (to, None),
            _ => (&mut streams[..tile * typesize], Some(to)),
        };
        for (j, stream) in streams.chunks_exact_mut(tile).enumerate() {
            for at in (0..tile).step_by(VECTORS) {
                let mut vectors = [_mm256_setzero_si256(); 8];
                for (k, vector) in vectors.iter_mut().enumerate() {
                    *vector = load(src, (j * 8 + k) * row + (done + at) / 8);
                }
                let mut vectors = interleave::<8, 3>(vectors);
                for vector in &mut vectors {
                    *vector = transpose_bits::<GFNI>(*vector);
                }
                store_halves::<8, false>(vectors, stream, at);
            }
        }
        if let Some(to) = to {
            super::in_planes(streams, typesize, |planes| {
                let first = unshuffle(planes, to, past);
                super::portable::unshuffle(planes, to, first);
            });
        }
        done += tile;
    }
    whole
}

/// The 8 by 8 bits of each 64, rows and columns exchanged.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn transpose_bits<const GFNI: bool>(vector: __m256i) -> __m256i {
    if GFNI {
        return transpose_bits_gfni(vector);
    }
    let mut bits = vector;
    macro_rules! exchange {
        ($shift:literal, $mask:literal) => {
            let mask = _mm256_set1_epi64x($mask);
            let moved = _mm256_xor_si256(bits, _mm256_srli_epi64::<$shift>(bits));
            let moved = _mm256_and_si256(moved, mask);
            let back = _mm256_slli_epi64::<$shift>(moved);
            bits = _mm256_xor_si256(bits, _mm256_xor_si256(moved, back));
        };
    }
    exchange!(7, 0x00aa_00aa_00aa_00aa);
    exchange!(14, 0x0000_cccc_0000_cccc);
    exchange!(28, 0x0000_0000_f0f0_f0f0);
    bits
}

/// A product of bit matrices, of which the second has a single bit in each row: it gives the columns of
/// the first. Its rows count from the last byte on, so they are reversed before.
#[inline]
#[target_feature(enable = "avx2")]
fn transpose_bits_gfni(vector: __m256i) -> __m256i {
    let reverse = _mm256_setr_epi8(
        7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 15, 14, 13,
        12, 11, 10, 9, 8,
    );
    let rows = _mm256_shuffle_epi8(vector, reverse);
    let one_bit_each = _mm256_set1_epi64x(0x8040_2010_0804_0201_u64 as i64);
    let columns;
    // SAFETY: an instruction on registers alone. The only callers are those of the path that is
    // taken where the processor has GFNI, and AVX2, so also the form of it for 256 bits.
    unsafe {
        asm!(
            "vgf2p8affineqb {columns}, {bits}, {rows}, 0",
            columns = lateout(ymm_reg) columns,
            bits = in(ymm_reg) one_bit_each,
            rows = in(ymm_reg) rows,
            options(pure, nomem, nostack, preserves_flags),
        );
    }
    columns
}
