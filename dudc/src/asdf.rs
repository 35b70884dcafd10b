//! ASDF and FINF files in conversions: the parts of their trees that are converted, and new trees.

pub(crate) mod convert;
pub(crate) mod elsewhere;
mod entries;
pub(crate) mod leaves;
mod options;
mod picked;
pub(crate) mod taken;
mod tree;

use asdf_bridge::asdf::{AsdfFile, Error, Item};
use dudley::error::is_unread;

use crate::failure::{Failure, Result};

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

/// The paths that some with slices of lists stand for.
///
/// # Errors
/// If there is nothing of a path, or a slice picks nothing.
fn spread(file: &AsdfFile, paths: &[String]) -> Result<Vec<String>> {
    let mut all = Vec::new();
    for path in paths {
        let spread = file.spread(path)?.paths;
        if spread.is_empty() {
            return Err(Failure::input(format!(
                "`{}` picks nothing",
                crate::failure::printable(path)
            )));
        }
        all.extend(spread);
    }
    Ok(all)
}
