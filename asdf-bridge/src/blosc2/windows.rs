//! Decoded data that are more than is kept: a window of them at a time, and the last ones again.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};

use super::error::Result;
use super::frame::Frame;
use super::memory;
use super::ndarray::NdArray;

/// Bytes around an address that is read by itself.
const SMALL: u64 = 4 << 20;

/// Bytes of what is read one after the other, at least and at most: an eighth of all.
const LARGE: (u64, u64) = (32 << 20, 256 << 20);

/// Windows that are kept: two threads that read one after the other may be in two of them.
const KEPT: usize = 2;

/// What has windows. Addresses are those of decoded bytes.
pub(super) trait Windowed {
    /// What is decoded together around an address, at most this many bytes where that can be.
    ///
    /// # Errors
    /// If something is wrong with the sizes of chunks.
    fn window(&self, at: u64, most: u64) -> Result<Range<u64>>;

    /// Decodes a window to as many bytes as it has.
    ///
    /// # Errors
    /// If something is wrong with a chunk.
    fn decode(&self, window: &Range<u64>, dst: &mut [u8]) -> Result<()>;

    /// Decodes bytes from an address on, and nothing but what they need.
    ///
    /// # Errors
    /// If something is wrong with a chunk that they touch.
    fn read_exact(&self, start: u64, dst: &mut [u8]) -> Result<()>;
}

impl Windowed for NdArray {
    fn window(&self, at: u64, most: u64) -> Result<Range<u64>> {
        Ok(self.band(at, most))
    }

    fn decode(&self, window: &Range<u64>, dst: &mut [u8]) -> Result<()> {
        self.read_band(window, dst)
    }

    fn read_exact(&self, start: u64, dst: &mut [u8]) -> Result<()> {
        self.read_elements(start, dst)
    }
}

impl Windowed for Frame {
    /// Chunks, or a part of a large one.
    fn window(&self, at: u64, most: u64) -> Result<Range<u64>> {
        let mut number = self.chunk_at(at)?;
        let chunk = self.chunk_range(number)?;
        if chunk.end - chunk.start > most {
            let start = at - (at - chunk.start) % most;
            return Ok(start..chunk.end.min(start + most));
        }
        let mut window = chunk;
        while number + 1 < self.chunk_count() {
            number += 1;
            let next = self.chunk_range(number)?;
            if next.end - window.start > most {
                break;
            }
            window.end = next.end;
        }
        Ok(window)
    }

    fn decode(&self, window: &Range<u64>, dst: &mut [u8]) -> Result<()> {
        self.read_range(window.start, dst)
    }

    fn read_exact(&self, start: u64, dst: &mut [u8]) -> Result<()> {
        self.read_range(start, dst)
    }
}

type Held = (Range<u64>, Arc<Vec<u8>>);

/// The windows that were decoded last.
#[derive(Default)]
pub(super) struct Windows(Mutex<VecDeque<Held>>);

impl Windows {
    /// Fills a buffer with the bytes from an address on, of `len` in all. They are there.
    ///
    /// # Errors
    /// If something is wrong with a chunk.
    pub(super) fn read(
        &self,
        of: &dyn Windowed,
        len: u64,
        start: u64,
        buffer: &mut [u8],
    ) -> Result<()> {
        let (mut at, mut rest) = (start, buffer);
        while !rest.is_empty() {
            let asked = rest.len() as u64;
            let (range, bytes) = match self.held(at) {
                Some(held) => held,
                None => {
                    let window = of.window(at, self.most(len, at, asked))?;
                    let size = window.end - window.start;
                    // What is requested as a whole needs no room but where it goes.
                    if window.start == at && size <= asked {
                        let (now, later) = std::mem::take(&mut rest).split_at_mut(size as usize);
                        of.decode(&window, now)?;
                        (at, rest) = (window.end, later);
                        continue;
                    }
                    match self.decoded(of, at, window) {
                        Ok(held) => held,
                        // A chunk that is damaged may be beside what is requested.
                        Err(_) => return of.read_exact(at, rest),
                    }
                }
            };
            let from = (at - range.start) as usize;
            let count = rest.len().min(bytes.len() - from);
            let (now, later) = std::mem::take(&mut rest).split_at_mut(count);
            now.copy_from_slice(&bytes[from..from + count]);
            (at, rest) = (at + count as u64, later);
        }
        Ok(())
    }

    fn held(&self, at: u64) -> Option<Held> {
        let held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        held.iter().find(|(range, _)| range.contains(&at)).cloned()
    }

    /// How many bytes a window may have: many where much is read, or what follows a window.
    fn most(&self, len: u64, at: u64, asked: u64) -> u64 {
        let held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let follows = |range: &Range<u64>| (range.end..=range.end + SMALL).contains(&at);
        if asked > SMALL || held.iter().any(|(range, _)| follows(range)) {
            (len / 8).clamp(LARGE.0, LARGE.1)
        } else {
            SMALL
        }
    }

    /// Decodes the window around an address, and keeps it. Threads that need it meanwhile wait: what is decoded is
    /// so by several.
    fn decoded(&self, of: &dyn Windowed, at: u64, window: Range<u64>) -> Result<Held> {
        let mut held = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = held.iter().find(|(range, _)| range.contains(&at)) {
            return Ok(found.clone());
        }
        // Room first: the memory of one that nobody looks at any more is used again.
        let used = (held.len() >= KEPT).then(|| held.pop_front()).flatten();
        let mut bytes = used.and_then(|(_, bytes)| Arc::into_inner(bytes)).unwrap_or_default();
        memory::resize(
            &mut bytes,
            usize::try_from(window.end - window.start).unwrap_or(usize::MAX),
        )?;
        of.decode(&window, &mut bytes)?;
        let found = (window, Arc::new(bytes));
        held.push_back(found.clone());
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::*;

    const LEN: u64 = 100 << 20;

    /// Each byte is that of its window; windows are as large as they may be.
    #[derive(Default)]
    struct Counted(AtomicU64);

    impl Windowed for Counted {
        fn read_exact(&self, start: u64, dst: &mut [u8]) -> Result<()> {
            self.decode(&(start..start + dst.len() as u64), dst)
        }

        fn window(&self, at: u64, most: u64) -> Result<Range<u64>> {
            Ok(at - at % most..(at - at % most + most).min(LEN))
        }

        fn decode(&self, window: &Range<u64>, dst: &mut [u8]) -> Result<()> {
            assert_eq!(dst.len() as u64, window.end - window.start);
            self.0.fetch_add(dst.len() as u64, Ordering::Relaxed);
            for (at, part) in (window.start..).step_by(1 << 20).zip(dst.chunks_mut(1 << 20)) {
                part.fill((at >> 20) as u8);
            }
            Ok(())
        }
    }

    fn read(of: &Counted, windows: &Windows, start: u64, len: usize) -> Vec<u8> {
        let mut bytes = vec![255; len];
        windows.read(of, LEN, start, &mut bytes).expect("decoded");
        bytes
    }

    #[test]
    fn few_bytes_take_a_small_window_and_all_of_them_are_decoded_once() {
        let (of, windows) = (Counted::default(), Windows::default());
        let decoded = || of.0.swap(0, Ordering::Relaxed);
        assert_eq!(read(&of, &windows, (70 << 20) + 3, 5), [70; 5]);
        assert_eq!(read(&of, &windows, 70 << 20, 1), [70]);
        assert_eq!(decoded(), SMALL);
        // From one window into the next.
        let both = read(&of, &windows, (72 << 20) - 2, 4);
        assert_eq!((both, decoded()), (vec![71, 71, 72, 72], LARGE.0));
        let mut start = 0;
        while start + (300 << 10) <= LEN {
            let bytes = read(&of, &windows, start, 300 << 10);
            assert_eq!(u64::from(bytes[0]), start >> 20);
            start += 256 << 10;
        }
        assert!(decoded() <= LEN + SMALL + 2 * LARGE.0);
        // Straight to where it goes.
        let all = read(&of, &windows, 0, LEN as usize);
        assert!(all.iter().step_by(1 << 20).copied().eq(0..100));
        assert!(decoded() <= LEN);
        assert_eq!(windows.0.lock().expect("whole").len(), KEPT);
    }
}
