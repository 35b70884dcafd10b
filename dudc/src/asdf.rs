//! ASDF and FINF files in conversions: the parts of their trees that are converted, and new trees.

pub(crate) mod convert;
mod entries;
mod options;
mod picked;
mod tree;

use asdf_bridge::asdf::{Error, Item};
use dudley::error::is_unread;

use crate::failure::Failure;

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        match error {
            Error::Engine(error) => error.into(),
            error if is_unread(&error) => Failure::unread(error.to_string()),
            error => Failure::input(error.to_string()),
        }
    }
}

/// Why a reference cannot be followed; `None` for a node that is no reference.
fn nowhere(item: &Item) -> Option<Error> {
    item.reference().and_then(|_| item.clone().resolve().err())
}
