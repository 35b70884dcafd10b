//! One pass over the bytes of a layout before it is parsed: where does it end, and where is it safe
//! to cut it?
//!
//! The grammar recurses and reads on where a bracket is missing; so brackets, quotes and nesting
//! are looked at here first, and what is wrong with them is reported here. The scan also finds the
//! comments, the dashes that end the layout, and the lines that begin like an item, where parsing
//! can resume after an error. It knows tokens, not what they may stand for.

pub(crate) mod lex;
mod walk;

pub(crate) use lex::{is_word, next_token, quoted_end, skip_blanks, skip_trivia};

use crate::ast::Comment;
use crate::diagnostic::Diagnostic;
use crate::span::Span;
use std::borrow::Cow;

/// How deep brackets may nest.
pub(crate) const MAX_DEPTH: usize = 256;

/// Runs of items of about this many bytes are parsed at a time, which bounds the memory needed.
pub(crate) const CHUNK: usize = 64 * 1024;

/// What the scan found.
#[derive(Debug, Default)]
pub(crate) struct Scan<'t> {
    /// The layout's text: its byte order mark included, nothing behind the terminator. Bytes that
    /// are not UTF-8 are replaced, one for one.
    pub(crate) text: Cow<'t, str>,
    /// Where parsing begins: behind the byte order mark.
    pub(crate) start: u32,
    /// Where it ends: at the terminator, else at the end of the text.
    pub(crate) end: u32,
    /// The dashes.
    pub(crate) terminator: Option<Span>,
    /// All comments in the order of the text.
    pub(crate) comments: Vec<Comment>,
    /// The lines outside brackets which begin like an item; where on the line the item begins.
    pub(crate) starts: Vec<u32>,
    /// Item starts about [`CHUNK`] apart, and where unclosed brackets end: no item goes over a cut.
    pub(crate) cuts: Vec<Cut>,
    /// Where the last token before `end` ends.
    pub(crate) last: u32,
    /// Places of which something was reported, in the order of the text.
    pub(crate) faults: Vec<Fault>,
    /// What was reported.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// A place between two items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// Where the last token of the one ends. Comments may follow, any number of them.
    pub(crate) before: u32,
    /// Where the other begins.
    pub(crate) behind: u32,
}

/// A place at which the grammar will fail, or must not be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    /// Where.
    pub(crate) at: u32,
    /// Brackets nest too deep here: the grammar must not see this.
    pub(crate) too_deep: bool,
}

/// Scans the bytes of a layout.
pub(crate) fn scan(bytes: &[u8]) -> Scan<'_> {
    if bytes.len() >= u32::MAX as usize {
        let message = "the layout is longer than 4 GiB";
        let error = Diagnostic::error("too-long", Span::at(0), message);
        return Scan { diagnostics: vec![error], ..Scan::default() };
    }
    let mut scan = walk::walk(bytes);
    let length = scan.terminator.map_or(bytes.len(), |dashes| dashes.end as usize);
    scan.faults.sort_by_key(|fault| fault.at);
    decode(&mut scan, &bytes[..length]);
    scan
}

/// Where the layout ends that bytes begin with: behind its terminator. `None` where they have none, and more of
/// them may.
///
/// ```
/// assert_eq!(dudley_parser::layout_end(b"x = f8  # not - yet\n---\n\xff"), Some(23));
/// assert_eq!(dudley_parser::layout_end(b"x = f8  # not - yet\n--"), None);
/// ```
pub fn layout_end(bytes: &[u8]) -> Option<usize> {
    let end = scan(bytes).terminator?.end as usize;
    // Behind the dashes their line may go on.
    bytes.get(end..)?.iter().any(|byte| matches!(byte, b'\n' | b'\r')).then_some(end)
}

/// Where bytes cease to be the text of a layout: a NUL, or what is not UTF-8. `None` if they do not, or not before
/// the terminator. If `more` of them may follow, the last character may be incomplete.
///
/// ```
/// use dudley_parser::no_text_at;
/// assert_eq!(no_text_at(b"x = f8\n---\n\xff", false), None);
/// assert_eq!(no_text_at(b"x = f8\n\xff", false), Some(7));
/// assert_eq!(no_text_at(b"x = f8\0", true), Some(6));
/// assert_eq!((no_text_at(b"# \xc3", true), no_text_at(b"# \xc3", false)), (None, Some(2)));
/// ```
pub fn no_text_at(bytes: &[u8], more: bool) -> Option<usize> {
    let valid = match std::str::from_utf8(bytes) {
        Err(error) if error.error_len().is_some() || !more => error.valid_up_to(),
        _ => bytes.len(),
    };
    let nul = bytes[..valid].iter().position(|byte| *byte == 0);
    let at = nul.unwrap_or(valid);
    (at < bytes.len() && layout_end(&bytes[..at]).is_none()).then_some(at)
}

/// Takes the bytes as text; where they are none, says so once and continues with replacements.
fn decode<'t>(scan: &mut Scan<'t>, bytes: &'t [u8]) {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => {
            scan.text = Cow::Borrowed(text);
            return;
        }
        Err(error) => error.valid_up_to(),
    };
    let mut text = String::with_capacity(bytes.len());
    let mut bad = 0usize;
    for part in bytes.utf8_chunks() {
        text.push_str(part.valid());
        bad += part.invalid().len();
        text.extend(part.invalid().iter().map(|_| '?'));
    }
    let others = if bad > 1 { format!(" ({bad} such bytes in all)") } else { String::new() };
    let span = Span::new(error as u32, error as u32 + 1);
    let message = format!("byte {error} (0x{:02x}) is not valid UTF-8{others}", bytes[error]);
    scan.diagnostics.push(
        Diagnostic::error("bad-utf8", span, message)
            .help("layouts are UTF-8; is this a binary stream, or text in another encoding?"),
    );
    scan.text = Cow::Owned(text);
}
