//! Decoded bytes of a frame, from any chunk to any other, with several threads.

use std::ops::Range;
use std::sync::Arc;

use super::Frame;
use crate::blosc2::chunk::each;
use crate::blosc2::chunk::{Chunk, damaged_chunk};
use crate::blosc2::codecs::Codec;
use crate::blosc2::error::{Error, Result};
use crate::blosc2::memory;
use crate::blosc2::parallel::Load;

/// Decoded bytes that a thread takes at a time, at least a block.
const PIECE: u64 = 256 << 10;

impl Frame {
    /// All decoded bytes.
    ///
    /// # Errors
    /// [`Error::Limit`]; what is wrong with a chunk.
    pub fn read(&self) -> Result<Vec<u8>> {
        memory::within(self.nbytes(), self.inner.limit)?;
        let mut bytes = memory::zeros(self.nbytes())?;
        self.read_range(0, &mut bytes)?;
        Ok(bytes)
    }

    /// Fills `buffer` with decoded bytes from `start` on. Only blocks that they touch are decoded.
    ///
    /// # Errors
    /// [`Error::Range`] if there are not that many; what is wrong with a chunk that they touch. What
    /// `buffer` then holds is unspecified.
    pub fn read_range(&self, start: u64, buffer: &mut [u8]) -> Result<()> {
        let len = buffer.len() as u64;
        let end = start.checked_add(len).filter(|end| *end <= self.nbytes()).ok_or_else(|| {
            Error::Range(format!("{len} bytes at {start} of {}", self.nbytes()).into())
        })?;
        if buffer.is_empty() {
            return Ok(());
        }
        let mut pieces =
            Pieces { frame: self, at: start, end, rest: buffer, current: None, failed: false };
        let threads = self.inner.threads;
        let (blocks, decoded) = match self.blocksize() {
            Some(size) => {
                let blocks = end.div_ceil(size) - start / size;
                (blocks, blocks.saturating_mul(size))
            }
            None => (u64::MAX, len),
        };
        let load = self.load(decoded, len);
        let load = load.of_blocks(threads, blocks, || pieces.streams());
        each(threads, load, self.kept(), pieces, |piece, scratch| {
            let piece = piece?;
            let chunk = &piece.chunk.chunk;
            let blocks = chunk.blocks_of(piece.start..piece.start + piece.to.len());
            self.check_held(piece.chunk.number, chunk, blocks)?;
            let read = chunk.read_within(piece.start, piece.to, scratch);
            read.map_err(|error| error.in_chunk(piece.chunk.number, piece.chunk.address))
        })
    }

    /// What a read of this many bytes comes to, for which this many are decoded.
    pub(crate) fn load(&self, decoded: u64, bytes: u64) -> Load {
        // What its chunks have is most often what new ones were to have.
        Load::new(decoded, bytes, self.codec().is_ok_and(Codec::is_fast))
    }
}

/// A chunk while some of it is read.
struct Current<'f> {
    chunk: Chunk<'f>,
    number: u64,
    /// Where it is in the frame.
    address: u64,
    range: Range<u64>,
}

/// A part of a chunk, and where it goes.
struct Piece<'f, 'b> {
    chunk: Arc<Current<'f>>,
    start: usize,
    to: &'b mut [u8],
}

/// What is still to be read, in pieces of whole blocks.
struct Pieces<'f, 'b> {
    frame: &'f Frame,
    at: u64,
    end: u64,
    rest: &'b mut [u8],
    current: Option<Arc<Current<'f>>>,
    failed: bool,
}

impl<'f, 'b> Iterator for Pieces<'f, 'b> {
    type Item = Result<Piece<'f, 'b>>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed || self.at >= self.end {
            return None;
        }
        let piece = self.piece();
        self.failed = piece.is_err();
        Some(piece)
    }
}

impl<'f, 'b> Pieces<'f, 'b> {
    /// How many streams blocks of the first chunk have, if it can be opened.
    fn streams(&mut self) -> usize {
        self.chunk().map_or(1, |current| current.chunk.streams_of_block())
    }

    /// The chunk that the next piece is in.
    fn chunk(&mut self) -> Result<Arc<Current<'f>>> {
        if let Some(current) = &self.current
            && current.range.contains(&self.at)
        {
            return Ok(current.clone());
        }
        let number = self.frame.chunk_at(self.at)?;
        let chunk = self.frame.chunk(number)?;
        let address = self.frame.chunk_address(number)?.unwrap_or(0);
        let range = self.frame.chunk_range(number)?;
        if range.end - range.start != chunk.nbytes() {
            let expected = format!("{} decoded bytes, as the frame says", range.end - range.start);
            return Err(damaged_chunk("nbytes", expected, chunk.nbytes()).in_chunk(number, address));
        }
        let current = Arc::new(Current { chunk, number, address, range });
        Ok(self.current.insert(current).clone())
    }

    fn piece(&mut self) -> Result<Piece<'f, 'b>> {
        let chunk = self.chunk()?;
        let start = self.at - chunk.range.start;
        let block = chunk.chunk.piece_of_blocks(PIECE);
        let stop = (start - start % block).saturating_add(block);
        let end = chunk.range.start.saturating_add(stop).min(chunk.range.end).min(self.end);
        let (to, rest) = std::mem::take(&mut self.rest).split_at_mut((end - self.at) as usize);
        (self.rest, self.at) = (rest, end);
        Ok(Piece { chunk, start: start as usize, to })
    }
}
