//! Checkpoints of a program that runs for long: a directory of those that are known to be whole, of which the oldest go.
//!
//! A checkpoint is a folder of files that the program writes, `checkpoint-0000000042`, and a manifest: the checksum of each
//! file, and how long the histories were, which are files of records that grow. All of it is written aside and gets its
//! name in one step. After a crash [`Checkpoints::latest`] finds the newest that is whole, and cuts the histories
//! back to it.
//!
//! ```
//! use dudley::append::Append;
//! use dudley::checkpoint::{Checkpoints, Rotation};
//! use dudley::create::Create;
//! use dudley::Stream;
//!
//! # let folder = tempfile::tempdir().expect("a folder");
//! # let dir = folder.path().join("checkpoints");
//! let checkpoints = Checkpoints::open(&dir, Rotation { keep: 2, every: 10 })?;
//! let mut step = 0;
//! let path = dir.join("history.bd");
//! match checkpoints.latest()?.checkpoint {
//!     Some(found) => step = Stream::open(found.file("state.bd"))?.get("/step")?.scalar::<i64>()? as u64,
//!     None => Create::text("NT : i8  t = f8[NT]")?.param("NT", 0).file(&path)?.finish()?,
//! }
//! let mut history = Append::open(&path)?;
//! while step < 30 {
//!     step += 1;
//!     history.records("/t")?.push_value(step as f64)?;
//!     if checkpoints.is_due(step) {
//!         let mut draft = checkpoints.begin(step)?;
//!         let state = Create::text("step = i8  rho = f8[3]")?.file(draft.file("state.bd"))?;
//!         state.write("/step", step as i64)?;
//!         state.write("/rho", &[1.0, 2.0, 3.0])?;
//!         state.finish()?;
//!         draft.history("history.bd", &mut history, "/t")?;
//!         draft.publish()?;
//!     }
//! }
//! let steps: Vec<u64> = dudley::checkpoint::list(&dir)?.iter().map(|it| it.step).collect();
//! assert_eq!(steps, [20, 30]);
//! # Ok::<(), dudley::Error>(())
//! ```

mod draft;
mod manifest;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::append::Append;
use crate::bytes::lock::Lock;
use crate::bytes::output::remove_left;
use crate::error::{Error, Result, file_name};
use draft::Directory;
pub use draft::Draft;
pub use manifest::{Checkpoint, History, LAYOUT, Stored};

/// The prefix of the name of a checkpoint.
const NAME: &str = "checkpoint-";
/// The prefix of a skipped checkpoint.
const SKIPPED: &str = "skipped-";
/// What that of one ends with that is being removed, before `.tmp`.
const OLD: &str = ".old";
/// The file that is locked.
const LOCK: &str = "checkpoints.lock";

/// How many checkpoints to keep, and how often to write one.
///
/// ```
/// use dudley::checkpoint::Rotation;
///
/// let hourly = Rotation { keep: 2, every: 100 }; // the newest two, one every 100 steps
/// assert_eq!(hourly.keep, 2);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rotation {
    /// The number of newest checkpoints to keep: at least one.
    pub keep: usize,
    /// One is [due](Checkpoints::is_due) every this many steps; 0 for never.
    pub every: u64,
}

/// A directory of checkpoints, which one program writes at a time.
///
/// ```
/// use dudley::checkpoint::{Checkpoints, Rotation};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let dir = folder.path().join("checkpoints");
/// let checkpoints = Checkpoints::open(&dir, Rotation { keep: 3, every: 100 })?;
/// assert!(checkpoints.is_due(200) && !checkpoints.is_due(250));
/// assert!(checkpoints.latest()?.checkpoint.is_none()); // the run begins at its first step
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Debug)]
pub struct Checkpoints {
    directory: PathBuf,
    rotation: Rotation,
    _lock: Lock,
}

/// The result of [`Checkpoints::latest`].
///
/// ```
/// use dudley::checkpoint::{Checkpoints, Latest, Rotation};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// let checkpoints = Checkpoints::open(folder.path(), Rotation { keep: 2, every: 10 })?;
/// let Latest { checkpoint, skipped } = checkpoints.latest()?;
/// assert!(checkpoint.is_none() && skipped.is_empty());
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Debug)]
pub struct Latest {
    /// The newest complete checkpoint, or `None`.
    pub checkpoint: Option<Checkpoint>,
    /// Newer, incomplete ones, each with its fault, the newest first.
    pub skipped: Vec<(u64, Error)>,
}

/// A checkpoint in a directory.
///
/// ```
/// use dudley::checkpoint::{Checkpoints, Listed, Rotation, list};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// let checkpoints = Checkpoints::open(folder.path(), Rotation { keep: 2, every: 10 })?;
/// checkpoints.begin(10)?.publish()?;
/// let [Listed { step, folder, checkpoint }] = &list(folder.path())?[..] else { panic!("one") };
/// assert!(*step == 10 && folder.ends_with("checkpoint-0000000010") && checkpoint.is_ok());
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Debug)]
pub struct Listed {
    /// Its step.
    pub step: u64,
    /// Its folder.
    pub folder: PathBuf,
    /// Its contents, or the reason why they are unknown. The files are not read.
    pub checkpoint: Result<Checkpoint>,
}

impl Checkpoints {
    /// Opens a directory, creates it if it is missing, and locks it against other programs. Unfinished
    /// checkpoints of killed programs are removed.
    ///
    /// ```
    /// use dudley::Error;
    /// use dudley::checkpoint::{Checkpoints, Rotation};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// let rotation = Rotation { keep: 2, every: 10 };
    /// let _first = Checkpoints::open(folder.path(), rotation)?;
    /// let second = Checkpoints::open(folder.path(), rotation);
    /// assert!(matches!(second.expect_err("locked").cause(), Error::Locked { .. }));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Locked`] if another program has it, such as a job that was started twice; [`Error::Io`].
    pub fn open(directory: impl AsRef<Path>, rotation: Rotation) -> Result<Checkpoints> {
        let directory = directory.as_ref();
        let io = |error| Error::io(format!("cannot make `{}`", file_name(&directory)), error);
        fs::create_dir_all(directory).map_err(io)?;
        let lock = directory.join(LOCK);
        fs::OpenOptions::new().create(true).append(true).open(&lock).map_err(io)?;
        let (_, lock) = Lock::open(lock)?;
        for name in names(directory)? {
            let Some(left) = name.strip_prefix('.').and_then(|name| name.strip_suffix(".tmp"))
            else {
                continue;
            };
            if left.starts_with(NAME) && left.ends_with(OLD) {
                // Its program was killed while it removed it, and the directory is ours. What cannot be removed yet, as where
                // another machine reads it, keeps no run from its start.
                let _ = fs::remove_dir_all(directory.join(&name));
                continue;
            }
            // Of a file that is there, such as a history: nobody will write it anew and take its name.
            let target = left.rsplit_once('.').filter(|(_, count)| count.parse::<u32>().is_ok());
            let is_there = target.is_some_and(|(target, _)| directory.join(target).is_file());
            if left.starts_with(NAME) || is_there {
                remove_left(&directory.join(name));
            }
        }
        Ok(Checkpoints { directory: directory.to_owned(), rotation, _lock: lock })
    }

    /// Its path.
    ///
    /// ```
    /// use dudley::checkpoint::{Checkpoints, Rotation};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// let checkpoints = Checkpoints::open(folder.path(), Rotation { keep: 2, every: 10 })?;
    /// assert_eq!(checkpoints.directory(), folder.path());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// Whether a checkpoint belongs to a step.
    ///
    /// ```
    /// use dudley::checkpoint::{Checkpoints, Rotation};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// let checkpoints = Checkpoints::open(folder.path(), Rotation { keep: 2, every: 10 })?;
    /// assert!(checkpoints.is_due(20) && !checkpoints.is_due(25) && !checkpoints.is_due(0));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn is_due(&self, step: u64) -> bool {
        self.rotation.every > 0 && step > 0 && step.is_multiple_of(self.rotation.every)
    }

    /// Finds the newest complete checkpoint: all its files are there and match their checksums, and the histories
    /// have at least their old lengths. The histories are then cut back to these lengths; they must not be open.
    /// Newer, incomplete checkpoints are renamed (`skipped-…`), so that the program can write their steps again. If
    /// no checkpoint is complete, nothing is changed.
    ///
    /// ```
    /// use dudley::checkpoint::{Checkpoints, Rotation};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// let checkpoints = Checkpoints::open(folder.path(), Rotation { keep: 2, every: 10 })?;
    /// checkpoints.begin(10)?.publish()?;
    /// let found = checkpoints.latest()?.checkpoint.expect("that of step 10");
    /// assert_eq!(found.step(), 10);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Io`] if the directory cannot be read; as [`Append::truncate`] of a history.
    pub fn latest(&self) -> Result<Latest> {
        let mut skipped = Vec::new();
        for (step, folder) in folders(&self.directory)?.into_iter().rev() {
            let whole = Checkpoint::open(&folder, step).and_then(|checkpoint| {
                checkpoint.verify()?;
                checkpoint.check_histories(&self.directory).map(|()| checkpoint)
            });
            match whole {
                Err(error) => skipped.push((step, error)),
                Ok(checkpoint) => {
                    for history in checkpoint.histories() {
                        let path = self.directory.join(&history.file);
                        let mut append = Append::open(&path)?;
                        let cut = append.truncate(&history.path, history.records);
                        cut.and_then(|()| append.close()).map_err(|error| error.of_file(&path))?;
                    }
                    for (step, _) in &skipped {
                        self.set_aside(*step)?;
                    }
                    // A program that was killed may not have come to it.
                    self.rotate()?;
                    return Ok(Latest { checkpoint: Some(checkpoint), skipped });
                }
            }
        }
        Ok(Latest { checkpoint: None, skipped })
    }

    /// Begins the checkpoint of a step. Nothing of it is seen before [`Draft::publish`].
    ///
    /// ```
    /// use dudley::checkpoint::{Checkpoints, Rotation, list};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// let checkpoints = Checkpoints::open(folder.path(), Rotation { keep: 2, every: 10 })?;
    /// let mut draft = checkpoints.begin(10)?;
    /// std::fs::write(draft.file("notes.txt"), "any file").expect("space");
    /// assert!(list(folder.path())?.is_empty());
    /// draft.publish()?;
    /// assert_eq!(list(folder.path())?.len(), 1);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Exists`] if there is one of that step; [`Error::Io`].
    pub fn begin(&self, step: u64) -> Result<Draft<'_>> {
        Draft::new(Directory::Lent(self), step)
    }

    /// As [`Self::begin`], of a checkpoint that keeps the directory open itself: for programs that pass it on.
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use dudley::checkpoint::{Checkpoints, Draft, Rotation};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// let checkpoints = Arc::new(Checkpoints::open(folder.path(), Rotation { keep: 2, every: 10 })?);
    /// let draft: Draft<'static> = checkpoints.begin_owned(10)?;
    /// assert_eq!(draft.publish()?.step(), 10);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::begin`].
    pub fn begin_owned(self: Arc<Self>, step: u64) -> Result<Draft<'static>> {
        Draft::new(Directory::Shared(self), step)
    }

    /// Removes the oldest ones. Each loses its name in one step, so that none is ever seen in part.
    fn rotate(&self) -> Result<()> {
        let all = folders(&self.directory)?;
        let old = all.len().saturating_sub(self.rotation.keep.max(1));
        for (_, folder) in &all[..old] {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            let gone = self.directory.join(format!(".{name}{OLD}.tmp"));
            let removed = fs::rename(folder, &gone).and_then(|()| fs::remove_dir_all(&gone));
            let io = |error| Error::io(format!("cannot remove `{}`", file_name(folder)), error);
            removed.map_err(io)?;
        }
        Ok(())
    }

    /// Gives a checkpoint another name, which is taken from one that had it before.
    fn set_aside(&self, step: u64) -> Result<()> {
        let (from, to) = (folder_of(&self.directory, step), self.directory.join(aside(step)));
        let renamed = match fs::remove_dir_all(&to) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => fs::rename(&from, &to),
        };
        renamed.map_err(|error| Error::io(format!("cannot rename `{}`", file_name(&from)), error))
    }
}

fn folder_of(directory: &Path, step: u64) -> PathBuf {
    directory.join(format!("{NAME}{step:010}"))
}

fn aside(step: u64) -> String {
    format!("{SKIPPED}{step:010}")
}

/// The checkpoints of a directory by their steps, the oldest first. Nothing is locked: one that is removed meanwhile is
/// an error of its own.
///
/// ```
/// use dudley::checkpoint::{Checkpoints, Rotation, list};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// let checkpoints = Checkpoints::open(folder.path(), Rotation { keep: 2, every: 10 })?;
/// for step in [10, 20, 30] {
///     checkpoints.begin(step)?.publish()?;
/// }
/// let steps: Vec<u64> = list(folder.path())?.iter().map(|listed| listed.step).collect();
/// assert_eq!(steps, [20, 30]);
/// # Ok::<(), dudley::Error>(())
/// ```
///
/// # Errors
/// [`Error::Io`] if the directory cannot be read.
pub fn list(directory: impl AsRef<Path>) -> Result<Vec<Listed>> {
    let listed = |(step, folder): (u64, PathBuf)| {
        let checkpoint = Checkpoint::open(&folder, step);
        Listed { step, folder, checkpoint }
    };
    Ok(folders(directory.as_ref())?.into_iter().map(listed).collect())
}

/// The steps and folders of the checkpoints of a directory, the oldest first. None is opened.
fn folders(directory: &Path) -> Result<Vec<(u64, PathBuf)>> {
    let mut found = Vec::new();
    for name in names(directory)? {
        let digits = name.strip_prefix(NAME).filter(|it| it.bytes().all(|it| it.is_ascii_digit()));
        let Some(step) = digits.and_then(|digits| digits.parse().ok()) else { continue };
        let folder = directory.join(&name);
        if folder_of(directory, step) == folder {
            found.push((step, folder));
        }
    }
    found.sort_unstable();
    Ok(found)
}

/// The names in a directory, of those that are text.
fn names(directory: &Path) -> Result<Vec<String>> {
    let io = |error| Error::io(format!("cannot read `{}`", file_name(&directory)), error);
    let entries = fs::read_dir(directory).map_err(io)?;
    let names = entries.map(|entry| entry.map(|entry| entry.file_name().into_string().ok()));
    Ok(names.collect::<io::Result<Vec<_>>>().map_err(io)?.into_iter().flatten().collect())
}
