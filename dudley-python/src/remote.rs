//! Files that Python reads: objects of fsspec, and whatever else has `read` and `seek`.

use std::io;

use dudley::Error;
use dudley::bytes::{Source, check};
use pyo3::exceptions::PyException;
use pyo3::prelude::*;

use crate::error::interrupted;

/// A file that an object of the package reads: `Ranges` in `_remote.py`.
pub(crate) struct Remote {
    ranges: Py<PyAny>,
    length: u64,
}

impl Remote {
    pub(crate) fn new(ranges: Bound<'_, PyAny>) -> PyResult<Remote> {
        let length = ranges.getattr("length")?.extract()?;
        Ok(Remote { ranges: ranges.unbind(), length })
    }
}

fn unread(source: io::Error) -> Error {
    Error::Io { context: "cannot read".to_owned(), source }
}

/// What Python raised, as an error of reading: what is no exception, as Ctrl-C is none, is raised as it is.
fn failed(py: Python<'_>, raised: PyErr) -> Error {
    if raised.is_instance_of::<PyException>(py) {
        unread(io::Error::other(raised.to_string()))
    } else {
        interrupted(raised)
    }
}

impl Source for Remote {
    fn len(&self) -> u64 {
        self.length
    }

    fn read_at(&self, address: u64, buf: &mut [u8]) -> dudley::Result<()> {
        self.read_ranges(&mut [(address, buf)])
    }

    fn read_ranges(&self, ranges: &mut [(u64, &mut [u8])]) -> dudley::Result<()> {
        for (address, buf) in ranges.iter() {
            check(self.length, *address, buf.len() as u64)?;
        }
        Python::attach(|py| {
            let wanted: Vec<(u64, usize)> =
                ranges.iter().map(|(address, buf)| (*address, buf.len())).collect();
            let read = || self.ranges.call_method1(py, "read", (wanted,))?.extract(py);
            let found: Vec<pyo3::pybacked::PyBackedBytes> =
                read().map_err(|raised| failed(py, raised))?;
            if found.len() != ranges.len() {
                return Err(unread(io::ErrorKind::UnexpectedEof.into()));
            }
            for ((_, buf), found) in ranges.iter_mut().zip(&found) {
                if found.len() != buf.len() {
                    return Err(unread(io::ErrorKind::UnexpectedEof.into()));
                }
                buf.copy_from_slice(found);
            }
            Ok(())
        })
    }

    fn batch(&self) -> u64 {
        4 << 20
    }
}
