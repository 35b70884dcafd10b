//! A bzip2 stream encoded by several threads: where its blocks end, and how they follow each other bit by bit.
//!
//! The blocks are those that one encoder would make of all bytes, so that what is stored is the same.

use std::io::{self, Write};

use super::super::{FilterError, Parts, Result};
use super::{BLOCK, CRC, END, MAGIC, bits};

/// The blocks of one stream.
pub(in super::super) struct Blocks {
    level: u32,
    runs: Runs,
    /// Of the blocks so far.
    crc: u32,
    bits: Bits,
    begun: bool,
}

/// What a block holds before it is sorted: runs of a byte, as four of it and how many more there are.
struct Runs {
    /// The byte of the run that continues, and how often it came.
    run: Option<(u8, u8)>,
    /// Bytes in the block, without that run.
    held: usize,
    /// With this many the block is full.
    full: usize,
}

impl Runs {
    /// Takes a byte; true if it begins a new block.
    fn take(&mut self, byte: u8) -> bool {
        match &mut self.run {
            Some((of, count)) if *of == byte && *count < u8::MAX => {
                *count += 1;
                return false;
            }
            // Four and more are four bytes and a number.
            Some((_, count)) => self.held += if *count < 4 { usize::from(*count) } else { 5 },
            None => {}
        }
        self.run = Some((byte, 1));
        let is_full = self.held >= self.full;
        if is_full {
            self.held = 0;
        }
        is_full
    }
}

/// Bits, of which the last ones may not be a byte yet.
#[derive(Default)]
struct Bits {
    /// They are the lowest ones.
    open: u8,
    count: usize,
}

impl Bits {
    /// Appends the first `count` bits of some bytes.
    fn push(&mut self, bytes: &[u8], count: usize, out: &mut Vec<u8>) {
        let (whole, rest) = bytes.split_at(count / 8);
        if self.count == 0 {
            out.extend_from_slice(whole);
        } else {
            for byte in whole {
                let both = u16::from(self.open) << 8 | u16::from(*byte);
                out.push((both >> self.count) as u8);
                self.open = byte & ((1 << self.count) - 1);
            }
        }
        let left = count % 8;
        let Some(byte) = rest.first().filter(|_| left > 0) else { return };
        let both = u16::from(self.open) << left | u16::from(byte >> (8 - left));
        self.count += left;
        match self.count.checked_sub(8) {
            Some(more) => {
                out.push((both >> more) as u8);
                (self.open, self.count) = ((both & ((1 << more) - 1)) as u8, more);
            }
            None => self.open = both as u8,
        }
    }

    /// Appends the lowest `count` bits of a number.
    fn push_number(&mut self, number: u64, count: usize, out: &mut Vec<u8>) {
        self.push(&(number << (64 - count)).to_be_bytes(), count, out);
    }

    /// Fills the last byte with zeros.
    fn close(&mut self, out: &mut Vec<u8>) {
        if self.count > 0 {
            out.push(self.open << (8 - self.count));
        }
        (self.open, self.count) = (0, 0);
    }
}

impl Blocks {
    /// A stream of a level from 1 to 9.
    pub(in super::super) fn new(level: u32) -> Blocks {
        // As much as an encoder lets into a block.
        let full = level as usize * 100_000 - 19;
        let runs = Runs { run: None, held: 0, full };
        Blocks { level, runs, crc: 0, bits: Bits::default(), begun: false }
    }

    fn begin(&mut self, stored: &mut Vec<u8>) {
        if !self.begun {
            stored.extend([b'B', b'Z', b'h', b'0' + self.level as u8]);
            self.begun = true;
        }
    }
}

impl Parts for Blocks {
    /// The bits of a block from a byte on, their number, and its checksum.
    type Coded = (Vec<u8>, usize, u32);

    fn cut(&mut self, raw: &[u8], seen: usize, ends: &mut Vec<usize>) {
        for (at, byte) in raw.iter().enumerate().skip(seen) {
            if self.runs.take(*byte) {
                ends.push(at);
            }
        }
    }

    fn code(&self, part: &[u8]) -> Result<Self::Coded> {
        let level = ::bzip2::Compression::new(self.level);
        let mut encoder = ::bzip2::write::BzEncoder::new(Vec::new(), level);
        let stream = encoder.write_all(part).and_then(|()| encoder.finish());
        let stream = stream.map_err(FilterError::Encode)?;
        let crc =
            bits(&stream, CRC + MAGIC, CRC).filter(|_| bits(&stream, CRC, MAGIC) == Some(BLOCK));
        // Behind the only block the end follows, with the same checksum, and less than a byte of zeros.
        let all = stream.len() * 8;
        let ends = (0..8).filter_map(|zeros| all.checked_sub(MAGIC + CRC + zeros));
        let end = ends.into_iter().find(|end| {
            bits(&stream, *end, MAGIC) == Some(END) && bits(&stream, end + MAGIC, CRC) == crc
        });
        match (end.and_then(|end| end.checked_sub(CRC)), crc) {
            (Some(count), Some(crc)) => Ok((stream, count, crc as u32)),
            _ => Err(FilterError::Encode(io::Error::other("a block became more than one"))),
        }
    }

    fn join(&mut self, coded: Self::Coded, _: &[u8], stored: &mut Vec<u8>) -> Result<()> {
        self.begin(stored);
        let (stream, count, crc) = coded;
        self.bits.push(&stream[CRC / 8..], count, stored);
        self.crc = self.crc.rotate_left(1) ^ crc;
        Ok(())
    }

    fn end(&mut self, stored: &mut Vec<u8>) -> Result<()> {
        self.begin(stored);
        self.bits.push_number(END, MAGIC, stored);
        self.bits.push_number(self.crc.into(), CRC, stored);
        self.bits.close(stored);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::super::{Encoder, InParts};
    use super::*;
    use crate::Work;

    fn alone(raw: &[u8], level: u32) -> Vec<u8> {
        let mut encoder =
            ::bzip2::write::BzEncoder::new(Vec::new(), ::bzip2::Compression::new(level));
        encoder.write_all(raw).and_then(|()| encoder.finish()).expect("memory")
    }

    fn in_parts(raw: &[u8], level: u32, step: usize) -> Vec<u8> {
        let mut encoder = InParts::new(Blocks::new(level), &Work::new().threads(2));
        let mut stored = Vec::new();
        for some in raw.chunks(step) {
            encoder.encode(some, &mut stored).expect("encodes");
        }
        encoder.finish(&mut stored).expect("encodes");
        stored
    }

    /// Runs of bytes: each byte so often.
    fn runs(of: impl Iterator<Item = (u8, usize)>) -> Vec<u8> {
        of.flat_map(|(byte, count)| std::iter::repeat_n(byte, count)).collect()
    }

    #[test]
    fn what_is_stored_is_what_one_encoder_stores() {
        let noise = |seed: u32| {
            move |at: u32| (at.wrapping_mul(2_654_435_761).wrapping_add(seed) >> 13) as u8
        };
        let cases = [
            Vec::new(),
            vec![7],
            (0..350_000).map(noise(1)).collect(),
            vec![0; 30 << 20],
            runs((0..60_000).map(|at| (noise(2)(at), noise(3)(at) as usize % 9))),
            runs((0..3000).map(|at| (noise(4)(at), 250 + noise(5)(at) as usize % 12))),
        ];
        for raw in cases {
            assert!(in_parts(&raw, 1, 77_777) == alone(&raw, 1), "{} bytes", raw.len());
        }
        let raw: Vec<u8> = (0..2_000_000).map(noise(6)).collect();
        assert!(in_parts(&raw, 9, 1 << 22) == alone(&raw, 9));
    }

    #[test]
    fn blocks_end_where_one_encoder_ends_them() {
        // The last byte of a block, a run that continues, and one that ends just there.
        for tail in [&b"a"[..], b"bb", b"bbbbb", b"bbbbbbbbbc", b"cbbbb"] {
            for len in 99_970..99_990 {
                let mut raw: Vec<u8> = (0..len).map(|at| (at % 251) as u8).collect();
                raw.extend_from_slice(tail);
                assert!(in_parts(&raw, 1, 4096) == alone(&raw, 1), "{len} {tail:?}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn any_runs_are_stored_as_by_one_encoder(
            of in proptest::collection::vec((any::<u8>(), 1_usize..300), 1..3000),
            step in 1_usize..100_000,
        ) {
            let raw = runs(of.into_iter());
            prop_assert!(in_parts(&raw, 1, step) == alone(&raw, 1));
        }
    }
}
