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
    ///
    /// ```
    /// let source = std::io::Error::other("no space");
    /// let error = dudley::Error::io("cannot write `a.bd`", source);
    /// assert!(error.to_string().starts_with("cannot write `a.bd`"));
    /// ```
    pub fn io(context: impl Into<String>, source: io::Error) -> Error {
        Error::Io { context: context.into(), source }
    }

    /// `needed` bytes at `address` are not all there.
    ///
    /// ```
    /// let error = dudley::Error::truncated(16, 8, 3);
    /// assert_eq!(error.to_string(), "8 bytes are needed at address 16, but the stream has 3 there");
    /// ```
    pub fn truncated(address: u64, needed: u64, available: u64) -> Error {
        Error::Truncated { item: Item::UNKNOWN, address, needed, available }
    }

    /// A filter failed on the bytes at `address`.
    ///
    /// ```
    /// use dudley::{Error, filter::FilterError};
    ///
    /// let error = Error::filter(64, "zlib", FilterError::Trailing { count: 3 });
    /// assert_eq!(error.address(), Some(64));
    /// ```
    pub fn filter(address: u64, filter: &str, reason: FilterError) -> Error {
        Error::Filter { item: Item::UNKNOWN, address, filter: filter.into(), reason }
    }

    /// Lengths that should be equal are not.
    ///
    /// ```
    /// let error = dudley::Error::wrong_length(16, 8).of_item("/x");
    /// assert_eq!(error.item(), Some("/x"));
    /// ```
    pub fn wrong_length(expected: u64, found: u64) -> Error {
        Error::WrongLength { item: Item::UNKNOWN, expected, found }
    }

    /// `size` bytes cannot be obtained.
    ///
    /// ```
    /// assert!(dudley::Error::too_large(1 << 60).to_string().contains("1152921504606846976"));
    /// ```
    pub fn too_large(size: u64) -> Error {
        Error::TooLarge { item: Item::UNKNOWN, size }
    }

    /// No filter of this name is registered.
    ///
    /// ```
    /// assert!(dudley::Error::unknown_filter("mine").to_string().contains("`mine`"));
    /// ```
    pub fn unknown_filter(filter: &str) -> Error {
        Error::UnknownFilter { item: Item::UNKNOWN, filter: filter.into() }
    }

    /// A filter does not take its arguments.
    ///
    /// ```
    /// use dudley::{Error, filter::FilterError};
    ///
    /// let error = Error::filter_argument("zlib", FilterError::Argument("a level of 0 to 9".into()));
    /// assert!(error.to_string().contains("zlib"));
    /// ```
    pub fn filter_argument(filter: &str, reason: FilterError) -> Error {
        Error::FilterArgument { item: Item::UNKNOWN, filter: filter.into(), reason }
    }

    /// The shape of an item is not the one expected.
    ///
    /// ```
    /// let error = dudley::Error::wrong_shape("/x", &[2, 3], &[2, 5]);
    /// assert_eq!(error.to_string(), "`/x`: expected shape [2, 3], found [2, 5]");
    /// ```
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
