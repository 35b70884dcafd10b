//! What a writer was given so far: what is at its place, and what is kept until the end.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::covered::Covered;
use crate::elements::value::Value;
use crate::error::{Error, Result};
use crate::write::{Supplied, Supply};

/// What was given so far.
pub(crate) struct Given {
    pub(crate) params: BTreeMap<String, i128>,
    pub(crate) items: BTreeMap<String, Piece>,
}

/// What was given for an item.
pub(crate) enum Piece {
    /// It is at its place.
    Written,
    /// Some elements of it are at their places.
    Parts(Covered),
    Value(Value),
    /// As it is stored; some elements, or all.
    Encoded {
        bytes: Vec<u8>,
        shape: Vec<u64>,
        parts: Option<Covered>,
    },
}

impl Supply for Given {
    fn param(&self, path: &str) -> Option<i128> {
        self.params.get(path).copied()
    }

    fn item(&self, path: &str) -> Option<Supplied<'_>> {
        match self.items.get(path)? {
            Piece::Written => Some(Supplied::Written),
            Piece::Parts(parts) => parts.is_complete().then_some(Supplied::Written),
            Piece::Value(value) => Some(Supplied::Value(Cow::Borrowed(value))),
            Piece::Encoded { parts: Some(parts), .. } if !parts.is_complete() => None,
            Piece::Encoded { bytes, shape, .. } => Some(Supplied::Encoded { bytes, shape }),
        }
    }
}

impl Given {
    /// Nothing but params.
    pub(crate) fn new(params: BTreeMap<String, i128>) -> Given {
        Given { params, items: BTreeMap::new() }
    }

    /// Notes elements of an item of a shape that are at their places.
    pub(crate) fn cover(
        &mut self,
        path: &str,
        shape: &[u64],
        add: impl FnOnce(&mut Covered) -> Result<()>,
    ) -> Result<()> {
        match self.items.get_mut(path) {
            Some(Piece::Parts(parts)) => add(parts),
            // All of it is there already.
            Some(Piece::Written) => Ok(()),
            Some(other) => {
                *other = Piece::Written;
                Ok(())
            }
            None => {
                let mut parts = Covered::new(shape)?;
                add(&mut parts)?;
                self.items.insert(path.to_owned(), Piece::Parts(parts));
                Ok(())
            }
        }
    }

    /// Says of what is missing which parts are.
    pub(crate) fn parts_missing(&self, error: Error) -> Error {
        let Error::Missing { paths } = error else { return error };
        let paths = paths.into_iter().map(|path| match self.items.get(&path) {
            Some(Piece::Parts(parts) | Piece::Encoded { parts: Some(parts), .. }) => {
                parts.missing(&path)
            }
            _ => path,
        });
        Error::Missing { paths: paths.collect() }
    }
}

/// Has everything but params: to find out what a writer writes by itself.
pub(crate) struct Everything<'p> {
    pub(crate) params: &'p BTreeMap<String, i128>,
}

impl Supply for Everything<'_> {
    fn param(&self, path: &str) -> Option<i128> {
        self.params.get(path).copied()
    }

    fn item(&self, _: &str) -> Option<Supplied<'_>> {
        Some(Supplied::Written)
    }
}
