//! Checksums of the data: each item, in extents of bounded size.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use super::format::Extent;
use crate::error::{Error, Item, Result};
use crate::source::Source;
use crate::stream::Stream;

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

/// Compares extents with their checksums, and tells what differs in their order.
pub(super) fn compare(
    extents: &[Extent],
    source: &dyn Source,
    mut found: impl FnMut(Error),
    mut done: impl FnMut(u64),
) {
    let workers = crate::jobs::most().min(extents.len());
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    let work = |send: mpsc::Sender<(usize, Result<()>)>| {
        while let Some((at, extent)) = {
            let at = next.fetch_add(1, Ordering::Relaxed);
            extents.get(at).map(|extent| (at, extent))
        } {
            // Who gave the work waits for all of it.
            let _ = send.send((at, extent.verify(source)));
        }
    };
    let mut wrong = Vec::new();
    std::thread::scope(|scope| {
        let spawn = || {
            let send = send.clone();
            std::thread::Builder::new().spawn_scoped(scope, || work(send)).is_ok()
        };
        let spawned = if workers > 1 { (0..workers).filter(|_| spawn()).count() } else { 0 };
        match spawned {
            0 => work(send),
            _ => drop(send),
        }
        for (at, result) in receive {
            done(extents[at].length.into());
            wrong.extend(result.err().map(|error| (at, error)));
        }
    });
    wrong.sort_by_key(|(at, _)| *at);
    wrong.into_iter().for_each(|(_, error)| found(error));
}

/// The CRC-32C of some bytes, without a copy where they are in memory.
pub(super) fn check_of(source: &dyn Source, address: u64, length: u64) -> Result<u32> {
    if let Some(bytes) = source.bytes() {
        return Ok(crc32c::crc32c(crate::source::slice(bytes, address, length)?));
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
