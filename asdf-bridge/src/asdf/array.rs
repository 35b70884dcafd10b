//! An array of the tree, as the engine has arrays: views, slices, and reading into one's own memory.

pub(super) mod chunked;
mod extents;
mod inline;
pub(super) mod mask;
pub(super) mod missing;
pub(super) mod rows;

use std::sync::Arc;

use dudley::bytes::Region;
use dudley::elements::{Conversion, Convert, Element, Value};
use dudley::ndarray::{ArrayD, ArrayViewD};
use dudley::read::Parts;
use dudley::read::path::Part;
use dudley::read::select::Picked;
use dudley::read::slice::parse_slice;
use dudley::{Data, Primitive};
use dudley_parser::place;

use super::blocks::{self, Block};
use super::datatype::{Datatype, meant};
use super::error::{Error, Result};
use super::external::join;
use super::file::{AsdfFile, without_fragment};
use super::ndarray::{self, Source, Spec, Stored};
use super::report::Finding;
use super::tree::{Node, NodeId};
use chunked::{Chunked, assembled};
use mask::Mask;
use missing::Missing;
use rows::rows;

/// How many times more bytes than its block an array may have that is held in memory: views may overlap.
const OVERLAP: u64 = 64;

/// This many bytes it may have anyway.
const SMALL: u64 = 64 << 20;

/// An array of the tree, not yet read.
///
/// Its elements are where the tree says: in a block, in the first block of another file, in the tree itself, or in
/// several arrays that are its [chunks](Self::chunks). [`Self::data`] gives the array of the engine, which has all that
/// arrays of streams have.
#[derive(Clone, Debug)]
pub struct Array {
    file: AsdfFile,
    node: NodeId,
    path: String,
    shape: Vec<u64>,
    datatype: Datatype,
    numpy: Option<String>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Stored(Arc<Stored>),
    Inline(Arc<inline::Read>),
    Chunked(Arc<Chunked>),
    /// In the file of another format that its file lies in.
    Hosted(Arc<Stored>),
}

/// How masked elements are taken.
pub(super) enum Masked<'v> {
    /// As null.
    Null,
    /// As they are stored.
    Stored,
    /// As the first of these values that their type holds.
    Filled(&'v [Value]),
}

impl Array {
    /// The array that a node is.
    pub(super) fn of(file: &AsdfFile, node: Node<'_>, path: &str) -> Result<Array> {
        Array::stated_by(file, node, path, Spec::parse(node, path)?)
    }

    /// The array of a node of which this is said.
    pub(super) fn stated_by(
        file: &AsdfFile,
        node: Node<'_>,
        path: &str,
        spec: Spec,
    ) -> Result<Array> {
        let array = |shape, datatype, kind| Array {
            file: file.clone(),
            node: node.id(),
            path: path.to_owned(),
            shape,
            numpy: meant(node).or_else(|| bytes_of(&datatype)),
            datatype,
            kind,
        };
        match spec {
            Spec::Inline(spec) => {
                let read = inline::read(node.tree(), &spec, path)?;
                let (shape, datatype) = (read.shape.clone(), read.datatype.clone());
                Ok(array(shape, datatype, Kind::Inline(Arc::new(read))))
            }
            Spec::Stored(stored) if !stored.streamed && file.is_of_host(&stored.source) => {
                let (shape, datatype) = (stored.shape.clone(), stored.datatype.clone());
                Ok(array(shape, datatype, Kind::Hosted(Arc::new(stored))))
            }
            Spec::Stored(stored) => {
                let mut shape = stored.shape.clone();
                if stored.streamed {
                    shape.insert(0, rows(file, &stored, node, path)?.count);
                }
                Ok(array(shape, stored.datatype.clone(), Kind::Stored(Arc::new(stored))))
            }
        }
    }

    /// The array that these chunks are parts of, at a node of the tree.
    pub(super) fn of_chunks(file: &AsdfFile, node: Node<'_>, chunked: Chunked) -> Result<Array> {
        let (datatype, numpy) = chunked.datatype(node)?;
        Ok(Array {
            file: file.clone(),
            node: node.id(),
            path: chunked.path().to_owned(),
            shape: chunked.shape().to_vec(),
            datatype,
            numpy,
            kind: Kind::Chunked(Arc::new(chunked)),
        })
    }

    /// The arrays that it is put together of; none but of one [in chunks](crate::asdf::Item::is_chunked).
    ///
    /// ```
    /// use asdf_bridge::asdf::Open;
    ///
    /// let chunk = |start| format!("!core/chunk-1.0.0 {{start: [{start}], ndarray: !core/ndarray-1.1.0 [1, 2]}}");
    /// let chunks = format!("{{shape: [4], chunks: [{}, {}]}}", chunk(0), chunk(2));
    /// let text = format!("#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n---\nx: !core/chunked-ndarray-1.0.0 {chunks}\n");
    /// let array = Open::new().bytes(text)?.array("/x")?;
    /// assert_eq!(array.chunks().count(), 2);
    /// assert_eq!(array.read::<i64>()?.as_slice(), Some(&[1, 2, 1, 2][..]));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn chunks(&self) -> impl Iterator<Item = &Array> {
        let chunks = match &self.kind {
            Kind::Chunked(chunked) => chunked.chunks(),
            _ => &[],
        };
        chunks.iter().map(|chunk| &chunk.array)
    }

    /// Its path, as [`Item::path`](crate::asdf::Item::path) has it.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The number of the node in its file.
    pub(super) fn node_id(&self) -> NodeId {
        self.node
    }

    /// The file whose tree it is in.
    pub fn file(&self) -> &AsdfFile {
        &self.file
    }

    /// Its node in the tree.
    ///
    /// # Errors
    /// None in practice: an array is of a file with a tree.
    pub fn node(&self) -> Result<Node<'_>> {
        Ok(self.file.tree()?.node(self.node))
    }

    /// Oddities of its node in the tree: [`Code::NoByteOrder`](super::Code::NoByteOrder) and
    /// [`Code::UnknownKey`](super::Code::UnknownKey), so that its values may be others than they should be; that its
    /// last row is not whole, [`Code::PartialRow`](super::Code::PartialRow); and that a text in the tree has other
    /// characters than its type, [`Code::BadScalar`](super::Code::BadScalar). Of one in chunks what
    /// [`Chunked::odd`] says, and nothing of its chunks.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Code, Open};
    ///
    /// let array = "!core/ndarray-1.1.0 {source: 0, datatype: int32, bxteorder: little, shape: [0]}";
    /// let text = format!("#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n---\na: {array}\n...\n");
    /// let odd = Open::new().bytes(text)?.array("/a")?.odd()?;
    /// assert_eq!(odd.len(), 2);
    /// assert_eq!((odd[0].code, odd[1].code), (Code::UnknownKey, Code::NoByteOrder));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::node`]; [`Error::Block`] if the block that should say how many rows there are is gone.
    pub fn odd(&self) -> Result<Vec<Finding>> {
        if let Kind::Chunked(chunked) = &self.kind {
            return Ok(chunked.odd());
        }
        let mut odd = ndarray::odd(self.node()?, self.file.text().dialect, &self.path);
        odd.extend(self.partial_row()?);
        if let Kind::Inline(read) = &self.kind {
            odd.extend(read.odd(self.file.tree()?, &self.path));
        }
        Ok(odd)
    }

    /// Elements in each dimension, slowest varying first.
    pub fn shape(&self) -> &[u64] {
        &self.shape
    }

    /// The shape that the array of [`Self::data`] has: where elements are texts, their units are one dimension more.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray, Open};
    ///
    /// let texts = NewArray::texts(&["ab", "cdefg"]);
    /// let file = Open::new().bytes(Builder::new().put("s", texts).to_bytes()?)?;
    /// let array = file.array("/s")?;
    /// assert_eq!((array.shape(), &*array.data_shape()), (&[2][..], &[2, 5][..]));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn data_shape(&self) -> Vec<u64> {
        let units = self.datatype.inner().map(|(units, _)| units);
        self.shape.iter().copied().chain(units).collect()
    }

    /// The type of its elements.
    pub fn datatype(&self) -> &Datatype {
        &self.datatype
    }

    /// The type of its elements in numpy, if numpy has a more specific one: `M8[ns]` for times,
    /// which are integers here; `V5` for bytes; `S3` for texts in ASCII. The standard has no types for times, so this
    /// stands beside the standard's keys, under `numpy`, and other programs see the integers. The array of
    /// [`Self::data`] has it as its attribute of that name.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray, Open};
    ///
    /// let layout = "t = i8[2]  #: numpy = \"M8[s]\"";
    /// let stream = dudley::Open::new().layout_text(layout)?.raw().bytes(vec![0; 16])?;
    /// let times = NewArray::data(&stream.get("/t")?.data()?)?;
    /// let file = Open::new().bytes(Builder::new().put("t", times).to_bytes()?)?;
    /// assert_eq!(file.array("/t")?.numpy(), Some("M8[s]"));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn numpy(&self) -> Option<&str> {
        self.numpy.as_deref()
    }

    /// Which block it is in; `None` if its elements are in the tree, or in chunks.
    pub fn source(&self) -> Option<&Source> {
        match &self.kind {
            Kind::Stored(stored) => Some(&stored.source),
            Kind::Inline(_) | Kind::Chunked(_) | Kind::Hosted(_) => None,
        }
    }

    /// The block that it is in, if that is one of this file.
    ///
    /// # Errors
    /// [`Error::Block`] if there is no such block.
    pub fn block(&self) -> Result<Option<Arc<Block>>> {
        match self.source() {
            Some(Source::Block(index)) => self.file.block(*index).map(Some),
            _ => Ok(None),
        }
    }

    /// The number of the block of this file that it is in, which need not be there.
    ///
    /// ```
    /// use asdf_bridge::asdf::Open;
    ///
    /// let tree = b"#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n--- \n\
    ///     x: !core/ndarray-1.1.0 {source: 7, datatype: int8, shape: [1]}\n...\n";
    /// assert_eq!(Open::new().bytes(*tree)?.array("/x")?.block_number(), Some(7));
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn block_number(&self) -> Option<usize> {
        match self.source() {
            // Those in front need not be counted.
            Some(Source::Block(index)) if *index >= 0 => blocks::number(*index, 0),
            Some(Source::Block(index)) => blocks::number(*index, self.file.blocks().ok()?.len()),
            _ => None,
        }
    }

    /// The file that has the block that it is in, this one or another, and the block; `None` if its elements are in
    /// the tree.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, NewArray, Open};
    ///
    /// let bytes = Builder::new().put("x", NewArray::from(vec![1_u8, 2])).to_bytes()?;
    /// let file = Open::new().bytes(bytes)?;
    /// let (home, block) = file.array("/x")?.stored_in()?.expect("it is in a block");
    /// assert!(home.verify_block(&block).is_empty());
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Block`] if there is no such block; [`Error::External`].
    pub fn stored_in(&self) -> Result<Option<(AsdfFile, Arc<Block>)>> {
        let Some(source) = self.source() else { return Ok(None) };
        let (file, index) = self.file.home(source)?;
        let block = file.block(index)?;
        Ok(Some((file, block)))
    }

    /// The file that has its elements, if that is not the one that was opened: its URI from the folder of that. The
    /// array may be of another file that a reference leads to, or have its elements in one.
    ///
    /// ```
    /// use asdf_bridge::asdf::Open;
    ///
    /// let array = "!core/ndarray-1.1.0 {source: b.asdf, datatype: int8, shape: [1]}";
    /// let text = format!("#ASDF 1.0.0\n%TAG ! tag:stsci.edu:asdf/\n---\na: {array}\nb: !core/ndarray-1.1.0 [1]\n...\n");
    /// let file = Open::new().bytes(text)?;
    /// assert_eq!(file.array("/a")?.outside().as_deref(), Some("b.asdf"));
    /// assert_eq!(file.array("/b")?.outside(), None);
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn outside(&self) -> Option<String> {
        let uri = match self.source() {
            Some(Source::External(uri)) => join(self.file.uri(), without_fragment(uri)),
            _ => self.file.uri().to_owned(),
        };
        (!uri.is_empty()).then_some(uri)
    }

    /// What the tree says of its place, if it is in a block.
    pub(super) fn stored(&self) -> Option<&Stored> {
        match &self.kind {
            Kind::Stored(stored) => Some(stored),
            Kind::Inline(_) | Kind::Chunked(_) | Kind::Hosted(_) => None,
        }
    }

    /// What the tree says of it, if it is in the file of another format that its file lies in.
    pub(super) fn of_host(&self) -> Option<&Stored> {
        match &self.kind {
            Kind::Hosted(stored) => Some(stored),
            Kind::Stored(_) | Kind::Inline(_) | Kind::Chunked(_) => None,
        }
    }

    /// Where its first element is in the block, in bytes.
    pub fn offset(&self) -> u64 {
        match &self.kind {
            Kind::Stored(stored) => stored.offset,
            Kind::Inline(_) | Kind::Chunked(_) | Kind::Hosted(_) => 0,
        }
    }

    /// Bytes from one index to the next, for each dimension.
    ///
    /// # Errors
    /// [`dudley::Error::TooLarge`] if they are more than 63 bits can say.
    pub fn strides(&self) -> Result<Vec<i64>> {
        match &self.kind {
            Kind::Stored(stored) => strides(stored, &self.shape),
            Kind::Inline(_) | Kind::Chunked(_) | Kind::Hosted(_) => {
                packed(&self.shape, self.datatype.size())
            }
        }
    }

    /// Whether its elements are side by side, in order.
    pub fn is_packed(&self) -> bool {
        let packed = packed(&self.shape, self.datatype.size());
        matches!((self.strides(), packed), (Ok(own), Ok(packed)) if own == packed)
    }

    /// The array of the engine: what reads, slices and looks at elements.
    ///
    /// Elements of an uncompressed block stay where they are, and addresses are those of the file.
    /// A compressed block is decompressed as far as is read, once for all arrays of it that are in use, so
    /// that damage may show only when it is read; a [view](Data::view) takes all of it.
    ///
    /// By strides an array may have many more elements than its block: [`Data::for_each_block`] takes little memory for
    /// any, where [`Self::read`] refuses.
    ///
    /// # Errors
    /// [`Error::Block`] and [`Error::External`] if the block cannot be obtained; [`Error::OutOfBlock`] if
    /// the array is larger; [`Error::Limit`] for more bytes than may be decompressed; [`Error::Engine`] for damaged
    /// data.
    pub fn data(&self) -> Result<Data> {
        let stored = match &self.kind {
            Kind::Inline(read) => return read.data(self),
            Kind::Chunked(chunked) => return self.assembled(chunked),
            Kind::Hosted(stored) => return self.hosted(stored),
            Kind::Stored(stored) => stored,
        };
        let (file, index) = self.file.home(&stored.source)?;
        let elements = file.elements(index)?;
        self.region(stored, elements.stored, elements.bytes)?;
        let strides = strides(stored, &self.shape)?;
        let address = elements.address.checked_add(stored.offset).ok_or_else(too_large)?;
        Ok(self.parts(&self.shape)?.at(address).strides(&strides).data(elements.source)?)
    }

    /// The array of the file that this one lies in, if that is of the type and the shape that the tree says. The byte order
    /// of the tree is that which a program had in memory, and is no matter of what is stored.
    fn hosted(&self, stored: &Stored) -> Result<Data> {
        let data = self.file.of_host(&stored.source)?;
        let expected = self.parts(&self.shape)?.data(Vec::new())?;
        let dtype = |data: &Data| data.dtype_name().replace(['<', '>'], "");
        let is_whole = stored.offset == 0 && self.is_whole(stored)?;
        if is_whole && data.shape() == expected.shape() && dtype(&data) == dtype(&expected) {
            return Ok(data);
        }
        let (is, said) = (data.dtype_name(), expected.dtype_name());
        let (shape, wanted) = (data.shape(), expected.shape());
        let why =
            format!("it is {is} of shape {shape:?}, and the tree says {said} of shape {wanted:?}");
        let uri = self.uri_of(stored).into();
        Err(Error::External { uri, why: why.into() })
    }

    /// Whether the tree says that elements are side by side.
    fn is_whole(&self, stored: &Stored) -> Result<bool> {
        Ok(strides(stored, &self.shape)? == packed(&self.shape, self.datatype.size())?)
    }

    fn uri_of(&self, stored: &Stored) -> String {
        match &stored.source {
            Source::External(uri) => uri.clone(),
            Source::Block(index) => index.to_string(),
        }
    }

    /// The elements of chunks as one array.
    fn assembled(&self, chunked: &Arc<Chunked>) -> Result<Data> {
        let size = self.datatype.size().ok_or_else(too_large)?;
        let source = assembled(chunked, size).ok_or_else(too_large)?;
        Ok(self.parts(&self.shape)?.data(source)?)
    }

    /// As [`Self::data`], for the code that holds all elements in memory, of which there may not be very many more than the block
    /// has.
    pub(super) fn held(&self) -> Result<Data> {
        let data = self.data()?;
        if data.bytes() <= SMALL {
            return Ok(data);
        }
        let stored = match &self.kind {
            Kind::Stored(stored) => stored,
            Kind::Inline(_) | Kind::Hosted(_) => return Ok(data),
            Kind::Chunked(chunked) => return chunked.check_held().map(|()| data),
        };
        let (file, index) = self.file.home(&stored.source)?;
        let bytes = file.elements(index)?.bytes;
        let most = bytes.saturating_mul(OVERLAP).max(SMALL);
        if data.bytes() > most {
            let limit = format!("{most} bytes in memory for a block of {bytes}").into();
            return Err(Error::Limit { what: format!("`{}`", self.path).into(), limit });
        }
        Ok(data)
    }

    /// How the engine shows the type of its elements: `<f8`, `struct{lon=<f8@0}`. A text is shown as its
    /// units, which are one dimension more.
    ///
    /// # Errors
    /// If the engine has no such type.
    pub fn dtype_name(&self) -> Result<String> {
        Ok(self.parts(&[])?.data(Vec::new())?.dtype_name())
    }

    /// What an array of its type, in a shape, is made of for the engine.
    pub(super) fn parts(&self, shape: &[u64]) -> Result<Parts> {
        self.parts_of(&self.datatype, self.numpy(), shape)
    }

    /// The same of another type, and of what its elements are to numpy.
    pub(super) fn parts_of(
        &self,
        datatype: &Datatype,
        numpy: Option<&str>,
        shape: &[u64],
    ) -> Result<Parts> {
        let parts = datatype.parts(numpy, shape).ok_or_else(too_large)?;
        Ok(parts.path(&*self.path).work(self.file.inner.work.clone()))
    }

    /// Where it is in the file: the address of its first element and the bytes of all, or, in a compressed
    /// block, those of what is stored. `None` if it is not in a block of the file. No data are read.
    ///
    /// # Errors
    /// [`Error::Block`]; [`Error::OutOfBlock`].
    pub fn place(&self) -> Result<Option<(u64, u64)>> {
        let (Some(block), Kind::Stored(stored)) = (self.block()?, &self.kind) else {
            return Ok(None);
        };
        let bytes = if block.compression().is_some() { block.decoded } else { block.used() };
        let region = self.region(stored, block.data.start, bytes)?;
        Ok(Some(match block.compression() {
            Some(_) => (block.data.start, block.used()),
            None => {
                let address = block.data.start.checked_add(stored.offset).ok_or_else(too_large)?;
                (address, region.byte_len())
            }
        }))
    }

    /// Whether its elements are within this many bytes of its block.
    pub(super) fn is_within(&self, stored: &Stored, bytes: u64) -> bool {
        self.region(stored, 0, bytes).is_ok()
    }

    /// Where the elements are in a block of this many bytes, whose data stand at `address` of the file.
    fn region(&self, stored: &Stored, address: u64, bytes: u64) -> Result<Region> {
        let strides = strides(stored, &self.shape)?;
        let size = self.datatype.size().ok_or_else(too_large)?;
        let place = Place { address: stored.offset, shape: &self.shape, strides: &strides };
        within(&self.path, address, &place, size, bytes)
    }

    /// Which elements have no value: `None` if it has no mask.
    ///
    /// # Errors
    /// [`Error::Node`] if what the tree says is no mask; what the array of a mask says.
    pub fn mask(&self) -> Result<Option<Mask>> {
        match &self.kind {
            Kind::Inline(read) => {
                let stated = self.stated(read.mask)?;
                if !read.has_nulls() {
                    return Ok(stated);
                }
                let data = self.held()?;
                let elements = self.elements(&data);
                let Some(nulls) = read.missing(&elements)? else { return Ok(stated) };
                Ok(Some(Mask::Nulls(match stated {
                    Some(stated) => nulls.or(&stated.of(&elements)?),
                    None => nulls,
                })))
            }
            Kind::Stored(stored) | Kind::Hosted(stored) => self.stated(stored.mask),
            Kind::Chunked(chunked) => {
                for chunk in self.chunks() {
                    if chunk.mask()?.is_some() {
                        return Ok(Some(Mask::Chunks(chunked.clone())));
                    }
                }
                Ok(None)
            }
        }
    }

    fn stated(&self, mask: Option<NodeId>) -> Result<Option<Mask>> {
        let Some(mask) = mask else { return Ok(None) };
        let mask = self.file.tree()?.node(mask);
        mask::parse(&self.file, mask, &self.path).map(Some)
    }

    /// All elements, in a new array. See [`Data::read`].
    ///
    /// # Errors
    /// As [`Self::data`] and [`Data::read`]; [`Error::Limit`] for very many more bytes than the block has.
    pub fn read<T: Element>(&self) -> Result<ArrayD<T>> {
        Ok(self.held()?.read()?)
    }

    /// All elements, converted. See [`Data::read_as`].
    ///
    /// # Errors
    /// As [`Self::read`] and [`Data::read_as`].
    pub fn read_as<T: Convert>(&self, rule: Conversion) -> Result<ArrayD<T>> {
        Ok(self.held()?.read_as(rule)?)
    }

    /// All elements into a caller's buffer. See [`Data::read_into`].
    ///
    /// # Errors
    /// As [`Self::data`] and [`Data::read_into`].
    pub fn read_into<T: Element>(&self, buffer: &mut [T]) -> Result<()> {
        Ok(self.data()?.read_into(buffer)?)
    }

    /// The texts of an array of texts. See [`Data::read_texts`].
    ///
    /// # Errors
    /// As [`Self::read`] and [`Data::read_texts`].
    pub fn read_texts(&self) -> Result<ArrayD<String>> {
        Ok(self.held()?.read_texts()?)
    }

    /// A slice as numpy writes it: `"10:20, ::2, -1"`. Only what it picks will be read.
    ///
    /// # Errors
    /// As [`Self::data`]; [`dudley::Error::BadSlice`].
    pub fn slice(&self, indices: &str) -> Result<Data> {
        let indices = parse_slice(indices).map_err(|why| dudley::Error::BadSlice {
            item: dudley::error::Item::new(self.path.as_str()),
            why: why.into(),
        })?;
        Ok(self.data()?.slice(&indices)?)
    }

    /// What slices and fields pick; if it has a mask, taken as `masked` says.
    pub(super) fn pick(&self, parts: &[Part], masked: &Masked<'_>) -> Result<Picked> {
        let (data, missing) = match masked {
            Masked::Stored => (apart(self.data()?, parts)?, None),
            Masked::Null => self.part(parts)?,
            Masked::Filled(values) => (apart(self.filled(values)?, parts)?, None),
        };
        let Some(missing) = missing else { return Ok(Picked::Data(data)) };
        let mut builder = dudley::elements::Builder::default();
        emit_masked(&data, &mut builder, &missing, false)?;
        let shape = match data.dtype().primitive() {
            // The last dimension of text is that of its units.
            Some((primitive, _)) if primitive.is_text() => {
                &data.shape()[..data.shape().len().saturating_sub(1)]
            }
            _ => data.shape(),
        };
        let (value, dtype) = (builder.finish(), Some(data.dtype().clone()));
        let (shape, attributes) = (shape.to_vec(), Vec::new());
        Ok(Picked::Value { value, dtype, shape, attributes })
    }

    /// What slices and fields pick, and which of its cells have no value, if the array has a mask.
    pub(super) fn part(&self, parts: &[Part]) -> Result<(Data, Option<Missing>)> {
        let Some(mask) = self.mask()? else { return Ok((apart(self.data()?, parts)?, None)) };
        let mut data = self.held()?;
        let missing = mask.of(&self.elements(&data))?;
        let mut mask = beside(self.booleans(&missing)?, &data)?;
        for part in parts {
            let part = std::slice::from_ref(part);
            data = apart(data, part)?;
            mask = beside(apart(mask, part)?, &data)?;
        }
        let missing = Missing::picked(&mask, &data)?;
        Ok((data, Some(missing)))
    }

    /// Lends the elements where they are. See [`Data::view`]; keep the [`Data`] to keep the view.
    ///
    /// # Errors
    /// As [`Self::data`] and [`Data::view`].
    pub fn view<T: Element, R>(&self, look: impl FnOnce(ArrayViewD<'_, T>) -> R) -> Result<R> {
        let data = self.data()?;
        let view = data.view()?;
        Ok(look(view))
    }

    /// Everything in it as a value; masked elements are null, and times that are none
    /// ([`Data::emit_shown`]).
    ///
    /// # Errors
    /// As [`Self::read`] and [`Self::mask`].
    pub fn value(&self) -> Result<Value> {
        let mut builder = dudley::elements::Builder::default();
        self.emit(&mut builder, false)?;
        Ok(builder.finish())
    }

    /// As [`Self::value`], into a sink.
    ///
    /// # Errors
    /// As [`Self::value`]; if the sink fails.
    pub fn emit(&self, sink: &mut dyn dudley::elements::Sink, exact: bool) -> Result<()> {
        let data = self.held()?;
        match self.mask()? {
            None if exact => Ok(data.emit(sink, true)?),
            None => Ok(data.emit_shown(sink)?),
            Some(mask) => emit_masked(&data, sink, &mask.of(&self.elements(&data))?, exact),
        }
    }
}

/// Elements with null in place of those that are masked.
fn emit_masked(
    data: &Data,
    sink: &mut dyn dudley::elements::Sink,
    missing: &Missing,
    exact: bool,
) -> Result<()> {
    let mut sink = mask::Masked::new(sink, missing);
    if exact {
        data.emit(&mut sink, true)?
    } else {
        data.emit_shown(&mut sink)?
    }
    Ok(())
}

/// What slices and fields pick of data.
pub(super) fn apart(mut data: Data, parts: &[Part]) -> Result<Data> {
    for part in parts {
        data = match part {
            Part::Slice(indices) => data.slice(indices)?,
            Part::Field(name) => data.field(name)?,
            Part::Name { .. } | Part::Param(..) => data,
        };
    }
    Ok(data)
}

/// A mask with the dimensions of what it masks: each unit of a text is masked as the text is.
fn beside(mask: Data, data: &Data) -> Result<Data> {
    if mask.shape().len() >= data.shape().len() {
        return Ok(mask);
    }
    let mut strides = mask.strides().to_vec();
    strides.resize(data.shape().len(), 0);
    Ok(mask.as_strided(mask.address(), data.shape(), &strides)?)
}

/// Where the elements of an array are in some bytes.
pub(super) struct Place<'p> {
    pub(super) address: u64,
    pub(super) shape: &'p [u64],
    pub(super) strides: &'p [i64],
}

/// Where elements of this many bytes are in a block of this many; for errors, what they are and where its data begin.
pub(super) fn within(
    path: &str,
    begin: u64,
    place: &Place<'_>,
    size: u64,
    available: u64,
) -> Result<Region> {
    let Place { address, shape, strides } = place;
    let out = |start: i128, end: u64| Error::OutOfBlock {
        path: path.into(),
        address: begin,
        start: i64::try_from(start).unwrap_or(if start < 0 { i64::MIN } else { i64::MAX }),
        end,
        available,
    };
    if !shape.contains(&0) {
        let reach = |forward: bool| {
            let dims =
                shape.iter().zip(*strides).filter(move |(_, stride)| (**stride > 0) == forward);
            dims.map(|(dim, stride)| i128::from(*dim - 1).saturating_mul((*stride).into()))
                .fold(i128::from(*address), i128::saturating_add)
        };
        let start = reach(false);
        if start < 0 {
            let end = reach(true).saturating_add(size.into());
            return Err(out(start, u64::try_from(end).unwrap_or(u64::MAX)));
        }
    }
    let region = Region::new(*address, shape, strides, size)?;
    let span = region.span();
    if !region.is_empty() && span.end > available {
        Err(out(span.start.into(), span.end))
    } else {
        Ok(region)
    }
}

pub(super) fn too_large() -> Error {
    dudley::Error::too_large(u64::MAX).into()
}

/// What text of ASCII is to numpy: bytes, where text of UCS-4 is text.
pub(super) fn bytes_of(datatype: &Datatype) -> Option<String> {
    match datatype {
        Datatype::Text(Primitive::S1, units, _) => Some(format!("S{units}")),
        _ => None,
    }
}

/// Strides of elements that are side by side.
pub(super) fn packed(shape: &[u64], size: Option<u64>) -> Result<Vec<i64>> {
    let size = size.ok_or_else(too_large)?;
    if shape.contains(&0) {
        return Ok(vec![0; shape.len()]);
    }
    let total = shape.iter().try_fold(size, |total, dim| total.checked_mul(*dim));
    total.and_then(|total| i64::try_from(total).ok()).ok_or_else(too_large)?;
    Ok(place::strides(shape, size).into_iter().map(|stride| stride as i64).collect())
}

/// Bytes from one index of an array to the next, as declared or as they follow from its shape.
pub(super) fn strides(stored: &Stored, shape: &[u64]) -> Result<Vec<i64>> {
    match &stored.strides {
        Some(strides) => Ok(strides.clone()),
        None => packed(shape, stored.datatype.size()),
    }
}
