//! The readable parts of a damaged frame, as a frame: complete chunks as they are stored, and single blocks of others.

use std::cell::Cell;
use std::ops::Range;

use super::b2nd;
use super::{CHECKSUMS, Entries, Frame, FrameWriter, NewFrame, Place};
use crate::blosc2::chunk::{Chunk, Scratch, Special};
use crate::blosc2::encoding::Encoding;
use crate::blosc2::error::{Error, Part, Result};
use crate::blosc2::memory;
use crate::blosc2::ndarray::NdArray;
use crate::blosc2::verify::path;

/// Something of a frame that is lost, or may be wrong.
#[derive(Debug)]
#[non_exhaustive]
pub struct Lost {
    /// Where it was: a slice of `/data`, a metalayer, or one of the `/chunks`, where these differ in size.
    pub path: String,
    /// Why it cannot be read, or why it may be wrong.
    pub why: Error,
    /// Blocks of a chunk that are lost, and how many it has, where the others are kept.
    pub blocks: Option<(usize, usize)>,
    /// It was kept, but is not what its checksum was made of, or as long as the frame says.
    pub kept: bool,
}

/// Receives each.
type Take<'t> = dyn FnMut(Lost) + 't;

impl NewFrame {
    /// As a frame is that is to be [salvaged](FrameWriter::salvage). Metalayers that cannot be read are left out, that
    /// of an array where it does not fit the frame too, and given to `lost`.
    pub fn salvage(frame: &Frame, lost: &mut Take<'_>) -> NewFrame {
        // How chunks are compressed that have to be; the others stay as they are.
        let encoding = frame.encoding().unwrap_or_else(|_| Encoding::new(frame.typesize()));
        let mut new = NewFrame::new(encoding);
        new.blocksize = frame.blocksize().unwrap_or(0);
        new = match frame.chunksize().and_then(|size| usize::try_from(size).ok()) {
            Some(size) => new.chunksize(size),
            None if frame.chunk_count() > 0 => new.variable(),
            None => new,
        };
        let passed = [("/meta", frame.header_passed()), ("/vlmeta", frame.trailer_passed())];
        for (path, why) in passed {
            let why = why.map(Error::again);
            let gone =
                why.map(|why| Lost { path: path.to_owned(), why, blocks: None, kept: false });
            gone.into_iter().for_each(&mut *lost);
        }
        let wrong = NdArray::fitting(frame).err();
        for name in frame.meta_names() {
            // With it, nothing would read the data.
            if let Some(why) = wrong.as_ref().filter(|_| b2nd::NAMES.contains(&name)) {
                lost(Lost {
                    path: path("/meta/", name),
                    why: why.again(),
                    blocks: None,
                    kept: false,
                });
                continue;
            }
            match frame.meta(name) {
                Ok(content) => new = new.meta(name, &content),
                Err(why) => {
                    lost(Lost { path: path("/meta/", name), why, blocks: None, kept: false });
                }
            }
        }
        let mut read = |at: String, content: Result<Vec<u8>>| {
            let lose = |why| lost(Lost { path: at, why, blocks: None, kept: false });
            content.map_err(lose).ok()
        };
        if let Some(content) = frame.usermeta().transpose()
            && let Some(content) = read("/usermeta".to_owned(), content)
        {
            new = new.vlmeta("usermeta", &content);
        }
        for name in frame.vlmeta_names() {
            if name == CHECKSUMS {
                new = new.checksums(true);
            } else if let Some(content) = read(path("/vlmeta/", name), frame.vlmeta(name)) {
                new = new.vlmeta(name, &content);
            }
        }
        new
    }
}

impl FrameWriter {
    /// Appends all that can be read of a frame, chunk by chunk. Where a block cannot be, there is NaN in an array of
    /// floats and are zeros elsewhere; a chunk of a frame of chunks of any size is left out. What is lost, and what
    /// may be wrong, is given to `lost`; if any chunk may be, there are no checksums.
    ///
    /// ```
    /// use asdf_bridge::blosc2::{Codec, Encoding, Frame, NewArray, NewFrame};
    ///
    /// let new = NewArray::of::<f32>(&[40])?.chunks(&[10]).encoding(Encoding::new(4).codec(Codec::Lz4));
    /// let mut writer = new.memory()?;
    /// writer.write_elements(&(0..40).map(|i| i as f32).collect::<Vec<_>>())?;
    /// let mut bytes = writer.finish_bytes()?;
    /// let second = Frame::from_source(bytes.clone())?.chunk_address(1)?.expect("stored") as usize;
    /// bytes[second + 12] = 0;
    ///
    /// let damaged = Frame::from_source(bytes)?;
    /// let mut lost = Vec::new();
    /// let mut writer = NewFrame::salvage(&damaged, &mut |it| lost.push(it.path)).memory()?;
    /// writer.salvage(&damaged, &mut |it| lost.push(it.path))?;
    /// let array = Frame::from_source(writer.finish_bytes()?)?.array()?.expect("an array");
    /// assert_eq!(lost, ["/data[10:20]"]);
    /// let elements = array.read::<f32>()?;
    /// assert!(elements[9] == 9.0 && elements[10].is_nan() && elements[20] == 20.0);
    /// # Ok::<(), asdf_bridge::blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::write`]: if it cannot be written.
    pub fn salvage(&mut self, frame: &Frame, lost: &mut Take<'_>) -> Result<()> {
        let (mut doubtful, mut gone) = (false, false);
        let mut take = |it: Lost| {
            doubtful |= it.kept;
            gone |= !it.kept;
            lost(it);
        };
        let source = Salvage::new(frame, &mut take);
        let last = frame.chunk_count().saturating_sub(1);
        (0..=last).take_while(|_| frame.chunk_count() > 0).try_for_each(|number| {
            let read = source.read(number, &mut take);
            match read.nbytes() {
                // Between chunks of one size such of another one are no chunks, but bytes.
                Some(nbytes) if !self.takes_as_chunk(nbytes, number == last) => {
                    self.write(&read.bytes(frame)?)
                }
                _ => self.keep_read(read, &source, number),
            }
        })?;
        look_for_missing(frame, gone, lost);
        if doubtful && self.drop_checksums() {
            lost(no_checksums());
        }
        Ok(())
    }

    fn keep_read(&mut self, read: Read<'_>, source: &Salvage<'_>, number: u64) -> Result<()> {
        match read {
            Read::Special(special, nbytes) => self.write_special(special, nbytes),
            Read::Whole(chunk) => self.write_chunk(&chunk.stored_bytes()?),
            Read::Some(bytes) => self.chunks(&[&bytes]),
            Read::Lost => self.fill(source, number),
        }
    }

    /// Whether a chunk of this many bytes can be the next one as it is.
    fn takes_as_chunk(&self, nbytes: u64, is_last: bool) -> bool {
        let size = self.chunksize();
        size == 0 || self.nbytes().is_multiple_of(size) && (nbytes == size || is_last)
    }

    /// Appends what stands for a chunk that is lost: a value that takes no room, where that can be said.
    fn fill(&mut self, source: &Salvage<'_>, number: u64) -> Result<()> {
        if self.chunksize() == 0 {
            return Ok(());
        }
        let nbytes = source.lost_bytes(number);
        let is_last = number + 1 == source.frame.chunk_count();
        let is_zeros = source.missing.iter().all(|byte| *byte == 0);
        if self.takes_as_chunk(nbytes, is_last) {
            if is_zeros {
                return self.write_special(Special::Zeros, nbytes);
            }
            if nbytes.is_multiple_of(source.missing.len() as u64) {
                return self.write_value(&source.missing, nbytes);
            }
        }
        let mut left = nbytes;
        while left > 0 {
            let mut bytes = memory::zeros(left.min(self.chunksize()))?;
            source.fill(&mut bytes);
            left -= bytes.len() as u64;
            self.write(&bytes)?;
        }
        Ok(())
    }
}

impl Frame {
    /// The losses of [`FrameWriter::salvage`], without writing.
    pub fn look_for_lost(&self, lost: &mut dyn FnMut(Lost)) {
        let (mut doubtful, mut gone) = (false, false);
        let mut take = |it: Lost| {
            doubtful |= it.kept;
            gone |= !it.kept;
            lost(it);
        };
        let source = Salvage::new(self, &mut take);
        (0..self.chunk_count()).for_each(|number| drop(source.read(number, &mut take)));
        look_for_missing(self, gone, lost);
        if doubtful && self.vlmeta_names().any(|name| name == CHECKSUMS) {
            lost(no_checksums());
        }
    }
}

/// Where all chunks of the index can be read, that there were more of them: c-blosc2 lost entries of chunks that were
/// appended behind short ones.
fn look_for_missing(frame: &Frame, gone: bool, lost: &mut Take<'_>) {
    if let Err(why) = frame.check_sum_of_chunks()
        && !gone
    {
        lost(Lost { path: "/data".to_owned(), why, blocks: None, kept: false });
    }
}

/// New checksums would make chunks right that may not be.
fn no_checksums() -> Lost {
    let why =
        Error::Range("left out, since chunks are doubtful, which new ones would not tell".into());
    Lost { path: path("/vlmeta/", CHECKSUMS), why, blocks: None, kept: false }
}

/// What can be obtained of a chunk.
enum Read<'f> {
    Special(Special, u64),
    Whole(Box<Chunk<'f>>),
    /// Its bytes, where some blocks are lost.
    Some(Vec<u8>),
    Lost,
}

impl Read<'_> {
    /// How many bytes it has; `None` for what is lost.
    fn nbytes(&self) -> Option<u64> {
        match self {
            Read::Special(_, nbytes) => Some(*nbytes),
            Read::Whole(chunk) => Some(chunk.nbytes()),
            Read::Some(bytes) => Some(bytes.len() as u64),
            Read::Lost => None,
        }
    }

    fn bytes(self, frame: &Frame) -> Result<Vec<u8>> {
        match self {
            Read::Special(special, nbytes) => {
                Chunk::of_value(special, nbytes, 0, frame.context())?.decode_within(frame.limit())
            }
            Read::Whole(chunk) => chunk.decode_within(frame.limit()),
            Read::Some(bytes) => Ok(bytes),
            Read::Lost => Ok(Vec::new()),
        }
    }
}

/// A frame that is salvaged, as far as all of its chunks need it.
struct Salvage<'f> {
    frame: &'f Frame,
    array: Option<NdArray>,
    /// The element that stands for one that is lost.
    missing: Vec<u8>,
    sums: Vec<u32>,
    entries: Entries,
    found: Option<Found>,
    /// Chunks that are lost, and their bytes, of those of which nobody knows which bytes they have.
    unplaced: Cell<(u64, u64)>,
}

/// A chunk whose entry is wrong, and that lies where no other entry points.
struct Found {
    number: u64,
    at: u64,
    why: Error,
}

impl<'f> Salvage<'f> {
    fn new(frame: &'f Frame, lost: &mut Take<'_>) -> Salvage<'f> {
        // What is wrong with its metalayer is said where that is left out.
        let array = NdArray::fitting(frame).ok().flatten();
        let sums = frame.checksums().unwrap_or_else(|why| {
            let path = path("/vlmeta/", CHECKSUMS);
            lost(Lost { path, why, blocks: None, kept: false });
            None
        });
        let missing = array.as_ref().map_or_else(|| vec![0], NdArray::missing);
        let (sums, entries) = (sums.unwrap_or_default(), Entries::of(frame));
        if let Some(why) = frame.missing_behind() {
            lost(Lost { path: "/data".to_owned(), why, blocks: None, kept: false });
        }
        let mut source = Salvage {
            frame,
            array,
            missing,
            sums,
            entries,
            found: None,
            unplaced: Cell::default(),
        };
        source.found = source.find();
        source.unplaced = Cell::new(source.look_for_unplaced());
        source
    }

    /// The chunk of the only entry that is wrong, if there is one chunk that can be it: the only one that fills what
    /// others leave.
    fn find(&self) -> Option<Found> {
        if self.frame.is_sparse() || self.frame.index_passed().is_some() {
            return None;
        }
        let all = 0..self.frame.chunk_count();
        let mut wrong = all.filter_map(|number| Some((number, self.chunk(number).err()?)));
        let (number, why) = wrong.next().filter(|_| wrong.next().is_none())?;
        let fills = |gap: &Range<u64>| {
            let chunk = self.chunk_at(number, Place::Stored(gap.start)).ok();
            chunk.is_some_and(|chunk| {
                let whole = chunk.cbytes() == gap.end - gap.start;
                whole && chunk.decode_all(self.frame.threads(), self.frame.kept()).is_ok()
            })
        };
        let mut gaps = self.entries.gaps(self.frame).into_iter().filter(fills);
        let gap = gaps.next().filter(|_| gaps.next().is_none())?;
        Some(Found { number, at: gap.start, why })
    }

    fn place(&self, number: u64) -> Result<Place> {
        match &self.found {
            Some(found) if found.number == number => Ok(Place::Stored(found.at)),
            _ => self.frame.place(number),
        }
    }

    fn read(&self, number: u64, lost: &mut Take<'_>) -> Read<'f> {
        let frame = self.frame;
        let mut lose = |why, blocks, kept| {
            lost(Lost { path: self.path(number), why, blocks, kept });
        };
        let chunk = match self.chunk(number) {
            Ok(chunk) => chunk,
            Err(why) => {
                if let Some((read, path)) = self.of_other_size(number) {
                    let kept = matches!(read, Read::Whole(_));
                    lost(Lost { path, why, blocks: None, kept });
                    return read;
                }
                let some = self.cut_chunk(number).and_then(|chunk| self.some(&chunk));
                let (read, blocks) = match some {
                    Some((bytes, blocks)) => (Read::Some(bytes), Some(blocks)),
                    None => (Read::Lost, None),
                };
                lose(why, blocks, false);
                return read;
            }
        };
        let address = match self.place(number) {
            Ok(Place::Special(special)) => {
                if let Err(why) = self.entries.check(frame, number) {
                    lose(why, None, true);
                }
                return Read::Special(special, chunk.nbytes());
            }
            Ok(place) => self.address(place),
            Err(_) => 0,
        };
        let Err(why) = chunk.decode_all(frame.threads(), frame.kept()) else {
            if let Err(why) = self.doubt(number, address) {
                lose(why, None, true);
            }
            return Read::Whole(Box::new(chunk));
        };
        let why = why.in_chunk(number, address);
        match self.some(&chunk) {
            Some((bytes, blocks)) => {
                lose(why, Some(blocks), false);
                Read::Some(bytes)
            }
            None => {
                lose(why, None, false);
                Read::Lost
            }
        }
    }

    /// Checks that nothing says a chunk that decodes is another one.
    fn doubt(&self, number: u64, address: u64) -> Result<()> {
        if let Some(found) = self.found.as_ref().filter(|found| found.number == number) {
            return Err(found.why.again());
        }
        if let Some(sum) = self.sums.get(number as usize) {
            self.frame.check_sum(number, *sum)?;
        }
        self.chunk(number)?.check_starts().map_err(|why| why.in_chunk(number, address))?;
        self.entries.check(self.frame, number)?;
        let (index, count) = (&self.frame.inner.index, self.frame.chunk_count());
        index.walked_some().map_or(Ok(()), |there| {
            let expected = format!("{count} chunks, to know without the index which one it is");
            Err(Error::damaged(Part::Chunk, 0_u64, expected, there).in_chunk(number, address))
        })
    }

    /// A chunk that is cut as it should be.
    fn chunk(&self, number: u64) -> Result<Chunk<'f>> {
        self.chunk_at(number, self.place(number)?)
    }

    fn chunk_at(&self, number: u64, place: Place) -> Result<Chunk<'f>> {
        let wrong = |error: Error| error.in_chunk(number, self.address(place));
        let chunk = self.frame.chunk_of(number, place).map_err(wrong)?;
        let cut = self.array.as_ref().map_or(Ok(()), |array| array.check_blocks(&chunk));
        cut.map_err(wrong).map(|()| chunk)
    }

    /// A chunk some of whose bytes are missing, if that is all that is wrong with it.
    fn cut_chunk(&self, number: u64) -> Option<Chunk<'f>> {
        let chunk = self.frame.cut_chunk(number, self.place(number).ok()?).ok()?;
        let cut = self.array.as_ref().map_or(Ok(()), |array| array.check_blocks(&chunk));
        cut.ok().map(|()| chunk)
    }

    /// A chunk that decodes, but has fewer bytes than the frame says, or more if it is the last one: it keeps its own. And
    /// what of the data it does not have, or is it.
    fn of_other_size(&self, number: u64) -> Option<(Read<'f>, String)> {
        let (frame, size) = (self.frame, self.frame.chunksize()?);
        let place = self.place(number).ok().filter(|_| self.array.is_none())?;
        let (chunk, range) = (frame.chunk_in(number, place).ok()?, frame.chunk_range(number).ok()?);
        let (own, all) = (chunk.nbytes(), range.end - range.start);
        let is_sound =
            || chunk.decode_all(frame.threads(), frame.kept()).and_then(|()| chunk.check_starts());
        if own == 0 || own > size || is_sound().is_err() {
            return None;
        }
        let path = |from: u64, to: u64| format!("/data[{from}:{to}]");
        if own > all {
            let is_last = number + 1 == frame.chunk_count();
            let path = path(range.start, range.start.saturating_add(own));
            return is_last.then(|| (Read::Whole(Box::new(chunk)), path));
        }
        let mut bytes = chunk.decode_within(frame.limit()).ok()?;
        // The others stay where they are.
        bytes.resize(usize::try_from(all).ok()?, 0);
        self.fill(bytes.get_mut(own as usize..)?);
        Some((Read::Some(bytes), path(range.start + own, range.end)))
    }

    /// Where a chunk is in the frame; 0 if it is not in it.
    fn address(&self, place: Place) -> u64 {
        match place {
            Place::Stored(offset) if !self.frame.is_sparse() => {
                offset.saturating_add(self.frame.header_len())
            }
            _ => 0,
        }
    }

    /// The bytes of a chunk of which some blocks are lost, and how many of how many; `None` if all are, or a chunk with
    /// other bytes would have another size.
    fn some(&self, chunk: &Chunk<'_>) -> Option<(Vec<u8>, (usize, usize))> {
        self.frame.chunksize()?;
        let all = chunk.block_count();
        let some = self.blocks(chunk);
        some.filter(|(_, gone)| *gone < all).map(|(bytes, gone)| (bytes, (gone, all)))
    }

    /// The bytes of a chunk, and how many blocks of it are lost; `None` if it is larger than what is allowed.
    fn blocks(&self, chunk: &Chunk<'_>) -> Option<(Vec<u8>, usize)> {
        memory::within(chunk.nbytes(), self.frame.limit()).ok()?;
        let mut bytes = memory::zeros(chunk.nbytes()).ok()?;
        let (mut scratch, mut gone) = (Scratch::default(), 0);
        for block in 0..chunk.block_count() {
            let to = bytes.get_mut(chunk.block_range(block))?;
            if chunk.decode_block(block, to, &mut scratch).is_err() {
                self.fill(to);
                gone += 1;
            }
        }
        Some((bytes, gone))
    }

    /// How many bytes a chunk has that is lost. Where nobody knows which bytes those are, the first ones of several
    /// are taken to be full, and the last one to have the rest.
    fn lost_bytes(&self, number: u64) -> u64 {
        if let Ok(range) = self.frame.chunk_range(number) {
            return range.end - range.start;
        }
        let (chunks, bytes) = self.unplaced.get();
        let size = self.frame.chunksize().unwrap_or(0);
        let own = if chunks <= 1 { bytes } else { bytes.min(size) };
        self.unplaced.set((chunks.saturating_sub(1), bytes - own));
        own
    }

    /// How many chunks are lost of those of which nobody knows which bytes they have, and their bytes.
    fn look_for_unplaced(&self) -> (u64, u64) {
        let Some((chunks, bytes)) = self.frame.unplaced() else { return (0, 0) };
        let of_all = (0, bytes.end - bytes.start);
        chunks.fold(of_all, |(lost, left), number| match self.chunk(number) {
            Ok(chunk) => (lost, left.saturating_sub(chunk.nbytes())),
            Err(_) => (lost + 1, left),
        })
    }

    fn fill(&self, bytes: &mut [u8]) {
        for element in bytes.chunks_mut(self.missing.len()) {
            element.copy_from_slice(&self.missing[..element.len()]);
        }
    }

    /// What of the data a chunk has.
    fn path(&self, number: u64) -> String {
        let shown = |ranges: &[Range<u64>]| {
            let ranges: Vec<_> =
                ranges.iter().map(|range| format!("{}:{}", range.start, range.end)).collect();
            if ranges.is_empty() { String::new() } else { format!("[{}]", ranges.join(", ")) }
        };
        let ranges = match &self.array {
            Some(array) => array.chunk_ranges(number),
            None => self.frame.chunk_range(number).into_iter().collect(),
        };
        let shape = self.array.as_ref().map_or(&[][..], NdArray::shape);
        let dims = shape.iter().copied().chain(std::iter::repeat(u64::MAX));
        let within =
            ranges.into_iter().zip(dims).map(|(range, dim)| range.start..range.end.min(dim));
        match self.frame.chunksize() {
            Some(_) => format!("/data{}", shown(&within.collect::<Vec<_>>())),
            // Where it was nobody knows, if another one is damaged.
            None => format!("/chunks/{number}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blosc2::{Codec, Filter, NewArray, Options};

    /// What can be obtained of some bytes, verified; `None` where there is no header.
    fn salvaged(bytes: Vec<u8>) -> Option<(Frame, usize)> {
        let options = Options::new().threads(1).limit(1 << 20);
        let opened = options.source(bytes.clone());
        let frame = opened.or_else(|_| options.clone().walked(true).source(bytes)).ok()?;
        let mut lost = Vec::new();
        let new = NewFrame::salvage(&frame, &mut |it| lost.push(it));
        let mut writer = new.memory().ok()?;
        // Chunks that are larger than what is allowed cannot be filled.
        writer.salvage(&frame, &mut |it| lost.push(it)).ok()?;
        let mut looked = 0;
        frame.look_for_lost(&mut |_| looked += 1);
        assert!(looked <= lost.len());
        let made = options.source(writer.finish_bytes().ok()?).expect("a frame");
        for number in 0..made.chunk_count() {
            made.chunk(number).and_then(|chunk| chunk.decode()).expect("right");
        }
        Some((made, lost.len()))
    }

    #[test]
    fn any_byte_may_be_wrong_and_any_may_be_missing() {
        let array = NewArray::of::<f32>(&[9, 6]).expect("known").chunks(&[4, 6]).blocks(&[2, 6]);
        let encoding = Encoding::new(4).codec(Codec::Lz4).filters(&[Filter::Delta]);
        let array = array.encoding(encoding).checksums(true).vlmeta("unit", b"\xa1K");
        let mut writer = array.memory().expect("begun");
        writer.write_elements(&[1.5_f32; 54]).expect("written");
        let array = writer.finish_bytes().expect("complete");
        let variable = NewFrame::new(Encoding::new(1)).variable().meta("m", &[1]);
        let mut writer = variable.memory().expect("begun");
        for part in [&b"some"[..], b"bytes", b"of any size"] {
            writer.write(part).expect("written");
        }
        let variable = writer.finish_bytes().expect("complete");
        for whole in [array, variable] {
            let all = Frame::from_source(whole.clone()).and_then(|frame| frame.read());
            let all = all.expect("right");
            let (made, lost) = salvaged(whole.clone()).expect("a frame");
            assert_eq!((made.read().expect("right"), lost), (all.clone(), 0));
            for at in 0..whole.len() {
                for bits in [1, 0xff] {
                    let mut bytes = whole.clone();
                    bytes[at] ^= bits;
                    drop(salvaged(bytes));
                }
                if let Some((made, _)) = salvaged(whole[..at].to_vec()) {
                    let same = made.chunk_count() > 0 && made.chunksize().is_some();
                    assert!(!same || made.nbytes() == all.len() as u64, "{at}");
                }
            }
        }
    }
}
