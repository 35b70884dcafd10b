//! Blosc2 frames on the command line: what can be done with those that cannot be opened.

pub(crate) mod salvage;

use std::path::Path;

use asdf_bridge::blosc2::Error;
use dudley::model::Candidate;

use crate::failure::{self, Failure};

/// What can be done with a frame, or a chunk, that cannot be opened.
pub(crate) fn help(candidate: &Candidate, error: &dudley::Error) -> Option<&'static str> {
    match error.cause() {
        dudley::Error::Foreign(source)
            if matches!(source.downcast_ref(), Some(Error::CutOff { .. })) =>
        {
            Some("`dudc salvage` takes the blocks that are whole")
        }
        _ => help_sparse(candidate),
    }
}

/// What can be done with a sparse frame without the file of its header.
fn help_sparse(candidate: &Candidate) -> Option<&'static str> {
    let folder = candidate.folder()?;
    (!folder.join(asdf_bridge::blosc2::INDEX_FILE).is_file()).then_some(
        "this file has the header and the index of a sparse frame, and the folder has chunks of one: `dudc \
         salvage` takes what these say themselves",
    )
}

/// Whether this is the folder of a sparse frame, or what is left of one.
pub(crate) fn is_sparse(path: &Path) -> bool {
    path.join(asdf_bridge::blosc2::INDEX_FILE).is_file() || asdf_bridge::blosc2::has_chunks(path)
}

/// What is wrong with a frame, as it says it itself.
pub(crate) fn failure(name: &str, error: asdf_bridge::blosc2::Error) -> Failure {
    match error {
        asdf_bridge::blosc2::Error::Engine { source, .. } if failure::is_unread(&source) => {
            Failure::of_file(name, source)
        }
        error => Failure::input(format!("{name}: {error}")),
    }
}

/// Whether an error of a frame is that a file of it could not be read.
fn is_unread(error: &asdf_bridge::blosc2::Error) -> bool {
    matches!(error, asdf_bridge::blosc2::Error::Engine { source, .. } if failure::is_unread(source))
}
