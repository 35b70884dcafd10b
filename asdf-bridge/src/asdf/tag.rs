//! The meaning of a tag of the core schemas.

use super::number::complex;
use super::tree::Node;

/// In front of the names of tags, longest first. FINF and early ASDF have their own.
const PREFIXES: [&str; 3] =
    ["tag:stsci.edu:asdf/0.1.0/", "tag:stsci.edu:asdf/", "tag:stsci.edu:finf/0.1.0/"];

/// The name that a tag has in the core schemas, without its version: `ndarray`, `complex`. None for
/// tags of other schemas.
pub(super) fn core(node: Node<'_>) -> Option<&str> {
    let tag = node.tag()?;
    let name = PREFIXES.iter().find_map(|prefix| tag.strip_prefix(prefix))?;
    let name = match name.strip_prefix("core/") {
        Some(name) => name,
        // The first FINF files had no `core/`.
        None if !name.contains('/') => name,
        None => return None,
    };
    Some(unversioned(name))
}

impl<'t> Node<'t> {
    /// Its tag without what all tags of the standard have in front: `core/ndarray-1.1.0`.
    pub fn short_tag(self) -> Option<&'t str> {
        self.tag().map(shown)
    }
}

/// The value of a scalar with the tag of complex numbers.
pub(super) fn complex_of(node: Node<'_>) -> Option<(f64, f64)> {
    if core(node) != Some("complex") {
        return None;
    }
    complex(node.text()?)
}

/// A name without the version behind it.
fn unversioned(name: &str) -> &str {
    match name.rsplit_once('-') {
        Some((name, version)) if version.starts_with(|c: char| c.is_ascii_digit()) => name,
        _ => name,
    }
}

/// Whether a tag is one of the standard, or of YAML itself.
pub(super) fn is_standard(tag: &str) -> bool {
    tag.starts_with("tag:yaml.org,2002:") || PREFIXES.iter().any(|prefix| tag.starts_with(prefix))
}

/// How a tag is shown: without what all tags of the standard have in front.
pub(super) fn shown(tag: &str) -> &str {
    PREFIXES.iter().find_map(|prefix| tag.strip_prefix(prefix)).unwrap_or(tag)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asdf::tree::Tree;

    #[test]
    fn all_prefixes_and_versions_name_the_same() {
        for (tag, expected) in [
            ("tag:stsci.edu:asdf/core/ndarray-1.1.0", Some("ndarray")),
            ("tag:stsci.edu:asdf/0.1.0/core/ndarray", Some("ndarray")),
            ("tag:stsci.edu:asdf/core/ndarray-0.1.0", Some("ndarray")),
            ("tag:stsci.edu:finf/0.1.0/ndarray", Some("ndarray")),
            ("tag:stsci.edu:finf/0.1.0/core/complex", Some("complex")),
            ("tag:stsci.edu:asdf/core/chunked-ndarray-1.0.0", Some("chunked-ndarray")),
            ("tag:stsci.edu:asdf/time/time-1.1.0", None),
            ("tag:example.com:core/ndarray-1.0.0", None),
        ] {
            let tree = Tree::parse(&format!("!<{tag}> x")).expect("a tree");
            assert_eq!(core(tree.root()), expected, "{tag}");
        }
        assert_eq!(shown("tag:stsci.edu:asdf/time/time-1.1.0"), "time/time-1.1.0");
    }
}
