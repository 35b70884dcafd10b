//! An array in windows: boxes of it, one after the other in the order of its elements, each small enough for memory.

use std::ops::Range;

/// The elements of a box in windows of at most `most` elements, row-major. A window has whole rows, or whole planes, or as many
/// dimensions as fit; of the dimension before those it has a range, and of others one index.
pub(super) fn windows(all: Vec<Range<u64>>, most: u64) -> impl Iterator<Item = Vec<Range<u64>>> {
    let (mut cut, mut inner) = (all.len(), 1_u64);
    let fits = |at: usize, inner: u64| {
        let along = all[at].end - all[at].start;
        inner.checked_mul(along).filter(|elements| *elements <= most)
    };
    while let Some(elements) = cut.checked_sub(1).and_then(|at| fits(at, inner)) {
        (cut, inner) = (cut - 1, elements);
    }
    let step = move |at: usize| match (at + 1).cmp(&cut) {
        std::cmp::Ordering::Less => 1,
        std::cmp::Ordering::Equal => (most / inner.max(1)).max(1),
        std::cmp::Ordering::Greater => u64::MAX,
    };
    let first = || all.iter().map(|it| it.start).collect::<Vec<u64>>();
    let mut next = all.iter().all(|it| !it.is_empty()).then(first);
    std::iter::from_fn(move || {
        let begin = next.take()?;
        let along = |(at, (begin, it)): (usize, (&u64, &Range<u64>))| {
            *begin..begin.saturating_add(step(at)).min(it.end)
        };
        let window: Vec<Range<u64>> = begin.iter().zip(&all).enumerate().map(along).collect();
        let mut after = begin;
        for at in (0..all.len()).rev() {
            after[at] = window[at].end;
            if after[at] < all[at].end {
                next = Some(after);
                break;
            }
            after[at] = all[at].start;
        }
        Some(window)
    })
}

/// What two boxes have in common; `None` for no elements.
pub(super) fn common(a: &[Range<u64>], b: &[Range<u64>]) -> Option<Vec<Range<u64>>> {
    let both = |(a, b): (&Range<u64>, &Range<u64>)| a.start.max(b.start)..a.end.min(b.end);
    let all: Vec<Range<u64>> = a.iter().zip(b).map(both).collect();
    all.iter().all(|it| !it.is_empty()).then_some(all)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn windows_have_every_element_once_and_in_order(
            dims in proptest::collection::vec((0_u64..5, 0_u64..7), 0..4),
            most in 1_u64..40,
        ) {
            let all: Vec<Range<u64>> = dims.iter().map(|(start, count)| *start..start + count).collect();
            let shape: Vec<u64> = dims.iter().map(|(start, count)| start + count).collect();
            // The numbers of the elements of a box, row-major in an array that reaches to its end.
            let numbers = |it: &[Range<u64>]| {
                it.iter().zip(&shape).fold(vec![0], |numbers: Vec<u64>, (along, dim)| {
                    let inner = |number: u64| along.clone().map(move |at| number * dim + at);
                    numbers.into_iter().flat_map(inner).collect()
                })
            };
            let mut seen = Vec::new();
            for window in windows(all.clone(), most) {
                let elements = numbers(&window);
                prop_assert!(!elements.is_empty() && elements.len() as u64 <= most);
                prop_assert_eq!(common(&all, &window), Some(window));
                seen.extend(elements);
            }
            prop_assert_eq!(seen, numbers(&all));
        }
    }

    #[test]
    fn windows_are_not_smaller_than_they_must_be() {
        let shapes = |all: Vec<Range<u64>>, most| -> Vec<Vec<u64>> {
            let shape =
                |window: Vec<Range<u64>>| window.iter().map(|it| it.end - it.start).collect();
            windows(all, most).map(shape).collect()
        };
        assert_eq!(shapes(vec![0..10, 0..4], 40), [[10, 4]]);
        assert_eq!(shapes(vec![0..10, 0..4], 20), [[5, 4], [5, 4]]);
        assert_eq!(shapes(vec![0..2, 0..4], 3), [[1, 3], [1, 1], [1, 3], [1, 1]]);
        assert_eq!(shapes(vec![0..1, 0..1, 0..6], 4), [[1, 1, 4], [1, 1, 2]]);
        assert_eq!(shapes(vec![], 4), [[0_u64; 0]; 1]);
    }
}
