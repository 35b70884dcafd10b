//! A chunk: a header, and blocks that are decoded one by one.

mod block;
mod blocks;
mod header;
mod scratch;
mod streams;
mod tune;
mod view;
mod write;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use dudley::bytes::Source;

pub(crate) use blocks::{NUMBER, nan};
pub use header::Special;
pub(crate) use header::{Header, LONG, SHORT, damaged as damaged_chunk, is_long};
pub(crate) use scratch::{Kept, Scratch, each};
pub(crate) use view::View;
pub(crate) use write::{Encoded, Kept as KeptEncoders, encode_all, encode_blocks, special};

use super::codecs::{Codec, Dictionary};
use super::context::Context;
use super::error::{Error, Part, Result};
use super::filters::{Filter, Pipeline};
use super::parallel::{self, Load};
use super::{DEFAULT_LIMIT, memory};

/// Where the bytes of a chunk are.
#[derive(Clone)]
pub(crate) enum Stored<'a> {
    /// In memory, from its first byte on. More may follow.
    Memory(&'a [u8]),
    /// At an address of something that is read by address.
    Source(&'a dyn Source, u64),
    /// The same, of a file that only this chunk has.
    Owned(Arc<dyn Source>, u64),
}

impl<'a> Stored<'a> {
    /// At an address of a source: its memory, if it is in memory.
    pub(crate) fn at(source: &'a dyn Source, address: u64) -> Stored<'a> {
        let bytes = source.bytes().and_then(|bytes| bytes.get(usize::try_from(address).ok()?..));
        bytes.map_or(Stored::Source(source, address), Stored::Memory)
    }

    /// How many bytes there are at most.
    fn available(&self) -> u64 {
        match self {
            Stored::Memory(bytes) => bytes.len(),
            Stored::Source(source, address) => source.len().saturating_sub(*address),
            Stored::Owned(source, address) => source.len().saturating_sub(*address),
        }
    }

    /// Some of its bytes, which `part` is about.
    fn get(&self, range: Range<usize>, part: Part) -> Result<Cow<'a, [u8]>> {
        let (start, len) = (range.start as u64, range.len() as u64);
        let short = dudley::bytes::check(self.available(), start, len);
        short.map_err(Error::engine(part))?;
        match self {
            Stored::Memory(bytes) => Ok(Cow::Borrowed(&bytes[range])),
            Stored::Source(source, address) => read(*source, address + start, len, part),
            Stored::Owned(source, address) => read(&**source, address + start, len, part),
        }
    }

    /// The same, in memory that is kept from one time to the next.
    fn get_in<'b>(
        &'b self,
        range: Range<usize>,
        part: Part,
        room: &'b mut Vec<u8>,
    ) -> Result<&'b [u8]> {
        let (start, len) = (range.start as u64, range.len() as u64);
        dudley::bytes::check(self.available(), start, len).map_err(Error::engine(part))?;
        let (source, address): (&dyn Source, u64) = match self {
            Stored::Memory(bytes) => return Ok(&bytes[range]),
            Stored::Source(source, address) => (*source, *address),
            Stored::Owned(source, address) => (&**source, *address),
        };
        memory::resize(room, range.len())?;
        source.read_at(address + start, room).map_err(Error::engine(part))?;
        Ok(room)
    }

    /// As many bytes as an array has.
    fn array<const N: usize>(&self) -> Result<[u8; N]> {
        let bytes = self.get(0..N, Part::ChunkHeader)?;
        Ok(bytes.first_chunk().copied().unwrap_or([0; N]))
    }
}

fn read(source: &dyn Source, address: u64, len: u64, part: Part) -> Result<Cow<'static, [u8]>> {
    // The caller has compared the length with what there is.
    let mut bytes = memory::zeros(len)?;
    source.read_at(address, &mut bytes).map_err(Error::engine(part))?;
    Ok(Cow::Owned(bytes))
}

/// A chunk of a frame, or by itself, as ASDF and HDF5 have them: its header was read and checked.
///
/// ```
/// use asdf_bridge::blosc2::Chunk;
///
/// // Of 1000 bytes that are all 7: a header, and the value.
/// let mut bytes = vec![5, 1, 5, 1, 0xe8, 3, 0, 0, 0xe8, 3, 0, 0, 33, 0, 0, 0];
/// bytes.extend([0; 15]);
/// bytes.extend([0x30, 7]);
/// let chunk = Chunk::parse(&bytes)?;
/// assert_eq!(chunk.nbytes(), 1000);
/// assert!(chunk.decode()?.iter().all(|byte| *byte == 7));
/// let mut two = [0; 2];
/// chunk.read_range(998, &mut two)?;
/// assert_eq!(two, [7, 7]);
/// # Ok::<(), asdf_bridge::blosc2::Error>(())
/// ```
pub struct Chunk<'a> {
    stored: Stored<'a>,
    header: Header,
    codec: Result<Codec>,
    pipeline: Result<Pipeline>,
    /// The most bytes of a block that is decoded.
    limit: u64,
    /// The starts of blocks, as they are stored.
    starts: Cow<'a, [u8]>,
    /// Where blocks may begin.
    blocks: usize,
    /// Where each block of variable size begins when decoded, and its end.
    variable: Vec<usize>,
    /// The starts in their order, where the bytes of single blocks are read.
    sorted: OnceLock<Vec<i32>>,
    dictionary: Option<Dictionary>,
    /// The repeated value, of special values.
    value: Cow<'a, [u8]>,
    /// The first block, decoded, where others refer to it.
    first: OnceLock<Vec<u8>>,
}

impl<'a> Chunk<'a> {
    /// Reads the header of a chunk in memory. What follows it is not looked at.
    ///
    /// # Errors
    /// [`Error::Damaged`], [`Error::Unsupported`]; [`Error::Engine`] if it is cut off.
    pub fn parse(bytes: &'a [u8]) -> Result<Chunk<'a>> {
        Chunk::open(Stored::Memory(bytes), &Context::default())
    }

    pub(crate) fn open(stored: Stored<'a>, context: &Context) -> Result<Chunk<'a>> {
        let available = stored.available();
        Chunk::open_within(stored, available, context)
    }

    /// Of at most this many bytes.
    fn open_within(stored: Stored<'a>, most: u64, context: &Context) -> Result<Chunk<'a>> {
        let mut chunk = Chunk::open_head(stored, most, context)?;
        chunk.open_blocks(context)?;
        Ok(chunk)
    }

    /// As [`Self::open`], of a chunk some of whose bytes may be missing: its header and what follows it are there, and
    /// blocks that are not are errors for the code that reads them. What is in memory is read as a source, so that only the
    /// bytes of a block are requested.
    pub(crate) fn open_cut(stored: Stored<'a>, context: &Context) -> Result<Chunk<'a>> {
        Chunk::open_within(stored, u64::MAX, context)
    }

    /// The header alone, of a chunk of at most this many bytes: nothing can be decoded.
    pub(crate) fn open_head(stored: Stored<'a>, most: u64, context: &Context) -> Result<Chunk<'a>> {
        let head = stored.array::<SHORT>()?;
        let header = match Header::length(&head) {
            LONG => Header::long(&stored.array::<LONG>()?, most)?,
            _ => Header::short(&head, most)?,
        };
        Ok(Chunk::with_header(stored, header, context))
    }

    /// A chunk that is not stored: a value, of the index of a frame.
    pub(crate) fn of_value(
        special: Special,
        nbytes: u64,
        blocksize: u64,
        context: &Context,
    ) -> Result<Chunk<'static>> {
        let header = Header::of_value(special, nbytes, blocksize)?;
        let mut chunk = Chunk::with_header(Stored::Memory(&[]), header, context);
        chunk.open_blocks(context)?;
        Ok(chunk)
    }

    fn with_header(stored: Stored<'a>, header: Header, context: &Context) -> Chunk<'a> {
        Chunk {
            codec: header.codec(),
            pipeline: Pipeline::new(
                &header.filters,
                &header.filters_meta,
                header.typesize,
                header.version,
                context,
            ),
            stored,
            header,
            limit: context.limit.unwrap_or(DEFAULT_LIMIT),
            starts: Cow::Borrowed(&[]),
            blocks: 0,
            variable: Vec::new(),
            sorted: OnceLock::new(),
            dictionary: None,
            value: Cow::Borrowed(&[]),
            first: OnceLock::new(),
        }
    }

    /// Decoded bytes.
    pub fn nbytes(&self) -> u64 {
        self.header.nbytes as u64
    }

    /// Bytes of the chunk, its header included.
    pub fn cbytes(&self) -> u64 {
        self.header.cbytes as u64
    }

    /// Decoded bytes of a block, the last one of which may be shorter. Of blocks of variable size, the
    /// largest.
    pub fn blocksize(&self) -> u64 {
        match self.header.variable {
            Some(blocks) => {
                let sizes = (0..blocks).map(|block| self.block_range(block).len() as u64);
                sizes.max().unwrap_or(0)
            }
            // There may be as many of them as bytes.
            None => self.nbytes().min(self.header.blocksize as u64),
        }
    }

    /// How many blocks it is cut into, each of which can be decoded alone.
    pub fn block_count(&self) -> usize {
        self.header.blocks()
    }

    /// Whether its blocks differ in size, as [`Encoding::blocks`](super::Encoding::blocks) makes them: pieces of
    /// data that belong together.
    pub fn has_variable_blocks(&self) -> bool {
        self.header.variable.is_some()
    }

    /// The decoded bytes of a block.
    ///
    /// # Errors
    /// [`Error::Range`] if there is no such block; [`Error::Limit`] for more than a tebibyte; what decoding
    /// it says.
    pub fn block(&self, number: usize) -> Result<Vec<u8>> {
        if number >= self.block_count() {
            let why = format!("no block {number}: there are {}", self.block_count());
            return Err(Error::Range(why.into()));
        }
        let range = self.block_range(number);
        memory::within(range.len() as u64, self.limit)?;
        let mut bytes = memory::zeros(range.len() as u64)?;
        self.decode_block(number, &mut bytes, &mut Scratch::default())?;
        Ok(bytes)
    }

    /// Bytes of an element, 1 where they are more than 255.
    pub fn typesize(&self) -> u8 {
        self.header.typesize as u8
    }

    /// The version of the format.
    pub fn version(&self) -> u8 {
        self.header.version
    }

    /// How it is compressed; `None` where it is stored as it is, or is a special value.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a codec that is not built in.
    pub fn codec(&self) -> Result<Option<Codec>> {
        if self.header.stored || self.header.special.is_some() {
            Ok(None)
        } else {
            self.header.codec().map(Some)
        }
    }

    /// The value of all its elements, if that is all there is.
    pub fn special(&self) -> Option<Special> {
        self.header.special
    }

    /// Whether its header is that of Blosc 1.
    pub(crate) fn has_short_header(&self) -> bool {
        self.header.len == SHORT
    }

    /// Whether the program that wrote it ran on a big-endian machine. The bytes are as they were
    /// there.
    pub fn is_big_endian(&self) -> bool {
        self.header.big_endian
    }

    /// All its bytes.
    ///
    /// # Errors
    /// If decoding a block fails; [`Error::Limit`] for more than a tebibyte.
    pub fn decode(&self) -> Result<Vec<u8>> {
        self.decode_within(DEFAULT_LIMIT)
    }

    /// All its bytes, if they are not more than `limit`.
    ///
    /// # Errors
    /// As [`Self::decode`].
    pub fn decode_within(&self, limit: u64) -> Result<Vec<u8>> {
        memory::within(self.nbytes(), limit)?;
        let mut bytes = memory::zeros(self.nbytes())?;
        let mut rest = &mut bytes[..];
        let blocks = (0..self.block_count()).map(|block| {
            let (now, later) =
                std::mem::take(&mut rest).split_at_mut(self.block_range(block).len());
            rest = later;
            (block, now)
        });
        let threads = parallel::default_threads();
        each(threads, self.load(threads), &Kept::default(), blocks, |(block, to), scratch| {
            self.decode_block(block, to, scratch)
        })?;
        Ok(bytes)
    }

    /// Fills `buffer` with its bytes from `start` on. Only blocks that they touch are decoded, which may take
    /// two or three times the memory of a block: see [`Self::blocksize`].
    ///
    /// # Errors
    /// [`Error::Range`] if there are not that many; if decoding a block fails. What `buffer` then
    /// holds is unspecified.
    pub fn read_range(&self, start: u64, buffer: &mut [u8]) -> Result<()> {
        if start.checked_add(buffer.len() as u64).is_none_or(|end| end > self.nbytes()) {
            let why = format!("{} bytes at {start} of {}", buffer.len(), self.nbytes());
            return Err(Error::Range(why.into()));
        }
        self.read_within(start as usize, buffer, &mut Scratch::default())
    }

    /// As [`Self::read_range`], of a range that is there.
    pub(crate) fn read_within(
        &self,
        start: usize,
        buffer: &mut [u8],
        scratch: &mut Scratch,
    ) -> Result<()> {
        if self.header.stored {
            return self.copy_stored(start, buffer, scratch);
        }
        let mut rest = buffer;
        let mut at = start;
        while !rest.is_empty() {
            let block = self.block_at(at);
            let range = self.block_range(block);
            let count = range.end.saturating_sub(at).min(rest.len());
            if count == 0 {
                return Err(damaged_chunk("nbytes", "blocks for all bytes", at));
            }
            let (now, later) = rest.split_at_mut(count);
            if count == range.len() {
                self.decode_block(block, now, scratch)?
            } else {
                memory::within(range.len() as u64, self.limit)?;
                let mut whole = scratch.take(range.len())?;
                scratch.cached(|scratch| self.decode_block(block, &mut whole, scratch))?;
                let from = at - range.start;
                now.copy_from_slice(&whole[from..from + count]);
                scratch.give_back(whole);
            }
            (rest, at) = (later, at + count);
        }
        Ok(())
    }

    /// Whether its bytes are stored as they are, and none is decoded for another one.
    pub(crate) fn is_stored(&self) -> bool {
        self.header.stored
    }

    /// Its bytes as they are stored.
    pub(crate) fn stored_bytes(&self) -> Result<Cow<'a, [u8]>> {
        self.stored.get(0..self.header.cbytes, Part::Chunk)
    }

    /// What decoding all of it comes to.
    pub(crate) fn load(&self, threads: usize) -> Load {
        let fast = !matches!(self.codec(), Ok(Some(codec)) if !codec.is_fast());
        let load = Load::new(self.nbytes(), self.nbytes(), fast);
        load.of_blocks(threads, self.block_count() as u64, || self.streams_of_block())
    }

    /// How many streams its blocks have, except for a shorter last one.
    pub(crate) fn streams_of_block(&self) -> usize {
        let header = &self.header;
        let one = header.special.is_some() || header.stored || header.variable.is_some();
        if !one && header.is_split(0) { header.typesize } else { 1 }
    }

    /// Its filters that are built in.
    pub(crate) fn filters(&self) -> Vec<Filter> {
        let filters = self.header.filters.iter().zip(&self.header.filters_meta);
        filters.filter_map(|(id, meta)| Filter::of_id(*id, *meta)).collect()
    }

    /// Whether it cannot be decoded without what its frame says.
    pub(crate) fn needs_frame(&self) -> bool {
        let header = &self.header;
        let cells = |filter: &u8| (32..=35).contains(filter);
        !header.stored && header.special.is_none() && header.filters.iter().any(cells)
            || header.special == Some(Special::Nan)
    }

    /// Decoded bytes of this many blocks as come to at least `bytes`: what one thread takes at a time.
    pub(crate) fn piece_of_blocks(&self, bytes: u64) -> u64 {
        if self.header.stored {
            return bytes;
        }
        match self.header.variable {
            Some(_) => self.nbytes().max(1),
            None => bytes.next_multiple_of(self.header.blocksize as u64),
        }
    }
}

impl std::fmt::Debug for Chunk<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Chunk").field(&self.header).finish()
    }
}
