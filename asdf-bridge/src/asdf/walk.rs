//! All nodes of a tree, one after the other.

use std::collections::HashMap;

use super::error::{Error, Result};
use super::file::AsdfFile;
use super::item::Item;

/// How many nodes are gone through; shared ones count each time.
const NODES: usize = 1 << 20;

impl AsdfFile {
    /// Goes through the nodes of the tree in the order of the text, each before what is in it. `visit`
    /// says whether to go on into a node. References are not followed, and of equal keys the last one counts. What
    /// stands in itself is not gone into again ([`Item::within_itself`]).
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
            if visit(&item)? && item.within_itself().is_none() {
                next.extend(below(&item).rev());
            }
        }
        Ok(())
    }

    /// As [`Self::walk`], but what is in a shared mapping or sequence is gone through once, however often that stands
    /// in the tree: elsewhere `visit` is given the path under which that was.
    ///
    /// ```
    /// use asdf_bridge::asdf::Open;
    ///
    /// let file = Open::new().bytes(*b"#ASDF 1.0.0\n--- {a: &x [1, 2], b: [*x], c: 3}\n...\n")?;
    /// let mut paths = Vec::new();
    /// file.root()?.walk_once(&mut |item, before| {
    ///     paths.push((item.path().to_owned(), before.map(str::to_owned)));
    ///     Ok(true)
    /// })?;
    /// assert_eq!(paths.len(), 7);
    /// assert_eq!(paths[5], ("/b/0".to_owned(), Some("/a".to_owned())));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// What `visit` says.
    pub fn walk_once(
        &self,
        visit: &mut dyn FnMut(&Item, Option<&str>) -> Result<bool>,
    ) -> Result<()> {
        let shared = self.node().tree().shared();
        let mut known = HashMap::new();
        let mut next = vec![self.clone()];
        while let Some(item) = next.pop() {
            let id = item.node().id();
            let before = known.get(&id).map(String::as_str);
            if visit(&item, before)? && before.is_none() {
                if shared.contains(&id) {
                    known.insert(id, item.path().to_owned());
                }
                next.extend(below(&item).rev());
            }
        }
        Ok(())
    }
}

/// What is in a node. Of two equal keys the last one counts, as for who asks for one.
fn below(item: &Item) -> impl DoubleEndedIterator<Item = Item> {
    let (node, mut items) = (item.node(), item.items());
    let mut entries = node.entries();
    items.retain(|_| match entries.next() {
        Some((key, value)) => node.counts(key, value),
        None => true,
    });
    items.into_iter()
}
