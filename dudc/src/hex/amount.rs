//! How much of something long is shown?

use std::ops::Range;

use dudley_parser::resolve::WalkOptions;

use crate::rows::REPEATS_FOR_PEOPLE;

/// Instances of a struct that are shown: this many of the start, and the last.
const INSTANCES: u64 = 3;

/// The shown part of something long.
#[derive(Clone, Copy)]
pub(super) struct Amount {
    /// All of it, as far as the stream has it: a damaged count is not followed.
    pub(super) whole: bool,
    /// Bytes of the stream.
    pub(super) length: u64,
    /// Only parts with bytes at these addresses.
    pub(super) range: Option<(u64, u64)>,
    /// Arrays of structs and long lists are not expanded yet: one part represents each, with its
    /// description.
    pub(super) held: bool,
}

/// The shown ones of many equal things.
pub(super) struct Shown {
    /// By their numbers.
    pub(super) head: Range<u64>,
    /// The last one, too.
    pub(super) last: bool,
}

impl Amount {
    /// The shown repetitions of lists. A list with more repetitions than the stream has bytes is
    /// damaged, or has items without bytes: then the repetitions that begin within the stream are
    /// shown.
    pub(super) fn repetitions(self) -> WalkOptions {
        let whole = self.whole && !self.held;
        let least = if whole { self.length } else { 0 };
        WalkOptions {
            elide_above: Some(least.max(REPEATS_FOR_PEOPLE)),
            within: whole.then_some(self.length),
        }
    }

    /// The shown ones of some things of `size` bytes, side by side from `address` on.
    pub(super) fn shown(self, count: u64, address: u64, size: u64) -> Shown {
        let there = self.length.saturating_sub(address).div_ceil(size.max(1));
        let head = |head: Range<u64>| Shown { head, last: false };
        match (count, self.range) {
            (0..=1, _) => head(0..count),
            // Behind the end of the stream there may be things in things in things.
            _ if there == 0 && size > 0 => head(0..1),
            (2..=REPEATS_FOR_PEOPLE, _) => head(0..count),
            (_, Some((from, to))) if size > 0 => {
                let first = from.saturating_sub(address) / size;
                let behind = to.saturating_sub(address).div_ceil(size);
                let behind = behind.min(count).min(there + 1);
                head(first.min(behind)..behind)
            }
            _ if self.whole && count <= there => head(0..count),
            // The first that is not there, too, so that this is reported.
            _ if self.whole => head(0..(there.max(INSTANCES) + 1).min(count)),
            _ => Shown { head: 0..INSTANCES, last: true },
        }
    }
}
