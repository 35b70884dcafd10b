//! Lists that are one array in blocks (spec 7.5): where each block is, and all of them as one array.

use std::sync::Arc;

use dudley_parser::comments::{AttrValue, Attribute};
use dudley_parser::layout::blocks::{Areas, FILL_BYTES, Whole, cell_start};
use dudley_parser::layout::presented::Misfit;
use dudley_parser::layout::{DocKey, Layout, ListId, Step};
use dudley_parser::resolve::{Node, Placed, ResolveError, Resolver, Target};
use dudley_parser::span::Span;

use crate::bytes::blocks::{Block, Blocks};
use crate::bytes::region::Region;
use crate::elements::borrowed::Kept;
use crate::elements::buffer::zeros;
use crate::elements::scalar::put_cell;
use crate::elements::value::Value;
use crate::error::{Context, Error, Result, to_usize};
use crate::read::constant::Stated;
use crate::read::data::{Data, Decoded, InBlocks, StoredBlock};
use crate::read::dtype::{Described, Dtype, Filtered, Record, describe, strides};
use crate::read::path::{Part, join_index, parse};
use crate::read::presented::Presented;
use crate::read::stream::Stream;

/// A block in the stream.
struct Stored {
    /// Where it lies, or why that is not known.
    place: std::result::Result<(u64, u64), ResolveError>,
    filter: Option<Arc<Filtered>>,
    presented: Presented,
}

/// A list that is one array in blocks.
///
/// # Errors
/// If items are no blocks, or the shape of one is not known.
pub(crate) fn whole(
    stream: &Stream,
    resolver: &mut Resolver<'_>,
    node: &Node,
    path: &str,
) -> Result<Data> {
    let layout = stream.layout();
    let Target::List(list) = node.target else {
        return Err(Error::NotData { path: path.into(), kind: "item" });
    };
    let whole = layout.whole(list).map_err(ResolveError::from)?;
    let whole = whole.ok_or_else(|| Error::NotData { path: path.into(), kind: "list" })?;
    let mut table = Table::new(stream, &whole);
    resolver.each_item(node, &mut |resolver, step, placed| table.add(resolver, step, placed))?;
    if let Some((one, other)) = table.areas.overlap() {
        let why = format!("blocks {one} and {other} of {path} overlap");
        return Err(wrong(whole.span, why));
    }
    let dtype = match table.dtype.take() {
        Some(dtype) => Some(dtype),
        None => pattern(stream, resolver, layout, list)?,
    };
    let dtype = dtype.ok_or_else(|| wrong(whole.span, "it has no blocks, and so no type"))?;
    let size = dtype.size().ok_or_else(|| Error::Variable { path: path.into() })?;
    let fill = match whole.fill {
        Some(said) => fill(layout, said, &dtype, &whole.shape).of_item(path)?,
        None => Vec::new(),
    };
    let Table { areas, blocks, .. } = table;
    let there = |at: &usize| !areas.is_missing(*at);
    let count = (0..areas.len()).filter(there).count() as u64;
    let stored = blocks.iter().filter_map(|block| block.place.as_ref().ok());
    let stored = stored.fold(0_u64, |sum, (_, bytes)| sum.saturating_add(*bytes));
    let places = blocks.iter().filter_map(|block| block.place.as_ref().ok().copied());
    let ends = places.filter(|(_, bytes)| *bytes > 0);
    let furthest = ends.max_by_key(|(at, bytes)| at.saturating_add(*bytes)).unwrap_or_default();
    let codec = blocks.iter().find_map(|block| block.filter.as_ref().map(|it| it.name.clone()));
    let cell = areas.cell().map(<[u64]>::to_vec);
    let shapes = areas.clone();
    let opened = Opened {
        stream: stream.clone(),
        path: path.to_owned(),
        dtype: dtype.clone(),
        shapes,
        blocks,
    };
    let (opened, len) = (Arc::new(opened), areas.len());
    let in_order = |at: usize| {
        let cell = areas.cell().unwrap_or_default();
        areas.shape(at) == cell
            && cell_start(areas.whole(), cell, at as u64)
                .is_ok_and(|start| areas.start(at) == start)
    };
    let full = (0..len).all(in_order);
    let of_block = opened.clone();
    let each = Arc::new(move |at| of_block.stored(at));
    let bytes = Blocks::new(&areas, size, &fill, move |at| opened.open(at))?;
    let bytes = bytes.work((*stream.work).clone());
    let in_blocks = InBlocks { bytes, furthest, cell, count, stored, codec, each, len, full };
    Ok(Data {
        stream: stream.clone(),
        path: path.to_owned(),
        array: None,
        strides: strides(&whole.shape, size),
        dtype,
        shape: whole.shape,
        address: 0,
        bytes: stored,
        filter: None,
        decoded: Some(Decoded::Blocks(Arc::new(in_blocks))),
        node: None,
        doc: Some(DocKey::of(layout[list].span)),
        kept: Kept::default(),
        extent: None,
        presented: Presented::default(),
    })
}

/// As [`whole`], of the list at a path, while the stream is listed.
pub(crate) fn whole_at(stream: &Stream, resolver: &mut Resolver<'_>, path: &str) -> Result<Data> {
    let no_such = || Error::NoSuchItem { path: path.into(), why: "it is not there".into() };
    let mut node = Node::root();
    for part in parse(path)? {
        let Part::Name { text, .. } = part else { return Err(no_such()) };
        let index = text.parse().ok().filter(|_| matches!(node.target, Target::List(_)));
        let next = match index {
            Some(index) => resolver.item(&node, index)?,
            None => resolver.child(&node, &text),
        };
        node = next.ok_or_else(no_such)?;
    }
    whole(stream, resolver, &node, path)
}

/// The fault of an array in blocks, with its place in the text.
fn wrong(span: Span, why: impl Into<String>) -> Error {
    ResolveError::from(Misfit { span, why: why.into(), help: "" }).into()
}

/// Blocks as they are found.
struct Table<'s> {
    stream: &'s Stream,
    areas: Areas,
    dtype: Option<Dtype>,
    blocks: Vec<Stored>,
}

impl<'s> Table<'s> {
    fn new(stream: &'s Stream, whole: &Whole<'_>) -> Table<'s> {
        Table { stream, areas: Areas::new(&whole.shape), dtype: None, blocks: Vec::new() }
    }

    fn add(
        &mut self,
        resolver: &mut Resolver<'_>,
        step: Step,
        placed: dudley_parser::resolve::Result<Placed>,
    ) -> Result<()> {
        let layout = self.stream.layout();
        let Step::Array(id) = step else {
            let span = match step {
                Step::Group(dict) => layout[dict].span,
                Step::Repeat(repeat) => layout[repeat].span,
                _ => Span::default(),
            };
            return Err(wrong(span, "an array in blocks has an item that is no array"));
        };
        let span = layout[id].span;
        let address = placed.as_ref().ok().map(|placed| placed.address);
        let Described { dtype, shape, presented, filter } =
            describe(resolver, id, self.stream.order(), address)?;
        match &self.dtype {
            None => self.dtype = Some(dtype),
            Some(first) if first.is_like(&dtype) => {}
            Some(_) => {
                let why =
                    format!("block {} is of another type than the first one", self.blocks.len());
                return Err(wrong(span, why));
            }
        }
        let start = layout.start(span).map_err(ResolveError::from)?;
        let shape = presented.read(&shape, 1).shape;
        self.areas
            .push(&shape, start.as_ref().map(|(start, _)| &start[..]))
            .map_err(|why| wrong(start.as_ref().map_or(span, |(_, span)| *span), why))?;
        let filter =
            filter.map(|filter| match self.blocks.last().and_then(|it| it.filter.clone()) {
                Some(last) if *last == filter => last,
                _ => Arc::new(filter),
            });
        let place = placed.map(|placed| (placed.address, placed.bytes));
        self.blocks.push(Stored { place, filter, presented });
        Ok(())
    }
}

/// The type of the first item that is written, of a list that has none.
fn pattern(
    stream: &Stream,
    resolver: &mut Resolver<'_>,
    layout: &Layout,
    list: ListId,
) -> Result<Option<Dtype>> {
    let mut steps = layout[list].pieces.iter().flat_map(|piece| layout.run(layout[*piece].body));
    match steps.next() {
        Some(Step::Array(id)) => {
            Ok(Some(crate::read::dtype::of_array(resolver, &layout[*id], stream.order())?))
        }
        _ => Ok(None),
    }
}

/// The blocks of an array, as they are opened.
struct Opened {
    stream: Stream,
    path: String,
    dtype: Dtype,
    shapes: Areas,
    blocks: Vec<Stored>,
}

impl Opened {
    fn stored(&self, at: usize) -> Result<StoredBlock> {
        let Stored { place, filter, .. } = &self.blocks[at];
        let (address, bytes) = place
            .clone()
            .map_err(|error| Error::from(error).of_item(&join_index(&self.path, at as u64)))?;
        let (start, shape) = (self.shapes.start(at).to_vec(), self.shapes.shape(at).to_vec());
        Ok(StoredBlock { start, shape, address, bytes, filter: filter.clone() })
    }

    fn open(&self, at: usize) -> Result<Block> {
        let path = || join_index(&self.path, at as u64);
        let Stored { place, filter, presented } = &self.blocks[at];
        let (address, bytes) =
            place.clone().map_err(|error| Error::from(error).of_item(&path()))?;
        let shape = self.shapes.shape(at).to_vec();
        let data = Data {
            stream: self.stream.clone(),
            path: path(),
            array: None,
            strides: strides(&shape, self.dtype.size().unwrap_or(0)),
            dtype: self.dtype.clone(),
            shape,
            address,
            bytes,
            filter: filter.as_deref().cloned(),
            decoded: None,
            node: None,
            doc: None,
            kept: Kept::default(),
            extent: None,
            presented: Presented::default(),
        };
        data.presented_as(presented.clone()).block()
    }
}

/// The bytes of elements that no block holds: of one, of text those of the last dimension.
pub(crate) fn fill(
    layout: &Layout,
    said: &Attribute,
    dtype: &Dtype,
    whole: &[u64],
) -> Result<Vec<u8>> {
    if let (FILL_BYTES, AttrValue::Ints(values)) = (&*said.name, &said.value) {
        let bytes: Option<Vec<u8>> = values.iter().map(|it| u8::try_from(*it).ok()).collect();
        let size = dtype.size().unwrap_or(0);
        // Or those of the elements of inner dimensions.
        let inner = whole.iter().rev().scan(size, |bytes, dim| {
            *bytes = bytes.saturating_mul(*dim);
            Some(*bytes)
        });
        let sizes: Vec<u64> = std::iter::once(size).chain(inner).filter(|size| *size > 0).collect();
        return bytes.filter(|bytes| sizes.contains(&(bytes.len() as u64))).ok_or_else(|| {
            no_fill(format!("`{FILL_BYTES}` of {size} bytes, as an element has"), &said.value)
        });
    }
    match dtype {
        Dtype::Primitive(primitive, _) => {
            let shape = whole.last().copied().filter(|_| primitive.is_text());
            Stated::new(layout, (said, 0), dtype).bytes(dtype, shape.as_slice())
        }
        Dtype::Record(record) => {
            let values: Vec<Value> = match &said.value {
                AttrValue::Ints(values) => {
                    values.iter().map(|it| Value::Int((*it).into())).collect()
                }
                AttrValue::Floats(values) => values.iter().map(|it| Value::Float(*it)).collect(),
                _ => Vec::new(),
            };
            let (mut left, mut bytes) = (values.into_iter(), zeros(record.size)?);
            let filled = fill_fields(record, &mut left, &mut bytes)?;
            if filled && left.next().is_none() {
                return Ok(bytes);
            }
            let expected = "a number for each number in the struct".to_owned();
            Err(no_fill(expected, &said.value))
        }
        Dtype::Variable(_) => Err(no_fill("elements of one size".to_owned(), &said.value)),
    }
}

fn no_fill(expected: String, found: &AttrValue) -> Error {
    let found = format!("{found:?}").into();
    Error::WrongValue { item: crate::error::Item::UNKNOWN, expected: expected.into(), found }
}

/// Puts values into the numbers of a struct; whether there were enough.
fn fill_fields(
    record: &Record,
    values: &mut std::vec::IntoIter<Value>,
    bytes: &mut [u8],
) -> Result<bool> {
    for field in &record.fields {
        let size = field.dtype.size().unwrap_or(0);
        let (shape, strides) = field.stored_dims();
        let strides: Vec<i64> = strides.iter().map(|it| it.cast_signed()).collect();
        let region = Region::new(field.offset, &shape, &strides, size)?;
        for row in region.rows() {
            for run in 0..row.count {
                let begin = to_usize(row.address_of(run))?;
                let Some(run) = bytes.get_mut(begin..begin + to_usize(row.run)?) else {
                    return Ok(false);
                };
                for element in run.chunks_exact_mut(to_usize(size)?.max(1)) {
                    let filled = match (&field.dtype, &mut *values) {
                        (Dtype::Record(inner), values) => fill_fields(inner, values, element)?,
                        (Dtype::Primitive(primitive, order), values) => match values.next() {
                            Some(value) => {
                                put_cell(*primitive, *order, &value, None, element)?;
                                true
                            }
                            None => false,
                        },
                        (Dtype::Variable(_), _) => false,
                    };
                    if !filled {
                        return Ok(false);
                    }
                }
            }
        }
    }
    Ok(true)
}
