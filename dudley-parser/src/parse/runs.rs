//! Runs of characters of the grammar, which are found at once: rules of the same names say what they are.

use pest::{ParseResult, ParserState, RuleType};

/// Skips a run at the beginning of what is left, whose length in bytes is given.
#[inline]
pub(crate) fn run<R: RuleType>(
    state: Box<ParserState<'_, R>>,
    length: fn(&str) -> usize,
) -> ParseResult<Box<ParserState<'_, R>>> {
    let here = state.position();
    let rest = here.span(here).get_input().get(here.pos()..).unwrap_or_default();
    let run = rest.get(..length(rest)).unwrap_or_default();
    let characters = if run.is_ascii() { run.len() } else { run.chars().count() };
    state.skip(characters)
}

pub(crate) fn name_rest(rest: &str) -> usize {
    count(rest.as_bytes(), |byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// White space and comments.
pub(crate) fn t(rest: &str) -> usize {
    let (bytes, mut at) = (rest.as_bytes(), 0);
    loop {
        at += count(&bytes[at..], |byte| matches!(byte, b' ' | b'\t'..=b'\r'));
        if bytes.get(at) != Some(&b'#') {
            return at;
        }
        at += count(&bytes[at..], |byte| !matches!(byte, b'\n' | b'\r'));
    }
}

/// The bytes at the beginning that pass a test.
fn count(bytes: &[u8], is_in: impl Fn(u8) -> bool) -> usize {
    bytes.iter().position(|byte| !is_in(*byte)).unwrap_or(bytes.len())
}
