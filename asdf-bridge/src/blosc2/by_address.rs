//! Chunks and frames that filters decode by address: of a chunk the blocks that are touched, of a frame those of
//! its chunks.

use std::sync::Arc;

use dudley::bytes::{Source, check};
use dudley::{Open, Stream};

use super::bare_chunk::{chunk_length, lone_chunk};
use super::chunk::{Chunk, Stored};
use super::context::Context;
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

/// The decoded bytes of a chunk, which is `open`; `None` if its blocks are large.
pub(super) fn of_chunk(
    open: &Chunk<'_>,
    stored: Arc<dyn Source>,
    context: Context,
) -> Option<Arc<dyn Source>> {
    let (len, batch) = (open.nbytes(), open.piece_of_blocks(PART));
    is_fine(open).then(|| Arc::new(OfChunk { stored, context, len, batch }) as Arc<dyn Source>)
}

/// A file of one chunk as a stream of its decoded bytes, `/data`; `None` if it is another file, or [some of
/// it](chunk_length) is missing. Bytes behind the chunk are ignored.
///
/// ```
/// use asdf_bridge::blosc2::{Encoding, open_chunk};
///
/// let stored = Encoding::new(8).chunk(&[7; 8000])?;
/// let stream = open_chunk(stored)?.expect("a chunk");
/// assert_eq!(stream.get("/data")?.read::<u8>()?.len(), 8000);
/// assert!(open_chunk(vec![5, 1])?.is_none());
/// # Ok::<(), dudley::Error>(())
/// ```
///
/// # Errors
/// If it cannot be read. A fault of the chunk is an error of its reader.
pub fn open_chunk(source: impl Source + 'static) -> dudley::Result<Option<Stream>> {
    let stored: Arc<dyn Source> = Arc::new(source);
    let length = stored.len();
    let mut head = [0; 64];
    let head = &mut head[..length.min(64) as usize];
    stored.read_at(0, head)?;
    let length = chunk_length(head, length).filter(|it| *it <= length);
    let found = length.and_then(|length| lone_chunk(head, length));
    let Some((nbytes, how)) = found else { return Ok(None) };
    let (context, len) = (Context::default(), nbytes as u64);
    let open = Open::new().layout_text(&format!("data = u1[{len}]  ## {how}\n"))?.raw();
    open.source(OfChunk { stored, context, len, batch: PART }).map(Some)
}

/// Whether little more is decoded than what is requested.
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

/// The decoded bytes of a frame; `None` if it has an array, whose elements stand in it in another order, or its blocks
/// are large.
///
/// # Errors
/// If something is wrong with the metalayer of an array.
pub(super) fn of_frame(frame: Frame) -> Result<Option<Arc<dyn Source>>> {
    // A chunk that is damaged is a matter of the code that reads it.
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
