//! A source behind which every request takes long: what is small is read by the block, and kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use dudley::Result;
use dudley::source::{Source, check};

/// Bytes of a block. Requests of more go through.
const BLOCK: u64 = 4096;

/// Blocks that are kept at most; then all of them go.
const KEPT: usize = 1024;

/// Bytes that are best asked for at once of what goes through.
const BATCH: u64 = 4 << 20;

/// Keeps the blocks that small reads are in.
pub(crate) struct Cached<S> {
    inner: S,
    blocks: Mutex<HashMap<u64, Arc<[u8]>>>,
}

impl<S: Source> Cached<S> {
    pub(crate) fn new(inner: S) -> Cached<S> {
        Cached { inner, blocks: Mutex::default() }
    }

    /// The block of a number, which is shorter at the end of the source.
    fn block(&self, number: u64) -> Result<Arc<[u8]>> {
        let blocks = || self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(block) = blocks().get(&number) {
            return Ok(block.clone());
        }
        let from = number * BLOCK;
        let mut bytes = vec![0; self.inner.len().saturating_sub(from).min(BLOCK) as usize];
        self.inner.read_at(from, &mut bytes)?;
        let block: Arc<[u8]> = bytes.into();
        let mut blocks = blocks();
        if blocks.len() >= KEPT {
            blocks.clear();
        }
        blocks.insert(number, block.clone());
        Ok(block)
    }
}

impl<S: Source> Source for Cached<S> {
    fn len(&self) -> u64 {
        self.inner.len()
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
        let length = buf.len() as u64;
        check(self.len(), address, length)?;
        if length > BLOCK {
            return self.inner.read_at(address, buf);
        }
        let mut done = 0;
        while done < buf.len() {
            let at = address + done as u64;
            let block = self.block(at / BLOCK)?;
            let rest = block.get((at % BLOCK) as usize..).unwrap_or_default();
            let count = rest.len().min(buf.len() - done);
            if count == 0 {
                return Err(dudley::Error::truncated(at, length, 0));
            }
            buf[done..done + count].copy_from_slice(&rest[..count]);
            done += count;
        }
        Ok(())
    }

    fn batch(&self) -> u64 {
        BATCH
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use dudley::source::Counted;

    #[test]
    fn small_reads_are_of_blocks_that_are_kept() {
        let bytes: Vec<u8> = (0..10_000_u32).map(|at| (at % 251) as u8).collect();
        let source = Cached::new(Counted::new(bytes.clone()));
        for at in (0..9_000).step_by(7) {
            let mut some = [0; 20];
            source.read_at(at, &mut some).expect("in range");
            assert_eq!(some, bytes[at as usize..at as usize + 20]);
        }
        assert_eq!((source.inner.requests(), source.inner.bytes_read()), (3, 10_000));
        let mut all = vec![0; 10_000];
        source.read_at(0, &mut all).expect("in range");
        assert!(all == bytes);
        assert!(source.read_at(9_990, &mut [0; 20]).is_err());
        assert!(source.read_at(u64::MAX, &mut [0; 2]).is_err());
    }
}
