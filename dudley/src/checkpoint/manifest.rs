//! The manifest of a checkpoint: what files it has, with their checksums, and how long the histories were.
//!
//! It is a stream itself, with checksums in its index.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use crate::error::{Error, Item, Result, file_name};
use crate::index;
use crate::read::item::ItemKind;
use crate::read::stream::{Stream, parse_layout};
use crate::write::Writer;

/// Its name in the folder of the checkpoint.
pub(super) const NAME: &str = "manifest.bd";

/// Its layout.
pub const LAYOUT: &str = "\
## A checkpoint that is whole: this file is written last.
STEP : u8       ## step of the program
FILES : u4      ## files beside this one
HISTORIES : u4  ## files that grow, outside of the checkpoint

files [/
  N : u2
  name = U1[N]  ## path in the folder of the checkpoint
  bytes = u8    ## length
  crc32c = u4   ## checksum of all bytes
]*FILES
histories [/
  N : u2
  M : u2
  file = U1[N]  ## path from the folder around the checkpoint
  path = U1[M]  ## the list or array in it that grows
  records = u8  ## how many records it had
]*HISTORIES
";

/// A file of a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stored {
    /// Its path in the folder of the checkpoint.
    pub name: PathBuf,
    /// Its length in bytes.
    pub bytes: u64,
    /// The CRC-32C of all of it.
    pub crc32c: u32,
}

/// A history as it was at a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct History {
    /// The file, from the directory of the checkpoints.
    pub file: PathBuf,
    /// The list or array in it that grows.
    pub path: String,
    /// The number of its records.
    pub records: u64,
}

/// A checkpoint that was published.
///
/// ```
/// use dudley::checkpoint::{Checkpoints, Rotation};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// let checkpoints = Checkpoints::open(folder.path(), Rotation { keep: 2, every: 10 })?;
/// let mut draft = checkpoints.begin(10)?;
/// std::fs::write(draft.file("notes.txt"), "any file").expect("space");
/// let checkpoint = draft.publish()?;
/// assert_eq!((checkpoint.step(), checkpoint.files().len()), (10, 1));
/// checkpoint.verify()?;
/// # Ok::<(), dudley::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Checkpoint {
    step: u64,
    folder: PathBuf,
    files: Vec<Stored>,
    histories: Vec<History>,
}

impl Checkpoint {
    /// That of a folder, by its manifest.
    pub(super) fn open(folder: &Path, step: u64) -> Result<Checkpoint> {
        let path = folder.join(NAME);
        read(&path, folder, step).map_err(|error| error.of_file(&path))
    }

    /// The step of the program that it was written at.
    ///
    /// ```
    /// use dudley::checkpoint::{Checkpoints, Rotation};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// let checkpoints = Checkpoints::open(folder.path(), Rotation { keep: 2, every: 10 })?;
    /// let mut draft = checkpoints.begin(10)?;
    /// std::fs::write(draft.file("notes.txt"), "any file").expect("space");
    /// let checkpoint = draft.publish()?;
    /// assert_eq!(checkpoint.step(), 10);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn step(&self) -> u64 {
        self.step
    }

    /// Its folder.
    ///
    /// ```
    /// use dudley::checkpoint::{Checkpoints, Rotation};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// let checkpoints = Checkpoints::open(folder.path(), Rotation { keep: 2, every: 10 })?;
    /// let mut draft = checkpoints.begin(10)?;
    /// std::fs::write(draft.file("notes.txt"), "any file").expect("space");
    /// let checkpoint = draft.publish()?;
    /// assert!(checkpoint.folder().ends_with("checkpoint-0000000010"));
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The path of a file of the checkpoint.
    ///
    /// ```
    /// use dudley::checkpoint::{Checkpoints, Rotation};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// let checkpoints = Checkpoints::open(folder.path(), Rotation { keep: 2, every: 10 })?;
    /// let mut draft = checkpoints.begin(10)?;
    /// std::fs::write(draft.file("notes.txt"), "any file").expect("space");
    /// let checkpoint = draft.publish()?;
    /// assert_eq!(std::fs::read(checkpoint.file("notes.txt")).expect("a file"), b"any file");
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn file(&self, name: impl AsRef<Path>) -> PathBuf {
        self.folder.join(name)
    }

    /// Its files.
    ///
    /// ```
    /// use dudley::checkpoint::{Checkpoints, Rotation};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// let checkpoints = Checkpoints::open(folder.path(), Rotation { keep: 2, every: 10 })?;
    /// let mut draft = checkpoints.begin(10)?;
    /// std::fs::write(draft.file("notes.txt"), "any file").expect("space");
    /// let checkpoint = draft.publish()?;
    /// assert_eq!(checkpoint.files().len(), 1);
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn files(&self) -> &[Stored] {
        &self.files
    }

    /// The histories, as they were.
    ///
    /// ```
    /// use dudley::checkpoint::{Checkpoints, Rotation};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// let checkpoints = Checkpoints::open(folder.path(), Rotation { keep: 2, every: 10 })?;
    /// let mut draft = checkpoints.begin(10)?;
    /// std::fs::write(draft.file("notes.txt"), "any file").expect("space");
    /// let checkpoint = draft.publish()?;
    /// assert!(checkpoint.histories().is_empty());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    pub fn histories(&self) -> &[History] {
        &self.histories
    }

    /// Checks that all files are there as they were written: all of them are read.
    ///
    /// ```
    /// use dudley::checkpoint::{Checkpoints, Rotation};
    ///
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// let checkpoints = Checkpoints::open(folder.path(), Rotation { keep: 2, every: 10 })?;
    /// let mut draft = checkpoints.begin(10)?;
    /// std::fs::write(draft.file("notes.txt"), "any file").expect("space");
    /// let checkpoint = draft.publish()?;
    /// std::fs::write(checkpoint.file("notes.txt"), "changed!").expect("space");
    /// assert!(checkpoint.verify().is_err());
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::OfFile`] with [`Error::WrongLength`] or [`Error::Checksum`]; [`Error::Io`].
    pub fn verify(&self) -> Result<()> {
        for stored in &self.files {
            let path = self.file(&stored.name);
            let (bytes, found) = sum(&path)?;
            let differs = if bytes != stored.bytes {
                Error::wrong_length(stored.bytes, bytes)
            } else if found != stored.crc32c {
                let expected = stored.crc32c;
                Error::Checksum { item: Item::UNKNOWN, address: 0, length: bytes, expected, found }
            } else {
                continue;
            };
            return Err(differs.of_file(&path));
        }
        Ok(())
    }

    /// Checks that no history is shorter than it was.
    pub(super) fn check_histories(&self, directory: &Path) -> Result<()> {
        self.histories.iter().try_for_each(|history| {
            let path = directory.join(&history.file);
            let stream = Stream::open(&path)?;
            let there = length(&stream, &history.path).map_err(|error| error.of_file(&path))?;
            if there >= history.records {
                return Ok(());
            }
            let differs = Error::WrongValue {
                item: Item::new(history.path.as_str()),
                expected: format!("{} records or more", history.records).into(),
                found: there.to_string().into(),
            };
            Err(differs.of_file(&path))
        })
    }
}

/// Records of a list or array.
fn length(stream: &Stream, path: &str) -> Result<u64> {
    let item = stream.get(path)?;
    match item.kind() {
        ItemKind::List => item.len(),
        _ => Ok(item.shape()?.first().copied().unwrap_or(0)),
    }
}

/// The length and the CRC-32C of a file.
pub(super) fn sum(path: &Path) -> Result<(u64, u32)> {
    let io = |error| Error::io(format!("cannot read `{}`", file_name(&path)), error);
    let mut file = File::open(path).map_err(io)?;
    let mut block = vec![0; 1 << 20];
    let (mut bytes, mut sum) = (0, 0);
    loop {
        let read = match file.read(&mut block) {
            Ok(0) => return Ok((bytes, sum)),
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            read => read.map_err(io)?,
        };
        sum = crc32c::crc32c_append(sum, &block[..read]);
        bytes += read as u64;
    }
}

/// Writes a manifest.
pub(super) fn write(path: &Path, step: u64, files: &[Stored], histories: &[History]) -> Result<()> {
    let mut writer = Writer::new(parse_layout(LAYOUT.as_bytes())?)
        .index(index::Options { checksums: true })
        .param("/STEP", step)
        .param("/FILES", files.len() as i128)
        .param("/HISTORIES", histories.len() as i128);
    for (at, Stored { name, bytes, crc32c }) in files.iter().enumerate() {
        let name = text(name)?;
        writer = writer
            .param(format!("/files/{at}/N"), name.len() as i128)
            .put(format!("/files/{at}/name"), name)
            .put(format!("/files/{at}/bytes"), *bytes)
            .put(format!("/files/{at}/crc32c"), *crc32c);
    }
    for (at, History { file, path, records }) in histories.iter().enumerate() {
        let file = text(file)?;
        writer = writer
            .param(format!("/histories/{at}/N"), file.len() as i128)
            .param(format!("/histories/{at}/M"), path.len() as i128)
            .put(format!("/histories/{at}/file"), file)
            .put(format!("/histories/{at}/path"), path.as_str())
            .put(format!("/histories/{at}/records"), *records);
    }
    writer.write_file(path, false)
}

fn text(path: &Path) -> Result<&str> {
    path.to_str().ok_or_else(|| Error::WrongValue {
        item: Item::UNKNOWN,
        expected: "file names that are UTF-8".into(),
        found: format!("`{}`", path.display()).into(),
    })
}

fn read(path: &Path, folder: &Path, step: u64) -> Result<Checkpoint> {
    // Of a manifest that was changed nothing is believed.
    index::prove(path)?;
    let stream = Stream::open(path)?;
    let param = |name: &str| stream.get(name).and_then(|it| it.param_value());
    let number = |name: String| stream.get(&name).and_then(|it| it.scalar::<u64>());
    let word = |name: String| stream.get(&name).and_then(|it| it.read_text());
    let said = param("/:STEP")?;
    if u64::try_from(said) != Ok(step) {
        return Err(Error::WrongValue {
            item: Item::new("/STEP"),
            expected: format!("{step}, as its folder is called").into(),
            found: said.to_string().into(),
        });
    }
    let mut files = Vec::new();
    for at in 0..param("/:FILES")? {
        files.push(Stored {
            name: word(format!("/files/{at}/name"))?.into(),
            bytes: number(format!("/files/{at}/bytes"))?,
            crc32c: stream.get(&format!("/files/{at}/crc32c"))?.scalar()?,
        });
    }
    let mut histories = Vec::new();
    for at in 0..param("/:HISTORIES")? {
        histories.push(History {
            file: word(format!("/histories/{at}/file"))?.into(),
            path: word(format!("/histories/{at}/path"))?,
            records: number(format!("/histories/{at}/records"))?,
        });
    }
    Ok(Checkpoint { step, folder: folder.to_owned(), files, histories })
}
