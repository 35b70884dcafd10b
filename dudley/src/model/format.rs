//! A format: how its files are recognised, opened and verified.

use std::path::Path;

use super::candidate::Candidate;
use super::dataset::Dataset;
use super::node::Fact;
use super::sections::Sections;
use crate::error::{Error, Result};
use crate::read::stream::Open;
use crate::verify::Finding;

/// How certain a format is that a file has this format. A greater claim wins; a test checks that no two formats
/// make the same claim for the same bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Claim {
    /// It is a text, as all of those are that nothing else claims.
    Text,
    /// All numbers of a header fit each other, without any signature.
    Header,
    /// It begins with the signature of the format, or one that is damaged.
    Signature,
    /// It is a file of another format, with that signature, in which one of this format lies that says more of it.
    Lodged,
}

/// A format: how its files are recognised and opened.
pub trait Format: Send + Sync {
    /// The name of its format with its article: "an ASDF file".
    fn describe(&self) -> &'static str;

    /// Whether something is of this format, and how sure that is, by its first bytes; of a folder by what is in it.
    ///
    /// # Errors
    /// If reading it fails.
    fn recognise(&self, candidate: &Candidate) -> Result<Option<Claim>>;

    /// Whether something is of this format although it begins with other bytes, so that more of it has to be read. This
    /// is asked only of a candidate that no format recognises, and makes [`Claim::Header`].
    ///
    /// # Errors
    /// If reading it fails.
    fn recognise_further(&self, candidate: &Candidate) -> Result<bool> {
        let _ = candidate;
        Ok(false)
    }

    /// Opens what is of this format.
    ///
    /// # Errors
    /// If something is wrong with it, with the address.
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

    /// Hands over what is wrong with what this format has within a file of another one.
    ///
    /// # Errors
    /// If it cannot be read.
    fn verify_within(
        &self,
        candidate: &Candidate,
        open: &Open,
        found: &mut dyn FnMut(Finding),
    ) -> Result<()> {
        let _ = (candidate, open, found);
        Ok(())
    }

    /// What something is made of as it is stored, or what of it a path picks; of what cannot be opened, which is no
    /// dataset, what there is of it. `None` if it is of another format, or the items of its stream say all.
    ///
    /// # Errors
    /// If there is nothing of that path; if it cannot be read.
    fn sections(
        &self,
        candidate: &Candidate,
        opened: Option<&Dataset>,
        path: Option<&str>,
    ) -> Result<Option<Sections>> {
        let _ = (candidate, opened, path);
        Ok(None)
    }

    /// Keeps all that can be read of what is damaged, and writes it as something of its own where a target says so; none
    /// of a format of which nothing can be kept so.
    ///
    /// # Errors
    /// If nothing can be read, or the target cannot be written.
    fn salvage(&self, candidate: &Candidate, to: Option<Target<'_>>) -> Result<Option<Salvaged>> {
        let _ = (candidate, to);
        Ok(None)
    }

    /// Repairs in a file what can be without loss, of what [`Self::verify`] found, and says what that was; `None` where
    /// nothing was.
    ///
    /// # Errors
    /// If it cannot be written.
    fn mend(&self, path: &Path, found: &[Finding]) -> Result<Option<String>> {
        let _ = (path, found);
        Ok(None)
    }

    /// Repairs what this format has within a file of another one: see [`Self::mend`].
    ///
    /// # Errors
    /// If it cannot be written.
    fn mend_within(&self, path: &Path, found: &[Finding]) -> Result<Option<String>> {
        let _ = (path, found);
        Ok(None)
    }

    /// Help for a file that cannot be opened.
    fn help(&self, candidate: &Candidate, error: &Error) -> Option<&'static str> {
        let _ = (candidate, error);
        None
    }
}

/// The file with the salvaged data.
#[derive(Clone, Copy, Debug)]
pub struct Target<'t> {
    /// The file, or the folder.
    pub path: &'t Path,
    /// Whether an existing file is overwritten.
    pub overwrite: bool,
}

/// The result of a salvage or repair.
#[derive(Clone, Debug, Default)]
pub struct Salvaged {
    /// The kept and the lost parts: by names for programs, as lines for people.
    pub facts: Vec<Fact>,
    /// Remarks about the written file.
    pub remarks: Vec<String>,
    /// Whether something is lost, or may be wrong.
    pub is_partial: bool,
}
