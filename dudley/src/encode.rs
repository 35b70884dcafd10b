//! Values to the bytes of a layout: what can be given, and one pass that puts it where it belongs.
//!
//! What of this programs use is in [`crate::write`]. An index is written by it too.

pub(crate) mod claims;
pub(crate) mod covered;
pub(crate) mod extra;
pub(crate) mod input;
pub(crate) mod pass;
pub(crate) mod policy;
pub(crate) mod supply;
pub(crate) mod values;
