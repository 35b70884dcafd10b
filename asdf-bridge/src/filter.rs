//! Filters of ASDF files for layouts: what blocks go through that is not built into the engine.

mod lz4;
mod xz;

use std::sync::Arc;

use dudley::filter::Registry;

pub use lz4::AsdfLz4;
pub use xz::Xz;

/// The filters of the engine, and those of this crate: `asdf_lz4`, `xz`, `blosc_chunk` and `blosc2`.
///
/// ```
/// let filters = asdf_bridge::filter::registry();
/// let open = dudley::Open::new().layout_text("x = u1[3] -> xz[60]")?.filters(filters);
/// # let _ = open;
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn registry() -> Registry {
    let mut registry = Registry::with_builtins();
    register(&mut registry);
    registry
}

/// Adds the filters of this crate.
///
/// ```
/// let mut filters = dudley::filter::Registry::new();
/// asdf_bridge::filter::register(&mut filters);
/// assert!(filters.get("xz").is_some() && filters.get("blosc2").is_some());
/// ```
pub fn register(registry: &mut Registry) {
    registry.register(Arc::new(AsdfLz4));
    registry.register(Arc::new(Xz));
    crate::blosc2::register(registry);
}
