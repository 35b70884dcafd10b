//! The HDF5 objects of a stream: groups for dicts and lists, datasets for arrays and for lists of records.

use dudley::model::{Doubt, Kind, Node};
use dudley::read::listing::{ParamRow, Row, list_params};
use dudley::read::{Data, InBlocks};
use dudley::{ByteOrder, Dtype, Error, Primitive, Result, Stream};
use dudley_parser::layout::dtype::Kind as Numbers;
use dudley_parser::layout::words::name as spelt_name;
use dudley_parser::resolve::WalkOptions;
use serde_json::{Map, Value as Json};

use super::chunked::Chunked;
use crate::hdf5::datatype::Datatype;
use crate::table::{MOST_ITEMS, is_table, lies_together};
use crate::words::{Dims, attributes, attributes_of, has_named_characters};

/// The deepest dict or list that is entered.
const DEEPEST: usize = 100;

/// A member of a group.
pub(super) enum Member {
    Group(Group),
    Array(Array),
}

/// A dict, or a list.
#[derive(Default)]
pub(super) struct Group {
    pub(super) attributes: Map<String, Json>,
    pub(super) members: Vec<(String, Member)>,
}

/// An array, or a list of records.
pub(super) struct Array {
    pub(super) path: String,
    pub(super) datatype: Datatype,
    /// How one element is written, if the elements are single numbers.
    pub(super) number: Option<Number>,
    pub(super) shape: Vec<u64>,
    /// A name for each dimension.
    pub(super) dims: Vec<String>,
    pub(super) address: u64,
    pub(super) bytes: u64,
    /// The number of these bytes that belong to it: bytes after its last element may belong to other items.
    pub(super) own: u64,
    pub(super) attributes: Map<String, Json>,
    /// The chunks of an array in blocks.
    pub(super) chunked: Option<Box<Chunked>>,
}

impl Array {
    /// Whether it is a dimension scale: its only dimension has its name.
    pub(super) fn is_scale_of(&self, name: &str) -> bool {
        matches!(&self.dims[..], [dim] if dim == name)
    }
}

/// The type of single numbers.
pub(super) struct Number {
    pub(super) datatype: Datatype,
    primitive: Primitive,
    order: ByteOrder,
}

impl Number {
    /// The type of numbers in attributes.
    pub(super) fn plain(primitive: Primitive) -> Option<Number> {
        Number::of(&Dtype::Primitive(primitive, ByteOrder::Little))
    }

    fn of(dtype: &Dtype) -> Option<Number> {
        let (primitive, order) = dtype.primitive()?;
        let is_number =
            matches!(primitive.kind(), Numbers::Signed | Numbers::Unsigned | Numbers::Float);
        if !is_number || primitive == Primitive::F2 {
            return None;
        }
        let (datatype, _) = Datatype::of(dtype, &[])?;
        Some(Number { datatype, primitive, order })
    }

    /// The shape and the bytes of numbers; `None` if any of them does not fit the type.
    pub(super) fn spell(&self, value: &Json) -> Option<(Vec<u64>, Vec<u8>)> {
        let Json::Array(values) = value else { return Some((Vec::new(), self.one(value)?)) };
        let bytes: Vec<Vec<u8>> =
            values.iter().map(|value| self.one(value)).collect::<Option<_>>()?;
        Some((vec![values.len() as u64], bytes.concat()))
    }

    fn one(&self, value: &Json) -> Option<Vec<u8>> {
        let size = self.primitive.size() as usize;
        // A text stands for a number that layouts cannot express, such as NaN.
        let real = || value.as_f64().or_else(|| value.as_str()?.parse().ok());
        let int = || {
            let spelt = || value.as_str()?.parse().ok();
            value.as_i64().map(i128::from).or_else(|| value.as_u64().map(i128::from)).or_else(spelt)
        };
        let mut bytes = match self.primitive {
            Primitive::F4 => (real()? as f32).to_le_bytes().to_vec(),
            Primitive::F8 => real()?.to_le_bytes().to_vec(),
            _ => {
                let (least, most) = self.primitive.range();
                let wide = int().filter(|wide| (least..=most).contains(wide))?;
                wide.to_le_bytes()[..size].to_vec()
            }
        };
        if self.order == ByteOrder::Big {
            bytes.reverse();
        }
        Some(bytes)
    }
}

/// The type, the shape and the bytes of an attribute.
pub(super) fn spelt(value: &Json) -> Option<(Datatype, Vec<u64>, Vec<u8>)> {
    let little = ByteOrder::Little;
    let many = |values: &[Json]| -> Option<(Datatype, Vec<u8>)> {
        if values.iter().all(Json::is_i64) {
            let bytes = values.iter().filter_map(Json::as_i64).flat_map(i64::to_le_bytes).collect();
            return Some((Datatype::integer(8, true, little), bytes));
        }
        if values.iter().all(Json::is_u64) {
            let bytes = values.iter().filter_map(Json::as_u64).flat_map(u64::to_le_bytes).collect();
            return Some((Datatype::integer(8, false, little), bytes));
        }
        if values.iter().all(Json::is_number) {
            let bytes = values.iter().filter_map(Json::as_f64).flat_map(f64::to_le_bytes).collect();
            return Some((Datatype::float(8, little)?, bytes));
        }
        let texts: Vec<&str> = values.iter().map(Json::as_str).collect::<Option<_>>()?;
        let size = texts.iter().map(|text| text.len()).max().unwrap_or(0).max(1);
        let mut bytes = Vec::new();
        for text in texts {
            let end = bytes.len() + size;
            bytes.extend(text.as_bytes());
            bytes.resize(end, 0);
        }
        Some((Datatype::text(u32::try_from(size).ok()?, true), bytes))
    };
    match value {
        Json::Array(values) if !values.is_empty() => {
            let (datatype, bytes) = many(values)?;
            Some((datatype, vec![values.len() as u64], bytes))
        }
        Json::Bool(value) => {
            Some((Datatype::integer(1, true, little), Vec::new(), vec![u8::from(*value)]))
        }
        Json::Number(_) | Json::String(_) => {
            let (datatype, bytes) = many(std::slice::from_ref(value))?;
            Some((datatype, Vec::new(), bytes))
        }
        _ => None,
    }
}

/// All objects that HDF5 shows.
pub(super) struct Tree {
    pub(super) root: Group,
    /// The byte ranges of the file that belong to items, whether shown or not: start and end of each.
    taken: Vec<(u64, u64)>,
}

impl Tree {
    /// Builds the tree of a stream.
    ///
    /// # Errors
    /// If reading the stream fails.
    pub(super) fn of(stream: &Stream, left_out: &mut Vec<Doubt>) -> Result<Tree> {
        let mut walk =
            Walk { taken: vec![(0, 16)], is_incomplete: false, dims: Dims::default(), left_out };
        let root = walk.group(&Node::from(stream.limited().root()), "", 0)?;
        let is_incomplete = walk.is_incomplete;
        let mut taken = walk.taken;
        if is_incomplete {
            taken.push((0, stream.data_end()?));
        }
        list_params(stream, None, WalkOptions::default(), &mut |_, row| {
            if let Row::Param(ParamRow { stored: Some((_, Ok(placed))), .. }) = row {
                taken.push((placed.address, placed.address.saturating_add(placed.bytes)));
            }
            Ok(())
        })?;
        taken.sort_unstable();
        Ok(Tree { root, taken })
    }

    /// Whether this many bytes at an address belong to no item.
    pub(super) fn is_free(&self, at: u64, bytes: u64) -> bool {
        let end = at.saturating_add(bytes);
        !self.taken.iter().any(|(start, stop)| *start < end && *stop > at)
    }

    /// The first place, at 512 times a power of two, that is after the data, or where this many bytes belong to no item
    /// and `may_be` accepts them.
    pub(super) fn place_for(
        &self,
        bytes: u64,
        data_end: u64,
        may_be: &mut dyn FnMut(u64) -> Result<bool>,
    ) -> Result<u64> {
        let mut at = 512_u64;
        loop {
            if at >= data_end || self.is_free(at, bytes) && may_be(at)? {
                return Ok(at);
            }
            at = at
                .checked_mul(2)
                .filter(|at| *at < 1 << 62)
                .ok_or(Error::TooLarge { item: Default::default(), size: data_end })?;
        }
    }
}

struct Walk<'w> {
    taken: Vec<(u64, u64)>,
    /// Whether some items were not visited; these may lie anywhere.
    is_incomplete: bool,
    dims: Dims,
    left_out: &'w mut Vec<Doubt>,
}

impl Walk<'_> {
    fn leave_out(&mut self, path: &str, why: &str) {
        self.left_out.push(Doubt { path: Some(path.to_owned()), why: why.to_owned() });
    }

    fn group(&mut self, node: &Node, key: &str, depth: usize) -> Result<Group> {
        let mut group = Group { attributes: attributes(node), members: Vec::new() };
        if depth > DEEPEST {
            self.leave_out(&node.path(), "it is too deep");
            self.is_incomplete = true;
            return Ok(group);
        }
        for (at, child) in node.children()?.enumerate() {
            if at as u64 == MOST_ITEMS {
                self.leave_out(&node.path(), "no more than its first items are shown");
                self.is_incomplete = true;
                break;
            }
            let child = child?;
            let (name, path) = (child.name(), child.path());
            if name.is_empty()
                || name.contains(['/', '\0'])
                || name == "."
                || name.len() > usize::from(u16::MAX)
            {
                self.leave_out(&path, "HDF5 has no such name");
                continue;
            }
            let key = format!("{key}/{name}");
            let member = match child.kind() {
                Kind::Array => self.array(&child, &key)?.map(Member::Array),
                Kind::List if is_table(&child)? => match self.records(&child, &key)? {
                    Some(array) => Some(Member::Array(array)),
                    None => Some(Member::Group(self.group(&child, &key, depth + 1)?)),
                },
                Kind::Dict | Kind::List => {
                    Some(Member::Group(self.group(&child, &key, depth + 1)?))
                }
                Kind::Value => None,
            };
            group.members.extend(member.map(|member| (name, member)));
        }
        Ok(group)
    }

    /// Converts an array, if HDF5 can show it.
    fn array(&mut self, node: &Node, key: &str) -> Result<Option<Array>> {
        let path = node.path();
        let data = match node.data() {
            Ok(data) => data,
            Err(error) if error.is_unread() => return Err(error),
            Err(error) => {
                self.leave_out(&path, &error.to_string());
                return Ok(None);
            }
        };
        if let Some(blocks) = data.blocks() {
            return self.blocks(node, key, &data, blocks);
        }
        let span = data.shape().iter().zip(data.strides()).fold(0_u64, |span, (dim, stride)| {
            span.saturating_add(dim.saturating_sub(1).saturating_mul(stride.unsigned_abs()))
        });
        let size = data.dtype().size().unwrap_or(0);
        let end = data.begin().saturating_add(span.saturating_add(size).max(data.bytes()));
        if data.bytes() > 0 {
            self.taken.push((data.begin(), end));
        }
        if let Some(filter) = data.filter() {
            self.leave_out(&path, &format!("it is encoded by `{}`", filter.name));
            return Ok(None);
        }
        let of = match data.dtype().primitive() {
            Some((of, _)) if has_named_characters(&data) => {
                Some((Datatype::text(1, of == Primitive::Utf8), data.shape().to_vec()))
            }
            _ => Datatype::of(data.dtype(), data.shape()),
        };
        let Some((datatype, shape)) = of else {
            self.leave_out(&path, &format!("HDF5 has no type for {}", data.dtype_name()));
            return Ok(None);
        };
        if let Dtype::Record(record) = data.dtype() {
            for name in record.fields.iter().filter(|it| it.bytes == 0).map(|it| &it.name) {
                let path = format!("{path}.{}", spelt_name(name));
                self.leave_out(&path, "HDF5 has no fields without elements");
            }
        }
        // The characters of a text must lie together.
        if !lies_together(&data, shape.len()) {
            self.leave_out(&path, "its elements do not lie as HDF5 can say");
            return Ok(None);
        }
        let mut names = node.dims()?;
        names.truncate(shape.len());
        // A contiguous array stays an array. An array strided along its first dimension becomes an array of structs
        // with the array as their only member.
        let together = |shape: &[u64], strides: &[i64]| {
            let mut wanted = datatype.size as i64;
            shape.iter().zip(strides).rev().all(|(dim, stride)| {
                let fits = *dim <= 1 || *stride == wanted;
                wanted = wanted.saturating_mul(*dim as i64);
                fits
            })
        };
        let strides = data.strides();
        let (datatype, shape, bytes, own) = if together(&shape, strides) {
            let bytes = shape.iter().fold(datatype.size, |bytes, dim| bytes.saturating_mul(*dim));
            (datatype, shape, bytes, bytes)
        } else {
            let member = (!shape.is_empty() && together(&shape[1..], &strides[1..]))
                .then(|| datatype.array(&shape[1..]))
                .flatten();
            let stride = u64::try_from(strides[0]).unwrap_or(0);
            let record = member
                .filter(|it| it.size <= stride)
                .and_then(|it| Datatype::compound(stride, &[(node.name(), 0, it)]));
            let Some(record) = record else {
                self.leave_out(&path, "its elements do not lie as HDF5 can say");
                return Ok(None);
            };
            names.truncate(1);
            let own = span.saturating_add(size).min(stride.saturating_mul(shape[0]));
            (record, vec![shape[0]], stride.saturating_mul(shape[0]), own)
        };
        let number = Number::of(data.dtype()).filter(|number| number.datatype == datatype);
        let dims = self.dims.of(key, &names, &shape);
        let (address, attributes) = (data.address(), attributes_of(&data));
        let chunked = None;
        Ok(Some(Array {
            path,
            datatype,
            number,
            shape,
            dims,
            address,
            bytes,
            own,
            attributes,
            chunked,
        }))
    }

    /// Converts an array in blocks, if HDF5 can show it.
    fn blocks(
        &mut self,
        node: &Node,
        key: &str,
        data: &Data,
        blocks: &InBlocks,
    ) -> Result<Option<Array>> {
        let path = node.path();
        let Some((datatype, shape)) = Datatype::of(data.dtype(), data.shape()) else {
            blocks.each().flatten().for_each(|block| {
                self.taken.push((block.address, block.address.saturating_add(block.bytes)));
            });
            self.leave_out(&path, &format!("HDF5 has no type for {}", data.dtype_name()));
            return Ok(None);
        };
        let chunked =
            match Chunked::of(data, blocks, (shape.len(), datatype.size), &mut self.taken)? {
                Ok(chunked) => chunked,
                Err(why) => {
                    self.leave_out(&path, &why);
                    return Ok(None);
                }
            };
        let mut names = node.dims()?;
        names.truncate(shape.len());
        let number = Number::of(data.dtype()).filter(|number| number.datatype == datatype);
        let dims = self.dims.of(key, &names, &shape);
        let (attributes, chunked) = (attributes_of(data), Some(Box::new(chunked)));
        let (address, bytes, own) = (0, 0, 0);
        Ok(Some(Array {
            path,
            datatype,
            number,
            shape,
            dims,
            address,
            bytes,
            own,
            attributes,
            chunked,
        }))
    }

    /// Converts a list of dicts of one form at equal distances into records.
    fn records(&mut self, list: &Node, key: &str) -> Result<Option<Array>> {
        let (mut first, mut stride) = (Vec::new(), None);
        for (at, item) in list.children()?.enumerate() {
            let mut leaves = Vec::new();
            if !leaves_of(&item?, "", &mut leaves)? {
                return Ok(None);
            }
            let Some(((_, _, start), (_, _, zero))) = leaves.first().zip(first.first()) else {
                if leaves.is_empty() {
                    return Ok(None);
                }
                first = leaves;
                continue;
            };
            let step = *stride.get_or_insert(start.saturating_sub(*zero));
            let far = step.saturating_mul(at as u64);
            let as_first =
                leaves.iter().zip(&first).all(|((.., a), (.., b))| *a == b.saturating_add(far));
            if step == 0 || !as_first {
                return Ok(None);
            }
        }
        let Some(stride) = stride else { return Ok(None) };
        let address = first.iter().map(|(.., address)| *address).min().unwrap_or(0);
        let mut members: Vec<_> =
            first.into_iter().map(|(name, of, at)| (name, at - address, of)).collect();
        members.sort_by_key(|(_, offset, _)| *offset);
        if members.iter().any(|(_, offset, of)| offset.saturating_add(of.size) > stride) {
            return Ok(None);
        }
        let end = members.iter().map(|(_, offset, of)| offset.saturating_add(of.size)).max();
        let Some(datatype) = Datatype::compound(stride, &members) else { return Ok(None) };
        let shape = vec![list.len()?];
        let bytes = stride.saturating_mul(shape[0]);
        self.taken.push((address, address.saturating_add(bytes)));
        let dims = self.dims.of(key, &[], &shape);
        let attributes = attributes(list);
        Ok(Some(Array {
            chunked: None,
            path: list.path(),
            datatype,
            number: None,
            shape,
            dims,
            address,
            bytes,
            own: bytes - stride + end.unwrap_or(0),
            attributes,
        }))
    }
}

/// Collects the arrays of a record, with name, type and address; returns false if one of them does not fit an HDF5
/// record.
fn leaves_of(node: &Node, prefix: &str, leaves: &mut Vec<(String, Datatype, u64)>) -> Result<bool> {
    match node.kind() {
        Kind::Value => Ok(true),
        Kind::List => Ok(false),
        Kind::Dict => {
            for child in node.children()? {
                let child = child?;
                let name = if prefix.is_empty() {
                    child.name()
                } else {
                    format!("{prefix}.{}", child.name())
                };
                if !leaves_of(&child, &name, leaves)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        Kind::Array => {
            let data = node.data()?;
            let Some((datatype, shape)) = Datatype::of(data.dtype(), data.shape()) else {
                return Ok(false);
            };
            let together = lies_together(&data, 0) && data.filter().is_none();
            let Some(datatype) = datatype.array(&shape).filter(|_| together && !prefix.is_empty())
            else {
                return Ok(false);
            };
            leaves.push((prefix.to_owned(), datatype, data.address()));
            Ok(true)
        }
    }
}
