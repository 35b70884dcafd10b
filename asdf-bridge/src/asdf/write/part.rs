//! Parts of arrays that are read, to be written as arrays of their own, with their masks.

use dudley::read::path::Part;
use dudley::{ByteOrder, Primitive};

use super::super::array::apart;
use super::super::array::mask::Mask;
use super::super::datatype::Datatype;
use super::super::error::Result;
use super::super::file::AsdfFile;
use super::yaml::array::{NewArray, NewMask};

impl AsdfFile {
    /// The part of an array at slices and fields, as a new array, with the same part of its mask. It is read when
    /// it is written, but the mask of an array is read now.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray, NewMask, Open};
    ///
    /// let mask = NewMask::Array(NewArray::from(vec![false, true, false]));
    /// let file = Builder::new().put("x", NewArray::from(vec![1, 2, 3]).masked(mask));
    /// let file = Open::new().bytes(file.to_bytes()?)?;
    /// let part = Builder::new().put("part", file.part("/x[1:]")?).to_bytes()?;
    /// let mask = Open::new().bytes(part)?.array("/part")?.masked()?.expect("it has one");
    /// assert_eq!(mask.as_slice(), Some(&[true, false][..]));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::array`] and [`NewArray::data`]; what slicing and reading the mask say.
    pub fn part(&self, path: &str) -> Result<NewArray<'static>> {
        let (item, parts) = self.follow(path)?;
        let array = item.array()?;
        let whole = !parts.iter().any(|part| matches!(part, Part::Field(_)));
        let number = match array.mask()? {
            Some(Mask::Nan) if whole => Some(NewMask::Nan),
            Some(Mask::Int(value)) if whole => Some(NewMask::Int(value)),
            Some(Mask::Number(re, im)) if whole => Some(NewMask::Number(re, im)),
            _ => None,
        };
        let (data, missing) = match number {
            Some(_) => (apart(array.data()?, &parts)?, None),
            None => array.part(&parts)?,
        };
        let part = NewArray::data(&data)?;
        let mask = match missing {
            Some(missing) => {
                let datatype = if missing.is_of_structs() {
                    part.datatype().mask()
                } else {
                    Datatype::Number(Primitive::B1, ByteOrder::Little)
                };
                Some(NewMask::Array(NewArray::raw(datatype, part.shape(), missing.bytes())?))
            }
            None => number,
        };
        Ok(match mask {
            Some(mask) => part.masked(mask),
            None => part,
        })
    }
}
