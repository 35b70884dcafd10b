//! Temporary folders for data on their way to standard output.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The existing folders.
static FOLDERS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn folders() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A folder that is removed with its contents.
pub(crate) struct Scratch(PathBuf);

/// A new folder in the temporary folder of the system, which no other user can read.
///
/// # Errors
/// If the operating system refuses.
pub(crate) fn folder() -> io::Result<Scratch> {
    let mut folders = folders();
    let folder = tempfile::tempdir()?.keep();
    folders.insert(folder.clone());
    Ok(Scratch(folder))
}

/// Removes all, when a signal ends the program.
#[cfg(unix)]
pub(crate) fn remove_all() {
    for folder in std::mem::take(&mut *folders()) {
        // There is nowhere to report a failure.
        let _ = std::fs::remove_dir_all(folder);
    }
}

impl Scratch {
    /// The path of the folder.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // There is nowhere to report a failure.
        let _ = std::fs::remove_dir_all(&self.0);
        folders().remove(&self.0);
    }
}
