//! State that decoding threads keep from block to block, and how they share the pieces of a read.

use std::sync::Mutex;

use crate::blosc2::codecs::{Codec, Codecs};
use crate::blosc2::error::Result;
use crate::blosc2::memory;
use crate::blosc2::parallel::{Load, shared};

/// The scratch of this many threads is kept, and this many bytes of each.
const MOST_KEPT: usize = 16;
const MOST_ROOM: usize = 4 << 20;

/// Decoded bytes that leave nothing of use in the caches.
const LARGE: u64 = 16 << 20;

/// What one thread keeps from block to block.
#[derive(Default)]
pub(crate) struct Scratch {
    pub(super) codecs: Codecs,
    stages: [Vec<u8>; 2],
    /// Bytes as they are stored, of what is not in memory.
    pub(super) stored: Vec<u8>,
    whole: Vec<u8>,
    /// What is read is more than the caches hold.
    pub(super) past: bool,
    /// How many threads share the streams of a block, if more than one.
    threads: usize,
    /// What those have that help.
    helpers: Kept,
}

impl Scratch {
    /// For a thread that has part in a read of this many bytes.
    pub(crate) fn for_read(self, bytes: u64) -> Scratch {
        Scratch { past: bytes >= LARGE, ..self }
    }

    /// For a thread that is helped by others, this many with itself, with each block.
    pub(crate) fn with_threads(self, threads: usize) -> Scratch {
        Scratch { threads, ..self }
    }

    /// What decodes streams of a codec, and room for two blocks.
    pub(super) fn work(&mut self, codec: Codec) -> (&mut [Vec<u8>; 2], Work<'_>) {
        let Scratch { codecs, stages, stored, threads, helpers, .. } = self;
        (stages, Work { codec, codecs, stored, threads: *threads, helpers })
    }

    /// Bytes of memory that it has, except for those of decoders.
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

    /// Memory of this many bytes, of any contents.
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

/// What decodes the streams of a block.
pub(super) struct Work<'s> {
    pub(super) codec: Codec,
    pub(super) codecs: &'s mut Codecs,
    pub(super) stored: &'s mut Vec<u8>,
    pub(super) threads: usize,
    pub(super) helpers: &'s Kept,
}

/// What threads keep from one read to the next: decoders, and room for blocks that are not large.
#[derive(Default)]
pub(crate) struct Kept(Mutex<Vec<Scratch>>);

impl Kept {
    /// For a thread that has part in a read of this many bytes.
    fn take(&self, bytes: u64) -> Scratch {
        let kept = self.0.lock().ok().and_then(|mut kept| kept.pop());
        kept.unwrap_or_default().for_read(bytes)
    }

    fn give_back(&self, scratch: Scratch) {
        if let Ok(mut kept) = self.0.lock()
            && kept.len() < MOST_KEPT
            && scratch.room() <= MOST_ROOM
        {
            kept.push(scratch);
        }
    }
}

/// Does each piece, with this many threads, this one among them. Where there are few blocks the pieces are done one
/// after the other, and what these threads share is [passed](Scratch::with_threads) to them.
///
/// # Errors
/// The first error; pieces that nobody has begun are then left.
pub(crate) fn each<T: Send>(
    threads: usize,
    load: Load,
    kept: &Kept,
    pieces: impl Iterator<Item = T> + Send,
    work: impl Fn(T, &mut Scratch) -> Result<()> + Sync,
) -> Result<()> {
    let threads = load.threads(threads);
    let (threads, within) = if load.is_by_streams(threads) { (1, threads) } else { (threads, 1) };
    let take = || kept.take(load.bytes).with_threads(within);
    shared(threads, pieces, (take, |scratch| kept.give_back(scratch)), work)
}
