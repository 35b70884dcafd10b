//! How fast 512 MiB of doubles go through other libraries: read, looked at and written, next to ours.

use std::hint::black_box;
use std::path::Path;

use dudley::Data;
use dudley::elements::HOST;
use dudley::ndarray::ArrayView1;
use dudley::typed::Create;

use crate::Outcome;
use crate::process::Process;
use crate::report::{Report, Target};
use crate::scale::{self, COUNT, large};
use crate::timing::{compare, seconds};

/// What is done, what a peer does for it, and how the peer is called.
const INTO: [(&str, &str); 2] = [("into numpy", "numpy's `readinto`"), ("into h5py", "h5py")];
const NEW: [(&str, &str); 5] = [
    ("new numpy", "numpy's `fromfile`"),
    ("new h5py", "h5py"),
    ("new netcdf3", "netCDF4, of netCDF-3"),
    ("new netcdf4", "netCDF4, of netCDF-4"),
    ("new zarr", "zarr, of 64 chunks"),
];
const WRITE: [(&str, &str); 5] = [
    ("write numpy", "numpy's `tofile`"),
    ("write h5py", "h5py"),
    ("write netcdf3", "netCDF4, to netCDF-3"),
    ("write netcdf4", "netCDF4, to netCDF-4"),
    ("write zarr", "zarr, to 64 chunks"),
];

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let folder = scale::folder()?;
    let path = folder.path().join("ours");
    let mut peer =
        Process::start("whole.py", [folder.path().as_os_str(), COUNT.to_string().as_ref()])?;
    write(report, &path, &mut peer)?;
    read(report, &path, &mut peer)
}

fn write(report: &mut Report, path: &Path, peer: &mut Process) -> Outcome<()> {
    let elements: Vec<f64> = (0..COUNT).map(|at| at as f64).collect();
    let ours = || {
        let _ = std::fs::remove_file(path);
        seconds(|| {
            let create = Create::new().raw().order(HOST);
            let writer = create.file::<large::Layout>(path, &large::Params::default())?;
            writer.x().write(&ArrayView1::from(black_box(&elements[..])))?;
            Ok(writer.finish()?)
        })
    };
    for (word, name) in WRITE {
        let found = compare(ours, || peer.ask(word))?;
        let what = format!("512 MiB of f8 to a new file, to {name}");
        report.add(&what, found.ratio, "times as fast", Target::None)?;
    }
    Ok(())
}

fn read(report: &mut Report, path: &Path, peer: &mut Process) -> Outcome<()> {
    let buffer = scale::buffer();
    let into = || {
        let mut buffer = buffer.borrow_mut();
        seconds(|| Ok(open(path, false)?.read_into(black_box(scale::at(&mut buffer, 0)))?))
    };
    for (word, name) in INTO {
        let found = compare(into, || peer.ask(word))?;
        let what = format!("512 MiB of f8 from a file into a used buffer, to {name}");
        report.add(&what, found.ratio, "times as fast", Target::None)?;
    }
    let new = || {
        // Memory is given back outside of what is measured, as that of peers.
        let mut array = None;
        seconds(|| {
            array = Some(black_box(open(path, false)?.read::<f64>()?));
            Ok(())
        })
    };
    for (word, name) in NEW {
        let found = compare(new, || peer.ask(word))?;
        let what = format!("512 MiB of f8 from a file into a new array, to {name}");
        report.add(&what, found.ratio, "times as fast", Target::None)?;
    }
    let sum = || {
        seconds(|| {
            black_box(open(path, true)?.view::<f64>()?.sum());
            Ok(())
        })
    };
    let found = compare(sum, || peer.ask("sum numpy"))?;
    let what = "512 MiB of f8 mapped and summed, to numpy's `memmap`";
    report.add(what, found.ratio, "times as fast", Target::None)
}

/// The array, found anew, on one thread.
fn open(path: &Path, mapped: bool) -> Outcome<Data> {
    scale::data(path, HOST, mapped, 1)
}
