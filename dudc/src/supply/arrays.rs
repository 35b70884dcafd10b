//! Arrays of numpy by their names, as values: from a folder of `.npy` files, from an `.npz`, or from one file.
//!
//! Their elements are not read yet.

use std::path::Path;

use dudley::Result;
use dudley::model::Candidate;
use dudley::numpy::Kind;
use dudley::numpy::arrays::is_named_npy;
pub(crate) use dudley::numpy::arrays::{Named, fields};

use crate::output::warn;

/// The kind of an input of arrays; `None` for other inputs. A file called `.npy` is an array, and every folder is a
/// folder of arrays.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn kind(candidate: &Candidate) -> Result<Option<Kind>> {
    Ok(match Kind::of(candidate)? {
        None if candidate.folder().is_some() => Some(Kind::Folder),
        None if is_named_npy(Path::new(candidate.name())) => Some(Kind::File),
        kind => kind,
    })
}

/// The arrays of an input. Other entries of an archive, and unreadable ones, are left out with a warning.
///
/// # Errors
/// If it cannot be read, or none of the arrays is of a known type.
pub(crate) fn of(kind: Kind, candidate: &Candidate) -> Result<Vec<Named>> {
    let found = kind.arrays(candidate)?;
    for (_, error) in &found.wrong {
        warn(&format!("{}: left out: {error}", candidate.name()));
    }
    if let Some(left_out) = found.left_out().filter(|_| !found.arrays.is_empty()) {
        warn(&format!("{}: {left_out}", candidate.name()));
    }
    Ok(found.arrays)
}
