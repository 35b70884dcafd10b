//! Where in the text: byte ranges, and lines and columns made from them.
//!
//! A [`Span`] is a range of bytes of one layout text. People count lines and characters, so
//! [`LineIndex`] turns offsets into [`LineColumn`]s; it is built once per text and only when a
//! diagnostic has to be shown.

/// A range of bytes of a layout text, end excluded.
///
/// ```
/// use dudley_parser::span::Span;
///
/// let span = Span::new(4, 7);
/// assert_eq!(&"x = f8[3]"[span.range()], "f8[");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset one past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes from `start` up to but without `end`.
    ///
    /// ```
    /// use dudley_parser::span::Span;
    ///
    /// assert_eq!(Span::new(4, 6).end, 6);
    /// ```
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The empty span before the byte at `offset`.
    ///
    /// ```
    /// use dudley_parser::span::Span;
    ///
    /// assert_eq!(Span::at(4), Span::new(4, 4));
    /// ```
    pub const fn at(offset: u32) -> Self {
        Self { start: offset, end: offset }
    }

    /// The smallest span that holds both.
    ///
    /// ```
    /// use dudley_parser::span::Span;
    ///
    /// assert_eq!(Span::new(4, 6).to(Span::new(8, 9)), Span::new(4, 9));
    /// ```
    pub fn to(self, other: Span) -> Span {
        Span { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// As a range to index a text with.
    ///
    /// ```
    /// use dudley_parser::span::Span;
    ///
    /// assert_eq!(&"x = f8"[Span::new(4, 6).range()], "f8");
    /// ```
    pub const fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A place in a text as people count: both from 1; columns are Unicode scalar values, a tab is one.
///
/// ```
/// use dudley_parser::span::{LineColumn, LineIndex};
///
/// let lines = LineIndex::new("x = f8\ny = f4\n");
/// assert_eq!(lines.line_column(11), LineColumn { line: 2, column: 5 });
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line, from 1. `\n`, `\r\n` and `\r` end lines.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

/// The line starts of a text, to turn byte offsets into lines and columns.
///
/// ```
/// use dudley_parser::span::LineIndex;
///
/// let lines = LineIndex::new("x = f8\r\ny = f4\n");
/// assert_eq!((lines.line_column(8).line, lines.line(1).range()), (2, 0..6));
/// ```
#[derive(Clone, Debug)]
pub struct LineIndex<'t> {
    text: &'t str,
    starts: Vec<u32>,
    /// Characters before every [`BLOCK`]th byte, so that a column is cheap in a line of any length.
    before: Vec<u32>,
}

/// Bytes between two counts of characters.
const BLOCK: usize = 1024;

impl<'t> LineIndex<'t> {
    /// Finds the lines of `text`: one pass over it.
    ///
    /// ```
    /// use dudley_parser::span::LineIndex;
    ///
    /// assert_eq!(LineIndex::new("x = f8").line_column(4).column, 5);
    /// ```
    pub fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let mut starts = vec![0];
        for (at, &byte) in bytes.iter().enumerate() {
            let ends_line = byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'));
            if ends_line {
                starts.push(at as u32 + 1);
            }
        }
        let mut before = Vec::with_capacity(bytes.len() / BLOCK + 1);
        let mut count = 0;
        for block in bytes.chunks(BLOCK) {
            before.push(count as u32);
            count += characters(block);
        }
        Self { text, starts, before }
    }

    /// Line and column of a byte offset. A leading byte order mark takes no column.
    ///
    /// ```
    /// use dudley_parser::span::LineIndex;
    ///
    /// let at = LineIndex::new("\u{e4} = f8").line_column(3); // in bytes
    /// assert_eq!((at.line, at.column), (1, 3)); // in characters
    /// ```
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[line - 1] as usize;
        let end = (offset as usize).min(self.text.len());
        let marks = usize::from(line == 1 && end > 0 && self.text.starts_with('\u{feff}'));
        let column = self.characters_before(end).saturating_sub(self.characters_before(start));
        LineColumn { line, column: column + 1 - marks }
    }

    /// Where a line lies, without what ends it; the first one without a byte order mark.
    ///
    /// ```
    /// use dudley_parser::span::LineIndex;
    ///
    /// assert_eq!(LineIndex::new("x = f8\ny = f4\n").line(2).range(), 7..13);
    /// ```
    pub fn line(&self, line: usize) -> Span {
        let length = self.text.len() as u32;
        let Some(&start) = self.starts.get(line.wrapping_sub(1)) else { return Span::at(length) };
        let next = self.starts.get(line).copied().unwrap_or(length);
        let mark = if line == 1 && self.text.starts_with('\u{feff}') { 3 } else { 0 };
        let raw = &self.text[start as usize..next as usize];
        let content = raw.strip_suffix('\n').unwrap_or(raw);
        let content = content.strip_suffix('\r').unwrap_or(content);
        Span::new(start + mark, start + content.len() as u32)
    }

    fn characters_before(&self, offset: usize) -> usize {
        let block = offset / BLOCK;
        let Some(&before) = self.before.get(block) else {
            let last = self.before.len().saturating_sub(1);
            let counted = self.before.last().copied().unwrap_or_default() as usize;
            let rest = self.text.as_bytes().get(last * BLOCK..).unwrap_or_default();
            return counted + characters(rest);
        };
        let bytes = self.text.as_bytes();
        before as usize + characters(&bytes[block * BLOCK..offset.min(bytes.len())])
    }
}

/// The characters that begin in some bytes of UTF-8.
fn characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_of_long_lines() {
        let text = format!("\u{feff}ab\r{}\r\nx", "é".repeat(3000));
        let index = LineIndex::new(&text);
        let at = |offset| index.line_column(offset);
        assert_eq!(at(0), LineColumn { line: 1, column: 1 });
        assert_eq!(at(3), LineColumn { line: 1, column: 1 });
        assert_eq!(at(5), LineColumn { line: 1, column: 3 });
        assert_eq!(at(6), LineColumn { line: 2, column: 1 });
        assert_eq!(at(6 + 2 * 2999), LineColumn { line: 2, column: 3000 });
        assert_eq!(at(text.len() as u32), LineColumn { line: 3, column: 2 });
        assert_eq!(&text[index.line(1).range()], "ab");
        assert_eq!(index.line(2), Span::new(6, 6006));
        assert_eq!(&text[index.line(3).range()], "x");
        assert_eq!(LineIndex::new("").line_column(0), LineColumn { line: 1, column: 1 });
    }
}
