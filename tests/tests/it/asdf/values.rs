//! How values of two files are compared.

use asdf_bridge::asdf::{AsdfFile, Result};
use dudley::Value;

/// Keys that say who wrote a file, and when.
const PROVENANCE: [&str; 2] = ["asdf_library", "history"];

/// All that is in a file except for the code that wrote it; arrays as lists.
pub(crate) fn of(file: &AsdfFile) -> Result<Value> {
    Ok(match file.root()?.value()? {
        Value::Struct(fields) => {
            let kept = fields.into_iter().filter(|(key, _)| !PROVENANCE.contains(&key.as_str()));
            Value::Struct(kept.collect())
        }
        other => other,
    })
}

/// Where two values differ by more than `tolerance` of floats; `None` if they do not.
pub(crate) fn difference(left: &Value, right: &Value, tolerance: f64) -> Option<String> {
    let differ = || Some(format!("{} beside {}", shown(left), shown(right)));
    match (left, right) {
        (Value::Struct(left), Value::Struct(right)) => {
            if left.len() != right.len() {
                return differ();
            }
            left.iter().find_map(|(key, value)| {
                let Some((_, other)) = right.iter().find(|(name, _)| name == key) else {
                    return Some(format!("no `{key}`"));
                };
                let found = difference(value, other, tolerance)?;
                Some(format!("{key}: {found}"))
            })
        }
        // A row is a list in a tree, and a struct in an array.
        (Value::Struct(fields), Value::Array(_)) => {
            let fields = fields.iter().map(|(_, value)| value.clone()).collect();
            difference(&Value::Array(fields), right, tolerance)
        }
        (Value::Array(_), Value::Struct(_)) => difference(right, left, tolerance),
        (Value::Array(left), Value::Array(right)) if left.len() == right.len() => {
            left.iter().zip(right).enumerate().find_map(|(at, (left, right))| {
                Some(format!("[{at}]: {}", difference(left, right, tolerance)?))
            })
        }
        (Value::Complex(a, b), Value::Complex(c, d)) => {
            if close(*a, *c, tolerance) && close(*b, *d, tolerance) { None } else { differ() }
        }
        _ => match (float(left), float(right)) {
            (Some(left), Some(right)) if close(left, right, tolerance) => None,
            _ if left == right => None,
            _ => differ(),
        },
    }
}

fn float(value: &Value) -> Option<f64> {
    match value {
        Value::Float(value) => Some(*value),
        Value::Int(value) => Some(*value as f64),
        _ => None,
    }
}

fn close(left: f64, right: f64, tolerance: f64) -> bool {
    let finite = (left - right).abs() <= tolerance * left.abs().max(right.abs());
    left == right || left.is_nan() && right.is_nan() || finite
}

fn shown(value: &Value) -> String {
    format!("{value:?}").chars().take(120).collect()
}
