//! An array in the form of zarr: chunks of one shape, and the bytes of each.

use dudley::model::{Dataset, Node, Place};
use dudley::numpy::descr::Descr;
use dudley::numpy::types::descr_of;
use dudley::read::path::{Part, parse};
use dudley::read::select::Stacked;
use dudley::{Data, Dtype, Error, Primitive, Result};
use serde_json::{Map, Value as Json};

use super::{MOST, Member, Options, types};
use crate::table::{MOST_ITEMS, lies_together};
use crate::words::{attributes, attributes_of, has_named_characters, is_no_variable};

/// An array that zarr can find.
#[derive(Clone, Debug)]
pub(super) struct Found {
    /// Its path in the dataset.
    pub path: String,
    /// Its key in the store.
    pub key: String,
    pub dtype: Descr,
    pub shape: Vec<u64>,
    pub chunk: Vec<u64>,
    /// The codec of each chunk.
    pub codec: Option<&'static str>,
    /// The filters of numcodecs for each chunk, with their settings.
    pub filters: Vec<(&'static str, Json)>,
    /// The elements of missing chunks, if some are missing.
    pub fill: Option<Json>,
    /// Whether the first dimension varies fastest.
    pub is_fortran: bool,
    /// A name for each dimension, where it has one.
    pub dims: Vec<Option<String>>,
    pub attributes: Map<String, Json>,
    /// The files of the chunks and the places in them, in C order of the grid. `None` is a missing chunk.
    pub chunks: Vec<Option<(String, u64, u64)>>,
}

/// The attributes about the meaning of values.
const MEANT: [&str; 7] =
    ["units", "calendar", "scale_factor", "add_offset", "_FillValue", "missing_value", "_Unsigned"];

impl Found {
    /// Whether this array and the array of another file differ only in their places.
    pub(super) fn is_like(&self, other: &Found) -> bool {
        let of = |it: &Found| {
            let grid = (it.shape.clone(), it.chunk.clone(), it.is_fortran);
            (it.dtype.clone(), grid, it.codec, it.filters.clone())
        };
        // Attributes may differ, except for those about the meaning of values.
        let means = |it: &Found| MEANT.map(|name| it.attributes.get(name).cloned());
        of(self) == of(other)
            && means(self) == means(other)
            && self.chunks.len() == other.chunks.len()
            && (self.fill.is_none() || other.fill.is_none() || self.fill == other.fill)
    }

    /// Puts a dimension in front, which counts this and the arrays of other files.
    pub(super) fn stack(&mut self, more: impl Iterator<Item = Found>, dim: &str, count: u64) {
        self.shape.insert(0, count);
        self.chunk.insert(0, 1);
        self.dims.insert(0, Some(dim.to_owned()));
        for array in more {
            self.chunks.extend(array.chunks);
            self.fill = self.fill.take().or(array.fill);
        }
    }
}

/// Arrays of one type and shape, before their form in zarr is known: one array, or the array of each item of a list.
pub(super) struct Parts {
    /// The path of all of them.
    pub(super) path: String,
    /// The dimensions that count the parts; none of one array.
    outer: Vec<u64>,
    /// The arrays and their places.
    parts: Vec<(Data, Place)>,
    dims: Vec<Option<String>>,
    pub(super) attributes: Map<String, Json>,
}

impl Parts {
    /// An array of a file, or the reason why its elements have no place.
    pub(super) fn of_node(node: &Node) -> Result<Result<Parts, String>> {
        let (path, data) = (node.path(), node.data()?);
        let Some(mut place) = node.place()? else {
            let why = "its elements are not stored as they are in one place of the file";
            return Ok(Err(why.to_owned()));
        };
        if place.codec.is_none() {
            // A view may begin elsewhere.
            place.address = place.address.saturating_add(data.first());
        }
        let (dims, attributes) = (node.dims()?, attributes(node));
        if let Some(why) = only_dimension(&attributes) {
            return Ok(Err(why.to_owned()));
        }
        Ok(Ok(Parts { path, outer: Vec::new(), parts: vec![(data, place)], dims, attributes }))
    }

    /// The arrays of one name in all items of a list, beginning with `first`; or the reason why they are not one array.
    pub(super) fn of_column(
        dataset: &Dataset,
        path: &str,
        first: &Node,
    ) -> Result<Result<Parts, String>> {
        let Some(stacked) = Stacked::of(&dataset.select(path)?) else {
            let why = "the items of the list are not arrays of one type and shape";
            return Ok(Err(why.to_owned()));
        };
        let outer = stacked.shape()[..stacked.depth()].to_vec();
        let parts = stacked.parts().map(|data| (data.clone(), place_of(data))).collect();
        // The arrays in the dicts of one list have the dimensions that count these in common.
        let is_in_dict = !path.ends_with(']');
        let list =
            path.split("[:]").next().and_then(last_name).unwrap_or_else(|| "item".to_owned());
        let counting = stacked.shape().len().saturating_sub(first.shape()?.len());
        let counting = (0..counting).map(|at| match at {
            0 => Some(list.clone()),
            _ => Some(format!("{list}_{at}")),
        });
        let dims = counting.map(|dim| dim.filter(|_| is_in_dict)).chain(first.dims()?).collect();
        let (path, attributes) = (path.to_owned(), attributes(first));
        Ok(Ok(Parts { path, outer, parts, dims, attributes }))
    }

    /// The fields of structs, by their names; `None` for what is no struct, is encoded, or has too many elements to
    /// say where each is.
    ///
    /// # Errors
    /// If something is wrong with a field.
    pub(super) fn fields(&self) -> Result<Option<Vec<(String, Parts)>>> {
        let Some((first, place)) = self.parts.first() else { return Ok(None) };
        let Dtype::Record(record) = first.dtype() else { return Ok(None) };
        let count = first.len()?.saturating_mul(self.parts.len() as u64);
        let is_filtered = record.fields.iter().any(|field| field.filter.is_some());
        if place.codec.is_some() || count > MOST_ITEMS || is_filtered || first.vlen().is_some() {
            return Ok(None);
        }
        let mut shape = self.outer.clone();
        shape.extend(first.shape());
        let mut counting = self.dims.clone();
        counting.resize(shape.len(), None);
        for (at, dim) in counting.iter_mut().enumerate() {
            // So that the fields have them in common.
            let own = last_name(&self.path).unwrap_or_default();
            dim.get_or_insert_with(|| format!("{own}_dim{at}"));
        }
        let mut fields = Vec::new();
        // Fixed params take no bytes.
        for field in record.fields.iter().filter(|field| !field.is_fixed(first.layout())) {
            let part = |(data, place): &(Data, Place)| {
                let field = data.field(&field.name)?;
                let address = place.address + field.address().saturating_sub(data.address());
                Ok::<_, Error>((field, Place { address, ..place.clone() }))
            };
            let parts: Vec<_> = self.parts.iter().map(part).collect::<Result<_>>()?;
            let Some((data, _)) = parts.first() else { continue };
            let (path, attributes) = (data.path().to_owned(), attributes_of(data));
            let (outer, dims) = (self.outer.clone(), counting.clone());
            fields.push((field.name.clone(), Parts { path, outer, parts, dims, attributes }));
        }
        Ok(Some(fields))
    }

    /// Their form in zarr under a key, or the reason why there is none.
    pub(super) fn found(
        self,
        member: &Member,
        key: &str,
        options: &Options,
    ) -> Result<Found, String> {
        let Some((data, _)) = self.parts.first() else {
            return Err("the list has no items".to_owned());
        };
        if data.vlen().is_some() {
            return Err("its elements differ in length and lie in a heap".to_owned());
        }
        let laid = laid(member, data, &self.parts, &self.outer, options)?;
        let (mut dims, key) = (self.dims, key.to_owned());
        dims.resize(laid.shape.len(), None);
        Ok(Found { path: self.path, key, dims, attributes: self.attributes, ..laid })
    }
}

/// Whether an array is only a dimension, by its attributes.
pub(super) fn only_dimension(attributes: &Map<String, Json>) -> Option<&'static str> {
    let is_it = attributes.get("NAME").and_then(Json::as_str).is_some_and(is_no_variable);
    is_it.then_some("it is a dimension without a variable")
}

/// The last name of a path.
fn last_name(path: &str) -> Option<String> {
    let parts = parse(path).ok()?;
    parts.into_iter().rev().find_map(|part| match part {
        Part::Name { text, .. } | Part::Field(text) => Some(text),
        Part::Param(..) | Part::Slice(_) => None,
    })
}

fn place_of(data: &Data) -> Place {
    Place {
        address: data.address(),
        stored: data.bytes(),
        codec: data.filter().map(|filter| filter.name.clone()),
        decoded: data.filter().map(|filter| filter.raw_bytes),
    }
}

/// The places of equal parts in the file.
fn laid(
    member: &Member,
    data: &Data,
    parts: &[(Data, Place)],
    outer: &[u64],
    options: &Options,
) -> Result<Found, String> {
    let no_type = || format!("zarr has no type for {}", data.dtype_name());
    let (dtype, inner) = type_of(data).ok_or_else(no_type)?;
    if let Some(why) = types::no_type(&dtype, options.version) {
        return Err(why);
    }
    let size = dtype.bytes().ok_or_else(no_type)?;
    // What numpy has as one element are the last dimensions of the array, which must lie together; where it has more
    // dimensions, these are the parts of an element.
    let rank = data.shape().len().min(inner.len());
    if !lies_together(data, rank) {
        return Err("the parts of its elements do not lie together".to_owned());
    }
    let mut strides = data.strides().get(..rank).unwrap_or_default().to_vec();
    strides.extend(row_major(&inner[rank..], size));
    let all = inner.iter().fold(size, |all, dim| all.saturating_mul(*dim));
    let codec = parts.first().and_then(|(_, place)| place.codec.clone());
    if codec.is_some() && data.is_presented() {
        return Err("what its filter stored is not in the order of its rows".to_owned());
    }
    let grid = match codec {
        None => Grid::of(&inner, &strides, size, options.chunk_bytes),
        Some(_) => Grid::whole(&inner, all),
    };
    let codec = match codec {
        Some(name) => {
            if parts.iter().any(|(_, place)| place.decoded != Some(all)) {
                return Err("it is a part of what is encoded together".to_owned());
            }
            Some(types::codec(&name).ok_or_else(|| format!("zarr has no codec `{name}`"))?)
        }
        None => None,
    };
    let places = grid.starts.len() as u64;
    if grid.is_too_many || places.saturating_mul(parts.len() as u64) > MOST {
        return Err(format!("its elements lie in more than {MOST} places"));
    }
    let mut chunks = Vec::new();
    for (data, place) in parts.iter().filter(|_| all > 0) {
        let skip = data.filter().filter(|_| codec.is_some()).map_or(0, |filter| filter.skip);
        for start in &grid.starts {
            let address =
                place.address.checked_add_signed(*start).ok_or("it lies before the file")?;
            let bytes =
                if codec.is_some() { place.stored.saturating_sub(skip) } else { grid.bytes };
            let address = address.saturating_add(member.base + skip);
            chunks.push(Some((member.url.clone(), address, bytes)));
        }
    }
    Ok(Found {
        path: String::new(),
        key: String::new(),
        dtype,
        shape: [outer, &inner].concat(),
        chunk: [&vec![1; outer.len()], &*grid.chunk].concat(),
        codec,
        filters: Vec::new(),
        fill: None,
        is_fortran: grid.is_fortran,
        dims: Vec::new(),
        attributes: Map::new(),
        chunks,
    })
}

/// The type of the elements in numpy, and the remaining shape: characters of a last dimension without a name are one
/// text.
pub(super) fn type_of(data: &Data) -> Option<(Descr, Vec<u64>)> {
    let mut shape = data.shape().to_vec();
    if let Dtype::Primitive(Primitive::S1 | Primitive::Utf8, order) = *data.dtype() {
        let size = if has_named_characters(data) { 1 } else { shape.pop().unwrap_or(1) };
        if size == 0 {
            return None;
        }
        return Some((Descr::Plain { kind: 'S', size, order, rest: String::new() }, shape));
    }
    let (descr, shape) = descr_of(data, &shape)?;
    Some((Descr::of(&descr).ok()?, shape))
}

fn row_major(shape: &[u64], size: u64) -> Vec<i64> {
    let mut stride = i64::try_from(size).unwrap_or(i64::MAX);
    let mut strides: Vec<i64> = Vec::with_capacity(shape.len());
    for dim in shape.iter().rev() {
        strides.push(stride);
        stride = stride.saturating_mul(i64::try_from(*dim).unwrap_or(i64::MAX));
    }
    strides.reverse();
    strides
}

/// The division of an array into chunks whose elements lie together.
struct Grid {
    chunk: Vec<u64>,
    is_fortran: bool,
    /// The start of each chunk, in bytes from the first element.
    starts: Vec<i64>,
    /// Bytes of a chunk.
    bytes: u64,
    is_too_many: bool,
}

impl Grid {
    /// The whole array as one chunk.
    fn whole(shape: &[u64], bytes: u64) -> Grid {
        Grid {
            chunk: shape.to_vec(),
            is_fortran: false,
            starts: vec![0],
            bytes,
            is_too_many: false,
        }
    }

    fn of(shape: &[u64], strides: &[i64], size: u64, most_bytes: u64) -> Grid {
        let is_along = |strides: &[i64], shape: &[u64]| {
            let wanted = row_major(shape, size);
            shape.iter().zip(strides.iter().zip(&wanted)).all(|(dim, (a, b))| *dim <= 1 || a == b)
        };
        let reversed = |of: &[i64]| of.iter().rev().copied().collect::<Vec<_>>();
        let shape_reversed: Vec<u64> = shape.iter().rev().copied().collect();
        if !is_along(strides, shape) && is_along(&reversed(strides), &shape_reversed) {
            let bytes = shape.iter().fold(size, |all, dim| all.saturating_mul(*dim));
            return Grid { is_fortran: true, ..Grid::whole(shape, bytes) };
        }
        // The last dimensions that lie together are in a chunk, and each index of the others is a chunk.
        let mut together = shape.len();
        while together > 0 && is_along(&strides[together - 1..], &shape[together - 1..]) {
            together -= 1;
        }
        let mut chunk = vec![1; together];
        chunk.extend(&shape[together..]);
        let bytes = |chunk: &[u64]| chunk.iter().fold(size, |all, dim| all.saturating_mul(*dim));
        if together == 0 && bytes(&chunk) > most_bytes && !chunk.is_empty() {
            let row = bytes(&chunk[1..]).max(1);
            // zarr stores whole chunks at the edge, too, so they must divide the array.
            let rows = (1..=(most_bytes / row).clamp(1, MOST))
                .rev()
                .find(|it| shape[0].is_multiple_of(*it));
            chunk[0] = rows.unwrap_or(1);
        }
        let counts: Vec<u64> =
            shape.iter().zip(&chunk).map(|(dim, chunk)| dim.div_ceil((*chunk).max(1))).collect();
        let all = counts.iter().fold(1_u64, |all, count| all.saturating_mul(*count));
        let mut starts = vec![0_i64];
        if all <= MOST {
            for ((count, chunk), stride) in counts.iter().zip(&chunk).zip(strides) {
                let step = stride.saturating_mul(i64::try_from(*chunk).unwrap_or(i64::MAX));
                let along = |start: &i64| {
                    (0..*count as i64)
                        .map(move |at| start.saturating_add(at.saturating_mul(step)))
                        .collect::<Vec<_>>()
                };
                starts = starts.iter().flat_map(along).collect();
            }
        }
        Grid { bytes: bytes(&chunk), chunk, is_fortran: false, starts, is_too_many: all > MOST }
    }
}
