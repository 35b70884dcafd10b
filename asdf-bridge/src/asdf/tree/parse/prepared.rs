//! Changes of a text, so that our parser of YAML 1.2 accepts the same texts as libyaml.
//!
//! The line breaks that only YAML 1.1 has become line feeds. Quoted texts may go on in lines that are not indented:
//! blanks in front of such a line mean nothing, so it is indented. Places in the text for the parser are brought back
//! to those of the text as it is.

use std::borrow::Cow;

use super::super::breaks;

/// What is put in front of a line: more than any block is indented.
const INDENT: &str =
    "                                                                                ";

/// Bytes that are parsed again in all, at most.
const EFFORT: usize = 64 << 20;

/// A text, and what the parser is given for it.
pub(super) struct Prepared<'t> {
    original: &'t str,
    text: Cow<'t, str>,
    has_old_breaks: bool,
    /// Where lines were indented, in `text`, in order.
    at: Vec<usize>,
}

impl<'t> Prepared<'t> {
    pub(super) fn new(original: &'t str) -> Self {
        let text = breaks::for_parser(original);
        let has_old_breaks = matches!(text, Cow::Owned(_));
        Prepared { original, text, has_old_breaks, at: Vec::new() }
    }

    /// The text as it is.
    pub(super) fn original(&self) -> &'t str {
        self.original
    }

    /// The text for the parser.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Whether there are line breaks that only YAML 1.1 has.
    pub(super) fn has_old_breaks(&self) -> bool {
        self.has_old_breaks
    }

    /// How many lines may be indented.
    pub(super) fn tries(&self) -> usize {
        (EFFORT / self.original.len().max(1)).clamp(8, 1 << 12)
    }

    /// Indents what begins at a place of the text for the parser.
    pub(super) fn indent(&mut self, at: usize) {
        if self.text.is_char_boundary(at) {
            self.text.to_mut().insert_str(at, INDENT);
            // The parser continues from the start, so a later place may come first.
            for place in self.at.iter_mut().filter(|place| **place >= at) {
                *place += INDENT.len();
            }
            self.at.push(at);
            self.at.sort_unstable();
        }
    }

    /// Where in the text as it is something stands in that for the parser.
    pub(super) fn place(&self, at: usize) -> usize {
        let before = self.at.partition_point(|indent| *indent < at);
        at.saturating_sub(before * INDENT.len())
    }
}
