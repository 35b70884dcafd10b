//! Arrays of one type and shape as one: an array, or those that a path picks of the items of a list.

use super::{Picked, Selected};
use crate::elements::value::Value;
use crate::error::Result;
use crate::read::Scaling;
use crate::read::data::Data;

/// An array, or arrays of one type and shape that are stacked, which are read one after the other.
///
/// ```
/// use dudley::read::select::{Stacked, select};
///
/// // Items that differ in size do not lie equally far apart.
/// let stream = dudley::Open::new().layout_text("l [/ n : u1  a = u1[2]  b = u1[n]]*2")?;
/// let stream = stream.bytes(vec![1, 2, 3, 0, 2, 4, 5, 0, 0])?;
/// let stacked = Stacked::of(&select(&stream, "/l[:]/a")?).expect("arrays");
/// let mut bytes = Vec::new();
/// stacked.for_each_block(&mut |block| Ok(bytes.extend_from_slice(block)))?;
/// assert_eq!((stacked.shape(), bytes), (vec![2, 2], vec![2, 3, 4, 5]));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Stacked {
    /// The dimensions that slices of lists put in front; none of one array.
    dims: Vec<u64>,
    first: Box<Data>,
    more: Vec<Data>,
}

impl From<Data> for Stacked {
    fn from(data: Data) -> Stacked {
        Stacked { dims: Vec::new(), first: Box::new(data), more: Vec::new() }
    }
}

impl Stacked {
    /// The selected arrays, if they have one type and shape.
    pub fn of(selected: &Selected) -> Option<Stacked> {
        let data = |part: &Picked| match part {
            Picked::Data(data) => Some(data.clone()),
            Picked::Value { .. } => None,
        };
        let (first, more) = selected.parts.split_first()?;
        let first = Box::new(data(first)?);
        let alike = |it: &Data| it.dtype().is_like(first.dtype()) && it.shape() == first.shape();
        let more: Vec<Data> = more.iter().map(data).collect::<Option<_>>()?;
        let dims = selected.stacked.clone();
        more.iter().all(alike).then_some(Stacked { dims, first, more })
    }

    /// The first array, which has the type, the documentation and the attributes of all.
    pub fn first(&self) -> &Data {
        &self.first
    }

    /// The one array, if nothing is stacked.
    pub fn single(&self) -> Option<&Data> {
        self.dims.is_empty().then_some(&*self.first)
    }

    /// The same with physical values in place of stored ones: see [`Data::scaled_where`].
    ///
    /// # Errors
    /// As that.
    pub fn scaled_where(&self, is_meant: &dyn Fn(&Scaling) -> bool) -> Result<Stacked> {
        self.each(|data| Ok(data.scaled_where(is_meant)?.unwrap_or_else(|| data.clone())))
    }

    /// The same with elements, and their members, side by side: see [`Data::side_by_side`].
    pub(crate) fn side_by_side(&self) -> Result<Stacked> {
        self.each(Data::side_by_side)
    }

    fn each(&self, make: impl Fn(&Data) -> Result<Data>) -> Result<Stacked> {
        let more = self.more.iter().map(&make).collect::<Result<_>>()?;
        Ok(Stacked { dims: self.dims.clone(), first: Box::new(make(&self.first)?), more })
    }

    /// The number of dimensions of the stack.
    pub fn depth(&self) -> usize {
        self.dims.len()
    }

    /// Elements in each dimension, the dimensions of the stack first.
    pub fn shape(&self) -> Vec<u64> {
        [&self.dims, self.first.shape()].concat()
    }

    /// The arrays, one after the other.
    pub fn parts(&self) -> impl Iterator<Item = &Data> {
        std::iter::once(&*self.first).chain(&self.more)
    }

    /// Hands out the bytes of all elements, as [`Data::for_each_block`].
    ///
    /// # Errors
    /// As that.
    pub fn for_each_block(&self, sink: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        self.parts().try_for_each(|part| part.for_each_block(sink))
    }

    /// Hands out all texts, as [`Data::for_each_text`].
    ///
    /// # Errors
    /// As that.
    pub fn for_each_text(&self, sink: &mut dyn FnMut(String) -> Result<()>) -> Result<()> {
        self.parts().try_for_each(|part| part.for_each_text(sink))
    }

    /// All of it as a value.
    ///
    /// # Errors
    /// If decoding fails.
    pub fn value(&self) -> Result<Value> {
        let parts = self.parts().cloned().map(Picked::Data).collect();
        Selected { stacked: self.dims.clone(), parts }.value()
    }
}
