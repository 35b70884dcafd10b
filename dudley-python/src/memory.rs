//! Bytes of files as memory of Python, and arrays of numpy as memory to read into and to write from.

use dudley::Stream;
use dudley::bytes::{Source, check, slice};
use numpy::npyffi::{PY_ARRAY_API, npy_intp};
use numpy::{PyArrayDescr, PyArrayDescrMethods, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::ffi::c_int;

use crate::error::OrRaise;

/// All bytes of a stream, for as long as anything looks at them. They cannot be written.
#[pyclass(frozen, module = "dudley._native")]
pub(crate) struct Memory {
    stream: Stream,
}

impl Memory {
    /// Of a stream that is in memory or can be mapped; none of another one.
    pub(crate) fn of(py: Python<'_>, stream: &Stream) -> PyResult<Option<Memory>> {
        let there = stream.source().load().or_raise(py)?.is_some();
        Ok(there.then(|| Memory { stream: stream.clone() }))
    }
}

#[pymethods]
impl Memory {
    /// The protocol of numpy: the bytes as a read-only array, which keeps this object.
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let bytes = self.stream.source().load().or_raise(py)?.unwrap_or_default();
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("typestr", "|u1")?;
        interface.set_item("shape", PyTuple::new(py, [bytes.len()])?)?;
        let is_read_only = true;
        interface.set_item("data", (bytes.as_ptr() as usize, is_read_only))?;
        Ok(interface)
    }
}

/// The bytes of an array of numpy without gaps.
struct Held {
    start: usize,
    length: usize,
    /// Keeps them.
    _array: Py<PyUntypedArray>,
}

impl Held {
    /// Of an array without gaps, slowest varying dimension first.
    fn of(array: &Bound<'_, PyAny>) -> PyResult<Held> {
        let array = array.cast::<PyUntypedArray>()?;
        if !array.is_c_contiguous() {
            return Err(PyValueError::new_err("an array with gaps has no bytes in a row"));
        }
        // SAFETY: the object is an array of numpy.
        let start = unsafe { (*array.as_array_ptr()).fields.data } as usize;
        let length = array.len() * array.dtype().itemsize();
        Ok(Held { start, length, _array: array.clone().unbind() })
    }

    fn bytes(&self) -> &[u8] {
        match self.length {
            0 => &[],
            // SAFETY: this many bytes without gaps, says numpy, which stay there as long as the array is held. What other
            // threads of the program do with the array meanwhile is for it to say, as for all functions that are given
            // arrays of numpy.
            length => unsafe { std::slice::from_raw_parts(self.start as *const u8, length) },
        }
    }
}

/// Memory of an array of numpy that something is read into.
pub(crate) struct Room(Held);

impl Room {
    /// Of a new array of a shape and a type of numpy, as `numpy.empty` makes it: without a call of Python, which takes a fifth
    /// of the time of a small slice.
    pub(crate) fn empty<'py>(
        dtype: Bound<'py, PyArrayDescr>,
        shape: &[u64],
    ) -> PyResult<Bound<'py, PyAny>> {
        let py = dtype.py();
        let dims: Result<Vec<_>, _> = shape.iter().map(|dim| npy_intp::try_from(*dim)).collect();
        let (mut dims, rank) = (dims?, c_int::try_from(shape.len())?);
        let dtype = dtype.into_dtype_ptr();
        // SAFETY: there are as many dimensions as said, none below 0, and numpy owns the reference to the type from now on. It
        // returns an array, or nothing and sets an error.
        unsafe {
            let array = PY_ARRAY_API.PyArray_Empty(py, rank, dims.as_mut_ptr(), dtype, 0);
            Bound::from_owned_ptr_or_err(py, array)
        }
    }

    /// Of an array as [`Held::of`] takes it, which can be written.
    pub(crate) fn of(bytes: &Bound<'_, PyAny>) -> PyResult<Room> {
        Held::of(bytes).map(Room)
    }

    /// The bytes.
    pub(crate) fn bytes(&mut self) -> &mut [u8] {
        match self.0.length {
            0 => &mut [],
            // SAFETY: as for `Held::bytes`; `_numpy.py` gives arrays that can be written, which it made or was asked to
            // fill.
            length => unsafe { std::slice::from_raw_parts_mut(self.0.start as *mut u8, length) },
        }
    }
}

/// The bytes of an array of Python, behind a header: a file of numpy that is nowhere.
pub(crate) struct Glued {
    header: Vec<u8>,
    rest: Held,
}

impl Glued {
    /// A header, and an array as [`Held::of`] takes it.
    pub(crate) fn new(header: Vec<u8>, bytes: &Bound<'_, PyAny>) -> PyResult<Glued> {
        Ok(Glued { header, rest: Held::of(bytes)? })
    }
}

impl Source for Glued {
    fn len(&self) -> u64 {
        (self.header.len() + self.rest.length) as u64
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> dudley::Result<()> {
        check(self.len(), address, buf.len() as u64)?;
        let front = (self.header.len() as u64).saturating_sub(address).min(buf.len() as u64);
        let (head, tail) = buf.split_at_mut(front as usize);
        head.copy_from_slice(slice(&self.header, address, front)?);
        let at = address.saturating_sub(self.header.len() as u64);
        tail.copy_from_slice(slice(self.rest.bytes(), at, tail.len() as u64)?);
        Ok(())
    }
}
