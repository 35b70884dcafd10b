//! The loops for every processor, and for what the vectors of others leave.
//!
//! All take whole elements only, and leave the `done` first ones as they are.

/// `planes` are the first bytes of all elements, the second ones, and so on.
pub(super) fn unshuffle(planes: &[&[u8]], dst: &mut [u8], done: usize) {
    match planes.len() {
        1 => dst[done..].copy_from_slice(&planes[0][done..]),
        2 => together::<2>(planes, dst, done),
        4 => together::<4>(planes, dst, done),
        8 => together::<8>(planes, dst, done),
        typesize => {
            let dst = &mut dst[done * typesize..];
            for (j, plane) in planes.iter().enumerate() {
                for (element, byte) in dst.chunks_exact_mut(typesize).zip(&plane[done..]) {
                    element[j] = *byte;
                }
            }
        }
    }
}

/// [`unshuffle`] of a size that is known when this is compiled.
fn together<const N: usize>(planes: &[&[u8]], dst: &mut [u8], done: usize) {
    let (to, _) = dst.as_chunks_mut::<N>();
    let planes: [&[u8]; N] = std::array::from_fn(|j| &planes[j][..to.len()]);
    for (i, element) in to.iter_mut().enumerate().skip(done) {
        *element = std::array::from_fn(|j| planes[j][i]);
    }
}

pub(super) fn bitunshuffle(src: &[u8], dst: &mut [u8], typesize: usize, done: usize) {
    let row = src.len() / typesize / 8;
    if row == 0 {
        return;
    }
    for (j, rows) in src.chunks_exact(row * 8).enumerate() {
        for group in done / 8..row {
            let mut bits = 0;
            for k in 0..8 {
                bits |= u64::from(rows[k * row + group]) << (8 * k);
            }
            let bytes = transposed(bits);
            for b in 0..8 {
                dst[(group * 8 + b) * typesize + j] = (bytes >> (8 * b)) as u8;
            }
        }
    }
}

pub(super) fn shuffle(src: &[u8], dst: &mut [u8], typesize: usize, done: usize) {
    match typesize {
        1 => dst[done..].copy_from_slice(&src[done..]),
        2 => apart::<2>(src, dst, done),
        4 => apart::<4>(src, dst, done),
        8 => apart::<8>(src, dst, done),
        _ => {
            let elements = src.len() / typesize;
            if done >= elements {
                return;
            }
            for (j, plane) in dst.chunks_exact_mut(elements).enumerate() {
                let from = src.chunks_exact(typesize).skip(done);
                for (byte, element) in plane[done..].iter_mut().zip(from) {
                    *byte = element[j];
                }
            }
        }
    }
}

/// [`shuffle`] of a size that is known when this is compiled.
fn apart<const N: usize>(src: &[u8], dst: &mut [u8], done: usize) {
    let elements = src.len() / N;
    if done >= elements {
        return;
    }
    let (from, _) = src.as_chunks::<N>();
    let mut planes = dst.chunks_exact_mut(elements);
    let mut planes: [&mut [u8]; N] = std::array::from_fn(|_| planes.next().unwrap_or_default());
    for (i, element) in from.iter().enumerate().skip(done) {
        for (plane, byte) in planes.iter_mut().zip(element) {
            plane[i] = *byte;
        }
    }
}

pub(super) fn bitshuffle(src: &[u8], dst: &mut [u8], typesize: usize, done: usize) {
    let row = src.len() / typesize / 8;
    if row == 0 {
        return;
    }
    for (j, rows) in dst.chunks_exact_mut(row * 8).enumerate() {
        for group in done / 8..row {
            let mut bytes = 0;
            for b in 0..8 {
                bytes |= u64::from(src[(group * 8 + b) * typesize + j]) << (8 * b);
            }
            let bits = transposed(bytes);
            for k in 0..8 {
                rows[k * row + group] = (bits >> (8 * k)) as u8;
            }
        }
    }
}

/// The 8 by 8 bits of a word, rows and columns exchanged.
fn transposed(mut bits: u64) -> u64 {
    for (shift, mask) in [(7, 0x00aa_00aa_00aa_00aa), (14, 0xcccc_0000_cccc), (28, 0xf0f0_f0f0)] {
        let moved = (bits ^ (bits >> shift)) & mask;
        bits ^= moved ^ (moved << shift);
    }
    bits
}
