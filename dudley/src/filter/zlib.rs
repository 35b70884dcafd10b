//! A zlib stream encoded by several threads: parts that end on a byte, one behind the other.

use std::io;

use flate2::{Compress, Compression, FlushCompress};

use super::{FilterError, Parts, Result};

/// Bytes of a part. What repeats something of the part before it is stored again, which is little of this many.
const PART: usize = 1 << 20;

/// The largest prime below 2 to the power of 16, by which the checksum is taken.
const PRIME: u32 = 65_521;

/// This many bytes can be added up before the remainder must be taken.
const SUMS: usize = 5552;

/// What ends a stream whose parts all go on: a last part with nothing in it.
const LAST: [u8; 2] = [3, 0];

/// The parts of one stream.
pub(super) struct Deflated {
    level: Compression,
    adler: Adler,
    begun: bool,
}

/// The checksum of zlib (RFC 1950), as two sums.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Adler(u32, u32);

impl Adler {
    const EMPTY: Adler = Adler(1, 0);

    fn of(bytes: &[u8]) -> Adler {
        let Adler(mut one, mut two) = Adler::EMPTY;
        for some in bytes.chunks(SUMS) {
            for byte in some {
                one += u32::from(*byte);
                two += one;
            }
            (one, two) = (one % PRIME, two % PRIME);
        }
        Adler(one, two)
    }

    /// That of some bytes, and `len` more behind them.
    fn then(self, more: Adler, len: usize) -> Adler {
        let before = self.0 + PRIME - 1;
        let len = (len % PRIME as usize) as u32;
        // Less than the square of the prime, which is below 2 to the power of 32.
        let added = before % PRIME * len % PRIME;
        Adler((before + more.0) % PRIME, (self.1 + more.1 + added) % PRIME)
    }
}

impl Deflated {
    /// A stream of a level from 0 to 9.
    pub(super) fn new(level: Compression) -> Deflated {
        Deflated { level, adler: Adler::EMPTY, begun: false }
    }

    fn begin(&mut self, stored: &mut Vec<u8>) {
        if !self.begun {
            let level = match self.level.level() {
                0..=1 => 0x01,
                2..=5 => 0x5e,
                6 => 0x9c,
                _ => 0xda,
            };
            stored.extend([0x78, level]);
            self.begun = true;
        }
    }
}

impl Parts for Deflated {
    type Coded = (Vec<u8>, Adler);

    fn cut(&mut self, raw: &[u8], _: usize, ends: &mut Vec<usize>) {
        ends.extend((PART..=raw.len()).step_by(PART));
    }

    fn code(&self, part: &[u8]) -> Result<Self::Coded> {
        let mut encoder = Compress::new(self.level, false);
        let mut stored = Vec::with_capacity(part.len() / 2 + 64);
        loop {
            let done = encoder.total_in() as usize;
            let flush = FlushCompress::Sync;
            let status = encoder.compress_vec(&part[done..], &mut stored, flush);
            status.map_err(|error| FilterError::Encode(io::Error::other(error)))?;
            // With room left there is no more to come.
            if encoder.total_in() as usize == part.len() && stored.len() < stored.capacity() {
                return Ok((stored, Adler::of(part)));
            }
            stored.reserve(part.len() / 2 + 64);
        }
    }

    fn join(&mut self, coded: Self::Coded, raw: &[u8], stored: &mut Vec<u8>) -> Result<()> {
        self.begin(stored);
        stored.extend(coded.0);
        self.adler = self.adler.then(coded.1, raw.len());
        Ok(())
    }

    fn end(&mut self, stored: &mut Vec<u8>) -> Result<()> {
        self.begin(stored);
        stored.extend(LAST);
        stored.extend((self.adler.1 << 16 | self.adler.0).to_be_bytes());
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_of_parts_are_those_of_the_whole() {
        // Of the text `Wikipedia`, by the article on it.
        assert_eq!(Adler::of(b"Wikipedia"), Adler(0x0398, 0x11e6));
        let bytes: Vec<u8> =
            (0..400_000_u32).map(|at| (at.wrapping_mul(at) >> 3) as u8 | 0x80).collect();
        for cut in [0, 1, 5552, 65_521, 399_999, 400_000] {
            let (first, rest) = bytes.split_at(cut);
            let both = Adler::of(first).then(Adler::of(rest), rest.len());
            assert_eq!(both, Adler::of(&bytes), "{cut}");
        }
    }
}
