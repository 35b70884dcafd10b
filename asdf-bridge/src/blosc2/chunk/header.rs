//! The header of a chunk, of either length, checked.

use dudley::typed::{Little, Record};

use crate::blosc2::codecs::Codec;
use crate::blosc2::encoding::{Encoding, refused};
use crate::blosc2::error::{Error, Part, Result};
use crate::blosc2::filters::Filter;
use crate::blosc2::layouts::{CHUNK, chunk_16, chunk_32};

/// The most decoded bytes of a block that an encoder makes.
pub(crate) const LARGEST_BLOCK: i32 = 536_866_816;

/// Bytes of the shorter header.
pub(crate) const SHORT: usize = 16;
/// Bytes of the longer header.
pub(crate) const LONG: usize = 32;

const SHUFFLE: u8 = 0x01;
const STORED: u8 = 0x02;
const BITSHUFFLE: u8 = 0x04;
const DELTA: u8 = 0x08;
const UNSPLIT: u8 = 0x10;
const VARIABLE_BLOCKS: u8 = 0x01;
const DICTIONARY: u8 = 0x01;
const BIG_ENDIAN: u8 = 0x02;
const LAZY: u8 = 0x08;
const INSTRUMENTED: u8 = 0x80;

/// A value that all elements of a chunk have, so that it stores none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Special {
    /// Bytes of 0.
    Zeros,
    /// Not a number, of 4 or 8 bytes.
    Nan,
    /// A value that is stored once.
    Value,
    /// Never set; read as bytes of 0.
    Uninit,
}

/// The header of a chunk. Sizes are in bytes.
#[derive(Clone, Debug)]
pub(crate) struct Header {
    pub(crate) len: usize,
    pub(crate) version: u8,
    pub(crate) typesize: usize,
    pub(crate) nbytes: usize,
    pub(crate) blocksize: usize,
    pub(crate) cbytes: usize,
    pub(crate) filters: [u8; 6],
    pub(crate) filters_meta: [u8; 6],
    pub(crate) special: Option<Special>,
    pub(crate) stored: bool,
    pub(crate) unsplit: bool,
    pub(crate) dictionary: bool,
    pub(crate) big_endian: bool,
    /// How many blocks there are, if they are of variable size.
    pub(crate) variable: Option<usize>,
    codec: u8,
    /// The field that names it.
    codec_field: &'static str,
}

/// Whether a header that begins so is the longer one.
pub(crate) fn is_long(head: &[u8; SHORT]) -> bool {
    Header::length(head) == LONG
}

impl Header {
    /// How many bytes it takes, from the first 16 of them.
    pub(crate) fn length(head: &[u8; SHORT]) -> usize {
        let flags = chunk_16::Header::decode::<Little>(head).flags;
        if flags & (SHUFFLE | BITSHUFFLE) == SHUFFLE | BITSHUFFLE { LONG } else { SHORT }
    }

    /// The shorter header, of Blosc 1: its filters follow from its flags.
    pub(crate) fn short(bytes: &[u8; SHORT], available: u64) -> Result<Header> {
        let head = chunk_16::Header::decode::<Little>(bytes);
        let mut filters = [0; 6];
        if head.flags & BITSHUFFLE != 0 {
            filters[5] = 2;
        } else if head.flags & SHUFFLE != 0 {
            filters[5] = 1;
        }
        if head.flags & DELTA != 0 {
            filters[4] = 3;
        }
        Header {
            len: SHORT,
            version: head.version,
            typesize: usize::from(head.typesize),
            nbytes: 0,
            blocksize: 0,
            cbytes: 0,
            filters,
            filters_meta: [0; 6],
            special: None,
            stored: head.flags & STORED != 0,
            unsplit: head.flags & UNSPLIT != 0,
            dictionary: false,
            big_endian: false,
            variable: None,
            // Of the formats that Blosc 1 had, the numbers in the registry.
            codec: match head.flags >> 5 {
                0 => 0,
                1 => 1,
                2 => 3,
                3 => 4,
                4 => 5,
                _ => u8::MAX,
            },
            codec_field: "flags",
        }
        .sized(head.nbytes, head.blocksize, head.cbytes, available)
    }

    /// The longer header.
    pub(crate) fn long(bytes: &[u8; LONG], available: u64) -> Result<Header> {
        let head = chunk_32::Header::decode::<Little>(bytes);
        let unknown = head.more_flags & !VARIABLE_BLOCKS;
        if unknown != 0 {
            let found = format!("the bits {unknown:#x} of a newer one");
            return Err(damaged("more_flags", "flags of this version of the format", found));
        }
        if head.blosc2_flags & LAZY != 0 {
            return Err(damaged(
                "blosc2_flags",
                "a chunk with its data",
                "one that was never read",
            ));
        }
        if head.blosc2_flags & INSTRUMENTED != 0 {
            let unknown = Error::unsupported("chunk of statistics", INSTRUMENTED, "");
            return Err(unknown.named_at(Part::ChunkHeader, CHUNK.at("blosc2_flags")));
        }
        let special = match head.blosc2_flags >> 4 & 7 {
            0 => None,
            1 => Some(Special::Zeros),
            2 => Some(Special::Nan),
            3 => Some(Special::Value),
            4 => Some(Special::Uninit),
            kind => return Err(damaged("blosc2_flags", "a special value of 1 to 4", kind)),
        };
        let mut filters = head.filters;
        if head.version == 3 {
            filters[5] = 0;
        }
        let blocks = (head.more_flags & VARIABLE_BLOCKS != 0).then_some(head.blocksize);
        let variable =
            blocks.map(|blocks| whole("blocksize", "a number of blocks", blocks)).transpose()?;
        let stored = head.flags & STORED != 0;
        if variable.is_some() && (stored || special.is_some()) {
            return Err(damaged(
                "more_flags",
                "blocks of variable size, or a value, or stored bytes",
                "both",
            ));
        }
        Header {
            len: LONG,
            version: head.version,
            typesize: usize::from(head.typesize),
            nbytes: 0,
            blocksize: 0,
            cbytes: 0,
            filters,
            filters_meta: head.filters_meta,
            special,
            stored: stored && special.is_none(),
            unsplit: head.flags & UNSPLIT != 0,
            dictionary: head.blosc2_flags & DICTIONARY != 0,
            big_endian: head.blosc2_flags & BIG_ENDIAN != 0,
            variable,
            // Lz4hc and lz4 are one format; the header says which one wrote it.
            codec: match (head.flags >> 5, head.codec) {
                (0, _) => 0,
                (1, 2) => 2,
                (1, _) => 1,
                (2, _) => 3,
                (3, _) => 4,
                (4, _) => 5,
                (5, _) => 6,
                (_, own) if own >= 32 => own,
                _ => u8::MAX,
            },
            // What has no format of its own has a number.
            codec_field: if head.flags >> 5 > 5 { "codec" } else { "flags" },
        }
        .sized(head.nbytes, head.blocksize, head.cbytes, available)
    }

    /// Of a value that is not stored.
    pub(crate) fn of_value(special: Special, nbytes: u64, blocksize: u64) -> Result<Header> {
        let expected = "a chunk of less than 2 GiB";
        let size = i32::try_from(nbytes).map_err(|_| damaged("nbytes", expected, nbytes))?;
        let nbytes = whole("nbytes", expected, size)?;
        let blocksize = usize::try_from(blocksize).ok().filter(|size| *size > 0);
        Ok(Header {
            len: LONG,
            version: 5,
            typesize: 1,
            nbytes,
            // Where the frame does not say, so that a part does not cost the whole.
            blocksize: blocksize.unwrap_or(64 << 10).clamp(1, nbytes.max(1)),
            cbytes: LONG,
            filters: [0; 6],
            filters_meta: [0; 6],
            special: Some(special),
            stored: false,
            unsplit: true,
            dictionary: false,
            big_endian: false,
            variable: None,
            codec: 0,
            codec_field: "flags",
        })
    }

    /// With its sizes, checked.
    fn sized(self, nbytes: i32, blocksize: i32, cbytes: i32, available: u64) -> Result<Header> {
        if self.typesize == 0 {
            return Err(damaged("typesize", "elements of 1 byte or more", 0));
        }
        let nbytes = whole("nbytes", "a number of decoded bytes", nbytes)?;
        let cbytes = whole("cbytes", "a number of bytes", cbytes)?;
        if cbytes < self.len || cbytes as u64 > available {
            let expected = format!("{} to {available} bytes, which are there", self.len);
            return Err(damaged("cbytes", expected, cbytes));
        }
        let empty = nbytes == 0 || self.variable.is_some();
        if !empty && !(1..=LARGEST_BLOCK).contains(&blocksize) {
            let expected = format!("blocks of 1 to {LARGEST_BLOCK} bytes");
            return Err(damaged("blocksize", expected, blocksize));
        }
        let blocksize = usize::try_from(blocksize).unwrap_or(0).clamp(1, nbytes.max(1));
        let valued = matches!(self.special, Some(special) if special != Special::Value);
        if valued && cbytes != self.len {
            return Err(damaged(
                "cbytes",
                "nothing behind the header, as of a special value",
                cbytes,
            ));
        }
        if self.stored && cbytes != nbytes + self.len {
            let expected = format!("{} bytes, as they are stored", nbytes + self.len);
            return Err(damaged("cbytes", expected, cbytes));
        }
        Ok(Header { nbytes, blocksize, cbytes, ..self })
    }

    /// Its codec.
    ///
    /// # Errors
    /// [`Error::Unsupported`].
    pub(crate) fn codec(&self) -> Result<Codec> {
        let address = CHUNK.at(self.codec_field);
        Codec::of_id(self.codec).map_err(|error| error.named_at(Part::ChunkHeader, address))
    }

    /// Whether all its filters are built in.
    pub(crate) fn has_known_filters(&self) -> bool {
        let filters = self.filters.iter().zip(&self.filters_meta);
        filters.into_iter().all(|(id, meta)| *id == 0 || Filter::of_id(*id, *meta).is_some())
    }

    /// Whether a block is stored as one stream for each byte of an element.
    pub(crate) fn is_split(&self, block: usize) -> bool {
        let short = (block + 1).saturating_mul(self.blocksize) > self.nbytes;
        // Before there was a flag, encoders of Blosc 1 followed this rule.
        let small = self.typesize > 16 || self.blocksize / self.typesize < 128;
        !(self.unsplit || short || self.version <= 2 && small)
    }

    /// How many blocks there are whose starts are stored.
    pub(crate) fn blocks(&self) -> usize {
        match self.variable {
            Some(blocks) => blocks,
            None if self.nbytes == 0 => 0,
            None => self.nbytes.div_ceil(self.blocksize),
        }
    }
}

/// What the header of a new chunk says. Sizes are in bytes.
pub(super) struct Writing {
    pub(super) short: bool,
    pub(super) stored: bool,
    pub(super) split: bool,
    pub(super) dictionary: bool,
    pub(super) special: Option<Special>,
    /// Whether there are blocks of variable size; then `blocksize` is how many.
    variable: bool,
    delta: bool,
    shuffle: u8,
    typesize: u8,
    nbytes: i32,
    blocksize: i32,
    filters: ([u8; 6], [u8; 6]),
    codec: Codec,
}

/// What encoders of this version write, also where blocks are of variable size, and those of Blosc 1.
const VERSION: u8 = 5;
const VERSION_VARIABLE: u8 = 6;
const VERSION_SHORT: u8 = 2;

impl Writing {
    /// Of a chunk that is compressed, and not split.
    pub(super) fn new(encoding: &Encoding, nbytes: usize, blocksize: usize) -> Result<Writing> {
        let size = |bytes| {
            let size = i32::try_from(bytes).ok().filter(|size| *size < i32::MAX - LONG as i32);
            size.ok_or_else(|| {
                refused(&format!("a chunk of {nbytes} bytes, which is 2 GiB or more"))
            })
        };
        let shuffle = match encoding.filters.last() {
            Some(Filter::Shuffle) => SHUFFLE,
            Some(Filter::BitShuffle) => BITSHUFFLE,
            _ => 0,
        };
        Ok(Writing {
            short: encoding.short_header,
            stored: false,
            split: false,
            dictionary: false,
            special: None,
            variable: false,
            delta: encoding.filters.contains(&Filter::Delta),
            shuffle,
            // Checked to be at most 255.
            typesize: encoding.stored_typesize() as u8,
            nbytes: size(nbytes)?,
            blocksize: size(blocksize.clamp(1, (LARGEST_BLOCK as usize).min(nbytes.max(1))))?,
            filters: encoding.filter_ids(),
            codec: encoding.codec,
        })
    }

    /// Of a chunk of this many blocks of variable size.
    pub(super) fn of_blocks(encoding: &Encoding, nbytes: usize, blocks: usize) -> Result<Writing> {
        let writing = Writing::new(encoding, nbytes, nbytes)?;
        // No more of them than bytes, whose number was found to fit.
        Ok(Writing { variable: true, blocksize: blocks as i32, ..writing })
    }

    /// The header of a chunk of this many bytes, and how long it is.
    pub(super) fn encode(&self, cbytes: i32) -> ([u8; LONG], usize) {
        let mut flags = if self.short { self.shuffle } else { SHUFFLE | BITSHUFFLE };
        for (flag, set) in [(STORED, self.stored), (DELTA, self.delta), (UNSPLIT, !self.split)] {
            flags |= if set { flag } else { 0 };
        }
        flags |= self.codec.format() << 5;
        let (nbytes, blocksize, typesize) = (self.nbytes, self.blocksize, self.typesize);
        let mut bytes = [0; LONG];
        if self.short {
            let head = chunk_16::Header {
                version: VERSION_SHORT,
                codec_version: 1,
                flags,
                typesize,
                nbytes,
                blocksize,
                cbytes,
            };
            if let Some(room) = bytes.first_chunk_mut() {
                head.encode::<Little>(room);
            }
            return (bytes, SHORT);
        }
        let special = match self.special {
            None => 0,
            Some(Special::Zeros) => 1,
            Some(Special::Nan) => 2,
            Some(Special::Value) => 3,
            Some(Special::Uninit) => 4,
        };
        let head = chunk_32::Header {
            version: if self.variable { VERSION_VARIABLE } else { VERSION },
            codec_version: 1,
            flags,
            typesize,
            nbytes,
            blocksize,
            cbytes,
            filters: self.filters.0,
            codec: self.codec.id(),
            codec_meta: 0,
            filters_meta: self.filters.1,
            more_flags: if self.variable { VARIABLE_BLOCKS } else { 0 },
            blosc2_flags: special << 4 | if self.dictionary { DICTIONARY } else { 0 },
        };
        head.encode::<Little>(&mut bytes);
        (bytes, LONG)
    }
}

/// That a field of the header of a chunk is wrong.
pub(crate) fn damaged(field: &str, expected: impl Into<Box<str>>, found: impl ToString) -> Error {
    Error::damaged(Part::ChunkHeader, CHUNK.at(field), expected, found)
}

fn whole(field: &str, expected: &str, found: i32) -> Result<usize> {
    usize::try_from(found).map_err(|_| damaged(field, expected, found))
}
