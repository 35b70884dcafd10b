//! The commands of `dudc`.

use std::ffi::OsString;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// Does what a command line asks for, as a program does; the exit status.
#[pyfunction]
pub(crate) fn main(py: Python<'_>, words: Vec<OsString>) -> u8 {
    py.detach(|| dudc::main(words))
}

/// Does what a command line asks for: the exit status, the result, and what else was said, a line each.
#[pyfunction]
pub(crate) fn command(
    py: Python<'_>,
    words: Vec<OsString>,
) -> PyResult<(u8, Bound<'_, PyBytes>, String)> {
    let kept = py.detach(|| dudc::kept(words))?;
    let messages = String::from_utf8_lossy(&kept.messages).into_owned();
    Ok((kept.status, PyBytes::new(py, &kept.out), messages))
}
