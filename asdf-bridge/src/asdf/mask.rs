//! Elements without a value: which they are, and null in their place where values are shown.

use std::sync::Arc;

use dudley::convert::Conversion;
use dudley::element::f16;
use dudley::ndarray::{ArrayD, Dimension, IxDyn};
use dudley::num_complex::Complex;
use dudley::value::{Scalar as Shown, Sink};
use dudley::{Data, Primitive};

use super::array::Array;
use super::chunked::Chunked;
use super::error::Result;
use super::file::AsdfFile;
use super::inline::complex_of;
use super::ndarray::is_array;
use super::tree::{Node, Scalar};

/// Which elements of an array have no value.
#[derive(Clone, Debug)]
pub enum Mask {
    /// Those that are no number.
    Nan,
    /// Those that are this integer.
    Int(i128),
    /// Those that are this number, given as real and imaginary part.
    Number(f64, f64),
    /// Those where this array is true. Its shape may be one that is repeated.
    Array(Box<Array>),
    /// Those that stand as null in the tree.
    Nulls(ArrayD<bool>),
    /// Those that have no value in their chunk.
    Chunks(Arc<Chunked>),
}

/// What the tree says under `mask`.
pub(super) fn parse(file: &AsdfFile, node: Node<'_>, path: &str) -> Result<Mask> {
    if is_array(node) {
        let path = format!("{path}/mask");
        return Ok(Mask::Array(Box::new(Array::of(file, node, &path)?)));
    }
    if let Some((re, im)) = complex_of(node) {
        return Ok(Mask::Number(re, im));
    }
    match node.scalar() {
        Some(Scalar::Int(value)) => Ok(Mask::Int(value)),
        Some(Scalar::Float(value)) if value.is_nan() => Ok(Mask::Nan),
        Some(Scalar::Float(value)) => Ok(Mask::Number(value, 0.0)),
        _ => Err(node.error(path, "a mask: a number or an array")),
    }
}

impl Mask {
    /// For each element of an array whether it has no value.
    ///
    /// # Errors
    /// What reading says; [`dudley::Error::WrongShape`] for a mask of another shape;
    /// [`dudley::Error::NotPrimitive`] for a number that should mask structs.
    pub fn read(&self, array: &Array) -> Result<ArrayD<bool>> {
        self.of(&array.held()?, array.shape())
    }

    /// As [`Self::read`], of elements of a shape: of texts the data have a dimension more.
    pub(super) fn of(&self, data: &Data, shape: &[u64]) -> Result<ArrayD<bool>> {
        let masked = match self {
            Mask::Nulls(nulls) => nulls.clone(),
            Mask::Chunks(chunked) => chunked.masked()?,
            Mask::Array(mask) => repeated(mask, shape)?,
            Mask::Nan => {
                let values = data.read_as::<Complex<f64>>(Conversion::Lossy)?;
                values.mapv(|value| value.re.is_nan() || value.im.is_nan())
            }
            Mask::Number(re, im) => {
                let (re, im) = (rounded(*re, data), rounded(*im, data));
                let values = data.read_as::<Complex<f64>>(Conversion::Lossy)?;
                values.mapv(|value| value.re == re && value.im == im)
            }
            Mask::Int(wanted) => integers(data, *wanted)?,
        };
        let found: Vec<u64> = masked.shape().iter().map(|dim| *dim as u64).collect();
        match found == shape {
            true => Ok(masked),
            // A number for elements that are several bytes, or texts.
            false => Err(dudley::Error::wrong_shape("a mask", shape, &found).into()),
        }
    }
}

/// A number as elements of a type hold it: 0.1 is not one of those of 4 bytes.
fn rounded(number: f64, data: &Data) -> f64 {
    match data.dtype().primitive() {
        Some((Primitive::F2 | Primitive::C4, _)) => f16::from_f64(number).to_f64(),
        Some((Primitive::F4 | Primitive::C8, _)) => f64::from(number as f32),
        _ => number,
    }
}

/// Integers are compared as such, so that large ones are not rounded.
fn integers(data: &Data, wanted: i128) -> Result<ArrayD<bool>> {
    let primitive = data.dtype().primitive().map(|(primitive, _)| primitive);
    Ok(match primitive {
        Some(Primitive::U8) => data.read::<u64>()?.mapv(|value| i128::from(value) == wanted),
        Some(Primitive::F2 | Primitive::F4 | Primitive::F8)
        | Some(Primitive::C4 | Primitive::C8 | Primitive::C16) => {
            let values = data.read_as::<Complex<f64>>(Conversion::Lossy)?;
            values.mapv(|value| value.re == wanted as f64 && value.im == 0.0)
        }
        _ => data.read_as::<i64>(Conversion::Lossless)?.mapv(|value| i128::from(value) == wanted),
    })
}

/// The elements of a mask, repeated to the shape of what they mask, as numpy does.
fn repeated(mask: &Array, shape: &[u64]) -> Result<ArrayD<bool>> {
    let own = match mask.data()?.dtype().primitive() {
        Some((Primitive::B1, _)) => mask.read::<bool>()?,
        _ => mask.read_as::<i64>(Conversion::Lossless)?.mapv(|value| value != 0),
    };
    let wrong = || dudley::Error::wrong_shape(mask.path(), shape, mask.shape());
    let dims: Option<Vec<usize>> = shape.iter().map(|dim| usize::try_from(*dim).ok()).collect();
    let dims = IxDyn(&dims.ok_or_else(wrong)?);
    // The data were seen to be there, and have as many elements.
    let there = dims.size_checked().is_some();
    let view = own.broadcast(dims).filter(|_| there).ok_or_else(wrong)?;
    Ok(view.to_owned())
}

/// A sink that puts null in the place of masked elements of one array.
pub(super) struct Masked<'s, I> {
    inner: &'s mut dyn Sink,
    masked: I,
    /// Dimensions of the array.
    rank: usize,
    /// Arrays and structs that are open.
    depth: usize,
    /// The depth at which a masked element began that is left out.
    hidden: Option<usize>,
}

impl<'s, I: Iterator<Item = bool>> Masked<'s, I> {
    pub(super) fn new(inner: &'s mut dyn Sink, masked: I, rank: usize) -> Self {
        Masked { inner, masked, rank, depth: 0, hidden: None }
    }

    /// Whether what begins here is left out. An element is asked for once.
    fn hides(&mut self) -> dudley::Result<bool> {
        if self.hidden.is_some() {
            return Ok(true);
        }
        if self.depth != self.rank || !self.masked.next().unwrap_or(false) {
            return Ok(false);
        }
        self.inner.scalar(Shown::Null)?;
        self.hidden = Some(self.depth);
        Ok(true)
    }

    /// Something is complete; a masked element that it is ends.
    fn complete(&mut self) {
        if self.hidden == Some(self.depth) {
            self.hidden = None;
        }
    }

    fn end(&mut self, end: impl FnOnce(&mut dyn Sink) -> dudley::Result<()>) -> dudley::Result<()> {
        self.depth -= 1;
        match self.hidden {
            Some(_) => self.complete(),
            None => end(self.inner)?,
        }
        Ok(())
    }
}

impl<I: Iterator<Item = bool>> Sink for Masked<'_, I> {
    fn scalar(&mut self, value: Shown<'_>) -> dudley::Result<()> {
        match self.hides()? {
            true => self.complete(),
            false => self.inner.scalar(value)?,
        }
        Ok(())
    }

    fn begin_array(&mut self, length: u64) -> dudley::Result<()> {
        let hidden = self.hides()?;
        self.depth += 1;
        if hidden { Ok(()) } else { self.inner.begin_array(length) }
    }

    fn end_array(&mut self) -> dudley::Result<()> {
        self.end(|inner| inner.end_array())
    }

    fn begin_struct(&mut self) -> dudley::Result<()> {
        let hidden = self.hides()?;
        self.depth += 1;
        if hidden { Ok(()) } else { self.inner.begin_struct() }
    }

    fn field(&mut self, name: &str) -> dudley::Result<()> {
        if self.hidden.is_some() { Ok(()) } else { self.inner.field(name) }
    }

    fn end_struct(&mut self) -> dudley::Result<()> {
        self.end(|inner| inner.end_struct())
    }
}
