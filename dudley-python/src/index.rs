//! Keys between brackets, as numpy has them.

use dudley::read::slice::Index;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyEllipsis, PySlice, PyString, PyTuple};

use crate::error::new;

const ALL: Index = Index::Range { start: None, stop: None, step: 1 };

/// The indices of a key, one for each of the dimensions of an array; none of a key that has arrays of indices or masks.
pub(crate) fn of_key(key: &Bound<'_, PyAny>, shape: &[u64]) -> PyResult<Option<Vec<Index>>> {
    let (py, rank) = (key.py(), shape.len());
    let mut found = Vec::with_capacity(rank);
    let mut ellipsis = None;
    let mut add = |key: &Bound<'_, PyAny>| -> PyResult<bool> {
        if key.is_instance_of::<PyEllipsis>() {
            if ellipsis.replace(found.len()).is_some() {
                return Err(new(py, "BadIndex", "a key may have only one `...`"));
            }
        } else if let Ok(slice) = key.cast::<PySlice>() {
            // Behind `...` the dimension is not known yet.
            let length = if ellipsis.is_none() { shape.get(found.len()).copied() } else { None };
            found.push(range(slice, length)?);
        } else if key.is_none() {
            return Err(new(
                py,
                "BadIndex",
                "no new axes: `None` is none of the keys of an array of a file",
            ));
        } else if key.is_instance_of::<PyBool>() {
            return Err(new(
                py,
                "BadIndex",
                "a single boolean is none of the keys of an array of a file",
            ));
        } else if let Ok(at) = key.extract::<i64>() {
            found.push(Index::At(at));
        } else {
            // A list, an array, a mask.
            let Ok(at) = key.call_method0("__index__") else { return Ok(false) };
            found.push(Index::At(
                at.extract().map_err(|_| new(py, "BadIndex", "the index is out of range"))?,
            ));
        }
        Ok(true)
    };
    match key.cast::<PyTuple>() {
        Ok(keys) => {
            for key in keys.iter() {
                if !add(&key)? {
                    return Ok(None);
                }
            }
        }
        Err(_) => {
            if !add(key)? {
                return Ok(None);
            }
        }
    }
    let Some(left) = rank.checked_sub(found.len()) else {
        let dimensions = if rank == 1 { "1 dimension" } else { &*format!("{rank} dimensions") };
        let message = format!("{} indices, but the array has {dimensions}", found.len());
        return Err(new(py, "BadIndex", &message));
    };
    let at = ellipsis.unwrap_or(found.len());
    found.splice(at..at, std::iter::repeat_n(ALL, left));
    Ok(Some(found))
}

fn range(slice: &Bound<'_, PySlice>, length: Option<u64>) -> PyResult<Index> {
    let py = slice.py();
    if let Some(Ok(length)) = length.map(isize::try_from)
        && let Ok(found) = slice.indices(length)
        && found.step > 0
    {
        let [start, stop] = [found.start, found.stop].map(|at| Some(at as i64));
        return Ok(Index::Range { start, stop, step: found.step as i64 });
    }
    let part = |name: &Bound<'_, PyString>| -> PyResult<Option<i64>> {
        let value = slice.getattr(name)?;
        if value.is_none() {
            return Ok(None);
        }
        if let Ok(value) = value.extract() {
            return Ok(Some(value));
        }
        // What is beyond 64 bits is beyond any end.
        let value = value.call_method0("__index__")?;
        let bound = || Ok(if value.lt(0)? { i64::MIN } else { i64::MAX });
        value.extract().or_else(|_| bound()).map(Some)
    };
    let step = part(intern!(py, "step"))?.unwrap_or(1);
    if step == 0 {
        return Err(new(py, "BadIndex", "the step of a slice cannot be 0"));
    }
    Ok(Index::Range { start: part(intern!(py, "start"))?, stop: part(intern!(py, "stop"))?, step })
}
