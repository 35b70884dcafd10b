//! The tree of a file: mappings, sequences and scalars, as they stand in the text.
//!
//! Nodes that the text names by an anchor are shared, not copied, so a tree is never larger than its
//! text. The order of keys is kept, and each node knows where it stands, how it is written, and its
//! tag. What a tag means is no matter of the tree: see [`super::ndarray`] for arrays.

pub(crate) mod breaks;
mod key;
mod lazy;
mod parse;
mod scalar;

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::OnceLock;

pub(crate) use key::Key;
pub(super) use lazy::LazyTree;
pub use scalar::Scalar;
pub(crate) use scalar::{is_date, plain};

use super::error::{Error, Result};
pub(crate) use parse::parse;

/// The tree of a file.
///
/// ```
/// use asdf_bridge::asdf::{NodeKind, Tree};
///
/// let tree = Tree::parse("a: &x [1, 0x10]\nb: *x\n")?;
/// let b = tree.root().get("b").expect("a key");
/// assert_eq!((b.kind(), b.len()), (NodeKind::Sequence, 2));
/// assert_eq!(b.at(1).and_then(|node| node.as_i64()), Some(16));
/// assert!(b.is_same(tree.root().get("a").expect("a key")));
/// # Ok::<(), asdf_bridge::asdf::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Tree {
    /// The text that the nodes stand in.
    text: String,
    /// The address of the text in the file.
    base: u64,
    nodes: Vec<Entry>,
    tags: Vec<String>,
    root: NodeId,
    /// Of mappings with many keys: the entries in the order of the texts of their keys.
    sorted: HashMap<NodeId, Vec<u32>>,
    /// Where aliases stand in the text, in its order, and what they stand for.
    aliases: Vec<(Range<u32>, NodeId)>,
    /// Of mappings with a key `<<`: the entries as they are written.
    written: HashMap<NodeId, Vec<(NodeId, NodeId)>>,
    /// The mappings and sequences that stand in themselves.
    rounds: HashSet<NodeId>,
    /// The mappings and sequences that stand at several places, once somebody asked for them.
    shared: OnceLock<HashSet<NodeId>>,
    /// The URI by which another file named that of the tree; empty for one that was opened itself.
    uri: String,
}

/// Mappings with more keys are sorted, so that a key is found without looking at all.
const MANY: usize = 32;

/// Which node of a tree: an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(u32);

impl NodeId {
    /// The number of the node in its tree.
    pub(super) fn number(self) -> usize {
        self.0 as usize
    }

    /// That of no node.
    pub(super) const NONE: NodeId = NodeId(u32::MAX);
}

#[derive(Clone, Debug)]
struct Entry {
    content: Content,
    /// In the text, without tag and anchor.
    span: Range<u32>,
    /// An index of the tags, from 1; 0 for none.
    tag: u32,
    tag_span: Range<u32>,
    /// The name of its anchor, in the text; empty if it has none.
    anchor: Range<u32>,
}

#[derive(Clone, Debug)]
enum Content {
    /// As it stands in the text.
    Plain,
    Scalar(Box<str>, Style),
    Sequence(Vec<NodeId>, Style),
    Mapping(Vec<(NodeId, NodeId)>, Style),
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A single value.
    Scalar,
    /// Nodes in an order.
    Sequence,
    /// Nodes by keys.
    Mapping,
}

/// How a node is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    /// A scalar without quotes.
    Plain,
    /// `'…'`.
    SingleQuoted,
    /// `"…"`.
    DoubleQuoted,
    /// `|` and lines as they are.
    Literal,
    /// `>` and lines that are joined.
    Folded,
    /// A collection by indentation.
    Block,
    /// A collection in brackets or braces.
    Flow,
}

impl Tree {
    /// Reads a YAML document.
    ///
    /// # Errors
    /// [`Error::Tree`] with the place of what cannot be read.
    pub fn parse(text: &str) -> Result<Tree> {
        parse(text, 0, 1)
    }

    /// The node at the top.
    pub fn root(&self) -> Node<'_> {
        self.node(self.root)
    }

    /// A node of this tree.
    ///
    /// # Panics
    /// If it is one of another tree.
    pub fn node(&self, id: NodeId) -> Node<'_> {
        assert!((id.0 as usize) < self.nodes.len(), "a node of another tree");
        Node { tree: self, id }
    }

    /// How many nodes there are; shared ones count once.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no nodes: never.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The text of the tree.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Where the text stands in the file.
    pub fn address(&self) -> u64 {
        self.base
    }

    /// Sorts the keys of mappings that have many.
    fn sort(&mut self) {
        let mut sorted = HashMap::new();
        for (at, entry) in self.nodes.iter().enumerate() {
            let Content::Mapping(entries, _) = &entry.content else { continue };
            if entries.len() <= MANY {
                continue;
            }
            let key = |at: u32| self.node(entries[at as usize].0);
            // Keys that are no scalars have no text to be found by.
            let mut order: Vec<u32> =
                (0..entries.len() as u32).filter(|at| key(*at).text().is_some()).collect();
            // What a key means is found out only where another one is written as it is.
            order.sort_by(|a, b| {
                let (a, b) = (key(*a), key(*b));
                a.text().cmp(&b.text()).then_with(|| a.as_key().cmp(&b.as_key()))
            });
            sorted.insert(NodeId(at as u32), order);
        }
        self.sorted = sorted;
    }

    /// All nodes, shared ones once.
    pub(super) fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        (0..self.nodes.len() as u32).map(|id| Node { tree: self, id: NodeId(id) })
    }

    /// The mappings and sequences that stand at several places, by aliases or merged mappings.
    ///
    /// ```
    /// let tree = asdf_bridge::asdf::Tree::parse("{a: &x [1], b: *x, c: [1], d: &y 1, e: *y}")?;
    /// let a = tree.root().get("a").expect("a key");
    /// assert!(tree.shared().iter().eq([&a.id()]));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn shared(&self) -> &HashSet<NodeId> {
        self.shared.get_or_init(|| self.met_again())
    }

    fn met_again(&self) -> HashSet<NodeId> {
        let mut met = vec![false; self.nodes.len()];
        met[self.root.0 as usize] = true;
        let mut shared = HashSet::new();
        for node in self.nodes() {
            for inner in node.items().chain(node.entries().map(|(_, value)| value)) {
                let before = std::mem::replace(&mut met[inner.id.0 as usize], true);
                if before && inner.kind() != NodeKind::Scalar {
                    shared.insert(inner.id);
                }
            }
        }
        shared
    }

    /// Whether a mapping or sequence has an alias of itself in it. Who goes round comes to such a one.
    pub(super) fn is_round(&self, id: NodeId) -> bool {
        self.rounds.contains(&id)
    }

    /// Where aliases stand in the text, in its order, and what they stand for.
    pub(super) fn aliases(&self) -> impl Iterator<Item = (Range<usize>, Node<'_>)> {
        let range = |range: &Range<u32>| range.start as usize..range.end as usize;
        self.aliases.iter().map(move |(at, id)| (range(at), Node { tree: self, id: *id }))
    }

    /// Where the alias ends that begins at a place of the text, if one does.
    pub(super) fn alias_at(&self, at: usize) -> Option<usize> {
        let start = |(alias, _): &(Range<u32>, NodeId)| alias.start as usize;
        let found = self.aliases.binary_search_by_key(&at, start).ok()?;
        Some(self.aliases[found].0.end as usize)
    }

    fn slice(&self, range: &Range<u32>) -> &str {
        self.text.get(range.start as usize..range.end as usize).unwrap_or_default()
    }
}

/// A node of a tree.
#[derive(Clone, Copy, Debug)]
pub struct Node<'t> {
    tree: &'t Tree,
    id: NodeId,
}

impl<'t> Node<'t> {
    fn entry(self) -> &'t Entry {
        &self.tree.nodes[self.id.0 as usize]
    }

    /// Which node it is.
    pub fn id(self) -> NodeId {
        self.id
    }

    /// The tree it is a node of.
    pub fn tree(self) -> &'t Tree {
        self.tree
    }

    /// Whether both are one node, as an anchor and its aliases are.
    pub fn is_same(self, other: Node<'_>) -> bool {
        std::ptr::eq(self.tree, other.tree) && self.id == other.id
    }

    /// Its kind.
    pub fn kind(self) -> NodeKind {
        match self.entry().content {
            Content::Plain | Content::Scalar(..) => NodeKind::Scalar,
            Content::Sequence(..) => NodeKind::Sequence,
            Content::Mapping(..) => NodeKind::Mapping,
        }
    }

    /// How it is written.
    pub fn style(self) -> Style {
        match self.entry().content {
            Content::Plain => Style::Plain,
            Content::Scalar(_, style)
            | Content::Sequence(_, style)
            | Content::Mapping(_, style) => style,
        }
    }

    /// Its tag in full, handles replaced: `tag:stsci.edu:asdf/core/ndarray-1.1.0`. `None` if it has none.
    pub fn tag(self) -> Option<&'t str> {
        let index = (self.entry().tag as usize).checked_sub(1)?;
        self.tree.tags.get(index).map(String::as_str)
    }

    /// Its tag as it is written: `!core/ndarray-1.1.0`.
    pub fn tag_as_written(self) -> Option<&'t str> {
        self.tag().map(|_| self.tree.slice(&self.entry().tag_span))
    }

    /// The name by which other places of the text share it, without `&`.
    pub fn anchor(self) -> Option<&'t str> {
        let name = self.tree.slice(&self.entry().anchor);
        if name.is_empty() { None } else { Some(name) }
    }

    /// Where it stands in the file, in bytes, without tag and anchor.
    pub fn span(self) -> Range<u64> {
        let span = &self.entry().span;
        self.tree.base + u64::from(span.start)..self.tree.base + u64::from(span.end)
    }

    /// Its first address in the file.
    pub fn address(self) -> u64 {
        self.span().start
    }

    /// The content of a scalar, quotes and escapes undone.
    pub fn text(self) -> Option<&'t str> {
        match &self.entry().content {
            Content::Plain => Some(self.tree.slice(&self.entry().span)),
            Content::Scalar(text, _) => Some(text),
            _ => None,
        }
    }

    /// The value of a scalar; `None` for collections. A scalar with a tag of another origin than YAML is text.
    pub fn scalar(self) -> Option<Scalar<'t>> {
        Some(meaning(self.text()?, self.style() == Style::Plain, self.tag()))
    }

    /// The text of a scalar that is text.
    pub fn as_str(self) -> Option<&'t str> {
        match self.scalar()? {
            Scalar::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The value of an integer.
    pub fn as_i64(self) -> Option<i64> {
        match self.scalar()? {
            Scalar::Int(value) => i64::try_from(value).ok(),
            _ => None,
        }
    }

    /// The value of a number that is finite or not.
    pub fn as_f64(self) -> Option<f64> {
        match self.scalar()? {
            Scalar::Int(value) => Some(value as f64),
            Scalar::Float(value) => Some(value),
            _ => None,
        }
    }

    /// Whether it is null.
    pub fn is_null(self) -> bool {
        self.scalar() == Some(Scalar::Null)
    }

    /// How many nodes a sequence has, or keys a mapping; 0 for scalars.
    pub fn len(self) -> usize {
        match &self.entry().content {
            Content::Sequence(items, _) => items.len(),
            Content::Mapping(entries, _) => entries.len(),
            _ => 0,
        }
    }

    /// Whether there is nothing in it.
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// The nodes of a sequence; none of anything else.
    pub fn items(self) -> impl ExactSizeIterator<Item = Node<'t>> {
        let items = match &self.entry().content {
            Content::Sequence(items, _) => items.as_slice(),
            _ => &[],
        };
        items.iter().map(move |id| Node { tree: self.tree, id: *id })
    }

    /// The keys and values of a mapping, in the order of the text; of a merged mapping (`<<`) first what
    /// it does not have itself. None of anything else.
    pub fn entries(self) -> impl ExactSizeIterator<Item = (Node<'t>, Node<'t>)> {
        let entries = match &self.entry().content {
            Content::Mapping(entries, _) => entries.as_slice(),
            _ => &[],
        };
        let node = move |id| Node { tree: self.tree, id };
        entries.iter().map(move |(key, value)| (node(*key), node(*value)))
    }

    /// The keys and values of a mapping as they are written: with `<<`, and without what that merges.
    pub(super) fn written_entries(self) -> Vec<(Node<'t>, Node<'t>)> {
        let Some(written) = self.tree.written.get(&self.id) else {
            return self.entries().collect();
        };
        let node = |id: &NodeId| Node { tree: self.tree, id: *id };
        written.iter().map(|(key, value)| (node(key), node(value))).collect()
    }

    /// Where it stands in the text of the tree, without tag and anchor; of a block scalar, its lines.
    pub(super) fn range(self) -> Range<usize> {
        let span = &self.entry().span;
        span.start as usize..span.end as usize
    }

    /// The end of its tag and anchor in the text of the tree; 0 if it has neither.
    pub(super) fn properties_end(self) -> usize {
        let entry = self.entry();
        entry.tag_span.end.max(entry.anchor.end) as usize
    }

    /// A node of a sequence.
    pub fn at(self, index: usize) -> Option<Node<'t>> {
        match &self.entry().content {
            Content::Sequence(items, _) => {
                items.get(index).map(|id| Node { tree: self.tree, id: *id })
            }
            _ => None,
        }
    }

    /// A key and its value, of a mapping.
    pub(super) fn nth_entry(self, index: usize) -> Option<(Node<'t>, Node<'t>)> {
        let node = |id| Node { tree: self.tree, id };
        match &self.entry().content {
            Content::Mapping(entries, _) => {
                entries.get(index).map(|(key, value)| (node(*key), node(*value)))
            }
            _ => None,
        }
    }

    /// Its kind, for messages.
    pub fn describe(self) -> String {
        match self.kind() {
            NodeKind::Sequence => format!("a sequence of {}", self.len()),
            NodeKind::Mapping => format!("a mapping of {} keys", self.len()),
            NodeKind::Scalar => {
                let text = self.text().unwrap_or_default();
                let kind = self.scalar().map_or("a scalar", |scalar| scalar.kind());
                let shown: String = text.chars().take(40).collect();
                let more = if shown.len() < text.len() { "…" } else { "" };
                format!("{kind} `{shown}{more}`")
            }
        }
    }

    /// The URI that it is a reference to, if it is one (`$ref`).
    pub(super) fn reference(self) -> Option<&'t str> {
        self.get("$ref").and_then(Node::text)
    }

    /// That it is something else than it should be.
    pub(crate) fn error(self, path: &str, expected: impl Into<Box<str>>) -> Error {
        self.error_with(path, expected, self.describe())
    }

    /// As [`Self::error`], with what was found.
    pub(crate) fn error_with(
        self,
        path: &str,
        expected: impl Into<Box<str>>,
        found: impl Into<Box<str>>,
    ) -> Error {
        let (path, address) = (path.into(), self.address());
        let (expected, found) = (expected.into(), found.into());
        Error::Node { path, address, expected, found }.in_file(&self.tree.uri)
    }
}

/// What a scalar of this text means that has no quotes (`plain`), or has them, and a tag if it has one.
pub(crate) fn meaning<'t>(text: &'t str, plain: bool, tag: Option<&str>) -> Scalar<'t> {
    match tag.map(|tag| tag.strip_prefix("tag:yaml.org,2002:")) {
        None if plain => scalar::plain(text),
        Some(Some(name)) => scalar_of(name, text),
        _ => Scalar::Text(text),
    }
}

/// A scalar with one of YAML's own tags. What does not fit its tag is text.
fn scalar_of<'t>(name: &str, text: &'t str) -> Scalar<'t> {
    let meant = match name {
        "null" => Some(Scalar::Null),
        "bool" => scalar::boolean(text).map(Scalar::Bool),
        "int" => scalar::integer(text),
        "float" => scalar::float(text).map(Scalar::Float).or_else(|| {
            let number: f64 = text.parse().ok()?;
            Some(Scalar::Float(number))
        }),
        "binary" => scalar::base64(text).map(Scalar::Binary),
        "timestamp" => Some(Scalar::Timestamp(text)),
        _ => None,
    };
    meant.unwrap_or(Scalar::Text(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Tree {
        Tree::parse(text).expect("a tree")
    }

    #[test]
    fn tags_are_resolved_and_kept() {
        let tree = tree(
            "%YAML 1.1\n%TAG ! tag:stsci.edu:asdf/\n--- !core/asdf-1.1.0\na: !<x:y> 5\nb: !!str 7\n",
        );
        let root = tree.root();
        assert_eq!(root.tag(), Some("tag:stsci.edu:asdf/core/asdf-1.1.0"));
        assert_eq!(root.tag_as_written(), Some("!core/asdf-1.1.0"));
        let a = root.get("a").expect("a");
        assert_eq!((a.tag(), a.scalar()), (Some("x:y"), Some(Scalar::Text("5"))));
        assert_eq!(root.get("b").and_then(Node::as_str), Some("7"));
    }

    #[test]
    fn spans_are_those_of_the_text() {
        let text = "a: [1, 2]\nlong: |\n  x\n  y\nb:\n  - 1.5\n  - 'it''s'\nc: x\n";
        let tree = parse(text, 100, 1).expect("a tree");
        let at = |node: Node<'_>| {
            let span = node.span();
            text[span.start as usize - 100..span.end as usize - 100].to_owned()
        };
        let root = tree.root();
        assert_eq!(at(root.get("a").expect("a")), "[1, 2]");
        let b = root.get("b").expect("b");
        assert_eq!(at(b), "- 1.5\n  - 'it''s'");
        assert_eq!(at(b.at(1).expect("1")), "'it''s'");
        assert_eq!(b.at(1).and_then(Node::text), Some("it's"));
        assert_eq!(at(root), text.trim_end());
        let long = root.get("long").expect("long");
        assert_eq!((long.text(), long.style()), (Some("x\ny\n"), Style::Literal));
    }

    #[test]
    fn quoted_texts_may_go_on_at_the_first_column() {
        let text = "a: \"x\n...foo bar\n\nbaz\"\nb:\n  c: 'y\nz'\n  d: [1, 2]\n";
        let tree = tree(text);
        let root = tree.root();
        assert_eq!(root.get("a").and_then(Node::as_str), Some("x ...foo bar\nbaz"));
        let b = root.get("b").expect("b");
        assert_eq!(b.get("c").and_then(Node::as_str), Some("y z"));
        let d = b.get("d").expect("d").span();
        assert_eq!(&text[d.start as usize..d.end as usize], "[1, 2]");
        assert_eq!(tree.text(), text);
    }

    #[test]
    fn the_last_of_equal_keys_counts_however_many_there_are() {
        for count in [3, 200] {
            let mut text = String::new();
            for at in 0..count {
                text += &format!("k{at}: {at}\n");
            }
            let tree = tree(&(text + "k1: 7\n? [x]\n: y\n"));
            let get = |key: &str| tree.root().get(key).and_then(Node::as_i64);
            assert_eq!(
                (get("k0"), get("k1"), get("k2"), get("k")),
                (Some(0), Some(7), Some(2), None)
            );
        }
    }

    #[test]
    fn aliases_share_and_never_copy() {
        let mut laughs = "a0: &a0 [x, x]\n".to_owned();
        for level in 1..60 {
            laughs += &format!("a{level}: &a{level} [*a{}, *a{}]\n", level - 1, level - 1);
        }
        let laughs = tree(&laughs);
        assert!(laughs.len() < 200);
        let last = laughs.root().get("a59").expect("a59");
        let (first, second) = (last.at(0).expect("0"), last.at(1).expect("1"));
        assert!(first.is_same(second));
        assert_eq!(first.anchor(), Some("a58"));
    }

    #[test]
    fn merged_keys_stand_behind_own_ones() {
        let tree =
            tree("a: &a {x: 1, y: 2}\nb: &b {y: 3, z: 4}\nc: {<<: [*a, *b], x: 9}\nd: {<<: *a}\n");
        let c = tree.root().get("c").expect("c");
        let keys = |node: Node<'_>| {
            let pairs = node.entries().map(|(key, value)| {
                (key.text().expect("text").to_owned(), value.as_i64().expect("an integer"))
            });
            pairs.collect::<Vec<_>>()
        };
        assert_eq!(keys(c), [("y".into(), 2), ("z".into(), 4), ("x".into(), 9)]);
        assert_eq!(keys(tree.root().get("d").expect("d")).len(), 2);
    }

    #[test]
    fn what_cannot_be_read_has_a_place() {
        let error = parse("a: 1\nb: [1, 2\nc: 3\n", 100, 4).expect_err("an error");
        assert!(matches!(&error, Error::Tree { line, .. } if *line >= 5), "{error}");
        for bad in [
            "a: *none",
            "[*a, &a b]",
            "&a {<<: *a}",
            "&a {b: {<<: [*a]}}",
            "a: b: c",
            "{",
            "'",
            "- 1\n- 2\n--- 3\n",
        ] {
            assert!(matches!(Tree::parse(bad), Err(Error::Tree { .. })), "{bad}");
        }
        let deep = "[".repeat(100_000);
        assert!(matches!(Tree::parse(&deep), Err(Error::Tree { .. })));
        let deep = "- ".repeat(100_000);
        assert!(matches!(Tree::parse(&deep), Err(Error::Tree { .. })));
    }

    #[test]
    fn collections_may_stand_in_themselves() {
        let tree = tree("&r\nd: &d {self: *d, x: 1}\nl: &l [1, *l]\nup: *r\nm: {d: *d}\n");
        let root = tree.root();
        let d = root.get("d").expect("a key");
        assert!(d.get("self").is_some_and(|inner| inner.is_same(d)));
        let l = root.get("l").expect("a key");
        assert!(l.at(1).and_then(|inner| inner.at(1)).is_some_and(|inner| inner.is_same(l)));
        assert!(root.get("up").is_some_and(|up| up.is_same(root)));
        let shared: HashSet<NodeId> = [root.id(), d.id(), l.id()].into();
        assert_eq!(tree.shared(), &shared);
        assert!(shared.iter().all(|id| tree.is_round(*id)));
    }

    #[test]
    fn merging_is_bounded() {
        let mut text = "m0: &m0 {k0: 0}\n".to_owned();
        for at in 1..3000 {
            text += &format!("m{at}: &m{at} {{<<: *m{}, k{at}: 0}}\n", at - 1);
        }
        assert!(matches!(Tree::parse(&text), Err(Error::Tree { .. })));
    }

    #[test]
    fn an_empty_text_is_null() {
        assert!(tree("").root().is_null());
        assert!(tree("---\n...\n").root().is_null());
        assert!(tree("%YAML 1.1\n%FOO bar\n--- {}\n...\n").root().is_empty());
    }
}
