//! How chunks are compressed: codec, level, filters, blocks, streams.

use std::sync::Arc;

use super::chunk::{KeptEncoders, encode_all, encode_blocks};
use super::codecs::Codec;
use super::context::Context;
use super::error::{Error, Result};
use super::filters::Filter;
use super::parallel;

/// Whether blocks are cut into one stream for each byte of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Split {
    /// All blocks whose elements are whole.
    Always,
    /// None.
    Never,
    /// Those that are shuffled, for codecs that gain by it: blosclz, lz4, and zstd up to level 5.
    #[default]
    Auto,
    /// As [`Self::Auto`], except for zstd none, as programs of Blosc 1 have it.
    ForwardCompat,
}

impl Split {
    /// Its number in the header of a frame.
    pub(crate) const fn id(self) -> u8 {
        match self {
            Split::Always => 0,
            Split::Never => 1,
            Split::Auto => 2,
            Split::ForwardCompat => 3,
        }
    }

    /// That of a number in the header of a frame, of which two bits count.
    pub(crate) const fn of_id(id: u8) -> Split {
        match id & 3 {
            0 => Split::Always,
            1 => Split::Never,
            2 => Split::Auto,
            _ => Split::ForwardCompat,
        }
    }
}

/// How chunks are compressed. It keeps memory of what it compressed last, as long as it or a clone of it
/// is there.
///
/// ```
/// use asdf_bridge::blosc2::{Chunk, Codec, Encoding, Filter};
///
/// let numbers: Vec<u8> = (0..40_000_u32).map(|i| (i / 400) as u8).collect();
/// let encoding = Encoding::new(4).codec(Codec::Lz4).level(9).filters(&[Filter::BitShuffle]);
/// let stored = encoding.chunk(&numbers)?;
/// assert!(stored.len() < numbers.len() / 10);
/// assert_eq!(Chunk::parse(&stored)?.decode()?, numbers);
/// # Ok::<(), asdf_bridge::blosc2::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Encoding {
    pub(crate) codec: Codec,
    pub(crate) level: u8,
    pub(crate) filters: Vec<Filter>,
    pub(crate) typesize: usize,
    pub(crate) blocksize: usize,
    pub(crate) split: Split,
    pub(crate) dictionary: bool,
    pub(crate) short_header: bool,
    pub(crate) specials: bool,
    pub(crate) threads: usize,
    /// The shape of a block of an array, in elements.
    pub(crate) blockshape: Vec<usize>,
    /// Memory that clones share.
    pub(crate) kept: Arc<KeptEncoders>,
}

impl Encoding {
    /// For elements of this many bytes: zstd (lz4 where that is not built in) at level 5 with shuffle.
    pub fn new(typesize: usize) -> Encoding {
        Encoding {
            codec: if cfg!(feature = "filters") { Codec::Zstd } else { Codec::Lz4 },
            level: 5,
            filters: vec![Filter::Shuffle],
            typesize,
            blocksize: 0,
            split: Split::Auto,
            dictionary: false,
            short_header: false,
            specials: true,
            threads: parallel::default_threads(),
            blockshape: Vec::new(),
            kept: Arc::default(),
        }
    }

    /// The codec.
    #[must_use]
    pub fn codec(mut self, codec: Codec) -> Encoding {
        self.codec = codec;
        self
    }

    /// How much time is spent to save bytes: 0 (bytes are stored as they are) to 9.
    #[must_use]
    pub fn level(mut self, level: u8) -> Encoding {
        self.level = level;
        self
    }

    /// The filters, at most 6, the one that is applied first in front.
    #[must_use]
    pub fn filters(mut self, filters: &[Filter]) -> Encoding {
        self.filters = filters.to_vec();
        self
    }

    /// Its [filters](Self::filters).
    pub fn filtered(&self) -> &[Filter] {
        &self.filters
    }

    /// Bytes of a block, each of which can be read alone; rounded down to whole elements, of which it has at least
    /// one. 0, as if nothing is said: as many as suit codec and level.
    #[must_use]
    pub fn blocksize(mut self, bytes: usize) -> Encoding {
        self.blocksize = bytes;
        self
    }

    /// Whether blocks are cut into streams.
    #[must_use]
    pub fn split(mut self, split: Split) -> Encoding {
        self.split = split;
        self
    }

    /// Whether each chunk gets a dictionary, which helps where blocks are small. Of lz4, lz4hc and
    /// zstd only; a chunk that is too small has none.
    #[must_use]
    pub fn dictionary(mut self, dictionary: bool) -> Encoding {
        self.dictionary = dictionary;
        self
    }

    /// Whether chunks have the header of Blosc 1, for programs that know no other. Then there are no
    /// special values, no dictionaries, and no filter but one of shuffle and bitshuffle, and delta before
    /// it. Of bare chunks only: c-blosc2 opens no frame whose first chunk has that header.
    #[must_use]
    pub fn short_header(mut self, short: bool) -> Encoding {
        self.short_header = short;
        self
    }

    /// How many threads compress, at least 1.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Encoding {
        self.threads = threads.max(1);
        self
    }

    /// A chunk of these bytes.
    ///
    /// # Errors
    /// [`Error::Range`] for more than 2 GiB, and where level, filters and elements do not fit each other;
    /// [`Error::Unsupported`] for a codec that is not built in.
    pub fn chunk(&self, bytes: &[u8]) -> Result<Vec<u8>> {
        let encoded = encode_all(self, &[bytes])?;
        encoded.into_iter().next().map(|chunk| chunk.bytes).ok_or_else(|| refused("no chunk"))
    }

    /// A chunk of blocks of any size but 0, each of which can be read alone: pieces that belong together,
    /// such as texts. The size of blocks and the way they are split do not matter here.
    ///
    /// ```
    /// use asdf_bridge::blosc2::{Chunk, Encoding};
    ///
    /// let stored = Encoding::new(1).blocks(&[b"one", b"three", b"two"])?;
    /// let chunk = Chunk::parse(&stored)?;
    /// assert_eq!((chunk.block_count(), chunk.block(1)?), (3, b"three".to_vec()));
    /// # Ok::<(), asdf_bridge::blosc2::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`Self::chunk`]; [`Error::Range`] for no blocks, blocks of no bytes, and filters by cells.
    pub fn blocks(&self, blocks: &[&[u8]]) -> Result<Vec<u8>> {
        let encoded = encode_blocks(self, blocks)?;
        encoded.into_iter().next().map(|chunk| chunk.bytes).ok_or_else(|| refused("no chunk"))
    }

    /// Checks that all of it can be done.
    pub(crate) fn check(&self) -> Result<()> {
        if self.level > 9 {
            return Err(refused(&format!("a level of 0 to 9, not {}", self.level)));
        }
        if self.typesize == 0 || i32::try_from(self.typesize).is_err() {
            return Err(refused(&format!("elements of {} bytes", self.typesize)));
        }
        if self.filters.len() > 6 {
            return Err(refused(&format!(
                "{} filters, where there are 6 at most",
                self.filters.len()
            )));
        }
        if self.dictionary && !self.codec.has_dictionaries() {
            return Err(refused(&format!("{} has no dictionaries", self.codec)));
        }
        if self.short_header {
            let behind = self.filters.strip_prefix(&[Filter::Delta]).unwrap_or(&self.filters);
            let known = matches!(behind, [] | [Filter::Shuffle | Filter::BitShuffle]);
            if !known || self.dictionary || self.typesize > 255 {
                return Err(refused("the header of Blosc 1 cannot say that"));
            }
        }
        Codec::of_id(self.codec.id()).map(|_| ())
    }

    /// Checks that chunks of a frame can be so.
    pub(crate) fn check_in_frame(&self) -> Result<()> {
        self.check()?;
        if self.short_header {
            return Err(refused(
                "the header of Blosc 1 in a frame: c-blosc2 opens none whose first chunk has it",
            ));
        }
        self.check_filters()
    }

    /// Checks that c-blosc2 undoes its filters, in the blocks of its array. What it does not undo is read here.
    pub(crate) fn check_filters(&self) -> Result<()> {
        if self.filters.contains(&Filter::ByteDelta) && (128..=255).contains(&self.typesize) {
            return Err(refused(&format!(
                "bytedelta of elements of {} bytes: python-blosc2 opens no such frames, where they have 128 to 255",
                self.typesize
            )));
        }
        if self.filters.iter().skip(1).any(|filter| *filter == Filter::Delta) {
            return Err(refused(
                "delta behind another filter: c-blosc2 gives other bytes of parts",
            ));
        }
        self.filters.iter().try_for_each(|filter| filter.check_block(&self.blockshape))
    }

    /// Bytes of an element, as headers of chunks say.
    pub(crate) fn stored_typesize(&self) -> usize {
        if self.typesize > 255 { 1 } else { self.typesize }
    }

    /// What filters are to know.
    pub(crate) fn context(&self) -> Context {
        let blockshape = self.blockshape.clone();
        Context { typesize: Some(self.typesize), blockshape, limit: None }
    }

    /// The filters and their arguments, as headers have them.
    pub(crate) fn filter_ids(&self) -> ([u8; 6], [u8; 6]) {
        let (mut ids, mut metas) = ([0; 6], [0; 6]);
        // Programs write a single filter last, as Blosc 1 had it.
        let skip = 6_usize.saturating_sub(self.filters.len());
        for (at, filter) in self.filters.iter().take(6).enumerate() {
            (ids[skip + at], metas[skip + at]) = filter.id(self.stored_typesize());
        }
        (ids, metas)
    }
}

pub(crate) fn refused(why: &str) -> Error {
    Error::Range(why.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_is_refused() {
        let plain = Encoding::new(4);
        for wrong in [
            plain.clone().level(10),
            Encoding::new(0),
            plain.clone().filters(&[Filter::Shuffle; 7]),
            plain.clone().codec(Codec::Zlib).dictionary(true),
            plain.clone().filters(&[Filter::TruncPrec(3)]).short_header(true),
            plain.clone().filters(&[Filter::TruncPrec(0)]),
            plain.filters(&[Filter::Shuffle, Filter::Delta]),
            Encoding::new(128).filters(&[Filter::Shuffle, Filter::ByteDelta]),
            Encoding::new(255).filters(&[Filter::Shuffle, Filter::ByteDelta]),
        ] {
            assert!(wrong.chunk(&[7; 1000]).is_err(), "{wrong:?}");
        }
        for typesize in [127, 256] {
            let known = Encoding::new(typesize).filters(&[Filter::Shuffle, Filter::ByteDelta]);
            assert!(known.chunk(&[7; 1000]).is_ok(), "{typesize}");
        }
        assert_eq!(Encoding::new(300).filter_ids().0, [0, 0, 0, 0, 0, 1]);
    }
}
