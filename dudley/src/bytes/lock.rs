//! One writer at a time: a lock on the file, and a note beside it that says who holds it.
//!
//! The lock is the operating system's, so it ends with its process, however that ends. The note,
//! `.NAME.lock`, is only for the message to the one who is refused: one that was left behind keeps
//! nobody out. Readers look at neither. Whatever else has the name of a note stays as it is, be it a link
//! or a pipe; then there is no note, and the lock holds all the same.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::Read;
#[cfg(not(windows))]
use std::io::Write;
use std::path::{Path, PathBuf};
#[cfg(not(windows))]
use std::time::{SystemTime, UNIX_EPOCH};

#[cfg(not(windows))]
use crate::bytes::date::utc;
use crate::bytes::positioned;
use crate::error::{Error, Result, file_name};

/// The right to write a file or to put another one in its place, until it is dropped.
///
/// ```
/// use dudley::Error;
/// use dudley::bytes::Lock;
/// use dudley::bytes::AtomicFile;
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("a.bd");
/// std::fs::write(&path, b"abc")?;
/// let (file, lock) = Lock::open(&path)?;
/// assert!(matches!(Lock::open(&path), Err(Error::Locked { .. })));
/// assert!(matches!(AtomicFile::create(&path, true), Err(Error::Locked { .. })));
/// drop(lock);
/// Lock::open(&path)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Lock {
    /// The locked file.
    locked: File,
    note: Option<Note>,
}

/// What says who holds a lock, for people.
#[derive(Debug)]
struct Note {
    path: PathBuf,
    file: File,
}

/// How each note begins.
const NOTE: &str = "process ";

/// A longer one is none.
const LONGEST: u64 = 4096;

/// So often a file is replaced between its opening and its locking by nobody who means well.
const TRIES: u32 = 16;

impl Lock {
    /// Opens a file to read and write, and locks it against other writers and against replacement. Readers are
    /// not locked out.
    ///
    /// # Errors
    /// [`Error::Locked`] when another one holds it; [`Error::Io`] when it cannot be opened, or the file system
    /// has no locks.
    pub fn open(path: impl AsRef<Path>) -> Result<(File, Lock)> {
        let path = path.as_ref();
        let cannot =
            |error| Error::io(format!("cannot open `{}` to write", file_name(&path)), error);
        // The note stands beside the file itself, by whatever link that was found.
        let path = path.canonicalize().map_err(cannot)?;
        for _ in 0..TRIES {
            let options = &mut File::options();
            let file = positioned::open(&path, options.read(true).write(true)).map_err(cannot)?;
            let lock = Lock::take(&file, &path)?;
            // Who had it before may have put another file there.
            if is_still(&file, &path) {
                return Ok((file, lock));
            }
        }
        let holder = "others, which put new files there".into();
        Err(Error::Locked { path, holder })
    }

    /// Locks a file that is to be replaced. Where there are no locks nobody can hold one, so that there is
    /// nothing to respect.
    ///
    /// # Errors
    /// [`Error::Locked`] when another one holds it.
    pub(crate) fn of_replaced(path: &Path) -> Result<Option<Lock>> {
        let Ok(file) = positioned::open(path, File::options().read(true)) else { return Ok(None) };
        match Lock::take(&file, path) {
            Err(error @ Error::Locked { .. }) => Err(error),
            taken => Ok(taken.ok()),
        }
    }

    /// Locks a file that is open by `path`.
    fn take(file: &File, path: &Path) -> Result<Lock> {
        let cannot = |error| Error::io(format!("cannot lock `{}`", file_name(&path)), error);
        let note = note_of(path);
        let locked = lockable(file, &note).map_err(cannot)?;
        match locked.try_lock() {
            Ok(()) => Ok(Lock { locked, note: Note::write(note) }),
            Err(TryLockError::WouldBlock) => {
                let holder = Note::read(&note).unwrap_or_else(|| "another writer".to_owned());
                Err(Error::Locked { path: path.to_owned(), holder: holder.into() })
            }
            Err(TryLockError::Error(error)) => Err(cannot(error)),
        }
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        // While it is still locked, so that the note is ours.
        if let Some(note) = &self.note
            && is_still(&note.file, &note.path)
        {
            let _ = fs::remove_file(&note.path);
        }
        // The file may be open elsewhere in this process, which would keep it locked.
        let _ = self.locked.unlock();
    }
}

impl Note {
    /// A new one, in place of one that was left behind; `None` if something else has the name.
    #[cfg(not(windows))]
    fn write(path: PathBuf) -> Option<Note> {
        // One without a word is of a process that was killed before it wrote any.
        if Note::first_line(&path).is_some_and(|line| line.is_empty() || line.starts_with(NOTE)) {
            fs::remove_file(&path).ok()?;
        }
        // A new file: no link is followed, and nothing is written over.
        let mut file = File::create_new(&path).ok()?;
        let _ = file.write_all(format!("{}\n", holder()).as_bytes());
        Some(Note { path, file })
    }

    /// The note is what is locked, so that nothing can be written to it.
    #[cfg(windows)]
    fn write(path: PathBuf) -> Option<Note> {
        let file = File::open(&path).ok()?;
        Some(Note { path, file })
    }

    /// The text of a note; `None` if there is no note, or another kind of file has its name.
    fn read(path: &Path) -> Option<String> {
        Note::first_line(path).filter(|line| line.starts_with(NOTE))
    }

    /// The first line of what has the name of a note; `None` if there is none, or it is no text in a file.
    fn first_line(path: &Path) -> Option<String> {
        let file = positioned::open(path, File::options().read(true)).ok()?;
        if !is_still(&file, path) {
            return None;
        }
        let mut text = String::new();
        file.take(LONGEST).read_to_string(&mut text).ok()?;
        Some(text.lines().next().unwrap_or_default().trim().to_owned())
    }
}

/// Whether an open file is the one of a path that is no link.
#[cfg(unix)]
pub(crate) fn is_still(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |found: fs::Metadata| (found.dev(), found.ino());
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(open), Ok(named)) => identity(open) == identity(named),
        _ => false,
    }
}

/// Elsewhere the lock is beside the file, whatever file that is.
#[cfg(not(unix))]
pub(crate) fn is_still(_: &File, _: &Path) -> bool {
    true
}

/// The locked file: on Windows a lock excludes readers too, so there it is the note.
#[cfg(windows)]
fn lockable(_: &File, note: &Path) -> std::io::Result<File> {
    use std::os::windows::fs::OpenOptionsExt;
    /// Of a link it is the link that is opened.
    const FILE_FLAG_OPEN_REPARSE_POINT: u32 = 0x0020_0000;
    let mut options = File::options();
    options.custom_flags(FILE_FLAG_OPEN_REPARSE_POINT);
    options.read(true).write(true).create(true).truncate(false).open(note)
}

/// The locked file: the file itself, under any name.
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
#[cfg(not(windows))]
fn holder() -> String {
    let host = fs::read_to_string("/proc/sys/kernel/hostname").ok();
    let host = host.or_else(|| fs::read_to_string("/etc/hostname").ok());
    let host = host.or_else(|| std::env::var("COMPUTERNAME").ok());
    let host = host.map(|host| format!(" on {}", host.trim())).unwrap_or_default();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let now = i64::try_from(now).unwrap_or(i64::MAX);
    format!("{NOTE}{}{host} since {}", std::process::id(), utc(now))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::output::AtomicFile;

    #[test]
    fn the_second_is_refused_and_told_of_the_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.bd");
        fs::write(&path, b"x").expect("space");
        let note = folder.path().join(".a.bd.lock");
        for left in ["", "process 1 of long ago\n"] {
            fs::write(&note, left).expect("space");
            drop(Lock::open(&path).expect("a note alone keeps nobody out"));
            assert!(cfg!(windows) || !note.exists(), "it is taken away");
        }
        fs::write(&note, "process 1 of long ago\n").expect("space");
        let (_, first) = Lock::open(&path).expect("a note alone keeps nobody out");
        let error = Lock::open(&path).expect_err("it is held").to_string();
        let this = format!("process {}", std::process::id());
        assert!(cfg!(windows) || error.contains(&this), "{error}");
        assert_eq!(fs::read(&path).expect("readers need no lock"), b"x");
        drop(first);
        let left = fs::read_dir(folder.path()).expect("a folder").count();
        assert!(cfg!(windows) || left == 1, "the note is gone");
        Lock::open(&path).expect("it is free again");
    }

    /// Any user who may write to the folder may put any file there.
    #[cfg(unix)]
    #[test]
    fn what_has_the_name_of_a_note_stays_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let (path, other) = (folder.path().join("a.bd"), folder.path().join("precious"));
        let note = folder.path().join(".a.bd.lock");
        fs::write(&path, b"x").expect("space");
        let words = "process 1 is not what this is about, but it begins so\n";
        fs::write(&other, words).expect("space");
        let link = |to: &Path| std::os::unix::fs::symlink(to, &note).expect("a link");
        let pipe = || {
            let made = std::process::Command::new("mkfifo").arg(&note).status();
            assert!(made.expect("it runs").success());
        };
        let ways: [&dyn Fn(); 6] = [
            &|| link(&other),
            &|| link(&folder.path().join("nowhere")),
            &|| link(folder.path()),
            &pipe,
            &|| fs::create_dir(&note).expect("space"),
            &|| fs::write(&note, "what somebody keeps here").expect("space"),
        ];
        for put in ways {
            put();
            let kind = |path: &Path| fs::symlink_metadata(path).expect("there").file_type();
            let before = kind(&note);
            let (_, lock) = Lock::open(&path).expect("it is free");
            let error = Lock::open(&path).expect_err("it is held").to_string();
            assert!(error.contains("another writer"), "{error}");
            assert!(matches!(AtomicFile::create(&path, true), Err(Error::Locked { .. })));
            drop(lock);
            AtomicFile::create(&path, true).and_then(AtomicFile::commit).expect("it is free");
            assert_eq!(kind(&note), before);
            assert_eq!(fs::read_to_string(&other).expect("there"), words);
            let _ = fs::remove_file(&note).or_else(|_| fs::remove_dir(&note));
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2);
    }

    #[test]
    fn what_is_being_written_is_not_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.bd");
        fs::write(&path, b"old").expect("space");
        let (_, lock) = Lock::open(&path).expect("it is free");
        let error = AtomicFile::create(&path, true).expect_err("it is held");
        assert!(matches!(error, Error::Locked { .. }), "{error}");
        // Who holds it may.
        let mut new = AtomicFile::replace(&path, lock).expect("it is ours");
        new.write_at(0, b"new").expect("space");
        assert!(matches!(Lock::open(&path), Err(Error::Locked { .. })));
        new.commit().expect("space");
        assert_eq!(fs::read(&path).expect("there"), b"new");
        let left = fs::read_dir(folder.path()).expect("a folder").count();
        assert!(cfg!(windows) || left == 1, "the note is gone");
    }

    /// A writer that waited for another one writes to the file that this one put there.
    #[cfg(unix)]
    #[test]
    fn a_file_that_was_replaced_is_opened_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.bd");
        fs::write(&path, b"old").expect("space");
        let old = File::open(&path).expect("there");
        assert!(is_still(&old, &path));
        AtomicFile::create(&path, true).and_then(AtomicFile::commit).expect("space");
        assert!(!is_still(&old, &path));
        let (file, _lock) = Lock::open(&path).expect("it is free");
        assert!(is_still(&file, &path));
    }
}
