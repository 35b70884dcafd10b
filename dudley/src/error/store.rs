//! Failures of a store.

use std::fmt;

#[cfg(feature = "store")]
use super::Error;
use super::text::plural;

/// The failure of a store.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum StoreFault {
    /// It refused, or could not be reached, however often it was asked.
    #[error("{0}")]
    Refused(Box<dyn std::error::Error + Send + Sync>),
    /// It gave fewer bytes, or more.
    #[error("the store gave {found} byte{}", plural(*found))]
    Short {
        /// How many it gave, but not more than one too many.
        found: u64,
    },
    /// The object changed after it was opened.
    #[error("the object has changed since it was opened: it has {what}")]
    Changed {
        /// The difference.
        what: Box<str>,
    },
}

/// As it is displayed, as [`Error`](crate::Error).
impl fmt::Debug for StoreFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(feature = "store")]
impl Error {
    /// A store did not give a range of an object.
    pub(crate) fn store(object: &str, range: std::ops::Range<u64>, fault: StoreFault) -> Error {
        Error::Store { object: object.into(), range, fault }
    }

    /// The address of an object cannot be used.
    pub(crate) fn store_address(address: &str, why: &dyn fmt::Display) -> Error {
        Error::StoreAddress { address: address.into(), why: why.to_string().into() }
    }
}

#[cfg(feature = "store")]
impl StoreFault {
    pub(crate) fn refused(error: impl std::error::Error + Send + Sync + 'static) -> StoreFault {
        StoreFault::Refused(Box::new(error))
    }
}
