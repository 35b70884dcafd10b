//! The walk over the bytes: brackets, quotes, comments, item starts, terminator.

use super::lex::{
    begins_like_item, is_blank, is_line_end, is_word, line_end, quoted_end, word_end,
};
use super::{CHUNK, Cut, Fault, MAX_DEPTH, Scan};
use crate::ast::{Comment, CommentKind};
use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// What the last token outside brackets says about the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Before {
    /// Nothing at all, so `<` or `>` is the order indicator.
    Nothing,
    /// A possible end of an item: a name begins the next item, and dashes end the layout.
    Complete,
    /// An item's name.
    ItemName,
    /// Something that needs more.
    Operator,
    /// `*`: a name now may have suffixes.
    Star,
    /// The name of a repeat, with its suffixes so far; it ends here.
    RepeatName(usize),
}

/// An opening bracket.
#[derive(Clone, Copy)]
struct Opener {
    at: u32,
    kind: u8,
    /// It is known from the first walk that nothing closes it.
    unclosed: bool,
}

struct Walker<'t> {
    bytes: &'t [u8],
    scan: Scan<'t>,
    before: Before,
    stack: Vec<Opener>,
    /// Brackets open beyond [`MAX_DEPTH`]; these are only counted.
    excess: usize,
    /// Something was said about the depth of what is open.
    reported_depth: bool,
    /// Open brackets of a kind: `(`, `[`, `{`.
    open: [usize; 3],
    /// The brackets that the first walk found unclosed, in the order of the text.
    unclosed: Vec<u32>,
    /// The last quote that was not closed, and where the line behind it begins.
    unterminated: Option<(u8, usize)>,
    last_cut: usize,
    /// Nothing but blanks since the line began.
    fresh_line: bool,
    line_start: usize,
}

/// Walks over the bytes; twice, if there are brackets that nothing closes: only at the end is it
/// known which these are, and they end before an earlier line.
pub(super) fn walk(bytes: &[u8]) -> Scan<'_> {
    let mut first = Walker::new(bytes, Vec::new());
    first.run();
    if first.stack.is_empty() {
        return first.scan;
    }
    let unclosed = first.stack.iter().map(|opener| opener.at).collect();
    let mut second = Walker::new(bytes, unclosed);
    second.run();
    second.scan
}

impl<'t> Walker<'t> {
    fn new(bytes: &'t [u8], unclosed: Vec<u32>) -> Self {
        let mark = if bytes.starts_with("\u{feff}".as_bytes()) { 3 } else { 0 };
        let end = bytes.len() as u32;
        Self {
            bytes,
            scan: Scan { start: mark, last: mark, end, ..Scan::default() },
            before: Before::Nothing,
            stack: Vec::new(),
            excess: 0,
            reported_depth: false,
            open: [0; 3],
            unclosed,
            unterminated: None,
            last_cut: mark as usize,
            fresh_line: true,
            line_start: mark as usize,
        }
    }

    fn run(&mut self) {
        let mut at = self.scan.start as usize;
        while let Some(&byte) = self.bytes.get(at) {
            match byte {
                b'\n' | b'\r' => {
                    self.fresh_line = true;
                    at += 1;
                    self.line_start = at;
                    continue;
                }
                _ if is_blank(byte) => {
                    at += 1;
                    continue;
                }
                b'#' => {
                    at = self.comment(at);
                    continue;
                }
                _ => {}
            }
            if self.fresh_line {
                self.line_begins(at);
            }
            if self.stack.is_empty() {
                match self.outside(at, byte) {
                    Some(next) => at = next,
                    None => return,
                }
            } else {
                at = self.inside(at, byte);
            }
            self.fresh_line = false;
            self.scan.last = at as u32;
        }
    }

    /// Records a comment; returns where it ends.
    fn comment(&mut self, at: usize) -> usize {
        let end = line_end(self.bytes, at);
        let kind = match self.bytes[at..end] {
            [_, b'#', b'#', ..] => CommentKind::Plain,
            [_, b'#', ..] => CommentKind::Doc,
            [_, b':', ..] => CommentKind::Attribute,
            _ => CommentKind::Plain,
        };
        self.scan.comments.push(Comment { span: Span::new(at as u32, end as u32), kind });
        end
    }

    /// The first token of a line is at `at`: perhaps an item begins, perhaps unclosed brackets end.
    fn line_begins(&mut self, at: usize) {
        let doomed = !self.unclosed.is_empty()
            && at == self.line_start
            && self.stack.iter().any(|opener| opener.unclosed);
        if !self.stack.is_empty() && !doomed {
            return;
        }
        let named = !matches!(self.bytes[at], b'/' | b'.');
        let begins = begins_like_item(self.bytes, at) && (named || !doomed);
        if doomed && (begins || self.only_dashes(at)) {
            self.close_all();
            self.before = Before::Complete;
            self.cut(at);
        }
        if begins {
            self.scan.starts.push(at as u32);
        }
    }

    /// From `at` on, there are only dashes and blanks up to the line end.
    fn only_dashes(&self, at: usize) -> bool {
        let rest = &self.bytes[at..];
        let dashes = rest.iter().take_while(|&&byte| byte == b'-').count();
        let behind = rest[dashes..].iter().find(|&&byte| is_line_end(byte) || !is_blank(byte));
        dashes > 0 && behind.is_none_or(|&byte| is_line_end(byte))
    }

    fn cut(&mut self, at: usize) {
        if self.last_cut < at {
            self.scan.cuts.push(Cut { before: self.scan.last, behind: at as u32 });
            self.last_cut = at;
        }
    }

    fn close_all(&mut self) {
        self.stack.clear();
        self.excess = 0;
        self.reported_depth = false;
        self.open = [0; 3];
    }

    /// A token inside brackets; returns where it ends.
    fn inside(&mut self, at: usize, byte: u8) -> usize {
        match byte {
            b'"' | b'\'' => self.quoted(at),
            b'[' | b'{' | b'(' => self.opener(at, byte),
            b']' | b'}' | b')' => self.closer(at, byte),
            _ if is_word(byte) => word_end(self.bytes, at),
            _ => at + 1,
        }
    }

    /// A token outside brackets; returns where it ends, or `None` when the layout does.
    fn outside(&mut self, at: usize, byte: u8) -> Option<usize> {
        use Before::*;
        let (next, before) = match byte {
            b'"' | b'\'' => {
                let end = self.quoted(at);
                (end, self.name(at, end))
            }
            b'0'..=b'9' => (word_end(self.bytes, at), Complete),
            _ if is_word(byte) => {
                let end = word_end(self.bytes, at);
                (end, self.name(at, end))
            }
            b'[' | b'{' | b'(' => (self.opener(at, byte), Operator),
            b'*' => (at + 1, Star),
            b'/' | b'.' | b']' | b'}' | b')' => (at + 1, Complete),
            b'<' | b'>' if self.before == Nothing => (at + 1, Complete),
            b'+' | b'-' => {
                if byte == b'-' && self.terminator(at) {
                    return None;
                }
                match self.before {
                    RepeatName(end) if end == at => (at + 1, RepeatName(at + 1)),
                    _ => (at + 1, Operator),
                }
            }
            _ => (at + 1, Operator),
        };
        self.before = before;
        Some(next)
    }

    /// What a name outside brackets says about what follows it.
    fn name(&mut self, at: usize, end: usize) -> Before {
        let safe = matches!(self.before, Before::Complete | Before::Nothing);
        if safe && at - self.last_cut >= CHUNK {
            self.cut(at);
        }
        match self.before {
            Before::Star => Before::RepeatName(end),
            Before::Operator => Before::Complete,
            _ => Before::ItemName,
        }
    }

    /// Whether the dash at `at` begins a terminator; if so it is recorded.
    ///
    /// Dashes alone on their line always do, even where something is missing before them: what
    /// follows such a line is likely not to be a layout.
    fn terminator(&mut self, at: usize) -> bool {
        let expected = match self.before {
            Before::Nothing | Before::Complete => true,
            Before::RepeatName(end) => end != at,
            Before::ItemName | Before::Operator | Before::Star => self.fresh_line,
        };
        if !expected || !self.only_dashes(at) {
            return false;
        }
        let dashes = self.bytes[at..].iter().take_while(|&&byte| byte == b'-').count();
        let span = Span::new(at as u32, (at + dashes) as u32);
        if !self.fresh_line {
            self.scan.diagnostics.push(
                Diagnostic::note("dashes-late", span, "these dashes end the layout")
                    .help("write them on a line of their own"),
            );
        }
        self.scan.terminator = Some(span);
        self.scan.end = span.start;
        true
    }

    /// A quoted name; returns where it ends.
    fn quoted(&mut self, at: usize) -> usize {
        let (end, closed) = quoted_end(self.bytes, at);
        if !closed {
            let quote = self.bytes[at] as char;
            let what = match self.bytes.get(end) {
                Some(0) => "a name cannot hold a NUL character".to_string(),
                _ => format!("this name is not closed with `{quote}` on its line"),
            };
            let span = Span::new(at as u32, at as u32 + 1);
            let end = line_end(self.bytes, end);
            // A quote on the next line is likely to be the one that is missing here.
            let echo = self.unterminated == Some((self.bytes[at], self.line_start));
            self.unterminated = (!echo).then_some((self.bytes[at], end + 1));
            if echo {
                self.scan.faults.push(Fault { at: span.start, too_deep: false });
            } else {
                self.fault(at, Diagnostic::error("unterminated-name", span, what));
            }
            return end;
        }
        end
    }

    fn fault(&mut self, at: usize, diagnostic: Diagnostic) {
        self.scan.faults.push(Fault { at: at as u32, too_deep: diagnostic.code == "nesting" });
        self.scan.diagnostics.push(diagnostic);
    }

    fn opener(&mut self, at: usize, kind: u8) -> usize {
        let span = Span::new(at as u32, at as u32 + 1);
        if self.stack.len() == MAX_DEPTH {
            self.excess += 1;
            if !self.reported_depth {
                self.reported_depth = true;
                let message = format!("brackets nest more than {MAX_DEPTH} deep");
                self.fault(at, Diagnostic::error("nesting", span, message));
            }
            return at + 1;
        }
        let unclosed = self.unclosed.binary_search(&span.start).is_ok();
        // Of brackets that are too deep anyway it does not matter which are closed.
        if unclosed && self.unclosed.len() < MAX_DEPTH {
            let (open, close) = (kind as char, partner(kind) as char);
            let message = format!("this `{open}` is never closed with `{close}`");
            self.fault(at, Diagnostic::error("unclosed", span, message));
        }
        self.open[slot(kind)] += 1;
        self.stack.push(Opener { at: span.start, kind, unclosed });
        at + 1
    }

    /// A closing bracket. One that fits only a bracket further out closes what is in between.
    fn closer(&mut self, at: usize, kind: u8) -> usize {
        if self.excess > 0 {
            self.excess -= 1;
            return at + 1;
        }
        let opening = partner(kind);
        let fits_none = self.open[slot(opening)] == 0;
        while let Some(top) = self.stack.pop() {
            self.open[slot(top.kind)] -= 1;
            if top.kind == opening {
                break;
            }
            let (found, needed) = (kind as char, partner(top.kind) as char);
            let span = Span::new(top.at, top.at + 1);
            let here = Span::new(at as u32, at as u32 + 1);
            if fits_none {
                let message = format!("expected `{needed}`, found `{found}`");
                let error = Diagnostic::error("syntax", here, message);
                self.fault(at, error.also(span, format!("`{needed}` would close this")));
                break;
            }
            let message = format!("this `{}` is never closed with `{needed}`", top.kind as char);
            let error = Diagnostic::error("unclosed", span, message);
            self.fault(top.at as usize, error.also(here, "here something further out is closed"));
        }
        if self.stack.is_empty() {
            self.reported_depth = false;
            self.before = Before::Complete;
        }
        at + 1
    }
}

/// The bracket that belongs to this one.
const fn partner(bracket: u8) -> u8 {
    match bracket {
        b'(' => b')',
        b')' => b'(',
        b'[' => b']',
        b']' => b'[',
        b'{' => b'}',
        _ => b'{',
    }
}

/// Where brackets of a kind are counted.
const fn slot(opener: u8) -> usize {
    match opener {
        b'(' => 0,
        b'[' => 1,
        _ => 2,
    }
}
