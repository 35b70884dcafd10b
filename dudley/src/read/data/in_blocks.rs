//! How an array in blocks is stored.

use std::sync::Arc;

use crate::bytes::blocks::Blocks;
use crate::bytes::region::Region;
use crate::bytes::source::Source;
use crate::error::Result;
use crate::read::dtype::Filtered;

/// The storage of an array in blocks (spec 7.5).
pub struct InBlocks {
    pub(crate) bytes: Blocks,
    /// Where the block lies that ends last, and its bytes.
    pub(crate) furthest: (u64, u64),
    /// The shape of the first block that has elements; `None` if no block has.
    pub cell: Option<Vec<u64>>,
    /// The number of blocks with elements.
    pub count: u64,
    /// Bytes of all blocks in the stream.
    pub stored: u64,
    /// The name of the filter of the first block that has one.
    pub codec: Option<String>,
    pub(crate) each: Arc<dyn Fn(usize) -> Result<StoredBlock> + Send + Sync>,
    pub(crate) len: usize,
    /// Each cell of the grid has a block of its shape, in their order.
    pub(crate) full: bool,
}

impl std::fmt::Debug for InBlocks {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.debug_struct("InBlocks").field("cell", &self.cell).field("count", &self.count).finish()
    }
}

/// The place of a block of an array.
#[derive(Clone, Debug)]
pub struct StoredBlock {
    /// Its first index in each dimension of the array.
    pub start: Vec<u64>,
    /// Its shape, including elements beyond the edges of the array.
    pub shape: Vec<u64>,
    /// Its address in the stream; for an encoded block, the address of the count, if there is one.
    pub address: u64,
    /// Its bytes in the stream.
    pub bytes: u64,
    /// Its filter.
    pub filter: Option<Arc<Filtered>>,
}

impl Source for InBlocks {
    fn len(&self) -> u64 {
        Source::len(&self.bytes)
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
        self.bytes.read_at(address, buf)
    }

    fn batch(&self) -> u64 {
        self.bytes.batch()
    }

    fn by_region(&self) -> bool {
        self.bytes.by_region()
    }

    fn read_region(&self, region: &Region, dst: &mut [u8]) -> Result<()> {
        self.bytes.read_region(region, dst)
    }
}

impl InBlocks {
    /// Bytes of all elements of the array.
    pub fn decoded(&self) -> u64 {
        Source::len(&self.bytes)
    }

    /// Whether each cell of the grid has a block of its shape, in their order.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// The bytes of elements that no block holds, over and over; nothing if they are zeros.
    pub fn fill(&self) -> &[u8] {
        self.bytes.fill()
    }

    /// The blocks that have elements, in the order in which the layout has them.
    ///
    /// # Errors
    /// An error of a block says why it cannot be placed.
    pub fn each(&self) -> impl Iterator<Item = Result<StoredBlock>> + '_ {
        let blocks = (0..self.len).map(|at| (self.each)(at));
        blocks.filter(|block| block.as_ref().map_or(true, |block| !block.shape.contains(&0)))
    }
}
