//! Opening files of any format.

use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use dudley::bytes::FileSource;
use dudley::model::{Candidate, Dataset};
use dudley::{ByteOrder, Open, Work, parse_layout};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::error::{OrRaise, is_interrupted, new, raised};
use crate::file::File;

/// Opens a file of any format, or bytes.
///
/// `file` is a path, a folder of `.npy` files, `bytes`, or an object with `read`. `layout` is the text of a layout, or the
/// path of one (`*.dud`), for a stream that carries none. `raw` takes it for a stream without a signature; `order` is
/// `"<"` or `">"`; `params` are values of params that the stream does not hold; `base` is where the stream begins in the
/// file, in bytes. With `mmap`, views look at the file itself, which must not be cut off meanwhile. `threads` is how many
/// threads read large arrays.
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
    let mut how = Open::new().base(base).filters(dudley_formats::registry());
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
        how = how.layout(parse_layout(text.as_bytes()).map_err(|error| raised(py, &error))?);
    }
    if raw {
        how = how.raw();
    }
    match order {
        None => {}
        Some("<" | "little") => how = how.order(ByteOrder::Little),
        Some(">" | "big") => how = how.order(ByteOrder::Big),
        Some(other) => {
            return Err(new(
                py,
                "BadValue",
                &format!("`{other}` is no byte order: it is `<` or `>`"),
            ));
        }
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
        return File::of(py, dataset, None);
    }
    if file.hasattr("read")? {
        let bytes: Vec<u8> = file.call_method0("read")?.extract()?;
        let name = file.getattr("name").and_then(|name| name.extract::<String>());
        let name = name.unwrap_or_else(|_| "bytes".to_owned());
        let dataset = py.detach(|| dudley_formats::all().source(name, bytes, &how)).or_raise(py)?;
        return File::of(py, dataset, None);
    }
    let path: PathBuf = file.extract()?;
    let dataset = py.detach(|| at_path(&path, &how, base, mmap)).or_raise(py)?;
    let options = PyDict::new(py);
    options.set_item("layout", layout)?;
    options.set_item("raw", raw)?;
    options.set_item("order", order)?;
    options.set_item("params", params)?;
    options.set_item("base", base)?;
    options.set_item("mmap", mmap)?;
    options.set_item("threads", threads)?;
    let arguments = (file, options).into_pyobject(py)?.into_any().unbind();
    File::of(py, dataset, Some(arguments))
}

fn at_path(path: &PathBuf, how: &Open, base: u64, mmap: bool) -> dudley::Result<Dataset> {
    if !mmap || path.is_dir() {
        return dudley_formats::all().file(path, how);
    }
    let open = || {
        let file = FileSource::open(path)?;
        // SAFETY: it is mapped when a view is asked for. That nobody cuts the file off while there are views of it is
        // what the documentation of `open` asks of the program; `mmap=False` is there for files that change.
        let file = unsafe { file.mapped_on_demand() };
        dudley_formats::all().open(&Candidate::of_file(file, base), how)
    };
    open().map_err(|error: dudley::Error| error.of_file(path))
}
