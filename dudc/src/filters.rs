//! The filters of every command, which reads and writes all that are known: a layout that describes a
//! foreign file names those of its format.

use dudley::Open;
use dudley::filter::Registry;

/// All filters.
pub(crate) fn registry() -> Registry {
    let mut registry = asdf_bridge::filter::registry();
    dudley_formats::hdf5::register(&mut registry);
    registry
}

/// Opens streams with all filters.
pub(crate) fn opener() -> Open {
    Open::new().filters(registry())
}
