//! The C interface of the engine: `include/dudley.h` is made from these functions.
//!
//! Each function returns 0 or the group of an error ([`error`]), whose text [`error::dud_error`] gives. Handles are
//! numbers in a table, so one that is closed is an error and not a fault. Any thread may use any handle.

mod abi;
pub mod append;
pub mod attributes;
pub mod checkpoint;
pub mod create;
pub mod elements;
pub mod error;
pub mod family;
mod handle;
pub mod library;
pub mod nodes;
pub mod open;
pub mod read;

pub use abi::{Bytes, BytesMut, Column, Columns, Numbers, NumbersMut, Out, Text, TextMut, Texts};
pub use handle::Handle;
