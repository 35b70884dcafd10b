//! Single fields of a struct in a stream, read when they are requested.

use std::marker::PhantomData;

use super::Dudley;
use crate::error::Result;
use crate::read::item::Item;

/// The reader of single fields of a struct. `#[derive(Dudley)]` makes one for each struct, with a
/// method for each field, named as the struct with `Parts` behind it.
pub trait Parts: Sized {
    /// The reader of a struct in a dict.
    fn of(dict: Item) -> Self;

    /// The dict that the struct is in: ask it for slices, units and all else that an [`Item`] knows.
    ///
    /// ```
    /// use dudley::Dudley;
    /// use dudley::structs::Parts;
    ///
    /// #[derive(Dudley)]
    /// struct State {
    ///     rho: Vec<f64>,
    /// }
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("state.bd");
    /// State { rho: vec![1.0, 2.0, 3.0] }.write_bd(&path)?;
    /// let state = State::open_bd(&path)?;
    /// let rho = state.item().stream().get("/rho")?;
    /// assert_eq!((rho.shape()?, rho.address()?), (vec![3], 24));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    fn item(&self) -> &Item;
}

/// The structs of a list, each read when it is requested.
#[derive(Clone, Debug)]
pub struct PartsList<S> {
    list: Item,
    of: PhantomData<fn() -> S>,
}

impl<S: Dudley> PartsList<S> {
    /// The readers of a list.
    #[doc(hidden)]
    #[must_use]
    pub fn of(list: Item) -> Self {
        PartsList { list, of: PhantomData }
    }

    /// The list.
    #[must_use]
    pub fn item(&self) -> &Item {
        &self.list
    }

    /// Their number.
    ///
    /// # Errors
    /// As [`Item::len`].
    pub fn len(&self) -> Result<u64> {
        self.list.len()
    }

    /// Whether it is empty.
    ///
    /// # Errors
    /// As [`Item::len`].
    pub fn is_empty(&self) -> Result<bool> {
        self.list.is_empty()
    }

    /// The fields of one of them.
    ///
    /// # Errors
    /// As [`Item::element`].
    pub fn get(&self, index: u64) -> Result<S::Parts> {
        Ok(S::Parts::of(self.list.element(index)?))
    }

    /// All of one of them.
    ///
    /// # Errors
    /// As [`Item::element`] and [`Dudley::from_item`].
    pub fn read(&self, index: u64) -> Result<S> {
        S::from_item(&self.list.element(index)?)
    }
}
