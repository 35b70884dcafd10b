//! The CRC-32C of a file, from pieces of it that are written in any order, by several threads or processes.
//!
//! Without its first and last inversion a CRC is linear: that of a file is the sum of those of its pieces, each
//! multiplied by x^(8 d) for the distance d in bytes to the end of the file. Bytes that are 0 contribute nothing. The end
//! is not known while pieces are written, so each one is moved to address 0 instead: x has an inverse.

/// CRC-32C, whose lowest bit is x^31.
const POLYNOMIAL: u32 = 0x82f6_3b78;
/// The polynomial is 1.
const ONE: u32 = 1 << 31;
/// x to the power of this is 1.
const ORDER: u64 = (1 << 31) - 1;
/// Powers of x: by each of the bytes of an exponent.
static POWERS: [[u32; 256]; 4] = powers();

/// The product of two polynomials modulo that of the CRC.
const fn product(a: u32, b: u32) -> u32 {
    let (mut sum, mut shifted, mut at) = (0, b, 0);
    while at < 32 {
        if a & (ONE >> at) != 0 {
            sum ^= shifted;
        }
        shifted = if shifted & 1 == 1 { (shifted >> 1) ^ POLYNOMIAL } else { shifted >> 1 };
        at += 1;
    }
    sum
}

const fn powers() -> [[u32; 256]; 4] {
    let mut powers = [[ONE; 256]; 4];
    let (mut byte, mut base) = (0, ONE >> 1);
    while byte < 4 {
        let mut at = 1;
        while at < 256 {
            powers[byte][at] = product(powers[byte][at - 1], base);
            at += 1;
        }
        base = product(powers[byte][255], base);
        byte += 1;
    }
    powers
}

/// x to a power that is less than [`ORDER`].
fn power(exponent: u64) -> u32 {
    let bytes = (exponent as u32).to_le_bytes();
    let factors = POWERS.iter().zip(bytes);
    factors.fold(ONE, |power, (powers, byte)| product(power, powers[usize::from(byte)]))
}

/// The bits from the beginning of a file to an address, as an exponent.
fn bits(address: u64) -> u64 {
    address % ORDER * 8 % ORDER
}

/// Pieces of a file, all of which are apart from each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Pieces {
    /// Their CRCs, added as if all of them ended at address 0.
    pub(crate) sum: u32,
    /// Their bytes; `u64::MAX` if other bytes were written, too.
    pub(crate) bytes: u64,
}

impl Pieces {
    /// A piece: its bytes, and where it begins.
    pub(crate) fn of(address: u64, bytes: &[u8]) -> Pieces {
        let length = bytes.len() as u64;
        let crc = !crc32c::crc32c_append(u32::MAX, bytes);
        let back = power((ORDER - bits(address.wrapping_add(length))) % ORDER);
        Pieces { sum: product(crc, back), bytes: length }
    }

    /// Other pieces of the same file.
    pub(crate) fn join(&mut self, other: Pieces) {
        self.sum ^= other.sum;
        self.bytes = self.bytes.saturating_add(other.bytes);
    }

    /// Other bytes were written, and nobody knows which.
    pub(crate) fn forget(&mut self) {
        self.bytes = u64::MAX;
    }

    /// The CRC-32C of a file of this length, if all other bytes of it are 0.
    pub(crate) fn crc32c(self, length: u64) -> u32 {
        !product(!self.sum, power(bits(length)))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn x_has_this_order() {
        assert_eq!(product(power(ORDER - 1), power(1)), ONE);
        assert_eq!(product(power(ORDER / 7), power(ORDER / 7 * 6 + ORDER % 7)), ONE);
        // A piece far behind 2^31 bytes, and its distance to the end.
        let far = Pieces::of(5 << 40, b"abc").crc32c((5 << 40) + 3);
        let near = Pieces::of((5 << 40) % ORDER, b"abc").crc32c((5 << 40) % ORDER + 3);
        assert_eq!(far, near);
    }

    proptest! {
        #[test]
        fn pieces_make_the_sum_of_the_whole(
            bytes in prop::collection::vec(any::<u8>(), 0..300),
            mut cuts in prop::collection::vec(0_usize..300, 0..8),
            zeros in 0_usize..8,
            turned in any::<bool>(),
        ) {
            let mut file = bytes;
            cuts.extend([0, 300]);
            cuts.sort_unstable();
            let mut all = Vec::new();
            for (at, ends) in cuts.windows(2).enumerate() {
                let range = ends[0].min(file.len())..ends[1].min(file.len());
                if at == zeros {
                    // Nobody writes these.
                    file[range].fill(0);
                } else {
                    all.push(Pieces::of(range.start as u64, &file[range]));
                }
            }
            if turned {
                all.reverse();
            }
            let mut joined = Pieces::default();
            all.into_iter().for_each(|piece| joined.join(piece));
            prop_assert_eq!(joined.crc32c(file.len() as u64), crc32c::crc32c(&file));
        }
    }
}
