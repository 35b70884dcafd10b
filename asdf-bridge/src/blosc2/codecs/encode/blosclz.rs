//! BloscLZ: copies of earlier output and literal bytes, told apart by one byte before each.

use super::super::Failed;
use super::matches::{Emit, Literals, Table, compress};
use super::{Encode, EncoderDictionary};

/// The most literals behind one byte.
const LITERALS: usize = 32;

/// What a distance of 13 bits reaches; those beyond have 16 more bits.
const NEAR: usize = 8191;

/// Set in the first byte by encoders of this version.
const VERSION: u8 = 1 << 5;

/// What is compressed to places of 16 bits at most.
const SMALL: usize = 1 << 16;

pub(super) struct BloscLz {
    stride: usize,
    small: Table<u16, { 1 << 14 }>,
    large: Table<u32, { 1 << 14 }>,
}

impl BloscLz {
    pub(super) fn new(level: u8) -> BloscLz {
        let stride = match level {
            0..=2 => 4,
            3..=4 => 2,
            _ => 1,
        };
        BloscLz { stride, small: Table::default(), large: Table::default() }
    }
}

impl Encode for BloscLz {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, Failed> {
        let mut emit = Streams { dst, at: 0 };
        let done = match src.len() <= SMALL {
            true => compress(src, 0, &mut self.small, self.stride, &mut emit),
            false => compress(src, 0, &mut self.large, self.stride, &mut emit),
        };
        if let (Some(_), Some(first)) = (done, emit.dst.first_mut()) {
            *first |= VERSION;
        }
        Ok(done)
    }

    fn encode_with(
        &mut self,
        _: &[u8],
        _: &mut [u8],
        _: &EncoderDictionary,
    ) -> Result<Option<usize>, Failed> {
        Err(Failed("blosclz has no dictionaries".to_owned()))
    }
}

struct Streams<'d> {
    dst: &'d mut [u8],
    at: usize,
}

impl Streams<'_> {
    #[inline(always)]
    fn byte(&mut self, byte: u8) -> Option<()> {
        *self.dst.get_mut(self.at)? = byte;
        self.at += 1;
        Some(())
    }

    #[inline(always)]
    fn literals(&mut self, literals: Literals<'_>) -> Option<()> {
        let mut done = 0;
        while done < literals.len {
            let count = (literals.len - done).min(LITERALS);
            self.byte((count - 1) as u8)?;
            literals.copy(done, count, self.dst, self.at)?;
            self.at += count;
            done += count;
        }
        Some(())
    }
}

impl Emit for Streams<'_> {
    const FARTHEST: usize = NEAR + 65_535;

    /// Short copies cost more to decode than they save.
    #[inline(always)]
    fn accepts(distance: usize, len: usize) -> bool {
        len >= if distance <= NEAR { 5 } else { 7 }
    }

    #[inline(always)]
    fn sequence(&mut self, literals: Literals<'_>, distance: usize, len: usize) -> Option<()> {
        self.literals(literals)?;
        let far = (distance - 1).checked_sub(NEAR);
        let near = (distance - 1).min(NEAR);
        let code = (len - 2).min(7);
        self.byte((code << 5) as u8 | (near >> 8) as u8)?;
        if code == 7 {
            let mut more = len - 9;
            while more >= 255 {
                self.byte(255)?;
                more -= 255;
            }
            self.byte(more as u8)?;
        }
        self.byte(near as u8)?;
        if let Some(far) = far {
            self.byte((far >> 8) as u8)?;
            self.byte(far as u8)?;
        }
        Some(())
    }

    #[inline(always)]
    fn written(&self) -> usize {
        self.at
    }

    fn finish(&mut self, literals: Literals<'_>) -> Option<usize> {
        self.literals(literals)?;
        Some(self.at)
    }
}
