//! The formats of this program, and which of them a file is.

use dudley::bytes::Signature;
use dudley::model::{Candidate, Claim};

pub(crate) use dudley_formats::all as formats;

use crate::failure::Result;

/// The format of a file that is neither stream nor layout, by its first bytes.
pub(crate) fn foreign(head: &[u8]) -> Option<&'static str> {
    foreign_of(&Candidate::source("", head.to_vec(), 0)).ok().flatten()
}

/// The format of a file that has a signature, and is no stream.
///
/// # Errors
/// If it cannot be read.
pub(crate) fn foreign_of(candidate: &Candidate) -> Result<Option<&'static str>> {
    if is_native(candidate.head()?) {
        return Ok(None);
    }
    let formats = formats();
    let found = formats.recognise(candidate)?;
    let found = found.filter(|(claim, _)| *claim >= Claim::Signature);
    Ok(found.map(|(_, format)| format.describe()))
}

/// Whether bytes begin like a native stream; a damaged signature counts, so that the damage is
/// named.
pub(crate) fn is_native(head: &[u8]) -> bool {
    !matches!(Signature::detect(head, u64::MAX), Ok(None))
}
