//! The nearest name, for "did you mean".

/// How many names are compared at most, so that a text full of errors stays cheap.
const CANDIDATES: usize = 2000;

/// The name that a misspelt one is nearest to, if it is near enough to have been meant.
///
/// ```
/// use dudley_parser::similar::similar;
///
/// assert_eq!(similar("roh", ["time", "rho"]), Some("rho".to_owned()));
/// assert_eq!(similar("speed", ["time", "rho"]), None);
/// ```
pub fn similar<'n>(name: &str, names: impl IntoIterator<Item = &'n str>) -> Option<String> {
    nearest(name, names.into_iter().map(|name| (0, name)))
}

/// The candidate with the least edit distance, if it is small beside the length of the name; of
/// equal ones that of the least rank, then the first by its letters.
///
/// ```
/// use dudley_parser::similar::nearest;
///
/// assert_eq!(nearest("tiem", [(0, "rho"), (0, "time")].into_iter()), Some("time".to_owned()));
/// ```
pub fn nearest<'n>(
    name: &str,
    candidates: impl Iterator<Item = (usize, &'n str)>,
) -> Option<String> {
    let length = name.chars().count();
    if length == 0 || length > 64 {
        return None;
    }
    // Of a single letter only the case may be wrong.
    let bound = if length == 1 { 0 } else { length.div_ceil(3) };
    candidates
        .take(CANDIDATES)
        .filter(|(_, candidate)| candidate.len().abs_diff(name.len()) <= 2 * bound + 1)
        .filter(|(_, candidate)| candidate.len() <= 256)
        .map(|(rank, candidate)| (distance(name, candidate), rank, candidate))
        .filter(|(far, ..)| *far <= bound)
        .min()
        .map(|(.., candidate)| candidate.to_owned())
}

/// Edit distance, two letters swapped being one change. A change of case counts nothing.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let same = |x: char, y: char| x.eq_ignore_ascii_case(&y);
    let b: Vec<char> = b.chars().collect();
    let mut above: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    let mut last = None;
    for (i, x) in a.chars().enumerate() {
        let mut next = Vec::with_capacity(row.len());
        next.push(i + 1);
        for (j, &y) in b.iter().enumerate() {
            let mut least = row[j] + usize::from(!same(x, y));
            least = least.min(row[j + 1] + 1).min(next[j] + 1);
            if let (Some(before), Some(two)) = (last, j.checked_sub(1))
                && same(x, b[two])
                && same(before, y)
            {
                least = least.min(above[two] + 1);
            }
            next.push(least);
        }
        above = std::mem::replace(&mut row, next);
        last = Some(x);
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
        assert_eq!(similar("roh", ["time", "rho"]), Some("rho".into()));
        assert_eq!((similar("q", ["a"]), similar("A", ["a"])), (None, Some("a".into())));
    }
}
