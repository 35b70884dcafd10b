//! The streams of a block: decoded, and their filters undone.

use dudley::typed::{Little, Record};

use super::blocks::NUMBER;
use super::scratch::{Scratch, Work, each};
use super::{Chunk, Special};
use crate::blosc2::codecs::{Codec, Codecs};
use crate::blosc2::error::{Error, Part, Result};
use crate::blosc2::filters::Pipeline;
use crate::blosc2::kernels::{Kernels, Path};
use crate::blosc2::layouts::stream::Stream;
use crate::blosc2::memory;
use crate::blosc2::parallel::Load;

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
        let first = if refers && block > 0 { Some(self.first_block(scratch)?) } else { None };
        let past = scratch.past;
        let ([a, b], work) = scratch.work(codec);
        if pipeline.is_in_place() {
            self.streams(block, dst, work)?;
            return pipeline.undo([&mut [], &mut []], dst, first, false);
        }
        memory::resize(a, dst.len())?;
        if self.has_planes(block, pipeline) {
            let planes = self.planes(block, dst.len(), a, work)?;
            Kernels { path: Path::best(), past }.gather(&planes, dst);
            return Ok(());
        }
        memory::resize(b, dst.len())?;
        self.streams(block, a, work)?;
        pipeline.undo([a, b], dst, first, past)
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
    fn streams(&self, block: usize, dst: &mut [u8], work: Work<'_>) -> Result<()> {
        if self.header.variable.is_some() {
            let (start, bytes) = self.stored_streams(block, work.stored)?;
            let src = bytes.get(NUMBER..).unwrap_or_default();
            if src.len() == dst.len() {
                dst.copy_from_slice(src);
                return Ok(());
            }
            let stream = Stored { src, address: start + NUMBER };
            return self.compressed(work.codec, stream, dst, dst.len(), work.codecs);
        }
        let count = if self.header.is_split(block) { self.header.typesize } else { 1 };
        if !dst.len().is_multiple_of(count) {
            let expected = format!("a block of {count} streams of equal length");
            let start = self.start(block)?;
            return Err(Error::damaged(Part::Stream, start, expected, dst.len()));
        }
        let needed = dst.len();
        for (content, to) in self.decoded(block, count, needed, dst, work)? {
            if let Content::Raw(src) = content {
                to.copy_from_slice(src);
            }
        }
        Ok(())
    }

    /// The streams of a block, this many of equal length, and where each is decoded to: its first `needed` bytes, at
    /// least. Those that are stored as they are stay where they are.
    fn decoded<'b>(
        &'b self,
        block: usize,
        count: usize,
        needed: usize,
        dst: &'b mut [u8],
        work: Work<'b>,
    ) -> Result<Vec<Placed<'b>>> {
        let Work { codec, codecs, stored, threads, helpers } = work;
        let (start, bytes) = self.stored_streams(block, stored)?;
        let size = dst.len() / count;
        let needed = needed.min(size);
        let (mut streams, wrong) = placed(bytes, start, dst.chunks_exact_mut(size));
        for (content, to) in &mut streams {
            if let Content::Run(value) = content {
                to[..needed].fill(*value);
            }
        }
        let decode = |(stream, to): (Stored<'_>, &mut [u8]), codecs: &mut Codecs| {
            self.compressed(codec, stream, to, needed, codecs)
        };
        let alone = threads <= 1 || {
            let load = (compressed(&mut streams).count() * size) as u64;
            let load = Load::new(load, load, codec.is_fast());
            let pieces = compressed(&mut streams);
            let shared = each(threads, load, helpers, pieces, |piece, scratch| {
                decode(piece, &mut scratch.codecs)
            });
            // Of several that are damaged the first one is reported.
            shared.is_err()
        };
        if alone {
            compressed(&mut streams).try_for_each(|piece| decode(piece, codecs))?;
        }
        wrong.map_or(Ok(streams), Err)
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
        let streams = self.decoded(block, self.header.typesize, needed, room, work)?;
        let planes = streams.into_iter().map(|(content, to)| match content {
            Content::Raw(src) => src,
            _ => &*to,
        });
        Ok(planes.collect())
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

/// A stream as it is stored, and where it begins in the chunk.
#[derive(Clone, Copy)]
struct Stored<'b> {
    src: &'b [u8],
    address: usize,
}

/// What a stream holds, and where it goes to.
type Placed<'b> = (Content<'b>, &'b mut [u8]);

/// Streams that follow each other, the first of them at an address in the chunk, up to one that is none.
fn placed<'b>(
    bytes: &'b [u8],
    address: usize,
    places: std::slice::ChunksExactMut<'b, u8>,
) -> (Vec<Placed<'b>>, Option<Error>) {
    let mut streams = Vec::with_capacity(places.len());
    let mut at = 0;
    for to in places {
        match Content::of(&bytes[at..], address + at, to.len()) {
            Ok((content, len)) => {
                streams.push((content, to));
                at += len;
            }
            // Those in front of it may be damaged too, and are reported first.
            Err(error) => return (streams, Some(error)),
        }
    }
    (streams, None)
}

/// Those of some streams that are compressed.
fn compressed<'s, 'b>(
    streams: &'s mut [Placed<'b>],
) -> impl Iterator<Item = (Stored<'b>, &'s mut [u8])> {
    streams.iter_mut().filter_map(|(content, to)| match content {
        Content::Compressed(stream) => Some((*stream, &mut **to)),
        _ => None,
    })
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
        let content = if stored == len {
            Content::Raw(src)
        } else {
            Content::Compressed(Stored { src, address: address + NUMBER })
        };
        Ok((content, NUMBER + stored))
    }
}
