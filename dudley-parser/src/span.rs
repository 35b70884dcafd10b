//! Where in the text: byte ranges, and lines and columns made from them.
//!
//! A [`Span`] is a range of bytes of one layout text. People count lines and characters, so
//! [`LineIndex`] turns offsets into [`LineColumn`]s; it is built once per text and only when a
//! diagnostic has to be shown.

/// A range of bytes of a layout text, end excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset one past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to but without `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The empty span before the byte at `offset`.
    pub const fn at(offset: u32) -> Self {
        Self { start: offset, end: offset }
    }

    /// The smallest span that holds both.
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// As a range to index a text with.
    pub const fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A place in a text as people count: both from 1; columns are Unicode scalar values, a tab is one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line, from 1. `\n`, `\r\n` and `\r` end lines.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// The line starts of a text, to turn byte offsets into lines and columns.
#[derive(Clone, Debug)]
pub struct LineIndex<'t> {
    text: &'t str,
    starts: Vec<u32>,
}

impl<'t> LineIndex<'t> {
    /// Finds the lines of `text`: one pass over it.
    pub fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, &byte) in bytes.iter().enumerate() {
            let ends_line = byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
            if ends_line {
                starts.push(at as u32 + 1);
            }
        }
        Self { text, starts }
    }

    /// Line and column of a byte offset. A leading byte order mark takes no column.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[line - 1] as usize;
        let end = (offset as usize).min(self.text.len());
        let before = self.text.get(start..end).unwrap_or_default();
        let marks = usize::from(line == 1 && before.starts_with('\u{feff}'));
        LineColumn { line, column: before.chars().count() + 1 - marks }
    }
}
