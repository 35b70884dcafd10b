//! Bytes by address: where they come from and go to, what a stream begins with, who works on them.
//!
//! Nothing here knows of layouts, or of what the bytes mean. A [`Source`] gives bytes, an [`Output`] takes them; files
//! are complete or absent ([`AtomicFile`]), or written by the holder of the [`Lock`]. A [`Region`] is strided
//! runs of bytes, and [`Work`] sets the threads of long reads and writes.

pub(crate) mod blocks;
pub(crate) mod date;
pub(crate) mod lock;
#[cfg(feature = "map")]
pub(crate) mod map;
pub(crate) mod near;
pub(crate) mod output;
pub(crate) mod pieces;
pub(crate) mod positioned;
pub(crate) mod region;
pub(crate) mod scratch;
pub(crate) mod signature;
pub(crate) mod source;
#[cfg(feature = "store")]
pub(crate) mod store;
pub(crate) mod threads;
pub(crate) mod work;

pub use blocks::{Block, Blocks};
pub use lock::Lock;
#[cfg(feature = "map")]
pub use map::MapSource;
pub use near::{Piece, read_pieces};
pub use output::{
    AtomicFile, AtomicFiles, AtomicFolder, Beside, Output, check_target, remove_unfinished,
};
pub use region::{Region, Row, Rows, for_each_run};
pub use scratch::{give_scratch, take_scratch};
pub use signature::{LEN as SIGNATURE_LEN, Signature, is_native};
pub use source::{Cached, Counted, FileSource, Source, Window, check, slice};
#[cfg(feature = "store")]
pub use store::{StoreOptions, StoreSource, object_store};
pub use work::{Watch, Work};
