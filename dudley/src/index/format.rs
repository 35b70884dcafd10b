//! The form of an index: `layouts/index.dud`, and the parts of it that are read separately.
//!
//! Where the tables lie is the layout's matter. Here are only the footer, without which there is
//! nothing to open, and the records of the tables, which are read a few at a time.

use std::sync::{Arc, LazyLock};

use dudley_parser::Layout;

use super::Fault;
use crate::bytes::source::Source;
use crate::error::Result;
use crate::read::stream::parse_layout;

/// The text of the layout of an index.
pub const LAYOUT: &str = include_str!("../../layouts/index.dud");

/// The layout of an index. It is a constant that a test parses.
pub(super) static PARSED: LazyLock<Option<Arc<Layout>>> =
    LazyLock::new(|| parse_layout(LAYOUT.as_bytes()).ok().map(Arc::new));

/// What an index begins with.
pub(super) const MAGIC: [u8; 8] = *b"\x8dDdx\r\n\x1a\n";

/// The version that is written, and the only one that is read.
pub(super) const VERSION: u32 = 1;

/// Bytes at each end of a layout that are compared whenever its index is opened.
pub(super) const ENDS: u64 = 8192;

/// An index begins at a multiple of this, in bytes.
pub(super) const ALIGN: u64 = 16;

/// Bytes of the footer, the last ones of the file.
pub(super) const FOOTER: u64 = 32;

const FOOTER_MAGIC: [u8; 12] = *b"\r\n\x1a\ndudleyIX";

/// Set in [`Entry::head`]: no guard matters to the entry.
pub(super) const UNGUARDED: u32 = 1 << 31;

/// The end of an index, by which it is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Footer {
    /// Bytes that have checks, which stand behind them.
    pub(super) body: u64,
    /// Bytes of all of the index.
    pub(super) length: u64,
}

impl Footer {
    /// The footer at the end of a file; `None` where the file ends in another way.
    ///
    /// # Errors
    /// [`crate::Error::Index`] if it is damaged, or does not fit the file.
    pub(super) fn read(source: &dyn Source) -> Result<Option<Footer>> {
        let Some(address) = source.len().checked_sub(FOOTER) else { return Ok(None) };
        let mut bytes = [0; FOOTER as usize];
        source.read_at(address, &mut bytes)?;
        if bytes[20..] != FOOTER_MAGIC {
            return Ok(None);
        }
        let footer = Footer { body: u64_at(&bytes, 0), length: u64_at(&bytes, 8) };
        let (expected, found) = (u32_at(&bytes, 16), crc32c::crc32c(&bytes[..16]));
        if expected != found {
            let (expected, found) = (format!("checksum {expected:08x}"), format!("{found:08x}"));
            return Err(super::fault(Fault::Damaged, address, expected, found));
        }
        let checks = footer.body.div_ceil(super::checked::BLOCK).checked_mul(4);
        let least = checks.and_then(|checks| checks.checked_add(footer.body)?.checked_add(FOOTER));
        match least {
            Some(least) if least <= footer.length && footer.length <= source.len() => {
                Ok(Some(footer))
            }
            _ => Err(super::fault(
                Fault::Damaged,
                address,
                format!("an index that ends at {}", source.len()),
                format!("one of {} bytes, {} of them with checks", footer.length, footer.body),
            )),
        }
    }

    /// The bytes of it.
    pub(super) fn to_bytes(self) -> [u8; FOOTER as usize] {
        let mut bytes = [0; FOOTER as usize];
        bytes[..8].copy_from_slice(&self.body.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.length.to_le_bytes());
        let check = crc32c::crc32c(&bytes[..16]);
        bytes[16..20].copy_from_slice(&check.to_le_bytes());
        bytes[20..].copy_from_slice(&FOOTER_MAGIC);
        bytes
    }
}

/// Something that can be found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) hash: u32,
    pub(super) head: u32,
    pub(super) address: u64,
    pub(super) at: u32,
    pub(super) length: u32,
}

/// A value in the stream that addresses depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Guard {
    pub(super) address: u64,
    pub(super) bytes: [u8; 8],
    pub(super) size: u32,
    pub(super) after: u32,
}

/// A part of the data with a checksum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) address: u64,
    pub(super) length: u32,
    pub(super) check: u32,
}

/// Where the text and the addresses of a head begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Head {
    pub(super) text: u32,
    pub(super) place: u32,
}

/// A record of a table.
pub(super) trait Row: Sized {
    /// Its bytes.
    const SIZE: usize;
    /// From [`Self::SIZE`] bytes.
    fn decode(bytes: &[u8]) -> Self;
    /// Appends its bytes.
    fn encode(&self, out: &mut Vec<u8>);
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..at + 4).and_then(|b| b.try_into().ok()).map_or(0, u32::from_le_bytes)
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    bytes.get(at..at + 8).and_then(|b| b.try_into().ok()).map_or(0, u64::from_le_bytes)
}

impl Row for u32 {
    const SIZE: usize = 4;
    fn decode(bytes: &[u8]) -> Self {
        u32_at(bytes, 0)
    }
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }
}

impl Row for u64 {
    const SIZE: usize = 8;
    fn decode(bytes: &[u8]) -> Self {
        u64_at(bytes, 0)
    }
    fn encode(&self, out: &mut Vec<u8>) {
        out.extend(self.to_le_bytes());
    }
}

impl Row for u8 {
    const SIZE: usize = 1;
    fn decode(bytes: &[u8]) -> Self {
        bytes.first().copied().unwrap_or(0)
    }
    fn encode(&self, out: &mut Vec<u8>) {
        out.push(*self);
    }
}

impl Row for Entry {
    const SIZE: usize = 24;
    fn decode(bytes: &[u8]) -> Self {
        Entry {
            hash: u32_at(bytes, 0),
            head: u32_at(bytes, 4),
            address: u64_at(bytes, 8),
            at: u32_at(bytes, 16),
            length: u32_at(bytes, 20),
        }
    }
    fn encode(&self, out: &mut Vec<u8>) {
        self.hash.encode(out);
        self.head.encode(out);
        self.address.encode(out);
        self.at.encode(out);
        self.length.encode(out);
    }
}

impl Row for Head {
    const SIZE: usize = 8;
    fn decode(bytes: &[u8]) -> Self {
        Head { text: u32_at(bytes, 0), place: u32_at(bytes, 4) }
    }
    fn encode(&self, out: &mut Vec<u8>) {
        self.text.encode(out);
        self.place.encode(out);
    }
}

impl Row for Guard {
    const SIZE: usize = 24;
    fn decode(bytes: &[u8]) -> Self {
        Guard {
            address: u64_at(bytes, 0),
            bytes: u64_at(bytes, 8).to_le_bytes(),
            size: u32_at(bytes, 16),
            after: u32_at(bytes, 20),
        }
    }
    fn encode(&self, out: &mut Vec<u8>) {
        self.address.encode(out);
        out.extend(self.bytes);
        self.size.encode(out);
        self.after.encode(out);
    }
}

impl Row for Extent {
    const SIZE: usize = 16;
    fn decode(bytes: &[u8]) -> Self {
        Extent { address: u64_at(bytes, 0), length: u32_at(bytes, 8), check: u32_at(bytes, 12) }
    }
    fn encode(&self, out: &mut Vec<u8>) {
        self.address.encode(out);
        self.length.encode(out);
        self.check.encode(out);
    }
}

/// The bytes of a table.
pub(super) fn encoded<T: Row>(rows: &[T]) -> Vec<u8> {
    let mut out = Vec::with_capacity(rows.len() * T::SIZE);
    rows.iter().for_each(|row| row.encode(&mut out));
    out
}

/// The number of parts of a table of entries: each of about 32, and a power of two.
pub(super) fn bucket_count(entries: usize) -> u64 {
    (entries as u64 / 32).next_power_of_two().min(1 << 31)
}

/// The part that a hash lies in, out of a power of two of them.
pub(super) fn bucket_of(hash: u32, buckets: u64) -> u64 {
    (u64::from(hash) * buckets) >> 32
}

/// The hash of a path.
pub(super) fn hash_of(path: &str) -> u32 {
    crc32c::crc32c(path.as_bytes())
}
