//! The streams of a block: decoded, and their filters undone.

use dudley::typed::{Little, Record};

use super::blocks::NUMBER;
use super::{Chunk, Special};
use crate::blosc2::codecs::{Codec, Codecs};
use crate::blosc2::error::{Error, Part, Result};
use crate::blosc2::filters::Pipeline;
use crate::blosc2::kernels::{Kernels, Path};
use crate::blosc2::layouts::stream::Stream;
use crate::blosc2::memory;

/// Decoded bytes that leave nothing of use in the caches.
const LARGE: u64 = 16 << 20;

/// What one thread keeps from block to block.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(super) codecs: Codecs,
    pub(super) stages: [Vec<u8>; 2],
    /// Bytes as they are stored, of what is not in memory.
    pub(super) stored: Vec<u8>,
    whole: Vec<u8>,
    /// What is read is more than the caches hold.
    past: bool,
}

impl Scratch {
    /// For a thread that has part in a read of so many bytes.
    pub(crate) fn for_read(self, bytes: u64) -> Scratch {
        Scratch { past: bytes >= LARGE, ..self }
    }

    /// Bytes of memory that it has, but for those of decoders.
    pub(crate) fn room(&self) -> usize {
        let [a, b] = &self.stages;
        [a, b, &self.stored, &self.whole].iter().map(|bytes| bytes.capacity()).sum()
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

    /// Gives memory back to be taken again. What it holds can be looked at until then.
    pub(crate) fn give_back(&mut self, bytes: Vec<u8>) -> &[u8] {
        self.whole = bytes;
        &self.whole
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
            return self.copy_stored(range.start, dst, scratch);
        }
        // Also where less of it is wanted, all of it has to be decoded.
        memory::within(dst.len() as u64, self.limit)?;
        let pipeline = self.pipeline.as_ref().map_err(Error::again)?;
        let codec = *self.codec.as_ref().map_err(Error::again)?;
        // Of blocks of variable size each is by itself.
        let refers = pipeline.needs_first_block() && self.header.variable.is_none();
        let first = match refers && block > 0 {
            true => Some(self.first_block(scratch)?),
            false => None,
        };
        let Scratch { codecs, stages: [a, b], stored, past, .. } = scratch;
        let mut work = Work { codec, codecs, stored };
        if pipeline.is_in_place() {
            self.streams(block, dst, &mut work)?;
            return pipeline.undo([&mut [], &mut []], dst, first, false);
        }
        memory::resize(a, dst.len())?;
        if self.has_planes(block, pipeline) {
            let planes = self.planes(block, dst.len(), a, work)?;
            Kernels { path: Path::best(), past: *past }.gather(&planes, dst);
            return Ok(());
        }
        memory::resize(b, dst.len())?;
        self.streams(block, a, &mut work)?;
        pipeline.undo([a, b], dst, first, *past)
    }

    /// Copies bytes of a chunk that is stored as it is, from some byte on.
    pub(super) fn copy_stored(
        &self,
        start: usize,
        dst: &mut [u8],
        scratch: &mut Scratch,
    ) -> Result<()> {
        let start = self.header.len + start;
        let range = start..start + dst.len();
        dst.copy_from_slice(self.stored.get_in(range, Part::Stream, &mut scratch.stored)?);
        Ok(())
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

    /// The streams of a block as they are stored, and where they begin in the chunk.
    fn stored_streams<'b>(
        &'b self,
        block: usize,
        room: &'b mut Vec<u8>,
    ) -> Result<(usize, &'b [u8])> {
        let start = self.start(block)?;
        let end = match (&self.stored, self.header.variable) {
            // What follows in memory need not be found.
            (super::Stored::Memory(_), None) => self.header.cbytes,
            _ => self.end(start),
        };
        Ok((start, self.stored.get_in(start..end, Part::Stream, room)?))
    }

    /// All streams of a block, one after the other.
    fn streams(&self, block: usize, dst: &mut [u8], work: &mut Work<'_>) -> Result<()> {
        let (start, bytes) = self.stored_streams(block, work.stored)?;
        let (codec, codecs) = (work.codec, &mut *work.codecs);
        if self.header.variable.is_some() {
            let src = bytes.get(NUMBER..).unwrap_or_default();
            if src.len() == dst.len() {
                dst.copy_from_slice(src);
                return Ok(());
            }
            let stream = Stored { src, address: start + NUMBER };
            return self.compressed(codec, stream, dst, dst.len(), codecs);
        }
        let count = if self.header.is_split(block) { self.header.typesize } else { 1 };
        if !dst.len().is_multiple_of(count) {
            let expected = format!("a block of {count} streams of equal length");
            return Err(Error::damaged(Part::Stream, start, expected, dst.len()));
        }
        let mut at = 0;
        for to in dst.chunks_exact_mut(dst.len() / count) {
            let (content, len) = Content::of(&bytes[at..], start + at, to.len())?;
            match content {
                Content::Raw(src) => to.copy_from_slice(src),
                Content::Run(value) => to.fill(value),
                Content::Compressed(stream) => {
                    self.compressed(codec, stream, to, to.len(), codecs)?;
                }
            }
            at += len;
        }
        Ok(())
    }

    /// Whether the streams of a block are the first bytes of its elements, the second ones, and so on, and
    /// nothing else is to be undone.
    pub(super) fn has_planes(&self, block: usize, pipeline: &Pipeline) -> bool {
        let split = self.header.variable.is_none() && self.header.is_split(block);
        split
            && pipeline.is_shuffle_of(self.header.typesize)
            && self.block_range(block).len().is_multiple_of(self.header.typesize)
    }

    /// The streams of a block that [has planes](Self::has_planes): the first `needed` bytes of each, at
    /// least. Those that are stored as they are stay where they are; the others are decoded to `room`,
    /// which has as many bytes as the block.
    pub(super) fn planes<'b>(
        &'b self,
        block: usize,
        needed: usize,
        room: &'b mut [u8],
        work: Work<'b>,
    ) -> Result<Vec<&'b [u8]>> {
        let (start, bytes) = self.stored_streams(block, work.stored)?;
        let size = room.len() / self.header.typesize;
        let needed = needed.min(size);
        let mut planes = Vec::with_capacity(self.header.typesize);
        let mut at = 0;
        for to in room.chunks_exact_mut(size) {
            let (content, len) = Content::of(&bytes[at..], start + at, size)?;
            planes.push(match content {
                Content::Raw(src) => src,
                Content::Run(value) => {
                    to[..needed].fill(value);
                    &*to
                }
                Content::Compressed(stream) => {
                    self.compressed(work.codec, stream, to, needed, work.codecs)?;
                    &*to
                }
            });
            at += len;
        }
        Ok(planes)
    }

    fn compressed(
        &self,
        codec: Codec,
        stream: Stored<'_>,
        dst: &mut [u8],
        needed: usize,
        codecs: &mut Codecs,
    ) -> Result<()> {
        let dictionary = self.dictionary.as_ref();
        codecs.decode(codec, stream.src, dst, dictionary, needed).map_err(|failed| {
            let expected = format!("{} bytes of {codec} for {} bytes", stream.src.len(), dst.len());
            Error::damaged(Part::Stream, stream.address as u64, expected, failed.0)
        })
    }
}

/// What decodes the streams of a block.
pub(super) struct Work<'s> {
    pub(super) codec: Codec,
    pub(super) codecs: &'s mut Codecs,
    pub(super) stored: &'s mut Vec<u8>,
}

/// A stream as it is stored, and where it begins in the chunk.
struct Stored<'b> {
    src: &'b [u8],
    address: usize,
}

/// What a stream holds.
enum Content<'b> {
    /// Its bytes as they are.
    Raw(&'b [u8]),
    /// One byte, again and again.
    Run(u8),
    Compressed(Stored<'b>),
}

impl<'b> Content<'b> {
    /// Of the stream of `len` decoded bytes at the start of `bytes`, which is `address` in the chunk; and
    /// how many bytes it takes.
    fn of(bytes: &'b [u8], address: usize, len: usize) -> Result<(Content<'b>, usize)> {
        let damaged = |expected: &str, found: String| {
            Error::damaged(Part::Stream, address as u64, expected, found)
        };
        let Some((head, bytes)) = bytes.split_first_chunk::<NUMBER>() else {
            return Err(damaged("a length of 4 bytes", format!("{} bytes", bytes.len())));
        };
        let size = Stream::decode::<Little>(head).size;
        let Ok(stored) = usize::try_from(size) else {
            // Of a run the length is the byte, and a token follows.
            let value = u8::try_from(size.unsigned_abs()).ok();
            return match (value, bytes.first()) {
                (Some(value), Some(token)) if token & 1 == 1 => {
                    Ok((Content::Run(value), NUMBER + 1))
                }
                (Some(_), Some(token)) => {
                    Err(damaged("the token of a run", format!("{token:#04x}")))
                }
                (Some(_), None) => Err(damaged("the token of a run", "the end".to_owned())),
                (None, _) => Err(damaged("a length of -255 or more", size.to_string())),
            };
        };
        if stored == 0 {
            return Ok((Content::Run(0), NUMBER));
        }
        let Some(src) = bytes.get(..stored).filter(|_| stored <= len) else {
            let expected = format!("a stream of at most {} bytes", len.min(bytes.len()));
            return Err(damaged(&expected, size.to_string()));
        };
        let content = match stored == len {
            true => Content::Raw(src),
            false => Content::Compressed(Stored { src, address: address + NUMBER }),
        };
        Ok((content, NUMBER + stored))
    }
}
