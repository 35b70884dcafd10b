//! The filters of every command: all known ones, because a layout of a foreign file names the filters
//! of its format.

use dudley::Open;

pub(crate) use dudley_formats::registry;

/// Opens streams with all filters.
pub(crate) fn opener() -> Open {
    Open::new().filters(registry())
}
