//! Elements without a value: which they are, and null in their place where values are shown.

use std::sync::Arc;

use dudley::elements::{Conversion, Scalar as Shown, Sink, f16};
use dudley::ndarray::{ArrayD, Dimension, IxDyn};
use dudley::num_complex::Complex;
use dudley::{Data, Primitive};

use crate::asdf::array::Array;
use crate::asdf::array::chunked::Chunked;
use crate::asdf::array::missing::{Elements, Missing, cells_of};
use crate::asdf::datatype::{Datatype, Field};
use crate::asdf::error::Result;
use crate::asdf::file::AsdfFile;
use crate::asdf::ndarray::is_array;
use crate::asdf::tag::complex_of;
use crate::asdf::tree::{Node, Scalar};

/// Which elements of an array have no value.
#[derive(Clone, Debug)]
pub enum Mask {
    /// Those that are no number.
    Nan,
    /// Those that are this integer.
    Int(i128),
    /// Those that are this number, given as real and imaginary part.
    Number(f64, f64),
    /// Those where this array is true. Its shape may be one that is repeated. Structs may have a mask of structs of
    /// booleans with the same fields.
    Array(Box<Array>),
    /// Those that stand as null in the tree.
    Nulls(Missing),
    /// Those that have no value in their chunk.
    Chunks(Arc<Chunked>),
}

/// What the tree says under `mask`.
pub(crate) fn parse(file: &AsdfFile, node: Node<'_>, path: &str) -> Result<Mask> {
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
    /// If reading fails; [`dudley::Error::WrongShape`] for a mask of another shape;
    /// [`dudley::Error::NotPrimitive`] for a number that should mask structs; [`super::Error::Node`] for structs of which
    /// some cells have a value and others not.
    pub fn read(&self, array: &Array) -> Result<ArrayD<bool>> {
        array.whole(&self.of(&array.elements(&array.held()?))?)
    }

    /// Which elements have no value, or which of their cells.
    pub(crate) fn of(&self, elements: &Elements<'_>) -> Result<Missing> {
        let data = elements.data;
        let masked = match self {
            Mask::Nulls(nulls) => return Ok(nulls.clone()),
            Mask::Chunks(chunked) => return chunked.missing(elements),
            Mask::Array(mask) => return repeated(&mask.booleans_of(elements)?, elements),
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
        // A number for elements that are several bytes, or texts, gives another shape.
        elements.of_each(masked)
    }
}

/// What an array of a mask says.
pub(crate) enum Booleans {
    /// Of each element.
    OfElements(ArrayD<bool>),
    /// Of each cell of structs, which are its last dimension.
    OfCells(ArrayD<bool>),
}

impl Array {
    /// What it says as the mask of some elements.
    fn booleans_of(&self, elements: &Elements<'_>) -> Result<Booleans> {
        let data = self.data()?;
        Ok(match (self.datatype(), data.dtype().primitive()) {
            (Datatype::Record(_), _) => {
                if !masks(self.datatype(), elements.datatype) {
                    return Err(self.node()?.error(self.path(), OF_STRUCTS));
                }
                Booleans::OfCells(cells_of(&data)?)
            }
            (_, Some((Primitive::B1, _))) => Booleans::OfElements(self.read::<bool>()?),
            _ => {
                let numbers = self.read_as::<i64>(Conversion::Lossless)?;
                Booleans::OfElements(numbers.mapv(|value| value != 0))
            }
        })
    }
}

/// What the mask of structs is.
pub(crate) const OF_STRUCTS: &str =
    "a mask of booleans, or of structs of booleans with the fields of the array";

/// Whether elements of a type are masks of structs of another one: structs of booleans with the same fields.
pub(crate) fn masks(mask: &Datatype, of: &Datatype) -> bool {
    let same = |(one, other): (&Field, &Field)| {
        one.name == other.name && one.shape == other.shape && masks(&one.datatype, &other.datatype)
    };
    match (mask, of) {
        (Datatype::Record(own), Datatype::Record(fields)) => {
            own.len() == fields.len() && own.iter().zip(fields).all(same)
        }
        (Datatype::Number(Primitive::B1, _), Datatype::Record(_) | Datatype::Wide(_)) => false,
        (Datatype::Number(Primitive::B1, _), _) => true,
        _ => false,
    }
}

/// What a mask says, repeated to the shape of what it masks, as numpy does.
pub(crate) fn repeated(mask: &Booleans, elements: &Elements<'_>) -> Result<Missing> {
    let shape = elements.shape;
    let (own, inner, dims) = match mask {
        Booleans::OfElements(own) => (own, 0, shape.iter().map(|dim| *dim as usize).collect()),
        Booleans::OfCells(own) => (own, 1, elements.dims()?),
    };
    let own_shape = &own.shape()[..own.ndim() - inner];
    let found: Vec<u64> = own_shape.iter().map(|dim| *dim as u64).collect();
    let path = format!("{}/mask", elements.path);
    let wrong = || dudley::Error::wrong_shape(&path, shape, &found);
    let dims = IxDyn(&dims);
    // The data were seen to be there, and have as many elements.
    let there = dims.size_checked().is_some();
    let view = own.broadcast(dims).filter(|_| there).ok_or_else(wrong)?.to_owned();
    match inner {
        0 => elements.of_each(view),
        _ => Ok(Missing::new(view, true)),
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

/// A sink that puts null in place of masked elements of one array, and of masked cells of its structs.
pub(crate) struct Masked<'s, 'm> {
    inner: &'s mut dyn Sink,
    cells: dudley::ndarray::iter::Iter<'m, bool, IxDyn>,
    /// Cells of a struct; `None` where elements are no structs.
    of_struct: Option<usize>,
    /// What is left of those of the struct that is open.
    left: std::vec::IntoIter<bool>,
    /// Dimensions of the array.
    rank: usize,
    /// Arrays and structs that are open.
    depth: usize,
    /// The depth at which a masked element began that is left out.
    hidden: Option<usize>,
}

impl<'s, 'm> Masked<'s, 'm> {
    pub(crate) fn new(inner: &'s mut dyn Sink, missing: &'m Missing) -> Self {
        let cells = missing.cells();
        let (rank, of_struct) = if missing.is_of_structs() {
            (cells.ndim() - 1, cells.shape().last().copied())
        } else {
            (cells.ndim(), None)
        };
        let left = Vec::new().into_iter();
        Masked { inner, cells: cells.iter(), of_struct, left, rank, depth: 0, hidden: None }
    }

    /// Whether what begins here is left out. An element is requested once.
    fn hides(&mut self) -> dudley::Result<bool> {
        if self.hidden.is_some() {
            return Ok(true);
        }
        if self.depth != self.rank || !self.is_masked() {
            return Ok(false);
        }
        self.inner.missing()?;
        self.hidden = Some(self.depth);
        Ok(true)
    }

    /// Whether the next element has no value: of a struct, whether none of its cells has one.
    fn is_masked(&mut self) -> bool {
        let Some(count) = self.of_struct else {
            return self.cells.next().copied().unwrap_or(false);
        };
        let cells: Vec<bool> = self.cells.by_ref().take(count).copied().collect();
        let all = !cells.is_empty() && cells.iter().all(|masked| *masked);
        self.left = cells.into_iter();
        all
    }

    /// Whether the next cell of the struct that is open has no value, if one is.
    fn hides_cell(&mut self) -> bool {
        self.depth > self.rank && self.left.next().unwrap_or(false)
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

impl Sink for Masked<'_, '_> {
    fn scalar(&mut self, value: Shown<'_>) -> dudley::Result<()> {
        if self.hides()? {
            self.complete();
            return Ok(());
        }
        // A struct without fields is no cell.
        if !matches!(value, Shown::Null) && self.hides_cell() {
            self.inner.missing()
        } else {
            self.inner.scalar(value)
        }
    }

    fn missing(&mut self) -> dudley::Result<()> {
        if self.hides()? {
            self.complete();
            return Ok(());
        }
        self.hides_cell();
        self.inner.missing()
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
