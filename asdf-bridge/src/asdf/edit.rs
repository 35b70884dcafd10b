//! A tree that is changed over its text: what is not touched stays byte for byte.
//!
//! Each change replaces as few bytes as it takes. The new text is then parsed and compared with what the
//! change means; if it is anything else, the change is refused and the old text stays.

mod anchors;
mod compare;
mod slots;
mod splice;
mod value_text;

use dudley::read::path::{Part, parse as parse_path};

use super::error::{Error, Result};
use super::tree::{Node, NodeId, NodeKind, Style, Tree, parse};
use super::write::flatten::{Flat, ToNode};
use super::write::standard::{Standard, Target};
use super::write::yaml::Yaml;
use super::write::yaml::array::NewArray;
use anchors::moved;
use compare::{Change, is_changed};
use slots::{Slot, find, slots};
use splice::{Site, Splice, column, spliced};
use value_text::Spelt;

/// A tree that is changed over its text.
///
/// Paths are those of [`AsdfFile::get`](super::AsdfFile::get), but references (`$ref`) are not followed. A
/// node that the text shares by an anchor is changed wherever it stands; one that is replaced is replaced
/// there alone, and the other places keep what they have.
///
/// ```
/// use asdf_bridge::asdf::{Edit, Yaml};
///
/// let mut edit = Edit::new("title: a run   # of mine\nsteps: [0x10, 1_000]\nunit: &u {name: m}\nother: *u\n")?;
/// edit.set("/title", "another run")?;
/// edit.push("/steps", 7)?;
/// edit.set("/when", Yaml::mapping([("day", 3), ("hour", 12)]))?;
/// edit.remove("/unit")?;
/// assert_eq!(
///     edit.text(),
///     "title: another run   # of mine\nsteps: [0x10, 1_000, 7]\nother: &u {name: m}\nwhen:\n  day: 3\n  hour: 12\n"
/// );
/// # Ok::<(), asdf_bridge::asdf::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Edit {
    tree: Tree,
    target: Target,
}

impl Edit {
    /// Begins with the text of a tree.
    ///
    /// # Errors
    /// [`Error::Tree`] if it is none.
    pub fn new(text: &str) -> Result<Edit> {
        Ok(Edit::of(Tree::parse(text)?, Target::Asdf(Standard::default())))
    }

    /// Begins with a tree, whose tags are those of `target`.
    pub(super) fn of(tree: Tree, target: Target) -> Edit {
        Edit { tree, target }
    }

    /// The tree as it is by now.
    pub fn tree(&self) -> &Tree {
        &self.tree
    }

    /// The text as it is by now.
    pub fn text(&self) -> &str {
        self.tree.text()
    }

    /// Gives something a new value: a key of a mapping, which may be new and then stands behind the others,
    /// or an item of a sequence. Its tag and anchor are those of the value.
    ///
    /// # Errors
    /// [`Error::NoSuchNode`] if what it is to stand in is not there; [`Error::NotEditable`] if the text cannot be
    /// changed so; [`Error::Unwritable`] for a value that cannot be written.
    pub fn set<'a>(&mut self, path: &str, value: impl Into<Yaml<'a>>) -> Result<()> {
        let value = self.flat(&value.into(), &mut no_array)?;
        self.set_flat(path, value)
    }

    /// Adds something: a key of a mapping, which must be new, or an item of a sequence before the one of that
    /// number.
    ///
    /// # Errors
    /// As [`Self::set`]; [`Error::NotEditable`] for a key that is there.
    pub fn insert<'a>(&mut self, path: &str, value: impl Into<Yaml<'a>>) -> Result<()> {
        let value = self.flat(&value.into(), &mut no_array)?;
        self.insert_flat(path, value)
    }

    /// Adds an item behind those of a sequence.
    ///
    /// # Errors
    /// As [`Self::set`]; [`Error::NotEditable`] if it is no sequence.
    pub fn push<'a>(&mut self, path: &str, value: impl Into<Yaml<'a>>) -> Result<()> {
        let value = self.flat(&value.into(), &mut no_array)?;
        self.push_flat(path, value)
    }

    /// Takes something out, with the comment behind it in its line. What it shares with others stays there.
    ///
    /// # Errors
    /// [`Error::NoSuchNode`] if it is not there; [`Error::NotEditable`] if the text cannot be changed so.
    pub fn remove(&mut self, path: &str) -> Result<()> {
        let (spot, at) = self.there(path)?;
        let slot = &spot.slots[at];
        let mut splices = moved(self, &(slot.start..slot.end()))?;
        splices.extend(spot.site(&self.tree).remove(at));
        let change = Change::Remove(at);
        self.tree = self.changed(path, splices, spot.node, change)?;
        Ok(())
    }

    /// Gives a key of a mapping another name, in its place.
    ///
    /// # Errors
    /// As [`Self::remove`]; [`Error::NotEditable`] if there is a key of the new name.
    pub fn rename(&mut self, path: &str, name: &str) -> Result<()> {
        let (spot, at) = self.there(path)?;
        let Some((_, place)) = spot.slots[at].key else {
            return Err(refused(path, spot.node, "items of a sequence have no names"));
        };
        if spot.node.get(name).is_some() {
            return Err(refused(path, spot.node, "there is a key of that name"));
        }
        let range = place.start..place.end;
        let mut splices = moved(self, &range)?;
        splices.push((range, self.spelt(Yaml::key(name)).inline(2)?));
        self.tree = self.changed(path, splices, spot.node, Change::Rename(at, name))?;
        Ok(())
    }

    /// A value as it will stand in the text; `to_node` says what arrays become.
    pub(super) fn flat<'a>(
        &self,
        value: &Yaml<'a>,
        to_node: &mut ToNode<'_, 'a>,
    ) -> Result<Yaml<'static>> {
        let taken = self.tree.nodes().filter_map(Node::anchor);
        Flat::new(self.target, taken.map(Box::from)).flatten(value, to_node)
    }

    pub(super) fn set_flat(&mut self, path: &str, value: Yaml<'static>) -> Result<()> {
        let (spot, name) = self.spot(path)?;
        let Some(at) = spot.at else {
            self.tree = match spot.node.kind() {
                NodeKind::Mapping => self.put(path, &spot, spot.slots.len(), Some(&name), value)?,
                _ => return Err(nothing(path, &name)),
            };
            return Ok(());
        };
        self.tree = self.replaced(path, &spot, at, value)?;
        Ok(())
    }

    pub(super) fn insert_flat(&mut self, path: &str, value: Yaml<'static>) -> Result<()> {
        let (spot, name) = self.spot(path)?;
        let end = spot.slots.len();
        self.tree = match (spot.node.kind(), spot.at) {
            (NodeKind::Mapping, None) => self.put(path, &spot, end, Some(&name), value)?,
            (NodeKind::Mapping, Some(_)) => {
                return Err(refused(path, spot.node, "the key is there"));
            }
            (_, Some(at)) => self.put(path, &spot, at, None, value)?,
            (_, None) if name.parse() == Ok(end) => self.put(path, &spot, end, None, value)?,
            _ => return Err(nothing(path, &name)),
        };
        Ok(())
    }

    pub(super) fn push_flat(&mut self, path: &str, value: Yaml<'static>) -> Result<()> {
        let spot = self.walk(path, &parts(path)?)?;
        if spot.node.kind() != NodeKind::Sequence {
            return Err(refused(path, spot.node, "it is no sequence"));
        }
        self.tree = self.put(path, &spot, spot.slots.len(), None, value)?;
        Ok(())
    }

    /// The tree with another value of a key of a mapping of it, which must be there.
    pub(super) fn set_entry(
        &mut self,
        mapping: NodeId,
        key: &str,
        value: Yaml<'static>,
    ) -> Result<()> {
        let node = self.tree.node(mapping);
        let spot = Spot { lines: false, ..Spot::of(node, None) };
        let at = find(node, &spot.slots, key);
        let at = at.ok_or_else(|| nothing(key, key))?;
        self.tree = self.replaced(key, &spot, at, value)?;
        Ok(())
    }

    fn replaced(
        &self,
        path: &str,
        spot: &Spot<'_>,
        at: usize,
        value: Yaml<'static>,
    ) -> Result<Tree> {
        let spelt = self.spelt(value);
        let fragment = spelt.tree()?;
        let place = spot.slots[at].value;
        let aside = moved(self, &(place.start..place.end))?;
        spot.site(&self.tree).tried(|site| {
            let mut splices = aside.clone();
            splices.extend(site.replace(at, &spelt)?);
            self.changed(path, splices, spot.node, Change::Replace(at, fragment.root()))
        })
    }

    /// The tree with a new entry before that of number `at`.
    fn put(
        &self,
        path: &str,
        spot: &Spot<'_>,
        at: usize,
        name: Option<&str>,
        value: Yaml<'static>,
    ) -> Result<Tree> {
        let spelt = self.spelt(value);
        let fragment = spelt.tree()?;
        let change = Change::Insert(at, name, fragment.root());
        spot.site(&self.tree).tried(|site| {
            let splices = site.insert(at, name, &spelt)?;
            self.changed(path, splices, spot.node, change)
        })
    }

    fn spelt(&self, value: Yaml<'static>) -> Spelt<'_> {
        Spelt::new(value, self.text())
    }

    /// The tree of the new text, if that is the old one except for the change.
    fn changed(
        &self,
        path: &str,
        splices: Vec<Splice>,
        node: Node<'_>,
        change: Change<'_>,
    ) -> Result<Tree> {
        let text = spliced(self.text(), splices);
        let new = parse(&text, self.tree.address(), 1)
            .map_err(|error| refused(path, node, &error.to_string()))?;
        if is_changed(self.tree.root(), new.root(), node.id(), change) {
            Ok(new)
        } else {
            Err(refused(path, node, "another text would mean more than the change"))
        }
    }

    /// Where something is that must be there.
    fn there(&self, path: &str) -> Result<(Spot<'_>, usize)> {
        let (spot, name) = self.spot(path)?;
        let at = spot.at.ok_or_else(|| nothing(path, &name))?;
        Ok((spot, at))
    }

    /// What a path stands in, and its last name.
    fn spot(&self, path: &str) -> Result<(Spot<'_>, String)> {
        let mut parts = parts(path)?;
        let Some((name, quoted)) = parts.pop() else {
            return Err(refused(path, self.tree.root(), "all of the tree"));
        };
        let mut spot = self.walk(path, &parts)?;
        spot.at = spot.find(&name, quoted);
        match spot.node.kind() {
            NodeKind::Scalar => Err(nothing(path, &name)),
            _ => Ok((spot, name)),
        }
    }

    /// The collection that a path leads to.
    fn walk(&self, path: &str, parts: &[(String, bool)]) -> Result<Spot<'_>> {
        let mut spot = Spot::of(self.tree.root(), None);
        for (name, quoted) in parts {
            spot = match spot.find(name, *quoted) {
                Some(at) => spot.below(at, self.text()),
                // It may be one that `<<` merges.
                None => match spot.node.get(name) {
                    Some(node) => Spot { lines: false, ..Spot::of(node, None) },
                    None => return Err(nothing(path, name)),
                },
            };
        }
        Ok(spot)
    }
}

/// The names of a path, and whether each is quoted.
fn parts(path: &str) -> Result<Vec<(String, bool)>> {
    let names = parse_path(path)?.into_iter().map(|part| match part {
        Part::Name { text, quoted } => Ok((text.to_string(), quoted)),
        _ => {
            let why = "slices and fields are of arrays only";
            Err(Error::NoSuchNode { path: path.into(), why: why.into() })
        }
    });
    names.collect()
}

/// A collection in the text, and perhaps which entry of it is meant.
struct Spot<'t> {
    node: Node<'t>,
    slots: Vec<Slot<'t>>,
    at: Option<usize>,
    mark: Option<usize>,
    outer: Option<usize>,
    lines: bool,
}

impl<'t> Spot<'t> {
    /// A collection, and where it stands if that is known.
    fn of(node: Node<'t>, place: Option<usize>) -> Spot<'t> {
        let mark = Some(node.properties_end()).filter(|end| *end > 0);
        Spot { node, slots: slots(node, place), at: None, mark, outer: None, lines: true }
    }

    /// What an entry has for its value.
    fn below(&self, at: usize, text: &str) -> Spot<'t> {
        let slot = &self.slots[at];
        // What an alias stands for is written elsewhere.
        if slot.node.tree().alias_at(slot.value.start) == Some(slot.value.end) {
            return Spot { lines: false, ..Spot::of(slot.node, None) };
        }
        let inner = Spot::of(slot.node, Some(slot.value.start));
        let lines = self.lines && self.node.style() != Style::Flow;
        let mark = inner.mark.max(slot.mark);
        Spot { mark, outer: Some(column(text, slot.start)), lines, ..inner }
    }

    fn find(&self, name: &str, quoted: bool) -> Option<usize> {
        match self.node.kind() {
            NodeKind::Mapping => find(self.node, &self.slots, name),
            _ if quoted => None,
            _ => name.parse().ok().filter(|at| *at < self.slots.len()),
        }
    }

    fn site<'s>(&'s self, tree: &'s Tree) -> Site<'s> {
        Site {
            text: tree.text(),
            node: self.node,
            slots: &self.slots,
            mark: self.mark,
            outer: self.outer,
            lines: self.lines,
        }
    }
}

/// Arrays are in blocks, of which a text has none.
fn no_array(_: &NewArray<'_>, path: &str) -> Result<Yaml<'static>> {
    Err(Error::Unwritable {
        what: path.into(),
        expected: "a value that is text".into(),
        found: "an array".into(),
    })
}

fn nothing(path: &str, name: &str) -> Error {
    Error::NoSuchNode { path: path.into(), why: format!("there is no `{name}`").into() }
}

fn refused(path: &str, node: Node<'_>, why: &str) -> Error {
    Error::NotEditable { path: path.into(), address: node.address(), why: why.into() }
}
