//! What a read of a whole frame may come to, since the file says how much that is.

use asdf_bridge::blosc2::{DEFAULT_LIMIT, Error, Frame};
use dudley::path::{Part, parse};

use super::failure;
use crate::failure::{Failure, Result};

/// That what paths, or none for all, pick of a frame is no more than is decoded unasked: a few bytes may stand for
/// all that a disk holds.
///
/// # Errors
/// If it is more; what is wrong with the array, or with a slice of it.
pub(crate) fn within<P: AsRef<str>>(frame: &Frame, name: &str, paths: &[P]) -> Result<()> {
    let element = frame.typesize() as u64;
    let bytes = |shape: &[u64]| shape.iter().fold(element, |bytes, dim| bytes.saturating_mul(*dim));
    let all = match frame.array().map_err(|error| failure(name, error))? {
        Some(array) => bytes(array.shape()),
        None => frame.nbytes(),
    };
    // What is in a large array may be taken in parts.
    if all <= DEFAULT_LIMIT {
        return Ok(());
    }
    let mut most = if paths.is_empty() { all } else { 0 };
    for path in paths {
        // What is wrong with a path is said by who takes it.
        let Ok(parts) = parse(path.as_ref()) else { continue };
        most = most.max(match &parts[..] {
            [Part::Name { text, .. }] if text != "data" => 0,
            [] | [_] => all,
            [Part::Name { text, .. }, Part::Slice(_), ..] if text == "data" => {
                let picked = frame.select(path.as_ref());
                let picked = picked.map_err(|error| Failure::of_file(name, error))?;
                picked.map_or(0, |picked| bytes(&picked.shape()))
            }
            _ => 0,
        });
    }
    if most > DEFAULT_LIMIT {
        let error = Error::Limit { needed: most, limit: DEFAULT_LIMIT };
        Err(failure(name, error).with_help("take a part of it: `/data[…]` is what a slice picks"))
    } else {
        Ok(())
    }
}
