//! An array to be written: its elements, their type, and how it shall be stored.

use std::borrow::Cow;
use std::sync::Arc;

use dudley::elements::{Element, HOST};
use dudley::ndarray::{Array, Array1, ArrayBase, ArrayView1, Data as NdData, Dimension, IxDyn};
use dudley::{ByteOrder, Data, Primitive};

use crate::asdf::array::{Place, packed, within};
use crate::asdf::datatype::{Datatype, NUMPY};
use crate::asdf::error::Result;
use crate::asdf::write::compress::Compression;
use crate::asdf::write::dtypes;
use crate::asdf::write::pieces::{Elements, Packed, Pieces};
use crate::asdf::write::yaml::Yaml;

/// An array to be written, in a block or in the tree.
///
/// Elements are taken as they are where they are, and read when the file is written: from memory that is lent
/// or given, from an array of any stream ([`Self::data`]). Arrays made of one by [`Self::view`], and clones,
/// share its block.
///
/// ```
/// use asdf_bridge::asdf::{Builder, Compression, NewArray, Open};
/// use dudley::ByteOrder;
/// use dudley::ndarray::array;
///
/// let rho = array![[1.0_f32, 2.0], [3.0, 4.0]];
/// let rho = NewArray::in_order(&rho, ByteOrder::Big);
/// let bytes = Builder::new()
///     .put("rho", rho.clone())
///     .put("column", rho.view(4, &[2], &[8])?)
///     .put("ids", NewArray::from(vec![7_u16, 8]).compressed(Compression::zlib(6)))
///     .to_bytes()?;
/// let file = Open::new().bytes(bytes)?;
/// assert_eq!(file.array("/column")?.read::<f32>()?.as_slice(), Some(&[2.0, 4.0][..]));
/// assert_eq!(file.blocks()?.len(), 2);
/// # Ok::<(), asdf_bridge::asdf::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct NewArray<'a> {
    /// The bytes of the block that it is in, or would be.
    pub(crate) pieces: Arc<dyn Pieces + 'a>,
    pub(crate) datatype: Datatype,
    pub(crate) shape: Vec<u64>,
    /// Where its first element is in the block.
    pub(crate) offset: u64,
    /// Bytes from one index to the next; `None` if elements are side by side.
    pub(crate) strides: Option<Vec<i64>>,
    pub(crate) mask: Option<Box<NewMask<'a>>>,
    pub(crate) storage: Storage,
    pub(crate) compression: Option<Compression>,
    /// What else the tree says of it.
    pub(crate) entries: Vec<(Yaml<'a>, Yaml<'a>)>,
}

/// Where the elements of an array are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Storage {
    /// In a block, but in the tree if they are few.
    #[default]
    BySize,
    Inline,
    Block,
    /// In the streamed block at the end, as many rows as there are.
    Streamed,
}

/// Which elements of an array to be written have no value.
#[derive(Clone, Debug)]
pub enum NewMask<'a> {
    /// Those that are no number.
    Nan,
    /// Those that are this integer.
    Int(i128),
    /// Those that are this number, given as real and imaginary part.
    Number(f64, f64),
    /// Those where this array is true. Its shape may be one that is repeated.
    Array(NewArray<'a>),
}

impl<'a> NewArray<'a> {
    pub(crate) fn new(
        pieces: Arc<dyn Pieces + 'a>,
        datatype: Datatype,
        shape: Vec<u64>,
    ) -> NewArray<'a> {
        NewArray {
            pieces,
            datatype,
            shape,
            offset: 0,
            strides: None,
            mask: None,
            storage: Storage::BySize,
            compression: None,
            entries: Vec::new(),
        }
    }

    /// Elements of any type as bytes, row-major and packed, each in the byte order that its type says.
    ///
    /// # Errors
    /// [`dudley::Error::WrongLength`] if there are not as many bytes as the elements have.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, Datatype, Field, NewArray, Open};
    /// use dudley::{ByteOrder, Primitive};
    ///
    /// let field = |name: &str, primitive| Field {
    ///     name: name.to_owned(),
    ///     datatype: Datatype::Number(primitive, ByteOrder::Little),
    ///     shape: vec![],
    ///     numpy: None,
    /// };
    /// let row = Datatype::Record(vec![field("id", Primitive::U1), field("n", Primitive::U2)]);
    /// let table = NewArray::raw(row, &[2], vec![1, 7, 0, 2, 8, 0])?;
    /// let file = Open::new().bytes(Builder::new().put("table", table).to_bytes()?)?;
    /// let n = file.array("/table")?.data()?.field("n")?;
    /// assert_eq!(n.read::<u16>()?.as_slice(), Some(&[7, 8][..]));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn raw(
        datatype: Datatype,
        shape: &[u64],
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> Result<NewArray<'a>> {
        let bytes: Cow<'a, [u8]> = bytes.into();
        let size = datatype.size();
        let size =
            shape.iter().try_fold(size.unwrap_or(u64::MAX), |size, dim| size.checked_mul(*dim));
        if size == Some(bytes.len()) {
            Ok(NewArray::new(Arc::new(bytes), datatype, shape.to_vec()))
        } else {
            let expected = size.unwrap_or(u64::MAX);
            Err(dudley::Error::wrong_length(expected, bytes.len()).into())
        }
    }

    /// An array of the engine, in the byte order that it has; it is read when the file is written. The last
    /// dimension of text counts the characters of one; that of UTF-8 and UTF-16 becomes UCS-4, and is read now. What
    /// stands between the fields of structs is left out, as ASDF has no padding. The attribute `numpy` is kept: see
    /// [`Array::numpy`](crate::asdf::array::Array::numpy).
    ///
    /// # Errors
    /// [`Error::Unwritable`](crate::asdf::Error::Unwritable) for types that ASDF does not have; if reading text fails.
    pub fn data(data: &Data) -> Result<NewArray<'a>> {
        if let Some((Primitive::Utf8 | Primitive::Utf16, _)) = data.dtype().primitive() {
            let texts = data.read_texts()?;
            let shape = texts.shape().iter().map(|dim| *dim as u64).collect();
            let texts: Vec<String> = texts.into_iter().collect();
            return Ok(NewArray { shape, ..NewArray::ucs4(&texts) });
        }
        let mut shape = data.shape().to_vec();
        let dtype = data.dtype();
        let datatype = dtypes::datatype(dtype, data.layout(), &mut shape, data.path())?;
        let pieces: Arc<dyn Pieces> = match dtypes::gaps(dtype) {
            None => Arc::new(data.clone()),
            Some(packed) => Arc::new(Packed { data: data.clone(), packed }),
        };
        let meant = dtypes::meant(data.attributes(), &datatype);
        let array = NewArray::new(pieces, datatype, shape);
        Ok(match meant {
            Some(numpy) => array.with(NUMPY, numpy),
            None => array,
        })
    }

    /// An array of as many rows as the file will have at its end, each of this shape: see
    /// [`Builder::begin`](crate::asdf::Builder::begin). A file has one block of such, which all such arrays
    /// look at.
    pub fn streamed(datatype: Datatype, row: &[u64]) -> NewArray<'a> {
        let nothing: Cow<'a, [u8]> = Cow::Borrowed(&[]);
        let array = NewArray::new(Arc::new(nothing), datatype, row.to_vec());
        NewArray { storage: Storage::Streamed, ..array }
    }

    /// An array of texts: of ASCII if all are, else of UCS-4; all as long as the longest.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray, Open};
    ///
    /// let names = NewArray::texts(&["Erde", "Mond"]);
    /// let file = Open::new().bytes(Builder::new().put("names", names).to_bytes()?)?;
    /// assert_eq!(file.array("/names")?.read_texts()?[[1]], "Mond");
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn texts<S: AsRef<str>>(texts: &[S]) -> NewArray<'a> {
        let (longest, units) = units_of(texts);
        if !texts.iter().all(|text| text.as_ref().is_ascii()) {
            return NewArray::ucs4(texts);
        }
        let bytes: Cow<'a, [u8]> =
            units.into_iter().map(|unit| unit as u8).collect::<Vec<_>>().into();
        let datatype = Datatype::Text(Primitive::S1, longest, ByteOrder::Big);
        NewArray::new(Arc::new(bytes), datatype, vec![texts.len() as u64])
    }

    /// Texts of UCS-4, all as long as the longest.
    fn ucs4<S: AsRef<str>>(texts: &[S]) -> NewArray<'a> {
        let (longest, units) = units_of(texts);
        let mut array = NewArray::from(units);
        array.datatype = Datatype::Text(Primitive::Utf32, longest, HOST);
        array.shape = vec![texts.len() as u64];
        array
    }

    /// Elements in a byte order; [`From`] takes that of the machine.
    ///
    /// ```
    /// use asdf_bridge::asdf::NewArray;
    /// use dudley::{ByteOrder, ndarray::array};
    ///
    /// let rho = array![[1.0_f32, 2.0], [3.0, 4.0]];
    /// let rho = NewArray::in_order(&rho, ByteOrder::Big);
    /// assert_eq!(rho.shape(), [2, 2]);
    /// ```
    pub fn in_order<T: Element, S: NdData<Elem = T>, D: Dimension>(
        elements: &'a ArrayBase<S, D>,
        order: ByteOrder,
    ) -> NewArray<'a> {
        NewArray::of(elements.view().into_dyn(), order)
    }

    /// Elements that stand side by side in memory, in whatever order of dimensions, stay so.
    fn of<T: Element, S>(array: ArrayBase<S, IxDyn>, order: ByteOrder) -> NewArray<'a>
    where
        S: NdData<Elem = T> + Send + Sync + 'a,
        ArrayBase<S, IxDyn>: Send + Sync,
    {
        let shape: Vec<u64> = array.shape().iter().map(|dim| *dim as u64).collect();
        let datatype = Datatype::Number(T::PRIMITIVE, order);
        let mut axes: Vec<usize> = (0..array.ndim()).collect();
        axes.sort_by_key(|axis| std::cmp::Reverse(array.strides()[*axis]));
        let as_stored = array.view().permuted_axes(axes.clone()).is_standard_layout();
        if array.is_standard_layout() || !as_stored {
            return NewArray::new(Arc::new(Elements { array, order }), datatype, shape);
        }
        let mut strides = vec![0; shape.len()];
        let mut stride = T::SIZE as i64;
        for axis in axes.iter().rev() {
            strides[*axis] = stride;
            // All of them are in memory.
            stride *= shape[*axis] as i64;
        }
        let pieces = Arc::new(Elements { array: array.permuted_axes(axes), order });
        NewArray { strides: Some(strides), ..NewArray::new(pieces, datatype, shape) }
    }

    /// The same elements seen otherwise, in the same block: the first one at `offset` bytes of it, and with
    /// `strides` bytes from one index to the next, which may be negative.
    ///
    /// # Errors
    /// [`Error::OutOfBlock`](crate::asdf::Error::OutOfBlock) if an element would not be in the block.
    pub fn view(&self, offset: u64, shape: &[u64], strides: &[i64]) -> Result<NewArray<'a>> {
        let size = self.datatype.size().ok_or_else(|| dudley::Error::too_large(u64::MAX))?;
        let place = Place { address: offset, shape, strides };
        within("a view", 0, &place, size, self.pieces.len())?;
        let strides = Some(strides.to_vec());
        Ok(NewArray { offset, shape: shape.to_vec(), strides, mask: None, ..self.clone() })
    }

    /// In the tree, however many elements there are.
    #[must_use]
    pub fn inline(mut self) -> NewArray<'a> {
        self.storage = Storage::Inline;
        self
    }

    /// In a block, however few elements there are.
    #[must_use]
    pub fn block(mut self) -> NewArray<'a> {
        self.storage = Storage::Block;
        self
    }

    /// In a compressed block; of arrays that share one the first that is compressed decides.
    #[must_use]
    pub fn compressed(mut self, compression: Compression) -> NewArray<'a> {
        self.compression = Some(compression);
        self
    }

    /// With a mask: these elements have no value.
    #[must_use]
    pub fn masked(mut self, mask: NewMask<'a>) -> NewArray<'a> {
        self.mask = Some(Box::new(mask));
        self
    }

    /// With one more entry of its node in the tree, beside those of the standard.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl Into<Yaml<'a>>) -> NewArray<'a> {
        self.entries.push((key.into(), value.into()));
        self
    }

    /// Elements in each dimension, slowest varying first.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// The type of its elements.
    pub fn datatype(&self) -> &Datatype {
        &self.datatype
    }

    /// Whether it has as many rows as the file will have.
    pub(crate) fn is_streamed(&self) -> bool {
        self.storage == Storage::Streamed
    }

    /// Its strides, if they are not those of elements side by side.
    pub(crate) fn odd_strides(&self) -> Option<&[i64]> {
        let strides = self.strides.as_deref()?;
        let packed = packed(&self.shape, self.datatype.size());
        let empty = self.shape.contains(&0);
        (!empty && packed.is_ok_and(|packed| packed != strides)).then_some(strides)
    }
}

/// The characters of texts, with zeros behind each up to the length of the longest, and that length: 1 at least.
fn units_of<S: AsRef<str>>(texts: &[S]) -> (u64, Vec<u32>) {
    let count = |text: &S| text.as_ref().chars().count();
    let longest = texts.iter().map(count).max().unwrap_or(0).max(1);
    let mut units = Vec::with_capacity(texts.len().saturating_mul(longest));
    for text in texts {
        let end = units.len() + longest;
        units.extend(text.as_ref().chars().map(u32::from));
        units.resize(end, 0);
    }
    (longest as u64, units)
}

impl<T: Element> From<Vec<T>> for NewArray<'_> {
    /// An array of one dimension.
    fn from(elements: Vec<T>) -> Self {
        NewArray::of(Array1::from(elements).into_dyn(), HOST)
    }
}

impl<'a, T: Element> From<&'a [T]> for NewArray<'a> {
    /// An array of one dimension, lent.
    fn from(elements: &'a [T]) -> Self {
        NewArray::of(ArrayView1::from(elements).into_dyn(), HOST)
    }
}

impl<'a, T: Element, S: NdData<Elem = T>, D: Dimension> From<&'a ArrayBase<S, D>> for NewArray<'a> {
    /// An array, lent; in the order of dimensions that it has in memory.
    fn from(array: &'a ArrayBase<S, D>) -> Self {
        NewArray::in_order(array, HOST)
    }
}

impl<T: Element, D: Dimension> From<Array<T, D>> for NewArray<'_> {
    /// An array, given; in the order of dimensions that it has in memory.
    fn from(array: Array<T, D>) -> Self {
        NewArray::of(array.into_dyn(), HOST)
    }
}
