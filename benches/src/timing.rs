//! How times are taken: the least of several runs, or the median ratio of runs in turn.
//!
//! Other work on the machine only ever makes a run slower. So an absolute time is the least of 20,
//! and where two things are compared each runs right after the other, many times, so that what
//! disturbs one disturbs both.
use std::time::Instant;

use crate::Outcome;

/// Runs of which the fastest counts.
const RUNS: usize = 20;

/// Pairs of runs of which the median ratio counts.
const PAIRS: usize = 25;

/// Fewer, but no fewer than these, if they would take longer than this many seconds.
const LEAST_PAIRS: usize = 15;
const PATIENCE: f64 = 20.0;

/// Seconds that one run takes.
pub(crate) fn seconds(run: impl FnOnce() -> Outcome<()>) -> Outcome<f64> {
    let start = Instant::now();
    run()?;
    Ok(start.elapsed().as_secs_f64())
}

/// Seconds of the fastest run.
pub(crate) fn least(mut run: impl FnMut() -> Outcome<()>) -> Outcome<f64> {
    (0..RUNS).try_fold(f64::INFINITY, |least, _| Ok(least.min(seconds(&mut run)?)))
}

/// Two things that were run in turn.
pub(crate) struct Compared {
    /// Our speed as a part of the other's: above 1 we are faster. The median of all pairs.
    pub(crate) ratio: f64,
    /// Seconds of our fastest run.
    pub(crate) ours: f64,
    /// Seconds of the other's fastest run.
    pub(crate) other: f64,
}

/// Runs two things in turn; each gives the seconds that it took. Which goes first changes.
pub(crate) fn compare(
    ours: impl FnMut() -> Outcome<f64>,
    other: impl FnMut() -> Outcome<f64>,
) -> Outcome<Compared> {
    compare_within(PATIENCE, ours, other)
}

/// As [`compare`], with fewer pairs if they would take longer than this many seconds.
pub(crate) fn compare_within(
    patience: f64,
    mut ours: impl FnMut() -> Outcome<f64>,
    mut other: impl FnMut() -> Outcome<f64>,
) -> Outcome<Compared> {
    // Once each to warm up.
    let start = Instant::now();
    ours()?;
    other()?;
    let pair = start.elapsed().as_secs_f64();
    compare_few(((patience / pair) as usize).clamp(LEAST_PAIRS, PAIRS), ours, other)
}

/// As [`compare`], this many times, and not once to warm up.
pub(crate) fn compare_few(
    pairs: usize,
    mut ours: impl FnMut() -> Outcome<f64>,
    mut other: impl FnMut() -> Outcome<f64>,
) -> Outcome<Compared> {
    let mut ratios = Vec::with_capacity(pairs);
    let mut compared = Compared { ratio: 0.0, ours: f64::INFINITY, other: f64::INFINITY };
    for pair in 0..pairs {
        let (mine, its) = if pair % 2 == 0 {
            let mine = ours()?;
            (mine, other()?)
        } else {
            let its = other()?;
            (ours()?, its)
        };
        ratios.push(its / mine);
        compared.ours = compared.ours.min(mine);
        compared.other = compared.other.min(its);
    }
    ratios.sort_by(f64::total_cmp);
    compared.ratio = ratios[pairs / 2];
    Ok(compared)
}
