//! Chunks of any sizes, and of blocks of any sizes: pieces of data that belong together, such as texts.
//!
//! In a frame either all chunks have blocks that differ in size, or none: c-blosc2 reads no others.

use super::{Frame, FrameWriter, NewFrame};
use crate::blosc2::chunk::{Chunk, Special, encode_blocks};
use crate::blosc2::encoding::refused;
use crate::blosc2::error::Result;

/// What the chunks of a frame are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Cut into blocks of one size.
    Plain,
    /// Of blocks that differ in size.
    Blocks,
}

impl Kind {
    pub(super) fn of(blocks_differ: bool) -> Kind {
        if blocks_differ { Kind::Blocks } else { Kind::Plain }
    }

    /// Checks that a chunk is as those before it, if there are any.
    pub(super) fn joins(self, others: &mut Option<Kind>) -> Result<()> {
        if *others.get_or_insert(self) == self {
            Ok(())
        } else {
            Err(refused("chunks of blocks of any size beside others in one frame"))
        }
    }
}

impl NewFrame {
    /// Chunks of any sizes: each [`FrameWriter::write`] and each [`FrameWriter::write_blocks`] makes one.
    ///
    /// ```
    /// use asdf_bridge::blosc2::{Encoding, Frame, NewFrame};
    ///
    /// let mut writer = NewFrame::new(Encoding::new(1)).variable().memory()?;
    /// writer.write_blocks(&[b"Mercury", b"Venus"])?;
    /// writer.write_blocks(&[b"Earth"])?;
    /// let frame = Frame::from_source(writer.finish_bytes()?)?;
    /// assert_eq!((frame.chunk_count(), frame.chunksize()), (2, None));
    /// assert_eq!(frame.chunk(0)?.block(1)?, b"Venus");
    /// assert_eq!(frame.read()?, b"MercuryVenusEarth");
    /// # Ok::<(), asdf_bridge::blosc2::Error>(())
    /// ```
    #[must_use]
    pub fn variable(mut self) -> NewFrame {
        self.chunksize = 0;
        self
    }
}

impl FrameWriter {
    /// Appends a chunk of blocks of any size but 0, each of which can be read alone
    /// ([`Chunk::block`]).
    ///
    /// # Errors
    /// [`Error::Range`](crate::blosc2::Error::Range) where chunks are of one size, or others were written that
    /// have no such blocks; else as [`Encoding::blocks`](crate::blosc2::Encoding::blocks), [`Self::write`].
    pub fn write_blocks(&mut self, blocks: &[&[u8]]) -> Result<()> {
        let nbytes = blocks.iter().map(|block| block.len() as u64).sum();
        for chunk in encode_blocks(self.encoding(), blocks)? {
            self.put(chunk, nbytes, Kind::Blocks)?;
        }
        Ok(())
    }

    /// Appends all chunks of a frame, each as it is cut there.
    pub(super) fn write_chunks(&mut self, frame: &Frame) -> Result<()> {
        for number in 0..frame.chunk_count() {
            let chunk = frame.chunk(number)?;
            frame.check_held(number, &chunk, 0..chunk.block_count())?;
            let address = frame.chunk_address(number)?.unwrap_or(0);
            let special = chunk.special().filter(|special| *special != Special::Value);
            match special {
                Some(special) => self.write_special(special, chunk.nbytes())?,
                None => {
                    let blocks = decoded(&chunk, frame);
                    let blocks = blocks.map_err(|error| error.in_chunk(number, address))?;
                    let blocks: Vec<&[u8]> = blocks.iter().map(Vec::as_slice).collect();
                    if frame.has_variable_blocks() {
                        self.write_blocks(&blocks)?
                    } else {
                        self.write(&blocks.concat())?
                    }
                }
            }
        }
        Ok(())
    }
}

/// The blocks of a chunk; all of it is one where they do not differ in size.
fn decoded(chunk: &Chunk<'_>, frame: &Frame) -> Result<Vec<Vec<u8>>> {
    let all = chunk.decode_within(frame.limit())?;
    if !chunk.has_variable_blocks() {
        return Ok(vec![all]);
    }
    Ok((0..chunk.block_count()).map(|block| all[chunk.block_range(block)].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blosc2::{Codec, Encoding, Filter};

    fn texts(count: usize) -> Vec<String> {
        (0..count).map(|i| format!("{} metres; ", i * i).repeat(1 + i % 7)).collect()
    }

    fn slices(texts: &[String]) -> Vec<&[u8]> {
        texts.iter().map(String::as_bytes).collect()
    }

    #[test]
    fn blocks_of_any_size_are_read_alone() {
        let texts = texts(900);
        let blocks = slices(&texts);
        for codec in [Codec::BloscLz, Codec::Lz4, Codec::Lz4Hc, Codec::Zlib] {
            for filters in [&[][..], &[Filter::Delta], &[Filter::Shuffle, Filter::ByteDelta]] {
                for (level, dictionary) in [(0, false), (5, false), (5, true)] {
                    let with = dictionary && !matches!(codec, Codec::BloscLz | Codec::Zlib);
                    let encoding = Encoding::new(4).codec(codec).filters(filters).level(level);
                    let stored = encoding.dictionary(with).blocks(&blocks).expect("a chunk");
                    let chunk = Chunk::parse(&stored).expect("its own");
                    assert!(chunk.has_variable_blocks() && chunk.version() == 6);
                    assert_eq!(chunk.block_count(), blocks.len());
                    for (number, block) in blocks.iter().enumerate() {
                        assert_eq!(chunk.block(number).expect("decoded"), *block);
                    }
                    assert_eq!(chunk.decode().expect("decoded"), blocks.concat());
                    assert!(chunk.block(blocks.len()).is_err());
                }
            }
        }
        let plain = Encoding::new(1);
        assert!(plain.blocks(&[]).is_err() && plain.blocks(&[b"a", b""]).is_err());
        assert!(plain.short_header(true).blocks(&[b"a"]).is_err());
    }

    #[test]
    fn chunks_of_any_size_are_written_anew() {
        let texts = texts(50);
        let begin = || NewFrame::new(Encoding::new(4).codec(Codec::Lz4)).variable();
        for blocks in [false, true] {
            let mut writer = begin().vlmeta("note", &[1]).checksums(true).memory().expect("begun");
            for part in texts.chunks(9) {
                if blocks {
                    writer.write_blocks(&slices(part))
                } else {
                    writer.write(part.concat().as_bytes())
                }
                .expect("written");
            }
            if !blocks {
                writer.write_special(Special::Zeros, 1000).expect("written");
                writer.write(&[7; 500]).expect("written");
            }
            let first = Frame::from_source(writer.finish_bytes().expect("complete"));
            let first = first.expect("a frame");
            assert_eq!((first.chunksize(), first.has_variable_blocks()), (None, blocks));
            let like = NewFrame::like(&first).expect("known");
            let mut writer = like.encoding(Encoding::new(4).level(9)).memory().expect("begun");
            writer.write_frame(&first).expect("written");
            let second = Frame::from_source(writer.finish_bytes().expect("complete"));
            let second = second.expect("a frame");
            assert_eq!(second.read().expect("decoded"), first.read().expect("decoded"));
            for number in 0..first.chunk_count() {
                let range = second.chunk_range(number).expect("there");
                assert_eq!(range, first.chunk_range(number).expect("there"));
                let counts = [&first, &second]
                    .map(|frame| frame.chunk(number).expect("there").block_count());
                assert!(!blocks || counts[0] == counts[1]);
            }
            assert_eq!(second.chunk_count(), first.chunk_count());
            second.verify(&mut |path, error| panic!("{path}: {error}"), &mut |_| ());
        }
    }

    #[test]
    fn chunks_of_two_kinds_are_refused() {
        let mut writer = NewFrame::new(Encoding::new(1)).variable().memory().expect("begun");
        writer.write_blocks(&[b"a"]).expect("written");
        assert!(writer.write(b"b").is_err());
        let mut writer = NewFrame::new(Encoding::new(1)).memory().expect("begun");
        assert!(writer.write_blocks(&[b"a"]).is_err());
        let chunk = Encoding::new(1).blocks(&[b"a"]).expect("a chunk");
        assert!(writer.write_chunk(&chunk).is_err());
    }
}
