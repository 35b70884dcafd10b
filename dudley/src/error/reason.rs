//! The reasons that errors carry: of a signature, of text, of a filter, of an index.

use std::fmt;
use std::io;

use dudley_parser::layout::dtype::Primitive;
use dudley_parser::place::NATIVE_START;

use super::{Error, Item};

/// The damage of a native stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Damage {
    /// Each `0d 0a` became `0a`.
    CrLfToLf,
    /// Each `0d 0a` became `0d`.
    CrLfToCr,
    /// Each `0a` became `0d 0a`.
    LfToCrLf,
    /// Each `0a` became `0d`.
    LfToCr,
    /// Each `0d` became `0a`.
    CrToLf,
    /// The top bit of each byte was cleared.
    TopBitCleared,
    /// The bytes were taken for text of another encoding and written as UTF-8.
    Transcoded,
    /// One byte of the first eight is another.
    Byte {
        /// Its address.
        address: u64,
        /// What should be there; where the mark of the byte order is, that of little-endian.
        expected: u8,
        /// What was found.
        found: u8,
    },
    /// The stream ends within the signature.
    Short {
        /// The length of the stream in bytes.
        len: u64,
    },
    /// The stream ends at or before its layout.
    LayoutCutOff {
        /// Where the layout should begin.
        address: u64,
        /// The length of the stream in bytes.
        len: u64,
    },
    /// The layout should begin within the signature.
    LayoutInSignature {
        /// Where the layout should begin.
        address: u64,
    },
    /// No signature yet: the stream is written in place, and was not finished.
    Unfinished,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::CrLfToLf => text_mode(f, "0d 0a", "0a"),
            Damage::CrLfToCr => text_mode(f, "0d 0a", "0d"),
            Damage::LfToCrLf => text_mode(f, "0a", "0d 0a"),
            Damage::LfToCr => text_mode(f, "0a", "0d"),
            Damage::CrToLf => text_mode(f, "0d", "0a"),
            Damage::TopBitCleared => {
                f.write_str("the top bit of every byte was cleared by a 7-bit transfer")
            }
            Damage::Transcoded => {
                f.write_str("the file was taken for text and re-encoded as UTF-8")
            }
            Damage::Byte { address, expected, found } => write!(
                f,
                "byte {address} is {found:02x}, which in an intact one is {expected:02x}{}; the \
                 others are right",
                if *address == 1 { " or 3e" } else { "" }
            ),
            Damage::Short { len } => {
                write!(f, "the file ends after {len} bytes, within the signature of {NATIVE_START}")
            }
            Damage::LayoutCutOff { address, len } => write!(
                f,
                "the layout should begin at address {address}, but the file is cut off after {len} bytes"
            ),
            Damage::Unfinished => write!(f, "{}", Error::Unfinished),
            Damage::LayoutInSignature { address } => {
                write!(
                    f,
                    "the layout address is {address}, within the signature of {NATIVE_START} bytes"
                )
            }
        }
    }
}

fn text_mode(f: &mut fmt::Formatter<'_>, from: &str, to: &str) -> fmt::Result {
    write!(f, "a transfer in text mode turned bytes `{from}` into `{to}`")
}

/// Why text cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TextError {
    /// The encoding lacks a character.
    #[error("{:?} (U+{:04X}) has no code in `{}`", character, u32::from(*character), primitive.name())]
    NoCode {
        /// The character.
        character: char,
        /// The type of the item.
        primitive: Primitive,
    },
    /// The item is too short.
    #[error("the text takes {needed} units of `{}`, the item has {units}", primitive.name())]
    TooLong {
        /// Units that the text takes.
        needed: u64,
        /// Units of the item.
        units: u64,
        /// The type of the item.
        primitive: Primitive,
    },
    /// The item is not text.
    #[error("`{}` is not a type of text", primitive.name())]
    NotText {
        /// The type of the item.
        primitive: Primitive,
    },
}

impl From<TextError> for Error {
    fn from(reason: TextError) -> Error {
        Error::Text { item: Item::UNKNOWN, reason }
    }
}

/// Why a filter failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FilterError {
    /// The stored bytes are not those of the filter.
    #[error("the stored bytes are damaged: {0}")]
    Damaged(#[source] io::Error),
    /// The stored bytes end before all bytes are decoded.
    #[error("{expected} decoded bytes are expected, the stored bytes give {found}")]
    TooShort {
        /// Bytes of the array.
        expected: u64,
        /// Bytes that were decoded.
        found: u64,
    },
    /// More is stored than the array holds.
    #[error("{expected} decoded bytes are expected, the stored bytes give more")]
    TooLong {
        /// Bytes of the array.
        expected: u64,
    },
    /// Something else follows the filtered bytes.
    #[error("{count} stored bytes follow the end of the filtered data")]
    Trailing {
        /// How many bytes.
        count: u64,
    },
    /// An argument that the filter cannot take.
    #[error("{0}")]
    Argument(String),
    /// The stored bytes need a feature that is not built in, such as a codec.
    #[error("{0}")]
    Unsupported(String),
    /// More memory than this machine has.
    #[error("{0} bytes are more than this machine can hold")]
    TooLarge(u64),
    /// The filter could not write.
    #[error("cannot encode: {0}")]
    Encode(#[source] io::Error),
}

impl FilterError {
    /// The meaning of an `io::Error` from a decoder: the error inside it, or damage of the stored bytes.
    pub fn of(error: io::Error) -> FilterError {
        error.downcast().unwrap_or_else(FilterError::Damaged)
    }
}

/// The fault of an index.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// Its bytes are not those that were written, or not all of them.
    Damaged,
    /// It is of another layout, or of another place of it.
    Stale,
    /// The layout is where it was, but not as it was when the index was made: one of them is wrong.
    Layout,
    /// It was written by a later version.
    Version,
    /// The data is not what its checksums were made of.
    Data,
    /// Its checksums are damaged, or may be, so that nothing says whether the data is right: they are not
    /// given up without being asked to.
    Unproven,
    /// There is something else where it should be, or nothing that it could be an index of.
    Occupied,
}
