//! The streams of a block: decoded, and their filters undone.

use dudley::typed::{Little, Record};

use super::blocks::NUMBER;
use super::{Chunk, Special};
use crate::blosc2::codecs::{Codec, Codecs};
use crate::blosc2::error::{Error, Part, Result};
use crate::blosc2::layouts::stream::Stream;
use crate::blosc2::memory;

/// Decoded bytes that leave nothing of use in the caches.
const LARGE: u64 = 16 << 20;

/// What one thread keeps from block to block.
#[derive(Default)]
pub(crate) struct Scratch {
    codecs: Codecs,
    stages: [Vec<u8>; 2],
    whole: Vec<u8>,
    /// What is read is more than the caches hold.
    past: bool,
}

impl Scratch {
    /// Of a thread that has part in a read of so many bytes.
    pub(crate) fn for_read(bytes: u64) -> Scratch {
        Scratch { past: bytes >= LARGE, ..Scratch::default() }
    }

    /// Does what has a result that is looked at again, so that it stays in the caches.
    pub(crate) fn cached<T>(&mut self, work: impl FnOnce(&mut Scratch) -> T) -> T {
        let past = std::mem::take(&mut self.past);
        let done = work(self);
        self.past = past;
        done
    }

    /// Memory of so many bytes, of any contents.
    pub(crate) fn take(&mut self, len: usize) -> Result<Vec<u8>> {
        let mut bytes = std::mem::take(&mut self.whole);
        memory::resize(&mut bytes, len)?;
        Ok(bytes)
    }

    /// Gives memory back to be taken again.
    pub(crate) fn give_back(&mut self, bytes: Vec<u8>) {
        self.whole = bytes;
    }
}

impl Chunk<'_> {
    /// Decodes a block to as many bytes as it has.
    pub(crate) fn decode_block(
        &self,
        block: usize,
        dst: &mut [u8],
        scratch: &mut Scratch,
    ) -> Result<()> {
        let range = self.block_range(block);
        if dst.len() != range.len() || dst.is_empty() {
            let why = format!("block {block} of {} has {} bytes", self.block_count(), range.len());
            return Err(Error::Range(why.into()));
        }
        if let Some(special) = self.header.special {
            self.repeat(special, range.start, dst);
            return Ok(());
        }
        if self.header.stored {
            let start = self.header.len + range.start;
            let bytes = self.stored.get(start..start + dst.len(), Part::Stream)?;
            dst.copy_from_slice(&bytes);
            return Ok(());
        }
        let pipeline = self.pipeline.as_ref().map_err(Error::again)?;
        let codec = *self.codec.as_ref().map_err(Error::again)?;
        let first = match pipeline.needs_first_block() && block > 0 {
            true => Some(self.first_block(scratch)?),
            false => None,
        };
        let [a, b] = &mut scratch.stages;
        if pipeline.is_in_place() {
            self.streams(block, codec, dst, &mut scratch.codecs)?;
            return pipeline.undo([&mut [], &mut []], dst, first, false);
        }
        memory::resize(a, dst.len())?;
        memory::resize(b, dst.len())?;
        self.streams(block, codec, a, &mut scratch.codecs)?;
        pipeline.undo([a, b], dst, first, scratch.past)
    }

    /// The first block, which others refer to.
    fn first_block(&self, scratch: &mut Scratch) -> Result<&[u8]> {
        if let Some(first) = self.first.get() {
            return Ok(first);
        }
        let mut bytes = memory::zeros(self.block_range(0).len() as u64)?;
        scratch.cached(|scratch| self.decode_block(0, &mut bytes, scratch))?;
        Ok(self.first.get_or_init(|| bytes))
    }

    /// A special value, from some byte of the chunk on.
    fn repeat(&self, special: Special, start: usize, dst: &mut [u8]) {
        if matches!(special, Special::Zeros | Special::Uninit) || self.value.is_empty() {
            return dst.fill(0);
        }
        let len = self.value.len();
        let head = dst.len().min(len);
        for (at, byte) in dst[..head].iter_mut().enumerate() {
            *byte = self.value[(start + at) % len];
        }
        // What is there are whole values, more with each turn.
        let mut done = head;
        while done < dst.len() {
            let count = done.min(dst.len() - done);
            dst.copy_within(..count, done);
            done += count;
        }
    }

    /// All streams of a block, one after the other.
    fn streams(
        &self,
        block: usize,
        codec: Codec,
        dst: &mut [u8],
        codecs: &mut Codecs,
    ) -> Result<()> {
        let start = self.start(block)?;
        let end = match (&self.stored, self.header.variable) {
            // What follows in memory need not be found.
            (super::Stored::Memory(_), None) => self.header.cbytes,
            _ => self.end(start),
        };
        let bytes = self.stored.get(start..end, Part::Stream)?;
        if self.header.variable.is_some() {
            let src = bytes.get(NUMBER..).unwrap_or_default();
            if src.len() == dst.len() {
                dst.copy_from_slice(src);
                return Ok(());
            }
            return self.compressed(codec, src, dst, start + NUMBER, codecs);
        }
        let count = if self.header.is_split(block) { self.header.typesize } else { 1 };
        if !dst.len().is_multiple_of(count) {
            let expected = format!("a block of {count} streams of equal length");
            return Err(Error::damaged(Part::Stream, start, expected, dst.len()));
        }
        let mut at = 0;
        for to in dst.chunks_exact_mut(dst.len() / count) {
            at += self.stream(codec, &bytes[at..], start + at, to, codecs)?;
        }
        Ok(())
    }

    /// One stream at the start of `bytes`, which is `address` in the chunk; how many bytes it takes.
    fn stream(
        &self,
        codec: Codec,
        bytes: &[u8],
        address: usize,
        dst: &mut [u8],
        codecs: &mut Codecs,
    ) -> Result<usize> {
        let damaged = |expected: &str, found: String| {
            Error::damaged(Part::Stream, address as u64, expected, found)
        };
        let Some(head) = bytes.first_chunk::<NUMBER>() else {
            return Err(damaged("a length of 4 bytes", format!("{} bytes", bytes.len())));
        };
        let size = Stream::decode::<Little>(head).size;
        let bytes = &bytes[NUMBER..];
        let Ok(len) = usize::try_from(size) else {
            // Of a run the length is the byte, and a token follows.
            let value = u8::try_from(size.unsigned_abs()).ok();
            return match (value, bytes.first()) {
                (Some(value), Some(token)) if token & 1 == 1 => {
                    dst.fill(value);
                    Ok(NUMBER + 1)
                }
                (Some(_), token) => Err(damaged("the token of a run", format!("{token:?}"))),
                (None, _) => Err(damaged("a length of -255 or more", size.to_string())),
            };
        };
        if len == 0 {
            dst.fill(0);
            return Ok(NUMBER);
        }
        let Some(src) = bytes.get(..len).filter(|_| len <= dst.len()) else {
            let expected = format!("a stream of at most {} bytes", dst.len().min(bytes.len()));
            return Err(damaged(&expected, size.to_string()));
        };
        match len == dst.len() {
            true => dst.copy_from_slice(src),
            false => self.compressed(codec, src, dst, address + NUMBER, codecs)?,
        }
        Ok(NUMBER + len)
    }

    fn compressed(
        &self,
        codec: Codec,
        src: &[u8],
        dst: &mut [u8],
        address: usize,
        codecs: &mut Codecs,
    ) -> Result<()> {
        let dictionary = self.dictionary.as_ref();
        codecs.decode(codec, src, dst, dictionary).map_err(|failed| {
            let expected = format!("{} bytes of {codec} for {} bytes", src.len(), dst.len());
            Error::damaged(Part::Stream, address as u64, expected, failed.0)
        })
    }
}
