//! The nodes of trees as the model has them.

use dudley::elements::Sink;
use dudley::model::{Compared, Entry, Extent, Fact, Kind, Node, NodeId, Place};
use dudley::{Data, Value};

use super::array::Array;
use super::array::mask::Mask;
use super::error::{Error, Result};
use super::item::Item;
use super::tree::{NodeKind, Scalar};
use super::walk::References;

/// Characters of a value that people are shown.
const WIDTH: usize = 60;

/// What a node of a tree is, or refers to.
pub(super) fn node(item: Item) -> Node {
    Node::new(item.followed())
}

/// What is in a node, as a walk goes on.
fn below(item: &Item) -> impl DoubleEndedIterator<Item = Item> {
    References::Followed.below(item)
}

/// Why something is a reference still: it leads nowhere.
fn nowhere(item: &Item) -> Result<()> {
    match item.reference() {
        Some(_) => item.clone().resolve().map(|_| ()),
        None => Ok(()),
    }
}

/// The array that something is.
fn array(item: &Item) -> Result<Array> {
    nowhere(item)?;
    item.array()
}

impl Entry for Item {
    fn kind(&self) -> Kind {
        match self.node().kind() {
            _ if self.is_array() => Kind::Array,
            // A reference that leads nowhere has no value, which it says.
            _ if self.is_value() || self.reference().is_some() => Kind::Value,
            NodeKind::Mapping => Kind::Dict,
            NodeKind::Sequence => Kind::List,
            NodeKind::Scalar => Kind::Value,
        }
    }

    fn path(&self) -> String {
        Item::path(self).to_owned()
    }

    fn typed_path(&self) -> String {
        Item::typed_path(self)
    }

    fn id(&self) -> Option<NodeId> {
        let (file, number) = Item::id(self).numbers();
        Some(NodeId { file, number })
    }

    fn is_shared(&self) -> bool {
        self.is_referred() || self.node().tree().shared().contains(&self.node().id())
    }

    fn within_itself(&self) -> Option<String> {
        Item::within_itself(self)
    }

    fn len(&self) -> dudley::Result<u64> {
        Ok(match Entry::kind(self) {
            Kind::Dict | Kind::List => self.node().len() as u64,
            Kind::Array | Kind::Value => 0,
        })
    }

    fn child(&self, name: &str) -> dudley::Result<Option<Node>> {
        let is_named = |item: &Item| {
            let parts = dudley::read::path::parse(item.path()).unwrap_or_default();
            matches!(parts.last(), Some(dudley::read::path::Part::Name { text, .. }) if text == name)
        };
        let has_names = matches!(Entry::kind(self), Kind::Dict | Kind::List);
        Ok(below(self).filter(|_| has_names).find(is_named).map(node))
    }

    fn children(&self) -> dudley::Result<Vec<Node>> {
        Ok(match Entry::kind(self) {
            Kind::Dict | Kind::List if self.within_itself().is_none() => {
                below(self).map(node).collect()
            }
            _ => Vec::new(),
        })
    }

    fn pieces(&self) -> Vec<Node> {
        if self.is_chunked() { below(self).map(node).collect() } else { Vec::new() }
    }

    fn dtype_name(&self) -> dudley::Result<String> {
        if Entry::kind(self) == Kind::Array {
            return Ok(self.array()?.dtype_name()?);
        }
        nowhere(self)?;
        let name = match self.node().scalar() {
            _ if matches!(self.value(), Ok(Value::Complex(..))) => "complex",
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
        Ok(array(self)?.data_shape())
    }

    fn stored(&self) -> dudley::Result<Data> {
        if !self.is_array() {
            let kind = Entry::kind(self).as_str();
            return Err(dudley::Error::NotData { path: Item::path(self).into(), kind });
        }
        Ok(self.array()?.data()?)
    }

    fn is_masked(&self) -> dudley::Result<bool> {
        Ok(self.is_array() && self.array()?.missing()?.is_some_and(|missing| missing.any()))
    }

    fn has_mask(&self) -> dudley::Result<bool> {
        Ok(self.is_array() && self.array()?.mask()?.is_some())
    }

    fn has_holes(&self) -> dudley::Result<bool> {
        Ok(self.is_array() && self.array()?.has_holes())
    }

    fn unmasked(&self) -> dudley::Result<Vec<(String, Data)>> {
        let parts = self.array()?.unmasked()?;
        Ok(parts.into_iter().map(|part| (part.field, part.data)).collect())
    }

    fn compared(&self, other: &Node) -> dudley::Result<Option<Compared>> {
        let Some(other) = other.entry::<Item>() else { return Ok(None) };
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
        Ok(Item::emit(self, sink, exact)?)
    }

    fn emit_readable(
        &self,
        sink: &mut dyn Sink,
        exact: bool,
        failed: &mut dyn FnMut(&str, dudley::Error),
    ) -> dudley::Result<()> {
        Ok(self.emit_what_is(sink, exact, &mut |path, error| failed(path, error.into()))?)
    }

    fn unit(&self) -> Option<String> {
        Item::unit(self)
    }

    fn doc(&self) -> Vec<String> {
        self.description().into_iter().collect()
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
        let (node, span) = (self.node(), self.node().span());
        let is_here = Entry::kind(self) == Kind::Value && self.file().uri().is_empty();
        Ok(is_here.then(|| none(node.address(), span.end - span.start)))
    }

    fn facts(&self) -> dudley::Result<Vec<Fact>> {
        let mut facts = Vec::new();
        match Entry::kind(self) {
            Kind::Array => of_array(self, &self.array()?, &mut facts)?,
            Kind::Value => {
                nowhere(self)?;
                if !self.file().uri().is_empty() {
                    facts.push(Fact::new("source", self.file().uri()));
                }
                let text = text(self).unwrap_or_default();
                facts.push(Fact::new("text", text.clone()).shown(short(&text)));
            }
            Kind::Dict | Kind::List => {}
        }
        let node = self.node();
        if let Some(tag) = node.tag() {
            let fact = Fact::new("tag", tag);
            let is_shown = matches!(Entry::kind(self), Kind::Dict | Kind::List);
            let shown = node.short_tag().filter(|_| is_shown).map(str::to_owned);
            facts.push(Fact { shown, ..fact });
        }
        Ok(facts)
    }
}

/// What only this format knows of an array.
fn of_array(item: &Item, array: &Array, facts: &mut Vec<Fact>) -> Result<()> {
    match (array.outside(), array.block()?) {
        (Some(uri), _) => facts.push(Fact::new("source", &*uri).shown(uri)),
        (None, Some(block)) => {
            let fact = Fact::new("block", block.index);
            facts.push(fact.shown(format!("block {}", block.index)));
        }
        (None, None) if item.is_chunked() => {
            let count = array.chunks().count();
            facts.push(Fact::new("chunks", count).shown(format!("chunks: {count}")));
        }
        (None, None) => facts.push(Fact::new("inline", true).shown("in the tree")),
    }
    if !array.is_packed() {
        facts.push(Fact::new("strides", array.strides()?));
        facts.push(Fact::new("offset", array.offset()).shown("strided"));
    }
    match array.mask()? {
        None => {}
        Some(Mask::Array(_)) => facts.push(Fact::new("masked", true).shown("masked by an array")),
        Some(_) => facts.push(Fact::new("masked", true).shown("masked")),
    }
    Ok(())
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
