//! The first bytes of blocks and of the index.

/// The magic numbers of blocks; only the first two were ever written.
pub(crate) const MAGIC: [u8; 4] = *b"\xd3BLK";
/// That of the first FINF files.
pub(crate) const MAGIC_FIRST: [u8; 8] = *b"\xd3BFF\r\n \n";
/// That of the text that describes FINF.
pub(crate) const MAGIC_LITERAL: [u8; 4] = *b"\x89BLK";

/// The first line of the index of blocks.
pub(crate) const INDEX: &[u8] = b"#ASDF BLOCK INDEX";
