//! Work shared among a bounded number of threads, the one that has it among them.
//!
//! Units are begun in their order, each by the next thread that is free. Where the results are sums, work
//! is cut the same way however many threads there are, and results are taken in the order of the work, so
//! that sums of floats do not depend on the number of threads.

use std::num::NonZero;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::error::Result;

/// Threads, whatever was requested.
const MOST: usize = 1024;
/// Results that are held at the same time, for each thread.
const HELD: usize = 64;

/// A unit that takes longer is worth a thread. Small reads of files in memory take less: threads of
/// one process stand in each other's way when they open files.
const WORTH: Duration = Duration::from_micros(20);
/// Most of this many units must be worth it, or of fewer that took so long.
const TRIED: u32 = 8;
const PATIENCE: Duration = Duration::from_millis(5);

/// How many threads are used at most where this many were requested: for 0, as many as the machine runs at
/// the same time.
pub(crate) fn count(asked: usize) -> usize {
    // Asking the system takes longer than a small read.
    static MACHINE: OnceLock<usize> = OnceLock::new();
    match asked {
        // There are none to be had there, and no clocks.
        _ if cfg!(target_family = "wasm") => 1,
        0 => *MACHINE.get_or_init(|| thread::available_parallelism().map_or(1, NonZero::get)),
        asked => asked.min(MOST),
    }
}

/// After those, this many units between two looks at the clock, which take time too.
const STRIDE: u32 = 8;

/// Works on all units with at most `threads` threads. Where no thread can be obtained the work is done all the
/// same. When `work` gives false no further unit is begun; those before it are done.
pub(crate) fn share<U: Send>(
    threads: usize,
    units: impl Iterator<Item = U> + Send,
    work: impl Fn(U) -> bool + Sync,
) {
    share_with(threads, units, (), || (), |(), unit| work(unit));
}

/// As [`share`]; each thread has a state, that of the calling one is there.
fn share_with<U: Send, S>(
    threads: usize,
    mut units: impl Iterator<Item = U> + Send,
    mut own: S,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, U) -> bool + Sync,
) {
    if threads <= 1 {
        units.all(|unit| work(&mut own, unit));
        return;
    }
    let more = units.size_hint().1.map_or(threads, |most| threads.min(most)).saturating_sub(1);
    let (units, stopped) = (Mutex::new(units), AtomicBool::new(false));
    // A panic of another thread says nothing of the units that are left.
    let next = || units.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = |state: &mut S| {
        while !stopped.load(Ordering::Relaxed)
            && let Some(unit) = next()
        {
            if !work(state, unit) {
                stopped.store(true, Ordering::Relaxed);
            }
        }
    };
    beside(more, &|| run(&mut state()), &mut || run(&mut own));
}

/// Does one thing here, and another on this many more threads meanwhile, as far as the system gives them.
fn beside(threads: usize, there: &(dyn Fn() + Sync), here: &mut dyn FnMut()) {
    thread::scope(|scope| {
        for _ in 0..threads {
            if thread::Builder::new().spawn_scoped(scope, there).is_err() {
                break;
            }
        }
        here();
    });
}

/// As [`share`], of units of which nobody knows how long they take: other threads come only when units
/// turn out to be worth it. Each thread has a state of its own.
pub(crate) fn share_if_worth<U: Send, S>(
    threads: usize,
    mut units: impl Iterator<Item = U> + Send,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, U) + Sync,
) {
    let mut own = state();
    let mut pace = (threads > 1).then(Pace::new);
    while !pace.as_ref().is_some_and(|pace| pace.is_slow) {
        let Some(unit) = units.next() else { return };
        work(&mut own, unit);
        if let Some(pace) = &mut pace {
            pace.count();
        }
    }
    share_with(threads, units, own, state, |state, unit| {
        work(state, unit);
        true
    });
}

/// How long units take.
struct Pace {
    begun: Instant,
    /// When the clock was looked at, and how many units were done then.
    looked: (Instant, u32),
    done: u32,
    /// Units that were worth a thread.
    slow: u32,
    /// Whether most units are.
    is_slow: bool,
}

impl Pace {
    fn new() -> Pace {
        let now = Instant::now();
        Pace { begun: now, looked: (now, 0), done: 0, slow: 0, is_slow: false }
    }

    /// One more unit is done.
    fn count(&mut self) {
        self.done = self.done.saturating_add(1);
        let (before, known) = self.looked;
        let new = self.done - known;
        if known >= TRIED && new < STRIDE {
            return;
        }
        let now = Instant::now();
        if now - before > WORTH * new {
            self.slow += new;
        }
        self.looked = (now, self.done);
        // One unit may be slow because the machine is busy; most are only if they are.
        let enough = self.done >= TRIED || now - self.begun > PATIENCE;
        self.is_slow = self.slow > self.done / 2 && enough;
    }
}

/// Does `work` for 0 up to `count`, on at most `threads` threads, and hands the results to `take` in
/// order.
///
/// # Errors
/// The first error of `work`, in order; results before it are taken.
pub(crate) fn in_order<T: Send>(
    threads: usize,
    count: u64,
    work: &(dyn Fn(u64) -> Result<T> + Sync),
    take: &mut dyn FnMut(T),
) -> Result<()> {
    let mut done = 0;
    while done < count {
        let end = count.min(done.saturating_add((HELD * threads.clamp(1, MOST)) as u64));
        for result in batch(threads, done, end, work) {
            take(result?);
        }
        done = end;
    }
    Ok(())
}

/// The results from `begin` up to the first error or to `end`.
fn batch<T: Send>(
    threads: usize,
    begin: u64,
    end: u64,
    work: &(dyn Fn(u64) -> Result<T> + Sync),
) -> impl Iterator<Item = Result<T>> {
    let results = Mutex::new(Vec::new());
    share(threads, begin..end, |at| {
        let result = work(at);
        let more = result.is_ok();
        results.lock().unwrap_or_else(PoisonError::into_inner).push((at, result));
        more
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_unstable_by_key(|(at, _)| *at);
    let mut whole = true;
    let results = results.into_iter().map(|(_, result)| result);
    results.take_while(move |result| std::mem::replace(&mut whole, result.is_ok()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn results_come_in_order_up_to_the_first_error() {
        for threads in [0, 1, 2, 7] {
            let mut seen = Vec::new();
            in_order(threads, 1000, &|at| Ok(at * at), &mut |square| seen.push(square))
                .expect("done");
            assert!(seen.iter().enumerate().all(|(at, square)| (at * at) as u64 == *square));
            assert_eq!(seen.len(), 1000);

            seen.clear();
            let fails = |at| match at % 100 {
                70 => Err(Error::too_large(at)),
                _ => Ok(at),
            };
            let error =
                in_order(threads, 1000, &fails, &mut |at| seen.push(at)).expect_err("fails");
            assert!(matches!(error, Error::TooLarge { size: 70, .. }), "{error}");
            assert_eq!(seen, (0..70).collect::<Vec<_>>());
        }
        in_order(4, 0, &|_| Ok(()), &mut |()| unreachable!("nothing to do")).expect("done");
    }

    #[test]
    fn every_unit_is_worked_on_once() {
        for threads in [0, 1, 3, 100] {
            let sum = AtomicU64::new(0);
            let add = |unit| {
                sum.fetch_add(unit, Ordering::Relaxed);
            };
            share_if_worth(threads, 1..=1000, || (), |(), unit| add(unit));
            share(threads, 1..=1000, |unit| {
                add(unit);
                true
            });
            assert_eq!(sum.into_inner(), 1_001_000, "{threads} threads");
        }
    }

    #[test]
    fn no_more_is_begun_when_it_stops() {
        for threads in [1, 2] {
            let count = AtomicU64::new(0);
            share(threads, 0..1000, |_| {
                count.fetch_add(1, Ordering::Relaxed);
                false
            });
            assert!(count.into_inner() <= threads as u64);
        }
    }
}
