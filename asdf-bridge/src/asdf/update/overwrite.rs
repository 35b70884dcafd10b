//! Elements that are written over those that are there, and the digests of their blocks.

use std::collections::BTreeMap;
use std::sync::Arc;

use dudley::append::write_over;
use dudley::write::Input;

use super::super::blocks::Block;
use super::super::digest;
use super::super::error::{Error, Result};
use super::super::file::AsdfFile;
use super::super::form::{Fields, Form};
use super::super::write::header;
use super::super::write::target::Target;
use super::place::Place;

/// Blocks whose elements were written over, and that have no digest until that is done.
#[derive(Default)]
pub(super) struct Over {
    blocks: BTreeMap<usize, Arc<Block>>,
}

impl Over {
    /// Writes over elements. The digest of their block is taken away first, so that there is never a wrong one.
    ///
    /// # Errors
    /// As [`super::Update::write`].
    pub(super) fn write(
        &mut self,
        file: &AsdfFile,
        path: &str,
        elements: Input<'_>,
        place: &Place,
    ) -> Result<()> {
        let refused = |why: &str| {
            Error::from(dudley::Error::NotInPlace { path: path.into(), why: why.into() })
        };
        let array = file.sliced(path)?;
        if !Arc::ptr_eq(&array.file().inner, &file.inner) {
            return Err(refused("it is in another file"));
        }
        let block = array.block()?.ok_or_else(|| {
            refused(match array.chunks().next() {
                Some(_) => "it is in chunks, which have paths of their own",
                None => "its elements are in the tree",
            })
        })?;
        if block.compression().is_some() {
            return Err(refused("its block is compressed"));
        }
        let selected = file.select_stored(path)?;
        if block.form == Form::Asdf48
            && !block.is_streamed()
            && !self.blocks.contains_key(&block.index)
        {
            if block.digest != [0; 16] {
                place.write(block.address, &header_of(&block, [0; 16]))?;
                place.sync()?;
            }
            self.blocks.insert(block.index, block);
        }
        Ok(write_over(path, &selected, elements, place)?)
    }

    /// Makes durable what was written, and then the digests of the blocks.
    ///
    /// # Errors
    /// [`dudley::Error::Io`].
    pub(super) fn finish(self, file: &AsdfFile, place: &Place) -> Result<()> {
        if self.blocks.is_empty() {
            return Ok(());
        }
        place.sync()?;
        for block in self.blocks.values() {
            let digest = digest::of_stored(file.source(), block)?;
            place.write(block.address, &header_of(block, digest))?;
        }
        place.sync()
    }
}

/// The header of a block with another digest.
fn header_of(block: &Block, digest: [u8; 16]) -> Vec<u8> {
    let fields = Fields {
        form: block.form,
        header: block.header_size,
        flags: block.flags,
        compression: block.label,
        allocated: block.allocated,
        used: block.used(),
        decoded: Some(block.decoded),
        digest,
    };
    header::encode(&fields, false)
}
