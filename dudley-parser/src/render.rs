//! How diagnostics look on a terminal: like those of rustc, with source lines and markers.
//!
//! A layout may hold anything, so nothing of it goes to the terminal as it is: control characters
//! and those that change the direction of text are replaced, tabs become blanks, and of a very long
//! line only what surrounds a marker is shown. The cost of a diagnostic does not depend on the
//! length of the text.

use crate::diagnostic::{Diagnostic, Label, Severity};
use crate::span::{LineIndex, Span};
use annotate_snippets::{
    Annotation, AnnotationKind, Group, Level, Renderer, Snippet, normalize_untrusted_str,
};

/// Whether to use colours.
///
/// ```
/// use dudley_parser::render::{Style, render};
///
/// let text = "x = f9";
/// let found = dudley_parser::check(text.as_bytes()).diagnostics;
/// assert!(render(&found, text, "run.dud", Style::Colored).contains("\x1b["));
/// assert!(!render(&found, text, "run.dud", Style::Plain).contains("\x1b["));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Plain text.
    #[default]
    Plain,
    /// ANSI escapes for colours.
    Colored,
}

/// Lines up to this many characters are shown whole.
const WIDTH: usize = 140;

/// Characters shown before and behind a marker in a longer line.
const AROUND: usize = 60;

/// A marker is at most this many characters long.
const MARKER: usize = 100;

/// Markers at most this many lines apart are shown in one piece.
const NEAR_LINES: usize = 40;

/// Shows diagnostics one below the other, an empty line between them. `text` is what their spans
/// index, `file_name` what it is called.
///
/// ```
/// use dudley_parser::render::{Style, render};
///
/// let checked = dudley_parser::check(b"x = f9");
/// let shown = render(&checked.diagnostics, &checked.text, "a.dud", Style::Plain);
/// assert!(shown.starts_with("error[unknown-type]: unknown type `f9`"));
/// assert!(shown.contains("--> a.dud:1:5"));
/// ```
pub fn render(diagnostics: &[Diagnostic], text: &str, file_name: &str, style: Style) -> String {
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Colored => Renderer::styled(),
    };
    let renderer = renderer.term_width(4 * WIDTH);
    let source = Source { text, index: LineIndex::new(text), file_name: clean(file_name) };
    let mut shown = String::new();
    for diagnostic in diagnostics {
        if !shown.is_empty() {
            shown.push('\n');
        }
        let pieces = source.pieces(diagnostic);
        let rendered = renderer.render(&[source.group(diagnostic, &pieces)]);
        source.push_with_places(&rendered, &pieces, &mut shown);
        shown.push('\n');
    }
    shown
}

/// Stands for file name and place, which are put in afterwards; nothing else contains it.
const PLACE: char = '\u{e000}';

/// The text that diagnostics are about.
struct Source<'t> {
    text: &'t str,
    index: LineIndex<'t>,
    file_name: String,
}

/// A label and the line it is on.
struct Marked<'d> {
    label: &'d Label,
    line: usize,
    primary: bool,
}

impl Source<'_> {
    fn group<'g>(&self, diagnostic: &Diagnostic, pieces: &[Vec<Marked<'_>>]) -> Group<'g> {
        let level = match diagnostic.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let title = level.primary_title(clean(&diagnostic.message)).id(diagnostic.code);
        let mut group = Group::with_title(title);
        for (at, piece) in pieces.iter().enumerate() {
            group = group.element(self.snippet(piece).path(format!("{PLACE}{at}")));
        }
        match &diagnostic.help {
            Some(help) => group.element(Level::HELP.message(clean(help))),
            None => group,
        }
    }

    /// Adds what was rendered, with file name, line and column in the text for those in what is
    /// shown of a line.
    fn push_with_places(&self, rendered: &str, pieces: &[Vec<Marked<'_>>], shown: &mut String) {
        let mut parts = rendered.split(PLACE);
        shown.push_str(parts.next().unwrap_or_default());
        for (part, piece) in parts.zip(pieces) {
            let lead = piece.iter().find(|marked| marked.primary).or(piece.first());
            let place = self.index.line_column(lead.map_or(0, |marked| marked.label.span.start));
            shown.push_str(&format!("{}:{}:{}", self.file_name, place.line, place.column));
            shown.push_str(part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ':'));
        }
    }

    /// The labels, those near each other together, the primary one's piece first.
    fn pieces<'d>(&self, diagnostic: &'d Diagnostic) -> Vec<Vec<Marked<'d>>> {
        let marked = |label: &'d Label, primary| {
            let line = self.index.line_column(label.span.start).line;
            Marked { label, line, primary }
        };
        let mut pieces = vec![vec![marked(&diagnostic.primary, true)]];
        for label in &diagnostic.secondary {
            let new = marked(label, false);
            match pieces.iter_mut().find(|piece| piece.iter().all(|old| near(old, &new))) {
                Some(piece) => piece.push(new),
                None => pieces.push(vec![new]),
            }
        }
        pieces
    }

    /// The lines of a piece with its markers.
    fn snippet<'g>(&self, piece: &[Marked<'_>]) -> Snippet<'g, Annotation<'g>> {
        let first = piece.iter().map(|marked| marked.line).min().unwrap_or(1);
        let last = piece.iter().map(|marked| marked.line).max().unwrap_or(first);
        let mut source = String::new();
        let mut annotations = Vec::new();
        for line in first..=last {
            let labels: Vec<&Marked<'_>> = piece.iter().filter(|m| m.line == line).collect();
            self.push_line(line, &labels, &mut source, &mut annotations);
        }
        Snippet::source(source).line_start(first).annotations(annotations)
    }

    fn push_line<'g>(
        &self,
        line: usize,
        labels: &[&Marked<'_>],
        source: &mut String,
        annotations: &mut Vec<Annotation<'g>>,
    ) {
        let whole = self.index.line(line);
        let spans: Vec<Span> = labels.iter().map(|m| self.within(m.label.span, whole)).collect();
        let shown = self.crop(whole, &spans);
        if shown.start > whole.start {
            source.push('…');
        }
        let start = source.len();
        source.push_str(&clean(self.slice(shown)));
        source.push_str(match spans.iter().any(|span| span.start == whole.end) {
            // A marker one past the last character needs something to stand below.
            true => " \n",
            false if shown.end < whole.end => "…\n",
            false => "\n",
        });
        for (marked, span) in labels.iter().zip(spans) {
            let shift = |offset: u32| {
                let end = offset.clamp(shown.start, shown.end);
                start + clean(self.slice(Span::new(shown.start, end))).len()
            };
            let (from, to) = (shift(span.start), shift(span.end));
            let one = source[from..].chars().next().map_or(1, char::len_utf8);
            let kind =
                if marked.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            let annotation = kind.span(from..to.max(from + one));
            annotations.push(match marked.label.text.as_str() {
                "" => annotation,
                text => annotation.label(clean(text)),
            });
        }
    }

    /// What of a span lies in its first line, and is not too long to be marked.
    fn within(&self, span: Span, line: Span) -> Span {
        let start = span.start.clamp(line.start, line.end);
        let end = span.end.clamp(start, line.end);
        Span::new(start, self.forward(start, MARKER, end))
    }

    /// What to show of a line with markers at `spans`.
    fn crop(&self, line: Span, spans: &[Span]) -> Span {
        if self.forward(line.start, WIDTH, line.end) == line.end {
            return line;
        }
        let from = spans.iter().map(|span| span.start).min().unwrap_or(line.start);
        let to = spans.iter().map(|span| span.end).max().unwrap_or(line.start);
        let before = self.slice(Span::new(line.start, from));
        let start = before.char_indices().rev().nth(AROUND - 1).map_or(0, |(at, _)| at);
        Span::new(line.start + start as u32, self.forward(to, AROUND, line.end))
    }

    /// The offset `count` characters behind `from`, at most `end`.
    fn forward(&self, from: u32, count: usize, end: u32) -> u32 {
        let rest = self.slice(Span::new(from, end.max(from)));
        rest.char_indices().nth(count).map_or(end.max(from), |(at, _)| from + at as u32)
    }

    fn slice(&self, span: Span) -> &str {
        self.text.get(span.range()).unwrap_or_default()
    }
}

/// Whether two labels are shown in one piece.
fn near(a: &Marked<'_>, b: &Marked<'_>) -> bool {
    let apart = a.label.span.start.abs_diff(b.label.span.start) as usize;
    match a.line.abs_diff(b.line) {
        0 => apart <= WIDTH,
        lines => lines <= NEAR_LINES,
    }
}

/// Replaces what would change a terminal or the order of the text. Lines are taken apart before,
/// so line ends are replaced too.
fn clean(text: &str) -> String {
    normalize_untrusted_str(text)
        .chars()
        .map(|c| match c {
            '\n' => '␊',
            '\u{80}'..='\u{9f}'
            | '\u{61c}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fff9}'..='\u{fffb}'
            | PLACE
            | '\u{e0000}'..='\u{e0fff}' => '\u{fffd}',
            c => c,
        })
        .collect()
}
