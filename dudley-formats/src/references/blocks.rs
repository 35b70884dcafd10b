//! An array in blocks in the form of zarr: chunks with their filters of HDF5.

use dudley::model::Node;
use dudley::numpy::descr::Descr;
use dudley::read::InBlocks;
use dudley::{ByteOrder, Data, Error, Result};
use serde_json::{Map, Number, Value as Json, json};

use super::array::{Found, only_dimension, type_of};
use super::zarr::fill_2;
use super::{MOST, Member, Options, Version, types};
use crate::hdf5::Filter;
use crate::hdf5::face::Chunked;
use crate::words::attributes;

/// The form of an array in blocks in zarr under a key, or the reason why there is none.
///
/// # Errors
/// If a block cannot be placed.
pub(super) fn found(
    member: &Member,
    (node, key): (&Node, &str),
    (data, blocks): (&Data, &InBlocks),
    options: &Options,
) -> Result<std::result::Result<Found, String>> {
    if data.vlen().is_some() {
        return Ok(Err("its elements differ in length and lie in a heap".to_owned()));
    }
    let attributes = attributes(node);
    if let Some(why) = only_dimension(&attributes) {
        return Ok(Err(why.to_owned()));
    }
    let laid = match laid(member, data, blocks, options) {
        Ok(laid) => laid,
        Err(Wrong::Read(error)) => return Err(error),
        Err(Wrong::Zarr(why)) => return Ok(Err(why)),
    };
    let mut dims = node.dims()?;
    dims.resize(laid.shape.len(), None);
    let found = Found { path: node.path(), key: key.to_owned(), dims, attributes, ..laid };
    Ok(match &found.fill {
        Some(fill) if options.version == Version::V2 && !is_said(&found, fill) => Err(format!(
            "blocks are missing, whose elements are {fill}: in format 2 they would be `_FillValue`; format 3 has both"
        )),
        _ => Ok(found),
    })
}

/// Why an array cannot be found.
enum Wrong {
    Read(Error),
    Zarr(String),
}

impl From<String> for Wrong {
    fn from(why: String) -> Wrong {
        Wrong::Zarr(why)
    }
}

impl From<Error> for Wrong {
    fn from(error: Error) -> Wrong {
        Wrong::Read(error)
    }
}

fn laid(
    member: &Member,
    data: &Data,
    blocks: &InBlocks,
    options: &Options,
) -> std::result::Result<Found, Wrong> {
    let no_type = || format!("zarr has no type for {}", data.dtype_name());
    let (dtype, shape) = type_of(data).ok_or_else(no_type)?;
    if let Some(why) = types::no_type(&dtype, options.version) {
        return Err(why.into());
    }
    let size = dtype.bytes().ok_or_else(no_type)?;
    let chunked = Chunked::of(data, blocks, (shape.len(), size), &mut Vec::new())??;
    let mut filters = Vec::new();
    for filter in &chunked.filters {
        let codec = codec(filter, size);
        filters.push(codec.ok_or_else(|| format!("zarr has no codec for {}", name(filter)))?);
    }
    let chunk: Vec<u64> = chunked.cell.iter().map(|dim| u64::from(*dim).max(1)).collect();
    let counts = shape.iter().zip(&chunk).map(|(dim, chunk)| dim.div_ceil(*chunk));
    let counts: Vec<u64> = counts.collect();
    let all = counts.iter().fold(1_u64, |all, count| all.saturating_mul(*count));
    if all > MOST {
        return Err(format!("it has more than {MOST} blocks").into());
    }
    let mut chunks = vec![None; all as usize];
    for stored in &chunked.chunks {
        if stored.skipped != 0 {
            return Err("its blocks went through different filters".to_owned().into());
        }
        let place = stored.start.iter().zip(&chunk).zip(&counts);
        let number =
            place.fold(0, |number, ((start, chunk), count)| number * count + start / chunk);
        if let Some(chunk) = chunks.get_mut(number as usize) {
            let address = stored.address.saturating_add(member.base);
            *chunk = Some((member.url.clone(), address, stored.bytes.into()));
        }
    }
    let mut missing = None;
    if chunks.contains(&None) {
        let of_missing = fill(&dtype, &chunked.fill);
        let why = || "blocks are missing, whose elements zarr cannot say".to_owned();
        missing = Some(of_missing.ok_or_else(why)?);
    }
    let (path, key, dims, attributes) = (String::new(), String::new(), Vec::new(), Map::new());
    let (codec, is_fortran) = (None, false);
    Ok(Found {
        path,
        key,
        dtype,
        shape,
        chunk,
        codec,
        filters,
        fill: missing,
        is_fortran,
        dims,
        attributes,
        chunks,
    })
}

/// A filter of numcodecs: its name and its settings; `None` if numcodecs lacks it.
fn codec(filter: &Filter, element: u64) -> Option<(&'static str, Json)> {
    let value = |at: usize, other: u64| filter.values.get(at).map_or(other, |it| (*it).into());
    Some(match filter.id {
        1 => ("zlib", json!({ "level": value(0, 6).min(9) })),
        2 => ("shuffle", json!({ "elementsize": value(0, element) })),
        3 => ("fletcher32", json!({})),
        307 => ("bz2", json!({ "level": value(0, 9).clamp(1, 9) })),
        32001 => ("blosc", json!({ "cname": "lz4", "clevel": 5, "shuffle": 1, "blocksize": 0 })),
        32015 => ("zstd", json!({ "level": value(0, 3).min(22) })),
        _ => return None,
    })
}

fn name(filter: &Filter) -> String {
    crate::hdf5::filter_name(filter.id)
        .map_or_else(|| format!("filter {} of HDF5", filter.id), |name| format!("`{name}`"))
}

/// The elements of missing blocks, from the bytes of one element; `None` means zeros.
fn fill(dtype: &Descr, bytes: &[u8]) -> Option<Json> {
    let Descr::Plain { kind, size, order, .. } = dtype else {
        return bytes.is_empty().then_some(Json::Null);
    };
    if bytes.is_empty() {
        return Some(match kind {
            'b' => json!(false),
            'c' => json!([0.0, 0.0]),
            'f' => json!(0.0),
            'i' | 'u' => json!(0),
            _ => Json::Null,
        });
    }
    let mut bytes = bytes.to_vec();
    if *order == ByteOrder::Big {
        bytes.reverse();
    }
    let bits = bytes.iter().rev().fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
    let float = |value: f64| match Number::from_f64(value) {
        Some(value) => value.into(),
        None if value.is_nan() => json!("NaN"),
        None => json!(if value > 0.0 { "Infinity" } else { "-Infinity" }),
    };
    match (kind, size) {
        ('u', 1 | 2 | 4 | 8) => Some(json!(bits)),
        ('i', 1 | 2 | 4 | 8) => {
            let unused = 64 - 8 * *size as u32;
            Some(json!((bits << unused).cast_signed() >> unused))
        }
        ('f', 4) => Some(float(f32::from_bits(bits as u32).into())),
        ('f', 8) => Some(float(f64::from_bits(bits))),
        ('b', 1) => Some(json!(bits != 0)),
        _ => None,
    }
}

/// Whether missing blocks have the value that format 2 gives them: `_FillValue`, or zeros without that.
fn is_said(found: &Found, fill: &Json) -> bool {
    let said = found.attributes.get("_FillValue");
    let Some(said) = said.and_then(|said| fill_2(&found.dtype, said.clone())) else {
        let is_zero = fill.as_f64() == Some(0.0) || *fill == json!([0.0, 0.0]);
        return is_zero || fill.is_null() || *fill == json!(false);
    };
    let is_single = matches!(&found.dtype, Descr::Plain { kind: 'f', size: 4, .. });
    match (said.as_f64(), fill.as_f64()) {
        (Some(said), Some(fill)) if is_single => said as f32 == fill as f32,
        _ => said == *fill,
    }
}
