//! Arrays in blocks as chunked datasets: their filters, and the tree that indexes the chunks (format specification 3.0,
//! III.A.1).

use dudley::Result;
use dudley::read::{Data, InBlocks};

use crate::hdf5::dataset::Filter;
use crate::hdf5::filter::of_layout;
use crate::hdf5::message::UNDEFINED;

/// The most chunks or nodes in a node of the tree: the default with a superblock of version 2.
const CHILDREN: usize = 64;

/// An array in chunks.
pub(crate) struct Chunked {
    /// The shape of a chunk.
    pub(crate) cell: Vec<u32>,
    pub(crate) filters: Vec<Filter>,
    /// The chunks, in array order.
    pub(crate) chunks: Vec<Chunk>,
    /// The fill value of missing chunks; empty if it is zero.
    pub(crate) fill: Vec<u8>,
}

/// A block.
#[derive(Clone)]
pub(crate) struct Chunk {
    pub(crate) start: Vec<u64>,
    /// The address from the start of the stream.
    pub(crate) address: u64,
    pub(crate) bytes: u32,
    /// A bit for each skipped filter.
    pub(crate) skipped: u32,
}

impl Chunked {
    /// Converts an array that has `rank` dimensions and elements of `element` bytes in HDF5, or tells why HDF5 cannot
    /// show it. Adds the address range of each block to `taken`.
    ///
    /// # Errors
    /// If a block cannot be placed.
    pub(crate) fn of(
        data: &Data,
        blocks: &InBlocks,
        (rank, element): (usize, u64),
        taken: &mut Vec<(u64, u64)>,
    ) -> Result<std::result::Result<Chunked, String>> {
        let mut found = Vec::new();
        for block in blocks.each() {
            let block = block?;
            taken.push((block.address, block.address.saturating_add(block.bytes)));
            found.push(block);
        }
        let fill = blocks.fill().to_vec();
        if !fill.is_empty() && fill.len() as u64 != element {
            return Ok(Err("its fill value is not one element".to_owned()));
        }
        let whole = data.shape();
        let cell =
            blocks.cell.clone().unwrap_or_else(|| whole.iter().map(|dim| *dim.max(&1)).collect());
        let small = |dims: &[u64]| {
            dims.iter().map(|dim| u32::try_from(*dim).ok()).collect::<Option<Vec<u32>>>()
        };
        let Some(dims) = small(&cell[..rank.min(cell.len())]) else {
            return Ok(Err("its blocks are too large for HDF5".to_owned()));
        };
        if rank == 0 || cell[rank..] != whole[rank..] {
            return Ok(Err("its blocks cut elements of HDF5".to_owned()));
        }
        let mut filters: Vec<Filter> = Vec::new();
        for filter in found.iter().filter_map(|block| block.filter.as_ref()) {
            let Some(steps) = of_layout(&filter.name, &filter.args) else {
                return Ok(Err(format!("its blocks are encoded by `{}`", filter.name)));
            };
            if steps.len() > filters.len() {
                filters = steps;
            }
        }
        let mut chunks = Vec::new();
        for block in found {
            let on_grid = block.start.iter().zip(&cell).all(|(start, cell)| start % cell == 0);
            if block.shape != cell || !on_grid {
                return Ok(Err("its blocks are of several shapes".to_owned()));
            }
            let (skip, steps) = match &block.filter {
                Some(filter) => (filter.skip, of_layout(&filter.name, &filter.args)),
                None => (0, Some(Vec::new())),
            };
            let skipped = steps.and_then(|steps| skipped(&filters, &steps));
            let bytes = u32::try_from(block.bytes - skip.min(block.bytes)).ok();
            let (Some(skipped), Some(bytes)) = (skipped, bytes) else {
                return Ok(Err("its blocks went through different filters".to_owned()));
            };
            let address = block.address.saturating_add(skip);
            chunks.push(Chunk { start: block.start[..rank].to_vec(), address, bytes, skipped });
        }
        chunks.sort_by(|one, other| one.start.cmp(&other.start));
        Ok(Ok(Chunked { cell: dims, filters, chunks, fill }))
    }

    /// Whether all chunks lie at or after an address.
    pub(super) fn lies_behind(&self, base: u64) -> bool {
        self.chunks.iter().all(|chunk| chunk.address >= base)
    }

    /// Builds the tree that indexes the chunks: its nodes, which begin at address `at`, and the address of its root,
    /// `None` if there are no chunks. Addresses in it are relative to `base`.
    pub(super) fn tree(&self, at: u64, base: u64) -> (Vec<u8>, Option<u64>) {
        let key = |chunk: &Chunk| {
            let mut key = chunk.bytes.to_le_bytes().to_vec();
            key.extend(chunk.skipped.to_le_bytes());
            // The last offset is the offset within an element.
            key.extend(chunk.start.iter().chain([&0]).flat_map(|start| start.to_le_bytes()));
            key
        };
        let Some(last) = self.chunks.last() else { return (Vec::new(), None) };
        // The last key lies after all chunks.
        let mut behind = Chunk { bytes: 0, skipped: 0, ..last.clone() };
        behind.start[0] += u64::from(self.cell[0]);
        let behind = key(&behind);
        let node = 24 + CHILDREN * 8 + (CHILDREN + 1) * behind.len();
        let mut children: Vec<(Vec<u8>, u64)> =
            self.chunks.iter().map(|chunk| (key(chunk), chunk.address - base)).collect();
        let mut bytes: Vec<u8> = Vec::new();
        for level in 0_u8.. {
            let first = at + bytes.len() as u64;
            let count = children.len().div_ceil(CHILDREN);
            let address = |number: usize| first + (number * node) as u64;
            let mut above = Vec::new();
            for (number, part) in children.chunks(CHILDREN).enumerate() {
                let end = bytes.len() + node;
                bytes.extend([b'T', b'R', b'E', b'E', 1, level]);
                bytes.extend((part.len() as u16).to_le_bytes());
                let left = number.checked_sub(1).map_or(UNDEFINED, address);
                let right = if number + 1 < count { address(number + 1) } else { UNDEFINED };
                bytes.extend([left, right].iter().flat_map(|it| it.to_le_bytes()));
                for (key, child) in part {
                    bytes.extend(key);
                    bytes.extend(child.to_le_bytes());
                }
                let next = children.get((number + 1) * CHILDREN).map_or(&behind, |(key, _)| key);
                bytes.extend(next);
                bytes.resize(end, 0);
                above.push((part[0].0.clone(), address(number)));
            }
            children = above;
            if children.len() == 1 {
                break;
            }
        }
        (bytes, children.first().map(|(_, root)| *root))
    }
}

/// A bit for each filter that is not among the steps of a chunk; `None` if the chunk has other steps.
fn skipped(filters: &[Filter], steps: &[Filter]) -> Option<u32> {
    let mut rest = steps.iter().peekable();
    let mut skipped = 0;
    for (at, filter) in filters.iter().enumerate() {
        match rest.next_if(|step| *step == filter) {
            Some(_) => {}
            None => skipped |= 1 << at,
        }
    }
    rest.next().is_none().then_some(skipped)
}
