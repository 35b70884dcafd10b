//! Items whose only legal value the layout states (spec 7.3): checked when decoded, filled in when
//! written.

mod stated;

use dudley_parser::layout::{Layout, ParamId};

use crate::elements::value::{Value, show};
use crate::error::{Context, Error, Item, Result, to_usize};
use crate::read::dtype::{Dtype, Field};
use crate::read::path::{field_path, index_of, instance_path};
pub(crate) use stated::Stated;

/// The value that a layout states of a param, if it does; what is given must be the same, since it would be lost.
pub(crate) fn param(layout: &Layout, id: ParamId, given: Option<&Value>) -> Result<Option<i128>> {
    let Some(stated) = Stated::of_param(layout, id) else { return Ok(None) };
    if let Some(given) = given.filter(|given| **given != Value::Null) {
        stated.check(given)?;
    }
    stated.number().map(Some)
}

/// That something else is given than a layout states.
pub(crate) fn differs(stated: &Value, given: String) -> Error {
    let expected = format!("{}, which the layout states", show(stated)).into();
    Error::WrongValue { item: Item::UNKNOWN, expected, found: given.into() }
}

/// Puts what the layout states of an array, and of the fields of its structs, in its bytes.
///
/// # Errors
/// As [`Stated::bytes`].
pub(crate) fn fill(
    layout: &Layout,
    path: &str,
    (stated, dtype, shape): (Option<&Stated>, &Dtype, &[u64]),
    room: &mut [u8],
) -> Result<()> {
    if let Some(stated) = stated {
        let bytes = stated.bytes(dtype, shape).of_item(path)?;
        if bytes.len() == room.len() {
            room.copy_from_slice(&bytes);
        }
        return Ok(());
    }
    let Dtype::Record(record) = dtype else { return Ok(()) };
    for field in record.fields.iter().filter(|field| is_stated(layout, field)) {
        let begin = to_usize(field.offset)?;
        let end = begin.saturating_add(to_usize(field.bytes)?);
        let stated = Stated::of_field(layout, field, 0);
        let path = format!("{path}.{}", field.name);
        for element in room.chunks_exact_mut(to_usize(record.size)?.max(1)) {
            let Some(room) = element.get_mut(begin..end) else { continue };
            fill(layout, &path, (stated.as_ref(), &field.dtype, field.given()), room)?;
            if field.filter.is_none() && field.check_rows().is_err() {
                room.copy_from_slice(&field.stored(room.to_vec())?);
            }
        }
    }
    Ok(())
}

/// Whether the layout states something of the fields of structs.
pub(crate) fn has_fields(layout: &Layout, dtype: &Dtype) -> bool {
    let Dtype::Record(record) = dtype else { return false };
    record.fields.iter().any(|field| is_stated(layout, field))
}

/// Whether the layout states something of a field, or of what is in it.
fn is_stated(layout: &Layout, field: &Field) -> bool {
    match field.array {
        Some(array) => layout[array].constant,
        None => !field.is_fixed(layout) && field.constant(layout).is_some(),
    }
}

/// Checks that structs have in their bytes what the layout states of their fields.
///
/// # Errors
/// As [`Stated::check_bytes`].
pub(crate) fn check_fields(
    layout: &Layout,
    path: &str,
    (dtype, shape): (&Dtype, &[u64]),
    bytes: &[u8],
) -> Result<()> {
    let Dtype::Record(record) = dtype else { return Ok(()) };
    let checked = |field: &&Field| field.filter.is_none() && is_stated(layout, field);
    for field in record.fields.iter().filter(checked) {
        let begin = to_usize(field.offset)?;
        let end = begin.saturating_add(to_usize(field.bytes)?);
        let stated = Stated::of_field(layout, field, 0);
        let shown = field.given();
        for (at, element) in bytes.chunks_exact(to_usize(record.size)?.max(1)).enumerate() {
            let Some(bytes) = element.get(begin..end) else { continue };
            let path =
                || field_path(&instance_path(path, &index_of(at as u64, shape)), &field.name);
            let rows = field.presented.rows(bytes, field.dtype.size().unwrap_or(0))?;
            match &stated {
                Some(stated) => stated
                    .check_bytes(&rows, &field.dtype, shown)
                    .map_err(|error| error.of_item(&path()))?,
                None => check_fields(layout, &path(), (&field.dtype, shown), &rows)?,
            }
        }
    }
    Ok(())
}
