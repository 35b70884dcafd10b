//! All nodes of a tree, one after the other.

use std::collections::HashMap;

use super::error::{Error, Result};
use super::file::AsdfFile;
use super::item::Item;

/// What a walk does with references (`$ref`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum References {
    /// They are mappings as others.
    Kept,
    /// What they lead to stands in their place; themselves if that is nowhere, and nothing below.
    Followed,
}

impl References {
    fn of(self, item: Item) -> Item {
        if self == References::Kept { item } else { item.followed() }
    }
}

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
        self.root()?.walk(References::Kept, visit)
    }
}

impl Item {
    /// What it refers to, as [`Self::resolve`] says; itself if that is nowhere.
    #[must_use]
    pub fn followed(self) -> Item {
        match self.reference() {
            Some(_) => self.clone().resolve().unwrap_or(self),
            None => self,
        }
    }

    /// As [`AsdfFile::walk`], of this node and what is in it; references may be followed.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Open, References};
    ///
    /// let file = Open::new().bytes(*b"#ASDF 1.0.0\n--- {a: {x: 1}, b: {$ref: '#/a'}}\n...\n")?;
    /// let mut paths = Vec::new();
    /// file.root()?.walk(References::Followed, &mut |item| {
    ///     paths.push(item.path().to_owned());
    ///     Ok(true)
    /// })?;
    /// assert_eq!(paths, ["/", "/a", "/a/x", "/b", "/b/x"]);
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`AsdfFile::walk`].
    pub fn walk(
        &self,
        references: References,
        visit: &mut dyn FnMut(&Item) -> Result<bool>,
    ) -> Result<()> {
        let mut next = vec![self.clone()];
        let mut count = 0;
        while let Some(item) = next.pop() {
            let item = references.of(item);
            count += 1;
            if count > NODES {
                let limit = NODES.to_string().into();
                return Err(Error::Limit { what: "nodes of the tree".into(), limit });
            }
            if visit(&item)? && item.within_itself().is_none() {
                next.extend(references.below(&item).rev());
            }
        }
        Ok(())
    }

    /// As [`Self::walk`], but what is in a shared mapping or sequence is gone through once, however often that stands
    /// in the tree, or references lead to it: elsewhere `visit` is given the path under which that was.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Open, References};
    ///
    /// let file = Open::new().bytes(*b"#ASDF 1.0.0\n--- {a: &x [1, 2], b: [*x], c: 3}\n...\n")?;
    /// let mut paths = Vec::new();
    /// file.root()?.walk_once(References::Kept, &mut |item, before| {
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
        references: References,
        visit: &mut dyn FnMut(&Item, Option<&str>) -> Result<bool>,
    ) -> Result<()> {
        let mut known = HashMap::new();
        let mut next = vec![self.clone()];
        while let Some(item) = next.pop() {
            let item = references.of(item);
            let before = known.get(&item.id()).map(String::as_str);
            if visit(&item, before)? && before.is_none() {
                if item.is_referred() || item.node().tree().shared().contains(&item.node().id()) {
                    known.insert(item.id(), item.path().to_owned());
                }
                next.extend(references.below(&item).rev());
            }
        }
        Ok(())
    }
}

impl References {
    /// What is in an item, unless that is a reference that leads nowhere.
    pub(super) fn below(self, item: &Item) -> impl DoubleEndedIterator<Item = Item> {
        let nowhere = self == References::Followed && item.reference().is_some();
        if nowhere { Vec::new() } else { below(item) }.into_iter()
    }
}

/// What is in a node. Of two equal keys the last one counts, as for who asks for one.
fn below(item: &Item) -> Vec<Item> {
    let (node, mut items) = (item.node(), item.items());
    let mut entries = node.entries();
    items.retain(|_| match entries.next() {
        Some((key, value)) => node.counts(key, value),
        None => true,
    });
    items
}
