//! A bounded number of threads that share the pieces of one read or write.

use std::sync::{Mutex, OnceLock};

use rayon_core::{ThreadPool, ThreadPoolBuilder};

use super::chunk::Scratch;
use super::error::{Error, Result};

/// Below this many bytes to be compressed, or decoded by a slow codec, a thread costs more than it saves.
const WORTH: u64 = 256 << 10;

/// The same, of bytes that are decoded by the others.
const WORTH_OF_FAST: u64 = 4 * WORTH;

/// The scratch of so many threads is kept, and so many bytes of each.
const MOST_KEPT: usize = 16;
const MOST_ROOM: usize = 4 << 20;

/// How many threads to use where nothing is said. The system is asked once: it looks at files for that, which
/// takes longer than a small chunk.
pub(crate) fn default_threads() -> usize {
    static THREADS: OnceLock<usize> = OnceLock::new();
    *THREADS
        .get_or_init(|| std::thread::available_parallelism().map_or(1, |count| count.get()).min(16))
}

/// The threads that help the one that reads or writes. They stay: one that is started for each chunk comes late for
/// small ones. None where threads cannot be had.
fn helpers() -> Option<&'static ThreadPool> {
    static HELPERS: OnceLock<Option<ThreadPool>> = OnceLock::new();
    let start = || {
        let name = |number| format!("blosc2-{number}");
        ThreadPoolBuilder::new().num_threads(default_threads()).thread_name(name).build().ok()
    };
    HELPERS.get_or_init(start).as_ref()
}

/// What threads keep from one read to the next: decoders, and room for blocks that are not large.
#[derive(Default)]
pub(crate) struct Kept(Mutex<Vec<Scratch>>);

impl Kept {
    /// For a thread that has part in a read of so many bytes.
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

/// What a read comes to, in bytes of all its pieces.
pub(crate) struct Load {
    /// Of the blocks that have part in it.
    pub(crate) decoded: u64,
    /// Of the result.
    pub(crate) bytes: u64,
    /// Most of them are decoded as fast as they are copied.
    pub(crate) fast: bool,
}

/// Does each piece, with so many threads, this one among them.
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
    let give_back = |scratch| kept.give_back(scratch);
    let worth = if load.fast { WORTH_OF_FAST } else { WORTH };
    let threads = threads.min(usize::try_from(load.decoded / worth).unwrap_or(usize::MAX));
    each_with(threads, load.decoded, pieces, (|| kept.take(load.bytes), give_back), work)
}

/// As [`each`], with what each thread takes before its first piece and gives back behind its last one.
/// `bytes` are those of all pieces.
pub(crate) fn each_with<T: Send, S>(
    threads: usize,
    bytes: u64,
    mut pieces: impl Iterator<Item = T> + Send,
    (take, give_back): (impl Fn() -> S + Sync, impl Fn(S) + Sync),
    work: impl Fn(T, &mut S) -> Result<()> + Sync,
) -> Result<()> {
    let threads = threads.min(usize::try_from(bytes / WORTH).unwrap_or(usize::MAX)).max(1);
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
