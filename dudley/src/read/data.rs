//! An array in a stream, found: where its elements are, of which type, and how to get them.

mod constant;
pub(crate) mod decode;
mod decoded;
mod elements;
pub(crate) mod fields;
mod in_blocks;
mod parts;
mod resolved;
mod scaled;
pub(crate) mod vlen;

use std::sync::Arc;

use dudley_parser::layout::dtype::{ByteOrder, Primitive};
use dudley_parser::layout::{ArrayId, DocKey, RecordId};
use dudley_parser::resolve::Node;
use ndarray::{ArrayD, ArrayViewD, IxDyn};

use crate::bytes::blocks::Block;
use crate::bytes::region::Region;
use crate::bytes::source::Source;
use crate::elements::borrowed::Kept;
use crate::elements::convert::{Conversion, Convert};
use crate::elements::element::Element;
use crate::elements::scalar::{Form, time};
use crate::elements::value::{Builder, Sink, Value};
use crate::elements::{gather, load, text};
use crate::error::{Error, Result};
use crate::read::dtype::{Dtype, Filtered, Record};
use crate::read::path::field_path;
use crate::read::presented::Presented;
use crate::read::slice::{self, Index, Placed};
use crate::read::stream::decode::EMPTY_LIMIT;
use crate::read::stream::{Stream, read_bytes};
pub(crate) use constant::Extent;
pub(crate) use decoded::Decoded;
pub(crate) use elements::Elements;
pub use in_blocks::{InBlocks, StoredBlock};
pub use parts::{Parts, Words};
pub use scaled::{Recode, Scaling};
pub use vlen::Vlen;

/// An array: an item of a stream, a field of it, or a slice of it.
///
/// Only the reading methods read elements, and only those that they return; a filtered item is
/// decoded as a whole.
///
/// ```
/// let stream = dudley::Open::new().layout_text("x = >u2[2, 2]")?.raw().bytes([0, 1, 0, 2, 0, 3, 0, 4])?;
/// let data = stream.get("/x")?.data()?;
/// assert_eq!((data.shape(), data.strides(), data.bytes()), (&[2, 2][..], &[4, 2][..], 8));
/// assert_eq!(data.slice(&dudley::read::slice::parse_slice("1, :").expect("a slice"))?.read::<u16>()?.sum(), 7);
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Data {
    pub(crate) stream: Stream,
    pub(crate) path: String,
    pub(crate) array: Option<ArrayId>,
    pub(crate) dtype: Dtype,
    pub(crate) shape: Vec<u64>,
    /// Bytes from one index to the next, for each dimension.
    pub(crate) strides: Vec<i64>,
    pub(crate) address: u64,
    pub(crate) bytes: u64,
    pub(crate) filter: Option<Filtered>,
    /// The decoded bytes of a filtered item, or those of an array in blocks; addresses are relative to them.
    pub(crate) decoded: Option<Decoded>,
    /// Of a struct of variable size: what brings the params around it into force.
    pub(crate) node: Option<Node>,
    pub(crate) doc: Option<DocKey>,
    /// What was lent of it, where it is not in memory.
    pub(crate) kept: Kept,
    /// Which part of an item it is, where that has a constant.
    pub(crate) extent: Option<Arc<Extent>>,
    /// How an item, or a field of one, is presented; of a slice nothing is left of that.
    pub(crate) presented: Presented,
}

impl Data {
    /// The path of the item it belongs to.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[2, 2]")?.raw().bytes([0, 1, 0, 2, 0, 3, 0, 4])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert_eq!(data.path(), "/x");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The type of the elements.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[2, 2]")?.raw().bytes([0, 1, 0, 2, 0, 3, 0, 4])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert_eq!(data.dtype().primitive().map(|(primitive, _)| primitive.name()), Some("u2"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn dtype(&self) -> &Dtype {
        &self.dtype
    }

    /// The type as text: `<f8`, `struct{lon=<f8@0}`.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[2, 2]")?.raw().bytes([0, 1, 0, 2, 0, 3, 0, 4])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert_eq!(data.dtype_name(), ">u2");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn dtype_name(&self) -> String {
        if let Some(vlen) = self.vlen() {
            return vlen.describe();
        }
        self.dtype.describe(self.stream.layout(), self.stream.order())
    }

    /// Elements in each dimension, slowest varying first; dimensions of -1 are gone.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[2, 2]")?.raw().bytes([0, 1, 0, 2, 0, 3, 0, 4])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert_eq!(data.shape(), [2, 2]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// Bytes from one index to the next, for each dimension.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[2, 2]")?.raw().bytes([0, 1, 0, 2, 0, 3, 0, 4])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert_eq!(data.strides(), [4, 2]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn strides(&self) -> &[i64] {
        &self.strides
    }

    /// The address of the first element, in bytes from the start of the stream; meaningless without
    /// elements.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[2, 2]")?.raw().bytes([0, 1, 0, 2, 0, 3, 0, 4])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert_eq!(data.address(), 0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn address(&self) -> u64 {
        self.address
    }

    /// The address where the item or field begins. The first element of a view may be at another address (spec
    /// 7.7). A slice begins at its first element.
    ///
    /// ```
    /// let layout = "x = u1[4]  #: view_shape = [4], view_strides = [-1], view_offset = 3";
    /// let stream = dudley::Open::new().layout_text(layout)?.raw().bytes(*b"abcd")?;
    /// let x = stream.get("/x")?.data()?;
    /// assert_eq!((x.begin(), x.address(), x.raw()?), (0, 3, b"dcba".to_vec()));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn begin(&self) -> u64 {
        match (&self.filter, &self.decoded) {
            (Some(_), None) => self.address,
            _ => self.address.saturating_sub(self.presented.first()),
        }
    }

    /// Whether it is an item or field with another presentation than row by row (spec 7.7).
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[2, 2]")?.raw().bytes([0, 1, 0, 2, 0, 3, 0, 4])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert!(!data.is_presented()); // stored row by row
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn is_presented(&self) -> bool {
        self.presented.is_other()
    }

    /// Bytes from the beginning of the item or field to its first element: 0, except for views (spec 7.7).
    pub fn first(&self) -> u64 {
        self.presented.first()
    }

    /// It begins where its item does: presented as the layout says.
    pub(crate) fn presented_as(self, presented: Presented) -> Data {
        if !presented.is_other() {
            return self;
        }
        let read = presented.read(&self.shape, self.dtype.size().unwrap_or(0));
        // Where elements are that a filter made something of, only their own bytes tell.
        let is_encoded = self.filter.is_some() && self.decoded.is_none();
        let first = if is_encoded { 0 } else { read.first };
        let address = self.address.saturating_add(first);
        Data { address, shape: read.shape, strides: read.strides, presented, ..self }
    }

    /// The same without a view (spec 7.7), so that each byte belongs to one element: the form for writers.
    pub fn unviewed(&self) -> Data {
        if !self.presented.is_other() {
            return self.clone();
        }
        Data { address: self.begin(), ..self.clone() }.presented_as(self.presented.unviewed())
    }

    /// The same in the form for writers: without a view that does not show each element once.
    pub(crate) fn to_write(&self) -> Data {
        if !self.presented.is_other() {
            return self.clone();
        }
        Data { address: self.begin(), ..self.clone() }.presented_as(self.presented.to_write())
    }

    /// All elements in the order of their addresses: in one dimension if they are contiguous, otherwise, like fields
    /// of structs, in as many as necessary.
    ///
    /// ```
    /// let layout = r#"x = u1[2, 3]  #: order = "F""#;
    /// let stream = dudley::Open::new().layout_text(layout)?.raw().bytes(*b"abcdef")?;
    /// let x = stream.get("/x")?.data()?;
    /// assert_eq!((x.raw()?, x.stored()?.raw()?), (b"acebdf".to_vec(), b"abcdef".to_vec()));
    /// assert_eq!(x.stored()?.shape(), [6]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a filter on the way fails.
    pub fn stored(&self) -> Result<Data> {
        if !self.presented.is_other() {
            return Ok(self.clone());
        }
        let data = self.decoded()?.unviewed();
        let size = data.dtype.size().unwrap_or(0);
        let size = i64::try_from(size).map_err(|_| Error::too_large(size))?;
        let dims = data.shape.iter().copied().zip(data.strides.iter().copied());
        let mut dims: Vec<(u64, i64)> = dims.filter(|(dim, _)| *dim != 1).collect();
        dims.sort_by_key(|(_, stride)| std::cmp::Reverse(*stride));
        let (mut shape, mut strides): (Vec<u64>, Vec<i64>) = (Vec::new(), Vec::new());
        if data.is_empty() {
            dims = vec![(0, size)];
        } else if dims.is_empty() {
            dims = vec![(1, size)];
        }
        for (dim, stride) in dims {
            match (shape.last_mut(), strides.last_mut()) {
                (Some(outer), Some(step))
                    if i128::from(*step) == i128::from(stride) * i128::from(dim) =>
                {
                    *outer = outer.saturating_mul(dim);
                    *step = stride;
                }
                _ => {
                    shape.push(dim);
                    strides.push(stride);
                }
            }
        }
        let presented = Presented::default();
        Ok(Data { shape, strides, presented, extent: None, array: None, doc: None, ..data })
    }

    /// The address of an element, by its index in row-major order.
    pub(crate) fn address_of(&self, index: u64) -> u64 {
        let mut rest = index;
        let mut address = self.address;
        for (dim, stride) in self.shape.iter().zip(&self.strides).rev() {
            // Wraps only on the way, to elements that were found to be in the stream.
            address = address.wrapping_add((rest % dim.max(&1)).wrapping_mul(*stride as u64));
            rest /= dim.max(&1);
        }
        address
    }

    /// Bytes in the stream: the encoded bytes, or all elements (without the gaps between the
    /// elements of a field).
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[2, 2]")?.raw().bytes([0, 1, 0, 2, 0, 3, 0, 4])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert_eq!(data.bytes(), 8);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The stream of the array.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[2, 2]")?.raw().bytes([0, 1, 0, 2, 0, 3, 0, 4])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert_eq!(data.stream().len(), 8);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// The filter of the item.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[2, 2]")?.raw().bytes([0, 1, 0, 2, 0, 3, 0, 4])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert!(data.filter().is_none());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn filter(&self) -> Option<&Filtered> {
        self.filter.as_ref()
    }

    /// Whether a filter decoded its bytes, so that its address is one in the decoded bytes and not in the
    /// stream.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[2, 2]")?.raw().bytes([0, 1, 0, 2, 0, 3, 0, 4])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert!(!data.is_decoded()); // the elements are in the stream
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn is_decoded(&self) -> bool {
        self.decoded.is_some()
    }

    /// The stored bytes around its elements, if they are in memory, for elements of any type:
    /// [`Self::address`] and [`Self::strides`] count in them. For a filtered array, the bytes that it was
    /// [decoded](Self::decoded) to.
    ///
    /// # Errors
    /// If the source fails to bring them into memory.
    ///
    /// ```
    /// let writer = dudley::Writer::new(dudley::parse_layout(b"x = >u2[3] -> zlib")?).put("/x", &[1_u16, 2, 3]);
    /// let stream = dudley::Open::new().layout_text("x = >u2[3] -> zlib")?.bytes(writer.to_bytes()?)?;
    /// let x = stream.get("/x")?.data()?;
    /// assert!(x.memory()?.is_none());
    /// assert_eq!(x.decoded()?.memory()?, Some(&[0, 1, 0, 2, 0, 3][..]));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn memory(&self) -> Result<Option<&[u8]>> {
        match &self.decoded {
            Some(decoded) => decoded.source().load(),
            None if self.filter.is_some() => Ok(None),
            None => self.stream.source().load(),
        }
    }

    /// Its storage, if it is an array in blocks, or a slice of one.
    ///
    /// ```
    /// let layout = "rho [u1[2, 2], u1[2, 1]]  #: whole = [2, 3]";
    /// let stream = dudley::Open::new().layout_text(layout)?.raw().bytes(*b"abdecf")?;
    /// let rho = stream.get("/rho")?.data()?;
    /// assert_eq!(rho.raw()?, b"abcdef");
    /// let blocks = rho.blocks().expect("in blocks");
    /// assert_eq!((blocks.cell.as_deref(), blocks.count), (Some(&[2, 2][..]), 2));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn blocks(&self) -> Option<&InBlocks> {
        match &self.decoded {
            Some(Decoded::Blocks(blocks)) => Some(blocks),
            _ => None,
        }
    }

    /// The number of elements.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[2, 2]")?.raw().bytes([0, 1, 0, 2, 0, 3, 0, 4])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert_eq!(data.len()?, 4);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::TooLarge`] if 64 bits cannot count them.
    pub fn len(&self) -> Result<u64> {
        if self.shape.contains(&0) {
            return Ok(0);
        }
        let len = self.shape.iter().try_fold(1_u64, |len, dim| len.checked_mul(*dim));
        len.ok_or_else(|| Error::too_large(u64::MAX).of_item(&self.path))
    }

    /// Whether there are no elements.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[2, 2]")?.raw().bytes([0, 1, 0, 2, 0, 3, 0, 4])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert!(!data.is_empty());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    fn primitive(&self) -> Result<(Primitive, ByteOrder)> {
        self.dtype.primitive().ok_or_else(|| Error::NotPrimitive {
            path: self.path.as_str().into(),
            found: self.dtype_name().into(),
        })
    }

    /// The primitive and its order, if its elements are of type `T`.
    pub(crate) fn primitive_of<T: Element>(&self) -> Result<(Primitive, ByteOrder)> {
        let (primitive, order) = self.primitive()?;
        T::check(primitive).map_err(|error| error.of_item(&self.path))?;
        Ok((primitive, order))
    }

    /// Where the elements are and in which order, if they can be looked at there: of type `T`, in the
    /// stream as they are, and what the layout says of them to be constant.
    ///
    /// # Errors
    /// [`Error::NoView`] if they are filtered; [`Error::WrongType`]; [`Error::Truncated`];
    /// [`Error::Const`].
    pub(crate) fn in_place<T: Element>(&self) -> Result<(Region, ByteOrder)> {
        if self.filter.is_some() {
            return Err(Error::NoView { path: self.path.as_str().into() });
        }
        let (_, order) = self.primitive_of::<T>()?;
        let region = self.region()?;
        self.check_there()?;
        self.check_constants()?;
        Ok((region, order))
    }

    /// Where the elements are.
    pub(crate) fn region(&self) -> Result<Region> {
        let size = self.dtype.size().ok_or_else(|| self.variable())?;
        Region::new(self.address, &self.shape, &self.strides, size)
            .map_err(|error| error.of_item(&self.path))
    }

    fn variable(&self) -> Error {
        Error::Variable { path: self.path.as_str().into() }
    }

    /// The bytes that the region is in: of the stream, or decoded.
    pub(crate) fn with_source<T>(&self, read: impl FnOnce(&dyn Source) -> Result<T>) -> Result<T> {
        match &self.decoded {
            Some(decoded) => read(decoded.source()),
            None => read(self.stream.source()),
        }
    }

    /// Reads all elements into a new array.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[2, 2]")?.raw().bytes([0, 1, 0, 2, 0, 3, 0, 4])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert_eq!(data.read::<u16>()?, dudley::ndarray::array![[1, 2], [3, 4]].into_dyn());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongType`] if `T` is not the type of the elements (see [`Self::read_as`] to
    /// convert), [`Error::Truncated`] if the stream ends before them, [`Error::TooLarge`].
    pub fn read<T: Element>(&self) -> Result<ArrayD<T>> {
        let data = self.as_decoded()?;
        let (primitive, order) = data.primitive()?;
        let named = |error: Error| error.of_item(&self.path);
        T::check(primitive).map_err(named)?;
        let region = data.region()?;
        let elements = data
            .with_source(|source| load::elements(&self.stream.work, source, &region, order))
            .map_err(named)?;
        data.check_constants()?;
        array(elements, &self.shape).map_err(named)
    }

    /// Reads all elements and converts them to `T`: without loss, or as the rule allows.
    ///
    /// ```
    /// use dudley::elements::Conversion;
    ///
    /// let stream = dudley::Open::new().layout_text("x = >u2[2, 2]")?.raw().bytes([0, 1, 0, 2, 0, 3, 0, 4])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert_eq!(data.read_as::<f32>(Conversion::Lossless)?.sum(), 10.0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::LossyConversion`] if `T` cannot hold every value of the type and the rule does not
    /// allow it; else as [`Self::read`].
    pub fn read_as<T: Convert>(&self, rule: Conversion) -> Result<ArrayD<T>> {
        let data = self.as_decoded()?;
        let (primitive, order) = data.primitive()?;
        let named = |error: Error| error.of_item(&self.path);
        let region = data.region()?;
        let elements = data
            .with_source(|source| {
                let from = (primitive, order);
                load::converted(&self.stream.work, source, &region, from, rule)
            })
            .map_err(named)?;
        data.check_constants()?;
        array(elements, &self.shape).map_err(named)
    }

    /// Reads all elements into a buffer of the same number of elements.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[2, 2]")?.raw().bytes([0, 1, 0, 2, 0, 3, 0, 4])?;
    /// let data = stream.get("/x")?.data()?;
    /// let mut buffer = [0_u16; 4];
    /// data.read_into(&mut buffer)?;
    /// assert_eq!(buffer, [1, 2, 3, 4]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::read`]; [`Error::WrongLength`] for a buffer of another length (in bytes).
    pub fn read_into<T: Element>(&self, buffer: &mut [T]) -> Result<()> {
        let data = self.as_decoded()?;
        let (primitive, order) = data.primitive()?;
        let named = |error: Error| error.of_item(&self.path);
        T::check(primitive).map_err(named)?;
        let region = data.region()?;
        data.with_source(|source| load::into(&self.stream.work, source, &region, order, buffer))
            .map_err(named)?;
        data.check_constants()
    }

    /// The single element of a scalar or of an array of one.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2")?.raw().bytes([1, 0])?;
    /// assert_eq!(stream.get("/x")?.data()?.scalar::<u16>()?, 256);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::read`]; [`Error::WrongShape`] if it is not one element.
    pub fn scalar<T: Element>(&self) -> Result<T> {
        let mut one = [T::default()];
        if self.len()? != 1 {
            return Err(Error::wrong_shape(&self.path, &[], &self.shape));
        }
        self.read_into(&mut one)?;
        Ok(one[0])
    }

    /// A view of the elements: in native byte order, contiguous. In memory, or a [map](crate::bytes::map::MapSource),
    /// nothing is copied. Elements of a file are read the first time, and kept while the array lives.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1[3]")?.raw().bytes([1, 2, 3])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert_eq!(data.view::<u8>()?.sum(), 6);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongType`]; [`Error::Truncated`]; if they cannot be read; [`Error::NoView`] if they are not contiguous,
    /// in another byte order, or not aligned in memory: use [`Self::read`] then.
    pub fn view<T: Element>(&self) -> Result<ArrayViewD<'_, T>> {
        let (primitive, order) = self.primitive()?;
        let named = |error: Error| error.of_item(&self.path);
        T::check(primitive).map_err(named)?;
        let no_view = || Error::NoView { path: self.path.as_str().into() };
        let region = self.region()?;
        if (self.filter.is_some() && self.decoded.is_none()) || !region.is_contiguous() {
            return Err(no_view());
        }
        let source: &dyn Source = match &self.decoded {
            Some(decoded) => decoded.source(),
            None => self.stream.source(),
        };
        let bytes = self.kept.bytes(&self.stream.work, source, &region).map_err(named)?;
        let view = T::view(bytes, order).ok_or_else(no_view)?;
        ArrayViewD::from_shape(dims(&self.shape).map_err(named)?, view).map_err(|_| no_view())
    }

    /// The bytes of all elements, contiguous, in the byte order of the stream. Filtered items are decoded.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[2, 2]")?.raw().bytes([0, 1, 0, 2, 0, 3, 0, 4])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert_eq!(data.raw()?[..4], [0, 1, 0, 2]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::read`]; [`Error::Variable`] for structs of variable size; [`Error::Const`] for values that the layout
    /// does not allow.
    pub fn raw(&self) -> Result<Vec<u8>> {
        let data = self.as_decoded()?;
        let region = data.region()?;
        let mut bytes = Vec::new();
        data.with_source(|source| {
            bytes
                .try_reserve(region.byte_len().min(source.len()) as usize)
                .map_err(|_| Error::too_large(region.byte_len()))
        })
        .map_err(|error| error.of_item(&self.path))?;
        data.for_each_block(&mut |block| {
            bytes.extend_from_slice(block);
            Ok(())
        })?;
        Ok(bytes)
    }

    /// Its elements as a block of an array: where they lie, if that is side by side as they are, or decoded.
    ///
    /// # Errors
    /// As [`Self::raw`].
    pub fn block(&self) -> Result<Block> {
        if self.filter.is_none() && self.decoded.is_none() && self.region()?.is_contiguous() {
            self.check_there()?;
            return Ok(Block::Plain(self.stream.inner.source.clone(), self.address));
        }
        let is_whole = self.decoded.is_none() && !self.presented.is_other();
        let data = self.decoded()?;
        match data.decoded {
            Some(Decoded::Filtered(bytes)) if is_whole => {
                Ok(Block::Decoded(Arc::unwrap_or_clone(bytes)))
            }
            _ => data.raw().map(Block::Decoded),
        }
    }

    /// Passes the bytes of all elements, as in [`Self::raw`], to `sink`, block by block: blocks of whole
    /// elements, unless elements are very large. So an array of any size can be copied.
    ///
    /// # Errors
    /// As [`Self::raw`], or if `sink` fails. `sink` gets nothing of an array that is not completely
    /// in the stream, or whose constants differ from the layout.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[3]")?.raw().bytes([0, 1, 0, 2, 0, 3])?;
    /// let mut bytes = Vec::new();
    /// stream.get("/x")?.data()?.for_each_block(&mut |block| {
    ///     bytes.extend_from_slice(block);
    ///     Ok(())
    /// })?;
    /// assert_eq!(bytes, [0, 1, 0, 2, 0, 3]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn for_each_block(&self, sink: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        let data = self.as_decoded()?;
        let region = data.region()?;
        data.check_constants()?;
        let work = &self.stream.work;
        data.with_source(|source| {
            work.in_order(source, &region, |part| gather::gather(source, part, sink))
        })
        .map_err(|error| error.of_item(&self.path))
    }

    /// Decodes text, without its last dimension: one string for each text, row-major.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = S1[2, 2]")?.raw().bytes(*b"abcd")?;
    /// let data = stream.get("/x")?.data()?;
    /// assert_eq!(data.read_texts()?.as_slice(), Some(&["ab".to_owned(), "cd".to_owned()][..]));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::read`]; [`Error::NotText`].
    pub fn read_texts(&self) -> Result<ArrayD<String>> {
        let mut texts = Vec::new();
        self.for_each_text(&mut |text| {
            texts.push(text);
            Ok(())
        })?;
        let outer = &self.shape[..self.shape.len().saturating_sub(1)];
        array(texts, outer).map_err(|error| error.of_item(&self.path))
    }

    /// Decodes text, and passes each string to `sink`, row-major, without reading all of it at once.
    ///
    /// # Errors
    /// As [`Self::read`]; [`Error::NotText`]; if `sink` fails.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = S1[2, 3]")?.raw().bytes(*b"ab\0cde")?;
    /// let mut longest = 0;
    /// stream.get("/x")?.data()?.for_each_text(&mut |text| {
    ///     longest = longest.max(text.len());
    ///     Ok(())
    /// })?;
    /// assert_eq!(longest, 3);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn for_each_text(&self, sink: &mut dyn FnMut(String) -> Result<()>) -> Result<()> {
        let (primitive, order) = self.primitive()?;
        if !primitive.is_text() {
            return Err(Error::NotText { path: self.path.as_str().into() });
        }
        let units = self.shape.last().copied().unwrap_or(1);
        let size = crate::error::to_usize(units.saturating_mul(primitive.size()))?;
        if size == 0 {
            let outer = &self.shape[..self.shape.len().saturating_sub(1)];
            let count = outer.iter().try_fold(1_u64, |count, dim| count.checked_mul(*dim));
            let count = count.filter(|count| *count <= EMPTY_LIMIT);
            let count = count.ok_or_else(|| Error::too_large(u64::MAX).of_item(&self.path))?;
            return (0..count).try_for_each(|_| sink(String::new()));
        }
        // A text that is cut continues with the next block.
        let mut rest: Vec<u8> = Vec::new();
        self.for_each_block(&mut |mut block| {
            if !rest.is_empty() {
                let (more, others) = block.split_at((size - rest.len()).min(block.len()));
                rest.extend_from_slice(more);
                block = others;
                if rest.len() < size {
                    return Ok(());
                }
                sink(text::decode(&rest, primitive, order)?)?;
                rest.clear();
            }
            let texts = block.chunks_exact(size);
            rest.extend_from_slice(texts.remainder());
            texts.into_iter().try_for_each(|units| sink(text::decode(units, primitive, order)?))
        })
    }

    /// The text of an item that is one string.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = S1[4]")?.raw().bytes(*b"ab\0\0")?;
    /// let data = stream.get("/x")?.data()?;
    /// assert_eq!(data.read_text()?, "ab");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::read_texts`]; [`Error::WrongShape`] if it is more than one.
    pub fn read_text(&self) -> Result<String> {
        let texts = self.read_texts()?;
        if texts.ndim() > 0 {
            return Err(Error::wrong_shape(&self.path, &[], &self.shape));
        }
        Ok(texts.into_iter().next().unwrap_or_default())
    }

    /// Everything in it as a value.
    ///
    /// ```
    /// use dudley::Value;
    ///
    /// let stream = dudley::Open::new().layout_text("x = u1[2]")?.raw().bytes([7, 8])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert_eq!(data.value()?, Value::Array(vec![Value::Int(7), Value::Int(8)]));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If decoding fails.
    pub fn value(&self) -> Result<Value> {
        self.value_of(Form::exact(false))
    }

    /// As [`Self::value`], with the params of structs that are shown as their one member.
    pub(crate) fn unfolded(&self) -> Result<Value> {
        self.value_of(Form::UNFOLDED)
    }

    pub(crate) fn value_of(&self, form: Form) -> Result<Value> {
        let mut builder = Builder::default();
        self.emit_as(&mut builder, form)?;
        Ok(builder.finish())
    }

    /// Decodes everything into a sink. With `exact`, elements that their plain form would not give
    /// back bit by bit are given as bits.
    ///
    /// ```
    /// use dudley::{Value, elements::Builder};
    ///
    /// let stream = dudley::Open::new().layout_text("x = u1")?.raw().bytes([7])?;
    /// let mut value = Builder::default();
    /// stream.get("/x")?.data()?.emit(&mut value, true)?;
    /// assert_eq!(value.finish(), Value::Int(7));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If decoding or the sink fails.
    pub fn emit(&self, sink: &mut dyn Sink, exact: bool) -> Result<()> {
        self.emit_as(sink, Form::exact(exact))
    }

    /// As [`Self::emit`] without `exact`, but missing times (NaT of numpy) are null: the least integer of 8
    /// bytes, if the attribute `numpy` declares times, `M8[ns]` or `m8[s]`.
    ///
    /// ```
    /// let layout = "t = i8[2]  #: numpy = \"M8[s]\"\nn = i8";
    /// let bytes = [7_i64, i64::MIN, i64::MIN].map(i64::to_le_bytes).concat();
    /// let stream = dudley::Open::new().layout_text(layout)?.raw().bytes(bytes)?;
    /// let shown = |path: &str| {
    ///     let mut builder = dudley::elements::Builder::default();
    ///     stream.get(path)?.data()?.emit_shown(&mut builder)?;
    ///     Ok::<_, dudley::Error>(builder.finish())
    /// };
    /// use dudley::Value::{Array, Int, Null};
    /// assert_eq!(shown("/t")?, Array(vec![Int(7), Null]));
    /// assert_eq!(shown("/n")?, Int(i64::MIN.into()));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If decoding or the sink fails.
    pub fn emit_shown(&self, sink: &mut dyn Sink) -> Result<()> {
        self.emit_as(sink, Form::SHOWN)
    }

    pub(crate) fn emit_as(&self, sink: &mut dyn Sink, form: Form) -> Result<()> {
        decode::emit(self, sink, form).map_err(|error| error.of_item(&self.path))
    }

    /// A field of all elements of an array of records, as a strided array.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = {a = u1  b = u1}[2]")?.raw().bytes([1, 2, 3, 4])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert_eq!(data.field("b")?.read::<u8>()?.as_slice(), Some(&[2, 4][..]));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoSuchItem`]; [`Error::Variable`] for structs of variable size.
    pub fn field(&self, name: &str) -> Result<Data> {
        let no_such = |why: String| {
            let path = field_path(&self.path, name);
            Error::NoSuchItem { path: path.into(), why: why.into() }
        };
        let record = match &self.dtype {
            Dtype::Record(record) => record.clone(),
            Dtype::Variable(_) => return Err(self.variable()),
            Dtype::Primitive(..) => return Err(no_such(format!("{} has no fields", self.path))),
        };
        let Some(at) = record.fields.iter().position(|field| field.name == name) else {
            let names: Vec<String> = record.fields.iter().map(|field| field.name.clone()).collect();
            let why = format!("{} has no field `{name}`", self.path);
            return Err(no_such(crate::read::path::meant(why, name, &names)));
        };
        self.decoded()?.field_at(&record, at)
    }

    pub(crate) fn field_at(&self, record: &Record, at: usize) -> Result<Data> {
        let field = &record.fields[at];
        let mut inner = field.strided();
        let rows = Presented::default();
        // Where elements are that a filter made something of, only their own bytes tell.
        let outer = match field.filter {
            Some(_) => {
                inner.first = 0;
                &rows
            }
            None => &self.presented,
        };
        let around = (outer, &self.shape[..], record.size);
        let size = field.dtype.size().unwrap_or(0);
        let count = self.len()?;
        let mut data = Data {
            path: field_path(&self.path, &field.name),
            array: field.array,
            dtype: field.dtype.clone(),
            shape: self.shape.iter().copied().chain(inner.shape).collect(),
            strides: self.strides.iter().copied().chain(inner.strides).collect(),
            address: self.address + field.offset + inner.first,
            presented: field.presented.within(around, (&field.shape, size)),
            bytes: field.bytes.saturating_mul(count),
            filter: field.filter.clone(),
            doc: Some(field.doc),
            extent: None,
            ..self.clone()
        };
        if data.filter.is_some() && count != 1 {
            // Each record has its own stored bytes.
            return Err(Error::Variable { path: data.path.into() });
        }
        data.extent = Extent::of_field(&data, self.shape.len());
        let within = data.filter.clone().filter(|_| data.decoded.is_some());
        let Some(filter) = within else { return Ok(data) };
        // Stored within what another filter made.
        let stored = data.with_source(|source| read_bytes(source, data.address, data.bytes));
        let decoded = stored
            .and_then(|stored| filter.decode(&data.stream.inner.filters, data.address, &stored));
        let decoded = decoded.map_err(|error| error.of_item(&data.path))?;
        let decoded = Decoded::Filtered(Arc::new(decoded));
        Ok(Data { decoded: Some(decoded), address: data.presented.first(), ..data })
    }

    /// A slice with the rules of numpy. Only the picked elements will be read.
    ///
    /// ```
    /// use dudley::read::slice::parse_slice;
    ///
    /// let stream = dudley::Open::new().layout_text("x = >u2[2, 2]")?.raw().bytes([0, 1, 0, 2, 0, 3, 0, 4])?;
    /// let data = stream.get("/x")?.data()?;
    /// let column = data.slice(&parse_slice(":, 1").expect("a slice"))?;
    /// assert_eq!(column.read::<u16>()?.as_slice(), Some(&[2, 4][..]));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::BadSlice`]; [`Error::Variable`] for structs of variable size.
    pub fn slice(&self, indices: &[Index]) -> Result<Data> {
        if let Dtype::Variable(_) = self.dtype {
            return Err(self.variable());
        }
        let picked =
            slice::resolve(indices, &self.shape).map_err(|error| error.of_item(&self.path))?;
        let decoded = self.as_decoded()?;
        let placed = slice::place(&picked, decoded.address, &decoded.strides)?;
        let mut data = decoded.placed(placed);
        data.extent = Extent::of_slice(&decoded);
        let size = self.dtype.size().unwrap_or(0);
        data.bytes = data.len().unwrap_or(u64::MAX).saturating_mul(size);
        Ok(data)
    }

    /// Elements at other places of the same bytes, of an array that is decoded. The number of their bytes is to be set.
    fn placed(&self, Placed { address, shape, strides }: Placed) -> Data {
        // No copy of the whole: small slices are read by the million.
        Data {
            stream: self.stream.clone(),
            path: self.path.clone(),
            array: self.array,
            dtype: self.dtype.clone(),
            shape,
            strides,
            address,
            bytes: 0,
            filter: None,
            decoded: self.decoded.clone(),
            node: self.node.clone(),
            doc: self.doc,
            kept: self.kept.clone(),
            extent: self.extent.clone(),
            presented: Presented::default(),
        }
    }

    /// Elements of the same type at other places of the same bytes, like `as_strided` of numpy:
    /// for formats that declare the places of elements in another way than layouts. Nothing is read;
    /// a read checks the places. Filtered items are decoded.
    ///
    /// `address` is the address of the element with indices 0; `strides` are in bytes and may be negative.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1[6]")?.bytes(vec![1, 2, 3, 4, 5, 6])?;
    /// let x = stream.get("/x")?.data()?;
    /// let columns = x.as_strided(5, &[3, 2], &[-1, -3])?;
    /// assert_eq!(columns.read::<u8>()?.as_slice(), Some(&[6, 3, 5, 2, 4, 1][..]));
    /// assert!(x.as_strided(5, &[2], &[1])?.read::<u8>().is_err());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::WrongShape`] if there are not as many strides as dimensions; [`Error::TooLarge`] if an
    /// element has no address; [`Error::Variable`] for structs of variable size; [`Error::Filter`].
    pub fn as_strided(&self, address: u64, shape: &[u64], strides: &[i64]) -> Result<Data> {
        let placed = Placed { address, shape: shape.to_vec(), strides: strides.to_vec() };
        let mut data = Data { array: None, node: None, ..self.as_decoded()?.placed(placed) };
        data.bytes = data.region()?.byte_len();
        Ok(data)
    }

    /// The same array by another path, which messages then name.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[2, 2]")?.raw().bytes([0, 1, 0, 2, 0, 3, 0, 4])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert_eq!(data.named("/y").path(), "/y");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    #[must_use]
    pub fn named(self, path: impl Into<String>) -> Data {
        Data { path: path.into(), ..self }
    }

    /// Checks that the stream does not end before its last byte. Nothing is read.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1[9]")?.raw().bytes([7])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert!(data.check_there().is_err()); // the stream is cut off
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Truncated`].
    pub fn check_there(&self) -> Result<()> {
        let total = self.stream.source().len();
        let there = match (&self.decoded, &self.filter, &self.dtype) {
            (Some(Decoded::Filtered(_) | Decoded::Opened(_)), ..) => Ok(()),
            (Some(Decoded::Blocks(blocks)), ..) => {
                let (address, bytes) = blocks.furthest;
                crate::bytes::source::check(total, address, bytes)
            }
            (None, None, Dtype::Primitive(..) | Dtype::Record(_)) => {
                let region = self.region()?;
                let span = region.span();
                if region.is_empty() {
                    Ok(())
                } else {
                    crate::bytes::source::check(total, span.start, span.end - span.start)
                }
            }
            _ => crate::bytes::source::check(total, self.begin(), self.bytes),
        };
        there.map_err(|error| error.of_item(&self.path))
    }

    /// This, `second` and so on up to `last`, `count` in all, as one array with a dimension in
    /// front; `None` if they are not alike and equally far apart, or are more than plain elements.
    pub(crate) fn repeated(
        &self,
        second: &Data,
        last: &Data,
        count: u64,
        path: &str,
    ) -> Option<Data> {
        let plain = |data: &Data| {
            data.filter.is_none()
                && data.decoded.is_none()
                && data.array == self.array
                && (&data.shape, &data.strides) == (&self.shape, &self.strides)
                && data.constant().is_none()
        };
        let size = self.dtype.size().filter(|size| *size > 0)?;
        let stride = match count {
            1 => i128::from(self.bytes),
            _ => i128::from(second.address) - i128::from(self.address),
        };
        let reached = i128::from(self.address) + stride * i128::from(count - 1);
        if self.is_empty() || ![self, second, last].into_iter().all(plain) {
            return None;
        }
        let stride = i64::try_from(stride).ok().filter(|_| reached == i128::from(last.address))?;
        let mut data = self.clone();
        path.clone_into(&mut data.path);
        data.shape.insert(0, count);
        data.strides.insert(0, stride);
        data.bytes = data.len().ok()?.saturating_mul(size);
        data.presented = Presented::default();
        Some(data)
    }

    /// Whether its attribute `numpy` says that it is times.
    pub(crate) fn is_time(&self) -> bool {
        self.time().is_some()
    }

    /// The type and unit of its times from the attribute `numpy`: `M8[ns]`, `m8[s]`.
    pub(crate) fn time(&self) -> Option<&str> {
        time(self.stream.layout(), self.doc?)
    }

    /// The struct of variable size that it is made of.
    pub(crate) fn variable_record(&self) -> Option<RecordId> {
        match self.dtype {
            Dtype::Variable(id) => Some(id),
            _ => None,
        }
    }
}

fn dims(shape: &[u64]) -> Result<IxDyn> {
    let dims: Result<Vec<usize>> = shape.iter().map(|dim| crate::error::to_usize(*dim)).collect();
    Ok(IxDyn(&dims?))
}

fn array<T>(elements: Vec<T>, shape: &[u64]) -> Result<ArrayD<T>> {
    ArrayD::from_shape_vec(dims(shape)?, elements).map_err(|_| Error::too_large(u64::MAX))
}
