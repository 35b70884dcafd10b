//! The name of a file before it is complete, `.NAME.N.tmp`; and what killed writers left by such names.
//!
//! Who writes such a file holds a lock on it, which ends with its process. So one that nobody holds was left
//! behind, and the next writer of NAME takes it away. Folders are not searched: what was left has the first
//! names that are tried.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

#[cfg(unix)]
use crate::append::is_still;

/// A new, empty file in the folder of `target`, with its name. It is locked as long as it is open, where
/// the file system has locks.
///
/// # Errors
/// When the operating system refuses.
pub(super) fn create_beside(target: &Path) -> io::Result<(File, PathBuf)> {
    let no_name = || io::Error::new(io::ErrorKind::InvalidInput, "it is no file name");
    let name = target.file_name().ok_or_else(no_name)?;
    let mut count = 0_u64;
    loop {
        let mut temporary = OsString::from(".");
        temporary.push(name);
        temporary.push(format!(".{count}.tmp"));
        let path = target.with_file_name(temporary);
        match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
            Ok(file) if hold(&file, &path) => return Ok((file, path)),
            // Somebody took it for one that was left behind.
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if !take_away(&path) {
                    count += 1;
                }
            }
            Err(error) => return Err(error),
        }
    }
}

/// Locks a new file; whether it still has its name. Without locks it has.
#[cfg(unix)]
fn hold(file: &File, path: &Path) -> bool {
    match file.try_lock() {
        Ok(()) => is_still(file, path),
        Err(std::fs::TryLockError::WouldBlock) => false,
        Err(std::fs::TryLockError::Error(_)) => true,
    }
}

/// Removes a file that nobody holds; whether its name is free now.
#[cfg(unix)]
fn take_away(path: &Path) -> bool {
    // Nothing but a file: to open a pipe would wait for who reads it.
    match std::fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => {}
        Ok(_) => return false,
        Err(error) => return error.kind() == io::ErrorKind::NotFound,
    }
    let Ok(file) = OpenOptions::new().read(true).write(true).open(path) else { return false };
    // Whoever removes such a file holds it, so what has its name now keeps it meanwhile.
    file.try_lock().is_ok() && is_still(&file, path) && std::fs::remove_file(path).is_ok()
}

/// Elsewhere a lock would keep the writer's own readers out.
#[cfg(not(unix))]
fn hold(_: &File, _: &Path) -> bool {
    true
}

/// Elsewhere nobody knows whose it is.
#[cfg(not(unix))]
fn take_away(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    #[cfg(unix)]
    fn what_was_left_is_taken_away_and_what_is_held_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("a.bd");
        let name = |count: u32| folder.path().join(format!(".a.bd.{count}.tmp"));
        let (held, first) = create_beside(&target).expect("space");
        assert_eq!(first, name(0));
        // One that was left by a writer that was killed, beside one that is held.
        fs::write(name(1), b"half").expect("space");
        fs::write(folder.path().join(".b.bd.0.tmp"), b"of another target").expect("space");
        let (second, path) = create_beside(&target).expect("space");
        assert_eq!((path, second.metadata().expect("there").len()), (name(1), 0));
        assert!(name(0).exists());
        // The lock ends with the one who holds it.
        drop(held);
        let (_third, path) = create_beside(&target).expect("space");
        assert_eq!(path, name(0));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 3);
    }

    #[test]
    #[cfg(unix)]
    fn only_files_are_taken_away() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("a.bd");
        fs::create_dir(folder.path().join(".a.bd.0.tmp")).expect("space");
        let old = folder.path().join("old.bd");
        fs::write(&old, b"old").expect("space");
        std::os::unix::fs::symlink(&old, folder.path().join(".a.bd.1.tmp")).expect("a link");
        let (_file, path) = create_beside(&target).expect("space");
        assert_eq!(path, folder.path().join(".a.bd.2.tmp"));
        assert_eq!(fs::read(&old).expect("there"), b"old");
    }

    #[test]
    fn many_writers_of_one_target_have_files_of_their_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("a.bd");
        for _ in 0..50 {
            let made: Vec<(File, PathBuf)> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..8)
                    .map(|_| scope.spawn(|| create_beside(&target).expect("space")))
                    .collect();
                threads.into_iter().map(|it| it.join().expect("no panic")).collect()
            });
            let mut paths: Vec<&PathBuf> = made.iter().map(|(_, path)| path).collect();
            paths.sort();
            paths.dedup();
            assert_eq!(paths.len(), 8);
            assert!(paths.iter().all(|path| path.exists()));
            if cfg!(not(unix)) {
                paths.iter().for_each(|path| fs::remove_file(path).expect("there"));
            }
        }
    }
}
