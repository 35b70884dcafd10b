//! Blocks of the file that a tree comes from, which keep their numbers where it is written again.
//!
//! A tree may name blocks by what is no array to us: a type that is not known, or one whose tag is damaged. So
//! blocks that no array is in are written too, as they are stored, and all blocks have the numbers that they had.

use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

use dudley::source;

use super::super::blocks::{Block, number};
use super::super::error::{Error, Result};
use super::super::file::AsdfFile;
use super::super::ndarray::is_array;
use super::super::top::Names;
use super::super::tree::Node;
use super::blocks::{NewBlock, Stored};
use super::builder::Builder;
use super::copy::OfBlock;
use super::pieces::{Origin, Pieces, hand_out};
use super::salvage::readable;
use super::standard::Target;
use super::yaml::Yaml;

/// A block that no array of the tree is in, and that is written all the same: see
/// [`Builder::kept`].
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
    /// How many there are.
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

    /// What the keys at the top of the tree mean.
    pub(super) fn names(&self) -> Names {
        self.file.names()
    }

    /// How many there are.
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
            source::check(file.source().len(), start, used)?;
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
        let cut = source::check(total, block.data.start, used).err().map(Error::from);
        let why = match cut {
            None if self.damaged && file.codecs().knows(&block) => readable(file, &block)?.1,
            cut => cut,
        };
        let bytes = used.min(total.saturating_sub(block.data.start));
        Ok(Kept { index: number, bytes, why })
    }
}

impl<'a> Builder<'a> {
    /// With all blocks of the file that the tree comes from ([`Item::to_yaml`](super::super::item::Item::to_yaml)):
    /// they keep their numbers, and those that no array of the tree is in are written as they are stored, since
    /// what this crate does not know may name them. All must be there.
    ///
    /// Otherwise blocks are those of the arrays of the tree, in the order that they had.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray, Open, Yaml};
    ///
    /// let x = NewArray::from(vec![1_u8, 2, 3]);
    /// let old = Builder::new().put("x", x).put("y", NewArray::from(vec![7_u8]));
    /// let old = Open::new().bytes(old.to_bytes()?)?;
    /// let mut tree = old.root()?.to_yaml()?;
    /// tree.set("x", Yaml::mapping([("source", 0)]).tagged("tag:example.org:mine-1.0.0"));
    /// let new = Builder::from_tree(tree).blocks_of(&old)?;
    /// assert_eq!(new.kept()?[0].index, 0);
    /// let new = Open::new().bytes(new.to_bytes()?)?;
    /// assert_eq!(new.block_data(0)?, [1, 2, 3]);
    /// assert_eq!(new.array("/y")?.read::<u8>()?.as_slice(), Some(&[7][..]));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Engine`](super::super::error::Error::Engine) if the file cannot be read. What is wrong with blocks
    /// is an error of who writes.
    pub fn blocks_of(self, file: &AsdfFile) -> Result<Builder<'a>> {
        Ok(Builder { carried: Some(Carried::new(file, false)?), ..self })
    }

    /// As [`Self::blocks_of`], of parts of a file: all blocks keep their numbers, and those that no array of the file is
    /// in their data. Blocks of arrays that are no part of the tree become empty.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray, Open};
    ///
    /// let old = Builder::new().put("x", NewArray::from(vec![1_u8])).put("y", NewArray::from(vec![7_u8]));
    /// let old = Open::new().bytes(old.to_bytes()?)?;
    /// let part = Builder::new().put("y", old.get("/y")?.to_yaml()?).numbers_of(&old)?;
    /// let part = Open::new().bytes(part.to_bytes()?)?;
    /// assert_eq!((part.block_data(0)?, part.block_data(1)?), (vec![], vec![7]));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::blocks_of`].
    pub fn numbers_of(self, file: &AsdfFile) -> Result<Builder<'a>> {
        let without = file.blocks_without_arrays()?;
        let only = Some(without.iter().map(|block| block.index).collect());
        Ok(Builder { carried: Some(Carried { only, ..Carried::new(file, false)? }), ..self })
    }

    /// As [`Self::blocks_of`], of a damaged file: blocks as far as they can be read. [`Self::kept`] says of which
    /// something is lost.
    ///
    /// # Errors
    /// As [`Self::blocks_of`].
    pub fn blocks_left_of(self, file: &AsdfFile) -> Result<Builder<'a>> {
        Ok(Builder { carried: Some(Carried::new(file, true)?), ..self })
    }

    /// The blocks of the file that the tree comes from which no array of the tree is in, and which are written all
    /// the same, if [`Self::blocks_of`] or [`Self::blocks_left_of`] says so.
    ///
    /// # Errors
    /// As [`Self::write_to`].
    pub fn kept(&self) -> Result<Vec<Kept>> {
        let Some(carried) = &self.carried else { return Ok(Vec::new()) };
        let (_, met, _) = self.flatten(&self.whole_tree()?, &|_| Yaml::null())?;
        let mut left: BTreeSet<usize> = (0..carried.count).collect();
        for block in met {
            if let Some(number) = carried.number(block.pieces.origin()) {
                left.remove(&number);
            }
        }
        left.into_iter().map(|number| carried.kept(number)).collect()
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
