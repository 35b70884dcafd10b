//! BloscLZ: copies of earlier output and literal bytes, distinguished by one byte before each.

use super::super::Failed;
use super::matches::{self, Emit, Literals, Table};
use super::{Encode, EncoderDictionary, close};

/// The most literals behind one byte.
const LITERALS: usize = 32;

/// What a distance of 13 bits reaches; those beyond have 16 more bits.
const NEAR: usize = 8191;

/// Set in the first byte by encoders of this version.
const VERSION: u8 = 1 << 5;

/// What is compressed to places of 16 bits at most.
const SMALL: usize = 1 << 16;

/// Bytes that are compressed to find out how much repeats: this part of all, from the middle on, and this many at most.
const PART: usize = 4;
const SAMPLE: usize = 1 << 12;

/// Where a sample becomes this many times smaller, short copies are not worth their time.
const REPETITIVE: f64 = 4.0;

pub(super) struct BloscLz {
    /// Where a sample becomes this many times smaller, every byte is looked at.
    least: f64,
    /// How far the search continues else: where the sample becomes larger, and where it does not.
    strides: [usize; 2],
    small: Table<u16, { 1 << 14 }>,
    large: Table<u32, { 1 << 14 }>,
    probe: Table<u16, SAMPLE>,
    room: Vec<u8>,
}

impl BloscLz {
    pub(super) fn new(level: u8) -> BloscLz {
        // What becomes less small than that is most often stored as it is by the C library.
        let (least, strides) = match level {
            0..=1 => (2.0, [4, 4]),
            2 => (1.5, [4, 4]),
            3..=4 => (1.2, [4, 2]),
            5..=6 => (1.2, [4, 1]),
            7 => (1.15, [1, 1]),
            8 => (1.1, [1, 1]),
            _ => (1.0, [1, 1]),
        };
        let (small, large, probe) = (Table::default(), Table::default(), Table::default());
        BloscLz { least, strides, small, large, probe, room: vec![0; 2 * SAMPLE] }
    }

    /// How many times smaller the sample becomes.
    fn sampled(&mut self, src: &[u8]) -> f64 {
        let rest = &src[src.len() / 2..];
        let sample = &rest[..(src.len() / PART).min(SAMPLE)];
        let mut emit = Streams::<0> { dst: &mut self.room, at: 0 };
        let seen = close::search(sample, 0, &mut self.probe, &mut emit);
        seen.map_or(1.0, |seen| seen as f64 / emit.at.max(1) as f64)
    }

    /// With a search that continues faster the longer it finds nothing.
    fn sparse(&mut self, src: &[u8], stride: usize, emit: &mut Streams<'_, 0>) -> Option<usize> {
        if src.len() <= SMALL {
            matches::compress(src, 0, &mut self.small, stride, emit)
        } else {
            matches::compress(src, 0, &mut self.large, stride, emit)
        }
    }

    /// With a search that looks at every byte.
    fn close<const AGAIN: usize>(
        &mut self,
        src: &[u8],
        emit: &mut Streams<'_, AGAIN>,
    ) -> Option<usize> {
        let rest = if src.len() <= SMALL {
            close::search(src, AGAIN, &mut self.small, emit)
        } else {
            close::search(src, AGAIN, &mut self.large, emit)
        };
        emit.finish(Literals::new(src, rest?, src.len()))
    }
}

impl Encode for BloscLz {
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, Failed> {
        let done = match self.sampled(src) {
            ratio if ratio < self.least => {
                let stride = self.strides[usize::from(ratio >= 1.0)];
                self.sparse(src, stride, &mut Streams { dst, at: 0 })
            }
            ratio if ratio < REPETITIVE => self.close::<0>(src, &mut Streams { dst, at: 0 }),
            _ => self.close::<1>(src, &mut Streams { dst, at: 0 }),
        };
        if let (Some(_), Some(first)) = (done, dst.first_mut()) {
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

/// A stream while it is written, with copies of 5 bytes and `AGAIN` more at least, far ones of 7.
struct Streams<'d, const AGAIN: usize> {
    dst: &'d mut [u8],
    at: usize,
}

impl<const AGAIN: usize> Streams<'_, AGAIN> {
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

impl<const AGAIN: usize> Emit for Streams<'_, AGAIN> {
    const FARTHEST: usize = NEAR + 65_535;

    /// Short copies cost more to decode than they save.
    #[inline(always)]
    fn accepts(distance: usize, len: usize) -> bool {
        len >= if distance <= NEAR { 5 + AGAIN } else { 7 + AGAIN }
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
