//! Shuffle and bitshuffle, done and undone, with the fastest instructions that the processor has.
//!
//! Shuffle puts the first bytes of all elements side by side, then the second ones, and so on;
//! bitshuffle does that with bits. `src` and `dst` are a block, of the same length. Bytes behind the
//! last whole element (of bitshuffle: behind the last eight) are copied. Each path gives the same
//! bytes.
//!
//! There is no path with the vectors of AVX-512. With GFNI on 256 bits transposing takes a tenth to a fifth of the
//! time of a read of lz4 with bitshuffle; the rest is the codec and memory. So vectors twice as wide could win a
//! tenth at most.

#[cfg(target_arch = "aarch64")]
mod neon;
mod portable;
#[cfg(target_arch = "x86_64")]
mod x86;
#[cfg(target_arch = "x86_64")]
mod x86_forward;

#[cfg(target_arch = "aarch64")]
use dudley::{ByteOrder, elements::HOST};

/// Which instructions are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Path {
    /// Those that every processor has.
    Portable,
    /// AVX2.
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// AVX2, and GFNI to transpose bits.
    #[cfg(target_arch = "x86_64")]
    Gfni,
    /// NEON.
    #[cfg(target_arch = "aarch64")]
    Neon,
}

impl Path {
    /// The fastest that this processor has.
    pub(crate) fn best() -> Path {
        Path::all().last().copied().unwrap_or(Path::Portable)
    }

    /// All that this processor has, the fastest last.
    pub(crate) fn all() -> &'static [Path] {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            return if is_x86_feature_detected!("gfni") {
                &[Path::Portable, Path::Avx2, Path::Gfni]
            } else {
                &[Path::Portable, Path::Avx2]
            };
        }
        // In memory of the other order the bytes of a register are counted from its other end.
        #[cfg(target_arch = "aarch64")]
        if std::arch::is_aarch64_feature_detected!("neon") && HOST == ByteOrder::Little {
            return &[Path::Portable, Path::Neon];
        }
        &[Path::Portable]
    }
}

/// How a block is brought together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kernels {
    pub(crate) path: Path,
    /// The result is part of more than the caches hold, so it is written past them where that pays.
    #[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "only vectors can"))]
    pub(crate) past: bool,
}

impl Kernels {
    /// Brings the bytes of each element together again.
    pub(crate) fn unshuffle(self, src: &[u8], dst: &mut [u8], typesize: usize) {
        let elements = src.len() / typesize.max(1);
        let (src, dst) = whole(src, dst, elements * typesize);
        if elements > 0 {
            in_planes(src, typesize, |planes| self.gather(planes, dst));
        }
    }

    /// Brings together the first bytes of all elements, the second ones, and so on. All are as many as
    /// there is room for.
    pub(crate) fn gather(self, planes: &[&[u8]], dst: &mut [u8]) {
        let done = match self.path {
            Path::Portable => 0,
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 | Path::Gfni => x86::unshuffle(planes, dst, self.past),
            #[cfg(target_arch = "aarch64")]
            Path::Neon => neon::unshuffle(planes, dst),
        };
        portable::unshuffle(planes, dst, done);
    }

    /// Brings the bits of each element together again.
    pub(crate) fn bitunshuffle(self, src: &[u8], dst: &mut [u8], typesize: usize) {
        let elements = src.len() / typesize.max(1);
        let (src, dst) = whole(src, dst, (elements - elements % 8) * typesize);
        let done = match self.path {
            Path::Portable => 0,
            #[cfg(target_arch = "x86_64")]
            Path::Avx2 => x86::bitunshuffle(src, dst, typesize, self.past, false),
            #[cfg(target_arch = "x86_64")]
            Path::Gfni => x86::bitunshuffle(src, dst, typesize, self.past, true),
            #[cfg(target_arch = "aarch64")]
            Path::Neon => neon::bitunshuffle(src, dst, typesize),
        };
        portable::bitunshuffle(src, dst, typesize, done);
    }
}

/// Puts the first bytes of all elements side by side, then the second ones, and so on.
pub(crate) fn shuffle(path: Path, src: &[u8], dst: &mut [u8], typesize: usize) {
    let elements = src.len() / typesize.max(1);
    let (src, dst) = whole(src, dst, elements * typesize);
    let done = match path {
        Path::Portable => 0,
        #[cfg(target_arch = "x86_64")]
        Path::Avx2 | Path::Gfni => x86_forward::shuffle(src, dst, typesize),
        #[cfg(target_arch = "aarch64")]
        Path::Neon => 0,
    };
    portable::shuffle(src, dst, typesize, done);
}

/// Puts the first bits of all elements side by side, then the second ones, and so on.
pub(crate) fn bitshuffle(path: Path, src: &[u8], dst: &mut [u8], typesize: usize) {
    let elements = src.len() / typesize.max(1);
    let (src, dst) = whole(src, dst, (elements - elements % 8) * typesize);
    let done = match path {
        Path::Portable => 0,
        #[cfg(target_arch = "x86_64")]
        Path::Avx2 => x86_forward::bitshuffle(src, dst, typesize, false),
        #[cfg(target_arch = "x86_64")]
        Path::Gfni => x86_forward::bitshuffle(src, dst, typesize, true),
        #[cfg(target_arch = "aarch64")]
        Path::Neon => 0,
    };
    portable::bitshuffle(src, dst, typesize, done);
}

/// The planes of as many bytes as an element has, side by side and not empty; most are few.
fn in_planes(src: &[u8], typesize: usize, work: impl FnOnce(&[&[u8]])) {
    let mut planes = src.chunks_exact(src.len() / typesize);
    if typesize <= 16 {
        let mut few: [&[u8]; 16] = [&[]; 16];
        few.iter_mut().zip(planes).for_each(|(few, plane)| *few = plane);
        return work(&few[..typesize]);
    }
    work(&planes.by_ref().collect::<Vec<_>>());
}

/// The first bytes of a block, and where they go; those behind are copied.
fn whole<'s, 'd>(src: &'s [u8], dst: &'d mut [u8], len: usize) -> (&'s [u8], &'d mut [u8]) {
    let ((src, src_tail), (dst, dst_tail)) = (src.split_at(len), dst.split_at_mut(len));
    dst_tail.copy_from_slice(src_tail);
    (src, dst)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// By the definition, byte by byte.
    fn shuffled(src: &[u8], typesize: usize) -> Vec<u8> {
        let elements = src.len() / typesize;
        let mut dst = src.to_vec();
        for (i, element) in src.chunks_exact(typesize).enumerate() {
            for (j, byte) in element.iter().enumerate() {
                dst[j * elements + i] = *byte;
            }
        }
        dst
    }

    /// By the definition, bit by bit.
    fn bitshuffled(src: &[u8], typesize: usize) -> Vec<u8> {
        let elements = src.len() / typesize / 8 * 8;
        let mut dst = src.to_vec();
        dst[..elements * typesize].fill(0);
        for i in 0..elements {
            for j in 0..typesize {
                for k in 0..8 {
                    let bit = src[i * typesize + j] >> k & 1;
                    dst[(j * 8 + k) * (elements / 8) + i / 8] |= bit << (i % 8);
                }
            }
        }
        dst
    }

    /// All paths, with source and destination that begin at any address.
    fn check(bytes: &[u8], typesize: usize, skew: usize) {
        let src = &bytes[skew.min(bytes.len())..];
        let (bytewise, bitwise) = (shuffled(src, typesize), bitshuffled(src, typesize));
        for &path in Path::all() {
            let name = format!("{path:?}, {} bytes, typesize {typesize}", src.len());
            for (forward, wanted) in
                [(shuffle as fn(Path, &[u8], &mut [u8], usize), &bytewise), (bitshuffle, &bitwise)]
            {
                let mut dst = vec![0xa5; src.len() + skew];
                forward(path, src, &mut dst[skew..], typesize);
                assert!(dst[skew..] == **wanted, "{name}");
                assert!(dst[..skew].iter().all(|byte| *byte == 0xa5), "{name}");
            }
        }
        for (&path, past) in Path::all().iter().flat_map(|path| [(path, false), (path, true)]) {
            let kernels = Kernels { path, past };
            let name = format!("{kernels:?}, {} bytes, typesize {typesize}", src.len());
            let mut dst = vec![0xa5; src.len() + skew];
            kernels.unshuffle(&bytewise, &mut dst[skew..], typesize);
            assert!(dst[skew..] == *src, "{name}");
            assert!(dst[..skew].iter().all(|byte| *byte == 0xa5), "{name}");
            dst.fill(0xa5);
            kernels.bitunshuffle(&bitwise, &mut dst[skew..], typesize);
            assert!(dst[skew..] == *src, "{name}");
            assert!(dst[..skew].iter().all(|byte| *byte == 0xa5), "{name}");
        }
    }

    #[test]
    fn every_typesize_and_many_lengths() {
        let bytes: Vec<u8> =
            (0..70_000_u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        for typesize in (1..=70).chain([128, 129, 255]) {
            for elements in [0, 1, 7, 8, 9, 31, 32, 33, 63, 255, 256, 257, 272] {
                for tail in [0, typesize / 2, typesize - 1] {
                    let len = elements * typesize + tail;
                    check(&bytes[..len + 3], typesize, 3);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn paths_agree_for_any_bytes(
            bytes in prop::collection::vec(any::<u8>(), 0..6000),
            typesize in 1_usize..=64,
            skew in 0_usize..33,
        ) {
            check(&bytes, typesize, skew);
        }
    }
}
