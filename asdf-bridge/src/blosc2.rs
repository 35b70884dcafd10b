//! Blosc2: compressed chunks, frames of them, and n-dimensional arrays in frames.
//!
//! The fixed parts of the format are layouts, in the folder `layouts`; what is by hand is the way from
//! one to the next, the codecs and the filters.

mod bare_chunk;
mod by_address;
mod chunk;
mod codecs;
mod context;
mod data_path;
pub(crate) mod dataset;
mod describe;
mod encoding;
mod error;
mod filters;
mod findings;
mod frame;
mod kernels;
mod layout_filter;
mod layouts;
mod memory;
mod ndarray;
mod opening;
mod parallel;
mod rescue;
mod sections;
mod shuffled;
mod slice_chunks;
mod stream;
mod tables;
mod verify;
mod windows;

pub use bare_chunk::chunk_length;
pub use by_address::open_chunk;
pub use chunk::{Chunk, Special};
pub use codecs::Codec;
pub use data_path::data_indices;
pub use dataset::{OpenFrame, is_frame};
pub use describe::describe_chunk;
pub use encoding::{Encoding, Split};
pub use error::{Error, Part, Result};
pub use filters::Filter;
pub use frame::{
    Fingerprint, Frame, FrameEditor, FrameWriter, Generation, INDEX_FILE, Lost, NewFrame, Options,
    Place, has_chunks,
};
pub use layout_filter::{Blosc2, BloscChunk, decode_blsc, encode_bls2, encode_blsc, register};
pub use ndarray::{ArrayEditor, ArrayWriter, NdArray, NewArray};
pub use shuffled::{bits_unshuffled, bytes_shuffled, bytes_unshuffled};

/// The most decoded bytes that are allowed where nothing is said: a tebibyte.
pub const DEFAULT_LIMIT: u64 = 1 << 40;

/// The text of the layout of the header of a frame, by its first bytes. `None` if they are those of something
/// else.
///
/// ```
/// let head = *b"\x9e\xa8b2frame\0\xd2";
/// assert!(asdf_bridge::blosc2::frame_layout(&head).unwrap().contains("frame_len"));
/// assert!(asdf_bridge::blosc2::frame_layout(b"b2frame").is_none());
/// ```
pub fn frame_layout(head: &[u8]) -> Option<&'static str> {
    if head.get(1..9)? != b"\xa8b2frame" {
        return None;
    }
    Some(match head.first()? {
        0x9e => layouts::header::LAYOUT,
        _ => layouts::header_2020::LAYOUT,
    })
}

/// The text of the layout of the header of a chunk, by its first bytes: at least 16 of them. `None` if there
/// are fewer.
///
/// ```
/// let head = [2, 1, 0x25, 8, 0, 0, 0, 0, 0, 0, 0, 0, 32, 0, 0, 0];
/// assert!(asdf_bridge::blosc2::chunk_layout(&head).unwrap().contains("more_flags"));
/// assert!(asdf_bridge::blosc2::chunk_layout(&head[..8]).is_none());
/// ```
pub fn chunk_layout(head: &[u8]) -> Option<&'static str> {
    let head = head.first_chunk()?;
    Some(if chunk::is_long(head) { layouts::chunk_32::LAYOUT } else { layouts::chunk_16::LAYOUT })
}
