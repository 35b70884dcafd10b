//! Errors of ASDF and FINF files, and of requests to them.

use std::fmt;

/// The result of everything that reads such a file.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// An error. Addresses are in bytes from the start of the file.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The engine refused: bytes are not there, or not of the type asked for.
    #[error(transparent)]
    Engine(#[from] dudley::Error),
    /// The first line is that of no such file.
    #[error(
        "no ASDF or FINF file: expected a first line such as `#ASDF 1.0.0` or `%FINF 0.1.0`, \
         found {found}"
    )]
    NotAsdf {
        /// How the file begins.
        found: Box<str>,
    },
    /// The file has no tree, only blocks.
    #[error("the file has no tree")]
    NoTree,
    /// The tree cannot be read.
    #[error("the tree at line {line}, column {column} (address {address}): {why}")]
    Tree {
        /// The address of what cannot be read.
        address: u64,
        /// Its line in the file, from 1.
        line: usize,
        /// Its column, in characters from 1.
        column: usize,
        /// The fault.
        why: Box<str>,
    },
    /// There is nothing of that path in the tree.
    #[error("no item `{path}`: {why}")]
    NoSuchNode {
        /// The path.
        path: Box<str>,
        /// Where it ends.
        why: Box<str>,
    },
    /// A node of the tree is not what it should be.
    #[error("`{path}`: expected {expected} at address {address}, found {found}")]
    Node {
        /// Its path.
        path: Box<str>,
        /// Where it stands in the file.
        address: u64,
        /// What was expected.
        expected: Box<str>,
        /// What was found.
        found: Box<str>,
    },
    /// The text of the tree cannot be changed as wished.
    #[error("`{path}`: what stands at address {address} cannot be changed in its text: {why}")]
    NotEditable {
        /// The path.
        path: Box<str>,
        /// Where the collection stands that would change.
        address: u64,
        /// Why not.
        why: Box<str>,
    },
    /// An update would have to be a new file, and what is updated is none.
    #[error("the update needs a new file: it cannot be written in place")]
    NotInPlace,
    /// A block is not there, or cannot be used.
    #[error("block {index}{}: expected {expected}, found {found}", at(*address))]
    Block {
        /// Which block, from 0; as the tree has it, if there is none.
        index: i64,
        /// Where its header begins, if there is one.
        address: Option<u64>,
        /// What was expected.
        expected: Box<str>,
        /// What was found.
        found: Box<str>,
    },
    /// Something cannot be written as it is.
    #[error("`{what}` cannot be written: expected {expected}, found {found}")]
    Unwritable {
        /// Its path in the tree.
        what: Box<str>,
        /// The largest value that can be written.
        expected: Box<str>,
        /// Its kind.
        found: Box<str>,
    },
    /// An array reaches out of its block.
    #[error(
        "`{path}`: the array needs bytes {start} to {end} of its block at address {address}, which \
         has {available}"
    )]
    OutOfBlock {
        /// The path of the array.
        path: Box<str>,
        /// Where the data of the block begin.
        address: u64,
        /// The first byte of the array, from the beginning of the block: below 0 in front of it.
        start: i64,
        /// The end of the array, within the block.
        end: u64,
        /// Bytes of the block.
        available: u64,
    },
    /// Another file, which the tree names, cannot be obtained.
    #[error("`{uri}`, which the tree names: {why}")]
    External {
        /// What the tree names.
        uri: Box<str>,
        /// Why not.
        why: Box<str>,
    },
    /// References lead on to references without end.
    #[error("`{path}`: more than {limit} references, one after the other, lead nowhere")]
    EndlessReference {
        /// Where the first one stands.
        path: Box<str>,
        /// How many were followed.
        limit: usize,
    },
    /// A reference leads back to what it stands in.
    #[error("`{path}`: the reference leads back to `{target}`, in which it stands")]
    CircularReference {
        /// Where it stands.
        path: Box<str>,
        /// Its target.
        target: Box<str>,
    },
    /// More than the caller allows.
    #[error("{what}: more than {limit}, which is the limit")]
    Limit {
        /// What there is too much of.
        what: Box<str>,
        /// How much is allowed, with the unit.
        limit: Box<str>,
    },
}

fn at(address: Option<u64>) -> String {
    address.map_or(String::new(), |address| format!(" at address {address}"))
}

/// As it is displayed: a program whose `main` gives an error shows it so.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error {
    /// For what a file to be written cannot hold.
    pub(crate) fn unwritable(what: &str, expected: &str, found: &str) -> Error {
        Error::Unwritable { what: what.into(), expected: expected.into(), found: found.into() }
    }

    /// The address that the error is about, if it is about one.
    pub fn address(&self) -> Option<u64> {
        match self {
            Error::Engine(error) => error.address(),
            Error::Tree { address, .. }
            | Error::Node { address, .. }
            | Error::NotEditable { address, .. }
            | Error::OutOfBlock { address, .. } => Some(*address),
            Error::Block { address, .. } => *address,
            _ => None,
        }
    }

    /// The same of another file than the one that was opened, if that has a URI: addresses in it are none of this one.
    pub(super) fn in_file(self, uri: &str) -> Error {
        match self {
            error @ (Error::Node { .. } | Error::Block { .. }) if !uri.is_empty() => {
                Error::External { uri: uri.into(), why: error.to_string().into() }
            }
            error => error,
        }
    }

    /// An error about the item of a path. Most errors name the path themselves.
    ///
    /// ```
    /// let error = asdf_bridge::asdf::Error::NoTree;
    /// assert_eq!(error.named("/x"), format!("`/x`: {error}"));
    /// ```
    pub fn named(&self, path: &str) -> String {
        let (path, error) = (format!("`{path}"), self.to_string());
        if error.contains(&path) { error } else { format!("{path}`: {error}") }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_name_place_expectation_and_finding() {
        let block = Error::Block {
            index: 2,
            address: Some(1069),
            expected: "a header of 48 bytes or more".into(),
            found: "47".into(),
        };
        assert_eq!(
            block.to_string(),
            "block 2 at address 1069: expected a header of 48 bytes or more, found 47"
        );
        assert_eq!(block.address(), Some(1069));
        let limit = Error::Limit { what: "the tree".into(), limit: "1 MiB".into() };
        assert_eq!(limit.to_string(), "the tree: more than 1 MiB, which is the limit");
        let engine = Error::from(dudley::Error::truncated(7, 8, 3));
        assert_eq!(engine.address(), Some(7));
        assert!(size_of::<Error>() <= 104, "{}", size_of::<Error>());
    }
}
