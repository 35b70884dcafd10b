//! Oddities and faults of a file, each with its address. The rest of the file can still be read.

use std::fmt;

/// An oddity or a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Code {
    /// Bytes of the first line that are wrong, where it is known what they were.
    FirstLine,
    /// A byte order mark before the first line.
    ByteOrderMark,
    /// A version of the format or of the standard that is not known.
    UnknownVersion,
    /// Something other than comments between the first line and the tree.
    BeforeTree,
    /// Something in front of the tree that is no text: a part of what stood there is lost.
    BadText,
    /// There is neither a tree nor a block, and the file ends within a line.
    Empty,
    /// The tree has no end mark, a line `...`.
    NoTreeEnd,
    /// The file ends where more should come: within a line at its beginning, or before the end mark of the index.
    CutOff,
    /// The tree cannot be read.
    BadTree,
    /// Line breaks that YAML 1.1 has and YAML 1.2 has not: U+0085, U+2028, U+2029.
    LineBreak,
    /// A scalar whose tag says something that its text is not, or a text of other characters than its array has.
    BadScalar,
    /// A key that stands in a mapping twice, of which the last one counts.
    DuplicateKey,
    /// Bytes that look like the beginning of a block, and are none.
    FalseMagic,
    /// Something other than spaces or zeros where nothing should be.
    Junk,
    /// A header that cannot be one.
    BadHeader,
    /// A block that does not begin where the one before it ends.
    NotAdjacent,
    /// There are fewer blocks than the index lists: from here on their numbers are not certain.
    MissingBlock,
    /// The data of a block reach beyond the end of the file.
    Truncated,
    /// The allocated size of the last block reaches beyond the end of the file; its data do not.
    Overhang,
    /// The sizes of a block disagree.
    Sizes,
    /// A compression label that is not known.
    UnknownCompression,
    /// The block index is not where it should be, or is not what it should be.
    BadIndex,
    /// The digest is that of the decompressed data, as older writers had it.
    LegacyDigest,
    /// The digest is not that of the data.
    BadDigest,
    /// The data of a block cannot be decompressed, or are not as many as they should be.
    BadData,
    /// Bytes of a block behind those that its data are compressed to, which nobody reads.
    TrailingBytes,
    /// An array of the tree that cannot be obtained.
    BadArray,
    /// Chunks of an array that overlap, or are missing.
    Chunks,
    /// A reference (`$ref`) that leads to nothing, or in a circle.
    BadReference,
    /// An array whose byte order the tree does not say, though its values depend on it.
    NoByteOrder,
    /// A key of an array that is not known; it may be a damaged one.
    UnknownKey,
    /// Behind the last row of an array, whose number its block says, is a part of one.
    PartialRow,
}

impl Code {
    /// Its stable name, for programs.
    pub const fn as_str(self) -> &'static str {
        match self {
            Code::FirstLine => "first-line",
            Code::ByteOrderMark => "byte-order-mark",
            Code::UnknownVersion => "unknown-version",
            Code::BeforeTree => "before-tree",
            Code::BadText => "bad-text",
            Code::Empty => "empty",
            Code::NoTreeEnd => "no-tree-end",
            Code::CutOff => "cut-off",
            Code::BadTree => "bad-tree",
            Code::LineBreak => "line-break",
            Code::BadScalar => "bad-scalar",
            Code::DuplicateKey => "duplicate-key",
            Code::FalseMagic => "false-magic",
            Code::Junk => "junk",
            Code::BadHeader => "bad-header",
            Code::NotAdjacent => "not-adjacent",
            Code::MissingBlock => "missing-block",
            Code::Truncated => "truncated",
            Code::Overhang => "overhang",
            Code::Sizes => "sizes",
            Code::UnknownCompression => "unknown-compression",
            Code::BadIndex => "bad-index",
            Code::LegacyDigest => "legacy-digest",
            Code::BadDigest => "bad-digest",
            Code::BadData => "bad-data",
            Code::TrailingBytes => "trailing-bytes",
            Code::BadArray => "bad-array",
            Code::Chunks => "chunks",
            Code::BadReference => "bad-reference",
            Code::NoByteOrder => "no-byteorder",
            Code::UnknownKey => "unknown-key",
            Code::PartialRow => "partial-row",
        }
    }

    /// Whether a block may be lost where it is found, so that those behind it may have other numbers.
    pub const fn is_gap(self) -> bool {
        matches!(self, Code::BadHeader | Code::NotAdjacent | Code::Truncated | Code::Overhang)
    }

    /// Whether something is lost or misleads other programs; else it is odd and nothing more.
    pub const fn is_error(self) -> bool {
        !matches!(
            self,
            Code::ByteOrderMark
                | Code::UnknownVersion
                | Code::BeforeTree
                | Code::NoTreeEnd
                | Code::CutOff
                | Code::LineBreak
                | Code::BadScalar
                | Code::DuplicateKey
                | Code::FalseMagic
                | Code::Junk
                | Code::Overhang
                | Code::LegacyDigest
                | Code::TrailingBytes
                | Code::Chunks
                | Code::BadReference
                | Code::UnknownKey
                | Code::PartialRow
        )
    }
}

/// One thing that is odd or wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Its kind.
    pub code: Code,
    /// Where, in bytes from the start of the file.
    pub address: u64,
    /// The block it is about, from 0.
    pub block: Option<usize>,
    /// The expected and the found value.
    pub reason: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.code.as_str())?;
        if let Some(block) = self.block {
            write!(f, "block {block}, ")?;
        }
        write!(f, "address {}: {}", self.address, self.reason)
    }
}

/// All that was found, in the order of the addresses.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The findings; of a file that is made of nothing else the first sixty thousand.
    pub findings: Vec<Finding>,
}

/// How many findings are kept.
const MOST: usize = 60_000;

impl Report {
    /// Whether nothing was found.
    pub fn is_clean(&self) -> bool {
        self.findings.is_empty()
    }

    /// The findings of one kind.
    pub fn of(&self, code: Code) -> impl Iterator<Item = &Finding> {
        self.findings.iter().filter(move |finding| finding.code == code)
    }

    pub(crate) fn add(&mut self, code: Code, address: u64, reason: impl Into<String>) {
        self.push(Finding { code, address, block: None, reason: reason.into() });
    }

    pub(crate) fn add_block(
        &mut self,
        code: Code,
        address: u64,
        block: usize,
        reason: impl Into<String>,
    ) {
        self.push(Finding { code, address, block: Some(block), reason: reason.into() });
    }

    pub(crate) fn extend(&mut self, findings: impl IntoIterator<Item = Finding>) {
        findings.into_iter().for_each(|finding| self.push(finding));
    }

    fn push(&mut self, finding: Finding) {
        if self.findings.len() < MOST {
            self.findings.push(finding);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_shown_with_their_place() {
        let mut report = Report::default();
        report.add_block(Code::BadHeader, 833, 0, "expected 48 bytes or more, found 47");
        let shown = report.findings[0].to_string();
        assert_eq!(shown, "bad-header: block 0, address 833: expected 48 bytes or more, found 47");
        assert_eq!(report.of(Code::Junk).count(), 0);
    }
}
