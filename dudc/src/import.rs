//! Layouts made from what other tools know of data.

pub(crate) mod dwarf;
pub(crate) mod names;
pub(crate) mod structs;
