//! A file as it was in a revision: git is asked, as a program.

use crate::failure::{Failure, Result};
use crate::input::LayoutText;
use crate::names::is_stdin;
use dudley::error::file_name;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, Stdio};

/// The text of a layout in a revision, where it may have had another name; `None` if that has no such file.
///
/// # Errors
/// If there is no git, no repository, or no such revision.
pub(crate) fn file(revision: &str, path: &Path) -> Result<Option<LayoutText>> {
    if revision.is_empty() || revision.starts_with('-') || revision.contains(':') {
        return Err(Failure::usage(format!("`git:{revision}` names no revision")));
    }
    let (Some(name), folder, false) = (path.file_name(), path.parent(), is_stdin(path)) else {
        return Err(Failure::usage(format!(
            "--against git: takes files; {} is none",
            crate::names::name_of(path)
        )));
    };
    let folder = match folder {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    };
    let mut shown = format!("{} at {revision}", file_name(&path));
    let words = ["--literal-pathspecs", "ls-tree", revision, "--"].map(OsStr::new);
    let known = succeeded(&shown, path, git(folder, &[&words[..], &[name]].concat())?)?;
    let mut object = OsString::from(format!("{revision}:./"));
    object.push(name);
    if known.is_empty() {
        let Some(old) = old_name(&shown, path, folder, revision)? else { return Ok(None) };
        shown = format!("{} at {revision}", file_name(&old));
        object = OsString::from(format!("{revision}:"));
        object.push(&old);
    }
    if known.starts_with(LINK) {
        let message = format!("{shown} is a symbolic link, of which git keeps where it leads");
        return Err(Failure::unread(message));
    }
    let said = git(folder, &["cat-file".as_ref(), "blob".as_ref(), &object])?;
    let bytes = succeeded(&shown, path, said)?;
    Ok(Some(LayoutText { name: shown, bytes, attached: false }))
}

/// The path, from the root of the repository, that a file had in a revision which has it under another name: one that
/// is much like it, and is gone. That git knows the file is needed.
fn old_name(shown: &str, path: &Path, folder: &Path, revision: &str) -> Result<Option<OsString>> {
    let said = |words: &[&str]| {
        let words: Vec<&OsStr> = words.iter().map(OsStr::new).collect();
        succeeded(shown, path, git(folder, &words)?)
    };
    let mut wanted = said(&["rev-parse", "--show-prefix"])?;
    wanted.truncate(wanted.trim_ascii_end().len());
    wanted.extend(path.file_name().unwrap_or_default().as_encoded_bytes());
    let renamed = said(&[
        "diff",
        "-z",
        "--no-relative",
        "--find-renames",
        "--diff-filter=R",
        "--name-status",
        revision,
        "--",
    ])?;
    // For each candidate: its similarity, the old name, and the new name.
    let fields: Vec<&[u8]> = renamed.split(|byte| *byte == 0).collect();
    let found = fields.chunks_exact(3).find(|fields| fields[2] == wanted);
    Ok(found.map(|fields| String::from_utf8_lossy(fields[1]).into_owned().into()))
}

/// The mode of a symbolic link at the start of a line of `git ls-tree`.
const LINK: &[u8] = b"120000 ";

/// The output of git.
///
/// # Errors
/// Why it gave nothing.
fn succeeded(shown: &str, path: &Path, said: std::process::Output) -> Result<Vec<u8>> {
    if said.status.success() {
        return Ok(said.stdout);
    }
    // If there is no such file, report that, not git's message about its folder.
    if let Err(error) = path.symlink_metadata() {
        return Err(Failure::io("read", &crate::names::name_of(path), &error));
    }
    let why = String::from_utf8_lossy(&said.stderr);
    let why = why.lines().next().unwrap_or("it says nothing").trim_start_matches("fatal: ");
    Err(Failure::unread(format!("git cannot give {shown}: {why}")))
}

/// The output of git in a folder.
fn git(folder: &Path, words: &[&OsStr]) -> Result<std::process::Output> {
    let mut command = Command::new("git");
    command.arg("-C").arg(folder).args(words).stdin(Stdio::null());
    command.output().map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => {
            Failure::unread("--against git: needs the program `git`, which is not there")
        }
        _ => Failure::io("run", "git", &error),
    })
}
