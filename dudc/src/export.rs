//! Arrays into files of other formats: `.npy`, `.csv`, `.json`, raw bytes.

mod columns;
mod csv;

use dudley::error::file_name;
use std::io::{BufWriter, Write};
use std::path::Path;

use dudley::bytes::AtomicFile;
use dudley::elements::Sink;
use dudley::read::select::{Picked, Selected, Stacked};
use dudley::read::{Parts, Words};
use dudley::{Data, Dtype, Error};

use crate::failure::{Failure, Result};
use crate::json::{JsonSink, Safe, quoted};
use crate::npy::{self, Emit, Values};
use crate::output::at_once;
use crate::progress::Progress;

/// The formats that arrays are written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A `.npy` file.
    Npy,
    /// Text with commas: one line for each row.
    Csv,
    /// The value as nested JSON arrays.
    Json,
    /// The bytes as they are in the stream, without gaps.
    Raw,
}

impl Kind {
    /// The format of a file, by the ending of its name.
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
/// If reading or writing fails; an existing file without `force`.
pub(crate) fn to_file(selected: &Selected, kind: Kind, file: &Path, force: bool) -> Result<()> {
    with_file(file, force, &mut |out| match kind {
        Kind::Npy => npy_of(selected, out),
        Kind::Csv if columns::is_one(selected) => {
            columns::write(&[], std::slice::from_ref(selected), out)
        }
        Kind::Csv => Ok(csv::write(selected, out)?),
        Kind::Json => plain_json(selected, out),
        Kind::Raw => raw(selected, out),
    })
}

/// Writes the results of several paths into a `.csv` file, one column each.
///
/// # Errors
/// As [`to_file`]; if they differ in length.
pub(crate) fn to_columns(
    paths: &[String],
    selected: &[Selected],
    file: &Path,
    force: bool,
) -> Result<()> {
    with_file(file, force, &mut |out| columns::write(paths, selected, out))
}

fn with_file(
    file: &Path,
    force: bool,
    write: &mut dyn FnMut(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    let mut out = Appender::create(file, force)?;
    {
        let mut buffered = BufWriter::with_capacity(1 << 18, &mut out);
        write(&mut buffered)?;
        buffered.flush().map_err(|error| cannot_write(file, error))?;
    }
    out.finish()
}

fn cannot_write(file: &Path, error: std::io::Error) -> Failure {
    Failure::io("write", &file_name(&file), &error)
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

    /// The number of written bytes.
    pub(crate) fn len(&self) -> u64 {
        self.at
    }

    /// Overwrites written bytes.
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

/// Writes `{"version", "path", "dtype", "shape", "value"}`, and more keys before the value. If a read fails, the
/// value ends there, and `"error"` follows it.
///
/// # Errors
/// If decoding or writing fails.
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
/// If reading or writing fails; if numpy has no array for it.
pub(crate) fn npy_of(selected: &Selected, out: &mut dyn Write) -> Result<()> {
    let resolved = selected.resolved()?;
    let selected = resolved.as_ref().unwrap_or(selected);
    if let Some(stacked) = Stacked::of(selected) {
        match npy::write(&stacked, out) {
            Err(Error::Variable { .. }) => {}
            written => return Ok(written?),
        }
    }
    if let Some(data) = selected.data() {
        let dtype = selected.parts.first().and_then(Picked::shown_dtype);
        let shape = data.shown_shape()?;
        return npy_of_values(&|sink| data.emit(sink, false), shape, dtype.as_ref(), out);
    }
    let (descr, shape, bytes) = array_of(selected)?;
    out.write_all(&npy::header(&descr, &shape)?).map_err(Failure::output)?;
    out.write_all(&bytes).map_err(Failure::output)
}

/// A selection whose parts are not all arrays, as an array of numpy: its type as a literal of Python, its shape, and
/// its bytes.
///
/// # Errors
/// If reading fails; if numpy has no array for it.
pub(crate) fn array_of(selected: &Selected) -> Result<(String, Vec<u64>, Vec<u8>)> {
    let first = selected.parts.first();
    let described = first.and_then(|part| match part {
        Picked::Data(data) => npy::descr_of(data, data.shape()),
        Picked::Value { dtype, .. } => npy::descr_of_values(dtype.as_ref()?, &part.shape()),
    });
    let Some((descr, inner)) = described else { return array_of_value(selected) };
    let Some(bytes) = bytes(selected)? else { return array_of_value(selected) };
    let bytes = npy::numpy_bytes(first.and_then(|part| part.dtype()), &bytes).into_owned();
    let shape: Vec<u64> = selected.stacked.iter().copied().chain(inner).collect();
    Ok((descr, shape, bytes))
}

/// The shape of values, which may have no elements.
fn known_shape(selected: &Selected) -> Result<Option<Vec<u64>>> {
    let known = match selected.parts.first() {
        Some(Picked::Data(data)) => data.shown_shape()?,
        Some(Picked::Value { shape, .. }) if shape.contains(&0) => Some(shape.clone()),
        _ => None,
    };
    Ok(known.map(|inner| selected.stacked.iter().copied().chain(inner).collect()))
}

fn array_of_value(selected: &Selected) -> Result<(String, Vec<u64>, Vec<u8>)> {
    let value = selected.value()?;
    let emit = |sink: &mut dyn Sink| value.emit(sink);
    let dtype = selected.parts.first().and_then(Picked::shown_dtype);
    // Empty arrays have no more dimensions than their source.
    let values = array_of_values(&emit, known_shape(selected)?, dtype.as_ref())?;
    let mut bytes = Vec::new();
    values.write(&mut bytes)?;
    Ok((values.descr(), values.shape().to_vec(), bytes))
}

fn array_of_values<'e>(
    emit: &'e Emit<'e>,
    shape: Option<Vec<u64>>,
    dtype: Option<&Dtype>,
) -> Result<Values<'e>> {
    let none = |why| Failure::input(format!("numpy has no array for this: {why}; try -o x.json"));
    let values =
        Values::of(emit, shape)?.ok_or_else(|| none("its parts differ in shape or type"))?;
    if !values.shape().contains(&0) {
        return Ok(values);
    }
    // Without elements, only the layout knows their type.
    let descr = dtype
        .and_then(npy::descr_of_nothing)
        .ok_or_else(|| none("it has no elements, and nothing says their type"))?;
    Ok(values.of_type(descr))
}

/// Integers as i8, floats as f8, text as `<U`, for values with a regular or known shape. Without elements, the
/// type is the declared one.
///
/// # Errors
/// If the values have no regular shape, or the output cannot be written.
pub(crate) fn npy_of_values(
    emit: &Emit<'_>,
    shape: Option<Vec<u64>>,
    dtype: Option<&Dtype>,
    out: &mut dyn Write,
) -> Result<()> {
    Ok(array_of_values(emit, shape, dtype)?.write_file(out)?)
}

fn raw(selected: &Selected, out: &mut dyn Write) -> Result<()> {
    let none = || {
        Failure::input(
            "this has no raw form: its elements differ in shape or size, or are not stored; try -o \
             x.json",
        )
    };
    let io = |error| Error::io("cannot write the result", error);
    // The item as it is stored, in any order of presentation.
    if let Some(data) = selected.data().filter(|data| data.is_presented()) {
        data.stored()?.for_each_block(&mut |block| out.write_all(block).map_err(io))?;
        return Ok(());
    }
    if let Some(stacked) = Stacked::of(selected) {
        return match stacked.for_each_block(&mut |block| out.write_all(block).map_err(io)) {
            Err(Error::Variable { .. }) => Err(none()),
            written => Ok(written?),
        };
    }
    let bytes = bytes(selected)?.ok_or_else(none)?;
    out.write_all(&bytes).map_err(Failure::output)
}

/// Whether [`data_of`] may have one array for a selection, without a look at its parts.
pub(crate) fn may_be_data(selected: &Selected) -> bool {
    let dtype = selected.parts.first().and_then(Picked::dtype);
    selected.data().is_some() || dtype.is_some_and(|dtype| dtype.primitive().is_some())
}

/// A selection as one array: the array itself, or several of one type joined in memory, with the documentation of the
/// first. `None` if they differ in shape or size, or are structs of a layout that do not form one array.
///
/// # Errors
/// If reading fails.
pub(crate) fn data_of(selected: &Selected) -> Result<Option<Data>> {
    if let Some(data) = selected.data() {
        return Ok(data.resolved()?);
    }
    let first = selected.parts.first();
    let dtype = first.and_then(Picked::dtype).filter(|dtype| dtype.primitive().is_some());
    let (Some(first), Some(dtype), Some(bytes)) = (first, dtype, bytes(selected)?) else {
        return Ok(None);
    };
    let mut parts = Parts::new(dtype.clone(), &selected.shape());
    if let Picked::Data(data) = first {
        let said = data.attributes().iter().map(|it| (&*it.name, it.value.clone()));
        let mut words = Words::default();
        let said = words.add("", said);
        parts = parts.path(data.path()).words(words.layout(), said);
    }
    Ok(Some(parts.data(bytes)?))
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
