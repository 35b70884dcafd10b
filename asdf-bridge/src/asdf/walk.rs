//! All nodes of a tree, one after the other.

use std::collections::HashMap;

use super::error::{Error, Result};
use super::file::AsdfFile;
use super::item::Item;

/// The treatment of references (`$ref`) in a walk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum References {
    /// They are mappings as others.
    Kept,
    /// Targets replace references. A reference without a target stays, with nothing below it.
    Followed,
}

impl References {
    fn of(self, item: Item) -> Item {
        if self == References::Kept { item } else { item.followed() }
    }

    /// Visits an item and what is in it, each before what is in it, as far as `visit` says to go on, which is
    /// reported whether it is shared, or in something that is.
    fn each<E>(
        self,
        from: &Item,
        visit: &mut dyn FnMut(&Item, bool) -> Result<bool, E>,
    ) -> Result<(), E> {
        let start: Box<dyn Iterator<Item = Item>> = Box::new(std::iter::once(from.clone()));
        let mut open = vec![(start, false)];
        while let Some((items, is_within)) = open.last_mut() {
            let Some(item) = items.next() else {
                open.pop();
                continue;
            };
            let item = self.of(item);
            let is_shared = *is_within || item.is_shared();
            if visit(&item, is_shared)? {
                open.push((Box::new(self.below(&item)), is_shared));
            }
        }
        Ok(())
    }
}

/// How many nodes are visited that are shared, or in such ones: a short text may stand for any number of them. Of
/// others there are no more than the text has.
const SHARED: usize = 1 << 20;

impl AsdfFile {
    /// Visits the nodes of the tree in the order of the text, each before what is in it. `visit` says whether to
    /// go on into a node. References are not followed, and of equal keys the last one counts. What stands in
    /// itself is not gone into again ([`Item::within_itself`]).
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
    /// If `visit` fails; [`Error::Limit`] if shared nodes come to more than a million; as
    /// [`Self::tree`].
    pub fn walk(&self, visit: &mut dyn FnMut(&Item) -> Result<bool>) -> Result<()> {
        self.root()?.walk(References::Kept, visit)
    }
}

impl Item {
    /// The target as [`Self::resolve`] finds it; the reference itself if it has no target.
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
    /// file.root()?.walk(References::Followed, &mut |item| -> asdf_bridge::asdf::Result<bool> {
    ///     paths.push(item.path().to_owned());
    ///     Ok(true)
    /// })?;
    /// assert_eq!(paths, ["/", "/a", "/a/x", "/b", "/b/x"]);
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`AsdfFile::walk`].
    pub fn walk<E: From<Error>>(
        &self,
        references: References,
        visit: &mut dyn FnMut(&Item) -> Result<bool, E>,
    ) -> Result<(), E> {
        let mut count = 0;
        references.each(self, &mut |item, is_shared| {
            count += usize::from(is_shared);
            if count > SHARED {
                let limit = SHARED.to_string().into();
                return Err(Error::Limit { what: "nodes of the tree".into(), limit }.into());
            }
            Ok(visit(item)? && item.within_itself().is_none())
        })
    }

    /// As [`Self::walk`], but what is in a shared mapping or sequence is visited once, however often that stands in
    /// the tree, or references lead to it: elsewhere `visit` is given the path under which that was.
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
    /// If `visit` fails.
    pub fn walk_once(
        &self,
        references: References,
        visit: &mut dyn FnMut(&Item, Option<&str>) -> Result<bool>,
    ) -> Result<()> {
        let mut known = HashMap::new();
        references.each(self, &mut |item, _| {
            let before = known.get(&item.id()).map(String::as_str);
            let goes_on = visit(item, before)? && before.is_none();
            if goes_on && item.is_shared() {
                known.insert(item.id(), item.path().to_owned());
            }
            Ok(goes_on)
        })
    }
}

impl Item {
    /// Whether it may stand at several places: an alias or a merged mapping, or a reference leads to it.
    pub(super) fn is_shared(&self) -> bool {
        self.is_referred() || self.node().tree().shared().contains(&self.node().id())
    }
}

impl References {
    /// What is in an item, unless that is a reference that leads nowhere, each made when it is requested. Of two equal
    /// keys the last one counts, as for the code that asks for one.
    pub(super) fn below(self, item: &Item) -> impl DoubleEndedIterator<Item = Item> + use<> {
        let nowhere = self == References::Followed && item.reference().is_some();
        let (item, count) = (item.clone(), if nowhere { 0 } else { item.node().len() });
        (0..count).filter_map(move |at| {
            let node = item.node();
            let counts = node.nth_entry(at).is_none_or(|(key, value)| node.counts(key, value));
            if counts { item.nth(at) } else { None }
        })
    }
}
