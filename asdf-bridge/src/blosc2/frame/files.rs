//! Chunks that are files of their own: those in the folder of a sparse frame, or one without any frame.

use dudley::error::file_name;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dudley::bytes::{FileSource, Source};

use super::assemble::Outline;
use crate::blosc2::bare_chunk::chunk_length;
use crate::blosc2::chunk::{Chunk, Stored};
use crate::blosc2::context::Context;
use crate::blosc2::encoding::Encoding;
use crate::blosc2::error::{Error, Part, Result};

/// Where they are.
pub(super) enum Files {
    /// In a folder, under their numbers.
    Folder(PathBuf),
    /// One, number 0, which is all there is.
    Lone(Arc<dyn Source>),
}

/// What the name of the file of a chunk ends with.
const ENDING: &str = ".chunk";

impl Files {
    /// What is one chunk, of which some may be missing, or behind which there may be more; `None` if it is something
    /// else.
    pub(super) fn lone(source: &Arc<dyn Source>) -> Option<Files> {
        let mut head = [0; 64];
        let head = &mut head[..source.len().min(64) as usize];
        source.read_at(0, head).ok()?;
        chunk_length(head, source.len()).map(|_| Files::Lone(source.clone()))
    }

    /// The file of a chunk.
    pub(super) fn open(&self, number: u64) -> Result<Arc<dyn Source>> {
        match self {
            Files::Lone(source) => Ok(source.clone()),
            Files::Folder(folder) => {
                let path = of_folder(folder, &name_of(number))?;
                Ok(Arc::new(FileSource::open(path).map_err(Error::engine(Part::Sparse))?))
            }
        }
    }

    /// The decoded bytes of a chunk; `None` if its header cannot be read.
    pub(super) fn nbytes(&self, number: u64) -> Option<u64> {
        self.head(number).map(|chunk| chunk.nbytes())
    }

    /// The header of a chunk, if it can be read.
    fn head(&self, number: u64) -> Option<Chunk<'static>> {
        let stored = Stored::Owned(self.open(number).ok()?, 0);
        Chunk::open_head(stored, u64::MAX, &Context::default()).ok()
    }

    /// The numbers of all that are there, in their order.
    pub(super) fn numbers(&self) -> Result<Vec<u64>> {
        let Files::Folder(folder) = self else { return Ok(vec![0]) };
        let failed = |error| {
            let context = format!("cannot read `{}`", file_name(&folder));
            Error::engine(Part::Sparse)(dudley::Error::io(context, error))
        };
        let mut numbers = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            numbers.extend(name.to_str().and_then(number_of));
        }
        numbers.sort_unstable();
        Ok(numbers)
    }

    /// The header of a frame of these chunks, made of what they say themselves: chunks of one size, except for the last
    /// one, if all are that can be opened.
    ///
    /// # Errors
    /// [`Error::Damaged`] if none can be.
    pub(super) fn header(&self) -> Result<Vec<u8>> {
        let (mut first, mut sizes) = (None, Vec::new());
        for number in self.numbers()? {
            let Some(chunk) = self.head(number) else { continue };
            sizes.push((number, chunk.nbytes()));
            first.get_or_insert(chunk);
        }
        let (Some(first), Some((last, of_last))) = (first, sizes.last().copied()) else {
            let (expected, found) = ("a chunk whose header can be read", "none");
            return Err(Error::damaged(Part::Sparse, 0_u64, expected, found));
        };
        let size = first.nbytes();
        let alike = sizes.iter().rev().skip(1).all(|(_, nbytes)| *nbytes == size);
        let fixed = alike && of_last <= size && size > 0;
        let total = sizes.iter().fold(0_u64, |total, (_, nbytes)| total.saturating_add(*nbytes));
        let encoding = Encoding::new(usize::from(first.typesize()));
        let encoding = match first.codec() {
            Ok(Some(codec)) => encoding.codec(codec),
            _ => encoding,
        };
        let outline = Outline {
            encoding: &encoding.filters(&first.filters()),
            sparse: true,
            frame_len: 0,
            nbytes: if fixed { last.saturating_mul(size).saturating_add(of_last) } else { total },
            cbytes: 0,
            chunksize: if fixed { size } else { 0 },
            blocks_differ: first.has_variable_blocks(),
            blocksize: 0,
            metalayers: &Vec::new(),
            has_vlmeta: false,
        };
        outline.header()
    }
}

/// The name of the file of a chunk.
pub(super) fn name_of(number: u64) -> String {
    format!("{number:08X}{ENDING}")
}

/// The path of a file of a sparse frame to be read, which is in its folder, if it is anywhere: a link may lead to any
/// file of the code that reads, and a pipe would be waited for.
///
/// # Errors
/// [`Error::Damaged`] for what is elsewhere, and for what is no file.
pub(super) fn of_folder(folder: &Path, name: &str) -> Result<PathBuf> {
    let path = folder.join(name);
    let refused = |found: &str| {
        let expected = format!("`{name}` to be a file in the folder of the frame");
        Err(Error::damaged(Part::Sparse, 0_u64, expected, found))
    };
    // What is not there is said by the code that opens it.
    let Ok(real) = path.canonicalize() else { return Ok(path) };
    match (real.metadata(), folder.canonicalize()) {
        (_, Ok(within)) if !real.starts_with(&within) => refused("a link that leads out of it"),
        (Ok(what), _) if !what.is_file() => refused("what is no file"),
        _ => Ok(real),
    }
}

/// The path of a file of a sparse frame to be written, where there is no link: who can change the folder could have any
/// file of the code that writes overwritten.
///
/// # Errors
/// [`Error::Damaged`] for a link.
pub(super) fn to_write(folder: &Path, name: &str) -> Result<PathBuf> {
    let path = folder.join(name);
    if path.is_symlink() {
        let expected = format!("`{name}` to be no link, to write it");
        Err(Error::damaged(Part::Sparse, 0_u64, expected, "a link"))
    } else {
        Ok(path)
    }
}

/// The number of the chunk that is in a file of this name.
fn number_of(name: &str) -> Option<u64> {
    let digits = name.strip_suffix(ENDING).filter(|digits| digits.len() == 8)?;
    let number = u64::from_str_radix(digits, 16).ok()?;
    // As they are written, and no other way: there is one file of each number.
    (name_of(number) == name).then_some(number)
}

/// Whether a folder has files that are named as the chunks of a sparse frame are.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// assert!(!asdf_bridge::blosc2::has_chunks(folder.path()));
/// std::fs::write(folder.path().join("0000002A.chunk"), [])?;
/// assert!(asdf_bridge::blosc2::has_chunks(folder.path()));
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn has_chunks(folder: impl AsRef<Path>) -> bool {
    let number = |entry: std::fs::DirEntry| entry.file_name().to_str().and_then(number_of);
    let entries = std::fs::read_dir(folder);
    entries.is_ok_and(|mut entries| entries.any(|entry| entry.is_ok_and(|it| number(it).is_some())))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::blosc2::{ArrayEditor, Frame, FrameEditor, NewArray, NewFrame, Options};

    fn sparse(folder: &Path) -> PathBuf {
        let path = folder.join("a.b2nd");
        let new = NewArray::of::<u8>(&[300]).expect("known").chunks(&[100]).blocks(&[100]);
        let mut writer = new.folder(&path).expect("begun");
        writer.write(&(0..300).map(|at| (at * at) as u8).collect::<Vec<_>>()).expect("written");
        writer.finish().expect("complete");
        path
    }

    fn pipe(path: &Path) {
        let made = std::process::Command::new("mkfifo").arg(path).status().expect("mkfifo");
        assert!(made.success());
    }

    #[test]
    fn what_leads_out_of_the_folder_or_is_no_file_is_refused() {
        for name in ["00000000.chunk", INDEX] {
            for what in ["out", "in", "pipe", "device", "folder"] {
                let folder = tempfile::tempdir().expect("a folder");
                let path = sparse(folder.path());
                let (file, other) = (path.join(name), folder.path().join("other"));
                let kept = path.join("kept");
                std::fs::rename(&file, if what == "in" { &kept } else { &other }).expect("there");
                let link = |to: &Path| std::os::unix::fs::symlink(to, &file).expect("a link");
                match what {
                    "out" => link(&other),
                    "in" => link(Path::new("kept")),
                    "device" => link(Path::new("/dev/zero")),
                    "folder" => std::fs::create_dir(&file).expect("a folder"),
                    _ => pipe(&file),
                }
                let read =
                    Frame::open(&path).and_then(|frame| frame.array()?.expect("one").read::<u8>());
                assert_eq!(read.is_ok(), what == "in", "{name} {what}: {read:?}");
                let frame = Options::new().walked(true).file(&path).expect("its chunks are there");
                let rest = frame.chunk(1).and_then(|chunk| chunk.decode());
                assert_eq!(
                    rest.expect("a file"),
                    (100..200).map(|at| (at * at) as u8).collect::<Vec<u8>>()
                );
            }
        }
    }

    #[test]
    fn no_link_is_written_through() {
        for name in ["00000003.chunk", INDEX] {
            let folder = tempfile::tempdir().expect("a folder");
            let path = sparse(folder.path());
            let other = folder.path().join("other");
            std::fs::write(&other, b"mine").expect("written");
            let mut editor = ArrayEditor::open(&path).expect("open");
            let _ = std::fs::remove_file(path.join(name));
            std::os::unix::fs::symlink(&other, path.join(name)).expect("a link");
            let changed = editor.set("0:100", &[7_u8; 100]).and_then(|()| editor.commit());
            assert!(changed.is_err(), "{name}");
            assert_eq!(std::fs::read(&other).expect("there"), b"mine", "{name}");
        }
        let folder = tempfile::tempdir().expect("a folder");
        let path = sparse(folder.path());
        assert!(FrameEditor::open(&path).is_ok());
    }

    #[test]
    fn a_folder_appears_when_it_is_complete() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.b2frame");
        for finished in [false, true] {
            let new = NewFrame::new(Encoding::new(1)).chunksize(10);
            let mut writer = new.folder(&path).expect("begun");
            writer.write(&[7; 25]).expect("written");
            assert!(!path.exists());
            if finished {
                writer.finish().expect("complete");
            }
        }
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
        assert_eq!(Frame::open(&path).and_then(|frame| frame.read()).expect("read"), [7; 25]);
    }

    const INDEX: &str = crate::blosc2::INDEX_FILE;
}
