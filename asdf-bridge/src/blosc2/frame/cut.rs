//! How the decoded bytes of a frame are cut into chunks: which bytes each has.
//!
//! The header says one size, and c-blosc2 from 2.0 on appended, inserted and deleted chunks beside a last one that was
//! shorter, in frames that still say it. No chunk is longer than that size, and all come to what the header says, so the
//! header of the last chunk tells whether it is the only one that may be shorter: if it has what the others leave,
//! these are all full. Only where it has not, the headers of all chunks are read.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Frame, Place};
use crate::blosc2::error::{Error, Part, Result};

/// Chunks one after the other that have as many bytes each.
#[derive(Clone, Copy, Debug)]
struct Run {
    first: u64,
    count: u64,
    size: Size,
    /// The first of their bytes.
    start: u64,
}

/// How many decoded bytes a chunk has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Size {
    /// As its own header says.
    Own(u64),
    /// A value in the index, which does not say it: as many as the frame says, if nothing speaks against it.
    Value(u64),
    /// Nothing that can be read says it.
    Unknown,
}

impl Size {
    fn bytes(self) -> u64 {
        match self {
            Size::Own(size) | Size::Value(size) => size,
            Size::Unknown => 0,
        }
    }
}

/// The chunks of a frame that are of several sizes.
#[derive(Debug)]
pub(super) struct Cut {
    runs: Vec<Run>,
    /// Chunks of which nobody knows which bytes they have, the bytes that they have together, and why.
    lost: Option<(Range<u64>, Range<u64>, Error)>,
    /// A chunk that is a value of the index, and the bytes it is taken to have.
    taken: Option<(u64, u64)>,
}

impl Cut {
    /// The bytes of a chunk, which is there.
    fn range(&self, number: u64) -> Result<Range<u64>> {
        if let Some((chunks, _, why)) = &self.lost
            && chunks.contains(&number)
        {
            return Err(why.again());
        }
        let run = self.runs.partition_point(|run| run.first <= number).checked_sub(1);
        let run = run.and_then(|at| self.runs.get(at)).ok_or_else(|| no_chunk(number))?;
        let start = run.start.saturating_add((number - run.first).saturating_mul(run.size.bytes()));
        Ok(start..start.saturating_add(run.size.bytes()))
    }

    /// Which chunk a byte is in.
    fn at(&self, byte: u64) -> Result<u64> {
        if let Some((_, bytes, why)) = &self.lost
            && bytes.contains(&byte)
        {
            return Err(why.again());
        }
        let run = self.runs.partition_point(|run| run.start <= byte).checked_sub(1);
        let run = run.and_then(|at| self.runs.get(at)).ok_or_else(|| no_chunk(byte))?;
        Ok(run.first + (byte - run.start).checked_div(run.size.bytes()).unwrap_or(0))
    }
}

fn no_chunk(number: u64) -> Error {
    Error::Range(format!("no chunk {number}").into())
}

impl Frame {
    /// The decoded bytes of a chunk, from which on and up to which.
    ///
    /// # Errors
    /// [`Error::Range`] if there is no such chunk; where chunks differ in size, that nobody knows where this one is,
    /// because the headers of more than one are damaged.
    pub fn chunk_range(&self, number: u64) -> Result<Range<u64>> {
        if number >= self.chunk_count() {
            let why = format!("no chunk {number}: there are {}", self.chunk_count());
            return Err(Error::Range(why.into()));
        }
        match (self.chunksize(), self.cut()) {
            (_, Some(cut)) => cut.range(number),
            (size, None) => Ok(self.regular(size.unwrap_or(0), number)),
        }
    }

    /// The bytes of a chunk where all have one size, except for the last one.
    fn regular(&self, size: u64, number: u64) -> Range<u64> {
        let start = number.saturating_mul(size).min(self.nbytes());
        start..start.saturating_add(size).min(self.nbytes())
    }

    /// Which chunk a decoded byte is in.
    pub(in crate::blosc2) fn chunk_at(&self, byte: u64) -> Result<u64> {
        match (self.chunksize(), self.cut()) {
            (Some(size), None) => Ok(byte / size),
            (_, Some(cut)) => cut.at(byte),
            (None, None) => Err(no_chunk(0)),
        }
    }

    /// Whether all chunks but the last have as many bytes as the header says. Only the header of the last chunk is read,
    /// if it has what the others leave.
    ///
    /// ```
    /// let frame = asdf_bridge::blosc2::Frame::open("tests/small.b2nd")?;
    /// assert!(frame.is_regular());
    /// # Ok::<(), asdf_bridge::blosc2::Error>(())
    /// ```
    pub fn is_regular(&self) -> bool {
        self.chunksize().is_some() && self.cut().is_none()
    }

    /// Chunks of which nobody knows which bytes they have, and the bytes of all of them, if there are such.
    pub(super) fn unplaced(&self) -> Option<(Range<u64>, Range<u64>)> {
        let lost = self.cut().and_then(|cut| cut.lost.as_ref());
        lost.map(|(chunks, bytes, _)| (chunks.clone(), bytes.clone()))
    }

    /// Checks that the sizes of chunks come to the bytes that the header says.
    pub(in crate::blosc2) fn check_sum_of_chunks(&self) -> Result<()> {
        match self.cut().and_then(|cut| cut.lost.as_ref()) {
            Some((_, _, why)) => Err(why.again()),
            None => Ok(()),
        }
    }

    /// Checks that each chunk which is not as long as the header says has a header of its own that says so. One that is a value
    /// of the index has none: it is taken to have what the others leave, and it may be another one that is shorter.
    ///
    /// ```
    /// let frame = asdf_bridge::blosc2::Frame::open("tests/small.b2nd")?;
    /// frame.check_sizes()?;
    /// # Ok::<(), asdf_bridge::blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Damaged`], with the number of the chunk and how many bytes it is taken to have.
    pub fn check_sizes(&self) -> Result<()> {
        let Some((number, size)) = self.cut().and_then(|cut| cut.taken) else { return Ok(()) };
        let expected = "a chunk that says how many bytes it has, as it is none of the full ones";
        let found = format!("a value, taken for {size} bytes, which the others leave");
        let start = self.inner.index.place().start;
        Err(Error::damaged(Part::Index, start, expected, found).in_chunk(number, 0))
    }

    /// How many decoded bytes a chunk must have that has a header which says that many; `None` where only that says it.
    pub(super) fn expected(&self, number: u64, said: Option<u64>) -> Result<Option<u64>> {
        let Some(size) = self.chunksize() else {
            // No chunk has more than all of them.
            return Ok(said.map(|said| said.min(self.nbytes())));
        };
        let range = self.regular(size, number);
        let regular = range.end - range.start;
        // Most often it is: then the others need not be looked at.
        if said == Some(regular) {
            return Ok(said);
        }
        match (self.cut(), said) {
            (None, _) => Ok(Some(regular)),
            (Some(cut), None) => cut.range(number).map(|range| Some(range.end - range.start)),
            // What its header says is what it was found by, if it was.
            (Some(cut), Some(_)) => match cut.range(number) {
                Ok(range) => Ok(Some(range.end - range.start)),
                Err(_) => Ok(None),
            },
        }
    }

    /// How chunks are cut that are not as the header says; `None` where they are.
    fn cut(&self) -> Option<&Cut> {
        self.inner.cut.get_or_init(|| self.look_at_sizes()).as_ref()
    }

    fn look_at_sizes(&self) -> Option<Cut> {
        let (count, size) = (self.chunk_count(), self.chunksize());
        // Blocks of an array are found by its shape, so that all its chunks are of one size.
        if size.is_some() && (self.inner.is_array || count == 0) {
            return None;
        }
        if let Some(size) = size
            && self.ends_as_regular(size, count)
        {
            return None;
        }
        let mut sizes = Sizes { frame: self, known: BTreeMap::new(), runs: Vec::new() };
        let mut number = 0;
        while number < count {
            match sizes.take(number) {
                Ok(alike) => number += alike,
                Err(why) => {
                    let lost = Some((0..count, 0..self.nbytes(), why));
                    return Some(Cut { runs: Vec::new(), lost, taken: None });
                }
            }
        }
        sizes.decide(size)
    }

    /// Whether the last chunk says that all before it are full.
    fn ends_as_regular(&self, size: u64, count: u64) -> bool {
        if count != self.nbytes().div_ceil(size) {
            return false;
        }
        let left = self.nbytes() - (count - 1).saturating_mul(size);
        // As many full chunks are all that there is.
        left == size
            || match self.place(count - 1) {
                Ok(place @ Place::Stored(_)) => {
                    self.chunk_in(count - 1, place).is_ok_and(|chunk| chunk.nbytes() == left)
                }
                _ => false,
            }
    }
}

/// What is known of the sizes of chunks while these are looked at.
struct Sizes<'f> {
    frame: &'f Frame,
    /// Sizes by where chunks are: an index may say one chunk many times.
    known: BTreeMap<u64, Size>,
    runs: Vec<Run>,
}

impl Sizes<'_> {
    /// Takes a chunk, and those behind it that the index says the same of; gives how many these are.
    fn take(&mut self, number: u64) -> Result<u64> {
        let size = match self.frame.place(number) {
            Ok(Place::Special(_)) => self.frame.chunksize().map_or(Size::Unknown, Size::Value),
            Ok(place @ Place::Stored(at)) => match self.known.get(&at) {
                Some(size) => *size,
                None => {
                    let chunk = self.frame.chunk_in(number, place);
                    let size = chunk.map_or(Size::Unknown, |chunk| Size::Own(chunk.nbytes()));
                    self.known.insert(at, size);
                    size
                }
            },
            Err(_) => Size::Unknown,
        };
        let count = self.frame.alike(number);
        self.push(Run { first: number, count, size, start: 0 });
        // Of chunks that all lie somewhere else there are no more runs than that: others are made to take memory.
        if self.runs.len() > 4 * (self.known.len() + 1) + 1024 {
            Err(self.damaged("chunks that lie at different places".to_owned()))
        } else {
            Ok(count)
        }
    }

    fn push(&mut self, run: Run) {
        match self.runs.last_mut() {
            Some(last) if last.size == run.size => last.count += run.count,
            _ => self.runs.push(run),
        }
    }

    fn total(&self) -> u64 {
        let bytes = |run: &Run| run.size.bytes().saturating_mul(run.count);
        self.runs.iter().fold(0, |total, run| total.saturating_add(bytes(run)))
    }

    fn unknown(&self) -> u64 {
        self.runs.iter().filter(|run| run.size == Size::Unknown).map(|run| run.count).sum()
    }

    /// Whether nothing that is known speaks against chunks of this size; if `last` is, that may be what is wrong.
    fn could_be_regular(&self, size: u64, last_may: bool) -> bool {
        let (count, nbytes) = (self.frame.chunk_count(), self.frame.nbytes());
        let left = nbytes.saturating_sub((count - 1).saturating_mul(size));
        count == nbytes.div_ceil(size)
            && self.runs.iter().all(|run| {
                let is_last = run.first + run.count == count;
                let others = if is_last { run.count - 1 } else { run.count };
                let full = |of: Size| of == Size::Unknown || of.bytes() == size;
                let last_fits = last_may || !matches!(run.size, Size::Own(own) if own != left);
                (others == 0 || full(run.size)) && (!is_last || last_fits)
            })
    }

    /// None for chunks of one size.
    fn decide(mut self, size: Option<u64>) -> Option<Cut> {
        let nbytes = self.frame.nbytes();
        if self.unknown() == 0 && self.total() == nbytes {
            return Some(self.placed());
        }
        if let Some(size) = size.filter(|_| self.unknown() == 0) {
            let more = self.total().checked_sub(nbytes).filter(|more| *more < size);
            if more.is_some() && self.has_values() && self.is_last_sound() {
                let taken = self.shorten_value(size);
                let irregular = !self.could_be_regular(size, false);
                return irregular.then(|| Cut { taken, ..self.placed() });
            }
            // Only the last one is another than it should be.
            if self.could_be_regular(size, true) {
                return None;
            }
        }
        // One is damaged, or several are: those whose last block is not there have other sizes than they say.
        self.doubt();
        if size.is_some_and(|size| self.could_be_regular(size, false)) {
            None
        } else {
            Some(self.placed())
        }
    }

    fn has_values(&self) -> bool {
        self.runs.iter().any(|run| matches!(run.size, Size::Value(_)))
    }

    /// Whether the last chunk has as many bytes as it says, as far as it says that.
    fn is_last_sound(&self) -> bool {
        let last = self.frame.chunk_count().saturating_sub(1);
        let place = self.frame.place(last);
        place.is_ok_and(|place| match place {
            Place::Special(_) => true,
            Place::Stored(_) => self.frame.has_last_block(last, place),
        })
    }

    /// A value of which there is less than the frame says of a chunk: the last chunk, or the only value; else nobody
    /// knows which. Gives that chunk and its bytes.
    fn shorten_value(&mut self, size: u64) -> Option<(u64, u64)> {
        let all = self.frame.chunk_count();
        let is_value = |run: &Run| matches!(run.size, Size::Value(_));
        let last = self.runs.last().filter(|run| is_value(run)).map(|_| all - 1);
        let mut values = self.runs.iter().filter(|run| is_value(run));
        let first = values.next().filter(|run| run.count == 1 && values.next().is_none());
        let only = first.map(|run| run.first);
        let more = self.total() - self.frame.nbytes();
        let Some(number) = last.or(only) else {
            for run in &mut self.runs {
                run.size = if is_value(run) { Size::Unknown } else { run.size };
            }
            return None;
        };
        self.set(number, Size::Value(size - more));
        Some((number, size - more))
    }

    /// Gives one chunk a size.
    fn set(&mut self, number: u64, size: Size) {
        let runs = std::mem::take(&mut self.runs);
        for run in runs {
            let end = run.first + run.count;
            if !(run.first..end).contains(&number) {
                self.push(run);
                continue;
            }
            let parts = [
                (run.first, number - run.first, run.size),
                (number, 1, size),
                (number + 1, end - number - 1, run.size),
            ];
            for (first, count, size) in parts.into_iter().filter(|part| part.1 > 0) {
                self.push(Run { first, count, size, start: 0 });
            }
        }
    }

    /// Takes sizes for unknown of chunks that have no such last block.
    fn doubt(&mut self) {
        let mut seen: BTreeMap<u64, bool> = BTreeMap::new();
        let runs = std::mem::take(&mut self.runs);
        for run in runs {
            if !matches!(run.size, Size::Own(_)) {
                self.push(run);
                continue;
            }
            let (mut number, end) = (run.first, run.first + run.count);
            while number < end {
                let sound = match self.frame.place(number) {
                    Ok(place @ Place::Stored(at)) => {
                        *seen.entry(at).or_insert_with(|| self.frame.has_last_block(number, place))
                    }
                    _ => false,
                };
                let size = if sound { run.size } else { Size::Unknown };
                let count = self.frame.alike(number).min(end - number);
                self.push(Run { first: number, count, size, start: 0 });
                number += count;
            }
        }
    }

    /// Gives all chunks their places: those before the first unknown size, those behind the last one, which the end tells,
    /// and the one between if it is one.
    fn placed(mut self) -> Cut {
        let nbytes = self.frame.nbytes();
        let is_unknown = |run: &Run| run.size == Size::Unknown;
        let first = self.runs.iter().position(is_unknown).unwrap_or(self.runs.len());
        let behind = self.runs.iter().rposition(is_unknown).map_or(first, |last| last + 1);
        let mut at = 0_u64;
        for run in self.runs.get_mut(..first).unwrap_or_default() {
            run.start = at;
            at = at.saturating_add(run.size.bytes().saturating_mul(run.count));
        }
        let mut end = Some(nbytes);
        for run in self.runs.get_mut(behind..).unwrap_or_default().iter_mut().rev() {
            let bytes = run.size.bytes().saturating_mul(run.count);
            end = end.and_then(|end| end.checked_sub(bytes));
            run.start = end.unwrap_or(0);
        }
        // More than there is, or less with nothing that could have the rest.
        let end = end.filter(|end| at == *end || at < *end && first != behind);
        let Some(end) = end else {
            let why = self.damaged(format!("chunks of {nbytes} decoded bytes"));
            let lost = Some((0..self.frame.chunk_count(), 0..nbytes, why));
            return Cut { runs: self.runs, lost, taken: None };
        };
        let between = self.runs.get(first..behind).unwrap_or_default();
        let chunks: Vec<Range<u64>> =
            between.iter().map(|run| run.first..run.first + run.count).collect();
        let lost = match (chunks.first(), chunks.last()) {
            (Some(from), Some(to)) if to.end - from.start > 1 => {
                let expected =
                    format!("chunks of {nbytes} decoded bytes, each of which says its own");
                Some((from.start..to.end, at..end, self.damaged(expected)))
            }
            _ => None,
        };
        for run in self.runs.get_mut(first..behind).unwrap_or_default() {
            run.start = at;
            run.size = Size::Own(if lost.is_none() { end - at } else { 0 });
        }
        Cut { runs: self.runs, lost, taken: None }
    }

    fn damaged(&self, expected: String) -> Error {
        let found = match self.unknown() {
            0 => {
                let count = self.frame.chunk_count();
                format!(
                    "{} of them in {count} chunks, which are all that the index has",
                    self.total()
                )
            }
            1 => format!("{} of them, and a chunk whose size cannot be read", self.total()),
            more => {
                format!("{} of them, and {more} chunks whose sizes cannot be read", self.total())
            }
        };
        self.frame.inner.head.damaged("nbytes", expected, found)
    }
}

impl Frame {
    /// Whether the last block of a chunk decodes to as many bytes as its header says are left for it.
    fn has_last_block(&self, number: u64, place: Place) -> bool {
        let Ok(chunk) = self.chunk_in(number, place) else { return false };
        if chunk.special().is_some() || chunk.block_count() == 0 {
            return true;
        }
        let last = chunk.block_count() - 1;
        chunk.check_starts().is_ok() && chunk.block(last).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::blosc2::{Codec, Encoding, FrameEditor, NewFrame, Options};

    /// Chunks of these sizes, each of other bytes, and all of them.
    fn chunks(sizes: &[usize]) -> Vec<Vec<u8>> {
        let byte = |chunk: usize, at: usize| (chunk * 77 + at * at % 251 + at / 3) as u8;
        let chunk =
            |(number, size): (usize, &usize)| (0..*size).map(|at| byte(number, at)).collect();
        sizes.iter().enumerate().map(chunk).collect()
    }

    /// A frame of them whose header says that all but the last have 100 bytes, as c-blosc2 wrote it before it knew
    /// chunks of any size.
    fn frame(chunks: &[Vec<u8>]) -> Vec<u8> {
        let encoding = Encoding::new(1).codec(Codec::Lz4).blocksize(32);
        let mut writer = NewFrame::new(encoding).variable().memory().expect("begun");
        chunks.iter().for_each(|chunk| writer.write(chunk).expect("written"));
        let mut bytes = writer.finish_bytes().expect("complete");
        bytes[25] = 0x12;
        bytes[58..62].copy_from_slice(&100_i32.to_be_bytes());
        bytes
    }

    const SIZES: [&[usize]; 9] = [
        &[100, 50, 100],
        &[40, 100, 100],
        &[100, 30, 30],
        &[10, 20, 5],
        &[100, 100, 100, 7, 100, 1, 1, 100],
        &[1, 1, 1],
        &[100, 100, 50],
        &[100, 100],
        &[50],
    ];

    #[test]
    fn chunks_of_any_sizes_are_read_in_their_order() {
        for sizes in SIZES {
            let chunks = chunks(sizes);
            let (all, bytes) = (chunks.concat(), frame(&chunks));
            let frame = Frame::from_source(bytes.clone()).expect("a frame");
            let regular = sizes.iter().rev().skip(1).all(|size| *size == 100);
            assert_eq!(frame.is_regular(), regular, "{sizes:?}");
            assert_eq!(frame.read().expect("read"), all, "{sizes:?}");
            frame.verify(&mut |path, why| panic!("{sizes:?} {path}: {why}"), &mut |_| ());
            for start in 0..all.len() {
                for end in [start + 1, start + 30, all.len()] {
                    let end = end.min(all.len());
                    let mut part = vec![0; end - start];
                    frame.read_range(start as u64, &mut part).expect("read");
                    assert_eq!(part, all[start..end], "{sizes:?} {start}");
                }
            }
            for (number, chunk) in (0..).zip(&chunks) {
                let range = frame.chunk_range(number).expect("there");
                assert_eq!(&all[range.start as usize..range.end as usize], chunk, "{sizes:?}");
            }
            let mut lost = Vec::new();
            let mut writer =
                NewFrame::salvage(&frame, &mut |it| lost.push(it.path)).memory().expect("begun");
            writer.salvage(&frame, &mut |it| lost.push(it.path)).expect("written");
            let kept =
                Frame::from_source(writer.finish_bytes().expect("complete")).expect("a frame");
            assert!(lost.is_empty() && kept.is_regular(), "{sizes:?} {lost:?}");
            assert_eq!(kept.read().expect("read"), all, "{sizes:?}");
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("a");
            std::fs::write(&path, bytes).expect("written");
            assert_eq!(FrameEditor::open(&path).is_ok(), regular, "{sizes:?}");
        }
    }

    /// Whatever is wrong with one chunk, the bytes of others are right, or an error.
    #[test]
    fn damage_of_a_header_moves_no_other_chunk() {
        for sizes in SIZES {
            let chunks = chunks(sizes);
            let whole = frame(&chunks);
            let opened = Frame::from_source(whole.clone()).expect("a frame");
            let places: Vec<usize> = (0..sizes.len() as u64)
                .map(|number| {
                    opened.chunk_address(number).expect("there").expect("stored") as usize
                })
                .collect();
            for (damaged, place) in places.iter().enumerate() {
                for (at, bits) in (0..16).flat_map(|at| [1, 0x10, 0xff].map(|bits| (at, bits))) {
                    let mut bytes = whole.clone();
                    bytes[place + at] ^= bits;
                    let Ok(frame) = Options::new().threads(1).source(bytes) else { continue };
                    let mut start = 0;
                    for (number, chunk) in chunks.iter().enumerate() {
                        let mut part = vec![0; chunk.len()];
                        let read = frame.read_range(start, &mut part);
                        start += chunk.len() as u64;
                        if number == damaged {
                            continue;
                        }
                        let what = format!("{sizes:?}: {damaged} at {at} of {bits}, {number}");
                        assert!(read.is_err() || part == *chunk, "{what}");
                        // What is no block any more is the only one that is not known.
                        assert!(read.is_ok() || at < 4, "{what}: {read:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn regular_frames_are_read_by_the_header_of_one_chunk_more() {
        let sizes = [100; 50].into_iter().chain([30]).collect::<Vec<_>>();
        let bytes = frame(&chunks(&sizes));
        let counted = std::sync::Arc::new(dudley::bytes::Counted::new(bytes));
        let frame = Frame::from_source(counted.clone()).expect("a frame");
        let before = counted.bytes_read();
        frame.read_range(0, &mut [0; 10]).expect("read");
        assert!(counted.bytes_read() - before < 1500, "{}", counted.bytes_read() - before);
    }
}
