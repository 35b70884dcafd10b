//! Folders for what is between one form of data and another.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Those that there are.
static FOLDERS: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn folders() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    FOLDERS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A folder that goes away with what is in it.
pub(crate) struct Scratch(PathBuf);

/// A new folder where the system has temporary ones, which nobody else may read.
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
        // Nobody is left to tell.
        let _ = std::fs::remove_dir_all(folder);
    }
}

impl Scratch {
    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // Nobody is left to tell.
        let _ = std::fs::remove_dir_all(&self.0);
        folders().remove(&self.0);
    }
}
