//! A file that is one chunk of Blosc2, without a frame: whole, cut off, or with something behind it.

use std::path::Path;

use dudley::Severity;
use dudley::verify::Finding;

use super::trailing;
use crate::failure::{Failure, Result};
use crate::input::{self, name_of};

/// The bytes of a chunk, and those that are there from its first one on.
pub(crate) struct Lone {
    length: u64,
    there: u64,
}

impl Lone {
    /// What of a chunk there is in a file; none if it is something else.
    ///
    /// # Errors
    /// If it cannot be read, as a folder cannot.
    pub(crate) fn of(path: &Path, base: u64) -> Result<Option<Lone>> {
        let there = input::length(path)?.saturating_sub(base);
        let length = asdf_bridge::blosc2::chunk_length(&input::head(path, base)?, there);
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

    /// That some of it is missing, and what can be done.
    pub(crate) fn failure(&self, path: &Path) -> Failure {
        let name = name_of(path);
        Failure::input(format!("{name}: {}", self.said()))
            .with_help("`dudc salvage` takes the blocks that are whole")
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
