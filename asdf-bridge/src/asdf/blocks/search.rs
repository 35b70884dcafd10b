//! Bytes searched for in a file that may be larger than memory.

use std::ops::Range;

use dudley::bytes::Source;

use super::super::error::Result;
use super::super::form::LONGEST;
use super::super::text::Dialect;
use super::{Blocks, Verdict};

/// Bytes looked at at first, as what is searched is near as a rule, and at most at a time.
const FIRST: u64 = 256;
const STEP: u64 = 1 << 20;

/// This many headers are looked at in data.
const HEADERS: u32 = 256;

/// Bytes that pieces share, so that nothing is missed between them.
const SHARED: u64 = 16;

/// Visits the file from `from` on, piece by piece, until `look` finds something in one.
fn scan(
    source: &dyn Source,
    from: u64,
    look: impl Fn(&[u8]) -> Option<usize>,
) -> Result<Option<u64>> {
    let total = source.len();
    if let Some(bytes) = source.bytes() {
        let rest = usize::try_from(from).ok().and_then(|from| bytes.get(from..));
        return Ok(rest.and_then(look).map(|at| from + at as u64));
    }
    let (mut at, mut step) = (from, FIRST);
    let mut piece = Vec::new();
    while at < total {
        piece.resize((total - at).min(step) as usize, 0);
        step = (step * 8).min(STEP);
        source.read_at(at, &mut piece)?;
        if let Some(found) = look(&piece) {
            return Ok(Some(at + found as u64));
        }
        let end = at + piece.len() as u64;
        at = if end == total { total } else { end - SHARED };
    }
    Ok(None)
}

/// The first address from `from` on where a block may begin.
pub(super) fn magic(source: &dyn Source, dialect: Dialect, from: u64) -> Result<Option<u64>> {
    scan(source, from, |bytes| dialect.find_magic(bytes))
}

/// The first address from `from` on of something other than blanks and zeros.
pub(super) fn not_blank(source: &dyn Source, from: u64) -> Result<Option<u64>> {
    scan(source, from, |bytes| {
        bytes.iter().position(|byte| !matches!(byte, 0 | b' ' | b'\t' | b'\r' | b'\n'))
    })
}

/// The first address from `from` on of a header that is sound, and whose data are in the file.
pub(super) fn sound(blocks: &Blocks, mut from: u64) -> Result<Option<u64>> {
    while let Some(at) = magic(&*blocks.source, blocks.dialect, from)? {
        if is_sound(blocks, at)? {
            return Ok(Some(at));
        }
        from = at + 1;
    }
    Ok(None)
}

/// As [`sound`], of those that begin within a range, which is short.
pub(super) fn sound_within(blocks: &Blocks, range: Range<u64>) -> Result<Option<u64>> {
    let end = range.end.saturating_add(LONGEST as u64).min(blocks.source.len());
    let mut bytes = vec![0; end.saturating_sub(range.start) as usize];
    blocks.source.read_at(range.start.min(end), &mut bytes)?;
    let mut from = 0;
    while let Some(found) = bytes.get(from..).and_then(|rest| blocks.dialect.find_magic(rest)) {
        let at = range.start + (from + found) as u64;
        if at >= range.end {
            break;
        }
        if is_sound(blocks, at)? {
            return Ok(Some(at));
        }
        from += found + 1;
    }
    Ok(None)
}

/// The first header that is sound and begins within a range, and from which one block follows the other until one reaches
/// behind the range: what is within data ends there. Of very many headers the last ones are not looked at.
pub(super) fn across(blocks: &Blocks, range: Range<u64>) -> Result<Option<u64>> {
    let mut left = HEADERS;
    let mut from = range.start;
    while left > 0
        && let Some(found) = magic(&*blocks.source, blocks.dialect, from)?
        && found < range.end
    {
        let mut at = found;
        while at < range.end && left > 0 && is_sound(blocks, at)? {
            // It does not overflow: the header is sound.
            let fields = blocks.fields(at)?;
            at = fields.start(at) + fields.allocated;
            left -= 1;
        }
        if at > range.end {
            return Ok(Some(found));
        }
        left = left.saturating_sub(1);
        from = found + 1;
    }
    Ok(None)
}

/// Whether a header that is sound stands at an address, and its data are in the file.
pub(super) fn is_sound(blocks: &Blocks, at: u64) -> Result<bool> {
    let total = blocks.source.len();
    if at >= total || !blocks.dialect.is_magic(blocks.head(at, &mut [0; LONGEST])?) {
        return Ok(false);
    }
    let fields = blocks.fields(at)?;
    let start = fields.start(at);
    let end = start.checked_add(fields.used);
    Ok(matches!(blocks.judge(&fields, at)?, Verdict::Sound) && end.is_some_and(|end| end <= total))
}
