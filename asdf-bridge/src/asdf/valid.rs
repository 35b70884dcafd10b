//! Masked arrays without what has no value: for statistics, and to be compared.

use std::sync::Arc;

use dudley::ndarray::ArrayD;
use dudley::{ByteOrder, Data, Primitive};

use super::array::{Array, Place, of_file, packed};
use super::datatype::Datatype;
use super::error::Result;

impl Array {
    /// The elements that have a value, one after the other; if it has no mask, all as they are.
    ///
    /// ```
    /// use asdf_bridge::asdf::Open;
    ///
    /// let tree = "a: !core/ndarray-1.1.0 {data: [1, 7, 3], datatype: int8, mask: 7}";
    /// let text = format!("#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n---\n{tree}\n...\n");
    /// let array = Open::new().bytes(text)?.array("/a")?;
    /// assert_eq!(array.unmasked()?.read::<i8>()?.as_slice(), Some(&[1, 3][..]));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::data`] and [`Self::masked`].
    pub fn unmasked(&self) -> Result<Data> {
        let data = self.data()?;
        let Some(mask) = self.mask()? else { return Ok(data) };
        let masked = mask.of(&data, self.shape())?;
        let raw = data.raw()?;
        let size = self.datatype().size().unwrap_or(1).max(1) as usize;
        let there = raw.chunks_exact(size).zip(&masked).filter(|(_, masked)| !**masked);
        let bytes: Vec<u8> = there.flat_map(|(element, _)| element).copied().collect();
        let count = (bytes.len() / size) as u64;
        self.in_memory(bytes, &[count])
    }

    /// The array with zeros in the place of some elements: those where `masked`, which is of its shape,
    /// says so.
    ///
    /// # Errors
    /// As [`Self::data`]; [`dudley::Error::WrongShape`].
    pub fn zeroed(&self, masked: &ArrayD<bool>) -> Result<Data> {
        let data = self.data()?;
        let shape: Vec<u64> = masked.shape().iter().map(|dim| *dim as u64).collect();
        if shape != self.shape() {
            return Err(dudley::Error::wrong_shape(self.path(), self.shape(), &shape).into());
        }
        let mut raw = data.raw()?;
        let size = self.datatype().size().unwrap_or(1).max(1) as usize;
        for (element, masked) in raw.chunks_exact_mut(size).zip(masked) {
            if *masked {
                element.fill(0);
            }
        }
        self.in_memory(raw, self.shape())
    }

    /// What is said of each element, as an array of its shape.
    ///
    /// # Errors
    /// [`dudley::Error::WrongShape`] when read, if it is of another shape.
    pub fn booleans(&self, of_each: &ArrayD<bool>) -> Result<Data> {
        let datatype = Datatype::Number(Primitive::B1, ByteOrder::Little);
        let bytes = of_each.iter().map(|masked| u8::from(*masked)).collect();
        let strides = packed(self.shape(), datatype.size())?;
        let place = Place { address: 0, shape: self.shape(), strides: &strides };
        let of = (&datatype, &*datatype.spell(&[]));
        of_file(self.file(), Arc::<Vec<u8>>::new(bytes), of, &place, self.path())
    }

    fn in_memory(&self, bytes: Vec<u8>, shape: &[u64]) -> Result<Data> {
        let strides = packed(shape, self.datatype().size())?;
        let place = Place { address: 0, shape, strides: &strides };
        self.in_file(Arc::new(bytes), &place)
    }
}
