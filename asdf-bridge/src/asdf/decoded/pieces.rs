//! Data in pieces that are decompressed by themselves: only those that are touched, each by the code that needs it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use dudley::bytes::{Source, slice};
use dudley::filter::{FilterError, Piece};

use super::Stored;

/// Decompressed bytes that are kept for the code that reads only a part of a piece.
const KEPT: u64 = 32 << 20;

/// The pieces of a block.
pub(super) struct Pieces {
    pieces: Vec<Piece>,
    /// Where each begins in the decompressed data.
    starts: Vec<u64>,
    /// Those that were decompressed last.
    kept: Mutex<VecDeque<(usize, Arc<Vec<u8>>)>>,
}

impl Pieces {
    /// The pieces, if there are such.
    pub(super) fn of(stored: &Stored) -> dudley::Result<Option<Pieces>> {
        let pieces = stored.filter.pieces(&[], &stored.source, stored.len);
        let Some(pieces) = pieces.map_err(|error| stored.moved(error))? else { return Ok(None) };
        let mut starts = Vec::with_capacity(pieces.len());
        let mut found = 0_u64;
        for piece in &pieces {
            starts.push(found);
            found = found.saturating_add(piece.decoded);
        }
        let expected = stored.len;
        match found {
            _ if found == expected => {}
            _ if found < expected => {
                return Err(stored.error(0, FilterError::TooShort { expected, found }));
            }
            _ => return Err(stored.error(0, FilterError::TooLong { expected })),
        }
        Ok(Some(Pieces { pieces, starts, kept: Mutex::default() }))
    }

    /// Decompresses what is in the way of `buf`. A piece that is read whole is decompressed to there.
    pub(super) fn read(&self, stored: &Stored, address: u64, buf: &mut [u8]) -> dudley::Result<()> {
        let mut at = address;
        let mut rest = buf;
        while !rest.is_empty() {
            // The first one begins at 0; pieces without bytes are skipped.
            let index = self.starts.partition_point(|start| *start <= at) - 1;
            let piece = &self.pieces[index];
            let skipped = at - self.starts[index];
            let count = (piece.decoded - skipped).min(rest.len() as u64);
            let (here, after) = rest.split_at_mut(count as usize);
            if count == piece.decoded {
                self.decode(stored, index, here)?;
            } else {
                let whole = self.keep(stored, index)?;
                here.copy_from_slice(slice(&whole, skipped, count)?);
            }
            at += count;
            rest = after;
        }
        Ok(())
    }

    fn decode(&self, stored: &Stored, index: usize, decoded: &mut [u8]) -> dudley::Result<()> {
        let Piece { stored: range, .. } = &self.pieces[index];
        let length = range.end - range.start;
        let done = match stored.source.bytes() {
            Some(bytes) => {
                stored.filter.decode_piece(&[], slice(bytes, range.start, length)?, decoded)
            }
            None => {
                let bytes = stored.read(range.start, length)?;
                stored.filter.decode_piece(&[], &bytes, decoded)
            }
        };
        done.map_err(|why| stored.error(range.start, why))
    }

    /// A piece, decompressed, which is kept for a while.
    fn keep(&self, stored: &Stored, index: usize) -> dudley::Result<Arc<Vec<u8>>> {
        let known = self.kept().iter().find(|kept| kept.0 == index).map(|kept| kept.1.clone());
        if let Some(known) = known {
            return Ok(known);
        }
        let size = self.pieces[index].decoded;
        let too_large = || dudley::Error::too_large(size);
        let length = usize::try_from(size).map_err(|_| too_large())?;
        let mut whole = Vec::new();
        whole.try_reserve_exact(length).map_err(|_| too_large())?;
        whole.resize(length, 0);
        self.decode(stored, index, &mut whole)?;
        let whole = Arc::new(whole);
        let mut kept = self.kept();
        kept.push_back((index, whole.clone()));
        let mut bytes: u64 = kept.iter().map(|kept| kept.1.len()).sum();
        while bytes > KEPT
            && kept.len() > 1
            && let Some((_, oldest)) = kept.pop_front()
        {
            bytes -= oldest.len();
        }
        Ok(whole)
    }

    fn kept(&self) -> MutexGuard<'_, VecDeque<(usize, Arc<Vec<u8>>)>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
