//! Arrays of files.

use dudley::model::{Dataset, Masked, Node};
use dudley::read::path::{Part, parse};
use dudley::read::select::Selected;
use dudley::read::slice::Index;
use dudley::{Data, Primitive};
use dudley_parser::layout::path::push_name;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyString, PyTuple};

use crate::elements::{Elements, helper};
use crate::error::{OrRaise, new};
use crate::index::of_key;
use crate::value::{of_attributes, of_value};

/// An array of a file. Nothing is read before it is indexed, read or looked at.
///
/// >>> rho = dudley.open("run.bd")["rho"]
/// >>> rho
/// <Array "/rho": <f8, shape (3, 4), unit "g/cc">
/// >>> rho[1, :2]
/// array([4., 5.])
#[pyclass(frozen, module = "dudley", weakref)]
pub struct Array {
    dataset: Dataset,
    path: String,
    /// What is said of it; none of what a path with slices picks.
    node: Option<Node>,
    elements: Elements,
    dtype: PyOnceLock<Py<PyAny>>,
    /// Which elements have no value, as an array of booleans; `None` where all have one.
    mask: PyOnceLock<Option<Py<PyAny>>>,
}

impl Array {
    /// An array of a dataset.
    pub(crate) fn of_node(py: Python<'_>, dataset: &Dataset, node: Node) -> PyResult<Array> {
        let data = py.detach(|| node.stored()).or_raise(py)?;
        Ok(Array { node: Some(node.clone()), ..Array::picked(dataset, &node.path(), data.into()) })
    }

    /// What a path with slices picks, masked elements as they are stored.
    pub(crate) fn picked(dataset: &Dataset, path: &str, selected: Selected) -> Array {
        Array {
            dataset: dataset.clone(),
            path: path.to_owned(),
            node: None,
            elements: Elements::of(selected),
            dtype: PyOnceLock::new(),
            mask: PyOnceLock::new(),
        }
    }

    /// Which elements have no value, as an array of booleans; `None` where all have one.
    fn mask<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        let found = self.mask.get_or_try_init(py, || {
            let Some(cells) = py.detach(|| self.dataset.missing(&self.path)).or_raise(py)? else {
                return Ok::<_, PyErr>(None);
            };
            let cells: Vec<u8> = cells.into_iter().map(u8::from).collect();
            let shape = PyTuple::new(py, self.elements.shape().iter())?;
            let parts = (PyBytes::new(py, &cells), self.dtype(py)?, shape, &self.path);
            Ok(Some(helper(py)?.getattr("mask")?.call1(parts)?.unbind()))
        })?;
        Ok(found.as_ref().map(|mask| mask.bind(py).clone()))
    }

    /// The first array, where no node tells what is said of it.
    fn first(&self) -> Option<&Data> {
        match self.node {
            Some(_) => None,
            None => self.elements.first(),
        }
    }
}

#[pymethods]
impl Array {
    /// The path by which it was found.
    ///
    /// >>> rho = dudley.open("run.bd")["rho"]
    /// >>> rho.path
    /// '/rho'
    #[getter]
    fn path(&self) -> &str {
        &self.path
    }

    /// The last name of its path.
    ///
    /// >>> dudley.open("run.bd")["/mesh/x"].name
    /// 'x'
    #[getter]
    fn name(&self) -> String {
        let parts = parse(&self.path).unwrap_or_default();
        let named = parts.into_iter().rev().find_map(|part| match part {
            Part::Name { text, .. } | Part::Param(text, _) | Part::Field(text) => Some(text),
            Part::Slice(_) => None,
        });
        named.unwrap_or_default()
    }

    /// Elements in each dimension, slowest varying first.
    ///
    /// >>> rho = dudley.open("run.bd")["rho"]
    /// >>> rho.shape
    /// (3, 4)
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.elements.shape().iter())
    }

    /// The type of the elements as numpy has it, in the byte order of the file.
    ///
    /// >>> rho = dudley.open("run.bd")["rho"]
    /// >>> rho.dtype
    /// dtype('float64')
    #[getter]
    fn dtype(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let dtype =
            self.dtype.get_or_try_init(py, || self.elements.dtype(py).map(Bound::unbind))?;
        Ok(dtype.clone_ref(py))
    }

    /// How many dimensions it has.
    ///
    /// >>> rho = dudley.open("run.bd")["rho"]
    /// >>> rho.ndim
    /// 2
    #[getter]
    fn ndim(&self) -> usize {
        self.elements.shape().len()
    }

    /// How many elements it has.
    ///
    /// >>> rho = dudley.open("run.bd")["rho"]
    /// >>> rho.size
    /// 12
    #[getter]
    fn size(&self) -> u64 {
        self.elements.shape().iter().product()
    }

    /// Bytes of all elements in memory.
    ///
    /// >>> rho = dudley.open("run.bd")["rho"]
    /// >>> rho.nbytes
    /// 96
    #[getter]
    fn nbytes(&self, py: Python<'_>) -> PyResult<u64> {
        let each: u64 = self.dtype(py)?.getattr(py, "itemsize")?.extract(py)?;
        Ok(self.size().saturating_mul(each))
    }

    /// Where its first byte is, in bytes from the start of the stream, or None if it has no place of its own.
    ///
    /// >>> f = dudley.open("run.bd")
    /// >>> f["rho"].address == f["rho"].view().ctypes.data - f["rho"].view().base.ctypes.data
    /// True
    #[getter]
    fn address(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        match &self.node {
            Some(node) => Ok(node.place().or_raise(py)?.map(|place| place.address)),
            None => Ok(self
                .elements
                .single()
                .filter(|data| !data.is_decoded())
                .map(|data| data.address())),
        }
    }

    /// How many bytes it takes in the file, or None if it has no place of its own.
    ///
    /// >>> rho = dudley.open("run.bd")["rho"]
    /// >>> rho.stored_nbytes
    /// 96
    #[getter]
    fn stored_nbytes(&self, py: Python<'_>) -> PyResult<Option<u64>> {
        match &self.node {
            Some(node) => Ok(node.place().or_raise(py)?.map(|place| place.stored)),
            None => Ok(None),
        }
    }

    /// How its bytes are encoded: `"zlib"`, or None if they are the elements.
    ///
    /// >>> rho = dudley.open("run.bd")["rho"]
    /// >>> rho.codec is None
    /// True
    #[getter]
    fn codec(&self, py: Python<'_>) -> PyResult<Option<String>> {
        match &self.node {
            Some(node) => Ok(node.place().or_raise(py)?.and_then(|place| place.codec)),
            None => Ok(None),
        }
    }

    /// Its type as Dudley has it: `"<f8"`.
    ///
    /// >>> rho = dudley.open("run.bd")["rho"]
    /// >>> rho.dtype_name
    /// '<f8'
    #[getter]
    fn dtype_name(&self) -> Option<String> {
        self.elements.first().map(|data| data.dtype_name())
    }

    /// A name for each dimension, None where it has none: `("JMAX", "IMAX-")`.
    ///
    /// >>> rho = dudley.open("run.bd")["rho"]
    /// >>> rho.dims
    /// ('y', 'x')
    #[getter]
    fn dims<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        let rank = self.elements.shape().len();
        let mut dims = match &self.node {
            Some(node) => node.dims().or_raise(py)?,
            None => Vec::new(),
        };
        dims.resize(rank, None);
        PyTuple::new(py, dims)
    }

    /// Its unit.
    ///
    /// >>> rho = dudley.open("run.bd")["rho"]
    /// >>> rho.unit
    /// 'g/cc'
    #[getter]
    fn unit(&self) -> Option<String> {
        let node = self.node.as_ref().and_then(Node::unit);
        node.or_else(|| self.first()?.unit().map(str::to_owned))
    }

    /// Its documentation, without the unit.
    ///
    /// >>> rho = dudley.open("run.bd")["rho"]
    /// >>> rho.doc
    /// 'density'
    #[getter]
    fn doc(&self) -> String {
        match (&self.node, self.first()) {
            (Some(node), _) => node.doc().join("\n"),
            (None, Some(data)) => data.doc_without_unit().collect::<Vec<_>>().join("\n"),
            (None, None) => String::new(),
        }
    }

    /// Its attributes.
    ///
    /// >>> rho = dudley.open("run.bd")["rho"]
    /// >>> rho.attrs["source"]
    /// 'run 7'
    #[getter]
    fn attrs<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let attributes = match (&self.node, self.first()) {
            (Some(node), _) => node.attributes(),
            (None, first) => {
                first.map_or(&[][..], Data::attributes).iter().map(Into::into).collect()
            }
        };
        of_attributes(py, &attributes)
    }

    /// What only the format knows of it, by names.
    ///
    /// >>> dudley.write("x.asdf", {"x": np.arange(3)})
    /// >>> dudley.open("x.asdf")["x"].facts["block"]
    /// 0
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let facts = PyDict::new(py);
        if let Some(node) = &self.node {
            let mut found = Vec::new();
            node.facts(&mut found).or_raise(py)?;
            for fact in found {
                facts.set_item(fact.name, of_value(py, &fact.value)?)?;
            }
        }
        Ok(facts)
    }

    /// Whether some of its elements are masked: they have no value.
    ///
    /// >>> rho = dudley.open("run.bd")["rho"]
    /// >>> rho.is_masked
    /// False
    #[getter]
    fn is_masked(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.mask(py)?.is_some())
    }

    /// What a key of numpy picks, as an array of numpy; of a single element that element.
    fn __getitem__<'py>(
        slf: &Bound<'py, Self>,
        key: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, me) = (slf.py(), slf.get());
        if let Ok(field) = key.cast::<PyString>() {
            return me.field(py, field.to_str()?)?.into_pyobject(py).map(Bound::into_any);
        }
        if !me.elements.has_slices() {
            return me.read(py, None, None)?.get_item(key);
        }
        let Some(indices) = of_key(key, &me.elements.shape())? else {
            return helper(py)?.getattr("fancy")?.call1((slf, key));
        };
        let picked = if indices.is_empty() { None } else { Some(me.elements.slice(py, &indices)?) };
        let mut array = picked.as_ref().unwrap_or(&me.elements).read(py)?;
        if let Some(mask) = me.mask(py)? {
            array = helper(py)?.getattr("masked")?.call1((array, mask.get_item(key)?))?;
        }
        // As numpy does: no dimensions are left, so it is an element.
        if picked.as_ref().unwrap_or(&me.elements).shape().is_empty() {
            return array.get_item(PyTuple::empty(py));
        }
        Ok(array)
    }

    /// All elements in a new array of numpy, in the byte order of the machine. With `out`, into that array, which must be of
    /// the same shape; with `dtype`, converted to that type as numpy's `astype` does.
    ///
    /// >>> rho = dudley.open("run.bd")["rho"]
    /// >>> rho.read(dtype="f4")[0]
    /// array([0., 1., 2., 3.], dtype=float32)
    /// >>> out = np.empty((3, 4))
    /// >>> rho.read(out=out) is out
    /// True
    #[pyo3(signature = (out = None, dtype = None))]
    fn read<'py>(
        &self,
        py: Python<'py>,
        out: Option<Bound<'py, PyAny>>,
        dtype: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let helper = helper(py)?;
        if let Some(out) = &out {
            let native = helper.getattr("native")?.call1((self.elements.dtype(py)?,))?;
            let shape = PyTuple::new(py, self.elements.shape().iter())?;
            let direct: bool =
                helper.getattr("check_out")?.call1((out, shape, &native))?.extract()?;
            if direct && self.mask(py)?.is_none() && self.elements.has_bytes() {
                self.elements.read_into(py, out)?;
                return Ok(out.clone());
            }
        }
        let mut array = self.elements.read(py)?;
        if let Some(mask) = self.mask(py)? {
            array = helper.getattr("masked")?.call1((array, mask))?;
        }
        if let Some(dtype) = dtype {
            array = array.call_method1("astype", (dtype,))?;
        }
        match out {
            Some(out) => {
                helper.getattr("fill")?.call1((&out, array, &self.path))?;
                Ok(out)
            }
            None => Ok(array),
        }
    }

    /// The elements where they are in the file, without a copy: a read-only array of numpy, of any byte order and strides.
    ///
    /// Raises a `BadValue` if the elements are encoded, stacked of several items, masked, or of a type that needs a copy;
    /// and if the file was opened with `mmap=False`.
    ///
    /// >>> rho = dudley.open("run.bd")["rho"]
    /// >>> rho.view()[:, 1]
    /// array([1., 5., 9.])
    /// >>> rho.view().flags.writeable
    /// False
    fn view<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let found = if self.mask(py)?.is_some() { None } else { self.elements.view(py)? };
        found.ok_or_else(|| {
            let message =
                format!("`{}` cannot be looked at in place: `read()` makes a copy", self.path);
            new(py, "BadValue", &message)
        })
    }

    /// The characters of texts in which a dimension that has a name counts them, or which have one each: as files of
    /// netCDF have texts. None of other arrays.
    #[pyo3(name = "_characters")]
    fn characters(&self, py: Python<'_>) -> PyResult<Option<Array>> {
        let (Some(node), Some(data)) = (&self.node, self.elements.single()) else {
            return Ok(None);
        };
        let own = data.dtype().primitive().map(|(own, _)| own);
        if !matches!(own, Some(Primitive::S1 | Primitive::Utf8)) {
            return Ok(None);
        }
        let mut dims = node.dims().or_raise(py)?;
        dims.resize(data.shape().len(), None);
        let data = match dims.last() {
            None | Some(Some(_)) => data.clone(),
            _ if data.shape().ends_with(&[1]) => {
                data.slice(&[Index::Ellipsis, Index::At(0)]).or_raise(py)?
            }
            _ => return Ok(None),
        };
        let picked = Array::picked(&self.dataset, &self.path, data.into());
        let elements = picked.elements.characters();
        Ok(Some(Array { node: self.node.clone(), elements, ..picked }))
    }

    /// The array in its shape in netCDF-4, with fill values behind the stored elements. None of an array that is stored
    /// whole.
    #[pyo3(name = "_in_netcdf")]
    fn in_netcdf(&self, py: Python<'_>) -> PyResult<Option<Array>> {
        let (Some(node), Some(data)) = (&self.node, self.elements.single()) else {
            return Ok(None);
        };
        let Some(data) = data.in_netcdf().or_raise(py)? else { return Ok(None) };
        let picked = Array::picked(&self.dataset, &self.path, data.into());
        Ok(Some(Array { node: Some(node.clone()), ..picked }))
    }

    /// All of it as a value of Python: numbers, texts, lists, dicts; None for masked elements.
    ///
    /// >>> dudley.open("run.bd")["/mesh/x[:2]"].value()
    /// [0.0, 1.0]
    fn value(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        if self.mask(py)?.is_none() {
            return self.elements.value(py);
        }
        let value = py.detach(|| self.dataset.select_with(&self.path, Masked::Null)?.value());
        of_value(py, &value.or_raise(py)?)
    }

    /// Physical values instead of stored ones, as `scale_factor`, `add_offset`, `_FillValue` and their like say:
    /// integers as floats, or as wider integers where that is exact; masked elements are not a number.
    ///
    /// >>> dudley.write("scaled.bd", {"t": np.int16([0, 50])}, attrs={"/t": {"scale_factor": 0.5, "add_offset": -10.0}})
    /// >>> dudley.open("scaled.bd")["t"].scaled()
    /// array([-10.,  15.])
    fn scaled<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let scaled = py.detach(|| self.dataset.select(&self.path)?.scaled()).or_raise(py)?;
        Elements::of(scaled).read(py)
    }

    /// A row for each element as a DataFrame of pandas: of structs a column for each field.
    ///
    /// >>> dudley.open("run.bd")["/mesh/x[:2]"].to_pandas()
    ///      x
    /// 0  0.0
    /// 1  1.0
    fn to_pandas<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.py().import("dudley._pandas")?.getattr("frame")?.call1((slf,))
    }

    fn __len__(&self) -> PyResult<usize> {
        match self.elements.shape().first() {
            Some(length) => Ok(*length as usize),
            None => Err(pyo3::exceptions::PyTypeError::new_err(format!(
                "`{}` has no dimensions, and no length",
                self.path
            ))),
        }
    }

    fn __iter__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        slf.call_method0("read")?.call_method0("__iter__")
    }

    /// All elements as an array of numpy: in place where that needs no copy.
    #[pyo3(signature = (dtype = None, copy = None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let view = match copy {
            Some(true) => None,
            _ if self.mask(py)?.is_some() => None,
            _ => self.elements.view(py)?,
        };
        let array = match view {
            Some(array) => array,
            None if copy == Some(false) => {
                return Err(pyo3::exceptions::PyValueError::new_err(format!(
                    "`{}` needs a copy",
                    self.path
                )));
            }
            None => self.read(py, None, None)?,
        };
        match dtype {
            Some(dtype) => array.call_method("astype", (dtype,), None),
            None => Ok(array),
        }
    }

    /// All elements for another library of arrays, as `numpy.from_dlpack` and `torch.from_dlpack` take them: in place where
    /// that library knows of read-only memory.
    #[pyo3(signature = (*, stream = None, max_version = None, dl_device = None, copy = None))]
    fn __dlpack__<'py>(
        slf: &Bound<'py, Self>,
        stream: Option<Bound<'py, PyAny>>,
        max_version: Option<(u32, u32)>,
        dl_device: Option<(i32, i32)>,
        copy: Option<bool>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let options = PyDict::new(py);
        options.set_item("stream", stream)?;
        options.set_item("dl_device", dl_device)?;
        helper(py)?.getattr("dlpack")?.call1((slf, copy, max_version, options))
    }

    /// That DLPack finds the elements in the memory of the processor.
    fn __dlpack_device__(&self) -> (i32, i32) {
        (1, 0)
    }

    fn __float__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.single(py, "__float__")
    }

    fn __int__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.single(py, "__int__")
    }

    fn __bool__<'py>(&self, py: Python<'py>) -> PyResult<bool> {
        self.single(py, "__bool__")?.extract()
    }

    fn __str__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let is_text = matches!(&self.elements, Elements::Array { shape, .. } if shape.is_empty())
            && self.elements.is_text();
        if is_text {
            return self.read(py, None, None)?.call_method0("item");
        }
        Ok(self.__repr__(py)?.into_pyobject(py)?.into_any())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let shape = self.shape(py)?.repr()?;
        let unit = self.unit().map_or_else(String::new, |unit| format!(", unit {unit:?}"));
        let dtype = self.dtype_name().unwrap_or_else(|| "value".to_owned());
        Ok(format!("<Array {:?}: {dtype}, shape {shape}{unit}>", self.path))
    }
}

impl Array {
    /// The field of an array of structs.
    fn field(&self, py: Python<'_>, name: &str) -> PyResult<Array> {
        let Some(data) = self.elements.single() else {
            return Err(new(py, "NotFound", &format!("`{}` has no fields", self.path)));
        };
        let data = py.detach(|| data.field(name)).or_raise(py)?;
        let mut path = format!("{}.", self.path);
        push_name(&mut path, name);
        Ok(Array::picked(&self.dataset, &path, data.into()))
    }

    fn single<'py>(&self, py: Python<'py>, method: &str) -> PyResult<Bound<'py, PyAny>> {
        self.read(py, None, None)?.call_method0(method)
    }
}
