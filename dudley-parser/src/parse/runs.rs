//! Runs of characters of the grammar, which searches find at once.

use pest::{ParseResult, ParserState, RuleType};

/// Skips a run at the beginning of what is left, whose length in bytes `length` gives.
#[inline]
pub(crate) fn run<R: RuleType>(
    state: Box<ParserState<'_, R>>,
    length: impl Fn(&[u8]) -> usize,
) -> ParseResult<Box<ParserState<'_, R>>> {
    let here = state.position();
    let rest = here.span(here).get_input().get(here.pos()..).unwrap_or_default();
    let run = rest.get(..length(rest.as_bytes())).unwrap_or_default();
    let characters = if run.is_ascii() { run.len() } else { run.chars().count() };
    state.skip(characters)
}
