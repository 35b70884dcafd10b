//! The Dudley layout language: text → checked layout → addresses. Knows no bytes.
//!
//! [`check()`] turns a text into a [`Layout`], or returns all faults of the text. A [`Layout`] is
//! immutable, and every name in it is resolved. [`resolve`] computes addresses from known params, and
//! [`formula`] gives formulas for unknown ones. [`format`](mod@format) brings a text into
//! canonical form, [`lint`](mod@lint) suggests improvements, [`explain`](mod@explain) has the
//! rule behind each finding, and [`render`] prints findings like rustc.
//!
//! ```
//! use dudley_parser::resolve::{Given, NoValues, Node, Resolver, State};
//!
//! let checked = dudley_parser::check(b"N : 3\nx = f4[N]\ny = f8[N+]  ## (cm) edges");
//! let layout = checked.layout.expect("no errors");
//!
//! let (given, mut state) = (Given::default(), State::new());
//! let mut resolver = Resolver::new(&layout, &given, &NoValues, &mut state);
//! let y = resolver.child(&Node::root(), "y").expect("an item");
//! let place = resolver.place(&y)?;
//! assert_eq!((place.address, place.bytes), (16, 32));
//! # Ok::<(), dudley_parser::resolve::ResolveError>(())
//! ```
//!
//! A text with faults gives findings, each with a stable code and its place:
//!
//! ```
//! let checked = dudley_parser::check(b"x = f9\ny = f8[]");
//! assert!(checked.layout.is_none());
//! let codes: Vec<&str> = checked.diagnostics.iter().map(|found| found.code).collect();
//! assert_eq!(codes, ["unknown-type", "empty-shape"]);
//! ```
//!
//! Values of streamed params come through the trait [`resolve::Values`]; the crate `dudley` reads
//! them from streams, and arrays with them.

// The generated parser names it.
extern crate alloc;

pub mod ast;
pub mod check;
pub mod chunked;
pub mod comments;
pub mod compare;
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
pub mod pad;
pub mod padding;
pub mod parse;
pub mod place;
#[cfg(feature = "render")]
pub mod render;
pub mod resolve;
mod scan;
pub mod similar;
pub mod span;

pub use check::{Checked, check, check_raw, check_to_read};
pub use diagnostic::{Diagnostic, Severity};
pub use layout::Layout;
pub use scan::{layout_end, no_text_at};
