//! MD5 (RFC 1321), the digest of blocks.
//!
//! It is a chain in which each step waits for the one before it, so its speed is that of the longest way
//! through a step. The additions stand in the order in which their terms are known; the constants are handed in
//! as a variable, as compilers put known ones last, where they make the chain longer by a third.

use std::hint::black_box;

/// Bytes that are worked in together.
const BLOCK: usize = 64;

/// What is added in each step: the sines of 1 to 64, as RFC 1321 has them.
const SINES: [u32; 64] = [
    0xd76a_a478,
    0xe8c7_b756,
    0x2420_70db,
    0xc1bd_ceee,
    0xf57c_0faf,
    0x4787_c62a,
    0xa830_4613,
    0xfd46_9501,
    0x6980_98d8,
    0x8b44_f7af,
    0xffff_5bb1,
    0x895c_d7be,
    0x6b90_1122,
    0xfd98_7193,
    0xa679_438e,
    0x49b4_0821,
    0xf61e_2562,
    0xc040_b340,
    0x265e_5a51,
    0xe9b6_c7aa,
    0xd62f_105d,
    0x0244_1453,
    0xd8a1_e681,
    0xe7d3_fbc8,
    0x21e1_cde6,
    0xc337_07d6,
    0xf4d5_0d87,
    0x455a_14ed,
    0xa9e3_e905,
    0xfcef_a3f8,
    0x676f_02d9,
    0x8d2a_4c8a,
    0xfffa_3942,
    0x8771_f681,
    0x6d9d_6122,
    0xfde5_380c,
    0xa4be_ea44,
    0x4bde_cfa9,
    0xf6bb_4b60,
    0xbebf_bc70,
    0x289b_7ec6,
    0xeaa1_27fa,
    0xd4ef_3085,
    0x0488_1d05,
    0xd9d4_d039,
    0xe6db_99e5,
    0x1fa2_7cf8,
    0xc4ac_5665,
    0xf429_2244,
    0x432a_ff97,
    0xab94_23a7,
    0xfc93_a039,
    0x655b_59c3,
    0x8f0c_cc92,
    0xffef_f47d,
    0x8584_5dd1,
    0x6fa8_7e4f,
    0xfe2c_e6e0,
    0xa301_4314,
    0x4e08_11a1,
    0xf753_7e82,
    0xbd3a_f235,
    0x2ad7_d2bb,
    0xeb86_d391,
];

/// By how many bits each round turns, over and over.
const TURNS: [[u32; 4]; 4] = [[7, 12, 17, 22], [5, 9, 14, 20], [4, 11, 16, 23], [6, 10, 15, 21]];

/// A digest of bytes that come one after the other.
#[derive(Clone)]
pub(super) struct Md5 {
    state: [u32; 4],
    /// The last bytes, which are no whole block yet.
    open: [u8; BLOCK],
    /// All bytes so far.
    length: u64,
}

impl Md5 {
    pub(super) fn new() -> Md5 {
        let state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476];
        Md5 { state, open: [0; BLOCK], length: 0 }
    }

    /// The digest of some bytes.
    pub(super) fn digest(bytes: &[u8]) -> [u8; 16] {
        let mut hasher = Md5::new();
        hasher.update(bytes);
        hasher.finish()
    }

    /// Takes the next bytes.
    pub(super) fn update(&mut self, mut bytes: &[u8]) {
        let held = (self.length % BLOCK as u64) as usize;
        self.length = self.length.wrapping_add(bytes.len() as u64);
        if held > 0 {
            let taken = bytes.len().min(BLOCK - held);
            self.open[held..held + taken].copy_from_slice(&bytes[..taken]);
            bytes = &bytes[taken..];
            if held + taken < BLOCK {
                return;
            }
            let open = self.open;
            self.blocks(&[open]);
        }
        let (blocks, rest) = bytes.as_chunks();
        self.blocks(blocks);
        self.open[..rest.len()].copy_from_slice(rest);
    }

    /// The digest of all that was taken.
    pub(super) fn finish(mut self) -> [u8; 16] {
        let bits = self.length.wrapping_mul(8);
        // A bit, zeros up to eight bytes before the end of a block, and the length there.
        let held = (self.length % BLOCK as u64) as usize;
        let mut tail = [0; 2 * BLOCK];
        tail[0] = 0x80;
        let zeros = (2 * BLOCK - 8 - held - 1) % BLOCK;
        tail[1 + zeros..][..8].copy_from_slice(&bits.to_le_bytes());
        self.update(&tail[..zeros + 9]);
        let mut digest = [0; 16];
        for (bytes, word) in digest.chunks_exact_mut(4).zip(self.state) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        digest
    }

    fn blocks(&mut self, blocks: &[[u8; BLOCK]]) {
        let sines: &[u32; 64] = black_box(&SINES);
        for block in blocks {
            let mut words = [0; 16];
            for (word, bytes) in words.iter_mut().zip(block.as_chunks().0) {
                *word = u32::from_le_bytes(*bytes);
            }
            let mut state = self.state;
            round::<0>(&mut state, &words, sines);
            round::<1>(&mut state, &words, sines);
            round::<2>(&mut state, &words, sines);
            round::<3>(&mut state, &words, sines);
            for (own, new) in self.state.iter_mut().zip(state) {
                *own = own.wrapping_add(new);
            }
        }
    }
}

/// Sixteen steps, four for each part of the state in turn.
#[inline(always)]
fn round<const R: usize>(state: &mut [u32; 4], words: &[u32; 16], sines: &[u32; 64]) {
    let [mut a, mut b, mut c, mut d] = *state;
    let sines = &sines[16 * R..16 * R + 16];
    // Unrolled by the compiler: which word comes when is known then.
    for four in 0..4 {
        let step = |of: usize, a: u32, b, c, d| {
            let at = 4 * four + of;
            let word = match R {
                0 => words[at],
                1 => words[(5 * at + 1) % 16],
                2 => words[(3 * at + 5) % 16],
                _ => words[7 * at % 16],
            };
            let known = a.wrapping_add(sines[at]).wrapping_add(word);
            mixed::<R>(known, b, c, d).rotate_left(TURNS[R][of]).wrapping_add(b)
        };
        a = step(0, a, b, c, d);
        d = step(1, d, a, b, c);
        c = step(2, c, d, a, b);
        b = step(3, b, c, d, a);
    }
    *state = [a, b, c, d];
}

/// What is known, and what the round makes of the other parts; `b` is the last one that is known.
#[inline(always)]
fn mixed<const R: usize>(known: u32, b: u32, c: u32, d: u32) -> u32 {
    match R {
        0 => known.wrapping_add(d ^ (b & (c ^ d))),
        // No bit is set in both, so that a sum does for an or.
        1 => known.wrapping_add(c & !d).wrapping_add(b & d),
        2 => known.wrapping_add(b ^ (c ^ d)),
        _ => known.wrapping_add(c ^ (b | !d)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hex(digest: [u8; 16]) -> String {
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    #[test]
    fn digests_are_those_of_the_text_that_describes_them() {
        let digits = "1234567890".repeat(8);
        for (text, digest) in [
            ("", "d41d8cd98f00b204e9800998ecf8427e"),
            ("a", "0cc175b9c0f1b6a831c399e269772661"),
            ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
            ("abcdefghijklmnopqrstuvwxyz", "c3fcd3d76192e4007dfb496cca67e13b"),
            (&digits, "57edf4a22be3c955ac49da2e2107b67a"),
        ] {
            assert_eq!(hex(Md5::digest(text.as_bytes())), digest, "{text}");
        }
    }

    #[test]
    fn bytes_may_come_in_any_parts() {
        let bytes: Vec<u8> = (0..1000_u32).map(|at| ((at * at) >> 2) as u8).collect();
        for len in (0..200).chain([1000]) {
            let whole = Md5::digest(&bytes[..len]);
            for step in [1, 3, 55, 63, 64, 65, 130] {
                let mut hasher = Md5::new();
                bytes[..len].chunks(step).for_each(|some| hasher.update(some));
                assert_eq!(hasher.finish(), whole, "{len} {step}");
            }
        }
        // By Python: `hashlib.md5(bytes(at * at >> 2 & 0xff for at in range(1000))).hexdigest()`.
        assert_eq!(hex(Md5::digest(&bytes)), "212b6681d60c02fbdf52deb572726196");
    }
}
