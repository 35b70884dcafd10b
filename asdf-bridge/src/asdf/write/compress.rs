//! How blocks are compressed.

use dudley::filter::{Encoder, FilterValue};

use super::super::blocks::label as shown;
use super::super::compression::Codecs;
use super::super::error::{Error, Result};
use super::pieces::Pieces;
use super::rules::Rules;
use crate::blosc2::Codec;

/// Bytes that are compressed at a time, so that what is stored of them is no more.
const STEP: usize = 4 << 20;

/// A compression of blocks: the label that they bear, and the arguments of its filter.
///
/// ```
/// use asdf_bridge::asdf::{Builder, Compression, NewArray, Open};
///
/// let zeros = NewArray::from(vec![0.0_f64; 1000]).compressed(Compression::zlib(9));
/// let file = Open::new().bytes(Builder::new().put("zeros", zeros).to_bytes()?)?;
/// let block = file.block(0)?;
/// assert_eq!(block.compression().as_deref(), Some("zlib"));
/// assert!(block.used() < 100 && block.decoded == 8000);
/// # Ok::<(), asdf_bridge::asdf::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Compression {
    label: [u8; 4],
    args: Vec<FilterValue>,
}

impl Compression {
    /// The compression of a label, with what its filter has for defaults. Readers must know the label: see
    /// [`Codecs`].
    pub fn of(label: [u8; 4]) -> Compression {
        Compression { label, args: Vec::new() }
    }

    /// With one more argument of its filter.
    #[must_use]
    pub fn arg(mut self, arg: FilterValue) -> Compression {
        self.args.push(arg);
        self
    }

    /// zlib, of level 0 to 9. Everybody reads it.
    pub fn zlib(level: u8) -> Compression {
        Compression::of(*b"zlib").arg(FilterValue::Int(level.into()))
    }

    /// bzip2, of level 1 to 9. Everybody reads it.
    pub fn bzp2(level: u8) -> Compression {
        Compression::of(*b"bzp2").arg(FilterValue::Int(level.into()))
    }

    /// LZ4 in chunks of 4 MiB, as Python's `asdf` frames it.
    pub fn lz4() -> Compression {
        Compression::of(*b"lz4\0")
    }

    /// LZ4 frames, for which readers in Python need `asdf-compression`.
    pub fn lz4f() -> Compression {
        Compression::of(*b"lz4f")
    }

    /// zstd, for which readers in Python need `asdf-compression`.
    pub fn zstd(level: i8) -> Compression {
        Compression::of(*b"zstd").arg(FilterValue::Int(level.into()))
    }

    /// One chunk of Blosc, by one of its codecs and of level 0 to 9, whose bytes are shuffled by the size of the
    /// elements; for blocks of less than 2 GiB. Readers in Python need `asdf-compression` and `blosc`.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Builder, Compression, NewArray, Open};
    /// use asdf_bridge::blosc2::Codec;
    ///
    /// let x = NewArray::from((0..1000_i64).collect::<Vec<_>>());
    /// let bytes = Builder::new().put("x", x.compressed(Compression::blsc(Codec::Lz4, 5))).to_bytes()?;
    /// let file = Open::new().bytes(bytes)?;
    /// assert!(file.block(0)?.used() < 2000);
    /// assert_eq!(file.array("/x")?.read::<i64>()?.sum(), 499_500);
    /// # Ok::<(), asdf_bridge::asdf::Error>(())
    /// ```
    pub fn blsc(codec: Codec, level: u8) -> Compression {
        Compression::blosc(*b"blsc", codec, level).arg(FilterValue::Text("blosc1".to_owned()))
    }

    /// One chunk of Blosc2, as Python stores it: as [`Self::blsc`], for readers that know Blosc2.
    pub fn bls2(codec: Codec, level: u8) -> Compression {
        Compression::blosc(*b"bls2", codec, level)
    }

    fn blosc(label: [u8; 4], codec: Codec, level: u8) -> Compression {
        let text = |text: &str| FilterValue::Text(text.to_owned());
        let level = FilterValue::Int(level.into());
        Compression { label, args: vec![text(codec.as_str()), level, text("shuffle")] }
    }

    /// The label.
    pub fn label(&self) -> [u8; 4] {
        self.label
    }

    /// For data of elements of this many bytes: Blosc shuffles by them, unless an argument says otherwise.
    pub(super) fn of_elements(mut self, bytes: u64) -> Compression {
        // Blosc takes larger ones for bytes.
        let bytes =
            i64::try_from(bytes).ok().filter(|bytes| (1..=255).contains(bytes)).unwrap_or(1);
        if matches!(&self.label, b"blsc" | b"bls2") {
            if self.args.is_empty() {
                // Other programs know no other chunks than those of Blosc 1 under its label.
                self = match &self.label {
                    b"blsc" => Compression::blsc(Codec::Lz4, 5),
                    _ => Compression::bls2(Codec::Lz4, 5),
                };
            }
            if !matches!(self.args.first(), Some(FilterValue::Int(_))) {
                self.args.insert(0, FilterValue::Int(bytes));
            }
        }
        self
    }

    /// Checks that there is such a filter and that it takes the arguments.
    ///
    /// ```
    /// use asdf_bridge::asdf::{Codecs, Compression};
    ///
    /// assert!(Compression::of(*b"lz4\0").check(&Codecs::default()).is_ok());
    /// assert!(Compression::of(*b"best").check(&Codecs::default()).is_err());
    /// ```
    ///
    /// # Errors
    /// [`Error::Unwritable`]; if the filter fails.
    pub fn check(&self, codecs: &Codecs) -> Result<()> {
        let name = self.filter(codecs)?;
        Ok(codecs.registry().check(name, &self.args)?)
    }

    /// What is stored for `raw`. `item` are the bytes of an element: filters that shuffle bytes do it by them.
    ///
    /// # Errors
    /// As [`Self::check`]; if the filter fails.
    pub(super) fn encode(&self, codecs: &Codecs, raw: &[u8]) -> Result<Vec<u8>> {
        let name = self.filter(codecs)?;
        let filter =
            codecs.registry().get(name).ok_or_else(|| dudley::Error::unknown_filter(name))?;
        let stored = filter.encode(&self.args, raw);
        Ok(stored.map_err(|why| dudley::Error::filter(0, name, why))?)
    }

    /// What compresses this many bytes as they come; `None` if the filter takes them all at once.
    ///
    /// # Errors
    /// As [`Self::encode`].
    pub(super) fn encoder(&self, bytes: u64, rules: &Rules) -> Result<Option<Box<dyn Encoder>>> {
        let name = self.filter(&rules.codecs)?;
        let filter = rules.codecs.registry().get(name);
        let filter = filter.ok_or_else(|| dudley::Error::unknown_filter(name))?;
        let encoder = filter.encoder(&self.args, bytes, &rules.work);
        Ok(encoder.map_err(|why| dudley::Error::filter(0, name, why))?)
    }

    /// Compresses data as they come, and hands out what is stored.
    ///
    /// # Errors
    /// As [`Self::encode`]; what the data say.
    pub(super) fn each(
        &self,
        pieces: &dyn Pieces,
        rules: &Rules,
        sink: &mut dyn FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let failed = |why| {
            let name = self.filter(&rules.codecs).unwrap_or_default();
            Error::from(dudley::Error::filter(0, name, why))
        };
        let Some(mut encoder) = self.encoder(pieces.len(), rules)? else {
            return sink(&self.encode(&rules.codecs, &pieces.bytes()?)?);
        };
        let mut stored = Vec::new();
        pieces.each(&mut |piece| {
            for some in piece.chunks(STEP) {
                encoder.encode(some, &mut stored).map_err(failed)?;
                if !stored.is_empty() {
                    sink(&stored)?;
                    stored.clear();
                }
            }
            Ok(())
        })?;
        encoder.finish(&mut stored).map_err(failed)?;
        if stored.is_empty() { Ok(()) } else { sink(&stored) }
    }

    fn filter<'c>(&self, codecs: &'c Codecs) -> Result<&'c str> {
        codecs.filter_name(self.label, &[]).ok_or_else(|| Error::Unwritable {
            what: "a block".into(),
            expected: "a compression that is known".into(),
            found: format!("`{}`", shown(self.label)).into(),
        })
    }
}
