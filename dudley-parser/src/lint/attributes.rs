//! Attributes whose names look like slips of the pen.

use crate::comments::meant;
use crate::diagnostic::Diagnostic;
use crate::layout::Layout;
use hashbrown::HashMap;

pub(super) fn misspelt(layout: &Layout, found: &mut Vec<Diagnostic>) {
    let mut known: HashMap<&str, Option<&str>> = HashMap::new();
    for attribute in layout.attributes.values().flatten() {
        let name = attribute.name.as_str();
        // The rule `lint-rule` looks at these.
        if name.starts_with("lint_") {
            continue;
        }
        if let Some(near) = known.entry(name).or_insert_with(|| meant(name)) {
            let message = format!("the attribute `{name}` has no meaning of its own");
            let help = format!("did you mean `{near}`?");
            found.push(Diagnostic::note("lint-attribute", attribute.span, message).help(help));
        }
    }
}
