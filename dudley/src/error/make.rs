//! The errors that are made in many places, before it is known whose they are.

use std::io;

use dudley_parser::resolve::ResolveError;

use super::{Damage, Error, FilterError, Item};

impl From<ResolveError> for Error {
    fn from(error: ResolveError) -> Error {
        let source = std::error::Error::source(&error).and_then(|it| it.downcast_ref());
        match source {
            // It says itself what is wrong, and where.
            Some(Error::Const { item, address, expected, found }) => Error::Const {
                item: item.clone(),
                address: *address,
                expected: expected.clone(),
                found: found.clone(),
            },
            _ => Error::Resolve(error),
        }
    }
}

impl From<Damage> for Error {
    fn from(damage: Damage) -> Error {
        match damage {
            Damage::Unfinished => Error::Unfinished,
            damage => Error::Signature { damage },
        }
    }
}

impl Error {
    /// Whether the stream ends before something that is needed: nothing that lies behind it can be obtained either.
    pub(crate) fn is_truncated(&self) -> bool {
        match self {
            Error::Truncated { .. } | Error::Shortened { .. } => true,
            Error::OfFile { error, .. } => error.is_truncated(),
            Error::Resolve(error) => {
                let source = std::error::Error::source(error);
                source.and_then(|source| source.downcast_ref()).is_some_and(Error::is_truncated)
            }
            _ => false,
        }
    }

    /// The operating system refused `context`.
    pub fn io(context: impl Into<String>, source: io::Error) -> Error {
        Error::Io { context: context.into(), source }
    }

    /// `needed` bytes at `address` are not all there.
    pub fn truncated(address: u64, needed: u64, available: u64) -> Error {
        Error::Truncated { item: Item::UNKNOWN, address, needed, available }
    }

    /// A filter failed on the bytes at `address`.
    pub fn filter(address: u64, filter: &str, reason: FilterError) -> Error {
        Error::Filter { item: Item::UNKNOWN, address, filter: filter.into(), reason }
    }

    /// Lengths that should be equal are not.
    pub fn wrong_length(expected: u64, found: u64) -> Error {
        Error::WrongLength { item: Item::UNKNOWN, expected, found }
    }

    /// `size` bytes cannot be obtained.
    pub fn too_large(size: u64) -> Error {
        Error::TooLarge { item: Item::UNKNOWN, size }
    }

    /// No filter of this name is registered.
    pub fn unknown_filter(filter: &str) -> Error {
        Error::UnknownFilter { item: Item::UNKNOWN, filter: filter.into() }
    }

    /// A filter does not take its arguments.
    pub fn filter_argument(filter: &str, reason: FilterError) -> Error {
        Error::FilterArgument { item: Item::UNKNOWN, filter: filter.into(), reason }
    }

    /// The shape of an item is not the one expected.
    pub fn wrong_shape(path: &str, expected: &[u64], found: &[u64]) -> Error {
        Error::WrongShape {
            item: Item::new(path),
            expected: expected.into(),
            found: found.into(),
            params: Vec::new(),
            shapes: Box::default(),
        }
    }
}
