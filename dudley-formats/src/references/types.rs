//! The types and codecs of zarr.

use dudley::numpy::descr::Descr;

/// The format of zarr's metadata.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Version {
    /// `.zarray` and `.zattrs`.
    #[default]
    V2,
    /// `zarr.json`.
    V3,
}

/// The name in zarr for a codec of Dudley or ASDF.
pub(super) fn codec(name: &str) -> Option<&'static str> {
    match name {
        "zlib" => Some("zlib"),
        "gzip" => Some("gzip"),
        "bzip2" | "bzp2" => Some("bz2"),
        "zstd" => Some("zstd"),
        "blosc_chunk" | "blsc" => Some("blosc"),
        _ => None,
    }
}

/// Why there is no type for elements.
pub(super) fn no_type(dtype: &Descr, version: Version) -> Option<String> {
    match (dtype, version) {
        (Descr::Struct(..), Version::V3) => Some("zarr's format 3 has no structs".to_owned()),
        (Descr::Plain { kind, size, .. }, Version::V3) if name(*kind, *size).is_none() => {
            Some(format!("zarr's format 3 has no type for `{kind}{size}` of numpy"))
        }
        _ => None,
    }
}

/// The name of a type in format 3.
pub(super) fn name(kind: char, size: u64) -> Option<String> {
    match kind {
        'b' => Some("bool".to_owned()),
        'i' => Some(format!("int{}", 8 * size)),
        'u' => Some(format!("uint{}", 8 * size)),
        'f' => Some(format!("float{}", 8 * size)),
        'c' => Some(format!("complex{}", 8 * size)),
        _ => None,
    }
}
