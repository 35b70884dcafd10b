//! Codecs: bytes to a compressed stream that is shorter.

mod blosclz;
mod chains;
mod close;
mod lz4;
mod matches;
#[cfg(feature = "filters")]
#[path = "encode/libdeflate.rs"]
mod zlib;
#[path = "encode/zlib.rs"]
mod zlib_rs;
#[cfg(feature = "filters")]
mod zstd;
#[cfg(all(feature = "pure-rust", not(feature = "filters")))]
#[path = "encode/zstd_rust.rs"]
mod zstd;

use super::{Codec, Failed};
#[cfg(not(feature = "filters"))]
use zlib_rs as zlib;

/// What encodes streams with one codec and level, with the memory that it keeps from one to the next.
trait Encode {
    /// Compresses all of `src` to the front of `dst`; how many bytes it takes, `None` if it does not fit.
    ///
    /// # Errors
    /// [`Failed`] if the library fails for another reason.
    fn encode(&mut self, src: &[u8], dst: &mut [u8]) -> Result<Option<usize>, Failed>;

    /// As [`Self::encode`], with what streams of the chunk may refer to.
    ///
    /// # Errors
    /// As [`Self::encode`].
    fn encode_with(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        dictionary: &EncoderDictionary,
    ) -> Result<Option<usize>, Failed>;
}

/// What streams of a chunk may refer to, when they are compressed.
pub(crate) struct EncoderDictionary {
    pub(crate) bytes: Vec<u8>,
    #[cfg(feature = "filters")]
    digested: Option<::zstd::zstd_safe::CDict<'static>>,
}

impl EncoderDictionary {
    /// A decoder of these bytes.
    #[cfg(feature = "filters")]
    pub(crate) fn new(codec: Codec, level: u8, bytes: Vec<u8>) -> EncoderDictionary {
        let digested = match codec {
            Codec::Zstd => ::zstd::zstd_safe::CDict::try_create(&bytes, zstd::level(level)),
            _ => None,
        };
        EncoderDictionary { bytes, digested }
    }

    /// A decoder of these bytes.
    #[cfg(not(feature = "filters"))]
    pub(crate) fn new(_: Codec, _: u8, bytes: Vec<u8>) -> EncoderDictionary {
        EncoderDictionary { bytes }
    }
}

/// A dictionary of at most this many bytes for data like these samples, which lie one behind the other.
pub(crate) fn dictionary(codec: Codec, samples: &[u8], sizes: &[usize], most: usize) -> Vec<u8> {
    #[cfg(feature = "filters")]
    if codec == Codec::Zstd
        && let Some(trained) = zstd::train(samples, sizes, most)
    {
        return trained;
    }
    let _ = (codec, sizes);
    // Pieces from everywhere: what repeats is in some of them.
    const PIECE: usize = 256;
    let count = (most / PIECE).max(1);
    let step = (samples.len() / count).max(1);
    let pieces = samples.chunks(step).map(|piece| &piece[..piece.len().min(PIECE)]);
    let mut bytes: Vec<u8> = pieces.take(count).flatten().copied().collect();
    bytes.truncate(most);
    bytes
}

/// The encoder of one thread.
pub(crate) struct Encoder(Box<dyn Encode + Send>);

impl Encoder {
    /// `level` is that of Blosc2, 1 to 9.
    ///
    /// # Errors
    /// [`Failed`] if there is no memory, or the codec is not built in.
    pub(crate) fn new(codec: Codec, level: u8) -> Result<Encoder, Failed> {
        Ok(Encoder(match codec {
            Codec::BloscLz => Box::new(blosclz::BloscLz::new(level)),
            Codec::Lz4 => Box::new(lz4::Lz4::new(level)),
            Codec::Lz4Hc => Box::new(lz4::Lz4Hc::new(level)),
            Codec::Zlib => Box::new(zlib::Zlib::new(level)),
            #[cfg(any(feature = "filters", feature = "pure-rust"))]
            Codec::Zstd => Box::new(zstd::Zstd::new(level)?),
            #[cfg(not(any(feature = "filters", feature = "pure-rust")))]
            Codec::Zstd => return Err(Failed("zstd is not built in".to_owned())),
        }))
    }

    /// Compresses all of `src` to the front of `dst`; how many bytes it takes, `None` if it does not fit.
    ///
    /// # Errors
    /// [`Failed`].
    pub(crate) fn encode(
        &mut self,
        src: &[u8],
        dst: &mut [u8],
        dictionary: Option<&EncoderDictionary>,
    ) -> Result<Option<usize>, Failed> {
        match dictionary {
            None => self.0.encode(src, dst),
            Some(dictionary) => self.0.encode_with(src, dst, dictionary),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::{Codecs, Dictionary};
    use super::*;

    const ALL: [Codec; 5] = [Codec::BloscLz, Codec::Lz4, Codec::Lz4Hc, Codec::Zlib, Codec::Zstd];

    /// Bytes that repeat now and then, near and far.
    fn repetitive() -> impl Strategy<Value = Vec<u8>> {
        let piece = (prop::collection::vec(any::<u8>(), 1..40), 1_usize..200);
        prop::collection::vec(piece, 0..40)
            .prop_map(|pieces| pieces.into_iter().flat_map(|(it, n)| it.repeat(n)).collect())
    }

    fn check(codec: Codec, level: u8, bytes: &[u8], dictionary: Option<&[u8]>) {
        let name = format!("{codec}, level {level}, {} bytes", bytes.len());
        let mut encoder = Encoder::new(codec, level).expect("built in");
        let mut stored = vec![0; bytes.len() * 2 + 100];
        let with = dictionary.map(|bytes| EncoderDictionary::new(codec, level, bytes.to_vec()));
        // Twice, so that what is left from the first time is seen.
        for _ in 0..2 {
            let len = encoder.encode(bytes, &mut stored, with.as_ref()).expect("encoded");
            let len = len.unwrap_or_else(|| panic!("{name}: it is longer than there is room"));
            let mut decoded = vec![0xa5; bytes.len()];
            let with = dictionary.map(|bytes| Dictionary::new(codec, bytes.to_vec()));
            let done = Codecs::default().decode(
                codec,
                &stored[..len],
                &mut decoded,
                with.as_ref(),
                bytes.len(),
            );
            done.unwrap_or_else(|error| panic!("{name}: {}", error.0));
            assert!(decoded == bytes, "{name}");
            // A byte less is too little.
            let mut small = vec![0; len.saturating_sub(1)];
            assert!(matches!(encoder.encode(bytes, &mut small, None), Ok(None) | Ok(Some(_))));
        }
    }

    #[test]
    fn lengths_that_are_special() {
        let mut random = 7_u32;
        let noise: Vec<u8> = (0..140_000)
            .map(|_| {
                random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                (random >> 24) as u8
            })
            .collect();
        for codec in ALL {
            for len in (1..40)
                .chain([63, 64, 65, 255, 256, 270, 271, 65_535, 65_536, 65_537, 65_550, 140_000])
            {
                check(codec, 5, &vec![7; len], None);
                check(codec, 5, &noise[..len], None);
                // Copies from as far as a codec reaches, and from beyond.
                let mut far = noise[..len.min(70_000)].to_vec();
                far.extend_from_slice(&noise[..len.min(300)]);
                check(codec, 9, &far, None);
            }
        }
    }

    proptest! {
        #[test]
        fn what_is_compressed_is_decoded(
            bytes in repetitive(),
            level in 1_u8..=9,
            codec in prop::sample::select(&ALL[..]),
            cut in 0_usize..3000,
        ) {
            prop_assume!(!bytes.is_empty());
            check(codec, level, &bytes, None);
            if codec.has_dictionaries() {
                let cut = cut.min(bytes.len() - 1) + 1;
                check(codec, level, &bytes, Some(&bytes[..cut]));
            }
        }
    }
}
