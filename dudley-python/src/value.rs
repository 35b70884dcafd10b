//! Values of files as those of Python.

use dudley::Value;
use dudley::model::Attribute;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyComplex, PyDict, PyList};

/// A value: numbers, texts, `bytes` of bits, lists, dicts, `None`.
pub(crate) fn of_value(py: Python<'_>, value: &Value) -> PyResult<Py<PyAny>> {
    Ok(match value {
        Value::Null => py.None(),
        Value::Bool(value) => value.into_pyobject(py)?.to_owned().into_any().unbind(),
        Value::Int(value) => value.into_pyobject(py)?.into_any().unbind(),
        Value::Float(value) => value.into_pyobject(py)?.into_any().unbind(),
        Value::Complex(re, im) => PyComplex::from_doubles(py, *re, *im).into_any().unbind(),
        Value::Text(text) => text.into_pyobject(py)?.into_any().unbind(),
        Value::Bits(bits) => PyBytes::new(py, bits).into_any().unbind(),
        Value::Array(items) => {
            let items = items.iter().map(|item| of_value(py, item));
            PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any().unbind()
        }
        Value::Struct(fields) => {
            let dict = PyDict::new(py);
            for (name, value) in fields {
                dict.set_item(name, of_value(py, value)?)?;
            }
            dict.into_any().unbind()
        }
    })
}

/// Attributes by their names.
pub(crate) fn of_attributes<'py>(
    py: Python<'py>,
    attributes: &[Attribute],
) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for Attribute { name, value } in attributes {
        dict.set_item(name, of_value(py, value)?)?;
    }
    Ok(dict)
}
