//! The content of an `ndarray` node of the tree: type, shape, and the place of the elements.

use dudley::ByteOrder;

use super::datatype::{Datatype, NUMPY, byteorder, shape, stated, unknown_keys};
use super::error::Result;
use super::report::{Code, Finding, Report};
use super::tag;
use super::text::Dialect;
use super::tree::{Node, NodeId, NodeKind};

/// The keys of an array: those of the standard, those of FINF, and what elements are to numpy.
const KEYS: [&str; 10] = [
    "source",
    "data",
    "mask",
    "datatype",
    "dtype",
    "byteorder",
    "shape",
    "offset",
    "strides",
    NUMPY,
];

/// Whether a node is an array.
pub(super) fn is_array(node: Node<'_>) -> bool {
    tag::core(node) == Some("ndarray")
}

/// An array as the tree states it.
#[derive(Clone, Debug)]
pub(super) enum Spec {
    /// Its elements are in a block.
    Stored(Stored),
    /// Its elements are in the tree.
    Inline(Inline),
}

/// An array in a block.
#[derive(Clone, Debug)]
pub(super) struct Stored {
    pub(super) source: Source,
    pub(super) datatype: Datatype,
    /// The first dimension is as long as the block.
    pub(super) streamed: bool,
    /// The dimensions that are declared, slowest first: without a streamed one.
    pub(super) shape: Vec<u64>,
    /// Where element 0 is in the block, in bytes.
    pub(super) offset: u64,
    /// Bytes from one index to the next, where the tree says them.
    pub(super) strides: Option<Vec<i64>>,
    pub(super) mask: Option<NodeId>,
}

/// An array in the tree.
#[derive(Clone, Debug)]
pub(super) struct Inline {
    /// Its elements, in lists.
    pub(super) data: NodeId,
    /// What the tree says of their type.
    pub(super) datatype: Option<Datatype>,
    pub(super) shape: Option<Vec<u64>>,
    pub(super) mask: Option<NodeId>,
}

/// Which block an array is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A block of the file; from the end if below 0.
    Block(i64),
    /// The first block of another file.
    External(String),
}

impl Spec {
    /// What a node says, which is an array.
    pub(super) fn parse(node: Node<'_>, path: &str) -> Result<Spec> {
        if node.kind() == NodeKind::Sequence {
            let data = node.id();
            return Ok(Spec::Inline(Inline { data, datatype: None, shape: None, mask: None }));
        }
        let (data, source) = (node.get("data"), node.get("source"));
        match (data, source) {
            (Some(data), None) => inline(node, data, path).map(Spec::Inline),
            (None, Some(source)) => stored(node, source, path).map(Spec::Stored),
            _ => Err(node.error(path, "an array with either `source` or `data`")),
        }
    }
}

/// What is odd in what a node says, which is an array: keys that are not known, which may be damaged ones, and that
/// its byte order is not said.
pub(super) fn odd(node: Node<'_>, dialect: Dialect, path: &str) -> Vec<Finding> {
    let mut report = Report::default();
    report.extend(strangers(node, &KEYS, "an array", path));
    let datatype = stated(node);
    for (address, name) in datatype.map(unknown_keys).unwrap_or_default() {
        let reason = format!("`{path}`: expected the keys of a field, found `{name}`");
        report.add(Code::UnknownKey, address, reason);
    }
    if dialect == Dialect::Asdf && node.get("source").is_some() && lacks_order(node, path) {
        let reason = format!("`{path}`: expected a `byteorder`, found none, and `big` is taken");
        report.add(Code::NoByteOrder, node.address(), reason);
    }
    report.findings
}

/// The keys of a node that are none of those that something like it has.
pub(super) fn strangers(node: Node<'_>, known: &[&str], what: &str, path: &str) -> Vec<Finding> {
    let strangers = node.entries().filter_map(|(key, _)| {
        let name = node.name_of(key);
        let reason = format!("`{path}`: expected the keys of {what}, found `{name}`");
        let (code, address) = (Code::UnknownKey, key.address());
        (!known.contains(&&*name)).then_some(Finding { code, address, block: None, reason })
    });
    strangers.collect()
}

/// Whether values are others in the other byte order, and none is said.
fn lacks_order(node: Node<'_>, path: &str) -> bool {
    let datatype = stated(node);
    let Some(datatype) = datatype.filter(|_| node.get("byteorder").is_none()) else {
        return false;
    };
    let spelt = |order| Datatype::parse(datatype, order, path).map(|it| it.spell(&[])).ok();
    spelt(ByteOrder::Little) != spelt(ByteOrder::Big)
}

fn inline(node: Node<'_>, data: Node<'_>, path: &str) -> Result<Inline> {
    let order = match node.get("byteorder") {
        Some(order) => byteorder(order, path)?,
        // Elements in the tree have no order; this one can be looked at in place on most machines.
        None => ByteOrder::Little,
    };
    let datatype = stated(node);
    let datatype = datatype.map(|datatype| Datatype::parse(datatype, order, path)).transpose()?;
    // Some write `['*']` here too; the data say how long it is.
    let dims = node.get("shape").filter(|dims| !dims.items().any(|dim| dim.text() == Some("*")));
    let shape = dims.map(|dims| shape(dims, path)).transpose()?;
    Ok(Inline { data: data.id(), datatype, shape, mask: mask(node) })
}

/// The type that a node says elements have which are stored.
pub(super) fn datatype(node: Node<'_>, path: &str) -> Result<Datatype> {
    let order = match node.get("byteorder") {
        Some(order) => byteorder(order, path)?,
        // The first versions had this default; where it is none, `odd` says so.
        None => ByteOrder::Big,
    };
    let datatype = stated(node);
    let datatype = datatype.ok_or_else(|| node.error(path, "an array with a `datatype`"))?;
    Datatype::parse(datatype, order, path)
}

fn stored(node: Node<'_>, source: Node<'_>, path: &str) -> Result<Stored> {
    let datatype = datatype(node, path)?;
    let dims = node.get("shape").ok_or_else(|| node.error(path, "an array with a `shape`"))?;
    let streamed = dims.at(0).and_then(Node::text) == Some("*");
    let shape = if streamed {
        let rest = dims.items().skip(1).map(|dim| {
            let size = dim.as_i64().and_then(|size| u64::try_from(size).ok());
            size.ok_or_else(|| dim.error(path, "a dimension of 0 or more"))
        });
        rest.collect::<Result<_>>()?
    } else {
        shape(dims, path)?
    };
    Ok(Stored {
        source: block(source, path)?,
        datatype,
        streamed,
        offset: offset(node, path)?,
        strides: strides(node, shape.len() + usize::from(streamed), path)?,
        shape,
        mask: mask(node),
    })
}

fn block(source: Node<'_>, path: &str) -> Result<Source> {
    match (source.as_i64(), source.as_str()) {
        (Some(index), _) => Ok(Source::Block(index)),
        (None, Some(uri)) => Ok(Source::External(uri.to_owned())),
        _ => Err(source.error(path, "the number of a block, or the name of a file")),
    }
}

fn offset(node: Node<'_>, path: &str) -> Result<u64> {
    let Some(offset) = node.get("offset") else { return Ok(0) };
    let bytes = offset.as_i64().and_then(|bytes| u64::try_from(bytes).ok());
    bytes.ok_or_else(|| offset.error(path, "an offset of 0 bytes or more"))
}

fn strides(node: Node<'_>, rank: usize, path: &str) -> Result<Option<Vec<i64>>> {
    let Some(strides) = node.get("strides").filter(|strides| !strides.is_null()) else {
        return Ok(None);
    };
    let bytes = strides
        .items()
        .map(|stride| stride.as_i64().ok_or_else(|| stride.error(path, "a stride in bytes")));
    let bytes: Vec<i64> = bytes.collect::<Result<_>>()?;
    if strides.kind() == NodeKind::Sequence && bytes.len() == rank {
        Ok(Some(bytes))
    } else {
        Err(strides.error(path, format!("{rank} strides, one for each dimension")))
    }
}

fn mask(node: Node<'_>) -> Option<NodeId> {
    node.get("mask").filter(|mask| !mask.is_null()).map(Node::id)
}
