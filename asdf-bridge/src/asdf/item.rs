//! Things of the tree by their paths: nodes, and the arrays and references that some of them are.

mod chunks;

use dudley::elements::Value;
use dudley::read::path::{Part, parse};
use dudley::read::select::{Picked, Selected};
use dudley_parser::layout::path::push_name;

use super::array::missing::Missing;
use super::array::{Array, Masked};
use super::error::{Error, Result};
use super::external::unescape;
use super::file::AsdfFile;
use super::ndarray::is_array;
use super::tree::{Node, NodeId, NodeKind};

/// How many references are followed one after the other.
const REFERENCES: usize = 64;

/// What takes slices and fields.
const SLICES: &str = "slices are of arrays and lists, fields of arrays";

/// A node of a file's tree, with its path. It may be one of another file that the tree refers to.
#[derive(Clone, Debug)]
pub struct Item {
    file: AsdfFile,
    id: NodeId,
    path: String,
    /// If a reference leads to it, or to what it is in.
    behind: Option<Behind>,
}

/// Where the path of an item begins that stands behind a reference, and where the item stands.
#[derive(Clone, Debug)]
struct Behind {
    /// The file whose tree the path of the item is of.
    asked: AsdfFile,
    /// The path of the item in its own file.
    path: String,
}

/// A node of a file that is open: of no other item the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ItemId(usize, NodeId);

impl ItemId {
    /// The number of the file, of those that are open, and that of the node in it.
    pub(super) fn numbers(self) -> (usize, usize) {
        (self.0, self.1.number())
    }
}

impl From<&Array> for Item {
    /// The node of an array, as that is called.
    fn from(array: &Array) -> Item {
        let (file, path) = (array.file().clone(), array.path().to_owned());
        Item { file, id: array.node_id(), path, behind: None }
    }
}

impl AsdfFile {
    /// The node at the top of the tree.
    ///
    /// # Errors
    /// As [`Self::tree`].
    pub fn root(&self) -> Result<Item> {
        let id = self.tree()?.root().id();
        Ok(Item { file: self.clone(), id, path: "/".to_owned(), behind: None })
    }

    /// A node by its path: `/run/rho`, `/list/0`, `/"my name"/x`. References (`$ref`) on the way and at
    /// its end are followed.
    ///
    /// # Errors
    /// [`Error::NoSuchNode`] with the first part that names nothing; as [`Self::tree`]; what following
    /// a reference says.
    pub fn get(&self, path: &str) -> Result<Item> {
        let (item, rest) = self.follow(path)?;
        match rest.is_empty() {
            true => Ok(item),
            false if item.is_array() => {
                Err(item.nothing(path, "a part of an array is no node of the tree"))
            }
            false => Err(item.nothing(path, SLICES)),
        }
    }

    /// An array by its path.
    ///
    /// # Errors
    /// As [`Self::get`]; [`Error::Node`] if it is no array, or none that can be read.
    pub fn array(&self, path: &str) -> Result<Array> {
        self.get(path)?.array()
    }

    /// The value at a path that may end in slices and fields of an array: `/rho[10:20, ::2]`,
    /// `/table.flux[0]`. Of an array with a mask, and of anything but an array, the value: null stands for
    /// masked elements. Slices of lists pick items, and what is behind them is stacked: `/list[2:]/x`.
    ///
    /// # Errors
    /// As [`Self::array`]; if slicing or [`Spread::stack`](super::Spread::stack) fails.
    pub fn select(&self, path: &str) -> Result<Selected> {
        self.selected(path, &Masked::Null)
    }

    /// As [`Self::select`], with masked elements as they are stored.
    ///
    /// # Errors
    /// As [`Self::select`].
    pub fn select_stored(&self, path: &str) -> Result<Selected> {
        self.selected(path, &Masked::Stored)
    }

    /// As [`Self::select`], with values in place of what is masked, as [`Array::filled`] puts them.
    ///
    /// # Errors
    /// As [`Self::select`] and [`Array::filled`].
    pub fn select_filled(&self, path: &str, values: &[Value]) -> Result<Selected> {
        self.selected(path, &Masked::Filled(values))
    }

    /// Which cells of what a path picks of an array have no value: see [`Array::missing`].
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray, NewMask, Open};
    ///
    /// let x = NewArray::from(vec![1_i8, 2, 3]).masked(NewMask::Int(3));
    /// let file = Open::new().bytes(Builder::new().put("x", x).to_bytes()?)?;
    /// assert!(file.missing("/x")?.expect("a mask").any());
    /// assert!(!file.missing("/x[:2]")?.expect("a mask").any());
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::select`] and [`Array::missing`]; [`Error::Node`] if it is no array.
    pub fn missing(&self, path: &str) -> Result<Option<Missing>> {
        let (item, rest) = self.follow(path)?;
        Ok(item.array()?.part(&rest)?.1)
    }

    fn selected(&self, path: &str, masked: &Masked<'_>) -> Result<Selected> {
        let spread = self.spread(path)?;
        let parts = spread.paths.iter().map(|path| self.picked(path, masked));
        spread.stack(parts.collect::<Result<_>>()?)
    }

    /// The result of a path without slices of lists.
    fn picked(&self, path: &str, masked: &Masked<'_>) -> Result<Picked> {
        let (item, rest) = self.follow(path)?;
        if let Some(array) = item.typed()? {
            return array.pick(&rest, masked);
        }
        Ok(match item.is_array() {
            true => {
                if rest.iter().any(|part| matches!(part, Part::Name { .. } | Part::Param(..))) {
                    return Err(item.nothing(path, "an array has nothing below it"));
                }
                item.array()?.pick(&rest, masked)?
            }
            false if !rest.is_empty() => {
                return Err(item.nothing(path, SLICES));
            }
            false if item.node().kind() == NodeKind::Scalar => {
                Picked::of_value(item.value()?, None)
            }
            false => {
                let kind = match item.node().kind() {
                    NodeKind::Mapping => "mapping",
                    _ => "sequence",
                };
                return Err(dudley::Error::NotData { path: item.path.into(), kind }.into());
            }
        })
    }

    /// The array that a path leads to which may end in slices and fields.
    pub(super) fn sliced(&self, path: &str) -> Result<Array> {
        self.follow(path)?.0.array()
    }

    /// A node by its path as it stands, references not followed.
    fn unfollowed(&self, path: &str) -> Option<Item> {
        let mut item = self.root().ok()?;
        for part in parse(if path.is_empty() { "/" } else { path }).ok()? {
            let Part::Name { text, quoted } = part else { return None };
            item = item.child(&text, quoted, path).ok()?;
        }
        Some(item)
    }

    /// Follows the names of a path; slices and fields are left.
    pub(super) fn follow(&self, path: &str) -> Result<(Item, Vec<Part>)> {
        let mut parts = parse(path)?.into_iter().peekable();
        let mut item = self.root()?.resolve()?;
        while let Some(part) = parts.next_if(|part| matches!(part, Part::Name { .. })) {
            let Part::Name { text, quoted } = part else { continue };
            item = item.child(&text, quoted, path)?.resolve()?;
        }
        Ok((item, parts.collect()))
    }
}

impl Item {
    /// Its path: that by which it was found, by way of all references.
    ///
    /// ```
    /// use asdf_bridge::asdf::Open;
    ///
    /// let file = Open::new().bytes(*b"#ASDF 1.0.0\n--- {a: {x: 1}, b: {$ref: '#/a'}}\n...\n")?;
    /// let x = file.get("/b/x")?;
    /// assert_eq!((x.path(), x.own_path()), ("/b/x", "/a/x"));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Its path in [the file it stands in](Self::file), where no reference is on the way.
    pub fn own_path(&self) -> &str {
        self.behind.as_ref().map_or(&self.path, |behind| &behind.path)
    }

    /// The file it stands in.
    pub fn file(&self) -> &AsdfFile {
        &self.file
    }

    /// The file whose tree [its path](Self::path) is of: that it stands in, or one that refers to it.
    pub fn asked(&self) -> &AsdfFile {
        self.behind.as_ref().map_or(&self.file, |behind| &behind.asked)
    }

    /// Whether a reference leads to it, or to what it is in.
    pub fn is_referred(&self) -> bool {
        self.behind.is_some()
    }

    /// Which node it is, by whatever path it was found.
    pub fn id(&self) -> ItemId {
        ItemId(self.file.id(), self.id)
    }

    /// The node.
    pub fn node(&self) -> Node<'_> {
        match self.file.tree() {
            Ok(tree) => tree.node(self.id),
            // Items are made of trees only.
            Err(error) => unreachable!("an item of a file without a tree: {error}"),
        }
    }

    /// Whether it is an array, which may be [in chunks](Self::is_chunked).
    pub fn is_array(&self) -> bool {
        is_array(self.node()) || self.is_chunked()
    }

    /// The array that it is.
    ///
    /// # Errors
    /// [`Error::Node`] if it is none, or none that can be read.
    pub fn array(&self) -> Result<Array> {
        match self.node() {
            _ if self.is_chunked() => Array::of_chunks(&self.file, self.node(), self.chunked()?),
            node if is_array(node) => Array::of(&self.file, node, &self.path),
            node => Err(node.error(&self.path, "an array")),
        }
    }

    /// The items of a sequence, or the values of a mapping. References among them are not followed.
    pub fn items(&self) -> Vec<Item> {
        (0..self.node().len()).filter_map(|at| self.nth(at)).collect()
    }

    /// The item of a sequence, or the value of a mapping, of a number.
    pub(super) fn nth(&self, at: usize) -> Option<Item> {
        let node = self.node();
        match node.nth_entry(at) {
            Some((key, value)) => Some(self.below(value.id(), &node.name_of(key), true)),
            None => Some(self.below(node.at(at)?.id(), &at.to_string(), false)),
        }
    }

    /// Its path with the types of all keys that are no text, as if each had its like beside it: `/m/"!!int 1"`. So paths
    /// of two files are distinguished that [`Self::path`] spells alike.
    ///
    /// ```
    /// use asdf_bridge::asdf::Open;
    ///
    /// let path = |key: &str| {
    ///     let file = Open::new().bytes(format!("#ASDF 1.0.0\n--- {{m: {{{key}: a}}}}\n...\n"))?;
    ///     Ok::<_, asdf_bridge::asdf::Error>(file.get("/m/\"1\"")?.typed_path())
    /// };
    /// assert_eq!(path("1")?, "/m/\"!!int 1\"");
    /// assert_eq!(path("'1'")?, "/m/\"1\"");
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn typed_path(&self) -> String {
        self.with_types().unwrap_or_else(|| self.path.clone())
    }

    fn with_types(&self) -> Option<String> {
        let mut item = self.asked().root().ok()?;
        let mut typed = String::from("/");
        for part in parse(&self.path).ok()? {
            let Part::Name { text, .. } = part else { return None };
            item = item.resolve().ok()?;
            let node = item.node();
            let id = match node.kind() {
                NodeKind::Mapping => {
                    let (key, value) = node.entry_named(&text)?;
                    typed = below(&typed, &node.typed_name_of(key), true);
                    value.id()
                }
                _ => {
                    typed = below(&typed, &text, false);
                    node.at(text.parse().ok()?)?.id()
                }
            };
            item = item.below(id, &text, false);
        }
        Some(typed)
    }

    /// The node that it stands in, by its path in the file of both; `None` for the one at the top.
    pub fn parent(&self) -> Option<Item> {
        match self.own_path() {
            "/" => None,
            path => self.file.unfollowed(dudley::read::path::split(path).0),
        }
    }

    /// Where above itself it stands too, if it is a mapping or list that an alias or a reference puts into itself: who
    /// continues below it comes to no end.
    ///
    /// ```
    /// let file = asdf_bridge::asdf::Open::new().bytes(*b"#ASDF 1.0.0\n--- {d: &d {x: 1, self: *d}}\n...\n")?;
    /// let inner = file.get("/d/self/self")?;
    /// assert_eq!(inner.within_itself().as_deref(), Some("/d"));
    /// assert_eq!(file.get("/d/self/self/x")?.node().as_i64(), Some(1));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn within_itself(&self) -> Option<String> {
        if self.behind.is_none() && !self.node().tree().is_round(self.id) {
            return None;
        }
        let mut above = self.asked().root().ok()?.resolve().ok()?;
        for part in parse(&self.path).ok()? {
            if above.id() == self.id() {
                return Some(above.path);
            }
            let Part::Name { text, quoted } = part else { return None };
            above = above.child(&text, quoted, &self.path).ok()?.resolve().ok()?;
        }
        None
    }

    /// The URI that it is a reference to, if it is one (`$ref`).
    pub fn reference(&self) -> Option<&str> {
        self.node().reference()
    }

    /// The target of a reference (`$ref`) under the path of the reference; else the item itself.
    ///
    /// # Errors
    /// [`Error::NoSuchNode`]; [`Error::External`] for another file that cannot be obtained;
    /// [`Error::EndlessReference`].
    pub fn resolve(self) -> Result<Item> {
        let mut left = REFERENCES;
        self.resolve_within(&mut left)
    }

    /// As [`Self::resolve`], with this many references at most.
    fn resolve_within(self, left: &mut usize) -> Result<Item> {
        let mut item = self;
        while let Some(uri) = item.reference().map(str::to_owned) {
            *left = left.checked_sub(1).ok_or_else(|| Error::EndlessReference {
                path: item.path.as_str().into(),
                limit: REFERENCES,
            })?;
            let found = item.referred(&uri, left)?;
            let (asked, path) = (item.asked().clone(), found.own_path().to_owned());
            let behind = Some(Behind { asked, path });
            item = Item { path: item.path, behind, ..found };
        }
        Ok(item)
    }

    /// What a URI with a JSON pointer (RFC 6901) refers to, under the path that it has there; its first `/` may be left
    /// out, as Python reads it. What is on the way may be references too.
    fn referred(&self, uri: &str, left: &mut usize) -> Result<Item> {
        let (file, pointer) = uri.split_once('#').unwrap_or((uri, ""));
        let file = match file {
            "" => self.file.clone(),
            other => self.file.other(other)?,
        };
        let pointer = unescape(pointer).unwrap_or_default();
        let mut item = file.root()?;
        let parts = (!pointer.is_empty()).then(|| pointer.strip_prefix('/').unwrap_or(&pointer));
        for part in parts.into_iter().flat_map(|parts| parts.split('/')) {
            let name = part.replace("~1", "/").replace("~0", "~");
            item = item.resolve_within(left)?;
            let quoted = item.node().kind() == NodeKind::Mapping;
            item = item.child(&name, quoted, uri)?;
        }
        Ok(item)
    }

    /// The value of a key that must be there.
    pub(super) fn child_of(&self, key: &str) -> Result<Item> {
        self.child(key, true, &self.path)?.resolve()
    }

    pub(super) fn child(&self, name: &str, quoted: bool, path: &str) -> Result<Item> {
        let node = self.node();
        let found = match node.kind() {
            NodeKind::Mapping => node.get(name),
            NodeKind::Sequence if !quoted => {
                name.parse::<usize>().ok().and_then(|index| node.at(index))
            }
            _ => None,
        };
        match found {
            Some(child) => Ok(self.below(child.id(), name, node.kind() == NodeKind::Mapping)),
            None => Err(self.nothing(path, &self.without(name))),
        }
    }

    /// That a name is not in it, and what was perhaps meant.
    fn without(&self, name: &str) -> String {
        let node = self.node();
        match node.kind() {
            NodeKind::Scalar => format!("`{}` is a scalar", self.path),
            NodeKind::Sequence => format!("`{}` has {} items", self.path, node.len()),
            NodeKind::Mapping => {
                let mut why = format!("`{}` has no key `{name}`", self.path);
                let keys: Vec<_> = node.entries().map(|(key, _)| node.name_of(key)).collect();
                let keys = keys.iter().map(|key| &**key);
                if let Some(similar) = dudley_parser::similar::similar(name, keys) {
                    why += &format!("; did you mean `{similar}`?");
                }
                why
            }
        }
    }

    fn nothing(&self, path: &str, why: &str) -> Error {
        Error::NoSuchNode { path: path.into(), why: why.into() }
    }

    /// Something in it.
    fn below(&self, id: NodeId, name: &str, key: bool) -> Item {
        let behind = self.behind.as_ref().map(|behind| Behind {
            asked: behind.asked.clone(),
            path: below(&behind.path, name, key),
        });
        Item { file: self.file.clone(), id, path: below(&self.path, name, key), behind }
    }
}

/// The path of something below another path: the value of a key, or an item by its number.
pub(super) fn below(path: &str, name: &str, key: bool) -> String {
    let mut path = path.trim_end_matches('/').to_owned();
    path.push('/');
    if key {
        push_name(&mut path, name);
    } else {
        path += name;
    }
    path
}
