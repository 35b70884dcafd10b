//! Arrays into files of other formats: `.npy`, `.csv`, `.json`, raw bytes.

use std::io::{BufWriter, Write};
use std::path::Path;

use dudley::output::AtomicFile;
use dudley::select::{Picked, Selected};
use dudley::{Error, Value};

use crate::failure::{Failure, Result};
use crate::json::{JsonSink, Safe, float, quoted};
use crate::npy;
use crate::output::at_once;
use crate::progress::Progress;

/// The formats that arrays are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// numpy's.
    Npy,
    /// Text, a row a line.
    Csv,
    /// The value as nested JSON arrays.
    Json,
    /// The bytes as they are in the stream, without gaps.
    Raw,
}

impl Kind {
    /// The format that the end of a file's name asks for.
    pub(crate) fn of(path: &Path) -> Option<Kind> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "npy" => Some(Kind::Npy),
            "csv" => Some(Kind::Csv),
            "json" => Some(Kind::Json),
            "raw" | "bin" => Some(Kind::Raw),
            _ => None,
        }
    }
}

/// Writes into a file that is complete or absent.
///
/// # Errors
/// What reading and writing say; an existing file without `force`.
pub(crate) fn to_file(selected: &Selected, kind: Kind, file: &Path, force: bool) -> Result<()> {
    let mut out = Appender::create(file, force)?;
    {
        let mut buffered = BufWriter::with_capacity(1 << 18, &mut out);
        match kind {
            Kind::Npy => npy_of(selected, &mut buffered)?,
            Kind::Csv => csv(selected, &mut buffered)?,
            Kind::Json => plain_json(selected, &mut buffered)?,
            Kind::Raw => raw(selected, &mut buffered)?,
        }
        buffered.flush().map_err(|error| cannot_write(file, error))?;
    }
    out.finish()
}

fn cannot_write(file: &Path, error: std::io::Error) -> Failure {
    Failure::io("write", &file.display().to_string(), &error)
}

/// An output file that is written from the start to the end.
pub(crate) struct Appender {
    file: AtomicFile,
    at: u64,
    progress: Progress,
}

impl Appender {
    /// Creates the file, which appears when it is finished.
    ///
    /// # Errors
    /// If it cannot be created, or exists and may not be overwritten.
    pub(crate) fn create(path: &Path, force: bool) -> Result<Appender> {
        let file = AtomicFile::create(path, force)?;
        Ok(Appender { file, at: 0, progress: Progress::new(None) })
    }

    /// Bytes written so far.
    pub(crate) fn len(&self) -> u64 {
        self.at
    }

    /// Writes over what is written.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn rewrite(&mut self, at: u64, bytes: &[u8]) -> Result<()> {
        Ok(self.file.write_at(at, bytes)?)
    }

    /// Makes the file appear.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn finish(self) -> Result<()> {
        Ok(self.file.commit()?)
    }
}

impl Write for Appender {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let bytes = at_once(bytes);
        self.file.write_at(self.at, bytes).map_err(std::io::Error::other)?;
        self.at += bytes.len() as u64;
        self.progress.advance(bytes.len() as u64);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.flush().map_err(std::io::Error::other)
    }
}

/// Writes `{"version", "path", "dtype", "shape", "value"}`, and more before the value. Of what cannot be read, the
/// value ends there, and `"error"` follows it.
///
/// # Errors
/// What decoding and writing say.
pub(crate) fn json(
    selected: &Selected,
    path: &str,
    exact: bool,
    more: &[(&str, serde_json::Value)],
    out: &mut dyn Write,
) -> Result<()> {
    let io = |error| Failure::output(error);
    write!(out, "{{\"version\": 1, \"path\": {}", quoted(path)).map_err(io)?;
    if let Some(dtype) = selected.dtype_name() {
        write!(out, ", \"dtype\": {}", quoted(&dtype)).map_err(io)?;
    }
    let shape: Vec<String> = selected.shape().iter().map(u64::to_string).collect();
    write!(out, ", \"shape\": [{}]", shape.join(", ")).map_err(io)?;
    for (name, value) in more {
        write!(out, ", {}: {}", quoted(name), Safe(value)).map_err(io)?;
    }
    write!(out, ", \"value\": ").map_err(io)?;
    let mut sink = JsonSink::new(out);
    let read = selected.emit(&mut sink, exact);
    if let Err(error) = &read {
        sink.close()?;
        write!(out, ", \"error\": {}", quoted(&error.to_string())).map_err(io)?;
    }
    writeln!(out, "}}").map_err(io)?;
    Ok(read?)
}

fn plain_json(selected: &Selected, out: &mut dyn Write) -> Result<()> {
    selected.emit(&mut JsonSink::new(out), false)?;
    writeln!(out).map_err(Failure::output)
}

/// Writes as `.npy`.
///
/// # Errors
/// What reading and writing say; if numpy has no array for it.
pub(crate) fn npy_of(selected: &Selected, out: &mut dyn Write) -> Result<()> {
    if let Some(data) = selected.data() {
        return match npy::write(data, out) {
            Err(Error::Variable { .. }) => npy_of_value(&selected.value()?, out),
            other => Ok(other?),
        };
    }
    let (descr, shape, bytes) = array_of(selected)?;
    let io = |error| Failure::output(error);
    out.write_all(&npy::header(&descr, &shape)).map_err(io)?;
    out.write_all(&bytes).map_err(io)
}

/// What is selected as an array of numpy: its type as a literal of Python, its shape, its bytes.
///
/// # Errors
/// What reading says; if numpy has no array for it.
pub(crate) fn array_of(selected: &Selected) -> Result<(String, Vec<u64>, Vec<u8>)> {
    let first = selected.parts.first();
    let described = first.and_then(|part| match part {
        Picked::Data(data) => npy::descr(data, data.shape()),
        Picked::Value { dtype, .. } => npy::descr_of_values(dtype.as_ref()?, &part.shape()),
    });
    let Some((descr, inner)) = described else { return array_of_value(&selected.value()?) };
    let Some(bytes) = bytes(selected)? else { return array_of_value(&selected.value()?) };
    let bytes = npy::numpy_bytes(first.and_then(|part| part.dtype()), &bytes).into_owned();
    let shape: Vec<u64> = selected.stacked.iter().copied().chain(inner).collect();
    Ok((descr, shape, bytes))
}

fn array_of_value(value: &Value) -> Result<(String, Vec<u64>, Vec<u8>)> {
    npy::of_value(value).ok_or_else(|| {
        Failure::input(
            "numpy has no array for this: its parts differ in shape or type; try -o x.json",
        )
    })
}

/// Integers as i8, floats as f8, text as `<U`: of values whose shape is regular.
pub(crate) fn npy_of_value(value: &Value, out: &mut dyn Write) -> Result<()> {
    let (descr, shape, bytes) = array_of_value(value)?;
    let io = |error| Failure::output(error);
    out.write_all(&npy::header(&descr, &shape)).map_err(io)?;
    out.write_all(&bytes).map_err(io)
}

fn raw(selected: &Selected, out: &mut dyn Write) -> Result<()> {
    let none = || {
        Failure::input(
            "this has no raw form: its elements differ in shape or size, or are not stored; try -o \
             x.json",
        )
    };
    if let Some(data) = selected.data() {
        let io = |error| Error::io("cannot write the result", error);
        return match data.for_each_block(&mut |block| out.write_all(block).map_err(io)) {
            Err(Error::Variable { .. }) => Err(none()),
            written => Ok(written?),
        };
    }
    let bytes = bytes(selected)?.ok_or_else(none)?;
    out.write_all(&bytes).map_err(Failure::output)
}

/// The bytes of all elements, if all have the same size and all parts the same shape.
fn bytes(selected: &Selected) -> Result<Option<Vec<u8>>> {
    let mut bytes = Vec::new();
    for part in &selected.parts {
        let Some(mut more) = part.raw()? else { return Ok(None) };
        let size = part.dtype().and_then(dudley::Dtype::size);
        let count =
            part.shape().iter().try_fold(size.unwrap_or(0), |all, dim| all.checked_mul(*dim));
        if count != Some(more.len() as u64) {
            return Ok(None);
        }
        bytes.append(&mut more);
    }
    Ok(Some(bytes))
}

/// Rows of the last dimension, a line each; of structs a column for each field.
fn csv(selected: &Selected, out: &mut dyn Write) -> Result<()> {
    let value = selected.value()?;
    let io = |error| Failure::output(error);
    let mut rows = Vec::new();
    let dtype = selected.parts.first().and_then(Picked::dtype);
    let structs = dtype.is_some_and(|dtype| dtype.primitive().is_none());
    push_rows(&value, structs, &mut rows);
    // A struct without a value may come before those that have one.
    let whole = rows.iter().find(|row| matches!(row.first(), Some(Value::Struct(_))));
    let mut width = 0;
    if let Some(Value::Struct(fields)) = whole.and_then(|row| row.first()).copied() {
        let names: Vec<String> =
            fields.iter().flat_map(|(name, value)| columns(name, value)).collect();
        width = names.len();
        writeln!(out, "{}", names.join(",")).map_err(io)?;
    }
    for row in rows {
        let mut cells = Vec::new();
        row.iter().for_each(|value| push_cells(value, &mut cells));
        cells.resize(cells.len().max(width), String::new());
        writeln!(out, "{}", cells.join(",")).map_err(io)?;
    }
    Ok(())
}

fn push_rows<'v>(value: &'v Value, structs: bool, rows: &mut Vec<Vec<&'v Value>>) {
    match value {
        Value::Array(items) if items.iter().any(|item| matches!(item, Value::Array(_))) => {
            items.iter().for_each(|item| push_rows(item, structs, rows));
        }
        Value::Array(items) if structs || items.iter().any(|it| matches!(it, Value::Struct(_))) => {
            items.iter().for_each(|item| rows.push(vec![item]));
        }
        Value::Array(items) => rows.push(items.iter().collect()),
        value => rows.push(vec![value]),
    }
}

/// Names of the columns that a field takes, as paths have them: `p.q`, `m[0,1]`.
fn columns(name: &str, value: &Value) -> Vec<String> {
    let mut cells = Vec::new();
    push_cells(value, &mut cells);
    let mut names = Vec::new();
    match (value, cells.len()) {
        (Value::Array(_), 1) => names.push(name.to_owned()),
        _ => push_names(name.to_owned(), &mut Vec::new(), value, &mut names),
    }
    names.iter().map(|name| cell(name)).collect()
}

/// Names of the cells that [`push_cells`] makes; `indices` are those of arrays around the value.
fn push_names(name: String, indices: &mut Vec<String>, value: &Value, names: &mut Vec<String>) {
    if let Value::Array(items) = value {
        for (at, item) in items.iter().enumerate() {
            indices.push(at.to_string());
            push_names(name.clone(), indices, item, names);
            indices.pop();
        }
        return;
    }
    let name = if indices.is_empty() { name } else { format!("{name}[{}]", indices.join(",")) };
    match value {
        Value::Struct(fields) => {
            for (field, value) in fields {
                push_names(format!("{name}.{field}"), &mut Vec::new(), value, names);
            }
        }
        _ => names.push(name),
    }
}

fn push_cells(value: &Value, cells: &mut Vec<String>) {
    match value {
        Value::Null => cells.push(String::new()),
        Value::Bool(value) => cells.push(value.to_string()),
        Value::Int(value) => cells.push(value.to_string()),
        Value::Float(value) => cells.push(float(*value).trim_matches('"').to_owned()),
        Value::Complex(re, im) => cells.push(complex(*re, *im)),
        Value::Text(text) => cells.push(cell(text)),
        Value::Bits(bits) => cells.push(bits.iter().map(|byte| format!("{byte:02x}")).collect()),
        Value::Array(items) => items.iter().for_each(|item| push_cells(item, cells)),
        Value::Struct(fields) => fields.iter().for_each(|(_, value)| push_cells(value, cells)),
    }
}

/// A complex number as Python's `complex` reads it.
fn complex(re: f64, im: f64) -> String {
    let number = |value: f64| if value.is_nan() { "nan".to_owned() } else { value.to_string() };
    let sign = if im.is_sign_negative() && !im.is_nan() { "" } else { "+" };
    format!("{}{sign}{}j", number(re), number(im))
}

/// A cell of a CSV file: quoted where it must be.
fn cell(text: &str) -> String {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn complex_numbers_are_those_of_python() {
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        for (re, im, expected) in [
            (1.0, -2.5, "1-2.5j"),
            (0.0, nan, "0+nanj"),
            (nan, -inf, "nan-infj"),
            (-inf, inf, "-inf+infj"),
            (-0.0, -nan, "-0+nanj"),
        ] {
            assert_eq!(complex(re, im), expected);
        }
    }
}
