//! The nodes of trees as the model has them.

use std::sync::OnceLock;

use dudley::elements::Sink;
use dudley::model::{Children, Compared, Entry, Extent, Fact, Kind, Node, NodeId, Place};
use dudley::{Data, Value};

use super::array::Array;
use super::array::mask::Mask;
use super::error::{Error, Result};
use super::item::Item;
use super::tree::{NodeKind, Scalar};
use super::walk::References;

/// Characters of a value that people are shown.
const WIDTH: usize = 60;

/// A node of a tree, of which it is kept what is requested again and again.
struct TreeNode {
    item: Item,
    kind: Kind,
    array: OnceLock<Array>,
}

/// What a node of a tree is, or refers to.
pub(super) fn node(item: Item) -> Node {
    let item = item.followed();
    let kind = match item.node().kind() {
        _ if item.is_array() => Kind::Array,
        // A reference that leads nowhere has no value, which it says.
        _ if item.is_value() || item.reference().is_some() => Kind::Value,
        NodeKind::Mapping => Kind::Dict,
        NodeKind::Sequence => Kind::List,
        NodeKind::Scalar => Kind::Value,
    };
    Node::new(TreeNode { item, kind, array: OnceLock::new() })
}

/// The number of a quantity that has a type, as an array without dimensions.
pub(super) fn number(item: &Item) -> Node {
    Node::new(TreeNode { item: item.clone(), kind: Kind::Array, array: OnceLock::new() })
}

impl From<&Array> for Node {
    /// An array of a tree as a node of the model.
    fn from(array: &Array) -> Node {
        let known = OnceLock::from(array.clone());
        Node::new(TreeNode { item: array.into(), kind: Kind::Array, array: known })
    }
}

/// What is in a node, as a walk continues.
fn below(item: &Item) -> impl Iterator<Item = Item> + use<> {
    References::Followed.below(item)
}

impl TreeNode {
    /// The array that it is.
    fn array(&self) -> Result<&Array> {
        if let Some(array) = self.array.get() {
            return Ok(array);
        }
        self.nowhere()?;
        let number = if self.is_array() { self.item.typed()? } else { None };
        let array = number.map_or_else(|| self.item.array(), Ok)?;
        Ok(self.array.get_or_init(|| array))
    }

    /// Why it is a reference still: it leads nowhere.
    fn nowhere(&self) -> Result<()> {
        match self.item.reference() {
            Some(_) => self.item.clone().resolve().map(|_| ()),
            None => Ok(()),
        }
    }

    fn is_array(&self) -> bool {
        self.kind == Kind::Array
    }
}

impl Entry for TreeNode {
    fn kind(&self) -> Kind {
        self.kind
    }

    fn path(&self) -> String {
        self.item.path().to_owned()
    }

    fn typed_path(&self) -> String {
        self.item.typed_path()
    }

    fn id(&self) -> Option<NodeId> {
        let (file, number) = self.item.id().numbers();
        Some(NodeId { file, number })
    }

    fn is_shared(&self) -> bool {
        self.item.is_shared()
    }

    fn within_itself(&self) -> Option<String> {
        self.item.within_itself()
    }

    fn len(&self) -> dudley::Result<u64> {
        Ok(match self.kind {
            Kind::Dict | Kind::List => self.item.node().len() as u64,
            Kind::Array | Kind::Value => 0,
        })
    }

    fn child(&self, name: &str) -> dudley::Result<Option<Node>> {
        let is_named = |item: &Item| {
            let parts = dudley::read::path::parse(item.path()).unwrap_or_default();
            matches!(parts.last(), Some(dudley::read::path::Part::Name { text, .. }) if text == name)
        };
        let has_names = matches!(self.kind, Kind::Dict | Kind::List);
        Ok(below(&self.item).filter(|_| has_names).find(is_named).map(node))
    }

    fn children(&self) -> dudley::Result<Children> {
        Ok(match self.kind {
            Kind::Dict | Kind::List if self.item.within_itself().is_none() => {
                Box::new(below(&self.item).map(|item| Ok(node(item))))
            }
            _ => Box::new(std::iter::empty()),
        })
    }

    fn pieces(&self) -> Vec<Node> {
        if self.item.is_chunked() { below(&self.item).map(node).collect() } else { Vec::new() }
    }

    fn dtype_name(&self) -> dudley::Result<String> {
        if self.kind == Kind::Array {
            return Ok(self.array()?.dtype_name()?);
        }
        self.nowhere()?;
        let name = match self.item.node().scalar() {
            _ if matches!(self.item.value(), Ok(Value::Complex(..))) => "complex",
            Some(Scalar::Null) => "null",
            Some(Scalar::Bool(_)) => "bool",
            // One of any length is a mapping.
            None | Some(Scalar::Int(_) | Scalar::Huge(_)) => "int",
            Some(Scalar::Float(_)) => "float",
            Some(Scalar::Text(_)) => "text",
            Some(Scalar::Timestamp(_)) => "time",
            Some(Scalar::Binary(_)) => "bytes",
        };
        Ok(name.to_owned())
    }

    fn shape(&self) -> dudley::Result<Vec<u64>> {
        Ok(self.array()?.data_shape())
    }

    fn stored(&self) -> dudley::Result<Data> {
        if !self.is_array() {
            let kind = self.kind.as_str();
            return Err(dudley::Error::NotData { path: self.item.path().into(), kind });
        }
        Ok(self.array()?.data()?)
    }

    fn filled(&self, values: &[Value]) -> dudley::Result<Data> {
        Ok(self.array()?.filled(values)?)
    }

    fn is_masked(&self) -> dudley::Result<bool> {
        Ok(self.is_array() && self.array()?.missing()?.is_some_and(|missing| missing.any()))
    }

    fn has_mask(&self) -> dudley::Result<bool> {
        Ok(self.is_array() && self.array()?.mask()?.is_some())
    }

    fn has_holes(&self) -> dudley::Result<bool> {
        Ok(self.is_array() && self.array()?.has_holes()?)
    }

    fn unmasked(&self) -> dudley::Result<Vec<(String, Data)>> {
        let parts = self.array()?.unmasked()?;
        Ok(parts.into_iter().map(|part| (part.field, part.data)).collect())
    }

    fn compared(&self, other: &Node) -> dudley::Result<Option<Compared>> {
        let Some(other) = other.entry::<TreeNode>() else { return Ok(None) };
        let (one, other) = (self.array()?, other.array()?);
        let (Some(own), Some(others)) = (one.missing()?, other.missing()?) else { return Ok(None) };
        let Some(either) = own.with(&others) else { return Ok(None) };
        let masks = [one.booleans(&own)?, other.booleans(&others)?];
        Ok(Some(Compared { masks, data: [one.zeroed(&either)?, other.zeroed(&either)?] }))
    }

    fn extents(&self) -> dudley::Result<Vec<Extent>> {
        Ok(self.array()?.extents()?)
    }

    fn emit(&self, sink: &mut dyn Sink, exact: bool) -> dudley::Result<()> {
        Ok(self.item.emit(sink, exact)?)
    }

    fn emit_readable(
        &self,
        sink: &mut dyn Sink,
        exact: bool,
        failed: &mut dyn FnMut(&str, dudley::Error),
    ) -> dudley::Result<()> {
        Ok(self.item.emit_what_is(sink, exact, &mut |path, error| failed(path, error.into()))?)
    }

    fn unit(&self) -> Option<String> {
        self.item.unit()
    }

    fn doc(&self) -> Vec<String> {
        self.item.description().into_iter().collect()
    }

    fn place(&self) -> dudley::Result<Option<Place>> {
        let none = |address, stored| Place { address, stored, codec: None, decoded: None };
        if self.is_array() {
            let array = self.array()?;
            if array.outside().is_some() {
                return Ok(None);
            }
            let Some((address, stored)) = array.place()? else { return Ok(None) };
            let block = array.block()?;
            let encoded = block.and_then(|block| Some((block.compression()?, block.decoded)));
            let (codec, decoded) = encoded.unzip();
            return Ok(Some(Place { codec, decoded, ..none(address, stored) }));
        }
        let (node, span) = (self.item.node(), self.item.node().span());
        let is_here = self.kind == Kind::Value && self.item.file().uri().is_empty();
        Ok(is_here.then(|| none(node.address(), span.end - span.start)))
    }

    fn facts(&self, found: &mut Vec<Fact>) -> dudley::Result<()> {
        let node = self.item.node();
        if let Some(tag) = node.tag() {
            let is_shown = matches!(self.kind, Kind::Dict | Kind::List);
            let shown = node.short_tag().filter(|_| is_shown).map(str::to_owned);
            found.push(Fact { shown, ..Fact::new("tag", tag) });
        }
        match self.kind {
            Kind::Array => of_array(&self.item, self.array()?, found)?,
            Kind::Value => {
                self.nowhere()?;
                if !self.item.file().uri().is_empty() {
                    found.push(Fact::new("source", self.item.file().uri()));
                }
                let text = text(&self.item).unwrap_or_default();
                found.push(Fact::new("text", text.clone()).shown(short(&text)));
            }
            Kind::Dict | Kind::List => {}
        }
        Ok(())
    }
}

/// What only this format knows of an array.
fn of_array(item: &Item, array: &Array, facts: &mut Vec<Fact>) -> Result<()> {
    let block = match (array.outside(), array.block()) {
        (Some(uri), block) => {
            facts.push(Fact::new("source", &*uri).shown(uri));
            block.map(|_| ())
        }
        (None, Ok(Some(block))) => {
            let fact = Fact::new("block", block.index);
            facts.push(fact.shown(format!("block {}", block.index)));
            Ok(())
        }
        (None, Ok(None)) if item.is_chunked() => {
            let count = array.chunks().count();
            facts.push(Fact::new("chunks", count).shown(format!("chunks: {count}")));
            Ok(())
        }
        (None, Ok(None)) => {
            facts.push(Fact::new("inline", true).shown("in the tree"));
            Ok(())
        }
        (None, Err(error)) => Err(error),
    };
    let strides = if array.is_packed() { Ok(None) } else { array.strides().map(Some) };
    let strides = strides.map(|strides| {
        let Some(strides) = strides else { return };
        facts.push(Fact::new("strides", strides));
        facts.push(Fact::new("offset", array.offset()).shown("strided"));
    });
    let mask = array.mask().map(|mask| match mask {
        None => {}
        Some(Mask::Array(_)) => facts.push(Fact::new("masked", true).shown("masked by an array")),
        Some(_) => facts.push(Fact::new("masked", true).shown("masked")),
    });
    block.and(strides).and(mask)
}

/// The text of a value; of an integer of any length its digits.
fn text(item: &Item) -> Option<String> {
    match item.node().text() {
        Some(text) => Some(text.to_owned()),
        None => match item.value().ok()? {
            Value::Int(value) => Some(value.to_string()),
            Value::Text(digits) => Some(digits),
            _ => None,
        },
    }
}

/// A text as it stands in a line.
fn short(text: &str) -> String {
    let line = text.replace(['\n', '\r', '\t'], " ");
    if line.chars().count() > WIDTH {
        line.chars().take(WIDTH - 1).chain(['…']).collect()
    } else {
        line
    }
}

impl From<Error> for dudley::Error {
    fn from(error: Error) -> dudley::Error {
        match error {
            Error::Engine(error) => error,
            Error::NoSuchNode { path, why } => dudley::Error::NoSuchItem { path, why },
            error => dudley::Error::Foreign(Box::new(error)),
        }
    }
}
