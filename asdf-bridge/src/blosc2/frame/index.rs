//! Where the chunks of a frame are: its index, itself a chunk, decoded as far as it is requested.

use std::sync::Mutex;

use dudley::ByteOrder;
use dudley::bytes::Source;
use dudley::typed::{Record, decode_all};

use super::assemble::special_offset;
use super::files::Files;
use super::header::Head;
use crate::blosc2::chunk::{Chunk, Special, Stored};
use crate::blosc2::context::Context;
use crate::blosc2::error::{Error, Part, Result};
use crate::blosc2::layouts::offsets;
use crate::blosc2::memory;

/// Offsets that are decoded at a time, at least.
const WINDOW: u64 = 2048;

/// The most chunks of a frame: their offsets are one chunk.
const MOST: u64 = (1 << 31) / 8;

/// Chunks that may be missing behind those that are there, where the index is passed over; if there are more, what
/// the header says of them is wrong.
const MOST_MISSING: u64 = 1 << 20;

/// Set where there is no chunk but a special value, which the bits from 56 on tell.
const SPECIAL: u64 = 1 << 63;

/// Where a chunk is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Nowhere: all its elements have one value.
    Special(Special),
    /// At an address, in bytes from the end of the header of the frame; of a sparse frame, the number
    /// of its file.
    Stored(u64),
}

/// The index of a frame.
#[derive(Debug)]
pub(crate) struct Index {
    /// Where it is in the frame, and where it ends at the latest.
    start: u64,
    end: u64,
    width: u64,
    count: u64,
    /// Offsets that are decoded at a time: as many as a block has, since all of a block is decoded for any of them.
    step: u64,
    /// The offsets decoded last, from the first of them on, or why they cannot be decoded.
    window: Mutex<(u64, Result<Vec<u64>>)>,
    /// All offsets there are, where the index itself is passed over.
    walked: Option<Vec<u64>>,
}

impl Index {
    fn of(start: u64, end: u64) -> Index {
        let window = Mutex::new((0, Ok(Vec::new())));
        Index { start, end, width: 8, count: 0, step: WINDOW, window, walked: None }
    }

    /// The chunks that follow the header of a frame one after the other, as many as it has; those that are not there
    /// are errors for the code that reads them.
    pub(crate) fn walk(frame: &dyn Source, head: &Head) -> Result<Index> {
        let (mut offsets, mut at, mut nbytes) = (Vec::new(), 0_u64, 0_u64);
        while (offsets.len() as u64) < MOST && nbytes < head.nbytes {
            // Some of the last one may be missing.
            let stored = Stored::Source(frame, head.len.saturating_add(at));
            let Ok(chunk) = Chunk::open_cut(stored, &Context::default()) else { break };
            // Those in the middle may be shorter than the others.
            let most = head.chunksize.unwrap_or(u64::MAX).min(head.nbytes - nbytes);
            if chunk.nbytes() > most || chunk.nbytes() == 0 && head.chunksize.is_some() {
                break;
            }
            offsets.push(at);
            nbytes += chunk.nbytes();
            at = at.saturating_add(chunk.cbytes());
        }
        let end = head.len.saturating_add(at);
        Index::of_walked(head, offsets, end)
    }

    /// The files of a frame in their order, as many as it has; those that are not there are errors for the code that reads them.
    pub(crate) fn of_files(files: &Files, head: &Head) -> Result<Index> {
        let numbers = files.numbers()?;
        let count = numbers.last().map_or(0, |last| last.saturating_add(1));
        if count - numbers.len() as u64 > MOST_MISSING {
            let expected =
                format!("files whose numbers are near {}, as many as there are", numbers.len());
            return Err(Error::damaged(Part::Sparse, 0_u64, expected, count - 1));
        }
        let Some(size) = head.chunksize else {
            return Index::of_walked(head, (0..count).collect(), head.len);
        };
        // As many as come to all bytes: chunks may be shorter than the header says, and a chunk that was replaced may
        // have left its file.
        let mut nbytes = 0_u64;
        let needed = (0..count.min(MOST)).take_while(|number| {
            let before = nbytes;
            nbytes = nbytes.saturating_add(files.nbytes(*number).unwrap_or(size));
            before < head.nbytes
        });
        Index::of_walked(head, needed.collect(), head.len)
    }

    /// Of chunks that are there, behind which others may be missing. The last one ends at `end`.
    fn of_walked(head: &Head, offsets: Vec<u64>, end: u64) -> Result<Index> {
        let there = offsets.len() as u64;
        let count = match head.chunksize {
            Some(size) => head.nbytes.div_ceil(size).clamp(there.min(MOST), MOST),
            None => there,
        };
        if count - there > MOST_MISSING {
            let expected =
                format!("about as many decoded bytes as {there} chunks have, which are there");
            return Err(head.damaged("nbytes", expected, head.nbytes));
        }
        Ok(Index { count, walked: Some(offsets), ..Index::of(end, end) })
    }

    /// Looks at the header of the index of a frame whose trailer begins at `end`.
    pub(crate) fn open(frame: &dyn Source, head: &Head, end: u64) -> Result<Index> {
        let chunks = if head.sparse { 0 } else { head.cbytes };
        let start = head.len.saturating_add(chunks);
        if start > end {
            let expected = format!("chunks of at most {} bytes", end.saturating_sub(head.len));
            return Err(head.damaged("cbytes", expected, chunks));
        }
        let mut index = Index::of(start, end);
        if head.nbytes == 0 {
            let left = end - start;
            return match left {
                0 => Ok(index),
                _ => {
                    let found = format!("0, and {left} bytes of an index at address {start}");
                    Err(head.damaged("nbytes", "decoded bytes of chunks", found))
                }
            };
        }
        let chunk = index.chunk(frame)?;
        let (nbytes, of_block) =
            (chunk.nbytes(), if chunk.is_stored() { 0 } else { chunk.blocksize() });
        let width = head.bytes_of_offset();
        let wrong = |expected: String| Error::damaged(Part::Index, start + 4, expected, nbytes);
        index.count = match head.chunksize {
            Some(size) => head.nbytes.div_ceil(size),
            None => {
                index.width = width;
                nbytes / width
            }
        };
        if index.count > MOST {
            return Err(wrong(format!("{MOST} chunks at most")));
        }
        // What the header says of the width is not true of all frames. There are more chunks where some are shorter than
        // the header says, and fewer where c-blosc2 lost entries: then the bytes of all say that some are missing.
        if nbytes != index.count * index.width {
            index.width = width;
            // A chunk of no bytes is none.
            let most = MOST.min(head.nbytes);
            if nbytes > 0 && nbytes.is_multiple_of(width) && nbytes / width <= most {
                index.count = nbytes / width;
            }
        }
        if nbytes != index.count * index.width {
            return Err(wrong(format!("{} bytes for {} chunks", index.count * 8, index.count)));
        }
        index.step = WINDOW.max(of_block.div_ceil(index.width));
        Ok(index)
    }

    fn chunk<'a>(&self, frame: &'a dyn Source) -> Result<Chunk<'a>> {
        let here = |error: Error| error.shifted(Part::Index, self.start);
        let chunk =
            Chunk::open(Stored::at(frame, self.start), &Context::default()).map_err(here)?;
        let most = self.end - self.start;
        if chunk.cbytes() > most {
            let expected = format!("at most {most} bytes, before the trailer");
            Err(Error::damaged(Part::Index, self.start + 12, expected, chunk.cbytes()))
        } else {
            Ok(chunk)
        }
    }

    /// Checks that all of it can be decoded, whatever it says.
    pub(crate) fn check(&self, frame: &dyn Source) -> Result<()> {
        let mut windows = (0..self.count).step_by(self.step as usize);
        windows.try_for_each(|first| self.decode(frame, first).map(drop))
    }

    /// Where it is passed over and there are fewer chunks than it had: their number. What was not stored, and so
    /// where the others belong, nobody knows.
    pub(crate) fn walked_some(&self) -> Option<u64> {
        let there = self.walked.as_ref()?.len() as u64;
        Some(there).filter(|there| *there < self.count)
    }

    /// How many chunks there are.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    /// Where the index is in the frame, and where it ends, in bytes.
    pub(crate) fn place(&self) -> std::ops::Range<u64> {
        self.start..self.end
    }

    /// Bytes of an offset, where the index was decoded.
    pub(crate) fn width(&self) -> Option<u64> {
        (self.walked.is_none() && self.count > 0).then_some(self.width)
    }

    /// Its address, bytes of an offset, and bytes as it is stored.
    pub(crate) fn stored(&self, frame: &dyn Source) -> Result<(u64, u64, u64)> {
        Ok((self.start, self.width, self.chunk(frame)?.cbytes()))
    }

    /// Where a chunk is.
    pub(crate) fn get(&self, frame: &dyn Source, number: u64) -> Result<Place> {
        if number >= self.count {
            let why = format!("no chunk {number}: there are {}", self.count);
            return Err(Error::Range(why.into()));
        }
        if let Some(offsets) = &self.walked {
            let offset = usize::try_from(number).ok().and_then(|number| offsets.get(number));
            let (expected, found) = ("one more chunk", "none that can be read");
            let gone = || Error::damaged(Part::Chunk, self.start, expected, found);
            return offset.map(|at| Place::Stored(*at)).ok_or_else(|| gone().in_chunk(number, 0));
        }
        let offset = self.raw(frame, number)?;
        place(offset).ok_or_else(|| {
            let expected = "an offset, zeros, NaN, or what was never set";
            self.damaged(number, expected, offset)
        })
    }

    /// Checks that the entry of a chunk which is a special value has no bits that mean nothing, as far as it is decoded.
    pub(crate) fn check_bits(&self, frame: &dyn Source, number: u64) -> Result<()> {
        if self.walked.is_some() {
            return Ok(());
        }
        let offset = self.raw(frame, number)?;
        let plain = match place(offset) {
            Some(Place::Special(special)) => special_offset(special),
            _ => None,
        };
        match plain.filter(|plain| *plain != offset) {
            Some(plain) => Err(self.damaged(number, format!("{plain:#018x}"), offset)),
            None => Ok(()),
        }
    }

    fn damaged(&self, number: u64, expected: impl Into<Box<str>>, offset: u64) -> Error {
        Error::damaged(Part::Index, self.start, expected, format!("{offset:#018x}"))
            .in_chunk(number, 0)
    }

    /// The entry of a chunk.
    fn raw(&self, frame: &dyn Source, number: u64) -> Result<u64> {
        self.decoded(frame, number, |offsets| offsets.first().copied().unwrap_or(u64::MAX))
    }

    /// How many chunks from one on have the same entry, or none that can be decoded, as far as the index is decoded at a time:
    /// there may be far more chunks than bytes.
    pub(crate) fn alike(&self, frame: &dyn Source, number: u64) -> u64 {
        if self.walked.is_some() {
            return 1;
        }
        let together = (self.step - number % self.step).min(self.count.saturating_sub(number));
        let alike = self.decoded(frame, number, |offsets| {
            offsets.iter().take_while(|offset| offsets.first() == Some(offset)).count() as u64
        });
        alike.unwrap_or(together).max(1)
    }

    /// What there is of the entries from that of a chunk on, as far as they are decoded at a time.
    fn decoded<T>(
        &self,
        frame: &dyn Source,
        number: u64,
        look: impl FnOnce(&[u64]) -> T,
    ) -> Result<T> {
        // Nothing panics while it is locked, so there is nothing that a panic could have left.
        let mut window = self.window.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let first = number - number % self.step;
        if window.0 != first || matches!(&window.1, Ok(offsets) if offsets.is_empty()) {
            *window = (first, self.decode(frame, first));
        }
        match &window.1 {
            Ok(offsets) => Ok(look(offsets.get((number - first) as usize..).unwrap_or_default())),
            Err(why @ Error::Damaged { .. }) => Err(why.again()),
            // What could not be read is tried again.
            Err(_) => match std::mem::replace(&mut window.1, Ok(Vec::new())) {
                Ok(_) => Ok(look(&[])),
                Err(why) => Err(why),
            },
        }
    }

    fn decode(&self, frame: &dyn Source, first: u64) -> Result<Vec<u64>> {
        let count = self.step.min(self.count - first);
        let mut bytes = memory::zeros(count * self.width)?;
        let read = self.chunk(frame)?.read_range(first * self.width, &mut bytes);
        read.map_err(|error| error.shifted(Part::Index, self.start))?;
        match self.width {
            4 => each::<offsets::Offsets32>(count, &bytes, |offset| {
                let high = u64::from(offset.at >> 24) << 56;
                if high & SPECIAL == 0 { offset.at.into() } else { high }
            }),
            16 => each::<offsets::Offsets128>(count, &bytes, |offset| {
                far(offset.at, &[], offset.high)
            }),
            32 => each::<offsets::Offsets256>(count, &bytes, |offset| {
                far(offset.at, &offset.middle, offset.high)
            }),
            _ => each::<offsets::Offsets>(count, &bytes, |offset| offset.at),
        }
    }
}

fn each<R: Record>(count: u64, bytes: &[u8], offset: impl Fn(R) -> u64) -> Result<Vec<u64>> {
    let mut offsets: Vec<u64> = memory::elements(count * 8)?;
    let decoded = decode_all::<R>(bytes, ByteOrder::Little);
    offsets.iter_mut().zip(decoded).for_each(|(to, from)| *to = offset(from));
    Ok(offsets)
}

/// An offset of more than 64 bits as one of 64: special, or the greatest if it is beyond them.
fn far(low: u64, middle: &[u64], high: u64) -> u64 {
    let small = high == 0 && middle.iter().all(|word| *word == 0) && low & SPECIAL == 0;
    match high & SPECIAL {
        0 if small => low,
        0 => SPECIAL - 1,
        _ => high,
    }
}

/// Where an entry of the index says that a chunk is.
pub(super) fn place(offset: u64) -> Option<Place> {
    let kind = (offset >> 56) as u8;
    // In the order in which c-blosc2 looks at the bits.
    match offset & SPECIAL {
        0 => Some(Place::Stored(offset)),
        _ if kind & 1 != 0 => Some(Place::Special(Special::Zeros)),
        _ if kind & 4 != 0 => Some(Place::Special(Special::Uninit)),
        _ if kind & 2 != 0 => Some(Place::Special(Special::Nan)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blosc2::encoding::Encoding;
    use crate::blosc2::frame::{Frame, NewFrame};

    #[test]
    fn an_index_is_decoded_by_whole_blocks_and_runs_of_chunks_are_found_in_it() {
        let mut writer = NewFrame::new(Encoding::new(1)).chunksize(1).memory().expect("begun");
        writer.write_special(Special::Zeros, 30_000).expect("written");
        writer.write(&[7; 20_000]).expect("written");
        let frame = Frame::from_source(writer.finish_bytes().expect("complete")).expect("a frame");
        let (index, source) = (&frame.inner.index, &*frame.inner.source);
        let chunk = index.chunk(source).expect("a chunk");
        assert!(chunk.blocksize() > 8 * WINDOW && !chunk.is_stored(), "{}", chunk.blocksize());
        assert_eq!(index.step, chunk.blocksize() / 8);
        let (mut runs, mut number) = (Vec::new(), 0);
        while number < index.count() {
            let place = frame.place(number).expect("there");
            let alike = index.alike(source, number);
            assert!((number..number + alike).all(|it| frame.place(it).is_ok_and(|it| it == place)));
            runs.push(alike);
            number += alike;
        }
        assert_eq!(runs.iter().sum::<u64>(), 50_000);
        assert!(runs.len() < 20_010, "{} runs", runs.len());
    }

    #[test]
    fn offsets_and_special_values() {
        assert_eq!(place(7), Some(Place::Stored(7)));
        assert_eq!(place(0x81 << 56), Some(Place::Special(Special::Zeros)));
        assert_eq!(place(0x82 << 56 | 9), Some(Place::Special(Special::Nan)));
        assert_eq!(place(0x84 << 56), Some(Place::Special(Special::Uninit)));
        assert_eq!(place(0x80 << 56), None);
        assert_eq!(far(7, &[], 0), 7);
        assert_eq!(far(7, &[0, 1], 0), SPECIAL - 1);
        assert_eq!(far(0, &[0, 0], 0x81 << 56), 0x81 << 56);
    }
}
