//! Shuffle and bitshuffle undone with the vectors of NEON.
//!
//! The network is that of AVX2: `zip` puts the first half of some vectors between the second half, so that
//! log2(N) rounds over N vectors turn N streams into elements.

use std::arch::aarch64::{
    uint8x16_t, vandq_u64, vdupq_n_u8, vdupq_n_u64, veorq_u64, vld1q_u8, vreinterpretq_u8_u64,
    vreinterpretq_u64_u8, vshlq_n_u64, vshrq_n_u64, vst1q_u8, vzip1q_u8, vzip2q_u8,
};

/// Elements that are brought together at a time.
const TILE: usize = 16;

/// Elements whose bits are brought together at a time: the bits of a vector of each of eight rows.
const VECTORS: usize = 128;

/// Elements of which the streams are kept in the cache.
const BIT_TILE: usize = 8 * VECTORS;

/// Brings the planes of bytes together: how many elements were done, from the first on.
pub(super) fn unshuffle(planes: &[&[u8]], dst: &mut [u8]) -> usize {
    // SAFETY: this path is only taken where the processor has NEON (`Path::all`).
    unsafe {
        match planes.len() {
            2 => unshuffle_tiles::<2, 1>(planes, dst),
            4 => unshuffle_tiles::<4, 2>(planes, dst),
            8 => unshuffle_tiles::<8, 3>(planes, dst),
            16 => unshuffle_tiles::<16, 4>(planes, dst),
            17.. => unshuffle_wide(planes, dst),
            _ => 0,
        }
    }
}

/// As [`unshuffle`], of bits.
pub(super) fn bitunshuffle(src: &[u8], dst: &mut [u8], typesize: usize) -> usize {
    // SAFETY: this path is only taken where the processor has NEON (`Path::all`).
    unsafe { bitunshuffle_tiles(src, dst, typesize) }
}

/// The 16 bytes from `at` on.
#[inline]
#[target_feature(enable = "neon")]
fn load(bytes: &[u8], at: usize) -> uint8x16_t {
    let bytes = &bytes[at..at + 16];
    // SAFETY: the slice has the 16 bytes that are loaded; no alignment is requested.
    unsafe { vld1q_u8(bytes.as_ptr()) }
}

#[inline]
#[target_feature(enable = "neon")]
fn store(bytes: &mut [u8], at: usize, vector: uint8x16_t) {
    let bytes = &mut bytes[at..at + 16];
    // SAFETY: the slice has the 16 bytes that are stored; no alignment is requested.
    unsafe { vst1q_u8(bytes.as_mut_ptr(), vector) }
}

#[inline]
#[target_feature(enable = "neon")]
fn interleave<const N: usize, const ROUNDS: usize>(
    mut vectors: [uint8x16_t; N],
) -> [uint8x16_t; N] {
    for _ in 0..ROUNDS {
        let mut next = vectors;
        for i in 0..N / 2 {
            next[2 * i] = vzip1q_u8(vectors[i], vectors[i + N / 2]);
            next[2 * i + 1] = vzip2q_u8(vectors[i], vectors[i + N / 2]);
        }
        vectors = next;
    }
    vectors
}

#[target_feature(enable = "neon")]
fn unshuffle_tiles<const N: usize, const ROUNDS: usize>(planes: &[&[u8]], dst: &mut [u8]) -> usize {
    let elements = dst.len() / N;
    let mut done = 0;
    while done + TILE <= elements {
        let mut vectors = [vdupq_n_u8(0); N];
        for (plane, vector) in planes.iter().zip(&mut vectors) {
            *vector = load(plane, done);
        }
        for (m, vector) in interleave::<N, ROUNDS>(vectors).into_iter().enumerate() {
            store(dst, done * N + 16 * m, vector);
        }
        done += TILE;
    }
    done
}

/// Elements of more than 16 bytes: sixteen streams at a time, the last of them overlapping.
#[target_feature(enable = "neon")]
fn unshuffle_wide(planes: &[&[u8]], dst: &mut [u8]) -> usize {
    let typesize = planes.len();
    let elements = dst.len() / typesize;
    let done = elements - elements % TILE;
    for first in (0..done).step_by(TILE) {
        for j in (0..typesize).step_by(16) {
            let j = j.min(typesize - 16);
            let mut vectors = [vdupq_n_u8(0); 16];
            for (plane, vector) in planes[j..].iter().zip(&mut vectors) {
                *vector = load(plane, first);
            }
            for (i, vector) in interleave::<16, 4>(vectors).into_iter().enumerate() {
                store(dst, (first + i) * typesize + j, vector);
            }
        }
    }
    done
}

/// Tile by tile: the bits of each byte of the elements to a stream of bytes, then the streams to elements
/// while they are in the cache.
#[target_feature(enable = "neon")]
fn bitunshuffle_tiles(src: &[u8], dst: &mut [u8], typesize: usize) -> usize {
    let elements = src.len() / typesize;
    let row = elements / 8;
    let whole = elements - elements % VECTORS;
    let mut streams = vec![0; BIT_TILE.min(whole) * typesize];
    let mut done = 0;
    while done < whole {
        let tile = BIT_TILE.min(whole - done);
        let to = &mut dst[done * typesize..(done + tile) * typesize];
        let streams = &mut streams[..tile * typesize];
        for (j, stream) in streams.chunks_exact_mut(tile).enumerate() {
            for at in (0..tile).step_by(VECTORS) {
                let mut vectors = [vdupq_n_u8(0); 8];
                for (k, vector) in vectors.iter_mut().enumerate() {
                    *vector = load(src, (j * 8 + k) * row + (done + at) / 8);
                }
                for (m, vector) in interleave::<8, 3>(vectors).into_iter().enumerate() {
                    store(stream, at + 16 * m, transpose_bits(vector));
                }
            }
        }
        super::in_planes(streams, typesize, |planes| {
            let first = unshuffle(planes, to);
            super::portable::unshuffle(planes, to, first);
        });
        done += tile;
    }
    whole
}

/// The 8 by 8 bits of each 64, rows and columns exchanged.
#[inline]
#[target_feature(enable = "neon")]
fn transpose_bits(vector: uint8x16_t) -> uint8x16_t {
    let mut bits = vreinterpretq_u64_u8(vector);
    macro_rules! exchange {
        ($shift:literal, $mask:literal) => {
            let moved = veorq_u64(bits, vshrq_n_u64::<$shift>(bits));
            let moved = vandq_u64(moved, vdupq_n_u64($mask));
            bits = veorq_u64(bits, veorq_u64(moved, vshlq_n_u64::<$shift>(moved)));
        };
    }
    exchange!(7, 0x00aa_00aa_00aa_00aa);
    exchange!(14, 0x0000_cccc_0000_cccc);
    exchange!(28, 0x0000_0000_f0f0_f0f0);
    vreinterpretq_u8_u64(bits)
}
