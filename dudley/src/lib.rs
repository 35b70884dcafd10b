//! Reads and writes binary scientific data through Dudley layouts.

pub mod buffer;
mod cast;
pub mod convert;
pub mod element;
pub mod error;
pub mod filter;
pub mod gather;
#[cfg(feature = "map")]
pub mod map;
pub mod output;
mod positioned;
pub mod signature;
pub mod source;
pub mod strided;
pub mod swap;
pub mod text;
