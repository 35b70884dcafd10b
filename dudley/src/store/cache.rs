//! Blocks that were read lately, so many bytes of them.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::Arc;

/// Bytes of a block: a request takes about as long for all of them as for one.
pub(super) const BLOCK: u64 = 64 << 10;

/// Blocks by their numbers; those used longest ago go first.
#[derive(Debug)]
pub(super) struct Cache {
    most: u64,
    bytes: u64,
    blocks: HashMap<u64, (Arc<[u8]>, u64)>,
    /// The blocks in the order in which they were used.
    used: BTreeMap<u64, u64>,
    clock: u64,
}

impl Cache {
    /// Of so many bytes at most.
    pub(super) fn new(most: u64) -> Cache {
        let (blocks, used) = (HashMap::new(), BTreeMap::new());
        Cache { most, bytes: 0, blocks, used, clock: 0 }
    }

    /// A block, if it is kept.
    pub(super) fn get(&mut self, block: u64) -> Option<Arc<[u8]>> {
        let (bytes, last) = self.blocks.get_mut(&block)?;
        self.used.remove(last);
        self.clock += 1;
        *last = self.clock;
        self.used.insert(self.clock, block);
        Some(bytes.clone())
    }

    /// Keeps a block, and as many of the others as there is room for.
    pub(super) fn put(&mut self, block: u64, bytes: Arc<[u8]>) {
        self.clock += 1;
        self.bytes += bytes.len() as u64;
        if let Some((before, last)) = self.blocks.insert(block, (bytes, self.clock)) {
            self.bytes -= before.len() as u64;
            self.used.remove(&last);
        }
        self.used.insert(self.clock, block);
        while self.bytes > self.most
            && let Some((_, oldest)) = self.used.pop_first()
        {
            if let Some((bytes, _)) = self.blocks.remove(&oldest) {
                self.bytes -= bytes.len() as u64;
            }
        }
    }
}

/// The blocks that bytes are in.
pub(super) fn blocks_of(address: u64, length: u64) -> Range<u64> {
    address / BLOCK..(address + length).div_ceil(BLOCK)
}

/// Where a block lies in an object of so many bytes.
pub(super) fn range_of(block: u64, size: u64) -> Range<u64> {
    let start = block.saturating_mul(BLOCK);
    start..start.saturating_add(BLOCK).min(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_block_used_longest_ago_goes_first() {
        let mut cache = Cache::new(3 * BLOCK);
        let block = |byte: u8| -> Arc<[u8]> { vec![byte; BLOCK as usize].into() };
        for at in 0..3 {
            cache.put(at, block(at as u8));
        }
        assert_eq!(cache.get(0).map(|bytes| bytes[0]), Some(0));
        cache.put(9, block(9));
        assert!(cache.get(1).is_none());
        cache.put(2, block(22));
        assert_eq!(cache.get(2).map(|bytes| bytes[0]), Some(22));
        assert_eq!((cache.bytes, cache.blocks.len(), cache.used.len()), (3 * BLOCK, 3, 3));
        cache.put(4, vec![0; 4 * BLOCK as usize].into());
        assert_eq!((cache.bytes, cache.blocks.len(), cache.used.len()), (0, 0, 0));
    }

    #[test]
    fn blocks_cover_ranges() {
        assert_eq!(blocks_of(0, 1), 0..1);
        assert_eq!(blocks_of(BLOCK - 1, 2), 0..2);
        assert_eq!(blocks_of(BLOCK, BLOCK), 1..2);
        assert_eq!(range_of(1, BLOCK + 5), BLOCK..BLOCK + 5);
    }
}
