//! A bounded number of threads that share the pieces of one read or write.

use std::sync::{Mutex, OnceLock};

use rayon_core::{ThreadPool, ThreadPoolBuilder};

use super::error::{Error, Result};

/// Below this many bytes to be compressed a thread costs more than it saves.
const WORTH: u64 = 256 << 10;

/// The same, of bytes that are decoded by a slow codec, and by the others.
const WORTH_OF_SLOW: u64 = 128 << 10;
const WORTH_OF_FAST: u64 = 1 << 20;

/// With this many blocks for each thread none waits long for the last ones.
const MANY: u64 = 4;

/// How many threads to use where nothing is said. The system is asked once: it looks at files for that, which
/// takes longer than a small chunk.
pub(crate) fn default_threads() -> usize {
    static THREADS: OnceLock<usize> = OnceLock::new();
    *THREADS
        .get_or_init(|| std::thread::available_parallelism().map_or(1, |count| count.get()).min(16))
}

/// The threads that help the one that reads or writes. They stay: one that is started for each chunk comes late for
/// small ones. `None` where threads cannot be obtained.
fn helpers() -> Option<&'static ThreadPool> {
    static HELPERS: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let start = || {
        let name = |number| format!("blosc2-{number}");
        ThreadPoolBuilder::new().num_threads(default_threads()).thread_name(name).build().ok()
    };
    HELPERS.get_or_init(start).as_ref()
}

/// What a read comes to, in bytes of all its pieces.
#[derive(Clone, Copy)]
pub(crate) struct Load {
    /// Of the blocks that have part in it.
    decoded: u64,
    /// Of the result.
    pub(crate) bytes: u64,
    /// Most of them are decoded as fast as they are copied.
    fast: bool,
    /// How many blocks these are, and of how many streams each is; 0 where nobody asked.
    blocks: u64,
    streams: u64,
}

impl Load {
    pub(crate) fn new(decoded: u64, bytes: u64, fast: bool) -> Load {
        Load { decoded, bytes, fast, blocks: 0, streams: 0 }
    }

    /// Of this many blocks. `streams` says of how many streams each of them is; it is asked where that matters.
    pub(crate) fn of_blocks(
        mut self,
        threads: usize,
        blocks: u64,
        streams: impl FnOnce() -> usize,
    ) -> Load {
        let threads = self.threads(threads) as u64;
        if threads > 1 && !self.fast && blocks < threads.saturating_mul(MANY) {
            (self.blocks, self.streams) = (blocks, streams() as u64);
        }
        self
    }

    /// How many threads are worth being used, of this many.
    pub(crate) fn threads(&self, most: usize) -> usize {
        let worth = if self.fast { WORTH_OF_FAST } else { WORTH_OF_SLOW };
        worthwhile(most, self.decoded, worth)
    }

    /// Whether it is done sooner if all threads share the streams of one block after the other than if each takes
    /// blocks of its own, the last of which leave threads with nothing to do. That they wait for each other, and one
    /// puts the block together, is counted as a stream more.
    pub(crate) fn is_by_streams(&self, threads: usize) -> bool {
        let threads = threads as u64;
        let shared = self.blocks.saturating_mul(self.streams.div_ceil(threads) + 1);
        shared < self.blocks.div_ceil(threads).saturating_mul(self.streams)
    }
}

/// How many threads are worth being used for this many bytes, of `most`.
fn worthwhile(most: usize, bytes: u64, worth: u64) -> usize {
    most.min(usize::try_from(bytes / worth).unwrap_or(usize::MAX)).max(1)
}

/// Does each piece with this many threads, this one among them, and with what each thread takes before its first piece and
/// gives back behind its last one. `bytes` are those of all pieces.
///
/// # Errors
/// The first error; pieces that nobody has begun are then left.
pub(crate) fn each_with<T: Send, S>(
    threads: usize,
    bytes: u64,
    pieces: impl Iterator<Item = T> + Send,
    keep: (impl Fn() -> S + Sync, impl Fn(S) + Sync),
    work: impl Fn(T, &mut S) -> Result<()> + Sync,
) -> Result<()> {
    shared(worthwhile(threads, bytes, WORTH), pieces, keep, work)
}

/// As [`each_with`], with a number of threads that was chosen already.
pub(crate) fn shared<T: Send, S>(
    threads: usize,
    mut pieces: impl Iterator<Item = T> + Send,
    (take, give_back): (impl Fn() -> S + Sync, impl Fn(S) + Sync),
    work: impl Fn(T, &mut S) -> Result<()> + Sync,
) -> Result<()> {
    if threads == 1 {
        let mut scratch = take();
        let done = pieces.try_for_each(|piece| work(piece, &mut scratch));
        give_back(scratch);
        return done;
    }
    let pieces = Mutex::new((pieces, None::<Error>));
    let run = || {
        let mut scratch = take();
        loop {
            let piece = match pieces.lock() {
                Ok(mut state) if state.1.is_none() => state.0.next(),
                _ => None,
            };
            let Some(piece) = piece else { break };
            if let Err(error) = work(piece, &mut scratch) {
                if let Ok(mut state) = pieces.lock() {
                    state.1.get_or_insert(error);
                }
                break;
            }
        }
        give_back(scratch);
    };
    match helpers() {
        Some(helpers) => helpers.in_place_scope(|scope| {
            for _ in 1..threads {
                scope.spawn(|_| run());
            }
            run();
        }),
        None => run(),
    }
    match pieces.into_inner() {
        Ok((_, Some(error))) => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_blocks_are_done_by_their_streams() {
        let by_streams = |threads: usize, fast: bool| -> Vec<u64> {
            let of = |blocks: &u64| {
                let load = Load::new(blocks << 20, blocks << 20, fast);
                let load = load.of_blocks(threads, *blocks, || 8);
                load.is_by_streams(load.threads(threads))
            };
            (0..40).filter(of).collect()
        };
        assert!(by_streams(1, false).is_empty());
        // Those of which the last ones would leave most threads without work.
        assert_eq!(by_streams(2, false), [1, 3]);
        assert_eq!(by_streams(4, false), [1, 2, 5]);
        // More threads than streams: each block takes as long as one of its streams.
        assert_eq!(by_streams(16, false), [1, 2, 3]);
        assert!(by_streams(4, true).is_empty());
        // A block that is worth one thread, and blocks of one stream.
        let load = Load::new(200 << 10, 1, false);
        assert!(!load.of_blocks(4, 1, || 8).is_by_streams(load.threads(4)));
        let load = Load::new(5 << 20, 1, false);
        assert!(!load.of_blocks(4, 1, || 1).is_by_streams(load.threads(4)));
    }
}
