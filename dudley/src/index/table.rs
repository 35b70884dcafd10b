//! Tables of an index, read a few rows at a time.

use super::format::Row;
use crate::bytes::source::Source;
use crate::error::{Error, Result};
use crate::read::stream::Stream;

/// Where a table lies.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    address: u64,
    /// Rows.
    pub(super) rows: u64,
}

impl Table {
    /// The table of a path in the stream of an index.
    ///
    /// # Errors
    /// If it does not lie in the index.
    pub(super) fn of(index: &Stream, path: &str) -> Result<Table> {
        let data = index.get(path)?.data()?;
        crate::bytes::source::check(index.len(), data.address(), data.bytes())?;
        Ok(Table { address: data.address(), rows: data.len()? })
    }

    /// Rows from `first` on, in `source`.
    ///
    /// # Errors
    /// [`Error::Truncated`] if the table has not that many; if they cannot be read.
    pub(super) fn read<T: Row>(
        &self,
        source: &dyn Source,
        first: u64,
        count: u64,
    ) -> Result<Vec<T>> {
        let size = T::SIZE as u64;
        let left = self.rows.saturating_sub(first);
        if count > left {
            let at = self.address.saturating_add(first.saturating_mul(size));
            return Err(Error::truncated(
                at,
                count.saturating_mul(size),
                left.saturating_mul(size),
            ));
        }
        // Within the table, whose bytes are all in the source.
        let bytes =
            crate::read::stream::read_bytes(source, self.address + first * size, count * size)?;
        Ok(bytes.chunks_exact(T::SIZE).map(T::decode).collect())
    }

    /// Whether these are its rows, in `source`.
    ///
    /// # Errors
    /// If they cannot be read.
    pub(super) fn holds<T: Row + PartialEq>(
        &self,
        source: &dyn Source,
        rows: &[T],
    ) -> Result<bool> {
        Ok(self.rows == rows.len() as u64 && self.read::<T>(source, 0, self.rows)? == rows)
    }

    /// Where a row lies, in bytes of the index.
    pub(super) fn address_of<T: Row>(&self, row: u64) -> u64 {
        self.address.saturating_add(row.saturating_mul(T::SIZE as u64))
    }
}
