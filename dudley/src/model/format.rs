//! What a format is: how it is recognised, how what is of it is opened, and what is wrong with that.

use super::candidate::Candidate;
use super::dataset::Dataset;
use crate::error::Result;
use crate::read::stream::Open;
use crate::verify::Finding;

/// How sure a format is that something is of it. A greater claim wins; no two formats make the same one of the same
/// bytes, which a test holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// It is a text, as all of those are that nothing else claims.
    Text,
    /// All numbers of a header fit each other, without any signature.
    Header,
    /// It begins with the signature of the format, or one that is damaged.
    Signature,
}

/// A format: how it is recognised, and how what is of it is opened.
pub trait Format: Send + Sync {
    /// What it is called, with its article: "an ASDF file".
    fn describe(&self) -> &'static str;

    /// Whether something is of this format, and how sure that is, by its first bytes; of a folder by what is in it.
    ///
    /// # Errors
    /// What reading it says.
    fn recognise(&self, candidate: &Candidate) -> Result<Option<Claim>>;

    /// Opens what is of this format.
    ///
    /// # Errors
    /// What is wrong with it, with the address.
    fn open(&self, candidate: &Candidate, open: &Open) -> Result<Dataset>;

    /// Hands over everything that is wrong with what is of this format, and tells `advance` of the bytes that were read.
    ///
    /// # Errors
    /// If it cannot be read. What is wrong with it is a finding.
    fn verify(
        &self,
        candidate: &Candidate,
        open: &Open,
        found: &mut dyn FnMut(Finding),
        advance: &mut dyn FnMut(u64),
    ) -> Result<()>;
}
