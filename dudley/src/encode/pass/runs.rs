//! Which bytes of a stream were written, as far as it takes to see that some may be written twice.

use std::collections::BTreeMap;

/// Runs that are remembered; with more of them those that lie near each other count as one.
const MOST: usize = 1024;

/// Runs count as one whose distance is this at most, in bytes: what lies between is padding, mostly.
const NEAR: u64 = 64;

/// Runs of bytes that were written. Nothing that is written twice is missed; what is found may be no more than
/// bytes between two runs.
#[derive(Debug)]
pub(super) struct Runs {
    /// Ends of runs by where they begin, except for the present one.
    others: BTreeMap<u64, u64>,
    /// That which was added to last.
    present: (u64, u64),
    /// Where the run behind the present one begins.
    limit: u64,
    near: u64,
    met: bool,
}

impl Default for Runs {
    fn default() -> Self {
        Runs { others: BTreeMap::new(), present: (0, 0), limit: u64::MAX, near: NEAR, met: false }
    }
}

impl Runs {
    /// Whether bytes may have been written twice.
    pub(super) fn have_met(&self) -> bool {
        self.met
    }

    /// Remembers that bytes are written from an address on. The sum does not overflow: they were placed.
    pub(super) fn add(&mut self, begin: u64, bytes: u64) {
        let end = begin + bytes;
        if bytes == 0 || self.met {
            return;
        }
        let (_, last) = self.present;
        if begin >= last && begin - last <= self.near && end <= self.limit {
            self.present.1 = end;
        } else {
            self.leave(begin, end);
        }
    }

    /// Makes another run the present one.
    fn leave(&mut self, begin: u64, end: u64) {
        let (from, to) = self.present;
        if from < to {
            self.others.insert(from, to);
        }
        if self.others.len() > MOST {
            self.coarsen();
        }
        let before = self.others.range(..end).next_back().map(|(from, to)| (*from, *to));
        self.present = (begin, end);
        if let Some((from, to)) = before {
            self.met |= to > begin;
            if to <= begin && begin - to <= self.near {
                self.others.remove(&from);
                self.present = (from, end);
            }
        }
        self.limit = self.others.range(end..).next().map_or(u64::MAX, |(from, _)| *from);
    }

    /// Joins runs until there are half as many.
    fn coarsen(&mut self) {
        while self.others.len() > MOST / 2 {
            self.near = self.near.saturating_mul(4);
            let mut joined: Vec<(u64, u64)> = Vec::with_capacity(self.others.len());
            for (&from, &to) in &self.others {
                match joined.last_mut() {
                    Some((_, end)) if from - *end <= self.near => *end = to,
                    _ => joined.push((from, to)),
                }
            }
            self.others = joined.into_iter().collect();
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn met(runs: &[(u64, u64)]) -> bool {
        let mut all = Runs::default();
        runs.iter().for_each(|(begin, bytes)| all.add(*begin, *bytes));
        all.have_met()
    }

    #[test]
    fn what_goes_forward_never_meets() {
        assert!(!met(&[(16, 8), (24, 1), (32, 8), (1000, 4), (1004, 4), (500, 8), (600, 100)]));
        let far: Vec<(u64, u64)> = (0..100_000).map(|at| (at * 1000, 8)).collect();
        assert!(!met(&far));
    }

    #[test]
    fn what_lies_on_something_meets() {
        assert!(met(&[(16, 8), (20, 1)]));
        assert!(met(&[(16, 8), (1000, 8), (16, 1)]));
        assert!(met(&[(1000, 8), (16, 985)]));
        assert!(met(&[(16, 8), (1000, 8), (2000, 8), (900, 2000)]));
        assert!(!met(&[(16, 8), (1000, 0), (16, 0)]));
    }

    proptest! {
        #[test]
        fn nothing_is_missed(runs in prop::collection::vec((0_u64..100_000, 0_u64..50), 0..300)) {
            let twice = runs.iter().enumerate().any(|(at, (begin, bytes))| {
                let end = begin + bytes;
                runs[..at].iter().any(|(from, size)| {
                    *bytes > 0 && *size > 0 && *begin < from + size && *from < end
                })
            });
            prop_assert!(!twice || met(&runs));
        }
    }
}
