//! The nearest name, for "did you mean".

/// How many names are compared at most, so that a text full of errors stays cheap.
const CANDIDATES: usize = 2000;

/// The candidate with the least edit distance, if it is small beside the length of the name; of
/// equal ones that of the least rank, then the first by its letters.
///
/// ```
/// use dudley_parser::similar::nearest;
///
/// let names = [(0, "rho"), (0, "time")];
/// assert_eq!(nearest("tiem", names.into_iter()), Some("time".to_owned()));
/// assert_eq!(nearest("pressure", names.into_iter()), None);
/// ```
pub fn nearest<'n>(
    name: &str,
    candidates: impl Iterator<Item = (usize, &'n str)>,
) -> Option<String> {
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
