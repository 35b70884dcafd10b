//! The data of a compressed block as a source: decompressed only as far as they are read.

mod pieces;
mod sequence;
mod stored;

use std::io::{ErrorKind, Read};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use dudley::bytes::{Source, Window, check, slice};
use dudley::filter::{Filter, FilterError};

use super::blocks::Block;
use super::error::{Error, Result};
use pieces::Pieces;
use sequence::Sequence;

/// Blocks of this many bytes are decompressed at once.
const SMALL: u64 = 64 << 10;

/// No compression shrinks bytes further than this many times: bzip2 comes closest. Any code that reads an array
/// takes memory for all of it before it is decompressed.
const RATIO: u64 = 2 << 20;

/// Bytes that are read together: what is decompressed should be written where it stays.
const BATCH: u64 = 4 << 20;

/// The stored bytes of a block, and the filter that they went through.
pub(super) struct Stored {
    pub(super) source: Window<Arc<dyn Source>>,
    pub(super) filter: Arc<dyn Filter>,
    /// The bytes that they are decompressed.
    pub(super) len: u64,
    /// How many bytes of the block are behind those that are compressed, as far as that is known. No program minds
    /// them.
    trailing: AtomicU64,
}

/// The data of a block, decompressed as far as they are read.
pub(super) struct Decoded {
    stored: Stored,
    how: How,
    /// All of them, if somebody needed them all.
    whole: OnceLock<Vec<u8>>,
}

enum How {
    /// Any part by itself.
    Pieces(Pieces),
    /// As the filter knows.
    Filter(Arc<dyn Source>),
    /// From the first byte on.
    Sequence(Sequence),
    /// Only all of them.
    Whole,
}

impl How {
    fn of(stored: &Stored) -> Result<How> {
        if stored.len <= SMALL || stored.len / RATIO > stored.source.len() {
            return Ok(How::Whole);
        }
        if let Some(pieces) = Pieces::of(stored)? {
            return Ok(How::Pieces(pieces));
        }
        let window = Arc::new(stored.source.clone());
        let by_filter = stored.filter.source(&[], window, stored.len);
        if let Some(source) = by_filter.map_err(|error| stored.moved(error))? {
            return Ok(How::Filter(source));
        }
        Ok(Sequence::of(stored).map_or(How::Whole, How::Sequence))
    }
}

impl Decoded {
    /// The data of a block. Small ones are decompressed at once; of others no more is read than what says
    /// where they can be begun.
    pub(super) fn new(
        source: Arc<dyn Source>,
        filter: Arc<dyn Filter>,
        block: &Block,
    ) -> Result<Decoded> {
        let without = |trailing: u64| -> Result<Stored> {
            let there = block.used().saturating_sub(trailing);
            let source = Window::new(source.clone(), block.data.start, there)?;
            let (filter, len) = (filter.clone(), block.decoded);
            Ok(Stored { source, filter, len, trailing: AtomicU64::new(trailing) })
        };
        let mut stored = without(0)?;
        if stored.source.is_empty() && stored.len == 0 {
            return Ok(Decoded { stored, how: How::Whole, whole: OnceLock::from(Vec::new()) });
        }
        let mut how = How::of(&stored);
        if let Err(Error::Engine(dudley::Error::Filter { reason, .. })) = &how
            && let FilterError::Trailing { count } = reason
        {
            stored = without(*count)?;
            how = How::of(&stored);
        }
        let how = how?;
        let whole = match how {
            How::Whole => OnceLock::from(stored.decode()?),
            _ => OnceLock::new(),
        };
        Ok(Decoded { stored, how, whole })
    }

    /// How many bytes of the block are behind those that are compressed: known once all were read.
    pub(super) fn trailing(&self) -> u64 {
        self.stored.trailing.load(Ordering::Relaxed)
    }

    /// All of them, which stay in memory.
    fn all(&self) -> dudley::Result<&[u8]> {
        if let Some(whole) = self.whole.get() {
            return Ok(whole);
        }
        let whole = self.stored.decode()?;
        // Another thread may have been faster.
        Ok(self.whole.get_or_init(|| whole))
    }
}

/// Hands out the first bytes of some data, `most` at most, as far as what is stored of them is there and whole; how many
/// those are.
///
/// # Errors
/// If `sink` fails.
pub(super) fn start(
    filter: &dyn Filter,
    stored: Window<Arc<dyn Source>>,
    most: u64,
    sink: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<u64> {
    let mut done = 0;
    if let Some(mut reader) = filter.reader(&[], Box::new(stored::Bytes::new(stored))) {
        let mut piece = vec![0; SMALL as usize];
        while done < most {
            let wanted = (most - done).min(SMALL) as usize;
            match reader.read(&mut piece[..wanted]) {
                // What comes behind the damage is lost.
                Ok(0) => break,
                Ok(count) => {
                    sink(&piece[..count])?;
                    done += count as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
    }
    Ok(done)
}

impl Stored {
    /// All bytes, decompressed.
    pub(super) fn decode(&self) -> dudley::Result<Vec<u8>> {
        let read;
        let bytes = match self.source.bytes() {
            Some(bytes) => bytes,
            None => {
                read = self.read(0, self.source.len())?;
                &read
            }
        };
        let decoded = match self.filter.decode(&[], bytes, self.len) {
            Err(FilterError::Trailing { count }) => {
                self.found_behind(count);
                let rest = (bytes.len() as u64).saturating_sub(count);
                self.filter.decode(&[], slice(bytes, 0, rest)?, self.len)
            }
            decoded => decoded,
        };
        decoded.map_err(|why| self.error(0, why))
    }

    /// Notes that this many bytes are behind those that are compressed.
    fn found_behind(&self, count: u64) {
        self.trailing.store(count, Ordering::Relaxed);
    }

    /// Some of the stored bytes.
    fn read(&self, at: u64, len: u64) -> dudley::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let too_large = || dudley::Error::too_large(len);
        let size = usize::try_from(len).map_err(|_| too_large())?;
        bytes.try_reserve_exact(size).map_err(|_| too_large())?;
        bytes.resize(size, 0);
        self.source.read_at(at, &mut bytes).map_err(|error| self.moved(error))?;
        Ok(bytes)
    }

    /// What a filter says of the stored bytes from one on.
    fn error(&self, at: u64, why: dudley::filter::FilterError) -> dudley::Error {
        dudley::Error::filter(self.source.base().saturating_add(at), self.filter.name(), why)
    }

    /// An error of the stored bytes, with its address in the file.
    fn moved(&self, error: dudley::Error) -> dudley::Error {
        error.map_address(|address| address.saturating_add(self.source.base()))
    }
}

impl Source for Decoded {
    fn len(&self) -> u64 {
        self.stored.len
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> dudley::Result<()> {
        check(self.len(), address, buf.len() as u64)?;
        if let Some(whole) = self.whole.get() {
            buf.copy_from_slice(slice(whole, address, buf.len() as u64)?);
            return Ok(());
        }
        match &self.how {
            How::Pieces(pieces) => pieces.read(&self.stored, address, buf),
            How::Filter(source) => {
                source.read_at(address, buf).map_err(|error| self.stored.moved(error))
            }
            How::Sequence(sequence) if sequence.read(&self.stored, address, buf)? => Ok(()),
            How::Sequence(_) | How::Whole => {
                buf.copy_from_slice(slice(self.all()?, address, buf.len() as u64)?);
                Ok(())
            }
        }
    }

    fn batch(&self) -> u64 {
        match &self.how {
            How::Filter(source) => source.batch(),
            _ => BATCH,
        }
    }

    fn bytes(&self) -> Option<&[u8]> {
        self.whole.get().map(Vec::as_slice)
    }

    fn load(&self) -> dudley::Result<Option<&[u8]>> {
        self.all().map(Some)
    }
}
