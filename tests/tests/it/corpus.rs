//! Does every layout with a known result give that result?
//!
//! The cases are data in `tests/corpus/layouts/`; its README says what the files hold. A test
//! collects all that differs before it fails, so that one run shows everything.

mod diagnosed;
mod dumped;
mod examples;
mod listing;
mod resolved;
pub(crate) mod streams;

/// Fails with everything that was found.
fn report(found: &[String]) {
    assert!(found.is_empty(), "{} differ:\n{}", found.len(), found.join("\n"));
}
