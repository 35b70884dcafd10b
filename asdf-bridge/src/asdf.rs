//! ASDF and FINF files: a tree of YAML, then blocks of bytes.

mod error;
mod report;
mod text;
mod tree;

pub use error::{Error, Result};
pub use report::{Code, Finding, Report};
pub use text::{Dialect, Text};
pub use tree::{Node, NodeId, NodeKind, Scalar, Style, Tree};
