//! The unit of a declaration, and its documentation without it.

use super::{DocKey, Layout};
use crate::comments::Attribute;

impl Layout {
    /// The unit of a declaration: its attribute `units`, else `(unit)` at the start of its
    /// documentation (spec 7.4).
    pub fn unit(&self, key: DocKey) -> Option<&str> {
        if let Some(units) = self.attribute(key, "units").and_then(Attribute::text) {
            return Some(units);
        }
        let line = self.doc(key).next()?;
        line.strip_prefix('(')?.split_once(')').map(|(unit, _)| unit.trim())
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
        let without = |line: &'_ str| {
            let behind = line.strip_prefix('(').and_then(|rest| rest.find(')'));
            behind.map_or(0, |at| at + 2)
        };
        self.doc(key).enumerate().filter_map(move |(number, line)| match number {
            0 if without(line) > 0 => {
                Some(line[without(line)..].trim_start()).filter(|rest| !rest.is_empty())
            }
            _ => Some(line),
        })
    }
}
