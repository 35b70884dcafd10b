//! Structs of a program that are written as records, block by block.

use dudley_parser::resolve::Resolver;

use super::writing::Writing;
use crate::dtype::{Dtype, Record};
use crate::encode::{constant, zeros};
use crate::error::{Error, Result, to_usize};
use crate::input::Rows;

impl Writing<'_, '_> {
    /// That structs can be the records of an item; gives what each record begins as.
    pub(super) fn template(
        &self,
        resolver: &mut Resolver<'_>,
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
        self.constants(resolver, path, record, &mut room)?;
        Ok(room)
    }

    /// Writes what the layout states of the fields of a record (spec 7.3).
    fn constants(
        &self,
        resolver: &mut Resolver<'_>,
        path: &str,
        record: &Record,
        room: &mut [u8],
    ) -> Result<()> {
        for field in &record.fields {
            let begin = to_usize(field.offset)?;
            let end = begin.saturating_add(to_usize(field.bytes)?);
            let Some(room) = room.get_mut(begin..end) else { continue };
            let path = format!("{path}.{}", field.name);
            if let Some(value) = constant(resolver, field.doc, &field.shape) {
                let bytes = self.encode(resolver, &path, &value, &field.dtype, &field.shape)?;
                if bytes.len() == room.len() {
                    room.copy_from_slice(&bytes);
                }
            } else if let Dtype::Record(inner) = &field.dtype {
                let size = to_usize(inner.size)?.max(1);
                for room in room.chunks_exact_mut(size) {
                    self.constants(resolver, &path, inner, room)?;
                }
            }
        }
        Ok(())
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
