//! Blocks that no array of the tree is in.

use std::collections::HashSet;
use std::sync::Arc;

use super::blocks::Block;
use super::error::Result;
use super::file::AsdfFile;
use super::ndarray::is_array;

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
        let mut named = HashSet::new();
        if let Some(Ok(tree)) = self.parsed() {
            for node in tree.nodes().filter(|node| is_array(*node)) {
                let Some(source) = node.get("source").and_then(|it| it.as_i64()) else { continue };
                let back =
                    || blocks.len().checked_sub(usize::try_from(source.unsigned_abs()).ok()?);
                named.extend(usize::try_from(source).ok().or_else(back));
            }
        }
        let spare = blocks.into_iter().flatten();
        Ok(spare.filter(|block| block.used() > 0 && !named.contains(&block.index)).collect())
    }
}
