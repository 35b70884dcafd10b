//! The superblock: its place, and the address of the root group.

use std::sync::Arc;

use dudley::bytes::Source;
use dudley::{Error, Result};

use super::file::File;
use super::message::SIGNATURE;
use crate::cursor::malformed;

/// The fields of a superblock.
pub(super) struct Superblock {
    pub(super) version: u8,
    /// The address of the object header of the root group.
    pub(super) root: u64,
    /// Where the file ends, relative to the superblock.
    pub(super) end: u64,
}

/// Finds the superblock, which is at 0, 512, 1024, 2048 and so on; `None` if the file has none.
///
/// # Errors
/// If the bytes cannot be read.
pub(super) fn find(source: &dyn Source) -> Result<Option<u64>> {
    let mut at = 0_u64;
    while at.checked_add(8).is_some_and(|end| end <= source.len()) {
        let mut head = [0; 8];
        source.read_at(at, &mut head)?;
        if &head == SIGNATURE {
            return Ok(Some(at));
        }
        at = if at == 0 { 512 } else { at * 2 };
    }
    Ok(None)
}

/// Reads the superblock.
///
/// # Errors
/// If something is wrong with it.
pub(super) fn read(source: Arc<dyn Source>) -> Result<(File, Superblock)> {
    let base = find(&*source)?.ok_or_else(|| malformed(0, "there is no superblock of HDF5"))?;
    let head = File::new(source, base, 8, 8);
    let mut block = head.block_up_to(0, 128, "the superblock")?;
    block.skip(8)?;
    let version = block.version(0..=3)?;
    let sizes = |offsets: u8, lengths: u8| -> std::result::Result<(usize, usize), Error> {
        let is_size = |size: u8| matches!(size, 2 | 4 | 8);
        if is_size(offsets) && is_size(lengths) {
            return Ok((offsets.into(), lengths.into()));
        }
        let why = format!("the superblock: addresses of {offsets} bytes and lengths of {lengths}");
        Err(malformed(base, why))
    };
    if version >= 2 {
        let (offsets, lengths) = sizes(block.u1()?, block.u1()?)?;
        let mut file = head.of_sizes(offsets, lengths);
        let mut block = file.block(0, 12 + 4 * offsets as u64 + 4, "the superblock")?;
        block.skip(12)?;
        // The base is the place of the superblock, whatever address was written.
        block.address()?;
        let extension = block.address()?;
        let (end, root) = (block.there("the end")?, block.there("the root group")?);
        block.checksum()?;
        drop(block);
        file.extension = extension;
        return Ok((file, Superblock { version, root, end }));
    }
    block.skip(4)?;
    let (offsets, lengths) = sizes(block.u1()?, block.u1()?)?;
    let file = head.of_sizes(offsets, lengths);
    let mut block = file.block_up_to(0, 128, "the superblock")?;
    block.skip(if version == 0 { 24 } else { 28 })?;
    block.address()?;
    block.address()?;
    let end = block.there("the end")?;
    block.address()?;
    block.address()?;
    let root = block.there("the root group")?;
    Ok((file, Superblock { version, root, end }))
}
