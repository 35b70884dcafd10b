//! The bytes of an index: tables put into their layout, with the checks of their blocks.

use std::collections::HashMap;

use super::Tail;
use super::build::{Tables, tables};
use super::checked::BLOCK;
use super::format::{ENDS, Extent, FOOTER, Footer, PARSED, encoded};
use crate::bytes::output::Output;
use crate::bytes::source::Source;
use crate::encode::pass::{Pass, complete};
use crate::encode::supply::{Supplied, Supply, WriteOptions};
use crate::error::{Error, Result};
use crate::read::stream::Stream;

/// The bytes of the index of a stream, which begin where its tail says; with checksums of these parts of
/// the data.
///
/// # Errors
/// If the stream cannot be read, or is more than an index can hold.
pub(super) fn encode(stream: &Stream, tail: &Tail, extents: Vec<Extent>) -> Result<Vec<u8>> {
    let text = tail.text(stream)?;
    let mut supply = supply(&text, tail, tables(stream, extents)?);
    // Without checks it is known how long the rest is: that has one check for each of its blocks.
    let draft = supply.write()?;
    let spare = spare(draft.len() as u64 - FOOTER, tail.present);
    supply.params.insert("/SPARE", i128::from(spare));
    let body = supply.write()?.len() as u64 - FOOTER;
    supply.params.insert("/BLOCKS", i128::from(body.div_ceil(BLOCK)));
    let draft = supply.write()?;
    let blocks = draft[..crate::error::to_usize(body)?].chunks(BLOCK as usize);
    let checks: Vec<u32> = blocks.map(crc32c::crc32c).collect();
    supply.rows("/checks", &checks);
    let footer = Footer { body, length: draft.len() as u64 };
    supply.items.insert("/footer", (footer.to_bytes().to_vec(), Vec::new()));
    supply.write()
}

/// How much longer the body of an index must be for it to be as long as the one that it replaces.
fn spare(body: u64, present: u64) -> u64 {
    let length = |body: u64| (body + 4 * body.div_ceil(BLOCK)).next_multiple_of(8) + FOOTER;
    let mut spare = present.saturating_sub(length(body)).next_multiple_of(8);
    // What is spare has checks too.
    while spare >= 8 && length(body + spare - 8) >= present {
        spare -= 8;
    }
    spare
}

/// What the layout of an index is given.
#[derive(Default)]
struct Given {
    params: HashMap<&'static str, i128>,
    items: HashMap<&'static str, (Vec<u8>, Vec<u64>)>,
}

fn supply(text: &[u8], tail: &Tail, tables: Tables) -> Given {
    let mut given = Given::default();
    let blocks: Vec<u32> = text.chunks(BLOCK as usize).map(crc32c::crc32c).collect();
    given.number("/text_check", crc32c::crc32c(text));
    given.long("/layout", tail.layout);
    given.long("/text_bytes", text.len() as u64);
    given.number("/ends_check", ends_check(text));
    let counts = [
        ("/TEXT_BLOCKS", blocks.len()),
        ("/BUCKETS", tables.buckets.len().saturating_sub(1)),
        ("/ENTRIES", tables.entries.len()),
        ("/HEADS", tables.heads.len().saturating_sub(1)),
        ("/PLACES", tables.places.len()),
        ("/HEAD_TEXT", tables.head_text.len()),
        ("/GUARDS", tables.guards.len()),
        ("/EXTENTS", tables.extents.len()),
        ("/SPARE", 0),
        ("/BLOCKS", 0),
    ];
    given.params.extend(counts.map(|(path, count)| (path, count as i128)));
    given.rows("/text_checks", &blocks);
    given.rows("/buckets", &tables.buckets);
    given.rows("/entries", &tables.entries);
    given.rows("/heads", &tables.heads);
    given.rows("/places", &tables.places);
    given.rows("/head_text", tables.head_text.as_bytes());
    given.rows("/guards", &tables.guards);
    given.rows("/extents", &tables.extents);
    let footer = Footer { body: 0, length: 0 };
    given.items.insert("/footer", (footer.to_bytes().to_vec(), Vec::new()));
    given
}

/// The CRC-32C of both ends of a text.
fn ends_check(text: &[u8]) -> u32 {
    let ends = ENDS as usize;
    let head = &text[..text.len().min(ends)];
    let tail = &text[head.len().max(text.len().saturating_sub(ends))..];
    crc32c::crc32c_append(crc32c::crc32c(head), tail)
}

/// The same of a text that is in a source.
pub(super) fn ends_check_in(source: &dyn Source, address: u64, length: u64) -> Result<u32> {
    let head = length.min(ENDS);
    let tail = head.max(length.saturating_sub(ENDS));
    let mut bytes = vec![0; (head + length - tail) as usize];
    let (first, last) = bytes.split_at_mut(head as usize);
    source.read_at(address, first)?;
    source.read_at(address.saturating_add(tail), last)?;
    Ok(crc32c::crc32c(&bytes))
}

impl Given {
    fn number(&mut self, path: &'static str, value: u32) {
        self.items.insert(path, (value.to_le_bytes().to_vec(), Vec::new()));
    }

    fn long(&mut self, path: &'static str, value: u64) {
        self.items.insert(path, (value.to_le_bytes().to_vec(), Vec::new()));
    }

    fn rows<T: super::format::Row>(&mut self, path: &'static str, rows: &[T]) {
        self.items.insert(path, (encoded(rows), vec![rows.len() as u64]));
    }

    /// Writes what is given; checks that are not known yet are zeros.
    fn write(&mut self) -> Result<Vec<u8>> {
        let count = |path| self.params.get(path).map_or(0, |count| *count as usize);
        let (spare, blocks) = (count("/SPARE"), count("/BLOCKS"));
        self.items.insert("/spare", (vec![0; spare], vec![spare as u64]));
        self.items
            .entry("/checks")
            .and_modify(|(bytes, shape)| {
                bytes.resize(4 * blocks, 0);
                *shape = vec![blocks as u64];
            })
            .or_insert_with(|| (vec![0; 4 * blocks], vec![blocks as u64]));
        let layout = PARSED.clone().ok_or(Error::NoLayout)?;
        let mut bytes = Vec::new();
        let options = WriteOptions { raw: true, ..WriteOptions::default() };
        let written = complete(Pass::new(&layout, &options, self, &mut bytes))?;
        bytes.grow(written.end)?;
        Ok(bytes)
    }
}

impl Supply for Given {
    fn param(&self, path: &str) -> Option<i128> {
        self.params.get(path).copied()
    }

    fn item(&self, path: &str) -> Option<Supplied<'_>> {
        if let Some((bytes, shape)) = self.items.get(path) {
            return Some(Supplied::Encoded { bytes, shape });
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_index_that_takes_the_place_of_a_longer_one_is_as_long() {
        let length = |body: u64| (body + 4 * body.div_ceil(BLOCK)).next_multiple_of(8) + FOOTER;
        for body in (8..30_000).step_by(8) {
            for present in [0, 40, length(body), length(body) + 8, length(body) + 40_000] {
                let is = length(body + spare(body, present));
                assert!(is >= present && (is < present + 16 || is == length(body)), "{body}");
            }
        }
    }
}
