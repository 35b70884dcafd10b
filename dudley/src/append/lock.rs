//! One writer at a time: a lock on the file, and a note beside it that says who holds it.
//!
//! The lock is the operating system's, so it ends with its process, however that ends. The note,
//! `.NAME.lock`, is only for the message to the one who is refused: one that was left behind keeps
//! nobody out. Readers look at neither.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use crate::date::utc;
use crate::error::{Error, Result};

/// The right to write a file, until it is dropped.
///
/// ```
/// use std::fs::File;
///
/// use dudley::Error;
/// use dudley::append::Lock;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("a.bd");
/// std::fs::write(&path, b"abc")?;
/// let file = File::options().read(true).write(true).open(&path)?;
/// let lock = Lock::take(&file, &path)?;
/// let again = File::options().read(true).write(true).open(&path)?;
/// assert!(matches!(Lock::take(&again, &path), Err(Error::Locked { .. })));
/// drop(lock);
/// Lock::take(&again, &path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Lock {
    /// What is locked.
    locked: File,
    note: PathBuf,
}

impl Lock {
    /// Locks a file that is open by `path`, against others that do so. Nothing else is kept from it.
    ///
    /// # Errors
    /// [`Error::Locked`] when another one holds it, [`Error::Io`] when the file system has no locks.
    pub fn take(file: &File, path: &Path) -> Result<Lock> {
        let cannot = |error| Error::io(format!("cannot lock `{}`", path.display()), error);
        let note = note_of(path);
        let locked = lockable(file, &note).map_err(cannot)?;
        match locked.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let holder = fs::read_to_string(&note).unwrap_or_default();
                let holder = holder.lines().next().unwrap_or_default().trim();
                let holder = if holder.is_empty() { "another writer" } else { holder };
                return Err(Error::Locked { path: path.to_owned(), holder: holder.into() });
            }
            Err(TryLockError::Error(error)) => return Err(cannot(error)),
        }
        // Without a note the lock holds all the same.
        let _ = fs::write(&note, format!("{}\n", holder()));
        Ok(Lock { locked, note })
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is still locked, so that the note is ours.
        let _ = fs::remove_file(&self.note);
        // The file may be open elsewhere in this process, which would keep it locked.
        let _ = self.locked.unlock();
    }
}

/// What is locked: on Windows a lock keeps readers out too, so there it is the note.
#[cfg(windows)]
fn lockable(_: &File, note: &Path) -> std::io::Result<File> {
    File::options().read(true).write(true).create(true).truncate(false).open(note)
}

/// What is locked: the file itself, whatever name it was opened by.
#[cfg(not(windows))]
fn lockable(file: &File, _: &Path) -> std::io::Result<File> {
    file.try_clone()
}

fn note_of(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".lock");
    path.with_file_name(name)
}

/// This process, for people.
fn holder() -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let host = host.or_else(|| fs::read_to_string("/etc/hostname").ok());
    let host = host.or_else(|| std::env::var("COMPUTERNAME").ok());
    let host = host.map(|host| format!(" on {}", host.trim())).unwrap_or_default();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let now = i64::try_from(now).unwrap_or(i64::MAX);
    format!("process {}{host} since {}", std::process::id(), utc(now))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_is_refused_and_told_of_the_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.bd");
        fs::write(&path, b"x").expect("space");
        fs::write(folder.path().join(".a.bd.lock"), "process 1 of long ago\n").expect("space");
        let open = || File::options().read(true).write(true).open(&path).expect("there");
        let first = Lock::take(&open(), &path).expect("a note alone keeps nobody out");
        let error = Lock::take(&open(), &path).expect_err("it is held").to_string();
        let this = format!("process {}", std::process::id());
        assert!(cfg!(windows) || error.contains(&this), "{error}");
        assert_eq!(fs::read(&path).expect("readers need no lock"), b"x");
        drop(first);
        let left = fs::read_dir(folder.path()).expect("a folder").count();
        assert!(cfg!(windows) || left == 1, "the note is gone");
        Lock::take(&open(), &path).expect("it is free again");
    }
}
