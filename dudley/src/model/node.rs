//! A node of a dataset, with the same interface for all formats.

mod entry;

use std::any::Any;
use std::sync::Arc;

use crate::elements::value::{Builder, Sink, Value};
use crate::error::{Error, Result};
use crate::read::data::Data;
use crate::read::item::{Item, ItemKind};
use crate::read::path::{Part, parse};

pub use entry::{Attribute, Children, Compared, Entry, Extent, Fact, Kind, NodeId, Place};

/// A node of a [`Dataset`](super::Dataset): a dict, a list, an array or a value. Nothing of it is read before it is
/// requested.
///
/// ```
/// use dudley::model::Kind;
///
/// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
/// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
/// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
/// let x = file.get("/x")?;
/// assert_eq!((x.kind(), x.dtype_name()?.as_str(), x.shape()?.len()), (Kind::Array, "<f8", 0));
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone)]
pub struct Node {
    inner: Inner,
}

#[derive(Clone)]
enum Inner {
    /// An item of a stream; whether the stream is decoded, so that its addresses are not those of the file.
    Item(Box<Item>, bool),
    Entry(Arc<dyn Entry>),
}

impl From<Item> for Node {
    fn from(item: Item) -> Node {
        Node { inner: Inner::Item(Box::new(item), false) }
    }
}

impl Node {
    /// A node of a format with its own nodes.
    pub fn new(entry: impl Entry + 'static) -> Node {
        Node { inner: Inner::Entry(Arc::new(entry)) }
    }

    /// A node of a stream that is decoded when it is read: it has no place in the file.
    pub fn decoded(item: Item) -> Node {
        Node { inner: Inner::Item(Box::new(item), true) }
    }

    /// Something else of the stream of this one.
    fn beside(&self, item: Item) -> Node {
        match self.inner {
            Inner::Item(_, true) => Node::decoded(item),
            _ => item.into(),
        }
    }

    /// The same node. In a stream, it limits the number of visited items below it.
    pub(super) fn limited(self) -> Node {
        match self.inner {
            Inner::Item(item, decoded) => {
                Node { inner: Inner::Item(Box::new(item.limited()), decoded) }
            }
            Inner::Entry(_) => self,
        }
    }

    /// Its item of a stream; `None` for a format with its own nodes.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// let x = file.get("/x")?;
    /// assert_eq!(x.item().expect("an item of the stream").path(), "/x");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn item(&self) -> Option<&Item> {
        match &self.inner {
            Inner::Item(item, _) => Some(item),
            Inner::Entry(_) => None,
        }
    }

    /// The content from its format, as a type of the format. `None` for an item of a stream, and for another type.
    pub fn entry<T: Entry>(&self) -> Option<&T> {
        match &self.inner {
            Inner::Item(..) => None,
            Inner::Entry(entry) => (&**entry as &dyn Any).downcast_ref(),
        }
    }

    /// Its kind.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// let x = file.get("/x")?;
    /// assert_eq!((x.kind().as_str(), file.root()?.kind().as_str()), ("array", "dict"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn kind(&self) -> Kind {
        match &self.inner {
            Inner::Item(item, _) => match item.kind() {
                ItemKind::Dict => Kind::Dict,
                ItemKind::List => Kind::List,
                ItemKind::Data => Kind::Array,
                ItemKind::Param => Kind::Value,
            },
            Inner::Entry(entry) => entry.kind(),
        }
    }

    /// Its path in the dataset, by which it is found again.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// let x = file.get("/x")?;
    /// assert_eq!(x.path(), "/x");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn path(&self) -> String {
        match &self.inner {
            Inner::Item(item, _) => item.path().to_owned(),
            Inner::Entry(entry) => entry.path(),
        }
    }

    /// Its path, with marks that distinguish equal names of different types, such as a number and a text.
    pub fn typed_path(&self) -> String {
        match &self.inner {
            Inner::Item(item, _) => item.path().to_owned(),
            Inner::Entry(entry) => entry.typed_path(),
        }
    }

    /// The identity of a node with several paths; `None` for a node with only one path.
    pub fn id(&self) -> Option<NodeId> {
        match &self.inner {
            Inner::Item(..) => None,
            Inner::Entry(entry) => entry.id(),
        }
    }

    /// Whether it may have other paths, too.
    pub fn is_shared(&self) -> bool {
        match &self.inner {
            Inner::Item(..) => false,
            Inner::Entry(entry) => entry.is_shared(),
        }
    }

    /// The path above it that leads to the same node, through anchors or references: the tree below it is endless.
    pub fn within_itself(&self) -> Option<String> {
        match &self.inner {
            Inner::Item(..) => None,
            Inner::Entry(entry) => entry.within_itself(),
        }
    }

    /// Its name in the dict that it is in, without quotes, or its number in the list; empty at the top.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// let x = file.get("/x")?;
    /// assert_eq!(x.name(), "x");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn name(&self) -> String {
        match parse(&self.path()).ok().and_then(|mut parts| parts.pop()) {
            Some(Part::Name { text, .. } | Part::Param(text, _) | Part::Field(text)) => text,
            Some(Part::Slice(_)) | None => String::new(),
        }
    }

    /// The number of nodes in it; 0 for an array or a value.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// let x = file.get("/x")?;
    /// assert_eq!(file.root()?.len()?, 1);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If that cannot be read.
    pub fn len(&self) -> Result<u64> {
        match &self.inner {
            Inner::Item(item, _) => item.len(),
            Inner::Entry(entry) => entry.len(),
        }
    }

    /// Whether it has no nodes.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// let x = file.get("/x")?;
    /// assert!(!file.root()?.is_empty()?);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::len`].
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.len()? == 0)
    }

    /// A node in a dict by its name, without quotes, or `None`.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// let x = file.get("/x")?;
    /// assert!(file.root()?.child("x")?.is_some() && file.root()?.child("y")?.is_none());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If finding it fails.
    pub fn child(&self, name: &str) -> Result<Option<Node>> {
        match &self.inner {
            Inner::Item(item, _) => Ok(item.child(name).map(|item| self.beside(item))),
            Inner::Entry(entry) => entry.child(name),
        }
    }

    /// The nodes in a dict or list, in the order of the file, made as they are requested. Params of a stream are not among
    /// them.
    ///
    /// ```
    /// use dudley::model::Formats;
    ///
    /// let open = dudley::Open::new().layout_text("a = u1  l [u1]*1000000000000")?.raw();
    /// let dataset = Formats::builtin().source("bytes", vec![1, 2, 3], &open)?;
    /// let root = dataset.root()?;
    /// let names: Vec<String> = root.children()?.map(|node| Ok(node?.name())).collect::<dudley::Result<_>>()?;
    /// assert_eq!(names, ["a", "l"]);
    /// let list = dataset.get("/l")?;
    /// let second = list.children()?.nth(1).expect("an item")?;
    /// assert_eq!((list.len()?, second.data()?.scalar::<u8>()?), (1_000_000_000_000, 3));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::len`].
    pub fn children(&self) -> Result<Children> {
        match &self.inner {
            Inner::Item(item, _) => {
                let length = if item.kind() == ItemKind::List { item.len()? } else { 0 };
                let (dict, list, node) = (item.clone(), item.clone(), self.clone());
                let named = item.names().into_iter().filter_map(move |name| dict.child(&name));
                let items = (0..length).map(move |index| list.element(index));
                Ok(Box::new(named.map(Ok).chain(items).map(move |item| Ok(node.beside(item?)))))
            }
            Inner::Entry(entry) => entry.children(),
        }
    }

    /// The nodes that form an array, which have their own paths.
    pub fn pieces(&self) -> Vec<Node> {
        match &self.inner {
            Inner::Item(..) => Vec::new(),
            Inner::Entry(entry) => entry.pieces(),
        }
    }

    /// The params of a dict of a stream.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// let x = file.get("/x")?;
    /// assert!(file.root()?.params().is_empty());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn params(&self) -> Vec<Node> {
        let params = self.item().map_or(Vec::new(), Item::params);
        params.into_iter().map(|param| self.beside(param)).collect()
    }

    /// The name of the type of an array, or of a value: `<f8`, `text`.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// let x = file.get("/x")?;
    /// assert_eq!(x.dtype_name()?, "<f8");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If finding it fails.
    pub fn dtype_name(&self) -> Result<String> {
        match &self.inner {
            Inner::Item(item, _) if item.kind() == ItemKind::Param => Ok("int".to_owned()),
            Inner::Item(item, _) => Ok(item.data()?.dtype_name()),
            Inner::Entry(entry) => entry.dtype_name(),
        }
    }

    /// The shape of an array. It may be known even if the elements cannot be read.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// let x = file.get("/x")?;
    /// assert_eq!(x.shape()?, [0_u64; 0]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If finding it fails.
    pub fn shape(&self) -> Result<Vec<u64>> {
        match &self.inner {
            Inner::Item(item, _) => Ok(item.data()?.shape().to_vec()),
            Inner::Entry(entry) => entry.shape(),
        }
    }

    /// The elements of an array without masked elements: their type and shape; read and slice them with
    /// [`Data`].
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// let x = file.get("/x")?;
    /// assert_eq!(x.data()?.scalar::<f64>()?, 0.5);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotData`] if it is no array; [`Error::Masked`] if elements are masked: [`Self::value`] has null for them,
    /// [`Self::stored`] the stored values; if finding them fails.
    pub fn data(&self) -> Result<Data> {
        if self.is_masked()? {
            Err(Error::Masked { path: self.path().into() })
        } else {
            self.stored()
        }
    }

    /// The stored elements of an array. Masked elements have a meaningless value.
    ///
    /// # Errors
    /// As [`Self::data`], except for [`Error::Masked`].
    pub fn stored(&self) -> Result<Data> {
        match &self.inner {
            Inner::Item(item, _) => item.data(),
            Inner::Entry(entry) => entry.stored(),
        }
    }

    /// The elements of an array, with a value in place of each that is masked: the first of `values` that its type holds.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// let filled = file.get("/x")?.filled(&[dudley::Value::Float(f64::NAN)])?;
    /// assert_eq!(filled.scalar::<f64>()?, 0.5); // no mask
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::stored`]; if a type holds none of the values.
    pub fn filled(&self, values: &[Value]) -> Result<Data> {
        match &self.inner {
            Inner::Item(item, _) => item.data(),
            Inner::Entry(entry) => entry.filled(values),
        }
    }

    /// Whether elements of an array are masked: they have no value.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// let x = file.get("/x")?;
    /// assert!(!x.is_masked()?);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If reading the mask fails.
    pub fn is_masked(&self) -> Result<bool> {
        match &self.inner {
            Inner::Item(..) => Ok(false),
            Inner::Entry(entry) => entry.is_masked(),
        }
    }

    /// Whether masked elements have no stored values.
    ///
    /// # Errors
    /// If reading the mask fails.
    pub fn has_holes(&self) -> Result<bool> {
        match &self.inner {
            Inner::Item(..) => Ok(false),
            Inner::Entry(entry) => entry.has_holes(),
        }
    }

    /// Whether it has a mask, which may mask nothing.
    ///
    /// # Errors
    /// If the mask cannot be found.
    pub fn has_mask(&self) -> Result<bool> {
        match &self.inner {
            Inner::Item(..) => Ok(false),
            Inner::Entry(entry) => entry.has_mask(),
        }
    }

    /// The elements that are not masked, in one dimension; all in their shape if none is masked. For structs of which
    /// only some cells are masked, there is an array for each field, with its path behind the path of the array.
    ///
    /// # Errors
    /// If reading them fails.
    pub fn unmasked(&self) -> Result<Vec<(String, Data)>> {
        match &self.inner {
            Inner::Item(item, _) => Ok(vec![(String::new(), item.data()?)]),
            Inner::Entry(entry) => entry.unmasked(),
        }
    }

    /// Its elements and those of another array, prepared for a comparison; `None` if not both are masked, or if they
    /// differ in shape or type.
    ///
    /// # Errors
    /// If reading them fails.
    pub fn compared(&self, other: &Node) -> Result<Option<Compared>> {
        match &self.inner {
            Inner::Item(..) => Ok(None),
            Inner::Entry(entry) => entry.compared(other),
        }
    }

    /// The stored bytes of an array. Views may repeat elements.
    ///
    /// # Errors
    /// If finding it fails.
    pub fn extents(&self) -> Result<Vec<Extent>> {
        match &self.inner {
            Inner::Item(item, _) => Ok(vec![Extent::of(&item.data()?)]),
            Inner::Entry(entry) => entry.extents(),
        }
    }

    /// The names of the dimensions of an array, if they have names: in a stream from the attribute `dims`, otherwise the
    /// dimension in the layout, if a param decides it (`JMAX`, `JMAX-`).
    ///
    /// ```
    /// use dudley::model::Formats;
    ///
    /// let open = dudley::Open::new().layout_text("N : 2  x = u1[3, N-]\ny = u1[2]  #: dims = [\"t\"]")?.raw();
    /// let dataset = Formats::builtin().source("bytes", vec![1, 2, 3, 4, 5], &open)?;
    /// assert_eq!(dataset.get("/x")?.dims()?, [None, Some("N-".to_owned())]);
    /// assert_eq!(dataset.get("/y")?.dims()?, [Some("t".to_owned())]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::data`].
    pub fn dims(&self) -> Result<Vec<Option<String>>> {
        match &self.inner {
            Inner::Item(item, _) => {
                let dims = item.dim_names()?.into_iter().zip(item.dims()?);
                // An empty name is that of a dimension without one.
                let named = |name: Option<String>| name.filter(|name| !name.is_empty());
                Ok(dims.map(|(name, said)| named(name.or(said))).collect())
            }
            Inner::Entry(entry) => Ok(vec![None; entry.stored()?.shape().len()]),
        }
    }

    /// Everything in it as a value: a struct for a dict, an array for a list or an array.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// let x = file.get("/x")?;
    /// assert_eq!(x.value()?, dudley::Value::Float(0.5));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If reading any of it fails.
    pub fn value(&self) -> Result<Value> {
        match &self.inner {
            Inner::Item(item, _) => item.value(),
            Inner::Entry(entry) => {
                let mut builder = Builder::default();
                entry.emit(&mut builder, false)?;
                Ok(builder.finish())
            }
        }
    }

    /// Passes its content to a sink, as far as it can be read. `failed` receives the path of each unreadable part, and the reason.
    /// With `exact`, elements whose plain form would lose bits are given as bits.
    ///
    /// # Errors
    /// If the sink fails, or if reading any part of an item of a stream fails.
    pub fn emit_readable(
        &self,
        sink: &mut dyn Sink,
        exact: bool,
        failed: &mut dyn FnMut(&str, Error),
    ) -> Result<()> {
        match &self.inner {
            Inner::Item(item, _) => item.emit(sink, exact),
            Inner::Entry(entry) => entry.emit_readable(sink, exact, failed),
        }
    }

    /// As [`Self::value`], into a sink, element by element.
    ///
    /// # Errors
    /// If reading any of it fails, or the sink.
    pub fn emit(&self, sink: &mut dyn Sink, exact: bool) -> Result<()> {
        match &self.inner {
            Inner::Item(..) => self.emit_readable(sink, exact, &mut |_, _| ()),
            Inner::Entry(entry) => entry.emit(sink, exact),
        }
    }

    /// Its unit.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// let x = file.get("/x")?;
    /// assert_eq!(x.unit().as_deref(), Some("cm"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn unit(&self) -> Option<String> {
        match &self.inner {
            Inner::Item(item, _) => item.unit().map(str::to_owned),
            Inner::Entry(entry) => entry.unit(),
        }
    }

    /// The lines of its documentation, without the unit.
    ///
    /// ```
    /// let layout = dudley::parse_layout(b"x = f8  ## (cm) place")?;
    /// let bytes = dudley::Writer::new(layout).put("/x", 0.5).attach(true).to_bytes()?;
    /// let file = dudley::model::Formats::builtin().source("run.bd", bytes, &dudley::Open::new())?;
    /// let x = file.get("/x")?;
    /// assert_eq!(x.doc(), ["place"]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn doc(&self) -> Vec<String> {
        match &self.inner {
            Inner::Item(item, _) => item.doc_without_unit().map(str::to_owned).collect(),
            Inner::Entry(entry) => entry.doc(),
        }
    }

    /// Its attributes.
    ///
    /// ```
    /// use dudley::Value;
    /// use dudley::model::Formats;
    ///
    /// let open = dudley::Open::new().layout_text("x = u1  #: valid = [0, 9], grid = \"C\"")?.raw();
    /// let dataset = Formats::builtin().source("bytes", vec![7], &open)?;
    /// let attributes = dataset.get("/x")?.attributes();
    /// assert_eq!(attributes[0].value, Value::Array(vec![Value::Int(0), Value::Int(9)]));
    /// assert_eq!((&*attributes[1].name, &attributes[1].value), ("grid", &Value::Text("C".into())));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn attributes(&self) -> Vec<Attribute> {
        match &self.inner {
            Inner::Item(item, _) => item.attributes().iter().map(Attribute::from).collect(),
            Inner::Entry(_) => Vec::new(),
        }
    }

    /// The place of the elements of an array, or of the text of a value; `None` if it has no place of its own in the
    /// file.
    ///
    /// # Errors
    /// If finding it fails.
    pub fn place(&self) -> Result<Option<Place>> {
        match &self.inner {
            Inner::Item(_, true) => Ok(None),
            Inner::Item(item, false) => match item.data() {
                // Its blocks have places.
                Ok(data) if data.blocks().is_some() => Ok(None),
                Ok(data) => Ok(Some(Place {
                    address: data.begin(),
                    stored: data.bytes(),
                    codec: data.filter().map(|filter| filter.name.to_string()),
                    decoded: data.filter().map(|filter| filter.raw_bytes),
                })),
                Err(Error::NotData { .. }) => Ok(None),
                Err(error) => Err(error),
            },
            Inner::Entry(entry) => entry.place(),
        }
    }

    /// Facts that only its format has, by names. No program interprets them.
    /// The known ones go to `found`, even if others fail.
    ///
    /// # Errors
    /// If finding them fails.
    pub fn facts(&self, found: &mut Vec<Fact>) -> Result<()> {
        match &self.inner {
            Inner::Item(..) => Ok(()),
            Inner::Entry(entry) => entry.facts(found),
        }
    }
}

impl std::fmt::Debug for Node {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Node({}, {})", self.path(), self.kind().as_str())
    }
}
