//! How fast small records are appended with durable commits between them, next to h5py.

use std::fs::OpenOptions;
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use dudley::append::{Append, Records};
use dudley::{Stream, Writer, parse_layout};
use dudley_tests::python::Python;

use crate::Outcome;
use crate::memory::status;
use crate::report::{Report, Target};
use crate::timing::{compare, seconds};

dudley::layout!(mod steps = "NT : i8  step {t = f8  x = f8  y = f8}  hist = step[NT]");

dudley::layout!(mod dicts = "NT : i8  hist = [/ t = f8  x = f8  y = f8]*NT");

const RECORDS: u64 = 100_000;

/// Records between two commits.
const COMMIT: u64 = 1000;

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    // On a disk: in memory nothing takes time to become durable.
    let folder = tempfile::tempdir_in(dudley_tests::root().join("target"))?;
    let (ours, theirs) = (folder.path().join("a.bd"), folder.path().join("a.h5"));
    append(&ours, one_by_one)?;
    let before = status("VmRSS:")?;
    append(&ours, one_by_one)?;
    let memory = status("VmRSS:")?.saturating_sub(before) as f64 / f64::from(1 << 20);
    let python = Python::of_benches()?;
    let h5py = |step: u64| -> Outcome<f64> {
        let file = theirs.to_str().ok_or("a path that is no text")?;
        let arguments = [file, &RECORDS.to_string(), &COMMIT.to_string(), &step.to_string()];
        Ok(python.run("history.py", folder.path(), &arguments).trim().parse()?)
    };
    let singly = compare(|| append(&ours, one_by_one), || h5py(1))?;
    let what = "100,000 records of 24 bytes appended, a commit every 1,000, to h5py";
    report.add(what, singly.ratio, "", Target::AtLeast(10.0))?;
    report.add("its fastest run", singly.ours * 1e3, "ms", Target::None)?;
    let batched = compare(|| append(&ours, together), || h5py(COMMIT))?;
    let what = "1,000 records at a time, to h5py that is given as many";
    report.add(what, batched.ratio, "", Target::None)?;
    report.add("its fastest run", batched.ours * 1e3, "ms", Target::None)?;
    let (dicts, structs) = (folder.path().join("dicts.bd"), folder.path().join("structs.bd"));
    let pushed = compare(
        || push_all(&dicts, "hist = [/ t = f8  x = f8  y = f8]*NT", one_by_one),
        || push_all(&structs, "step {t = f8  x = f8  y = f8}  hist = step[NT]", as_structs),
    )?;
    report.add("dicts pushed, to structs", pushed.ratio, "", Target::AtLeast(1.0 / 3.0))?;
    report.add(
        "its fastest run, a dict",
        pushed.ours * 1e9 / RECORDS as f64,
        "ns",
        Target::None,
    )?;
    let typed = compare(
        || push_typed(&dicts),
        || push_all(&structs, "step {t = f8  x = f8  y = f8}  hist = step[NT]", as_structs),
    )?;
    let what = "dicts pushed through their type (`push_with`), to structs";
    report.add(what, typed.ratio, "", Target::AtLeast(1.0 / 3.0))?;
    let synced = seconds(|| write_and_sync(&ours))?;
    let what = "100 times 24,000 bytes written and synced, and 8 bytes, with nothing else";
    report.add(what, synced * 1e3, "ms", Target::None)?;
    let what = "memory that 100,000 more records take";
    report.add(what, memory, "MiB", Target::AtMost(1.0))
}

/// Adds as many records as there are between two commits.
type Push = fn(&mut Records<'_>, u64) -> Outcome<()>;

fn one_by_one(hist: &mut Records<'_>, first: u64) -> Outcome<()> {
    for at in first..first + COMMIT {
        let value = at as f64;
        hist.push(&[("t", value.into()), ("x", value.into()), ("y", value.into())])?;
    }
    Ok(())
}

fn together(hist: &mut Records<'_>, first: u64) -> Outcome<()> {
    let values: Vec<f64> = (first..first + COMMIT).map(|at| at as f64).collect();
    let parts = ["t", "x", "y"].map(|name| (name, (&values).into()));
    Ok(hist.push_many(&parts)?)
}

fn as_structs(hist: &mut Records<'_>, first: u64) -> Outcome<()> {
    for at in first..first + COMMIT {
        let value = at as f64;
        hist.push_record(&steps::Step { t: value, x: value, y: value })?;
    }
    Ok(())
}

/// Pushes all records, and commits none; gives the seconds.
fn push_all(path: &Path, layout: &str, push: Push) -> Outcome<f64> {
    let layout = parse_layout(format!("NT : i8  {layout}").as_bytes())?;
    Writer::new(layout).param("/NT", 0).attach(true).write_file(path, true)?;
    let mut append = Append::open(path)?;
    let mut hist = append.records("/hist")?;
    let taken =
        seconds(|| (0..RECORDS).step_by(COMMIT as usize).try_for_each(|at| push(&mut hist, at)))?;
    hist.forget();
    Ok(taken)
}

fn push_typed(path: &Path) -> Outcome<f64> {
    let writer = dudley::typed::Create::new().overwrite(true);
    writer.file::<dicts::Layout>(path, &dicts::Params { nt: 0 })?.finish()?;
    let mut append = dicts::Append::open(path)?;
    let mut hist = append.grow(|run| run.hist())?;
    let taken = seconds(|| {
        (0..RECORDS).try_for_each(|at| {
            let value = at as f64;
            hist.push_with(|record| {
                record.t().write(value)?;
                record.x().write(value)?;
                record.y().write(value)
            })
        })?;
        Ok(())
    })?;
    hist.forget();
    Ok(taken)
}

/// The time of the disk for it, in any program.
fn write_and_sync(path: &Path) -> Outcome<()> {
    let mut file = OpenOptions::new().write(true).create(true).truncate(true).open(path)?;
    let piece = vec![1; 24 * COMMIT as usize];
    for at in 0..RECORDS / COMMIT {
        file.seek(SeekFrom::Start(24 + at * piece.len() as u64))?;
        file.write_all(&piece)?;
        file.sync_data()?;
        file.seek(SeekFrom::Start(16))?;
        file.write_all(&at.to_le_bytes())?;
        file.sync_data()?;
    }
    Ok(())
}

/// Appends the records to a new stream; gives the seconds.
fn append(path: &Path, push: Push) -> Outcome<f64> {
    let layout = parse_layout(b"NT : i8  hist = [/ t = f8  x = f8  y = f8]*NT")?;
    Writer::new(layout).param("/NT", 0).attach(true).write_file(path, true)?;
    let mut append = Append::open(path)?;
    let mut hist = append.records("/hist")?;
    let taken = seconds(|| {
        for first in (0..RECORDS).step_by(COMMIT as usize) {
            push(&mut hist, first)?;
            hist.commit()?;
        }
        Ok(())
    })?;
    drop(hist);
    let count = Stream::open(path)?.get("/hist")?.len()?;
    if count != RECORDS {
        return Err(format!("{count} records are there").into());
    }
    Ok(taken)
}
