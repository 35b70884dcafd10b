//! What can be read of an array that cannot be read whole: its first rows.

use std::sync::Arc;

use dudley::source::Source as Bytes;
use dudley::strided::Region;

use super::super::array::{Array, Place, of_file, strides};
use super::super::error::Result;
use super::super::ndarray::{Source, Stored};
use super::array::NewArray;

impl Array {
    /// The first rows, as many as can be read, of an array whose block is cut off or damaged: those are the
    /// indices of its first dimension. None if there is no whole one, if the array has no dimensions, or if it is
    /// not in a block of the file. What is stored uncompressed is read when it is written; of compressed data,
    /// those that can be decompressed are in memory.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray, Open};
    ///
    /// let x = NewArray::from(vec![1_i64, 2, 3, 4]);
    /// let mut bytes = Builder::new().put("x", x).index(false).to_bytes()?;
    /// bytes.truncate(bytes.len() - 12);
    /// let file = Open::new().bytes(bytes)?;
    /// assert!(file.array("/x")?.read::<i64>().is_err());
    ///
    /// let rows = file.array("/x")?.first_rows()?.expect("two of four");
    /// assert_eq!(rows.shape(), [2]);
    /// let file = Open::new().bytes(Builder::new().put("x", rows).to_bytes()?)?;
    /// assert_eq!(file.array("/x")?.read::<i64>()?.as_slice(), Some(&[1, 2][..]));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Block`](super::super::Error::Block) if the block has no header that can be read;
    /// [`Error::Engine`](super::super::Error::Engine) if the file cannot be read.
    pub fn first_rows(&self) -> Result<Option<NewArray<'static>>> {
        let (Some(stored), Some(Source::Block(index))) = (self.stored(), self.source()) else {
            return Ok(None);
        };
        let file = self.file();
        let block = file.block(*index)?;
        let there = file.source().len().saturating_sub(block.data.start).min(block.used());
        let (source, start, bytes): (Arc<dyn Bytes>, u64, u64) = match block.compression() {
            None => (file.elements(*index)?.source, block.data.start, there),
            Some(_) => {
                let bytes = file.decoded_start(&block, there)?;
                let length = bytes.len() as u64;
                (Arc::new(bytes), 0, length)
            }
        };
        let Some(rows) = self.rows_in(stored, bytes)? else { return Ok(None) };
        let mut shape = self.shape().to_vec();
        shape[0] = rows;
        let strides = strides(stored, self.shape())?;
        let address = start.saturating_add(stored.offset);
        let place = Place { address, shape: &shape, strides: &strides };
        let data = of_file(file, source, self.datatype(), &place, self.path())?;
        Ok(Some(NewArray::new(Arc::new(data), self.datatype().clone(), shape)))
    }

    /// How many rows are within the first bytes of a block; none if not one is.
    fn rows_in(&self, stored: &Stored, bytes: u64) -> Result<Option<u64>> {
        let (Some(all), Some(size)) = (self.shape().first(), self.datatype().size()) else {
            return Ok(None);
        };
        let strides = strides(stored, self.shape())?;
        let mut shape = self.shape().to_vec();
        let (mut least, mut most) = (0, *all);
        while least < most {
            let rows = least + (most - least).div_ceil(2);
            shape[0] = rows;
            let region = Region::new(stored.offset, &shape, &strides, size);
            match region.is_ok_and(|region| region.span().end <= bytes) {
                true => least = rows,
                false => most = rows - 1,
            }
        }
        Ok((least > 0 && size > 0).then_some(least))
    }
}
