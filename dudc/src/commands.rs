//! The commands, one a file.

pub mod attach;
pub mod demo;
pub mod dump;
pub mod get;
pub mod ls;
pub mod pack;
