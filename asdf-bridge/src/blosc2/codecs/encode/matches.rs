//! Where bytes were met before: the search of the fast codecs, with a table of the last place of each hash.

use super::super::copy;

/// What a codec writes for what the search finds.
pub(super) trait Emit {
    /// The farthest that a copy may come from.
    const FARTHEST: usize;

    /// Whether a copy is worth it.
    fn accepts(distance: usize, len: usize) -> bool;

    /// Bytes as they are, then a copy; `None` if there is no room.
    fn sequence(&mut self, literals: Literals<'_>, distance: usize, len: usize) -> Option<()>;

    /// How many bytes were written so far.
    fn written(&self) -> usize;

    /// The last bytes; how many were written in all.
    fn finish(&mut self, literals: Literals<'_>) -> Option<usize>;
}

/// Bytes that are written as they are.
#[derive(Clone, Copy)]
pub(super) struct Literals<'a> {
    src: &'a [u8],
    pub(super) from: usize,
    pub(super) len: usize,
}

impl<'a> Literals<'a> {
    /// Those of `src` from `from` to below `to`.
    pub(super) fn new(src: &'a [u8], from: usize, to: usize) -> Literals<'a> {
        Literals { src, from, len: to - from }
    }

    /// Copies some of them; `None` if there is no room.
    #[inline(always)]
    pub(super) fn copy(&self, skip: usize, len: usize, dst: &mut [u8], to: usize) -> Option<()> {
        copy::literals(self.src, self.from + skip, dst, to, len)
    }
}

/// A place in what is compressed.
pub(super) trait Place: Copy + Default {
    fn new(at: usize) -> Self;
    fn get(self) -> usize;
}

impl Place for u16 {
    #[inline(always)]
    fn new(at: usize) -> u16 {
        at as u16
    }

    #[inline(always)]
    fn get(self) -> usize {
        self.into()
    }
}

impl Place for u32 {
    #[inline(always)]
    fn new(at: usize) -> u32 {
        at as u32
    }

    #[inline(always)]
    fn get(self) -> usize {
        self as usize
    }
}

/// The last place of each hash.
pub(super) struct Table<P, const SIZE: usize>(Box<[P; SIZE]>);

impl<P: Place, const SIZE: usize> Default for Table<P, SIZE> {
    fn default() -> Self {
        Table(Box::new([P::default(); SIZE]))
    }
}

impl<P: Place, const SIZE: usize> Table<P, SIZE> {
    const SHIFT: u32 = 32 - SIZE.ilog2();

    pub(super) fn clear(&mut self) {
        self.0.fill(P::default());
    }

    #[inline(always)]
    pub(super) fn exchange(&mut self, hash: usize, at: usize) -> usize {
        std::mem::replace(&mut self.0[hash % SIZE], P::new(at)).get()
    }

    #[inline(always)]
    pub(super) fn hash(word: u32) -> usize {
        (word.wrapping_mul(2_654_435_761) >> Self::SHIFT) as usize
    }
}

/// Bytes at the end that are always literals, as LZ4 asks for.
pub(super) const LAST: usize = 5;

/// Closer to the end than this no copy begins.
pub(super) const MARGIN: usize = 12;

/// The shortest copy that is looked for.
pub(super) const SHORTEST: usize = 4;

/// The 4 bytes from `at` on; 0 if they are not there.
#[inline(always)]
pub(super) fn word(src: &[u8], at: usize) -> u32 {
    let bytes = src.get(at..).and_then(|rest| rest.first_chunk());
    bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// How many bytes from `at` on are those from `earlier` on, up to `end`, which is in `src`.
#[inline(always)]
pub(super) fn same(src: &[u8], mut earlier: usize, at: usize, end: usize) -> usize {
    let mut here = at;
    while here + 8 <= end {
        let (Some(a), Some(b)) = (
            src.get(earlier..).and_then(|rest| rest.first_chunk()),
            src.get(here..).and_then(|rest| rest.first_chunk()),
        ) else {
            break;
        };
        let differing = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if differing != 0 {
            return here + (differing.trailing_zeros() / 8) as usize - at;
        }
        (earlier, here) = (earlier + 8, here + 8);
    }
    while here < end && src[earlier] == src[here] {
        (earlier, here) = (earlier + 1, here + 1);
    }
    here - at
}

/// How dense the search is: it continues by more bytes the longer it finds nothing, and where what it finds
/// saves little.
struct Pace {
    /// Bytes to go on by at least.
    least: usize,
    now: usize,
    /// Where it is looked at again, and where it was looked at last: in what is read, and in what was
    /// written.
    next: usize,
    last: (usize, usize),
}

impl Pace {
    /// Bytes between one look and the next.
    const WINDOW: usize = 2048;

    /// Bytes to go on by at most, if something is found.
    const MOST: usize = 64;

    fn new(stride: usize, at: usize) -> Pace {
        Pace { least: stride, now: stride, next: at + Pace::WINDOW, last: (at, 0) }
    }

    /// This many bytes were read and written.
    #[inline(always)]
    fn look(&mut self, read: usize, written: usize) {
        if read < self.next {
            return;
        }
        let (before, after) = (read - self.last.0, written - self.last.1);
        let poor = after > before - before / 5;
        self.now = if poor {
            (self.now * 2).min(Pace::MOST.max(self.least))
        } else {
            (self.now / 2).max(self.least)
        };
        (self.last, self.next) = ((read, written), read + Pace::WINDOW);
    }
}

/// Compresses what follows `start` in `src`, whose first bytes may be copied from; how many bytes were
/// written, `None` if there is no room.
///
/// The search continues by `stride` bytes at first, and by more the longer it finds nothing.
pub(super) fn compress<P: Place, const SIZE: usize, E: Emit>(
    src: &[u8],
    start: usize,
    table: &mut Table<P, SIZE>,
    stride: usize,
    emit: &mut E,
) -> Option<usize> {
    table.clear();
    for at in (0..start.saturating_sub(SHORTEST)).step_by(3) {
        table.exchange(Table::<P, SIZE>::hash(word(src, at)), at);
    }
    let (mut at, mut anchor) = (start, start);
    if src.len() < start + MARGIN + 1 {
        return emit.finish(Literals::new(src, anchor, src.len()));
    }
    let (limit, end) = (src.len() - MARGIN, src.len() - LAST);
    // The first place is what an empty table speaks of, so nothing is found there.
    if at == 0 {
        at = 1;
    }
    let mut pace = Pace::new(stride, start);
    'all: loop {
        // What follows a copy is looked at closely.
        let (mut tries, mut step) = (pace.now << 6, 1);
        let (mut from, mut len);
        loop {
            if at > limit {
                break 'all;
            }
            let here = word(src, at);
            from = table.exchange(Table::<P, SIZE>::hash(here), at);
            if word(src, from) == here && at.wrapping_sub(from).wrapping_sub(1) < E::FARTHEST {
                len = SHORTEST + same(src, from + SHORTEST, at + SHORTEST, end);
                break;
            }
            at += step;
            (step, tries) = (tries >> 6, tries + 1);
        }
        // What was stepped over may be the same too.
        let mut back = 0;
        while at - back > anchor && from > back && src[at - back - 1] == src[from - back - 1] {
            back += 1;
        }
        let distance = at - from;
        len += back;
        if !E::accepts(distance, len) {
            at += 1;
            continue;
        }
        at -= back;
        emit.sequence(Literals::new(src, anchor, at), distance, len)?;
        at += len;
        anchor = at;
        if at > limit {
            break;
        }
        pace.look(at, emit.written());
        table.exchange(Table::<P, SIZE>::hash(word(src, at - 2)), at - 2);
    }
    emit.finish(Literals::new(src, anchor, src.len()))
}
