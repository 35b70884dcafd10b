//! Layouts from descriptions of data that other tools made.

pub(crate) mod dwarf;
pub(crate) mod names;
pub(crate) mod structs;
