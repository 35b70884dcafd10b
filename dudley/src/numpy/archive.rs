//! The entries of an `.npz` archive: a zip file, stored or deflated, as numpy writes it; beyond 4 GiB
//! with zip64.

use std::io::Read;
use std::sync::{Arc, OnceLock};

use crc32fast::Hasher;

use crate::bytes::source::Source;

/// The end of the central directory.
pub const END: &[u8] = b"PK\x05\x06";
/// The end record of large archives.
pub const END_64: &[u8] = b"PK\x06\x06";
/// Where the latter is.
pub const LOCATOR_64: &[u8] = b"PK\x06\x07";
/// An entry of the central directory.
pub const ENTRY: &[u8] = b"PK\x01\x02";
/// The header before the bytes of an entry, with which a non-empty archive begins.
pub const LOCAL: &[u8] = b"PK\x03\x04";
/// The longest end of an archive: a comment of 64 KiB.
const LONGEST_END: u64 = (64 << 10) + 42;
/// How much one entry may be when inflated, as a multiple of what is stored: deflate cannot do
/// better than about 1032.
#[cfg(feature = "filters-rust")]
const RATIO: u64 = 1100;
/// Bytes that are read at a time.
const BLOCK: u64 = 1 << 20;
/// The method of entries that are stored as they are.
pub const STORED: u64 = 0;
/// The method of entries that are deflated.
pub const DEFLATED: u64 = 8;
/// The flag of an encrypted entry.
const ENCRYPTED: u64 = 1;
/// A number of 32 bits that stands in the fields of zip64.
pub const ELSEWHERE: u64 = 0xffff_ffff;

/// One file of an archive.
#[derive(Clone)]
pub(super) struct Entry {
    /// Its name.
    pub(super) name: String,
    archive: Arc<dyn Source>,
    deflated: bool,
    /// Why it cannot be read, if it is neither stored as it is nor deflated.
    refused: Option<String>,
    /// Where its bytes are, and how many.
    address: u64,
    stored: u64,
    /// How many they are when inflated.
    raw: u64,
    /// The CRC-32 of them then.
    crc: u32,
    /// The result of the comparison, of an uncompressed entry.
    checked: Arc<OnceLock<Found<()>>>,
}

type Found<T> = Result<T, String>;

/// The name of the first entry of an archive that begins so, as far as that is there.
pub(super) fn first_name(head: &[u8]) -> Option<String> {
    let length = number(head.strip_prefix(LOCAL)?, 26 - LOCAL.len(), 2).ok()? as usize;
    Some(String::from_utf8_lossy(head.get(30..30 + length)?).into_owned())
}

/// All entries, none of them read.
///
/// # Errors
/// If something is wrong with the archive.
pub(super) fn entries(archive: &Arc<dyn Source>) -> Found<Vec<Entry>> {
    let (count, begin, size) = directory(&**archive)?;
    let bytes = read(&**archive, begin, size)?;
    let mut found = Vec::new();
    let mut at = 0;
    for _ in 0..count {
        let (entry, length) = entry(archive, &bytes, at)?;
        found.push(entry);
        at += length;
    }
    Ok(found)
}

/// How many entries there are, and where the directory of them is.
fn directory(archive: &dyn Source) -> Found<(u64, u64, u64)> {
    let length = archive.len().min(LONGEST_END);
    let tail = read(archive, archive.len() - length, length)?;
    let end = tail.windows(4).rposition(|bytes| bytes == END).ok_or("it has no directory")?;
    let (count, size, begin) =
        (number(&tail, end + 10, 2)?, number(&tail, end + 12, 4)?, number(&tail, end + 16, 4)?);
    let locator = end.checked_sub(20).filter(|at| tail[*at..].starts_with(LOCATOR_64));
    let Some(locator) = locator else { return Ok((count, begin, size)) };
    let large = read(archive, number(&tail, locator + 8, 8)?, 56)?;
    if !large.starts_with(END_64) {
        return Err("its directory is damaged".to_owned());
    }
    Ok((number(&large, 32, 8)?, number(&large, 48, 8)?, number(&large, 40, 8)?))
}

/// The entry at a place of the directory, and the bytes it has there.
fn entry(archive: &Arc<dyn Source>, directory: &[u8], at: usize) -> Found<(Entry, usize)> {
    if directory.get(at..at + 4) != Some(ENTRY) {
        return Err("its directory is damaged".to_owned());
    }
    let (flags, method) = (number(directory, at + 8, 2)?, number(directory, at + 10, 2)?);
    let mut sizes = [
        number(directory, at + 24, 4)?,
        number(directory, at + 20, 4)?,
        number(directory, at + 42, 4)?,
    ];
    let mut lengths = [0; 3];
    for (place, length) in [28, 30, 32].into_iter().zip(&mut lengths) {
        *length = number(directory, at + place, 2)? as usize;
    }
    let name = directory.get(at + 46..at + 46 + lengths[0]).ok_or("its directory is cut off")?;
    let name = String::from_utf8_lossy(name).into_owned();
    let extra = at + 46 + lengths[0];
    let extra = directory.get(extra..extra + lengths[1]).ok_or("its directory is cut off")?;
    large(extra, &mut sizes)?;
    let [raw, stored, local] = sizes;
    let head = read(&**archive, local, 30).map_err(|why| format!("{name}: {why}"))?;
    if !head.starts_with(LOCAL) {
        return Err(format!("{name}: it is not where the directory says"));
    }
    let address = local + 30 + number(&head, 26, 2)? + number(&head, 28, 2)?;
    let inside = address.checked_add(stored).is_some_and(|end| end <= archive.len());
    if !inside {
        return Err(format!("its entry {name} is cut off"));
    }
    let refused = match (flags & ENCRYPTED, method) {
        (0, STORED | DEFLATED) => None,
        (0, method) => Some(format!(
            "it is compressed by {} (method {method}), which is not read: numpy writes stored or deflated \
             members",
            method_name(method)
        )),
        _ => Some("it is encrypted".to_owned()),
    };
    if method == STORED && refused.is_none() && raw != stored {
        return Err(format!("{name}: it has {stored} bytes, but should have {raw}"));
    }
    let crc = number(directory, at + 16, 4)? as u32;
    let entry = Entry {
        name,
        archive: archive.clone(),
        deflated: method == DEFLATED,
        refused,
        address,
        stored,
        raw,
        crc,
        checked: Arc::default(),
    };
    Ok((entry, 46 + lengths.iter().sum::<usize>()))
}

/// The name of a compression method, by its number in the specification of zip files.
fn method_name(method: u64) -> &'static str {
    match method {
        1 => "shrink",
        2..=5 => "reduce",
        6 => "implode",
        9 => "deflate64",
        10 => "the implode of PKWARE",
        12 => "bzip2",
        14 => "lzma",
        16 | 18 | 19 => "a method of IBM",
        20 | 93 => "zstd",
        94 => "mp3",
        95 => "xz",
        96 => "jpeg",
        97 => "wavpack",
        98 => "ppmd",
        99 => "a method inside of AES encryption",
        _ => "an unknown method",
    }
}

/// Sizes that need 64 bits: of the entry, as it is stored, and its address, in this order.
fn large(mut extra: &[u8], sizes: &mut [u64; 3]) -> Found<()> {
    while extra.len() >= 4 {
        let (kind, length) = (number(extra, 0, 2)?, number(extra, 2, 2)? as usize);
        let field = extra.get(4..4 + length).ok_or("its directory is damaged")?;
        if kind == 1 {
            let mut at = 0;
            for size in sizes.iter_mut().filter(|size| **size == ELSEWHERE) {
                *size = number(field, at, 8)?;
                at += 8;
            }
        }
        extra = &extra[4 + length..];
    }
    Ok(())
}

impl Entry {
    /// Whether it is a folder.
    pub(super) fn is_folder(&self) -> bool {
        self.name.ends_with('/') && self.raw == 0
    }

    /// Checks that it can be read.
    ///
    /// # Errors
    /// How it is compressed that is not read.
    pub(super) fn check_method(&self) -> Found<()> {
        self.refused.clone().map_or(Ok(()), Err)
    }

    /// Whether its first bytes are these.
    ///
    /// # Errors
    /// If something is wrong with it.
    pub(super) fn begins_with(&self, bytes: &[u8]) -> Found<bool> {
        self.check_method()?;
        let most = (bytes.len() as u64).min(self.raw);
        let found = if self.deflated {
            self.begin(most)?
        } else {
            read(&*self.archive, self.address, most)?
        };
        Ok(found == bytes)
    }

    /// Its bytes as a part of the archive, if they are stored as they are: where they begin, and how
    /// many.
    pub(super) fn place(&self) -> Option<(Arc<dyn Source>, u64, u64)> {
        (!self.deflated).then(|| (self.archive.clone(), self.address, self.stored))
    }

    /// How many bytes it has when inflated, as the directory says.
    pub(super) fn len(&self) -> u64 {
        self.raw
    }

    /// The first bytes of one that is deflated, this many at most; nothing says yet that they are right.
    ///
    /// # Errors
    /// If something is wrong with it.
    #[cfg(feature = "filters-rust")]
    pub(super) fn begin(&self, most: u64) -> Found<Vec<u8>> {
        let bound = self.stored.saturating_mul(RATIO).min(most);
        let mut out = Vec::new();
        flate2::read::DeflateDecoder::new(self.part())
            .take(bound)
            .read_to_end(&mut out)
            .map_err(|error| format!("{}: {error}", self.name))?;
        Ok(out)
    }

    /// Checks that it is deflated, which is not read without the filters.
    #[cfg(not(feature = "filters-rust"))]
    pub(super) fn begin(&self, _: u64) -> Found<Vec<u8>> {
        Err(format!("{}: it is deflated, and the feature `filters-rust` is off", self.name))
    }

    /// The bytes of one that is deflated, all of them, which are what was put in.
    ///
    /// # Errors
    /// If something is wrong with it.
    pub(super) fn inflate(&self) -> Found<Vec<u8>> {
        // One more would be one too many.
        let bytes = self.begin(self.raw.saturating_add(1))?;
        if bytes.len() as u64 != self.raw {
            let found = bytes.len().min(self.raw as usize);
            let more = if bytes.len() as u64 > self.raw { "more than " } else { "" };
            return Err(format!(
                "{}: it inflates to {more}{found} bytes, but should to {}",
                self.name, self.raw
            ));
        }
        let mut crc = Hasher::new();
        crc.update(&bytes);
        self.compare(crc)?;
        Ok(bytes)
    }

    /// Where its bytes are in the archive, and how many are stored.
    pub(super) fn stored(&self) -> (u64, u64) {
        (self.address, self.stored)
    }

    /// Checks that its bytes are what was put in.
    ///
    /// # Errors
    /// If something is wrong with it.
    pub(super) fn verify(&self) -> Found<()> {
        self.check_method()?;
        if self.deflated { self.inflate().map(drop) } else { self.check() }
    }

    /// Checks that the bytes of one that is stored as it is are what was put in. They are read once for that.
    ///
    /// # Errors
    /// If something is wrong with it.
    pub(super) fn check(&self) -> Found<()> {
        let check = || {
            let (mut part, mut crc) = (self.part(), Hasher::new());
            let mut block = vec![0; self.stored.min(BLOCK) as usize];
            loop {
                let read =
                    part.read(&mut block).map_err(|error| format!("{}: {error}", self.name))?;
                match read {
                    0 => return self.compare(crc),
                    count => crc.update(&block[..count]),
                }
            }
        };
        self.checked.get_or_init(check).clone()
    }

    fn compare(&self, crc: Hasher) -> Found<()> {
        let (expected, found) = (self.crc, crc.finalize());
        if expected == found {
            Ok(())
        } else {
            Err(format!(
                "{}: the CRC-32 of its bytes is {found:08x}, but should be {expected:08x}: it is \
                 damaged",
                self.name
            ))
        }
    }

    fn part(&self) -> Part<'_> {
        Part { source: &*self.archive, at: self.address, left: self.stored }
    }
}

/// A part of a source, read from its start to its end.
struct Part<'s> {
    source: &'s dyn Source,
    at: u64,
    left: u64,
}

impl Read for Part<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.left.min(buffer.len() as u64);
        let buffer = &mut buffer[..count as usize];
        self.source.read_at(self.at, buffer).map_err(std::io::Error::other)?;
        self.at += count;
        self.left -= count;
        Ok(buffer.len())
    }
}

fn read(archive: &dyn Source, address: u64, length: u64) -> Found<Vec<u8>> {
    let end = address.checked_add(length);
    if end.is_none_or(|end| end > archive.len()) {
        return Err("it is cut off".to_owned());
    }
    let mut bytes = vec![0; length as usize];
    archive.read_at(address, &mut bytes).map_err(|error| error.to_string())?;
    Ok(bytes)
}

/// A little-endian number of 2, 4 or 8 bytes.
fn number(bytes: &[u8], at: usize, size: usize) -> Found<u64> {
    let bytes = bytes.get(at..at.saturating_add(size)).ok_or("it is cut off")?;
    Ok(bytes.iter().rev().fold(0, |value, byte| value << 8 | u64::from(*byte)))
}
