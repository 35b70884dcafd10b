//! Which files does a command line name? By name, in lists, in folders, by pattern.

use dudley::error::file_name;
use std::io::Read;
use std::path::{Path, PathBuf};

use dudley::family::is_like;

use crate::failure::{Failure, Result};
use crate::names::is_stdin;

/// The files that arguments name: a file; `@list`, a file with a name on each line; `-`, names from
/// standard input; a folder, for all `.bd` files in it; a pattern such as `runs/*.bd`, for shells
/// that do not expand it, or for more files than a command line can hold. Folders and patterns
/// never include the catalog.
pub(super) fn files(words: &[PathBuf], catalog: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for word in words {
        let list = word.to_str().and_then(|text| text.strip_prefix('@'));
        if is_stdin(word) {
            let mut text = String::new();
            let read = std::io::stdin().lock().read_to_string(&mut text);
            read.map_err(|error| Failure::io("read", "standard input", &error))?;
            push_lines(&text, &mut files);
        } else if let Some(list) = list.filter(|_| !word.exists()) {
            let text = std::fs::read_to_string(list);
            push_lines(&text.map_err(|error| Failure::io("read", list, &error))?, &mut files);
        } else if word.is_dir() {
            files.extend(in_folder(word, "*.bd", catalog)?);
        } else if let Some((folder, pattern)) = pattern(word) {
            files.extend(in_folder(folder, pattern, catalog)?);
        } else {
            files.push(word.clone());
        }
    }
    Ok(files)
}

fn push_lines(text: &str, files: &mut Vec<PathBuf>) {
    files.extend(text.lines().filter(|line| !line.is_empty()).map(PathBuf::from));
}

/// The folder and the pattern of names in it, where there is no file that is called so.
fn pattern(word: &Path) -> Option<(&Path, &str)> {
    let name = word.file_name()?.to_str()?;
    if !name.contains(['*', '?']) || word.exists() {
        return None;
    }
    let folder = word.parent().filter(|folder| !folder.as_os_str().is_empty());
    Some((folder.unwrap_or(Path::new(".")), name))
}

/// The files of a folder that a pattern fits, by name; hidden ones are not among them.
fn in_folder(folder: &Path, pattern: &str, catalog: &Path) -> Result<Vec<PathBuf>> {
    let shown = file_name(&folder);
    let failed = |error: std::io::Error| Failure::io("read the folder", &shown, &error);
    let catalog = std::fs::canonicalize(catalog).ok();
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        let name = name.to_string_lossy();
        let path =
            if folder == Path::new(".") { PathBuf::from(entry.file_name()) } else { entry.path() };
        let fits = !name.starts_with('.') && is_like(&name, pattern) && path.is_file();
        if fits && (catalog.is_none() || std::fs::canonicalize(&path).ok() != catalog) {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}
