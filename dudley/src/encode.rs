//! Values to the bytes of a layout: what can be given, and one pass that puts it where it belongs.
//!
//! [`crate::write`] is the public part of this module. It also writes indexes.

pub(crate) mod claims;
pub(crate) mod covered;
pub(crate) mod extra;
pub(crate) mod input;
pub(crate) mod pass;
pub(crate) mod policy;
pub(crate) mod supply;
pub(crate) mod values;
