//! Which requests bring some ranges.

use std::ops::Range;

/// Requests of `most` bytes each at most that bring all of `wanted`, in the order of their addresses.
/// Ranges that are not further apart than `gap` are requested together.
pub(super) fn requests(mut wanted: Vec<Range<u64>>, gap: u64, most: u64) -> Vec<Range<u64>> {
    wanted.sort_unstable_by_key(|range| range.start);
    let mut merged: Vec<Range<u64>> = Vec::new();
    for range in wanted {
        match merged.last_mut() {
            Some(last) if range.start <= last.end.saturating_add(gap) => {
                last.end = last.end.max(range.end);
            }
            _ => merged.push(range),
        }
    }
    let cut = merged.into_iter().flat_map(|range| {
        let parts = (range.end - range.start).div_ceil(most);
        (0..parts).map(move |part| {
            let start = range.start + part * most;
            start..range.end.min(start.saturating_add(most))
        })
    });
    cut.collect()
}

/// Copies what `bytes`, which begin at `start`, have of `buf`, which begins at `address`.
pub(super) fn copy(start: u64, bytes: &[u8], address: u64, buf: &mut [u8]) {
    let from = start.max(address);
    let to = (start + bytes.len() as u64).min(address + buf.len() as u64);
    if from < to {
        // Within both, so within memory.
        let source = &bytes[(from - start) as usize..(to - start) as usize];
        buf[(from - address) as usize..(to - address) as usize].copy_from_slice(source);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn near_ranges_are_one_request() {
        let wanted = || vec![500..510, 0..10, 15..20, 40..50];
        assert_eq!(requests(wanted(), 0, 1000), [0..10, 15..20, 40..50, 500..510]);
        assert_eq!(requests(wanted(), 5, 1000), [0..20, 40..50, 500..510]);
        assert_eq!(requests(wanted(), 5, 12), [0..12, 12..20, 40..50, 500..510]);
        assert!(requests(Vec::new(), 5, 12).is_empty());
    }

    proptest! {
        #[test]
        fn requests_bring_all(
            wanted in prop::collection::vec((0_u64..300, 1_u64..40), 0..20),
            gap in 0_u64..30,
            most in 1_u64..60,
        ) {
            let bytes: Vec<u8> = (0..400).map(|at| (at * 7 % 251) as u8).collect();
            let wanted: Vec<Range<u64>> =
                wanted.into_iter().map(|(start, len)| start..start + len).collect();
            let mut buffers: Vec<Vec<u8>> =
                wanted.iter().map(|range| vec![0; (range.end - range.start) as usize]).collect();
            let requests = requests(wanted.clone(), gap, most);
            for request in &requests {
                prop_assert!(request.end - request.start <= most && !request.is_empty());
                let bytes = &bytes[request.start as usize..request.end as usize];
                for (range, buf) in wanted.iter().zip(&mut buffers) {
                    copy(request.start, bytes, range.start, buf);
                }
            }
            for (range, buf) in wanted.iter().zip(&buffers) {
                prop_assert_eq!(&buf[..], &bytes[range.start as usize..range.end as usize]);
            }
            prop_assert!(requests.windows(2).all(|two| two[0].end <= two[1].start));
        }
    }
}
