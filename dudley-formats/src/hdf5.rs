//! HDF5: an HDF5 face of native streams.
//!
//! What is written here is in the HDF5 File Format Specification, version 3.0.

mod checksum;
mod datatype;
pub mod face;
mod message;
mod symbols;
pub mod written;
