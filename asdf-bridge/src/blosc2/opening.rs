//! Frames of what may be one, and why they cannot be opened.

use dudley::model::Candidate;

use super::error::{Error, Result};
use super::frame::{Frame, Options};

/// The frame of a file, a folder, or bytes.
pub(super) fn opened(candidate: &Candidate, options: Options) -> dudley::Result<Result<Frame>> {
    Ok(match (candidate.folder(), candidate.opened()) {
        (Some(folder), _) => options.file(folder),
        (None, Some(file)) => options.base(candidate.base()).opened(file.clone()),
        (None, None) => options.source(candidate.bytes()?),
    })
}

/// Why a frame cannot be opened; that a file of it cannot be read is that alone.
pub(super) fn unopened(error: Error) -> dudley::Error {
    match error {
        Error::Engine { source, .. } if source.is_unread() => source,
        error => dudley::Error::Foreign(Box::new(error)),
    }
}
