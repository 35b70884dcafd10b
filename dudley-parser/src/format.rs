//! A layout in its canonical spelling: the same tokens and comments, other white space.
//!
//! The formatter goes through tokens, not through the syntax tree, so that nothing can be lost and
//! every comment stays between the tokens where it was, with the item that it belongs to. The tree
//! only says what a token is there for (`roles.rs`); `lines.rs` puts the lines together. Line
//! breaks between items are the author's; inside an item they are ours.

mod lines;
pub(crate) mod names;
mod roles;

use crate::ast::{Ast, Comment};
use crate::diagnostic::{Diagnostic, Severity};
use crate::parse::parse;
use crate::scan::{next_token, skip_trivia};
use crate::span::Span;
use lines::Lines;
use roles::{Bracket, Role, Roles};

/// Structs on one line that would make it longer are broken into lines.
const MAX_WIDTH: usize = 100;

/// The canonical spelling of a layout. What stands behind its terminator is kept byte for byte.
///
/// # Errors
///
/// The syntax errors of the text, which is then not formatted.
///
/// ```
/// let text = "N:=i4\nx=f8 [ N , 3 ]   ## (m) length\n";
/// let formatted = dudley_parser::format::format(text);
/// assert_eq!(formatted.as_deref(), Ok("N : i4\nx = f8[N, 3]  ## (m) length\n"));
/// ```
pub fn format(text: &str) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse(text.as_bytes());
    if parsed.diagnostics.iter().any(|found| found.severity == Severity::Error) {
        return Err(parsed.diagnostics);
    }
    let mut roles = Roles::of(&parsed.ast, text);
    let mut formatted = loop {
        let lines = Formatter::new(text, &parsed.ast, &roles).run();
        // Each round breaks structs that are one level further in.
        let long = lines.too_long(MAX_WIDTH);
        if long.is_empty() {
            break lines.finish();
        }
        roles.break_structs(&long);
    };
    if let Some(dashes) = parsed.ast.terminator {
        formatted.push_str(&text[dashes.start as usize..]);
    }
    Ok(formatted)
}

/// A bracket, an anonymous dict, or the whole layout, in which the formatter is.
#[derive(Clone, Copy)]
struct Frame {
    kind: Bracket,
    /// How far lines in it are indented.
    indent: usize,
    /// How far the line with its end is.
    outer: usize,
    /// The sub-dicts that are open.
    dicts: usize,
    /// What stands in it begins on a line of its own.
    broken: bool,
    /// Nothing stands in it yet.
    empty: bool,
}

/// A token with its role and the gap before it.
#[derive(Clone, Copy)]
struct Token<'t> {
    text: &'t str,
    role: Role,
    /// It touches the token before.
    touches: bool,
}

/// What stands between two tokens.
enum Gap {
    Nothing,
    Space,
    Spaces,
    Break,
}

struct Formatter<'t> {
    text: &'t str,
    roles: &'t Roles,
    comments: std::slice::Iter<'t, Comment>,
    end: usize,
    frames: Vec<Frame>,
    lines: Lines<'t>,
    previous: Option<Token<'t>>,
    /// Line ends in the source between the last comment or token and this one.
    newlines: usize,
}

impl<'t> Formatter<'t> {
    fn new(text: &'t str, ast: &'t Ast, roles: &'t Roles) -> Self {
        let whole =
            Frame { kind: Bracket::Dict, indent: 0, outer: 0, dicts: 0, broken: true, empty: true };
        let end = ast.terminator.map_or(text.len(), |dashes| dashes.start as usize);
        let comments = ast.comments.iter();
        Self {
            text,
            roles,
            comments,
            end,
            frames: vec![whole],
            lines: Lines::new(),
            previous: None,
            newlines: 0,
        }
    }

    fn run(mut self) -> Lines<'t> {
        let bytes = &self.text.as_bytes()[..self.end];
        let mut behind = if self.text.starts_with('\u{feff}') { 3 } else { 0 };
        loop {
            let start = skip_trivia(bytes, behind);
            let from = self.comments_up_to(start, behind);
            let Some(end) = next_token(bytes, start) else { break };
            self.newlines += line_ends(&self.text[from..start]);
            let role = self.roles.at(start as u32);
            let touches = start == behind;
            self.token(Token { text: &self.text[start..end], role, touches }, start as u32);
            behind = end;
        }
        self.lines
    }

    /// Writes the comments before `start`; returns where the last of them ends.
    fn comments_up_to(&mut self, start: usize, mut from: usize) -> usize {
        while let Some(comment) = self.comments.as_slice().first()
            && (comment.span.start as usize) < start
        {
            self.comments.next();
            let at = comment.span.start as usize;
            self.newlines += line_ends(&self.text[from..at]);
            let indent = self.frames.last().map_or(0, |frame| frame.indent + frame.dicts);
            let column = column(self.text, at);
            // Other spaces of Unicode are part of what is written (spec 1.2).
            let written = self.text[comment.span.range()]
                .trim_end_matches(|c: char| u8::try_from(c).is_ok_and(crate::scan::lex::is_blank));
            let fresh = self.frames.last().is_some_and(|frame| frame.empty);
            self.lines.comment(written, column, indent, self.newlines, fresh);
            self.newlines = 0;
            from = comment.span.end as usize;
        }
        from
    }

    fn token(&mut self, token: Token<'t>, at: u32) {
        let closes = matches!(token.text, "]" | "}" | ")") && self.frames.len() > 1;
        if closes || token.text == "," {
            self.leave_anonymous();
        }
        let gap = self.gap(token);
        let frame = self.frames.last().copied();
        let indent = match frame {
            Some(frame) if closes => frame.outer,
            Some(frame) => {
                frame.indent + self.dicts_before(token, frame.dicts) + self.continues(token)
            }
            None => 0,
        };
        let blank = self.newlines > 1
            && !closes
            && !frame.is_some_and(|frame| frame.empty && frame.outer < frame.indent);
        // A comma never begins a line of its own will: the break comes behind it.
        self.newlines =
            if token.text == "," && !self.lines.at_line_start() { self.newlines } else { 0 };
        match gap {
            Gap::Nothing => self.lines.gap("", indent),
            Gap::Space => self.lines.gap(" ", indent),
            Gap::Spaces => self.lines.gap("  ", indent),
            Gap::Break => self.lines.line(indent, blank),
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.empty = false;
        }
        self.lines.push(&names::canonical(token.text, token.role));
        self.after(token, at, closes);
        self.previous = Some(token);
    }

    /// How many sub-dicts are open where a line begins with this token.
    fn dicts_before(&self, token: Token<'t>, dicts: usize) -> usize {
        match token.role {
            Role::Up => dicts.saturating_sub(1),
            Role::Root => 0,
            _ => dicts,
        }
    }

    /// 1 if a line that begins with this token continues with an item.
    fn continues(&self, token: Token<'t>) -> usize {
        use Role::{Anonymous, Element, Extension, Item, Order, Root, Up};
        let role = token.role;
        let begins = matches!(role, Item | Extension | Up | Root | Element | Anonymous | Order)
            || self.previous.is_none_or(|previous| previous.role == Order);
        let inside = self.frames.last().is_some_and(|frame| {
            !matches!(frame.kind, Bracket::Dict | Bracket::Struct | Bracket::List)
        });
        usize::from(!begins && !inside && token.text != ",")
    }

    fn leave_anonymous(&mut self) {
        let anonymous = self.frames.len() > 1
            && self.frames.last().is_some_and(|frame| frame.kind == Bracket::Dict);
        if anonymous {
            self.frames.pop();
        }
    }

    /// What changes behind a token.
    fn after(&mut self, token: Token<'t>, at: u32, closes: bool) {
        let outer = self.lines.indent();
        let open =
            |kind, broken| Frame { kind, indent: outer + 1, outer, dicts: 0, broken, empty: true };
        if closes {
            self.frames.pop();
            return;
        }
        if let Some(frame) = self.frames.last_mut() {
            match token.role {
                Role::Enter => frame.dicts += 1,
                Role::Up => frame.dicts = frame.dicts.saturating_sub(1),
                Role::Root => frame.dicts = 0,
                // The first member follows it as others follow members.
                Role::Pack => frame.empty = false,
                _ => {}
            }
        }
        match self.roles.opens(at) {
            Some(Bracket::Struct) => {
                let broken = self.roles.is_broken(at);
                let within = |frame: &Frame| frame.kind == Bracket::Struct && !frame.broken;
                if !broken && !self.frames.iter().any(within) {
                    self.lines.one_line_struct(at);
                }
                self.frames.push(open(Bracket::Struct, broken));
            }
            Some(kind) => self.frames.push(open(kind, self.roles.is_broken(at))),
            None if token.role == Role::Anonymous => {
                self.frames.push(Frame { empty: false, ..open(Bracket::Dict, false) });
            }
            // A part of an expression.
            None if token.text == "(" => self.frames.push(open(Bracket::Shape, false)),
            None => {}
        }
    }

    /// What stands before a token.
    fn gap(&self, token: Token<'t>) -> Gap {
        let (Some(previous), Some(&frame)) = (self.previous, self.frames.last()) else {
            return Gap::Break;
        };
        let breaks = |wanted: bool, other: Gap| if wanted { Gap::Break } else { other };
        if token.role == Role::Pack {
            return if previous.role == Role::Order { Gap::Space } else { Gap::Nothing };
        }
        if previous.role == Role::Order || previous.role == Role::SummaryEnd {
            return Gap::Break;
        }
        match token.role {
            Role::Item | Role::Extension | Role::Up | Role::Root => {
                let first = frame.empty && frame.kind == Bracket::Struct;
                let other = if first { Gap::Nothing } else { between_items(previous, token) };
                match frame.kind {
                    Bracket::Struct => breaks(frame.broken, other),
                    _ => breaks(self.newlines > 0, other),
                }
            }
            Role::Element | Role::Anonymous => {
                let first = frame.empty;
                let wanted = if first { frame.broken } else { self.newlines > 0 };
                breaks(wanted, if first { Gap::Nothing } else { Gap::Space })
            }
            Role::Enter => Gap::Nothing,
            Role::Open(Bracket::Shape | Bracket::Extension | Bracket::Arguments) => Gap::Nothing,
            Role::Open(_) if matches!(previous.text, "[" | "(") => Gap::Nothing,
            Role::Open(_) => Gap::Space,
            Role::SummaryEnd => breaks(frame.broken && !frame.empty, Gap::Nothing),
            _ => match token.text {
                "}" | "]" if matches!(frame.kind, Bracket::Struct | Bracket::List) => {
                    breaks(frame.broken && !frame.empty, Gap::Nothing)
                }
                "}" | "]" | ")" | "," | "*" => Gap::Nothing,
                _ => within(previous, token, frame.kind),
            },
        }
    }
}

/// What stands between two items on one line.
fn between_items(previous: Token<'_>, token: Token<'_>) -> Gap {
    let path = match previous.role {
        Role::Enter => token.role != Role::Root,
        Role::Root => !matches!(token.role, Role::Root),
        Role::Up => token.role == Role::Root,
        _ => false,
    };
    match previous.role {
        _ if path && token.touches => Gap::Nothing,
        Role::Enter | Role::Root | Role::Up | Role::Anonymous => Gap::Space,
        Role::ExtensionEnd if token.role == Role::Extension => Gap::Space,
        _ => Gap::Spaces,
    }
}

/// What stands between two tokens of an item.
fn within(previous: Token<'_>, token: Token<'_>, frame: Bracket) -> Gap {
    let is_sign = |text: &str| matches!(text, "+" | "-");
    // What leads to a dict has a role of its own.
    let divides = |token: Token<'_>| token.text == "/" && token.role == Role::Other;
    if divides(previous) || divides(token) {
        return Gap::Nothing;
    }
    match (previous.text, token.text) {
        ("[" | "(" | "@" | "%" | "*" | "<" | ">" | "|", _) => Gap::Nothing,
        ("," | "=" | ":" | ":=" | "->", _) => Gap::Space,
        _ if frame == Bracket::Arguments => Gap::Nothing,
        (before, after) if is_sign(before) || is_sign(after) => Gap::Nothing,
        _ => Gap::Space,
    }
}

fn line_ends(gap: &str) -> usize {
    let bytes = gap.as_bytes();
    let ends = |(at, &byte): (usize, &u8)| {
        byte == b'\n' || (byte == b'\r' && bytes.get(at + 1) != Some(&b'\n'))
    };
    bytes.iter().enumerate().filter(|&pair| ends(pair)).count()
}

/// How many characters precede `at` on its line.
fn column(text: &str, at: usize) -> usize {
    text[..at].chars().rev().take_while(|end| !matches!(end, '\n' | '\r')).count()
}

/// All of a span's text but line ends in comments and quotes, of which it has none.
fn has_line_end(text: &str, span: Span) -> bool {
    text[span.range()].contains(['\n', '\r'])
}
