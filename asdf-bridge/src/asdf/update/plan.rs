//! The plan of an update: the old and the new text; blocks that are kept, added and removed.

use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

use dudley::append::Storage;

use super::super::blocks::Block;
use super::super::error::Result;
use super::super::write::block::NewBlock;
use super::super::write::rules::Padding;
use super::chain::Chain;

/// What an update comes to.
pub(super) struct Plan<'a> {
    pub(super) storage: Arc<dyn Storage>,
    pub(super) chain: Chain,
    /// The bytes from the start of the file to the end of its tree.
    pub(super) old: Vec<u8>,
    pub(super) new: Vec<u8>,
    /// Whether there was a tree before.
    pub(super) had_tree: bool,
    /// New blocks by their numbers: in place of free ones, or behind all.
    pub(super) fresh: BTreeMap<usize, NewBlock<'a>>,
    /// The blocks that the new tree names.
    pub(super) named: HashSet<usize>,
    /// Whether an index follows the blocks.
    pub(super) indexed: bool,
    pub(super) padding: Padding,
    /// Whether blocks that nothing names are dropped where the file is written anew.
    pub(super) compact: bool,
}

impl<'a> Plan<'a> {
    /// How many blocks come behind those that there are.
    pub(super) fn appended(&self) -> usize {
        self.fresh.range(self.chain.fixed()..).count()
    }

    pub(super) fn appended_blocks(&self) -> Vec<NewBlock<'a>> {
        self.fresh.range(self.chain.fixed()..).map(|(_, block)| block.clone()).collect()
    }

    /// Free blocks that are used again, and what for.
    pub(super) fn reused(&self) -> impl Iterator<Item = (&Block, &NewBlock<'a>)> {
        let fresh = self.fresh.range(..self.chain.fixed());
        fresh.filter_map(|(number, new)| Some((&**self.chain.blocks.get(*number)?, new)))
    }

    /// Whether the update frees a block: arrays were in it, and none is any more. Behind other bytes it may be
    /// another one than its number says, and is kept.
    pub(super) fn frees(&self, number: usize) -> bool {
        let left = self.chain.named.contains(&number) && number < self.chain.joined;
        (left || self.compact) && !self.named.contains(&number) && number < self.chain.fixed()
    }

    /// Blocks that become free.
    pub(super) fn freed(&self) -> impl Iterator<Item = &Block> {
        let blocks = self.chain.blocks.iter().map(|block| &**block);
        blocks.filter(|block| self.chain.named.contains(&block.index) && self.frees(block.index))
    }

    /// The length of the file now.
    pub(super) fn storage_len(&self) -> Result<u64> {
        let len = self.storage.len();
        Ok(len.map_err(|error| dudley::Error::io("cannot get the size of the file", error))?)
    }
}
