//! A frame written anew, compressed as before or in another way: what of it a new one takes over.

use std::ops::Range;

use super::b2nd;
use super::{Frame, FrameWriter, NewFrame, Place, checksums};
use crate::blosc2::encoding::{Encoding, Split};
use crate::blosc2::error::Result;
use crate::blosc2::memory;

/// Decoded bytes that are in memory at a time, at least a chunk.
const BATCH: u64 = 16 << 20;

/// The metalayer of variable size that holds the user metadata of a frame of 2020.
const USERMETA: &str = "usermeta";

impl Frame {
    /// How its header says that new chunks are compressed.
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::blosc2::Error::Unsupported) for a codec or filter that is not built in.
    pub fn encoding(&self) -> Result<Encoding> {
        let head = &self.inner.head;
        let filters = head.filters()?;
        // Only each chunk says it, in frames of no array.
        let blocksize = match self.blocksize() {
            Some(size) => size,
            None => (0..self.chunk_count().min(1))
                .filter_map(|number| self.chunk(number).ok())
                .find(|chunk| chunk.special().is_none())
                .map_or(0, |chunk| chunk.blocksize()),
        };
        let mut encoding =
            Encoding::new(head.typesize).codec(self.codec()?).level(head.level.min(9));
        encoding = encoding.filters(&filters).split(Split::of_id(head.split));
        encoding.dictionary = head.dictionary;
        encoding.blocksize = usize::try_from(blocksize).unwrap_or(0);
        encoding.blockshape = self.context().blockshape.clone();
        encoding.check()?;
        Ok(encoding)
    }
}

impl NewFrame {
    /// As a frame is: with its metalayers but that of an array, and chunks and encoding as its header says. The user
    /// metadata of a frame of 2020 becomes the metalayer `usermeta` of variable size.
    ///
    /// ```
    /// use asdf_bridge::blosc2::{Codec, Encoding, Frame, NewFrame};
    ///
    /// let new = NewFrame::new(Encoding::new(4)).vlmeta("unit", b"\xa1K");
    /// let mut writer = new.memory()?;
    /// writer.write(&[7; 4000])?;
    /// let frame = Frame::from_source(writer.finish_bytes()?)?;
    ///
    /// let mut writer = NewFrame::like(&frame)?.encoding(Encoding::new(4).codec(Codec::Lz4)).memory()?;
    /// writer.write_frame(&frame)?;
    /// let other = Frame::from_source(writer.finish_bytes()?)?;
    /// assert_eq!((other.codec()?, other.read()?), (Codec::Lz4, vec![7; 4000]));
    /// assert_eq!(other.vlmeta("unit")?, b"\xa1K");
    /// # Ok::<(), asdf_bridge::blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Frame::encoding`]; what is wrong with a metalayer.
    pub fn like(frame: &Frame) -> Result<NewFrame> {
        let encoding = Encoding { blockshape: Vec::new(), ..frame.encoding()? };
        let new = NewFrame::new(encoding);
        let new = match frame.chunksize().and_then(|size| usize::try_from(size).ok()) {
            Some(size) if size > 0 => new.chunksize(size),
            _ if frame.chunk_count() > 0 => new.variable(),
            _ => new,
        };
        new.metalayers_of(frame)
    }

    /// With the metalayers of a frame, but that of an array, which its writer makes, and those that say that values are
    /// elsewhere, since what is written anew are values.
    ///
    /// # Errors
    /// If something is wrong with one of them.
    pub(crate) fn metalayers_of(mut self, frame: &Frame) -> Result<NewFrame> {
        let kept = |kind, name| !frame.is_of_mark(kind, name);
        let of_header = frame.meta_names().filter(|name| kept("meta", name));
        for name in of_header.filter(|name| !b2nd::NAMES.contains(name)) {
            self = self.meta(name, &frame.meta(name)?);
        }
        // Frames of today have no other place for it.
        if let Some(content) = frame.usermeta()? {
            self = self.vlmeta(USERMETA, &content);
        }
        for name in frame.vlmeta_names().filter(|name| kept("vlmeta", name)) {
            self = match name {
                checksums::NAME => self.checksums(true),
                name => self.vlmeta(name, &frame.vlmeta(name)?),
            };
        }
        Ok(self)
    }

    /// Only with those of its metalayers so far that `keep` says, which gets `meta` or `vlmeta`, and the name;
    /// checksums are of the name `dudley.crc32c`.
    ///
    /// ```
    /// use asdf_bridge::blosc2::{Encoding, Frame, NewFrame};
    ///
    /// let new = NewFrame::new(Encoding::new(1)).meta("a", b"\x01").vlmeta("a", b"\x02").vlmeta("b", b"\x03");
    /// let writer = new.keep(|kind, name| (kind, name) == ("vlmeta", "a")).memory()?;
    /// let frame = Frame::from_source(writer.finish_bytes()?)?;
    /// assert_eq!((frame.meta_names().count(), frame.vlmeta_names().collect()), (0, vec!["a"]));
    /// # Ok::<(), asdf_bridge::blosc2::Error>(())
    /// ```
    #[must_use]
    pub fn keep(mut self, keep: impl Fn(&str, &str) -> bool) -> NewFrame {
        self.metalayers.retain(|(name, _)| keep("meta", name));
        self.vlmeta.retain(|(name, _)| keep("vlmeta", name));
        self.checksums &= keep("vlmeta", checksums::NAME);
        self
    }

    /// Compresses chunks so. The size of elements and that of chunks stay.
    #[must_use]
    pub fn encoding(mut self, encoding: Encoding) -> NewFrame {
        let typesize = self.encoding.typesize;
        self.encoding = Encoding { typesize, blockshape: Vec::new(), ..encoding };
        self
    }
}

impl FrameWriter {
    /// Appends all decoded bytes of a frame, some chunks at a time. Chunks of zeros, of NaN, and those that
    /// were never set stay such.
    ///
    /// # Errors
    /// [`Error::Damaged`](crate::blosc2::Error::Damaged) for a chunk that its checksum is not of, or a wrong entry of the
    /// index of a frame that gets checksums, unless that is [not looked at](NewFrame::unchecked); what is wrong with a
    /// chunk; else as [`Self::write`].
    pub fn write_frame(&mut self, frame: &Frame) -> Result<()> {
        self.check_source(frame)?;
        frame.check_values()?;
        if self.chunksize() == 0 {
            return self.write_chunks(frame);
        }
        let alike = frame.chunksize() == Some(self.chunksize())
            && frame.is_regular()
            && self.nbytes().is_multiple_of(self.chunksize());
        let (mut start, mut end) = (0, 0);
        for number in 0..frame.chunk_count() {
            let range = frame.chunk_range(number)?;
            let special = match frame.place(number)? {
                Place::Special(special) if alike => Some(special),
                _ => None,
            };
            if special.is_some() || range.end - start > BATCH {
                self.write_range(frame, start, end)?;
                start = range.start;
            }
            end = range.end;
            if let Some(special) = special {
                self.write_special(special, range.end - range.start)?;
                start = end;
            }
        }
        self.write_range(frame, start, end)
    }

    /// Appends a range of the decoded bytes of a frame, some at a time. Where chunks are [of any
    /// size](NewFrame::variable), what it has of each chunk is one.
    ///
    /// ```
    /// use asdf_bridge::blosc2::{Encoding, Frame, NewFrame};
    ///
    /// let mut writer = NewFrame::new(Encoding::new(1)).memory()?;
    /// writer.write(b"0123456789")?;
    /// let frame = Frame::from_source(writer.finish_bytes()?)?;
    ///
    /// let mut writer = NewFrame::like(&frame)?.memory()?;
    /// writer.write_frame_range(&frame, 3..6)?;
    /// assert_eq!(Frame::from_source(writer.finish_bytes()?)?.read()?, b"345");
    /// # Ok::<(), asdf_bridge::blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::write_frame`]; [`Error::Range`](crate::blosc2::Error::Range) for bytes that the frame does not have.
    pub fn write_frame_range(&mut self, frame: &Frame, range: Range<u64>) -> Result<()> {
        self.check_source(frame)?;
        let mut at = range.start;
        while at < range.end {
            let stop = match self.chunksize() {
                0 => frame.chunk_range(frame.chunk_at(at)?)?.end,
                _ => at.saturating_add(BATCH),
            };
            let stop = stop.min(range.end);
            self.write_range(frame, at, stop)?;
            at = stop;
        }
        Ok(())
    }

    fn write_range(&mut self, frame: &Frame, start: u64, end: u64) -> Result<()> {
        memory::within(end - start, frame.limit())?;
        let mut bytes = memory::zeros(end - start)?;
        frame.read_range(start, &mut bytes)?;
        self.write(&bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blosc2::{Codec, Special};

    #[test]
    fn special_chunks_stay_special_and_all_bytes_stay() {
        let new = || NewFrame::new(Encoding::new(8).codec(Codec::Lz4)).chunksize(800);
        let mut writer = new().memory().expect("begun");
        writer.write_special(Special::Nan, 1600).expect("written");
        writer.write(&1.5_f64.to_le_bytes().repeat(250)).expect("written");
        let frame = Frame::from_source(writer.finish_bytes().expect("complete")).expect("a frame");
        for new in [NewFrame::like(&frame).expect("known"), new().chunksize(1000)] {
            let mut writer = new.memory().expect("begun");
            writer.write_frame(&frame).expect("written");
            let bytes = writer.finish_bytes().expect("complete");
            let other = Frame::from_source(bytes).expect("a frame");
            assert_eq!(other.read().expect("decoded"), frame.read().expect("decoded"));
        }
        let mut writer = NewFrame::like(&frame).expect("known").memory().expect("begun");
        writer.write_frame(&frame).expect("written");
        let other = Frame::from_source(writer.finish_bytes().expect("complete")).expect("a frame");
        assert_eq!(other.place(1).expect("there"), Place::Special(Special::Nan));
        assert_eq!(other.chunk_count(), frame.chunk_count());
    }
}
