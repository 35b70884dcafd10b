//! The blocks of a file that is updated: which ones there are, which ones the tree names, and which ones
//! are free.

use std::collections::HashSet;
use std::sync::Arc;

use super::super::blocks::Block;
use super::super::edit::Edit;
use super::super::error::{Error, Result};
use super::super::file::AsdfFile;
use super::super::report::Code;
use super::super::spare;
use super::super::text::MAGIC_LITERAL;
use super::super::tree::{Node, NodeId, NodeKind, Tree};
use super::super::write::yaml::Yaml;

/// The blocks of a file, one behind the other.
#[derive(Debug)]
pub(super) struct Chain {
    pub(super) blocks: Vec<Arc<Block>>,
    /// Where the last one ends; none without blocks.
    pub(super) end: Option<u64>,
    /// Whether the blocks begin as the text has it that describes FINF.
    pub(super) literal: bool,
    /// Why no block can be added, if that is so.
    broken: Option<Error>,
    /// The blocks that the tree named at first.
    pub(super) named: HashSet<usize>,
}

impl Chain {
    /// The blocks of a file. What an update that was interrupted has left behind them is none of them.
    ///
    /// # Errors
    /// [`dudley::Error::Io`].
    pub(super) fn of(file: &AsdfFile, tree: &Tree) -> Result<Chain> {
        let total = file.source().len();
        let gap = file.check()?.of(Code::NotAdjacent).map(|finding| finding.address).min();
        let mut blocks = Vec::new();
        let mut broken = None;
        let found = file.blocks()?;
        let count = found.len();
        for block in found {
            let block = match block {
                Ok(block) if block.data.end <= total => block,
                Ok(block) => {
                    broken = Some(Error::Block {
                        index: block.index as i64,
                        address: Some(block.address),
                        expected: "a block that can be updated".into(),
                        found: "one whose data reach beyond the end of the file".into(),
                    });
                    break;
                }
                Err(error) => {
                    broken = Some(error);
                    break;
                }
            };
            if gap.is_some_and(|gap| gap < block.address) {
                broken = Some(Error::Block {
                    index: block.index as i64,
                    address: Some(block.address),
                    expected: "a block that begins where the one before it ends".into(),
                    found: "one behind other bytes".into(),
                });
                break;
            }
            blocks.push(block);
        }
        let named = spare::named(tree, count);
        // What nothing names and is not whole was never finished.
        if named.iter().all(|number| *number < blocks.len()) {
            broken = None;
        }
        let end = blocks.last().map(|block| block.end());
        let mut magic = MAGIC_LITERAL;
        let literal = match blocks.first() {
            Some(first) => {
                file.source().read_at(first.address, &mut magic)?;
                magic == MAGIC_LITERAL
            }
            None => false,
        };
        Ok(Chain { blocks, end, literal, broken, named })
    }

    /// Says why no block can be added.
    ///
    /// # Errors
    /// What is wrong with the blocks that are there.
    pub(super) fn sound(&mut self) -> Result<()> {
        self.broken.take().map_or(Ok(()), Err)
    }

    /// Whether the last block goes on to the end of the file.
    pub(super) fn is_streamed(&self) -> bool {
        self.blocks.last().is_some_and(|block| block.is_streamed())
    }

    /// How many blocks have numbers that do not change: a streamed one stays the last.
    pub(super) fn fixed(&self) -> usize {
        self.blocks.len() - usize::from(self.is_streamed())
    }

    /// A free block that has room for so many bytes: the smallest one.
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

/// Lets arrays name their blocks so that more can be added: from the front, but a streamed block, which stays
/// the last, from the end.
///
/// # Errors
/// As [`Edit::set`].
pub(super) fn renumber(edit: &mut Edit, chain: &Chain) -> Result<()> {
    let count = chain.blocks.len();
    let wrong = |node: Node<'_>| -> Option<(NodeId, i64)> {
        if node.kind() != NodeKind::Mapping {
            return None;
        }
        let (now, source) = (spare::number(node, count)?, node.get("source")?.as_i64()?);
        let wanted = if now < chain.fixed() { now as i64 } else { -1 };
        let known = now < count && wanted != source;
        known.then_some((node.id(), wanted))
    };
    loop {
        let found = edit.tree().nodes().find_map(wrong);
        let Some((node, wanted)) = found else { return Ok(()) };
        edit.set_entry(node, "source", Yaml::from(wanted))?;
    }
}
