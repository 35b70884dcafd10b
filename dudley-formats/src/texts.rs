//! Texts in arrays of one length each: UTF-8, the shorter ones with NULs behind them.

use dudley::numpy::ArraySource;
use dudley::read::Parts;
use dudley::{ByteOrder, Dtype, Primitive, Result, Value};

/// The texts of a value, row-major; `None` if it has others.
pub(crate) fn texts(value: &Value) -> Option<Vec<&str>> {
    let (mut found, mut waiting) = (Vec::new(), vec![value]);
    while let Some(value) = waiting.pop() {
        match value {
            Value::Text(text) => found.push(&**text),
            Value::Array(values) => waiting.extend(values.iter().rev()),
            _ => return None,
        }
    }
    Some(found)
}

/// Texts of one length, the shorter ones with NULs behind them, and that length.
pub(crate) fn padded(texts: &[&str]) -> (Vec<u8>, u64) {
    let len = texts.iter().map(|text| text.len()).max().unwrap_or(0).max(1);
    let mut bytes = Vec::new();
    for (row, text) in texts.iter().enumerate() {
        bytes.extend_from_slice(text.as_bytes());
        bytes.resize((row + 1) * len, 0);
    }
    (bytes, len as u64)
}

/// An array of text in UTF-16 or UTF-32 as one in UTF-8, whose last dimension counts bytes.
///
/// # Errors
/// If reading it fails.
pub(crate) fn as_utf8(source: &ArraySource) -> Result<ArraySource> {
    let mut shape = source.shape().to_vec();
    let value = source.value()?.unwrap_or(Value::Null);
    let (bytes, len) = padded(&texts(&value).unwrap_or_default());
    if source.units().is_some_and(|(.., units)| units.is_none()) {
        shape.pop();
    }
    shape.push(len);
    let parts = Parts::new(Dtype::Primitive(Primitive::Utf8, ByteOrder::Little), &shape);
    Ok(parts.data(bytes)?.into())
}
