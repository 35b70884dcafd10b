//! The stored bytes of an array.

use dudley::model::Extent;

use crate::asdf::array::Array;
use crate::asdf::array::mask::Mask;
use crate::asdf::error::Result;

impl Array {
    /// Whether it has cells without a value in place of which nothing is stored: null in the tree.
    ///
    /// # Errors
    /// As [`Self::mask`].
    pub fn has_holes(&self) -> Result<bool> {
        for array in std::iter::once(self).chain(self.chunks()) {
            if matches!(array.mask()?, Some(Mask::Nulls(_))) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Its stored bytes: views may repeat elements. An array in chunks has the stored bytes of its chunks.
    ///
    /// # Errors
    /// As [`Self::stored_in`].
    pub fn extents(&self) -> Result<Vec<Extent>> {
        let mut chunks = self.chunks().peekable();
        if chunks.peek().is_some() {
            let each = chunks.map(Array::extents).collect::<Result<Vec<_>>>()?;
            return Ok(each.into_iter().flatten().collect());
        }
        Ok(vec![match self.stored_in()? {
            Some((file, block)) => {
                let home = std::ptr::from_ref(file.source()).cast::<()>() as usize;
                let bytes = block.compression().map_or_else(|| block.used(), |_| block.decoded);
                Extent { id: Some((home, block.index)), bytes }
            }
            // The tree holds it, or says of which chunks it is put together: of none perhaps.
            None => {
                let count = self.shape().iter().fold(1_u64, |n, dim| n.saturating_mul(*dim));
                let bytes = count.saturating_mul(self.datatype().size().unwrap_or(0));
                Extent { id: None, bytes: bytes.min(self.file().source().len()) }
            }
        }])
    }
}
