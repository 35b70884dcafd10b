//! Work shared among a bounded number of threads, its results taken in order.
//!
//! What is shared is cut the same way however many threads there are, and results are taken in the
//! order of the work, so that sums of floats do not depend on the number of threads.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

use crate::error::Result;

/// Pieces of work whose results are held at the same time, for each thread.
const HELD: usize = 64;
/// Threads, whatever was asked for.
const MOST: usize = 1024;

/// As many threads as the machine runs at the same time.
pub(crate) fn most() -> usize {
    // Asking the system takes longer than a small read.
    static MACHINE: OnceLock<usize> = OnceLock::new();
    *MACHINE.get_or_init(|| std::thread::available_parallelism().map_or(1, NonZero::get))
}

/// Does `work` for 0 up to `count`, on at most `jobs` threads, and hands the results to `take` in
/// order.
///
/// # Errors
/// The first error of `work`, in order; results before it are taken.
pub(crate) fn in_order<T: Send>(
    jobs: usize,
    count: u64,
    work: &(dyn Fn(u64) -> Result<T> + Sync),
    take: &mut dyn FnMut(T),
) -> Result<()> {
    let mut done = 0;
    while done < count {
        let end = count.min(done.saturating_add((HELD * jobs.clamp(1, MOST)) as u64));
        for result in batch(jobs.clamp(1, MOST), done, end, work) {
            take(result?);
        }
        done = end;
    }
    Ok(())
}

/// The results from `begin` up to the first error or to `end`.
fn batch<T: Send>(
    jobs: usize,
    begin: u64,
    end: u64,
    work: &(dyn Fn(u64) -> Result<T> + Sync),
) -> Vec<Result<T>> {
    let (next, failed) = (AtomicU64::new(begin), AtomicBool::new(false));
    let results = Mutex::new(Vec::new());
    // Each piece is taken in order, so whatever lies before one that fails is done as well.
    let run = || {
        while !failed.load(Ordering::Relaxed) {
            let at = next.fetch_add(1, Ordering::Relaxed);
            if at >= end {
                return;
            }
            let result = work(at);
            failed.fetch_or(result.is_err(), Ordering::Relaxed);
            results.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push((at, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..(end - begin).min(jobs as u64) {
            // Where there are no more threads, those that are there do the work.
            if std::thread::Builder::new().spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        run();
    });
    let mut results = results.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    results.sort_unstable_by_key(|(at, _)| *at);
    let mut whole = true;
    let results = results.into_iter().map(|(_, result)| result);
    results.take_while(|result| std::mem::replace(&mut whole, result.is_ok())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    #[test]
    fn results_come_in_order_up_to_the_first_error() {
        for jobs in [0, 1, 2, 7] {
            let mut seen = Vec::new();
            in_order(jobs, 1000, &|at| Ok(at * at), &mut |square| seen.push(square)).expect("done");
            assert!(seen.iter().enumerate().all(|(at, square)| (at * at) as u64 == *square));
            assert_eq!(seen.len(), 1000);

            seen.clear();
            let fails = |at| match at % 100 {
                70 => Err(Error::too_large(at)),
                _ => Ok(at),
            };
            let error = in_order(jobs, 1000, &fails, &mut |at| seen.push(at)).expect_err("fails");
            assert!(matches!(error, Error::TooLarge { size: 70, .. }), "{error}");
            assert_eq!(seen, (0..70).collect::<Vec<_>>());
        }
        in_order(4, 0, &|_| Ok(()), &mut |()| unreachable!("nothing to do")).expect("done");
    }
}
