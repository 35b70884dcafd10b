//! The checked layout.

pub mod dtype;
