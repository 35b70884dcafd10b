//! What is in a file: dicts and lists.

use std::borrow::Cow;
use std::sync::{Arc, PoisonError, RwLock};

use dudley::Error;
use dudley::error::Group;
use dudley::model::{Dataset, Kind, Masked, Node};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PySlice};

use crate::array::Array;
use crate::elements::helper;
use crate::error::{OrRaise, new};
use crate::value::{of_attributes, of_value};

/// A dict of a dataset.
pub(crate) struct At {
    pub(crate) dataset: Dataset,
    pub(crate) node: Node,
}

impl At {
    /// The path that a key is; none of one that can only be a name.
    fn below<'k>(&self, key: &'k str) -> Option<Cow<'k, str>> {
        if key.starts_with('/') {
            return Some(key.into());
        }
        let above = self.node.path();
        key.contains(['/', '[', ':', '.'])
            .then(|| format!("{}/{key}", above.trim_end_matches('/')).into())
    }
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
    let error = match py.detach(|| dataset.get(path)) {
        Ok(node) => return wrap(py, dataset, node),
        Err(error) => error,
    };
    if !path.contains(['[', '.']) {
        return Err(crate::error::raised(py, &error));
    }
    match py.detach(|| dataset.select_with(path, Masked::Stored)) {
        Ok(selected) => Ok(Py::new(py, Array::picked(dataset, path, selected))?.into_any()),
        // Of dicts it picks dicts.
        Err(error) if matches!(error.cause(), Error::NotData { .. }) => {
            let nodes = py.detach(|| dataset.nodes(path)).or_raise(py)?;
            let items = nodes.into_iter().map(|node| wrap(py, dataset, node));
            Ok(PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any().unbind())
        }
        // It is a name with a point in it, and not of a field.
        Err(_) if !path.contains('[') => Err(crate::error::raised(py, &error)),
        Err(error) => Err(crate::error::raised(py, &error)),
    }
}

/// Whether there is anything at a path.
fn is_there(dataset: &Dataset, path: &str) -> dudley::Result<bool> {
    let found = match dataset.get(path) {
        Err(_) if path.contains(['[', '.']) => match dataset.select_with(path, Masked::Stored) {
            Err(error) if matches!(error.cause(), Error::NotData { .. }) => {
                dataset.nodes(path).map(drop)
            }
            found => found.map(drop),
        },
        found => found.map(drop),
    };
    match found {
        Err(error) if error.group() == Group::NotFound => Ok(false),
        found => found.map(|()| true),
    }
}

/// A dict of a file: what is in it by names, in the order of the file.
///
/// >>> f = dudley.open("run.bd")
/// >>> f["mesh"]
/// <Dict "/mesh": 2 items>
/// >>> f["/mesh/x[2:4]"][:]
/// array([2., 3.])
/// >>> "/mesh/y" in f
/// False
#[pyclass(frozen, subclass, mapping, module = "dudley", weakref)]
pub struct Dict {
    pub(crate) at: RwLock<Option<Arc<At>>>,
}

impl Dict {
    pub(crate) fn new(dataset: Dataset, node: Node) -> Dict {
        Dict { at: RwLock::new(Some(Arc::new(At { dataset, node }))) }
    }

    pub(crate) fn at(&self, py: Python<'_>) -> PyResult<Arc<At>> {
        let at = self.at.read().unwrap_or_else(PoisonError::into_inner);
        at.clone().ok_or_else(|| new(py, "Closed", "the file is closed"))
    }

    pub(crate) fn names(&self, py: Python<'_>) -> PyResult<Vec<String>> {
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
    ///
    /// >>> mesh = dudley.open("run.bd")["mesh"]
    /// >>> mesh.path
    /// '/mesh'
    #[getter]
    fn path(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.at(py)?.node.path())
    }

    /// The last name of its path.
    ///
    /// >>> mesh = dudley.open("run.bd")["mesh"]
    /// >>> mesh.name
    /// 'mesh'
    #[getter]
    fn name(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.at(py)?.node.name())
    }

    /// Its documentation.
    ///
    /// >>> mesh = dudley.open("run.bd")["mesh"]
    /// >>> mesh.doc
    /// 'where the zones are'
    #[getter]
    fn doc(&self, py: Python<'_>) -> PyResult<String> {
        Ok(self.at(py)?.node.doc().join("\n"))
    }

    /// Its attributes.
    ///
    /// >>> mesh = dudley.open("run.bd")["mesh"]
    /// >>> mesh.attrs
    /// {}
    #[getter]
    fn attrs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        of_attributes(py, &self.at(py)?.node.attributes())
    }

    /// Its params, by their names.
    ///
    /// >>> dudley.open("run.bd").params["cycle"]
    /// 7
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
        if !key.starts_with('/')
            && let Some(node) = at.node.child(key).or_raise(py)?
        {
            return wrap(py, &at.dataset, node);
        }
        if let Some(path) = at.below(key) {
            return at_path(py, &at.dataset, &path);
        }
        let said = helper(py)?.getattr("no_such_name")?;
        let message: String = said.call1((key, at.node.path(), self.names(py)?))?.extract()?;
        Err(new(py, "NotFound", &message))
    }

    /// As `d[key]`; `default` if there is nothing.
    ///
    /// >>> mesh = dudley.open("run.bd")["mesh"]
    /// >>> mesh.get("y") is None
    /// True
    #[pyo3(signature = (key, default = None))]
    fn get(&self, py: Python<'_>, key: &str, default: Option<Py<PyAny>>) -> PyResult<Py<PyAny>> {
        match self.__getitem__(py, key) {
            Err(error) if error.is_instance_of::<PyKeyError>(py) => {
                Ok(default.unwrap_or_else(|| py.None()))
            }
            found => found,
        }
    }

    fn __contains__(&self, py: Python<'_>, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(key) = key.extract::<&str>() else { return Ok(false) };
        let at = self.at(py)?;
        py.detach(|| {
            if !key.starts_with('/') && at.node.child(key)?.is_some() {
                return Ok(true);
            }
            match at.below(key) {
                Some(path) => is_there(&at.dataset, &path),
                None => Ok(false),
            }
        })
        .or_raise(py)
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let at = self.at(py)?;
        Ok(py.detach(|| at.node.len()).or_raise(py)? as usize)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        PyList::new(py, self.names(py)?)?.call_method0("__iter__")
    }

    /// The names in it, in the order of the file.
    ///
    /// >>> mesh = dudley.open("run.bd")["mesh"]
    /// >>> mesh.keys()
    /// ['x', 'zones']
    fn keys(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        self.names(py)
    }

    /// What is in it, in the order of the file.
    ///
    /// >>> mesh = dudley.open("run.bd")["mesh"]
    /// >>> mesh.values()
    /// [<Array "/mesh/x": <f8, shape (9,)>, <Array "/mesh/zones": <i8, shape ()>]
    fn values(&self, py: Python<'_>) -> PyResult<Vec<Py<PyAny>>> {
        let at = self.at(py)?;
        let children = at.node.children().or_raise(py)?;
        children.map(|node| wrap(py, &at.dataset, node.or_raise(py)?)).collect()
    }

    /// The names in it, each with what it names.
    ///
    /// >>> mesh = dudley.open("run.bd")["mesh"]
    /// >>> int(dict(mesh.items())["zones"])
    /// 8
    fn items(&self, py: Python<'_>) -> PyResult<Vec<(String, Py<PyAny>)>> {
        let at = self.at(py)?;
        let children = at.node.children().or_raise(py)?;
        let pair = |node: Node| Ok((node.name(), wrap(py, &at.dataset, node)?));
        children.map(|node| pair(node.or_raise(py)?)).collect()
    }

    /// All that is in it as a value of Python.
    ///
    /// >>> mesh = dudley.open("run.bd")["mesh"]
    /// >>> mesh.value()["zones"]
    /// 8
    fn value(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let at = self.at(py)?;
        of_value(py, &py.detach(|| at.node.value()).or_raise(py)?)
    }

    /// What is in it as a text: a line each with type, shape, unit and documentation; of lists the first items.
    ///
    /// >>> mesh = dudley.open("run.bd")["mesh"]
    /// >>> print(mesh.tree())
    /// /mesh  where the zones are
    ///   x  <f8[9]
    ///   zones  <i8
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
        let items = match self.__len__(py)? {
            1 => "1 item".to_owned(),
            length => format!("{length} items"),
        };
        Ok(format!("<Dict {:?}: {items}>", at.node.path()))
    }
}

/// A list of a file: its items by their numbers, and, of dicts, what all have under a name as one array.
///
/// >>> history = dudley.open("run.bd")["history"]
/// >>> len(history), float(history[-1]["t"])
/// (3, 1.0)
/// >>> history["t"][:]
/// array([0. , 0.5, 1. ])
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
    ///
    /// >>> history = dudley.open("run.bd")["history"]
    /// >>> history.path
    /// '/history'
    #[getter]
    fn path(&self) -> String {
        self.node.path()
    }

    /// The last name of its path.
    ///
    /// >>> history = dudley.open("run.bd")["history"]
    /// >>> history.name
    /// 'history'
    #[getter]
    fn name(&self) -> String {
        self.node.name()
    }

    /// Its documentation.
    ///
    /// >>> history = dudley.open("run.bd")["history"]
    /// >>> history.doc
    /// ''
    #[getter]
    fn doc(&self) -> String {
        self.node.doc().join("\n")
    }

    /// Its attributes.
    ///
    /// >>> history = dudley.open("run.bd")["history"]
    /// >>> history.attrs
    /// {}
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
    ///
    /// >>> history = dudley.open("run.bd")["history"]
    /// >>> history.value()[1]
    /// {'t': 0.5}
    fn value(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        of_value(py, &py.detach(|| self.node.value()).or_raise(py)?)
    }

    /// A row for each dict as a DataFrame of pandas; arrays in them are a column for each element.
    ///
    /// >>> history = dudley.open("run.bd")["history"]
    /// >>> history.to_pandas()
    ///      t
    /// 0  0.0
    /// 1  0.5
    /// 2  1.0
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("dudley._pandas")?.getattr("frame")?.call1((slf,))
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
