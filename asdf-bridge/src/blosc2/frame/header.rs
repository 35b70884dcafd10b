//! The header of a frame, of either generation, checked.

use std::sync::Arc;

use dudley::Open;
use dudley::bytes::Source;
use dudley::typed::{Reader, Schema};

use crate::blosc2::codecs::Codec;
use crate::blosc2::error::{Error, Part, Result};
use crate::blosc2::filters::Filter;
use crate::blosc2::layouts::{HEADER, HEADER_2020, header, header_2020};

/// The first byte of today's frames.
const TODAY: u8 = 0x9e;
/// The first byte of the frames of 2020.
const OF_2020: u8 = 0x9d;

/// The newest version of the format that is known.
const NEWEST: u8 = 3;

/// The codec of flags that leave it to a field of its own.
const NAMED_ELSEWHERE: u8 = 6;

/// Set where the blocks of all chunks differ in size.
const BLOCKS_DIFFER: u8 = 0x80;

/// What the header has where the trailer has metalayers: true, as msgpack has it.
const HAS_VLMETA: u8 = 0xc3;

/// Set where chunks differ in size.
const CHUNKS_DIFFER: u8 = 0x40;

/// Which layout a frame has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Generation {
    /// Until January 2021: user metadata in the trailer.
    Of2020,
    /// Since February 2021: metalayers in the trailer.
    Today,
}

impl Generation {
    /// That a field of the header is wrong.
    fn damaged(self, field: &str, expected: impl Into<Box<str>>, found: impl ToString) -> Error {
        Error::damaged(Part::Header, self.at(field), expected, found)
    }

    /// Where a field of the header is, in bytes.
    fn at(self, field: &str) -> u64 {
        match self {
            Generation::Of2020 => HEADER_2020.at(field),
            Generation::Today => HEADER.at(field),
        }
    }
}

/// What a header says. Sizes are in bytes.
#[derive(Clone, Debug)]
pub(crate) struct Head {
    pub(crate) generation: Generation,
    pub(crate) version: u8,
    pub(crate) len: u64,
    pub(crate) frame_len: u64,
    pub(crate) sparse: bool,
    pub(crate) offset_width: u8,
    pub(crate) nbytes: u64,
    pub(crate) cbytes: u64,
    pub(crate) typesize: usize,
    pub(crate) blocksize: u64,
    /// `None` where chunks differ in size.
    pub(crate) chunksize: Option<u64>,
    /// Whether the flags say that chunks differ in size, which the size of chunks says too.
    pub(super) chunks_differ: bool,
    /// Whether blocks of all chunks differ in size.
    pub(crate) blocks_differ: bool,
    /// Whether the header says that the trailer has metalayers; `None` where it does not say it.
    pub(super) has_vlmeta: Option<bool>,
    pub(crate) codec: u8,
    /// The field that names it.
    codec_field: &'static str,
    pub(crate) level: u8,
    /// How streams were split, and whether chunks were to have dictionaries.
    pub(crate) split: u8,
    pub(crate) dictionary: bool,
    pub(crate) filters: Vec<u8>,
    pub(crate) filters_meta: Vec<u8>,
    /// Where the entries of the map of metalayers begin, and their number.
    pub(crate) entries: (u64, u16),
    /// What that map says of its size; `None` where that is not known to be compared.
    pub(crate) map_size: Option<u16>,
}

/// The values of both generations, as they stand.
struct Raw {
    generation: Generation,
    fixed_len: u64,
    header_len: i32,
    frame_len: u64,
    general_flags: u8,
    frame_type: u8,
    codec: u8,
    codec_field: &'static str,
    level: u8,
    split: u8,
    dictionary: bool,
    nbytes: i64,
    cbytes: i64,
    typesize: i32,
    blocksize: i32,
    chunksize: i32,
    filter_count: u8,
    filters: Vec<u8>,
    filters_meta: Vec<u8>,
    map_size: Option<u16>,
    has_vlmeta: Option<bool>,
    entries: (u64, u16),
}

impl Head {
    /// As [`Self::read`], of a frame that may be cut off: it ends with the source. How many bytes the frame is said
    /// to have is reported too.
    pub(crate) fn read_cut(source: &Arc<dyn Source>) -> Result<(Head, u64)> {
        let mut raw = Raw::read(source)?;
        let said = std::mem::replace(&mut raw.frame_len, source.len());
        Ok((raw.checked(source.len())?, said))
    }

    /// Where there is no chunk, c-blosc2 leaves the bytes of those that there were in its sum, but not in the frame,
    /// whose trailer begins at `end`.
    pub(super) fn leave_out_taken(&mut self, end: u64) {
        if self.nbytes == 0 && !self.sparse {
            self.cbytes = self.cbytes.min(end.saturating_sub(self.len));
        }
    }

    /// That a field of the header is wrong.
    pub(crate) fn damaged(
        &self,
        field: &str,
        expected: impl Into<Box<str>>,
        found: impl ToString,
    ) -> Error {
        self.generation.damaged(field, expected, found)
    }

    /// Bytes of an offset of the index, as the header says.
    pub(super) fn bytes_of_offset(&self) -> u64 {
        match (self.offset_width, self.version) {
            (0, _) => 4,
            // Before there was a rule, this meant 64 bits.
            (1, _) | (2, 1) => 8,
            (2, _) => 16,
            _ => 32,
        }
    }

    /// The codec that new chunks were to have.
    pub(super) fn codec(&self) -> Result<Codec> {
        let address = self.generation.at(self.codec_field);
        Codec::of_id(self.codec).map_err(|error| error.named_at(Part::Header, address))
    }

    /// The filters that new chunks were to have.
    pub(super) fn filters(&self) -> Result<Vec<Filter>> {
        let all = self.filters.iter().zip(&self.filters_meta).enumerate();
        let set = all.filter(|(_, (id, _))| **id != 0);
        let known = set.map(|(at, (id, meta))| {
            let place = self.generation.at("filters") + at as u64;
            let unknown = || Error::unsupported("filter", *id, "").named_at(Part::Header, place);
            Filter::of_id(*id, *meta).ok_or_else(unknown)
        });
        known.collect()
    }

    /// Reads the header at the start of a source, which may have more behind the frame.
    pub(crate) fn read(source: &Arc<dyn Source>) -> Result<Head> {
        Raw::read(source)?.checked(source.len())
    }
}

impl Raw {
    fn read(source: &Arc<dyn Source>) -> Result<Raw> {
        let mut first = [0];
        source.read_at(0, &mut first).map_err(Error::engine(Part::Header))?;
        match first[0] {
            TODAY => today(source),
            OF_2020 => of_2020(source),
            other => {
                let found = format!("{other:#04x}");
                Err(Error::damaged(
                    Part::Header,
                    0_u64,
                    format!("{TODAY:#04x} or {OF_2020:#04x}"),
                    found,
                ))
            }
        }
    }
}

fn today(source: &Arc<dyn Source>) -> Result<Raw> {
    let reader = open::<header::Layout>(source, 0, &[], Part::Header)?;
    let failed = Error::engine(Part::Header);
    let (head, map) =
        (reader.header().get().map_err(&failed)?, reader.metalayers().get().map_err(&failed)?);
    let (codec, codec_field) = match head.codec_flags & 0x0f {
        NAMED_ELSEWHERE => (head.codec, "codec"),
        codec => (codec, "codec_flags"),
    };
    Ok(Raw {
        generation: Generation::Today,
        fixed_len: header::constants::HEADER.bytes,
        header_len: head.header_len,
        frame_len: head.frame_len,
        general_flags: head.general_flags,
        frame_type: head.frame_type & 0x0f,
        codec,
        codec_field,
        level: head.codec_flags >> 4,
        split: head.split_flags,
        dictionary: head.other_flags & 1 != 0,
        nbytes: head.nbytes,
        cbytes: head.cbytes,
        typesize: head.typesize,
        blocksize: head.blocksize,
        chunksize: head.chunksize,
        filter_count: head.filter_count,
        filters: head.filters.to_vec(),
        filters_meta: head.filters_meta.to_vec(),
        map_size: Some(map.size),
        has_vlmeta: Some(head.has_vlmeta == HAS_VLMETA),
        entries: (
            header::constants::METALAYERS.raw + header::constants::METALAYERS.bytes,
            map.count,
        ),
    })
}

fn of_2020(source: &Arc<dyn Source>) -> Result<Raw> {
    let reader = open::<header_2020::Layout>(source, 0, &[], Part::Header)?;
    let failed = Error::engine(Part::Header);
    let (head, map) =
        (reader.header().get().map_err(&failed)?, reader.metalayers().get().map_err(&failed)?);
    Ok(Raw {
        generation: Generation::Of2020,
        fixed_len: header_2020::constants::HEADER.bytes,
        header_len: head.header_len,
        frame_len: head.frame_len,
        general_flags: head.general_flags,
        frame_type: 0,
        codec: head.codec_flags & 0x0f,
        codec_field: "codec_flags",
        level: head.codec_flags >> 4,
        split: 0,
        dictionary: false,
        nbytes: head.nbytes,
        cbytes: head.cbytes,
        typesize: head.typesize,
        blocksize: 0,
        chunksize: head.chunksize,
        filter_count: head.filter_count,
        filters: head.filters.to_vec(),
        filters_meta: head.filters_meta.to_vec(),
        map_size: None,
        has_vlmeta: None,
        entries: (
            header_2020::constants::METALAYERS.raw + header_2020::constants::METALAYERS.bytes,
            map.count,
        ),
    })
}

impl Raw {
    fn checked(self, available: u64) -> Result<Head> {
        let version = self.general_flags & 0x0f;
        if version > NEWEST {
            return Err(self.generation.damaged(
                "general_flags",
                format!("version {NEWEST} of the format at most"),
                version,
            ));
        }
        let frame_len = self.frame_len;
        if frame_len > available {
            return Err(self.generation.damaged(
                "frame_len",
                format!("a frame of at most {available} bytes"),
                frame_len,
            ));
        }
        let len = u64::try_from(self.header_len).ok();
        let len =
            len.filter(|len| (self.fixed_len..=frame_len).contains(len)).ok_or_else(|| {
                let expected = format!("a header of {} to {frame_len} bytes", self.fixed_len);
                self.generation.damaged("header_len", expected, self.header_len)
            })?;
        let whole = |field, expected: &str, found: i64| {
            u64::try_from(found).map_err(|_| self.generation.damaged(field, expected, found))
        };
        let nbytes = whole("nbytes", "a number of decoded bytes", self.nbytes)?;
        let cbytes = whole("cbytes", "a number of bytes", self.cbytes)?;
        let typesize = usize::try_from(self.typesize).ok().filter(|size| *size > 0);
        let expected = "elements of 1 byte or more";
        let typesize =
            typesize.ok_or_else(|| self.generation.damaged("typesize", expected, self.typesize))?;
        // A frame without chunks that was only in memory says -1.
        let chunksize = match u64::try_from(self.chunksize) {
            Ok(size) => Some(size).filter(|size| *size > 0),
            Err(_) if nbytes == 0 => None,
            Err(_) => {
                return Err(self.generation.damaged(
                    "chunksize",
                    "a size of chunks",
                    self.chunksize,
                ));
            }
        };
        if usize::from(self.filter_count) > self.filters.len() {
            let expected = format!("{} filters at most", self.filters.len());
            return Err(self.generation.damaged("filter_count", expected, self.filter_count));
        }
        if self.frame_type > 1 {
            return Err(self.generation.damaged(
                "frame_type",
                "a frame in one file or in many",
                self.frame_type,
            ));
        }
        Ok(Head {
            generation: self.generation,
            version,
            len,
            frame_len,
            sparse: self.frame_type == 1,
            offset_width: self.general_flags >> 4 & 3,
            nbytes,
            cbytes,
            typesize,
            blocksize: whole("blocksize", "a size of blocks", self.blocksize.into())?,
            chunksize,
            chunks_differ: self.general_flags & CHUNKS_DIFFER != 0,
            blocks_differ: self.general_flags & BLOCKS_DIFFER != 0,
            has_vlmeta: self.has_vlmeta,
            codec: self.codec,
            codec_field: self.codec_field,
            level: self.level,
            split: self.split,
            dictionary: self.dictionary,
            filters: self.filters,
            filters_meta: self.filters_meta,
            entries: self.entries,
            map_size: self.map_size,
        })
    }
}

/// Opens what lies at an address with one of the layouts of the format.
pub(crate) fn open<S: Schema>(
    source: &Arc<dyn Source>,
    address: u64,
    params: &[(&str, u64)],
    part: Part,
) -> Result<Reader<S>> {
    let mut open = Open::new().raw().base(address);
    for (name, value) in params {
        open = open.param(*name, *value);
    }
    let reader = Reader::from_open(open, |open| open.source(source.clone()));
    reader.map_err(|error| Error::engine(part)(error.map_address(|at| at.saturating_add(address))))
}
