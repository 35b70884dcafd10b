//! An n-dimensional array in a frame: its shape, how it is cut, what its elements are, and parts of it.

mod bands;
mod cut;
mod dtype;
mod edit;
mod flat;
pub(super) mod grid;
mod literal;
mod pack;
mod part;
mod read;
mod scatter;
mod shapes;
mod write;

use std::sync::Arc;

use dudley::elements::Element;
use dudley::ndarray::ArrayD;
use dudley::read::slice::{Index, Picked, parse_slice, resolve};
use dudley::{ByteOrder, Data, Primitive};

pub use edit::ArrayEditor;
pub use write::{ArrayWriter, NewArray};

use super::chunk::{Chunk, damaged_chunk};
use super::error::{Error, Part, Result};
use super::frame::Frame;
use super::frame::b2nd::Meta;
use super::memory;

use dtype::Type;
use grid::unravel;

/// An array in a frame, cut into chunks and those into blocks. Cheap to clone.
///
/// ```no_run
/// use asdf_bridge::blosc2::Frame;
///
/// let frame = Frame::open("rho.b2nd")?;
/// if let Some(rho) = frame.array()? {
///     println!("{:?} of {}, in chunks of {:?}", rho.shape(), rho.dtype(), rho.chunks());
///     let plane = rho.slice::<f64>("10, ::2")?;
///     println!("{}", plane.sum());
/// }
/// # Ok::<(), asdf_bridge::blosc2::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct NdArray {
    frame: Frame,
    meta: Arc<Meta>,
    chunk_grid: Vec<u64>,
    block_grid: Vec<u64>,
    block_bytes: usize,
    dtype: String,
    element: Type,
}

impl Frame {
    /// The array in it, as its metalayer `b2nd` describes it; `None` where there is no such metalayer.
    ///
    /// # Errors
    /// [`Error::Damaged`] where the metalayer and the frame do not fit each other.
    pub fn array(&self) -> Result<Option<NdArray>> {
        NdArray::of_frame(self)
    }
}

impl NdArray {
    fn of_frame(frame: &Frame) -> Result<Option<NdArray>> {
        let Some(meta) = Meta::read(frame.source(), frame.metalayers())? else { return Ok(None) };
        meta.check(frame)?;
        let empty = meta.is_empty();
        let size = frame.typesize() as u64;
        let dtype = meta.dtype.clone().unwrap_or_else(|| match size {
            1 => "|u1".to_owned(),
            size => format!("|V{size}"),
        });
        // What is no dtype that is known is shown as the bytes that it is.
        let known = |element: &Type| element.size == size && element.repeated().is_none();
        let element = Type::parse(&dtype).filter(known);
        Ok(Some(NdArray {
            frame: frame.clone(),
            chunk_grid: if empty { Vec::new() } else { meta.chunk_grid() },
            block_grid: if empty { Vec::new() } else { meta.block_grid() },
            // Checked against the frame, whose blocks are of less than 2 GiB.
            block_bytes: meta.blocks.iter().fold(size, |total, dim| total.saturating_mul(*dim))
                as usize,
            meta: Arc::new(meta),
            element: element.unwrap_or_else(|| Type::bytes(size)),
            dtype,
        }))
    }

    /// Its shape, in elements, slowest dimension first.
    pub fn shape(&self) -> &[u64] {
        &self.meta.shape
    }

    /// The shape of a chunk, in elements.
    pub fn chunks(&self) -> &[u64] {
        &self.meta.chunks
    }

    /// The shape of a block, in elements.
    pub fn blocks(&self) -> &[u64] {
        &self.meta.blocks
    }

    /// The type of its elements as numpy writes it: a string such as `<f8`, or the description of a
    /// structured type.
    pub fn dtype(&self) -> &str {
        &self.dtype
    }

    /// The type of its elements in the layout language, with the dimensions that texts and raw bytes
    /// add behind those of the array.
    ///
    /// ```no_run
    /// # let array = asdf_bridge::blosc2::Frame::open("a.b2nd")?.array()?.expect("an array");
    /// // Of numpy's `<U5`.
    /// assert_eq!(array.layout_type(), ("<U4".to_owned(), vec![5]));
    /// # Ok::<(), asdf_bridge::blosc2::Error>(())
    /// ```
    pub fn layout_type(&self) -> (String, Vec<u64>) {
        (self.element.text(), self.element.dims.clone())
    }

    /// The frame it is in.
    pub fn frame(&self) -> &Frame {
        &self.frame
    }

    /// Reads a slice such as `10:20, ::2, -1`, as bytes in their order in the frame, row-major, and
    /// its shape. Only the touched blocks are decoded.
    ///
    /// # Errors
    /// [`Error::Range`] for a slice that does not fit; [`Error::Limit`]; what is wrong with a chunk that
    /// it touches.
    pub fn slice_bytes(&self, slice: &str) -> Result<(Vec<u64>, Vec<u8>)> {
        self.bytes_of(&parsed(slice)?)
    }

    /// As [`Self::slice_bytes`], of indices; none of them is all.
    ///
    /// # Errors
    /// As [`Self::slice_bytes`].
    pub fn bytes_of(&self, indices: &[Index]) -> Result<(Vec<u64>, Vec<u8>)> {
        let (picked, shape) = self.picks(indices)?;
        Ok((shape, self.bytes_picked(&picked)?))
    }

    /// The shape of what indices pick; nothing is decoded.
    ///
    /// # Errors
    /// [`Error::Range`] for a slice that does not fit.
    pub fn shape_of(&self, indices: &[Index]) -> Result<Vec<u64>> {
        Ok(self.picks(indices)?.1)
    }

    /// Fills a buffer of exactly as many bytes with what indices pick, row-major.
    ///
    /// # Errors
    /// As [`Self::slice_bytes`].
    pub fn read_bytes_into(&self, indices: &[Index], buffer: &mut [u8]) -> Result<()> {
        let (picked, _, len) = self.picked(indices)?;
        if buffer.len() as u64 != len {
            let why = format!("expected {len} bytes, found {}", buffer.len());
            return Err(Error::Range(why.into()));
        }
        read::read(self, &picked, buffer)
    }

    /// All its elements.
    ///
    /// # Errors
    /// [`Error::WrongType`]; else as [`Self::slice_bytes`].
    pub fn read<T: Element>(&self) -> Result<ArrayD<T>> {
        self.elements(&[])
    }

    /// A slice, as numpy picks it.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn slice<T: Element>(&self, slice: &str) -> Result<ArrayD<T>> {
        self.elements(&parsed(slice)?)
    }

    fn elements<T: Element>(&self, indices: &[Index]) -> Result<ArrayD<T>> {
        let wrong =
            || Error::WrongType { expected: T::NAME.into(), found: self.dtype.as_str().into() };
        let (primitive, order) = self.element.primitive().ok_or_else(wrong)?;
        T::check(primitive).map_err(|_| wrong())?;
        let (picked, mut shape, len) = self.picked(indices)?;
        shape.extend(&self.element.dims);
        let mut elements = memory::elements::<T>(len)?;
        let mut failed = None;
        let decoded = T::decode_with(&mut elements, order, |bytes| {
            failed = read::read(self, &picked, bytes).err();
            Ok(())
        });
        if let Some(error) = failed {
            return Err(error);
        }
        let engine = Error::engine(Part::Array);
        decoded.map_err(&engine)?;
        let dims: Vec<usize> = shape.iter().map(|dim| *dim as usize).collect();
        let shape_error = |_| engine(dudley::Error::wrong_shape("/data", &shape, &[]));
        ArrayD::from_shape_vec(dims, elements).map_err(shape_error)
    }

    /// Reads indices into an array of the engine, in memory: for text, structs, and values of any type.
    ///
    /// # Errors
    /// As [`Self::slice_bytes`].
    pub fn data(&self, indices: &[Index]) -> Result<Data> {
        let (shape, bytes) = self.bytes_of(indices)?;
        let data = self.element.parts(&shape).path("/data").data(bytes);
        data.map_err(Error::engine(Part::Array))
    }

    /// Whether indices are all those of the array: dimensions that its type adds are not.
    pub fn takes(&self, indices: &[Index]) -> bool {
        self.layout_type().1.is_empty() || indices.len() <= self.shape().len()
    }

    /// The array of a frame whose dtype fits too, so that the elements can be read as what they are.
    pub(super) fn fitting(frame: &Frame) -> Result<Option<NdArray>> {
        let array = NdArray::of_frame(frame)?;
        array.as_ref().map_or(Ok(()), NdArray::check_dtype)?;
        Ok(array)
    }

    /// The indices that are in a chunk, along each dimension; some of the last ones may not be there.
    pub(super) fn chunk_ranges(&self, number: u64) -> Vec<std::ops::Range<u64>> {
        let index = unravel(number, &self.chunk_grid);
        let along = index.into_iter().zip(&self.meta.chunks).map(|(at, length)| {
            let start = at.saturating_mul(*length);
            start..start.saturating_add(*length)
        });
        along.collect()
    }

    /// Checks that its dtype, if it is [known](Self::knows_dtype), has as many bytes as the frame says of elements, and no two
    /// fields of one name. What is otherwise is read as raw bytes.
    ///
    /// ```
    /// let array = asdf_bridge::blosc2::Frame::open("tests/small.b2nd")?.array()?.expect("an array");
    /// array.check_dtype()?;
    /// # Ok::<(), asdf_bridge::blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Damaged`], with the address of the dtype.
    pub fn check_dtype(&self) -> Result<()> {
        let Some(element) = Type::parse(&self.dtype) else { return Ok(()) };
        let damaged = |expected: String, found: String| {
            Err(Error::damaged(Part::Array, self.meta.dtype_address, expected, found))
        };
        let size = self.frame.typesize() as u64;
        match element.repeated() {
            _ if element.size != size => damaged(
                format!("a dtype of {size} bytes, as elements have"),
                format!("`{}` of {}", self.dtype, element.size),
            ),
            Some(name) => damaged("fields of different names".into(), format!("`{name}` twice")),
            None => Ok(()),
        }
    }

    /// Whether it is known what its elements are; else they are bytes.
    pub fn knows_dtype(&self) -> bool {
        Type::parse(&self.dtype).is_some()
    }

    /// Checks that a chunk is cut into blocks as the array is.
    ///
    /// # Errors
    /// [`Error::Damaged`], with the address in the chunk.
    pub(super) fn check_blocks(&self, chunk: &Chunk<'_>) -> Result<()> {
        let expected = self.block_bytes as u64;
        let fits = if chunk.has_variable_blocks() {
            (0..chunk.block_count()).all(|block| chunk.block_range(block).len() as u64 == expected)
        } else {
            // All chunks of an array are whole blocks.
            chunk.blocksize() == expected
        };
        if fits {
            return Ok(());
        }
        let expected = format!("blocks of {expected} bytes, as of the array");
        Err(damaged_chunk("blocksize", expected, chunk.blocksize()))
    }

    /// The bytes of an element that is not there: NaN of floats, zeros of others.
    pub(super) fn missing(&self) -> Vec<u8> {
        let nan: &[u8] = match self.element.primitive().filter(|_| self.element.dims.is_empty()) {
            Some((Primitive::F2, _)) => &[0x7e, 0],
            Some((Primitive::F4 | Primitive::C8, _)) => &[0x7f, 0xc0, 0, 0],
            Some((Primitive::F8 | Primitive::C16, _)) => &[0x7f, 0xf8, 0, 0, 0, 0, 0, 0],
            _ => return vec![0; self.frame.typesize()],
        };
        let mut one = nan.to_vec();
        if !matches!(self.element.primitive(), Some((_, ByteOrder::Big))) {
            one.reverse();
        }
        one.repeat(self.frame.typesize() / one.len())
    }

    /// How many blocks each of its chunks has.
    pub(super) fn blocks_of_chunk(&self) -> u64 {
        self.block_grid.iter().product()
    }

    /// How an item of its elements is declared in a layout.
    pub(super) fn declared(&self, shape: &[u64]) -> String {
        self.element.shaped(shape)
    }

    /// What stands behind the declaration of such an item, an attribute or nothing.
    pub(super) fn attribute(&self) -> String {
        self.element.attribute()
    }

    /// What indices pick of each dimension, the shape of it, and its bytes, of which there are no more than are
    /// allowed.
    fn picked(&self, indices: &[Index]) -> Result<(Vec<Picked>, Vec<u64>, u64)> {
        let (picked, shape) = self.picks(indices)?;
        let len = self.bytes_in(&picked)?;
        Ok((picked, shape, len))
    }

    /// What indices pick of each dimension, and the shape of it, however many bytes that has.
    fn picks(&self, indices: &[Index]) -> Result<(Vec<Picked>, Vec<u64>)> {
        let picked = resolve(indices, &self.meta.shape)
            .map_err(|error| Error::Range(error.to_string().into()))?;
        let shape = picked.iter().filter(|picked| !picked.single).map(|picked| picked.count);
        let shape = shape.collect();
        Ok((picked, shape))
    }

    /// The bytes of what is picked.
    fn bytes_picked(&self, picked: &[Picked]) -> Result<Vec<u8>> {
        let mut bytes = memory::zeros(self.bytes_in(picked)?)?;
        read::read(self, picked, &mut bytes)?;
        Ok(bytes)
    }

    /// How many bytes it has, which are no more than are allowed.
    fn bytes_in(&self, picked: &[Picked]) -> Result<u64> {
        // Not more than the array, whose bytes were found to fit.
        let count: u64 = picked.iter().map(|picked| picked.count).product();
        let len = count * self.frame.typesize() as u64;
        memory::within(len, self.frame.limit())?;
        Ok(len)
    }
}

fn parsed(slice: &str) -> Result<Vec<Index>> {
    parse_slice(slice).map_err(|why| Error::Range(format!("bad slice: {why}").into()))
}
