//! Whether a catalog is as it was written, as far as can be said without its members.

use dudley_parser::Layout;
use dudley_parser::layout::identity::identity;

use super::catalog::Catalog;
use super::within::UNIT;
use crate::error::{Error, Result};
use crate::index::Held;
use crate::stream::Stream;

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

/// That a layout is the one that a catalog was made for.
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

/// That members lie where they can, in files that there are.
///
/// # Errors
/// [`Error::NotCatalog`] with the first that does not.
pub(super) fn check_places(catalog: &Catalog) -> Result<()> {
    (0..catalog.members).try_for_each(|member| member_lies(catalog, member))
}

fn member_lies(catalog: &Catalog, member: usize) -> Result<()> {
    let bytes = catalog.bytes();
    let (file, start) = (catalog.file_of(member), catalog.start.unsigned(bytes, member));
    let why = if file >= catalog.files {
        format!("member {member} should be in file {file}, but there are {}", catalog.files)
    } else if !start.is_multiple_of(UNIT) {
        format!("member {member} should begin at byte {start}, which is no multiple of {UNIT}")
    } else {
        let length = catalog.length.unsigned(bytes, member);
        let there = catalog.file_bytes.unsigned(bytes, file);
        if start.checked_add(length).is_some_and(|end| end <= there) {
            return Ok(());
        }
        format!(
            "member {member} should have {length} bytes from byte {start} on, but its file has {there}"
        )
    };
    Err(Error::NotCatalog { why: why.into() })
}
