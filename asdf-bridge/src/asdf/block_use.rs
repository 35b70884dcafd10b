//! Which blocks arrays of the tree are in, and which no array is in.

use std::collections::HashSet;
use std::sync::Arc;

use super::blocks::{self, Block};
use super::error::Result;
use super::file::AsdfFile;
use super::item::Item;
use super::ndarray::is_array;
use super::tag;
use super::tree::{Node, Tree};
use super::walk::References;

/// The number of the block that an array is in, of this many in its file; `None` if it is in none of it.
pub(super) fn number(array: Node<'_>, count: usize) -> Option<usize> {
    let source = array.get("source").filter(|_| is_array(array))?.as_i64()?;
    blocks::number(source, count)
}

/// The numbers of the blocks that arrays of a tree are in; there may be fewer blocks.
pub(super) fn named(tree: &Tree, count: usize) -> HashSet<usize> {
    tree.nodes().filter_map(|node| number(node, count)).collect()
}

/// The greatest number of a block that arrays of a tree are in, if there is none of this number among this many.
pub(super) fn beyond(tree: &Tree, count: usize) -> Option<usize> {
    named(tree, count).into_iter().max().filter(|named| *named >= count)
}

impl AsdfFile {
    /// The blocks with data that no array of the tree is in: of a file without a tree, all. No data are read. Those
    /// whose header cannot be one are not among them.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray, Open, Yaml};
    ///
    /// let x = NewArray::from(vec![1_u8, 2, 3]);
    /// let old = Builder::new().put("x", x).put("y", NewArray::from(vec![7_u8]));
    /// let old = Open::new().bytes(old.to_bytes()?)?;
    /// assert!(old.blocks_without_arrays()?.is_empty());
    ///
    /// let mut tree = old.root()?.to_yaml()?;
    /// tree.set("x", "gone");
    /// let new = Builder::from_tree(tree).blocks_of(&old)?;
    /// let new = Open::new().bytes(new.to_bytes()?)?;
    /// let numbers: Vec<usize> = new.blocks_without_arrays()?.iter().map(|block| block.index).collect();
    /// assert_eq!(numbers, [0]);
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Engine`](super::Error::Engine) if the file cannot be read.
    pub fn blocks_without_arrays(&self) -> Result<Vec<Arc<Block>>> {
        let blocks = self.blocks()?;
        let named = match self.parsed() {
            Some(Ok(tree)) => named(tree, blocks.len()),
            _ => HashSet::new(),
        };
        let spare = blocks.into_iter().flatten();
        Ok(spare.filter(|block| block.used() > 0 && !named.contains(&block.index)).collect())
    }
}

impl Item {
    /// Whether it, or something in it, may name blocks of its file in a way that this crate does not know: it has a
    /// number that a block has, and a tag that is none of the standard, or a `source` where no array is.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray, Open, Yaml};
    ///
    /// let mine = Yaml::mapping([("block", 0)]).tagged("asdf://example.com/tags/x-1.0.0");
    /// let file = Builder::new().put("a", mine).put("b", Yaml::mapping([("block", 0)]));
    /// let file = Open::new().bytes(file.put("x", NewArray::from(vec![1])).to_bytes()?)?;
    /// assert!(file.get("/a")?.may_name_blocks()? && !file.get("/b")?.may_name_blocks()?);
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Engine`](super::Error::Engine) if the file cannot be read.
    pub fn may_name_blocks(&self) -> Result<bool> {
        let count = self.file().blocks()?.len();
        let (mut is_known, mut has_number) = (true, false);
        self.walk_once(References::Kept, &mut |item, _| {
            let node = item.node();
            has_number |=
                node.as_i64().is_some_and(|number| blocks::number(number, count).is_some());
            is_known &= node.tag().is_none_or(tag::is_standard);
            is_known &= is_array(node) || node.get("source").and_then(Node::as_i64).is_none();
            Ok(!is_array(node) && (is_known || !has_number))
        })?;
        Ok(!is_known && has_number)
    }
}
