//! Reads and writes binary scientific data through Dudley layouts.

pub mod buffer;
mod cast;
pub mod constant;
pub mod convert;
pub mod data;
mod decode;
pub mod dtype;
pub mod element;
mod encode;
pub mod error;
pub mod filter;
pub mod gather;
pub mod input;
pub mod item;
pub mod listing;
#[cfg(feature = "map")]
pub mod map;
mod number;
pub mod output;
mod pass;
pub mod path;
mod positioned;
pub mod select;
pub mod signature;
pub mod slice;
pub mod source;
pub mod stream;
pub mod strided;
pub mod swap;
pub mod text;
pub mod value;
pub mod writer;

pub use data::Data;
pub use dtype::Dtype;
pub use dudley_parser::Layout;
pub use dudley_parser::layout::dtype::{ByteOrder, Primitive};
pub use error::{Error, Result};
pub use input::Input;
pub use item::{Item, ItemKind};
pub use pass::Output;
pub use stream::{Open, Stream, StreamKind, parse_layout};
pub use value::Value;
pub use writer::{Supply, WriteOptions, Writer};

pub use {half, ndarray, num_complex};
