//! The blocks of a file that is updated: which ones there are, which ones the tree names, which ones are free, and
//! which ones nothing may be lost of.

use std::collections::HashSet;
use std::sync::Arc;

use super::super::block_use;
use super::super::blocks::{self, Block, IndexState};
use super::super::edit::Edit;
use super::super::error::{Error, Result};
use super::super::file::AsdfFile;
use super::super::magic::MAGIC_LITERAL;
use super::super::report::Code;
use super::super::tree::{Node, NodeId, NodeKind, Tree};
use super::super::write::yaml::Yaml;

/// The blocks of a file.
#[derive(Debug)]
pub(super) struct Chain {
    /// Those that can be used, up to the first one that cannot.
    pub(super) blocks: Vec<Arc<Block>>,
    /// This many of them stand one behind the other: their numbers are sure.
    pub(super) joined: usize,
    /// How many there are, by which numbers below 0 count.
    pub(super) count: usize,
    /// Whether the blocks begin as the text has it that describes FINF.
    pub(super) literal: bool,
    /// What is wrong with a block that the tree names, or with one in front of it.
    damage: Option<Damage>,
    /// Whether the tree names none that are not joined, and there is no index that lists them: they were never
    /// finished.
    unfinished: bool,
    /// The blocks that the tree named at first.
    pub(super) named: HashSet<usize>,
    /// Whether one of them is counted from the end, and so is another one as soon as one comes behind.
    pub(super) from_end: bool,
}

/// What is wrong with a block, as [`Error::Block`] has it.
#[derive(Clone, Debug)]
struct Damage {
    index: usize,
    address: Option<u64>,
    expected: Box<str>,
    found: Box<str>,
}

impl Damage {
    fn new(index: usize, address: Option<u64>, expected: &str, found: &str) -> Damage {
        Damage { index, address, expected: expected.into(), found: found.into() }
    }

    fn error(self) -> Error {
        let Damage { index, address, expected, found } = self;
        Error::Block { index: index as i64, address, expected, found }
    }
}

impl Chain {
    /// The blocks of a file.
    ///
    /// # Errors
    /// [`dudley::Error::Io`].
    pub(super) fn of(file: &AsdfFile, tree: &Tree) -> Result<Chain> {
        let found = file.blocks()?;
        let count = found.len();
        let (blocks, mut damage) = usable(file, found)?;
        let joined = (1..blocks.len()).find(|at| !follows(&blocks, *at)).unwrap_or(blocks.len());
        let named = block_use::named(tree, count);
        // What is no array to this crate may be one to another program.
        let sources = || tree.nodes().filter_map(|node| node.get("source")?.as_i64());
        let numbers = sources().filter_map(|source| blocks::number(source, count));
        let last = numbers.filter(|number| *number < count).chain(named.iter().copied()).max();
        if last.is_none_or(|last| last < blocks.len()) {
            damage = None;
        } else if let Some(last) = last.filter(|last| damage.is_none() && *last >= count) {
            let found = format!("{count} in the file");
            damage = Some(Damage::new(last, None, "a block of this number", &found));
        }
        let listed = matches!(file.index()?, IndexState::Good { .. });
        let unfinished = !listed && last.is_none_or(|last| last < joined);
        let mut magic = MAGIC_LITERAL;
        let literal = match blocks.first() {
            Some(first) => {
                file.source().read_at(first.address, &mut magic)?;
                magic == MAGIC_LITERAL
            }
            None => false,
        };
        let from_end = sources().any(|source| source < 0);
        Ok(Chain { blocks, joined, count, literal, damage, unfinished, named, from_end })
    }

    /// Where the last block ends; none without blocks.
    pub(super) fn end(&self) -> Option<u64> {
        self.blocks.last().map(|block| block.end())
    }

    /// Whether a block begins where the one before it ends.
    pub(super) fn follows(&self, number: usize) -> bool {
        follows(&self.blocks, number)
    }

    /// Sees to it that blocks can be added: what an update that was interrupted has left is none of them.
    ///
    /// # Errors
    /// If something is wrong with the blocks that are there.
    pub(super) fn extend(&mut self) -> Result<()> {
        self.whole()?;
        if let Some(block) = self.blocks.get(self.joined).filter(|_| !self.unfinished) {
            let expected = "a block that begins where the one before it ends";
            let damage =
                Damage::new(self.joined, Some(block.address), expected, "one behind other bytes");
            return Err(damage.error());
        }
        self.blocks.truncate(self.joined);
        Ok(())
    }

    /// Sees to it that nothing is lost where blocks are written to another file.
    ///
    /// # Errors
    /// If something is wrong with a block that cannot be.
    pub(super) fn whole(&self) -> Result<()> {
        self.damage.clone().map_or(Ok(()), |damage| Err(damage.error()))
    }

    /// Where the first block begins, up to which there is room for the tree, if it ends at an address.
    pub(super) fn room(&self, text: u64) -> u64 {
        match self.blocks.first() {
            Some(first) => first.address,
            // What is left of one may stand anywhere behind the tree.
            None if self.damage.is_some() => text,
            None => u64::MAX,
        }
    }

    /// Whether the last block continues to the end of the file.
    pub(super) fn is_streamed(&self) -> bool {
        self.blocks.last().is_some_and(|block| block.is_streamed())
    }

    /// How many blocks have numbers that do not change: a streamed one stays the last.
    pub(super) fn fixed(&self) -> usize {
        self.blocks.len() - usize::from(self.is_streamed())
    }

    /// A free block that has room for this many bytes: the smallest one.
    pub(super) fn free(&self, bytes: u64, taken: impl Fn(usize) -> bool) -> Option<usize> {
        let fits = |block: &&Arc<Block>| {
            block.used() == 0
                && !block.is_streamed()
                && block.allocated >= bytes.max(1)
                && !self.named.contains(&block.index)
                && !taken(block.index)
        };
        let free = self.blocks.iter().filter(fits);
        free.min_by_key(|block| block.allocated).map(|block| block.index)
    }
}

/// The blocks that can be used, up to the first one that cannot, and why that one cannot.
fn usable(
    file: &AsdfFile,
    found: Vec<Result<Arc<Block>>>,
) -> Result<(Vec<Arc<Block>>, Option<Damage>)> {
    let total = file.source().len();
    let mut blocks: Vec<Arc<Block>> = Vec::new();
    for block in found {
        match block {
            Ok(block) if block.data.end <= total => blocks.push(block),
            Ok(block) => {
                let expected = "a block that can be updated";
                let found = "one whose data reach beyond the end of the file";
                let damage = Damage::new(block.index, Some(block.address), expected, found);
                return Ok((blocks, Some(damage)));
            }
            Err(Error::Block { address, expected, found, .. }) => {
                let damage = Damage { index: blocks.len(), address, expected, found };
                return Ok((blocks, Some(damage)));
            }
            Err(error) => return Err(error),
        }
    }
    let astray = file.check()?.of(Code::NotAdjacent).map(|finding| finding.address).min();
    if let Some(first) = blocks.first().filter(|first| astray.is_some_and(|it| it < first.address))
    {
        let expected = "the first block behind the tree";
        let damage = Damage::new(0, Some(first.address), expected, "one behind other bytes");
        return Ok((Vec::new(), Some(damage)));
    }
    Ok((blocks, None))
}

fn follows(blocks: &[Arc<Block>], number: usize) -> bool {
    let before = number.checked_sub(1).and_then(|before| blocks.get(before));
    before.map(|before| before.end()) == blocks.get(number).map(|block| block.address)
}

/// Lets arrays name their blocks so that more can be added: from the front, but a streamed block, which stays
/// the last, from the end.
///
/// # Errors
/// As [`Edit::set`].
pub(super) fn renumber(edit: &mut Edit, chain: &Chain) -> Result<()> {
    let (count, there) = (chain.count, chain.blocks.len());
    let wrong = |node: Node<'_>| -> Option<(NodeId, i64)> {
        if node.kind() != NodeKind::Mapping {
            return None;
        }
        let (now, source) = (block_use::number(node, count)?, node.get("source")?.as_i64()?);
        let wanted = if now < chain.fixed() { now as i64 } else { -1 };
        let known = now < there && wanted != source;
        known.then_some((node.id(), wanted))
    };
    loop {
        let found = edit.tree().nodes().find_map(wrong);
        let Some((node, wanted)) = found else { return Ok(()) };
        edit.set_entry(node, "source", Yaml::from(wanted))?;
    }
}
