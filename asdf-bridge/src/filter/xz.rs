//! The xz container.

use std::io::{BufRead, Read};

use dudley::filter::{Filter, FilterError, FilterValue, Result, read_exactly};
use lzma_rust2::XzReader;

/// The largest dictionary that is taken, in KiB: the one of `xz -9` has 64 MiB.
const MEMORY: u32 = 1 << 20;

/// The filter `xz`: any number of xz streams, one after the other. It is only decoded.
#[derive(Clone, Copy, Debug, Default)]
pub struct Xz;

impl Filter for Xz {
    fn name(&self) -> &str {
        "xz"
    }

    fn check(&self, args: &[FilterValue]) -> Result<()> {
        match args.is_empty() {
            true => Ok(()),
            false => Err(FilterError::Argument("`xz` takes no argument".to_owned())),
        }
    }

    fn decode(&self, _: &[FilterValue], stored: &[u8], decoded_len: u64) -> Result<Vec<u8>> {
        let mut rest = stored;
        let mut reader = XzReader::new_mem_limit(rest.by_ref(), true, MEMORY);
        read_exactly(&mut reader, decoded_len)
    }

    fn reader<'s>(
        &self,
        _: &[FilterValue],
        stored: Box<dyn BufRead + Send + 's>,
    ) -> Option<Box<dyn Read + Send + 's>> {
        Some(Box::new(XzReader::new_mem_limit(stored, true, MEMORY)))
    }

    fn encode(&self, _: &[FilterValue], _: &[u8]) -> Result<Vec<u8>> {
        Err(FilterError::Argument("`xz` is only read: `zstd` compresses as well".to_owned()))
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

    #[test]
    fn what_others_wrote_is_read() {
        let digits = STORED.concat();
        let stored: Vec<u8> = (0..digits.len() / 2)
            .map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).expect("hexadecimal"))
            .collect();
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
