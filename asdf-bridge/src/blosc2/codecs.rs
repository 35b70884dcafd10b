//! Codecs: a compressed stream to as many bytes as it must give.

use std::fmt;

mod blosclz;
mod copy;
mod encode;
mod lz4;
#[cfg(not(feature = "filters"))]
mod zlib;
#[cfg(feature = "filters")]
#[path = "codecs/libdeflate.rs"]
mod zlib;
#[cfg(feature = "filters")]
mod zstd;
#[cfg(all(feature = "pure-rust", not(feature = "filters")))]
#[path = "codecs/zstd_rust.rs"]
mod zstd;

pub(crate) use encode::{Encoder, EncoderDictionary, dictionary};

use super::error::{Error, Result};

/// Whether zstd is built in, in C or in Rust.
const HAS_ZSTD: bool = cfg!(any(feature = "filters", feature = "pure-rust"));

/// A codec that is built in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Codec {
    /// BloscLZ.
    BloscLz,
    /// LZ4 blocks.
    Lz4,
    /// LZ4 blocks of the slower encoder; decoded as those of the other.
    Lz4Hc,
    /// zlib.
    Zlib,
    /// zstd frames.
    Zstd,
}

impl Codec {
    /// By its number in the registry of Blosc2, as headers of frames have it.
    ///
    /// # Errors
    /// [`Error::Unsupported`], with the name if it has one.
    pub fn of_id(id: u8) -> Result<Codec> {
        Ok(match id {
            0 => Codec::BloscLz,
            1 => Codec::Lz4,
            2 => Codec::Lz4Hc,
            4 => Codec::Zlib,
            5 if HAS_ZSTD => Codec::Zstd,
            _ => return Err(Error::unsupported("codec", id, name(id))),
        })
    }

    /// The codec of a name that Blosc2 has for it; `None` for others, and for those that are not built in.
    ///
    /// ```
    /// use asdf_bridge::blosc2::Codec;
    ///
    /// assert_eq!(Codec::of_name("lz4hc"), Some(Codec::Lz4Hc));
    /// assert_eq!(Codec::of_name("lizard"), None);
    /// ```
    pub fn of_name(name: &str) -> Option<Codec> {
        (0..=5).filter_map(|id| Codec::of_id(id).ok()).find(|codec| codec.as_str() == name)
    }

    /// Whether chunks can be written with dictionaries for it.
    ///
    /// ```
    /// use asdf_bridge::blosc2::Codec;
    ///
    /// assert!(Codec::Lz4.has_dictionaries());
    /// assert!(!Codec::BloscLz.has_dictionaries());
    /// ```
    pub fn has_dictionaries(self) -> bool {
        let of_zstd = self == Codec::Zstd && cfg!(feature = "filters");
        of_zstd || matches!(self, Codec::Lz4 | Codec::Lz4Hc)
    }

    /// Its number in the registry of Blosc2, as headers of frames have it.
    pub const fn id(self) -> u8 {
        match self {
            Codec::BloscLz => 0,
            Codec::Lz4 => 1,
            Codec::Lz4Hc => 2,
            Codec::Zlib => 4,
            Codec::Zstd => 5,
        }
    }

    /// The number of its format, as headers of chunks have it.
    pub(crate) const fn format(self) -> u8 {
        match self {
            Codec::BloscLz => 0,
            Codec::Lz4 | Codec::Lz4Hc => 1,
            Codec::Zlib => 3,
            Codec::Zstd => 4,
        }
    }

    /// Whether streams are decoded about as fast as memory is copied.
    pub(crate) const fn is_fast(self) -> bool {
        matches!(self, Codec::BloscLz | Codec::Lz4 | Codec::Lz4Hc)
    }

    /// The name that Blosc2 has for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Codec::BloscLz => "blosclz",
            Codec::Lz4 => "lz4",
            Codec::Lz4Hc => "lz4hc",
            Codec::Zlib => "zlib",
            Codec::Zstd => "zstd",
        }
    }
}

impl fmt::Display for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The names of those that are registered with Blosc2, and are not built in here.
fn name(id: u8) -> &'static str {
    match id {
        3 => "snappy",
        5 => "zstd",
        6 => "lizard",
        32 => "ndlz",
        33 => "zfp_acc",
        34 => "zfp_prec",
        35 => "zfp_rate",
        36 => "openhtj2k",
        37 => "grok",
        38 => "openzl",
        39 => "j2k",
        40 => "htj2k",
        _ => "",
    }
}

/// What decodes streams of one codec, with the memory that it keeps from one to the next.
trait Decode {
    /// Decodes `src`, with the dictionary of the chunk if it has one: the first `needed` bytes of what
    /// would fill `dst`, or more of them. All of both, if all are needed.
    ///
    /// # Errors
    /// [`Failed`] if it is damaged, or gives another number of bytes. What `dst` then holds is
    /// unspecified.
    fn decode(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        dictionary: Option<&Dictionary>,
        needed: usize,
    ) -> Result<(), Failed>;
}

/// Why a stream cannot be decoded.
#[derive(Debug)]
pub(crate) struct Failed(pub(crate) String);

impl Failed {
    fn length(expected: usize, found: usize) -> Failed {
        Failed(format!("{found} bytes where {expected} belong"))
    }
}

/// What streams of a chunk may refer to.
pub(crate) struct Dictionary {
    bytes: Vec<u8>,
    #[cfg(feature = "filters")]
    digested: Option<::zstd::zstd_safe::DDict<'static>>,
}

impl Dictionary {
    #[cfg(feature = "filters")]
    pub(crate) fn new(codec: Codec, bytes: Vec<u8>) -> Dictionary {
        let digested = match codec {
            Codec::Zstd => ::zstd::zstd_safe::DDict::try_create(&bytes),
            _ => None,
        };
        Dictionary { bytes, digested }
    }

    #[cfg(not(feature = "filters"))]
    pub(crate) fn new(_: Codec, bytes: Vec<u8>) -> Dictionary {
        Dictionary { bytes }
    }
}

impl fmt::Debug for Dictionary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Dictionary").field(&self.bytes.len()).finish()
    }
}

/// Decoders of one thread, made when they are first used.
#[derive(Default)]
pub(crate) struct Codecs {
    zlib: Option<zlib::Zlib>,
    #[cfg(any(feature = "filters", feature = "pure-rust"))]
    zstd: Option<zstd::Zstd>,
}

impl Codecs {
    /// Decodes `src`: the first `needed` bytes of what would fill `dst`, or more of them. All of both, if
    /// all are needed.
    ///
    /// # Errors
    /// [`Failed`].
    pub(crate) fn decode(
        &mut self,
        codec: Codec,
        src: &[u8],
        dst: &mut [u8],
        dictionary: Option<&Dictionary>,
        needed: usize,
    ) -> Result<(), Failed> {
        let decoder: &mut dyn Decode = match codec {
            Codec::BloscLz => &mut blosclz::BloscLz,
            Codec::Lz4 | Codec::Lz4Hc => &mut lz4::Lz4,
            Codec::Zlib => self.zlib.get_or_insert_with(zlib::Zlib::new),
            #[cfg(any(feature = "filters", feature = "pure-rust"))]
            Codec::Zstd => match &mut self.zstd {
                Some(zstd) => zstd,
                none => none.insert(zstd::Zstd::new()?),
            },
            #[cfg(not(any(feature = "filters", feature = "pure-rust")))]
            Codec::Zstd => return Err(Failed("zstd is not built in".to_owned())),
        };
        decoder.decode(src, dst, dictionary, needed)
    }
}
