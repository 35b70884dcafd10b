//! Folders that are complete or absent.

use std::fs;
use std::path::{Path, PathBuf};

use super::temporary::{Temporary, folder_beside};
use super::{cannot, sync_folder};
use crate::error::{Error, Result};

/// A new folder that appears, with all that is in it, when it is [committed](AtomicFolder::commit).
///
/// Dropped before, it leaves nothing behind.
///
/// ```
/// use dudley::bytes::AtomicFolder;
///
/// # let parent = tempfile::tempdir()?;
/// # let path = parent.path().join("new");
/// let folder = AtomicFolder::create(&path)?;
/// std::fs::write(folder.path().join("a"), b"abc")?;
/// assert!(!path.exists());
/// folder.commit()?;
/// assert_eq!(std::fs::read(path.join("a"))?, b"abc");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct AtomicFolder {
    /// Its path on disk.
    #[cfg(unix)]
    held: fs::File,
    temporary: Temporary,
    target: PathBuf,
}

impl AtomicFolder {
    /// Begins a folder that will be `path`, where there is nothing, or an empty folder.
    ///
    /// # Errors
    /// [`Error::Exists`] when something else is there; [`Error::Io`] when a folder beside it cannot be created.
    pub fn create(path: impl AsRef<Path>) -> Result<AtomicFolder> {
        let target = path.as_ref().to_owned();
        need_room(&target)?;
        let made = folder_beside(&target);
        let (held, temporary) =
            made.map_err(|error| Error::io(cannot("create", &target), error))?;
        #[cfg(not(unix))]
        let () = held;
        Ok(AtomicFolder {
            #[cfg(unix)]
            held,
            temporary,
            target,
        })
    }

    /// The path of the folder before the commit: write its files there. Close the files before the commit.
    /// The commit does not make their contents durable; their writers do.
    pub fn path(&self) -> &Path {
        self.temporary.content()
    }

    /// Gives the folder its name.
    ///
    /// # Errors
    /// [`Error::Exists`] when something came to be there meanwhile; [`Error::Io`] when the operating system
    /// refuses. Then nothing is left of it, unless the message says that only the folder around it could not be
    /// synchronised.
    pub fn commit(self) -> Result<()> {
        let AtomicFolder { temporary, target, .. } = self;
        need_room(&target)?;
        let renamed = temporary.become_complete(|from| {
            if target.is_dir() {
                fs::remove_dir(&target)?;
            }
            fs::rename(from, &target)
        });
        renamed.map_err(|error| Error::io(cannot("create", &target), error))?;
        #[cfg(unix)]
        let _ = self.held.unlock();
        sync_folder(&target)
            .map_err(|error| Error::io(cannot("synchronise the folder of", &target), error))
    }
}

/// Checks that nothing would be lost if a folder became `target`.
fn need_room(target: &Path) -> Result<()> {
    let is_free = match fs::read_dir(target) {
        Ok(mut entries) => entries.next().is_none(),
        Err(_) => fs::symlink_metadata(target).is_err(),
    };
    if is_free { Ok(()) } else { Err(Error::Exists { path: target.to_owned() }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        let name = |entry: std::io::Result<fs::DirEntry>| {
            entry.expect("an entry").file_name().into_string().expect("text")
        };
        entries.map(name).collect()
    }

    #[test]
    fn an_empty_folder_is_replaced_and_nothing_else() {
        let parent = tempfile::tempdir().expect("a folder");
        let path = parent.path().join("new");
        fs::create_dir(&path).expect("space");
        let folder = AtomicFolder::create(&path).expect("an empty one");
        fs::write(folder.path().join("a"), b"a").expect("space");
        folder.commit().expect("an empty one");
        assert_eq!(names(parent.path()), ["new"]);
        for there in [path.clone(), path.join("a")] {
            let found = AtomicFolder::create(&there).expect_err("something is there");
            assert!(matches!(found, Error::Exists { path } if path == there));
        }
        assert_eq!(names(&path), ["a"]);
    }

    #[test]
    fn what_came_meanwhile_stays() {
        let parent = tempfile::tempdir().expect("a folder");
        let path = parent.path().join("new");
        let folder = AtomicFolder::create(&path).expect("space");
        fs::write(folder.path().join("a"), b"a").expect("space");
        fs::create_dir(&path).expect("space");
        fs::write(path.join("other"), b"b").expect("space");
        let found = folder.commit().expect_err("something is there");
        assert!(matches!(found, Error::Exists { .. }), "{found}");
        assert_eq!(
            (names(parent.path()), names(&path)),
            (vec!["new".into()], vec!["other".into()])
        );
    }

    #[test]
    fn a_dropped_folder_leaves_nothing() {
        let parent = tempfile::tempdir().expect("a folder");
        let folder = AtomicFolder::create(parent.path().join("new")).expect("space");
        fs::create_dir(folder.path().join("sub")).expect("space");
        fs::write(folder.path().join("sub/a"), b"a").expect("space");
        drop(folder);
        assert_eq!(names(parent.path()), Vec::<String>::new());
    }
}
