//! What the digests of the blocks of a file say of their data.

use std::collections::HashSet;

use asdf_bridge::asdf::{Array, AsdfFile, DigestState, Item, Source};

use crate::failure::Result;
use crate::output::warn;

/// The blocks whose data are not those that their digests were made of. All data are read.
///
/// # Errors
/// If the file cannot be read.
pub(crate) fn bad(file: &AsdfFile) -> Result<HashSet<usize>> {
    let blocks = file.blocks()?.into_iter().flatten();
    // Of those that are cut off nothing can be said.
    let bad = blocks.filter(|block| matches!(file.digest(block), Ok(DigestState::Bad)));
    Ok(bad.map(|block| block.index).collect())
}

/// Whether an array is in one of some blocks.
pub(crate) fn is_in(array: &Array, blocks: &HashSet<usize>) -> bool {
    matches!(array.source(), Some(Source::Block(_)))
        && matches!(array.block(), Ok(Some(block)) if blocks.contains(&block.index))
}

/// What is said of an array in such a block.
pub(crate) const WHY: &str = "the data of its block are not those that the digest was made of";

/// Warns of the arrays that are in such blocks, since a copy of them has digests that are right.
///
/// # Errors
/// As [`bad`].
pub(crate) fn warn_of(file: &AsdfFile) -> Result<()> {
    let bad = bad(file)?;
    if bad.is_empty() {
        return Ok(());
    }
    super::walk(file, None, &mut |item: &Item| {
        if item.is_array() && item.array().is_ok_and(|array| is_in(&array, &bad)) {
            warn(&format!("`{}`: {WHY}", item.path()));
        }
        Ok(!item.is_array())
    })
}

/// A word for a state.
pub(crate) fn word(state: DigestState) -> &'static str {
    match state {
        DigestState::Absent => "absent",
        DigestState::Good => "good",
        DigestState::Legacy => "legacy",
        DigestState::Bad => "bad",
    }
}
