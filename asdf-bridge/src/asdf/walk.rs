//! All nodes of a tree, one after the other.

use super::error::{Error, Result};
use super::file::AsdfFile;
use super::item::Item;

/// How many nodes are gone through; shared ones count each time.
const NODES: usize = 1 << 20;

impl AsdfFile {
    /// Goes through the nodes of the tree in the order of the text, each before what is in it. `visit`
    /// says whether to go on into a node. References are not followed, and of equal keys the last one counts.
    ///
    /// ```
    /// use asdf_bridge::asdf::Open;
    ///
    /// let file = Open::new().bytes(*b"#ASDF 1.0.0\n--- {a: [1, 2], b: {c: 3}}\n...\n")?;
    /// let mut paths = Vec::new();
    /// file.walk(&mut |item| {
    ///     paths.push(item.path().to_owned());
    ///     Ok(true)
    /// })?;
    /// assert_eq!(paths, ["/", "/a", "/a/0", "/a/1", "/b", "/b/c"]);
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// What `visit` says; [`Error::Limit`] if shared nodes come to more than a million; as
    /// [`Self::tree`].
    pub fn walk(&self, visit: &mut dyn FnMut(&Item) -> Result<bool>) -> Result<()> {
        self.root()?.walk(visit)
    }
}

impl Item {
    /// As [`AsdfFile::walk`], of this node and what is in it.
    ///
    /// # Errors
    /// As [`AsdfFile::walk`].
    pub fn walk(&self, visit: &mut dyn FnMut(&Item) -> Result<bool>) -> Result<()> {
        let mut next = vec![self.clone()];
        let mut count = 0;
        while let Some(item) = next.pop() {
            count += 1;
            if count > NODES {
                let limit = NODES.to_string().into();
                return Err(Error::Limit { what: "nodes of the tree".into(), limit });
            }
            if visit(&item)? {
                let (node, mut items) = (item.node(), item.items());
                // Of two equal keys the last one counts, as for who asks for one.
                let mut entries = node.entries();
                items.retain(|_| match entries.next() {
                    Some((key, value)) => node.counts(key, value),
                    None => true,
                });
                next.extend(items.into_iter().rev());
            }
        }
        Ok(())
    }
}
