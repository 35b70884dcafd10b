//! LZ4 as Python's `asdf` frames it: chunks, each behind its length.

use std::io::{self, BufRead, Read};

use dudley::Work;
use dudley::bytes::Source;
use dudley::filter::{
    Encoder, Filter, FilterError, FilterValue, InParts, Parts, Piece, Registry, Result,
};
use dudley::typed::{Big, Bytes, Record};

dudley::layout!(pub(crate) mod chunk = "../../layouts/lz4_chunk.dud");

type Head = <chunk::Summary as Record>::Bytes;

/// Bytes of a chunk before it is compressed.
const CHUNK: usize = 4 << 20;

/// LZ4 cannot shrink bytes further than this many times.
const RATIO: u64 = 255;

/// How an LZ4 frame begins. Some programs write frames under the same label.
const FRAME: [u8; 4] = [0x04, 0x22, 0x4d, 0x18];

/// The filter `asdf_lz4`: any number of chunks, one after the other. LZ4 frames are decoded too.
#[derive(Clone, Copy, Debug, Default)]
pub struct AsdfLz4;

impl Filter for AsdfLz4 {
    fn name(&self) -> &str {
        "asdf_lz4"
    }

    fn check(&self, args: &[FilterValue]) -> Result<()> {
        if args.is_empty() {
            Ok(())
        } else {
            Err(FilterError::Argument("`asdf_lz4` takes no argument".to_owned()))
        }
    }

    fn decode(&self, _: &[FilterValue], stored: &[u8], decoded_len: u64) -> Result<Vec<u8>> {
        if stored.starts_with(&FRAME)
            && let Some(frames) = Registry::with_builtins().get("lz4")
        {
            return frames.decode(&[], stored, decoded_len);
        }
        let mut decoded = Vec::new();
        let mut rest = stored;
        while !rest.is_empty() {
            let done = decoded.len() as u64;
            let (chunk, size, after) = match cut(rest) {
                Err(_) if done == decoded_len && done > 0 => {
                    return Err(FilterError::Trailing { count: rest.len() as u64 });
                }
                cut => cut?,
            };
            if size > decoded_len - done {
                return Err(FilterError::TooLong { expected: decoded_len });
            }
            decoded.try_reserve(size as usize).map_err(|_| FilterError::TooLarge(done + size))?;
            let from = decoded.len();
            decoded.resize(from + size as usize, 0);
            decode_chunk(chunk, &mut decoded[from..])?;
            rest = after;
        }
        match decoded.len() as u64 {
            found if found == decoded_len => Ok(decoded),
            found => Err(FilterError::TooShort { expected: decoded_len, found }),
        }
    }

    fn reader<'s>(
        &self,
        _: &[FilterValue],
        mut stored: Box<dyn BufRead + Send + 's>,
    ) -> Option<Box<dyn Read + Send + 's>> {
        match stored.fill_buf() {
            Ok(bytes) if bytes.starts_with(&FRAME) => {
                Registry::with_builtins().get("lz4")?.reader(&[], stored)
            }
            _ => Some(Box::new(InOrder { stored, decoded: Vec::new(), read: 0 })),
        }
    }

    fn pieces(
        &self,
        _: &[FilterValue],
        stored: &dyn Source,
        decoded_len: u64,
    ) -> dudley::Result<Option<Vec<Piece>>> {
        let (total, mut at, mut found) = (stored.len(), 0, 0_u64);
        let mut pieces = Vec::new();
        while at < total {
            let mut bytes = Head::ZERO;
            let there = (total - at).min(Head::LEN as u64) as usize;
            stored.read_at(at, &mut bytes.as_mut()[..there])?;
            if at == 0 && bytes.as_ref().starts_with(&FRAME) {
                return Ok(None);
            }
            let whole = sizes(&bytes.as_ref()[..there]).and_then(|(length, decoded)| {
                let (start, left) = (at + Head::LEN as u64, total - at - Head::LEN as u64);
                if length > left {
                    Err(cut_off(length, left))
                } else {
                    Ok(Piece { stored: start..start + length, decoded })
                }
            });
            let piece = whole.map_err(|why| {
                if found == decoded_len && found > 0 {
                    FilterError::Trailing { count: total - at }
                } else {
                    why
                }
            });
            let piece = piece.map_err(|why| dudley::Error::filter(at, "asdf_lz4", why))?;
            at = piece.stored.end;
            found = found.saturating_add(piece.decoded);
            pieces.push(piece);
        }
        Ok(Some(pieces))
    }

    fn decode_piece(&self, _: &[FilterValue], stored: &[u8], decoded: &mut [u8]) -> Result<()> {
        decode_chunk(stored, decoded)
    }

    fn encode(&self, args: &[FilterValue], raw: &[u8]) -> Result<Vec<u8>> {
        self.check(args)?;
        let mut stored = Vec::new();
        for piece in raw.chunks(CHUNK) {
            Chunks.join(Chunks.code(piece)?, piece, &mut stored)?;
        }
        Ok(stored)
    }

    fn encoder(
        &self,
        args: &[FilterValue],
        _: u64,
        work: &Work,
    ) -> Result<Option<Box<dyn Encoder>>> {
        self.check(args)?;
        Ok(Some(Box::new(InParts::new(Chunks, work))))
    }
}

/// Chunks decoded one after the other.
struct InOrder<'s> {
    stored: Box<dyn BufRead + Send + 's>,
    /// Of the chunk at hand, and how many of them were read.
    decoded: Vec<u8>,
    read: usize,
}

impl InOrder<'_> {
    /// Decodes the next chunk; false if there is none.
    fn next(&mut self) -> io::Result<bool> {
        if self.stored.fill_buf()?.is_empty() {
            return Ok(false);
        }
        let mut head = Head::ZERO;
        self.stored.read_exact(head.as_mut())?;
        let (length, size) = sizes(head.as_ref()).map_err(io::Error::other)?;
        let mut chunk = Vec::new();
        self.stored.by_ref().take(length).read_to_end(&mut chunk)?;
        if chunk.len() as u64 != length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        // No more than this many times what is there: see `sizes`.
        self.decoded.resize(size as usize, 0);
        self.read = 0;
        decode_chunk(&chunk, &mut self.decoded).map_err(io::Error::other)?;
        Ok(true)
    }
}

impl Read for InOrder<'_> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        while self.read == self.decoded.len() {
            if !self.next()? {
                return Ok(0);
            }
        }
        let count = buf.len().min(self.decoded.len() - self.read);
        buf[..count].copy_from_slice(&self.decoded[self.read..self.read + count]);
        self.read += count;
        Ok(count)
    }
}

/// Chunks of 4 MiB, but the last one.
struct Chunks;

impl Parts for Chunks {
    /// The bytes behind the header of a chunk.
    type Coded = Vec<u8>;

    fn cut(&mut self, raw: &[u8], _: usize, ends: &mut Vec<usize>) {
        ends.extend((CHUNK..=raw.len()).step_by(CHUNK));
    }

    fn code(&self, part: &[u8]) -> Result<Vec<u8>> {
        Ok(lz4_flex::block::compress(part))
    }

    fn join(&mut self, block: Vec<u8>, raw: &[u8], stored: &mut Vec<u8>) -> Result<()> {
        // Neither is longer than a chunk of 4 MiB makes it.
        let head = chunk::Summary { stored: block.len() as u32 + 4, decoded: raw.len() as u32 };
        let mut bytes = Head::ZERO;
        head.encode::<Big>(&mut bytes);
        stored.extend(bytes);
        stored.extend(block);
        Ok(())
    }

    fn end(&mut self, _: &mut Vec<u8>) -> Result<()> {
        Ok(())
    }
}

/// The first chunk, the bytes it decodes to, and what follows it.
fn cut(stored: &[u8]) -> Result<(&[u8], u64, &[u8])> {
    let (length, decoded) = sizes(stored)?;
    let rest = &stored[Head::LEN..];
    let split = usize::try_from(length).ok().and_then(|length| rest.split_at_checked(length));
    let (chunk, after) = split.ok_or_else(|| cut_off(length, rest.len() as u64))?;
    Ok((chunk, decoded, after))
}

/// Of the header of a chunk, the bytes of what follows it, and those that it decodes to.
fn sizes(stored: &[u8]) -> Result<(u64, u64)> {
    let head = stored.get(..Head::LEN).and_then(|head| Head::cut(head).first());
    let head = head.ok_or_else(|| damaged("the header of a chunk is cut off".to_owned()))?;
    let chunk::Summary { stored: length, decoded } = chunk::Summary::decode::<Big>(head);
    let length = u64::from(length)
        .checked_sub(4)
        .ok_or_else(|| damaged(format!("a chunk of {length} bytes, less than its header")))?;
    let decoded = u64::from(decoded);
    if decoded > length.saturating_mul(RATIO) {
        return Err(damaged(format!("{length} bytes cannot decode to {decoded}")));
    }
    Ok((length, decoded))
}

fn cut_off(length: u64, left: u64) -> FilterError {
    damaged(format!("a chunk of {length} bytes, where {left} are"))
}

fn decode_chunk(chunk: &[u8], decoded: &mut [u8]) -> Result<()> {
    let size = decoded.len();
    match lz4_flex::block::decompress_into(chunk, decoded) {
        Ok(found) if found == size => Ok(()),
        Ok(found) => Err(damaged(format!("a chunk of {size} bytes decodes to {found}"))),
        Err(error) => Err(damaged(error.to_string())),
    }
}

fn damaged(why: String) -> FilterError {
    FilterError::Damaged(io::Error::new(io::ErrorKind::InvalidData, why))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sample(len: usize) -> Vec<u8> {
        (0..len as u64).map(|i| (i.wrapping_mul(i) >> 7) as u8 & 0x3f).collect()
    }

    #[test]
    fn bytes_go_round_and_lengths_are_exact() {
        for len in [0, 1, 1000, CHUNK, CHUNK + 1] {
            let raw = sample(len);
            let stored = AsdfLz4.encode(&[], &raw).expect("encodes");
            assert!(AsdfLz4.decode(&[], &stored, len as u64).expect("decodes") == raw);
            let more = AsdfLz4.decode(&[], &stored, len as u64 + 1);
            assert!(matches!(more, Err(FilterError::TooShort { .. })));
            if len > 0 {
                let fewer = AsdfLz4.decode(&[], &stored, len as u64 - 1);
                assert!(matches!(fewer, Err(FilterError::TooLong { .. })));
                assert!(AsdfLz4.decode(&[], &stored[..stored.len() - 1], len as u64).is_err());
            }
        }
    }

    #[test]
    fn chunks_are_the_same_whoever_makes_them() {
        let raw = sample(2 * CHUNK + 77);
        let mut encoder =
            AsdfLz4.encoder(&[], 0, &Work::new().threads(2)).expect("no arguments").expect("one");
        let mut stored = Vec::new();
        for some in raw.chunks(1_234_567) {
            encoder.encode(some, &mut stored).expect("encodes");
        }
        encoder.finish(&mut stored).expect("encodes");
        assert!(stored == AsdfLz4.encode(&[], &raw).expect("encodes"));
    }

    #[test]
    fn chunks_are_read_as_far_as_they_are_there() {
        let raw = sample(2 * CHUNK + 77);
        let stored = AsdfLz4.encode(&[], &raw).expect("encodes");
        for (there, wanted) in [(stored.len(), raw.len()), (stored.len() - 1, 2 * CHUNK), (5, 0)] {
            let mut reader = AsdfLz4.reader(&[], Box::new(&stored[..there])).expect("no frame");
            let mut decoded = Vec::new();
            let mut piece = vec![0; 1_000_000];
            while let Ok(count @ 1..) = reader.read(&mut piece) {
                decoded.extend_from_slice(&piece[..count]);
            }
            assert!(decoded == raw[..wanted], "{there}");
        }
    }

    #[test]
    fn what_others_wrote_is_read() {
        // Of the text `abc` by Python: `struct.pack("!I", 8) + lz4.block.compress(b"abc")`.
        let stored = b"\0\0\0\x08\x03\0\0\0\x30abc";
        assert_eq!(AsdfLz4.decode(&[], stored, 3).expect("decodes"), b"abc");
        // A frame, by the tool lz4.
        let frame = b"\x04\x22\x4d\x18\x64\x40\xa7\x03\0\0\x80abc\0\0\0\0\xff\x53\xd1\x32";
        assert_eq!(AsdfLz4.decode(&[], frame, 3).expect("decodes"), b"abc");
    }

    #[test]
    fn sizes_are_not_trusted() {
        let huge = b"\0\0\0\x08\xff\xff\xff\xff\x30abc";
        assert!(matches!(AsdfLz4.decode(&[], huge, u64::MAX), Err(FilterError::Damaged(_))));
        assert!(AsdfLz4.decode(&[], b"\0\0\0\x03\x03\0\0\0", 3).is_err());
        assert!(AsdfLz4.decode(&[], b"\xff\xff\xff\xff\x03\0\0\0", 3).is_err());
    }

    proptest! {
        #[test]
        fn damage_never_panics(at in 0_usize..2000, with: u8, len in 0_u64..4000) {
            let mut stored = AsdfLz4.encode(&[], &sample(3000)).expect("encodes");
            let at = at % stored.len();
            stored[at] = with;
            let _ = AsdfLz4.decode(&[], &stored, len);
        }
    }
}
