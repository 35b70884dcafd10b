//! Chunks that are files of their own: those in the folder of a sparse frame, or one without any frame.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use dudley::source::{FileSource, Source};

use super::assemble::Outline;
use crate::blosc2::chunk::{Chunk, Context, Stored};
use crate::blosc2::encoding::Encoding;
use crate::blosc2::error::{Error, Part, Result};
use crate::blosc2::lone::chunk_length;

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
    /// What is one chunk, of which some may be missing, or behind which there may be more; none if it is something
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
                let path = folder.join(format!("{number:08X}{ENDING}"));
                Ok(Arc::new(FileSource::open(path).map_err(Error::engine(Part::Sparse))?))
            }
        }
    }

    /// The decoded bytes of a chunk; none if its header cannot be read.
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
            let context = format!("cannot read `{}`", folder.display());
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

    /// The header of a frame of these chunks, made of what they say themselves: chunks of one size, but for the last
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

/// The number of the chunk that is in a file of this name.
fn number_of(name: &str) -> Option<u64> {
    let digits = name.strip_suffix(ENDING).filter(|digits| digits.len() == 8)?;
    let number = u64::from_str_radix(digits, 16).ok()?;
    // As they are written, and no other way: there is one file of each number.
    (format!("{number:08X}") == digits).then_some(number)
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
