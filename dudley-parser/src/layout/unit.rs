//! The unit of a declaration, and its documentation without it.

use super::{DocKey, Layout};
use crate::comments::Attribute;

impl Layout {
    /// The unit of a declaration: its attribute `units`, else `(unit)` at the start of its
    /// documentation (spec 7.4).
    ///
    /// ```
    /// let layout = dudley_parser::check(b"x = f8  ## (cm) place").layout.unwrap();
    /// assert_eq!(layout.unit(dudley_parser::layout::DocKey::of(layout.arrays().next().unwrap().1.span)), Some("cm"));
    /// ```
    pub fn unit(&self, key: DocKey) -> Option<&str> {
        if let Some(units) = self.attribute(key, "units").and_then(Attribute::text) {
            return Some(units);
        }
        split(self.doc(key).next()?).map(|(unit, _)| unit.trim())
    }

    /// The documentation of a declaration, without the `(unit)` at its start: a line each.
    ///
    /// ```
    /// use dudley_parser::layout::DocKey;
    ///
    /// let layout = dudley_parser::check(b"x = f8  ## (mm) edge").layout.unwrap();
    /// let (_, x) = layout.arrays().next().unwrap();
    /// assert_eq!(layout.doc_without_unit(DocKey::of(x.span)).collect::<Vec<_>>(), ["edge"]);
    /// ```
    pub fn doc_without_unit(&self, key: DocKey) -> impl Iterator<Item = &str> {
        self.doc(key).enumerate().filter_map(move |(number, line)| {
            match split(line).filter(|_| number == 0) {
                Some((_, rest)) => Some(rest.trim_start()).filter(|rest| !rest.is_empty()),
                None => Some(line),
            }
        })
    }
}

/// The unit at the start of a line, and what is behind it: parentheses in a unit are in pairs, `(m (at 20 C))`.
/// Where they are not, it ends at the first that closes.
fn split(line: &str) -> Option<(&str, &str)> {
    let rest = line.strip_prefix('(')?;
    let mut open = 1_usize;
    let closes = rest.char_indices().find(|(_, character)| {
        match character {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        open == 0
    });
    let at = closes.map(|(at, _)| at).or_else(|| rest.find(')'))?;
    Some((&rest[..at], &rest[at + 1..]))
}

/// Whether a unit can stand in parentheses at the start of documentation, where [`Layout::unit`] finds it again.
pub(super) fn fits(unit: &str) -> bool {
    let plain = !unit.is_empty() && unit.trim() == unit && !unit.contains(char::is_control);
    // Whatever stands behind it.
    plain && split(&format!("({unit}) )")) == Some((unit, " )"))
}

#[cfg(test)]
mod tests {
    use super::{fits, split};

    #[test]
    fn parentheses_of_a_unit_are_in_pairs() {
        for (unit, expected) in [
            ("cm", true),
            ("m (at 20 C)", true),
            ("(cm)", true),
            ("(cm", false),
            ("cm)", false),
            ("a) (b", false),
            (" cm", false),
            ("c\nm", false),
            ("", false),
        ] {
            assert_eq!(fits(unit), expected, "{unit:?}");
        }
    }

    #[test]
    fn a_unit_ends_where_its_parenthesis_closes() {
        for (line, unit, rest) in [
            ("(cm) edge", "cm", " edge"),
            ("(g/(cm s)) flux (mean)", "g/(cm s)", " flux (mean)"),
            ("(m (at (20) C))", "m (at (20) C)", ""),
            ("() none", "", " none"),
            ("(a (b) and so on", "a (b", " and so on"),
        ] {
            assert_eq!(split(line), Some((unit, rest)), "{line}");
        }
        assert_eq!(split("(no end"), None);
        assert_eq!(split("edge (cm)"), None);
    }
}
