//! Streams written from arrays of numpy.

use std::path::PathBuf;
use std::sync::Arc;

use asdf_bridge::asdf::{self, NewArray};
use dudley::ndarray::ArrayD;
use dudley::numpy::arrays::{About, Named};
use dudley::numpy::layout::{Dicts, Orders, Purpose, of_arrays};
use dudley::numpy::{ArraySource, Npy, Table, Units};
use dudley::{ByteOrder, Error, Input, Writer, parse_layout};
use dudley_parser::comments::{AttrValue, Attribute};
use dudley_parser::span::Span;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyString};

use crate::error::{OrRaise, new};
use crate::memory::Glued;

/// What is written of an array.
#[derive(FromPyObject)]
pub(crate) struct Given<'py> {
    /// The names from the root.
    #[pyo3(item)]
    parts: Vec<String>,
    #[pyo3(item)]
    keyed: Vec<bool>,
    #[pyo3(item)]
    param: bool,
    /// The header of a `.npy` file.
    #[pyo3(item)]
    header: Vec<u8>,
    /// The elements, as bytes.
    #[pyo3(item)]
    bytes: Bound<'py, PyAny>,
    #[pyo3(item)]
    said: Said<'py>,
}

/// What is said of an array or a dict.
#[derive(FromPyObject)]
pub(crate) struct Said<'py> {
    #[pyo3(item)]
    unit: Option<String>,
    #[pyo3(item)]
    doc: Vec<String>,
    #[pyo3(item)]
    attrs: Bound<'py, PyDict>,
    #[pyo3(item)]
    dims: Vec<Option<String>>,
}

impl Said<'_> {
    fn about(self) -> PyResult<About> {
        let attributes = self.attrs.iter().map(|(name, value)| {
            let name: String = name.extract()?;
            let value = attribute(&name, &value)?;
            Ok(Attribute { name, value, span: Span::new(0, 0) })
        });
        Ok(About {
            unit: self.unit,
            doc: self.doc,
            attributes: attributes.collect::<PyResult<_>>()?,
            dims: self.dims,
            fixed: None,
        })
    }
}

/// The value of an attribute: a number, a text, a boolean, or a list of numbers or texts.
fn attribute(name: &str, value: &Bound<'_, PyAny>) -> PyResult<AttrValue> {
    let unknown = || {
        let of =
            value.get_type().name().map_or_else(|_| "this".to_owned(), |name| name.to_string());
        let message = format!(
            "the attribute `{name}` is {of}: it may be an integer of 64 bits, a float, a text, a boolean, or a list of \
             integers, of floats or of texts"
        );
        new(value.py(), "BadValue", &message)
    };
    // Scalars and arrays of numpy as those of Python.
    let value = match value.hasattr("tolist")? {
        true => &value.call_method0("tolist")?,
        false => value,
    };
    if value.is_instance_of::<PyBool>() {
        return Ok(if value.extract()? { AttrValue::True } else { AttrValue::Int(0) });
    }
    if value.is_instance_of::<PyInt>() {
        // A layout has no larger integers: a text stands for one, as for those of other files.
        let text = || Ok(AttrValue::Text(value.str()?.to_string()));
        return value.extract().map_or_else(|_| text(), |value| Ok(AttrValue::Int(value)));
    }
    if value.is_instance_of::<PyFloat>() {
        let value: f64 = value.extract()?;
        return Ok(match value.is_finite() {
            true => AttrValue::Float(value),
            false => AttrValue::Text(value.to_string()),
        });
    }
    if value.is_instance_of::<PyString>() {
        return Ok(AttrValue::Text(value.extract()?));
    }
    if let Ok(texts) = value.extract::<Vec<String>>() {
        return Ok(match texts.is_empty() {
            true => AttrValue::Ints(Vec::new()),
            false => AttrValue::Texts(texts),
        });
    }
    if let Ok(ints) = value.extract::<Vec<i64>>() {
        return Ok(AttrValue::Ints(ints));
    }
    let floats: Vec<f64> = value.extract().map_err(|_| unknown())?;
    if floats.iter().all(|value| value.is_finite()) {
        return Ok(AttrValue::Floats(floats));
    }
    Ok(AttrValue::Texts(floats.iter().map(f64::to_string).collect()))
}

/// Writes arrays as a stream that carries its layout, which is made of them.
#[pyfunction]
#[pyo3(signature = (path, arrays, dicts, overwrite))]
pub(crate) fn write(
    py: Python<'_>,
    path: PathBuf,
    arrays: Vec<Given<'_>>,
    dicts: Vec<(Vec<String>, Said<'_>)>,
    overwrite: bool,
) -> PyResult<String> {
    let mut named = Vec::with_capacity(arrays.len());
    for Given { parts, keyed, param, header, bytes, said } in arrays {
        let glued = Arc::new(Glued::new(header, &bytes)?);
        let npy = Npy::source(glued)
            .map_err(|why| new(py, "BadValue", &format!("`/{}`: {why}", parts.join("/"))))?;
        named.push(Named { parts, keyed, param, source: npy.into(), about: said.about()? });
    }
    let said = dicts.into_iter().map(|(parts, said)| Ok((parts, said.about()?)));
    let dicts: Dicts = said.collect::<PyResult<_>>()?;
    py.detach(|| written(&path, named, &dicts, overwrite)).or_raise(py)
}

/// Writes them; what is given back is the text of the layout.
fn written(
    path: &PathBuf,
    named: Vec<Named>,
    dicts: &Dicts,
    overwrite: bool,
) -> dudley::Result<String> {
    let orders = Orders::Unless(ByteOrder::Little);
    let (text, paths) = of_arrays(&named, dicts, orders, Purpose::Write).map_err(Error::from)?;
    let mut writer =
        Writer::new(parse_layout(text.as_bytes())?).order(ByteOrder::Little).attach(true);
    for (Named { param, source, .. }, path) in named.into_iter().zip(paths) {
        writer = match (param, source.is_struct()) {
            (true, _) => {
                let value = ArraySource::integer(&source)?;
                let value = value.ok_or_else(|| Error::WrongValue {
                    item: dudley::error::Item::new(path.as_str()),
                    expected: "one integer, as params are".into(),
                    found: "something else".into(),
                })?;
                writer.param(path, value)
            }
            (false, true) => writer.put(path, Input::Rows(Box::new(Table::new(source)))),
            (false, false) => writer.put(path, Input::Typed(Box::new(Units(source)))),
        };
    }
    writer.write_file(path, overwrite)?;
    Ok(text)
}

/// Gives arrays of an ASDF file masks: by their paths, the shape and a byte for each element.
#[pyfunction]
pub(crate) fn mask_asdf(
    py: Python<'_>,
    path: PathBuf,
    masks: Vec<(String, Vec<usize>, Vec<u8>)>,
) -> PyResult<()> {
    py.detach(|| masked(&path, masks)).map_err(Error::from).or_raise(py)
}

fn masked(path: &PathBuf, masks: Vec<(String, Vec<usize>, Vec<u8>)>) -> asdf::Result<()> {
    let mut update = asdf::Update::open(path)?;
    for (path, shape, cells) in masks {
        let cells = cells.into_iter().map(|cell| cell != 0).collect();
        let mask = ArrayD::from_shape_vec(shape, cells);
        let mask = mask.map_err(|error| Error::Io {
            context: format!("cannot mask `{path}`"),
            source: std::io::Error::other(error.to_string()),
        })?;
        update.set(&format!("{path}/mask"), NewArray::from(mask))?;
    }
    update.commit().map(drop)
}
