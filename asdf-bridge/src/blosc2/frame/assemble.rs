//! The fixed parts of a new frame as bytes: header, index, trailer.

use dudley::typed::{Bytes, Create, Little, Record, Schema, Writer};

use crate::blosc2::chunk::Special;
use crate::blosc2::codecs::Codec;
use crate::blosc2::encoding::{Encoding, refused};
use crate::blosc2::error::{Error, Part, Result};
use crate::blosc2::filters::Filter;
use crate::blosc2::layouts::{content, contents, entry, header, offsets, trailer};

/// The most metalayers of a header, and those of a trailer that c-blosc2 writes.
const MOST: usize = 16;

/// The most bytes of the name of a metalayer.
const LONGEST_NAME: usize = 31;

/// Metalayers and their contents.
pub(crate) type Contents = Vec<(String, Vec<u8>)>;

/// What the header of a new frame says. Sizes are in bytes.
pub(crate) struct Outline<'a> {
    pub(crate) encoding: &'a Encoding,
    pub(crate) sparse: bool,
    pub(crate) frame_len: u64,
    pub(crate) nbytes: u64,
    pub(crate) cbytes: u64,
    /// 0 where chunks differ in size.
    pub(crate) chunksize: u64,
    /// Whether the blocks of each chunk differ in size.
    pub(crate) blocks_differ: bool,
    /// 0 where each chunk says it.
    pub(crate) blocksize: u64,
    pub(crate) metalayers: &'a Contents,
    pub(crate) has_vlmeta: bool,
}

impl Outline<'_> {
    /// The header with its metalayers.
    ///
    /// # Errors
    /// [`Error::Range`] for what has no room in it.
    pub(crate) fn header(&self) -> Result<Vec<u8>> {
        let fixed = header::constants::METALAYERS.raw + header::constants::METALAYERS.bytes;
        let parts = header::constants::METALAYERS.raw;
        let map = map(Part::Metalayer, self.metalayers, fixed, fixed - parts)?;
        let head = self.fixed(fixed + map.bytes.len() as u64)?;
        let failed = Error::engine(Part::Header);
        let writer = create::<header::Layout>(Part::Header, &header::Params {})?;
        writer.header().write(&head).map_err(&failed)?;
        let of_map = header::Metalayers { size: map.size, count: self.metalayers.len() as u16 };
        writer.metalayers().write(&of_map).map_err(&failed)?;
        let mut bytes = writer.finish_bytes().map_err(&failed)?;
        bytes.extend_from_slice(&map.bytes);
        Ok(bytes)
    }

    /// Version, offsets of 64 bits, and what differs in size: that only readers of version 3 know.
    fn general_flags(&self) -> u8 {
        match (self.chunksize, self.blocks_differ) {
            (0, true) => 0xd3,
            (0, false) => 0x53,
            _ => 0x12,
        }
    }

    fn fixed(&self, len: u64) -> Result<header::Header> {
        let encoding = self.encoding;
        let signed = |value: u64| i64::try_from(value).map_err(|_| too_large(value));
        let small = |value: u64| i32::try_from(value).map_err(|_| too_large(value));
        let (filters, filters_meta) = encoding.filter_ids();
        Ok(header::Header {
            header_len: small(len)?,
            frame_len: self.frame_len,
            general_flags: self.general_flags(),
            frame_type: u8::from(self.sparse),
            codec_flags: encoding.codec.id() | encoding.level << 4,
            split_flags: encoding.split.id(),
            nbytes: signed(self.nbytes)?,
            cbytes: signed(self.cbytes)?,
            typesize: small(encoding.typesize as u64)?,
            blocksize: small(self.blocksize)?,
            chunksize: small(self.chunksize)?,
            encoders: 1,
            decoders: 1,
            has_vlmeta: if self.has_vlmeta { 0xc3 } else { 0xc2 },
            filter_count: filters.len() as u8,
            filters,
            codec: encoding.codec.id(),
            codec_meta: 0,
            filters_meta,
            other_flags: u8::from(encoding.dictionary),
            reserved: 0,
        })
    }
}

/// The trailer with metalayers of variable size, each of which is a chunk.
///
/// # Errors
/// [`Error::Range`] for what has no room in it.
pub(crate) fn trailer(metalayers: &Contents) -> Result<Vec<u8>> {
    let failed = Error::engine(Part::Trailer);
    let fixed = <<trailer::Trailer as Record>::Bytes as Bytes>::LEN as u64;
    let map = map(Part::VlMetalayer, metalayers, fixed, fixed - 3)?;
    let len = fixed as usize + map.bytes.len() + 23;
    let writer = create::<trailer::Layout>(
        Part::Trailer,
        &trailer::Params { frame: len as _, length: len as _ },
    )?;
    let count = metalayers.len() as u16;
    let head = trailer::Trailer { version: 1, size: map.size, count };
    writer.trailer().write(&head).map_err(&failed)?;
    let fingerprint = trailer::Fingerprint { kind: 0, value: [0; 16] };
    writer.fingerprint().write(&fingerprint).map_err(&failed)?;
    let mut bytes = writer.finish_bytes().map_err(&failed)?;
    bytes.resize(len, 0);
    bytes[fixed as usize..][..map.bytes.len()].copy_from_slice(&map.bytes);
    Ok(bytes)
}

/// The index: a chunk of the offsets. None for none.
///
/// # Errors
/// [`Error::Range`] for more than fit a chunk.
pub(crate) fn index(offsets: &[u64], threads: usize) -> Result<Vec<u8>> {
    if offsets.is_empty() {
        return Ok(Vec::new());
    }
    let mut bytes = vec![0; offsets.len() * 8];
    for (at, bytes) in offsets.iter().zip(bytes.as_chunks_mut().0) {
        offsets::Offsets { at: *at }.encode::<Little>(bytes);
    }
    let mut encoding = Encoding::new(8).codec(Codec::BloscLz).filters(&[Filter::Shuffle]);
    // The offset of a single chunk, 0, is no value that is repeated.
    encoding.specials = false;
    encoding.threads(threads).chunk(&bytes)
}

/// The entry of the index for a chunk that is a value; `None` for values that are stored.
pub(crate) fn special_offset(special: Special) -> Option<u64> {
    let kind: u64 = match special {
        Special::Zeros => 0x81,
        Special::Nan => 0x82,
        Special::Uninit => 0x84,
        Special::Value => return None,
    };
    Some(kind << 56)
}

struct MapBytes {
    /// Entries, then contents.
    bytes: Vec<u8>,
    /// What the map says of its size.
    size: u16,
}

/// The map of metalayers that begins `fixed` bytes after what its offsets count from; `before` bytes of
/// its size stand before its entries.
fn map(part: Part, metalayers: &Contents, fixed: u64, before: u64) -> Result<MapBytes> {
    if metalayers.len() > MOST {
        let why = format!("{} metalayers, where there are {MOST} at most", metalayers.len());
        return Err(refused(&why));
    }
    let failed = Error::engine(part);
    let entries: usize = metalayers.iter().map(|(name, _)| 6 + name.len()).sum();
    let mut at = fixed + entries as u64 + 3;
    let (mut bytes, mut tail) = (Vec::new(), Vec::new());
    for (name, of) in metalayers {
        if name.len() > LONGEST_NAME || metalayers.iter().filter(|it| it.0 == *name).count() > 1 {
            let why = format!(
                "a metalayer `{name}`: names are unique and of {LONGEST_NAME} bytes at most"
            );
            return Err(refused(&why));
        }
        let offset = i32::try_from(at).map_err(|_| too_large(at))?;
        let writer = create::<entry::Layout>(part, &entry::Params { length: name.len() as _ })?;
        writer.mark().write(0xa0 | name.len() as u8).map_err(&failed)?;
        writer.name().write(name).map_err(&failed)?;
        writer.offset().write(offset).map_err(&failed)?;
        bytes.extend(writer.finish_bytes().map_err(&failed)?);
        let writer = create::<content::Layout>(part, &content::Params { length: of.len() as _ })?;
        writer.content().write_slice(of).map_err(&failed)?;
        let content = writer.finish_bytes().map_err(&failed)?;
        at += content.len() as u64;
        tail.extend(content);
    }
    let size = u16::try_from(before + bytes.len() as u64).map_err(|_| too_large(at))?;
    let writer = create::<contents::Layout>(part, &contents::Params {})?;
    let count = contents::Contents { count: metalayers.len() as u16 };
    writer.contents().write(&count).map_err(&failed)?;
    bytes.extend(writer.finish_bytes().map_err(&failed)?);
    bytes.extend_from_slice(&tail);
    Ok(MapBytes { bytes, size })
}

/// A writer of bytes of a layout of the format.
pub(crate) fn create<S: Schema>(part: Part, params: &S::Params) -> Result<Writer<S>> {
    Create::new().raw().memory::<S>(params).map_err(Error::engine(part))
}

fn too_large(size: u64) -> Error {
    refused(&format!("{size} bytes are more than a frame can say"))
}
