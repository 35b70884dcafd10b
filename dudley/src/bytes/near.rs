//! Pieces of a source that are read together where they are near to each other.

use crate::bytes::scratch::{give_scratch, take_scratch};
use crate::bytes::source::{Source, slice};
use crate::error::{Error, Result, to_usize};

/// Pieces that are closer than this many bytes are read together.
const NEAR: u64 = 4096;
/// Bytes that are read together at most, with what is not wanted.
const SPAN: u64 = 1 << 20;
/// Bytes of such reads that are asked for at once.
const ASKED: u64 = 8 << 20;

/// Bytes that are wanted side by side.
pub struct Piece<'d> {
    /// Where they are, from a place on that all pieces share.
    pub from: u64,
    /// Where they go.
    pub to: &'d mut [u8],
}

impl Piece<'_> {
    fn end(&self) -> u64 {
        self.from + self.to.len() as u64
    }
}

/// Fills pieces, which begin at `address` and are in the order of their places: those that are near to each other are
/// read together.
///
/// ```
/// use dudley::bytes::{Piece, read_pieces};
///
/// let (mut one, mut two) = ([0; 2], [0; 1]);
/// let mut pieces = [Piece { from: 0, to: &mut one }, Piece { from: 3, to: &mut two }];
/// read_pieces(&b"..abcd".to_vec(), 2, &mut pieces)?;
/// assert_eq!((&one, &two), (b"ab", b"d"));
/// # Ok::<(), dudley::Error>(())
/// ```
///
/// # Errors
/// As [`Source::read_at`].
pub fn read_pieces(source: &dyn Source, address: u64, pieces: &mut [Piece<'_>]) -> Result<()> {
    let place = |from| address.checked_add(from).ok_or_else(|| Error::too_large(u64::MAX));
    if let Some(bytes) = source.bytes() {
        return pieces.iter_mut().try_for_each(|piece| {
            let stored = slice(bytes, place(piece.from)?, piece.to.len() as u64)?;
            piece.to.copy_from_slice(stored);
            Ok(())
        });
    }
    let mut rest = pieces;
    while !rest.is_empty() {
        // How many pieces each read brings, and its bytes.
        let (mut reads, mut asked, mut count) = (Vec::new(), 0, 0);
        while asked < ASKED
            && let Some((near, bytes)) = near(&rest[count..])
        {
            reads.push((near, bytes));
            (asked, count) = (asked + bytes, count + near);
        }
        let (mut now, later) = std::mem::take(&mut rest).split_at_mut(count);
        rest = later;
        let shared = reads.iter().filter(|(near, _)| *near > 1).map(|(_, bytes)| bytes).sum();
        let mut room = take_scratch(to_usize(shared)?).ok_or_else(|| Error::too_large(shared))?;
        let mut left = &mut room[..];
        let (mut ranges, mut several) = (Vec::with_capacity(reads.len()), Vec::new());
        for (near, bytes) in reads {
            let (here, behind) = std::mem::take(&mut now).split_at_mut(near);
            now = behind;
            let at = place(here[0].from)?;
            match here {
                // It is read to where it goes.
                [one] => ranges.push((at, &mut *one.to)),
                here => {
                    let (range, behind) = std::mem::take(&mut left).split_at_mut(to_usize(bytes)?);
                    left = behind;
                    several.push((ranges.len(), here));
                    ranges.push((at, range));
                }
            }
        }
        source.read_ranges(&mut ranges)?;
        for (range, pieces) in several {
            let (bytes, first) = (&ranges[range].1, pieces[0].from);
            for piece in pieces {
                let from = (piece.from - first) as usize;
                piece.to.copy_from_slice(&bytes[from..from + piece.to.len()]);
            }
        }
        give_scratch(room);
    }
    Ok(())
}

/// How many of the first pieces are read together, and the bytes of that; `None` if there are none.
fn near(pieces: &[Piece<'_>]) -> Option<(usize, u64)> {
    let first = pieces.first()?;
    let mut until = first.end();
    let fits = |piece: &&Piece<'_>| {
        let fits = piece.from >= first.from
            && piece.from <= until.saturating_add(NEAR)
            && piece.end().saturating_sub(first.from) <= SPAN;
        until = if fits { until.max(piece.end()) } else { until };
        fits
    };
    let near = pieces.iter().take_while(fits).count().max(1);
    Some((near, until - first.from))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Bytes that are in no memory of the process, and how often they were asked for.
    struct Far(Vec<u8>, std::sync::atomic::AtomicUsize);

    impl Source for Far {
        fn len(&self) -> u64 {
            self.0.len() as u64
        }

        fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
            self.1.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            buf.copy_from_slice(slice(&self.0, address, buf.len() as u64)?);
            Ok(())
        }
    }

    fn far(len: usize) -> Far {
        Far((0..len).map(|at| (at % 251) as u8).collect(), Default::default())
    }

    #[test]
    fn near_pieces_are_one_read() {
        let source = far(20_000);
        let mut bytes = [[0; 2]; 4];
        let places = [0, 100, 9_000, 9_002];
        let mut pieces: Vec<Piece<'_>> =
            bytes.iter_mut().zip(places).map(|(to, from)| Piece { from, to }).collect();
        read_pieces(&source, 7, &mut pieces).expect("in range");
        assert_eq!(source.1.into_inner(), 2);
        for (bytes, from) in bytes.iter().zip(places) {
            assert_eq!(bytes[..], source.0[from as usize + 7..][..2]);
        }
        let mut last = [0; 2];
        let mut pieces = [Piece { from: 19_999, to: &mut last }];
        assert!(read_pieces(&far(20_000), 0, &mut pieces).is_err());
    }

    proptest! {
        #[test]
        fn pieces_are_filled_in_any_order(
            places in prop::collection::vec((0_u64..30_000, 0_usize..20), 0..50),
            is_sorted: bool,
        ) {
            let source = far(30_100);
            let mut places = places;
            if is_sorted {
                places.sort_unstable();
            }
            let mut bytes: Vec<Vec<u8>> = places.iter().map(|(_, len)| vec![0; *len]).collect();
            let pieces = bytes.iter_mut().zip(&places);
            let mut pieces: Vec<Piece<'_>> =
                pieces.map(|(to, (from, _))| Piece { from: *from, to }).collect();
            prop_assert!(read_pieces(&source, 3, &mut pieces).is_ok());
            for (bytes, (from, len)) in bytes.iter().zip(&places) {
                prop_assert_eq!(&bytes[..], &source.0[*from as usize + 3..][..*len]);
            }
        }
    }
}
