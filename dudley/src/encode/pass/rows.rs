//! Structs of a program that are written as records, block by block.

use super::writing::Writing;
use crate::elements::buffer::zeros;
use crate::encode::input::Rows;
use crate::error::{Error, Result};
use crate::read::constant::fill;
use crate::read::dtype::Dtype;

impl Writing<'_, '_> {
    /// Checks that structs can be the records of an item; gives what each record begins as.
    pub(super) fn template(
        &self,
        path: &str,
        rows: &dyn Rows,
        dtype: &Dtype,
        shape: &[u64],
    ) -> Result<Vec<u8>> {
        rows.check(dtype).map_err(|error| error.of_item(path))?;
        let found = rows.shape();
        if found != shape {
            return Err(Error::wrong_shape(path, shape, &found));
        }
        let Dtype::Record(record) = dtype else {
            return Err(Error::Variable { path: path.into() });
        };
        let mut room = zeros(record.size)?;
        fill(self.pass.layout, path, (None, dtype, &[]), &mut room)?;
        Ok(room)
    }
}

/// All of them, side by side.
pub(super) fn collect(rows: &dyn Rows, dtype: &Dtype, template: &[u8]) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    rows.encode(dtype, template, &mut |block| {
        bytes.extend_from_slice(block);
        Ok(())
    })?;
    Ok(bytes)
}
