//! Whether a program can apply the filters of a layout. The language leaves them open (10), so
//! that the program is asked, and that what it lacks is a warning.

use crate::ast::FilterValue;
use crate::diagnostic::Diagnostic;
use crate::layout::{Array, Layout};
use std::collections::HashSet;

/// Why a program cannot apply a filter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilterFault {
    /// It has none of that name.
    Absent,
    /// It does not take the arguments: what it says of them.
    Arguments(String),
}

/// The findings of a program about the filters of a layout and their arguments, once for each place in the text.
///
/// ```
/// use dudley_parser::check::{FilterFault, check_filters};
///
/// let checked = dudley_parser::check(b"x = f8[3] -> xz");
/// let layout = checked.layout.expect("no errors");
/// let absent = |name: &str, _: &[_], _: &_| (name == "xz").then_some(FilterFault::Absent);
/// let found = check_filters(&layout, absent);
/// assert_eq!(found[0].code, "unknown-filter");
/// ```
pub fn check_filters(
    layout: &Layout,
    fault: impl Fn(&str, &[FilterValue], &Array) -> Option<FilterFault>,
) -> Vec<Diagnostic> {
    let mut looked_at = HashSet::new();
    let filtered = layout.arrays().filter_map(|(_, array)| Some((&layout[array.filter?], array)));
    let written = filtered.filter(|(filter, _)| looked_at.insert(filter.span));
    let found = written.filter_map(|(filter, array)| {
        let name = layout.name(filter.name);
        Some(match fault(name, &filter.args, array)? {
            FilterFault::Absent => {
                let message =
                    format!("this program has no filter `{name}`; only this item needs it");
                Diagnostic::warning("unknown-filter", filter.span, message)
            }
            FilterFault::Arguments(why) => Diagnostic::warning("filter-argument", filter.span, why)
                .help("what is stored can be read, but not written with these arguments"),
        })
    });
    found.collect()
}
