//! The rows of arrays whose number their block says.

use crate::asdf::array::{Array, too_large};
use crate::asdf::error::Result;
use crate::asdf::file::AsdfFile;
use crate::asdf::ndarray::Stored;
use crate::asdf::report::{Code, Finding};
use crate::asdf::tree::Node;

impl Array {
    /// What is behind the last whole row of an array whose number of rows its block says.
    pub(crate) fn partial_row(&self) -> Result<Option<Finding>> {
        let Some(stored) = self.stored().filter(|stored| stored.streamed) else { return Ok(None) };
        let Some(block) = self.block()? else { return Ok(None) };
        let Rows { size, rest, end, .. } = rows(self.file(), stored, self.node()?, self.path())?;
        let address = match block.compression() {
            None => block.data.start.saturating_add(end),
            Some(_) => block.address,
        };
        let path = self.path();
        let reason =
            format!("`{path}`: expected rows of {size} bytes, found {rest} behind the last");
        let finding = Finding { code: Code::PartialRow, address, block: Some(block.index), reason };
        Ok((rest > 0).then_some(finding))
    }
}

/// The rows of an array in its block, whose number the tree does not say.
pub(crate) struct Rows {
    /// Their number. One that is not whole is none.
    pub(crate) count: u64,
    /// Bytes of one that is not whole, behind the others.
    rest: u64,
    /// Bytes of a row.
    size: u64,
    /// Where they end in the block, in bytes.
    end: u64,
}

/// See [`Rows`].
pub(crate) fn rows(file: &AsdfFile, stored: &Stored, node: Node<'_>, path: &str) -> Result<Rows> {
    let (file, index) = file.home(&stored.source)?;
    let block = file.block(index)?;
    let there = file.source().len().saturating_sub(block.data.start);
    let bytes = if block.compression().is_some() { block.decoded } else { block.used().min(there) };
    let left = bytes.saturating_sub(stored.offset);
    match row_size(stored).ok_or_else(too_large)? {
        0 => Err(node.error(path, "rows of some bytes, as their number is not stated")),
        size => Ok(Rows {
            count: left / size,
            rest: left % size,
            size,
            end: stored.offset.saturating_add(left - left % size),
        }),
    }
}

/// Bytes from one row of such an array to the next; `None` if they are more than 64 bits can say.
pub(crate) fn row_size(stored: &Stored) -> Option<u64> {
    match stored.strides.as_deref() {
        Some([stride, ..]) => Some(stride.unsigned_abs()),
        _ => {
            let row = stored.shape.iter().try_fold(1_u64, |count, dim| count.checked_mul(*dim))?;
            row.checked_mul(stored.datatype.size()?)
        }
    }
}
