//! The xz container.

use std::io::{self, BufRead, Chain, Cursor, Read};

use dudley::filter::{Filter, FilterError, FilterValue, Result, ended, read_exactly};
use lzma_rust2::XzReader;

/// The largest dictionary that is taken, in KiB: the one of `xz -9` has 64 MiB.
const MEMORY: u32 = 1 << 20;

/// How a stream begins.
const MAGIC: [u8; 6] = *b"\xfd7zXZ\0";

/// The filter `xz`: any number of xz streams, one after the other. It is only decoded.
#[derive(Clone, Copy, Debug, Default)]
pub struct Xz;

impl Filter for Xz {
    fn name(&self) -> &str {
        "xz"
    }

    fn check(&self, args: &[FilterValue]) -> Result<()> {
        if args.is_empty() {
            Ok(())
        } else {
            Err(FilterError::Argument("`xz` takes no argument".to_owned()))
        }
    }

    fn decode(&self, _: &[FilterValue], stored: &[u8], decoded_len: u64) -> Result<Vec<u8>> {
        read_exactly(&mut Streams::new(stored), decoded_len)
    }

    fn reader<'s>(
        &self,
        _: &[FilterValue],
        stored: Box<dyn BufRead + Send + 's>,
    ) -> Option<Box<dyn Read + Send + 's>> {
        Some(Box::new(Streams::new(stored)))
    }

    fn encode(&self, _: &[FilterValue], _: &[u8]) -> Result<Vec<u8>> {
        Err(FilterError::Argument("`xz` is only read: `zstd` compresses as well".to_owned()))
    }
}

/// A stream whose first bytes may have been read already.
type Stream<R> = XzReader<Chain<Cursor<Vec<u8>>, R>>;

/// The decoded bytes of streams one after the other.
struct Streams<R: Read> {
    /// None behind the last one, or behind an error.
    stream: Option<Stream<R>>,
}

impl<R: BufRead> Streams<R> {
    fn new(stored: R) -> Streams<R> {
        Streams { stream: Some(stream(Vec::new(), stored)) }
    }
}

impl<R: BufRead> Read for Streams<R> {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        while !buf.is_empty()
            && let Some(mut here) = self.stream.take()
        {
            let read = here.read(buf)?;
            if read > 0 {
                self.stream = Some(here);
                return Ok(read);
            }
            self.stream = next(here.into_inner().into_inner().1)?;
        }
        Ok(0)
    }
}

/// A stream whose first bytes were read already.
fn stream<R: BufRead>(first: Vec<u8>, rest: R) -> Stream<R> {
    XzReader::new_mem_limit(Cursor::new(first).chain(rest), false, MEMORY)
}

/// The next stream, before which there may be zeros, four by four; none behind the last one. What begins as none does
/// is none.
fn next<R: BufRead>(mut stored: R) -> io::Result<Option<Stream<R>>> {
    let mut first = Vec::new();
    let mut seen = 0;
    loop {
        let missing = (MAGIC.len() - first.len()) as u64;
        let read = stored.by_ref().take(missing).read_to_end(&mut first)?;
        seen += read as u64;
        if first == MAGIC {
            return Ok(Some(stream(first, stored)));
        }
        match first.len() {
            0 => return Ok(None),
            4.. if first.starts_with(&[0; 4]) => drop(first.drain(..4)),
            _ => return ended(&mut stored, seen).map(|()| None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a hundred zeros and `end`, by Python's `lzma`.
    const STORED: [&str; 2] = [
        "fd377a585a000004e6d6b4460200210116000000742fe5a3e00066000a5d00006ea0aaad8475",
        "ff40000000008d96544bebca2d6200012667f4c28e301fb6f37d010000000004595a",
    ];

    fn stored() -> Vec<u8> {
        let digits = STORED.concat();
        let bytes = (0..digits.len() / 2)
            .map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).expect("hexadecimal"));
        bytes.collect()
    }

    #[test]
    fn streams_are_one_and_what_is_behind_them_is_counted() {
        let zeros = [0; 8];
        let two = [&stored()[..], &zeros, &stored(), &zeros].concat();
        assert_eq!(Xz.decode(&[], &two, 206).expect("decodes").len(), 206);
        for (behind, counted) in [(&b"junk"[..], 4), (b"\0", 1), (b"\0\0\0\0x", 5), (b"\xfd7zX", 4)]
        {
            let stored = [&stored()[..], behind].concat();
            let found = Xz.decode(&[], &stored, 103);
            assert!(matches!(found, Err(FilterError::Trailing { count }) if count == counted));
            assert!(matches!(Xz.decode(&[], &stored, 104), Err(FilterError::TooShort { .. })));
        }
    }

    #[test]
    fn what_others_wrote_is_read() {
        let stored = stored();
        let decoded = Xz.decode(&[], &stored, 103).expect("decodes");
        assert!(decoded.ends_with(b"\0end") && decoded[..100] == [0; 100]);
        assert!(matches!(Xz.decode(&[], &stored, 102), Err(FilterError::TooLong { .. })));
        assert!(Xz.decode(&[], &stored, 104).is_err());
        for len in 0..stored.len() {
            assert!(Xz.decode(&[], &stored[..len], 103).is_err(), "{len}");
        }
    }

    #[test]
    fn what_is_no_xz_is_an_error() {
        assert!(Xz.decode(&[], b"", 3).is_err());
        assert!(Xz.decode(&[], b"\xfd7zXZ\0\0\0\0\0\0\0", 3).is_err());
        assert!(Xz.encode(&[], b"abc").is_err());
    }
}
