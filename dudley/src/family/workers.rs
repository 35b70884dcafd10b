//! A bounded number of threads that share units of work.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// A unit that takes longer is worth a thread. Small reads of files in memory take less: threads of
/// one process stand in each other's way when they open files.
const WORTH: Duration = Duration::from_micros(20);

/// Most of so many units must be worth it, or of fewer that took so long.
const TRIED: u32 = 8;
const PATIENCE: Duration = Duration::from_millis(5);

/// After those, so many units between two looks at the clock, which take time too.
const STRIDE: u32 = 8;

/// Works on all units with at most `jobs` threads, the calling one included. Others come only when
/// units turn out to be worth it; where no thread can be had the work is done all the same. When
/// `work` gives `false`, no further units are begun. Each thread has a state of its own.
pub(super) fn each<T: Send, S>(
    jobs: usize,
    mut units: impl Iterator<Item = T> + Send,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> bool + Sync,
) {
    // There, threads and clocks are not to be had.
    let jobs = if cfg!(target_family = "wasm") { 1 } else { jobs };
    let mut own = state();
    let mut pace = (jobs > 1).then(Pace::new);
    while let Some(unit) = units.next() {
        if !work(&mut own, unit) {
            return;
        }
        if pace.as_mut().is_some_and(Pace::is_slow) {
            return share(jobs, units, own, state, work);
        }
    }
}

/// How long units take.
struct Pace {
    begun: Instant,
    /// When the clock was looked at, and how many units were done then.
    looked: (Instant, u32),
    done: u32,
    /// Units that were worth a thread.
    slow: u32,
}

impl Pace {
    fn new() -> Pace {
        let now = Instant::now();
        Pace { begun: now, looked: (now, 0), done: 0, slow: 0 }
    }

    /// Whether most units are worth a thread, now that one more is done.
    fn is_slow(&mut self) -> bool {
        self.done = self.done.saturating_add(1);
        let (before, known) = self.looked;
        let new = self.done - known;
        if known >= TRIED && new < STRIDE {
            return false;
        }
        let now = Instant::now();
        if now - before > WORTH * new {
            self.slow += new;
        }
        self.looked = (now, self.done);
        // One unit may be slow because the machine is busy; most are only if they are.
        self.slow > self.done / 2 && (self.done >= TRIED || now - self.begun > PATIENCE)
    }
}

/// Works on units with several threads.
fn share<T: Send, S>(
    jobs: usize,
    units: impl Iterator<Item = T> + Send,
    mut own: S,
    state: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, T) -> bool + Sync,
) {
    let more = jobs.min(units.size_hint().1.unwrap_or(jobs)).saturating_sub(1);
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
                1..=1000_u64,
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
            0..1000,
            || (),
            |(), _: u64| {
                count.fetch_add(1, Ordering::Relaxed);
                false
            },
        );
        assert!(count.into_inner() <= 2);
    }
}
