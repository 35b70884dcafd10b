//! Dicts of files, and files, which are dicts.

use std::sync::{Arc, PoisonError, RwLock};

use dudley::model::{Dataset, Kind, Node};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use crate::array::Array;
use crate::elements::helper;
use crate::error::{OrRaise, new};
use crate::list::List;
use crate::value::{of_attributes, of_value};

/// A dict of a dataset.
pub(crate) struct At {
    pub(crate) dataset: Dataset,
    pub(crate) node: Node,
}

/// What a node is in Python.
pub(crate) fn wrap(py: Python<'_>, dataset: &Dataset, node: Node) -> PyResult<Py<PyAny>> {
    let dataset_of = || dataset.clone();
    Ok(match node.kind() {
        Kind::Dict => Py::new(py, Dict::new(dataset_of(), node))?.into_any(),
        Kind::List => Py::new(py, List::new(dataset_of(), node))?.into_any(),
        Kind::Array => Py::new(py, Array::of_node(py, dataset, node)?)?.into_any(),
        Kind::Value => of_value(py, &py.detach(|| node.value()).or_raise(py)?)?,
    })
}

/// What is at a path that may have slices and fields.
pub(crate) fn at_path(py: Python<'_>, dataset: &Dataset, path: &str) -> PyResult<Py<PyAny>> {
    match py.detach(|| dataset.get(path)) {
        Ok(node) => wrap(py, dataset, node),
        // It has slices, or fields.
        Err(error) if path.contains(['[', '.']) => match Array::of_path(py, dataset, path) {
            Ok(array) => Ok(Py::new(py, array)?.into_any()),
            Err(raised) if path.contains('[') => Err(raised),
            Err(_) => Err(crate::error::raised(py, &error)),
        },
        Err(error) => Err(crate::error::raised(py, &error)),
    }
}

/// A dict of a file: what is in it by names, in the order of the file.
#[pyclass(frozen, subclass, mapping, module = "dudley", weakref)]
pub struct Dict {
    at: RwLock<Option<Arc<At>>>,
}

impl Dict {
    pub(crate) fn new(dataset: Dataset, node: Node) -> Dict {
        Dict { at: RwLock::new(Some(Arc::new(At { dataset, node }))) }
    }

    pub(crate) fn at(&self, py: Python<'_>) -> PyResult<Arc<At>> {
        let at = self.at.read().unwrap_or_else(PoisonError::into_inner);
        at.clone().ok_or_else(|| new(py, "Closed", "the file is closed"))
    }

    fn names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let at = self.at(py)?;
        let names = |at: &At| -> dudley::Result<Vec<String>> {
            at.node.children()?.map(|node| Ok(node?.name())).collect()
        };
        py.detach(|| names(&at)).or_raise(py)
    }
}

#[pymethods]
impl Dict {
    /// Its path: `"/"` at the top.
    #[getter]
    fn path(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.at(py)?.node.path())
    }

    /// The last name of its path.
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.at(py)?.node.name())
    }

    /// Its documentation.
    #[getter]
    fn doc(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.at(py)?.node.doc().join("\n"))
    }

    /// Its attributes.
    #[getter]
    fn attrs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        of_attributes(py, &self.at(py)?.node.attributes())
    }

    /// Its params, by their names.
    #[getter]
    fn params<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let params = PyDict::new(py);
        for param in self.at(py)?.node.params() {
            params.set_item(param.name(), of_value(py, &param.value().or_raise(py)?)?)?;
        }
        Ok(params)
    }

    /// What is at a name, or at a path: `f["rho"]`, `f["/mesh/rho[3:5]"]`, `f["/history[:]/t"]`.
    fn __getitem__(&self, py: Python<'_>, key: &str) -> PyResult<Py<PyAny>> {
        let at = self.at(py)?;
        if key.starts_with('/') {
            return at_path(py, &at.dataset, key);
        }
        if let Some(node) = at.node.child(key).or_raise(py)? {
            return wrap(py, &at.dataset, node);
        }
        if key.contains(['/', '[', ':', '.']) {
            let above = at.node.path();
            let path = format!("{}/{key}", above.trim_end_matches('/'));
            return at_path(py, &at.dataset, &path);
        }
        let said = helper(py)?.getattr("no_such_name")?;
        let message: String = said.call1((key, at.node.path(), self.names(py)?))?.extract()?;
        Err(new(py, "NotFound", &message))
    }

    /// As `d[key]`; `default` if there is nothing.
    #[pyo3(signature = (key, default = None))]
    fn get(&self, py: Python<'_>, key: &str, default: Option<Py<PyAny>>) -> PyResult<Py<PyAny>> {
        match self.__getitem__(py, key) {
            Err(error) if error.is_instance_of::<pyo3::exceptions::PyKeyError>(py) => {
                Ok(default.unwrap_or_else(|| py.None()))
            }
            found => found,
        }
    }

    fn __contains__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(key) = key.extract::<&str>() else { return Ok(false) };
        match self.__getitem__(py, key) {
            Ok(_) => Ok(true),
            Err(error) if error.is_instance_of::<pyo3::exceptions::PyKeyError>(py) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.names(py)?.len())
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        PyList::new(py, self.names(py)?)?.call_method0("__iter__")
    }

    /// The names in it, in the order of the file.
    fn keys(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.names(py)
    }

    /// What is in it, in the order of the file.
    fn values(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let at = self.at(py)?;
        let children = at.node.children().or_raise(py)?;
        children.map(|node| wrap(py, &at.dataset, node.or_raise(py)?)).collect()
    }

    /// The names in it, each with what it names.
    fn items(&self, py: Python<'_>) -> PyResult<Vec<(String, Py<PyAny>)>> {
        let at = self.at(py)?;
        let children = at.node.children().or_raise(py)?;
        let pair = |node: Node| Ok((node.name(), wrap(py, &at.dataset, node)?));
        children.map(|node| pair(node.or_raise(py)?)).collect()
    }

    /// All that is in it as a value of Python.
    fn value(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let at = self.at(py)?;
        of_value(py, &py.detach(|| at.node.value()).or_raise(py)?)
    }

    /// What is in it as a text: a line each with type, shape, unit and documentation; of lists the first items.
    #[pyo3(signature = (depth = None))]
    fn tree<'py>(slf: &Bound<'py, Self>, depth: Option<u32>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("dudley._tree")?.getattr("tree")?.call1((slf, depth))
    }

    fn _repr_html_<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("dudley._tree")?.getattr("html")?.call1((slf,))
    }

    fn _ipython_key_completions_(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.names(py)
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let at = self.at(py)?;
        let items = match self.names(py)?.len() {
            1 => "1 item".to_owned(),
            length => format!("{length} items"),
        };
        Ok(format!("<Dict {:?}: {items}>", at.node.path()))
    }
}

/// A file that is open, of any format: the dict at its top.
#[pyclass(frozen, extends = Dict, mapping, module = "dudley", weakref)]
pub struct File {
    pub(crate) arguments: Option<Py<PyAny>>,
}

impl File {
    /// A dataset that is open; `arguments` are those that `open` was given, if it can be opened again by them.
    pub(crate) fn of(
        py: Python<'_>,
        dataset: Dataset,
        arguments: Option<Py<PyAny>>,
    ) -> PyResult<Py<File>> {
        let root = dataset.root().or_raise(py)?;
        let dict = Dict::new(dataset, root);
        Py::new(py, PyClassInitializer::from(dict).add_subclass(File { arguments }))
    }
}

#[pymethods]
impl File {
    /// What its format is called: `"bd"`, `"asdf"`, `"netcdf3"`.
    #[getter]
    fn format(slf: &Bound<'_, Self>) -> PyResult<&'static str> {
        Ok(slf.as_super().get().at(slf.py())?.dataset.format())
    }

    /// What messages call it.
    #[getter]
    fn filename(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(slf.as_super().get().at(slf.py())?.dataset.name().to_owned())
    }

    /// The text of the layout by which it is read; None of a format that has nodes of its own.
    #[getter]
    fn layout(slf: &Bound<'_, Self>) -> PyResult<Option<String>> {
        let py = slf.py();
        let at = slf.as_super().get().at(py)?;
        if let Some(described) = at.dataset.layout().or_raise(py)? {
            return Ok(Some(described.text));
        }
        let stream = at.dataset.stream().or_raise(py)?;
        Ok(stream.map(|stream| stream.layout().text().to_owned()))
    }

    /// What only the format knows of the whole, by names.
    #[getter]
    fn facts<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyDict>> {
        let py = slf.py();
        let facts = PyDict::new(py);
        for fact in slf.as_super().get().at(py)?.dataset.facts().or_raise(py)? {
            facts.set_item(fact.name, of_value(py, &fact.value)?)?;
        }
        Ok(facts)
    }

    /// What is odd in it or wrong, as far as that was seen so far.
    fn remarks(slf: &Bound<'_, Self>) -> PyResult<Vec<String>> {
        let py = slf.py();
        let remarks = slf.as_super().get().at(py)?.dataset.remarks().or_raise(py)?;
        Ok(remarks.iter().map(ToString::to_string).collect())
    }

    /// Closes the file. Arrays that were taken from it keep it open as long as they live.
    fn close(slf: &Bound<'_, Self>) {
        *slf.as_super().get().at.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Whether it is closed.
    #[getter]
    fn closed(slf: &Bound<'_, Self>) -> bool {
        slf.as_super().get().at.read().unwrap_or_else(PoisonError::into_inner).is_none()
    }

    fn __enter__<'py>(slf: Bound<'py, Self>) -> Bound<'py, Self> {
        slf
    }

    fn __exit__(
        slf: &Bound<'_, Self>,
        _class: &Bound<'_, PyAny>,
        _error: &Bound<'_, PyAny>,
        _trace: &Bound<'_, PyAny>,
    ) {
        File::close(slf);
    }

    /// Opened again by the arguments of `open`, as other processes do.
    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, Py<PyAny>)> {
        let py = slf.py();
        let arguments =
            slf.get().arguments.as_ref().map(|it| it.clone_ref(py)).ok_or_else(|| {
                pyo3::exceptions::PyTypeError::new_err(
                    "bytes in memory cannot be pickled as a file",
                )
            })?;
        let reopen = py.import("dudley._numpy")?.getattr("reopen")?.unbind();
        Ok((reopen, arguments))
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let py = slf.py();
        let dict = slf.as_super().get();
        let Ok(at) = dict.at(py) else { return Ok("<File, closed>".to_owned()) };
        Ok(format!(
            "<File {:?}: {}, {} items>",
            at.dataset.name(),
            at.dataset.describe(),
            dict.names(py)?.len()
        ))
    }
}
