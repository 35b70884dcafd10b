//! A file as it was in a revision: git is asked, as a program.

use crate::failure::{Failure, Result};
use crate::input::LayoutText;
use std::path::Path;
use std::process::{Command, Stdio};

/// The text of a layout in a revision.
///
/// # Errors
/// If there is no git, no repository, no such revision, or no such file in it.
pub(crate) fn file(revision: &str, path: &Path) -> Result<LayoutText> {
    if revision.is_empty() || revision.starts_with('-') || revision.contains(':') {
        return Err(Failure::usage(format!("`git:{revision}` names no revision")));
    }
    let (Some(name), folder) = (path.file_name(), path.parent()) else {
        return Err(Failure::usage(format!(
            "--against git: takes files; {} is none",
            crate::input::name_of(path)
        )));
    };
    let folder = match folder {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut object = std::ffi::OsString::from(format!("{revision}:./"));
    object.push(name);
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(["cat-file", "blob"]).arg(&object).stdin(Stdio::null());
    let said = command.output().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            Failure::input("--against git: needs the program `git`, which is not there")
        }
        _ => Failure::io("run", "git", &error),
    })?;
    let shown = format!("{} at {revision}", path.display());
    if !said.status.success() {
        let why = String::from_utf8_lossy(&said.stderr);
        let why = why.lines().next().unwrap_or("it says nothing").trim_start_matches("fatal: ");
        return Err(Failure::input(format!("git cannot give {shown}: {why}")));
    }
    Ok(LayoutText { name: shown, bytes: said.stdout, attached: false })
}
