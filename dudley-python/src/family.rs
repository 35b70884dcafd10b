//! Families: many streams of one layout, found through a catalog.

use std::path::PathBuf;

use dudley::family::{self, Build, Check, MemberId, Missing, Read};
use dudley::{Value, parse_layout};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyComplex, PyDict};

use crate::elements::Elements;
use crate::error::{OrRaise, new, raised};
use crate::open::order_of;
use crate::value::of_value;

/// Members that could not be read, their file, and why not.
type Unserved = (Vec<u64>, PathBuf, String);

/// A catalog that is open.
#[pyclass(frozen, module = "dudley._native")]
pub struct Family {
    family: family::Family,
}

#[pymethods]
impl Family {
    /// Opens a catalog.
    #[new]
    fn new(py: Python<'_>, catalog: PathBuf) -> PyResult<Family> {
        let family = py.detach(|| family::Family::open(&catalog)).or_raise(py)?;
        Ok(Family { family: family.filters(dudley_formats::registry()) })
    }

    fn __len__(&self) -> usize {
        self.family.len() as usize
    }

    /// The layout of the members.
    #[getter]
    fn layout(&self) -> &str {
        self.family.layout().text()
    }

    /// The values of each member that the catalog has: name, path and unit.
    fn columns(&self) -> Vec<(String, String, Option<String>)> {
        let said = |column: &family::Column| {
            let unit = column.unit(self.family.layout()).map(str::to_owned);
            (column.name.clone(), column.path.clone(), unit)
        };
        self.family.columns().iter().map(said).collect()
    }

    /// What some members have in a column.
    fn column(&self, py: Python<'_>, name: &str, members: Vec<u64>) -> PyResult<Py<PyAny>> {
        let value = |id| self.family.member(MemberId(id))?.value(name);
        let values: dudley::Result<Vec<Value>> =
            py.detach(|| members.into_iter().map(value).collect());
        of_value(py, &Value::Array(values.or_raise(py)?))
    }

    /// The members that a condition picks.
    fn select(&self, py: Python<'_>, condition: &str) -> PyResult<Vec<u64>> {
        let found = py.detach(|| self.family.select(condition)).or_raise(py)?;
        Ok(found.into_iter().map(|id| id.0).collect())
    }

    /// The file of a member, and where in it that begins, in bytes.
    fn place(&self, py: Python<'_>, member: u64) -> PyResult<(PathBuf, u64)> {
        let member = self.family.member(MemberId(member)).or_raise(py)?;
        Ok((member.file().or_raise(py)?, member.start()))
    }

    /// What is at a path of some members, the members first; those that it has; and what could not be read: members,
    /// file, and why.
    #[pyo3(signature = (path, members, missing = None, ragged = false, trust = false, threads = 0))]
    #[expect(clippy::too_many_arguments, reason = "as Python passes them")]
    fn read<'py>(
        &self,
        py: Python<'py>,
        path: &str,
        members: Vec<u64>,
        missing: Option<Bound<'py, PyAny>>,
        ragged: bool,
        trust: bool,
        threads: usize,
    ) -> PyResult<(Bound<'py, PyAny>, Vec<u64>, Vec<Unserved>)> {
        let missing = missing.as_ref().map_or(Ok(Missing::Error), missing_of)?;
        let check = if trust { Check::Trust } else { Check::File };
        let read = Read::new().missing(missing).ragged(ragged).check(check).threads(threads);
        let ids: Vec<MemberId> = members.into_iter().map(MemberId).collect();
        let stack = py.detach(|| read.run(&self.family, path, &ids)).or_raise(py)?;
        let numbers = |ids: &[MemberId]| ids.iter().map(|id| id.0).collect::<Vec<_>>();
        let unserved = stack
            .unserved
            .iter()
            .map(|it| (numbers(&it.members), it.file.clone(), it.error.to_string()))
            .collect();
        let members = numbers(&stack.members);
        Ok((Elements::of(stack.selected).read(py)?, members, unserved))
    }
}

/// What is done with members that cannot be read.
fn missing_of(given: &Bound<'_, PyAny>) -> PyResult<Missing> {
    if let Ok(text) = given.extract::<String>() {
        return Ok(match &*text {
            "skip" => Missing::Skip,
            _ => Missing::Fill(Value::Text(text)),
        });
    }
    let value = if given.is_instance_of::<PyBool>() {
        Value::Bool(given.extract()?)
    } else if let Ok(value) = given.extract::<i128>() {
        Value::Int(value)
    } else if let Ok(value) = given.cast::<PyComplex>() {
        let value = value.extract::<(f64, f64)>().or_else(|_| {
            Ok::<_, PyErr>((value.getattr("real")?.extract()?, value.getattr("imag")?.extract()?))
        })?;
        Value::Complex(value.0, value.1)
    } else {
        Value::Float(given.extract()?)
    };
    Ok(Missing::Fill(value))
}

/// Makes a catalog of files, or brings one up to date: how many files were read anew, have changed, are gone, or cannot
/// be read.
#[pyfunction]
#[pyo3(signature = (catalog, files, *, update = false, layout = None, params = None, raw = false, order = None,
    skip_bad = false, keep_missing = false, overwrite = false, threads = 0))]
#[expect(clippy::too_many_arguments, reason = "as Python passes them")]
pub(crate) fn build_family<'py>(
    py: Python<'py>,
    catalog: PathBuf,
    files: Vec<PathBuf>,
    update: bool,
    layout: Option<&str>,
    params: Option<Bound<'py, PyDict>>,
    raw: bool,
    order: Option<&str>,
    skip_bad: bool,
    keep_missing: bool,
    overwrite: bool,
    threads: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let mut build = Build::new().skip_bad(skip_bad).keep_missing(keep_missing).threads(threads);
    build = build.filters(dudley_formats::registry());
    if let Some(text) = layout {
        build = build.layout(parse_layout(text.as_bytes()).map_err(|error| raised(py, &error))?);
    }
    for (name, value) in params.iter().flatten() {
        build = build.param(name.extract::<String>()?, value.extract::<i128>()?);
    }
    if raw {
        build = build.raw();
    }
    if let Some(order) = order {
        build = build.order(order_of(py, order)?);
    }
    let done = py.detach(|| match update {
        true => build.update(&catalog, &files),
        false => build.create(&catalog, &files, overwrite),
    });
    let report = done.or_raise(py)?;
    let said = PyDict::new(py);
    said.set_item("files", report.files)?;
    said.set_item("members", report.members)?;
    said.set_item("added", report.added)?;
    said.set_item("changed", report.changed)?;
    said.set_item("gone", report.gone)?;
    let failed = report.failed.iter().map(|(file, error)| (file, error.to_string()));
    said.set_item("failed", failed.collect::<Vec<_>>())?;
    if report.members == 0 && !update {
        return Err(new(py, "BadValue", "there are no streams among these files"));
    }
    Ok(said)
}
