//! Texts and sequences in the global heaps of a file, for arrays that refer to them.

use std::sync::Arc;

use dudley::Result;
use dudley::bytes::Source;
use dudley::filter::{Heap, Objects};

use super::file::File;
use super::{heap, superblock};

/// The global heaps of HDF5 files.
pub(super) struct GlobalHeaps;

struct Opened {
    file: File,
    objects: heap::Objects,
}

impl Heap for GlobalHeaps {
    fn open(&self, source: &Arc<dyn Source>) -> Result<Box<dyn Objects>> {
        let (file, _) = superblock::read(source.clone())?;
        Ok(Box::new(Opened { file, objects: heap::Objects::default() }))
    }
}

impl Objects for Opened {
    fn object(&mut self, heap: u64, number: u64) -> Result<Arc<[u8]>> {
        self.objects.get(&self.file, heap, u32::try_from(number).unwrap_or(u32::MAX))
    }
}
