//! Files of one folder that get their names together: what if not all of them can be written?

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::temporary::{Temporary, folder_beside};
use super::{cannot, inherit, rename_to_new, sync_folder, target_of};
use crate::bytes::lock::Lock;
use crate::bytes::positioned;
use crate::error::{Error, Result};

/// New files of a folder in which others may be: all of them are written before the first one gets its name, when
/// they are [committed](AtomicFiles::commit).
///
/// Dropped before, they leave nothing behind. Where the names themselves cannot be given, files that were not there
/// before are not there afterwards.
///
/// ```
/// use dudley::bytes::AtomicFiles;
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// let files = AtomicFiles::create(folder.join("a.txt"), false)?;
/// std::fs::write(files.path().join("a.txt"), b"abc")?;
/// std::fs::write(files.path().join("b.txt"), b"def")?;
/// assert!(!folder.join("b.txt").exists());
/// files.commit(&["b.txt", "a.txt"])?;
/// assert_eq!(std::fs::read(folder.join("a.txt"))?, b"abc");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AtomicFiles {
    /// Their paths on disk.
    #[cfg(unix)]
    _held: fs::File,
    temporary: Temporary,
    /// One of them.
    named: PathBuf,
    overwrite: bool,
}

impl AtomicFiles {
    /// Begins files that will be in the folder of `named`, which is one of them; with `overwrite` in place of those
    /// that are there, as [`AtomicFile::create`](super::AtomicFile::create) has it.
    ///
    /// # Errors
    /// [`Error::Io`] when a folder beside it cannot be created.
    pub fn create(named: impl AsRef<Path>, overwrite: bool) -> Result<AtomicFiles> {
        let named = named.as_ref().to_owned();
        let made = folder_beside(&named);
        let (held, temporary) = made.map_err(|error| Error::io(cannot("create", &named), error))?;
        #[cfg(not(unix))]
        let () = held;
        Ok(AtomicFiles {
            #[cfg(unix)]
            _held: held,
            temporary,
            named,
            overwrite,
        })
    }

    /// The folder that they are in until they are committed: they are written there. Files must be closed before the
    /// commit, and are as safe from power cuts then as their writers made them.
    pub fn path(&self) -> &Path {
        self.temporary.content()
    }

    /// Renames the files in this order: a file that refers to others comes last.
    ///
    /// # Errors
    /// [`Error::Exists`] for an existing name, without `overwrite`; [`Error::Locked`] if another program writes to
    /// it; [`Error::Io`] if the operating system refuses.
    pub fn commit(self, names: &[impl AsRef<Path>]) -> Result<()> {
        let AtomicFiles { temporary, named, overwrite, .. } = self;
        let placed = |from: &Path, name: &Path| {
            let (target, replaced) = target_of(&named.with_file_name(name), overwrite)?;
            let lock = if replaced.is_some() { Lock::of_replaced(&target)? } else { None };
            Ok::<_, Error>((from.join(name), target, replaced, lock))
        };
        // All of them are asked before the first is renamed.
        for name in names {
            let (from, target, replaced, _) = placed(temporary.steady(), name.as_ref())?;
            let file = positioned::open(&from, fs::File::options().read(true));
            let inherited = file.and_then(|file| inherit(&file, replaced.as_ref()));
            inherited.map_err(|error| Error::io(cannot("write", &target), error))?;
        }
        let mut failed = None;
        let renamed = temporary.become_complete(|from| {
            let mut fresh = Vec::new();
            for name in names {
                let renamed =
                    placed(from, name.as_ref()).and_then(|(from, target, replaced, _)| {
                        let renamed = match replaced {
                            Some(_) => fs::rename(from, &target),
                            None => rename_to_new(&from, &target),
                        };
                        renamed.map_err(|error| match error.kind() {
                            io::ErrorKind::AlreadyExists => Error::Exists { path: target.clone() },
                            _ => Error::io(cannot("create", &target), error),
                        })?;
                        Ok(replaced.is_none().then_some(target))
                    });
                match renamed {
                    Ok(target) => fresh.extend(target),
                    Err(error) => {
                        // Half of them would be of no use; what cannot be removed does no harm.
                        fresh.into_iter().for_each(|path: PathBuf| drop(fs::remove_file(path)));
                        failed = Some(error);
                        return Err(io::ErrorKind::Other.into());
                    }
                }
            }
            Ok(())
        });
        match (renamed, failed) {
            (Ok(()), _) => sync_folder(&named)
                .map_err(|error| Error::io(cannot("synchronise the folder of", &named), error)),
            (Err(_), Some(error)) => Err(error),
            (Err(error), None) => Err(Error::io(cannot("create", &named), error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let name = |entry: io::Result<fs::DirEntry>| {
            entry.expect("an entry").file_name().into_string().expect("text")
        };
        let mut names: Vec<String> = entries.map(name).collect();
        names.sort();
        names
    }

    fn begun(folder: &Path, overwrite: bool) -> AtomicFiles {
        let files = AtomicFiles::create(folder.join("a"), overwrite).expect("space");
        for name in ["a", "b", "c"] {
            fs::write(files.path().join(name), name).expect("space");
        }
        files
    }

    #[test]
    fn none_is_there_if_one_cannot_be() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        drop(begun(folder, false));
        assert!(names(folder).is_empty());
        for (there, overwrite) in [("b", false), ("c", false), ("c", true)] {
            if overwrite {
                fs::create_dir(folder.join(there)).expect("space")
            } else {
                fs::write(folder.join(there), "mine").expect("space")
            }
            begun(folder, overwrite).commit(&["a", "b", "c"]).expect_err("something is there");
            assert_eq!(names(folder), [there]);
            let there = folder.join(there);
            let _ = fs::remove_file(&there).or_else(|_| fs::remove_dir(&there));
        }
        // One that was promised was not written.
        begun(folder, false).commit(&["a", "b", "d"]).expect_err("there is none");
        assert!(names(folder).is_empty());
    }

    #[test]
    fn files_that_are_there_are_replaced_if_that_is_asked_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let folder = folder.path();
        fs::write(folder.join("b"), "before").expect("space");
        fs::write(folder.join("other"), "mine").expect("space");
        #[cfg(unix)]
        let mode = {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode();
            let private = fs::Permissions::from_mode(0o640);
            fs::set_permissions(folder.join("b"), private).expect("mine");
            mode
        };
        begun(folder, true).commit(&["c", "b", "a"]).expect("they fit");
        assert_eq!(names(folder), ["a", "b", "c", "other"]);
        assert_eq!(fs::read(folder.join("b")).expect("there"), b"b");
        assert_eq!(fs::read(folder.join("other")).expect("there"), b"mine");
        #[cfg(unix)]
        assert_eq!(mode(&folder.join("b")) & 0o777, 0o640);
    }
}
