//! bzip2 streams decoded by several threads: how their blocks are found, and put together again.
//!
//! Blocks are independent of each other. Each begins, at any bit, with a number that hardly ever stands
//! anywhere else; where it does, what follows cannot be decoded, and is decoded again with what was taken
//! for the next block.

use std::io::{self, BufRead, Read};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use ::bzip2::{Decompress, Status};
use memchr::memmem::Finder;

use super::ended;
use crate::bytes::threads;

mod encode;

pub(super) use encode::Blocks;

/// How a block begins, and what stands behind the last one of a stream.
const BLOCK: u64 = 0x3141_5926_5359;
const END: u64 = 0x1772_4538_5090;
/// Bits of either, and of the checksum behind it.
const MAGIC: usize = 48;
const CRC: usize = 32;

/// Stored bytes that are read at a time.
const STEP: usize = 1 << 20;
/// Decoded bytes that are held, and one block.
const HELD: usize = 32 << 20;
/// Blocks that are decoded at a time, for each thread.
const EACH: usize = 16;
/// How often in a row the beginning of a block may turn out to be none.
const DOUBTS: u32 = 3;

/// The decoded bytes of any number of streams, one after the other.
pub(super) struct Streams<R> {
    input: R,
    /// Whether there is no more of it.
    ended: bool,
    /// Stored bytes from about the next block on.
    bytes: Vec<u8>,
    /// How many of them were searched.
    searched: usize,
    /// The results.
    marks: Vec<Mark>,
    /// The bit of `bytes` at which it continues.
    at: usize,
    /// The stream that is read, if one is.
    stream: Option<Stream>,
    /// Whether there was one.
    begun: bool,
    /// Blocks that are decoded at a time.
    most: usize,
    doubts: u32,
    /// Nobody reads more decoded bytes than this and one.
    wanted: usize,
    /// Decoded bytes, of which some were read.
    ready: Vec<Vec<u8>>,
    read: usize,
}

/// The beginning of a block, or the end of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Mark {
    bit: usize,
    is_end: bool,
}

struct Stream {
    /// The digit that says how large its blocks are.
    level: u8,
    /// Of the blocks so far.
    crc: u32,
}

impl<R: BufRead> Streams<R> {
    pub(super) fn new(input: R) -> Streams<R> {
        Streams {
            input,
            ended: false,
            bytes: Vec::new(),
            searched: 0,
            marks: Vec::new(),
            at: 0,
            stream: None,
            begun: false,
            most: 1,
            doubts: 0,
            wanted: usize::MAX,
            ready: Vec::new(),
            read: 0,
        }
    }

    /// For a read of no more than this many decoded bytes, and one to see whether there are more: a few stored bytes
    /// may be a block of many millions.
    pub(super) fn wanted(mut self, bytes: u64) -> Self {
        self.wanted = usize::try_from(bytes).unwrap_or(usize::MAX);
        self
    }

    /// Decodes some blocks; nothing is ready then if there are no more.
    fn refill(&mut self) -> io::Result<()> {
        while self.ready.is_empty() {
            let Some(level) = self.stream.as_ref().map(|stream| stream.level) else {
                if self.begin()? {
                    continue;
                }
                return Ok(());
            };
            match self.look()? {
                0 => self.end()?,
                count => self.blocks(level, count)?,
            }
            self.forget();
        }
        Ok(())
    }

    /// Reads the header of a stream, if there is one more.
    fn begin(&mut self) -> io::Result<bool> {
        while self.bytes.len() * 8 < self.at + CRC && self.fill()? {}
        let rest = &self.bytes[(self.at / 8).min(self.bytes.len())..];
        match rest {
            [b'B', b'Z', b'h', level @ b'1'..=b'9', ..] => {
                self.stream = Some(Stream { level: *level, crc: 0 });
                self.begun = true;
                self.at += CRC;
                Ok(true)
            }
            rest if self.begun => {
                let seen = rest.len() as u64;
                ended(&mut self.input, seen).map(|()| false)
            }
            [_, _, _, _, ..] => Err(damaged("neither a stream nor the end")),
            _ => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// How many blocks can be decoded now; none at the end of a stream.
    fn look(&mut self) -> io::Result<usize> {
        loop {
            let ends = self.marks.iter().position(|mark| mark.is_end);
            let blocks = ends.unwrap_or(self.marks.len().saturating_sub(1));
            // A block is known to be whole when something is behind it.
            if blocks >= self.most || ends.is_some() || !self.fill()? {
                let first = self.marks.first().map(|mark| mark.bit);
                return match first {
                    Some(bit) if bit == self.at && (blocks > 0 || ends.is_some()) => {
                        Ok(blocks.min(self.most))
                    }
                    Some(bit) if bit != self.at => Err(damaged("no block where one should begin")),
                    _ => Err(io::ErrorKind::UnexpectedEof.into()),
                };
            }
        }
    }

    /// Reads what stands at the end of a stream.
    fn end(&mut self) -> io::Result<()> {
        while self.bytes.len() * 8 < self.at + MAGIC + CRC && self.fill()? {}
        let stated = bits(&self.bytes, self.at + MAGIC, CRC);
        let stated = stated.ok_or(io::ErrorKind::UnexpectedEof)?;
        let found = self.stream.take().map_or(0, |stream| stream.crc);
        if stated != u64::from(found) {
            return Err(damaged("the checksum is not that of the blocks"));
        }
        self.at = (self.at + MAGIC + CRC).next_multiple_of(8);
        self.marks.remove(0);
        Ok(())
    }

    /// Decodes this many blocks, or as many of them as can be.
    fn blocks(&mut self, level: u8, count: usize) -> io::Result<()> {
        let decoded = Mutex::new(Vec::new());
        let held = AtomicUsize::new(0);
        threads::share(threads::count(0), 0..count, |at| {
            let (from, to) = (self.marks[at].bit, self.marks[at + 1].bit);
            // The first one is decoded however long it is, or it would never go on.
            let room = Room { held: &held, most: if at == 0 { usize::MAX } else { HELD } };
            let block = decode(&self.bytes, level, (from, to), self.wanted, &room).transpose();
            let more = block.is_some();
            decoded.lock().unwrap_or_else(PoisonError::into_inner).push((at, block));
            more
        });
        let mut decoded = decoded.into_inner().unwrap_or_else(PoisonError::into_inner);
        decoded.sort_unstable_by_key(|(at, _)| *at);
        // What there was no room for is decoded another time, with all behind it.
        let decoded = decoded.into_iter().map_while(|(_, block)| block);
        let mut largest = 1;
        let mut done = 0;
        let mut failed = None;
        for block in decoded {
            match block {
                Ok((bytes, crc)) => {
                    largest = largest.max(bytes.capacity());
                    self.ready.push(bytes);
                    if let Some(stream) = &mut self.stream {
                        stream.crc = stream.crc.rotate_left(1) ^ crc;
                    }
                    (done, self.doubts) = (done + 1, 0);
                }
                Err(error) => {
                    failed = Some(error);
                    break;
                }
            }
        }
        self.most = (HELD / largest).clamp(1, EACH * threads::count(0));
        self.at = self.marks[done].bit;
        self.marks.drain(..done);
        if let Some(error) = failed {
            self.doubts += 1;
            if self.doubts > DOUBTS {
                return Err(error);
            }
            // What was taken for the next block may be within this one.
            self.marks.remove(1);
        }
        Ok(())
    }

    /// Reads and searches more of what is stored; false if there is no more.
    fn fill(&mut self) -> io::Result<bool> {
        let before = self.bytes.len();
        while !self.ended && self.bytes.len() - before < STEP {
            let more = self.input.fill_buf()?;
            let taken = more.len().min(STEP);
            self.bytes.extend_from_slice(&more[..taken]);
            self.input.consume(taken);
            self.ended = taken == 0;
        }
        // One that reaches beyond what was searched was not found.
        let from = self.searched.saturating_sub(MAGIC / 8);
        let known = self.marks.last().map_or(self.at, |mark| mark.bit + 1);
        let mut found = search(&self.bytes, from);
        found.retain(|mark| mark.bit >= known);
        self.marks.append(&mut found);
        self.searched = self.bytes.len();
        Ok(self.bytes.len() > before)
    }

    /// Drops stored bytes that are behind.
    fn forget(&mut self) {
        let behind = (self.at / 8).min(self.bytes.len());
        if behind < STEP && behind < self.bytes.len() {
            return;
        }
        self.bytes.drain(..behind);
        self.at -= behind * 8;
        self.searched = self.searched.saturating_sub(behind);
        self.marks.iter_mut().for_each(|mark| mark.bit -= behind * 8);
    }
}

impl<R: BufRead> Read for Streams<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        while let Some(first) = self.ready.first() {
            if self.read == first.len() {
                self.ready.remove(0);
                self.read = 0;
                continue;
            }
            let count = buf.len().min(first.len() - self.read);
            buf[..count].copy_from_slice(&first[self.read..self.read + count]);
            self.read += count;
            return Ok(count);
        }
        self.refill()?;
        if self.ready.is_empty() { Ok(0) } else { self.read(buf) }
    }
}

/// All blocks and ends that begin at or behind a byte, in order.
fn search(bytes: &[u8], from: usize) -> Vec<Mark> {
    static FINDERS: OnceLock<Vec<(Finder<'static>, usize, bool)>> = OnceLock::new();
    let finders = FINDERS.get_or_init(|| {
        let magics = [(BLOCK, false), (END, true)];
        let all = magics
            .into_iter()
            .flat_map(|(magic, is_end)| (0..8).map(move |shift| (magic, is_end, shift)));
        all.map(|(magic, is_end, shift)| {
            let shifted = (magic << (16 - shift)).to_be_bytes();
            // Only bytes that belong to it as a whole.
            let whole = if shift == 0 { &shifted[..6] } else { &shifted[1..6] };
            (Finder::new(whole).into_owned(), shift, is_end)
        })
        .collect()
    });
    let mut marks = Vec::new();
    for (finder, shift, is_end) in finders {
        for at in finder.find_iter(&bytes[from..]) {
            let Some(byte) = (from + at).checked_sub(usize::from(*shift > 0)) else { continue };
            let bit = byte * 8 + shift;
            let magic = if *is_end { END } else { BLOCK };
            if bits(bytes, bit, MAGIC) == Some(magic) {
                marks.push(Mark { bit, is_end: *is_end });
            }
        }
    }
    marks.sort_unstable();
    marks
}

/// This many bits from one on, 56 at most; `None` if they are not all there.
fn bits(bytes: &[u8], bit: usize, count: usize) -> Option<u64> {
    let here = bytes.get(bit / 8..(bit + count).div_ceil(8))?;
    let all = here.iter().fold(0_u64, |all, byte| all << 8 | u64::from(*byte));
    let behind = here.len() * 8 - bit % 8 - count;
    Some(all >> behind & ((1 << count) - 1))
}

/// Room for decoded bytes, which threads share: a few stored bytes may be a block of many millions.
struct Room<'r> {
    held: &'r AtomicUsize,
    most: usize,
}

impl Room<'_> {
    /// Takes room for this many bytes more; false, and none is taken, if there is not so much.
    fn take(&self, bytes: usize) -> bool {
        let before = self.held.fetch_add(bytes, Ordering::Relaxed);
        let fits = before.saturating_add(bytes) <= self.most;
        if !fits {
            self.held.fetch_sub(bytes, Ordering::Relaxed);
        }
        fits
    }
}

/// The block between two bits, and its checksum; of one that has more bytes than are wanted not all of them.
/// `None` if there is no room for it.
fn decode(
    bytes: &[u8],
    level: u8,
    (from, to): (usize, usize),
    wanted: usize,
    room: &Room<'_>,
) -> io::Result<Option<(Vec<u8>, u32)>> {
    let least = usize::from(level - b'0') * 100_000;
    if !room.take(least) {
        return Ok(None);
    }
    let crc = bits(bytes, from + MAGIC, CRC).ok_or(io::ErrorKind::UnexpectedEof)? as u32;
    let stored = alone(bytes, level, from, to, crc);
    let mut decoder = Decompress::new(false);
    let mut decoded = Vec::with_capacity(least);
    loop {
        let used = decoder.total_in() as usize;
        let status = decoder.decompress_vec(&stored[used..], &mut decoded);
        match status.map_err(io::Error::from)? {
            Status::StreamEnd => return Ok(Some((decoded, crc))),
            _ if decoded.len() > wanted => return Ok(Some((decoded, crc))),
            _ if decoded.len() < decoded.capacity() => {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            // A block may be runs of one byte, and is much longer then.
            _ if room.take(decoded.len()) => {
                decoded.try_reserve(decoded.len()).map_err(|_| io::ErrorKind::OutOfMemory)?;
            }
            _ => return Ok(None),
        }
    }
}

/// A block as a stream of its own.
fn alone(bytes: &[u8], level: u8, from: usize, to: usize, crc: u32) -> Vec<u8> {
    let (first, shift, count) = (from / 8, from % 8, to - from);
    let mut stream = Vec::with_capacity(count / 8 + 16);
    stream.extend([b'B', b'Z', b'h', level]);
    let here = &bytes[first..first + count / 8];
    match shift {
        0 => stream.extend(here),
        _ => stream.extend(
            here.iter()
                .zip(&bytes[first + 1..])
                .map(|(high, low)| high << shift | low >> (8 - shift)),
        ),
    }
    let left = count % 8;
    let rest = bits(bytes, to - left, left).unwrap_or_default();
    let tail = u128::from(rest) << (MAGIC + CRC) | u128::from(END) << CRC | u128::from(crc);
    let length = left + MAGIC + CRC;
    let tail = (tail << (128 - length)).to_be_bytes();
    stream.extend(&tail[..length.div_ceil(8)]);
    stream
}

fn damaged(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    /// Bytes that do not repeat much.
    fn noise(len: usize) -> Vec<u8> {
        let mut state = 1_u64;
        let next = |state: &mut u64| {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (*state >> 59) as u8
        };
        (0..len).map(|_| next(&mut state)).collect()
    }

    fn encoded(bytes: &[u8], level: u32) -> Vec<u8> {
        let level = ::bzip2::Compression::new(level);
        let mut encoder = ::bzip2::write::BzEncoder::new(Vec::new(), level);
        encoder.write_all(bytes).expect("memory");
        encoder.finish().expect("memory")
    }

    fn all(stored: &[u8]) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        Streams::new(stored).read_to_end(&mut bytes).map(|_| bytes)
    }

    #[test]
    fn blocks_are_put_together_again() {
        let bytes = noise(1_500_000);
        for (len, level) in [(0, 9), (1, 1), (99_000, 1), (1_500_000, 1), (1_500_000, 9)] {
            let stored = encoded(&bytes[..len], level);
            assert!(all(&stored).expect("decodes") == bytes[..len], "{len} {level}");
        }
        let two = [encoded(&bytes[..700_000], 1), encoded(&[], 9), encoded(&bytes[700_000..], 9)];
        assert!(all(&two.concat()).expect("decodes") == bytes);
    }

    #[test]
    fn what_shrinks_most_is_decoded() {
        let zeros = vec![0; 100 << 20];
        assert!(all(&encoded(&zeros, 9)).expect("decodes") == zeros);
    }

    #[test]
    fn no_more_is_decoded_than_is_wanted() {
        let stored = encoded(&vec![0; 40 << 20], 9);
        let mut streams = Streams::new(&stored[..]).wanted(1000);
        streams.refill().expect("decodes");
        let held: usize = streams.ready.iter().map(Vec::len).sum();
        assert!((1001..2 << 20).contains(&held), "{held}");
        let mut bytes = Vec::new();
        let all = Streams::new(&stored[..]).wanted(40 << 20).read_to_end(&mut bytes);
        assert_eq!(all.expect("decodes"), 40 << 20);
    }

    #[test]
    fn blocks_that_are_much_longer_than_those_before_are_not_all_held() {
        let zeros = vec![0; 280 << 20];
        let stored = encoded(&zeros, 9);
        let mut streams = Streams::new(&stored[..]);
        // As after blocks of a few bytes.
        streams.most = 8;
        let mut decoded = 0;
        loop {
            streams.refill().expect("decodes");
            let held: usize = streams.ready.iter().map(Vec::capacity).sum();
            assert!(held <= HELD + (64 << 20), "{held}");
            let blocks = std::mem::take(&mut streams.ready);
            decoded += blocks.iter().map(Vec::len).sum::<usize>();
            if blocks.is_empty() {
                break;
            }
            streams.most = 8;
        }
        assert_eq!(decoded, zeros.len());
    }

    #[test]
    fn a_checksum_is_compared() {
        let bytes = noise(300_000);
        let mut stored = encoded(&bytes, 1);
        let end = search(&stored, 0).into_iter().find(|mark| mark.is_end).expect("an end");
        stored[(end.bit + MAGIC) / 8 + 1] ^= 1;
        assert!(all(&stored).is_err());
    }

    #[test]
    fn a_number_that_begins_no_block_is_passed_by() {
        let bytes = noise(500_000);
        let stored = encoded(&bytes, 1);
        let mut streams = Streams::new(&stored[..]);
        streams.fill().expect("memory");
        let first = streams.marks[0].bit;
        streams.marks.insert(1, Mark { bit: first + 4321, is_end: false });
        streams.marks.insert(3, Mark { bit: streams.marks[2].bit + 77, is_end: true });
        let mut decoded = Vec::new();
        streams.at = 0;
        streams.read_to_end(&mut decoded).expect("decodes");
        assert!(decoded == bytes);
    }

    #[test]
    fn what_is_cut_off_or_damaged_is_an_error() {
        let bytes = noise(250_000);
        let stored = encoded(&bytes, 1);
        for len in (0..stored.len()).step_by(7919).chain(stored.len() - 12..stored.len()) {
            assert!(all(&stored[..len]).is_err(), "{len}");
        }
        for at in (0..stored.len()).step_by(997) {
            let mut stored = stored.clone();
            stored[at] ^= 0x10;
            assert!(all(&stored).is_err(), "{at}");
        }
        assert!(all(&[&stored[..], b"x"].concat()).is_err());
    }
}
