//! Arrays of numpy that are not stored as a layout has them, as one source: each is read from where it is, and decoded,
//! once that is asked for.

use std::sync::Arc;

use super::archive::Entry;
use super::arrays::Named;
use super::npy::Npy;
use crate::error::{Error, Result};
use crate::source::Source;

/// Arrays that follow each other, row-major, as a layout places them.
pub(super) struct Members {
    /// By their addresses.
    pieces: Vec<Piece>,
    length: u64,
}

/// An array, and where it begins.
struct Piece {
    address: u64,
    bytes: u64,
    npy: Npy,
}

impl Members {
    /// Arrays with their addresses.
    pub(super) fn new(arrays: impl IntoIterator<Item = (u64, Npy)>) -> Members {
        let piece = |(address, npy): (u64, Npy)| Piece { address, bytes: npy.len(), npy };
        let mut pieces: Vec<_> = arrays.into_iter().map(piece).collect();
        pieces.retain(|piece| piece.bytes > 0);
        pieces.sort_by_key(|piece| piece.address);
        let length = pieces.iter().map(Piece::end).max().unwrap_or(0);
        Members { pieces, length }
    }
}

impl Piece {
    fn end(&self) -> u64 {
        self.address.saturating_add(self.bytes)
    }
}

impl Source for Members {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, address: u64, buffer: &mut [u8]) -> Result<()> {
        let wanted = buffer.len() as u64;
        let end = address.checked_add(wanted).filter(|end| *end <= self.length);
        let end = end.ok_or_else(|| Error::truncated(address, wanted, self.length))?;
        // Between the arrays, where elements are aligned.
        buffer.fill(0);
        let first = self.pieces.partition_point(|piece| piece.end() <= address);
        for piece in self.pieces[first..].iter().take_while(|piece| piece.address < end) {
            let (from, to) = (address.max(piece.address), end.min(piece.end()));
            let part = &mut buffer[(from - address) as usize..(to - address) as usize];
            piece.npy.read_at(from - piece.address, part)?;
        }
        Ok(())
    }
}

/// An archive that is read in place: before elements of an array are given, its checksum is looked at, once.
pub(super) struct Checked {
    archive: Arc<dyn Source>,
    /// Where elements begin, by address, and of what.
    entries: Vec<(u64, u64, Entry)>,
}

impl Checked {
    /// An archive, or a file of one array, which has no checksum, with the arrays in it.
    pub(super) fn new(archive: Arc<dyn Source>, arrays: &[Named]) -> Checked {
        let entry = |Named { npy, .. }: &Named| {
            let begin = npy.place()?;
            Some((begin, begin.saturating_add(npy.len()), npy.entry_of()?.clone()))
        };
        let mut entries: Vec<_> = arrays.iter().filter_map(entry).collect();
        entries.sort_by_key(|(begin, ..)| *begin);
        Checked { archive, entries }
    }
}

impl Source for Checked {
    fn len(&self) -> u64 {
        self.archive.len()
    }

    fn read_at(&self, address: u64, buffer: &mut [u8]) -> Result<()> {
        let end = address.saturating_add(buffer.len() as u64);
        let before = self.entries.partition_point(|(begin, ..)| *begin < end);
        for (_, last, entry) in self.entries[..before].iter().rev() {
            if *last <= address {
                break;
            }
            entry.check().map_err(|why| super::unreadable(&why))?;
        }
        self.archive.read_at(address, buffer)
    }
}
