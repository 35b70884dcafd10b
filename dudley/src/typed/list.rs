//! Lists: sequences of items, each found when it is requested.

use std::marker::PhantomData;

use ndarray::{Array1, Dimension};

use super::array::{from_vec, shaped};
use super::handle::{Handle, Kind};
use super::mode::{Mode, Reading};
use super::records::append;
use super::{Array, Record, Records, Scalar};
use crate::elements::element::Element;
use crate::error::Result;
use crate::read::select::{Picked, select};

/// A list of items of type `K`.
#[derive(Clone, Debug)]
pub struct List<K, M = Reading> {
    at: Handle<M>,
    kind: PhantomData<fn() -> K>,
}

impl<K: Kind<M>, M: Mode> Kind<M> for List<K, M> {
    fn of(handle: Handle<M>) -> Self {
        Self { at: handle, kind: PhantomData }
    }
}

impl<K: Kind<M>, M: Mode> List<K, M> {
    /// Its path.
    pub fn path(&self) -> &str {
        self.at.path()
    }

    /// The number of items.
    ///
    /// # Errors
    /// If a param that a repeat depends on cannot be read or is illegal.
    pub fn len(&self) -> Result<u64> {
        self.at.item()?.len()
    }

    /// Whether it has no items.
    ///
    /// # Errors
    /// As [`Self::len`].
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.len()? == 0)
    }

    /// An item, by index from 0. Where its repetitions do not vary its address is computed, else the
    /// items before it are walked over, once.
    ///
    /// # Errors
    /// [`crate::Error::NoSuchItem`] if the list is shorter; as [`Self::len`].
    pub fn get(&self, index: u64) -> Result<K> {
        self.at.element(index).map(K::of)
    }

    /// How many items it has, if the stream can hold this many: a damaged param may say anything.
    pub(super) fn len_there(&self) -> Result<u64> {
        let len = self.len()?;
        let most =
            self.at.item()?.stream().len().saturating_add(crate::read::stream::decode::EMPTY_LIMIT);
        if len <= most { Ok(len) } else { Err(crate::Error::too_large(len).of_item(self.path())) }
    }

    /// All items.
    ///
    /// # Errors
    /// As [`Self::len`].
    pub fn iter(&self) -> Result<impl Iterator<Item = Result<K>> + '_> {
        Ok((0..self.len()?).map(|index| self.get(index)))
    }
}

impl<T: Element> List<Scalar<T, Reading>, Reading> {
    /// All elements.
    ///
    /// # Errors
    /// As [`Self::len`]; if one cannot be placed or read.
    pub fn read(&self) -> Result<Array1<T>> {
        shaped(self.path(), stacked(self.at.item()?)?)
    }
}

impl<T: Element, D: Dimension> List<Array<T, D, Reading>, Reading> {
    /// All elements of all arrays, in one with a dimension in front; if there are none, all
    /// dimensions are 0.
    ///
    /// # Errors
    /// As [`Self::len`]; if one cannot be placed or read; [`crate::Error::WrongShape`] if they
    /// differ in shape.
    pub fn read(&self) -> Result<ndarray::Array<T, D::Larger>> {
        if self.is_empty()? {
            nothing(self.path())
        } else {
            shaped(self.path(), stacked(self.at.item()?)?)
        }
    }
}

impl<R: Record, D: Dimension> List<Records<R, D, Reading>, Reading> {
    /// All records of all items, in one array with a dimension in front; if there are none, all
    /// dimensions are 0.
    ///
    /// # Errors
    /// As [`Self::len`]; if one cannot be placed or read; [`crate::Error::WrongShape`] if they
    /// differ in shape.
    pub fn read(&self) -> Result<ndarray::Array<R, D::Larger>> {
        if self.is_empty()? {
            return nothing(self.path());
        }
        let item = self.at.item()?;
        let selected = select(item.stream(), &format!("{}[:]", item.path()))?;
        let shape = super::handle::dimension::<ndarray::IxDyn>(&selected.shape())?;
        let mut records = Vec::new();
        for part in selected.parts {
            if let Picked::Data(data) = part {
                append(&mut records, data)?;
            }
        }
        shaped(item.path(), from_vec(item.path(), shape, records)?)
    }
}

/// All items of a list in one array.
fn stacked<T: Element>(list: &crate::Item) -> Result<ndarray::ArrayD<T>> {
    select(list.stream(), &format!("{}[:]", list.path()))?.read()
}

/// What is in an empty list: nothing says of which shape its items would have been.
fn nothing<T, D: Dimension>(path: &str) -> Result<ndarray::Array<T, D>> {
    from_vec(path, D::zeros(D::NDIM.unwrap_or(1)), Vec::new())
}
