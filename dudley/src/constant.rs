//! Items whose only legal value the layout states (spec 7.3): checked when decoded, filled in when
//! written.

pub(crate) mod check;
pub(crate) mod guard;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use dudley_parser::comments::{AttrValue, Attribute};
use dudley_parser::layout::dtype::Primitive;
use dudley_parser::layout::{DocKey, Layout, ParamId};
use dudley_parser::resolve::ParamAt;

use crate::decode::emit_plain;
use crate::dtype::{Dtype, Field};
use crate::error::{Error, Item, Result};
use crate::source::Source;
use crate::stream::Stream;
use crate::value::{Builder, Value, shown};

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

/// The value that an attribute states.
pub fn wanted(attribute: &Attribute) -> Value {
    match &attribute.value {
        AttrValue::Int(value) => Value::Int((*value).into()),
        AttrValue::Float(value) => Value::Float(*value),
        AttrValue::Text(text) => Value::Text(text.clone()),
        AttrValue::True => Value::Bool(true),
        AttrValue::Ints(values) => {
            Value::Array(values.iter().map(|value| Value::Int((*value).into())).collect())
        }
        AttrValue::Floats(values) => {
            Value::Array(values.iter().map(|value| Value::Float(*value)).collect())
        }
        AttrValue::Texts(texts) => {
            Value::Array(texts.iter().map(|text| Value::Text(text.clone())).collect())
        }
    }
}

/// The value that a layout states of a param, if it does; what is given must be the same, since it would be lost.
pub(crate) fn param(layout: &Layout, id: ParamId, given: Option<&Value>) -> Result<Option<i128>> {
    let stated = layout.attribute(DocKey::of(layout[id].span), "const").map(wanted);
    let Some(Value::Int(stated)) = stated else { return Ok(None) };
    match given {
        None | Some(Value::Null) => Ok(Some(stated)),
        Some(Value::Int(given)) if *given == stated => Ok(Some(stated)),
        Some(other) => Err(differs(&Value::Int(stated), show(other))),
    }
}

/// That a param which was read has the value that the layout states of it.
///
/// # Errors
/// [`Error::Const`], unless the stream goes on in spite of it.
pub(crate) fn check_param(stream: &Stream, at: &ParamAt, value: i128) -> Result<()> {
    let param = &stream.layout()[at.param];
    if !param.constant {
        return Ok(());
    }
    let stated = stream.layout().attribute(DocKey::of(param.span), "const").map(wanted);
    match stated {
        Some(stated) if !same(&Value::Int(value), &stated) => {
            let (item, expected) = (Item::UNKNOWN, show(&stated).into());
            let found = value.to_string().into();
            let wrong = Error::Const { item, address: at.address, expected, found };
            stream.inner.constants.wrong(wrong)
        }
        _ => Ok(()),
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
    attribute: &Attribute,
    source: &dyn Source,
    address: u64,
) -> Result<()> {
    let strides = crate::decode::strides(&field.shape, field.dtype.size().unwrap_or(0));
    let place = (address, &field.shape[..], &strides[..]);
    let compared = compare(stream, &field.dtype, source, place, attribute);
    compared.or_else(|error| stream.inner.constants.wrong(error))
}

/// Compares what is stored at an address, of a shape and with strides, with what an attribute states.
fn compare(
    stream: &Stream,
    dtype: &Dtype,
    source: &dyn Source,
    place: (u64, &[u64], &[i64]),
    attribute: &Attribute,
) -> Result<()> {
    let mut builder = Builder::default();
    emit_plain(stream, dtype, source, place, &mut builder)?;
    let (found, wanted) = (builder.finish(), wanted(attribute));
    if same(&found, &nearest(&wanted, dtype)) {
        return Ok(());
    }
    Err(Error::Const {
        item: Item::UNKNOWN,
        address: place.0,
        expected: show(&wanted).into(),
        found: show(&found).into(),
    })
}

/// A stated value as elements of a type hold it: as the nearest number that a small float can be.
pub(crate) fn nearest(stated: &Value, dtype: &Dtype) -> Value {
    let float = match stated {
        Value::Array(values) => {
            return Value::Array(values.iter().map(|value| nearest(value, dtype)).collect());
        }
        Value::Float(value) => *value,
        Value::Int(value) => *value as f64,
        other => return other.clone(),
    };
    match dtype.primitive() {
        Some((Primitive::F2, _)) => Value::Float(half::f16::from_f64(float).to_f64()),
        Some((Primitive::F4, _)) => Value::Float(f64::from(float as f32)),
        _ => stated.clone(),
    }
}

/// Whether a value is what an attribute states. An array may be stated by a flat list, and an
/// array of equal elements by the one element.
pub(crate) fn same(found: &Value, wanted: &Value) -> bool {
    match (found, wanted) {
        (Value::Array(found), Value::Array(wanted)) if found.len() == wanted.len() => {
            found.iter().zip(wanted).all(|(found, wanted)| same(found, wanted))
        }
        (Value::Array(_), Value::Array(wanted)) => {
            let mut flat = Vec::new();
            flatten(found, &mut flat);
            flat.len() == wanted.len()
                && flat.iter().zip(wanted).all(|(found, wanted)| same(found, wanted))
        }
        (Value::Array(found), wanted) => found.iter().all(|found| same(found, wanted)),
        (Value::Int(found), Value::Int(wanted)) => found == wanted,
        (Value::Float(found), Value::Float(wanted)) => found == wanted,
        (Value::Float(found), Value::Int(wanted)) => *found == *wanted as f64,
        (Value::Bool(found), Value::Int(wanted)) => i128::from(*found) == *wanted,
        (found, wanted) => found == wanted,
    }
}

fn flatten<'v>(value: &'v Value, flat: &mut Vec<&'v Value>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| flatten(item, flat)),
        value => flat.push(value),
    }
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
