//! A bounded number of threads that share units of work.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// How many threads work at a time if nobody says: as many as there are processors.
pub(super) fn default_jobs() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// A unit that takes longer is worth a thread. Small reads of files in memory take less: threads of
/// one process stand in each other's way when they open files.
const WORTH: Duration = Duration::from_micros(20);

/// Most of so many units must be worth it, or of fewer that took so long.
const TRIED: u32 = 8;
const PATIENCE: Duration = Duration::from_millis(5);

/// Works on all units with at most `jobs` threads, the calling one included. Others come only when
/// units turn out to be worth it; where no thread can be had the work is done all the same. When
/// `work` gives `false`, no further units are begun. Each thread has a state of its own.
pub(super) fn each<T: Send, S>(
    jobs: usize,
    units: Vec<T>,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> bool + Sync,
) {
    // There, threads and clocks are not to be had.
    let jobs = if cfg!(target_family = "wasm") { 1 } else { jobs };
    let mut units = units.into_iter();
    let mut own = state();
    let (mut done, mut slow, begun) = (0_u32, 0_u32, (jobs > 1).then(Instant::now));
    let mut last = begun;
    while let Some(unit) = units.next() {
        if !work(&mut own, unit) {
            return;
        }
        if let (Some(begun), Some(before)) = (begun, last) {
            let now = Instant::now();
            done = done.saturating_add(1);
            slow += u32::from(now - before > WORTH);
            last = Some(now);
            // One unit may be slow because the machine is busy; most are only if they are.
            if slow > done / 2 && (done >= TRIED || now - begun > PATIENCE) {
                return share(jobs, units, own, state, work);
            }
        }
    }
}

/// Works on units with several threads.
fn share<T: Send, S>(
    jobs: usize,
    units: std::vec::IntoIter<T>,
    mut own: S,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> bool + Sync,
) {
    let more = jobs.min(units.len()).saturating_sub(1);
    let units = Mutex::new(units);
    let stopped = AtomicBool::new(false);
    let next = || {
        // A panic of another thread says nothing of the units that are left.
        let mut units = units.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        units.next()
    };
    let run = |state: &mut S| {
        while !stopped.load(Ordering::Relaxed)
            && let Some(unit) = next()
        {
            if !work(state, unit) {
                stopped.store(true, Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..more {
            let spawned = thread::Builder::new().spawn_scoped(scope, || run(&mut state()));
            if spawned.is_err() {
                break;
            }
        }
        run(&mut own);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn every_unit_is_worked_on_once() {
        for jobs in [0, 1, 3, 100] {
            let sum = AtomicU64::new(0);
            each(
                jobs,
                (1..=1000_u64).collect(),
                || (),
                |(), unit| {
                    sum.fetch_add(unit, Ordering::Relaxed);
                    true
                },
            );
            assert_eq!(sum.into_inner(), 500_500, "{jobs} threads");
        }
    }

    #[test]
    fn no_more_is_begun_when_it_stops() {
        let count = AtomicU64::new(0);
        each(
            2,
            (0..1000).collect(),
            || (),
            |(), _: u64| {
                count.fetch_add(1, Ordering::Relaxed);
                false
            },
        );
        assert!(count.into_inner() <= 2);
    }
}
