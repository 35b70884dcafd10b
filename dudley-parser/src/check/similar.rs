//! The nearest name, for "did you mean".

use super::Checker;
use crate::layout::dtype::Primitive;

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

/// How many names are compared at most, so that a text full of errors stays cheap.
const CANDIDATES: usize = 2000;

impl Checker<'_> {
    /// The param in scope that a misspelt name is nearest to.
    pub(super) fn similar_param(&self, name: &str) -> Option<String> {
        let mut names = self.params_in_scope();
        names.sort_unstable();
        nearest(name, names.iter().map(|&symbol| (0, self.name(symbol))))
    }

    /// The type that a misspelt name is nearest to.
    pub(super) fn similar_type(&self, name: &str) -> Option<String> {
        if let Some((_, ours)) = ELSEWHERE.iter().find(|(theirs, _)| *theirs == name) {
            return Some((*ours).to_owned());
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

/// The candidate with the least edit distance, if it is small beside the length of the name; of
/// equal ones that of the least rank, then the first by its letters.
fn nearest<'n>(name: &str, candidates: impl Iterator<Item = (usize, &'n str)>) -> Option<String> {
    let length = name.chars().count();
    if length == 0 || length > 64 {
        return None;
    }
    let bound = length.div_ceil(3);
    candidates
        .take(CANDIDATES)
        .filter(|(_, candidate)| candidate.len().abs_diff(name.len()) <= 2 * bound + 1)
        .filter(|(_, candidate)| candidate.len() <= 256)
        .map(|(rank, candidate)| (distance(name, candidate), rank, candidate))
        .filter(|(far, ..)| *far <= bound)
        .min()
        .map(|(.., candidate)| candidate.to_owned())
}

/// Edit distance; a change of case counts half as little as another letter would, that is, not at
/// all against the bound.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, &y) in b.iter().enumerate() {
            let change = diagonal + usize::from(!x.eq_ignore_ascii_case(&y));
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nearest_name() {
        let names = [(0, "IMAX"), (0, "JMAX"), (0, "f8")];
        assert_eq!(nearest("IMAXX", names.into_iter()), Some("IMAX".into()));
        assert_eq!(nearest("f9", names.into_iter()), Some("f8".into()));
        assert_eq!(nearest("completely", names.into_iter()), None);
    }
}
