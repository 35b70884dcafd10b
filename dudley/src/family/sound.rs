//! Whether a catalog is as it was written, as far as can be said without its members.

use dudley_parser::layout::identity::identity;

use super::catalog::Catalog;
use super::within::UNIT;
use crate::error::{Error, Result};
use crate::index::Held;

/// Compares a catalog with what it says of itself: its checksums, the hash of its layout, and where
/// members can lie.
///
/// # Errors
/// [`Error::Checksum`], [`Error::NotCatalog`].
pub(super) fn check(catalog: &Catalog) -> Result<()> {
    let mut wrong = None;
    if let Some(held) = Held::of(&catalog.stream)? {
        let differs = |error: Error, intact: bool| {
            if intact {
                wrong.get_or_insert(error);
            }
        };
        held.compare(&catalog.stream, differs, |_| ());
    }
    if let Some(error) = wrong {
        return Err(error);
    }
    if identity(&catalog.template) != catalog.identity {
        let why = "`/template` is not the layout that `/identity` is of: one of them is damaged";
        return Err(Error::NotCatalog { why: why.into() });
    }
    (0..catalog.members).try_for_each(|member| member_lies(catalog, member))
}

/// That a member lies where one can, in a file that there is.
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
