//! An array as zarr has it: chunks of one shape, and the bytes of each.

use dudley::model::{Node, Place};
use dudley::numpy::descr::Descr;
use dudley::numpy::types::descr_of;
use dudley::read::select::Stacked;
use dudley::{Data, Result};
use serde_json::{Map, Value as Json};

use super::{MOST, Member, Options, zarr};

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
    /// Whether the first dimension varies fastest.
    pub is_fortran: bool,
    /// A name for each dimension, where it has one.
    pub dims: Vec<Option<String>>,
    pub attributes: Map<String, Json>,
    /// The files of the chunks, and where in them they are: in C order of the grid.
    pub chunks: Vec<(String, u64, u64)>,
}

impl Found {
    /// Whether this and the array of another file differ in nothing but where they lie.
    pub fn is_like(&self, other: &Found) -> bool {
        let of = |it: &Found| (it.dtype.clone(), it.shape.clone(), it.chunk.clone(), it.codec, it.is_fortran);
        of(self) == of(other) && self.chunks.len() == other.chunks.len()
    }

    /// Puts a dimension in front, which counts this and the arrays of other files.
    pub fn stack(&mut self, more: impl Iterator<Item = Found>, dim: &str, count: u64) {
        self.shape.insert(0, count);
        self.chunk.insert(0, 1);
        self.dims.insert(0, Some(dim.to_owned()));
        self.chunks.extend(more.flat_map(|it| it.chunks));
    }
}

/// An array of a file; why zarr cannot find it.
pub(super) fn of_node(
    member: &Member,
    node: &Node,
    key: &str,
    options: &Options,
) -> Result<Result<Found, String>> {
    let data = node.data()?;
    let Some(place) = node.place()? else {
        return Ok(Err("its elements are not stored as they are in one place of the file".to_owned()));
    };
    found(member, &node.path(), key, node, &[(data, place)], &[], options)
}

/// The arrays of one name in all items of a list; why zarr cannot find them.
pub(super) fn of_column(
    member: &Member,
    path: &str,
    first: &Node,
    key: &str,
    options: &Options,
) -> Result<Result<Found, String>> {
    let selected = member.dataset.select(path)?;
    let Some(stacked) = Stacked::of(&selected) else {
        return Ok(Err("the items of the list are not arrays of one type and shape".to_owned()));
    };
    let shape = stacked.shape();
    let outer = &shape[..stacked.depth()];
    let parts: Vec<_> = stacked.parts().map(|data| (data.clone(), place_of(data))).collect();
    found(member, path, key, first, &parts, outer, options)
}

fn place_of(data: &Data) -> Place {
    Place {
        address: data.address(),
        stored: data.bytes(),
        codec: data.filter().map(|filter| filter.name.clone()),
        decoded: data.filter().map(|filter| filter.raw_bytes),
    }
}

/// The array that equal parts are, which the dimensions `outer` count.
fn found(
    member: &Member,
    path: &str,
    key: &str,
    node: &Node,
    parts: &[(Data, Place)],
    outer: &[u64],
    options: &Options,
) -> Result<Result<Found, String>> {
    let Some((data, place)) = parts.first() else {
        return Ok(Err("the list has no items".to_owned()));
    };
    let Some((dtype, inner)) = descr_of(data, data.shape()) else {
        return Ok(Err(format!("zarr has no type for {}", data.dtype_name())));
    };
    let Ok(dtype) = Descr::of(&dtype) else {
        return Ok(Err(format!("zarr has no type for {}", data.dtype_name())));
    };
    if let Some(why) = zarr::no_type(&dtype, options.version) {
        return Ok(Err(why));
    }
    let Some(size) = dtype.bytes() else { return Ok(Err("its elements are too large".to_owned())) };
    // What numpy has as one element are the last dimensions of the array, which lie together.
    let strides = data.strides().get(..inner.len()).unwrap_or_default().to_vec();
    let strides = if strides.len() == inner.len() { strides } else { row_major(&inner, size) };
    let codec = match &place.codec {
        None => None,
        Some(name) => match zarr::codec(name) {
            Some(codec) => Some(codec),
            None => return Ok(Err(format!("zarr has no codec `{name}`"))),
        },
    };
    let count: u64 = inner.iter().fold(1, |all, dim| all.saturating_mul(*dim));
    let mut grid = Grid::of(&inner, &strides, size, options.chunk_bytes);
    if codec.is_some() {
        if parts.iter().any(|(_, place)| place.decoded != Some(count.saturating_mul(size))) {
            return Ok(Err("it is a part of what is encoded together".to_owned()));
        }
        grid = Grid { chunk: inner.clone(), is_fortran: false, starts: vec![0], bytes: 0, is_too_many: false };
    }
    if (grid.starts.len() as u64).saturating_mul(parts.len() as u64) > MOST || grid.is_too_many {
        return Ok(Err(format!("its elements lie in more than {MOST} places")));
    }
    let mut chunks = Vec::with_capacity(grid.starts.len() * parts.len());
    for (_, place) in parts {
        for start in &grid.starts {
            let Some(address) = place.address.checked_add_signed(*start) else {
                return Ok(Err("it lies before the file".to_owned()));
            };
            let bytes = if codec.is_some() { place.stored } else { grid.bytes };
            chunks.push((member.url.clone(), address.saturating_add(member.base), bytes));
        }
    }
    if count == 0 {
        chunks.clear();
    }
    let ones = vec![1; outer.len()];
    let mut dims = node.dims()?;
    dims.resize(inner.len(), None);
    let dims = [vec![None; outer.len()], dims].concat();
    Ok(Ok(Found {
        path: path.to_owned(),
        key: key.to_owned(),
        dtype,
        shape: [outer, &inner].concat(),
        chunk: [&ones[..], &grid.chunk].concat(),
        codec,
        is_fortran: grid.is_fortran,
        dims,
        attributes: zarr::attributes(node),
        chunks,
    }))
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

/// How an array is cut into chunks whose elements lie together.
struct Grid {
    chunk: Vec<u64>,
    is_fortran: bool,
    /// Where each chunk begins, in bytes from the first element.
    starts: Vec<i64>,
    /// Bytes of a chunk.
    bytes: u64,
    is_too_many: bool,
}

impl Grid {
    fn of(shape: &[u64], strides: &[i64], size: u64, most_bytes: u64) -> Grid {
        let is_along = |strides: &[i64], shape: &[u64]| {
            let wanted = row_major(shape, size);
            shape.iter().zip(strides.iter().zip(&wanted)).all(|(dim, (a, b))| *dim <= 1 || a == b)
        };
        let reversed = |of: &[i64]| of.iter().rev().copied().collect::<Vec<_>>();
        let shape_reversed: Vec<u64> = shape.iter().rev().copied().collect();
        if !is_along(strides, shape) && is_along(&reversed(strides), &shape_reversed) {
            let bytes = shape.iter().fold(size, |all, dim| all.saturating_mul(*dim));
            return Grid { chunk: shape.to_vec(), is_fortran: true, starts: vec![0], bytes, is_too_many: false };
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
            let rows = (1..=(most_bytes / row).clamp(1, MOST)).rev().find(|it| shape[0] % it == 0);
            chunk[0] = rows.unwrap_or(1);
        }
        let counts: Vec<u64> = shape.iter().zip(&chunk).map(|(dim, chunk)| dim.div_ceil((*chunk).max(1))).collect();
        let all = counts.iter().fold(1_u64, |all, count| all.saturating_mul(*count));
        let mut starts = vec![0_i64];
        if all <= MOST {
            for ((count, chunk), stride) in counts.iter().zip(&chunk).zip(strides) {
                let step = stride.saturating_mul(i64::try_from(*chunk).unwrap_or(i64::MAX));
                let along = |start: &i64| (0..*count as i64).map(move |at| start.saturating_add(at.saturating_mul(step))).collect::<Vec<_>>();
                starts = starts.iter().flat_map(along).collect();
            }
        }
        Grid { bytes: bytes(&chunk), chunk, is_fortran: false, starts, is_too_many: all > MOST }
    }
}
