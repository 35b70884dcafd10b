//! Shuffle and bitshuffle with the vectors of AVX2, and GFNI where there is such.
//!
//! The network of the way back (`x86.rs`) once more: it rotates the bits of the index of each byte, and four
//! rounds of it over N vectors bring the index of the element, of sixteen in each half of a vector, to
//! where that of the byte within the element was. So elements become N streams.

use std::arch::x86_64::{
    __m128i, _mm_setzero_si128, _mm256_permute2x128_si256, _mm256_setzero_si256,
};

use super::x86::{
    BIT_TILE, TILE, VECTORS, interleave, load, load_half, store, store_half, transpose_16,
    transpose_bits,
};

/// How many elements were done, from the first on.
pub(super) fn shuffle(src: &[u8], dst: &mut [u8], typesize: usize) -> usize {
    // SAFETY: this path is only taken where the processor has AVX2 (`Path::all`).
    unsafe {
        match typesize {
            2 => shuffle_tiles::<2>(src, dst),
            4 => shuffle_tiles::<4>(src, dst),
            8 => shuffle_tiles::<8>(src, dst),
            16 => shuffle_tiles::<16>(src, dst),
            17.. => shuffle_wide(src, dst, typesize),
            _ => 0,
        }
    }
}

/// As [`shuffle`], of bits.
pub(super) fn bitshuffle(src: &[u8], dst: &mut [u8], typesize: usize, gfni: bool) -> usize {
    // SAFETY: this path is only taken where the processor has AVX2, and `gfni` is only said where
    // it has GFNI (`Path::all`).
    unsafe {
        if gfni {
            bitshuffle_tiles::<true>(src, dst, typesize)
        } else {
            bitshuffle_tiles::<false>(src, dst, typesize)
        }
    }
}

/// Two runs, one after the other, as the two halves of vectors.
#[inline]
#[target_feature(enable = "avx2")]
fn load_halves<const N: usize>(src: &[u8], at: usize) -> [std::arch::x86_64::__m256i; N] {
    let mut vectors = [_mm256_setzero_si256(); N];
    for m in 0..N / 2 {
        let (low, high) = (load(src, at + 32 * m), load(src, at + N * 16 + 32 * m));
        vectors[2 * m] = _mm256_permute2x128_si256::<0x20>(low, high);
        vectors[2 * m + 1] = _mm256_permute2x128_si256::<0x31>(low, high);
    }
    vectors
}

#[target_feature(enable = "avx2")]
fn shuffle_tiles<const N: usize>(src: &[u8], dst: &mut [u8]) -> usize {
    let elements = src.len() / N;
    let mut done = 0;
    while done + TILE <= elements {
        let streams = interleave::<N, 4>(load_halves::<N>(src, done * N));
        for (j, stream) in streams.into_iter().enumerate() {
            store(dst, j * elements + done, stream);
        }
        done += TILE;
    }
    done
}

/// Elements of more than 16 bytes: sixteen streams at a time, the last of them overlapping.
#[target_feature(enable = "avx2")]
fn shuffle_wide(src: &[u8], dst: &mut [u8], typesize: usize) -> usize {
    let elements = src.len() / typesize;
    let done = elements - elements % 16;
    for first in (0..done).step_by(16) {
        for j in (0..typesize).step_by(16) {
            let j = j.min(typesize - 16);
            let mut vectors: [__m128i; 16] = [_mm_setzero_si128(); 16];
            for (i, vector) in vectors.iter_mut().enumerate() {
                *vector = load_half(src, (first + i) * typesize + j);
            }
            for (k, vector) in transpose_16(vectors).into_iter().enumerate() {
                store_half(dst, (j + k) * elements + first, vector);
            }
        }
    }
    done
}

/// Tile by tile: elements to streams of bytes, then the bits of each to eight rows.
#[target_feature(enable = "avx2")]
fn bitshuffle_tiles<const GFNI: bool>(src: &[u8], dst: &mut [u8], typesize: usize) -> usize {
    let elements = src.len() / typesize;
    let row = elements / 8;
    let whole = elements - elements % VECTORS;
    let mut streams = vec![0; if typesize == 1 { 0 } else { BIT_TILE.min(whole) * typesize }];
    let mut done = 0;
    while done < whole {
        let tile = BIT_TILE.min(whole - done);
        let from = &src[done * typesize..(done + tile) * typesize];
        let streams = match typesize {
            1 => from,
            _ => {
                let streams = &mut streams[..tile * typesize];
                let first = shuffle(from, streams, typesize);
                super::portable::shuffle(from, streams, typesize, first);
                streams
            }
        };
        for (j, stream) in streams.chunks_exact(tile).enumerate() {
            for at in (0..tile).step_by(VECTORS) {
                let mut vectors = load_halves::<8>(stream, at);
                for vector in &mut vectors {
                    *vector = transpose_bits::<GFNI>(*vector);
                }
                for (k, vector) in interleave::<8, 4>(vectors).into_iter().enumerate() {
                    store(dst, (j * 8 + k) * row + (done + at) / 8, vector);
                }
            }
        }
        done += tile;
    }
    whole
}
