//! ASDF files that lie in files of other formats, whose data their trees name.

use std::sync::Arc;

use dudley::Data;
use dudley::bytes::Source;
use dudley::model::{Candidate, Dataset};
use dudley::verify::Finding;

/// Gives the array that a source names in the file around the tree.
pub type ArrayOf = dyn Fn(&str) -> dudley::Result<Data> + Send + Sync;

/// An ASDF file that lies in a file of another format.
#[derive(Clone)]
pub struct Lodged {
    /// The bytes of the ASDF file.
    pub bytes: Arc<dyn Source>,
    /// The file that it lies in.
    pub host: Dataset,
    /// The prefix of sources of arrays whose data is in the host: `fits:`.
    pub scheme: &'static str,
    /// The array that is named behind that, with the values that it has for readers of the host.
    pub array: Arc<ArrayOf>,
}

/// A format in whose files ASDF files may lie. [`super::Within`] makes a [`dudley::model::Format`] of it.
pub trait Hosts: Send + Sync {
    /// The name of a file that has one: "an ASDF file in a FITS file".
    fn describe(&self) -> &'static str;

    /// The ASDF file that something has in it; `None` if it has none, or is of another format.
    ///
    /// # Errors
    /// If it cannot be read.
    fn find(&self, candidate: &Candidate, open: &dudley::Open) -> dudley::Result<Option<Lodged>>;

    /// Hands over what is wrong with the file as one of its own format: see [`dudley::model::Format::verify`].
    ///
    /// # Errors
    /// If it cannot be read.
    fn verify(
        &self,
        candidate: &Candidate,
        open: &dudley::Open,
        found: &mut dyn FnMut(Finding),
        advance: &mut dyn FnMut(u64),
    ) -> dudley::Result<()>;
}
