//! The metadata of groups and arrays, as zarr stores it.
//!
//! Format 2: <https://zarr-specs.readthedocs.io/en/latest/v2/v2.0.html>; format 3:
//! <https://zarr-specs.readthedocs.io/en/latest/v3/core/index.html>. Names of dimensions are where xarray looks for them.

use std::collections::BTreeMap;

use dudley::ByteOrder;
use dudley::numpy::descr::Descr;
use serde_json::{Map, Value as Json, json};

use super::array::Found;
use super::types::{Version, name};
use crate::words::{Dims, take_types};

/// A type in format 2.
fn dtype(descr: &Descr) -> Json {
    match descr {
        Descr::Plain { kind, size, order, rest } => {
            let bytes = if *kind == 'U' { 4 } else { *size };
            let mark =
                if bytes == 1 || matches!(kind, 'S' | 'V' | 'b') { '|' } else { order.symbol() };
            Json::String(format!("{mark}{kind}{size}{rest}"))
        }
        Descr::Struct(fields, size) => {
            let (mut items, mut at) = (Vec::new(), 0);
            let gap =
                |from: u64, to: u64| (to > from).then(|| json!(["", format!("|V{}", to - from)]));
            for field in fields {
                items.extend(gap(at, field.offset));
                let of = dtype(&field.descr);
                items.push(match &field.shape[..] {
                    [] => json!([field.name, of]),
                    shape => json!([field.name, of, shape]),
                });
                at = field.end();
            }
            items.extend(gap(at, *size));
            Json::Array(items)
        }
    }
}

/// Enters groups and arrays.
pub(super) fn write(
    version: Version,
    groups: &BTreeMap<String, Map<String, Json>>,
    arrays: Vec<Found>,
    keys: &mut Map<String, Json>,
) {
    let in_group = |key: &str, name: &str| {
        if key.is_empty() { name.to_owned() } else { format!("{key}/{name}") }
    };
    for (key, attributes) in groups {
        let mut attributes = attributes.clone();
        take_types(&mut attributes);
        match version {
            Version::V2 => {
                keys.insert(
                    in_group(key, ".zgroup"),
                    json!({ "zarr_format": 2 }).to_string().into(),
                );
                if !attributes.is_empty() {
                    keys.insert(
                        in_group(key, ".zattrs"),
                        Json::Object(attributes.clone()).to_string().into(),
                    );
                }
            }
            Version::V3 => {
                let group =
                    json!({ "zarr_format": 3, "node_type": "group", "attributes": attributes });
                keys.insert(in_group(key, "zarr.json"), group.to_string().into());
            }
        }
    }
    let mut named = Dims::default();
    for array in arrays {
        let dims = named.of(&array.key, &array.dims, &array.shape);
        match version {
            Version::V2 => write_2(&array, &dims, keys),
            Version::V3 => write_3(&array, &dims, keys),
        }
        let prefix = match version {
            Version::V2 => format!("{}/", array.key),
            Version::V3 => format!("{}/c", array.key),
        };
        for (at, chunk) in array.chunks.iter().enumerate() {
            let Some((url, address, bytes)) = chunk else { continue };
            let index = index(at as u64, &array.shape, &array.chunk);
            let key = match version {
                Version::V2 if index.is_empty() => format!("{prefix}0"),
                Version::V2 => prefix.clone() + &index.join("."),
                Version::V3 => index.iter().fold(prefix.clone(), |key, it| key + "/" + it),
            };
            keys.insert(key, json!([url, address, bytes]));
        }
    }
    consolidate(version, keys);
}

/// All metadata once more in one place: a reader opens the store with one read, and finds the members of groups.
fn consolidate(version: Version, keys: &mut Map<String, Json>) {
    let is_metadata = |key: &str| {
        matches!(key.rsplit('/').next(), Some(".zgroup" | ".zarray" | ".zattrs" | "zarr.json"))
    };
    let parsed = |(key, text): (&String, &Json)| {
        let metadata = serde_json::from_str(text.as_str()?).ok()?;
        is_metadata(key).then(|| (key.clone(), metadata))
    };
    // zarr takes the members that follow a group for all its members, so they must stand together.
    let all: BTreeMap<String, Json> = keys.iter().filter_map(parsed).collect();
    let mut all: Map<String, Json> = all.into_iter().collect();
    match version {
        Version::V2 => {
            let text = json!({ "zarr_consolidated_format": 1, "metadata": all }).to_string();
            keys.insert(".zmetadata".to_owned(), text.into());
        }
        Version::V3 => {
            let Some(mut root) = all.shift_remove("zarr.json") else { return };
            let named =
                |(key, it): (String, Json)| Some((key.strip_suffix("/zarr.json")?.to_owned(), it));
            let all: Map<String, Json> = all.into_iter().filter_map(named).collect();
            root["consolidated_metadata"] =
                json!({ "kind": "inline", "must_understand": false, "metadata": all });
            keys.insert("zarr.json".to_owned(), root.to_string().into());
        }
    }
}

/// The index of a chunk in the grid, by its number in C order.
fn index(number: u64, shape: &[u64], chunk: &[u64]) -> Vec<String> {
    let mut rest = number;
    let mut index = Vec::with_capacity(shape.len());
    for (dim, chunk) in shape.iter().zip(chunk).rev() {
        let count = dim.div_ceil((*chunk).max(1)).max(1);
        index.push((rest % count).to_string());
        rest /= count;
    }
    index.reverse();
    index
}

fn write_2(array: &Found, dims: &[String], keys: &mut Map<String, Json>) {
    let mut attributes = array.attributes.clone();
    take_types(&mut attributes);
    // In format 2, xarray does not take the value of missing elements for an attribute.
    let fill = attributes.remove("_FillValue");
    let fill = fill.and_then(|fill| fill_2(&array.dtype, fill)).unwrap_or(Json::Null);
    attributes.insert("_ARRAY_DIMENSIONS".to_owned(), json!(dims));
    let compressor = match array.codec {
        None => Json::Null,
        Some("blosc") => {
            json!({ "id": "blosc", "cname": "lz4", "clevel": 5, "shuffle": 1, "blocksize": 0 })
        }
        Some(codec) => json!({ "id": codec, "level": 1 }),
    };
    let filters: Vec<Json> = array.filters.iter().map(|(id, set)| with_id(id, set)).collect();
    let filters = if filters.is_empty() { Json::Null } else { filters.into() };
    let metadata = json!({
        "zarr_format": 2,
        "shape": array.shape,
        "chunks": array.chunk.iter().map(|it| (*it).max(1)).collect::<Vec<_>>(),
        "dtype": dtype(&array.dtype),
        "compressor": compressor,
        "fill_value": fill,
        "order": if array.is_fortran { "F" } else { "C" },
        "filters": filters,
    });
    keys.insert(format!("{}/.zarray", array.key), metadata.to_string().into());
    keys.insert(format!("{}/.zattrs", array.key), Json::Object(attributes).to_string().into());
}

/// The name and the settings of a codec.
fn with_id(id: &str, set: &Json) -> Json {
    let mut set = set.clone();
    set["id"] = id.into();
    set
}

/// A fill value in format 2; `None` if the elements have another type.
pub(super) fn fill_2(dtype: &Descr, value: Json) -> Option<Json> {
    let Descr::Plain { kind, .. } = dtype else { return None };
    match (kind, value) {
        ('i' | 'u', value) => integer(&value).map(Json::from),
        ('f', Json::Number(value)) => Some(value.into()),
        ('f', Json::String(text)) => match text.parse::<f64>().ok()? {
            value if value.is_nan() => Some("NaN".into()),
            value if value == f64::INFINITY => Some("Infinity".into()),
            value if value == f64::NEG_INFINITY => Some("-Infinity".into()),
            _ => None,
        },
        _ => None,
    }
}

/// An integer; a number too large for a layout is a text.
fn integer(value: &Json) -> Option<serde_json::Number> {
    match value {
        Json::Number(value) if value.is_i64() || value.is_u64() => Some(value.clone()),
        Json::String(text) => text.parse::<u64>().ok().map(Into::into),
        _ => None,
    }
}

/// A fill value in the form that xarray reads from the attributes of format 3: a float as the base64 of its bytes.
fn fill_3(dtype: char, value: &Json) -> Json {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if let 'i' | 'u' = dtype {
        return integer(value).map_or_else(|| value.clone(), Json::from);
    }
    let float = || value.as_f64().or_else(|| value.as_str()?.parse().ok());
    let Some(float) = Some(dtype).filter(|it| *it == 'f').and_then(|_| float()) else {
        return value.clone();
    };
    // Eight bytes are eleven digits and one sign of padding.
    let bits = u128::from(float.to_bits().swap_bytes()) << 2;
    let digit = |at: u32| char::from(DIGITS[(bits >> (60 - 6 * at)) as usize % 64]);
    ((0..11).map(digit).collect::<String>() + "=").into()
}

fn write_3(array: &Found, dims: &[String], keys: &mut Map<String, Json>) {
    let Descr::Plain { kind, size, order, .. } = &array.dtype else { return };
    let endian = if *order == ByteOrder::Big { "big" } else { "little" };
    let mut codecs = Vec::new();
    if array.is_fortran {
        let order: Vec<usize> = (0..array.shape.len()).rev().collect();
        codecs.push(json!({ "name": "transpose", "configuration": { "order": order } }));
    }
    codecs.push(if *size == 1 {
        json!({ "name": "bytes" })
    } else {
        json!({ "name": "bytes", "configuration": { "endian": endian } })
    });
    codecs.extend(array.codec.map(|codec| match codec {
        "gzip" => json!({ "name": "gzip", "configuration": { "level": 1 } }),
        "zstd" => json!({ "name": "zstd", "configuration": { "level": 1, "checksum": false } }),
        "blosc" => json!({ "name": "blosc", "configuration": {
            "cname": "lz4", "clevel": 5, "shuffle": "shuffle", "typesize": size, "blocksize": 0,
        } }),
        codec => json!({ "name": format!("numcodecs.{codec}"), "configuration": { "level": 1 } }),
    }));
    codecs.extend(
        array
            .filters
            .iter()
            .map(|(id, set)| json!({ "name": format!("numcodecs.{id}"), "configuration": set })),
    );
    let mut attributes = array.attributes.clone();
    take_types(&mut attributes);
    if let Some(fill) = attributes.get_mut("_FillValue") {
        *fill = fill_3(*kind, fill);
    }
    let fill = array.fill.clone().unwrap_or_else(|| match kind {
        'b' => json!(false),
        'c' => json!([0.0, 0.0]),
        'f' => json!(0.0),
        _ => json!(0),
    });
    let metadata = json!({
        "zarr_format": 3,
        "node_type": "array",
        "shape": array.shape,
        "data_type": name(*kind, *size),
        "chunk_grid": { "name": "regular", "configuration": {
            "chunk_shape": array.chunk.iter().map(|it| (*it).max(1)).collect::<Vec<_>>(),
        } },
        "chunk_key_encoding": { "name": "default", "configuration": { "separator": "/" } },
        "fill_value": fill,
        "codecs": codecs,
        "attributes": attributes,
        "dimension_names": dims,
    });
    keys.insert(format!("{}/zarr.json", array.key), metadata.to_string().into());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fill_values_are_of_the_type_of_the_elements() {
        let of = |kind, value| {
            let (size, order, rest) = (4, ByteOrder::Little, String::new());
            fill_2(&Descr::Plain { kind, size, order, rest }, value)
        };
        assert_eq!(of('f', json!(-1.5)), Some(json!(-1.5)));
        assert_eq!(of('f', json!("NaN")), Some(json!("NaN")));
        assert_eq!(of('f', json!("-inf")), Some(json!("-Infinity")));
        assert_eq!(of('i', json!(-7)), Some(json!(-7)));
        assert_eq!(of('i', json!(-7.5)), None);
        let most = json!("18446744073709551615");
        assert_eq!(of('u', most.clone()), Some(json!(u64::MAX)));
        assert_eq!(fill_3('u', &most), json!(u64::MAX));
        assert_eq!(fill_3('f', &json!("NaN")), json!("AAAAAAAA+H8="));
        assert_eq!(of('S', json!("x")), None);
        // The result of Python's `base64.b64encode(struct.pack("<d", -1))`.
        assert_eq!(fill_3('f', &json!(-1.0)), json!("AAAAAAAA8L8="));
    }
}
