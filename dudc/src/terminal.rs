//! Values and tables for people: on a terminal, elided where they are long.

use std::io::Write;

use dudley::Value;
use dudley::select::Selected;

use crate::failure::{Failure, Result};

/// Elements shown before an array is elided, and how many of each end then.
const SHOWN: u64 = 1000;
const EDGE: usize = 3;
/// Characters of a line.
const WIDTH: usize = 100;

/// Shows an array, with its type and shape.
///
/// # Errors
/// What decoding and writing say.
pub(crate) fn show(selected: &Selected, all: bool, out: &mut dyn Write) -> Result<()> {
    let io = |error| Failure::output(error);
    let shape = selected.shape();
    if let Some(dtype) = selected.dtype_name().filter(|_| !shape.is_empty()) {
        let dims: Vec<String> = shape.iter().map(u64::to_string).collect();
        writeln!(out, "{dtype}[{}]", dims.join(", ")).map_err(io)?;
    }
    let count = shape.iter().try_fold(1_u64, |count, dim| count.checked_mul(*dim));
    let elide = !all && count.is_none_or(|count| count > SHOWN);
    let value = match elide {
        true => edges(selected, &shape)?,
        false => Shown::of(selected.value()?),
    };
    let mut text = String::new();
    print(&value, 0, &mut text);
    writeln!(out, "{text}").map_err(io)
}

/// A value of which the middle may be left out.
enum Shown {
    One(String),
    Many(Vec<Shown>),
    Struct(Vec<(String, Shown)>),
    Elided,
}

impl Shown {
    fn of(value: Value) -> Shown {
        match value {
            Value::Array(items) => Shown::Many(items.into_iter().map(Shown::of).collect()),
            Value::Struct(fields) => Shown::Struct(
                fields.into_iter().map(|(name, value)| (name, Shown::of(value))).collect(),
            ),
            value => Shown::One(scalar(&value)),
        }
    }
}

/// A single value as text.
pub(crate) fn scalar(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(value) => value.to_string(),
        Value::Int(value) => value.to_string(),
        Value::Float(value) => number(*value),
        Value::Complex(re, im) => {
            let sign = if im.is_sign_negative() { "" } else { "+" };
            format!("{}{sign}{}j", number(*re), number(*im))
        }
        Value::Text(text) => crate::json::quoted(text),
        Value::Bits(bits) => bits.iter().map(|byte| format!("{byte:02x}")).collect(),
        Value::Array(_) | Value::Struct(_) => String::new(),
    }
}

fn number(value: f64) -> String {
    crate::json::float(value).trim_matches('"').to_owned()
}

/// The corners of an array: only they are read.
fn edges(selected: &Selected, shape: &[u64]) -> Result<Shown> {
    let Some(data) = selected.data() else {
        return Ok(shorten(Shown::of(selected.value()?)));
    };
    corner(data, shape, 0)
}

fn corner(data: &dudley::Data, shape: &[u64], axis: usize) -> Result<Shown> {
    use dudley::slice::Index;
    let text = data.dtype().primitive().is_some_and(|(primitive, _)| primitive.is_text());
    if shape.is_empty() || (text && shape.len() == 1) {
        return Ok(Shown::of(data.value()?));
    }
    let length = shape[0];
    let at: Vec<Option<u64>> = match length > 2 * EDGE as u64 {
        true => {
            let head = (0..EDGE as u64).map(Some);
            head.chain([None]).chain((length - EDGE as u64..length).map(Some)).collect()
        }
        false => (0..length).map(Some).collect(),
    };
    let items = at.into_iter().map(|index| match index {
        None => Ok(Shown::Elided),
        Some(index) => match data.slice(&[Index::At(index as i64)]) {
            Ok(part) => corner(&part, &shape[1..], axis + 1),
            Err(dudley::Error::Variable { .. }) => Ok(Shown::Elided),
            Err(error) => Err(error.into()),
        },
    });
    Ok(Shown::Many(items.collect::<Result<_>>()?))
}

fn shorten(shown: Shown) -> Shown {
    match shown {
        Shown::Many(items) if items.len() > 2 * EDGE => {
            let last = items.len() - EDGE;
            let kept = items.into_iter().enumerate().filter_map(|(at, item)| match at {
                at if at < EDGE || at >= last => Some(shorten(item)),
                at if at == EDGE => Some(Shown::Elided),
                _ => None,
            });
            Shown::Many(kept.collect())
        }
        Shown::Many(items) => Shown::Many(items.into_iter().map(shorten).collect()),
        other => other,
    }
}

fn print(shown: &Shown, indent: usize, text: &mut String) {
    match shown {
        Shown::One(value) => text.push_str(value),
        Shown::Elided => text.push('…'),
        Shown::Struct(fields) => {
            text.push('{');
            for (at, (name, value)) in fields.iter().enumerate() {
                text.push_str(if at == 0 { "" } else { ", " });
                text.push_str(&crate::failure::printable(name));
                text.push_str(": ");
                print(value, indent + 1, text);
            }
            text.push('}');
        }
        Shown::Many(items) => {
            let nested = items.iter().any(|item| matches!(item, Shown::Many(_) | Shown::Struct(_)));
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                let mut part = String::new();
                print(item, indent + 1, &mut part);
                let line = text.rsplit('\n').next().map_or(0, |line| line.chars().count());
                let long = line + part.chars().count() + 2 > WIDTH;
                match (at, nested || long) {
                    (0, _) => {}
                    (_, true) => {
                        text.push_str(",\n");
                        text.push_str(&" ".repeat(indent + 1));
                    }
                    (_, false) => text.push_str(", "),
                }
                text.push_str(&part);
            }
            text.push(']');
        }
    }
}

/// Writes rows in columns; those named in `right` are flush right.
///
/// # Errors
/// If the output cannot be written.
pub(crate) fn table(
    rows: &[Vec<String>],
    right: &[usize],
    out: &mut dyn Write,
) -> std::io::Result<()> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let mut line = String::new();
        for (column, cell) in row.iter().enumerate() {
            let pad = " ".repeat(widths[column] - cell.chars().count());
            if column > 0 {
                line.push_str("  ");
            }
            match right.contains(&column) {
                true => line = line + &pad + cell,
                false => line = line + cell + &pad,
            }
        }
        writeln!(out, "{}", line.trim_end())?;
    }
    Ok(())
}
