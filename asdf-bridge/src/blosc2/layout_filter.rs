//! Blosc2 as filters of the layout language: `blosc_chunk`, a chunk, and `blosc2`, a frame.
//!
//! They decode. What they are to encode is refused so far.

use std::io;
use std::sync::Arc;

use dudley::filter::{Filter, FilterError, FilterValue, Registry};

use super::chunk::{Chunk, Context, Special, Stored};
use super::error::{Error, Result};
use super::frame::Frame;

/// Adds `blosc_chunk` and `blosc2` to the filters that layouts can name.
///
/// ```
/// # let stored: Vec<u8> = [5, 1, 7, 1, 2, 0, 0, 0, 2, 0, 0, 0, 34, 0, 0, 0].into_iter()
/// #     .chain([0; 16]).chain([8, 9]).collect();
/// let mut filters = dudley::filter::Registry::with_builtins();
/// asdf_bridge::blosc2::register(&mut filters);
/// let open = dudley::Open::new().layout_text("x = u1[2] -> blosc_chunk[34]")?.raw().filters(filters);
/// let stream = open.bytes(stored)?;
/// assert_eq!(stream.get("/x")?.read::<u8>()?.as_slice(), Some(&[8, 9][..]));
/// # Ok::<(), dudley::Error>(())
/// ```
pub fn register(registry: &mut Registry) {
    registry.register(Arc::new(BloscChunk));
    registry.register(Arc::new(Blosc2));
}

/// Decodes what ASDF stores under `blsc` and `bls2`: a chunk, or a whole frame.
///
/// # Errors
/// What is wrong with it; [`Error::Limit`] for more than `limit` bytes.
pub fn decode_blsc(bytes: &[u8], limit: u64) -> Result<Vec<u8>> {
    match crate::Format::recognise(bytes) {
        Some(crate::Format::Blosc2Frame) => decode_frame(bytes, limit),
        _ => Chunk::parse(bytes)?.decode_within(limit),
    }
}

/// A frame in memory: its array row-major, else its chunks one after the other.
fn decode_frame(bytes: &[u8], limit: u64) -> Result<Vec<u8>> {
    let frame = super::Options::new().limit(limit).source(bytes.to_vec())?;
    whole(&frame)
}

fn whole(frame: &Frame) -> Result<Vec<u8>> {
    match frame.array()? {
        Some(array) => Ok(array.bytes_of(&[])?.1),
        None => frame.read(),
    }
}

/// The filter `blosc_chunk`: a chunk with its header. Some filters of Blosc2 need what only the frame
/// knows: then the arguments are the bytes of an element and the shape of a block. Of a special value in the index of a frame there
/// are no bytes; then it is the argument: `"zeros"`, `"uninit"`, or `"nan"` and the bytes of an element.
#[derive(Debug)]
pub struct BloscChunk;

impl Filter for BloscChunk {
    fn name(&self) -> &str {
        "blosc_chunk"
    }

    fn decode(
        &self,
        args: &[FilterValue],
        stored: &[u8],
        decoded_len: u64,
    ) -> Result<Vec<u8>, FilterError> {
        if let (Some(FilterValue::Text(name)), []) = (args.first(), stored) {
            return special(name, args.get(1), decoded_len);
        }
        let chunk = Chunk::open(Stored::Memory(stored), &context(args)).map_err(damaged)?;
        exact(chunk.nbytes(), decoded_len)?;
        let trailing = stored.len() as u64 - chunk.cbytes();
        match trailing {
            0 => chunk.decode_within(decoded_len).map_err(damaged),
            count => Err(FilterError::Trailing { count }),
        }
    }

    fn encode(&self, _: &[FilterValue], _: &[u8]) -> Result<Vec<u8>, FilterError> {
        Err(read_only())
    }
}

/// What the frame of a chunk says, from arguments.
fn context(args: &[FilterValue]) -> Context {
    let mut sizes = args.iter().map_while(|arg| match arg {
        FilterValue::Int(size) => usize::try_from(*size).ok(),
        _ => None,
    });
    Context { typesize: sizes.next().filter(|size| *size > 0), blockshape: sizes.collect() }
}

fn special(name: &str, size: Option<&FilterValue>, nbytes: u64) -> Result<Vec<u8>, FilterError> {
    let kind = match name {
        "zeros" => Special::Zeros,
        "uninit" => Special::Uninit,
        "nan" => Special::Nan,
        _ => return Err(FilterError::Argument(format!("no special value `{name}`"))),
    };
    let context = context(size.map(std::slice::from_ref).unwrap_or_default());
    let chunk = Chunk::of_value(kind, nbytes, 0, &context).map_err(damaged)?;
    chunk.decode_within(nbytes).map_err(damaged)
}

/// The filter `blosc2`: a whole frame. Its arguments are for who writes it.
#[derive(Debug)]
pub struct Blosc2;

impl Filter for Blosc2 {
    fn name(&self) -> &str {
        "blosc2"
    }

    fn decode(
        &self,
        _: &[FilterValue],
        stored: &[u8],
        decoded_len: u64,
    ) -> Result<Vec<u8>, FilterError> {
        let frame = super::Options::new().limit(decoded_len.max(1)).source(stored.to_vec());
        let frame = frame.map_err(damaged)?;
        let trailing = stored.len() as u64 - frame.frame_len();
        if trailing > 0 {
            return Err(FilterError::Trailing { count: trailing });
        }
        let bytes = whole(&frame).map_err(|error| match error {
            Error::Limit { .. } => FilterError::TooLong { expected: decoded_len },
            error => damaged(error),
        })?;
        exact(bytes.len() as u64, decoded_len).map(|()| bytes)
    }

    fn encode(&self, _: &[FilterValue], _: &[u8]) -> Result<Vec<u8>, FilterError> {
        Err(read_only())
    }
}

fn exact(found: u64, expected: u64) -> Result<(), FilterError> {
    match found.cmp(&expected) {
        std::cmp::Ordering::Less => Err(FilterError::TooShort { expected, found }),
        std::cmp::Ordering::Equal => Ok(()),
        std::cmp::Ordering::Greater => Err(FilterError::TooLong { expected }),
    }
}

fn damaged(error: Error) -> FilterError {
    FilterError::Damaged(io::Error::new(io::ErrorKind::InvalidData, error))
}

fn read_only() -> FilterError {
    let why = "this version reads Blosc2, and does not write it";
    FilterError::Encode(io::Error::new(io::ErrorKind::Unsupported, why))
}
