//! How files are called in a catalog.

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use super::unchanged::cannot;
#[cfg(not(unix))]
use crate::error::Error;
use crate::error::Result;

/// How files are called in a catalog: from its folder on where they lie in that, so that both can
/// move together, else by their whole paths.
pub(super) struct Names {
    /// The folder of the catalog, as it was given.
    pub(super) shown: PathBuf,
    /// Its kind.
    folder: PathBuf,
    /// Folders as they were given, and what they are.
    folders: HashMap<PathBuf, PathBuf>,
}

impl Names {
    pub(super) fn new(catalog: &Path) -> Result<Names> {
        let folder = folder_of(catalog);
        let folder = std::fs::canonicalize(folder)
            .map_err(|error| cannot("find the folder", folder, error))?;
        let shown = catalog.parent().unwrap_or(Path::new("")).to_owned();
        Ok(Names { shown, folder, folders: HashMap::new() })
    }

    pub(super) fn name(&mut self, file: &Path) -> Result<Vec<u8>> {
        let given = folder_of(file);
        let folder = match self.folders.get(given) {
            Some(folder) => folder.clone(),
            None => {
                // Of a folder that is gone the file is named as not to be opened.
                let found = std::fs::canonicalize(given).or_else(|_| std::path::absolute(given));
                let found = found.map_err(|error| cannot("find the folder", given, error))?;
                self.folders.insert(given.to_owned(), found.clone());
                found
            }
        };
        let path = match file.file_name() {
            Some(name) => folder.join(name),
            None => folder,
        };
        name_to_bytes(path.strip_prefix(&self.folder).unwrap_or(&path))
    }
}

/// The folder that a file is in.
fn folder_of(file: &Path) -> &Path {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// Each name once, in the order of the first.
pub(super) fn without_repeats(names: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let mut seen = std::collections::HashSet::new();
    names.into_iter().filter(|name| seen.insert(name.clone())).collect()
}

/// A name as bytes that a catalog keeps.
///
/// # Errors
/// [`Error::Io`] for a name that is no Unicode, on systems where names are.
pub(super) fn name_to_bytes(name: &Path) -> Result<Vec<u8>> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        Ok(name.as_os_str().as_bytes().to_vec())
    }
    #[cfg(not(unix))]
    match name.to_str() {
        Some(name) => Ok(name.replace('\\', "/").into_bytes()),
        None => {
            let why = std::io::Error::new(std::io::ErrorKind::InvalidInput, "it is no Unicode");
            Err(Error::io(
                format!("cannot keep the name `{}`", crate::error::file_name(&name)),
                why,
            ))
        }
    }
}

/// The reverse of [`name_to_bytes`].
pub(super) fn name_from_bytes(name: &[u8]) -> Cow<'_, Path> {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        Cow::Borrowed(Path::new(std::ffi::OsStr::from_bytes(name)))
    }
    #[cfg(not(unix))]
    match String::from_utf8_lossy(name) {
        Cow::Borrowed(name) => Cow::Borrowed(Path::new(name)),
        Cow::Owned(name) => Cow::Owned(PathBuf::from(name)),
    }
}
