//! Memory for decoded bytes: only what can be obtained, only what is allowed.

use super::error::{Error, Part, Result};

/// Checks that decoded bytes are not more than a limit.
pub(crate) fn within(needed: u64, limit: u64) -> Result<()> {
    if needed > limit { Err(Error::Limit { needed, limit }) } else { Ok(()) }
}

/// This many bytes of 0. They are not touched: they cost nothing until they are written.
pub(crate) fn zeros(len: u64) -> Result<Vec<u8>> {
    dudley::elements::zeros(len).map_err(Error::engine(Part::Header))
}

/// Makes memory of any contents longer or shorter.
pub(crate) fn resize(bytes: &mut Vec<u8>, len: usize) -> Result<()> {
    if bytes.capacity() < len {
        *bytes = zeros(len as u64)?
    } else {
        bytes.resize(len, 0)
    }
    Ok(())
}

/// Appends bytes to what comes to `all` of them in the end.
pub(crate) fn append(bytes: &mut Vec<u8>, more: &[u8], all: usize) -> Result<()> {
    if bytes.capacity() < all {
        let mut room = zeros(all as u64)?;
        room.clear();
        room.extend_from_slice(bytes);
        *bytes = room;
    }
    bytes.extend_from_slice(more);
    Ok(())
}

/// Elements for this many bytes, all 0.
pub(crate) fn elements<T: dudley::elements::Element>(bytes: u64) -> Result<Vec<T>> {
    dudley::elements::zeros(bytes / T::SIZE as u64).map_err(Error::engine(Part::Array))
}
