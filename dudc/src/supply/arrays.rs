//! Arrays of numpy by their names: those of a folder of `.npy` files, of an `.npz`, or of one file.
//!
//! Their elements are not read yet.

use std::path::Path;
use std::sync::Arc;

use dudley::Result;
use dudley::error::file_name;
use dudley::numpy::Npy;
use dudley::numpy::arrays as numpy;
pub(crate) use dudley::numpy::arrays::{Named, fields, is_named_npy};
use dudley::source::{FileSource, Source};

use crate::output::warn;

/// The arrays of a folder, or of an `.npz` archive; none if it is neither.
///
/// # Errors
/// If it cannot be read, or one of the arrays is of no known type.
pub(crate) fn read(path: &Path) -> Result<Option<Vec<Named>>> {
    if crate::names::is_stdin(path) {
        return Ok(None);
    }
    if path.is_dir() {
        return numpy::folder(path).map(Some);
    }
    let source = FileSource::open(path)?;
    let mut head = vec![0; source.len().min(6) as usize];
    source.read_at(0, &mut head)?;
    if !head.starts_with(b"PK") {
        return Ok(None);
    }
    archive(Arc::new(source), &file_name(&path)).map(Some)
}

/// The array of a `.npy` file, by the name of the file.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn single(path: &Path) -> Result<Named> {
    numpy::single(path, Npy::open(path))
}

/// The arrays of an `.npz` archive, which is called `name`; what else is in it is said to be left out.
///
/// # Errors
/// As [`read`].
pub(crate) fn archive(archive: Arc<dyn Source>, name: &str) -> Result<Vec<Named>> {
    let members = numpy::archive(&archive, name)?;
    if let Some(left_out) = members.left_out().filter(|_| !members.arrays.is_empty()) {
        warn(&format!("{name}: {left_out}"));
    }
    Ok(members.arrays)
}
