//! The built-in filters, each by the crate that does the work.

use std::io::{self, BufRead, Read, Write};
use std::ops::RangeInclusive;

use flate2::Compression;

use super::bzip2::{Blocks, Streams};
use super::zlib::Deflated;
use super::{Encoder, Filter, FilterError, FilterValue, InParts, Result, ended, read_exactly};
use crate::bytes::work::Work;
use crate::elements::value::shown;

/// Stored bytes, one after the other.
pub(super) type Stored<'s> = Box<dyn BufRead + Send + 's>;
/// Decoded bytes, one after the other.
pub(super) type Decoded<'s> = Box<dyn Read + Send + 's>;
/// What encodes bytes as they come.
pub(super) type Encoding = Box<dyn Encoder>;

/// The one optional argument of most filters: a level within `levels`.
pub(super) fn level(
    filter: &dyn Filter,
    args: &[FilterValue],
    levels: RangeInclusive<i32>,
    default: i32,
) -> Result<i32> {
    let name = filter.name();
    let refuse = |found: String| {
        let (low, high) = (levels.start(), levels.end());
        Err(FilterError::Argument(format!(
            "`{name}` takes one argument, its level from {low} to {high}, found {found}"
        )))
    };
    match args {
        [] => Ok(default),
        [FilterValue::Int(level)] => match i32::try_from(*level) {
            Ok(level) if levels.contains(&level) => Ok(level),
            _ => refuse(level.to_string()),
        },
        [FilterValue::Float(value)] => refuse(shown(*value)),
        [FilterValue::Text(text)] => refuse(format!("'{text}'")),
        _ => refuse(format!("{} arguments", args.len())),
    }
}

/// A zlib stream, behind which nothing may stand.
struct Alone<R>(flate2::bufread::ZlibDecoder<R>);

impl<R: BufRead> Alone<R> {
    fn new(stored: R) -> Self {
        Alone(flate2::bufread::ZlibDecoder::new(stored))
    }
}

impl<R: BufRead> Read for Alone<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(buf)?;
        if read == 0 && !buf.is_empty() {
            ended(self.0.get_mut(), 0)?;
        }
        Ok(read)
    }
}

/// RFC 1950.
pub(super) struct Zlib;

impl Filter for Zlib {
    fn name(&self) -> &str {
        "zlib"
    }

    fn check(&self, args: &[FilterValue]) -> Result<()> {
        level(self, args, 0..=9, 6).map(drop)
    }

    fn decode(&self, _: &[FilterValue], stored: &[u8], decoded_len: u64) -> Result<Vec<u8>> {
        #[cfg(feature = "filters")]
        if let Some(decoded) = super::libdeflate::zlib(stored, decoded_len) {
            return Ok(decoded);
        }
        read_exactly(&mut Alone::new(stored), decoded_len)
    }

    fn reader<'s>(&self, _: &[FilterValue], stored: Stored<'s>) -> Option<Decoded<'s>> {
        Some(Box::new(Alone::new(stored)))
    }

    fn encode(&self, args: &[FilterValue], raw: &[u8]) -> Result<Vec<u8>> {
        let level = Compression::new(level(self, args, 0..=9, 6)?.unsigned_abs());
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), level);
        encoder.write_all(raw).and_then(|()| encoder.finish()).map_err(FilterError::Encode)
    }

    fn encoder(&self, args: &[FilterValue], _: u64, work: &Work) -> Result<Option<Encoding>> {
        let level = Compression::new(level(self, args, 0..=9, 6)?.unsigned_abs());
        Ok(Some(Box::new(InParts::new(Deflated::new(level), work))))
    }
}

/// RFC 1952; any number of members, one after the other.
pub(super) struct Gzip;

impl Filter for Gzip {
    fn name(&self) -> &str {
        "gzip"
    }

    fn check(&self, args: &[FilterValue]) -> Result<()> {
        level(self, args, 0..=9, 6).map(drop)
    }

    fn decode(&self, _: &[FilterValue], stored: &[u8], decoded_len: u64) -> Result<Vec<u8>> {
        read_exactly(&mut flate2::bufread::MultiGzDecoder::new(stored), decoded_len)
    }

    fn reader<'s>(&self, _: &[FilterValue], stored: Stored<'s>) -> Option<Decoded<'s>> {
        Some(Box::new(flate2::bufread::MultiGzDecoder::new(stored)))
    }

    fn encode(&self, args: &[FilterValue], raw: &[u8]) -> Result<Vec<u8>> {
        let level = Compression::new(level(self, args, 0..=9, 6)?.unsigned_abs());
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), level);
        encoder.write_all(raw).and_then(|()| encoder.finish()).map_err(FilterError::Encode)
    }
}

/// Any number of bzip2 streams, one after the other.
pub(super) struct Bzip2;

impl Filter for Bzip2 {
    fn name(&self) -> &str {
        "bzip2"
    }

    fn check(&self, args: &[FilterValue]) -> Result<()> {
        level(self, args, 1..=9, 9).map(drop)
    }

    fn decode(&self, _: &[FilterValue], stored: &[u8], decoded_len: u64) -> Result<Vec<u8>> {
        read_exactly(&mut Streams::new(stored).wanted(decoded_len), decoded_len)
    }

    fn reader<'s>(&self, _: &[FilterValue], stored: Stored<'s>) -> Option<Decoded<'s>> {
        Some(Box::new(Streams::new(stored)))
    }

    fn encode(&self, args: &[FilterValue], raw: &[u8]) -> Result<Vec<u8>> {
        let level = ::bzip2::Compression::new(level(self, args, 1..=9, 9)?.unsigned_abs());
        let mut encoder = ::bzip2::write::BzEncoder::new(Vec::new(), level);
        encoder.write_all(raw).and_then(|()| encoder.finish()).map_err(FilterError::Encode)
    }

    fn encoder(&self, args: &[FilterValue], _: u64, work: &Work) -> Result<Option<Encoding>> {
        let level = level(self, args, 1..=9, 9)?.unsigned_abs();
        Ok(Some(Box::new(InParts::new(Blocks::new(level), work))))
    }
}

#[cfg(all(test, feature = "filters"))]
mod tests {
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::super::Registry;
    use super::*;

    const NAMES: [&str; 5] = ["bzip2", "gzip", "lz4", "zlib", "zstd"];

    fn filter(name: &str) -> Arc<dyn Filter> {
        Registry::with_builtins().get(name).expect("built in").clone()
    }

    /// Bytes that shrink, but not to nothing.
    fn sample(len: usize) -> Vec<u8> {
        (0..len as u64).map(|i| (i.wrapping_mul(i) >> 7) as u8 & 0x3f).collect()
    }

    #[test]
    fn all_are_registered() {
        assert_eq!(Registry::with_builtins().names().collect::<Vec<_>>(), NAMES);
    }

    #[test]
    fn bytes_go_round_at_each_length() {
        for name in NAMES {
            for len in [0, 1, 100, 65_535, 65_536, 300_000] {
                let raw = sample(len);
                let stored = filter(name).encode(&[], &raw).expect("encodes");
                let decoded = filter(name).decode(&[], &stored, len as u64).expect("decodes");
                assert!(decoded == raw, "{name} {len}");
            }
        }
    }

    #[test]
    fn bytes_that_come_one_after_the_other_go_round() {
        for name in NAMES {
            for (len, step) in [(0, 1), (1, 1), (65_536, 1000), (2_500_000, 700_000)] {
                let raw = sample(len);
                let work = Work::new().threads(3);
                let encoder = filter(name).encoder(&[], len as u64, &work).expect("no arguments");
                // Nobody writes large streams of gzip.
                let Some(mut encoder) = encoder else { continue };
                let mut stored = Vec::new();
                for some in raw.chunks(step) {
                    encoder.encode(some, &mut stored).expect("encodes");
                }
                encoder.finish(&mut stored).expect("encodes");
                let decoded = filter(name).decode(&[], &stored, len as u64).expect("decodes");
                assert!(decoded == raw, "{name} {len}");
            }
            assert!(
                filter(name).encoder(&[FilterValue::Int(99)], 0, &Work::new()).is_err()
                    || name == "gzip"
            );
        }
    }

    #[test]
    fn the_decoded_length_is_exact() {
        let raw = sample(100_000);
        for name in NAMES {
            let stored = filter(name).encode(&[], &raw).expect("encodes");
            for len in [0, 1, 99_999] {
                let error = filter(name).decode(&[], &stored, len).expect_err("an error");
                assert!(matches!(error, FilterError::TooLong { expected } if expected == len));
            }
            for len in [100_001, 1 << 40, u64::MAX] {
                let error = filter(name).decode(&[], &stored, len).expect_err("an error");
                assert!(
                    matches!(error, FilterError::TooShort { found: 100_000, .. }),
                    "{name} {error}"
                );
            }
        }
    }

    #[test]
    fn garbage_after_the_end_is_an_error() {
        let raw = sample(1000);
        for name in NAMES {
            for garbage in [&b"\0"[..], b"x", b"garbage after the end"] {
                let mut stored = filter(name).encode(&[], &raw).expect("encodes");
                stored.extend_from_slice(garbage);
                assert!(filter(name).decode(&[], &stored, 1000).is_err(), "{name} {garbage:?}");
            }
        }
    }

    #[test]
    fn bytes_behind_the_end_are_counted() {
        let raw = sample(100_000);
        for name in ["bzip2", "lz4", "zlib", "zstd"] {
            let whole = filter(name).encode(&[], &raw).expect("encodes");
            for garbage in [&b"\0"[..], b"junk", &[0; 9], &[7; 3_000_000]] {
                let stored = [&whole, garbage].concat();
                let count = garbage.len() as u64;
                let found =
                    |error| matches!(error, FilterError::Trailing { count: it } if it == count);
                let decoded = filter(name).decode(&[], &stored, 100_000);
                assert!(decoded.is_err_and(found), "{name} {count}");
                for bite in [1, 7, 1 << 16] {
                    let stored = io::BufReader::with_capacity(bite, &stored[..]);
                    let mut reader = filter(name).reader(&[], Box::new(stored)).expect("one");
                    let mut decoded = Vec::new();
                    let error = reader.read_to_end(&mut decoded).expect_err("an error");
                    assert!(found(FilterError::of(error)) && decoded == raw, "{name} {count}");
                }
                // Where too little is in front of them, that is the fault.
                let short = filter(name).decode(&[], &stored, 100_001).expect_err("an error");
                assert!(matches!(short, FilterError::TooShort { found: 100_000, .. }), "{short}");
            }
        }
    }

    #[test]
    fn what_is_cut_off_is_an_error() {
        let raw = sample(5000);
        for name in NAMES {
            let stored = filter(name).encode(&[], &raw).expect("encodes");
            for len in 0..stored.len() {
                assert!(filter(name).decode(&[], &stored[..len], 5000).is_err(), "{name} {len}");
            }
        }
    }

    #[test]
    fn concatenated_streams_are_one() {
        let raw = sample(2000);
        for name in ["bzip2", "gzip", "lz4", "zstd"] {
            let mut stored = filter(name).encode(&[], &raw[..700]).expect("encodes");
            stored.extend(filter(name).encode(&[], &raw[700..]).expect("encodes"));
            assert!(filter(name).decode(&[], &stored, 2000).expect("decodes") == raw, "{name}");
            assert!(filter(name).decode(&[], &stored, 700).is_err(), "{name}");
        }
    }

    #[test]
    fn threads_of_any_number_store_the_same() {
        let raw = sample(9_000_000);
        for name in ["bzip2", "zlib", "zstd"] {
            let stored = [1, 2, 5].map(|threads| {
                let work = Work::new().threads(threads);
                let args = [FilterValue::Int(1)];
                let encoder = filter(name).encoder(&args, raw.len() as u64, &work);
                let (mut encoder, mut stored) =
                    (encoder.expect("a level").expect("one"), Vec::new());
                for some in raw.chunks(1_234_567 * threads) {
                    encoder.encode(some, &mut stored).expect("encodes");
                }
                encoder.finish(&mut stored).expect("encodes");
                stored
            });
            assert!(stored[0] == stored[1] && stored[1] == stored[2], "{name}");
            let decoded = filter(name).decode(&[], &stored[0], raw.len() as u64).expect("decodes");
            assert!(decoded == raw, "{name}");
        }
    }

    #[test]
    fn readers_give_what_decoding_gives() {
        let raw = sample(300_000);
        for name in NAMES {
            let mut stored = filter(name).encode(&[], &raw).expect("encodes");
            if ["bzip2", "gzip", "lz4", "zstd"].contains(&name) {
                stored.extend(filter(name).encode(&[], &raw[..1000]).expect("encodes"));
            }
            // In bites of any size, and to the end.
            for bite in [1, 7, 1 << 16] {
                let stored = io::BufReader::with_capacity(bite, &stored[..]);
                let mut decoded = Vec::new();
                let mut reader = filter(name).reader(&[], Box::new(stored)).expect("there is one");
                reader.read_to_end(&mut decoded).expect("decodes");
                assert!(decoded.starts_with(&raw), "{name} {bite}");
                assert_eq!(decoded.len(), raw.len() + usize::from(name != "zlib") * 1000);
            }
            for end in [0, 3, 5, 1000] {
                let stored = &stored[..stored.len() - 1 - end];
                let mut reader = filter(name).reader(&[], Box::new(stored)).expect("there is one");
                assert!(reader.read_to_end(&mut Vec::new()).is_err(), "{name} {end}");
            }
        }
    }

    #[test]
    fn skippable_frames_are_skipped() {
        let raw = sample(500);
        let skipped = b"\x53\x2a\x4d\x18\x03\0\0\0abc";
        for name in ["lz4", "zstd"] {
            let frame = filter(name).encode(&[], &raw).expect("encodes");
            let stored = [&skipped[..], &frame, skipped].concat();
            assert!(filter(name).decode(&[], &stored, 500).expect("decodes") == raw, "{name}");
            assert!(filter(name).decode(&[], &stored[..stored.len() - 1], 500).is_err(), "{name}");
        }
    }

    #[test]
    fn levels_are_checked_when_encoding() {
        let raw = sample(5000);
        for (name, low, high) in [("zlib", 0, 9), ("gzip", 0, 9), ("bzip2", 1, 9), ("zstd", -5, 22)]
        {
            for level in [low, high] {
                let args = [FilterValue::Int(level)];
                let stored = filter(name).encode(&args, &raw).expect("a good level");
                assert!(filter(name).decode(&args, &stored, 5000).expect("decodes") == raw);
            }
            for bad in [
                vec![FilterValue::Int(high + 1)],
                vec![FilterValue::Int(i64::MIN)],
                vec![FilterValue::Float(1.5)],
                vec![FilterValue::Text("best".into())],
                vec![FilterValue::Int(1); 2],
            ] {
                let error = filter(name).encode(&bad, &raw).expect_err("an error");
                assert!(error.to_string().contains(name), "{error}");
            }
        }
        assert!(filter("lz4").encode(&[FilterValue::Int(1)], &raw).is_err());
    }

    #[test]
    fn other_encoders_output_is_read() {
        // Of the text `abc`, by Python 3.11 (zlib, gzip, bz2) and the tools lz4 and zstd.
        let cases = [
            ("zlib", "789c4b4c4a0600024d0127"),
            ("gzip", "1f8b08000000000002034b4c4a0600c241243503000000"),
            (
                "bzip2",
                "425a6839314159265359648cbb73000000010038002000219819846177245385090648cbb730",
            ),
            ("lz4", "04224d186440a70300008061626300000000ff53d132"),
            ("zstd", "28b52ffd0458190000616263990977ad"),
        ];
        for (name, hex) in cases {
            let digits: Vec<u8> = hex
                .chars()
                .filter_map(|digit| digit.to_digit(16))
                .map(|digit| digit as u8)
                .collect();
            let stored: Vec<u8> = digits.chunks(2).map(|pair| pair[0] << 4 | pair[1]).collect();
            assert_eq!(filter(name).decode(&[], &stored, 3).expect(name), b"abc");
        }
    }

    proptest! {
        #[test]
        fn damage_never_panics_or_hangs(at in 0_usize..2000, with: u8, len in 0_u64..4000) {
            let raw = sample(3000);
            for name in NAMES {
                let mut stored = filter(name).encode(&[], &raw).expect("encodes");
                let at = at % stored.len();
                stored[at] = with;
                if let Ok(decoded) = filter(name).decode(&[], &stored, len) {
                    prop_assert_eq!(decoded.len() as u64, len);
                }
            }
        }

        #[test]
        fn noise_never_panics(noise in prop::collection::vec(any::<u8>(), 0..200)) {
            for name in NAMES {
                let _ = filter(name).decode(&[], &noise, 1000);
            }
        }
    }
}
