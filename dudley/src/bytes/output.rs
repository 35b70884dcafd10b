//! Output files and folders that are complete or absent.
//!
//! A new one is written under a temporary name beside its target, and takes the target's name
//! when all of it is on disk. So a crash, a full disk or an error leaves what was there before. What a
//! killed writer leaves is taken away by the next one of the same target; a program that a signal ends can do
//! so itself by [`remove_unfinished`].
//! Extending a file in place is not done here.

mod folder;
mod sink;
mod temporary;
mod together;

use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::bytes::lock::{Lock, is_still};
use crate::bytes::positioned::Positioned;
use crate::bytes::source::FileSource;
use crate::error::{Error, Result, file_name};
use temporary::{Temporary, file_beside};

pub use folder::AtomicFolder;
pub use sink::{Beside, Output};
pub use temporary::remove_unfinished;
pub(crate) use temporary::take_away as remove_left;
pub use together::AtomicFiles;

/// Why a file does not get its name.
const TAKEN: &str =
    "its temporary name was taken by something else: somebody else writes to this folder";

/// Bytes that are collected before they are written.
const BUFFER: usize = 256 << 10;

/// A new file that replaces its target, or appears, when it is [committed](AtomicFile::commit).
///
/// If it is dropped before the commit, no file remains. Unwritten bytes read as zeros.
///
/// ```
/// use dudley::bytes::AtomicFile;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("new.bd");
/// let mut file = AtomicFile::create(&path, false)?;
/// file.write_at(8, b"abc")?;
/// assert!(!path.exists());
/// file.commit()?;
/// assert_eq!(std::fs::read(&path)?, b"\0\0\0\0\0\0\0\0abc");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AtomicFile {
    /// `None` once the file is closed, which some systems want before it is renamed.
    file: Option<Positioned>,
    /// Taken away after the file is closed.
    temporary: Temporary,
    target: PathBuf,
    overwrite: bool,
    /// The collected bytes, and their address.
    pending: Vec<u8>,
    pending_at: u64,
    /// The end of all that was written, collected or not.
    end: u64,
    /// Whether a write has failed, so that the file can never be complete.
    failed: AtomicBool,
    /// That of the file that is replaced, until it is.
    _lock: Option<Lock>,
}

impl AtomicFile {
    /// Begins a file that will be `path`.
    ///
    /// With `overwrite`, an existing file keeps its name and contents until the commit. The new file gets its
    /// permissions, and its owner and group if this process may set them. If `path` is a symbolic link, its target
    /// is replaced. Programs that have the old file open, or another hard link to it, keep the old contents.
    ///
    /// ```
    /// use dudley::bytes::AtomicFile;
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let mut file = AtomicFile::create(&path, false)?;
    /// file.write_at(0, b"some bytes")?;
    /// assert!(!path.exists());
    /// file.commit()?;
    /// assert_eq!(std::fs::read(&path).expect("a file"), b"some bytes");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exists`] without `overwrite` if `path` exists; [`Error::Locked`] if another program writes to
    /// it; [`Error::Io`] if it is not a file (a device, a folder), or if no file can be created beside it.
    pub fn create(path: impl AsRef<Path>, overwrite: bool) -> Result<AtomicFile> {
        let (target, replaced) = target_of(path.as_ref(), overwrite)?;
        let lock = if replaced.is_some() { Lock::of_replaced(&target)? } else { None };
        AtomicFile::begin(target, replaced, overwrite, lock)
    }

    /// Begins a file that will replace the one at `path`, of which the caller holds the lock.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub fn replace(path: impl AsRef<Path>, lock: Lock) -> Result<AtomicFile> {
        let (target, replaced) = target_of(path.as_ref(), true)?;
        AtomicFile::begin(target, replaced, true, Some(lock))
    }

    fn begin(
        target: PathBuf,
        replaced: Option<fs::Metadata>,
        overwrite: bool,
        lock: Option<Lock>,
    ) -> Result<AtomicFile> {
        let (file, temporary) = file_beside(&target, replaced.is_some())
            .map_err(|error| Error::io(format!("cannot create `{}`", file_name(&target)), error))?;
        let file = AtomicFile {
            file: Some(Positioned::new(file)),
            temporary,
            target,
            overwrite,
            pending: Vec::new(),
            pending_at: 0,
            end: 0,
            failed: AtomicBool::new(false),
            _lock: lock,
        };
        inherit(file.open()?.file(), replaced.as_ref())
            .map_err(|error| Error::io(file.cannot("set the permissions of"), error))?;
        Ok(file)
    }

    /// Where the file will be.
    ///
    /// ```
    /// use dudley::bytes::AtomicFile;
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let file = AtomicFile::create(&path, false)?;
    /// assert_eq!(file.path(), path);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn path(&self) -> &Path {
        &self.target
    }

    /// Where it is until then.
    pub(crate) fn temporary_path(&self) -> &Path {
        self.temporary.content()
    }

    /// The length so far: the end of the written bytes.
    ///
    /// ```
    /// use dudley::bytes::AtomicFile;
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let mut file = AtomicFile::create(&path, false)?;
    /// file.write_at(4, b"abc")?;
    /// assert_eq!(file.len(), 7);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn len(&self) -> u64 {
        self.end
    }

    /// Whether nothing was written yet.
    ///
    /// ```
    /// use dudley::bytes::AtomicFile;
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// assert!(AtomicFile::create(&path, false)?.is_empty());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn is_empty(&self) -> bool {
        self.end == 0
    }

    /// Writes `bytes` from `address` on. Small adjacent writes are buffered, so an error may belong
    /// to an earlier write.
    ///
    /// ```
    /// use dudley::bytes::AtomicFile;
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let mut file = AtomicFile::create(&path, false)?;
    /// file.write_at(4, b"abc")?;
    /// file.write_at(0, b"1234")?;
    /// file.commit()?;
    /// assert_eq!(std::fs::read(&path).expect("a file"), b"1234abc");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Io`] when the operating system refuses, such as for a full disk;
    /// [`Error::TooLarge`] when the end is past all addresses.
    pub fn write_at(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        let end = address.checked_add(bytes.len() as u64);
        let end = end.ok_or_else(|| Error::too_large(u64::MAX))?;
        if bytes.is_empty() {
            return Ok(());
        }
        let pending_end = self.pending_at + self.pending.len() as u64;
        // Past the end of all, a small gap is filled with the zeros that it would be read as.
        let gap = address
            .checked_sub(pending_end)
            .filter(|gap| *gap == 0 || (self.end == pending_end && *gap < BUFFER as u64));
        let room = BUFFER.saturating_sub(self.pending.len()) as u64;
        match gap {
            Some(gap) if gap.saturating_add(bytes.len() as u64) <= room => {
                // Less than a buffer.
                self.pending.resize(self.pending.len() + gap as usize, 0);
            }
            _ => {
                self.flush()?;
                self.pending_at = address;
            }
        }
        self.end = self.end.max(end);
        if bytes.len() >= BUFFER {
            self.write_through(address, bytes)?;
            self.pending_at = end;
        } else {
            self.pending.extend_from_slice(bytes);
        }
        Ok(())
    }

    /// Writes `bytes` from `address` on at once; several threads may do that at the same time. The
    /// file must have been [extended](Self::extend_to) before.
    ///
    /// ```
    /// use dudley::bytes::AtomicFile;
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let mut file = AtomicFile::create(&path, false)?;
    /// file.extend_to(4)?;
    /// file.write_within(2, b"ab")?; // from any thread
    /// file.commit()?;
    /// assert_eq!(std::fs::read(&path).expect("a file"), b"\0\0ab");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Io`] when the operating system refuses; [`Error::Truncated`] when the file is not
    /// so long.
    pub fn write_within(&self, address: u64, bytes: &[u8]) -> Result<()> {
        crate::bytes::source::check(self.end, address, bytes.len() as u64)?;
        self.write_through(address, bytes)
    }

    /// Copies `bytes` bytes of another file, from `from` on, to `address`. The operating system does it where it
    /// can; some file systems then store them once.
    ///
    /// # Errors
    /// [`Error::Truncated`] when the other file has fewer; [`Error::Io`] when the operating system refuses.
    ///
    /// ```
    /// use dudley::bytes::AtomicFile;
    /// use std::fs::File;
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (old, new) = (folder.path().join("old.bd"), folder.path().join("new.bd"));
    /// std::fs::write(&old, b"abcdef")?;
    /// let mut file = AtomicFile::create(&new, false)?;
    /// file.copy_from(&File::open(&old)?, 2, 3, 1)?;
    /// file.commit()?;
    /// assert_eq!(std::fs::read(&new)?, b"\0cde");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn copy_from(&mut self, other: &File, from: u64, bytes: u64, address: u64) -> Result<()> {
        let end = address.checked_add(bytes).ok_or_else(|| Error::too_large(u64::MAX))?;
        self.extend_to(end)?;
        self.flush()?;
        match copy(other, from, bytes, self.open()?.file(), address) {
            Ok(copied) if copied == bytes => Ok(()),
            Ok(copied) => Err(Error::truncated(from, bytes, copied)),
            Err(error) => {
                self.failed.store(true, Ordering::Relaxed);
                Err(Error::io(self.cannot("write"), error))
            }
        }
    }

    /// Makes the file at least `len` bytes long, with zeros.
    ///
    /// ```
    /// use dudley::bytes::AtomicFile;
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let mut file = AtomicFile::create(&path, false)?;
    /// file.extend_to(4)?;
    /// file.commit()?;
    /// assert_eq!(std::fs::read(&path).expect("a file"), [0; 4]);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Io`] when the operating system refuses.
    pub fn extend_to(&mut self, len: u64) -> Result<()> {
        if len > self.end {
            self.flush()?;
            if let Err(error) = self.open()?.file().set_len(len) {
                self.failed.store(true, Ordering::Relaxed);
                return Err(Error::io(self.cannot("extend"), error));
            }
            (self.end, self.pending_at) = (len, len);
        }
        Ok(())
    }

    /// Fills `buf` with the written bytes from `address` on.
    ///
    /// ```
    /// use dudley::bytes::AtomicFile;
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let mut file = AtomicFile::create(&path, false)?;
    /// file.write_at(0, b"abc")?;
    /// let mut bytes = [0; 2];
    /// file.read_at(1, &mut bytes)?;
    /// assert_eq!(&bytes, b"bc");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Truncated`] when so much was not written, [`Error::Io`] when the operating
    /// system refuses.
    pub fn read_at(&mut self, address: u64, buf: &mut [u8]) -> Result<()> {
        crate::bytes::source::check(self.end, address, buf.len() as u64)?;
        self.flush()?;
        let read = self.open()?.read_at(address, buf);
        let read = read.map_err(|error| Error::io(self.cannot("read back"), error))?;
        if read < buf.len() {
            return Err(Error::truncated(address, buf.len() as u64, read as u64));
        }
        Ok(())
    }

    /// The written bytes as a source, which may also show later writes.
    ///
    /// # Errors
    /// [`Error::Io`] when the operating system refuses.
    pub fn source(&mut self) -> Result<FileSource> {
        self.flush()?;
        let file = self.open()?.file().try_clone();
        FileSource::new(file.map_err(|error| Error::io(self.cannot("read back"), error))?)
    }

    /// Writes the buffered bytes.
    ///
    /// ```
    /// use dudley::bytes::AtomicFile;
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let mut file = AtomicFile::create(&path, false)?;
    /// file.write_at(0, b"abc")?;
    /// file.flush()?; // to the operating system; the file has no name yet
    /// assert!(!path.exists());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Io`] when the operating system refuses.
    pub fn flush(&mut self) -> Result<()> {
        let pending = std::mem::take(&mut self.pending);
        self.write_through(self.pending_at, &pending)?;
        self.pending_at += pending.len() as u64;
        self.pending = pending;
        self.pending.clear();
        Ok(())
    }

    /// Makes all of it durable, and gives it its name.
    ///
    /// ```
    /// use dudley::bytes::AtomicFile;
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # let path = folder.path().join("run.bd");
    /// let mut file = AtomicFile::create(&path, false)?;
    /// file.write_at(0, b"abc")?;
    /// file.commit()?;
    /// assert!(path.exists() && AtomicFile::create(&path, false).is_err());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exists`] when, without `overwrite`, something came to be at the target
    /// meanwhile; [`Error::Io`] when the operating system refuses, or an earlier write failed. The target is then as it was,
    /// unless the message says that only its folder could not be synchronised.
    pub fn commit(mut self) -> Result<()> {
        self.flush()?;
        let synced = self.open()?.file().sync_all();
        synced.map_err(|error| Error::io(self.cannot("write"), error))?;
        // Closed before, where the system wants that; else it is held until it has its name.
        let held = self.file.take().filter(|_| cfg!(not(windows)));
        let AtomicFile { temporary, target, overwrite, .. } = self;
        let renamed = temporary.become_complete(|from| {
            if held.as_ref().is_some_and(|held| !is_still(held.file(), from)) {
                return Err(io::Error::other(TAKEN));
            }
            if overwrite { fs::rename(from, &target) } else { rename_to_new(from, &target) }
        });
        match renamed {
            Ok(()) => {}
            Err(error) if !overwrite && error.kind() == io::ErrorKind::AlreadyExists => {
                return Err(Error::Exists { path: target });
            }
            Err(error) => return Err(Error::io(cannot("create", &target), error)),
        }
        // A process that another thread starts just now has the file open, too, until it runs its program: that
        // would keep it locked.
        let _ = held.map(|held| held.file().unlock());
        sync_folder(&target)
            .map_err(|error| Error::io(cannot("synchronise the folder of", &target), error))
    }

    fn open(&self) -> Result<&Positioned> {
        match &self.file {
            Some(file) if !self.failed.load(Ordering::Relaxed) => Ok(file),
            _ => {
                let reason = io::Error::other("an earlier write to it has failed");
                Err(Error::io(self.cannot("complete"), reason))
            }
        }
    }

    fn write_through(&self, address: u64, bytes: &[u8]) -> Result<()> {
        self.open()?.write_at(address, bytes).map_err(|error| {
            self.failed.store(true, Ordering::Relaxed);
            Error::io(self.cannot("write"), error)
        })
    }

    fn cannot(&self, what: &str) -> String {
        cannot(what, &self.target)
    }
}

fn cannot(what: &str, target: &Path) -> String {
    format!("cannot {what} `{}`", file_name(&target))
}

/// Copies bytes from file to file; how many there were.
fn copy(mut from: &File, at: u64, bytes: u64, mut to: &File, address: u64) -> io::Result<u64> {
    from.seek(SeekFrom::Start(at))?;
    to.seek(SeekFrom::Start(address))?;
    io::copy(&mut from.take(bytes), &mut to)
}

/// Gives a file the permissions of the one that it will replace, if there is one; and its owner and group, as far as
/// this process may.
fn inherit(file: &File, replaced: Option<&fs::Metadata>) -> io::Result<()> {
    let Some(replaced) = replaced else { return Ok(()) };
    give(file, replaced);
    #[cfg(unix)]
    let permissions = {
        use std::os::unix::fs::PermissionsExt;
        // Not those by which a program runs as its owner: what is in it now may be by anybody.
        fs::Permissions::from_mode(replaced.permissions().mode() & 0o777)
    };
    #[cfg(not(unix))]
    let permissions = replaced.permissions();
    file.set_permissions(permissions)
}

/// Gives a file to the owner and the group of another one, as far as this process may.
#[cfg(unix)]
fn give(file: &File, other: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let Ok(own) = file.metadata() else { return };
    let uid = (own.uid() != other.uid()).then_some(other.uid());
    let gid = (own.gid() != other.gid()).then_some(other.gid());
    if (uid.is_some() || gid.is_some()) && fchown(file, uid, gid).is_err() {
        // The group alone may be one of ours.
        let _ = fchown(file, None, gid);
    }
}

#[cfg(not(unix))]
fn give(_file: &File, _other: &fs::Metadata) {}

/// The file that `path` means, and what is known of the one that is there.
fn target_of(path: &Path, overwrite: bool) -> Result<(PathBuf, Option<fs::Metadata>)> {
    let cannot = |error| Error::io(format!("cannot create `{}`", file_name(&path)), error);
    match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok((path.to_owned(), None));
        }
        Err(error) => return Err(cannot(error)),
        Ok(_) if !overwrite => return Err(Error::Exists { path: path.to_owned() }),
        Ok(_) => {}
    }
    let target = fs::canonicalize(path).map_err(cannot)?;
    let metadata = fs::metadata(&target).map_err(cannot)?;
    if !metadata.is_file() {
        let reason = "what is there is not a file, and will not be replaced";
        return Err(cannot(io::Error::new(io::ErrorKind::InvalidInput, reason)));
    }
    Ok((target, Some(metadata)))
}

/// Renames a file, but not over another one.
fn rename_to_new(from: &Path, to: &Path) -> io::Result<()> {
    match fs::hard_link(from, to) {
        // The target has its name; that the file still has another one is of little matter.
        Ok(()) => {
            let _ = fs::remove_file(from);
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // The file system has no links: what appears between these two calls is lost.
        Err(_) => match fs::symlink_metadata(to) {
            Ok(_) => Err(io::ErrorKind::AlreadyExists.into()),
            Err(_) => fs::rename(from, to),
        },
    }
}

/// Makes the name of a file durable.
#[cfg(unix)]
pub(crate) fn sync_folder(file: &Path) -> io::Result<()> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    match fs::File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all()) {
        // Some file systems cannot, and some folders can be written to but not read.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::InvalidInput
                    | io::ErrorKind::Unsupported
                    | io::ErrorKind::PermissionDenied
            ) =>
        {
            Ok(())
        }
        result => result,
    }
}

#[cfg(not(unix))]
pub(crate) fn sync_folder(_file: &Path) -> io::Result<()> {
    Ok(())
}

/// Checks that an output file is none of the inputs, under any name.
///
/// ```
/// use std::path::Path;
///
/// use dudley::bytes::check_target;
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// let path = folder.path().join("a.bd");
/// std::fs::write(&path, "some bytes").expect("space");
/// check_target(&folder.path().join("b.bd"), [&*path])?;
/// assert!(check_target(&folder.path().join("../").join(&path), [&*path]).is_err());
/// # Ok::<(), dudley::Error>(())
/// ```
///
/// # Errors
/// [`Error::IsRead`].
pub fn check_target<'p>(target: &Path, read: impl IntoIterator<Item = &'p Path>) -> Result<()> {
    let Ok(real) = target.canonicalize() else { return Ok(()) };
    let same = |read: &Path| read.canonicalize().is_ok_and(|read| read == real);
    if read.into_iter().any(same) {
        return Err(Error::IsRead { path: target.to_path_buf() });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().expect("a temporary folder")
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    /// Another process that has it open as well, such as one that is just being started.
    #[test]
    fn what_is_committed_is_locked_by_nobody() {
        let folder = folder();
        let path = folder.path().join("a.bd");
        let file = AtomicFile::create(&path, false).expect("nothing there");
        let _other = file.open().expect("it is open").file().try_clone().expect("a handle");
        file.commit().expect("space");
        Lock::open(&path).expect("it is free");
    }

    #[test]
    fn a_file_appears_when_committed() {
        let folder = folder();
        let path = folder.path().join("a.bd");
        let mut file = AtomicFile::create(&path, false).expect("nothing there");
        file.write_at(0, b"hello").expect("space");
        file.flush().expect("space");
        assert!(!path.exists());
        assert_eq!(names(folder.path()).len(), 1);
        file.commit().expect("still nothing there");
        assert_eq!(names(folder.path()), ["a.bd"]);
        assert_eq!(fs::read(&path).expect("there"), b"hello");
    }

    #[test]
    fn a_dropped_file_leaves_nothing() {
        let folder = folder();
        let path = folder.path().join("a.bd");
        fs::write(&path, b"old").expect("space");
        let mut file = AtomicFile::create(&path, true).expect("may replace");
        file.write_at(0, &vec![1; 1 << 20]).expect("space");
        drop(file);
        assert_eq!(names(folder.path()), ["a.bd"]);
        assert_eq!(fs::read(&path).expect("there"), b"old");
    }

    #[test]
    fn an_old_file_is_replaced_only_when_allowed() {
        let folder = folder();
        let path = folder.path().join("a.bd");
        fs::write(&path, b"old").expect("space");
        assert!(matches!(AtomicFile::create(&path, false), Err(Error::Exists { .. })));
        let mut file = AtomicFile::create(&path, true).expect("may replace");
        file.write_at(0, b"new").expect("space");
        assert_eq!(fs::read(&path).expect("there"), b"old");
        file.commit().expect("may replace");
        assert_eq!(fs::read(&path).expect("there"), b"new");
        assert_eq!(names(folder.path()), ["a.bd"]);
    }

    #[test]
    fn a_file_that_came_meanwhile_stays() {
        let folder = folder();
        let path = folder.path().join("a.bd");
        let mut file = AtomicFile::create(&path, false).expect("nothing there");
        file.write_at(0, b"new").expect("space");
        fs::write(&path, b"other").expect("space");
        assert!(matches!(file.commit(), Err(Error::Exists { .. })));
        assert_eq!(fs::read(&path).expect("there"), b"other");
        assert_eq!(names(folder.path()), ["a.bd"]);
    }

    #[test]
    fn a_failed_write_is_never_committed() {
        let folder = folder();
        let path = folder.path().join("a.bd");
        let mut file = AtomicFile::create(&path, false).expect("nothing there");
        file.write_at(0, b"start").expect("space");
        // No file system has such addresses.
        let far = file.write_at(u64::MAX - 9, b"far").and_then(|()| file.flush());
        assert!(matches!(far, Err(Error::Io { .. })));
        assert!(file.write_at(0, &vec![0; BUFFER]).is_err());
        assert!(file.read_at(0, &mut [0]).is_err());
        assert!(file.commit().is_err());
        assert_eq!(names(folder.path()), [""; 0]);
        assert!(AtomicFile::create(&path, false).expect("free").write_at(u64::MAX, b"x").is_err());
    }

    #[test]
    fn only_files_are_replaced() {
        let folder = folder();
        assert!(AtomicFile::create(folder.path(), true).is_err());
        assert!(AtomicFile::create(folder.path().join("no/such/folder.bd"), true).is_err());
        assert!(AtomicFile::create("..", false).is_err());
        #[cfg(unix)]
        assert!(AtomicFile::create("/dev/null", true).is_err());
        assert_eq!(names(folder.path()), [""; 0]);
    }

    #[test]
    #[cfg(unix)]
    fn links_are_followed_and_permissions_kept() {
        use std::os::unix::fs::PermissionsExt;
        let folder = folder();
        let (path, link) = (folder.path().join("a.bd"), folder.path().join("link.bd"));
        fs::write(&path, b"old").expect("space");
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("ours");
        std::os::unix::fs::symlink(&path, &link).expect("a link");
        let mut file = AtomicFile::create(&link, true).expect("may replace");
        file.write_at(0, b"new").expect("space");
        file.commit().expect("may replace");
        assert_eq!(fs::read(&path).expect("there"), b"new");
        assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
        assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o640);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn writes_in_any_order_agree_with_the_model(
            writes in prop::collection::vec(
                (0_u64..3000, prop_oneof![0_usize..60, Just(BUFFER - 1), Just(BUFFER), Just(BUFFER + 9)], 1_u8..),
                0..20,
            ),
            forward: bool,
            read_back: bool,
            more in 0_u64..100,
        ) {
            let folder = folder();
            let path = folder.path().join("a.bd");
            let mut file = AtomicFile::create(&path, false).expect("nothing there");
            let mut model = Vec::new();
            for (address, len, byte) in writes {
                let address = if forward { file.len() + address % 20 } else { address };
                let bytes = vec![byte; len];
                file.write_at(address, &bytes).expect("space");
                let end = if len > 0 { address as usize + len } else { 0 };
                model.resize(model.len().max(end), 0);
                if len > 0 {
                    model[address as usize..end].copy_from_slice(&bytes);
                }
                prop_assert_eq!(file.len(), model.len() as u64);
                if len == 0 || !read_back {
                    continue;
                }
                let mut back = vec![0; len.min(7)];
                file.read_at(address, &mut back).expect("written");
                prop_assert_eq!(&back[..], &bytes[..back.len()]);
            }
            file.extend_to(file.len() + more).expect("space");
            model.resize(model.len() + more as usize, 0);
            file.commit().expect("nothing there");
            prop_assert!(fs::read(&path).expect("there") == model);
        }
    }
}
