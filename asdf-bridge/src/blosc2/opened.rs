//! Chunks and frames that filters decode by address: of a chunk the blocks that are touched, of a frame those of
//! its chunks.

use std::sync::Arc;

use dudley::source::{Source, check};

use super::chunk::{Chunk, Context, Stored};
use super::error::Result;
use super::frame::Frame;

/// Decoded bytes that are best asked for at once. What has larger blocks is decoded whole.
const PART: u64 = 4 << 20;

/// A chunk, by the address of its decoded bytes.
struct OfChunk {
    stored: Arc<dyn Source>,
    context: Context,
    len: u64,
    batch: u64,
}

/// The decoded bytes of a chunk, which is `open`; none if its blocks are large.
pub(super) fn of_chunk(
    open: &Chunk<'_>,
    stored: Arc<dyn Source>,
    context: Context,
) -> Option<Arc<dyn Source>> {
    let (len, batch) = (open.nbytes(), open.piece_of_blocks(PART));
    is_fine(open).then(|| Arc::new(OfChunk { stored, context, len, batch }) as Arc<dyn Source>)
}

/// Whether little more is decoded than what is asked for.
fn is_fine(chunk: &Chunk<'_>) -> bool {
    chunk.piece_of_blocks(PART) <= PART + PART / 2
}

impl Source for OfChunk {
    fn len(&self) -> u64 {
        self.len
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> dudley::Result<()> {
        check(self.len, address, buf.len() as u64)?;
        // What a chunk borrows of what is stored cannot be kept beside it; its header is small.
        let chunk = Chunk::open(Stored::at(&*self.stored, 0), &self.context)?;
        Ok(chunk.read_range(address, buf)?)
    }

    fn batch(&self) -> u64 {
        self.batch
    }
}

/// A frame, by the address of its decoded bytes.
struct OfFrame(Frame);

/// The decoded bytes of a frame; none if it has an array, whose elements stand in it in another order, or its blocks
/// are large.
///
/// # Errors
/// What is wrong with the metalayer of an array.
pub(super) fn of_frame(frame: Frame) -> Result<Option<Arc<dyn Source>>> {
    // A chunk that is damaged is a matter of who reads it.
    let fine = |number| frame.chunk(number).map_or(true, |chunk| is_fine(&chunk));
    let plain = frame.array()?.is_none() && (0..frame.chunk_count()).all(fine);
    Ok(plain.then(|| Arc::new(OfFrame(frame)) as Arc<dyn Source>))
}

impl Source for OfFrame {
    fn len(&self) -> u64 {
        self.0.nbytes()
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> dudley::Result<()> {
        check(self.len(), address, buf.len() as u64)?;
        Ok(self.0.read_range(address, buf)?)
    }

    fn batch(&self) -> u64 {
        PART
    }
}
