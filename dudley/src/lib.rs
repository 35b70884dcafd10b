//! Reads and writes binary scientific data through Dudley layouts.

pub mod buffer;
mod cast;
pub mod convert;
pub mod element;
pub mod error;
pub mod filter;
#[cfg(feature = "map")]
pub mod map;
mod positioned;
pub mod signature;
pub mod source;
pub mod swap;
pub mod text;
