//! The Dudley layout language: text → checked layout → addresses. Knows no bytes.

pub mod ast;
pub mod diagnostic;
pub mod layout;
pub mod names;
pub mod span;
