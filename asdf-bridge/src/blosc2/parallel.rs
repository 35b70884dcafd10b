//! A bounded number of threads that share the pieces of one read or write.

use std::sync::Mutex;

use super::chunk::Scratch;
use super::error::{Error, Result};

/// Below this many decoded bytes a thread costs more than it saves.
const WORTH: u64 = 256 << 10;

/// How many threads to use where nothing is said.
pub(crate) fn default_threads() -> usize {
    std::thread::available_parallelism().map_or(1, |count| count.get()).min(16)
}

/// Does each piece, with so many threads, this one among them. `bytes` are those of all pieces.
///
/// # Errors
/// The first error; pieces that nobody has begun are then left.
pub(crate) fn each<T: Send>(
    threads: usize,
    bytes: u64,
    pieces: impl Iterator<Item = T> + Send,
    work: impl Fn(T, &mut Scratch) -> Result<()> + Sync,
) -> Result<()> {
    each_with(threads, bytes, pieces, || Scratch::for_read(bytes), work)
}

/// As [`each`], with what each thread keeps from piece to piece.
pub(crate) fn each_with<T: Send, S>(
    threads: usize,
    bytes: u64,
    mut pieces: impl Iterator<Item = T> + Send,
    scratch: impl Fn() -> S + Sync,
    work: impl Fn(T, &mut S) -> Result<()> + Sync,
) -> Result<()> {
    let threads = threads.min(usize::try_from(bytes / WORTH).unwrap_or(usize::MAX)).max(1);
    if threads == 1 {
        let mut scratch = scratch();
        return pieces.try_for_each(|piece| work(piece, &mut scratch));
    }
    let pieces = Mutex::new((pieces, None::<Error>));
    let run = || {
        let mut scratch = scratch();
        loop {
            let piece = match pieces.lock() {
                Ok(mut state) if state.1.is_none() => state.0.next(),
                _ => None,
            };
            let Some(piece) = piece else { return };
            if let Err(error) = work(piece, &mut scratch) {
                if let Ok(mut state) = pieces.lock() {
                    state.1.get_or_insert(error);
                }
                return;
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // A thread that cannot be had is one less.
            let _ = std::thread::Builder::new().spawn_scoped(scope, run);
        }
        run();
    });
    match pieces.into_inner() {
        Ok((_, Some(error))) => Err(error),
        _ => Ok(()),
    }
}
