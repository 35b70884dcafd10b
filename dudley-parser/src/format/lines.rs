//! Lines put together from tokens and comments; comments behind code are aligned at the end.

use crate::pad::blanks;
use std::fmt::Write as _;

/// Code wider than this does not push the comments of the lines around it to the right.
const ALIGNED_WIDTH: usize = 72;

/// Columns by which a level is indented.
const STEP: usize = 2;

#[derive(Default)]
struct Line<'t> {
    indent: usize,
    code: String,
    comment: Option<&'t str>,
    /// The comment stood under the comment of the line before.
    under: bool,
    blank_before: bool,
    /// The `{` of the outermost structs that begin on this line and do not go over several.
    structs: Vec<u32>,
}

impl Line<'_> {
    fn width(&self) -> usize {
        self.indent * STEP + self.code.chars().count()
    }
}

/// The lines so far.
pub(super) struct Lines<'t> {
    lines: Vec<Line<'t>>,
    /// The last line can take no more code.
    closed: bool,
    /// Where the last comment stood in its source line, if it was on the last line.
    comment_column: Option<usize>,
}

impl<'t> Lines<'t> {
    pub(super) fn new() -> Self {
        Self { lines: Vec::new(), closed: true, comment_column: None }
    }

    /// The next token begins a line in any case.
    pub(super) fn at_line_start(&self) -> bool {
        self.closed
    }

    /// The indentation of the last line.
    pub(super) fn indent(&self) -> usize {
        self.lines.last().map_or(0, |line| line.indent)
    }

    /// Begins a line.
    pub(super) fn line(&mut self, indent: usize, blank_before: bool) {
        let blank_before = blank_before && !self.lines.is_empty();
        self.lines.push(Line { indent, blank_before, ..Line::default() });
        self.closed = false;
        self.comment_column = None;
    }

    /// White space between tokens, or a new line if a comment ended the last.
    pub(super) fn gap(&mut self, space: &str, indent: usize) {
        if self.closed {
            self.line(indent, false);
        } else {
            self.push(space);
        }
    }

    /// Adds code to the last line.
    pub(super) fn push(&mut self, code: &str) {
        if let Some(line) = self.lines.last_mut() {
            line.code.push_str(code);
        }
    }

    /// A struct on one line begins on the last line.
    pub(super) fn one_line_struct(&mut self, open: u32) {
        if let Some(line) = self.lines.last_mut() {
            line.structs.push(open);
        }
    }

    /// A comment, `newlines` line ends after what precedes it. `column` is where it stood.
    pub(super) fn comment(
        &mut self,
        text: &'t str,
        column: usize,
        indent: usize,
        newlines: usize,
        fresh: bool,
    ) {
        let under = newlines == 1 && self.comment_column == Some(column);
        if newlines > 0 || self.closed {
            self.line(indent, newlines > 1 && !fresh);
        }
        if let Some(line) = self.lines.last_mut() {
            line.comment = Some(text);
            line.under = under;
            // A comment on a line of its own has no other under it, unless it is under one.
            self.comment_column = (under || !line.code.is_empty()).then_some(column);
        }
        self.closed = true;
    }

    /// The structs on lines that are too long.
    pub(super) fn too_long(&self, width: usize) -> Vec<u32> {
        let long = self.lines.iter().filter(|line| line.width() > width);
        long.flat_map(|line| line.structs.iter().copied()).collect()
    }

    /// The text.
    pub(super) fn finish(self) -> String {
        let mut text = String::new();
        let mut lines = &self.lines[..];
        while let Some(first) = lines.first() {
            let length = block(lines);
            let (block, rest) = lines.split_at(length.max(1));
            let widths = block.iter().filter(|line| !line.code.is_empty()).map(Line::width);
            let column = widths.filter(|&width| width <= ALIGNED_WIDTH).max().unwrap_or(0) + 2;
            let mut last = first.width() + 2;
            for line in block {
                if !line.code.is_empty() {
                    last = column.max(line.width() + 2);
                }
                write_line(&mut text, line, last);
            }
            lines = rest;
        }
        text
    }
}

/// How many lines from the first on have comments that are to be aligned.
fn block(lines: &[Line<'_>]) -> usize {
    let aligned =
        |line: &&Line<'_>| line.comment.is_some() && (!line.code.is_empty() || line.under);
    let more = lines.iter().skip(1).take_while(|line| !line.blank_before && aligned(line));
    if lines.first().is_some_and(|first| aligned(&first)) { 1 + more.count() } else { 1 }
}

fn write_line(text: &mut String, line: &Line<'_>, column: usize) {
    if line.blank_before {
        text.push('\n');
    }
    let start = text.len();
    let indent = line.indent * STEP;
    let indented = blanks(indent);
    // Writing to a string cannot fail.
    let _ = match line.comment {
        None => write!(text, "{indented}{}", line.code),
        Some(comment) if line.code.is_empty() && !line.under => {
            write!(text, "{indented}{comment}")
        }
        Some(comment) => {
            let padding =
                column.saturating_sub(if line.code.is_empty() { indent } else { line.width() });
            write!(text, "{indented}{}{}{comment}", line.code, blanks(padding))
        }
    };
    let end = text.trim_end_matches(' ').len().max(start);
    text.truncate(end);
    text.push('\n');
}
