//! The layouts whose results are known: where they are, and how our results are put beside theirs.

use std::fs;
use std::path::{Path, PathBuf};

use dudley::bytes::Source;
use dudley::{ByteOrder, Error, Open, Result};
use serde_json::Value as Json;

/// The folders of known layouts: our own, and one that the caller names by `DUDLEY_CORPUS`.
pub fn folders() -> Vec<PathBuf> {
    let own = crate::root().join("tests/corpus/layouts");
    let more = std::env::var_os("DUDLEY_CORPUS").map(|folder| Path::new(&folder).join("layouts"));
    std::iter::once(own).chain(more.filter(|folder| folder.is_dir())).collect()
}

/// A JSON file.
///
/// # Panics
/// When it cannot be read or is none.
pub fn json(path: &Path) -> Json {
    let text = fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_json::from_slice(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The rows of a JSON file that is one list, with the folder's name for messages.
pub fn rows(folder: &Path, name: &str) -> Vec<Json> {
    match json(&folder.join(name)) {
        Json::Array(rows) => rows,
        other => panic!("{name} is no list: {other}"),
    }
}

/// The folders below `streams/`, in order.
///
/// # Panics
/// When the folder cannot be listed.
pub fn streams(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder.join("streams"))
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut cases: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    cases.sort();
    cases
}

/// How the stream of such a folder is opened, of which the results are given.
///
/// # Errors
/// If its layout is wrong.
///
/// # Panics
/// When the layout cannot be read.
pub fn opener(case: &Path, expected: &Json) -> Result<Open> {
    let layout = fs::read(case.join("layout.dud")).expect("a layout");
    let mut open = Open::new().layout(dudley::parse_layout(&layout)?);
    for (name, value) in expected["supplied"].as_object().into_iter().flatten() {
        open = open.param(name, value.as_i64().unwrap_or_default());
    }
    if let Some(order) = order(&expected["caller_order"]) {
        open = open.order(order);
    }
    Ok(if expected["kind"] == "raw" { open.raw() } else { open })
}

/// The file that it is.
pub fn stream(case: &Path, expected: &Json) -> PathBuf {
    case.join(expected["stream"].as_str().unwrap_or_default())
}

/// Bytes written as hexadecimal digits.
///
/// # Panics
/// When they are none.
pub fn unhex(text: &str) -> Vec<u8> {
    let digit = |byte: u8| (byte as char).to_digit(16).unwrap_or_else(|| panic!("`{text}`")) as u8;
    text.as_bytes().chunks(2).map(|pair| digit(pair[0]) << 4 | digit(pair[1])).collect()
}

/// `"<"` or `">"`; anything else is no order.
pub fn order(symbol: &Json) -> Option<ByteOrder> {
    match symbol.as_str()? {
        "<" => Some(ByteOrder::Little),
        ">" => Some(ByteOrder::Big),
        _ => None,
    }
}

/// A stream of zeros without end, behind a signature if it is a native one.
#[derive(Debug)]
pub struct Zeros {
    /// Whether it begins with a signature.
    pub native: bool,
}

impl Source for Zeros {
    fn len(&self) -> u64 {
        i64::MAX as u64
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> Result<()> {
        if address.checked_add(buf.len() as u64).is_none_or(|end| end > self.len()) {
            return Err(Error::too_large(address));
        }
        buf.fill(0);
        let signature: &[u8] = if self.native { b"\x8d<BD\r\n\x1a\n" } else { b"" };
        for (at, byte) in (address..).zip(buf.iter_mut()) {
            match signature.get(at as usize) {
                Some(known) => *byte = *known,
                None => break,
            }
        }
        Ok(())
    }
}

/// A value as the known results spell it.
pub fn spell(value: &dudley::Value) -> Json {
    use dudley::Value;
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => (*value).into(),
        Value::Int(value) => match (i64::try_from(*value), u64::try_from(*value)) {
            (Ok(value), _) => value.into(),
            (_, Ok(value)) => value.into(),
            _ => value.to_string().into(),
        },
        Value::Float(value) => float(*value),
        Value::Complex(re, im) => Json::Array(vec![float(*re), float(*im)]),
        Value::Text(text) => text.as_str().into(),
        Value::Bits(bytes) => bytes.iter().map(|byte| format!("{byte:02x}")).collect(),
        Value::Array(items) => items.iter().map(spell).collect(),
        Value::Struct(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), spell(value))).collect()
        }
    }
}

fn float(value: f64) -> Json {
    match value {
        _ if value.is_nan() => "nan".into(),
        f64::INFINITY => "inf".into(),
        f64::NEG_INFINITY => "-inf".into(),
        value => value.into(),
    }
}

/// Whether two values are the same. Floats are compared by their bits, so that -0 is not 0; an
/// integer is not a float.
pub fn same(left: &Json, right: &Json) -> bool {
    match (left, right) {
        (Json::Number(left), Json::Number(right)) => match (left.as_f64(), right.as_f64()) {
            (Some(a), Some(b)) if left.is_f64() && right.is_f64() => a.to_bits() == b.to_bits(),
            _ => left == right,
        },
        (Json::Array(left), Json::Array(right)) => {
            left.len() == right.len()
                && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Json::Object(left), Json::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, value)| right.get(key).is_some_and(|it| same(value, it)))
        }
        _ => left == right,
    }
}

/// Whether two values are the same, where 1 and 1.0 are.
pub fn alike(left: &Json, right: &Json) -> bool {
    match (left, right) {
        (Json::Array(left), Json::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(a, b)| alike(a, b))
        }
        (Json::Object(left), Json::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, a)| right.get(key).is_some_and(|b| alike(a, b)))
        }
        (Json::Number(left), Json::Number(right)) => left.as_f64() == right.as_f64(),
        _ => left == right,
    }
}
