//! Arrays and scalars of elements: read, borrowed, sliced, written.

use std::marker::PhantomData;

use ndarray::{ArrayD, ArrayView, Dimension, Ix0, RemoveAxis, SliceArg};

use super::handle::{described, dimension, rank};
use super::mode::Reading;
use super::slice::{indices, sliced_shape};
use super::view::Elements;
use super::writable::Writable;
use crate::create::writing::Writing;
use crate::elements::convert::{Conversion, Convert};
use crate::elements::element::Element;
use crate::encode::input::{self, One};
use crate::error::{Error, Result};
use crate::typed::Handle;

/// An array of elements of type `T` with the dimensions of `D`; in [`Reading`] mode it can be read,
/// in [`Writing`] mode written, and in each it is known where it lies.
///
/// ```
/// dudley::layout!(mod run = "N : i8  rho = f8[N]  time = f8");
///
/// # fn main() -> dudley::Result<()> {
/// let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params { n: 3 })?;
/// writer.time().write(0.5)?;
/// writer.rho().write_slice(&[1.0, 2.0, 4.0])?;
/// let reader = run::Reader::from_source(writer.finish_bytes()?)?;
/// assert_eq!(reader.rho().read()?.sum(), 7.0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Array<T, D, M = Reading> {
    at: Handle<M>,
    kind: PhantomData<fn() -> (T, D)>,
}

described! { T: Element, D: Dimension; Array rank::<D>() }

/// One element of type `T`.
///
/// ```
/// dudley::layout!(mod run = "N : i8  rho = f8[N]  time = f8");
///
/// # fn main() -> dudley::Result<()> {
/// let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params { n: 3 })?;
/// writer.time().write(0.5)?;
/// writer.rho().write_slice(&[1.0, 2.0, 4.0])?;
/// let reader = run::Reader::from_source(writer.finish_bytes()?)?;
/// assert_eq!(reader.time().read()?, 0.5);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Scalar<T, M = Reading> {
    at: Handle<M>,
    kind: PhantomData<fn() -> T>,
}

described! { T: Element; Scalar Some(0) }

impl<T: Element> Scalar<T, Reading> {
    /// Its value.
    ///
    /// ```
    /// dudley::layout!(mod run = "N : i8  rho = f8[N]  time = f8");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params { n: 3 })?;
    /// # writer.time().write(0.5)?;
    /// # writer.rho().write_slice(&[1.0, 2.0, 4.0])?;
    /// let reader = run::Reader::from_source(writer.finish_bytes()?)?;
    /// assert_eq!(reader.time().read()?, 0.5);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If it cannot be placed or read.
    pub fn read(&self) -> Result<T> {
        self.data()?.scalar()
    }
}

impl<T: Element> Scalar<T, Writing> {
    /// Writes it.
    ///
    /// ```
    /// dudley::layout!(mod run = "N : i8  rho = f8[N]  time = f8");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params { n: 3 })?;
    /// writer.time().write(0.5)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If it cannot be placed or written.
    pub fn write(&self, value: T) -> Result<()> {
        self.at.put_typed(&One(value))
    }
}

impl<T: Element, D: Dimension> Array<T, D, Reading> {
    /// All elements, in a new array.
    ///
    /// ```
    /// dudley::layout!(mod run = "N : i8  rho = f8[N]  time = f8");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params { n: 3 })?;
    /// # writer.time().write(0.5)?;
    /// # writer.rho().write_slice(&[1.0, 2.0, 4.0])?;
    /// let reader = run::Reader::from_source(writer.finish_bytes()?)?;
    /// assert_eq!(reader.rho().read()?.to_vec(), [1.0, 2.0, 4.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If it cannot be placed or read; [`Error::WrongValue`] if a param of -1 has removed a
    /// dimension (see [`Self::read_dyn`]); [`Error::TooLarge`].
    pub fn read(&self) -> Result<ndarray::Array<T, D>> {
        shaped(self.path(), self.data()?.read()?)
    }

    /// All elements with the actual dimensions: dimensions of -1 are removed.
    ///
    /// ```
    /// dudley::layout!(mod run = "N : i8  rho = f8[N]  time = f8");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params { n: 3 })?;
    /// # writer.time().write(0.5)?;
    /// # writer.rho().write_slice(&[1.0, 2.0, 4.0])?;
    /// let reader = run::Reader::from_source(writer.finish_bytes()?)?;
    /// assert_eq!(reader.rho().read_dyn()?.ndim(), 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If it cannot be placed or read; [`Error::TooLarge`].
    pub fn read_dyn(&self) -> Result<ArrayD<T>> {
        self.item()?.read()
    }

    /// All elements, converted to `U`: losslessly where every value fits, or as the rule says.
    ///
    /// ```
    /// dudley::layout!(mod run = "N : i8  rho = f8[N]  time = f8");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params { n: 3 })?;
    /// # writer.time().write(0.5)?;
    /// # writer.rho().write_slice(&[1.0, 2.0, 4.0])?;
    /// let reader = run::Reader::from_source(writer.finish_bytes()?)?;
    /// let rho = reader.rho().read_as::<f32>(dudley::elements::Conversion::Lossy)?;
    /// assert_eq!(rho.sum(), 7.0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Self::read`]; [`Error::LossyConversion`].
    pub fn read_as<U: Convert>(&self, rule: Conversion) -> Result<ndarray::Array<U, D>> {
        shaped(self.path(), self.data()?.read_as(rule)?)
    }

    /// All elements, row-major, into a buffer that has as many.
    ///
    /// ```
    /// dudley::layout!(mod run = "N : i8  rho = f8[N]  time = f8");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params { n: 3 })?;
    /// # writer.time().write(0.5)?;
    /// # writer.rho().write_slice(&[1.0, 2.0, 4.0])?;
    /// let reader = run::Reader::from_source(writer.finish_bytes()?)?;
    /// let mut buffer = [0.0; 3];
    /// reader.rho().read_into(&mut buffer)?;
    /// assert_eq!(buffer, [1.0, 2.0, 4.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Self::read`]; [`Error::WrongLength`] (in bytes) for a buffer of another length.
    pub fn read_into(&self, buffer: &mut [T]) -> Result<()> {
        self.data()?.read_into(buffer)
    }

    /// The elements in place: they must be in the byte order of the machine, and contiguous. In memory, or a
    /// [map](crate::bytes::map::MapSource), nothing is copied. Elements of a file are read the first time, and kept
    /// while this item lives. The view borrows from this item, so keep it: `let rho = reader.rho(); let view =
    /// rho.view()?;`
    ///
    /// # Errors
    /// As [`Self::read`]; [`Error::NoView`] where they are not as they are needed, or not aligned in memory (see
    /// [`Self::elements`]).
    pub fn view(&self) -> Result<ArrayView<'_, T, D>> {
        let data = self.data()?;
        let no_view = || Error::NoView { path: self.path().into() };
        let (region, order) = data.in_place::<T>()?;
        if !region.is_contiguous() {
            return Err(no_view());
        }
        let stream = self.item()?.stream();
        let bytes = self.at.kept.bytes(&stream.work, stream.source(), &region);
        let bytes = bytes.map_err(|error| error.of_item(self.path()))?;
        let elements = T::view(bytes, order).ok_or_else(no_view)?;
        let shape = dimension::<D>(data.shape())?;
        ArrayView::from_shape(shape, elements).map_err(|_| no_view())
    }

    /// The elements in place, of any byte order and alignment: each element is converted at its
    /// use. Of a file, the bytes from the first to the last element are read.
    ///
    /// ```
    /// dudley::layout!(mod run = "N : i8  rho = f8[N]  time = f8");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params { n: 3 })?;
    /// # writer.time().write(0.5)?;
    /// # writer.rho().write_slice(&[1.0, 2.0, 4.0])?;
    /// let reader = run::Reader::from_source(writer.finish_bytes()?)?;
    /// let rho = reader.rho();
    /// assert_eq!(rho.elements()?.get(2), Some(4.0));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Self::read`]; [`Error::NoView`] for a filtered item.
    pub fn elements(&self) -> Result<Elements<'_, T, D>> {
        Elements::new(self.item()?.stream().source(), &self.data()?)
    }

    /// A part, as [`ndarray::s!`] says it: only its bytes are read.
    ///
    /// ```
    /// dudley::layout!(mod run = "N : i8  rho = f8[N]  time = f8");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params { n: 3 })?;
    /// # writer.time().write(0.5)?;
    /// # writer.rho().write_slice(&[1.0, 2.0, 4.0])?;
    /// let reader = run::Reader::from_source(writer.finish_bytes()?)?;
    /// assert_eq!(reader.rho().slice(dudley::ndarray::s![1..])?.sum(), 6.0);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Self::read`]; [`Error::BadSlice`] for an index outside of the array.
    pub fn slice<I: SliceArg<D>>(&self, slice: I) -> Result<ndarray::Array<T, I::OutDim>> {
        let data = self.data()?;
        let indices =
            indices(slice.as_ref(), data.shape()).map_err(|it| it.of_item(self.path()))?;
        let part = data.slice(&indices)?;
        let shape = dimension::<I::OutDim>(&sliced_shape(slice.as_ref(), part.shape()))?;
        let (elements, _) = part.read::<T>()?.into_raw_vec_and_offset();
        from_vec(self.path(), shape, elements)
    }

    /// A part, row-major into a buffer that has as many elements.
    ///
    /// ```
    /// dudley::layout!(mod run = "N : i8  rho = f8[N]  time = f8");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params { n: 3 })?;
    /// # writer.time().write(0.5)?;
    /// # writer.rho().write_slice(&[1.0, 2.0, 4.0])?;
    /// let reader = run::Reader::from_source(writer.finish_bytes()?)?;
    /// let mut buffer = [0.0; 2];
    /// reader.rho().slice_into(dudley::ndarray::s![1..], &mut buffer)?;
    /// assert_eq!(buffer, [2.0, 4.0]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Self::slice`]; [`Error::WrongLength`] (in bytes) for a buffer of another length.
    pub fn slice_into<I: SliceArg<D>>(&self, slice: I, buffer: &mut [T]) -> Result<()> {
        let data = self.data()?;
        let indices =
            indices(slice.as_ref(), data.shape()).map_err(|it| it.of_item(self.path()))?;
        data.slice(&indices)?.read_into(buffer)
    }
}

impl<T: Element, D: Dimension> Array<T, D, Writing> {
    /// Writes all elements: of an array, or of a `Vec` or slice where there is one dimension.
    ///
    /// ```
    /// dudley::layout!(mod run = "N : i8  rho = f8[N]  time = f8");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params { n: 3 })?;
    /// writer.rho().write(&vec![1.0, 2.0, 4.0])?;
    /// assert!(writer.rho().write(&vec![1.0]).is_err()); // another shape
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongShape`] before a byte is written, with the params that decide; if it cannot
    /// be placed or written.
    pub fn write<E: Writable<T, D> + ?Sized>(&self, elements: &E) -> Result<()> {
        self.at.put_typed(&input::Elements { array: elements.as_array().into_dyn() })
    }

    /// Writes all elements, given row-major.
    ///
    /// ```
    /// dudley::layout!(mod run = "N : i8  rho = f8[N]  time = f8");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params { n: 3 })?;
    /// writer.rho().write_slice(&[1.0, 2.0, 4.0])?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongLength`] (in bytes) for another number of elements, before a byte is written;
    /// if it cannot be placed or written.
    pub fn write_slice(&self, elements: &[T]) -> Result<()> {
        let item = self.at.item()?;
        let data = item.data()?;
        let shape = dimension::<ndarray::IxDyn>(data.shape())?;
        let view = ArrayView::from_shape(shape, elements).map_err(|_| {
            let expected = data.len().unwrap_or(u64::MAX).saturating_mul(T::SIZE as u64);
            Error::wrong_length(expected, size_of_val(elements) as u64).of_item(self.path())
        })?;
        self.at.put_typed(&input::Elements { array: view })
    }
}

impl<T: Element, D: Dimension> Array<T, D, Writing> {
    /// Writes a part, as [`ndarray::s!`] says it. Other calls, also of other threads, write the rest;
    /// the writer is complete when every element was written.
    ///
    /// ```
    /// use dudley::ndarray::{arr2, s};
    /// use dudley::typed::Create;
    ///
    /// dudley::layout!(mod grid = "rho = f8[2, 4]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// let writer = Create::new().memory::<grid::Layout>(&grid::Params::default())?;
    /// writer.rho().write_part(s![.., ..;2], &arr2(&[[0., 2.], [10., 12.]]))?;
    /// let error = writer.finish().expect_err("half of it is missing");
    /// assert!(error.to_string().contains("`/rho[0, 1:2], /rho[0, 3:4], "), "{error}");
    /// writer.rho().write_part(s![.., 1..;2], &arr2(&[[1., 3.], [11., 13.]]))?;
    /// let reader = grid::Reader::from_source(writer.finish_bytes()?)?;
    /// assert_eq!(reader.rho().read()?, arr2(&[[0., 1., 2., 3.], [10., 11., 12., 13.]]));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::BadSlice`] for indices outside of the array, and [`Error::WrongShape`] for values of
    /// another shape, before a byte is written; if the item cannot be placed or written.
    pub fn write_part<I: SliceArg<D>, E: Writable<T, I::OutDim> + ?Sized>(
        &self,
        slice: I,
        values: &E,
    ) -> Result<()> {
        let values = values.as_array().into_dyn();
        self.at.mode.put_slice(self.at.item()?, slice.as_ref(), values)
    }
}

impl<T: Element, D: RemoveAxis> Array<T, D, Writing> {
    /// Writes some rows (indices of the first dimension) from `first` on. Other calls, also of other
    /// threads, write the rest.
    ///
    /// ```
    /// dudley::layout!(mod run = "N : i8  rho = f8[N]  time = f8");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params { n: 3 })?;
    /// writer.rho().write_rows(1, &vec![2.0, 4.0])?; // indices 1 and 2
    /// writer.rho().write_rows(0, &vec![1.0])?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongShape`] for rows of another shape, and [`Error::BadSlice`] for rows that are
    /// not in the array, before a byte is written; if it cannot be placed or written.
    pub fn write_rows<E: Writable<T, D> + ?Sized>(&self, first: usize, rows: &E) -> Result<()> {
        self.at.mode.put_rows(self.at.item()?, first as u64, rows.as_array().into_dyn())
    }
}

impl<T: Element> Array<T, Ix0, Writing> {
    /// Writes the one element.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn write_one(&self, value: T) -> Result<()> {
        self.write(&ndarray::arr0(value))
    }
}

/// An array with the dimensions of its type.
pub(super) fn shaped<T, D: Dimension>(
    path: &str,
    array: ArrayD<T>,
) -> Result<ndarray::Array<T, D>> {
    let found: Vec<u64> = array.shape().iter().map(|dim| *dim as u64).collect();
    array.into_dimensionality().map_err(|_| Error::wrong_shape(path, &[], &found))
}

/// An array from its elements.
pub(super) fn from_vec<T, D: Dimension>(
    path: &str,
    shape: D,
    elements: Vec<T>,
) -> Result<ndarray::Array<T, D>> {
    let found = [elements.len() as u64];
    ndarray::Array::from_shape_vec(shape, elements)
        .map_err(|_| Error::wrong_shape(path, &[], &found))
}
