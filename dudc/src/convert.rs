//! Streams as arrays of numpy, and back.

pub(crate) mod beside;
pub(crate) mod columns;
pub(crate) mod dims;
pub(crate) mod frames;
pub(crate) mod gathered;
pub(crate) mod lost;
pub(crate) mod names;
pub(crate) mod out;
pub(crate) mod part;
pub(crate) mod portable;
