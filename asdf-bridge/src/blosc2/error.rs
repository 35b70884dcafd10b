//! Errors of Blosc2 frames, chunks and arrays.

use std::{fmt, io};

use dudley::filter::FilterError;

/// The result of all that reads Blosc2.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// The part of a frame or chunk that something is wrong with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Part {
    /// The header of a frame.
    Header,
    /// A metalayer, in the header.
    Metalayer,
    /// The trailer of a frame.
    Trailer,
    /// A metalayer of variable size, in the trailer.
    VlMetalayer,
    /// The user metadata of a frame of 2020.
    UserMeta,
    /// The index: where chunks are.
    Index,
    /// A chunk as it is stored.
    Chunk,
    /// The header of a chunk.
    ChunkHeader,
    /// Where blocks begin in a chunk.
    BlockStarts,
    /// The dictionary of a chunk.
    Dictionary,
    /// A compressed stream of a block.
    Stream,
    /// A block before its filters are undone.
    Filters,
    /// A value that is repeated instead of stored.
    Special,
    /// A block of variable size.
    VlBlock,
    /// The metalayer of an n-dimensional array.
    Array,
    /// The files of a sparse frame.
    Sparse,
}

impl Part {
    const fn as_str(self) -> &'static str {
        match self {
            Part::Header => "header of the frame",
            Part::Metalayer => "metalayer",
            Part::Trailer => "trailer",
            Part::VlMetalayer => "variable-length metalayer",
            Part::UserMeta => "user metadata",
            Part::Index => "index of chunks",
            Part::Chunk => "chunk",
            Part::ChunkHeader => "header of the chunk",
            Part::BlockStarts => "starts of blocks",
            Part::Dictionary => "dictionary",
            Part::Stream => "compressed stream",
            Part::Filters => "filters",
            Part::Special => "special value",
            Part::VlBlock => "block of variable size",
            Part::Array => "metalayer of the array",
            Part::Sparse => "sparse frame",
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An error. Addresses are in bytes: within the frame, or within the chunk if there is no
/// frame.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The bytes are not there, cannot be read, or are not what the layouts of the format state.
    #[error("{}{part}: {source}", of_chunk(*chunk))]
    Engine {
        /// The part that was read.
        part: Part,
        /// The chunk, from 0.
        chunk: Option<u64>,
        /// Why it cannot be read, with the address.
        #[source]
        source: dudley::Error,
    },
    /// A value that cannot be.
    #[error("{}{part} at address {address}: expected {expected}, found {found}", of_chunk(*chunk))]
    Damaged {
        /// Where it stands.
        part: Part,
        /// The chunk, from 0.
        chunk: Option<u64>,
        /// Where it is, in bytes.
        address: u64,
        /// The right value.
        expected: Box<str>,
        /// What was found.
        found: Box<str>,
    },
    /// A codec or filter that is not built in. Nothing is ever loaded or run to get one.
    #[error("{}{}{what} {id}{} is not supported", of_chunk(*chunk), of_place(*place), named(name))]
    Unsupported {
        /// The chunk, from 0.
        chunk: Option<u64>,
        /// Where it is named: in what, and at which byte. None of a number that stands nowhere.
        place: Option<(Part, u64)>,
        /// `codec` or `filter`, or what else.
        what: &'static str,
        /// Its number in the registry of Blosc2.
        id: u8,
        /// Its name there, where it has one.
        name: &'static str,
    },
    /// What is stored are not the values of the frame, as one of its metalayers says: these are computed, or lie in
    /// another file or on a server.
    #[error(
        "{}the values are elsewhere: the frame stands for another one, as its metalayer {mark} says, and what is \
         stored here is none of them",
        of_chunk(*chunk)
    )]
    Elsewhere {
        /// The chunk, from 0; `None` where it is all of them.
        chunk: Option<u64>,
        /// The name of the metalayer, and of what kind the values are.
        mark: Box<str>,
    },
    /// A chunk without a frame ends before its end.
    #[error("a chunk of Blosc2 of {length} bytes, of which the first {there} are there")]
    CutOff {
        /// How many bytes it has, as its header says.
        length: u64,
        /// How many are there.
        there: u64,
    },
    /// More bytes than the caller allows.
    #[error("{needed} decoded bytes are more than the {limit} that are allowed")]
    Limit {
        /// How many there would be.
        needed: u64,
        /// How many are allowed.
        limit: u64,
    },
    /// There is no chunk of that number, no byte of that place, or a slice does not fit.
    #[error("{0}")]
    Range(Box<str>),
    /// A frame has no metalayer of that name.
    #[error("no {part} `{name}`")]
    NoMetalayer {
        /// Which kind.
        part: Part,
        /// The name that was requested.
        name: Box<str>,
    },
    /// The elements are of another type than asked for, or of one that is not known.
    #[error("expected elements of {expected}, found `{found}`")]
    WrongType {
        /// The request.
        expected: Box<str>,
        /// The type of the elements in numpy.
        found: Box<str>,
    },
}

/// As it is displayed.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

fn of_chunk(chunk: Option<u64>) -> String {
    chunk.map_or(String::new(), |chunk| format!("chunk {chunk}: "))
}

fn of_place(place: Option<(Part, u64)>) -> String {
    place.map_or(String::new(), |(part, address)| format!("{part} at address {address}: "))
}

fn named(name: &str) -> String {
    if name.is_empty() { String::new() } else { format!(" ({name})") }
}

impl Error {
    /// A value that cannot be.
    pub(crate) fn damaged(
        part: Part,
        address: impl TryInto<u64>,
        expected: impl Into<Box<str>>,
        found: impl ToString,
    ) -> Error {
        Error::Damaged {
            part,
            chunk: None,
            address: address.try_into().unwrap_or(u64::MAX),
            expected: expected.into(),
            found: found.to_string().into(),
        }
    }

    /// A codec or filter, or what else, that is not built in, and has no name or this one.
    pub(crate) fn unsupported(what: &'static str, id: u8, name: &'static str) -> Error {
        Error::Unsupported { chunk: None, place: None, what, id, name }
    }

    /// Says where what is not built in is named.
    #[must_use]
    pub(crate) fn named_at(mut self, part: Part, address: u64) -> Error {
        if let Error::Unsupported { place, .. } = &mut self {
            *place = Some((part, address));
        }
        self
    }

    /// What the engine says of a part.
    pub(crate) fn engine(part: Part) -> impl Fn(dudley::Error) -> Error {
        move |source| Error::Engine { part, chunk: None, source }
    }

    /// The same error once more, for each block that meets it.
    pub(crate) fn again(&self) -> Error {
        match self {
            Error::Damaged { part, chunk, address, expected, found } => Error::Damaged {
                part: *part,
                chunk: *chunk,
                address: *address,
                expected: expected.clone(),
                found: found.clone(),
            },
            Error::Unsupported { chunk, place, what, id, name } => {
                Error::Unsupported { chunk: *chunk, place: *place, what, id: *id, name }
            }
            Error::Elsewhere { chunk, mark } => {
                Error::Elsewhere { chunk: *chunk, mark: mark.clone() }
            }
            other => Error::Range(other.to_string().into()),
        }
    }

    /// Says which chunk it is about, and where that is in the frame.
    #[must_use]
    pub(crate) fn in_chunk(mut self, number: u64, base: u64) -> Error {
        match &mut self {
            Error::Damaged { chunk, address, .. } if chunk.is_none() => {
                *chunk = Some(number);
                *address = address.saturating_add(base);
            }
            Error::Unsupported { chunk, place, .. } if chunk.is_none() => {
                *chunk = Some(number);
                let (_, address) = place.get_or_insert((Part::Chunk, 0));
                *address = address.saturating_add(base);
            }
            Error::Engine { chunk, .. } if chunk.is_none() => *chunk = Some(number),
            _ => {}
        }
        self
    }

    /// Shifts its address, for what lies in something else.
    #[must_use]
    pub(crate) fn shifted(mut self, of: Part, base: u64) -> Error {
        match &mut self {
            Error::Damaged { part, address, .. }
            | Error::Unsupported { place: Some((part, address)), .. } => {
                *address = address.saturating_add(base);
                if of == Part::Index {
                    *part = Part::Index;
                }
            }
            _ => {}
        }
        self
    }

    /// As of another part, at its address, where what is wrong has none.
    #[must_use]
    pub(crate) fn at(mut self, of: Part, place: u64) -> Error {
        if let Error::Damaged { part, address, .. } = &mut self {
            (*part, *address) = (of, place);
        }
        self
    }

    /// Shifts all addresses, for bytes that were read from there and looked at alone.
    #[must_use]
    pub(crate) fn of_bytes_at(self, base: u64) -> Error {
        match self.shifted(Part::Chunk, base) {
            Error::Engine { part, chunk, source } => {
                let source = source.map_address(|at| at.saturating_add(base));
                Error::Engine { part, chunk, source }
            }
            other => other,
        }
    }

    /// The part that something is wrong with, when it is about bytes.
    pub fn part(&self) -> Option<Part> {
        match self {
            Error::Engine { part, .. } | Error::Damaged { part, .. } => Some(*part),
            Error::Unsupported { place, .. } => place.map(|(part, _)| part),
            _ => None,
        }
    }

    /// The chunk, from 0, when the error is about one.
    pub fn chunk(&self) -> Option<u64> {
        match self {
            Error::Engine { chunk, .. }
            | Error::Damaged { chunk, .. }
            | Error::Unsupported { chunk, .. }
            | Error::Elsewhere { chunk, .. } => *chunk,
            _ => None,
        }
    }

    /// The address in bytes, if the error has one.
    pub fn address(&self) -> Option<u64> {
        match self {
            Error::Damaged { address, .. } => Some(*address),
            Error::Unsupported { place, .. } => place.map(|(_, address)| address),
            Error::Engine { source, .. } => source.address(),
            _ => None,
        }
    }
}

/// As an error of a filter.
impl From<Error> for FilterError {
    fn from(error: Error) -> FilterError {
        match error {
            // What needs more than is allowed is not damaged either.
            Error::Unsupported { .. } | Error::Limit { .. } | Error::Elsewhere { .. } => {
                FilterError::Unsupported(error.to_string())
            }
            error => FilterError::Damaged(io::Error::new(io::ErrorKind::InvalidData, error)),
        }
    }
}

/// As an error of the engine: that of a filter, unless it is one of the engine.
impl From<Error> for dudley::Error {
    fn from(error: Error) -> dudley::Error {
        match error {
            Error::Engine { source, .. } => source,
            error => match error.address() {
                Some(address) => dudley::Error::filter(address, "blosc2", error.into()),
                None => dudley::Error::FilterArgument {
                    item: dudley::error::Item::UNKNOWN,
                    filter: "blosc2".into(),
                    reason: error.into(),
                },
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_part_chunk_address_and_what_was_expected() {
        let error = Error::damaged(Part::ChunkHeader, 8, "at least 1 byte", -5);
        assert_eq!(
            error.to_string(),
            "header of the chunk at address 8: expected at least 1 byte, found -5"
        );
        let error = error.in_chunk(3, 100).in_chunk(4, 9);
        assert_eq!(
            (error.part(), error.chunk(), error.address()),
            (Some(Part::ChunkHeader), Some(3), Some(108))
        );
        assert!(error.to_string().starts_with("chunk 3: header of the chunk at address 108: "));
        let codec = || Error::unsupported("codec", 36, "openhtj2k");
        assert_eq!(codec().to_string(), "codec 36 (openhtj2k) is not supported");
        let codec = codec().named_at(Part::ChunkHeader, 22).in_chunk(0, 7);
        assert_eq!((codec.part(), codec.address()), (Some(Part::ChunkHeader), Some(29)));
        assert_eq!(
            codec.to_string(),
            "chunk 0: header of the chunk at address 29: codec 36 (openhtj2k) is not supported"
        );
        // What is named nowhere is in its chunk.
        let codec = Error::unsupported("codec", 36, "openhtj2k").in_chunk(2, 100);
        assert_eq!((codec.part(), codec.address()), (Some(Part::Chunk), Some(100)));
        let engine = dudley::Error::from(codec);
        assert!(engine.to_string().starts_with("filter `blosc2` at address 100: "), "{engine}");
        let limit = dudley::Error::from(Error::Limit { needed: 5, limit: 4 });
        assert!(limit.to_string().starts_with("filter `blosc2`: "), "{limit}");
        let limit = Error::Limit { needed: 5, limit: 4 };
        assert_eq!(limit.to_string(), "5 decoded bytes are more than the 4 that are allowed");
        let name = Error::NoMetalayer { part: Part::Metalayer, name: "x".into() };
        assert_eq!(name.to_string(), "no metalayer `x`");
        let engine = Error::engine(Part::Trailer)(dudley::Error::truncated(16, 8, 3));
        assert_eq!(engine.address(), Some(16));
        assert!(engine.to_string().starts_with("trailer: 8 bytes are needed at address 16"));
    }
}
