//! Items whose only legal value the layout states (spec 7.3): checked when decoded, filled in when
//! written.

pub(crate) mod check;
pub(crate) mod guard;
mod stated;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use dudley_parser::layout::{Layout, ParamId};
use dudley_parser::resolve::ParamAt;

use crate::decode::emit_plain;
use crate::dtype::{Dtype, Field};
use crate::error::{Context, Error, Item, Result, to_usize};
use crate::listing::{field_path, index_of, instance_path};
use crate::source::Source;
use crate::stream::Stream;
use crate::value::{Builder, Sink, Value, shown};
pub(crate) use stated::Stated;

/// What is done about an item that does not hold its only legal value.
#[derive(Clone, Default)]
pub(crate) enum Constants {
    /// It is an error for who opens the stream, and for who reads what lies behind it.
    #[default]
    Guard,
    /// It is an error for who reads the item itself.
    WhenRead,
    /// The caller is told, and the values are given all the same.
    Told(Arc<Tell>),
}

/// Who is told of values that are not legal.
pub(crate) type Tell = dyn Fn(&Error) + Send + Sync;

impl Constants {
    /// An error that says what an item should hold; none if that is no reason to end.
    fn wrong(&self, error: Error) -> Result<()> {
        match (self, &error) {
            (Constants::Told(tell), Error::Const { .. }) => {
                tell(&error);
                Ok(())
            }
            _ => Err(error),
        }
    }
}

/// The value that a layout states of a param, if it does; what is given must be the same, since it would be lost.
pub(crate) fn param(layout: &Layout, id: ParamId, given: Option<&Value>) -> Result<Option<i128>> {
    let Some(stated) = Stated::of_param(layout, id) else { return Ok(None) };
    if let Some(given) = given.filter(|given| **given != Value::Null) {
        stated.check(given)?;
    }
    stated.number().map(Some)
}

/// That a param which was read has the value that the layout states of it.
///
/// # Errors
/// [`Error::Const`], unless the stream goes on in spite of it.
pub(crate) fn check_param(stream: &Stream, at: &ParamAt, value: i128) -> Result<()> {
    let layout = stream.layout();
    if !layout[at.param].constant {
        return Ok(());
    }
    let (stated, value) = (Stated::of_param(layout, at.param), Value::Int(value));
    match stated.filter(|stated| !stated.is(&value)) {
        Some(stated) => stream.inner.constants.wrong(stated.wrong(at.address, &value)),
        None => Ok(()),
    }
}

/// That something else is given than a layout states.
pub(crate) fn differs(stated: &Value, given: String) -> Error {
    let expected = format!("{}, which the layout states", show(stated)).into();
    Error::WrongValue { item: Item::UNKNOWN, expected, found: given.into() }
}

/// Checks a field of one instance.
pub(crate) fn check_field(
    stream: &Stream,
    field: &Field,
    source: &dyn Source,
    address: u64,
) -> Result<()> {
    let Some(stated) = Stated::of_field(stream.layout(), field, 0) else { return Ok(()) };
    let strides = crate::decode::strides(&field.shape, field.dtype.size().unwrap_or(0));
    let place = (address, &field.shape[..], &strides[..]);
    let compared = compare(stream, &field.dtype, source, place, &stated);
    compared.or_else(|error| stream.inner.constants.wrong(error))
}

/// The same of a field of structs that say their own size, or are the value of one member, which `emit` gives.
pub(crate) fn check_varying(
    stream: &Stream,
    field: &Field,
    address: u64,
    emit: &mut dyn FnMut(&mut dyn Sink) -> Result<()>,
) -> Result<()> {
    let Some(stated) = Stated::of_field(stream.layout(), field, 0) else { return Ok(()) };
    let mut builder = Builder::default();
    emit(&mut builder)?;
    let found = builder.finish();
    if stated.is(&found) {
        Ok(())
    } else {
        stream.inner.constants.wrong(stated.wrong(address, &found))
    }
}

/// Compares what is stored at an address, of a shape and with strides, with what is stated of it.
fn compare(
    stream: &Stream,
    dtype: &Dtype,
    source: &dyn Source,
    place: (u64, &[u64], &[i64]),
    stated: &Stated,
) -> Result<()> {
    let mut builder = Builder::default();
    emit_plain(stream, dtype, source, place, &mut builder)?;
    let found = builder.finish();
    if stated.is(&found) { Ok(()) } else { Err(stated.wrong(place.0, &found)) }
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
            fill(layout, &path, (stated.as_ref(), &field.dtype, &field.shape), room)?;
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

/// That structs have in their bytes what the layout states of their fields.
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
        let place = (&field.dtype, &field.shape[..]);
        for (at, element) in bytes.chunks_exact(to_usize(record.size)?.max(1)).enumerate() {
            let Some(bytes) = element.get(begin..end) else { continue };
            let path =
                || field_path(&instance_path(path, &index_of(at as u64, shape)), &field.name);
            match &stated {
                Some(stated) => stated
                    .check_bytes(bytes, &field.dtype, &field.shape)
                    .map_err(|error| error.of_item(&path()))?,
                None => check_fields(layout, &path(), place, bytes)?,
            }
        }
    }
    Ok(())
}

/// A value in a message, at most a few of its elements.
pub(crate) fn show(value: &Value) -> String {
    const SHOWN: usize = 16;
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => shown(*value),
        Value::Complex(re, im) => format!("[{}, {}]", shown(*re), shown(*im)),
        Value::Text(text) => format!("{text:?}"),
        Value::Bits(bits) => bits.iter().map(|byte| format!("{byte:02x}")).collect(),
        Value::Array(items) => {
            let more = if items.len() > SHOWN { ", …" } else { "" };
            let shown: Vec<String> = items.iter().take(SHOWN).map(show).collect();
            format!("[{}{more}]", shown.join(", "))
        }
        Value::Struct(_) => "a struct".to_owned(),
    }
}
