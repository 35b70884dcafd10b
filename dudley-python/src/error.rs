//! Errors of the engine as exceptions of Python.

use std::cell::Cell;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use dudley::Error;
use dudley::error::Group;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyTuple};

/// What a signal raised while something was read: it ends the read, which then raises it.
static RAISED: Mutex<Option<PyErr>> = Mutex::new(None);

/// A thread asks Python no more often than this: it looks for signals itself between two reads.
const OFTEN: Duration = Duration::from_millis(10);

/// Whether Python wants the read to end, as Ctrl-C does.
pub(crate) fn is_interrupted() -> bool {
    // Only the main thread hears of signals, so no other one may ask in its place.
    thread_local!(static ASKED: Cell<Option<Instant>> = const { Cell::new(None) });
    if ASKED.get().is_some_and(|asked| asked.elapsed() < OFTEN) {
        return false;
    }
    ASKED.set(Some(Instant::now()));
    match Python::attach(|py| py.check_signals()) {
        Ok(()) => false,
        Err(raised) => {
            interrupted(raised);
            true
        }
    }
}

/// The error that becomes what a signal raised.
pub(crate) fn interrupted(raised: PyErr) -> Error {
    *RAISED.lock().unwrap_or_else(PoisonError::into_inner) = Some(raised);
    Error::Cancelled
}

/// The exception of an error.
pub(crate) fn raised(py: Python<'_>, error: &Error) -> PyErr {
    let cause = error.cause();
    if let Error::Cancelled = cause
        && let Some(raised) = RAISED.lock().unwrap_or_else(PoisonError::into_inner).take()
    {
        return raised;
    }
    let class = match error.group() {
        Group::NotFound => "NotFound",
        Group::BadIndex => "BadIndex",
        Group::BadValue => "BadValue",
        Group::File => "FileError",
        Group::Layout => "LayoutError",
        Group::UnknownFormat => "UnknownFormat",
        Group::Closed => "Closed",
        _ => "DataError",
    };
    let errno = match cause {
        Error::Io { source, .. } => source.raw_os_error(),
        _ => None,
    };
    let mut message = error.to_string();
    if let Error::Layout { text, errors } = cause {
        let style = dudley_parser::render::Style::default();
        message = dudley_parser::render::render(errors, text, "layout", style);
    }
    made(py, class, &message, (error.item(), error.address(), errno)).unwrap_or_else(|error| error)
}

/// An exception of a class of the package.
pub(crate) fn new(py: Python<'_>, class: &str, message: &str) -> PyErr {
    made(py, class, message, (None, None, None)).unwrap_or_else(|error| error)
}

type Said<'e> = (Option<&'e str>, Option<u64>, Option<i32>);

fn made(py: Python<'_>, class: &str, message: &str, said: Said<'_>) -> PyResult<PyErr> {
    static ERRORS: PyOnceLock<Py<PyModule>> = PyOnceLock::new();
    let errors = ERRORS.get_or_try_init(py, || py.import("dudley._errors").map(Bound::unbind))?;
    let (path, address, errno) = said;
    let known = PyDict::new(py);
    known.set_item("path", path)?;
    known.set_item("address", address)?;
    known.set_item("errno", errno)?;
    let arguments = PyTuple::new(py, [message])?;
    let made = errors.bind(py).getattr(class)?.call(arguments, Some(&known))?;
    Ok(PyErr::from_value(made))
}

/// Results of the engine as those of Python.
pub(crate) trait OrRaise<T> {
    /// What there is, or the exception.
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for dudley::Result<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| raised(py, &error))
    }
}
