//! Files of peers, which take long to make: kept in `target/bench-data` for the next run.
//!
//! They are made anew when the script that makes them has changed, what it is reported, or a version.

use std::fs;
use std::path::PathBuf;

use dudley_tests::python::Python;

use crate::Outcome;
use crate::process::Process;

/// Written last, so that half-made files are never used.
const STAMP: &str = "made-from.txt";

/// A peer that reads the files that `script` makes, which are made if necessary.
///
/// The script is reported `make` or `read`, a folder, and the arguments.
pub(crate) fn reader(script: &str, arguments: &[&str]) -> Outcome<Process> {
    let folder = files(script, arguments)?;
    let folder = folder.to_str().ok_or("a path that is no text")?;
    Process::start(script, [&["read", folder], arguments].concat())
}

fn files(script: &str, arguments: &[&str]) -> Outcome<PathBuf> {
    let python = Python::of_benches()?;
    let folder = dudley_tests::target().join("bench-data");
    let folder = folder.join([&[script], arguments].concat().join("-"));
    let stamp = [python.text("requirements.txt")?, python.text(script)?].concat();
    if fs::read_to_string(folder.join(STAMP)).is_ok_and(|made| made == stamp) {
        return Ok(folder);
    }
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    eprintln!("making the files of {script} {}", arguments.join(" "));
    let made = python.command(script).arg("make").arg(&folder).args(arguments).status()?;
    if !made.success() {
        return Err(format!("{script} made no files: {made}").into());
    }
    fs::write(folder.join(STAMP), stamp)?;
    Ok(folder)
}
