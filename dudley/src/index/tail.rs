//! The end of a stream with an attached layout: where does its index belong?

use super::format::{ALIGN, Footer, MAGIC};
use super::{Fault, fault};
use crate::bytes::source::Source;
use crate::error::{Error, Result};
use crate::read::stream::{Stream, read_bytes};

/// The end of a stream, behind its data. Addresses are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tail {
    /// Where the layout begins.
    pub(super) layout: u64,
    /// Where its text ends, the line end behind its terminator included.
    pub(super) text_end: u64,
    /// That line end is missing: the file ends before.
    pub(super) open: bool,
    /// Where the index belongs.
    pub(super) index: u64,
    /// Bytes that are there already, of an index whole or torn.
    pub(super) present: u64,
}

impl Tail {
    /// The end of a stream that was opened with the layout appended to it.
    ///
    /// # Errors
    /// [`Error::NoLayout`] without one; [`Error::Index`] where the layout has no terminator, or is not
    /// the one that the stream was opened with, or where something else stands behind it.
    pub(super) fn of(stream: &Stream) -> Result<Tail> {
        let layout = stream.signature().and_then(|signature| signature.layout_address);
        let layout = layout.ok_or(Error::NoLayout)?;
        let text = stream.layout().text();
        let dashes = layout.saturating_add(text.len() as u64);
        let occupied = |address, expected: &str, found: &str| {
            Err(fault(Fault::Occupied, address, expected, found))
        };
        if !stream.layout().has_terminator() {
            let expected = "a layout that ends with its terminator, a line `-`";
            return occupied(layout, expected, "one that runs to the end of the file");
        }
        let whole = stream.whole();
        if dashes > whole.len() || !same(whole, layout, text.as_bytes())? {
            let expected = "the layout that the stream was opened with";
            return occupied(layout, expected, "another one");
        }
        let (text_end, open) = line_end(whole, dashes)?;
        let index = text_end.next_multiple_of(ALIGN);
        match ours(whole, text_end, index)? {
            Some(present) => Ok(Tail { layout, text_end, open, index, present }),
            None if ends_with_marker(whole)? => {
                let found = "what an interrupted writer left, which the next one takes away";
                occupied(text_end, "nothing behind the layout, or an index", found)
            }
            None => occupied(text_end, "nothing behind the layout, or an index", "other bytes"),
        }
    }

    /// The text of the layout, with the line end that may be missing yet.
    pub(super) fn text(&self, stream: &Stream) -> Result<Vec<u8>> {
        let there = self.text_end - self.layout - u64::from(self.open);
        let mut text = read_bytes(stream.whole(), self.layout, there)?;
        if self.open {
            text.push(b'\n');
        }
        Ok(text)
    }
}

/// What stands behind a layout that has no index. Addresses and lengths are in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Left {
    /// The rest of an index, or an unfinished one.
    Torn { address: u64, bytes: u64 },
    /// Something else.
    Other { address: u64, bytes: u64 },
}

/// What stands behind the layout of a stream that has no index; `None` if nothing does.
pub(crate) fn left_of(stream: &Stream) -> Option<Left> {
    match Tail::of(stream) {
        Ok(Tail { present: 0, .. }) => None,
        Ok(tail) => Some(Left::Torn { address: tail.index, bytes: tail.present }),
        Err(Error::Index { address, .. }) if stream.layout().has_terminator() => {
            Some(Left::Other { address, bytes: stream.whole().len().saturating_sub(address) })
        }
        Err(_) => None,
    }
}

/// Whether some bytes stand at an address.
fn same(source: &dyn Source, address: u64, bytes: &[u8]) -> Result<bool> {
    let mut block = [0; 4096];
    for (at, part) in (address..).step_by(block.len()).zip(bytes.chunks(block.len())) {
        let block = &mut block[..part.len()];
        source.read_at(at, block)?;
        if block != part {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Where the line of the terminator ends, whose dashes end at an address; and whether the file ends
/// before the line does.
fn line_end(source: &dyn Source, dashes: u64) -> Result<(u64, bool)> {
    let mut at = dashes;
    let mut byte = [0];
    while at < source.len() {
        source.read_at(at, &mut byte)?;
        at += 1;
        match byte[0] {
            b'\n' => return Ok((at, false)),
            b'\r' => {
                let feed = at < source.len() && source.read_at(at, &mut byte).is_ok();
                return Ok((at + u64::from(feed && byte[0] == b'\n'), false));
            }
            _ => {}
        }
    }
    // A line end will be written there.
    Ok((at + 1, true))
}

/// Bytes from an address on, if they are an index, or what is left of one: zeros, or what begins like
/// one. `padding` is where the zeros before it begin.
fn ours(source: &dyn Source, padding: u64, index: u64) -> Result<Option<u64>> {
    let Some(present) = source.len().checked_sub(index) else {
        return Ok(zeros(source, padding)?.then_some(0));
    };
    let mut head = [0; MAGIC.len()];
    if present >= head.len() as u64 {
        source.read_at(index, &mut head)?;
    }
    // A footer of that length tells it too, where the first bytes are damaged.
    let whole = matches!(Footer::read(source), Ok(Some(footer)) if footer.length == present);
    Ok((head == MAGIC || whole || zeros(source, padding)?).then_some(present))
}

fn zeros(source: &dyn Source, from: u64) -> Result<bool> {
    let mut block = [0; 4096];
    let mut at = from;
    while at < source.len() {
        let length = (source.len() - at).min(block.len() as u64);
        let block = &mut block[..length as usize];
        source.read_at(at, block)?;
        if block.iter().any(|byte| *byte != 0) {
            return Ok(false);
        }
        at += length;
    }
    Ok(true)
}

/// What follows the terminator of a layout that is the copy. Readers do not read so far.
pub(crate) const MARKER: &[u8] = b"copy of the layout, while the stream is extended\n";

/// Whether a stream ends with the copy of its layout that an extension makes.
pub(crate) fn ends_with_marker(whole: &dyn Source) -> Result<bool> {
    let length = MARKER.len() as u64;
    match whole.len().checked_sub(length) {
        Some(at) => Ok(read_bytes(whole, at, length)? == MARKER),
        None => Ok(false),
    }
}
