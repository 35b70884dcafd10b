//! Heaps: where files of other formats keep elements that differ in size.

use std::sync::Arc;

use crate::bytes::source::Source;

/// Reads a heap, of which an array has the places: for its elements `{length, heap, number}` with the attribute `vlen`.
pub trait Heap: Send + Sync {
    /// Opens the heaps of a file, all of whose bytes `source` has.
    ///
    /// # Errors
    /// If the file has none, or its headers are damaged.
    fn open(&self, source: &Arc<dyn Source>) -> crate::Result<Box<dyn Objects>>;
}

/// The objects in the heaps of a file.
pub trait Objects {
    /// The bytes of an object: its heap is named by an address as the file has it, itself by its number there.
    ///
    /// # Errors
    /// If there is none, with the address.
    fn object(&mut self, heap: u64, number: u64) -> crate::Result<Arc<[u8]>>;
}
