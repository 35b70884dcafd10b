//! How much memory a layout takes while it is parsed and checked: the most that a process of its
//! own ever had, without what it had before.

use std::process::Command;

use crate::report::{Report, Target};
use crate::{Outcome, layouts};

/// The first argument of such a process.
pub(crate) const CHILD: &str = "memory-of";

pub(crate) fn measure(report: &mut Report) -> Outcome<()> {
    let text = layouts::of_bytes(10_000_000)?;
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("made-up.dud");
    std::fs::write(&file, &text)?;
    let output = Command::new(std::env::current_exe()?).arg(CHILD).arg(&file).output()?;
    let bytes: f64 = String::from_utf8_lossy(&output.stdout)
        .trim()
        .parse()
        .map_err(|_| String::from_utf8_lossy(&output.stderr).into_owned())?;
    let each = bytes / text.len() as f64;
    let what = "most memory while a layout of 10 MB is checked";
    report.add(what, each, "bytes per byte", Target::AtMost(30.0))
}

/// Prints the bytes that a file's layout takes, its text (which we hold once) not counted.
pub(crate) fn child(file: &str) -> Outcome<()> {
    let text = std::fs::read(file)?;
    let before = status("VmRSS:")?;
    let checked = dudley_parser::check(&text);
    if checked.layout.is_none() {
        return Err("the layout has errors".into());
    }
    println!("{}", status("VmHWM:")?.saturating_sub(before));
    Ok(())
}

/// Bytes, as the kernel tells them.
pub(crate) fn status(key: &str) -> Outcome<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix(key)).ok_or("no such line")?;
    let kib: u64 = line.trim().trim_end_matches(" kB").parse()?;
    Ok(kib * 1024)
}
