//! What is legal in a layout, and could be better: notes for `check --strict` and `lint`.
//!
//! Each lint looks at the checked layout once; types that are unfolded in many places are reported
//! where they are written, once.

mod names;
mod numbers;
mod padding;
mod units;

use crate::diagnostic::Diagnostic;
use crate::layout::Layout;

/// All findings about a layout, in the order of the text.
///
/// ```
/// let checked = dudley_parser::check(b"N : 3");
/// let layout = checked.layout.expect("no error");
/// assert_eq!(dudley_parser::lint::lint(&layout)[0].code, "lint-unused-param");
/// ```
pub fn lint(layout: &Layout) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    numbers::unused_params(layout, &mut found);
    numbers::literal_dims(layout, &mut found);
    numbers::idle_alignments(layout, &mut found);
    padding::structs(layout, &mut found);
    padding::root(layout, &mut found);
    names::unusable(layout, &mut found);
    names::case(layout, &mut found);
    units::missing(layout, &mut found);
    found.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.code));
    found
}
