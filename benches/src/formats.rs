//! How fast files of other formats are read in place, beside the libraries of these formats.

use std::hint::black_box;
use std::path::Path;

use dudley::Data;
use dudley::Open;
use dudley::model::Formats;

use crate::Outcome;
use crate::process::Process;
use crate::report::{Report, Target};
use crate::timing::{compare, seconds};

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    fits(report)
}

/// What astropy does, how that is said, and what is read of which file.
const FITS: [(&str, &str, &str, &str); 4] = [
    ("scaled", "256 MiB of scaled i2 as physical values", "scaled.fits", "/PRIMARY"),
    ("unsigned", "256 MiB of u2, which are stored as i2", "unsigned.fits", "/PRIMARY"),
    ("plain", "256 MiB of f4", "plain.fits", "/PRIMARY"),
    ("column", "a column of f8 of a table of 1,000,000 rows of 48 bytes", "table.fits", "/T.x"),
];

fn fits(report: &mut Report) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let mut peer = Process::start("fits.py", [folder.path()])?;
    for (word, what, file, path) in FITS {
        let file = folder.path().join(file);
        let ours = || {
            // Memory is given back outside of what is measured, as that of peers.
            let mut array: Option<Box<dyn std::any::Any>> = None;
            seconds(|| {
                let data = physical(&file, path)?;
                array = Some(match word {
                    "scaled" | "column" => Box::new(black_box(data.read::<f64>()?)),
                    "unsigned" => Box::new(black_box(data.read::<u16>()?)),
                    _ => Box::new(black_box(data.read::<f32>()?)),
                });
                Ok(())
            })
        };
        let found = compare(ours, || peer.ask(word))?;
        let what = format!("FITS: {what}, to astropy");
        report.add(&what, found.ratio, "times as fast", Target::AtLeast(2.0))?;
    }
    Ok(())
}

/// An array of a file that is opened anew, with its physical values.
fn physical(file: &Path, path: &str) -> Outcome<Data> {
    let formats = Formats::builtin().with(dudley_formats::formats());
    let selected = formats.file(file, &Open::new())?.select(path)?.scaled()?;
    Ok(selected.data().ok_or("no array")?.clone())
}
