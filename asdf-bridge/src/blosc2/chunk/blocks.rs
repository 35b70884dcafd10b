//! Where the blocks of a chunk are: their starts, the dictionary between, and what a special value is.

use std::borrow::Cow;
use std::ops::Range;

use dudley::typed::{Little, Record};

use super::{Chunk, Special};
use crate::blosc2::codecs::Dictionary;
use crate::blosc2::context::Context;
use crate::blosc2::error::{Error, Part, Result};
use crate::blosc2::layouts::{CHUNK, chunk_32::Starts, stream::Stream};

/// The most bytes of a dictionary.
pub(super) const LARGEST_DICTIONARY: i32 = 32 << 10;

/// Bytes of a start, and of what stands before streams.
pub(crate) const NUMBER: usize = 4;

impl<'a> Chunk<'a> {
    /// Reads what stands between header and blocks.
    pub(super) fn open_blocks(&mut self, context: &Context) -> Result<()> {
        let header = &self.header;
        if let Some(special) = header.special {
            return self.open_special(special, context);
        }
        if header.stored {
            return Ok(());
        }
        let blocks = header.blocks();
        let end = blocks.saturating_mul(NUMBER).saturating_add(header.len);
        if end > header.cbytes {
            let expected = format!("{blocks} starts of blocks");
            let found = format!("a chunk of {} bytes", header.cbytes);
            return Err(Error::damaged(Part::BlockStarts, header.len as u64, expected, found));
        }
        self.starts = self.stored.get(header.len..end, Part::BlockStarts)?;
        self.blocks = end;
        if header.dictionary && blocks > 0 {
            self.open_dictionary(end)?;
        }
        if self.header.variable.is_some() {
            self.open_variable(end)?;
        }
        Ok(())
    }

    /// The number that stands before a stream, a dictionary or a block of variable size.
    fn number(&self, at: usize, part: Part) -> Result<i32> {
        let cbytes = self.header.cbytes;
        if at.checked_add(NUMBER).is_none_or(|end| end > cbytes) {
            return Err(Error::damaged(
                part,
                at as u64,
                "a length of 4 bytes",
                "the end of the chunk",
            ));
        }
        let bytes = self.stored.get(at..at + NUMBER, part)?;
        Ok(Stream::decode::<Little>(&bytes.first_chunk().copied().unwrap_or_default()).size)
    }

    fn open_dictionary(&mut self, at: usize) -> Result<()> {
        let size = self.number(at, Part::Dictionary)?;
        let left = self.header.cbytes - at - NUMBER;
        let len = usize::try_from(size)
            .ok()
            .filter(|len| (1..=LARGEST_DICTIONARY).contains(&size) && *len <= left);
        let Some(len) = len else {
            let expected = format!("1 to {} bytes", left.min(LARGEST_DICTIONARY as usize));
            return Err(Error::damaged(Part::Dictionary, at as u64, expected, size));
        };
        self.blocks = at + NUMBER + len;
        let bytes = self.stored.get(at + NUMBER..self.blocks, Part::Dictionary)?;
        if let Ok(codec) = &self.codec {
            self.dictionary = Some(Dictionary::new(*codec, bytes.into_owned()));
        }
        Ok(())
    }

    /// Blocks of variable size lie one after the other, each behind the length that it is to have.
    fn open_variable(&mut self, first: usize) -> Result<()> {
        let (mut last, mut total) = (first, 0_usize);
        for block in 0..self.header.blocks() {
            let at = self.start(block)?;
            let in_order = if block == 0 { at >= first } else { at > last };
            if !in_order {
                let expected = format!("a start behind {last}");
                let address = self.header.len + block * NUMBER;
                return Err(Error::damaged(Part::BlockStarts, address, expected, at));
            }
            let size = self.number(at, Part::VlBlock)?;
            let len = usize::try_from(size).ok().filter(|len| *len > 0);
            let end = len.and_then(|len| total.checked_add(len));
            let Some(end) = end.filter(|end| *end <= self.header.nbytes) else {
                let expected = format!("1 to {} bytes", self.header.nbytes - total);
                return Err(Error::damaged(Part::VlBlock, at as u64, expected, size));
            };
            self.variable.push(end);
            (last, total) = (at, end);
        }
        if total != self.header.nbytes {
            let expected = format!("{} bytes in all blocks", self.header.nbytes);
            return Err(Error::damaged(Part::VlBlock, CHUNK.at("nbytes"), expected, total));
        }
        Ok(())
    }

    fn open_special(&mut self, special: Special, context: &Context) -> Result<()> {
        self.value = match special {
            Special::Zeros | Special::Uninit => Cow::Borrowed(&[]),
            Special::Nan => Cow::Borrowed(nan(context.typesize.unwrap_or(self.header.typesize))?),
            Special::Value => {
                let range = self.header.len..self.header.cbytes;
                self.stored.get(range, Part::Special)?
            }
        };
        let len = self.value.len();
        let divides = len > 0 && self.header.nbytes.is_multiple_of(len);
        if matches!(special, Special::Nan | Special::Value) && !divides {
            let expected = format!("a value that {} bytes are a multiple of", self.header.nbytes);
            let found = format!("one of {len} bytes");
            return Err(Error::damaged(Part::Special, self.header.len as u64, expected, found));
        }
        Ok(())
    }

    /// Where a block begins in the chunk.
    pub(super) fn start(&self, block: usize) -> Result<usize> {
        let address = self.header.len + block * NUMBER;
        let bytes = self.starts.as_chunks().0.get(block).copied().unwrap_or_default();
        let start = Starts::decode::<Little>(&bytes).at;
        let first = self.blocks;
        let valid = usize::try_from(start).ok();
        valid.filter(|at| (first..self.header.cbytes).contains(at)).ok_or_else(|| {
            let expected = format!("a start from {first} to below {}", self.header.cbytes);
            Error::damaged(Part::BlockStarts, address as u64, expected, start)
        })
    }

    /// Checks that no two blocks begin at one place, since none takes no bytes. Of blocks of variable size that is known.
    pub(crate) fn check_starts(&self) -> Result<()> {
        let starts = (0..self.starts.len() / NUMBER).map(|block| self.start(block));
        let mut starts: Vec<(usize, usize)> =
            starts.zip(0..).filter_map(|(start, block)| Some((start.ok()?, block))).collect();
        starts.sort_unstable();
        match starts.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => {
                let expected = format!("a start of its own for block {}", pair[1].1);
                let found = format!("{}, that of block {}", pair[1].0, pair[0].1);
                let address = self.header.len + pair[1].1 * NUMBER;
                Err(Error::damaged(Part::BlockStarts, address, expected, found))
            }
            None => Ok(()),
        }
    }

    /// Where the bytes of a block end at the latest: where the next one begins, or the chunk ends.
    pub(super) fn end(&self, start: usize) -> usize {
        let sorted = self.sorted.get_or_init(|| {
            let starts = self.starts.as_chunks().0.iter();
            let mut sorted: Vec<i32> =
                starts.map(|bytes| Starts::decode::<Little>(bytes).at).collect();
            sorted.sort_unstable();
            sorted
        });
        let next = sorted.partition_point(|at| usize::try_from(*at).is_ok_and(|at| at <= start));
        let next = sorted.get(next).and_then(|at| usize::try_from(*at).ok());
        next.unwrap_or(usize::MAX).min(self.header.cbytes)
    }

    /// Which block a decoded byte is in.
    pub(super) fn block_at(&self, byte: usize) -> usize {
        match self.header.variable {
            Some(_) => self.variable.partition_point(|end| *end <= byte),
            None => byte / self.header.blocksize,
        }
    }

    /// Which blocks some decoded bytes are in, of which there are any.
    pub(crate) fn blocks_of(&self, bytes: Range<usize>) -> Range<usize> {
        self.block_at(bytes.start)..self.block_at(bytes.end.saturating_sub(1)) + 1
    }

    /// The decoded bytes of a block.
    pub(crate) fn block_range(&self, block: usize) -> Range<usize> {
        let size = self.header.blocksize;
        match self.header.variable {
            Some(_) => {
                let end = |block: usize| self.variable.get(block).copied().unwrap_or(0);
                block.checked_sub(1).map_or(0, end)..end(block)
            }
            None => {
                let start = block.saturating_mul(size).min(self.header.nbytes);
                start..start.saturating_add(size).min(self.header.nbytes)
            }
        }
    }
}

/// The bytes of a number that is none.
pub(crate) fn nan(typesize: usize) -> Result<&'static [u8]> {
    match typesize {
        4 => Ok(&[0, 0, 0xc0, 0x7f]),
        8 => Ok(&[0, 0, 0, 0, 0, 0, 0xf8, 0x7f]),
        _ => {
            let expected = "NaN of elements of 4 or 8 bytes";
            Err(Error::damaged(
                Part::Special,
                CHUNK.at("typesize"),
                expected,
                format!("{typesize} bytes"),
            ))
        }
    }
}
