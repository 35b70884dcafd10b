//! How long it takes from a file's name to one of its values.

use std::fs::File;
use std::hint::black_box;
use std::path::PathBuf;
use std::sync::Arc;

use dudley::{Open, Stream, Writer, parse_layout};

use crate::report::{Report, Target};
use crate::{Outcome, layouts, timing};

/// Files of a family.
const FILES: usize = 2000;

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    small(report, folder.path().join("small.bd"))?;
    many_items(report, folder.path().join("many.bd"))?;
    many_files(report, folder.path().join("family"))
}

fn small(report: &mut Report, path: PathBuf) -> Outcome<()> {
    let layout = parse_layout(b"time = f8  rho = f8[100]  ## (g/cc) density\n")?;
    Writer::new(layout)
        .put("/time", 1.5)
        .put("/rho", &[2.0; 100][..])
        .attach(true)
        .write_file(&path, false)?;
    let seconds = timing::least(|| {
        black_box(Stream::open(&path)?.get("/time")?.scalar::<f64>()?);
        Ok(())
    })?;
    report.add("open a file with its layout, read a value", seconds * 1e6, "µs", Target::None)
}

fn many_items(report: &mut Report, path: PathBuf) -> Outcome<()> {
    let text = layouts::of_items(100_000)?;
    // Only its size matters, so it holds zeros: a count of 0 makes the arrays of doubles empty.
    let layout = parse_layout(text.as_bytes())?;
    let file = File::create(&path)?;
    file.set_len(2_000_000)?;
    drop(file);
    let seconds = timing::least(|| {
        let open = Open::new().layout(parse_layout(text.as_bytes())?).raw();
        black_box(open.file(&path)?.get("/item_99998")?.scalar::<f32>()?);
        Ok(())
    })?;
    let what = "from the text of a layout of 100,000 items to a value";
    report.add(what, seconds * 1e3, "ms", Target::None)?;

    let layout = Arc::new(layout);
    let seconds = timing::least(|| {
        let open = Open::new().layout(Arc::clone(&layout)).raw();
        black_box(open.file(&path)?.get("/item_99998")?.scalar::<f32>()?);
        Ok(())
    })?;
    report.add("the same with the layout checked before", seconds * 1e3, "ms", Target::None)
}

/// One value of each of many files of one layout, next to a read at an address that is known.
fn many_files(report: &mut Report, folder: PathBuf) -> Outcome<()> {
    std::fs::create_dir(&folder)?;
    let mut text = String::from("{\n  time = f8\n  N : i8\n}\n");
    (0..50).for_each(|item| text += &format!("x{item} = f8[N]\n"));
    let layout = Arc::new(parse_layout(text.as_bytes())?);
    let mut bytes = Vec::from(1.5_f64.to_le_bytes());
    bytes.extend(100_i64.to_le_bytes());
    bytes.resize(16 + 50 * 800, 0);
    let paths: Vec<PathBuf> = (0..FILES).map(|n| folder.join(format!("{n}.bin"))).collect();
    for path in &paths {
        std::fs::write(path, &bytes)?;
    }
    let open = Open::new().layout(layout).raw();
    let mut address = 0;
    let seconds = timing::least(|| {
        for path in &paths {
            let item = open.clone().file(path)?.get("/x25")?.data()?;
            address = item.address();
            let mut values = [0_f64; 100];
            item.read_into(&mut values)?;
            black_box(values);
        }
        Ok(())
    })?;
    let known = timing::least(|| {
        for path in &paths {
            let mut values = [0; 800];
            dudley::bytes::Source::read_at(
                &dudley::bytes::FileSource::open(path)?,
                address,
                &mut values,
            )?;
            black_box(values);
        }
        Ok(())
    })?;
    let what = "one array of each of 2,000 files, a file";
    report.add(what, seconds / FILES as f64 * 1e6, "µs", Target::None)?;
    let what = "a plain read at the known address, a file";
    report.add(what, known / FILES as f64 * 1e6, "µs", Target::None)
}
