//! Files that are open.

use std::sync::PoisonError;

use dudley::model::Dataset;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

use crate::error::OrRaise;
use crate::nodes::Dict;
use crate::value::of_value;

/// A file that is open, of any format: the dict at its top.
///
/// >>> with dudley.open("run.bd") as f:
/// ...     f["rho"][0, 1]
/// np.float64(1.0)
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
    /// What its format is called: `"native"`, `"asdf"`, `"netcdf3"`.
    ///
    /// >>> f = dudley.open("run.bd")
    /// >>> f.format
    /// 'native'
    #[getter]
    fn format(slf: &Bound<'_, Self>) -> PyResult<&'static str> {
        Ok(slf.as_super().get().at(slf.py())?.dataset.format())
    }

    /// What messages call it.
    ///
    /// >>> f = dudley.open("run.bd")
    /// >>> f.filename
    /// 'run.bd'
    #[getter]
    fn filename(slf: &Bound<'_, Self>) -> PyResult<String> {
        Ok(slf.as_super().get().at(slf.py())?.dataset.name().to_owned())
    }

    /// The text of the layout by which it is read; None of a format that has nodes of its own.
    ///
    /// >>> f = dudley.open("run.bd")
    /// >>> "rho = f8[3, 4]" in f.layout
    /// True
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
    ///
    /// >>> f = dudley.open("run.bd")
    /// >>> f.facts
    /// {}
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
    ///
    /// >>> f = dudley.open("run.bd")
    /// >>> f.remarks()
    /// []
    fn remarks(slf: &Bound<'_, Self>) -> PyResult<Vec<String>> {
        let py = slf.py();
        let remarks = slf.as_super().get().at(py)?.dataset.remarks().or_raise(py)?;
        Ok(remarks.iter().map(ToString::to_string).collect())
    }

    /// All that is wrong with it, a dict each: `severity`, `code`, `message`, and where it is. All of the file is read.
    ///
    /// >>> f = dudley.open("run.bd")
    /// >>> f.verify()
    /// []
    fn verify<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("dudley._command")?.getattr("verify")?.call1((slf,))
    }

    /// Least, greatest, mean and spread of the numbers of each item, a dict each; with `paths`, of what is at or below these.
    ///
    /// >>> f = dudley.open("run.bd")
    /// >>> found = f.stat("/rho")[0]
    /// >>> found["min"], found["max"], found["mean"]
    /// (0.0, 11.0, 5.5)
    #[pyo3(signature = (*paths))]
    fn stat<'py>(
        slf: &Bound<'py, Self>,
        paths: &Bound<'py, PyTuple>,
    ) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("dudley._command")?.getattr("stat")?.call1((slf, paths))
    }

    /// Closes the file. Arrays that were taken from it keep it open as long as they live.
    ///
    /// >>> f = dudley.open("run.bd")
    /// >>> f.close()
    /// >>> f.closed
    /// True
    fn close(slf: &Bound<'_, Self>) {
        *slf.as_super().get().at.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Whether it is closed.
    ///
    /// >>> f = dudley.open("run.bd")
    /// >>> f.closed
    /// False
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
