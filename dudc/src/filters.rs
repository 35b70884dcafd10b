//! The filters of every command, which reads and writes all that are known: a layout that describes a
//! foreign file names those of its format.

use dudley::Open;

pub(crate) use dudley_formats::registry;

/// Opens streams with all filters.
pub(crate) fn opener() -> Open {
    Open::new().filters(registry())
}
