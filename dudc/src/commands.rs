//! The commands, each in a file of its own: its `Args`, and `run`.

pub(crate) mod append;
pub(crate) mod attach;
pub(crate) mod breaking;
pub(crate) mod check;
pub(crate) mod checkpoint;
pub(crate) mod completions;
pub(crate) mod convert;
pub(crate) mod demo;
pub(crate) mod describe;
pub(crate) mod diff;
pub(crate) mod doc;
pub(crate) mod dump;
pub(crate) mod explain;
pub(crate) mod family;
pub(crate) mod fmt;
pub(crate) mod r#gen;
pub(crate) mod get;
pub(crate) mod index;
pub(crate) mod lint;
mod lint_settings;
pub(crate) mod ls;
pub(crate) mod man;
pub(crate) mod pack;
pub(crate) mod refs;
pub(crate) mod salvage;
pub(crate) mod stat;
pub(crate) mod verify;
