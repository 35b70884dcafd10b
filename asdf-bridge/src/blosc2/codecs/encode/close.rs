//! Where bytes were met before: the search of blosclz, which looks at every byte.
//!
//! What repeats after a long time is often hidden by what repeats at once: a run is found where a period of many
//! runs could be. The period shows at the end of a run, in bytes some of which are of it. So those are looked at
//! again, and a copy that begins there ends the one before it early.

use super::matches::{Emit, Literals, MARGIN, Place, SHORTEST, Table, same, word};

/// A copy that was found.
struct Found {
    at: usize,
    distance: usize,
    len: usize,
}

/// Writes copies, and what is between them; where the bytes begin that follow the last copy, `None` if there is no room.
///
/// `again`: how many bytes of each copy are looked at again; of a run one more.
pub(super) fn search<P: Place, const SIZE: usize, E: Emit>(
    src: &[u8],
    again: usize,
    table: &mut Table<P, SIZE>,
    emit: &mut E,
) -> Option<usize> {
    let mut anchor = 0;
    let Some(limit) = src.len().checked_sub(MARGIN) else { return Some(anchor) };
    table.clear();
    // A stream ends with a literal.
    let end = src.len() - 1;
    let mut last: Option<Found> = None;
    // The first place is what an empty table speaks of, so nothing is found there.
    let mut at = 1;
    while at < limit {
        let here = word(src, at);
        let from = table.exchange(Table::<P, SIZE>::hash(here), at);
        let distance = at.wrapping_sub(from);
        if distance.wrapping_sub(1) >= E::FARTHEST || word(src, from) != here {
            at += 1;
            continue;
        }
        let len = SHORTEST + same(src, from + SHORTEST, at + SHORTEST, end);
        let again = again + usize::from(distance == 1);
        if len < again || !E::accepts(distance, len - again) {
            at += 1;
            continue;
        }
        if let Some(last) = last.replace(Found { at, distance, len }) {
            anchor = last.write(src, anchor, at, emit)?;
        }
        at += len - again;
        table.exchange(Table::<P, SIZE>::hash(word(src, at - 2)), at - 2);
    }
    match last {
        Some(last) => last.write(src, anchor, src.len(), emit),
        None => Some(anchor),
    }
}

impl Found {
    /// Writes it, and literals from `anchor` on before it; where it ends, at `next` at the latest.
    #[inline(always)]
    fn write<E: Emit>(self, src: &[u8], anchor: usize, next: usize, emit: &mut E) -> Option<usize> {
        let len = self.len.min(next - self.at);
        emit.sequence(Literals::new(src, anchor, self.at), self.distance, len)?;
        Some(self.at + len)
    }
}
