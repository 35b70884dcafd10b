//! A source behind which every request takes long: what is read in small pieces is read by the block, and kept.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, PoisonError};

use super::{Source, check};
use crate::error::{Error, Result};

/// Reads small pieces of another source by the block, and keeps the blocks that were used last.
///
/// Reads of more than half a block are passed on. So are reads of several ranges at once, unless
/// [`Self::one_by_one`] is set: most sources with a long response time handle many ranges best themselves.
///
/// ```
/// use dudley::bytes::{Cached, Source};
///
/// let source = Cached::new(vec![7_u8; 100_000], 8192, 1 << 20);
/// let mut few = [0; 20];
/// source.read_at(99_000, &mut few)?;
/// assert_eq!(few, [7; 20]);
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Debug)]
pub struct Cached<S> {
    inner: S,
    block: u64,
    most: u64,
    one_by_one: bool,
    kept: Mutex<Kept>,
}

/// Blocks by their numbers; those used longest ago go first.
#[derive(Debug)]
struct Kept {
    most: u64,
    bytes: u64,
    blocks: HashMap<u64, (Arc<[u8]>, u64)>,
    /// The blocks in the order in which they were used.
    used: BTreeMap<u64, u64>,
    clock: u64,
}

impl<S: Source> Cached<S> {
    /// Blocks have `block` bytes, and the cache keeps at most `most` bytes of them; if that is less than one
    /// block, all reads are passed on.
    pub fn new(inner: S, block: u64, most: u64) -> Cached<S> {
        let kept = Mutex::new(Kept::new(most));
        Cached { inner, block: block.max(1), most, one_by_one: false, kept }
    }

    /// Reads several ranges one by one, small ones through the cache: for a source that gains nothing from
    /// requests of several ranges.
    #[must_use]
    pub fn one_by_one(mut self) -> Cached<S> {
        self.one_by_one = true;
        self
    }

    /// The source behind it.
    pub fn inner(&self) -> &S {
        &self.inner
    }

    /// The block of a number, which is shorter at the end of the source.
    fn block(&self, number: u64) -> Result<Arc<[u8]>> {
        // What is kept is never half done.
        let kept = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(block) = kept().get(number) {
            return Ok(block);
        }
        let from = number * self.block;
        let mut bytes = vec![0; self.inner.len().saturating_sub(from).min(self.block) as usize];
        self.inner.read_at(from, &mut bytes)?;
        let block: Arc<[u8]> = bytes.into();
        kept().put(number, block.clone());
        Ok(block)
    }

    fn is_small(&self, length: u64) -> bool {
        length <= self.block / 2 && self.most >= self.block
    }
}

impl<S: Source> Source for Cached<S> {
    fn len(&self) -> u64 {
        self.inner.len()
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
        let length = buf.len() as u64;
        check(self.len(), address, length)?;
        if !self.is_small(length) {
            return self.inner.read_at(address, buf);
        }
        let mut done = 0;
        while done < buf.len() {
            let at = address + done as u64;
            let block = self.block(at / self.block)?;
            let rest = block.get((at % self.block) as usize..).unwrap_or_default();
            let count = rest.len().min(buf.len() - done);
            if count == 0 {
                return Err(Error::truncated(at, length - done as u64, 0));
            }
            buf[done..done + count].copy_from_slice(&rest[..count]);
            done += count;
        }
        Ok(())
    }

    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> Result<()> {
        if self.one_by_one {
            ranges.iter_mut().try_for_each(|(address, buf)| self.read_at(*address, buf))
        } else {
            self.inner.read_ranges(ranges)
        }
    }

    fn batch(&self) -> u64 {
        self.inner.batch()
    }
}

impl Kept {
    /// Of this many bytes at most.
    fn new(most: u64) -> Kept {
        Kept { most, bytes: 0, blocks: HashMap::new(), used: BTreeMap::new(), clock: 0 }
    }

    /// A block, if it is kept.
    fn get(&mut self, block: u64) -> Option<Arc<[u8]>> {
        let (bytes, last) = self.blocks.get_mut(&block)?;
        self.used.remove(last);
        self.clock += 1;
        *last = self.clock;
        self.used.insert(self.clock, block);
        Some(bytes.clone())
    }

    /// Keeps a block, and as many of the others as there is room for.
    fn put(&mut self, block: u64, bytes: Arc<[u8]>) {
        self.clock += 1;
        self.bytes += bytes.len();
        if let Some((before, last)) = self.blocks.insert(block, (bytes, self.clock)) {
            self.bytes -= before.len();
            self.used.remove(&last);
        }
        self.used.insert(self.clock, block);
        while self.bytes > self.most
            && let Some((_, oldest)) = self.used.pop_first()
        {
            if let Some((bytes, _)) = self.blocks.remove(&oldest) {
                self.bytes -= bytes.len();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::source::Counted;

    const BLOCK: u64 = 4096;

    #[test]
    fn small_reads_are_of_blocks_that_are_kept() {
        let bytes: Vec<u8> = (0..10_000_u32).map(|at| (at % 251) as u8).collect();
        let source = Cached::new(Counted::new(bytes.clone()), BLOCK, 1 << 20);
        for at in (0..9_000).step_by(7) {
            let mut some = [0; 20];
            source.read_at(at, &mut some).expect("in range");
            assert_eq!(some, bytes[at as usize..at as usize + 20]);
        }
        assert_eq!((source.inner().requests(), source.inner().bytes_read()), (3, 10_000));
        let mut all = vec![0; 10_000];
        source.read_at(0, &mut all).expect("in range");
        assert!(all == bytes);
        assert!(source.read_at(9_990, &mut [0; 20]).is_err());
        assert!(source.read_at(u64::MAX, &mut [0; 2]).is_err());
    }

    #[test]
    fn ranges_go_through_or_by_the_block() {
        for (one_by_one, requests) in [(false, 40), (true, 1)] {
            let source = Cached::new(Counted::new(vec![1; 4000]), BLOCK, 1 << 20);
            let source = if one_by_one { source.one_by_one() } else { source };
            let mut bytes = [[0; 3]; 40];
            let mut ranges: Vec<_> = bytes
                .iter_mut()
                .enumerate()
                .map(|(at, buf)| (at as u64 * 50, &mut buf[..]))
                .collect();
            source.read_ranges(&mut ranges).expect("in range");
            assert_eq!((source.inner().requests(), bytes), (requests, [[1; 3]; 40]));
        }
    }

    #[test]
    fn without_room_for_a_block_all_goes_through() {
        let source = Cached::new(Counted::new(vec![1; 10_000]), BLOCK, BLOCK - 1);
        for at in 0..10 {
            source.read_at(at, &mut [0; 3]).expect("in range");
        }
        assert_eq!((source.inner().requests(), source.inner().bytes_read()), (10, 30));
    }

    #[test]
    fn the_block_used_longest_ago_goes_first() {
        let mut kept = Kept::new(3 * BLOCK);
        let block = |byte: u8| -> Arc<[u8]> { vec![byte; BLOCK as usize].into() };
        for at in 0..3 {
            kept.put(at, block(at as u8));
        }
        assert_eq!(kept.get(0).map(|bytes| bytes[0]), Some(0));
        kept.put(9, block(9));
        assert!(kept.get(1).is_none());
        kept.put(2, block(22));
        assert_eq!(kept.get(2).map(|bytes| bytes[0]), Some(22));
        assert_eq!((kept.bytes, kept.blocks.len(), kept.used.len()), (3 * BLOCK, 3, 3));
        kept.put(4, vec![0; 4 * BLOCK as usize].into());
        assert_eq!((kept.bytes, kept.blocks.len(), kept.used.len()), (0, 0, 0));
    }
}
