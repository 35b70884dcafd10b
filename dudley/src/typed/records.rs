//! Arrays of records of fixed size: decoded, looked at where they are, written.

use std::marker::PhantomData;

use dudley_parser::layout::dtype::ByteOrder;
use ndarray::{ArrayViewD, Dimension, Ix0, RemoveAxis, SliceArg, SliceInfoElem};

use super::array::from_vec;
use super::constants::Constants;
use super::handle::{described, dimension, rank};
use super::mode::Reading;
use super::slice::{indices, sliced_shape};
use super::writable::Writable;
use crate::create::writing::Writing;
use crate::elements::buffer;
use crate::elements::element::Element;
use crate::elements::gather::gather;
use crate::elements::record::{Big, Bytes, Little, Record, decode_all};
use crate::error::{Error, Result};
use crate::read::data::Data;
use crate::read::dtype::Dtype;
use crate::read::stream::decode::EMPTY_LIMIT;
use crate::typed::Handle;

/// An array of records of type `R` with the dimensions of `D`.
///
/// ```
/// dudley::layout!(mod log = "row {time = f8  level = u2}  rows = row[3]");
///
/// # fn main() -> dudley::Result<()> {
/// # let writer = dudley::typed::Create::new().memory::<log::Layout>(&log::Params::default())?;
/// # let rows: Vec<_> = (0..3).map(|level| log::Row { time: 0.5, level }).collect();
/// # writer.rows().write_slice(&rows)?;
/// let reader = log::Reader::from_source(writer.finish_bytes()?)?;
/// assert_eq!(reader.rows().read()?[2].level, 2);
/// assert_eq!(reader.rows().views()?.get(1).expect("the second").level(), 1);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Records<R, D, M = Reading> {
    at: Handle<M>,
    kind: PhantomData<fn() -> (R, D)>,
}

described! { R: Record, D: Dimension; Records rank::<D>() }

impl<R: Record, D: Dimension> Records<R, D, Reading> {
    /// All records, in a new array.
    ///
    /// ```
    /// dudley::layout!(mod log = "row {time = f8  level = u2}  rows = row[3]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let writer = dudley::typed::Create::new().memory::<log::Layout>(&log::Params::default())?;
    /// # let rows: Vec<_> = (0..3).map(|level| log::Row { time: 0.5, level }).collect();
    /// # writer.rows().write_slice(&rows)?;
    /// let rows = log::Reader::from_source(writer.finish_bytes()?)?.rows().read()?;
    /// assert_eq!((rows.len(), rows[2].level), (3, 2));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// If it cannot be placed or read; [`Error::Const`] where a field has another value than its
    /// attribute `const` states; [`Error::TooLarge`].
    pub fn read(&self) -> Result<ndarray::Array<R, D>> {
        let found = self.records()?;
        let count = found.data.len()?;
        found.data.check_there()?;
        if R::Bytes::LEN == 0 && count > EMPTY_LIMIT {
            return Err(Error::too_large(count).of_item(self.path()));
        }
        let mut records = buffer::room(count)?;
        found.each(|bytes, order| {
            records.extend(decode_all::<R>(bytes, order));
            Ok(())
        })?;
        if R::Bytes::LEN == 0 {
            let empty = std::iter::repeat_n(R::decode::<Little>(&R::Bytes::ZERO), count as usize);
            records.extend(empty);
        }
        from_vec(self.path(), dimension(found.data.shape())?, records)
    }

    /// All records, row-major, into a buffer that has as many.
    ///
    /// ```
    /// dudley::layout!(mod log = "row {time = f8  level = u2}  rows = row[3]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let writer = dudley::typed::Create::new().memory::<log::Layout>(&log::Params::default())?;
    /// # let rows: Vec<_> = (0..3).map(|level| log::Row { time: 0.5, level }).collect();
    /// # writer.rows().write_slice(&rows)?;
    /// let mut rows = vec![log::Row { time: 0.0, level: 0 }; 3];
    /// log::Reader::from_source(writer.finish_bytes()?)?.rows().read_into(&mut rows)?;
    /// assert_eq!(rows[2].level, 2);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Self::read`]; [`Error::WrongLength`] (in bytes) for a buffer of another length.
    pub fn read_into(&self, buffer: &mut [R]) -> Result<()> {
        let found = self.records()?;
        let count = found.data.len()?;
        if count != buffer.len() as u64 {
            let size = R::Bytes::LEN as u64;
            let expected = count.saturating_mul(size);
            let found = (buffer.len() as u64).saturating_mul(size);
            return Err(Error::wrong_length(expected, found).of_item(self.path()));
        }
        let mut rest = buffer;
        found.each(|bytes, order| {
            let here = (bytes.len() / R::Bytes::LEN.max(1)).min(rest.len());
            let (now, later) = std::mem::take(&mut rest).split_at_mut(here);
            rest = later;
            decode_into::<R>(bytes, order, now);
            Ok(())
        })
    }

    /// The records in place: a field is decoded at its use. In memory, or a [map](crate::bytes::map::MapSource),
    /// nothing is copied. Elements of a file are read the first time, and kept while this item lives.
    ///
    /// ```
    /// dudley::layout!(mod log = "row {time = f8  level = u2}  rows = row[3]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let writer = dudley::typed::Create::new().memory::<log::Layout>(&log::Params::default())?;
    /// # let rows: Vec<_> = (0..3).map(|level| log::Row { time: 0.5, level }).collect();
    /// # writer.rows().write_slice(&rows)?;
    /// let reader = log::Reader::from_source(writer.finish_bytes()?)?;
    /// let rows = reader.rows();
    /// let levels: u16 = rows.views()?.iter().map(|row| row.level()).sum();
    /// assert_eq!(levels, 3);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Self::read`]; [`Error::NoView`] for records that are filtered, or not contiguous.
    pub fn views(&self) -> Result<Views<'_, R>> {
        let found = self.records()?;
        let no_view = || Error::NoView { path: self.path().into() };
        if found.data.filter().is_some() {
            return Err(no_view());
        }
        let region = found.data.region()?;
        if !region.is_contiguous() {
            return Err(no_view());
        }
        found.data.check_there()?;
        let stream = self.item()?.stream();
        let bytes = self.at.kept.bytes(&stream.work, stream.source(), &region);
        let bytes = bytes.map_err(|error| error.of_item(self.path()))?;
        found.constants.check(&found.data, bytes, 0)?;
        Ok(Views { records: R::Bytes::cut(bytes), order: found.order })
    }

    /// One field of all records, strided through them: the dimensions of the array, then those of
    /// the field.
    ///
    /// ```
    /// dudley::layout!(mod log = "row {time = f8  level = u2}  rows = row[3]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let writer = dudley::typed::Create::new().memory::<log::Layout>(&log::Params::default())?;
    /// # let rows: Vec<_> = (0..3).map(|level| log::Row { time: 0.5, level }).collect();
    /// # writer.rows().write_slice(&rows)?;
    /// let reader = log::Reader::from_source(writer.finish_bytes()?)?;
    /// let levels = reader.rows().field::<u16, dudley::ndarray::Ix1>("level")?;
    /// assert_eq!(levels.to_vec(), [0, 1, 2]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::NoSuchItem`], [`Error::WrongType`] and [`Error::WrongShape`] for a field that is not
    /// there or not of this type and shape; if it cannot be placed or read.
    pub fn field<T: Element, E: Dimension>(&self, name: &str) -> Result<ndarray::Array<T, E>> {
        let field = self.data()?.field(name)?;
        super::array::shaped(field.path(), field.read()?)
    }

    /// Some records, as [`ndarray::s!`] picks them: only their bytes are read.
    ///
    /// ```
    /// dudley::layout!(mod log = "row {time = f8  level = u2}  rows = row[3]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let writer = dudley::typed::Create::new().memory::<log::Layout>(&log::Params::default())?;
    /// # let rows: Vec<_> = (0..3).map(|level| log::Row { time: 0.5, level }).collect();
    /// # writer.rows().write_slice(&rows)?;
    /// let reader = log::Reader::from_source(writer.finish_bytes()?)?;
    /// let last = reader.rows().slice(dudley::ndarray::s![1..])?;
    /// assert_eq!((last.len(), last[0].level), (2, 1));
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Self::read`]; [`Error::BadSlice`] for an index outside of the array.
    pub fn slice<I: SliceArg<D>>(&self, slice: I) -> Result<ndarray::Array<R, I::OutDim>> {
        let part = sliced(&self.data()?, slice.as_ref())?;
        let shape = dimension::<I::OutDim>(&sliced_shape(slice.as_ref(), part.shape()))?;
        let mut records = Vec::new();
        append(&mut records, part)?;
        from_vec(self.path(), shape, records)
    }

    /// One field of some records. `E` has the dimensions of the selected records, then those of the
    /// field; the slice makes no new axes.
    ///
    /// ```
    /// use dudley::ndarray::{Ix1, s};
    /// use dudley::typed::Create;
    ///
    /// dudley::layout!(mod log = "row {time = f8  level = u2 %1}  rows = row[100]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// let writer = Create::new().memory::<log::Layout>(&log::Params::default())?;
    /// let rows: Vec<_> = (0..100).map(|at| log::Row { time: 0.5, level: at }).collect();
    /// writer.rows().write_slice(&rows)?;
    /// let reader = log::Reader::from_source(writer.finish_bytes()?)?;
    /// let levels = reader.rows().field_slice::<u16, Ix1, _>("level", s![..;-40])?;
    /// assert_eq!(levels.to_vec(), [99, 59, 19]);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Self::field`] and [`Self::slice`].
    pub fn field_slice<T: Element, E: Dimension, I: SliceArg<D>>(
        &self,
        name: &str,
        slice: I,
    ) -> Result<ndarray::Array<T, E>> {
        let field = sliced(&self.data()?, slice.as_ref())?.field(name)?;
        super::array::shaped(field.path(), field.read()?)
    }

    fn records(&self) -> Result<Found> {
        Found::new::<R>(self.data()?)
    }
}

impl<R: Record> Records<R, Ix0, Reading> {
    /// The one record.
    ///
    /// ```
    /// dudley::layout!(mod run = "start = {time = f8  level = u2}");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// let writer = dudley::typed::Create::new().memory::<run::Layout>(&run::Params::default())?;
    /// writer.start().write(&run::Start { time: 0.5, level: 7 })?;
    /// let reader = run::Reader::from_source(writer.finish_bytes()?)?;
    /// assert_eq!(reader.start().get()?.level, 7);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn get(&self) -> Result<R> {
        Ok(self.read()?.into_scalar())
    }
}

/// The part of an array that a slice picks.
fn sliced(data: &Data, slice: &[SliceInfoElem]) -> Result<Data> {
    let indices = indices(slice, data.shape()).map_err(|error| error.of_item(data.path()))?;
    data.slice(&indices)
}

/// The records of an array, found.
struct Found {
    data: Data,
    order: ByteOrder,
    constants: Constants,
}

impl Found {
    fn new<R: Record>(data: Data) -> Result<Found> {
        let data = data.decoded()?;
        let order = data.stream.order();
        let Dtype::Record(record) = data.dtype().clone() else {
            return Err(Error::Variable { path: data.path().into() });
        };
        if record.size != R::Bytes::LEN as u64 {
            return Err(Error::wrong_length(R::Bytes::LEN as u64, record.size).of_item(data.path()));
        }
        let constants = Constants::of(&data.stream, &record)?;
        Ok(Found { data, order, constants })
    }

    /// The bytes of all records, in pieces of whole ones.
    fn each(&self, mut take: impl FnMut(&[u8], ByteOrder) -> Result<()>) -> Result<()> {
        let region = self.data.region()?;
        let mut first = 0;
        let read = self.data.with_source(|source| {
            self.data.stream.work.in_order(source, &region, |part| {
                gather(source, part, &mut |bytes| {
                    self.constants.check(&self.data, bytes, first)?;
                    first += bytes.len() as u64 / region.element_size();
                    take(bytes, self.order)
                })
            })
        });
        read.map_err(|error| error.of_item(self.data.path()))
    }
}

fn decode_into<R: Record>(bytes: &[u8], order: ByteOrder, to: &mut [R]) {
    let all = R::Bytes::cut(bytes).iter().zip(to);
    match order {
        ByteOrder::Little => all.for_each(|(from, to)| *to = R::decode::<Little>(from)),
        ByteOrder::Big => all.for_each(|(from, to)| *to = R::decode::<Big>(from)),
    }
}

/// Records where they are, row-major.
///
/// ```
/// dudley::layout!(mod log = "row {time = f8  level = u2}  rows = row[3]");
///
/// # fn main() -> dudley::Result<()> {
/// # let writer = dudley::typed::Create::new().memory::<log::Layout>(&log::Params::default())?;
/// # let rows: Vec<_> = (0..3).map(|level| log::Row { time: 0.5, level }).collect();
/// # writer.rows().write_slice(&rows)?;
/// let reader = log::Reader::from_source(writer.finish_bytes()?)?;
/// let rows = reader.rows();
/// let views = rows.views()?;
/// assert_eq!((views.len(), views.get(2).map(|row| row.level()), views.get(3).is_none()), (3, Some(2), true));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Views<'s, R: Record> {
    records: &'s [R::Bytes],
    order: ByteOrder,
}

impl<'s, R: Record> Views<'s, R> {
    /// The number of records.
    ///
    /// ```
    /// dudley::layout!(mod log = "row {time = f8  level = u2}  rows = row[3]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let writer = dudley::typed::Create::new().memory::<log::Layout>(&log::Params::default())?;
    /// # let rows: Vec<_> = (0..3).map(|level| log::Row { time: 0.5, level }).collect();
    /// # writer.rows().write_slice(&rows)?;
    /// let reader = log::Reader::from_source(writer.finish_bytes()?)?;
    /// assert_eq!(reader.rows().views()?.len(), 3);
    /// # Ok(())
    /// # }
    /// ```
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether it is empty.
    ///
    /// ```
    /// dudley::layout!(mod log = "row {time = f8  level = u2}  rows = row[3]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let writer = dudley::typed::Create::new().memory::<log::Layout>(&log::Params::default())?;
    /// # let rows: Vec<_> = (0..3).map(|level| log::Row { time: 0.5, level }).collect();
    /// # writer.rows().write_slice(&rows)?;
    /// let reader = log::Reader::from_source(writer.finish_bytes()?)?;
    /// assert!(!reader.rows().views()?.is_empty());
    /// # Ok(())
    /// # }
    /// ```
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }

    /// One record; `None` if there are not that many.
    ///
    /// ```
    /// dudley::layout!(mod log = "row {time = f8  level = u2}  rows = row[3]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let writer = dudley::typed::Create::new().memory::<log::Layout>(&log::Params::default())?;
    /// # let rows: Vec<_> = (0..3).map(|level| log::Row { time: 0.5, level }).collect();
    /// # writer.rows().write_slice(&rows)?;
    /// let reader = log::Reader::from_source(writer.finish_bytes()?)?;
    /// assert_eq!(reader.rows().views()?.get(2).expect("the third").time(), 0.5);
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn get(&self, index: usize) -> Option<R::View<'s>> {
        self.records.get(index).map(|bytes| R::view(bytes, self.order))
    }

    /// All of them.
    ///
    /// ```
    /// dudley::layout!(mod log = "row {time = f8  level = u2}  rows = row[3]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let writer = dudley::typed::Create::new().memory::<log::Layout>(&log::Params::default())?;
    /// # let rows: Vec<_> = (0..3).map(|level| log::Row { time: 0.5, level }).collect();
    /// # writer.rows().write_slice(&rows)?;
    /// let reader = log::Reader::from_source(writer.finish_bytes()?)?;
    /// assert!(reader.rows().views()?.iter().all(|row| row.time() == 0.5));
    /// # Ok(())
    /// # }
    /// ```
    #[inline]
    pub fn iter(&self) -> impl ExactSizeIterator<Item = R::View<'s>> + use<'s, R> {
        let order = self.order;
        self.records.iter().map(move |bytes| R::view(bytes, order))
    }
}

impl<R: Record, D: Dimension> Records<R, D, Writing> {
    /// Writes all records, or the one of an item without dimensions. Fields with the attribute `const` get the value that it states.
    ///
    /// ```
    /// dudley::layout!(mod log = "row {time = f8  level = u2}  rows = row[2]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// let writer = dudley::typed::Create::new().memory::<log::Layout>(&log::Params::default())?;
    /// let rows = vec![log::Row { time: 0.5, level: 1 }, log::Row { time: 1.5, level: 2 }];
    /// writer.rows().write(&rows)?;
    /// writer.finish_bytes()?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongShape`] before a byte is written, with the params that decide; if it cannot be
    /// placed or written.
    pub fn write<E: Writable<R, D> + ?Sized>(&self, records: &E) -> Result<()> {
        self.at.put_records(records.as_array().into_dyn())
    }

    /// Writes all records, given row-major.
    ///
    /// ```
    /// dudley::layout!(mod log = "row {time = f8  level = u2}  rows = row[2, 2]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// let writer = dudley::typed::Create::new().memory::<log::Layout>(&log::Params::default())?;
    /// writer.rows().write_slice(&vec![log::Row { time: 0.5, level: 1 }; 4])?;
    /// let reader = log::Reader::from_source(writer.finish_bytes()?)?;
    /// assert_eq!(reader.rows().read()?[[1, 1]].level, 1);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongLength`] (in bytes) for another number of records, before a byte is written; if
    /// it cannot be placed or written.
    pub fn write_slice(&self, records: &[R]) -> Result<()> {
        let item = self.at.item()?;
        let data = item.data()?;
        let shape = dimension::<ndarray::IxDyn>(data.shape())?;
        let view = ArrayViewD::from_shape(shape, records).map_err(|_| {
            let bytes = |count: u64| count.saturating_mul(R::Bytes::LEN as u64);
            let expected = bytes(data.len().unwrap_or(u64::MAX));
            Error::wrong_length(expected, bytes(records.len() as u64)).of_item(self.path())
        })?;
        self.at.mode.put_records(item, None, view)
    }
}

impl<R: Record, D: Dimension> Records<R, D, Writing> {
    /// Writes some records, as [`ndarray::s!`] picks them.
    ///
    /// ```
    /// dudley::layout!(mod log = "row {time = f8  level = u2}  rows = row[3]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let writer = dudley::typed::Create::new().memory::<log::Layout>(&log::Params::default())?;
    /// # let rows: Vec<_> = (0..3).map(|level| log::Row { time: 0.5, level }).collect();
    /// # writer.rows().write_slice(&rows)?;
    /// let row = log::Row { time: 1.5, level: 7 };
    /// writer.rows().write_part(dudley::ndarray::s![2..], &vec![row])?;
    /// let reader = log::Reader::from_source(writer.finish_bytes()?)?;
    /// assert_eq!(reader.rows().read()?[2].level, 7);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`crate::typed::Array::write_part`].
    pub fn write_part<I: SliceArg<D>, E: Writable<R, I::OutDim> + ?Sized>(
        &self,
        slice: I,
        records: &E,
    ) -> Result<()> {
        let records = records.as_array().into_dyn();
        self.at.mode.put_records_slice(self.at.item()?, slice.as_ref(), records)
    }
}

impl<R: Record, D: RemoveAxis> Records<R, D, Writing> {
    /// Writes some records (indices of the first dimension) from `first` on.
    ///
    /// ```
    /// dudley::layout!(mod log = "row {time = f8  level = u2}  rows = row[3]");
    ///
    /// # fn main() -> dudley::Result<()> {
    /// # let writer = dudley::typed::Create::new().memory::<log::Layout>(&log::Params::default())?;
    /// # let rows: Vec<_> = (0..3).map(|level| log::Row { time: 0.5, level }).collect();
    /// # writer.rows().write_slice(&rows)?;
    /// writer.rows().write_rows(2, &vec![log::Row { time: 1.5, level: 7 }])?;
    /// let reader = log::Reader::from_source(writer.finish_bytes()?)?;
    /// assert_eq!(reader.rows().read()?[2].level, 7);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`crate::typed::Array::write_rows`].
    pub fn write_rows<E: Writable<R, D> + ?Sized>(&self, first: usize, records: &E) -> Result<()> {
        let records = records.as_array().into_dyn();
        self.at.mode.put_records(self.at.item()?, Some(first as u64), records)
    }
}

/// All records of what was picked, row-major, behind those that are there already.
pub(super) fn append<R: Record>(to: &mut Vec<R>, data: Data) -> Result<()> {
    let found = Found::new::<R>(data)?;
    let count = found.data.len()?;
    found.data.check_there()?;
    if R::Bytes::LEN == 0 {
        if count > EMPTY_LIMIT {
            return Err(Error::too_large(count).of_item(found.data.path()));
        }
        let empty = std::iter::repeat_n(R::decode::<Little>(&R::Bytes::ZERO), count as usize);
        to.extend(empty);
    }
    found.each(|bytes, order| {
        to.extend(decode_all::<R>(bytes, order));
        Ok(())
    })
}
