//! What a typed writer was given so far: what is at its place, and what is kept until the end.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::covered::Covered;
use crate::elements::value::Value;
use crate::encode::input::Typed;
use crate::error::Error;
use crate::write::{Supplied, Supply};

/// What was given so far.
pub(super) struct Given {
    pub(super) params: BTreeMap<String, i128>,
    pub(super) items: BTreeMap<String, Piece>,
}

/// What was given for an item.
pub(super) enum Piece {
    /// It is at its place.
    Written,
    /// Some elements of it are at their places.
    Parts(Covered),
    Value(Value),
    Typed(Box<dyn Typed + Send + Sync>),
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
            Piece::Typed(typed) => Some(Supplied::Typed(&**typed)),
            Piece::Encoded { parts: Some(parts), .. } if !parts.is_complete() => None,
            Piece::Encoded { bytes, shape, .. } => Some(Supplied::Encoded { bytes, shape }),
        }
    }
}

impl Given {
    /// Nothing but params.
    pub(super) fn new(params: BTreeMap<String, i128>) -> Given {
        Given { params, items: BTreeMap::new() }
    }

    /// Says of what is missing which parts are.
    pub(super) fn parts_missing(&self, error: Error) -> Error {
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
pub(super) struct Everything {
    params: Vec<(&'static str, i128)>,
}

impl Everything {
    /// With these params.
    pub(super) fn new(params: Vec<(&'static str, i128)>) -> Everything {
        Everything { params }
    }
}

impl Supply for Everything {
    fn param(&self, path: &str) -> Option<i128> {
        self.params.iter().find(|(known, _)| *known == path).map(|(_, value)| *value)
    }

    fn item(&self, _: &str) -> Option<Supplied<'_>> {
        Some(Supplied::Written)
    }
}
