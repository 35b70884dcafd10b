//! Frames that are changed in place: chunks appended and replaced, metalayers set.
//!
//! Nothing that the frame refers to is written over. New chunks go to holes or behind the frame, then a new
//! index and trailer behind them, and last the header is replaced (`journal`). So the frame is the one
//! before or the one after, whatever happens. What is no longer referred to is a hole, which later changes
//! fill. Of a frame without data the trailer is replaced as the header is, since it follows that: there
//! c-blosc2 looks for it. Sparse frames are changed file by file; the file of their index is replaced as a whole.

mod variable;

use dudley::error::file_name;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use dudley::append::{FileStorage, Snapshot, Storage};
use dudley::bytes::Lock;

use super::assemble::{Contents, Outline, index, special_offset, trailer};
use super::files::{name_of, to_write};
use super::journal::{self, write_all};
use super::options::INDEX_FILE;
use super::variable::Kind;
use super::write::{encoded_vlmeta, write_file};
use super::{Entries, Frame, Generation, Options, Place, checksums};
use crate::blosc2::chunk::{Chunk, Encoded, Special, Stored, damaged_chunk, encode_all, special};
use crate::blosc2::encoding::{Encoding, refused};
use crate::blosc2::error::{Error, Part, Result};

/// A frame that is changed in place.
///
/// No reader sees a change before [`Self::commit`]. Without a commit, the frame stays as it was.
///
/// ```
/// use asdf_bridge::blosc2::{Encoding, Frame, FrameEditor, NewFrame};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("run.b2frame");
/// let mut writer = NewFrame::new(Encoding::new(1)).chunksize(100).file(&path, false)?;
/// writer.write(&[1; 250])?;
/// writer.finish()?;
///
/// let mut editor = FrameEditor::open(&path)?;
/// editor.append(&[2; 100])?;
/// editor.update(0, &[3; 100])?;
/// editor.commit()?;
/// let bytes = Frame::open(&path)?.read()?;
/// assert_eq!((bytes.len(), bytes[0], bytes[249], bytes[250]), (350, 3, 1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FrameEditor {
    home: Home,
    /// As it was when it was opened or committed.
    frame: Frame,
    encoding: Encoding,
    /// 0 where chunks differ in size: then those of each are in `sizes`.
    chunksize: u64,
    sizes: Vec<u64>,
    /// What chunks of any size are, when there is one.
    kind: Option<Kind>,
    metalayers: Contents,
    /// Chunks.
    vlmeta: Contents,
    offsets: Vec<u64>,
    /// The checksums of stored chunks by their offsets, as far as they are known, if the frame has such.
    sums: Option<BTreeMap<u64, u32>>,
    nbytes: u64,
    /// Bytes of chunks with the holes between them; of a sparse frame without those.
    cbytes: u64,
    /// Holes that may be filled, and those that may be when this is committed. From the end of the header
    /// on, in bytes; of a sparse frame, numbers of files.
    free: Vec<Range<u64>>,
    retired: Vec<Range<u64>>,
    /// Chunks as the frame has them. Those that another entry of the index has too are no hole when they are replaced.
    entries: Entries,
    /// Held until this is dropped.
    _lock: Option<Lock>,
}

/// Where a frame is.
enum Home {
    File(Arc<dyn Storage>, Arc<str>),
    /// A folder, and the number of the next file.
    Folder(PathBuf, u64),
}

impl FrameEditor {
    /// Opens a file, or the folder of a sparse frame. Nobody else may change a file meanwhile; other
    /// programs that do not ask for a lock are not kept from it.
    ///
    /// # Errors
    /// As [`Frame::open`]; [`dudley::Error::Locked`] with who changes it; [`Error::Range`] for a frame of 2020;
    /// [`Error::Range`] too for a frame whose chunks are not as long as its header says; [`Error::Unsupported`] for
    /// codecs and filters that are not built in.
    pub fn open(path: impl AsRef<Path>) -> Result<FrameEditor> {
        let path = path.as_ref();
        if path.is_dir() {
            return FrameEditor::of_folder(path);
        }
        let name = file_name(&path);
        let (file, lock) = Lock::open(path).map_err(Error::engine(Part::Header))?;
        let editor = FrameEditor::of_storage(Arc::new(FileStorage::new(file)), &name)?;
        Ok(FrameEditor { _lock: Some(lock), ..editor })
    }

    /// Opens a storage; `name` is for messages.
    ///
    /// # Errors
    /// As [`Self::open`].
    pub fn of_storage(storage: Arc<dyn Storage>, name: &str) -> Result<FrameEditor> {
        let name: Arc<str> = format!("`{name}`").into();
        journal::recover(&storage, &name)?;
        let source = Snapshot::new(storage.clone(), u64::MAX, name.clone());
        let frame = Options::new().source(source.map_err(Error::engine(Part::Header))?)?;
        FrameEditor::of_frame(frame, Home::File(storage, name))
    }

    fn of_folder(folder: &Path) -> Result<FrameEditor> {
        let frame = Options::new().file(folder)?;
        FrameEditor::of_frame(frame, Home::Folder(folder.to_owned(), 0))
    }

    fn of_frame(frame: Frame, home: Home) -> Result<FrameEditor> {
        if frame.generation() != Generation::Today {
            return Err(refused("frames of 2020 are read, and not changed"));
        }
        if frame.chunksize().is_some() && !frame.is_regular() {
            return Err(refused(
                "chunks of several sizes, where the header says one: `dudc convert` writes such a frame anew, with \
                 chunks of one size, which can be changed",
            ));
        }
        let metalayers = frame.meta_names().map(|name| Ok((name.to_owned(), frame.meta(name)?)));
        let metalayers = metalayers.collect::<Result<_>>()?;
        let vlmeta = frame
            .vl_metalayers()
            .iter()
            .map(|(name, range)| Ok((name.clone(), frame.bytes(range, Part::VlMetalayer)?)));
        let vlmeta = vlmeta.collect::<Result<_>>()?;
        let mut editor = FrameEditor {
            home,
            encoding: frame.encoding()?,
            chunksize: frame.chunksize().unwrap_or(0),
            sizes: Vec::new(),
            kind: (frame.chunk_count() > 0).then(|| Kind::of(frame.has_variable_blocks())),
            metalayers,
            vlmeta,
            offsets: Vec::new(),
            sums: frame.sums_by_offset()?,
            nbytes: frame.nbytes(),
            cbytes: frame.cbytes(),
            free: Vec::new(),
            retired: Vec::new(),
            entries: Entries::default(),
            frame,
            _lock: None,
        };
        // c-blosc2 opens no such frame whose first chunk is a value.
        editor.encoding.specials = !editor.is_variable();
        editor.look()?;
        Ok(editor)
    }

    /// Finds where chunks are, and what lies between them.
    fn look(&mut self) -> Result<()> {
        for number in 0..self.frame.chunk_count() {
            if self.is_variable() {
                self.sizes.push(self.frame.chunk(number)?.nbytes());
            }
            match self.frame.place(number)? {
                Place::Special(special) => self.offsets.extend(special_offset(special)),
                Place::Stored(offset) => {
                    self.offsets.push(offset);
                    self.entries.add(offset, || self.frame.extent(number))?;
                }
            }
        }
        self.entries.compare();
        match &mut self.home {
            Home::Folder(_, next) => *next = self.entries.end(),
            Home::File(..) => self.free = self.entries.gaps(&self.frame),
        }
        self.settle();
        Ok(())
    }

    /// New chunks go behind the frame as it is now; its index and trailer will be a hole.
    fn settle(&mut self) {
        if let Home::File(..) = self.home {
            let header = self.frame.header_len();
            let end = self.frame.frame_len() - header;
            self.retired = std::iter::once(self.frame.index_range().start - header..end).collect();
            self.cbytes = end;
        }
    }

    /// How new chunks are compressed: as the header of the frame says, if nothing is
    /// [set](Self::set_encoding).
    pub fn encoding(&self) -> &Encoding {
        &self.encoding
    }

    /// Compresses new chunks so. The size of elements stays.
    ///
    /// # Errors
    /// [`Error::Range`] for what cannot be.
    pub fn set_encoding(&mut self, encoding: Encoding) -> Result<()> {
        let (typesize, blockshape) = (self.encoding.typesize, self.encoding.blockshape.clone());
        // Blocks of an array are what its metalayer says.
        let blocksize =
            if blockshape.is_empty() { encoding.blocksize } else { self.encoding.blocksize };
        let specials = !self.is_variable();
        let encoding = Encoding { typesize, blockshape, blocksize, specials, ..encoding };
        encoding.check_in_frame()?;
        self.encoding = encoding;
        Ok(())
    }

    /// How many chunks there are.
    pub fn chunk_count(&self) -> u64 {
        self.offsets.len() as u64
    }

    /// Decoded bytes of all chunks.
    pub fn nbytes(&self) -> u64 {
        self.nbytes
    }

    /// Decoded bytes of each chunk but the last; 0 where they differ.
    pub fn chunksize(&self) -> u64 {
        self.chunksize
    }

    pub(crate) fn frame(&self) -> &Frame {
        &self.frame
    }

    fn chunk_len(&self, number: u64) -> Result<u64> {
        let start = number.saturating_mul(self.chunksize);
        let len = if self.is_variable() {
            usize::try_from(number).ok().and_then(|number| self.sizes.get(number)).copied()
        } else {
            self.nbytes.checked_sub(start).map(|left| left.min(self.chunksize))
        };
        match len.filter(|len| *len > 0 || self.is_variable()) {
            Some(len) => Ok(len),
            None => Err(refused(&format!("no chunk {number}: there are {}", self.offsets.len()))),
        }
    }

    /// The decoded bytes of a chunk, as it is now.
    ///
    /// # Errors
    /// [`Error::Range`] if there is no such chunk; what is wrong with it.
    pub fn read(&self, number: u64) -> Result<Vec<u8>> {
        // What is written beside values that are elsewhere would be taken for one of them, or not.
        self.frame.check_unmarked()?;
        let len = self.chunk_len(number)?;
        let offset = self.offsets[number as usize];
        let context = self.frame.context();
        if let Some(Place::Special(kind)) = super::index::place(offset) {
            let chunk = self.frame.of_value(kind, len, 0);
            return chunk.map_err(|error| error.in_chunk(number, 0))?.decode();
        }
        let source: Arc<dyn dudley::bytes::Source> = match &self.home {
            Home::File(storage, name) => {
                let snapshot = Snapshot::new(storage.clone(), u64::MAX, name.clone());
                Arc::new(snapshot.map_err(Error::engine(Part::Header))?)
            }
            Home::Folder(folder, _) => super::Files::Folder(folder.clone()).open(offset)?,
        };
        let address = match self.home {
            Home::File(..) => self.frame.header_len() + offset,
            Home::Folder(..) => 0,
        };
        let chunk = Chunk::open(Stored::Owned(source, address), context).and_then(|chunk| {
            if chunk.nbytes() == len {
                chunk.decode()
            } else {
                let expected = format!("{len} decoded bytes, as the frame says");
                Err(damaged_chunk("nbytes", expected, chunk.nbytes()))
            }
        });
        chunk.map_err(|error| error.in_chunk(number, address))
    }

    /// Replaces the decoded bytes of a chunk by as many others; by any number but 0 where chunks differ in size.
    ///
    /// # Errors
    /// [`Error::Range`] if there is no such chunk, or it has another number of bytes;
    /// [`Error::Engine`] if they cannot be written.
    pub fn update(&mut self, number: u64, bytes: &[u8]) -> Result<()> {
        let len = self.chunk_len(number)?;
        if self.is_variable() {
            if bytes.is_empty() {
                // c-blosc2 opens no frame whose first chunk is so, and one of nothing else has no index.
                return Err(refused(&format!("no bytes for chunk {number}: a chunk has some")));
            }
            let chunk = self.encoded(bytes)?;
            return self.replace_any(number, chunk, bytes.len() as u64);
        }
        if bytes.len() as u64 != len {
            let why = format!("{} bytes for chunk {number}, which has {len}", bytes.len());
            return Err(refused(&why));
        }
        for chunk in encode_all(&self.encoding, &[bytes])? {
            self.replace(number, chunk)?;
        }
        Ok(())
    }

    fn replace(&mut self, number: u64, chunk: Encoded) -> Result<()> {
        let offset = self.store(chunk)?;
        let old = std::mem::replace(&mut self.offsets[number as usize], offset);
        self.retire(number, old)
    }

    /// What is no longer referred to may be written over when this is committed.
    fn retire(&mut self, number: u64, offset: u64) -> Result<()> {
        // Those of this change are not known to the frame; they are holes that the next one finds.
        let known =
            number < self.frame.chunk_count() && self.frame.place(number)? == Place::Stored(offset);
        if known && !self.entries.overlaps(offset) {
            self.retired.push(offset..offset + self.frame.extent(number)?);
        }
        Ok(())
    }

    /// Appends decoded bytes, of any number; they fill the last chunk first. Where chunks differ in size, they
    /// are a new one.
    ///
    /// # Errors
    /// As [`Self::update`].
    pub fn append(&mut self, bytes: &[u8]) -> Result<()> {
        if self.is_variable() {
            if bytes.is_empty() {
                return Ok(());
            }
            let chunk = self.encoded(bytes)?;
            return self.append_any(chunk, bytes.len() as u64);
        }
        let mut rest = bytes;
        let filled = self.nbytes % self.chunksize;
        if filled > 0 && !rest.is_empty() {
            let last = self.chunk_count() - 1;
            let mut whole = self.read(last)?;
            let room = (self.chunksize - filled).min(rest.len() as u64);
            let (now, later) = rest.split_at(room as usize);
            whole.extend_from_slice(now);
            for chunk in encode_all(&self.encoding, &[&whole])? {
                self.replace(last, chunk)?;
            }
            self.nbytes += room;
            rest = later;
        }
        for raw in rest.chunks(self.chunksize as usize) {
            for chunk in encode_all(&self.encoding, &[raw])? {
                let offset = self.store(chunk)?;
                self.offsets.push(offset);
            }
            self.nbytes += raw.len() as u64;
        }
        Ok(())
    }

    /// Puts a chunk to where nothing is that the frame refers to; its entry in the index.
    fn store(&mut self, chunk: Encoded) -> Result<u64> {
        self.frame.check_unmarked()?;
        // An entry of the index does not say how many bytes a value has.
        let special = chunk.special.filter(|_| !self.is_variable());
        if let Some(offset) = special.and_then(special_offset) {
            return Ok(offset);
        }
        let offset = self.put(&chunk)?;
        if let Some(sums) = &mut self.sums {
            sums.insert(offset, checksums::of_bytes(&chunk.bytes));
        }
        Ok(offset)
    }

    fn put(&mut self, chunk: &Encoded) -> Result<u64> {
        let len = chunk.bytes.len() as u64;
        let (storage, header) = match &mut self.home {
            Home::Folder(folder, next) => {
                let number = *next;
                write_file(&to_write(folder, &name_of(number))?, &chunk.bytes, true)?;
                *next += 1;
                self.cbytes += len;
                return Ok(number);
            }
            Home::File(storage, _) => (storage, self.frame.header_len()),
        };
        let hole = self.free.iter_mut().find(|hole| hole.end - hole.start >= len);
        let offset = match hole {
            Some(hole) => {
                hole.start += len;
                hole.start - len
            }
            None => {
                self.cbytes += len;
                self.cbytes - len
            }
        };
        write_all(&**storage, header + offset, &chunk.bytes)?;
        Ok(offset)
    }

    /// Another order of chunks, of an array that was resized: for each the number that it had; none for
    /// one of zeros. `nbytes` are those of all.
    pub(crate) fn reorder(&mut self, order: &[Option<u64>], nbytes: u64) -> Result<()> {
        self.frame.check_unmarked()?;
        let zeros =
            special(&self.encoding, Special::Zeros, &[], 0)?.special.and_then(special_offset);
        let offset = |old: &Option<u64>| {
            let old = old.and_then(|old| self.offsets.get(usize::try_from(old).ok()?).copied());
            old.or(zeros).unwrap_or_default()
        };
        // What is left out becomes a hole, which the next change finds.
        self.offsets = order.iter().map(offset).collect();
        self.nbytes = nbytes;
        Ok(())
    }

    /// Sets a metalayer, to as many bytes as it has.
    ///
    /// # Errors
    /// [`Error::NoMetalayer`]; [`Error::Range`] for another number of bytes.
    pub fn set_meta(&mut self, name: &str, content: &[u8]) -> Result<()> {
        let missing = || Error::NoMetalayer { part: Part::Metalayer, name: name.into() };
        let of = self.metalayers.iter_mut().find(|(other, _)| other == name);
        let (_, of) = of.ok_or_else(missing)?;
        if of.len() != content.len() {
            let why = format!("{} bytes for the metalayer `{name}` of {}", content.len(), of.len());
            return Err(refused(&why));
        }
        of.copy_from_slice(content);
        Ok(())
    }

    /// Sets or adds a metalayer of variable size.
    ///
    /// # Errors
    /// [`Error::Range`] for a name that is too long.
    pub fn set_vlmeta(&mut self, name: &str, content: &[u8]) -> Result<()> {
        let chunk = encoded_vlmeta(content)?;
        match self.vlmeta.iter_mut().find(|(other, _)| other == name) {
            Some((_, of)) => *of = chunk,
            None => self.vlmeta.push((name.to_owned(), chunk)),
        }
        trailer(&self.vlmeta).map(|_| ())
    }

    /// Takes a metalayer of variable size away.
    ///
    /// # Errors
    /// [`Error::NoMetalayer`].
    pub fn remove_vlmeta(&mut self, name: &str) -> Result<()> {
        let count = self.vlmeta.len();
        self.vlmeta.retain(|(other, _)| other != name);
        if self.vlmeta.len() < count {
            Ok(())
        } else {
            Err(Error::NoMetalayer { part: Part::VlMetalayer, name: name.into() })
        }
    }

    /// Makes all changes seen, durably and at once. More may follow.
    ///
    /// # Errors
    /// [`Error::Engine`] if it cannot be written: then the frame is the one before or the one after.
    pub fn commit(&mut self) -> Result<()> {
        self.write_sums()?;
        let index = index(&self.offsets, self.encoding.threads)?;
        let trailer = trailer(&self.vlmeta)?;
        let sparse = matches!(self.home, Home::Folder(..));
        let start = if sparse || index.is_empty() {
            0
        } else {
            self.place_of((index.len() + trailer.len()) as u64)
        };
        let frame_len = self.frame.header_len() + start + (index.len() + trailer.len()) as u64;
        let outline = Outline {
            encoding: &self.encoding,
            sparse,
            frame_len,
            nbytes: self.nbytes,
            cbytes: if sparse { self.cbytes } else { start },
            chunksize: self.chunksize,
            blocks_differ: self.kind == Some(Kind::Blocks),
            blocksize: self.frame.blocksize().unwrap_or(0),
            metalayers: &self.metalayers,
            has_vlmeta: !self.vlmeta.is_empty(),
        };
        let header = outline.header()?;
        match &self.home {
            Home::Folder(folder, _) => {
                let bytes = [header, index, trailer].concat();
                write_file(&to_write(folder, INDEX_FILE)?, &bytes, true)?;
                for number in self.retired.drain(..).map(|range| range.start) {
                    // A file that is left takes room, and does no harm.
                    let _ = std::fs::remove_file(folder.join(name_of(number)));
                }
                self.frame = Options::new().file(folder)?;
            }
            Home::File(storage, name) => {
                let (head, behind) = if index.is_empty() {
                    ([header, trailer].concat(), Vec::new())
                } else {
                    (header, [index, trailer].concat())
                };
                let at = head.len() as u64 + start;
                journal::publish(&**storage, &self.frame, &head, at, &behind)?;
                let source = Snapshot::new(storage.clone(), u64::MAX, name.clone());
                let source = source.map_err(Error::engine(Part::Header))?;
                self.frame = Options::new().source(source)?;
            }
        }
        self.free.append(&mut self.retired);
        self.join();
        self.settle();
        Ok(())
    }

    /// Brings the metalayer of checksums to the chunks as they are, if there is one. Where it was not of the
    /// chunks that there are, those are read.
    fn write_sums(&mut self) -> Result<()> {
        let Some(known) = &mut self.sums else { return Ok(()) };
        let Some((_, of)) = self.vlmeta.iter_mut().find(|(name, _)| name == checksums::NAME) else {
            self.sums = None;
            return Ok(());
        };
        let stored = |offset: u64| matches!(super::index::place(offset), Some(Place::Stored(_)));
        let mut unknown: BTreeSet<u64> = self.offsets.iter().copied().collect();
        unknown.retain(|offset| stored(*offset) && !known.contains_key(offset));
        for number in 0..if unknown.is_empty() { 0 } else { self.frame.chunk_count() } {
            if let Place::Stored(offset) = self.frame.place(number)?
                && unknown.remove(&offset)
            {
                let chunk = self.frame.chunk(number)?;
                known.insert(offset, checksums::of_bytes(&chunk.stored_bytes()?));
            }
        }
        // Special values have none.
        let sum = |offset: &u64| known.get(offset).copied().unwrap_or(0);
        let sums: Vec<u32> = self.offsets.iter().map(sum).collect();
        *of = encoded_vlmeta(&checksums::content(&sums)?)?;
        Ok(())
    }

    /// Where index and trailer of this many bytes go: before those that there are, if there is room behind
    /// all chunks; else behind everything.
    fn place_of(&self, len: u64) -> u64 {
        let header = self.frame.header_len();
        let index = self.frame.index_range().start - header;
        let behind = self.cbytes > self.frame.frame_len() - header;
        let room = self.free.iter().find(|hole| hole.end == index && hole.end - hole.start >= len);
        room.filter(|_| !behind).map_or(self.cbytes, |hole| hole.start)
    }

    /// Makes one hole of those side by side, within what is before the index.
    fn join(&mut self) {
        let end = self.frame.index_range().start - self.frame.header_len();
        let mut holes = std::mem::take(&mut self.free);
        holes.sort_by_key(|hole| hole.start);
        for hole in holes {
            let hole = hole.start.min(end)..hole.end.min(end);
            match self.free.last_mut() {
                Some(last) if last.end >= hole.start => last.end = last.end.max(hole.end),
                _ if hole.is_empty() => {}
                _ => self.free.push(hole),
            }
        }
    }
}

impl std::fmt::Debug for FrameEditor {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("FrameEditor").field(&self.frame).finish()
    }
}
