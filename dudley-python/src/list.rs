//! Lists of files.

use dudley::model::{Dataset, Node};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice};

use crate::dict::{at_path, wrap};
use crate::error::{OrRaise, new};
use crate::value::{of_attributes, of_value};

/// A list of a file: its items by their numbers, and, of dicts, what all have under a name as one array.
#[pyclass(frozen, sequence, module = "dudley", weakref)]
pub struct List {
    dataset: Dataset,
    node: Node,
}

impl List {
    pub(crate) fn new(dataset: Dataset, node: Node) -> List {
        List { dataset, node }
    }
}

#[pymethods]
impl List {
    /// Its path.
    #[getter]
    fn path(&self) -> String {
        self.node.path()
    }

    /// The last name of its path.
    #[getter]
    fn name(&self) -> String {
        self.node.name()
    }

    /// Its documentation.
    #[getter]
    fn doc(&self) -> String {
        self.node.doc().join("\n")
    }

    /// Its attributes.
    #[getter]
    fn attrs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        of_attributes(py, &self.node.attributes())
    }

    /// An item by its number; with a slice a list of items; with a name what all items have under it, as one array:
    /// `f["history"]["t"]`.
    fn __getitem__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let path = self.node.path();
        if let Ok(name) = key.extract::<&str>() {
            return at_path(py, &self.dataset, &format!("{path}[:]/{name}"));
        }
        let length = self.node.len().or_raise(py)? as i64;
        if let Ok(slice) = key.cast::<PySlice>() {
            let picked = slice.indices(length as isize)?;
            let mut items = Vec::new();
            for at in 0..picked.slicelength {
                items.push(self.item(py, picked.start as i64 + at as i64 * picked.step as i64)?);
            }
            return Ok(pyo3::types::PyList::new(py, items)?.into_any().unbind());
        }
        let at: i64 = key.extract()?;
        let from_start = if at < 0 { at + length } else { at };
        if !(0..length).contains(&from_start) {
            let message = format!("`{path}` has {length} items, and none of number {at}");
            return Err(new(py, "BadIndex", &message));
        }
        self.item(py, from_start)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.node.len().or_raise(py)? as usize)
    }

    /// All that is in it as a value of Python.
    fn value(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        of_value(py, &py.detach(|| self.node.value()).or_raise(py)?)
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("dudley._tree")?.getattr("html")?.call1((slf,))
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        Ok(format!("<List {:?}: {} items>", self.node.path(), self.node.len().or_raise(py)?))
    }
}

impl List {
    fn item(&self, py: Python<'_>, at: i64) -> PyResult<Py<PyAny>> {
        let node = match self.node.item() {
            Some(item) => item.element(at as u64).map(|item| {
                if self.dataset.is_decoded() { Node::decoded(item) } else { Node::from(item) }
            }),
            None => self.dataset.get(&format!("{}/{at}", self.node.path())),
        };
        wrap(py, &self.dataset, node.or_raise(py)?)
    }
}
