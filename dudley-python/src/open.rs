//! Opening files of any format.

use std::ffi::CString;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};

use dudley::filter::Registry;
use dudley::model::{Dataset, Streamed};
use dudley::{ByteOrder, Open, Work};
use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::error::{OrRaise, is_interrupted, new, raised};
use crate::file::File;
use crate::remote::Remote;

/// All filters: made once, as a program may open thousands of files.
static FILTERS: LazyLock<Registry> = LazyLock::new(dudley_formats::registry);

/// Opens a file of any format, or bytes.
///
/// `file` is a path, a folder of `.npy` files, `bytes`, an address that `fsspec` knows (`https://host/run.bd`), or an object
/// with `read` and `seek`, of which only those ranges are read that are asked for and which must stay open. `layout` is the text of a layout, or the
/// path of one (`*.dud`), for a stream that carries none. `raw` takes it for a stream without a signature; `order` is
/// `"<"` or `">"`; `params` are values of params that the stream does not hold; `base` is where the stream begins in the
/// file, in bytes. With `mmap`, views look at the file itself, which must not be cut off meanwhile. `threads` is how many
/// threads read large arrays.
///
/// >>> dudley.open("run.bd")["rho"][2, 3]
/// np.float64(11.0)
/// >>> dudley.open(bytes(range(8)), layout="x = u1[2, 4]", raw=True)["x"][1]
/// array([4, 5, 6, 7], dtype=uint8)
#[pyfunction]
#[pyo3(signature = (file, *, layout = None, raw = false, order = None, params = None, base = 0, mmap = true, threads = None))]
#[expect(clippy::too_many_arguments, reason = "as Python passes them")]
pub(crate) fn open(
    py: Python<'_>,
    file: Bound<'_, PyAny>,
    layout: Option<Bound<'_, PyAny>>,
    raw: bool,
    order: Option<&str>,
    params: Option<Bound<'_, PyDict>>,
    base: u64,
    mmap: bool,
    threads: Option<usize>,
) -> PyResult<Py<File>> {
    let mut how = Open::new().base(base).filters(FILTERS.clone());
    let mut work = Work::new().watch(Arc::new(|_| match is_interrupted() {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }));
    if let Some(threads) = threads {
        work = work.threads(threads);
    }
    how = how.work(work);
    if let Some(layout) = &layout {
        let text: String =
            py.import("dudley._numpy")?.getattr("layout_text")?.call1((layout,))?.extract()?;
        how = how.layout_text(&text).map_err(|error| raised(py, &error))?;
    }
    if raw {
        how = how.raw();
    }
    if let Some(order) = order {
        how = how.order(order_of(py, order)?);
    }
    if let Some(params) = &params {
        for (name, value) in params.iter() {
            how = how.param(name.extract::<String>()?, value.extract::<i128>()?);
        }
    }
    if let Ok(bytes) = file.cast::<PyBytes>() {
        let bytes = bytes.as_bytes().to_vec();
        let dataset =
            py.detach(|| dudley_formats::all().source("bytes", bytes, &how)).or_raise(py)?;
        warn_if_cut(py, &dataset)?;
        return File::of(py, dataset, None);
    }
    let options = PyDict::new(py);
    options.set_item("layout", layout)?;
    options.set_item("raw", raw)?;
    options.set_item("order", order)?;
    options.set_item("params", params)?;
    options.set_item("base", base)?;
    options.set_item("mmap", mmap)?;
    options.set_item("threads", threads)?;
    let arguments = (&file, options).into_pyobject(py)?.into_any().unbind();
    let dataset = if let Some(dataset) = of_store(py, &file, &how)? {
        dataset
    } else if let Some(object) = object(py, &file)? {
        of_object(py, &object, &how)?
    } else {
        let path: PathBuf = file.extract()?;
        py.detach(|| at_path(&path, &how, mmap)).or_raise(py)?
    };
    warn_if_cut(py, &dataset)?;
    File::of(py, dataset, Some(arguments))
}

/// Warns of a stream whose layout may be cut off, so that items may be missing, or shorter than they were written.
fn warn_if_cut(py: Python<'_>, dataset: &Dataset) -> PyResult<()> {
    match dataset.content::<Streamed>().and_then(Streamed::unterminated) {
        Some(unterminated) => {
            let text =
                CString::new(format!("{}: {unterminated}", dataset.name()).replace('\0', " "))?;
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &text, 1)
        }
        None => Ok(()),
    }
}

/// A byte order as Python has it.
pub(crate) fn order_of(py: Python<'_>, order: &str) -> PyResult<ByteOrder> {
    match order {
        "<" | "little" => Ok(ByteOrder::Little),
        ">" | "big" => Ok(ByteOrder::Big),
        other => {
            let message = format!("`{other}` is no byte order: it is `<` or `>`");
            Err(new(py, "BadValue", &message))
        }
    }
}

/// What the engine reads of an address itself, without Python; none of others.
#[cfg(feature = "store")]
fn of_store(py: Python<'_>, file: &Bound<'_, PyAny>, how: &Open) -> PyResult<Option<Dataset>> {
    let Ok(address) = file.extract::<String>() else { return Ok(None) };
    if !dudley::bytes::StoreSource::is_address(&address) {
        return Ok(None);
    }
    let open = || {
        let source = dudley::bytes::StoreSource::open(&address)?;
        dudley_formats::all().source(address, source, how)
    };
    py.detach(open).or_raise(py).map(Some)
}

/// Nothing: this build has no stores.
#[cfg(not(feature = "store"))]
fn of_store(_: Python<'_>, _: &Bound<'_, PyAny>, _: &Open) -> PyResult<Option<Dataset>> {
    Ok(None)
}

/// The object of Python that a file is read through; none of a path.
fn object<'py>(py: Python<'py>, file: &Bound<'py, PyAny>) -> PyResult<Option<Bound<'py, PyAny>>> {
    if !file.is_instance_of::<PyString>() && file.hasattr("read")? {
        return Ok(Some(file.clone()));
    }
    if !file.str()?.to_string_lossy().contains("://") {
        return Ok(None);
    }
    let remote = py.import("dudley._remote")?;
    match remote.getattr("is_address")?.call1((file,))?.is_truthy()? {
        true => Ok(Some(remote.getattr("of_address")?.call1((file,))?)),
        false => Ok(None),
    }
}

/// What an object of Python reads: ranges where it can, else all.
fn of_object(py: Python<'_>, file: &Bound<'_, PyAny>, how: &Open) -> PyResult<Dataset> {
    let remote = py.import("dudley._remote")?;
    let name: String = remote.getattr("name_of")?.call1((file,))?.extract()?;
    let ranges = remote.getattr("ranges")?.call1((file,))?;
    if ranges.is_none() {
        let bytes: Vec<u8> = file.call_method0("read")?.extract()?;
        return py.detach(|| dudley_formats::all().source(name, bytes, how)).or_raise(py);
    }
    let source = Remote::new(ranges)?;
    py.detach(|| dudley_formats::all().source(name, source, how)).or_raise(py)
}

fn at_path(path: &Path, how: &Open, mmap: bool) -> dudley::Result<Dataset> {
    let formats = dudley_formats::all();
    if !mmap {
        return formats.file(path, how);
    }
    // SAFETY: that nobody cuts the file off while there are views of it is what the documentation of `open` asks of the
    // program; `mmap=False` is there for files that change.
    unsafe { formats.mapped_file(path, how) }
}
