//! Facts about chunks that only their frame contains.

/// What the frame of a chunk says that the chunk does not.
#[derive(Clone, Debug, Default)]
pub(crate) struct Context {
    /// Bytes of an element; in the chunk they are 1 where there are more than 255.
    pub(crate) typesize: Option<usize>,
    /// Elements of a block along each dimension of an array; empty if it is of none.
    pub(crate) blockshape: Vec<usize>,
    /// The most bytes of a block that is decoded; what is allowed where nothing is said, if none.
    pub(crate) limit: Option<u64>,
}

impl Context {
    /// The bytes of a block of the array; 0 if it is of none, or they cannot be.
    pub(crate) fn block_bytes(&self) -> u64 {
        let size = self.typesize.filter(|_| !self.blockshape.is_empty());
        let block = size.and_then(|size| {
            self.blockshape.iter().try_fold(size, |bytes, dim| bytes.checked_mul(*dim))
        });
        block.unwrap_or(0) as u64
    }
}
