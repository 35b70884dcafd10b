//! Which part of a frame's data a path asks for.

use dudley::read::path::{Part, parse};
use dudley::read::slice::Index;

/// The indices behind `/data`, none for all of it; nothing for other paths.
///
/// # Errors
/// If something is wrong with the path.
pub fn data_indices(path: &str) -> dudley::Result<Option<Vec<Index>>> {
    Ok(match &parse(path)?[..] {
        [Part::Name { text, .. }] if text == "data" => Some(Vec::new()),
        [Part::Name { text, .. }, Part::Slice(indices)] if text == "data" => Some(indices.clone()),
        _ => None,
    })
}
