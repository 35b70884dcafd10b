//! Findings that are corrected in the text, without a change of what it means.
//!
//! Each fix is a small edit of the text. Whether it keeps the meaning is not argued but seen: the new text
//! is checked, and [compared](crate::compare) with the old one; if anything differs the fix is refused.

use super::params::colon;
use super::{Settings, lint_with};
use crate::check::Checked;
use crate::compare::compare;
use crate::diagnostic::Diagnostic;
use crate::span::Span;

/// A replacement in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Edit {
    /// The replaced text.
    span: Span,
    /// By what.
    text: &'static str,
}

/// A text with its fixes.
///
/// ```
/// use dudley_parser::lint::{Settings, fix::fix};
///
/// let fixed = fix("x = f8", &dudley_parser::check, &Settings::new()).unwrap();
/// assert!(fixed.text == "x = f8" && fixed.fixed.is_empty()); // nothing to correct
/// ```
#[derive(Clone, Debug)]
pub struct Fixed {
    /// The text.
    pub text: String,
    /// The corrections, in the order of the text.
    pub fixed: Vec<Diagnostic>,
}

/// Fixes make room for others: so often they are looked for.
const PASSES: usize = 4;

/// The edit that puts a finding right, if there is one. It has yet to be seen that it changes nothing;
/// [`fix()`] does that.
fn edit(text: &str, finding: &Diagnostic) -> Option<Edit> {
    let span = finding.primary.span;
    let bytes = text.as_bytes();
    match finding.code {
        "lint-align" => {
            let before = text.get(..span.start as usize)?.trim_end();
            let percent = before.strip_suffix('%')?;
            Some(removal(text, Span::new(percent.len() as u32, span.end)))
        }
        "lint-pack" => {
            let is_apart = bytes.get(span.end as usize).is_some_and(u8::is_ascii_whitespace);
            let text = if is_apart { "%1" } else { "%1 " };
            Some(Edit { span: Span::at(span.end), text })
        }
        "dotdot-root" | "dotdot-slash" => Some(removal(text, span)),
        "colon-item" => Some(Edit { span: colon(bytes, span)?.1, text: "=" }),
        "lint-colon" => {
            let (sign, span) = colon(bytes, span)?;
            Some(Edit { span, text: if sign == ":" { ":=" } else { ":" } })
        }
        "attr-twice" => {
            let first = finding.secondary.first()?.span;
            let comma = skip_blanks_to(bytes, first.end as usize, b',');
            let end = comma.map_or(first.end, |comma| comma as u32 + 1);
            Some(removal(text, Span::new(first.start, end)))
        }
        _ => None,
    }
}

/// A comma behind blanks.
fn skip_blanks_to(bytes: &[u8], from: usize, wanted: u8) -> Option<usize> {
    let blanks = bytes.get(from..)?.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    (bytes.get(from + blanks) == Some(&wanted)).then_some(from + blanks)
}

/// Takes something away: at the end of a line with the blanks before it; in a line a blank stays.
fn removal(text: &str, span: Span) -> Edit {
    let (before, behind) = (&text[..span.start as usize], &text[span.end as usize..]);
    let rest = behind.trim_start_matches([' ', '\t']);
    if rest.is_empty() || rest.starts_with(['\n', '\r']) {
        let start = before.trim_end_matches([' ', '\t']).len() as u32;
        return Edit { span: Span::new(start, span.end), text: "" };
    }
    let blank = before.ends_with([' ', '\t', '\n']) || before.is_empty();
    if blank {
        let blanks = (behind.len() - rest.len()) as u32;
        return Edit { span: Span::new(span.start, span.end + blanks), text: "" };
    }
    Edit { span, text: if rest.len() == behind.len() { " " } else { "" } }
}

/// Corrects what can be corrected. `check` reads a text, as [`crate::check()`] or [`crate::check_raw`] do.
///
/// The text behind a terminator is kept. `None` if the text has errors.
///
/// ```
/// use dudley_parser::lint::{Settings, fix::fix};
///
/// let fixed = fix("x = i8 %8\ny = i4 %8", &dudley_parser::check, &Settings::new()).unwrap();
/// assert_eq!(fixed.text, "x = i8\ny = i4 %8");
/// assert_eq!(fixed.fixed[0].code, "lint-align");
/// ```
pub fn fix(text: &str, check: &dyn Fn(&[u8]) -> Checked, settings: &Settings) -> Option<Fixed> {
    // What is behind the terminator is no part of the layout, and stays.
    let body = check(text.as_bytes()).text;
    let behind = text.strip_prefix(body.as_str())?;
    let mut done = Fixed { text: body, fixed: Vec::new() };
    for _ in 0..PASSES {
        let checked = check(done.text.as_bytes());
        if checked.text != done.text {
            return None;
        }
        let found = findings(&checked, settings)?;
        let edits = found.into_iter().filter_map(|it| Some((edit(&done.text, &it)?, it)));
        let edits: Vec<(Edit, Diagnostic)> = edits.collect();
        let mut good = Good { of: &done.text, check, kept: Vec::new(), text: None };
        good.keep(&edits);
        let Good { kept, text: Some(text), .. } = good else { break };
        done.fixed.extend(kept.into_iter().map(|(_, finding)| finding.clone()));
        done.text = text;
    }
    done.text += behind;
    Some(done)
}

/// The edits of a text that change nothing of what it means.
struct Good<'e> {
    of: &'e str,
    check: &'e dyn Fn(&[u8]) -> Checked,
    kept: Vec<&'e (Edit, Diagnostic)>,
    /// The text with them.
    text: Option<String>,
}

impl<'e> Good<'e> {
    /// Keeps all of some more edits; if one of them changes something, those of each half that do not.
    fn keep(&mut self, edits: &'e [(Edit, Diagnostic)]) {
        let all: Vec<_> = self.kept.iter().copied().chain(edits).collect();
        if edits.is_empty() {
            return;
        }
        if let Some(text) = applied(self.of, &all, self.check) {
            (self.kept, self.text) = (all, Some(text));
        } else if edits.len() > 1 {
            let (some, others) = edits.split_at(edits.len() / 2);
            self.keep(some);
            self.keep(others);
        }
    }
}

fn findings(checked: &Checked, settings: &Settings) -> Option<Vec<Diagnostic>> {
    let mut found = checked.diagnostics.clone();
    found.extend(lint_with(checked.layout.as_ref()?, settings));
    found.sort_by_key(|finding| finding.primary.span.start);
    Some(found)
}

/// The text with edits; `None` if they overlap, or it means anything else.
fn applied(
    text: &str,
    edits: &[&(Edit, Diagnostic)],
    check: &dyn Fn(&[u8]) -> Checked,
) -> Option<String> {
    let mut ordered: Vec<&Edit> = edits.iter().map(|(edit, _)| edit).collect();
    ordered.sort_by_key(|edit| edit.span.start);
    let mut new = String::with_capacity(text.len());
    let mut at = 0;
    for edit in ordered {
        new += text.get(at..edit.span.start as usize)?;
        new += edit.text;
        at = edit.span.end as usize;
    }
    new += text.get(at..)?;
    let (old, fixed) = (check(text.as_bytes()).layout?, check(new.as_bytes()).layout?);
    let same = [0, 16].iter().all(|start| compare(&old, &fixed, *start).is_empty());
    same.then_some(new)
}
