//! ASDF and FINF files in conversions: the parts of their trees that are converted, and new trees.

pub(crate) mod convert;
pub(crate) mod elsewhere;
pub(crate) mod leaves;
mod options;
mod picked;
pub(crate) mod taken;
mod tree;

use asdf_bridge::asdf::{AsdfFile, Error, Item, References};
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

/// Visits everything at or below a path, which may have slices of lists. References are followed: an item that is one
/// leads [`nowhere`].
pub(crate) fn walk(
    file: &AsdfFile,
    path: Option<&str>,
    visit: &mut dyn FnMut(&Item) -> Result<bool>,
) -> Result<()> {
    starts(file, path)?.iter().try_for_each(|start| start.walk(References::Followed, visit))
}

/// The start of a walk through everything at or below a path.
fn starts(file: &AsdfFile, path: Option<&str>) -> Result<Vec<Item>> {
    let Some(path) = path else {
        return match file.root() {
            Ok(root) => Ok(vec![root]),
            Err(Error::NoTree) => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        };
    };
    let paths = file.spread(path)?.paths;
    Ok(paths.iter().map(|path| file.get(path)).collect::<std::result::Result<_, _>>()?)
}
