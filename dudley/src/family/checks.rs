//! Whether a catalog is as it was written, as far as can be said without its members.

use dudley_parser::Layout;
use dudley_parser::layout::identity::identity;

use crate::error::{Error, Result};
use crate::index::Held;
use crate::read::stream::Stream;

/// Compares a catalog with its checksums; whether it has any.
///
/// # Errors
/// [`Error::Checksum`] with the first item that differs.
pub(super) fn check_sums(catalog: &Stream) -> Result<bool> {
    let Some(held) = Held::of(catalog)?.filter(|held| !held.is_empty()) else { return Ok(false) };
    let mut wrong = None;
    let differs = |error: Error, intact: bool| {
        if intact {
            wrong.get_or_insert(error);
        }
    };
    held.compare(catalog, differs, |_| ());
    wrong.map_or(Ok(true), Err)
}

/// Checks that a layout is the one that a catalog was made for.
///
/// # Errors
/// [`Error::NotCatalog`].
pub(super) fn check_template(template: &Layout, stated: u64) -> Result<()> {
    if identity(template) == stated {
        return Ok(());
    }
    let why = "`/template` is not the layout that `/identity` is of: one of them is damaged";
    Err(Error::NotCatalog { why: why.into() })
}
