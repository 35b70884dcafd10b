//! The codecs of the fixed parts of the format, made from its layouts.

use std::sync::OnceLock;

use dudley::Open;
use dudley::read::Dtype;

dudley::layout!(pub(crate) mod header = "layouts/blosc2-header.dud");
dudley::layout!(pub(crate) mod header_2020 = "layouts/blosc2-header-2020.dud");
dudley::layout!(pub(crate) mod entry = "layouts/blosc2-entry.dud");
dudley::layout!(pub(crate) mod contents = "layouts/blosc2-contents.dud");
dudley::layout!(pub(crate) mod content = "layouts/blosc2-content.dud");
dudley::layout!(pub(crate) mod trailer = "layouts/blosc2-trailer.dud");
dudley::layout!(pub(crate) mod trailer_2020 = "layouts/blosc2-trailer-2020.dud");
dudley::layout!(pub(crate) mod chunk_16 = "layouts/blosc2-chunk-16.dud");
dudley::layout!(pub(crate) mod chunk_32 = "layouts/blosc2-chunk-32.dud");
dudley::layout!(pub(crate) mod stream = "layouts/blosc2-stream.dud");
dudley::layout!(pub(crate) mod offsets = "layouts/blosc2-offsets.dud");
dudley::layout!(pub(crate) mod checksums = "layouts/blosc2-checksums.dud");
dudley::layout!(pub(crate) mod journal = "layouts/blosc2-journal.dud");
dudley::layout!(pub(crate) mod b2nd = "layouts/blosc2-b2nd.dud");
dudley::layout!(pub(crate) mod dtype = "layouts/blosc2-dtype.dud");

/// Where the fields of a header stand, as its layout has them: for errors, which say where.
pub(crate) struct Places {
    layout: &'static str,
    found: OnceLock<Vec<(String, u64)>>,
}

/// Of the header of a frame of today.
pub(crate) static HEADER: Places = Places::of(header::LAYOUT);

/// Of the header of a frame of 2020.
pub(crate) static HEADER_2020: Places = Places::of(header_2020::LAYOUT);

/// Of the header of a chunk; the short one is its beginning.
pub(crate) static CHUNK: Places = Places::of(chunk_32::LAYOUT);

impl Places {
    const fn of(layout: &'static str) -> Places {
        Places { layout, found: OnceLock::new() }
    }

    /// In bytes from the start of the header.
    pub(crate) fn at(&self, field: &str) -> u64 {
        let found = self.found.get_or_init(|| fields(self.layout).unwrap_or_default());
        let place = found.iter().find(|(name, _)| name == field);
        debug_assert!(place.is_some(), "{field}");
        place.map_or(0, |(_, offset)| *offset)
    }
}

/// The fields of the struct `header` of a layout.
fn fields(layout: &str) -> dudley::Result<Vec<(String, u64)>> {
    let stream = Open::new().raw().layout_text(layout)?.bytes(Vec::new())?;
    let Dtype::Record(record) = stream.get("/header")?.data()?.dtype().clone() else {
        return Ok(Vec::new());
    };
    Ok(record.fields.iter().map(|field| (field.name.clone(), field.offset)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_where_the_format_has_them() {
        let places = [HEADER.at("nbytes"), HEADER.at("chunksize"), HEADER.at("filter_count")];
        assert_eq!(places, [30, 58, 70]);
        let places = [HEADER_2020.at("nbytes"), HEADER_2020.at("chunksize")];
        assert_eq!(places, [30, 53]);
        let short = fields(chunk_16::LAYOUT).expect("a layout");
        assert_eq!(short.len(), 7);
        for (name, offset) in short {
            assert_eq!(CHUNK.at(&name), offset, "{name}");
        }
    }
}
