//! Some bytes of a source that were read before and are held: what if they change there?

use std::sync::{Arc, OnceLock};

use super::{Source, check};
use crate::error::Result;

/// Bytes, and where they stood.
#[derive(Clone, Debug)]
pub(crate) struct Piece {
    pub(crate) address: u64,
    pub(crate) bytes: Vec<u8>,
}

/// A source, except for some bytes that are held. None of these stands in two pieces.
pub(crate) struct Held {
    inner: Arc<dyn Source>,
    pieces: Vec<Piece>,
    /// Those that are found by reading.
    later: OnceLock<Vec<Piece>>,
}

impl Held {
    /// All of `inner`, except for these bytes.
    pub(crate) fn new(inner: Arc<dyn Source>, pieces: Vec<Piece>) -> Held {
        Held { inner, pieces, later: OnceLock::new() }
    }

    /// Holds more. This is done once.
    pub(crate) fn hold(&self, pieces: Vec<Piece>) {
        // What was held first stays.
        let _ = self.later.set(pieces);
    }

    /// The first bytes from `address` on that are held, before `end`: where they begin, and as far as they go.
    fn next(&self, address: u64, end: u64) -> Option<(u64, &[u8])> {
        let pieces = self.pieces.iter().chain(self.later.get().into_iter().flatten());
        let within = pieces.filter_map(|piece| {
            let from = address.max(piece.address);
            let bytes = piece.bytes.get(usize::try_from(from - piece.address).ok()?..)?;
            let length = end.checked_sub(from)?.min(bytes.len() as u64);
            (length > 0).then(|| (from, &bytes[..length as usize]))
        });
        within.min_by_key(|(from, _)| *from)
    }
}

impl Source for Held {
    fn len(&self) -> u64 {
        self.inner.len()
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
        check(self.len(), address, buf.len() as u64)?;
        let end = address.saturating_add(buf.len() as u64);
        let (mut at, mut rest) = (address, buf);
        while let Some((from, bytes)) = self.next(at, end) {
            let (read, after) = rest.split_at_mut((from - at) as usize);
            if !read.is_empty() {
                self.inner.read_at(at, read)?;
            }
            let (held, after) = after.split_at_mut(bytes.len());
            held.copy_from_slice(bytes);
            (at, rest) = (from + bytes.len() as u64, after);
        }
        if rest.is_empty() { Ok(()) } else { self.inner.read_at(at, rest) }
    }

    fn is_hole(&self, address: u64, length: u64) -> bool {
        self.next(address, address.saturating_add(length)).is_none()
            && self.inner.is_hole(address, length)
    }

    fn batch(&self) -> u64 {
        self.inner.batch()
    }

    /// Where what is held is what is there: else no bytes in memory are all of it.
    fn load(&self) -> Result<Option<&[u8]>> {
        let Some(all) = self.inner.load()? else { return Ok(None) };
        let pieces = self.pieces.iter().chain(self.later.get().into_iter().flatten());
        let is_there = |piece: &Piece| {
            let there = usize::try_from(piece.address).ok().and_then(|at| all.get(at..));
            there.is_some_and(|there| {
                piece.bytes.starts_with(&there[..there.len().min(piece.bytes.len())])
            })
        };
        Ok(pieces.into_iter().all(is_there).then_some(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_held_stands_for_what_is_there() {
        let inner: Vec<u8> = (0..100).collect();
        let piece = |address, bytes: &[u8]| Piece { address, bytes: bytes.to_vec() };
        let held =
            Held::new(Arc::new(inner.clone()), vec![piece(0, &[9; 16]), piece(90, &[8; 20])]);
        held.hold(vec![piece(20, &[7; 2]), piece(40, &[6; 4])]);
        let mut expected = inner;
        expected[..16].fill(9);
        expected[90..].fill(8);
        expected[20..22].fill(7);
        expected[40..44].fill(6);
        for from in 0..100 {
            for length in 0..=100 - from {
                let mut buf = vec![0; length];
                held.read_at(from as u64, &mut buf).expect("within");
                assert_eq!(buf, expected[from..from + length], "{length} bytes from {from} on");
            }
        }
        assert!(held.read_at(99, &mut [0; 2]).is_err());
        assert!(held.load().expect("in memory").is_none());
        let same = Held::new(Arc::new(expected.clone()), vec![piece(90, &expected[90..])]);
        assert_eq!(same.load().expect("in memory"), Some(&*expected));
    }
}
