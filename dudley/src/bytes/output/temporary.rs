//! What has a temporary name, `.NAME.N.tmp`, until it is complete: files and folders. And what killed writers
//! left by such names.
//!
//! Who writes one holds a lock on it, which ends with its process. So one that nobody holds was left
//! behind, and the next writer of NAME takes it away; a folder only if it has the mark that each of ours has: any
//! other one is somebody's. Folders are not searched: what was left has the first names that are tried. A program
//! that a signal ends can take away its own.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[cfg(unix)]
use crate::bytes::lock::is_still;
#[cfg(unix)]
use crate::bytes::positioned;

/// A file in each temporary folder: it says that what is there is nobody's.
const MARK: &str = ".unfinished";

/// The folder in a temporary one that gets another name when it is complete.
const INNER: &str = "new";

/// What there is of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    File,
    Folder,
}

/// What this process has begun, and neither completed nor removed.
static UNFINISHED: Mutex<BTreeMap<PathBuf, Kind>> = Mutex::new(BTreeMap::new());

fn unfinished() -> MutexGuard<'static, BTreeMap<PathBuf, Kind>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the uncommitted [`AtomicFile`](super::AtomicFile)s and
/// [`AtomicFolder`](super::AtomicFolder)s of this process.
///
/// This is for a program that is about to end without running destructors, such as by a signal: call it in a
/// thread that waits for signals (it is not for signal handlers, since it waits for locks). Writers that go on
/// after it fail at their commit.
///
/// ```
/// use dudley::bytes::{AtomicFile, remove_unfinished};
///
/// # let folder = tempfile::tempdir()?;
/// let mut file = AtomicFile::create(folder.path().join("new.bd"), false)?;
/// file.write_at(0, b"half")?;
/// remove_unfinished();
/// assert_eq!(std::fs::read_dir(folder.path())?.count(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn remove_unfinished() {
    let mut unfinished = unfinished();
    unfinished.iter().for_each(|(path, kind)| remove(path, *kind));
    unfinished.clear();
}

/// What is removed may get something new from a writer that is still busy: it is tried so often.
const TRIES: usize = 8;

/// Removes a file or folder, if it can be: nobody is left to tell.
fn remove(path: &Path, kind: Kind) {
    let gone = |_: &usize| match kind {
        Kind::File => fs::remove_file(path).is_ok(),
        Kind::Folder => fs::remove_dir_all(path).is_ok(),
    };
    let _ = (0..TRIES).find(gone);
}

/// A temporary name, and what has it. Dropped, it takes that away.
#[derive(Debug)]
pub(super) struct Temporary {
    path: PathBuf,
    /// Where what will be complete is: there, or within.
    content: PathBuf,
    /// The same, whatever somebody else did to its name.
    steady: PathBuf,
}

impl Temporary {
    /// Where what will be complete is.
    pub(super) fn content(&self) -> &Path {
        &self.content
    }

    /// Where what will be complete is, whatever somebody else put in place of its name: of a folder that is held,
    /// where the system has such paths; elsewhere as [`Self::content`].
    pub(super) fn steady(&self) -> &Path {
        &self.steady
    }

    /// What is complete gets another name, as `rename` does it from the path that it is given.
    ///
    /// # Errors
    /// Those of `rename`; then it is taken away.
    pub(super) fn become_complete(
        self,
        rename: impl FnOnce(&Path) -> io::Result<()>,
    ) -> io::Result<()> {
        // Held meanwhile, so that nothing that somebody else gives this name afterwards is removed.
        let mut unfinished = unfinished();
        rename(&self.steady)?;
        if unfinished.remove(&self.path) == Some(Kind::Folder) {
            remove(&self.path, Kind::Folder);
        }
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut unfinished = unfinished();
        if let Some(kind) = unfinished.remove(&self.path) {
            remove(&self.path, kind);
        }
    }
}

/// A new, empty file in the folder of `target`, with its name; `private`, if nobody else may look at it for now. It
/// is locked as long as it is open, where the file system has locks.
///
/// # Errors
/// If the operating system refuses.
pub(super) fn file_beside(target: &Path, private: bool) -> io::Result<(File, Temporary)> {
    let mut options = File::options();
    // New: no link is followed, and nothing is written over.
    options.read(true).write(true).create_new(true);
    #[cfg(unix)]
    if private {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = private;
    beside(target, Kind::File, |path| options.open(path))
}

/// A new, empty folder within a new one beside `target`, with its name; and what holds that.
///
/// # Errors
/// If the operating system refuses.
#[cfg(unix)]
pub(super) fn folder_beside(target: &Path) -> io::Result<(File, Temporary)> {
    beside(target, Kind::Folder, |path| {
        make_folder(path)?;
        File::open(path)
    })
}

/// As there is elsewhere, where folders are not held.
///
/// # Errors
/// If the operating system refuses.
#[cfg(not(unix))]
pub(super) fn folder_beside(target: &Path) -> io::Result<((), Temporary)> {
    beside(target, Kind::Folder, make_folder)
}

fn make_folder(path: &Path) -> io::Result<()> {
    fs::create_dir(path)?;
    // Before anything else is there, so that it is taken away if this ends here.
    File::create_new(path.join(MARK))?;
    fs::create_dir(path.join(INNER))
}

/// Makes something of the first temporary name that is free.
fn beside<T: Held>(
    target: &Path,
    kind: Kind,
    make: impl Fn(&Path) -> io::Result<T>,
) -> io::Result<(T, Temporary)> {
    let no_name = || io::Error::new(io::ErrorKind::InvalidInput, "it is no file name");
    let name = target.file_name().ok_or_else(no_name)?;
    let mut count = 0_u64;
    loop {
        let mut temporary = OsString::from(".");
        temporary.push(name);
        temporary.push(format!(".{count}.tmp"));
        let path = target.with_file_name(temporary);
        let mut unfinished = unfinished();
        match make(&path) {
            Ok(made) if made.hold(&path) => {
                unfinished.insert(path.clone(), kind);
                let content = match kind {
                    Kind::File => path.clone(),
                    Kind::Folder => path.join(INNER),
                };
                let steady = made.within().filter(|_| kind == Kind::Folder);
                let steady = steady.unwrap_or_else(|| content.clone());
                return Ok((made, Temporary { path, content, steady }));
            }
            // Somebody took it for one that was left behind.
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                drop(unfinished);
                if !take_away(&path) {
                    count += 1;
                }
            }
            Err(error) => return Err(error),
        }
    }
}

/// What is new, and locked where there are locks.
trait Held {
    /// Locks it; whether it still has its name. Without locks it has.
    fn hold(&self, path: &Path) -> bool;

    /// The inner one of a temporary folder that is held, by a path that is not of its name; `None` where the system has
    /// none.
    fn within(&self) -> Option<PathBuf> {
        None
    }
}

#[cfg(unix)]
impl Held for File {
    fn hold(&self, path: &Path) -> bool {
        match self.try_lock() {
            Ok(()) => is_still(self, path),
            Err(fs::TryLockError::WouldBlock) => false,
            Err(fs::TryLockError::Error(_)) => true,
        }
    }

    #[cfg(target_os = "linux")]
    fn within(&self) -> Option<PathBuf> {
        let held = std::os::fd::AsRawFd::as_raw_fd(self);
        let path = PathBuf::from(format!("/proc/self/fd/{held}/{INNER}"));
        path.is_dir().then_some(path)
    }
}

/// Elsewhere a lock would keep the writer's own readers out.
#[cfg(not(unix))]
impl Held for File {
    fn hold(&self, _: &Path) -> bool {
        true
    }
}

#[cfg(not(unix))]
impl Held for () {
    fn hold(&self, _: &Path) -> bool {
        true
    }
}

/// Removes a file or folder that nobody holds; whether its name is free now.
#[cfg(unix)]
pub(crate) fn take_away(path: &Path) -> bool {
    let kind = match fs::symlink_metadata(path) {
        Ok(found) if found.is_file() => Kind::File,
        Ok(found) if found.is_dir() => Kind::Folder,
        Ok(_) => return false,
        Err(error) => return error.kind() == io::ErrorKind::NotFound,
    };
    let mut options = File::options();
    let opened = match kind {
        Kind::File => positioned::open(path, options.read(true).write(true)),
        Kind::Folder => options.read(true).open(path),
    };
    let Ok(found) = opened else { return false };
    // Any code that removes such a thing holds it, so what has its name now keeps it meanwhile.
    if found.try_lock().is_err() || !is_still(&found, path) {
        return false;
    }
    let is_mark = |found: fs::Metadata| found.is_file() && found.len() == 0;
    match kind {
        Kind::File => fs::remove_file(path).is_ok(),
        // It was left before it had its mark.
        Kind::Folder if fs::remove_dir(path).is_ok() => true,
        Kind::Folder => {
            let marked = fs::symlink_metadata(path.join(MARK)).is_ok_and(is_mark);
            marked && fs::remove_dir_all(path).is_ok()
        }
    }
}

/// Elsewhere nobody knows whose it is.
#[cfg(not(unix))]
pub(crate) fn take_away(_: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn what_was_left_is_taken_away_and_what_is_held_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("a.bd");
        let name = |count: u32| folder.path().join(format!(".a.bd.{count}.tmp"));
        let (held, first) = file_beside(&target, false).expect("space");
        assert_eq!(first.path, name(0));
        // One that was left by a writer that was killed, beside one that is held.
        fs::write(name(1), b"half").expect("space");
        fs::write(folder.path().join(".b.bd.0.tmp"), b"of another target").expect("space");
        let (second, path) = file_beside(&target, false).expect("space");
        assert_eq!((&path.path, second.metadata().expect("there").len()), (&name(1), 0));
        assert!(name(0).exists());
        // The lock ends with the one who holds it.
        drop(held);
        let (_third, path) = file_beside(&target, false).expect("space");
        assert_eq!(path.path, name(0));
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 3);
    }

    #[test]
    #[cfg(unix)]
    fn links_are_not_taken_away() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("a.bd");
        let old = folder.path().join("old.bd");
        fs::write(&old, b"old").expect("space");
        std::os::unix::fs::symlink(&old, folder.path().join(".a.bd.0.tmp")).expect("a link");
        std::os::unix::fs::symlink(folder.path(), folder.path().join(".a.bd.1.tmp"))
            .expect("a link");
        let (_file, path) = file_beside(&target, false).expect("space");
        assert_eq!(path.path, folder.path().join(".a.bd.2.tmp"));
        assert_eq!(fs::read(&old).expect("there"), b"old");
    }

    #[test]
    #[cfg(unix)]
    fn folders_that_were_left_are_taken_away_and_those_that_are_held_are_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("a");
        let name = |count: u32| folder.path().join(format!(".a.{count}.tmp"));
        let (held, first) = folder_beside(&target).expect("space");
        assert_eq!(first.path, name(0));
        fs::create_dir(name(1)).expect("space");
        fs::write(name(1).join("half"), b"half").expect("space");
        fs::write(name(1).join(MARK), b"").expect("space");
        let (_held, second) = folder_beside(&target).expect("space");
        assert_eq!(second.path, name(1));
        assert_eq!(fs::read_dir(second.content()).expect("a folder").count(), 0);
        assert!(!name(1).join("half").exists());
        fs::write(name(0).join("half"), b"half").expect("space");
        drop((held, first));
        assert!(!name(0).exists());
    }

    #[test]
    #[cfg(unix)]
    fn folders_that_are_somebodys_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("a");
        let name = |count: u32| folder.path().join(format!(".a.{count}.tmp"));
        fs::create_dir(name(0)).expect("space");
        fs::write(name(0).join("precious"), b"mine").expect("space");
        // One that is empty is nobody's loss.
        fs::create_dir(name(1)).expect("space");
        let (held, first) = folder_beside(&target).expect("space");
        assert_eq!(first.path, name(1));
        drop((held, first));
        let (held, first) = file_beside(&target, false).expect("space");
        assert_eq!(first.path, name(1));
        // Somebody puts a folder in its place.
        fs::remove_file(name(1)).expect("there");
        fs::rename(name(0), name(1)).expect("space");
        drop((held, first));
        assert_eq!(fs::read(name(1).join("precious")).expect("there"), b"mine");
    }

    #[test]
    fn many_writers_of_one_target_have_files_of_their_own() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("a.bd");
        for _ in 0..50 {
            let made: Vec<(File, Temporary)> = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..8)
                    .map(|_| scope.spawn(|| file_beside(&target, false).expect("space")))
                    .collect();
                threads.into_iter().map(|it| it.join().expect("no panic")).collect()
            });
            let mut paths: Vec<&Path> = made.iter().map(|(_, it)| it.content()).collect();
            paths.sort();
            paths.dedup();
            assert_eq!(paths.len(), 8);
            assert!(paths.iter().all(|path| path.exists()));
        }
    }
}
