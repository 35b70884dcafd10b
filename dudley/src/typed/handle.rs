//! One item of a layout in one use of it: what every typed item is made from.

use std::sync::{Arc, OnceLock};

use ndarray::Dimension;

use super::mode::Mode;
use crate::create::writing::{RecordParts, Writing};
use crate::elements::borrowed::Kept;
use crate::error::{Error, Result};
use crate::read::data::Data;
use crate::read::item::Item;
use crate::read::path::{join, meant};
use crate::read::stream::Stream;

/// An item with its mode, found by its name. Generated code makes it; the item is located when it is
/// used.
#[derive(Clone, Debug)]
pub struct Handle<M> {
    found: Found,
    pub(super) mode: M,
    /// What was lent of it, where it is not in memory.
    pub(super) kept: Kept,
}

#[derive(Clone, Debug)]
enum Found {
    Item(Item),
    /// Something in a record that is put together, and that item, once it is requested.
    InRecord(usize, OnceLock<Box<Item>>),
    /// The layout of the stream has no such item: it is not the one that the code was made from.
    Nothing {
        path: String,
        why: String,
        stream: Stream,
    },
}

/// A type that a [`Handle`] can become: a type of this module, or a generated one.
pub trait Kind<M>: Sized {
    /// The dimensions that the array has in the layout, where that is one number.
    const RANK: Option<usize> = None;

    /// The item of a handle.
    fn of(handle: Handle<M>) -> Self;
}

/// The item of a list that never has any.
impl<M> Kind<M> for () {
    fn of(_: Handle<M>) -> Self {}
}

impl<M: Mode> Handle<M> {
    pub(super) fn new(item: Item, mode: M) -> Self {
        Self { found: Found::Item(item), mode, kept: Kept::default() }
    }

    /// The item, as programs without a type for it see it.
    ///
    /// # Errors
    /// [`Error::NoSuchItem`] if the layout of the stream is not the one that the code was made from.
    pub fn item(&self) -> Result<&Item> {
        match &self.found {
            Found::Item(item) => Ok(item),
            Found::InRecord(at, found) => match (found.get(), self.mode.new_record()) {
                (Some(item), _) => Ok(item),
                (None, Some(record)) => {
                    let item = record.item(*at)?;
                    Ok(found.get_or_init(|| Box::new(item)))
                }
                (None, None) => Err(Error::Finished),
            },
            Found::Nothing { path, why, stream } => {
                let error =
                    Error::NoSuchItem { path: path.as_str().into(), why: why.as_str().into() };
                Err(stream.of_file(error))
            }
        }
    }

    /// Its path.
    pub fn path(&self) -> &str {
        match &self.found {
            Found::Item(item) => item.path(),
            Found::InRecord(..) => self.item().map_or("", Item::path),
            Found::Nothing { path, .. } => path,
        }
    }

    fn with(&self, name: &str, find: impl FnOnce(&Item) -> Option<Item>) -> Self {
        let found = match (&self.found, self.item()) {
            (nothing @ Found::Nothing { .. }, _) => nothing.clone(),
            (unknown, Err(_)) => unknown.clone(),
            (_, Ok(item)) => match find(item) {
                Some(item) => Found::Item(item),
                None => Found::Nothing {
                    path: join(item.path(), name),
                    why: meant(
                        "the layout of the stream has none of that name".to_owned(),
                        name,
                        &item.names(),
                    ),
                    stream: item.stream().clone(),
                },
            },
        };
        Self { found, mode: self.mode.clone(), kept: Kept::default() }
    }

    /// An item of a dict.
    pub fn child<K: Kind<M>>(&self, name: &str) -> K {
        if let (Found::InRecord(at, _), Some(record)) = (&self.found, self.mode.new_record())
            && let Some(child) = record.child(*at, name)
        {
            let found = Found::InRecord(child, OnceLock::new());
            return K::of(Self { found, mode: self.mode.clone(), kept: Kept::default() });
        }
        K::of(self.with(name, |item| item.child(name)))
    }

    /// A param of a dict: the declaration of that ordinal, from 0.
    pub fn param<K: Kind<M>>(&self, name: &str, ordinal: usize) -> K {
        K::of(self.with(name, |item| item.param(name, ordinal)))
    }

    /// An item of a dict that is there if a param is -1, and not if it is 0 (spec 7.4).
    ///
    /// # Errors
    /// [`Error::WrongValue`] for any other value of such a param; if finding it fails.
    pub fn optional<K: Kind<M>>(&self, name: &str) -> Result<Option<K>> {
        let child = self.with(name, |item| item.child(name));
        if let Found::Nothing { .. } = child.found {
            return Ok(None);
        }
        let Some(rank) = K::RANK else { return Ok(Some(K::of(child))) };
        let (_, shape) = child.item()?.declared()?;
        match shape.len() {
            there if there == rank => Ok(Some(K::of(child))),
            _ if shape.contains(&0) => Ok(None),
            _ => Err(Error::WrongValue {
                item: crate::error::Item::new(child.path()),
                expected: "the params that say whether it is there to be 0 or -1".into(),
                found: format!("{} dimensions", shape.len()).into(),
            }),
        }
    }

    /// Of an item of a list, which of its kinds it is: `kinds` has, for each piece of the list, the
    /// kinds of the items in its brackets.
    pub fn kind_among(&self, kinds: &[&[usize]]) -> usize {
        let place = match &self.found {
            Found::Item(item) => item.place_in_list(),
            Found::InRecord(..) => self.item().ok().and_then(Item::place_in_list),
            Found::Nothing { .. } => None,
        };
        let kind = place.and_then(|(piece, element)| kinds.get(piece)?.get(element).copied());
        kind.unwrap_or_default()
    }

    pub(super) fn element(&self, index: u64) -> Result<Self> {
        Ok(Self::new(self.item()?.element(index)?, self.mode.clone()))
    }

    /// Where its elements are, if they have as many dimensions as the layout declares.
    pub(super) fn data_of_rank(&self, rank: Option<usize>) -> Result<Data> {
        let data = self.item()?.data()?;
        match rank {
            Some(rank) if data.shape().len() != rank => {
                Err(wrong_rank(self.path(), rank, data.shape()))
            }
            _ => Ok(data),
        }
    }
}

impl Handle<Writing> {
    /// A record that is put together.
    pub(super) fn of_record(record: Arc<dyn RecordParts>) -> Self {
        let found = Found::InRecord(0, OnceLock::new());
        Self { found, mode: Writing::of_record(record), kept: Kept::default() }
    }

    /// Something in a record that is put together, if this is one.
    pub(super) fn in_record(&self) -> Option<(&dyn RecordParts, usize)> {
        match &self.found {
            Found::InRecord(at, _) => Some((self.mode.new_record()?, *at)),
            Found::Item(_) | Found::Nothing { .. } => None,
        }
    }
}

/// A dimension that the layout declares was removed by a param of -1, or is one more.
fn wrong_rank(path: &str, expected: usize, found: &[u64]) -> Error {
    Error::WrongValue {
        item: crate::error::Item::new(path),
        expected: format!(
            "{expected} dimension{}, as its layout declares",
            crate::error::plural(expected as u64)
        )
        .into(),
        found: format!(
            "the shape {found:?}: a param of -1 removes a dimension; `read_dyn` reads it all the same"
        )
        .into(),
    }
}

/// The rank of a dimension type, if it is fixed.
pub(super) const fn rank<D: Dimension>() -> Option<usize> {
    D::NDIM
}

/// A shape as the dimension type that an array has.
pub(super) fn dimension<D: Dimension>(shape: &[u64]) -> Result<D> {
    if D::NDIM.is_some_and(|rank| rank != shape.len()) {
        return Err(Error::wrong_shape("", &[], shape));
    }
    let mut dimension = D::zeros(shape.len());
    for (to, from) in dimension.slice_mut().iter_mut().zip(shape) {
        *to = crate::error::to_usize(*from)?;
    }
    Ok(dimension)
}

/// What is the same for all items that are data: where they lie and what the layout says of them.
macro_rules! described {
    ($($param:ident: $bound:path),*; $kind:ident $rank:expr) => {
        impl<$($param: $bound,)* M: $crate::typed::mode::Mode> $crate::typed::Kind<M>
            for $kind<$($param,)* M>
        {
            const RANK: Option<usize> = $rank;

            fn of(handle: $crate::typed::Handle<M>) -> Self {
                Self { at: handle, kind: std::marker::PhantomData }
            }
        }

        impl<$($param: $bound,)* M: $crate::typed::mode::Mode> $kind<$($param,)* M> {
            /// Its path.
            ///
            /// ```
            /// dudley::layout!(mod run = "x = u1[2]");
            ///
            /// # fn main() -> dudley::Result<()> {
            /// let reader = run::Reader::from_open(dudley::Open::new().raw(), |open| open.bytes([7, 8]))?;
            /// assert_eq!(reader.x().path(), "/x");
            /// # Ok(())
            /// # }
            /// ```
            pub fn path(&self) -> &str {
                self.at.path()
            }

            /// The item, as programs without a type for it see it: documentation, unit, attributes.
            ///
            /// ```
            /// dudley::layout!(mod run = "x = u1[2]");
            ///
            /// # fn main() -> dudley::Result<()> {
            /// let reader = run::Reader::from_open(dudley::Open::new().raw(), |open| open.bytes([7, 8]))?;
            /// assert_eq!(reader.x().item()?.path(), "/x");
            /// # Ok(())
            /// # }
            /// ```
            ///
            /// # Errors
            /// [`crate::Error::NoSuchItem`] if the layout at hand is not the one that the code was
            /// made from.
            pub fn item(&self) -> $crate::Result<&$crate::Item> {
                self.at.item()
            }

            /// The place, shape and type of its elements.
            ///
            /// ```
            /// dudley::layout!(mod run = "x = u1[2]");
            ///
            /// # fn main() -> dudley::Result<()> {
            /// let reader = run::Reader::from_open(dudley::Open::new().raw(), |open| open.bytes([7, 8]))?;
            /// assert_eq!(reader.x().data()?.len()?, 2);
            /// # Ok(())
            /// # }
            /// ```
            ///
            /// # Errors
            /// If it cannot be placed, or has not as many dimensions as the layout declares.
            pub fn data(&self) -> $crate::Result<$crate::Data> {
                self.at.data_of_rank($rank)
            }

            /// Its address, in bytes from the start of the stream.
            ///
            /// ```
            /// dudley::layout!(mod run = "x = u1[2]");
            ///
            /// # fn main() -> dudley::Result<()> {
            /// let reader = run::Reader::from_open(dudley::Open::new().raw(), |open| open.bytes([7, 8]))?;
            /// assert_eq!(reader.x().address()?, 0);
            /// # Ok(())
            /// # }
            /// ```
            ///
            /// # Errors
            /// If it cannot be placed.
            pub fn address(&self) -> $crate::Result<u64> {
                self.at.item()?.address()
            }

            /// Bytes that it takes in the stream.
            ///
            /// ```
            /// dudley::layout!(mod run = "x = u1[2]");
            ///
            /// # fn main() -> dudley::Result<()> {
            /// let reader = run::Reader::from_open(dudley::Open::new().raw(), |open| open.bytes([7, 8]))?;
            /// assert_eq!(reader.x().bytes()?, 2);
            /// # Ok(())
            /// # }
            /// ```
            ///
            /// # Errors
            /// If it cannot be placed.
            pub fn bytes(&self) -> $crate::Result<u64> {
                Ok(self.at.item()?.data()?.bytes())
            }

            /// Elements in each dimension, slowest varying first; of text its units at the end.
            ///
            /// ```
            /// dudley::layout!(mod run = "x = u1[2]");
            ///
            /// # fn main() -> dudley::Result<()> {
            /// let reader = run::Reader::from_open(dudley::Open::new().raw(), |open| open.bytes([7, 8]))?;
            /// assert_eq!(reader.x().shape()?, [2]);
            /// # Ok(())
            /// # }
            /// ```
            ///
            /// # Errors
            /// If it cannot be placed.
            pub fn shape(&self) -> $crate::Result<Vec<u64>> {
                self.at.item()?.shape()
            }
        }
    };
}
pub(super) use described;
