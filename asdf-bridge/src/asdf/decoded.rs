//! The data of a compressed block as a source: decompressed only as far as they are read.

mod pieces;
mod sequence;
mod stored;

use std::io::{ErrorKind, Read};
use std::sync::{Arc, OnceLock};

use dudley::filter::Filter;
use dudley::source::{Source, Window, check, slice};

use super::blocks::Block;
use super::error::Result;
use pieces::Pieces;
use sequence::Sequence;

/// Blocks of so many bytes are decompressed at once.
const SMALL: u64 = 64 << 10;

/// No compression shrinks bytes further than this many times: bzip2 comes closest. Whoever reads an array
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

impl Decoded {
    /// The data of a block. Small ones are decompressed at once; of others no more is read than what says
    /// where they can be begun.
    pub(super) fn new(
        source: Arc<dyn Source>,
        filter: Arc<dyn Filter>,
        block: &Block,
    ) -> Result<Decoded> {
        let source = Window::new(source, block.data.start, block.used())?;
        let stored = Stored { source, filter, len: block.decoded };
        if stored.source.is_empty() && stored.len == 0 {
            return Ok(Decoded { stored, how: How::Whole, whole: OnceLock::from(Vec::new()) });
        }
        if stored.len <= SMALL || stored.len / RATIO > block.used() {
            return Decoded::whole(stored);
        }
        if let Some(pieces) = Pieces::of(&stored)? {
            return Ok(Decoded { stored, how: How::Pieces(pieces), whole: OnceLock::new() });
        }
        let window = Arc::new(stored.source.clone());
        let by_filter = stored.filter.source(&[], window, stored.len);
        if let Some(source) = by_filter.map_err(|error| stored.moved(error))? {
            return Ok(Decoded { stored, how: How::Filter(source), whole: OnceLock::new() });
        }
        match Sequence::of(&stored) {
            Some(sequence) => {
                Ok(Decoded { stored, how: How::Sequence(sequence), whole: OnceLock::new() })
            }
            None => Decoded::whole(stored),
        }
    }

    fn whole(stored: Stored) -> Result<Decoded> {
        let whole = OnceLock::from(stored.decode()?);
        Ok(Decoded { stored, how: How::Whole, whole })
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

/// The first bytes of some data, `most` at most, as far as what is stored of them is there and whole.
pub(super) fn start(filter: &dyn Filter, stored: Window<Arc<dyn Source>>, most: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(mut reader) = filter.reader(&[], Box::new(stored::Bytes::new(stored))) {
        let mut piece = vec![0; SMALL as usize];
        while (bytes.len() as u64) < most {
            let wanted = (most - bytes.len() as u64).min(SMALL) as usize;
            match reader.read(&mut piece[..wanted]) {
                Ok(0) => break,
                Ok(count) if bytes.try_reserve(count).is_ok() => {
                    bytes.extend_from_slice(&piece[..count]);
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                // What comes behind the damage is lost.
                _ => break,
            }
        }
    }
    bytes
}

impl Stored {
    /// All bytes, decompressed.
    pub(super) fn decode(&self) -> dudley::Result<Vec<u8>> {
        let decoded = match self.source.bytes() {
            Some(bytes) => self.filter.decode(&[], bytes, self.len),
            None => {
                let bytes = self.read(0, self.source.len())?;
                self.filter.decode(&[], &bytes, self.len)
            }
        };
        decoded.map_err(|why| self.error(0, why))
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
