//! A file that is one chunk of Blosc2, without a frame: whole, cut off, or with something behind it.

use dudley::Severity;
use dudley::model::Candidate;
use dudley::verify::Finding;

use super::trailing;
use crate::failure::Result;

/// The bytes of a chunk, and those that are there from its first one on.
pub(crate) struct Lone {
    length: u64,
    there: u64,
}

impl Lone {
    /// What of a chunk there is in a file; none if it is something else, as a folder is.
    ///
    /// # Errors
    /// If it cannot be read.
    pub(crate) fn of(candidate: &Candidate) -> Result<Option<Lone>> {
        let there = candidate.len();
        let length = asdf_bridge::blosc2::chunk_length(candidate.head()?, there);
        Ok(length.map(|length| Lone { length, there }))
    }

    /// Its bytes.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    /// Whether some of it is missing.
    pub(crate) fn is_cut(&self) -> bool {
        self.there < self.length
    }

    /// How much of it there is, where that is not what it should be.
    fn said(&self) -> String {
        format!(
            "a chunk of Blosc2 of {} bytes, of which the first {} are there",
            self.length, self.there
        )
    }

    /// That some of it is missing, or that something follows.
    pub(crate) fn finding(&self) -> Option<Finding> {
        if !self.is_cut() {
            return trailing("chunk", self.length, self.there);
        }
        Some(Finding {
            code: "truncated",
            severity: Severity::Error,
            address: Some(self.there),
            bytes: None,
            path: None,
            message: self.said(),
        })
    }
}
