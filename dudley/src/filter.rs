//! Filters: what an array went through before it was stored.
//!
//! A filter turns bytes into bytes; it knows nothing of arrays. The names and arguments come from
//! layouts, the bytes from streams, so that neither is trusted: a decoder never allocates more
//! than it has decoded, plus one step, or than a fixed multiple of what is stored.

use std::fmt;
use std::io::{self, BufRead, Read};
use std::ops::Range;
use std::sync::{Arc, LazyLock};

pub use dudley_parser::ast::FilterValue;

use crate::bytes::source::Source;
use crate::bytes::work::Work;
pub use crate::error::FilterError;

#[cfg(feature = "filters-rust")]
mod builtin;
#[cfg(feature = "filters-rust")]
mod bzip2;
mod encoder;
mod heap;
#[cfg(feature = "filters")]
mod libdeflate;
#[cfg(feature = "filters-rust")]
mod lz4;
mod trailing;
#[cfg(feature = "filters-rust")]
mod writing;
#[cfg(feature = "filters-rust")]
mod zlib;
#[cfg(feature = "filters")]
mod zstandard;

pub use encoder::{Encoder, InParts, Parts};
pub use heap::{Heap, Objects};
pub use trailing::ended;

/// The result of a filter.
pub type Result<T> = std::result::Result<T, FilterError>;

/// A filter: the encoding of an array before it is stored.
///
/// `args` are the arguments in the layout, in their order. They are meant for encoders; a decoder
/// ignores those that it does not need. Lengths are in bytes.
///
/// ```
/// use std::sync::Arc;
///
/// use dudley::filter::{Filter, FilterValue, Registry, Result, read_exactly};
/// use dudley::{Open, Writer, parse_layout};
///
/// /// Stores the complement of each byte.
/// struct Complement;
///
/// impl Filter for Complement {
///     fn name(&self) -> &str {
///         "complement"
///     }
///
///     fn decode(&self, _: &[FilterValue], stored: &[u8], decoded_len: u64) -> Result<Vec<u8>> {
///         let decoded: Vec<u8> = stored.iter().map(|byte| !byte).collect();
///         read_exactly(&mut &decoded[..], decoded_len) // a wrong length is an error
///     }
///
///     fn encode(&self, _: &[FilterValue], raw: &[u8]) -> Result<Vec<u8>> {
///         Ok(raw.iter().map(|byte| !byte).collect())
///     }
/// }
///
/// let mut filters = Registry::with_builtins();
/// filters.register(Arc::new(Complement));
/// let filters = Arc::new(filters);
/// let layout = parse_layout(b"x = u1[3] -> complement")?;
/// let writer = Writer::new(layout).filters(filters.clone()).put("/x", &[1_u8, 2, 3][..]).attach(true);
/// let stream = Open::new().filters(filters).bytes(writer.to_bytes()?)?;
/// assert_eq!(stream.get("/x")?.read::<u8>()?.as_slice(), Some(&[1, 2, 3][..]));
/// # Ok::<(), dudley::Error>(())
/// ```
pub trait Filter: Send + Sync {
    /// The name in layouts, always the same.
    ///
    /// ```
    /// let filters = dudley::filter::Registry::with_builtins();
    /// # #[cfg(feature = "filters")]
    /// assert_eq!(filters.get("zlib").expect("built in").name(), "zlib");
    /// ```
    fn name(&self) -> &str;

    /// Checks that the filter accepts these arguments.
    ///
    /// ```
    /// # #[cfg(feature = "filters")] {
    /// use dudley::filter::{FilterValue, Registry};
    ///
    /// let filters = Registry::with_builtins();
    /// let zlib = filters.get("zlib").expect("built in");
    /// assert!(zlib.check(&[FilterValue::Int(9)]).is_ok() && zlib.check(&[FilterValue::Int(99)]).is_err());
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`FilterError::Argument`], as [`Self::encode`] would say.
    fn check(&self, _args: &[FilterValue]) -> Result<()> {
        Ok(())
    }

    /// Whether it encodes with these arguments. Some filters of other formats only decode.
    ///
    /// ```
    /// # #[cfg(feature = "filters")]
    /// assert!(dudley::filter::Registry::with_builtins().get("zlib").expect("built in").encodes(&[]));
    /// ```
    fn encodes(&self, _args: &[FilterValue]) -> bool {
        true
    }

    /// Checks that the arguments suit the written elements, so that a reader gets the precision that the
    /// filter promises: lossy filters are only for some numbers.
    ///
    /// ```
    /// # #[cfg(feature = "filters")] {
    /// let filters = dudley::filter::Registry::with_builtins();
    /// let zlib = filters.get("zlib").expect("built in");
    /// let stream = dudley::Open::new().layout_text("x = f8")?.raw().bytes([0; 8])?;
    /// assert!(zlib.check_elements(&[], stream.get("/x")?.data()?.dtype()).is_ok()); // without loss
    /// # }
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`FilterError::Argument`].
    fn check_elements(&self, _args: &[FilterValue], _dtype: &crate::Dtype) -> Result<()> {
        Ok(())
    }

    /// Decodes the `decoded_len` bytes that were filtered.
    ///
    /// ```
    /// # #[cfg(feature = "filters")] {
    /// let filters = dudley::filter::Registry::with_builtins();
    /// let zlib = filters.get("zlib").expect("built in");
    /// let stored = zlib.encode(&[], b"some bytes")?;
    /// assert_eq!(zlib.decode(&[], &stored, 10)?, b"some bytes");
    /// assert!(zlib.decode(&[], &stored, 11).is_err());
    /// # }
    /// # Ok::<(), dudley::filter::FilterError>(())
    /// ```
    ///
    /// # Errors
    /// If `stored` is damaged or gives another number of bytes. Implementations must not
    /// allocate `decoded_len` bytes before that many were decoded, unless the length of `stored` bounds them: see
    /// [`read_exactly`].
    fn decode(&self, args: &[FilterValue], stored: &[u8], decoded_len: u64) -> Result<Vec<u8>>;

    /// The decoded bytes one after the other, without all of them in memory; `None` if the
    /// filter only decodes the whole. Bytes behind the filtered ones are an error of the read that would
    /// report the end: the error of [`ended`].
    ///
    /// ```
    /// # #[cfg(feature = "filters")] {
    /// use std::io::Read;
    ///
    /// let filters = dudley::filter::Registry::with_builtins();
    /// let zlib = filters.get("zlib").expect("built in");
    /// let stored = zlib.encode(&[], b"some bytes")?;
    /// let mut first = [0; 4];
    /// zlib.reader(&[], Box::new(&stored[..])).expect("a reader").read_exact(&mut first).expect("bytes");
    /// assert_eq!(&first, b"some");
    /// # }
    /// # Ok::<(), dudley::filter::FilterError>(())
    /// ```
    fn reader<'s>(
        &self,
        _args: &[FilterValue],
        _stored: Box<dyn BufRead + Send + 's>,
    ) -> Option<Box<dyn Read + Send + 's>> {
        None
    }

    /// The parts of the stored bytes that can be decoded alone, in order and without gaps in the bytes that
    /// they decode to; `None` if there is only one. It reads only the bytes of `stored` that contain their places.
    ///
    /// ```
    /// # #[cfg(feature = "filters")] {
    /// let filters = dudley::filter::Registry::with_builtins();
    /// let zlib = filters.get("zlib").expect("built in");
    /// let stored = zlib.encode(&[], b"some bytes").expect("encoded");
    /// assert_eq!(zlib.pieces(&[], &stored, 10)?, None); // it decodes only the whole
    /// # }
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If what is stored is damaged, or cannot be read; [`FilterError::Trailing`] where something else follows parts
    /// that decode to `decoded_len` bytes.
    fn pieces(
        &self,
        _args: &[FilterValue],
        _stored: &dyn Source,
        _decoded_len: u64,
    ) -> crate::Result<Option<Vec<Piece>>> {
        Ok(None)
    }

    /// Decodes the stored bytes of one of the [`Self::pieces`] to where they stay.
    ///
    /// ```
    /// # #[cfg(feature = "filters")] {
    /// let filters = dudley::filter::Registry::with_builtins();
    /// let zlib = filters.get("zlib").expect("built in");
    /// let stored = zlib.encode(&[], b"some bytes")?;
    /// let mut decoded = [0; 10];
    /// zlib.decode_piece(&[], &stored, &mut decoded)?;
    /// assert_eq!(&decoded, b"some bytes");
    /// # }
    /// # Ok::<(), dudley::filter::FilterError>(())
    /// ```
    ///
    /// # Errors
    /// If they are damaged, or do not decode to as many bytes as `decoded` has.
    fn decode_piece(&self, args: &[FilterValue], stored: &[u8], decoded: &mut [u8]) -> Result<()> {
        decoded.copy_from_slice(&self.decode(args, stored, decoded.len() as u64)?);
        Ok(())
    }

    /// The decoded bytes by their addresses, `decoded_len` of them, for filters that decode what is requested and
    /// little else; `None` if the filter cannot do that. A read of [`Source::batch`] bytes decodes no more than it
    /// gives. It first reads only the bytes of `stored` that contain places.
    ///
    /// ```
    /// # #[cfg(feature = "filters")] {
    /// use std::sync::Arc;
    ///
    /// let filters = dudley::filter::Registry::with_builtins();
    /// let zlib = filters.get("zlib").expect("built in");
    /// let stored = zlib.encode(&[], b"some bytes").expect("encoded");
    /// assert!(zlib.source(&[], Arc::new(stored), 10)?.is_none()); // no access by address
    /// # }
    /// # Ok::<(), dudley::Error>(())
    /// ```
    ///
    /// # Errors
    /// If what is stored is damaged, gives another number of bytes, or cannot be read; addresses are those of
    /// `stored`.
    fn source(
        &self,
        _args: &[FilterValue],
        _stored: Arc<dyn Source>,
        _decoded_len: u64,
    ) -> crate::Result<Option<Arc<dyn Source>>> {
        Ok(None)
    }

    /// Whether arrays are read through [`Self::source`] alone, which is then there, and never decoded as a whole: what
    /// the filter makes may be more than memory holds. Addresses in its errors are those of the stream.
    ///
    /// ```
    /// # #[cfg(feature = "filters")]
    /// assert!(!dudley::filter::Registry::with_builtins().get("zlib").expect("built in").by_address(&[]));
    /// ```
    fn by_address(&self, _args: &[FilterValue]) -> bool {
        false
    }

    /// Encodes `raw` into the bytes to store.
    ///
    /// ```
    /// # #[cfg(feature = "filters")] {
    /// let filters = dudley::filter::Registry::with_builtins();
    /// let zlib = filters.get("zlib").expect("built in");
    /// assert!(zlib.encode(&[], &[0; 10_000])?.len() < 100);
    /// # }
    /// # Ok::<(), dudley::filter::FilterError>(())
    /// ```
    ///
    /// # Errors
    /// If the filter does not accept an argument, or memory is short.
    fn encode(&self, args: &[FilterValue], raw: &[u8]) -> Result<Vec<u8>>;

    /// An encoder of `raw_len` bytes as they come, with the threads of `work`, without all of them
    /// in memory; `None` if the filter only encodes the whole. Decoders read the same values from the stored bytes, which may
    /// have other bytes than those of [`Self::encode`].
    ///
    /// ```
    /// # #[cfg(feature = "filters")] {
    /// let filters = dudley::filter::Registry::with_builtins();
    /// let zlib = filters.get("zlib").expect("built in");
    /// assert!(zlib.encoder(&[], 1 << 20, &dudley::Work::new())?.is_some());
    /// # }
    /// # Ok::<(), dudley::filter::FilterError>(())
    /// ```
    ///
    /// # Errors
    /// [`FilterError::Argument`], as [`Self::encode`] would say.
    fn encoder(
        &self,
        _args: &[FilterValue],
        _raw_len: u64,
        _work: &Work,
    ) -> Result<Option<Box<dyn Encoder>>> {
        Ok(None)
    }
}

/// A part of the stored bytes that can be decoded alone.
///
/// ```
/// use dudley::filter::Piece;
///
/// let pieces = [Piece { stored: 0..40, decoded: 100 }, Piece { stored: 40..70, decoded: 100 }];
/// assert_eq!(pieces.iter().map(|piece| piece.decoded).sum::<u64>(), 200);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Its range in the stored bytes.
    pub stored: Range<u64>,
    /// The number of its decoded bytes.
    pub decoded: u64,
}

/// The filters that layouts can name.
///
/// ```
/// use dudley::filter::{FilterValue, Registry};
///
/// let registry = Registry::with_builtins();
/// # #[cfg(feature = "filters")] {
/// let zstd = registry.get("zstd").expect("built in");
/// let stored = zstd.encode(&[FilterValue::Int(3)], &[7; 1000])?;
/// assert!(stored.len() < 100);
/// assert_eq!(zstd.decode(&[], &stored, 1000)?, [7; 1000]);
/// assert!(zstd.decode(&[], &stored, 999).is_err());
/// # }
/// # Ok::<(), dudley::filter::FilterError>(())
/// ```
#[derive(Clone, Default)]
pub struct Registry {
    /// In the order of their names.
    filters: Vec<Arc<dyn Filter>>,
    heap: Option<Arc<dyn Heap>>,
}

impl Registry {
    /// No filters.
    ///
    /// ```
    /// assert_eq!(dudley::filter::Registry::new().names().count(), 0);
    /// ```
    pub fn new() -> Registry {
        Registry::default()
    }

    /// `zlib`, `gzip`, `bzip2`, `lz4` and `zstd`: all but the last with the feature `filters-rust`, all
    /// with `filters`.
    ///
    /// ```
    /// let filters = dudley::filter::Registry::with_builtins();
    /// # #[cfg(feature = "filters")]
    /// assert_eq!(filters.names().collect::<Vec<_>>(), ["bzip2", "gzip", "lz4", "zlib", "zstd"]);
    /// ```
    pub fn with_builtins() -> Registry {
        #[allow(unused_mut)]
        let mut registry = Registry::new();
        #[cfg(feature = "filters-rust")]
        for filter in builtin() {
            registry.register(filter);
        }
        registry
    }

    /// As [`Self::with_builtins`], made once for all that use it.
    pub(crate) fn builtins() -> Arc<Registry> {
        static BUILTINS: LazyLock<Arc<Registry>> =
            LazyLock::new(|| Arc::new(Registry::with_builtins()));
        BUILTINS.clone()
    }

    /// Adds a filter, and gives back the one that had its name.
    ///
    /// ```
    /// # #[cfg(feature = "filters")] {
    /// use dudley::filter::Registry;
    ///
    /// let builtins = Registry::with_builtins();
    /// let mut filters = Registry::new();
    /// assert!(filters.register(builtins.get("zlib").expect("built in").clone()).is_none());
    /// assert_eq!(filters.names().collect::<Vec<_>>(), ["zlib"]);
    /// # }
    /// ```
    pub fn register(&mut self, filter: Arc<dyn Filter>) -> Option<Arc<dyn Filter>> {
        match self.find(filter.name()) {
            Ok(at) => Some(std::mem::replace(&mut self.filters[at], filter)),
            Err(at) => {
                self.filters.insert(at, filter);
                None
            }
        }
    }

    /// Reads the heaps of a format, for arrays with the attribute `vlen`.
    ///
    /// ```
    /// use dudley::filter::{Heap, Registry};
    ///
    /// /// Registers the heaps of a format, unless another format did.
    /// fn add(filters: &mut Registry, heap: std::sync::Arc<dyn Heap>) {
    ///     if filters.heap().is_none() {
    ///         filters.register_heap(heap);
    ///     }
    /// }
    /// ```
    pub fn register_heap(&mut self, heap: Arc<dyn Heap>) {
        self.heap = Some(heap);
    }

    /// The reader of heaps.
    ///
    /// ```
    /// assert!(dudley::filter::Registry::with_builtins().heap().is_none());
    /// ```
    pub fn heap(&self) -> Option<&Arc<dyn Heap>> {
        self.heap.as_ref()
    }

    /// The filter of a name.
    ///
    /// ```
    /// let filters = dudley::filter::Registry::with_builtins();
    /// assert!(filters.get("mine").is_none());
    /// # #[cfg(feature = "filters")]
    /// assert!(filters.get("zstd").is_some());
    /// ```
    pub fn get(&self, name: &str) -> Option<&Arc<dyn Filter>> {
        self.find(name).ok().map(|at| &self.filters[at])
    }

    /// Where the filter of a name is, or would be.
    fn find(&self, name: &str) -> std::result::Result<usize, usize> {
        self.filters.binary_search_by_key(&name, |filter| filter.name())
    }

    /// Checks that there is a filter of a name, and that it accepts these arguments.
    ///
    /// ```
    /// use dudley::filter::{FilterValue, Registry};
    ///
    /// let registry = Registry::with_builtins();
    /// assert!(registry.check("mine", &[]).is_err());
    /// # #[cfg(feature = "filters")] {
    /// assert!(registry.check("zlib", &[FilterValue::Int(9)]).is_ok());
    /// assert!(registry.check("zlib", &[FilterValue::Int(10)]).is_err());
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`crate::Error::UnknownFilter`], [`crate::Error::FilterArgument`].
    pub fn check(&self, name: &str, args: &[FilterValue]) -> crate::Result<()> {
        let filter = self.get(name).ok_or_else(|| crate::Error::unknown_filter(name))?;
        filter.check(args).map_err(|reason| crate::Error::filter_argument(name, reason))
    }

    /// The names, sorted.
    ///
    /// ```
    /// let filters = dudley::filter::Registry::with_builtins();
    /// # #[cfg(feature = "filters")]
    /// assert!(filters.names().any(|name| name == "lz4"));
    /// ```
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.filters.iter().map(|filter| filter.name())
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.names()).finish()
    }
}

/// The first step of memory, in bytes, that a decoder may take before it has decoded anything.
const FIRST_STEP: u64 = 64 << 10;

/// Reads `decoded_len` bytes, and makes sure that they are all there is.
///
/// Memory grows with the bytes that were read, by a factor of two at most: a wrong `decoded_len`
/// costs nothing.
///
/// # Errors
/// If `decoder` fails, or gives fewer or more bytes.
///
/// ```
/// use dudley::filter::read_exactly;
///
/// assert_eq!(read_exactly(&mut &b"abc"[..], 3)?, b"abc");
/// assert!(read_exactly(&mut &b"abc"[..], 2).is_err());
/// assert!(read_exactly(&mut &b"abc"[..], 1 << 60).is_err()); // without an allocation of this size
/// # Ok::<(), dudley::filter::FilterError>(())
/// ```
pub fn read_exactly(decoder: &mut impl Read, decoded_len: u64) -> Result<Vec<u8>> {
    let mut decoded = Vec::new();
    while (decoded.len() as u64) < decoded_len {
        let done = decoded.len() as u64;
        let step = (decoded_len - done).min(done.max(FIRST_STEP));
        // A step is no more than what is in memory already, or than the first one.
        decoded
            .try_reserve_exact(step as usize)
            .map_err(|_| FilterError::TooLarge(done.saturating_add(step)))?;
        let read = decoder.by_ref().take(step).read_to_end(&mut decoded);
        let too_short =
            FilterError::TooShort { expected: decoded_len, found: decoded.len() as u64 };
        match read {
            Ok(read) if (read as u64) < step => return Err(too_short),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Err(too_short),
            Err(error) => {
                return Err(match FilterError::of(error) {
                    FilterError::Trailing { .. } => too_short,
                    why => why,
                });
            }
        }
    }
    match decoder.read(&mut [0]) {
        Ok(0) => Ok(decoded),
        Ok(_) => Err(FilterError::TooLong { expected: decoded_len }),
        Err(error) => Err(FilterError::of(error)),
    }
}

#[cfg(feature = "filters-rust")]
/// All built-in filters.
fn builtin() -> Vec<Arc<dyn Filter>> {
    vec![
        Arc::new(builtin::Zlib),
        Arc::new(builtin::Gzip),
        Arc::new(builtin::Bzip2),
        Arc::new(lz4::Lz4),
        #[cfg(feature = "filters")]
        Arc::new(zstandard::Zstd),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Negate;

    impl Filter for Negate {
        fn name(&self) -> &str {
            "negate"
        }
        fn decode(&self, _: &[FilterValue], stored: &[u8], len: u64) -> Result<Vec<u8>> {
            let negated: Vec<u8> = stored.iter().map(|byte| !byte).collect();
            read_exactly(&mut &negated[..], len)
        }
        fn encode(&self, _: &[FilterValue], raw: &[u8]) -> Result<Vec<u8>> {
            Ok(raw.iter().map(|byte| !byte).collect())
        }
    }

    #[test]
    fn filters_of_ones_own_are_found() {
        let mut registry = Registry::new();
        assert!(registry.get("negate").is_none());
        assert!(registry.register(Arc::new(Negate)).is_none());
        assert!(registry.register(Arc::new(Negate)).is_some());
        let filter = registry.get("negate").expect("registered");
        assert_eq!(filter.decode(&[], &[0xf0], 1).expect("one byte"), [0x0f]);
        assert_eq!(registry.names().collect::<Vec<_>>(), ["negate"]);
    }

    #[test]
    fn lengths_are_exact_and_never_trusted() {
        let bytes = vec![1; 200_000];
        assert_eq!(read_exactly(&mut &bytes[..], 200_000).expect("all").len(), 200_000);
        assert_eq!(read_exactly(&mut &b""[..], 0).expect("all"), b"");
        let long = read_exactly(&mut &bytes[..], 199_999);
        assert!(matches!(long, Err(FilterError::TooLong { expected: 199_999 })));
        let short = read_exactly(&mut &bytes[..], 1 << 40);
        assert!(matches!(short, Err(FilterError::TooShort { found: 200_000, .. })));
    }
}
