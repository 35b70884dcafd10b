//! The records of a new netCDF-3 file: variables with a part in each record, which are joined while they are read.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use dudley::bytes::Source;
use dudley::numpy::ArraySource;
use dudley::read::Parts;
use dudley::write::Typed;
use dudley::{ByteOrder, Dtype, Error, Primitive, Result};

/// The bytes of records that are joined at a time: at least one record.
const GROUP: u64 = 1 << 20;

/// A variable with a part in each record.
struct Column {
    /// The offset of its part in a record, and the bytes of the part.
    offset: u64,
    bytes: u64,
    primitive: Primitive,
    source: ArraySource,
}

/// All records, one after the other.
pub(super) struct Records {
    columns: Vec<Column>,
    /// Bytes of a record.
    bytes: u64,
    count: u64,
    /// The records that were joined last: the number of the first, and their bytes.
    group: Mutex<(u64, Vec<u8>)>,
}

impl Records {
    /// Records without variables.
    pub(super) fn new(count: u64) -> Records {
        Records { columns: Vec::new(), bytes: 0, count, group: Mutex::default() }
    }

    /// Adds a variable behind the others: an array whose first dimension counts records, as elements of a type.
    ///
    /// # Errors
    /// If elements that cannot be read record by record cannot be read.
    pub(super) fn add(
        &mut self,
        primitive: Primitive,
        bytes: u64,
        source: ArraySource,
    ) -> Result<()> {
        let source = match source.rows(primitive) {
            Some(_) => source,
            None => {
                let mut all = Vec::new();
                source.check(primitive)?;
                source.encode(primitive, ByteOrder::Big, &mut |block| {
                    all.extend_from_slice(block);
                    Ok(())
                })?;
                let dtype = Dtype::Primitive(primitive, ByteOrder::Big);
                Parts::new(dtype, &source.shape()).data(all)?.into()
            }
        };
        self.columns.push(Column { offset: self.bytes, bytes, primitive, source });
        self.bytes = self.bytes.saturating_add(bytes).saturating_add(3) & !3;
        Ok(())
    }

    /// The bytes of some records.
    fn made(&self, records: Range<u64>) -> Result<Vec<u8>> {
        let too_large = || Error::TooLarge { item: Default::default(), size: self.bytes };
        let (record, count) = (self.bytes, records.end - records.start);
        let size = record.checked_mul(count).and_then(|size| usize::try_from(size).ok());
        let mut made = vec![0; size.ok_or_else(too_large)?];
        for column in self.columns.iter().filter(|column| column.bytes > 0) {
            let Some(rows) = column.source.rows(column.primitive) else { continue };
            // Bytes of the column that were handed out so far.
            let mut done = 0;
            let mut put = |mut block: &[u8]| {
                while !block.is_empty() {
                    let (row, within) = (done / column.bytes, done % column.bytes);
                    let length = block.len().min((column.bytes - within) as usize);
                    let to = (row * record + column.offset + within) as usize;
                    let there = made.get_mut(to..to + length).ok_or_else(too_large)?;
                    there.copy_from_slice(&block[..length]);
                    block = &block[length..];
                    done += length as u64;
                }
                Ok(())
            };
            rows.encode_rows(records.clone(), column.primitive, ByteOrder::Big, &mut put)?;
        }
        Ok(made)
    }
}

impl Source for Records {
    fn len(&self) -> u64 {
        self.bytes.saturating_mul(self.count)
    }

    fn read_at(&self, mut address: u64, mut buf: &mut [u8]) -> Result<()> {
        if address.saturating_add(buf.len() as u64) > self.len() {
            return Err(Error::truncated(
                address,
                buf.len() as u64,
                self.len().saturating_sub(address),
            ));
        }
        let mut group = self.group.lock().unwrap_or_else(PoisonError::into_inner);
        while !buf.is_empty() {
            let begin = group.0 * self.bytes;
            let there = address.checked_sub(begin).and_then(|at| group.1.get(at as usize..));
            match there.filter(|there| !there.is_empty()) {
                Some(there) => {
                    let length = there.len().min(buf.len());
                    let (now, later) = buf.split_at_mut(length);
                    now.copy_from_slice(&there[..length]);
                    (address, buf) = (address + length as u64, later);
                }
                None => {
                    let first = address / self.bytes;
                    let count = (GROUP / self.bytes).max(1).min(self.count - first);
                    *group = (first, self.made(first..first + count)?);
                }
            }
        }
        Ok(())
    }
}
