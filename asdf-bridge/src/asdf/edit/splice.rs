//! Which bytes of a text change when an entry of a collection does, and which new ones come.
//!
//! A line that stays keeps its comment; lines between entries stay where they are.

use std::ops::Range;

use super::super::error::Result;
use super::super::tree::{Node, NodeKind, Style, breaks};
use super::slots::{Place, Slot, line_end, line_start, skip};
use super::value_text::Spelt;

/// Bytes of a text that are replaced by others.
pub(super) type Splice = (Range<usize>, String);

/// A collection, the text it stands in, and how its values may be written.
#[derive(Clone, Copy)]
pub(super) struct Site<'t> {
    pub(super) text: &'t str,
    pub(super) node: Node<'t>,
    pub(super) slots: &'t [Slot<'t>],
    /// Where what marks the collection ends: `key:`, `-`, its tag and anchor. None of the one at the top, if
    /// it has neither.
    pub(super) mark: Option<usize>,
    /// The column of the key or dash that it stands behind.
    pub(super) outer: Option<usize>,
    /// Whether values may stand in lines of their own.
    pub(super) lines: bool,
}

impl Site<'_> {
    /// What comes of a change with values in lines of their own, or else in the line.
    pub(super) fn tried<T>(self, change: impl Fn(&Self) -> Result<T>) -> Result<T> {
        change(&self).or_else(|error| {
            if self.lines {
                change(&Site { lines: false, ..self }).map_err(|_| error)
            } else {
                Err(error)
            }
        })
    }

    fn flow(&self) -> bool {
        self.node.style() == Style::Flow
    }

    /// The column of its entries, in a block.
    fn column(&self) -> usize {
        self.slots.first().map_or(0, |slot| column(self.text, slot.start))
    }

    /// What stands behind a mark of an entry in a block.
    fn behind(&self, value: &Spelt<'_>, lines: bool) -> Result<String> {
        let column = self.column();
        let spelt = match (lines, self.node.kind()) {
            (false, _) => format!(" {}", value.inline(column + 2)?),
            (true, NodeKind::Sequence) => value.behind_dash(column)?,
            (true, _) => value.behind_key(column)?,
        };
        Ok(spelt)
    }

    /// A new value for an entry.
    pub(super) fn replace(&self, at: usize, value: &Spelt<'_>) -> Result<Vec<Splice>> {
        let Some(slot) = self.slots.get(at) else { return Ok(Vec::new()) };
        let Place { start, end } = slot.value;
        if self.flow() {
            let inline = value.inline(2)?;
            return Ok(vec![match (slot.mark, slot.value.is_empty(), slot.key) {
                (None, true, Some((_, key))) => (key.end..key.end, format!(": {inline}")),
                (Some(mark), true, _) => (mark..mark, format!(" {inline}")),
                (Some(mark), _, _) if mark == start => (start..end, format!(" {inline}")),
                _ => (start..end, inline),
            }]);
        }
        let mark = slot.mark.unwrap_or(start);
        let between = self.text.get(mark..start).unwrap_or_default();
        let behind = self.text.get(end..line_end(self.text, end)).unwrap_or_default();
        let bare = !between.contains('#') && behind.trim().is_empty();
        let spelt = self.behind(value, self.lines && bare)?;
        let one_line = !spelt.starts_with('\n') && !spelt.contains('\n');
        Ok(match between.rfind(breaks::BREAKS) {
            None if one_line && !between.is_empty() => {
                vec![(start..end, spelt.trim_start().to_owned())]
            }
            None => vec![(mark..end, spelt)],
            // A comment behind the key stays there.
            Some(_) if bare && !one_line => vec![(mark..end, spelt)],
            Some(line) => {
                let cut = mark + line_before(between, line);
                vec![(mark..mark, spelt), (cut..end, String::new())]
            }
        })
    }

    /// A new entry before that of number `at`, or behind all. `key` is that of a mapping.
    pub(super) fn insert(
        &self,
        at: usize,
        key: Option<&str>,
        value: &Spelt<'_>,
    ) -> Result<Vec<Splice>> {
        if self.slots.is_empty() {
            return self.first(key, value);
        }
        let before = at.checked_sub(1).and_then(|before| self.slots.get(before));
        if self.flow() {
            let entry = value.inline_entry(key)?;
            return Ok(vec![match (before, self.slots.first()) {
                (Some(slot), _) => (slot.end()..slot.end(), format!(", {entry}")),
                (None, first) => {
                    let start = first.map_or(0, |slot| slot.start);
                    (start..start, format!("{entry}, "))
                }
            }]);
        }
        let entry = if self.lines {
            value.entry(key, self.column())?
        } else {
            let mark = key.map_or(Ok("-".to_owned()), |key| value.key(key))?;
            format!("{mark}{}", self.behind(value, false)?)
        };
        let indent = " ".repeat(self.column());
        Ok(vec![match before {
            Some(slot) => {
                let end = line_end(self.text, slot.end());
                (end..end, format!("\n{indent}{entry}"))
            }
            None => {
                let start = self.slots[0].start;
                (start..start, format!("{entry}\n{indent}"))
            }
        }])
    }

    /// The first entry of an empty collection: in lines where that can be, else in its brackets.
    fn first(&self, key: Option<&str>, value: &Spelt<'_>) -> Result<Vec<Splice>> {
        let body = self.node.range();
        let behind = self.text.get(body.end..line_end(self.text, body.end)).unwrap_or_default();
        let lines = self.lines && behind.trim().is_empty();
        let (Some(mark), true) = (self.mark, lines) else {
            let inside = body.start + 1;
            return Ok(vec![(inside..inside, value.inline_entry(key)?)]);
        };
        let column = match (self.outer, key) {
            (None, _) => 0,
            (Some(outer), Some(_)) => outer + 2,
            (Some(outer), None) => outer,
        };
        let entry = value.entry(key, column)?;
        let blank = self.text.get(mark..body.start).unwrap_or_default().trim().is_empty();
        let start = if blank { mark } else { body.start };
        Ok(vec![(start..body.end, format!("\n{}{entry}", " ".repeat(column)))])
    }

    /// An entry taken out.
    pub(super) fn remove(&self, at: usize) -> Vec<Splice> {
        let Some(slot) = self.slots.get(at) else { return Vec::new() };
        let cut = |range: Range<usize>| vec![(range, String::new())];
        let (before, next) = (at.checked_sub(1).map(|at| &self.slots[at]), self.slots.get(at + 1));
        if self.flow() {
            return match (before, next) {
                (_, Some(next)) => cut(slot.start..next.start),
                (Some(before), None) => cut(before.end()..slot.end()),
                (None, None) => cut(slot.start..skip(self.text, slot.end(), true)),
            };
        }
        if self.slots.len() == 1 {
            return self.emptied(slot.start..slot.end());
        }
        let line = line_start(self.text, slot.start);
        if !self.text[line..slot.start].trim().is_empty() {
            // It begins behind a dash, where the next one, or a comment, then stands.
            let behind = line_end(self.text, slot.end());
            let rest = self.text.get(behind..).unwrap_or_default();
            let next = behind + rest.len() - rest.trim_start().len();
            return cut(slot.start..next);
        }
        let end = line_end(self.text, slot.end());
        let rest = self.text.get(end..).unwrap_or_default();
        cut(line..end + breaks::length(rest))
    }

    /// The last entry of a block taken out: what stays is empty brackets.
    fn emptied(&self, body: Range<usize>) -> Vec<Splice> {
        let brackets = if self.node.kind() == NodeKind::Sequence { "[]" } else { "{}" };
        let mark = self.mark.filter(|mark| *mark <= body.start);
        let between = mark.map(|mark| (mark, &self.text[mark..body.start]));
        match between
            .and_then(|(mark, between)| Some((mark, between, between.rfind(breaks::BREAKS)?)))
        {
            Some((mark, between, line)) => {
                let cut = mark + line_before(between, line);
                vec![(mark..mark, format!(" {brackets}")), (cut..body.end, String::new())]
            }
            None => vec![(body, brackets.to_owned())],
        }
    }
}

/// Where a line ends whose break ends with the one at a place.
fn line_before(text: &str, at: usize) -> usize {
    let end = text.get(at..).map_or(0, |rest| rest.chars().next().map_or(0, char::len_utf8));
    breaks::without_last(&text[..at + end]).len()
}

/// The column that a place is in, in characters.
pub(super) fn column(text: &str, at: usize) -> usize {
    text.get(line_start(text, at)..at).unwrap_or_default().chars().count()
}

/// The text with some of its bytes replaced.
pub(super) fn spliced(text: &str, mut splices: Vec<Splice>) -> String {
    splices.sort_by_key(|(range, _)| (range.start, range.end));
    let crlf = text.contains("\r\n");
    let mut out = String::with_capacity(text.len() + 64);
    let mut at = 0;
    for (range, new) in splices {
        out.push_str(text.get(at..range.start).unwrap_or_default());
        if crlf {
            out.push_str(&new.replace('\n', "\r\n"))
        } else {
            out.push_str(&new)
        }
        at = at.max(range.end);
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}
