//! Elements where they are, converted when they are looked at.

use std::borrow::Cow;
use std::marker::PhantomData;

use dudley_parser::layout::dtype::ByteOrder;
use ndarray::{Dimension, NdIndex};

use super::handle::dimension;
use crate::bytes::source::{self, Source};
use crate::elements::element::Element;
use crate::error::{Error, Result};
use crate::read::data::Data;
use crate::read::stream::read_bytes;

/// An array of a stream, of any byte order, alignment and strides.
///
/// ```
/// use dudley::typed::Elements;
/// use dudley::ndarray::Ix1;
///
/// let stream = dudley::Open::new().layout_text("> a = u1  x = i2[2] %1")?.bytes([9, 0, 1, 1, 0])?;
/// let item = stream.get("/x")?;
/// let x = Elements::<i16, Ix1>::of(&item)?;
/// assert_eq!((x.get(1), x.get(2)), (Some(256), None));
/// assert_eq!(x.iter().collect::<Vec<_>>(), [1, 256]);
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Elements<'s, T, D> {
    /// From the address of the first element on; read, if they are not in memory.
    bytes: Cow<'s, [u8]>,
    /// Where element 0 of all is in them; strides may be negative.
    origin: usize,
    shape: D,
    strides: Vec<isize>,
    order: ByteOrder,
    element: PhantomData<T>,
}

impl<'s, T: Element, D: Dimension> Elements<'s, T, D> {
    /// The elements of an item of a stream. Of a file the bytes from the first to the last are read.
    ///
    /// # Errors
    /// [`Error::NoView`] for encoded elements; [`Error::WrongType`]; [`Error::WrongShape`] for
    /// other dimensions than `D`; if the item cannot be placed.
    pub fn of(item: &'s crate::Item) -> Result<Self> {
        Self::new(item.stream().source(), &item.data()?)
    }

    pub(super) fn new(source: &'s dyn Source, data: &Data) -> Result<Self> {
        let (region, order) = data.in_place::<T>()?;
        if D::NDIM.is_some_and(|rank| rank != data.shape().len()) {
            return Err(Error::wrong_shape(data.path(), &[], data.shape()));
        }
        let span = region.span();
        let (bytes, origin) = match (region.is_empty(), source.bytes()) {
            (true, _) => (Cow::Borrowed(&[][..]), 0),
            (false, all) => {
                let length = span.end - span.start;
                let bytes = match all {
                    Some(all) => Cow::Borrowed(source::slice(all, span.start, length)?),
                    None => Cow::Owned(read_bytes(source, span.start, length)?),
                };
                (bytes, crate::error::to_usize(data.address() - span.start)?)
            }
        };
        let strides = data.strides().iter().map(|stride| *stride as isize).collect();
        Ok(Self {
            bytes,
            origin,
            shape: dimension(data.shape())?,
            strides,
            order,
            element: PhantomData,
        })
    }

    /// Elements in each dimension.
    pub fn shape(&self) -> &[usize] {
        self.shape.slice()
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.shape.size()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The element of an index; `None` outside of the array.
    pub fn get(&self, index: impl NdIndex<D>) -> Option<T> {
        let mut strides = self.shape.clone();
        for (to, from) in strides.slice_mut().iter_mut().zip(&self.strides) {
            // Dimensions hold strides as `ndarray` does, wrapped.
            *to = *from as usize;
        }
        self.at(index.index_checked(&self.shape, &strides)?)
    }

    /// All of them, row-major.
    pub fn iter(&self) -> impl Iterator<Item = T> + use<'_, 's, T, D> {
        let rank = self.shape.ndim();
        let mut index = vec![0; rank];
        let mut offset = 0_isize;
        (0..self.len()).map_while(move |_| {
            let element = self.at(offset);
            for axis in (0..rank).rev() {
                index[axis] += 1;
                offset += self.strides[axis];
                if index[axis] < self.shape.slice()[axis] {
                    break;
                }
                offset -= self.strides[axis] * index[axis] as isize;
                index[axis] = 0;
            }
            element
        })
    }

    fn at(&self, offset: isize) -> Option<T> {
        let begin = self.origin.checked_add_signed(offset)?;
        let from = self.bytes.get(begin..begin.checked_add(T::SIZE)?)?;
        let mut bytes = T::Bytes::default();
        bytes.as_mut().copy_from_slice(from);
        Some(T::from_bytes(bytes, self.order))
    }
}
