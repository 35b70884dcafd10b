//! Arrays as one source: those of files of numpy are opened, checked and decoded once bytes of them are requested.

use std::sync::{Arc, Mutex, PoisonError};

use super::array_source::ArraySource;
use super::npy::{Npy, Opened};
use crate::bytes::source::Source;
use crate::error::{Error, Result};
use crate::read::data::Data;

/// Arrays, row-major, where a layout places them.
pub(super) struct Members {
    /// By their addresses, none of which is in another one.
    pieces: Vec<Piece>,
    /// The file or archive that the addresses are of, if they are read in place.
    whole: Option<Arc<dyn Source>>,
    /// The array that was opened last, by its index: what is inflated is held for one at a time.
    last: Mutex<Option<(usize, Opened)>>,
}

/// An array, and where it begins.
struct Piece {
    address: u64,
    bytes: u64,
    of: Of,
}

/// An array, row-major.
enum Of {
    Npy(Npy),
    /// Its elements are side by side.
    Data(Data),
}

impl Members {
    /// Arrays with their addresses. The elements of those of a dataset are [side by side](Data::side_by_side).
    pub(super) fn new<'a>(arrays: impl IntoIterator<Item = (u64, &'a ArraySource)>) -> Members {
        let mut pieces = Vec::new();
        for (mut address, array) in arrays {
            match array {
                ArraySource::Npy(npy) => {
                    pieces.push(Piece { address, bytes: npy.len(), of: Of::Npy(npy.clone()) });
                }
                ArraySource::Data(stacked) => {
                    for part in stacked.parts() {
                        let bytes = part.bytes();
                        pieces.push(Piece { address, bytes, of: Of::Data(part.clone()) });
                        address = address.saturating_add(bytes);
                    }
                }
            }
        }
        pieces.retain(|piece| piece.bytes > 0);
        pieces.sort_by_key(|piece| piece.address);
        Members { pieces, whole: None, last: Mutex::default() }
    }

    /// The same where the addresses are those in their file, or archive; `None` if two of them share bytes.
    pub(super) fn in_place(self, whole: Arc<dyn Source>) -> Option<Members> {
        let apart = self.pieces.windows(2).all(|both| both[0].end() <= both[1].address);
        apart.then_some(Members { whole: Some(whole), ..self })
    }

    /// An array of a file of numpy as it can be read.
    fn opened(&self, index: usize, npy: &Npy) -> Result<Opened> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        match &*last {
            Some((at, opened)) if *at == index => Ok(opened.clone()),
            _ => {
                // Not two of them at a time.
                *last = None;
                let opened = npy.opened()?;
                *last = Some((index, opened.clone()));
                Ok(opened)
            }
        }
    }
}

impl Piece {
    fn end(&self) -> u64 {
        self.address.saturating_add(self.bytes)
    }
}

impl Source for Members {
    fn len(&self) -> u64 {
        let end = || self.pieces.last().map_or(0, Piece::end);
        self.whole.as_ref().map_or_else(end, |whole| whole.len())
    }

    fn read_at(&self, address: u64, buffer: &mut [u8]) -> Result<()> {
        let wanted = buffer.len() as u64;
        let end = address.checked_add(wanted).filter(|end| *end <= self.len());
        let end = end.ok_or_else(|| Error::truncated(address, wanted, self.len()))?;
        // Between the arrays, where elements are aligned.
        buffer.fill(0);
        let first = self.pieces.partition_point(|piece| piece.end() <= address);
        let pieces = self.pieces.iter().enumerate().skip(first);
        for (at, piece) in pieces.take_while(|(_, piece)| piece.address < end) {
            let (from, to) = (address.max(piece.address), end.min(piece.end()));
            let part = &mut buffer[(from - address) as usize..(to - address) as usize];
            match &piece.of {
                Of::Npy(npy) => {
                    // One that is damaged is none, wherever its bytes are read from.
                    let opened = self.opened(at, npy)?;
                    if self.whole.is_none() {
                        npy.read_at(&opened, from - piece.address, part)?;
                    }
                }
                Of::Data(data) => {
                    let address = data.address() + (from - piece.address);
                    data.with_source(|source| source.read_at(address, part))?;
                }
            }
        }
        self.whole.as_ref().map_or(Ok(()), |whole| whole.read_at(address, buffer))
    }
}
