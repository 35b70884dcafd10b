//! Copies of literals and of earlier output, which is what the codecs of the LZ77 family are made of.
//!
//! Where there is room behind what is copied they copy more than that: a copy of fixed length is a few
//! instructions, and the bytes behind are still to be written.

/// Bytes that are copied at a time.
const STEP: usize = 16;

/// From this length on a call of the standard library is faster.
const LONG: usize = 96;

/// Copies `len` bytes; `None` if they are not there, or have no room.
#[inline(always)]
pub(super) fn literals(
    src: &[u8],
    from: usize,
    dst: &mut [u8],
    to: usize,
    len: usize,
) -> Option<()> {
    if len <= 2 * STEP
        && let Some(bytes) = src.get(from..from + 2 * STEP)
        && let Some(room) = dst.get_mut(to..to + 2 * STEP)
    {
        room.copy_from_slice(bytes);
        return Some(());
    }
    let bytes = src.get(from..from.checked_add(len)?)?;
    dst.get_mut(to..to.checked_add(len)?)?.copy_from_slice(bytes);
    Some(())
}

/// Copies `len` bytes from `distance` bytes before `at`, which may reach into what is copied; `None` if
/// that begins or ends outside of `dst`.
#[inline(always)]
pub(super) fn repeat(dst: &mut [u8], at: usize, distance: usize, len: usize) -> Option<()> {
    let from = at.checked_sub(distance).filter(|_| distance > 0)?;
    if len <= 2 * STEP
        && distance >= STEP
        && let Some((before, room)) = dst.split_at_mut_checked(at)
        && let Some(room) = room.first_chunk_mut::<{ 2 * STEP }>()
    {
        // The second copy may begin with what the first has made.
        let first = before[from..].first_chunk::<STEP>()?;
        room[..STEP].copy_from_slice(first);
        let mut second = [0; STEP];
        second.copy_from_slice(dst.get(from + STEP..from + 2 * STEP)?);
        dst[at + STEP..at + 2 * STEP].copy_from_slice(&second);
        return Some(());
    }
    let end = at.checked_add(len).filter(|end| *end <= dst.len())?;
    let with_room = dst.len() - end >= STEP;
    if distance >= STEP && with_room && len < LONG {
        let (mut from, mut to) = (from, at);
        while to < end {
            let mut bytes = [0; STEP];
            bytes.copy_from_slice(&dst[from..from + STEP]);
            dst[to..to + STEP].copy_from_slice(&bytes);
            (from, to) = (from + STEP, to + STEP);
        }
        return Some(());
    }
    if distance == 1 && len >= LONG {
        let byte = dst[from];
        dst[at..end].fill(byte);
    } else if distance < STEP && with_room {
        periods(dst, from, at, end);
    } else {
        doubled(dst, from, at, end);
    }
    Some(())
}

/// Of less than a step, again and again: as many whole periods as fit a step, then that many bytes on.
#[inline]
fn periods(dst: &mut [u8], from: usize, at: usize, end: usize) {
    let distance = at - from;
    let mut bytes = [0; STEP];
    bytes.copy_from_slice(&dst[from..from + STEP]);
    let bytes = repeated(bytes, distance);
    let period = STEP - STEP % distance;
    let mut to = at;
    while to < end {
        dst[to..to + STEP].copy_from_slice(&bytes);
        to += period;
    }
}

/// The first `distance` of some bytes, 1 to all of them, again and again.
#[inline]
pub(super) fn repeated(bytes: [u8; STEP], distance: usize) -> [u8; STEP] {
    // As a number, so that all of it is moved at once; the first byte is the lowest.
    let number = u128::from_le_bytes(bytes);
    let short = number as u64;
    let twice = |word: u64| u128::from(word) << 64 | u128::from(word);
    let pattern = match distance {
        1 => twice((short & 0xff) * 0x0101_0101_0101_0101),
        2 => twice((short & 0xffff) * 0x0001_0001_0001_0001),
        4 => twice((short & 0xffff_ffff) * 0x0000_0001_0000_0001),
        8 => twice(short),
        STEP.. => number,
        _ => {
            let mut pattern = number & ((1 << (8 * distance)) - 1);
            let mut bits = 8 * distance;
            while bits < 128 {
                pattern |= pattern << bits;
                bits *= 2;
            }
            pattern
        }
    };
    pattern.to_le_bytes()
}

/// What is there are whole periods, more with each turn.
fn doubled(dst: &mut [u8], from: usize, at: usize, end: usize) {
    let mut to = at;
    while to < end {
        let count = (to - from).min(end - to);
        dst.copy_within(from..from + count, to);
        to += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_distance_and_length() {
        for distance in 1..40 {
            for len in (0..70).chain([95, 96, 97, 300]) {
                for room in [0, 1, 15, 16, 40] {
                    let mut dst: Vec<u8> = (0..distance as u8).collect();
                    dst.resize(distance + len + room, 0xff);
                    let mut wanted = dst.clone();
                    for i in distance..distance + len {
                        wanted[i] = wanted[i - distance];
                    }
                    repeat(&mut dst, distance, distance, len).expect("inside");
                    assert_eq!(dst[..distance + len], wanted[..distance + len]);
                }
            }
        }
    }

    #[test]
    fn what_is_outside_is_not_copied() {
        let mut dst = [7; 40];
        for (at, distance, len) in [(4, 5, 1), (4, 0, 1), (30, 3, 11), (30, 3, usize::MAX)] {
            assert_eq!(repeat(&mut dst, at, distance, len), None);
        }
        for (from, to, len) in [(0, 39, 2), (35, 0, 6), (0, 0, usize::MAX), (usize::MAX, 0, 1)] {
            assert_eq!(literals(&[1; 40], from.min(40), &mut dst, to, len.max(41)), None);
        }
        assert_eq!(dst, [7; 40]);
    }
}
