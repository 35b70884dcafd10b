//! Blocks of the file that a tree comes from, which keep their numbers where it is written again.
//!
//! A tree may name blocks by what is no array to us: a type that is not known, or one whose tag is damaged. So
//! blocks that no array is in are written too, as they are stored, and all blocks have the numbers that they had.

use std::collections::HashSet;
use std::sync::Arc;

use dudley::bytes;

use super::super::blocks::{Block, number};
use super::super::error::{Error, Result};
use super::super::file::AsdfFile;
use super::super::ndarray::is_array;
use super::super::top_keys::Names;
use super::super::tree::Node;
use super::block::{NewBlock, Stored};
use super::copy::OfBlock;
use super::copy::salvage::readable;
use super::pieces::{Origin, Pieces, hand_out};
use super::standard::Target;

/// A block that no array of the tree is in, and that is written all the same: see
/// [`Builder::kept`](crate::asdf::Builder::kept).
#[derive(Debug)]
#[non_exhaustive]
pub struct Kept {
    /// The number that it had, and has.
    pub index: usize,
    /// Bytes of it, as they were stored; 0 for one that was set aside for later, too.
    pub bytes: u64,
    /// Why not all of it can be read, if that is so.
    pub why: Option<Error>,
}

/// The blocks of a file that is written again.
#[derive(Clone, Debug)]
pub(super) struct Carried {
    file: AsdfFile,
    /// Their number.
    count: usize,
    /// Those that something names which is no array.
    named: HashSet<usize>,
    /// Whether something that is no array counts them from the end.
    from_end: bool,
    /// Those that have data if no array is in them; all, if this is not said.
    only: Option<HashSet<usize>>,
    /// Whether they are taken as far as they can be read; else all must be there.
    damaged: bool,
}

impl Carried {
    /// Those of a file.
    ///
    /// # Errors
    /// [`Error::Engine`] if the file cannot be read.
    pub(super) fn new(file: &AsdfFile, damaged: bool) -> Result<Carried> {
        let count = file.blocks()?.len();
        let (mut named, mut from_end) = (HashSet::new(), false);
        for node in file.tree().iter().flat_map(|tree| tree.nodes()) {
            let Some(source) = node.get("source").and_then(Node::as_i64) else { continue };
            if is_array(node) {
                continue;
            }
            from_end |= source < 0;
            named.extend(number(source, count));
        }
        Ok(Carried { file: file.clone(), count, named, from_end, only: None, damaged })
    }

    /// The meaning of the keys at the top of the tree.
    pub(super) fn only(self, numbers: HashSet<usize>) -> Carried {
        Carried { only: Some(numbers), ..self }
    }

    pub(super) fn names(&self) -> Names {
        self.file.names()
    }

    /// Their number.
    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// Whether something counts them from the end which is no array.
    pub(super) fn is_counted_from_end(&self) -> bool {
        self.from_end
    }

    /// The number of the one that some bytes are.
    pub(super) fn number(&self, origin: Option<Origin>) -> Option<usize> {
        let own = origin.filter(|origin| origin.file == self.file.id());
        own.map(|origin| origin.block).filter(|number| *number < self.count)
    }

    /// Whether one cannot go to a file of its own, since a number may be all by which it is found: `arrays` says
    /// whether arrays are in it.
    pub(super) fn stays(&self, number: usize, arrays: bool) -> bool {
        let has_data = || self.file.block(number as i64).is_ok_and(|block| block.used() > 0);
        self.named.contains(&number) || !arrays && has_data()
    }

    /// Whether one that no array is in has data all the same.
    fn has(&self, number: usize) -> bool {
        self.only.as_ref().is_none_or(|only| only.contains(&number))
    }

    /// One that no array is in, as it is stored, but decompressed where the format has no compression.
    ///
    /// # Errors
    /// [`Error::Block`] if it cannot be used; [`Error::Engine`] if it is cut off. Neither if blocks are taken as
    /// far as they can be read.
    pub(super) fn block(&self, number: usize, target: Target) -> Result<NewBlock<'static>> {
        if !self.has(number) {
            return Ok(NewBlock::empty());
        }
        let file = &self.file;
        let block = match file.block(number as i64) {
            Err(Error::Block { .. }) if self.damaged => return Ok(NewBlock::empty()),
            block => block?,
        };
        let (start, used) = (block.data.start, block.used());
        let there = used.min(file.source().len().saturating_sub(start));
        if !self.damaged {
            bytes::check(file.source().len(), start, used)?;
        }
        if block.compression().is_none() {
            return Ok(NewBlock::plain(Arc::new(OfBlock::new(file, &block).first(there))));
        }
        if let Target::Finf { .. } = target {
            return Ok(NewBlock::plain(if self.damaged {
                readable(file, &block)?.0
            } else {
                Arc::new(OfBlock::new(file, &block))
            }));
        }
        if self.damaged
            && file.codecs().knows(&block)
            && let (pieces, Some(_)) = readable(file, &block)?
        {
            return Ok(NewBlock::plain(pieces));
        }
        let stored = Stored { label: block.label, decoded: block.decoded };
        let raw = Raw { file: file.clone(), block, len: there };
        Ok(NewBlock { stored: Some(stored), ..NewBlock::plain(Arc::new(raw)) })
    }

    /// What is kept of one that no array is in.
    ///
    /// # Errors
    /// [`Error::Engine`] if the file cannot be read.
    pub(super) fn kept(&self, number: usize) -> Result<Kept> {
        let file = &self.file;
        if !self.has(number) {
            return Ok(Kept { index: number, bytes: 0, why: None });
        }
        let block = match file.block(number as i64) {
            Err(why @ Error::Block { .. }) => {
                return Ok(Kept { index: number, bytes: 0, why: Some(why) });
            }
            block => block?,
        };
        let (total, used) = (file.source().len(), block.used());
        let cut = bytes::check(total, block.data.start, used).err().map(Error::from);
        let why = match cut {
            None if self.damaged && file.codecs().knows(&block) => readable(file, &block)?.1,
            cut => cut,
        };
        let bytes = used.min(total.saturating_sub(block.data.start));
        Ok(Kept { index: number, bytes, why })
    }
}

/// What a block stores, as it is.
#[derive(Debug)]
struct Raw {
    file: AsdfFile,
    block: Arc<Block>,
    len: u64,
}

impl Pieces for Raw {
    fn len(&self) -> u64 {
        self.len
    }

    fn each(&self, sink: &mut dyn FnMut(&[u8]) -> Result<()>) -> Result<()> {
        hand_out(self.file.source(), self.block.data.start, self.len, sink)
    }
}
