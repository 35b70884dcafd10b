//! How fast HDF5 files are read in place, beside h5py.

use std::cell::RefCell;
use std::hint::black_box;
use std::os::unix::fs::FileExt;
use std::path::Path;

use dudley::model::Dataset;
use dudley::{Open, Work};

use crate::Outcome;
use crate::formats::formats;
use crate::process::Process;
use crate::report::{Report, Target};
use crate::timing::{compare, compare_few, least, seconds};

/// Files that are read one after the other.
const FILES: usize = 2_000;

/// How often all arrays are listed: h5py takes many seconds each time.
const LISTED: usize = 3;

/// What indices the files of each version of the library have.
const VERSIONS: [&str; 2] = ["latest", "earliest"];

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let peer = RefCell::new(Process::start("hdf5.py", [folder.path()])?);
    // The files are there.
    peer.borrow_mut().hear()?;
    let ask = |word: &str| peer.borrow_mut().ask(word);
    let file = |name: &str| folder.path().join(name);
    for version in VERSIONS {
        many(report, version, &file(&format!("many-{version}.h5")), &ask)?;
        let path = file(&format!("chunks-{version}.h5"));
        let taken = least(|| value(&path, "/x[777777, 2]", 777_777.25))?;
        let what = format!("HDF5: an element of 1,000,000 chunks, opened anew ({version})");
        report.add(&what, taken * 1e3, "ms", Target::AtMost(20.0))?;
    }
    let files = || {
        seconds(|| {
            (0..FILES).try_for_each(|number| {
                value(&file(&format!("{number}.h5")), "/rho[7]", number as f64 + 7.0)
            })
        })
    };
    let found = compare(files, || ask("files"))?;
    let what = "HDF5: a value of each of 2,000 files, to h5py";
    report.add(what, found.ratio, "times as fast", Target::AtLeast(20.0))?;
    large(report, &file("large.h5"))?;
    for (threads, least) in [(1, 1.8), (2, 3.0)] {
        let ours = || array(&file("deflated.h5"), "/v", threads);
        let found = compare(ours, || ask("deflated"))?;
        let what = format!("HDF5: 125 MiB, shuffled and deflated, to h5py, threads: {threads}");
        report.add(&what, found.ratio, "times as fast", Target::AtLeast(least))?;
    }
    for threads in [1, 2] {
        let ours = || array(&file("deflated.h5"), "/plain[:, :, 160]", threads);
        let found = compare(ours, || ask("plane"))?;
        let what = format!("HDF5: a plane across 800 chunks, to h5py, threads: {threads}");
        report.add(&what, found.ratio, "times as fast", Target::AtLeast(2.0))?;
    }
    Ok(())
}

fn many(
    report: &mut Report,
    version: &str,
    file: &Path,
    ask: &dyn Fn(&str) -> Outcome<f64>,
) -> Outcome<()> {
    let ours = || seconds(|| value(file, "/g/d077777", 77_777.0));
    let found = compare(ours, || ask(&format!("one-{version}")))?;
    let what = format!("HDF5: one of 100,000 arrays, opened anew, to h5py ({version})");
    report.add(&what, found.ratio, "times as fast", Target::AtLeast(5.0))?;
    let ours = || {
        seconds(|| {
            let mut names = 0;
            for node in open(file, 1)?.get("/g")?.children()? {
                let node = node?;
                black_box((node.dtype_name()?, node.shape()?, node.path()));
                names += 1;
            }
            if names == 100_000 { Ok(()) } else { Err(format!("{names} arrays").into()) }
        })
    };
    let found = compare_few(LISTED, ours, || ask(&format!("ls-{version}")))?;
    let what = format!("HDF5: 100,000 arrays listed, to h5py ({version})");
    report.add(&what, found.ratio, "times as fast", Target::AtLeast(10.0))
}

fn large(report: &mut Report, file: &Path) -> Outcome<()> {
    let plain = || {
        let mut bytes = Vec::new();
        seconds(|| {
            let file = std::fs::File::open(file)?;
            let length = file.metadata()?.len() as usize;
            bytes = vec![0_u8; length];
            file.read_exact_at(&mut bytes, 0)?;
            black_box(&bytes);
            Ok(())
        })
    };
    let mut read: Option<dudley::ndarray::ArrayD<f64>> = None;
    let ours = || {
        // Memory is given back outside of what is measured, as that of peers.
        drop(read.take());
        seconds(|| {
            read = Some(black_box(open(file, 1)?.select("/v")?.read::<f64>()?));
            Ok(())
        })
    };
    let found = compare(plain, ours)?;
    let what = "HDF5: 512 MiB into memory, to a plain pread";
    report.add(what, found.ratio, "times as long", Target::AtMost(1.0))
}

fn open(file: &Path, threads: usize) -> Outcome<Dataset> {
    Ok(formats().file(file, &Open::new().work(Work::new().threads(threads)))?)
}

/// Reads a value of a file that is opened for it.
fn value(file: &Path, path: &str, expected: f64) -> Outcome<()> {
    let picked = open(file, 1)?.select(path)?;
    let values = picked.read_as::<f64>(dudley::elements::Conversion::Lossless)?;
    match values.first() {
        Some(found) if *found == expected => Ok(()),
        found => Err(format!("{path}: {found:?}, expected {expected}").into()),
    }
}

/// Reads elements of f4 of a file that is opened for that; the seconds it takes.
fn array(file: &Path, path: &str, threads: usize) -> Outcome<f64> {
    let mut read: Option<dudley::ndarray::ArrayD<f32>> = None;
    seconds(|| {
        read = Some(black_box(open(file, threads)?.select(path)?.read::<f32>()?));
        Ok(())
    })
}
