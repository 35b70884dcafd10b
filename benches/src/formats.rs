//! How fast files of other formats are read in place, beside the libraries of these formats.

use std::cell::RefCell;
use std::hint::black_box;
use std::path::Path;
use std::sync::LazyLock;

use dudley::elements::Conversion;
use dudley::model::Formats;
use dudley::{Data, Open, Work, Writer, parse_layout};
use dudley_formats::hdf5::face::Face;

use crate::Outcome;
use crate::process::Process;
use crate::report::{Report, Target};
use crate::timing::{compare, least, seconds};

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    netcdf3(report)?;
    fits(report)?;
    face(report)
}

/// An HDF5 face of a stream of 10,000 items.
fn face(report: &mut Report) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("many.bd");
    let items = (1..10_000).map(|at| format!("a{at} = f8  ## (m) item {at}\n"));
    let layout = parse_layout(format!("a0 = f8 @560\n{}", items.collect::<String>()).as_bytes())?;
    let values = (0..10_000).map(|at| (format!("/a{at}"), f64::from(at)));
    let writer = values.fold(Writer::new(layout), |writer, (path, value)| writer.put(path, value));
    writer.attach(true).write_file(&path, false)?;
    let stream = Open::new().file(&path)?;
    let made = least(|| {
        black_box(Face::of(&stream, stream.data_end()?)?);
        Ok(())
    })?;
    let what = "HDF5: the face of a stream of 10,000 items";
    report.add(what, made * 1e3, "ms", Target::AtMost(50.0))?;
    let face = Face::of(&stream, stream.data_end()?)?;
    let mut bytes = std::fs::read(&path)?;
    bytes.resize(face.headers_at as usize, 0);
    bytes[face.superblock_at as usize..][..face.superblock.len()].copy_from_slice(&face.superblock);
    bytes.extend(&face.headers);
    let path = folder.path().join("face.bd");
    std::fs::write(&path, bytes)?;
    let peer = RefCell::new(Process::start("hdf5_face.py", [&path])?);
    let ask = |word: &str| peer.borrow_mut().ask(word);
    let found = compare(|| ask("own"), || ask("face"))?;
    let what = "HDF5: one of 10,000 of a face by h5py, to a file of its own";
    report.add(what, found.ratio, "", Target::AtMost(1.5))?;
    Ok(())
}

/// Files that are read one after the other.
const FILES: usize = 2_000;

/// The formats of files, which a program makes once.
pub(crate) fn formats() -> &'static Formats {
    static FORMATS: LazyLock<Formats> =
        LazyLock::new(|| Formats::builtin().with(dudley_formats::formats()));
    &FORMATS
}

fn netcdf3(report: &mut Report) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let mut peer = Process::start("netcdf3.py", [folder.path()])?;
    // The files are there.
    peer.hear()?;
    let path = |name: &str| folder.path().join(name);
    let value = |file: &Path, path: &str| -> Outcome<f64> {
        let picked = formats().file(file, &Open::new())?.select(path)?.read::<f64>()?;
        Ok(black_box(picked.sum()))
    };
    let many = || seconds(|| value(&path("many.nc"), "/v5000[0]").map(drop));
    let found = compare(many, || peer.ask("many"))?;
    let what = "netCDF-3: a file of 10,000 variables opened, and a value of one read, to netCDF4";
    report.add(what, found.ratio, "times as fast", Target::AtLeast(10.0))?;

    let files = || {
        seconds(|| {
            (0..FILES)
                .try_for_each(|number| value(&path(&format!("{number}.nc")), "/v25[7]").map(drop))
        })
    };
    let found = compare(files, || peer.ask("files"))?;
    let what = "netCDF-3: a value of each of 2,000 files, to netCDF4";
    report.add(what, found.ratio, "times as fast", Target::AtLeast(30.0))?;

    let large = || {
        let mut array: Option<dudley::ndarray::ArrayD<f64>> = None;
        seconds(|| {
            let selected = formats().file(path("large.nc"), &Open::new())?.select("/v")?;
            array = Some(black_box(selected.read::<f64>()?));
            Ok(())
        })
    };
    let plain = || {
        let mut bytes = Vec::new();
        seconds(|| {
            use std::os::unix::fs::FileExt;
            let file = std::fs::File::open(path("large.nc"))?;
            let length = file.metadata()?.len() as usize;
            bytes = vec![0_u8; length];
            file.read_exact_at(&mut bytes, 0)?;
            black_box(&bytes);
            Ok(())
        })
    };
    let found = compare(plain, large)?;
    report.add(
        "netCDF-3: 512 MiB into memory, to a plain pread",
        found.ratio,
        "times as long",
        Target::AtMost(1.0),
    )?;
    let found = compare(large, || peer.ask("large"))?;
    report.add(
        "netCDF-3: 512 MiB into memory, to netCDF4",
        found.ratio,
        "times as fast",
        Target::None,
    )
}

/// What astropy does, how that is said, and what is read of which file.
const FITS: [(&str, &str, &str, &str); 4] = [
    (
        "scaled",
        "256 MiB of scaled i2 as the f4 that astropy makes of them",
        "scaled.fits",
        "/PRIMARY",
    ),
    ("unsigned", "256 MiB of u2, which are stored as i2", "unsigned.fits", "/PRIMARY"),
    ("plain", "256 MiB of f4", "plain.fits", "/PRIMARY"),
    ("column", "a column of f8 of a table of 1,000,000 rows of 48 bytes", "table.fits", "/T.x"),
];

fn fits(report: &mut Report) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let mut peer = Process::start("fits.py", [folder.path()])?;
    // The files are there.
    peer.hear()?;
    for (word, what, file, path) in FITS {
        let file = folder.path().join(file);
        let ours = || {
            // Memory is given back outside of what is measured, as that of peers.
            let mut array: Option<Box<dyn std::any::Any>> = None;
            seconds(|| {
                let data = physical(&file, path)?;
                array = Some(match word {
                    "scaled" => Box::new(black_box(data.read_as::<f32>(Conversion::Lossy)?)),
                    "column" => Box::new(black_box(data.read::<f64>()?)),
                    "unsigned" => Box::new(black_box(data.read::<u16>()?)),
                    _ => Box::new(black_box(data.read::<f32>()?)),
                });
                Ok(())
            })
        };
        let found = compare(ours, || peer.ask(word))?;
        let what = format!("FITS: {what}, to astropy, threads: 2");
        // What is only copied takes as long as memory does.
        let target = if word == "plain" { Target::None } else { Target::AtLeast(2.0) };
        report.add(&what, found.ratio, "times as fast", target)?;
    }
    Ok(())
}

/// An array of a file that is opened anew, with its physical values.
fn physical(file: &Path, path: &str) -> Outcome<Data> {
    let selected =
        formats().file(file, &Open::new().work(Work::new().threads(2)))?.select(path)?.scaled()?;
    Ok(selected.data().ok_or("no array")?.clone())
}
