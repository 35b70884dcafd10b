//! The nearest name for a misspelt param or type, for "did you mean".

use super::Checker;
use crate::layout::dtype::Primitive;
use crate::similar::{nearest, similar};

/// What types are called in other languages.
const ELSEWHERE: [(&str, &str); 36] = [
    ("i16", "i2"),
    ("i32", "i4"),
    ("i64", "i8"),
    ("u16", "u2"),
    ("u32", "u4"),
    ("u64", "u8"),
    ("f16", "f2"),
    ("f32", "f4"),
    ("f64", "f8"),
    ("int8", "i1"),
    ("int16", "i2"),
    ("int32", "i4"),
    ("int64", "i8"),
    ("uint8", "u1"),
    ("uint16", "u2"),
    ("uint32", "u4"),
    ("uint64", "u8"),
    ("float16", "f2"),
    ("float32", "f4"),
    ("float64", "f8"),
    ("half", "f2"),
    ("float", "f4"),
    ("double", "f8"),
    ("real", "f8"),
    ("short", "i2"),
    ("int", "i4"),
    ("integer", "i4"),
    ("long", "i8"),
    ("byte", "u1"),
    ("char", "S1"),
    ("string", "S1"),
    ("str", "S1"),
    ("bool", "b1"),
    ("boolean", "b1"),
    ("complex64", "c8"),
    ("complex128", "c16"),
];

/// This many errors of a text come with what may have been meant: to look for that takes as long as there are names,
/// and nobody reads more.
const ADVISED: usize = 100;

impl Checker<'_> {
    /// Whether it is still looked for what was meant.
    pub(super) fn advises(&self) -> bool {
        self.diagnostics.len() < ADVISED
    }

    /// The param in scope that a misspelt name is nearest to.
    pub(super) fn similar_param(&self, name: &str) -> Option<String> {
        if !self.advises() {
            return None;
        }
        let mut names = self.params_in_scope();
        names.sort_unstable();
        similar(name, names.iter().map(|&symbol| self.name(symbol)))
    }

    /// The type that a misspelt name is nearest to.
    pub(super) fn similar_type(&self, name: &str) -> Option<String> {
        if let Some((_, ours)) = ELSEWHERE.iter().find(|(theirs, _)| *theirs == name) {
            return Some((*ours).to_owned());
        }
        if !self.advises() {
            return None;
        }
        let mut declared: Vec<_> = self.types.keys().copied().collect();
        declared.sort_unstable();
        let declared = declared.iter().map(|&symbol| (0, self.name(symbol)));
        // Of primitives as near as each other the wider one is taken.
        let primitives = Primitive::ALL.iter().rev().enumerate();
        let primitives = primitives.map(|(rank, primitive)| (1 + rank, primitive.name()));
        nearest(name, declared.chain(primitives))
    }
}
