//! Checksums that a layout states of its items: attributes `crc32`, `crc32c` and `adler32`.
//!
//! They are of the bytes as they lie in the stream, so of a filtered item of what is stored.

use dudley_parser::comments::{AttrValue, Attribute};
use dudley_parser::layout::{DocKey, Step};

use super::places::Few;
use super::{Finding, Found, Severity};
use crate::bytes::source::Source;
use crate::error::Result;
use crate::read::stream::Stream;

/// Bytes that are read at a time.
const BLOCK: u64 = 1 << 20;

/// Names of checksums that others state, and that are not known here.
const OTHERS: [&str; 5] = ["md5", "sha1", "sha256", "xxh3", "fletcher32"];

/// A checksum of 32 bits.
#[derive(Clone, Copy)]
enum Sum {
    Crc32,
    Crc32c,
    Adler32,
}

/// Compares items of dicts with what is declared of them.
pub(super) fn verify(stream: &Stream, found: Found<'_>, read: &mut dyn FnMut(u64)) {
    let layout = stream.layout();
    let mut few = Few::new("checksum", found);
    for (at, &step) in layout.root().iter().enumerate() {
        let Step::Array(id) = step else { continue };
        for attribute in layout.attributes(DocKey::of(layout[id].span)) {
            if OTHERS.contains(&attribute.name.as_str()) {
                few.add(Finding { path: layout.step_path(step), ..unknown(attribute) });
            }
            let (Some(sum), Some(stated)) = (sum_of(&attribute.name), number(&attribute.value))
            else {
                continue;
            };
            // What cannot be placed or read was said.
            let Ok(placed) = stream.resolve(|resolver| resolver.step_extent(at)) else { continue };
            let Ok(is) = sum.of(stream.source(), placed.address, placed.bytes) else { continue };
            read(placed.bytes);
            if u64::from(is) != stated {
                let what = format!(
                    "its attribute `{}` is {stated:#010x}, but that of its bytes is {is:#010x}",
                    attribute.name
                );
                let what = Finding::new(Severity::Error, "checksum", what);
                let path = layout.step_path(step);
                few.add(Finding { path, ..what.at(placed.address, placed.bytes) });
            }
        }
    }
}

fn unknown(attribute: &Attribute) -> Finding {
    let what = format!("its attribute `{}` is no checksum that is known here", attribute.name);
    Finding::new(Severity::Note, "checksum-unknown", what)
}

fn sum_of(name: &str) -> Option<Sum> {
    match name {
        "crc32" => Some(Sum::Crc32),
        "crc32c" => Some(Sum::Crc32c),
        "adler32" => Some(Sum::Adler32),
        _ => None,
    }
}

/// A number, or one in hexadecimal digits as a text.
fn number(value: &AttrValue) -> Option<u64> {
    match value {
        AttrValue::Int(value) => u64::try_from(*value).ok(),
        AttrValue::Text(text) => u64::from_str_radix(text.trim_start_matches("0x"), 16).ok(),
        _ => None,
    }
}

impl Sum {
    fn of(self, source: &dyn Source, address: u64, bytes: u64) -> Result<u32> {
        crate::bytes::source::check(source.len(), address, bytes)?;
        let mut buffer = vec![0; bytes.min(BLOCK) as usize];
        let mut crc32 = crc32fast::Hasher::new();
        let (mut crc32c, mut adler) = (0, (1, 0));
        let mut at = 0;
        while at < bytes {
            let part = &mut buffer[..(bytes - at).min(BLOCK) as usize];
            source.read_at(address + at, part)?;
            match self {
                Sum::Crc32 => crc32.update(part),
                Sum::Crc32c => crc32c = crc32c::crc32c_append(crc32c, part),
                Sum::Adler32 => adler = adler32(adler, part),
            }
            at += part.len() as u64;
        }
        Ok(match self {
            Sum::Crc32 => crc32.finalize(),
            Sum::Crc32c => crc32c,
            Sum::Adler32 => adler.1 << 16 | adler.0,
        })
    }
}

/// RFC 1950, 8.2.
fn adler32((mut a, mut b): (u32, u32), bytes: &[u8]) -> (u32, u32) {
    const BASE: u32 = 65521;
    // This many bytes cannot overflow.
    for part in bytes.chunks(5552) {
        for byte in part {
            a += u32::from(*byte);
            b += a;
        }
        (a, b) = (a % BASE, b % BASE);
    }
    (a, b)
}
