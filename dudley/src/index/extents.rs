//! Checksums of the data: each item, in extents of bounded size.

use super::format::Extent;
use crate::bytes::source::Source;
use crate::bytes::threads;
use crate::error::{Error, Item, Result};
use crate::read::stream::Stream;

/// Bytes of the longest extent.
pub(super) const LONGEST: u64 = 1 << 20;

/// The checksums of all that the layout of a stream says is there.
///
/// # Errors
/// If it cannot be placed or read.
pub(super) fn extents(stream: &Stream) -> Result<Vec<Extent>> {
    let mut extents = Vec::new();
    for at in 0..stream.layout().root().len() {
        let placed = stream.resolve(|resolver| resolver.step_extent(at))?;
        let end = placed.address.saturating_add(placed.bytes);
        let mut address = placed.address;
        while address < end {
            let length = (end - address).min(LONGEST);
            let check = check_of(stream.source(), address, length)?;
            extents.push(Extent { address, length: length as u32, check });
            address += length;
        }
    }
    Ok(extents)
}

/// Compares extents with their checksums, and tells in their order which differ.
pub(super) fn compare(
    extents: &[Extent],
    source: &dyn Source,
    mut found: impl FnMut(usize, Error),
    mut done: impl FnMut(u64),
) {
    let verify = |at: u64| {
        let extent = &extents[at as usize];
        Ok((at as usize, extent.length, extent.verify(source)))
    };
    // What differs is a result, so there is no error.
    let _ = threads::in_order(threads::count(0), extents.len() as u64, &verify, &mut |(
        at,
        length,
        result,
    )| {
        done(u64::from(length));
        if let Err(error) = result {
            found(at, error);
        }
    });
}

/// The CRC-32C of some bytes, without a copy where they are in memory.
pub(super) fn check_of(source: &dyn Source, address: u64, length: u64) -> Result<u32> {
    if let Some(bytes) = source.bytes() {
        return Ok(crc32c::crc32c(crate::bytes::source::slice(bytes, address, length)?));
    }
    let mut buffer = vec![0; length.min(LONGEST) as usize];
    let (mut check, mut at, mut left) = (0, address, length);
    while left > 0 {
        let part = &mut buffer[..left.min(LONGEST) as usize];
        source.read_at(at, part)?;
        check = crc32c::crc32c_append(check, part);
        (at, left) = (at + part.len() as u64, left - part.len() as u64);
    }
    Ok(check)
}

impl Extent {
    /// Compares the data with the checksum.
    ///
    /// # Errors
    /// [`Error::Checksum`] if it has another one; if it cannot be read.
    pub(super) fn verify(&self, source: &dyn Source) -> Result<()> {
        let (address, length) = (self.address, u64::from(self.length));
        let (expected, found) = (self.check, check_of(source, address, length)?);
        if expected == found {
            return Ok(());
        }
        Err(Error::Checksum { item: Item::UNKNOWN, address, length, expected, found })
    }
}
