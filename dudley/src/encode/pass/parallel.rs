//! Large arrays written by several threads, where the output lets them, row by row.

use dudley_parser::layout::dtype::{ByteOrder, Primitive};
use dudley_parser::resolve::Placed;

use super::writing::Writing;
use crate::bytes::work::PART;
use crate::encode::input::Typed;
use crate::error::{Error, Result};

impl Writing<'_, '_> {
    /// Whether an array is written by several threads; then the output has room for it.
    pub(super) fn is_shared(
        &mut self,
        typed: &dyn Typed,
        primitive: Primitive,
        placed: Placed,
    ) -> Result<bool> {
        let options = self.pass.options;
        let rows = typed.shape().first().copied().unwrap_or(0);
        let worth = placed.bytes >= 2 * PART && rows > 1 && options.work.is_shared();
        if !worth || typed.rows(primitive).is_none() || self.pass.out.beside().is_none() {
            return Ok(false);
        }
        // No overflow: it was placed.
        self.pass.end = self.pass.end.max(placed.address + placed.bytes);
        self.pass.out.grow(self.pass.end)?;
        Ok(true)
    }

    /// Writes an array by as many threads as there may be, some MiB of rows at a time.
    pub(super) fn put_rows(
        &mut self,
        typed: &dyn Typed,
        primitive: Primitive,
        order: ByteOrder,
        placed: Placed,
    ) -> Result<()> {
        let (Some(source), Some(out)) = (typed.rows(primitive), self.pass.out.beside()) else {
            return Err(Error::wrong_length(placed.bytes, 0));
        };
        let rows = typed.shape().first().copied().unwrap_or(0).max(1);
        let bytes = placed.bytes / rows;
        let together = (PART / bytes.max(1)).max(1);
        let count = rows.div_ceil(together);
        let jobs = (0..count).map(|at| at * together..rows.min((at + 1) * together));
        self.pass.options.work.run(count, jobs, |rows| {
            let (begin, end) =
                (placed.address + rows.start * bytes, placed.address + rows.end * bytes);
            let mut address = begin;
            source.encode_rows(rows, primitive, order, &mut |block| {
                // More than its rows would be written over others.
                if block.len() as u64 > end - address {
                    return Err(Error::wrong_length(end - address, block.len() as u64));
                }
                out.put_beside(address, block)?;
                address += block.len() as u64;
                Ok(())
            })?;
            if address == end {
                Ok(end - begin)
            } else {
                Err(Error::wrong_length(end - begin, address - begin))
            }
        })
    }
}
