//! Copies of earlier output, which is what the codecs of the LZ77 family are made of.

/// Bytes that are copied at a time where there is room.
const STEP: usize = 16;

/// Copies `len` bytes from `distance` bytes before `at`, which may reach into what is copied.
///
/// Bytes behind them may change: they are still to be written. `distance` is 1 or more and not beyond
/// the start, and `dst` has all the bytes; else nothing is copied.
#[inline(always)]
pub(super) fn repeat(dst: &mut [u8], at: usize, distance: usize, len: usize) {
    let Some(from) = at.checked_sub(distance) else { return };
    let end = at + len;
    if end + STEP > dst.len() || distance < STEP {
        return repeat_close(dst, from, at, end);
    }
    let (mut from, mut to) = (from, at);
    loop {
        step(dst, from, to);
        (from, to) = (from + STEP, to + STEP);
        if to >= end {
            return;
        }
    }
}

#[inline(always)]
fn step(dst: &mut [u8], from: usize, to: usize) {
    let mut bytes = [0; STEP];
    bytes.copy_from_slice(&dst[from..from + STEP]);
    dst[to..to + STEP].copy_from_slice(&bytes);
}

/// What is closer than a step, or at the end of the output.
fn repeat_close(dst: &mut [u8], from: usize, at: usize, end: usize) {
    let distance = at - from;
    if distance == 0 || end > dst.len() {
        return;
    }
    if distance == 1 {
        let byte = dst[from];
        return dst[at..end].fill(byte);
    }
    if distance < STEP && end + STEP <= dst.len() {
        // As many whole periods as fit a step.
        let mut bytes = [0; STEP];
        for (i, byte) in bytes.iter_mut().enumerate() {
            *byte = dst[from + i % distance];
        }
        let period = STEP - STEP % distance;
        let mut to = at;
        while to < end {
            dst[to..to + STEP].copy_from_slice(&bytes);
            to += period;
        }
        return;
    }
    let mut to = at;
    while to < end {
        // What is there is whole periods, more with each turn.
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
            for len in 1..70 {
                for room in [0, 1, 15, 16, 40] {
                    let mut dst: Vec<u8> = (0..distance as u8).collect();
                    dst.resize(distance + len + room, 0xff);
                    let mut wanted = dst.clone();
                    for i in distance..distance + len {
                        wanted[i] = wanted[i - distance];
                    }
                    repeat(&mut dst, distance, distance, len);
                    assert_eq!(dst[..distance + len], wanted[..distance + len]);
                }
            }
        }
    }
}
