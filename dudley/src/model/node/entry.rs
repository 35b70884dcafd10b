//! The nodes of a format.

use std::any::Any;

use dudley_parser::comments::{AttrValue, Attribute as Given};

use super::Node;
use crate::elements::value::{Sink, Value};
use crate::error::{Error, Result};
use crate::read::data::Data;

/// The kind of a [`Node`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Named nodes.
    Dict,
    /// Nodes by their numbers, from 0.
    List,
    /// Elements of one type in a shape, which is empty for a single one.
    Array,
    /// A single value: a number, a text, a boolean, a time, or null. In a stream, a param.
    Value,
}

impl Kind {
    /// `"dict"`, `"list"`, `"array"` or `"value"`.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Dict => "dict",
            Kind::List => "list",
            Kind::Array => "array",
            Kind::Value => "value",
        }
    }
}

/// The value of an attribute.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Its name.
    pub name: String,
    /// Its value: a number, a text, a boolean, or an array of these.
    pub value: Value,
}

impl From<&Given> for Attribute {
    /// An attribute of a layout.
    fn from(given: &Given) -> Attribute {
        let ints = |of: &[i64]| of.iter().map(|value| Value::Int((*value).into())).collect();
        let value = match &given.value {
            AttrValue::Int(value) => Value::Int((*value).into()),
            AttrValue::Float(value) => Value::Float(*value),
            AttrValue::Text(text) => Value::Text(text.clone()),
            AttrValue::True => Value::Bool(true),
            AttrValue::Ints(values) => Value::Array(ints(values)),
            AttrValue::Floats(values) => {
                Value::Array(values.iter().copied().map(Value::Float).collect())
            }
            AttrValue::Texts(texts) => {
                Value::Array(texts.iter().cloned().map(Value::Text).collect())
            }
        };
        Attribute { name: given.name.clone(), value }
    }
}

/// Where the elements of an array are stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The address of the first byte that is stored, in bytes from where the dataset begins in the file.
    pub address: u64,
    /// The number of stored bytes.
    pub stored: u64,
    /// The encoding; `None` if the elements are stored as they are.
    pub codec: Option<String>,
    /// The number of decoded bytes of the encoded unit that contains it; `None` without an encoding.
    pub decoded: Option<u64>,
}

/// A fact that only a format has. Listings show it, and no program interprets it.
#[derive(Clone, Debug, PartialEq)]
pub struct Fact {
    /// Its name.
    pub name: &'static str,
    /// The value for programs.
    pub value: Value,
    /// The text for people; `None` if the fact is only for programs.
    pub shown: Option<String>,
}

impl Fact {
    /// One for programs alone.
    pub fn new(name: &'static str, value: impl Into<Value>) -> Fact {
        Fact { name, value: value.into(), shown: None }
    }

    /// A remark for people.
    #[must_use]
    pub fn shown(self, text: impl Into<String>) -> Fact {
        Fact { shown: Some(text.into()), ..self }
    }
}

/// The identity of a node in an open file, independent of the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId {
    /// The file, of those that are open.
    pub file: usize,
    /// The number of the node in it.
    pub number: usize,
}

/// Bytes of a file that elements are made of, others perhaps too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    /// The file, of those that are open, and which of its extents it is; `None` for one that no other array has a part of.
    pub id: Option<(usize, usize)>,
    /// The number of decoded bytes.
    pub bytes: u64,
}

impl Extent {
    /// The extent of elements that no other array shares.
    pub fn of(data: &Data) -> Extent {
        let blocks = data.blocks().map(|blocks| blocks.decoded());
        let decoded = blocks.or_else(|| data.filter().map(|filter| filter.raw_bytes));
        Extent { id: None, bytes: decoded.unwrap_or(data.bytes()) }
    }
}

/// Two masked arrays prepared for a comparison: elements that are masked in either are zero in both.
pub struct Compared {
    /// The masked elements of each, as booleans.
    pub masks: [Data; 2],
    /// The elements of each.
    pub data: [Data; 2],
}

/// The nodes in one, which are made as they are requested.
pub type Children = Box<dyn Iterator<Item = Result<Node>>>;

/// The content of a [`Node`] that is not an item of a stream.
pub trait Entry: Any + Send + Sync {
    /// Its kind.
    fn kind(&self) -> Kind;

    /// Its path in the dataset.
    fn path(&self) -> String;

    /// Its path, with marks that distinguish equal names of different types, such as a number and a text.
    fn typed_path(&self) -> String {
        self.path()
    }

    /// The identity of a node with several paths; `None` for a node with only one path.
    fn id(&self) -> Option<NodeId> {
        None
    }

    /// Whether it may have other paths, too.
    fn is_shared(&self) -> bool {
        false
    }

    /// The path above it that leads to the same node: the tree below it is endless.
    fn within_itself(&self) -> Option<String> {
        None
    }

    /// How many nodes are in it.
    ///
    /// # Errors
    /// If that cannot be read.
    fn len(&self) -> Result<u64>;

    /// Whether it has no nodes.
    ///
    /// # Errors
    /// As [`Self::len`].
    fn is_empty(&self) -> Result<bool> {
        Ok(self.len()? == 0)
    }

    /// A node in it by its name; `None` if there is none.
    ///
    /// # Errors
    /// If finding it fails.
    fn child(&self, name: &str) -> Result<Option<Node>>;

    /// The nodes in it, in the order of the file, each made when it is requested; none of what stands in itself, so that
    /// going on below comes to an end.
    ///
    /// # Errors
    /// If finding them fails.
    fn children(&self) -> Result<Children>;

    /// The nodes that form an array, which have their own paths.
    fn pieces(&self) -> Vec<Node> {
        Vec::new()
    }

    /// The name of the type of an array, or of a value: `<f8`, `text`.
    ///
    /// # Errors
    /// If finding it fails.
    fn dtype_name(&self) -> Result<String> {
        Ok(self.stored()?.dtype_name())
    }

    /// The shape of an array.
    ///
    /// # Errors
    /// If finding it fails.
    fn shape(&self) -> Result<Vec<u64>> {
        Ok(self.stored()?.shape().to_vec())
    }

    /// The elements of an array as they are stored, those that are masked among them.
    ///
    /// # Errors
    /// [`Error::NotData`] if it is no array; if finding them fails.
    fn stored(&self) -> Result<Data>;

    /// The elements of an array, with a value in place of each that is masked: the first of `values` that its type holds.
    ///
    /// # Errors
    /// As [`Self::stored`]; if a type holds none of the values.
    fn filled(&self, values: &[Value]) -> Result<Data>;

    /// Whether elements of an array are masked: they have no value.
    ///
    /// # Errors
    /// If reading the mask fails.
    fn is_masked(&self) -> Result<bool>;

    /// Whether masked elements have no stored values.
    ///
    /// # Errors
    /// If reading the mask fails.
    fn has_holes(&self) -> Result<bool>;

    /// The elements that are not masked, in one dimension; all in their shape if none is masked. For structs of which
    /// some cells are masked and others not they are those of each field, with its path behind that of the array:
    /// `.x`.
    ///
    /// # Errors
    /// If reading the mask fails.
    fn unmasked(&self) -> Result<Vec<(String, Data)>>;

    /// Its elements and those of another array, prepared for a comparison; `None` if they are not both masked, or differ in shape or type.
    ///
    /// # Errors
    /// If reading them fails.
    fn compared(&self, other: &Node) -> Result<Option<Compared>>;

    /// Whether it has a mask, which may mask nothing.
    ///
    /// # Errors
    /// If the mask cannot be found.
    fn has_mask(&self) -> Result<bool>;

    /// The stored bytes of an array. Views may repeat elements.
    ///
    /// # Errors
    /// If finding it fails.
    fn extents(&self) -> Result<Vec<Extent>> {
        Ok(vec![Extent::of(&self.stored()?)])
    }

    /// Hands all that is in it to a sink; with `exact`, elements that their plain form would not give back bit by bit
    /// as bits.
    ///
    /// # Errors
    /// If reading fails, or the sink.
    fn emit(&self, sink: &mut dyn Sink, exact: bool) -> Result<()>;

    /// As [`Self::emit`], of all that can be obtained: `failed` is given the path of what cannot, and why.
    ///
    /// # Errors
    /// If the sink fails.
    fn emit_readable(
        &self,
        sink: &mut dyn Sink,
        exact: bool,
        failed: &mut dyn FnMut(&str, Error),
    ) -> Result<()>;

    /// Its unit.
    fn unit(&self) -> Option<String> {
        None
    }

    /// The lines of its documentation, without the unit.
    fn doc(&self) -> Vec<String> {
        Vec::new()
    }

    /// The place of the elements of an array, or of the text of a value; `None` if it has no place of its own in the
    /// file.
    ///
    /// # Errors
    /// If finding it fails.
    fn place(&self) -> Result<Option<Place>> {
        Ok(None)
    }

    /// Facts that only this format has, by names. No program interprets them.
    /// The known ones go to `found`, even if others fail.
    ///
    /// # Errors
    /// If finding them fails.
    fn facts(&self, found: &mut Vec<Fact>) -> Result<()> {
        let _ = found;
        Ok(())
    }
}
