//! Legal text that could be better: notes for `check --strict` and `lint`.
//!
//! `settings.rs` has the settings of rules from attributes; corrections that do not change the meaning are in
//! `fix.rs`. Each lint looks at the checked layout once; types that are unfolded in many places are reported
//! where they are written, once.

mod attributes;
pub mod fix;
mod names;
mod numbers;
mod padding;
mod params;
pub mod settings;
mod units;

use crate::diagnostic::Diagnostic;
use crate::layout::Layout;
pub use names::C as WORDS_OF_C;
pub use settings::Settings;

/// The codes of the rules.
pub const RULES: [&str; 13] = [
    "lint-align",
    "lint-attribute",
    "lint-case",
    "lint-colon",
    "lint-late-param",
    "lint-literal-dim",
    "lint-name",
    "lint-pack",
    "lint-padding",
    "lint-param-doc",
    "lint-rule",
    "lint-unit",
    "lint-unused-param",
];

/// All findings about a layout, in the order of the text.
///
/// ```
/// let checked = dudley_parser::check(b"N : 3");
/// let layout = checked.layout.expect("no error");
/// assert_eq!(dudley_parser::lint::lint(&layout)[0].code, "lint-unused-param");
/// ```
pub fn lint(layout: &Layout) -> Vec<Diagnostic> {
    lint_with(layout, &Settings::new())
}

/// All findings about a layout, with settings of rules from outside. The settings of the layout itself go
/// first.
///
/// ```
/// use dudley_parser::lint::{Settings, lint_with, settings::rule};
///
/// let layout = dudley_parser::check(b"N : 3\nx = f8").layout.expect("no error");
/// let mut settings = Settings::new();
/// settings.set(rule("unit").expect("a rule"), None);
/// assert_eq!(lint_with(&layout, &settings).len(), 1);
/// ```
pub fn lint_with(layout: &Layout, settings: &Settings) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    params::unused(layout, &mut found);
    params::undocumented(layout, &mut found);
    params::late(layout, &mut found);
    params::colons(layout, &mut found);
    numbers::literal_dims(layout, &mut found);
    numbers::idle_alignments(layout, &mut found);
    numbers::packed(layout, &mut found);
    padding::structs(layout, &mut found);
    padding::root(layout, &mut found);
    names::unusable(layout, &mut found);
    names::case(layout, &mut found);
    units::missing(layout, &mut found);
    attributes::misspelt(layout, &mut found);
    settings::unknown_rules(layout, &mut found);
    settings::weigh(layout, settings, &mut found);
    found.sort_by_key(|diagnostic| (diagnostic.primary.span.start, diagnostic.code));
    found
}
