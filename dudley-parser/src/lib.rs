//! The Dudley layout language: text → checked layout → addresses. Knows no bytes.

// The generated parser names it.
extern crate alloc;

pub mod ast;
pub mod check;
pub mod comments;
pub mod diagnostic;
pub mod explain;
pub mod format;
pub mod formula;
// rustfmt takes minutes for it.
#[rustfmt::skip]
mod grammar;
pub mod layout;
pub mod lint;
pub mod names;
pub mod parse;
pub mod place;
#[cfg(feature = "render")]
pub mod render;
pub mod resolve;
mod scan;
pub mod span;

pub use check::{Checked, check};
pub use diagnostic::{Diagnostic, Severity};
pub use layout::Layout;
