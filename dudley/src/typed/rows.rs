//! Which rows of an array were written.

/// Ranges of rows, in order and apart from each other.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    all: u64,
    written: Vec<(u64, u64)>,
}

impl Rows {
    /// None of so many.
    pub(super) fn new(all: u64) -> Rows {
        Rows { all, written: Vec::new() }
    }

    /// `count` from `first` on.
    pub(super) fn add(&mut self, first: u64, count: u64) {
        let (mut begin, mut end) = (first, first.saturating_add(count));
        let from = self.written.partition_point(|(_, other)| *other < begin);
        let to = self.written.partition_point(|(other, _)| *other <= end);
        if from < to {
            begin = begin.min(self.written[from].0);
            end = end.max(self.written[to - 1].1);
        }
        self.written.splice(from..to, [(begin, end)]);
    }

    pub(super) fn are_all(&self) -> bool {
        self.all == 0 || matches!(self.written.as_slice(), [(0, end)] if *end >= self.all)
    }

    /// The rows that are missing, as slices of a path: `/rho[3:5], /rho[9:12]`.
    pub(super) fn missing(&self, path: &str) -> String {
        let ends = self.written.iter().map(|(_, end)| *end);
        let begins = self.written.iter().map(|(begin, _)| *begin);
        let gaps = std::iter::once(0).chain(ends).zip(begins.chain([self.all]));
        let gaps = gaps.filter(|(begin, end)| begin < end);
        let shown: Vec<String> =
            gaps.take(8).map(|(begin, end)| format!("{path}[{begin}:{end}]")).collect();
        shown.join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn gaps_are_named() {
        let mut rows = Rows::new(10);
        rows.add(7, 2);
        rows.add(2, 3);
        assert_eq!(rows.missing("/x"), "/x[0:2], /x[5:7], /x[9:10]");
        assert!(!rows.are_all());
    }

    proptest! {
        #[test]
        fn ranges_are_a_set(parts in prop::collection::vec((0_u64..12, 0_u64..6), 0..12)) {
            let mut rows = Rows::new(12);
            let mut model = [false; 20];
            for (first, count) in parts {
                rows.add(first, count);
                model[first as usize..(first + count) as usize].fill(true);
            }
            prop_assert_eq!(rows.are_all(), model[..12].iter().all(|it| *it));
            prop_assert_eq!(rows.missing("").is_empty(), rows.are_all());
        }
    }
}
