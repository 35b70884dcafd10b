//! Going on after an error: item by item, to the next line that begins like one.

use super::{MAX_DIAGNOSTICS, MAX_ITEM, Run, message};
use crate::ast::{Item, ItemKind, Name};
use crate::diagnostic::Diagnostic;
use crate::grammar::{Grammar, Rule};
use crate::scan::{next_token, skip_trivia};
use crate::span::Span;
use pest::Parser;
use pest::error::{Error, ErrorVariant, InputLocation};
use pest::iterators::Pairs;

impl<'p> Run<'p> {
    /// The items from `at` to `end`, one at a time.
    pub(super) fn recover(&mut self, mut at: u32, end: u32) {
        let text = self.text;
        let bytes = &text.as_bytes()[..end as usize];
        loop {
            at = skip_trivia(bytes, at as usize) as u32;
            if at >= end {
                return;
            }
            match self.single(at, end) {
                Ok(pairs) => {
                    let length = pairs.clone().next().map_or(0, |pair| pair.as_span().end());
                    self.lower.base = at;
                    self.lower.run_of_items(pairs, &mut self.items);
                    // The grammar never matches nothing here; if it did, this must still end.
                    at += (length as u32).max(1);
                }
                Err(error) => at = self.skip(at, end, &error),
            }
        }
    }

    /// One item from `at`. Only a few lines are looked at first, because an error of pest costs as
    /// much as there is text; more of them when the grammar got stuck at their end.
    fn single(&self, at: u32, end: u32) -> Result<Pairs<'p, Rule>, Box<Error<Rule>>> {
        let text = self.text;
        let starts = &self.scan.starts;
        let limit = self.limit(at, end);
        let mut next = starts.partition_point(|&start| start <= at);
        loop {
            let window = starts.get(next).map_or(limit, |&start| start.min(limit));
            match Grammar::parse(Rule::single, &text[Span::new(at, window).range()]) {
                Err(error) if window < limit && at + offset(&error) >= window => {
                    next += 1 + (next - starts.partition_point(|&start| start <= at)) * 3;
                }
                result => return result.map_err(Box::new),
            }
        }
    }

    /// Reports that what begins at `at` is more than the grammar can be given.
    pub(super) fn too_long(&mut self, at: u32, end: u32) {
        let length = MAX_ITEM / (1024 * 1024);
        let span = next_token(self.text.as_bytes(), at as usize).unwrap_or(at as usize);
        let span = Span::new(at, span as u32);
        let message = format!("an item, with the comments in it, is longer than {length} MiB");
        self.lower.error(Diagnostic::error("too-long", span, message));
        self.declare(at, end);
    }

    /// Reports an error in the item at `at`, declares what it seems to declare, and returns where
    /// to go on.
    fn skip(&mut self, at: u32, end: u32, error: &Error<Rule>) -> u32 {
        let stuck = at + offset(error);
        let starts = &self.scan.starts;
        let next = starts.partition_point(|&start| start < stuck.max(at + 1));
        let resume = starts.get(next).map_or(end, |&start| start.min(end));
        if self.lower.has_room() && !self.was_reported(at, stuck) {
            let wanted = match &error.variant {
                ErrorVariant::ParsingError { positives, .. } => positives.as_slice(),
                ErrorVariant::CustomError { .. } => &[],
            };
            let found = message::stuck(self.text, at, stuck, self.scan.end, wanted);
            self.lower.error(found);
        }
        self.declare(at, resume);
        resume
    }

    /// Whether the scan said already what is wrong between `at` and `stuck`.
    fn was_reported(&self, at: u32, stuck: u32) -> bool {
        let faults = &self.scan.faults;
        let next = faults.partition_point(|fault| fault.at < at);
        let replaced = || self.text.as_bytes().get(stuck as usize) == Some(&b'?');
        faults.get(next).is_some_and(|fault| fault.at <= stuck) || (self.bad_bytes && replaced())
    }

    /// Declares the names in a stretch that could not be parsed: the one it begins with, those before a
    /// `=` outside brackets, and those before a `:` anywhere, since a group of params may have lost its
    /// beginning. So nothing is said about them where they are used.
    fn declare(&mut self, from: u32, to: u32) {
        let bytes = &self.text.as_bytes()[..to as usize];
        let mut at = from as usize;
        let mut depth = 0usize;
        while let Some(end) = next_token(bytes, at) {
            let token = Span::new(at as u32, end as u32);
            match bytes[at] {
                b'[' | b'{' | b'(' => depth += 1,
                b']' | b'}' | b')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            let next = skip_trivia(bytes, end);
            let declares = match bytes.get(next) {
                Some(b'=') => depth == 0,
                Some(b':') => true,
                _ => false,
            };
            if token.start == from || declares {
                let name = self.lower.name_in(token);
                // What could not be parsed at all is one broken item, from its first to last byte.
                let span = if token.start == from { self.trimmed(from, to) } else { token };
                if name.is_some() || token.start == from {
                    self.broken(span, name);
                }
            }
            at = next;
        }
    }

    fn broken(&mut self, span: Span, name: Option<Name>) {
        self.items.push(Item { span, kind: ItemKind::Broken { name }, poisoned: true });
    }

    fn trimmed(&self, from: u32, to: u32) -> Span {
        let text = self.text[Span::new(from, to).range()]
            .trim_end_matches(|c: char| c.is_ascii_whitespace());
        Span::new(from, from + text.len() as u32)
    }
}

fn offset(error: &Error<Rule>) -> u32 {
    match error.location {
        InputLocation::Pos(offset) | InputLocation::Span((offset, _)) => offset as u32,
    }
}

impl super::Lower<'_> {
    /// Whether errors are still kept.
    fn has_room(&self) -> bool {
        self.diagnostics.len() < MAX_DIAGNOSTICS
    }

    /// Reports an error, unless there are too many already.
    pub(super) fn error(&mut self, error: Diagnostic) {
        self.poisoned = true;
        if self.has_room() {
            self.diagnostics.push(error);
        }
    }
}
