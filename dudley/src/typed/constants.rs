//! The bytes of records whose only legal value the layout states (spec 7.3).

use dudley_parser::layout::dtype::ByteOrder;
use ndarray::ArrayViewD;

use crate::elements::record::{Bytes, Record, encode_block};
use crate::error::{Context, Result};
use crate::read::constant::Stated;
use crate::read::data::Data;
use crate::read::dtype::{self, Dtype, Field};
use crate::read::stream::Stream;
use crate::read::stream::decode::check_field;

/// The constant fields of a record type: mostly none.
pub(super) struct Constants {
    fields: Vec<Constant>,
}

struct Constant {
    /// Bytes from the start of the record.
    offset: usize,
    bytes: Vec<u8>,
    /// The field, and bytes from the start of the record to that of what holds it.
    field: Field,
    base: u64,
}

impl Constants {
    /// Those of a record type.
    pub(super) fn of(stream: &Stream, record: &dtype::Record) -> Result<Constants> {
        let mut constants = Constants { fields: Vec::new() };
        constants.collect(stream, record, 0)?;
        Ok(constants)
    }

    fn collect(&mut self, stream: &Stream, record: &dtype::Record, base: u64) -> Result<()> {
        let layout = stream.layout();
        for field in record.fields.iter().filter(|field| !field.is_fixed(layout)) {
            if field.constant(layout).is_some() {
                self.push(stream, field, base)?;
            } else if let Dtype::Record(inner) = &field.dtype {
                // Most records have no constant at all: look once before going through an array.
                if has_any(stream, inner) {
                    for at in (0..field.bytes).step_by(inner.size.max(1) as usize) {
                        self.collect(stream, inner, base + field.offset + at)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn push(&mut self, stream: &Stream, field: &Field, base: u64) -> Result<()> {
        let Some(stated) = Stated::of_field(stream.layout(), field, 0) else { return Ok(()) };
        let bytes = stated.bytes(&field.dtype, field.given()).of_item(&field.name)?;
        let bytes = field.stored(bytes)?;
        let offset = crate::error::to_usize(base + field.offset)?;
        self.fields.push(Constant { offset, bytes, field: field.clone(), base });
        Ok(())
    }

    /// Checks whole records; `first` is the index of the first among all, row-major.
    pub(super) fn check(&self, data: &Data, records: &[u8], first: u64) -> Result<()> {
        let Some(size) = data.dtype().size().filter(|size| *size > 0) else { return Ok(()) };
        for constant in &self.fields {
            let end = constant.offset + constant.bytes.len();
            for (at, record) in records.chunks_exact(size as usize).enumerate() {
                if record.get(constant.offset..end) != Some(&constant.bytes) {
                    // Other bytes may mean the same, such as other padding of a text.
                    let begin = data.address_of(first + at as u64);
                    let offset = constant.base + constant.field.offset;
                    check_field(&data.stream, &constant.field, &record, offset)
                        .map_err(|error| error.map_address(|it| it + begin))
                        .of_item(data.path())?;
                }
            }
        }
        Ok(())
    }

    /// Puts the constants into records.
    pub(super) fn fill(&self, records: &mut [u8], size: usize) {
        for constant in &self.fields {
            let end = constant.offset + constant.bytes.len();
            for record in records.chunks_exact_mut(size.max(1)) {
                if let Some(to) = record.get_mut(constant.offset..end) {
                    to.copy_from_slice(&constant.bytes);
                }
            }
        }
    }
}

fn has_any(stream: &Stream, record: &dtype::Record) -> bool {
    record.fields.iter().any(|field| {
        field.constant(stream.layout()).is_some()
            || matches!(&field.dtype, Dtype::Record(inner) if has_any(stream, inner))
    })
}

/// Encodes records, in blocks.
pub(super) fn encode<R: Record>(
    records: &ArrayViewD<'_, R>,
    order: ByteOrder,
    constants: &Constants,
    put: &mut dyn FnMut(&[u8]) -> Result<()>,
) -> Result<()> {
    /// Bytes encoded at a time.
    const BLOCK: usize = 256 << 10;
    let size = R::Bytes::LEN;
    let block = (BLOCK / size.max(1)).max(1);
    // Each record of a block writes where those of the blocks before did: gaps stay 0.
    let mut room = vec![0; size * block.min(records.len())];
    let mut left = records.iter();
    let rows = records.as_slice();
    for start in (0..records.len()).step_by(block) {
        let count = block.min(records.len() - start);
        let bytes = &mut room[..count * size];
        match rows {
            Some(rows) => encode_block(bytes, rows[start..start + count].iter(), order),
            None => encode_block(bytes, left.by_ref(), order),
        }
        constants.fill(bytes, size);
        put(bytes)?;
    }
    Ok(())
}
