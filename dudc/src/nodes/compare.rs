//! Compares a file without a layout with another file or a stream: arrays and values by their paths.

use std::collections::HashMap;
use std::path::Path;

use dudley::diff::{Diff, Difference, Values, Worst};
use dudley::model::Node;
use dudley::read::Parts;
use dudley::{ByteOrder, Data, Dtype, Primitive, Value};

use super::leaves::{Leaf, Visit, rank};
use crate::failure::Result;
use crate::npy::{is_bytes, meant};

type Found<'f> = dyn FnMut(dudley::Result<Difference>) + 'f;

/// Compares two files. `a` visits everything of the first file, once.
///
/// # Errors
/// If a file refuses a path.
pub(crate) fn compare(
    diff: &Diff,
    files: [&Path; 2],
    a: impl FnOnce(&mut Visit<'_>) -> Result<()>,
    b: impl FnOnce(&mut Visit<'_>) -> Result<()>,
    found: &mut Found<'_>,
) -> Result<()> {
    let (mut order, mut others) = (Vec::new(), HashMap::new());
    b(&mut |path, leaf| {
        if !diff.is_ignored(path) {
            order.push(path.to_owned());
            others.insert(path.to_owned(), leaf);
        }
        Ok(())
    })?;
    a(&mut |path, leaf| {
        if diff.is_ignored(path) {
            return Ok(());
        }
        let Some(other) = others.remove(path) else {
            found(Ok(only(path, true, leaf.kind())));
            return Ok(());
        };
        if let Err(error) = leaves(diff, path, &leaf, &other, found) {
            let error = error.of_path(path);
            let file = files.iter().zip([&leaf, &other]).find(|(_, leaf)| !is_readable(leaf));
            found(Err(match file {
                Some((file, _)) => error.of_file(file),
                None => error,
            }));
        }
        Ok(())
    })?;
    for path in order {
        if let Some(leaf) = others.get(&path) {
            found(Ok(only(&path, false, leaf.kind())));
        }
    }
    Ok(())
}

/// Whether all elements can be read of an array that could not be compared.
fn is_readable(leaf: &Leaf) -> bool {
    let data = leaf.data();
    data.is_ok_and(|data| data.is_none_or(|data| data.for_each_block(&mut |_| Ok(())).is_ok()))
}

fn only(path: &str, first: bool, kind: &'static str) -> Difference {
    Difference::Only { path: path.to_owned(), first, kind }
}

fn leaves(
    diff: &Diff,
    path: &str,
    a: &Leaf,
    b: &Leaf,
    found: &mut Found<'_>,
) -> dudley::Result<()> {
    match (a, b) {
        (Leaf::Array(a), Leaf::Array(b)) => arrays(diff, path, a, b, found),
        (Leaf::Loose(a), Leaf::Loose(b)) => diff.data(path, &(a.data)()?, &(b.data)()?, found),
        (Leaf::Within(a), Leaf::Within(b)) => {
            let same = |path: &str| Value::Text(format!("same as {path}"));
            values(diff, path, &same(a), &same(b), found)
        }
        (Leaf::Empty(_) | Leaf::Within(_) | Leaf::Loose(_), _)
        | (_, Leaf::Empty(_) | Leaf::Within(_) | Leaf::Loose(_)) => match (a.kind(), b.kind()) {
            (a, b) if a == b => Ok(()),
            (a, b) => different(path, a, b, found),
        },
        (Leaf::Value(a), Leaf::Value(b)) => values(diff, path, a, b, found),
        (Leaf::Value(_), _) | (_, Leaf::Value(_)) => match (single(a)?, single(b)?) {
            (Some(one), Some(other)) => {
                masks(diff, path, [a, b], found)?;
                values(diff, path, &one, &other, found)
            }
            (one, other) => {
                let kind = |value: Option<Value>| if value.is_some() { "value" } else { "array" };
                different(path, kind(one), kind(other), found)
            }
        },
        (a, b) => {
            masks(diff, path, [a, b], found)?;
            let (Some(one), Some(other)) = (a.data()?, b.data()?) else { return Ok(()) };
            diff.data(path, &one, &other, found)
        }
    }
}

/// Reports masks, if only one of the two files can have masks.
fn masks(diff: &Diff, path: &str, leaves: [&Leaf; 2], found: &mut Found<'_>) -> dudley::Result<()> {
    for (leaf, first) in leaves.into_iter().zip([true, false]) {
        if has_mask(leaf)? && !diff.is_ignored(&mask_of(path)) {
            found(Ok(only(&mask_of(path), first, "mask")));
        }
    }
    Ok(())
}

/// Whether an array has a mask and the other cannot have one.
fn has_mask(leaf: &Leaf) -> dudley::Result<bool> {
    match leaf {
        Leaf::Array(node) => node.has_mask(),
        Leaf::Data(_, has_mask) => Ok(*has_mask),
        _ => Ok(false),
    }
}

fn mask_of(path: &str) -> String {
    format!("{}/mask", path.trim_end_matches('/'))
}

/// An array in memory, of little-endian numbers.
fn little(primitive: Primitive, shape: &[u64], bytes: Vec<u8>) -> dudley::Result<Data> {
    Parts::new(Dtype::Primitive(primitive, ByteOrder::Little), shape).data(bytes)
}

/// The value of an array of one element: null if the element is masked.
fn single(leaf: &Leaf) -> dudley::Result<Option<Value>> {
    let data = match leaf {
        Leaf::Value(value) => return Ok(Some(value.clone())),
        Leaf::Loose(_) => return Ok(None),
        leaf => match leaf.data()? {
            Some(data) => data,
            None => return Ok(None),
        },
    };
    if data.shape().is_empty() && data.dtype().size() == Some(0) {
        // A null, as it is converted to a stream.
        return Ok(Some(Value::Null));
    }
    let is_masked = matches!(leaf, Leaf::Array(node) if node.is_masked()?);
    if is_bytes(meant(data.attributes()).as_ref(), data.shape()) && data.shape().len() == 1 {
        // Bytes with masked elements are no value of bytes.
        return if is_masked { Ok(None) } else { data.raw().map(|it| Some(Value::Bits(it))) };
    }
    match (rank(&data), is_masked) {
        (0, true) => Ok(Some(Value::Null)),
        (0, false) => data.value().map(Some),
        _ => Ok(None),
    }
}

fn different(
    path: &str,
    a: &'static str,
    b: &'static str,
    found: &mut Found<'_>,
) -> dudley::Result<()> {
    found(Ok(Difference::Kind { path: path.to_owned(), a, b }));
    Ok(())
}

/// Compares numbers with the tolerance, and all else exactly.
///
/// # Errors
/// None in practice.
pub(crate) fn values(
    diff: &Diff,
    path: &str,
    a: &Value,
    b: &Value,
    found: &mut Found<'_>,
) -> dudley::Result<()> {
    let kinds = (type_of(a), type_of(b));
    if let (Some(a), Some(b)) = kinds
        && a != b
        && !diff.is_promoted()
    {
        let (path, a, b) = (path.to_owned(), a.to_owned(), b.to_owned());
        found(Ok(Difference::Dtype { path, a, b }));
        return Ok(());
    }
    if let (Some(a), Some(b)) = (number(a)?, number(b)?)
        && (diff.is_promoted() || a.dtype().primitive() == b.dtype().primitive())
    {
        return diff.data(path, &a, &b, found);
    }
    if a != b {
        let (a, b) = (a.clone(), b.clone());
        let values = Values { count: 1, of: 1, worst: Worst::of(a, b) };
        found(Ok(Difference::Values { path: path.to_owned(), values }));
    }
    Ok(())
}

/// The type name of a number.
fn type_of(value: &Value) -> Option<&'static str> {
    match value {
        Value::Int(_) => Some("int"),
        Value::Float(_) => Some("float"),
        Value::Complex(..) => Some("complex"),
        _ => None,
    }
}

/// A number as an array of one element.
fn number(value: &Value) -> dudley::Result<Option<Data>> {
    let (primitive, bytes) = match value {
        Value::Float(value) => (Primitive::F8, value.to_le_bytes().to_vec()),
        Value::Int(value) => match (i64::try_from(*value), u64::try_from(*value)) {
            (Ok(value), _) => (Primitive::I8, value.to_le_bytes().to_vec()),
            (_, Ok(value)) => (Primitive::U8, value.to_le_bytes().to_vec()),
            _ => return Ok(None),
        },
        Value::Complex(re, im) => (Primitive::C16, [re.to_le_bytes(), im.to_le_bytes()].concat()),
        _ => return Ok(None),
    };
    little(primitive, &[], bytes).map(Some)
}

/// Compares arrays with their masks: two masked elements are equal.
fn arrays(
    diff: &Diff,
    path: &str,
    a: &Node,
    b: &Node,
    found: &mut Found<'_>,
) -> dudley::Result<()> {
    if let Some(both) = a.compared(b)? {
        diff.data(&mask_of(path), &both.masks[0], &both.masks[1], found)?;
        return diff.data(path, &both.data[0], &both.data[1], found);
    }
    let masks = (a.has_mask()?, b.has_mask()?);
    if masks.0 != masks.1 && !diff.is_ignored(&mask_of(path)) {
        found(Ok(only(&mask_of(path), masks.0, "mask")));
    }
    diff.data(path, &a.stored()?, &b.stored()?, found)
}
