//! LZ4: blocks without a frame. Literals and a copy of earlier output, described by one byte before each pair.

use super::super::Failed;
use super::chains::Chains;
use super::matches::{Emit, Literals, SHORTEST, Table, compress};
use super::{Encode, EncoderDictionary};

/// The value of a length in four bits that more bytes follow.
const MORE: usize = 15;

/// What is compressed to places of 16 bits at most.
const SMALL: usize = 1 << 16;

/// The fast encoder.
pub(super) struct Lz4 {
    stride: usize,
    small: Table<u16, { 1 << 13 }>,
    large: Table<u32, { 1 << 13 }>,
    /// A dictionary, and what follows it.
    joined: Vec<u8>,
}

impl Lz4 {
    pub(super) fn new(level: u8) -> Lz4 {
        Lz4 {
            // The C library continues by up to 9 bytes; this search is fast enough to look closer.
            stride: usize::from(7 - level.clamp(1, 5)),
            small: Table::default(),
            large: Table::default(),
            joined: Vec::new(),
        }
    }

    fn compress(&mut self, src: &[u8], start: usize, dst: &mut [u8]) -> Option<usize> {
        let mut emit = Block::<5> { dst, at: 0 };
        if src.len() <= SMALL {
            compress(src, start, &mut self.small, self.stride, &mut emit)
        } else {
            compress(src, start, &mut self.large, self.stride, &mut emit)
        }
    }
}

impl Encode for Lz4 {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, Failed> {
        Ok(self.compress(src, 0, dst))
    }

    fn encode_with(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        dictionary: &EncoderDictionary,
    ) -> Result<Option<usize>, Failed> {
        let mut joined = std::mem::take(&mut self.joined);
        join(&mut joined, dictionary, src);
        let done = self.compress(&joined, dictionary.bytes.len(), dst);
        self.joined = joined;
        Ok(done)
    }
}

/// The slow encoder, which looks at more places.
pub(super) struct Lz4Hc {
    chains: Chains,
    joined: Vec<u8>,
}

impl Lz4Hc {
    pub(super) fn new(level: u8) -> Lz4Hc {
        // As many as the C library looks at.
        let tries = 1 << level.clamp(3, 9).saturating_sub(1);
        Lz4Hc { chains: Chains::new(tries), joined: Vec::new() }
    }
}

impl Encode for Lz4Hc {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, Failed> {
        Ok(self.chains.compress(src, 0, &mut Block::<SHORTEST> { dst, at: 0 }))
    }

    fn encode_with(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        dictionary: &EncoderDictionary,
    ) -> Result<Option<usize>, Failed> {
        join(&mut self.joined, dictionary, src);
        let start = dictionary.bytes.len();
        Ok(self.chains.compress(&self.joined, start, &mut Block::<SHORTEST> { dst, at: 0 }))
    }
}

fn join(joined: &mut Vec<u8>, dictionary: &EncoderDictionary, src: &[u8]) {
    joined.clear();
    joined.extend_from_slice(&dictionary.bytes);
    joined.extend_from_slice(src);
}

/// A block with copies of `LEAST` bytes and more: the shortest ones save little, and end others.
struct Block<'d, const LEAST: usize> {
    dst: &'d mut [u8],
    at: usize,
}

impl<const LEAST: usize> Block<'_, LEAST> {
    /// The rest of a length that four bits cannot say.
    #[inline(always)]
    fn more(&mut self, len: usize) -> Option<()> {
        let Some(mut rest) = len.checked_sub(MORE) else { return Some(()) };
        while rest >= 255 {
            *self.dst.get_mut(self.at)? = 255;
            (self.at, rest) = (self.at + 1, rest - 255);
        }
        *self.dst.get_mut(self.at)? = rest as u8;
        self.at += 1;
        Some(())
    }

    #[inline(always)]
    fn literals(&mut self, literals: Literals<'_>, copied: usize) -> Option<()> {
        let token = literals.len.min(MORE) << 4 | copied.min(MORE);
        *self.dst.get_mut(self.at)? = token as u8;
        self.at += 1;
        self.more(literals.len)?;
        literals.copy(0, literals.len, self.dst, self.at)?;
        self.at += literals.len;
        Some(())
    }
}

impl<const LEAST: usize> Emit for Block<'_, LEAST> {
    const FARTHEST: usize = 65_535;

    #[inline(always)]
    fn accepts(_: usize, len: usize) -> bool {
        len >= LEAST
    }

    #[inline(always)]
    fn sequence(&mut self, literals: Literals<'_>, distance: usize, len: usize) -> Option<()> {
        self.literals(literals, len - SHORTEST)?;
        let room = self.dst.get_mut(self.at..self.at + 2)?;
        room[0] = distance as u8;
        room[1] = (distance >> 8) as u8;
        self.at += 2;
        self.more(len - SHORTEST)
    }

    #[inline(always)]
    fn written(&self) -> usize {
        self.at
    }

    fn finish(&mut self, literals: Literals<'_>) -> Option<usize> {
        self.literals(literals, 0)?;
        Some(self.at)
    }
}
