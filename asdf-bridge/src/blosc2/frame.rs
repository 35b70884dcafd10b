//! A frame: chunks behind a header, with an index and a trailer; in one file, or in many.

mod assemble;
pub(super) mod b2nd;
mod checksums;
mod consistency;
mod cut;
mod damaged;
mod edit;
mod files;
mod header;
mod index;
mod journal;
mod metalayers;
mod not_stored;
mod options;
mod overlaps;
mod read;
mod rewrite;
mod salvage;
mod trailer;
mod variable;
mod write;

use std::ops::Range;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use dudley::bytes::Source;

pub use edit::FrameEditor;
pub use files::has_chunks;
pub use header::Generation;
pub use index::Place;
pub use options::{INDEX_FILE, Options};
pub use salvage::Lost;
pub use trailer::Fingerprint;
pub use write::{FrameWriter, NewFrame};

pub(crate) use assemble::create;
pub(crate) use checksums::NAME as CHECKSUMS;
pub(crate) use overlaps::Entries;

use damaged::{Found, Passed};
use files::Files;
use header::Head;
use index::Index;
use metalayers::{Map, Metalayers};
use trailer::Trailer;

pub(crate) use header::open as open_layout;

use super::chunk::{Chunk, Kept, Special, Stored, damaged_chunk};
use super::codecs::Codec;
use super::context::Context;
use super::error::{Error, Part, Result};
use super::memory;

/// The fewest bytes of a chunk.
const SHORT: u64 = super::chunk::SHORT as u64;

/// The most metalayers of a header.
const MOST_METALAYERS: u16 = 16;

/// A Blosc2 frame, in a file, a folder, or within something else. Cheap to clone.
///
/// ```no_run
/// use asdf_bridge::blosc2::Frame;
///
/// let frame = Frame::open("run.b2frame")?;
/// let mut bytes = vec![0; 800];
/// frame.read_range(1600, &mut bytes)?;
/// println!("{} chunks; {:?}", frame.chunk_count(), frame.meta_names().collect::<Vec<_>>());
/// # Ok::<(), asdf_bridge::blosc2::Error>(())
/// ```
#[derive(Clone)]
pub struct Frame {
    inner: Arc<Inner>,
}

struct Inner {
    source: Arc<dyn Source>,
    /// Where chunks are that are files of their own.
    files: Option<Files>,
    head: Head,
    index: Index,
    metalayers: Metalayers,
    /// What is wrong with the size of their map, which no reader needs.
    odd: Option<Error>,
    trailer: Trailer,
    passed: Passed,
    /// Whether a metalayer says that values are elsewhere, and what of it, when that was looked at.
    marked: bool,
    elsewhere: OnceLock<Option<not_stored::Elsewhere>>,
    context: Context,
    threads: usize,
    limit: u64,
    /// Whether a metalayer says the shape of an array.
    is_array: bool,
    /// How chunks are cut, when that was looked at: `None` where all are as long as the header says.
    cut: OnceLock<Option<cut::Cut>>,
    kept: Kept,
}

impl Frame {
    /// Opens a file, or the folder of a sparse frame.
    ///
    /// # Errors
    /// [`Error::Engine`] if it cannot be read, [`Error::Damaged`] for what is no such frame. Chunks
    /// are not looked at.
    pub fn open(path: impl AsRef<Path>) -> Result<Frame> {
        Options::new().file(path)
    }

    /// Opens a frame at the start of a source, such as a `Vec<u8>`. More may follow it.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn from_source(source: impl Source + 'static) -> Result<Frame> {
        Options::new().source(source)
    }

    fn build(found: Found, files: Option<Files>, options: &Options) -> Result<Frame> {
        let Found { source, head, trailer, index, passed } = found;
        if head.sparse != files.is_some() {
            let (expected, found) = if head.sparse {
                ("a frame in one file", "the index of a frame in many")
            } else {
                ("the index of a frame in many files", "a frame in one")
            };
            return Err(head.damaged("frame_type", expected, found));
        }
        let map = Map {
            part: Part::Metalayer,
            entries: head.entries,
            size: head.map_size.map(|size| (size, 7)),
            most: MOST_METALAYERS,
            within: 0..head.len,
        };
        let metalayers = map.read(&source)?;
        let odd = map.check_size(&metalayers).err();
        let is_array = metalayers.iter().any(|(name, _)| b2nd::NAMES.contains(&name.as_str()));
        let marked = metalayers.iter().any(|(name, _)| not_stored::is_mark(name));
        let context = Context {
            typesize: Some(head.typesize),
            blockshape: Vec::new(),
            limit: Some(options.limit),
        };
        let mut inner = Inner {
            source,
            files,
            head,
            index,
            metalayers,
            odd,
            trailer,
            passed,
            marked,
            elsewhere: OnceLock::new(),
            context,
            threads: options.threads,
            limit: options.limit,
            is_array,
            cut: OnceLock::new(),
            kept: Kept::default(),
        };
        inner.context.blockshape = b2nd::blockshape(&inner.source, &inner.metalayers);
        Ok(Frame { inner: Arc::new(inner) })
    }

    /// Decoded bytes of all chunks.
    pub fn nbytes(&self) -> u64 {
        self.inner.head.nbytes
    }

    /// Bytes of all chunks as they are stored, without the index.
    pub fn cbytes(&self) -> u64 {
        self.inner.head.cbytes
    }

    /// Bytes of the frame; of a sparse one, of its index.
    pub fn frame_len(&self) -> u64 {
        self.inner.head.frame_len
    }

    /// Bytes of the header with its metalayers, behind which the chunks begin.
    pub fn header_len(&self) -> u64 {
        self.inner.head.len
    }

    /// Where the index is, in bytes of the frame. It ends where the trailer begins.
    pub fn index_range(&self) -> Range<u64> {
        self.inner.index.place()
    }

    /// Bytes of an element.
    pub fn typesize(&self) -> usize {
        self.inner.head.typesize
    }

    /// Decoded bytes of a chunk, the last one of which may be shorter; `None` where they differ.
    pub fn chunksize(&self) -> Option<u64> {
        self.inner.head.chunksize
    }

    /// Decoded bytes of a block; `None` where each chunk says it.
    pub fn blocksize(&self) -> Option<u64> {
        Some(self.inner.head.blocksize).filter(|size| *size > 0)
    }

    /// Whether the blocks of its chunks differ in size, as [`FrameWriter::write_blocks`] makes them.
    pub fn has_variable_blocks(&self) -> bool {
        self.inner.head.blocks_differ
    }

    /// Which layout it has.
    pub fn generation(&self) -> Generation {
        self.inner.head.generation
    }

    /// The version of the format.
    pub fn version(&self) -> u8 {
        self.inner.head.version
    }

    /// Whether its chunks are files of their own, of a folder.
    pub fn is_sparse(&self) -> bool {
        self.inner.files.is_some()
    }

    /// The codec that new chunks were to have.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for one that is not built in.
    pub fn codec(&self) -> Result<Codec> {
        self.inner.head.codec()
    }

    /// Checks that the chunks that are stored have elements of as many bytes as the header says, where that is less than 256:
    /// chunks cannot say more. Who appends chunks as they are may mean others; nothing is read otherwise then.
    ///
    /// ```
    /// let frame = asdf_bridge::blosc2::Frame::open("tests/small.b2nd")?;
    /// frame.check_typesize()?;
    /// # Ok::<(), asdf_bridge::blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Damaged`] for the header, with the first chunk that says something else. Chunks that cannot be opened
    /// are passed over.
    pub fn check_typesize(&self) -> Result<()> {
        let expected = self.typesize();
        if expected > usize::from(u8::MAX) {
            return Ok(());
        }
        let stored = |number: &u64| matches!(self.place(*number), Ok(Place::Stored(_)));
        let said = |number| Some((number, self.chunk(number).ok()?.typesize()));
        let other = (0..self.chunk_count())
            .filter(stored)
            .filter_map(said)
            .find(|(_, size)| usize::from(*size) != expected);
        other.map_or(Ok(()), |(number, size)| {
            let expected = format!("elements of {size} bytes, as those of chunk {number}");
            Err(self.inner.head.damaged("typesize", expected, self.typesize()))
        })
    }

    /// The level of compression that new chunks were to have, 0 to 9.
    pub fn level(&self) -> u8 {
        self.inner.head.level
    }

    /// The filters that new chunks were to have, and the argument of each, as numbers of the registry.
    pub fn filters(&self) -> impl Iterator<Item = (u8, u8)> + '_ {
        let head = &self.inner.head;
        head.filters.iter().copied().zip(head.filters_meta.iter().copied())
    }

    /// The fingerprint in the trailer. So far no program writes one.
    pub fn fingerprint(&self) -> Fingerprint {
        self.inner.trailer.fingerprint
    }

    /// How many chunks there are.
    pub fn chunk_count(&self) -> u64 {
        self.inner.index.count()
    }

    /// Where a chunk is.
    ///
    /// # Errors
    /// [`Error::Range`] if there is no such chunk; [`Error::Damaged`] for the index.
    pub fn place(&self, number: u64) -> Result<Place> {
        self.inner.index.get(&*self.inner.source, number)
    }

    /// How many chunks from one on the index says the same of, as far as it is decoded at a time.
    fn alike(&self, number: u64) -> u64 {
        self.inner.index.alike(&*self.inner.source, number)
    }

    /// Where a chunk is in the frame, in bytes; `None` for special values, and for those that are files
    /// of their own.
    ///
    /// # Errors
    /// As [`Self::place`].
    pub fn chunk_address(&self, number: u64) -> Result<Option<u64>> {
        Ok(match self.place(number)? {
            Place::Stored(offset) if !self.is_sparse() => {
                Some(offset.saturating_add(self.inner.head.len))
            }
            _ => None,
        })
    }

    /// A chunk.
    ///
    /// # Errors
    /// As [`Self::place`]; what is wrong with this chunk. Others are not touched by that.
    pub fn chunk(&self, number: u64) -> Result<Chunk<'_>> {
        let place = self.place(number)?;
        let base = match place {
            Place::Stored(offset) if !self.is_sparse() => {
                offset.saturating_add(self.inner.head.len)
            }
            _ => 0,
        };
        self.chunk_of(number, place).map_err(|error| error.in_chunk(number, base))
    }

    /// A chunk of a value in the index, which is where something is wrong with it: it has no bytes of its own.
    fn of_value(&self, special: Special, nbytes: u64, blocksize: u64) -> Result<Chunk<'_>> {
        let chunk = Chunk::of_value(special, nbytes, blocksize, &self.inner.context);
        chunk.map_err(|error| error.at(Part::Index, self.inner.index.place().start))
    }

    fn chunk_of(&self, number: u64, place: Place) -> Result<Chunk<'_>> {
        let inner = &*self.inner;
        let Place::Special(special) = place else {
            return self.of_right_size(number, self.chunk_in(number, place)?);
        };
        let nbytes = self.expected(number, None)?.ok_or_else(|| {
            let expected = "a stored chunk, where chunks differ in size";
            let index = inner.index.place().start;
            Error::damaged(Part::Index, index, expected, "a special value")
        })?;
        let blocksize = match inner.head.blocksize {
            0 => inner.context.block_bytes(),
            size => size,
        };
        self.of_value(special, nbytes, blocksize)
    }

    /// A chunk that is stored, of whatever size.
    fn chunk_in(&self, number: u64, place: Place) -> Result<Chunk<'_>> {
        let inner = &*self.inner;
        match (place, &inner.files) {
            (Place::Special(_), _) => self.chunk_of(number, place),
            (Place::Stored(file), Some(files)) => {
                Chunk::open(Stored::Owned(files.open(file)?, 0), &inner.context)
            }
            (Place::Stored(offset), None) => {
                let cbytes = inner.head.cbytes;
                if offset.checked_add(SHORT).is_none_or(|end| end > cbytes) {
                    let most =
                        format!("a chunk that begins {SHORT} bytes or more before the index");
                    let found = format!("one {offset} bytes behind the header, where {cbytes} are");
                    let index = inner.index.place().start;
                    // Not an address in the chunk, of which there is none.
                    return Err(Error::damaged(Part::Index, index, most, found).in_chunk(number, 0));
                }
                let stored = Stored::at(&*inner.source, inner.head.len + offset);
                let chunk = Chunk::open(stored, &inner.context)?;
                if chunk.cbytes() > cbytes - offset {
                    let most = format!("at most {} bytes, before the index", cbytes - offset);
                    return Err(damaged_chunk("cbytes", most, chunk.cbytes()));
                }
                Ok(chunk)
            }
        }
    }

    /// As [`Self::chunk_of`], of a chunk some of whose bytes may be missing: see [`Chunk::open_cut`].
    fn cut_chunk(&self, number: u64, place: Place) -> Result<Chunk<'_>> {
        let inner = &*self.inner;
        let stored = match (place, &inner.files) {
            (Place::Special(_), _) => return self.chunk_of(number, place),
            (Place::Stored(file), Some(files)) => Stored::Owned(files.open(file)?, 0),
            (Place::Stored(offset), None) => {
                Stored::Source(&*inner.source, inner.head.len.saturating_add(offset))
            }
        };
        self.of_right_size(number, Chunk::open_cut(stored, &inner.context)?)
    }

    /// Checks that a chunk has as many decoded bytes as the frame says.
    fn of_right_size<'c>(&self, number: u64, chunk: Chunk<'c>) -> Result<Chunk<'c>> {
        match self.expected(number, Some(chunk.nbytes()))? {
            Some(expected) if expected != chunk.nbytes() => {
                let expected = format!("{expected} decoded bytes, as the frame says");
                Err(damaged_chunk("nbytes", expected, chunk.nbytes()))
            }
            _ => Ok(chunk),
        }
    }

    /// The names of its metalayers, in the order of the file.
    pub fn meta_names(&self) -> impl Iterator<Item = &str> {
        self.inner.metalayers.iter().map(|(name, _)| name.as_str())
    }

    /// A metalayer: its bytes, which most programs write as msgpack.
    ///
    /// # Errors
    /// [`Error::NoMetalayer`].
    pub fn meta(&self, name: &str) -> Result<Vec<u8>> {
        let part = Part::Metalayer;
        self.bytes(self.place_of(part, &self.inner.metalayers, name)?, part)
    }

    /// The names of its metalayers of variable size, in the order of the file.
    pub fn vlmeta_names(&self) -> impl Iterator<Item = &str> {
        self.inner.trailer.metalayers.iter().map(|(name, _)| name.as_str())
    }

    /// A metalayer of variable size: its decoded bytes, which most programs write as msgpack.
    ///
    /// # Errors
    /// [`Error::NoMetalayer`]; if decoding its chunk fails.
    pub fn vlmeta(&self, name: &str) -> Result<Vec<u8>> {
        let part = Part::VlMetalayer;
        self.decoded(self.place_of(part, &self.inner.trailer.metalayers, name)?, part)
    }

    /// The user metadata of a frame of 2020, decoded; `None` for others, and where there is none.
    ///
    /// # Errors
    /// If decoding its chunk fails.
    pub fn usermeta(&self) -> Result<Option<Vec<u8>>> {
        let range = self.inner.trailer.usermeta.as_ref();
        range.map(|range| self.decoded(range, Part::UserMeta)).transpose()
    }

    /// The content of a chunk of metadata.
    fn decoded(&self, range: &Range<u64>, part: Part) -> Result<Vec<u8>> {
        let stored = self.bytes(range, part)?;
        let decoded = Chunk::parse(&stored).and_then(|chunk| chunk.decode_within(self.inner.limit));
        decoded.map_err(|error| error.of_bytes_at(range.start))
    }

    fn place_of<'m>(
        &self,
        part: Part,
        metalayers: &'m Metalayers,
        name: &str,
    ) -> Result<&'m Range<u64>> {
        let found = metalayers.iter().find(|(other, _)| other == name);
        let found = found.map(|(_, range)| range);
        found.ok_or_else(|| Error::NoMetalayer { part, name: name.into() })
    }

    fn bytes(&self, range: &Range<u64>, part: Part) -> Result<Vec<u8>> {
        // The range was compared with the frame when it was found.
        let mut bytes = memory::zeros(range.end - range.start)?;
        self.inner.source.read_at(range.start, &mut bytes).map_err(Error::engine(part))?;
        Ok(bytes)
    }

    pub(crate) fn source(&self) -> &Arc<dyn Source> {
        &self.inner.source
    }

    pub(crate) fn metalayers(&self) -> &Metalayers {
        &self.inner.metalayers
    }

    pub(crate) fn vl_metalayers(&self) -> &Metalayers {
        &self.inner.trailer.metalayers
    }

    /// What is wrong with the sizes of the maps of metalayers, of both kinds.
    pub(crate) fn odd_maps(&self) -> [Option<&Error>; 2] {
        [self.inner.odd.as_ref(), self.inner.trailer.odd.as_ref()]
    }

    pub(crate) fn context(&self) -> &Context {
        &self.inner.context
    }

    /// Where the chunk of the user metadata is.
    pub(crate) fn usermeta_range(&self) -> Option<&Range<u64>> {
        self.inner.trailer.usermeta.as_ref()
    }

    /// Of a chunk of metadata: bytes as it is stored, and decoded.
    pub(crate) fn stored_chunk(&self, range: &Range<u64>, part: Part) -> Result<(u64, u64)> {
        let stored = self.bytes(range, part)?;
        let chunk = Chunk::parse(&stored).map_err(|error| error.of_bytes_at(range.start))?;
        Ok((chunk.cbytes(), chunk.nbytes()))
    }

    /// The chunk of the index: its address, bytes of an offset, and bytes as it is stored.
    pub(crate) fn index_chunk(&self) -> Result<(u64, u64, u64)> {
        self.inner.index.stored(&*self.inner.source)
    }

    pub(crate) fn threads(&self) -> usize {
        self.inner.threads
    }

    pub(crate) fn limit(&self) -> u64 {
        self.inner.limit
    }

    pub(crate) fn kept(&self) -> &Kept {
        &self.inner.kept
    }
}

impl std::fmt::Debug for Frame {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Frame").field(&self.inner.head).finish()
    }
}
