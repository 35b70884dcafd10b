//! Streams created from a layout and filled, and streams that grow, from arrays of numpy.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use dudley::create::{Create, Writer};
use dudley::numpy::{ArraySource, Npy, Table, Units};
use dudley::{ByteOrder, Input, Item, ItemKind, append};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::error::{OrRaise, new};
use crate::memory::Glued;

/// The elements of an array of numpy: the header of a `.npy` file, and the bytes behind it.
type Elements<'py> = (Vec<u8>, Bound<'py, PyAny>);

/// An array of numpy as what is written: its elements, structs, texts.
fn input(py: Python<'_>, (header, bytes): Elements<'_>) -> PyResult<Input<'static>> {
    let glued = Arc::new(Glued::new(header, &bytes)?);
    let npy = Npy::source(glued).map_err(|why| new(py, "BadValue", &why.to_string()))?;
    let source = ArraySource::from(npy);
    if let Some(texts) = source.value().or_raise(py)? {
        return Ok(Input::Value(texts));
    }
    let has_more = source.units().is_some_and(|(.., units)| units.is_some());
    Ok(match source.is_struct() {
        true => Input::Rows(Box::new(Table::new(source))),
        false if has_more => Input::Typed(Box::new(Units(source))),
        false => Input::Typed(Box::new(source)),
    })
}

/// What a layout says of an item.
fn said<'py>(py: Python<'py>, item: &Item) -> PyResult<Bound<'py, PyDict>> {
    let said = PyDict::new(py);
    said.set_item("kind", item.kind().as_str())?;
    said.set_item("names", item.names())?;
    said.set_item("unit", item.unit())?;
    let data = item.data().ok();
    let has_shape = matches!(item.kind(), ItemKind::Data | ItemKind::Param);
    said.set_item("shape", if has_shape { item.shape().ok() } else { None })?;
    said.set_item("dtype_name", data.as_ref().map(|data| data.dtype_name()))?;
    said.set_item("address", item.address().ok())?;
    let length = if item.kind() == ItemKind::List { item.len().ok() } else { None };
    said.set_item("length", length)?;
    Ok(said)
}

/// A stream that is being written; `dudley.create` wraps it.
#[pyclass(frozen, name = "Writer", module = "dudley._native")]
pub(crate) struct NativeWriter {
    writer: Writer,
}

#[pymethods]
impl NativeWriter {
    /// Begins a file.
    #[new]
    #[pyo3(signature = (path, layout, params, order, raw, attach, overwrite))]
    #[expect(clippy::too_many_arguments, reason = "Python names them")]
    fn create(
        py: Python<'_>,
        path: PathBuf,
        layout: &str,
        params: Vec<(String, i128)>,
        order: &str,
        raw: bool,
        attach: bool,
        overwrite: bool,
    ) -> PyResult<NativeWriter> {
        let mut create = Create::text(layout).or_raise(py)?.attach(attach).overwrite(overwrite);
        create = match order {
            "<" | "little" => create.order(ByteOrder::Little),
            ">" | "big" => create.order(ByteOrder::Big),
            _ => {
                return Err(new(
                    py,
                    "BadValue",
                    &format!("`order` is {order:?}: it may be \"<\" or \">\""),
                ));
            }
        };
        if raw {
            create = create.raw();
        }
        for (name, value) in params {
            create = create.param(name, value);
        }
        let writer = py.detach(|| create.file(path)).or_raise(py)?;
        Ok(NativeWriter { writer })
    }

    /// Writes the elements of an array to what a path picks.
    fn write(&self, py: Python<'_>, path: &str, elements: Elements<'_>) -> PyResult<()> {
        let input = input(py, elements)?;
        py.detach(|| self.writer.write(path, input)).or_raise(py)
    }

    /// Writes one text.
    fn write_text(&self, py: Python<'_>, path: &str, text: String) -> PyResult<()> {
        py.detach(|| self.writer.write(path, text)).or_raise(py)
    }

    /// What the layout says of an item, and where it lies.
    fn said<'py>(&self, py: Python<'py>, path: &str) -> PyResult<Bound<'py, PyDict>> {
        said(py, &self.writer.get(path).or_raise(py)?)
    }

    /// The layout.
    fn layout(&self) -> String {
        self.writer.plan().layout().text().to_owned()
    }

    /// Completes the file.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.writer.finish()).or_raise(py)
    }

    /// Leaves no file.
    fn abort(&self) {
        self.writer.abort();
    }
}

/// A stream that grows; `dudley.append` wraps it.
#[pyclass(frozen, name = "Append", module = "dudley._native")]
pub(crate) struct NativeAppend {
    append: Mutex<Option<append::Append>>,
}

impl NativeAppend {
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut append::Append) -> dudley::Result<T> + Send,
    ) -> PyResult<T> {
        let done = py.detach(|| {
            let mut append = self.append.lock().unwrap_or_else(PoisonError::into_inner);
            append.as_mut().map(act)
        });
        match done {
            Some(done) => done.or_raise(py),
            None => Err(new(py, "Closed", "the file is closed: nothing more can be added")),
        }
    }
}

#[pymethods]
impl NativeAppend {
    /// Opens a file, and locks it against other writers.
    #[new]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<NativeAppend> {
        let append = py.detach(|| append::Append::open(path)).or_raise(py)?;
        Ok(NativeAppend { append: Mutex::new(Some(append)) })
    }

    /// Adds records to a list or array: columns by name, of each as many, or elements without a name. How many there are
    /// then.
    fn push_many(
        &self,
        py: Python<'_>,
        path: &str,
        columns: Vec<(Option<String>, Elements<'_>)>,
    ) -> PyResult<u64> {
        let (names, elements): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
        let inputs = elements.into_iter().map(|elements| input(py, elements));
        let mut inputs = inputs.collect::<PyResult<Vec<_>>>()?;
        self.with(py, |append| {
            let mut records = append.records(path)?;
            match (&names[..], inputs.pop()) {
                ([None], Some(whole)) => records.push_values(whole)?,
                (_, last) => {
                    let names = names.iter().map(|name| name.as_deref().unwrap_or_default());
                    let columns: Vec<_> = names.zip(inputs.into_iter().chain(last)).collect();
                    records.push_many(&columns)?;
                }
            }
            Ok(records.len())
        })
    }

    /// The names of the parts of a record; none of a record that is one item.
    fn names(&self, py: Python<'_>, path: &str) -> PyResult<Vec<String>> {
        self.with(py, |append| Ok(append.records(path)?.names().map(str::to_owned).collect()))
    }

    /// How many records there are, those included that are not committed.
    fn count(&self, py: Python<'_>, path: &str) -> PyResult<u64> {
        self.with(py, |append| Ok(append.records(path)?.len()))
    }

    /// Makes durable what was added, and lets others see it.
    fn commit(&self, py: Python<'_>) -> PyResult<()> {
        self.with(py, append::Append::sync)
    }

    /// Takes records away from the end.
    fn truncate(&self, py: Python<'_>, path: &str, records: u64) -> PyResult<()> {
        self.with(py, |append| append.truncate(path, records))
    }

    /// Writes over elements that are there.
    fn write(&self, py: Python<'_>, path: &str, elements: Elements<'_>) -> PyResult<()> {
        let input = input(py, elements)?;
        self.with(py, |append| append.write(path, input))
    }

    /// Commits, and closes the file.
    fn close(&self, py: Python<'_>) -> PyResult<()> {
        let append = self.append.lock().unwrap_or_else(PoisonError::into_inner).take();
        match append {
            Some(append) => py.detach(|| append.close()).or_raise(py),
            None => Ok(()),
        }
    }
}
