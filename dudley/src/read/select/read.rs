//! Elements at a path: in a new array, or in a buffer of the caller.

use ndarray::{ArrayD, IxDyn};

use super::{Picked, Selected};
use crate::bytes::region::Region;
use crate::elements::convert::{Conversion, Convert, convert_slice};
use crate::elements::element::{ByteOrder, Element, Primitive};
use crate::elements::{buffer, load};
use crate::error::{Context, Error, Result, to_usize};
use crate::read::data::Data;
use crate::read::dtype::Dtype;

impl Selected {
    /// The number of elements.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("l [/ x = u1[2]]*3")?.raw().bytes([0; 6])?;
    /// assert_eq!(stream.select("/l[:]/x[0]")?.len()?, 3);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`] if 64 bits cannot count them.
    pub fn len(&self) -> Result<u64> {
        let shape = self.shape();
        if shape.contains(&0) {
            return Ok(0);
        }
        let len = shape.iter().try_fold(1_u64, |len, dim| len.checked_mul(*dim));
        len.ok_or_else(|| Error::too_large(u64::MAX))
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1[2]")?.raw().bytes([7, 8])?;
    /// assert!(stream.select("/x[2:]")?.is_empty());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.shape().contains(&0)
    }

    /// All elements, in a new array, the stacked dimensions in front. Parts that lie near each other
    /// are read together, and many or large ones by several threads.
    ///
    /// ```
    /// let open = dudley::Open::new().layout_text("r [/ n : u1  t = u1[n]  x = >u2[2]]*2")?;
    /// let stream = open.bytes([1, 9, 0, 1, 0, 2, 1, 9, 0, 3, 0, 4])?;
    /// let x = stream.select("/r[:]/x")?.read::<u16>()?;
    /// assert_eq!(x, dudley::ndarray::array![[1, 2], [3, 4]].into_dyn());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Data::read`]; [`Error::NotPrimitive`] if there are no elements of one type.
    pub fn read<T: Element>(&self) -> Result<ArrayD<T>> {
        if let Some(data) = self.data() {
            return data.read();
        }
        let len = self.checked_len::<T>()?;
        let mut elements = buffer::zeros(len)?;
        self.read_checked(&mut elements)?;
        self.shaped(elements)
    }

    /// All elements into a caller's buffer, which must have as many.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("l [/ x = u1]*3")?.raw().bytes([1, 2, 3])?;
    /// let mut buffer = [0_u8; 3];
    /// stream.select("/l[:]/x")?.read_into(&mut buffer)?;
    /// assert_eq!(buffer, [1, 2, 3]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::read`]; [`Error::WrongLength`] for a buffer of another length (in bytes).
    pub fn read_into<T: Element>(&self, buffer: &mut [T]) -> Result<()> {
        if let Some(data) = self.data() {
            return data.read_into(buffer);
        }
        let len = self.checked_len::<T>()?;
        if len != buffer.len() as u64 {
            let expected = len.saturating_mul(T::SIZE as u64);
            return Err(Error::wrong_length(expected, size_of_val(buffer) as u64));
        }
        self.read_checked(buffer)
    }

    /// All elements, converted to `T`: losslessly where every value fits, or as the rule says.
    ///
    /// ```
    /// use dudley::elements::Conversion;
    ///
    /// let stream = dudley::Open::new().layout_text("l [/ x = u1]*3")?.raw().bytes([1, 2, 3])?;
    /// let x = stream.select("/l[:]/x")?.read_as::<f64>(Conversion::Lossless)?;
    /// assert_eq!(x.sum(), 6.0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::read`]; [`Error::LossyConversion`].
    pub fn read_as<T: Convert>(&self, rule: Conversion) -> Result<ArrayD<T>> {
        if let Some(data) = self.data() {
            return data.read_as(rule);
        }
        let mut elements = Vec::new();
        for part in &self.parts {
            let (mut part, _) = part.read_as(rule)?.into_raw_vec_and_offset();
            elements.append(&mut part);
        }
        self.shaped(elements)
    }

    /// How many elements there are, if they are of type `T` and all there.
    fn checked_len<T: Element>(&self) -> Result<u64> {
        for part in &self.parts {
            match part {
                Picked::Data(data) => {
                    data.primitive_of::<T>()?;
                    data.check_there()?;
                }
                value => T::check(value.primitive()?.0)?,
            }
        }
        self.len()
    }

    fn read_checked<T: Element>(&self, buffer: &mut [T]) -> Result<()> {
        if let Some((first, regions)) = self.plain()? {
            let (_, order) = first.primitive_of::<T>()?;
            let stream = &first.stream;
            load::all_into(&stream.work, stream.source(), &regions, order, buffer)
                .of_item(first.path())?;
            return self.parts.iter().try_for_each(|part| match part {
                Picked::Data(data) => data.check_constants(),
                Picked::Value { .. } => Ok(()),
            });
        }
        let mut rest = buffer;
        for part in &self.parts {
            let len = to_usize(part.len()?)?;
            let found = rest.len();
            let wrong = || Error::wrong_length((found * T::SIZE) as u64, (len * T::SIZE) as u64);
            let (here, after) =
                std::mem::take(&mut rest).split_at_mut_checked(len).ok_or_else(wrong)?;
            rest = after;
            match part {
                Picked::Data(data) => data.read_into(here)?,
                value => T::decode_slice(&value.bytes()?, value.primitive()?.1, here)?,
            }
        }
        Ok(())
    }

    /// The first part and where the elements of all are, if all can be read as they are in the stream.
    fn plain(&self) -> Result<Option<(&Data, Vec<Region>)>> {
        let mut regions = Vec::with_capacity(self.parts.len());
        for part in &self.parts {
            match part {
                Picked::Data(data) if data.filter.is_none() && data.decoded.is_none() => {
                    regions.push(data.region()?);
                }
                _ => return Ok(None),
            }
        }
        match self.parts.first() {
            Some(Picked::Data(first)) => Ok(Some((first, regions))),
            _ => Ok(None),
        }
    }

    fn shaped<T>(&self, elements: Vec<T>) -> Result<ArrayD<T>> {
        let shape = self.shape();
        let found = [elements.len() as u64];
        let dims = shape.iter().map(|dim| to_usize(*dim)).collect::<Result<Vec<usize>>>()?;
        ArrayD::from_shape_vec(IxDyn(&dims), elements)
            .map_err(|_| Error::wrong_shape("", &shape, &found))
    }
}

impl Picked {
    fn len(&self) -> Result<u64> {
        match self {
            Picked::Data(data) => data.len(),
            value => {
                let shape = value.shape();
                let len = shape.iter().try_fold(1_u64, |len, dim| len.checked_mul(*dim));
                len.ok_or_else(|| Error::too_large(u64::MAX))
            }
        }
    }

    fn primitive(&self) -> Result<(Primitive, ByteOrder)> {
        match self.dtype() {
            Some(Dtype::Primitive(primitive, order)) => Ok((*primitive, *order)),
            _ => Err(Error::NotPrimitive { path: Box::default(), found: "struct".into() }),
        }
    }

    /// The bytes of all elements.
    fn bytes(&self) -> Result<Vec<u8>> {
        let none = || Error::NotPrimitive { path: Box::default(), found: "struct".into() };
        self.raw()?.ok_or_else(none)
    }

    fn read_as<T: Convert>(&self, rule: Conversion) -> Result<ArrayD<T>> {
        match self {
            Picked::Data(data) => data.read_as(rule),
            value => {
                let (primitive, order) = value.primitive()?;
                let bytes = value.bytes()?;
                let mut elements = buffer::zeros(bytes.len() as u64 / primitive.size())?;
                convert_slice(primitive, order, &bytes, &mut elements, rule)?;
                Ok(ndarray::Array1::from_vec(elements).into_dyn())
            }
        }
    }
}
