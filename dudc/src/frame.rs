//! What is wrong with Blosc2 frames that are written or shown chunk by chunk?

use crate::failure::Failure;

/// The faults of a frame, as the frame reports them.
pub(crate) fn failure(name: &str, error: asdf_bridge::blosc2::Error) -> Failure {
    match error {
        asdf_bridge::blosc2::Error::Engine { source, .. } if source.is_unread() => {
            Failure::of_file(name, source)
        }
        error => Failure::input(format!("{name}: {error}")),
    }
}
