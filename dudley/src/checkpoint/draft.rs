//! A checkpoint that is being written, and published in one step.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::ops::Deref;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::manifest::{History, NAME, Stored, sum, write};
use super::{Checkpoint, Checkpoints, folder_of};
use crate::append::Append;
use crate::bytes::output::{AtomicFolder, sync_folder};
use crate::create::Checksum;
use crate::error::{Error, Result, file_name};

/// A checkpoint that is being written. Dropped, it leaves nothing.
#[derive(Debug)]
pub struct Draft<'c> {
    checkpoints: Directory<'c>,
    step: u64,
    folder: AtomicFolder,
    histories: Vec<History>,
    /// Checksums that are known, by the path in the folder.
    known: BTreeMap<PathBuf, Checksum>,
}

/// The directory that a draft is for, lent or shared.
#[derive(Debug)]
pub(super) enum Directory<'c> {
    Lent(&'c Checkpoints),
    Shared(Arc<Checkpoints>),
}

impl Deref for Directory<'_> {
    type Target = Checkpoints;

    fn deref(&self) -> &Checkpoints {
        match self {
            Directory::Lent(checkpoints) => checkpoints,
            Directory::Shared(checkpoints) => checkpoints,
        }
    }
}

impl<'c> Draft<'c> {
    pub(super) fn new(checkpoints: Directory<'c>, step: u64) -> Result<Draft<'c>> {
        let folder = AtomicFolder::create(folder_of(&checkpoints.directory, step))?;
        let known = BTreeMap::new();
        Ok(Draft { checkpoints, step, folder, histories: Vec::new(), known })
    }

    /// The path where a file of the checkpoint must be written, by any program and in any format. All files must be
    /// complete and closed before the checkpoint is published.
    pub fn file(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Notes the checksum of a complete file, as the [`Writer`](crate::create::Writer::checksum) that wrote it has it. A file
    /// whose checksum is not known is read once more for it, and so is one that has another length by now.
    ///
    /// ```
    /// use dudley::checkpoint::{Checkpoints, Rotation};
    /// use dudley::create::Create;
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// let checkpoints = Checkpoints::open(folder.path(), Rotation { keep: 2, every: 10 })?;
    /// let mut draft = checkpoints.begin(10)?;
    /// let writer = Create::text("x = f8[2]")?.checksum(true).file(draft.file("state.bd"))?;
    /// writer.write("/x", &[1.0, 2.0])?;
    /// writer.finish()?;
    /// draft.checksum("state.bd", writer.checksum());
    /// draft.publish()?.verify()?; // only `verify` reads the file
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn checksum(&mut self, name: impl Into<PathBuf>, checksum: Option<Checksum>) {
        let name = name.into();
        match checksum {
            Some(checksum) => drop(self.known.insert(name, checksum)),
            None => drop(self.known.remove(&name)),
        }
    }

    /// Commits a history, and notes its length. `file` is its path, relative to the directory of the checkpoints;
    /// `path` is the path of the growing list or array in it.
    ///
    /// # Errors
    /// If committing fails.
    pub fn history(
        &mut self,
        file: impl Into<PathBuf>,
        append: &mut Append,
        path: &str,
    ) -> Result<()> {
        append.sync()?;
        let records = append.records(path)?.len();
        self.histories.push(History { file: file.into(), path: path.to_owned(), records });
        Ok(())
    }

    /// Makes it a checkpoint: all files are made durable, and read once more for their checksums where those are not
    /// [known](Self::checksum); then all of it gets its name in one step. The oldest checkpoints are removed after that.
    ///
    /// # Errors
    /// [`Error::Io`]; [`Error::Exists`] if there is one of this step meanwhile. It is not published then, unless the
    /// message says that old ones could not be removed.
    pub fn publish(self) -> Result<Checkpoint> {
        let Draft { checkpoints, step, folder, histories, known } = self;
        let mut files = Vec::new();
        stored(folder.path(), Path::new(""), &known, &mut files)?;
        files.sort_by(|a, b| a.name.cmp(&b.name));
        write(&folder.path().join(NAME), step, &files, &histories)?;
        folder.commit()?;
        checkpoints.rotate()?;
        Checkpoint::open(&folder_of(&checkpoints.directory, step), step)
    }
}

/// The files in a folder, with their checksums; they are durable then.
fn stored(
    folder: &Path,
    within: &Path,
    known: &BTreeMap<PathBuf, Checksum>,
    files: &mut Vec<Stored>,
) -> Result<()> {
    let here = folder.join(within);
    let io = |error| Error::io(format!("cannot read `{}`", file_name(&here)), error);
    for entry in fs::read_dir(&here).map_err(io)? {
        let entry = entry.map_err(io)?;
        let name = within.join(entry.file_name());
        if entry.file_type().map_err(io)?.is_dir() {
            stored(folder, &name, known, files)?;
            continue;
        }
        let path = entry.path();
        let length = entry.metadata().map_err(io)?.len();
        let (bytes, crc32c) = match known.get(&name).filter(|it| it.bytes == length) {
            Some(Checksum { bytes, crc32c }) => (*bytes, *crc32c),
            None => sum(&path)?,
        };
        let synced = File::open(&path).and_then(|file| file.sync_all());
        synced.map_err(|error| Error::io(format!("cannot write `{}`", file_name(&path)), error))?;
        files.push(Stored { name, bytes, crc32c });
    }
    sync_folder(&here.join(NAME)).map_err(io)
}
