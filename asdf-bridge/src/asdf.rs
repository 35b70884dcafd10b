//! ASDF and FINF files: a tree of YAML, then blocks of bytes.
//!
//! [`AsdfFile`] is a file with its tree and its blocks. Things of the tree have paths: `/run/rho`,
//! `/list/0`, `/"my name"/x`. What is an array there, an [`Array`], is read as arrays of streams are, and
//! its [`data`](Array::data) is one of the engine's. A [`Report`] has what is odd or wrong in a file; one
//! wrong block, or a wrong tree, does not keep anyone from reading the rest.
//!
//! A [`Builder`] writes a file: from values and arrays, or from the tree of another file that was edited
//! ([`Item::to_yaml`]). An [`Update`] changes a file that is there, its text where it must and no further ([`Edit`]).
//!
//! Not here: validation against schemas.

mod array;
mod block_use;
mod blocks;
mod compression;
mod cycles;
pub(crate) mod dataset;
mod datatype;
mod decoded;
mod describe;
mod digest;
mod doubts;
mod edit;
mod emit;
mod entry;
mod error;
mod external;
mod file;
mod first_line;
mod form;
mod history;
mod item;
mod list_slices;
mod lodged;
mod magic;
mod md5;
mod mistagged;
mod ndarray;
mod number;
mod portable;
mod quantity;
mod readable;
mod report;
mod rescue;
mod sections;
mod tables;
mod tag;
mod text;
mod top_keys;
mod tree;
mod unmasked;
mod update;
mod verify;
mod walk;
mod within;
mod write;

pub use array::Array;
pub use array::chunked::{Chunk, Chunked};
pub use array::mask::Mask;
pub use array::missing::Missing;
pub use blocks::{Block, IndexState};
pub use compression::Codecs;
pub use datatype::{Datatype, Field};
pub use describe::{Described, Description};
pub use digest::DigestState;
pub use doubts::Doubts;
pub use edit::Edit;
pub use error::{Error, Result};
pub use external::{External, Folder, Nothing};
pub use file::{AsdfFile, Open};
pub use first_line::WrongBytes;
pub(crate) use first_line::cut_off;
pub use form::Form;
pub use history::{Extension, History, HistoryEntry, Software};
pub use item::{Item, ItemId};
pub use list_slices::Spread;
pub use lodged::{ArrayOf, Hosts, Lodged};
pub use ndarray::Source;
pub use quantity::Quantity;
pub use report::{Code, Finding, Report};
pub use text::{Dialect, Text};
pub use top_keys::{Names, OWN_KEYS, data_key, data_name, is_own_part};
pub use tree::{Node, NodeId, NodeKind, Scalar, Style, Tree};
pub use unmasked::Unmasked;
pub use update::{Update, Updated};
pub use walk::References;
pub use within::Within;
pub use write::builder::Builder;
pub use write::compress::Compression;
pub use write::copy::salvage::{Lost, Salvage};
pub use write::copy::{Unmask, to_yaml, to_yaml_unmasked};
pub use write::kept_blocks::Kept;
pub use write::rules::Padding;
pub use write::standard::Standard;
pub use write::stream::{Appending, Rows};
pub use write::yaml::Yaml;
pub use write::yaml::array::{NewArray, NewMask};
