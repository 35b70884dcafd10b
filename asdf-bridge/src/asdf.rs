//! ASDF and FINF files: a tree of YAML, then blocks of bytes.

mod blocks;
mod error;
mod form;
mod report;
mod text;
mod tree;

pub use blocks::{Block, IndexState};
pub use error::{Error, Result};
pub use form::Form;
pub use report::{Code, Finding, Report};
pub use text::{Dialect, Text};
pub use tree::{Node, NodeId, NodeKind, Scalar, Style, Tree};
