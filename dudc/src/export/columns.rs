//! The selections of several paths as text with commas: a row for each index of the first dimension, a column for each path.

use std::io::Write;
use std::ops::Range;

use dudley::read::path::{Part, parse};
use dudley::read::select::{Picked, Selected};
use dudley::read::slice::Index;
use dudley::{Data, Value};

use super::csv::{self, columns, push_cells, row};
use crate::failure::{Failure, Result, printable};

/// The number of rows in one read.
const BLOCK: u64 = 4096;

/// Whether a selection is one value of each item of a list, and so a column of its own.
pub(super) fn is_one(selected: &Selected) -> bool {
    let sliced = |data: &Data| {
        let parts = parse(data.path()).unwrap_or_default();
        parts.iter().any(|part| matches!(part, Part::Slice(_)))
    };
    let of_list = !selected.stacked.is_empty() || selected.data().is_some_and(sliced);
    of_list && rank(selected) == 1 && !is_struct(selected)
}

/// Writes columns. Each is headed by the last name of its path, or by the whole path if two names are equal. A single
/// column without a name has no header.
///
/// # Errors
/// If they differ in length; if reading or writing fails.
pub(super) fn write(paths: &[String], selected: &[Selected], out: &mut dyn Write) -> Result<()> {
    let mut all = Vec::new();
    for (at, selected) in selected.iter().enumerate() {
        all.push(Column::of(paths.get(at).map_or("", String::as_str), selected)?);
    }
    let Some((first, others)) = all.split_first() else { return Ok(()) };
    if let Some(other) = others.iter().find(|other| other.rows != first.rows) {
        return Err(Failure::input(format!(
            "`{}` has {} rows, and `{}` has {}: the columns of a .csv are of one length",
            printable(first.path),
            first.rows,
            printable(other.path),
            other.rows
        )));
    }
    let mut put = |cells: &[String]| out.write_all(row(cells).as_bytes()).map_err(Failure::output);
    let mut widths: Vec<Option<usize>> = vec![None; all.len()];
    let (rows, names) = (first.rows, names(paths));
    let mut start = 0;
    while start == 0 || start < rows {
        let end = rows.min(start + BLOCK);
        let blocks = all.iter().map(|column| column.block(start..end));
        let blocks = blocks.collect::<Result<Vec<Vec<Value>>>>()?;
        if start == 0 && !names.is_empty() {
            let mut cells = Vec::new();
            for ((name, values), width) in names.iter().zip(&blocks).zip(&mut widths) {
                let known = values.iter().find(|value| !matches!(value, Value::Null));
                let under = columns(name, known.unwrap_or(&Value::Null));
                *width = known.map(|_| under.len());
                cells.extend(under);
            }
            put(&cells)?;
        }
        for at in 0..(end - start) as usize {
            let mut cells = Vec::new();
            for (of, (values, width)) in blocks.iter().zip(&mut widths).enumerate() {
                let before = cells.len();
                match values.get(at) {
                    None | Some(Value::Null) => {
                        cells.extend(vec![String::new(); width.unwrap_or(1)]);
                    }
                    Some(value) => {
                        push_cells(value, &mut cells);
                        let (found, row) = (cells.len() - before, start + at as u64);
                        let wanted = *width.get_or_insert(if names.is_empty() { found } else { 1 });
                        if found != wanted {
                            let path = all.get(of).map_or("", |column| column.path);
                            return Err(ragged(path, wanted as u64, found as u64, row));
                        }
                    }
                }
            }
            put(&cells)?;
        }
        start = end.max(start + 1);
    }
    Ok(())
}

/// The error that a selection has different numbers of cells in different rows.
fn ragged(path: &str, wanted: u64, found: u64, row: u64) -> Failure {
    let of = if path.is_empty() { String::new() } else { format!("`{}`: ", printable(path)) };
    Failure::input(format!("{of}{}", csv::ragged(wanted, found, row)))
}

/// The last names of paths, if all differ; else the paths.
fn names(paths: &[String]) -> Vec<String> {
    let last = |path: &String| {
        let parts = parse(path).ok()?.into_iter().rev();
        parts.into_iter().find_map(|part| match part {
            Part::Name { text, .. } | Part::Field(text) | Part::Param(text, _) => Some(text),
            Part::Slice(_) => None,
        })
    };
    let names: Option<Vec<String>> = paths.iter().map(last).collect();
    let differ = |names: &Vec<String>| {
        names.iter().enumerate().all(|(at, name)| !names[..at].contains(name))
    };
    names.filter(differ).unwrap_or_else(|| paths.to_vec())
}

fn is_struct(selected: &Selected) -> bool {
    let dtype = selected.parts.first().and_then(Picked::shown_dtype);
    dtype.is_some_and(|dtype| dtype.primitive().is_none())
}

/// The number of dimensions of values; a text has none.
fn rank(selected: &Selected) -> usize {
    let dtype = selected.parts.first().and_then(Picked::dtype);
    let is_text = dtype.and_then(|it| it.primitive()).is_some_and(|(own, _)| own.is_text());
    let inner = selected.parts.first().map_or(0, |part| part.shape().len());
    let stored = matches!(selected.parts.first(), Some(Picked::Data(_)));
    selected.stacked.len() + inner - usize::from(is_text && stored && inner > 0)
}

/// A column, read in parts.
struct Column<'c> {
    path: &'c str,
    rows: u64,
    of: Of<'c>,
}

#[expect(clippy::large_enum_variant, reason = "nearly all are arrays")]
enum Of<'c> {
    Data(Data),
    Parts(&'c Selected),
    /// Values that are no array, read at once.
    Values(Vec<Value>),
}

impl<'c> Column<'c> {
    fn of(path: &'c str, selected: &'c Selected) -> Result<Column<'c>> {
        let sliced = |data: &&Data| rank(selected) > 0 && data.dtype().size().is_some();
        let of = match selected.data().filter(sliced) {
            Some(data) => Of::Data(data.decoded()?),
            None if !selected.stacked.is_empty() => Of::Parts(selected),
            None => match selected.value()? {
                Value::Array(values) => Of::Values(values),
                _ => {
                    return Err(Failure::input(format!(
                        "`{}` is one value, and no column: get it by itself",
                        printable(path)
                    )));
                }
            },
        };
        let rows = match &of {
            Of::Values(values) => values.len() as u64,
            _ => selected.shape().first().copied().unwrap_or(0),
        };
        Ok(Column { path, rows, of })
    }

    /// The values of some rows.
    fn block(&self, rows: Range<u64>) -> Result<Vec<Value>> {
        let [start, end] = [rows.start as usize, rows.end as usize];
        let value = match &self.of {
            Of::Values(values) => return Ok(values.get(start..end).unwrap_or_default().to_vec()),
            Of::Data(data) => {
                let [start, stop] = [rows.start, rows.end].map(|row| i64::try_from(row).ok());
                data.slice(&[Index::Range { start, stop, step: 1 }])?.value()?
            }
            Of::Parts(selected) => {
                let mut stacked = selected.stacked.clone();
                let each: u64 = stacked[1..].iter().product();
                stacked[0] = rows.end - rows.start;
                let [start, end] = [start, end].map(|row| row.saturating_mul(each as usize));
                let parts = selected.parts.get(start..end).unwrap_or_default().to_vec();
                Selected { stacked, parts }.value()?
            }
        };
        Ok(match value {
            Value::Array(values) => values,
            one => vec![one],
        })
    }
}
