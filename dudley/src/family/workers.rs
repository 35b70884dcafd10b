//! A bounded number of threads that share units of work.

use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// How many threads work at a time if nobody says: as many as there are processors.
pub(super) fn default_jobs() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Works on all units with at most `jobs` threads, the calling one included; each has a state of
/// its own. Where no thread can be had the work is done all the same. When `work` gives `false`,
/// no further units are begun.
pub(super) fn each<T: Send, S>(
    jobs: usize,
    units: Vec<T>,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> bool + Sync,
) {
    let more = jobs.min(units.len()).saturating_sub(1);
    let units = Mutex::new(units.into_iter());
    let stopped = AtomicBool::new(false);
    let next = || {
        // A panic of another thread says nothing of the units that are left.
        let mut units = units.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        units.next()
    };
    let run = || {
        let mut state = state();
        while !stopped.load(Ordering::Relaxed)
            && let Some(unit) = next()
        {
            if !work(&mut state, unit) {
                stopped.store(true, Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..more {
            if thread::Builder::new().spawn_scoped(scope, run).is_err() {
                break;
            }
        }
        run();
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
