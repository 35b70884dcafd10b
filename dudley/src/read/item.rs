//! An item of a stream: a dict, list, data item or param, with its declaration in the layout.

pub(crate) mod blocks;
mod dims;
mod follow;
mod netcdf;

use dudley_parser::comments::Attribute;
use dudley_parser::layout::path::push_param;
use dudley_parser::layout::{ArrayId, DictId, DocKey, Element as Made, Entry, Scope, Step};
use dudley_parser::resolve::{Node, Placed, ShapeParam, Target};
use ndarray::{ArrayD, ArrayViewD};

use crate::elements::convert::{Conversion, Convert};
use crate::elements::element::Element;
use crate::elements::value::{Sink, Value};
use crate::error::{Error, Result};
use crate::read::data::Data;
use crate::read::dtype::{Described, Dtype, describe, strides};
use crate::read::path::{join, join_index};
use crate::read::presented::Presented;
use crate::read::slice::Index;
use crate::read::stream::Stream;
pub(crate) use follow::follow_from;

/// An item of a stream, found by its path. Its elements are not read until a reading method is
/// called.
///
/// ```
/// use dudley::ItemKind;
///
/// let stream = dudley::Open::new().layout_text("grp/ x = u1[3]  ## (cm) place")?.raw().bytes([1, 2, 3])?;
/// let x = stream.get("/grp/x")?;
/// assert_eq!((x.kind(), x.unit()), (ItemKind::Data, Some("cm")));
/// assert_eq!(x.read::<u8>()?.sum(), 6);
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Item {
    stream: Stream,
    node: Node,
    path: String,
}

/// The kind of an [`Item`].
///
/// ```
/// use dudley::ItemKind;
///
/// let stream = dudley::Open::new().layout_text("grp/ x = u1[3]  ## (cm) place")?.raw().bytes([1, 2, 3])?;
/// assert_eq!(stream.get("/grp")?.kind(), ItemKind::Dict);
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A container of named items.
    Dict,
    /// A container of items without names.
    List,
    /// An array or a scalar.
    Data,
    /// An integer that may be a dimension.
    Param,
}

impl ItemKind {
    /// `"dict"`, `"list"`, `"data item"` or `"param"`.
    ///
    /// ```
    /// assert_eq!(dudley::ItemKind::List.as_str(), "list");
    /// ```
    pub fn as_str(self) -> &'static str {
        match self {
            ItemKind::Dict => "dict",
            ItemKind::List => "list",
            ItemKind::Data => "data item",
            ItemKind::Param => "param",
        }
    }
}

impl Item {
    pub(crate) fn new(stream: Stream, node: Node, path: String) -> Item {
        Item { stream, node, path }
    }

    pub(crate) fn node(&self) -> &Node {
        &self.node
    }

    /// The stream of the item.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("grp/ x = u1[3]  ## (cm) place")?.raw().bytes([1, 2, 3])?;
    /// assert_eq!(stream.get("/grp")?.stream().len(), 3);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn stream(&self) -> &Stream {
        &self.stream
    }

    /// Its path.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("grp/ x = u1[3]  ## (cm) place")?.raw().bytes([1, 2, 3])?;
    /// assert_eq!(stream.root().child("grp").expect("a dict").path(), "/grp");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Its kind.
    ///
    /// ```
    /// use dudley::ItemKind;
    ///
    /// let stream = dudley::Open::new().layout_text("N : u1  l [/ x = u1]*N")?.raw().bytes([1, 7])?;
    /// assert_eq!((stream.get("/l")?.kind(), stream.get("/l/0")?.kind()), (ItemKind::List, ItemKind::Dict));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn kind(&self) -> ItemKind {
        match self.node.target {
            Target::Dict(_) => ItemKind::Dict,
            Target::List(list) if !self.stream.layout().is_whole(list) => ItemKind::List,
            Target::List(_) | Target::Array(_) | Target::Spliced(..) => ItemKind::Data,
            Target::Param(_) => ItemKind::Param,
        }
    }

    /// The item of a dict with this name, without quotes, or `None`.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("grp/ x = u1[3]  ## (cm) place")?.raw().bytes([1, 2, 3])?;
    /// let grp = stream.get("/grp")?;
    /// assert!(grp.child("x").is_some() && grp.child("y").is_none());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn child(&self, name: &str) -> Option<Item> {
        let node = self.stream.with_resolver(|resolver| resolver.child(&self.node, name))?;
        Some(Item::new(self.stream.clone(), node, join(&self.path, name)))
    }

    /// The param of a dict with this name, or `None`. `ordinal` counts declarations of one name
    /// from 0.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("N : u1  x = u1[N]")?.raw().bytes([1, 7])?;
    /// assert_eq!(stream.root().param("N", 0).expect("a param").param_value()?, 1);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn param(&self, name: &str, ordinal: usize) -> Option<Item> {
        let node =
            self.stream.with_resolver(|resolver| resolver.param_of(&self.node, name, ordinal))?;
        let mut path = if self.path == "/" { String::new() } else { self.path.clone() };
        path += "/:";
        push_param(&mut path, name, ordinal);
        Some(Item::new(self.stream.clone(), node, path))
    }

    /// The number of items of a list or dict.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("l [/ x = u1]*3")?.raw().bytes([1, 2, 3])?;
    /// assert_eq!(stream.get("/l")?.len()?, 3);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If a repeat depends on a param that cannot be read or is illegal.
    pub fn len(&self) -> Result<u64> {
        match self.node.target {
            Target::List(_) => {
                let length = self.stream.resolve(|resolver| resolver.length(&self.node));
                length.map_err(|error| error.of_item(&self.path))
            }
            Target::Dict(_) => Ok(self.names().len() as u64),
            _ => Ok(0),
        }
    }

    /// The number of items of a list for an index or slice: all; or, if not all are known, the known ones if it needs
    /// no others.
    ///
    /// # Errors
    /// As [`Self::len`].
    pub(crate) fn length_for(&self, index: Index) -> Result<u64> {
        match self.stream.with_resolver(|resolver| resolver.known_length(&self.node)) {
            (known, Some(_)) if index.is_within(known) => Ok(known),
            _ => self.len(),
        }
    }

    /// Whether a list or dict has no items.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("N : u1  l [/ x = u1]*N")?.raw().bytes([0])?;
    /// assert!(stream.get("/l")?.is_empty()?);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::len`].
    pub fn is_empty(&self) -> Result<bool> {
        Ok(self.len()? == 0)
    }

    /// An item of a list, by index from 0.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("l [/ x = u1]*3")?.raw().bytes([1, 2, 3])?;
    /// let last = stream.get("/l")?.element(2)?;
    /// assert_eq!(last.child("x").expect("an array").scalar::<u8>()?, 3);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NoSuchItem`] if the list is shorter; else as [`Self::len`].
    pub fn element(&self, index: u64) -> Result<Item> {
        let path = join_index(&self.path, index);
        let found = self.stream.resolve(|resolver| {
            if self.stream.is_planned() {
                resolver.planned_item(&self.node, index)
            } else {
                resolver.item(&self.node, index)
            }
        });
        let found = found.map_err(|error| error.of_item(&self.path))?;
        match found {
            Some(node) => {
                let item = Item::new(self.stream.clone(), node, path);
                self.stream.go_through(&self.path, item.weight())?;
                Ok(item)
            }
            None => {
                let why = format!("{} has no item {index}", self.path);
                Err(Error::NoSuchItem { path: path.into(), why: why.into() })
            }
        }
    }

    /// For an item of a list: its piece of the list, and its place among the items in
    /// the brackets of the piece.
    pub(crate) fn place_in_list(&self) -> Option<(usize, usize)> {
        let (piece, element) = self.node.in_list()?;
        let layout = self.stream.layout();
        let pieces = &layout[layout[piece].list].pieces;
        Some((pieces.iter().position(|other| *other == piece)?, element as usize))
    }

    /// The names of the items of a dict, in the order of the text; for a spliced record, its
    /// members.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1  y = u1")?.raw().bytes([1, 2])?;
    /// assert_eq!(stream.root().names(), ["x", "y"]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn names(&self) -> Vec<String> {
        let Target::Dict(dict) = self.node.target else { return Vec::new() };
        let layout = self.stream.layout();
        let home = layout[dict].home;
        let mut names = Vec::new();
        for &step in layout.run(layout[home].run) {
            step_names(layout, dict, step, &mut names);
        }
        names
    }

    /// The params of a dict, each with the ordinal of its declaration, in the order of the text.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("N : u1  x = u1[N]")?.raw().bytes([1, 7])?;
    /// let values = stream.root().params().iter().map(|it| it.param_value()).collect::<Result<Vec<_>, _>>()?;
    /// assert_eq!(values, [1]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn params(&self) -> Vec<Item> {
        let Target::Dict(dict) = self.node.target else { return Vec::new() };
        let layout = self.stream.layout();
        let own = layout.params().filter(|(_, param)| match param.scope {
            Scope::Dict(scope) | Scope::Repeated(scope) => scope == dict,
            Scope::Record => false,
        });
        own.filter_map(|(_, param)| self.param(layout.name(param.name), param.ordinal as usize))
            .collect()
    }

    /// Whether a param is in the stream or was given by the caller: a fixed one that has the value
    /// of the layout is neither.
    pub fn is_stated(&self) -> bool {
        let Target::Param(id) = self.node.target else { return false };
        self.stream.layout()[id].is_streamed() || self.stream.given().params.contains_key(&id)
    }

    /// Whether it is a param that lies in the stream.
    pub(crate) fn is_stored(&self) -> bool {
        match self.node.target {
            Target::Param(id) => self.stream.layout()[id].is_streamed(),
            _ => false,
        }
    }

    /// Iterates over the items of a dict or list.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("a = i1  g/ b = i1")?.bytes(vec![1, 2])?;
    /// let root = stream.root();
    /// let paths = root.items()?.map(|item| Ok(item?.path().to_owned()));
    /// assert_eq!(paths.collect::<dudley::Result<Vec<_>>>()?, ["/a", "/g"]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::len`].
    pub fn items(&self) -> Result<impl Iterator<Item = Result<Item>> + '_> {
        let names = self.names();
        let length = match self.node.target {
            Target::List(_) => self.len()?,
            _ => 0,
        };
        self.check_items(length)?;
        let named = names.into_iter().filter_map(|name| self.child(&name)).map(Ok);
        Ok(named.chain((0..length).map(|index| self.element(index))))
    }

    /// Checks that this many items of a list may be visited.
    ///
    /// # Errors
    /// As [`Stream::go_through`].
    pub(crate) fn check_items(&self, count: u64) -> Result<()> {
        if self.stream.may_go_through(count) {
            Ok(())
        } else {
            Err(self.stream.too_many_items(&self.path))
        }
    }

    /// The same item, below which no more are visited than [`Stream::limited`] says, all together.
    pub(crate) fn limited(&self) -> Item {
        Item { stream: self.stream.limited(), ..self.clone() }
    }

    /// How much there is to be visited in it, except for lists and dicts in it.
    fn weight(&self) -> u64 {
        let layout = self.stream.layout();
        match self.node.target {
            Target::Array(id) => 1 + layout.unfolded(Step::Array(id)),
            Target::Dict(dict) => 1 + layout.run(layout[dict].run).len() as u64,
            _ => 1,
        }
    }

    /// The array of the item: address, type and shape, without its elements.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[2]")?.raw().bytes([0, 1, 0, 2])?;
    /// let data = stream.get("/x")?.data()?;
    /// assert_eq!((data.dtype_name().as_str(), data.shape(), data.address()), (">u2", &[2][..], 0));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::NotData`] for dicts and lists; if it cannot be placed, because a param it depends
    /// on cannot be read or is illegal.
    pub fn data(&self) -> Result<Data> {
        let order = self.stream.order();
        match self.node.target {
            Target::List(list) if self.stream.layout().is_whole(list) => {
                self.stream.with_resolver(|resolver| {
                    blocks::whole(&self.stream, resolver, &self.node, &self.path)
                })
            }
            Target::Dict(_) | Target::List(_) => {
                Err(Error::NotData { path: self.path.as_str().into(), kind: self.kind().as_str() })
            }
            Target::Array(id) => self.stream.with_resolver(|resolver| {
                let placed = resolver.place(&self.node)?;
                let array = describe(resolver, id, order, Some(placed.address))?;
                Ok(self.data_of(id, placed, array))
            }),
            Target::Spliced(id, member) => {
                let record =
                    Node { target: Target::Array(id), position: self.node.position.clone() };
                let record = Item::new(self.stream.clone(), record, self.path.clone()).data()?;
                record.member(member as usize, &self.path)
            }
            Target::Param(id) => {
                let param = &self.stream.layout()[id];
                // It lies nowhere, whatever is wrong before it.
                let dudley_parser::layout::ParamValue::Streamed(primitive, own) = param.value
                else {
                    let kind = "fixed param";
                    return Err(Error::NotData { path: self.path.as_str().into(), kind });
                };
                let placed = self.stream.resolve(|resolver| resolver.place(&self.node))?;
                let dtype = Dtype::Primitive(primitive, own.unwrap_or(order));
                let mut data = self.bare(placed, dtype, Vec::new());
                data.doc = Some(DocKey::of(param.span));
                Ok(data)
            }
        }
        .map_err(|error: Error| error.of_item(&self.path))
    }

    /// The shape and type of its elements, as far as params decide them: its address need not be
    /// known.
    pub(crate) fn declared(&self) -> Result<(Dtype, Vec<u64>)> {
        self.described().map(|array| (array.dtype, array.shape))
    }

    /// The type of its elements, and its shape for writers.
    pub(crate) fn to_write(&self) -> Result<(Dtype, Vec<u64>)> {
        let array = self.described()?;
        let shape = array.given().to_vec();
        Ok((array.dtype, shape))
    }

    /// The same with how it is presented; of a member of records that is that of one of them.
    pub(crate) fn described(&self) -> Result<Described> {
        let order = self.stream.order();
        let described =
            |id| self.stream.with_resolver(|resolver| describe(resolver, id, order, None));
        let declared = match self.node.target {
            Target::Array(id) => described(id),
            Target::Spliced(id, member) => described(id).and_then(|array| {
                let Dtype::Record(record) = array.dtype else { return Err(self.variable()) };
                let field = record.fields.get(member as usize).ok_or_else(|| self.variable())?;
                let (dtype, presented) = (field.dtype.clone(), field.presented.clone());
                let size = dtype.size().unwrap_or(0);
                let around = (&array.presented, &array.shape[..], record.size);
                let presented = presented.within(around, (&field.shape, size));
                let shape = [&array.shape[..], &field.shape].concat();
                Ok(Described { dtype, shape, presented, filter: None })
            }),
            _ => self.data().map(|data| Described {
                dtype: data.dtype,
                shape: data.shape,
                presented: Presented::default(),
                filter: None,
            }),
        };
        declared.map_err(|error| error.of_item(&self.path))
    }

    /// The type of its elements, if they are records of fixed size. Its address and the number of elements
    /// need not be known.
    pub(crate) fn record(&self) -> Result<std::sync::Arc<crate::read::dtype::Record>> {
        match self.element_dtype()? {
            Dtype::Record(record) => Ok(record),
            _ => Err(self.variable()),
        }
    }

    /// The type of its elements. Its address and the number of elements need not be known.
    pub(crate) fn element_dtype(&self) -> Result<Dtype> {
        let layout = self.stream.layout();
        let array = match self.node.target {
            Target::Array(id) => Some(id),
            Target::Spliced(id, member) => self.spliced_member(id, member),
            _ => None,
        };
        let array = &layout[array.ok_or_else(|| self.variable())?];
        let order = self.stream.order();
        self.stream.resolve(|resolver| crate::read::dtype::of_array(resolver, array, order))
    }

    /// Whether it is a member of records that is presented as an item of its dict (spec 3.10).
    pub(crate) fn is_spliced(&self) -> bool {
        matches!(self.node.target, Target::Spliced(..))
    }

    /// The params that decide its shape.
    pub(crate) fn shape_params(&self) -> Vec<ShapeParam> {
        let arrays = match self.node.target {
            Target::Array(id) => vec![id],
            Target::Spliced(id, member) => {
                std::iter::once(id).chain(self.spliced_member(id, member)).collect()
            }
            _ => Vec::new(),
        };
        let layout = self.stream.layout();
        self.stream.with_resolver(|resolver| {
            arrays.iter().flat_map(|id| resolver.shape_params(&layout[*id])).collect()
        })
    }

    fn variable(&self) -> Error {
        Error::Variable { path: self.path.as_str().into() }
    }

    pub(crate) fn bare(&self, placed: Placed, dtype: Dtype, shape: Vec<u64>) -> Data {
        let strides = strides(&shape, dtype.size().unwrap_or(0));
        Data {
            stream: self.stream.clone(),
            path: self.path.clone(),
            array: None,
            dtype,
            shape,
            strides,
            address: placed.address,
            bytes: placed.bytes,
            filter: None,
            decoded: None,
            node: Some(self.node.clone()),
            doc: None,
            kept: crate::elements::borrowed::Kept::default(),
            extent: None,
            presented: Presented::default(),
        }
    }

    fn data_of(&self, id: ArrayId, placed: Placed, array: Described) -> Data {
        let mut data = self.bare(placed, array.dtype, array.shape);
        data.filter = array.filter;
        let mut data = data.presented_as(array.presented);
        data.array = Some(id);
        data.doc = Some(DocKey::of(self.stream.layout()[id].span));
        data
    }

    /// Elements in each dimension, slowest varying first.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("N : u1  x = u1[N, 2]")?.raw().bytes([1, 7, 8])?;
    /// assert_eq!(stream.get("/x")?.shape()?, [1, 2]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::data`].
    pub fn shape(&self) -> Result<Vec<u64>> {
        match self.data() {
            // Where it will lie is not known before it is written; its shape is.
            Err(Error::Resolve(error)) if error.is_unknown() => Ok(self.declared()?.1),
            data => Ok(data?.shape),
        }
    }

    /// Its address, in bytes from the start of the stream.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("N : u1  x = u1[N]  y = u1")?.raw().bytes([2, 7, 8, 9])?;
    /// assert_eq!(stream.get("/y")?.address()?, 3);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::data`].
    pub fn address(&self) -> Result<u64> {
        Ok(self.data()?.begin())
    }

    /// Reads all elements into a new array. See [`Data::read`].
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[2]")?.raw().bytes([0, 1, 0, 2])?;
    /// assert_eq!(stream.get("/x")?.read::<u16>()?.as_slice(), Some(&[1, 2][..]));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::data`] and [`Data::read`].
    pub fn read<T: Element>(&self) -> Result<ArrayD<T>> {
        self.data()?.read()
    }

    /// Reads all elements and converts them. See [`Data::read_as`].
    ///
    /// ```
    /// use dudley::elements::Conversion;
    ///
    /// let stream = dudley::Open::new().layout_text("x = >u2[2]")?.raw().bytes([0, 1, 0, 2])?;
    /// assert_eq!(stream.get("/x")?.read_as::<f64>(Conversion::Lossless)?.sum(), 3.0);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::data`] and [`Data::read_as`].
    pub fn read_as<T: Convert>(&self, rule: Conversion) -> Result<ArrayD<T>> {
        self.data()?.read_as(rule)
    }

    /// Reads all elements into a buffer. See [`Data::read_into`].
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2[2]")?.raw().bytes([0, 1, 0, 2])?;
    /// let mut buffer = [0_u16; 2];
    /// stream.get("/x")?.read_into(&mut buffer)?;
    /// assert_eq!(buffer, [1, 2]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::data`] and [`Data::read_into`].
    pub fn read_into<T: Element>(&self, buffer: &mut [T]) -> Result<()> {
        self.data()?.read_into(buffer)
    }

    /// The single element of a scalar, or the value of a param that `T` can hold.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = >u2")?.raw().bytes([1, 0])?;
    /// assert_eq!(stream.get("/x")?.scalar::<u16>()?, 256);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::data`] and [`Data::scalar`].
    pub fn scalar<T: Element>(&self) -> Result<T> {
        self.data()?.scalar()
    }

    /// The text of an item that is one string. See [`Data::read_text`].
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("name = S1[8]")?.raw().bytes(*b"blast\0\0\0")?;
    /// assert_eq!(stream.get("/name")?.read_text()?, "blast");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::data`] and [`Data::read_text`].
    pub fn read_text(&self) -> Result<String> {
        self.data()?.read_text()
    }

    /// Passes a view of the elements to `look`, without a copy if possible. See [`Data::view`];
    /// keep the [`Data`] to keep the view.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1[3]")?.raw().bytes([1, 2, 3])?;
    /// assert_eq!(stream.get("/x")?.view::<u8, _>(|x| x[1])?, 2);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::data`] and [`Data::view`].
    pub fn view<T: Element, R>(&self, look: impl FnOnce(ArrayViewD<'_, T>) -> R) -> Result<R> {
        let data = self.data()?;
        let view = data.view()?;
        Ok(look(view))
    }

    /// The value of a param.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("N : u1  x = u1[N]")?.raw().bytes([1, 7])?;
    /// assert_eq!(stream.get("/N")?.param_value()?, 1);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If it cannot be read, or is below -1 or above 2^63 - 1; [`Error::NotData`] if it is no param.
    pub fn param_value(&self) -> Result<i64> {
        match self.node.target {
            Target::Param(id) => self.stream.with_resolver(|resolver| {
                let (value, address) = resolver.value_at(&self.node)?;
                Ok(resolver.legal_value(id, value, address)?)
            }),
            _ => {
                Err(Error::NotData { path: self.path.as_str().into(), kind: self.kind().as_str() })
            }
        }
    }

    /// Reads everything in the item as a value: a dict as a struct, a list as an array.
    ///
    /// ```
    /// use dudley::Value;
    ///
    /// let stream = dudley::Open::new().layout_text("x = u1[2]")?.raw().bytes([7, 8])?;
    /// assert_eq!(stream.get("/x")?.value()?, Value::Array(vec![Value::Int(7), Value::Int(8)]));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If reading any of it fails.
    pub fn value(&self) -> Result<Value> {
        match self.kind() {
            ItemKind::Data => self.data()?.value(),
            ItemKind::Param => self.stream.resolve(|resolver| {
                resolver.value_at(&self.node).map(|(value, _)| Value::Int(value))
            }),
            ItemKind::List => {
                let items = self.items()?.map(|item| item?.value());
                Ok(Value::Array(items.collect::<Result<_>>()?))
            }
            ItemKind::Dict => {
                let named = self.names().into_iter().filter_map(|name| {
                    let child = self.child(&name)?;
                    Some(child.value().map(|value| (name, value)))
                });
                Ok(Value::Struct(named.collect::<Result<_>>()?))
            }
        }
    }

    /// As [`Self::value`], into a sink, element by element; with `exact`, elements that their plain form would not give
    /// back bit by bit as bits.
    ///
    /// ```
    /// use dudley::Value;
    /// use dudley::elements::Builder;
    ///
    /// let nan = f32::from_bits(0x7fc0_0001);
    /// let stream = dudley::Open::new().layout_text("d/ x = f4")?.bytes(nan.to_le_bytes())?;
    /// let mut value = Builder::default();
    /// stream.get("/d")?.emit(&mut value, true)?;
    /// assert_eq!(value.finish(), Value::Struct(vec![("x".to_owned(), Value::Bits(nan.to_be_bytes().to_vec()))]));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::value`], after the readable part was passed on; if the sink fails.
    pub fn emit(&self, sink: &mut dyn Sink, exact: bool) -> Result<()> {
        match self.kind() {
            ItemKind::Data => self.data()?.emit(sink, exact),
            ItemKind::Param => self.value()?.emit(sink),
            ItemKind::List => {
                let items = self.items()?;
                sink.begin_array(self.len()?)?;
                for item in items {
                    item?.emit(sink, exact)?;
                }
                sink.end_array()
            }
            ItemKind::Dict => {
                sink.begin_struct()?;
                for name in self.names() {
                    let Some(child) = self.child(&name) else { continue };
                    sink.field(&name)?;
                    child.emit(sink, exact)?;
                }
                sink.end_struct()
            }
        }
    }

    fn doc_key(&self) -> DocKey {
        let layout = self.stream.layout();
        match self.node.target {
            Target::Dict(id) if id == dudley_parser::layout::ROOT => DocKey::LAYOUT,
            Target::Dict(id) => DocKey::of(layout[id].span),
            Target::List(id) => DocKey::of(layout[id].span),
            Target::Array(id) => DocKey::of(layout[id].span),
            Target::Param(id) => DocKey::of(layout[id].span),
            Target::Spliced(id, member) => match layout[id].element {
                Made::Record(record) => {
                    let step = layout.run(layout[record].members).get(member as usize);
                    let found = step.and_then(|step| layout.presented_member(*step));
                    DocKey::of(found.map_or(layout[id].span, |(_, span)| span))
                }
                _ => DocKey::of(layout[id].span),
            },
        }
    }

    /// The lines of its documentation.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("grp/ x = u1[3]  ## (cm) place")?.raw().bytes([1, 2, 3])?;
    /// assert_eq!(stream.get("/grp/x")?.doc().collect::<Vec<_>>(), ["(cm) place"]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn doc(&self) -> impl Iterator<Item = &str> {
        self.stream.layout().doc(self.doc_key())
    }

    /// The lines of its documentation, without the unit.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1  ## (mm) edge")?.bytes(vec![1])?;
    /// assert_eq!(stream.get("/x")?.doc_without_unit().collect::<Vec<_>>(), ["edge"]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn doc_without_unit(&self) -> impl Iterator<Item = &str> {
        self.stream.layout().doc_without_unit(self.doc_key())
    }

    /// Its unit.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("grp/ x = u1[3]  ## (cm) place")?.raw().bytes([1, 2, 3])?;
    /// assert_eq!(stream.get("/grp/x")?.unit(), Some("cm"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn unit(&self) -> Option<&str> {
        self.stream.layout().unit(self.doc_key())
    }

    /// Its attributes.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("x = u1  #: level = 3")?.raw().bytes([7])?;
    /// assert_eq!(stream.get("/x")?.attributes()[0].name, "level");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn attributes(&self) -> &[Attribute] {
        self.stream.layout().attributes(self.doc_key())
    }
}

impl Data {
    /// Its layout, which has the documentation of [fields](crate::read::dtype::Field::doc).
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("grp/ x = u1[3]  ## (cm) place")?.raw().bytes([1, 2, 3])?;
    /// assert!(stream.get("/grp/x")?.data()?.layout().text().starts_with("grp/"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn layout(&self) -> &dudley_parser::Layout {
        self.stream.layout()
    }

    /// The attributes of the item, or of the field.
    ///
    /// ```
    /// let stream = dudley::Open::new()
    ///     .layout_text("p = {\n  t = i8  #: numpy = \"M8[s]\"\n}")?
    ///     .bytes(vec![0; 8])?;
    /// let t = stream.get("/p")?.data()?.field("t")?;
    /// assert_eq!(t.attributes()[0].text(), Some("M8[s]"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn attributes(&self) -> &[Attribute] {
        self.doc.map_or(&[], |doc| self.layout().attributes(doc))
    }

    /// The lines of documentation of the item, or of the field.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("grp/ x = u1[3]  ## (cm) place")?.raw().bytes([1, 2, 3])?;
    /// assert_eq!(stream.get("/grp/x")?.data()?.doc().next(), Some("(cm) place"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn doc(&self) -> impl Iterator<Item = &str> {
        self.doc.into_iter().flat_map(|doc| self.layout().doc(doc))
    }

    /// The lines of documentation of the item, or of the field, without the unit.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("grp/ x = u1[3]  ## (cm) place")?.raw().bytes([1, 2, 3])?;
    /// assert_eq!(stream.get("/grp/x")?.data()?.doc_without_unit().next(), Some("place"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn doc_without_unit(&self) -> impl Iterator<Item = &str> {
        self.doc.into_iter().flat_map(|doc| self.layout().doc_without_unit(doc))
    }

    /// The unit of the item, or of the field.
    ///
    /// ```
    /// let stream = dudley::Open::new().layout_text("grp/ x = u1[3]  ## (cm) place")?.raw().bytes([1, 2, 3])?;
    /// assert_eq!(stream.get("/grp/x")?.data()?.unit(), Some("cm"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn unit(&self) -> Option<&str> {
        self.layout().unit(self.doc?)
    }

    /// A member of a spliced record, by its index among the members.
    pub(crate) fn member(&self, step: usize, path: &str) -> Result<Data> {
        let Dtype::Record(record) = self.dtype.clone() else {
            return Err(Error::Variable { path: path.into() });
        };
        Ok(Data { path: path.to_owned(), ..self.field_at(&record, step)? })
    }
}

/// The name of a step in a dict.
fn step_names(layout: &dudley_parser::Layout, dict: DictId, step: Step, names: &mut Vec<String>) {
    let symbol = match step {
        Step::Array(id) if layout[id].spliced && layout[id].dict == Some(dict) => {
            let Made::Record(record) = layout[id].element else { return };
            for &member in layout.run(layout[record].members) {
                if let Some((member, _)) = layout.presented_member(member) {
                    names.push(layout.name(member).to_owned());
                }
            }
            return;
        }
        Step::Array(id) if layout[id].dict == Some(dict) => layout[id].name,
        Step::Enter(id) if layout[id].parent == Some(dict) => layout[id].name,
        Step::Repeat(id) => {
            let list = layout[id].list;
            let first = layout[list].pieces.first() == Some(&id);
            if !first || layout[list].dict != dict || layout[list].outer.is_some() {
                return;
            }
            layout[list].name
        }
        _ => return,
    };
    if let Some(Entry::Array(_) | Entry::Dict(_) | Entry::List(_)) = layout.entry(dict, symbol) {
        names.push(layout.name(symbol).to_owned());
    }
}
