//! How a new array is cut into chunks and blocks: what is said of that, checked, and what another one has.

use std::sync::Arc;

use dudley::bytes::Source;

use super::NewArray;
use super::dtype::Type;
use super::pack::Cut;
use super::shapes;
use crate::blosc2::encoding::refused;
use crate::blosc2::error::Result;
use crate::blosc2::frame::b2nd::{Meta, NAMES};

/// The most bytes of a block and of a chunk.
const LARGEST_BLOCK: u64 = 536_866_816;
const LARGEST_CHUNK: u64 = i32::MAX as u64 - 32;

impl NewArray {
    /// With the chunks and blocks that the metalayer `b2nd` of another array says, if that has this shape; and with
    /// its type, if elements of it are the same numbers, as times are those of `<i8`.
    #[must_use]
    pub fn cut_as(self, metalayer: &[u8]) -> NewArray {
        let source: Arc<dyn Source> = Arc::new(metalayer.to_vec());
        let place = [(NAMES[0].to_owned(), 0..metalayer.len() as u64)];
        match Meta::read(&source, &place) {
            Ok(Some(meta)) if meta.shape == self.shape => {
                let new = self.clone().chunks(&meta.chunks).blocks(&meta.blocks);
                // What is no metalayer of an array may look like one.
                let mut new = if new.cut().is_ok() { new } else { self };
                let dtype = meta.dtype.unwrap_or_default();
                let stored = Type::parse(&dtype).filter(|stored| {
                    stored.repeated().is_none() && stored.is_stored_as(&new.element)
                });
                if let Some(element) = stored {
                    (new.element, new.dtype) = (element, dtype);
                }
                new
            }
            _ => self,
        }
    }

    /// The shapes of chunks and blocks, checked.
    pub(super) fn cut(&self) -> Result<Cut> {
        let size = self.frame.encoding.typesize;
        if self.blocks.iter().chain(&self.chunks).any(|dim| *dim == 0) {
            return Err(refused("chunks and blocks have 1 element or more along each dimension"));
        }
        let given = |dims: &[u64]| !dims.is_empty() || self.shape.is_empty();
        let most: Vec<u64> = self.shape.iter().map(|dim| (*dim).max(1)).collect();
        let blocks = match (given(&self.blocks), given(&self.chunks)) {
            (true, _) => self.blocks.clone(),
            (false, true) => shapes::block(&self.chunks, size as u64),
            (false, false) => shapes::block(&most, size as u64),
        };
        let chunks = if given(&self.chunks) {
            self.chunks.clone()
        } else {
            shapes::chunk(&self.shape, &blocks, size as u64)
        };
        let cut = Cut { chunks, blocks, size };
        self.check_cut(&cut, &most)?;
        Ok(cut)
    }

    /// Checks that chunks are parts of the array, and blocks parts of chunks, of sizes that can be said. `most` is the
    /// longest that a chunk may be.
    fn check_cut(&self, cut: &Cut, most: &[u64]) -> Result<()> {
        let (shape, rank) = (&self.shape, self.shape.len());
        let within =
            |part: &[u64], most: &[u64]| part.iter().zip(most).all(|(it, most)| it <= most);
        for (what, dims) in [("chunks", &cut.chunks), ("blocks", &cut.blocks)] {
            if dims.len() != rank {
                let dimensions = match dims.len() {
                    1 => "1 dimension".to_owned(),
                    count => format!("{count} dimensions"),
                };
                return Err(refused(&format!(
                    "{what} of {dims:?} have {dimensions}, where the array of {shape:?} has {rank}"
                )));
            }
        }
        let Cut { chunks, blocks, .. } = cut;
        if !within(chunks, most) {
            return Err(refused(&format!(
                "chunks of {chunks:?} do not fit an array of {shape:?}: none is longer than that along any dimension"
            )));
        }
        if !within(blocks, chunks) {
            return Err(refused(&format!(
                "blocks of {blocks:?} do not fit chunks of {chunks:?}: none is longer than that along any dimension"
            )));
        }
        let sizes = [
            ("blocks", blocks, cut.block_bytes(), LARGEST_BLOCK),
            ("chunks", chunks, cut.chunk_bytes(), LARGEST_CHUNK),
        ];
        for (what, dims, bytes, most) in sizes {
            if bytes.is_none_or(|bytes| bytes > most) {
                let bytes = bytes.map_or("too many".to_owned(), |bytes| bytes.to_string());
                return Err(refused(&format!(
                    "{what} of {dims:?} have {bytes} bytes, where {most} are the most"
                )));
            }
        }
        Ok(())
    }
}
