//! New frames, written chunk by chunk: in a file, in a folder of files, in memory.

use std::path::Path;

use dudley::bytes::{AtomicFile, AtomicFolder};

use super::assemble::{Contents, Outline, index, special_offset, trailer};
use super::files::name_of;
use super::options::INDEX_FILE;
use super::variable::Kind;
use super::{Frame, checksums};
use crate::blosc2::chunk::{self, Chunk, Encoded, Special, encode_all};
use crate::blosc2::encoding::{Encoding, refused};
use crate::blosc2::error::{Error, Part, Result};

/// Decoded bytes of a chunk where nothing is said.
const CHUNK: usize = 4 << 20;

/// Decoded bytes that are compressed together, at least a chunk.
const BATCH: usize = 16 << 20;

/// The most decoded bytes of a chunk.
const LARGEST: usize = i32::MAX as usize - 32;

/// How a new frame is written.
///
/// ```
/// use asdf_bridge::blosc2::{Encoding, Frame, NewFrame};
///
/// let numbers: Vec<u8> = (0..400_000_u32).map(|i| (i / 400) as u8).collect();
/// let mut writer = NewFrame::new(Encoding::new(4)).chunksize(1 << 17).meta("unit", b"\xa1K").memory()?;
/// for part in numbers.chunks(1000) {
///     writer.write(part)?;
/// }
/// let frame = Frame::from_source(writer.finish_bytes()?)?;
/// assert_eq!(frame.chunk_count(), 4);
/// assert_eq!(frame.meta("unit")?, b"\xa1K");
/// assert_eq!(frame.read()?, numbers);
/// # Ok::<(), asdf_bridge::blosc2::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct NewFrame {
    pub(crate) encoding: Encoding,
    /// 0 where chunks differ in size.
    pub(crate) chunksize: usize,
    pub(crate) blocksize: u64,
    pub(crate) metalayers: Contents,
    pub(super) vlmeta: Contents,
    pub(super) checksums: bool,
    unchecked: bool,
}

impl NewFrame {
    /// Of chunks that are compressed so, of 4 MiB each.
    pub fn new(encoding: Encoding) -> NewFrame {
        let size = encoding.typesize.clamp(1, LARGEST);
        NewFrame {
            encoding,
            chunksize: (CHUNK - CHUNK % size).max(size),
            blocksize: 0,
            metalayers: Contents::new(),
            vlmeta: Contents::new(),
            checksums: false,
            unchecked: false,
        }
    }

    /// Decoded bytes of each chunk but the last, which may have fewer; rounded down to whole elements.
    #[must_use]
    pub fn chunksize(mut self, bytes: usize) -> NewFrame {
        let size = self.encoding.typesize.clamp(1, LARGEST);
        self.chunksize = (bytes - bytes % size).max(size);
        self
    }

    /// A metalayer, whose length will stay what it is now. Other programs expect msgpack.
    #[must_use]
    pub fn meta(mut self, name: &str, content: &[u8]) -> NewFrame {
        self.metalayers.push((name.to_owned(), content.to_vec()));
        self
    }

    /// A metalayer of variable size. Other programs expect msgpack.
    #[must_use]
    pub fn vlmeta(mut self, name: &str, content: &[u8]) -> NewFrame {
        self.vlmeta.push((name.to_owned(), content.to_vec()));
        self
    }

    /// Whether the frame gets checksums: the CRC-32C of each chunk, in the metalayer of variable size
    /// `dudley.crc32c`, with which [`Frame::verify`](super::Frame::verify) finds damage that decodes.
    /// [`FrameEditor`](super::FrameEditor) keeps them true; other programs, which do not know them, leave them
    /// as they were.
    #[must_use]
    pub fn checksums(mut self, checksums: bool) -> NewFrame {
        self.checksums = checksums;
        self
    }

    /// Whether frames and arrays that are written anew are taken as they are. Else one that has checksums which are
    /// not those of its chunks is refused, and, where there will be checksums, one whose index has [wrong
    /// entries](Frame::check_entries): new checksums would be right whatever became of its data.
    #[must_use]
    pub fn unchecked(mut self, unchecked: bool) -> NewFrame {
        self.unchecked = unchecked;
        self
    }

    /// Begins a frame in one file, which appears when it is [finished](FrameWriter::finish).
    ///
    /// # Errors
    /// [`Error::Engine`] if it cannot be created, or is there and not to be overwritten;
    /// [`Error::Range`] for what cannot be.
    pub fn file(self, path: impl AsRef<Path>, overwrite: bool) -> Result<FrameWriter> {
        let file = AtomicFile::create(path, overwrite).map_err(Error::engine(Part::Header))?;
        self.begin(To::File(file))
    }

    /// Begins a sparse frame, whose chunks are files of a folder, which must be empty or not be there. It
    /// appears when it is [finished](FrameWriter::finish).
    ///
    /// # Errors
    /// As [`Self::file`].
    pub fn folder(self, path: impl AsRef<Path>) -> Result<FrameWriter> {
        let folder = AtomicFolder::create(path).map_err(Error::engine(Part::Sparse))?;
        self.begin(To::Folder(folder, 0))
    }

    /// Begins a frame in memory.
    ///
    /// # Errors
    /// [`Error::Range`] for what cannot be.
    pub fn memory(self) -> Result<FrameWriter> {
        self.begin(To::Memory(Vec::new()))
    }

    /// Whether each chunk is of a size of its own.
    pub(super) fn is_variable(&self) -> bool {
        self.chunksize == 0
    }

    fn begin(mut self, to: To) -> Result<FrameWriter> {
        self.encoding.check_in_frame()?;
        // c-blosc2 opens no such frame whose first chunk is a value.
        self.encoding.specials &= !self.is_variable();
        if self.chunksize > LARGEST {
            return Err(refused(&format!(
                "chunks of {} bytes, which is 2 GiB or more",
                self.chunksize
            )));
        }
        let vlmeta =
            self.vlmeta.iter().map(|(name, content)| Ok((name.clone(), encoded_vlmeta(content)?)));
        let mut vlmeta: Contents = vlmeta.collect::<Result<_>>()?;
        if self.checksums {
            vlmeta.push((checksums::NAME.to_owned(), Vec::new()));
        }
        let mut writer = FrameWriter {
            vlmeta,
            frame: self,
            to,
            header_len: 0,
            offsets: Vec::new(),
            sums: Vec::new(),
            nbytes: 0,
            cbytes: 0,
            pending: Vec::new(),
            short: false,
            kind: None,
        };
        // Its length is what counts, which does not change.
        let header = writer.outline(0, 0).header()?;
        trailer(&writer.vlmeta)?;
        writer.header_len = header.len() as u64;
        writer.put_at(0, &header)?;
        Ok(writer)
    }
}

/// The chunk of a metalayer of variable size.
pub(crate) fn encoded_vlmeta(content: &[u8]) -> Result<Vec<u8>> {
    Encoding::new(1).filters(&[]).threads(1).chunk(content)
}

/// Where a frame goes to.
enum To {
    Memory(Vec<u8>),
    File(AtomicFile),
    /// A folder, and how many chunks are in it.
    Folder(AtomicFolder, u64),
}

/// A frame that is being written. Memory: what is compressed together, 16 MiB or a chunk of decoded
/// bytes, and 8 bytes for each chunk.
pub struct FrameWriter {
    frame: NewFrame,
    vlmeta: Contents,
    to: To,
    header_len: u64,
    offsets: Vec<u64>,
    /// The checksums of chunks, if they are requested.
    sums: Vec<u32>,
    nbytes: u64,
    cbytes: u64,
    /// Bytes of a chunk that is not full.
    pending: Vec<u8>,
    /// Whether a chunk was written that is not full, behind which there is none.
    short: bool,
    /// What chunks of any size are, when there is one.
    pub(super) kind: Option<Kind>,
}

impl FrameWriter {
    /// Appends decoded bytes, of any number; where chunks are [of any size](NewFrame::variable), a chunk of
    /// them.
    ///
    /// # Errors
    /// [`Error::Engine`] if they cannot be written; if compressing them fails.
    pub fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let size = self.frame.chunksize;
        if self.frame.is_variable() {
            return if bytes.is_empty() { Ok(()) } else { self.chunks(&[bytes]) };
        }
        let mut rest = bytes;
        if !self.pending.is_empty() {
            let (now, later) = rest.split_at(rest.len().min(size - self.pending.len()));
            self.pending.extend_from_slice(now);
            rest = later;
            if self.pending.len() == size {
                let chunk = std::mem::take(&mut self.pending);
                self.chunks(&[&chunk])?;
            }
        }
        let whole = rest.len() - rest.len() % size;
        let (whole, rest) = rest.split_at(whole);
        for batch in whole.chunks((BATCH / size).max(1) * size) {
            self.chunks(&batch.chunks(size).collect::<Vec<_>>())?;
        }
        self.pending.extend_from_slice(rest);
        Ok(())
    }

    /// Appends a chunk that is compressed already, by [`Encoding::chunk`] or by another program. It must
    /// be full, except for the last one. One of zeros, of NaN, or of what was never set is written as
    /// [`Self::write_special`] does; one with the [header of Blosc 1](Encoding::short_header) is compressed anew if it
    /// is the first.
    ///
    /// # Errors
    /// [`Error::Range`] for a chunk of another size, or while what was written is no whole number of
    /// chunks; what is wrong with its header.
    pub fn write_chunk(&mut self, stored: &[u8]) -> Result<()> {
        let chunk = Chunk::parse(stored)?;
        let trailing = stored.len() as u64 - chunk.cbytes();
        if !self.pending.is_empty() || trailing > 0 {
            return Err(refused("a compressed chunk behind part of one, or more than one"));
        }
        let of_size = usize::from(chunk.typesize()) == self.frame.encoding.typesize;
        let first = self.offsets.is_empty();
        match chunk.special() {
            // c-blosc2 opens no frame whose first chunk has such a header.
            None if first && chunk.has_short_header() => self.chunks(&[&chunk.decode()?]),
            None | Some(Special::Value) => {
                let kind = Kind::of(chunk.has_variable_blocks());
                self.put(Encoded { bytes: stored.to_vec(), special: None }, chunk.nbytes(), kind)
            }
            // In the index these are of the elements of the frame.
            Some(Special::Nan) if !of_size => self.chunks(&[&chunk.decode()?]),
            Some(special) => self.put_special(special, chunk.nbytes()),
        }
    }

    /// Appends elements that were never set, or are all zeros or not a number, of this many decoded bytes.
    /// Whole chunks of them cost 8 bytes; where chunks are [of any size](NewFrame::variable), it is one, which
    /// costs 40, or is stored as any other if it is the first.
    ///
    /// # Errors
    /// As [`Self::write`]; [`Error::Range`] for a value that is none of these, for NaN of elements that have not 4 or
    /// 8 bytes, or while what was written is no whole number of chunks.
    pub fn write_special(&mut self, special: Special, bytes: u64) -> Result<()> {
        if special == Special::Value || !self.pending.is_empty() {
            return Err(refused("zeros, NaN or what is not set, behind whole chunks"));
        }
        let typesize = self.frame.encoding.typesize;
        if special == Special::Nan && chunk::nan(typesize).is_err() {
            return Err(refused(&format!("NaN of elements of {typesize} bytes, not of 4 or 8")));
        }
        let size = if self.frame.is_variable() { LARGEST } else { self.frame.chunksize };
        let mut left = bytes;
        while left > 0 {
            let now = left.min(size as u64);
            self.put_special(special, now)?;
            left -= now;
        }
        Ok(())
    }

    /// Appends a chunk of one value again and again, of this many decoded bytes, which are whole ones.
    pub(super) fn write_value(&mut self, value: &[u8], nbytes: u64) -> Result<()> {
        let chunk = chunk::special(&self.frame.encoding, Special::Value, value, nbytes as usize)?;
        self.put(chunk, nbytes, Kind::Plain)
    }

    /// Appends a chunk of a special value of this many decoded bytes. c-blosc2 opens no frame with a value that is no
    /// whole elements, and none whose first chunk is stored as one.
    fn put_special(&mut self, special: Special, nbytes: u64) -> Result<()> {
        let encoding = &self.frame.encoding;
        let whole = nbytes.is_multiple_of(encoding.typesize.max(1) as u64);
        if !whole || self.frame.is_variable() && self.offsets.is_empty() {
            let raw = Chunk::of_value(special, nbytes, 0, &encoding.context())?.decode()?;
            return self.chunks(&[&raw]);
        }
        let chunk = chunk::special(encoding, special, &[], nbytes as usize)?;
        self.put(chunk, nbytes, Kind::Plain)
    }

    /// Decoded bytes of each chunk but the last; 0 where they are [of any size](NewFrame::variable).
    pub fn chunksize(&self) -> u64 {
        self.frame.chunksize as u64
    }

    /// Decoded bytes so far.
    pub fn nbytes(&self) -> u64 {
        self.nbytes + self.pending.len() as u64
    }

    /// Bytes of the chunks so far as they are stored.
    pub fn cbytes(&self) -> u64 {
        self.cbytes
    }

    pub(super) fn encoding(&self) -> &Encoding {
        &self.frame.encoding
    }

    /// Checks that a frame which is written anew is what its checksums say, and its index where there will be new ones, if
    /// that is to be looked at.
    pub(crate) fn check_source(&self, frame: &Frame) -> Result<()> {
        if self.frame.unchecked {
            return Ok(());
        }
        frame.check_checksums()?;
        let mut wrong = None;
        if self.frame.checksums {
            frame.check_entries(&mut |_, why| {
                wrong.get_or_insert(why);
            });
        }
        wrong.map_or(Ok(()), Err)
    }

    pub(crate) fn chunks(&mut self, raws: &[&[u8]]) -> Result<()> {
        let encoded = encode_all(&self.frame.encoding, raws)?;
        for (chunk, raw) in encoded.into_iter().zip(raws) {
            self.put(chunk, raw.len() as u64, Kind::Plain)?;
        }
        Ok(())
    }

    /// Checks that a chunk of this many bytes may be the next one.
    fn takes(&mut self, nbytes: u64, kind: Kind) -> Result<()> {
        if self.frame.is_variable() {
            return kind.joins(&mut self.kind);
        }
        let size = self.frame.chunksize as u64;
        if self.short || nbytes > size || nbytes == 0 || kind == Kind::Blocks {
            let why = match kind {
                Kind::Blocks => "blocks of any size, where chunks are all of one".to_owned(),
                Kind::Plain if self.short => format!(
                    "a chunk behind one of {} bytes, where all but the last have {size}",
                    self.nbytes % size
                ),
                Kind::Plain => {
                    format!("a chunk of {nbytes} bytes, where all but the last have {size}")
                }
            };
            return Err(refused(&why));
        }
        self.short = nbytes < size;
        Ok(())
    }

    pub(super) fn put(&mut self, chunk: Encoded, nbytes: u64, kind: Kind) -> Result<()> {
        self.takes(nbytes, kind)?;
        self.nbytes += nbytes;
        // An entry of the index does not say how many bytes a value has.
        let special = chunk.special.filter(|_| !self.frame.is_variable());
        let special = special.and_then(special_offset);
        if self.frame.checksums {
            let sum = if special.is_some() { 0 } else { checksums::of_bytes(&chunk.bytes) };
            self.sums.push(sum);
        }
        if let Some(offset) = special {
            self.offsets.push(offset);
            return Ok(());
        }
        match &mut self.to {
            To::Folder(folder, count) => {
                write_file(&folder.path().join(name_of(*count)), &chunk.bytes, false)?;
                self.offsets.push(*count);
                *count += 1;
            }
            _ => {
                self.put_at(self.header_len + self.cbytes, &chunk.bytes)?;
                self.offsets.push(self.cbytes);
            }
        }
        self.cbytes += chunk.bytes.len() as u64;
        Ok(())
    }

    /// Leaves out the checksums, if there were to be some.
    pub(super) fn drop_checksums(&mut self) -> bool {
        let has = std::mem::take(&mut self.frame.checksums);
        if has {
            // They are the last.
            self.vlmeta.pop();
        }
        has
    }

    fn put_at(&mut self, address: u64, bytes: &[u8]) -> Result<()> {
        match &mut self.to {
            To::File(file) => file.write_at(address, bytes).map_err(Error::engine(Part::Header)),
            To::Memory(memory) => {
                // Written in order, except for the header.
                let at = address as usize;
                let end = at + bytes.len();
                if memory.len() < end {
                    memory.resize(end, 0);
                }
                memory[at..end].copy_from_slice(bytes);
                Ok(())
            }
            To::Folder(..) => Ok(()),
        }
    }

    fn outline(&self, frame_len: u64, stored: u64) -> Outline<'_> {
        Outline {
            encoding: &self.frame.encoding,
            sparse: matches!(self.to, To::Folder(..)),
            frame_len,
            nbytes: self.nbytes,
            cbytes: stored,
            chunksize: self.frame.chunksize as u64,
            blocks_differ: self.kind == Some(Kind::Blocks),
            blocksize: self.frame.blocksize,
            metalayers: &self.frame.metalayers,
            has_vlmeta: !self.vlmeta.is_empty(),
        }
    }

    /// Completes the frame.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn finish(mut self) -> Result<()> {
        self.complete()?;
        match self.to {
            To::File(file) => file.commit().map_err(Error::engine(Part::Header)),
            To::Folder(folder, _) => folder.commit().map_err(Error::engine(Part::Sparse)),
            To::Memory(_) => Ok(()),
        }
    }

    /// Completes the frame, and gives its bytes if it is in memory; else none.
    ///
    /// # Errors
    /// As [`Self::write`].
    pub fn finish_bytes(mut self) -> Result<Vec<u8>> {
        if !matches!(self.to, To::Memory(_)) {
            return self.finish().map(|()| Vec::new());
        }
        self.complete()?;
        match self.to {
            To::Memory(bytes) => Ok(bytes),
            To::File(_) | To::Folder(..) => Ok(Vec::new()),
        }
    }

    fn complete(&mut self) -> Result<()> {
        let last = std::mem::take(&mut self.pending);
        if !last.is_empty() {
            self.chunks(&[&last])?;
        }
        if self.frame.checksums
            && let Some((_, sums)) = self.vlmeta.last_mut()
        {
            *sums = encoded_vlmeta(&checksums::content(&self.sums)?)?;
        }
        let index = index(&self.offsets, self.frame.encoding.threads)?;
        let trailer = trailer(&self.vlmeta)?;
        let in_frame = if matches!(self.to, To::Folder(..)) { 0 } else { self.cbytes };
        let start = self.header_len + in_frame;
        let frame_len = start + (index.len() + trailer.len()) as u64;
        let header = self.outline(frame_len, self.cbytes).header()?;
        if let To::Folder(folder, _) = &self.to {
            let bytes = [header, index, trailer].concat();
            return write_file(&folder.path().join(INDEX_FILE), &bytes, false);
        }
        self.put_at(start, &index)?;
        self.put_at(start + index.len() as u64, &trailer)?;
        self.put_at(0, &header)
    }
}

impl std::fmt::Debug for FrameWriter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (chunks, nbytes) = (self.offsets.len(), self.nbytes);
        f.debug_struct("FrameWriter").field("chunks", &chunks).field("nbytes", &nbytes).finish()
    }
}

/// A file of a sparse frame, complete or absent.
pub(super) fn write_file(path: &Path, bytes: &[u8], overwrite: bool) -> Result<()> {
    let failed = Error::engine(Part::Sparse);
    let mut file = AtomicFile::create(path, overwrite).map_err(&failed)?;
    file.write_at(0, bytes).map_err(&failed)?;
    file.commit().map_err(&failed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blosc2::{Codec, Place};

    fn ramp(count: u32) -> Vec<u8> {
        (0..count).flat_map(u32::to_le_bytes).collect()
    }

    #[test]
    fn frames_of_all_kinds_are_read_again() {
        let raw = ramp(10_000);
        let new = || {
            let encoding = Encoding::new(4).codec(Codec::Lz4);
            let new = NewFrame::new(encoding).chunksize(6000).meta("a", &[0xc0]);
            new.vlmeta("note", &[7; 300]).vlmeta("", &[])
        };
        let folder = tempfile::tempdir().expect("a folder");
        let (file, many) = (folder.path().join("one.b2frame"), folder.path().join("many"));
        for mut writer in [
            new().memory().expect("begun"),
            new().file(&file, false).expect("begun"),
            new().folder(&many).expect("begun"),
        ] {
            for part in raw.chunks(7777) {
                writer.write(part).expect("written");
            }
            assert_eq!(writer.nbytes(), 40_000);
            let bytes = writer.finish_bytes().expect("complete");
            let frame = match (bytes.is_empty(), file.exists() && !many.join(INDEX_FILE).exists()) {
                (false, _) => Frame::from_source(bytes),
                (true, true) => Frame::open(&file),
                (true, false) => Frame::open(&many),
            };
            let frame = frame.expect("a frame");
            assert_eq!(frame.read().expect("decoded"), raw);
            assert_eq!((frame.chunk_count(), frame.chunksize()), (7, Some(6000)));
            assert_eq!(frame.meta("a").expect("there"), [0xc0]);
            assert_eq!(frame.vlmeta("note").expect("there"), [7; 300]);
            assert!(frame.vlmeta("").expect("there").is_empty());
            assert_eq!(frame.codec().expect("known"), Codec::Lz4);
        }
        assert!(new().folder(&many).is_err());
        assert!(new().file(&file, false).is_err());
    }

    #[test]
    fn special_values_take_no_room() {
        let mut writer = NewFrame::new(Encoding::new(8)).chunksize(800).memory().expect("begun");
        writer.write_special(Special::Nan, 1600).expect("written");
        writer.write(&[0; 800]).expect("written");
        writer.write(&1.5_f64.to_le_bytes().repeat(100)).expect("written");
        writer.write_special(Special::Uninit, 1000).expect("written");
        let error = writer.write_special(Special::Zeros, 800).expect_err("one is not full");
        let wanted = "a chunk behind one of 200 bytes, where all but the last have 800";
        assert_eq!(error.to_string(), wanted);
        let frame = Frame::from_source(writer.finish_bytes().expect("complete")).expect("a frame");
        let places: Vec<Place> = (0..6).map(|number| frame.place(number).expect("there")).collect();
        assert_eq!(
            places,
            [
                Place::Special(Special::Nan),
                Place::Special(Special::Nan),
                Place::Special(Special::Zeros),
                Place::Stored(0),
                Place::Special(Special::Uninit),
                Place::Special(Special::Uninit),
            ]
        );
        assert_eq!(frame.cbytes(), 40);
        assert!(
            f64::from_le_bytes(frame.read().expect("decoded")[..8].try_into().expect("8")).is_nan()
        );
    }

    #[test]
    fn compressed_chunks_of_a_value_are_in_the_index_and_the_first_of_any_size_is_stored() {
        let of_4 = Encoding::new(4).codec(Codec::Lz4);
        let nan = |count| f32::NAN.to_le_bytes().repeat(count);
        for raw in [vec![0; 400], nan(100)] {
            let stored = of_4.chunk(&raw).expect("a chunk");
            let mut writer = NewFrame::new(of_4.clone()).chunksize(400).memory().expect("begun");
            writer.write_chunk(&stored).expect("written");
            writer.write(&ramp(100)).expect("written");
            writer.write_chunk(&stored).expect("written");
            let bytes = writer.finish_bytes().expect("complete");
            let frame = Frame::from_source(bytes).expect("a frame");
            assert!(matches!(frame.place(0).expect("there"), Place::Special(_)));
            assert!(matches!(frame.place(2).expect("there"), Place::Special(_)));
            assert_eq!(frame.read().expect("decoded"), [&raw[..], &ramp(100), &raw].concat());

            let mut writer = NewFrame::new(of_4.clone()).variable().memory().expect("begun");
            writer.write_chunk(&stored).expect("written");
            writer.write_chunk(&stored).expect("written");
            let bytes = writer.finish_bytes().expect("complete");
            let frame = Frame::from_source(bytes).expect("a frame");
            assert_eq!(frame.chunk(0).expect("there").special(), None);
            assert_eq!(frame.read().expect("decoded"), raw.repeat(2));
        }
        // NaN of other elements than those of the frame.
        let mut writer = NewFrame::new(Encoding::new(8)).chunksize(400).memory().expect("begun");
        writer.write_chunk(&of_4.chunk(&nan(100)).expect("a chunk")).expect("written");
        assert!(writer.write_chunk(&of_4.chunk(&nan(101)).expect("a chunk")).is_err());
        assert!(writer.write_chunk(&of_4.chunk(&[0; 404]).expect("a chunk")).is_err());
        let frame = Frame::from_source(writer.finish_bytes().expect("complete")).expect("a frame");
        assert_eq!(frame.read().expect("decoded"), nan(100));
    }

    #[test]
    fn the_first_chunk_has_no_header_of_blosc_1() {
        let short = Encoding::new(4).codec(Codec::Lz4).short_header(true);
        assert!(NewFrame::new(short.clone()).memory().is_err());
        let stored = short.chunk(&ramp(100)).expect("a chunk");
        let new = NewFrame::new(Encoding::new(4)).chunksize(400);
        for new in [new.clone(), new.variable()] {
            let mut writer = new.memory().expect("begun");
            writer.write_chunk(&stored).expect("written");
            writer.write_chunk(&stored).expect("written");
            let bytes = writer.finish_bytes().expect("complete");
            let frame = Frame::from_source(bytes).expect("a frame");
            let short = |number| frame.chunk(number).expect("there").has_short_header();
            assert_eq!((short(0), short(1)), (false, true));
            assert_eq!(frame.read().expect("decoded"), ramp(100).repeat(2));
        }
    }

    #[test]
    fn nan_is_only_of_elements_that_can_be() {
        for typesize in [1, 2, 3, 16] {
            let new = NewFrame::new(Encoding::new(typesize)).chunksize(32);
            let mut writer = new.memory().expect("begun");
            let refused = writer.write_special(Special::Nan, 32);
            assert!(matches!(refused, Err(Error::Range(_))), "{typesize}: {refused:?}");
        }
        let mut writer = NewFrame::new(Encoding::new(4)).chunksize(32).memory().expect("begun");
        writer.write_special(Special::Nan, 32).expect("written");
        let mut bytes = writer.finish_bytes().expect("complete");
        // Elements of 2 bytes, as the header then says.
        bytes[51] = 2;
        let frame = Frame::from_source(bytes).expect("a frame");
        let why = frame.chunk(0).map(drop).expect_err("there is no such NaN");
        let index = frame.index_range().start;
        let wanted = (Some(Part::Index), Some(0), Some(index));
        assert_eq!((why.part(), why.chunk(), why.address()), wanted, "{why}");
    }

    #[test]
    fn nothing_and_what_cannot_be() {
        let empty = NewFrame::new(Encoding::new(4)).memory().expect("begun");
        let frame = Frame::from_source(empty.finish_bytes().expect("complete")).expect("a frame");
        assert_eq!((frame.chunk_count(), frame.nbytes()), (0, 0));
        let plain = || NewFrame::new(Encoding::new(4));
        let many = (0..17).fold(plain(), |frame, at| frame.meta(&at.to_string(), &[]));
        assert!(many.memory().is_err());
        assert!(plain().vlmeta(&"x".repeat(32), &[]).memory().is_err());
        assert!(plain().meta("x", &[]).meta("x", &[]).memory().is_err());
        assert!(plain().chunksize(usize::MAX).memory().is_err());
        let mut writer = plain().chunksize(400).memory().expect("begun");
        let chunk = Encoding::new(4).chunk(&ramp(101)).expect("a chunk");
        assert!(writer.write_chunk(&chunk).is_err());
        let chunk = Encoding::new(4).chunk(&ramp(100)).expect("a chunk");
        writer.write_chunk(&chunk).expect("written");
        let frame = Frame::from_source(writer.finish_bytes().expect("complete")).expect("a frame");
        assert_eq!(frame.read().expect("decoded"), ramp(100));
    }
}
