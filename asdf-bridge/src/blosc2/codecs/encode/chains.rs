//! Where bytes were met before: the search of the slow codecs, which looks at many places of each hash.

use super::matches::{Emit, LAST, Literals, MARGIN, SHORTEST, same, word};

/// Hashes have this many bits.
const BITS: u32 = 15;

/// The last places, each of which knows the one before it that has its hash.
const WINDOW: usize = 1 << 16;

/// None so far.
const NOWHERE: u32 = u32::MAX;

pub(super) struct Chains {
    heads: Vec<u32>,
    /// How far before each place the one of the same hash is; 0 for none within the window.
    before: Vec<u16>,
    tries: usize,
    /// Places up to here are known.
    next: usize,
}

/// A copy that was found.
#[derive(Clone, Copy)]
struct Found {
    at: usize,
    from: usize,
    len: usize,
}

impl Found {
    fn end(&self) -> usize {
        self.at + self.len
    }
}

/// A copy with what is the same before it, from `least` on.
fn extended(src: &[u8], at: usize, found: Found, least: usize) -> Found {
    let mut back = 0;
    while at - back > least && found.from > back && src[at - back - 1] == src[found.from - back - 1]
    {
        back += 1;
    }
    Found { at: at - back, from: found.from - back, len: found.len + back }
}

impl Chains {
    /// Looks at this many places at most.
    pub(super) fn new(tries: usize) -> Chains {
        Chains { heads: vec![NOWHERE; 1 << BITS], before: vec![0; WINDOW], tries, next: 0 }
    }

    /// Compresses what follows `start` in `src`, whose first bytes may be copied from; how many bytes
    /// were written, `None` if there is no room.
    pub(super) fn compress<E: Emit>(
        &mut self,
        src: &[u8],
        start: usize,
        emit: &mut E,
    ) -> Option<usize> {
        self.heads.fill(NOWHERE);
        self.next = 0;
        let (mut at, mut anchor) = (start, start);
        if src.len() < start + MARGIN + 1 {
            return emit.finish(Literals::new(src, anchor, src.len()));
        }
        let (limit, end) = (src.len() - MARGIN, src.len() - LAST);
        while at <= limit {
            let Some(found) = self.longest::<E>(src, at, end, SHORTEST - 1) else {
                at += 1;
                continue;
            };
            let mut best = extended(src, at, found, anchor);
            // A longer copy may begin within this one, which then ends before it or is left out.
            while best.end() - 2 <= limit {
                let probe = best.end() - 2;
                let Some(found) = self.longest::<E>(src, probe, end, SHORTEST - 1) else { break };
                let wider = extended(src, probe, found, best.at);
                if wider.len <= best.len {
                    break;
                }
                if wider.at >= best.at + SHORTEST {
                    let len = wider.at - best.at;
                    emit.sequence(Literals::new(src, anchor, best.at), best.at - best.from, len)?;
                    anchor = wider.at;
                }
                best = wider;
            }
            emit.sequence(Literals::new(src, anchor, best.at), best.at - best.from, best.len)?;
            at = best.end();
            anchor = at;
        }
        emit.finish(Literals::new(src, anchor, src.len()))
    }

    /// Makes all places before `at` known.
    fn learn(&mut self, src: &[u8], at: usize) {
        for place in self.next..at {
            let head = &mut self.heads[hash(src, place)];
            let distance = place.wrapping_sub(*head as usize);
            let near = *head != NOWHERE && distance < WINDOW;
            self.before[place % WINDOW] = if near { distance as u16 } else { 0 };
            *head = place as u32;
        }
        self.next = self.next.max(at);
    }

    /// The longest copy to `at`, of those longer than `least`.
    fn longest<E: Emit>(
        &mut self,
        src: &[u8],
        at: usize,
        end: usize,
        least: usize,
    ) -> Option<Found> {
        self.learn(src, at);
        let head = self.heads[hash(src, at)];
        if head == NOWHERE {
            return None;
        }
        let (here, mut from) = (word(src, at), head as usize);
        let mut best = Found { at, from: 0, len: least };
        for _ in 0..self.tries {
            let distance = at - from;
            if distance > E::FARTHEST.min(WINDOW - 1) {
                break;
            }
            // What does not go on behind the best one so far is not better.
            let tail = src.get(from + best.len) == src.get(at + best.len);
            if tail && word(src, from) == here {
                let len = SHORTEST + same(src, from + SHORTEST, at + SHORTEST, end);
                if len > best.len && E::accepts(distance, len) {
                    best = Found { at, from, len };
                }
            }
            let back = usize::from(self.before[from % WINDOW]);
            match from.checked_sub(back) {
                Some(earlier) if back > 0 => from = earlier,
                _ => break,
            }
        }
        (best.len > least).then_some(best)
    }
}

fn hash(src: &[u8], at: usize) -> usize {
    (word(src, at).wrapping_mul(2_654_435_761) >> (32 - BITS)) as usize
}
