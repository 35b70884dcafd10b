//! Records of which the members are given one by one, as items of their dict (spec 3.10).

use dudley_parser::layout::ArrayId;
use dudley_parser::resolve::{Resolver, Strided};

use super::Payload;
use super::writing::Writing;
use crate::bytes::region::Region;
use crate::elements::buffer::zeros;
use crate::elements::scatter::scatter;
use crate::error::{Context, Error, Result};
use crate::read::constant::Stated;
use crate::read::dtype::{Field, Record, strides};
use crate::read::path::sibling;

impl Writing<'_, '_> {
    /// The records of which the members were given one by one.
    pub(super) fn spliced(
        &mut self,
        resolver: &mut Resolver<'_>,
        path: &str,
        id: ArrayId,
        record: &Record,
        shape: &[u64],
    ) -> Result<Vec<u8>> {
        let elements = shape.iter().try_fold(1_u64, |count, dim| count.checked_mul(*dim));
        let elements = if shape.contains(&0) { Some(0) } else { elements };
        let bytes = elements.and_then(|count| count.checked_mul(record.size));
        let mut room = zeros(bytes.ok_or_else(|| Error::too_large(u64::MAX))?)?;
        let outer = strides(shape, record.size);
        let layout = self.pass.layout;
        let params = |resolver: &mut Resolver<'_>, field: &Field| {
            let arrays = [Some(id), field.array].into_iter().flatten();
            arrays.flat_map(|id| resolver.shape_params(&layout[id])).collect()
        };
        for field in &record.fields {
            if field.is_fixed(self.pass.layout) {
                continue;
            }
            let path = sibling(path, &field.name);
            let size = field.dtype.size().unwrap_or(0);
            let Strided { shape: own, strides, first } =
                field.presented.written(&field.shape, size);
            let whole = [shape, &own].concat();
            let steps = [&outer[..], &strides].concat();
            let packed = match self.member(resolver, &path, field, &whole) {
                Err(Error::Missing { paths }) => {
                    self.pass.missing.extend(paths);
                    continue;
                }
                packed => packed.map_err(|error| error.of_params(|| params(resolver, field)))?,
            };
            if packed.is_empty() {
                continue;
            }
            let region = Region::new(field.offset.saturating_add(first), &whole, &steps, size)?;
            scatter(&packed, &region, &mut room).map_err(|error| error.of_item(&path))?;
        }
        Ok(room)
    }

    /// All elements of a member, side by side.
    fn member(
        &mut self,
        resolver: &mut Resolver<'_>,
        path: &str,
        field: &Field,
        shape: &[u64],
    ) -> Result<Vec<u8>> {
        // A typed writer writes these records as a whole, and in no other way.
        let structs = shape.len() - field.given().len();
        let stated = Stated::of_field(self.pass.layout, field, structs);
        let payload = self.payload(resolver, path, (field.doc, stated), &field.dtype, shape);
        payload.and_then(Payload::bytes).of_item(path)
    }
}
